"""The installed TileGym package as a whole."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
from cutile2rs.frontend import Project, load_project, statement_source

_SPEC = importlib.util.find_spec("tilegym")
pytestmark = pytest.mark.skipif(_SPEC is None, reason="TileGym is not installed")


@pytest.fixture(scope="module")
def project() -> Project:
    assert _SPEC is not None
    assert _SPEC.origin is not None
    found, diagnostics = load_project([Path(_SPEC.origin).parent / "ops" / "cutile"])
    assert diagnostics == []
    return found


def test_all_kernels_found(project: Project) -> None:
    assert len(project.modules) == 44
    assert sum(len(module.kernels) for module in project.modules.values()) == 74
    softmax = project.modules["tilegym.ops.cutile.softmax"]
    assert len(softmax.kernels) == 4
    [decorator] = softmax.kernels["_softmax_kernel_chunked"].extra_decorators
    assert decorator.qualified == "tilegym.experimental.experimental_kernel"


def test_launches_found(project: Project) -> None:
    sites = project.launch_sites()
    launched = {kernel for site in sites for kernel in site.candidates}
    kernels = [kernel for module in project.modules.values() for kernel in module.kernels.values()]
    assert [kernel for kernel in kernels if kernel not in launched] == []
    assert [site for site in sites if site.kind == "launch" and not site.candidates] == []


def test_every_statement_has_text(project: Project) -> None:
    for module in project.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.stmt):
                text = statement_source(module, node)
                assert text
                if hasattr(node, "body"):
                    assert text.endswith(":")
                elif '"""' not in text:
                    assert ast.dump(ast.parse(text)) == ast.dump(ast.Module([node], []))
