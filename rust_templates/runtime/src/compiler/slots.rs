//! Support modules given as text at run time.
//!
//! cuTile Rust finds the modules that a kernel uses in a table that the linker makes, so a module cannot be added at
//! run time. This crate therefore registers a few stand-ins, whose content is whatever the compile thread set; `use`
//! statements are pointed at them before the compiler sees the kernel. Those that a kernel does not use cost nothing.

use std::cell::RefCell;

use cutile::cutile_compiler::ast::Module;
use cutile::cutile_compiler::registry::{CUTILE_MODULES, CutileModuleEntry, linkme};
use linkme::distributed_slice;

thread_local! {
    static CONTENT: RefCell<Vec<Module>> = const { RefCell::new(Vec::new()) };
}

/// Sets the modules that this thread's stand-ins hold, in order.
pub fn fill(modules: Vec<Module>) {
    CONTENT.set(modules);
}

fn build<const SLOT: usize>() -> Module {
    CONTENT.with_borrow(|modules| modules[SLOT].clone())
}

macro_rules! stand_ins {
    ($($entry:ident $slot:literal $path:literal),+ $(,)?) => {
        /// The paths the stand-ins are registered under.
        pub const PATHS: &[&str] = &[$($path),+];

        $(
            #[distributed_slice(CUTILE_MODULES)]
            #[linkme(crate = cutile::cutile_compiler::registry::linkme)]
            static $entry: CutileModuleEntry =
                CutileModuleEntry { absolute_path: $path, build: build::<$slot> };
        )+
    };
}

stand_ins!(
    SLOT_0 0 "cutile2rs_runtime::slot0",
    SLOT_1 1 "cutile2rs_runtime::slot1",
    SLOT_2 2 "cutile2rs_runtime::slot2",
    SLOT_3 3 "cutile2rs_runtime::slot3",
    SLOT_4 4 "cutile2rs_runtime::slot4",
    SLOT_5 5 "cutile2rs_runtime::slot5",
    SLOT_6 6 "cutile2rs_runtime::slot6",
    SLOT_7 7 "cutile2rs_runtime::slot7",
    SLOT_8 8 "cutile2rs_runtime::slot8",
    SLOT_9 9 "cutile2rs_runtime::slot9",
    SLOT_10 10 "cutile2rs_runtime::slot10",
    SLOT_11 11 "cutile2rs_runtime::slot11",
    SLOT_12 12 "cutile2rs_runtime::slot12",
    SLOT_13 13 "cutile2rs_runtime::slot13",
    SLOT_14 14 "cutile2rs_runtime::slot14",
    SLOT_15 15 "cutile2rs_runtime::slot15",
    SLOT_16 16 "cutile2rs_runtime::slot16",
    SLOT_17 17 "cutile2rs_runtime::slot17",
    SLOT_18 18 "cutile2rs_runtime::slot18",
    SLOT_19 19 "cutile2rs_runtime::slot19",
    SLOT_20 20 "cutile2rs_runtime::slot20",
    SLOT_21 21 "cutile2rs_runtime::slot21",
    SLOT_22 22 "cutile2rs_runtime::slot22",
    SLOT_23 23 "cutile2rs_runtime::slot23",
);
