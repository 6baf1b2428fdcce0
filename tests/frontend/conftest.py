"""Helpers for front-end tests: small projects written from text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from cutile2rs.frontend import Module, Project, load_project

Load = Callable[..., tuple[Project, list[str]]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Writes files (keyword `pkg__a` is `pkg/a.py`) and loads the folder; gives the project and diagnostic codes."""

    def make(**files: str) -> tuple[Project, list[str]]:
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py" if not name.endswith("_init") else init_path(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        project, diagnostics = load_project([tmp_path])
        return project, [diagnostic.code for diagnostic in diagnostics]

    return make


def init_path(name: str) -> str:
    """`pkg_init` -> `pkg/__init__.py`."""
    return name.removesuffix("_init").replace("__", "/") + "/__init__.py"


@pytest.fixture
def module(load: Load) -> Callable[[str], Module]:
    """Loads one module from text."""
    return lambda text: load(m=text)[0].modules["m"]
