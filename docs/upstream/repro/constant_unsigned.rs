//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_u32"
//# is = "wrong"
//# has = ["constant <i32: 0> : tile<4xi32>"]
//# [[case]]
//# entry = "wrong_u8"
//# is = "wrong"
//# has = ["constant <i8: 0> : tile<4xi8>"]
//# [[case]]
//# entry = "wrong_u64"
//# is = "wrong"
//# has = ["constant <i64: 0> : tile<4xi64>"]
//# [[case]]
//# entry = "wrong_u8_scalar"
//# is = "wrong"
//# has = ["constant <i8: 0> : tile<i8>"]
//# [[case]]
//# entry = "wrong_u32_scalar"
//# is = "wrong"
//# outcome = "panic"
//# has = ["Failed to parse literal 3000000000"]
//# [[case]]
//# entry = "wrong_i64_scalar"
//# is = "wrong"
//# outcome = "panic"
//# has = ["Failed to parse literal 3000000000"]
//# [[case]]
//# entry = "contrast_i64"
//# is = "contrast"
//# has = ["constant <i64: 3000000000>"]
//# [[case]]
//# entry = "workaround_same_bits"
//# is = "workaround"
//# has = ["constant <i32: -1294967296>", "constant <i8: -56>"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    #[cutile::entry()]
    pub fn wrong_u32() {
        let x: Tile<u32, { [4] }> = constant(3000000000u32, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_u8() {
        let x: Tile<u8, { [4] }> = constant(200u8, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_u64() {
        let x: Tile<u64, { [4] }> = constant(10000000000000000000u64, shape![4]);
    }

    #[cutile::entry()]
    pub fn wrong_u8_scalar(n: u8) {
        let x: u8 = n + 200u8;
    }

    #[cutile::entry()]
    pub fn wrong_u32_scalar(n: u32) {
        let x: u32 = n + 3000000000u32;
    }

    #[cutile::entry()]
    pub fn wrong_i64_scalar(n: i64) {
        let x: i64 = n + 3000000000i64;
    }

    #[cutile::entry()]
    pub fn contrast_i64() {
        let x: Tile<i64, { [4] }> = constant(3000000000i64, shape![4]);
    }

    #[cutile::entry()]
    pub fn workaround_same_bits() {
        let x: Tile<u32, { [4] }> = splat_int(-1294967296, shape![4]);
        let y: Tile<u8, { [4] }> = splat_int(-56, shape![4]);
    }
}
