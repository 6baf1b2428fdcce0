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

    /// `matmul`, input.py line 7.
    /// When `is_pow2(TM)` and `is_pow2(TK)` and `is_pow2(TN)` and `is_mma(dtype(a), dtype(b), float32)`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn matmul<
        EA: ElementType,
        EC: ElementType,
        const TM: i32,
        const TN: i32,
        const TK: i32,
    >(
        a: &Tensor<EA, { [-1, -1] }>,
        b: &Tensor<EA, { [-1, -1] }>,
        c: &Tensor<EC, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i, j = ct.bid(0), ct.bid(1)
        let i: i32 = get_tile_block_id().0;
        let j: i32 = get_tile_block_id().1;
        // steps = ct.num_tiles(a, axis=1, shape=(TM, TK))
        let a_view: Partition<EA, { [TM, TK] }> = view_undetermined(a, shape![TM, TK]);
        let steps: i32 = num_tiles(&a_view, 1i32);
        // total = ct.full((TM, TN), 0, dtype=ct.float32)
        let mut total: Tile<f32, { [TM, TN] }> = splat_float(0.0, shape![TM, TN]);
        // for k in range(steps):
        for k in opaque(0i32)..steps {
            // left = ct.load(a, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
            let a_view: Partition<EA, { [TM, TK] }> = view_zero(a, shape![TM, TK]);
            let left: Tile<EA, { [TM, TK] }> = load_view(&a_view, [i, k], token, const_array![0]);
            // right = ct.load(b, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
            let b_view: Partition<EA, { [TK, TN] }> = view_zero(b, shape![TK, TN]);
            let right: Tile<EA, { [TK, TN] }> = load_view(&b_view, [k, j], token, const_array![0]);
            // total = ct.mma(left, right, total)
            total = mmaf(left, right, total);
        }
        // ct.store(c, (i, j), total.astype(c.dtype))
        let total_cast: Tile<EC, { [TM, TN] }> = convert_tile(total);
        let c_view: Partition<EC, { [TM, TN] }> = view_undetermined(c, shape![TM, TN]);
        let _c_token: Token = store_view(&c_view, total_cast, [i, j], token, const_array![0]);
    }
}
