//! How a turn begins, and who may take it over from a thread that is slow to begin it.
//!
//! The lock is handed to a thread (GIVEN); its turn begins when that thread notices it. A thread that sleeps notices it
//! late: the kernel may let other threads of the process run first, which soon come back for the lock themselves. The
//! lock then stands idle while more and more threads queue for it, each of which sleeps in its turn. Three rules help:
//!
//! - A running thread that comes back with priority *takes the turn over* (`take_over`); the sleeper is the next one.
//! - Where more threads want to run than there are processors, the sleeper may be woken and yet not run for
//!   milliseconds. So the first few priority waiters sleep for short times only, and take over a turn that has not
//!   begun in time (`take_over_late`).
//! - A sleeper that was overtaken and still does not run waits for a processor that others use. After a while the turns
//!   go to the next in line, which the kernel may wake on an idle processor.
//!
//! Four threads that inflate 100 KB of random bytes (6 us) on two processors: these stood idle for 20 % of the time
//! without the rules, and for 2 % with them.
//!
//! The bit GIVEN of the word decides who begins the turn: either the sleeper clears it, or the other thread replaces it
//! together with the owner. The sleeper is being woken already, and looks at the lock when it is awake (I3).
//!
//! Rejected: to wake a thread without giving it the lock, for whoever computes would take the lock back each time; to
//! lend the lock, where every processor has native work, to whoever returns first and to let sleepers sleep on, as
//! Malthusian locks do (Dice, 2017): inflating 100 KB with 4 threads on two processors has 0.05 context switches per
//! string as it is, 0.1 with that.

use crate::core::lock::{Inner, SLICE_LEFT_MIN_NS, VmLock};
use crate::core::queue::{Place, Sleep};
use crate::core::stats::{Phase, Reason};
use crate::core::thread::{Entry, LockThread, ThreadId};
use crate::core::trace::EventKind;
use crate::core::wakes::Wakes;
use crate::core::word;
use crate::policy::Turn;
use crate::sys;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

/// A thread that took a turn over keeps it for at least this long before the sleeper may ask for it.
const TAKEN_OVER_NS: u64 = 50_000;
/// A turn that has not begun after this is late.
pub(crate) const LATE_NS: u64 = 100_000;
/// A thread that has been overtaken for this long gets a turn that is not taken over at once: threads that come back
/// from short waits all the time are always faster than one that has to wake up. (Rails on Puma with 16 threads: single
/// waits of 200 ms before.)
pub(crate) const PATIENCE_NS: u64 = 2_000_000;
/// How long such a thread has to begin its turn.
pub(crate) const CHANCE_NS: u64 = 200_000;
/// How long a waiter that looks for late turns sleeps between two looks.
pub(crate) const LATE_LOOK_NS: u64 = 200_000;
/// A turn that begins later than this has waited for a processor that other processes use.
const CROWDED_NS: u64 = 1_000_000;
/// At most this many waiters look for late turns.
const LATE_LOOKERS_MAX: usize = 4;

impl VmLock {
    /// Has the lock been handed to this thread? Then its turn begins.
    pub(crate) fn is_granted(&self, thread: &LockThread) -> bool {
        thread.granted.load(Acquire) && self.begin_given(thread)
    }

    /// HELD(thread), GIVEN -> HELD(thread). False: the turn was taken over.
    fn begin_given(&self, thread: &LockThread) -> bool {
        let me = thread.slot();
        let mut seen = self.word.load(Relaxed);
        loop {
            if word::state(seen) != word::HELD || word::owner(seen) != me {
                return false;
            }
            if seen & word::GIVEN == 0 {
                return true;
            }
            match self.word.compare_exchange(seen, seen & !word::GIVEN, AcqRel, Relaxed) {
                Ok(_) => return true,
                Err(changed) => seen = changed,
            }
        }
    }

    /// After a wait: where the processors are so crowded that the turn has begun late, its slice begins now, for until
    /// now nobody has used the lock. Nobody goes before the holder for as long as it was late: else it would lose
    /// at its first safepoint what took so long to come, and the lock would hardly be used (eight processes that
    /// compute on two processors, and 300 threads that wake up once a second, kept a thread that starts others from
    /// running for 98 % of the time).
    pub(crate) fn began(&self, thread: &LockThread) {
        let now_ns = sys::now_ns();
        if now_ns.saturating_sub(thread.granted_ns.load(Relaxed)) >= CROWDED_NS {
            self.began_late(thread, now_ns);
        }
    }

