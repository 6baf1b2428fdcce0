//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_nan"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Constant not supported"]
//# [[case]]
//# entry = "wrong_f32_max"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Constant not supported"]
//# [[case]]
//# entry = "wrong_u32_max"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Constant not supported"]
//# [[case]]
//# entry = "wrong_i32_min"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Constant not supported"]
//# [[case]]
//# entry = "workaround_bitcast"
//# is = "workaround"
//# has = ["constant <i32: 2143289344>", "bitcast"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_nan() {
        let x: Tile<f32, { [4] }> = constant(f32::NAN, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_f32_max() {
        let x: Tile<f32, { [4] }> = constant(f32::MAX, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_u32_max() {
        let x: Tile<u32, { [4] }> = constant(u32::MAX, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_i32_min() {
        let x: Tile<i32, { [4] }> = constant(i32::MIN, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_bitcast() {
        let bits: Tile<i32, { [4] }> = constant(2143289344i32, shape![4]);
        let nan: Tile<f32, { [4] }> = bitcast(bits);
    }
}
