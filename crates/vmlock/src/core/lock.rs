//! `VmLock`: the state machine.
//!
//! The word (`word`) is in one of these states:
//!
//! - **FREE**: nobody has the lock.
//! - **HELD(t)**: thread t runs the interpreter. With GIVEN it was handed the lock and does not know yet: it may still
//!   be asleep.
//! - **LENT(t)**: t is in a short region and will take the lock back without asking.
//! - **MOVING**: a thread that holds the internal mutex is passing a lent lock on.
//!
//! Transitions. Those marked * are one compare-and-swap outside the mutex and are
//! allowed only without waiters (WAITED) and without a trace or schedule (SLOW),
//! except lending and taking back, which never need the mutex.
//!
//! | transition | from -> to | by |
//! |---|---|---|
//! | `try_acquire` * | FREE -> HELD(t) | t |
//! | `release` * | HELD(t) -> FREE | t |
//! | `enter_region` * | HELD(t) -> LENT(t), next region number | t |
//! | `leave_region` * | LENT(t) -> HELD(t) | t |
//! | `take_or_queue` | FREE -> HELD(t), or sets WAITED and queues t | t, or who unparks it |
//! | `leave` | HELD(t) or MOVING -> FREE or HELD(next) | t |
//! | `stay_parked` | takes t out of the queue, and clears WAITED if it is empty | the holder |
//! | `hand_over` | HELD(t) or MOVING -> HELD(next), GIVEN | t or a thief |
//! | `is_granted` | HELD(next), GIVEN -> HELD(next) | next |
//! | `take_over` | HELD(next), GIVEN -> HELD(t), and queues next | t |
//! | `reserve` | LENT(t) -> MOVING | t or a thief |
//!
//! Invariants, whenever the mutex is free:
//!
//! - **I1** FREE: both queues are empty. So nobody waits for a lock that nobody has.
//! - **I2** WAITED: a queue is not empty, and the other way round. So whoever leaves in the fast way leaves nobody
//!   behind.
//! - **I3** A queue is not empty: some waiter is awake and will look before it sleeps, or one waiter, the timekeeper,
//!   sleeps no longer than until the holder must be asked to give way (`ensure_timekeeper`), or the holder has been
//!   asked, or it has TIMEKEEPER in its interrupt word and wakes a timekeeper at a safepoint, in a short region, or by
//!   leaving (`defer_timekeeper`).
//! - **I4** LENT with a waiter: `watched` is set, or the owner is about to look at it (`lent_slow`), or a waiter is
//!   about to look at the word (`settle`). The owner publishes LENT and then reads `watched`; the timekeeper clears
//!   `watched` and then reads the word; all four are sequentially consistent, so that one of the two sees the other.
//! - **I5** A holder that has been asked (`Turn::asked`) has a bit of the lock in its interrupt word. It is raised
//!   before the word is read again: either the asker sees LENT, or the owner sees the bit when it lends.
//!
//! The giver chooses the successor and writes HELD(successor) before it wakes it, so that
//! nobody can barge in, and a thread whose slice has ended cannot take the lock back
//! before another has run. One that comes back with priority may use the time that a successor needs to wake up
//! (`takeover`).
//!
//! Rejected: a timer thread (97.6 % of the throughput at slices of 1 ms against 99 %, and
//! unfair shares); competition for a freed lock (the old holder always wins); a condition
//! variable for all waiters (245 ns for an uncontended pair against 5).
//!
//! The mutex is never held while a thread sleeps or is woken. Lock order: the resender's list, a
//! thread's `unblock`, its name, `inner`.

use crate::config::{Config, setting_ns};
use crate::core::designated;
use crate::core::holds::Holds;
use crate::core::queue::{Sleep, Table};
use crate::core::region::Predictors;
use crate::core::schedule::{Decision, Schedule, SwitchPoint};
use crate::core::stats::{Phase, Reason, ThreadStats, Wait};
use crate::core::thread::{Entry, LockThread, ThreadId};
use crate::core::trace::{Event, EventKind, Trace};
use crate::core::unblock::Resender;
use crate::core::wakes::Wakes;
use crate::core::{interrupt::InterruptWord, word};
use crate::policy::{Fairness, Gathering, Mechanism, Policy, RecentTurns, Turn};
use crate::sys::{self, AtomicBool, AtomicU64, Mutex, Native, NativeThread};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::{Duration, Instant};

/// What is left of a slice that was cut short is at least this.
pub(crate) const SLICE_LEFT_MIN_NS: u64 = 50_000;

/// How many threads do what. A deadlock, for instance, is `parked_forever` equal to `attached`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Threads bound and not yet detached.
    pub attached: usize,
    /// Of them: queued for the lock.
    pub queued: usize,
    /// Of them: in `park`.
    pub parked: usize,
    /// Of those in `park`: without a deadline.
    pub parked_forever: usize,
}

