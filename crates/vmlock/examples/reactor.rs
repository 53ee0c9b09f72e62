//! Two ways for many threads to wait for descriptors, side by side: each thread in a poll(2) of its own, or all of them
//! parked while one thread waits in epoll_wait(2) and unparks them. `reactor [threads=N] [events=N] [burst=N]
//! [beside=N]` prints for both the time from a write to the answer and what it cost.

use rubellite_vmlock::{Config, Entry, LockThread, VmLock};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
struct Options {
    threads: usize,
    events: usize,
    /// Events at once.
    burst: usize,
    /// Threads that compute beside.
    beside: usize,
}

/// Waits for one event of a descriptor with the lock given up.
trait Waiting: Sync + Send + 'static {
    /// Called once by each thread.
    fn register(&self, me: &Arc<LockThread>, fd: i32, index: usize);
    fn wait(&self, me: &LockThread, fd: i32, index: usize);
}

#[derive(Clone, Copy)]
struct PollEach;

impl Waiting for PollEach {
    fn register(&self, _me: &Arc<LockThread>, _fd: i32, _index: usize) {}

    fn wait(&self, me: &LockThread, fd: i32, _index: usize) {
        let mut polls = [libc::pollfd { fd, events: libc::POLLIN, revents: 0 }];
        while !matches!(me.poll(&mut polls, None), Ok(n) if n > 0) {}
    }
}

/// The threads by their numbers, which the kernel gives back with the events.
struct Reactor {
    epoll: i32,
    threads: std::sync::Mutex<Vec<Option<Arc<LockThread>>>>,
    ready: Vec<AtomicBool>,
}

impl Reactor {
    fn start(count: usize) -> Arc<Reactor> {
        // SAFETY: a plain call.
        let epoll = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        let ready = (0..count).map(|_| AtomicBool::new(false)).collect();
        let reactor = Arc::new(Reactor { epoll, threads: std::sync::Mutex::new(vec![None; count]), ready });
        let shared = Arc::clone(&reactor);
        thread::spawn(move || shared.run());
        reactor
    }

    fn run(&self) {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; 64];
        loop {
            // SAFETY: the array takes 64 events.
            let n = unsafe { libc::epoll_wait(self.epoll, events.as_mut_ptr(), 64, -1) };
            for event in &events[..n.max(0) as usize] {
                let index = event.u64 as usize;
                self.ready[index].store(true, SeqCst);
                let thread = self.threads.lock().expect("no panic")[index].clone();
                if let Some(thread) = thread {
                    thread.unpark_as(Entry::Priority);
                }
            }
        }
    }

    fn control(&self, operation: i32, fd: i32, index: usize, events: i32) {
        let mut event = libc::epoll_event { events: events as u32, u64: index as u64 };
        // SAFETY: the event is ours and only read.
        unsafe { libc::epoll_ctl(self.epoll, operation, fd, &mut event) };
    }
}

impl Waiting for Arc<Reactor> {
    fn register(&self, me: &Arc<LockThread>, fd: i32, index: usize) {
        self.threads.lock().expect("no panic")[index] = Some(Arc::clone(me));
        self.control(libc::EPOLL_CTL_ADD, fd, index, 0);
    }

    fn wait(&self, me: &LockThread, fd: i32, index: usize) {
        self.ready[index].store(false, SeqCst);
        self.control(libc::EPOLL_CTL_MOD, fd, index, libc::EPOLLIN | libc::EPOLLONESHOT);
        while !self.ready[index].load(SeqCst) {
            me.park(None);
        }
    }
}

fn usage() -> (Duration, i64) {
    // SAFETY: all zeroes is valid, and the call writes only there.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
        (time(usage.ru_utime) + time(usage.ru_stime), usage.ru_nvcsw)
    }
}

