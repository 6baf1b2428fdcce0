"""Finds the places that launch, tune or re-hint a kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostics import Span
from .bindings import Constant, Function, Kernel
from .kernels import KernelDef
from .names import LAUNCH, TUNE
from .scope import FunctionNode, ScopeNode, statements, target_names

if TYPE_CHECKING:
    from .bindings import Binding
    from .module import Module

_MAX_CALLS = 3


@dataclass(frozen=True, eq=False)
class LaunchSite:
    """A call that names a kernel.

    `kind` is `launch`, `tune` or `replace_hints`. `candidates` are the kernels that the kernel expression may stand
    for, as far as the text tells; `kernel` is the only one of them. `grid` and `args` are functions of the
    configuration for `tune`.
    """

    kind: str
    module: Module
    node: ast.Call
    span: Span
    function: str | None
    kernel_expr: ast.expr | None
    candidates: tuple[KernelDef, ...]
    stream: ast.expr | None
    grid: ast.expr | None
    args: ast.expr | None
    hints: dict[str, ast.expr]

    @property
    def kernel(self) -> KernelDef | None:
        """The kernel, if there is just one candidate."""
        return self.candidates[0] if len(self.candidates) == 1 else None


def find_launches(module: Module) -> list[LaunchSite]:
    """All launch sites of a module in source order."""
    if not any(word in module.text for word in ("launch", "exhaustive_search", "replace_hints", "import *")):
        return []
    sites: list[LaunchSite] = []
    for call, parents in module.host_calls:
        site = _site(module, call, parents)
        if site is not None:
            sites.append(site)
    return sorted(sites, key=lambda site: (site.span.line, site.span.col))


def host_calls(module: Module) -> Iterator[tuple[ast.Call, tuple[ScopeNode, ...]]]:
    """All calls of a module outside its kernels, with the functions and classes around them; in no order."""
    kernels = {id(kernel.node) for kernel in [*module.kernels.values(), *module.rejected_kernels]}
    stack: list[tuple[ast.AST, tuple[ScopeNode, ...]]] = [(module.tree, ())]
    while stack:
        node, parents = stack.pop()
        if isinstance(node, ScopeNode):
            if id(node) in kernels:
                continue
            parents = (*parents, node)
        elif isinstance(node, ast.Call):
            yield node, parents
        stack.extend((child, parents) for child in ast.iter_child_nodes(node))


def _site(module: Module, call: ast.Call, parents: tuple[ScopeNode, ...]) -> LaunchSite | None:
    func = call.func
    last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if not last:
        return None
    finder = _KernelFinder(module, tuple(parent for parent in parents if isinstance(parent, FunctionNode)))
    args = [None if isinstance(arg, ast.Starred) else arg for arg in call.args]
    given = {keyword.arg or "**": keyword.value for keyword in call.keywords}

    def argument(index: int, name: str) -> ast.expr | None:
        return args[index] if index < len(args) else given.get(name)

    if last == "replace_hints" and isinstance(func, ast.Attribute):
        kind, kernel = "replace_hints", func.value
        stream = grid = kernel_args = None
    else:
        qualified = module.qualify(func, None, finder.local)
        if qualified == LAUNCH:
            kind, kernel_or_none = "launch", argument(2, "kernel")
            stream, grid, kernel_args = argument(0, "stream"), argument(1, "grid"), argument(3, "kernel_args")
        elif qualified == TUNE:
            kind, kernel_or_none = "tune", argument(3, "kernel")
            stream, grid, kernel_args = argument(1, "stream"), argument(2, "grid_fn"), argument(4, "args_fn")
        else:
            return None
        if kernel_or_none is None:
            return None
        kernel = kernel_or_none
    candidates = tuple(finder.find(kernel))
    hints = given if kind == "replace_hints" else {}
    where = ".".join(parent.name for parent in parents) or None
    return LaunchSite(
        kind, module, call, module.span(call), where, kernel, candidates, stream, grid, kernel_args, hints
    )


class _KernelFinder:
    """Follows a kernel expression through local variables and simple calls to the kernels it may stand for."""

    def __init__(self, module: Module, functions: tuple[FunctionNode, ...], depth: int = 0) -> None:
        self._module = module
        self._functions = functions
        self._depth = depth
        self._seen: set[str] = set()
        self.local: dict[str, Binding] = {}
        for function in functions:
            for item in module.local_imports(function):
                self.local[item.local] = module.bind_import(item)

    def find(self, expr: ast.expr) -> list[KernelDef]:
        """The candidates in order of discovery, without repetitions."""
        return list(dict.fromkeys(self._find(expr)))

    def _find(self, expr: ast.AST) -> Iterator[KernelDef]:
        match expr:
            case ast.Name():
                yield from self._name(expr)
            case ast.Attribute():
                found = self._module.resolve_expr(expr, None, self.local)
                if isinstance(found, Kernel):
                    yield found.kernel
                elif found is None:
                    name = ast.unparse(expr)
                    yield from (kernel for kernel in [self._module.kernels.get(name)] if kernel is not None)
            case ast.Call():
                yield from self._call(expr)
            case ast.IfExp():
                yield from self._find(expr.body)
                yield from self._find(expr.orelse)
            case _:
                for child in ast.iter_child_nodes(expr):
                    yield from self._find(child)

    def _name(self, expr: ast.Name) -> Iterator[KernelDef]:
        name = expr.id
        if name in self._seen:
            return
        for function in reversed(self._functions):
            values = self._module.local_values(function).get(name)
            if values is not None:
                self._seen.add(name)
                for value in values:
                    yield from self._find(value)
                yield from self._passed(function, name)
                return
        match self._module.resolve_expr(expr, None, self.local):
            case Kernel(kernel):
                yield kernel
            case Constant(other, value):
                self._seen.add(name)
                yield from _KernelFinder(other, (), self._depth)._find(value)

    def _passed(self, function: FunctionNode, name: str) -> Iterator[KernelDef]:
        """What the module's calls of `function` pass for its parameter `name`."""
        names = [arg.arg for arg in [*function.args.posonlyargs, *function.args.args]]
        if self._depth >= _MAX_CALLS or name not in [*names, *(arg.arg for arg in function.args.kwonlyargs)]:
            return
        for call, parents in self._module.host_calls:
            if not isinstance(call.func, ast.Name) or call.func.id != function.name:
                continue
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            given |= dict(zip(names, call.args, strict=False))
            if name in given:
                around = tuple(parent for parent in parents if isinstance(parent, FunctionNode))
                yield from _KernelFinder(self._module, around, self._depth + 1).find(given[name])

    def _call(self, call: ast.Call) -> Iterator[KernelDef]:
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr == "replace_hints":
            yield from self._find(func.value)
            return
        target = self._module.resolve_expr(func, None, self.local)
        if isinstance(target, Function) and self._depth < _MAX_CALLS:
            yield from _returned(target.module, target.node, self._depth + 1)
        for arg in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from self._find(arg)


def _returned(module: Module, node: ast.FunctionDef, depth: int) -> Iterator[KernelDef]:
    """Kernels that a function may return."""
    prefix = f"{node.name}.<locals>."
    finder = _KernelFinder(module, (node,), depth)
    for stmt in statements(node.body):
        if isinstance(stmt, ast.Return) and stmt.value is not None:
            name = stmt.value.id if isinstance(stmt.value, ast.Name) else ""
            if prefix + name in module.kernels:
                yield module.kernels[prefix + name]
            else:
                yield from finder.find(stmt.value)


def local_values(function: FunctionNode) -> dict[str, list[ast.expr]]:
    """The expressions assigned to each name in a function, or to its items; none for parameters."""
    args = function.args
    everything = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    found: dict[str, list[ast.expr]] = {arg.arg: [] for arg in everything if arg is not None}
    for stmt in statements(function.body):
        match stmt:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    base = target.value if isinstance(target, ast.Subscript) else target
                    for name in target_names(base):
                        found.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                found.setdefault(name, []).append(value)
    return found