/// A value on a cache line of its own (two, for the prefetcher's sake).
#[repr(align(128))]
pub(crate) struct Line<T>(pub T);

impl<T> std::ops::Deref for Line<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The lock of one virtual machine.
pub struct VmLock {
    pub(crate) word: Line<AtomicU64>,
    /// The timekeeper looks at the word at short intervals, or is being woken to.
    pub(crate) watched: Line<AtomicBool>,
    /// Where there is a choice, it says what pays.
    pub(crate) policy: Policy,
    slice_ns: AtomicU64,
    pub(crate) steal_age_ns: u64,
    pub(crate) watch_ns: u64,
    pub(crate) inner: Line<Mutex<Inner>>,
    pub(crate) resender: Resender,
    /// What is known of the regions of each call site.
    pub(crate) predictors: Predictors,
    pub(crate) controlled: AtomicBool,
}

/// The waiter that keeps the time.
#[derive(Clone, Copy)]
pub(crate) struct Timekeeper {
    pub slot: u32,
    /// When it will wake; `u64::MAX` when it was not needed.
    pub at_ns: u64,
}

/// What lies under the mutex.
pub(crate) struct Inner {
    pub table: Table,
    pub turn: Turn,
    pub fairness: Fairness,
    pub timekeeper: Option<Timekeeper>,
    pub recent_turns: RecentTurns,
    pub gathering: Gathering,
    pub trace: Option<Arc<dyn Trace>>,
    pub schedule: Option<Arc<dyn Schedule>>,
    /// The schedule's own time.
    pub clock_ns: u64,
    /// The real moment at which it began.
    pub clock_base: Option<Instant>,
    /// The counters of the threads that were detached.
    pub departed: ThreadStats,
    /// The last turns, while threads are measured.
    pub holds: Option<Holds>,
}

impl Inner {
    pub fn emit(&self, at_ns: u64, thread: u32, kind: EventKind) {
        if let Some(trace) = &self.trace {
            trace.event(Event { at_ns, thread: ThreadId(thread), kind });
        }
    }

    /// When the holder should be asked to give way. Never under a schedule: it is asked at
    /// every safepoint.
    pub fn alarm_ns(&self, holder: u32, now_ns: u64) -> Option<u64> {
        if self.schedule.is_some() {
            return None;
        }
        self.fairness.alarm_ns(&self.turn, holder, &self.table, now_ns)
    }

    /// The one place where it is decided who is next: the waiter and whether its priority
    /// chose it. `None`: the holder goes on (at a safepoint), or nobody waits.
    pub(super) fn choose(&self, at: SwitchPoint, holder: u32, now_ns: u64) -> Option<(u32, bool)> {
        if self.table.is_empty() {
            return None;
        }
        let stays = match (&self.schedule, at) {
            (Some(schedule), _) => {
                let entries = [Entry::Priority, Entry::Normal];
                let waiting: Vec<u32> = entries.iter().flat_map(|entry| self.table.iter(*entry)).collect();
                let ids: Vec<ThreadId> = waiting.iter().copied().map(ThreadId).collect();
                match schedule.decide(at, ThreadId(holder), &ids) {
                    Decision::Give(index) if index < waiting.len() => return Some((waiting[index], false)),
                    _ => at == SwitchPoint::Safepoint,
                }
            }
            (None, SwitchPoint::Safepoint) => {
                now_ns < self.turn.deadline_ns && !self.fairness.outranked(&self.turn, holder, &self.table, now_ns)
            }
            (None, SwitchPoint::Leave(_)) => false,
        };
        if stays { None } else { self.fairness.pick(&self.turn, &self.table, now_ns) }
    }

    /// Takes a waiter out of its queue, and off the timekeeper's part.
    pub(crate) fn unqueue(&mut self, id: u32) {
        self.table.dequeue(id);
        self.not_timekeeper(id);
    }

    pub(crate) fn not_timekeeper(&mut self, id: u32) {
        if self.timekeeper.is_some_and(|timekeeper| timekeeper.slot == id) {
            self.timekeeper = None;
        }
    }

    /// Will a timekeeper wake in time? The first in line is made the timekeeper if it sleeps until its turn is due.
    pub(crate) fn has_timekeeper(&mut self, alarm_ns: u64, now_ns: u64) -> bool {
        let in_time = |at_ns: u64| at_ns <= alarm_ns.saturating_add(20_000 + alarm_ns.saturating_sub(now_ns) / 16);
        if self.timekeeper.is_some_and(|timekeeper| in_time(timekeeper.at_ns)) {
            return true;
        }
        let first =
            self.table.first().and_then(|id| Some(Timekeeper { slot: id, at_ns: self.table.get(id)?.wakes_ns? }));
        let first = first.filter(|first| in_time(first.at_ns));
        if first.is_some() {
            self.timekeeper = first;
        }
        first.is_some()
    }

