//! The host side of kernels made by cutile2rs.
//!
//! A launch goes one way, a file a step: [`argument`] checks what is passed, [`special`] says what may be assumed of it,
//! [`cache`] knows what was compiled for that. What is new goes on: [`table`] chooses the entry, [`bind`] says what the
//! compiler is told, [`store`] looks for machine code, [`compiler`] and [`tileiras`] make it, [`driver`] loads it.
//! [`launch`] holds the whole way. [`c_abi`], [`typed`] (Rust) and `python` are its doors.
//!
//! Environment: `CUTILE2RS_TILEIRAS` (the assembler), `CUTILE2RS_CACHE` (a folder for machine code, empty for none),
//! `CUTILE2RS_PREBUILT` (a folder that `cutile2rs convert --prebuild` filled).

pub mod argument;
pub mod bind;
pub mod c_abi;
pub mod cache;
pub mod codes;
pub mod compiler;
pub mod desc;
pub mod driver;
pub mod dtype;
pub mod floats;
pub mod functions;
pub mod kernel;
pub mod last_error;
pub mod launch;
pub mod lists;
#[cfg(feature = "python")]
pub mod python;
pub mod special;
pub mod store;
pub mod table;
pub mod tileiras;
pub mod typed;
pub mod value;
pub mod view;

pub use codes::{Code, Failure, Result};
pub use desc::{Arg, ArgKind, ArgValue, LaunchOptions, TensorDesc};
pub use dtype::DType;
pub use kernel::{Kernel, Module};
pub use view::{Array, DeviceArray};
