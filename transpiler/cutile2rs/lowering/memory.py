"""Gathers and scatters, and what all memory operations share. Tokens are added later, by the token-order pass."""

from __future__ import annotations

from typing import Any

from cutile2rs.ir.core import TileType, TokenType, Value
from cutile2rs.ir.expr import Expr, Lit, fn, kind, show
from cutile2rs.lowering import arith
from cutile2rs.lowering.arrays import UINT64, expect_array, is_int
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_const, expect_enum, expect_flag, expect_tile, is_none, items_of
from cutile2rs.lowering.values import ArrayValue, PyValue, RawMemory, Static, Tile, describe

#: Memory scopes that go with an order other than WEAK.
SCOPES = ("BLOCK", "DEVICE", "SYS")


def latency_of(ctx: Ctx, v: PyValue) -> Expr | None:
    """A latency hint; one that only the launch knows becomes a const generic."""
    if is_none(v):
        return None
    n = expect_const(ctx, v, "latency")
    if kind(n) != "int":
        ctx.path.require(fn("kind_int", n), "latency must be an int")
    for condition in (fn("ge", n, Lit(1)), fn("le", n, Lit(10))):
        ctx.path.require(condition, "latency must be between 1 and 10")
    return n


def order_and_scope(ctx: Ctx, order: PyValue, scope: PyValue, valid: tuple[str, ...]) -> dict[str, Any]:
    """Memory order and scope as attributes; none of both for weak accesses."""
    mem_order = expect_enum(ctx, order, "MemoryOrder", "memory_order")
    mem_scope = expect_enum(ctx, scope, "MemoryScope", "memory_scope")
    if mem_order not in valid:
        raise Illegal(f"memory order {mem_order} is not allowed here")
    if (mem_order == "WEAK") is not (mem_scope == "NONE"):
        raise Illegal("a memory scope goes with every memory order but WEAK")
    return {} if mem_order == "WEAK" else {"memory_order": mem_order, "memory_scope": mem_scope}


def handle_of(owner: ArrayValue) -> list[Value]:
    """The last operand of an operation on a slice or an item of a list; operations on parameters have none."""
    return [] if owner.handle is None else [owner.handle]


def indices_of(ctx: Ctx, indices: PyValue) -> tuple[list[Value], tuple[Expr, ...]]:
    """Indices as u64 tiles of their common shape: sign-extended, so that a negative one is out of bounds."""
    tiles, shape = _common(ctx, indices)
    return [_as_index(ctx, t, shape) for t in tiles], shape


def _common(ctx: Ctx, indices: PyValue) -> tuple[list[Tile], tuple[Expr, ...]]:
    """The indices, and the shape that all are broadcast to."""
    tiles = [expect_tile(ctx, i, "an index") for i in items_of(ctx, indices)]
    shape: tuple[Expr, ...] = ()
    for t in tiles:
        ctx.path.require(fn("is_integral", t.dtype), "an index must be an integer")
        shape = arith.broadcast_shapes(ctx, shape, t.shape)
    return tiles, shape


def elements_of(
    ctx: Ctx, a: ArrayValue, indices: PyValue, checked: bool
) -> tuple[list[Value], tuple[Expr, ...], dict[str, Any]]:
    """Which elements of an array are meant, the shape of the index tiles, and attributes that say so: the indices, or for
    several axes of a parameter the elements' offset and (where it is checked) whether each is in bounds. One axis is done
    with before the next one's index is widened, as in cuTile: the order shows in machine code."""
    tiles, shape = _common(ctx, indices)
    if len(tiles) < 2 or a.handle is not None:
        return [_as_index(ctx, t, shape) for t in tiles], shape, {}
    offset: Value | None = None
    inside: Value | None = None
    for axis, t in enumerate(tiles):
        index = _as_index(ctx, t, shape)
        attrs: dict[str, Any] = {"array": a.array, "axis": axis}
        if checked:
            within = ctx.emit("within", [index], [TileType(arith.BOOL, shape)], **attrs).result
            inside = within if inside is None else ctx.emit("bitand", [inside, within], [within.type]).result
            inside.hint = f"{a.array.name}_inside"
        along = ctx.emit("along", [index], [TileType(UINT64, shape)], **attrs).result
        offset = along if offset is None else ctx.emit("add", [offset, along], [along.type]).result
        offset.hint = f"{a.array.name}_offset"
    assert offset is not None
    return [offset] if inside is None else [offset, inside], shape, {"located": True}


def _as_index(ctx: Ctx, t: Tile, shape: tuple[Expr, ...]) -> Value:
    if not t.shape and is_int(ctx, t):
        return ctx.emit("index", [ctx.value(t)], [TileType(UINT64, shape)]).result
    # Hardly anyone has indices of this dtype, for which the cast would be none.
    ctx.prefer(fn("not", fn("eq", t.dtype, UINT64)), f"`{show(t.dtype)}` of uint64 is not converted as an index")
    return ctx.value(arith.broadcast_to(ctx, arith.astype(ctx, t, UINT64), shape))


