"""What a case is made of: the call of an operator, random tensors to call it with, and the table of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch

Call = Callable[[], Any]
Make = Callable[..., Call]
HALF = (torch.float16, torch.bfloat16)
FLOATS = (torch.float32, *HALF)
NO_OPTIONS: Mapping[str, Mapping[str, Any]] = {"": {}}


@dataclass(frozen=True)
class Case:
    """One call: the operator, what is special about it, and how to make a fresh call of it."""

    operator: str
    what: str
    make: Callable[[Inputs], Call]


class Inputs:
    """Random tensors on the device, the same for the same seed."""

    def __init__(self, seed: int = 0) -> None:
        self._generator = torch.Generator(device="cuda").manual_seed(seed)

    def normal(self, *shape: int, dtype: torch.dtype, scale: float = 1.0) -> torch.Tensor:
        """Normally distributed numbers."""
        numbers = torch.randn(shape, generator=self._generator, device="cuda", dtype=torch.float32)
        return (numbers * scale).to(dtype)

    def uniform(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Numbers from 0 to 1."""
        return torch.rand(shape, generator=self._generator, device="cuda", dtype=torch.float32).to(dtype)

    def integers(self, high: int, *shape: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
        """Integers from 0, below `high`."""
        return torch.randint(0, high, shape, generator=self._generator, device="cuda").to(dtype)


ALL: list[Case] = []
"""Every case, in the order of the files."""


def cases(
    operator: str,
    shapes: Sequence[tuple[int, ...]],
    dtypes: Sequence[torch.dtype | None] = HALF,
    options: Mapping[str, Mapping[str, Any]] = NO_OPTIONS,
) -> Callable[[Make], Make]:
    """Adds cases of an operator: each dtype with each shape and each of the options, which are named.

    The decorated function makes a call: it is given inputs, the public operators, the dtype, the numbers of the shape, and the
    options by name.
    """

    def add(make: Make) -> Make:
        for dtype in dtypes:
            for shape in shapes:
                for label, named in options.items():
                    words = ("x".join(map(str, shape)), "" if dtype is None else name(dtype), label)
                    ALL.append(Case(operator, " ".join(filter(None, words)), _Make(make, dtype, shape, dict(named))))
        return make

    return add


@dataclass(frozen=True)
class _Make:
    make: Make
    dtype: torch.dtype | None
    shape: tuple[int, ...]
    options: dict[str, Any]

    def __call__(self, inputs: Inputs) -> Call:
        return self.make(inputs, operators(), self.dtype, *self.shape, **self.options)


def name(dtype: torch.dtype) -> str:
    """A dtype without its package."""
    return str(dtype).removeprefix("torch.")


def operators() -> SimpleNamespace:
    """TileGym's public operators by name; the one that has only a registered form is taken from the register."""
    from tilegym.backend import get_current_backend
    from tilegym.backend.dispatcher import _REGISTRY
    from tilegym.ops import activation, moe_interface, ops

    def fmha_backward(*arguments: Any, **named: Any) -> Any:
        return _REGISTRY["fmha_backward"][get_current_backend()](*arguments, **named)

    public = {n: f for module in (ops, activation, moe_interface) for n, f in vars(module).items() if callable(f)}
    return SimpleNamespace(**public, fmha_backward=fmha_backward)
