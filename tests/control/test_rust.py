"""The Rust of loops, branches and jumps, by the lines that matter."""

from __future__ import annotations

import pytest
from cutile2rs.backend.loops import behind

from tests.kernels import converted_from

STORE = "ct.store(x, (s,), ct.ones((16,), x.dtype))"
CASES: dict[str, tuple[str, str]] = {
    "range": (
        "def k(x, N: ct.Constant[int]):\n    for s in range(2, N, 3):\n        STORE",
        "for s in (opaque(2i32)..opaque(N)).step_by(3i32 as usize) {",
    ),
    "unused_index": (
        "def k(x):\n    s = 0\n    for i in range(ct.bid(0)):\n        s = s + 3\n    STORE",
        "for _i in opaque(0i32)..bid_value {\n    s = s + 3i32;\n}",
    ),
    "while": (
        "def k(x):\n    s = ct.bid(1)\n    while s < 99:\n        s = s * 3\n    STORE",
        "while s < 99i32 {\n    s = s * 3i32;\n}",
    ),
    "swap": (
        "def k(x):\n    s, t = ct.bid(0), ct.bid(1)\n    for i in range(ct.bid(2)):\n        s, t = t, s\n"
        "    s = s - t\n    STORE",
        "    let s_before: i32 = s;\n    s = t;\n    t = s_before;\n",
    ),
    "early_return": (
        "def k(x):\n    s = ct.bid(0)\n    if s >= 7:\n        return\n    STORE",
        "if s < 7i32 {\n",
    ),
    "early_return_on_int64": (
        "def k(x):\n    s = ct.bid(0)\n    if ct.int64(s) >= 7:\n        return\n    STORE",
        "let lt_tile_: Tile<bool, { [] }> = lt_tile(s_i64, constant_tile);\nif is_true(lt_tile_) {\n",
    ),
    "early_return_on_a_flag": (
        "def k(x):\n    s = ct.bid(0)\n    f = s >= 7\n    if f:\n        return\n    STORE",
        "if f {\n} else {\n",
    ),
    "value": (
        "def k(x):\n    b = ct.bid(0)\n    s = b if b > 3 else 7\n    STORE",
        "let s: i32 = if b > 3i32 { b } else { 7i32 };",
    ),
    "two_results": (
        "def k(x):\n    b = ct.bid(0)\n    if b > 3:\n        i = b * 2\n        j = b * 3\n    else:\n        i = b * 4\n"
        "        j = b * 5\n    s = i - j\n    STORE",
        "#[allow(unused_assignments)]\nlet mut i: i32 = 0i32;\nlet j: i32 = if b > 3i32 {\n    i = b * 2i32;\n",
    ),
    "break_in_for": (
        "def k(x):\n    s = 0\n    for i in range(ct.bid(0)):\n        if i * i > ct.bid(1):\n            break\n"
        "        s = s + i\n    STORE",
        "    if stopped {\n        continue;\n    }\n",
    ),
    "token_behind_tiles": (
        "def k(x):\n    z = ct.zeros((16,), ct.float32)\n    for i in range(ct.bid(0)):\n        z = z + 1.0\n"
        "        ct.store(x, (0,), z)\n    s = 5\n    STORE",
        "let mut z_x_token: Token = token;\n",
    ),
    "carried_unchanged": (
        "def k(x, F: ct.Constant[bool]):\n    s = ct.bid(0)\n    for i in range(ct.bid(1)):\n        if F:\n"
        "            s = s + 1\n        STORE",
        "    // Python's loop carries this too.\n    s = s;\n",
    ),
    "helper": (
        "def k(x):\n    s = f(ct.bid(0))\n    STORE",
        "loop {\n    if bid_value > 3i32 {\n        s = bid_value * 2i32;\n        break;\n    }\n"
        "    s = bid_value;\n    break;\n}",
    ),
}  # fmt: skip
HELPER = "def f(i):\n    if i > 3:\n        return i * 2\n    return i\n\n\n"


def _lines(python: str) -> str:
    """All entries, without the comments that repeat the Python, and without the common indentation."""
    done = converted_from(f"{HELPER}@ct.kernel\n{python.replace('STORE', STORE)}\n")
    lines = [
        line
        for entry in done.entries
        for line in entry.lines
        if not line.strip().startswith("// ") or "carries" in line
    ]
    return "\n".join(line.removeprefix(" " * 8) for line in lines)


@pytest.mark.parametrize("name", CASES)
def test_rust(name: str) -> None:
    python, wanted = CASES[name]
    text = _lines(python)
    assert wanted in text, text


@pytest.mark.parametrize(
    ("hint", "before", "name"),
    [
        ("x_token", ["i", "total"], "x_token"),
        ("flags_token", ["i", "total"], "z_flags_token"),
        ("token", ["i", "total", "z_flags_token"], "z_token"),
        ("a_token", ["i", "z_flags_token"], "zz_a_token"),
    ],
)
def test_tokens_sort_behind_what_a_loop_carries_before_them(hint: str, before: list[str], name: str) -> None:
    assert behind(hint, before) == name
