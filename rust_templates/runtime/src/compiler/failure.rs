//! Why a compilation failed, and where in the text that was given.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic;
use std::sync::Once;

use cutile::cutile_compiler::ast::syn;
use cutile::cutile_compiler::error::JITError;

/// A place in one of the texts given: the kernel's own, or a support module's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The label of the text: the module's name, or the support module's path.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 0.
    pub column: usize,
}

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The text is not Rust, or lacks the module asked for.
    Parse,
    /// cuTile Rust refused the kernel.
    Compile,
    /// Tile IR could not be written as bytecode of the version asked for.
    Bytecode,
    /// The compiler panicked: its own mistake, or text that it does not expect.
    Panic,
}

impl Kind {
    /// The name that Python sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Compile => "compile",
            Self::Bytecode => "bytecode",
            Self::Panic => "panic",
        }
    }
}

/// One failed compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
    pub place: Option<Place>,
}

impl Failure {
    /// A failure without a place.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None }
    }

    /// A text that `syn` could not parse.
    pub fn from_syn(file: &str, error: &syn::Error) -> Self {
        let start = error.span().start();
        Self {
            kind: Kind::Parse,
            message: error.to_string(),
            place: Some(Place { file: file.to_owned(), line: start.line, column: start.column }),
        }
    }

    /// An error of cuTile Rust's compiler, with its place where it carries one.
    pub fn from_jit(kind: Kind, error: &JITError) -> Self {
        match error {
            JITError::Generic(message) => Self::new(kind, message.as_str()),
            JITError::Located(message, at) => Self {
                kind,
                message: message.clone(),
                place: at.is_known().then(|| Place { file: at.file.clone(), line: at.line, column: at.column }),
            },
            JITError::Anyhow(error) => Self::new(kind, format!("{error:#}")),
        }
    }

    /// A caught panic: its message with the place in the compiler's own source.
    fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let said = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        let message = match PANIC_AT.take() {
            Some(at) => format!("the cuTile Rust compiler panicked: {said} (at {at})"),
            None => format!("the cuTile Rust compiler panicked: {said}"),
        };
        Self::new(Kind::Panic, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(at) => write!(out, "{}\n  --> {}:{}:{}", self.message, at.file, at.line, at.column),
            None => write!(out, "{}", self.message),
        }
    }
}

thread_local! {
    /// Set on compile threads: where the last panic happened, instead of a report on stderr.
    static QUIET: RefCell<bool> = const { RefCell::new(false) };
    static PANIC_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` on this thread, turning a panic into a [`Failure`] without a word on stderr.
pub fn catching<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if QUIET.with_borrow(|quiet| *quiet) {
                PANIC_AT.set(info.location().map(ToString::to_string));
            } else {
                previous(info);
            }
        }));
    });
    QUIET.set(true);
    let answer = panic::catch_unwind(panic::AssertUnwindSafe(work));
    QUIET.set(false);
    answer.unwrap_or_else(|payload| Err(Failure::from_panic(payload.as_ref())))
}
