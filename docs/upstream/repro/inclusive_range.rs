//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_inclusive"
//# is = "wrong"
//# has = ["for %4 in (%2 to %0, step %3)"]
//# lacks = ["addi %0"]
//# [[case]]
//# entry = "wrong_inclusive_constant"
//# is = "wrong"
//# has = ["assume bounded<0, 3>"]
//# generics = ["4"]
//# [[case]]
//# entry = "contrast_exclusive"
//# is = "contrast"
//# has = ["for %4 in (%2 to %0, step %3)"]
//# [[case]]
//# entry = "workaround_plus_one"
//# is = "workaround"
//# has = ["addi %0"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_inclusive(n: i32) {
        let mut sum: i32 = 0i32;
        for i in 0i32..=n {
            sum = sum + i;
        }
    }

    #[cutile::entry()]
    pub fn wrong_inclusive_constant<const T: i32>() {
        let mut sum: i32 = 0i32;
        for i in 0i32..=T {
            sum = sum + i;
        }
    }

    #[cutile::entry()]
    pub fn contrast_exclusive(n: i32) {
        let mut sum: i32 = 0i32;
        for i in 0i32..n {
            sum = sum + i;
        }
    }

    #[cutile::entry()]
    pub fn workaround_plus_one(n: i32) {
        let mut sum: i32 = 0i32;
        for i in 0i32..n + 1i32 {
            sum = sum + i;
        }
    }
}
