"""Rewrites one host module: its kernels and launches become those of the Rust crate, its imports find what they found before.

Only ranges are replaced (`edits.py`); the positions are those of the syntax tree that the front end has already.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from cutile2rs.diagnostics import Diagnostic, error, warning
from cutile2rs.frontend import KernelDef, Module
from cutile2rs.frontend.bindings import ExternalModule, ExternalName
from cutile2rs.frontend.names import CUDA_TILE, KERNEL, LAUNCH, TUNE
from cutile2rs.frontend.scope import Import, imports_of

from .edits import Edit, RawText
from .references import Reference, references

BACKEND = "cutile-rs"
"""The name under which TileGym's dispatcher knows the converted operators."""

_REPLACED = {LAUNCH: "launch", TUNE: "exhaustive_search"}
_UNSUPPORTED = ("cuda.tile._cext.launch_extended", "cuda.tile._cext._benchmark", "cuda.tile._cext.TileDispatcher")
_MODULE_VALUES = (CUDA_TILE, "cuda.tile.tune", "cuda.tile._cext")
_REGISTER = ("tilegym.backend.register_impl", "tilegym.backend.dispatcher.register_impl")
_FROM = re.compile(r"from\b([\s\\]*)(?P<module>[\w.\\\s]+?)(?P<space>[\s\\]*)(?<!\w)import\b")


@dataclass(slots=True)
class Facts:
    """What a module's text says about its host side."""

    module: Module
    references: list[Reference]
    launches: list[Reference]
    registers: list[ast.Call]
    imports: list[ast.Import | ast.ImportFrom]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    patches: bool = False
    """Whether the module assigns to `cuda.tile.launch`: it is about cuTile Python's launches then."""

    @property
    def blocked(self) -> bool:
        """Whether something in the module cannot be rewritten."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


def read_facts(module: Module) -> Facts:
    """Looks through a module's host code."""
    kernels = [kernel.node for kernel in [*module.kernels.values(), *module.rejected_kernels]]

    def path_of(item: Import) -> str:
        return import_path(module, item)

    def star_path(name: str) -> str | None:
        return module.qualify(ast.Name(name, ast.Load())) if module.scope.stars else None

    found = references(module.tree, path_of, star_path, kernels, ":=" in module.text)
    facts = Facts(module, found, [], [], list(_imports(module.tree, kernels)))
    for reference in found:
        _classify(facts, reference)
    return facts


def import_path(module: Module, item: Import) -> str:
    """The dotted path that an import binds: the external one where a user's module passes it on, else as it is written."""
    match module.bind_import(item):
        case ExternalModule(dotted):
            return dotted
        case ExternalName() as name:
            return name.dotted
    base = absolute(module, item.module, item.level)
    return base if item.name is None else f"{base}.{item.name}"


def absolute(module: Module, dotted: str, level: int) -> str:
    """The absolute name of an imported module."""
    if not level:
        return dotted
    package = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
    kept = package[: len(package) - (level - 1)]
    return ".".join([*kept, *([dotted] if dotted else [])])


def _imports(tree: ast.Module, kernels: list[ast.FunctionDef]) -> Iterator[ast.Import | ast.ImportFrom]:
    skipped = {id(kernel) for kernel in kernels}
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if id(node) in skipped or isinstance(node, ast.expr):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        stack.extend(ast.iter_child_nodes(node))


def _classify(facts: Facts, reference: Reference) -> None:
    dotted = reference.dotted
    if dotted in _REGISTER and isinstance(reference.parent, ast.Call) and reference.parent.func is reference.node:
        facts.registers.append(reference.parent)
        return
    if not dotted.startswith(CUDA_TILE):
        return
    span = facts.module.span(reference.node)
    target = next((name for name in _REPLACED if reference.prefix(name) is not None), None)
    if target is not None:
        if reference.stored:
            facts.patches = True
        elif not reference.certain:
            text = f"`{ast.unparse(reference.node)}` may be `{target}` or something else"
            facts.diagnostics.append(error("C2R701", text, span, help="bind the name once"))
        else:
            facts.launches.append(reference)
    elif dotted.startswith(_UNSUPPORTED):
        text = f"`{dotted}` has no counterpart for Rust kernels"
        facts.diagnostics.append(error("C2R701", text, span, help="use cuda.tile.launch"))
    elif dotted in _MODULE_VALUES and not reference.stored:
        _module_value(facts, reference)


