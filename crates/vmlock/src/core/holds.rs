//! Who held the lock of late, for measurements such as the lock report. While a thread is measured the lock keeps a
//! list of its last turns, so that the time of a wait can be shared out among the threads that held the lock meanwhile.
//!
//! The embedder may also note what a holder was doing, at two moments. When the holder is asked to give way, a hook is
//! called (`AskedHook`): the holder may reach its safepoint much later, and at another line. And when a turn ends, the
//! thread that comes next may look at the last holder, which does not run then; a bit in its interrupt word asks it to,
//! if the turn was long or if the next thread is measured itself.
//!
//! While nobody is measured all this costs one test under the internal mutex each time that the lock changes hands.

use crate::core::lock::{Inner, VmLock};
use crate::core::thread::LockThread;
use crate::sys;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The number of turns that are kept.
const KEPT: usize = 1024;
/// The holder of a turn of this length or more is looked at.
const WORTH_NS: u64 = 1_000_000;

/// A turn that has ended.
#[derive(Clone)]
pub struct Hold {
    pub thread: Arc<LockThread>,
    /// Monotonic clock.
    pub from_ns: u64,
    pub to_ns: u64,
    /// How often that thread had got the lock by then: while the number is the same, it has not run since.
    pub runs: u64,
}

/// Is told of the holder when it is asked to give way, while threads are measured, with the monotonic clock's
/// nanoseconds. Called under the lock's internal mutex while the holder runs: be short, and do not call back into the
/// lock.
pub type AskedHook = Arc<dyn Fn(&LockThread, u64) + Send + Sync>;

/// What is kept while threads are measured.
pub(crate) struct Holds {
    turns: VecDeque<Hold>,
    /// How many measurements are under way.
    measured: usize,
    /// The bit of the interrupt word by which threads are asked to look.
    bit: u32,
    asked: AskedHook,
}

impl Inner {
    /// The holder is asked to give way.
    #[cold]
    pub(crate) fn note_asked(&self, thread: &LockThread, now_ns: u64) {
        if let Some(holds) = &self.holds {
            (holds.asked)(thread, now_ns);
        }
    }

    /// The holder's turn has ended.
    #[cold]
    pub(crate) fn note_hold(&mut self, holder: u32, held_ns: u64, now_ns: u64) {
        let (Some(holds), Some(slot)) = (&mut self.holds, self.table.get(holder)) else { return };
        if holds.turns.len() == KEPT {
            holds.turns.pop_front();
        }
        let thread = Arc::clone(&slot.thread);
        let runs = thread.counters.runs.get();
        holds.turns.push_back(Hold { thread, from_ns: now_ns.saturating_sub(held_ns), to_ns: now_ns, runs });
    }

    /// Only this thread is left, after a fork.
    pub(crate) fn keep_holds_of(&mut self, survivor: &LockThread) {
        let measured = survivor.measured.load(Relaxed) as usize;
        self.holds = self.holds.take().filter(|_| measured > 0).map(|holds| Holds {
            turns: VecDeque::new(),
            measured,
            bit: holds.bit,
            asked: holds.asked,
        });
    }

    /// The thread has been handed the lock.
    #[cold]
    pub(crate) fn ask_to_look(&self, thread: &LockThread) {
        let Some(holds) = &self.holds else { return };
        let long = holds.turns.back().is_some_and(|hold| hold.to_ns - hold.from_ns >= WORTH_NS);
        if long || thread.measured.load(Relaxed) != 0 {
            thread.interrupt.set(holds.bit);
        }
    }
}

impl VmLock {
    /// From now on this thread is measured: its waits can be explained by `holds_since`. Measurements nest. `bit`, one
    /// of the embedder's, is set in the interrupt word of a thread that is to look at what the last holder did;
    /// `asked` is told of holders that are asked to give way. Both stay those of the first of several measurements.
    pub fn begin_measuring(&self, thread: &LockThread, bit: u32, asked: &AskedHook) {
        thread.measured.fetch_add(1, Relaxed);
        let mut inner = sys::lock(&self.inner);
        let holds = inner.holds.get_or_insert_with(|| Holds {
            turns: VecDeque::new(),
            measured: 0,
            bit,
            asked: Arc::clone(asked),
        });
        holds.measured += 1;
    }

    /// Ends what `begin_measuring` began.
    pub fn end_measuring(&self, thread: &LockThread) {
        thread.measured.fetch_sub(1, Relaxed);
        let mut inner = sys::lock(&self.inner);
        let last = inner.holds.as_mut().is_some_and(|holds| {
            holds.measured = holds.measured.saturating_sub(1);
            holds.measured == 0
        });
        if last {
            inner.holds = None;
        }
    }

    /// The last turn that has ended, if one is kept.
    pub fn last_hold(&self) -> Option<Hold> {
        sys::lock(&self.inner).holds.as_ref()?.turns.back().cloned()
    }

    /// The turns that ended at this moment or later, of the last 1024; oldest first. None are kept while no thread is
    /// measured.
    pub fn holds_since(&self, from_ns: u64) -> Vec<Hold> {
        let inner = sys::lock(&self.inner);
        let Some(holds) = &inner.holds else { return Vec::new() };
        let first = holds.turns.partition_point(|hold| hold.to_ns < from_ns);
        holds.turns.iter().skip(first).cloned().collect()
    }
}

impl Hold {
    /// The thread has not run since.
    pub fn is_fresh(&self) -> bool {
        self.thread.counters.runs.get() == self.runs
    }
}
