//! The handler of SIGVTALRM, the signal that ends system calls of other threads; for every Unix.

/// Gives the signal this handler without SA_RESTART, unless somebody else took the signal. Says whether it has the
/// handler now.
///
/// # Safety
/// The handler does nothing but what a handler of signals may do.
pub unsafe fn take_signal(handler: extern "C" fn(libc::c_int)) -> bool {
    // SAFETY: all zero is a value of the structure, which the system fills.
    let mut old: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: the structure is valid for the call.
    let known = unsafe { libc::sigaction(libc::SIGVTALRM, std::ptr::null(), &mut old) } == 0;
    if !known || old.sa_sigaction != libc::SIG_DFL && old.sa_sigaction != libc::SIG_IGN {
        return false;
    }
    // SAFETY: as above.
    let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
    new.sa_sigaction = handler as libc::sighandler_t;
    // SAFETY: the structure is valid for the call, and the handler is a function of the program.
    unsafe { libc::sigaction(libc::SIGVTALRM, &new, std::ptr::null_mut()) == 0 }
}
