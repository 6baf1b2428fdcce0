//! What the generated C symbols call: nothing unwinds out of here.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::argument::Arguments;
use crate::codes::{Code, Failure, Result, fail};
use crate::desc::{Arg, LaunchOptions};
use crate::kernel::Kernel;
use crate::last_error;
use crate::launch::{self, Target};

thread_local! {
    static ARGUMENTS: RefCell<Arguments> = RefCell::default();
}

/// More arguments than any kernel takes; a larger count is garbage.
const MOST_ARGUMENTS: i32 = 4096;

/// Launches a kernel for C. 0, or a code whose text [`last_error::pointer`] gives.
///
/// # Safety
/// Pointers must be null or point to as much as is said of them, as in `include/cutile2rs.h`; arrays as for
/// [`launch::launch`].
pub unsafe fn launch(
    kernel: &'static Kernel,
    args: *const Arg,
    count: i32,
    grid: *const i32,
    options: *const LaunchOptions,
    device: i32,
    stream: u64,
) -> i32 {
    guarded(|| {
        let mut arguments = ARGUMENTS.try_with(RefCell::take).unwrap_or_default();
        arguments.clear();
        // SAFETY: as promised by the caller.
        let answer = unsafe { read(&mut arguments, args, count) }.and_then(|()| {
            // SAFETY: as promised by the caller.
            let (grid, options) = unsafe { (grid_of(grid)?, options.as_ref().copied().unwrap_or_default()) };
            // SAFETY: as promised by the caller.
            unsafe { launch::launch(kernel, &arguments, grid, &options, Target { device, stream }) }
        });
        let _ = ARGUMENTS.try_with(|home| home.replace(arguments));
        answer
    })
}

/// Runs something that C asked for.
pub fn guarded(work: impl FnOnce() -> Result<()>) -> i32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Code::Ok as i32,
        Ok(Err(failure)) => last_error::set(&failure),
        Err(payload) => last_error::set(&panicked(payload.as_ref())),
    }
}

/// What a panic said.
pub fn panicked(payload: &(dyn std::any::Any + Send)) -> Failure {
    let said = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let said = said.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    Failure::new(Code::Panic, format!("this is a mistake in cutile2rs: {said}"))
}

unsafe fn read(arguments: &mut Arguments, args: *const Arg, count: i32) -> Result<()> {
    if !(0..=MOST_ARGUMENTS).contains(&count) {
        return fail(Code::ArgumentCount, format!("{count} arguments"));
    }
    if count == 0 {
        return Ok(());
    }
    if args.is_null() {
        return fail(Code::NullPointer, "the arguments are null");
    }
    if !args.is_aligned() {
        return fail(Code::InvalidArgs, "the arguments are not aligned");
    }
    // SAFETY: not null, aligned, and as many as promised.
    for (position, arg) in unsafe { slice::from_raw_parts(args, count as usize) }.iter().enumerate() {
        // SAFETY: as promised by the caller.
        unsafe { arguments.push_c(position, arg) }?;
    }
    Ok(())
}

unsafe fn grid_of(grid: *const i32) -> Result<[i64; 3]> {
    if grid.is_null() {
        return fail(Code::NullPointer, "the grid is null");
    }
    // SAFETY: not null, and three numbers as promised; their alignment is left open.
    Ok(unsafe { grid.cast::<[i32; 3]>().read_unaligned() }.map(i64::from))
}

/// One C symbol a kernel.
#[macro_export]
macro_rules! c_symbols {
    ($($symbol:ident => $kernel:path;)*) => {$(
        #[doc = concat!("Launches [`", stringify!($kernel), "`] for C.")]
        ///
        /// # Safety
        /// As `include/cutile2rs.h` says of pointers, and as the kernel's Rust launcher says of arrays.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(
            args: *const $crate::Arg,
            n_args: i32,
            grid: *const i32,
            options: *const $crate::LaunchOptions,
            device: i32,
            stream: u64,
        ) -> i32 {
            // SAFETY: as promised by the caller.
            unsafe { $crate::c_abi::launch(&$kernel, args, n_args, grid, options, device, stream) }
        }
    )*};
}

/// The C symbols that belong to no kernel.
#[macro_export]
macro_rules! c_common {
    () => {
        /// The text of this thread's last failure; good until its next.
        #[unsafe(no_mangle)]
        pub extern "C" fn cutile2rs_last_error() -> *const std::ffi::c_char {
            $crate::last_error::pointer()
        }

        /// The name of a code.
        #[unsafe(no_mangle)]
        pub extern "C" fn cutile2rs_code_name(code: i32) -> *const std::ffi::c_char {
            $crate::last_error::name_pointer(code)
        }

        /// Takes prebuilt cubins from a folder.
        ///
        /// # Safety
        /// `folder` must be null or NUL-terminated.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn cutile2rs_set_prebuilt(folder: *const std::ffi::c_char) -> i32 {
            // SAFETY: as promised by the caller.
            unsafe { $crate::c_abi::set_prebuilt(folder) }
        }
    };
}

/// Takes prebuilt cubins from a folder that C names.
///
/// # Safety
/// `folder` must be null or NUL-terminated.
pub unsafe fn set_prebuilt(folder: *const std::ffi::c_char) -> i32 {
    guarded(|| {
        // SAFETY: as promised by the caller.
        match unsafe { crate::desc::c_text(folder) } {
            Some(folder) => crate::store::set_prebuilt(std::path::Path::new(folder)),
            None => fail(Code::NullPointer, "the folder's name is null or no UTF-8"),
        }
    })
}
