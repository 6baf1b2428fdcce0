"""Finds what a module's expressions refer to through its imports, as Python's scopes have it.

The front end resolves names for kernels, whose scopes are simple; host code may hide an import behind a parameter, a local
variable or a comprehension, and rewriting the wrong name would be silent.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from cutile2rs.frontend.names import MODULES, canonical
from cutile2rs.frontend.scope import Import, imports_of

ImportPath = Callable[[Import], str]
"""Gives the absolute dotted path that an import binds."""
StarPath = Callable[[str], str | None]
"""Gives the path that a name which nothing else binds has through star imports."""

_OTHER = "?"
_MAX_ALIASES = 8
_LOAD = ast.Load()
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVES = (ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, eq=False)
class Reference:
    """A name or attribute chain that starts at an import: the longest chain, and the dotted path it stands for.

    `certain` is false where the name may also be bound otherwise. `parent` is the node that the chain stands in.
    """

    node: ast.Name | ast.Attribute
    dotted: str
    certain: bool
    parent: ast.AST
    stored: bool

    def prefix(self, dotted: str) -> ast.Name | ast.Attribute | None:
        """The part of the chain that stands for `dotted`, if there is one."""
        node: ast.expr = self.node
        path = self.dotted
        while isinstance(node, (ast.Name, ast.Attribute)):
            if canonical(path) == dotted:
                return node
            if isinstance(node, ast.Name):
                return None
            node, path = node.value, path.rpartition(".")[0]
        return None


@dataclass(eq=False)
class _Scope:
    node: ast.AST
    names: dict[str, list[str | ast.expr]] = field(default_factory=dict)
    """What each name is bound to: an import's path, an expression that may be an alias of one, or something else."""
    elsewhere: set[str] = field(default_factory=set)
    """Names declared `global` or `nonlocal`."""

    def bind(self, name: str, what: str | ast.expr) -> None:
        self.names.setdefault(name, []).append(what)


def references(
    tree: ast.Module, path_of: ImportPath, star_path: StarPath, skipped: Collection[ast.AST], walrus: bool = True
) -> list[Reference]:
    """All references of a module in source order, outside annotations; of the `skipped` functions, the decorators only.

    `walrus` says whether the module may have `:=`, which lets any expression bind names.
    """
    found = _Finder(path_of, star_path, skipped, walrus).module(tree)
    return sorted(found, key=lambda reference: (reference.node.lineno, reference.node.col_offset))


