//! Hooks of extensions on events of threads (`rb_internal_thread_add_event_hook`), what extensions keep for threads
//! (`rb_internal_thread_specific_*`), and postponed jobs.
//!
//! That a thread is made, runs, leaves the lock and ends is told on the thread itself, with the lock
//! (`vm::thread_events`). That it wants the lock back (READY) comes from the lock, as an event of its trace (from a new
//! thread, before it asks): on whichever native thread queues it, under the lock's own mutex, so that the function then
//! has no context, and a call of the VM ends the process with a message. What a thread keeps can be read and written
//! there. A function that causes events of its own thread is not told of them.
//!
//! A trace file of the lock that is begun later takes the place of this trace, and READY is then told together with
//! RESUMED.

use crate::state::{Call, api, back, cross, leave, open};
use rubellite_vm::thread_events::{ThreadEvent, ThreadEventHook};
use rubellite_vm::vmlock::{Event, EventKind, LockThread, ThreadId, Trace};
use rubellite_vm::{Ctx, Result, Value};
use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

const STARTED: u32 = 1;
const READY: u32 = 2;
const RESUMED: u32 = 4;
const SUSPENDED: u32 = 8;
const EXITED: u32 = 16;
/// `RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX`
const KEYS: usize = 8;

/// `rb_internal_thread_event_data_t`
#[repr(C)]
pub struct EventData {
    thread: Value,
}

type Function = unsafe extern "C" fn(u32, *const EventData, *mut c_void);

unsafe extern "C" {
    fn rbl_enter_turn(function: Function, event: u32, about: *const EventData, data: *mut c_void) -> c_int;
    fn rbl_enter_job(function: unsafe extern "C" fn(*mut c_void), data: *mut c_void) -> c_int;
}

/// A hook; its number is the handle that the extension has.
#[derive(Clone, Copy)]
struct Hook {
    number: usize,
    function: Function,
    events: u32,
    data: usize,
}

/// What is known of a thread of the lock.
struct Known {
    /// The bits of its Thread object, which the list of living threads keeps.
    thread: u64,
    /// It has left the lock.
    outside: bool,
    /// It has said that it wants it back.
    ready: bool,
    /// A hook runs.
    telling: bool,
}

static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());
static ANY_HOOK: AtomicBool = AtomicBool::new(false);
static NUMBER: AtomicUsize = AtomicUsize::new(1);
static THREADS: LazyLock<Mutex<HashMap<ThreadId, Known>>> = LazyLock::new(Mutex::default);

/// The hooks that want the event.
fn hooks_for(event: u32) -> Vec<Hook> {
    open(&HOOKS).iter().filter(|hook| hook.events & event != 0).copied().collect()
}

/// Calls the hooks of the running thread, which has the lock. What they raise is dropped.
fn tell(ctx: &mut Ctx, about: Value, event: u32) {
    let about = EventData { thread: about };
    for hook in hooks_for(event) {
        // SAFETY: the extension's function and its own data; the shim calls it behind a tag.
        let outcome = cross(ctx, Call::NONE, (), |()| unsafe {
            rbl_enter_turn(hook.function, event, &about, hook.data as *mut c_void)
        });
        if outcome.is_err() {
            ctx.clear_pending();
        }
    }
}

/// Calls the hooks on whatever native thread this is, without a context.
fn tell_outside(thread: u64, event: u32) {
    // SAFETY: the bits of a living Thread.
    let about = EventData { thread: unsafe { Value::from_bits(thread) } };
    let saved = leave();
    for hook in hooks_for(event) {
        // SAFETY: as above; such a function may not jump, for it has no context to raise with.
        unsafe { (hook.function)(event, &about, hook.data as *mut c_void) };
    }
    back(saved);
}

/// Notes the thread as it is now. False: it runs a hook.
fn note(lock_thread: &LockThread, thread: Value) -> bool {
    let mut threads = open(&THREADS);
    let bits = thread.bits();
    let known =
        threads.entry(lock_thread.id()).or_insert(Known { thread: bits, outside: false, ready: false, telling: false });
    if known.thread == bits && known.telling {
        return false;
    }
    *known = Known { thread: bits, outside: false, ready: false, telling: true };
    true
}

