//! Blocking regions: the stretch in which a thread works outside the lock, and
//! the predictor that tells long ones from short ones. The fast ways in and out are in `thread`, the slow
//! ones here, built from the transitions of `lock`.

use crate::core::interrupt::InterruptWord;
use crate::core::lock::VmLock;
use crate::core::stats::{Phase, Reason};
use crate::core::thread::{Entry, LockThread};
use crate::core::trace::EventKind;
use crate::core::unblock::Registered;
use crate::core::wakes::Wakes;
use crate::core::word;
use crate::sys;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};

/// A region that was guessed long and was shorter than this teaches "short".
const SHORT_NS: u64 = 2_000;
/// A region that lasted this long after its lock was stolen teaches "long". With 8 and 15 us, 2 and 4 threads with
/// regions of 3 to 7 us were no faster than one, for each theft costs the thief a look and the owner a wait; released,
/// 2 threads are 1.4 to 1.6 times as fast as one, 4 threads 1.05 to 1.2 times. Beside a thread that computes both keep
/// as much.
const LONG_NS: u64 = 3_000;
/// A thread that comes back this soon after its slice ended within a region was not really away.
const AT_ONCE_NS: u64 = 5_000;

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

/// A call site of regions, by which they are told apart: its name, and a number that it gets when it is first used.
/// What is learnt of its regions belongs to each lock.
pub struct RegionSite {
    name: &'static str,
    /// 0: none yet.
    number: AtomicU32,
}

impl RegionSite {
    pub const fn new(name: &'static str) -> Self {
        RegionSite { name, number: AtomicU32::new(0) }
    }

    /// The name given to it, for traces.
    pub fn name(&self) -> &'static str {
        self.name
    }

    #[inline(always)]
    fn number(&self) -> usize {
        match self.number.load(Relaxed) {
            0 => self.take_number(),
            number => number as usize,
        }
    }

    #[cold]
    fn take_number(&self) -> usize {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let fresh = NEXT.fetch_add(1, Relaxed).max(1);
        let taken = self.number.compare_exchange(0, fresh, Relaxed, Relaxed);
        taken.map_or_else(|before| before, |_| fresh) as usize
    }
}

/// How many sites a lock tells apart; further ones share a predictor.
const SITES: usize = 256;

/// The predictors of a lock, one for each site, which guess "short" until they learn otherwise. A lost update costs a
/// guess and nothing else.
pub(crate) struct Predictors([AtomicU8; SITES]);

impl Predictors {
    const LONG: u8 = 2;
    const MAX: u8 = 3;

    pub const fn new() -> Self {
        Predictors([const { AtomicU8::new(0) }; SITES])
    }

    #[inline(always)]
    fn of(&self, site: &RegionSite) -> &AtomicU8 {
        &self.0[site.number() % SITES]
    }

    /// Did the last regions of this site last long?
    #[inline(always)]
    pub fn predicts_long(&self, site: &RegionSite) -> bool {
        self.of(site).load(Relaxed) >= Self::LONG
    }

    fn learn_long(&self, site: &RegionSite) {
        let score = self.of(site);
        score.store((score.load(Relaxed) + 1).min(Self::MAX), Relaxed);
    }

    fn learn_short(&self, site: &RegionSite) {
        let score = self.of(site);
        score.store(score.load(Relaxed).saturating_sub(1), Relaxed);
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
    registered: Option<&'t Registered<'t>>,
    /// The native thread that left the lock must be the one that takes it back.
    not_send: PhantomData<*mut ()>,
}

impl<'t> RegionGuard<'t> {
    #[inline]
    pub(crate) fn new(thread: &'t LockThread, kind: Kind) -> Self {
        let pass = Some(thread.enter_region(kind));
        RegionGuard { thread, kind, pass, registered: None, not_send: PhantomData }
    }

    /// The same for a region that interrupts end.
    #[inline]
    pub(crate) fn registered(registered: &'t Registered<'t>, thread: &'t LockThread, kind: Kind) -> Self {
        let mut guard = RegionGuard::new(thread, kind);
        guard.registered = Some(registered);
        guard
    }

    /// Has an interrupt come that ends waits?
    pub fn interrupted(&self) -> bool {
        self.thread.pending_wake_bits() != 0
    }

