//! Launches from Rust, with a struct of arguments a kernel.

use std::cell::RefCell;

use crate::argument::{Argument, Arguments};
use crate::codes::Result;
use crate::desc::LaunchOptions;
use crate::kernel::Kernel;
use crate::launch::{self, Target};
use crate::view::Array;

/// How and where to launch.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Blocks along each dimension, 1 to 16777215.
    pub grid: [u32; 3],
    /// Compile options; by default the kernel's own.
    pub options: LaunchOptions,
    /// The device, as CUDA counts them.
    pub device: i32,
    /// The driver's handle of a stream of it; 0 is the default stream.
    pub stream: u64,
}

impl Config {
    /// On the default stream of the first device, with the kernel's own options.
    pub fn new(grid: [u32; 3]) -> Self {
        Self { grid, options: LaunchOptions::default(), device: 0, stream: 0 }
    }

    /// On a stream of a device.
    pub fn on(self, device: i32, stream: u64) -> Self {
        Self { device, stream, ..self }
    }
}

/// A number for a parameter that the kernel does not declare constant: it travels as i32, f32 or bool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl From<i32> for Scalar {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<f32> for Scalar {
    fn from(value: f32) -> Self {
        Self::Float(value.into())
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// What a field of a kernel's struct adds to the arguments.
pub trait Argue {
    /// Adds it.
    fn push(&self, arguments: &mut Arguments);
}

impl Argue for Array {
    fn push(&self, arguments: &mut Arguments) {
        arguments.push_array(self.descriptor());
    }
}

impl Argue for Vec<Array> {
    fn push(&self, arguments: &mut Arguments) {
        let first = arguments.arrays.len();
        arguments.arrays.extend(self.iter().map(Array::descriptor));
        arguments.list.push(Argument::List { first, count: self.len() });
    }
}

impl Argue for Scalar {
    fn push(&self, arguments: &mut Arguments) {
        arguments.list.push(match *self {
            Self::Int(value) => Argument::Int(value),
            Self::Float(value) => Argument::Float(value),
            Self::Bool(value) => Argument::Bool(value),
        });
    }
}

impl Argue for i64 {
    fn push(&self, arguments: &mut Arguments) {
        arguments.list.push(Argument::Int(*self));
    }
}

impl Argue for f64 {
    fn push(&self, arguments: &mut Arguments) {
        arguments.list.push(Argument::Float(*self));
    }
}

impl Argue for bool {
    fn push(&self, arguments: &mut Arguments) {
        arguments.list.push(Argument::Bool(*self));
    }
}

fn filled<T>(fill: impl FnOnce(&mut Arguments), work: impl FnOnce(&Arguments) -> T) -> T {
    thread_local! {
        static ARGUMENTS: RefCell<Arguments> = RefCell::default();
    }
    let mut memory = ARGUMENTS.take();
    memory.clear();
    fill(&mut memory);
    let answer = work(&memory);
    ARGUMENTS.replace(memory);
    answer
}

/// Launches with what `fill` adds.
///
/// # Safety
/// As [`launch::launch`].
pub unsafe fn submit(kernel: &'static Kernel, config: &Config, fill: impl FnOnce(&mut Arguments)) -> Result<()> {
    let target = Target { device: config.device, stream: config.stream };
    filled(fill, |arguments| {
        // SAFETY: as promised by the caller.
        unsafe { launch::launch(kernel, arguments, config.grid.map(i64::from), &config.options, target) }
    })
}

/// Compiles and loads what [`submit`] would.
pub fn prepare(kernel: &'static Kernel, config: &Config, fill: impl FnOnce(&mut Arguments)) -> Result<()> {
    filled(fill, |arguments| launch::prepare(kernel, arguments, &config.options, config.device))
}

/// A struct of arguments for each kernel of a module.
#[macro_export]
macro_rules! launchers {
    (@type array) => { $crate::Array };
    (@type list) => { Vec<$crate::Array> };
    (@type scalar) => { $crate::typed::Scalar };
    (@type int) => { i64 };
    (@type float) => { f64 };
    (@type bool) => { bool };
    (@type any) => { $crate::typed::Scalar };
    ($($(#[$about:meta])* $name:ident => $kernel:path { $($(#[$what:meta])* $field:ident: $kind:ident,)* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub struct $name {
            $($(#[$what])* pub $field: $crate::launchers!(@type $kind),)*
        }

        impl $name {
            /// Submits a launch, and waits for nothing. What is new is compiled first.
            ///
            /// # Safety
            /// The arrays must be there, as large as they say, until the launch has run, and those that are written must
            /// not overlap others.
            pub unsafe fn launch(&self, config: &$crate::typed::Config) -> $crate::Result<()> {
                // SAFETY: as promised by the caller.
                unsafe { $crate::typed::submit(&$kernel, config, |arguments| self.fill(arguments)) }
            }

            /// Compiles and loads what `launch` would with these arguments, and launches nothing.
            pub fn prepare(&self, config: &$crate::typed::Config) -> $crate::Result<()> {
                $crate::typed::prepare(&$kernel, config, |arguments| self.fill(arguments))
            }

            fn fill(&self, arguments: &mut $crate::argument::Arguments) {
                $($crate::typed::Argue::push(&self.$field, arguments);)*
            }
        }
    )*};
}
