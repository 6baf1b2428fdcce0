"""`benchmarks/operators`: every registered operator has cases, and their calls are ones that TileGym's signatures take."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from typing import Any

import pytest

from tests.workplace import ROOT, run

PROGRAM = """
import inspect, json, sys
from tests.host import stubs

stubs.install("torch", "numpy", "transformers", "cffi")
import torch, tilegym
from tilegym.backend import dispatcher
import inputs
from types import SimpleNamespace


class Tensor(torch.Tensor):
    # Something of a shape that nobody looks at.
    shape, dtype, grad = (1, 1), "float16", None

    def __getattr__(self, name):
        return Tensor()

    def __int__(self):
        return 0

    def __iter__(self):
        return iter([Tensor(), Tensor(), Tensor()])

    def _other(self, *args, **named):
        return self

    def __setitem__(self, *args):
        pass

    __neg__ = __add__ = __rsub__ = __iadd__ = __mul__ = __getitem__ = __call__ = _other


class Inputs:
    def __getattr__(self, name):
        return lambda *args, **named: Tensor()


for maker in ("zeros", "zeros_like", "full", "tensor", "arange", "empty", "as_tensor", "argsort"):
    setattr(torch, maker, lambda *args, **named: Tensor())
called = []
real = vars(inputs.operators())


def checked(name, function):
    def call(*args, **named):
        inspect.signature(function).bind(*args, **named)
        called.append(name)
        return Tensor()
    return call


fmha_backward = dispatcher._REGISTRY["fmha_backward"]["cutile"]
fakes = SimpleNamespace(**{n: checked(n, f) for n, f in real.items() if n in dispatcher._REGISTRY or "moe" in n})
fakes.fmha_backward = checked("fmha_backward", fmha_backward)
inputs.operators = lambda: fakes
import cases

found = []
for case in cases.all_cases():
    called.clear()
    case.make(Inputs())()
    found.append([case.operator, case.what, case.operator in called])
import block

block.operators = lambda: fakes
called.clear()
block.Layer(Inputs(), None)(Tensor())
print(json.dumps([found, called, sorted(n for n, f in dispatcher._REGISTRY.items() if "cutile" in f)]))
"""


@pytest.fixture(scope="module")
def told() -> Any:
    """Operator, description and whether the call got there, of each case; a layer's calls; and the registered operators."""
    path = f"{ROOT}:{ROOT / 'benchmarks'}:{ROOT / 'benchmarks' / 'operators'}"
    done = run([sys.executable, "-c", PROGRAM], env={"PYTHONPATH": path})
    assert done.status == 0, done.err
    return json.loads(done.out.splitlines()[-1])


def test_every_call_fits_its_operator(told: Any) -> None:
    cases, _, _ = told
    assert [case for case in cases if not case[2]] == []
    assert len({(operator, what) for operator, what, _ in cases}) == len(cases) > 240


def test_every_operator_has_several_cases(told: Any) -> None:
    cases, _, registered = told
    by_operator: dict[str, list[str]] = defaultdict(list)
    for operator, what, _ in cases:
        by_operator[operator].append(what)
    assert len(registered) >= 48 and sorted(by_operator) == registered
    assert all(len(what) >= 2 for what in by_operator.values())
    shapes = {operator: {what.partition(" ")[0] for what in found} for operator, found in by_operator.items()}
    assert all(len(found) >= 2 for found in shapes.values())


def test_a_layers_calls_fit_their_operators(told: Any) -> None:
    attention = ["rms_norm", *["matmul"] * 3, "apply_rope_base", "fmha", "matmul"]
    assert told[1] == [*attention, "rms_norm", "get_swiglu", *["matmul"] * 4, "softmax"]
