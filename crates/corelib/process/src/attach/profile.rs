//! A sampling profile, written into a socket while it is made: whoever asked has what was found until then, however the
//! process ends.
//!
//! A native thread looks at what all threads do (`VmLock::observe`), many times a second, and takes the lock for some
//! microseconds (`ThreadState::look_from_outside`) to read the stacks of those that have run since. A look stands for
//! the time until the next one. A native method that holds the lock and comes to no safepoint is found by a glimpse at
//! the frames before.
//!
//! Lines of words separated by tabs; numbers of frames, nodes and threads count from 1, times are in microseconds:
//! `P PID INTERVAL PROGRAM`; `F FRAME LINE PATH LABEL`; `N NODE PARENT FRAME`, a stack as its caller and a frame, 0: no
//! caller; `T THREAD NUMBER NATIVE NAME`, again when the name changes; `S THREAD FROM WALL PROCESSOR STATE NODE`, a
//! stretch of a thread's time; `W WAITER NODE HOLDER NODE TIME`, a wait for the lock, with the stack that held it; `E
//! ELAPSED LOOKS COST`, the end, with the processor time of the sampler. States: 0 runs, 1 waits for the lock, 2
//! sleeps, 3 outside, 4 handed the lock and waits for a processor.

use super::one_word;
use rubellite_core_object::exception::backtrace::{Level, levels};
use rubellite_core_object::program_name;
use rubellite_core_thread::thread::state::try_data;
use rubellite_vm::glimpse::{Glimpse, glimpse};
use rubellite_vm::outside::once;
use rubellite_vm::thread::{ThreadState, VISITOR};
use rubellite_vm::vmlock::{Doing, Glance, Kind, block_signals, monotonic_ns, spawn_native};
use rubellite_vm::{Ctx, Ends, Leave};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::net::Shutdown;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// With so many threads it looks half as often, and so on.
const THREADS_PER_LOOK: usize = 500;
/// How often what was found is written.
const FLUSH_NS: u64 = 200_000_000;
/// A stretch is written at the latest after this time.
const STRETCH_US: u64 = 2_000_000;
/// Of threads outside the VM that used no processor, every so many looks ask again.
const ASK_AGAIN: u64 = 16;
/// Whoever reads may be slow, but not so slow.
const WRITE_TIME: Duration = Duration::from_secs(5);
/// How long the end of the program waits for the end of the profile.
const LAST_TIME: Duration = Duration::from_secs(2);
const STACK_BYTES: usize = 512 << 10;

/// The profiles under way; of this process, or of the one that it was forked from.
static UNDER_WAY: Mutex<Vec<Arc<Profile>>> = Mutex::new(Vec::new());

struct Profile {
    stream: UnixStream,
    pid: u32,
    done: Mutex<bool>,
    wake: Condvar,
}

/// Profiles into `stream` for so long (`None`: until it is closed at the other end, or the program ends), with `rate`
/// looks a second.
pub fn run(main: &ThreadState, stream: &UnixStream, time: Option<Duration>, rate: f64) -> std::io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let profile =
        Profile { stream: stream.try_clone()?, pid: std::process::id(), done: Mutex::new(false), wake: Condvar::new() };
    let profile = Arc::new(profile);
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&profile));
    let interval_ns = (1e9 / rate) as u64;
    let outcome =
        Sampler::new(interval_ns).sample(main, stream, time.map(|time| monotonic_ns() + time.as_nanos() as u64));
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, &profile));
    *profile.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
    profile.wake.notify_all();
    outcome
}

/// Profiles this program into a socket that listens at `path`, to its end.
///
/// # Errors
/// The socket cannot be reached, or there is no thread for it.
pub fn start(ctx: &Ctx, path: &Path, rate: f64) -> Result<(), String> {
    let stream = UnixStream::connect(path).map_err(|error| format!("{error} -- {}", path.display()))?;
    let main = Arc::clone(ctx.thread());
    let begin = move || {
        block_signals();
        drop(run(&main, &stream, None, rate));
    };
    if spawn_native("profile", STACK_BYTES, begin) { Ok(()) } else { Err("no thread for the profile".into()) }
}

