//! The Python extension module: kernels by name, launched with tensors as they are.

mod arguments;
mod errors;
mod exchange;
mod objects;
mod tensors;

use std::path::Path;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::codes::{Code, Failure};
use crate::kernel::Kernel;
use crate::{store, tileiras};

pub use objects::{Launcher, PyKernel, PyTable};

/// Kernels of all modules, as the generated crate lists them.
pub type Modules = &'static [&'static [&'static Kernel]];

static MODULES: OnceLock<Modules> = OnceLock::new();

/// Fills the extension module.
pub fn fill(module: &Bound<'_, PyModule>, modules: Modules) -> PyResult<()> {
    let _ = MODULES.set(modules);
    let codes = PyDict::new(module.py());
    for code in Code::ALL {
        codes.set_item(code as i32, code.name())?;
    }
    module.add("error_codes", codes)?;
    module.add_class::<PyKernel>()?;
    module.add_class::<Launcher>()?;
    module.add_class::<PyTable>()?;
    module.add_function(wrap_pyfunction!(kernel, module)?)?;
    module.add_function(wrap_pyfunction!(kernels, module)?)?;
    module.add_function(wrap_pyfunction!(objects::assumed, module)?)?;
    module.add_function(wrap_pyfunction!(set_prebuilt, module)?)?;
    module.add_function(wrap_pyfunction!(set_tileiras, module)?)?;
    Ok(())
}

fn all() -> impl Iterator<Item = &'static Kernel> {
    MODULES.get().copied().unwrap_or_default().iter().flat_map(|module| module.iter().copied())
}

/// The kernel of a name: `"package.module:kernel"`, as in Python.
#[pyfunction]
fn kernel(name: &str) -> PyResult<PyKernel> {
    let split = name.split_once(':');
    let found = split.and_then(|(module, kernel)| all().find(|k| k.module.python == module && k.name == kernel));
    found.map(PyKernel::new).ok_or_else(|| {
        let failure = Failure::new(Code::UnknownName, format!("there is no kernel {name:?} in this library"));
        errors::raised(&failure)
    })
}

/// The names that `kernel` takes.
#[pyfunction]
fn kernels() -> Vec<String> {
    all().map(|kernel| format!("{}:{}", kernel.module.python, kernel.name)).collect()
}

/// Takes prebuilt cubins from a folder that `cutile2rs convert --prebuild` filled.
#[pyfunction]
fn set_prebuilt(folder: &str) -> PyResult<()> {
    store::set_prebuilt(Path::new(folder)).map_err(|failure| errors::raised(&failure))
}

/// Names the Tile IR assembler to compile with; `CUTILE2RS_TILEIRAS` goes before it.
#[pyfunction]
fn set_tileiras(path: &str) {
    tileiras::set_hosts(path.into());
}

/// The assembler of this Python's packages, where cuTile Python looks first too: both then make the same machine code.
fn look_for_tileiras(py: Python<'_>) {
    if tileiras::is_named() {
        return;
    }
    let found = py.import("importlib.util").and_then(|util| {
        let spec = util.call_method1("find_spec", ("nvidia.cu13",))?;
        let folder: String = spec.getattr("submodule_search_locations")?.get_item(0)?.extract()?;
        Ok(Path::new(&folder).join("bin").join(format!("tileiras{}", std::env::consts::EXE_SUFFIX)))
    });
    if let Ok(path) = found
        && path.is_file()
    {
        tileiras::set_hosts(path);
    }
}

/// Declares the extension module `_native` of a crate of kernels.
#[macro_export]
macro_rules! python_module {
    ($modules:expr) => {
        #[pyo3::pymodule]
        fn _native(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
            $crate::python::fill(module, $modules)
        }
    };
}
