//! One entry of a module's text, without its neighbours.

/// The module with one entry only: a large module holds hundreds, and each would be parsed for nothing. The entry stays on
/// its lines, for messages and debug information.
///
/// Entries are independent of each other, and the text is laid out by rustfmt: an entry starts with the comment above its
/// `#[cutile::entry]` and ends with a line `    }`. None where the text is not like that; then all of it has to be parsed.
pub fn excerpt(text: &str, entry: &str) -> Option<String> {
    const END: &str = "\n    }\n";
    const ATTRIBUTE: &str = "\n    #[cutile::entry";
    let first = text[..text.find(ATTRIBUTE)?].rfind("\n\n")? + 1;
    let close = text.trim_end().rfind('\n')? + 1;
    let opening = [format!("fn {entry}<"), format!("fn {entry}(")];
    let mut rest = text.get(first..close)?;
    while let Some(end) = rest.find(END) {
        let (item, after) = rest.split_at(end + END.len());
        let code = &item[item.find(ATTRIBUTE)?..];
        let head = code.lines().nth(2)?;
        if opening.iter().any(|name| head.contains(name.as_str())) {
            let before = text[first..close - rest.len()].matches('\n').count();
            return Some(format!("{}{}{item}{}", &text[..first], "\n".repeat(before), &text[close..]));
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! Kernels.\n\n#[cutile::module]\npub mod m {\n    use x::*;\n\n    /// One.\n    #[cutile::entry()]\n    \
                        pub unsafe fn one<E: T>() {\n        if a {\n        }\n    }\n\n    /// Two, not one<.\n    \
                        #[cutile::entry()]\n    pub unsafe fn two() {}\n    }\n}\n";

    #[test]
    fn the_others_are_left_out() {
        let one = excerpt(TEXT, "one").unwrap();
        assert!(one.contains("fn one<E: T>()") && one.contains("if a {") && !one.contains("fn two"));
        assert!(one.starts_with("//! Kernels.\n\n#[cutile::module]\npub mod m {\n    use x::*;\n\n    /// One."));
        assert!(one.ends_with("\n    }\n}\n"));
        let two = excerpt(TEXT, "two").unwrap();
        assert!(two.contains("fn two()") && !two.contains("fn one"));
        let line = |text: &str| text.lines().position(|line| line.contains("fn two()"));
        assert_eq!(line(&two), line(TEXT));
        assert_eq!((excerpt(TEXT, "three"), excerpt("mod m {}", "one")), (None, None));
    }
}
