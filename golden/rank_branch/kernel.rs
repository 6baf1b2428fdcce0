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

    /// `row_means`, input.py line 7.
    /// When `ROWS == 1` and `is_reducible(dtype(data))` and `dtype(data) == int32` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `implicit_cast_ok(float32, dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means<EData: ElementType, EMeans: ElementType, const COLS: i32>(
        data: &Tensor<i32, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<i32, { [1, COLS] }> = view_zero(data, shape![1, COLS]);
        let tile: Tile<i32, { [1, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // tile = ct.reshape(tile, (COLS,))
        let tile: Tile<i32, { [COLS] }> = tile.reshape(shape![COLS]);
        // total = ct.sum(tile, axis=0, keepdims=True)
        let reduce_tile: Tile<i32, { [] }> = reduce_sum(tile, 0i32);
        let sum: i32 = tile_to_scalar(reduce_tile);
        let sum_tile: Tile<i32, { [] }> = scalar_to_tile(sum);
        let total: Tile<i32, { [1] }> = sum_tile.reshape(shape![1]);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_f32: Tile<f32, { [1] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_f32: Tile<f32, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_f32_wide: Tile<f32, { [1] }> = expand(data_extent_1_f32, shape![1]);
        let cast_value: Tile<EMeans, { [1] }> = convert_tile(total_f32 / data_extent_1_f32_wide);
        let means_view: Partition<EMeans, { [1] }> = view_undetermined(means, shape![1]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }

    /// `row_means`, input.py line 7.
    /// When `ROWS != 1` and `is_reducible(dtype(data))` and `dtype(data) == int32` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `implicit_cast_ok(float32, dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means_v2<
        EData: ElementType,
        EMeans: ElementType,
        const ROWS: i32,
        const COLS: i32,
    >(
        data: &Tensor<i32, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<i32, { [ROWS, COLS] }> = view_zero(data, shape![ROWS, COLS]);
        let tile: Tile<i32, { [ROWS, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // total = ct.sum(tile, axis=1)
        let total: Tile<i32, { [ROWS] }> = reduce_sum(tile, 1i32);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_f32: Tile<f32, { [ROWS] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_f32: Tile<f32, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_f32_wide: Tile<f32, { [ROWS] }> = expand(data_extent_1_f32, shape![ROWS]);
        let cast_value: Tile<EMeans, { [ROWS] }> = convert_tile(total_f32 / data_extent_1_f32_wide);
        let means_view: Partition<EMeans, { [ROWS] }> = view_undetermined(means, shape![ROWS]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }

    /// `row_means`, input.py line 7.
    /// When `ROWS != 1` and `is_reducible(dtype(data))` and `dtype(data) != int32` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `promotable(dtype(data), int32)` and
    /// `implicit_cast_ok(promote_float(dtype(data), int32), dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means_v3<
        EData: ElementType,
        EMeans: ElementType,
        ECommon: ElementType,
        const ROWS: i32,
        const COLS: i32,
    >(
        data: &Tensor<EData, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<EData, { [ROWS, COLS] }> = view_zero(data, shape![ROWS, COLS]);
        let tile: Tile<EData, { [ROWS, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // total = ct.sum(tile, axis=1)
        let total: Tile<EData, { [ROWS] }> = reduce_sum(tile, 1i32);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_cast: Tile<ECommon, { [ROWS] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_cast: Tile<ECommon, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_cast_wide: Tile<ECommon, { [ROWS] }> =
            expand(data_extent_1_cast, shape![ROWS]);
        let cast_value: Tile<EMeans, { [ROWS] }> =
            convert_tile(total_cast / data_extent_1_cast_wide);
        let means_view: Partition<EMeans, { [ROWS] }> = view_undetermined(means, shape![ROWS]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }

    /// `row_means`, input.py line 7.
    /// When `ROWS == 1` and `is_reducible(dtype(data))` and `dtype(data) != int32` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `promotable(dtype(data), int32)` and
    /// `implicit_cast_ok(promote_float(dtype(data), int32), dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means_v4<
        EData: ElementType,
        EMeans: ElementType,
        ECommon: ElementType,
        const COLS: i32,
    >(
        data: &Tensor<EData, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<EData, { [1, COLS] }> = view_zero(data, shape![1, COLS]);
        let tile: Tile<EData, { [1, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // tile = ct.reshape(tile, (COLS,))
        let tile: Tile<EData, { [COLS] }> = tile.reshape(shape![COLS]);
        // total = ct.sum(tile, axis=0, keepdims=True)
        let sum: Tile<EData, { [] }> = reduce_sum(tile, 0i32);
        let total: Tile<EData, { [1] }> = sum.reshape(shape![1]);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_cast: Tile<ECommon, { [1] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_cast: Tile<ECommon, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_cast_wide: Tile<ECommon, { [1] }> = expand(data_extent_1_cast, shape![1]);
        let cast_value: Tile<EMeans, { [1] }> = convert_tile(total_cast / data_extent_1_cast_wide);
        let means_view: Partition<EMeans, { [1] }> = view_undetermined(means, shape![1]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }

    /// `row_means`, input.py line 7.
    /// When `ROWS == 1` and `not is_reducible(dtype(data))` and `is_bool(dtype(data))` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `implicit_cast_ok(float32, dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means_v5<EData: ElementType, EMeans: ElementType, const COLS: i32>(
        data: &Tensor<bool, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<bool, { [1, COLS] }> = view_zero(data, shape![1, COLS]);
        let tile: Tile<bool, { [1, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // tile = ct.reshape(tile, (COLS,))
        let tile: Tile<bool, { [COLS] }> = tile.reshape(shape![COLS]);
        // total = ct.sum(tile, axis=0, keepdims=True)
        let tile_i32: Tile<i32, { [COLS] }> = exti(tile);
        let reduce_tile: Tile<i32, { [] }> = reduce_sum(tile_i32, 0i32);
        let sum: i32 = tile_to_scalar(reduce_tile);
        let sum_tile: Tile<i32, { [] }> = scalar_to_tile(sum);
        let total: Tile<i32, { [1] }> = sum_tile.reshape(shape![1]);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_f32: Tile<f32, { [1] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_f32: Tile<f32, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_f32_wide: Tile<f32, { [1] }> = expand(data_extent_1_f32, shape![1]);
        let cast_value: Tile<EMeans, { [1] }> = convert_tile(total_f32 / data_extent_1_f32_wide);
        let means_view: Partition<EMeans, { [1] }> = view_undetermined(means, shape![1]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }

    /// `row_means`, input.py line 7.
    /// When `ROWS == 1` and `not is_reducible(dtype(data))` and `not is_bool(dtype(data))` and `is_pow2(ROWS)` and
    /// `is_pow2(COLS)` and `is_arithmetic(dtype(data))` and `promotable(dtype(data), int32)` and
    /// `implicit_cast_ok(float32, dtype(means))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_means_v6<EData: ElementType, EMeans: ElementType, const COLS: i32>(
        data: &Tensor<EData, { [-1, -1] }>,
        means: &Tensor<EMeans, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // block = ct.bid(0)
        let block: i32 = get_tile_block_id().0;
        // tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
        let data_view: Partition<EData, { [1, COLS] }> = view_zero(data, shape![1, COLS]);
        let tile: Tile<EData, { [1, COLS] }> =
            load_view(&data_view, [block, 0i32], token, const_array![0]);
        // tile = ct.reshape(tile, (COLS,))
        let tile: Tile<EData, { [COLS] }> = tile.reshape(shape![COLS]);
        // total = ct.sum(tile, axis=0, keepdims=True)
        let identity: Tile<EData, { [] }> = splat_int(0, shape![]);
        let total: Tile<EData, { [] }> =
            reduce_with(tile, 0i32, identity, |left, right| addi_wrap(left, right, overflow::None));
        let total: Tile<EData, { [1] }> = total.reshape(shape![1]);
        // ct.store(means, (block,), total / data.shape[1])
        let data_extent_1: i32 = data.shape()[1];
        let total_f32: Tile<f32, { [1] }> = convert_tile(total);
        let data_extent_1_tile: Tile<i32, { [] }> = scalar_to_tile(data_extent_1);
        let data_extent_1_f32: Tile<f32, { [] }> = convert_tile(data_extent_1_tile);
        let data_extent_1_f32_wide: Tile<f32, { [1] }> = expand(data_extent_1_f32, shape![1]);
        let cast_value: Tile<EMeans, { [1] }> = convert_tile(total_f32 / data_extent_1_f32_wide);
        let means_view: Partition<EMeans, { [1] }> = view_undetermined(means, shape![1]);
        let _means_token: Token =
            store_view(&means_view, cast_value, [block], token, const_array![0]);
    }
}
