"""Notes every distinct launch of a program, one line of JSON each, before it is made.

A launch is described by its mangled symbol, which `cuda.tile` computes itself from the arguments. Recording starts when the
program imports `cuda.tile`, and covers launches under any name as well as those that tuning makes.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from .driver import stand_in

EXTENSION = "cuda.tile._cext"
_DEFAULTS = {"num_ctas": None, "occupancy": None, "opt_level": 3, "num_worker_warps": None}


def start(folder: str) -> None:
    """Records this process' launches to a file of its own in `folder`."""
    stand_in()
    recorder = Recorder(Path(folder) / f"{os.getpid()}.jsonl")
    if EXTENSION in sys.modules:
        wrap(sys.modules[EXTENSION], recorder)
    else:
        sys.meta_path.insert(0, _Finder(recorder))


class _Finder(importlib.abc.MetaPathFinder):
    """Lets the others find `cuda.tile`'s extension module, and wraps it as soon as it is there."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != EXTENSION:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader, recorder = spec.loader, self._recorder
            run = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                run(module)
                wrap(module, recorder)

            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def wrap(extension: Any, recorder: Recorder) -> None:
    """Puts functions that record in the place of those that launch."""
    launch, benchmark = extension.launch, extension._benchmark

    def recorded_launch(stream: Any, grid: Any, kernel: Any, kernel_args: Any, /, **more: Any) -> Any:
        recorder.note(kernel, grid, kernel_args)
        return launch(stream, grid, kernel, kernel_args, **more)

    def recorded_benchmark(stream: Any, grid: Any, kernel: Any, args: Any, *more: Any) -> Any:
        recorder.note(kernel, grid, args)
        return benchmark(stream, grid, kernel, args, *more)

    recorded_launch.__doc__, recorded_launch.__name__ = launch.__doc__, "launch"
    extension.launch, extension._benchmark = recorded_launch, recorded_benchmark


class Recorder:
    """Writes launches that were not seen before."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    def note(self, kernel: Any, grid: Any, args: Any) -> None:
        """Records a launch; one that cannot be described is left to `cuda.tile` to refuse."""
        try:
            row = describe(kernel, grid, args)
        except (TypeError, ValueError, AttributeError, RuntimeError, OSError):
            return
        # A scalar's value is no part of what is compiled: the first one stands for all.
        key = json.dumps({name: value for name, value in row.items() if name != "scalars"})
        with self._lock:
            if key not in self._seen:
                self._seen.add(key)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, separators=(",", ":")) + "\n")


def describe(kernel: Any, grid: Any, args: tuple[Any, ...]) -> dict[str, Any]:
    """One launch as the fields of a launches file.

    Beside the fields that verification reads, `scalars` holds the values of scalar arguments and `lists` the shapes of the
    arrays in list arguments, each in parameter order with null for the rest; both only where there are such arguments.
    """
    from cuda.tile.compilation import ListConstraint, ScalarConstraint

    function = kernel._pyfunc
    signature = signature_of(kernel, args)
    row: dict[str, Any] = {
        "module": module_name(function),
        "kernel": function.__name__,
        "symbol": signature.symbol,
        "hints": hints_of(kernel),
        "grid": [*map(int, grid), 1, 1][:3],
        "shapes": [shape_of(value) for value in args],
    }
    pairs = list(zip(signature.parameters, args, strict=True))
    if any(isinstance(parameter, ScalarConstraint) for parameter, _ in pairs):
        row["scalars"] = [_number(v) if isinstance(p, ScalarConstraint) else None for p, v in pairs]
    if any(isinstance(parameter, ListConstraint) for parameter, _ in pairs):
        row["lists"] = [[shape_of(one) for one in v] if isinstance(p, ListConstraint) else None for p, v in pairs]
    return row


def signature_of(kernel: Any, args: tuple[Any, ...]) -> Any:
    """The signature that a launch compiles the kernel for, with its mangled symbol."""
    from cuda.tile.compilation import CallingConvention, KernelSignature

    try:
        return KernelSignature.from_kernel_args(kernel, args, CallingConvention.cutile_python_v1())
    except ValueError:  # tuples need the second convention
        return KernelSignature.from_kernel_args(kernel, args, CallingConvention.cutile_python_v2())


def module_name(function: Callable[..., Any]) -> str:
    """The name under which a converter knows the function's module: of a script, its file's."""
    name = function.__module__
    if name != "__main__":
        return name
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    file = getattr(main, "__file__", None)
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    return Path(file).stem if file else name


def hints_of(kernel: Any) -> dict[str, Any]:
    """The kernel's options that are not `cuda.tile`'s defaults; null for one that its definition had and this one has not."""
    options = kernel._compiler_options
    found = {name: getattr(options, name) for name in _DEFAULTS}
    hints = {name: _hint(value) for name, value in found.items() if value != _DEFAULTS[name]}
    module = sys.modules.get(kernel._pyfunc.__module__)
    defined = getattr(getattr(module, kernel._pyfunc.__name__, None), "_compiler_options", None)
    if defined is not None:
        hints |= {
            name: _hint(value)
            for name, value in found.items()
            if name not in hints and getattr(defined, name) != value
        }  # fmt: skip
    return hints


def _hint(value: Any) -> Any:
    table = getattr(value, "_by_target", None)
    if table is None:
        return value
    default = value._default
    return {**table, **({"default": default} if isinstance(default, int) else {})}


def shape_of(value: Any) -> list[int] | None:
    """The extents of an array, or None for anything else."""
    interface = getattr(value, "__cuda_array_interface__", None) if not hasattr(value, "shape") else None
    shape = interface.get("shape") if isinstance(interface, dict) else getattr(value, "shape", None)
    return None if shape is None else [int(extent) for extent in shape]


def _number(value: Any) -> int | float | bool | None:
    return value if isinstance(value, (bool, int, float)) else None
