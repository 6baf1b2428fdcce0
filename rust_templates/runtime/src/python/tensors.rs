//! Arrays as Python has them: PyTorch's tensors, and whatever has `__cuda_array_interface__`.
//!
//! Reading a tensor is most of what a launch from Python costs, so what kind of object a type makes is found out once a type,
//! and a dtype's code once a dtype.

use std::cell::RefCell;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyTuple};

use crate::desc::{Layout, MAX_RANK};
use crate::dtype::DType;

use super::exchange::{self, Reader};

/// What objects of a type are, as kernel arguments.
#[derive(Clone, Copy)]
pub enum Kind {
    Bool,
    Int,
    Float,
    List,
    /// Has `data_ptr()`, `shape`, `stride()`, `dtype`, `get_device()`, and perhaps a faster way to all of them.
    Tensor(Option<Reader>),
    /// Has `__cuda_array_interface__`.
    Interface,
    Other,
}

thread_local! {
    /// Types and dtypes seen, by address. They are kept alive, so that an address stays theirs.
    static TYPES: RefCell<Vec<(usize, Kind)>> = const { RefCell::new(Vec::new()) };
    static DTYPES: RefCell<Vec<(usize, i32)>> = const { RefCell::new(Vec::new()) };
}

fn remembered<T: Copy>(table: &RefCell<Vec<(usize, T)>>, address: usize) -> Option<T> {
    table.borrow().iter().find(|(known, _)| *known == address).map(|(_, found)| *found)
}

/// What an object is.
pub fn kind(value: &Bound<'_, PyAny>) -> Kind {
    let address = value.get_type_ptr() as usize;
    if let Some(known) = TYPES.with(|types| remembered(types, address)) {
        return known;
    }
    let found = kind_of(value);
    std::mem::forget(value.get_type().unbind());
    TYPES.with(|types| types.borrow_mut().push((address, found)));
    found
}

fn kind_of(value: &Bound<'_, PyAny>) -> Kind {
    let has = |name: &str| value.hasattr(name).unwrap_or(false);
    if value.is_instance_of::<PyBool>() {
        Kind::Bool
    } else if value.is_instance_of::<PyInt>() {
        Kind::Int
    } else if value.is_instance_of::<PyFloat>() {
        Kind::Float
    } else if value.is_instance_of::<PyList>() {
        Kind::List
    } else if ["data_ptr", "shape", "stride", "dtype", "get_device"].into_iter().all(has) {
        Kind::Tensor(exchange::reader(value))
    } else if has("__cuda_array_interface__") {
        Kind::Interface
    } else {
        Kind::Other
    }
}

/// A tensor with the device it is on; a negative device is none that CUDA knows.
pub fn tensor(value: &Bound<'_, PyAny>, reader: Option<Reader>) -> PyResult<(Layout, i32)> {
    if let Some(found) = reader.and_then(|reader| exchange::read(reader, value)) {
        return Ok(found);
    }
    let py = value.py();
    let shape = value.getattr(intern!(py, "shape"))?;
    let strides = value.call_method0(intern!(py, "stride"))?;
    let ndim = shape.downcast::<PyTuple>()?.len();
    let made = Layout {
        ptr: value.call_method0(intern!(py, "data_ptr"))?.extract()?,
        ndim: ndim as i32,
        shape: sizes(&shape, ndim)?,
        strides: sizes(&strides, ndim)?,
        dtype: dtype_code(&value.getattr(intern!(py, "dtype"))?)?,
    };
    Ok((made, value.call_method0(intern!(py, "get_device"))?.extract()?))
}

/// The numbers of a tuple; beyond what a descriptor holds they are left out, and the rank is refused later.
fn sizes(tuple: &Bound<'_, PyAny>, ndim: usize) -> PyResult<[i64; MAX_RANK]> {
    let tuple = tuple.downcast::<PyTuple>()?;
    if tuple.len() != ndim {
        return Err(PyTypeError::new_err("shape and stride differ in length"));
    }
    let mut found = [0; MAX_RANK];
    for (k, size) in found.iter_mut().take(ndim).enumerate() {
        *size = tuple.get_borrowed_item(k)?.extract()?;
    }
    Ok(found)
}

/// The code of PyTorch's dtype; -1 for one that is no cuTile type.
fn dtype_code(dtype: &Bound<'_, PyAny>) -> PyResult<i32> {
    let address = dtype.as_ptr() as usize;
    if let Some(known) = DTYPES.with(|dtypes| remembered(dtypes, address)) {
        return Ok(known);
    }
    let text = dtype.str()?.to_string();
    let name = text.rsplit('.').next().unwrap_or(&text);
    let name = if name == "bool" { "bool_" } else { name };
    let found = DType::ALL.into_iter().find(|d| d.name() == name).map_or(-1, |d| d as i32);
    std::mem::forget(dtype.clone().unbind());
    DTYPES.with(|dtypes| dtypes.borrow_mut().push((address, found)));
    Ok(found)
}

/// An array of the CUDA array interface, version 2 or 3. It does not say which device it is on.
pub fn interface(value: &Bound<'_, PyAny>) -> PyResult<Layout> {
    let wrong = |what: &str| PyTypeError::new_err(format!("__cuda_array_interface__: {what}"));
    let table = value.getattr("__cuda_array_interface__")?;
    let table = table.downcast::<PyDict>().map_err(|_| wrong("not a dictionary"))?;
    let get = |key: &str| table.get_item(key)?.ok_or_else(|| wrong(&format!("'{key}' is missing")));
    let typestr: String = get("typestr")?.extract()?;
    let dtype = typestr_dtype(&typestr);
    let shape: Vec<i64> = get("shape")?.extract()?;
    let strides: Option<Vec<i64>> = match table.get_item("strides")? {
        Some(found) => found.extract()?,
        None => None,
    };
    let (ptr, _): (u64, bool) = get("data")?.extract()?;
    let bytes = dtype.map_or(1, DType::bytes);
    let strides = match strides {
        Some(strides) if strides.len() != shape.len() => return Err(wrong("shape and strides differ in length")),
        Some(strides) if strides.iter().any(|stride| stride % bytes != 0) => {
            return Err(wrong("a stride is no multiple of the element's size"));
        }
        Some(strides) => strides.iter().map(|stride| stride / bytes).collect(),
        None => row_major(&shape),
    };
    let mut made = Layout {
        ptr,
        ndim: shape.len() as i32,
        shape: [0; MAX_RANK],
        strides: [0; MAX_RANK],
        dtype: dtype.map_or(-1, |d| d as i32),
    };
    for k in 0..shape.len().min(MAX_RANK) {
        (made.shape[k], made.strides[k]) = (shape[k], strides[k]);
    }
    Ok(made)
}

fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = strides[k].saturating_mul(shape[k].max(1));
    }
    strides
}

fn typestr_dtype(typestr: &str) -> Option<DType> {
    Some(match typestr.trim_start_matches(['<', '|', '=']) {
        "f2" => DType::F16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        "i1" => DType::I8,
        "i2" => DType::I16,
        "i4" => DType::I32,
        "i8" => DType::I64,
        "u1" => DType::U8,
        "u2" => DType::U16,
        "u4" => DType::U32,
        "u8" => DType::U64,
        "b1" => DType::Bool,
        _ => return None,
    })
}
