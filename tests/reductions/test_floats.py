"""Constants are rounded, and dtypes promoted, to the bit as cuTile Python does."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir import floats
from hypothesis import given
from hypothesis import strategies as st

FLOATS = [d for d in dt.ALL if dt.is_float(d)]
NUMBERS = st.one_of(st.floats(width=64), st.floats(-16, 16), st.integers(-4096, 4096).map(lambda n: n / 1024))


@given(value=st.floats(width=64, allow_nan=False))
def test_float32_is_rounded_as_struct_does(value: float) -> None:
    try:
        wanted = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        wanted = math.copysign(math.inf, value)
    assert floats.round_to(value, dt.FLOAT32) == wanted


@pytest.mark.parametrize("d", FLOATS, ids=lambda d: str(d.name))
def test_bits_come_back(d: dt.DType) -> None:
    for bits in range(0, 1 << min(d.bits, 16), 7 if d.bits > 8 else 1):
        number = floats.from_bits(bits, d)
        if not math.isnan(number):
            assert floats.to_bits(number, d) == bits


def test_integers_wrap_and_truth_is_truth() -> None:
    assert [floats.round_to(200, dt.INT8), floats.round_to(-1, dt.UINT16), floats.round_to(2, dt.BOOL)] == [
        -56,
        65535,
        True,
    ]


@pytest.mark.toolchain
@pytest.mark.parametrize("d", FLOATS, ids=lambda d: str(d.name))
@given(value=NUMBERS)
def test_bits_are_those_of_cutile(d: dt.DType, value: float) -> None:
    import cuda.tile as ct
    from cuda.tile._bytecode.float import float_to_bits
    from cuda.tile._datatype import dtype_simple_bytecode_type

    def bits(compute: object) -> object:
        try:
            return compute()  # type: ignore[operator]
        except ValueError:
            return "no such number"

    kind = dtype_simple_bytecode_type(getattr(ct, d.name))
    if not math.isnan(value):  # of which cuTile keeps the payload
        assert bits(lambda: floats.to_bits(value, d)) == bits(lambda: float_to_bits(value, kind))


@pytest.mark.toolchain
def test_tables_are_those_of_cutile() -> None:
    import cuda.tile as ct
    from cuda.tile import _datatype, _exception
    from cuda.tile._ir.ops_utils import FTOF_ROUNDING_REGISTRY

    def native(d: dt.DType) -> Any:
        return getattr(ct, d.name)

    names = {None: "RN", "zero": "RZ", "negative_inf": "RM", "positive_inf": "RP", "nearest_away": "RA", "full": "FULL"}
    for a in dt.ALL:
        for b in dt.ALL:
            try:
                promoted = _datatype.promote_dtypes(native(a), native(b)).name
            except _exception.TileTypeError:
                promoted = None
            own = dt.promote(a, b)
            assert (own and own.name) == promoted, (a, b)
            for mode, member in names.items() if a in FLOATS and b in FLOATS and a != b else ():
                legal = getattr(ct.RoundingMode, member) in FTOF_ROUNDING_REGISTRY.get((native(a), native(b)), {})
                assert dt.is_float_cast(a, b, mode) == legal, (a, b, mode)
    wanted = {d: tuple(a.name for a in accs) for d, accs in _datatype._mma_supported_dtypes.items()}
    assert {native(d): tuple(a.name for a in accs) for d, accs in dt.ACCUMULATORS.items()} == wanted
    table: Any = _datatype._mma_scaled_supported_dtypes
    scales = {d: {s: sizes for s, (_, sizes) in found.items()} for d, found in table.items()}
    assert {
        native(d): {native(s): sizes for s, sizes in found.items()} for d, found in dt.SCALE_BLOCKS.items()
    } == scales
