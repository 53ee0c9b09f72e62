//! Models: the crate's own sources, compiled a second time on top of a simulated
//! operating system (`simulated/sys.rs`), in which a scheduler chooses every
//! interleaving at random and time leaps. A deadlock of the model is a stranded waiter.
//!
//! What weak memory orders add is the business of `tests/loom`.

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
use core::schedule::{Decision, Schedule, SwitchPoint};
use core::thread::{Entry, LockThread, ThreadId};
use core::trace::{Event, EventKind, Trace};
use core::unblock::Unblock;
use shuttle::rand::Rng;
use std::sync::Arc;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const KILL: u32 = 1 << 16;

/// Runs a model under random schedules, and under ones with few preemptions, which reach deeper.
fn check(iterations: usize, model: impl Fn() + Send + Sync + Clone + 'static) {
    let fresh = move || {
        sys::reset();
        model();
    };
    shuttle::check_random(fresh.clone(), iterations);
    shuttle::check_pct(fresh, iterations / 2, 3);
}

fn random(below: u32) -> u32 {
    shuttle::rand::thread_rng().gen_range(0..below)
}

fn site() -> &'static RegionSite {
    Box::leak(Box::new(RegionSite::new("model")))
}

/// What the lock protects: whoever holds it writes its number and finds it again.
#[derive(Default)]
struct Exclusive {
    owner: AtomicU32,
    turns: AtomicU64,
}

impl Exclusive {
    fn enter(&self, me: u32) {
        assert_eq!(self.owner.swap(me + 1, Relaxed), 0, "two threads hold the lock");
        self.turns.fetch_add(1, Relaxed);
    }

    fn leave(&self, me: u32) {
        assert_eq!(self.owner.swap(0, Relaxed), me + 1, "two threads hold the lock");
    }

    /// Something that may let others run; the lock is held before and after.
    fn around<R>(&self, me: u32, change: impl FnOnce() -> R) -> R {
        self.leave(me);
        let result = change();
        self.enter(me);
        result
    }
}

/// One thread of a model: takes the lock, does something several times, gives it back.
fn mix(lock: &Arc<VmLock>, shared: &Exclusive, me: u32, steps: u32, site: &'static RegionSite) {
    let thread = lock.attach("model");
    thread.acquire_as(if random(2) == 0 { Entry::Normal } else { Entry::Priority });
    shared.enter(me);
    for _ in 0..steps {
        match random(8) {
            0 => shared.around(me, || {
                thread.release();
                thread.acquire_as(if random(2) == 0 { Entry::Normal } else { Entry::Priority });
            }),
            1 => shared.around(me, || thread.yield_now()),
            2 => shared.around(me, || thread.region(Kind::Long, shuttle::thread::yield_now)),
            3 => {
                let result =
                    shared.around(me, || thread.park(Some(std::time::Instant::now() + Duration::from_micros(50))));
                assert_eq!(result, ParkResult::TimedOut);
            }
            4 | 5 => shared.around(me, || {
                thread.region(Kind::Short(site), || (0..random(4)).for_each(|_| shuttle::thread::yield_now()))
            }),
            _ => (0..3).for_each(|_| {
                shuttle::thread::yield_now();
                if thread.interrupt.pending() {
                    shared.around(me, || thread.safepoint_slow());
                }
            }),
        }
        assert!(thread.holds());
    }
    shared.leave(me);
    thread.release();
    thread.detach();
}

fn mixed_model(config: Config, threads: u32, prepare: impl Fn(&Arc<VmLock>)) {
    let lock = VmLock::new(config);
    prepare(&lock);
    let shared = Arc::new(Exclusive::default());
    let site = site();
    let handles: Vec<_> = (0..threads)
        .map(|me| {
            let (lock, shared) = (Arc::clone(&lock), Arc::clone(&shared));
            shuttle::thread::spawn(move || mix(&lock, &shared, me, 4, site))
        })
        .collect();
    handles.into_iter().for_each(|handle| handle.join().unwrap());
    let census = lock.census();
    assert_eq!((census.attached, census.queued, census.parked), (0, 0, 0));
    assert_eq!(core::word::state(lock.word.load(Relaxed)), core::word::FREE);
}

