//! What a compiled kernel may assume of an array: exactly what cuTile Python 1.7 would assume for the same arguments.
//!
//! Its rule (`cuda.tile.compilation.KernelSignature.from_kernel_args`, measured on varied arrays; a test repeats that):
//! - the address is divisible by 16 bytes, or nothing is known;
//! - an extent of 1 is a constant; any other is divisible by 16, or nothing is known; 0 is;
//! - a stride of 1 is a constant; any other is divisible by 16 bytes' worth of elements, or nothing is known; 0 is;
//! - elements may overlap unless, with dimensions in order of stride and then of extent, each stride is at least 1 and at
//!   least the stride times the extent before it. Extents of 1 are not left out.

use crate::desc::{Layout, MAX_RANK};
use crate::dtype::DType;

/// Bytes that addresses, and elements that extents, are or are not divisible by.
pub const DIVISOR: i64 = 16;

/// The most dimensions of an array whose sizes cuTile Python looks at.
const MOST_LOOKED_AT: usize = 5;

const ADDRESS: u32 = 1;
const DISJOINT: u32 = 1 << 31;

/// Bits of one dimension.
fn dimension(k: usize, what: u32) -> u32 {
    what << (1 + 3 * k)
}

const EXTENT: u32 = 1;
const STRIDE: u32 = 2;
const STRIDE_ONE: u32 = 4;

/// The bit of a dimension of one element.
fn single(k: usize) -> u32 {
    1 << (1 + 3 * MOST_LOOKED_AT + k)
}

/// The assumptions, packed: bit 0 the address, then three bits a dimension, one bit a dimension for those of one element, and
/// at the top that no two elements share memory. Sizes must
/// have been checked. Of a list's rows the bits are assumed that all have.
pub fn bits(array: &Layout, rank: usize, dtype: DType) -> u32 {
    let mut found = if array.ptr.is_multiple_of(DIVISOR as u64) { ADDRESS } else { 0 };
    if !overlaps(array, rank) {
        found |= DISJOINT;
    }
    if rank > MOST_LOOKED_AT {
        return found;
    }
    for k in 0..rank {
        if array.shape[k] % DIVISOR == 0 {
            found |= dimension(k, EXTENT);
        }
        if array.shape[k] == 1 {
            found |= single(k);
        }
        if array.strides[k] == 1 {
            found |= dimension(k, STRIDE_ONE);
        } else if stride_divisor(dtype) > 1 && array.strides[k] % stride_divisor(dtype) == 0 {
            found |= dimension(k, STRIDE);
        }
    }
    found
}

/// Elements in 16 bytes.
pub fn stride_divisor(dtype: DType) -> i64 {
    DIVISOR / dtype.bytes()
}

/// Whether two elements may share memory.
pub fn overlaps(array: &Layout, rank: usize) -> bool {
    let mut order = [(0i64, 0i64); MAX_RANK];
    for (slot, pair) in order.iter_mut().zip(array.strides.into_iter().zip(array.shape)) {
        *slot = pair;
    }
    let order = &mut order[..rank];
    order.sort_unstable();
    let mut least = 1;
    for (stride, extent) in order {
        if *stride < least {
            return true;
        }
        least = *stride * *extent;
    }
    false
}

/// The assumptions, spelled out; divisors as powers of two, 1 says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    pub address: i32,
    pub extents: Vec<i32>,
    /// Extents that are constants, -1 for the others.
    pub constant_extents: Vec<i32>,
    /// In elements.
    pub strides: Vec<i32>,
    pub stride_one: Vec<bool>,
    /// Whether no two elements share memory.
    pub disjoint: bool,
}

impl Assumed {
    /// From packed bits.
    pub fn new(bits: u32, rank: usize, dtype: DType) -> Self {
        let has = |k: usize, what: u32| bits & dimension(k, what) != 0;
        let divisor = |known: bool, divisor: i64| if known { divisor as i32 } else { 1 };
        Self {
            address: divisor(bits & ADDRESS != 0, DIVISOR),
            extents: (0..rank).map(|k| divisor(has(k, EXTENT), DIVISOR)).collect(),
            constant_extents: (0..rank).map(|k| if k < MOST_LOOKED_AT && bits & single(k) != 0 { 1 } else { -1 }).collect(),
            strides: (0..rank).map(|k| divisor(has(k, STRIDE), stride_divisor(dtype))).collect(),
            stride_one: (0..rank).map(|k| has(k, STRIDE_ONE)).collect(),
            disjoint: bits & DISJOINT != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(ptr: u64, shape: &[i64], strides: &[i64]) -> Layout {
        let mut made = Layout { ptr, ndim: shape.len() as i32, shape: [0; MAX_RANK], strides: [0; MAX_RANK], dtype: 0 };
        made.shape[..shape.len()].copy_from_slice(shape);
        made.strides[..strides.len()].copy_from_slice(strides);
        made
    }

    #[test]
    fn a_row_major_array() {
        let found = bits(&array(4096, &[3, 32], &[32, 1]), 2, DType::F32);
        let assumed = Assumed::new(found, 2, DType::F32);
        assert_eq!((assumed.address, assumed.extents), (16, vec![1, 16]));
        assert_eq!((assumed.strides, assumed.stride_one), (vec![4, 1], vec![false, true]));
    }

    #[test]
    fn bytes_decide_about_strides() {
        for (dtype, stride, divisor) in [(DType::F16, 8, 8), (DType::F16, 4, 1), (DType::F64, 2, 2), (DType::Bool, 16, 16)] {
            let found = bits(&array(8, &[2, 2], &[stride, 1]), 2, dtype);
            assert_eq!(Assumed::new(found, 2, dtype).strides[0], divisor, "{dtype:?} {stride}");
            assert_eq!(Assumed::new(found, 2, dtype).address, 1);
        }
    }

    #[test]
    fn sizes_of_six_dimensions_are_not_looked_at() {
        let found = bits(&array(4096, &[16; 6], &[1 << 20, 1 << 16, 4096, 256, 16, 1]), 6, DType::F32);
        let assumed = Assumed::new(found, 6, DType::F32);
        assert_eq!((assumed.address, assumed.extents, assumed.strides), (16, vec![1; 6], vec![1; 6]));
        assert_eq!(assumed.stride_one, [false; 6]);
    }

    #[test]
    fn overlap_is_what_cutile_calls_so() {
        assert!(!overlaps(&array(0, &[16, 32], &[32, 1]), 2));
        assert!(!overlaps(&array(0, &[16, 1], &[1, 1]), 2));
        assert!(overlaps(&array(0, &[1, 32], &[16, 1]), 2));
        assert!(overlaps(&array(0, &[16, 1], &[1, 0]), 2));
        assert!(overlaps(&array(0, &[2], &[0]), 1));
        assert!(!overlaps(&array(0, &[], &[]), 0));
    }
}
