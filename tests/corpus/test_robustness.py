"""Launches of TileGym's kernels that nobody recorded: Rust that is made for one is the same machine code, never other.

A fixed sample, one launch of every third kernel of the folder (of all of them it takes minutes, most of it in the
assembler); with CUTILE2RS_FULL=1 several of every kernel. benchmarks/robustness.py takes any number of any kernel.
"""

from __future__ import annotations

import os

import pytest

from tests.corpus.sampling import (
    Figures,
    PythonSide,
    converted,
    corpus_launches,
    legal_of,
    reproduction,
    varied_launches,
    verdicts,
)

FULL = bool(os.environ.get("CUTILE2RS_FULL"))
SEED = 4
ARCH = "sm_90"
FLOOR = 0.8
"""So many of the legal launches of converted kernels are served at least; see benchmarks/results/ for the rate."""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """What became of the sample."""
    folder = tmp_path_factory.mktemp("robustness")
    launches = corpus_launches()
    names = sorted(launches)[:: 1 if FULL else 3]
    done = converted({module for module, _ in names}, folder / "crate")
    found = Figures()
    rows = []
    python = PythonSide(folder)
    for name in names:
        if name in done:
            count = 4 if FULL else 1
            legal, tried = legal_of(varied_launches(launches[name], count, SEED), python, ARCH, count)
            found.tried += tried
            rows += legal
    python.close()
    found.legal = len(rows)
    for row, result in zip(rows, verdicts(folder / "crate", rows, ARCH), strict=True):
        found.take(row, result)
    return found


@pytest.mark.toolchain
def test_no_other_machine_code(figures: Figures) -> None:
    wrong = [problem for problem in figures.problems if problem["verdict"] != "ir-equal"]
    assert not wrong, "\n\n".join(reproduction(problem) for problem in wrong)


@pytest.mark.toolchain
def test_few_are_refused(figures: Figures) -> None:
    assert figures.legal > figures.tried / 3  # the rest of what was drawn cuTile itself rejects
    assert figures.refused <= (1 - FLOOR) * figures.legal, figures.reasons.most_common()
