"""Reductions over axes (``cuda/tile/_ir/ops.py``: reduce_simple, reduce_impl)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Block, TileType
from cutile2rs.ir.expr import Expr, Lit, fn, show
from cutile2rs.lowering import arith
from cutile2rs.lowering.arith import BOOL
from cutile2rs.lowering.combine import body_of, identity_of, is_identity, plain, user_body
from cutile2rs.lowering.context import Ctx, concrete
from cutile2rs.lowering.elementwise import rounding_of
from cutile2rs.lowering.modes import check_mode
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_axis, expect_flag, expect_tile, is_none, items_of
from cutile2rs.lowering.values import PyValue, Sequence, Static, Tile

_NO_FLAG: PyValue = arith.loose(Lit(False))
_NONE: PyValue = Static(None)
_NARROW = (dt.INT8, dt.UINT8, dt.INT16, dt.UINT16)


@lowering("reduce_simple")
def reduce_simple(
    ctx: Ctx, op: str, x: PyValue, axis: PyValue, keepdims: PyValue, rounding_mode: PyValue = _NONE,
    flush_to_zero: PyValue = _NO_FLAG, propagate_nan: PyValue = _NO_FLAG,
) -> PyValue:  # fmt: skip
    """``ct.sum``, ``ct.prod``, ``ct.max``, ``ct.min``: one reduction an axis, in ascending order, then the kept axes."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("is_arithmetic", t.dtype), "reduction of a restricted float dtype")
    rounding, ftz = rounding_of(ctx, rounding_mode), expect_flag(ctx, flush_to_zero, "flush_to_zero")
    nan = expect_flag(ctx, propagate_nan, "propagate_nan")
    t, was_bool = numeric(ctx, t)
    check_mode(ctx, op, t.dtype, rounding, ftz)
    combine = partial(arith.raw_binary, ctx, op, rounding=rounding, ftz=ftz, propagate_nan=nan)
    if nan and ctx.category(t.dtype) != "float":
        nan = not ctx.path.decide(fn("is_integral", t.dtype))
    if rounding is None and not ftz and not nan and not (was_bool and op in ("min", "max")) and not _is_narrow(ctx, t):
        return _each_axis(ctx, t, axis, keepdims, partial(_plain_axis, ctx, op))
    identity = _identity(ctx, op, BOOL if was_bool else t.dtype)
    body = partial(body_of, ctx, t.dtype, combine)
    return _each_axis(ctx, t, axis, keepdims, partial(_closure_axis, ctx, body, identity))


def _identity(ctx: Ctx, op: str, dtype: Expr) -> Lit:
    """What cuTile starts a reduction of this dtype with; of integers, only the dtype says it."""
    if op in ("add", "mul"):
        return Lit(int(op == "mul"))
    if ctx.category(dtype) == "float":
        return Lit(float("-inf" if op == "max" else "inf"))
    if concrete(ctx.dtype(dtype)) is None:
        any(ctx.path.decide(fn("eq", dtype, Lit(d))) for d in _NARROW)
    d = concrete(ctx.dtype(dtype))
    if d is None:
        raise ctx.no_rule(f"the largest and smallest `{show(dtype)}` are not known here")
    return Lit(dt.int_range(d)[op == "min"])


def numeric(ctx: Ctx, t: Tile) -> tuple[Tile, bool]:
    """The tile with bools made int32, as sums need them, and whether they were."""
    if ctx.category(t.dtype) is None:
        reason = f"reductions of this `{show(t.dtype)}` have no rule"
        if not ctx.prefer(fn("is_reducible", t.dtype), reason):
            if ctx.path.forks is not None:
                raise ctx.no_rule(f"{reason} in a kernel with this many ways through it")
            ctx.path.decide(fn("is_bool", t.dtype))
    if ctx.category(t.dtype) == "bool":
        return arith.astype(ctx, t, arith.INT32), True
    if concrete(ctx.dtype(t.dtype)) is None and ctx.category(t.dtype) == "int":
        ctx.prefer(fn("is_reducible", t.dtype), f"reductions of this `{show(t.dtype)}` have no rule")
    return t, False


def _is_narrow(ctx: Ctx, t: Tile) -> bool:
    """Whether cuTile Rust's own reductions refuse the dtype: integers of less than 32 bits."""
    return ctx.path.settled(fn("is_reducible", t.dtype)) is False


def _each_axis(ctx: Ctx, t: Tile, axis: PyValue, keepdims: PyValue, reduce_axis: Callable[[Tile, int], Tile]) -> Tile:
    """Reduce along each axis in ascending order; then reshape to the kept axes."""
    keep, rank = expect_flag(ctx, keepdims, "keepdims"), len(t.shape)
    axes = list(range(rank)) if is_none(axis) else sorted(expect_axis(ctx, a, rank) for a in items_of(ctx, axis))
    if len(set(axes)) != len(axes):
        raise Illegal("a reduction axis is repeated")
    result = t
    for done, a in enumerate(axes):
        result = reduce_axis(result, a - done)
    kept = tuple(Lit(1) if i in axes else d for i, d in enumerate(t.shape) if keep or i not in axes)
    return arith.reshape_to(ctx, result, kept)


def _plain_axis(ctx: Ctx, op: str, t: Tile, axis: int) -> Tile:
    shape = t.shape[:axis] + t.shape[axis + 1 :]
    return ctx.tile("reduce", [ctx.value(t)], TileType(t.dtype, shape), fn=op, axis=axis)


def _closure_axis(ctx: Ctx, body: Callable[[], Block], identity: Lit, t: Tile, axis: int) -> Tile:
    """cuTile Rust 0.5 reduces by a function only a tile of rank 1, and starts with 0. Anything else is the last of the
    running values, of which the runtime's compile step makes the reduction that is meant (``compiler/spelled``)."""
    shape = t.shape[:axis] + t.shape[axis + 1 :]
    attrs: dict[str, object] = {"fn": "function", "axis": axis}
    if identity.value == 0 and all(ctx.is_one(d) for d in shape):
        line, attrs["axis"] = arith.reshape_to(ctx, t, (t.shape[axis],)), 0
        result = TileType(t.dtype)
    else:
        line, attrs["identity"] = t, identity
        result = TileType(t.dtype, shape)
    total = Tile(result, ctx.emit("reduce", [ctx.value(line)], [result], [body()], **attrs).result)
    return arith.reshape_to(ctx, total, shape)


@lowering("reduce")
def reduce(ctx: Ctx, x: PyValue, axis: PyValue, func: PyValue, identity: PyValue, keepdims: PyValue) -> PyValue:
    """``ct.reduce``: by a function of one's own."""
    if isinstance(x, Sequence):
        raise ctx.refuse("a reduction of several tiles at once has no rule: cuTile Rust 0.5 has none", code="C2R401")
    t = expect_tile(ctx, x, "x")
    if is_none(axis) or isinstance(axis, Sequence):
        raise ctx.refuse("ct.reduce takes one axis")
    if ctx.category(t.dtype) is None:
        ctx.is_float(t.dtype)
    body, start = user_body(ctx, "reduction", t.dtype, func), identity_of(ctx, identity, t.dtype)
    op = plain(body)
    if (
        op is not None
        and ctx.path.settled(fn("is_reducible", t.dtype)) is True
        and is_identity(ctx, start, op, t.dtype)
    ):
        return _each_axis(ctx, t, axis, keepdims, partial(_plain_axis, ctx, op))
    return _each_axis(ctx, t, axis, keepdims, partial(_closure_axis, ctx, lambda: body, start))
