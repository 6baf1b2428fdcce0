"""Constructs that join tiles, take parts of them, or see their bytes (``cuda/tile/_ir/ops.py``)."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.shape import constant_tile, product
from cutile2rs.lowering.static import expect_axis, expect_dtype, expect_shape, expect_tile, items_of
from cutile2rs.lowering.values import PyValue, Sequence, Tile

UINT8 = Lit(dt.UINT8)


@lowering("cat")
def cat(ctx: Ctx, tiles: PyValue, axis: PyValue) -> PyValue:
    """``ct.cat`` of at most two tiles of one dtype."""
    if not isinstance(tiles, Sequence):
        raise ctx.refuse("ct.cat takes a tuple of tiles")
    parts = [expect_tile(ctx, i, "a tile to concatenate") for i in tiles.items]
    if not 1 <= len(parts) <= 2:
        raise ctx.refuse("ct.cat takes one or two tiles")
    return parts[0] if len(parts) == 1 else _cat(ctx, parts[0], parts[1], expect_axis(ctx, axis, len(parts[0].shape)))


def _cat(ctx: Ctx, x: Tile, y: Tile, at: int) -> Tile:
    ctx.path.require(fn("eq", x.dtype, y.dtype), "ct.cat takes tiles of one dtype")
    if len(x.shape) != len(y.shape):
        raise Illegal("ct.cat takes tiles of one rank")
    for i, (a, b) in enumerate(zip(x.shape, y.shape, strict=True)):
        if i != at:
            ctx.path.require(fn("eq", a, b), "ct.cat: the tiles differ in more than the axis")
    size = arith.fold(ctx, "add", x.shape[at], y.shape[at])
    ctx.path.require(fn("is_pow2", size), "ct.cat: the result's size is not a power of two")
    shape = (*x.shape[:at], size, *x.shape[at + 1 :])
    return ctx.tile("cat", [ctx.value(x), ctx.value(y)], TileType(x.dtype, shape), axis=at)


@lowering("astile")
def astile(ctx: Ctx, value: PyValue, dtype: PyValue) -> PyValue:
    """``ct.astile``: a scalar in a dtype, or a (nested) tuple of scalars as a tile."""
    d = expect_dtype(ctx, dtype, "dtype")
    shape, scalars = _flatten(ctx, value)
    if any(t.shape for t in scalars):
        raise Illegal("ct.astile takes scalars")
    if not shape:
        return arith.astype(ctx, scalars[0], d)
    constants = {ctx.path.simplify(t.const) for t in scalars if t.const is not None}
    if all(t.const is not None for t in scalars):
        if len(constants) > 1:
            raise ctx.refuse(
                "a tile of different constants has no rule: cuTile Rust 0.5 writes constants of one value",
                code="C2R401",
            )
        return constant_tile(ctx, constants.pop(), TileType(d, shape))
    return arith.reshape_to(ctx, _joined(ctx, [arith.astype(ctx, t, d) for t in scalars]), shape)


def _flatten(ctx: Ctx, value: PyValue) -> tuple[tuple[Expr, ...], list[Tile]]:
    """The shape of nested tuples, and their scalars in order."""
    if not isinstance(value, Sequence):
        return (), [expect_tile(ctx, value, "value")]
    n = len(value.items)
    if n == 0 or n & (n - 1):
        raise Illegal("ct.astile takes tuples whose lengths are powers of two")
    parts = [_flatten(ctx, i) for i in value.items]
    if any(shape != parts[0][0] for shape, _ in parts):
        raise Illegal("ct.astile takes tuples of one shape")
    return (Lit(n), *parts[0][0]), [t for _, scalars in parts for t in scalars]


def _joined(ctx: Ctx, tiles: list[Tile]) -> Tile:
    if len(tiles) == 1:
        return arith.reshape_to(ctx, tiles[0], (Lit(1),))
    middle = len(tiles) // 2
    left = _joined(ctx, tiles[:middle])
    return _cat(ctx, left, _joined(ctx, tiles[middle:]), 0)


@lowering("extract")
def extract(ctx: Ctx, x: PyValue, index: PyValue, shape: PyValue) -> PyValue:
    """``ct.extract``: a sub-tile at an index in units of the sub-tile."""
    t, dims = expect_tile(ctx, x, "x"), expect_shape(ctx, shape)
    box = dims or (Lit(1),) * len(t.shape)
    where = [ctx.value(i) for i in _index(ctx, t, box, index)]
    return arith.reshape_to(ctx, ctx.tile("extract", [ctx.value(t), *where], TileType(t.dtype, box)), dims)


@lowering("insert")
def insert(ctx: Ctx, x: PyValue, index: PyValue, value: PyValue) -> PyValue:
    """``ct.insert``: the tile with a sub-tile replaced."""
    t, part = expect_tile(ctx, x, "x"), expect_tile(ctx, value, "value")
    ctx.path.require(fn("eq", t.dtype, part.dtype), "ct.insert takes tiles of one dtype")
    if not part.shape:
        part = arith.reshape_to(ctx, part, (Lit(1),) * len(t.shape))
    if len(part.shape) != len(t.shape):
        raise Illegal("the value's rank does not match the tile's")
    where = [ctx.value(i) for i in _index(ctx, t, part.shape, index)]
    return ctx.tile("insert", [ctx.value(part), ctx.value(t), *where], t.type)


def _index(ctx: Ctx, t: Tile, box: tuple[Expr, ...], index: PyValue) -> list[Tile]:
    """The index of a sub-tile, checked as far as it is known."""
    where = [expect_tile(ctx, i, "index") for i in items_of(ctx, index)]
    if len(where) != len(t.shape) or len(box) != len(t.shape):
        raise Illegal("the index does not match the tile's rank")
    for i, d, b in zip(where, t.shape, box, strict=True):
        ctx.path.require(
            fn("eq", arith.fold(ctx, "mod", d, b), Lit(0)), "the sub-tile's shape does not divide the tile's"
        )
        ctx.path.require(fn("is_integral", i.dtype), "an index must be an integer")
        if i.shape:
            raise Illegal("an index must be a scalar")
        if i.const is not None:
            ctx.path.require(fn("ge", i.const, Lit(0)), "the index is out of bounds")
            ctx.path.require(fn("lt", i.const, arith.fold(ctx, "floordiv", d, b)), "the index is out of bounds")
    return [arith.astype(ctx, i, arith.INT32) for i in where]


@lowering("item")
def item(ctx: Ctx, x: PyValue) -> PyValue:
    """``x.item()``: a one-element tile as a scalar."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("eq", product(ctx, t.shape), Lit(1)), "item() of a tile with more than one element")
    return arith.reshape_to(ctx, t, ())


