//! What an embedder relies on, with real threads: exclusion, hand-over, priority, regions,
//! parking, interrupts, statistics, the hooks, and fork. Interleavings are the business of
//! `tests/model`, endurance that of `stress.rs`.

use rubellite_vmlock::{
    Config, Decision, Entry, Event, EventKind, InterruptWord, Interrupted, Kind, LockThread, ParkResult, Parker,
    Reason, RegionSite, Schedule, SwitchPoint, ThreadId, Trace, Unblock, VmLock,
};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const KILL: u32 = 1 << 16;
const TRACE_BIT: u32 = 1 << 17;

static SHORT: RegionSite = RegionSite::new("short");

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A thread that computes and polls until it is told to stop; counts its rounds.
struct Busy {
    stop: Arc<AtomicBool>,
    rounds: Arc<AtomicU64>,
    held: Arc<AtomicU64>,
    handle: thread::JoinHandle<()>,
}

impl Busy {
    fn start(lock: &Arc<VmLock>) -> Busy {
        Self::start_with(lock, |_| {})
    }

    fn start_with(lock: &Arc<VmLock>, setup: impl FnOnce(&LockThread) + Send + 'static) -> Busy {
        let (stop, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (lock, stop2, rounds2) = (Arc::clone(lock), Arc::clone(&stop), Arc::clone(&rounds));
        let held = Arc::new(AtomicU64::new(0));
        let held2 = Arc::clone(&held);
        let (ready, started) = mpsc::channel();
        let handle = thread::spawn(move || {
            let me = lock.attach("busy");
            setup(&me);
            ready.send(()).unwrap();
            me.acquire();
            while !stop2.load(SeqCst) {
                for _ in 0..20 {
                    std::hint::spin_loop();
                }
                rounds2.fetch_add(1, SeqCst);
                if me.interrupt.pending() {
                    me.safepoint_slow();
                }
            }
            held2.store(me.stats().held_ns, SeqCst);
            me.release();
        });
        started.recv().unwrap();
        Busy { stop, rounds, held, handle }
    }

    /// Ends it; the nanoseconds for which it had the lock.
    fn held_ns(self) -> u64 {
        let held = Arc::clone(&self.held);
        self.finish();
        held.load(SeqCst)
    }

    fn finish(self) -> u64 {
        self.stop.store(true, SeqCst);
        self.handle.join().unwrap();
        self.rounds.load(SeqCst)
    }
}

/// One test at a time: they measure time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < end, "never: {what}");
        thread::sleep(ms(1));
    }
}

#[test]
fn one_thread_takes_and_gives_it() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let me = lock.attach("main");
    assert!(!me.holds());
    me.acquire();
    assert!(me.holds());
    assert!(!me.try_acquire());
    assert_eq!(me.safepoint_slow(), 0);
    me.yield_now();
    me.release();
    assert!(me.try_acquire());
    me.release();
    assert_eq!(me.stats().runs, 2);
    me.detach();
    me.detach();
    assert_eq!(lock.census().attached, 0);
}

#[test]
fn busy_threads_take_turns() {
    let _alone = alone();
    let lock = VmLock::new(Config { slice: ms(2), ..Config::default() });
    let busy: Vec<Busy> = (0..4).map(|_| Busy::start(&lock)).collect();
    thread::sleep(ms(400));
    let held: Vec<u64> = busy.into_iter().map(Busy::held_ns).collect();
    let all: u64 = held.iter().sum();
    assert!(held.iter().all(|mine| *mine > all / 10), "{held:?}");
}

/// Where a thread may run; zero: the calling one.
fn processors_of(thread: libc::pid_t) -> Vec<usize> {
    // SAFETY: the set is plain bits, and the kernel is told its size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        assert_eq!(libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut set), 0);
        (0..libc::CPU_SETSIZE as usize).filter(|number| libc::CPU_ISSET(*number, &set)).collect()
    }
}

