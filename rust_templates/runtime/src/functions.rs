//! The pure functions of dispatch tables, under the names of `FUNCTIONS` in `cutile2rs/ir/expr.py` and with their meaning.

use std::cmp::Ordering::{Equal, Greater, Less};

use crate::dtype::{self, Category, DType};
use crate::floats;
use crate::value::{Eval, NoValue, Value, arithmetic, compare, equal, float_power, floor_divide, power, true_divide, whole};

/// One function: its arguments' number is checked by the table's reader.
pub type Function = fn(&[&Value]) -> Eval;

unsafe extern "C" {
    safe fn erf(x: f64) -> f64;
}

fn truth(value: bool) -> Eval {
    Ok(Value::Bool(value))
}

fn ordered(a: &[&Value], wanted: &[std::cmp::Ordering]) -> Eval {
    truth(compare(a[0], a[1])?.is_some_and(|order| wanted.contains(&order)))
}

fn bitwise(a: &[&Value], bools: fn(bool, bool) -> bool, ints: fn(i128, i128) -> i128) -> Eval {
    match (a[0], a[1]) {
        (Value::Bool(x), Value::Bool(y)) => truth(bools(*x, *y)),
        _ => Ok(Value::Int(ints(a[0].int()?, a[1].int()?))),
    }
}

/// A function of `math`: what Python raises for has no value.
fn math(a: &[&Value], f: fn(f64) -> f64) -> Eval {
    let x = a[0].float()?;
    let y = f(x);
    let bad = (y.is_nan() && !x.is_nan()) || (y.is_infinite() && x.is_finite());
    if bad { Err(NoValue) } else { Ok(Value::Float(y)) }
}

fn rounded(a: &[&Value], f: fn(f64) -> f64) -> Eval {
    match a[0] {
        Value::Float(x) => whole(f(*x)),
        other => other.int().map(Value::Int),
    }
}

fn of_dtype(a: &[&Value], f: fn(DType) -> bool) -> Eval {
    truth(f(a[0].dtype()?))
}

fn promote(a: &[&Value], force_float: bool) -> Eval {
    dtype::promote(a[0].dtype()?, a[1].dtype()?, force_float).map(Value::DType).ok_or(NoValue)
}

fn category_of(value: &Value) -> Category {
    match value {
        Value::Bool(_) => Category::Boolean,
        Value::Int(_) => Category::Integral,
        _ => Category::Float,
    }
}

fn dtype_of(value: &Value) -> Eval<DType> {
    Ok(match value {
        Value::Bool(_) => DType::Bool,
        Value::Int(x) => {
            let holds = |d: &DType| (d.int_range().0..=d.int_range().1).contains(x);
            [DType::I32, DType::I64, DType::U64].into_iter().find(holds).ok_or(NoValue)?
        }
        _ => DType::F32,
    })
}

fn promote_literal(a: &[&Value], force_float: bool) -> Eval {
    let promoted = dtype::promote_literal(a[0].dtype()?, category_of(a[1]), dtype_of(a[1])?, force_float);
    Ok(Value::DType(promoted))
}

fn within(value: &Value, low: i128, high: i128) -> Eval<bool> {
    let above = compare(&Value::Int(low), value)?;
    let below = compare(value, &Value::Int(high))?;
    Ok(matches!(above, Some(Less | Equal)) && matches!(below, Some(Less | Equal)))
}

fn literal_cast_ok(value: &Value, d: DType) -> Eval<bool> {
    let category = category_of(value);
    if d == DType::Bool {
        let is_bit = equal(value, &Value::Int(0)) || equal(value, &Value::Int(1));
        return Ok(category <= Category::Integral && is_bit);
    }
    if category > d.category() {
        return Ok(false);
    }
    if category == Category::Integral && d.is_integral() {
        let (low, high) = d.int_range();
        return within(value, low, high);
    }
    Ok(true)
}

fn literal_fits(value: &Value, d: DType) -> Eval<bool> {
    if !d.is_integral() || matches!(value, Value::Bool(_)) {
        return Ok(true);
    }
    let (low, high) = d.int_range();
    within(value, low, high)
}

