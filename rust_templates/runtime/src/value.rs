//! Python values as far as dispatch tables use them, with Python's own arithmetic.

use std::cmp::Ordering;

use crate::dtype::DType;

/// A value known at launch: a constant, an element type, or what was computed of them.
///
/// Python's integers have no limit; beyond 128 bits an operation has no value here, so that no entry is chosen by it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
    Bool(bool),
    Str(Box<str>),
    None,
    DType(DType),
}

/// Python would raise, or the result is out of our range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoValue;

/// What evaluation answers with.
pub type Eval<T = Value> = Result<T, NoValue>;

impl Value {
    /// Python's `bool(x)`.
    pub fn truth(&self) -> bool {
        match self {
            Self::Int(x) => *x != 0,
            Self::Float(x) => *x != 0.0,
            Self::Bool(x) => *x,
            Self::Str(x) => !x.is_empty(),
            Self::None => false,
            Self::DType(_) => true,
        }
    }

    /// The type's name in Python.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Bool(_) => "bool",
            Self::Str(_) => "str",
            Self::None => "NoneType",
            Self::DType(_) => "dtype",
        }
    }

    /// An integer; `True` and `False` are ones too.
    pub fn int(&self) -> Eval<i128> {
        match self {
            Self::Int(x) => Ok(*x),
            Self::Bool(x) => Ok(i128::from(*x)),
            _ => Err(NoValue),
        }
    }

    /// Any number as a float.
    pub fn float(&self) -> Eval<f64> {
        match self {
            Self::Float(x) => Ok(*x),
            _ => self.int().map(|x| x as f64),
        }
    }

    /// An element type.
    pub fn dtype(&self) -> Eval<DType> {
        if let Self::DType(d) = self { Ok(*d) } else { Err(NoValue) }
    }

    fn is_float(&self) -> bool {
        matches!(self, Self::Float(_))
    }
}

/// `a == b`: numbers by value whatever their types, the rest only with its like.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::None, Value::None) => true,
        (Value::DType(x), Value::DType(y)) => x == y,
        _ => compare(a, b).ok().flatten() == Some(Ordering::Equal),
    }
}

/// Order of two numbers or two texts; `None` if one is NaN.
pub fn compare(a: &Value, b: &Value) -> Eval<Option<Ordering>> {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => Ok(Some(x.cmp(y))),
        (Value::Float(x), Value::Float(y)) => Ok(x.partial_cmp(y)),
        (Value::Float(x), _) => Ok(b.int().map(|y| int_with_float(y, *x).map(Ordering::reverse))?),
        (_, Value::Float(y)) => Ok(int_with_float(a.int()?, *y)),
        _ => Ok(Some(a.int()?.cmp(&b.int()?))),
    }
}

/// Exact, as Python's: no rounding of the integer.
fn int_with_float(x: i128, y: f64) -> Option<Ordering> {
    const LIMIT: f64 = 1.7e38;
    if y.is_nan() {
        return None;
    }
    if y.abs() >= LIMIT {
        return Some(if y > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = y.trunc();
    Some(x.cmp(&(whole as i128)).then_with(|| whole.partial_cmp(&y).unwrap_or(Ordering::Equal)))
}

/// An operation that stays among integers if both operands are.
pub fn arithmetic(a: &Value, b: &Value, ints: fn(i128, i128) -> Option<i128>, floats: fn(f64, f64) -> f64) -> Eval {
    if a.is_float() || b.is_float() {
        return Ok(Value::Float(floats(a.float()?, b.float()?)));
    }
    ints(a.int()?, b.int()?).map(Value::Int).ok_or(NoValue)
}

/// `a // b` and `a % b`, floored.
pub fn floor_divide(a: &Value, b: &Value) -> Eval<(Value, Value)> {
    if a.is_float() || b.is_float() {
        let (x, y) = (a.float()?, b.float()?);
        if y == 0.0 {
            return Err(NoValue);
        }
        let (quotient, rest) = floor_floats(x, y);
        return Ok((Value::Float(quotient), Value::Float(rest)));
    }
    let (x, y) = (a.int()?, b.int()?);
    let mut quotient = x.checked_div(y).ok_or(NoValue)?;
    let mut rest = x % y;
    if rest != 0 && (rest < 0) != (y < 0) {
        (quotient, rest) = (quotient - 1, rest + y);
    }
    Ok((Value::Int(quotient), Value::Int(rest)))
}

/// Python's `divmod` of floats: the remainder is exact, the quotient made to fit it.
fn floor_floats(x: f64, y: f64) -> (f64, f64) {
    let mut rest = x % y;
    let mut quotient = (x - rest) / y;
    if rest == 0.0 {
        rest = 0f64.copysign(y);
    } else if (y < 0.0) != (rest < 0.0) {
        rest += y;
        quotient -= 1.0;
    }
    let floored = if quotient == 0.0 {
        0f64.copysign(x / y)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    };
    (floored, rest)
}

/// `a / b`.
pub fn true_divide(a: &Value, b: &Value) -> Eval {
    const EXACT: i128 = 1 << 53;
    if !a.is_float() && !b.is_float() && (a.int()?.abs() > EXACT || b.int()?.abs() > EXACT) {
        return Err(NoValue);
    }
    let divisor = b.float()?;
    if divisor == 0.0 { Err(NoValue) } else { Ok(Value::Float(a.float()? / divisor)) }
}

/// `a ** b`.
pub fn power(a: &Value, b: &Value) -> Eval {
    if !a.is_float() && !b.is_float() && b.int()? >= 0 {
        let exponent = u32::try_from(b.int()?).map_err(|_| NoValue)?;
        return a.int()?.checked_pow(exponent).map(Value::Int).ok_or(NoValue);
    }
    float_power(a.float()?, b.float()?).map(Value::Float)
}

/// Power of floats; no value where Python raises or turns complex.
pub fn float_power(x: f64, y: f64) -> Eval<f64> {
    let result = x.powf(y);
    let bad = (result.is_nan() && !x.is_nan() && !y.is_nan())
        || (result.is_infinite() && x.is_finite() && y.is_finite())
        || (x == 0.0 && y < 0.0 && y.is_finite());
    if bad { Err(NoValue) } else { Ok(result) }
}

/// A float without its fraction, as an integer.
pub fn whole(x: f64) -> Eval {
    if x.is_finite() && x.abs() < 1.7e38 { Ok(Value::Int(x as i128)) } else { Err(NoValue) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_floors() {
        for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1)] {
            assert_eq!(floor_divide(&Value::Int(a), &Value::Int(b)), Ok((Value::Int(q), Value::Int(r))));
        }
        assert_eq!(floor_divide(&Value::Float(-7.5), &Value::Int(2)), Ok((Value::Float(-4.0), Value::Float(0.5))));
        assert_eq!(floor_divide(&Value::Int(1), &Value::Int(0)), Err(NoValue));
    }

    #[test]
    fn comparison_is_exact_between_kinds() {
        let big = (1i128 << 53) + 1;
        assert_eq!(compare(&Value::Int(big), &Value::Float((1i64 << 53) as f64)), Ok(Some(Ordering::Greater)));
        assert!(equal(&Value::Bool(true), &Value::Float(1.0)));
        assert!(!equal(&Value::None, &Value::Int(0)));
        assert_eq!(compare(&Value::Float(0.5), &Value::Int(0)), Ok(Some(Ordering::Greater)));
        assert_eq!(compare(&Value::Int(0), &Value::Float(-0.5)), Ok(Some(Ordering::Greater)));
    }
}
