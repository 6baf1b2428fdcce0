"""Calls: constructs by rule, helper functions by inlining (as cuTile does), module constants by evaluation."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from cutile2rs.ir.expr import Lit
from cutile2rs.lowering import classes, expressions, host, registry, rules, statements
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.static import dtype_of_path
from cutile2rs.lowering.values import (
    DTypeValue,
    External,
    Frame,
    FunctionValue,
    Keywords,
    Method,
    PyValue,
    Sequence,
    Static,
    UserClass,
    describe,
)

if TYPE_CHECKING:
    from cutile2rs.frontend import Module

MAX_DEPTH = 60


def call(ctx: Ctx, callee: PyValue, args: list[PyValue], kwargs: dict[str, PyValue]) -> PyValue:
    """Call a value."""
    if isinstance(callee, Method):
        return construct(ctx, callee.path, [callee.receiver, *args], kwargs)
    if isinstance(callee, FunctionValue):
        return inline(ctx, callee, args, kwargs)
    if isinstance(callee, DTypeValue):
        return construct(ctx, "cuda.tile.DType.__call__", [callee, *args], kwargs)
    if isinstance(callee, UserClass):
        return classes.instance(ctx, callee, args, kwargs)
    if isinstance(callee, External) and callee.path == "dataclasses.replace":
        return classes.replaced(ctx, args, kwargs)
    if isinstance(callee, External):
        dtype = dtype_of_path(callee.path)
        if dtype is not None and rules.rule_for(callee.path) is None:
            return construct(ctx, "cuda.tile.DType.__call__", [DTypeValue(Lit(dtype)), *args], kwargs)
        return construct(ctx, callee.path, args, kwargs)
    raise ctx.refuse(f"{describe(callee)} cannot be called", code="C2R205")


def construct(ctx: Ctx, path: str, args: list[PyValue], kwargs: dict[str, PyValue]) -> PyValue:
    """Apply the rule of a construct; one without a rule is a hole."""
    rule = rules.rule_for(path)
    if rule is None:
        raise host.missing(ctx, path)
    if rule.lower == rules.MISSING:
        raise ctx.refuse(f"`{path}` has no rule: {rule.args['reason']}", rule.args.get("help"), code="C2R401")
    try:
        bound = rules.bind(rule, args, kwargs)
    except rules.BindError as error:
        raise ctx.refuse(str(error), code="C2R205") from error
    return registry.call(rule.lower, ctx, {**rule.args, **bound})


def inline(ctx: Ctx, callee: FunctionValue, args: list[PyValue], kwargs: dict[str, PyValue]) -> PyValue:
    """Read a helper's body in place, in a frame of its own."""
    node = callee.node
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    args = args if callee.receiver is None else [callee.receiver, *args]
    identity = f"{callee.module.name}.{name}:{node.lineno}"
    if identity in ctx.call_stack:
        raise ctx.refuse(f"`{name}` calls itself", "cuTile inlines helpers, so they cannot be recursive", code="C2R203")
    if len(ctx.call_stack) >= MAX_DEPTH:
        raise ctx.refuse("helper calls are nested too deeply", code="C2R203")
    names = _bind_user(ctx, callee, name, args, kwargs)
    locals_ = statements.local_names(node)
    frame = Frame(callee.module, name, names, callee.closure, frozenset(locals_), locals_)
    saved = ctx.frame, ctx.call_stack, ctx.source
    ctx.frame, ctx.call_stack = frame, (*ctx.call_stack, identity)
    try:
        if isinstance(node, ast.Lambda):
            return expressions.evaluate(ctx, node.body)
        return statements.run_function(ctx, node)
    finally:
        ctx.frame, ctx.call_stack, ctx.source = saved


def _bind_user(
    ctx: Ctx, callee: FunctionValue, name: str, args: list[PyValue], kwargs: dict[str, PyValue]
) -> dict[str, PyValue]:
    a = callee.node.args
    positional = [p.arg for p in (*a.posonlyargs, *a.args)]
    rest: dict[str, PyValue] = {} if a.vararg is None else {a.vararg.arg: Sequence(tuple(args[len(positional) :]))}
    args = args[: len(positional)] if a.vararg else args
    if len(args) > len(positional):
        raise ctx.refuse(f"`{name}` takes {len(positional)} positional arguments, {len(args)} given", code="C2R205")
    bound = dict(zip(positional, args, strict=False))
    named = [p.arg for p in (*a.args, *a.kwonlyargs)]
    if a.kwarg:
        rest[a.kwarg.arg] = Keywords({key: v for key, v in kwargs.items() if key not in named})
    for key, v in kwargs.items():
        if a.kwarg and key not in named:
            continue
        if key in bound or key not in named:
            raise ctx.refuse(f"`{name}` does not take `{key}` here", code="C2R205")
        bound[key] = v
    defaults = dict(zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True))
    defaults |= {p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
    for p in positional + [p.arg for p in a.kwonlyargs]:
        if p not in bound:
            if p not in defaults:
                raise ctx.refuse(f"`{name}` needs an argument for `{p}`", code="C2R205")
            bound[p] = module_constant(ctx, callee.module, defaults[p], callee.node.lineno)
    return {**bound, **rest}


def module_constant(
    ctx: Ctx,
    module: Module,
    node: ast.expr,
    before: int | None = None,
    names: Mapping[str, PyValue] = MappingProxyType({}),
) -> PyValue:
    """The value of an expression at module level, as of line ``before``. It must be a constant: nothing may be emitted.
    ``names``: what the class around it has assigned above."""
    saved = ctx.frame
    ctx.frame = Frame(module, "<module>", dict(names), before=before)
    try:
        return host.value(ctx, node, "a module-level name must be a constant")
    finally:
        ctx.frame = saved


NONE: PyValue = Static(None)
