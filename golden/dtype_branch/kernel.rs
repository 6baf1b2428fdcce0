//! Device kernels of `input`.
//!
//! Each entry is one Python kernel under the conditions written above it. Dtypes of arrays are type generics, integer
//! constants are const generics; a constant derived from others (`NUM_TILES`) is a const generic computed at dispatch,
//! a float constant travels as its bits (`EPS_BITS`).

// Names are the Python kernels' own.
#![allow(non_snake_case)]

#[cutile::module]
pub mod input {
    use cutile::core::*;
    use cutile2rs_support::tile::*;

    /// `hypotenuse`, input.py line 7.
    /// When `dtype(a) == float32` and `not is_short(dtype(b))` and `float32 == dtype(b)` and `is_pow2(TILE)` and
    /// `is_arithmetic(dtype(b))` and `not is_bool(dtype(b))` and `implicit_cast_ok(float32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn hypotenuse<EA: ElementType, EOut: ElementType, const TILE: i32>(
        a: &Tensor<f32, { [-1] }>,
        b: &Tensor<f32, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // x = ct.load(a, (i,), (TILE,))
        let a_view: Partition<f32, { [TILE] }> = view_undetermined(a, shape![TILE]);
        let x: Tile<f32, { [TILE] }> = load_view(&a_view, [i], token, const_array![0]);
        // y = ct.load(b, (i,), (TILE,))
        let b_view: Partition<f32, { [TILE] }> = view_undetermined(b, shape![TILE]);
        let y: Tile<f32, { [TILE] }> = load_view(&b_view, [i], token, const_array![0]);
        // ct.store(out, (i,), ct.sqrt(x * x + y * y))
        let fma_value: Tile<f32, { [TILE] }> =
            fma(x, x, y * y, rounding::NearestEven, ftz::Disabled);
        let cast_value: Tile<EOut, { [TILE] }> =
            convert_tile(sqrt(fma_value, rounding::NearestEven, ftz::Disabled));
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, cast_value, [i], token, const_array![0]);
    }

    /// `hypotenuse`, input.py line 7.
    /// When `dtype(a) != float32` and `is_pow2(TILE)`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn hypotenuse_v2<
        EA: ElementType,
        EB: ElementType,
        EOut: ElementType,
        const TILE: i32,
    >(
        a: &Tensor<EA, { [-1] }>,
        b: &Tensor<EB, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // x = ct.load(a, (i,), (TILE,))
        let a_view: Partition<EA, { [TILE] }> = view_undetermined(a, shape![TILE]);
        let x: Tile<EA, { [TILE] }> = load_view(&a_view, [i], token, const_array![0]);
        // y = ct.load(b, (i,), (TILE,))
        let b_view: Partition<EB, { [TILE] }> = view_undetermined(b, shape![TILE]);
        let y: Tile<EB, { [TILE] }> = load_view(&b_view, [i], token, const_array![0]);
        // wide_x = ct.astype(x, ct.float32)
        let wide_x: Tile<f32, { [TILE] }> = convert_tile(x);
        // wide_y = ct.astype(y, ct.float32)
        let wide_y: Tile<f32, { [TILE] }> = convert_tile(y);
        // length = ct.sqrt(wide_x * wide_x + wide_y * wide_y)
        let fma_value: Tile<f32, { [TILE] }> =
            fma(wide_x, wide_x, wide_y * wide_y, rounding::NearestEven, ftz::Disabled);
        let length: Tile<f32, { [TILE] }> = sqrt(fma_value, rounding::NearestEven, ftz::Disabled);
        // ct.store(out, (i,), ct.astype(length, out.dtype))
        let length_cast: Tile<EOut, { [TILE] }> = convert_tile(length);
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, length_cast, [i], token, const_array![0]);
    }

    /// `hypotenuse`, input.py line 7.
    /// When `dtype(a) == float32` and `not is_short(dtype(b))` and `float32 != dtype(b)` and `float32 ==
    /// promote(float32, dtype(b))` and `is_pow2(TILE)` and `is_arithmetic(dtype(b))` and `not is_bool(dtype(b))` and
    /// `implicit_cast_ok(promote(float32, dtype(b)), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn hypotenuse_v3<
        EA: ElementType,
        EB: ElementType,
        EOut: ElementType,
        const TILE: i32,
    >(
        a: &Tensor<f32, { [-1] }>,
        b: &Tensor<EB, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // x = ct.load(a, (i,), (TILE,))
        let a_view: Partition<f32, { [TILE] }> = view_undetermined(a, shape![TILE]);
        let x: Tile<f32, { [TILE] }> = load_view(&a_view, [i], token, const_array![0]);
        // y = ct.load(b, (i,), (TILE,))
        let b_view: Partition<EB, { [TILE] }> = view_undetermined(b, shape![TILE]);
        let y: Tile<EB, { [TILE] }> = load_view(&b_view, [i], token, const_array![0]);
        // ct.store(out, (i,), ct.sqrt(x * x + y * y))
        let cast_value: Tile<f32, { [TILE] }> = convert_tile(y * y);
        let x_cast: Tile<f32, { [TILE] }> = convert_tile(x);
        let fma_value: Tile<f32, { [TILE] }> =
            fma(x_cast, x_cast, cast_value, rounding::NearestEven, ftz::Disabled);
        let cast_value: Tile<EOut, { [TILE] }> =
            convert_tile(sqrt(fma_value, rounding::NearestEven, ftz::Disabled));
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, cast_value, [i], token, const_array![0]);
    }

    /// `hypotenuse`, input.py line 7.
    /// When `dtype(a) == float32` and `not is_short(dtype(b))` and `float32 != dtype(b)` and `float32 !=
    /// promote(float32, dtype(b))` and `is_pow2(TILE)` and `is_arithmetic(dtype(b))` and `not is_bool(dtype(b))` and
    /// `implicit_cast_ok(promote(float32, dtype(b)), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn hypotenuse_v4<EA: ElementType, EB: ElementType, const TILE: i32>(
        a: &Tensor<f32, { [-1] }>,
        b: &Tensor<f64, { [-1] }>,
        out: &Tensor<EB, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // x = ct.load(a, (i,), (TILE,))
        let a_view: Partition<f32, { [TILE] }> = view_undetermined(a, shape![TILE]);
        let x: Tile<f32, { [TILE] }> = load_view(&a_view, [i], token, const_array![0]);
        // y = ct.load(b, (i,), (TILE,))
        let b_view: Partition<f64, { [TILE] }> = view_undetermined(b, shape![TILE]);
        let y: Tile<f64, { [TILE] }> = load_view(&b_view, [i], token, const_array![0]);
        // ct.store(out, (i,), ct.sqrt(x * x + y * y))
        let cast_value: Tile<f64, { [TILE] }> = convert_tile(x * x);
        let y_cast: Tile<f64, { [TILE] }> = convert_tile(y);
        let fma_value: Tile<f64, { [TILE] }> =
            fma(y_cast, y_cast, cast_value, rounding::NearestEven, ftz::Disabled);
        let cast_value: Tile<EB, { [TILE] }> =
            convert_tile(sqrt(fma_value, rounding::NearestEven, ftz::Disabled));
        let out_view: Partition<EB, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, cast_value, [i], token, const_array![0]);
    }

    /// `hypotenuse`, input.py line 7.
    /// When `dtype(a) == float32` and `is_short(dtype(b))` and `is_pow2(TILE)` and `is_arithmetic(dtype(b))` and `not
    /// is_bool(dtype(b))` and `implicit_cast_ok(float32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn hypotenuse_v5<
        EA: ElementType,
        EB: ElementType,
        EOut: ElementType,
        const TILE: i32,
    >(
        a: &Tensor<f32, { [-1] }>,
        b: &Tensor<EB, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // x = ct.load(a, (i,), (TILE,))
        let a_view: Partition<f32, { [TILE] }> = view_undetermined(a, shape![TILE]);
        let x: Tile<f32, { [TILE] }> = load_view(&a_view, [i], token, const_array![0]);
        // y = ct.load(b, (i,), (TILE,))
        let b_view: Partition<EB, { [TILE] }> = view_undetermined(b, shape![TILE]);
        let y: Tile<EB, { [TILE] }> = load_view(&b_view, [i], token, const_array![0]);
        // ct.store(out, (i,), ct.sqrt(x * x + y * y))
        let cast_value: Tile<f32, { [TILE] }> = convert_tile(muli_wrap(y, y, overflow::None));
        let fma_value: Tile<f32, { [TILE] }> =
            fma(x, x, cast_value, rounding::NearestEven, ftz::Disabled);
        let cast_value: Tile<EOut, { [TILE] }> =
            convert_tile(sqrt(fma_value, rounding::NearestEven, ftz::Disabled));
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, cast_value, [i], token, const_array![0]);
    }
}
