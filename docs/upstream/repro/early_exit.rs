//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_break"
//# is = "wrong"
//# outcome = "compile"
//# has = ["`break` inside a `for` loop is not supported"]
//# [[case]]
//# entry = "wrong_return"
//# is = "wrong"
//# outcome = "compile"
//# has = ["`return` is only supported at the top level of a function body"]
//# [[case]]
//# entry = "workaround_flag"
//# is = "workaround"
//# has = ["for", "continue"]
//# [[case]]
//# entry = "workaround_guard"
//# is = "workaround"
//# has = ["if %"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_break(n: i32) {
        let mut x: i32 = 0i32;
        for i in 0i32..n {
            if x > 3i32 {
                break;
            }
            x = x + i;
        }
    }

    #[cutile::entry()]
    pub fn wrong_return(n: i32) {
        if n > 3i32 {
            return;
        }
        let y: i32 = n + 1i32;
    }

    #[cutile::entry()]
    pub fn workaround_flag(n: i32) {
        let mut x: i32 = 0i32;
        let mut done: bool = false;
        for i in 0i32..n {
            if done {
                continue;
            }
            if x > 3i32 {
                done = true;
                continue;
            }
            x = x + i;
        }
    }

    #[cutile::entry()]
    pub fn workaround_guard(n: i32) {
        if n <= 3i32 {
            let y: i32 = n + 1i32;
        }
    }
}
