"""Loops of functions that the host calls, such as `next_power_of_2(100)`: they are run, with what is known."""

from __future__ import annotations

import ast
from collections.abc import Callable

from cutile2rs.ir.expr import FALSE, TRUE, Expr, Lit, fn, kind
from cutile2rs.lowering import expressions
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.control import NEXT, Flow, LoopScope
from cutile2rs.lowering.static import expect_const
from cutile2rs.lowering.values import PyValue, RangeValue, loose

#: How many rounds are run at most.
MAX_ROUNDS = 10_000


def run_while(ctx: Ctx, test: ast.expr, body: Callable[[], Flow]) -> Flow:
    """``while test: body``."""

    def again() -> bool:
        e = expect_const(ctx, expressions.evaluate(ctx, test), "the condition")
        return _known(ctx, e if kind(e) == "bool" else fn("bool", e))

    return _rounds(ctx, again, body)


def run_for(ctx: Ctx, iterable: PyValue, store: Callable[[PyValue], None], body: Callable[[], Flow]) -> Flow:
    """``for ... in iterable: body``."""
    items = iter(_items(ctx, iterable))

    def again() -> bool:
        item = next(items, None)
        if item is not None:
            store(item)
        return item is not None

    return _rounds(ctx, again, body)


def _items(ctx: Ctx, iterable: PyValue) -> tuple[PyValue, ...]:
    if not isinstance(iterable, RangeValue):
        return expressions.unpack(ctx, iterable)
    bounds = [expect_const(ctx, t, "a range bound") for t in (iterable.start, iterable.stop, iterable.step)]
    numbers = [int(e.value) for e in bounds if isinstance(e, Lit)]
    if len(numbers) < len(bounds):
        raise _unknown(ctx)
    return tuple(loose(Lit(i)) for i in range(*numbers)[: MAX_ROUNDS + 1])


def _rounds(ctx: Ctx, again: Callable[[], bool], body: Callable[[], Flow]) -> Flow:
    frame = ctx.frame
    outer, frame.loop = frame.loop, LoopScope([])
    try:
        for _ in range(MAX_ROUNDS):
            if not again():
                return NEXT
            flow = body()
            if flow.kind == "return":
                return flow
            if flow.kind == "break":
                return NEXT
        raise ctx.no_rule(f"a loop of the host that runs more than {MAX_ROUNDS} times")
    finally:
        frame.loop = outer


def _known(ctx: Ctx, condition: Expr) -> bool:
    e = ctx.path.simplify(condition)
    if e not in (TRUE, FALSE):
        raise _unknown(ctx)
    return e == TRUE


def _unknown(ctx: Ctx) -> Exception:
    return ctx.no_rule("a loop of the host whose length depends on a Constant parameter")
