//! What accesses to an array of any rank share: its strides, pointers to its elements, loads and stores through those.

#[cutile::module]
pub mod arrays {
    use crate::constants::constants::*;
    use cutile::core::*;

    /// An array's strides as the compiler keeps them, to be handed on: to `strides_2d` for the numbers, to `make_tensor_view` for another
    /// array with the same strides. Bind it without a type: `let strides = raw_strides(a);` (its type has -1 where a stride is only known
    /// at launch, and `dims` has just those).
    #[cuda_tile::variadic_op(N = 6)]
    #[cuda_tile::compiler_op(name = "return_type_meta_field", type_meta_field = "strides")]
    pub fn raw_strides<'s, E: ElementType, const S: [i32; N]>(array: &Tensor<E, S>) -> Array<'s, S> {
        unreachable!()
    }

    /// Whether each index is in bounds of an axis with this extent. Indices are compared unsigned: a negative one is not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn within<const S: [i32; N]>(index: Tile<u64, S>, extent: i32) -> Tile<bool, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent: Tile<u64, S> = widen(extent, shape);
        let result: Tile<bool, S> = lt_tile(index, extent);
        result
    }

    /// How far each index leads along an axis with this stride, in elements.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn along<const S: [i32; N]>(index: Tile<u64, S>, stride: i32) -> Tile<u64, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride: Tile<u64, S> = widen(stride, shape);
        let result: Tile<u64, S> = index * stride;
        result
    }

    /// Pointers to the elements of an array at `offset` (in elements) from its base.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn elements<E: ElementType, const A: [i32; M], const S: [i32; N]>(
        array: &Tensor<E, A>,
        offset: Tile<u64, S>,
    ) -> PointerTile<*mut E, S> {
        let base: PointerTile<*mut E, { [] }> = get_tensor_base(array);
        let result: PointerTile<*mut E, S> = part_elements(base, offset);
        result
    }

    /// Pointers to elements at `offset` (in elements) from `base`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_elements<E: ElementType, const S: [i32; N]>(
        base: PointerTile<*mut E, { [] }>,
        offset: Tile<u64, S>,
    ) -> PointerTile<*mut E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let one: PointerTile<*mut E, { [1; N] }> = reshape_ptr(base, ones_shape);
        let all: PointerTile<*mut E, S> = broadcast_ptr(one, shape);
        let result: PointerTile<*mut E, S> = addptr_tile(all, offset);
        result
    }

    /// Loads through all of the pointers.
    ///
    /// # Safety
    ///
    /// Each must be one to an element.
    #[doc(hidden)]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_elements<E: ElementType, const S: [i32; N], const L: i32>(
        elements: PointerTile<*mut E, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        // SAFETY: the caller vouches for the pointers.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(elements, ordering::Weak, None::<scope::TileBlock>, None, Some(padding), Some(token), Latency::<L>)
        };
        result
    }

    /// Loads through the pointers where `mask` is true, `padding` elsewhere.
    ///
    /// # Safety
    ///
    /// Each must be one to an element there.
    #[doc(hidden)]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_elements_where<E: ElementType, const S: [i32; N], const L: i32>(
        elements: PointerTile<*mut E, S>,
        mask: Tile<bool, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        // SAFETY: the caller vouches for the pointers.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// Stores through all of the pointers.
    ///
    /// # Safety
    ///
    /// Each must be one to an element.
    #[doc(hidden)]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_elements<E: ElementType, const S: [i32; N], const L: i32>(
        elements: PointerTile<*mut E, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: the caller vouches for the pointers.
        let result: Token = unsafe {
            store_ptr_tko(elements, value, ordering::Weak, None::<scope::TileBlock>, None, Some(token), Latency::<L>)
        };
        result
    }

    /// Stores through the pointers where `mask` is true.
    ///
    /// # Safety
    ///
    /// Each must be one to an element there.
    #[doc(hidden)]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_elements_where<E: ElementType, const S: [i32; N], const L: i32>(
        elements: PointerTile<*mut E, S>,
        mask: Tile<bool, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: the caller vouches for the pointers.
        let result: Token = unsafe {
            store_ptr_tko(elements, value, ordering::Weak, None::<scope::TileBlock>, Some(mask), Some(token), Latency::<L>)
        };
        result
    }
}
