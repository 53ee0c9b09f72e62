//! Threads that compute take turns on one processor.
//!
//! The trouble. When the slice of a thread A ends and the thread B is woken for its own, A still runs, so the kernel
//! puts B on another, idle processor. The threads go to and fro between processors, and each processor cools down while
//! the others work: its caches are filled by somebody else, its clock is lowered, or, on a virtual machine, it is given
//! to another one. And a thread back from a wait finds no processor that is surely free.
//!
//! So a thread whose slice has ended waits for the next one bound to *the processor of the turns*, and is unbound when
//! its turn begins: a running thread can go everywhere, and so can what it starts. When the kernel moves a running
//! holder elsewhere, the holder binds itself to the old processor again for its wait; only when the kernel has moved
//! two holders in a row are the turns taken where the second one went. If the lock comes because the holder left to
//! work natively on that very processor, the waiter is unbound before it is woken, so that both run.
//!
//! Each sleeps until its own turn is due: as long as the slices of those before it take. Then it keeps the time of the
//! turn before its own: it interrupts the holder, asks it to give way and lets it run on, and is there when the holder
//! sleeps. So a change of turns takes three switches and seven system calls, 13 to 43 us by how fast the processor is
//! just then, and no other processor wakes up for it. All of them have long slices from the kernel (`Slices::Turns`) as
//! long as they take turns: a thread that yields such a slice lets the holder run for sure, and whoever waits for
//! I/O goes before them.
//!
//! It pays only where nobody else wants that processor. A turn that begins late, or a holder that did not have the
//! processor for itself, shows that others do: then nobody is bound for a while.
//!
//! Whoever measures what it gains must compare runs on one and the same processor: on a virtual machine each shares a
//! core with somebody else and may be half as fast as the other one for seconds.
//!
//! Rejected: threads that stay bound while they run, for whatever they start would be bound as well, and the kernel
//! could not move them away from others; a timer that wakes the next one from the holder's side, for the kernel chooses
//! the idle processor all the same; a timekeeper that is not the next one, on the same processor: two more switches, a
//! futex pair, and slices of its own to be heard beside the holder, 26 to 60 us in the same runs; such a timekeeper on
//! another processor, which binds the next one and wakes it: 10 to 25 us, but 60 us of that other processor each time.

use super::crowding::{Crowding, Limits};
use super::kernel_slices::Slices;
use super::mechanism::Mechanism;
use crate::core::lock::{Inner, VmLock};
use crate::core::stats::Reason;
use crate::core::thread::{Entry, LockThread};
use crate::core::wakes::Wakes;
use crate::sys::{self, AtomicU32, AtomicU64, Mutex, Native, NativeThread};
use std::sync::atomic::Ordering::Relaxed;

/// Slices shorter than this are not worth two changes of a thread's processors.
const SLICE_MIN_NS: u64 = 2_000_000;
/// A turn that begins so late had to wait for a thread that computes on its processor.
const LATE_NS: u64 = 1_000_000;
/// For how long the processor of the turns counts as crowded; turns in a row that begin in time end that.
const CROWDED: Limits = Limits { first: 100_000_000, most: 3_200_000_000, free_after: 64 };
/// In one of this number of turns it is measured whether the thread had the processor for itself, which takes two
/// system calls.
const MEASURED_EVERY: u64 = 8;
/// What a change of turns takes, roughly.
const CHANGE_NS: u64 = 60_000;
/// A thread that has more than this number before it in the queue wakes once on the way, to look again.
const LOOK_AHEAD: usize = 64;
/// This number of turns in a row that the kernel moved to another processor shows that the old one is wanted by others.
/// After a single one the holder goes back, for if the turns followed it everybody else would have to move.
const FOLLOW_AFTER: u32 = 2;
/// No processor.
const NOWHERE: u32 = u32::MAX;

/// Where turns are taken. Under the internal mutex.
#[derive(Default)]
pub(crate) struct Gathering {
    /// The processor of the turns.
    processor: Option<u32>,
    /// Turns in a row that began there and ended elsewhere.
    moved: u32,
    crowding: Crowding,
}

impl Gathering {
    fn crowded(&mut self, now_ns: u64) {
        self.crowding.seen(now_ns, CROWDED);
        self.processor = None;
    }

    /// The processor of the turns after one that began on one processor and ended on another.
    fn follow(&mut self, began_on: u32, ended_on: u32) -> u32 {
        let processor = *self.processor.get_or_insert(ended_on);
        if began_on != processor {
            return processor;
        }
        self.moved = if ended_on == processor { 0 } else { self.moved + 1 };
        if self.moved < FOLLOW_AFTER {
            return processor;
        }
        self.moved = 0;
        *self.processor.insert(ended_on)
    }
}

