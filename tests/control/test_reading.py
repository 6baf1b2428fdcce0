"""What loops and branches may not do, and what variables are after them."""

from __future__ import annotations

import pytest
from cutile2rs.lowering.context import Refusal

from tests.kernels import lowered_from, only_entry, opcodes

STORE = "    ct.store(x, (0,), ct.ones((16,), ct.float32))"
REFUSED: dict[str, str] = {
    "    for i in range(3):\n        pass\n    else:\n        pass": "for-else is not supported",
    "    while ct.bid(0) > 3:\n        pass\n    else:\n        pass": "while-else is not supported",
    "    for i in ct.static_iter(range(3)):\n        if ct.bid(0) > i:\n            break": "cannot be left early",
    "    for i in range(3):\n        a = i\n    ct.store(x, (a,), ct.ones((16,), x.dtype))": "`a` is not assigned",
    "    for i in range(3):\n        pass\n    ct.store(x, (i,), ct.ones((16,), x.dtype))": "`i` is not assigned",
    "    a = 0\n    for i in range(3):\n        a = 1.5": "the type of `a` depends on the path taken",
    "    a = None\n    for i in range(3):\n        a = i": "the type of `a` depends on the path taken",
    "    if ct.bid(0) > 3:\n        a = 1\n    else:\n        a = 1.5\n    b = a": "the type of `a` depends on the path taken",
    "    s = 0\n    while True:\n        s = s + 3": "never ends",
    "    for i in range(0, 9, 0):\n        pass": "the step of a range must be positive",
    "    for i in range(1.5):\n        pass": "the bounds of a range must be integers",
    "    t = tuple(i for i in range(3))": "runs over ct.static_iter",
    "    break": "not inside a loop",
}


@pytest.mark.parametrize("body", REFUSED, ids=lambda b: " ".join(b.split())[:40])
def test_refused(body: str) -> None:
    with pytest.raises(Refusal, match=REFUSED[body]):
        lowered_from(f"@ct.kernel\ndef k(x):\n{body}\n{STORE}\n")


def test_one_of_two_arrays_has_no_rule() -> None:
    text = "@ct.kernel\ndef k(x, y):\n    a = x if ct.bid(0) > 3 else y\n    ct.store(a, (0,), ct.ones((16,), ct.float32))\n"
    with pytest.raises(Refusal) as refusal:
        lowered_from(text)
    assert refusal.value.code == "C2R401"


def test_first_assigned_in_an_endless_loop() -> None:
    entry = only_entry(
        "@ct.kernel\ndef k(x):\n    while True:\n        s = ct.bid(0) * 2\n        if s > 9:\n            break\n"
        "    ct.store(x, (s,), ct.ones((16,), ct.float32))\n"
    )
    assert "dummy" in opcodes(entry.body)


def test_same_on_all_ways_is_a_constant() -> None:
    entry = only_entry(
        "@ct.kernel\ndef k(x):\n    s = 4\n    for i in range(ct.bid(0)):\n        s = 4\n    ct.store(x, (i_of(s),), ct.ones((s,), ct.float32))\n"  # noqa: E501
        "def i_of(s):\n    return s\n"
    )
    assert "for" not in opcodes(entry.body)


def test_a_constant_branch_ends_the_block() -> None:
    lowered = lowered_from(
        "@ct.kernel\ndef k(x):\n    for i in range(ct.bid(0)):\n        ct.store(x, (i,), ct.ones((16,), ct.float32))\n"
        "        if True:\n            continue\n        ct.store(x, (i + 1,), ct.ones((16,), ct.float32))\n"
    )
    # Whether stores of a loop wait for each other depends on whether the array overlaps itself.
    assert [opcodes(entry.body).count("store_view") for entry in lowered.entries] == [1, 1]
