"""No special case for any kernel: a renamed copy of TileGym's kernels gives the same Rust up to names."""

from __future__ import annotations

import ast
import builtins
import keyword
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from tilegym_scope import SCOPE, scope_files

from tests.corpus.renaming import difference, identifiers, mapping, own_names, renamed
from tests.workplace import convert, tilegym_folder


@dataclass(frozen=True)
class Crates:
    """The crate of TileGym's kernels, that of the renamed copy, and the new names."""

    old: Path
    new: Path
    names: dict[str, str]


def _renamed(old: Path, copies: list[Path], sources: list[Path], new: Path) -> Crates:
    """Rename everything in the copies; ``sources`` are those of them that are converted."""
    texts = [path.read_text(encoding="utf-8") for path in copies]
    rust = "".join(path.read_text(encoding="utf-8") for path in old.rglob("*.rs"))
    own = {name for text in texts for name in own_names(ast.parse(text))}
    taken = set(keyword.kwlist) | set(dir(builtins)) | (identifiers(rust + "".join(texts)) - own)
    names = mapping(texts, taken)
    for path, text in zip(copies, texts, strict=True):
        path.write_text(renamed(text, names), encoding="utf-8")
    return Crates(old, convert(sources, new), names)


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory) -> Crates:
    folder = tmp_path_factory.mktemp("renamed")
    old = convert(scope_files(), folder / "old")
    copy = folder / "copy" / "tilegym"
    shutil.copytree(tilegym_folder(), copy)
    paths = [copy / "ops" / "cutile" / name for name in (*SCOPE, "utils.py")]
    return _renamed(old, paths, paths[:-1], folder / "new")


@pytest.mark.parametrize(
    "name", ["styles/kernels/flags.py", "control/kernels/style_sample.py", "launched/kernels/single_rows.py"]
)
def test_own_kernels_give_the_same_rust(tmp_path: Path, name: str) -> None:
    """Kernels with many branches on constants among them, of which the scope has none."""
    source = Path(__file__).parents[1] / name
    copy = tmp_path / source.name
    shutil.copy(source, copy)
    crates = _renamed(convert([source], tmp_path / "old"), [copy], [copy], tmp_path / "new")
    file = f"src/{source.stem}/kernel.rs"
    old, new = ((crate / file).read_text(encoding="utf-8") for crate in (crates.old, crates.new))
    assert len(crates.names) > 20
    assert difference(old, new, crates.names) is None


def test_same_rust_up_to_names(crates: Crates) -> None:
    files = sorted(path.relative_to(crates.old / "src") for path in (crates.old / "src").rglob("kernel.rs"))
    assert len(files) == len(SCOPE)
    for file in files:
        old, new = ((crate / "src" / file).read_text(encoding="utf-8") for crate in (crates.old, crates.new))
        found = difference(old, new, crates.names)
        assert found is None, f"{file}, {found}"


def test_names_did_change(crates: Crates) -> None:
    old, new = ((crate / "src" / "softmax" / "kernel.rs").read_text() for crate in (crates.old, crates.new))
    assert "row_max" in old
    assert "row_max" not in new
    assert crates.names["row_max"] in new


def test_mapping() -> None:
    text = "def f(x_1, Y):\n    z = x_1\n"
    assert mapping([text], set()) == {"f": "g", "x_1": "y_1", "Y": "Z", "z": "a"}
    assert mapping([text], {"g", "a"}) == {"f": "h", "x_1": "y_1", "Y": "Z", "z": "b"}
    assert mapping(["a = h = 0"], {"b"}) == {"a": "c", "h": "i"}


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
        ("exp(row_max_cast, EX, x_)", "exp(pmu_key_cast, EV, v)", True),
        ("exp(CDIV_ROW_MAX_A)", "exp(CDIV_PMU_KEY_N)", True),
        ("exp(CDIV_ROW)", "exp(CDIV_PMU)", True),
        ("exp(CDIV_RO)", "exp(CDIV_PM)", False),
        ("exp(row_max)", "exp(row_key)", False),
        ("exp(row)", "exp2(row)", False),
        # A function's names are its own.
        ("{ fn f(a) { a } fn g(a) { a } }", "{ fn f(a) { a } fn g(n) { n } }", True),
        ("{ fn f(a) { a } fn g(a) { a } }", "{ fn f(a) { a } fn g(n) { a } }", False),
        # A name that is bound again is another one, from the semicolon on.
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let n = a + 1; f(n); }", True),
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let n = n + 1; f(n); }", False),
        ("{ let a = 1; let a = a + 1; f(a); }", "{ let a = 1; let n = a + 1; f(a); }", False),
        ("{ let a = 1; let b = a; f(a, b); }", "{ let o = 1; let o = o; f(o, o); }", False),
        ("{ let a = 1; { let a = 2; f(a); } f(a); }", "{ let a = 1; { let n = 2; f(n); } f(a); }", True),
        ("{ let a = 1; { let a = 2; f(a); } f(a); }", "{ let a = 1; { let n = 2; f(n); } f(n); }", False),
        ("{ let a = { let b = 1; b }; f(a); }", "{ let n = { let o = 1; o }; f(n); }", True),
        ("for a in 0..a { f(a); } f(a);", "for n in 0..a { f(n); } f(a);", True),
        ("for a in 0..a { f(a); } f(a);", "for n in 0..a { f(a); } f(a);", False),
    ],
)
def test_difference_follows_scopes(left: str, right: str, same: bool) -> None:
    names = {"a": "n", "b": "o", "x": "v", "row_max": "pmu_key"}
    assert (difference(left, right, names) is None) is same
