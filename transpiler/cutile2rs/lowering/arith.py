"""Promotion, broadcasting and elementwise operations, as cuTile Python defines them (``cuda/tile/_ir/arithmetic_ops.py``)."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir import floats
from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import DIVISIONS, EvalError, Expr, Lit, Param, fn, kind, show
from cutile2rs.lowering.cast_dtypes import are_integers, settle_cast
from cutile2rs.lowering.context import Ctx, concrete
from cutile2rs.lowering.modes import check_mode
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.values import Tile, representative
from cutile2rs.lowering.values import loose as loose

BOOL, INT32, FLOAT32 = Lit(dt.BOOL), Lit(dt.INT32), Lit(dt.FLOAT32)


def fold(ctx: Ctx, op: str, *args: Expr) -> Expr:
    """A constant computed now or at dispatch; what Python would raise makes the launch illegal."""
    if op in DIVISIONS and ctx.path.assumed and not isinstance(args[1], Lit):
        ctx.path.require(fn("ne", args[1], Lit(0)), "division by zero")
    try:
        return fn(op, *(ctx.path.simplify(a) for a in args))
    except EvalError as error:
        raise Illegal(str(error)) from error


def typed_const(ctx: Ctx, e: Expr, dtype: Expr) -> Tile:
    """A strictly typed scalar constant."""
    return Tile(TileType(ctx.dtype(dtype)), const=_canonical(e, concrete(ctx.dtype(dtype))))


def _canonical(e: Expr, d: dt.DType | None) -> Expr:
    """A literal in the form its dtype stores it: integers wrap, floats are rounded (ints given to them too)."""
    if d is None or not isinstance(e, Lit):
        return e
    try:
        return Lit(floats.round_to(e.value, d))
    except ValueError as error:
        raise Illegal(str(error)) from error


def exact(ctx: Ctx, x: Tile) -> Expr:
    """A constant's value as its dtype stores it, even where only the launch knows that. A float literal is stored as f32:
    cuTile rounds it twice on its way to another dtype. (Literals compute among themselves unrounded.)"""
    assert x.const is not None
    e, d = ctx.path.simplify(x.const), ctx.dtype(x.dtype)
    if isinstance(e, Lit) and (concrete(d) is not None or isinstance(e.value, bool)):
        return _canonical(e, concrete(d))
    if isinstance(e, Param) and kind(e) == "int" and d in (INT32, Lit(dt.INT64)):
        return e  # a kernel's integer constant; one that does not fit is refused at dispatch
    return fn("round_to", e, d)


def astype(ctx: Ctx, x: Tile, dtype: Expr, rounding: str | None = None, implicit: bool = False) -> Tile:
    """``x`` in ``dtype``: nothing where it already is, a folded constant, or a cast.

    A cast between dtypes that may turn out equal stays a cast: Rust's ``convert_tile`` is then no operation.
    """
    dtype, own = ctx.dtype(dtype), ctx.dtype(x.dtype)
    if own == dtype and not x.loose:
        return x
    if x.const is not None and not x.shape and rounding is None:
        return typed_const(ctx, _cast_const(ctx, exact(ctx, x), dtype), dtype)
    if own == dtype:
        return x
    settle_cast(ctx, own, dtype, implicit)
    own, dtype = ctx.dtype(own), ctx.dtype(dtype)
    if own == dtype:
        return x
    return ctx.tile("cast", [ctx.value(x)], TileType(dtype, x.shape), rounding=rounding)


def _cast_const(ctx: Ctx, e: Expr, dtype: Expr) -> Expr:
    category = ctx.category(dtype)
    if category is None:
        return e
    if category == "float":
        return e if kind(e) == "float" else fold(ctx, "float", e)
    return e if kind(e) == category else fold(ctx, category, e)


def broadcast_shapes(ctx: Ctx, a: tuple[Expr, ...], b: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """NumPy broadcasting of symbolic shapes."""
    result: list[Expr] = []
    for i in range(1, max(len(a), len(b)) + 1):
        da = ctx.path.simplify(a[-i]) if i <= len(a) else Lit(1)
        db = ctx.path.simplify(b[-i]) if i <= len(b) else Lit(1)
        result.append(_broadcast_dim(ctx, da, db))
    return tuple(reversed(result))


def _broadcast_dim(ctx: Ctx, a: Expr, b: Expr) -> Expr:
    if a == b or ctx.is_one(b):
        return a
    if ctx.is_one(a):
        return b
    if ctx.same(a, b):
        return ctx.path.simplify(a)
    if ctx.same(a, Lit(1)):
        return b
    if ctx.same(b, Lit(1)):
        return a
    raise Illegal("shapes are not broadcastable")


def reshape_to(ctx: Ctx, x: Tile, shape: tuple[Expr, ...]) -> Tile:
    """A reshape to a shape known to have as many elements; nothing where it is the shape already."""
    if tuple(map(ctx.path.simplify, x.shape)) == tuple(map(ctx.path.simplify, shape)):
        return x
    return ctx.tile("reshape", [ctx.value(x)], TileType(x.dtype, shape))


def broadcast_to(ctx: Ctx, x: Tile, shape: tuple[Expr, ...]) -> Tile:
    """``x`` broadcast to ``shape``: leading ones by a reshape, then one broadcast, as cuTile emits it."""
    if x.const is not None and not x.shape and shape:
        # A splat of a constant is that constant with a shape; tileiras folds Python's reshape and broadcast to it.
        return ctx.tile("const", [], TileType(x.dtype, shape), value=x.const)
    if len(shape) < len(x.shape) or broadcast_shapes(ctx, x.shape, shape) != tuple(map(ctx.path.simplify, shape)):
        raise Illegal("the shape is not broadcastable to the target shape")
    if not x.shape and shape:
        return ctx.tile("expand", [ctx.value(x)], TileType(x.dtype, shape))
    if len(shape) > len(x.shape):
        x = reshape_to(ctx, x, (Lit(1),) * (len(shape) - len(x.shape)) + x.shape)
    if tuple(map(ctx.path.simplify, x.shape)) == tuple(map(ctx.path.simplify, shape)):
        return x
    return ctx.tile("broadcast", [ctx.value(x)], TileType(x.dtype, shape))


def promote_dtypes(ctx: Ctx, x: Tile, y: Tile, force_float: bool = False, with_bool: bool = False) -> Expr:
    """The common dtype of two operands; weak literals give way to the other operand's category.

    ``with_bool``: arrays of booleans are as likely as numbers here (comparisons), so they get an entry of their own.
    """
    suffix = "_float" if force_float else ""
    for operand, met in ((x, y), (y, x)):
        is_int = not met.loose and ctx.category(met.dtype) in ("int", "bool")  # beside it, a run-time scalar is an int
        is_float = force_float or ctx.category(met.dtype) == "float"
        if ctx.category(met.dtype) == "float" and ctx.may_stay_open(operand.dtype):
            continue
        ctx.settle_scalar(operand.dtype, dt.INT32 if is_int else None, dt.FLOAT32 if is_float else dt.INT32)
    if x.loose and y.loose:
        return ctx.dtype(fold(ctx, f"promote{suffix}", x.dtype, y.dtype))
    if x.loose or y.loose:
        weak, strong = (x, y) if x.loose else (y, x)
        literal = representative(weak)
        if isinstance(literal.value, float) and ctx.category(strong.dtype) is None:
            ctx.prefer_float(strong.dtype)
        if not force_float and weak.const == literal and isinstance(literal.value, int):
            fits = fn("literal_fits", literal, ctx.dtype(strong.dtype))
            ctx.path.require(fits, f"the constant {literal.value} is out of range of the other operand's dtype")
        if isinstance(literal.value, int) and ctx.path.settled(fn("is_bool", strong.dtype)) is None:
            _settle_bool(ctx, strong.dtype, with_bool)
        return ctx.dtype(fold(ctx, f"promote_literal{suffix}", ctx.dtype(strong.dtype), literal))
    a, b = ctx.dtype(x.dtype), ctx.dtype(y.dtype)
    if a != b and not force_float and are_integers(ctx, a, b):
        return ctx.dtype(fold(ctx, "promote", a, b))
    if a == b or (
        (concrete(a) is None or concrete(b) is None) and not ctx.path.mixed and ctx.path.decide(fn("eq", a, b))
    ):
        a = ctx.dtype(a)
        return a if not force_float or ctx.is_float(a) else FLOAT32
    # Once two arrays differ, every further pair is written generically instead of splitting again.
    ctx.path.mixed = ctx.path.mixed or concrete(a) is None or concrete(b) is None
    ctx.path.require(fn("promotable", a, b), f"cuTile does not promote {show(a)} and {show(b)} implicitly")
    return ctx.dtype(fold(ctx, f"promote{suffix}", a, b))


def _settle_bool(ctx: Ctx, dtype: Expr, with_bool: bool) -> None:
    """Beside an integer literal a boolean array would become int32, any other array stays what it is."""
    number = fn("not", fn("is_bool", dtype))
    if with_bool:
        ctx.path.decide(number)
    else:
        ctx.prefer(number, f"boolean `{show(dtype)}` is not converted here")


def common_type(ctx: Ctx, x: Tile, y: Tile, force_float: bool = False, with_bool: bool = False) -> TileType:
    """Common dtype and shape of two operands."""
    dtype = promote_dtypes(ctx, x, y, force_float, with_bool)
    if not with_bool and not force_float and ctx.category(dtype) is None:
        data, number = (x, y) if x.shape else (y, x)
        if data.shape and not number.shape and not number.loose and ctx.category(number.dtype) == "int":
            ctx.is_float(dtype)  # a tile is as likely data that a run-time number scales as integers
    return TileType(dtype, broadcast_shapes(ctx, x.shape, y.shape))


def fit(ctx: Ctx, x: Tile, type_: TileType) -> Tile:
    """``x`` cast and broadcast to ``type_``."""
    return broadcast_to(ctx, astype(ctx, x, type_.dtype, implicit=True), type_.shape)


def implicit_cast(ctx: Ctx, x: Tile, dtype: Expr, what: str) -> Tile:
    """A cast that Python does silently on a store or for a padding value; only widening ones are legal."""
    require_implicit(ctx, x, dtype, what)
    return astype(ctx, x, dtype, implicit=True)


def require_implicit(ctx: Ctx, x: Tile, dtype: Expr, what: str) -> None:
    """cuTile rejects launches in which ``x`` cannot become ``dtype`` without a cast."""
    legal = fn("literal_cast_ok", representative(x), dtype) if x.loose else fn("implicit_cast_ok", x.dtype, dtype)
    problem = "the constant does not fit the dtype" if x.loose else "no implicit cast between these dtypes"
    ctx.path.require(legal, f"{what}: {problem}")


def binary(
    ctx: Ctx, op: str, x: Tile, y: Tile, rounding: str | None = None, ftz: bool = False, propagate_nan: bool = False
) -> Tile:
    """``+ - * / // cdiv min max pow atan2`` with promotion and broadcasting."""
    if x.loose and y.loose and x.const is not None and y.const is not None:
        return loose(fold(ctx, op, x.const, y.const))
    for operand in (x, y):
        ctx.path.require(fn("is_arithmetic", operand.dtype), "arithmetic on a restricted float dtype")
    type_ = common_type(ctx, x, y, force_float=op == "truediv")
    ctx.path.require(fn("not", fn("is_bool", type_.dtype)), f"`{op}` on bool")
    x, y = fit(ctx, x, type_), fit(ctx, y, type_)
    if x.const is not None and y.const is not None and not type_.shape:
        return typed_const(ctx, fold(ctx, op, exact(ctx, x), exact(ctx, y)), type_.dtype)
    return raw_binary(ctx, op, x, y, rounding, ftz, propagate_nan)


