"""Loads, stores, gathers and scatters. Tokens are added later, by the token-order pass."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, TileType, TokenType, Value
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import (
    expect_axis,
    expect_enum,
    expect_flag,
    expect_int,
    expect_shape,
    expect_tile,
    is_none,
    items_of,
    optional_int,
)
from cutile2rs.lowering.values import ArrayValue, PyValue, Sequence, Static, Tile, describe

UINT64 = Lit(dt.UINT64)


def expect_array(ctx: Ctx, v: PyValue, rank: int | None = None) -> Array:
    """An array parameter, of the rank that its use shows."""
    if not isinstance(v, ArrayValue):
        raise ctx.refuse(f"an array is expected here, not {describe(v)}")
    if rank is not None and rank != v.array.rank:
        raise ctx.refuse(f"`{v.array.name}` has {v.array.rank} dimensions, but {rank} indices are given here", code="C2R205")
    return v.array


def _latency(ctx: Ctx, v: PyValue) -> int | None:
    n = optional_int(ctx, v, "latency")
    if n is not None and not 1 <= n <= 10:
        raise Illegal(f"latency must be between 1 and 10, not {n}")
    return n


def _order(ctx: Ctx, v: PyValue, rank: int) -> tuple[int, ...]:
    if v == Static("C"):
        return tuple(range(rank))
    if v == Static("F"):
        return tuple(reversed(range(rank)))
    axes = tuple(expect_axis(ctx, i, rank, "order") for i in items_of(ctx, v))
    if sorted(axes) != list(range(rank)):
        raise Illegal("order is no permutation of the array's axes")
    return axes


def _view_attrs(
    ctx: Ctx, array: Array, order: PyValue, check_bounds: PyValue, latency: PyValue, allow_tma: PyValue,
    memory_order: PyValue, memory_scope: PyValue,
) -> dict[str, object]:  # fmt: skip
    mem_order = expect_enum(ctx, memory_order, "MemoryOrder", "memory_order")
    mem_scope = expect_enum(ctx, memory_scope, "MemoryScope", "memory_scope")
    if mem_order != "WEAK" or mem_scope != "NONE":
        raise ctx.refuse("memory orders other than WEAK have no rule yet", code="C2R401")
    tma = None if is_none(allow_tma) else expect_flag(ctx, allow_tma, "allow_tma")
    return {
        "array": array, "order": _order(ctx, order, array.rank), "check_bounds": expect_flag(ctx, check_bounds, "check_bounds"),
        "latency": _latency(ctx, latency), "allow_tma": tma,
    }  # fmt: skip


def _index(ctx: Ctx, index: PyValue) -> list[Value]:
    scalars = [expect_tile(ctx, i, "an index") for i in items_of(ctx, index)]
    for s in scalars:
        ctx.path.require(fn("is_integral", s.dtype), "an index must be an integer")
    return [ctx.value(arith.astype(ctx, s, arith.INT32)) for s in scalars]


@lowering("load")
def load(
    ctx: Ctx, array: PyValue, index: PyValue, shape: PyValue, order: PyValue, padding_mode: PyValue, check_bounds: PyValue,
    latency: PyValue, allow_tma: PyValue, memory_order: PyValue, memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.load``: a tile at an index in tile units."""
    a = expect_array(ctx, array, len(items_of(ctx, index)))
    dims = expect_shape(ctx, shape)
    box = dims or (Lit(1),) * a.rank
    if len(box) != a.rank:
        raise ctx.refuse(f"`{a.name}` has {a.rank} dimensions, but the tile shape has {len(box)}", code="C2R205")
    attrs = _view_attrs(ctx, a, order, check_bounds, latency, allow_tma, memory_order, memory_scope)
    attrs["padding"] = expect_enum(ctx, padding_mode, "PaddingMode", "padding_mode")
    type_ = TileType(ctx.dtype(a.dtype), box)
    op = ctx.emit("load_view", _index(ctx, index), [type_, TokenType()], **attrs)
    return arith.reshape_to(ctx, Tile(type_, op.result), dims)


