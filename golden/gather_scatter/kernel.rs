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

    /// `move_rows`, input.py line 7.
    /// When `dtype(table) == dtype(out)` and `is_pow2(COUNT)` and `literal_cast_ok(-1, dtype(source))` and
    /// `literal_cast_ok(-1, dtype(target))` and `is_pow2(WIDTH)` and `is_integral(dtype(source))` and
    /// `is_integral(dtype(target))` and `implicit_cast_ok(dtype(table), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn move_rows<
        ETable: ElementType,
        ESource: ElementType,
        ETarget: ElementType,
        const COUNT: i32,
        const WIDTH: i32,
        const BITS_SOURCE: i32,
        const BITS_TARGET: i32,
    >(
        table: &Tensor<ETable, { [-1, -1] }>,
        source: &Tensor<ESource, { [-1] }>,
        target: &Tensor<ETarget, { [-1] }>,
        out: &Tensor<ETable, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // first = ct.bid(0) * COUNT
        let bid_value: i32 = get_tile_block_id().0;
        let first: i32 = bid_value * COUNT;
        // entries = first + ct.arange(COUNT, dtype=ct.int32)
        let iota_value: Tile<i32, { [COUNT] }> = iota(shape![COUNT]);
        let first_wide: Tile<i32, { [COUNT] }> = broadcast_scalar(first, shape![COUNT]);
        let entries: Tile<i32, { [COUNT] }> = first_wide + iota_value;
        // rows_in = ct.gather(source, entries, padding_value=-1)
        let entries_u64: Tile<u64, { [COUNT] }> = exti(entries);
        let constant_tile: Tile<ESource, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_in: Tile<ESource, { [COUNT] }> =
            gather_1d(source, entries_u64, constant_tile, token, const_array![0]);
        // rows_out = ct.gather(target, entries, padding_value=-1)
        let constant_tile: Tile<ETarget, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_out: Tile<ETarget, { [COUNT] }> =
            gather_1d(target, entries_u64, constant_tile, token, const_array![0]);
        // columns = ct.arange(WIDTH, dtype=ct.int32)
        let columns: Tile<i32, { [WIDTH] }> = iota(shape![WIDTH]);
        // values = ct.gather(table, (rows_in[:, None], columns[None, :]), padding_value=0)
        let rows_in_reshaped: Tile<ESource, { [COUNT, 1] }> = rows_in.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_in_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_SOURCE < 64 {
            exti(rows_in_reshaped)
        } else if BITS_SOURCE == 64 {
            bitcast(rows_in_reshaped)
        } else {
            truncate(rows_in_reshaped, overflow::None)
        };
        let rows_in_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_in_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_in_reshaped_u64_wide, table.shape()[0]);
        let table_stride_0: i32 = strides_2d(raw_strides(table)).0;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_in_reshaped_u64_wide, table_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            table_inside & within(columns_reshaped_u64_wide, table.shape()[1]);
        let table_stride_1: i32 = strides_2d(raw_strides(table)).1;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            table_offset + along(columns_reshaped_u64_wide, table_stride_1);
        let zero: Tile<ETable, { [COUNT, WIDTH] }> = splat_int(0, shape![COUNT, WIDTH]);
        let table_elements: PointerTile<*mut ETable, { [COUNT, WIDTH] }> =
            elements(table, table_offset);
        // SAFETY: only elements in bounds are touched.
        let (values_loaded, _table_token): (Tile<ETable, { [COUNT, WIDTH] }>, Token) = unsafe {
            load_elements_where(table_elements, table_inside, zero, token, const_array![0])
        };
        let values: Tile<ETable, { [COUNT, WIDTH] }> = convert_tile(values_loaded);
        // ct.scatter(out, (rows_out[:, None], columns[None, :]), values)
        let rows_out_reshaped: Tile<ETarget, { [COUNT, 1] }> = rows_out.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_out_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_TARGET < 64 {
            exti(rows_out_reshaped)
        } else if BITS_TARGET == 64 {
            bitcast(rows_out_reshaped)
        } else {
            truncate(rows_out_reshaped, overflow::None)
        };
        let rows_out_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_out_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_out_reshaped_u64_wide, out.shape()[0]);
        let out_stride_0: i32 = strides_2d(raw_strides(out)).0;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_out_reshaped_u64_wide, out_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            out_inside & within(columns_reshaped_u64_wide, out.shape()[1]);
        let out_stride_1: i32 = strides_2d(raw_strides(out)).1;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            out_offset + along(columns_reshaped_u64_wide, out_stride_1);
        let out_elements: PointerTile<*mut ETable, { [COUNT, WIDTH] }> = elements(out, out_offset);
        // SAFETY: only elements in bounds are touched.
        let _out_token: Token = unsafe {
            store_elements_where(out_elements, out_inside, values, token, const_array![0])
        };
    }

    /// `move_rows`, input.py line 7.
    /// When `dtype(table) != dtype(out)` and `is_float(dtype(out))` and `is_pow2(COUNT)` and `literal_cast_ok(-1,
    /// dtype(source))` and `literal_cast_ok(-1, dtype(target))` and `is_pow2(WIDTH)` and `is_integral(dtype(source))`
    /// and `is_integral(dtype(target))` and `implicit_cast_ok(dtype(table), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn move_rows_v2<
        ETable: ElementType,
        ESource: ElementType,
        ETarget: ElementType,
        EOut: ElementType,
        const COUNT: i32,
        const WIDTH: i32,
        const BITS_SOURCE: i32,
        const BITS_TARGET: i32,
    >(
        table: &Tensor<ETable, { [-1, -1] }>,
        source: &Tensor<ESource, { [-1] }>,
        target: &Tensor<ETarget, { [-1] }>,
        out: &Tensor<EOut, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // first = ct.bid(0) * COUNT
        let bid_value: i32 = get_tile_block_id().0;
        let first: i32 = bid_value * COUNT;
        // entries = first + ct.arange(COUNT, dtype=ct.int32)
        let iota_value: Tile<i32, { [COUNT] }> = iota(shape![COUNT]);
        let first_wide: Tile<i32, { [COUNT] }> = broadcast_scalar(first, shape![COUNT]);
        let entries: Tile<i32, { [COUNT] }> = first_wide + iota_value;
        // rows_in = ct.gather(source, entries, padding_value=-1)
        let entries_u64: Tile<u64, { [COUNT] }> = exti(entries);
        let constant_tile: Tile<ESource, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_in: Tile<ESource, { [COUNT] }> =
            gather_1d(source, entries_u64, constant_tile, token, const_array![0]);
        // rows_out = ct.gather(target, entries, padding_value=-1)
        let constant_tile: Tile<ETarget, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_out: Tile<ETarget, { [COUNT] }> =
            gather_1d(target, entries_u64, constant_tile, token, const_array![0]);
        // columns = ct.arange(WIDTH, dtype=ct.int32)
        let columns: Tile<i32, { [WIDTH] }> = iota(shape![WIDTH]);
        // values = ct.gather(table, (rows_in[:, None], columns[None, :]), padding_value=0)
        let rows_in_reshaped: Tile<ESource, { [COUNT, 1] }> = rows_in.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_in_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_SOURCE < 64 {
            exti(rows_in_reshaped)
        } else if BITS_SOURCE == 64 {
            bitcast(rows_in_reshaped)
        } else {
            truncate(rows_in_reshaped, overflow::None)
        };
        let rows_in_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_in_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_in_reshaped_u64_wide, table.shape()[0]);
        let table_stride_0: i32 = strides_2d(raw_strides(table)).0;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_in_reshaped_u64_wide, table_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            table_inside & within(columns_reshaped_u64_wide, table.shape()[1]);
        let table_stride_1: i32 = strides_2d(raw_strides(table)).1;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            table_offset + along(columns_reshaped_u64_wide, table_stride_1);
        let zero: Tile<ETable, { [COUNT, WIDTH] }> = splat_int(0, shape![COUNT, WIDTH]);
        let table_elements: PointerTile<*mut ETable, { [COUNT, WIDTH] }> =
            elements(table, table_offset);
        // SAFETY: only elements in bounds are touched.
        let (values_loaded, _table_token): (Tile<ETable, { [COUNT, WIDTH] }>, Token) = unsafe {
            load_elements_where(table_elements, table_inside, zero, token, const_array![0])
        };
        let values: Tile<ETable, { [COUNT, WIDTH] }> = convert_tile(values_loaded);
        // ct.scatter(out, (rows_out[:, None], columns[None, :]), values)
        let rows_out_reshaped: Tile<ETarget, { [COUNT, 1] }> = rows_out.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_out_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_TARGET < 64 {
            exti(rows_out_reshaped)
        } else if BITS_TARGET == 64 {
            bitcast(rows_out_reshaped)
        } else {
            truncate(rows_out_reshaped, overflow::None)
        };
        let rows_out_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_out_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_out_reshaped_u64_wide, out.shape()[0]);
        let out_stride_0: i32 = strides_2d(raw_strides(out)).0;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_out_reshaped_u64_wide, out_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            out_inside & within(columns_reshaped_u64_wide, out.shape()[1]);
        let out_stride_1: i32 = strides_2d(raw_strides(out)).1;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            out_offset + along(columns_reshaped_u64_wide, out_stride_1);
        let values_cast: Tile<EOut, { [COUNT, WIDTH] }> = convert_tile(values);
        let out_elements: PointerTile<*mut EOut, { [COUNT, WIDTH] }> = elements(out, out_offset);
        // SAFETY: only elements in bounds are touched.
        let _out_token: Token = unsafe {
            store_elements_where(out_elements, out_inside, values_cast, token, const_array![0])
        };
    }

    /// `move_rows`, input.py line 7.
    /// When `dtype(table) != dtype(out)` and `not is_float(dtype(out))` and `not is_float(dtype(table))` and
    /// `is_pow2(COUNT)` and `literal_cast_ok(-1, dtype(source))` and `literal_cast_ok(-1, dtype(target))` and
    /// `is_pow2(WIDTH)` and `is_integral(dtype(source))` and `is_integral(dtype(target))` and
    /// `implicit_cast_ok(dtype(table), dtype(out))`.
    ///
    /// # Safety
    /// The launch must satisfy the conditions above, and the arrays must not overlap.
    #[cutile::entry()]
    pub unsafe fn move_rows_v3<
        ETable: ElementType,
        ESource: ElementType,
        ETarget: ElementType,
        EOut: ElementType,
        const COUNT: i32,
        const WIDTH: i32,
        const BITS_SOURCE: i32,
        const BITS_TARGET: i32,
        const BITS_TABLE: i32,
        const BITS_OUT: i32,
    >(
        table: &Tensor<ETable, { [-1, -1] }>,
        source: &Tensor<ESource, { [-1] }>,
        target: &Tensor<ETarget, { [-1] }>,
        out: &Tensor<EOut, { [-1, -1] }>,
    ) {
        let token: Token = new_token_unordered();
        // first = ct.bid(0) * COUNT
        let bid_value: i32 = get_tile_block_id().0;
        let first: i32 = bid_value * COUNT;
        // entries = first + ct.arange(COUNT, dtype=ct.int32)
        let iota_value: Tile<i32, { [COUNT] }> = iota(shape![COUNT]);
        let first_wide: Tile<i32, { [COUNT] }> = broadcast_scalar(first, shape![COUNT]);
        let entries: Tile<i32, { [COUNT] }> = first_wide + iota_value;
        // rows_in = ct.gather(source, entries, padding_value=-1)
        let entries_u64: Tile<u64, { [COUNT] }> = exti(entries);
        let constant_tile: Tile<ESource, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_in: Tile<ESource, { [COUNT] }> =
            gather_1d(source, entries_u64, constant_tile, token, const_array![0]);
        // rows_out = ct.gather(target, entries, padding_value=-1)
        let constant_tile: Tile<ETarget, { [COUNT] }> = splat_int(-1, shape![COUNT]);
        let rows_out: Tile<ETarget, { [COUNT] }> =
            gather_1d(target, entries_u64, constant_tile, token, const_array![0]);
        // columns = ct.arange(WIDTH, dtype=ct.int32)
        let columns: Tile<i32, { [WIDTH] }> = iota(shape![WIDTH]);
        // values = ct.gather(table, (rows_in[:, None], columns[None, :]), padding_value=0)
        let rows_in_reshaped: Tile<ESource, { [COUNT, 1] }> = rows_in.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_in_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_SOURCE < 64 {
            exti(rows_in_reshaped)
        } else if BITS_SOURCE == 64 {
            bitcast(rows_in_reshaped)
        } else {
            truncate(rows_in_reshaped, overflow::None)
        };
        let rows_in_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_in_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_in_reshaped_u64_wide, table.shape()[0]);
        let table_stride_0: i32 = strides_2d(raw_strides(table)).0;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_in_reshaped_u64_wide, table_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let table_inside: Tile<bool, { [COUNT, WIDTH] }> =
            table_inside & within(columns_reshaped_u64_wide, table.shape()[1]);
        let table_stride_1: i32 = strides_2d(raw_strides(table)).1;
        let table_offset: Tile<u64, { [COUNT, WIDTH] }> =
            table_offset + along(columns_reshaped_u64_wide, table_stride_1);
        let zero: Tile<ETable, { [COUNT, WIDTH] }> = splat_int(0, shape![COUNT, WIDTH]);
        let table_elements: PointerTile<*mut ETable, { [COUNT, WIDTH] }> =
            elements(table, table_offset);
        // SAFETY: only elements in bounds are touched.
        let (values_loaded, _table_token): (Tile<ETable, { [COUNT, WIDTH] }>, Token) = unsafe {
            load_elements_where(table_elements, table_inside, zero, token, const_array![0])
        };
        let values: Tile<ETable, { [COUNT, WIDTH] }> = convert_tile(values_loaded);
        // ct.scatter(out, (rows_out[:, None], columns[None, :]), values)
        let rows_out_reshaped: Tile<ETarget, { [COUNT, 1] }> = rows_out.reshape(shape![COUNT, 1]);
        let columns_reshaped: Tile<i32, { [1, WIDTH] }> = columns.reshape(shape![1, WIDTH]);
        let rows_out_reshaped_u64: Tile<u64, { [COUNT, 1] }> = if BITS_TARGET < 64 {
            exti(rows_out_reshaped)
        } else if BITS_TARGET == 64 {
            bitcast(rows_out_reshaped)
        } else {
            truncate(rows_out_reshaped, overflow::None)
        };
        let rows_out_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            rows_out_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            within(rows_out_reshaped_u64_wide, out.shape()[0]);
        let out_stride_0: i32 = strides_2d(raw_strides(out)).0;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            along(rows_out_reshaped_u64_wide, out_stride_0);
        let columns_reshaped_u64: Tile<u64, { [1, WIDTH] }> = exti(columns_reshaped);
        let columns_reshaped_u64_wide: Tile<u64, { [COUNT, WIDTH] }> =
            columns_reshaped_u64.broadcast(shape![COUNT, WIDTH]);
        let out_inside: Tile<bool, { [COUNT, WIDTH] }> =
            out_inside & within(columns_reshaped_u64_wide, out.shape()[1]);
        let out_stride_1: i32 = strides_2d(raw_strides(out)).1;
        let out_offset: Tile<u64, { [COUNT, WIDTH] }> =
            out_offset + along(columns_reshaped_u64_wide, out_stride_1);
        let values_cast: Tile<EOut, { [COUNT, WIDTH] }> = if BITS_TABLE < BITS_OUT {
            exti(values)
        } else if BITS_TABLE == BITS_OUT {
            bitcast(values)
        } else {
            truncate(values, overflow::None)
        };
        let out_elements: PointerTile<*mut EOut, { [COUNT, WIDTH] }> = elements(out, out_offset);
        // SAFETY: only elements in bounds are touched.
        let _out_token: Token = unsafe {
            store_elements_where(out_elements, out_inside, values_cast, token, const_array![0])
        };
    }
}
