"""Building an output's library: when cargo runs, what is told, and what two builds at once do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from cutile2rs.host.runtime import build, build_env, library

from tests.host.conftest import Import
from tests.workplace import ROOT, cutile2rs

CARGO = f"""\
#!{sys.executable}
import json, os, pathlib, sys, time
log = pathlib.Path(os.environ["CARGO_LOG"])
with log.open("a") as file:
    file.write(json.dumps([sys.argv[1:], os.getcwd(), os.environ.get("LIBCLANG_PATH")]) + "\\n")
time.sleep(float(os.environ.get("CARGO_SECONDS", 0)))
if os.environ.get("CARGO_FAILS"):
    sys.exit("error: could not compile `kernels`: because")
made = log.parent / "libkernels.so"
made.write_bytes(b"library of " + pathlib.Path("src/lib.rs").read_bytes())
kinds = ["lib"] if os.environ.get("CARGO_LIB") else ["cdylib", "lib"]
print(json.dumps({{"reason": "compiler-artifact", "target": {{"crate_types": ["lib"]}}, "filenames": ["x.rlib"]}}))
print("not json")
print(json.dumps({{"reason": "compiler-artifact", "target": {{"crate_types": kinds}}, "filenames": ["x.rlib", str(made)]}}))
"""


class Cargo:
    """A cargo that only notes how it was called."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"

    @property
    def runs(self) -> int:
        """How often it was called."""
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cargo:
    """Puts such a cargo on the path, with the CUDA headers and libclang that it needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "cargo").write_text(CARGO)
    (folder / "cargo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CARGO_LOG", str(folder / "log"))
    monkeypatch.setenv("CUDA_TOOLKIT_PATH", "/cuda")
    monkeypatch.setenv("LIBCLANG_PATH", "/clang")
    return Cargo(folder)


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    """A crate's folder."""
    for name, text in (("Cargo.toml", "[package]"), ("src/lib.rs", "one"), ("support/src/lib.rs", "s")):
        (tmp_path / "crate" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "crate" / name).write_text(text)
    return tmp_path / "crate"


def test_builds_once_for_the_same_sources(cargo: Cargo, crate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = build.built(crate, jobs=3)
    assert made == crate / "target" / "cutile2rs" / "_native.so" and made.read_bytes() == b"library of one"
    assert '"--features", "python"' in cargo.log.read_text() and '"--release", "--jobs", "3"' in cargo.log.read_text()
    assert str(crate) in cargo.log.read_text() and '"/clang"' in cargo.log.read_text()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"cutile2rs: building the kernels in {crate}") and lines[1].startswith(
        "cutile2rs: 2 crates in "
    )
    (crate / "src/lib.rs").touch()
    assert build.built(crate) == made and cargo.runs == 1
    (crate / "src/lib.rs").write_text("two")
    assert build.built(crate).read_bytes() == b"library of two" and cargo.runs == 2
    (crate / "support/src/lib.rs").rename(crate / "support/src/other.rs")
    build.built(crate)
    build.built(crate, release=False)
    assert cargo.runs == 4
    made.unlink()
    build.built(crate, release=False)
    assert cargo.runs == 5
    (crate / "manifest.json").write_text("{}")  # and what else is not built in
    (crate / "python").mkdir()
    build.built(crate, release=False)
    assert cargo.runs == 5
    shutil.move(crate / "Cargo.toml", crate.parent)
    assert build.built(crate) == made and cargo.runs == 5  # brought along without its sources


def test_cargo_is_not_to_take_another_outputs_library(cargo: Cargo, crate: Path) -> None:
    """In a shared target folder both have one name; cargo makes what is newer than its last build."""
    os.utime(crate / "src/lib.rs", (1, 1))
    build.built(crate)
    assert (crate / "src/lib.rs").stat().st_mtime > 1e9


def test_two_builds_at_once_run_cargo_once(cargo: Cargo, crate: Path) -> None:
    program = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        from cutile2rs.host.runtime import build
        print(build.built(Path({str(crate)!r})).read_bytes())
    """)
    env = {**os.environ, "CARGO_SECONDS": "1", "PYTHONPATH": str(ROOT / "transpiler")}
    running = [subprocess.Popen([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[0] for process in running] == [b"b'library of one'\n"] * 3
    assert cargo.runs == 1


def test_failures_say_what_to_do(cargo: Cargo, crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARGO_FAILS", "1")
    with pytest.raises(build.BuildError, match=r"could not build .*exit status 1.*\n.*because"):
        build.built(crate)
    assert not (crate / "target/cutile2rs/stamp").exists()
    monkeypatch.delenv("CARGO_FAILS")
    monkeypatch.setenv("CARGO_LIB", "1")
    with pytest.raises(build.BuildError, match="made no dynamic library"):
        build.built(crate)
    monkeypatch.setattr(build_env, "environment", dict)
    monkeypatch.delenv("LIBCLANG_PATH")
    with pytest.raises(
        build.BuildError, match=r"LIBCLANG_PATH not found: install cuda-tile\[tileiras\], nvidia-curand and libclang"
    ):
        build.built(crate)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(build.BuildError, match="there is no cargo to build them: install Rust from https://rustup"):
        build.built(crate)
    with pytest.raises(build.BuildError, match="holds no crate"):
        build.built(crate / "src")


def test_the_command(cargo: Cargo, crate: Path, tmp_path: Path) -> None:
    done = cutile2rs("build", crate, "-j", "2")
    assert done.status == 0 and done.out.strip() == f"built {crate / 'target/cutile2rs/_native.so'}"
    (crate / "src/lib.rs").write_text("three")
    done = cutile2rs("build", crate, env={"CARGO_FAILS": "1"})
    assert done.status == 1 and "C2R703" in done.err
    assert "= note: error: could not compile `kernels`: because\n" in done.err
    done = cutile2rs("build", tmp_path)
    assert done.status == 2 and "it is not a folder that convert wrote" in done.err
    for name in ("build", "record", "bench"):
        done = cutile2rs(name, "--help")
        assert done.status == 0 and f"cutile2rs {name}" in done.out


def test_where_the_library_comes_from(
    wrapper: Import, cargo: Cargo, crate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = wrapper("_cutile2rs.library")
    monkeypatch.setenv("CUTILE2RS_NATIVE", str(tmp_path / "none.so"))
    with pytest.raises(RuntimeError, match=r"CUTILE2RS_NATIVE names .*none.so, which is not a file"):
        place.native()
    named = tmp_path / "named.py"
    named.write_text("def kernel(name):\n    return name\n")
    monkeypatch.setenv("CUTILE2RS_NATIVE", str(named))
    module = place.native()
    assert module.kernel("x") == "x" and module.__name__ == "pack_rs._cutile2rs._native"
    assert place.native() is module
    monkeypatch.delenv("CUTILE2RS_NATIVE")
    out = Path(place.__file__).parents[3]
    assert place.crate() == out and (out / "Cargo.toml").is_file()
    assert library.PATH_VARIABLE == "CUTILE2RS_NATIVE"
