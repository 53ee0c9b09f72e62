//! Threads that are awake when their turn comes. The kernel takes 10 to 30 us to wake a thread on an idle processor.
//! Where a thread needs the lock for a microsecond only and then waits again, nearly all the time goes into waking.
//! Two mechanisms help. Both are used only while the last turns and parks were short:
//!
//! - *Spinning first*: a thread that parks, or that gives its turn to the only other one, spins a little before it
//!   sleeps. Two threads that wake each other in turn then never sleep.
//! - *Waking ahead*: when the lock is given to one waiter, the waiter behind that one is woken as well. It is awake
//!   when its turn comes, and on the processor of its predecessor; a thread that is woken for its turn is most often
//!   put on the idle processor.
//!
//! On two processors, per turn: two threads that signal each other 31 -> 1 us, 100 threads that take turns on a
//! condition variable 19 -> 5 us; a thread created and joined 60 -> 10 us.
//!
//! Both need a processor that nobody else wants. When a spinner is off its processor for long, or a turn begins late
//! though its thread was woken, others want it: then neither is done for a while (`crowding`). Without that rule the
//! 100 threads above took 11 s instead of 3 beside two processes that compute.
//!
//! Rejected: waking ahead where turns end in regions. The threads in the regions need the processors themselves, and an
//! echo server lost 10 % of its requests.

use super::crowding::{Crowding, Limits};
use super::mechanism::Mechanism;
use crate::core::lock::{Inner, VmLock};
use crate::core::stats::Reason;
use crate::core::thread::{Entry, LockThread};
use crate::core::wakes::Wakes;
use crate::sys;
use std::sync::atomic::Ordering::Relaxed;

/// A turn or park of at most this length is short. It includes the time that waking the thread takes.
const SHORT_NS: u64 = 100_000;
/// How long such a thread spins before it sleeps: about what it costs to sleep and be woken on an idle processor. To
/// spin for that long costs at most twice as much as the better choice each time (Karlin et al., 1991).
pub(super) const SPIN_NS: u64 = 50_000;
/// What holds a thread up for so long is another one on its processor.
pub(super) const HELD_UP_NS: u64 = 500_000;
/// For how long the processors count as crowded; `FREE_TURNS` short turns in a row end that.
const CROWDED: Limits = Limits { first: 5_000_000, most: 160_000_000, free_after: u32::MAX };
/// Short turns in a row that show free processors.
const FREE_TURNS: u32 = 512;

/// What the last turns were like. Under the internal mutex.
#[derive(Default)]
pub(crate) struct RecentTurns {
    /// Short turns in a row, after which the thread did not go on in a region.
    short: u32,
    crowding: Crowding,
}

impl RecentTurns {
    /// A turn has ended.
    pub fn note(&mut self, reason: Reason, held_ns: u64) {
        let short = held_ns <= SHORT_NS && matches!(reason, Reason::Park | Reason::Yield | Reason::Release);
        self.short = if short { self.short.saturating_add(1) } else { 0 };
        if self.short == FREE_TURNS {
            self.crowding.relax();
        }
    }
}

impl VmLock {
    /// Will a thread that parks now spin before it sleeps?
    pub(crate) fn parks_awake(&self, inner: &Inner, thread: &LockThread, now_ns: u64) -> bool {
        let short = thread.policy.short_parks.points() >= self.policy.spin_parked_after;
        short && self.policy.on(Mechanism::SpinParked) && self.may_be_ahead(inner, now_ns)
    }

    /// Will a thread that has just given its turn away, and queued, spin before it sleeps? It is to come next.
    pub(crate) fn yields_awake(&self, inner: &Inner, now_ns: u64) -> bool {
        let next = inner.table.len(Entry::Priority) + inner.table.len(Entry::Normal) == 1;
        let short = inner.recent_turns.short >= self.policy.ahead_after;
        next && short && self.policy.on(Mechanism::SpinYielded) && self.may_be_ahead(inner, now_ns)
    }

    /// Is there a processor for a thread that spins, and is it to spin at all?
    fn may_be_ahead(&self, inner: &Inner, now_ns: u64) -> bool {
        let free = !inner.recent_turns.crowding.lasts(now_ns);
        free && inner.schedule.is_none() && self.policy.spin_ns.load(Relaxed) != 0
    }

    /// Wakes the first waiter of the queue, which spins until its turn comes. The lock has just been granted to
    /// another.
    pub(crate) fn wake_ahead(&self, inner: &mut Inner, now_ns: u64, wakes: &mut Wakes) {
        let short = inner.recent_turns.short >= self.policy.ahead_after && self.may_be_ahead(inner, now_ns);
        let alone = wakes.timekeeper.is_none() && !inner.table.anyone_awake();
        if !short || !alone || !self.policy.on(Mechanism::WakeAhead) || sys::has_one_processor() {
            return;
        }
        let Some(id) = inner.table.first() else { return };
        inner.make_look(id, wakes);
        if let Some(thread) = &wakes.timekeeper {
            thread.comes_soon.store(true, Relaxed);
        }
    }

    /// A thread that slept has the lock: did its turn begin in time?
    pub(crate) fn note_begin(&self, thread: &LockThread, now_ns: u64) {
        if thread.counters.phase_lasted_ns(now_ns) > HELD_UP_NS {
            self.note_crowded(now_ns);
        }
    }

    /// Remembers how long a park lasted.
    pub(crate) fn note_park(&self, thread: &LockThread, lasted_ns: u64) {
        thread.policy.short_parks.note(lasted_ns <= SHORT_NS);
    }

    /// Others want the processors.
    pub(super) fn note_crowded(&self, now_ns: u64) {
        sys::lock(&self.inner).recent_turns.crowding.seen(now_ns, CROWDED);
    }
}
