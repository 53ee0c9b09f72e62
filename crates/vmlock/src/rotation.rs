//! Threads that compute take turns on one processor. Left to itself the kernel puts the next one, whose timer tells it that the slice
//! is over, on another processor than the one that still runs, for that one is idle. So the threads go to and fro between
//! processors, each of which cools down while the others work: its caches are filled by somebody else, its clock is lowered, or, on
//! a virtual machine, it is given to another one. And a thread back from a wait finds none that is surely free.
//!
//! So a thread whose slice has ended binds itself to the processor of the turn, their *home*, while it waits, and unbinds itself when its
//! turn begins: a running thread can go everywhere, and so can what it starts. The home follows a holder that the kernel moves.
//! If the lock comes because the holder left to work natively, at home, the waiter is unbound before it is woken, so
//! that both run. Waiters at home ask the kernel for short slices: with the usual ones a waiter whose timer ends would run up to 4 ms later.
//!
//! It pays only where the home is free. A turn that begins late, or a holder that did not have the processor for itself, shows that
//! others want it: then nobody is bound for a while.
//!
//! A change of turns takes 20 to 60 us of the 5 ms, by how fast the processor is just then: three switches and twenty system calls, of
//! which those that bind a thread, unbind it and change its slices take a third. Whoever measures what it gains must compare runs on one and the same
//! processor: on a virtual machine each shares a core with somebody else and may be half as fast as the other one for seconds.
//!
//! Rejected: threads that stay bound while they run, for whatever they start would be bound as well, and the kernel could not
//! move them away from others; a timer that wakes the next one from the holder's side, for the kernel chooses the
//! idle processor all the same.

use crate::crowding::{Crowding, Limits};
use crate::kernel_sched::Slices;
use crate::lock::{Inner, VmLock};
use crate::sys::{self, AtomicU32, AtomicU64, Mutex, NativeThread};
use crate::thread::LockThread;
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
/// No processor.
const NOWHERE: u32 = u32::MAX;

/// Where turns are taken. Under the internal mutex.
#[derive(Default)]
pub(crate) struct Rotation {
    home: Option<u32>,
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
        let home = self.home.filter(|home| *home != began_on).unwrap_or(ended_on);
        self.home = Some(home);
        home
    }
}

/// Where a thread waits for its next slice.
#[derive(Clone, Copy)]
pub(crate) struct Home {
    processor: u32,
    /// The thread runs there.
    is_here: bool,
}

/// Kept by the thread itself, except for its binding.
pub(crate) struct Rotor {
    /// Its home while it is bound.
    bound_to: AtomicU32,
    /// Held for the length of the system call, so that the thread that it is about cannot end meanwhile.
    binding: Mutex<Option<sys::Binding>>,
    /// Its turn after a slice that ended: where it began, the reading of the thread's own clock and which of its turns it is.
    began_on: AtomicU32,
    began_cpu_ns: AtomicU64,
    began_run: AtomicU64,
}

impl Default for Rotor {
    fn default() -> Self {
        Rotor {
            bound_to: AtomicU32::new(NOWHERE),
            binding: Mutex::new(None),
            began_on: AtomicU32::new(NOWHERE),
            began_cpu_ns: AtomicU64::new(0),
            began_run: AtomicU64::new(u64::MAX),
        }
    }
}

impl Rotor {
    /// Is it bound to that processor?
    pub fn is_bound_to(&self, processor: u32) -> bool {
        processor != NOWHERE && processor == self.bound_to.load(Relaxed)
    }

    /// Binds the calling thread, whose rotor this is. False: it may not run there.
    fn bind(&self, home: u32) -> bool {
        let mut binding = sys::lock(&self.binding);
        *binding = sys::Binding::new(home);
        self.bound_to.store(if binding.is_some() { home } else { NOWHERE }, Relaxed);
        binding.is_some()
    }

    /// The thread is about to be woken by one that runs on its processor and then sleeps.
    pub fn wait_for_waker(&self) {
        if let Some(binding) = &*sys::lock(&self.binding) {
            binding.wait_for_waker();
        }
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
        if !next_rotates || !self.rotates_on_one_processor(thread) {
            return None;
        }
        let rotor = &thread.rotor;
        if rotor.began_run.load(Relaxed) == thread.counters.runs.get() {
            let lasted_ns = now_ns.saturating_sub(inner.turn.since_ns);
            let ran_ns = sys::thread_cpu_ns().saturating_sub(rotor.began_cpu_ns.load(Relaxed));
            if ran_ns < lasted_ns / 4 * 3 {
                inner.rotation.crowded(now_ns);
            }
        }
        if inner.rotation.crowding.lasts(now_ns) {
            return None;
        }
        let here = processor_of(inner, thread)?;
        let processor = inner.rotation.follow(rotor.began_on.load(Relaxed), here);
        Some(Home { processor, is_here: processor == here })
    }

    /// Waits for the next slice of the calling thread, at home if it has one. `wakes` has the next holder.
    pub(crate) fn wait_slice_at(&self, home: Option<Home>, thread: &LockThread, mut wakes: Wakes) {
        let rotor = &thread.rotor;
        let is_home = home.is_some_and(|home| home.is_here);
        if !is_home {
            // To go there takes long.
            std::mem::take(&mut wakes).send();
        }
        let bound = home.is_some_and(|home| rotor.bind(home.processor));
        // Its timer is to be heard beside the holder.
        self.use_slices(thread, if bound { Slices::Short } else { Slices::Usual });
        wakes.send_from(home.map(|home| home.processor));
        self.wait_slice(thread, bound);
        if bound {
            rotor.unbind();
            self.use_slices(thread, Slices::Usual);
            // Whoever woke at home during the last turn goes first.
            sys::yield_cpu();
        } else {
            self.let_others_run(thread);
        }
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
        rotor.began_on.store(processor_of(inner, thread).unwrap_or(NOWHERE), Relaxed);
        rotor.began_cpu_ns.store(sys::thread_cpu_ns(), Relaxed);
        rotor.began_run.store(thread.counters.runs.get(), Relaxed);
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
        assert_eq!(rotation.follow(3, 0), 0, "moved away from home");
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