def _module_value(facts: Facts, reference: Reference) -> None:
    """The module itself as a value: an alias is followed, and a look-up by a literal name is understood."""
    parent, span = reference.parent, facts.module.span(reference.node)
    match parent:
        case ast.Assign(targets=[ast.Name()]) | ast.Expr() | ast.Compare():
            return
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]):
            if f"{reference.dotted}.{name}" in _REPLACED or name == "tune":
                text = f"`{name}` of `{reference.dotted}` is looked up by a string"
                facts.diagnostics.append(
                    error("C2R701", text, span, help=f"write `{ast.unparse(reference.node)}.{name}`")
                )
            return
        case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "bool" | "isinstance" | "print" | "str" | "repr")):
            return
    text = f"`{reference.dotted}` is used as a value: a launch made through it stays cuTile Python's, and fails"
    facts.diagnostics.append(warning("C2R702", text, span))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where converted modules are in the output's Python package: their new names by the old ones."""

    package: str
    names: Mapping[str, str]

    def runtime(self, module: Module) -> str:
        """The runtime's package as a wrapper of the module imports it: dots up to the output package."""
        parts = self.names[module.name].split(".")
        return "." * (len(parts) - (0 if module.is_package else 1))


def rewrite(facts: Facts, raw: RawText, kernels: Mapping[str, KernelDef], layout: Layout, exists: Callable[[str], bool]
            ) -> list[Edit]:  # fmt: skip
    """The edits that make a module's wrapper.

    `kernels` are the converted ones by qualified name; `exists` says whether a dotted name is a module of the user's.
    Adds to the facts' diagnostics what cannot be rewritten; the edits are not to be used then.
    """
    writer = _Writer(facts, raw, layout, exists)
    for kernel in kernels.values():
        writer.kernel(kernel)
    for reference in facts.launches:
        writer.launch(reference)
    for call in facts.registers:
        writer.backend(call)
    for statement in facts.imports:
        writer.imported(statement)
    for reference in facts.references:
        writer.moved(reference)
    if writer.uses_runtime:
        writer.runtime_import()
    return writer.edits


