"""Kernels of the Rust crate in the place of `cuda.tile.kernel` objects, and `launch` in the place of `cuda.tile.launch`."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, Protocol

from . import errors
from .hints import Hints, for_native, validated
from .library import native

MARK = "__cutile2rs__"
"""The attribute that a converted kernel's Python function carries: the kernel's name. A `cuda.tile.kernel` that other code
makes of that function is recognised by it."""
_ADOPTED = "_cutile2rs_kernel"

Submit = Callable[[int, "tuple[int, ...]", "tuple[Any, ...]"], object]


class Native(Protocol):
    """A kernel of the Rust library."""

    def launch(
        self, stream: int, grid: tuple[int, ...], args: tuple[Any, ...], hints: dict[str, int] | None = None, /
    ) -> None: ...


class Kernel:
    """A Rust kernel with its compiler hints; host code may treat it as the `cuda.tile.kernel` that it stands for.

    `submit(stream, grid, args)` launches it. Until the first launch that is a function which loads the library; from then
    on it is the library's own, so that a launch goes through nothing else.
    """

    def __init__(self, name: str, function: Callable[..., object], hints: Hints) -> None:
        self.name = name
        self._pyfunc = function
        self._hints = hints
        self.submit: Submit = self._first

    def __repr__(self) -> str:
        return f"<cutile2rs kernel {self.name}>"

    def __call__(self, *args: object, **kwargs: object) -> None:
        raise TypeError("Tile kernels cannot be called directly. Use cuda.tile.launch() instead.")

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`cuda.tile.kernel` where that is loaded, so that `isinstance(kernel, ct.kernel)` in host code holds."""
        tile = sys.modules.get("cuda.tile")
        return Kernel if tile is None else tile.kernel

    def replace_hints(self, **hints: Any) -> Kernel:
        """A kernel with other hints; what is not given stays. Raises what `cuda.tile.kernel.replace_hints` raises."""
        return Kernel(self.name, self._pyfunc, validated({**self._hints, **hints}))

    def __copy__(self) -> Kernel:
        return self.replace_hints()  # the usual way would go by `__class__`

    def __deepcopy__(self, memo: object) -> Kernel:
        return self.replace_hints()

    def _first(self, stream: int, grid: tuple[int, ...], args: tuple[Any, ...]) -> object:
        self.submit = self._bound()
        return self.submit(stream, grid, args)

    def _bound(self) -> Submit:
        found = native().kernel(self.name)
        hints = for_native(self._hints)
        bind = getattr(found, "with_hints", None)
        if bind is not None:
            launcher: Submit = bind(hints).launch
            return launcher
        plain: Native = found
        return lambda stream, grid, args: plain.launch(stream, grid, args, hints)

    @property
    def native_hints(self) -> dict[str, int]:
        """The hints that differ from the compiler's defaults, for the GPU at hand."""
        return for_native(self._hints)


def kernel(name: str) -> Callable[..., Any]:
    """What stands for `cuda.tile.kernel` where the kernel `name` is made: a decorator, with or without hints."""

    def make(function: Callable[..., object] | None = None, /, **hints: Any) -> Any:
        if function is None:
            return functools.partial(make, **hints)
        return _made(name, function, validated(hints))

    return make


def adopt(name: str, maker: Any) -> Any:
    """The kernel `name` made in another way: `maker` is a decorator that gives a `cuda.tile.kernel`, or such a kernel."""
    if _is_tile_kernel(maker):
        return _of_tile_kernel(name, maker)

    def make(function: Callable[..., object]) -> Kernel:
        return _of_tile_kernel(name, maker(function))

    return make


def launch(
    stream: Any,
    grid: tuple[int, ...],
    kernel: Any,
    kernel_args: tuple[Any, ...],
    /,
    *,
    programmatic_dependent_launch: bool = False,
) -> None:
    """Queues a kernel on a stream, as `cuda.tile.launch` does.

    A kernel that was not converted is launched by `cuda.tile` itself, with a warning. Errors are of the class that
    `cuda.tile.launch` raises for the same arguments.
    """
    if type(kernel) is not Kernel or programmatic_dependent_launch:
        other = _other(kernel, programmatic_dependent_launch)
        if other is None:
            _launch_python(stream, grid, kernel, kernel_args, programmatic_dependent_launch)
            return
        kernel = other
    handle = stream if type(stream) is int else _handle(stream)
    try:
        kernel.submit(handle, grid, kernel_args)
    except Exception as problem:
        raise errors.translated(problem, kernel, grid, kernel_args) from problem


def as_kernel(kernel: Any) -> Kernel | None:
    """The Rust kernel that an object stands for, or None."""
    if type(kernel) is Kernel:
        return kernel
    known = getattr(kernel, _ADOPTED, None)
    if type(known) is Kernel:
        return known
    name = getattr(getattr(kernel, "_pyfunc", None), MARK, None)
    if name is None or not _is_tile_kernel(kernel):
        return None
    made = _of_tile_kernel(name, kernel)
    setattr(kernel, _ADOPTED, made)
    return made


def _made(name: str, function: Callable[..., object], hints: Hints) -> Kernel:
    setattr(function, MARK, name)
    return Kernel(name, function, hints)


def _of_tile_kernel(name: str, kernel: Any) -> Kernel:
    options = kernel._compiler_options
    return _made(name, kernel._pyfunc, {key: getattr(options, key) for key in options.__dataclass_fields__})


def _is_tile_kernel(value: object) -> bool:
    tile = sys.modules.get("cuda.tile")
    return tile is not None and issubclass(type(value), tile.kernel)


def _handle(stream: Any) -> int:
    """The CUDA handle of a stream object: of PyTorch, CuPy, or anything with the CUDA stream protocol."""
    try:
        return stream.cuda_stream  # type: ignore[no-any-return]
    except AttributeError:
        pass
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for name in ("ptr", "handle"):
        found = getattr(stream, name, None)
        if isinstance(found, int):
            return found
    raise TypeError(f"Unsupported stream type '{type(stream).__name__}'.")


def _other(kernel: Any, dependent: bool) -> Kernel | None:
    found = as_kernel(kernel)
    if found is not None and dependent:
        raise NotImplementedError("programmatic dependent launch of a Rust kernel")
    return found


_warned: set[str] = set()


def _launch_python(stream: Any, grid: Any, kernel: Any, args: Any, dependent: bool) -> None:
    import cuda.tile

    name = getattr(getattr(kernel, "_pyfunc", None), "__qualname__", None)
    if name is not None and name not in _warned:
        _warned.add(name)
        warnings.warn(f"kernel `{name}` was not converted: cuTile Python launches it", RuntimeWarning, stacklevel=3)
    more = {"programmatic_dependent_launch": True} if dependent else {}
    cuda.tile.launch(stream, grid, kernel, args, **more)
