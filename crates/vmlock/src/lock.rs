//! `VmLock`: the state machine.

use crate::config::Config;
use crate::park::ParkResult;
use crate::region::{RegionPass, RegionSite};
use crate::schedule::Schedule;
use crate::stats::Reason;
use crate::sys::AtomicU64;
use crate::thread::{Entry, LockThread};
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// How many threads do what. A deadlock, for instance, is `parked_forever` equal to `attached`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Threads bound and not yet detached.
    pub attached: usize,
    /// Of them: queued for the lock.
    pub queued: usize,
    /// Of them: in `park`.
    pub parked: usize,
    /// Of those in `park`: without a deadline.
    pub parked_forever: usize,
}

/// The lock of one virtual machine.
pub struct VmLock {
    pub(crate) word: AtomicU64,
}

impl VmLock {
    /// A free lock.
    pub fn new(_config: Config) -> Arc<VmLock> {
        todo!()
    }

    /// A thread for the calling native thread: `prepare` and `bind` in one.
    pub fn attach(self: &Arc<Self>, name: &str) -> Arc<LockThread> {
        let thread = self.prepare(name);
        thread.bind();
        thread
    }

    /// A thread that a native thread will `bind` later. It can be interrupted already.
    pub fn prepare(self: &Arc<Self>, name: &str) -> Arc<LockThread> {
        Arc::new(LockThread::new(Arc::clone(self), name))
    }

    /// The slice of all threads that have none of their own, from the next grant on.
    pub fn set_slice(&self, _slice: Duration) {
        todo!()
    }

    /// How long a waiter may spin; zero switches spinning off.
    pub fn set_spin(&self, _spin: Duration) {
        todo!()
    }

    /// Installs or removes the trace hook.
    pub fn set_trace(&self, _trace: Option<Arc<dyn Trace>>) {
        todo!()
    }

    /// Installs or removes schedule control. To be done while one thread at most is attached.
    pub fn set_schedule(&self, _schedule: Option<Arc<dyn Schedule>>) {
        todo!()
    }

    /// The attached threads, oldest first.
    pub fn threads(&self) -> Vec<Arc<LockThread>> {
        todo!()
    }

    /// Counts the attached threads by what they do.
    pub fn census(&self) -> Census {
        todo!()
    }

    /// Runs `fork` (a call of fork(2)) with the lock's inside at rest, so that the child
    /// finds it whole. The caller holds the lock; in the child it calls `reset_after_fork` next.
    pub fn around_fork<R>(&self, _fork: impl FnOnce() -> R) -> R {
        todo!()
    }

    /// In the child of a fork: only `survivor` exists, and holds the lock.
    pub fn reset_after_fork(&self, _survivor: &LockThread) {
        todo!()
    }

    pub(crate) fn bind(&self, _thread: &Arc<LockThread>) {
        todo!()
    }

    pub(crate) fn detach(&self, _thread: &LockThread) {
        todo!()
    }

    pub(crate) fn acquire_slow(&self, _thread: &LockThread, _entry: Entry) {
        todo!()
    }

    pub(crate) fn release_slow(&self, _thread: &LockThread, _reason: Reason) {
        todo!()
    }

    pub(crate) fn give_way(&self, _thread: &LockThread) {
        todo!()
    }

    pub(crate) fn yield_slow(&self, _thread: &LockThread) {
        todo!()
    }

    pub(crate) fn lent_slow(&self, _thread: &LockThread, _pass: RegionPass) -> RegionPass {
        todo!()
    }

    pub(crate) fn enter_predicted(&self, _thread: &LockThread, _site: &'static RegionSite) -> RegionPass {
        todo!()
    }

    pub(crate) fn retake_slow(&self, _thread: &LockThread, _pass: RegionPass) {
        todo!()
    }

    pub(crate) fn learn_from_predicted(&self, _pass: &RegionPass) {
        todo!()
    }

    pub(crate) fn park(&self, _thread: &LockThread, _deadline_ns: Option<u64>) -> ParkResult {
        todo!()
    }

    pub(crate) fn unpark(&self, _thread: &LockThread, _entry: Entry) {
        todo!()
    }

    pub(crate) fn end_wait(&self, _thread: &LockThread) {
        todo!()
    }
}