/// The program ends: what was found last is written.
pub fn finish(ctx: &mut Ctx) {
    // In the child of a fork the mutex may be held by a thread that is not there.
    let Ok(under_way) = UNDER_WAY.try_lock().map(|list| list.clone()) else { return };
    let pid = std::process::id();
    for profile in under_way.into_iter().filter(|profile| profile.pid == pid) {
        let _ = profile.stream.shutdown(Shutdown::Read);
        // The sampler needs the lock for its last look.
        let wait = once(|| {
            let done = profile.done.lock().unwrap_or_else(PoisonError::into_inner);
            drop(profile.wake.wait_timeout_while(done, LAST_TIME, |done| !*done));
        });
        // Without callbacks it raises nothing.
        let _ = ctx.outside(Leave::new(Kind::Long, Ends::Never).running().quiet(), wait);
    }
}

/// A line of a method, as backtraces show it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    path: String,
    line: i32,
    label: String,
}

/// A thread, as it was seen last.
struct Known {
    glance: Glance,
    /// Once its stack has been read, while it lives.
    state: Option<Arc<ThreadState>>,
    node: u32,
    number: u64,
    native_id: i64,
    name: String,
    processor_ns: u64,
    /// Processor time that goes to the stretch of time which begins now.
    unplaced_ns: u64,
    /// It used the processor between the last two looks.
    is_busy: bool,
    /// The stretch of time that it is in.
    open: Option<Stretch>,
    seen: u64,
}

#[derive(Clone, Copy)]
struct Stretch {
    from_ns: u64,
    wall_ns: u64,
    processor_ns: u64,
    doing: Doing,
    node: u32,
}

struct Sampler {
    interval_ns: u64,
    began_ns: u64,
    last_ns: u64,
    flushed_ns: u64,
    looks: u64,
    frames: HashMap<Frame, u32>,
    nodes: HashMap<(u32, u32), u32>,
    threads: Vec<Known>,
    /// Threads that live, by slot.
    slots: HashMap<u32, Option<usize>>,
    /// Who held the lock at the last look.
    holder: Option<usize>,
    waits: HashMap<(usize, u32, usize, u32), u64>,
    out: String,
}

impl Sampler {
    fn new(interval_ns: u64) -> Sampler {
        let now_ns = monotonic_ns();
        Sampler {
            interval_ns,
            began_ns: now_ns,
            last_ns: now_ns,
            flushed_ns: now_ns,
            looks: 0,
            frames: HashMap::new(),
            nodes: HashMap::new(),
            threads: Vec::new(),
            slots: HashMap::new(),
            holder: None,
            waits: HashMap::new(),
            out: String::new(),
        }
    }

    fn sample(mut self, main: &ThreadState, stream: &UnixStream, until_ns: Option<u64>) -> std::io::Result<()> {
        let program = main.look_from_outside(program_name::text).flatten().unwrap_or_default();
        let _ = writeln!(self.out, "P\t{}\t{}\t{}", std::process::id(), self.interval_ns / 1000, one_word(&program));
        let mut stream = stream;
        let mut glances: Vec<Glance> = Vec::new();
        loop {
            glances.clear();
            main.lock_thread.vm_lock().observe(|glance| glances.push(glance));
            self.look(main, &glances);
            if monotonic_ns() - self.flushed_ns >= FLUSH_NS {
                self.flushed_ns = monotonic_ns();
                self.tell_waits();
                stream.write_all(self.out.as_bytes())?;
                self.out.clear();
            }
            let pause_ns = self.interval_ns * (1 + (glances.len() / THREADS_PER_LOOK) as u64);
            let left_ns = until_ns.map_or(u64::MAX, |until_ns| until_ns.saturating_sub(monotonic_ns()));
            if left_ns == 0 || was_closed(stream, pause_ns.min(left_ns)) {
                break;
            }
        }
        self.end();
        stream.write_all(self.out.as_bytes())
    }

