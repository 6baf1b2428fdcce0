//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_nested"
//# is = "wrong"
//# outcome = "panic"
//# has = ["Unexpected generic arguments PathArguments::None"]
//# [[case]]
//# entry = "wrong_short_circuit"
//# is = "wrong"
//# outcome = "compile"
//# has = ["the left operand of `&&` must be a scalar `bool`, got `bool`"]
//# [[case]]
//# entry = "contrast_integer"
//# is = "contrast"
//# has = ["maxi"]
//# [[case]]
//# entry = "contrast_bound"
//# is = "contrast"
//# has = ["cmpi greater_than"]
//# [[case]]
//# entry = "workaround_through_i32"
//# is = "workaround"
//# has = ["exti", "cmpi not_equal"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_nested(n: i32) {
        let x: Tile<i32, { [] }> = scalar_to_tile(n);
        let y: bool = tile_to_scalar(gt_tile(x, x));
    }

    #[cutile::entry()]
    pub fn wrong_short_circuit(n: i32) {
        let x: Tile<i32, { [] }> = scalar_to_tile(n);
        let c: Tile<bool, { [] }> = gt_tile(x, x);
        let y: bool = tile_to_scalar(c);
        let z: bool = y && n > 2i32;
    }

    #[cutile::entry()]
    pub fn contrast_integer(n: i32) {
        let x: Tile<i32, { [] }> = scalar_to_tile(n);
        let y: i32 = tile_to_scalar(maxi(x, x));
    }

    #[cutile::entry()]
    pub fn contrast_bound(n: i32) {
        let x: Tile<i32, { [] }> = scalar_to_tile(n);
        let c: Tile<bool, { [] }> = gt_tile(x, x);
        let y: bool = tile_to_scalar(c);
        let z: bool = y & (n > 2i32);
    }

    #[cutile::entry()]
    pub fn workaround_through_i32(n: i32) {
        let x: Tile<i32, { [] }> = scalar_to_tile(n);
        let c: Tile<bool, { [] }> = gt_tile(x, x);
        let i: Tile<i32, { [] }> = exti(c);
        let j: i32 = tile_to_scalar(i);
        let y: bool = j != 0i32;
        let z: bool = y && n > 2i32;
    }
}
