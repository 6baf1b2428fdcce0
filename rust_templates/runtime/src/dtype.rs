//! Element types and cuTile's promotion rules: what `cutile2rs/ir/dtypes.py` says, for the same questions at launch.

/// What kind of number an element type is; a literal of a stronger kind wins a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    Boolean,
    Integral,
    Float,
    RestrictedFloat,
}

/// One element type; `as i32` is its code in a [`crate::TensorDesc`].
///
/// 0 to 7 are those of TileGym's table, where 6 is two 4-bit floats in a byte; the rest are ours. A number never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum DType {
    F32 = 0,
    F16 = 1,
    BF16 = 2,
    I32 = 3,
    I64 = 4,
    F8E5M2 = 5,
    F4E2M1FNx2 = 6,
    F8E4M3FN = 7,
    Bool = 8,
    I8 = 9,
    U8 = 10,
    I16 = 11,
    U16 = 12,
    U32 = 13,
    U64 = 14,
    F64 = 15,
    TF32 = 16,
    F8E8M0FNU = 17,
    F8E5M3FNU = 18,
    F4E2M1FN = 19,
}

use Category::{Boolean, Float, Integral, RestrictedFloat};
use DType::*;

impl DType {
    /// Every element type, at the index of its code.
    pub const ALL: [Self; 20] = [
        F32, F16, BF16, I32, I64, F8E5M2, F4E2M1FNx2, F8E4M3FN, Bool, I8, U8, I16, U16, U32, U64, F64, TF32, F8E8M0FNU,
        F8E5M3FNU, F4E2M1FN,
    ];

    /// The element type of a code.
    pub fn from_code(code: i32) -> Option<Self> {
        usize::try_from(code).ok().and_then(|index| Self::ALL.get(index).copied())
    }

    /// The element type of cuTile Python's name, as the tables have it. Two floats in a byte are no cuTile type.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name && *d != F4E2M1FNx2)
    }

    /// cuTile Python's name.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// cuTile Rust's name.
    pub fn rust(self) -> &'static str {
        self.facts().1
    }

    /// Width of a value; `bool` counts as 1, as in cuTile Python.
    pub fn bits(self) -> u32 {
        self.facts().2
    }

    /// The kind of number.
    pub fn category(self) -> Category {
        self.facts().3
    }

    /// Bytes that an element takes in memory: what strides and addresses are measured in.
    pub fn bytes(self) -> i64 {
        i64::from(self.bits().div_ceil(8))
    }

    /// Whether negative numbers exist.
    pub fn signed(self) -> bool {
        !matches!(self, Bool | U8 | U16 | U32 | U64)
    }

    /// Any floating-point type.
    pub fn is_float(self) -> bool {
        self.category() >= Float
    }

    /// Any integer type; `bool` is none.
    pub fn is_integral(self) -> bool {
        self.category() == Integral
    }

    /// Whether binary arithmetic accepts it.
    pub fn is_arithmetic(self) -> bool {
        self.category() <= Float
    }

    /// Smallest and largest value of an integer type.
    pub fn int_range(self) -> (i128, i128) {
        if self.signed() { (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1) } else { (0, (1 << self.bits()) - 1) }
    }

    fn facts(self) -> (&'static str, &'static str, u32, Category) {
        match self {
            F32 => ("float32", "f32", 32, Float),
            F16 => ("float16", "f16", 16, Float),
            BF16 => ("bfloat16", "bf16", 16, Float),
            I32 => ("int32", "i32", 32, Integral),
            I64 => ("int64", "i64", 64, Integral),
            F8E5M2 => ("float8_e5m2", "f8e5m2", 8, RestrictedFloat),
            F4E2M1FNx2 => ("float4_e2m1fn_x2", "f4e2m1fnx2", 8, RestrictedFloat),
            F8E4M3FN => ("float8_e4m3fn", "f8e4m3fn", 8, RestrictedFloat),
            Bool => ("bool_", "bool", 1, Boolean),
            I8 => ("int8", "i8", 8, Integral),
            U8 => ("uint8", "u8", 8, Integral),
            I16 => ("int16", "i16", 16, Integral),
            U16 => ("uint16", "u16", 16, Integral),
            U32 => ("uint32", "u32", 32, Integral),
            U64 => ("uint64", "u64", 64, Integral),
            F64 => ("float64", "f64", 64, Float),
            TF32 => ("tfloat32", "tf32", 32, RestrictedFloat),
            F8E8M0FNU => ("float8_e8m0fnu", "f8e8m0fnu", 8, RestrictedFloat),
            F8E5M3FNU => ("float8_e5m3fnu", "f8e5m3fnu", 8, RestrictedFloat),
            F4E2M1FN => ("float4_e2m1fn", "f4e2m1fn", 4, RestrictedFloat),
        }
    }
}

