//! Raising SystemCallError from a failed system call. The classes themselves belong to the object part.

use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Unwind, Value};
use std::ffi::CStr;

/// `errno` of the last system call of this thread.
pub fn last() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The system's text for an error number.
pub fn text(errno: i32) -> String {
    let mut buf = [0 as libc::c_char; 256];
    // SAFETY: the buffer is as long as said, and strerror_r ends it with a NUL.
    unsafe {
        if libc::strerror_r(errno, buf.as_mut_ptr(), buf.len()) != 0 {
            return format!("Unknown error {errno}");
        }
        CStr::from_ptr(buf.as_ptr()).to_string_lossy().into_owned()
    }
}

/// Raises `Errno::X` with "text - detail" ("text" alone when `detail` is empty).
#[cold]
pub fn fail(ctx: &mut Ctx, errno: i32, detail: &str) -> Unwind {
    let detail = if detail.is_empty() { Value::NIL } else { Str::utf8(ctx, detail).value() };
    raise(ctx, errno, detail, None)
}

/// Raises `Errno::X` with "text - name", also for an empty name.
#[cold]
pub fn fail_named(ctx: &mut Ctx, errno: i32, name: &str) -> Unwind {
    let name = Str::utf8(ctx, name).value();
    raise(ctx, errno, name, None)
}

/// Raises `Errno::X` with "text @ function - path".
#[cold]
pub fn fail_at(ctx: &mut Ctx, errno: i32, function: &str, path: &[u8]) -> Unwind {
    let encoding = rubellite_vm::Encoding::UTF_8;
    let path = Str::new(ctx, path, encoding).value();
    raise(ctx, errno, path, Some(function))
}

/// The same for two paths: "text @ function - (a, b)".
#[cold]
pub fn fail_pair(ctx: &mut Ctx, errno: i32, function: &str, a: &[u8], b: &[u8]) -> Unwind {
    let mut both = b"(".to_vec();
    both.extend_from_slice(a);
    both.extend_from_slice(b", ");
    both.extend_from_slice(b);
    both.push(b')');
    fail_at(ctx, errno, function, &both)
}

fn raise(ctx: &mut Ctx, errno: i32, detail: Value, function: Option<&str>) -> Unwind {
    match error_object(ctx, errno, detail, function) {
        Ok(exception) => ctx.raise(exception),
        Err(unwind) => unwind,
    }
}

/// The exception for `errno`, not raised.
pub fn error_object(ctx: &mut Ctx, errno: i32, detail: Value, function: Option<&str>) -> rubellite_vm::Result {
    let class = ctx.error_class("SystemCallError");
    let new = ctx.names().new;
    let number = ctx.int(errno as i64);
    match function {
        None => ctx.call(class.value(), new, &[detail, number]),
        Some(function) => {
            let function = Str::utf8(ctx, function).value();
            ctx.call(class.value(), new, &[detail, number, function])
        }
    }
}
