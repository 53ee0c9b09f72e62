//! Threads that compute take turns on one processor. Left to itself the kernel puts the next one on another processor than the one
//! that still runs, for that one is idle. So the threads go to and fro between
//! processors, each of which cools down while the others work: its caches are filled by somebody else, its clock is lowered, or, on
//! a virtual machine, it is given to another one. And a thread back from a wait finds none that is surely free.
//!
//! So a thread whose slice has ended binds itself to the processor of the turn, their *home*, while it waits, and unbinds itself when its
//! turn begins: a running thread can go everywhere, and so can what it starts. A holder that the kernel moves goes home when its turn is over; when it moves
//! two in a row the home follows.
//! If the lock comes because the holder left to work natively, at home, the waiter is unbound before it is woken, so
//! that both run.
//!
//! Each sleeps until its own turn is due: as long as the slices of those before it take. Then it keeps the time of the turn before: it
//! interrupts the holder, asks it to give way and lets it run on, and is there when the holder sleeps. So a change of turns takes three
//! switches and seven system calls, 13 to 43 us by how fast the processor is just then, and no other processor
//! wakes up for it. All of them have long slices from the kernel (`Slices::Turns`), as long as they take turns: a thread that yields them lets the
//! holder run for sure, and whoever waits for the outside world goes before them.
//!
//! It pays only where the home is free. A turn that begins late, or a holder that did not have the processor for itself, shows that
//! others want it: then nobody is bound for a while.
//!
//! Whoever measures what it gains must compare runs on one and the same processor: on a virtual machine each shares a core with
//! somebody else and may be half as fast as the other one for seconds.
//!
//! Rejected: threads that stay bound while they run, for whatever they start would be bound as well, and the kernel could not
//! move them away from others; a timer that wakes the next one from the holder's side, for the kernel chooses the
//! idle processor all the same; a keeper that is not the next one, at home: two more switches, a futex pair, and slices of its own to be
//! heard beside the holder, 26 to 60 us in the same runs; such a keeper on another processor, which binds the next one and wakes it: 10 to 25 us at home, but 60
//! us of that processor each time.

use crate::crowding::{Crowding, Limits};
use crate::kernel_sched::Slices;
use crate::lock::{Inner, VmLock};
use crate::sys::{self, AtomicU32, AtomicU64, Mutex, Native, NativeThread};
use crate::thread::{Entry, LockThread};
use crate::wakes::Wakes;
use std::sync::atomic::Ordering::Relaxed;

/// Slices shorter than this are not worth two changes of a thread's processors.
const SLICE_MIN_NS: u64 = 2_000_000;
/// A turn that begins so late had to wait for a thread that computes at home.
const LATE_NS: u64 = 1_000_000;
/// How long it is remembered that others want the home, the first time and at most.
const CROWDED: Limits = Limits { first_ns: 100_000_000, most_ns: 3_200_000_000 };
/// After so many turns in a row that began in time the home is taken to be free again.
const FREE_TURNS: u32 = 64;
/// So many turns of a thread are one of which it is measured whether the thread had the processor for itself: that takes two system calls.
const MEASURED_EVERY: u64 = 8;
/// What a change of turns takes, roughly.
const CHANGE_NS: u64 = 60_000;
/// A thread with more than so many before it looks again on the way.
const LOOK_AHEAD: usize = 64;
/// So many turns in a row that the kernel moved away from home show that it is wanted by others. After a single one the holder goes back, for
/// if the home followed it everybody else would have to.
const FOLLOW_AFTER: u32 = 2;
/// No processor.
const NOWHERE: u32 = u32::MAX;

/// Where turns are taken. Under the internal mutex.
#[derive(Default)]
pub(crate) struct Rotation {
    home: Option<u32>,
    /// Turns in a row that began at home and ended elsewhere.
    moved: u32,
    crowding: Crowding,
    /// Turns in a row that began in time.
    in_time: u32,
}

impl Rotation {
    fn crowded(&mut self, now_ns: u64) {
        self.crowding.seen(now_ns, CROWDED);
        self.in_time = 0;
        self.home = None;
    }

    fn begun_in_time(&mut self) {
        self.in_time = self.in_time.saturating_add(1);
        if self.in_time == FREE_TURNS {
            self.crowding.relax();
        }
    }

