"""Reading loops: ``for``, ``while``, and the loop that cuTile puts around a helper with early returns."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from cutile2rs.ir.core import Block, Op, TileType, Value, carried_params
from cutile2rs.ir.expr import FALSE
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.control import (
    NEXT,
    RETURNING,
    RETVAL,
    Flow,
    LoopScope,
    as_condition,
    branch,
    end_block,
    variable,
)
from cutile2rs.lowering.phi import Phi, fill, name_tiles, new_results, operands, tiles, undefined
from cutile2rs.lowering.values import PyValue, RangeValue, Sequence, Static, Tile, Unbound, loose


@dataclass(slots=True)
class _Variable:
    """A variable that the loop assigns: what it holds before, inside and after the loop."""

    name: str
    initial: PyValue
    inside: Phi
    after: Phi
    params: list[Value]

    @property
    def template(self) -> PyValue:
        """The structure in which it is carried; :class:`Unbound` if it is not."""
        found = self.inside.value if self.inside.is_valid else self.after.value
        return undefined(self.name) if found is None else found

    def is_missing_result(self, v: PyValue) -> bool:
        """Whether this is a helper's result on a way on which it has not returned: that way is ignored."""
        return self.name == RETVAL and isinstance(v, Unbound) and v.undefined


def read_loop(ctx: Ctx, names: list[str], range_: RangeValue | None, body: Callable[[Tile | None], Flow]) -> None:
    """A loop over a range, or without one until a ``break``. ``names`` are the variables that it assigns; ``body`` reads
    one iteration, given the induction variable."""
    is_for = range_ is not None
    bounds = [ctx.value(t) for t in (range_.start, range_.stop, range_.step)] if range_ is not None else []
    block = Block()
    induction: Tile | None = None
    if range_ is not None:
        induction = Tile(TileType(range_.start.dtype), Value(TileType(range_.start.dtype)))
        assert induction.value is not None
        block.params.append(induction.value)
    variables = [_enter(ctx, n, is_for) for n in names]
    scope = _read_body(ctx, block, names, variables, lambda: body(induction))
    for jump in scope.jumps:
        for v, value in zip(variables, jump.values, strict=True):
            _propagate(ctx, v, value, jump.op.opcode, is_for)
    carried = [v for v in variables if _settle(ctx, v, is_for)]
    _finish_jumps(ctx, scope, carried, variables)
    for v in carried:
        if not v.params:
            v.params = [Value(t.type) for t in tiles(v.template)]
        block.params += v.params
    op = Op("for" if is_for else "loop", [*bounds], [], {}, [block], ctx.source)
    op.operands += [o for v in carried for o in operands(ctx, v.template, v.initial)]
    _leave(ctx, op, variables, carried)
    ctx.block.ops.append(op)


def _enter(ctx: Ctx, name: str, is_for: bool) -> _Variable:
    """A variable at the loop's start; inside, it is no constant, whatever it was before."""
    v = _Variable(name, variable(ctx, name), Phi(name, constants=False), Phi(name), [])
    if is_for and not v.is_missing_result(v.initial):
        v.after.add(ctx, v.initial)
    v.inside.add(ctx, v.initial, loose=False)
    return v


def _read_body(
    ctx: Ctx, block: Block, names: list[str], variables: list[_Variable], body: Callable[[], Flow]
) -> LoopScope:
    scope = LoopScope(names)
    frame, before = ctx.frame, ctx.frame.names
    frame.names, outer, frame.loop = dict(before), frame.loop, scope
    for v in variables:
        assert v.inside.value is not None
        inside = fill(v.inside.value, lambda t, v=v: _param(v, t), constants=False)  # type: ignore[misc]
        name_tiles(inside, v.name)
        frame.names[v.name] = inside
    saved, ctx.block = ctx.block, block
    try:
        flow = body()
        end_block(ctx, Flow("continue") if flow.kind == "next" else flow)
    finally:
        ctx.block, frame.names, frame.loop = saved, before, outer
    return scope


def _param(v: _Variable, t: Tile) -> Value:
    v.params.append(Value(t.type))
    return v.params[-1]


def _propagate(ctx: Ctx, v: _Variable, value: PyValue, opcode: str, is_for: bool) -> None:
    if opcode == "continue" or is_for:
        v.inside.add(ctx, value, eager=True)
    if (opcode == "break" or is_for) and not v.is_missing_result(value):
        v.after.add(ctx, value)


