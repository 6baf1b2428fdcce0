"""Element types and cuTile's promotion rules.

Names and rules are those of cuTile Python (``cuda/tile/_datatype.py``); the Rust spelling is that of the ``cutile`` crate.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Category(IntEnum):
    """Numeric category of a dtype; a Python literal of a stronger category wins a promotion."""

    BOOLEAN = 0
    INTEGRAL = 1
    FLOAT = 2
    RESTRICTED_FLOAT = 3


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type: its cuTile name, its Rust name, its width in bits and its category.

    The values below are all there are, so they are compared by identity: conversions do that all the time.
    """

    name: str
    rust: str
    bits: int
    category: Category
    signed: bool = True

    def __repr__(self) -> str:
        return self.name


BOOL = DType("bool_", "bool", 1, Category.BOOLEAN, signed=False)
UINT8 = DType("uint8", "u8", 8, Category.INTEGRAL, signed=False)
UINT16 = DType("uint16", "u16", 16, Category.INTEGRAL, signed=False)
UINT32 = DType("uint32", "u32", 32, Category.INTEGRAL, signed=False)
UINT64 = DType("uint64", "u64", 64, Category.INTEGRAL, signed=False)
INT8 = DType("int8", "i8", 8, Category.INTEGRAL)
INT16 = DType("int16", "i16", 16, Category.INTEGRAL)
INT32 = DType("int32", "i32", 32, Category.INTEGRAL)
INT64 = DType("int64", "i64", 64, Category.INTEGRAL)
FLOAT16 = DType("float16", "f16", 16, Category.FLOAT)
BFLOAT16 = DType("bfloat16", "bf16", 16, Category.FLOAT)
FLOAT32 = DType("float32", "f32", 32, Category.FLOAT)
FLOAT64 = DType("float64", "f64", 64, Category.FLOAT)
TFLOAT32 = DType("tfloat32", "tf32", 32, Category.RESTRICTED_FLOAT)
FLOAT8_E4M3FN = DType("float8_e4m3fn", "f8e4m3fn", 8, Category.RESTRICTED_FLOAT)
FLOAT8_E5M2 = DType("float8_e5m2", "f8e5m2", 8, Category.RESTRICTED_FLOAT)
FLOAT8_E8M0FNU = DType("float8_e8m0fnu", "f8e8m0fnu", 8, Category.RESTRICTED_FLOAT)
FLOAT8_E5M3FNU = DType("float8_e5m3fnu", "f8e5m3fnu", 8, Category.RESTRICTED_FLOAT)
FLOAT4_E2M1FN = DType("float4_e2m1fn", "f4e2m1fn", 4, Category.RESTRICTED_FLOAT)

ALL: tuple[DType, ...] = (
    FLOAT32, FLOAT16, BFLOAT16, FLOAT64, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E8M0FNU, FLOAT8_E5M3FNU, FLOAT4_E2M1FN,
    TFLOAT32, INT32, INT64, INT16, INT8, UINT8, UINT16, UINT32, UINT64, BOOL,
)  # fmt: skip
ARRAYS: tuple[DType, ...] = tuple(d for d in ALL if d not in (FLOAT8_E5M3FNU, FLOAT4_E2M1FN, TFLOAT32))
"""The dtypes that an array can have."""
BY_NAME: dict[str, DType] = {d.name: d for d in ALL}


def is_float(d: DType) -> bool:
    """Whether the dtype is a floating-point one, restricted ones included."""
    return d.category >= Category.FLOAT


def is_unrestricted_float(d: DType) -> bool:
    """Whether arithmetic is defined on this floating-point dtype (f16, bf16, f32, f64)."""
    return d.category == Category.FLOAT


def is_integral(d: DType) -> bool:
    """Whether the dtype is an integer one (bool is not)."""
    return d.category == Category.INTEGRAL


def is_arithmetic(d: DType) -> bool:
    """Whether binary arithmetic accepts this dtype: bool, integers and unrestricted floats."""
    return d.category <= Category.FLOAT


def promote(a: DType, b: DType, force_float: bool = False) -> DType | None:
    """The common dtype of a binary operation, or None where cuTile refuses (``_promote_dtypes``)."""
    if a == b and (not force_float or is_float(a)):
        return a
    if Category.RESTRICTED_FLOAT in (a.category, b.category):
        return None
    common = _promote_distinct(a, b)
    if common is None or not force_float or is_float(common):
        return common
    return FLOAT32


