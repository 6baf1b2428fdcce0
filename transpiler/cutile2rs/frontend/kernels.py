"""Finds cuTile kernels: decorated functions under any alias, and `name = ct.kernel(function, ...)`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..diagnostics import Diagnostic, Span, error, warning
from .bindings import Binding, Class, Constant, Function, Kernel
from .names import KERNEL
from .scope import Assigned, Definition, ScopeNode, statements

if TYPE_CHECKING:
    from .module import Locals, Module

Options = dict[str, ast.expr]
_MAX_DEPTH = 10


@dataclass(frozen=True, slots=True)
class ParamDef:
    """One parameter of a kernel; `kind` is named as in `inspect.Parameter`, in lower case."""

    name: str
    annotation: ast.expr | None
    default: ast.expr | None
    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Decorator:
    """A decorator other than the kernel's own; `inner` ones saw the plain function, outer ones the kernel."""

    expr: ast.expr
    qualified: str | None
    inner: bool


@dataclass(frozen=True, eq=False)
class KernelDef:
    """A kernel found in the text.

    `name` is the Python function's name (it names the compiled symbol), `qualname` says where the kernel is reached
    in its module: the two differ for nested kernels and for `fast = ct.kernel(function)`. `module` is where the
    function's body is, and `local` holds what the imports of enclosing functions bind.
    """

    name: str
    qualname: str
    node: ast.FunctionDef
    module: Module
    options: Options
    options_module: Module
    extra_decorators: tuple[Decorator, ...]
    params: tuple[ParamDef, ...]
    docstring: str | None
    local: Mapping[str, Binding] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"KernelDef({self.module.name}::{self.qualname})"

    @property
    def span(self) -> Span:
        """The span of the function's name."""
        return self.module.span(self.node)


@dataclass
class KernelTable:
    """What the search of one module found."""

    kernels: dict[str, KernelDef] = field(default_factory=dict)
    rejected: list[KernelDef] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def find_kernels(module: Module) -> KernelTable:
    """All kernels of a module: module-level ones, static ones of classes, and nested ones that capture nothing."""
    table = KernelTable()
    found: list[tuple[int, KernelDef, Diagnostic | None]] = []
    for definition in module.scope.definitions:
        if definition.node.decorator_list and not isinstance(definition.node, ast.ClassDef):
            found += _check_definition(module, definition, table)
    for name, events in module.scope.events.items():
        for event in events:
            if isinstance(event.payload, Assigned) and isinstance(event.payload.expr, ast.Call):
                kernel = assigned_kernel(module, name, event.payload.expr, event.line)
                if kernel is not None:
                    found.append((event.line, kernel, _check_shape(kernel)))
    for line, kernel, problem in sorted(found, key=lambda item: item[0]):
        if problem is not None:
            table.diagnostics.append(problem)
            table.rejected.append(kernel)
            continue
        earlier = table.kernels.pop(kernel.qualname, None)
        if earlier is not None:
            text = f"kernel `{kernel.qualname}` is defined again at line {line}; only the last definition is converted"
            table.diagnostics.append(warning("C2R103", text, earlier.span))
        table.kernels[kernel.qualname] = kernel
    return table


def _check_definition(
    module: Module, definition: Definition, table: KernelTable
) -> list[tuple[int, KernelDef, Diagnostic | None]]:
    node, parents = definition.node, definition.parents
    nested = any(not isinstance(parent, ast.ClassDef) for parent in parents)
    local = _local_imports(module, parents) if nested else {}
    before = None if nested else node.decorator_list[0].lineno
    if isinstance(node, ast.AsyncFunctionDef):
        if any(_kernel_options(module, expr, before, local) is not None for expr in node.decorator_list):
            table.diagnostics.append(error("C2R102", f"kernel `{node.name}` is an async function", module.span(node)))
        return []
    assert isinstance(node, ast.FunctionDef)
    nested_kernel = _decorated(module, node, _qualname(node, parents), before, local) if parents else None
    kernel = nested_kernel if parents else kernel_of_function(module, node)
    if kernel is None:
        return []
    problem = _check_shape(kernel)
    captured = sorted(_captures(node, parents, local)) if nested and problem is None else []
    if captured:
        names = ", ".join(f"`{name}`" for name in captured)
        text = f"unsupported: kernel `{node.name}` is defined in a function and captures {names}"
        hint = "move the kernel to module level and pass these values as ct.Constant parameters"
        problem = error("C2R101", text, module.span(node), help=hint)
    return [(node.lineno, kernel, problem)]


