"""As much of PyTorch as `cutile2rs bench` uses, without a GPU: tensors are bytes, and a launch adds one to the first of them.

Importing it also puts a launch of that kind in the place of `cuda.tile`'s own. `native.py` beside this package is the library.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from typing import Any

import cuda.tile._cext
from cutile2rs.host.hook.driver import stand_in

stand_in()
extension: Any = cuda.tile._cext
__version__ = "0"
_SIZES = {"float16": 2, "bfloat16": 2, "float32": 4, "int32": 4, "int64": 8, "uint8": 1, "bool": 1}
float16, bfloat16, float32, int32, int64, uint8 = "float16", "bfloat16", "float32", "int32", "int64", "uint8"
dead = False


class Tensor:
    """A storage of bytes, or a window on one."""

    def __init__(self, data: bytearray, dtype: str, shape: Any = None, strides: Any = None, offset: int = 0) -> None:
        self.data, self.dtype, self.offset = data, dtype, offset
        size = _SIZES[dtype]
        self.shape = (len(data) // size,) if shape is None else tuple(shape)
        self.__cuda_array_interface__ = {
            "shape": self.shape, "data": (4096 + offset * size, False), "version": 3,
            "strides": None if strides is None else tuple(s * size for s in strides),
            "typestr": {"float16": "<f2", "float32": "<f4", "int32": "<i4", "int64": "<i8"}.get(dtype, "|u1"),
        }  # fmt: skip

    def clone(self) -> Tensor:
        return Tensor(bytearray(self.data), self.dtype)

    def copy_(self, other: Tensor) -> None:
        self.data[:] = other.data

    def as_strided(self, shape: Any, strides: Any, offset: int) -> Tensor:
        return Tensor(self.data, self.dtype, shape, strides, offset)

    def view(self, dtype: str) -> Tensor:
        return Tensor(self.data, dtype)

    def mul_(self, factor: float) -> Tensor:
        return self

    def to(self, dtype: str) -> Tensor:
        return Tensor(self.data[: len(self.data) * _SIZES[dtype] // _SIZES[self.dtype]], dtype)


def equal(left: Tensor, right: Tensor) -> bool:
    return left.data == right.data


def zeros(count: int, dtype: str, device: str) -> Tensor:
    return Tensor(bytearray(count * _SIZES[dtype]), dtype)


def empty(count: int, device: str) -> Tensor:
    return zeros(count, "uint8", device)


def randn(count: int, dtype: str, device: str, generator: Generator) -> Tensor:
    return Tensor(bytearray(generator.random.randbytes(count * _SIZES[dtype])), dtype)


class Generator:
    def __init__(self, device: str) -> None:
        self.random = random.Random(0)

    def manual_seed(self, seed: int) -> Generator:
        self.random.seed(seed)
        return self


class Stream:
    cuda_stream = 7


class _Event:
    def __init__(self, enable_timing: bool) -> None:
        self.time = 0.0

    def record(self) -> None:
        self.time = time.perf_counter()

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, other: _Event) -> float:
        return (other.time - self.time) * 1e3


class _Graph:
    def __init__(self) -> None:
        self.launches: list[Any] = []

    def replay(self) -> None:
        for run in self.launches:
            run()


class cuda:  # type: ignore[no-redef]
    Event, CUDAGraph = _Event, _Graph

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    def current_stream() -> Stream:
        return Stream()

    @staticmethod
    def synchronize() -> None:
        if dead:
            raise RuntimeError("CUDA error: an illegal memory access was encountered")

    @staticmethod
    def empty_cache() -> None:
        pass

    @staticmethod
    def get_device_name() -> str:
        return "pretended"

    @staticmethod
    def get_device_capability(index: int) -> tuple[int, int]:
        return 9, 0

    @staticmethod
    @contextlib.contextmanager
    def graph(graph: _Graph) -> Iterator[None]:
        yield


def launched(args: tuple[Any, ...]) -> None:
    """What a kernel does here."""
    for arg in args:
        if isinstance(arg, Tensor):
            arg.data[0] = (arg.data[0] + 1) % 256


def _launch(stream: Any, grid: Any, kernel: Any, args: Any) -> None:
    launched(args)


extension.launch = _launch
extension.get_compute_capability = lambda: (9, 0)
