//! Reading an array by one C call: DLPack's exchange API, which a type offers as `__dlpack_c_exchange_api__` (PyTorch does).
//!
//! What is read here is what the attributes say; where this says nothing, they are asked.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::slice;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;

use crate::desc::{Layout, MAX_RANK};
use crate::dtype::DType;

/// The version of DLPack whose layouts these are; a later minor version only adds to them.
const MAJOR: u32 = 1;
const CUDA: [i32; 2] = [2, 13];

/// `DLTensor`.
#[repr(C)]
pub struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLPackDLTensorFromPyObjectNoSync`: 0, or -1 with a Python error set.
pub type Reader = unsafe extern "C" fn(*mut c_void, *mut Tensor) -> c_int;

/// `DLPackExchangeAPI`.
#[repr(C)]
struct Api {
    major: u32,
    minor: u32,
    previous: *const c_void,
    allocate: *const c_void,
    managed_from_object: *const c_void,
    managed_to_object: *const c_void,
    tensor_from_object: Option<Reader>,
    current_stream: *const c_void,
}

/// What reads objects of this one's type, if anything does.
pub fn reader(value: &Bound<'_, PyAny>) -> Option<Reader> {
    let capsule = value.get_type().getattr(intern!(value.py(), "__dlpack_c_exchange_api__")).ok()?;
    // SAFETY: the name is checked before the pointer is given; the table lives as long as the type, which is kept alive.
    let api = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"dlpack_exchange_api".as_ptr()) }.cast::<Api>();
    // SAFETY: as above; null where it is another capsule, or none.
    let Some(api) = (unsafe { api.as_ref() }) else {
        drop(PyErr::take(value.py()));
        return None;
    };
    (api.major == MAJOR).then_some(api.tensor_from_object).flatten()
}

/// An array with the device it is on, -1 for one that is not CUDA's. None where the type does not say it in this way.
pub fn read(reader: Reader, value: &Bound<'_, PyAny>) -> Option<(Layout, i32)> {
    let mut found = Tensor {
        data: null_mut(),
        device_type: 0,
        device: 0,
        ndim: 0,
        code: 0,
        bits: 0,
        lanes: 0,
        shape: null_mut(),
        strides: null_mut(),
        byte_offset: 0,
    };
    // SAFETY: the reader is that of the object's type, and fills the tensor or returns an error.
    if unsafe { reader(value.as_ptr().cast(), &mut found) } != 0 {
        drop(PyErr::take(value.py()));
        return None;
    }
    let rank = usize::try_from(found.ndim).ok().filter(|rank| *rank <= MAX_RANK)?;
    let mut made = Layout {
        ptr: found.data as u64 + found.byte_offset,
        ndim: found.ndim,
        shape: [0; MAX_RANK],
        strides: [0; MAX_RANK],
        dtype: dtype(&found)? as i32,
    };
    if rank > 0 {
        if found.shape.is_null() || found.strides.is_null() {
            return None;
        }
        // SAFETY: not null, and of `ndim` numbers, which belong to the object.
        let (shape, strides) =
            unsafe { (slice::from_raw_parts(found.shape, rank), slice::from_raw_parts(found.strides, rank)) };
        made.shape[..rank].copy_from_slice(shape);
        made.strides[..rank].copy_from_slice(strides);
    }
    Some((made, if CUDA.contains(&found.device_type) { found.device } else { -1 }))
}

/// `DLDataTypeCode` and width. Two 4-bit floats in a byte have two lanes.
fn dtype(tensor: &Tensor) -> Option<DType> {
    if tensor.lanes != 1 {
        return None;
    }
    Some(match (tensor.code, tensor.bits) {
        (0, 8) => DType::I8,
        (0, 16) => DType::I16,
        (0, 32) => DType::I32,
        (0, 64) => DType::I64,
        (1, 8) => DType::U8,
        (1, 16) => DType::U16,
        (1, 32) => DType::U32,
        (1, 64) => DType::U64,
        (2, 16) => DType::F16,
        (2, 32) => DType::F32,
        (2, 64) => DType::F64,
        (4, 16) => DType::BF16,
        (6, 8) => DType::Bool,
        (10, 8) => DType::F8E4M3FN,
        (12, 8) => DType::F8E5M2,
        (14, 8) => DType::F8E8M0FNU,
        _ => return None,
    })
}
