"""Choosing an entry: each launch gets the one that was made for it, or a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cutile2rs import pipeline
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.dispatch import NoEntry, choose

SOURCE = """import cuda.tile as ct


@ct.kernel
def scale(x, out, N: ct.Constant[int], S: ct.Constant[float], FLAG: ct.Constant[bool], ANY: ct.Constant):
    v = ct.load(x, (ct.bid(0),), (16,))
    if FLAG:
        v = v + 1.0
    ct.store(out, (ct.bid(0),), (v * N * S * ANY).astype(out.dtype))
"""
CONSTANTS: dict[str, Any] = {"N": 3, "S": 0.5, "FLAG": True, "ANY": 2.0}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The kernel's part of the manifest."""
    folder = tmp_path_factory.mktemp("dispatch")
    (folder / "scale.py").write_text(SOURCE, encoding="utf-8")
    assert not pipeline.convert([folder / "scale.py"], folder / "out").diagnostics
    manifest = json.loads((folder / "out" / "manifest.json").read_text(encoding="utf-8"))
    [module] = manifest["modules"]
    [found] = module["kernels"]
    return dict(found)


def bindings(**constants: Any) -> dict[str, Any]:
    """A launch on float32 arrays."""
    forms = {f"form({a})": "array 1" for a in ("x", "out")} | {f"dtype({a})": dt.FLOAT32 for a in ("x", "out")}
    return forms | CONSTANTS | constants


def test_the_declared_kinds_are_served(kernel: dict[str, Any]) -> None:
    on, off = choose(kernel, bindings()), choose(kernel, bindings(FLAG=False))
    assert "3" in on.generics and "3" in off.generics
    assert (on.entry["name"], on.generics) != (off.entry["name"], off.generics)


def test_a_bare_constant_takes_any_number(kernel: dict[str, Any]) -> None:
    assert choose(kernel, bindings(ANY=2)).entry["name"]


@pytest.mark.parametrize(
    ("name", "value", "declared"),
    [("N", 2.5, "int"), ("N", True, "int"), ("N", None, "int"), ("S", 1, "float"), ("FLAG", 1, "bool")],
)
def test_another_kind_is_refused(kernel: dict[str, Any], name: str, value: object, declared: str) -> None:
    """cuTile would compile 2.5 as it is; an entry made for integers would run with 2."""
    with pytest.raises(NoEntry, match=rf"`{name}` is declared Constant\[{declared}\], but {value!r} is passed"):
        choose(kernel, bindings(**{name: value}))


def test_a_size_that_does_not_fit_is_refused(kernel: dict[str, Any]) -> None:
    with pytest.raises(NoEntry, match="N = 2147483648 does not fit"):
        choose(kernel, bindings(N=2**31))
