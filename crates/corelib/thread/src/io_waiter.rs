//! A thread on the list of those who wait for an IO. It lies with the thread's data, so that a wait allocates nothing;
//! the lists are the IO's.

use crate::thread::state::peek;
use rubellite_vm::Ctx;
use rubellite_vm::thread::{ThreadState, interrupt_bits};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A thread on the list of an IO.
pub struct IoWaiter {
    pub thread: Arc<ThreadState>,
    pub fd: Cell<i32>,
    /// What it follows others for, or is followed for; 0: nothing.
    pub events: Cell<i16>,
    pub follows: Cell<bool>,
    pub evicted: Cell<bool>,
}

impl IoWaiter {
    /// One that is on no list.
    pub fn of(thread: Arc<ThreadState>) -> Rc<IoWaiter> {
        Rc::new(IoWaiter {
            thread,
            fd: Cell::new(-1),
            events: Cell::new(0),
            follows: Cell::new(false),
            evicted: Cell::new(false),
        })
    }

    pub fn new(ctx: &Ctx, fd: i32, events: i16, follows: bool) -> Rc<IoWaiter> {
        IoWaiter::of(ctx.thread().clone()).on(fd, events, follows)
    }

    /// The running thread's own, which `keep` puts back, or a new one while that is in use.
    pub fn own(ctx: &Ctx, fd: i32, events: i16, follows: bool) -> Rc<IoWaiter> {
        let own = peek(ctx, ctx.thread().value.get()).and_then(|data| data.waiter.take());
        match own.filter(|own| Rc::strong_count(own) == 1) {
            Some(own) => own.on(fd, events, follows),
            None => IoWaiter::new(ctx, fd, events, follows),
        }
    }

    pub fn on(self: Rc<Self>, fd: i32, events: i16, follows: bool) -> Rc<IoWaiter> {
        self.fd.set(fd);
        self.events.set(events);
        self.follows.set(follows);
        self.evicted.set(false);
        self
    }

    /// Makes it the running thread's own again; it is on no list any more.
    pub fn keep(self: Rc<Self>, ctx: &Ctx) {
        if let Some(data) = peek(ctx, ctx.thread().value.get()) {
            data.waiter.replace(Some(self));
        }
    }

    pub fn nudge(&self) {
        self.thread.lock_thread.interrupt(interrupt_bits::NUDGE);
    }
}