    /// Wakes a waiter, which will look before it sleeps (I3).
    pub(crate) fn make_look(&mut self, id: u32, wakes: &mut Wakes) {
        self.table.set_sleep(id, Sleep::Waking);
        wakes.timekeeper = self.table.get(id).map(|slot| Arc::clone(&slot.thread));
    }

    /// The holder's turn is over.
    pub(crate) fn close_turn(&mut self, holder: u32, reason: Reason, now_ns: u64) {
        let held_ns = self.fairness.close(&mut self.turn, holder, &mut self.table, now_ns);
        self.recent_turns.note(reason, held_ns);
        if let Some(slot) = self.table.get(holder) {
            slot.thread.counters.begin(Phase::Outside, now_ns);
        }
        if self.holds.is_some() {
            self.note_hold(holder, held_ns, now_ns);
        }
        self.emit(now_ns, holder, EventKind::Stop { reason, held_ns });
    }
}

impl VmLock {
    /// A free lock.
    pub fn new(config: Config) -> Arc<VmLock> {
        let inner = Inner {
            table: Table::default(),
            turn: Turn::default(),
            fairness: Fairness::new(&config),
            timekeeper: None,
            recent_turns: RecentTurns::default(),
            gathering: Gathering::default(),
            trace: None,
            schedule: None,
            clock_ns: 0,
            clock_base: None,
            departed: ThreadStats::default(),
            holds: None,
        };
        let lock = Arc::new(VmLock {
            word: Line(AtomicU64::new(word::FREE)),
            watched: Line(AtomicBool::new(false)),
            policy: Policy::new(&config),
            slice_ns: AtomicU64::new(setting_ns(config.slice)),
            steal_age_ns: setting_ns(config.steal_age),
            watch_ns: setting_ns(config.watch_interval).max(1000),
            inner: Line(Mutex::new(inner)),
            resender: Resender::default(),
            predictors: Predictors::new(),
            controlled: AtomicBool::new(false),
        });
        designated::made(&lock);
        lock
    }

    /// A thread for the calling native thread: `prepare` and `bind` in one.
    pub fn attach(self: &Arc<Self>, name: &str) -> Arc<LockThread> {
        let thread = self.prepare(name);
        thread.bind();
        thread
    }

    /// A thread that a native thread will `bind` later. It can be interrupted already.
    pub fn prepare(self: &Arc<Self>, name: &str) -> Arc<LockThread> {
        Arc::new(LockThread::new(Arc::clone(self), name))
    }

    /// The slice of all threads that have none of their own, from the next grant on.
    pub fn set_slice(&self, slice: Duration) {
        self.slice_ns.store(setting_ns(slice), Relaxed);
    }

    /// See `set_slice`.
    pub fn slice(&self) -> Duration {
        Duration::from_nanos(self.slice_ns.load(Relaxed))
    }

    /// The counters of all threads together, those that were detached included.
    pub fn totals(&self) -> ThreadStats {
        let inner = sys::lock(&self.inner);
        let mut totals = inner.departed.clone();
        inner.table.threads().iter().for_each(|thread| totals.add(&thread.stats()));
        totals
    }

    /// How long a waiter may spin; zero switches spinning off.
    pub fn set_spin(&self, spin: Duration) {
        self.policy.set_spin(spin);
    }

    /// Is that mechanism of the policy switched on?
    pub fn uses(&self, mechanism: Mechanism) -> bool {
        self.policy.on(mechanism)
    }

    /// Installs or removes schedule control. To be done while one thread at most is attached.
    pub fn set_schedule(&self, schedule: Option<Arc<dyn Schedule>>) {
        let mut inner = sys::lock(&self.inner);
        self.controlled.store(schedule.is_some(), SeqCst);
        inner.clock_base = schedule.is_some().then(Instant::now);
        inner.clock_ns = 0;
        inner.schedule = schedule;
        self.close_fast_paths(&inner);
        let holder = word::owner(self.word.load(SeqCst));
        if let (Some(_), Some(slot)) = (&inner.schedule, inner.table.get(holder)) {
            slot.thread.interrupt.raise(InterruptWord::PREEMPT);
        }
    }

    pub(crate) fn close_fast_paths(&self, inner: &Inner) {
        if inner.trace.is_some() || inner.schedule.is_some() {
            self.word.fetch_or(word::SLOW, SeqCst);
        } else {
            self.word.fetch_and(!word::SLOW, SeqCst);
        }
    }

    /// The attached threads, oldest first.
    pub fn threads(&self) -> Vec<Arc<LockThread>> {
        sys::lock(&self.inner).table.threads()
    }