#[test]
fn threads_wait_for_their_slices_on_one_processor_and_run_on_all() {
    let _alone = alone();
    let everywhere = processors_of(0);
    if everywhere.len() == 1 {
        return;
    }
    let lock = VmLock::new(Config { slice: ms(2), ..Config::default() });
    let (stop, steps) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (sender, receiver) = mpsc::channel();
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let (lock, stop, steps, sender, everywhere) =
                (Arc::clone(&lock), Arc::clone(&stop), Arc::clone(&steps), sender.clone(), everywhere.clone());
            thread::spawn(move || {
                let me = lock.attach("worker");
                me.acquire();
                // SAFETY: no arguments.
                sender.send(unsafe { libc::gettid() }).unwrap();
                while !stop.load(SeqCst) {
                    let step = steps.fetch_add(1, SeqCst);
                    if step % 16 == 0 {
                        assert_eq!(processors_of(0), everywhere, "while it runs");
                    }
                    if step % 50_000 == 0 {
                        let started = thread::spawn(|| processors_of(0));
                        me.region(Kind::Long, || assert_eq!(started.join().unwrap(), everywhere, "what it starts"));
                    }
                    if me.interrupt.pending() {
                        me.safepoint_slow();
                    }
                }
                me.release();
                me.detach();
                assert_eq!(processors_of(0), everywhere, "afterwards");
            })
        })
        .collect();
    let ids: Vec<libc::pid_t> = receiver.iter().take(workers.len()).collect();
    let until = Instant::now() + Duration::from_secs(10);
    let bound = || ids.iter().any(|id| processors_of(*id).len() == 1);
    while !bound() {
        assert!(Instant::now() < until, "nobody was bound");
        thread::sleep(ms(1));
    }
    thread::sleep(ms(200));
    stop.store(true, SeqCst);
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}

#[test]
fn a_thread_of_its_own_slice_or_priority_runs_that_long() {
    let _alone = alone();
    let lock = VmLock::new(Config { slice: ms(2), ..Config::default() });
    let trace = Arc::new(Collect::default());
    lock.set_trace(Some(trace.clone()));
    let plain = Busy::start(&lock);
    let long = Busy::start_with(&lock, |me| me.set_slice(Some(ms(6))));
    let high = Busy::start_with(&lock, |me| me.set_priority(2));
    thread::sleep(ms(500));
    [plain, long, high].into_iter().for_each(|busy| {
        busy.finish();
    });
    let shortest_turn_ms = |id: u32| {
        let events = trace.0.lock().unwrap();
        let turns = events.iter().filter(|event| event.thread == ThreadId(id)).filter_map(|event| match event.kind {
            EventKind::Stop { reason: Reason::SliceEnd, held_ns } => Some(held_ns as f64 / 1e6),
            _ => None,
        });
        turns.fold(f64::MAX, f64::min)
    };
    let turns = [0, 1, 2].map(shortest_turn_ms);
    assert!((2.0..6.0).contains(&turns[0]), "{turns:?}");
    assert!((6.0..30.0).contains(&turns[1]) && (8.0..30.0).contains(&turns[2]), "{turns:?}");
}

#[test]
fn a_priority_request_is_served_at_the_next_safepoint() {
    let _alone = alone();
    let lock = VmLock::new(Config { slice: ms(200), ..Config::default() });
    let busy = Busy::start(&lock);
    let me = lock.attach("io");
    let mut waits: Vec<Duration> = (0..50)
        .map(|_| {
            thread::sleep(ms(1));
            let asked = Instant::now();
            me.acquire_as(Entry::Priority);
            let waited = asked.elapsed();
            me.release();
            waited
        })
        .collect();
    waits.sort();
    assert!(waits[25] < ms(5), "{waits:?}");
    let stats = me.stats();
    assert!(stats.taken[Reason::Priority as usize] > 25);
    let last = stats.last_wait.unwrap();
    assert_eq!((last.behind, last.reason), (ThreadId(0), Reason::Priority), "who had it, and why it was given up");
    assert!(stats.longest_wait.unwrap().ns >= last.ns);
    busy.finish();
}

/// Each time that this thread queued: with priority?
fn queued_with_priority(trace: &Collect, id: ThreadId) -> Vec<bool> {
    let priority = |event: &Event| match event.kind {
        EventKind::Wait { priority, .. } if event.thread == id => Some(priority),
        _ => None,
    };
    trace.0.lock().unwrap().iter().filter_map(priority).collect()
}

