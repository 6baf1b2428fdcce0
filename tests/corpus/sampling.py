"""Legal launches of the corpus that nobody recorded, and their verdicts, counted."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutile2rs import pipeline
from cutile2rs.frontend import load_project
from cutile2rs.verify.api import RustSide
from cutile2rs.verify.export import Exporter, ExportError, PythonArtifact
from cutile2rs.verify.launches import parse_launch
from cutile2rs.verify.modules import ReferenceTree
from cutile2rs.verify.run import Result, verify
from cutile2rs.verify.slicing import write_slice
from tilegym_scope import tilegym_folder

from tests.corpus.drawing import drawn
from tests.corpus.signatures import variants
from tests.corpus.unrecorded import unrecorded
from tests.workplace import launches_file, read_rows

Row = dict[str, Any]
"""A line of a launches file."""
Name = tuple[str, str]
"""A kernel: module and name."""
VERDICTS = {"identical": "identical", "ir-equal": "ir_equal", "different": "different", "unsupported": "refused"}
NOT_LEGAL = "the assembler refuses the Python kernel"
TRIES = 5
"""So many times the legal launches asked for are tried at most."""
DRAWS = 40
"""The same, for launches drawn without a recorded one."""


def corpus_launches() -> dict[Name, list[Row]]:
    """The launches to start from, recorded and derived by hand, by kernel."""
    found: dict[Name, list[Row]] = {}
    for row in [*read_rows(launches_file()), *unrecorded()]:
        found.setdefault((row["module"], row["kernel"]), []).append(row)
    return dict(sorted(found.items()))


class PythonSide:
    """Exports launches of the installed package's kernels, or of those of another folder of modules."""

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        """`folder` takes the kernels, each cut out of the package, or out of the modules below `root`."""
        if root is None:
            root = folder / "installed"
            root.mkdir()
            (root / tilegym_folder().name).symlink_to(tilegym_folder(), target_is_directory=True)
        self._tree = ReferenceTree(root)
        self._folder = folder
        self._slices: dict[Name, Path] = {}
        self._exporter = Exporter()

    def export(self, row: Mapping[str, Any], arch: str) -> PythonArtifact:
        """Tile IR of a launch. Raises ExportError where cuTile refuses it, SliceError where its kernel is not found."""
        key = row["module"], row["kernel"]
        if key not in self._slices:
            self._slices[key] = write_slice(self._tree, *key, self._folder)
        return self._exporter.export(self._slices[key], row["kernel"], row["symbol"], row["hints"], arch)

    def close(self) -> None:
        """End the worker process."""
        self._exporter.__exit__(None, None, None)


def varied_launches(rows: Sequence[Row], count: int, seed: int | str) -> Iterator[Row]:
    """Candidates for `count` legal launches of a kernel with recorded ones."""
    return itertools.islice(variants(rows, seed), count * TRIES)


def drawn_launches(out: Path, count: int, seed: int | str) -> dict[Name, Iterator[Row]]:
    """Candidates for `count` legal launches of every kernel converted to `out`, from the kinds of its parameters."""
    return {
        (module, kernel["kernel"]): itertools.islice(drawn(module, kernel, seed), count * DRAWS)
        for module, kernel in converted_kernels(out)
    }


def legal_of(candidates: Iterable[Row], python: PythonSide, arch: str, count: int) -> tuple[list[Row], int]:
    """The first launches that Python exports, `count` at most, and how many were tried for them."""
    legal: list[Row] = []
    tried = 0
    for row in candidates:
        if len(legal) == count:
            break
        tried += 1
        try:
            python.export(row, arch)
        except ExportError:
            continue
        legal.append(row)
    return legal, tried


def converted(modules: set[str], out: Path) -> set[Name]:
    """Convert modules of the corpus; the kernels that there is Rust for."""
    project, _ = load_project([tilegym_folder() / "ops" / "cutile"])
    pipeline.convert([Path(m.file) for m in project.modules.values() if m.name in modules], out, True)
    if not (out / "manifest.json").exists():
        return set()
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    return {(m["module"], kernel["kernel"]) for m in manifest["modules"] for kernel in m["kernels"]}


def converted_kernels(out: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The module and the manifest's row of each kernel in an output folder; of a kernel defined again, the first."""
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for module in manifest["modules"]:
        rows = {kernel["kernel"]: kernel for kernel in reversed(module["kernels"])}
        for name in sorted(rows):
            yield module["module"], rows[name]


def verdicts(out: Path, rows: Sequence[Row], arch: str, jobs: int = 1, cache: Path | None = None) -> Iterator[Result]:
    """The verdict of each launch, in order."""
    launches = [parse_launch(json.dumps(row), line, "variants") for line, row in enumerate(rows)]
    return verify(out, launches, [arch], None, jobs, RustSide(out).compile, cache)


@dataclass
class Figures:
    """What became of the launches of one kernel, or of all."""

    tried: int = 0
    legal: int = 0
    identical: int = 0
    ir_equal: int = 0
    different: int = 0
    refused: int = 0
    error: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Why launches were refused."""
    examples: dict[str, Row] = field(default_factory=dict)
    """For each reason, the first launch refused for it."""
    problems: list[Row] = field(default_factory=list)
    """What is not identical and not refused."""

    def take(self, row: Row, result: Result) -> None:
        """Count one verdict. What Python's own assembler refuses was not legal."""
        verdict, detail = result["verdict"], result["detail"]
        if verdict == "error" and detail.startswith(NOT_LEGAL):
            self.legal -= 1
            return
        name = VERDICTS.get(verdict, "error")
        setattr(self, name, getattr(self, name) + 1)
        if name == "refused":
            reason = re.sub(r"\d+", "N", detail.split("\n")[0])
            self.reasons[reason] += 1
            self.examples.setdefault(reason, row)
        elif name != "identical":
            self.problems.append({**row, "verdict": verdict, "entry": result["entry"], "detail": detail})

    def counts(self) -> dict[str, int]:
        """The numbers, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, int)}


def total(parts: Iterable[Figures]) -> Figures:
    """The sum over kernels."""
    whole = Figures()
    for figures in parts:
        for name, value in figures.counts().items():
            setattr(whole, name, getattr(whole, name) + value)
        whole.reasons.update(figures.reasons)
        whole.examples = figures.examples | whole.examples
        whole.problems += figures.problems
    return whole


def reproduction(problem: Row) -> str:
    """All that is needed to see a problem again: what was varied, the line of a launches file, what is wrong."""
    line = {name: problem[name] for name in ("module", "kernel", "symbol", "hints", "grid", "shapes")}
    said = f"{problem['verdict']}: {problem['kernel']} ({problem['entry']}), varied: {'; '.join(problem['varied'])}"
    return "\n".join([said, json.dumps(line), *(f"  {text}" for text in problem["detail"].split("\n")[:12])])
