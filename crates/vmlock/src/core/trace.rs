//! The trace hook: every change of the lock as an event, for a writer that lies
//! elsewhere. Without a trace the hook costs nothing; with one, the fast paths are
//! closed, so that no event is missed.

use crate::core::lock::{Inner, VmLock};
use crate::core::queue::Place;
use crate::core::stats::Reason;
use crate::core::thread::{Entry, ThreadId};
use crate::core::word;
use crate::sys;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// One event, with the monotonic clock's nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub at_ns: u64,
    pub thread: ThreadId,
    pub kind: EventKind,
}

/// What happened to the thread of an `Event`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It was attached.
    Attach,
    /// It was detached.
    Detach,
    /// It queued behind `holder`.
    Wait { holder: ThreadId, priority: bool },
    /// It got the lock; `from` handed it over, or nobody held it.
    Run { from: Option<(ThreadId, Reason)>, waited_ns: u64 },
    /// It no longer has the lock.
    Stop { reason: Reason, held_ns: u64 },
    /// It entered a short region, and still has the lock unless it is taken away.
    Enter { site: Option<&'static str> },
    /// It left a short region, and had the lock all the time.
    Leave,
    /// It was asked to give way at its next safepoint.
    Preempt { priority: bool },
    /// Somebody ended its `park`.
    Unpark,
    /// That was taken back before it ran: it stays parked.
    StayParked,
}

/// Receives every event, in order, under the lock's internal mutex: be short, and do not
/// call back into the lock. A trace that is installed late is first told of every thread: that it is
/// attached, its name, and whether it has the lock or waits.
pub trait Trace: Send + Sync {
    fn event(&self, event: Event);

    /// The thread has this name from now on.
    fn named(&self, _thread: ThreadId, _name: &str) {}
}

impl VmLock {
    /// Installs or removes the trace hook. The one that was installed is returned, and gets nothing more.
    pub fn set_trace(&self, trace: Option<Arc<dyn Trace>>) -> Option<Arc<dyn Trace>> {
        let names: Vec<(u32, String)> = self.threads().iter().map(|thread| (thread.slot(), thread.name())).collect();
        let mut inner = sys::lock(&self.inner);
        let before = std::mem::replace(&mut inner.trace, trace);
        inner.turn.since_ns = sys::now_ns();
        self.close_fast_paths(&inner);
        if inner.trace.is_some() {
            self.introduce(&inner, &names);
        }
        before
    }

    /// Tells a new trace who is there.
    fn introduce(&self, inner: &Inner, names: &[(u32, String)]) {
        let now_ns = sys::now_ns();
        let seen = self.word.load(SeqCst);
        let holder = (word::state(seen) != word::FREE).then_some(word::owner(seen));
        for (id, name) in names.iter().filter(|(id, _)| inner.table.get(*id).is_some()) {
            inner.emit(now_ns, *id, EventKind::Attach);
            if let Some(trace) = &inner.trace {
                trace.named(ThreadId(*id), name);
            }
            match inner.table.get(*id).map(|slot| slot.place) {
                _ if holder == Some(*id) => inner.emit(now_ns, *id, EventKind::Run { from: None, waited_ns: 0 }),
                Some(Place::Queued(entry)) => {
                    let priority = entry == Entry::Priority;
                    inner.emit(now_ns, *id, EventKind::Wait { holder: ThreadId(holder.unwrap_or(*id)), priority });
                }
                _ => {}
            }
        }
    }
}
