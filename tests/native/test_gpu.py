"""Launches on a GPU, with PyTorch. `CUTILE2RS_NATIVE` names a library built elsewhere that holds the sample's kernels."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def torch() -> Any:
    """PyTorch, with a GPU."""
    found = pytest.importorskip("torch", reason="PyTorch is not installed")
    if not found.cuda.is_available():
        pytest.skip("there is no GPU")
    return found


@pytest.fixture(scope="module")
def native(torch: Any, request: pytest.FixtureRequest) -> Any:
    """The extension module."""
    named = os.environ.get("CUTILE2RS_NATIVE")
    file = Path(named) if named else request.getfixturevalue("library").file
    loader = importlib.machinery.ExtensionFileLoader("_native", str(file))
    spec = importlib.util.spec_from_file_location("_native", file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _scaled(torch: Any, native: Any, x: Any, out: Any, n: int, factor: float, stream: Any = None) -> None:
    handle = (stream or torch.cuda.current_stream(x.device)).cuda_stream
    blocks = -(-x.numel() // 128)
    native.kernel("launch_sample:add_scaled").launch(handle, (blocks,), (x, out, n, factor, 128))


@pytest.mark.parametrize("size", [1, 127, 128, 1000, 4096])
def test_results(torch: Any, native: Any, size: int) -> None:
    x = torch.randn(size, device="cuda")
    out = torch.full_like(x, -1)
    _scaled(torch, native, x, out, size - 1, 0.5)
    assert torch.equal(out[: size - 1], x[: size - 1] * 0.5)
    assert out[size - 1] == -1


def _rows(torch: Any, native: Any, arrays: list[Any], out: Any) -> None:
    stream = torch.cuda.current_stream(out.device).cuda_stream
    native.kernel("launch_sample:sum_rows").launch(stream, (arrays[0].shape[0],), (arrays, out, 32))


def _whole(torch: Any, *shape: int, device: str = "cuda") -> Any:
    """Small whole numbers: their sums are exact in any order."""
    return torch.randint(-8, 8, shape, device=device).float()


def test_a_list_of_arrays(torch: Any, native: Any) -> None:
    arrays = [_whole(torch, 6, 32) for _ in range(3)]
    out = torch.zeros(3, 6, device="cuda")
    _rows(torch, native, arrays, out)
    assert torch.equal(out, torch.stack([a.sum(1) for a in arrays]))


def test_lists_that_change_and_lists_that_stay(torch: Any, native: Any) -> None:
    """More lists than are kept, launched without waiting: each launch reads its own."""
    pool = [_whole(torch, 6, 32) for _ in range(60)]
    sums = torch.stack([a.sum(1) for a in pool])
    chosen = [(i % 60, (i * 7 + i // 60) % 60) for i in range(4000)]
    out = torch.zeros(len(chosen), 2, 6, device="cuda")
    for (i, j), row in zip(chosen, out, strict=True):
        _rows(torch, native, [pool[i], pool[j]], row)
    assert torch.equal(out, sums[torch.tensor(chosen, device="cuda")])


def test_one_list_on_many_streams(torch: Any, native: Any) -> None:
    """A stream that is kept busy does not hold up the table of another."""
    arrays = [_whole(torch, 6, 32) for _ in range(2)]
    expected = torch.stack([a.sum(1) for a in arrays])
    slow = torch.ones(4096, 4096, device="cuda")
    streams = [torch.cuda.Stream() for _ in range(80)]
    torch.cuda.synchronize()
    outs = []
    for turn, stream in enumerate(streams):
        with torch.cuda.stream(stream):
            if turn % 8 == 0:
                slow @ slow
            outs += [torch.zeros(2, 6, device="cuda") for _ in range(2)]
            _rows(torch, native, arrays, outs[-2])
            _rows(torch, native, arrays, outs[-1])
    torch.cuda.synchronize()
    assert all(torch.equal(out, expected) for out in outs)


def test_a_captured_list(torch: Any, native: Any) -> None:
    """The graph's table stays what it was, whatever is launched between its runs."""
    arrays, others = ([_whole(torch, 6, 32) for _ in range(2)] for _ in range(2))
    out, other = torch.zeros(2, 6, device="cuda"), torch.zeros(2, 6, device="cuda")
    _rows(torch, native, arrays, out)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        _rows(torch, native, arrays, out)
    for turn in range(20):
        arrays[turn % 2].copy_(_whole(torch, 6, 32))
        _rows(torch, native, others, other)
        graph.replay()
        _rows(torch, native, others[::-1], other)
        torch.cuda.synchronize()
        assert torch.equal(out, torch.stack([a.sum(1) for a in arrays]))
        assert torch.equal(other, torch.stack([a.sum(1) for a in others[::-1]]))


