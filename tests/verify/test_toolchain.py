"""Running the assembler: results, errors, and an end for all of it when time is out."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cutile2rs.verify import toolchain
from cutile2rs.verify.toolchain import ToolError, run_tool


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell in the place of the tools."""
    monkeypatch.setattr(toolchain, "tool", lambda name: "/bin/sh")


@pytest.mark.usefixtures("shell")
def test_output_and_errors() -> None:
    assert run_tool("x", ["{in}"], b"echo one") == b"one\n"
    with pytest.raises(ToolError, match=r"^x: broken$"):
        run_tool("x", ["{in}"], b"echo broken >&2; exit 3")
    with pytest.raises(ToolError, match=r"^x: exit status 3$"):
        run_tool("x", ["{in}"], b"exit 3")


@pytest.mark.usefixtures("shell")
def test_children_end_when_time_is_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that nobody stops would write the file a second later."""
    monkeypatch.setattr(toolchain, "TIMEOUT_SECONDS", 0.5)
    late = tmp_path / "late"
    with pytest.raises(ToolError, match=r"^x: no result after 0 s$"):
        run_tool("x", ["{in}"], f"(sleep 1; touch {late}) >/dev/null 2>&1 & sleep 60".encode())
    time.sleep(1.5)
    assert not late.exists()


@pytest.mark.usefixtures("shell")
def test_stopping_what_runs(tmp_path: Path) -> None:
    """Another thread's tool ends at once, with its child, and is an error there."""
    started, late = tmp_path / "started", tmp_path / "late"
    script = f"(sleep 1; touch {late}) >/dev/null 2>&1 & touch {started}; sleep 60"
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(run_tool, "x", ["{in}"], script.encode())
        while not started.exists():
            time.sleep(0.01)
        toolchain.stop()
        with pytest.raises(ToolError, match=r"^x: exit status -9$"):
            work.result(timeout=10)
    time.sleep(1.5)
    assert not late.exists()
