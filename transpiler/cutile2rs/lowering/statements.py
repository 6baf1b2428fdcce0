"""Reading statements: assignments, loops and branches, each emitting operations in program order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from cutile2rs.frontend import statement_source
from cutile2rs.ir.core import Source
from cutile2rs.ir.expr import Expr, Fn, Lit, fn
from cutile2rs.lowering import arith, control, expressions, host_loops, loops, merging, unroll
from cutile2rs.lowering.context import Ctx, Refusal, concrete
from cutile2rs.lowering.control import NEXT, RETURNING, RETVAL, Flow
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.static import expect_tile
from cutile2rs.lowering.values import (
    ArrayValue,
    External,
    FunctionValue,
    PyValue,
    RangeValue,
    Static,
    Tile,
    describe,
    loose,
)


def local_names(node: ast.FunctionDef | ast.Lambda) -> dict[str, int]:
    """The function's local variables with their index: parameters first, then in order of first assignment."""
    names: dict[str, int] = {}
    a = node.args
    for p in (*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else []), *a.kwonlyargs):
        names.setdefault(p.arg, len(names))
    if isinstance(node, ast.FunctionDef):
        for statement in node.body:
            for name in stored_names(statement):
                names.setdefault(name, len(names))
    return names


@lru_cache(maxsize=65536)
def stored_names(node: ast.AST) -> tuple[str, ...]:
    """Names that a statement assigns, nested functions excluded, in source order. (Cached: every path asks again.)"""
    return tuple(dict.fromkeys(_stores(node)))


def _stores(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, ast.FunctionDef):
        yield node.name
    elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                for item in child:
                    if isinstance(item, ast.AST):
                        yield from stored_names(item)
            elif isinstance(child, (ast.expr, ast.arguments)):
                yield from _stores(child)


def assigned(ctx: Ctx, *nodes: ast.AST) -> list[str]:
    """The local variables that statements assign, in the order in which cuTile carries them: by name."""
    names = sorted({n for node in nodes for n in stored_names(node)})
    hidden = [RETURNING, RETVAL] if ctx.frame.is_helper and any(loops.returns(node) for node in nodes) else []
    return names + hidden


def run_function(ctx: Ctx, node: ast.FunctionDef) -> PyValue:
    """Read a helper's body; its value is what it returns."""
    if ctx.host:
        return run(ctx, node.body).value
    ctx.frame.is_helper = True
    if loops.has_early_return(node.body):
        names = [n for n in assigned(ctx, *node.body) if n not in (RETURNING, RETVAL)]
        return loops.read_helper(ctx, [*names, RETURNING, RETVAL], lambda: run(ctx, node.body))
    return run(ctx, node.body).value


def run(ctx: Ctx, body: list[ast.stmt]) -> Flow:
    """Read statements until one leaves the list."""
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        saved, ctx.node = ctx.node, statement
        previous, ctx.source = ctx.source, _source(ctx, statement)
        try:
            if handler is None:
                raise ctx.refuse(f"`{type(statement).__name__}` statements are not supported in kernels", code="C2R201")
            flow = _read(ctx, statement, handler)
        except (Refusal, Illegal) as problem:
            if problem.file is None:
                problem.file, problem.node = ctx.frame.module.file, problem.node or statement
            raise
        finally:
            ctx.node, ctx.source = saved, previous
        if flow.kind != "next":
            return flow
    return NEXT


#: Statements that no jump leaves.
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


def _read(ctx: Ctx, statement: ast.stmt, handler: Callable[..., Flow], asked: frozenset[Expr] = frozenset()) -> Flow:
    """Read a statement; a simple one that depends on the side of a constant branch before is read for each side. ``asked``:
    the branches that it is being read for."""
    if not isinstance(statement, _SIMPLE) or ctx.path.forks is None:
        return handler(ctx, statement)
    emitted, names = len(ctx.block.ops), dict(ctx.frame.names)
    try:
        return handler(ctx, statement)
    except MustFork as must:
        if must.leaves_helper or must.condition in asked or not ctx.path.may_branch(must.condition):
            raise
        del ctx.block.ops[emitted:]
        ctx.frame.names = names
        side = partial(_read, ctx, statement, handler, asked | {must.condition})
        return merging.branch(ctx, ctx.path.simplify(must.asked), sorted(stored_names(statement)), side, side)


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
        if isinstance(v, ArrayValue) and v.handle is not None and v.handle.hint is None:
            v.handle.hint = target.id
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
    try:
        return Flow("return", Static(None) if node.value is None else expressions.evaluate(ctx, node.value))
    except MustFork as must:
        must.leaves_helper = True
        raise


def _continue(ctx: Ctx, node: ast.Continue) -> Flow:
    return _jump(ctx, "continue")


def _break(ctx: Ctx, node: ast.Break) -> Flow:
    return _jump(ctx, "break")


def _jump(ctx: Ctx, kind: str) -> Flow:
    if ctx.frame.loop is None:
        raise ctx.refuse(f"`{kind}` is not inside a loop", code="C2R201")
    return Flow(kind)


def _assert(ctx: Ctx, node: ast.Assert) -> Flow:
    raise ctx.refuse("`assert` is not cuTile's", "use ct.assert_ or ct.static_assert", "C2R201")


