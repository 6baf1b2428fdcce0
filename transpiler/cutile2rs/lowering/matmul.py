"""Matrix products (``cuda/tile/_ir/ops.py``: mma_impl, matmul_impl, mma_scaled_impl)."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, Lit, fn, show
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_flag, expect_tile
from cutile2rs.lowering.values import PyValue, Tile

Shape = tuple[Expr, ...]


@lowering("mma")
def mma(ctx: Ctx, x: PyValue, y: PyValue, acc: PyValue, use_fast_acc: PyValue) -> PyValue:
    """``ct.mma``: ``x @ y + acc`` in the accumulator's dtype."""
    a, b, c = expect_tile(ctx, x, "x"), expect_tile(ctx, y, "y"), expect_tile(ctx, acc, "acc")
    if len(a.shape) < 2 or len(b.shape) < 2:
        raise Illegal("ct.mma takes tiles of rank 2 or more")
    fast = expect_flag(ctx, use_fast_acc, "use_fast_acc")
    if fast:
        ctx.path.require(fn("is_mma_fast", a.dtype), "use_fast_acc needs float8_e4m3fn or float8_e5m2")
    ctx.path.require(fn("is_mma", a.dtype, b.dtype, c.dtype), "ct.mma does not take these dtypes")
    a_shape, b_shape, shape = _product_shapes(ctx, a.shape, b.shape)
    _same_shape(ctx, c.shape, shape)
    a, b = arith.fit(ctx, a, TileType(a.dtype, a_shape)), arith.fit(ctx, b, TileType(b.dtype, b_shape))
    return _mma(ctx, a, b, c, fast)


def _mma(ctx: Ctx, a: Tile, b: Tile, acc: Tile, fast: bool = False) -> Tile:
    """The operation, on operands of fitting shapes."""
    if ctx.category(a.dtype) is None:
        ctx.prefer_float(a.dtype)
    if ctx.category(a.dtype) == "float":
        ctx.path.require(fn("eq", a.dtype, b.dtype), "ct.mma takes x and y of one dtype")
        return ctx.tile("mma", [ctx.value(t) for t in (a, b, acc)], acc.type, fast=fast)
    signed = tuple(ctx.path.decide(fn("eq", t.dtype, Lit(dt.INT8))) for t in (a, b))
    if signed[0] != signed[1]:  # cuTile Rust wants one type; the bits are the same
        b = ctx.tile("bitcast", [ctx.value(b)], TileType(ctx.dtype(a.dtype), b.shape))
    return ctx.tile("mma", [ctx.value(t) for t in (a, b, acc)], acc.type, left_signed=signed[0], right_signed=signed[1])


def _product_shapes(ctx: Ctx, x: Shape, y: Shape) -> tuple[Shape, Shape, Shape]:
    """The shapes of both operands with common batch dimensions, and of the product."""
    ctx.path.require(fn("eq", x[-1], y[-2]), "incompatible shapes for a matrix product")
    batch = arith.broadcast_shapes(ctx, x[:-2], y[:-2])
    return (*batch, *x[-2:]), (*batch, *y[-2:]), (*batch, x[-2], y[-1])


def _same_shape(ctx: Ctx, given: Shape, wanted: Shape) -> None:
    if len(given) != len(wanted):
        raise Illegal("the accumulator has not the shape of the matrix product")
    for g, w in zip(given, wanted, strict=True):
        ctx.path.require(fn("eq", g, w), "the accumulator has not the shape of the matrix product")


@lowering("matmul")
def matmul(ctx: Ctx, x: PyValue, y: PyValue) -> PyValue:
    """``ct.matmul`` and ``@``: in the common dtype, accumulated in the dtype that goes with it."""
    a, b = expect_tile(ctx, x, "x"), expect_tile(ctx, y, "y")
    if not a.shape or not b.shape:
        raise Illegal("ct.matmul takes tiles of rank 1 or more")
    rows, columns = len(a.shape) > 1, len(b.shape) > 1
    a_shape = a.shape if rows else (Lit(1), *a.shape)
    b_shape = b.shape if columns else (*b.shape, Lit(1))
    a_shape, b_shape, shape = _product_shapes(ctx, a_shape, b_shape)
    common = arith.promote_dtypes(ctx, a, b)
    if ctx.category(common) is None:
        ctx.prefer_float(common)
    common = ctx.dtype(common)
    ctx.path.require(fn("is_matmul", common), "ct.matmul does not take these dtypes")
    a = arith.fit(ctx, a, TileType(common, a_shape))
    b = arith.fit(ctx, b if columns else arith.reshape_to(ctx, b, (*b.shape, Lit(1))), TileType(common, b_shape))
    acc_type = TileType(ctx.dtype(arith.fold(ctx, "accumulator", common)), shape)
    zero = ctx.tile("const", [], acc_type, value=Lit(0.0 if ctx.category(common) == "float" else 0))
    product = arith.astype(ctx, _mma(ctx, a, b, zero), common)
    return arith.reshape_to(ctx, product, (*shape[:-2], *shape[-2:-1] * rows, *shape[-1:] * columns))


@lowering("mma_scaled")
def mma_scaled(ctx: Ctx, x: PyValue, x_scale: PyValue, y: PyValue, y_scale: PyValue, acc: PyValue) -> PyValue:
    """``ct.mma_scaled``: a matrix product with a scale for each block along K."""
    a, b, c = expect_tile(ctx, x, "x"), expect_tile(ctx, y, "y"), expect_tile(ctx, acc, "acc")
    p, q = expect_tile(ctx, x_scale, "x_scale"), expect_tile(ctx, y_scale, "y_scale")
    if (
        any(len(t.shape) not in (2, 3) for t in (a, b, c, p, q))
        or len(p.shape) != len(a.shape)
        or len(q.shape) != len(b.shape)
    ):
        raise Illegal("ct.mma_scaled takes matrices, or batches of them")
    ctx.path.require(fn("eq", a.dtype, b.dtype), "ct.mma_scaled takes x and y of one dtype")
    ctx.path.require(fn("eq", p.dtype, q.dtype), "ct.mma_scaled takes scales of one dtype")
    ctx.path.require(fn("is_mma_scaled", a.dtype, p.dtype, c.dtype), "ct.mma_scaled does not take these dtypes")
    _blocks(ctx, a, p, -1)
    _blocks(ctx, b, q, -2)
    a_shape, b_shape, shape = _product_shapes(ctx, a.shape, b.shape)
    _same_shape(ctx, c.shape, shape)
    batch = shape[:-2]
    operands = [
        arith.fit(ctx, a, TileType(a.dtype, a_shape)), arith.fit(ctx, b, TileType(b.dtype, b_shape)), c,
        arith.fit(ctx, p, TileType(p.dtype, (*batch, *p.shape[-2:]))),
        arith.fit(ctx, q, TileType(q.dtype, (*batch, *q.shape[-2:]))),
    ]  # fmt: skip
    return ctx.tile("mma_scaled", [ctx.value(t) for t in operands], c.type)


def _blocks(ctx: Ctx, t: Tile, scale: Tile, k: int) -> None:
    """One scale for each block of 16 or 32 elements along axis ``k``; else the shapes are equal."""
    for i, (d, s) in enumerate(zip(t.shape, scale.shape, strict=True)):
        if i != len(t.shape) + k:
            ctx.path.require(fn("eq", d, s), "a scale's shape differs from its operand's in more than the K axis")
    size = fn("is_scale_block", t.dtype, scale.dtype, t.shape[k], scale.shape[k])
    ctx.path.require(size, f"ct.mma_scaled: {show(size)} does not hold")
