//! Arithmetic as Python means it: `//`, `%` and the like, on scalars and on tiles.

#[cutile::module]
pub mod arithmetic {
    use crate::operations::operations::*;
    use cutile::core::*;

    /// `a // b` on scalars: rounds towards minus infinity (Rust's `/` truncates).
    pub fn floor_div(a: i32, b: i32) -> i32 {
        let left: Tile<i32, { [] }> = scalar_to_tile(a);
        let right: Tile<i32, { [] }> = scalar_to_tile(b);
        let quotient: Tile<i32, { [] }> = divi(left, right, rounding::NegativeInf);
        tile_to_scalar(quotient)
    }

    /// `a % b` on scalars: the result has the sign of `b` (Rust's `%` has that of `a`).
    pub fn floor_mod(a: i32, b: i32) -> i32 {
        let left: Tile<i32, { [] }> = scalar_to_tile(a);
        let right: Tile<i32, { [] }> = scalar_to_tile(b);
        let remainder: Tile<i32, { [] }> = floor_mod_tile(left, right);
        tile_to_scalar(remainder)
    }

    /// `-a` on a scalar.
    pub fn negate(a: i32) -> i32 {
        let value: Tile<i32, { [] }> = scalar_to_tile(a);
        let negated: Tile<i32, { [] }> = negi(value, overflow::None);
        tile_to_scalar(negated)
    }

    /// The same number, of which the compiler knows nothing. A loop to a bound that it knows would get an `assume` on its index that
    /// Python's loop has not: `for i in 0i32..opaque(N)`.
    pub fn opaque(a: i32) -> i32 {
        let value: Tile<i32, { [] }> = scalar_to_tile(a);
        let one: Tile<i32, { [1] }> = reshape(value, shape![1]);
        let value: Tile<i32, { [] }> = reshape(one, shape![]);
        tile_to_scalar(value)
    }

    /// A condition computed on tiles of rank 0, as `if` and `while` take it. The same value, which core's `tile_to_scalar` gives as a
    /// bool only where a variable takes it; `&&`, `||` and `!` do not take that one: `&`, `|` and `^ true` do.
    pub fn is_true(condition: Tile<bool, { [] }>) -> bool {
        let flag: bool = tile_to_scalar(condition);
        flag
    }

    /// The same condition, of which the compiler knows nothing. An `if` that it decides itself may not end in a jump.
    pub fn opaque_flag(a: bool) -> bool {
        let value: Tile<bool, { [] }> = scalar_to_tile(a);
        let one: Tile<bool, { [1] }> = reshape(value, shape![1]);
        let value: Tile<bool, { [] }> = reshape(one, shape![]);
        is_true(value)
    }

    /// `x // y` on tiles of signed integers.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn floor_div_tile<E: ElementType, const S: [i32; N]>(x: Tile<E, S>, y: Tile<E, S>) -> Tile<E, S> {
        let quotient: Tile<E, S> = divi(x, y, rounding::NegativeInf);
        quotient
    }

    /// `ct.cdiv(x, y)` on tiles of integers: rounds up.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn ceil_div_tile<E: ElementType, const S: [i32; N]>(x: Tile<E, S>, y: Tile<E, S>) -> Tile<E, S> {
        let quotient: Tile<E, S> = divi(x, y, rounding::PositiveInf);
        quotient
    }

    /// `x % y` on tiles of integers: the result has the sign of `y`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn floor_mod_tile<E: ElementType, const S: [i32; N]>(x: Tile<E, S>, y: Tile<E, S>) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let remainder: Tile<E, S> = remi(x, y);
        let zero: Tile<E, S> = splat_int(0, shape);
        let remainder_negative: Tile<bool, S> = cmpi(remainder, zero, predicate::LessThan);
        let divisor_negative: Tile<bool, S> = cmpi(y, zero, predicate::LessThan);
        let signs_differ: Tile<bool, S> = remainder_negative ^ divisor_negative;
        let inexact: Tile<bool, S> = cmpi(remainder, zero, predicate::NotEqual);
        let fix: Tile<bool, S> = signs_differ & inexact;
        let fixed: Tile<E, S> = addi_wrap(remainder, y, overflow::None);
        let result: Tile<E, S> = select(fix, fixed, remainder);
        result
    }

    /// `x % y` on tiles of floats: the result has the sign of `y`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn floor_mod_float<E: ElementType, const S: [i32; N]>(x: Tile<E, S>, y: Tile<E, S>) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let remainder: Tile<E, S> = remf(x, y);
        let zero: Tile<E, S> = splat_float(0.0, shape);
        let remainder_negative: Tile<bool, S> = cmpf(remainder, zero, predicate::LessThan, cmp_ordering::Ordered);
        let divisor_negative: Tile<bool, S> = cmpf(y, zero, predicate::LessThan, cmp_ordering::Ordered);
        let signs_differ: Tile<bool, S> = remainder_negative ^ divisor_negative;
        let inexact: Tile<bool, S> = cmpf(remainder, zero, predicate::NotEqual, cmp_ordering::Unordered);
        let fix: Tile<bool, S> = signs_differ & inexact;
        let fixed: Tile<E, S> = remainder + y;
        let result: Tile<E, S> = select(fix, fixed, remainder);
        result
    }
}
