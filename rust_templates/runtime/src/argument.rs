//! The arguments of one launch, checked one by one, whoever made them: C, Rust or Python.

use std::ffi::c_void;
use std::slice;

use crate::codes::{Code, Failure, Result, fail};
use crate::desc::{Arg, ArgKind, Layout, MAX_DIMS, MAX_RANK, TensorDesc};
use crate::dtype::DType;

/// One argument. Arrays stand in [`Arguments::arrays`], a list's one after another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    Array(usize),
    List { first: usize, count: usize },
    Int(i64),
    Float(f64),
    Bool(bool),
}

/// All arguments, in the order of the Python kernel's parameters. Kept between launches, so that none allocates.
#[derive(Default)]
pub struct Arguments {
    pub list: Vec<Argument>,
    pub arrays: Vec<Layout>,
}

impl Arguments {
    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.arrays.clear();
    }

    /// Adds an array.
    pub fn push_array(&mut self, array: Layout) {
        self.list.push(Argument::Array(self.arrays.len()));
        self.arrays.push(array);
    }

    /// Adds what C gives.
    ///
    /// # Safety
    /// What `arg` points to must be there, as its kind and count say.
    pub unsafe fn push_c(&mut self, position: usize, arg: &Arg) -> Result<()> {
        let Some(kind) = ArgKind::from_number(arg.kind) else {
            return fail(Code::InvalidArgs, format!("argument {position}: {} is no kind of argument", arg.kind));
        };
        // SAFETY: each field of the union is plain bits, all of them initialised by any field of 8 bytes.
        let (int, float, pointer) = unsafe { (arg.value.int, arg.value.float, arg.value.pointer) };
        match kind {
            ArgKind::Int => self.list.push(Argument::Int(int)),
            ArgKind::Float => self.list.push(Argument::Float(float)),
            ArgKind::Bool => self.list.push(Argument::Bool(int != 0)),
            // SAFETY: as promised by the caller.
            ArgKind::Tensor => self.push_array(layout(position, &unsafe { descriptors(position, pointer, 1) }?[0])?),
            ArgKind::TensorList => {
                let count = usize::try_from(arg.count).ok().filter(|count| *count > 0).ok_or_else(|| {
                    Failure::new(Code::InvalidArgs, format!("argument {position}: a list of {} arrays", arg.count))
                })?;
                let first = self.arrays.len();
                // SAFETY: as promised by the caller.
                for array in unsafe { descriptors(position, pointer, count) }? {
                    self.arrays.push(layout(position, array)?);
                }
                self.list.push(Argument::List { first, count });
            }
            ArgKind::None | ArgKind::Str | ArgKind::DType => {
                let text = format!("argument {position}: cuTile takes no {kind:?} as a kernel argument");
                return fail(Code::InvalidArgs, text);
            }
        }
        Ok(())
    }
}

/// What C gives, with its rank checked: beyond it a descriptor has no room.
fn layout(position: usize, array: &TensorDesc) -> Result<Layout> {
    if usize::try_from(array.ndim).is_ok_and(|rank| rank <= MAX_DIMS) {
        return Ok(Layout::from(array));
    }
    let text = format!("argument {position}: {} dimensions; 0 to {MAX_DIMS} can be passed", array.ndim);
    fail(Code::WrongRank, text)
}

/// # Safety
/// Where not null, `pointer` must point to `count` descriptors.
unsafe fn descriptors<'a>(position: usize, pointer: *const c_void, count: usize) -> Result<&'a [TensorDesc]> {
    let pointer = pointer.cast::<TensorDesc>();
    if pointer.is_null() {
        return fail(Code::NullPointer, format!("argument {position}: the array's descriptor is null"));
    }
    if !pointer.is_aligned() {
        return fail(Code::InvalidArgs, format!("argument {position}: the array's descriptor is not aligned"));
    }
    // SAFETY: not null, aligned, and as many as promised.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// A descriptor's facts, once they are known to be sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub dtype: DType,
    pub rank: usize,
    /// Which divisibilities and constants may be assumed: see [`crate::special`].
    pub bits: u32,
}

/// Checks dtype code, rank and sizes, and finds what a launch with this array may assume.
pub fn facts(position: usize, array: &Layout) -> Result<Facts> {
    let Some(dtype) = DType::from_code(array.dtype) else {
        return fail(Code::UnsupportedDtype, format!("argument {position}: {} is no dtype code", array.dtype));
    };
    let Some(rank) = usize::try_from(array.ndim).ok().filter(|rank| *rank <= MAX_RANK) else {
        let text = format!("argument {position}: {} dimensions; 0 to {MAX_RANK} can be passed", array.ndim);
        return fail(Code::WrongRank, text);
    };
    for k in 0..rank {
        for (what, size) in [("extent", array.shape[k]), ("stride", array.strides[k])] {
            if !(0..=i64::from(i32::MAX)).contains(&size) {
                let text = format!("argument {position}: {what} {size} of dimension {k} is outside 0 to 2147483647");
                return fail(Code::SizeOutOfRange, text);
            }
        }
    }
    Ok(Facts { dtype, rank, bits: crate::special::bits(array, rank, dtype) })
}
