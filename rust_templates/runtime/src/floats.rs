//! Rounding of constants to element types, to the bit as `cutile2rs/ir/floats.py` (and cuTile Python) does it.

use crate::dtype::DType;

/// The number has no representation in the element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoValue;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Inf,
    Nan,
    Saturate,
}

struct Format {
    bits: u32,
    emin: i32,
    emax: i32,
    exponent: u32,
    mantissa: u32,
    beyond: Beyond,
    signed: bool,
}

fn format(d: DType) -> Option<Format> {
    use Beyond::{Inf, Nan, Saturate};
    let (bits, emin, emax, exponent, mantissa, beyond, signed) = match d {
        DType::F16 => (16, -14, 15, 5, 10, Inf, true),
        DType::BF16 => (16, -126, 127, 8, 7, Inf, true),
        DType::F32 => (32, -126, 127, 8, 23, Inf, true),
        DType::TF32 => (19, -126, 127, 8, 10, Inf, true),
        DType::F8E4M3FN => (8, -6, 8, 4, 3, Nan, true),
        DType::F8E5M2 => (8, -14, 15, 5, 2, Inf, true),
        DType::F8E5M3FNU => (8, -14, 16, 5, 3, Nan, false),
        DType::F4E2M1FN => (4, 0, 2, 2, 1, Saturate, true),
        _ => return None,
    };
    Some(Format { bits, emin, emax, exponent, mantissa, beyond, signed })
}

/// A number as a fraction in [0.5, 1) and a power of two; zero, infinities and NaN as they are.
fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let (scaled, shift) = if value.abs() < f64::MIN_POSITIVE { (value * 2f64.powi(64), -64) } else { (value, 0) };
    let bits = scaled.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52)), exponent + shift)
}

/// Bits of the nearest number of a float type, ties to even.
pub fn to_bits(value: f64, d: DType) -> Result<u64, NoValue> {
    if d == DType::F64 {
        return Ok(value.to_bits());
    }
    if d == DType::F8E8M0FNU {
        return power_bits(value);
    }
    let f = format(d).ok_or(NoValue)?;
    let negative = value.is_sign_negative();
    if negative && !f.signed {
        return Err(NoValue);
    }
    let sign = u64::from(negative) << (f.bits - 1);
    if value == 0.0 {
        return Ok(sign);
    }
    if value.is_nan() {
        return Ok(sign | nan_bits(&f)?);
    }
    let (fraction, exponent) = if value.is_finite() { frexp(value.abs()) } else { (0.0, f.emax + 2) };
    let (mut mantissa, exponent) = (fraction * 2.0, exponent - 1);
    if exponent > f.emax {
        return Ok(sign | overflow_bits(&f));
    }
    let mut biased = 0;
    if exponent < f.emin {
        mantissa *= 2f64.powi((exponent - f.emin).max(-1000));
    } else {
        mantissa -= 1.0;
        biased = (exponent - f.emin + 1) as u64;
    }
    let mut whole = (mantissa * (1u64 << f.mantissa) as f64).round_ties_even() as u64;
    if whole == 1 << f.mantissa {
        (whole, biased) = (0, biased + 1);
        if biased > (f.emax - f.emin + 1) as u64 {
            return Ok(sign | overflow_bits(&f));
        }
    }
    Ok(sign | (biased << f.mantissa) | whole)
}

fn nan_bits(f: &Format) -> Result<u64, NoValue> {
    match f.beyond {
        Beyond::Saturate => Err(NoValue),
        Beyond::Nan => Ok((1 << (f.bits - u32::from(f.signed))) - 1),
        Beyond::Inf => Ok((((1 << f.exponent) - 1) << f.mantissa) | (1 << (f.mantissa - 1))),
    }
}

fn overflow_bits(f: &Format) -> u64 {
    if f.beyond == Beyond::Inf { ((1 << f.exponent) - 1) << f.mantissa } else { (1 << (f.bits - u32::from(f.signed))) - 1 }
}

/// float8_e8m0fnu: powers of two from 2**-127 to 2**127, then NaN.
fn power_bits(value: f64) -> Result<u64, NoValue> {
    if value.is_sign_negative() {
        return Err(NoValue);
    }
    if value == 0.0 {
        return Ok(0);
    }
    if !value.is_finite() {
        return Ok(255);
    }
    let (fraction, exponent) = frexp(value);
    Ok(match exponent - 1 {
        128.. => 255,
        ..-127 => 0,
        exponent => (exponent + 127 + i32::from(fraction * 2.0 >= 1.5)).min(255) as u64,
    })
}

/// The number that bits of a float type stand for.
pub fn from_bits(bits: u64, d: DType) -> Result<f64, NoValue> {
    if d == DType::F64 {
        return Ok(f64::from_bits(bits));
    }
    if d == DType::F8E8M0FNU {
        return Ok(if bits == 255 { f64::NAN } else { 2f64.powi(bits as i32 - 127) });
    }
    let f = format(d).ok_or(NoValue)?;
    let mantissa = bits & ((1 << f.mantissa) - 1);
    let biased = (bits >> f.mantissa) & ((1 << f.exponent) - 1);
    let sign = if f.signed && bits >> (f.bits - 1) != 0 { -1.0 } else { 1.0f64 };
    let full = biased == (1 << f.exponent) - 1;
    if f.beyond == Beyond::Inf && full {
        return Ok(if mantissa != 0 { f64::NAN } else { f64::INFINITY }.copysign(sign));
    }
    if f.beyond == Beyond::Nan && full && mantissa == (1 << f.mantissa) - 1 {
        return Ok(f64::NAN.copysign(sign));
    }
    Ok(if biased == 0 {
        sign * mantissa as f64 * 2f64.powi(f.emin - f.mantissa as i32)
    } else {
        sign * (1.0 + mantissa as f64 / (1u64 << f.mantissa) as f64) * 2f64.powi(biased as i32 - 1 + f.emin)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_as_the_hardware_formats_do() {
        for value in [0.1, -1e-40, 3.4e38, 1.0, -0.0, f64::INFINITY, 1e39, 5e-324] {
            assert_eq!(to_bits(value, DType::F32), Ok(u64::from((value as f32).to_bits())), "{value}");
        }
        assert_eq!(to_bits(65504.0, DType::F16), Ok(0x7bff));
        assert_eq!(to_bits(65520.0, DType::F16), Ok(0x7c00));
        assert_eq!(to_bits(448.0, DType::F8E4M3FN), Ok(0x7e));
        assert_eq!(to_bits(1e9, DType::F8E4M3FN), Ok(0x7f));
        assert_eq!(to_bits(-1.0, DType::F8E8M0FNU), Err(NoValue));
    }

    #[test]
    fn bits_go_back_to_numbers() {
        for d in [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2, DType::F4E2M1FN, DType::F8E8M0FNU] {
            for value in [0.5, 1.0, 2.0, 4.0] {
                assert_eq!(to_bits(value, d).and_then(|bits| from_bits(bits, d)), Ok(value), "{d:?}");
            }
        }
    }
}
