"""One module of user code, read from text."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics import Diagnostic, Span
from . import guards, source
from .bindings import (
    Binding,
    Class,
    Constant,
    ExternalModule,
    ExternalName,
    Function,
    Kernel,
    Unknown,
    UserModule,
    external,
)
from .kernels import KernelDef, KernelTable, assigned_kernel, find_kernels, kernel_of_function
from .launches import LaunchSite, find_launches, host_calls, local_values
from .names import CUDA_TILE, PUBLIC
from .scope import Assigned, Event, FunctionNode, Import, Scope, ScopeNode, collect, local_imports

if TYPE_CHECKING:
    from .project import Project

_BUILTINS = frozenset(dir(builtins))
_KNOWN_STARS = ("collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "typing")
Locals = Mapping[str, Binding]


class Module:
    """A parsed module; everything beyond the tree is computed when first asked for."""

    def __init__(self, project: Project, name: str, path: Path, root: Path, text: str, tree: ast.Module) -> None:
        self.project = project
        self.name = name
        self.path = path
        self.root = root
        self.text = text
        self.tree = tree
        self.kernel_cache: dict[int, KernelDef | None] = {}
        self._local_values: dict[FunctionNode, dict[str, list[ast.expr]]] = {}
        self._local_imports: dict[FunctionNode, list[Import]] = {}
        self._resolving: set[tuple[str, int | None]] = set()
        self._resolved: dict[tuple[str, int | None], Binding | None] = {}

    def __repr__(self) -> str:
        return f"Module({self.name})"

    @property
    def is_package(self) -> bool:
        """Whether this is an `__init__.py`."""
        return self.path.name == "__init__.py"

    @cached_property
    def file(self) -> str:
        """The path as spans name it."""
        return str(self.path)

    @cached_property
    def lines(self) -> list[str]:
        """Source lines without line ends."""
        return self.text.split("\n")

    @cached_property
    def scope(self) -> Scope:
        """What the module's statements bind, unresolved."""
        return collect(self.tree, self.text)

    @property
    def imports(self) -> list[Import]:
        """Module-level imports in source order."""
        return self.scope.imports

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """Module-level functions by name, kernels among them; the last definition counts."""
        last = ((name, events[-1].payload) for name, events in self.scope.events.items())
        return {name: node for name, node in last if isinstance(node, ast.FunctionDef)}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Module-level classes by name."""
        last = ((name, events[-1].payload) for name, events in self.scope.events.items())
        return {name: node for name, node in last if isinstance(node, ast.ClassDef)}

    @cached_property
    def _kernel_table(self) -> KernelTable:
        return find_kernels(self)

    @property
    def kernels(self) -> dict[str, KernelDef]:
        """Convertible kernels by qualified name, in source order."""
        return self._kernel_table.kernels

    @property
    def rejected_kernels(self) -> list[KernelDef]:
        """Kernels that cannot be converted because of where or how they are defined; see `diagnostics`."""
        return self._kernel_table.rejected

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What the front end has to say about the module's kernels."""
        return self._kernel_table.diagnostics

    @cached_property
    def launches(self) -> list[LaunchSite]:
        """Places that launch, tune or re-hint a kernel, in source order."""
        return find_launches(self)

    @cached_property
    def host_calls(self) -> list[tuple[ast.Call, tuple[ScopeNode, ...]]]:
        """Calls outside kernels in source order, with the functions and classes around each."""
        return sorted(host_calls(self), key=lambda item: (item[0].lineno, item[0].col_offset))

    # -- positions and text

    def span(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias) -> Span:
        """The node's span; of a function or class, its name."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return source.name_span(self.file, self.lines, node)
        start = (node.lineno, node.col_offset)
        return source.span_between(self.file, self.lines, start, source.node_end(node))

    def segment(self, node: ast.stmt | ast.expr) -> str:
        """The node's verbatim text, continuation lines dedented."""
        return source.text_between(self.lines, source.node_start(node), source.node_end(node))

    # -- names

    def resolve(self, name: str, before: int | None = None) -> Binding | None:
        """What the module-global `name` stands for once the module has run; None if nothing binds it.

        With `before`, what it stood for when line `before` ran: use it for decorators, defaults, annotations and the
        expressions of constants, which Python evaluates once, in order.
        """
        key = (name, before)
        if key in self._resolved:
            return self._resolved[key]
        if key in self._resolving:
            self.project.cycles_met += 1
            return Unknown(f"`{name}` is defined by an import cycle")
        cycles_before = self.project.cycles_met
        self._resolving.add(key)
        try:
            binding = self._resolve(name, before)
        finally:
            self._resolving.discard(key)
        if cycles_before == self.project.cycles_met:
            self._resolved[key] = binding
        return binding

    def is_resolving(self, name: str) -> bool:
        """Whether `name` is being resolved now (an import cycle)."""
        found = (name, None) in self._resolving
        self.project.cycles_met += found
        return found

    def _resolve(self, name: str, before: int | None) -> Binding | None:
        events = self.scope.events.get(name, [])
        if before is not None:
            events = [event for event in events if event.line < before]
        events = guards.taken(self.scope, events, self.truth)
        written = self.scope.global_writes.get(name)
        if written is not None:
            return Unknown(f"`{name}` is written through `global` at line {written}")
        last_line = events[-1].line if events else 0
        for star in reversed(self.scope.stars):
            if star.line > last_line and (before is None or star.line < before):
                found = self._from_star(star, name)
                if found is not None:
                    return found
        if not events:
            return None
        chosen = _decide(name, events)
        return Unknown(chosen) if isinstance(chosen, str) else self._convert(name, chosen)

    def truth(self, expr: ast.expr, before: int | None = None) -> bool | None:
        """Whether a module-level condition holds, if literals decide it: `True`, `not FLAG`, `FLAG` with `FLAG = True`."""
        match expr:
            case ast.Constant(bool() as value):
                return value
            case ast.UnaryOp(ast.Not(), operand):
                holds = self.truth(operand, before)
                return None if holds is None else not holds
            case ast.Name() | ast.Attribute():
                found = self.resolve_expr(expr, before)
                return found.module.truth(found.expr, found.line) if isinstance(found, Constant) else None
        return None

    def _convert(self, name: str, event: Event) -> Binding:
        match event.payload:
            case Import():
                return self.bind_import(event.payload)
            case ast.FunctionDef() as node:
                kernel = kernel_of_function(self, node)
                return Function(self, node) if kernel is None else Kernel(kernel)
            case ast.ClassDef() as node:
                return Class(self, node)
            case Assigned(expr, annotation):
                kernel = assigned_kernel(self, name, expr, event.line)
                return Constant(self, expr, name, event.line, annotation) if kernel is None else Kernel(kernel)
            case reason:
                return Unknown(f"`{name}` is {reason}")

    def bind_import(self, found: Import) -> Binding:
        """What an import statement of this module binds."""
        if found.name is None:
            return self.project.import_module(self, found.module, 0)
        return self.project.import_name(self, found.module, found.level, found.name)

    def local_imports(self, function: FunctionNode) -> list[Import]:
        """Imports inside a function, nested functions aside; bind them with `bind_import`."""
        if function not in self._local_imports:
            self._local_imports[function] = local_imports(function)
        return self._local_imports[function]

    def local_values(self, function: FunctionNode) -> dict[str, list[ast.expr]]:
        """The expressions assigned to each local name of a function."""
        if function not in self._local_values:
            self._local_values[function] = local_values(function)
        return self._local_values[function]

    def _from_star(self, star: Import, name: str) -> Binding | None:
        target = self.project.import_module(self, star.module, star.level)
        match target:
            case UserModule(module):
                exports = module.exports(name)
                if exports is None:
                    return Unknown(f"`{name}` may come from `{star.module}`, whose `__all__` cannot be read")
                return module.resolve(name) if exports and not module.is_resolving(name) else None
            case ExternalModule("cuda.tile"):
                return external(f"{CUDA_TILE}.{name}") if name in PUBLIC else None
            case ExternalModule() | ExternalName():
                dotted = star.module
                if dotted in _KNOWN_STARS:
                    return external(f"{dotted}.{name}") if name in _public_names(dotted) else None
                return None if self._keeps(name) else Unknown(f"`{name}` may come from `from {dotted} import *`")
        return None

    def _keeps(self, name: str) -> bool:
        """Whether a star import of unknown names leaves `name` alone: private names and names of imported modules."""
        events = self.scope.events.get(name, [])
        payload = events[-1].payload if events else None
        return name.startswith("_") or (isinstance(payload, Import) and payload.name is None)

    def exports(self, name: str) -> bool | None:
        """Whether `from this import *` binds `name`; None if that cannot be told."""
        listed = self.scope.events.get("__all__")
        if listed is None:
            return not name.startswith("_")
        if len(listed) == 1 and isinstance(listed[0].payload, Assigned):
            try:
                return name in ast.literal_eval(listed[0].payload.expr)
            except (ValueError, TypeError):
                return None
        return None

    def attribute(self, name: str) -> Binding | None:
        """What `this_module.name` is for an importer: a global name, or else a submodule."""
        found = None if self.is_resolving(name) else self.resolve(name)
        if found is None and self.is_package:
            submodule = self.project.module_below(self.path.parent, name)
            return None if submodule is None else UserModule(submodule)
        return found

    def resolve_expr(self, expr: ast.expr, before: int | None = None, local: Locals | None = None) -> Binding | None:
        """What a name or attribute chain stands for; `local` holds names of enclosing functions. Aliases such as
        `load = ct.load` are followed."""
        return self._resolve_chain(expr, before, local, 0)

    def _resolve_chain(self, expr: ast.expr, before: int | None, local: Locals | None, depth: int) -> Binding | None:
        found: Binding | None
        match expr:
            case ast.Name():
                found = local[expr.id] if local and expr.id in local else self.resolve(expr.id, before)
            case ast.Attribute():
                found = _member(self._resolve_chain(expr.value, before, local, depth), expr.attr)
            case _:
                return None
        if isinstance(found, Constant) and isinstance(found.expr, (ast.Name, ast.Attribute)) and depth < 20:
            target = found.module._resolve_chain(found.expr, found.line, None, depth + 1)
            return found if target is None else target
        return found

    def qualify(self, expr: ast.expr, before: int | None = None, local: Locals | None = None) -> str | None:
        """The external path of a name or attribute chain, `ct.PaddingMode.ZERO` -> `cuda.tile.PaddingMode.ZERO`."""
        match self.resolve_expr(expr, before, local):
            case ExternalModule(dotted):
                return dotted
            case ExternalName() as name:
                return name.dotted
        return None


