//! Tiles made of literals, of scalars and of 0-d tiles.

#[cutile::module]
pub mod constants {
    use crate::operations::operations::*;
    use cutile::core::*;

    /// A tile filled with the float whose bits are given: a float constant passed as a `const X: i32`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_bits<const S: [i32; N]>(bits: i32, shape: Shape<S>) -> Tile<f32, S> {
        let bits: Tile<i32, { [] }> = scalar_to_tile(bits);
        let value: Tile<f32, { [] }> = bitcast(bits);
        let result: Tile<f32, S> = expand(value, shape);
        result
    }

    /// A tile filled with a number, as a float. Where the float has a whole value, `tileiras` sees it sooner than one made of its bits.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_number<const S: [i32; N]>(number: i32, shape: Shape<S>) -> Tile<f32, S> {
        let number: Tile<i32, { [] }> = scalar_to_tile(number);
        let value: Tile<f32, { [] }> = convert_tile(number);
        let result: Tile<f32, S> = expand(value, shape);
        result
    }

    /// A tile filled with the low 16 bits of a number: with `bitcast`, a constant of a 16-bit float type passed as a `const BITS: i32`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_half_bits<const S: [i32; N]>(bits: i32, shape: Shape<S>) -> Tile<i16, S> {
        let bits: Tile<i32, { [] }> = scalar_to_tile(bits);
        let value: Tile<i16, { [] }> = truncate(bits, overflow::None);
        let result: Tile<i16, S> = expand(value, shape);
        result
    }

    /// [`splat_half_bits`] for 8-bit float types.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_byte_bits<const S: [i32; N]>(bits: i32, shape: Shape<S>) -> Tile<i8, S> {
        let bits: Tile<i32, { [] }> = scalar_to_tile(bits);
        let value: Tile<i8, { [] }> = truncate(bits, overflow::None);
        let result: Tile<i8, S> = expand(value, shape);
        result
    }

    /// A tile filled with the double whose two halves are given, the low one first.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_double_bits<const S: [i32; N]>(low: i32, high: i32, shape: Shape<S>) -> Tile<f64, S> {
        let low: Tile<i32, { [] }> = scalar_to_tile(low);
        let low: Tile<u32, { [] }> = bitcast(low);
        let low: Tile<u64, { [] }> = exti(low);
        let high: Tile<i32, { [] }> = scalar_to_tile(high);
        let high: Tile<u64, { [] }> = exti(high);
        let width: Tile<u64, { [] }> = splat_int(32, shape![]);
        let bits: Tile<u64, { [] }> = high << width;
        let bits: Tile<u64, { [] }> = bits | low;
        let value: Tile<f64, { [] }> = bitcast(bits);
        let result: Tile<f64, S> = expand(value, shape);
        result
    }

    /// A 0-d tile, broadcast.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn expand<E: ElementType, const S: [i32; N]>(value: Tile<E, { [] }>, shape: Shape<S>) -> Tile<E, S> {
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let ones: Tile<E, { [1; N] }> = reshape(value, ones_shape);
        let result: Tile<E, S> = broadcast(ones, shape);
        result
    }

    /// A scalar index as `gather_*` and `scatter_*` want it: sign-extended to 64 bits, then broadcast.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn index<const S: [i32; N]>(value: i32, shape: Shape<S>) -> Tile<u64, S> {
        let result: Tile<u64, S> = widen(value, shape);
        result
    }

    /// A scalar, sign-extended to 64 bits, then broadcast.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn widen<const S: [i32; N]>(value: i32, shape: Shape<S>) -> Tile<u64, S> {
        let narrow: Tile<i32, { [] }> = scalar_to_tile(value);
        let wide: Tile<u64, { [] }> = exti(narrow);
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let ones: Tile<u64, { [1; N] }> = reshape(wide, ones_shape);
        let result: Tile<u64, S> = broadcast(ones, shape);
        result
    }
}
