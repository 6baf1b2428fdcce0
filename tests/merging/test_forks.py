"""Constant branches that cannot stay branches split the paths, and only those do."""

from __future__ import annotations

from typing import Any

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import show
from cutile2rs.lowering.driver import Lowered, lower
from cutile2rs.passes import run_passes

from tests.kernels import kernel_from
from tests.merging.resolving import holds, lines, own_entry, resolve

KERNEL = """@ct.kernel
def k(x, y, n: int, FLAG: ct.Constant[bool], TILE: ct.Constant[int]):
    i = ct.arange(16, dtype=ct.int32)
    a = ct.gather(x, i).astype(ct.float32)
    b = a
    BODY
"""


def _lowered(body: str) -> Lowered:
    text = KERNEL.replace("BODY", body.strip().replace("\n", "\n    "))
    return lower(kernel_from(text), run_passes, frozenset())


def _branches(lowered: Lowered) -> set[str]:
    ops = (op for e in lowered.entries for op in e.body.walk() if op.opcode == "static_if")
    return {show(op.attrs["condition"]) for op in ops}


def _forked(lowered: Lowered) -> bool:
    """Whether entries differ in the flag; that an array is one only where it is read splits nothing."""
    return any("FLAG" in show(p) and "form(" not in show(p) for e in lowered.entries for p in e.predicate)


STAY = {
    "an assigned tile": "if FLAG:\n    b = ct.maximum(a, 1.0)\nct.scatter(y, i, b.astype(y.dtype))",
    "a store on one side": "if FLAG:\n    ct.scatter(y, i, a.astype(y.dtype))\nct.scatter(x, i, (-b).astype(x.dtype))",
    "a value used under the same flag": (
        "if FLAG:\n    c = ct.maximum(a, 2.0)\nb = ct.exp(a)\nif FLAG:\n    b = ct.minimum(b, c)\n"
        "ct.scatter(y, i, b.astype(y.dtype))"
    ),
    "a loop on one side": (
        "if FLAG:\n    for j in range(n):\n        b = ct.maximum(b, ct.gather(x, i + j).astype(ct.float32))\n"
        "ct.scatter(y, i, b.astype(y.dtype))"
    ),
    "a number chosen": "b = ct.maximum(a, n if FLAG else 2 * n)\nct.scatter(y, i, b.astype(y.dtype))",
    "a product stored": "if FLAG:\n    b = a * a\nct.scatter(y, i, b.astype(y.dtype))",
    "a constant on one side": "c = 1.0\nif FLAG:\n    c = ct.sum(a, 0)\nct.scatter(y, i, (a * c).astype(y.dtype))",
    "two shapes": "if FLAG:\n    b = ct.sum(a, 0, keepdims=True)\nct.scatter(y, i, ct.exp(b).astype(y.dtype))",
    "a constant that two statements read": (
        "c = 2.0\nif FLAG:\n    c = ct.max(a, 0)\nb = ct.minimum(a, c)\nd = b + c\nct.scatter(y, i, d.astype(y.dtype))"
    ),
    "a product that a sum would fuse": "if FLAG:\n    b = a * a\nct.scatter(y, i, (b + ct.exp(a)).astype(y.dtype))",
    "a product that a difference would fuse": (
        "if FLAG:\n    b = ct.exp(a) * a\nct.scatter(y, i, (ct.exp(a) - b).astype(y.dtype))"
    ),
    "a product on the other side": (
        "if FLAG:\n    b = ct.exp(a)\nelse:\n    b = a * a\nct.scatter(y, i, (b + a).astype(y.dtype))"
    ),
    "products on both sides, one of them used twice": (
        "if FLAG:\n    b = a * a\n    ct.scatter(x, i, b.astype(x.dtype))\nelse:\n    b = a * ct.exp(a)\n"
        "ct.scatter(y, i, (ct.exp(b) + a * b).astype(y.dtype))"
    ),
    "a chosen product beside another": (
        "if FLAG:\n    b = a * a\nct.scatter(y, i, (b + a * ct.exp(a)).astype(y.dtype))"
    ),
    "a product whose second use is on one side": (
        "p = a * a\nif FLAG:\n    ct.scatter(x, i, p.astype(x.dtype))\nct.scatter(y, i, (p + ct.exp(a)).astype(y.dtype))"
    ),
    "a sum in a loop": (
        "if FLAG:\n    b = a * a\nc = a\nfor j in range(n):\n"
        "    c = ct.maximum(c, b + ct.gather(x, i + j).astype(ct.float32))\nct.scatter(y, i, c.astype(y.dtype))"
    ),
}
FORK = {
    "a loop's length": (
        "c = 4\nif FLAG:\n    c = n\nfor j in range(c):\n    b = ct.exp(b)\nct.scatter(y, i, b.astype(y.dtype))"
    ),
    "a return": "if FLAG:\n    return\nct.scatter(y, i, b.astype(y.dtype))",
    "a condition that splits the loop": (
        "for j in range(n):\n    if FLAG:\n        if j >= 4:\n            b = ct.maximum(b, 1.0)\n    b = ct.exp(b)\n"
        "ct.scatter(y, i, b.astype(y.dtype))"
    ),
    "a store on one side of a loop": (
        "for j in range(n):\n    if FLAG:\n        ct.scatter(y, i + j, a.astype(y.dtype))\n"
        "ct.scatter(y, i, ct.gather(y, i))\nct.scatter(x, i, b.astype(x.dtype))"
    ),
    "a load on one side and an atomic": (
        "if FLAG:\n    b = ct.maximum(b, ct.gather(x, i + n).astype(ct.float32))\nct.atomic_add(y, i, b)"
    ),
    "a break": (
        "for j in range(n):\n    b = ct.exp(b)\n    if FLAG:\n        break\nct.scatter(y, i, b.astype(y.dtype))"
    ),
}


