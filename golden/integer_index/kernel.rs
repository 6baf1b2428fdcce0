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

    /// `transpose_flat`, input.py line 7.
    /// When `dtype(x) == dtype(out)` and `is_pow2(TILE)` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn transpose_flat<EX: ElementType, const TILE: i32>(
        x: &Tensor<EX, { [-1, -1, -1] }>,
        out: &Tensor<EX, { [-1, -1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // across = ct.cdiv(x.shape[2], TILE)
        let across: i32 = ceil_div(x.shape()[2], TILE);
        // down = ct.cdiv(x.shape[1], TILE)
        let down: i32 = ceil_div(x.shape()[1], TILE);
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // batch = block // (down * across)
        let batch: i32 = floor_div(block, down * across);
        // place = block % (down * across)
        let place: i32 = floor_mod(block, down * across);
        // i = place // across
        let i: i32 = floor_div(place, across);
        // j = place % across
        let j: i32 = floor_mod(place, across);
        // tile = ct.load(x, (batch, i, j), (1, TILE, TILE))
        let x_view: Partition<EX, { [1, TILE, TILE] }> =
            view_undetermined(x, shape![1, TILE, TILE]);
        let tile: Tile<EX, { [1, TILE, TILE] }> =
            load_view(&x_view, [batch, i, j], token, const_array![0]);
        // ct.store(out, (batch, j, i), ct.permute(tile, (0, 2, 1)))
        let permute_value: Tile<EX, { [1, TILE, TILE] }> = permute(tile, const_array![0, 2, 1]);
        let out_view: Partition<EX, { [1, TILE, TILE] }> =
            view_undetermined(out, shape![1, TILE, TILE]);
        let _out_token: Token =
            store_view(&out_view, permute_value, [batch, j, i], token, const_array![0]);
    }

    /// `transpose_flat`, input.py line 7.
    /// When `dtype(x) != dtype(out)` and `is_float(dtype(out))` and `is_pow2(TILE)` and `implicit_cast_ok(dtype(x),
    /// dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn transpose_flat_v2<EX: ElementType, EOut: ElementType, const TILE: i32>(
        x: &Tensor<EX, { [-1, -1, -1] }>,
        out: &Tensor<EOut, { [-1, -1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // across = ct.cdiv(x.shape[2], TILE)
        let across: i32 = ceil_div(x.shape()[2], TILE);
        // down = ct.cdiv(x.shape[1], TILE)
        let down: i32 = ceil_div(x.shape()[1], TILE);
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // batch = block // (down * across)
        let batch: i32 = floor_div(block, down * across);
        // place = block % (down * across)
        let place: i32 = floor_mod(block, down * across);
        // i = place // across
        let i: i32 = floor_div(place, across);
        // j = place % across
        let j: i32 = floor_mod(place, across);
        // tile = ct.load(x, (batch, i, j), (1, TILE, TILE))
        let x_view: Partition<EX, { [1, TILE, TILE] }> =
            view_undetermined(x, shape![1, TILE, TILE]);
        let tile: Tile<EX, { [1, TILE, TILE] }> =
            load_view(&x_view, [batch, i, j], token, const_array![0]);
        // ct.store(out, (batch, j, i), ct.permute(tile, (0, 2, 1)))
        let permute_value: Tile<EX, { [1, TILE, TILE] }> = permute(tile, const_array![0, 2, 1]);
        let permute_value_cast: Tile<EOut, { [1, TILE, TILE] }> = convert_tile(permute_value);
        let out_view: Partition<EOut, { [1, TILE, TILE] }> =
            view_undetermined(out, shape![1, TILE, TILE]);
        let _out_token: Token =
            store_view(&out_view, permute_value_cast, [batch, j, i], token, const_array![0]);
    }

    /// `transpose_flat`, input.py line 7.
    /// When `dtype(x) != dtype(out)` and `not is_float(dtype(out))` and `not is_float(dtype(x))` and `is_pow2(TILE)`
    /// and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn transpose_flat_v3<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const BITS_X: i32,
        const BITS_OUT: i32,
    >(
        x: &Tensor<EX, { [-1, -1, -1] }>,
        out: &Tensor<EOut, { [-1, -1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // across = ct.cdiv(x.shape[2], TILE)
        let across: i32 = ceil_div(x.shape()[2], TILE);
        // down = ct.cdiv(x.shape[1], TILE)
        let down: i32 = ceil_div(x.shape()[1], TILE);
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // batch = block // (down * across)
        let batch: i32 = floor_div(block, down * across);
        // place = block % (down * across)
        let place: i32 = floor_mod(block, down * across);
        // i = place // across
        let i: i32 = floor_div(place, across);
        // j = place % across
        let j: i32 = floor_mod(place, across);
        // tile = ct.load(x, (batch, i, j), (1, TILE, TILE))
        let x_view: Partition<EX, { [1, TILE, TILE] }> =
            view_undetermined(x, shape![1, TILE, TILE]);
        let tile: Tile<EX, { [1, TILE, TILE] }> =
            load_view(&x_view, [batch, i, j], token, const_array![0]);
        // ct.store(out, (batch, j, i), ct.permute(tile, (0, 2, 1)))
        let permute_value: Tile<EX, { [1, TILE, TILE] }> = permute(tile, const_array![0, 2, 1]);
        let permute_value_cast: Tile<EOut, { [1, TILE, TILE] }> = if BITS_X < BITS_OUT {
            exti(permute_value)
        } else if BITS_X == BITS_OUT {
            bitcast(permute_value)
        } else {
            truncate(permute_value, overflow::None)
        };
        let out_view: Partition<EOut, { [1, TILE, TILE] }> =
            view_undetermined(out, shape![1, TILE, TILE]);
        let _out_token: Token =
            store_view(&out_view, permute_value_cast, [batch, j, i], token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `not is_bool(dtype(x))` and `is_float(dtype(x))` and `dtype(x) != float64` and `bits(dtype(x)) == 16` and
    /// `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits<
        EX: ElementType,
        EOut: ElementType,
        const SHIFT: i32,
        const TILE: i32,
        const FLOAT_SHIFT_BITS: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<EX, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let value: Tile<EX, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let constant_tile: Tile<EX, { [TILE] }> = splat_float(10.0, shape![TILE]);
        let constant_tile_1: Tile<EX, { [TILE] }> = splat_float(10.0, shape![TILE]);
        let floordiv_value: Tile<EX, { [TILE] }> = floor(value / constant_tile);
        let constant_tile_2: Tile<EX, { [TILE] }> =
            bitcast(splat_half_bits(FLOAT_SHIFT_BITS, shape![TILE]));
        let mod_value: Tile<EX, { [TILE] }> = floor_mod_float(
            floor_mod_float(value, constant_tile_1) - constant_tile_2,
            constant_tile_1,
        );
        let fma_value: Tile<EX, { [TILE] }> =
            fma(floordiv_value, constant_tile_1, mod_value, rounding::NearestEven, ftz::Disabled);
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let fma_value_cast: Tile<EOut, { [TILE] }> = convert_tile(fma_value);
        let _out_token: Token = scatter_1d(out, at_u64, fma_value_cast, token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `not is_bool(dtype(x))` and `not is_float(dtype(x))` and `dtype(x) == dtype(out)` and `is_pow2(TILE)` and
    /// `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits_v2<
        EX: ElementType,
        const SHIFT: i32,
        const TILE: i32,
        const BITS_X: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EX, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<EX, { [TILE] }> = splat_int(0, shape![TILE]);
        let value: Tile<EX, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let constant_tile: Tile<EX, { [TILE] }> = splat_int(10, shape![TILE]);
        let product: Tile<EX, { [TILE] }> =
            muli_wrap(floor_div_tile(value, constant_tile), constant_tile, overflow::None);
        let shift_i32: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let constant_tile_1: Tile<EX, { [TILE] }> = if 32 < BITS_X {
            exti(shift_i32)
        } else if 32 == BITS_X {
            bitcast(shift_i32)
        } else {
            truncate(shift_i32, overflow::None)
        };
        let difference: Tile<EX, { [TILE] }> =
            subi_wrap(floor_mod_tile(value, constant_tile), constant_tile_1, overflow::None);
        let total: Tile<EX, { [TILE] }> =
            addi_wrap(product, floor_mod_tile(difference, constant_tile), overflow::None);
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let _out_token: Token = scatter_1d(out, at_u64, total, token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `not is_bool(dtype(x))` and `not is_float(dtype(x))` and `dtype(x) != dtype(out)` and
    /// `is_integral(dtype(out))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x),
    /// dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits_v3<
        EX: ElementType,
        EOut: ElementType,
        const SHIFT: i32,
        const TILE: i32,
        const BITS_X: i32,
        const BITS_OUT: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<EX, { [TILE] }> = splat_int(0, shape![TILE]);
        let value: Tile<EX, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let constant_tile: Tile<EX, { [TILE] }> = splat_int(10, shape![TILE]);
        let product: Tile<EX, { [TILE] }> =
            muli_wrap(floor_div_tile(value, constant_tile), constant_tile, overflow::None);
        let shift_i32: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let constant_tile_1: Tile<EX, { [TILE] }> = if 32 < BITS_X {
            exti(shift_i32)
        } else if 32 == BITS_X {
            bitcast(shift_i32)
        } else {
            truncate(shift_i32, overflow::None)
        };
        let difference: Tile<EX, { [TILE] }> =
            subi_wrap(floor_mod_tile(value, constant_tile), constant_tile_1, overflow::None);
        let total: Tile<EX, { [TILE] }> =
            addi_wrap(product, floor_mod_tile(difference, constant_tile), overflow::None);
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let total_cast: Tile<EOut, { [TILE] }> = if BITS_X < BITS_OUT {
            exti(total)
        } else if BITS_X == BITS_OUT {
            bitcast(total)
        } else {
            truncate(total, overflow::None)
        };
        let _out_token: Token = scatter_1d(out, at_u64, total_cast, token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `not is_bool(dtype(x))` and `is_float(dtype(x))` and `dtype(x) != float64` and `bits(dtype(x)) != 16` and
    /// `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `implicit_cast_ok(dtype(x), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits_v4<
        EX: ElementType,
        EOut: ElementType,
        const SHIFT: i32,
        const TILE: i32,
    >(
        x: &Tensor<f32, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<f32, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let value: Tile<f32, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let constant_tile: Tile<f32, { [TILE] }> = splat_float(10.0, shape![TILE]);
        let constant_tile_1: Tile<f32, { [TILE] }> = splat_float(10.0, shape![TILE]);
        let floordiv_value: Tile<f32, { [TILE] }> = floor(value / constant_tile);
        let constant_tile_2: Tile<f32, { [TILE] }> = splat_number(SHIFT, shape![TILE]);
        let mod_value: Tile<f32, { [TILE] }> = floor_mod_float(
            floor_mod_float(value, constant_tile_1) - constant_tile_2,
            constant_tile_1,
        );
        let fma_value: Tile<f32, { [TILE] }> =
            fma(floordiv_value, constant_tile_1, mod_value, rounding::NearestEven, ftz::Disabled);
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let fma_value_cast: Tile<EOut, { [TILE] }> = convert_tile(fma_value);
        let _out_token: Token = scatter_1d(out, at_u64, fma_value_cast, token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `is_bool(dtype(x))` and `int32 == dtype(out)` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `implicit_cast_ok(int32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits_v5<
        EX: ElementType,
        EOut: ElementType,
        const SHIFT: i32,
        const TILE: i32,
    >(
        x: &Tensor<bool, { [-1] }>,
        out: &Tensor<i32, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<bool, { [TILE] }> = splat_int(0, shape![TILE]);
        let value: Tile<bool, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let value_i32: Tile<i32, { [TILE] }> = exti(value);
        let constant_tile_1: Tile<i32, { [TILE] }> = splat_int(10, shape![TILE]);
        let product: Tile<i32, { [TILE] }> =
            floor_div_tile(value_i32, constant_tile_1) * constant_tile_1;
        let mod_value: Tile<i32, { [TILE] }> = floor_mod_tile(
            floor_mod_tile(value_i32, constant_tile_1) - constant_tile,
            constant_tile_1,
        );
        let total: Tile<i32, { [TILE] }> = product + mod_value;
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let _out_token: Token = scatter_1d(out, at_u64, total, token, const_array![0]);
    }

    /// `rotate_digits`, input.py line 20.
    /// When `is_bool(dtype(x))` and `int32 != dtype(out)` and `is_integral(dtype(out))` and `is_pow2(TILE)` and
    /// `is_arithmetic(dtype(x))` and `implicit_cast_ok(int32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn rotate_digits_v6<
        EX: ElementType,
        EOut: ElementType,
        const SHIFT: i32,
        const TILE: i32,
    >(
        x: &Tensor<bool, { [-1] }>,
        out: &Tensor<i64, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
        let bid_value: i32 = get_tile_block_id().0;
        let product: i32 = bid_value * TILE;
        let iota_value: Tile<i32, { [TILE] }> = iota(shape![TILE]);
        let product_wide: Tile<i32, { [TILE] }> = broadcast_scalar(product, shape![TILE]);
        let at: Tile<i32, { [TILE] }> = product_wide + iota_value;
        // moved = (at - SHIFT) % x.shape[0]
        let constant_tile: Tile<i32, { [TILE] }> = broadcast_scalar(SHIFT, shape![TILE]);
        let difference: Tile<i32, { [TILE] }> = at - constant_tile;
        let wide: Tile<i32, { [TILE] }> = broadcast_scalar(x.shape()[0], shape![TILE]);
        let moved: Tile<i32, { [TILE] }> = floor_mod_tile(difference, wide);
        // value = ct.gather(x, moved)
        let moved_u64: Tile<u64, { [TILE] }> = exti(moved);
        let zero: Tile<bool, { [TILE] }> = splat_int(0, shape![TILE]);
        let value: Tile<bool, { [TILE] }> = gather_1d(x, moved_u64, zero, token, const_array![0]);
        // ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)
        let value_i32: Tile<i32, { [TILE] }> = exti(value);
        let constant_tile_1: Tile<i32, { [TILE] }> = splat_int(10, shape![TILE]);
        let product: Tile<i32, { [TILE] }> =
            floor_div_tile(value_i32, constant_tile_1) * constant_tile_1;
        let mod_value: Tile<i32, { [TILE] }> = floor_mod_tile(
            floor_mod_tile(value_i32, constant_tile_1) - constant_tile,
            constant_tile_1,
        );
        let total: Tile<i32, { [TILE] }> = product + mod_value;
        let at_u64: Tile<u64, { [TILE] }> = exti(at);
        let total_i64: Tile<i64, { [TILE] }> = exti(total);
        let _out_token: Token = scatter_1d(out, at_u64, total_i64, token, const_array![0]);
    }
}
