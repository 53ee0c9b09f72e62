//! The transitions of the lock that need the internal mutex, but for those of `takeover`, `wait`, `park` and `region`.
//! The table of all of them, and the invariants, stand in `lock`.

use super::interrupt::InterruptWord;
use super::lock::{Inner, SLICE_LEFT_MIN_NS, VmLock};
use super::queue::{Place, Sleep};
use super::schedule::SwitchPoint;
use super::stats::{Phase, Reason};
use super::thread::{Entry, LockThread, ThreadId};
use super::trace::EventKind;
use super::wakes::Wakes;
use super::word;
use crate::policy::{Turn, Why};
use crate::sys::{self, NativeThread};
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release, SeqCst};

/// How long a holder that woke a thread may go on before somebody watches it.
const DEFER_NS: u64 = 30_000;

impl VmLock {
    /// The slow half of `acquire`.
    #[cold]
    pub(crate) fn acquire_slow(&self, thread: &LockThread, entry: Entry) {
        let mut wakes = Wakes::default();
        let mut inner = sys::lock(&self.inner);
        let now_ns = sys::now_ns();
        let taken = !self.was_announced(&mut inner, thread)
            && (self.take_over(&mut inner, thread, entry, now_ns)
                || self.take_or_queue(&mut inner, thread, entry, now_ns, &mut wakes));
        let short = self.mostly_waits(&inner, thread, entry, now_ns);
        drop(inner);
        wakes.send();
        if short {
            self.wait_in_short_slices(thread);
        }
        if !taken {
            self.wait_turn(thread, (entry == Entry::Priority).then_some(Why::Soon));
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
            self.ensure_timekeeper(&mut inner, now_ns, &mut wakes);
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
        let place = if rotates { self.place_for_slice(&mut inner, thread, next, now_ns) } else { None };
        let came_back = inner.turn.by_priority;
        inner.close_turn(me, reason, now_ns);
        self.grant(&mut inner, next, Some((me, reason)), by_priority, true, now_ns, &mut wakes);
        let cut_short = reason == Reason::Priority;
        if let Some(slot) = inner.table.get_mut(me).filter(|_| cut_short) {
            slot.slice_left_ns = left_ns.max(SLICE_LEFT_MIN_NS);
        }
        // One of many that came back goes on after those that did so meanwhile.
        let stays = cut_short && came_back;
        let entry = if stays { inner.fairness.admit(&inner.table, me, Entry::Priority, now_ns) } else { Entry::Normal };
        let at_head = cut_short && entry == Entry::Normal;
        self.queue_giver(&mut inner, thread, entry, at_head, rotates, now_ns, &mut wakes);
        drop(inner);
        if rotates {
            let taken = self.take_place(place, thread, &mut wakes);
            wakes.send();
            self.wait_slice(thread, taken.bound);
            return self.slice_begins(thread, &taken);
        }
        wakes.send();
        if cut_short {
            self.wait_turn(thread, (entry == Entry::Normal).then_some(Why::CutShort));
            self.goes_on_computing(thread);
        } else {
            self.wait_turn(thread, None);
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
        self.queue_giver(&mut inner, thread, Entry::Normal, false, false, now_ns, &mut wakes);
        let awake = self.yields_awake(&inner, now_ns);
        drop(inner);
        wakes.send();
        if !(awake && self.spin_for_turn(thread, Why::ShortTurns)) {
            self.wait_turn(thread, None);
        }
    }

    /// FREE -> HELD(thread), or sets WAITED and queues it. True: it has the lock.
    pub(crate) fn take_or_queue(
        &self,
        inner: &mut Inner,
        thread: &LockThread,
        entry: Entry,
        now_ns: u64,
        wakes: &mut Wakes,
    ) -> bool {
        self.take_given_or_queue(inner, thread, entry, 0, now_ns, wakes)
    }

    /// The same; `given` is set in the word with HELD.
    fn take_given_or_queue(
        &self,
        inner: &mut Inner,
        thread: &LockThread,
        entry: Entry,
        given: u64,
        now_ns: u64,
        wakes: &mut Wakes,
    ) -> bool {
        let me = thread.slot();
        thread.granted.store(false, Relaxed);
        inner.table.set_rotates(me, false);
        let mut seen = self.word.load(Relaxed);
        loop {
            let free = word::state(seen) == word::FREE;
            let new = if free { word::with(seen, word::HELD, me, false) | given } else { seen | word::WAITED };
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
        if !self.defer_timekeeper(inner, now_ns) {
            self.ensure_timekeeper(inner, now_ns, wakes);
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
    fn queue_giver(
        &self,
        inner: &mut Inner,
        thread: &LockThread,
        entry: Entry,
        at_head: bool,
        rotates: bool,
        now_ns: u64,
        wakes: &mut Wakes,
    ) {
        thread.granted.store(false, Relaxed);
        self.enqueue(inner, thread, entry, at_head, now_ns);
        inner.table.set_rotates(thread.slot(), rotates);
        self.ensure_timekeeper(inner, now_ns, wakes);
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
            self.ensure_timekeeper(inner, now_ns, wakes);
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
    fn grant(
        &self,
        inner: &mut Inner,
        next: u32,
        from: Option<(u32, Reason)>,
        by_priority: bool,
        giver_queues: bool,
        now_ns: u64,
        wakes: &mut Wakes,
    ) {
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
            late_ns: 0,
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
        thread.granted_ns.store(now_ns, Relaxed);
        thread.granted.store(true, Release);
        let giver = from.and_then(|(id, reason)| Some((inner.table.get(id)?, reason)));
        if let Some((giver, reason)) = giver {
            giver.thread.counters.given[reason as usize].add(1);
            wakes.beside_giver = !giver_queues && self.wakes_up_beside(giver.native, reason, &thread);
        }
        if inner.holds.is_some() {
            inner.ask_to_look(&thread);
        }
        inner.emit(now_ns, next, EventKind::Run { from: from.map(|(id, reason)| (ThreadId(id), reason)), waited_ns });
        if asleep {
            wakes.next = Some(thread);
        }
        self.wake_ahead(inner, now_ns, wakes);
    }

    /// Upholds I3: asks the holder if that is due, or makes sure that somebody will.
    pub(crate) fn ensure_timekeeper(&self, inner: &mut Inner, now_ns: u64, wakes: &mut Wakes) {
        let seen = self.word.load(SeqCst);
        let Some(alarm_ns) = inner.alarm_ns(word::owner(seen), now_ns) else { return };
        if alarm_ns <= now_ns && word::state(seen) == word::HELD && !self.ask(inner, now_ns) {
            return;
        }
        if !inner.has_timekeeper(alarm_ns, now_ns) && !inner.table.anyone_awake() {
            self.wake_timekeeper(inner, wakes);
        }
    }

    /// The holder itself has just woken a thread, which sleeps on in the queue: most often it leaves soon, and the lock
    /// and its waker arrive together. It is marked to wake a timekeeper at a safepoint if it does not (I3). True: it
    /// is, and no timekeeper is needed until then.
    fn defer_timekeeper(&self, inner: &mut Inner, now_ns: u64) -> bool {
        let seen = self.word.load(SeqCst);
        let needed = !inner.table.anyone_awake() && inner.timekeeper.is_none();
        if word::state(seen) != word::HELD || inner.schedule.is_some() || !needed || !self.policy.may_defer_timekeeper()
        {
            return false;
        }
        let holder = word::owner(seen);
        let in_time = inner.alarm_ns(holder, now_ns).is_some_and(|alarm_ns| alarm_ns > now_ns + DEFER_NS);
        let Some(slot) = inner.table.get(holder).filter(|_| in_time && self.is_holder_here(inner)) else {
            return false;
        };
        if slot.thread.interrupt.bits() & InterruptWord::TIMEKEEPER == 0 {
            slot.thread.timekeeper_due_ns.store(now_ns + DEFER_NS, Relaxed);
            slot.thread.interrupt.raise(InterruptWord::TIMEKEEPER);
        }
        true
    }

    /// Does the thread that holds the lock run on this native thread?
    pub(crate) fn is_holder_here(&self, inner: &Inner) -> bool {
        let seen = self.word.load(SeqCst);
        let native = inner.table.get(word::owner(seen)).and_then(|slot| slot.native);
        word::state(seen) == word::HELD && native.is_some_and(|native| native.is_current())
    }

    /// Wakes the timekeeper, or makes the first waiter look.
    pub(crate) fn wake_timekeeper(&self, inner: &mut Inner, wakes: &mut Wakes) {
        let timekeeper = inner.timekeeper.take().map(|timekeeper| timekeeper.slot);
        if let Some(id) = timekeeper.or(inner.table.first()) {
            inner.make_look(id, wakes);
        }
    }

    /// Sets the holder's bit. True: it has lent the lock meanwhile and may not see it (I5).
    pub(crate) fn ask(&self, inner: &mut Inner, now_ns: u64) -> bool {
        let holder = word::owner(self.word.load(SeqCst));
        let priority = inner.fairness.outranked(&inner.turn, holder, &inner.table, now_ns);
        if let Some(slot) = inner.table.get(holder) {
            slot.thread.interrupt.raise(if priority { InterruptWord::PRIORITY } else { InterruptWord::PREEMPT });
            if inner.holds.is_some() {
                inner.note_asked(&slot.thread, now_ns);
            }
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
        if self.take_given_or_queue(inner, &thread, entry, word::GIVEN, now_ns, wakes) {
            inner.table.set_sleep(id, Sleep::Awake);
            inner.turn.asleep = true;
            self.stop_spinning(id);
            thread.granted_ns.store(now_ns, Relaxed);
            thread.granted.store(true, Release);
            wakes.next = Some(thread);
        } else if let Some(slot) = inner.table.get_mut(id) {
            slot.unparked_from = Some(forever);
        }
    }
}
