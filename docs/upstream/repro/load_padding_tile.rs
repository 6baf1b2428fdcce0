//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_core"
//# is = "wrong"
//# outcome = "assembled"
//# has = ["load_ptr_tko weak"]
//# [[case]]
//# entry = "workaround_variadic"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["load_ptr_tko weak"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_padded<const S: [i32; N]>(
        address: PointerTile<*mut f32, S>,
        mask: Tile<bool, S>,
        padding: Tile<f32, S>,
        token: Token,
    ) -> Tile<f32, S> {
        let (x, after): (Tile<f32, S>, Token) = unsafe {
            load_ptr_tko(
                address,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<0>,
            )
        };
        x
    }

    #[cutile::entry()]
    pub unsafe fn wrong_core(p: *mut f32) {
        let address: PointerTile<*mut f32, { [] }> = pointer_to_tile(p);
        let address: PointerTile<*mut f32, { [1] }> = address.reshape(shape![1]);
        let address: PointerTile<*mut f32, { [4] }> = address.broadcast(shape![4]);
        let mask: Tile<bool, { [4] }> = constant(true, shape![4]);
        let padding: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let token: Token = new_token_unordered();
        let (x, after): (Tile<f32, { [4] }>, Token) = unsafe {
            load_ptr_tko(
                address,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<0>,
            )
        };
    }

    #[cutile::entry()]
    pub unsafe fn workaround_variadic(p: *mut f32) {
        let address: PointerTile<*mut f32, { [] }> = pointer_to_tile(p);
        let address: PointerTile<*mut f32, { [1] }> = address.reshape(shape![1]);
        let address: PointerTile<*mut f32, { [4] }> = address.broadcast(shape![4]);
        let mask: Tile<bool, { [4] }> = constant(true, shape![4]);
        let padding: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let token: Token = new_token_unordered();
        let x: Tile<f32, { [4] }> = unsafe { load_padded(address, mask, padding, token) };
    }
}
