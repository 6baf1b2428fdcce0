//! The text of a thread's last failure, kept for callers that only get a number.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use crate::codes::{Code, Failure};

thread_local! {
    static LAST: RefCell<CString> = RefCell::new(CString::default());
}

/// Keeps the failure's text, and gives its number.
pub fn set(failure: &Failure) -> i32 {
    let text: Vec<u8> = failure.to_string().into_bytes().into_iter().filter(|byte| *byte != 0).collect();
    // A thread that is ending has no storage left: the number alone has to do then.
    let _ = LAST.try_with(|last| last.replace(CString::new(text).unwrap_or_default()));
    failure.code as i32
}

/// The text: valid until this thread's next call that fails. Empty where nothing failed yet.
pub fn pointer() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The name of a number, as C takes it; "unknown code" for one that is none.
pub fn name_pointer(number: i32) -> *const c_char {
    let name = Code::from_number(number).map_or("unknown code\0", Code::c_name);
    CStr::from_bytes_with_nul(name.as_bytes()).map_or(c"".as_ptr(), CStr::as_ptr)
}
