//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_add"
//# is = "wrong"
//# outcome = "compile"
//# has = ["this binary operator is not supported"]
//# [[case]]
//# entry = "wrong_and"
//# is = "wrong"
//# outcome = "compile"
//# has = ["this binary operator is not supported"]
//# [[case]]
//# entry = "workaround_spelled_out"
//# is = "workaround"
//# has = ["addi", "andi"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_add(n: i32) {
        let mut y: i32 = n;
        y += 2i32;
    }

    #[cutile::entry()]
    pub fn wrong_and(n: i32) {
        let mut y: i32 = n;
        y &= 2i32;
    }

    #[cutile::entry()]
    pub fn workaround_spelled_out(n: i32) {
        let mut y: i32 = n;
        y = y + 2i32;
        y = y & 2i32;
    }
}
