//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_axis"
//# is = "wrong"
//# outcome = "assembled"
//# has = ["scan %0 dim=0"]
//# lacks = ["dim=1"]
//# [[case]]
//# entry = "wrong_axis_closure"
//# is = "wrong"
//# outcome = "assembled"
//# has = ["scan %0 dim=0"]
//# lacks = ["dim=1"]
//# [[case]]
//# entry = "wrong_identity"
//# is = "wrong"
//# has = ["identities=[0]"]
//# [[case]]
//# entry = "workaround_permute"
//# is = "workaround"
//# outcome = "assembled"
//# has = ["permute %0 [1, 0]", "scan %1 dim=0", "permute %6 [1, 0]"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_axis() {
        let x: Tile<f32, { [4, 8] }> = constant(2.0, shape![4, 8]);
        let y: Tile<f32, { [4, 8] }> = scan_sum(x, 1i32, reverse::Forward, 0.0f32);
    }

    #[cutile::entry()]
    pub fn wrong_axis_closure() {
        let x: Tile<f32, { [4, 8] }> = constant(2.0, shape![4, 8]);
        let y: Tile<f32, { [4, 8] }> = scan(x, 1i32, reverse::Forward, 0.0f32, |p, q| p + q);
    }

    #[cutile::entry()]
    pub fn wrong_identity() {
        let x: Tile<f32, { [4] }> = constant(2.0, shape![4]);
        let y: Tile<f32, { [4] }> = scan(x, 0i32, reverse::Forward, 1.0f32, |p, q| p * q);
    }

    #[cutile::entry()]
    pub fn workaround_permute() {
        let x: Tile<f32, { [4, 8] }> = constant(2.0, shape![4, 8]);
        let t: Tile<f32, { [8, 4] }> = permute(x, const_array![1, 0]);
        let t: Tile<f32, { [8, 4] }> = scan_sum(t, 0i32, reverse::Forward, 0.0f32);
        let y: Tile<f32, { [4, 8] }> = permute(t + t, const_array![1, 0]);
    }
}
