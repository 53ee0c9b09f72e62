//! One operation of the library on a connection, outside the lock.

use super::callbacks::{self, Asking};
use super::context;
use crate::ffi::ssl::{self, Outcome, SSL};
use crate::support::{exclusively, ivar};
use rubellite_core_io::io;
use rubellite_core_object::errno;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Ends, Leave, Result, Value};

/// What stands for the descriptor of a closed IO.
const NONE: i32 = -1;

/// A descriptor of our own, or none.
struct Descriptor(i32);

impl Descriptor {
    /// A duplicate, or errno.
    fn duplicate(fd: i32) -> std::result::Result<Descriptor, i32> {
        if fd == NONE {
            return Ok(Descriptor(NONE));
        }
        // SAFETY: a plain call.
        match unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) } {
            -1 => Err(errno::last()),
            fd => Ok(Descriptor(fd)),
        }
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        if self.0 != NONE {
            // SAFETY: the descriptor is this one's.
            unsafe { libc::close(self.0) };
        }
    }
}

/// Runs the operation on the connection of `socket`. IOError when its IO is closed.
///
/// # Errors
/// What a callback raises, and interrupts.
pub fn run(
    ctx: &mut Ctx,
    socket: Value,
    site: &'static RegionSite,
    operation: impl FnOnce(&SSL) -> i32 + Send,
) -> Result<Outcome> {
    let object = ivar(ctx, socket, "@io");
    let state = io::state::open_or_frozen(ctx, object)?;
    run_on(ctx, socket, state.fd.get(), site, operation)
}

/// The same for an operation that reads, where a closed IO is a descriptor that is none: what has been deciphered is
/// there, and behind it is EBADF.
///
/// # Errors
/// What a callback raises, and interrupts.
pub fn run_reading(
    ctx: &mut Ctx,
    socket: Value,
    site: &'static RegionSite,
    operation: impl FnOnce(&SSL) -> i32 + Send,
) -> Result<Outcome> {
    let object = ivar(ctx, socket, "@io");
    let state = io::state::state(ctx, object)?;
    let fd = if state.closed() { NONE } else { state.fd.get() };
    run_on(ctx, socket, fd, site, operation)
}

fn run_on(
    ctx: &mut Ctx,
    socket: Value,
    fd: i32,
    site: &'static RegionSite,
    operation: impl FnOnce(&SSL) -> i32 + Send,
) -> Result<Outcome> {
    let fd = match Descriptor::duplicate(fd) {
        Ok(fd) => fd,
        Err(e) => return Err(errno::fail(ctx, e, "dup")),
    };
    let id = callbacks::begin(ctx, socket);
    let outcome = exclusively::<SSL, _>(ctx, socket, |ctx, connection| {
        connection.set_descriptor(fd.0);
        let mut operation = Some(operation);
        ctx.outside_calling(Leave::new(Kind::Short(site), Ends::Never), |region, _| {
            let operation = operation.take()?;
            let mut asking = Asking { region, id };
            Some(ssl::with_asked(connection, &mut asking, || connection.run(operation)))
        })
    });
    callbacks::end(ctx, id);
    if outcome.is_err() {
        crate::ffi::err::clear();
    }
    let context = ivar(ctx, socket, "@context");
    let this = context::of(ctx, context);
    let (outcome, this) = (outcome?, this?);
    callbacks::tell_dropped(ctx, context, &this)?;
    Ok(outcome)
}
