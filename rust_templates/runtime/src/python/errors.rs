//! Failures as Python's exceptions, each with its number in the attribute `code`.

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::codes::{Code, Failure};

/// The exception for a failure.
pub fn raised(failure: &Failure) -> PyErr {
    let text = failure.to_string();
    let error = match failure.code {
        Code::UnsupportedDtype | Code::InvalidArgs | Code::ArgumentCount | Code::NullPointer => PyTypeError::new_err(text),
        Code::NoEntry
        | Code::WrongRank
        | Code::SizeOutOfRange
        | Code::BadGrid
        | Code::Overlap
        | Code::UnknownName
        | Code::BadPrebuilt => PyValueError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    };
    Python::attach(|py| {
        // An exception without the attribute is still the right one.
        let _ = error.value(py).setattr("code", failure.code as i32);
    });
    error
}
