//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_comparison"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Return type required"]
//# [[case]]
//# entry = "wrong_index"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Failed to infer type for lit expr"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "wrong_return_type"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unable to resolve generic type `Tile < f32 , S >`"]
//# [[case]]
//# entry = "contrast_operator"
//# is = "contrast"
//# has = ["addf %0, %1"]
//# [[case]]
//# entry = "workaround_let"
//# is = "workaround"
//# has = ["cmpf less_than ordered %0, %1"]
//# [[case]]
//# entry = "workaround_suffix"
//# is = "workaround"
//# has = ["load_view_tko"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "workaround_turbofish"
//# is = "workaround"
//# has = ["constant <f32: 0.0> : tile<4xf32>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn zeros<const S: [i32; 1]>() -> Tile<f32, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let zero: Tile<f32, S> = constant(0.0, shape);
        zero
    }

    #[cutile::entry()]
    pub fn wrong_comparison() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<bool, { [4] }> = lt_tile(x, constant(1.0, shape![4]));
    }

    #[cutile::entry()]
    pub fn wrong_index(a: &Tensor<f32, { [-1] }>) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        let token: Token = new_token_unordered();
        let (x, after): (Tile<f32, { [4] }>, Token) = unsafe {
            load_view_raw(
                &v,
                [0],
                Some(token),
                ordering::Weak,
                scope::TileBlock,
                tma::Enabled,
                None,
                [false],
                shape![4],
            )
        };
    }

    #[cutile::entry()]
    pub fn wrong_return_type() {
        let x: Tile<f32, { [4] }> = zeros();
    }

    #[cutile::entry()]
    pub fn contrast_operator() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = x + constant(1.0, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_let() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let one: Tile<f32, { [4] }> = constant(1.0, shape![4]);
        let y: Tile<bool, { [4] }> = lt_tile(x, one);
    }

    #[cutile::entry()]
    pub fn workaround_suffix(a: &Tensor<f32, { [-1] }>) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        let token: Token = new_token_unordered();
        let (x, after): (Tile<f32, { [4] }>, Token) = unsafe {
            load_view_raw(
                &v,
                [0i32],
                Some(token),
                ordering::Weak,
                scope::TileBlock,
                tma::Enabled,
                None,
                [false],
                shape![4],
            )
        };
    }

    #[cutile::entry()]
    pub fn workaround_turbofish() {
        let x: Tile<f32, { [4] }> = zeros::<{ [4] }>();
    }
}
