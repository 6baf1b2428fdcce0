//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_false"
//# is = "wrong"
//# has = ["constant <i1: 1> : tile<4xi1>"]
//# [[case]]
//# entry = "workaround_integer"
//# is = "workaround"
//# has = ["constant <i1: 0> : tile<4xi1>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_false() {
        let no: Tile<bool, { [4] }> = constant(false, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_integer() {
        let no: Tile<bool, { [4] }> = splat_int(0, shape![4]);
    }
}
