"""The converted operators in TileGym's dispatcher, as the backend `cutile-rs`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from importlib import import_module

BACKEND = "cutile-rs"


def backend(name: str) -> str:
    """The backend under which a converted module registers what its original registers under `name`."""
    return BACKEND if name == "cutile" else name


def register(modules: Iterable[str]) -> tuple[str, ...]:
    """Makes `tilegym.set_backend("cutile-rs")` choose the converted operators; gives the names of those.

    `modules` are those of the package that register operators. TileGym's own operators of that backend are imported first,
    so that the converted ones replace them. Operators that were not converted fall back as TileGym's dispatcher does.
    """
    import_module("tilegym")
    with contextlib.suppress(ImportError):
        import_module("tilegym.ops.cutile_rs")
    dispatcher = import_module("tilegym.backend.dispatcher")
    found = {}
    for name in modules:
        module = import_module(name)
        for operator, implementations in dispatcher._REGISTRY.items():
            function = implementations.get(BACKEND)
            if getattr(function, "__module__", None) == name:
                found[operator] = function
        del module
    for operator, function in found.items():
        dispatcher._REGISTRY[operator][BACKEND] = function
    # The set that the selector answers with; it offers no way to add to it.
    import_module("tilegym.backend.selector").get_available_backends().add(BACKEND)
    return tuple(sorted(found))
