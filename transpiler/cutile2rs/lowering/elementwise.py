"""Constructs that are elementwise operations: the glue between the rules table and :mod:`cutile2rs.lowering.arith`."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.statements import make_range
from cutile2rs.lowering.static import expect_dtype, expect_flag, expect_tile, is_none, optional_enum
from cutile2rs.lowering.values import PyValue, Sequence, Static, Tile

_ROUNDING = {"RN": None, "RZ": "zero", "RM": "negative_inf", "RP": "positive_inf", "RA": "nearest_away",
             "FULL": "full", "APPROX": "approx", "RZI": "nearest_int_to_zero"}  # fmt: skip


def rounding_of(ctx: Ctx, v: PyValue) -> str | None:
    """The rounding mode's IR name; None for the default (round to nearest even)."""
    member = optional_enum(ctx, v, "RoundingMode", "rounding_mode")
    return None if member is None else _ROUNDING[member]


_NONE: PyValue = Static(None)
_NO_FLAG: PyValue = arith.loose(Lit(False))


@lowering("binary")
def binary(
    ctx: Ctx, op: str, x: PyValue, y: PyValue, rounding_mode: PyValue = _NONE, flush_to_zero: PyValue = _NO_FLAG,
    propagate_nan: PyValue = _NO_FLAG,
) -> PyValue:  # fmt: skip
    """Arithmetic of two operands."""
    ftz, nan = expect_flag(ctx, flush_to_zero, "flush_to_zero"), expect_flag(ctx, propagate_nan, "propagate_nan")
    left, right = expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand")
    result = arith.binary(ctx, op, left, right, rounding_of(ctx, rounding_mode), ftz, nan)
    if not is_none(rounding_mode) and result.const is None:
        ctx.path.require(fn("is_unrestricted_float", result.dtype), "a rounding mode needs a floating-point dtype")
    return result