fn run(name: &str, options: Options, waiting: impl Waiting + Clone) {
    let lock = VmLock::new(Config::default());
    let stop = Arc::new(AtomicBool::new(false));
    let parked = Arc::new(AtomicUsize::new(0));
    let (mut ours, mut threads) = (Vec::new(), Vec::new());
    for index in 0..options.threads {
        let (near, far) = UnixStream::pair().expect("a pair of sockets");
        ours.push(near);
        let (lock, waiting, stop, parked) =
            (Arc::clone(&lock), waiting.clone(), Arc::clone(&stop), Arc::clone(&parked));
        let body = move || {
            let me = lock.attach("waits");
            me.acquire();
            let (fd, mut far) = (far.as_raw_fd(), far);
            waiting.register(&me, fd, index);
            parked.fetch_add(1, Relaxed);
            let mut byte = [0];
            while !stop.load(Relaxed) {
                waiting.wait(&me, fd, index);
                far.read_exact(&mut byte).expect("the other end is open");
                far.write_all(&byte).expect("the other end is open");
            }
            me.release();
            me.detach();
        };
        threads.push(thread::Builder::new().stack_size(64 * 1024).spawn(body).expect("a thread"));
    }
    for _ in 0..options.beside {
        let (lock, stop) = (Arc::clone(&lock), Arc::clone(&stop));
        threads.push(thread::spawn(move || {
            let me = lock.attach("computes");
            me.acquire();
            while !stop.load(Relaxed) {
                std::hint::black_box((0..20u64).fold(1, |a, b| std::hint::black_box(a ^ b)));
                if me.interrupt.pending() {
                    me.safepoint_slow();
                }
            }
            me.release();
            me.detach();
        }));
    }
    while parked.load(Relaxed) < options.threads {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(200));
    measure(name, &options, &mut ours);
    stop.store(true, Relaxed);
    // Who has seen the flag already is gone.
    ours.iter_mut().for_each(|near| drop(near.write_all(&[7])));
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

/// Sends bytes to and fro and prints what an event takes.
fn measure(name: &str, options: &Options, ours: &mut [UnixStream]) {
    let mut times = Vec::new();
    let ((cpu, switches), begun) = (usage(), Instant::now());
    let mut byte = [7];
    let mut next = 0;
    for _ in 0..options.events / options.burst {
        let at = Instant::now();
        let group: Vec<usize> = (0..options.burst).map(|k| (next + k * 7919) % options.threads).collect();
        next = (next + 1) % options.threads;
        group.iter().for_each(|index| ours[*index].write_all(&byte).expect("the other end is open"));
        group.iter().for_each(|index| ours[*index].read_exact(&mut byte).expect("the other end is open"));
        times.push(at.elapsed());
    }
    let wall = begun.elapsed();
    let (cpu_end, switches_end) = usage();
    times.sort();
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    let events = (times.len() * options.burst) as f64;
    println!(
        "{name:<8} threads={} burst={} beside={}: median {:.1} us, p99 {:.1} us, {:.1} us processor and {:.2} waits \
         per event, {:.1} us wall",
        options.threads,
        options.burst,
        options.beside,
        us(times[times.len() / 2]),
        us(times[times.len() * 99 / 100]),
        us(cpu_end - cpu) / events,
        (switches_end - switches) as f64 / events,
        us(wall) / events
    );
}

fn main() {
    let mut options = Options { threads: 1000, events: 20_000, burst: 1, beside: 0 };
    for arg in std::env::args().skip(1) {
        let (key, value) = arg.split_once('=').expect("NAME=NUMBER");
        let number = value.parse().expect("a number");
        match key {
            "threads" => options.threads = number,
            "events" => options.events = number,
            "burst" => options.burst = number,
            "beside" => options.beside = number,
            _ => panic!("unknown option {key}"),
        }
    }
    // SAFETY: plain calls; the limit is ours.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
    }
    for _ in 0..2 {
        run("poll", options, PollEach);
        run("reactor", options, Reactor::start(options.threads));
    }
}
