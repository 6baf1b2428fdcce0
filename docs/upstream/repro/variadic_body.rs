//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_signedness"
//# is = "wrong"
//# has = ["absi %0", "divi %2, %2 signed"]
//# [[case]]
//# entry = "contrast_unknown"
//# is = "contrast"
//# outcome = "compile"
//# has = ["undefined variable `nothing_of_that_name`"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::variadic_op(N = 6)]
    pub fn one<const S: [i32; N]>(x: Tile<i32, S>) -> Tile<u32, S> {
        let magnitude: Tile<u32, S> = absi(x);
        let quotient: Tile<u32, S> = magnitude / magnitude;
        quotient
    }

    #[cuda_tile::variadic_op(N = 6)]
    pub fn unknown<const S: [i32; N]>(x: Tile<i32, S>) -> Tile<i32, S> {
        x + nothing_of_that_name
    }

    #[cutile::entry()]
    pub fn wrong_signedness() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<u32, { [4] }> = one(x);
    }

    #[cutile::entry()]
    pub fn contrast_unknown() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = unknown(x);
    }
}
