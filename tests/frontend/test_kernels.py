"""Kernel detection in every spelling."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from cutile2rs.frontend import Kernel, Module

from .conftest import Load

FORMS = {
    "plain": "import cuda.tile as ct\n@ct.kernel\ndef k(x): pass",
    "called": "import cuda.tile as ct\n@ct.kernel()\ndef k(x): pass",
    "full path": "import cuda.tile\n@cuda.tile.kernel\ndef k(x): pass",
    "from import": "from cuda.tile import kernel\n@kernel\ndef k(x): pass",
    "from import as": "from cuda.tile import kernel as K\n@K\ndef k(x): pass",
    "module from package": "from cuda import tile as t\n@t.kernel\ndef k(x): pass",
    "star": "from cuda.tile import *\n@kernel\ndef k(x): pass",
    "private path": "from cuda.tile._execution import kernel\n@kernel\ndef k(x): pass",
    "alias": "import cuda.tile as ct\ntile_kernel = ct.kernel\n@tile_kernel\ndef k(x): pass",
    "module alias": "import cuda.tile\nct = cuda.tile\n@ct.kernel\ndef k(x): pass",
    "behind other": "import cuda.tile as ct\nfrom lib import mark\n@mark\n@ct.kernel\ndef k(x): pass",
    "behind called": "import cuda.tile as ct\nfrom lib import mark\n@mark('a')\n@ct.kernel()\ndef k(x): pass",
    "try import": "try:\n  import cuda.tile as ct\nexcept ImportError:\n  ct = None\n@ct.kernel\ndef k(x): pass",
    "under if": "import cuda.tile as ct\nif ct:\n  @ct.kernel\n  def k(x): pass",
    "assigned": "import cuda.tile as ct\ndef f(x): pass\nk = ct.kernel(f)",
    "assigned, curried": "import cuda.tile as ct\ndef f(x): pass\nk = ct.kernel()(f)",
    "own name": "from cuda.tile import kernel\n@kernel\ndef k(x): pass\n@kernel\ndef kernel(x): pass",
    "wrapper": "import cuda.tile as ct\ndef deco(f):\n  'doc'\n  return ct.kernel(f)\n@deco\ndef k(x): pass",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_forms(module: Callable[[str], Module], text: str) -> None:
    found = module(text)
    assert "k" in found.kernels
    assert not found.diagnostics
    binding = found.resolve("k")
    assert isinstance(binding, Kernel)
    assert binding.kernel.params[0].name == "x"


OPTIONS = {
    "keywords": "@ct.kernel(occupancy=4, num_ctas=2)\ndef k(): pass",
    "assigned": "def f(): pass\nk = ct.kernel(f, occupancy=4, num_ctas=2)",
    "curried": "def f(): pass\nk = ct.kernel(occupancy=4, num_ctas=2)(f)",
    "decorator value": "fast = ct.kernel(occupancy=4, num_ctas=2)\n@fast\ndef k(): pass",
    "partial": "import functools as ft\nfast = ft.partial(ct.kernel, occupancy=4)\n@fast(num_ctas=2)\ndef k(): pass",
    "replace_hints": "@ct.kernel(occupancy=1, num_ctas=2)\ndef f(): pass\nk = f.replace_hints(occupancy=4)",
    "wrapper": "def deco(f): return ct.kernel(occupancy=4, num_ctas=2)(f)\n@deco\ndef k(): pass",
}


@pytest.mark.parametrize("text", OPTIONS.values(), ids=OPTIONS.keys())
def test_options(module: Callable[[str], Module], text: str) -> None:
    found = module(f"import cuda.tile as ct\n{text}")
    options = {name: ast.literal_eval(value) for name, value in found.kernels["k"].options.items()}
    assert options == {"occupancy": 4, "num_ctas": 2}


@pytest.mark.parametrize(
    "text",
    [
        "class ct:\n  kernel = staticmethod(lambda f: f)\n@ct.kernel\ndef k(): pass",
        "from other import kernel\n@kernel\ndef k(): pass",
        "import cuda.tile as ct\n@ct.function\ndef k(): pass",
        "import cuda.tile as ct\nct = 3\n@ct.kernel\ndef k(): pass",
        "@kernel\ndef k(): pass",
    ],
)
def test_not_kernels(module: Callable[[str], Module], text: str) -> None:
    assert not module(text).kernels


def test_params(module: Callable[[str], Module]) -> None:
    text = "import cuda.tile as ct\n@ct.kernel\ndef k(a, /, b: ct.Constant[int], c=2, *, d=None):\n  'Doc.'"
    kernel = module(text).kernels["k"]
    rows = [(p.name, p.kind, p.annotation is not None, p.default is not None) for p in kernel.params]
    assert rows == [
        ("a", "positional_only", False, False),
        ("b", "positional_or_keyword", True, False),
        ("c", "positional_or_keyword", False, True),
        ("d", "keyword_only", False, True),
    ]
    assert (kernel.params[1].span.line, kernel.params[1].span.col) == (3, 13)
    assert kernel.docstring == "Doc."
    assert (kernel.span.line, kernel.span.col, kernel.span.end_col) == (3, 5, 6)


def test_class_level(module: Callable[[str], Module]) -> None:
    text = "import cuda.tile as ct\nclass A:\n  @staticmethod\n  @ct.kernel\n  def k(x): pass"
    assert list(module(text).kernels) == ["A.k"]


def test_nested_without_capture(module: Callable[[str], Module]) -> None:
    text = """
        def make(n):
            import cuda.tile as ct
            @ct.kernel(occupancy=n)
            def k(x, TILE: ct.Constant[int]):
                y = ct.load(x, (0,), (TILE,))
            return k
        """
    kernel = module(text).kernels["make.<locals>.k"]
    assert kernel.module.qualify(ast.parse("ct.load", mode="eval").body, None, kernel.local) == "cuda.tile.load"


def test_nested_with_capture(module: Callable[[str], Module]) -> None:
    text = "import cuda.tile as ct\ndef make(n):\n  m = n\n  @ct.kernel\n  def k(x): return m + n\n  return k"
    found = module(text)
    assert not found.kernels
    [diagnostic] = found.diagnostics
    assert diagnostic.code == "C2R101"
    assert "`m`, `n`" in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.line == 5


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("@ct.kernel\nasync def k(): pass", "C2R102"),
        ("@ct.kernel\n@mark\ndef k(): pass", "C2R104"),
        ("@ct.kernel(**opts)\ndef k(): pass", "C2R105"),
        ("@ct.kernel\ndef k(): pass\n@ct.kernel\ndef k(x): pass", "C2R103"),
    ],
)
def test_diagnostics(module: Callable[[str], Module], text: str, code: str) -> None:
    assert [diagnostic.code for diagnostic in module(f"import cuda.tile as ct\n{text}").diagnostics] == [code]


def test_kernel_through_package(load: Load) -> None:
    project, codes = load(
        p_init="from ._compat import ct, deco",
        p___compat="import cuda.tile as ct\ndef deco(f): return ct.kernel(occupancy=2)(f)",
        p__a="from . import ct\nfrom p import deco\n@ct.kernel\ndef k1(): pass\n@deco\ndef k2(): pass",
        p__b="from .a import k1 as mine\nimport p.a\nfrom p.a import k2\nother = k2.replace_hints(occupancy=3)",
    )
    assert codes == []
    assert list(project.modules["p.a"].kernels) == ["k1", "k2"]
    b = project.modules["p.b"]
    for name in ("mine", "p.a.k1"):
        binding = b.resolve_expr(ast.parse(name, mode="eval").body)
        assert isinstance(binding, Kernel)
        assert binding.kernel is project.modules["p.a"].kernels["k1"]
