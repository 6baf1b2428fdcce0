//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_load"
//# is = "wrong"
//# outcome = "compile"
//# has = ["binary `Lt` requires operands of the same type, but got `i64` and `i32`"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "wrong_extent"
//# is = "wrong"
//# has = ["%1: tile<i32>"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "workaround_pointer"
//# is = "workaround"
//# has = ["offset %0, %1"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_load(a: &Tensor<f32, { [-1] }>, n: i64) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        let x: Tile<f32, { [4] }> = v.load([n]);
    }

    #[cutile::entry()]
    pub fn wrong_extent(a: &Tensor<f32, { [-1] }>) {
        let extent: i64 = a.shape()[0];
    }

    #[cutile::entry()]
    pub unsafe fn workaround_pointer(p: *mut f32, n: i64) {
        let p: PointerTile<*mut f32, { [] }> = pointer_to_tile(p);
        let n: Tile<i64, { [] }> = scalar_to_tile(n);
        let q: PointerTile<*mut f32, { [] }> = p.offset_tile(n);
    }
}