def raw_binary(
    ctx: Ctx, op: str, x: Tile, y: Tile, rounding: str | None = None, ftz: bool = False, propagate_nan: bool = False
) -> Tile:
    """A binary operation on operands of one type."""
    attrs: dict[str, object] = {}
    if rounding is not None:
        attrs["rounding"] = rounding
    if ftz:
        attrs["ftz"] = True
    if op in ("pow", "atan2", "cdiv"):
        ctx.path.require(
            fn("is_integral" if op == "cdiv" else "is_float", x.dtype), f"cuTile has no `{op}` on this dtype"
        )
    if op in ("min", "max", "floordiv") and ctx.category(x.dtype) is None:
        ctx.is_float(x.dtype)
    if op in ("add", "sub", "mul") and ctx.category(x.dtype) is None:
        # One text serves floats and integers here, but cuTile Rust has no operators on these.
        ctx.prefer(fn("not", fn("is_short", x.dtype)), f"16-bit integers in `{show(x.dtype)}` are not converted here")
    if propagate_nan and ctx.category(x.dtype) == "float":
        attrs["propagate_nan"] = True
    check_mode(ctx, op, x.dtype, rounding, ftz)
    return ctx.tile(op, [ctx.value(x), ctx.value(y)], x.type, **attrs)


def compare(ctx: Ctx, op: str, x: Tile, y: Tile) -> Tile:
    """``== != < <= > >=``; the result is a bool tile of the broadcast shape."""
    if x.loose and y.loose and x.const is not None and y.const is not None:
        return loose(fold(ctx, op, x.const, y.const))
    type_ = common_type(ctx, x, y, with_bool=True)
    x, y = fit(ctx, x, type_), fit(ctx, y, type_)
    if x.const is not None and y.const is not None and not type_.shape:
        return typed_const(ctx, fold(ctx, op, exact(ctx, x), exact(ctx, y)), BOOL)
    if ctx.category(type_.dtype) is None:
        ctx.is_float(type_.dtype)
    return ctx.tile(op, [ctx.value(x), ctx.value(y)], TileType(BOOL, type_.shape))


