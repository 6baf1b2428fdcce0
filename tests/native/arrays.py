"""Arrays that are nowhere: what launches look at, and no memory behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TYPESTR = {
    "float16": "<f2", "float32": "<f4", "float64": "<f8", "int8": "|i1", "int16": "<i2", "int32": "<i4", "int64": "<i8",
    "uint8": "|u1", "uint16": "<u2", "uint32": "<u4", "uint64": "<u8", "bool_": "|b1",
}  # fmt: skip
"""The dtypes that the CUDA array interface can say."""


class Array:
    """An array of the CUDA array interface; strides are in elements, row-major where none are given."""

    def __init__(
        self, shape: Sequence[int], strides: Sequence[int] | None = None, dtype: str = "float32", address: int = 4096
    ) -> None:
        size = int(TYPESTR[dtype][2])
        self.__cuda_array_interface__ = {
            "shape": tuple(shape), "typestr": TYPESTR[dtype], "data": (address, False), "version": 3,
            "strides": None if strides is None else tuple(size * s for s in strides),
        }  # fmt: skip


class _Dtype:
    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return f"torch.{self._name}"


_DTYPES: dict[str, _Dtype] = {}


class Tensor:
    """What the launcher reads of a PyTorch tensor."""

    def __init__(
        self, shape: Sequence[int], strides: Sequence[int], dtype: str = "float32", address: int = 4096, device: int = 0
    ) -> None:
        self.shape, self._strides, self._address, self._device = tuple(shape), tuple(strides), address, device
        self.dtype = _DTYPES.setdefault(dtype, _Dtype("bool" if dtype == "bool_" else dtype))

    def stride(self) -> tuple[int, ...]:
        return self._strides

    def data_ptr(self) -> int:
        return self._address

    def get_device(self) -> int:
        return self._device


def standing_in(constraint: Any) -> Any:
    """An argument for which cuTile Python would compile the given constraint of a signature."""
    match type(constraint).__name__:
        case "ConstantConstraint":
            return constraint.value
        case "ScalarConstraint":
            return {"int32": 3, "float32": 0.5, "bool_": True}[constraint.dtype.name]
        case "ListConstraint":
            return [_array(constraint.element)] * 2
        case _:
            return _array(constraint)


def _array(c: Any) -> Tensor:
    shape = [32 if d == 16 else 17 for d in c.shape_divisible_by]
    strides = [0] * c.ndim
    least = 1
    # Constant strides first: they are 1, and what follows must lie beyond.
    for k in sorted(range(c.ndim), key=lambda k: c.stride_constant[k] is None):
        if c.stride_constant[k] is not None:
            strides[k] = c.stride_constant[k]
            shape[k] = shape[k] if least == 1 else 1
        else:
            unit = 16 * max(c.stride_divisible_by)
            strides[k] = (least // unit + 1) * unit + (c.stride_divisible_by[k] == 1)
        least = max(least, strides[k] * shape[k])
    name = c.dtype.name
    return Tensor(shape, strides, name, 4096 if c.base_addr_divisible_by == 16 else 4104)
