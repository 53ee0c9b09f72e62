//! The trace hook: every change of the lock as an event, for a writer that lies
//! elsewhere. Without a trace the hook costs nothing; with one, the fast paths are
//! closed, so that no event is missed.

use crate::stats::Reason;
use crate::thread::ThreadId;

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
}

/// Receives every event, in order, under the lock's internal mutex: be short, and do not
/// call back into the lock. A trace that is installed late is first told of every thread: that it is
/// attached, its name, and whether it has the lock or waits.
pub trait Trace: Send + Sync {
    fn event(&self, event: Event);

    /// The thread has this name from now on.
    fn named(&self, _thread: ThreadId, _name: &str) {}
}
