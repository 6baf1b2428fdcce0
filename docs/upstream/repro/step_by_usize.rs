//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_suffix"
//# is = "wrong"
//# outcome = "compile"
//# has = ["unable to resolve generic type `usize`"]
//# [[case]]
//# entry = "contrast_plain"
//# is = "contrast"
//# has = ["for"]
//# [[case]]
//# entry = "workaround_variable"
//# is = "workaround"
//# has = ["for"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_suffix(n: i32) {
        for i in (0i32..n).step_by(2usize) {
            let j: i32 = i + 1i32;
        }
    }

    #[cutile::entry()]
    pub fn contrast_plain(n: i32) {
        for i in (0i32..n).step_by(2) {
            let j: i32 = i + 1i32;
        }
    }

    #[cutile::entry()]
    pub fn workaround_variable(n: i32, s: i32) {
        for i in (0i32..n).step_by(s as usize) {
            let j: i32 = i + 1i32;
        }
    }
}
