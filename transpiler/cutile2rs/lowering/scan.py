"""Prefix scans (``cuda/tile/_ir/ops.py``: scan_simple, scan_impl).

cuTile Rust 0.5 scans along axis 0 only: other axes are brought there and back, and the runtime's compile step makes one scan of
that (``compiler/spelled``). It writes the identity 0 whatever the function; an inclusive scan does not read it, and the
machine code is the same.
"""

from __future__ import annotations

from functools import partial

from cutile2rs.ir.core import Block, TileType
from cutile2rs.ir.expr import fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.combine import body_of, identity_of, plain, user_body
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.elementwise import rounding_of
from cutile2rs.lowering.modes import check_mode
from cutile2rs.lowering.reduction import numeric
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.shape import permute_to
from cutile2rs.lowering.static import expect_axis, expect_flag, expect_tile
from cutile2rs.lowering.values import PyValue, Sequence, Tile


@lowering("scan_simple")
def scan_simple(
    ctx: Ctx, op: str, x: PyValue, axis: PyValue, reverse: PyValue, rounding_mode: PyValue, flush_to_zero: PyValue
) -> PyValue:
    """``ct.cumsum`` and ``ct.cumprod``."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("is_arithmetic", t.dtype), "scan of a restricted float dtype")
    rounding, ftz = rounding_of(ctx, rounding_mode), expect_flag(ctx, flush_to_zero, "flush_to_zero")
    t, _ = numeric(ctx, t)
    check_mode(ctx, op, t.dtype, rounding, ftz)
    combine = partial(arith.raw_binary, ctx, op, rounding=rounding, ftz=ftz)
    return _scan(ctx, t, axis, reverse, body_of(ctx, t.dtype, combine))


@lowering("scan")
def scan(ctx: Ctx, x: PyValue, axis: PyValue, func: PyValue, identity: PyValue, reverse: PyValue) -> PyValue:
    """``ct.scan``: by a function of one's own."""
    if isinstance(x, Sequence):
        raise ctx.refuse("a scan of several tiles at once has no rule: cuTile Rust 0.5 has none", code="C2R401")
    t = expect_tile(ctx, x, "x")
    if ctx.category(t.dtype) is None:
        ctx.is_float(t.dtype)
    identity_of(ctx, identity, t.dtype)
    return _scan(ctx, t, axis, reverse, user_body(ctx, "scan", t.dtype, func))


def _scan(ctx: Ctx, t: Tile, axis: PyValue, reverse: PyValue, body: Block) -> Tile:
    at, backwards = expect_axis(ctx, axis, len(t.shape)), expect_flag(ctx, reverse, "reverse")
    shape = t.shape
    if all(ctx.is_one(d) for d in shape[:at]):
        at, t = 0, arith.reshape_to(ctx, t, shape[at:])
    order = (at, *(i for i in range(len(t.shape)) if i != at))
    if at:
        t = permute_to(ctx, t, order)
    attrs = {"fn": plain(body) or "function", "reverse": backwards}
    blocks = [] if attrs["fn"] == "add" else [body]
    result = TileType(t.dtype, t.shape)
    scanned = Tile(result, ctx.emit("scan", [ctx.value(t)], [result], blocks, **attrs).result)
    if at:
        scanned = permute_to(ctx, scanned, tuple(order.index(i) for i in range(len(order))))
    return arith.reshape_to(ctx, scanned, shape)