fn is_plain(value: &Value, d: DType) -> Eval<bool> {
    if d.is_integral() {
        let half = 1i128 << (d.bits() - 1);
        return Ok(!matches!(value, Value::Float(_)) && within(value, -half, half - 1)?);
    }
    Ok(equal(value, &Value::Int(0)) || d.is_arithmetic())
}

fn round_to(value: &Value, d: DType) -> Eval {
    if d == DType::Bool {
        return truth(value.truth());
    }
    if d.is_integral() {
        let Value::Int(number) = rounded(&[value], f64::trunc)? else { return Err(NoValue) };
        let bits = number & ((1i128 << d.bits()) - 1);
        let negative = d.signed() && bits >> (d.bits() - 1) != 0;
        return Ok(Value::Int(if negative { bits - (1i128 << d.bits()) } else { bits }));
    }
    let bits = floats::to_bits(value.float()?, d).map_err(|_| NoValue)?;
    floats::from_bits(bits, d).map(Value::Float).map_err(|_| NoValue)
}

fn f64_half(value: &Value, high: bool) -> Eval {
    let bits = value.float()?.to_bits() >> if high { 32 } else { 0 };
    Ok(Value::Int(i128::from(bits as u32 as i32)))
}

fn gcd(a: &[&Value]) -> Eval {
    let (mut x, mut y) = (a[0].int()?.abs(), a[1].int()?.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    Ok(Value::Int(x))
}

fn cdiv(a: &[&Value]) -> Eval {
    let (quotient, _) = floor_divide(&negated(a[0])?, a[1])?;
    negated(&quotient)
}

fn negated(value: &Value) -> Eval {
    match value {
        Value::Float(x) => Ok(Value::Float(-x)),
        other => other.int()?.checked_neg().map(Value::Int).ok_or(NoValue),
    }
}

fn shifted_left(a: &[&Value]) -> Eval {
    let by = u32::try_from(a[1].int()?).map_err(|_| NoValue)?;
    let power = 1i128.checked_shl(by).filter(|power| *power > 0).ok_or(NoValue)?;
    a[0].int()?.checked_mul(power).map(Value::Int).ok_or(NoValue)
}

/// A function by its name in the tables, with its number of arguments.
pub fn find(name: &str) -> Option<(usize, Function)> {
    unary(name).map(|f| (1, f)).or_else(|| binary(name).map(|f| (2, f))).or_else(|| longer(name))
}

fn unary(name: &str) -> Option<Function> {
    conversion(name).or_else(|| mathematical(name)).or_else(|| about_dtype(name))
}

fn conversion(name: &str) -> Option<Function> {
    Some(match name {
        "neg" => |a| negated(a[0]),
        "pos" => |a| if let Value::Float(x) = a[0] { Ok(Value::Float(*x)) } else { a[0].int().map(Value::Int) },
        "invert" => |a| a[0].int().map(|x| Value::Int(!x)),
        "abs" => |a| match a[0] {
            Value::Float(x) => Ok(Value::Float(x.abs())),
            other => other.int()?.checked_abs().map(Value::Int).ok_or(NoValue),
        },
        "not" => |a| truth(!a[0].truth()),
        "int" => |a| rounded(a, f64::trunc),
        "float" => |a| a[0].float().map(Value::Float),
        "bool" => |a| truth(a[0].truth()),
        "is_none" => |a| truth(matches!(a[0], Value::None)),
        "is_pow2" => |a| {
            let x = a[0].float()?;
            truth(x > 0.0 && { a[0].int()? & (a[0].int()? - 1) == 0 })
        },
        "power_of_two" => |a| {
            let x = a[0].int()?;
            Ok(Value::Int(if x == 0 { 1 } else { (x & -x).min(1024) }))
        },
        "f32_bits" => |a| Ok(Value::Int(i128::from((a[0].float()? as f32).to_bits() as i32))),
        "f64_low_bits" => |a| f64_half(a[0], false),
        "f64_high_bits" => |a| f64_half(a[0], true),
        "isqrt" => |a| {
            let x = a[0].int()?;
            if x < 0 { Err(NoValue) } else { Ok(Value::Int(x.isqrt())) }
        },
        "is_array" => |a| truth(matches!(a[0], Value::Str(form) if form.starts_with("array "))),
        "bit_length" => |a| {
            let x = a[0].int()?;
            Ok(Value::Int((x.unsigned_abs().checked_ilog2().map_or(0, |bits| bits + 1)).into()))
        },
        "kind_int" => |a| truth(matches!(a[0], Value::Int(_))),
        "kind_bool" => |a| truth(matches!(a[0], Value::Bool(_))),
        "kind_float" => |a| truth(matches!(a[0], Value::Float(_))),
        _ => return None,
    })
}

fn mathematical(name: &str) -> Option<Function> {
    Some(match name {
        "exp" => |a| math(a, f64::exp),
        "exp2" => |a| power(&Value::Int(2), a[0]),
        "log" => |a| math(a, f64::ln),
        "log2" => |a| math(a, f64::log2),
        "log10" => |a| math(a, f64::log10),
        "log1p" => |a| math(a, f64::ln_1p),
        "expm1" => |a| math(a, f64::exp_m1),
        "sqrt" => |a| math(a, f64::sqrt),
        "sin" => |a| math(a, f64::sin),
        "cos" => |a| math(a, f64::cos),
        "tan" => |a| math(a, f64::tan),
        "sinh" => |a| math(a, f64::sinh),
        "cosh" => |a| math(a, f64::cosh),
        "tanh" => |a| math(a, f64::tanh),
        "erf" => |a| math(a, |x| erf(x)),
        "fabs" => |a| math(a, f64::abs),
        "rsqrt" => |a| power(a[0], &Value::Float(-0.5)),
        "floor" => |a| rounded(a, f64::floor),
        "ceil" => |a| rounded(a, f64::ceil),
        "trunc" => |a| rounded(a, f64::trunc),
        "round" => |a| rounded(a, f64::round_ties_even),
        "isnan" => |a| truth(a[0].float()?.is_nan()),
        "isinf" => |a| truth(a[0].float()?.is_infinite()),
        "isfinite" => |a| truth(a[0].float()?.is_finite()),
        _ => return None,
    })
}

fn about_dtype(name: &str) -> Option<Function> {
    Some(match name {
        "is_float" => |a| of_dtype(a, DType::is_float),
        "is_unrestricted_float" => |a| of_dtype(a, |d| d.category() == Category::Float),
        "is_integral" => |a| of_dtype(a, DType::is_integral),
        "is_arithmetic" => |a| of_dtype(a, DType::is_arithmetic),
        "is_short" => |a| of_dtype(a, |d| d.is_integral() && d.bits() == 16),
        "is_bool" => |a| of_dtype(a, |d| d == DType::Bool),
        "is_restricted" => |a| of_dtype(a, |d| d.category() == Category::RestrictedFloat),
        "is_signed" => |a| of_dtype(a, DType::signed),
        "is_matmul" => |a| of_dtype(a, |d| !dtype::accumulators(d).is_empty()),
        "is_mma_fast" => |a| of_dtype(a, |d| matches!(d, DType::F8E4M3FN | DType::F8E5M2)),
        "is_reducible" => |a| of_dtype(a, |d| d.category() == Category::Float || (d.is_integral() && d.bits() >= 32)),
        "bits" => |a| Ok(Value::Int(i128::from(a[0].dtype()?.bits()))),
        "accumulator" => |a| dtype::accumulators(a[0].dtype()?).first().map(|d| Value::DType(*d)).ok_or(NoValue),
        _ => return None,
    })
}

fn binary(name: &str) -> Option<Function> {
    Some(match name {
        "add" => |a| arithmetic(a[0], a[1], i128::checked_add, |x, y| x + y),
        "sub" => |a| arithmetic(a[0], a[1], i128::checked_sub, |x, y| x - y),
        "mul" => |a| arithmetic(a[0], a[1], i128::checked_mul, |x, y| x * y),
        "floordiv" => |a| floor_divide(a[0], a[1]).map(|(quotient, _)| quotient),
        "mod" => |a| floor_divide(a[0], a[1]).map(|(_, rest)| rest),
        "truediv" => |a| true_divide(a[0], a[1]),
        "pow" => |a| power(a[0], a[1]),
        "fpow" => |a| float_power(a[0].float()?, a[1].float()?).map(Value::Float),
        "atan2" => |a| Ok(Value::Float(a[0].float()?.atan2(a[1].float()?))),
        "lshift" => shifted_left,
        "rshift" => |a| {
            let by = a[1].int()?;
            if by < 0 { Err(NoValue) } else { Ok(Value::Int(a[0].int()? >> by.min(127))) }
        },
        "bitand" => |a| bitwise(a, |x, y| x & y, |x, y| x & y),
        "bitor" => |a| bitwise(a, |x, y| x | y, |x, y| x | y),
        "bitxor" => |a| bitwise(a, |x, y| x ^ y, |x, y| x ^ y),
        "cdiv" => cdiv,
        "gcd" => gcd,
        "min" => |a| Ok(if compare(a[1], a[0])? == Some(Less) { a[1] } else { a[0] }.clone()),
        "max" => |a| Ok(if compare(a[1], a[0])? == Some(Greater) { a[1] } else { a[0] }.clone()),
        "eq" => |a| truth(equal(a[0], a[1])),
        "ne" => |a| truth(!equal(a[0], a[1])),
        "lt" => |a| ordered(a, &[Less]),
        "le" => |a| ordered(a, &[Less, Equal]),
        "gt" => |a| ordered(a, &[Greater]),
        "ge" => |a| ordered(a, &[Greater, Equal]),
        "promote" => |a| promote(a, false),
        "promote_float" => |a| promote(a, true),
        "promote_literal" => |a| promote_literal(a, false),
        "promote_literal_float" => |a| promote_literal(a, true),
        "promotable" => |a| truth(dtype::promote(a[0].dtype()?, a[1].dtype()?, false).is_some()),
        "implicit_cast_ok" => |a| {
            let to = a[1].dtype()?;
            truth(dtype::promote(a[0].dtype()?, to, false) == Some(to))
        },
        "literal_cast_ok" => |a| truth(literal_cast_ok(a[0], a[1].dtype()?)?),
        "literal_fits" => |a| truth(literal_fits(a[0], a[1].dtype()?)?),
        "is_plain" => |a| truth(is_plain(a[0], a[1].dtype()?)?),
        "round_to" => |a| round_to(a[0], a[1].dtype()?),
        "float_bits" => |a| {
            let bits = floats::to_bits(a[0].float()?, a[1].dtype()?).map_err(|_| NoValue)?;
            Ok(Value::Int(i128::from(bits)))
        },
        _ => return None,
    })
}

fn longer(name: &str) -> Option<(usize, Function)> {
    Some(match name {
        "is_float_cast" => (3, |a| {
            let rounding = match a[2] {
                Value::None => None,
                Value::Str(text) => Some(&**text),
                _ => return Err(NoValue),
            };
            truth(dtype::is_float_cast(a[0].dtype()?, a[1].dtype()?, rounding))
        }),
        "is_mma" => (3, |a| truth(dtype::is_mma(a[0].dtype()?, a[1].dtype()?, a[2].dtype()?))),
        "is_mma_scaled" => (3, |a| {
            let blocks = dtype::scale_blocks(a[0].dtype()?, a[1].dtype()?);
            truth(!blocks.is_empty() && a[2].dtype()? == DType::F32)
        }),
        "is_scale_block" => (4, |a| {
            let (quotient, rest) = floor_divide(a[2], a[3])?;
            let blocks = dtype::scale_blocks(a[0].dtype()?, a[1].dtype()?);
            truth(rest.int()? == 0 && blocks.contains(&quotient.int()?))
        }),
        _ => return None,
    })
}
