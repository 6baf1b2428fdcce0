//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_second_call"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unable to resolve generic type `Tile < D , R >`"]
//# [[case]]
//# entry = "contrast_single"
//# is = "contrast"
//# has = ["mulf"]
//# [[case]]
//# entry = "workaround_convert"
//# is = "workaround"
//# has = ["addf %0, %0"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn pair<E: ElementType, const S: [i32; 1]>(x: Tile<E, S>) -> (Tile<E, S>, i32) {
        (x, 1i32)
    }

    pub fn double<D: ElementType, const R: [i32; 1]>(x: Tile<D, R>) -> Tile<D, R> {
        let y: Tile<D, R> = x + x;
        y
    }

    #[cutile::entry()]
    pub fn wrong_second_call() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let (y, n): (Tile<f32, { [4] }>, i32) = pair(x);
        let z: Tile<f32, { [4] }> = double(y);
    }

    #[cutile::entry()]
    pub fn contrast_single() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = double(x);
        let z: Tile<f32, { [4] }> = double(y);
        let w: Tile<f32, { [4] }> = z * z;
    }

    #[cutile::entry()]
    pub fn workaround_convert() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let (y, n): (Tile<f32, { [4] }>, i32) = pair(x);
        let y: Tile<f32, { [4] }> = convert_tile(y);
        let z: Tile<f32, { [4] }> = double(y);
    }
}
