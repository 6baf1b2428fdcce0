"""Loads and stores of whole tiles: by tile index, through tiled views, and with one sparse dimension."""

from __future__ import annotations

from typing import Any

from cutile2rs.ir.core import TileType, TokenType, Value
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.arrays import box_of, expect_array, rank_of
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.memory import handle_of, latency_of, order_and_scope
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import (
    expect_axis,
    expect_const,
    expect_enum,
    expect_flag,
    expect_shape,
    expect_tile,
    is_none,
    items_of,
)
from cutile2rs.lowering.values import ArrayValue, IndexSlice, PyValue, Static, Tile, TiledView, describe

_LOAD_ORDERS = ("WEAK", "RELAXED", "ACQUIRE")
_STORE_ORDERS = ("WEAK", "RELAXED", "RELEASE")


def order_of(ctx: Ctx, v: PyValue, rank: int) -> tuple[int, ...]:
    """The array's axes in the order of the tile's."""
    if v == Static("C"):
        return tuple(range(rank))
    if v == Static("F"):
        return tuple(reversed(range(rank)))
    axes = tuple(expect_axis(ctx, i, rank, "order") for i in items_of(ctx, v))
    if sorted(axes) != list(range(rank)):
        raise Illegal("order is no permutation of the array's axes")
    return axes


def _hints(ctx: Ctx, latency: PyValue, allow_tma: PyValue) -> dict[str, Any]:
    tma = None if is_none(allow_tma) else expect_flag(ctx, allow_tma, "allow_tma")
    return {"latency": latency_of(ctx, latency), "allow_tma": tma}


def index_of(ctx: Ctx, index: PyValue) -> list[Value]:
    """An index in tile units: i32 scalars."""
    scalars = [expect_tile(ctx, i, "an index") for i in items_of(ctx, index)]
    for s in scalars:
        if s.shape:
            raise Illegal("an index in tile units must be a scalar")
        ctx.path.require(fn("is_integral", s.dtype), "an index must be an integer")
        ctx.path.require(fn("is_signed", s.dtype), "an index in tile units must be a signed integer")
    return [ctx.value(arith.astype(ctx, s, arith.INT32)) for s in scalars]


def _box(ctx: Ctx, owner: ArrayValue, dims: tuple[Expr, ...], what: str) -> tuple[Expr, ...]:
    rank = rank_of(ctx, owner.array)
    if dims and len(dims) != rank:
        raise ctx.refuse(f"`{owner.array.name}` has {rank} dimensions, but {what} has {len(dims)}", code="C2R205")
    return dims or (Lit(1),) * rank


