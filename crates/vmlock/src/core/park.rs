//! Parking: how mutexes, queues and condition variables built on the lock wait.
//! A parked thread that is unparked by a running one moves straight into the lock's
//! queue and is woken once, when it is its turn. The transitions are in `lock`.

use crate::core::lock::VmLock;
use crate::core::queue::{Place, Sleep};
use crate::core::stats::{Phase, Reason};
use crate::core::thread::{Entry, LockThread};
use crate::core::trace::EventKind;
use crate::core::wakes::Wakes;
use crate::core::word;
use crate::policy::Why;
use crate::sys::{self, Park};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

/// Under a schedule: how often a thread whose real deadline has passed looks whether all is still.
const LOOK_CONTROLLED_NS: u64 = 2_000_000;

/// Why `LockThread::park` returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ParkResult {
    /// `LockThread::unpark` was called, during the park or since the last one.
    Unparked,
    /// The deadline passed.
    TimedOut,
    /// An interrupt that ends waits is pending.
    Interrupted,
}

impl ParkResult {
    fn from_code(code: u32) -> Self {
        match code {
            0 => ParkResult::Unparked,
            1 => ParkResult::TimedOut,
            _ => ParkResult::Interrupted,
        }
    }
}

/// When a park ends.
#[derive(Clone, Copy)]
pub(crate) enum Deadline {
    /// On the clock of `sys::now_ns`.
    Real(u64),
    /// On the schedule's.
    Clock(u64),
}

/// A park that has begun.
struct Begun {
    at_ns: u64,
    /// When to look at the real time.
    look_ns: Option<u64>,
    /// The thread spins before it sleeps.
    spins: bool,
}

impl VmLock {
    /// Leaves the lock, sleeps, and comes back with it.
    pub(crate) fn park(&self, thread: &LockThread, deadline: Option<Deadline>) -> ParkResult {
        let mut wakes = Wakes::default();
        let begun = self.begin_park(thread, deadline, &mut wakes);
        wakes.send();
        let Begun { at_ns, mut look_ns, spins } = match begun {
            Ok(begun) => begun,
            Err(early) => return early,
        };
        if !(spins && self.spin_for_turn(thread, Why::ShortTurns)) {
            self.ends_turns(thread);
            self.sleep_parked(thread, &mut look_ns);
        }
        self.began(thread);
        let now_ns = sys::stamp_ns();
        self.note_begin(thread, now_ns);
        self.note_park(thread, now_ns.saturating_sub(at_ns));
        ParkResult::from_code(thread.park_result.load(Relaxed))
    }

    /// Sleeps until the parked thread has been given the lock.
    fn sleep_parked(&self, thread: &LockThread, look_ns: &mut Option<u64>) {
        while !self.is_granted(thread) {
            thread.parker.park(*look_ns);
            if self.is_granted(thread) {
                return;
            }
            let mut wakes = Wakes::default();
            let back = self.look_parked(thread, look_ns, &mut wakes);
            wakes.send();
            if back {
                let soon = thread.comes_soon.swap(false, Relaxed)
                    || thread.park_result.load(Relaxed) != ParkResult::Unparked as u32;
                return self.wait_turn(thread, soon.then_some(Why::Soon));
            }
        }
    }

    /// Becomes Parked and leaves the lock; an error when there is no reason to sleep.
    fn begin_park(
        &self,
        thread: &LockThread,
        deadline: Option<Deadline>,
        wakes: &mut Wakes,
    ) -> Result<Begun, ParkResult> {
        let me = thread.slot();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        if thread.unparked.swap(false, Relaxed) {
            return Err(ParkResult::Unparked);
        }
        if thread.pending_wake_bits() != 0 {
            return Err(ParkResult::Interrupted);
        }
        // How long it sleeps, on whichever clock.
        let rest_ns = deadline.map(|deadline| match deadline {
            Deadline::Real(at_ns) => at_ns.saturating_sub(now_ns),
            Deadline::Clock(at_ns) => at_ns.saturating_sub(inner.clock_ns),
        });
        if rest_ns == Some(0) {
            return Err(ParkResult::TimedOut);
        }
        thread.granted.store(false, Relaxed);
        let forever = rest_ns.is_none();
        inner.table.park(me, forever);
        let wake_at_ns = rest_ns.map(|rest_ns| inner.clock_ns.saturating_add(rest_ns));
        if let Some(slot) = inner.table.get_mut(me) {
            slot.wake_at_ns = wake_at_ns;
            slot.sleep = Sleep::Asleep;
        }
        self.leave(&mut inner, me, Reason::Park, now_ns, wakes);
        let look_ns = rest_ns.map(|rest_ns| now_ns.saturating_add(rest_ns));
        Ok(Begun { at_ns: now_ns, look_ns, spins: self.parks_awake(&inner, thread, now_ns) })
    }

