//! Prints the lock's figures: what it costs alone, how long a request waits beside threads that
//! compute, and how the time is shared. `figures [name...] [spin=US] [slice=US] [ms=N] [beside=N]
//! [length=NS]`; without names, everything.

use rubellite_vmlock::{Config, Entry, Kind, LockThread, RegionSite, VmLock};
use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

struct Options {
    names: Vec<String>,
    config: Config,
    run: Duration,
    /// Only with this many threads that compute; only regions of this length.
    beside: Option<usize>,
    length_ns: Option<u64>,
}

impl Options {
    fn parse() -> Options {
        let mut options = Options {
            names: Vec::new(),
            config: Config::default(),
            run: Duration::from_millis(1500),
            beside: None,
            length_ns: None,
        };
        for arg in std::env::args().skip(1) {
            let (key, value) = arg.split_once('=').unwrap_or((&arg, ""));
            let number = || value.parse().expect("a number");
            match key {
                "spin" => options.config.spin = Duration::from_micros(number()),
                "slice" => options.config.slice = Duration::from_micros(number()),
                "watch" => options.config.watch_interval = Duration::from_micros(number()),
                "age" => options.config.steal_age = Duration::from_nanos(number()),
                "without" => {
                    let named = options.config.mechanisms.without_named(value);
                    options.config.mechanisms = named.unwrap_or_else(|name| panic!("no mechanism {name}"));
                }
                "beside" => options.beside = Some(number() as usize),
                "length" => options.length_ns = Some(number()),
                "ms" => options.run = Duration::from_millis(number()),
                _ => options.names.push(arg),
            }
        }
        options
    }

    fn skips(&self, threads: usize) -> bool {
        self.beside.is_some_and(|beside| beside != threads)
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }
}

/// About 70 ns of dependent arithmetic on the machine that this was tuned on.
#[inline(never)]
fn work(mut x: u64) -> u64 {
    for _ in 0..55 {
        x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    x
}

#[inline(always)]
fn poll(thread: &LockThread) {
    if thread.interrupt.pending() {
        thread.safepoint_slow();
    }
}

/// Rounds of `work` per second of a thread that has a processor to itself.
fn solo_rate() -> f64 {
    let lock = VmLock::new(Config::default());
    let me = lock.attach("solo");
    let best = (0..7).map(|_| {
        let start = Instant::now();
        let mut x = 1;
        for _ in 0..500_000 {
            x = work(x);
            poll(&me);
        }
        black_box(x);
        500_000.0 / start.elapsed().as_secs_f64()
    });
    best.fold(0.0, f64::max)
}

/// When a thread computed: from its first round after a safepoint to the last before the next.
type Turn = (Instant, Instant);

/// Threads that compute and poll.
struct Busy {
    stop: Arc<AtomicBool>,
    rounds: Vec<Arc<AtomicU64>>,
    handles: Vec<JoinHandle<Vec<Turn>>>,
}

impl Busy {
    fn start(lock: &Arc<VmLock>, threads: usize) -> Busy {
        let mut busy = Busy { stop: Arc::new(AtomicBool::new(false)), rounds: Vec::new(), handles: Vec::new() };
        for _ in 0..threads {
            let (lock, stop, rounds) = (Arc::clone(lock), Arc::clone(&busy.stop), Arc::new(AtomicU64::new(0)));
            busy.rounds.push(Arc::clone(&rounds));
            busy.handles.push(thread::spawn(move || {
                let me = lock.attach("busy");
                me.acquire();
                let (mut x, mut done) = (1, 0);
                let (mut turns, mut start) = (Vec::new(), Instant::now());
                while !stop.load(Relaxed) {
                    x = work(x);
                    done += 1;
                    if done % 128 == 0 {
                        rounds.store(done, Relaxed);
                    }
                    if me.interrupt.pending() {
                        let end = Instant::now();
                        me.safepoint_slow();
                        turns.push((start, end));
                        start = Instant::now();
                    }
                }
                turns.push((start, Instant::now()));
                black_box(x);
                me.release();
                turns
            }));
        }
        thread::sleep(Duration::from_millis(100));
        busy
    }

    fn count(&self) -> Vec<u64> {
        self.rounds.iter().map(|rounds| rounds.load(Relaxed)).collect()
    }

    fn finish(self) -> Vec<Turn> {
        self.stop.store(true, Relaxed);
        self.handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
    }

    /// The sum and the least of the shares of a processor, in percent, since `before`.
    fn shares(&self, before: &[u64], wall: Duration, solo: f64) -> (f64, f64) {
        let shares = self.count().into_iter().zip(before);
        let shares: Vec<f64> =
            shares.map(|(now, then)| (now - then) as f64 / wall.as_secs_f64() / solo * 100.0).collect();
        (shares.iter().sum(), shares.iter().copied().fold(f64::MAX, f64::min))
    }
}

/// What other processes use of the machine meanwhile: figures with much of it mean little.
struct Others {
    start: Instant,
    jiffies: f64,
}

impl Others {
    fn watch() -> Others {
        Others { start: Instant::now(), jiffies: Self::jiffies() }
    }

    /// Jiffies of everybody, less those of this process. Zero where the system does not tell.
    fn jiffies() -> f64 {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let fields = |text: &str, from: usize, count: usize| -> f64 {
            text.split_whitespace().skip(from).take(count).filter_map(|field| field.parse::<f64>().ok()).sum()
        };
        let all = read("/proc/stat");
        let own = read("/proc/self/stat");
        let own = own.rsplit(')').next().unwrap_or_default();
        fields(&all, 1, 3) + fields(&all, 6, 2) - fields(own, 11, 2)
    }
}

impl std::fmt::Display for Others {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = (Self::jiffies() - self.jiffies) / self.start.elapsed().as_secs_f64();
        write!(f, "  [others {share:.0} %]")
    }
}