def _promote_distinct(a: DType, b: DType) -> DType | None:
    if a == b:
        return a
    if a.category != b.category:
        return a if a.category > b.category else b
    if a.category == Category.FLOAT:
        if {a, b} == {FLOAT16, BFLOAT16}:
            return None
        return a if a.bits > b.bits else b
    if a.signed != b.signed:
        return None
    return a if a.bits > b.bits else b


#: For each dtype that ``ct.mma`` multiplies: the dtypes that it accumulates in; ``ct.matmul`` takes the first.
ACCUMULATORS: dict[DType, tuple[DType, ...]] = {
    FLOAT8_E4M3FN: (FLOAT16, FLOAT32), FLOAT8_E5M2: (FLOAT16, FLOAT32), FLOAT16: (FLOAT16, FLOAT32),
    BFLOAT16: (FLOAT32,), FLOAT32: (FLOAT32,), TFLOAT32: (FLOAT32,), FLOAT64: (FLOAT64,), INT8: (INT32,), UINT8: (INT32,),
}  # fmt: skip

#: For each dtype that ``ct.mma_scaled`` multiplies: the sizes of blocks by the dtype of their scales.
SCALE_BLOCKS: dict[DType, dict[DType, tuple[int, ...]]] = {
    FLOAT8_E4M3FN: {FLOAT8_E8M0FNU: (32,)},
    FLOAT8_E5M2: {FLOAT8_E8M0FNU: (32,)},
    FLOAT4_E2M1FN: {FLOAT8_E8M0FNU: (16, 32), FLOAT8_E4M3FN: (16,), FLOAT8_E5M3FNU: (16, 32)},
}


def is_float_cast(src: DType, dst: DType, rounding: str | None) -> bool:
    """Whether cuTile converts between these float dtypes with this rounding mode (None: to nearest even)."""
    wide = (FLOAT64, FLOAT32, TFLOAT32, FLOAT8_E8M0FNU, FLOAT8_E5M3FNU)
    if rounding is None:
        return dst != FLOAT8_E8M0FNU
    if dst == FLOAT8_E8M0FNU:
        return rounding in ("zero", "positive_inf")
    if rounding == "zero":
        return dst in (FLOAT64, FLOAT32, TFLOAT32, FLOAT16, BFLOAT16)
    if rounding not in ("negative_inf", "positive_inf", "nearest_away"):
        return False
    if dst == FLOAT16:
        return src not in wide
    if dst in (FLOAT32, TFLOAT32):
        away = rounding == "nearest_away"
        return src != FLOAT8_E8M0FNU and (src != FLOAT64 or not away) and (dst == FLOAT32 or away)
    return dst == FLOAT64


def is_mma(x: DType, y: DType, acc: DType) -> bool:
    """Whether ``ct.mma`` takes these dtypes."""
    return (x == y or {x, y} == {INT8, UINT8}) and acc in ACCUMULATORS.get(x, ())


def accumulator(d: DType) -> DType:
    """What ``ct.matmul`` of this dtype accumulates in."""
    return ACCUMULATORS[d][0]


def is_scale_block(d: DType, scale: DType, k: int, scales: int) -> bool:
    """Whether ``ct.mma_scaled`` takes this many scales along K."""
    return k % scales == 0 and k // scales in SCALE_BLOCKS.get(d, {}).get(scale, ())


def category_of_literal(value: object) -> Category:
    """Category of a Python literal (bool before int: ``True`` is an ``int`` too)."""
    if isinstance(value, bool):
        return Category.BOOLEAN
    if isinstance(value, int):
        return Category.INTEGRAL
    return Category.FLOAT


def dtype_of_literal(value: object) -> DType | None:
    """The concrete dtype a lone literal gets; None for an integer that no integer dtype holds."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return INT32
        if -(2**63) <= value < 2**63:
            return INT64
        return UINT64 if 0 <= value < 2**64 else None
    return FLOAT32


def int_range(d: DType) -> tuple[int, int]:
    """Smallest and largest value of an integer dtype."""
    if d.signed:
        return -(1 << (d.bits - 1)), (1 << (d.bits - 1)) - 1
    return 0, (1 << d.bits) - 1


def promote_literal(d: DType, category: Category, literal_dtype: DType, force_float: bool = False) -> DType:
    """Common dtype of a tile dtype and a weakly typed literal of ``category``."""
    own = Category.FLOAT if d.category == Category.RESTRICTED_FLOAT else d.category
    result = literal_dtype if category > own else d
    return result if not force_float or is_float(result) else FLOAT32
