//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_chain"
//# is = "wrong"
//# outcome = "compile"
//# has = ["return type is missing a compiled tile type"]
//# [[case]]
//# entry = "contrast_tile"
//# is = "contrast"
//# has = ["broadcast"]
//# [[case]]
//# entry = "workaround_lets"
//# is = "workaround"
//# has = ["broadcast %2 : tile<1xptr<f32>> -> tile<4xptr<f32>>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub unsafe fn wrong_chain(p: *mut f32) {
        let p: PointerTile<*mut f32, { [] }> = pointer_to_tile(p);
        let q: PointerTile<*mut f32, { [4] }> = p.reshape(shape![1]).broadcast(shape![4]);
    }

    #[cutile::entry()]
    pub fn contrast_tile() {
        let x: Tile<f32, { [] }> = constant(1.0, shape![]);
        let y: Tile<f32, { [4] }> = x.reshape(shape![1]).broadcast(shape![4]);
    }

    #[cutile::entry()]
    pub unsafe fn workaround_lets(p: *mut f32) {
        let p: PointerTile<*mut f32, { [] }> = pointer_to_tile(p);
        let p: PointerTile<*mut f32, { [1] }> = p.reshape(shape![1]);
        let q: PointerTile<*mut f32, { [4] }> = p.broadcast(shape![4]);
    }
}
