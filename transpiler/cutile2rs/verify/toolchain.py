"""NVIDIA's command-line tools, as the PyPI packages install them, and running them on bytes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

TIMEOUT_SECONDS = 300.0


_running: dict[int, str] = {}
"""Tools at work, in whatever thread, by process id."""


class ToolError(Exception):
    """A tool is missing or refused its input."""


@cache
def tool(name: str) -> str:
    """Path of `tileiras`, `tileirdisasm` or `nvdisasm`: from the PyPI packages first, as cuda.tile looks."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / "cu13" / "bin" / name
        if path.is_file():
            return str(path)
    found = shutil.which(name)
    if found is None:
        raise ToolError(f"'{name}' not found; install cutile2rs[verify]")
    return found


def run_tool(name: str, arguments: Sequence[str], data: bytes, *, fixed_layout: bool = False) -> bytes:
    """Run a tool on a file holding `data` (named by `{in}`), giving the file `{out}` or else its standard output.

    `fixed_layout` turns address randomisation off, which settles some of the assembler's choices.
    """
    with tempfile.TemporaryDirectory(prefix="cutile2rs-") as folder:
        paths = {"{in}": str(Path(folder) / "input"), "{out}": str(Path(folder) / "output")}
        Path(paths["{in}"]).write_bytes(data)
        command = [tool(name), *(paths.get(argument, argument) for argument in arguments)]
        setarch = shutil.which("setarch") if fixed_layout else None
        if setarch is not None:
            command = [setarch, "-R", *command]
        status, out, err = _run(name, command)
        if status != 0:
            message = (err or out).decode(errors="replace").strip()
            raise ToolError(f"{name}: {message[:2000] or f'exit status {status}'}")
        return Path(paths["{out}"]).read_bytes() if "{out}" in arguments else out


def _run(name: str, command: Sequence[str]) -> tuple[int, bytes, bytes]:
    """Exit status, output and errors. Out of time, the tool's own children end too: tileiras leaves its work to ptxas."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True) as process:
        _running[process.pid] = name
        try:
            out, err = process.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"{name}: no result after {TIMEOUT_SECONDS:.0f} s") from error
        finally:
            _running.pop(process.pid, None)
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, out, err


def stop() -> None:
    """End the tools that still run, with their children: the caller's threads then see them fail."""
    for process in list(_running):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
