//! The least that a launch costs: one call of the driver, for a kernel that does nothing.

use std::ffi::{CString, c_void};

use cudarc::driver::{CudaStream, DriverError, result, sys};

/// A kernel without a statement, and what the driver is told each time; all of it is ready before the clock runs.
pub struct Empty {
    function: sys::CUfunction,
    grid: (u32, u32, u32),
    stream: sys::CUstream,
    parameters: Vec<*mut c_void>,
    /// What the parameters point to.
    _words: Vec<u64>,
}

impl Empty {
    /// Loads the kernel into the stream's context. Its parameters are so many bits wide.
    pub fn load(stream: &CudaStream, grid: [u32; 3], widths: &[u32]) -> Result<Self, DriverError> {
        stream.context().bind_to_thread()?;
        let text = CString::new(ptx(widths)).expect("PTX without a NUL");
        // SAFETY: the text ends in a NUL; nothing unloads the module while the program runs.
        let function = unsafe {
            let module = result::module::load_data(text.as_ptr().cast())?;
            result::module::get_function(module, c"empty".to_owned())?
        };
        let mut words = vec![0u64; widths.len()];
        // Vectors keep their numbers where they are when they move.
        let parameters = words.iter_mut().map(|word| std::ptr::from_mut(word).cast()).collect();
        Ok(Self { function, grid: grid.into(), stream: stream.cu_stream(), parameters, _words: words })
    }

    /// Launches it, one thread a block as the converted kernels are.
    pub fn launch(&mut self) -> Result<(), DriverError> {
        // SAFETY: the kernel declares these parameters, and reads none of them.
        unsafe { result::launch_kernel(self.function, self.grid, (1, 1, 1), 0, self.stream, &mut self.parameters) }
    }
}

/// For every GPU that cuTile has code for: the driver makes machine code of it when it is loaded.
fn ptx(widths: &[u32]) -> String {
    let parameters: Vec<String> = widths.iter().enumerate().map(|(k, bits)| format!(".param .b{bits} p{k}")).collect();
    let declared = parameters.join(", ");
    format!(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry empty({declared}) {{ ret; }}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        let start = ".version 7.0\n.target sm_80\n.address_size 64\n";
        let end = ".visible .entry empty(.param .b64 p0, .param .b32 p1) { ret; }\n";
        assert_eq!(ptx(&[64, 32]), format!("{start}{end}"));
    }
}