/// Where a thread is to wait for its next slice.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    native: Native,
    processor: u32,
    /// The thread runs there.
    is_here: bool,
}

/// Where it does wait.
pub(crate) struct Taken {
    /// There was a place for it.
    offered: bool,
    /// It is bound to that place, the processor of the holder.
    pub bound: bool,
}

/// Kept by the thread itself, except for its binding.
pub(super) struct Affinity {
    /// The processor that it is bound to.
    bound_to: AtomicU32,
    /// Held for the length of the system calls, so that the thread that they are about cannot end meanwhile.
    binding: Mutex<Option<sys::Binding>>,
    /// Its turn after a slice that ended: which of its turns it is, where it began and, if it is measured, when, also
    /// by the thread's own clock.
    began_run: AtomicU64,
    began_on: AtomicU32,
    began_ns: AtomicU64,
    began_cpu_ns: AtomicU64,
}

impl Default for Affinity {
    fn default() -> Self {
        Affinity {
            bound_to: AtomicU32::new(NOWHERE),
            binding: Mutex::new(None),
            began_run: AtomicU64::new(u64::MAX),
            began_on: AtomicU32::new(NOWHERE),
            began_ns: AtomicU64::new(0),
            began_cpu_ns: AtomicU64::new(0),
        }
    }
}

impl Affinity {
    /// Did the thread note how its present turn began? It does so only for turns after a slice that ended.
    fn saw_begin(&self, thread: &LockThread) -> bool {
        self.began_run.load(Relaxed) == thread.counters.runs.get()
    }

    /// Binds the calling thread, whose affinity this is. False: it may not run there.
    fn bind(&self, place: &Place) -> bool {
        let mut binding = sys::lock(&self.binding);
        *binding = sys::Binding::new(&place.native, place.processor);
        self.bound_to.store(if binding.is_some() { place.processor } else { NOWHERE }, Relaxed);
        binding.is_some()
    }

    /// Lets the thread run again wherever it might before. Called by any thread.
    pub fn unbind(&self) {
        let mut binding = sys::lock(&self.binding);
        if let Some(binding) = binding.take() {
            self.bound_to.store(NOWHERE, Relaxed);
            binding.undo();
        }
    }
}

impl VmLock {
    /// Are turns like this thread's worth one processor for all of them?
    fn gathers(&self, thread: &LockThread) -> bool {
        let on = self.policy.on(Mechanism::OneProcessor);
        on && self.slice_of(thread) >= SLICE_MIN_NS && !sys::has_one_processor()
    }

    /// The slice of the calling thread is over, and `next` is to have the lock: where is the thread to wait for its
    /// next slice? `None`: anywhere.
    pub(crate) fn place_for_slice(
        &self,
        inner: &mut Inner,
        thread: &LockThread,
        next: u32,
        now_ns: u64,
    ) -> Option<Place> {
        let next_rotates = inner.table.get(next).is_some_and(|slot| slot.rotates);
        if !next_rotates || !self.gathers(thread) || inner.gathering.crowding.lasts(now_ns) {
            return None;
        }
        let native = inner.table.get(thread.slot())?.native?;
        let here = native.processor()?;
        let began_on = if thread.policy.affinity.saw_begin(thread) {
            thread.policy.affinity.began_on.load(Relaxed)
        } else {
            NOWHERE
        };
        let processor = inner.gathering.follow(began_on, here);
        Some(Place { native, processor, is_here: processor == here })
    }

    /// Takes the place for the wait, if it is still free. What is left in `wakes`, the next holder, is to be woken
    /// then.
    pub(crate) fn take_place(&self, mut place: Option<Place>, thread: &LockThread, wakes: &mut Wakes) -> Taken {
        if place.is_some() && self.was_kept_from_running(thread) {
            sys::lock(&self.inner).gathering.crowded(sys::stamp_ns());
            place = None;
        }
        if !place.is_some_and(|place| place.is_here) {
            // To go there takes long.
            std::mem::take(wakes).send();
        }
        let bound = place.is_some_and(|place| thread.policy.affinity.bind(&place));
        self.use_slices(thread, if bound { Slices::Turns } else { Slices::Usual });
        Taken { offered: place.is_some(), bound }
    }

