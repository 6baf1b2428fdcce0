//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_deferred"
//# is = "wrong"
//# outcome = "compile"
//# has = ["let bindings must have an initializer expression"]
//# [[case]]
//# entry = "workaround_mutable"
//# is = "workaround"
//# has = ["-> (tile<i32>)"]

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_deferred(n: i32) {
        let x: i32;
        if n > 2i32 {
            x = 1i32;
        } else {
            x = n;
        }
        let y: i32 = x + 1i32;
    }

    #[cutile::entry()]
    pub fn workaround_mutable(n: i32) {
        let mut x: i32 = n;
        if n > 2i32 {
            x = 1i32;
        }
        let y: i32 = x + 1i32;
    }
}
