//! The CUDA driver, loaded when it is first needed: without one, everything else still works.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

use crate::codes::{Code, Failure, Result, fail};

type Status = c_int;
type Handle = *mut c_void;

macro_rules! driver {
    ($($field:ident = $symbol:literal ($($argument:ty),*);)+) => {
        /// Functions of the driver, under their own names.
        #[allow(non_snake_case, reason = "the driver's names")]
        pub struct Driver {
            $($field: unsafe extern "C" fn($($argument),*) -> Status,)+
            /// Keeps the functions where they are.
            _library: Library,
        }

        impl Driver {
            fn from_library(library: Library) -> std::result::Result<Self, libloading::Error> {
                // SAFETY: the types are those of cuda.h for these symbols.
                unsafe {
                    Ok(Self { $($field: *library.get(concat!($symbol, "\0").as_bytes())?,)+ _library: library })
                }
            }
        }
    };
}

driver! {
    init = "cuInit" (c_uint);
    device_get = "cuDeviceGet" (*mut c_int, c_int);
    device_count = "cuDeviceGetCount" (*mut c_int);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, c_int);
    context_retain = "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    context_device = "cuCtxGetDevice" (*mut c_int);
    context_current = "cuCtxGetCurrent" (*mut Handle);
    context_id = "cuCtxGetId" (Handle, *mut u64);
    context_push = "cuCtxPushCurrent_v2" (Handle);
    context_pop = "cuCtxPopCurrent_v2" (*mut Handle);
    library_load = "cuLibraryLoadData" (*mut Handle, *const c_void, *mut c_int, *mut Handle, c_uint, *mut c_int, *mut Handle, c_uint);
    library_kernel = "cuLibraryGetKernel" (*mut Handle, Handle, *const c_char);
    kernel_function = "cuKernelGetFunction" (*mut Handle, Handle);
    launch = "cuLaunchKernel" (Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut Handle, *mut Handle);
    memory_for_good = "cuMemAlloc_v2" (*mut u64, usize);
    memory_allocate = "cuMemAllocAsync" (*mut u64, usize, Handle);
    memory_free = "cuMemFreeAsync" (u64, Handle);
    memory_copy = "cuMemcpyHtoDAsync_v2" (u64, *const c_void, usize, Handle);
    stream_create = "cuStreamCreate" (*mut Handle, c_uint);
    stream_destroy = "cuStreamDestroy_v2" (Handle);
    stream_wait = "cuStreamSynchronize" (Handle);
    stream_id = "cuStreamGetId" (Handle, *mut u64);
    stream_capturing = "cuStreamIsCapturing" (Handle, *mut c_int);
    capture_mode = "cuThreadExchangeStreamCaptureMode" (*mut c_int);
    error_name = "cuGetErrorName" (Status, *mut *const c_char);
    error_text = "cuGetErrorString" (Status, *mut *const c_char);
}

/// What a stream and a thread's way with captures are asked to be.
const NON_BLOCKING: c_uint = 1;
const RELAXED: c_int = 2;

/// Status numbers that mean something to us.
const NO_DEVICE: Status = 100;
const NO_BINARY_FOR_GPU: Status = 209;
const INVALID_IMAGE: Status = 200;

const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
const COMPUTE_CAPABILITY_MINOR: c_int = 76;

#[cfg(windows)]
const NAMES: &[&str] = &["nvcuda.dll"];
#[cfg(not(windows))]
const NAMES: &[&str] = &["libcuda.so.1", "libcuda.so"];

/// The driver, initialised. What failed once is not tried again.
pub fn driver() -> Result<&'static Driver> {
    static DRIVER: OnceLock<Result<Driver>> = OnceLock::new();
    DRIVER.get_or_init(open).as_ref().map_err(Clone::clone)
}

fn open() -> Result<Driver> {
    let mut why = String::new();
    for name in NAMES {
        // SAFETY: the driver's own initialisers, as every CUDA program runs them.
        match unsafe { Library::new(*name) }.and_then(Driver::from_library) {
            Ok(driver) => {
                // SAFETY: the first call that is made.
                let status = unsafe { (driver.init)(0) };
                if status == NO_DEVICE {
                    return fail(Code::NoDevice, "the CUDA driver sees no GPU");
                }
                driver.check(status, Code::DeviceInitFailed, "cuInit")?;
                return Ok(driver);
            }
            Err(error) => why = error.to_string(),
        }
    }
    fail(Code::NoDriver, format!("no CUDA driver of 12.0 or newer, so no GPU to run on ({why})"))
}

/// One GPU.
#[derive(Debug)]
pub struct Device {
    pub ordinal: i32,
    handle: c_int,
    primary: usize,
    /// The assembler's name of it: `sm_90`.
    pub target: String,
}

