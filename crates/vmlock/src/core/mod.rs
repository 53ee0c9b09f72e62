//! The lock itself: its word, its queues, and every transition between its states. Where there is a choice that only
//! costs or gains time, the core asks the `policy`, and is right whatever the answer.

pub(crate) mod designated;
pub(crate) mod fork;
pub(crate) mod holds;
pub(crate) mod interrupt;
pub(crate) mod lock;
pub(crate) mod observe;
pub(crate) mod park;
pub(crate) mod queue;
pub(crate) mod region;
pub(crate) mod schedule;
pub(crate) mod stats;
pub(crate) mod takeover;
pub(crate) mod thread;
pub(crate) mod trace;
pub(crate) mod transitions;
pub(crate) mod unblock;
pub(crate) mod wait;
pub(crate) mod wakes;
pub(crate) mod word;
