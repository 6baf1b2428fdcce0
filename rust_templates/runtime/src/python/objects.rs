//! A kernel as Python's object.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::argument::{self, Arguments};
use crate::bind;
use crate::codes::{Code, Failure, Result};
use crate::desc::LaunchOptions;
use crate::dtype::DType;
use crate::kernel::Kernel;
use crate::launch::{self, Target};
use crate::special::Assumed;
use crate::table::{Bindings, Table};
use crate::tileiras;
use crate::value::Value;

use super::errors::raised;
use super::{arguments, look_for_tileiras};

thread_local! {
    static ARGUMENTS: RefCell<Arguments> = RefCell::default();
}

/// Reads the arguments into this thread's memory for them, and does something with them.
fn reading<T>(args: &Bound<'_, PyTuple>, work: impl FnOnce(&Arguments, i32) -> PyResult<T>) -> PyResult<T> {
    // Taken out meanwhile: reading runs Python, which may launch.
    let mut memory = ARGUMENTS.take();
    let answer = arguments::read(args, &mut memory).and_then(|device| work(&memory, device.unwrap_or(0)));
    ARGUMENTS.replace(memory);
    answer
}

fn submit(
    py: Python<'_>,
    kernel: &'static Kernel,
    options: &LaunchOptions,
    stream: u64,
    grid: &Bound<'_, PyTuple>,
    args: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    let grid = arguments::grid(grid)?;
    reading(args, |arguments, device| {
        let target = Target { device, stream };
        // SAFETY: tensors of a device are there, and Python's own launches ask for no more.
        let known = unsafe { launch::launch_known(kernel, arguments, grid, options, target) };
        let answer = match known {
            Ok(true) => return Ok(()),
            Ok(false) => {
                look_for_tileiras(py);
                // SAFETY: as above; meanwhile other threads may run, which hold these tensors' memory no less.
                caught(|| py.detach(|| unsafe { launch::launch(kernel, arguments, grid, options, target) }))
            }
            Err(failure) => Err(failure),
        };
        answer.map_err(|failure| raised(&failure))
    })
}

fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(crate::c_abi::panicked(payload.as_ref())))
}

/// A kernel of this library.
#[pyclass(frozen, name = "Kernel", module = "_native")]
pub struct PyKernel {
    kernel: &'static Kernel,
}

impl PyKernel {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self { kernel }
    }
}

#[pymethods]
impl PyKernel {
    /// `"package.module:kernel"`.
    #[getter]
    fn name(&self) -> String {
        format!("{}:{}", self.kernel.module.python, self.kernel.name)
    }

    /// Submits a launch on a stream (the driver's handle) and waits for nothing. `args` are the Python kernel's, constants
    /// included; `hints` are all compile options of the launch, None takes the kernel's own.
    #[pyo3(signature = (stream, grid, args, hints = None))]
    fn launch(
        &self,
        py: Python<'_>,
        stream: u64,
        grid: &Bound<'_, PyTuple>,
        args: &Bound<'_, PyTuple>,
        hints: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        submit(py, self.kernel, &arguments::options(hints)?, stream, grid, args)
    }

    /// The kernel with compile options of its own, read once.
    #[pyo3(signature = (hints = None))]
    fn with_hints(&self, hints: Option<&Bound<'_, PyDict>>) -> PyResult<Launcher> {
        Ok(Launcher { kernel: self.kernel, options: arguments::options(hints)? })
    }

    /// Compiles and loads what `launch` would with these arguments, and launches nothing.
    #[pyo3(signature = (args, hints = None))]
    fn prepare(&self, py: Python<'_>, args: &Bound<'_, PyTuple>, hints: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let options = arguments::options(hints)?;
        reading(args, |arguments, device| {
            look_for_tileiras(py);
            let prepare = || launch::prepare(self.kernel, arguments, &options, device);
            caught(|| py.detach(prepare)).map_err(|failure| raised(&failure))
        })
    }

