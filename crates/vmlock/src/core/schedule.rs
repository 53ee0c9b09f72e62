//! Schedule control: the hook through which every decision about who runs next
//! passes, so that a test can fix or explore the interleavings of a program.
//!
//! With a schedule installed, real time plays no part: no slice ends, nothing is stolen,
//! nobody spins; a short region keeps the lock, a new thread has its place in the queue from
//! its announcement on, and each poll of a safepoint is a switch point. `Inner::choose` is the
//! one place that asks.
//!
//! Deadlines of parks run on the schedule's own clock (`VmLock::now`). It ticks at every safepoint, and leaps to
//! the next deadline when every thread is parked. So the order of all switches follows from
//! the decisions alone, except where a thread is in a long region: what comes from outside
//! comes when it comes. While somebody is there, and nobody runs, real deadlines count.

use crate::core::lock::{Inner, VmLock};
use crate::core::park::ParkResult;
use crate::core::queue::Sleep;
use crate::core::stats::Reason;
use crate::core::thread::{Entry, LockThread, ThreadId};
use crate::core::wakes::Wakes;
use crate::core::word;
use crate::sys;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// What a safepoint adds to the schedule's clock.
const TICK_NS: u64 = 1_000;

/// Where a decision is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchPoint {
    /// The holder polled at a safepoint. It may go on.
    Safepoint,
    /// The holder gives the lock up, for this reason. Somebody must be chosen.
    Leave(Reason),
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// What the lock would do by itself: at a safepoint go on, otherwise the head of the queue.
    Default,
    /// The waiter at this index is next. Out of range counts as `Default`.
    Give(usize),
}

/// Decides every switch.
pub trait Schedule: Send + Sync {
    /// `current` holds the lock, `waiting` queue for it (never empty), in the order in which
    /// they came. Called under the lock's internal mutex: do not call back into the lock.
    fn decide(&self, at: SwitchPoint, current: ThreadId, waiting: &[ThreadId]) -> Decision;
}

/// A schedule drawn from a seed: the same seed, the same switches.
pub struct SeededSchedule {
    state: AtomicU64,
    one_in: u64,
    decisions: AtomicU64,
    /// Switches at safepoints so far, and how many there may be.
    forced: AtomicU64,
    forced_max: u64,
}

impl SeededSchedule {
    /// At a safepoint it switches once in `one_in` times; 0 counts as 1.
    pub fn new(seed: u64, one_in: u32) -> Self {
        let one_in = u64::from(one_in.max(1));
        SeededSchedule {
            state: AtomicU64::new(seed),
            one_in,
            decisions: AtomicU64::new(0),
            forced: AtomicU64::new(0),
            forced_max: u64::MAX,
        }
    }

    /// The same schedule up to its `switches`th switch at a safepoint, and none at safepoints after it.
    pub fn with_at_most(self, switches: u64) -> Self {
        SeededSchedule { forced_max: switches, ..self }
    }

    /// How many switches there were at safepoints, where the thread could have gone on.
    pub fn forced(&self) -> u64 {
        self.forced.load(Relaxed)
    }

    /// How many decisions it has made.
    pub fn decisions(&self) -> u64 {
        self.decisions.load(Relaxed)
    }

    /// Steele, Lea and Flood's SplitMix64.
    fn draw(&self, below: u64) -> u64 {
        let mut z = self.state.load(Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state.store(z, Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }
}

impl Schedule for SeededSchedule {
    fn decide(&self, at: SwitchPoint, _: ThreadId, waiting: &[ThreadId]) -> Decision {
        self.decisions.fetch_add(1, Relaxed);
        if at == SwitchPoint::Safepoint {
            if self.draw(self.one_in) != 0 || self.forced() >= self.forced_max {
                return Decision::Default;
            }
            self.forced.fetch_add(1, Relaxed);
        }
        Decision::Give(self.draw(waiting.len() as u64) as usize)
    }
}

impl VmLock {
    /// Is a schedule installed?
    pub fn is_controlled(&self) -> bool {
        self.controlled.load(Relaxed)
    }

    /// The schedule's clock, in nanoseconds; `None` without a schedule.
    pub fn schedule_clock_ns(&self) -> Option<u64> {
        let inner = sys::lock(&self.inner);
        inner.schedule.is_some().then_some(inner.clock_ns)
    }

    /// The time of this lock: the schedule's, as long as one is installed, the real one otherwise. Deadlines
    /// of parks are to be reckoned from it.
    pub fn now(&self) -> Instant {
        if self.is_controlled() {
            let inner = sys::lock(&self.inner);
            if let Some(base) = inner.clock_base {
                return base + Duration::from_nanos(inner.clock_ns);
            }
        }
        Instant::now()
    }

    /// A moment on the schedule's clock; `None` without a schedule.
    pub(crate) fn on_schedule_ns(&self, at: Instant) -> Option<u64> {
        if !self.is_controlled() {
            return None;
        }
        sys::lock(&self.inner).clock_base.map(|base| sys::since_ns(at, base))
    }

    /// Queues a thread whose native thread is about to start.
    pub(crate) fn announce(&self, thread: &Arc<LockThread>) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        if inner.schedule.is_none() || thread.slot() != word::OWNERS {
            return;
        }
        self.insert(&mut inner, thread);
        if let Some(slot) = inner.table.get_mut(thread.slot()) {
            slot.announced = true;
            slot.sleep = Sleep::Asleep;
        }
        if self.take_or_queue(&mut inner, thread, Entry::Normal, sys::now_ns(), &mut wakes) {
            thread.granted.store(true, Release);
        }
        drop(inner);
        wakes.send();
    }

    /// Was the thread announced, so that it is queued or has the lock already? True once.
    pub(crate) fn was_announced(&self, inner: &mut Inner, thread: &LockThread) -> bool {
        let me = thread.slot();
        let announced = inner.table.get_mut(me).is_some_and(|slot| std::mem::take(&mut slot.announced));
        if announced {
            inner.table.set_sleep(me, Sleep::Awake);
        }
        announced
    }

    /// A safepoint: the schedule's clock goes on, and parks end.
    pub(crate) fn tick(&self, inner: &mut Inner, now_ns: u64, wakes: &mut Wakes) {
        inner.clock_ns += TICK_NS;
        while let Some((at_ns, id)) = inner.table.first_to_wake().filter(|(at_ns, _)| *at_ns <= inner.clock_ns) {
            debug_assert!(at_ns <= inner.clock_ns);
            self.time_out(inner, id, now_ns, wakes);
        }
    }

    /// Everybody but the `holders` (one or none) is parked: the clock leaps to the first deadline.
    pub(crate) fn leap(&self, inner: &mut Inner, holders: usize, wakes: &mut Wakes) {
        let running = word::state(self.word.load(SeqCst)) != word::FREE;
        if inner.schedule.is_none() || usize::from(running) != holders || inner.table.away() != 0 {
            return;
        }
        if let Some((at_ns, id)) = inner.table.first_to_wake() {
            inner.clock_ns = inner.clock_ns.max(at_ns);
            self.time_out(inner, id, sys::now_ns(), wakes);
        }
    }

    fn time_out(&self, inner: &mut Inner, id: u32, now_ns: u64, wakes: &mut Wakes) {
        if let Some(slot) = inner.table.get(id) {
            slot.thread.park_result.store(ParkResult::TimedOut as u32, Relaxed);
        }
        self.requeue_parked(inner, id, Entry::Normal, now_ns, wakes);
    }
}
