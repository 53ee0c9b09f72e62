//! Any Unix, with what POSIX has: enough for the plain policy, which asks nothing of the kernel's scheduler. A port
//! that wants more of the policy starts from a copy of this file; what each item must promise stands in `sys`.

use super::handler::take_signal;
use super::{NativeThread, Park};
use crate::policy::Slices;
use std::sync::{Condvar, Mutex, Once, OnceLock};
use std::time::{Duration, Instant};

/// The time since the first question, plus one so that it is never zero.
pub fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    super::duration_ns(START.get_or_init(Instant::now).elapsed()).saturating_add(1)
}

/// Not told.
pub fn thread_cpu_ns() -> u64 {
    0
}

/// Not told.
pub fn thread_usage() -> (u64, u64) {
    (0, 0)
}

/// Nobody has looked.
pub fn counter_is_steady() -> bool {
    false
}

pub fn yield_cpu() {
    std::thread::yield_now();
}

/// There are none to choose from.
pub fn use_slices(_: Slices) {}

/// Threads are not bound.
pub struct Binding;

impl Binding {
    pub fn new(_: &Native, _: u32) -> Option<Binding> {
        None
    }

    pub fn undo(self) {}
}

/// A token behind a mutex.
#[derive(Default)]
pub struct Parker {
    token: Mutex<bool>,
    arrived: Condvar,
}

impl Park for Parker {
    fn park(&self, deadline_ns: Option<u64>) {
        let token = super::lock(&self.token);
        let mut token = match deadline_ns.map(|at_ns| Duration::from_nanos(at_ns.saturating_sub(now_ns()))) {
            None => {
                let woken = self.arrived.wait_while(token, |token| !*token);
                woken.unwrap_or_else(|poisoned| poisoned.into_inner())
            }
            Some(left) => {
                let woken = self.arrived.wait_timeout_while(token, left, |token| !*token);
                woken.unwrap_or_else(|poisoned| poisoned.into_inner()).0
            }
        };
        *token = false;
    }

    fn unpark(&self) {
        *super::lock(&self.token) = true;
        self.arrived.notify_one();
    }
}

/// A native thread: its handle for signals.
#[derive(Clone, Copy)]
pub struct Native(libc::pthread_t);

// SAFETY: the handle only names a thread, which lives whenever it is used (the contract of `NativeThread`).
unsafe impl Send for Native {}
// SAFETY: it is never changed.
unsafe impl Sync for Native {}

impl NativeThread for Native {
    fn current() -> Self {
        // SAFETY: always succeeds for the calling thread.
        Native(unsafe { libc::pthread_self() })
    }

    fn is_current(&self) -> bool {
        // SAFETY: two handles of threads that live; asking changes nothing.
        unsafe { libc::pthread_equal(self.0, libc::pthread_self()) != 0 }
    }

    fn shares_processor(&self) -> bool {
        false
    }

    fn processor(&self) -> Option<u32> {
        None
    }

    fn signal(&self) {
        install_handler();
        // SAFETY: the thread lives, so its handle is valid; the signal has a handler by now.
        unsafe { libc::pthread_kill(self.0, libc::SIGVTALRM) };
    }

    fn set_name(&self, _name: &str) {
        // POSIX has no names of threads.
    }
}

/// poll(2). A signal that comes between `stop` and the system call is lost to it, so that signals must be repeated
/// (`signal_ends_poll`). Returns the number of ready entries, or errno.
pub fn poll(fds: &mut [libc::pollfd], deadline_ns: Option<u64>, stop: impl FnOnce() -> bool) -> Result<usize, i32> {
    install_handler();
    if stop() {
        return Err(libc::EINTR);
    }
    // Rounded up: it would end early otherwise.
    let left_ms = |at_ns: u64| at_ns.saturating_sub(now_ns()).div_ceil(1_000_000).min(i32::MAX as u64) as i32;
    // SAFETY: the slice is valid for its length.
    let n = unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, deadline_ns.map_or(-1, left_ms)) };
    usize::try_from(n).map_err(|_| std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINTR))
}

/// They are repeated.
pub fn signal_ends_poll() -> bool {
    false
}

/// A handler that does nothing: the arrival of the signal ends a system call.
extern "C" fn arrived(_: libc::c_int) {}

/// Takes the signal, once.
fn install_handler() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler does nothing.
        unsafe { take_signal(arrived) };
    });
}
