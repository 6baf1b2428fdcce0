"""cutile2rs: converts cuTile Python kernels to cuTile Rust, by rule, and proves that the machine code is the same."""

__version__ = "0.1.0"