#[test]
fn who_came_back_keeps_its_priority_for_a_slice_when_others_come_back() {
    let _alone = alone();
    let cut_short = || {
        let lock = VmLock::new(Config::default());
        let trace = Arc::new(Collect::default());
        let busy = Busy::start(&lock);
        let (runs, stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let first = {
            let (lock, runs, stop) = (Arc::clone(&lock), Arc::clone(&runs), Arc::clone(&stop));
            thread::spawn(move || {
                let me = lock.attach("first");
                me.acquire_as(Entry::Priority);
                runs.store(true, SeqCst);
                while !stop.load(SeqCst) {
                    if me.interrupt.pending() {
                        me.safepoint_slow();
                    }
                }
                me.release();
                me.id()
            })
        };
        let me = lock.attach("second");
        until("the first one runs", || runs.load(SeqCst));
        lock.set_trace(Some(trace.clone()));
        me.acquire_as(Entry::Priority);
        lock.set_trace(None);
        stop.store(true, SeqCst);
        me.release();
        busy.finish();
        queued_with_priority(&trace, first.join().unwrap())
    };
    // Where other processes have the processors its slice may be over before the second one asks.
    let queued: Vec<Vec<bool>> = (0..20).map(|_| cut_short()).collect();
    assert!(queued.contains(&vec![true]), "{queued:?}");
}

#[test]
fn who_is_woken_by_a_thread_that_came_back_has_its_priority() {
    let _alone = alone();
    let woken_by = |came_back: bool| {
        let lock = VmLock::new(Config::default());
        let trace = Arc::new(Collect::default());
        let (ready, started) = mpsc::channel();
        let sleeper = {
            let lock = Arc::clone(&lock);
            thread::spawn(move || {
                let me = lock.attach("sleeper");
                me.acquire();
                ready.send(Arc::clone(&me)).unwrap();
                me.park(None);
                me.release();
                me.id()
            })
        };
        let asleep = started.recv().unwrap();
        until("the sleeper is parked", || lock.census().parked == 1);
        let busy = Busy::start(&lock);
        let me = lock.attach("waker");
        thread::sleep(ms(2));
        me.acquire_as(if came_back { Entry::Priority } else { Entry::Normal });
        lock.set_trace(Some(trace.clone()));
        asleep.unpark();
        lock.set_trace(None);
        me.release();
        busy.finish();
        queued_with_priority(&trace, sleeper.join().unwrap())
    };
    assert_eq!(woken_by(true), [true]);
    assert_eq!(woken_by(false), [false]);
}

#[test]
fn extreme_settings_are_safe() {
    let _alone = alone();
    let config =
        Config { slice: Duration::MAX, watch_interval: Duration::MAX, spin: Duration::ZERO, ..Config::default() };
    let lock = VmLock::new(config);
    let busy = Busy::start_with(&lock, |me| me.set_priority(9));
    let me = lock.attach("main");
    me.acquire_as(Entry::Priority);
    lock.set_slice(Duration::ZERO);
    for _ in 0..100 {
        me.region(Kind::Short(&SHORT), || ());
        me.yield_now();
    }
    assert_eq!(me.park(Some(Instant::now())), ParkResult::TimedOut);
    me.release();
    busy.finish();
}

#[test]
fn chatty_threads_leave_a_computing_one_its_share() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let busy = Busy::start(&lock);
    let stop = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    let chatty: Vec<_> = (0..20)
        .map(|_| {
            let (lock, stop) = (Arc::clone(&lock), Arc::clone(&stop));
            thread::spawn(move || {
                let me = lock.attach("chatty");
                me.acquire();
                while !stop.load(SeqCst) {
                    me.region(Kind::Long, || thread::sleep(Duration::from_micros(200)));
                    // More than there is to be had, all of them together.
                    let end = Instant::now() + Duration::from_micros(100);
                    while Instant::now() < end {
                        if me.interrupt.pending() {
                            me.safepoint_slow();
                        }
                    }
                }
                me.release();
            })
        })
        .collect();
    thread::sleep(ms(800));
    stop.store(true, SeqCst);
    chatty.into_iter().for_each(|handle| handle.join().unwrap());
    let wall = start.elapsed();
    let share = busy.held_ns() as f64 / wall.as_nanos() as f64;
    assert!(share > 0.3, "{share}");
}

