//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_assumption"
//# is = "wrong"
//# has = ["assume bounded<0, 7>"]
//# generics = ["8"]
//# strides = { a = [1], b = [1] }
//# [[case]]
//# entry = "wrong_no_trip"
//# is = "wrong"
//# outcome = "compile"
//# has = ["bounded endpoints must be ordered"]
//# generics = ["0"]
//# [[case]]
//# entry = "workaround_opaque"
//# is = "workaround"
//# has = ["assume bounded<0, ?>"]
//# lacks = ["bounded<0, 7>"]
//# generics = ["8"]
//# strides = { a = [1], b = [1] }
//# [[case]]
//# entry = "workaround_no_trip"
//# is = "workaround"
//# has = ["assume bounded<0, ?>"]
//# generics = ["0"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn opaque(n: i32) -> i32 {
        let tile: Tile<i32, { [] }> = scalar_to_tile(n);
        let tile: Tile<i32, { [1] }> = tile.reshape(shape![1]);
        let tile: Tile<i32, { [] }> = tile.reshape(shape![]);
        tile_to_scalar(tile)
    }

    #[cutile::entry()]
    pub fn wrong_assumption<const T: i32>(a: &Tensor<f32, { [-1] }>, b: &Tensor<f32, { [-1] }>) {
        let v: Partition<f32, { [16] }> = a.partition(shape![16]);
        let mut sum: Tile<f32, { [16] }> = constant(0.0, shape![16]);
        for i in 0i32..T {
            let x: Tile<f32, { [16] }> = v.load([i / 3i32]);
            sum = sum + x;
        }
        let mut o = unsafe { b.partition_full_mut(shape![16]) };
        unsafe { o.store(sum, [0i32]) };
    }

    #[cutile::entry()]
    pub fn wrong_no_trip<const T: i32>() {
        let mut sum: i32 = 0i32;
        for i in 0i32..T {
            sum = sum + i;
        }
    }

    #[cutile::entry()]
    pub fn workaround_opaque<const T: i32>(a: &Tensor<f32, { [-1] }>, b: &Tensor<f32, { [-1] }>) {
        let v: Partition<f32, { [16] }> = a.partition(shape![16]);
        let mut sum: Tile<f32, { [16] }> = constant(0.0, shape![16]);
        for i in 0i32..opaque(T) {
            let x: Tile<f32, { [16] }> = v.load([i / 3i32]);
            sum = sum + x;
        }
        let mut o = unsafe { b.partition_full_mut(shape![16]) };
        unsafe { o.store(sum, [0i32]) };
    }

    #[cutile::entry()]
    pub fn workaround_no_trip<const T: i32>() {
        let mut sum: i32 = 0i32;
        for i in 0i32..opaque(T) {
            sum = sum + i;
        }
    }
}