#[test]
fn nobody_shares_the_lock_and_nobody_is_stranded() {
    check(4000, || mixed_model(Config::default(), 3, |_| {}));
}

#[test]
fn the_same_without_spinning_and_with_short_times() {
    let config = Config {
        spin: Duration::ZERO,
        slice: Duration::from_micros(2),
        priority_slice: Duration::from_micros(1),
        watch_interval: Duration::from_micros(1),
        priority_burst: Duration::from_micros(3),
        light: Duration::ZERO,
        ..Config::default()
    };
    check(4000, move || mixed_model(config.clone(), 4, |_| {}));
}

#[test]
fn the_same_with_the_plain_policy() {
    check(2000, || mixed_model(Config::plain(), 3, |_| {}));
    check(2000, || mixed_model(Config { slice: Duration::from_micros(2), ..Config::plain() }, 4, |_| {}));
}

/// Threads spin when they park, and are woken ahead of their turns, from the first time on.
fn eager() -> Config {
    Config { ahead_after: 0, spin_parked_after: 0, ..Config::default() }
}

#[test]
fn the_same_with_threads_that_are_there_in_time() {
    check(4000, || mixed_model(eager(), 3, |_| {}));
    check(2000, || mixed_model(Config { slice: Duration::from_micros(2), ..eager() }, 4, |_| {}));
}

/// Checks the order of events: turns do not overlap, a thread that lost the lock to the end of its slice
/// is not the next to run, and nobody is overtaken for ever.
#[derive(Default)]
struct Order(StdMutex<OrderState>);

#[derive(Default)]
struct OrderState {
    running: Option<u32>,
    ended: Option<u32>,
    overtaken: std::collections::HashMap<u32, u32>,
}

impl Trace for Order {
    fn event(&self, event: Event) {
        let mut state = self.0.lock().unwrap();
        let me = event.thread.0;
        match event.kind {
            EventKind::Wait { .. } => {
                state.overtaken.insert(me, 0);
            }
            EventKind::Run { .. } => {
                assert_eq!(state.running.replace(me), None, "turns overlap");
                assert_ne!(state.ended.take(), Some(me), "its slice had ended");
                state.overtaken.remove(&me);
                state.overtaken.values_mut().for_each(|times| *times += 1);
                assert!(state.overtaken.values().all(|times| *times < 60), "overtaken for ever");
            }
            EventKind::Stop { reason, .. } => {
                assert_eq!(state.running.take(), Some(me), "it was not running");
                let others_wait = state.overtaken.keys().any(|id| *id != me);
                state.ended = (reason == core::stats::Reason::SliceEnd && others_wait).then_some(me);
            }
            _ => {}
        }
    }
}

#[test]
fn turns_are_in_order_and_bounded() {
    check(2000, || mixed_model(Config::default(), 3, |lock| drop(lock.set_trace(Some(Arc::new(Order::default()))))));
}

/// A schedule that draws every decision.
struct Drawn;

impl Schedule for Drawn {
    fn decide(&self, _: SwitchPoint, _: ThreadId, waiting: &[ThreadId]) -> Decision {
        match random(waiting.len() as u32 + 1) as usize {
            index if index < waiting.len() => Decision::Give(index),
            _ => Decision::Default,
        }
    }
}

#[test]
fn a_schedule_strands_nobody() {
    check(2000, || mixed_model(Config::default(), 3, |lock| lock.set_schedule(Some(Arc::new(Drawn)))));
}

/// A thread that sleeps in the queue, and one that leaves the lock for moments and comes back before the other has
/// woken.
fn takeover_model(config: Config, taken_over: &AtomicU64) {
    let lock = VmLock::new(config);
    let shared = Arc::new(Exclusive::default());
    let main = lock.attach("main");
    main.acquire();
    shared.enter(0);
    let (lock2, shared2) = (Arc::clone(&lock), Arc::clone(&shared));
    let sleeper = shuttle::thread::spawn(move || {
        let me = lock2.attach("sleeper");
        for _ in 0..2 {
            me.acquire();
            shared2.enter(1);
            shuttle::thread::yield_now();
            shared2.leave(1);
            me.release();
        }
        let stats = me.stats();
        me.detach();
        stats
    });
    for _ in 0..6 {
        shared.around(0, || main.region(Kind::Long, || ()));
        assert!(main.holds());
        if main.interrupt.pending() {
            shared.around(0, || main.safepoint_slow());
        }
    }
    shared.leave(0);
    main.release();
    let stats = sleeper.join().unwrap();
    main.detach();
    // It gives way at no safepoint.
    taken_over.fetch_add(stats.given[core::stats::Reason::Priority as usize], Relaxed);
    assert_eq!(core::word::state(lock.word.load(Relaxed)), core::word::FREE);
}

