"""Cold conversion of TileGym's kernels against a bare `libcst.parse_module` over the same files, each on one core.

    .venv/bin/python benchmarks/convert_speed.py [--runs N] [--json FILE]

Each run is a fresh process, the two sides alternating; `work` is the time between the end of imports and the end of the
process' work, `process` the whole of it with starting Python and importing. The figure is the ratio of the medians.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from tilegym_scope import scope_files

TARGET = 3.0
PARSE = """
import sys, time
import libcst
start = time.perf_counter()
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        libcst.parse_module(file.read())
print(time.perf_counter() - start)
"""
CONVERT = """
import sys, time
from pathlib import Path
from cutile2rs import pipeline
start = time.perf_counter()
result = pipeline.convert([Path(name) for name in sys.argv[2:]], Path(sys.argv[1]), False)
print(time.perf_counter() - start)
assert result.kernels_converted == result.kernels_total > 0
"""


def timed(program: str, out: Path, files: list[Path]) -> tuple[float, float]:
    """Seconds of work and of the whole process, for one run in a fresh process."""
    start = time.perf_counter()
    command = [sys.executable, "-c", program, str(out), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout), time.perf_counter() - start


def measure(runs: int) -> dict[str, float]:
    """Medians in seconds of both sides, and their ratios."""
    files = scope_files()
    parse, convert = [], []
    with tempfile.TemporaryDirectory() as folder:
        timed(PARSE, Path(folder), files)
        timed(CONVERT, Path(folder) / "warm", files)
        for number in range(runs):
            parse.append(timed(PARSE, Path(folder), files))
            convert.append(timed(CONVERT, Path(folder) / str(number), files))
    found = {}
    for index, name in enumerate(("work", "process")):
        found[f"parse_{name}"] = statistics.median(run[index] for run in parse)
        found[f"convert_{name}"] = statistics.median(run[index] for run in convert)
        found[f"ratio_{name}"] = found[f"convert_{name}"] / found[f"parse_{name}"]
    return found


def main() -> int:
    """Print the figures; the exit status is 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = measure(options.runs)
    for name in ("work", "process"):
        parse, convert, ratio = (found[f"{side}_{name}"] for side in ("parse", "convert", "ratio"))
        print(f"{name:8} parse_module {parse * 1e3:5.0f} ms   convert {convert * 1e3:5.0f} ms   {ratio:.2f} times")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    fine = found["ratio_process"] <= TARGET
    print(f"target: at most {TARGET:g} times, the whole process: {'met' if fine else 'missed'}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
