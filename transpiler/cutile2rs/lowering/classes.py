"""Classes as what kernels use them for: namespaces of constants, plain ones and ``enum.IntEnum``, and frozen dataclasses."""

from __future__ import annotations

import ast

from cutile2rs.lowering import calls
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.values import FunctionValue, PyValue, Sequence, Tile, UserClass

_ENUMS = frozenset({"enum.IntEnum"})


def class_attribute(ctx: Ctx, v: UserClass, name: str) -> PyValue:
    """``Class.NAME``: the constant that the class's body assigns to the name, once and under no condition."""
    node, module = v.node, v.module
    bases = [module.qualify(b) for b in node.bases]
    if node.decorator_list or node.keywords or any(b not in _ENUMS for b in bases):
        raise ctx.refuse(f"`{node.name}` is more than a namespace or an IntEnum, which has no rule", code="C2R401")
    function = _function(node, name)
    if function is not None:
        return FunctionValue(module, function)
    found = [value for target, value in _assigned(node) if target == name]
    changed = any(
        isinstance(n, ast.Attribute) and isinstance(n.ctx, (ast.Store, ast.Del)) and n.attr == name
        for n in ast.walk(module.tree)
    )
    if len(found) != 1 or changed:
        raise ctx.refuse(f"`{node.name}.{name}` is not assigned exactly once in the class", code="C2R106")
    own = [target for target, _ in _assigned(node)]
    used = dict.fromkeys(n.id for n in ast.walk(found[0]) if isinstance(n, ast.Name) and n.id in own)
    if any(own.index(n) >= own.index(name) for n in used):
        raise ctx.refuse(f"`{node.name}.{name}` is made of names that the class assigns after it", code="C2R106")
    above = {n: class_attribute(ctx, v, n) for n in used}
    value = calls.module_constant(ctx, module, found[0], node.lineno, above)
    if bases and not (isinstance(value, Tile) and isinstance(getattr(value.const, "value", None), int)):
        raise ctx.refuse(f"`{node.name}.{name}` is not a plain integer", code="C2R401")
    return value


def _function(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    """The function that a class's body defines under a name, which nothing else there has: a static one, or a plain one,
    which is no method where the class itself is asked for it."""
    named = [s for s in node.body if getattr(s, "name", None) == name]
    if len(named) != 1 or sum(target == name for target, _ in _assigned(node)) != 2:
        return None
    [function] = named
    if not isinstance(function, ast.FunctionDef):
        return None
    return function if [ast.unparse(d) for d in function.decorator_list] in ([], ["staticmethod"]) else None


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


def instance(ctx: Ctx, v: UserClass, args: list[PyValue], kwargs: dict[str, PyValue]) -> PyValue:
    """``Class(..)`` of a frozen dataclass."""
    fields = _fields(ctx, v)
    names = [f.target.id for f in fields if isinstance(f.target, ast.Name)]
    if len(args) > len(names) or any(k not in names[len(args) :] for k in kwargs):
        raise ctx.refuse(f"`{v.node.name}` does not take these arguments", code="C2R205")
    given = dict(zip(names, args, strict=False)) | kwargs
    for field, name in zip(fields, names, strict=True):
        if name not in given and field.value is None:
            raise ctx.refuse(f"`{v.node.name}` needs an argument for `{name}`", code="C2R205")
        if name not in given and field.value is not None:
            given[name] = calls.module_constant(ctx, v.module, field.value, v.node.lineno)
    return Sequence(tuple(given[name] for name in names), v)


def instance_attribute(ctx: Ctx, v: Sequence, cls: UserClass, name: str) -> PyValue:
    """A field or a method of an instance."""
    names = [f.target.id for f in _fields(ctx, cls) if isinstance(f.target, ast.Name)]
    if name in names:
        return v.items[names.index(name)]
    for method in cls.node.body:
        if isinstance(method, ast.FunctionDef) and method.name == name and not method.decorator_list:
            return FunctionValue(cls.module, method, receiver=v)
    raise ctx.refuse(f"`{cls.node.name}` has no attribute `{name}` here", code="C2R205")


def replaced(ctx: Ctx, args: list[PyValue], changes: dict[str, PyValue]) -> PyValue:
    """``dataclasses.replace``."""
    v = args[0] if len(args) == 1 else None
    if not isinstance(v, Sequence) or v.cls is None:
        raise ctx.refuse("dataclasses.replace() takes an instance of a dataclass", code="C2R205")
    names = [f.target.id for f in _fields(ctx, v.cls) if isinstance(f.target, ast.Name)]
    return instance(ctx, v.cls, [], dict(zip(names, v.items, strict=True)) | changes)


def _fields(ctx: Ctx, v: UserClass) -> list[ast.AnnAssign]:
    """The fields of a frozen dataclass that has nothing else to it than methods with names of their own."""
    node = v.node
    frozen = len(node.decorator_list) == 1 and _is_frozen(v, node.decorator_list[0])
    if not frozen or node.bases or node.keywords:
        raise ctx.refuse(f"`{node.name}` is no frozen dataclass, of which alone kernels make instances", code="C2R205")
    fields = [s for s in node.body if isinstance(s, ast.AnnAssign)]
    for s in node.body:
        special = isinstance(s, ast.FunctionDef) and s.name.startswith("__")
        is_text = isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
        if special or not (isinstance(s, (ast.AnnAssign, ast.FunctionDef, ast.Pass)) or is_text):
            raise ctx.refuse(f"`{node.name}` is more than fields and methods, which has no rule", code="C2R401")
    for f in fields:
        marked = any(isinstance(n, ast.Name) and n.id in ("ClassVar", "KW_ONLY", "InitVar") for n in ast.walk(f))
        if marked or isinstance(f.value, ast.Call) or not isinstance(f.target, ast.Name):
            raise ctx.refuse(f"`{node.name}` has special fields, which have no rule", code="C2R401")
    return fields


def _is_frozen(v: UserClass, decorator: ast.expr) -> bool:
    """Whether a decorator is ``@dataclass(frozen=True)``; other options that do not show in kernels may follow."""
    if not isinstance(decorator, ast.Call) or decorator.args:
        return False
    options = {k.arg: k.value for k in decorator.keywords}
    harmless = {"frozen", "eq", "repr", "slots", "order", "match_args"}
    frozen = options.get("frozen")
    is_frozen = isinstance(frozen, ast.Constant) and frozen.value is True
    return v.module.qualify(decorator.func) == "dataclasses.dataclass" and options.keys() <= harmless and is_frozen
