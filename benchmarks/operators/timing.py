"""Device time of one call under two backends, by turns, and of the first of them a second time: what the noise is.

All three run the same call on the same inputs. They are timed as CUDA graphs of many calls where the call can be captured;
else as many calls in a queue behind a kernel that keeps the device busy until all are submitted, so that the host's time does
not show. The ratio is the median over rounds of the two times of a round.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

Call = Callable[[], Any]
SPAN_US = 600.0
"""What a graph of a short call is made to take: far more than starting a graph does."""
MOST_CALLS = 100
QUEUED_CALLS = 10
CYCLES_A_SECOND = 2e9
LONGEST_WAIT_S = 0.1


@dataclass(frozen=True)
class Side:
    """A backend, and what chooses it."""

    name: str
    choose: Callable[[], None]


def device_times(call: Call, sides: Sequence[Side], rounds: int) -> dict[str, Any]:
    """Times of the original and the converted side, and of the original again.

    `timing` says how they were taken: `graph`, `queue`, or `host`, where the device had to wait for the host.
    """
    original, converted = sides
    three = (original, converted, original)
    for side in three[:2]:
        side.choose()
        host = _host_seconds(call)
    count = max(1, min(MOST_CALLS, round(SPAN_US / max(_queue_us(call, 2, host)[0], 1.0))))
    graphs = _graphs(call, three, count)
    found: list[list[float]] = [[], [], []]
    waited = False
    for number in range(rounds + 1):
        for turn in range(3):
            which = (turn + number) % 3 if number % 2 else (2 - turn + number) % 3
            three[which].choose()
            if graphs is not None:
                us = _graph_us(graphs[which], count)
            else:
                us, late = _queue_us(call, QUEUED_CALLS, host)
                waited |= late
            if number:
                found[which].append(us)
    python, rust, again = found
    return {
        "timing": "graph" if graphs is not None else "host" if waited else "queue",
        "calls": count if graphs is not None else QUEUED_CALLS,
        "python_us": statistics.median(python),
        "rust_us": statistics.median(rust),
        "ratio": statistics.median(p / r for p, r in zip(python, rust, strict=True)),
        "control": statistics.median(p / a for p, a in zip(python, again, strict=True)),
    }


def _host_seconds(call: Call, calls: int = 4) -> float:
    """How long the host takes for one call, at most, once everything is compiled."""
    call()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    taken = (time.perf_counter() - start) / calls
    torch.cuda.synchronize()
    return taken


def _queue_us(call: Call, calls: int, host: float) -> tuple[float, bool]:
    """Microseconds of a call on the device, of some in a queue; and whether the device was done waiting before the host."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    wait = min(1e-3 + 2 * host * calls, LONGEST_WAIT_S)
    torch.cuda._sleep(int(wait * CYCLES_A_SECOND))
    start.record()
    for _ in range(calls):
        call()
    end.record()
    late = start.query()
    torch.cuda.synchronize()
    return float(start.elapsed_time(end)) * 1e3 / calls, late


def _graph_us(graph: Any, calls: int) -> float:
    """Microseconds of a call, of a graph of some."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(3):
        graph.replay()
    end.record()
    torch.cuda.synchronize()
    return float(start.elapsed_time(end)) * 1e3 / (3 * calls)


def _graphs(call: Call, sides: Sequence[Side], calls: int) -> list[Any] | None:
    """A graph a side, each with as many calls; None where one cannot be captured.

    They share memory: what one side's kernels write lies where the other's do.
    """
    stream, pool = torch.cuda.Stream(), torch.cuda.graph_pool_handle()
    graphs = []
    try:
        for side in sides:
            side.choose()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                call()
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with _no_collection(), torch.cuda.graph(graph, stream=stream, pool=pool):
                for _ in range(calls):
                    call()
            graphs.append(graph)
    except Exception:
        torch.cuda.synchronize()
        return None
    return graphs


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing is destroyed meanwhile but what is dropped: a kernel's end may be an end of the capture."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
