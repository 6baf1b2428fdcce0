"""A crate with golden and TileGym kernels, built once for all tests, and a CUDA driver that only pretends."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.host.runtime import build
from tilegym_scope import scope_files

from tests.workplace import GOLDEN, ROOT, Done, cargo_environment, convert, run

FOLDER = ROOT / "build" / "native"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Library:
    """A built output."""

    out: Path
    """The output of the conversion."""
    file: Path
    """The extension module, which is also the C library: ``_native.so``."""

    @property
    def manifest(self) -> dict[str, Any]:
        """What the output says of itself."""
        found: dict[str, Any] = json.loads((self.out / "manifest.json").read_text(encoding="utf-8"))
        return found

    def kernels(self) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
        """Module and kernel of the manifest, and the kernel's line of the runtime's table."""
        for module in self.manifest["modules"]:
            tables = (self.out / "src" / module["rust_module"] / "tables.jsonl").read_text(encoding="utf-8")
            for kernel, line in zip(module["kernels"], tables.splitlines(), strict=True):
                yield module, kernel, line


@contextmanager
def alone() -> Iterator[None]:
    """One test process at a time: the others find what it built."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def library() -> Library:
    """The crate of the goldens' and the scope's kernels."""
    sources = [*sorted(GOLDEN.glob("*/input.py")), *scope_files(), HERE / "kernels" / "launch_sample.py"]
    with alone():
        out = convert(sources, FOLDER / "out")
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {**cargo_environment(), "PYO3_PYTHON": sys.executable}.items():
                patch.setenv(name, value)
            made = build.built(out, quiet=True)
        file = FOLDER / "_native.so"
        if not file.exists() or file.read_bytes() != made.read_bytes():
            partial = file.with_suffix(".partial")
            shutil.copy(made, partial)
            partial.replace(file)
    return Library(out, file)


@pytest.fixture(scope="session")
def native(library: Library) -> Any:
    """The extension module, loaded into this process, which has no driver as far as the module knows."""
    import importlib.machinery
    import importlib.util

    loader = importlib.machinery.ExtensionFileLoader("_native", str(library.file))
    spec = importlib.util.spec_from_file_location("_native", library.file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ``libcuda.so.1`` that only pretends."""
    folder = tmp_path_factory.mktemp("driver")
    compiler = shutil.which("gcc") or shutil.which("clang") or "cc"
    done = run([compiler, "-shared", "-fPIC", "-O1", "-o", folder / "libcuda.so.1", HERE / "fake_cuda.c", "-ldl"])
    assert done.status == 0, done.err
    return folder


Script = Callable[..., Done]


@pytest.fixture
def script(library: Library, driver: Path, tmp_path: Path) -> Script:
    """Run Python text in a process of its own, with the extension module importable and the pretended driver."""

    def run_text(text: str, *args: str | Path, gpu: bool = True, **environment: str) -> Done:
        paths = os.pathsep.join([str(library.file.parent), str(ROOT), str(ROOT / "transpiler"), str(ROOT / "examples")])
        env = {"PYTHONPATH": paths, "CUTILE2RS_CACHE": "", "LD_LIBRARY_PATH": str(driver) if gpu else "", **environment}
        return run([sys.executable, "-c", text, *args], cwd=tmp_path, env=env)

    return run_text
