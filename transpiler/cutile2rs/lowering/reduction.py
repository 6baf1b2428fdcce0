"""Reductions over axes (``cuda/tile/_ir/ops.py``: reduce_simple)."""

from __future__ import annotations

from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.elementwise import rounding_of
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_axis, expect_flag, expect_tile, is_none, items_of
from cutile2rs.lowering.values import PyValue, Static, Tile


@lowering("reduce_simple")
def reduce_simple(
    ctx: Ctx, op: str, x: PyValue, axis: PyValue, keepdims: PyValue, rounding_mode: PyValue = Static(None),
    flush_to_zero: PyValue | None = None, propagate_nan: PyValue | None = None,
) -> PyValue:  # fmt: skip
    """``ct.sum``, ``ct.prod``, ``ct.max``, ``ct.min``: one reduction an axis, in ascending order, then the kept axes."""
    t = expect_tile(ctx, x, "x")
    keep = expect_flag(ctx, keepdims, "keepdims")
    for flag, name in ((flush_to_zero, "flush_to_zero"), (propagate_nan, "propagate_nan")):
        if flag is not None and expect_flag(ctx, flag, name):
            raise ctx.refuse(f"{name}=True on a reduction has no rule yet", code="C2R401")
    if rounding_of(ctx, rounding_mode) is not None:
        raise ctx.refuse("a rounding mode on a reduction has no rule yet", code="C2R401")
    ctx.path.require(fn("is_arithmetic", t.dtype), "reduction of a restricted float dtype")
    if ctx.category(t.dtype) is None and not ctx.is_float(t.dtype):
        ctx.path.decide(fn("is_bool", t.dtype))
    if ctx.category(t.dtype) == "bool":
        t = arith.astype(ctx, t, arith.INT32)
    rank = len(t.shape)
    axes = range(rank) if is_none(axis) else sorted(expect_axis(ctx, a, rank) for a in items_of(ctx, axis))
    result = t
    for done, a in enumerate(axes):
        result = _reduce_axis(ctx, op, result, a - done)
    kept = tuple(Lit(1) if i in axes else d for i, d in enumerate(t.shape) if keep or i not in axes)
    return arith.reshape_to(ctx, result, kept)


def _reduce_axis(ctx: Ctx, op: str, t: Tile, axis: int) -> Tile:
    shape: tuple[Expr, ...] = t.shape[:axis] + t.shape[axis + 1 :]
    return ctx.tile("reduce", [ctx.value(t)], TileType(t.dtype, shape), fn=op, axis=axis)
