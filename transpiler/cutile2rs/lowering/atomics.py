"""Atomic operations: on elements at index tiles, at offsets of raw memory, and on tiles of a view."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import TileType, TokenType, Value
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.arrays import box_of, expect_array
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.memory import (
    elements_of,
    expect_memory,
    fitted,
    handle_of,
    mask_of,
    offset_of,
    order_and_scope,
)
from cutile2rs.lowering.memory_views import expect_view, index_of
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_flag, expect_tile, items_of
from cutile2rs.lowering.values import ArrayValue, PyValue, Static, Tile

_ORDERS = ("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL")
_INTEGERS = (dt.INT32, dt.INT64, dt.UINT32, dt.UINT64)
_NUMBERS = (*_INTEGERS, dt.FLOAT32, dt.FLOAT64)
_DTYPES = {"add": (*_NUMBERS, dt.FLOAT16, dt.BFLOAT16), "xchg": _NUMBERS, "cas": _NUMBERS}
_BITWISE = frozenset({"and", "or", "xor"})


def _settle_dtype(ctx: Ctx, a: ArrayValue, op: str, update: PyValue | None = None) -> Expr:
    """The array's dtype; what of it selects the operation is decided here, once the update has narrowed it."""
    dtype = ctx.dtype(a.array.dtype)
    allowed = _DTYPES.get(op, _INTEGERS)
    one_of = Lit(False)
    condition: Expr = one_of
    for d in allowed:
        same = fn("eq", dtype, Lit(d))
        condition = same if condition == one_of else fn("bitor", condition, same)
    ctx.path.require(condition, f"atomic_{op} does not take arrays of this dtype")
    if isinstance(update, Tile) and not update.loose and op not in _BITWISE:
        arith.require_implicit(ctx, update, dtype, "the update")
    if op == "add" and ctx.category(dtype) is None:
        ctx.is_float(dtype)
    if op in ("max", "min"):
        ctx.path.decide(fn("is_signed", dtype))
    return ctx.dtype(dtype)


def _mode(ctx: Ctx, op: str, dtype: Expr) -> str:
    if op == "add" and ctx.category(dtype) == "float":
        return "addf"
    if op in ("max", "min") and ctx.path.settled(fn("is_signed", dtype)) is False:
        return f"u{op}"
    return op


def _update(ctx: Ctx, op: str, update: PyValue, dtype: Expr, shape: tuple[Expr, ...]) -> Value:
    """The second operand: broadcast, then cast; a bitwise operation takes exactly the array's dtype."""
    t = expect_tile(ctx, update, "update")
    if op in _BITWISE:
        ctx.path.require(
            fn("eq", t.dtype, dtype), "a bitwise atomic operation takes an update of exactly the array's dtype"
        )
    t = arith.broadcast_to(ctx, t, shape) if t.const is None else t
    return fitted(ctx, t, dtype, shape, "the update")