@lowering("load")
def load(
    ctx: Ctx, array: PyValue, index: PyValue, shape: PyValue, order: PyValue, padding_mode: PyValue, check_bounds: PyValue,
    latency: PyValue, allow_tma: PyValue, memory_order: PyValue, memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.load``: a tile at an index in tile units."""
    a = expect_array(ctx, array, len(items_of(ctx, index)))
    dims = expect_shape(ctx, shape)
    box = _box(ctx, a, dims, "the tile shape")
    attrs: dict[str, Any] = {
        "order": order_of(ctx, order, len(box)), "check_bounds": expect_flag(ctx, check_bounds, "check_bounds"),
        **_hints(ctx, latency, allow_tma), **order_and_scope(ctx, memory_order, memory_scope, _LOAD_ORDERS),
        "padding": expect_enum(ctx, padding_mode, "PaddingMode", "padding_mode"),
    }  # fmt: skip
    return arith.reshape_to(ctx, _load_tile(ctx, a, index_of(ctx, index), box, attrs), dims)


def _load_tile(ctx: Ctx, a: ArrayValue, where: list[Value], box: tuple[Expr, ...], attrs: dict[str, Any]) -> Tile:
    if attrs["padding"] not in ("UNDETERMINED", "ZERO"):
        reason = f"cuTile Rust 0.5 pads integers with zeros only, not with {attrs['padding']}"
        if not ctx.prefer(fn("is_float", a.array.dtype), reason):
            raise ctx.no_rule(reason)
    type_ = TileType(ctx.dtype(a.array.dtype), box)
    op = ctx.emit("load_view", [*where, *handle_of(a)], [type_, TokenType()], array=a.array, **attrs)
    return Tile(type_, op.result)


@lowering("store")
def store(
    ctx: Ctx, array: PyValue, index: PyValue, tile: PyValue, order: PyValue, check_bounds: PyValue, latency: PyValue,
    allow_tma: PyValue, memory_order: PyValue, memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.store``: the tile is cast to the array's dtype where that widens."""
    a = expect_array(ctx, array, len(items_of(ctx, index)))
    t = arith.implicit_cast(ctx, expect_tile(ctx, tile, "tile"), ctx.dtype(a.array.dtype), "the stored tile")
    box = _box(ctx, a, t.shape, "the stored tile")
    attrs: dict[str, Any] = {
        "order": order_of(ctx, order, len(box)), "check_bounds": expect_flag(ctx, check_bounds, "check_bounds"),
        **_hints(ctx, latency, allow_tma), **order_and_scope(ctx, memory_order, memory_scope, _STORE_ORDERS),
    }  # fmt: skip
    where = index_of(ctx, index)
    _store_tile(ctx, a, where, arith.reshape_to(ctx, t, box), attrs)
    return Static(None)


def _store_tile(ctx: Ctx, a: ArrayValue, where: list[Value], t: Tile, attrs: dict[str, Any]) -> None:
    ctx.emit("store_view", [ctx.value(t), *where, *handle_of(a)], [TokenType()], array=a.array, **attrs)


@lowering("num_tiles")
def num_tiles(ctx: Ctx, array: PyValue, axis: PyValue, shape: PyValue, order: PyValue) -> PyValue:
    """``ct.num_tiles``: how many tiles of ``shape`` cover the array along an axis."""
    dims = expect_shape(ctx, shape)
    a = expect_array(ctx, array, len(dims) or None)
    box = _box(ctx, a, dims, "the tile shape")
    return _num_tiles(ctx, a, expect_axis(ctx, axis, len(box)), box, order_of(ctx, order, len(box)), None)


def _num_tiles(
    ctx: Ctx, a: ArrayValue, axis: int, box: tuple[Expr, ...], order: tuple[int, ...], steps: tuple[Expr, ...] | None
) -> Tile:
    type_ = TileType(arith.INT32)
    return ctx.tile("num_tiles", handle_of(a), type_, array=a.array, axis=axis, shape=box, order=order, steps=steps)


# -- tiled views -------------------------------------------------------------------------------------------------------


def expect_view(ctx: Ctx, v: PyValue, index: PyValue | None = None) -> TiledView:
    """A tiled view; an index into it has the array's rank."""
    if not isinstance(v, TiledView):
        raise ctx.refuse(f"a tiled view is expected here, not {describe(v)}")
    if index is not None:
        expect_array(ctx, v.owner, len(items_of(ctx, index)))
    return v


@lowering("view_num_tiles")
def view_num_tiles(ctx: Ctx, self: PyValue, axis: PyValue) -> PyValue:
    """``view.num_tiles(axis)``."""
    v = expect_view(ctx, self)
    box = box_of(ctx, v)
    at = expect_axis(ctx, axis, len(box))
    return _num_tiles(ctx, v.owner, at, box, tuple(range(len(box))), v.steps)


@lowering("view_load")
def view_load(
    ctx: Ctx, self: PyValue, index: PyValue, check_bounds: PyValue, latency: PyValue, allow_tma: PyValue
) -> PyValue:
    """``view.load(index)``."""
    v = expect_view(ctx, self, index)
    box = box_of(ctx, v)
    attrs: dict[str, Any] = {
        "order": tuple(range(len(box))), "check_bounds": expect_flag(ctx, check_bounds, "check_bounds"),
        **_hints(ctx, latency, allow_tma), "padding": v.padding, "steps": v.steps,
    }  # fmt: skip
    return arith.reshape_to(ctx, _load_tile(ctx, v.owner, index_of(ctx, index), box, attrs), v.shape)


@lowering("view_store")
def view_store(
    ctx: Ctx, self: PyValue, index: PyValue, tile: PyValue, check_bounds: PyValue, latency: PyValue, allow_tma: PyValue
) -> PyValue:
    """``view.store(index, tile)``: the tile is broadcast first, then cast."""
    v = expect_view(ctx, self, index)
    box = box_of(ctx, v)
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    t = arith.broadcast_to(ctx, expect_tile(ctx, tile, "tile"), v.shape)
    t = arith.implicit_cast(ctx, t, ctx.dtype(v.owner.array.dtype), "the stored tile")
    attrs: dict[str, Any] = {
        "order": tuple(range(len(box))), "check_bounds": checked, **_hints(ctx, latency, allow_tma), "steps": v.steps,
    }  # fmt: skip
    where = index_of(ctx, index)
    _store_tile(ctx, v.owner, where, arith.reshape_to(ctx, t, box), attrs)
    return Static(None)


# -- one sparse dimension ----------------------------------------------------------------------------------------------


@lowering("index_slice")
def index_slice(ctx: Ctx, start: PyValue, length: PyValue) -> PyValue:
    """``ct.Slice(start, length)``."""
    return IndexSlice(expect_tile(ctx, start, "start"), expect_tile(ctx, length, "length"))


def _sparse_index(ctx: Ctx, a: ArrayValue, indices: PyValue) -> tuple[list[Value], tuple[Expr, ...], int]:
    """The index values, the tile's shape, and which dimension is the sparse one."""
    items = items_of(ctx, indices)
    where: list[Value] = []
    shape: list[Expr] = []
    sparse: list[int] = []
    for dim, item in enumerate(items):
        if isinstance(item, Tile) and len(item.shape) == 1:
            ctx.path.require(fn("is_integral", item.dtype), "an index must be an integer")
            sparse.append(dim)
            shape.append(item.shape[0])
            where.append(ctx.value(arith.astype(ctx, item, arith.INT32)))
        elif isinstance(item, IndexSlice):
            length = expect_const(ctx, item.length, "the length of a ct.Slice")
            ctx.path.require(fn("is_pow2", length), "the length of a ct.Slice is not a power of two")
            shape.append(length)
            where += index_of(ctx, item.start)
        else:
            raise ctx.refuse(f"an index here is a 1-d tile or a ct.Slice, not {describe(item)}")
    if len(sparse) != 1 or len(items) < 2:
        raise Illegal("advanced indexing takes exactly one 1-d tile as an index, of an array of rank 2 or more")
    return where, tuple(shape), sparse[0]


@lowering("load_advanced")
def load_advanced(
    ctx: Ctx, array: PyValue, indices: PyValue, padding_mode: PyValue, latency: PyValue, allow_tma: PyValue
) -> PyValue:
    """``ct.load_advanced_indexing``: rows picked by a tile of indices."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    where, shape, sparse = _sparse_index(ctx, a, indices)
    padding = expect_enum(ctx, padding_mode, "PaddingMode", "padding_mode")
    attrs: dict[str, Any] = {
        "order": tuple(range(len(shape))), "check_bounds": True, "padding": padding, **_hints(ctx, latency, allow_tma),
        "sparse": sparse,
    }  # fmt: skip
    return _load_tile(ctx, a, where, shape, attrs)


@lowering("store_advanced")
def store_advanced(
    ctx: Ctx, array: PyValue, indices: PyValue, tile: PyValue, latency: PyValue, allow_tma: PyValue
) -> PyValue:
    """``ct.store_advanced_indexing``."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    where, shape, sparse = _sparse_index(ctx, a, indices)
    t = expect_tile(ctx, tile, "tile")
    if len(t.shape) != len(shape):
        raise Illegal("the stored tile does not match the indices")
    for d, e in zip(t.shape, shape, strict=True):
        ctx.path.require(fn("eq", d, e), "the stored tile does not match the indices")
    t = arith.implicit_cast(ctx, t, ctx.dtype(a.array.dtype), "the stored tile")
    attrs: dict[str, Any] = {
        "order": tuple(range(len(shape))), "check_bounds": True, **_hints(ctx, latency, allow_tma), "sparse": sparse,
    }  # fmt: skip
    _store_tile(ctx, a, where, t, attrs)
    return Static(None)
