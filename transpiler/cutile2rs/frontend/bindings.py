"""What a module-global name can stand for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .names import MODULES, canonical

if TYPE_CHECKING:
    from .kernels import KernelDef
    from .module import Module


@dataclass(frozen=True, slots=True)
class ExternalModule:
    """A module outside the user's package: `import cuda.tile as ct`, `import math`."""

    dotted: str


@dataclass(frozen=True, slots=True)
class ExternalName:
    """A name of an external module: `from cuda.tile import RoundingMode`, or a deeper attribute of one."""

    module: str
    name: str

    @property
    def dotted(self) -> str:
        """The full path, `cuda.tile.RoundingMode`."""
        return f"{self.module}.{self.name}"


@dataclass(frozen=True, slots=True)
class UserModule:
    """A module of the user's own package, read from text."""

    module: Module


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a user module; its decorators are in `node.decorator_list`."""

    module: Module
    node: ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Class:
    """A class of a user module."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True, slots=True)
class Kernel:
    """A cuTile kernel of a user module."""

    kernel: KernelDef


@dataclass(frozen=True, slots=True)
class Constant:
    """A module-level assignment: evaluate `expr` in `module`, with names as they stood before line `line`."""

    module: Module
    expr: ast.expr
    name: str
    line: int
    annotation: ast.expr | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unknown:
    """The name is bound, but to what cannot be told from the text."""

    reason: str


Binding = ExternalModule | ExternalName | UserModule | Function | Class | Kernel | Constant | Unknown


def external(dotted: str) -> ExternalModule | ExternalName:
    """The binding for an external path; private cuda.tile paths become their public ones."""
    dotted = canonical(dotted)
    head, _, last = dotted.rpartition(".")
    return ExternalModule(dotted) if dotted in MODULES or not head else ExternalName(head, last)
