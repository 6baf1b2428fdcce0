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

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 == dtype(y)` and `int32 == dtype(out)` and
    /// `not overlaps(out)` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `is_arithmetic(dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy<EX: ElementType, const TILE: i32>(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<i32, { [-1] }>,
        out: &Tensor<i32, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<i32, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<i32, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let result: Tile<i32, { [TILE] }> = alpha_wide * left + right;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let out_view: Partition<i32, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) != int32` and `float32 == dtype(x)` and `float32 == dtype(y)` and `not overlaps(out)` and
    /// `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `is_arithmetic(dtype(y))` and `dtype(alpha) == float32`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v2<EX: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: f32,
        x: &Tensor<f32, { [-1] }>,
        y: &Tensor<f32, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let alpha_tile: Tile<f32, { [] }> = scalar_to_tile(alpha);
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<f32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<f32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<f32, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<f32, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile_wide: Tile<f32, { [TILE] }> = expand(alpha_tile, shape![TILE]);
            let left_cast: Tile<f32, { [TILE] }> = convert_tile(left);
            let result: Tile<f32, { [TILE] }> =
                fma(alpha_tile_wide, left_cast, right, rounding::NearestEven, ftz::Disabled);
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) != int32` and `float32 != dtype(x)` and `not overlaps(out)` and `promote(float32, dtype(x))
    /// == promote(promote(float32, dtype(x)), dtype(y))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `is_arithmetic(dtype(y))` and `dtype(alpha) == float32`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v3<
        EX: ElementType,
        EY: ElementType,
        EOut: ElementType,
        ECommon: ElementType,
        const TILE: i32,
    >(
        alpha: f32,
        x: &Tensor<EX, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let alpha_tile: Tile<f32, { [] }> = scalar_to_tile(alpha);
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile_cast: Tile<ECommon, { [] }> = convert_tile(alpha_tile);
            let alpha_tile_cast_wide: Tile<ECommon, { [TILE] }> =
                expand(alpha_tile_cast, shape![TILE]);
            let left_cast: Tile<ECommon, { [TILE] }> = convert_tile(left);
            let right_cast: Tile<ECommon, { [TILE] }> = convert_tile(right);
            let alpha_tile_cast_wide_cast: Tile<ECommon, { [TILE] }> =
                convert_tile(alpha_tile_cast_wide);
            let left_cast_cast: Tile<ECommon, { [TILE] }> = convert_tile(left_cast);
            let result: Tile<ECommon, { [TILE] }> = fma(
                alpha_tile_cast_wide_cast,
                left_cast_cast,
                right_cast,
                rounding::NearestEven,
                ftz::Disabled,
            );
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) != int32` and `float32 == dtype(x)` and `float32 != dtype(y)` and `not overlaps(out)` and
    /// `dtype(alpha) == promote(float32, dtype(y))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `is_arithmetic(dtype(y))` and `dtype(alpha) == float32`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v4<EX: ElementType, EY: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: f32,
        x: &Tensor<f32, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let alpha_tile: Tile<f32, { [] }> = scalar_to_tile(alpha);
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<f32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<f32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile_wide: Tile<f32, { [TILE] }> = expand(alpha_tile, shape![TILE]);
            let right_cast: Tile<f32, { [TILE] }> = convert_tile(right);
            let alpha_tile_wide_cast: Tile<f32, { [TILE] }> = convert_tile(alpha_tile_wide);
            let left_cast: Tile<f32, { [TILE] }> = convert_tile(left);
            let result: Tile<f32, { [TILE] }> = fma(
                alpha_tile_wide_cast,
                left_cast,
                right_cast,
                rounding::NearestEven,
                ftz::Disabled,
            );
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) != int32` and `float32 == dtype(x)` and `float32 != dtype(y)` and `not overlaps(out)` and
    /// `dtype(alpha) != promote(float32, dtype(y))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `is_arithmetic(dtype(y))` and `dtype(alpha) == float32`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v5<EX: ElementType, EY: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: f32,
        x: &Tensor<f32, { [-1] }>,
        y: &Tensor<f64, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let alpha_tile: Tile<f32, { [] }> = scalar_to_tile(alpha);
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<f32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<f32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<f64, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<f64, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile_wide: Tile<f32, { [TILE] }> = expand(alpha_tile, shape![TILE]);
            let cast_value: Tile<f64, { [TILE] }> = convert_tile(alpha_tile_wide * left);
            let right_cast: Tile<f64, { [TILE] }> = convert_tile(right);
            let result: Tile<f64, { [TILE] }> = cast_value + right_cast;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 != dtype(x)` and `is_float(promote(int32, dtype(x)))` and `not
    /// overlaps(out)` and `dtype(x) == promote(dtype(x), dtype(y))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))`
    /// and `promotable(int32, dtype(x))` and `is_arithmetic(dtype(y))` and `promotable(dtype(x), dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v6<EX: ElementType, EY: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: i32,
        x: &Tensor<EX, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile: Tile<i32, { [] }> = scalar_to_tile(alpha);
            let alpha_cast: Tile<EX, { [] }> = convert_tile(alpha_tile);
            let alpha_cast_wide: Tile<EX, { [TILE] }> = expand(alpha_cast, shape![TILE]);
            let right_cast: Tile<EX, { [TILE] }> = convert_tile(right);
            let alpha_cast_wide_cast: Tile<EX, { [TILE] }> = convert_tile(alpha_cast_wide);
            let left_cast: Tile<EX, { [TILE] }> = convert_tile(left);
            let result: Tile<EX, { [TILE] }> = fma(
                alpha_cast_wide_cast,
                left_cast,
                right_cast,
                rounding::NearestEven,
                ftz::Disabled,
            );
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 != dtype(x)` and `not is_float(promote(int32, dtype(x)))` and
    /// `is_integral(promote(promote(int32, dtype(x)), dtype(y)))` and `is_float(dtype(out))` and `not overlaps(out)`
    /// and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `promotable(int32, dtype(x))` and
    /// `is_arithmetic(dtype(y))` and `promotable(promote(int32, dtype(x)), dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v7<
        EX: ElementType,
        EY: ElementType,
        EOut: ElementType,
        ECommon: ElementType,
        ECommon1: ElementType,
        const TILE: i32,
        const BITS_COMMON: i32,
        const BITS_X: i32,
        const BITS_COMMON1: i32,
        const BITS_Y: i32,
    >(
        alpha: i32,
        x: &Tensor<EX, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile: Tile<i32, { [] }> = scalar_to_tile(alpha);
            let alpha_cast: Tile<ECommon, { [] }> = if 32 < BITS_COMMON {
                exti(alpha_tile)
            } else if 32 == BITS_COMMON {
                bitcast(alpha_tile)
            } else {
                truncate(alpha_tile, overflow::None)
            };
            let alpha_cast_wide: Tile<ECommon, { [TILE] }> = expand(alpha_cast, shape![TILE]);
            let left_cast: Tile<ECommon, { [TILE] }> = if BITS_X < BITS_COMMON {
                exti(left)
            } else if BITS_X == BITS_COMMON {
                bitcast(left)
            } else {
                truncate(left, overflow::None)
            };
            let cast_value: Tile<ECommon1, { [TILE] }> = if BITS_COMMON < BITS_COMMON1 {
                exti(muli_wrap(alpha_cast_wide, left_cast, overflow::None))
            } else if BITS_COMMON == BITS_COMMON1 {
                bitcast(muli_wrap(alpha_cast_wide, left_cast, overflow::None))
            } else {
                truncate(muli_wrap(alpha_cast_wide, left_cast, overflow::None), overflow::None)
            };
            let right_cast: Tile<ECommon1, { [TILE] }> = if BITS_Y < BITS_COMMON1 {
                exti(right)
            } else if BITS_Y == BITS_COMMON1 {
                bitcast(right)
            } else {
                truncate(right, overflow::None)
            };
            let result: Tile<ECommon1, { [TILE] }> =
                addi_wrap(cast_value, right_cast, overflow::None);
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 != dtype(x)` and `not is_float(promote(int32, dtype(x)))` and
    /// `is_integral(promote(promote(int32, dtype(x)), dtype(y)))` and `not is_float(dtype(out))` and
    /// `is_integral(dtype(out))` and `not overlaps(out)` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `promotable(int32, dtype(x))` and `is_arithmetic(dtype(y))` and `promotable(promote(int32, dtype(x)),
    /// dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v8<
        EX: ElementType,
        EY: ElementType,
        EOut: ElementType,
        ECommon: ElementType,
        ECommon1: ElementType,
        const TILE: i32,
        const BITS_COMMON: i32,
        const BITS_X: i32,
        const BITS_COMMON1: i32,
        const BITS_Y: i32,
        const BITS_OUT: i32,
    >(
        alpha: i32,
        x: &Tensor<EX, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile: Tile<i32, { [] }> = scalar_to_tile(alpha);
            let alpha_cast: Tile<ECommon, { [] }> = if 32 < BITS_COMMON {
                exti(alpha_tile)
            } else if 32 == BITS_COMMON {
                bitcast(alpha_tile)
            } else {
                truncate(alpha_tile, overflow::None)
            };
            let alpha_cast_wide: Tile<ECommon, { [TILE] }> = expand(alpha_cast, shape![TILE]);
            let left_cast: Tile<ECommon, { [TILE] }> = if BITS_X < BITS_COMMON {
                exti(left)
            } else if BITS_X == BITS_COMMON {
                bitcast(left)
            } else {
                truncate(left, overflow::None)
            };
            let cast_value: Tile<ECommon1, { [TILE] }> = if BITS_COMMON < BITS_COMMON1 {
                exti(muli_wrap(alpha_cast_wide, left_cast, overflow::None))
            } else if BITS_COMMON == BITS_COMMON1 {
                bitcast(muli_wrap(alpha_cast_wide, left_cast, overflow::None))
            } else {
                truncate(muli_wrap(alpha_cast_wide, left_cast, overflow::None), overflow::None)
            };
            let right_cast: Tile<ECommon1, { [TILE] }> = if BITS_Y < BITS_COMMON1 {
                exti(right)
            } else if BITS_Y == BITS_COMMON1 {
                bitcast(right)
            } else {
                truncate(right, overflow::None)
            };
            let result: Tile<ECommon1, { [TILE] }> =
                addi_wrap(cast_value, right_cast, overflow::None);
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = if BITS_COMMON1 < BITS_OUT {
                exti(result)
            } else if BITS_COMMON1 == BITS_OUT {
                bitcast(result)
            } else {
                truncate(result, overflow::None)
            };
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 != dtype(x)` and `is_float(promote(int32, dtype(x)))` and `not
    /// overlaps(out)` and `dtype(x) != promote(dtype(x), dtype(y))` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))`
    /// and `promotable(int32, dtype(x))` and `is_arithmetic(dtype(y))` and `promotable(dtype(x), dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v9<EX: ElementType, EY: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: i32,
        x: &Tensor<EX, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_tile: Tile<i32, { [] }> = scalar_to_tile(alpha);
            let alpha_cast: Tile<EX, { [] }> = convert_tile(alpha_tile);
            let alpha_cast_wide: Tile<EX, { [TILE] }> = expand(alpha_cast, shape![TILE]);
            let cast_value: Tile<EY, { [TILE] }> = convert_tile(alpha_cast_wide * left);
            let right_cast: Tile<EY, { [TILE] }> = convert_tile(right);
            let result: Tile<EY, { [TILE] }> = cast_value + right_cast;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 != dtype(y)` and `is_float(promote(int32,
    /// dtype(y)))` and `not overlaps(out)` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `is_arithmetic(dtype(y))` and `promotable(int32, dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v10<EX: ElementType, EY: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let cast_value: Tile<EY, { [TILE] }> = convert_tile(alpha_wide * left);
            let result: Tile<EY, { [TILE] }> = cast_value + right;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 != dtype(y)` and `not is_float(promote(int32,
    /// dtype(y)))` and `is_float(dtype(out))` and `not overlaps(out)` and `is_pow2(TILE)` and
    /// `is_arithmetic(dtype(x))` and `is_arithmetic(dtype(y))` and `promotable(int32, dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v11<
        EX: ElementType,
        EY: ElementType,
        EOut: ElementType,
        ECommon: ElementType,
        const TILE: i32,
        const BITS_COMMON: i32,
        const BITS_Y: i32,
    >(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let cast_value: Tile<ECommon, { [TILE] }> = if 32 < BITS_COMMON {
                exti(alpha_wide * left)
            } else if 32 == BITS_COMMON {
                bitcast(alpha_wide * left)
            } else {
                truncate(alpha_wide * left, overflow::None)
            };
            let right_cast: Tile<ECommon, { [TILE] }> = if BITS_Y < BITS_COMMON {
                exti(right)
            } else if BITS_Y == BITS_COMMON {
                bitcast(right)
            } else {
                truncate(right, overflow::None)
            };
            let result: Tile<ECommon, { [TILE] }> =
                addi_wrap(cast_value, right_cast, overflow::None);
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 != dtype(y)` and `not is_float(promote(int32,
    /// dtype(y)))` and `not is_float(dtype(out))` and `is_integral(dtype(out))` and `not overlaps(out)` and
    /// `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and `is_arithmetic(dtype(y))` and `promotable(int32, dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v12<
        EX: ElementType,
        EY: ElementType,
        EOut: ElementType,
        ECommon: ElementType,
        const TILE: i32,
        const BITS_COMMON: i32,
        const BITS_Y: i32,
        const BITS_OUT: i32,
    >(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<EY, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<EY, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<EY, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let cast_value: Tile<ECommon, { [TILE] }> = if 32 < BITS_COMMON {
                exti(alpha_wide * left)
            } else if 32 == BITS_COMMON {
                bitcast(alpha_wide * left)
            } else {
                truncate(alpha_wide * left, overflow::None)
            };
            let right_cast: Tile<ECommon, { [TILE] }> = if BITS_Y < BITS_COMMON {
                exti(right)
            } else if BITS_Y == BITS_COMMON {
                bitcast(right)
            } else {
                truncate(right, overflow::None)
            };
            let result: Tile<ECommon, { [TILE] }> =
                addi_wrap(cast_value, right_cast, overflow::None);
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = if BITS_COMMON < BITS_OUT {
                exti(result)
            } else if BITS_COMMON == BITS_OUT {
                bitcast(result)
            } else {
                truncate(result, overflow::None)
            };
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 == dtype(y)` and `int32 != dtype(out)` and
    /// `is_float(dtype(out))` and `not overlaps(out)` and `is_pow2(TILE)` and `is_arithmetic(dtype(x))` and
    /// `is_arithmetic(dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v13<EX: ElementType, EOut: ElementType, const TILE: i32>(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<i32, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<i32, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<i32, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let result: Tile<i32, { [TILE] }> = alpha_wide * left + right;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = convert_tile(result);
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }

    /// `axpy`, input.py line 7.
    /// When `dtype(alpha) == int32` and `int32 == dtype(x)` and `int32 == dtype(y)` and `int32 != dtype(out)` and
    /// `not is_float(dtype(out))` and `is_integral(dtype(out))` and `not overlaps(out)` and `is_pow2(TILE)` and
    /// `is_arithmetic(dtype(x))` and `is_arithmetic(dtype(y))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn axpy_v14<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const BITS_OUT: i32,
    >(
        alpha: i32,
        x: &Tensor<i32, { [-1] }>,
        y: &Tensor<i32, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // tiles = ct.cdiv(x.shape[0], TILE)
        let tiles: i32 = ceil_div(x.shape()[0], TILE);
        // for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        let bid_value: i32 = get_tile_block_id().0;
        let num_blocks_value: i32 = get_num_tile_blocks().0;
        for i in (bid_value..tiles).step_by(num_blocks_value as usize) {
            // left = ct.load(x, index=(i,), shape=(TILE,))
            let x_view: Partition<i32, { [TILE] }> = view_undetermined(x, shape![TILE]);
            let left: Tile<i32, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
            // right = ct.load(y, index=(i,), shape=(TILE,))
            let y_view: Partition<i32, { [TILE] }> = view_undetermined(y, shape![TILE]);
            let right: Tile<i32, { [TILE] }> = load_view(&y_view, [i], token, const_array![0]);
            // result = alpha * left + right
            let alpha_wide: Tile<i32, { [TILE] }> = broadcast_scalar(alpha, shape![TILE]);
            let result: Tile<i32, { [TILE] }> = alpha_wide * left + right;
            // ct.store(out, index=(i,), tile=result.astype(out.dtype))
            let result_cast: Tile<EOut, { [TILE] }> = if 32 < BITS_OUT {
                exti(result)
            } else if 32 == BITS_OUT {
                bitcast(result)
            } else {
                truncate(result, overflow::None)
            };
            let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
            let _out_token: Token = store_view(&out_view, result_cast, [i], token, const_array![0]);
        }
    }
}
