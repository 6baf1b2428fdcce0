"""The Rust of constants: literals, const generics, and tiles filled with one value."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from cutile2rs.backend import casts
from cutile2rs.backend.forms import Text
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir import floats
from cutile2rs.ir.core import Op, TileType
from cutile2rs.ir.expr import Expr, Fn, Lit, fn, kind, show
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter


def emit(e: Emitter, op: Op) -> None:
    """A ``const`` operation. Scalars are written where they are used; tiles get a line."""
    t = op.result.type
    assert isinstance(t, TileType)
    value = e.path.simplify(op.attrs["value"])
    dtype = e.path.dtype_of(t.dtype)
    if e.is_scalar(t):
        e.inline[op.result] = Text(_scalar(e, value, dtype))
        return
    e.flush_unrelated(op)
    if not isinstance(value, Lit):
        _symbolic(e, op, value, dtype, t)
        return
    e.place(op, Text(literal(e, value, dtype, t)), False)


def _scalar(e: Emitter, value: Expr, dtype: Expr) -> str:
    if dtype == Lit(dt.BOOL):
        assert isinstance(value, Lit)  # the constants pass has decided it
        return "true" if value.value else "false"
    text = e.generics.int(value)
    return f"{text}i32" if isinstance(value, Lit) else text


def literal(e: Emitter, value: Lit, dtype: Expr, t: TileType) -> str:
    """A tile filled with a number that is known."""
    number = value.value
    if e.category(dtype) == "float":
        return _float_literal(e, float(number), dtype, t)
    number = int(number)
    if (
        isinstance(dtype, Lit)
        and not dtype.value.signed
        and number >= 1 << (dtype.value.bits - 1)
        and dtype.value.bits > 1
    ):
        number -= 1 << dtype.value.bits  # the DSL turns larger literals into 0
    return f"splat_int({number}, {e.shape(t)})"


def _float_literal(e: Emitter, number: float, dtype: Expr, t: TileType) -> str:
    if dtype == Lit(dt.TFLOAT32) and number:
        raise NoRule("a tfloat32 constant other than 0")  # the DSL writes it with too many bytes
    if math.isnan(number):
        return _float(e, Lit(number), dtype, t)
    if isinstance(dtype, Lit) and dtype.value.bits <= 8:
        return f"splat_int({floats.to_bits(number, dtype.value)}, {e.shape(t)})"  # the DSL takes their bits
    return f"splat_float({float_text(number, dtype)}, {e.shape(t)})"


def float_text(value: float, dtype: Expr) -> str:
    """A float literal. For f32 the value cuTile stores (rounded once from a double) in its shortest form."""
    if math.isnan(value):
        return "f64::NAN"
    if math.isinf(value):
        return "f64::INFINITY" if value > 0 else "f64::NEG_INFINITY"
    if dtype == Lit(dt.FLOAT32):
        value = shortest_f32(value)
    return repr(value)


def shortest_f32(value: float) -> float:
    """The shortest decimal that rounds to the same f32 as ``value`` does."""
    bits = _f32_bytes(value)
    for digits in range(1, 18):
        short = float(f"{value:.{digits}g}")
        if _f32_bytes(short) == bits:
            return short
    return value


def _f32_bytes(value: float) -> bytes:
    """The nearest f32; beyond the largest one, infinity."""
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, value))


def _symbolic(e: Emitter, op: Op, value: Expr, dtype: Expr, t: TileType) -> None:
    """A constant that only the launch knows. An integer is a const generic, as is a whole float; of
    another float its bits are, those of an f64 in two halves."""
    if e.category(dtype) == "float":
        e.place(op, Text(_float(e, value, dtype, t)), False)
        return
    number, shape = e.generics.int(value), e.shape(t)
    if dtype == Lit(dt.INT32):
        e.place(op, Text(f"broadcast_scalar({number}, {shape})"), False)
    elif dtype == Lit(dt.UINT64):
        e.place(op, Text(f"index({number}, {shape})"), False)
    else:
        e.comment(op)
        narrow = e.fresh(f"{number.lower()}_i32", op)
        e.statement(f"let {narrow}: Tile<i32, {{ [{e.dims(t.shape)}] }}>", f"broadcast_scalar({number}, {shape})")
        e.place(op, casts.resize(e, narrow, Lit(dt.INT32), dtype), False)


def _float(e: Emitter, value: Expr, dtype: Expr, t: TileType) -> str:
    shape, width = e.shape(t), e.path.simplify(fn("bits", dtype))
    if dtype == Lit(dt.FLOAT64):
        low, high = e.generics.int(fn("f64_low_bits", value)), e.generics.int(fn("f64_high_bits", value))
        return f"splat_double_bits({low}, {high}, {shape})"
    if dtype == Lit(dt.FLOAT32):
        if isinstance(value, Fn) and value.op == "float" and kind(value.args[0]) == "int":
            return f"splat_number({e.generics.int(value.args[0])}, {shape})"
        return f"splat_bits({e.generics.int(fn('f32_bits', fn('round_to', value, dtype)))}, {shape})"
    if dtype in (Lit(dt.TFLOAT32), Lit(dt.FLOAT4_E2M1FN)):
        raise NoRule(f"a {show(dtype)} constant that only the launch knows")
    bits = e.generics.int(fn("float_bits", value, dtype))
    return f"bitcast(splat_{'byte' if width == Lit(8) else 'half'}_bits({bits}, {shape}))"


def temporary(op: Op) -> str:
    """A name for an unnamed constant or generator."""
    value = op.attrs.get("value")
    if isinstance(value, Lit) and isinstance(value.value, (int, float)):
        number = float(value.value)
        known = {0.0: "zero", 1.0: "one", 2.0: "two", 0.5: "half", -math.inf: "neg_inf", math.inf: "pos_inf"}
        return known.get(number, "constant_tile")
    return "constant_tile" if op.opcode == "const" else f"{op.opcode}_value"
