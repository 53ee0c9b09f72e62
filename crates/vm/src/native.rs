//! The native threads that Ruby threads run on. A native thread runs one Ruby thread after the other: when one has
//! ended, the native thread and its VM stack wait a moment for the next `spawn`, which spares the next Ruby thread
//! their making.
//!
//! An idle native thread stands on a list. Whoever starts a Ruby thread takes one off the list and puts the start into
//! it. An idle thread whose time is up takes itself off, unless somebody was faster: then a start is on the way. An
//! idle thread holds no lock of a VM, and keeps nothing of a VM alive. Where the last starts came soon, an idle thread
//! spins a little before it sleeps: to wake it on an idle processor takes longer than what many a thread does.

use crate::frame::Stack;
use crate::thread::{Start, run_thread};
use rubellite_vmlock::{Bound, Crowding, Limits, Pause, Score, spawn_native, spin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of machine stack of a thread that is not the main one.
const NATIVE_BYTES: usize = 1 << 20;
/// Value and frame stack sizes of such a thread.
pub(crate) const VALUES: usize = 1 << 17;
pub(crate) const FRAMES: usize = 12_000;
/// How many threads wait at most, and how long. One that waits keeps some tens of kilobytes; its end and the making of
/// the next one cost far more where many come and go together: both change the process's mappings, which stops its
/// other threads.
const IDLE_MAX: usize = 1024;
const PATIENCE: Duration = Duration::from_secs(1);
/// How long one spins before it sleeps: about what it costs to sleep and be woken.
const SPIN_NS: u64 = 50_000;
/// A start that comes within this time would have been worth spinning for.
const SOON: Duration = Duration::from_micros(100);
/// How many points (`Score`) for starts that came soon it takes before anybody spins.
const SPIN_AFTER: u32 = 4;
/// A spinner that is kept from running for this long shares the processor with others, who make it start late.
const HELD_UP_NS: u64 = 500_000;
/// For how many starts nobody spins after a spinner was held up.
const CROWDED: Limits = Limits { first: 1024, most: 1 << 15, free_after: 1024 };

/// A native thread that waits for work.
#[derive(Default)]
struct Idle {
    start: Mutex<Option<Start>>,
    ready: Condvar,
    /// There is a start: for one who spins.
    taken: AtomicBool,
}

impl Idle {
    /// Spins for a start. True: others kept it from running meanwhile.
    fn spin(&self) -> bool {
        let mut seen_ns = None;
        let held_up = spin(Bound::Ns(SPIN_NS), Pause::Yield, |now_ns| {
            let held_up = now_ns - seen_ns.replace(now_ns).unwrap_or(now_ns) > HELD_UP_NS;
            (held_up || self.taken.load(Ordering::Acquire)).then_some(held_up)
        });
        held_up.unwrap_or(false)
    }
}

/// The waiting native threads of a VM.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    idle: Vec<Arc<Idle>>,
    recent: RecentStarts,
}

/// How soon the last starts came.
#[derive(Default)]
struct RecentStarts {
    /// How many came soon at all: the clock of `crowding`.
    count: u64,
    soon: Score,
    crowding: Crowding,
}

impl RecentStarts {
    fn spins(&self) -> bool {
        self.soon.points() >= SPIN_AFTER
    }

    /// A thread waited for so long.
    fn note(&mut self, lasted: Duration, held_up: bool) {
        if held_up {
            self.soon.forget();
            self.crowding.seen(self.count, CROWDED);
            return;
        }
        let soon = lasted <= SOON;
        let crowded = self.crowding.lasts(self.count);
        self.count += u64::from(soon);
        if soon && self.soon.points() == Score::MOST {
            self.crowding.free(CROWDED);
        }
        if !crowded {
            self.soon.note(soon);
        }
    }
}