    /// Takes the lock back for the length of `work`: a callback into the interpreter from inside the region. Interrupts
    /// do not end the region meanwhile; those that are still pending when `work` is over do then.
    pub fn with_lock<R>(&mut self, work: impl FnOnce() -> R) -> R {
        struct Out<'g, 't>(&'g mut RegionGuard<'t>);
        impl Drop for Out<'_, '_> {
            fn drop(&mut self) {
                self.0.pass = Some(self.0.thread.enter_region(self.0.kind));
                if let Some(registered) = self.0.registered {
                    registered.resume();
                }
            }
        }
        if let Some(registered) = self.registered {
            registered.suspend();
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

impl VmLock {
    /// Did the last regions of this site, under this lock, last long?
    pub fn predicts_long(&self, site: &RegionSite) -> bool {
        self.predictors.predicts_long(site)
    }

    /// The slow half of `enter_region`, after the word was lent: somebody waits, or every event
    /// is wanted.
    #[cold]
    pub(crate) fn lent_slow(&self, thread: &LockThread, pass: RegionPass) -> RegionPass {
        if self.word.load(SeqCst) & word::SLOW != 0 {
            return self.lent_observed(thread, pass);
        }
        let asked = thread.interrupt.bits() & InterruptWord::ASKED;
        if asked != 0 {
            self.give_while_lent(thread, &pass, asked);
        } else if !self.watched.load(SeqCst) || thread.interrupt.bits() & InterruptWord::TIMEKEEPER != 0 {
            self.ask_for_watch(thread);
        }
        pass
    }

    /// The holder was asked to give way and now lends: LENT -> MOVING -> HELD(next).
    fn give_while_lent(&self, thread: &LockThread, pass: &RegionPass, asked: u32) {
        let me = thread.slot();
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let seen = self.word.load(SeqCst);
        if word::bare(seen) == word::bare(pass.lent) && !inner.table.is_empty() && self.reserve(seen) {
            let now_ns = sys::now_ns();
            let slice_over = asked & InterruptWord::PREEMPT != 0;
            let reason = if slice_over { Reason::SliceEnd } else { Reason::Priority };
            if let Some(slot) = inner.table.get_mut(me) {
                slot.lost = Some((now_ns, reason));
            }
            self.hand_over(&mut inner, me, reason, now_ns, &mut wakes);
        }
        drop(inner);
        wakes.send();
    }

    /// Nobody watches the word: wakes somebody who will (I4). With TIMEKEEPER the waiters sleep since before `watched`
    /// was looked at last: what it says is of a timekeeper that has gone.
    fn ask_for_watch(&self, thread: &LockThread) {
        let deferred = thread.interrupt.bits() & InterruptWord::TIMEKEEPER != 0;
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let watched = !inner.table.is_empty() && self.watched.swap(true, SeqCst);
        if !inner.table.is_empty() && (!watched || deferred) && !inner.table.anyone_awake() {
            self.wake_timekeeper(&mut inner, &mut wakes);
        }
        drop(inner);
        wakes.send();
    }

    /// With a trace the region is told of; under a schedule it keeps the lock.
    fn lent_observed(&self, thread: &LockThread, pass: RegionPass) -> RegionPass {
        let me = thread.slot();
        let inner = sys::lock(&self.inner);
        inner.emit(sys::now_ns(), me, EventKind::Enter { site: pass.site.map(RegionSite::name) });
        // The fast way back does not match a word without its flags.
        let lent = word::bare(pass.lent);
        let controlled = inner.schedule.is_some();
        drop(inner);
        let asked = thread.interrupt.bits() & InterruptWord::ASKED;
        if asked != 0 && !controlled {
            self.give_while_lent(thread, &pass, asked);
        } else if !self.watched.load(SeqCst) || thread.interrupt.bits() & InterruptWord::TIMEKEEPER != 0 {
            self.ask_for_watch(thread);
        }
        RegionPass { lent, ..pass }
    }

    /// Enters a region that its site guesses long.
    #[cold]
    pub(crate) fn enter_predicted(&self, thread: &LockThread, site: &'static RegionSite) -> RegionPass {
        if self.is_controlled() {
            // The guess was learnt from time, which plays no part.
            let lent = self.word.fetch_add(word::LEND, SeqCst).wrapping_add(word::LEND);
            return self.lent_slow(thread, RegionPass { lent, entered_ns: 0, site: Some(site) });
        }
        let waited_for = self.waited_for();
        thread.counters.begin_now(Phase::Outside);
        thread.release_for(Reason::Region);
        // After the release: waking the next thread takes time of its own.
        let entered_ns = if waited_for { sys::stamp_ns() } else { 0 };
        RegionPass { lent: 0, entered_ns, site: Some(site) }
    }

    /// The slow half of `leave_region`: the lock was released or stolen, or a waiter came.
    #[cold]
    pub(crate) fn leave_region_slow(&self, thread: &LockThread, pass: RegionPass) {
        if pass.lent == 0 {
            let was_short = || sys::stamp_ns().saturating_sub(pass.entered_ns) < SHORT_NS;
            if let Some(site) = pass.site.filter(|_| pass.entered_ns != 0 && was_short()) {
                self.predictors.learn_short(site);
            }
            self.back_from_region(thread);
            if pass.site.is_some() && self.spin_for_free(thread) {
                return;
            }
            return thread.acquire_as(Entry::Priority);
        }
        let mut seen = self.word.load(Relaxed);
        while word::bare(seen) == word::bare(pass.lent) {
            match self.word.compare_exchange(seen, seen - word::UNLEND, SeqCst, Relaxed) {
                Ok(_) => return self.retaken(thread, seen),
                Err(changed) => seen = changed,
            }
        }
        self.acquire_stolen(thread, &pass);
    }

    fn retaken(&self, thread: &LockThread, seen: u64) {
        if seen & word::SLOW != 0 {
            sys::lock(&self.inner).emit(sys::now_ns(), thread.slot(), EventKind::Leave);
        }
    }

    /// The lent lock was given to another. Whoever lost it to the end of the slice and comes back at
    /// once has had its turn: it queues like anybody else. A region that really lasts overlaps with
    /// the other's work if its thread comes back with priority.
    fn acquire_stolen(&self, thread: &LockThread, pass: &RegionPass) {
        let lost = sys::lock(&self.inner).table.get_mut(thread.slot()).and_then(|slot| slot.lost.take());
        let (lost_ns, reason) = lost.unwrap_or((u64::MAX, Reason::Steal));
        let lasted_ns = sys::now_ns().saturating_sub(lost_ns);
        let had_its_turn = reason == Reason::SliceEnd && lasted_ns < AT_ONCE_NS;
        let was_long = thread.proved_long.swap(false, Relaxed) || lasted_ns > LONG_NS;
        if let Some(site) = pass.site.filter(|_| was_long) {
            self.predictors.learn_long(site);
        }
        thread.acquire_as(if had_its_turn { Entry::Normal } else { Entry::Priority });
        self.goes_on_computing(thread);
    }
}
