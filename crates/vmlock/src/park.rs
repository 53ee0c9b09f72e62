//! Parking: how mutexes, queues and condition variables built on the lock wait.
//! A parked thread that is unparked by a running one moves straight into the lock's
//! queue and is woken once, when it is its turn. The transitions are in `lock`.

use crate::lock::{VmLock, Wakes};
use crate::queue::{Place, Sleep};
use crate::stats::Reason;
use crate::sys::{self, Park};
use crate::thread::{Entry, LockThread};
use crate::trace::EventKind;
use crate::word;
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

impl VmLock {
    /// Leaves the lock, sleeps, and comes back with it.
    pub(crate) fn park(&self, thread: &LockThread, deadline_ns: Option<u64>) -> ParkResult {
        let mut wakes = Wakes::default();
        let early = self.begin_park(thread, deadline_ns, &mut wakes);
        wakes.send();
        if let Some(result) = early {
            return result;
        }
        let mut look_ns = deadline_ns;
        while !self.is_granted(thread) {
            thread.parker.park(look_ns);
            if self.is_granted(thread) {
                break;
            }
            let mut wakes = Wakes::default();
            let back = self.look_parked(thread, &mut look_ns, &mut wakes);
            wakes.send();
            if back {
                self.wait_turn(thread, thread.park_result.load(Relaxed) != ParkResult::Unparked as u32);
                break;
            }
        }
        ParkResult::from_code(thread.park_result.load(Relaxed))
    }

    /// Becomes Parked and leaves the lock, unless there is no reason to sleep.
    fn begin_park(&self, thread: &LockThread, deadline_ns: Option<u64>, wakes: &mut Wakes) -> Option<ParkResult> {
        let me = thread.slot();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        if thread.unparked.swap(false, Relaxed) {
            return Some(ParkResult::Unparked);
        }
        if thread.pending_wake_bits() != 0 {
            return Some(ParkResult::Interrupted);
        }
        if deadline_ns.is_some_and(|deadline_ns| deadline_ns <= now_ns) {
            return Some(ParkResult::TimedOut);
        }
        thread.granted.store(false, Relaxed);
        let forever = deadline_ns.is_none();
        inner.table.parked += 1;
        inner.table.parked_forever += usize::from(forever);
        let wake_at_ns = deadline_ns.map(|deadline_ns| inner.clock_ns.saturating_add(deadline_ns - now_ns));
        if let Some(slot) = inner.table.get_mut(me) {
            slot.wake_at_ns = wake_at_ns;
            slot.place = Place::Parked { forever };
            slot.sleep = Sleep::Asleep;
        }
        self.leave(&mut inner, me, Reason::Park, now_ns, wakes);
        None
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
            _ => true,
        }
    }

    /// Ends the thread's park, or its next one.
    pub(crate) fn unpark(&self, thread: &LockThread, entry: Entry) {
        self.end_park_as(thread, entry, ParkResult::Unparked);
    }

    /// Ends the thread's park for an interrupt whose bits are set already.
    pub(crate) fn end_park(&self, thread: &LockThread) {
        self.end_park_as(thread, Entry::Priority, ParkResult::Interrupted);
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
            self.requeue_parked(&mut inner, id, entry, now_ns, &mut wakes);
        } else if result == ParkResult::Unparked {
            thread.unparked.store(true, Relaxed);
        }
        drop(inner);
        wakes.send();
    }
}