def mask_of(ctx: Ctx, mask: PyValue, shape: tuple[Expr, ...]) -> list[Value]:
    """The mask as a tile of the indices' shape, if there is one."""
    if is_none(mask):
        return []
    m = expect_tile(ctx, mask, "mask")
    if ctx.dtype(m.dtype) != arith.BOOL:
        raise Illegal("a mask must be boolean")
    return [ctx.value(arith.broadcast_to(ctx, m, shape))]


def fitted(ctx: Ctx, v: PyValue, dtype: Expr, shape: tuple[Expr, ...], what: str) -> Value:
    """A value to store or to pad with: cast (widening only) and broadcast to the shape of the indices."""
    t = arith.implicit_cast(ctx, expect_tile(ctx, v, what), dtype, what)
    return ctx.value(arith.broadcast_to(ctx, t, shape))


@lowering("gather")
def gather(
    ctx: Ctx,
    array: PyValue,
    indices: PyValue,
    mask: PyValue,
    padding_value: PyValue,
    check_bounds: PyValue,
    latency: PyValue,
) -> PyValue:
    """``ct.gather``: elements at index tiles; out-of-bounds and masked-off ones are the padding value."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape, how = elements_of(ctx, a, indices, checked)
    masks = mask_of(ctx, mask, shape)
    dtype = ctx.dtype(a.array.dtype)
    pad = fitted(ctx, padding_value, dtype, shape, "padding_value")
    type_ = TileType(ctx.dtype(dtype), shape)
    op = ctx.emit(
        "load_ptr", [*where, *masks, pad, *handle_of(a)], [type_, TokenType()],
        array=a.array, check_bounds=checked, masked=bool(masks), latency=latency_of(ctx, latency), **how,
    )  # fmt: skip
    return Tile(type_, op.result)


@lowering("scatter")
def scatter(
    ctx: Ctx, array: PyValue, indices: PyValue, value: PyValue, mask: PyValue, check_bounds: PyValue, latency: PyValue
) -> PyValue:
    """``ct.scatter``: the value is cast (widening only) and broadcast to the index shape."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape, how = elements_of(ctx, a, indices, checked)
    masks = mask_of(ctx, mask, shape)
    stored = fitted(ctx, value, ctx.dtype(a.array.dtype), shape, "the stored value")
    ctx.emit(
        "store_ptr", [*where, *masks, stored, *handle_of(a)], [TokenType()],
        array=a.array, check_bounds=checked, masked=bool(masks), latency=latency_of(ctx, latency), **how,
    )  # fmt: skip
    return Static(None)


# -- raw memory --------------------------------------------------------------------------------------------------------


def expect_memory(ctx: Ctx, v: PyValue) -> ArrayValue:
    """The array whose memory it is."""
    if not isinstance(v, RawMemory):
        raise ctx.refuse(f"raw memory is expected here, not {describe(v)}")
    return v.owner


def offset_of(ctx: Ctx, offset: PyValue) -> tuple[Value, tuple[Expr, ...]]:
    """An offset in elements, as a u64 tile."""
    [where], shape = indices_of(ctx, expect_tile(ctx, offset, "offset"))
    return where, shape


@lowering("load_offset")
def load_offset(
    ctx: Ctx, self: PyValue, offset: PyValue, mask: PyValue, padding_value: PyValue, latency: PyValue
) -> PyValue:
    """``memory.load_offset``: elements at offsets from the base; nothing is checked."""
    a = expect_memory(ctx, self)
    where, shape = offset_of(ctx, offset)
    masks = mask_of(ctx, mask, shape)
    dtype = ctx.dtype(a.array.dtype)
    pads = [] if is_none(padding_value) else [fitted(ctx, padding_value, dtype, shape, "padding_value")]
    type_ = TileType(ctx.dtype(dtype), shape)
    op = ctx.emit(
        "load_ptr", [where, *masks, *pads, *handle_of(a)], [type_, TokenType()], array=a.array, raw=True,
        check_bounds=False, masked=bool(masks), padded=bool(pads), latency=latency_of(ctx, latency),
    )  # fmt: skip
    return Tile(type_, op.result)


@lowering("store_offset")
def store_offset(ctx: Ctx, self: PyValue, offset: PyValue, value: PyValue, mask: PyValue, latency: PyValue) -> PyValue:
    """``memory.store_offset``."""
    a = expect_memory(ctx, self)
    where, shape = offset_of(ctx, offset)
    masks = mask_of(ctx, mask, shape)
    stored = fitted(ctx, value, ctx.dtype(a.array.dtype), shape, "the stored value")
    ctx.emit(
        "store_ptr", [where, *masks, stored, *handle_of(a)], [TokenType()], array=a.array, raw=True,
        check_bounds=False, masked=bool(masks), latency=latency_of(ctx, latency),
    )  # fmt: skip
    return Static(None)
