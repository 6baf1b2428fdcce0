"""Launches of corpus kernels of which none is recorded, derived by hand from the host code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from make_launches import launch

UNRECORDED = Path(__file__).with_name("unrecorded.toml")


def unrecorded() -> list[dict[str, Any]]:
    """The launches of `unrecorded.toml` as lines of a launches file."""
    return [launch(row)[0] for row in tomllib.loads(UNRECORDED.read_text(encoding="utf-8"))["launch"]]