def bitwise(ctx: Ctx, op: str, x: Tile, y: Tile) -> Tile:
    """``& | ^``: operands of one integer or bool dtype (a weak literal adapts)."""
    if x.loose and y.loose and x.const is not None and y.const is not None:
        return loose(fold(ctx, op, x.const, y.const))
    for operand in (x, y):
        ctx.path.require(fn("not", fn("is_float", operand.dtype)), "bitwise operations need integers or booleans")
    if x.loose == y.loose:
        ctx.path.require(fn("eq", x.dtype, y.dtype), "bitwise operands must have the same dtype")
    return _bits(ctx, op, x, y)


def _bits(ctx: Ctx, op: str, x: Tile, y: Tile) -> Tile:
    type_ = common_type(ctx, x, y)
    x, y = fit(ctx, x, type_), fit(ctx, y, type_)
    if x.const is not None and y.const is not None and not type_.shape:
        return typed_const(ctx, fold(ctx, op, exact(ctx, x), exact(ctx, y)), type_.dtype)
    return ctx.tile(op, [ctx.value(x), ctx.value(y)], type_)


def shift(ctx: Ctx, op: str, x: Tile, y: Tile) -> Tile:
    """``<< >>`` on integers."""
    if x.loose and y.loose and x.const is not None and y.const is not None:
        return loose(fold(ctx, op, x.const, y.const))
    for operand in (x, y):
        ctx.path.require(fn("is_integral", operand.dtype), "shifts need integers")
    return _bits(ctx, op, x, y)


