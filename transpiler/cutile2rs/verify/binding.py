"""From a Python launch to the same launch of the Rust entry: what `tilecheck.compile` must be told.

A cuTile Python kernel is compiled for a *signature*: for each array what its extents, strides and address are divisible
by and which strides are constant. cuTile Rust is told the same through `strides`, `spec_args` and the entry hints. This
module turns one into the other, so that both compile to the same `assume` operations, the same flat ABI (pointer,
shape.., strides..; scalars in position; constants take no slot) and the same entry hints.

Sources: cuda.tile 1.7 `_passes/dataflow_analysis.py` (`_get_array_predicates`), `_passes/propagate_divby.py`
(`_add_assume_divby`), `_compiler_options.py`; cutile-compiler 0.5.0 `kernel_entry_generator.rs`
(`TensorInput::generate_statements`), `hints.rs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from cutile2rs_tilecheck import Hints, SpecDict

MAX_DIVISOR = 1024
"""The largest divisor Python assumes (`MAX_DIVBY` in propagate_divby.py). cuTile Rust's compiler takes any as given."""

HintValue: TypeAlias = "int | Mapping[str, int | None] | None"
"""A kernel option: one value, or a table by target ("sm_90") with a `default`."""

RUST_DTYPES: Mapping[str, str] = {
    "bool_": "bool", "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "float64": "f64", "tfloat32": "tf32", "float8_e4m3fn": "f8e4m3fn", "float8_e5m2": "f8e5m2",
    "float8_e8m0fnu": "f8e8m0fnu", "float4_e2m1fn": "f4e2m1fn",
}  # fmt: skip
"""cuTile Python's dtype names and cuTile Rust's."""


class BindingError(ValueError):
    """A launch that the Rust entry cannot be given as it is."""


@dataclass(frozen=True)
class ArrayArg:
    """An array parameter. Divisors: 1 says nothing."""

    name: str
    """The Rust parameter."""
    dtype: str
    """cuTile Rust's name of the element type."""
    rank: int
    shape_div: tuple[int, ...]
    """Divisor of each extent, in elements."""
    stride_div: tuple[int, ...]
    """Divisor of each stride, in elements."""
    stride_const: tuple[int | None, ...]
    """Strides known to be a constant, in elements."""
    shape_const: tuple[int | None, ...]
    """Extents known to be a constant, in elements."""
    stride_lower: tuple[int | None, ...]
    """Lower bound of each stride, in elements. Only "not negative" is ever used, by both compilers."""
    base_div: int
    """Divisor of the address, in bytes."""
    disjoint: bool = True
    """Whether no two of its elements share memory."""


@dataclass(frozen=True)
class ScalarArg:
    """A scalar parameter."""

    name: str
    dtype: str
    div: int = 1
    """Divisor of its value. Always 1 from Python, whose signatures say nothing about scalars."""


@dataclass(frozen=True)
class ListArg:
    """A list of arrays: a pointer to rows of (address, extents.., strides..) as i64, and a length."""

    name: str
    element: ArrayArg


Argument: TypeAlias = ArrayArg | ScalarArg | ListArg


@dataclass(frozen=True)
class Binding:
    """Arguments of `tilecheck.compile`."""

    strides: list[tuple[str, list[int]]]
    spec_args: list[tuple[str, SpecDict]]
    scalar_hints: list[tuple[str, int]]
    hints: Hints


def bind(arguments: Iterable[Argument], hints: Mapping[str, HintValue], target: str) -> Binding:
    """What to compile the Rust entry with, so that it is compiled for the launch that the arguments describe."""
    strides: list[tuple[str, list[int]]] = []
    specs: list[tuple[str, SpecDict]] = []
    scalars: list[tuple[str, int]] = []
    for argument in arguments:
        match argument:
            case ArrayArg():
                strides.append((argument.name, static_strides(argument)))
                specs.append((argument.name, spec(argument)))
            case ScalarArg():
                if (divisor := assumed(argument.div)) > 1:
                    scalars.append((argument.name, divisor))
            case ListArg():
                pass  # Python assumes nothing of the table's own address; for its rows see `row_divisors`.
    return Binding(strides, specs, scalars, resolved_hints(hints, target))


def assumed(divisor: int) -> int:
    """The divisor that Python assumes when it knows one: the largest power of two in it, at most 1024."""
    return min(divisor & -divisor, MAX_DIVISOR)


def static_strides(array: ArrayArg) -> list[int]:
    """Each stride where it is constant, -1 where it is known at launch.

    Python takes any constant of the signature as a constant of the program, annotated or not
    (`materialize_constants_pass`).
    """
    for constant, lower in zip(array.stride_const, array.stride_lower, strict=True):
        if (constant is not None and constant < 0) or (constant is None and (lower is None or lower < 0)):
            raise BindingError(f"array '{array.name}': negative strides are supported by neither compiler")
    return [-1 if constant is None else constant for constant in array.stride_const]


