"""What ``ct.static_iter`` makes of an iterable: a loop or a tuple comprehension over it is unrolled while it is read."""

from __future__ import annotations

import ast

from cutile2rs.ir.expr import Expr, Lit, fn, show
from cutile2rs.lowering import control, expressions, host, statements
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.values import External, PyValue, RangeValue, Sequence, loose

#: The trip counts that get an entry where only the launch knows the count.
COUNTS: tuple[int, ...] = (*range(17), 32, 64)
#: How often cuTile unrolls at most.
MAX_ITEMS = 1000

_STATIC_ITER = External("cuda.tile.static_iter")
_TUPLE = External("builtins.tuple")


def static_iterable(ctx: Ctx, node: ast.expr) -> ast.expr | None:
    """The iterable, if the expression is ``ct.static_iter(iterable)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
        return None
    if expressions.evaluate(ctx, node.func) != _STATIC_ITER:
        return None
    if len(node.args) != 1 or node.keywords:
        raise ctx.refuse("ct.static_iter takes one iterable")
    return node.args[0]


def items(ctx: Ctx, node: ast.expr) -> list[PyValue]:
    """The items of an iterable that is known at compile time."""
    found = _items(ctx, node)
    if len(found) > MAX_ITEMS:
        raise ctx.refuse(f"cuTile unrolls at most {MAX_ITEMS} items")
    return found


def _items(ctx: Ctx, node: ast.expr) -> list[PyValue]:
    if isinstance(node, ast.Call):
        callee = expressions.evaluate(ctx, node.func)
        if callee == External("builtins.enumerate") and len(node.args) == 1 and not node.keywords:
            return [Sequence((loose(Lit(i)), v)) for i, v in enumerate(_items(ctx, node.args[0]))]
        if callee == External("builtins.zip") and all(k.arg == "strict" for k in node.keywords):
            rows = [_items(ctx, a) for a in node.args]
            strict = any(ast.unparse(k.value) != "False" for k in node.keywords)
            if strict and len({len(r) for r in rows}) > 1:
                raise ctx.refuse("zip(strict=True) over iterables of different lengths")
            return [Sequence(row) for row in zip(*rows, strict=False)]
        if callee == External("builtins.reversed") and len(node.args) == 1 and not node.keywords:
            return _items(ctx, node.args[0])[::-1]
    v = host.value(ctx, node, "ct.static_iter needs an iterable that is known at compile time")
    if not isinstance(v, RangeValue):
        return list(expressions.unpack(ctx, v))
    bounds = []
    for t in (v.start, v.stop, v.step):
        if t.const is None:
            raise ctx.refuse("ct.static_iter needs compile-time bounds", code="C2R301")
        bounds.append(_concrete_int(ctx, t.const))
    return [loose(Lit(i)) for i in range(*bounds)]


def _concrete_int(ctx: Ctx, e: Expr) -> int:
    """A constant's value; a symbolic one gets one entry for each small value that it may have."""
    e = ctx.path.simplify(e)
    if isinstance(e, Lit):
        return int(e.value)
    for n in COUNTS:
        if ctx.path.decide(fn("eq", e, Lit(n))):
            return n
    raise ctx.no_rule(f"a loop is unrolled for `{show(e)}`, which has entries up to 16 and for 32 and 64")


def comprehension(ctx: Ctx, node: ast.Call) -> PyValue | None:
    """``tuple(f(x) for x in ct.static_iter(...))``; None for other calls."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.GeneratorExp):
        return None
    if not isinstance(node.func, ast.Name) or expressions.evaluate(ctx, node.func) != _TUPLE:
        return None
    generators = node.args[0].generators
    targets = {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    names = ctx.frame.names
    hidden = {n: names[n] for n in targets if n in names}
    found: list[PyValue] = []
    try:
        _generate(ctx, node.args[0].elt, generators, found)
    finally:
        for n in targets:
            ctx.frame.names.pop(n, None)
        ctx.frame.names.update(hidden)
    return Sequence(tuple(found))


def _generate(ctx: Ctx, element: ast.expr, generators: list[ast.comprehension], found: list[PyValue]) -> None:
    if not generators:
        found.append(expressions.evaluate(ctx, element))
        return
    generator, *rest = generators
    iterable = static_iterable(ctx, generator.iter)
    if iterable is None or generator.is_async:
        raise ctx.refuse(
            "a tuple comprehension runs over ct.static_iter(...) only", "write `for x in ct.static_iter(...)`", "C2R201"
        )
    for item in items(ctx, iterable):
        statements.store(ctx, generator.target, item)
        if all(_holds(ctx, test) for test in generator.ifs):
            _generate(ctx, element, rest, found)


def _holds(ctx: Ctx, test: ast.expr) -> bool:
    taken = control.constant_condition(ctx, control.as_condition(ctx, expressions.evaluate(ctx, test)))
    if taken is None:
        raise ctx.refuse("the condition of a tuple comprehension must be known at compile time")
    return taken
