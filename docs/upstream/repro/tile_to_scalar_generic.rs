//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_generic"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Failed to cast from Tile < E , { [] } > to S"]
//# generics = ["i32"]
//# [[case]]
//# entry = "workaround_convert"
//# is = "workaround"
//# has = ["addi"]
//# generics = ["i32"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_generic<E: ElementType + Scalar>(n: E) {
        let x: Tile<E, { [] }> = scalar_to_tile(n);
        let y: E = tile_to_scalar(x);
    }

    #[cutile::entry()]
    pub fn workaround_convert<E: ElementType + Scalar>(n: E) {
        let x: Tile<E, { [] }> = scalar_to_tile(n);
        let x: Tile<i32, { [] }> = convert_tile(x);
        let y: i32 = tile_to_scalar(x);
        let z: i32 = y + 1i32;
    }
}
