//! Spinning: the one loop in which a thread waits awake, and where that pays.
//!
//! To sleep and be woken takes 10 to 30 us on an idle processor. Whoever expects what it waits for sooner than that
//! spins, one thread of a lock at a time, and never for long on a processor that the holder needs.

use super::mechanism::Mechanism;
use super::wake_ahead;
use crate::core::lock::VmLock;
use crate::core::thread::LockThread;
use crate::core::wait::RegionAge;
use crate::core::word;
use crate::sys::{self, NativeThread};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// How often a spinner that shares the holder's processor lets it run.
const SPIN_YIELDS: u32 = 3;
/// How long a spinner trusts that the holder runs on another processor.
const PROCESSOR_CHECK_NS: u64 = 5_000;
/// How many times as long as others a holder spins that was cut short: whoever was let in first answers, mostly, and
/// waits again. A holder that falls asleep just then is woken at once, on another processor and before the one that
/// answered is gone from it.
const CUT_SHORT_SPINS: u64 = 4;
/// Looks of a thread that spins for a free lock, about a microsecond.
const FREE_LOOKS: u32 = 40;
/// While that does not pay every so many regions try it nevertheless.
const PROBES: u64 = 32;

/// How long to spin.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// This number of looks; the clock is not read.
    Looks(u32),
    /// By the clock.
    Ns(u64),
    /// By the cheaper clock that is only nearly right.
    AboutNs(u64),
}

/// What is done between two looks.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// The processor is told that this is a spinning loop.
    Hint,
    /// Others who want the processor go first.
    Yield,
}

/// Looks until there is an answer or the time is up; `look` is given the time in nanoseconds, 0 without a clock.
pub fn spin<R>(bound: Bound, pause: Pause, mut look: impl FnMut(u64) -> Option<R>) -> Option<R> {
    let clock = || match bound {
        Bound::Looks(_) => 0,
        Bound::Ns(_) => sys::now_ns(),
        Bound::AboutNs(_) => sys::stamp_ns(),
    };
    let start_ns = clock();
    let mut looks = 0;
    loop {
        let now_ns = clock();
        if let Some(answer) = look(now_ns) {
            return Some(answer);
        }
        looks += 1;
        let over = match bound {
            Bound::Looks(most) => looks == most,
            Bound::Ns(ns) | Bound::AboutNs(ns) => now_ns.saturating_sub(start_ns) > ns,
        };
        if over {
            return None;
        }
        match pause {
            Pause::Hint => sys::spin_hint(),
            Pause::Yield => sys::yield_cpu(),
        }
    }
}

/// Why a thread that waits for its turn spins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is back from a wait, or its turn comes in a moment.
    Soon,
    /// It was cut short for such a thread.
    CutShort,
    /// The holder, on the same processor, is to give way in a moment.
    BesideHolder,
    /// The last turns or parks were short.
    ShortTurns,
}

/// Does the holder need the processor that a thread spins on?
#[derive(Default)]
struct ProcessorCheck {
    at_ns: u64,
    yields: u32,
}

impl ProcessorCheck {
    /// Looks now and then, and lets the holder run a few times. False: it still shares the processor.
    fn lets_spin(&mut self, lock: &VmLock, now_ns: u64) -> bool {
        if now_ns.saturating_sub(self.at_ns) <= PROCESSOR_CHECK_NS {
            return true;
        }
        self.at_ns = now_ns;
        if lock.shares_holders_processor() {
            if self.yields == SPIN_YIELDS {
                return false;
            }
            self.yields += 1;
            self.at_ns = 0;
            sys::yield_cpu();
        }
        true
    }
}

