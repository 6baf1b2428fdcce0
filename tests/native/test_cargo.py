"""The runtime crate's own tests, as they travel with an output."""

from __future__ import annotations

import sys

import pytest

from tests.native.conftest import Library
from tests.workplace import cargo_environment, run

pytestmark = pytest.mark.toolchain


def test_the_runtimes_own_tests_pass(library: Library) -> None:
    command = ["cargo", "test", "--release", "--locked", "--quiet", "-p", "cutile2rs-runtime"]
    done = run(command, cwd=library.out, env={**cargo_environment(), "PYO3_PYTHON": sys.executable})
    assert done.status == 0, done.out + done.err
    assert "test result: ok. 2" in done.out  # twenty and more