    /// Counts the attached threads by what they do.
    pub fn census(&self) -> Census {
        let inner = sys::lock(&self.inner);
        Census {
            attached: inner.table.attached(),
            queued: inner.table.len(Entry::Normal) + inner.table.len(Entry::Priority),
            parked: inner.table.parked,
            parked_forever: inner.table.parked_forever,
        }
    }

    /// Does anybody queue for the lock?
    #[inline]
    pub fn waited_for(&self) -> bool {
        self.word.load(Relaxed) & word::WAITED != 0
    }

    /// The attached thread in that slot.
    pub fn thread_of(&self, id: ThreadId) -> Option<Arc<LockThread>> {
        sys::lock(&self.inner).table.get(id.0).map(|slot| Arc::clone(&slot.thread))
    }

    /// The thread that a wait was spent behind, if it is attached still.
    pub fn thread_behind(&self, wait: &Wait) -> Option<Arc<LockThread>> {
        self.thread_of(wait.behind).filter(|thread| thread.counters.bound_ns() <= wait.at_ns)
    }

    pub(crate) fn bind(&self, thread: &Arc<LockThread>) {
        if thread.detached.load(SeqCst) {
            return;
        }
        let native = Native::current();
        sys::lock(&thread.unblock).native = Some(native);
        let name = sys::lock(&thread.name);
        // Of a place in a file, the file's name and the line.
        native.set_name(name.rsplit('/').next().unwrap_or_default());
        let mut inner = sys::lock(&self.inner);
        self.insert(&mut inner, thread);
        if let Some(slot) = inner.table.get_mut(thread.slot()) {
            slot.native = Some(native);
        }
        designated::bound(self, thread.slot());
        if let Some(trace) = &inner.trace {
            trace.named(thread.id(), &name);
        }
        drop((inner, name));
        let bound = Arc::downgrade(thread);
        sys::at_thread_exit(bound);
    }

    /// Tells the trace a thread's new name.
    pub(crate) fn tell_name(&self, thread: &LockThread, name: &str) {
        let inner = sys::lock(&self.inner);
        if let Some(trace) = inner.trace.as_ref().filter(|_| thread.slot() != word::OWNERS) {
            trace.named(thread.id(), name);
        }
    }

    /// Gives the thread a slot if it has none.
    pub(crate) fn insert(&self, inner: &mut Inner, thread: &Arc<LockThread>) {
        if thread.slot() == word::OWNERS {
            let slot = inner.table.insert(Arc::clone(thread), None, word::OWNERS);
            thread.set_slot(slot.expect("fewer than 2^24 native threads"));
            let now_ns = sys::now_ns();
            thread.counters.bound(now_ns);
            inner.emit(now_ns, thread.slot(), EventKind::Attach);
        }
    }

    pub(crate) fn detach(&self, thread: &LockThread) {
        if thread.slot() == word::OWNERS || thread.detached.swap(true, SeqCst) {
            return;
        }
        sys::lock(&thread.unblock).native = None;
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        if thread.holds() {
            // In one step with what follows: for a schedule it is not outside in between.
            inner.table.departing = true;
            self.leave(&mut inner, thread.slot(), Reason::Release, sys::now_ns(), &mut wakes);
            inner.table.departing = false;
        }
        inner.table.dequeue(thread.slot());
        if inner.table.is_empty() {
            self.word.fetch_and(!word::WAITED, SeqCst);
        }
        designated::unbound(self, thread.slot());
        let removed = inner.table.remove(thread.slot());
        let now_ns = sys::now_ns();
        thread.counters.begin(Phase::Outside, now_ns);
        inner.departed.add(&thread.counters.read(now_ns));
        inner.emit(now_ns, thread.slot(), EventKind::Detach);
        thread.set_slot(word::OWNERS);
        self.leap(&mut inner, 0, &mut wakes);
        drop(inner);
        drop(removed);
        wakes.send();
    }

    pub(crate) fn slice_of(&self, thread: &LockThread) -> u64 {
        let own_ns = thread.slice_ns.load(Relaxed);
        let slice_ns = if own_ns == 0 { self.slice_ns.load(Relaxed) } else { own_ns };
        match thread.priority.load(Relaxed) {
            raised @ 1.. => slice_ns << raised,
            lowered => slice_ns >> -lowered,
        }
    }
}

impl std::fmt::Debug for VmLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.word.load(Relaxed);
        let state = ["free", "held", "lent", "moving"][word::state(word) as usize];
        f.debug_struct("VmLock")
            .field("state", &state)
            .field("owner", &word::owner(word))
            .field("region", &word::region(word))
            .field("waited", &(word & word::WAITED != 0))
            .field("slow", &(word & word::SLOW != 0))
            .field("watched", &self.watched.load(Relaxed))
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for LockThread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LockThread")
            .field("id", &self.slot())
            .field("interrupt", &self.interrupt.bits())
            .finish_non_exhaustive()
    }
}
