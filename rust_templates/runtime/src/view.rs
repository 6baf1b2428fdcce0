//! Device memory that somebody else owns, as arrays of a launch.

use crate::codes::{Code, Result, fail};
use crate::desc::{Layout, MAX_RANK};
use crate::dtype::DType;

/// A borrowed array: an address with shape, strides and element type. It keeps nothing alive; whoever launches with it
/// promises that the memory is there until the launch has run.
#[derive(Debug, Clone, Copy)]
pub struct Array(Layout);

impl Array {
    /// An array of at most eight dimensions; strides are in elements.
    pub fn new(address: u64, shape: &[i64], strides: &[i64], dtype: DType) -> Result<Self> {
        if shape.len() > MAX_RANK || strides.len() != shape.len() {
            let text = format!("{} extents and {} strides; at most {MAX_RANK} of each", shape.len(), strides.len());
            return fail(Code::WrongRank, text);
        }
        let mut made = Layout {
            ptr: address,
            ndim: shape.len() as i32,
            shape: [0; MAX_RANK],
            strides: [0; MAX_RANK],
            dtype: dtype as i32,
        };
        made.shape[..shape.len()].copy_from_slice(shape);
        made.strides[..shape.len()].copy_from_slice(strides);
        Ok(Self(made))
    }

    /// An array whose last dimension lies next to each other, without gaps.
    pub fn row_major(address: u64, shape: &[i64], dtype: DType) -> Result<Self> {
        let mut strides = vec![1i64; shape.len()];
        for k in (1..shape.len()).rev() {
            strides[k - 1] = strides[k].saturating_mul(shape[k].max(1));
        }
        Self::new(address, shape, &strides, dtype)
    }

    /// The layout as launches take it.
    pub fn descriptor(&self) -> Layout {
        self.0
    }
}

/// What can be passed as an array: implement it for whatever holds device memory.
pub trait DeviceArray {
    /// The memory, with its layout.
    fn array(&self) -> Result<Array>;
}

impl DeviceArray for Array {
    fn array(&self) -> Result<Array> {
        Ok(*self)
    }
}

impl<T: cutile::DType> DeviceArray for cutile::tensor::Tensor<T> {
    fn array(&self) -> Result<Array> {
        let name = T::DTYPE.as_str();
        let Some(dtype) = DType::ALL.into_iter().find(|d| d.rust() == name) else {
            return fail(Code::UnsupportedDtype, format!("{name} is no element type of kernels"));
        };
        let wide = |sizes: &[i32]| sizes.iter().map(|size| i64::from(*size)).collect::<Vec<_>>();
        Array::new(self.device_pointer().cu_deviceptr(), &wide(self.shape()), &wide(self.strides()), dtype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_major_strides() {
        let made = Array::row_major(64, &[2, 3, 4], DType::F16).unwrap().descriptor();
        assert_eq!((made.ndim, &made.strides[..3], made.dtype), (3, [12, 4, 1].as_slice(), 1));
        assert_eq!(Array::row_major(64, &[1; 9], DType::F16).unwrap_err().code, Code::WrongRank);
    }
}
