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

    /// `huber`, input.py line 7.
    /// When `not is_bool(dtype(present))` and `is_float(dtype(present))` and `is_pow2(TILE)` and
    /// `implicit_cast_ok(float32, dtype(loss))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn huber<
        EPredicted: ElementType,
        EWanted: ElementType,
        EPresent: ElementType,
        ELoss: ElementType,
        const TILE: i32,
        const C0_5_TIMES_DELTA_BITS: i32,
        const DELTA_BITS: i32,
    >(
        predicted: &Tensor<EPredicted, { [-1] }>,
        wanted: &Tensor<EWanted, { [-1] }>,
        present: &Tensor<EPresent, { [-1] }>,
        loss: &Tensor<ELoss, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // guess = ct.load(predicted, (i,), (TILE,)).astype(ct.float32)
        let predicted_view: Partition<EPredicted, { [TILE] }> =
            view_undetermined(predicted, shape![TILE]);
        let predicted_tile: Tile<EPredicted, { [TILE] }> =
            load_view(&predicted_view, [i], token, const_array![0]);
        let guess: Tile<f32, { [TILE] }> = convert_tile(predicted_tile);
        // truth = ct.load(wanted, (i,), (TILE,)).astype(ct.float32)
        let wanted_view: Partition<EWanted, { [TILE] }> = view_undetermined(wanted, shape![TILE]);
        let wanted_tile: Tile<EWanted, { [TILE] }> =
            load_view(&wanted_view, [i], token, const_array![0]);
        let truth: Tile<f32, { [TILE] }> = convert_tile(wanted_tile);
        // difference = guess - truth
        let difference: Tile<f32, { [TILE] }> = guess - truth;
        // size = ct.maximum(difference, -difference)
        let size: Tile<f32, { [TILE] }> = max_tile(difference, negf(difference));
        // inside = 0.5 * difference * difference
        let half: Tile<f32, { [TILE] }> = splat_float(0.5, shape![TILE]);
        let inside: Tile<f32, { [TILE] }> = half * difference * difference;
        // outside = DELTA * (size - 0.5 * DELTA)
        let constant_tile: Tile<f32, { [TILE] }> = splat_bits(C0_5_TIMES_DELTA_BITS, shape![TILE]);
        let constant_tile_1: Tile<f32, { [TILE] }> = splat_bits(DELTA_BITS, shape![TILE]);
        let outside: Tile<f32, { [TILE] }> = constant_tile_1 * (size - constant_tile);
        // cost = ct.where(size <= DELTA, inside, outside)
        let le_value: Tile<bool, { [TILE] }> = le_tile(size, constant_tile_1);
        let cost: Tile<f32, { [TILE] }> = select(le_value, inside, outside);
        // counted = (ct.load(present, (i,), (TILE,)) != 0) & (difference == difference)
        let present_view: Partition<EPresent, { [TILE] }> =
            view_undetermined(present, shape![TILE]);
        let present_tile: Tile<EPresent, { [TILE] }> =
            load_view(&present_view, [i], token, const_array![0]);
        let zero: Tile<EPresent, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let ne_value: Tile<bool, { [TILE] }> =
            cmpf(present_tile, zero, predicate::NotEqual, cmp_ordering::Unordered);
        let eq_value: Tile<bool, { [TILE] }> = eq_tile(difference, difference);
        let counted: Tile<bool, { [TILE] }> = ne_value & eq_value;
        // ct.store(loss, (i,), ct.where(counted, cost, 0.0))
        let zero: Tile<f32, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let select_value: Tile<f32, { [TILE] }> = select(counted, cost, zero);
        let select_value_cast: Tile<ELoss, { [TILE] }> = convert_tile(select_value);
        let loss_view: Partition<ELoss, { [TILE] }> = view_undetermined(loss, shape![TILE]);
        let _loss_token: Token =
            store_view(&loss_view, select_value_cast, [i], token, const_array![0]);
    }

    /// `huber`, input.py line 7.
    /// When `is_bool(dtype(present))` and `is_pow2(TILE)` and `implicit_cast_ok(float32, dtype(loss))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn huber_v2<
        EPredicted: ElementType,
        EWanted: ElementType,
        EPresent: ElementType,
        ELoss: ElementType,
        const TILE: i32,
        const C0_5_TIMES_DELTA_BITS: i32,
        const DELTA_BITS: i32,
    >(
        predicted: &Tensor<EPredicted, { [-1] }>,
        wanted: &Tensor<EWanted, { [-1] }>,
        present: &Tensor<bool, { [-1] }>,
        loss: &Tensor<ELoss, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // guess = ct.load(predicted, (i,), (TILE,)).astype(ct.float32)
        let predicted_view: Partition<EPredicted, { [TILE] }> =
            view_undetermined(predicted, shape![TILE]);
        let predicted_tile: Tile<EPredicted, { [TILE] }> =
            load_view(&predicted_view, [i], token, const_array![0]);
        let guess: Tile<f32, { [TILE] }> = convert_tile(predicted_tile);
        // truth = ct.load(wanted, (i,), (TILE,)).astype(ct.float32)
        let wanted_view: Partition<EWanted, { [TILE] }> = view_undetermined(wanted, shape![TILE]);
        let wanted_tile: Tile<EWanted, { [TILE] }> =
            load_view(&wanted_view, [i], token, const_array![0]);
        let truth: Tile<f32, { [TILE] }> = convert_tile(wanted_tile);
        // difference = guess - truth
        let difference: Tile<f32, { [TILE] }> = guess - truth;
        // size = ct.maximum(difference, -difference)
        let size: Tile<f32, { [TILE] }> = max_tile(difference, negf(difference));
        // inside = 0.5 * difference * difference
        let half: Tile<f32, { [TILE] }> = splat_float(0.5, shape![TILE]);
        let inside: Tile<f32, { [TILE] }> = half * difference * difference;
        // outside = DELTA * (size - 0.5 * DELTA)
        let constant_tile: Tile<f32, { [TILE] }> = splat_bits(C0_5_TIMES_DELTA_BITS, shape![TILE]);
        let constant_tile_1: Tile<f32, { [TILE] }> = splat_bits(DELTA_BITS, shape![TILE]);
        let outside: Tile<f32, { [TILE] }> = constant_tile_1 * (size - constant_tile);
        // cost = ct.where(size <= DELTA, inside, outside)
        let le_value: Tile<bool, { [TILE] }> = le_tile(size, constant_tile_1);
        let cost: Tile<f32, { [TILE] }> = select(le_value, inside, outside);
        // counted = (ct.load(present, (i,), (TILE,)) != 0) & (difference == difference)
        let present_view: Partition<bool, { [TILE] }> = view_undetermined(present, shape![TILE]);
        let present_tile: Tile<bool, { [TILE] }> =
            load_view(&present_view, [i], token, const_array![0]);
        let present_tile_i32: Tile<i32, { [TILE] }> = exti(present_tile);
        let zero: Tile<i32, { [TILE] }> = splat_int(0, shape![TILE]);
        let ne_value: Tile<bool, { [TILE] }> = ne_tile(present_tile_i32, zero);
        let eq_value: Tile<bool, { [TILE] }> = eq_tile(difference, difference);
        let counted: Tile<bool, { [TILE] }> = ne_value & eq_value;
        // ct.store(loss, (i,), ct.where(counted, cost, 0.0))
        let zero: Tile<f32, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let select_value: Tile<f32, { [TILE] }> = select(counted, cost, zero);
        let select_value_cast: Tile<ELoss, { [TILE] }> = convert_tile(select_value);
        let loss_view: Partition<ELoss, { [TILE] }> = view_undetermined(loss, shape![TILE]);
        let _loss_token: Token =
            store_view(&loss_view, select_value_cast, [i], token, const_array![0]);
    }

    /// `huber`, input.py line 7.
    /// When `not is_bool(dtype(present))` and `not is_float(dtype(present))` and `is_pow2(TILE)` and
    /// `implicit_cast_ok(float32, dtype(loss))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn huber_v3<
        EPredicted: ElementType,
        EWanted: ElementType,
        EPresent: ElementType,
        ELoss: ElementType,
        const TILE: i32,
        const C0_5_TIMES_DELTA_BITS: i32,
        const DELTA_BITS: i32,
    >(
        predicted: &Tensor<EPredicted, { [-1] }>,
        wanted: &Tensor<EWanted, { [-1] }>,
        present: &Tensor<EPresent, { [-1] }>,
        loss: &Tensor<ELoss, { [-1] }>,
    ) {
        let token: Token = new_token_unordered();
        // i = ct.bid(0)
        let i: i32 = get_tile_block_id().0;
        // guess = ct.load(predicted, (i,), (TILE,)).astype(ct.float32)
        let predicted_view: Partition<EPredicted, { [TILE] }> =
            view_undetermined(predicted, shape![TILE]);
        let predicted_tile: Tile<EPredicted, { [TILE] }> =
            load_view(&predicted_view, [i], token, const_array![0]);
        let guess: Tile<f32, { [TILE] }> = convert_tile(predicted_tile);
        // truth = ct.load(wanted, (i,), (TILE,)).astype(ct.float32)
        let wanted_view: Partition<EWanted, { [TILE] }> = view_undetermined(wanted, shape![TILE]);
        let wanted_tile: Tile<EWanted, { [TILE] }> =
            load_view(&wanted_view, [i], token, const_array![0]);
        let truth: Tile<f32, { [TILE] }> = convert_tile(wanted_tile);
        // difference = guess - truth
        let difference: Tile<f32, { [TILE] }> = guess - truth;
        // size = ct.maximum(difference, -difference)
        let size: Tile<f32, { [TILE] }> = max_tile(difference, negf(difference));
        // inside = 0.5 * difference * difference
        let half: Tile<f32, { [TILE] }> = splat_float(0.5, shape![TILE]);
        let inside: Tile<f32, { [TILE] }> = half * difference * difference;
        // outside = DELTA * (size - 0.5 * DELTA)
        let constant_tile: Tile<f32, { [TILE] }> = splat_bits(C0_5_TIMES_DELTA_BITS, shape![TILE]);
        let constant_tile_1: Tile<f32, { [TILE] }> = splat_bits(DELTA_BITS, shape![TILE]);
        let outside: Tile<f32, { [TILE] }> = constant_tile_1 * (size - constant_tile);
        // cost = ct.where(size <= DELTA, inside, outside)
        let le_value: Tile<bool, { [TILE] }> = le_tile(size, constant_tile_1);
        let cost: Tile<f32, { [TILE] }> = select(le_value, inside, outside);
        // counted = (ct.load(present, (i,), (TILE,)) != 0) & (difference == difference)
        let present_view: Partition<EPresent, { [TILE] }> =
            view_undetermined(present, shape![TILE]);
        let present_tile: Tile<EPresent, { [TILE] }> =
            load_view(&present_view, [i], token, const_array![0]);
        let zero: Tile<EPresent, { [TILE] }> = splat_int(0, shape![TILE]);
        let ne_value: Tile<bool, { [TILE] }> = cmpi(present_tile, zero, predicate::NotEqual);
        let eq_value: Tile<bool, { [TILE] }> = eq_tile(difference, difference);
        let counted: Tile<bool, { [TILE] }> = ne_value & eq_value;
        // ct.store(loss, (i,), ct.where(counted, cost, 0.0))
        let zero: Tile<f32, { [TILE] }> = splat_float(0.0, shape![TILE]);
        let select_value: Tile<f32, { [TILE] }> = select(counted, cost, zero);
        let select_value_cast: Tile<ELoss, { [TILE] }> = convert_tile(select_value);
        let loss_view: Partition<ELoss, { [TILE] }> = view_undetermined(loss, shape![TILE]);
        let _loss_token: Token =
            store_view(&loss_view, select_value_cast, [i], token, const_array![0]);
    }
}
