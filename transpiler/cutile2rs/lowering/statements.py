"""Reading statements: assignments, loops and branches, each emitting operations in program order."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from cutile2rs.frontend import statement_source
from cutile2rs.ir.core import Op, Source, TileType, Value
from cutile2rs.ir.expr import Expr, Fn, Lit, fn
from cutile2rs.lowering import arith, control, expressions
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.static import expect_tile
from cutile2rs.lowering.values import (
    External,
    FunctionValue,
    PyValue,
    RangeValue,
    Sequence,
    Static,
    Tile,
    Unbound,
    describe,
    loose,
)

MAX_UNROLLED = 64


@dataclass(frozen=True, slots=True)
class Flow:
    """How a list of statements ended: next, return, break or continue."""

    kind: str
    value: PyValue = Static(None)


NEXT = Flow("next")


def local_names(node: ast.FunctionDef | ast.Lambda) -> dict[str, int]:
    """The function's local variables with their index: parameters first, then in order of first assignment."""
    names: dict[str, int] = {}
    a = node.args
    for p in (*a.posonlyargs, *a.args, *a.kwonlyargs):
        names.setdefault(p.arg, len(names))
    if isinstance(node, ast.FunctionDef):
        for statement in node.body:
            for name in stored_names(statement):
                names.setdefault(name, len(names))
    return names


def stored_names(node: ast.AST) -> list[str]:
    """Names that a statement assigns, nested functions excluded, in source order."""
    found: list[str] = []
    pending: list[ast.AST] = [node]
    while pending:
        current = pending.pop(0)
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            found.append(current.id)
        elif isinstance(current, ast.FunctionDef):
            found.append(current.name)
            continue
        elif isinstance(current, (ast.Lambda, ast.ListComp, ast.GeneratorExp)):
            continue
        pending[:0] = list(ast.iter_child_nodes(current))
    return list(dict.fromkeys(found))


def run_function(ctx: Ctx, node: ast.FunctionDef) -> PyValue:
    """Read a function body; its value is what it returns."""
    flow = run(ctx, node.body)
    return flow.value


def run(ctx: Ctx, body: list[ast.stmt]) -> Flow:
    """Read statements until one leaves the list."""
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        saved, ctx.node = ctx.node, statement
        previous, ctx.source = ctx.source, _source(ctx, statement)
        try:
            if handler is None:
                raise ctx.refuse(f"`{type(statement).__name__}` statements are not supported in kernels", code="C2R201")
            flow = handler(ctx, statement)
        except (Refusal, Illegal) as problem:
            if problem.file is None:
                problem.file, problem.node = ctx.frame.module.file, problem.node or statement
            raise
        finally:
            ctx.node, ctx.source = saved, previous
        if flow.kind != "next":
            return flow
    return NEXT


def _source(ctx: Ctx, statement: ast.stmt) -> Source:
    module = ctx.frame.module
    text = statement_source(module, statement)
    return Source(module.file, statement.lineno, text)


# -- assignments -------------------------------------------------------------------------------------------------------


def _assign(ctx: Ctx, node: ast.Assign) -> Flow:
    v = expressions.evaluate(ctx, node.value)
    for target in node.targets:
        store(ctx, target, v)
    return NEXT


def _annassign(ctx: Ctx, node: ast.AnnAssign) -> Flow:
    if node.value is not None:
        store(ctx, node.target, expressions.evaluate(ctx, node.value))
    return NEXT


