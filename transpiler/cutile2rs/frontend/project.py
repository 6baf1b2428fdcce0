"""Loading files and folders, and finding the modules that they import."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..diagnostics import CutileError, Diagnostic, error
from .bindings import Binding, ExternalModule, Unknown, UserModule, external
from .launches import LaunchSite
from .module import Module
from .source import parse, read_text

_ALWAYS_EXTERNAL = frozenset(sys.stdlib_module_names) | {"cuda", "torch", "numpy", "cupy", "jax", "triton"}


class Project:
    """The modules given by the user, and those of the same packages that they import, loaded when needed."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}
        """The modules that were asked for, by dotted name, in order of loading."""
        self.diagnostics: list[Diagnostic] = []
        """Problems met so far, also in modules loaded later."""
        self.cycles_met = 0
        self.missing: set[Path] = set()
        """Modules that were looked for and are not there, as paths without a suffix."""
        self._by_path: dict[Path, Module | None] = {}
        self._roots: dict[str, Path] = {}

    def find_module(self, dotted: str) -> Module | None:
        """The module of this name, if it was loaded or belongs to the package of a loaded one."""
        if dotted in self.modules:
            return self.modules[dotted]
        root = self._roots.get(dotted.partition(".")[0])
        return None if root is None else self._at(root.joinpath(*dotted.split(".")))

    def loaded(self) -> list[Module]:
        """Every module read so far, those asked for and those found through imports, by name."""
        return sorted((m for m in self._by_path.values() if m is not None), key=lambda m: m.name)

    def launch_sites(self) -> list[LaunchSite]:
        """Launch sites of all modules that were asked for."""
        return [site for module in self.modules.values() for site in module.launches]

    def add(self, path: Path) -> Module | None:
        """Load a file that the user asked for."""
        module = self._load(path)
        if module is None or module in self.modules.values():
            return module
        place = path.absolute().parent
        while module.name in self.modules:
            module.name = f"{place.name}.{module.name}"
            place = place.parent
        self.modules[module.name] = module
        self._roots.setdefault(module.name.partition(".")[0], module.root)
        return module

    # -- imports

    def import_module(self, importer: Module, dotted: str, level: int) -> Binding:
        """What `import dotted`, or the module of a `from` import with `level` dots, stands for in `importer`."""
        place = self._place(importer, dotted, level)
        if place is None:
            return ExternalModule(dotted)
        module = self._at(place)
        return Unknown(f"module `{'.' * level}{dotted}` cannot be read") if module is None else UserModule(module)

    def import_name(self, importer: Module, dotted: str, level: int, name: str) -> Binding:
        """What `from dotted import name` binds in `importer`."""
        place = self._place(importer, dotted, level)
        if place is None:
            return external(f"{dotted}.{name}")
        module = self._at(place)
        if module is None:
            below = self.module_below(place, name)
            text = f"module `{'.' * level}{dotted}` cannot be read"
            return Unknown(text) if below is None else UserModule(below)
        found = module.attribute(name)
        if found is not None:
            return found
        return Unknown(f"module `{module.name}` has no name `{name}`")

    def module_below(self, folder: Path, name: str) -> Module | None:
        """The module or package `name` in a folder."""
        return self._at(folder / name)

    def _place(self, importer: Module, dotted: str, level: int) -> Path | None:
        """The path of an imported module without its suffix; None for a module outside the user's packages."""
        parts = dotted.split(".") if dotted else []
        if level:
            folder = importer.path.absolute().parent
            for _ in range(level - 1):
                folder = folder.parent
            return folder.joinpath(*parts)
        top = parts[0]
        if top in _ALWAYS_EXTERNAL:
            return None
        if top == importer.name.partition(".")[0]:
            return importer.root.joinpath(*parts)
        if top in self._roots:
            return self._roots[top].joinpath(*parts)
        if importer.root == importer.path.absolute().parent:
            if _exists(importer.root / top):
                return importer.root.joinpath(*parts)
            self.missing.add(importer.root / top)
        return None

    def _at(self, place: Path) -> Module | None:
        package = place / "__init__.py"
        if package.is_file():
            return self._load(package)
        file = place.parent / f"{place.name}.py"
        if file.is_file():
            return self._load(file)
        self.missing.add(place.absolute())
        return None

    def _load(self, path: Path) -> Module | None:
        key = path.resolve()
        if key not in self._by_path:
            self._by_path[key] = self._read(path)
        return self._by_path[key]

    def _read(self, path: Path) -> Module | None:
        try:
            text = read_text(path)
            tree = parse(text, path)
        except CutileError as exc:
            self.diagnostics.append(exc.diagnostic)
            return None
        name, root = module_name(path)
        return Module(self, name, path, root, text, tree)


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name of a file and the folder that its top-level package or module lies in."""
    path = path.absolute()
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts)), folder


def _exists(place: Path) -> bool:
    return (place / "__init__.py").is_file() or (place.parent / f"{place.name}.py").is_file()


def _python_files(folder: Path) -> Iterator[Path]:
    """Python files below a folder, sorted by path, without hidden ones and `__pycache__`."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _python_files(entry)
        elif entry.suffix == ".py" and entry.is_file():
            yield entry


def input_files(path: Path) -> list[Path]:
    """The files that a path on the command line stands for. Raises OSError for a folder that cannot be read."""
    return list(_python_files(path)) if path.is_dir() else [path]


def load_project(paths: Sequence[Path]) -> tuple[Project, list[Diagnostic]]:
    """Load files and folders; what is wrong with one of them is reported and does not stop the others."""
    project = Project()
    for path in paths:
        if path.is_dir():
            try:
                files = input_files(path)
            except OSError as exc:
                project.diagnostics.append(error("C2R005", f"cannot read {path}: {exc.strerror or exc}"))
                continue
            if not files:
                project.diagnostics.append(error("C2R002", f"no Python file in {path}"))
            for file in files:
                project.add(file)
        elif path.exists():
            project.add(path)
        else:
            project.diagnostics.append(error("C2R001", f"no such file or folder: {path}"))
    for module in list(project.modules.values()):
        project.diagnostics.extend(module.diagnostics)
    return project, list(project.diagnostics)
