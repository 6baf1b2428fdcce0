"""What a launch from Python costs, against `cuda.tile.launch` in the same run: submit time, first launch, memory, threads.

    python benchmarks/launching.py OUT [--json FILE]

Needs a GPU with torch, cuda.tile and TileGym; OUT is the built output of `cutile2rs convert` on TileGym's operators. One
small kernel is launched, a softmax of 256 x 1024 f16. The submit time is the best of 7 times 200 launches, three times on
each side in alternation; so is that of an operator that launches with lists of arrays. A launch is captured in a graph;
100,000 launches must not grow the process; eight threads launch on eight streams.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TILEGYM_DISABLE_AUTOTUNE", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent / "operators"))

import torch
from tuning import settle

ROWS, WIDTH, GRID = 256, 1024, (256, 1, 1)
MANY = 100_000
Launch = Callable[[torch.Tensor, torch.Tensor], None]


def sides(out: Path) -> tuple[Launch, Launch]:
    """Launches of the original kernel and of the converted one: output, input."""
    import cuda.tile as ct

    package = _package(out)
    settle(f"{package}._cutile2rs")  # before operators take the searches that they tune by
    importlib.import_module("tilegym.ops")
    runtime: Any = importlib.import_module(f"{package}._cutile2rs")
    original: Any = importlib.import_module("tilegym.ops.cutile.softmax")
    converted: Any = importlib.import_module(f"{package}.ops.cutile.softmax")
    before, after = original._softmax_kernel, converted._softmax_kernel

    def python(y: torch.Tensor, x: torch.Tensor) -> None:
        ct.launch(torch.cuda.current_stream(), GRID, before, (y, x, ROWS, WIDTH, WIDTH))

    def rust(y: torch.Tensor, x: torch.Tensor) -> None:
        runtime.launch(torch.cuda.current_stream(), GRID, after, (y, x, ROWS, WIDTH, WIDTH))

    return python, rust


def _package(out: Path) -> str:
    """The converted package's name; it can be imported."""
    folder = str(out / "python")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    [package] = [p.name for p in (out / "python").iterdir() if (p / "__init__.py").is_file()]
    return package


def submit_us(launch: Callable[[], None], count: int = 200, repeats: int = 7) -> float:
    """Microseconds that one launch keeps the CPU, at best."""
    best = float("inf")
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            launch()
        best = min(best, time.perf_counter() - start)
    torch.cuda.synchronize()
    return best / count * 1e6


def list_submits_us(out: Path) -> tuple[float, float]:
    """Microseconds of the host for a call of `group_gemm`, whose kernel takes lists of arrays, by both backends."""
    import tilegym
    from tilegym.ops.ops import group_gemm

    importlib.import_module(_package(out)).register()
    sizes = ((256, 512, 128), (384, 256, 128), (128, 128, 128))
    a = [torch.randn(m, k, device="cuda", dtype=torch.float16) for m, _, k in sizes]
    b = [torch.randn(k, n, device="cuda", dtype=torch.float16) for _, n, k in sizes]
    best = {"cutile": float("inf"), "cutile-rs": float("inf")}
    for _ in range(3):
        for backend in best:
            tilegym.set_backend(backend)
            group_gemm(a, b)
            best[backend] = min(best[backend], submit_us(lambda: group_gemm(a, b), 50))
    return best["cutile"], best["cutile-rs"]


def first_ms(launch: Callable[[], None]) -> float:
    """Milliseconds until the first launch has run."""
    start = time.perf_counter()
    launch()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


def equal(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two f16 tensors have the same bits."""
    return bool(torch.equal(left.view(torch.int16), right.view(torch.int16)))


def graph_is_equal(launch: Launch, x: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether a captured launch computes the same."""
    y = torch.zeros_like(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        launch(y, x)
    graph.replay()
    torch.cuda.synchronize()
    return equal(y, expected)


def growth_kib(launch: Callable[[], None]) -> int:
    """How much the process grows in many launches."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4

    for _ in range(2000):
        launch()
    torch.cuda.synchronize()
    before = resident()
    for _ in range(MANY):
        launch()
    torch.cuda.synchronize()
    return resident() - before


def wrong_threads(python: Launch, rust: Launch, threads: int = 8) -> list[int]:
    """Threads, each on a stream of its own, whose result is not the original's."""
    wrong: list[int] = []

    def work(number: int) -> None:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            x = torch.randn(ROWS, WIDTH, device="cuda", dtype=torch.float16)
            expected, y = torch.empty_like(x), torch.empty_like(x)
            python(expected, x)
            for _ in range(500):
                rust(y, x)
            stream.synchronize()
            if not equal(expected, y):
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return wrong


def main() -> int:
    """Print the figures; the exit status is 1 where a result is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    python, rust = sides(options.out)
    x = torch.randn(ROWS, WIDTH, device="cuda", dtype=torch.float16)
    expected, y = torch.empty_like(x), torch.empty_like(x)
    found: dict[str, Any] = {"device": torch.cuda.get_device_name()}
    found["first_python_ms"] = first_ms(lambda: python(expected, x))
    found["first_rust_ms"] = first_ms(lambda: rust(y, x))
    found["equal"] = equal(expected, y)
    pairs = [(submit_us(lambda: python(expected, x)), submit_us(lambda: rust(y, x))) for _ in range(3)]
    found["submit_python_us"], found["submit_rust_us"] = (min(side) for side in zip(*pairs, strict=True))
    found["submit_ratio"] = found["submit_rust_us"] / found["submit_python_us"]
    found["list_python_us"], found["list_rust_us"] = list_submits_us(options.out)
    found["graph_equal"] = graph_is_equal(rust, x, expected)
    found["growth_kib"] = growth_kib(lambda: rust(y, x))
    found["wrong_threads"] = wrong_threads(python, rust)
    for name, value in found.items():
        print(f"{name:18} {value:.3f}" if isinstance(value, float) else f"{name:18} {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if found["equal"] and found["graph_equal"] and not found["wrong_threads"] else 1


if __name__ == "__main__":
    sys.exit(main())
