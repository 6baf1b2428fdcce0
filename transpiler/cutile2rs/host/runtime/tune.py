"""`cuda.tile.tune` for Rust kernels: the same functions, arguments and results, with the Rust kernel launched and timed."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .kernels import Kernel, as_kernel, launch

WARM_UP = 3
MINIMUM, MAXIMUM = 5, 1000
"""Samples of one configuration."""
LONGEST = 5_000_000.0
"""Microseconds that one configuration is measured for at most."""
RELATIVE, ABSOLUTE = 0.01, 0.5
"""How small half of the 95 % confidence interval has to be: in parts of the mean, or in microseconds. These limits are those
of `cuda.tile.tune`, so that both spend about the same time on a search."""
FINALISTS = 5
"""How many configurations have to be measured to the end; others are dropped once they cannot reach those."""


class LaunchTimeout(RuntimeError):
    """A kernel ran longer than `single_run_timeout_sec`."""


class Timer(Protocol):
    """Times what is launched on its stream, in microseconds."""

    stream: Any

    def __call__(self, run: Callable[[], None], /) -> float: ...


@dataclass(eq=False)
class _Candidate:
    config: Any
    grid: tuple[int, ...]
    kernel: Any
    args: Callable[[], tuple[Any, ...]]
    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of the squared distances from the mean."""

    def add(self, sample: float) -> None:
        """Takes a sample into mean and spread, by Welford's update."""
        self.count += 1
        distance = sample - self.mean
        self.mean += distance / self.count
        self.squares += distance * (sample - self.mean)

    @property
    def margin(self) -> float:
        """Half of the mean's 95 % confidence interval."""
        if self.count < 2:
            return 0.0
        return 1.96 * math.sqrt(self.squares / (self.count - 1) / self.count)

    @property
    def settled(self) -> bool:
        if self.count < MINIMUM:
            return False
        if self.margin <= max(RELATIVE * self.mean, ABSOLUTE):
            return True
        return self.count >= MAXIMUM or self.mean * self.count > LONGEST


def exhaustive_search(
    search_space: Sequence[Any],
    stream: Any,
    grid_fn: Callable[[Any], tuple[int, ...]],
    kernel: Any,
    args_fn: Callable[[Any], tuple[Any, ...]],
    hints_fn: Callable[[Any], dict[str, Any]] | None = None,
    *,
    quiet: bool = False,
    single_run_timeout_sec: float | None = None,
    flush_l2: bool = True,
) -> Any:
    """Times every configuration and gives a `cuda.tile.tune.TuningResult`, as `cuda.tile.tune.exhaustive_search` does.

    A run over the time limit is noticed but not ended: a kernel that never ends hangs the stream, where `cuda.tile` would
    have run it in a process of its own. Raises ValueError if the search space is empty or no configuration works.
    """
    if len(search_space) == 0:
        raise ValueError("Search space is empty.")
    timer = timer_for(stream, flush_l2, single_run_timeout_sec)
    failures: list[tuple[Any, type[BaseException], str]] = []
    running: list[_Candidate] = []
    for config in search_space:
        grid = grid_fn(config)
        chosen = _hinted(kernel, config, hints_fn)
        candidate = _Candidate(config, grid, chosen, lambda config=config: args_fn(config))  # type: ignore[misc]
        if _sample(candidate, timer, WARM_UP, failures, keep=False) and _sample(candidate, timer, MINIMUM, failures):
            running.append(candidate)
    done = _settle(running, timer, failures)
    if not done:
        config, kind, message = failures[0]
        raise ValueError(f"No valid config found in search space.\nConfig: {config}\n{kind.__name__}: {message}")
    result = _result(done, failures)
    if not quiet:
        print(result)
    return result


def _hinted(kernel: Any, config: Any, hints_fn: Callable[[Any], dict[str, Any]] | None) -> Any:
    base = kernel if type(kernel) is Kernel or as_kernel(kernel) is not None or _is_python(kernel) else kernel(config)
    own = as_kernel(base)
    chosen = base if own is None else own
    return chosen.replace_hints(**(hints_fn(config) if hints_fn is not None else {}))


def _is_python(kernel: Any) -> bool:
    tile = sys.modules.get("cuda.tile")
    return tile is not None and issubclass(type(kernel), tile.kernel)


