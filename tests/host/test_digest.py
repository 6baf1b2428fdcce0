"""What machine code is kept by: everything of an output that decides it."""

from __future__ import annotations

import pytest
from cutile2rs.backend import host


@pytest.mark.parametrize("path", ["runtime/src/compiler/hoist.rs", "runtime/Cargo.toml"])
def test_the_compile_step_is_part_of_it(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    files = dict(host.runtime_files())
    before = host.digest("fn k() {}", {})
    monkeypatch.setattr(host, "runtime_files", lambda: {**files, path: files[path] + "\n"})
    assert host.digest("fn k() {}", {}) != before


def test_what_only_launches_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(host.runtime_files())
    before = host.digest("fn k() {}", {"support/src/lib.rs": ""})
    monkeypatch.setattr(host, "runtime_files", lambda: {**files, "runtime/src/store.rs": ""})
    assert host.digest("fn k() {}", {"support/src/lib.rs": ""}) == before
