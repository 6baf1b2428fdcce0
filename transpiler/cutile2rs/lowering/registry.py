"""Lowering functions by name: what a row of the rules table calls when a construct needs code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.values import PyValue

Lowering = Callable[..., PyValue]
LOWERINGS: dict[str, Lowering] = {}


def lowering(name: str) -> Callable[[Lowering], Lowering]:
    """Register a function ``f(ctx, **arguments) -> value`` under the name that rules refer to it by."""

    def register(f: Lowering) -> Lowering:
        if name in LOWERINGS:
            raise ValueError(f"two lowerings are called {name}")
        LOWERINGS[name] = f
        return f

    return register


def call(name: str, ctx: Ctx, arguments: dict[str, Any]) -> PyValue:
    """Run a registered lowering."""
    return LOWERINGS[name](ctx, **arguments)