/// GPUs whose facts are kept.
const MOST_DEVICES: usize = 64;

/// The GPU of a number, as CUDA counts them.
pub fn device(ordinal: i32) -> Result<&'static Device> {
    static DEVICES: [OnceLock<Result<Device>>; MOST_DEVICES] = [const { OnceLock::new() }; MOST_DEVICES];
    let slot = usize::try_from(ordinal).ok().and_then(|index| DEVICES.get(index));
    let Some(slot) = slot else {
        return fail(Code::NoDevice, format!("there is no device {ordinal}"));
    };
    if let Some(Ok(device)) = slot.get() {
        return Ok(device);
    }
    let driver = driver()?;
    slot.get_or_init(|| driver.device(ordinal)).as_ref().map_err(Clone::clone)
}

/// A loaded kernel: good in every context of the device that its cubin is for, for the rest of the process.
#[derive(Debug, Clone, Copy)]
pub struct Function(Handle);

// SAFETY: a handle, which the driver lets any thread use.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// One stream of this process: numbers that are not used again, unlike handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamId {
    pub context: u64,
    pub stream: u64,
}

impl Driver {
    fn check(&self, status: Status, code: Code, what: &str) -> Result<()> {
        if status == 0 {
            return Ok(());
        }
        let said = |function: unsafe extern "C" fn(Status, *mut *const c_char) -> Status| {
            let mut text = ptr::null();
            // SAFETY: the driver stores a pointer to a text of its own, or null.
            unsafe {
                function(status, &mut text);
                if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
            }
        };
        let text = format!("{what} answered {} ({status}): {}", said(self.error_name), said(self.error_text));
        Err(Failure::new(code, text))
    }

    fn device(&self, ordinal: i32) -> Result<Device> {
        let init = Code::DeviceInitFailed;
        let mut count = 0;
        // SAFETY: each call is given room for what it answers.
        unsafe {
            self.check((self.device_count)(&mut count), init, "cuDeviceGetCount")?;
            if ordinal >= count {
                return fail(Code::NoDevice, format!("there is no device {ordinal}: the driver sees {count}"));
            }
            let (mut handle, mut context) = (0, ptr::null_mut());
            self.check((self.device_get)(&mut handle, ordinal), init, "cuDeviceGet")?;
            self.check((self.context_retain)(&mut context, handle), init, "cuDevicePrimaryCtxRetain")?;
            let attribute = |which: c_int| {
                let mut value = 0;
                self.check((self.device_attribute)(&mut value, which, handle), init, "cuDeviceGetAttribute").map(|()| value)
            };
            let target = format!("sm_{}{}", attribute(COMPUTE_CAPABILITY_MAJOR)?, attribute(COMPUTE_CAPABILITY_MINOR)?);
            Ok(Device { ordinal, handle, primary: context as usize, target })
        }
    }

    /// Does something with a context of the device current. The caller's stays if it is of this device: a stream belongs
    /// to a context.
    pub fn within<T>(&self, device: &Device, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut current = -1;
        // SAFETY: room for the answer; without a current context it is an error, and not used.
        let known = unsafe { (self.context_device)(&mut current) } == 0;
        if known && current == device.handle {
            return work();
        }
        // SAFETY: the primary context is retained for the rest of the process.
        let status = unsafe { (self.context_push)(device.primary as Handle) };
        self.check(status, Code::DeviceInitFailed, "cuCtxPushCurrent")?;
        let answer = work();
        let mut popped = ptr::null_mut();
        // SAFETY: pops what was pushed above.
        unsafe { (self.context_pop)(&mut popped) };
        answer
    }

    /// Loads machine code, and the one kernel in it, into the current context.
    pub fn load(&self, cubin: &[u8], name: &CStr) -> Result<Function> {
        let (mut library, mut kernel, mut function) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let none: Handle = ptr::null_mut();
        // SAFETY: no options; the driver copies the code, whose end the ELF header says.
        let status = unsafe {
            (self.library_load)(&mut library, cubin.as_ptr().cast(), none.cast(), none.cast(), 0, none.cast(), none.cast(), 0)
        };
        let code = match status {
            NO_BINARY_FOR_GPU | INVALID_IMAGE => Code::UnsupportedGpu,
            _ => Code::LaunchFailed,
        };
        self.check(status, code, "cuLibraryLoadData")?;
        // SAFETY: the library was loaded above and is never unloaded.
        unsafe {
            self.check((self.library_kernel)(&mut kernel, library, name.as_ptr()), code, "cuLibraryGetKernel")?;
            // Loading is lazy; asking for the function does it now.
            self.check((self.kernel_function)(&mut function, kernel), code, "cuKernelGetFunction")?;
        }
        Ok(Function(kernel))
    }