@lowering("bitcast")
def bitcast(ctx: Ctx, x: PyValue, dtype: PyValue) -> PyValue:
    """``ct.bitcast``: same width, other type."""
    t, target = expect_tile(ctx, x, "x"), expect_dtype(ctx, dtype, "dtype")
    for d in (t.dtype, target):
        ctx.path.require(fn("not", fn("is_bool", d)), "bitcast from or to bool")
    ctx.path.require(fn("eq", fn("bits", t.dtype), fn("bits", target)), "bitcast between different widths")
    return _bitcast(ctx, t, target)


def _bitcast(ctx: Ctx, t: Tile, target: Expr) -> Tile:
    if ctx.dtype(t.dtype) == ctx.dtype(target):
        return t
    return ctx.tile("bitcast", [ctx.value(t)], TileType(ctx.dtype(target), t.shape))


@lowering("pack_to_bytes")
def pack_to_bytes(ctx: Ctx, x: PyValue) -> PyValue:
    """``ct.pack_to_bytes``: a tile's bytes, in one dimension."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("not", fn("is_bool", t.dtype)), "bools cannot be packed")
    size = product(ctx, t.shape)
    t = arith.reshape_to(ctx, t, (size,))
    if ctx.path.decide(fn("eq", fn("bits", t.dtype), Lit(8))):
        return _bitcast(ctx, t, UINT8)
    bits = arith.fold(ctx, "mul", size, fn("bits", ctx.dtype(t.dtype)))
    return ctx.tile("pack", [ctx.value(t)], TileType(UINT8, (_divided(ctx, bits, Lit(8)),)))


@lowering("unpack_from_bytes")
def unpack_from_bytes(ctx: Ctx, x: PyValue, dtype: PyValue) -> PyValue:
    """``ct.unpack_from_bytes``: bytes as numbers of a dtype."""
    t, target = expect_tile(ctx, x, "x"), expect_dtype(ctx, dtype, "dtype")
    if len(t.shape) != 1:
        raise Illegal("unpack_from_bytes takes a tile of rank 1")
    ctx.path.require(fn("eq", t.dtype, UINT8), "unpack_from_bytes takes uint8")
    ctx.path.require(fn("not", fn("is_bool", target)), "bytes cannot be unpacked to bools")
    if ctx.path.decide(fn("eq", fn("bits", target), Lit(8))):
        return _bitcast(ctx, t, target)
    bits = arith.fold(ctx, "mul", t.shape[0], Lit(8))
    size = _divided(ctx, bits, fn("bits", ctx.dtype(target)))
    return ctx.tile("unpack", [ctx.value(t)], TileType(ctx.dtype(target), (size,)))


def _divided(ctx: Ctx, bits: Expr, width: Expr) -> Expr:
    ctx.path.require(fn("eq", arith.fold(ctx, "mod", bits, width), Lit(0)), "the bits do not make whole elements")
    return arith.fold(ctx, "floordiv", bits, width)