    #[cold]
    fn began_late(&self, thread: &LockThread, now_ns: u64) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let seen = self.word.load(SeqCst);
        let runs = word::state(seen) == word::HELD && word::owner(seen) == thread.slot();
        if runs && inner.turn.asleep && inner.schedule.is_none() {
            inner.turn.begins_late(now_ns, CROWDED_NS);
            thread.interrupt.clear_lock_bits();
            self.ensure_timekeeper(&mut inner, now_ns, &mut wakes);
        }
        drop(inner);
        wakes.send();
    }

    /// HELD(sleeper), GIVEN -> HELD(thread), and queues the sleeper at the head. False: there is nothing to take over.
    pub(crate) fn take_over(&self, inner: &mut Inner, thread: &LockThread, entry: Entry, now_ns: u64) -> bool {
        let me = thread.slot();
        let seen = self.word.load(SeqCst);
        let given = entry == Entry::Priority && word::is_given(seen) && inner.schedule.is_none();
        if !given || !self.policy.may_take_over() {
            return false;
        }
        let owner = word::owner(seen);
        let allowed = inner.fairness.admit(&inner.table, me, entry, now_ns) == Entry::Priority
            && inner.fairness.may_take_over(&inner.turn, owner, &inner.table, me, now_ns);
        let has_chance = || now_ns.saturating_sub(inner.turn.since_ns) < CHANCE_NS;
        let sleeper = inner.table.get(owner).filter(|slot| allowed && !(slot.was_patient(now_ns) && has_chance()));
        let Some(sleeper) = sleeper.map(|slot| Arc::clone(&slot.thread)) else { return false };
        // Only the sleeper changes the word outside the mutex now.
        if self.word.compare_exchange(seen, word::with(seen, word::HELD, me, true), AcqRel, Relaxed).is_err() {
            return false;
        }
        self.queue_sleeper(inner, &sleeper, now_ns);
        let slice_ns = self.slice_of(thread);
        inner.turn = Turn {
            since_ns: now_ns,
            deadline_ns: now_ns + slice_ns,
            by_priority: true,
            protected_until_ns: now_ns + TAKEN_OVER_NS.min(slice_ns),
            ..Turn::default()
        };
        thread.counters.count_grant(0, Some((owner, Reason::Priority)), now_ns);
        thread.counters.begin(Phase::Held, now_ns);
        inner.emit(now_ns, me, EventKind::Run { from: Some((ThreadId(owner), Reason::Priority)), waited_ns: 0 });
        true
    }

    /// The same for a waiter that finds a turn late.
    pub(crate) fn take_over_late(&self, inner: &mut Inner, thread: &LockThread, now_ns: u64) -> bool {
        let late = inner.turn.asleep && now_ns.saturating_sub(inner.turn.since_ns) >= LATE_NS;
        if !late || !self.looks_for_late_turns(inner, thread) || !self.take_over(inner, thread, Entry::Priority, now_ns)
        {
            return false;
        }
        inner.unqueue(thread.slot());
        thread.granted.store(true, Release);
        true
    }

    /// Does this waiter look for late turns?
    pub(crate) fn looks_for_late_turns(&self, inner: &Inner, thread: &LockThread) -> bool {
        let waits = inner.table.get(thread.slot()).is_some_and(|slot| slot.place == Place::Queued(Entry::Priority));
        waits
            && self.policy.looks_for_late_turns()
            && inner.table.len(Entry::Priority) <= LATE_LOOKERS_MAX
            && inner.schedule.is_none()
    }

    /// The turn of a thread that did not begin it ends. It keeps its slice and its place.
    fn queue_sleeper(&self, inner: &mut Inner, sleeper: &LockThread, now_ns: u64) {
        let id = sleeper.slot();
        let entry = if inner.turn.by_priority { Entry::Priority } else { Entry::Normal };
        inner.turn.begins_late(now_ns, CROWDED_NS);
        let left_ns = inner.turn.deadline_ns.saturating_sub(now_ns).max(SLICE_LEFT_MIN_NS);
        if inner.table.is_empty() {
            inner.fairness.busy(now_ns);
        }
        inner.close_turn(id, Reason::Priority, now_ns);
        sleeper.counters.given[Reason::Priority as usize].add(1);
        sleeper.interrupt.clear_lock_bits();
        sleeper.granted.store(false, Relaxed);
        sleeper.comes_soon.store(true, Relaxed);
        let slot = inner.table.get(id).filter(|slot| !slot.was_patient(now_ns));
        let overtaken_ns = slot.and_then(|slot| slot.overtaken_ns).unwrap_or(now_ns);
        self.enqueue(inner, sleeper, entry, true, now_ns);
        // It is being woken still.
        inner.table.set_sleep(id, Sleep::Waking);
        if let Some(slot) = inner.table.get_mut(id) {
            slot.slice_left_ns = left_ns;
            slot.overtaken_ns = Some(overtaken_ns);
        }
    }
}
