//! Work outside the lock that comes back for callbacks: `Ctx::blocking_with` and the `Region` that it hands to its work.
//!
//! Invariant: nothing of the VM gets outside. The work is `Send`, and so are the callbacks and what they return; a `Value` is
//! not, so that neither a capture nor a local variable of the work can hold one while the lock is away. A `Region` stays on
//! its native thread. The plain ways out, for work without callbacks, are in `thread`.

use crate::thread::Activity;
use crate::turns::Turn;
use crate::{Ctx, Pending, Result, Unwind};
use rubellite_vmlock::{Kind, RegionGuard, Unblock};
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;

/// A thread's stay outside the lock.
pub struct Region<'r, 'g> {
    guard: &'r mut RegionGuard<'g>,
    ctx: NonNull<Ctx>,
    /// The stack pointer that the collector knows: what lies beyond it belongs to the work.
    sp: usize,
    /// A callback ended with an exit, which is pending.
    left: bool,
}

impl Region<'_, '_> {
    /// Whether an interrupt has come that ends waits, whatever the region's unblock function is.
    pub fn interrupted(&self) -> bool {
        self.guard.interrupted()
    }

    /// Takes the lock back, handles interrupts that came meanwhile, runs `call` and leaves the lock again. `Err`: the
    /// exit of `call` (or of an interrupt) is pending; the work should come to its end, further callbacks are
    /// refused in the same way, and the call that began the region passes the exit on instead of the work's result.
    ///
    /// # Errors
    /// `Unwind`, as above.
    pub fn with_lock<R: Send>(&mut self, call: impl FnOnce(&mut Ctx) -> Result<R> + Send) -> Result<R> {
        if self.left {
            return Err(Unwind);
        }
        let (ctx, sp) = (self.ctx, self.sp);
        let outcome = self.guard.with_lock(|| {
            // SAFETY: `blocking_with` holds the `&mut Ctx` for as long as the region lives and does not use it
            // before the work is over; this native thread holds the lock for the length of the callback.
            let ctx = unsafe { &mut *ctx.as_ptr() };
            ctx.set_activity(Activity::Running);
            ctx.tell_turn(Turn::Returns);
            let outcome = ctx.after_wait().and_then(|()| call(ctx));
            if outcome.is_ok() {
                // An exit that the callback has left behind and not passed on would end up in somebody else's call.
                debug_assert!(matches!(ctx.pending, Pending::None), "a callback succeeded with an exit pending");
            }
            ctx.tell_turn(Turn::Leaves);
            ctx.set_activity(Activity::Blocked);
            ctx.leaving_at(sp);
            outcome
        });
        self.left = outcome.is_err();
        outcome
    }
}

impl Ctx {
    /// `blocking_until_done` for work that calls back into the VM: it looks at the flag now and then, says `None` when it saw it
    /// set or when a callback failed, and is begun again after interrupts that raise nothing.
    ///
    /// # Errors
    /// As `blocking_with`.
    pub fn region_until_done<R: Send>(&mut self, kind: Kind, mut work: impl FnMut(&mut Region<'_, '_>, &AtomicBool) -> Option<R> + Send) -> Result<R> {
        loop {
            let stop = AtomicBool::new(false);
            if let Some(Some(result)) = self.blocking_with(kind, Unblock::Flag(&stop), |region| work(region, &stop))? {
                return Ok(result);
            }
        }
    }

    /// `try_blocking` for work that calls back into the VM (`Region::with_lock`). `None`: an interrupt that raised nothing came
    /// before the work began.
    ///
    /// # Errors
    /// What an interrupt raised, what a callback raised; the work's result is then dropped.
    pub fn blocking_with<R: Send>(&mut self, kind: Kind, unblock: Unblock<'_>, work: impl FnOnce(&mut Region<'_, '_>) -> R + Send) -> Result<Option<R>> {
        self.before_wait()?;
        let outcome = self.blocking_with_quietly(kind, unblock, work)?;
        self.after_wait()?;
        Ok(outcome)
    }

    /// The same without the handling of interrupts, before and behind the work.
    ///
    /// # Errors
    /// What a callback raised; the work's result is then dropped.
    pub fn blocking_with_quietly<R: Send>(
        &mut self,
        kind: Kind,
        unblock: Unblock<'_>,
        work: impl FnOnce(&mut Region<'_, '_>) -> R + Send,
    ) -> Result<Option<R>> {
        self.tell_turn(Turn::Leaves);
        self.set_activity(Activity::Blocked);
        let thread = self.thread.clone();
        let ctx = NonNull::from(&mut *self);
        let outcome = rubellite_gc::stack::spill_and_sp(|sp| {
            let sp = sp as usize;
            // SAFETY: the exclusive borrow of `self` is not used otherwise until this closure has returned.
            unsafe { (*ctx.as_ptr()).leaving_at(sp) };
            thread.lock_thread.blocking_with(kind, unblock, |guard| {
                let mut region = Region { guard, ctx, sp, left: false };
                // The thread waits for the lock with it: on the stack, where it goes, the gaps in it would hold what callbacks
                // have left in theirs, and the collector would take that for references.
                let result = Box::new(work(&mut region));
                (result, region.left)
            })
        });
        self.set_activity(Activity::Running);
        self.tell_turn(Turn::Returns);
        match outcome {
            Ok((result, true)) => {
                drop(result);
                Err(Unwind)
            }
            Ok((result, false)) => Ok(Some(*result)),
            Err(_) => Ok(None),
        }
    }
}
