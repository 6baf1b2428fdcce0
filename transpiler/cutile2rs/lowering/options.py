"""A kernel's own options (``@ct.kernel(occupancy=2)``), as a launch without hints of its own compiles it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from cutile2rs.frontend import KernelDef
from cutile2rs.ir.core import Block
from cutile2rs.ir.expr import Lit
from cutile2rs.lowering import calls
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import Illegal, PathState
from cutile2rs.lowering.values import Frame, Static, Tile

OptionValue = int | dict[str, int | None] | None


@dataclass(slots=True)
class Options:
    """Options by name: an int, None, or a table by target; ``unknown`` ones depend on what only a running host knows."""

    known: dict[str, OptionValue] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def options_of(kernel: KernelDef) -> Options:
    """Evaluate the options in the module that states them."""
    options = Options()
    for name, node in kernel.options.items():
        try:
            options.known[name] = _option(kernel, node)
        except (Refusal, Illegal):
            options.unknown.append(name)
    return options


def _option(kernel: KernelDef, node: ast.expr) -> OptionValue:
    if isinstance(node, ast.Call) and kernel.options_module.qualify(node.func) == "cuda.tile.ByTarget":
        if node.args or any(k.arg is None for k in node.keywords):
            raise Refusal("C2R201", "ct.ByTarget takes keyword arguments")
        return {str(k.arg): _number(kernel, k.value) for k in node.keywords}
    return _number(kernel, node)


def _number(kernel: KernelDef, node: ast.expr) -> int | None:
    ctx = Ctx(PathState(()), {}, Block(), Frame(kernel.options_module, "<options>"), node=node)
    v = calls.module_constant(ctx, kernel.options_module, node, kernel.node.lineno)
    if isinstance(v, Tile) and isinstance(v.const, Lit) and isinstance(v.const.value, int):
        return int(v.const.value)
    if v == Static(None):
        return None
    raise Refusal("C2R301", "an option must be an integer that the text shows")
