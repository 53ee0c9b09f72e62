//! Schedule control: the hook through which every decision about who runs next
//! passes, so that a test can fix or explore the interleavings of a program.
//!
//! With a schedule installed, time plays no part: no slice ends, nothing is stolen,
//! nobody spins; every region releases the lock, and each poll of a safepoint is a
//! switch point. `VmLock::choose` is the one place that asks.

use crate::stats::Reason;
use crate::thread::ThreadId;

/// Where a decision is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchPoint {
    /// The holder polled at a safepoint. It may go on.
    Safepoint,
    /// The holder gives the lock up, for this reason. Somebody must be chosen.
    Leave(Reason),
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// What the lock would do by itself: at a safepoint go on, otherwise the head of the queue.
    Default,
    /// The waiter at this index is next. Out of range counts as `Default`.
    Give(usize),
}

/// Decides every switch.
pub trait Schedule: Send + Sync {
    /// `current` holds the lock, `waiting` queue for it (never empty), in the order in which
    /// they came. Called under the lock's internal mutex: do not call back into the lock.
    fn decide(&self, at: SwitchPoint, current: ThreadId, waiting: &[ThreadId]) -> Decision;
}