def modulo(ctx: Ctx, x: Tile, y: Tile) -> Tile:
    """``%`` with Python's sign rule (the result has the divisor's sign)."""
    if x.loose and y.loose and x.const is not None and y.const is not None:
        return loose(fold(ctx, "mod", x.const, y.const))
    type_ = common_type(ctx, x, y)
    ctx.path.require(fn("not", fn("is_bool", type_.dtype)), "`%` on bool")
    x, y = fit(ctx, x, type_), fit(ctx, y, type_)
    if x.const is not None and y.const is not None and not type_.shape:
        return typed_const(ctx, fold(ctx, "mod", exact(ctx, x), exact(ctx, y)), type_.dtype)
    if ctx.category(type_.dtype) is None:
        ctx.is_float(type_.dtype)
    return ctx.tile("mod", [ctx.value(x), ctx.value(y)], type_)


def power(ctx: Ctx, x: Tile, y: Tile) -> Tile:
    """``**``: a float base with an integer exponent of at most 32 bits stays an integer power (``fpowi``)."""
    if x.loose and y.loose:
        return binary(ctx, "pow", x, y)
    ctx.settle_scalar(y.dtype, None)
    if ctx.path.decide(fn("is_unrestricted_float", x.dtype)) and (exponent := _exponent(ctx, y)) is not None:
        shape = broadcast_shapes(ctx, x.shape, y.shape)
        base = fit(ctx, x, TileType(x.dtype, shape))
        return ctx.tile("powi", [ctx.value(base), ctx.value(fit(ctx, y, TileType(exponent, shape)))], base.type)
    return binary(ctx, "pow", x, y)


