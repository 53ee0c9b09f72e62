//! IO objects as `rb_io_t` tells of them, buffers, and what schedulers of fibers ask for.

use crate::state::api;
use rubellite_core_io::io::{buffer, state as io_state};
use rubellite_core_thread::operation;
use rubellite_vm::Value;
use std::ffi::{c_int, c_void};

/// What the shim fills an `rb_io_t` with.
#[repr(C)]
pub struct Told {
    fd: c_int,
    write_fd: c_int,
    mode: c_int,
    pid: c_int,
    lineno: c_int,
    external: c_int,
    internal: c_int,
    path: Value,
    timeout: Value,
}

fn index(encoding: Option<rubellite_vm::Encoding>) -> c_int {
    encoding.map_or(-1, |encoding| encoding.index() as c_int)
}

api! {
    /// 0 when the object is no IO, or one that was not initialized.
    fn rbl_io_tell(ctx, io: Value, told: *mut Told) -> c_int {
        let Some(state) = io_state::try_state(ctx, io) else { return Ok(0) };
        let now = Told {
            fd: state.fd.get(),
            write_fd: state.write_fd.get(),
            mode: state.mode.get() as c_int,
            pid: state.pid.get(),
            lineno: state.lineno.get() as c_int,
            external: index(state.external.get()),
            internal: index(state.internal.get()),
            path: state.path.get(),
            timeout: state.timeout.get(),
        };
        // SAFETY: the shim's variable.
        unsafe { told.write(now) };
        Ok(1)
    }

    /// C code has the structure `file`, which lives as long as `io`.
    fn rbl_io_note(ctx, io: Value, file: *const c_void) {
        // SAFETY: the shim's structure, which the IO keeps alive.
        unsafe { crate::opened::note(ctx, io, file) };
        Ok(())
    }

    fn rbl_io_make(ctx, io: Value) {
        crate::opened::make(ctx, io)
    }

    /// Whether bytes have been read that nobody has taken.
    fn rbl_io_buffered(ctx, io: Value) -> c_int {
        Ok(io_state::try_state(ctx, io).map_or(0, |state| c_int::from(state.has_buffered())))
    }

    fn rbl_io_must_read(ctx, io: Value) {
        io_state::readable(ctx, io).map(drop)
    }

    fn rbl_io_must_write(ctx, io: Value) {
        io_state::writable(ctx, io).map(drop)
    }

    fn rbl_io_must_be_open(ctx, io: Value) {
        io_state::open_or_frozen(ctx, io).map(drop)
    }

    /// Where the bytes of an IO::Buffer lie; its flags. `write`: 1 when they are to be written, -1 when nothing is to
    /// be looked after.
    fn rbl_c_io_buffer_bytes(ctx, object: Value, write: c_int, base: *mut *mut u8, size: *mut usize) -> c_int {
        let (address, len, flags) = buffer::bytes_of(ctx, object, write == 1)?;
        if address.is_null() && write != -1 {
            return Err(ctx.raise_error("IO::Buffer::AllocationError", "The buffer is not allocated!"));
        }
        // SAFETY: the C code's variables.
        unsafe {
            base.write(address);
            size.write(len);
        }
        Ok(flags as c_int)
    }

    /// On the memory at `base`, which is the C code's, or on fresh memory where that is null.
    fn rbl_io_buffer_new(ctx, base: *mut c_void, size: usize, flags: c_int) -> Value {
        if base.is_null() {
            return buffer::sized(ctx, size, flags as u32);
        }
        // SAFETY: the C code keeps it.
        Ok(unsafe { buffer::on_memory(ctx, base.cast(), size, flags as u32) })
    }

    fn rbl_io_buffer_lock(ctx, object: Value) -> Value {
        match buffer::set_locked(ctx, object, true)? {
            true => Ok(object),
            false => Err(ctx.raise_error("IO::Buffer::LockedError", "Buffer already locked!")),
        }
    }

    fn rbl_io_buffer_unlock(ctx, object: Value) -> Value {
        match buffer::set_locked(ctx, object, false)? {
            true => Ok(object),
            false => Err(ctx.raise_error("IO::Buffer::LockedError", "Buffer not locked!")),
        }
    }

    fn rbl_io_buffer_try_unlock(ctx, object: Value) -> c_int {
        buffer::set_locked(ctx, object, false).map(c_int::from)
    }

    fn rbl_process_status_for(ctx, pid: c_int, status: c_int, error: c_int) -> Value {
        Ok(rubellite_core_process::wait::failed_status(ctx, pid, status, error))
    }

    /// Null for what is no operation.
    fn rbl_fiber_scheduler_blocking_operation_extract(ctx, object: Value) -> *const operation::Handle {
        Ok(operation::handle(ctx, object).unwrap_or(std::ptr::null()))
    }
}

/// Runs the operation on the calling thread. -1: it was not run.
///
/// # Safety
/// Called by the shim with what `rbl_fiber_scheduler_blocking_operation_extract` gave for an operation that still
/// lives; without the lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_operation_execute(handle: *const operation::Handle) -> c_int {
    // SAFETY: by contract.
    let done = unsafe { handle.as_ref() }.is_some_and(operation::Handle::execute);
    if done { 0 } else { -1 }
}

/// Asks the operation to stop. 1: it runs.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_operation_cancel(handle: *const operation::Handle) -> c_int {
    // SAFETY: by contract.
    c_int::from(unsafe { handle.as_ref() }.is_some_and(operation::Handle::cancel))
}