@lowering("modulo")
def modulo(ctx: Ctx, x: PyValue, y: PyValue) -> PyValue:
    """``%``."""
    return arith.modulo(ctx, expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand"))


@lowering("divmod")
def divmod_(ctx: Ctx, x: PyValue, y: PyValue) -> PyValue:
    """``divmod``: the floor quotient and the remainder."""
    left, right = expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand")
    quotient = arith.binary(ctx, "floordiv", left, right)
    if quotient.const is None:
        ctx.path.require(fn("is_integral", quotient.dtype), "divmod() of floating-point values")
    return Sequence((quotient, arith.modulo(ctx, left, right)))


@lowering("power")
def power(ctx: Ctx, x: PyValue, y: PyValue) -> PyValue:
    """``**``."""
    return arith.power(ctx, expect_tile(ctx, x, "the base"), expect_tile(ctx, y, "the exponent"))


@lowering("compare")
def compare(ctx: Ctx, op: str, x: PyValue, y: PyValue) -> PyValue:
    """Comparisons."""
    return arith.compare(ctx, op, expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand"))


@lowering("bitwise")
def bitwise(ctx: Ctx, op: str, x: PyValue, y: PyValue) -> PyValue:
    """Bitwise and, or, xor."""
    return arith.bitwise(ctx, op, expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand"))


@lowering("shift")
def shift(ctx: Ctx, op: str, x: PyValue, y: PyValue) -> PyValue:
    """Bit shifts."""
    return arith.shift(ctx, op, expect_tile(ctx, x, "the left operand"), expect_tile(ctx, y, "the right operand"))


@lowering("unary")
def unary(
    ctx: Ctx, op: str, behaviour: str, x: PyValue, rounding_mode: PyValue = _NONE, flush_to_zero: PyValue = _NO_FLAG
) -> PyValue:
    """A unary operation; its default rounding is the operation's own."""
    ftz, rounding = expect_flag(ctx, flush_to_zero, "flush_to_zero"), rounding_of(ctx, rounding_mode)
    if rounding == "full":
        rounding = None  # exp and tanh round `full` by default
    return arith.unary(ctx, op, expect_tile(ctx, x, "the operand"), behaviour, rounding, ftz)


@lowering("not")
def not_(ctx: Ctx, x: PyValue) -> PyValue:
    """``not``."""
    return arith.logical_not(ctx, expect_tile(ctx, x, "the operand"))


@lowering("positive")
def positive(ctx: Ctx, x: PyValue) -> PyValue:
    """Unary plus."""
    t = expect_tile(ctx, x, "the operand")
    if t.loose and t.const is not None:
        return arith.loose(arith.fold(ctx, "pos", t.const))
    return arith.astype(ctx, t, arith.INT32) if ctx.path.decide(fn("is_bool", t.dtype)) else t


@lowering("where")
def where(ctx: Ctx, cond: PyValue, x: PyValue, y: PyValue) -> PyValue:
    """``ct.where``: a select on broadcast operands."""
    c, a, b = expect_tile(ctx, cond, "cond"), expect_tile(ctx, x, "x"), expect_tile(ctx, y, "y")
    dtype = arith.promote_dtypes(ctx, a, b)
    shape = arith.broadcast_shapes(ctx, c.shape, arith.broadcast_shapes(ctx, a.shape, b.shape))
    c = arith.fit(ctx, c, TileType(arith.BOOL, shape))
    a, b = arith.fit(ctx, a, TileType(dtype, shape)), arith.fit(ctx, b, TileType(dtype, shape))
    return ctx.tile("select", [ctx.value(c), ctx.value(a), ctx.value(b)], a.type)


@lowering("isnan")
def isnan(ctx: Ctx, x: PyValue) -> PyValue:
    """``ct.isnan``: an unordered not-equal of the value with itself."""
    t = expect_tile(ctx, x, "the operand")
    if t.loose and t.const is not None:
        return arith.loose(arith.fold(ctx, "isnan", t.const))
    ctx.path.require(fn("is_float", t.dtype), "isnan needs a float")
    return ctx.tile("ne", [ctx.value(t), ctx.value(t)], TileType(arith.BOOL, t.shape))


@lowering("astype")
def astype(ctx: Ctx, x: PyValue, dtype: PyValue, rounding_mode: PyValue = _NONE) -> PyValue:
    """``ct.astype``: a rounding mode is for casts between floats, and not all of them take each."""
    t, target, rounding = expect_tile(ctx, x, "x"), expect_dtype(ctx, dtype, "dtype"), rounding_of(ctx, rounding_mode)
    if not is_none(rounding_mode):
        for d in (t.dtype, target):
            ctx.path.require(fn("is_float", d), "a rounding mode is for casts between floats")
    if ctx.dtype(t.dtype) == target and not t.loose:
        return t
    if rounding is not None or target == Lit(dt.FLOAT8_E8M0FNU):
        legal = fn("is_float_cast", ctx.dtype(t.dtype), target, Lit(rounding))
        ctx.path.require(legal, "cuTile does not convert between these dtypes with this rounding mode")
    return arith.astype(ctx, t, target, rounding)


@lowering("number")
def number(ctx: Ctx, op: str, x: PyValue) -> PyValue:
    """``int(x)``, ``float(x)``: constants only. ``bool(x)`` also casts."""
    if isinstance(x, Static) and isinstance(x.value, (str, type(None))):
        return arith.loose(Lit(_parse(ctx, op, x.value)))
    t = expect_tile(ctx, x, "the argument")
    if t.const is not None:
        return arith.loose(arith.fold(ctx, op, arith.exact(ctx, t)))
    if op == "bool":
        return arith.astype(ctx, _scalar(ctx, t, "bool()"), arith.BOOL)
    raise ctx.refuse(f"{op}() needs a compile-time constant", "cast a tile with ct.astype")


def _parse(ctx: Ctx, op: str, value: str | None) -> bool | int | float:
    """A string (or None) as a number, as Python's constructors read it."""
    try:
        if op == "bool":
            return bool(value)
        return int(value) if op == "int" else float(value)  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        raise ctx.refuse(f"{op}({value!r}) is not valid") from error


def _scalar(ctx: Ctx, t: Tile, what: str) -> Tile:
    if t.shape:
        raise ctx.refuse(f"{what} takes a scalar, not a tile", "cast a tile with ct.astype")
    return t


@lowering("dtype_constructor")
def dtype_constructor(ctx: Ctx, dtype: PyValue, x: PyValue) -> PyValue:
    """``ct.float32(x)``: a scalar cast, or a constant of exactly this dtype."""
    target = expect_dtype(ctx, dtype, "dtype")
    if target == Lit(dt.FLOAT4_E2M1FN):
        raise ctx.refuse("cuTile cannot call float4_e2m1fn: its numbers are no whole bytes", "use ct.astype")
    if isinstance(x, Static) and isinstance(x.value, str):
        category = ctx.category(target)
        if category is None:
            raise ctx.refuse("a string is made a number of a dtype that only the launch knows", code="C2R401")
        return arith.typed_const(ctx, Lit(_parse(ctx, category, x.value)), target)
    return arith.astype(ctx, _scalar(ctx, expect_tile(ctx, x, "the argument"), "a dtype"), target)


@lowering("range")
def range_(ctx: Ctx, a: PyValue, b: PyValue, c: PyValue) -> PyValue:
    """``range``."""
    return make_range(ctx, [v for v in (a, b, c) if not is_none(v)])


@lowering("constant")
def constant(ctx: Ctx, x: PyValue) -> PyValue:
    """``ct.ensure_constant``: the value itself, which must be a compile-time one."""
    if isinstance(x, Tile) and x.const is None:
        raise ctx.refuse("this value is not known at compile time", code="C2R301")
    return x
