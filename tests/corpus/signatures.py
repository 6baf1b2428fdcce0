"""Launches like a recorded one, but not recorded: dtypes, divisors, strides, constants and kernel options varied.

A launch is a line of a launches file; what it is compiled for is in its symbol. `variants` takes it apart, changes one
to three things at random, and puts it together with cuTile's own mangling. What comes out is well-formed, but cuTile
may refuse to export it (a tile too large, a dtype that an operation does not take): the caller has to ask. The same seed
gives the same launches. `None` is left out: today's calling convention has no way to write it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import cuda.tile as ct
from cuda.tile.compilation import (
    ArrayConstraint,
    ConstantConstraint,
    KernelSignature,
    ListConstraint,
    ScalarConstraint,
)
from cuda.tile.compilation._name_mangling import demangle_kernel_name

FLOATS = (ct.float16, ct.bfloat16, ct.float32, ct.float8_e4m3fn, ct.float8_e5m2)
INTEGERS = (ct.int32, ct.int64)
SCALARS = (ct.int32, ct.int64, ct.float32)
ALIGNMENT = 16
"""Bytes of an aligned address or stride, and elements of an aligned extent, as cuTile's launcher sees them."""
FLOAT_VALUES = (0.0, -0.0, 1.0, 0.5, -1.5, 1e-5, 1e-6, 0.1, 3.0, 1e-40, 1e30, math.inf)
LARGEST = 1 << 20
HINTS: Mapping[str, Sequence[int | None]] = {
    "occupancy": (None, 1, 2, 3, 4, 8, 16, 32),
    "num_ctas": (None, 1, 2, 4),
    "num_worker_warps": (None, 4, 8),
    "opt_level": (0, 1, 2, 3),
}
TARGETS = ("sm_80", "sm_90", "sm_100", "sm_120")
DUPLICATES = 40
"""So many draws in a row that give nothing new end the variants of a kernel."""


@dataclass(frozen=True)
class Draft:
    """A launch that is being varied."""

    parameters: tuple[Any, ...]
    hints: Mapping[str, Any]
    said: tuple[str, ...] = ()

    def arrays(self) -> list[tuple[int, ArrayConstraint]]:
        """Each array, or array that a list is made of, and which parameter it is."""
        pairs = enumerate(p.element if isinstance(p, ListConstraint) else p for p in self.parameters)
        return [(i, p) for i, p in pairs if isinstance(p, ArrayConstraint)]

    def constants(self, *kinds: type) -> list[tuple[int, Any]]:
        """The constants of these types exactly, and which parameter each is."""
        pairs = [(i, p.value) for i, p in enumerate(self.parameters) if isinstance(p, ConstantConstraint)]
        return [(i, value) for i, value in pairs if type(value) in kinds]

    def scalars(self) -> list[tuple[int, ScalarConstraint]]:
        """The numbers known at launch only."""
        return [(i, p) for i, p in enumerate(self.parameters) if isinstance(p, ScalarConstraint)]

    def with_parameters(self, changed: Mapping[int, Any], said: str) -> Draft:
        """The draft with other parameters; an array goes into the list that it is of."""
        parameters = list(self.parameters)
        for i, new in changed.items():
            old = parameters[i]
            parameters[i] = dataclasses.replace(old, element=new) if isinstance(old, ListConstraint) else new
        return dataclasses.replace(self, parameters=tuple(parameters), said=(*self.said, said))


Change = Callable[[Draft, Random, Sequence[Draft]], Draft | None]
"""Something to vary: a draft, a source of chance and all recorded launches; None where there is nothing to vary."""


def variants(rows: Sequence[Mapping[str, Any]], seed: int | str) -> Iterator[dict[str, Any]]:
    """Launches like those in `rows`, which are of one kernel; each new, with a list `varied` of what was changed."""
    first = rows[0]
    random = Random(f"{seed}:{first['module']}:{first['kernel']}")
    pool = [_draft(row) for row in rows]
    conventions = [demangle_kernel_name(row["symbol"])[1].calling_convention for row in rows]
    seen = {_key(row["symbol"], row["hints"]) for row in rows}
    fruitless = 0
    while fruitless < DUPLICATES:
        at = random.randrange(len(pool))
        draft = _varied(pool[at], random, pool)
        symbol = KernelSignature(draft.parameters, conventions[at]).with_mangled_symbol(first["kernel"]).symbol
        assert symbol is not None
        if not draft.said or _key(symbol, draft.hints) in seen:
            fruitless += 1
            continue
        fruitless = 0
        seen.add(_key(symbol, draft.hints))
        yield {**rows[at], "symbol": symbol, "hints": dict(draft.hints), "varied": list(draft.said)}


def _draft(row: Mapping[str, Any]) -> Draft:
    return Draft(demangle_kernel_name(row["symbol"])[1].parameters, dict(row["hints"]))


def _key(symbol: str, hints: Mapping[str, Any]) -> str:
    return f"{symbol} {sorted(hints.items())}"