/// Microseconds, from nanoseconds, at p50, p99 and the maximum.
fn quantiles_us(samples: &mut [u64]) -> String {
    samples.sort_unstable();
    let at = |p: f64| samples.get(((samples.len().max(1) - 1) as f64 * p) as usize).copied().unwrap_or(0) as f64 / 1e3;
    format!("p50 {:8.2} us  p99 {:8.2} us  max {:8.1} us", at(0.5), at(0.99), at(1.0))
}

fn per_call_ns(mut calls: impl FnMut(u32)) -> f64 {
    const CALLS: u32 = 200_000;
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            calls(CALLS);
            start.elapsed().as_nanos() as f64 / f64::from(CALLS)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[7]
}

fn alone(options: &Options) {
    static SITE: RegionSite = RegionSite::new("alone");
    let lock = VmLock::new(options.config.clone());
    let me = lock.attach("alone");
    let me = black_box(&*me);
    let pair = per_call_ns(|n| {
        (0..n).for_each(|_| {
            me.acquire();
            me.release();
        })
    });
    me.acquire();
    let short = per_call_ns(|n| (0..n).for_each(|_| me.region(Kind::Short(&SITE), || ())));
    let long = per_call_ns(|n| (0..n).for_each(|_| me.region(Kind::Long, || ())));
    let polled = per_call_ns(|n| (0..n).for_each(|_| poll(black_box(me))));
    me.release();
    println!(
        "alone: acquire+release {pair:.1} ns, short region {short:.1} ns, long region {long:.1} ns, poll {polled:.2} ns"
    );
}

/// A thread that asks with priority every millisecond or so.
fn request(options: &Options, solo: f64) {
    for threads in [1, 2, 4, 8].into_iter().filter(|threads| !options.skips(*threads)) {
        let lock = VmLock::new(options.config.clone());
        let busy = Busy::start(&lock, threads);
        let me = lock.attach("asking");
        let (before, start, others) = (busy.count(), Instant::now(), Others::watch());
        let mut waits = Vec::new();
        let mut pause_us = 500;
        let mut x = 1;
        while start.elapsed() < options.run {
            pause_us = 500 + (pause_us * 7919 + 13) % 1000;
            thread::sleep(Duration::from_micros(pause_us));
            let asked = Instant::now();
            me.acquire_as(Entry::Priority);
            waits.push(asked.elapsed().as_nanos() as u64);
            for _ in 0..30 {
                x = work(x);
                poll(&me);
            }
            me.release();
        }
        black_box(x);
        let (sum, least) = busy.shares(&before, start.elapsed(), solo);
        println!(
            "request beside {threads}: {}  ({sum:.1} % computed, least {least:.1}){others}",
            quantiles_us(&mut waits)
        );
        busy.finish();
    }
}

