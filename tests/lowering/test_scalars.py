"""Run-time numbers: which dtype their annotation or their use gives them."""

from __future__ import annotations

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Lit
from cutile2rs.lowering.context import Refusal

from tests.kernels import lowered_from

HEAD = """
from typing import Annotated
from cuda.tile import ScalarInt64 as Wide
Mine = ct.ScalarInt64
@ct.kernel
"""


def dtypes_of(text: str, name: str) -> list[dt.DType]:
    """The dtype that the scalar ``name`` has in each entry."""
    found = []
    for entry in lowered_from(HEAD + text).entries:
        type_ = entry.scalars[name].type
        assert isinstance(type_, TileType) and isinstance(type_.dtype, Lit)
        assert isinstance(type_.dtype.value, dt.DType)
        found.append(type_.dtype.value)
    return found


@pytest.mark.parametrize(
    ("annotation", "used", "expected"),
    [
        ("", "n * 1.5", [dt.INT32, dt.FLOAT32]),
        (": int", "n * 1.5", [dt.INT32]),
        (": float", "n * 1.5", [dt.FLOAT32]),
        (": 'float'", "n", [dt.FLOAT32]),
        ("", "ct.bid(0) * n", [dt.INT32]),
        (": ct.ScalarInt64", "n * 1.5", [dt.INT64]),
        (": Wide[int]", "n", [dt.INT64]),
        (": Mine", "n", [dt.INT64]),
    ],
)
def test_scalar(annotation: str, used: str, expected: list[dt.DType]) -> None:
    text = f"def k(x, n{annotation}):\n    ct.store(x, (0,), ct.astype(ct.full((1,), {used}, ct.float32), x.dtype))\n"
    assert sorted({d.name for d in dtypes_of(text, "n")}) == sorted(d.name for d in expected)


@pytest.mark.parametrize(
    "annotation", ["ct.IndexedWithInt64", "ct.Constant[tuple[int, int]]", "tuple[ct.Constant[int], int]"]
)
def test_without_rule(annotation: str) -> None:
    with pytest.raises(Refusal, match="there is no rule for") as caught:
        lowered_from(HEAD + f"def k(x: {annotation}):\n    ct.store(x, (0,), 1)\n")
    assert caught.value.code == "C2R401" and caught.value.node is not None
