//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_flush"
//# is = "wrong"
//# has = ["exp2 %0"]
//# lacks = ["flush_to_zero"]
//# [[case]]
//# entry = "wrong_nan"
//# is = "wrong"
//# has = ["maxf %0, %0"]
//# lacks = ["propagate_nan"]
//# [[case]]
//# entry = "wrong_rounding"
//# is = "wrong"
//# outcome = "compile"
//# has = ["rounding_mode must be nearest_even, positive_inf, negative_inf or zero"]
//# [[case]]
//# entry = "wrong_division"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'rounding_mode' on op DivF"]
//# [[case]]
//# entry = "contrast_direct"
//# is = "contrast"
//# has = ["exp2 %0 flush_to_zero", "maxf %0, %0 propagate_nan"]
//# [[case]]
//# entry = "workaround_name"
//# is = "workaround"
//# has = ["exp2 %0 flush_to_zero"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn power_of_two<F: ftz::Mode>(x: Tile<f32, { [4] }>, mode: F) -> Tile<f32, { [4] }> {
        exp2(x, mode)
    }

    pub fn larger<M: nan::Mode>(x: Tile<f32, { [4] }>, mode: M) -> Tile<f32, { [4] }> {
        maxf(x, x, mode, ftz::Disabled)
    }

    pub fn double<R: rounding::Mode>(x: Tile<f32, { [4] }>, mode: R) -> Tile<f32, { [4] }> {
        addf(x, x, mode, ftz::Disabled)
    }

    pub fn ratio<R: rounding::Mode>(x: Tile<f32, { [4] }>, mode: R) -> Tile<f32, { [4] }> {
        divf(x, x, mode, ftz::Disabled)
    }

    pub fn power_of_two_flushing(x: Tile<f32, { [4] }>) -> Tile<f32, { [4] }> {
        exp2(x, ftz::Enabled)
    }

    #[cutile::entry()]
    pub fn wrong_flush() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = power_of_two(x, ftz::Enabled);
    }

    #[cutile::entry()]
    pub fn wrong_nan() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = larger(x, nan::Enabled);
    }

    #[cutile::entry()]
    pub fn wrong_rounding() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = double(x, rounding::Zero);
    }

    #[cutile::entry()]
    pub fn wrong_division() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = ratio(x, rounding::Approx);
    }

    #[cutile::entry()]
    pub fn contrast_direct() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = exp2(x, ftz::Enabled);
        let z: Tile<f32, { [4] }> = maxf(x, x, nan::Enabled, ftz::Disabled);
    }

    #[cutile::entry()]
    pub fn workaround_name() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = power_of_two_flushing(x);
    }
}
