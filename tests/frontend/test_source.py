"""Reading, positions, statement text, and errors in the input."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from cutile2rs.diagnostics import Diagnostic
from cutile2rs.frontend import Module, load_project, module_name, statement_source

from .conftest import Load

STATEMENTS = [
    ("x = 1", "x = 1"),
    ("x = 1  # why", "x = 1"),
    ("a = 1; b = 2", "a = 1"),
    ("x = (  # open\n    1 +\n    2\n)", "x = (  # open\n    1 +\n    2\n)"),
    ("if a:\n    x = f(\n        1,\n      )", "if a:"),
    ("for i in range(pid, N, n):  # rows\n    pass", "for i in range(pid, N, n):"),
    ("for i in range(\n    a, # c: d\n    b,\n):\n    pass", "for i in range(\n    a, # c: d\n    b,\n):"),
    ("for i in x[1:2]:\n    pass", "for i in x[1:2]:"),
    ("while (a\n   and b):\n    pass", "while (a\n   and b):"),
    ("if (a): pass", "if (a):"),
    ("with f() as g, h: pass", "with f() as g, h:"),
    ("with (f() as g): pass", "with (f() as g):"),
    ("def f(a: int, *b, c=1) -> int:\n    pass", "def f(a: int, *b, c=1) -> int:"),
    ("def f():\n    pass", "def f():"),
    ("class A(B, metaclass=C):\n    pass", "class A(B, metaclass=C):"),
    ("class A:\n    pass", "class A:"),
    ("try:\n    pass\nfinally:\n    pass", "try:"),
    ("match x:\n    case 1: pass", "match x:"),
    ("é = 'ü' + \"ö\"; b = 1", "é = 'ü' + \"ö\""),
    ("for é in 'ü:ä':\n    pass", "for é in 'ü:ä':"),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_statement_source(module: Callable[[str], Module], text: str, expected: str) -> None:
    found = module(text)
    assert statement_source(found, found.tree.body[0]) == expected


def test_statement_source_dedents(module: Callable[[str], Module]) -> None:
    found = module("def f():\n    if a:\n        x = g(\n            1,\n        )\n    elif b: pass")
    function = found.functions["f"]
    branch = function.body[0]
    assert isinstance(branch, ast.If)
    assert statement_source(found, branch.body[0]) == "x = g(\n    1,\n)"
    assert statement_source(found, branch.orelse[0]) == "elif b:"


def test_span_counts_characters(module: Callable[[str], Module]) -> None:
    found = module("é = 'üü' + b")
    value = found.tree.body[0]
    assert isinstance(value, ast.Assign)
    assert isinstance(value.value, ast.BinOp)
    span = found.span(value.value.right)
    assert (span.line, span.col, span.end_col) == (1, 12, 13)


def test_line_ends_and_bom(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfx = 1\r\ny = '\x0c'\rz = 3\n")
    project, diagnostics = load_project([tmp_path])
    assert not diagnostics
    found = project.modules["a"]
    assert [statement_source(found, stmt) for stmt in found.tree.body] == ["x = 1", "y = '\x0c'", "z = 3"]


def only(paths: list[Path]) -> Diagnostic:
    [diagnostic] = load_project(paths)[1]
    return diagnostic


def test_missing_path(tmp_path: Path) -> None:
    assert only([tmp_path / "no.py"]).code == "C2R001"


def test_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.py").write_text("")
    (tmp_path / ".hidden.py").write_text("")
    (tmp_path / "x.txt").write_text("")
    assert only([tmp_path]).code == "C2R002"


def test_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes("x = 1\né = '".encode() + b"\xff'\n")
    diagnostic = only([tmp_path])
    assert diagnostic.code == "C2R003"
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.col) == (2, 6)


@pytest.mark.parametrize(
    ("text", "line", "col"),
    [("x = 1\ny = (\n", 2, 5), ("def f(:\n", 1, 7), ("é = 'ü' $\n", 1, 9), ("x = 1\n  y = 2\n", 2, 2)],
)
def test_syntax_error(tmp_path: Path, text: str, line: int, col: int) -> None:
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    (tmp_path / "b.py").write_text("x = 1")
    project, [diagnostic] = load_project([tmp_path])
    assert list(project.modules) == ["b"]
    assert diagnostic.code == "C2R004"
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.col) == (line, col)


@pytest.mark.parametrize("text", ["x = '\0'", "(" * 5000 + ")" * 5000, "x = " + "-" * 100000 + "1"])
def test_hostile_source(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    assert only([tmp_path]).code == "C2R004"


def test_long_expression_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import cuda.tile as ct\nx = " + " + ".join(["1"] * 500))
    project, diagnostics = load_project([tmp_path])
    assert not diagnostics
    assert not project.launch_sites()


def test_invalid_escape_is_silent(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    (tmp_path / "a.py").write_text(r"x = '\d'")
    assert not load_project([tmp_path])[1]
    assert not recwarn.list


def test_same_file_twice(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    project, _ = load_project([tmp_path / "a.py", tmp_path])
    assert list(project.modules) == ["a"]


def test_module_name(load: Load, tmp_path: Path) -> None:
    load(p_init="", p__q_init="", p__q__m="")
    assert module_name(tmp_path / "p/q/m.py") == ("p.q.m", tmp_path)
    assert module_name(tmp_path / "p/q/__init__.py") == ("p.q", tmp_path)


def test_code_is_never_run(tmp_path: Path) -> None:
    text = """
        import cuda.tile as ct
        open({path!r}, "w").close()
        raise SystemExit
        @ct.kernel
        def k(x): pass
        """
    (tmp_path / "a.py").write_text(dedent(text).format(path=str(tmp_path / "ran")))
    project, _ = load_project([tmp_path])
    assert "k" in project.modules["a"].kernels
    assert not (tmp_path / "ran").exists()
