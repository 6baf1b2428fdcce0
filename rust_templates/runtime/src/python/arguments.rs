//! A launch's arguments, read from Python.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::argument::{Argument, Arguments};
use crate::desc::LaunchOptions;

use super::tensors::{self, Kind};

/// Reads a tuple of arguments; the device is that of the tensors, None without any that says it.
pub fn read(tuple: &Bound<'_, PyTuple>, into: &mut Arguments) -> PyResult<Option<i32>> {
    into.clear();
    let mut device = None;
    for (position, value) in tuple.iter_borrowed().enumerate() {
        let argument = match tensors::kind(&value) {
            Kind::Bool => Argument::Bool(value.is_truthy()?),
            Kind::Int => Argument::Int(value.extract()?),
            Kind::Float => Argument::Float(value.extract()?),
            Kind::List => {
                let (first, list) = (into.arrays.len(), value.downcast::<PyList>()?);
                for item in list.iter() {
                    read_array(&item, position, into, &mut device)?;
                }
                if list.is_empty() {
                    return Err(PyTypeError::new_err("Empty lists are not supported as kernel arguments"));
                }
                Argument::List { first, count: list.len() }
            }
            _ => {
                let index = into.arrays.len();
                read_array(&value, position, into, &mut device)?;
                Argument::Array(index)
            }
        };
        into.list.push(argument);
    }
    Ok(device)
}

fn read_array(value: &Bound<'_, PyAny>, position: usize, into: &mut Arguments, device: &mut Option<i32>) -> PyResult<()> {
    let array = match tensors::kind(value) {
        Kind::Tensor(reader) => {
            let (array, own) = tensors::tensor(value, reader)?;
            if own < 0 {
                return Err(PyTypeError::new_err(format!(
                    "Invalid kernel argument #{position}: Input array is not on a CUDA device"
                )));
            }
            match *device {
                Some(other) if other != own => {
                    let text = format!("Invalid kernel argument #{position}: it is on device {own}, others on {other}");
                    return Err(PyTypeError::new_err(text));
                }
                _ => *device = Some(own),
            }
            array
        }
        Kind::Interface => tensors::interface(value)?,
        _ => {
            let name = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "Invalid kernel argument #{position}: Objects of type '{name}' are not supported."
            )));
        }
    };
    into.arrays.push(array);
    Ok(())
}

/// A grid of one to three numbers.
pub fn grid(tuple: &Bound<'_, PyTuple>) -> PyResult<[i64; 3]> {
    let mut found = [1; 3];
    if tuple.len() > 3 {
        let text = format!("Grid dimensions must be at most 3, got length {}", tuple.len());
        return Err(pyo3::exceptions::PyValueError::new_err(text));
    }
    for (blocks, value) in found.iter_mut().zip(tuple.iter_borrowed()) {
        *blocks = value.extract()?;
    }
    Ok(found)
}

/// Options out of a dictionary: what is not in it is left to the compiler. None leaves the kernel's own.
pub fn options(hints: Option<&Bound<'_, PyDict>>) -> PyResult<LaunchOptions> {
    let Some(hints) = hints else { return Ok(LaunchOptions::default()) };
    let mut found = LaunchOptions { occupancy: 0, num_ctas: 0, num_worker_warps: 0, opt_level: 3 };
    for (name, value) in hints {
        let name: String = name.extract()?;
        let value: Option<i32> = value.extract()?;
        if value.is_some_and(|value| value < 0) {
            return Err(PyOverflowError::new_err(format!("the option {name} is negative")));
        }
        match name.as_str() {
            "occupancy" => found.occupancy = value.unwrap_or(0),
            "num_ctas" => found.num_ctas = value.unwrap_or(0),
            "num_worker_warps" => found.num_worker_warps = value.unwrap_or(0),
            "opt_level" => found.opt_level = value.unwrap_or(3),
            _ => return Err(PyTypeError::new_err(format!("there is no option {name:?}"))),
        }
    }
    Ok(found)
}
