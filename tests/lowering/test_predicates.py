"""Entries are exclusive and, with what is refused and what cuTile rejects, exhaustive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cutile2rs.frontend import load_project
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import EvalError, Expr, evaluate
from cutile2rs.lowering.driver import Lowered, lower
from cutile2rs.passes import run_passes
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import lowered_from

ROOT = Path(__file__).parents[2]
BRANCHES = """
@ct.kernel
def k(x, y, TILE: ct.Constant[int], N: ct.Constant[int], BIAS: ct.Constant[bool], MODE: ct.Constant[int]):
    i = ct.arange(TILE, dtype=ct.int32)
    a = ct.gather(x, i, check_bounds=TILE != N)
    if BIAS:
        a = a + 1
    if MODE == 1:
        a = a * a
    elif MODE == 2:
        a = -a
    if x.dtype == ct.float32:
        a = a + ct.gather(y, i)
    ct.scatter(y, i, a)
"""
BINDINGS = st.fixed_dictionaries(
    {
        "TILE": st.sampled_from([1, 2, 16, 128, 3]),
        "N": st.sampled_from([1, 16, 100, 128]),
        "BIAS": st.booleans(),
        "MODE": st.integers(0, 3),
        "dtype(x)": st.sampled_from(dt.ALL),
        "dtype(y)": st.sampled_from(dt.ALL),
    }
)


def _holds(predicate: tuple[Expr, ...], bindings: dict[str, Any]) -> bool:
    try:
        return all(bool(evaluate(p, bindings)) for p in predicate)
    except EvalError:
        return False


@pytest.fixture(scope="module")
def branches() -> Lowered:
    return lowered_from(BRANCHES)


@settings(max_examples=400, deadline=None)
@given(bindings=BINDINGS)
def test_at_most_one_entry_serves_a_launch(branches: Lowered, bindings: dict[str, Any]) -> None:
    serving = [e for e in branches.entries if _holds(e.predicate, bindings)]
    assert len(serving) <= 1
    if dt.is_unrestricted_float(bindings["dtype(x)"]) and bindings["dtype(x)"] == bindings["dtype(y)"]:
        assert len(serving) == (bindings["TILE"] != 3)


def _corpus() -> list[tuple[str, Lowered]]:
    project, _ = load_project([ROOT / "golden"])
    kernels = [k for m in sorted(project.modules.values(), key=lambda m: m.name) for k in m.kernels.values()]
    return [(f"{k.module.name}.{k.name}", lower(k, run_passes)) for k in kernels]


def test_the_decisions_of_every_golden_kernel_form_a_whole_tree() -> None:
    """Every answer that a path gave has its other side too: as a path, or as a refusal with a reason."""
    for name, lowered in _corpus():
        paths = {p.state.facts for p in lowered.paths}
        refused = {a.facts for a in lowered.refused}
        for path in paths:
            for i in range(len(path)):
                condition, answer = path[i]
                other = (*path[:i], (condition, not answer))
                explored = any(p[: len(other)] == other for p in paths)
                assert explored or other in refused, (name, path, i)


def test_no_two_paths_give_the_same_answers() -> None:
    for name, lowered in _corpus():
        answers = [p.state.facts for p in lowered.paths]
        for a in answers:
            assert sum(b[: len(a)] == a for b in answers) == 1, name
