//! `IO#reopen`: another file behind the same object and, while it is open, the same number. Those who wait for the old
//! file raise first.

use super::mode::{parse, refresh_decoder};
use super::open;
use super::state::{self, IoState, io_error, mode};
use super::{device, waiting};
use crate::descriptors;
use crate::file::path::{PathBytes, get_path};
use rubellite_core_object::errno;
use rubellite_vm::{Args, Ctx, Result, Value};
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd};
use std::rc::Rc;

/// `reopen(other_io)`, `reopen(path, mode, **options)`
pub fn reopen(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let positional = args.positional();
    let io = state::thawed(ctx, recv)?;
    if positional.len() == 1
        && let Some(other) = open::check_io(ctx, positional.at(0))?
    {
        return reopen_io(ctx, recv, &io, other);
    }
    let path = get_path(ctx, positional.at(0))?;
    let bytes = PathBytes::of(ctx, path);
    let mode_arg = positional.at(1);
    let mut mode = parse(ctx, mode_arg, Value::NIL, args.keywords())?;
    let as_before = mode_arg.is_nil() && args.keywords().is_none();
    // A close has left nothing of the mode.
    let lost = as_before && io.closed();
    if as_before {
        let bits = if lost { io.mode.get() & !(mode::READ | mode::WRITE) } else { io.mode.get() };
        mode.flags = match (bits & mode::READ != 0, bits & mode::WRITE != 0) {
            (true, true) => libc::O_RDWR,
            (false, true) => {
                libc::O_WRONLY | libc::O_CREAT | if bits & mode::APPEND != 0 { libc::O_APPEND } else { libc::O_TRUNC }
            }
            _ => libc::O_RDONLY,
        };
        mode.external = io.external.get();
        mode.binary = bits & mode::BINARY != 0;
    }
    if io.has(mode::WRITE) && !io.closed() {
        device::flush(ctx, &io)?;
    }
    // SAFETY: the new descriptor is nobody else's.
    let fd = unsafe { OwnedFd::from_raw_fd(open::open_fd(ctx, &bytes, mode.flags, mode.perm)?) };
    let kept = mode::STANDARD | mode::KEEP_OPEN | if as_before { mode::SYNC } else { 0 };
    let keep = io.mode.get() & kept;
    prepare_replacement(ctx, &io)?;
    match io.fd.get() {
        old if old < 0 => io.fd.set(fd.into_raw_fd()),
        old => descriptors::replace(&fd, old, old <= 2).map_err(|e| errno::fail(ctx, e, ""))?,
    }
    io.mode.set(mode.state_bits() | keep);
    if lost {
        io.set(mode::READ | mode::WRITE, false);
    }
    let copy = path.dup(ctx);
    io.path.set(copy.value());
    ctx.write_barrier(recv, copy.value());
    mode.apply(ctx, &io)?;
    io.examine();
    Ok(recv)
}

fn reopen_io(ctx: &mut Ctx, recv: Value, io: &Rc<IoState>, other: Value) -> Result {
    let from = state::open_state(ctx, other)?;
    if io.closed() {
        return Err(io_error(ctx, "closed stream"));
    }
    if Rc::ptr_eq(io, &from) {
        return Ok(recv);
    }
    if io.has(mode::STANDARD) {
        let needs = if io.fd.get() == 0 { mode::READ } else { mode::WRITE };
        if !from.has(needs) {
            let name = String::from_utf8_lossy(&device::path_bytes(ctx, io)).into_owned();
            return Err(ctx.argument_error(&format!(
                "{name} can't change access mode from \"{}\" to \"{}\"",
                mode_name(io),
                mode_name(&from)
            )));
        }
    }
    if io.has(mode::WRITE) && !io.closed() {
        device::flush(ctx, io)?;
    }
    if from.has(mode::WRITE) {
        device::flush(ctx, &from)?;
    }
    device::unread_to_file(io);
    device::unread_to_file(&from);
    let keep = io.mode.get() & (mode::STANDARD | mode::KEEP_OPEN);
    prepare_replacement(ctx, io)?;
    // The other one may have been closed meanwhile.
    let from_fd = state::open_state(ctx, other)?.fd.get();
    descriptors::replace(&from_fd, io.fd.get(), io.fd.get() <= 2).map_err(|e| errno::fail(ctx, e, ""))?;
    let bits = from.mode.get() & !(mode::STANDARD | mode::KEEP_OPEN);
    io.mode.set(bits | keep);
    io.path.set(from.path.get());
    ctx.write_barrier(recv, from.path.get());
    io.lineno.set(from.lineno.get());
    io.external.set(from.external.get());
    io.internal.set(from.internal.get());
    io.pid.set(0);
    refresh_decoder(ctx, io)?;
    io.examine();
    let class = ctx.dispatch_class(other).real(ctx).value();
    if let Some(header) = recv.header()
        && ctx.real_class(recv).value() != class
    {
        header.klass.set(class);
        ctx.write_barrier(recv, class);
    }
    Ok(recv)
}

fn mode_name(io: &IoState) -> &'static str {
    match (io.has(mode::READ), io.has(mode::WRITE)) {
        (true, true) => "r+",
        (false, true) => "w",
        _ => "r",
    }
}

/// Forgets what was read, and ends all waits for the descriptor, whose number is to stand for another file.
fn prepare_replacement(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    io.clear_read();
    io.set(mode::NO_NOWAIT, false);
    if io.fd.get() >= 0 { waiting::evict(ctx, io, &[io.fd.get()], false) } else { Ok(()) }
}
