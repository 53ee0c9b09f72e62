//! Raising SystemCallError from a failed system call. The classes themselves belong to the object part.

use crate::incompatible;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Encoding, Unwind, Value};
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
pub fn fail_named(ctx: &mut Ctx, errno: i32, name: &(impl Named + ?Sized)) -> Unwind {
    let (bytes, encoding) = name.name();
    let name = Str::new(ctx, bytes, encoding).value();
    raise(ctx, errno, name, None)
}

/// A path for a message: bytes without more are taken for UTF-8.
pub trait Named {
    fn name(&self) -> (&[u8], Encoding);
}

impl<T: AsRef<[u8]> + ?Sized> Named for T {
    fn name(&self) -> (&[u8], Encoding) {
        (self.as_ref(), Encoding::UTF_8)
    }
}

/// Raises `Errno::X` with "text @ function - path" in the encoding of the path.
#[cold]
pub fn fail_at(ctx: &mut Ctx, errno: i32, function: &str, path: &(impl Named + ?Sized)) -> Unwind {
    let (bytes, encoding) = path.name();
    let path = Str::new(ctx, bytes, encoding).value();
    raise(ctx, errno, path, Some(function))
}

/// The same for two paths: "text @ function - (a, b)".
#[cold]
pub fn fail_pair(ctx: &mut Ctx, errno: i32, function: &str, a: &impl Named, b: &impl Named) -> Unwind {
    let ((a, first), (b, second)) = (a.name(), b.name());
    if first != second && !a.is_ascii() && !b.is_ascii() {
        return incompatible(ctx, first, second);
    }
    let encoding = if a.is_ascii() { second } else { first };
    let both = [b"(", a, b", ", b, b")"].concat();
    let both = Str::new(ctx, &both, encoding).value();
    raise(ctx, errno, both, Some(function))
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
