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

    /// `row_logsumexp`, input.py line 9.
    /// When `is_float(dtype(x))` and `is_pow2(TILE)` and `implicit_cast_ok(float32, dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_logsumexp<EX: ElementType, EOut: ElementType, const TILE: i32>(
        x: &Tensor<EX, { [-1, -1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // row = ct.bid(0)
        let row: i32 = get_tile_block_id().0;
        // peak = ct.full((1, 1), -math.inf, dtype=ct.float32)
        let mut peak: Tile<f32, { [1, 1] }> = splat_float(f64::NEG_INFINITY, shape![1, 1]);
        // total = ct.zeros((1, 1), dtype=ct.float32)
        let mut total: Tile<f32, { [1, 1] }> = splat_float(0.0, shape![1, 1]);
        // for j in range(ct.num_tiles(x, axis=1, shape=(1, TILE))):
        let x_view: Partition<EX, { [1, TILE] }> = view_undetermined(x, shape![1, TILE]);
        let num_tiles_value: i32 = num_tiles(&x_view, 1i32);
        for j in opaque(0i32)..num_tiles_value {
            // part = ct.load(x, index=(row, j), shape=(1, TILE),
            //     padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
            let x_view: Partition<EX, { [1, TILE] }> = view_neg_inf(x, shape![1, TILE]);
            let x_tile: Tile<EX, { [1, TILE] }> =
                load_view(&x_view, [row, j], token, const_array![0]);
            let part: Tile<f32, { [1, TILE] }> = convert_tile(x_tile);
            // new_peak = ct.maximum(peak, ct.max(part, axis=1, keepdims=True))
            let maximum: Tile<f32, { [1] }> = reduce_max(part, 1i32);
            let new_peak: Tile<f32, { [1, 1] }> = max_tile(peak, maximum.reshape(shape![1, 1]));
            // total = total * ct.exp(peak - new_peak) + ct.sum(ct.exp(part - new_peak), axis=1,
            //     keepdims=True)
            let exp_value: Tile<f32, { [1, 1] }> = exp(peak - new_peak);
            let exp_value_1: Tile<f32, { [1, TILE] }> =
                exp(part - new_peak.broadcast(shape![1, TILE]));
            let sum: Tile<f32, { [1] }> = reduce_sum(exp_value_1, 1i32);
            total = fma(
                total,
                exp_value,
                sum.reshape(shape![1, 1]),
                rounding::NearestEven,
                ftz::Disabled,
            );
            peak = new_peak;
        }
        // ct.store(out, index=(row,), tile=ct.reshape(peak + ct.log(total), (1,)))
        let cast_value: Tile<EOut, { [1] }> = convert_tile((peak + log(total)).reshape(shape![1]));
        let out_view: Partition<EOut, { [1] }> = view_undetermined(out, shape![1]);
        let _out_token: Token = store_view(&out_view, cast_value, [row], token, const_array![0]);
    }
}
