//! New descriptors: owned until an object takes them, with one collection when they run out, since IO objects that
//! nobody uses hold some. Files are opened elsewhere (`io::open`), for that may wait.

use rubellite_core_object::errno;
use rubellite_vm::Ctx;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// What the system answered: errno otherwise.
pub type Sys<T> = Result<T, i32>;

/// Runs `call` again after a collection when descriptors have run out.
pub fn with_room<T>(ctx: &mut Ctx, mut call: impl FnMut() -> Sys<T>) -> Sys<T> {
    match call() {
        Err(libc::EMFILE | libc::ENFILE) => {
            ctx.collect_and_sweep();
            call()
        }
        other => other,
    }
}

/// Both ends of a new pipe, to read and to write, closed on exec; `flags` may add O_NONBLOCK.
pub fn pipe(ctx: &mut Ctx, flags: i32) -> Sys<(OwnedFd, OwnedFd)> {
    with_room(ctx, || {
        let mut fds = [0; 2];
        // SAFETY: the array takes two descriptors; both are new and ours.
        unsafe {
            match libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC | flags) {
                0 => Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1]))),
                _ => Err(errno::last()),
            }
        }
    })
}

/// A duplicate with a number of at least `least`, closed on exec.
pub fn duplicate(ctx: &mut Ctx, fd: i32, least: i32) -> Sys<OwnedFd> {
    with_room(ctx, || {
        // SAFETY: a plain call, EBADF for a number that is not open; the descriptor is new and ours.
        unsafe {
            match libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, least) {
                copy if copy >= 0 => Ok(OwnedFd::from_raw_fd(copy)),
                _ => Err(errno::last()),
            }
        }
    })
}

/// Makes the number `target` another one for the file behind `fd`. Without `inherited` it is closed on exec.
pub fn replace(fd: &impl AsRawFd, target: i32, inherited: bool) -> Sys<()> {
    // SAFETY: a plain call; what `target` was is closed, which the caller owns.
    match unsafe { libc::dup3(fd.as_raw_fd(), target, if inherited { 0 } else { libc::O_CLOEXEC }) } {
        -1 => Err(errno::last()),
        _ => Ok(()),
    }
}
