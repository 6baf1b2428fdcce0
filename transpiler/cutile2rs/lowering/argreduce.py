"""Where the largest or smallest element is (``cuda/tile/_ir/ops.py``: argmax_argmin).

Python reduces the elements together with their indices, which cuTile Rust 0.5 cannot write. Its Rust finds the extreme value,
then the first place that holds it; the runtime's compile step makes one reduction of that (``compiler/spelled``).
"""

from __future__ import annotations

from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.reduction import numeric
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.shape import product
from cutile2rs.lowering.static import expect_axis, expect_flag, expect_tile, is_none
from cutile2rs.lowering.values import PyValue


@lowering("argreduce")
def argreduce(ctx: Ctx, op: str, x: PyValue, axis: PyValue, keepdims: PyValue, propagate_nan: PyValue) -> PyValue:
    """``ct.argmax`` and ``ct.argmin``: along one axis, or over all elements in row-major order."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("is_arithmetic", t.dtype), "a restricted float dtype has no order")
    keep, nan = expect_flag(ctx, keepdims, "keepdims"), expect_flag(ctx, propagate_nan, "propagate_nan")
    rank, kept = len(t.shape), tuple[Expr, ...](Lit(1) for _ in t.shape)
    if is_none(axis):
        at, t = 0, arith.reshape_to(ctx, t, (product(ctx, t.shape),))
    else:
        at = expect_axis(ctx, axis, rank)
        kept = (*t.shape[:at], Lit(1), *t.shape[at + 1 :])
    t, _ = numeric(ctx, t)
    is_float = ctx.category(t.dtype) == "float" or (ctx.category(t.dtype) is None and ctx.is_float(t.dtype))
    line = tuple(d if i == at else Lit(1) for i, d in enumerate(t.shape))
    places = ctx.tile("iota", [], TileType(arith.INT32, (t.shape[at],)))
    places = arith.broadcast_to(ctx, arith.reshape_to(ctx, places, line), t.shape)
    rest = t.shape[:at] + t.shape[at + 1 :]
    attrs = {"fn": op, "axis": at, "nan": nan and is_float}
    found = ctx.tile("argreduce", [ctx.value(t), ctx.value(places)], TileType(arith.INT32, rest), **attrs)
    return arith.reshape_to(ctx, found, kept if keep else rest)