    /// The slice of the calling thread begins after such a wait: it leaves its place, and lets others run first.
    pub(crate) fn slice_begins(&self, thread: &LockThread, taken: &Taken) {
        let affinity = &thread.policy.affinity;
        if taken.bound {
            affinity.unbind();
        }
        self.goes_on_computing(thread);
        if !self.gathers(thread) {
            return;
        }
        let begun_ns = sys::stamp_ns();
        let inner = &mut *sys::lock(&self.inner);
        if taken.bound && thread.counters.phase_lasted_ns(begun_ns) > LATE_NS {
            inner.gathering.crowded(begun_ns);
        } else if taken.bound {
            inner.gathering.crowding.free(CROWDED);
        } else if taken.offered {
            inner.gathering.processor = None;
        }
        let run = thread.counters.runs.get();
        let measured = run.is_multiple_of(MEASURED_EVERY);
        affinity.began_run.store(run, Relaxed);
        affinity.began_on.store(processor_of(inner, thread).unwrap_or(NOWHERE), Relaxed);
        affinity.began_ns.store(if measured { begun_ns } else { u64::MAX }, Relaxed);
        if measured {
            affinity.began_cpu_ns.store(sys::thread_cpu_ns(), Relaxed);
        }
    }

    /// Does the next holder wake up on the processor on which the giver of the lock goes on working?
    pub(crate) fn wakes_up_beside(&self, giver: Option<Native>, reason: Reason, next: &LockThread) -> bool {
        let goes_on = !matches!(reason, Reason::Release | Reason::Park);
        let processor = giver.filter(|_| goes_on).and_then(|native| native.processor()).unwrap_or(NOWHERE);
        processor != NOWHERE && processor == next.policy.affinity.bound_to.load(Relaxed)
    }

    /// When the turn of a waiting thread is due, if everybody before it has a full slice: then it keeps the time of the
    /// turn before. `alarm_ns`: when the present turn is over.
    pub(crate) fn due_ns(&self, inner: &Inner, me: u32, alarm_ns: u64) -> u64 {
        let before = inner
            .table
            .iter(Entry::Normal)
            .take_while(|id| *id != me)
            .take(LOOK_AHEAD)
            .filter_map(|id| inner.table.get(id));
        before.fold(alarm_ns, |due_ns, slot| due_ns.saturating_add(self.slice_of(&slot.thread) + CHANGE_NS))
    }

    /// Did others have the processor for a part of the turn that has just ended?
    fn was_kept_from_running(&self, thread: &LockThread) -> bool {
        let affinity = &thread.policy.affinity;
        let began_ns = affinity.began_ns.load(Relaxed);
        if !affinity.saw_begin(thread) || began_ns == u64::MAX {
            return false;
        }
        let lasted_ns = sys::stamp_ns().saturating_sub(began_ns);
        let ran_ns = sys::thread_cpu_ns().saturating_sub(affinity.began_cpu_ns.load(Relaxed));
        ran_ns < lasted_ns / 4 * 3
    }
}

fn processor_of(inner: &Inner, thread: &LockThread) -> Option<u32> {
    inner.table.get(thread.slot())?.native?.processor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turns_follow_a_holder_that_was_moved() {
        let mut turns = Gathering::default();
        assert_eq!(turns.follow(NOWHERE, 3), 3, "the first turn chooses");
        assert_eq!(turns.follow(1, 1), 3, "a turn that began elsewhere does not");
        assert_eq!(turns.follow(3, 3), 3);
        assert_eq!([turns.follow(3, 0), turns.follow(3, 3)], [3, 3], "once, and goes back");
        let moved = [turns.follow(3, 0), turns.follow(0, 0), turns.follow(3, 0)];
        assert_eq!(moved, [3, 3, 0], "twice of those that began there");
        assert_eq!(turns.follow(3, 1), 0, "from the old processor");
    }

    #[test]
    fn others_there_are_remembered_longer_each_time() {
        let mut turns = Gathering::default();
        turns.follow(NOWHERE, 1);
        turns.crowded(0);
        let until = |turns: &Gathering, ns| turns.crowding.lasts(ns - 1) && !turns.crowding.lasts(ns);
        assert!(turns.processor.is_none() && until(&turns, CROWDED.first));
        turns.crowded(0);
        assert!(until(&turns, 2 * CROWDED.first));
        (0..20).for_each(|_| turns.crowded(0));
        assert!(until(&turns, CROWDED.most));
        (0..CROWDED.free_after).for_each(|_| turns.crowding.free(CROWDED));
        turns.crowded(0);
        assert!(until(&turns, CROWDED.first));
    }
}
