"""Python source modules under a folder, read but never run: what each top-level name is bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cutile2rs.verify.names import FunctionNode, bound_names, local_names

_Nested = tuple[tuple[FunctionNode, ...], ast.FunctionDef]


class SliceError(Exception):
    """A kernel cannot be cut out of its module; the message says which name stands in the way, and where."""


@dataclass(frozen=True)
class ImportTarget:
    """What an import binds a name to: a module (`attribute` is None) or a name in it."""

    module: str
    attribute: str | None
    line: int


@dataclass
class Binding:
    """The statements that give one top-level name its value, or the import that does (and those that add to it)."""

    name: str
    statements: list[ast.stmt] = field(default_factory=list)
    imported: ImportTarget | None = None


@dataclass
class SourceModule:
    """One parsed module."""

    name: str
    path: Path
    lines: list[str]
    is_package: bool
    bindings: dict[str, Binding] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)
    future_annotations: bool = False

    def absolute(self, module: str | None, level: int) -> str:
        """The dotted name that `from {'.' * level}{module} import` means in this module."""
        if level == 0:
            return module or ""
        parts = self.name.split(".")
        keep = len(parts) - level + (1 if self.is_package else 0)
        if keep < 1:
            raise SliceError(f"{self.path.name}: a relative import goes above the package of '{self.name}'")
        return ".".join(parts[:keep] + ([module] if module else []))


class ReferenceTree:
    """The modules under one root folder, laid out by dotted name, parsed once each."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._modules: dict[str, SourceModule | None] = {}

    def has_package(self, dotted: str) -> bool:
        """Whether the first part of `dotted` lies under the root, so that it is the user's own code."""
        first = dotted.split(".")[0]
        return (self.root / first).is_dir() or (self.root / f"{first}.py").is_file()

    def find(self, dotted: str) -> SourceModule | None:
        """The module of that dotted name, or None where the root has no file for it."""
        if dotted not in self._modules:
            self._modules[dotted] = self._read(dotted)
        return self._modules[dotted]

    def _read(self, dotted: str) -> SourceModule | None:
        base = self.root.joinpath(*dotted.split("."))
        for path, is_package in ((base.with_name(base.name + ".py"), False), (base / "__init__.py", True)):
            if path.is_file():
                return _parse(dotted, path, is_package)
        return None


def nested_function(module: SourceModule, name: str) -> _Nested | None:
    """The first function of that name inside another, and the functions around it, outermost first."""

    def find(body: Iterable[ast.AST], around: tuple[FunctionNode, ...]) -> Iterator[_Nested]:
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name == name and around:
                yield around, node
            inside = (*around, node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else around
            yield from find(ast.iter_child_nodes(node), inside)

    return next(find(ast.parse("\n".join(module.lines)).body, ()), None)


def _parse(dotted: str, path: Path, is_package: bool) -> SourceModule:
    source = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(source, filename=str(path))
    except SyntaxError as error:
        raise SliceError(f"{path}:{error.lineno}: {error.msg}") from error
    # Not splitlines(): form feeds and the like do not end a line for the parser.
    module = SourceModule(dotted, path, source.split("\n"), is_package)
    for statement in tree.body:
        _bind(module, statement)
    return module


def _bind(module: SourceModule, statement: ast.stmt) -> None:
    match statement:
        case ast.Import() | ast.ImportFrom():
            _bind_import(module, statement)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            module.bindings[statement.name] = Binding(statement.name, [statement])
        case ast.Assign():
            plain = all(isinstance(target, ast.Name) for target in statement.targets)
            for target in statement.targets:
                for name in bound_names(target):
                    _bind_statement(module, name, statement, replaces=plain)
        case ast.AnnAssign():
            for name in bound_names(statement.target):
                _bind_statement(module, name, statement, replaces=False)
        case ast.AugAssign():
            for name in bound_names(statement.target):
                _bind_statement(module, name, statement, replaces=False)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            binding = module.bindings.get(name)  # `TABLE.update(...)` is part of what TABLE is
            if binding is not None and binding.imported is None:
                binding.statements.append(statement)
        case ast.Expr():
            pass
        case _:
            _bind_compound(module, statement)


def _bind_statement(module: SourceModule, name: str, statement: ast.stmt, *, replaces: bool) -> None:
    binding = module.bindings.get(name)
    if binding is None or replaces or binding.imported is not None:
        uses_old = binding is not None and any(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            for node in ast.walk(statement)
        )
        if uses_old and not replaces and binding is not None:
            binding.statements.append(statement)  # `library.name = ...` is part of what the library is here
            return
        if not uses_old or binding is None or binding.imported is not None:
            module.bindings[name] = Binding(name, [statement])
            return
    binding.statements.append(statement)


def _bind_import(module: SourceModule, statement: ast.Import | ast.ImportFrom) -> None:
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            local = alias.asname or alias.name.split(".")[0]
            target = alias.name if alias.asname else local
            module.bindings[local] = Binding(local, imported=ImportTarget(target, None, statement.lineno))
        return
    source = module.absolute(statement.module, statement.level)
    for alias in statement.names:
        if source == "__future__":
            module.future_annotations |= alias.name == "annotations"
        elif alias.name == "*":
            module.star_imports.append(source)
        else:
            local = alias.asname or alias.name
            module.bindings[local] = Binding(local, imported=ImportTarget(source, alias.name, statement.lineno))


def _bind_compound(module: SourceModule, statement: ast.stmt) -> None:
    """Bind the names of an `if`, `try`, `for`, `with`: imports alone as such, anything else as one statement."""
    imports = [node for node in ast.walk(statement) if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported = {alias.asname or alias.name.split(".")[0] for node in imports for alias in node.names}
    for node in imports:
        _bind_import(module, node)
    assigned = {
        node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names = local_names([statement])
    for name in sorted(names):
        if name not in imported or name in assigned:
            _bind_statement(module, name, statement, replaces=False)