@pytest.mark.parametrize("what", STAY)
def test_it_stays(what: str) -> None:
    lowered = _lowered(STAY[what])
    assert _branches(lowered) == {"FLAG"}
    assert not _forked(lowered)


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("dtype", [dt.FLOAT16, dt.FLOAT32])
@pytest.mark.parametrize("what", STAY)
def test_each_side_has_its_own_code(what: str, dtype: dt.DType, flag: bool) -> None:
    lowered = _lowered(STAY[what])
    bindings: dict[str, Any] = {
        "FLAG": flag,
        "TILE": 16,
        "dtype(x)": dtype,
        "dtype(y)": dt.FLOAT16,
        "dtype(n)": dt.INT32,
    }
    bindings["form(y)"] = "array 1" if flag else "array 3"  # where nothing stores to it, it may be any array
    [serving] = [e for e in lowered.entries if holds(e.predicate, bindings)]
    resolve(serving, bindings)
    own = own_entry(lowered.kernel, bindings)
    resolve(own, bindings)
    assert lines(serving, bindings) == lines(own, bindings)


@pytest.mark.parametrize("dtype", [dt.FLOAT16, dt.BFLOAT16, dt.FLOAT32])
@pytest.mark.parametrize("sign", ["+", "-"])
def test_a_product_that_is_cast_is_fused_where_the_cast_is_nothing(dtype: dt.DType, sign: str) -> None:
    body = f"p = ct.gather(x, i) * ct.gather(x, i + n)\nb = a {sign} p.astype(ct.float32)\nct.scatter(y, i, b.astype(y.dtype))"
    lowered = _lowered(body)
    bindings = {"FLAG": True, "TILE": 16, "dtype(x)": dtype, "dtype(y)": dt.FLOAT16, "dtype(n)": dt.INT32}
    [serving] = [
        e for e in lowered.entries if holds(e.predicate, {**bindings, "overlaps(x)": False, "overlaps(y)": False})
    ]
    assert _branches(lowered) == {"dtype(x) == float32"}
    resolve(serving, bindings)
    own = own_entry(lowered.kernel, bindings)
    resolve(own, bindings)
    assert lines(serving, bindings) == lines(own, bindings)
    assert any(op.opcode == "fma" for op in serving.body.walk()) == (dtype == dt.FLOAT32)


@pytest.mark.parametrize("what", FORK)
def test_it_splits(what: str) -> None:
    lowered = _lowered(FORK[what])
    assert _branches(lowered) == set()
    assert _forked(lowered)


def test_what_one_side_asks_does_not_bind_the_other() -> None:
    """Only launches that take the side must fulfil what cuTile asks there."""
    body = "if FLAG:\n    b = ct.maximum(a, ct.sum(ct.full((TILE,), 1.0, dtype=ct.float32), 0))\n"
    lowered = _lowered(body + "ct.scatter(y, i, b.astype(y.dtype))")
    assert all("not FLAG | is_pow2(TILE)" in " ".join(map(show, e.predicate)).replace("(not FLAG)", "not FLAG")
               for e in lowered.entries)  # fmt: skip


def test_a_rejected_side_leaves_the_other() -> None:
    lowered = _lowered("if FLAG:\n    b = ct.reshape(a, (32,))\nct.scatter(y, i, b.astype(y.dtype))")
    assert lowered.entries
    assert all("not FLAG" in map(show, e.predicate) for e in lowered.entries)
