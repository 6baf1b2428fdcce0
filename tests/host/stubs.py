"""Stand-ins for PyTorch, NumPy and the Rust library, so that wrapper modules can be imported and run without them.

The packages here have no tensors: any name of them is a class that can be subclassed, called, used as a decorator and asked
for further names. That is enough for what modules do while they are imported.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any


class _Meta(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = _Meta(name, (Anything,), {"__module__": "stub"})
        setattr(cls, name, found)
        return found

    def __or__(cls, other: object) -> Any:
        return cls

    def __ror__(cls, other: object) -> Any:
        return cls


class Anything(metaclass=_Meta):
    """Whatever a package has."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.args = args

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *args: Any, **kwargs: object) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else Anything()

    def __class_getitem__(cls, item: object) -> Any:
        return cls

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *args: object) -> None:
        return None


class _Package(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found: Any = (lambda: False) if name == "is_available" else _Meta(name, (Anything,), {"__module__": "stub"})
        setattr(self, name, found)
        return found


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the given packages and every submodule of them."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self._packages = packages

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in self._packages:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _Package(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def install(*packages: str) -> None:
    """Makes imports of these packages work, whether they are installed or not."""
    sys.meta_path.insert(0, _Finder(packages))


class Native:
    """A Rust library that notes launches."""

    def __init__(self) -> None:
        self.launches: list[tuple[str, int, tuple[int, ...], tuple[Any, ...], dict[str, int] | None]] = []
        self.made: list[str] = []
        self.problem: Exception | None = None

    def kernel(self, name: str) -> NativeKernel:
        self.made.append(name)
        return NativeKernel(self, name)


class NativeKernel:
    """A kernel of it."""

    def __init__(self, library: Native, name: str) -> None:
        self._library = library
        self._name = name

    def launch(
        self, stream: int, grid: tuple[int, ...], args: tuple[Any, ...], hints: dict[str, int] | None = None, /
    ) -> None:
        """Notes the launch, or raises what it was told to."""
        if self._library.problem is not None:
            raise self._library.problem
        self._library.launches.append((self._name, stream, grid, args, hints))
