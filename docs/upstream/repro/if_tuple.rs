//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_tuple"
//# is = "wrong"
//# outcome = "compile"
//# has = ["this block produces a compound value"]
//# [[case]]
//# entry = "contrast_constant_condition"
//# is = "contrast"
//# has = ["addi"]
//# generics = ["4"]
//# [[case]]
//# entry = "workaround_statement"
//# is = "workaround"
//# has = ["-> (tile<i32>, tile<i32>)"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_tuple(n: i32) {
        let (x, y): (i32, i32) = if n > 2i32 { (1i32, n) } else { (n, 2i32) };
    }

    #[cutile::entry()]
    pub fn contrast_constant_condition<const T: i32>(n: i32) {
        let (x, y): (i32, i32) = if T > 2 { (n + 1i32, n) } else { (n, 2i32) };
    }

    #[cutile::entry()]
    pub fn workaround_statement(n: i32) {
        let mut x: i32 = n;
        let mut y: i32 = n;
        if n > 2i32 {
            x = 1i32;
        } else {
            y = 2i32;
        }
        // Read, or this repository's compile step would drop both.
        cuda_tile_assert!(x < y, "in order");
    }
}
