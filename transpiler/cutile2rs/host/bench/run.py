"""Goes through a launches file: one row a launch, whatever becomes of it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cutile2rs
from cutile2rs.diagnostics import CutileError, error
from cutile2rs.verify.launches import Launch, LaunchFileError, read_launches
from cutile2rs.verify.slicing import ReferenceTree, SliceError, write_slice

Row = dict[str, Any]
Echo = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure and how."""

    pairs: int = 20
    scalar: int = 1
    kernels: tuple[str, ...] = ()
    """Only these, if any."""
    each: int | None = None
    """At most so many launches of each kernel, spread over the file."""
    seconds: float | None = None
    """Start no further launch after this time."""


def run(
    out: Path, launches: Path, options: Options, echo: Echo, save: Callable[[list[Row]], None] = lambda rows: None
) -> list[Row]:
    """Measures every launch of a file; `save` gets the rows after each. Raises CutileError where nothing can be measured."""
    names = _names(out)
    try:
        wanted = read_launches(launches)
    except LaunchFileError as problem:
        raise CutileError(error("C2R601", str(problem))) from problem
    wanted = _chosen(wanted, options)
    if not wanted:
        raise CutileError(error("C2R601", f"no launch in {launches}"))
    more = launches.read_text(encoding="utf-8").split("\n")
    rows: list[Row] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cutile2rs-") as folder, _Worker(out) as worker:
        tree = ReferenceTree(out / "reference")
        for number, launch in enumerate(wanted, 1):
            if options.seconds is not None and time.monotonic() - start > options.seconds:
                echo(f"time is up: {len(wanted) - len(rows)} of {len(wanted)} launches are not measured")
                break
            name = names.get((launch.module, launch.kernel))
            row = _described(launch)
            if name is None:
                row["error"] = "the kernel is not in the output"
            else:
                try:
                    path = write_slice(tree, launch.module, launch.kernel, Path(folder))
                    row |= worker.ask(_request(launch, json.loads(more[launch.line]), path, name, options))
                except SliceError as problem:
                    row["error"] = f"the original cannot be cut out: {problem}"
            row.setdefault("gpu", worker.gpu)
            rows.append(row)
            save(rows)
            echo(f"{number}/{len(wanted)} {line_of(row)}")
    return rows


def _chosen(launches: list[Launch], options: Options) -> list[Launch]:
    """The launches to measure, in the file's order."""
    found: dict[tuple[str, str], list[Launch]] = {}
    for launch in launches:
        if not options.kernels or launch.kernel in options.kernels:
            found.setdefault((launch.module, launch.kernel), []).append(launch)
    if options.each is not None:
        found = {name: _spread(group, options.each) for name, group in found.items()}
    return sorted((launch for group in found.values() for launch in group), key=lambda launch: launch.line)


def _spread(group: list[Launch], count: int) -> list[Launch]:
    if len(group) <= count:
        return group
    return [group[number * len(group) // count] for number in range(count)]


def line_of(row: Row) -> str:
    """One row as a short line."""
    if "error" in row:
        return f"{row['kernel']}: {row['error']}"
    bits = "bit-equal" if row["bit_equal"] else "DIFFERENT" if row["deterministic"] else "not deterministic"
    if "timing_error" in row:
        return f"{row['kernel']}: {bits}, not timed: {row['timing_error']}"
    return (
        f"{row['kernel']}: {bits}, device {row['device_us']['python']:.2f} / {row['device_us']['rust']:.2f} us, "
        f"submit {row['submit_us']['python']:.2f} / {row['submit_us']['rust']:.2f} us"
    )


def _names(out: Path) -> dict[tuple[str, str], str]:
    """The library's name of each kernel, by module and function name."""
    try:
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        rows = [(m["module"], k["kernel"], k["qualname"]) for m in manifest["modules"] for k in m["kernels"]]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise CutileError(error("C2R705", f"{out / 'manifest.json'} cannot be read: {problem}")) from problem
    return {(module, kernel): f"{module}:{qualname}" for module, kernel, qualname in reversed(rows)}


def _described(launch: Launch) -> Row:
    return {
        "line": launch.line + 1, "module": launch.module, "kernel": launch.kernel, "symbol": launch.symbol,
        "hints": launch.hints, "grid": list(launch.grid), "shapes": [s and list(s) for s in launch.shapes],
    }  # fmt: skip


def _request(launch: Launch, record: Row, path: Path, name: str, options: Options) -> Row:
    return _described(launch) | {
        "slice": str(path), "name": name, "scalars": record.get("scalars") or [], "lists": record.get("lists") or [],
        "scalar": options.scalar, "pairs": options.pairs,
    }  # fmt: skip


class _Worker:
    """A worker process, started when it is needed, and anew after a CUDA error or a crash."""

    def __init__(self, out: Path) -> None:
        self.gpu = ""
        self._out = out
        self._process: subprocess.Popen[str] | None = None
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed at exit

    def __enter__(self) -> _Worker:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._errors.close()

    def ask(self, request: Row) -> Row:
        """The worker's answer, or a row that says why there is none."""
        process = self._start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._stop()
            return {"error": f"the worker ended with status {process.returncode}: {self._tail(300)}"}
        row: Row = json.loads(line)
        if row.pop("fatal", False):
            self._stop()
        return row

    def _start(self) -> subprocess.Popen[str]:
        if self._process is not None:
            return self._process
        root = str(Path(cutile2rs.__file__).resolve().parents[1])
        path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cutile2rs.host.bench.worker", str(self._out)], env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8",
        )  # fmt: skip
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        hello = json.loads(line) if line else {"ready": False, "error": self._tail(2000)}
        if not hello["ready"]:
            self._stop()
            hint = "bench needs a GPU, PyTorch, cuda.tile, and a library built by `cutile2rs build`"
            raise CutileError(error("C2R705", str(hello["error"]), help=hint))
        self.gpu = str(hello.get("gpu", ""))
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in _pipes(process):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _tail(self, count: int) -> str:
        self._errors.seek(0)
        return self._errors.read()[-count:].strip()


def _pipes(process: subprocess.Popen[str]) -> Iterator[Any]:
    yield from (pipe for pipe in (process.stdin, process.stdout) if pipe is not None)
