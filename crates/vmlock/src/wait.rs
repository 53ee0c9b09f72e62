//! How a queued thread waits for its turn: it spins a little where that pays, then
//! sleeps. One of the sleepers is the keeper: it wakes when the holder must be asked to
//! give way, and looks at a lent lock at short intervals in order to steal it when
//! the region lasts. Who is next is not decided here.
//!
//! Where threads that compute take turns the first in line keeps the time: it is awake when it asks for the lock and
//! begins at once when the other gives way. If it had to be woken first, nobody would run meanwhile. Where they do so on one processor
//! (`rotation`) each sleeps until its own turn is due and keeps the time of the turn before; elsewhere whoever gives way wakes the first in line
//! for that.

use crate::lock::{Inner, Keeper, VmLock};
use crate::queue::Sleep;
use crate::stats::Reason;
use crate::sys::{self, NativeThread, Park};
use crate::takeover::RESTLESS_NS;
use crate::thread::LockThread;
use crate::wakes::Wakes;
use crate::word;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};

/// Looks without any new region before the keeper stops watching.
const QUIET_LOOKS: u32 = 3;
/// Looks in a row that find the lock lent: its owners are away most of the time.
const LENT_LOOKS: u32 = 3;
/// Under a schedule a short region keeps the lock, unless it lasts this long: then it waits for
/// another thread, and was no short region.
const STEAL_CONTROLLED_NS: u64 = 50_000_000;
/// How often a spinner that shares the holder's processor lets it run.
const SPIN_YIELDS: u32 = 3;
/// How long a spinner trusts that the holder runs on another processor.
const PROCESSOR_CHECK_NS: u64 = 5_000;

/// How many times as long as others a holder spins that was cut short: whoever was let in first answers, mostly, and waits again. A holder that
/// falls asleep just then is woken at once, on another processor and before the one that answered is gone from it.
const CUT_SHORT_SPINS: u64 = 4;
/// Looks of a thread that tries to catch the lock, about a microsecond.
const CATCH_LOOKS: u32 = 40;
/// The most that `VmLock::catches` counts.
const CATCHES_MAX: u32 = 8;
/// While catching does not pay every so many regions try it nevertheless.
const PROBES: u64 = 32;

/// Does the holder need the processor that a thread spins on?
#[derive(Default)]
pub(crate) struct ProcessorCheck {
    at_ns: u64,
    yields: u32,
}

