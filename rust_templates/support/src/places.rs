//! Reductions that cuTile Rust can only spell out. The compile step of `cutile2rs_runtime` makes one operation of these steps
//! and the reductions and scans around them. `ct.argmax` and `ct.argmin`: which elements of a tile hold an extreme value, and
//! the first of them.

#[cutile::module]
pub mod places {
    use crate::operations::operations::*;
    use cutile::core::*;

    /// The places of the integers that are `best`; `i32::MAX` for the others.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn holding<E: ElementType, const S: [i32; N]>(x: Tile<E, S>, best: Tile<E, S>, places: Tile<i32, S>) -> Tile<i32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let none: Tile<i32, S> = splat_int(2147483647, shape);
        let holds: Tile<bool, S> = cmpi(x, best, predicate::Equal);
        let result: Tile<i32, S> = select(holds, places, none);
        result
    }

    /// The places of the floats that are `best`; `i32::MAX` for the others.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn holding_float<E: ElementType, const S: [i32; N]>(
        x: Tile<E, S>,
        best: Tile<E, S>,
        places: Tile<i32, S>,
    ) -> Tile<i32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let none: Tile<i32, S> = splat_int(2147483647, shape);
        let holds: Tile<bool, S> = cmpf(x, best, predicate::Equal, cmp_ordering::Ordered);
        let result: Tile<i32, S> = select(holds, places, none);
        result
    }

    /// As `holding_float`, but NaNs come first: their places are reduced by 2^30.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn holding_float_nan_first<E: ElementType, const S: [i32; N]>(
        x: Tile<E, S>,
        best: Tile<E, S>,
        places: Tile<i32, S>,
    ) -> Tile<i32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let holds: Tile<i32, S> = holding_float(x, best, places);
        let lower: Tile<i32, S> = splat_int(1073741824, shape);
        let early: Tile<i32, S> = places - lower;
        let is_nan: Tile<bool, S> = cmpf(x, x, predicate::NotEqual, cmp_ordering::Unordered);
        let result: Tile<i32, S> = select(is_nan, early, holds);
        result
    }

    /// The first of the places, the least that is left; 0 if none is: all elements are NaN.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn first_place<const S: [i32; N]>(least: Tile<i32, S>) -> Tile<i32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let none: Tile<i32, S> = splat_int(2147483647, shape);
        let zero: Tile<i32, S> = splat_int(0, shape);
        let is_none: Tile<bool, S> = cmpi(least, none, predicate::Equal);
        let result: Tile<i32, S> = select(is_none, zero, least);
        result
    }

    /// The first of the places, if those of NaNs were reduced.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn first_place_nan_first<const S: [i32; N]>(least: Tile<i32, S>) -> Tile<i32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let lower: Tile<i32, S> = splat_int(1073741824, shape);
        let zero: Tile<i32, S> = splat_int(0, shape);
        let is_nan: Tile<bool, S> = cmpi(least, zero, predicate::LessThan);
        let raised: Tile<i32, S> = least + lower;
        let result: Tile<i32, S> = select(is_nan, raised, least);
        result
    }

    /// The last of the running values of a reduction. The identity changes nothing: this says what it is.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn with_identity<E: ElementType, const S: [i32; N]>(last: Tile<E, S>, identity: Tile<E, S>) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let always: Tile<bool, S> = constant(true, shape);
        let result: Tile<E, S> = select(always, last, identity);
        result
    }
}
