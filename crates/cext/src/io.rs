//! IO objects as `rb_io_t` tells of them.

use crate::state::api;
use rubellite_core_io::io::state as io_state;
use rubellite_vm::Value;
use std::ffi::c_int;

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
}
