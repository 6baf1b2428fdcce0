"""The Rust library as a Python extension module: found, built if need be, and loaded once."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from . import build, info

PATH_VARIABLE = "CUTILE2RS_NATIVE"
"""Names a built library to load instead of the crate's own."""

_lock = threading.Lock()
_loaded: Any = None


def native() -> Any:
    """The extension module. Raises `build.BuildError` where there is no library and none can be built."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load(find())
    return _loaded


def find() -> Path:
    """The library's file: the one that is named, one that lies in this package, or the crate's own, built if need be."""
    named = os.environ.get(PATH_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise build.BuildError(f"{PATH_VARIABLE} names {named}, which is not a file")
        return Path(named)
    beside = Path(__file__).parent / build.LIBRARY
    return beside if beside.is_file() else build.built(crate())


def crate() -> Path:
    """The crate's folder: `OUT` of `OUT/python/PACKAGE/_cutile2rs/library.py`."""
    return Path(__file__).resolve().parents[3]


def _load(path: Path) -> ModuleType:
    # The last part of the name chooses the initialisation function, `PyInit__native`.
    name = f"{info.PACKAGE or 'cutile2rs'}._cutile2rs._native"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise build.BuildError(f"{path} is not a library that Python can load")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
    prebuilt = crate() / "prebuilt"
    if prebuilt.is_dir() and hasattr(module, "set_prebuilt"):
        module.set_prebuilt(str(prebuilt))
    return module
