"""The TileGym files whose kernels are converted so far, found in the virtual environment without importing TileGym.

.venv/bin/cutile2rs convert $(.venv/bin/python examples/tilegym_scope.py) -o build/demo
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCOPE = (
    "softmax.py",
    "silu_and_mul.py",
    "swiglu.py",
    "activation/gelu.py",
    "activation/relu.py",
    "activation/geglu.py",
    "rms_norm.py",
)


def tilegym_folder() -> Path:
    """The folder of the installed package."""
    spec = importlib.util.find_spec("tilegym")
    if spec is None or spec.origin is None:
        raise SystemExit("TileGym is not installed: run `make setup`")
    return Path(spec.origin).parent


def scope_files() -> list[Path]:
    """The files in scope."""
    return [tilegym_folder() / "ops" / "cutile" / name for name in SCOPE]


if __name__ == "__main__":
    print(*scope_files(), sep="\n")
