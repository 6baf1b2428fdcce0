"""The runtime crate's own tests, as they travel with an output."""

from __future__ import annotations

import re
import sys

import pytest

from tests.native.conftest import Library
from tests.workplace import cargo_environment, run

pytestmark = pytest.mark.toolchain


def test_the_runtimes_own_tests_pass(library: Library) -> None:
    command = ["cargo", "test", "--release", "--locked", "--quiet", "-p", "cutile2rs-runtime"]
    done = run(command, cwd=library.out, env={**cargo_environment(), "PYO3_PYTHON": sys.executable})
    assert done.status == 0, done.out + done.err
    passed = [int(count) for count in re.findall(r"test result: ok\. (\d+) passed", done.out)]
    assert max(passed) >= 30, done.out