def _settle(ctx: Ctx, v: _Variable, is_for: bool) -> bool:
    """Whether the variable is carried; its type inside and after the loop must then be one."""
    if v.after.value is None:
        if v.inside.is_valid and not is_for:
            raise ctx.refuse("the loop never ends: no `break` leaves it", code="C2R205")
        return False
    if v.inside.is_valid and v.after.is_valid:
        assert v.inside.value is not None
        Phi(v.name, value=v.after.value).add(ctx, v.inside.value, eager=True)
    return v.inside.is_valid or v.after.is_valid


def _finish_jumps(ctx: Ctx, scope: LoopScope, carried: list[_Variable], variables: list[_Variable]) -> None:
    """Give each jump its operands, now that it is known what is carried."""
    positions = [(variables.index(v), v.template) for v in carried]
    for jump in scope.jumps:
        saved, ctx.block = ctx.block, jump.block
        jump.block.ops.remove(jump.op)
        jump.op.operands = [o for i, template in positions for o in operands(ctx, template, jump.values[i])]
        jump.block.ops.append(jump.op)
        ctx.block = saved


def _leave(ctx: Ctx, op: Op, variables: list[_Variable], carried: list[_Variable]) -> None:
    """Bind the variables to what they are after the loop."""
    for v in variables:
        after = v.after.value if v.after.value is not None else v.inside.value
        if v in carried:
            result = fill(v.template, new_results(op), constants=False)
            after = _with_constants(result, after) if v.after.is_valid else after
        ctx.frame.names[v.name] = undefined(v.name) if after is None else after
        name_tiles(ctx.frame.names[v.name], v.name)
    for p, r in zip(carried_params(op), op.results, strict=True):
        p.hint = p.hint or r.hint


def _with_constants(result: PyValue, template: PyValue | None) -> PyValue:
    """The loop's results, with the constants that all ways out of the loop agree on."""
    constants = iter(list(tiles(template)) if template is not None else [])

    def choose(t: Tile) -> PyValue:
        known = next(constants)
        return known if known.const is not None else t

    return _map(result, choose)


def _map(v: PyValue, f: Callable[[Tile], PyValue]) -> PyValue:
    if isinstance(v, Tile):
        return f(v)
    return v.like(_map(i, f) for i in v.items) if isinstance(v, Sequence) else v


# -- while -------------------------------------------------------------------------------------------------------------


def read_while(ctx: Ctx, names: list[str], test: Callable[[], PyValue], body: Callable[[], Flow]) -> None:
    """``while test: body``: the condition is read anew in each iteration, and a ``break`` where it is false."""

    def iteration(_: Tile | None) -> Flow:
        flow = branch(ctx, as_condition(ctx, test()), [], lambda: NEXT, lambda: Flow("break"))
        return body() if flow.kind == "next" else flow

    read_loop(ctx, names, None, iteration)


# -- early returns of helpers ------------------------------------------------------------------------------------------


def leave_if_returning(ctx: Ctx, names: list[str]) -> Flow:
    """After a loop in a helper that may have returned: leave the enclosing loop too."""
    if not ctx.frame.is_helper or RETURNING not in names:
        return NEXT
    flag = variable(ctx, RETURNING)
    if isinstance(flag, Unbound):
        raise ctx.refuse(flag.reason, code=flag.code)
    return branch(ctx, as_condition(ctx, flag), [], lambda: Flow("break"), lambda: NEXT)


def read_helper(ctx: Ctx, names: list[str], body: Callable[[], Flow]) -> PyValue:
    """A helper's body with early returns: a loop that every ``return`` leaves."""

    def once(_: Tile | None) -> Flow:
        ctx.frame.names[RETURNING] = loose(FALSE)
        flow = body()
        return Flow("return", Static(None)) if flow.kind == "next" else flow

    read_loop(ctx, names, None, once)
    returned = variable(ctx, RETVAL)
    if isinstance(returned, Unbound):
        raise ctx.refuse(returned.reason, code=returned.code)
    return returned


def has_early_return(body: list[ast.stmt]) -> bool:
    """Whether a helper returns from a branch or a loop (cuTile's ``_have_nested_jump``: from the text alone)."""
    for statement in reachable(body):
        if isinstance(statement, ast.If):
            for side in (statement.body, statement.orelse):
                if any(isinstance(s, ast.Return) for s in reachable(side)) or has_early_return(side):
                    return True
        elif (isinstance(statement, (ast.For, ast.While)) and returns(statement)) or (
            isinstance(statement, ast.With) and has_early_return(statement.body)
        ):
            return True
    return False


def reachable(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements up to the first that leaves the list."""
    for i, statement in enumerate(body):
        if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
            return body[: i + 1]
    return body


@lru_cache(maxsize=65536)
def returns(node: ast.AST) -> bool:
    """Whether a ``return`` of this function stands anywhere in a statement."""
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return False
    return any(returns(child) for child in ast.iter_child_nodes(node))