#[test]
fn the_time_in_which_a_successor_wakes_may_be_used() {
    for spin in [Duration::ZERO, Duration::from_micros(30)] {
        let taken_over = Arc::new(AtomicU64::new(0));
        let (config, count) = (Config { spin, ..Config::default() }, Arc::clone(&taken_over));
        check(2000, move || takeover_model(config.clone(), &count));
        assert!(taken_over.load(Relaxed) > 0);
    }
}

#[test]
fn a_priority_request_goes_before_normal_waiters() {
    check(2000, || {
        let lock = VmLock::new(Config::default());
        let order = Arc::new(StdMutex::new(Vec::new()));
        let main = lock.attach("main");
        main.acquire();
        let start = |entry: Entry| {
            let (lock, order) = (Arc::clone(&lock), Arc::clone(&order));
            shuttle::thread::spawn(move || {
                let me = lock.attach("waiter");
                me.acquire_as(entry);
                order.lock().unwrap().push(entry);
                me.release();
                me.detach();
            })
        };
        let normal = start(Entry::Normal);
        while lock.census().queued < 1 {
            shuttle::thread::yield_now();
        }
        let priority = start(Entry::Priority);
        while lock.census().queued < 2 {
            shuttle::thread::yield_now();
        }
        // The holder is asked without any further event.
        while !main.interrupt.pending() {
            shuttle::thread::yield_now();
        }
        main.safepoint_slow();
        assert_eq!(order.lock().unwrap().first(), Some(&Entry::Priority));
        main.release();
        normal.join().unwrap();
        priority.join().unwrap();
    });
}

#[test]
fn a_waiter_gets_a_busy_holder_to_give_way() {
    check(2000, || {
        let lock = VmLock::new(Config::default());
        let got = Arc::new(AtomicBool::new(false));
        let main = lock.attach("main");
        main.acquire();
        let (lock2, got2) = (Arc::clone(&lock), Arc::clone(&got));
        let waiter = shuttle::thread::spawn(move || {
            let me = lock2.attach("waiter");
            me.acquire();
            got2.store(true, Relaxed);
            me.release();
            me.detach();
        });
        let site = site();
        let mut polls = 0;
        while !got.load(Relaxed) {
            // Short regions all the time: a deadline that falls into one must be kept, too.
            main.region(Kind::Short(site), shuttle::thread::yield_now);
            if main.interrupt.pending() {
                main.safepoint_slow();
            }
            polls += 1;
            assert!(polls < 20_000, "never asked to give way");
        }
        main.release();
        waiter.join().unwrap();
    });
}

/// Each thread computes until all of them have had the lock: whoever holds it must be asked to
/// give way, whoever has handed it over to whom, and why.
fn everybody_has_a_turn(first: impl Fn(&LockThread) + Send + Sync + Copy + 'static) {
    const THREADS: u32 = 4;
    let lock = VmLock::new(Config::default());
    let (had, site) = (Arc::new(AtomicU32::new(0)), site());
    let handles: Vec<_> = (0..THREADS)
        .map(|_| {
            let (lock, had) = (Arc::clone(&lock), Arc::clone(&had));
            shuttle::thread::spawn(move || {
                let me = lock.attach("turn");
                me.acquire();
                first(&me);
                had.fetch_add(1, Relaxed);
                let mut polls = 0;
                while had.load(Relaxed) < THREADS {
                    shuttle::thread::yield_now();
                    if random(4) == 0 {
                        me.region(Kind::Short(site), shuttle::thread::yield_now);
                    }
                    if me.interrupt.pending() {
                        me.safepoint_slow();
                    }
                    polls += 1;
                    assert!(polls < 5_000, "not asked to give way");
                }
                me.release();
                me.detach();
            })
        })
        .collect();
    handles.into_iter().for_each(|handle| handle.join().unwrap());
}

