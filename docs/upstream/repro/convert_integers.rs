//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_widen"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Conversion \"i32\" -> \"i64\" not yet implemented"]
//# [[case]]
//# entry = "wrong_narrow"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported conversion \"i32\" -> \"i8\""]
//# [[case]]
//# entry = "wrong_sign"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported conversion \"i32\" -> \"u32\""]
//# [[case]]
//# entry = "wrong_bool"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unsupported conversion \"bool\" -> \"i32\""]
//# [[case]]
//# entry = "wrong_scalar"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Conversion \"i32\" -> \"i64\" not yet implemented"]
//# [[case]]
//# entry = "wrong_as_float"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unsupported cast from `i32` to `f32`"]
//# [[case]]
//# entry = "wrong_as_wide"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unsupported cast from `i32` to `i64`"]
//# [[case]]
//# entry = "workaround_tiles"
//# is = "workaround"
//# has = ["exti", "bitcast", "trunci"]
//# [[case]]
//# entry = "workaround_float"
//# is = "workaround"
//# has = ["itof"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_widen() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i64, { [4] }> = convert_tile(x);
    }

    #[cutile::entry()]
    pub fn wrong_narrow() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i8, { [4] }> = convert_tile(x);
    }

    #[cutile::entry()]
    pub fn wrong_sign() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<u32, { [4] }> = convert_tile(x);
    }

    #[cutile::entry()]
    pub fn wrong_bool() {
        let x: Tile<bool, { [4] }> = constant(true, shape![4]);
        let y: Tile<i32, { [4] }> = convert_tile(x);
    }

    #[cutile::entry()]
    pub fn wrong_scalar(n: i32) {
        let y: i64 = convert_scalar(n);
    }

    #[cutile::entry()]
    pub fn wrong_as_float(n: i32) {
        let y: f32 = n as f32;
    }

    #[cutile::entry()]
    pub fn wrong_as_wide(n: i32) {
        let y: i64 = n as i64;
    }

    #[cutile::entry()]
    pub fn workaround_tiles() {
        let x: Tile<i32, { [4] }> = iota(shape![4]);
        let wide: Tile<i64, { [4] }> = exti(x);
        let unsigned: Tile<u32, { [4] }> = bitcast(x);
        let narrow: Tile<i8, { [4] }> = trunci(x, overflow::NoWrap);
    }

    #[cutile::entry()]
    pub fn workaround_float(n: i32) {
        let y: f32 = convert_scalar(n);
    }
}
