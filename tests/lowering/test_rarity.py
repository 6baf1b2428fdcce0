"""Of a kernel with very many ways through it, the usual launches get the entries."""

from __future__ import annotations

from typing import Any

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Lit, Param, fn
from cutile2rs.lowering import driver
from cutile2rs.lowering.rarity import is_departure, rarity
from cutile2rs.passes import run_passes

from tests.kernels import kernel_from
from tests.merging.resolving import holds

A, B, C = (Param(f"dtype({n})", "dtype") for n in "abc")
FLOATS = (dt.FLOAT32, dt.FLOAT16, dt.BFLOAT16)


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ((fn("eq", A, B), fn("eq", B, C)), 0),
        ((fn("ne", A, B),), 1),
        ((fn("eq", fn("promote", A, B), Lit(dt.FLOAT32)), fn("ne", A, B)), 1),
        ((fn("ne", A, B), fn("ne", B, C), fn("ne", A, C)), 2),
    ],
)
def test_arrays_that_depart_are_counted(relations: tuple[Expr, ...], expected: int) -> None:
    assert rarity((A, B, C), (FLOATS,) * 3, relations) == expected


def test_a_dtype_that_is_fixed_counts_where_the_others_cannot_be_the_same() -> None:
    assert rarity((A, B), ((dt.FLOAT32,), FLOATS), ()) == 0
    assert rarity((A, B), ((dt.FLOAT32,), (dt.FLOAT16,)), ()) == 1


def test_only_the_kind_of_a_dtype_is_a_matter_of_course() -> None:
    assert is_departure(fn("is_float", A)) and is_departure(fn("not", fn("is_bool", A)))
    assert not is_departure(fn("eq", A, Lit(dt.FLOAT32))) and not is_departure(Param("FLAG", "bool"))


KERNEL = """@ct.kernel
def k(a, b, c, out, MODE: ct.Constant[int]):
    i = ct.arange(16, dtype=ct.int32)
    x, y, z = ct.gather(a, i), ct.gather(b, i), ct.gather(c, i)
    if MODE == 0:
        return
    ct.scatter(out, i, ct.maximum(ct.maximum(x, y), z).astype(out.dtype))
"""


def test_usual_launches_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no room for unusual ones, all floats of one dtype are served, integers among them are not."""
    monkeypatch.setattr(driver, "MAX_RARE", 1)
    lowered = driver.lower(kernel_from(KERNEL), run_passes, frozenset())
    assert lowered.refused

    def served(**dtypes: dt.DType) -> bool:
        bindings: dict[str, Any] = {"MODE": 1}
        for name in ("a", "b", "c", "out"):
            bindings |= {f"form({name})": "array 1", f"overlaps({name})": False}
            bindings[f"dtype({name})"] = dtypes.get(name, dt.FLOAT16)
        return any(holds(e.predicate, bindings) for e in lowered.entries)

    assert served() and served(out=dt.FLOAT32)
    assert not served(a=dt.INT32, b=dt.INT32, c=dt.INT32)


REJECTING = """@ct.kernel
def k(x, counts, out, WHOLE: ct.Constant[bool], FIRST: ct.Constant[bool]):
    if FIRST:
        return
    total = ct.zeros((16,), dtype=ct.float32)
    last = 4 if WHOLE else (ct.gather(counts, 0) + 3) // 4
    for i in range(last):
        total += ct.load(x, (i,), (16,)).astype(ct.float32)
    ct.store(out, (0,), total.astype(out.dtype))
"""


def test_a_dtype_that_cutile_rejects_is_not_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read of `counts` looks like a number of any kind until it bounds a loop: then floats are no usual launches."""
    monkeypatch.setattr(driver, "MAX_RARE", 1)
    lowered = driver.lower(kernel_from(REJECTING), run_passes, frozenset())
    bindings: dict[str, Any] = {"WHOLE": False, "FIRST": False}
    for name, dtype in (("x", dt.FLOAT16), ("counts", dt.INT32), ("out", dt.FLOAT16)):
        bindings |= {f"form({name})": "array 1", f"overlaps({name})": False, f"dtype({name})": dtype}
    assert any(holds(e.predicate, bindings) for e in lowered.entries)
