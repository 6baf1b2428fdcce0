//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type i8 zero"]
//# generics = ["i8"]
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type u8 zero"]
//# generics = ["u8"]
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type i16 zero"]
//# generics = ["i16"]
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type u16 zero"]
//# generics = ["u16"]
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type bool zero"]
//# generics = ["bool"]
//# [[case]]
//# entry = "wrong_zero"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type tf32 zero"]
//# generics = ["tf32"]
//# [[case]]
//# entry = "wrong_sum"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type i8 zero"]
//# generics = ["i8"]
//# [[case]]
//# entry = "wrong_sum"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type u16 zero"]
//# generics = ["u16"]
//# [[case]]
//# entry = "wrong_sum"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type bool zero"]
//# generics = ["bool"]
//# [[case]]
//# entry = "wrong_max"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported constant type u8 min"]
//# generics = ["u8"]
//# [[case]]
//# entry = "contrast"
//# is = "contrast"
//# has = ["constant <i64: 0>"]
//# generics = ["i64"]
//# [[case]]
//# entry = "workaround_zero"
//# is = "workaround"
//# has = ["constant <i8: 0>"]
//# generics = ["i8"]
//# [[case]]
//# entry = "workaround_sum"
//# is = "workaround"
//# has = ["exti", "reduce"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_zero<E: ElementType>() {
        let x: Tile<E, { [4] }> = constant(E::ZERO, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_sum<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(1, shape![4]);
        let s: Tile<E, { [] }> = reduce_sum(x, 0i32);
    }

    #[cutile::entry()]
    pub fn wrong_max<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(1, shape![4]);
        let s: Tile<E, { [] }> = reduce_max(x, 0i32);
    }

    #[cutile::entry()]
    pub fn contrast<E: ElementType>() {
        let x: Tile<E, { [4] }> = constant(E::ZERO, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_zero<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(0, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_sum() {
        let x: Tile<i8, { [4] }> = splat_int(1, shape![4]);
        let wide: Tile<i32, { [4] }> = exti(x);
        let s: Tile<i32, { [] }> = reduce_sum(wide, 0i32);
    }
}
