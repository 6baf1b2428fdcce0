"""Errors of launches, as the class that `cuda.tile.launch` raises for the same arguments.

A launch that the Rust library refuses is shown to cuTile Python's own front end: where that refuses it too, its error is the
one to raise. Nothing is launched here, and nothing of it runs as long as launches succeed.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

from .hints import architecture

if TYPE_CHECKING:
    from .kernels import Kernel


class LaunchError(RuntimeError):
    """The Rust library refused a launch that cuTile Python takes, or failed to make it.

    `code` is the library's number of what went wrong, as in its C header; None if it gave none.
    """

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.code = code


_OF_ARGUMENTS = (-2, -5, -6, -7, -8, -9, -10, -16, -19, -20)
"""The library's codes that are about a launch's arguments; all others are about the machine: driver, GPU, assembler."""


def translated(problem: Exception, kernel: Kernel, grid: Any, args: Any) -> Exception:
    """The exception to raise for `problem`."""
    if isinstance(problem, (ImportError, MemoryError, NotImplementedError)) or type(problem).__name__ == "BuildError":
        return problem
    given = getattr(problem, "code", None)
    code = given if isinstance(given, int) else None
    refused = LaunchError(f"kernel {kernel.name}: {problem}", code)
    if code is not None and code not in _OF_ARGUMENTS:
        return refused
    own = _of_arguments(grid, args) or _of_python(kernel, args)
    if own is not None:
        return own
    return problem if code is None and isinstance(problem, (TypeError, ValueError)) else refused


def _of_arguments(grid: Any, args: Any) -> Exception | None:
    if not isinstance(args, tuple):
        return TypeError(f"launch() expects a tuple as the fourth argument, got {type(args).__name__}")
    if not isinstance(grid, tuple):
        return TypeError("Grid must be a tuple")
    if len(grid) > 3:
        return ValueError(f"Grid dimensions must be at most 3, got length {len(grid)}")
    for axis, size in enumerate(grid):
        if not hasattr(size, "__index__"):
            return TypeError("an integer is required")
        if size < 0:
            return OverflowError("can't convert negative value to unsigned int")
        if size >= 1 << 32:
            return ValueError(f"Grid[{axis}] value too big: {size}")
    return None


def _of_python(kernel: Kernel, args: tuple[Any, ...]) -> Exception | None:
    """What cuTile Python says about these arguments: their signature, then the kernel compiled for it."""
    if "cuda.tile" not in sys.modules:
        return None
    try:
        from cuda.tile import kernel as tile_kernel
        from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel
    except ImportError:
        return None
    try:
        original = tile_kernel(kernel._pyfunc, **kernel._hints)
        convention = CallingConvention.cutile_python_v1()
        signature = KernelSignature.from_kernel_args(original, args, convention)
    except OSError:  # no driver: nothing can be said
        return None
    except Exception as found:
        return found
    target = architecture() or "sm_90"
    try:
        export_kernel(original, [signature], io.BytesIO(), gpu_code=target, output_format="tileir_bytecode")
    except Exception as found:
        tile = sys.modules["cuda.tile"]
        return found if isinstance(found, (tile.TileError, TypeError, ValueError)) else None
    return None