#[test]
fn a_region_runs_beside_the_interpreter() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let busy = Busy::start(&lock);
    let me = lock.attach("worker");
    me.acquire();
    for kind in [Kind::Long, Kind::Short(&SHORT)] {
        let before = busy.rounds.load(SeqCst);
        me.region(kind, || until("the other runs", || busy.rounds.load(SeqCst) > before + 1000));
        assert!(me.holds());
    }
    me.release();
    busy.finish();
}

#[test]
fn a_region_ends_with_the_lock_when_it_panics() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let me = lock.attach("main");
    me.acquire();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        me.region(Kind::Long, || std::panic::resume_unwind(Box::new(1)));
    }));
    assert!(caught.is_err() && me.holds());
    let mut guard = me.region_guard(Kind::Long);
    assert!(!me.holds());
    guard.with_lock(|| assert!(me.holds()));
    assert!(!me.holds());
    drop(guard);
    assert!(me.holds());
    me.release();
}

#[test]
fn a_site_learns_that_it_is_long_and_unlearns_it() {
    let _alone = alone();
    static SITE: RegionSite = RegionSite::new("learner");
    let lock = VmLock::new(Config::default());
    let busy = Busy::start(&lock);
    let me = lock.attach("worker");
    me.acquire();
    for _ in 0..20 {
        me.region(Kind::Short(&SITE), || thread::sleep(ms(2)));
    }
    assert!(lock.predicts_long(&SITE));
    assert!(!VmLock::new(Config::default()).predicts_long(&SITE), "another lock has learnt nothing");
    for _ in 0..20 {
        me.region(Kind::Short(&SITE), || ());
    }
    assert!(!lock.predicts_long(&SITE));
    me.release();
    busy.finish();
}

#[test]
fn a_park_ends_by_unpark_deadline_or_interrupt() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let main = lock.attach("main");
    let parked = lock.prepare("parked");
    let results = Arc::new(Mutex::new(Vec::new()));
    let (parked2, results2) = (Arc::clone(&parked), Arc::clone(&results));
    let handle = thread::spawn(move || {
        parked2.bind();
        parked2.acquire();
        for deadline in [None, Some(Instant::now() + ms(20)), None, None] {
            let result = parked2.park(deadline);
            assert!(parked2.holds());
            parked2.interrupt.take(KILL);
            results2.lock().unwrap().push(result);
        }
        parked2.release();
    });
    until("parked", || lock.census().parked_forever == 1);
    main.acquire();
    parked.unpark();
    assert_eq!(lock.census().queued, 1, "it queues at once, before it wakes");
    main.release();
    until("parked again", || results.lock().unwrap().len() == 2 && lock.census().parked_forever == 1);
    parked.interrupt(KILL);
    until("parked for the last time", || results.lock().unwrap().len() == 3 && lock.census().parked_forever == 1);
    parked.unpark();
    handle.join().unwrap();
    let expected = [ParkResult::Unparked, ParkResult::TimedOut, ParkResult::Interrupted, ParkResult::Unparked];
    assert_eq!(*results.lock().unwrap(), expected);
}

#[test]
fn an_unpark_before_the_park_is_not_lost() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let me = lock.prepare("early");
    me.unpark();
    me.bind();
    me.acquire();
    assert_eq!(me.park(None), ParkResult::Unparked);
    assert_eq!(me.park(Some(Instant::now() + ms(5))), ParkResult::TimedOut);
    me.interrupt(KILL);
    assert_eq!(me.park(None), ParkResult::Interrupted);
    assert_eq!(me.safepoint_slow(), KILL);
    assert_eq!(me.interrupt.take(KILL), KILL);
    assert!(!me.interrupt.pending());
    me.release();
}

#[test]
fn bits_outside_the_wake_mask_end_nothing() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let me = lock.attach("main");
    me.set_wake_mask(KILL);
    me.acquire();
    me.interrupt(TRACE_BIT);
    assert_eq!(me.park(Some(Instant::now() + ms(5))), ParkResult::TimedOut);
    assert_eq!(me.blocking(Kind::Long, Unblock::None, || 1), Ok(1));
    me.interrupt(KILL);
    assert_eq!(me.blocking(Kind::Long, Unblock::None, || 1), Err(Interrupted(KILL)));
    me.release();
}

