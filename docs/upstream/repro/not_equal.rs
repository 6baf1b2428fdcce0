//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_tile"
//# is = "wrong"
//# has = ["cmpf not_equal ordered"]
//# [[case]]
//# entry = "wrong_scalar"
//# is = "wrong"
//# has = ["cmpf not_equal ordered"]
//# [[case]]
//# entry = "workaround_unordered"
//# is = "workaround"
//# has = ["cmpf not_equal unordered"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_tile() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let different: Tile<bool, { [4] }> = ne_tile(x, x);
    }

    #[cutile::entry()]
    pub fn wrong_scalar(v: f32) {
        let is_nan: bool = v != v;
    }

    #[cutile::entry()]
    pub fn workaround_unordered() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let different: Tile<bool, { [4] }> =
            cmpf(x, x, predicate::NotEqual, cmp_ordering::Unordered);
    }
}
