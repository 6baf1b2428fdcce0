"""Python's Tile IR for a launch, through a long-lived worker process."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from cutile2rs.verify.launches import Hint

WORKER = Path(__file__).with_name("export_worker.py")


class ExportError(Exception):
    """cuTile refused the kernel (`kind` is its exception's name), or the worker broke (`kind` is 'worker')."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message


@dataclass(frozen=True)
class PythonArtifact:
    """What cuTile Python makes of a launch."""

    bytecode: bytes
    opt_level: int


class Exporter:
    """One worker process, started at the first request and again after it broke. Not for two threads at once."""

    def __init__(self, timeout: float = 120.0) -> None:
        self.timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the exporter

    def export(
        self, slice_path: Path, kernel: str, symbol: str, hints: Mapping[str, Hint | None], arch: str
    ) -> PythonArtifact:
        """Export the kernel of a slice file for the signature in `symbol`; raises ExportError."""
        request = {
            "slice": str(slice_path), "kernel": kernel, "symbol": symbol, "hints": dict(hints), "arch": arch,
        }  # fmt: skip
        reply = self._ask(json.dumps(request).encode() + b"\n")
        if not reply["ok"]:
            raise ExportError(str(reply["kind"]), str(reply["message"]))
        return PythonArtifact(base64.b64decode(str(reply["bytecode"])), int(str(reply["opt_level"])))

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()
            try:
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def __enter__(self) -> Exporter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
        self._errors.close()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._buffer = b""
            self._errors.truncate(0)
            self._process = subprocess.Popen(
                [sys.executable, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        return self._process

    def _ask(self, request: bytes) -> dict[str, object]:
        process = self._start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(request)
            process.stdin.flush()
            line = self._read_line(process.stdout.fileno())
        except (BrokenPipeError, TimeoutError) as error:
            process.kill()
            process.wait()
            reason = "no answer in time" if isinstance(error, TimeoutError) else "the worker ended"
            raise ExportError("worker", f"{reason}\n{self._last_errors()}".strip()) from error
        reply: dict[str, object] = json.loads(line)
        return reply

    def _read_line(self, descriptor: int) -> bytes:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            chunks = [self._buffer]
            while b"\n" not in chunks[-1]:
                if not selector.select(self.timeout):
                    raise TimeoutError
                chunk = os.read(descriptor, 1 << 16)
                if not chunk:
                    raise BrokenPipeError
                chunks.append(chunk)
        line, _, self._buffer = b"".join(chunks).partition(b"\n")
        return line

    def _last_errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:]
