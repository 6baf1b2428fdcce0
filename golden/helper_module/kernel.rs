//! Device kernels of `helper_module.input`.
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

    /// `gated`, helper_module/input.py line 9.
    /// When `is_pow2(ROWS)` and `is_pow2(COLS)`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn gated<
        EValue: ElementType,
        EControl: ElementType,
        EOut: ElementType,
        const ROWS: i32,
        const COLS: i32,
    >(
        value: &Tensor<EValue, { [-1, -1] }>,
        control: &Tensor<EControl, { [-1, -1] }>,
        out: &Tensor<EOut, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // place = (ct.bid(0), ct.bid(1))
        let bid_value: i32 = get_tile_block_id().0;
        let bid_value_1: i32 = get_tile_block_id().1;
        // v = ct.load(value, place, shape)
        let value_view: Partition<EValue, { [ROWS, COLS] }> =
            view_undetermined(value, shape![ROWS, COLS]);
        let v: Tile<EValue, { [ROWS, COLS] }> =
            load_view(&value_view, [bid_value, bid_value_1], token, const_array![0]);
        // c = ct.load(control, place, shape)
        let control_view: Partition<EControl, { [ROWS, COLS] }> =
            view_undetermined(control, shape![ROWS, COLS]);
        let c: Tile<EControl, { [ROWS, COLS] }> =
            load_view(&control_view, [bid_value, bid_value_1], token, const_array![0]);
        // opened = sigmoid(control.astype(ct.float32))
        let c_f32: Tile<f32, { [ROWS, COLS] }> = convert_tile(c);
        // return 1.0 / (1.0 + ct.exp(-x))
        let one: Tile<f32, { [ROWS, COLS] }> = splat_float(1.0, shape![ROWS, COLS]);
        let opened: Tile<f32, { [ROWS, COLS] }> = one / (one + exp(negf(c_f32)));
        // return value.astype(ct.float32) * opened
        let v_f32: Tile<f32, { [ROWS, COLS] }> = convert_tile(v);
        let product: Tile<f32, { [ROWS, COLS] }> = v_f32 * opened;
        // ct.store(out, place, gate(v, c).astype(out.dtype))
        let product_cast: Tile<EOut, { [ROWS, COLS] }> = convert_tile(product);
        let out_view: Partition<EOut, { [ROWS, COLS] }> =
            view_undetermined(out, shape![ROWS, COLS]);
        let _out_token: Token =
            store_view(&out_view, product_cast, [bid_value, bid_value_1], token, const_array![0]);
    }
}