/// Interrupts a region again and again, each time at another moment of its life.
fn interrupt_region(kind: Kind, unblock: Unblock<'_>, wait: &dyn Fn()) {
    let lock = VmLock::new(Config::default());
    let victim = lock.attach("victim");
    let rounds = 200;
    let (go, going) = mpsc::channel();
    let (target, lock2) = (Arc::clone(&victim), Arc::clone(&lock));
    let killer = thread::spawn(move || {
        let me = lock2.attach("killer");
        for pause in going {
            (0..pause).for_each(|_| std::hint::spin_loop());
            me.acquire();
            target.interrupt(KILL);
            me.release();
        }
    });
    victim.acquire();
    for round in 0..rounds {
        go.send(round * 10).unwrap();
        let done = victim.blocking(kind, unblock, wait);
        assert!(victim.holds());
        until("the bits came", || {
            victim.region(Kind::Long, thread::yield_now);
            victim.interrupt.take(KILL) != 0
        });
        let _ = done;
    }
    victim.release();
    drop(go);
    killer.join().unwrap();
}

#[test]
fn an_interrupt_ends_a_region_by_a_flag() {
    let _alone = alone();
    let flag = AtomicBool::new(false);
    interrupt_region(Kind::Long, Unblock::Flag(&flag), &|| {
        while !flag.swap(false, SeqCst) {
            thread::yield_now();
        }
    });
}

#[test]
fn an_interrupt_ends_a_region_by_a_parker() {
    let _alone = alone();
    let parker = Parker::default();
    interrupt_region(Kind::Long, Unblock::Park(&parker), &|| parker.wait(None));
}

#[test]
fn an_interrupt_ends_a_region_by_a_function() {
    let _alone = alone();
    let (called, gate) = (AtomicUsize::new(0), Parker::default());
    let wake = || {
        called.fetch_add(1, SeqCst);
        gate.wake();
    };
    interrupt_region(Kind::Long, Unblock::Fn(&wake), &|| gate.wait(None));
}

#[test]
fn an_interrupt_ends_a_system_call() {
    let _alone = alone();
    interrupt_region(Kind::Long, Unblock::Signal, &|| {
        // SAFETY: no pointers; returns when a signal arrives.
        unsafe { libc::pause() };
    });
}

#[test]
fn a_region_in_a_callback_of_a_region_passes_the_interrupt_on() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let me = lock.attach("main");
    let (outer, inner) = (AtomicBool::new(false), AtomicBool::new(false));
    me.acquire();
    let _ = me.blocking_with(Kind::Long, Unblock::Flag(&outer), |region| {
        region.with_lock(|| {
            let _ = me.blocking(Kind::Long, Unblock::Flag(&inner), || me.interrupt(KILL));
            assert!(inner.load(SeqCst));
        });
        assert!(outer.load(SeqCst));
    });
    // One that the callback deals with is none of the region's business.
    outer.store(false, SeqCst);
    me.interrupt.take(KILL);
    let done = me.blocking_with(Kind::Long, Unblock::Flag(&outer), |region| {
        region.with_lock(|| {
            me.interrupt(KILL);
            assert_eq!(me.interrupt.take(KILL), KILL);
        });
        !outer.load(SeqCst)
    });
    assert_eq!(done, Ok(true));
    assert!(me.holds());
    me.release();
}

#[derive(Default)]
struct Collect(Mutex<Vec<Event>>);

