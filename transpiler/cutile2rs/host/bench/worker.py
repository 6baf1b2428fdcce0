"""Worker process: measures one launch a request, one line of JSON each way.

Run as `python -m cutile2rs.host.bench.worker OUT`. Its first line says whether it can measure at all. A CUDA error that
spoils the context is told as `fatal`: the process is of no use then.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from cutile2rs.verify.export_worker import prepared

from . import arguments, timing

_DTYPES = {"bool_": "bool", "float4_e2m1fn": "float4_e2m1fn_x2"}
"""PyTorch's names of dtypes where they are others than `cuda.tile`'s."""


class Bench:
    """What all measurements share: PyTorch, the output's runtime, and the Rust library, loaded."""

    def __init__(self, out: Path) -> None:
        torch: Any = importlib.import_module("torch")
        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU")
        self.torch = torch
        places = sorted((out / "python").glob("*/_cutile2rs"))
        if len(places) != 1:
            raise RuntimeError(f"{out / 'python'} holds no package that a conversion wrote")
        [place] = places
        sys.path.insert(0, str(out / "python"))
        self.kernels: Any = importlib.import_module(f"{place.parent.name}._cutile2rs.kernels")
        importlib.import_module(f"{place.parent.name}._cutile2rs.library").native()
        torch.empty(1, device="cuda")

    def measure(self, request: dict[str, Any]) -> dict[str, Any]:
        """One launch on both sides. Where only the timing fails, the row says so in `timing_error`."""
        from cuda.tile._cext import launch as python_launch

        row: dict[str, Any] = {}
        torch = self.torch
        original, signature = prepared(request["slice"], request["kernel"], request["symbol"], request["hints"])
        options = original._compiler_options
        hints = {name: getattr(options, name) for name in options.__dataclass_fields__}
        converted = self.kernels.Kernel(request["name"], original._pyfunc, hints)
        recorded = arguments.Recorded(request["shapes"], request["scalars"], request["lists"])
        plans = arguments.plan(signature.parameters, recorded, request["scalar"])
        source = [self._storage(one, number) for number, one in enumerate(arguments.arrays(plans))]
        grid = tuple(request["grid"])

        def fresh() -> tuple[list[Any], tuple[Any, ...]]:
            storages = [storage.clone() for storage in source]
            waiting = iter(storages)
            return storages, tuple(self._argument(one, waiting) for one in plans)

        stream = torch.cuda.current_stream()
        launch = self.kernels.launch
        (bytes_p, args_p), (bytes_r, args_r), (bytes_q, args_q) = fresh(), fresh(), fresh()
        row["symbol_made"] = self._symbol(original, args_p) == request["symbol"]
        row["first_ms"] = {"python": timing.first(torch, lambda: python_launch(stream, grid, original, args_p))}
        python_launch(stream, grid, original, args_q)
        row["first_ms"]["rust"] = timing.first(torch, lambda: launch(stream, grid, converted, args_r))
        row["deterministic"] = _equal(torch, bytes_p, bytes_q)
        row["bit_equal"] = _equal(torch, bytes_p, bytes_r)
        row["changed"] = not _equal(torch, bytes_p, source)
        for made in (bytes_p, bytes_r):  # what a launch leaves may be no valid input of the next
            for storage, before in zip(made, source, strict=True):
                storage.copy_(before)
        try:
            self._time(row, args_p, args_r, (grid, original, converted), request["pairs"])
            torch.cuda.synchronize()
        except Exception as problem:
            row["timing_error"] = _told(problem)
        return row

    def _time(self, row: dict[str, Any], args_p: Any, args_r: Any, what: Any, pairs: int) -> None:
        from cuda.tile._cext import launch as python_launch

        torch, (grid, original, converted) = self.torch, what
        launch, current = self.kernels.launch, torch.cuda.current_stream
        device = timing.device_times(
            torch, lambda: python_launch(current(), grid, original, args_p),
            lambda: launch(current(), grid, converted, args_r), pairs,
        )  # fmt: skip
        stream = current()
        submit = timing.submit_times(
            torch, lambda: python_launch(stream, grid, original, args_p),
            lambda: launch(stream, grid, converted, args_r), pairs, max(device.python, device.rust),
        )  # fmt: skip
        row["device_us"] = {"python": device.python, "rust": device.rust}
        row["device_ratio"], row["device_by"] = device.ratio, device.how
        row["submit_us"] = {"python": submit.python, "rust": submit.rust}
        row["submit_ratio"] = 1.0 / submit.ratio

    def _storage(self, made: arguments.ArrayPlan, seed: int) -> Any:
        """An array's storage, filled: floats at random, everything else with zeros, which are valid indices."""
        torch = self.torch
        dtype = getattr(torch, _DTYPES.get(made.dtype, made.dtype), None)
        if dtype is None:
            raise arguments.ArgumentError(f"PyTorch has no dtype {made.dtype}")
        if not made.dtype.startswith(("float", "bfloat")):
            return torch.zeros(made.storage, dtype=dtype, device="cuda")
        generator = torch.Generator(device="cuda").manual_seed(1000 + seed)
        data = torch.randn(made.storage, dtype=torch.float32, device="cuda", generator=generator)
        return data.mul_(0.5).to(dtype)

    def _argument(self, one: arguments.Plan, storages: Any) -> Any:
        if isinstance(one, arguments.ArrayPlan):
            return next(storages).as_strided(one.shape, one.strides, one.offset)
        if isinstance(one, arguments.ListPlan):
            items = [self._argument(item, storages) for item in one.items]
            return tuple(items) if one.is_tuple else items
        return one.value

    def _symbol(self, kernel: Any, args: tuple[Any, ...]) -> str:
        from cutile2rs.host.hook.recorder import signature_of

        return str(signature_of(kernel, args).symbol)


def _equal(torch: Any, left: list[Any], right: list[Any]) -> bool:
    """Whether all storages hold the same bits."""
    return all(torch.equal(a.view(torch.uint8), b.view(torch.uint8)) for a, b in zip(left, right, strict=True))


def _told(problem: Exception) -> str:
    return f"{type(problem).__name__}: {' '.join((str(problem) or repr(problem)).split())[:500]}"


def answer(bench: Bench, line: str) -> dict[str, Any]:
    """The answer to one request: figures, or what went wrong."""
    try:
        row = bench.measure(json.loads(line))
    except Exception as problem:
        row = {"error": _told(problem)}
    try:
        bench.torch.cuda.synchronize()
        bench.torch.cuda.empty_cache()
    except Exception:
        row["fatal"] = True
    return row


def main() -> None:
    """Serve until the input ends. What others print goes to the error stream."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def reply(value: dict[str, Any]) -> None:
        replies.write(json.dumps(value) + "\n")
        replies.flush()

    try:
        bench = Bench(Path(sys.argv[1]))
    except Exception as problem:
        reply({"ready": False, "error": f"{type(problem).__name__}: {problem}"})
        return
    name = bench.torch.cuda.get_device_name()
    reply({"ready": True, "gpu": name, "torch": bench.torch.__version__})
    for line in sys.stdin:
        reply(answer(bench, line))


if __name__ == "__main__":
    main()