def _raise(ctx: Ctx, node: ast.Raise) -> Flow:
    """``raise ct.static_exception(...)``: cuTile rejects every launch whose compilation comes here."""
    call = node.exc
    if isinstance(call, ast.Call) and expressions.evaluate(ctx, call.func) == External("cuda.tile.static_exception"):
        raise Illegal(f"the kernel says `{ast.unparse(node)}`")
    raise ctx.refuse("a kernel cannot raise", "use `raise ct.static_exception(...)` or ct.assert_", "C2R201")


# -- branches and loops ------------------------------------------------------------------------------------------------


def _if(ctx: Ctx, node: ast.If) -> Flow:
    cond = control.as_condition(ctx, expressions.evaluate(ctx, node.test))
    names = assigned(ctx, *node.body, *node.orelse)
    return control.branch(ctx, cond, names, lambda: run(ctx, node.body), lambda: run(ctx, node.orelse))


def _while(ctx: Ctx, node: ast.While) -> Flow:
    if node.orelse:
        raise ctx.refuse("while-else is not supported", code="C2R201")
    if ctx.host:
        return host_loops.run_while(ctx, node.test, lambda: run(ctx, node.body))
    names = assigned(ctx, *node.body)
    loops.read_while(ctx, names, lambda: expressions.evaluate(ctx, node.test), lambda: run(ctx, node.body))
    return loops.leave_if_returning(ctx, names)


def _for(ctx: Ctx, node: ast.For) -> Flow:
    if node.orelse:
        raise ctx.refuse("for-else is not supported", code="C2R201")
    static = unroll.static_iterable(ctx, node.iter)
    if static is not None:
        return _unroll(ctx, node, static)
    iterable = expressions.evaluate(ctx, node.iter)
    if ctx.host:
        return host_loops.run_for(ctx, iterable, lambda v: store(ctx, node.target, v), lambda: run(ctx, node.body))
    if not isinstance(iterable, RangeValue):
        raise ctx.refuse(
            f"a loop runs over a range, not over {describe(iterable)}", "use ct.static_iter to unroll a tuple", "C2R205"
        )

    def body(induction: Tile | None) -> Flow:
        assert induction is not None
        store(ctx, node.target, induction)
        return run(ctx, node.body)

    names = assigned(ctx, node.target, *node.body)
    loops.read_loop(ctx, names, iterable, body)
    return loops.leave_if_returning(ctx, names)


def _unroll(ctx: Ctx, node: ast.For, iterable: ast.expr) -> Flow:
    jump = _own_jump(node.body)
    if jump is not None:
        raise ctx.refuse("a loop over ct.static_iter() cannot be left early", code="C2R201", node=jump)
    for item in unroll.items(ctx, iterable):
        store(ctx, node.target, item)
        flow = run(ctx, node.body)
        if flow.kind != "next":
            return flow
    return loops.leave_if_returning(ctx, assigned(ctx, *node.body))


def _own_jump(body: list[ast.stmt]) -> ast.stmt | None:
    """A jump in a loop's body that is not one of a loop inside it."""
    for statement in body:
        if isinstance(statement, (ast.Break, ast.Continue, ast.Return)):
            return statement
        if isinstance(statement, (ast.If, ast.With)):
            found = _own_jump([*statement.body, *getattr(statement, "orelse", [])])
            if found is not None:
                return found
    return None


def make_range(ctx: Ctx, args: list[PyValue]) -> RangeValue:
    """``range(...)`` with 1 to 3 scalars."""
    scalars = [expect_tile(ctx, a, "a range bound") for a in args]
    for t in scalars:
        ctx.path.require(fn("is_integral", t.dtype), "the bounds of a range must be integers")
        ctx.path.require(fn("is_signed", t.dtype), "the bounds of a range must be signed integers")
    if len(scalars) == 1:
        scalars = [loose(Lit(0)), *scalars]
    if len(scalars) == 2:
        scalars.append(loose(Lit(1)))
    dtype: Expr = arith.INT32
    for t in scalars:
        if not t.loose:
            dtype = ctx.dtype(arith.fold(ctx, "promote", dtype, ctx.dtype(t.dtype)))
    if concrete(dtype) is None:
        # Rust's loop variable has a type of its own, which no generic stands for.
        ctx.path.decide(fn("eq", dtype, arith.INT32))
        dtype = ctx.dtype(dtype)
    start, stop, step = (arith.astype(ctx, t, dtype) for t in scalars)
    if step.const is not None and not ctx.host:
        ctx.path.require(fn("gt", step.const, Lit(0)), "the step of a range must be positive")
    return RangeValue(start, stop, step)


_HANDLERS: dict[type[ast.stmt], Callable[..., Flow]] = {
    ast.Assign: _assign, ast.AnnAssign: _annassign, ast.AugAssign: _augassign, ast.Expr: _expr, ast.For: _for,
    ast.While: _while, ast.If: _if, ast.Return: _return, ast.Pass: _pass, ast.Continue: _continue, ast.Break: _break,
    ast.FunctionDef: _function, ast.Assert: _assert,
    ast.Raise: _raise,
}  # fmt: skip
