"""What parameters are taken for: kinds and ranks that only the flow of values shows, and ranks that differ by path."""

from __future__ import annotations

import pytest
from cutile2rs.ir.expr import show
from cutile2rs.lowering.context import Refusal

from tests.kernels import lowered_from


def _kinds(text: str) -> dict[str, tuple[str, int]]:
    return {p.name: (p.kind, p.rank) for p in lowered_from(text).params if p.kind != "constant"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("ct.store(x, (0, 0), ct.zeros((1, 4), dtype=x.dtype))", ("array", 2)),
        ("y = x\n    ct.store(y, (0, 0), ct.zeros((1, 4), dtype=ct.float32))", ("array", 2)),
        ("i = (0, 0)\n    ct.store(x, i + (0,), ct.zeros((1, 1, 4), dtype=ct.float32))", ("array", 3)),
        ("y = x if T == 3 else x\n    ct.store(y, (0,), ct.zeros((4,), dtype=ct.float32))", ("array", 1)),
        ("put(x, (0, 0))", ("array", 2)),
        ("put(where=(0, 0), a=x)", ("array", 2)),
        ("n = x.shape[-1]\n    ct.store(x, (0, n), ct.zeros((1, 4), dtype=ct.float32))", ("array", 2)),
        ("_, n = x.shape\n    ct.store(x, (0, n), ct.zeros((1, 4), dtype=ct.float32))", ("array", 2)),
        ("ct.store(x.slice(0, 1, 5), (0, 0), ct.zeros((1, 4), dtype=ct.float32))", ("array", 2)),
        ("x.tiled_view((1, 4)).store((0, 0), ct.zeros((1, 4), dtype=ct.float32))", ("array", 2)),
        ("ct.store(x[0], (0, 0), ct.zeros((1, 4), dtype=ct.float32))", ("list", 2)),
        ("for k in range(len(x)):\n        put(x[k], (0, 0))", ("list", 2)),
    ],
)
def test_kind_and_rank(body: str, kind: tuple[str, int]) -> None:
    helper = "def put(a, where):\n    ct.store(a, where, ct.zeros((1,) + (4,), dtype=ct.float32))\n\n"
    assert _kinds(f"{helper}@ct.kernel\ndef k(x, T: ct.Constant[int]):\n    {body}\n")["x"] == kind


TWO_RANKS = """
@ct.kernel
def k(x, y, MODE: ct.Constant[int]):
    if MODE == 1:
        ct.store(y, (0,), ct.load(x, (0,), (4,)))
    elif MODE == 2:
        ct.store(y, (0,), ct.load(x, (0, 0), (1, 4)).reshape((4,)))
    else:
        ct.store(y, (0,), ct.zeros((4,), dtype=y.dtype))
"""


def test_an_array_of_two_ranks_splits_the_kernel() -> None:
    lowered = lowered_from(TWO_RANKS)
    ranks = {(show(e.predicate[0]), e.params[0].rank) for e in lowered.entries}
    assert ("MODE == 1", 1) in ranks
    assert {rank for _, rank in ranks} == {1, 2}
    assert lowered.params[0].rank == 0  # no fact of the kernel
    assert lowered.params[1].rank == 1
    for e in lowered.entries:
        read = f"form(x) == 'array {e.params[0].rank}'" in map(show, e.predicate)
        assert read != e.params[0].open
        assert not any("form(y)" in show(p) for p in e.predicate)
    # What does not read `x` may be given any other array for it.
    [idle] = [e for e in lowered.entries if e.params[0].open]
    assert [show(p) for p in idle.predicate] == ["MODE != 1", "MODE != 2"]


def test_two_ranks_on_one_path_are_refused() -> None:
    text = "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0,), (4,))\n    b = ct.load(x, (0, 0), (4, 4))\n"
    with pytest.raises(Refusal, match="array `x` is used with 1 and 2 indices"):
        lowered_from(text)


def test_a_shape_index_out_of_range_is_rejected() -> None:
    text = "@ct.kernel\ndef k(x):\n    n = x.shape[2]\n    ct.store(x, (n, 0), ct.zeros((1, 4), dtype=ct.float32))\n"
    with pytest.raises(Refusal, match="shape index out of range"):
        lowered_from(text)