fn throughput(options: &Options, solo: f64) {
    for threads in [1, 2, 4, 8].into_iter().filter(|threads| !options.skips(*threads)) {
        let lock = VmLock::new(options.config.clone());
        let busy = Busy::start(&lock, threads);
        let (before, start, others) = (busy.count(), Instant::now(), Others::watch());
        thread::sleep(options.run);
        let end = Instant::now();
        let (sum, least) = busy.shares(&before, end - start, solo);
        let fair = 100.0 / threads as f64;
        let mut changes = changes_ns(&mut busy.finish(), start, end);
        let idle = changes.iter().sum::<u64>() as f64 / (end - start).as_nanos() as f64 * 100.0;
        println!(
            "throughput of {threads}: {sum:.1} %, least {least:.2} of {fair:.2}; nobody in a turn for {idle:.2} %; \
             a change of turns: {}{others}",
            quantiles_us(&mut changes)
        );
    }
}

/// The times between two turns, in nanoseconds: what the hand-overs cost, whatever the system takes from the turns
/// themselves.
fn changes_ns(turns: &mut [Turn], from: Instant, to: Instant) -> Vec<u64> {
    turns.sort_unstable();
    let mut at = from;
    let mut changes = Vec::new();
    for (start, end) in turns.iter().filter(|(start, _)| *start < to) {
        if *start > from {
            changes.push(start.saturating_duration_since(at).as_nanos() as u64);
        }
        at = at.max(*end);
    }
    if at < to {
        changes.push((to - at).as_nanos() as u64);
    }
    changes
}

/// Short regions of a fixed length beside threads that compute.
fn regions(options: &Options, solo: f64) {
    for threads in [0, 1].into_iter().filter(|threads| !options.skips(*threads)) {
        let lengths_ns = [0, 100, 1_000, 10_000, 30_000, 100_000, 300_000];
        for length_ns in lengths_ns.into_iter().filter(|ns| options.length_ns.is_none_or(|only| only == *ns)) {
            let site: &'static RegionSite = Box::leak(Box::new(RegionSite::new("regions")));
            let lock = VmLock::new(options.config.clone());
            let busy = Busy::start(&lock, threads);
            let me = lock.attach("regions");
            me.acquire();
            let (before, start, others) = (busy.count(), Instant::now(), Others::watch());
            let (mut done, mut x) = (0u64, 1);
            while start.elapsed() < options.run {
                for _ in 0..16 {
                    me.region(Kind::Short(site), || spend(length_ns));
                    x = work(x);
                    poll(&me);
                    done += 1;
                }
            }
            black_box(x);
            let wall = start.elapsed();
            let (sum, _) = busy.shares(&before, wall, solo);
            me.release();
            let sum = if threads == 0 { 0.0 } else { sum };
            println!(
                "regions of {length_ns} ns beside {threads}: {:.0} per second ({:.0} ns each), the other keeps \
                 {sum:.1} %{others}",
                done as f64 / wall.as_secs_f64(),
                wall.as_nanos() as f64 / done as f64
            );
            busy.finish();
        }
    }
}

/// Threads that all do native work outside the lock and a little with it: how much more do several get done than one?
fn native(options: &Options) {
    const HELD_ROUNDS: u64 = 8;
    for outside_rounds in [12, 40, 80, 800] {
        let mut alone = 0.0;
        for threads in [1, 2, 4, 8] {
            let site: &'static RegionSite = Box::leak(Box::new(RegionSite::new("native")));
            let lock = VmLock::new(options.config.clone());
            let stop = Arc::new(AtomicBool::new(false));
            let others = Others::watch();
            let start = Instant::now();
            let handles: Vec<_> = (0..threads)
                .map(|n| {
                    let (lock, stop) = (Arc::clone(&lock), Arc::clone(&stop));
                    thread::spawn(move || rounds_outside(&lock, &stop, site, n, outside_rounds, HELD_ROUNDS))
                })
                .collect();
            thread::sleep(options.run);
            stop.store(true, Relaxed);
            let done: u64 = handles.into_iter().map(|handle| handle.join().unwrap()).sum();
            let rate = done as f64 / start.elapsed().as_secs_f64();
            alone = if threads == 1 { rate } else { alone };
            println!(
                "{threads} threads, {outside_rounds} rounds outside and {HELD_ROUNDS} with the lock: {:.2}x of \
                 one{others}",
                rate / alone
            );
        }
    }
}

