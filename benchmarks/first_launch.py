"""How long a first launch takes with prebuilt cubins, each time in a fresh process: no compiler, no assembler, no cache.

    python benchmarks/first_launch.py OUT --prebuilt FOLDER [--times N] [--json FILE]

Needs a GPU with torch, cuda.tile and TileGym; OUT is the output of `cutile2rs convert` on TileGym's operators, built, FOLDER
was filled by `cutile2rs convert --prebuild` for the softmax of 256 x 1024 f16. PyTorch's context is there before, as in any
program that has tensors. `library_ms` is loading the Rust library, `launch_ms` the first launch until it has run, and
`together_ms` both: what the first launch of a process takes. `python_ms` is the original's first launch, compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def first(out: Path) -> dict[str, Any]:
    """In a process of its own: the first launch, then the original's."""
    import torch
    from launching import equal, first_ms, sides

    python, rust = sides(out)
    x = torch.randn(256, 1024, device="cuda", dtype=torch.float16)
    y, expected = torch.empty_like(x), torch.empty_like(x)
    torch.cuda.synchronize()
    library: Any = next(module for name, module in sys.modules.items() if name.endswith("._cutile2rs.library"))
    start = time.perf_counter()
    library.native()
    loaded = (time.perf_counter() - start) * 1e3
    launched = first_ms(lambda: rust(y, x))
    again = first_ms(lambda: rust(y, x))
    compiled = first_ms(lambda: python(expected, x))
    return {
        "device": torch.cuda.get_device_name(),
        "library_ms": loaded,
        "launch_ms": launched,
        "together_ms": loaded + launched,
        "second_ms": again,
        "python_ms": compiled,
        "equal": equal(y, expected),
    }


def in_fresh_processes(out: Path, prebuilt: Path, times: int) -> list[dict[str, Any]]:
    """The same in several processes that find cubins and nothing to compile with."""
    environment = {
        **os.environ,
        "CUTILE2RS_PREBUILT": str(prebuilt),
        "CUTILE2RS_CACHE": "",
        "CUTILE2RS_TILEIRAS": str(prebuilt / "no-assembler"),
    }
    rows = []
    for _ in range(times):
        command = [sys.executable, __file__, str(out), "--one"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr[-3000:])
        rows.append(json.loads(done.stdout.splitlines()[-1]))
    return rows


def main() -> int:
    """Print medians; the exit status is 1 where a result is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--prebuilt", type=Path)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", action="store_true", help="measure in this process, and print what was found")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(first(options.out.resolve())))
        return 0
    prebuilt: Path = (options.prebuilt or options.out / "prebuilt").resolve()
    rows = in_fresh_processes(options.out.resolve(), prebuilt, options.times)
    medians = {name: statistics.median(row[name] for row in rows) for name in rows[0] if name.endswith("_ms")}
    found = {"device": rows[0]["device"], "equal": all(row["equal"] for row in rows), **medians, "each": rows}
    for name, value in found.items():
        if name != "each":
            print(f"{name:14} {value:.3f}" if isinstance(value, float) else f"{name:14} {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if found["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
