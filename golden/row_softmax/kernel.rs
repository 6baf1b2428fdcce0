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

    /// `row_softmax`, input.py line 7.
    /// When `is_float(dtype(scores))` and `is_pow2(TILE)`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn row_softmax<EScores: ElementType, EWeights: ElementType, const TILE: i32>(
        scores: &Tensor<EScores, { [-1, -1] }>,
        weights: &Tensor<EWeights, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // row = ct.bid(0)
        let row: i32 = get_tile_block_id().0;
        // values = ct.load(scores, index=(row, 0), shape=(1, TILE),
        //     padding_mode=ct.PaddingMode.NEG_INF)
        let scores_view: Partition<EScores, { [1, TILE] }> = view_neg_inf(scores, shape![1, TILE]);
        let values: Tile<EScores, { [1, TILE] }> =
            load_view(&scores_view, [row, 0i32], token, const_array![0]);
        // values = values.astype(ct.float32)
        let values: Tile<f32, { [1, TILE] }> = convert_tile(values);
        // shifted = values - ct.max(values, axis=1, keepdims=True)
        let maximum: Tile<f32, { [1] }> = reduce_max(values, 1i32);
        let broadcast_value: Tile<f32, { [1, TILE] }> =
            maximum.reshape(shape![1, 1]).broadcast(shape![1, TILE]);
        let shifted: Tile<f32, { [1, TILE] }> = values - broadcast_value;
        // powers = ct.exp(shifted)
        let powers: Tile<f32, { [1, TILE] }> = exp(shifted);
        // total = ct.sum(powers, axis=1, keepdims=True)
        let sum: Tile<f32, { [1] }> = reduce_sum(powers, 1i32);
        let total: Tile<f32, { [1, 1] }> = sum.reshape(shape![1, 1]);
        // ct.store(weights, index=(row, 0), tile=(powers / total).astype(weights.dtype))
        let cast_value: Tile<EWeights, { [1, TILE] }> =
            convert_tile(powers / total.broadcast(shape![1, TILE]));
        let weights_view: Partition<EWeights, { [1, TILE] }> =
            view_undetermined(weights, shape![1, TILE]);
        let _weights_token: Token =
            store_view(&weights_view, cast_value, [row, 0i32], token, const_array![0]);
    }
}
