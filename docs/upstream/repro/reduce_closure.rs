//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_identity"
//# is = "wrong"
//# has = ["reduce %0 dim=0 identities=[0] : tile<4xf32> -> tile<f32>"]
//# [[case]]
//# entry = "wrong_axis"
//# is = "wrong"
//# outcome = "assembler"
//# has = ["inferred type(s) '!cuda_tile.tile<8xf32>' are incompatible"]
//# [[case]]
//# entry = "wrong_type"
//# is = "wrong"
//# outcome = "compile"
//# has = ["but got `Tile < f32 , { [] } >` and `Tile < f32 , { [4] } >`"]
//# [[case]]
//# entry = "workaround_product"
//# is = "workaround"
//# has = ["reduce %0 dim=1 identities=[1] : tile<4x8xf32> -> tile<4xf32>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_identity() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let s = reduce(x, 0i32, 1.0f32, |p, q| p * q);
    }

    #[cutile::entry()]
    pub fn wrong_axis() {
        let x: Tile<f32, { [4, 8] }> = constant(2.0, shape![4, 8]);
        let s = reduce(x, 1i32, 0.0f32, |p, q| p + q);
    }

    #[cutile::entry()]
    pub fn wrong_type() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let s: Tile<f32, { [4] }> = reduce(x, 0i32, 0.0f32, |p, q| p + q);
        let y: Tile<f32, { [4] }> = s + x;
    }

    #[cutile::entry()]
    pub fn workaround_product() {
        let x: Tile<f32, { [4, 8] }> = constant(2.0, shape![4, 8]);
        let s: Tile<f32, { [4] }> = reduce_prod(x, 1i32);
    }
}
