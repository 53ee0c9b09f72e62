//! The seeded schedule: the same seed gives the same switches, threads that start and parks with
//! deadlines included; its clock leaps when everybody sleeps; what comes from outside comes all the same.

use rubellite_vmlock::{Config, Kind, LockThread, ParkResult, RegionSite, SeededSchedule, VmLock};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

static SHORT: RegionSite = RegionSite::new("short");

type Log = Arc<Mutex<Vec<(u32, u32)>>>;

fn poll(me: &LockThread) {
    if me.interrupt.pending() {
        me.safepoint_slow();
    }
}

/// Ten steps of a thread, each noted.
fn steps(lock: &VmLock, me: &LockThread, number: u32, others: &[Arc<LockThread>], log: &Log) {
    for step in 0..10 {
        log.lock().unwrap().push((number, step));
        match (number + step) % 5 {
            0 => (0..20).for_each(|_| poll(me)),
            1 => me.yield_now(),
            2 => {
                me.park(Some(lock.now() + Duration::from_micros(200 * u64::from(number))));
            }
            3 => others[(number as usize + 1) % others.len()].unpark(),
            _ => me.region(Kind::Short(&SHORT), || ()),
        }
        poll(me);
    }
}

/// What several threads did in which order under a seed.
fn order(seed: u64) -> Vec<(u32, u32)> {
    let lock = VmLock::new(Config::default());
    let schedule = Arc::new(SeededSchedule::new(seed, 4));
    lock.set_schedule(Some(schedule.clone()));
    let main = lock.attach("main");
    main.acquire();
    let log = Log::default();
    let threads: Vec<Arc<LockThread>> = (0..4).map(|_| lock.prepare("step")).collect();
    let handles: Vec<_> = threads
        .iter()
        .enumerate()
        .map(|(number, me)| {
            me.announce();
            let (lock, me, others, log) = (Arc::clone(&lock), Arc::clone(me), threads.clone(), Arc::clone(&log));
            thread::spawn(move || {
                me.bind();
                me.acquire();
                steps(&lock, &me, number as u32, &others, &log);
                me.detach();
            })
        })
        .collect();
    main.release();
    main.detach();
    handles.into_iter().for_each(|handle| handle.join().unwrap());
    assert!(schedule.decisions() > 40);
    let done = log.lock().unwrap().clone();
    assert_eq!(done.len(), 40);
    done
}

#[test]
fn the_same_seed_gives_the_same_order() {
    for seed in 0..20 {
        let first = order(seed);
        for _ in 0..5 {
            assert_eq!(order(seed), first, "seed {seed}");
        }
    }
    assert_ne!(order(1), order(2));
}

#[test]
fn the_clock_leaps_when_everybody_sleeps() {
    let lock = VmLock::new(Config::default());
    lock.set_schedule(Some(Arc::new(SeededSchedule::new(1, 4))));
    let me = lock.attach("main");
    me.acquire();
    let start = Instant::now();
    assert_eq!(me.park(Some(lock.now() + Duration::from_secs(3600))), ParkResult::TimedOut);
    assert!(me.holds() && start.elapsed() < Duration::from_secs(60));
    assert!(lock.schedule_clock_ns() >= Some(3_590_000_000_000));
    me.release();
    lock.set_schedule(None);
    assert_eq!(lock.schedule_clock_ns(), None);
}

#[test]
fn real_deadlines_count_while_somebody_is_outside() {
    let lock = VmLock::new(Config::default());
    lock.set_schedule(Some(Arc::new(SeededSchedule::new(1, 4))));
    let me = lock.attach("main");
    me.acquire();
    let lock2 = Arc::clone(&lock);
    let outside = lock.prepare("outside");
    outside.announce();
    let handle = thread::spawn(move || {
        outside.bind();
        outside.acquire();
        outside.region(Kind::Long, || thread::sleep(Duration::from_millis(100)));
        drop(lock2);
        outside.detach();
    });
    me.yield_now();
    assert_eq!(me.park(Some(lock.now() + Duration::from_millis(20))), ParkResult::TimedOut);
    me.release();
    me.detach();
    handle.join().unwrap();
}

#[test]
fn a_thread_that_was_announced_and_never_came_is_taken_back() {
    let lock = VmLock::new(Config::default());
    lock.set_schedule(Some(Arc::new(SeededSchedule::new(1, 4))));
    let me = lock.attach("main");
    me.acquire();
    let ghost = lock.prepare("ghost");
    ghost.announce();
    assert_eq!(lock.census().queued, 1);
    ghost.detach();
    assert_eq!(lock.census().queued, 0);
    me.region(Kind::Long, || ());
    me.release();
}
