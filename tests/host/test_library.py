"""The example package with the library that `cutile2rs build` makes of its crate: as far as that goes without a GPU."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.host.hook.driver import have_driver

from tests.host.conftest import KERNELS
from tests.workplace import ROOT, cargo_environment, cutile2rs, run

PROGRAM = """
import json, sys
from cutile2rs.host.hook.driver import stand_in
stand_in()
import cuda.tile as ct
from pack_rs._cutile2rs import info, launch, library
from pack_rs import aliases, made, plain

class Array:
    def __init__(self, shape):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f4", "data": (4096, False), "version": 3,
                                         "strides": None}

def told(kernel, *args, grid=(4,)):
    try:
        launch(0, grid, kernel, args)
    except Exception as problem:
        return type(problem).__name__, getattr(problem, "code", None)

a = Array((64,))
kernels = [plain.double, plain.double.replace_hints(num_ctas=2), aliases.copy, made.one, made.two, made.four, made.Box.five,
           made.make(3)]
print(json.dumps({
    "same": sorted(library.native().kernels()) == sorted(info.KERNELS),
    "fine": [told(kernel, a, a, 16) for kernel in kernels],
    "wrong": [told(plain.double, a, a), told(plain.double, a, object(), 16), told(plain.double, a, a, 16, grid=(1,) * 4)],
}))
"""


@pytest.mark.toolchain
def test_the_built_library(converted: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(converted, out, ignore=shutil.ignore_patterns("__pycache__", "target"))
    done = cutile2rs("build", out, env=cargo_environment())
    assert done.status == 0, done.err
    library = out / "target" / "cutile2rs" / "_native.so"
    assert done.out.strip() == f"built {library}" and library.stat().st_size > 100_000
    path = f"{out / 'python'}:{KERNELS}:{ROOT / 'transpiler'}"
    done = run([sys.executable, "-c", PROGRAM], env={"PYTHONPATH": path, "PATH": "/nowhere"})  # builds nothing again
    assert done.status == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    assert found["same"] is True
    assert found["wrong"] == [["TypeError", None], ["TypeError", None], ["ValueError", None]]
    if not have_driver():
        assert found["fine"] == [["LaunchError", -11]] * 8