class _Finder:
    def __init__(self, path_of: ImportPath, star_path: StarPath, skipped: Collection[ast.AST], walrus: bool) -> None:
        self._walrus = walrus
        self._path_of = path_of
        self._star_path = star_path
        self._skipped = {id(node) for node in skipped}

    def module(self, tree: ast.Module) -> Iterator[Reference]:
        scope = _Scope(tree)
        self._collect(tree.body, scope, scope, scope)
        for stmt in tree.body:
            yield from self._visit(stmt, tree, [scope])

    # -- what scopes bind

    def _scope(self, node: ast.AST, body: list[ast.stmt], scopes: list[_Scope]) -> _Scope:
        scope = _Scope(node)
        self._collect(body, scope, scope, scopes[0])
        return scope

    def _collect(self, body: list[ast.stmt], scope: _Scope, walrus: _Scope, module: _Scope) -> None:
        """Binds in `scope` what statements bind, without entering the scopes that they open."""
        stack: list[ast.AST] = list(reversed(body))
        while stack:
            node = stack.pop()
            if isinstance(node, ast.expr) and not self._walrus and isinstance(getattr(node, "ctx", _LOAD), ast.Load):
                continue  # binds nothing
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    scope.bind(node.name, _OTHER)
                    stack += node.decorator_list
                    continue
                case ast.Lambda():
                    continue
                case ast.Global() | ast.Nonlocal():
                    scope.elsewhere.update(node.names)
                    for name in node.names:
                        module.bind(name, _OTHER)
                case ast.Import() | ast.ImportFrom():
                    for item in imports_of(node):
                        if item.name != "*":
                            scope.bind(item.local, self._path_of(item))
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value):
                    scope.bind(name, value)
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)):
                    scope.names.setdefault(name, [])  # `ct = None` where an import failed: nothing to launch with
                    continue
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    scope.bind(name, _OTHER)
                case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    scope.bind(name, _OTHER)
                case ast.MatchMapping(rest=str(name)):
                    scope.bind(name, _OTHER)
                case ast.comprehension():
                    stack += [node.iter, *node.ifs]
                    continue
            stack.extend(reversed(list(ast.iter_child_nodes(node))))

    # -- what expressions refer to

    def _visit(self, node: ast.AST, parent: ast.AST, scopes: list[_Scope]) -> Iterator[Reference]:
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield from self._chain(node, parent, scopes)
        elif isinstance(node, _FUNCTIONS):
            yield from self._function(node, scopes)
        elif isinstance(node, ast.ClassDef):
            for part in [*node.decorator_list, *node.bases, *node.keywords]:
                yield from self._visit(part, node, scopes)
            inner = self._scope(node, node.body, scopes)
            for stmt in node.body:
                yield from self._visit(stmt, node, [*scopes, inner])
        elif isinstance(node, ast.Lambda):
            yield from self._each([*node.args.defaults, *(d for d in node.args.kw_defaults if d)], node, scopes)
            yield from self._visit(node.body, node, [*_visible(scopes), _parameters(_Scope(node), node.args)])
        elif isinstance(node, _COMPREHENSIONS):
            yield from self._comprehension(node, scopes)
        elif isinstance(node, ast.AnnAssign):
            yield from self._each([node.target, *([node.value] if node.value else [])], node, scopes)
        else:
            yield from self._each(_children(node), node, scopes)

    def _each(self, nodes: Iterator[ast.AST] | list[ast.expr], parent: ast.AST, scopes: list[_Scope]
              ) -> Iterator[Reference]:  # fmt: skip
        for node in nodes:
            yield from self._visit(node, parent, scopes)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scopes: list[_Scope]) -> Iterator[Reference]:
        args = node.args
        yield from self._each(node.decorator_list, node, scopes)
        if id(node) in self._skipped:
            return
        defaults = [*args.defaults, *(default for default in args.kw_defaults if default is not None)]
        yield from self._each(defaults, node, scopes)
        inner = _parameters(self._scope(node, node.body, scopes), args)
        for stmt in node.body:
            yield from self._visit(stmt, node, [*_visible(scopes), inner])

    def _comprehension(self, node: ast.AST, scopes: list[_Scope]) -> Iterator[Reference]:
        generators: list[ast.comprehension] = getattr(node, "generators", [])
        inner = _Scope(node)
        for generator in generators:
            for name in ast.walk(generator.target):
                if isinstance(name, ast.Name):
                    inner.bind(name.id, _OTHER)
        around = [*_visible(scopes), inner]
        for index, generator in enumerate(generators):
            yield from self._visit(generator.iter, generator, around if index else scopes)
            yield from self._each(generator.ifs, generator, around)
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                yield from self._visit(getattr(node, part), node, around)

    def _chain(self, node: ast.Name | ast.Attribute, parent: ast.AST, scopes: list[_Scope]) -> Iterator[Reference]:
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            base = base.value
        if not isinstance(base, ast.Name):
            yield from self._visit(base, node, scopes)
            return
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            return
        dotted, certain = self._resolve(node, scopes, 0)
        if dotted is not None:
            yield Reference(node, dotted, certain, parent, not isinstance(node.ctx, ast.Load))

    def _resolve(self, node: ast.expr, scopes: list[_Scope], depth: int) -> tuple[str | None, bool]:
        """The path that a chain stands for, if it starts at an import, and whether it cannot be anything else."""
        if isinstance(node, ast.Attribute):
            found, certain = self._resolve(node.value, scopes, depth)
            return (None if found is None else canonical(f"{found}.{node.attr}")), certain
        if not isinstance(node, ast.Name):
            return None, True
        for index in range(len(scopes) - 1, -1, -1):
            scope = scopes[index]
            if node.id in scope.names and node.id not in scope.elsewhere:
                return self._bound(scope.names[node.id], scopes[: index + 1], depth)
        return self._star_path(node.id), True

    def _bound(self, bindings: list[str | ast.expr], scopes: list[_Scope], depth: int) -> tuple[str | None, bool]:
        found: list[str | None] = []
        certain = True
        for binding in bindings:
            if isinstance(binding, str):
                found.append(None if binding == _OTHER else canonical(binding))
                continue
            # An alias of a module is followed. One of a function is not: the name is bound to what replaces it.
            path, sure = self._resolve(binding, scopes, depth + 1) if depth < _MAX_ALIASES else (None, True)
            found.append(path if path in MODULES else None)
            certain = certain and sure
        paths = {path for path in found if path is not None}
        if len(paths) == 1:
            return paths.pop(), certain and None not in found
        # Two imports under one name: `cuda.tile`'s counts, and is uncertain.
        tile = sorted(path for path in paths if path.startswith("cuda.tile"))
        return (tile[0] if tile else None), False


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes inside one, those aside that hold no names. `ast.iter_child_nodes` spends its time on them."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, ast.AST) and not isinstance(item, _LEAVES))
        elif isinstance(value, ast.AST) and not isinstance(value, _LEAVES):
            yield value


def _parameters(scope: _Scope, args: ast.arguments) -> _Scope:
    for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]:
        if arg is not None:
            scope.bind(arg.arg, _OTHER)
    return scope


def _visible(scopes: list[_Scope]) -> list[_Scope]:
    """The scopes that a function inside sees: those of classes aside."""
    return [scope for scope in scopes if not isinstance(scope.node, ast.ClassDef)]