def test_strided_and_shifted_arrays(torch: Any, native: Any) -> None:
    """Each is compiled for what it is: no divisibility is assumed that it has not."""
    base = torch.randn(4099, device="cuda")
    for x in (base[1:1025], base[::2], base[3:2051:2], base[:16]):
        out = torch.empty(x.numel(), device="cuda")
        _scaled(torch, native, x, out, x.numel(), 2.0)
        assert torch.equal(out, x * 2)


def test_a_captured_graph(torch: Any, native: Any) -> None:
    x, out = torch.randn(1024, device="cuda"), torch.zeros(1024, device="cuda")
    _scaled(torch, native, x, out, 1024, 3.0)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        _scaled(torch, native, x, out, 1024, 3.0)
    x.copy_(torch.randn(1024, device="cuda"))
    out.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, x * 3)


def _in_threads(work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_and_streams(torch: Any, native: Any) -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            x = torch.randn(1024 + number, device="cuda")
            out = torch.empty_like(x)
            for turn in range(200):
                _scaled(torch, native, x, out, x.numel(), float(turn))
                if not torch.equal(out, x * float(turn)):
                    wrong.append(number)

    _in_threads(work)
    assert wrong == []


def test_every_device(torch: Any, native: Any) -> None:
    for index in range(torch.cuda.device_count()):
        x = torch.randn(256, device=f"cuda:{index}")
        out = torch.empty_like(x)
        _scaled(torch, native, x, out, 256, 1.5)
        assert torch.equal(out, x * 1.5)


@pytest.fixture
def two(torch: Any) -> list[str]:
    """Two devices."""
    if torch.cuda.device_count() < 2:
        pytest.skip(f"two GPUs are needed, there is {torch.cuda.device_count()}")
    return ["cuda:0", "cuda:1"]


def test_two_devices_in_turns(torch: Any, native: Any, two: list[str]) -> None:
    """The kernel runs where its arrays are, whichever device is current, and leaves that current."""
    for current in (0, 1):
        with torch.cuda.device(current):
            for turn in range(20):
                device = two[turn % 2]
                x = torch.randn(1024, device=device)
                out = torch.empty_like(x)
                _scaled(torch, native, x, out, 1024, float(turn))
                assert torch.equal(out, x * float(turn))
                assert torch.cuda.current_device() == current


def test_lists_on_two_devices(torch: Any, native: Any, two: list[str]) -> None:
    arrays = {device: [_whole(torch, 6, 32, device=device) for _ in range(2)] for device in two}
    for turn in range(20):
        device = two[turn % 2]
        out = torch.zeros(2, 6, device=device)
        _rows(torch, native, arrays[device], out)
        assert torch.equal(out, torch.stack([a.sum(1) for a in arrays[device]]))


def test_threads_on_two_devices(torch: Any, native: Any, two: list[str]) -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        device = two[number % 2]
        with torch.cuda.stream(torch.cuda.Stream(device)):
            x = torch.randn(1024 + number, device=device)
            out = torch.empty_like(x)
            for turn in range(200):
                _scaled(torch, native, x, out, x.numel(), float(turn))
                if not torch.equal(out, x * float(turn)):
                    wrong.append(number)

    _in_threads(work)
    assert wrong == []


def test_graphs_of_two_devices(torch: Any, native: Any, two: list[str]) -> None:
    for device in two:
        with torch.cuda.device(device):
            x, out = torch.randn(1024, device=device), torch.zeros(1024, device=device)
            _scaled(torch, native, x, out, 1024, 3.0)
            graph = torch.cuda.CUDAGraph()
            # PyTorch's own capturing stream stays on the device that first captured.
            with torch.cuda.graph(graph, stream=torch.cuda.Stream(device)):
                _scaled(torch, native, x, out, 1024, 3.0)
            x.copy_(torch.randn(1024, device=device))
            graph.replay()
            torch.cuda.synchronize()
            assert torch.equal(out, x * 3)


def test_arrays_of_two_devices_are_refused(torch: Any, native: Any, two: list[str]) -> None:
    x, out = (torch.zeros(128, device=device) for device in two)
    with pytest.raises(TypeError, match="is on device 1, others on 0"):
        native.kernel("launch_sample:add_scaled").launch(0, (1,), (x, out, 128, 1.0, 128))


def test_what_is_not_on_a_gpu_is_refused(torch: Any, native: Any) -> None:
    x = torch.randn(256)
    with pytest.raises(TypeError, match="not on a CUDA device"):
        native.kernel("launch_sample:add_scaled").launch(0, (2,), (x, x, 256, 1.0, 128))
    y = torch.randn(256, device="cuda", dtype=torch.complex64)
    with pytest.raises(TypeError, match="unsupported dtype"):
        native.kernel("launch_sample:add_scaled").launch(0, (2,), (y, y, 256, 1.0, 128))