def _sample(
    candidate: _Candidate,
    timer: Timer,
    count: int,
    failures: list[tuple[Any, type[BaseException], str]],
    keep: bool = True,
) -> bool:
    """Adds samples to a candidate; false where it failed, which is noted."""
    try:
        for _ in range(count):
            args = candidate.args()
            taken = timer(lambda args=args: launch(timer.stream, candidate.grid, candidate.kernel, args))  # type: ignore[misc]
            if keep:
                candidate.add(taken)
    except Exception as problem:
        failures.append((candidate.config, type(problem), str(problem)))
        return False
    return True


def _settle(
    running: list[_Candidate],
    timer: Timer,
    failures: list[tuple[Any, type[BaseException], str]],
) -> list[_Candidate]:
    """Measures the fastest candidates to the end, and the others as long as they may be among them."""
    done: list[_Candidate] = []
    while running:
        running.sort(key=lambda candidate: candidate.mean)
        candidate = running.pop(0)
        limit = sorted(one.mean for one in done)[FINALISTS - 1] if len(done) >= FINALISTS else math.inf
        if candidate.settled or candidate.mean - candidate.margin >= limit:
            done.append(candidate)
        elif _sample(candidate, timer, MINIMUM, failures):
            running.append(candidate)
    return done


def _result(done: list[_Candidate], failures: list[tuple[Any, type[BaseException], str]]) -> Any:
    measurement, tuning_result = _types()
    rows = [
        measurement(config=one.config, mean_us=one.mean, num_samples=one.count, error_margin_us=one.margin)
        for one in done
    ]
    best = min(rows, key=lambda row: row.mean_us)
    return tuning_result(best=best, successes=tuple(rows), failures=tuple(failures))


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """A configuration and its time in microseconds, where `cuda.tile` is not installed."""

    config: Any
    mean_us: float
    num_samples: int
    error_margin_us: float


@dataclass(frozen=True, kw_only=True)
class TuningResult:
    """All measurements of a search, where `cuda.tile` is not installed."""

    best: Measurement
    successes: Sequence[Measurement]
    failures: Sequence[tuple[Any, type[BaseException], str]]

    def summary(self, *, top_k: int = 10, bottom_k: int = 2) -> str:
        """The fastest configurations, a line each."""
        ranked = sorted(self.successes, key=lambda row: row.mean_us)
        lines = [f"{len(self.successes)} succeeded, {len(self.failures)} failed"]
        lines += [f"  {row.config}: {row.mean_us:.1f} us ({row.num_samples} samples)" for row in ranked[:top_k]]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()


def _types() -> tuple[Any, Any]:
    try:
        from cuda.tile.tune import Measurement as TileMeasurement
        from cuda.tile.tune import TuningResult as TileResult
    except ImportError:
        return Measurement, TuningResult
    return TileMeasurement, TileResult


# -- the clock


class TorchTimer:
    """Device time of a launch on a stream in microseconds, by CUDA events."""

    def __init__(self, torch: Any, stream: Any, flush_l2: bool, limit: float | None) -> None:
        self._torch = torch
        if isinstance(stream, int):
            stream = torch.cuda.ExternalStream(stream) if stream else torch.cuda.default_stream()
        self.stream = stream
        self._limit = limit
        self._scratch = None
        if flush_l2:
            size = getattr(torch.cuda.get_device_properties(self.stream.device), "L2_cache_size", 0) or 64 << 20
            self._scratch = torch.empty(2 * size, dtype=torch.uint8, device=self.stream.device)

    def __call__(self, run: Callable[[], None]) -> float:
        events = [self._torch.cuda.Event(enable_timing=True) for _ in range(2)]
        with self._torch.cuda.stream(self.stream):
            if self._scratch is not None:
                self._scratch.zero_()
            events[0].record(self.stream)
            run()
            events[1].record(self.stream)
        self._wait(events[1])
        return float(events[0].elapsed_time(events[1])) * 1000.0

    def _wait(self, event: Any) -> None:
        if self._limit is None:
            event.synchronize()
            return
        end = time.monotonic() + self._limit
        while not event.query():
            if time.monotonic() > end:
                raise LaunchTimeout(f"CUDA kernel launch exceeded timeout {self._limit} sec")
            time.sleep(0.0005)


class HostTimer:
    """Time of the call alone in microseconds: for launches that do not go to a GPU."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __call__(self, run: Callable[[], None]) -> float:
        start = time.perf_counter()
        run()
        return (time.perf_counter() - start) * 1e6


def timer_for(stream: Any, flush_l2: bool, limit: float | None) -> Timer:
    """The clock for a stream: of the device where PyTorch has one."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        return TorchTimer(torch, stream, flush_l2, limit)
    return HostTimer(stream)
