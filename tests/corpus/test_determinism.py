"""Same input, same bytes out: whatever the hash seed, the current folder, the spelling of paths and the machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tilegym_scope import SCOPE, scope_files

from tests.workplace import cutile2rs, tilegym_folder, tree


def converted(sources: list[Path], out: Path, cwd: Path, seed: str) -> dict[str, bytes]:
    """The output of a conversion in a process of its own."""
    cwd.mkdir(exist_ok=True)
    done = cutile2rs("convert", *sources, "-o", out, cwd=cwd, env={"PYTHONHASHSEED": seed})
    assert (done.status, done.err) == (0, "")
    return tree(out)


def test_two_processes(tmp_path: Path) -> None:
    first = converted(scope_files(), tmp_path / "one", tmp_path / "here", "1")
    second = converted(scope_files(), tmp_path / "two", tmp_path / "there", "2")
    assert {"Cargo.toml", "manifest.json", "src/lib.rs", "src/softmax/kernel.rs"} <= first.keys()
    assert first == second


def test_relative_paths_in_another_order(tmp_path: Path) -> None:
    first = converted(scope_files(), tmp_path / "one", tmp_path, "0")
    relative = [Path(os.path.relpath(path, tmp_path / "there")) for path in reversed(scope_files())]
    assert converted(relative, tmp_path / "two", tmp_path / "there", "0") == first


def test_another_machine(tmp_path: Path) -> None:
    """The package installed elsewhere, with other file times."""
    copy = tmp_path / "elsewhere" / "tilegym"
    shutil.copytree(tilegym_folder(), copy, copy_function=shutil.copyfile)
    moved = [copy / "ops" / "cutile" / name for name in SCOPE]
    first = converted(scope_files(), tmp_path / "one", tmp_path, "0")
    assert converted(moved, tmp_path / "two", tmp_path, "3") == first


def test_again_into_the_same_folder(tmp_path: Path) -> None:
    """A second conversion replaces the first: nothing stale stays, and nothing that did not change is written."""
    everything = converted(scope_files(), tmp_path / "out", tmp_path, "0")
    only_softmax = converted(scope_files()[:1], tmp_path / "out", tmp_path, "0")
    assert only_softmax == converted(scope_files()[:1], tmp_path / "fresh", tmp_path, "0")
    assert "src/swiglu/kernel.rs" in everything
    assert "src/swiglu/kernel.rs" not in only_softmax
    kernel = tmp_path / "out" / "src" / "softmax" / "kernel.rs"
    os.utime(kernel, (1, 1))
    converted(scope_files()[:1], tmp_path / "out", tmp_path, "0")
    assert kernel.stat().st_mtime == 1
