//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_scalar_minus"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Non-const unary expressions not supported"]
//# [[case]]
//# entry = "wrong_scalar_not"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Unary expression not supported"]
//# [[case]]
//# entry = "wrong_noti"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unknown cuda_tile op name: `cuda_tile.noti`"]
//# [[case]]
//# entry = "workaround_scalars"
//# is = "workaround"
//# has = ["subi", "xori"]
//# [[case]]
//# entry = "workaround_tile"
//# is = "workaround"
//# has = ["negi", "xori"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_scalar_minus(n: i32) {
        let y: i32 = -n;
    }

    #[cutile::entry()]
    pub fn wrong_scalar_not(n: i32) {
        let y: bool = !(n > 1i32);
    }

    #[cutile::entry()]
    pub fn wrong_noti() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let y: Tile<i32, { [4] }> = noti(x);
    }

    #[cutile::entry()]
    pub fn workaround_scalars(n: i32) {
        let y: i32 = 0i32 - n;
        let z: bool = (n > 1i32) ^ true;
    }

    #[cutile::entry()]
    pub fn workaround_tile() {
        let x: Tile<i32, { [4] }> = constant(2, shape![4]);
        let minus: Tile<i32, { [4] }> = negi(x, overflow::None);
        let ones: Tile<i32, { [4] }> = constant(-1i32, shape![4]);
        let not: Tile<i32, { [4] }> = x ^ ones;
    }
}