#[test]
fn everybody_has_a_turn_after_queueing() {
    check(400, || everybody_has_a_turn(|_| {}));
}

#[test]
fn everybody_has_a_turn_after_a_long_region() {
    check(400, || everybody_has_a_turn(|me| me.region(Kind::Long, shuttle::thread::yield_now)));
}

#[test]
fn everybody_has_a_turn_after_parking() {
    check(400, || {
        everybody_has_a_turn(|me| {
            me.park(Some(std::time::Instant::now()));
            me.yield_now();
        })
    });
}

/// The holder wakes a thread and lends the lock for as long as that thread has had no turn: also when an earlier
/// timekeeper has left its mark.
#[test]
fn who_was_woken_by_the_holder_takes_a_lent_lock() {
    const ROUNDS: u32 = 3;
    check(2000, || {
        let (lock, got) = (VmLock::new(Config::default()), Arc::new(AtomicU32::new(0)));
        let main = lock.attach("main");
        main.acquire();
        let sleeper = lock.prepare("sleeper");
        let handle = {
            let (me, got) = (Arc::clone(&sleeper), Arc::clone(&got));
            shuttle::thread::spawn(move || {
                me.bind();
                me.acquire();
                for _ in 0..ROUNDS {
                    assert_eq!(me.park(None), ParkResult::Unparked);
                    got.fetch_add(1, Relaxed);
                }
                me.release();
                me.detach();
            })
        };
        let site = site();
        for round in 1..=ROUNDS {
            while lock.census().parked < 1 {
                shuttle::thread::yield_now();
                if main.interrupt.pending() {
                    main.safepoint_slow();
                }
            }
            sleeper.unpark();
            main.region(Kind::Short(site), || {
                let mut polls = 0;
                while got.load(Relaxed) < round {
                    shuttle::thread::yield_now();
                    polls += 1;
                    assert!(polls < 20_000, "nobody takes the lent lock");
                }
            });
        }
        main.release();
        handle.join().unwrap();
    });
}

/// The holder wakes a thread and goes on: the thread sleeps until the holder wakes it as timekeeper, which must
/// happen in time wherever the holder goes.
#[test]
fn who_was_woken_by_the_holder_has_a_turn() {
    check(2000, || {
        let (lock, got) = (VmLock::new(Config::default()), Arc::new(AtomicU32::new(0)));
        let main = lock.attach("main");
        main.acquire();
        let sleepers: Vec<_> = (0..2).map(|_| lock.prepare("sleeper")).collect();
        let handles: Vec<_> = sleepers
            .iter()
            .map(|me| {
                let (me, got) = (Arc::clone(me), Arc::clone(&got));
                shuttle::thread::spawn(move || {
                    me.bind();
                    me.acquire();
                    assert_eq!(me.park(None), ParkResult::Unparked);
                    got.fetch_add(1, Relaxed);
                    me.release();
                    me.detach();
                })
            })
            .collect();
        let site = site();
        let mut polls = 0;
        while lock.census().parked < 2 {
            shuttle::thread::yield_now();
            if main.interrupt.pending() {
                main.safepoint_slow();
            }
        }
        sleepers.iter().for_each(|sleeper| sleeper.unpark());
        let ways = random(3);
        while got.load(Relaxed) < 2 {
            match ways {
                0 => {}
                1 => main.region(Kind::Short(site), shuttle::thread::yield_now),
                _ => main.region(Kind::Long, shuttle::thread::yield_now),
            }
            shuttle::thread::yield_now();
            if main.interrupt.pending() {
                main.safepoint_slow();
            }
            polls += 1;
            assert!(polls < 20_000, "never asked to give way");
        }
        main.release();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    });
}

