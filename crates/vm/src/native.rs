//! Native threads: each runs one Ruby thread after the other. When one has ended, its native thread and its VM stack wait
//! a moment for the next `spawn`, which spares the next Ruby thread their making.
//!
//! A waiting thread sits in a seat on the list. Who starts a thread takes a seat off the list and puts the start into it;
//! a seat whose time is up takes itself off, unless somebody was faster: then its start is on the way. No lock of the VM is
//! held by a waiting thread, and it keeps nothing of the VM alive. Where the last starts came soon it spins a little before it sleeps:
//! to wake it on an idle processor takes longer than what many a thread does.

use crate::frame::Stack;
use crate::thread::{Start, run_thread};
use rubellite_vmlock::spawn_native;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of machine stack of a thread that is not the main one.
const NATIVE_BYTES: usize = 1 << 20;
/// Value and frame stack sizes of such a thread.
pub(crate) const VALUES: usize = 1 << 17;
pub(crate) const FRAMES: usize = 12_000;
/// How many threads wait at most, and how long. One that waits keeps some tens of kilobytes; its end and the making of the
/// next one cost far more where many come and go together: both change the process's mappings, which stops its other threads.
const SEATS_MAX: usize = 1024;
const PATIENCE: Duration = Duration::from_secs(1);
/// How long one spins before it sleeps: about what it costs to sleep and be woken.
const SPIN: Duration = Duration::from_micros(50);
/// A start that comes so soon would have been worth it.
const SOON: Duration = Duration::from_micros(100);
/// So many starts have come soon, less two for each that did not, before anybody spins; no more are remembered.
const SPIN_AFTER: i32 = 4;
const SOON_MAX: i32 = 8;
/// A spinner that is kept from running for so long shares the processor with others, who make it start late.
const HELD_UP: Duration = Duration::from_micros(500);
/// So many starts must come soon after that before anybody spins again: the first time, and at most.
const REST_MIN: i32 = 1024;
const REST_MAX: i32 = 1 << 15;
/// After so many that came soon to spinners the processors are taken to be free again.
const FREE_STARTS: u32 = 1024;

#[derive(Default)]
struct Seat {
    start: Mutex<Option<Start>>,
    ready: Condvar,
    /// There is a start: for one who spins.
    taken: AtomicBool,
}

impl Seat {
    /// Spins for a start. True: others kept it from running meanwhile.
    fn spin(&self, since: Instant) -> bool {
        let mut seen = since;
        while !self.taken.load(Ordering::Acquire) && seen - since < SPIN {
            // Others who want the processor go first.
            std::thread::yield_now();
            let now = Instant::now();
            if now - seen > HELD_UP {
                return true;
            }
            seen = now;
        }
        false
    }
}

/// The waiting native threads of a VM.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Seats>);

#[derive(Default)]
struct Seats {
    free: Vec<Arc<Seat>>,
    pace: Pace,
}

/// How soon the last starts came.
#[derive(Default)]
struct Pace {
    /// How many came soon; negative while the processors are taken to be crowded.
    soon: i32,
    rest: i32,
    calm: u32,
}

impl Pace {
    fn spins(&self) -> bool {
        self.soon >= SPIN_AFTER
    }

    /// A thread waited for so long.
    fn note(&mut self, lasted: Duration, held_up: bool) {
        if held_up {
            self.rest = (2 * self.rest).clamp(REST_MIN, REST_MAX);
            (self.soon, self.calm) = (-self.rest, 0);
        } else if lasted > SOON {
            self.soon = (self.soon - 2).max(self.soon.min(0));
        } else if self.soon < SOON_MAX {
            self.soon += 1;
        } else {
            self.calm = self.calm.saturating_add(1);
            if self.calm == FREE_STARTS {
                self.rest = 0;
            }
        }
    }
}

/// A lock that nobody can have left in disorder: nothing panics while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Runs `start` on a native thread, a waiting one if there is any. False: the system has no thread or no memory for it.
    pub fn spawn(self: &Arc<Self>, start: Start) -> bool {
        let seat = locked(&self.0).free.pop();
        if let Some(seat) = seat {
            *locked(&seat.start) = Some(start);
            seat.taken.store(true, Ordering::Release);
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
        seat.taken.store(false, Ordering::Relaxed);
        let since = Instant::now();
        let mut seats = locked(&self.0);
        if seats.free.len() >= SEATS_MAX {
            return None;
        }
        seats.free.push(seat.clone());
        let spins = seats.pace.spins();
        drop(seats);
        let held_up = spins && seat.spin(since);
        let start = self.sleep(seat);
        locked(&self.0).pace.note(since.elapsed(), held_up);
        start
    }

    fn sleep(&self, seat: &Arc<Seat>) -> Option<Start> {
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
                if let Some(at) = seats.free.iter().position(|other| Arc::ptr_eq(other, seat)) {
                    seats.free.remove(at);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn after(pace: &mut Pace, starts: i32, lasted: Duration) -> bool {
        (0..starts).for_each(|_| pace.note(lasted, false));
        pace.spins()
    }

    #[test]
    fn starts_that_come_soon_are_spun_for() {
        let mut pace = Pace::default();
        assert!(!pace.spins() && after(&mut pace, SPIN_AFTER, SOON));
        assert!(!after(&mut pace, 1, 2 * SOON), "one that did not");
        assert!(after(&mut pace, 100, SOON) && after(&mut pace, 2, 2 * SOON) && !after(&mut pace, 1, 2 * SOON));
        assert!(!after(&mut pace, 100, 2 * SOON) && after(&mut pace, SPIN_AFTER, SOON), "idle for long");
    }

    #[test]
    fn nobody_spins_on_crowded_processors() {
        let mut pace = Pace::default();
        let rest = |pace: &mut Pace| {
            pace.note(HELD_UP, true);
            let starts = (1..).find(|_| after(pace, 1, SOON)).unwrap_or(0);
            starts - SPIN_AFTER
        };
        assert_eq!([rest(&mut pace), rest(&mut pace), rest(&mut pace)], [REST_MIN, 2 * REST_MIN, 4 * REST_MIN]);
        assert_eq!((0..20).map(|_| rest(&mut pace)).max(), Some(REST_MAX));
        after(&mut pace, FREE_STARTS as i32 + SOON_MAX, SOON);
        assert_eq!(rest(&mut pace), REST_MIN, "free for long enough");
    }
}