def qualify(expr: ast.expr, module: Module) -> str | None:
    """The external path of a name or attribute chain in `module`, or None if it is not external."""
    return module.qualify(expr)


def statement_source(module: Module, node: ast.stmt) -> str:
    """A statement's verbatim text, dedented; of a compound statement only its header."""
    return source.statement_text(module.lines, node)


def _public_names(dotted: str) -> frozenset[str]:
    """What a star import of a standard library module binds."""
    found = importlib.import_module(dotted)
    return frozenset(getattr(found, "__all__", None) or (name for name in vars(found) if not name.startswith("_")))


def _member(binding: Binding | None, name: str) -> Binding | None:
    match binding:
        case ExternalModule(dotted):
            return external(f"{dotted}.{name}")
        case ExternalName():
            return external(f"{binding.dotted}.{name}")
        case UserModule(module):
            return module.attribute(name)
    return None


def _decide(name: str, events: list[Event]) -> Event | str:
    """The event that counts, or the reason why that depends on the run."""
    last = events[-1]
    if any(guard.startswith("loop:") for guard in last.guards):
        return f"`{name}` is bound inside a loop at line {last.line}"
    if not last.guards:
        return last
    if len(events) == 1 and name not in _BUILTINS:
        return last  # Either this is what the name stands for, or the program fails with NameError.
    targets = {event.payload.same_target if isinstance(event.payload, Import) else None for event in events}
    if len(targets) == 1 and None not in targets:
        return last
    tried = [event for event in events if event.guards and event.guards[-1].startswith("try:")]
    if len(tried) == 1 and isinstance(tried[0].payload, Import):
        outer, number = tried[0].guards[:-1], tried[0].guards[-1].partition(":")[2]
        fallback = (*outer, f"importerror:{number}")
        if not outer and all(event is tried[0] or event.guards == fallback for event in events):
            return tried[0]
    kind, _, line = last.guards[-1].partition(":")
    word = {"importerror": "except", "try-else": "try"}.get(kind, kind)
    return f"`{name}` is bound more than once, last under `{word}` at line {line}"
