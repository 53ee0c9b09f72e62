//! The operating system below the lock: the traits that a port implements, and the primitives that the rest of the
//! crate uses. The model tests put their own module in this one's place.
//!
//! # A port
//! is one file beside this one. `linux` has all that the policy can use; `unix` has what POSIX has, for the plain
//! policy (`Mechanisms::PLAIN`, the default there), and is what a new port starts from.
//! `--features portable` builds `unix` on Linux as well. What the file must promise:
//!
//! | item | promise | may it do less? |
//! |---|---|---|
//! | `now_ns` | nanoseconds of a clock that never goes back, the same for all threads, not zero | no |
//! | `Parker` | `Park`: one token ends the sleep, also if left before it; an acquire of its release | may wake early |
//! | `Native::current`, `is_current` | names the calling native thread; `Copy`, `Send` and `Sync` | no |
//! | `Native::signal` | a system call in which that thread waits, or soon will if it is repeated, returns EINTR | no |
//! | `poll` | poll(2) that such a signal ends; `stop` is asked once, before it waits | no |
//! | `signal_ends_poll` | one signal ends every `poll`, however early it comes | may say no: they are repeated |
//! | `yield_cpu` | lets another thread of this processor run first, if one wants to | may do nothing |
//! | `Native::processor`, `shares_processor` | where a living thread runs or was last seen | may say no |
//! | `Binding::new`, `undo` | a living thread runs there only, and then where it might before | may say no |
//! | `use_slices` | shorter or longer slices of the kernel for the calling thread | may do nothing |
//! | `thread_cpu_ns`, `thread_usage` | processor time of the calling thread, and how often it slept | may say zero |
//! | `counter_is_steady` | the processor's counter goes on evenly, and alike on all processors | may say no |

#[cfg(not(unix))]
compile_error!("vmlock has no port for this system yet: it is one file beside sys/unix.rs");

#[cfg(all(target_os = "linux", not(feature = "portable")))]
mod linux;
#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as os;
#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
mod unix;
#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
use unix as os;

mod clock;
mod handler;

pub use os::Parker;
pub use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64};
pub use std::sync::{Mutex, MutexGuard};

pub(crate) use clock::stamp_ns;
pub(crate) use os::{
    Binding, Native, now_ns, poll, signal_ends_poll, thread_cpu_ns, thread_usage, use_slices, yield_cpu,
};

use crate::core::thread::LockThread;
use std::cell::RefCell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{OnceLock, Weak};
use std::time::{Duration, Instant};

/// What a port's `Parker` offers: a thread sleeps until a token arrives.
pub trait Park: Default + Send + Sync {
    /// Sleeps until there is a token or the deadline (`now_ns` units) passes, and takes the
    /// token. May return early.
    fn park(&self, deadline_ns: Option<u64>);
    /// Leaves a token, and wakes the thread that sleeps.
    fn unpark(&self);
}

impl Parker {
    /// Sleeps until a token arrives, at most `timeout`; for work in a region that `Unblock::Park`
    /// ends. May return early.
    pub fn wait(&self, timeout: Option<Duration>) {
        self.park(timeout.map(|timeout| now_ns().saturating_add(duration_ns(timeout))));
    }

    /// Leaves a token, and wakes the thread that waits.
    pub fn wake(&self) {
        self.unpark();
    }
}

/// What a port's `Native` offers: the native thread behind a `LockThread`.
pub trait NativeThread: Sized {
    /// The calling thread. Makes its timers exact where the system coarsens them.
    fn current() -> Self;
    /// Is it the calling thread?
    fn is_current(&self) -> bool;
    /// Does it run on, or was it last seen on, the caller's processor? Only called while the
    /// thread lives. False where the system does not tell.
    fn shares_processor(&self) -> bool;
    /// Where it runs or was last seen, likewise.
    fn processor(&self) -> Option<u32>;
    /// Makes a system call in which it waits return early. Only called while it lives.
    fn signal(&self);
    /// Names it for the system's tools, as far as they have room. Only called while it lives.
    fn set_name(&self, name: &str);
}

/// Locks whether or not a holder panicked: no invariant is broken half-way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Saturates at 584 years.
pub(crate) fn duration_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// An `Instant` on the scale of `now_ns`.
pub(crate) fn instant_ns(at: Instant) -> u64 {
    now_ns().saturating_add(duration_ns(at.saturating_duration_since(Instant::now())))
}

/// Nanoseconds from `base` to `at`.
pub(crate) fn since_ns(at: Instant, base: Instant) -> u64 {
    duration_ns(at.saturating_duration_since(base))
}

/// Has the process one processor, by its affinity or its share? Asked the system once, which takes some file reads.
pub(crate) fn has_one_processor() -> bool {
    static ONE: OnceLock<bool> = OnceLock::new();
    *ONE.get_or_init(|| std::thread::available_parallelism().is_ok_and(|count| count.get() == 1))
}

/// The pause of a spinning loop.
#[inline(always)]
pub(crate) fn spin_hint() {
    std::hint::spin_loop();
}

/// Bytes of stack of such a thread.
const HELPER_BYTES: usize = 256 << 10;

/// A native thread that helps the lock; false when the system has none left.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    crate::spawn::spawn_native(name, HELPER_BYTES, work)
}

pub(crate) fn sleep(duration: Duration) {
    std::thread::sleep(duration);
}

/// The `LockThread`s bound to one native thread. They are detached when it ends, for their
/// slots hold pointers into it.
#[derive(Default)]
struct Bound {
    /// Most are bound to one: that costs no memory of its own.
    last: Option<Weak<LockThread>>,
    others: Vec<Weak<LockThread>>,
}

struct BoundHere(RefCell<Bound>);

impl Drop for BoundHere {
    fn drop(&mut self) {
        let Bound { last, others } = self.0.take();
        others.into_iter().chain(last).filter_map(|bound| bound.upgrade()).for_each(|thread| thread.detach());
    }
}

thread_local! {
    static BOUND: BoundHere = const { BoundHere(RefCell::new(Bound { last: None, others: Vec::new() })) };
}

/// Sets bits of the interrupt word of the thread that the calling native thread was bound to last, if it was; for
/// callers that know none, as an allocator. It allocates nothing and takes no lock.
pub fn interrupt_here(bits: u32) {
    let bound = BOUND.try_with(|all| all.0.try_borrow().ok()?.last.as_ref()?.upgrade());
    if let Ok(Some(thread)) = bound {
        thread.interrupt.set(bits);
    }
}

/// Detaches the thread when the calling native thread ends, if nobody did before.
pub(crate) fn at_thread_exit(bound: Weak<LockThread>) {
    // While the thread's locals are being destroyed there is nowhere to note it.
    let _ = BOUND.try_with(|all| {
        let mut all = all.0.borrow_mut();
        let Bound { last, others } = &mut *all;
        // A native thread that serves many in turn is bound to one at a time.
        let lives = |thread: &Weak<LockThread>| thread.upgrade().is_some_and(|thread| !thread.detached.load(Relaxed));
        others.retain(lives);
        others.extend(last.replace(bound).filter(lives));
    });
}
