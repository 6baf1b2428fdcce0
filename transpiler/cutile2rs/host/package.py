"""The Python package of an output: one wrapper a host module that needs one, and the runtime they share.

A wrapper is needed by a module with converted kernels or with launches, and by one that imports from such a module. All else
is imported from where it always was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from cutile2rs.diagnostics import Diagnostic, error
from cutile2rs.frontend import KernelDef, Module, Project
from cutile2rs.frontend.scope import imports_of

from .edits import Edit, RawText, apply
from .rewrite import Facts, Layout, absolute, read_facts, rewrite

FOLDER = "python"
RUNTIME = "_cutile2rs"
Kernels = Mapping[str, Mapping[str, KernelDef]]
"""The converted kernels by module and qualified name."""


@dataclass(slots=True)
class Wrapper:
    """One rewritten module: its new name, the text it is made of, and what was changed."""

    module: Module
    name: str
    original: str
    edits: list[Edit]
    registers: bool

    @property
    def path(self) -> str:
        """Where the wrapper lies, relative to the output."""
        tail = "/__init__.py" if self.module.is_package else ".py"
        return f"{FOLDER}/{self.name.replace('.', '/')}{tail}"

    @property
    def text(self) -> str:
        """The rewritten text."""
        return apply(self.original, self.edits)


@dataclass(slots=True)
class Package:
    """The Python side of an output."""

    name: str
    wrappers: list[Wrapper]
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def files(self, kernels: Kernels) -> dict[str, str]:
        """Every file by its path relative to the output."""
        if not self.wrappers:
            return {}
        root = f"{FOLDER}/{self.name}"
        out = {wrapper.path: wrapper.text for wrapper in self.wrappers}
        folders = {path.rpartition("/")[0] for path in out}
        while folders:
            folder = folders.pop()
            if len(folder) > len(root):
                out.setdefault(f"{folder}/__init__.py", '"""Made by cutile2rs."""\n')
                folders.add(folder.rpartition("/")[0])
        out[f"{root}/__init__.py"] = _INIT
        out |= {f"{root}/{RUNTIME}/{name}": text for name, text in runtime_files().items()}
        wrapped = {wrapper.module.name for wrapper in self.wrappers}
        names = [f"{module}:{kernel}" for module, found in kernels.items() if module in wrapped for kernel in found]
        registering = [wrapper.name for wrapper in self.wrappers if wrapper.registers]
        out[f"{root}/{RUNTIME}/info.py"] = _info(self.name, names, registering)
        return out


_INIT = '''"""Host modules rewritten by cutile2rs: they launch the Rust kernels of the crate that this package lies in."""

from ._cutile2rs import info as _info


def register() -> tuple[str, ...]:
    """Register the converted operators with TileGym as the backend `cutile-rs`, and give their names."""
    from ._cutile2rs.tilegym import register

    return register(_info.REGISTERING)


def build() -> None:
    """Build the Rust library now rather than at the first launch."""
    from ._cutile2rs.library import native

    native()
'''


def _info(package: str, kernels: list[str], registering: list[str]) -> str:
    def listed(values: list[str]) -> str:
        return "(" + "".join(f'\n    "{value}",' for value in values) + ("\n" if values else "") + ")"

    return (
        '"""What this package holds."""\n\n'
        f'PACKAGE = "{package}"\nKERNELS: tuple[str, ...] = {listed(kernels)}\n'
        f"REGISTERING: tuple[str, ...] = {listed(registering)}\n"
    )


@cache
def runtime_files() -> dict[str, str]:
    """The runtime's files by name; an output gets them as they are."""
    folder = files("cutile2rs.host.runtime")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".py"))
    return {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}


def make_package(project: Project, kernels: Kernels) -> Package:
    """Plan and rewrite everything; modules that cannot be rewritten stay out, with the reason."""
    planner = _Planner(project, kernels)
    return planner.package()


