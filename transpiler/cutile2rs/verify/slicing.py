"""Cut one kernel, with all it needs, out of its package: one Python file that imports neither torch nor the package.

The text of every statement is taken over verbatim. Statements of the kernel's own module keep their line numbers,
unless its import needs something of another module first. Names of other modules are renamed only on a clash.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cutile2rs.verify.modules import Binding, ReferenceTree, SliceError, SourceModule, nested_function
from cutile2rs.verify.names import FreeNames, eager_names, free_names, local_names, parameter_names
from cutile2rs.verify.slice_text import Member, Renaming, SliceText, namespace_lines, shim_line, statement_text

__all__ = ["ReferenceTree", "SliceError", "slice_kernel", "write_slice"]

ALLOWED_IMPORTS = frozenset(
    {
        "__future__", "abc", "collections", "cuda", "dataclasses", "enum", "functools", "itertools", "math", "numbers",
        "operator", "types", "typing",
    }
)  # fmt: skip
SHIMMED_IMPORTS = frozenset({"torch", "numpy"})
_IMPLICIT_NAMES = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


@dataclass(frozen=True)
class Definition:
    """A name that a module under the reference root defines by statements."""

    module: str
    name: str


@dataclass(frozen=True)
class External:
    """A name imported from the standard library or cuda.tile, or from the stand-in for torch or numpy."""

    module: str
    attribute: str | None


@dataclass(frozen=True)
class Namespace:
    """A whole module under the reference root, used through attributes."""

    module: str


Meaning = Definition | External | Namespace


@dataclass
class _Unit:
    """One needed top-level statement, and what its free names mean."""

    module: SourceModule
    statement: ast.stmt
    names: FreeNames
    defines: set[str]
    opening: str = ""  # a line that opens a block, where the statement is indented
    meanings: dict[str, Meaning] = field(default_factory=dict)


def slice_kernel(tree: ReferenceTree, module: str, kernel: str) -> str:
    """The text of a self-contained module that holds `kernel` of the dotted `module`."""
    slicer = _Slicer(tree, module)
    slicer.bring_out(kernel)
    slicer.need(slicer.home, kernel, "the request", 0)
    return slicer.emit()


def write_slice(tree: ReferenceTree, module: str, kernel: str, folder: Path) -> Path:
    """Write the slice to `folder` under a name made of module and kernel; its path."""
    path = folder / f"{module.replace('.', '__')}__{kernel}.py"
    path.write_text(slice_kernel(tree, module, kernel), encoding="utf-8")
    return path


class _Slicer:
    def __init__(self, tree: ReferenceTree, module: str) -> None:
        self.tree = tree
        home = tree.find(module)
        if home is None:
            raise SliceError(f"module '{module}' is not among the reference sources ({tree.root})")
        self.home = home
        self.units: dict[tuple[str, int, int], _Unit] = {}
        self.by_definition: dict[Definition, list[_Unit]] = {}
        self.members: dict[str, dict[str, Meaning]] = {}  # of each namespace in use
        self.module_order: list[str] = []
        self.openings: dict[int, str] = {}  # by the line of the kernel that it is for
        self.options: set[str] = set()  # names that the opening gives a value

    def bring_out(self, kernel: str) -> None:
        """Make a kernel that a function defines one of the module's own, unless the module has that name.

        Options that come from the function are None: a launch has them among its hints.
        """
        known = self.home.bindings.get(kernel)
        if known is not None and not any(statement.col_offset for statement in known.statements):
            return
        found = nested_function(self.home, kernel)
        if found is None:
            return
        around, statement = found
        self.home.bindings[kernel] = Binding(kernel, [statement])
        own = set().union(*(parameter_names(function) | local_names(function.body) for function in around))
        bare = copy.copy(self._without_foreign_decorators(self.home, statement))
        assert isinstance(bare, ast.FunctionDef)
        options = free_names(bare).chains.keys() & own
        bare.decorator_list = []
        if closed_over := sorted(free_names(bare).chains.keys() & own):
            raise SliceError(
                f"{self.home.path}:{statement.lineno}: '{kernel}' uses '{closed_over[0]}' of the function around it"
            )
        self.openings[statement.lineno] = _opening(sorted(options))
        self.options |= options

    # What names mean

    def need(self, module: SourceModule, name: str, user: str, line: int) -> Meaning:
        """What `name` means in `module`; a definition is taken into the slice with all that it needs."""
        meaning = self._find(module, name, frozenset())
        if meaning is None:
            raise SliceError(f"{module.path}:{line}: '{name}', which {user} needs, is not defined in '{module.name}'")
        if isinstance(meaning, Definition):
            self._take(meaning)
        return meaning

    def _find(self, module: SourceModule, name: str, seen: frozenset[tuple[str, str]]) -> Meaning | None:
        if (module.name, name) in seen:
            return None
        seen |= {(module.name, name)}
        binding = module.bindings.get(name)
        if binding is None:
            for source in module.star_imports:
                starred = self.tree.find(source)
                if starred is not None and (found := self._find(starred, name, seen)) is not None:
                    return found
            return None
        if binding.imported is None:
            return Definition(module.name, name)
        return self._find_import(module, binding, seen)

    def _find_import(self, module: SourceModule, binding: Binding, seen: frozenset[tuple[str, str]]) -> Meaning | None:
        target = binding.imported
        assert target is not None
        root = target.module.split(".")[0]
        if not self.tree.has_package(target.module):
            if root in ALLOWED_IMPORTS or root in SHIMMED_IMPORTS:
                return External(target.module, target.attribute)
            raise SliceError(
                f"{module.path}:{target.line}: '{binding.name}' comes from '{target.module}',"
                " which a slice cannot import"
            )
        if target.attribute is None:
            return Namespace(target.module)
        source = self.tree.find(target.module)
        if source is not None and (found := self._find(source, target.attribute, seen)) is not None:
            return found
        submodule = f"{target.module}.{target.attribute}"
        if self.tree.find(submodule) is not None:
            return Namespace(submodule)
        missing = f"'{target.attribute}' is not defined there" if source else "it is not among the reference sources"
        raise SliceError(
            f"{module.path}:{target.line}: cannot follow '{binding.name}' into '{target.module}': {missing}"
        )

    def _take(self, definition: Definition) -> None:
        if definition in self.by_definition:
            return
        module = self.tree.find(definition.module)
        assert module is not None
        units = self.by_definition.setdefault(definition, [])
        for statement in module.bindings[definition.name].statements:
            key = (module.name, statement.lineno, statement.col_offset)
            if key not in self.units:
                self.units[key] = self._unit(module, statement)
            unit = self.units[key]
            unit.defines.add(definition.name)
            units.append(unit)
        if module.name not in self.module_order:
            self.module_order.append(module.name)

    def _unit(self, module: SourceModule, statement: ast.stmt) -> _Unit:
        statement = self._without_foreign_decorators(module, statement)
        self._check_imports(module, statement)
        names = free_names(statement)
        opening = self.openings.get(statement.lineno, "") if module is self.home else ""
        unit = _Unit(module, statement, names, set(), opening)
        self.units[(module.name, statement.lineno, statement.col_offset)] = unit
        user = f"'{getattr(statement, 'name', 'a constant')}'"
        for name, chains in names.chains.items():
            if name not in module.bindings and name in _IMPLICIT_NAMES:
                continue
            if name not in module.bindings and _is_stored(names, name):
                continue
            if unit.opening and name in self.options:
                continue
            meaning = self.need(module, name, user, names.lines[name])
            unit.meanings[name] = meaning
            self._take_additions(module, name)
            if isinstance(meaning, Namespace):
                for chain in chains:
                    self._need_member(module, meaning, name, chain, names.lines[name])
        # A module follows those that it takes from.
        if module.name in self.module_order:
            self.module_order.remove(module.name)
        self.module_order.append(module.name)
        return unit

    def _take_additions(self, module: SourceModule, name: str) -> None:
        """Take the statements that add something to an imported name (`library.helper = ...`)."""
        binding = module.bindings.get(name)
        for statement in binding.statements if binding is not None and binding.imported is not None else ():
            key = (module.name, statement.lineno, statement.col_offset)
            if key not in self.units:
                self.units[key] = self._unit(module, statement)

    def _need_member(self, user: SourceModule, space: Namespace, name: str, chain: tuple[str, ...], line: int) -> None:
        if not chain:
            raise SliceError(f"{user.path}:{line}: the module '{name}' is used as a value")
        members = self.members.setdefault(space.module, {})
        source = self.tree.find(space.module)
        found = self._find(source, chain[0], frozenset()) if source is not None else None
        submodule = f"{space.module}.{chain[0]}"
        if found is None and (self.tree.find(submodule) or self.tree.root.joinpath(*submodule.split(".")).is_dir()):
            found = Namespace(submodule)
        if found is None:
            raise SliceError(f"{user.path}:{line}: '{space.module}' has no '{chain[0]}' among the reference sources")
        members[chain[0]] = found
        if isinstance(found, Definition):
            self._take(found)
        elif isinstance(found, Namespace):
            self._need_member(user, found, f"{name}.{chain[0]}", chain[1:], line)

    def _without_foreign_decorators(self, module: SourceModule, statement: ast.stmt) -> ast.stmt:
        """A kernel less the decorators above `ct.kernel`: they wrap the finished kernel and are host matters."""
        if not isinstance(statement, ast.FunctionDef):
            return statement
        for index, decorator in enumerate(statement.decorator_list):
            if self._dotted(module, decorator) == "cuda.tile.kernel":
                kept = copy.copy(statement)
                kept.decorator_list = statement.decorator_list[index:]
                return kept
        return statement

    def _dotted(self, module: SourceModule, decorator: ast.expr) -> str | None:
        expression = decorator.func if isinstance(decorator, ast.Call) else decorator
        chain: list[str] = []
        while isinstance(expression, ast.Attribute):
            chain.insert(0, expression.attr)
            expression = expression.value
        if not isinstance(expression, ast.Name):
            return None
        binding = module.bindings.get(expression.id)
        if binding is None or binding.imported is None:
            return None
        target = binding.imported
        return ".".join([target.module, *([target.attribute] if target.attribute else []), *chain])

    def _check_imports(self, module: SourceModule, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                sources = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                sources = [module.absolute(node.module, node.level)]
            else:
                continue
            for source in sources:
                if source.split(".")[0] not in ALLOWED_IMPORTS:
                    raise SliceError(f"{module.path}:{node.lineno}: the import of '{source}' stands inside a statement")

    # Writing the slice

    def emit(self) -> str:
        """The text of the slice."""
        renaming = Renaming()
        home_meanings = {
            name: meaning for unit in self._units_of(self.home.name) for name, meaning in unit.meanings.items()
        }
        for name, meaning in home_meanings.items():
            renaming.reserve(name, meaning, alias=isinstance(meaning, Definition) and meaning.name != name)
        for unit in self._units_of(self.home.name):
            for name in unit.defines:
                renaming.reserve(name, Definition(self.home.name, name))
        foreign = [name for name in self.module_order if name != self.home.name]
        text = SliceText()
        if any(unit.module.future_annotations for unit in self.units.values()):
            text.head.append("from __future__ import annotations")
        foreign_lines = self._foreign_lines(foreign, renaming)
        alias_lines: list[str] = []
        for name, meaning in home_meanings.items():
            if isinstance(meaning, External):
                text.place(self._import_line(name), shim_line(name, meaning.module, meaning.attribute))
            elif isinstance(meaning, Namespace):
                alias_lines += namespace_lines(name, meaning.module, self._member_names(renaming))
            elif meaning.module != self.home.name and (emitted := renaming.of(meaning, meaning.name)) != name:
                alias_lines.append(f"{name} = {emitted}")
        if self._imports_foreign_first():
            text.head += foreign_lines + alias_lines
        else:
            text.tail += foreign_lines + alias_lines
        for unit in self._units_of(self.home.name):
            first, lines = statement_text(unit.module.lines, unit.statement, {})
            if unit.opening:
                text.place(first - 1, unit.opening)
            text.place_block(first, lines)
        return text.render()

    def _units_of(self, module: str) -> list[_Unit]:
        units = [unit for unit in self.units.values() if unit.module.name == module]
        return sorted(units, key=lambda unit: (unit.statement.lineno, unit.statement.col_offset))

    def _import_line(self, name: str) -> int:
        binding = self.home.bindings.get(name)
        return binding.imported.line if binding is not None and binding.imported is not None else 1

    def _foreign_lines(self, modules: list[str], renaming: Renaming) -> list[str]:
        lines: list[str] = []
        for module in modules:
            for unit in self._units_of(module):
                for name in unit.defines:
                    renaming.of(Definition(module, name), name)
        for module in modules:
            for unit in self._units_of(module):
                renamed: dict[str, str] = {}
                for name, meaning in [
                    *unit.meanings.items(),
                    *((name, Definition(module, name)) for name in unit.defines),
                ]:
                    known = renaming.knows(meaning)
                    emitted = renaming.of(meaning, meaning.name if isinstance(meaning, Definition) else name)
                    if emitted != name:
                        renamed[name] = emitted
                    if isinstance(meaning, External) and not known:
                        lines.append(shim_line(emitted, meaning.module, meaning.attribute))
                    elif isinstance(meaning, Namespace) and not known:
                        raise SliceError(
                            f"{unit.module.path}:{unit.statement.lineno}: '{name}', a module, is used by a helper of"
                            " another module; import the helper's names instead"
                        )
                lines += statement_text(unit.module.lines, unit.statement, renamed, unit.names.nodes)[1]
        return lines

    def _member_names(self, renaming: Renaming) -> dict[str, dict[str, Member]]:
        """For each namespace, its used members."""
        spaces: dict[str, dict[str, Member]] = {}
        for space, members in self.members.items():
            spaces[space] = {}
            for name, meaning in members.items():
                if isinstance(meaning, External):
                    raise SliceError(f"'{space}.{name}' is an import of that module, not a definition")
                if isinstance(meaning, Namespace):
                    spaces[space][name] = Member(meaning.module, is_module=True)
                else:
                    spaces[space][name] = Member(renaming.of(meaning, meaning.name), is_module=False)
        return spaces

    def _imports_foreign_first(self) -> bool:
        """Whether importing the kernel's module evaluates anything of another module."""
        seen: set[int] = set()
        pending = [(unit, eager_names(unit.statement)) for unit in self._units_of(self.home.name)]
        while pending:
            unit, names = pending.pop()
            for meaning in self._reached(unit, names):
                if isinstance(meaning, Namespace) or meaning.module != self.home.name:
                    return True
                for inner in self.by_definition[meaning]:
                    if id(inner) not in seen:
                        seen.add(id(inner))
                        pending.append((inner, inner.names))
        return False

    @staticmethod
    def _reached(unit: _Unit, names: FreeNames) -> Iterator[Definition | Namespace]:
        for name in names.chains:
            meaning = unit.meanings.get(name)
            if isinstance(meaning, (Definition, Namespace)):
                yield meaning


def _opening(options: list[str]) -> str:
    """A line that opens a block in which names are None."""
    return f"for {', '.join(options)}, in [({'None, ' * len(options)})]:" if options else "if True:"


def _is_stored(names: FreeNames, name: str) -> bool:
    return any(node.id == name and not isinstance(node.ctx, ast.Load) for node in names.nodes)