fn told(lock_thread: &LockThread) {
    if let Some(known) = open(&THREADS).get_mut(&lock_thread.id()) {
        known.telling = false;
    }
}

/// The hook on events of threads.
fn event(ctx: &mut Ctx, lock_thread: &LockThread, thread: Value, event: ThreadEvent) {
    if event == ThreadEvent::Born {
        // A Thread object in the place of one that is gone keeps nothing yet.
        open(&SPECIFIC).remove(&thread.bits());
    }
    crate::state::state().home = std::ptr::from_mut(ctx);
    if !ANY_HOOK.load(SeqCst) || !thread.is_heap() {
        return;
    }
    match event {
        ThreadEvent::Born => tell(ctx, thread, STARTED),
        ThreadEvent::Leaves => {
            if note(lock_thread, thread) {
                tell(ctx, thread, SUSPENDED);
                if let Some(known) = open(&THREADS).get_mut(&lock_thread.id()) {
                    known.outside = true;
                    known.telling = false;
                }
            }
        }
        ThreadEvent::Begins | ThreadEvent::Returns => {
            let (was_outside, was_ready) = {
                let threads = open(&THREADS);
                threads
                    .get(&lock_thread.id())
                    .map_or((false, false), |known| (known.outside && known.thread == thread.bits(), known.ready))
            };
            // A hook that was added meanwhile begins with the next event.
            if was_outside && note(lock_thread, thread) {
                if !was_ready {
                    tell(ctx, thread, READY);
                }
                tell(ctx, thread, RESUMED);
                told(lock_thread);
            }
        }
        ThreadEvent::Ends => {
            if note(lock_thread, thread) {
                tell(ctx, thread, SUSPENDED);
                tell(ctx, thread, EXITED);
                open(&THREADS).remove(&lock_thread.id());
            }
        }
    }
}

/// The VM's hook on new threads.
fn wants(id: ThreadId, thread: u64) {
    if ANY_HOOK.load(SeqCst) {
        open(&THREADS).insert(id, Known { thread, outside: true, ready: true, telling: false });
        tell_outside(thread, READY);
    }
}

const EVENTS: ThreadEventHook = ThreadEventHook { event, wants };

/// The trace of the lock: says READY. What another trace wants goes on to it.
struct Wants(Option<Arc<dyn Trace>>);

impl Trace for Wants {
    fn event(&self, event: Event) {
        if let EventKind::Wait { .. } = event.kind {
            let thread =
                open(&THREADS).get_mut(&event.thread).filter(|known| known.outside && !known.ready).map(|known| {
                    known.ready = true;
                    known.thread
                });
            if let Some(thread) = thread {
                tell_outside(thread, READY);
            }
        }
        if let Some(next) = &self.0 {
            next.event(event);
        }
    }

    fn named(&self, thread: ThreadId, name: &str) {
        if let Some(next) = &self.0 {
            next.named(thread, name);
        }
    }
}

/// The trace that was there before ours, to be put back.
static BEFORE: Mutex<Option<Arc<dyn Trace>>> = Mutex::new(None);

api! {
    fn rbl_internal_thread_add_event_hook(ctx, function: Function, events: c_uint, data: *mut c_void) -> *mut c_void {
        ctx.set_thread_event_hook(EVENTS);
        let number = NUMBER.fetch_add(1, SeqCst);
        open(&HOOKS).push(Hook { number, function, events, data: data as usize });
        if !ANY_HOOK.swap(true, SeqCst) {
            open(&THREADS).clear();
            let before = ctx.vm().lock().set_trace(None);
            open(&BEFORE).clone_from(&before);
            ctx.vm().lock().set_trace(Some(Arc::new(Wants(before))));
        }
        Ok(number as *mut c_void)
    }

    fn rbl_internal_thread_remove_event_hook(ctx, hook: *mut c_void) -> bool {
        let mut hooks = open(&HOOKS);
        let count = hooks.len();
        hooks.retain(|known| known.number != hook as usize);
        let (removed, none) = (hooks.len() < count, hooks.is_empty());
        drop(hooks);
        if none && ANY_HOOK.swap(false, SeqCst) {
            let before = open(&BEFORE).take();
            ctx.vm().lock().set_trace(before);
        }
        Ok(removed)
    }

    fn rbl_watch_threads(ctx) {
        ctx.set_thread_event_hook(EVENTS);
        Ok(())
    }
}