def kernel_of_function(module: Module, node: ast.FunctionDef) -> KernelDef | None:
    """The kernel that a module-level function is, if its decorators make it one."""
    if not node.decorator_list:
        return None
    known = module.kernel_cache
    if id(node) not in known:
        known[id(node)] = _decorated(module, node, node.name, node.decorator_list[0].lineno, {})
    return known[id(node)]


def _decorated(
    module: Module, node: ast.FunctionDef, qualname: str, before: int | None, local: Locals
) -> KernelDef | None:
    for index, expr in enumerate(node.decorator_list):
        options = _kernel_options(module, expr, before, local)
        if options is None:
            continue
        extra = tuple(
            Decorator(other, _qualified(module, other, before, local), position > index)
            for position, other in enumerate(node.decorator_list)
            if position != index
        )
        return _define(module, node, qualname, options, module, extra, local)
    return None


def _qualified(module: Module, decorator: ast.expr, before: int | None, local: Locals) -> str | None:
    """The dotted name of a decorator, external or the user's own."""
    expr = decorator.func if isinstance(decorator, ast.Call) else decorator
    match module.resolve_expr(expr, before, local):
        case Function(home, node) | Class(home, node):
            return f"{home.name}.{node.name}"
    return module.qualify(expr, before, local)


def _define(
    module: Module,
    node: ast.FunctionDef,
    qualname: str,
    options: Options,
    options_module: Module,
    extra: tuple[Decorator, ...] = (),
    local: Locals | None = None,
) -> KernelDef:
    params = tuple(_params(module, node.args))
    doc = ast.get_docstring(node)
    return KernelDef(node.name, qualname, node, module, options, options_module, extra, params, doc, local or {})


