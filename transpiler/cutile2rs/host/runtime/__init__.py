"""What the host modules of a converted package launch their kernels through.

The same files serve every output; `info.py` is made for each. Standard library only: `torch` and `cuda.tile` are used where
the program has them already, and the Rust library is loaded, and built if need be, at the first launch.
"""

from .kernels import Kernel, adopt, kernel, launch
from .tilegym import backend
from .tune import exhaustive_search

__all__ = ["Kernel", "adopt", "backend", "exhaustive_search", "kernel", "launch"]
