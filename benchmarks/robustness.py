"""Launches that nobody recorded: verdicts on random signatures of TileGym's kernels, by kernel.

    .venv/bin/python benchmarks/robustness.py --per-kernel N --seed S --arch sm_90 [--kernels REGEX] [--drawn PATH...]

Converts the corpus, varies the launches of each kernel (tests/corpus/signatures.py) until N of them are legal, which
means that cuTile Python exports them and its assembler takes them, and verifies these. With --drawn it does so for any
files and folders of kernels, which need no recorded launch: arguments are drawn from the kinds of the parameters
(tests/corpus/drawing.py); `suites` stands for TileGym's, `golden` for the golden kernels. `refused` counts launches that
no entry serves, for which there is a located reason; `different` and `error` must not occur: each is printed with its
line of a launches file. The figures go to benchmarks/results/robustness-ARCH.json, or where --json says.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "golden"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cutile2rs.verify.modules import SliceError
from tilegym_scope import tilegym_folder

from tests.corpus.sampling import (
    Figures,
    Name,
    PythonSide,
    Row,
    converted,
    corpus_launches,
    drawn_launches,
    legal_of,
    reproduction,
    total,
    varied_launches,
    verdicts,
)
from tests.workplace import GOLDEN, convert, write_rows

PLACES = {"suites": [tilegym_folder() / "suites"], "golden": [GOLDEN]}
"""What --drawn takes beside paths."""
RESULTS = Path(__file__).resolve().parent / "results"


def measure(options: argparse.Namespace, folder: Path) -> dict[Name, Figures]:
    """Figures of each kernel, printed as they come."""
    out = folder / "crate"
    figures: dict[Name, Figures] = {}
    if options.drawn:
        convert([path for name in options.drawn for path in PLACES.get(name, [Path(name)])], out)
        python = PythonSide(folder, out / "reference")
        candidates = drawn_launches(out, options.per_kernel, options.seed)
    else:
        recorded = {key: rows for key, rows in corpus_launches().items() if asked(key, options)}
        done = converted({module for module, _ in recorded}, out)
        python = PythonSide(folder)
        candidates = {key: varied_launches(recorded[key], options.per_kernel, options.seed) for key in recorded}
        for key in recorded.keys() - done:
            figures[key] = Figures(reasons=Counter(["the kernel is not converted"]))
            del candidates[key]
    candidates = {key: rows for key, rows in candidates.items() if asked(key, options)}
    print(f"converted {len(candidates)} of {len(candidates) + len(figures)} kernels")
    legal = sample(candidates, figures, options, python)
    print(header())
    results = zip(legal, verdicts(out, legal, options.arch, options.jobs, options.cache), strict=True)
    for key, each in figures.items():
        for row, result in itertools.islice(results, each.legal):
            each.take(row, result)
        print(line_of(".".join(key).removeprefix("tilegym.ops.cutile."), each), flush=True)
    print(line_of("all", total(figures.values())))
    return figures


def asked(key: Name, options: argparse.Namespace) -> bool:
    """Whether a kernel is among those that the command line asks for."""
    return bool(re.search(options.kernels, ".".join(key)))


def sample(
    candidates: Mapping[Name, Iterator[Row]], figures: dict[Name, Figures], options: Any, python: PythonSide
) -> list[Row]:
    """Legal launches of all kernels, in their order; counts them, and notes why a kernel has none."""
    legal: list[Row] = []
    try:
        for key, rows in candidates.items():
            each = figures[key] = Figures()
            try:
                some, each.tried = legal_of(rows, python, options.arch, options.per_kernel)
            except SliceError as error:
                each.reasons[f"there is no reference: {error}"] += 1
                continue
            each.legal = len(some)
            legal += some
    finally:
        python.close()
    return legal


def header() -> str:
    """The table's first line."""
    return f"{'kernel':66}" + "".join(f"{name.replace('_', '-'):>10}" for name in Figures().counts())


def line_of(name: str, figures: Figures) -> str:
    """A kernel's line of the table."""
    counts = "".join(f"{value:10}" for value in figures.counts().values())
    reason, times = next(iter(figures.reasons.most_common(1)), ("", 0))
    return f"{name[:66]:66}{counts}" + (f"  {times} times: {reason[:150]}" if reason else "")


def reason_of(figures: Figures, reason: str, times: int) -> dict[str, Any]:
    """A reason for refusals, how often it was given, and the first launch that it was given for."""
    row = figures.examples.get(reason, {})
    return {"reason": reason, "times": times} | {name: row[name] for name in ("symbol", "hints", "varied") if row}


def record(figures: Mapping[Name, Figures], options: argparse.Namespace, seconds: float) -> dict[str, Any]:
    """The results file."""

    def of(each: Figures) -> dict[str, Any]:
        return {**each.counts(), "reasons": [reason_of(each, *pair) for pair in each.reasons.most_common()]}

    whole = total(figures.values())
    return {
        "arch": options.arch, "seed": options.seed, "per_kernel": options.per_kernel, "kernels_asked": options.kernels,
        "seconds": round(seconds, 1), "all": of(whole), "problems": whole.problems,
        "kernels": {".".join(key): of(each) for key, each in figures.items()},
    }  # fmt: skip


def main() -> int:
    """Print the table and write the figures; the exit status is 1 where there is a `different` or an `error`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--per-kernel", type=int, default=10, metavar="N", help="legal launches of each kernel")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--kernels", default="", metavar="REGEX", help="found in `module.kernel`")
    parser.add_argument("--drawn", nargs="+", metavar="PATH", help="draw launches for the kernels of these sources")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--problems", type=Path, help="a launches file for what is different or an error")
    parser.add_argument("--cache", type=Path, help="a folder that keeps machine code between runs")
    options = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="robustness-") as folder:
        figures = measure(options, Path(folder))
    found = record(figures, options, time.perf_counter() - start)
    for problem in found["problems"]:
        print("\n" + reproduction(problem))
    written = options.json or RESULTS / f"robustness-{options.arch}.json"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    bad = [problem for problem in found["problems"] if problem["verdict"] != "ir-equal"]
    if options.problems:
        write_rows(options.problems, bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
