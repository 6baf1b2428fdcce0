"""The support crate as text: what every reader and every kernel may rely on."""

from __future__ import annotations

import re
import time
from functools import cache
from pathlib import Path

import pytest
from cutile2rs.backend import support
from cutile2rs.backend.names import support_names

from tests.support.mentions import in_backend, in_rules
from tests.workplace import ROOT

SOURCES = {path.removeprefix("support/src/"): text for path, text in support.support_files().items() if "/src/" in path}
TEMPLATES = sorted((ROOT / "rust_templates" / "support").rglob("*.*"))
each_file = pytest.mark.parametrize("name", sorted(SOURCES))


def test_files() -> None:
    assert set(support.support_files()) - {f"support/src/{name}" for name in SOURCES} == {
        "support/Cargo.toml", "support/rustfmt.toml",
    }  # fmt: skip
    assert len(SOURCES) >= 14
    for size in [text.count("\n") for text in SOURCES.values()]:
        assert size < 400
    for path in TEMPLATES:
        assert path.read_text(encoding="utf-8").count("\n") < 200, path.name
    assert not [name for name, text in SOURCES.items() if "{{" in text or "{%" in text or not text.endswith("}\n")]


def test_tile_hands_on_every_module() -> None:
    names = sorted(name.removesuffix(".rs") for name in SOURCES if name != "lib.rs")
    assert re.findall(r"^mod (\w+);$", SOURCES["lib.rs"], re.MULTILINE) == names
    assert re.findall(r"^    pub use crate::(\w+::\w+)::\*;$", SOURCES["lib.rs"], re.MULTILINE) == [
        f"{n}::{n}" for n in names
    ]
    for name in names:
        text = SOURCES[f"{name}.rs"]
        assert re.findall(r"^#\[cutile::module\]\npub mod (\w+) \{$", text, re.MULTILINE) == [name]
        used = re.findall(r"^    use crate::(\w+)::(\w+)::\*;$", text, re.MULTILINE)
        assert used == sorted(used) and {first for first, _ in used} <= set(names)
        assert all(first == second for first, second in used)


def test_each_function_once() -> None:
    names = [name for text in SOURCES.values() for name in re.findall(r"\bfn (\w+)", text)]
    assert len(names) == len(set(names))
    assert support_names() == set(names)
    assert {"splat_float", "gather_1d_unchecked_masked_token", "view_neg_inf_ordered", "record_word"} <= set(names)


@each_file
def test_documented_and_justified(name: str) -> None:
    """Every function says what it is; an unsafe one says what it asks for; an unsafe block says why it may stand there."""
    text = SOURCES[name]
    functions = list(re.finditer(r"((?:^ *(?:///|#\[).*\n)*)^ *pub (unsafe )?fn (\w+)", text, re.MULTILINE))
    assert len(functions) == len(re.findall(r"\bfn ", text))
    for found in functions:
        head, unsafe, function = found.groups()
        assert head.lstrip().startswith("///"), function
        assert ("# Safety" in head) == bool(unsafe), function
    blocks = [line for line in text.splitlines() if "unsafe {" in line]
    reasons = text.count("// SAFETY: ")
    assert reasons <= len(blocks) <= 2 * reasons  # both branches of a latency share one


@pytest.mark.parametrize(
    ("kernel", "modules"),
    [
        ("let y = x + x;", ["tile"]),
        ("floor_div(n, 3i32)", ["arithmetic", "operations", "tile"]),
        ("gather_1d(a, i, pad, t, l)", ["array_1d", "arrays", "constants", "gather_1d", "operations", "tile"]),
        ("strides_2d(raw_strides(a)).1", ["array_2d", "arrays", "constants", "operations", "tile"]),
        ("load_view(&view_zero(a, s), [0i32], t, l)", ["tile", "tiles", "views"]),
    ],
)
def test_used_modules(kernel: str, modules: list[str]) -> None:
    found = support.used_modules(kernel, SOURCES)
    assert sorted(path.split("::")[1] for path, _ in found) == modules
    for path, text in found:
        stem = path.split("::")[1]
        assert text == SOURCES["lib.rs" if stem == "tile" else f"{stem}.rs"]
        assert path in ("cutile2rs_support::tile", f"cutile2rs_support::{stem}::{stem}")