def spec(array: ArrayArg) -> SpecDict:
    """What cuTile Rust is told about an array.

    cuTile Rust looks up the n-th *dynamic* stride's divisor at index n of `stride_div`, not at the stride's own
    dimension, so the divisors of dynamic strides come first here, closed up (see `generate_statements`; the same
    holds for extents, which are all dynamic in our entries).
    """
    dynamic = [assumed(d) for d, c in zip(array.stride_div, array.stride_const, strict=True) if c is None]
    return {
        "shape_div": [assumed(d) for d in array.shape_div],
        "stride_div": dynamic + [1] * (array.rank - len(dynamic)),
        "stride_one": [constant == 1 for constant in array.stride_const],
        "base_ptr_div": assumed(array.base_div),
        "elements_disjoint": array.disjoint,
        "extents": [-1 if constant is None else constant for constant in array.shape_const],
    }


def row_divisors(argument: ListArg) -> list[int]:
    """What Python assumes of the columns of a list's table: address (bytes), extents and strides (elements).

    They are loaded in the kernel, so no entry argument can carry them: the kernel takes them as constant generics.
    A constant stride's column is not read at all, and stands as 1.
    """
    array = argument.element
    strides = [1 if c is not None else assumed(d) for d, c in zip(array.stride_div, array.stride_const, strict=True)]
    return [assumed(array.base_div), *(assumed(d) for d in array.shape_div), *strides]


def resolved_hints(options: Mapping[str, HintValue], target: str) -> Hints:
    """The entry hints for one target, under cuTile Rust's names.

    Python writes the tables as they are (`default = .., sm_90 = ..`) and the assembler picks; cuTile Rust writes the
    target's own. Both assemble the same.
    """
    found: Hints = {}
    if (occupancy := for_target(options.get("occupancy"), target)) is not None:
        found["occupancy"] = occupancy
    if (ctas := for_target(options.get("num_ctas"), target)) is not None and has_clusters(target):
        found["num_cta_in_cga"] = ctas
    if (warps := for_target(options.get("num_worker_warps"), target)) is not None:
        found["num_worker_warps_per_cta"] = warps
    if unknown := options.keys() - {"occupancy", "num_ctas", "num_worker_warps", "opt_level"}:
        raise BindingError(f"unknown kernel options: {', '.join(sorted(unknown))}")
    return found


def has_clusters(target: str) -> bool:
    """Whether a target has clusters of blocks. Before sm_90 the assembler ignores `num_ctas`, and cuTile Rust's compiler
    refuses more than 1."""
    return int(re.sub(r"\D", "", target)) >= 90


def opt_level(options: Mapping[str, HintValue], target: str) -> int:
    """The assembler's `-O` level for one target; no part of Tile IR. 3 where the kernel says nothing."""
    level = for_target(options.get("opt_level"), target)
    return 3 if level is None else level


def for_target(value: HintValue, target: str) -> int | None:
    """The value for one target: its own, else the default, else None."""
    if isinstance(value, Mapping):
        return value[target] if target in value else value.get("default")
    return value


def arguments_of(constraints: Sequence[Any], names: Sequence[str]) -> list[Argument]:
    """The parameters of a cuda.tile `KernelSignature` (`.parameters`), with the Rust parameters' names.

    Constants take no slot and have no name in `names`; tuples are flattened, as Python does. Needs cuda.tile.
    """
    remaining = iter(names)
    arguments = [_argument(constraint, remaining) for constraint in _flat(constraints)]
    if left := list(remaining):
        raise BindingError(f"the launch has no parameter for {', '.join(left)}")
    return arguments


def _flat(constraints: Iterable[Any]) -> Iterator[Any]:
    """The parameters that take slots, tuples opened up."""
    from cuda.tile.compilation import ConstantConstraint, TupleConstraint

    for constraint in constraints:
        if isinstance(constraint, TupleConstraint):
            yield from _flat(constraint.items)
        elif not isinstance(constraint, ConstantConstraint):
            yield constraint


def _argument(constraint: Any, names: Iterator[str]) -> Argument:
    from cuda.tile.compilation import ArrayConstraint, ListConstraint, ScalarConstraint

    name = next(names, None)
    if name is None:
        raise BindingError("the launch has more parameters than the Rust entry")
    match constraint:
        case ArrayConstraint():
            return _array(name, constraint)
        case ListConstraint():
            element = _array(name, constraint.element)
            if any(extent is not None for extent in element.shape_const):
                raise BindingError(f"list '{name}': no rule for rows that all have one and the same extent")
            return ListArg(name, element)
        case ScalarConstraint():
            return ScalarArg(name, _rust_dtype(constraint.dtype))
        case _:
            raise BindingError(f"parameter '{name}': {type(constraint).__name__} has no counterpart in cuTile Rust")


def _array(name: str, constraint: Any) -> ArrayArg:
    if constraint.index_dtype.name != "int32":
        raise BindingError(f"array '{name}': indexed with {constraint.index_dtype.name}, cuTile Rust has only int32")
    return ArrayArg(
        name=name,
        dtype=_rust_dtype(constraint.dtype),
        rank=constraint.ndim,
        shape_div=constraint.shape_divisible_by,
        stride_div=constraint.stride_divisible_by,
        stride_const=constraint.stride_constant,
        shape_const=constraint.shape_constant,
        stride_lower=constraint.stride_lower_bound_incl,
        base_div=constraint.base_addr_divisible_by,
        disjoint=not constraint.may_alias_internally,
    )


def _rust_dtype(dtype: Any) -> str:
    name = str(dtype.name)
    if name not in RUST_DTYPES:
        raise BindingError(f"dtype {name} has no counterpart in cuTile Rust")
    return RUST_DTYPES[name]
