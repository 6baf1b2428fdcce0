"""Rounding of constants to element types, to the bit as cuTile Python does it (``cuda/tile/_bytecode/float.py``)."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.dtypes import DType


@dataclass(frozen=True, slots=True)
class _Format:
    """A binary format: exponents of its normal numbers, exponent and mantissa bits, what it does beyond its range."""

    bits: int
    emin: int
    emax: int
    exponent: int
    mantissa: int
    overflow: str = "inf"
    signed: bool = True


_FORMATS = {
    dt.FLOAT16: _Format(16, -14, 15, 5, 10),
    dt.BFLOAT16: _Format(16, -126, 127, 8, 7),
    dt.FLOAT32: _Format(32, -126, 127, 8, 23),
    dt.TFLOAT32: _Format(19, -126, 127, 8, 10),
    dt.FLOAT8_E4M3FN: _Format(8, -6, 8, 4, 3, "nan"),
    dt.FLOAT8_E5M2: _Format(8, -14, 15, 5, 2),
    dt.FLOAT8_E5M3FNU: _Format(8, -14, 16, 5, 3, "nan", signed=False),
    dt.FLOAT4_E2M1FN: _Format(4, 0, 2, 2, 1, "saturate"),
}


def to_bits(value: float, d: DType) -> int:
    """Bits of the nearest number of a float dtype, ties to even. Raises ``ValueError`` where it has none."""
    if d == dt.FLOAT64:
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    if d == dt.FLOAT8_E8M0FNU:
        return _power_bits(value)
    f = _FORMATS[d]
    negative = math.copysign(1.0, value) < 0
    if negative and not f.signed:
        raise ValueError(f"{d} has no negative numbers")
    sign = int(negative) << (f.bits - 1)
    if value == 0.0:
        return sign
    if math.isnan(value):
        return sign | _nan_bits(f, d)
    magnitude = abs(value)
    mantissa, exponent = math.frexp(magnitude) if math.isfinite(value) else (0.0, f.emax + 2)
    mantissa, exponent = mantissa * 2, exponent - 1
    if exponent > f.emax:
        return sign | _overflow_bits(f)
    if exponent < f.emin:
        mantissa, biased = math.ldexp(mantissa, exponent - f.emin), 0
    else:
        mantissa, biased = mantissa - 1.0, exponent - f.emin + 1
    whole = round(mantissa * (1 << f.mantissa))
    if whole == 1 << f.mantissa:
        whole, biased = 0, biased + 1
        if biased > f.emax - f.emin + 1:
            return sign | _overflow_bits(f)
    return sign | biased << f.mantissa | whole


def _nan_bits(f: _Format, d: DType) -> int:
    if f.overflow == "saturate":
        raise ValueError(f"{d} has no NaN")
    if f.overflow == "nan":
        return (1 << (f.bits - f.signed)) - 1
    return ((1 << f.exponent) - 1) << f.mantissa | 1 << (f.mantissa - 1)


def _overflow_bits(f: _Format) -> int:
    if f.overflow == "inf":
        return ((1 << f.exponent) - 1) << f.mantissa
    return (1 << (f.bits - f.signed)) - 1


def _power_bits(value: float) -> int:
    """A number of float8_e8m0fnu: powers of two from 2**-127 to 2**127, then NaN."""
    if math.copysign(1.0, value) < 0:
        raise ValueError("float8_e8m0fnu has no negative numbers")
    if value == 0.0:
        return 0
    if not math.isfinite(value):
        return 255
    mantissa, exponent = math.frexp(value)
    exponent -= 1
    if exponent > 127:
        return 255
    if exponent < -127:
        return 0
    return min(255, exponent + 127 + (mantissa * 2 >= 1.5))


def from_bits(bits: int, d: DType) -> float:
    """The number that bits of a float dtype stand for."""
    if d == dt.FLOAT64:
        return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
    if d == dt.FLOAT8_E8M0FNU:
        return math.nan if bits == 255 else math.ldexp(1.0, bits - 127)
    f = _FORMATS[d]
    mantissa = bits & ((1 << f.mantissa) - 1)
    biased = bits >> f.mantissa & ((1 << f.exponent) - 1)
    sign = -1.0 if f.signed and bits >> (f.bits - 1) else 1.0
    full = biased == (1 << f.exponent) - 1
    if f.overflow == "inf" and full:
        return math.copysign(math.nan if mantissa else math.inf, sign)
    if f.overflow == "nan" and full and mantissa == (1 << f.mantissa) - 1:
        return math.copysign(math.nan, sign)
    if biased == 0:
        return sign * math.ldexp(mantissa, f.emin - f.mantissa)
    return sign * math.ldexp(1 + mantissa / (1 << f.mantissa), biased - 1 + f.emin)


def round_to(value: bool | int | float, d: DType) -> bool | int | float:
    """A constant as its dtype stores it: floats rounded, integers wrapped, truth values for bool."""
    if d == dt.BOOL:
        return bool(value)
    if dt.is_integral(d):
        bits = int(value) & ((1 << d.bits) - 1)
        return bits - (1 << d.bits) if d.signed and bits >> (d.bits - 1) else bits
    return from_bits(to_bits(float(value), d), d)