/// A lock that nobody can have left in disorder: nothing panics while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Runs `start` on a native thread, a waiting one if there is any. False: the system has no thread or no memory for
    /// it. `spins`: it may spin for the next one afterwards.
    pub fn spawn(self: &Arc<Self>, start: Start, spins: bool) -> bool {
        let idle = locked(&self.0).idle.pop();
        if let Some(idle) = idle {
            *locked(&idle.start) = Some(start);
            idle.taken.store(true, Ordering::Release);
            idle.ready.notify_one();
            return true;
        }
        let Some(stack) = Stack::new(VALUES, FRAMES).map(SendStack) else { return false };
        let pool = self.clone();
        // Made here: it would be the first of its size in the new thread's part of the allocator, which costs a page.
        let idle = Arc::new(Idle::default());
        let body = move || {
            let stack = stack;
            pool.serve(start, stack.0, &idle, spins);
        };
        spawn_native("", NATIVE_BYTES, body)
    }

    fn serve(&self, mut start: Start, mut stack: Stack, idle: &Arc<Idle>, spins: bool) {
        loop {
            stack = run_thread(start, stack);
            stack.shrink();
            start = match self.wait(idle, spins) {
                Some(next) => next,
                None => return,
            };
        }
    }

    /// Waits for the next start; `None` when none came in time. `idle` is the calling thread's own part.
    fn wait(&self, idle: &Arc<Idle>, may_spin: bool) -> Option<Start> {
        idle.taken.store(false, Ordering::Relaxed);
        let since = Instant::now();
        let mut waiting = locked(&self.0);
        if waiting.idle.len() >= IDLE_MAX {
            return None;
        }
        waiting.idle.push(idle.clone());
        let spins = may_spin && waiting.recent.spins();
        drop(waiting);
        let held_up = spins && idle.spin();
        let start = self.sleep(idle);
        locked(&self.0).recent.note(since.elapsed(), held_up);
        start
    }

    fn sleep(&self, idle: &Arc<Idle>) -> Option<Start> {
        let mut start = locked(&idle.start);
        loop {
            if start.is_some() {
                return start.take();
            }
            let (guard, timeout) = idle.ready.wait_timeout(start, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            start = guard;
            if timeout.timed_out() && start.is_none() {
                drop(start);
                let mut waiting = locked(&self.0);
                if let Some(at) = waiting.idle.iter().position(|other| Arc::ptr_eq(other, idle)) {
                    waiting.idle.remove(at);
                    return None;
                }
                drop(waiting);
                start = locked(&idle.start);
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

    fn after(recent: &mut RecentStarts, starts: u64, lasted: Duration) -> bool {
        (0..starts).for_each(|_| recent.note(lasted, false));
        recent.spins()
    }

    #[test]
    fn starts_that_come_soon_are_spun_for() {
        let mut recent = RecentStarts::default();
        assert!(!recent.spins() && after(&mut recent, SPIN_AFTER.into(), SOON));
        assert!(!after(&mut recent, 1, 2 * SOON), "one that did not");
        let spins = after(&mut recent, 100, SOON) && after(&mut recent, 2, 2 * SOON);
        assert!(spins && !after(&mut recent, 1, 2 * SOON));
        assert!(!after(&mut recent, 100, 2 * SOON) && after(&mut recent, SPIN_AFTER.into(), SOON), "idle for long");
    }

    #[test]
    fn nobody_spins_on_crowded_processors() {
        let mut recent = RecentStarts::default();
        let rest = |recent: &mut RecentStarts| {
            recent.note(SOON, true);
            let starts = (1..).find(|_| after(recent, 1, SOON)).unwrap_or(0);
            starts - u64::from(SPIN_AFTER)
        };
        let rests = [rest(&mut recent), rest(&mut recent), rest(&mut recent)];
        assert_eq!(rests, [CROWDED.first, 2 * CROWDED.first, 4 * CROWDED.first]);
        assert_eq!((0..20).map(|_| rest(&mut recent)).max(), Some(CROWDED.most));
        after(&mut recent, u64::from(CROWDED.free_after + Score::MOST), SOON);
        assert_eq!(rest(&mut recent), CROWDED.first, "free for long enough");
    }
}
