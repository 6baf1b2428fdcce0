"""The example crates and the benchmark's build against a crate that was just converted; they need no GPU for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.conftest import alone
from tests.workplace import ROOT, cargo_environment, convert, run, tilegym_folder

pytestmark = pytest.mark.toolchain


@pytest.mark.parametrize("name", ["cudarc", "candle"])
def test_example_builds(name: str) -> None:
    """Candle without its feature `cuda`, which needs nvcc and minutes: then the CPU's half is all that is seen."""
    crate = ROOT / "examples" / name
    with alone():
        kernels = convert([ROOT / "examples" / "kernels" / "rowwise.py"], ROOT / "build" / "examples" / "kernels")
        _lint(crate, kernels)


def test_the_benchmark_builds() -> None:
    with alone():
        kernels = convert([tilegym_folder() / "ops" / "cutile" / "softmax.py"], ROOT / "build" / "softmax")
        _lint(ROOT / "benchmarks" / "submit", kernels)


def _lint(crate: Path, kernels: Path) -> None:
    (kernels / "src" / "lib.rs").touch()  # in one target folder, cargo takes crates of kernels for each other
    assert run(["cargo", "fmt", "--check"], cwd=crate).out == ""
    command = ["cargo", "clippy", "--quiet", "--locked", "--", "-D", "warnings"]
    done = run(command, cwd=crate, env=cargo_environment())
    assert (done.status, done.err) == (0, "")
