"""A CUDA driver that has no GPU, for machines without one: enough for `cuda.tile` to tell a launch's signature.

The signature depends on shapes, strides, dtypes and addresses alone, yet `cuda.tile` wants the driver's library before it
looks at them. Everything that would touch a GPU fails with the driver's own "no device".
"""

from __future__ import annotations

import ctypes
import sys
import types
from typing import Any

_LOADER = "cuda.tile._load_libcuda"
_NO_DEVICE = 100
_VERSION = 13010
_Function = ctypes.CFUNCTYPE(ctypes.c_int)
_GetVersion = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int))
_GetAddress = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p
)
_alive: list[Any] = []


def have_driver() -> bool:
    """Whether this machine has a CUDA driver."""
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True


def stand_in() -> bool:
    """Puts the driver without a GPU in place where there is none; says whether it did. To be called before `cuda.tile` has
    looked for the real one."""
    if _alive or have_driver():
        return bool(_alive)

    def version(out: Any) -> int:
        out[0] = _VERSION
        return 0

    functions = {b"cuInit": _Function(lambda: 0), b"cuDriverGetVersion": _GetVersion(version)}
    other = _Function(lambda: _NO_DEVICE)

    def address(name: bytes, out: Any, _version: int, _flags: int, _status: Any) -> int:
        out[0] = ctypes.cast(functions.get(name, other), ctypes.c_void_p).value
        return 0

    lookup = _GetAddress(address)
    pointer = ctypes.c_void_p(ctypes.cast(lookup, ctypes.c_void_p).value)
    module = types.ModuleType(_LOADER)
    module.cuGetProcAddress_v2_ptrptr = ctypes.addressof(pointer)  # type: ignore[attr-defined]
    _alive.extend([functions, other, lookup, pointer])
    sys.modules[_LOADER] = module
    return True
