"""No special case for any kernel: a renamed copy of TileGym's kernels gives the same Rust up to names."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from renaming import NEW_NAME, difference, mapping, own_names, renamed
from tilegym_scope import SCOPE, scope_files
from workplace import convert, tilegym_folder


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The crate of TileGym's kernels, and that of the renamed copy."""
    folder = tmp_path_factory.mktemp("renamed")
    copy = folder / "copy" / "tilegym"
    shutil.copytree(tilegym_folder(), copy)
    files = [*SCOPE, "utils.py"]
    texts = {name: (copy / "ops" / "cutile" / name).read_text(encoding="utf-8") for name in files}
    names = mapping(list(texts.values()))
    for name, text in texts.items():
        (copy / "ops" / "cutile" / name).write_text(renamed(text, names), encoding="utf-8")
    new = [copy / "ops" / "cutile" / name for name in SCOPE]
    return convert(scope_files(), folder / "old"), convert(new, folder / "new")


def test_same_rust_up_to_names(crates: tuple[Path, Path]) -> None:
    old, new = crates
    files = sorted(path.relative_to(old / "src") for path in (old / "src").rglob("*.rs"))
    assert len(files) == 1 + 2 * len(SCOPE)
    for file in files:
        assert difference((old / "src" / file).read_text(), (new / "src" / file).read_text(), NEW_NAME) is None, file


def test_names_did_change(crates: tuple[Path, Path]) -> None:
    old, new = ((crate / "src" / "softmax" / "kernel.rs").read_text() for crate in crates)
    assert "row_max" in old
    assert "row_max" not in new


def test_renaming_of_python() -> None:
    source = '''\
import m as math  # why
from .u import helper

def f(x, *, axis=1):
    """x stays here."""
    y = helper(x, axis=axis) + m.sum(x.y, axis=0)  # y
    return f(y, axis=f"{y}")
'''
    names = {"f": "g", "x": "a", "y": "b", "axis": "c", "helper": "h"}
    text = renamed(source, names)
    assert text.splitlines()[:6] == [
        "import m as math  # remark 1",
        "from .u import h",
        "",
        "def g(a, *, c=1):",
        '    """x stays here."""',
        "    b = h(a, c=c) + m.sum(a.y, axis=0)  # remark 6",
    ]
    assert text.splitlines()[6].startswith("    return g(b, c=")
    assert own_names(ast.parse(source)) == {"f", "x", "y", "axis"}


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("let a = b + 1; // c", "let x = y\n + 1;", True),
        ("f(a, b,)", "f(\n a,\n c)", True),
        ("a + a", "b + c", False),
        ("a + b", "c + c", False),
        ("a + 1", "a + 2", False),
        ("a + b", "a - b", False),
        ("a", "a b", False),
        ('"a"', '"b"', False),
    ],
)
def test_difference(left: str, right: str, same: bool) -> None:
    assert (difference(left, right) is None) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("exp(half_2)", "exp(half)", True),
        ("exp(row)", "exp(Q7eeZ_view)", True),
        ("exp(row)", "exp2(row)", False),
        # A function's names are its own.
        ("{ fn f(a) { a } fn g(a) { a } }", "{ fn f(a) { a } fn g(q1z) { q1z } }", True),
        ("{ fn f(a) { a } fn g(a) { a } }", "{ fn f(a) { a } fn g(q1z) { q2z } }", False),
        # A name that is bound again is another one, from the semicolon on.
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let q1z = a + 1; f(q1z); }", True),
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let q1z = q1z + 1; f(q1z); }", False),
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let q1z = a + 1; f(a); }", False),
        ("{ let a = 1; let b = a; f(a, b); }", "{ let a = 1; let a = a; f(a, a); }", False),
        ("{ let a = 1; { let a = 2; f(a); } f(a); }", "{ let a = 1; { let q1z = 2; f(q1z); } f(a); }", True),
        ("{ let a = 1; { let a = 2; f(a); } f(a); }", "{ let a = 1; { let q1z = 2; f(q1z); } f(q1z); }", False),
        ("{ let a = { let b = 1; b }; f(a); }", "{ let q1z = { let q2z = 1; q2z }; f(q1z); }", True),
        ("for a in 0..a { f(a); } f(a);", "for q1z in 0..a { f(q1z); } f(a);", True),
        ("for a in 0..a { f(a); } f(a);", "for q1z in 0..a { f(a); } f(a);", False),
    ],
)
def test_difference_follows_scopes(left: str, right: str, same: bool) -> None:
    assert (difference(left, right, NEW_NAME) is None) is same