// -- what extensions keep for threads ------------------------------------------------------------

type Slots = [AtomicPtr<c_void>; KEYS];

/// By the bits of the Thread objects.
static SPECIFIC: LazyLock<Mutex<HashMap<u64, Slots>>> = LazyLock::new(Mutex::default);

/// What the thread keeps under a key; null: nothing. With or without the lock.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_specific_get(thread: Value, key: c_uint) -> *mut c_void {
    open(&SPECIFIC)
        .get(&thread.bits())
        .and_then(|slots| slots.get(key as usize))
        .map_or(null_mut(), |slot| slot.load(SeqCst))
}

#[unsafe(no_mangle)]
pub extern "C" fn rbl_specific_set(thread: Value, key: c_uint, data: *mut c_void) {
    if let Some(slot) = open(&SPECIFIC).entry(thread.bits()).or_default().get(key as usize) {
        slot.store(data, SeqCst);
    }
}

// -- postponed jobs ------------------------------------------------------------------------------

const JOBS: usize = 32;

/// A job that extensions may ask for, from a signal's handler too: nothing but atomic words.
struct Job {
    function: AtomicPtr<c_void>,
    data: AtomicPtr<c_void>,
}

static TABLE: [Job; JOBS] =
    [const { Job { function: AtomicPtr::new(null_mut()), data: AtomicPtr::new(null_mut()) } }; JOBS];
/// A bit for each job that is asked for.
static ASKED: AtomicU32 = AtomicU32::new(0);
/// The main thread, which runs them.
static MAIN: OnceLock<Arc<LockThread>> = OnceLock::new();

/// Runs the jobs that are asked for.
fn run_jobs(ctx: &mut Ctx) -> Result<()> {
    let asked = ASKED.swap(0, SeqCst);
    for (_, job) in TABLE.iter().enumerate().filter(|(at, _)| asked >> at & 1 == 1) {
        let function = job.function.load(SeqCst);
        if function.is_null() {
            continue;
        }
        // SAFETY: `rb_postponed_job_preregister` has put a function of this type there.
        let function = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(function) };
        let data = job.data.load(SeqCst);
        // SAFETY: the extension's function and data; the shim calls it behind a tag.
        cross(ctx, Call::NONE, (), |()| unsafe { rbl_enter_job(function, data) })?;
    }
    Ok(())
}

/// A job's number, the same for the same function; -1: there are too many.
fn register(function: *mut c_void, data: *mut c_void) -> c_uint {
    for (at, job) in TABLE.iter().enumerate() {
        let found = job.function.compare_exchange(null_mut(), function, SeqCst, SeqCst);
        if found.is_ok() || found == Err(function) {
            job.data.store(data, SeqCst);
            return at as c_uint;
        }
    }
    c_uint::MAX
}

api! {
    fn rbl_postponed_job_preregister(ctx, _flags: c_uint, function: *mut c_void, data: *mut c_void) -> c_uint {
        ctx.set_job_hook(run_jobs);
        let main = ctx.threads().main.as_ref().map(|main| main.lock_thread.clone());
        if let Some(main) = main {
            MAIN.get_or_init(|| main);
        }
        Ok(register(function, data))
    }
}

/// Asks for a job. Any native thread may, and the handler of a signal.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_job_trigger(job: c_uint) {
    if job as usize >= JOBS {
        return;
    }
    ASKED.fetch_or(1 << job, SeqCst);
    if let Some(main) = MAIN.get() {
        main.interrupt.set(rubellite_vm::thread::interrupt_bits::JOB);
    }
}
