"""The example package, converted once, and imported with a Rust library that notes launches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cutile2rs import pipeline
from cutile2rs.host.hook.driver import stand_in

from tests.host.stubs import Native

stand_in()
KERNELS = Path(__file__).parent / "kernels"
Import = Callable[[str], Any]


@pytest.fixture(scope="session")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output for the example package."""
    out = tmp_path_factory.mktemp("host") / "out"
    result = pipeline.convert([KERNELS / "pack"], out)
    assert [d.message for d in result.diagnostics if d.is_error] == []
    assert result.kernels_converted == result.kernels_total == 9
    return out


def purge(*packages: str) -> None:
    """Forgets imported packages."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


@pytest.fixture
def wrapper(converted: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Imports a module of the example's wrapper package."""
    monkeypatch.syspath_prepend(str(KERNELS))
    monkeypatch.syspath_prepend(str(converted / "python"))
    backend = ModuleType("tilegym.backend")
    registry: dict[str, dict[str, Any]] = {}

    def register_impl(name: str, backend: str) -> Callable[[Any], Any]:
        return lambda function: registry.setdefault(name, {}).setdefault(backend, function)

    backend.register_impl = register_impl  # type: ignore[attr-defined]
    backend.registry = registry  # type: ignore[attr-defined]
    for name, module in (("tilegym", ModuleType("tilegym")), ("tilegym.backend", backend)):
        monkeypatch.setitem(sys.modules, name, module)
    yield lambda name: importlib.import_module(f"pack_rs.{name}" if name else "pack_rs")
    purge("pack", "pack_rs")


@pytest.fixture
def native(wrapper: Import) -> Native:
    """The library that the wrapper package launches through."""
    library = Native()
    wrapper("_cutile2rs.library")._loaded = library
    return library
