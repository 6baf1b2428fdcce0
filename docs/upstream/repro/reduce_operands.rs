//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_tuple"
//# is = "wrong"
//# outcome = "compile"
//# has = ["cannot get element type for Compound values"]
//# [[case]]
//# entry = "wrong_closure"
//# is = "wrong"
//# outcome = "compile"
//# has = ["reduce closure must have 2 parameters"]
//# [[case]]
//# entry = "workaround_two_passes"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["maxf", "select", "mini"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_tuple() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let i: Tile<i32, { [4] }> = iota(shape![4]);
        let (v, k): (Tile<f32, { [] }>, Tile<i32, { [] }>) =
            reduce((x, i), 0i32, (0.0f32, 0i32), |p, q| p);
    }

    #[cutile::entry()]
    pub fn wrong_closure() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let s: Tile<f32, { [] }> = reduce(x, 0i32, 0.0f32, |p, i, q, j| p + q);
    }

    #[cutile::entry()]
    pub fn workaround_two_passes() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let i: Tile<i32, { [4] }> = iota(shape![4]);
        let none: Tile<i32, { [4] }> = constant(2147483647i32, shape![4]);
        let most: Tile<f32, { [] }> = reduce_max(x, 0i32);
        let most: Tile<f32, { [1] }> = most.reshape(shape![1]);
        let hit: Tile<bool, { [4] }> = eq_tile(x, most.broadcast(shape![4]));
        let where_hit: Tile<i32, { [4] }> = select(hit, i, none);
        let first: Tile<i32, { [] }> = reduce_min(where_hit, 0i32);
    }
}