fn rounds_outside(
    lock: &Arc<VmLock>,
    stop: &AtomicBool,
    site: &'static RegionSite,
    mut x: u64,
    outside: u64,
    held: u64,
) -> u64 {
    let me = lock.attach("native");
    me.acquire();
    let mut done = 0;
    while !stop.load(Relaxed) {
        x = me.region(Kind::Short(site), || (0..outside).fold(x, |x, _| work(x)));
        x = (0..held).fold(x, |x, _| work(x));
        poll(&me);
        done += 1;
    }
    black_box(x);
    me.release();
    done
}

fn spend(ns: u64) {
    let start = Instant::now();
    while ns > 0 && (start.elapsed().as_nanos() as u64) < ns {
        std::hint::spin_loop();
    }
}

/// Threads that work a little and sleep a little, in great number, beside ones that compute.
fn chatty(options: &Options, solo: f64) {
    for (busy_threads, chatty_threads) in [(1, 10), (1, 100), (4, 100)] {
        if options.skips(busy_threads) || options.length_ns.is_some_and(|only| only != chatty_threads) {
            continue;
        }
        let lock = VmLock::new(options.config.clone());
        let busy = Busy::start(&lock, busy_threads);
        let stop = Arc::new(AtomicBool::new(false));
        let waits = Arc::new(Mutex::new(Vec::new()));
        let handles: Vec<_> = (0..chatty_threads)
            .map(|n| {
                let (lock, stop, waits) = (Arc::clone(&lock), Arc::clone(&stop), Arc::clone(&waits));
                thread::spawn(move || chat(&lock, &stop, &waits, n))
            })
            .collect();
        let (before, start, others) = (busy.count(), Instant::now(), Others::watch());
        thread::sleep(options.run);
        let (sum, least) = busy.shares(&before, start.elapsed(), solo);
        stop.store(true, Relaxed);
        handles.into_iter().for_each(|handle| handle.join().unwrap());
        let line = quantiles_us(&mut waits.lock().unwrap());
        println!(
            "{chatty_threads} chatty beside {busy_threads}: {sum:.1} % computed, least {least:.1}; the chatty: \
             {line}{others}"
        );
        busy.finish();
    }
}

fn chat(lock: &Arc<VmLock>, stop: &AtomicBool, all: &Mutex<Vec<u64>>, n: u64) {
    let me = lock.attach("chatty");
    let (mut waits, mut x, mut pause_us) = (Vec::new(), 1, 500 + n * 7);
    me.acquire();
    while !stop.load(Relaxed) {
        pause_us = 500 + (pause_us * 7919 + 13) % 1000;
        let mut back = None;
        me.region(Kind::Long, || {
            thread::sleep(Duration::from_micros(pause_us));
            back = Some(Instant::now());
        });
        waits.extend(back.map(|back| back.elapsed().as_nanos() as u64));
        for _ in 0..300 {
            x = work(x);
            poll(&me);
        }
    }
    black_box(x);
    me.release();
    all.lock().unwrap().extend(waits);
}

/// From the moment a byte is written to a pipe to the moment its reader has the lock, beside threads
/// that compute with the lock and threads that compute outside it.
fn wakeup(options: &Options) {
    for (threads, outside) in [(1, 0), (4, 0), (1, 2), (4, 4)] {
        if options.skips(threads) {
            continue;
        }
        let lock = VmLock::new(options.config.clone());
        let busy = Busy::start(&lock, threads);
        let stop = Arc::new(AtomicBool::new(false));
        let burners: Vec<_> = (0..outside)
            .map(|_| {
                let stop = Arc::clone(&stop);
                thread::spawn(move || {
                    let mut x = 1;
                    while !stop.load(Relaxed) {
                        x = work(x);
                    }
                    black_box(x);
                })
            })
            .collect();
        let (others, zero) = (Others::watch(), Instant::now());
        let (mut reader, mut writer) = std::io::pipe().expect("a pipe");
        let run = options.run;
        let sender = thread::spawn(move || {
            let mut pause_us = 500;
            while zero.elapsed() < run {
                pause_us = 500 + (pause_us * 7919 + 13) % 1000;
                thread::sleep(Duration::from_micros(pause_us));
                let stamp = (zero.elapsed().as_nanos() as u64).to_le_bytes();
                let _ = writer.write_all(&stamp);
            }
        });
        let me = lock.attach("reader");
        me.acquire();
        let (mut total, mut asked) = (Vec::new(), Vec::new());
        let mut stamp = [0; 8];
        let mut x = 1;
        while let Some(awake) = me.region(Kind::Long, || reader.read_exact(&mut stamp).ok().map(|()| zero.elapsed())) {
            let sent = u64::from_le_bytes(stamp);
            let now = zero.elapsed();
            total.push(now.as_nanos() as u64 - sent);
            asked.push((now - awake).as_nanos() as u64);
            for _ in 0..70 {
                x = work(x);
                poll(&me);
            }
        }
        black_box(x);
        me.release();
        stop.store(true, Relaxed);
        println!("pipe to lock beside {threads} and {outside} outside: {}", quantiles_us(&mut total));
        println!("     of which for the lock: {}{others}", quantiles_us(&mut asked));
        burners.into_iter().chain([sender]).for_each(|handle| handle.join().unwrap());
        busy.finish();
    }
}

