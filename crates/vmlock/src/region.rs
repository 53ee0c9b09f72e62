//! Blocking regions: the stretch in which a thread works outside the lock, and
//! the predictor that tells long ones from short ones. The transitions
//! themselves are in `lock` and `thread`.

use crate::thread::LockThread;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What is known of a region before it begins.
#[derive(Clone, Copy)]
pub enum Kind {
    /// It is about to wait in the kernel, or is surely long: the lock is released and
    /// handed over at once.
    Long,
    /// Perhaps microseconds: the lock is lent, and taken away only if the region lasts.
    /// The site remembers which.
    Short(&'static RegionSite),
}

/// The predictor of one call site. Shared by all threads and locks; a lost update
/// costs a guess and nothing else.
pub struct RegionSite {
    name: &'static str,
    score: AtomicU32,
}

impl RegionSite {
    const LONG: u32 = 2;
    const MAX: u32 = 3;

    /// A site that guesses "short" until it learns otherwise.
    pub const fn new(name: &'static str) -> Self {
        RegionSite { name, score: AtomicU32::new(0) }
    }

    /// The name given to it, for traces.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Did the last regions of this site last long?
    #[inline(always)]
    pub fn predicts_long(&self) -> bool {
        self.score.load(Relaxed) >= Self::LONG
    }

    pub(crate) fn learn_long(&self) {
        let score = self.score.load(Relaxed);
        self.score.store((score + 1).min(Self::MAX), Relaxed);
    }

    pub(crate) fn learn_short(&self) {
        let score = self.score.load(Relaxed);
        self.score.store(score.saturating_sub(1), Relaxed);
    }
}

/// What `LockThread::enter_region` returns and `leave_region` needs.
#[must_use = "the lock is taken back by leave_region"]
pub struct RegionPass {
    /// The word as it was lent; zero when the lock was released.
    pub(crate) lent: u64,
    /// When a region that was guessed long began; zero when it was not timed.
    pub(crate) entered_ns: u64,
    pub(crate) site: Option<&'static RegionSite>,
}

/// Takes the lock back when dropped, also while a panic unwinds.
pub struct RegionGuard<'t> {
    thread: &'t LockThread,
    kind: Kind,
    pass: Option<RegionPass>,
    /// The native thread that left the lock must be the one that takes it back.
    not_send: PhantomData<*mut ()>,
}

impl<'t> RegionGuard<'t> {
    #[inline]
    pub(crate) fn new(thread: &'t LockThread, kind: Kind) -> Self {
        let pass = Some(thread.enter_region(kind));
        RegionGuard { thread, kind, pass, not_send: PhantomData }
    }

    /// Takes the lock back for the length of `work`: a callback into the interpreter
    /// from inside the region.
    pub fn with_lock<R>(&mut self, work: impl FnOnce() -> R) -> R {
        struct Out<'g, 't>(&'g mut RegionGuard<'t>);
        impl Drop for Out<'_, '_> {
            fn drop(&mut self) {
                self.0.pass = Some(self.0.thread.enter_region(self.0.kind));
            }
        }
        if let Some(pass) = self.pass.take() {
            self.thread.leave_region(pass);
        }
        let _out = Out(self);
        work()
    }
}

impl Drop for RegionGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(pass) = self.pass.take() {
            self.thread.leave_region(pass);
        }
    }
}