@lowering("store")
def store(
    ctx: Ctx, array: PyValue, index: PyValue, tile: PyValue, order: PyValue, check_bounds: PyValue, latency: PyValue,
    allow_tma: PyValue, memory_order: PyValue, memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.store``: the tile is cast to the array's dtype where that widens."""
    a = expect_array(ctx, array, len(items_of(ctx, index)))
    t = arith.implicit_cast(ctx, expect_tile(ctx, tile, "tile"), ctx.dtype(a.dtype), "the stored tile")
    attrs = _view_attrs(ctx, a, order, check_bounds, latency, allow_tma, memory_order, memory_scope)
    where = _index(ctx, index)
    box = t.shape or (Lit(1),) * a.rank
    if len(box) != a.rank:
        raise ctx.refuse(f"`{a.name}` has {a.rank} dimensions, but the stored tile has {len(box)}", code="C2R205")
    t = arith.reshape_to(ctx, t, box)
    ctx.emit("store_view", [ctx.value(t), *where], [TokenType()], **attrs)
    return Static(None)


def _pointer_indices(ctx: Ctx, array: Array, indices: PyValue) -> tuple[list[Value], tuple[Expr, ...]]:
    """Indices as u64 tiles of their common shape: sign-extended, so that a negative one is out of bounds."""
    tiles = [expect_tile(ctx, i, "an index") for i in items_of(ctx, indices)]
    shape: tuple[Expr, ...] = ()
    for t in tiles:
        ctx.path.require(fn("is_integral", t.dtype), "an index must be an integer")
        shape = arith.broadcast_shapes(ctx, shape, t.shape)
    return [_as_index(ctx, t, shape) for t in tiles], shape


def _as_index(ctx: Ctx, t: Tile, shape: tuple[Expr, ...]) -> Value:
    if not t.shape and ctx.dtype(t.dtype) == arith.INT32:
        return ctx.emit("index", [ctx.value(t)], [TileType(UINT64, shape)]).result
    return ctx.value(arith.broadcast_to(ctx, arith.astype(ctx, t, UINT64), shape))


def _mask(ctx: Ctx, mask: PyValue, shape: tuple[Expr, ...]) -> list[Value]:
    if is_none(mask):
        return []
    m = expect_tile(ctx, mask, "mask")
    if ctx.dtype(m.dtype) != arith.BOOL:
        raise Illegal("a mask must be boolean")
    return [ctx.value(arith.broadcast_to(ctx, m, shape))]


@lowering("gather")
def gather(
    ctx: Ctx, array: PyValue, indices: PyValue, mask: PyValue, padding_value: PyValue, check_bounds: PyValue, latency: PyValue
) -> PyValue:
    """``ct.gather``: elements at index tiles; out-of-bounds and masked-off ones are the padding value."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape = _pointer_indices(ctx, a, indices)
    masks = _mask(ctx, mask, shape)
    dtype = ctx.dtype(a.dtype)
    padding = arith.implicit_cast(ctx, expect_tile(ctx, padding_value, "padding_value"), dtype, "padding_value")
    pad = ctx.value(arith.broadcast_to(ctx, padding, shape))
    type_ = TileType(ctx.dtype(dtype), shape)
    op = ctx.emit(
        "load_ptr", [*where, *masks, pad], [type_, TokenType()],
        array=a, check_bounds=checked, masked=bool(masks), latency=_latency(ctx, latency),
    )  # fmt: skip
    return Tile(type_, op.result)


@lowering("scatter")
def scatter(
    ctx: Ctx, array: PyValue, indices: PyValue, value: PyValue, mask: PyValue, check_bounds: PyValue, latency: PyValue
) -> PyValue:
    """``ct.scatter``: the value is cast (widening only) and broadcast to the index shape."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape = _pointer_indices(ctx, a, indices)
    masks = _mask(ctx, mask, shape)
    t = arith.implicit_cast(ctx, expect_tile(ctx, value, "value"), ctx.dtype(a.dtype), "the stored value")
    t = arith.broadcast_to(ctx, t, shape)
    ctx.emit(
        "store_ptr", [*where, *masks, ctx.value(t)], [TokenType()],
        array=a, check_bounds=checked, masked=bool(masks), latency=_latency(ctx, latency),
    )  # fmt: skip
    return Static(None)


@lowering("num_tiles")
def num_tiles(ctx: Ctx, array: PyValue, axis: PyValue, shape: PyValue, order: PyValue) -> PyValue:
    """``ct.num_tiles``: how many tiles of ``shape`` cover the array along an axis."""
    dims = expect_shape(ctx, shape)
    a = expect_array(ctx, array, len(dims))
    at = expect_axis(ctx, axis, a.rank)
    return ctx.tile("num_tiles", [], TileType(arith.INT32), array=a, axis=at, shape=dims, order=_order(ctx, order, a.rank))


def extent(ctx: Ctx, array: Array, what: str, axis: int) -> Tile:
    """``x.shape[axis]`` or ``x.strides[axis]``: a run-time i32."""
    return ctx.tile("extent", [], TileType(arith.INT32), array=array, what=what, axis=axis)


def extents(ctx: Ctx, array: Array, what: str) -> Sequence:
    """All of ``x.shape`` or ``x.strides``."""
    return Sequence(tuple(extent(ctx, array, what, i) for i in range(array.rank)))


def array_index(ctx: Ctx, v: PyValue, rank: int) -> int:
    """A literal index into an array's shape."""
    i = expect_int(ctx, v, "the index of a shape")
    if not -rank <= i < rank:
        raise Illegal("shape index out of range")
    return i % rank
