//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_too_few"
//# is = "wrong"
//# outcome = "panic"
//# has = ["index out of bounds: the len is 1 but the index is 1"]
//# [[case]]
//# entry = "wrong_too_many"
//# is = "wrong"
//# outcome = "panic"
//# has = ["index out of bounds: the len is 2 but the index is 2"]
//# [[case]]
//# entry = "wrong_comparison"
//# is = "wrong"
//# outcome = "panic"
//# has = ["removal index (is 0) should be < len (is 0)"]
//# [[case]]
//# entry = "wrong_method"
//# is = "wrong"
//# outcome = "panic"
//# has = ["index out of bounds"]
//# [[case]]
//# entry = "wrong_type_expression"
//# is = "wrong"
//# outcome = "panic"
//# has = ["Unexpected array element"]
//# generics = ["4"]
//# [[case]]
//# entry = "contrast_operation"
//# is = "contrast"
//# outcome = "compile"
//# has = ["expected 3 parameter(s) but got 2"]
//# [[case]]
//# entry = "contrast_unknown"
//# is = "contrast"
//# outcome = "compile"
//# has = ["unable to resolve generic type"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn add(a: i32, b: i32) -> i32 {
        a + b
    }

    #[cutile::entry()]
    pub fn wrong_too_few(n: i32) {
        let y: i32 = add(n);
    }

    #[cutile::entry()]
    pub fn wrong_too_many(n: i32) {
        let y: i32 = add(n, n, n);
    }

    #[cutile::entry()]
    pub fn wrong_comparison() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<bool, { [4] }> = lt_tile(x);
    }

    #[cutile::entry()]
    pub fn wrong_method() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = x.broadcast();
    }

    #[cutile::entry()]
    pub fn wrong_type_expression<const T: i32>() {
        let y: Tile<f32, { [2 * T] }> = constant(1.0, shape![8]);
    }

    #[cutile::entry()]
    pub fn contrast_operation() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = select(x, x);
    }

    #[cutile::entry()]
    pub fn contrast_unknown() {
        let y: Tile<f32, { [UNKNOWN] }> = constant(1.0, shape![4]);
    }
}
