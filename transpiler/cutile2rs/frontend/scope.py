"""Collects what a module's statements bind, without resolving anything."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = FunctionNode | ast.ClassDef

_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception"}


@dataclass(frozen=True, slots=True)
class Import:
    """One name bound by an import statement, or a star import (`name == "*"`)."""

    local: str
    module: str
    name: str | None
    level: int
    line: int

    @property
    def same_target(self) -> tuple[str, str | None, int]:
        """What is imported, apart from where."""
        return self.module, self.name, self.level


@dataclass(frozen=True, slots=True)
class Assigned:
    """A name bound by a plain assignment."""

    expr: ast.expr
    annotation: ast.expr | None


Payload = Import | Assigned | ast.FunctionDef | ast.ClassDef | str
"""What an event binds; a string is the reason why it cannot be told."""


@dataclass(frozen=True, slots=True)
class Event:
    """One binding of a name; `guards` name the compound statements it stands under, such as `if:12`."""

    line: int
    payload: Payload
    guards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class with the scopes around it, outermost first."""

    node: ScopeNode
    parents: tuple[ScopeNode, ...]


@dataclass
class Scope:
    """All bindings of a module's global names, in source order."""

    events: dict[str, list[Event]] = field(default_factory=dict)
    stars: list[Import] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    global_writes: dict[str, int] = field(default_factory=dict)
    tests: dict[int, ast.expr] = field(default_factory=dict)
    """The condition of the `if` at a line, for guards."""
    tries: dict[int, list[ast.stmt]] = field(default_factory=dict)
    """The body of the `try` at a line, for guards."""

    def bind(self, name: str, line: int, payload: Payload, guards: tuple[str, ...]) -> None:
        """Record one binding."""
        self.events.setdefault(name, []).append(Event(line, payload, guards))


