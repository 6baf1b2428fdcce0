"""`benchmarks/operators`: how calls are timed, on a device that only counts, and how tuning is kept out of it."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.workplace import ROOT

COST = {"python": 5.0, "rust": 4.0}
"""Microseconds of a call on the device."""


class Device:
    """Runs what is submitted at once, and counts its time; what is captured runs when it is replayed."""

    def __init__(self) -> None:
        self.now, self.backend, self.captures, self.busy = 0.0, "", True, True
        self._recording: list[float] | None = None

    def call(self) -> None:
        cost = COST[self.backend]
        if self._recording is None:
            self.now += cost
        else:
            self._recording.append(cost)

    def choose(self, backend: str) -> None:
        self.backend = backend

    @contextmanager
    def graph(self, graph: Any, stream: Any, pool: Any) -> Iterator[None]:
        if not self.captures:
            raise RuntimeError("not in a graph")
        self._recording = graph.costs
        yield
        self._recording = None

    def torch(self) -> ModuleType:
        device = self

        class Event:
            def __init__(self, enable_timing: bool) -> None:
                self.time = 0.0

            def record(self) -> None:
                self.time = device.now

            def query(self) -> bool:
                return not device.busy

            def elapsed_time(self, other: Event) -> float:
                return (other.time - self.time) / 1e3

        class Graph:
            def __init__(self) -> None:
                self.costs: list[float] = []

            def replay(self) -> None:
                device.now += sum(self.costs)

        @contextmanager
        def on(stream: Any) -> Iterator[None]:
            yield

        found = ModuleType("torch")
        found.cuda = SimpleNamespace(  # type: ignore[attr-defined]
            Event=Event, CUDAGraph=Graph, graph=self.graph, synchronize=lambda: None, graph_pool_handle=lambda: 1,
            Stream=lambda: SimpleNamespace(wait_stream=lambda other: None), current_stream=lambda: None, stream=on,
            _sleep=lambda cycles: None,
        )  # fmt: skip
        return found


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    found = Device()
    monkeypatch.setitem(sys.modules, "torch", found.torch())
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "operators"))
    for name in ("timing", "tuning"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return found


def _timed(device: Device) -> dict[str, Any]:
    timing: Any = importlib.import_module("timing")
    sides = [timing.Side(name, lambda name=name: device.choose(name)) for name in COST]
    found: dict[str, Any] = timing.device_times(device.call, sides, 7)
    return found


@pytest.mark.parametrize(
    ("captures", "busy", "how", "calls"),
    [(True, True, "graph", 100), (False, True, "queue", 10), (False, False, "host", 10)],
)
def test_times(device: Device, captures: bool, busy: bool, how: str, calls: int) -> None:
    device.captures, device.busy = captures, busy
    found = _timed(device)
    assert (found.pop("timing"), found.pop("calls")) == (how, calls)
    assert found == pytest.approx({"python_us": 5, "rust_us": 4, "ratio": 1.25, "control": 1})


def test_a_long_call_is_captured_once(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COST, "rust", 3000.0)
    assert _timed(device)["calls"] == 1


def test_a_search_takes_the_first_that_works_and_is_made_once(device: Device) -> None:
    tuning: Any = importlib.import_module("tuning")
    tried: list[int] = []

    def search(space: list[int], stream: Any, grid_fn: Any, kernel: Any, args_fn: Any, quiet: bool) -> int:
        tried.extend(space)
        if space[0] < 2:
            raise ValueError("no configuration works")
        return space[0]

    first: Callable[..., int] = tuning.first_that_works(search)

    def call(*shape: int) -> int:
        array = SimpleNamespace(shape=shape, dtype="float16", stride=lambda: (1,) * len(shape))
        return first([1, 2, 3], None, None, _timed, lambda configuration: (array, configuration))

    assert [call(4), call(4), call(5)] == [2, 2, 2]
    assert tried == [1, 2, 1, 2]


def test_a_kernel_with_other_hints_is_made_once(device: Device) -> None:
    tuning: Any = importlib.import_module("tuning")
    made: list[dict[str, int]] = []

    def replace_hints(kernel: Any, **hints: int) -> object:
        made.append(hints)
        return object()

    replaced = tuning.kept(replace_hints)
    kernels = [SimpleNamespace(_pyfunc=f, _compiler_options="none") for f in (_timed, _timed, search_nothing)]
    found = [replaced(kernel, occupancy=2) for kernel in kernels]
    assert found[0] is found[1] and found[1] is not found[2]
    assert replaced(kernels[0], occupancy=4) is not found[0] and len(made) == 3


def search_nothing() -> None:
    """Another function."""


class Tensor:
    """Numbers."""

    dtype = "float16"

    def __init__(self, *numbers: float) -> None:
        self.numbers, self.shape = numbers, (len(numbers),)

    def _self(self, *_: Any) -> Tensor:
        return self

    detach = clone = contiguous = reshape = view = _self


@pytest.fixture
def program(device: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """`run.py` with cases of an operator that is right, one that is wrong, and so on."""
    torch: Any = sys.modules["torch"]
    torch.Tensor, torch.uint8 = Tensor, "uint8"
    torch.equal = lambda a, b: a.numbers == b.numbers
    torch.cuda.get_device_name = lambda: "counting"
    tilegym: Any = ModuleType("tilegym")
    tilegym.set_backend = lambda name: device.choose({"cutile": "python", "cutile-rs": "rust"}[name])
    calls = iter(range(1000))

    def call(kind: str) -> Any:
        device.call()
        if kind == "refused" or (kind == "error" and device.backend == "rust"):
            raise ValueError(kind)
        return [Tensor(1.0, next(calls) if kind == "loose" else device.backend == "rust" and kind == "wrong")]

    kinds = ("right", "wrong", "loose", "refused", "error")
    listed = [SimpleNamespace(operator=k, what="1x1", make=lambda _, k=k: lambda: call(k)) for k in kinds]
    inputs, cases = ModuleType("inputs"), ModuleType("cases")
    inputs.Inputs = lambda seed: None  # type: ignore[attr-defined]
    cases.all_cases = lambda: listed  # type: ignore[attr-defined]
    for module in (tilegym, inputs, cases):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "run", raising=False)
    run: Any = importlib.import_module("run")
    monkeypatch.setattr(run, "register", lambda out: None)

    def main(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["run.py", "out", "--json", str(tmp_path / "found.json"), *arguments])
        status: int = run.main()
        return status

    return main


def test_the_program(program: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program("--rounds", "3") == 1
    told = json.loads((tmp_path / "found.json").read_text())
    rows = {row["operator"]: row for row in told["rows"]}
    assert told["device"] == "counting" and len(rows) == 5
    assert [(rows[k]["deterministic"], rows[k]["bit_equal"]) for k in ("right", "wrong", "loose")] == [
        (True, True), (True, False), (False, False)
    ]  # fmt: skip
    assert rows["right"]["ratio"] == pytest.approx(1.25) and rows["right"]["timing"] == "graph"
    assert rows["refused"]["refused"] == "ValueError: refused" and rows["error"]["error"] == "ValueError: error"
    out = capsys.readouterr().out
    assert "1 of 4 operators: every case equal bit for bit\nnot deterministic in the original: loose\n" in out
    assert "different: wrong\nwith a failing case: error\n" in out
    assert "device time, Python/Rust: 3 operators, geometric mean 1.25000; below 0.99: none\n" in out
    assert "device time, Python/Python: 3 operators, geometric mean 1.00000; below 0.99: none\n" in out
    assert program("--operators", "right|refused", "--rounds", "0") == 0
    assert "ratio" not in json.loads((tmp_path / "found.json").read_text())["rows"][0]


def test_what_cannot_be_timed_is_still_compared(
    program: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(sys.modules["run"], "device_times", fail)
    assert program("--operators", "right") == 0
    [row] = json.loads((tmp_path / "found.json").read_text())["rows"]
    assert row["bit_equal"] is True and row["timing_error"] == "RuntimeError: out of memory"
