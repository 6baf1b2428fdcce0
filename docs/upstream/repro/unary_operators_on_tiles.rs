//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_minus"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Non-const unary expressions not supported"]
//# [[case]]
//# entry = "wrong_not"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unary expression not supported"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_minus() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = -x;
    }

    #[cutile::entry()]
    pub fn wrong_not() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = !x;
    }
}
