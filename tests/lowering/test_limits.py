"""The limits of dtypes as numbers, and how the largest are written."""

from __future__ import annotations

import pytest
from cutile2rs.backend.constants import shortest_f32
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.limits import finfo, iinfo


@pytest.mark.parametrize(
    ("dtype", "largest", "eps", "tiny"),
    [
        (dt.FLOAT16, 65504.0, 0.0009765625, 6.103515625e-05),
        (dt.BFLOAT16, 3.3895313892515355e38, 0.0078125, 1.1754943508222875e-38),
        (dt.FLOAT32, 3.4028234663852886e38, 1.1920928955078125e-07, 1.1754943508222875e-38),
        (dt.FLOAT64, 1.7976931348623157e308, 2.220446049250313e-16, 2.2250738585072014e-308),
        (dt.FLOAT8_E4M3FN, 448.0, 0.125, 0.015625),
        (dt.FLOAT8_E5M2, 57344.0, 0.25, 6.103515625e-05),
    ],
)
def test_floats(dtype: dt.DType, largest: float, eps: float, tiny: float) -> None:
    expected = {"bits": dtype.bits, "eps": eps, "max": largest, "min": -largest, "tiny": tiny, "smallest_normal": tiny}
    assert finfo(dtype) == expected
    assert iinfo(dtype) is None


def test_integers() -> None:
    assert iinfo(dt.INT8) == {"bits": 8, "max": 127, "min": -128}
    assert iinfo(dt.UINT32) == {"bits": 32, "max": 2**32 - 1, "min": 0}
    assert finfo(dt.INT8) is None


@pytest.mark.parametrize(
    ("value", "shortest"),
    [(0.1, 0.1), (3.4028234663852886e38, 3.4028235e38), (-3.4028234663852886e38, -3.4028235e38), (1 / 3, 0.33333333)],
)
def test_shortest(value: float, shortest: float) -> None:
    assert shortest_f32(value) == shortest
