//! The lock inside a Mutex: owned by a fiber, with a list of those who wait.

use super::{Waiters, wake_one};
use crate::concurrency::thread::state::{current, try_data};
use rubellite_vm::{Ctx, Result, Unwind, Value};
use std::cell::Cell;

#[derive(Default)]
pub struct Lock {
    /// Id of the owning thread; 0: free.
    owner: Cell<u64>,
    /// The owning fiber; nil: the thread's root fiber.
    fiber: Cell<Option<Value>>,
    pub waiters: Waiters,
}

/// How a wait for the lock treats interrupts.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Wait {
    Interruptible,
    /// The caller must own the lock when it goes on, whatever is pending.
    Deaf,
}

impl Lock {
    pub fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.fiber.get().unwrap_or(Value::NIL));
    }

    pub fn is_locked(&self) -> bool {
        self.owner.get() != 0
    }

    /// Whether the running fiber owns it.
    #[inline]
    pub fn is_owned(&self, ctx: &Ctx) -> bool {
        self.owner.get() == ctx.thread().id && self.fiber.get() == Some(ctx.current_fiber())
    }

    /// Takes the lock if it is free. `mutex` is the object that it is part of.
    #[inline]
    pub fn try_acquire(&self, ctx: &Ctx, mutex: Value) -> bool {
        if self.owner.get() != 0 {
            return false;
        }
        self.owner.set(ctx.thread().id);
        self.fiber.set(Some(ctx.current_fiber()));
        ctx.write_barrier(mutex, ctx.current_fiber());
        let thread = ctx.thread().value.get();
        if let Some(data) = try_data(ctx, thread) {
            data.held.borrow_mut().push(mutex);
            ctx.write_barrier(thread, mutex);
        }
        true
    }

    /// Takes the lock, waiting for it.
    pub fn acquire(&self, ctx: &mut Ctx, mutex: Value, wait: Wait) -> Result<()> {
        if self.try_acquire(ctx, mutex) {
            return Ok(());
        }
        if self.owner.get() == ctx.thread().id {
            let own = self.is_owned(ctx);
            let message = if own { "deadlock; recursive locking" } else { "deadlock; lock already owned by another fiber belonging to the same thread" };
            return Err(ctx.raise_error("ThreadError", message));
        }
        let me = ctx.thread().clone();
        let data = current(ctx)?;
        data.waits_for.set(mutex);
        let mut outcome = Ok(());
        while !self.try_acquire(ctx, mutex) {
            outcome = self.waiters.enter(me.clone(), || match wait {
                Wait::Interruptible => ctx.park_for_thread(None).map(drop),
                Wait::Deaf => {
                    ctx.park_deaf();
                    Ok(())
                }
            });
            if outcome.is_err() {
                break;
            }
        }
        data.waits_for.set(Value::NIL);
        if outcome.is_err() && !self.is_locked() {
            wake_one(ctx, &self.waiters);
        }
        outcome
    }

    /// Gives the lock back; the running fiber must own it.
    pub fn unlock(&self, ctx: &mut Ctx, mutex: Value) -> Result<()> {
        if !self.is_owned(ctx) {
            return Err(self.not_owner(ctx));
        }
        let thread = ctx.thread().value.get();
        if let Some(data) = try_data(ctx, thread) {
            let mut held = data.held.borrow_mut();
            if let Some(at) = held.iter().rposition(|m| *m == mutex) {
                held.remove(at);
            }
        }
        self.release(ctx);
        Ok(())
    }

    #[cold]
    fn not_owner(&self, ctx: &mut Ctx) -> Unwind {
        let message = if self.is_locked() {
            "Attempt to unlock a mutex which is locked by another thread/fiber"
        } else {
            "Attempt to unlock a mutex which is not locked"
        };
        ctx.raise_error("ThreadError", message)
    }

    /// Frees the lock, whoever owns it.
    pub fn release(&self, ctx: &Ctx) {
        self.owner.set(0);
        self.fiber.set(None);
        if !self.waiters.is_empty() {
            wake_one(ctx, &self.waiters);
        }
    }
}
