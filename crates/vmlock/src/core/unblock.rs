//! Unblock functions: how another thread ends a wait or a long computation that
//! runs outside the lock.
//!
//! Invariant: an interrupt is never lost. `LockThread::interrupt` sets the bits
//! first and looks for an unblock function second; a region registers its function
//! first and looks at the bits second. Whichever comes later sees the other.

use crate::core::lock::VmLock;
use crate::core::thread::LockThread;
use crate::sys::{self, Mutex, MutexGuard, Native, NativeThread, Park, Parker};
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// A repeated signal waits this long at first, and twice as long each time up to the maximum.
const RESEND_MS_FIRST: u64 = 1;
const RESEND_MS_MAX: u64 = 32;

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
    /// The work is `LockThread::poll`: one signal ends it.
    Poll,
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
    /// The native thread, while the thread is bound: it lives as long as this is set.
    pub native: Option<Native>,
    /// Changes with every registration, so that a repeated signal knows its region.
    turn: u64,
}

/// Takes the function away again when dropped. Never handed out, so that it cannot be
/// forgotten.
pub(crate) struct Registered<'t> {
    thread: &'t LockThread,
    unblock: Unblock<'t>,
}

impl LockThread {
    /// Registers `unblock`, then looks whether an interrupt came before it.
    pub(crate) fn register_unblock<'t>(&'t self, unblock: Unblock<'t>) -> Result<Registered<'t>, Interrupted> {
        let registered = Registered { thread: self, unblock };
        registered.set(true);
        match self.pending_wake_bits() {
            0 => Ok(registered),
            bits => Err(Interrupted(bits)),
        }
    }
}

impl Registered<'_> {
    /// Puts the function in its place, or takes it away.
    fn set(&self, present: bool) {
        if matches!(self.unblock, Unblock::None) {
            return;
        }
        // SAFETY: only the lifetime changes. A `Registered` is held by `blocking_with` alone, on its stack, and
        // clears the slot when it is dropped, under the mutex that every call of the function holds.
        let function = unsafe { std::mem::transmute::<Unblock<'_>, Unblock<'static>>(self.unblock) };
        let mut slot = sys::lock(&self.thread.unblock);
        slot.turn += 1;
        slot.function = present.then_some(function);
    }

    /// The thread takes the lock back for a callback: its safepoints see interrupts now, and the callback may
    /// have regions of its own, or never return.
    pub(crate) fn suspend(&self) {
        self.set(false);
    }

    /// The callback is over. What is still pending ends the region.
    pub(crate) fn resume(&self) {
        self.set(true);
        if self.thread.pending_wake_bits() != 0 {
            self.thread.end_region();
        }
    }
}

impl LockThread {
    /// Runs the unblock function, if the thread is in a region that has one.
    pub(crate) fn end_region(&self) {
        let slot = sys::lock(&self.unblock);
        match slot.function {
            None | Some(Unblock::None) => {}
            Some(Unblock::Flag(flag)) => flag.store(true, SeqCst),
            Some(Unblock::Park(parker)) => parker.unpark(),
            Some(Unblock::Fn(function)) => function(),
            Some(function @ (Unblock::Signal | Unblock::Poll)) => {
                let turn = slot.turn;
                drop(slot);
                let once = matches!(function, Unblock::Poll) && sys::signal_ends_poll();
                if self.signal_again(turn) && !once {
                    self.lock.resend(self, turn);
                }
            }
        }
    }

    /// Sends the signal if the thread is still in the region of that turn.
    fn signal_again(&self, turn: u64) -> bool {
        let slot = sys::lock(&self.unblock);
        let still = slot.turn == turn && slot.function.is_some();
        if let (true, Some(native)) = (still, &slot.native) {
            native.signal();
        }
        still
    }
}

/// Repeats signals from a thread of its own, which ends when there is nothing left to repeat: a
/// signal that arrives just before the system call begins is lost to it.
#[derive(Default)]
pub(crate) struct Resender(Mutex<Resends>);

#[derive(Default)]
pub(crate) struct Resends {
    targets: Vec<(Arc<LockThread>, u64)>,
    running: bool,
}

impl Resender {
    /// Keeps the list from changing, for a fork.
    pub fn at_rest(&self) -> MutexGuard<'_, Resends> {
        sys::lock(&self.0)
    }

    /// In the child of a fork the repeating thread is gone.
    pub fn reset(&self) {
        *sys::lock(&self.0) = Resends::default();
    }

    /// One round; false when nothing is left.
    fn again(&self) -> bool {
        let mut list = sys::lock(&self.0);
        list.targets.retain(|(thread, turn)| thread.signal_again(*turn));
        list.running = !list.targets.is_empty();
        list.running
    }
}

impl VmLock {
    fn resend(&self, thread: &LockThread, turn: u64) {
        let target = self.thread_of(thread.id()).filter(|target| std::ptr::eq(&raw const **target, thread));
        let Some(target) = target else { return };
        let lock = Arc::downgrade(&target.lock);
        let mut list = sys::lock(&self.resender.0);
        list.targets.push((target, turn));
        if !list.running {
            list.running = sys::spawn("vmlock signals", move || repeat_signals(&lock));
        }
    }
}

fn repeat_signals(lock: &Weak<VmLock>) {
    let mut pause_ms = RESEND_MS_FIRST;
    loop {
        sys::sleep(Duration::from_millis(pause_ms));
        pause_ms = (pause_ms * 2).min(RESEND_MS_MAX);
        if !lock.upgrade().is_some_and(|lock| lock.resender.again()) {
            return;
        }
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        if !matches!(self.unblock, Unblock::None) {
            sys::lock(&self.thread.unblock).function = None;
        }
    }
}
