//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_float_in_int"
//# is = "wrong"
//# has = ["constant <i32: 0> : tile<4xi32>"]
//# [[case]]
//# entry = "wrong_too_large"
//# is = "wrong"
//# has = ["constant <i8: 0> : tile<4xi8>"]
//# [[case]]
//# entry = "wrong_float8"
//# is = "wrong"
//# has = ["constant <f8e5m2: 0> : tile<4xf8e5m2>"]
//# [[case]]
//# entry = "wrong_tf32"
//# is = "wrong"
//# outcome = "assembler"
//# has = ["failed to parse attribute 'value'"]
//# [[case]]
//# entry = "workaround_bits"
//# is = "workaround"
//# has = ["constant <f8e5m2: 62> : tile<4xf8e5m2>"]
//# [[case]]
//# entry = "workaround_convert"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["constant <f32: 1.5>", "ftof"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_float<E: ElementType, const S: [i32; N]>(
        value: f64,
        shape: Shape<S>,
    ) -> Tile<E, S> {
        unreachable!()
    }

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_float_in_int() {
        let x: Tile<i32, { [4] }> = splat_float(2.0, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_too_large() {
        let x: Tile<i8, { [4] }> = splat_int(300, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_float8() {
        let x: Tile<f8e5m2, { [4] }> = splat_float(1.5, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_tf32() {
        let x: Tile<tf32, { [4] }> = splat_float(1.5, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_bits() {
        let x: Tile<f8e5m2, { [4] }> = splat_int(62, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_convert() {
        let x: Tile<f32, { [4] }> = splat_float(1.5, shape![4]);
        let y: Tile<tf32, { [4] }> = convert_tile(x);
    }
}
