"""A conversion is skipped when, and only when, its outcome already lies in the output folder."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from cutile2rs import cli, unchanged
from typer.testing import CliRunner

KERNEL = """
import cuda.tile as ct
from .sizes import WIDTH
from . import extras

@ct.kernel(occupancy=extras.OCCUPANCY)
def double(x, y, TILE: ct.Constant[int]):
    tile = ct.load(x, (ct.bid(0),), shape=(TILE,))
    ct.store(y, (ct.bid(0),), tile * WIDTH)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of a kernel module and of a module that it imports; a third it imports does not exist."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "sizes.py").write_text("WIDTH = 2\n")
    (folder / "kernels.py").write_text(KERNEL)
    return folder


def convert(source: Path, out: Path) -> None:
    done = CliRunner().invoke(cli.app, ["convert", str(source), "-o", str(out)])
    assert done.exit_code == 0, done.output


def skipped(source: Path, out: Path) -> bool:
    found = unchanged.recorded([source], out)
    assert found is None or (found.kernels_converted, found.kernels_total) == (1, 1)
    return found is not None


def test_nothing_changed(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = package / "kernels.py", tmp_path / "out"
    convert(source, out)
    monkeypatch.setattr(cli, "_pipeline", lambda: pytest.fail("converted again"))
    convert(source, out)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package/kernels.py", KERNEL.replace("tile * WIDTH", "tile + WIDTH")),
        ("package/sizes.py", "WIDTH = 3\n"),
        ("package/extras.py", "OCCUPANCY = 2\n"),
        ("out/src/kernels/kernel.rs", "// edited\n"),
        ("out/manifest.json", None),
    ],
)
def test_something_changed(package: Path, tmp_path: Path, path: str, text: str | None) -> None:
    """A source, a module it imports, a module that was missing, a file of the output."""
    source, out = package / "kernels.py", tmp_path / "out"
    convert(source, out)
    assert skipped(source, out)
    if text is None:
        (tmp_path / path).unlink()
    else:
        (tmp_path / path).write_text(text)
    assert not skipped(source, out)
    if path.startswith("package"):
        before = unchanged.output_digest(out, ["src/kernels/kernel.rs", "manifest.json"])
        convert(source, out)
        assert unchanged.output_digest(out, ["src/kernels/kernel.rs", "manifest.json"]) != before
        assert skipped(source, out)


def test_other_sources(package: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(package / "kernels.py", out)
    assert not skipped(package, out)
    convert(package, out)
    (package / "more.py").write_text("SIZE = 1\n")
    assert unchanged.recorded([package], out) is None


def test_the_stamp_names_no_place(package: Path, tmp_path: Path) -> None:
    """Two conversions of the same text in other places leave the same stamp."""
    other = tmp_path / "elsewhere" / "package"
    shutil.copytree(package, other)
    convert(package / "kernels.py", tmp_path / "one")
    convert(other / "kernels.py", tmp_path / "two")
    assert (tmp_path / "one" / unchanged.STAMP).read_bytes() == (tmp_path / "two" / unchanged.STAMP).read_bytes()


def test_touching_a_file_changes_nothing(package: Path, tmp_path: Path) -> None:
    source, out = package / "kernels.py", tmp_path / "out"
    convert(source, out)
    os.utime(source, (time.time() + 60, time.time() + 60))
    assert skipped(source, out)


def test_what_was_reported_is_reported_again(tmp_path: Path) -> None:
    """A conversion with diagnostics leaves no stamp."""
    source, out = tmp_path / "kernels.py", tmp_path / "out"
    broken = KERNEL.partition("OCCUPANCY)")[2].replace("double", "broken").replace("tile * WIDTH", "tile @ x")
    source.write_text(KERNEL.replace("from .sizes import WIDTH\nfrom . import extras", "WIDTH = 2")
                      + "\n@ct.kernel" + broken)  # fmt: skip
    for _ in range(2):
        done = CliRunner().invoke(cli.app, ["convert", str(source), "-o", str(out)])
        assert done.exit_code == 1
        assert "`broken` is not converted" in done.output
    assert not (out / unchanged.STAMP).exists()
