//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_shape"
//# is = "wrong"
//# has = ["exp %0 : tile<8xf32>"]
//# [[case]]
//# entry = "wrong_dtype"
//# is = "wrong"
//# has = ["addf %0, %0 : tile<4xf32>"]
//# [[case]]
//# entry = "wrong_signedness"
//# is = "wrong"
//# has = ["absi %0", "divi %1, %1 signed"]
//# [[case]]
//# entry = "wrong_scalar"
//# is = "wrong"
//# has = ["addi %0"]
//# [[case]]
//# entry = "wrong_helper_shape"
//# is = "wrong"
//# has = ["constant <f32: 1.0> : tile<4xf32>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_shape() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [8] }> = exp(x);
        let z: Tile<f32, { [8] }> = y * y;
    }

    #[cutile::entry()]
    pub fn wrong_dtype() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f16, { [4] }> = x + x;
    }

    #[cutile::entry()]
    pub fn wrong_signedness() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<u32, { [4] }> = absi(x);
        let z: Tile<u32, { [4] }> = y / y;
    }

    #[cutile::entry()]
    pub fn wrong_scalar(n: i32) {
        let y: f32 = n + 1i32;
    }

    #[cutile::entry()]
    pub fn wrong_helper_shape() {
        let y: Tile<f32, { [4] }> = constant(1.0, shape![UNKNOWN]);
    }
}
