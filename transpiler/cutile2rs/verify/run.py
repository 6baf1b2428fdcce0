"""The verification run: each launch, for each target, as Python and as Rust, compared to a verdict."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict

from cutile2rs.verify.cubin import CubinError
from cutile2rs.verify.export import Exporter, ExportError, PythonArtifact
from cutile2rs.verify.launches import Launch
from cutile2rs.verify.modules import ReferenceTree, SliceError
from cutile2rs.verify.sass import Assembler, SassResult, compare
from cutile2rs.verify.slicing import write_slice
from cutile2rs.verify.tileir import canonical_ir, first_difference
from cutile2rs.verify.tileir_parse import TileIrError
from cutile2rs.verify.toolchain import ToolError, stop

Verdict = Literal["identical", "ir-equal", "different", "unsupported", "error"]


class Unsupported(Exception):
    """The converter has no Rust for a launch; the message is the reason."""


@dataclass(frozen=True)
class RustArtifact:
    """What the Rust side makes of a launch."""

    entry: str
    bytecode: bytes
    ir_text: str


CompileRust = Callable[[Launch, str], RustArtifact]


class Result(TypedDict):
    """One verdict, as it is written out."""

    line: int
    module: str
    kernel: str
    arch: str
    entry: str
    verdict: Verdict
    detail: str


def verify(
    out: Path,
    launches: Sequence[Launch],
    archs: Sequence[str],
    keep: Path | None,
    jobs: int,
    compile_rust: CompileRust,
    cache: Path | None = None,
) -> Iterator[Result]:
    """Verdicts in the order of the launches, and for each in the order of the targets.

    `out` is the converter's output folder, whose `reference/` holds the Python sources. `keep` takes the bytecode of
    both sides. `cache` keeps cubins between runs. `compile_rust` is called from `jobs` threads at once; it raises
    Unsupported where there is no Rust.
    """
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cutile2rs-verify-") as folder:
        run = _Run(ReferenceTree(out / "reference"), Path(folder), keep, compile_rust, Assembler(cache))
        pool = ThreadPoolExecutor(max(1, jobs), thread_name_prefix="verify")
        try:
            pending: list[Future[Result]] = [
                pool.submit(run.check, launch, arch) for launch in launches for arch in archs
            ]
            for future in pending:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            stop()  # nothing runs any more, unless the caller gave up
            pool.shutdown(wait=True)
            run.close()


class _Run:
    def __init__(
        self, tree: ReferenceTree, folder: Path, keep: Path | None, compile_rust: CompileRust, assembler: Assembler
    ) -> None:
        self._tree = tree
        self._folder = folder
        self._keep = keep
        self._compile_rust = compile_rust
        self._assembler = assembler
        self._slices: dict[tuple[str, str], Path | SliceError] = {}
        self._lock = threading.Lock()
        self._local = threading.local()
        self._exporters: list[Exporter] = []

    def close(self) -> None:
        """End the workers."""
        for exporter in self._exporters:
            exporter.__exit__(None, None, None)

    def check(self, launch: Launch, arch: str) -> Result:
        """The verdict on one launch for one target; never raises for what the launch or a tool does wrong."""
        entry = ""
        try:
            rust = self._rust(launch, arch)
            entry = rust.entry
            python = self._python(launch, arch)
            self._write(launch, arch, python.bytecode, rust.bytecode)
            verdict, detail = self._compare(python, rust, arch)
        except Unsupported as reason:
            verdict, detail = "unsupported", str(reason)
        except _Failure as failure:
            verdict, detail = "error", str(failure)
        except Exception as error:
            verdict, detail = "error", f"{type(error).__name__}: {error}"
        return {
            "line": launch.line, "module": launch.module, "kernel": launch.kernel, "arch": arch, "entry": entry,
            "verdict": verdict, "detail": detail,
        }  # fmt: skip

    def _rust(self, launch: Launch, arch: str) -> RustArtifact:
        try:
            return self._compile_rust(launch, arch)
        except Unsupported:
            raise
        except Exception as error:
            raise _Failure(f"Rust: {error or type(error).__name__}") from error

    def _python(self, launch: Launch, arch: str) -> PythonArtifact:
        try:
            path = self._slice(launch.module, launch.kernel)
            return self._exporter().export(path, launch.kernel, launch.symbol, launch.hints, arch)
        except SliceError as error:
            raise _Failure(f"Python: {error}") from error
        except ExportError as error:
            raise _Failure(f"Python: {error}") from error

    def _slice(self, module: str, kernel: str) -> Path:
        with self._lock:
            known = self._slices.get((module, kernel))
            if known is None:
                try:
                    known = write_slice(self._tree, module, kernel, self._folder)
                except SliceError as error:
                    known = error
                self._slices[module, kernel] = known
        if isinstance(known, SliceError):
            raise SliceError(str(known))
        return known

    def _exporter(self) -> Exporter:
        exporter: Exporter | None = getattr(self._local, "exporter", None)
        if exporter is None:
            exporter = self._local.exporter = Exporter()
            with self._lock:
                self._exporters.append(exporter)
        return exporter

    def _write(self, launch: Launch, arch: str, python: bytes, rust: bytes) -> None:
        if self._keep is not None:
            stem = f"{launch.line:05}.{arch}"
            (self._keep / f"{stem}.python.tilebc").write_bytes(python)
            (self._keep / f"{stem}.rust.tilebc").write_bytes(rust)

    def _compare(self, python: PythonArtifact, rust: RustArtifact, arch: str) -> tuple[Verdict, str]:
        for side, bytecode in (("Python", python.bytecode), ("Rust", rust.bytecode)):
            try:
                self._assembler.assemble(bytecode, arch, python.opt_level)
            except ToolError as error:
                raise _Failure(f"the assembler refuses the {side} kernel: {error}") from error
        try:
            sass = compare(python.bytecode, rust.bytecode, arch, python.opt_level, self._assembler)
        except (ToolError, CubinError) as error:
            raise _Failure(f"the machine code cannot be read: {error}") from error
        if sass.equal:
            return "identical", _how(sass)
        code = f"machine code: {sass.first_difference}"
        try:
            difference = first_difference(canonical_ir(python.bytecode, arch), canonical_ir(rust.bytecode, arch))
        except (TileIrError, ToolError) as error:
            return "different", f"Tile IR cannot be compared: {error}\n{code}"
        if difference is None:
            return "ir-equal", code
        return "different", f"Tile IR parts at operation {difference.index}:\n{difference.render()}\n{code}"


class _Failure(Exception):
    pass


def _how(sass: SassResult) -> str:
    shown = {"registers": "up to the choice of registers", "set": "among the assembler's variants"}
    return shown.get(sass.how, "")