def _exponent(ctx: Ctx, y: Tile) -> Expr | None:
    """The dtype of an integer exponent: the least signed one that holds all of its numbers; None for floats and 64 bits."""
    if concrete(ctx.dtype(y.dtype)) is None and ctx.path.decide(fn("is_integral", y.dtype)):
        reason = f"only an int32 exponent `{show(y.dtype)}` is converted here"
        if not ctx.prefer(fn("eq", y.dtype, INT32), reason):
            raise ctx.no_rule(reason)
    d = concrete(ctx.dtype(y.dtype))
    if d in (dt.UINT8, dt.UINT16):
        return Lit(dt.INT16) if d == dt.UINT8 else INT32
    return Lit(d) if d in (dt.INT8, dt.INT16, dt.INT32) else None


def unary(ctx: Ctx, op: str, x: Tile, behaviour: str, rounding: str | None = None, ftz: bool = False) -> Tile:
    """A unary operation. ``behaviour``: float (ints become f32), strict_float, int_float, bool_int, any."""
    if x.loose and x.const is not None:
        return loose(fold(ctx, _on_literal(op, x.const), x.const))
    x = _unary_operand(ctx, x, behaviour)
    if op in ("invert", "bitwise_not"):
        return invert(ctx, x)
    if x.const is not None and not x.shape:
        return typed_const(ctx, fold(ctx, op, exact(ctx, x)), x.dtype)
    attrs: dict[str, object] = {}
    if rounding is not None:
        attrs["rounding"] = rounding
    if ftz:
        attrs["ftz"] = True
    check_mode(ctx, op, x.dtype, rounding, ftz)
    return ctx.tile(op, [ctx.value(x)], x.type, **attrs)


def _on_literal(op: str, e: Expr) -> str:
    if op not in ("invert", "bitwise_not"):
        return op
    if kind(e) == "bool" and op == "invert":
        raise Illegal("`~` on a bool constant; use ct.bitwise_not")
    return "not" if kind(e) == "bool" else "invert"


def _unary_operand(ctx: Ctx, x: Tile, behaviour: str) -> Tile:
    if behaviour == "strict_float":
        ctx.path.require(fn("is_float", x.dtype), "only float operands are accepted")
        return x
    if behaviour == "bool_int":
        ctx.path.require(fn("not", fn("is_float", x.dtype)), "float operands are not accepted")
        return x
    if ctx.prefer_float(x.dtype) if behaviour == "float" else ctx.is_float(x.dtype):
        return x
    if behaviour == "float":
        return astype(ctx, x, FLOAT32)
    if behaviour == "int_float" and ctx.path.decide(fn("is_bool", x.dtype)):
        return astype(ctx, x, INT32)
    return x


def logical_not(ctx: Ctx, x: Tile) -> Tile:
    """``not x``: of a constant folded, otherwise of its truth value."""
    if x.loose and x.const is not None:
        return loose(fold(ctx, "not", x.const))
    x = astype(ctx, x, BOOL)
    if x.const is not None:
        return typed_const(ctx, fold(ctx, "not", exact(ctx, x)), BOOL)
    return invert(ctx, x)


def invert(ctx: Ctx, x: Tile) -> Tile:
    """``~x``: an exclusive or with all ones, as cuTile writes it; of a bool, ``not x``."""
    is_bool = ctx.path.decide(fn("is_bool", x.dtype))
    if x.const is not None and not x.shape:
        return typed_const(ctx, fold(ctx, "not" if is_bool else "invert", exact(ctx, x)), x.dtype)
    ones = ctx.tile("const", [], TileType(x.dtype, x.shape), value=Lit(True) if is_bool else Lit(-1))
    return ctx.tile("bitxor", [ctx.value(x), ctx.value(ones)], x.type)
