//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_safe_call"
//# is = "wrong"
//# outcome = "assembled"
//# has = ["exp %0 {rounding_mode = 4}"]
//# [[case]]
//# entry = "contrast_checked"
//# is = "contrast"
//# outcome = "compile"
//# has = ["approx rounding requires f32"]
//# [[case]]
//# entry = "workaround_unsafe"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["exp %0 {rounding_mode = 4}"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_safe_call() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = exp_with_rounding(x, rounding::Approx);
    }

    #[cutile::entry()]
    pub fn contrast_checked() {
        let x: Tile<f64, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f64, { [4] }> = unsafe { exp_with_rounding(x, rounding::Approx) };
    }

    #[cutile::entry()]
    pub fn workaround_unsafe() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = unsafe { exp_with_rounding(x, rounding::Approx) };
    }
}
