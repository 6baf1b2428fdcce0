"""Launches on a GPU, with PyTorch. `CUTILE2RS_NATIVE` names a library built elsewhere that holds the sample's kernels."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import threading
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


def test_a_list_of_arrays(torch: Any, native: Any) -> None:
    arrays = [torch.randn(6, 32, device="cuda") for _ in range(3)]
    out = torch.zeros(3, 6, device="cuda")
    kernel = native.kernel("launch_sample:sum_rows")
    kernel.launch(torch.cuda.current_stream().cuda_stream, (6,), (arrays, out, 32))
    torch.testing.assert_close(out, torch.stack([a.sum(1) for a in arrays]))


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

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_every_device(torch: Any, native: Any) -> None:
    for index in range(torch.cuda.device_count()):
        x = torch.randn(256, device=f"cuda:{index}")
        out = torch.empty_like(x)
        _scaled(torch, native, x, out, 256, 1.5)
        assert torch.equal(out, x * 1.5)


def test_what_is_not_on_a_gpu_is_refused(torch: Any, native: Any) -> None:
    x = torch.randn(256)
    with pytest.raises(TypeError, match="not on a CUDA device"):
        native.kernel("launch_sample:add_scaled").launch(0, (2,), (x, x, 256, 1.0, 128))
    y = torch.randn(256, device="cuda", dtype=torch.complex64)
    with pytest.raises(TypeError, match="unsupported dtype"):
        native.kernel("launch_sample:add_scaled").launch(0, (2,), (y, y, 256, 1.0, 128))
