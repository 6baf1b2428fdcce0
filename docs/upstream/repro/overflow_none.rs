//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_add"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'overflow' on op AddI"]
//# [[case]]
//# entry = "wrong_shift"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'overflow' on op ShLI"]
//# [[case]]
//# entry = "wrong_truncate"
//# is = "wrong"
//# outcome = "bytecode"
//# has = ["missing attribute 'overflow' on op TruncI"]
//# [[case]]
//# entry = "contrast_negate"
//# is = "contrast"
//# has = ["negi %0"]
//# [[case]]
//# entry = "workaround_operator"
//# is = "workaround"
//# has = ["addi %0, %0"]
//# [[case]]
//# entry = "workaround_truncate"
//# is = "workaround"
//# has = ["trunci %0"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.trunci", params = ["from"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn truncate<EIn: ElementType, EOut: ElementType, const S: [i32; N], O: overflow::Mode>(
        from: Tile<EIn, S>,
        overflow: O,
    ) -> Tile<EOut, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_add() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = addi(x, x, overflow::None);
    }

    #[cutile::entry()]
    pub fn wrong_shift() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = shli(x, x, overflow::None);
    }

    #[cutile::entry()]
    pub fn wrong_truncate() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i8, { [4] }> = trunci(x, overflow::None);
    }

    #[cutile::entry()]
    pub fn contrast_negate() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = negi(x, overflow::None);
    }

    #[cutile::entry()]
    pub fn workaround_operator() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = x + x;
    }

    #[cutile::entry()]
    pub fn workaround_truncate() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i8, { [4] }> = truncate(x, overflow::None);
    }
}
