"""Builds an output's crate into the Python extension module that its package loads."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from . import build_env

LIBRARY = "_native.so"
_COMMAND = (
    "build",
    "--lib",
    "--no-default-features",
    "--features",
    "python",
    "--message-format",
    "json-render-diagnostics",
)
_NO_SOURCES = ("target", "python", "reference", "prebuilt", "manifest.json", ".cutile2rs-stamp.json")
"""What lies in a crate's folder without being built into its library."""


class BuildError(RuntimeError):
    """The crate cannot be built, or its library cannot be found."""


def built(crate: Path, *, release: bool = True, jobs: int | None = None, quiet: bool = False) -> Path:
    """The crate's library, built unless that was done from the same sources before.

    The library lies in `target/cutile2rs/` of the crate, beside a stamp that tells what it was built from, wherever cargo
    builds. Concurrent calls, also of other processes, build once. Raises BuildError.
    """
    folder = crate / "target" / "cutile2rs"
    library = folder / LIBRARY
    if not (crate / "Cargo.toml").is_file():
        if library.is_file():
            return library  # brought along without its sources
        raise BuildError(f"{crate} holds no crate: move the Python package together with the output that it belongs to")
    if _stamped(folder) == _digest(crate, release) and library.is_file():
        return library
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder / "lock"):
            wanted = _digest(crate, release)
            if _stamped(folder) != wanted or not library.is_file():
                artifact = _cargo(crate, release, jobs, quiet)
                _replace(artifact.read_bytes(), library)
                # Cargo may have changed Cargo.lock, which is part of what the library is made of.
                _replace(_digest(crate, release).encode(), folder / "stamp")
    except OSError as problem:
        raise BuildError(f"cannot build in {folder}: {problem}") from problem
    return library


def _digest(crate: Path, release: bool) -> str:
    """What the library depends on, as one hash: sources by path and content, and how they are built."""
    state = hashlib.sha256(repr((_COMMAND, release)).encode())
    tops = sorted(place for place in crate.iterdir() if place.name not in _NO_SOURCES)
    for place in tops:
        files = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
        for path in files:
            data = path.read_bytes()
            state.update(f"{path.relative_to(crate).as_posix()} {len(data)}\n".encode())
            state.update(data)
    return state.hexdigest()


def _stamped(folder: Path) -> str | None:
    try:
        return (folder / "stamp").read_text()
    except OSError:
        return None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Holds a lock among processes while a build runs; the operating system frees it when a process dies."""
    with path.open("a") as file:
        try:
            import fcntl
        except ImportError:  # not on this system: cargo's own lock remains
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


def _replace(data: bytes, target: Path) -> None:
    """Writes a file in one step: another process sees the old one or the new one."""
    handle, name = tempfile.mkstemp(dir=target.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, target)


def _cargo(crate: Path, release: bool, jobs: int | None, quiet: bool) -> Path:
    """Runs cargo and gives the library that it made."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise BuildError(
            f"the kernels in {crate} are not built yet, and there is no cargo to build them: install Rust from "
            "https://rustup.rs, or build them elsewhere (`cutile2rs build`) and bring target/cutile2rs along"
        )
    environment = build_env.environment()
    missing = build_env.missing(environment)
    if missing:
        raise BuildError(f"{' and '.join(missing)} not found: install {build_env.NEEDED}, or set the variables")
    # Where outputs share a target folder, their libraries have one name there, and cargo takes another output's for this one's,
    # which it made before: it must make it anew.
    with contextlib.suppress(OSError):
        os.utime(crate / "src" / "lib.rs")
    command = [cargo, *_COMMAND, *(["--release"] if release else []), *(["--jobs", str(jobs)] if jobs else [])]
    progress = _Progress(crate, quiet)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(
            command, cwd=crate, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8", errors="replace",
            env={**os.environ, **environment, "PYO3_PYTHON": os.environ.get("PYO3_PYTHON") or sys.executable},
        )  # fmt: skip
        assert process.stdout is not None
        try:
            artifact = _library(process.stdout, progress)
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            progress.end()
        if status != 0:
            log.seek(0)
            lines = log.read().splitlines()
            raise BuildError(f"cargo could not build {crate} (exit status {status}):\n" + "\n".join(lines[-60:]))
    if artifact is None:
        raise BuildError(f"cargo made no dynamic library of {crate}: its feature `python` is missing")
    return artifact


def _library(messages: IO[str], progress: _Progress) -> Path | None:
    """The dynamic library among what cargo reports; counts all that is compiled."""
    found = None
    for line in messages:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if message.get("reason") == "compiler-artifact":
            progress.step()
            if "cdylib" in message["target"]["crate_types"]:
                names = [name for name in message["filenames"] if name.endswith((".so", ".dylib", ".dll"))]
                found = Path(names[0]) if names else found
    return found


class _Progress:
    """One line on standard error, rewritten on a terminal."""

    def __init__(self, crate: Path, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._crates = 0
        self._start = time.monotonic()
        self._write(f"cutile2rs: building the kernels in {crate}, which can take minutes the first time")

    def step(self) -> None:
        """One more crate is compiled."""
        self._crates += 1
        if self._live:
            self._write(f"cutile2rs: {self._crates} crates ready, {time.monotonic() - self._start:.0f} s", "\r\x1b[K")

    def end(self) -> None:
        """The build is over, however it went."""
        begin = "\r\x1b[K" if self._live else ""
        self._write(f"cutile2rs: {self._crates} crates in {time.monotonic() - self._start:.0f} s", begin)

    def _write(self, text: str, begin: str = "") -> None:
        if not self._quiet and sys.stderr is not None:
            sys.stderr.write(begin + text + ("" if self._live and begin else "\n"))
            sys.stderr.flush()
