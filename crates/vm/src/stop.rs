//! `Stop`: how work outside the lock learns that it should end early. `Offer`: how a fiber's scheduler may take such
//! work over.

use crate::{Ctx, Result};
use rubellite_vmlock::Kind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether work should give up. It answers quickly: asking every few thousand steps costs nothing.
pub struct Stop<'a>(&'a AtomicBool);

/// Nobody sets it.
static UNSET: AtomicBool = AtomicBool::new(false);

impl Stop<'_> {
    /// For work that nobody stops.
    pub const NEVER: Stop<'static> = Stop(&UNSET);

    /// What a flag says.
    pub fn of(flag: &AtomicBool) -> Stop<'_> {
        Stop(flag)
    }

    #[inline]
    pub fn requested(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// The same in a loop of small steps: asks every 65,536th.
    #[inline]
    pub fn requested_at(&self, step: usize) -> bool {
        step & 0xffff == 0xffff && self.requested()
    }

    /// The flag itself, for libraries that look at one.
    pub fn flag(&self) -> &AtomicBool {
        self.0
    }
}

/// Whoever may have work done elsewhere (`Leave::offered`): runs it, or leaves it alone.
pub type Offer = fn(&mut Ctx, Kind, by_signal: bool, &mut (dyn FnMut(&Stop<'_>) + Send)) -> Result<()>;
