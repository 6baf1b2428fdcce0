"""TileGym's operators with the converted kernels against the original: the same bits, and the time on the device.

    python benchmarks/operators/run.py OUT [--operators REGEX] [--json FILE] [--rounds N]

Needs a GPU with torch, cuda.tile and TileGym; OUT is the output of `cutile2rs convert` on TileGym's operator folder,
built. Tuning is off, so that both sides run the same configuration: TILEGYM_DISABLE_AUTOTUNE, and where an operator
tunes nevertheless it gets the first configuration that works. Each call is made from
fresh inputs of the same seed; what it returns is compared bit for bit, and the original is called twice: where its own
two results differ, it is not deterministic and that is what is said. What the original refuses is no case. Times are those of
`timing.py`: the whole call on the device, the ratio being the original's time by the converted one's; `control` is the
original's time by its own, measured in the same way.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import math
import os
import re
import statistics
import sys
import traceback
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("TILEGYM_DISABLE_AUTOTUNE", "1")
os.environ.setdefault("DISABLE_FALLBACK", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch
from timing import Side, device_times
from tuning import settle

ORIGINAL, CONVERTED = "cutile", "cutile-rs"


def tensors(value: Any) -> list[torch.Tensor]:
    """Every tensor in a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value.detach()]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in tensors(item)]
    return []


def same_bits(left: Iterable[torch.Tensor], right: Iterable[torch.Tensor]) -> bool:
    """Whether two results are equal bit for bit: NaNs and signed zeros too."""
    return all(
        a.shape == b.shape and a.dtype == b.dtype and torch.equal(_bytes(a), _bytes(b))
        for a, b in zip(left, right, strict=True)
    )


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def compared(case: Any, rounds: int) -> dict[str, Any]:
    """One case on both sides."""
    import tilegym
    from inputs import Inputs

    calls = {side: case.make(Inputs(7)) for side in (ORIGINAL, "again", CONVERTED)}
    results = {}
    for side, call in calls.items():
        tilegym.set_backend(CONVERTED if side == CONVERTED else ORIGINAL)
        try:
            results[side] = [tensor.clone() for tensor in tensors(call())]
        except Exception as error:
            if side == CONVERTED:
                raise
            return {"refused": f"{type(error).__name__}: {error}"[:200]}
        torch.cuda.synchronize()
    row: dict[str, Any] = {
        "outputs": len(results[ORIGINAL]),
        "deterministic": same_bits(results[ORIGINAL], results["again"]),
        "bit_equal": same_bits(results[ORIGINAL], results[CONVERTED]),
    }
    if rounds:
        sides = [Side(side, partial(tilegym.set_backend, side)) for side in (ORIGINAL, CONVERTED)]
        try:
            row |= device_times(calls[ORIGINAL], sides, rounds)
        except Exception as error:
            row["timing_error"] = f"{type(error).__name__}: {error}"[:400]
    return row


def main() -> int:
    """Print a line a case and a summary; the exit status is 1 where bits differ or a call fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--operators", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    register(options.out)
    from cases import all_cases

    rows: list[dict[str, Any]] = []
    for case in all_cases():
        if not re.search(options.operators, case.operator):
            continue
        row: dict[str, Any] = {"operator": case.operator, "case": case.what}
        try:
            row |= compared(case, options.rounds)
        except Exception as error:
            row |= {"error": f"{type(error).__name__}: {error}"[:400], "where": traceback.format_exc()[-600:]}
        rows.append(row)
        print(line(row), flush=True)
        if options.json:  # after each: a process that CUDA ends says nothing more
            found = {"device": torch.cuda.get_device_name(), "rows": rows}
            options.json.write_text(json.dumps(found, indent=1) + "\n")
    return summary(rows)


def register(out: Path) -> None:
    """Make the converted operators TileGym's backend."""
    sys.path.insert(0, str(out / "python"))
    [package] = [p.name for p in (out / "python").iterdir() if (p / "__init__.py").is_file()]
    settle(f"{package}._cutile2rs")
    importlib.import_module(package).register()
    gc.freeze()  # each capture collects garbage, and would go through all of PyTorch's objects


def line(row: dict[str, Any]) -> str:
    """A case in one line."""
    head: str = f"{row['operator']:28} {row['case']:40} "
    if "refused" in row:
        return head + f"the original refuses it: {row['refused']}".split("\n")[0][:120]
    if "error" in row:
        return head + str(row["error"]).split("\n")[0][:120]
    bits = "equal" if row["bit_equal"] else "DIFFERENT" if row["deterministic"] else "not deterministic"
    if "ratio" not in row:
        return head + bits + (f", not timed: {row['timing_error']}".split("\n")[0] if "timing_error" in row else "")
    times = (
        f" {row['python_us']:9.2f} {row['rust_us']:9.2f} us  {row['ratio']:.4f} ({row['control']:.4f}) {row['timing']}"
    )
    return head + bits + times


def summary(rows: list[dict[str, Any]]) -> int:
    """Figures over all operators."""
    by_operator: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if "refused" not in row:
            by_operator[row["operator"]].append(row)
    equal = [o for o, r in by_operator.items() if all(c.get("bit_equal") for c in r)]
    loose = [o for o, r in by_operator.items() if any(c.get("deterministic") is False for c in r)]
    wrong = [o for o, r in by_operator.items() if any(c.get("deterministic") and not c["bit_equal"] for c in r)]
    failed = [o for o, r in by_operator.items() if any("error" in c for c in r)]
    print(f"\n{len(equal)} of {len(by_operator)} operators: every case equal bit for bit")
    print(f"not deterministic in the original: {', '.join(loose) or 'none'}")
    print(f"different: {', '.join(wrong) or 'none'}\nwith a failing case: {', '.join(failed) or 'none'}")
    for what in ("ratio", "control"):
        timed = {o: [c[what] for c in r if c.get("timing") in ("graph", "queue")] for o, r in by_operator.items()}
        medians = {o: statistics.median(r) for o, r in timed.items() if r}
        if medians:
            mean = math.exp(statistics.fmean(math.log(m) for m in medians.values()))
            low = sorted((o for o in medians if medians[o] < 0.99), key=lambda o: medians[o])
            below = ", ".join(f"{o} {medians[o]:.4f}" for o in low) or "none"
            title = "Python/Rust" if what == "ratio" else "Python/Python"
            print(f"device time, {title}: {len(medians)} operators, geometric mean {mean:.5f}; below 0.99: {below}")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
