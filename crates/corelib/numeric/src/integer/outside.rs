//! Long arithmetic outside the VM lock.
//!
//! The library that computes cannot be stopped. What takes long enough to be noticed therefore runs on a thread of its
//! own: an interrupt leaves it behind, and its memory goes when it is done. What takes less than that keeps to the
//! calling thread; interrupts wait for it.

use rubellite_core_thread::outside::until_done;
use rubellite_vm::object::under_this_ceiling;
use rubellite_vm::vmlock::{Kind, spawn_native};
use rubellite_vm::{Ctx, Result};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
/// How often the stop flag is looked at.
const POLL: Duration = Duration::from_millis(5);
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
pub fn compute<R: Send + 'static>(ctx: &mut Ctx, effort: Effort, work: impl FnOnce() -> R + Send + 'static) -> Result<R> {
    match effort {
        Effort::Short => Ok(work()),
        Effort::Long => {
            let result = ctx.without_lock(work);
            ctx.check_interrupts()?;
            Ok(result)
        }
        Effort::VeryLong => apart(ctx, work),
    }
}

/// Runs the work on a thread of its own and waits for it.
fn apart<R: Send + 'static>(ctx: &mut Ctx, work: impl FnOnce() -> R + Send + 'static) -> Result<R> {
    let (sender, receiver) = channel();
    let work = Arc::new(Mutex::new(Some(under_this_ceiling(work))));
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let theirs = work.clone();
    let body = move || {
        if let Some(work) = take(&theirs) {
            // Nobody listens when it was left behind.
            let _ = sender.send(work());
        }
    };
    if !spawn_native("big integer", STACK, body) {
        return match take(&work) {
            Some(work) => Ok(ctx.without_lock(work)),
            None => Err(ctx.runtime_error("arithmetic was lost")),
        };
    }
    let receiver = Mutex::new(receiver);
    let result = until_done(ctx, Kind::Long, |stop| {
        loop {
            match receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL) {
                Ok(result) => return Some(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Some(None),
                Err(RecvTimeoutError::Timeout) if stop.load(Relaxed) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })?;
    match result {
        Some(result) => Ok(result),
        // The thread ended without a result: memory was short.
        None => Err(ctx.no_memory()),
    }
}
