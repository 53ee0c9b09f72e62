//! Long arithmetic outside the VM lock.
//!
//! The library that computes cannot be stopped. What takes long enough to be noticed therefore runs on a thread of its
//! own: an interrupt leaves it behind, and its memory goes when it is done. What takes less than that keeps to the
//! calling thread; interrupts wait for it.

use rubellite_core_thread::apart;
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Ctx, Ends, Leave, Result};

/// How much work something is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effort {
    /// Not worth leaving the lock.
    Short,
    /// A fifth of a millisecond and more.
    Long,
    /// Some ten milliseconds and more.
    VeryLong,
}

/// Divisors of two numbers: above this, words of one times words of the other, they are long.
pub const LONG_GCD: usize = 1 << 16;
/// How many times more than "long" makes "very long".
const VERY: usize = 64;
/// The library divides and multiplies by halves: its recursion is as deep as the length has bits.
const STACK: usize = 8 << 20;

impl Effort {
    /// Of something whose time grows with `measure`, at least in proportion, and that is long above `long`.
    pub fn of(measure: usize, long: usize) -> Effort {
        if measure <= long {
            Effort::Short
        } else if measure / VERY <= long {
            Effort::Long
        } else {
            Effort::VeryLong
        }
    }
}

/// Runs pure arithmetic, outside the lock when it is long. Errors: whatever an interrupt raises.
pub fn compute<R: Send + 'static>(
    ctx: &mut Ctx,
    effort: Effort,
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R> {
    match effort {
        Effort::Short => Ok(work()),
        Effort::Long => ctx.outside(Leave::new(Kind::Long, Ends::Never).running(), once(work)),
        Effort::VeryLong => apart::run(ctx, "big integer", STACK, work),
    }
}
