"""An entry with constant branches is, for each launch, the entry that the launch would have without them."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.frontend import KernelDef, load_project
from cutile2rs.ir import dtypes as dt
from cutile2rs.lowering.driver import Lowered, lower
from cutile2rs.passes import run_passes
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.merging.resolving import holds, lines, own_entry, resolve

FILE = Path(__file__).parents[1] / "styles" / "kernels" / "flags.py"
FLAGS = ("HAS_BIAS", "HAS_GATE", "HAS_RESIDUAL", "HAS_CAP", "WRITE_STATS", "NEGATE")
RANKS = {"x": 2, "bias": 1, "gate": 2, "residual": 2, "stats": 1, "out": 2}
FLOATS = st.sampled_from([dt.FLOAT16, dt.BFLOAT16, dt.FLOAT32])
CONSTANTS = st.fixed_dictionaries(
    {**dict.fromkeys(FLAGS, st.booleans()), "KIND": st.integers(0, 4), "GROUP": st.sampled_from([1, 4])}
)


@pytest.fixture(scope="module")
def kernel() -> KernelDef:
    project, _ = load_project([FILE])
    [module] = project.modules.values()
    return module.kernels["row_epilogue"]


@pytest.fixture(scope="module")
def merged(kernel: KernelDef) -> Lowered:
    return lower(kernel, run_passes)


def test_there_are_few_entries(merged: Lowered) -> None:
    """One for each way in which the other optional arrays and numbers may be passed; 320 combinations of constants."""
    assert len(merged.entries) <= 8
    assert all(any(op.opcode == "static_if" for op in e.body.walk()) for e in merged.entries)


@settings(max_examples=120, deadline=None)
@given(constants=CONSTANTS, dtypes=st.lists(FLOATS, min_size=6, max_size=6))
def test_each_launch_has_its_own_code(
    kernel: KernelDef, merged: Lowered, constants: dict[str, Any], dtypes: list[dt.DType]
) -> None:
    bindings = {**constants, "TILE": 128}
    for (name, rank), dtype in zip(RANKS.items(), dtypes, strict=True):
        bindings |= {
            f"dtype({name})": dtype,
            f"form({name})": f"array {rank}",
            f"scalar({name})": False,
            f"overlaps({name})": False,
        }
    for name in ("cap", "scale"):
        bindings |= {f"dtype({name})": dt.FLOAT32, f"form({name})": "float32", f"scalar({name})": True}
    [serving] = [e for e in merged.entries if holds(e.predicate, bindings)]
    resolved = copy.deepcopy(serving)
    resolve(resolved, bindings)
    own = own_entry(kernel, bindings)
    resolve(own, bindings)  # its casts between dtypes that are one: it does not know yet that they are
    assert lines(resolved, bindings) == lines(own, bindings)