/// The common type of a binary operation, or None where cuTile refuses.
pub fn promote(a: DType, b: DType, force_float: bool) -> Option<DType> {
    if a == b && (!force_float || a.is_float()) {
        return Some(a);
    }
    if a.category() == RestrictedFloat || b.category() == RestrictedFloat {
        return None;
    }
    let common = promote_distinct(a, b)?;
    Some(if force_float && !common.is_float() { F32 } else { common })
}

fn promote_distinct(a: DType, b: DType) -> Option<DType> {
    let wider = if a.bits() > b.bits() { a } else { b };
    if a == b {
        return Some(a);
    }
    if a.category() != b.category() {
        return Some(if a.category() > b.category() { a } else { b });
    }
    match a.category() {
        Float => (!matches!((a, b), (F16, BF16) | (BF16, F16))).then_some(wider),
        _ => (a.signed() == b.signed()).then_some(wider),
    }
}

/// The common type of an element type and a literal of a category, whose own type is given.
pub fn promote_literal(d: DType, category: Category, literal: DType, force_float: bool) -> DType {
    let own = if d.category() == RestrictedFloat { Float } else { d.category() };
    let result = if category > own { literal } else { d };
    if !force_float || result.is_float() { result } else { F32 }
}

/// What `ct.mma` accumulates a type in; `ct.matmul` takes the first. Empty for types that it does not multiply.
pub fn accumulators(d: DType) -> &'static [DType] {
    match d {
        F8E4M3FN | F8E5M2 | F16 => &[F16, F32],
        BF16 | F32 | TF32 => &[F32],
        F64 => &[F64],
        I8 | U8 => &[I32],
        _ => &[],
    }
}

/// Whether `ct.mma` takes these types.
pub fn is_mma(x: DType, y: DType, accumulator: DType) -> bool {
    (x == y || matches!((x, y), (I8, U8) | (U8, I8))) && accumulators(x).contains(&accumulator)
}

/// The sizes of blocks that `ct.mma_scaled` takes for a type with scales of another.
pub fn scale_blocks(d: DType, scale: DType) -> &'static [i128] {
    match (d, scale) {
        (F8E4M3FN | F8E5M2, F8E8M0FNU) => &[32],
        (F4E2M1FN, F8E8M0FNU | F8E5M3FNU) => &[16, 32],
        (F4E2M1FN, F8E4M3FN) => &[16],
        _ => &[],
    }
}

/// Whether cuTile converts between these float types with this rounding (None: to nearest even).
pub fn is_float_cast(src: DType, dst: DType, rounding: Option<&str>) -> bool {
    let Some(rounding) = rounding else {
        return dst != F8E8M0FNU;
    };
    if dst == F8E8M0FNU {
        return matches!(rounding, "zero" | "positive_inf");
    }
    if rounding == "zero" {
        return matches!(dst, F64 | F32 | TF32 | F16 | BF16);
    }
    if !matches!(rounding, "negative_inf" | "positive_inf" | "nearest_away") {
        return false;
    }
    let away = rounding == "nearest_away";
    match dst {
        F16 => !matches!(src, F64 | F32 | TF32 | F8E8M0FNU | F8E5M3FNU),
        F32 | TF32 => src != F8E8M0FNU && (src != F64 || !away) && (dst == F32 || away),
        _ => dst == F64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_indices_and_the_first_eight_tilegyms() {
        for (index, d) in DType::ALL.into_iter().enumerate() {
            assert_eq!(d as usize, index);
        }
        let names: Vec<&str> = DType::ALL[..8].iter().map(|d| d.rust()).collect();
        assert_eq!(names, ["f32", "f16", "bf16", "i32", "i64", "f8e5m2", "f4e2m1fnx2", "f8e4m3fn"]);
        assert_eq!((DType::from_code(-1), DType::from_code(20)), (None, None));
    }

    #[test]
    fn promotion_refuses_what_cutile_refuses() {
        assert_eq!(promote(F16, BF16, false), None);
        assert_eq!(promote(I32, U32, false), None);
        assert_eq!(promote(I64, F16, false), Some(F16));
        assert_eq!(promote(I32, I32, true), Some(F32));
        assert_eq!(promote(F8E4M3FN, F32, false), None);
    }
}