def imports_of(node: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    """The names that an import statement binds."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield Import(alias.asname or alias.name, node.module or "", alias.name, node.level, node.lineno)
        elif alias.asname:
            yield Import(alias.asname, alias.name, None, 0, node.lineno)
        else:
            top = alias.name.partition(".")[0]
            yield Import(top, top, None, 0, node.lineno)


def target_names(target: ast.expr) -> Iterator[str]:
    """Every name that an assignment target binds."""
    match target:
        case ast.Name():
            yield target.id
        case ast.Starred():
            yield from target_names(target.value)
        case ast.Tuple() | ast.List():
            for element in target.elts:
                yield from target_names(element)


def bodies(stmt: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists directly inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(stmt, name, None)
        if inner:
            yield inner
    for handler in getattr(stmt, "handlers", ()):
        yield handler.body
    for case in getattr(stmt, "cases", ()):
        yield case.body


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement of a scope in source order, without entering nested functions and classes."""
    for stmt in body:
        yield stmt
        if not isinstance(stmt, ScopeNode):
            for inner in bodies(stmt):
                yield from statements(inner)


def local_imports(function: FunctionNode) -> list[Import]:
    """Names that import statements inside a function bind, star imports aside."""
    found = (stmt for stmt in statements(function.body) if isinstance(stmt, (ast.Import, ast.ImportFrom)))
    return [item for stmt in found for item in imports_of(stmt) if item.name != "*"]


def collect(tree: ast.Module, text: str) -> Scope:
    """The module's scope."""
    scope = Scope()
    _collect_body(scope, tree.body, ())
    _collect_definitions(scope, tree)
    if ":=" in text:
        _collect_walruses(scope, tree)
    for events in scope.events.values():
        events.sort(key=lambda event: event.line)
    scope.imports.sort(key=lambda found: found.line)
    return scope


def _collect_body(scope: Scope, body: Iterable[ast.stmt], guards: tuple[str, ...]) -> None:
    for stmt in body:
        _collect_stmt(scope, stmt, guards)


def _collect_stmt(scope: Scope, stmt: ast.stmt, guards: tuple[str, ...]) -> None:
    line = stmt.lineno

    def unknown(target: ast.expr, what: str) -> None:
        for name in target_names(target):
            scope.bind(name, line, f"{what} at line {line}", guards)

    match stmt:
        case ast.Import() | ast.ImportFrom():
            for found in imports_of(stmt):
                scope.imports.append(found)
                if found.name == "*":
                    scope.stars.append(found)
                else:
                    scope.bind(found.local, line, found, guards)
        case ast.FunctionDef() | ast.ClassDef():
            scope.bind(stmt.name, line, stmt, guards)
        case ast.AsyncFunctionDef():
            scope.bind(stmt.name, line, f"an async function at line {line}", guards)
        case ast.Assign():
            for target in stmt.targets:
                _assign(scope, target, stmt.value, line, guards)
        case ast.AnnAssign():
            if stmt.value is not None and isinstance(stmt.target, ast.Name):
                scope.bind(stmt.target.id, line, Assigned(stmt.value, stmt.annotation), guards)
        case ast.AugAssign():
            unknown(stmt.target, "changed by an augmented assignment")
        case ast.Delete():
            for target in stmt.targets:
                unknown(target, "deleted")
        case ast.If():
            scope.tests[line] = stmt.test
            _collect_body(scope, stmt.body, (*guards, f"if:{line}"))
            _collect_body(scope, stmt.orelse, (*guards, f"else:{line}"))
        case ast.For() | ast.AsyncFor() | ast.While():
            if not isinstance(stmt, ast.While):
                unknown(stmt.target, "a loop variable")
            _collect_body(scope, stmt.body, (*guards, f"loop:{line}"))
            _collect_body(scope, stmt.orelse, (*guards, f"loop:{line}"))
        case ast.With() | ast.AsyncWith():
            for item in stmt.items:
                if item.optional_vars is not None:
                    unknown(item.optional_vars, "bound by `with`")
            _collect_body(scope, stmt.body, guards)
        case ast.Match():
            for case in stmt.cases:
                for node in ast.walk(case.pattern):
                    name = getattr(node, "name", None) or getattr(node, "rest", None)
                    if isinstance(name, str):
                        scope.bind(name, line, f"bound by `match` at line {line}", guards)
                _collect_body(scope, case.body, (*guards, f"match:{line}"))
        case _ if hasattr(stmt, "handlers"):
            _collect_try(scope, stmt, guards)


def _collect_try(scope: Scope, stmt: ast.stmt, guards: tuple[str, ...]) -> None:
    line = stmt.lineno
    handlers: list[ast.ExceptHandler] = getattr(stmt, "handlers", [])
    scope.tries[line] = getattr(stmt, "body", [])
    _collect_body(scope, getattr(stmt, "body", []), (*guards, f"try:{line}"))
    for handler in handlers:
        kind = "importerror" if _catches_import_error(handler) else "except"
        _collect_body(scope, handler.body, (*guards, f"{kind}:{line}"))
    _collect_body(scope, getattr(stmt, "orelse", []), (*guards, f"try-else:{line}"))
    _collect_body(scope, getattr(stmt, "finalbody", []), guards)


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    kind = handler.type
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return all(k is None or (isinstance(k, ast.Name) and k.id in _IMPORT_ERRORS) for k in kinds)


def _assign(scope: Scope, target: ast.expr, value: ast.expr, line: int, guards: tuple[str, ...]) -> None:
    match target, value:
        case ast.Name(), _:
            scope.bind(target.id, line, Assigned(value, None), guards)
        case (ast.Tuple() | ast.List(), ast.Tuple() | ast.List()) if len(target.elts) == len(value.elts) and not any(
            isinstance(element, ast.Starred) for element in [*target.elts, *value.elts]
        ):
            for part, expr in zip(target.elts, value.elts, strict=True):
                _assign(scope, part, expr, line, guards)
        case _:
            for name in target_names(target):
                scope.bind(name, line, f"unpacked from an expression at line {line}", guards)


def _collect_definitions(scope: Scope, tree: ast.Module) -> None:
    """All functions and classes at any depth in source order, and names that functions write through `global`."""
    stack: list[tuple[ast.stmt, tuple[ScopeNode, ...]]] = [(stmt, ()) for stmt in reversed(tree.body)]
    while stack:
        stmt, parents = stack.pop()
        inner = parents
        if isinstance(stmt, ScopeNode):
            scope.definitions.append(Definition(stmt, parents))
            inner = (*parents, stmt)
        elif isinstance(stmt, ast.Global):
            for name in stmt.names:
                scope.global_writes.setdefault(name, stmt.lineno)
        for body in reversed(list(bodies(stmt))):
            stack.extend((child, inner) for child in reversed(body))


def _collect_walruses(scope: Scope, tree: ast.Module) -> None:
    stack: list[ast.AST] = [stmt for stmt in tree.body if not isinstance(stmt, ScopeNode)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.NamedExpr):
            line = node.lineno
            scope.bind(node.target.id, line, f"assigned inside an expression at line {line}", ())
        stack.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, (*_SCOPES, ast.Lambda)))


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
