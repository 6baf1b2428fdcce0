"""The example crates build against a crate that was just converted; they need no GPU for that."""

from __future__ import annotations

import pytest

from tests.native.conftest import alone
from tests.workplace import ROOT, cargo_environment, convert, run

pytestmark = pytest.mark.toolchain


@pytest.mark.parametrize("name", ["cudarc", "candle"])
def test_example_builds(name: str) -> None:
    """Candle without its feature `cuda`, which needs nvcc and minutes: then the CPU's half is all that is seen."""
    crate = ROOT / "examples" / name
    with alone():
        convert([ROOT / "examples" / "kernels" / "rowwise.py"], ROOT / "build" / "examples" / "kernels")
        assert run(["cargo", "fmt", "--check"], cwd=crate).out == ""
        command = ["cargo", "clippy", "--quiet", "--locked", "--", "-D", "warnings"]
        done = run(command, cwd=crate, env=cargo_environment())
    assert (done.status, done.err) == (0, "")
