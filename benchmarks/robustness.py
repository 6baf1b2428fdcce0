"""Launches that nobody recorded: verdicts on random signatures of TileGym's kernels, by kernel.

    .venv/bin/python benchmarks/robustness.py --per-kernel N --seed S --arch sm_90 [--kernels REGEX]

Converts the corpus, varies the launches of each kernel (tests/corpus/signatures.py) until N of them are legal, which
means that cuTile Python exports them and its assembler takes them, and verifies these. `refused` counts launches that
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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "golden"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cutile2rs.verify.modules import SliceError

from tests.corpus.sampling import (
    Figures,
    Name,
    PythonSide,
    Row,
    converted,
    corpus_launches,
    reproduction,
    sampled,
    total,
    verdicts,
)
from tests.workplace import write_rows

RESULTS = Path(__file__).resolve().parent / "results"


def measure(options: argparse.Namespace, folder: Path) -> dict[Name, Figures]:
    """Figures of each kernel, printed as they come."""
    asked = {key: rows for key, rows in corpus_launches().items() if re.search(options.kernels, ".".join(key))}
    out = folder / "crate"
    done = converted({module for module, _ in asked}, out)
    print(f"converted {len(done & asked.keys())} of {len(asked)} kernels")
    figures = {key: Figures() for key in asked}
    legal = sample(asked, done, figures, options, folder)
    print(header())
    results = zip(legal, verdicts(out, legal, options.arch, options.jobs, options.cache), strict=True)
    for key, each in figures.items():
        for row, result in itertools.islice(results, each.legal):
            each.take(row, result)
        print(line_of(".".join(key).removeprefix("tilegym.ops.cutile."), each), flush=True)
    print(line_of("all", total(figures.values())))
    return figures


def sample(
    asked: Mapping[Name, list[Row]], done: set[Name], figures: Mapping[Name, Figures], options: Any, folder: Path
) -> list[Row]:
    """Legal launches of all kernels, in their order; counts them, and notes why a kernel has none."""
    python = PythonSide(folder)
    legal: list[Row] = []
    try:
        for key, rows in asked.items():
            each = figures[key]
            if key not in done:
                each.reasons["the kernel is not converted"] += 1
                continue
            try:
                some, each.tried = sampled(rows, python, options.arch, options.per_kernel, options.seed)
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