    /// The home after a turn that began on one processor and ended on another.
    fn follow(&mut self, began_on: u32, ended_on: u32) -> u32 {
        let home = *self.home.get_or_insert(ended_on);
        if began_on != home {
            return home;
        }
        self.moved = if ended_on == home { 0 } else { self.moved + 1 };
        if self.moved < FOLLOW_AFTER {
            return home;
        }
        self.moved = 0;
        *self.home.insert(ended_on)
    }
}

/// Where a thread waits for its next slice.
#[derive(Clone, Copy)]
pub(crate) struct Home {
    native: Native,
    processor: u32,
    /// The thread runs there.
    is_here: bool,
}

/// Kept by the thread itself, except for its binding.
pub(crate) struct Rotor {
    /// Its home while it is bound.
    bound_to: AtomicU32,
    /// Held for the length of the system calls, so that the thread that they are about cannot end meanwhile.
    binding: Mutex<Option<sys::Binding>>,
    /// Its turn after a slice that ended: which of its turns it is, where it began and, if it is measured, when, also by the thread's own clock.
    began_run: AtomicU64,
    began_on: AtomicU32,
    began_ns: AtomicU64,
    began_cpu_ns: AtomicU64,
}

impl Default for Rotor {
    fn default() -> Self {
        Rotor {
            bound_to: AtomicU32::new(NOWHERE),
            binding: Mutex::new(None),
            began_run: AtomicU64::new(u64::MAX),
            began_on: AtomicU32::new(NOWHERE),
            began_ns: AtomicU64::new(0),
            began_cpu_ns: AtomicU64::new(0),
        }
    }
}

impl Rotor {
    /// Is it bound to that processor?
    pub fn is_bound_to(&self, processor: u32) -> bool {
        processor != NOWHERE && processor == self.bound_to.load(Relaxed)
    }

    /// Did it note how the present turn of its thread began? It does so only for turns after a slice that ended.
    fn saw_begin(&self, thread: &LockThread) -> bool {
        self.began_run.load(Relaxed) == thread.counters.runs.get()
    }

