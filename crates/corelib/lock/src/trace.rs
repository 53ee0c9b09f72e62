//! The trace file of the lock: `--trace-lock=FILE`, `Rubellite::Lock.trace`. The lock's hook puts events into a buffer;
//! a native thread of its own, which is no thread of the VM, turns them into text (`events`) and writes it every few
//! milliseconds, so that little is lost however the process ends. `finish` writes the rest: at the end of the program,
//! at `exit!`, and when a fatal signal arrives.
//!
//! Fatal signals are the process's, so the flags that their handler sets are the only statics.

use super::events::{Formatter, Record};
use super::report::system_text;
use rubellite_core_object::errno;
use rubellite_vm::vmlock::{Event, NativeJoin, ThreadId, Trace, spawn_joined};
use rubellite_vm::{Args, Ctx, Extension, Result, Value};
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What a process that is killed loses at most.
const FLUSH_MS: u64 = 20;
/// The writer is woken early at this many records.
const WAKE_AT: usize = 1 << 13;
/// Above this many the buffer takes no more: the writer cannot keep up.
const RECORDS_MAX: usize = 1 << 21;

/// A fatal signal arrived: writers write what they have at once.
static CRASHED: AtomicBool = AtomicBool::new(false);
/// Writers that run.
static WRITERS: AtomicU32 = AtomicU32::new(0);
/// Writers that have written all after the crash.
static SAFE: AtomicU32 = AtomicU32::new(0);

/// What the lock's hook and the writer share.
struct Shared {
    buffer: Mutex<Buffer>,
    wake: Condvar,
}

#[derive(Default)]
struct Buffer {
    records: Vec<Record>,
    lost: u64,
    stop: bool,
    /// The file could not be written: nothing more is taken.
    failed: Option<std::io::Error>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn add(&self, record: Record) {
        let mut buffer = self.lock();
        if buffer.failed.is_some() {
            return;
        }
        if buffer.records.len() >= RECORDS_MAX {
            buffer.lost += 1;
            return;
        }
        buffer.records.push(record);
        let wake = buffer.records.len() == WAKE_AT;
        drop(buffer);
        if wake {
            self.wake.notify_one();
        }
    }

    /// The records so far, after a pause or when there are many; true: these are the last.
    fn take(&self) -> (Vec<Record>, bool) {
        let mut buffer = self.lock();
        if !buffer.stop && buffer.records.len() < WAKE_AT && !CRASHED.load(SeqCst) {
            let pause = Duration::from_millis(FLUSH_MS);
            buffer = self.wake.wait_timeout(buffer, pause).unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
        let mut records = std::mem::take(&mut buffer.records);
        if buffer.lost > 0 {
            records.push(Record::Lost(std::mem::take(&mut buffer.lost)));
        }
        (records, buffer.stop)
    }
}

impl Trace for Shared {
    fn event(&self, event: Event) {
        self.add(Record::Event(event));
    }

