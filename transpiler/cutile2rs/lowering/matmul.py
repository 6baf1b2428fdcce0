"""Matrix products (``cuda/tile/_ir/ops.py``: mma_impl)."""

from __future__ import annotations

from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_flag, expect_tile
from cutile2rs.lowering.values import PyValue, Tile


@lowering("mma")
def mma(ctx: Ctx, x: PyValue, y: PyValue, acc: PyValue, use_fast_acc: PyValue) -> PyValue:
    """``ct.mma``: ``x @ y + acc`` in the accumulator's dtype."""
    a, b, c = expect_tile(ctx, x, "x"), expect_tile(ctx, y, "y"), expect_tile(ctx, acc, "acc")
    if len(a.shape) < 2 or len(b.shape) < 2:
        raise Illegal("ct.mma takes tiles of rank 2 or more")
    ctx.path.require(fn("eq", a.shape[-1], b.shape[-2]), "incompatible shapes for a matrix product")
    ctx.path.require(fn("eq", a.dtype, b.dtype), "ct.mma takes x and y of one dtype")
    batch = arith.broadcast_shapes(ctx, a.shape[:-2], b.shape[:-2])
    fast = expect_flag(ctx, use_fast_acc, "use_fast_acc")
    operands = [_batched(ctx, a, batch), _batched(ctx, b, batch), c]
    return ctx.tile("mma", [ctx.value(t) for t in operands], c.type, fast=fast)


def _batched(ctx: Ctx, t: Tile, batch: tuple[Expr, ...]) -> Tile:
    return arith.fit(ctx, t, TileType(t.dtype, (*batch, *t.shape[-2:])))
