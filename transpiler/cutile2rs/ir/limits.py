"""What `torch.finfo` and `torch.iinfo` say of dtypes: plain Python numbers."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.dtypes import DType

#: Bits behind the point of a significand, the smallest exponent, the largest number.
_FLOATS: dict[DType, tuple[int, int, float]] = {
    dt.FLOAT16: (10, -14, 65504.0),
    dt.BFLOAT16: (7, -126, (2 - 2**-7) * 2.0**127),
    dt.FLOAT32: (23, -126, (2 - 2**-23) * 2.0**127),
    dt.FLOAT64: (52, -1022, (2 - 2**-52) * 2.0**1023),
    dt.FLOAT8_E4M3FN: (3, -6, 448.0),
    dt.FLOAT8_E5M2: (2, -14, 57344.0),
}


def finfo(d: DType) -> dict[str, int | float] | None:
    """The attributes of `torch.finfo(d)` that are numbers; None for other than floating-point types."""
    if d not in _FLOATS:
        return None
    digits, smallest, largest = _FLOATS[d]
    tiny = 2.0**smallest
    return {"bits": d.bits, "eps": 2.0**-digits, "max": largest, "min": -largest, "tiny": tiny, "smallest_normal": tiny}


def iinfo(d: DType) -> dict[str, int | float] | None:
    """The attributes of `torch.iinfo(d)` that are numbers; None for other than integer types."""
    if not dt.is_integral(d):
        return None
    low, high = dt.int_range(d)
    return {"bits": d.bits, "max": high, "min": low}