#[test]
fn a_lent_lock_is_stolen_long_before_the_slice_is_over() {
    check(2000, || {
        let config = Config { slice: Duration::from_secs(10), spin: Duration::ZERO, ..Config::default() };
        let (lock, got) = (VmLock::new(config), Arc::new(AtomicBool::new(false)));
        let main = lock.attach("main");
        main.acquire();
        let (lock2, got2) = (Arc::clone(&lock), Arc::clone(&got));
        let waiter = shuttle::thread::spawn(move || {
            let me = lock2.attach("waiter");
            me.acquire();
            got2.store(true, Relaxed);
            me.release();
            me.detach();
        });
        let site = site();
        (0..random(4)).for_each(|_| {
            main.region(Kind::Short(site), shuttle::thread::yield_now);
            (0..random(16)).for_each(|_| shuttle::thread::yield_now());
        });
        main.region(Kind::Short(site), || {
            while !got.load(Relaxed) {
                shuttle::thread::yield_now();
            }
        });
        main.release();
        waiter.join().unwrap();
    });
}

/// I4: the timekeeper stops watching just when the holder lends.
#[test]
fn a_timekeeper_that_stops_watching_looks_once_more() {
    check(20_000, || {
        let config = Config { slice: Duration::from_secs(10), spin: Duration::ZERO, ..Config::default() };
        let (lock, got) = (VmLock::new(config), Arc::new(AtomicBool::new(false)));
        let main = lock.attach("main");
        main.acquire();
        let site = site();
        let (lock2, got2) = (Arc::clone(&lock), Arc::clone(&got));
        let waiter = shuttle::thread::spawn(move || {
            let me = lock2.attach("waiter");
            me.acquire();
            got2.store(true, Relaxed);
            me.release();
            me.detach();
        });
        main.region(Kind::Short(site), || {
            while !lock.watched.load(Relaxed) {
                shuttle::thread::yield_now();
            }
        });
        (0..random(40)).for_each(|_| shuttle::thread::yield_now());
        main.region(Kind::Short(site), || {
            while !got.load(Relaxed) {
                shuttle::thread::yield_now();
            }
        });
        main.release();
        waiter.join().unwrap();
    });
}

#[test]
fn an_unparked_thread_gets_a_lent_lock() {
    check(4000, || {
        let config = Config { slice: Duration::from_secs(10), spin: Duration::ZERO, ..Config::default() };
        let (lock, got) = (VmLock::new(config), Arc::new(AtomicBool::new(false)));
        let got2 = Arc::clone(&got);
        let parked = lock.prepare("parked");
        let parked2 = Arc::clone(&parked);
        let waiter = shuttle::thread::spawn(move || {
            parked2.bind();
            parked2.acquire();
            parked2.park(None);
            got2.store(true, Relaxed);
            parked2.release();
            parked2.detach();
        });
        while lock.census().parked == 0 {
            shuttle::thread::yield_now();
        }
        let main = lock.attach("main");
        main.acquire();
        let unparker = shuttle::thread::spawn(move || parked.unpark_as(Entry::Priority));
        let site = site();
        (0..random(3)).for_each(|_| main.region(Kind::Short(site), shuttle::thread::yield_now));
        main.region(Kind::Short(site), || {
            while !got.load(Relaxed) {
                shuttle::thread::yield_now();
            }
        });
        main.release();
        unparker.join().unwrap();
        waiter.join().unwrap();
    });
}

#[test]
fn no_unpark_is_lost() {
    unparked_thrice(Config::default());
    unparked_thrice(eager());
}

fn unparked_thrice(config: Config) {
    check(4000, move || {
        let lock = VmLock::new(config.clone());
        let parked = lock.prepare("parked");
        let (parked2, lock2) = (Arc::clone(&parked), Arc::clone(&lock));
        let seen = Arc::new(AtomicU32::new(0));
        let seen2 = Arc::clone(&seen);
        let handle = shuttle::thread::spawn(move || {
            parked2.bind();
            parked2.acquire();
            for _ in 0..3 {
                assert_eq!(parked2.park(None), ParkResult::Unparked);
                assert!(parked2.holds());
                seen2.fetch_add(1, Relaxed);
            }
            parked2.release();
            parked2.detach();
        });
        for round in 0..3 {
            let me = lock2.attach("unparker");
            if round == 1 {
                me.acquire();
            }
            parked.unpark_as(if round == 2 { Entry::Priority } else { Entry::Normal });
            if round == 1 {
                me.release();
            }
            me.detach();
            // One unpark is remembered, not several: wait until it has been taken.
            while seen.load(Relaxed) <= round {
                shuttle::thread::yield_now();
            }
        }
        handle.join().unwrap();
    });
}

