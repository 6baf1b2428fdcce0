"""From the IR to Rust text: names, types, forms, layout, and the files of the crate."""
