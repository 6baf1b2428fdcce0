"""Resolution of module-global names."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from cutile2rs.frontend import (
    Class,
    Constant,
    ExternalModule,
    ExternalName,
    Function,
    Module,
    Unknown,
    UserModule,
    qualify,
)

from .conftest import Load


def expr(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "chain", "expected"),
    [
        ("import cuda.tile as ct", "ct.PaddingMode.ZERO", "cuda.tile.PaddingMode.ZERO"),
        ("import cuda.tile", "cuda.tile.exp", "cuda.tile.exp"),
        ("from cuda import tile", "tile.exp", "cuda.tile.exp"),
        ("from cuda.tile import RoundingMode as RMd", "RMd.APPROX", "cuda.tile.RoundingMode.APPROX"),
        ("from cuda.tile._stub import pack_to_bytes", "pack_to_bytes", "cuda.tile.pack_to_bytes"),
        ("import cuda.tile._datatype as d", "d.float8_e4m3fn", "cuda.tile.float8_e4m3fn"),
        ("from cuda.tile import tune", "tune.exhaustive_search", "cuda.tile.tune.exhaustive_search"),
        ("from cuda.tile import *", "exp", "cuda.tile.exp"),
        ("import math", "math.pi", "math.pi"),
        ("import os.path as p", "p.join", "os.path.join"),
        ("import torch.nn.functional as F", "F.gelu", "torch.nn.functional.gelu"),
        ("import cuda.tile as ct\nload = ct.load\nld = load", "ld", "cuda.tile.load"),
        ("import cuda.tile as ct\nct = 1", "ct.exp", None),
        ("import cuda.tile as ct", "ct.exp(1)", None),
        ("def f(): pass", "f", None),
        ("", "nothing", None),
    ],
)
def test_qualify(module: Callable[[str], Module], text: str, chain: str, expected: str | None) -> None:
    assert qualify(expr(chain), module(text)) == expected


def constant(module: Module, name: str, before: int | None = None) -> str:
    binding = module.resolve(name, before)
    assert isinstance(binding, Constant), binding
    return ast.unparse(binding.expr)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X = 1", "1"),
        ("X: int = 1", "1"),
        ("X = 1\nX = 2", "2"),
        ("X = Y = 3", "3"),
        ("X, Y = 1, 2", "1"),
        ("Y, (X, Z) = 1, (2, 3)", "2"),
        ("if a:\n  X = 1", "1"),
        ("try:\n  X = 1\nfinally:\n  pass", "1"),
        ("with a:\n  X = 1", "1"),
        ("if a:\n  X = 1\nX = 2", "2"),
        ("X: int\nX = 1", "1"),
        ("def f():\n  X = 2\nX = 1", "1"),
        ("class A:\n  X = 2\nX = 1", "1"),
        ("from torch import *\nX = 1", "1"),
        ("try:\n  import cuda.tile as ct\n  X = 1\nexcept ImportError:\n  X = 2", "1"),
        ("try:\n  from cuda import tile\nexcept ImportError:\n  X = 2\nelse:\n  X = 1", "1"),
        ("A = True\nif A:\n  X = 1\nelse:\n  X = 2", "1"),
        ("A = B = False\nif not A:\n  X = 1\nelif B:\n  X = 2", "1"),
        ("X = 1\nA = False\nif A:\n  X = 2\nA = True", "1"),
    ],
)
def test_constants(module: Callable[[str], Module], text: str, value: str) -> None:
    assert constant(module(text), "X") == value


@pytest.mark.parametrize(
    "text",
    [
        "if a:\n  X = 1\nelse:\n  X = 2",
        "X = 1\nif a:\n  X = 2",
        "X = 1\nX += 1",
        "for i in y:\n  X = i",
        "for X in y: pass",
        "while a:\n  X = 1",
        "X = 1\ndef f():\n  global X\n  X = 2",
        "X, Y = f()",
        "X, *Y = 1, 2, 3",
        "with f() as X: pass",
        "X = 1\ndel X",
        "try:\n  X = 1\nexcept ImportError:\n  X = 2",
        "try:\n  import X\nexcept KeyError:\n  X = 2",
        "try:\n  import cuda.tile as ct\n  import torch\n  X = 1\nexcept ImportError:\n  X = 2",
        "try:\n  from cuda.tile import future\n  X = 1\nexcept ImportError:\n  X = 2",
        "try:\n  import cuda.tile as ct\n  X = f()\nexcept Exception:\n  X = 2",
        "import a\nif a.b:\n  X = 1\nelse:\n  X = 2",
        "Y = (X := 3)",
        "async def X(): pass",
        "match a:\n  case [X]: pass",
        "X = 1\nfrom torch import *",
        "from . import X",
        "from .nowhere import X",
    ],
)
def test_unknown(module: Callable[[str], Module], text: str) -> None:
    binding = module(text).resolve("X")
    assert isinstance(binding, Unknown), binding
    assert "X" in binding.reason or "cannot be read" in binding.reason


def test_before(module: Callable[[str], Module]) -> None:
    found = module("A = 1\nB = A * 2\nA = 5")
    assert constant(found, "A") == "5"
    b = found.resolve("B")
    assert isinstance(b, Constant)
    assert constant(found, "A", b.line) == "1"
    assert found.resolve("A", 1) is None


def test_unbound(module: Callable[[str], Module]) -> None:
    assert module("x = 1").resolve("y") is None
    assert module("x: int").resolve("x") is None


def test_if_shadowing_builtin(module: Callable[[str], Module]) -> None:
    assert isinstance(module("if a:\n  min = 3").resolve("min"), Unknown)


def test_external_stars(module: Callable[[str], Module]) -> None:
    found = module("import cuda.tile as ct\nfrom torch import *\nfrom math import *\ny = 1")
    assert found.resolve("ct") == ExternalModule("cuda.tile")
    assert found.resolve("exp") == ExternalName("math", "exp")
    assert isinstance(found.resolve("range"), Unknown)
    assert constant(found, "y") == "1"


def test_tables(module: Callable[[str], Module]) -> None:
    found = module("import math\ndef f(): pass\nclass C: pass\nf2 = f")
    assert list(found.functions) == ["f"]
    assert list(found.classes) == ["C"]
    assert isinstance(found.resolve("f"), Function)
    assert isinstance(found.resolve("C"), Class)
    assert isinstance(found.resolve_expr(expr("f2")), Function)
    assert [i.local for i in found.imports] == ["math"]


PACKAGE = {
    "p_init": "from .sub import *\nfrom . import a\nfrom .a import a_value as renamed\nfrom .b import a",
    "p__a": "a_value = 1\ndef helper(): pass",
    "p__b": "from p import a as whole\nfrom .a import helper as a\nimport p.a as deep\nfrom .sub.c import deepest",
    "p__sub_init": "from .c import *\n__all__ = ['shown', 'deepest']",
    "p__sub__c": "from ..a import helper\nfrom ... import outside\nshown = 1\ndeepest = 2\n_hidden = 3",
    "p__cycle1": "from .cycle2 import x",
    "p__cycle2": "from .cycle1 import x",
    "p__star1": "from .star2 import *\nhere = 1",
    "p__star2": "from .star1 import *\nthere = 2",
}


def test_package(load: Load) -> None:
    project, codes = load(**PACKAGE)
    assert codes == []
    p, b, c = project.modules["p"], project.modules["p.b"], project.modules["p.sub.c"]
    helper = Function(project.modules["p.a"], project.modules["p.a"].functions["helper"])
    assert p.resolve("a") == helper
    assert b.resolve("a") == helper
    assert c.resolve("helper") == helper
    assert b.resolve("whole") == helper
    assert b.resolve("deep") == UserModule(project.modules["p.a"])
    assert constant(p, "renamed") == "1"
    assert constant(p, "shown") == "1"
    assert constant(b, "deepest") == "2"
    assert p.resolve("_hidden") is None
    assert isinstance(c.resolve("outside"), Unknown)
    assert isinstance(project.modules["p.cycle1"].resolve("x"), Unknown)
    assert constant(project.modules["p.star2"], "here") == "1"
    assert constant(project.modules["p.star1"], "there") == "2"
    assert project.modules["p.star1"].resolve("nowhere") is None
    assert b.resolve_expr(expr("deep.helper")) == helper


def test_submodule_through_own_package(load: Load) -> None:
    project, _ = load(p_init="from . import a", p__a="X = 1", p__b="from p import a\nfrom p import a as a2")
    assert project.modules["p"].resolve("a") == UserModule(project.modules["p.a"])
    assert project.modules["p.b"].resolve("a2") == UserModule(project.modules["p.a"])


def test_loose_scripts(load: Load) -> None:
    project, _ = load(main="import helpers\nfrom helpers import f\nimport math\nimport absent", helpers="def f(): pass")
    main = project.modules["main"]
    assert main.resolve("helpers") == UserModule(project.modules["helpers"])
    assert isinstance(main.resolve("f"), Function)
    assert main.resolve("math") == ExternalModule("math")
    assert main.resolve("absent") == ExternalModule("absent")


def test_lazy_sibling(load: Load) -> None:
    project, _ = load(p_init="", p__x__y="from p import z", p__z="A = 1")
    assert project.find_module("p.z") is project.modules["p.z"]
    assert project.find_module("p.none") is None
    assert project.find_module("torch.nn") is None


def test_external_name(module: Callable[[str], Module]) -> None:
    found = module("from cuda.tile import RoundingMode as RMd").resolve("RMd")
    assert found == ExternalName("cuda.tile", "RoundingMode")


def test_same_file_name_in_two_folders(load: Load) -> None:
    project, _ = load(one__k="X = 1", two__k="X = 2")
    assert list(project.modules) == ["k", "two.k"]
