"""Holes: constructs that no rule covers.

A kernel that needs one is not converted, and the hole is reported where it stands in the source (`C2R401`). This
package is the one door through which an answer for a hole may ever come; today none does, so every hole stays open.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutile2rs.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a kernel that no rule covers."""

    kernel: str
    """Dotted name of the kernel."""
    construct: str
    """What has no rule, as a rule would name it: `cuda.tile.atomic_add`."""
    span: Span
    """Where it stands."""


@dataclass(frozen=True, slots=True)
class Unfilled:
    """No Rust was found for a hole; its kernel must be refused."""

    reason: str


def fill(hole: Hole) -> Unfilled:
    """The answer for a hole. Only rules make Rust so far, so there is none."""
    return Unfilled(f"no rule for `{hole.construct}`, and nothing but rules makes Rust yet")
