//! Native threads: each runs one Ruby thread after the other. When one has ended, its native thread and its VM stack wait
//! a moment for the next `spawn`, which spares the next Ruby thread their making.
//!
//! A waiting thread sits in a seat on the list. Who starts a thread takes a seat off the list and puts the start into it;
//! a seat whose time is up takes itself off, unless somebody was faster: then its start is on the way. No lock of the VM is
//! held by a waiting thread, and it keeps nothing of the VM alive.

use crate::frame::Stack;
use crate::thread::{Start, run_thread};
use rubellite_vmlock::spawn_native;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of machine stack of a thread that is not the main one.
const NATIVE_BYTES: usize = 1 << 20;
/// Value and frame stack sizes of such a thread.
pub(crate) const VALUES: usize = 1 << 17;
pub(crate) const FRAMES: usize = 12_000;
/// How many threads wait at most, and how long. One that waits keeps some tens of kilobytes; its end and the making of the
/// next one cost far more where many come and go together: both change the process's mappings, which stops its other threads.
const SEATS_MAX: usize = 1024;
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Seat {
    start: Mutex<Option<Start>>,
    ready: Condvar,
}

/// The waiting native threads of a VM.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Arc<Seat>>>);

/// A lock that nobody can have left in disorder: nothing panics while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Runs `start` on a native thread, a waiting one if there is any. False: the system has no thread or no memory for it.
    pub fn spawn(self: &Arc<Self>, start: Start) -> bool {
        let seat = locked(&self.0).pop();
        if let Some(seat) = seat {
            *locked(&seat.start) = Some(start);
            seat.ready.notify_one();
            return true;
        }
        let Some(stack) = Stack::new(VALUES, FRAMES).map(SendStack) else { return false };
        let pool = self.clone();
        // Made here: it would be the first of its size in the new thread's part of the allocator, which costs a page.
        let seat = Arc::new(Seat::default());
        let body = move || {
            let stack = stack;
            pool.serve(start, stack.0, &seat);
        };
        spawn_native("", NATIVE_BYTES, body)
    }

    fn serve(&self, mut start: Start, mut stack: Stack, seat: &Arc<Seat>) {
        loop {
            stack = run_thread(start, stack);
            stack.shrink();
            start = match self.wait(seat) {
                Some(next) => next,
                None => return,
            };
        }
    }

    /// Waits for the next start; `None` when none came in time. The seat is the calling thread's own.
    fn wait(&self, seat: &Arc<Seat>) -> Option<Start> {
        let mut seats = locked(&self.0);
        if seats.len() >= SEATS_MAX {
            return None;
        }
        seats.push(seat.clone());
        drop(seats);
        let mut start = locked(&seat.start);
        loop {
            if start.is_some() {
                return start.take();
            }
            let (guard, timeout) = seat.ready.wait_timeout(start, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            start = guard;
            if timeout.timed_out() && start.is_none() {
                drop(start);
                let mut seats = locked(&self.0);
                if let Some(at) = seats.iter().position(|other| Arc::ptr_eq(other, seat)) {
                    seats.remove(at);
                    return None;
                }
                drop(seats);
                start = locked(&seat.start);
            }
        }
    }
}

/// The stacks of a thread that has not started.
struct SendStack(Stack);

// SAFETY: nobody else has the stacks: they move to the thread that will use them.
unsafe impl Send for SendStack {}