    /// A parked thread woke without having been given the lock. True: it is in the queue now.
    fn look_parked(&self, thread: &LockThread, look_ns: &mut Option<u64>, wakes: &mut Wakes) -> bool {
        let me = thread.slot();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        match inner.table.get(me).map(|slot| slot.place) {
            Some(Place::Parked { .. }) if look_ns.is_some_and(|look_ns| look_ns <= now_ns) => {
                if inner.schedule.is_some() && word::state(self.word.load(SeqCst)) != word::FREE {
                    // The schedule's clock decides while anybody runs.
                    *look_ns = Some(now_ns + LOOK_CONTROLLED_NS);
                    return false;
                }
                thread.park_result.store(ParkResult::TimedOut as u32, Relaxed);
                inner.table.set_sleep(me, Sleep::Awake);
                self.requeue_parked(&mut inner, me, Entry::Priority, now_ns, wakes);
                true
            }
            Some(Place::Parked { .. }) => false,
            _ => {
                if let Some(slot) = inner.table.get_mut(me) {
                    slot.unparked_from = None;
                }
                true
            }
        }
    }

    /// Ends the thread's park, or its next one.
    pub(crate) fn unpark(&self, thread: &LockThread, entry: Entry) {
        self.end_park_as(thread, entry, ParkResult::Unparked);
    }

    /// Ends the thread's park for an interrupt whose bits are set already.
    pub(crate) fn end_park(&self, thread: &LockThread, entry: Entry) {
        self.end_park_as(thread, entry, ParkResult::Interrupted);
    }

    /// Takes an `unpark` back, by the holder; see `LockThread::stay_parked`.
    pub(crate) fn stay_parked(&self, thread: &LockThread) -> bool {
        let id = thread.slot();
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let asleep = inner.table.get(id).filter(|slot| slot.sleep == Sleep::Asleep);
        let Some(forever) = asleep.and_then(|slot| slot.unparked_from) else { return false };
        let for_this = thread.park_result.load(Relaxed) == ParkResult::Unparked as u32;
        let for_more = thread.unparked.load(Relaxed) || thread.pending_wake_bits() != 0;
        if !for_this || for_more || inner.schedule.is_some() {
            return false;
        }
        let now_ns = sys::now_ns();
        inner.unqueue(id);
        inner.table.park(id, forever);
        thread.counters.begin(Phase::Outside, now_ns);
        inner.emit(now_ns, id, EventKind::StayParked);
        if inner.table.is_empty() {
            self.word.fetch_and(!word::WAITED, SeqCst);
            inner.fairness.idle(now_ns);
        } else {
            self.ensure_timekeeper(&mut inner, now_ns, &mut wakes);
        }
        drop(inner);
        wakes.send();
        true
    }

    fn end_park_as(&self, thread: &LockThread, entry: Entry, result: ParkResult) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let id = thread.slot();
        let parked = inner.table.get(id).is_some_and(|slot| matches!(slot.place, Place::Parked { .. }));
        if parked {
            let now_ns = sys::now_ns();
            thread.park_result.store(result as u32, Relaxed);
            inner.emit(now_ns, id, EventKind::Unpark);
            // What somebody who came back hands on has come from outside, too.
            let inherits = result == ParkResult::Unparked && inner.turn.by_priority && self.is_holder_here(&inner);
            let entry = if inherits { Entry::Priority } else { entry };
            self.requeue_parked(&mut inner, id, entry, now_ns, &mut wakes);
        } else if result == ParkResult::Unparked {
            thread.unparked.store(true, Relaxed);
        }
        drop(inner);
        wakes.send();
    }
}