impl Trace for Collect {
    fn event(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

#[test]
fn a_trace_sees_every_change_and_stops_when_removed() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let trace = Arc::new(Collect::default());
    lock.set_trace(Some(trace.clone()));
    let me = lock.attach("main");
    me.acquire();
    me.region(Kind::Short(&SHORT), || ());
    me.region(Kind::Long, || ());
    thread::sleep(ms(2));
    me.release();
    lock.set_trace(None);
    me.acquire();
    me.release();
    let kinds: Vec<EventKind> = trace.0.lock().unwrap().iter().map(|event| event.kind).collect();
    assert!(
        matches!(
            kinds[..],
            [
                EventKind::Attach,
                EventKind::Run { .. },
                EventKind::Enter { site: Some("short") },
                EventKind::Leave,
                EventKind::Stop { reason: Reason::Region, .. },
                EventKind::Run { .. },
                EventKind::Stop { reason: Reason::Release, .. },
            ]
        ),
        "{kinds:?}"
    );
    assert!(me.stats().held_ns >= 2_000_000, "measured without a waiter, too");
}

/// Gives the lock to the youngest waiter at every chance, and notes where it was asked.
#[derive(Default)]
struct Youngest(Mutex<Vec<SwitchPoint>>);

impl Schedule for Youngest {
    fn decide(&self, at: SwitchPoint, _: ThreadId, waiting: &[ThreadId]) -> Decision {
        self.0.lock().unwrap().push(at);
        Decision::Give(waiting.len() - 1)
    }
}

#[test]
fn a_schedule_decides_every_switch() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let schedule = Arc::new(Youngest::default());
    lock.set_schedule(Some(schedule.clone()));
    let main = lock.attach("main");
    main.acquire();
    assert!(main.interrupt.pending(), "every safepoint is a switch point");
    let order = Arc::new(Mutex::new(Vec::new()));
    let others: Vec<_> = (0..3)
        .map(|n| {
            let (lock2, order) = (Arc::clone(&lock), Arc::clone(&order));
            let handle = thread::spawn(move || {
                let me = lock2.attach("other");
                me.acquire();
                order.lock().unwrap().push(n);
                me.release();
            });
            until("queued", || lock.census().queued == n + 1);
            handle
        })
        .collect();
    main.safepoint_slow();
    assert!(main.holds());
    main.release();
    others.into_iter().for_each(|handle| handle.join().unwrap());
    assert_eq!(*order.lock().unwrap(), [2, 1, 0]);
    assert_eq!(schedule.0.lock().unwrap()[0], SwitchPoint::Safepoint);
}

#[test]
fn a_thread_that_ends_is_detached() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let lock2 = Arc::clone(&lock);
    thread::spawn(move || {
        let me = lock2.attach("short");
        me.acquire();
        assert_eq!(lock2.threads().len(), 1);
    })
    .join()
    .unwrap();
    assert_eq!(lock.census().attached, 0);
    let me = lock.attach("next");
    me.acquire();
    assert_eq!(me.id(), ThreadId(0), "the slot is used again");
    me.release();
}

#[test]
fn the_child_of_a_fork_goes_on_alone() {
    let _alone = alone();
    let lock = VmLock::new(Config::default());
    let busy = Busy::start(&lock);
    let main = lock.attach("main");
    main.acquire();
    // SAFETY: the child touches only the lock, and leaves by _exit.
    let pid = lock.around_fork(&main, || unsafe { libc::fork() });
    if pid == 0 {
        lock.reset_after_fork(&main);
        let alone = lock.census().attached == 1 && main.holds();
        main.region(Kind::Long, || ());
        let me = main.park(Some(Instant::now() + ms(1)));
        let well = alone && me == ParkResult::TimedOut && main.holds();
        // SAFETY: ends the child without running anything else.
        unsafe { libc::_exit(if well { 0 } else { 1 }) };
    }
    main.release();
    let mut status = -1;
    // SAFETY: `status` is a valid place for the answer.
    unsafe { libc::waitpid(pid, &mut status, 0) };
    assert_eq!(status, 0);
    busy.finish();
}

#[test]
fn ten_thousand_threads_park_and_end() {
    let _alone = alone();
    const THREADS: usize = 10_000;
    let lock = VmLock::new(Config::default());
    let main = lock.attach("main");
    let handles: Vec<_> = (0..THREADS)
        .map_while(|_| {
            let lock = Arc::clone(&lock);
            thread::Builder::new()
                .stack_size(64 * 1024)
                .spawn(move || {
                    let me = lock.attach("parked");
                    me.acquire();
                    let result = me.park(None);
                    me.release();
                    result
                })
                .ok()
        })
        .collect();
    let started = handles.len();
    assert!(started > 1000, "the system gives {started} threads");
    until("all parked", || lock.census().parked_forever == started);
    main.acquire();
    for thread in lock.threads() {
        thread.unpark();
    }
    main.release();
    for handle in handles {
        assert_eq!(handle.join().unwrap(), ParkResult::Unparked);
    }
    assert_eq!(lock.census().attached, 1);
}

#[test]
fn interrupt_bits_belong_to_lock_or_embedder() {
    let _alone = alone();
    assert_eq!(InterruptWord::EMBEDDER & (InterruptWord::PREEMPT | InterruptWord::PRIORITY), 0);
}