def _augassign(ctx: Ctx, node: ast.AugAssign) -> Flow:
    if not isinstance(node.target, ast.Name):
        raise ctx.refuse("only variables can be updated in place", code="C2R201")
    old = expressions.evaluate(ctx, ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
    new = expressions.operator(ctx, expressions.BINARY[type(node.op)], old, expressions.evaluate(ctx, node.value))
    store(ctx, node.target, new)
    return NEXT


def store(ctx: Ctx, target: ast.expr, v: PyValue) -> None:
    """Bind a variable, or unpack into several."""
    if isinstance(target, ast.Name):
        if isinstance(v, Tile) and v.value is not None and v.value.hint is None:
            v.value.hint = target.id
        if isinstance(v, Tile) and isinstance(v.const, Fn):
            ctx.const_names.setdefault(ctx.path.simplify(v.const), target.id)
        ctx.frame.names[target.id] = v
    elif isinstance(target, (ast.Tuple, ast.List)):
        if any(isinstance(t, ast.Starred) for t in target.elts):
            raise ctx.refuse("starred targets have no rule", code="C2R201", node=target)
        for t, item in zip(target.elts, expressions.unpack(ctx, v, len(target.elts)), strict=True):
            store(ctx, t, item)
    else:
        raise ctx.refuse("only variables and tuples of them can be assigned", code="C2R201", node=target)


def _expr(ctx: Ctx, node: ast.Expr) -> Flow:
    if not isinstance(node.value, ast.Constant):
        expressions.evaluate(ctx, node.value)
    return NEXT


def _function(ctx: Ctx, node: ast.FunctionDef) -> Flow:
    ctx.frame.names[node.name] = FunctionValue(ctx.frame.module, node, ctx.frame)
    return NEXT


def _pass(ctx: Ctx, node: ast.Pass) -> Flow:
    return NEXT


def _return(ctx: Ctx, node: ast.Return) -> Flow:
    return Flow("return", Static(None) if node.value is None else expressions.evaluate(ctx, node.value))


def _continue(ctx: Ctx, node: ast.Continue) -> Flow:
    return Flow("continue")


def _break(ctx: Ctx, node: ast.Break) -> Flow:
    return Flow("break")


def _assert(ctx: Ctx, node: ast.Assert) -> Flow:
    raise ctx.refuse("`assert` is not cuTile's", "use ct.assert_ or ct.static_assert", "C2R201")


# -- branches ----------------------------------------------------------------------------------------------------------


def _if(ctx: Ctx, node: ast.If) -> Flow:
    cond = control.as_condition(ctx, expressions.evaluate(ctx, node.test))
    taken = control.constant_condition(ctx, cond)
    if taken is not None:
        return run(ctx, node.body if taken else node.orelse)
    names = sorted({n for s in (*node.body, *node.orelse) for n in stored_names(s)}, key=lambda n: ctx.frame.order.get(n, 0))
    before = dict(ctx.frame.names)
    sides: list[control.Side] = []
    for body in (node.body, node.orelse):
        ctx.frame.names = dict(before)
        with ctx.nested() as block:
            flow = run(ctx, body)
        if flow.kind != "next":
            raise ctx.refuse(f"`{flow.kind}` under a run-time condition has no rule yet", code="C2R401")
        missing = Unbound("the variable is not assigned on every path to this point")
        sides.append((block, [ctx.frame.names.get(n, missing) for n in names]))
    ctx.frame.names = before
    for name, v in zip(names, control.merge(ctx, cond, *sides), strict=True):
        if isinstance(v, Tile) and v.value is not None and v.value.hint is None:
            v.value.hint = name
        ctx.frame.names[name] = v
    return NEXT


# -- loops -------------------------------------------------------------------------------------------------------------


def _for(ctx: Ctx, node: ast.For) -> Flow:
    if node.orelse:
        raise ctx.refuse("for-else is not supported", code="C2R201")
    static = _static_iterable(ctx, node.iter)
    if static is not None:
        return _unroll(ctx, node, static)
    iterable = expressions.evaluate(ctx, node.iter)
    if not isinstance(iterable, RangeValue):
        raise ctx.refuse(
            f"a loop runs over a range, not over {describe(iterable)}", "use ct.static_iter to unroll a tuple", "C2R205"
        )
    return _loop(ctx, node, iterable)


def _static_iterable(ctx: Ctx, node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        callee = expressions.evaluate(ctx, node.func)
        if callee == External("cuda.tile.static_iter"):
            return node.args[0]
    return None


def _unroll(ctx: Ctx, node: ast.For, iterable: ast.expr) -> Flow:
    for item in _static_items(ctx, expressions.evaluate(ctx, iterable)):
        store(ctx, node.target, item)
        flow = run(ctx, node.body)
        if flow.kind == "return":
            return flow
        if flow.kind == "break":
            break
    return NEXT


def _static_items(ctx: Ctx, v: PyValue) -> list[PyValue]:
    if not isinstance(v, RangeValue):
        return list(expressions.unpack(ctx, v))
    bounds = []
    for t in (v.start, v.stop, v.step):
        if t.const is None:
            raise ctx.refuse("ct.static_iter needs compile-time bounds", code="C2R301")
        bounds.append(_concrete_int(ctx, t.const))
    return [loose(Lit(i)) for i in range(*bounds)]


def _concrete_int(ctx: Ctx, e: Expr) -> int:
    """A constant's value; a symbolic one gets one entry for each small value it may have."""
    e = ctx.path.simplify(e)
    if isinstance(e, Lit):
        return int(e.value)
    for n in range(MAX_UNROLLED):
        if ctx.path.decide(fn("eq", e, Lit(n))):
            return n
    raise ctx.refuse("a loop is unrolled more often than there are entries for", code="C2R301")


def _loop(ctx: Ctx, node: ast.For, r: RangeValue) -> Flow:
    names = sorted(stored_names(node), key=lambda n: ctx.frame.order.get(n, 0))
    before = dict(ctx.frame.names)
    carried = [n for n in names if n in before and _is_carried(before[n])]
    bounds = [ctx.value(t) for t in (r.start, r.stop, r.step)]
    initial = [t for n in carried for t in flatten(before[n])]
    inits = [ctx.value(arith.astype(ctx, t, t.dtype)) for t in initial]
    with ctx.nested() as body:
        induction = Value(TileType(r.start.dtype))
        params = [Value(v.type) for v in inits]
        body.params = [induction, *params]
        inside = iter([Tile(v.type, v) for v in params])  # type: ignore[arg-type]
        for n in names:
            ctx.frame.names[n] = rebuild(before[n], lambda: next(inside)) if n in carried else _unset(before.get(n))
            _name_values(ctx.frame.names[n], n)
        store(ctx, node.target, Tile(TileType(r.start.dtype), induction))
        flow = run(ctx, node.body)
        if flow.kind == "return" or flow.kind == "break":
            raise ctx.refuse(f"`{flow.kind}` inside a for loop has no rule yet", code="C2R401")
        body.ops.append(Op("continue", _next_values(ctx, carried, before), [], source=ctx.source))
    op = ctx.emit("for", [*bounds, *inits], [v.type for v in inits], [body])
    results = iter([Tile(v.type, v) for v in op.results])  # type: ignore[arg-type]
    ctx.frame.names = before
    for n in names:
        ctx.frame.names[n] = rebuild(before[n], lambda: next(results)) if n in carried else _unset(before.get(n))
        _name_values(ctx.frame.names[n], n)
    return NEXT


def _unset(v: PyValue | None) -> PyValue:
    return v if v is not None and not isinstance(v, (Tile, Sequence)) else Unbound("assigned only inside the loop")


def _is_carried(v: PyValue) -> bool:
    return isinstance(v, Tile) or isinstance(v, Sequence) and all(_is_carried(i) for i in v.items)


def _name_values(v: PyValue, name: str) -> None:
    for t in flatten(v):
        if t.value is not None and t.value.hint is None:
            t.value.hint = name


def flatten(v: PyValue) -> list[Tile]:
    """The tiles in a value, depth first."""
    if isinstance(v, Tile):
        return [v]
    return [t for i in v.items for t in flatten(i)] if isinstance(v, Sequence) else []


def rebuild(shape: PyValue, source: Callable[[], Tile]) -> PyValue:
    """A value of the same structure with its tiles replaced."""
    if isinstance(shape, Tile):
        return source()
    if isinstance(shape, Sequence):
        return Sequence(tuple(rebuild(i, source) for i in shape.items))
    return shape


def _next_values(ctx: Ctx, carried: list[str], before: dict[str, PyValue]) -> list[Value]:
    """What each carried variable holds at the end of the body; its type must be what it was before the loop."""
    values: list[Value] = []
    for n in carried:
        old, new = flatten(before[n]), flatten(ctx.frame.names[n])
        if len(old) != len(new):
            raise ctx.refuse(f"`{n}` changes its structure inside the loop", code="C2R205")
        for a, c in zip(old, new, strict=True):
            if not control.same_type(ctx, Tile(a.type), Tile(c.type)):
                raise ctx.refuse(f"`{n}` changes its type inside the loop", "cast it back before the iteration ends", "C2R205")
            values.append(ctx.value(c))
    return values


def make_range(ctx: Ctx, args: list[PyValue]) -> RangeValue:
    """``range(...)`` with 1 to 3 scalars."""
    scalars = [expect_tile(ctx, a, "a range bound") for a in args]
    if len(scalars) == 1:
        scalars = [loose(Lit(0)), *scalars]
    if len(scalars) == 2:
        scalars.append(loose(Lit(1)))
    dtype: Expr = arith.INT32
    for t in scalars:
        if not t.loose:
            dtype = ctx.dtype(arith.fold(ctx, "promote", dtype, ctx.dtype(t.dtype)))
    start, stop, step = (arith.astype(ctx, t, dtype) for t in scalars)
    return RangeValue(start, stop, step)


_HANDLERS: dict[type[ast.stmt], Callable[..., Flow]] = {
    ast.Assign: _assign, ast.AnnAssign: _annassign, ast.AugAssign: _augassign, ast.Expr: _expr, ast.For: _for,
    ast.If: _if, ast.Return: _return, ast.Pass: _pass, ast.Continue: _continue, ast.Break: _break,
    ast.FunctionDef: _function, ast.Assert: _assert,
}  # fmt: skip
