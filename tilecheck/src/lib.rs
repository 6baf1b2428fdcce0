//! `cutile2rs_tilecheck`: compiles generated cuTile Rust source text to Tile IR, in process, for Python.
//!
//! The text is never given to rustc: cuTile Rust's run-time compiler takes a module's syntax tree, and that is all it
//! takes. No GPU and no driver is needed. The work is done by the runtime crate of outputs: what is verified here is
//! what runs there.

mod arguments;

use cutile2rs_runtime::compiler::{self, Failure, Job};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use arguments::{Hints, Spec};

create_exception!(
    cutile2rs_tilecheck,
    TileCheckError,
    PyException,
    "cuTile Rust refused the text. `message`, `kind` (parse, compile, bytecode, panic), and where the compiler\n\
     says so `file`, `line` (from 1) and `column` (characters, from 0); None where it does not."
);

/// What a compilation makes.
#[pyclass(frozen, module = "cutile2rs_tilecheck")]
struct Artifact {
    /// Tile IR as text.
    #[pyo3(get)]
    ir_text: String,
    bytecode: Vec<u8>,
}

#[pymethods]
impl Artifact {
    /// Tile IR as bytecode: what `tileiras` and `tileirdisasm` read.
    #[getter]
    fn bytecode<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytecode)
    }

    fn __repr__(&self) -> String {
        format!("<Artifact: {} bytes of bytecode>", self.bytecode.len())
    }
}

/// Compiles one entry of a kernel module, given as Rust text. Documented in `cutile2rs_tilecheck.pyi`.
#[pyfunction]
#[pyo3(signature = (source, *, module, entry, generics, strides, spec_args, scalar_hints, hints, target,
                    bytecode_version = None, support = Vec::new()))]
#[expect(clippy::too_many_arguments, reason = "Python's keyword arguments")]
fn compile(
    py: Python<'_>,
    source: String,
    module: String,
    entry: String,
    generics: Vec<String>,
    strides: Vec<(String, Vec<i32>)>,
    spec_args: Vec<(String, Spec)>,
    scalar_hints: Vec<(String, i32)>,
    hints: Hints,
    target: String,
    bytecode_version: Option<&str>,
    support: Vec<(String, String)>,
) -> PyResult<Artifact> {
    let extents = spec_args
        .iter()
        .map(|(name, spec)| (name.clone(), spec.extents.clone()))
        .collect();
    let job = Job {
        source,
        module,
        entry,
        generics,
        strides,
        spec_args: spec_args
            .into_iter()
            .map(|(name, spec)| (name, spec.bits))
            .collect(),
        extents,
        scalar_hints: scalar_hints
            .into_iter()
            .map(|(name, divisor)| (name, compiler::divisor(divisor)))
            .collect(),
        options: hints.0,
        target,
        bytecode_version: arguments::version(bytecode_version)?,
        support,
    };
    match py.detach(|| compiler::compile(job)) {
        Ok(output) => Ok(Artifact {
            ir_text: output.ir_text,
            bytecode: output.bytecode,
        }),
        Err(failure) => Err(raised(py, &failure)?),
    }
}

/// The exception for a failure, with its attributes set.
fn raised(py: Python<'_>, failure: &Failure) -> PyResult<PyErr> {
    let error = TileCheckError::new_err(failure.to_string());
    let value = error.value(py);
    value.setattr("message", &failure.message)?;
    value.setattr("kind", failure.kind.name())?;
    value.setattr("file", failure.place.as_ref().map(|at| &at.file))?;
    value.setattr("line", failure.place.as_ref().map(|at| at.line))?;
    value.setattr("column", failure.place.as_ref().map(|at| at.column))?;
    Ok(error)
}

#[pymodule]
fn cutile2rs_tilecheck(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_class::<Artifact>()?;
    module.add("TileCheckError", module.py().get_type::<TileCheckError>())?;
    module.add("CUTILE_VERSION", "0.5.0")
}
