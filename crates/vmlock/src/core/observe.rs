//! What every thread of the lock does at one moment, for a sampler that is itself no thread of the lock.
//! It costs the threads nothing but the internal mutex, for some ten nanoseconds per thread.

use crate::core::lock::VmLock;
use crate::core::queue::Place;
use crate::core::thread::ThreadId;
use crate::core::word;
use crate::sys;
use std::sync::atomic::Ordering::SeqCst;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It has the lock, or has lent it for a short region.
    Holding,
    /// It was handed the lock and has not begun to run: it waits for a processor.
    Handed,
    /// It queues for the lock.
    Waiting,
    /// It is in `park`.
    Parked,
    /// It is away otherwise: in the kernel or in native work.
    Outside,
}

/// One thread at the moment of a look.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    pub thread: ThreadId,
    /// When it was bound: slots are used again.
    pub bound_ns: u64,
    pub doing: Doing,
    /// Since when, on the monotonic clock.
    pub since_ns: u64,
}

impl VmLock {
    /// Tells `see` of every attached thread. `see` is called under the internal mutex: be short, and do not call back
    /// into the lock.
    pub fn observe(&self, mut see: impl FnMut(Glance)) {
        let inner = sys::lock(&self.inner);
        let seen = self.word.load(SeqCst);
        let holder = (word::state(seen) != word::FREE).then_some(word::owner(seen));
        for (slot, place, thread) in inner.table.places() {
            let doing = match place {
                _ if holder == Some(slot) => {
                    if word::is_given(seen) {
                        Doing::Handed
                    } else {
                        Doing::Holding
                    }
                }
                Place::Queued(_) => Doing::Waiting,
                Place::Parked { .. } => Doing::Parked,
                Place::Away => Doing::Outside,
            };
            see(Glance {
                thread: ThreadId(slot),
                bound_ns: thread.counters.bound_ns(),
                doing,
                since_ns: thread.counters.phase_since_ns(),
            });
        }
    }
}

/// The monotonic clock, on which all times of this crate are.
pub fn monotonic_ns() -> u64 {
    sys::now_ns()
}
