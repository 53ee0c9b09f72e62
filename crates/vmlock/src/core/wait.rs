//! How a queued thread waits for its turn: it spins a little where that pays, then
//! sleeps. One of the sleepers is the timekeeper: it wakes when the holder must be asked to
//! give way, and looks at a lent lock at short intervals in order to steal it when
//! the region lasts. Who is next is not decided here.
//!
//! Where threads that compute take turns the first in line keeps the time: it is awake when it asks for the lock and
//! begins at once when the other gives way. If it had to be woken first, nobody would run meanwhile. Where they do so
//! on one processor (`rotation`) each sleeps until its own turn is due and keeps the time of the turn before; elsewhere
//! whoever gives way wakes the first in line for that.

use crate::core::lock::{Inner, Timekeeper, VmLock};
use crate::core::queue::Sleep;
use crate::core::stats::Reason;
use crate::core::takeover::LATE_LOOK_NS;
use crate::core::thread::LockThread;
use crate::core::wakes::Wakes;
use crate::core::word;
use crate::policy::Why;
use crate::sys::{self, Park};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

/// Looks without any new region before the timekeeper stops watching.
const QUIET_LOOKS: u32 = 3;
/// Looks in a row that find the lock lent: its owners are away most of the time.
const LENT_LOOKS: u32 = 3;
/// Under a schedule a short region keeps the lock, unless it lasts this long: then it waits for
/// another thread, and was no short region.
const STEAL_CONTROLLED_NS: u64 = 50_000_000;

/// For how long one region has been seen.
#[derive(Default)]
pub(crate) struct RegionAge(Option<(u64, u64)>);

impl RegionAge {
    fn is_of(&self, region: u64) -> bool {
        self.0.is_some_and(|(seen, _)| seen == region)
    }

    /// Sees this region now.
    pub fn same_for(&mut self, region: u64, now_ns: u64) -> u64 {
        match self.0 {
            Some((seen, since_ns)) if seen == region => now_ns.saturating_sub(since_ns),
            _ => {
                self.0 = Some((region, now_ns));
                0
            }
        }
    }
}

/// What a waiter remembers between two looks.
#[derive(Default)]
struct Look {
    region: RegionAge,
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
    beside_holder: bool,
}

impl Look {
    /// Notes the region; returns how long it has been the same one.
    fn same_for(&mut self, region: u64, now_ns: u64) -> u64 {
        if !self.region.is_of(region) {
            self.quiet = 0;
        }
        self.region.same_for(region, now_ns)
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
    /// Waits until the lock has been handed to this thread, which is queued. `spins`: it may come soon.
    pub(crate) fn wait_turn(&self, thread: &LockThread, spins: Option<Why>) {
        if spins.is_some_and(|why| self.spin_for_turn(thread, why)) {
            return;
        }
        self.wait_looking(thread, Look::default());
    }

    /// `wait_turn` of a thread whose slice has ended; `beside_holder`: on the holder's processor.
    pub(crate) fn wait_slice(&self, thread: &LockThread, beside_holder: bool) {
        self.wait_looking(thread, Look { rotates: true, beside_holder, ..Look::default() });
    }

    fn wait_looking(&self, thread: &LockThread, look: Look) {
        self.sleep_looking(thread, look);
        self.began(thread);
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
            if soon && self.spin_for_turn(thread, if look.beside_holder { Why::BesideHolder } else { Why::Soon }) {
                return;
            }
        }
    }

    /// One look at the lock, before sleeping: does what is due, and takes the timekeeper's part
    /// if nobody else has it.
    fn settle(&self, inner: &mut Inner, thread: &LockThread, look: &mut Look, wakes: &mut Wakes) -> Settled {
        let me = thread.slot();
        inner.table.set_sleep(me, Sleep::Awake);
        inner.not_timekeeper(me);
        // The last timekeeper watched, or an entering thread asks for one that does.
        look.watching |= self.watched.load(SeqCst);
        loop {
            if self.is_granted(thread) {
                return Settled::Granted;
            }
            let now_ns = sys::now_ns();
            if self.take_over_late(inner, thread, now_ns) {
                return Settled::Granted;
            }
            let again_ns = self.looks_for_late_turns(inner, thread).then_some(now_ns + LATE_LOOK_NS);
            let seen = self.word.load(SeqCst);
            let alarm_ns = inner.alarm_ns(word::owner(seen), now_ns);
            let due_ns = alarm_ns.filter(|_| look.beside_holder).map(|alarm_ns| self.due_ns(inner, me, alarm_ns));
            if inner.has_timekeeper(alarm_ns.unwrap_or(u64::MAX), now_ns) {
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
                if std::mem::take(&mut look.rotates) && self.pass_timekeeping(inner, me, at_ns, wakes) {
                    inner.table.sleep_until(me, due_ns);
                    return Settled::Until(due_ns);
                }
                inner.timekeeper = Some(Timekeeper { slot: me, at_ns });
                inner.table.set_sleep(me, Sleep::Asleep);
                let at_ns = at_ns.min(again_ns.unwrap_or(u64::MAX));
                return Settled::Until((at_ns != u64::MAX).then_some(at_ns));
            }
        }
    }

    /// Makes the first in line the timekeeper, and wakes it for that. False: it is this thread, or it is awake already.
    fn pass_timekeeping(&self, inner: &mut Inner, me: u32, at_ns: u64, wakes: &mut Wakes) -> bool {
        let Some(id) = inner
            .table
            .first()
            .filter(|id| *id != me && inner.table.get(*id).is_some_and(|slot| slot.sleep == Sleep::Asleep))
        else {
            return false;
        };
        inner.timekeeper = None;
        self.wake_timekeeper(inner, wakes);
        inner.timekeeper = Some(Timekeeper { slot: id, at_ns });
        true
    }

    /// The timekeeper looks at a lent lock: until when it may sleep, or `None` when the word
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

    /// The timekeeper looks at a held lock, likewise.
    fn watch_held(
        &self,
        inner: &mut Inner,
        seen: u64,
        look: &mut Look,
        alarm_ns: Option<u64>,
        now_ns: u64,
    ) -> Option<u64> {
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

    /// A spinner has seen the lock lent for long enough.
    pub(crate) fn steal_spinning(&self, thread: &LockThread, seen: u64) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        if inner.schedule.is_none() && !self.is_granted(thread) && self.word.load(SeqCst) == seen {
            self.steal(&mut inner, seen, Reason::Steal, false, sys::now_ns(), &mut wakes);
        }
        drop(inner);
        wakes.send();
    }
}
