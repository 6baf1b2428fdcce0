"""The rendered support crate is a good Rust crate by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cutile2rs.backend.support import support_files

from tests.workplace import ROOT, cargo_environment, run


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    """The crate in a folder of its own, with the versions that tilecheck has locked."""
    for path, text in support_files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "tilecheck" / "Cargo.lock", tmp_path / "support" / "Cargo.lock")
    return tmp_path / "support"


def test_rustfmt_clean(crate: Path) -> None:
    done = run(["cargo", "fmt", "--check"], cwd=crate)
    assert (done.status, done.out, done.err) == (0, "", "")


@pytest.mark.toolchain
def test_clippy_clean(crate: Path) -> None:
    done = run(["cargo", "clippy", "--quiet", "--", "-D", "warnings"], cwd=crate, env=cargo_environment())
    assert (done.status, done.err) == (0, "")
