"""Launches derived by hand are ones that cuTile takes; varied launches are well-formed, new, and the same each time."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import cuda.tile as ct
import pytest
from cuda.tile.compilation._name_mangling import demangle_kernel_name
from cutile2rs.verify.export import ExportError
from cutile2rs.verify.launches import parse_launch
from hypothesis import given, settings
from hypothesis import strategies as st
from make_launches import array

from tests.corpus.sampling import PythonSide, corpus_launches
from tests.corpus.signatures import other_integer, variants, with_dtype
from tests.corpus.unrecorded import unrecorded
from tests.workplace import launches_file, read_rows

LAUNCHES = corpus_launches()
NAMES = st.sampled_from(sorted(LAUNCHES))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonSide]:
    side = PythonSide(tmp_path_factory.mktemp("slices"))
    yield side
    side.close()


@pytest.mark.toolchain
def test_unrecorded_launches_export(python: PythonSide) -> None:
    """On sm_90, or on sm_100 what only that has (4-bit floats)."""
    refused = [row for row in unrecorded() if not is_legal(python, row, "sm_90")]
    assert [row["symbol"] for row in refused if not is_legal(python, row, "sm_100")] == []
    assert len({row["kernel"] for row in refused}) <= 1


def test_unrecorded_launches_differ_in_dtypes_and_constants() -> None:
    """At least two launches a kernel, not all of the same dtypes or of the same constants; none of a recorded kernel."""
    recorded = {(row["module"], row["kernel"]) for row in read_rows(launches_file())}
    seen: dict[tuple[str, str], set[tuple[tuple[str, ...], tuple[object, ...]]]] = {}
    for row in unrecorded():
        parameters = demangle_kernel_name(row["symbol"])[1].parameters
        dtypes = tuple(p.dtype.name for p in parameters if hasattr(p, "dtype"))
        constants = tuple(p.value for p in parameters if hasattr(p, "value"))
        seen.setdefault((row["module"], row["kernel"]), set()).add((dtypes, constants))
    for kernel, launches in seen.items():
        assert len({dtypes for dtypes, _ in launches}) > 1, kernel
        assert len({constants for _, constants in launches}) > 1, kernel
    if launches_file().name == "tilegym_ops.jsonl":
        assert not recorded & seen.keys()


@given(NAMES, st.integers(0, 1000))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_variants_are_new_and_well_formed(name: tuple[str, str], seed: int) -> None:
    rows = LAUNCHES[name]
    made = list(itertools.islice(variants(rows, seed), 8))
    keys = {(row["symbol"], str(row["hints"])) for row in made}
    assert len(keys) == len(made) > 0
    assert not keys & {(row["symbol"], str(row["hints"])) for row in rows}
    for line, row in enumerate(made):
        assert row["varied"]
        function, signature = demangle_kernel_name(row["symbol"])
        assert function == name[1]
        assert len(signature.parameters) == len(demangle_kernel_name(rows[0]["symbol"])[1].parameters)
        parse_launch(json.dumps(row), line)


@given(NAMES, st.integers(0, 1000))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_a_seed_gives_the_same_variants(name: tuple[str, str], seed: int) -> None:
    first, second = (list(itertools.islice(variants(LAUNCHES[name], seed), 5)) for _ in range(2))
    assert first == second
    assert first != list(itertools.islice(variants(LAUNCHES[name], seed + 1), 5))


@given(st.integers(-5, 1 << 20), st.randoms(use_true_random=False))
def test_another_integer_is_another(value: int, random: Random) -> None:
    assert other_integer(value, random) != value


def test_aligned_strides_stay_aligned() -> None:
    half = array("float16", [64, 1000])
    assert half.stride_divisible_by == (8, 1)
    assert with_dtype(half, ct.float32).stride_divisible_by == (4, 1)
    assert with_dtype(half, ct.float8_e5m2).stride_divisible_by == (16, 1)
    odd = array("float16", [64, 1001])
    assert with_dtype(odd, ct.float32).stride_divisible_by == (1, 1)


@pytest.mark.toolchain
def test_many_variants_are_legal(python: PythonSide) -> None:
    """Of a varied launch, more often than not cuTile takes it; else the sampling would try in vain."""
    rows = [next(variants(launches, 0)) for launches in list(LAUNCHES.values())[::4]]
    assert sum(is_legal(python, row, "sm_90") for row in rows) > len(rows) / 2


def is_legal(python: PythonSide, row: dict[str, Any], arch: str) -> bool:
    """Whether cuTile exports a launch."""
    try:
        python.export(row, arch)
    except ExportError:
        return False
    return True
