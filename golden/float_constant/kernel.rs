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

    /// `leaky_relu`, input.py line 9.
    /// When `is_pow2(TILE)`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn leaky_relu<
        EX: ElementType,
        EOut: ElementType,
        const TILE: i32,
        const SLOPE_BITS: i32,
    >(
        x: &Tensor<EX, { [-1] }>,
        out: &Tensor<EOut, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // value = ct.load(x, (i,), (TILE,)).astype(ct.float32)
        let x_view: Partition<EX, { [TILE] }> = view_undetermined(x, shape![TILE]);
        let x_tile: Tile<EX, { [TILE] }> = load_view(&x_view, [i], token, const_array![0]);
        let value: Tile<f32, { [TILE] }> = convert_tile(x_tile);
        // leaked = ct.maximum(value, 0.0) + SLOPE * ct.minimum(value, 0.0)
        let zero: Tile<f32, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let max_value: Tile<f32, { [TILE] }> = max_tile(value, zero);
        let constant_tile: Tile<f32, { [TILE] }> = splat_bits(SLOPE_BITS, shape![TILE]);
        let leaked: Tile<f32, { [TILE] }> = fma(
            constant_tile,
            min_tile(value, zero),
            max_value,
            rounding::NearestEven,
            ftz::Disabled,
        );
        // ct.store(out, (i,), ct.minimum(leaked, CEILING).astype(out.dtype))
        let constant_tile: Tile<f32, { [TILE] }> = splat_float(6.0, shape![TILE]);
        let cast_value: Tile<EOut, { [TILE] }> = convert_tile(min_tile(leaked, constant_tile));
        let out_view: Partition<EOut, { [TILE] }> = view_undetermined(out, shape![TILE]);
        let _out_token: Token = store_view(&out_view, cast_value, [i], token, const_array![0]);
    }
}
