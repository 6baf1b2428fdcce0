"""Run-time branches: both sides read into blocks, with explicit results (``cuda/tile/_ir/control_flow_ops.py``)."""

from __future__ import annotations

from collections.abc import Callable

from cutile2rs.ir.core import Block, Op, TileType
from cutile2rs.ir.expr import Lit, kind
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.static import expect_tile, truth
from cutile2rs.lowering.values import PyValue, Sequence, Static, Tile, Unbound, loose


def as_condition(ctx: Ctx, v: PyValue) -> Tile:
    """A value as a condition: its truth value."""
    if isinstance(v, Static):
        return loose(Lit(bool(v.value)))
    t = expect_tile(ctx, v, "a condition")
    if t.const is not None:
        e = t.const
        return loose(e if kind(e) == "bool" else arith.fold(ctx, "bool", e))
    if t.shape:
        raise ctx.refuse("a condition must be a scalar, not a tile", "reduce the tile first", "C2R205")
    return arith.astype(ctx, t, arith.BOOL)


def constant_condition(ctx: Ctx, cond: Tile) -> bool | None:
    """The branch taken, where the condition is a constant; this may split the path."""
    return None if cond.const is None else truth(ctx, ctx.path.simplify(cond.const))


def choose(ctx: Ctx, cond: PyValue, then: Callable[[], PyValue], otherwise: Callable[[], PyValue]) -> PyValue:
    """``then() if cond else otherwise()``: one side at compile time, or an ``if`` with one result."""
    c = as_condition(ctx, cond)
    taken = constant_condition(ctx, c)
    if taken is not None:
        return then() if taken else otherwise()
    with ctx.nested() as then_block:
        a = then()
    with ctx.nested() as else_block:
        d = otherwise()
    [merged] = merge(ctx, c, (then_block, [a]), (else_block, [d]))
    return merged


Side = tuple[Block, list[PyValue]]


def merge(ctx: Ctx, cond: Tile, then: Side, otherwise: Side) -> list[PyValue]:
    """Close both sides with a yield, emit the ``if`` and return what each pair of values is after it."""
    then_block, then_values = then
    else_block, else_values = otherwise
    plans = [_Merge(ctx, a, d) for a, d in zip(then_values, else_values, strict=True)]
    types: list[TileType] = [t for plan in plans for t in plan.types]
    for block, side in ((then_block, 0), (else_block, 1)):
        saved, ctx.block = ctx.block, block
        operands = [ctx.value(t) for plan in plans for t in plan.sides[side]]
        block.ops.append(Op("yield", operands, [], source=ctx.source))
        ctx.block = saved
    op = ctx.emit("if", [ctx.value(cond)], list(types), [then_block, else_block])
    results = iter([Tile(t, v) for t, v in zip(types, op.results, strict=True)])
    return [plan.rebuild(results) for plan in plans]


class _Merge:
    """How one pair of values joins: the flat tiles each side yields and how to put the results together again."""

    def __init__(self, ctx: Ctx, a: PyValue, d: PyValue):
        self.types: list[TileType] = []
        self.sides: tuple[list[Tile], list[Tile]] = ([], [])
        self.shape = self._plan(ctx, a, d)

    def _plan(self, ctx: Ctx, a: PyValue, d: PyValue) -> object:
        if isinstance(a, Tile) and isinstance(d, Tile):
            return self._plan_tiles(ctx, a, d)
        if isinstance(a, Sequence) and isinstance(d, Sequence) and len(a.items) == len(d.items):
            return [self._plan(ctx, x, y) for x, y in zip(a.items, d.items, strict=True)]
        return a if a == d else Unbound("the value depends on the branch taken, and it is no tile")

    def _plan_tiles(self, ctx: Ctx, a: Tile, d: Tile) -> object:
        if a is d:
            return a
        same_const = a.const is not None and a.const == d.const
        if same_const and a.type == d.type:
            return a if a.loose == d.loose else Tile(a.type, const=a.const)
        if not _same_type(ctx, a, d):
            return Unbound("the type depends on the branch taken")
        self.types.append(TileType(ctx.dtype(a.dtype), a.shape))
        self.sides[0].append(a)
        self.sides[1].append(d)
        return _NEXT

    def rebuild(self, results: object) -> PyValue:
        """The value after the branch."""
        return _rebuild(self.shape, results)


_NEXT = object()


def _rebuild(shape: object, results: object) -> PyValue:
    if shape is _NEXT:
        return next(results)  # type: ignore[no-any-return, call-overload]
    if isinstance(shape, list):
        return Sequence(tuple(_rebuild(s, results) for s in shape))
    return shape  # type: ignore[return-value]


def _same_type(ctx: Ctx, a: Tile, d: Tile) -> bool:
    return len(a.shape) == len(d.shape) and ctx.same(a.dtype, d.dtype) and all(
        ctx.same(x, y) for x, y in zip(a.shape, d.shape, strict=True)
    )


def same_type(ctx: Ctx, a: Tile, d: Tile) -> bool:
    """Whether two tiles have one type on this path (splitting it where that depends on the launch)."""
    return _same_type(ctx, a, d)


