//! Endurance with real threads: seeded mixes of everything, for a few seconds. Exclusion is checked
//! on plain memory, progress by a watchdog. `VMLOCK_STRESS_MS` makes it longer.

use rubellite_vmlock::{Config, Entry, Kind, LockThread, ParkResult, RegionSite, VmLock};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const KILL: u32 = 1 << 16;

/// What the lock protects: the present owner and a count, without any atomics.
#[derive(Default)]
struct Guarded(UnsafeCell<(u32, u64)>);

// SAFETY: only the holder of the lock touches it, which is what the test checks.
unsafe impl Sync for Guarded {}

impl Guarded {
    fn enter(&self, me: u32) {
        // SAFETY: the caller holds the lock.
        let state = unsafe { &mut *self.0.get() };
        assert_eq!(std::mem::replace(&mut state.0, me), 0, "two threads hold the lock");
        state.1 += 1;
    }

    fn leave(&self, me: u32) {
        // SAFETY: the caller holds the lock.
        let state = unsafe { &mut *self.0.get() };
        assert_eq!(std::mem::replace(&mut state.0, 0), me, "two threads hold the lock");
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn spend(us: u64) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_micros(us) {
        std::hint::spin_loop();
    }
}

struct World {
    lock: Arc<VmLock>,
    guarded: Guarded,
    entered: AtomicU64,
    stop: AtomicBool,
    threads: Mutex<Vec<Arc<LockThread>>>,
    site: &'static RegionSite,
}

impl World {
    /// One thing that may let others run; the lock is held before and after.
    fn step(&self, thread: &LockThread, me: u32, random: &mut Random) {
        for _ in 0..random.below(50) {
            if thread.interrupt.pending() {
                self.guarded.leave(me);
                thread.safepoint_slow();
                self.guarded.enter(me);
                self.entered.fetch_add(1, Relaxed);
                thread.interrupt.take(KILL);
            }
            std::hint::spin_loop();
        }
        self.guarded.leave(me);
        match random.below(12) {
            0 => {
                thread.release();
                spend(random.below(20));
                thread.acquire_as(if random.below(2) == 0 { Entry::Normal } else { Entry::Priority });
            }
            1 => thread.region(Kind::Long, || thread::sleep(Duration::from_micros(random.below(200)))),
            2 => thread.region(Kind::Short(self.site), || thread::sleep(Duration::from_micros(random.below(400)))),
            3 => thread.region(Kind::Short(self.site), || spend(random.below(150))),
            4 => thread.yield_now(),
            5 => {
                let deadline = Instant::now() + Duration::from_micros(random.below(500));
                let _ = thread.park(Some(deadline));
            }
            6 => self.disturb(random),
            _ => thread.region(Kind::Short(self.site), || spend(random.below(3))),
        }
        self.guarded.enter(me);
        self.entered.fetch_add(1, Relaxed);
    }

    /// Unparks or interrupts somebody.
    fn disturb(&self, random: &mut Random) {
        let threads = self.threads.lock().unwrap();
        let victim = &threads[random.below(threads.len() as u64) as usize];
        match random.below(4) {
            0 => victim.unpark(),
            3 => {
                victim.unpark();
                victim.stay_parked();
            }
            1 => victim.unpark_as(Entry::Priority),
            _ => victim.interrupt(KILL),
        }
    }

    fn run(&self, me: u32, seed: u64) {
        let thread = self.lock.attach("stress");
        self.threads.lock().unwrap().push(Arc::clone(&thread));
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        thread.acquire();
        self.guarded.enter(me);
        self.entered.fetch_add(1, Relaxed);
        while !self.stop.load(Relaxed) {
            self.step(&thread, me, &mut random);
        }
        self.guarded.leave(me);
        thread.release();
        let stats = thread.stats();
        assert!(stats.taken.iter().sum::<u64>() <= stats.runs);
    }
}

fn stress(config: Config, threads: u32, seed: u64, run: Duration) {
    let world = Arc::new(World {
        lock: VmLock::new(config),
        guarded: Guarded::default(),
        entered: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        threads: Mutex::new(Vec::new()),
        site: Box::leak(Box::new(RegionSite::new("stress"))),
    });
    let handles: Vec<_> = (1..=threads)
        .map(|me| {
            let world = Arc::clone(&world);
            thread::spawn(move || world.run(me, seed * 1000 + u64::from(me)))
        })
        .collect();
    let end = Instant::now() + run;
    let (mut last, mut since) = (0, Instant::now());
    while Instant::now() < end || handles.iter().any(|handle| !handle.is_finished()) {
        thread::sleep(Duration::from_millis(20));
        world.stop.store(Instant::now() >= end, Relaxed);
        let entered = world.entered.load(Relaxed);
        if entered != last {
            (last, since) = (entered, Instant::now());
        }
        let stuck = since.elapsed() > Duration::from_secs(10);
        assert!(!stuck, "no progress: {:?} {:?}", world.lock, world.lock.census());
    }
    handles.into_iter().for_each(|handle| handle.join().unwrap());
    // SAFETY: all threads have ended.
    let (owner, count) = unsafe { *world.guarded.0.get() };
    assert_eq!((owner, count), (0, world.entered.load(Relaxed)));
    assert_eq!(world.lock.census().attached, 0);
}

fn run_ms() -> Duration {
    let ms = std::env::var("VMLOCK_STRESS_MS").ok().and_then(|ms| ms.parse().ok());
    Duration::from_millis(ms.unwrap_or(700))
}

#[test]
fn everything_at_once() {
    for (seed, threads) in [(1, 3), (2, 8), (3, 40)] {
        stress(Config::default(), threads, seed, run_ms());
    }
}

#[test]
fn everything_at_once_without_spinning_in_tiny_slices() {
    let config = Config { spin: Duration::ZERO, slice: Duration::from_micros(100), ..Config::default() };
    stress(config, 8, 4, run_ms());
}

#[test]
fn threads_come_and_go() {
    let lock = VmLock::new(Config::default());
    let end = Instant::now() + run_ms();
    while Instant::now() < end {
        let handles: Vec<_> = (0..20)
            .map(|_| {
                let lock = Arc::clone(&lock);
                thread::spawn(move || {
                    let me = lock.attach("brief");
                    me.acquire();
                    assert_eq!(me.park(Some(Instant::now() + Duration::from_micros(100))), ParkResult::TimedOut);
                    me.release();
                })
            })
            .collect();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    }
    assert_eq!(lock.census().attached, 0);
}
