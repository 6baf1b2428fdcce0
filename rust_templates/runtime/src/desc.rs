//! What crosses the C ABI. `include/cutile2rs.h` of an output says the same in C.

use std::ffi::{c_char, c_void};

/// The most dimensions that a [`TensorDesc`] holds.
pub const MAX_DIMS: usize = 5;

/// The most dimensions that an array of a launch may have; a C caller's [`TensorDesc`] holds fewer.
pub const MAX_RANK: usize = 8;

/// A borrowed array on a device, as it crosses the C ABI; laid out as TileGym's.
pub type TensorDesc = Desc<MAX_DIMS>;

/// A borrowed array on a device, as launches are made of it.
pub type Layout = Desc<MAX_RANK>;

/// A borrowed array with room for `N` dimensions.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Desc<const N: usize> {
    /// Address of the first element.
    pub ptr: u64,
    /// Number of dimensions, 0 to `N`.
    pub ndim: i32,
    /// Elements along each dimension; those from `ndim` on are not read.
    pub shape: [i64; N],
    /// Elements between neighbours along each dimension.
    pub strides: [i64; N],
    /// The code of a [`crate::DType`].
    pub dtype: i32,
}

impl From<&TensorDesc> for Layout {
    /// The same array with room for more dimensions. Its rank is taken as it is.
    fn from(array: &TensorDesc) -> Self {
        let mut made =
            Self { ptr: array.ptr, ndim: array.ndim, shape: [0; MAX_RANK], strides: [0; MAX_RANK], dtype: array.dtype };
        made.shape[..MAX_DIMS].copy_from_slice(&array.shape);
        made.strides[..MAX_DIMS].copy_from_slice(&array.strides);
        made
    }
}

/// What an [`Arg`] holds: the number in its `kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum ArgKind {
    /// Nothing: Python's None.
    None = 0,
    /// `value.pointer` points to one [`TensorDesc`].
    Tensor = 1,
    /// `value.pointer` points to `count` [`TensorDesc`]s, of one rank and dtype.
    TensorList = 2,
    /// `value.int`.
    Int = 3,
    /// `value.float`.
    Float = 4,
    /// `value.int`, 0 or 1.
    Bool = 5,
    /// `value.pointer` points to `count` bytes of UTF-8.
    Str = 6,
    /// `value.int` is the code of a [`crate::DType`].
    DType = 7,
}

impl ArgKind {
    const ALL: [Self; 8] =
        [Self::None, Self::Tensor, Self::TensorList, Self::Int, Self::Float, Self::Bool, Self::Str, Self::DType];

    /// The kind of a number.
    pub fn from_number(number: i32) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index).copied())
    }
}

/// The value of an [`Arg`]; its kind says which field.
#[derive(Clone, Copy)]
#[repr(C)]
pub union ArgValue {
    pub int: i64,
    pub float: f64,
    pub pointer: *const c_void,
}

/// One argument, in the order of the Python kernel's parameters, constants included.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Arg {
    /// The number of an [`ArgKind`].
    pub kind: i32,
    /// Items of a list, or bytes of a text.
    pub count: i32,
    pub value: ArgValue,
}

/// The compile options of one launch; -1 leaves the kernel's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LaunchOptions {
    /// Expected blocks per multiprocessor, 1 to 32.
    pub occupancy: i32,
    /// Blocks of a cluster, a power of two up to 16.
    pub num_ctas: i32,
    /// Warps of a warp-specialized kernel, a power of two up to 32.
    pub num_worker_warps: i32,
    /// The assembler's level, 0 to 3.
    pub opt_level: i32,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self { occupancy: -1, num_ctas: -1, num_worker_warps: -1, opt_level: -1 }
    }
}

/// The type of a kernel's C symbol.
pub type Symbol = unsafe extern "C" fn(*const Arg, i32, *const i32, *const LaunchOptions, i32, u64) -> i32;

/// A text that C gives as pointer and length.
///
/// # Safety
/// Where not null, `text` must be NUL-terminated and stay so.
pub unsafe fn c_text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, and NUL-terminated as promised.
    unsafe { std::ffi::CStr::from_ptr(text) }.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn layouts_are_those_of_the_header() {
        assert_eq!(size_of::<TensorDesc>(), 104);
        assert_eq!((offset_of!(TensorDesc, shape), offset_of!(TensorDesc, strides)), (16, 56));
        assert_eq!(offset_of!(TensorDesc, dtype), 96);
        assert_eq!((size_of::<Arg>(), offset_of!(Arg, value)), (16, 8));
        assert_eq!(size_of::<LaunchOptions>(), 16);
    }

    #[test]
    fn kinds_are_indices() {
        for (index, kind) in ArgKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
        assert_eq!((ArgKind::from_number(8), ArgKind::from_number(-1)), (None, None));
    }
}
