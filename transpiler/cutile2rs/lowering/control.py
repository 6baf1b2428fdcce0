"""Branches and jumps, read into blocks with explicit results (``cuda/tile/_ir/control_flow_ops.py``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cutile2rs.ir.core import Block, Op
from cutile2rs.ir.expr import Expr, Lit, fn, kind
from cutile2rs.lowering import arith, merging
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.phi import Phi, fill, name_tiles, new_results, operands, undefined
from cutile2rs.lowering.static import expect_tile, truth
from cutile2rs.lowering.values import LazyScalar, PyValue, Static, Tile, Unbound, loose

#: Variables that a helper with early returns keeps its result in, and whether it has returned (as cuTile calls them).
RETVAL, RETURNING = "$retval", "$returning"


@dataclass(frozen=True, slots=True)
class Flow:
    """How a list of statements ended: next, return, break or continue."""

    kind: str
    value: PyValue = Static(None)


NEXT = Flow("next")


@dataclass(slots=True)
class Jump:
    """A ``break`` or ``continue`` read so far: where it stands and what the loop's variables are there."""

    block: Block
    op: Op
    values: list[PyValue]


@dataclass(slots=True)
class LoopScope:
    """The innermost loop that is being read: its variables and the jumps that end its body."""

    names: list[str]
    jumps: list[Jump] = field(default_factory=list)


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


def _open_condition(ctx: Ctx, cond: Tile) -> Expr | None:
    """The condition of a constant branch that may stay one."""
    if cond.const is None or ctx.host:
        return None
    e = ctx.path.simplify(cond.const)
    e = e if kind(e) == "bool" else fn("bool", e)
    return e if ctx.path.may_branch(e) else None


def variable(ctx: Ctx, name: str) -> PyValue:
    """What a local variable holds now."""
    v = merging.settled(ctx, ctx.frame.names.get(name) or undefined(name))
    return ctx.scalar(v.name, v.dtype) if isinstance(v, LazyScalar) else v


def choose(ctx: Ctx, cond: PyValue, then: Callable[[], PyValue], otherwise: Callable[[], PyValue]) -> PyValue:
    """``then() if cond else otherwise()``: one side at compile time, or an ``if`` with one result."""
    c = as_condition(ctx, cond)
    condition = _open_condition(ctx, c)
    if condition is not None:
        return merging.choose(ctx, condition, then, otherwise)
    taken = constant_condition(ctx, c)
    if taken is not None:
        return then() if taken else otherwise()
    blocks: list[Block] = []
    values: list[list[PyValue]] = []
    for side in (then, otherwise):
        with ctx.nested() as block:
            values.append([side()])
        blocks.append(block)
    [merged] = _merge(ctx, c, blocks, list(zip(blocks, values, strict=True)), ["value"])
    if isinstance(merged, Unbound):
        raise ctx.refuse(merged.reason, code=merged.code)
    return merged


def branch(ctx: Ctx, cond: Tile, names: list[str], then: Callable[[], Flow], otherwise: Callable[[], Flow]) -> Flow:
    """An ``if`` statement. ``names`` are the variables that its sides assign."""
    condition = _open_condition(ctx, cond)
    if condition is not None:
        return merging.branch(ctx, condition, names, then, otherwise)
    taken = constant_condition(ctx, cond)
    if taken is not None:
        return then() if taken else otherwise()
    before = dict(ctx.frame.names)
    sides: list[tuple[Block, list[PyValue]]] = []
    with ctx.nested() as then_block:
        if not end_block(ctx, then()):
            sides.append((then_block, [variable(ctx, n) for n in names]))
    ctx.frame.names = dict(before)
    if not sides:
        # As in cuTile: where the first side never gets past the branch, the other one simply goes on after it.
        with ctx.nested() as else_block:
            pass
        _merge(ctx, cond, [then_block, else_block], [(else_block, [])], [])
        return otherwise()
    with ctx.nested() as else_block:
        if not end_block(ctx, otherwise()):
            sides.append((else_block, [variable(ctx, n) for n in names]))
    ctx.frame.names = before
    for name, v in zip(names, _merge(ctx, cond, [then_block, else_block], sides, names), strict=True):
        name_tiles(v, name)
        ctx.frame.names[name] = v
    return NEXT


def _merge(
    ctx: Ctx, cond: Tile, blocks: list[Block], sides: list[tuple[Block, list[PyValue]]], names: list[str]
) -> list[PyValue]:
    """Close the sides that get past the branch with a yield, emit the ``if`` and return what the variables are after it."""
    phis = [Phi(n) for n in names]
    for _, values in sides:
        for phi, v in zip(phis, values, strict=True):
            phi.add(ctx, v)
    valid = [(i, phi.value) for i, phi in enumerate(phis) if phi.is_valid]
    condition = ctx.value(cond)
    for block, values in sides:
        saved, ctx.block = ctx.block, block
        yielded = [v for i, template in valid if template is not None for v in operands(ctx, template, values[i])]
        ctx.emit("yield", yielded, [])
        ctx.block = saved
    op = Op("if", [condition], [], {}, blocks, ctx.source)
    merged: list[PyValue] = [undefined(phi.name) if phi.value is None else phi.value for phi in phis]
    for i, template in valid:
        assert template is not None
        merged[i] = fill(template, new_results(op))
    ctx.block.ops.append(op)
    return merged


def end_block(ctx: Ctx, flow: Flow) -> bool:
    """End the current block with the jump that its statements ended with, if any; says whether there was one."""
    if flow.kind == "next":
        return False
    frame = ctx.frame
    if flow.kind == "return" and not frame.is_helper:
        check_kernel_return(flow)
        ctx.emit("return", [], [])
        return True
    if flow.kind == "return":
        frame.names[RETVAL], frame.names[RETURNING] = flow.value, loose(Lit(True))
    if frame.loop is None:
        raise ctx.refuse(f"`{flow.kind}` is not inside a loop", code="C2R201")
    op = ctx.emit("continue" if flow.kind == "continue" else "break", [], [])
    frame.loop.jumps.append(Jump(ctx.block, op, [variable(ctx, n) for n in frame.loop.names]))
    return True


def check_kernel_return(flow: Flow) -> None:
    """A kernel returns nothing."""
    if flow.value != Static(None):
        raise Illegal("a kernel cannot return a value")
