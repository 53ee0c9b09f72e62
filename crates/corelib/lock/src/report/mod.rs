//! The lock report: who waited for the lock, and which lines held it. `--lock-report[=FILE.html]`,
//! RUBELLITE_LOCK_REPORT.
//!
//! A native thread of its own, which is no thread of the VM, looks every `TICK` at what all threads do and asks the
//! holder where it is; the holder answers at its next safepoint (`look`). Nothing is paid while there is no report. The
//! numbers (`model`) become a table on standard error (`text`) and a page (`page`) when the process ends: at its
//! regular end, at `exit!`, before `exec`, and when a signal that is handled ends it.

mod model;
mod page;
mod text;

use model::{Answer, Model, Spot};
pub use page::with_data;
use rubellite_core_object::exception::backtrace::levels;
use rubellite_core_object::{errno, program_name};
use rubellite_vm::object::exception::Position;
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::vmlock::{Glance, NativeJoin, VmLock, block_signals, monotonic_ns, spawn_joined};
use rubellite_vm::{Ctx, Extension, Value, glimpse};
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the sampler looks.
const TICK: Duration = Duration::from_millis(4);
/// With this many threads it looks half as often, and so on.
const THREADS_PER_TICK: usize = 500;
/// Bytes of stack of the sampler's thread.
const SAMPLER_BYTES: usize = 256 << 10;

/// What the sampler, the threads that answer and the report's end share.
struct Shared {
    model: Mutex<Model>,
    stop: Mutex<bool>,
    wake: Condvar,
}