    fn look(&mut self, main: &ThreadState, glances: &[Glance]) {
        let now_ns = monotonic_ns();
        let elapsed_ns = now_ns.saturating_sub(self.last_ns);
        self.looks += 1;
        let mut seen = Vec::with_capacity(glances.len());
        for glance in glances {
            if let Some(thread) = self.thread_of(main, glance) {
                seen.push((thread, *glance));
            }
        }
        self.pass(elapsed_ns, &seen);
        let holder = seen
            .iter()
            .find(|(_, glance)| matches!(glance.doing, Doing::Holding | Doing::Handed))
            .map(|(thread, _)| *thread);
        // Whoever is where it was has the stack that it had.
        let moved = |known: &Known, glance: &Glance| {
            known.glance.since_ns != glance.since_ns || known.glance.doing != glance.doing || known.number == 0
        };
        let due: HashMap<u32, usize> = seen
            .iter()
            .filter(|(thread, glance)| Some(*thread) == holder || moved(&self.threads[*thread], glance))
            .map(|(thread, glance)| (glance.thread.0, *thread))
            .collect();
        let native = holder
            .and_then(|holder| main.lock_thread.vm_lock().thread_of(self.threads[holder].glance.thread))
            .and_then(|thread| glimpse(&thread));
        for (thread, glance) in &seen {
            self.threads[*thread].glance = *glance;
            self.threads[*thread].seen = self.looks;
        }
        if !due.is_empty() {
            self.read_stacks(main, &due, holder.zip(native));
        }
        for (thread, glance) in &seen {
            self.enter(*thread, glance.doing, now_ns);
        }
        self.holder = holder;
        self.last_ns = now_ns;
        self.forget_ended();
    }

    /// The number of a thread; `None`: one that looks, too.
    fn thread_of(&mut self, main: &ThreadState, glance: &Glance) -> Option<usize> {
        let slot = glance.thread.0;
        match self.slots.get(&slot) {
            Some(Some(thread)) if self.threads[*thread].glance.bound_ns == glance.bound_ns => return Some(*thread),
            _ => {}
        }
        let found = main.lock_thread.vm_lock().thread_of(glance.thread).filter(|thread| thread.name() != VISITOR);
        let Some(found) = found else {
            self.slots.insert(slot, None);
            return None;
        };
        let (number, node, native_id, processor_ns) = (0, 0, 0, 0);
        let name = found.name();
        self.threads.push(Known {
            glance: *glance,
            state: None,
            node,
            number,
            native_id,
            name,
            processor_ns,
            unplaced_ns: 0,
            is_busy: true,
            open: None,
            seen: self.looks,
        });
        self.slots.insert(slot, Some(self.threads.len() - 1));
        Some(self.threads.len() - 1)
    }

    /// The time since the last look goes to what the threads did then.
    fn pass(&mut self, elapsed_ns: u64, seen: &[(usize, Glance)]) {
        let holder = self.holder.map(|holder| (holder, self.threads[holder].node));
        for (thread, glance) in seen {
            let known = &mut self.threads[*thread];
            let ran =
                matches!(glance.doing, Doing::Holding | Doing::Handed) || known.glance.since_ns != glance.since_ns;
            let asks = known.native_id != 0
                && (ran || known.is_busy || (self.looks + *thread as u64).is_multiple_of(ASK_AGAIN));
            let processor_ns =
                if asks { processor_ns(known.native_id).unwrap_or(known.processor_ns) } else { known.processor_ns };
            let used_ns = processor_ns.saturating_sub(known.processor_ns);
            known.processor_ns = processor_ns;
            known.is_busy = used_ns > 0;
            // Whoever runs now has used it for what it does now.
            let runs = matches!(glance.doing, Doing::Holding | Doing::Handed);
            known.unplaced_ns += if runs { used_ns } else { 0 };
            let Some(open) = &mut known.open else { continue };
            open.wall_ns += elapsed_ns;
            open.processor_ns += if runs { 0 } else { used_ns };
            if open.doing == Doing::Waiting
                && let Some((holder, node)) = holder
            {
                *self.waits.entry((*thread, open.node, holder, node)).or_default() += elapsed_ns;
            }
        }
    }

