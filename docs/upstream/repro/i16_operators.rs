//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_add"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Binary operation is not implemented for Tile < E , { [4] } >"]
//# generics = ["i16"]
//# [[case]]
//# entry = "wrong_add"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Binary operation is not implemented for Tile < E , { [4] } >"]
//# generics = ["u16"]
//# [[case]]
//# entry = "contrast"
//# is = "contrast"
//# has = ["addi %0, %0"]
//# generics = ["i8"]
//# [[case]]
//# entry = "workaround_declared"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["addi %0, %0 : tile<4xi16>"]
//# generics = ["i16"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    #[cuda_tile::op(name = "cuda_tile.addi", params = ["lhs", "rhs"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn addi_wrap<E: ElementType, const S: [i32; N], O: overflow::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        overflow: O,
    ) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_add<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(2, shape![4]);
        let y: Tile<E, { [4] }> = x + x;
    }

    #[cutile::entry()]
    pub fn contrast<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(2, shape![4]);
        let y: Tile<E, { [4] }> = x + x;
    }

    #[cutile::entry()]
    pub fn workaround_declared<E: ElementType>() {
        let x: Tile<E, { [4] }> = splat_int(2, shape![4]);
        let y: Tile<E, { [4] }> = addi_wrap(x, x, overflow::None);
    }
}
