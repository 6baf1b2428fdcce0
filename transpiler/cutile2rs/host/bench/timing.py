"""Clocks for two ways to launch the same kernel, always one after the other in turns, so that both meet the same GPU."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Side = Callable[[], None]
"""One launch on the current stream."""

_TARGET_US = 400.0
"""Device time that one measurement should span: well above what events resolve."""
_MOST = 200
_SUBMITS = (5, 40)
"""Launches a round of submit time: few enough for the GPU's queue to hold them, fewer of long kernels."""
_ROUND_US = 20_000.0


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds of both sides: medians, and the median of the ratios Python to Rust of each pair."""

    python: float
    rust: float
    ratio: float
    how: str


def first(torch: Any, side: Side) -> float:
    """Milliseconds from a call to the end of its work: of the first launch, all compilation."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    side()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


def device_times(torch: Any, python: Side, rust: Side, pairs: int) -> Times:
    """Device time of a launch: by CUDA graphs of many, else by events around many."""
    count = _count(torch, python, rust)
    try:
        runs = [_graph(torch, side, count) for side in (python, rust)]
        how = "graph"
    except Exception as problem:
        torch.cuda.synchronize()
        runs = [lambda side=side: _repeat(side, count) for side in (python, rust)]  # type: ignore[misc]
        how = f"events ({type(problem).__name__} while capturing)"
    for run in runs:
        _elapsed(torch, run)
    samples = _alternate([lambda run=run: _elapsed(torch, run) / count for run in runs], pairs)  # type: ignore[misc]
    return _times(samples, how)


def submit_times(torch: Any, python: Side, rust: Side, pairs: int, device_us: float) -> Times:
    """Host time of an asynchronous launch, which takes `device_us` on the GPU."""
    least, most = _SUBMITS
    count = max(least, min(most, int(_ROUND_US / max(device_us, 1.0))))

    def submit(side: Side) -> float:
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            side()
        taken = time.perf_counter() - start
        torch.cuda.synchronize()
        return taken * 1e6 / count

    for side in (python, rust):
        submit(side)
    return _times(_alternate([lambda: submit(python), lambda: submit(rust)], pairs), "host clock")


def _alternate(measure: list[Callable[[], float]], pairs: int) -> list[tuple[float, float]]:
    """Pairs of samples; which side comes first changes from pair to pair."""
    samples = []
    for number in range(pairs):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        taken = [0.0, 0.0]
        for side in order:
            taken[side] = measure[side]()
        samples.append((taken[0], taken[1]))
    return samples


def _times(samples: list[tuple[float, float]], how: str) -> Times:
    python, rust = (statistics.median(sample[side] for sample in samples) for side in (0, 1))
    ratio = statistics.median(a / b if b > 0 else 1.0 for a, b in samples)
    return Times(python, rust, ratio, how)


def _count(torch: Any, python: Side, rust: Side) -> int:
    """How many launches make a measurement long enough. Both sides launch equally often: what they work on stays equal."""
    longest = 1.0
    for side in (python, rust):
        side()
        longest = max(longest, _elapsed(torch, lambda side=side: _repeat(side, 5)) / 5)  # type: ignore[misc]
    return max(1, min(_MOST, round(_TARGET_US / longest)))


def _repeat(side: Side, count: int) -> None:
    for _ in range(count):
        side()


def _elapsed(torch: Any, run: Callable[[], None]) -> float:
    """Device time of all that a function puts on the current stream, in microseconds."""
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    events[0].record()
    run()
    events[1].record()
    events[1].synchronize()
    return float(events[0].elapsed_time(events[1])) * 1e3


def _graph(torch: Any, side: Side, count: int) -> Callable[[], None]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        _repeat(side, count)
    replay: Callable[[], None] = graph.replay
    return replay