class _Writer:
    def __init__(self, facts: Facts, raw: RawText, layout: Layout, exists: Callable[[str], bool]) -> None:
        self.edits: list[Edit] = []
        self.uses_runtime = False
        self._facts = facts
        self._module = facts.module
        self._raw = raw
        self._layout = layout
        self._exists = exists
        self._plain_imports = {
            item.name
            for statement in facts.imports
            if isinstance(statement, ast.Import)
            for item in statement.names
            if item.asname is None and item.name in layout.names
        }
        self._here = "_c2r"
        while re.search(rf"\b{self._here}\b", raw.text):
            self._here += "_"

    def _replace(self, node: ast.expr, text: str) -> None:
        if not self._raw.holds(node):
            message = f"`{ast.unparse(node)}` cannot be found in the text"
            hint = "move it out of the f-string" if self._module.span(node).col == 1 else None
            self._facts.diagnostics.append(error("C2R701", message, self._module.span(node), help=hint))
            return
        self.edits.append(Edit(*self._raw.range(node), text))

    def _runtime(self, name: str) -> str:
        self.uses_runtime = True
        return f"{self._here}.{name}"

    # -- kernels

    def kernel(self, kernel: KernelDef) -> None:
        """`@ct.kernel(...)` becomes `@_c2r.kernel("module:name")(...)`; any other way to make a kernel is adopted."""
        name = f'"{self._module.name}:{kernel.qualname}"'
        made = self._maker(kernel)
        if made is None:
            return
        maker = made
        while isinstance(maker, ast.Call):
            maker = maker.func
        plain = [found for found in self._facts.references if found.node is maker and found.dotted == KERNEL]
        if plain and plain[0].certain:
            self._replace(maker, f"{self._runtime('kernel')}({name})")
        else:
            start, end = self._raw.range(made)
            self.edits += [Edit(start, start, f"{self._runtime('adopt')}({name}, "), Edit(end, end, ")")]

    def _maker(self, kernel: KernelDef) -> ast.expr | None:
        """The expression that makes the kernel: a decorator, or the value of an assignment. None for
        `fast = kernel.replace_hints(...)`, which makes one of a kernel that is converted itself."""
        others = {id(other.expr) for other in kernel.extra_decorators}
        own = [expr for expr in kernel.node.decorator_list if id(expr) not in others]
        if "." in kernel.qualname or (kernel.module is self._module and kernel.node.name == kernel.qualname and own):
            return own[0] if own else None
        for event in reversed(self._module.scope.events.get(kernel.qualname, [])):
            expr = getattr(event.payload, "expr", None)
            if isinstance(expr, ast.Call) and expr.args:
                return expr
        return None

    # -- launches

    def launch(self, reference: Reference) -> None:
        """A reference to `cuda.tile.launch` or to a tuning function becomes one to the runtime's."""
        for dotted, name in _REPLACED.items():
            node = reference.prefix(dotted)
            if node is not None:
                self._replace(node, self._runtime(name))
                return

    def backend(self, call: ast.Call) -> None:
        """`backend="cutile"` of a registration becomes the converted operators' backend."""
        given = [keyword.value for keyword in call.keywords if keyword.arg == "backend"] or call.args[1:2]
        if not given:
            return
        [value] = given
        if isinstance(value, ast.Constant):
            if value.value == "cutile":
                start, end = self._raw.range(value)
                self.edits.append(Edit(start, end, self._raw.text[start:end].replace("cutile", BACKEND)))
        else:
            start, end = self._raw.range(value)
            self.edits += [Edit(start, start, f"{self._runtime('backend')}("), Edit(end, end, ")")]

    # -- imports

    def imported(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Modules that have a wrapper are imported from there, all others by their absolute name."""
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self._import_alias(alias)
            return
        base = absolute(self._module, statement.module or "", statement.level)
        new = [self._home(base, alias.name) for alias in statement.names]
        if len(set(new)) == 1:
            self._import_from(statement, base, new[0])
            return
        parts = [
            f"from {home} import " + ", ".join(
                alias.name + (f" as {alias.asname}" if alias.asname else "")
                for alias, place in zip(statement.names, new, strict=True) if place == home
            )
            for home in dict.fromkeys(new)
        ]  # fmt: skip
        self.edits.append(Edit(*self._raw.range(statement), "; ".join(parts)))

    def _home(self, base: str, name: str) -> str:
        """The module that `from base import name` takes the name from in the output."""
        names = self._layout.names
        submodule = f"{base}.{name}"
        if submodule in names and names[submodule].rpartition(".")[2] == name:
            return names[submodule].rpartition(".")[0]
        if base in names and not (self._exists(submodule) and submodule not in names):
            return names[base]
        return base

    def _import_from(self, statement: ast.ImportFrom, base: str, home: str) -> None:
        own = self._layout.names[self._module.name]
        package = own if self._module.is_package else own.rpartition(".")[0]
        if statement.level:
            kept = package.split(".")[: len(package.split(".")) - (statement.level - 1)]
            if ".".join([*kept, *([statement.module] if statement.module else [])]) == home:
                return  # a relative import finds the wrapper
        elif home == base:
            return
        start, end = self._raw.range(statement)
        found = _FROM.match(self._raw.text, start, end)
        assert found is not None, "an import statement has `from` and `import`"
        gap = "" if found["space"] else " "
        self.edits.append(Edit(found.start("module"), found.end("module"), home + gap))

    def _import_alias(self, alias: ast.alias) -> None:
        new = self._layout.names.get(alias.name)
        if new is None:
            return
        start, end = self._raw.range(alias)
        if alias.asname:
            self.edits.append(Edit(start, start + len(alias.name), new))
        else:
            self.edits.append(Edit(end, end, f", {new}"))

    def moved(self, reference: Reference) -> None:
        """`a.b.name` after `import a.b` is looked up in the wrapper of `a.b`."""
        if not self._plain_imports:
            return
        written = ast.unparse(reference.node)
        node: ast.expr = reference.node
        while isinstance(node, (ast.Attribute, ast.Name)):
            text = ast.unparse(node)
            if text in self._plain_imports and reference.dotted == written:
                self._replace(node, self._layout.names[text])
                return
            if isinstance(node, ast.Name):
                return
            node = node.value

    # -- the runtime

    def runtime_import(self) -> None:
        """The runtime's import: before the first statement that is neither the docstring nor a `__future__` import."""
        body = self._module.tree.body
        index = 1 if ast.get_docstring(self._module.tree, clean=False) is not None else 0
        while index < len(body) and any(item.module == "__future__" for item in _imported(body[index])):
            index += 1
        line = f"from {self._layout.runtime(self._module)} import _cutile2rs as {self._here}"
        statement = body[index]
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement, *decorators], key=lambda node: node.lineno)
        start = self._raw.offset(first.lineno, 0)
        before = self._raw.offset(first.lineno, first.col_offset)
        if self._raw.text[start:before].strip(" \t\f@"):
            start, end = before, "; "  # `"""Docstring."""; import a`
        else:
            end = self._raw.line_end(start)
        self.edits.append(Edit(start, start, line + end))


def _imported(statement: ast.stmt) -> list[Import]:
    return list(imports_of(statement)) if isinstance(statement, ast.ImportFrom) else []
