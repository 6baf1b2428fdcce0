"""Starts recording in every Python process of a recorded program; then what this file stands in front of."""

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _start() -> None:
    place = os.path.join(_HERE, "__init__.py")
    spec = importlib.util.spec_from_file_location("_cutile2rs_hook", place, submodule_search_locations=[_HERE])
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["_cutile2rs_hook"] = package
    spec.loader.exec_module(package)
    recorder = importlib.import_module("_cutile2rs_hook.recorder")
    recorder.start(os.environ["CUTILE2RS_RECORD"])


def _hidden() -> None:
    """Runs the `sitecustomize` that would have been imported without this one."""
    others = [path for path in sys.path if os.path.abspath(path or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("CUTILE2RS_RECORD"):
    _start()
_hidden()