/// A thread that parks without a deadline; its result, and what it was prepared as.
fn parks_forever(lock: &Arc<VmLock>) -> (Arc<LockThread>, shuttle::thread::JoinHandle<ParkResult>) {
    let parked = lock.prepare("parked");
    let parked2 = Arc::clone(&parked);
    let handle = shuttle::thread::spawn(move || {
        parked2.bind();
        parked2.acquire();
        let result = parked2.park(None);
        assert!(parked2.holds());
        parked2.release();
        parked2.detach();
        result
    });
    while lock.census().parked == 0 {
        shuttle::thread::yield_now();
    }
    (parked, handle)
}

#[test]
fn a_wake_that_was_taken_back_leaves_the_thread_parked() {
    let taken_back = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&taken_back);
    check(4000, move || {
        let lock = VmLock::new(if random(2) == 0 { eager() } else { Config::default() });
        let (parked, handle) = parks_forever(&lock);
        let lock2 = Arc::clone(&lock);
        let other = shuttle::thread::spawn(move || {
            let me = lock2.attach("other");
            (0..2).for_each(|_| {
                me.acquire();
                me.release();
            });
            me.detach();
        });
        let me = lock.attach("holder");
        me.acquire();
        assert!(!parked.stay_parked(), "nobody had woken it");
        for entry in [Entry::Normal, Entry::Priority] {
            parked.unpark_as(entry);
            if !parked.stay_parked() {
                break;
            }
            counted.fetch_add(1, Relaxed);
            assert_eq!((lock.census().parked, lock.census().parked_forever), (1, 1));
            assert!(!parked.stay_parked());
        }
        me.release();
        other.join().unwrap();
        me.acquire();
        // It takes this one, or the one that was not taken back.
        parked.unpark();
        me.release();
        assert_eq!(handle.join().unwrap(), ParkResult::Unparked);
        me.detach();
        assert_eq!((lock.census().queued, core::word::state(lock.word.load(Relaxed))), (0, core::word::FREE));
        assert_eq!(lock.word.load(Relaxed) & core::word::WAITED, 0);
    });
    assert!(taken_back.load(Relaxed) > 0);
}

#[test]
fn an_interrupt_ends_the_park_also_when_a_wake_is_taken_back() {
    check(4000, || {
        let lock = VmLock::new(if random(2) == 0 { eager() } else { Config::default() });
        let (parked, handle) = parks_forever(&lock);
        let parked2 = Arc::clone(&parked);
        let interrupter = shuttle::thread::spawn(move || parked2.interrupt(KILL));
        let me = lock.attach("holder");
        me.acquire();
        parked.unpark();
        parked.stay_parked();
        me.release();
        handle.join().unwrap();
        interrupter.join().unwrap();
        me.detach();
    });
}

#[test]
fn no_interrupt_is_lost() {
    check(4000, || {
        let lock = VmLock::new(Config::default());
        let victim = lock.prepare("victim");
        let victim2 = Arc::clone(&victim);
        let handle = shuttle::thread::spawn(move || {
            victim2.bind();
            victim2.acquire();
            if random(2) == 0 {
                assert_eq!(victim2.park(None), ParkResult::Interrupted);
            } else {
                let parker = sys::Parker::default();
                // Were the interrupt lost, nobody would ever end this wait.
                let _ = victim2.blocking(Kind::Long, Unblock::Park(&parker), || sys::Park::park(&parker, None));
            }
            assert!(victim2.holds());
            while victim2.interrupt.take(KILL) == 0 {
                victim2.region(Kind::Long, shuttle::thread::yield_now);
            }
            victim2.release();
            victim2.detach();
        });
        let me = lock.attach("killer");
        if random(2) == 0 {
            me.acquire();
            victim.interrupt(KILL);
            me.release();
        } else {
            victim.interrupt(KILL);
        }
        handle.join().unwrap();
    });
}
