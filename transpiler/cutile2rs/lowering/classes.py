"""Classes as what kernels use them for: namespaces of constants, plain ones and ``enum.IntEnum``."""

from __future__ import annotations

import ast

from cutile2rs.lowering import calls
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.values import PyValue, Tile, UserClass

_ENUMS = frozenset({"enum.IntEnum"})


def class_attribute(ctx: Ctx, v: UserClass, name: str) -> PyValue:
    """``Class.NAME``: the constant that the class's body assigns to the name, once and under no condition."""
    node, module = v.node, v.module
    bases = [module.qualify(b) for b in node.bases]
    if node.decorator_list or node.keywords or any(b not in _ENUMS for b in bases):
        raise ctx.refuse(f"`{node.name}` is more than a namespace or an IntEnum, which has no rule", code="C2R401")
    found = [value for target, value in _assigned(node) if target == name]
    changed = any(
        isinstance(n, ast.Attribute) and isinstance(n.ctx, (ast.Store, ast.Del)) and n.attr == name
        for n in ast.walk(module.tree)
    )
    if len(found) != 1 or changed:
        raise ctx.refuse(f"`{node.name}.{name}` is not assigned exactly once in the class", code="C2R106")
    own = {target for target, _ in _assigned(node)}
    if any(isinstance(n, ast.Name) and n.id in own for n in ast.walk(found[0])):
        raise ctx.refuse(f"`{node.name}.{name}` depends on other names of the class, which has no rule", code="C2R401")
    value = calls.module_constant(ctx, module, found[0], node.lineno)
    if bases and not (isinstance(value, Tile) and isinstance(getattr(value.const, "value", None), int)):
        raise ctx.refuse(f"`{node.name}.{name}` is not a plain integer", code="C2R401")
    return value


def _assigned(node: ast.ClassDef) -> list[tuple[str, ast.expr]]:
    """The names that a class's body assigns, with their values; what else binds a name there counts as assigned twice."""
    pairs: list[tuple[str, ast.expr]] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            pairs += [(t.id, statement.value) for t in statement.targets if isinstance(t, ast.Name)]
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs += [(statement.target.id, statement.value)] if isinstance(statement.target, ast.Name) else []
        else:
            names = (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            names_bound = [*names, getattr(statement, "name", "")]
            pairs += [(n, ast.Constant(None)) for n in names_bound for _ in range(2)]
    return pairs