impl VmLock {
    /// Takes the lock without queueing if nobody waits for it and it becomes free in a moment: where threads need it
    /// for less than a microsecond between two regions, to queue costs both of them more than that. True: it has the
    /// lock.
    pub(crate) fn spin_for_free(&self, thread: &LockThread) -> bool {
        let policy = &self.policy;
        let pays = policy.free_spins.points() > 0 || thread.counters.runs.get().is_multiple_of(PROBES);
        if !pays || !policy.on(Mechanism::SpinFree) {
            return false;
        }
        let taken = spin(Bound::Looks(FREE_LOOKS), Pause::Hint, |_| {
            let taken = thread.try_acquire();
            (taken || word::is_waited_or_slow(self.word.load(Relaxed))).then_some(taken)
        });
        // Where others queue it has neither paid nor failed.
        if taken != Some(false) {
            policy.free_spins.note(taken.is_some());
        }
        taken == Some(true)
    }

    /// Spins for the turn of a queued or parked thread, where that pays; true when it has come. One thread at a time,
    /// and not while the holder needs this very processor.
    pub(crate) fn spin_for_turn(&self, thread: &LockThread, why: Why) -> bool {
        let policy = &self.policy;
        let cut_short = why == Why::CutShort && policy.on(Mechanism::SpinCutShort);
        let spin_ns = policy.spin_ns.load(Relaxed) * if cut_short { CUT_SHORT_SPINS } else { 1 };
        match why {
            Why::BesideHolder => {
                let granted = || self.is_granted(thread).then_some(());
                spin(Bound::Looks(SPIN_YIELDS + 1), Pause::Yield, |_| granted()).is_some()
            }
            Why::ShortTurns => self.as_spinner(thread, || self.spin_ahead(thread)),
            _ if spin_ns == 0 || !policy.on(Mechanism::SpinBack) => self.is_granted(thread),
            _ => self.as_spinner(thread, || self.spin_stealing(thread, spin_ns)),
        }
    }

    /// Does `spin` while nobody else spins. True: the lock has come.
    fn as_spinner(&self, thread: &LockThread, spin: impl FnOnce() -> bool) -> bool {
        let me = thread.slot();
        if self.policy.spinner.compare_exchange(0, me + 1, AcqRel, Relaxed).is_err() {
            return self.is_granted(thread);
        }
        let granted = spin();
        self.stop_spinning(me);
        granted
    }

    /// That thread no longer counts as the one that spins.
    pub(crate) fn stop_spinning(&self, slot: u32) {
        let _ = self.policy.spinner.compare_exchange(slot + 1, 0, AcqRel, Relaxed);
    }

    fn spin_stealing(&self, thread: &LockThread, spin_ns: u64) -> bool {
        let mut region = RegionAge::default();
        let mut processor = ProcessorCheck::default();
        let granted = spin(Bound::Ns(spin_ns), Pause::Hint, |now_ns| {
            if self.is_granted(thread) {
                return Some(true);
            }
            let seen = self.word.load(Acquire);
            if word::state(seen) == word::LENT {
                if region.same_for(word::region(seen), now_ns) >= self.steal_age_ns {
                    self.steal_spinning(thread, seen);
                }
                return None;
            }
            (!processor.lets_spin(self, now_ns)).then(|| self.is_granted(thread))
        });
        granted.unwrap_or(false)
    }

    fn spin_ahead(&self, thread: &LockThread) -> bool {
        let mut processor = ProcessorCheck::default();
        let mut seen_ns = sys::stamp_ns();
        let granted = spin(Bound::AboutNs(wake_ahead::SPIN_NS), Pause::Hint, |now_ns| {
            if now_ns.saturating_sub(seen_ns) > wake_ahead::HELD_UP_NS {
                self.note_crowded(now_ns);
            }
            seen_ns = now_ns;
            let granted = self.is_granted(thread);
            (granted || !processor.lets_spin(self, now_ns)).then_some(granted)
        });
        granted.unwrap_or(false) || self.is_granted(thread)
    }

    fn shares_holders_processor(&self) -> bool {
        let Ok(inner) = self.inner.try_lock() else { return false };
        let seen = self.word.load(Relaxed);
        let holder = inner.table.get(word::owner(seen)).filter(|_| word::state(seen) == word::HELD);
        holder.and_then(|slot| slot.native).is_some_and(|native| native.shares_processor())
    }
}
