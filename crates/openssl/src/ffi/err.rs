//! The queue of errors of the running native thread.

use super::Text;
use std::ffi::{c_char, c_int, c_ulong};
use std::ptr::null_mut;

const TEXT: c_int = 2;

unsafe extern "C" {
    safe fn ERR_peek_last_error() -> c_ulong;
    safe fn ERR_peek_error() -> c_ulong;
    safe fn ERR_get_error() -> c_ulong;
    safe fn ERR_clear_error();
    safe fn ERR_set_mark() -> c_int;
    safe fn ERR_pop_to_mark() -> c_int;
    safe fn ERR_reason_error_string(code: c_ulong) -> Option<Text<'static>>;
    safe fn ERR_lib_error_string(code: c_ulong) -> Option<Text<'static>>;
    fn ERR_error_string_n(code: c_ulong, buffer: *mut c_char, len: usize);
    fn ERR_peek_last_error_all(
        file: *mut *const c_char,
        line: *mut c_int,
        function: *mut *const c_char,
        data: *mut *const c_char,
        flags: *mut c_int,
    ) -> c_ulong;
    fn ERR_get_error_all(
        file: *mut *const c_char,
        line: *mut c_int,
        function: *mut *const c_char,
        data: *mut *const c_char,
        flags: *mut c_int,
    ) -> c_ulong;
}

fn text(at: *const c_char) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: texts of the queue end with a NUL and stay until the entry is reused.
    unsafe { std::ffi::CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

/// The reason of the last error with its further text in brackets.
pub fn last_reason() -> Option<String> {
    let (mut data, mut flags) = (std::ptr::null(), 0);
    // SAFETY: both places are ours; the others are not asked for.
    let code = unsafe { ERR_peek_last_error_all(null_mut(), null_mut(), null_mut(), &mut data, &mut flags) };
    if code == 0 {
        return None;
    }
    let reason = ERR_reason_error_string(code).map_or("(null)".to_string(), Text::lossy);
    Some(if flags & TEXT != 0 && !data.is_null() { format!("{reason} ({})", text(data)) } else { reason })
}

/// The reason of the first error.
pub fn first_reason() -> Option<String> {
    ERR_reason_error_string(ERR_peek_error()).map(Text::lossy)
}

/// Takes all errors out of the queue, oldest first.
pub fn take_all() -> Vec<String> {
    let mut errors = Vec::new();
    loop {
        let (mut function, mut data, mut flags) = (std::ptr::null(), std::ptr::null(), 0);
        // SAFETY: the places are ours.
        let code = unsafe { ERR_get_error_all(null_mut(), null_mut(), &mut function, &mut data, &mut flags) };
        if code == 0 {
            return errors;
        }
        let library = ERR_lib_error_string(code).map_or_else(String::new, Text::lossy);
        let reason = ERR_reason_error_string(code).map_or_else(String::new, Text::lossy);
        let mut line = format!("error:{code:08X}:{library}:{}:{reason}", text(function));
        if flags & TEXT != 0 {
            let data = if data.is_null() { "(null)".to_string() } else { text(data) };
            line.push_str(&format!(" ({data})"));
        }
        errors.push(line);
    }
}

/// Takes all errors out of the queue in the library's own one-line form.
pub fn take_lines() -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let code = ERR_get_error();
        if code == 0 {
            return lines;
        }
        let mut buffer = [0u8; 256];
        // SAFETY: so many bytes are there; it ends with a NUL.
        unsafe { ERR_error_string_n(code, buffer.as_mut_ptr().cast(), buffer.len()) };
        let len = buffer.iter().position(|byte| *byte == 0).unwrap_or(0);
        lines.push(String::from_utf8_lossy(&buffer[..len]).into_owned());
    }
}

pub fn clear() {
    ERR_clear_error();
}

/// The code of the last error, 0 without one.
pub fn last() -> c_ulong {
    ERR_peek_last_error()
}

pub fn first() -> c_ulong {
    ERR_peek_error()
}

pub fn reason_of(code: c_ulong) -> c_ulong {
    if code & 0x8000_0000 != 0 { code & 0x7fff_ffff } else { code & 0x7f_ffff }
}

pub fn library_of(code: c_ulong) -> c_ulong {
    if code & 0x8000_0000 != 0 { 2 } else { code >> 23 & 0xff }
}

/// Runs `f` and forgets the errors that it leaves.
pub fn quietly<R>(f: impl FnOnce() -> R) -> R {
    ERR_set_mark();
    let result = f();
    ERR_pop_to_mark();
    result
}
