//! The lock inside a Mutex: owned by a fiber, with a list of those who wait.

use super::{Waiters, pass_on, wait_on, wake_one};
use crate::scheduler;
use crate::thread::state::{current, hold, peek};
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
        self.waiters.trace(visit);
    }

    pub fn is_locked(&self) -> bool {
        self.owner.get() != 0
    }

    /// Whether the running fiber owns it.
    #[inline]
    pub fn is_owned(&self, ctx: &Ctx) -> bool {
        self.owner.get() == ctx.thread().id && self.fiber.get() == Some(ctx.current_fiber())
    }

    /// Whether a fiber of the running thread owns it.
    pub fn is_owned_by_thread(&self, ctx: &Ctx) -> bool {
        self.owner.get() == ctx.thread().id
    }

    /// Takes the lock if it is free. `mutex` is the object that it is part of.
    #[inline]
    pub fn try_acquire(&self, ctx: &Ctx, mutex: Value) -> bool {
        if self.owner.get() != 0 {
            return false;
        }
        self.owner.set(ctx.thread().id);
        let fiber = ctx.current_fiber();
        self.fiber.set(Some(fiber));
        if !fiber.is_nil() {
            ctx.write_barrier(mutex, fiber);
        }
        let thread = ctx.thread().value.get();
        if let Some(data) = peek(ctx, thread) {
            hold(ctx, data, mutex);
        }
        true
    }

    /// Takes the lock, waiting for it.
    pub fn acquire(&self, ctx: &mut Ctx, mutex: Value, wait: Wait) -> Result<()> {
        if self.try_acquire(ctx, mutex) {
            return Ok(());
        }
        if self.is_owned(ctx) {
            return Err(ctx.raise_error("ThreadError", "deadlock; recursive locking"));
        }
        while !self.try_acquire(ctx, mutex) {
            if let Err(unwind) = self.wait(ctx, mutex, wait) {
                return Err(if self.is_locked() { unwind } else { pass_on(ctx, &self.waiters, unwind) });
            }
        }
        Ok(())
    }

    /// Sleeps until the lock may be free.
    fn wait(&self, ctx: &mut Ctx, mutex: Value, wait: Wait) -> Result<()> {
        if scheduler::current(ctx).is_some() {
            return wait_on(ctx, &self.waiters, mutex, None).map(drop);
        }
        if self.owner.get() == ctx.thread().id {
            return Err(ctx.raise_error(
                "ThreadError",
                "deadlock; lock already owned by another fiber belonging to the same thread",
            ));
        }
        match wait {
            Wait::Interruptible => wait_on(ctx, &self.waiters, mutex, None).map(drop),
            Wait::Deaf => {
                let data = current(ctx)?;
                data.waits_for.set(mutex);
                self.waiters.enter(ctx, mutex, mutex, |ctx| ctx.park_deaf());
                data.waits_for.set(Value::NIL);
                Ok(())
            }
        }
    }

    /// Gives the lock back; the running fiber must own it.
    pub fn unlock(&self, ctx: &mut Ctx, mutex: Value) -> Result<()> {
        if !self.is_owned(ctx) {
            return Err(self.not_owner(ctx));
        }
        self.forget(ctx, mutex);
        self.release(ctx)
    }

    /// `unlock` if the running fiber owns it and nobody waits for it.
    #[inline]
    pub fn try_unlock(&self, ctx: &Ctx, mutex: Value) -> bool {
        if !self.is_owned(ctx) || !self.waiters.is_empty() {
            return false;
        }
        self.forget(ctx, mutex);
        self.owner.set(0);
        self.fiber.set(None);
        true
    }

    /// The running thread does not hold it any more.
    #[inline]
    fn forget(&self, ctx: &Ctx, mutex: Value) {
        let Some(data) = peek(ctx, ctx.thread().value.get()) else { return };
        let mut held = data.held.borrow_mut();
        if held.last() == Some(&mutex) {
            held.pop();
        } else if let Some(at) = held.iter().rposition(|m| *m == mutex) {
            held.remove(at);
        }
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
    #[inline]
    pub fn release(&self, ctx: &mut Ctx) -> Result<()> {
        self.owner.set(0);
        self.fiber.set(None);
        if self.waiters.is_empty() { Ok(()) } else { wake_one(ctx, &self.waiters) }
    }
}
