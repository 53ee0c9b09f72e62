//! The simulated operating system below the lock, for the tests `model` and `loom`: a clock that only moves when it is
//! slept on (or read), and parkers made of a model's mutex. What differs between the two is in the `framework` of each.

use crate::core::thread::LockThread;
use crate::framework::{self, READING_NS};
use crate::policy::Slices;
use std::cell::Cell;
use std::sync::Weak;
use std::time::{Duration, Instant};

pub use crate::framework::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Mutex, MutexGuard};

/// Deadlines this far away never come: who relies on one is stranded.
const FAR_NS: u64 = 1_000_000_000;

thread_local! {
    static CLOCK: Cell<u64> = const { Cell::new(0) };
}

/// A model begins.
pub fn reset() {
    CLOCK.set(1_000_000_000);
}

pub fn now_ns() -> u64 {
    CLOCK.set(CLOCK.get() + READING_NS);
    CLOCK.get()
}

pub fn stamp_ns() -> u64 {
    now_ns()
}

pub fn use_slices(_: Slices) {}

pub fn thread_cpu_ns() -> u64 {
    CLOCK.get()
}

pub fn thread_usage() -> (u64, u64) {
    (0, 0)
}

pub struct Binding;

impl Binding {
    pub fn new(_: &Native, _: u32) -> Option<Binding> {
        framework::may_bind().then_some(Binding)
    }

    pub fn undo(self) {}
}

pub fn has_one_processor() -> bool {
    false
}

pub fn yield_cpu() {
    framework::thread::yield_now();
}

pub fn spin_hint() {
    framework::thread::yield_now();
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

pub fn duration_ns(duration: Duration) -> u64 {
    duration.as_nanos() as u64
}

/// Likewise, on the schedule's clock.
pub fn since_ns(_: Instant, _: Instant) -> u64 {
    now_ns().saturating_sub(1_000_000_000) + 50_000
}

/// Every deadline of a model is near; real time must not enter it.
pub fn instant_ns(_: Instant) -> u64 {
    now_ns() + 50_000
}

pub trait Park {
    fn park(&self, deadline_ns: Option<u64>);
    fn unpark(&self);
}

pub struct Parker {
    token: Mutex<bool>,
    arrived: framework::Condvar,
}

impl Default for Parker {
    fn default() -> Self {
        Parker { token: Mutex::new(false), arrived: framework::Condvar::new() }
    }
}

impl Park for Parker {
    fn park(&self, deadline_ns: Option<u64>) {
        let Some(deadline_ns) = deadline_ns.filter(|at| at.saturating_sub(CLOCK.get()) < FAR_NS) else {
            let mut token = self.token.lock().unwrap();
            while !*token {
                token = self.arrived.wait(token).unwrap();
            }
            *token = false;
            return;
        };
        for _ in 0..framework::looks() {
            framework::thread::yield_now();
            if std::mem::take(&mut *self.token.lock().unwrap()) {
                return;
            }
        }
        CLOCK.set(CLOCK.get().max(deadline_ns));
    }

    fn unpark(&self) {
        *self.token.lock().unwrap() = true;
        self.arrived.notify_one();
    }
}

pub trait NativeThread: Sized {
    fn current() -> Self;
    fn is_current(&self) -> bool;
    fn shares_processor(&self) -> bool;
    fn processor(&self) -> Option<u32>;
    fn signal(&self);
    fn set_name(&self, name: &str);
}

#[derive(Clone, Copy)]
pub struct Native(framework::thread::ThreadId);

impl NativeThread for Native {
    fn current() -> Self {
        Native(framework::thread::current().id())
    }

    fn is_current(&self) -> bool {
        self.0 == framework::thread::current().id()
    }

    fn shares_processor(&self) -> bool {
        framework::shares_processor()
    }

    fn processor(&self) -> Option<u32> {
        framework::processor()
    }

    fn signal(&self) {}

    fn set_name(&self, _name: &str) {}
}

pub fn spawn(_: &str, work: impl FnOnce() + Send + 'static) -> bool {
    framework::thread::spawn(work);
    true
}

pub fn sleep(_: Duration) {
    framework::thread::yield_now();
}

pub fn at_thread_exit(_: Weak<LockThread>) {}

/// Nothing polls here.
pub fn signal_ends_poll() -> bool {
    false
}
