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
//! - **I2** WAITED: a queue is not empty, and the other way round. So whoever leaves in
//!   the fast way leaves nobody behind.
//! - **I3** A queue is not empty: some waiter is awake and will look before it sleeps, or one
//!   waiter, the keeper, sleeps no longer than until the holder must be asked to give way
//!   (`keep_clock`), or the holder has been asked, or it has SUMMON in its interrupt word and wakes a keeper
//!   at a safepoint, in a short region, or by leaving (`summon_later`).
//! - **I4** LENT with a waiter: `watched` is set, or the owner is about to look at it
//!   (`lent_slow`), or a waiter is about to look at the word (`settle`). The owner publishes
//!   LENT and then reads `watched`; the keeper clears `watched` and then reads the word; all
//!   four are sequentially consistent, so that one of the two sees the other.
//! - **I5** A holder that has been asked (`Turn::asked`) has a bit of the lock in its interrupt
//!   word. It is raised before the word is read again: either the asker sees LENT, or the
//!   owner sees the bit when it lends.
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

use crate::ahead::Pace;
use crate::config::Config;
use crate::fairness::{Fairness, Turn};
use crate::kernel_sched::{Slices, Surroundings};
use crate::queue::{Place, Sleep, Table};
use crate::rotation::Rotation;
use crate::schedule::{Decision, Schedule, SwitchPoint};
use crate::stats::{Phase, Reason, ThreadStats, Wait};
use crate::sys::{self, AtomicBool, AtomicU32, AtomicU64, Mutex, Native, NativeThread};
use crate::thread::{Entry, LockThread, ThreadId};
use crate::trace::{Event, EventKind, Trace};
use crate::unblock::Resender;
use crate::wakes::Wakes;
use crate::{interrupt::InterruptWord, word};
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release, SeqCst};
use std::time::{Duration, Instant};

/// Times that are set are at most this (some 19 hours), so that sums with the clock stay in range.
const LONGEST_NS: u64 = 1 << 46;
/// What is left of a slice that was cut short is at least this.
pub(crate) const SLICE_LEFT_MIN_NS: u64 = 50_000;

/// How long a holder that woke a thread may go on before somebody watches it.
const SUMMON_NS: u64 = 30_000;

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
    /// The keeper looks at the word at short intervals, or is being woken to.
    pub(crate) watched: Line<AtomicBool>,
    /// The slot of the thread that spins, plus one; zero: nobody does. Whoever grants to the
    /// spinner takes it off, so that the giver may spin next.
    pub(crate) spinner: AtomicU32,
    /// How well it pays of late to catch the lock between two turns; zero: it does not.
    pub(crate) catches: AtomicU32,
    slice_ns: AtomicU64,
    pub(crate) spin_ns: AtomicU64,
    pub(crate) steal_age_ns: u64,
    pub(crate) watch_ns: u64,
    pub(crate) inner: Line<Mutex<Inner>>,
    pub(crate) resender: Resender,
    pub(crate) controlled: AtomicBool,
    pub(crate) short_kernel_slices: bool,
    pub(crate) surroundings: Surroundings,
    pub(crate) rotate_on_one_processor: bool,
    pub(crate) ahead_after: u32,
    pub(crate) spin_parked_after: u32,
}

/// The waiter that keeps the time.
#[derive(Clone, Copy)]
pub(crate) struct Keeper {
    pub slot: u32,
    /// When it will wake; `u64::MAX` when it was not needed.
    pub at_ns: u64,
}