@lowering("atomic_rmw")
def atomic_rmw(
    ctx: Ctx, op: str, array: PyValue, indices: PyValue, update: PyValue, check_bounds: PyValue, memory_order: PyValue,
    memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.atomic_add`` and its kin: the old elements, of the shape of the indices."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape, how = elements_of(ctx, a, indices, checked)
    dtype = _settle_dtype(ctx, a, op, update)
    value = _update(ctx, op, update, dtype, shape)
    order = order_and_scope(ctx, memory_order, memory_scope, _ORDERS)
    type_ = TileType(ctx.dtype(dtype), shape)
    made = ctx.emit(
        "atomic_rmw", [*where, value, *handle_of(a)], [type_, TokenType()], array=a.array, mode=_mode(ctx, op, dtype),
        check_bounds=checked, **order, **how,
    )  # fmt: skip
    return Tile(type_, made.result)


@lowering("atomic_cas")
def atomic_cas(
    ctx: Ctx, array: PyValue, indices: PyValue, expected: PyValue, desired: PyValue, check_bounds: PyValue,
    memory_order: PyValue, memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``ct.atomic_cas``."""
    a = expect_array(ctx, array, len(items_of(ctx, indices)))
    checked = expect_flag(ctx, check_bounds, "check_bounds")
    where, shape, how = elements_of(ctx, a, indices, checked)
    dtype = _settle_dtype(ctx, a, "cas")
    values = [fitted(ctx, expected, dtype, shape, "expected"), fitted(ctx, desired, dtype, shape, "desired")]
    order = order_and_scope(ctx, memory_order, memory_scope, _ORDERS)
    type_ = TileType(ctx.dtype(dtype), shape)
    made = ctx.emit(
        "atomic_cas",
        [*where, *values, *handle_of(a)],
        [type_, TokenType()],
        array=a.array,
        check_bounds=checked,
        **order,
        **how,
    )
    return Tile(type_, made.result)


@lowering("atomic_rmw_offset")
def atomic_rmw_offset(
    ctx: Ctx, op: str, self: PyValue, offset: PyValue, update: PyValue, mask: PyValue, memory_order: PyValue,
    memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``memory.atomic_add_offset`` and its kin."""
    a = expect_memory(ctx, self)
    where, shape = offset_of(ctx, offset)
    masks = mask_of(ctx, mask, shape)
    dtype = _settle_dtype(ctx, a, op, update)
    value = _update(ctx, op, update, dtype, shape)
    order = order_and_scope(ctx, memory_order, memory_scope, _ORDERS)
    type_ = TileType(ctx.dtype(dtype), shape)
    made = ctx.emit(
        "atomic_rmw", [where, *masks, value, *handle_of(a)], [type_, TokenType()], array=a.array, raw=True,
        mode=_mode(ctx, op, dtype), check_bounds=False, masked=bool(masks), **order,
    )  # fmt: skip
    return Tile(type_, made.result)


@lowering("atomic_cas_offset")
def atomic_cas_offset(
    ctx: Ctx, self: PyValue, offset: PyValue, expected: PyValue, desired: PyValue, mask: PyValue, memory_order: PyValue,
    memory_scope: PyValue,
) -> PyValue:  # fmt: skip
    """``memory.atomic_cas_offset``."""
    a = expect_memory(ctx, self)
    where, shape = offset_of(ctx, offset)
    masks = mask_of(ctx, mask, shape)
    dtype = _settle_dtype(ctx, a, "cas")
    values = [fitted(ctx, expected, dtype, shape, "expected"), fitted(ctx, desired, dtype, shape, "desired")]
    order = order_and_scope(ctx, memory_order, memory_scope, _ORDERS)
    type_ = TileType(ctx.dtype(dtype), shape)
    made = ctx.emit(
        "atomic_cas", [where, *masks, *values, *handle_of(a)], [type_, TokenType()], array=a.array, raw=True,
        check_bounds=False, masked=bool(masks), **order,
    )  # fmt: skip
    return Tile(type_, made.result)


@lowering("atomic_view")
def atomic_view(ctx: Ctx, op: str, self: PyValue, index: PyValue, update: PyValue) -> PyValue:
    """``view.atomic_store_add`` and its kin: relaxed, for the device, without a result."""
    v = expect_view(ctx, self, index)
    dtype = _settle_dtype(ctx, v.owner, op, update)
    box = box_of(ctx, v)
    t = expect_tile(ctx, update, "update")
    if len(t.shape) > len(v.shape):
        raise Illegal("the update is not broadcastable to the view's tiles")
    value = _update(ctx, op, update, dtype, box)
    where = index_of(ctx, index)
    ctx.emit(
        "atomic_view", [value, *where, *handle_of(v.owner)], [TokenType()], array=v.owner.array, mode=_mode(ctx, op, dtype),
        order=tuple(range(len(box))), steps=v.steps, memory_order="RELAXED", memory_scope="DEVICE",
    )  # fmt: skip
    return Static(None)