/// Two threads unpark each other in turn.
fn ping_pong(options: &Options) {
    let lock = VmLock::new(options.config.clone());
    let (a, b) = (lock.prepare("a"), lock.prepare("b"));
    const ROUNDS: u32 = 20_000;
    let start = Instant::now();
    let one = |me: Arc<LockThread>, other: Arc<LockThread>| {
        thread::spawn(move || {
            me.bind();
            me.acquire();
            for _ in 0..ROUNDS {
                other.unpark();
                me.park(None);
            }
            me.release();
        })
    };
    let handles = [one(Arc::clone(&a), Arc::clone(&b)), one(b, a)];
    handles.into_iter().for_each(|handle| handle.join().unwrap());
    println!(
        "park and unpark in turn: {:.2} us per switch",
        start.elapsed().as_micros() as f64 / f64::from(ROUNDS) / 2.0
    );
}

/// One thread unparks many; each works for some microseconds in its turn and parks again.
fn chain(options: &Options) {
    for length_ns in [0, 2_000, 5_000, 20_000].into_iter().filter(|ns| options.length_ns.is_none_or(|only| only == *ns))
    {
        let lock = VmLock::new(options.config.clone());
        const THREADS: usize = 500;
        const ROUNDS: u32 = 8;
        let me = lock.attach("first");
        me.acquire();
        let left = Arc::new(AtomicU64::new(0));
        let all: Vec<_> = (0..THREADS).map(|_| lock.prepare("link")).collect();
        let handles: Vec<_> = all
            .iter()
            .cloned()
            .map(|link| {
                let (first, left) = (Arc::clone(&me), Arc::clone(&left));
                thread::spawn(move || {
                    link.bind();
                    link.acquire();
                    for _ in 0..=ROUNDS {
                        link.park(None);
                        spend(length_ns);
                        if left.fetch_sub(1, Relaxed) == 1 {
                            first.unpark();
                        }
                    }
                    link.release();
                })
            })
            .collect();
        let (mut best, mut sum, others) = (f64::MAX, 0.0, Others::watch());
        for round in 0..=ROUNDS {
            me.region(Kind::Long, || {
                while lock.census().parked < THREADS {
                    thread::sleep(Duration::from_millis(1));
                }
            });
            let start = Instant::now();
            left.store(THREADS as u64, Relaxed);
            all.iter().for_each(|link| link.unpark());
            me.park(None);
            let us = start.elapsed().as_nanos() as f64 / 1e3 / THREADS as f64;
            if round > 0 {
                best = f64::min(best, us);
                sum += us / f64::from(ROUNDS);
            }
        }
        me.release();
        handles.into_iter().for_each(|handle| handle.join().unwrap());
        println!("chain of turns of {length_ns} ns: {sum:.2} us each, at best {best:.2}{others}");
    }
}

fn main() {
    let options = Options::parse();
    let solo = solo_rate();
    println!("solo: {:.1} ns per round of work", 1e9 / solo);
    if options.wants("alone") {
        alone(&options);
    }
    if options.wants("throughput") {
        throughput(&options, solo);
    }
    if options.wants("request") {
        request(&options, solo);
    }
    if options.wants("regions") {
        regions(&options, solo);
    }
    if options.wants("native") {
        native(&options);
    }
    if options.wants("chatty") {
        chatty(&options, solo);
    }
    if options.wants("wakeup") {
        wakeup(&options);
    }
    if options.wants("pingpong") {
        ping_pong(&options);
    }
    if options.wants("chain") {
        chain(&options);
    }
}