/// What lies under the mutex.
pub(crate) struct Inner {
    pub table: Table,
    pub turn: Turn,
    pub fairness: Fairness,
    pub keeper: Option<Keeper>,
    pub pace: Pace,
    pub rotation: Rotation,
    pub trace: Option<Arc<dyn Trace>>,
    pub schedule: Option<Arc<dyn Schedule>>,
    /// The schedule's own time.
    pub clock_ns: u64,
    /// The real moment at which it began.
    pub clock_base: Option<Instant>,
    /// The counters of the threads that were detached.
    pub departed: ThreadStats,
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
    fn choose(&self, at: SwitchPoint, holder: u32, now_ns: u64) -> Option<(u32, bool)> {
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
            (None, SwitchPoint::Safepoint) => now_ns < self.turn.deadline_ns && !self.fairness.outranked(&self.turn, holder, &self.table, now_ns),
            (None, SwitchPoint::Leave(_)) => false,
        };
        if stays { None } else { self.fairness.pick(&self.turn, &self.table, now_ns) }
    }

    /// Takes a waiter out of its queue, and off the keeper's part.
    pub(crate) fn unqueue(&mut self, id: u32) {
        self.table.dequeue(id);
        self.no_keeper(id);
    }

    pub(crate) fn no_keeper(&mut self, id: u32) {
        if self.keeper.is_some_and(|keeper| keeper.slot == id) {
            self.keeper = None;
        }
    }

    /// Will a keeper wake in time? The first in line is made the keeper if it sleeps until its turn is due.
    pub(crate) fn is_kept(&mut self, alarm_ns: u64, now_ns: u64) -> bool {
        let in_time = |at_ns: u64| at_ns <= alarm_ns.saturating_add(20_000 + alarm_ns.saturating_sub(now_ns) / 16);
        if self.keeper.is_some_and(|keeper| in_time(keeper.at_ns)) {
            return true;
        }
        let first = self.table.first().and_then(|id| Some(Keeper { slot: id, at_ns: self.table.get(id)?.wakes_ns? }));
        let first = first.filter(|first| in_time(first.at_ns));
        if first.is_some() {
            self.keeper = first;
        }
        first.is_some()
    }

    /// Wakes a waiter, which will look before it sleeps (I3).
    pub(crate) fn make_look(&mut self, id: u32, wakes: &mut Wakes) {
        self.table.set_sleep(id, Sleep::Summoned);
        wakes.keeper = self.table.get(id).map(|slot| Arc::clone(&slot.thread));
    }

    /// The holder's turn is over.
    pub(crate) fn close_turn(&mut self, holder: u32, reason: Reason, now_ns: u64) {
        let held_ns = self.fairness.close(&mut self.turn, holder, &mut self.table, now_ns);
        self.pace.note_turn(reason, held_ns);
        if let Some(slot) = self.table.get(holder) {
            slot.thread.counters.begin(Phase::Outside, now_ns);
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
            keeper: None,
            pace: Pace::default(),
            rotation: Rotation::default(),
            trace: None,
            schedule: None,
            clock_ns: 0,
            clock_base: None,
            departed: ThreadStats::default(),
        };
        Arc::new(VmLock {
            word: Line(AtomicU64::new(word::FREE)),
            watched: Line(AtomicBool::new(false)),
            spinner: AtomicU32::new(0),
            catches: AtomicU32::new(0),
            slice_ns: AtomicU64::new(setting_ns(config.slice)),
            spin_ns: AtomicU64::new(setting_ns(config.spin)),
            steal_age_ns: setting_ns(config.steal_age),
            watch_ns: setting_ns(config.watch_interval).max(1000),
            inner: Line(Mutex::new(inner)),
            resender: Resender::default(),
            controlled: AtomicBool::new(false),
            short_kernel_slices: config.short_kernel_slices,
            surroundings: Surroundings::default(),
            rotate_on_one_processor: config.rotate_on_one_processor,
            ahead_after: config.ahead_after,
            spin_parked_after: config.spin_parked_after,
        })
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
        self.spin_ns.store(setting_ns(spin), Relaxed);
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
        let mut inner = sys::lock(&self.inner);
        self.insert(&mut inner, thread);
        if let Some(slot) = inner.table.get_mut(thread.slot()) {
            slot.native = Some(native);
        }
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

    /// The slow half of `acquire`.
    #[cold]
    pub(crate) fn acquire_slow(&self, thread: &LockThread, entry: Entry) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        let taken = !self.was_announced(&mut inner, thread)
            && (self.take_over(&mut inner, thread, entry, now_ns) || self.take_or_queue(&mut inner, thread, entry, now_ns, &mut wakes));
        let short = entry == Entry::Priority && !thread.kernel_sched.has(Slices::Short) && inner.mostly_waits(thread.slot(), now_ns);
        drop(inner);
        wakes.send();
        if short {
            self.wait_in_short_slices(thread);
        }
        if !taken {
            self.wait_turn(thread, entry == Entry::Priority);
        }
    }

    /// The slow half of `release`.
    #[cold]
    pub(crate) fn release_slow(&self, thread: &LockThread, reason: Reason) {
        let mut wakes = Wakes::default();
        self.leave(&mut sys::lock(&self.inner), thread.slot(), reason, sys::now_ns(), &mut wakes);
        wakes.send();
    }

    /// At a safepoint: hands over if that is due, and waits for the next turn.
    pub(crate) fn give_way(&self, thread: &LockThread) {
        let me = thread.slot();
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        let controlled = inner.schedule.is_some();
        if controlled {
            self.tick(&mut inner, now_ns, &mut wakes);
        } else {
            thread.interrupt.clear_lock_bits();
            inner.turn.asked = false;
        }
        let Some((next, by_priority)) = inner.choose(SwitchPoint::Safepoint, me, now_ns) else {
            self.keep_clock(&mut inner, now_ns, &mut wakes);
            drop(inner);
            return wakes.send();
        };
        let left_ns = inner.turn.deadline_ns.saturating_sub(now_ns);
        let reason = match (controlled, left_ns) {
            (true, _) => Reason::Schedule,
            (false, 0) => Reason::SliceEnd,
            _ => Reason::Priority,
        };
        let rotates = reason == Reason::SliceEnd;
        let home = if rotates { self.home_of(&mut inner, thread, next, now_ns) } else { None };
        inner.close_turn(me, reason, now_ns);
        self.grant(&mut inner, next, Some((me, reason)), by_priority, true, now_ns, &mut wakes);
        let cut_short = reason == Reason::Priority;
        if let Some(slot) = inner.table.get_mut(me).filter(|_| cut_short) {
            slot.slice_left_ns = left_ns.max(SLICE_LEFT_MIN_NS);
        }
        self.queue_giver(&mut inner, thread, cut_short, rotates, now_ns, &mut wakes);
        drop(inner);
        if rotates {
            return self.wait_slice_at(home, thread, wakes);
        }
        wakes.send();
        if cut_short {
            self.wait_cut_short(thread);
            self.let_others_run(thread);
        } else {
            self.wait_turn(thread, false);
        }
    }

    /// The slow half of `yield_now`.
    #[cold]
    pub(crate) fn yield_slow(&self, thread: &LockThread) {
        let me = thread.slot();
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        let Some((next, by_priority)) = inner.choose(SwitchPoint::Leave(Reason::Yield), me, now_ns) else { return };
        inner.close_turn(me, Reason::Yield, now_ns);
        self.grant(&mut inner, next, Some((me, Reason::Yield)), by_priority, true, now_ns, &mut wakes);
        self.queue_giver(&mut inner, thread, false, false, now_ns, &mut wakes);
        let awake = self.yields_awake(&inner, now_ns);
        drop(inner);
        wakes.send();
        if !(awake && self.spin_ahead(thread)) {
            self.wait_turn(thread, false);
        }
    }

    /// FREE -> HELD(thread), or sets WAITED and queues it. True: it has the lock.
    pub(crate) fn take_or_queue(&self, inner: &mut Inner, thread: &LockThread, entry: Entry, now_ns: u64, wakes: &mut Wakes) -> bool {
        let me = thread.slot();
        thread.granted.store(false, Relaxed);
        inner.table.set_rotates(me, false);
        let mut seen = self.word.load(Relaxed);
        loop {
            let free = word::state(seen) == word::FREE;
            let new = if free { word::with(seen, word::HELD, me, false) } else { seen | word::WAITED };
            match self.word.compare_exchange(seen, new, AcqRel, Relaxed) {
                Ok(_) if free => {
                    self.begin_turn(inner, thread, now_ns);
                    return true;
                }
                Ok(_) => break,
                Err(changed) => seen = changed,
            }
        }
        if inner.table.is_empty() {
            self.start_clock(inner, word::owner(seen), now_ns);
        }
        let entry = match inner.schedule {
            Some(_) => Entry::Normal,
            None => inner.fairness.admit(&inner.table, me, entry, now_ns),
        };
        self.enqueue(inner, thread, entry, false, now_ns);
        if !self.summon_later(inner, now_ns) {
            self.keep_clock(inner, now_ns, wakes);
        }
        false
    }

    /// A turn that nobody handed over.
    fn begin_turn(&self, inner: &mut Inner, thread: &LockThread, now_ns: u64) {
        inner.turn = Turn { since_ns: now_ns, deadline_ns: now_ns + self.slice_of(thread), ..Turn::default() };
        thread.counters.runs.add(1);
        thread.counters.begin(Phase::Held, now_ns);
        if inner.schedule.is_some() {
            thread.interrupt.raise(InterruptWord::PREEMPT);
        }
        inner.emit(now_ns, thread.slot(), EventKind::Run { from: None, waited_ns: 0 });
    }

    /// The first waiter came: the holder's slice begins.
    fn start_clock(&self, inner: &mut Inner, holder: u32, now_ns: u64) {
        let slice_ns = inner.table.get(holder).map_or(0, |slot| self.slice_of(&slot.thread));
        let since_ns = if inner.trace.is_some() { inner.turn.since_ns } else { now_ns };
        inner.turn = Turn { since_ns, deadline_ns: now_ns + slice_ns, ..Turn::default() };
        inner.fairness.busy(now_ns);
    }

    /// Queues a thread that no longer has the lock, having handed it over.
    fn queue_giver(&self, inner: &mut Inner, thread: &LockThread, at_head: bool, rotates: bool, now_ns: u64, wakes: &mut Wakes) {
        thread.granted.store(false, Relaxed);
        self.enqueue(inner, thread, Entry::Normal, at_head, now_ns);
        inner.table.set_rotates(thread.slot(), rotates);
        self.keep_clock(inner, now_ns, wakes);
    }

    pub(crate) fn enqueue(&self, inner: &mut Inner, thread: &LockThread, entry: Entry, at_head: bool, now_ns: u64) {
        let me = thread.slot();
        inner.table.enqueue(me, entry, at_head);
        if let Some(slot) = inner.table.get_mut(me) {
            slot.queued_ns = now_ns;
            slot.overtaken_ns = None;
        }
        thread.counters.waits.add(1);
        thread.counters.begin(Phase::Waiting, now_ns);
        let holder = ThreadId(word::owner(self.word.load(Relaxed)));
        inner.emit(now_ns, me, EventKind::Wait { holder, priority: entry == Entry::Priority });
    }

    /// HELD(holder) or MOVING -> FREE, or HELD(next) if somebody waits.
    pub(crate) fn leave(&self, inner: &mut Inner, holder: u32, reason: Reason, now_ns: u64, wakes: &mut Wakes) {
        if inner.table.is_empty() {
            self.leap(inner, 1, wakes);
        }
        if inner.table.is_empty() {
            if inner.trace.is_none() {
                // Nobody waited, so the clock was not read when the turn began.
                inner.turn.since_ns = now_ns;
            }
            inner.close_turn(holder, reason, now_ns);
            self.word.store(word::freed(self.word.load(Relaxed)), SeqCst);
        } else {
            self.hand_over(inner, holder, reason, now_ns, wakes);
        }
    }

    /// HELD(holder) or MOVING -> HELD(next). Somebody waits.
    pub(crate) fn hand_over(&self, inner: &mut Inner, holder: u32, reason: Reason, now_ns: u64, wakes: &mut Wakes) {
        inner.close_turn(holder, reason, now_ns);
        if let Some((next, by_priority)) = inner.choose(SwitchPoint::Leave(reason), holder, now_ns) {
            self.grant(inner, next, Some((holder, reason)), by_priority, false, now_ns, wakes);
            self.keep_clock(inner, now_ns, wakes);
        }
    }

    /// LENT -> MOVING. False: the owner was faster.
    pub(crate) fn reserve(&self, lent: u64) -> bool {
        let moving = word::with(lent, word::MOVING, word::owner(lent), lent & word::WAITED != 0);
        word::state(lent) == word::LENT && self.word.compare_exchange(lent, moving, AcqRel, Relaxed).is_ok()
    }

    /// Takes a thread out of its queue and writes HELD(next). `giver_queues`: the caller is
    /// about to queue, so that somebody waits in any case.
    #[allow(clippy::too_many_arguments)]
    fn grant(&self, inner: &mut Inner, next: u32, from: Option<(u32, Reason)>, by_priority: bool, giver_queues: bool, now_ns: u64, wakes: &mut Wakes) {
        inner.unqueue(next);
        let waited = giver_queues || !inner.table.is_empty();
        if !waited {
            inner.fairness.idle(now_ns);
        }
        let Some(slot) = inner.table.get_mut(next) else { return };
        let thread = &slot.thread;
        let slice_ns = match std::mem::take(&mut slot.slice_left_ns) {
            0 => self.slice_of(thread),
            // The slice may have been made shorter meanwhile.
            left_ns => left_ns.min(self.slice_of(thread).max(SLICE_LEFT_MIN_NS)),
        };
        slot.wakes_ns = None;
        let asleep = std::mem::replace(&mut slot.sleep, Sleep::Awake) != Sleep::Awake;
        inner.turn = Turn {
            since_ns: now_ns,
            deadline_ns: now_ns + slice_ns,
            by_priority,
            protected_until_ns: if by_priority { now_ns + inner.fairness.priority_slice_ns.min(slice_ns) } else { 0 },
            asked: false,
            asleep,
        };
        thread.interrupt.clear_lock_bits();
        if inner.schedule.is_some() {
            thread.interrupt.raise(InterruptWord::PREEMPT);
        }
        let waited_ns = now_ns.saturating_sub(slot.queued_ns);
        thread.counters.count_grant(waited_ns, from, now_ns);
        thread.counters.begin(Phase::Held, now_ns);
        let thread = Arc::clone(thread);
        self.word.store(word::with(self.word.load(Relaxed), word::HELD, next, waited) | word::GIVEN, SeqCst);
        self.stop_spinning(next);
        thread.granted.store(true, Release);
        let giver = from.and_then(|(id, reason)| Some((inner.table.get(id)?, reason)));
        if let Some((giver, reason)) = giver {
            giver.thread.counters.given[reason as usize].add(1);
            let goes_on = !giver_queues && !matches!(reason, Reason::Release | Reason::Park);
            let processor = giver.native.and_then(|native| native.processor());
            wakes.beside_giver = goes_on && processor.is_some_and(|processor| thread.rotor.is_bound_to(processor));
        }
        inner.emit(now_ns, next, EventKind::Run { from: from.map(|(id, reason)| (ThreadId(id), reason)), waited_ns });
        if asleep {
            wakes.next = Some(thread);
        }
        self.call_ahead(inner, now_ns, wakes);
    }

    /// Upholds I3: asks the holder if that is due, or makes sure that somebody will.
    pub(crate) fn keep_clock(&self, inner: &mut Inner, now_ns: u64, wakes: &mut Wakes) {
        let seen = self.word.load(SeqCst);
        let Some(alarm_ns) = inner.alarm_ns(word::owner(seen), now_ns) else { return };
        if alarm_ns <= now_ns && word::state(seen) == word::HELD && !self.ask(inner, now_ns) {
            return;
        }
        if !inner.is_kept(alarm_ns, now_ns) && !inner.table.anyone_awake() {
            self.summon(inner, wakes);
        }
    }

    /// The holder itself has just woken a thread, which sleeps on in the queue: most often it leaves soon, and the lock
    /// and its waker arrive together. It is marked to summon a keeper at a safepoint if it does not (I3). True: it
    /// is, and no keeper is needed until then.
    fn summon_later(&self, inner: &mut Inner, now_ns: u64) -> bool {
        let seen = self.word.load(SeqCst);
        if word::state(seen) != word::HELD || inner.schedule.is_some() || inner.table.anyone_awake() || inner.keeper.is_some() {
            return false;
        }
        let holder = word::owner(seen);
        let in_time = inner.alarm_ns(holder, now_ns).is_some_and(|alarm_ns| alarm_ns > now_ns + SUMMON_NS);
        let Some(slot) = inner.table.get(holder).filter(|slot| in_time && slot.native.is_some_and(|native| native.is_current())) else {
            return false;
        };
        if slot.thread.interrupt.bits() & InterruptWord::SUMMON == 0 {
            slot.thread.summon_at_ns.store(now_ns + SUMMON_NS, Relaxed);
            slot.thread.interrupt.raise(InterruptWord::SUMMON);
        }
        true
    }

    /// Wakes the keeper, or makes the first waiter look.
    pub(crate) fn summon(&self, inner: &mut Inner, wakes: &mut Wakes) {
        let keeper = inner.keeper.take().map(|keeper| keeper.slot);
        if let Some(id) = keeper.or(inner.table.first()) {
            inner.make_look(id, wakes);
        }
    }

    /// Sets the holder's bit. True: it has lent the lock meanwhile and may not see it (I5).
    pub(crate) fn ask(&self, inner: &mut Inner, now_ns: u64) -> bool {
        let holder = word::owner(self.word.load(SeqCst));
        let priority = inner.fairness.outranked(&inner.turn, holder, &inner.table, now_ns);
        if let Some(slot) = inner.table.get(holder) {
            slot.thread.interrupt.raise(if priority { InterruptWord::PRIORITY } else { InterruptWord::PREEMPT });
            inner.turn.asked = true;
            inner.emit(now_ns, holder, EventKind::Preempt { priority });
        }
        word::state(self.word.load(SeqCst)) == word::LENT
    }

    /// Wakes a parked thread for its turn: it has the lock, or is queued. Under the mutex.
    pub(crate) fn requeue_parked(&self, inner: &mut Inner, id: u32, entry: Entry, now_ns: u64, wakes: &mut Wakes) {
        let Some(slot) = inner.table.get_mut(id) else { return };
        let Place::Parked { forever } = slot.place else { return };
        slot.place = Place::Away;
        let thread = Arc::clone(&slot.thread);
        inner.table.parked -= 1;
        inner.table.parked_forever -= usize::from(forever);
        if self.take_or_queue(inner, &thread, entry, now_ns, wakes) {
            inner.table.set_sleep(id, Sleep::Awake);
            inner.turn.asleep = true;
            self.word.fetch_or(word::GIVEN, SeqCst);
            self.stop_spinning(id);
            thread.granted.store(true, Release);
            wakes.next = Some(thread);
        } else if let Some(slot) = inner.table.get_mut(id) {
            slot.unparked_from = Some(forever);
        }
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
        f.debug_struct("LockThread").field("id", &self.slot()).field("interrupt", &self.interrupt.bits()).finish_non_exhaustive()
    }
}

/// A setting in nanoseconds.
pub(crate) fn setting_ns(time: Duration) -> u64 {
    sys::duration_ns(time).min(LONGEST_NS)
}