def _varied(draft: Draft, random: Random, pool: Sequence[Draft]) -> Draft:
    for _ in range(random.choice((1, 1, 2, 3))):
        [change] = random.choices(list(CHANGES), list(CHANGES.values()))
        draft = change(draft, random, pool) or draft
    return draft


# Dtypes


def float_dtype(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """All arrays of one floating-point dtype get another."""
    return _dtype_together(draft, random, FLOATS)


def integer_dtype(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """All arrays of one integer dtype get the other."""
    return _dtype_together(draft, random, INTEGERS)


def one_dtype(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One array gets another dtype of its kind."""
    found = [
        (i, array, family) for i, array in draft.arrays() for family in (FLOATS, INTEGERS) if array.dtype in family
    ]
    if not found:
        return None
    i, array, family = random.choice(found)
    dtype = _other(random, family, array.dtype)
    return draft.with_parameters({i: with_dtype(array, dtype)}, f"dtype of #{i}: {array.dtype.name} -> {dtype.name}")


def scalar_dtype(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One number known at launch is a wider or another one: what Python passes depends on its value."""
    if not draft.scalars():
        return None
    i, scalar = random.choice(draft.scalars())
    dtype = _other(random, SCALARS, scalar.dtype)
    return draft.with_parameters({i: ScalarConstraint(dtype)}, f"scalar #{i}: {scalar.dtype.name} -> {dtype.name}")


def _dtype_together(draft: Draft, random: Random, family: Sequence[Any]) -> Draft | None:
    present = sorted({array.dtype.name for _, array in draft.arrays() if array.dtype in family})
    if not present:
        return None
    old = random.choice(present)
    new = _other(random, family, getattr(ct, old))
    changed = {i: with_dtype(array, new) for i, array in draft.arrays() if array.dtype.name == old}
    return draft.with_parameters(changed, f"dtype: {old} -> {new.name}")


def with_dtype(array: ArrayConstraint, dtype: Any) -> ArrayConstraint:
    """The same memory layout in another dtype: strides that are whole multiples of 16 bytes stay so."""
    old, new = elements_in_16_bytes(array.dtype), elements_in_16_bytes(dtype)
    strides = (new if divisor == old > 1 else divisor for divisor in array.stride_divisible_by)
    return dataclasses.replace(array, dtype=dtype, stride_divisible_by=tuple(strides))


def elements_in_16_bytes(dtype: Any) -> int:
    """How many elements of a dtype an aligned stride is a multiple of."""
    return max(1, ALIGNMENT * 8 // int(dtype.bitwidth))


# Divisors and strides


def divisors(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """Extents and strides of one array, or of all, lose or gain what they are divisible by; a few are in between."""
    arrays = _some(draft.arrays(), random)
    changed = {i: _with_divisors(array, random) for i, array in arrays}
    return draft.with_parameters(changed, f"divisors of {_names(changed)}") if changed else None


def _with_divisors(array: ArrayConstraint, random: Random) -> ArrayConstraint:
    aligned = elements_in_16_bytes(array.dtype)

    def extent(old: int) -> int:
        return random.choice((old, 1, 1, ALIGNMENT, ALIGNMENT, random.choice((2, 4, 8, 32, 24))))

    def stride(axis: int) -> int:
        if array.stride_constant[axis] is not None:
            return 1
        return random.choice((array.stride_divisible_by[axis], 1, 1, aligned, aligned, random.choice((2, 4, 64, 12))))

    return dataclasses.replace(
        array,
        shape_divisible_by=tuple(extent(old) for old in array.shape_divisible_by),
        stride_divisible_by=tuple(stride(axis) for axis in range(array.ndim)),
    )


def address(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """The address of one array, or of all, is less aligned (a view into a larger array), or more."""
    arrays = _some(draft.arrays(), random)
    to = random.choice((8, 8, 4, 4, 2, 1, 16, 128))
    changed = {i: dataclasses.replace(a, base_addr_divisible_by=max(to, a.dtype.bitwidth // 8)) for i, a in arrays}
    return draft.with_parameters(changed, f"address of {_names(changed)}: {to}") if changed else None


def strides(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One array, or all, has no stride of 1, or has it at another axis."""
    arrays = [(i, array) for i, array in draft.arrays() if array.ndim]
    if not arrays:
        return None
    drop = random.random() < 0.5
    changed = {
        i: _with_strides(array, None if drop else random.randrange(array.ndim)) for i, array in _some(arrays, random)
    }
    where = "no stride of 1" if drop else "stride of 1 elsewhere"
    return draft.with_parameters(changed, f"{where}: {_names(changed)}")


def _with_strides(array: ArrayConstraint, one: int | None) -> ArrayConstraint:
    """The array with a stride of 1 at one axis, or at none; what the others are divisible by stays."""
    axes = range(array.ndim)
    return dataclasses.replace(
        array,
        stride_constant=tuple(1 if axis == one else None for axis in axes),
        stride_lower_bound_incl=tuple(None if axis == one else 0 for axis in axes),
        stride_divisible_by=tuple(1 if axis == one else array.stride_divisible_by[axis] for axis in axes),
    )


# Constants


def integer(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One integer constant, or all of the same value, is another: a flag, a tile's extent, a size."""
    found = draft.constants(int)
    if not found:
        return None
    i, old = random.choice(found)
    same = [j for j, value in found if value == old] if random.random() < 0.5 else [i]
    new = other_integer(old, random)
    return draft.with_parameters({j: ConstantConstraint(new) for j in same}, f"{_names(same)}: {old} -> {new}")


def other_integer(old: int, random: Random) -> int:
    """Small numbers stay small; powers of two become others, or sizes that are none; sizes become other sizes."""
    if old in (-1, 0, 1, 3):
        candidates = [-1, 0, 1, 2, 3, 4] if old < 0 else [0, 1, 2, 3, 4]
    elif old & (old - 1) == 0:
        powers = [old // 4, old // 2, old // 2, old * 2, old * 2, old * 4 if old < 64 else old // 2]
        candidates = [power for power in powers if power] + [old - 1, old + 1, old * 3 // 2, random.randint(2, old * 2)]
    else:
        power = 1 << old.bit_length()
        candidates = [old - 1, old + 1, old * 2, old // 2, power, power // 2, random.randint(2, abs(old) * 2)]
    fitting = [value for value in candidates if value != old and value <= max(LARGEST, abs(old))]
    return random.choice(fitting)


def flag(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One flag is the other way round."""
    if not (found := draft.constants(bool)):
        return None
    i, old = random.choice(found)
    return draft.with_parameters({i: ConstantConstraint(not old)}, f"#{i}: {old} -> {not old}")


def float_constant(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One floating-point constant is another."""
    if not (found := draft.constants(float)):
        return None
    i, old = random.choice(found)
    new = random.choice(
        [*(value for value in FLOAT_VALUES if repr(value) != repr(old)), round(random.uniform(-4, 4), 3)]
    )
    return draft.with_parameters({i: ConstantConstraint(new)}, f"#{i}: {old!r} -> {new!r}")


def retyped(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One constant has another type of nearly the same value: Python callers write 0 for 0.0, and 1 for True."""
    if not (found := draft.constants(float, bool, int)):
        return None
    i, old = random.choice(found)
    if isinstance(old, float):
        new: Any = int(old) if math.isfinite(old) else 1
    else:
        new = int(old) if isinstance(old, bool) else random.choice([float(old), bool(old)])
    return draft.with_parameters({i: ConstantConstraint(new)}, f"#{i}: {old!r} -> {new!r}")


def known_scalar(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One number that is known at launch only is a constant."""
    if not draft.scalars():
        return None
    i, scalar = random.choice(draft.scalars())
    new = random.choice((0.125, 1.0, 2.5)) if scalar.dtype.name.startswith("float") else random.choice((1, 7, 64, 1000))
    return draft.with_parameters({i: ConstantConstraint(new)}, f"scalar #{i}: constant {new!r}")


def exchange(draft: Draft, random: Random, pool: Sequence[Draft]) -> Draft | None:
    """One parameter is as in another recorded launch."""
    other = random.choice(pool)
    found = [i for i, (a, b) in enumerate(zip(draft.parameters, other.parameters, strict=True))
             if a != b and type(a) is type(b)]  # fmt: skip
    if not found:
        return None
    i = random.choice(found)
    parameters = (*draft.parameters[:i], other.parameters[i], *draft.parameters[i + 1 :])
    return dataclasses.replace(draft, parameters=parameters, said=(*draft.said, f"#{i} as in another launch"))


# Kernel options


def hints(draft: Draft, random: Random, _: Sequence[Draft]) -> Draft | None:
    """One kernel option is given, is another, or is a table by target."""
    name = random.choice(list(HINTS))
    value: Any = random.choice(HINTS[name])
    if random.random() < 0.4:
        plain = [candidate for candidate in HINTS[name] if candidate is not None]
        value = {target: random.choice(plain) for target in random.sample(TARGETS, 2)}
        if random.random() < 0.5:
            value["default"] = random.choice(plain)
    new = {key: old for key, old in draft.hints.items() if key != name}
    if value is not None:
        new[name] = value
    if new == draft.hints:
        return None
    return dataclasses.replace(draft, hints=new, said=(*draft.said, f"{name}: {draft.hints.get(name)} -> {value}"))


CHANGES: Mapping[Change, int] = {
    float_dtype: 5, integer_dtype: 1, one_dtype: 3, scalar_dtype: 1,
    divisors: 5, address: 2, strides: 3,
    integer: 7, flag: 3, float_constant: 2, retyped: 1, known_scalar: 1, exchange: 3,
    hints: 3,
}  # fmt: skip
"""What is varied, and how often."""


def _other(random: Random, family: Sequence[Any], old: Any) -> Any:
    return random.choice([dtype for dtype in family if dtype != old])


def _some(found: Sequence[tuple[int, Any]], random: Random) -> Sequence[tuple[int, Any]]:
    return found if random.random() < 0.4 or not found else [random.choice(found)]


def _names(numbers: Sequence[int] | Mapping[int, Any]) -> str:
    return ", ".join(f"#{i}" for i in numbers)
