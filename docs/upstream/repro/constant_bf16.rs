//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_infinity"
//# is = "wrong"
//# has = ["constant <bf16: nan>"]
//# [[case]]
//# entry = "wrong_negative_infinity"
//# is = "wrong"
//# has = ["constant <bf16: nan>"]
//# [[case]]
//# entry = "wrong_one"
//# is = "wrong"
//# has = ["constant <bf16: 1.875>"]
//# [[case]]
//# entry = "contrast_f16"
//# is = "contrast"
//# has = ["constant <f16: -inf>", "constant <f16: 1.0>"]
//# [[case]]
//# entry = "workaround_double"
//# is = "workaround"
//# has = ["constant <bf16: -inf>"]

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

    #[cutile::entry()]
    pub fn wrong_infinity() {
        let x: Tile<bf16, { [4] }> = constant(bf16::INFINITY, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_negative_infinity() {
        let x: Tile<bf16, { [4] }> = constant(bf16::NEG_INFINITY, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_one() {
        let x: Tile<bf16, { [4] }> = constant(bf16::ONE, shape![4]);
    }

    #[cutile::entry()]
    pub fn contrast_f16() {
        let x: Tile<f16, { [4] }> = constant(f16::NEG_INFINITY, shape![4]);
        let y: Tile<f16, { [4] }> = constant(f16::ONE, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_double() {
        let x: Tile<bf16, { [4] }> = splat_float(f64::NEG_INFINITY, shape![4]);
    }
}