    fn named(&self, thread: ThreadId, name: &str) {
        self.add(Record::Named(thread, name.to_string()));
    }
}

/// Bytes of stack of the thread that writes.
const WRITER_BYTES: usize = 512 << 10;

/// The trace that is being written.
#[derive(Default)]
struct Running(RefCell<Option<Writer>>);

impl Extension for Running {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

struct Writer {
    shared: Arc<Shared>,
    thread: NativeJoin,
    path: PathBuf,
    /// In the child of a fork there is no such thread.
    pid: u32,
}

fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the timespec is ours; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn write_all(shared: &Shared, mut file: File, program: &str) {
    let mut formatter = Formatter::new(std::process::id(), now_ns());
    let mut text = String::new();
    formatter.header(&mut text, program);
    loop {
        let crashed = CRASHED.load(SeqCst);
        let (records, last) = shared.take();
        records.iter().for_each(|record| formatter.record(&mut text, record));
        if last {
            formatter.footer(&mut text, now_ns());
        }
        // A full disk ends the trace, not the program; `finish` tells.
        let failed = file.write_all(text.as_bytes()).err();
        text.clear();
        if crashed {
            SAFE.fetch_add(1, SeqCst);
        }
        let ends = last || crashed || failed.is_some();
        if let Some(error) = failed {
            let mut buffer = shared.lock();
            buffer.failed = Some(error);
            buffer.records = Vec::new();
        }
        if ends {
            WRITERS.fetch_sub(u32::from(!crashed), SeqCst);
            return;
        }
    }
}

/// Begins to trace the lock of this VM into a new file. What runs already is ended first.
///
/// # Errors
/// The system's error when the file or the writer's thread cannot be made.
pub fn start(ctx: &mut Ctx, path: &Path) -> std::io::Result<()> {
    let file = File::create(path)?;
    finish(ctx);
    let shared = Arc::new(Shared { buffer: Mutex::default(), wake: Condvar::new() });
    let theirs = Arc::clone(&shared);
    let program = rubellite_core_object::program_name::text(ctx).unwrap_or_default();
    watch_for_crashes();
    WRITERS.fetch_add(1, SeqCst);
    let Some(thread) = spawn_joined("lock trace", WRITER_BYTES, move || write_all(&theirs, file, &program)) else {
        WRITERS.fetch_sub(1, SeqCst);
        return Err(std::io::Error::from_raw_os_error(libc::EAGAIN));
    };
    let running = ctx.extension::<Running>();
    running.0.replace(Some(Writer {
        shared: Arc::clone(&shared),
        thread,
        path: path.to_path_buf(),
        pid: std::process::id(),
    }));
    ctx.vm().lock().set_trace(Some(shared));
    Ok(())
}

/// Ends the trace and completes its file. False: there is none.
pub fn finish(ctx: &mut Ctx) -> bool {
    let Some(writer) = ctx.extension::<Running>().0.take() else { return false };
    ctx.vm().lock().set_trace(None);
    if writer.pid == std::process::id() {
        writer.shared.lock().stop = true;
        writer.shared.wake.notify_one();
        writer.thread.join();
        if let Some(error) = writer.shared.lock().failed.take() {
            let said = format!(
                "rubellite: lock trace: {} -- {}; it ends where the file does\n",
                system_text(&error),
                writer.path.display()
            );
            let _ = std::io::stderr().write_all(said.as_bytes());
        }
    }
    true
}

/// In the child of a fork: the file and its writer are the parent's.
pub fn after_fork(ctx: &mut Ctx) {
    if let Some(writer) = ctx.extension::<Running>().0.take() {
        // The buffer may have been in use at the moment of the fork: it is left as it is.
        std::mem::forget(writer);
        std::mem::forget(ctx.vm().lock().set_trace(None));
        WRITERS.store(0, SeqCst);
    }
}

/// `start_trace(path)`
pub fn start_trace(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = rubellite_core_io::file::path::path_bytes(ctx, args.at(0))?;
    match start(ctx, Path::new(std::ffi::OsStr::from_bytes(&path))) {
        Ok(()) => Ok(Value::NIL),
        Err(error) => Err(errno::fail(ctx, error.raw_os_error().unwrap_or(libc::EIO), &String::from_utf8_lossy(&path))),
    }
}

/// `stop_trace -> true or false`: whether there was one.
pub fn stop_trace(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(finish(ctx)))
}

const FATAL: [i32; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

/// What the fatal signals did before.
static BEFORE: Mutex<Vec<(i32, libc::sigaction)>> = Mutex::new(Vec::new());

/// Once: fatal signals wait for the writers.
fn watch_for_crashes() {
    let mut before = BEFORE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !before.is_empty() {
        return;
    }
    for signal in FATAL {
        // SAFETY: both actions are ours; the handler does only what a handler may.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut old: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = crash as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_SIGINFO;
            // What a program has trapped is its own.
            libc::sigaction(signal, std::ptr::null(), &mut old);
            let ours = old.sa_sigaction == libc::SIG_DFL || matches!(signal, libc::SIGSEGV | libc::SIGBUS);
            if ours && libc::sigaction(signal, &action, &mut old) == 0 {
                before.push((signal, old));
            }
        }
    }
}

/// Waits a little for the writers, puts back what the signal did before, and returns into it: a fault comes again by
/// itself, a signal that somebody sent is sent again.
extern "C" fn crash(signal: libc::c_int, info: *const libc::siginfo_t, _context: *const libc::c_void) {
    CRASHED.store(true, SeqCst);
    for _ in 0..200 {
        if SAFE.load(SeqCst) >= WRITERS.load(SeqCst) {
            break;
        }
        let pause = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        // SAFETY: the timespec is ours; nanosleep is allowed in a handler.
        unsafe { libc::nanosleep(&pause, std::ptr::null_mut()) };
    }
    let old = BEFORE
        .try_lock()
        .ok()
        .and_then(|before| before.iter().find(|(number, _)| *number == signal).map(|(_, old)| *old));
    // SAFETY: an action that the system gave us, or the default one; all zeros is a valid action. The system passes
    // `info`.
    unsafe {
        let sent = (*info).si_code <= 0;
        let action = old.filter(|_| !sent).unwrap_or_else(|| std::mem::zeroed());
        libc::sigaction(signal, &action, std::ptr::null_mut());
        if sent {
            libc::raise(signal);
        }
    }
}
