//! Items of lists of arrays. A list is an array of records: base address, extents, strides, 64 bits each, so 1 + 2 * rank wide.

#[cutile::module]
pub mod lists {
    use crate::operations::operations::*;
    use crate::tiles::tiles::*;
    use crate::views::views::*;
    use cutile::core::*;

    /// A list-of-arrays parameter, seen as its records. `shape` is one record, its width rounded up to a power of two:
    /// `let v: Partition<i64, { [1, 8] }> = list_view(base, length, const_array![5], shape![1, 8]);`, with
    /// `let base: PointerTile<*mut i64, { [] }> = pointer_to_tile(list);`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn list_view<'a, const W: i32, const S: [i32; N]>(
        base: PointerTile<*mut i64, { [] }>,
        length: i32,
        width: Array<{ [W] }>,
        shape: Shape<S>,
    ) -> Partition<'a, i64, S> {
        let extents: Shape<{ [-1, W] }> = Shape::<{ [-1, W] }> { dims: &[length] };
        let strides: Array<{ [W, 1] }> = Array::<{ [W, 1] }> { dims: &[] };
        let view: Partition<i64, S> = part_view_undetermined(base, extents, strides, shape);
        view
    }

    /// Record `i` of a list.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn list_record<'a, const S: [i32; N]>(view: &Partition<'a, i64, S>, i: i32) -> Tile<i64, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the index is in bounds as Python's was.
        let result: (Tile<i64, S>, Token) =
            unsafe { load_overhang_op(view, [i, 0i32], None, ordering::Weak, scope::TileBlock, tma::Enabled, None, shape) };
        result.0
    }

    /// Word `k` of a record. The base address is word 0: `let base: PointerTile<*mut E, { [] }> = int_to_ptr(record_word(record, 0i32));`
    #[cuda_tile::variadic_op(N = 6)]
    pub fn record_word<const S: [i32; N]>(record: Tile<i64, S>, k: i32) -> Tile<i64, { [] }> {
        let zero: Tile<i32, { [] }> = scalar_to_tile(0i32);
        let column: Tile<i32, { [] }> = scalar_to_tile(k);
        let one: Tile<i64, { [1, 1] }> = extract(record, [zero, column]);
        let word: Tile<i64, { [] }> = reshape(one, shape![]);
        word
    }

    /// Word `k` of a record as a number: extents begin at 1, strides at 1 + rank.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn record_number<const S: [i32; N]>(record: Tile<i64, S>, k: i32) -> i32 {
        let word: Tile<i64, { [] }> = record_word(record, k);
        let narrow: Tile<i32, { [] }> = truncate(word, overflow::None);
        tile_to_scalar(narrow)
    }

    /// Word `k` of a record as an extent (from 1) or a stride (from 1 + rank).
    ///
    /// # Safety
    ///
    /// It must not be negative, and a multiple of `D`.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn record_extent<const S: [i32; N], const D: i32>(
        record: Tile<i64, S>,
        k: i32,
        divisor: Array<{ [D] }>,
    ) -> i32 {
        let number: i32 = record_number(record, k);
        // SAFETY: the caller vouches for it.
        let number: i32 = unsafe { assume_bounds_lower::<_, 0>(number) };
        // SAFETY: the caller vouches for this too.
        let number: i32 = unsafe { assume_div_by::<_, D>(number) };
        number
    }
}