    /// What a launch with these arguments is compiled as for a target (`"sm_90"`): one line, the key of a prebuilt cubin.
    /// Needs no GPU.
    #[pyo3(signature = (args, target, hints = None))]
    fn request(&self, args: &Bound<'_, PyTuple>, target: &str, hints: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let options = arguments::options(hints)?;
        reading(args, |arguments, _| {
            let request = launch::request(self.kernel, arguments, &options, target);
            request.map(|request| request.key()).map_err(|failure| raised(&failure))
        })
    }

    /// Tile IR bytecode of what a launch with these arguments is compiled as. Needs no GPU and no assembler.
    #[pyo3(signature = (args, target, hints = None))]
    fn bytecode<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        target: &str,
        hints: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options = arguments::options(hints)?;
        reading(args, |arguments, _| {
            let made = launch::request(self.kernel, arguments, &options, target)
                .and_then(|request| py.detach(|| launch::bytecode(self.kernel, &request, tileiras::NEWEST_BYTECODE)));
            made.map(|bytes| PyBytes::new(py, &bytes)).map_err(|failure| raised(&failure))
        })
    }

    fn __repr__(&self) -> String {
        format!("<Kernel {}>", self.name())
    }
}

/// What a launch with this array, or with a list of arrays, may assume of it: constant strides and extents, divisors of extents, of
/// dynamic strides (closed up) and of the address; whether its elements are disjoint.
#[pyfunction]
pub fn assumed(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    reading(&PyTuple::new(py, [array])?, |arguments, _| {
        let facts = arguments.arrays.iter().map(|array| argument::facts(0, array)).collect::<Result<Vec<_>>>();
        let rows = facts.and_then(|facts| bind::row_facts("x", &facts)).map_err(|failure| raised(&failure))?;
        let spec = bind::spec(String::new(), &rows);
        let list = PyList::new(py, [spec.strides, spec.extents, spec.extent_div, spec.stride_div])?;
        list.append(spec.address_div)?;
        list.append(Assumed::new(rows.bits, rows.rank, rows.dtype).disjoint)?;
        Ok(list.into_any().unbind())
    })
}

/// A dispatch table by itself: one line of a `tables.jsonl`.
#[pyclass(frozen, name = "Table", module = "_native")]
pub struct PyTable(Table);

#[pymethods]
impl PyTable {
    #[new]
    fn new(line: &str) -> PyResult<Self> {
        Table::parse(line).map(Self).map_err(|failure| raised(&failure))
    }

    /// The entry, its parameters and its generics for what a launch binds, as `cutile2rs.ir.dispatch.choose` takes it; a
    /// dtype is given as a tuple of its name.
    fn choose(&self, bindings: &Bound<'_, PyDict>) -> PyResult<(String, Vec<String>, Vec<String>)> {
        let mut bound = Bindings::new();
        for (name, given) in bindings {
            bound.insert(name.extract()?, value(&given)?);
        }
        let choice = self.0.choose(&bound).map_err(|failure| raised(&failure))?;
        Ok((choice.entry, choice.params, choice.generics))
    }
}

fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(if given.is_none() {
        Value::None
    } else if given.is_instance_of::<PyBool>() {
        Value::Bool(given.extract()?)
    } else if given.is_instance_of::<PyInt>() {
        Value::Int(given.str()?.to_string().parse().unwrap_or(i128::MAX))
    } else if given.is_instance_of::<PyFloat>() {
        Value::Float(given.extract()?)
    } else if given.is_instance_of::<PyString>() {
        Value::Str(given.extract::<String>()?.into())
    } else {
        let (name,): (String,) = given.extract()?;
        let failure = || raised(&Failure::new(Code::UnsupportedDtype, format!("{name} is no dtype")));
        Value::DType(DType::from_name(&name).ok_or_else(failure)?)
    })
}

/// A kernel with compile options.
#[pyclass(frozen, module = "_native")]
pub struct Launcher {
    kernel: &'static Kernel,
    options: LaunchOptions,
}

#[pymethods]
impl Launcher {
    /// Submits a launch, as `Kernel.launch` does.
    #[pyo3(signature = (stream, grid, args))]
    fn launch(&self, py: Python<'_>, stream: u64, grid: &Bound<'_, PyTuple>, args: &Bound<'_, PyTuple>) -> PyResult<()> {
        submit(py, self.kernel, &self.options, stream, grid, args)
    }
}
