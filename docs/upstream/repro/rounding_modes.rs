//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_divide"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'rounding_mode' on op DivF"]
//# [[case]]
//# entry = "wrong_sqrt"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'rounding_mode' on op Sqrt"]
//# [[case]]
//# entry = "wrong_itof"
//# is = "wrong"
//# outcome = "assembler"
//# has = ["Only 'nearest_even' is supported"]
//# [[case]]
//# entry = "contrast_add"
//# is = "contrast"
//# outcome = "compile"
//# has = ["rounding_mode must be nearest_even, positive_inf, negative_inf or zero"]
//# [[case]]
//# entry = "workaround_divide"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["rounding<full>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.divf", params = ["lhs", "rhs"], static_params = ["rounding={Full: rounding_mode=#cuda_tile.rounding<full>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn divide<E: ElementType, const S: [i32; N], R: rounding::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        rounding: R,
    ) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_divide() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = divf(x, x, rounding::Full, ftz::Disabled);
    }

    #[cutile::entry()]
    pub fn wrong_sqrt() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = sqrt(x, rounding::Full, ftz::Disabled);
    }

    #[cutile::entry()]
    pub fn wrong_itof() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<f32, { [4] }> = itof(x, rounding::Zero);
    }

    #[cutile::entry()]
    pub fn contrast_add() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = addf(x, x, rounding::Full, ftz::Disabled);
    }

    #[cutile::entry()]
    pub fn workaround_divide() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = divide(x, x, rounding::Full);
    }
}
