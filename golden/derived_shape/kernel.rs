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

    /// `add_pairs`, input.py line 7.
    /// When `is_reducible(dtype(x))` and `dtype(x) == dtype(out)` and `is_pow2(2 * TILE)` and `(TILE * 2) == (2 *
    /// TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs<EX: ElementType, const TILE: i32, const C2_TIMES_TILE: i32>(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EX, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<EX, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<EX, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<EX, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let sum: Tile<EX, { [TILE] }> = reduce_sum(pairs, 1i32);
        let out_view: Partition<EX, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, sum, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `is_reducible(dtype(x))` and `dtype(x) != dtype(out)` and `is_float(dtype(out))` and `is_pow2(2 * TILE)`
    /// and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v2<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const C2_TIMES_TILE: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<EX, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<EX, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<EX, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let sum: Tile<EX, { [TILE] }> = reduce_sum(pairs, 1i32);
        let sum_cast: Tile<EOut, { [TILE] }> = convert_tile(sum);
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, sum_cast, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `is_reducible(dtype(x))` and `dtype(x) != dtype(out)` and `not is_float(dtype(out))` and `not
    /// is_float(dtype(x))` and `is_pow2(2 * TILE)` and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))` and
    /// `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v3<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const C2_TIMES_TILE: i32,
        const BITS_X: i32,
        const BITS_OUT: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<EX, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<EX, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<EX, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let sum: Tile<EX, { [TILE] }> = reduce_sum(pairs, 1i32);
        let sum_cast: Tile<EOut, { [TILE] }> = if BITS_X < BITS_OUT {
            exti(sum)
        } else if BITS_X == BITS_OUT {
            bitcast(sum)
        } else {
            truncate(sum, overflow::None)
        };
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, sum_cast, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `not is_reducible(dtype(x))` and `is_bool(dtype(x))` and `int32 == dtype(out)` and `is_pow2(2 * TILE)`
    /// and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(int32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v4<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const C2_TIMES_TILE: i32,
    >(
        x: &Tensor<bool, { [-1] }>,
        out: &Tensor<i32, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<bool, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<bool, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<bool, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let pairs_i32: Tile<i32, { [TILE, 2] }> = exti(pairs);
        let sum: Tile<i32, { [TILE] }> = reduce_sum(pairs_i32, 1i32);
        let out_view: Partition<i32, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, sum, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `not is_reducible(dtype(x))` and `not is_bool(dtype(x))` and `dtype(x) == dtype(out)` and `is_pow2(2 *
    /// TILE)` and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x),
    /// dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v5<EX: ElementType, const TILE: i32, const C2_TIMES_TILE: i32>(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EX, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<EX, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<EX, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<EX, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let turned: Tile<EX, { [2, TILE] }> = permute(pairs, const_array![1, 0]);
        let identity: Tile<EX, { [] }> = splat_int(0, shape![]);
        let running: Tile<EX, { [2, TILE] }> =
            scan_with(turned, 0i32, reverse::Reverse, identity, |left, right| {
                addi_wrap(left, right, overflow::None)
            });
        let first: Tile<i32, { [] }> = splat_int(0, shape![]);
        let last: Tile<EX, { [1, TILE] }> = extract(running, [first, first]);
        let last: Tile<EX, { [TILE] }> = reshape(last, shape![TILE]);
        let neutral: Tile<EX, { [TILE] }> = splat_int(0, shape![TILE]);
        let total: Tile<EX, { [TILE] }> = with_identity(last, neutral);
        let out_view: Partition<EX, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, total, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `not is_reducible(dtype(x))` and `not is_bool(dtype(x))` and `dtype(x) != dtype(out)` and
    /// `is_integral(dtype(out))` and `is_pow2(2 * TILE)` and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))`
    /// and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v6<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const C2_TIMES_TILE: i32,
        const BITS_X: i32,
        const BITS_OUT: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<EX, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<EX, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<EX, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let turned: Tile<EX, { [2, TILE] }> = permute(pairs, const_array![1, 0]);
        let identity: Tile<EX, { [] }> = splat_int(0, shape![]);
        let running: Tile<EX, { [2, TILE] }> =
            scan_with(turned, 0i32, reverse::Reverse, identity, |left, right| {
                addi_wrap(left, right, overflow::None)
            });
        let first: Tile<i32, { [] }> = splat_int(0, shape![]);
        let last: Tile<EX, { [1, TILE] }> = extract(running, [first, first]);
        let last: Tile<EX, { [TILE] }> = reshape(last, shape![TILE]);
        let neutral: Tile<EX, { [TILE] }> = splat_int(0, shape![TILE]);
        let total: Tile<EX, { [TILE] }> = with_identity(last, neutral);
        let total_cast: Tile<EOut, { [TILE] }> = if BITS_X < BITS_OUT {
            exti(total)
        } else if BITS_X == BITS_OUT {
            bitcast(total)
        } else {
            truncate(total, overflow::None)
        };
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, total_cast, [i], token, const_array![0]);
    }

    /// `add_pairs`, input.py line 7.
    /// When `not is_reducible(dtype(x))` and `is_bool(dtype(x))` and `int32 != dtype(out)` and
    /// `is_integral(dtype(out))` and `is_pow2(2 * TILE)` and `(TILE * 2) == (2 * TILE)` and `is_arithmetic(dtype(x))`
    /// and `implicit_cast_ok(int32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn add_pairs_v7<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const C2_TIMES_TILE: i32,
    >(
        x: &Tensor<bool, { [-1] }>,
        out: &Tensor<i64, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
        let x_view: Partition<bool, { [C2_TIMES_TILE] }> = view_zero(x, shape![C2_TIMES_TILE]);
        let both: Tile<bool, { [C2_TIMES_TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        // pairs = ct.reshape(both, (TILE, 2))
        let pairs: Tile<bool, { [TILE, 2] }> = both.reshape(shape![TILE, 2]);
        // ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))
        let pairs_i32: Tile<i32, { [TILE, 2] }> = exti(pairs);
        let sum: Tile<i32, { [TILE] }> = reduce_sum(pairs_i32, 1i32);
        let sum_i64: Tile<i64, { [TILE] }> = exti(sum);
        let out_view: Partition<i64, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, sum_i64, [i], token, const_array![0]);
    }
}