def test_an_output_without_modules() -> None:
    """What one file held in older outputs is taken from there."""
    old = {"lib.rs": "pub mod tile { pub fn gather_1d() {} }"}
    assert support.used_modules("gather_1d()", old) == [("cutile2rs_support::tile", old["lib.rs"])]


def _composed() -> set[str]:
    """Names that the backend puts together from an operation's attributes."""
    both = ("", "_unchecked")
    names = {f"{what}_1d{c}{m}" for what in ("gather", "scatter") for c in both for m in ("", "_masked")}
    names |= {f"{name}_token" for name in names if name.startswith("gather")}
    names |= {f"offsets_1d{c}" for c in both} | {f"part_offsets_{k}d{c}" for k in support.RANKS for c in both}
    names |= {f"strides_{k}d" for k in support.RANKS}
    names |= {f"{p}view_{name}{o}" for p in ("", "part_") for name, _, _ in support.PADDINGS for o in ("", "_ordered")}
    names |= {f"{what}{c}{t}" for what in ("load_view", "store_view") for c in both for t in ("", "_no_tma")}
    names |= {f"load_view{c}{t}_token" for c in both for t in ("", "_no_tma")}
    names |= {f"{what}_elements{w}" for what in ("load", "store") for w in ("", "_where")}
    names |= {"holding", "holding_float", "holding_float_nan_first", "first_place", "first_place_nan_first"}
    return names | {"reduce_with", "scan_with", "splat_byte_bits", "splat_half_bits"}


def test_what_the_backend_composes() -> None:
    assert _composed() - support_names() == set()


def test_no_function_is_idle() -> None:
    """Each is one that a rule or the backend writes, or that such a one calls."""
    wanted = sorted((in_rules() | in_backend() | _composed()) & support_names())
    needed = set(wanted)
    while wanted:
        called = set(re.findall(r"\w+", _bodies()[wanted.pop()])) & support_names()
        wanted += called - needed
        needed |= called
    assert support_names() - needed == set()


@cache
def _bodies() -> dict[str, str]:
    """What stands between a function's name and the next one's, without comments."""
    code = re.sub(r"^ *//.*$", "", "\n".join(SOURCES.values()), flags=re.MULTILINE)
    pieces = re.split(r"\bfn (\w+)", code)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def test_mentions_are_found() -> None:
    """The next test's eyes."""
    assert {"reduce_sum", "floor_div_tile", "addi_wrap", "divide", r"\w*_with_rounding"} <= in_rules()
    assert {"splat_float", "record_word", "elements", r"strides_\w*d", r"splat_\w*_bits"} <= in_backend()


@pytest.mark.toolchain
def test_mentioned_functions_exist(core_functions: frozenset[str]) -> None:
    known = core_functions | support_names()
    assert {"reduce_sum", "load_ptr_tko", "exp_with_rounding"} <= core_functions
    mentioned = in_rules() | in_backend()
    assert [name for name in sorted(mentioned) if not any(re.fullmatch(name, one) for one in known)] == []


def test_rendering_is_cached() -> None:
    first = support.support_files()
    start = time.perf_counter()
    assert support.support_files() is first
    assert time.perf_counter() - start < 0.001


def test_rendering_is_the_same_each_time() -> None:
    first = support.support_files()
    support.support_files.cache_clear()
    assert support.support_files() == first


def test_templates_are_shipped() -> None:
    """What `pyproject.toml` says belongs to the package."""
    assert '"cutile2rs.rust_templates" = ["*.j2", "Cargo.lock", "support/**/*", "runtime/**/*"]' in Path(
        ROOT / "pyproject.toml"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kernel", "used"),
    [("let y = x + x;\nlet i: i32 = get_tile_block_id().0;", False), ("let v = view_zero(a, shape![T]);", True)],
)
def test_what_uses_the_crate(kernel: str, used: bool) -> None:
    """Its import is left out where nothing of it is named."""
    assert support.uses_support(kernel) is used