impl ProcessorCheck {
    /// Looks now and then, and lets the holder run a few times. False: it still shares the processor.
    pub fn lets_spin(&mut self, lock: &VmLock, now_ns: u64) -> bool {
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

/// What a waiter remembers between two looks.
#[derive(Default)]
struct Look {
    /// The region number seen, and since when.
    region: Option<(u64, u64)>,
    /// It looks at short intervals.
    watching: bool,
    quiet: u32,
    /// Looks in a row that found it lent.
    lent: u32,
    /// It has asked the holder to give way, just now.
    asked: bool,
    /// Its slice ended, others wait likewise: the first in line is to keep the time.
    rotates: bool,
    /// It waits on the holder's processor: it has nothing to see there while the holder does not run.
    at_home: bool,
}

impl Look {
    /// Notes the region; returns how long it has been the same one.
    fn same_for(&mut self, region: u64, now_ns: u64) -> u64 {
        match self.region {
            Some((seen, since_ns)) if seen == region => now_ns.saturating_sub(since_ns),
            _ => {
                self.region = Some((region, now_ns));
                self.quiet = 0;
                0
            }
        }
    }
}

/// What `settle` found.
enum Settled {
    Granted,
    /// The holder will give way in a moment.
    Asked,
    /// Sleep until then.
    Until(Option<u64>),
}

impl VmLock {
    /// Takes the lock without queueing if nobody waits for it and it becomes free in a moment: where threads need it for less than a
    /// microsecond between two regions, to queue costs both of them more than that. True: it has the lock.
    pub(crate) fn catch(&self, thread: &LockThread) -> bool {
        let score = self.catches.load(Relaxed);
        if score == 0 && !thread.counters.runs.get().is_multiple_of(PROBES) {
            return false;
        }
        for _ in 0..CATCH_LOOKS {
            if thread.try_acquire() {
                self.catches.store((score + 1).min(CATCHES_MAX), Relaxed);
                return true;
            }
            if word::is_waited_or_slow(self.word.load(Relaxed)) {
                return false;
            }
            sys::spin_hint();
        }
        self.catches.store(score.saturating_sub(2), Relaxed);
        false
    }

    /// Waits until the lock has been handed to this thread, which is queued.
    pub(crate) fn wait_turn(&self, thread: &LockThread, may_spin: bool) {
        if may_spin && self.spin(thread, 1) {
            return;
        }
        self.wait_looking(thread, Look::default());
    }

    /// `wait_turn` of a holder that gave way to a thread back from a wait.
    pub(crate) fn wait_cut_short(&self, thread: &LockThread) {
        if !self.spin(thread, CUT_SHORT_SPINS) {
            self.wait_looking(thread, Look::default());
        }
    }

    /// `wait_turn` of a thread whose slice has ended; `at_home`: on the holder's processor.
    pub(crate) fn wait_slice(&self, thread: &LockThread, at_home: bool) {
        self.wait_looking(thread, Look { rotates: true, at_home, ..Look::default() });
    }

    fn wait_looking(&self, thread: &LockThread, look: Look) {
        self.sleep_looking(thread, look);
        self.note_begin(thread, sys::stamp_ns());
    }

    fn sleep_looking(&self, thread: &LockThread, mut look: Look) {
        while !self.is_granted(thread) {
            let mut wakes = Wakes::default();
            let settled = self.settle(&mut sys::lock(&self.inner), thread, &mut look, &mut wakes);
            wakes.send();
            let asked = matches!(settled, Settled::Asked);
            match settled {
                Settled::Granted => return,
                Settled::Asked => {}
                Settled::Until(deadline_ns) => thread.parker.park(deadline_ns),
            }
            // Whoever was asked, or took the turn over, needs it for a moment only.
            let soon = asked || thread.comes_soon.swap(false, Relaxed);
            if soon && (if look.at_home { self.let_holder_run(thread) } else { self.spin(thread, 1) }) {
                return;
            }
        }
    }

    /// The holder, on the same processor, is to give way in a moment. True: the lock has come.
    fn let_holder_run(&self, thread: &LockThread) -> bool {
        (0..SPIN_YIELDS).any(|_| {
            sys::yield_cpu();
            self.is_granted(thread)
        })
    }

    /// One look at the lock, before sleeping: does what is due, and takes the keeper's part
    /// if nobody else has it.
    fn settle(&self, inner: &mut Inner, thread: &LockThread, look: &mut Look, wakes: &mut Wakes) -> Settled {
        let me = thread.slot();
        inner.table.set_sleep(me, Sleep::Awake);
        inner.no_keeper(me);
        // The last keeper watched, or an entering thread asks for one that does.
        look.watching |= self.watched.load(SeqCst);
        loop {
            if self.is_granted(thread) {
                return Settled::Granted;
            }
            let now_ns = sys::now_ns();
            if self.take_over_late(inner, thread, now_ns) {
                return Settled::Granted;
            }
            let again_ns = self.is_restless(inner, thread).then_some(now_ns + RESTLESS_NS);
            let seen = self.word.load(SeqCst);
            let alarm_ns = inner.alarm_ns(word::owner(seen), now_ns);
            let due_ns = alarm_ns.filter(|_| look.at_home).map(|alarm_ns| self.due_ns(inner, me, alarm_ns));
            if inner.is_kept(alarm_ns.unwrap_or(u64::MAX), now_ns) {
                inner.table.sleep_until(me, due_ns);
                return Settled::Until(again_ns.or(due_ns));
            }
            let until_ns = if word::state(seen) == word::LENT {
                self.watch_lent(inner, seen, look, now_ns, wakes)
            } else {
                self.watch_held(inner, seen, look, alarm_ns, now_ns)
            };
            if std::mem::take(&mut look.asked) {
                return Settled::Asked;
            }
            if let Some(at_ns) = until_ns {
                if std::mem::take(&mut look.rotates) && self.nominate(inner, me, at_ns, wakes) {
                    inner.table.sleep_until(me, due_ns);
                    return Settled::Until(due_ns);
                }
                inner.keeper = Some(Keeper { slot: me, at_ns });
                inner.table.set_sleep(me, Sleep::Asleep);
                let at_ns = at_ns.min(again_ns.unwrap_or(u64::MAX));
                return Settled::Until((at_ns != u64::MAX).then_some(at_ns));
            }
        }
    }

    /// Makes the first in line the keeper, and wakes it for that. False: it is this thread, or it is awake already.
    fn nominate(&self, inner: &mut Inner, me: u32, at_ns: u64, wakes: &mut Wakes) -> bool {
        let Some(id) = inner.table.first().filter(|id| *id != me && inner.table.get(*id).is_some_and(|slot| slot.sleep == Sleep::Asleep)) else { return false };
        inner.keeper = None;
        self.summon(inner, wakes);
        inner.keeper = Some(Keeper { slot: id, at_ns });
        true
    }

    /// The keeper looks at a lent lock: until when it may sleep, or `None` when the word
    /// has changed.
    fn watch_lent(&self, inner: &mut Inner, seen: u64, look: &mut Look, now_ns: u64, wakes: &mut Wakes) -> Option<u64> {
        let lasted_ns = look.same_for(word::region(seen), now_ns);
        let controlled = inner.schedule.is_some();
        let slice_over = !controlled && now_ns >= inner.turn.deadline_ns;
        let patience_ns = if controlled { STEAL_CONTROLLED_NS } else { self.watch_ns };
        let lasts = look.watching && lasted_ns >= patience_ns;
        look.lent += 1;
        if slice_over || lasts || look.lent >= LENT_LOOKS && !controlled {
            self.steal(inner, seen, if slice_over { Reason::SliceEnd } else { Reason::Steal }, lasts, now_ns, wakes);
            return None;
        }
        look.watching = true;
        self.watched.store(true, SeqCst);
        let look_ns = now_ns + self.watch_ns;
        Some(if controlled { look_ns } else { look_ns.min(inner.turn.deadline_ns) })
    }

    /// The keeper looks at a held lock, likewise.
    fn watch_held(&self, inner: &mut Inner, seen: u64, look: &mut Look, alarm_ns: Option<u64>, now_ns: u64) -> Option<u64> {
        let mut alarm_ns = alarm_ns.unwrap_or(u64::MAX);
        if alarm_ns <= now_ns {
            if self.ask(inner, now_ns) {
                return None;
            }
            alarm_ns = u64::MAX;
            look.asked = true;
        }
        look.same_for(word::region(seen), now_ns);
        look.lent = 0;
        look.quiet += 1;
        if look.watching && look.quiet <= QUIET_LOOKS {
            return Some(alarm_ns.min(now_ns + self.watch_ns));
        }
        look.watching = false;
        // I4: stop watching first, look once more second.
        self.watched.store(false, SeqCst);
        if word::state(self.word.load(SeqCst)) == word::LENT { None } else { Some(alarm_ns) }
    }

    /// LENT -> MOVING -> HELD(first waiter). `proved`: the thief has seen the region last.
    fn steal(&self, inner: &mut Inner, lent: u64, reason: Reason, proved: bool, now_ns: u64, wakes: &mut Wakes) {
        if !self.reserve(lent) {
            return;
        }
        let owner = word::owner(lent);
        if let Some(slot) = inner.table.get_mut(owner) {
            slot.lost = Some((now_ns, reason));
            slot.thread.proved_long.store(proved && reason == Reason::Steal, Relaxed);
        }
        self.hand_over(inner, owner, reason, now_ns, wakes);
    }

    /// Spins for the lock; true when it has come. One thread at a time, and not while the
    /// holder needs this very processor.
    fn spin(&self, thread: &LockThread, times: u64) -> bool {
        let spin_ns = self.spin_ns.load(Relaxed) * times;
        if spin_ns == 0 {
            return self.is_granted(thread);
        }
        self.as_spinner(thread, || self.spin_for(thread, spin_ns))
    }

    /// Does `spin` while nobody else spins. True: the lock has come.
    pub(crate) fn as_spinner(&self, thread: &LockThread, spin: impl FnOnce() -> bool) -> bool {
        let me = thread.slot();
        if self.spinner.compare_exchange(0, me + 1, AcqRel, Relaxed).is_err() {
            return self.is_granted(thread);
        }
        let granted = spin();
        self.stop_spinning(me);
        granted
    }

    /// That thread no longer counts as the one that spins.
    pub(crate) fn stop_spinning(&self, slot: u32) {
        let _ = self.spinner.compare_exchange(slot + 1, 0, AcqRel, Relaxed);
    }

    fn spin_for(&self, thread: &LockThread, spin_ns: u64) -> bool {
        let start_ns = sys::now_ns();
        let mut look = Look::default();
        let mut processor = ProcessorCheck::default();
        loop {
            if self.is_granted(thread) {
                return true;
            }
            let now_ns = sys::now_ns();
            if now_ns.saturating_sub(start_ns) > spin_ns {
                return false;
            }
            let seen = self.word.load(Acquire);
            if word::state(seen) == word::LENT {
                if look.same_for(word::region(seen), now_ns) >= self.steal_age_ns {
                    self.steal_spinning(thread, seen);
                }
            } else if !processor.lets_spin(self, now_ns) {
                return self.is_granted(thread);
            }
            sys::spin_hint();
        }
    }

    fn steal_spinning(&self, thread: &LockThread, seen: u64) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        if inner.schedule.is_none() && !self.is_granted(thread) && self.word.load(SeqCst) == seen {
            self.steal(&mut inner, seen, Reason::Steal, false, sys::now_ns(), &mut wakes);
        }
        drop(inner);
        wakes.send();
    }

    fn shares_holders_processor(&self) -> bool {
        let Ok(inner) = self.inner.try_lock() else { return false };
        let seen = self.word.load(Relaxed);
        let holder = inner.table.get(word::owner(seen)).filter(|_| word::state(seen) == word::HELD);
        holder.and_then(|slot| slot.native).is_some_and(|native| native.shares_processor())
    }
}
