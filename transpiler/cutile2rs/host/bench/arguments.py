"""Arguments for a recorded launch: arrays that `cuda.tile` gives the very signature that was recorded.

The symbol says which strides are constant and what divides extents, strides and addresses; the record says the extents. What
neither says is chosen so that nothing more is true than the signature claims.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

DIVISOR = 16
"""What `cuda.tile` looks for: extents and addresses, and strides in bytes, divisible by 16."""
LIST_LENGTH, LIST_EXTENT = 3, 256
"""Arrays of a list argument, and their extents, where the record does not tell."""


class ArgumentError(Exception):
    """A launch's arguments cannot be made."""


@dataclass(frozen=True, slots=True)
class ArrayPlan:
    """An array to be made: `strides` and `offset` (of the first element in its storage) in elements."""

    dtype: str
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def storage(self) -> int:
        """Elements that the storage needs, at least one."""
        if 0 in self.shape:
            return self.offset + 1
        return self.offset + 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))


@dataclass(frozen=True, slots=True)
class ListPlan:
    """A list or tuple argument."""

    items: tuple[Any, ...]
    is_tuple: bool


@dataclass(frozen=True, slots=True)
class ValuePlan:
    """An argument that is passed as it is."""

    value: Any


Plan = ArrayPlan | ListPlan | ValuePlan


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a launches file says about one launch's arguments beside the symbol."""

    shapes: Sequence[Sequence[int] | None]
    scalars: Sequence[Any] = ()
    lists: Sequence[Any] = ()


def plan(parameters: Sequence[Any], recorded: Recorded, scalar: int = 1) -> list[Plan]:
    """Plans for all arguments of a signature; `scalar` is the value of integer scalars that were not recorded."""
    return [_plan(parameter, index, recorded, scalar) for index, parameter in enumerate(parameters)]


def _at(values: Sequence[Any], index: int) -> Any:
    return values[index] if index < len(values) else None


def _plan(parameter: Any, index: int, recorded: Recorded, scalar: int) -> Plan:
    kind = type(parameter).__name__
    if kind == "ConstantConstraint":
        return ValuePlan(parameter.value)
    if kind == "ScalarConstraint":
        given = _at(recorded.scalars, index)
        return ValuePlan(_scalar(parameter.dtype, scalar) if given is None else given)
    if kind == "ArrayConstraint":
        shape = _at(recorded.shapes, index)
        if shape is None or len(shape) != parameter.ndim:
            raise ArgumentError(f"the shape of array argument {index} is not recorded")
        return array_plan(parameter, shape)
    if kind == "ListConstraint":
        element = parameter.element
        shapes = _at(recorded.lists, index) or [[LIST_EXTENT] * element.ndim] * LIST_LENGTH
        return ListPlan(tuple(array_plan(element, shape) for shape in shapes), False)
    if kind == "TupleConstraint":
        inner = Recorded([], [], [])
        return ListPlan(tuple(_plan(item, place, inner, scalar) for place, item in enumerate(parameter.items)), True)
    raise ArgumentError(f"argument {index} is a {kind}, which cannot be made")


def _scalar(dtype: Any, scalar: int) -> int | float | bool:
    name = str(dtype.name)
    if name.startswith("bool"):
        return True
    return scalar if name.startswith(("int", "uint")) else 0.5


def array_plan(constraint: Any, shape: Sequence[int]) -> ArrayPlan:
    """Strides and offset of an array: dense where the signature allows that, innermost axis first."""
    size = max(1, int(constraint.dtype.bitwidth) // 8)
    constants = constraint.stride_constant
    strides: list[int | None] = list(constants)
    if constraint.may_alias_internally and 0 not in strides:
        # Elements that share their place, such as those of a broadcast axis. A stride of 0 is divisible by everything.
        free = [axis for axis, by in enumerate(constraint.stride_divisible_by) if strides[axis] is None and by > 1]
        strides = [0 if axis in free[:1] else stride for axis, stride in enumerate(strides)]
    extent = 1
    for axis, stride in enumerate(strides):
        if stride is not None:
            extent = max(extent, stride * max(shape[axis], 1))
    for axis in range(len(shape) - 1, -1, -1):
        if strides[axis] is None:
            strides[axis] = _stride(extent, constraint.stride_divisible_by[axis], size)
            extent = max(extent, (strides[axis] or 0) * max(shape[axis], 1))
    # An address that is not divisible by 16: the array starts one element into its storage.
    offset = (
        0 if constraint.base_addr_divisible_by % DIVISOR == 0 else max(1, constraint.base_addr_divisible_by // size)
    )
    final = tuple(stride or 0 for stride in strides)
    return ArrayPlan(str(constraint.dtype.name), size, tuple(map(int, shape)), final, offset)


def _stride(least: int, divisor: int, size: int) -> int:
    """The smallest stride from `least` on of which exactly the stated divisibility holds, and which is no constant 1."""
    if divisor > 1:
        return math.ceil(least / divisor) * divisor
    stride = max(least, 2)
    whole = max(1, DIVISOR // size)
    return stride + 1 if whole > 1 and stride % whole == 0 else stride


def arrays(plans: Sequence[Plan]) -> Iterator[ArrayPlan]:
    """The arrays among plans, also those in lists."""
    for one in plans:
        if isinstance(one, ArrayPlan):
            yield one
        elif isinstance(one, ListPlan):
            yield from arrays(one.items)


class FakeArray:
    """An array that has an address but no memory: to ask `cuda.tile` for the signature of planned arguments."""

    def __init__(self, made: ArrayPlan) -> None:
        kind = _TYPE_CODES.get(made.dtype)
        if kind is None:
            raise ArgumentError(f"dtype {made.dtype} has no array interface")
        self.shape = made.shape
        self.__cuda_array_interface__ = {
            "shape": made.shape,
            "typestr": kind,
            "data": (4096 + made.offset * made.itemsize, False),
            "strides": tuple(stride * made.itemsize for stride in made.strides),
            "version": 3,
        }


_TYPE_CODES = {
    "float16": "<f2", "float32": "<f4", "float64": "<f8", "int8": "|i1", "int16": "<i2", "int32": "<i4", "int64": "<i8",
    "uint8": "|u1", "uint16": "<u2", "uint32": "<u4", "uint64": "<u8", "bool_": "|b1",
}  # fmt: skip


def fake(one: Plan) -> Any:
    """An argument without memory."""
    if isinstance(one, ArrayPlan):
        return FakeArray(one)
    if isinstance(one, ListPlan):
        items = [fake(item) for item in one.items]
        return tuple(items) if one.is_tuple else items
    return one.value
