"""The interface for constructs without a rule: every hole stays open."""

from __future__ import annotations

from importlib.resources import files

from cutile2rs.diagnostics import Span
from cutile2rs.holes import Hole, Unfilled, fill


def test_every_hole_stays_open() -> None:
    hole = Hole("m.kernel", "cuda.tile.atomic_add", Span("m.py", 7, 5, 7, 30))
    answer = fill(hole)
    assert isinstance(answer, Unfilled)
    assert answer.reason == "no rule for `cuda.tile.atomic_add`, and nothing but rules makes Rust yet"


def test_fallback_folder_ships_and_is_empty() -> None:
    names = {entry.name for entry in files("cutile2rs.fallback").iterdir()}
    assert names - {"__pycache__"} == {"__init__.py"}