impl Shared {
    fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> MutexGuard<'_, bool> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next look; true: there is none.
    fn pause(&self, pause: Duration) -> bool {
        let stop = self.stopped();
        *self.wake.wait_timeout_while(stop, pause, |stop| !*stop).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// A report under way.
struct Reporter {
    shared: Arc<Shared>,
    sampler: NativeJoin,
    page: Option<(File, PathBuf)>,
    /// Somebody looks from outside, and the program is to know nothing of it.
    from_outside: bool,
    /// In the child of a fork there is no sampler, and the report is the parent's.
    pid: u32,
}

#[derive(Default)]
struct Running(RefCell<Option<Reporter>>);

impl Extension for Running {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Begins a report; `page`: where a page is to be written to. In the name `%p` stands for the process's number.
///
/// # Errors
/// The system's error when the file or the sampler's thread cannot be made, with the name of the file.
pub fn start(ctx: &mut Ctx, page: Option<&str>) -> Result<(), String> {
    let page = match page.map(|name| name.replace("%p", &std::process::id().to_string())) {
        Some(name) => Some((
            File::create(&name).map_err(|error| format!("{} -- {name}", system_text(&error)))?,
            PathBuf::from(name),
        )),
        None => None,
    };
    begin(ctx, page, false)
}

/// Begins a report, unless one runs.
fn begin(ctx: &Ctx, page: Option<(File, PathBuf)>, from_outside: bool) -> Result<(), String> {
    if ctx.extension::<Running>().0.borrow().is_some() {
        return Err("a lock report is under way".into());
    }
    let shared = Arc::new(Shared {
        model: Mutex::new(Model::new(monotonic_ns())),
        stop: Mutex::new(false),
        wake: Condvar::new(),
    });
    let (theirs, lock) = (Arc::clone(&shared), Arc::clone(ctx.vm().lock()));
    let sampler = spawn_joined("lock report", SAMPLER_BYTES, move || sample(&theirs, &lock))
        .ok_or("no thread for the lock report")?;
    ctx.extension::<Running>().0.replace(Some(Reporter {
        shared,
        sampler,
        page,
        from_outside,
        pid: std::process::id(),
    }));
    Ok(())
}

/// Begins a report for somebody who looks from outside.
///
/// # Errors
/// A report runs already, or the sampler's thread cannot be made.
pub fn record(ctx: &Ctx) -> Result<(), String> {
    begin(ctx, None, true)
}

/// Ends such a report: the table and the page.
pub fn recorded(ctx: &Ctx) -> Option<(String, String)> {
    let running = &ctx.extension::<Running>().0;
    if !running.borrow().as_ref().is_some_and(|reporter| reporter.from_outside) {
        return None;
    }
    let reporter = running.take()?;
    let model = end(ctx, &reporter);
    Some((text::table(&model), page::page(&model, &program_name::text(ctx).unwrap_or_default())))
}

/// The sampler's thread.
fn sample(shared: &Shared, lock: &VmLock) {
    block_signals();
    let mut glances: Vec<Glance> = Vec::new();
    loop {
        let pause = TICK * (1 + (glances.len() / THREADS_PER_TICK) as u32);
        if shared.pause(pause) {
            return;
        }
        glances.clear();
        lock.observe(|glance| glances.push(glance));
        let due = shared.model().look(monotonic_ns(), &glances, |id| lock.thread_of(id));
        // A native method that runs now may have returned when the thread answers.
        if let Some((line, thread)) = due.holder
            && let Some(seen) = glimpse::glimpse(&thread)
        {
            shared.model().hint(line, seen);
        }
        due.ask.iter().for_each(|thread| thread.interrupt.set(interrupt_bits::LOOK));
    }
}

/// At a safepoint of a thread that was asked: tells where it is.
#[cold]
pub fn look(ctx: &mut Ctx) {
    let Some(shared) = ctx.extension::<Running>().0.borrow().as_ref().map(|reporter| Arc::clone(&reporter.shared))
    else {
        return;
    };
    let thread = Arc::clone(&ctx.thread().lock_thread);
    let hint = shared.model().take_hint(&thread);
    if let Some(answer) = hint.and_then(|hint| glimpsed(ctx, hint)).or_else(|| whereabouts(ctx)) {
        shared.model().answer(&thread, answer, monotonic_ns());
    }
}

/// Levels that are looked at for one that lies in a file.
const LEVELS: usize = 8;

/// Where this thread is.
fn whereabouts(ctx: &Ctx) -> Option<Answer> {
    Some(Answer { spot: first_spot(ctx, &ctx.positions(0, LEVELS))?, operation: None })
}

/// The innermost line of Ruby code.
fn first_spot(ctx: &Ctx, positions: &[Position]) -> Option<Spot> {
    let known = levels(ctx, &positions[..positions.len().min(LEVELS)]);
    let level = positions
        .iter()
        .zip(known)
        .find(|(position, level)| !position.code.is_nil() && !level.path.is_empty())
        .map(|(_, level)| level)?;
    Some(Spot { path: level.path, line: level.line, label: level.label })
}

/// Where this thread was when it was looked at in the midst of a native method.
fn glimpsed(ctx: &Ctx, hint: glimpse::Glimpse) -> Option<Answer> {
    let seen = ctx.recognize(hint)?;
    // A method that comes to a safepoint itself gives way there.
    let callee = seen.callee.filter(|_| !seen.is_running);
    let operation = callee.map(|name| String::from_utf8_lossy(ctx.sym_bytes(name)).into_owned());
    Some(Answer { spot: first_spot(ctx, &seen.positions)?, operation })
}

/// Stops the sampler and looks for the last time. The caller holds the lock.
fn end<'a>(ctx: &Ctx, reporter: &'a Reporter) -> MutexGuard<'a, Model> {
    *reporter.shared.stopped() = true;
    reporter.shared.wake.notify_all();
    reporter.sampler.wait();
    let mut model = reporter.shared.model();
    let lock = Arc::clone(ctx.vm().lock());
    let (glances, now_ns) = (glances(&lock), monotonic_ns());
    model.look(now_ns, &glances, |id| lock.thread_of(id));
    if let Some(here) = whereabouts(ctx) {
        model.answer(&ctx.thread().lock_thread.clone(), here, now_ns);
    }
    model.finish(now_ns);
    model
}

/// Ends the report and writes it.
pub fn finish(ctx: &mut Ctx) {
    let Some(reporter) = ctx.extension::<Running>().0.take() else { return };
    if reporter.pid != std::process::id() {
        return;
    }
    let model = end(ctx, &reporter);
    if reporter.from_outside {
        return;
    }
    let mut said = text::table(&model);
    if let Some((file, path)) = &reporter.page {
        let page = page::page(&model, &program_name::text(ctx).unwrap_or_default());
        said.push_str(&match write_page(file, &page) {
            Ok(()) => format!("lock report: {}\n", path.display()),
            Err(error) => format!("rubellite: lock report: {} -- {}\n", system_text(&error), path.display()),
        });
    }
    // Whoever has closed standard error does not want to know.
    let _ = std::io::stderr().write_all(said.as_bytes());
}

/// The system's text for an error.
pub fn system_text(error: &std::io::Error) -> String {
    error.raw_os_error().map_or_else(|| error.to_string(), errno::text)
}

/// What cannot be written as a whole is not left in part.
fn write_page(mut file: &File, page: &str) -> std::io::Result<()> {
    file.write_all(page.as_bytes()).inspect_err(|_| drop(file.set_len(0)))
}

fn glances(lock: &VmLock) -> Vec<Glance> {
    let mut glances = Vec::new();
    lock.observe(|glance| glances.push(glance));
    glances
}

/// In the child of a fork: the report is the parent's.
pub fn after_fork(ctx: &mut Ctx) {
    if let Some(reporter) = ctx.extension::<Running>().0.take() {
        // The model may have been in use at the moment of the fork: it is left as it is.
        std::mem::forget(reporter);
    }
}

/// A name that fits into a column: of a path its end.
pub(crate) fn short_path(path: &str) -> &str {
    let parts = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    &path[parts..]
}

/// Whether the environment asks for a report, and for which page: `Some(None)` without one.
pub fn from_environment() -> Option<Option<String>> {
    let value = std::env::var("RUBELLITE_LOCK_REPORT").ok()?;
    match value.as_str() {
        "" | "0" => None,
        "1" => Some(None),
        _ => Some(Some(value)),
    }
}