    /// Reads the stacks of the threads by their slots.
    fn read_stacks(&mut self, main: &ThreadState, due: &HashMap<u32, usize>, native: Option<(usize, Glimpse)>) {
        // What the glimpse saw only the holder's own context knows.
        let holder = native.and_then(|(holder, glimpse)| Some((holder, glimpse, self.threads[holder].state.clone()?)));
        let from = holder.as_ref().map_or(main, |(_, _, state)| &**state);
        let known = from.look_from_outside(|ctx| {
            for state in ctx.threads().living() {
                let Some(thread) = due.get(&state.lock_thread.id().0).copied() else { continue };
                let stack = match &holder {
                    Some((holder, glimpse, _)) if *holder == thread => native_stack(ctx, *glimpse),
                    _ => None,
                };
                let stack = stack.unwrap_or_else(|| frames(levels(ctx, &ctx.thread_positions(state))));
                self.note(ctx, thread, state, stack);
            }
        });
        if known.is_none() && holder.is_some() {
            // It has ended meanwhile.
            self.read_stacks(main, due, None);
        }
    }

    /// A thread has this stack.
    fn note(&mut self, ctx: &Ctx, thread: usize, state: &Arc<ThreadState>, stack: Vec<Frame>) {
        let node = stack.into_iter().rev().fold(0, |parent, frame| self.node(parent, frame));
        let native_id = try_data(ctx, state.value.get()).map_or(0, |data| data.native_id.get());
        let name = state.lock_thread.name();
        let known = &mut self.threads[thread];
        known.node = node;
        if known.state.is_none() {
            known.state = Some(Arc::clone(state));
        }
        if known.number != state.id || known.name != name || known.native_id != native_id {
            if known.native_id != native_id {
                known.processor_ns = processor_ns(native_id).unwrap_or(0);
            }
            (known.number, known.native_id, known.name) = (state.id, native_id, name);
            let _ = writeln!(self.out, "T\t{}\t{}\t{native_id}\t{}", thread + 1, state.id, one_word(&known.name));
        }
    }

    fn node(&mut self, parent: u32, frame: Frame) -> u32 {
        let frame = match self.frames.get(&frame) {
            Some(number) => *number,
            None => {
                let number = self.frames.len() as u32 + 1;
                let _ = writeln!(
                    self.out,
                    "F\t{number}\t{}\t{}\t{}",
                    frame.line,
                    one_word(&frame.path),
                    one_word(&frame.label)
                );
                self.frames.insert(frame, number);
                number
            }
        };
        let next = self.nodes.len() as u32 + 1;
        let node = *self.nodes.entry((parent, frame)).or_insert(next);
        if node == next {
            let _ = writeln!(self.out, "N\t{node}\t{parent}\t{frame}");
        }
        node
    }

    /// From now on the thread does that.
    fn enter(&mut self, thread: usize, doing: Doing, now_ns: u64) {
        let known = &mut self.threads[thread];
        let (node, processor_ns) = (known.node, std::mem::take(&mut known.unplaced_ns));
        match &mut known.open {
            Some(open) if open.doing == doing && open.node == node && open.wall_ns < STRETCH_US * 1000 => {
                open.processor_ns += processor_ns
            }
            _ => {
                self.close(thread);
                self.threads[thread].open = Some(Stretch { from_ns: now_ns, wall_ns: 0, processor_ns, doing, node });
            }
        }
    }