class _Planner:
    def __init__(self, project: Project, kernels: Kernels) -> None:
        self._project = project
        self._kernels = kernels
        self._asked = list(project.modules.values())
        tops = sorted({module.name.partition(".")[0] for module in self._asked if kernels.get(module.name)})
        self._top = tops[0] if len(tops) == 1 else None
        self._package = _identifier(f"{self._top}_rs" if self._top else "kernels_rs")
        self._facts: dict[str, Facts] = {}

    def facts(self, module: Module) -> Facts:
        """A module's facts, read once."""
        if module.name not in self._facts:
            self._facts[module.name] = read_facts(module)
        return self._facts[module.name]

    def package(self) -> Package:
        chosen = self._chosen()
        diagnostics: list[Diagnostic] = []
        while True:
            wrappers, bad = self._write(chosen, diagnostics)
            if not bad:
                break
            # What imports from a module that cannot be rewritten imports from the original, so all are written anew.
            chosen = self._with_importers(
                {name: m for name, m in chosen.items() if self._launches(m) and name not in bad}
            )
        found = {name: facts for name, facts in self._facts.items() if name in chosen or facts.blocked}
        diagnostics += [diagnostic for facts in found.values() for diagnostic in facts.diagnostics]
        return Package(self._package, wrappers, diagnostics)

    # -- which modules

    def _chosen(self) -> dict[str, Module]:
        modules = {m.name: m for m in self._asked if self._launches(m)}
        if modules:
            helpers = (m for m in self._project.loaded() if m.name not in self._project.modules)
            modules |= {m.name: m for m in helpers if self._launches_others(m)}
        return self._with_importers(modules)

    def _launches(self, module: Module) -> bool:
        """Whether the module makes or launches kernels, and can be rewritten."""
        if module.is_package and module.name == self._top:
            return False  # the output package's own `__init__` is there
        if not self._kernels.get(module.name) and not _mentions_launch(module):
            return False
        facts = self.facts(module)
        return not facts.blocked and not facts.patches and bool(facts.launches or self._kernels.get(module.name))

    def _launches_others(self, module: Module) -> bool:
        """Whether a module that was not asked for launches kernels that are given to it, or converted ones."""
        if not _mentions_launch(module) or not self._launches(module):
            return False
        converted = {id(kernel) for found in self._kernels.values() for kernel in found.values()}
        sites = [site for site in module.launches if site.kind in ("launch", "tune")]
        return any(not site.candidates or any(id(k) in converted for k in site.candidates) for site in sites)

    def _with_importers(self, modules: dict[str, Module]) -> dict[str, Module]:
        """The modules, and those asked for that import from them."""
        modules = dict(modules)
        waiting = [m for m in self._asked if m.name not in modules and not (m.is_package and m.name == self._top)]
        while modules:
            new = [m for m in waiting if any(name in modules for name in self._imported(m))]
            new = [m for m in new if not self.facts(m).blocked and not self.facts(m).patches]
            if not new:
                break
            modules |= {m.name: m for m in new}
            waiting = [m for m in waiting if m.name not in modules]
        return dict(sorted(modules.items()))

    def _imported(self, module: Module) -> set[str]:
        """Names of the modules that a module may import from."""
        found = set()
        for item in self.facts(module).imports:
            for one in imports_of(item):
                base = absolute(module, one.module, one.level)
                found |= {base, f"{base}.{one.name}"}
        return found

    # -- their text

    def _write(self, chosen: dict[str, Module], diagnostics: list[Diagnostic]) -> tuple[list[Wrapper], set[str]]:
        layout = Layout(self._package, {name: self._new_name(module) for name, module in chosen.items()})
        wrappers, bad = [], set()
        for name, module in chosen.items():
            facts = self.facts(module)
            try:
                raw = RawText.read(module.path)
            except (OSError, UnicodeDecodeError) as problem:
                diagnostics.append(error("C2R005", f"cannot read {module.path} again: {problem}"))
                bad.add(name)
                continue
            edits = rewrite(facts, raw, self._kernels.get(name, {}), layout, self._exists)
            if facts.blocked:
                bad.add(name)
            wrappers.append(Wrapper(module, layout.names[name], raw.text, edits, bool(facts.registers)))
        return wrappers, bad

    def _exists(self, dotted: str) -> bool:
        return self._project.find_module(dotted) is not None

    def _new_name(self, module: Module) -> str:
        if self._top is None or module.name.partition(".")[0] != self._top:
            return f"{self._package}.{module.name}"
        rest = module.name.partition(".")[2]
        return f"{self._package}.{rest or module.name}"


def _mentions_launch(module: Module) -> bool:
    return any(word in module.text for word in ("launch", "exhaustive_search", "import *"))


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)
