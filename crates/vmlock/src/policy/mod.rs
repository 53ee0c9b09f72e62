//! The policy: what the lock does for speed. The core is right whatever is answered here; it asks six questions, and
//! each answer begins with the plain rule, which a mechanism that is switched on (`mechanism`) refines.
//!
//! | question | asked by the core as | plain rule | refined in |
//! |---|---|---|---|
//! | Spin? | `spin_for_free`, `spin_for_turn`, `parks_awake`, `yields_awake` | no | `spin`, `wake_ahead` |
//! | Where to wait? | `place_for_slice` to `slice_begins`, `due_ns`, `wakes_up_beside` | anywhere | `affinity` |
//! | Which slices of the kernel? | `mostly_waits`, `ends_turns`, `forget_slices` | the usual ones | `kernel_slices` |
//! | Yield the processor now? | `back_from_region`, `goes_on_computing` | no | `kernel_slices` |
//! | Wake somebody ahead, or later? | `wake_ahead`, `may_defer_timekeeper` | neither | `wake_ahead` |
//! | Who first? | `Fairness`, `may_take_over`, `looks_for_late_turns` | the queues in their order | `fairness` |
//!
//! What the core tells without a question: `note_begin`, `note_park`, `RecentTurns::note`.
//!
//! Three ideas come again in each of them, and stand here once: `score` (does something pay of late?), `crowding`
//! (others want the processor), `yields` (when to yield again).

mod affinity;
mod crowding;
mod fairness;
mod kernel_slices;
mod mechanism;
mod score;
mod spin;
mod wake_ahead;
mod yields;

pub use crowding::{Crowding, Limits};
pub use mechanism::{Mechanism, Mechanisms};
pub use score::Score;
pub use spin::{Bound, Pause, spin};

pub(crate) use affinity::Gathering;
pub(crate) use fairness::{Fairness, Turn, Usage};
pub(crate) use kernel_slices::Slices;
pub(crate) use spin::Why;
pub(crate) use wake_ahead::RecentTurns;

use crate::config::{Config, setting_ns};
use crate::sys::{AtomicU32, AtomicU64};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

/// What the threads of a lock know together.
pub(crate) struct Policy {
    mechanisms: Mechanisms,
    /// The slot of the thread that spins, plus one; zero: nobody does. Whoever grants to the spinner takes it off, so
    /// that the giver may spin next.
    spinner: AtomicU32,
    spin_ns: AtomicU64,
    /// Does it pay to spin for a lock that becomes free between two turns?
    free_spins: Score,
    ahead_after: u32,
    spin_parked_after: u32,
    slices: kernel_slices::SharedSlices,
}

/// What a thread remembers for the policy.
#[derive(Default)]
pub(crate) struct OfThread {
    /// Were its parks short of late?
    short_parks: Score,
    slices: kernel_slices::OwnSlices,
    affinity: affinity::Affinity,
}

impl Policy {
    pub fn new(config: &Config) -> Policy {
        Policy {
            mechanisms: config.mechanisms.ablated(),
            spinner: AtomicU32::new(0),
            spin_ns: AtomicU64::new(setting_ns(config.spin)),
            free_spins: Score::default(),
            ahead_after: config.ahead_after,
            spin_parked_after: config.spin_parked_after,
            slices: kernel_slices::SharedSlices::default(),
        }
    }

    /// Is that mechanism switched on?
    #[inline(always)]
    pub fn on(&self, mechanism: Mechanism) -> bool {
        self.mechanisms.has(mechanism)
    }

    pub fn set_spin(&self, spin: Duration) {
        self.spin_ns.store(setting_ns(spin), Relaxed);
    }

    /// May a thread that comes back with priority take the turn of one that still wakes up?
    pub fn may_take_over(&self) -> bool {
        self.on(Mechanism::TakeOver)
    }

    /// Do priority waiters look for turns that did not begin in time?
    pub fn looks_for_late_turns(&self) -> bool {
        self.on(Mechanism::TakeOverLate)
    }

    /// May a holder that woke a thread go on for a moment before that one is woken to keep the time?
    pub fn may_defer_timekeeper(&self) -> bool {
        self.on(Mechanism::DeferTimekeeper)
    }

    /// In the child of a fork: nobody else spins.
    pub fn reset_after_fork(&self) {
        self.spinner.store(0, SeqCst);
    }
}

impl OfThread {
    /// Lets the thread run wherever it might before it was bound for its wait. Called by any thread.
    pub fn unbind(&self) {
        self.affinity.unbind();
    }
}