    /// Submits a launch.
    ///
    /// # Safety
    /// The parameters must be those that the kernel's code reads, and arrays among them be there when it runs.
    pub unsafe fn launch(&self, function: Function, grid: [u32; 3], stream: u64, parameters: &mut [Handle]) -> Result<()> {
        let [x, y, z] = grid;
        // SAFETY: as promised by the caller; a block of one is how tile kernels are launched.
        let status = unsafe {
            (self.launch)(function.0, x, y, z, 1, 1, 1, 0, stream as Handle, parameters.as_mut_ptr(), ptr::null_mut())
        };
        self.check(status, Code::LaunchFailed, "cuLaunchKernel")
    }

    /// Whether what is submitted to a stream goes into a graph.
    pub fn is_capturing(&self, stream: u64) -> Result<bool> {
        let mut capturing = 0;
        // SAFETY: room for the answer.
        let status = unsafe { (self.stream_capturing)(stream as Handle, &mut capturing) };
        self.check(status, Code::LaunchFailed, "cuStreamIsCapturing")?;
        Ok(capturing != 0)
    }

    /// Which context the current one is; None where the driver does not say.
    pub fn context_id(&self) -> Option<u64> {
        let (mut current, mut found) = (ptr::null_mut(), 0);
        // SAFETY: room for each answer; the context is the current one.
        let said = unsafe { (self.context_current)(&mut current) == 0 && (self.context_id)(current, &mut found) == 0 };
        said.then_some(found)
    }

    /// Which stream a handle is in the current context; None where the driver does not say.
    pub fn stream_id(&self, stream: u64) -> Option<StreamId> {
        let mut found = StreamId { context: self.context_id()?, stream: 0 };
        // SAFETY: room for the answer.
        let status = unsafe { (self.stream_id)(stream as Handle, &mut found.stream) };
        (status == 0).then_some(found)
    }

    /// Memory of the current context that holds these numbers from now on, for the rest of the process. It is written beside
    /// all streams, captured ones too, and waited for.
    pub fn for_good(&self, numbers: &[i64]) -> Result<u64> {
        let mut mode = RELAXED;
        // SAFETY: room for the mode that was, which is put back.
        let exchanged = unsafe { (self.capture_mode)(&mut mode) };
        self.check(exchanged, Code::LaunchFailed, "cuThreadExchangeStreamCaptureMode")?;
        let answer = self.written(numbers);
        // SAFETY: as above.
        unsafe { (self.capture_mode)(&mut mode) };
        answer
    }

    fn written(&self, numbers: &[i64]) -> Result<u64> {
        let failed = Code::LaunchFailed;
        let (mut address, mut stream) = (0, ptr::null_mut());
        // SAFETY: room for the answers; the memory is as large as the numbers, which are there until the stream is done.
        unsafe {
            self.check((self.stream_create)(&mut stream, NON_BLOCKING), failed, "cuStreamCreate")?;
            let allocated = (self.memory_for_good)(&mut address, size_of_val(numbers));
            let copied = self.check(allocated, failed, "cuMemAlloc").and_then(|()| {
                self.copy(address, numbers, stream as u64)?;
                self.check((self.stream_wait)(stream), failed, "cuStreamSynchronize")
            });
            (self.stream_destroy)(stream);
            copied.map(|()| address)
        }
    }

    /// Memory, once the stream gets there.
    pub fn allocate(&self, bytes: usize, stream: u64) -> Result<u64> {
        let mut address = 0;
        // SAFETY: room for the answer.
        let status = unsafe { (self.memory_allocate)(&mut address, bytes, stream as Handle) };
        self.check(status, Code::LaunchFailed, "cuMemAllocAsync")?;
        Ok(address)
    }

    /// Writes numbers to memory, once the stream gets there. They may go when this returns: of memory that is not locked to
    /// pages the driver takes a copy first.
    ///
    /// # Safety
    /// The memory must be as large, and the stream not be captured: a graph would copy when it runs.
    pub unsafe fn copy(&self, address: u64, numbers: &[i64], stream: u64) -> Result<()> {
        // SAFETY: as promised by the caller.
        let status = unsafe { (self.memory_copy)(address, numbers.as_ptr().cast(), size_of_val(numbers), stream as Handle) };
        self.check(status, Code::LaunchFailed, "cuMemcpyHtoDAsync")
    }

    /// Gives memory back once the stream gets there.
    pub fn free(&self, address: u64, stream: u64) -> Result<()> {
        // SAFETY: the address is from `allocate`, on the same stream.
        let status = unsafe { (self.memory_free)(address, stream as Handle) };
        self.check(status, Code::LaunchFailed, "cuMemFreeAsync")
    }
}
