"""Canonical Tile IR drops harmless differences and keeps all others."""

from __future__ import annotations

import pytest
from cutile2rs.verify.tileir import canonicalize, first_difference
from cutile2rs.verify.tileir_parse import TileIrError

HEADER = "entry @{name}(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) optimization_hints=<{hints}> {{"


def kernel(body: str, name: str = "k", hints: str = "default = {}") -> str:
    """An entry with this body."""
    return "\n".join([HEADER.format(name=name, hints=hints), *(f"  {line}" for line in body.strip().split("\n")), "}"])


def text(body: str, name: str = "k", hints: str = "default = {}") -> str:
    """Canonical text of an entry with this body."""
    return canonicalize(kernel(body, name, hints), "sm_90").text


STORE = """
%t = make_token : token
%x, %y, %z = get_tile_block_id : tile<i32>
%c = constant <i32: 4> : tile<i32>
%a = addi %x, %c : tile<i32>
%s = subi %a, %arg1 : tile<i32>
%r = store_ptr_tko weak %arg0, %s token=%t : tile<ptr<f32>>, tile<i32> -> token
return
"""


@pytest.mark.parametrize(
    "body",
    [
        STORE.replace("%a", "%sum").replace("%arg", "%a").replace("%sumrg", "%arg").replace("%arg", "%arg"),
        STORE.replace("%c =", "%dead = constant <i32: 9> : tile<i32>\n%c ="),
        STORE.replace("%a = addi", "%c2 = constant <i32: 4> : tile<i32>\n%a = addi").replace("%x, %c ", "%x, %c2 "),
        STORE.replace("token=%t", "token=%t2").replace("%c =", "%t2 = make_token : token\n%c ="),
        STORE.replace("%c =", "%b = assume bounded<0, ?>, %x : tile<i32>\n%c =").replace("addi %x", "addi %b"),
        STORE.replace("%s = subi %a", "%o = constant <i32: 1> : tile<i32>\n%m = muli %a, %o : tile<i32>\n%s = subi %m"),
        "\n".join([*STORE.strip().split("\n")[1:4], *STORE.strip().split("\n")[:1], *STORE.strip().split("\n")[4:]]),
        STORE.replace(" : tile<i32>\n%s", " : tile<i32> loc(#loc3)\n%s"),
    ],
)  # fmt: skip
def test_harmless_differences_go(body: str) -> None:
    assert text(body) == text(STORE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i32: 4", "i32: 5"),
        ("subi %a, %arg1", "subi %arg1, %a"),
        ("addi", "muli"),
        ("addi %x, %c", "addi %y, %c"),
        ("weak", "relaxed device"),
        ("token=%t : ", ": "),
        ("%c =", "%q = store_ptr_tko weak %arg0, %x token=%t : tile<ptr<f32>>, tile<i32> -> token\n%c ="),
        ("%s = subi %a", "%b = assume bounded<0, ?>, %a : tile<i32>\n%s = subi %b"),
    ],
)
def test_real_differences_stay(old: str, new: str) -> None:
    assert old in STORE
    assert text(STORE.replace(old, new)) != text(STORE)


def test_name_of_the_entry_and_hints() -> None:
    assert text("return", "one") == text("return", "two")
    given = text("return", hints="default = {occupancy = 4}")
    assert given == text("return", hints="sm_90 = {occupancy = 4}")
    assert given == text("return", hints="default = {occupancy = 2}, sm_90 = {occupancy = 4}, sm_80 = {occupancy = 1}")
    assert given != text("return", hints="default = {occupancy = 2}")


def test_constants_leave_loops_but_other_work_stays() -> None:
    loop = """
%n = constant <i32: 8> : tile<i32>
{before}%r:2 = for %i in (%arg1 to %n, step %n) : tile<i32> iter_values(%p = %arg1, %q = %n) -> (tile<i32>, token) {{
  {inside}%v = addi %p, %k : tile<i32>
  continue %v, %q : tile<i32>, tile<i32>
}}
%s = store_ptr_tko weak %arg0, %r#1 : tile<ptr<f32>>, tile<i32> -> token
return
"""
    constant = "%k = constant <i32: 3> : tile<i32>\n"
    assert text(loop.format(before=constant, inside="")) == text(loop.format(before="", inside=constant))
    division = "%k = divi %n, %arg1 signed rounding<zero> : tile<i32>\n"
    assert text(loop.format(before=division, inside="")) != text(loop.format(before="", inside=division))
    swapped = loop.format(before=constant, inside="").replace("continue %v, %q", "continue %q, %v")
    assert text(swapped) != text(loop.format(before=constant, inside=""))


def test_branches_and_reductions_with_reused_names() -> None:
    body = """
%f = constant <f32: 0.000000e+00> : tile<8xf32>
%reduce = reduce %f dim=0 identities=[0.000000e+00 : f32] : tile<8xf32> -> tile<f32>
(%lhs: tile<f32>, %rhs: tile<f32>) {
  %1 = subf %lhs, %rhs  : tile<f32>
  yield %1 : tile<f32>
}
%c = cmpi less_than %arg1, %arg1, signed : tile<i32> -> tile<i1>
%o = if %c -> (tile<f32>) {
  %1 = negf %reduce : tile<f32>
  yield %1 : tile<f32>
} else {
  yield %reduce : tile<f32>
}
%s = store_ptr_tko weak %arg0, %o : tile<ptr<f32>>, tile<f32> -> token
return
"""
    assert text(body) != text(body.replace("subf %lhs, %rhs", "subf %rhs, %lhs"))
    assert text(body) == text(body.replace("%1", "%one").replace("%lhs", "%l"))
    lines = [line.split("%")[0].strip() for line in text(body).split("\n")]
    assert lines[lines.index("} else {") - 1 : lines.index("} else {") + 2] == ["yield", "} else {", "yield"]


def test_first_difference_shows_both_sides_and_lines() -> None:
    located = kernel(STORE.replace("%a = addi %x, %c : tile<i32>", "%a = addi %x, %c : tile<i32> loc(#loc1)"))
    located += '\n#loc = loc("f.py":7:3)\n#loc1 = #cuda_tile.di_loc<#loc in #di_subprogram>\n'
    left = canonicalize(located, "sm_90")
    difference = first_difference(left, canonicalize(kernel(STORE.replace("addi", "muli")), "sm_90"))
    assert difference is not None
    assert difference.left[0].line == 7 and "addi" in difference.left[0].text and "muli" in difference.right[0].text
    shown = difference.render().split("\n")
    assert shown[0].startswith("Python") and "7:   " in shown[1] and "|" in shown[1]
    assert first_difference(left, left) is None


@pytest.mark.parametrize("broken", ["entry @k(", kernel("%a = addi %nowhere : tile<i32>"), kernel("return")[:-1]])
def test_unknown_text_is_an_error(broken: str) -> None:
    with pytest.raises(TileIrError):
        canonicalize(broken, "sm_90")
