//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_approximate"
//# is = "wrong"
//# has = ["divf %0, %0 rounding<approx> flush_to_zero"]
//# [[case]]
//# entry = "wrong_half"
//# is = "wrong"
//# outcome = "assembler"
//# has = ["approx modifier only supported for f32"]
//# [[case]]
//# entry = "workaround_operator"
//# is = "workaround"
//# has = ["divf %0, %0 : tile<4xf32>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_approximate() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = true_div(x, x);
    }

    #[cutile::entry()]
    pub fn wrong_half() {
        let x: Tile<f16, { [4] }> = constant(f16::ONE, shape![4]);
        let y: Tile<f16, { [4] }> = true_div(x, x);
    }

    #[cutile::entry()]
    pub fn workaround_operator() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = x / x;
    }
}
