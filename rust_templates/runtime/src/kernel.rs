//! What the generated crate says of a module and of each of its kernels.

use std::sync::OnceLock;

use crate::codes::{Code, Result, fail};
use crate::compiler::SupportModule;
use crate::table::Table;

/// A Python module's kernels.
pub struct Module {
    /// Its name in Python.
    pub python: &'static str,
    /// Its name in Rust.
    pub rust: &'static str,
    /// The text of its `kernel.rs`.
    pub source: &'static str,
    /// One dispatch table a line, in the order of the kernels.
    pub tables: &'static str,
    /// SHA-256 of the source and of the support modules.
    pub digest: &'static str,
    /// The device helpers that the text may use.
    pub support: &'static [SupportModule],
}

/// One kernel.
pub struct Kernel {
    /// Its name in Python, with the classes or functions that it is nested in.
    pub name: &'static str,
    pub module: &'static Module,
    line: usize,
    table: OnceLock<Result<Table>>,
}

impl Kernel {
    /// The kernel whose table is the given line of the module's.
    pub const fn new(module: &'static Module, name: &'static str, line: usize) -> Self {
        Self { name, module, line, table: OnceLock::new() }
    }

    /// Its dispatch table: read when it is first asked for.
    pub fn table(&self) -> Result<&Table> {
        let read = || match self.module.tables.lines().nth(self.line) {
            Some(line) => Table::parse(line),
            None => fail(Code::Panic, format!("{} has no dispatch table: convert the kernels again", self.name)),
        };
        self.table.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// The statics of a module: `MODULE`, one a kernel, and `KERNELS`, all of them.
#[macro_export]
macro_rules! kernels {
    (
        module: $python:literal as $rust:literal,
        source: $source:expr,
        tables: $tables:expr,
        digest: $digest:literal,
        support: $support:expr,
        $($name:ident: $kernel:literal,)*
    ) => {
        /// The module that the kernels are from.
        pub static MODULE: $crate::Module = $crate::Module {
            python: $python,
            rust: $rust,
            source: $source,
            tables: $tables,
            digest: $digest,
            support: $support,
        };

        /// Every kernel of the module.
        pub static KERNELS: &[&$crate::Kernel] = &[$(&$name),*];

        $crate::kernels!(@each 0usize; $($name: $kernel,)*);
    };
    (@each $line:expr; $name:ident: $kernel:literal, $($rest:tt)*) => {
        #[doc = concat!("The kernel `", $kernel, "`.")]
        pub static $name: $crate::Kernel = $crate::Kernel::new(&MODULE, $kernel, $line);
        $crate::kernels!(@each $line + 1; $($rest)*);
    };
    (@each $line:expr;) => {};
}

/// The static `MODULES`: the kernels of every module of a crate.
#[macro_export]
macro_rules! modules {
    ($($module:ident,)*) => {
        /// The kernels of every module.
        pub static MODULES: &[&[&$crate::Kernel]] = &[$($module::KERNELS),*];
    };
}
