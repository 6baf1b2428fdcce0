//! Python's arguments, read into the compiler's types.

use cutile::cutile_compiler::hints::CompileOptions;
use cutile::cutile_compiler::specialization::{DivHint, SpecializationBits};
use cutile_ir::bytecode::BytecodeVersion;
use cutile2rs_runtime::compiler::divisor;
use cutile2rs_runtime::tileiras::NEWEST_BYTECODE;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is known about one array argument: Python's `SpecDict`.
pub struct Spec {
    pub bits: SpecializationBits,
    pub extents: Vec<i32>,
}

impl<'py> FromPyObject<'py> for Spec {
    fn extract_bound(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let table = value.downcast::<PyDict>()?;
        let get = |key: &str| -> PyResult<Bound<'py, PyAny>> {
            table
                .get_item(key)?
                .ok_or_else(|| PyKeyError::new_err(key.to_owned()))
        };
        let divisors = |key: &str| -> PyResult<Vec<DivHint>> {
            let numbers: Vec<i32> = get(key)?.extract()?;
            Ok(numbers.into_iter().map(divisor).collect())
        };
        Ok(Self {
            bits: SpecializationBits {
                shape_div: divisors("shape_div")?,
                stride_div: divisors("stride_div")?,
                stride_one: get("stride_one")?.extract()?,
                base_ptr_div: divisor(get("base_ptr_div")?.extract()?),
                elements_disjoint: get("elements_disjoint")?.extract()?,
            },
            extents: get("extents")?.extract()?,
        })
    }
}

/// Entry hints: a dict of integers.
pub struct Hints(pub CompileOptions);

impl<'py> FromPyObject<'py> for Hints {
    fn extract_bound(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut options = CompileOptions::default();
        for (key, number) in value.downcast::<PyDict>()? {
            let key: String = key.extract()?;
            let number: i32 = number.extract()?;
            match key.as_str() {
                "occupancy" => options.occupancy = Some(number),
                "num_cta_in_cga" => options.num_cta_in_cga = Some(number),
                "num_worker_warps_per_cta" => options.num_worker_warps_per_cta = Some(number),
                "min_ctas_per_sm" => options.min_ctas_per_sm = Some(number),
                "max_divisibility" => options.max_divisibility = Some(number),
                _ => return Err(PyValueError::new_err(format!("unknown hint {key:?}"))),
            }
        }
        Ok(Self(options))
    }
}

/// Reads `"13.3"`.
pub fn version(text: Option<&str>) -> PyResult<BytecodeVersion> {
    let Some(text) = text else {
        return Ok(NEWEST_BYTECODE);
    };
    BytecodeVersion::SUPPORTED
        .into_iter()
        .find(|known| format!("{}.{}", known.major, known.minor) == text)
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "bytecode version {text:?} is not one of 13.2 to 13.5"
            ))
        })
}
