"""Reductions over axes (``cuda/tile/_ir/ops.py``: reduce_simple, reduce_impl)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cutile2rs.ir.core import Block, TileType
from cutile2rs.ir.expr import Lit, fn, show
from cutile2rs.lowering import arith
from cutile2rs.lowering.combine import body_of, identity_of, is_identity, line_up, plain, user_body
from cutile2rs.lowering.context import Ctx, concrete
from cutile2rs.lowering.elementwise import rounding_of
from cutile2rs.lowering.modes import check_mode
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_axis, expect_flag, expect_tile, is_none, items_of
from cutile2rs.lowering.values import PyValue, Sequence, Static, Tile

_NO_FLAG: PyValue = arith.loose(Lit(False))
_NONE: PyValue = Static(None)


@lowering("reduce_simple")
def reduce_simple(
    ctx: Ctx, op: str, x: PyValue, axis: PyValue, keepdims: PyValue, rounding_mode: PyValue = _NONE,
    flush_to_zero: PyValue = _NO_FLAG, propagate_nan: PyValue = _NO_FLAG,
) -> PyValue:  # fmt: skip
    """``ct.sum``, ``ct.prod``, ``ct.max``, ``ct.min``: one reduction an axis, in ascending order, then the kept axes."""
    t = expect_tile(ctx, x, "x")
    ctx.path.require(fn("is_arithmetic", t.dtype), "reduction of a restricted float dtype")
    rounding, ftz = rounding_of(ctx, rounding_mode), expect_flag(ctx, flush_to_zero, "flush_to_zero")
    nan = expect_flag(ctx, propagate_nan, "propagate_nan")
    t, was_bool = numeric(ctx, t)
    check_mode(ctx, op, t.dtype, rounding, ftz)
    combine = partial(arith.raw_binary, ctx, op, rounding=rounding, ftz=ftz, propagate_nan=nan)
    if nan and ctx.category(t.dtype) != "float":
        nan = not ctx.path.decide(fn("is_integral", t.dtype))
    if rounding is None and not ftz and not nan and not (was_bool and op in ("min", "max")) and not _is_narrow(ctx, t):
        return _each_axis(ctx, t, axis, keepdims, partial(_plain_axis, ctx, op))
    if op not in ("add", "max") or (op == "max" and not was_bool):
        raise ctx.refuse(
            "this reduction has no rule: cuTile Rust 0.5 writes the identity 0 where it takes a function",
            "without propagate_nan, flush_to_zero and rounding_mode there is one", "C2R401",
        )  # fmt: skip
    return _each_axis(ctx, t, axis, keepdims, partial(_closure_axis, ctx, body_of(ctx, t.dtype, combine)))


def numeric(ctx: Ctx, t: Tile) -> tuple[Tile, bool]:
    """The tile with bools made int32, as sums need them, and whether they were."""
    if ctx.category(t.dtype) is None:
        common = ctx.prefer(fn("is_reducible", t.dtype), f"reductions of this `{show(t.dtype)}` have no rule")
        if not common:
            ctx.path.decide(fn("is_bool", t.dtype))
    if ctx.category(t.dtype) == "bool":
        return arith.astype(ctx, t, arith.INT32), True
    if concrete(ctx.dtype(t.dtype)) is None and ctx.category(t.dtype) == "int":
        ctx.prefer(fn("is_reducible", t.dtype), f"reductions of this `{show(t.dtype)}` have no rule")
    return t, False


def _is_narrow(ctx: Ctx, t: Tile) -> bool:
    """Whether cuTile Rust's own reductions refuse the dtype: integers of less than 32 bits."""
    return ctx.path.settled(fn("is_reducible", t.dtype)) is False


def _each_axis(ctx: Ctx, t: Tile, axis: PyValue, keepdims: PyValue, reduce_axis: Callable[[Tile, int], Tile]) -> Tile:
    """Reduce along each axis in ascending order; then reshape to the kept axes."""
    keep, rank = expect_flag(ctx, keepdims, "keepdims"), len(t.shape)
    axes = list(range(rank)) if is_none(axis) else sorted(expect_axis(ctx, a, rank) for a in items_of(ctx, axis))
    if len(set(axes)) != len(axes):
        raise Illegal("a reduction axis is repeated")
    result = t
    for done, a in enumerate(axes):
        result = reduce_axis(result, a - done)
    kept = tuple(Lit(1) if i in axes else d for i, d in enumerate(t.shape) if keep or i not in axes)
    return arith.reshape_to(ctx, result, kept)


def _plain_axis(ctx: Ctx, op: str, t: Tile, axis: int) -> Tile:
    shape = t.shape[:axis] + t.shape[axis + 1 :]
    return ctx.tile("reduce", [ctx.value(t)], TileType(t.dtype, shape), fn=op, axis=axis)


def _closure_axis(ctx: Ctx, body: Block, t: Tile, axis: int) -> Tile:
    shape = t.shape[:axis] + t.shape[axis + 1 :]
    line = line_up(ctx, t, axis, "a reduction by a function")
    result = TileType(t.dtype)
    total = Tile(result, ctx.emit("reduce", [ctx.value(line)], [result], [body], fn="function", axis=0).result)
    return arith.reshape_to(ctx, total, shape)


@lowering("reduce")
def reduce(ctx: Ctx, x: PyValue, axis: PyValue, func: PyValue, identity: PyValue, keepdims: PyValue) -> PyValue:
    """``ct.reduce``: by a function of one's own."""
    if isinstance(x, Sequence):
        raise ctx.refuse("a reduction of several tiles at once has no rule: cuTile Rust 0.5 has none", code="C2R401")
    t = expect_tile(ctx, x, "x")
    if is_none(axis) or isinstance(axis, Sequence):
        raise ctx.refuse("ct.reduce takes one axis")
    if ctx.category(t.dtype) is None:
        ctx.is_float(t.dtype)
    body, start = user_body(ctx, "reduction", t.dtype, func), identity_of(ctx, identity, t.dtype)
    op = plain(body)
    if (
        op is not None
        and ctx.path.settled(fn("is_reducible", t.dtype)) is True
        and is_identity(ctx, start, op, t.dtype)
    ):
        return _each_axis(ctx, t, axis, keepdims, partial(_plain_axis, ctx, op))
    if start not in (Lit(0.0), Lit(0), Lit(False)):
        raise ctx.refuse(
            f"the identity {start.value} has no rule: cuTile Rust 0.5 writes the identity 0 where it takes a function",
            "sums, products, maxima and minima with their usual identities have one", "C2R401",
        )  # fmt: skip
    return _each_axis(ctx, t, axis, keepdims, partial(_closure_axis, ctx, body))
