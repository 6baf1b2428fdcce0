"""What a launch's options become for a target."""

from __future__ import annotations

import pytest
from cutile2rs.verify.binding import HintValue, opt_level, resolved_hints

OPTIONS: dict[str, HintValue] = {
    "occupancy": {"sm_90": 4, "default": 2},
    "num_ctas": 2,
    "num_worker_warps": None,
    "opt_level": {"sm_90": 1},
}


@pytest.mark.parametrize(
    ("target", "hints"),
    [
        ("sm_80", {"occupancy": 2}),
        ("sm_89", {"occupancy": 2}),
        ("sm_90", {"occupancy": 4, "num_cta_in_cga": 2}),
        ("sm_120", {"occupancy": 2, "num_cta_in_cga": 2}),
    ],
)
def test_hints_of_a_target(target: str, hints: dict[str, int]) -> None:
    """A target's own value, else the default; clusters only where there are any."""
    assert resolved_hints(OPTIONS, target) == hints


def test_level_of_a_target() -> None:
    assert (opt_level(OPTIONS, "sm_90"), opt_level(OPTIONS, "sm_100")) == (1, 3)
