"""The pure functions that symbolic constants are made of, by name, with Python's own semantics (cuTile's where they concern
dtypes)."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir import floats
from cutile2rs.ir.dtypes import DType


class EvalError(ValueError):
    """A symbolic constant has no value under the given bindings (cuTile would raise for that launch)."""


def _cdiv(a: int, b: int) -> int:
    return -(-a // b)


def _promote(a: DType, b: DType, force_float: bool = False) -> DType:
    result = dt.promote(a, b, force_float)
    if result is None:
        raise EvalError(f"no implicit promotion of {a} and {b}")
    return result


def _promote_literal(d: DType, value: object, force_float: bool = False) -> DType:
    own = dt.dtype_of_literal(value)
    if own is None:
        raise EvalError(f"{value} fits no integer dtype")
    return dt.promote_literal(d, dt.category_of_literal(value), own, force_float)


def _literal_fits(value: int, d: DType) -> bool:
    """Whether an integer literal is in the range of the integer dtype that it meets."""
    if not dt.is_integral(d) or isinstance(value, bool):
        return True
    low, high = dt.int_range(d)
    return low <= value <= high


def _implicit_cast_ok(src: DType, dst: DType) -> bool:
    return dt.promote(src, dst) == dst


def _literal_cast_ok(value: object, dst: DType) -> bool:
    category = dt.category_of_literal(value)
    if dst == dt.BOOL:
        return category <= dt.Category.INTEGRAL and value in (0, 1)
    if category > dst.category:
        return False
    if category == dt.Category.INTEGRAL and dt.is_integral(dst):
        low, high = dt.int_range(dst)
        return isinstance(value, int) and low <= value <= high
    return True


def _f32_bits(value: float) -> int:
    """Bits of the nearest f32, as a signed 32-bit integer (how a float constant travels as a const generic)."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, value))
    return int(struct.unpack("<i", packed)[0])


def _f64_half(value: float, high: bool) -> int:
    """One half of the bits of an f64, as a signed 32-bit integer."""
    return int(struct.unpack("<ii", struct.pack("<d", value))[high])


def _is_plain(value: bool | int | float, d: DType) -> bool:
    """Whether a Rust literal of this value means the same in ``d``: the DSL turns other literals into 0 silently."""
    if dt.is_integral(d):
        return not isinstance(value, float) and -(1 << (d.bits - 1)) <= value < 1 << (d.bits - 1)
    return value == 0 or dt.is_arithmetic(d)


def _is_pow2(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _power_of_two(value: int) -> int:
    """The largest power of two that divides a number, as far as cuTile assumes it: at most 1024, and 1 for 0."""
    return min(value & -value, 1024) or 1


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "truediv": operator.truediv, "mod": operator.mod, "pow": operator.pow, "neg": operator.neg, "pos": operator.pos,
    "lshift": operator.lshift, "rshift": operator.rshift, "bitand": operator.and_, "bitor": operator.or_,
    "bitxor": operator.xor, "invert": operator.invert, "cdiv": _cdiv, "min": min, "max": max, "abs": abs,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "not": operator.not_, "int": int, "float": float, "bool": bool, "is_none": lambda x: x is None,
    "exp": math.exp, "exp2": lambda x: 2**x, "log": math.log, "log2": math.log2, "sqrt": math.sqrt, "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "floor": math.floor,
    "ceil": math.ceil, "rsqrt": lambda x: x**-0.5, "isnan": math.isnan, "atan2": math.atan2, "log10": math.log10,
    "log1p": math.log1p, "expm1": math.expm1, "fpow": math.pow, "fabs": math.fabs, "trunc": math.trunc, "round": round,
    "isinf": math.isinf, "isfinite": math.isfinite, "gcd": math.gcd, "isqrt": math.isqrt, "erf": math.erf,
    "bit_length": int.bit_length,
    "promote": _promote, "promote_float": lambda a, b: _promote(a, b, True),
    "promote_literal": _promote_literal, "promote_literal_float": lambda d, v: _promote_literal(d, v, True),
    "is_float": dt.is_float, "is_unrestricted_float": dt.is_unrestricted_float, "is_integral": dt.is_integral,
    "is_arithmetic": dt.is_arithmetic, "is_bool": lambda d: d == dt.BOOL,
    "is_restricted": lambda d: d.category == dt.Category.RESTRICTED_FLOAT,
    "is_signed": lambda d: d.signed, "bits": lambda d: d.bits,
    "promotable": lambda a, b: dt.promote(a, b) is not None, "implicit_cast_ok": _implicit_cast_ok,
    "literal_cast_ok": _literal_cast_ok, "literal_fits": _literal_fits, "f32_bits": _f32_bits,
    "is_pow2": _is_pow2, "power_of_two": _power_of_two, "round_to": floats.round_to, "is_plain": _is_plain,
    "is_float_cast": dt.is_float_cast, "is_mma": dt.is_mma,
    "is_matmul": lambda d: d in dt.ACCUMULATORS, "accumulator": dt.accumulator,
    "is_mma_fast": lambda d: d in (dt.FLOAT8_E4M3FN, dt.FLOAT8_E5M2), "is_scale_block": dt.is_scale_block,
    "is_mma_scaled": lambda d, scale, acc: scale in dt.SCALE_BLOCKS.get(d, {}) and acc == dt.FLOAT32,
    "is_reducible": lambda d: dt.is_unrestricted_float(d) or (dt.is_integral(d) and d.bits >= 32),
    "float_bits": floats.to_bits,
    "f64_low_bits": lambda x: _f64_half(x, False), "f64_high_bits": lambda x: _f64_half(x, True),
    "is_array": lambda form: form.startswith("array "),
    "kind_int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "kind_bool": lambda v: isinstance(v, bool), "kind_float": lambda v: isinstance(v, float),
    "is_short": lambda d: dt.is_integral(d) and d.bits == 16,
}  # fmt: skip