def _params(module: Module, args: ast.arguments) -> list[ParamDef]:
    positional = [*((arg, "positional_only") for arg in args.posonlyargs)]
    positional += [(arg, "positional_or_keyword") for arg in args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    defaults += args.defaults
    rows = [(arg, kind, default) for (arg, kind), default in zip(positional, defaults, strict=True)]
    if args.vararg:
        rows.append((args.vararg, "var_positional", None))
    rows += [(arg, "keyword_only", default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    if args.kwarg:
        rows.append((args.kwarg, "var_keyword", None))
    return [ParamDef(arg.arg, arg.annotation, default, kind, module.span(arg)) for arg, kind, default in rows]


def _kernel_options(
    module: Module, expr: ast.expr, before: int | None, local: Locals, depth: int = 0
) -> Options | None:
    """The options, if `expr` is `ct.kernel` or something that acts like it with options filled in; else None."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expr, ast.Call):
        func = expr.func
        if not expr.args:
            inner = _kernel_options(module, func, before, local, depth + 1)
        elif len(expr.args) == 1 and module.qualify(func, before, local) == "functools.partial":
            inner = _kernel_options(module, expr.args[0], before, local, depth + 1)
        else:
            return None
        return None if inner is None else inner | _keywords(expr)
    match module.resolve_expr(expr, before, local):
        case None:
            return None
        case Constant(other, value, _, line):
            return _foreign(module, other, _kernel_options(other, value, line, {}, depth + 1))
        case Function(other, node):
            return _foreign(module, other, _wrapper_options(other, node, depth + 1))
        case _:
            return {} if module.qualify(expr, before, local) == KERNEL else None


def _keywords(call: ast.Call) -> Options:
    return {keyword.arg or "**": keyword.value for keyword in call.keywords}


def _foreign(module: Module, other: Module, options: Options | None) -> Options | None:
    """Options written in another module are kept only if they are literals, else marked as not understood."""
    if options is None or module is other:
        return options
    return {name if isinstance(value, ast.Constant) else "**": value for name, value in options.items()}


def _wrapper_options(module: Module, node: ast.FunctionDef, depth: int) -> Options | None:
    """Options of a one-line decorator function: `def mine(f): return ct.kernel(occupancy=2)(f)`."""
    args = node.args
    if node.decorator_list or len(args.posonlyargs) + len(args.args) != 1 or args.kwonlyargs or args.vararg:
        return None
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Call):
        return None
    call, param = body[0].value, [*args.posonlyargs, *args.args][0].arg
    if len(call.args) != 1 or not isinstance(call.args[0], ast.Name) or call.args[0].id != param:
        return None
    options = _kernel_options(module, call.func, None, {}, depth)
    return None if options is None else options | _keywords(call)


def assigned_kernel(module: Module, name: str, expr: ast.expr, line: int) -> KernelDef | None:
    """The kernel of `name = ct.kernel(function, ...)`, `ct.kernel(...)(function)` or `kernel.replace_hints(...)`."""
    if not isinstance(expr, ast.Call) or len(expr.args) > 1:
        return None
    if not expr.args:
        if not isinstance(expr.func, ast.Attribute) or expr.func.attr != "replace_hints":
            return None
        match module.resolve_expr(expr.func.value, line):
            case Kernel(kernel) if kernel.options_module is module:
                options = kernel.options | _keywords(expr)
                extra = kernel.extra_decorators
                return _define(kernel.module, kernel.node, name, options, module, extra, kernel.local)
        return None
    target = expr.args[0]
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return None
    options_or_none = _kernel_options(module, expr.func, line, {})
    if options_or_none is None:
        return None
    options = options_or_none | _keywords(expr)
    match module.resolve_expr(target, line):
        case Function(home, node):
            return _define(home, node, name, options, module)
    return None


def _check_shape(kernel: KernelDef) -> Diagnostic | None:
    if "**" in kernel.options:
        text = f"options of kernel `{kernel.qualname}` cannot be read"
        value = kernel.options["**"]
        here = kernel.options_module
        span = here.span(value) if _belongs(here, value) else kernel.span
        return error("C2R105", text, span, help="write the options as keyword arguments of ct.kernel")
    inner = [decorator for decorator in kernel.extra_decorators if decorator.inner and not _is_static(decorator)]
    if inner:
        text = f"kernel `{kernel.qualname}` has a decorator below ct.kernel, which may change the function"
        return error("C2R104", text, kernel.module.span(inner[0].expr), help="put ct.kernel closest to the function")
    return None


def _belongs(module: Module, node: ast.expr) -> bool:
    return node.lineno <= len(module.lines) and any(found is node for found in ast.walk(module.tree))


def _is_static(decorator: Decorator) -> bool:
    return isinstance(decorator.expr, ast.Name) and decorator.expr.id == "staticmethod"


def _qualname(node: ScopeNode, parents: tuple[ScopeNode, ...]) -> str:
    parts: list[str] = []
    for parent in parents:
        parts.append(parent.name)
        if not isinstance(parent, ast.ClassDef):
            parts.append("<locals>")
    return ".".join([*parts, node.name])


def _local_imports(module: Module, parents: tuple[ScopeNode, ...]) -> dict[str, Binding]:
    """What imports inside enclosing functions bind."""
    found: dict[str, Binding] = {}
    for parent in parents:
        if not isinstance(parent, ast.ClassDef):
            found |= {item.local: module.bind_import(item) for item in module.local_imports(parent)}
    return found


def _captures(node: ast.FunctionDef, parents: tuple[ScopeNode, ...], local: Locals) -> set[str]:
    """Names of enclosing functions, imports aside, that the kernel's body uses."""
    outer = {name for parent in parents if not isinstance(parent, ast.ClassDef) for name in _bound(parent)}
    own = _bound(node)
    used = {
        found.id
        for stmt in [
            *node.body,
            *(arg.annotation for arg in _all_args(node.args) if arg.annotation),
            *node.args.defaults,
        ]
        for found in ast.walk(stmt)
        if isinstance(found, ast.Name)
    }
    return ((used & outer) - own) - set(local)


def _all_args(args: ast.arguments) -> list[ast.arg]:
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def _bound(function: ScopeNode) -> set[str]:
    """Names that a function binds: parameters, assignments, loops, nested definitions; not imports."""
    names: set[str] = set()
    if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        names |= {arg.arg for arg in _all_args(function.args)}
    for stmt in statements(function.body):
        if isinstance(stmt, ScopeNode):
            names.add(stmt.name)
            continue
        for child in ast.walk(stmt) if not hasattr(stmt, "body") else _heads(stmt):
            if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
                names.add(child.id)
            elif isinstance(child, ast.ExceptHandler) and child.name:
                names.add(child.name)
    return names


def _heads(stmt: ast.stmt) -> list[ast.AST]:
    """The nodes of a compound statement that stand outside its inner statements."""
    found: list[ast.AST] = list(getattr(stmt, "handlers", ()))
    for name in ("target", "iter", "test", "subject"):
        if hasattr(stmt, name):
            found += ast.walk(getattr(stmt, name))
    for item in getattr(stmt, "items", ()):
        found += ast.walk(item)
    for case in getattr(stmt, "cases", ()):
        names = [getattr(node, "name", None) or getattr(node, "rest", None) for node in ast.walk(case.pattern)]
        found += [ast.Name(name, ast.Store()) for name in names if isinstance(name, str)]
    return found
