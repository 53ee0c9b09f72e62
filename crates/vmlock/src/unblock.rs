//! Unblock functions: how another thread ends a wait or a long computation that
//! runs outside the lock.
//!
//! Invariant: an interrupt is never lost. `LockThread::interrupt` sets the bits
//! first and looks for an unblock function second; a region registers its function
//! first and looks at the bits second. Whichever comes later sees the other.

use crate::sys::{self, Parker};
use crate::thread::LockThread;
use std::sync::atomic::AtomicBool;

/// How to end what a thread does outside the lock.
#[derive(Clone, Copy)]
pub enum Unblock<'a> {
    /// It cannot be ended, or is too short to be worth it.
    None,
    /// The work looks at this flag now and then, and stops when it is set.
    Flag(&'a AtomicBool),
    /// The work waits in a system call that returns EINTR. A signal with an empty
    /// handler is sent, and sent again until the thread has left the region.
    Signal,
    /// The work waits on this parker.
    Park(&'a Parker),
    /// Anything else. Called from the interrupting thread, at most once per interrupt;
    /// it must not take the lock, nor interrupt another thread.
    Fn(&'a (dyn Fn() + Sync)),
}

/// A region did not begin because these embedder bits were already pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(pub u32);

/// The registered function of one thread, without its lifetime: `Registered` takes it
/// away before the lifetime ends.
#[derive(Default)]
pub(crate) struct UnblockSlot {
    function: Option<Unblock<'static>>,
    /// Changes with every registration, so that a repeated signal knows its region.
    turn: u64,
}

/// Takes the function away again when dropped. Never handed out, so that it cannot be
/// forgotten.
pub(crate) struct Registered<'t> {
    thread: &'t LockThread,
    active: bool,
}

impl LockThread {
    /// Registers `unblock`, then looks whether an interrupt came before it.
    pub(crate) fn register_unblock<'t>(&'t self, unblock: Unblock<'t>) -> Result<Registered<'t>, Interrupted> {
        let active = !matches!(unblock, Unblock::None);
        if active {
            // SAFETY: only the lifetime changes. `Registered` borrows nothing longer than 't, is
            // held by `blocking` alone on its stack, and clears the slot under the mutex that
            // every call of the function holds.
            let function = unsafe { std::mem::transmute::<Unblock<'t>, Unblock<'static>>(unblock) };
            let mut slot = sys::lock(&self.unblock);
            slot.turn += 1;
            slot.function = Some(function);
        }
        let registered = Registered { thread: self, active };
        match self.pending_wake_bits() {
            0 => Ok(registered),
            bits => Err(Interrupted(bits)),
        }
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        if self.active {
            sys::lock(&self.thread.unblock).function = None;
        }
    }
}