    /// Binds the calling thread, whose rotor this is. False: it may not run there.
    fn bind(&self, home: &Home) -> bool {
        let mut binding = sys::lock(&self.binding);
        *binding = sys::Binding::new(&home.native, home.processor);
        self.bound_to.store(if binding.is_some() { home.processor } else { NOWHERE }, Relaxed);
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
    fn rotates_on_one_processor(&self, thread: &LockThread) -> bool {
        self.rotate_on_one_processor && self.slice_of(thread) >= SLICE_MIN_NS && !sys::has_one_processor()
    }

    /// The slice of the calling thread is over, and `next` is to have the lock: where is the thread to wait for its next slice? `None`: anywhere.
    pub(crate) fn home_of(&self, inner: &mut Inner, thread: &LockThread, next: u32, now_ns: u64) -> Option<Home> {
        let next_rotates = inner.table.get(next).is_some_and(|slot| slot.rotates);
        if !next_rotates || !self.rotates_on_one_processor(thread) || inner.rotation.crowding.lasts(now_ns) {
            return None;
        }
        let native = inner.table.get(thread.slot())?.native?;
        let here = native.processor()?;
        let began_on = if thread.rotor.saw_begin(thread) { thread.rotor.began_on.load(Relaxed) } else { NOWHERE };
        let processor = inner.rotation.follow(began_on, here);
        Some(Home { native, processor, is_here: processor == here })
    }

    /// Waits for the next slice of the calling thread, at home if it has one. `wakes` has the next holder.
    pub(crate) fn wait_slice_at(&self, mut home: Option<Home>, thread: &LockThread, mut wakes: Wakes) {
        let rotor = &thread.rotor;
        if home.is_some() && self.was_kept_from_running(thread) {
            sys::lock(&self.inner).rotation.crowded(sys::stamp_ns());
            home = None;
        }
        if !home.is_some_and(|home| home.is_here) {
            // To go there takes long.
            std::mem::take(&mut wakes).send();
        }
        let bound = home.is_some_and(|home| rotor.bind(&home));
        self.use_slices(thread, if bound { Slices::Turns } else { Slices::Usual });
        wakes.send();
        self.wait_slice(thread, bound);
        if bound {
            rotor.unbind();
        }
        self.let_others_run(thread);
        if !self.rotates_on_one_processor(thread) {
            return;
        }
        let begun_ns = sys::stamp_ns();
        let inner = &mut *sys::lock(&self.inner);
        if bound && thread.counters.phase_lasted_ns(begun_ns) > LATE_NS {
            inner.rotation.crowded(begun_ns);
        } else if bound {
            inner.rotation.begun_in_time();
        } else if home.is_some() {
            inner.rotation.home = None;
        }
        let run = thread.counters.runs.get();
        let measured = run.is_multiple_of(MEASURED_EVERY);
        rotor.began_run.store(run, Relaxed);
        rotor.began_on.store(processor_of(inner, thread).unwrap_or(NOWHERE), Relaxed);
        rotor.began_ns.store(if measured { begun_ns } else { u64::MAX }, Relaxed);
        if measured {
            rotor.began_cpu_ns.store(sys::thread_cpu_ns(), Relaxed);
        }
    }

    /// When the turn of a waiting thread is due, if everybody before it has a full slice: then it keeps the time of the turn before.
    /// `alarm_ns`: when the present turn is over.
    pub(crate) fn due_ns(&self, inner: &Inner, me: u32, alarm_ns: u64) -> u64 {
        let before = inner.table.iter(Entry::Normal).take_while(|id| *id != me).take(LOOK_AHEAD).filter_map(|id| inner.table.get(id));
        before.fold(alarm_ns, |due_ns, slot| due_ns.saturating_add(self.slice_of(&slot.thread) + CHANGE_NS))
    }

    /// Did others have the processor for a part of the turn that has just ended?
    fn was_kept_from_running(&self, thread: &LockThread) -> bool {
        let rotor = &thread.rotor;
        let began_ns = rotor.began_ns.load(Relaxed);
        if !rotor.saw_begin(thread) || began_ns == u64::MAX {
            return false;
        }
        let lasted_ns = sys::stamp_ns().saturating_sub(began_ns);
        let ran_ns = sys::thread_cpu_ns().saturating_sub(rotor.began_cpu_ns.load(Relaxed));
        ran_ns < lasted_ns / 4 * 3
    }

    /// The calling thread waits for something else than its turn.
    pub(crate) fn ends_turns(&self, thread: &LockThread) {
        if thread.kernel_sched.has(Slices::Turns) {
            self.use_slices(thread, Slices::Usual);
        }
    }
}

fn processor_of(inner: &Inner, thread: &LockThread) -> Option<u32> {
    inner.table.get(thread.slot())?.native?.processor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_follows_a_holder_that_was_moved() {
        let mut rotation = Rotation::default();
        assert_eq!(rotation.follow(NOWHERE, 3), 3, "the first turn chooses it");
        assert_eq!(rotation.follow(1, 1), 3, "a turn that began elsewhere does not");
        assert_eq!(rotation.follow(3, 3), 3);
        assert_eq!([rotation.follow(3, 0), rotation.follow(3, 3)], [3, 3], "once, and goes back");
        assert_eq!([rotation.follow(3, 0), rotation.follow(0, 0), rotation.follow(3, 0)], [3, 3, 0], "twice of those that began there");
        assert_eq!(rotation.follow(3, 1), 0, "from the old home");
    }

    #[test]
    fn others_at_home_are_remembered_longer_each_time() {
        let mut rotation = Rotation::default();
        rotation.follow(NOWHERE, 1);
        rotation.crowded(0);
        let until = |rotation: &Rotation, ns| rotation.crowding.lasts(ns - 1) && !rotation.crowding.lasts(ns);
        assert!(rotation.home.is_none() && until(&rotation, CROWDED.first_ns));
        rotation.crowded(0);
        assert!(until(&rotation, 2 * CROWDED.first_ns));
        (0..20).for_each(|_| rotation.crowded(0));
        assert!(until(&rotation, CROWDED.most_ns));
        (0..FREE_TURNS).for_each(|_| rotation.begun_in_time());
        rotation.crowded(0);
        assert!(until(&rotation, CROWDED.first_ns));
    }
}
