//! Models of the lock's memory orders: the crate's own sources on top of loom, which tries
//! every interleaving (up to a number of preemptions) and every value that a weakly
//! ordered processor may read. Data that the lock protects lies in cells that check for it.
//!
//! Longer and wilder runs are the business of `tests/model`.

#![allow(dead_code, unused_imports)]

#[path = "../../src/config.rs"]
mod config;
#[path = "../../src/core/mod.rs"]
mod core;
mod framework;
#[path = "../../src/policy/mod.rs"]
mod policy;
#[path = "../simulated/sys.rs"]
mod sys;

use config::Config;
use core::lock::VmLock;
use core::park::ParkResult;
use core::region::{Kind, RegionSite};
use core::thread::{Entry, LockThread};
use loom::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Data that only the holder of the lock may touch.
struct Guarded(UnsafeCell<u32>);

// SAFETY: loom reports every access that is not ordered by the lock.
unsafe impl Sync for Guarded {}
// SAFETY: as above.
unsafe impl Send for Guarded {}

impl Guarded {
    fn new() -> Arc<Guarded> {
        Arc::new(Guarded(UnsafeCell::new(0)))
    }

    fn add(&self) {
        // SAFETY: the caller holds the lock; loom checks it.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }

    fn get(&self) -> u32 {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }
}

fn check(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 50_000;
    builder.check(move || {
        sys::reset();
        model();
    });
}

fn config() -> Config {
    Config { spin: Duration::ZERO, ..Config::default() }
}

fn site() -> &'static RegionSite {
    Box::leak(Box::new(RegionSite::new("loom")))
}

fn start(lock: &Arc<VmLock>, work: impl FnOnce(&LockThread) + 'static) -> loom::thread::JoinHandle<()> {
    let lock = Arc::clone(lock);
    loom::thread::spawn(move || {
        let me = lock.attach("loom");
        me.acquire();
        work(&me);
        me.release();
        me.detach();
    })
}

/// The other thread ends too; then so much was added.
fn finish(me: Arc<LockThread>, other: loom::thread::JoinHandle<()>, data: &Guarded, total: u32) {
    me.release();
    other.join().unwrap();
    me.acquire();
    assert_eq!(data.get(), total);
    me.release();
    me.detach();
}

#[test]
fn what_one_holder_wrote_the_next_one_reads() {
    check(3, || {
        let (lock, data) = (VmLock::new(config()), Guarded::new());
        let (mine, theirs) = (Arc::clone(&data), Arc::clone(&data));
        let other = start(&lock, move |_| theirs.add());
        let me = lock.attach("main");
        me.acquire();
        mine.add();
        finish(me, other, &data, 2);
    });
}

#[test]
fn a_turn_is_begun_or_taken_over_but_not_both() {
    check(3, || {
        let (lock, data) = (VmLock::new(config()), Guarded::new());
        let (mine, theirs) = (Arc::clone(&data), Arc::clone(&data));
        let me = lock.attach("main");
        me.acquire();
        let other = start(&lock, move |_| theirs.add());
        mine.add();
        me.region(Kind::Long, || ());
        mine.add();
        finish(me, other, &data, 3);
    });
}

#[test]
fn a_lent_lock_is_stolen_or_taken_back_but_not_both() {
    check(3, || {
        let (lock, data) = (VmLock::new(config()), Guarded::new());
        let (mine, theirs) = (Arc::clone(&data), Arc::clone(&data));
        let other = start(&lock, move |_| theirs.add());
        let me = lock.attach("main");
        me.acquire();
        mine.add();
        me.region(Kind::Short(site()), loom::thread::yield_now);
        mine.add();
        me.region(Kind::Short(site()), || ());
        mine.add();
        finish(me, other, &data, 4);
    });
}

#[test]
fn a_lent_lock_is_stolen_long_before_the_slice_is_over() {
    check(3, || {
        let lock = VmLock::new(Config { slice: Duration::from_secs(10), ..config() });
        let got = Arc::new(loom::sync::atomic::AtomicBool::new(false));
        let me = lock.attach("main");
        me.acquire();
        let got2 = Arc::clone(&got);
        let other = start(&lock, move |_| got2.store(true, Relaxed));
        me.region(Kind::Short(site()), || {
            while !got.load(Relaxed) {
                loom::thread::yield_now();
            }
        });
        me.release();
        other.join().unwrap();
        me.detach();
    });
}

/// I4: the timekeeper stops watching just when the holder lends.
#[test]
fn a_timekeeper_that_stops_watching_looks_once_more() {
    check(2, || {
        let lock = VmLock::new(Config { slice: Duration::from_secs(10), ..config() });
        let got = Arc::new(loom::sync::atomic::AtomicBool::new(false));
        let me = lock.attach("main");
        me.acquire();
        let got2 = Arc::clone(&got);
        let other = start(&lock, move |_| got2.store(true, Relaxed));
        me.region(Kind::Short(site()), || {
            while !lock.watched.load(Relaxed) {
                loom::thread::yield_now();
            }
        });
        (0..3).for_each(|_| loom::thread::yield_now());
        me.region(Kind::Short(site()), || {
            while !got.load(Relaxed) {
                loom::thread::yield_now();
            }
        });
        me.release();
        other.join().unwrap();
        me.detach();
    });
}

#[test]
fn a_holder_that_is_asked_gives_way_and_comes_back() {
    check(2, || {
        let (lock, data) = (VmLock::new(config()), Guarded::new());
        let (mine, theirs) = (Arc::clone(&data), Arc::clone(&data));
        let lock2 = Arc::clone(&lock);
        let other = loom::thread::spawn(move || {
            let me = lock2.attach("asking");
            me.acquire_as(Entry::Priority);
            theirs.add();
            me.release();
            me.detach();
        });
        let me = lock.attach("main");
        me.acquire();
        for _ in 0..2 {
            mine.add();
            if me.interrupt.pending() {
                me.safepoint_slow();
            }
        }
        finish(me, other, &data, 3);
    });
}

#[test]
fn an_unpark_is_not_lost_and_orders_what_was_written() {
    check(2, || {
        let (lock, data) = (VmLock::new(config()), Guarded::new());
        let theirs = Arc::clone(&data);
        let me = lock.attach("main");
        let target = Arc::clone(&me);
        let other = start(&lock, move |_| {
            theirs.add();
            target.unpark();
        });
        me.acquire();
        assert_eq!(me.park(None), ParkResult::Unparked);
        assert_eq!(data.get(), 1);
        me.release();
        other.join().unwrap();
        me.detach();
    });
}
