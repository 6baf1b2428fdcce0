"""Compiler hints of kernels: checked as `cuda.tile` checks them, and resolved for the GPU at hand."""

from __future__ import annotations

import sys
from typing import Any

Hints = dict[str, Any]
"""Hints by name; a value is an int, None, or a `cuda.tile.ByTarget`."""

DEFAULTS: dict[str, int | None] = {"num_ctas": None, "occupancy": None, "opt_level": 3, "num_worker_warps": None}
"""What `cuda.tile.kernel` takes where a hint is not given."""

_ALLOWED = {
    "num_ctas": ((1, 2, 4, 8, 16), "should be a power of 2 in [1, 16]"),
    "occupancy": (tuple(range(1, 33)), "should be [1, 32]"),
    "opt_level": ((0, 1, 2, 3), "should be [0, 3]"),
    "num_worker_warps": ((1, 2, 4, 8, 16, 32), "should be a power of 2 in [1, 32]"),
}


def validated(hints: Hints) -> Hints:
    """The hints, if `cuda.tile.kernel` would take them; else TypeError or ValueError as there."""
    for name, value in hints.items():
        if name not in DEFAULTS:
            raise TypeError(f"kernel() got an unexpected keyword argument '{name}'")
        for one in _values(value):
            allowed, text = _ALLOWED[name]
            if one is not None and one not in allowed:
                raise ValueError(f"{name} {text}, got {one}")
    return dict(hints)


def _values(value: Any) -> list[Any]:
    by_target = getattr(value, "_by_target", None)
    if by_target is None:
        return [value]
    default = value._default
    return [*by_target.values(), *([default] if default is None or isinstance(default, int) else [])]


def for_native(hints: Hints) -> dict[str, int]:
    """The hints that differ from the defaults, as numbers: of a `ByTarget` the value for this machine's first GPU, since that
    is the one that `cuda.tile` compiles for."""
    found = {}
    for name, value in hints.items():
        if hasattr(value, "_by_target"):
            default = value._default if isinstance(value._default, int) else DEFAULTS[name]
            value = value._by_target.get(architecture(), default)
        if value is not None and value != DEFAULTS[name]:
            found[name] = int(value)
    return found


def architecture() -> str:
    """The first GPU's architecture, such as `sm_90`; empty where it cannot be told."""
    if "cuda.tile" in sys.modules:
        from cuda.tile._cext import get_compute_capability

        try:
            major, minor = get_compute_capability()
        except (OSError, RuntimeError):  # no driver, no GPU
            return ""
        return f"sm_{major}{minor}"
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        major, minor = torch.cuda.get_device_capability(0)
        return f"sm_{major}{minor}"
    return ""
