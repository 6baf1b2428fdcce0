//! Rust text to Tile IR bytecode, in process, through cuTile Rust's own compiler.
//!
//! The kernels' text is embedded and parsed when a launch first needs an entry. rustc never has to compile it, which would
//! take it minutes for a large module, and what is compiled is the very text that verification compares: `tilecheck` calls
//! this code too.

mod arrays;
mod branches;
mod excerpt;
mod extents;
mod failure;
mod fold;
mod hoist;
mod job;
mod numbers;
mod signature;
mod slots;
mod source;
mod spelled;
mod spelled_body;
mod tokens;
mod walk;

pub use excerpt::excerpt;
pub use failure::{Failure, Kind, Place};
pub use job::{Job, Output, compile, divisor};

/// A module of device helpers that kernels import: its path in Rust and its text.
pub type SupportModule = (&'static str, &'static str);

/// The support modules that a kernel's text needs, those they import included. The others may stay away: each costs time.
pub fn used<'a>(kernel: &str, all: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let words: std::collections::HashSet<&str> = words(kernel).collect();
    let needs = |text: &str| functions(text).any(|name| words.contains(name));
    let mut wanted: Vec<usize> =
        (0..all.len()).filter(|i| all[*i].0 == "cutile2rs_support::tile" || needs(all[*i].1)).collect();
    let mut taken = vec![false; all.len()];
    while let Some(index) = wanted.pop() {
        if std::mem::replace(&mut taken[index], true) || all[index].0 == "cutile2rs_support::tile" {
            continue;
        }
        wanted.extend((0..all.len()).filter(|other| imports(all[index].1, all[*other].0)));
    }
    all.iter().zip(taken).filter(|(_, taken)| *taken).map(|(module, _)| *module).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn functions(text: &str) -> impl Iterator<Item = &str> {
    let mut all = words(text);
    std::iter::from_fn(move || {
        all.find(|word| *word == "fn")?;
        all.next()
    })
}

fn imports(text: &str, path: &str) -> bool {
    let stem = path.rsplit("::").next().unwrap_or(path);
    text.lines().any(|line| line.strip_prefix("    use crate::").is_some_and(|rest| rest.starts_with(&format!("{stem}::"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUPPORT: [(&str, &str); 4] = [
        ("cutile2rs_support::tile", "pub mod tile { pub use crate::a::a::*; }"),
        ("cutile2rs_support::a::a", "mod a {\n    use crate::b::b::*;\n    fn first() {}\n}"),
        ("cutile2rs_support::b::b", "mod b { fn second() {} }"),
        ("cutile2rs_support::c::c", "mod c { fn third() {} }"),
    ];

    #[test]
    fn only_what_is_needed_is_given() {
        let names = |kernel: &str| used(kernel, &SUPPORT).iter().map(|(path, _)| *path).collect::<Vec<_>>();
        assert_eq!(names("let x = first(y);"), [SUPPORT[0].0, SUPPORT[1].0, SUPPORT[2].0]);
        assert_eq!(names("third()"), [SUPPORT[0].0, SUPPORT[3].0]);
        assert_eq!(names("firsts()"), [SUPPORT[0].0]);
    }
}