    /// Writes the stretch of time that a thread was in.
    fn close(&mut self, thread: usize) {
        let Some(open) = self.threads[thread].open.take().filter(|open| open.wall_ns > 0) else { return };
        let state = match open.doing {
            Doing::Holding => 0,
            Doing::Waiting => 1,
            Doing::Parked => 2,
            Doing::Outside => 3,
            Doing::Handed => 4,
        };
        let from_us = open.from_ns.saturating_sub(self.began_ns) / 1000;
        let (wall_us, processor_us) = (open.wall_ns / 1000, open.processor_ns / 1000);
        let _ = writeln!(self.out, "S\t{}\t{from_us}\t{wall_us}\t{processor_us}\t{state}\t{}", thread + 1, open.node);
    }

    /// Threads that were not seen have ended.
    fn forget_ended(&mut self) {
        let looks = self.looks;
        let ended: Vec<usize> =
            self.slots.values().flatten().copied().filter(|thread| self.threads[*thread].seen != looks).collect();
        for thread in &ended {
            self.close(*thread);
            self.threads[*thread].state = None;
        }
        self.slots.retain(|_, thread| thread.is_none_or(|thread| !ended.contains(&thread)));
    }

    fn tell_waits(&mut self) {
        for ((waiter, node, holder, behind), ns) in self.waits.drain() {
            let _ = writeln!(self.out, "W\t{}\t{node}\t{}\t{behind}\t{}", waiter + 1, holder + 1, ns / 1000);
        }
    }

    fn end(&mut self) {
        let now_ns = monotonic_ns();
        let seen: Vec<(usize, Glance)> =
            self.slots.values().flatten().map(|thread| (*thread, self.threads[*thread].glance)).collect();
        self.pass(now_ns.saturating_sub(self.last_ns), &seen);
        seen.iter().for_each(|(thread, _)| self.close(*thread));
        self.tell_waits();
        let cost_us = clock_ns(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or(0) / 1000;
        let _ = writeln!(self.out, "E\t{}\t{}\t{cost_us}", (now_ns - self.began_ns) / 1000, self.looks);
    }
}

fn frames(levels: Vec<Level>) -> Vec<Frame> {
    levels.into_iter().map(|level| Frame { path: level.path, line: level.line, label: level.label }).collect()
}

/// The stack of the thread whose context this is, when a glimpse saw it in a native method that came to no safepoint.
fn native_stack(ctx: &Ctx, glimpse: Glimpse) -> Option<Vec<Frame>> {
    let seen = ctx.recognize(glimpse).filter(|seen| !seen.is_running)?;
    let label = String::from_utf8_lossy(ctx.sym_bytes(seen.callee?)).into_owned();
    let mut stack = frames(levels(ctx, &seen.positions));
    let caller = stack.first()?;
    stack.insert(0, Frame { path: caller.path.clone(), line: caller.line, label });
    Some(stack)
}

/// Waits for the next look; true: nobody reads any more, or the program ends.
fn was_closed(stream: &UnixStream, pause_ns: u64) -> bool {
    let mut ready = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let pause = libc::timespec {
        tv_sec: (pause_ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (pause_ns % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: one structure of ours, and a time.
    unsafe { libc::ppoll(&mut ready, 1, &pause, std::ptr::null()) == 1 }
}

/// The processor time of a native thread of this process.
fn processor_ns(native_id: i64) -> Option<u64> {
    // How Linux numbers the clock of a thread: its number inverted, three bits for what is counted (2: time that was
    // scheduled) and whose (4).
    const SCHEDULED_OF_THREAD: libc::clockid_t = 6;
    clock_ns(!(native_id as libc::clockid_t) << 3 | SCHEDULED_OF_THREAD)
}

fn clock_ns(clock: libc::clockid_t) -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure takes what the clock says; a clock that is gone is an error.
    let known = unsafe { libc::clock_gettime(clock, &mut time) };
    (known == 0).then_some(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}
