"""Both sides run the same configuration, and make each kernel once."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

Search = Callable[..., Any]


def settle(runtime: str) -> None:
    """Replaces the searches of `cuda.tile.tune` and of a converted package's runtime, and keeps kernels with other hints.

    An operator that gives its kernel other hints in every call would compile it in every call of the original, and its
    destruction while a graph is captured ends the process.
    """
    for module in (importlib.import_module("cuda.tile.tune"), importlib.import_module(runtime)):
        found: Any = module
        found.exhaustive_search = first_that_works(found.exhaustive_search)
    import cuda.tile as ct

    kernel: Any = ct.kernel
    kernel.replace_hints = kept(kernel.replace_hints)


def first_that_works(search: Search) -> Search:
    """A search through configurations that stops at the first one, and is made once for the same arguments."""
    known: dict[Any, Any] = {}

    def first(search_space: Any, stream: Any, grid_fn: Any, kernel: Any, args_fn: Any, *rest: Any, **named: Any) -> Any:
        key = (_identity(kernel), repr(search_space), repr([_signature(a) for a in args_fn(search_space[0])]))
        if key not in known:
            known[key] = found(search_space, stream, grid_fn, kernel, args_fn, *rest, **named)
        return known[key]

    def found(search_space: Any, *arguments: Any, **named: Any) -> Any:
        for configuration in search_space:
            try:
                return search([configuration], *arguments, **named | {"quiet": True})
            except ValueError:
                continue
        return search(search_space, *arguments, **named)

    return first


def kept(replace_hints: Callable[..., Any]) -> Callable[..., Any]:
    """`replace_hints` that gives the same kernel for the same hints."""
    known: dict[Any, Any] = {}

    def replaced(kernel: Any, **hints: Any) -> Any:
        key = (kernel._pyfunc, repr(kernel._compiler_options), repr(sorted(hints.items())))
        if key not in known:
            known[key] = replace_hints(kernel, **hints)
        return known[key]

    return replaced


def _identity(kernel: Any) -> Any:
    """The function of a kernel, or what chooses among kernels by where it is written."""
    function = getattr(kernel, "_pyfunc", kernel)
    return getattr(function, "__code__", function)


def _signature(value: Any) -> Any:
    """What a configuration's success may depend on."""
    shape = getattr(value, "shape", None)
    return value if shape is None else (tuple(shape), str(value.dtype), value.stride())
