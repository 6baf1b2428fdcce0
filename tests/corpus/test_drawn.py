"""Launches of kernels that none is recorded of, drawn from the kinds of their parameters: identical, or refused.

The golden kernels by default; with CUTILE2RS_FULL=1 TileGym's suites too, several launches a kernel, for many minutes.
benchmarks/robustness.py --drawn takes any kernels.
"""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest
from cuda.tile.compilation._name_mangling import demangle_kernel_name
from cutile2rs import pipeline
from cutile2rs.verify.launches import parse_launch
from tilegym_scope import tilegym_folder

from tests.corpus.drawing import drawn
from tests.corpus.sampling import (
    Figures,
    PythonSide,
    converted_kernels,
    drawn_launches,
    legal_of,
    reproduction,
    verdicts,
)
from tests.workplace import GOLDEN

FULL = bool(os.environ.get("CUTILE2RS_FULL"))
SEED = 7
COUNT = 6 if FULL else 2
ARCH = "sm_90"
FLOOR = 0.8
"""So many of the legal launches are served at least."""


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("drawn") / "crate"
    pipeline.convert([GOLDEN, *([tilegym_folder() / "suites"] if FULL else [])], out, True)
    return out


@pytest.fixture(scope="module")
def figures(crate: Path) -> Figures:
    """What became of the sample."""
    found = Figures()
    rows = []
    python = PythonSide(crate.parent, crate / "reference")
    for candidates in drawn_launches(crate, COUNT, SEED).values():
        legal, tried = legal_of(candidates, python, ARCH, COUNT)
        found.tried += tried
        rows += legal
    python.close()
    found.legal = len(rows)
    for row, result in zip(rows, verdicts(crate, rows, ARCH), strict=True):
        found.take(row, result)
    return found


def test_draws_are_well_formed_and_the_same_again(crate: Path) -> None:
    for module, kernel in converted_kernels(crate):
        first, again = (list(itertools.islice(drawn(module, kernel, SEED), 8)) for _ in range(2))
        assert first == again
        assert len({row["symbol"] for row in first}) > 1
        for line, row in enumerate(first):
            name, signature = demangle_kernel_name(row["symbol"])
            assert name == kernel["kernel"]
            assert len(signature.parameters) == len(kernel["params"]) == len(row["varied"])
            parse_launch(json.dumps(row), line)


@pytest.mark.toolchain
def test_no_other_machine_code(figures: Figures) -> None:
    wrong = [problem for problem in figures.problems if problem["verdict"] != "ir-equal"]
    assert not wrong, "\n\n".join(reproduction(problem) for problem in wrong)


@pytest.mark.toolchain
def test_few_are_refused(figures: Figures) -> None:
    assert figures.legal >= 12
    assert figures.refused <= (1 - FLOOR) * figures.legal, figures.reasons.most_common()
