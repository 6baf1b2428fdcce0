//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_scalar"
//# is = "wrong"
//# outcome = "compile"
//# has = ["associated const values are not supported in expression position"]
//# generics = ["f32"]
//# [[case]]
//# entry = "wrong_padding"
//# is = "wrong"
//# outcome = "compile"
//# has = ["associated const values are not supported in expression position"]
//# generics = ["f32"]
//# [[case]]
//# entry = "workaround_tile"
//# is = "workaround"
//# has = ["maxf"]
//# generics = ["f32"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_scalar<E: ElementType>(n: E) {
        let y: E = max(n, E::ZERO);
    }

    #[cutile::entry()]
    pub unsafe fn wrong_padding<E: ElementType>(p: *mut E) {
        let address: PointerTile<*mut E, { [] }> = pointer_to_tile(p);
        let yes: Tile<bool, { [] }> = constant(true, shape![]);
        let token: Token = new_token_unordered();
        let (x, after): (Tile<E, { [] }>, Token) = unsafe {
            load_ptr_tko(
                address,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(yes),
                Some(E::ZERO),
                Some(token),
                Latency::<0>,
            )
        };
    }

    #[cutile::entry()]
    pub fn workaround_tile<E: ElementType>(n: E) {
        let n: Tile<E, { [] }> = scalar_to_tile(n);
        let zero: Tile<E, { [] }> = constant(E::ZERO, shape![]);
        let y: Tile<E, { [] }> = max_tile(n, zero);
    }
}
