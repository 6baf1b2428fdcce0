//! What can go wrong, as the numbers that cross the C ABI.
//!
//! 0 to -6 are those of TileGym's own table (`-1` is used by nobody, so that a stray -1 shows); the rest are ours. A number
//! never changes its meaning.

use std::fmt;

/// Why a launch was not made. `Ok` is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Code {
    /// The launch was submitted.
    Ok = 0,
    /// A dtype code that is none, or an element type that the kernel cannot take.
    UnsupportedDtype = -2,
    /// The driver refused the launch, or loading the machine code.
    LaunchFailed = -3,
    /// The driver is there, but could not be initialised, or has no context for the device.
    DeviceInitFailed = -4,
    /// A required pointer is null.
    NullPointer = -5,
    /// An argument is of another kind than the kernel's parameter, or outside its range.
    InvalidArgs = -6,
    /// No entry was made for this combination of dtypes, layouts and constants.
    NoEntry = -7,
    /// An array's number of dimensions is not one that can be passed.
    WrongRank = -8,
    /// An extent or stride is negative, or does not fit 32 bits.
    SizeOutOfRange = -9,
    /// A grid dimension is below 1 or above the driver's limit.
    BadGrid = -10,
    /// There is no CUDA driver.
    NoDriver = -11,
    /// There is no device of that number.
    NoDevice = -12,
    /// The Tile IR assembler `tileiras` was not found.
    TileirasMissing = -13,
    /// `tileiras` is too old for the Tile IR that kernels need.
    TileirasTooOld = -14,
    /// The assembler or driver does not know this GPU.
    UnsupportedGpu = -15,
    /// cuTile Rust refused the kernel's text.
    CompileFailed = -16,
    /// `tileiras` refused the Tile IR.
    AssembleFailed = -17,
    /// A mistake in this library; the text says where.
    Panic = -18,
    /// An array may overlap with itself, which no entry for the other arguments assumes.
    Overlap = -19,
    /// Too few or too many arguments.
    ArgumentCount = -20,
    /// A kernel, symbol or option of that name does not exist.
    UnknownName = -21,
    /// A prebuilt file is missing or damaged.
    BadPrebuilt = -22,
}

impl Code {
    /// Every code, in the order of its number.
    pub const ALL: [Self; 22] = [
        Self::Ok,
        Self::UnsupportedDtype,
        Self::LaunchFailed,
        Self::DeviceInitFailed,
        Self::NullPointer,
        Self::InvalidArgs,
        Self::NoEntry,
        Self::WrongRank,
        Self::SizeOutOfRange,
        Self::BadGrid,
        Self::NoDriver,
        Self::NoDevice,
        Self::TileirasMissing,
        Self::TileirasTooOld,
        Self::UnsupportedGpu,
        Self::CompileFailed,
        Self::AssembleFailed,
        Self::Panic,
        Self::Overlap,
        Self::ArgumentCount,
        Self::UnknownName,
        Self::BadPrebuilt,
    ];

    /// The code of a number, if it is one.
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|code| *code as i32 == number)
    }

    /// The name, with a final NUL for C.
    pub fn c_name(self) -> &'static str {
        match self {
            Self::Ok => "ok\0",
            Self::UnsupportedDtype => "unsupported dtype\0",
            Self::LaunchFailed => "launch failed\0",
            Self::DeviceInitFailed => "device init failed\0",
            Self::NullPointer => "null pointer\0",
            Self::InvalidArgs => "invalid arguments\0",
            Self::NoEntry => "no entry\0",
            Self::WrongRank => "wrong rank\0",
            Self::SizeOutOfRange => "size out of range\0",
            Self::BadGrid => "bad grid\0",
            Self::NoDriver => "no driver\0",
            Self::NoDevice => "no device\0",
            Self::TileirasMissing => "tileiras missing\0",
            Self::TileirasTooOld => "tileiras too old\0",
            Self::UnsupportedGpu => "unsupported gpu\0",
            Self::CompileFailed => "compile failed\0",
            Self::AssembleFailed => "assemble failed\0",
            Self::Panic => "panic\0",
            Self::Overlap => "overlapping array\0",
            Self::ArgumentCount => "wrong argument count\0",
            Self::UnknownName => "unknown name\0",
            Self::BadPrebuilt => "bad prebuilt\0",
        }
    }

    /// The name: a few words.
    pub fn name(self) -> &'static str {
        self.c_name().trim_end_matches('\0')
    }
}

/// A code with what there is to say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The number that crosses the C ABI.
    pub code: Code,
    /// One or a few plain sentences.
    pub text: String,
}

/// What everything here answers with.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure of a code.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// `Err` of a code and a text.
pub fn fail<T>(code: Code, text: impl Into<String>) -> Result<T> {
    Err(Failure::new(code, text))
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code.name(), self.text)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_tilegyms_where_it_has_them() {
        let theirs = [(0, "ok"), (-2, "unsupported dtype"), (-3, "launch failed"), (-4, "device init failed")];
        for (number, name) in theirs {
            assert_eq!(Code::from_number(number).map(Code::name), Some(name));
        }
        assert_eq!(Code::NullPointer as i32, -5);
        assert_eq!(Code::InvalidArgs as i32, -6);
        assert_eq!(Code::from_number(-1), None);
    }

    #[test]
    fn each_number_and_name_is_one_codes() {
        let mut numbers: Vec<i32> = Code::ALL.iter().map(|code| *code as i32).collect();
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((numbers.len(), names.len()), (Code::ALL.len(), Code::ALL.len()));
    }
}
