"""Which names of the enclosing module a piece of Python needs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class FreeNames:
    """Free names of a statement: the attribute chains they head, and the `Name` nodes themselves."""

    chains: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    nodes: list[ast.Name] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, chain: tuple[str, ...], line: int, node: ast.Name | None) -> None:
        """Record one use of `name`, followed by the attributes in `chain`."""
        self.chains.setdefault(name, set()).add(chain)
        self.lines.setdefault(name, line)
        if node is not None:
            self.nodes.append(node)


def bound_names(target: ast.expr) -> list[str]:
    """The names that assigning to `target` binds or mutates (`a, b` -> a, b; `t[0]` -> t)."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for element in target.elts for name in bound_names(element)]
    if isinstance(target, (ast.Starred, ast.Attribute, ast.Subscript)):
        return bound_names(target.value)
    return []


class _LocalNames(ast.NodeVisitor):
    """Names that the body of one function binds, nested scopes left out."""

    def __init__(self) -> None:
        self.stored: set[str] = set()
        self.not_local: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.stored.add(node.id)

    def _visit_definition(self, node: FunctionNode | ast.ClassDef) -> None:
        self.stored.add(node.name)

    visit_FunctionDef = _visit_definition
    visit_AsyncFunctionDef = _visit_definition
    visit_ClassDef = _visit_definition

    def visit_Lambda(self, node: ast.Lambda) -> None:
        return

    def _visit_comprehension(self, node: ast.AST) -> None:
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr):
                self.stored.add(child.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def _visit_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.stored.update(alias.asname or alias.name.split(".")[0] for alias in node.names)

    visit_Import = _visit_import
    visit_ImportFrom = _visit_import

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.stored.add(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.stored.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self.stored.add(node.name)

    def _visit_declaration(self, node: ast.Global | ast.Nonlocal) -> None:
        self.not_local.update(node.names)

    visit_Global = _visit_declaration
    visit_Nonlocal = _visit_declaration


def local_names(body: Iterable[ast.stmt]) -> set[str]:
    """The names that a function with this body binds itself."""
    visitor = _LocalNames()
    for statement in body:
        visitor.visit(statement)
    return visitor.stored - visitor.not_local


def parameter_names(function: FunctionNode) -> set[str]:
    """The names of a function's parameters."""
    return {argument.arg for argument in _arguments(function.args)}


class _Collector(ast.NodeVisitor):
    def __init__(self, found: FreeNames) -> None:
        self.found = found
        self.scopes: list[set[str]] = []

    def _is_local(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    def visit_Name(self, node: ast.Name) -> None:
        if not self._is_local(node.id):
            self.found.add(node.id, (), node.lineno, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain: list[str] = []
        value: ast.expr = node
        while isinstance(value, ast.Attribute):
            chain.append(value.attr)
            value = value.value
        if isinstance(value, ast.Name):
            if not self._is_local(value.id):
                self.found.add(value.id, tuple(reversed(chain)), value.lineno, value)
        else:
            self.visit(value)

    def visit_annotation(self, node: ast.expr | None) -> None:
        """Visit an annotation, reading those given as strings."""
        if node is None:
            return
        for child in ast.walk(node):
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                try:
                    parsed = ast.parse(child.value, mode="eval").body
                except SyntaxError:
                    continue
                inner = FreeNames()
                _Collector(inner).visit(parsed)
                for name, chains in inner.chains.items():
                    for chain in chains:
                        self.found.add(name, chain, child.lineno, None)
        self.visit(node)

    def visit_header(self, node: FunctionNode | ast.Lambda) -> None:
        """Visit what is evaluated where a function is defined: decorators, defaults, annotations."""
        if not isinstance(node, ast.Lambda):
            for decorator in node.decorator_list:
                self.visit(decorator)
            for argument in _arguments(node.args):
                self.visit_annotation(argument.annotation)
            self.visit_annotation(node.returns)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)

    def _visit_function(self, node: FunctionNode) -> None:
        self.visit_header(node)
        arguments = {argument.arg for argument in _arguments(node.args)}
        self.scopes.append(arguments | local_names(node.body))
        for statement in node.body:
            self.visit(statement)
        self.scopes.pop()

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_header(node)
        self.scopes.append({argument.arg for argument in _arguments(node.args)})
        self.visit(node.body)
        self.scopes.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        self.visit_annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for expression in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
            self.visit(expression)
        body_names = local_names(node.body)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.visit(statement)  # a method does not see the names of its class
            else:
                self.scopes.append(body_names)
                self.visit(statement)
                self.scopes.pop()

    def _visit_comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        targets = {name for generator in node.generators for name in bound_names(generator.target)}
        self.scopes.append(targets)
        self.generic_visit(node)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]


def free_names(node: ast.stmt) -> FreeNames:
    """All names that `node` takes from (or binds in) the module around it."""
    found = FreeNames()
    _Collector(found).visit(node)
    return found


def eager_names(node: ast.stmt) -> FreeNames:
    """Those free names that are evaluated when the module is imported, not when a function is called."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return free_names(node)
    found = FreeNames()
    _Collector(found).visit_header(node)
    return found
