"""Launch sites."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from cutile2rs.frontend import Module

from .conftest import Load

HEAD = """import cuda.tile as ct
from cuda.tile.tune import exhaustive_search
@ct.kernel
def k(x): pass
@ct.kernel
def k2(x): pass
cache = {}
def hinted(kernel, **hints): return kernel.replace_hints(**hints)
"""

CASES = [
    ("ct.launch(s, grid, k, (a,))", ["k"]),
    ("other = k\n    ct.launch(s, grid, other, (a,))", ["k"]),
    ("other = k if a else k2\n    ct.launch(s, grid, other, (a,))", ["k", "k2"]),
    ("if a: other = k\n    else: other = k2\n    ct.launch(s, grid, other, (a,))", ["k", "k2"]),
    ("ct.launch(s, grid, k.replace_hints(occupancy=2), (a,))", ["k"]),
    ("other = hinted(k, occupancy=2)\n    ct.launch(s, grid, other, (a,))", ["k"]),
    ("cache[a] = (1, k)\n    _, other = cache[a]\n    ct.launch(s, grid, other, (a,))", ["k"]),
    ("a = a\n    ct.launch(s, grid, a, (a,))", []),
    ("from cuda.tile import launch\n    launch(s, grid, k, (a,))", ["k"]),
    ("exhaustive_search(space, s, grid, k, lambda c: (a,), hints)", ["k"]),
]


@pytest.mark.parametrize(("body", "kernels"), CASES)
def test_candidates(module: Callable[[str], Module], body: str, kernels: list[str]) -> None:
    found = module(f"{HEAD}class A:\n  def f(a, s, grid):\n    {body}\n")
    sites = [site for site in found.launches if site.kind != "replace_hints"]
    [site] = sites
    assert [kernel.qualname for kernel in site.candidates] == kernels
    assert site.function == "A.f"
    assert site.grid is not None
    assert ast.unparse(site.grid) == "grid"
    assert site.args is not None
    assert site.stream is not None


def test_parameter(module: Callable[[str], Module]) -> None:
    text = f"{HEAD}def go(n, kernel): ct.launch(s, (n,), kernel, ())\ngo(1, k)\ngo(2, kernel=k2)"
    [site] = [site for site in module(text).launches if site.kind == "launch"]
    assert [kernel.qualname for kernel in site.candidates] == ["k", "k2"]
    assert site.kernel is None


def test_replace_hints(module: Callable[[str], Module]) -> None:
    [_, site] = module(f"{HEAD}k3 = k.replace_hints(occupancy=2)").launches
    assert site.kind == "replace_hints"
    assert list(site.hints) == ["occupancy"]
    assert site.function is None
    assert site.kernel is not None


def test_other_module(load: Load) -> None:
    project, _ = load(p_init="", p__a=HEAD, p__b="import cuda.tile as ct\nfrom . import a\nct.launch(s, g, a.k, ())")
    [site] = project.modules["p.b"].launches
    assert site.kernel is project.modules["p.a"].kernels["k"]


def test_factory(module: Callable[[str], Module]) -> None:
    text = """
        import cuda.tile as ct
        def make(n):
            @ct.kernel(occupancy=n)
            def k(x): pass
            return k
        def run(s, n):
            fast = make(n)
            ct.launch(s, (1,), fast, ())
        """
    [site] = module(text).launches
    assert site.kernel is not None
    assert site.kernel.qualname == "make.<locals>.k"
