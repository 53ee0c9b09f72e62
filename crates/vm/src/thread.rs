//! Threads as the VM knows them: a native thread, its context, its place among the living.
//!
//! Behaviour (`Thread#kill`, locals, report_on_exception ...) lives in the core library, which keeps its
//! own data behind `ThreadState::value`.

use crate::Result;
use crate::address_space;
use crate::boot::VmHandle;
use crate::ctx::Ctx;
use crate::fiber::Fibers;
use crate::frame::{Frame, Stack};
use crate::native::Pool;
use crate::object::ceiling;
use crate::object::exception::Positions;
use crate::placement::OwnedCtx;
use crate::thread_events::ThreadEvent;
use crate::unwind::Pending;
use crate::vm::Vm;
use rubellite_value::Value;
use rubellite_vmlock::{Entry, LockThread, Mechanism, ParkResult, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Instant;

/// What a thread counts for in the collector's pacing, a part of the pages that it touches. Each collection reads the
/// stacks of all threads: this way there are fewer of them when there are many stacks to read.
const STACK_BYTES: usize = 16 * 1024;

/// Bits of the interrupt word that belong to the VM.
pub mod interrupt_bits {
    /// Something lies in the thread's queue: an exception to raise, a kill.
    pub const ASYNC: u32 = 1 << 16;
    /// A signal handler waits to run (main thread).
    pub const SIGNAL: u32 = 1 << 17;
    /// Finalizers or other deferred jobs wait.
    pub const JOB: u32 = 1 << 18;
    /// Switch at every safepoint (stress).
    pub const STRESS: u32 = 1 << 19;
    /// Look again at what you wait for: ends a wait and means nothing elsewhere.
    pub const NUDGE: u32 = 1 << 20;
    /// A limit of the embedder may be passed: its time (`ThreadState::expire`), or the heap's (`Ctx::memory_exceeded`).
    pub const LIMIT: u32 = 1 << 21;
    /// Somebody asks where the thread is: at its next safepoint it tells, and goes on.
    pub const LOOK: u32 = 1 << 22;
    /// Machine code is ready: it is put where it runs at the next safepoint.
    pub const COMPILED: u32 = 1 << 23;
}

/// Called at a safepoint when the embedder's bits are set.
pub type InterruptHandler = fn(&mut Ctx, u32) -> Result<()>;

pub struct ThreadState {
    pub lock_thread: Arc<LockThread>,
    /// The context while the thread lives; null before and after.
    ctx: Cell<*mut Ctx>,
    /// The Thread object.
    pub value: Cell<Value>,
    pub id: u64,
    activity: Cell<Activity>,
    /// What it did when `Ctx::wake` ended it.
    slept: Cell<Activity>,
    /// The ractor it belongs to.
    pub ractor: Cell<u32>,
    /// Something in the thread's queue is held back by a mask: looked at again before a wait.
    pub deferred: Cell<bool>,
    /// It runs the handler of a signal.
    pub in_trap: Cell<bool>,
    /// Its slot while races are looked for; see `races`.
    pub(crate) race_slot: Cell<u32>,
    /// The name of the alias by which it calls a method just now, while that is traced.
    pub(crate) traced_alias: Cell<Option<rubellite_value::Sym>>,
    /// How often it was told that the time that its embedder allows is over.
    expired: AtomicU8,
}

impl ThreadState {
    /// The time is over: what the thread does in the VM unwinds as if it were killed. From the second time on ensure
    /// clauses do not run any more, for they may go on for ever. May be called by any native thread.
    pub fn expire(&self) {
        let _ = self.expired.fetch_update(SeqCst, SeqCst, |times| (times < ABANDONED).then_some(times + 1));
        self.lock_thread.interrupt(interrupt_bits::LIMIT);
    }

    /// Whether the time is over.
    #[inline]
    pub fn is_expired(&self) -> bool {
        self.expired.load(Relaxed) != 0
    }

    /// Whether its ensure clauses have had their time, too.
    #[inline]
    pub fn is_abandoned(&self) -> bool {
        self.expired.load(Relaxed) >= ABANDONED
    }

    /// The thread may go on.
    pub fn renew(&self) {
        self.expired.store(0, SeqCst);
        self.lock_thread.interrupt.take(interrupt_bits::LIMIT);
    }
}

/// `ThreadState::expired` of a thread that runs no ensure clauses any more.
const ABANDONED: u8 = 2;

/// What a thread does, as others see it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Activity {
    Running,
    /// Outside the lock: in the kernel or in native work.
    Blocked,
    /// Parked; something outside may wake it: a deadline, or whoever calls `Thread#wakeup`.
    Sleeping,
    /// Parked until another thread acts. When every thread is, they are deadlocked.
    SleepingForever,
}

// SAFETY: the cells are opened only by the holder of the VM lock.
unsafe impl Send for ThreadState {}
// SAFETY: as above.
unsafe impl Sync for ThreadState {}

/// The living threads of a VM.
#[derive(Default)]
pub struct Threads {
    living: FxHashMap<u64, Arc<ThreadState>>,
    next_id: u64,
    pub main: Option<Arc<ThreadState>>,
    pub(crate) handler: Option<InterruptHandler>,
    /// Called by a thread that is about to sleep forever when all others do, or that was the last to run.
    pub(crate) deadlock: Option<fn(&mut Ctx)>,
    /// How many threads are `SleepingForever`.
    sleeping_forever: Cell<usize>,
    /// Native threads that wait for work, and how many Ruby threads have not begun.
    pub(crate) pool: Arc<Pool>,
    pub(crate) starting: usize,
    /// The fibers that have stacks.
    pub(crate) fibers: Fibers,
}

/// Value and frame stack sizes of the main thread.
const MAIN_VALUES: usize = 1 << 20;
const MAIN_FRAMES: usize = 120_000;

impl Threads {
    /// Whether somebody handles what interrupts a thread.
    pub fn has_handler(&self) -> bool {
        self.handler.is_some()
    }

    pub fn living(&self) -> impl Iterator<Item = &Arc<ThreadState>> {
        self.living.values()
    }

    pub fn count(&self) -> usize {
        self.living.len()
    }
}

impl ThreadState {
    pub fn activity(&self) -> Activity {
        self.activity.get()
    }

    pub fn ctx_ptr(&self) -> Option<NonNull<Ctx>> {
        NonNull::new(self.ctx.get())
    }
}

impl Ctx {
    /// The table of threads.
    pub fn threads(&self) -> &Threads {
        // SAFETY: the lock is held, and the borrow of the context excludes `threads_mut`.
        unsafe { self.vm().threads.get() }
    }

    pub(crate) fn threads_mut(&mut self) -> &mut Threads {
        // SAFETY: the lock is held, and the borrow of the context excludes every other.
        unsafe { self.vm().threads.get_mut() }
    }

    /// Who handles what interrupts a thread.
    pub fn set_interrupt_handler(&mut self, handler: InterruptHandler) {
        self.threads_mut().handler = Some(handler);
    }

    /// What a thread calls that is about to sleep forever when all others do, or that was the last to run.
    pub fn set_deadlock_check(&mut self, check: fn(&mut Ctx)) {
        self.threads_mut().deadlock = Some(check);
    }

    /// Registers a thread that is about to start.
    pub fn new_thread_state(&mut self, name: &str, value: Value) -> Arc<ThreadState> {
        let lock_thread = self.vm().lock.prepare(name);
        register(self.vm(), lock_thread, value)
    }

    /// The time from which deadlines of `park` are reckoned: the schedule's when switches are fixed, else the real one.
    pub fn now(&self) -> Instant {
        self.vm().lock.now()
    }

    /// Sleeps until woken, the deadline, or an interrupt; handles interrupts. The deadline is on the time of `now`.
    pub fn park(&mut self, deadline: Option<Instant>) -> Result<ParkResult> {
        self.park_as(deadline, Activity::Sleeping)
    }

    /// `park` for something that only another thread can bring about: without a deadline it counts for deadlocks.
    pub fn park_for_thread(&mut self, deadline: Option<Instant>) -> Result<ParkResult> {
        self.park_as(deadline, if deadline.is_none() { Activity::SleepingForever } else { Activity::Sleeping })
    }

    fn park_as(&mut self, deadline: Option<Instant>, activity: Activity) -> Result<ParkResult> {
        self.before_wait()?;
        let result = self.park_quietly(deadline, activity);
        self.after_wait()?;
        Ok(result)
    }

    /// `park` without the handling of interrupts, as `poll_quietly`.
    pub fn park_quietly(&mut self, deadline: Option<Instant>, activity: Activity) -> ParkResult {
        let state = self.thread.clone();
        self.set_activity(activity);
        if activity == Activity::SleepingForever {
            self.check_deadlock();
        }
        let mut result = self.leaving(|thread| thread.park(deadline));
        if state.activity.get() == Activity::Running && result != ParkResult::Unparked {
            // Woken, but not in time to end the park: the lock remembers it for the next one, which is this.
            let now = self.now();
            result = self.leaving(|thread| thread.park(Some(now)));
        }
        self.set_activity(Activity::Running);
        result
    }

    /// `park_for_thread` that no interrupt ends; they are handled at the next safepoint.
    pub fn park_deaf(&mut self) {
        self.set_activity(Activity::SleepingForever);
        self.thread.lock_thread.set_wake_mask(0);
        self.leaving(|thread| thread.park(None));
        self.thread.lock_thread.set_wake_mask(WAKE_MASK);
        self.set_activity(Activity::Running);
    }

    /// Ends the sleep of a thread; does nothing when it does not sleep.
    pub fn wake(&self, state: &ThreadState) {
        if matches!(state.activity.get(), Activity::Sleeping | Activity::SleepingForever) {
            state.slept.set(state.activity.get());
            self.change_activity(state, Activity::Running);
            state.lock_thread.unpark();
        }
    }

    /// Takes a `wake` back: the thread sleeps on. False: it has noticed, or is wanted for something else too.
    pub fn unwake(&self, state: &ThreadState) -> bool {
        let sleeps = state.activity.get() == Activity::Running && state.lock_thread.stay_parked();
        if sleeps {
            self.change_activity(state, state.slept.get());
        }
        sleeps
    }

    pub(crate) fn set_activity(&self, activity: Activity) {
        self.change_activity(&self.thread, activity);
    }

    fn change_activity(&self, state: &ThreadState, activity: Activity) {
        let before = state.activity.replace(activity);
        let threads = self.threads();
        let others = threads.sleeping_forever.get() - usize::from(before == Activity::SleepingForever);
        threads.sleeping_forever.set(others + usize::from(activity == Activity::SleepingForever));
    }

    /// Tells the core library when every living thread sleeps forever.
    pub fn check_deadlock(&mut self) {
        let threads = self.threads();
        if let (true, Some(report)) = (threads.sleeping_forever.get() >= threads.living.len(), threads.deadlock) {
            report(self);
        }
    }

    /// Whether the interrupt handler was called at a wait, where masks of `handle_interrupt` may let through what
    /// they hold back elsewhere. The handler asks once, before it runs anything.
    pub fn take_at_wait(&mut self) -> bool {
        std::mem::take(&mut self.waiting)
    }

    /// To be called before a quiet wait: exceptions that a mask holds back until then.
    #[inline]
    pub fn before_wait(&mut self) -> Result<()> {
        if self.thread.deferred.get() { self.look_again() } else { Ok(()) }
    }

    #[cold]
    fn look_again(&mut self) -> Result<()> {
        let Some(handler) = self.threads().handler else { return Ok(()) };
        self.waiting = true;
        let outcome = handler(self, interrupt_bits::ASYNC);
        self.waiting = false;
        outcome
    }

    /// To be called after a quiet wait: handles what came meanwhile.
    #[inline]
    pub fn after_wait(&mut self) -> Result<()> {
        if !self.interrupted() {
            return Ok(());
        }
        self.waiting = true;
        let outcome = self.safepoint_slow();
        self.waiting = false;
        outcome
    }

    /// Whether a safepoint has something to do.
    #[inline(always)]
    pub fn interrupted(&self) -> bool {
        if cfg!(feature = "unpolled") {
            return false;
        }
        // SAFETY: the word belongs to the thread's LockThread, which `self.thread` keeps alive.
        unsafe { std::sync::atomic::AtomicU32::from_ptr(self.interrupt.cast_mut()) }
            .load(std::sync::atomic::Ordering::Relaxed)
            != 0
    }

    /// The safepoint of native code: hands over the lock, handles signals and asynchronous exceptions.
    #[inline]
    pub fn check_interrupts(&mut self) -> Result<()> {
        if self.interrupted() { self.safepoint_slow() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn safepoint_slow(&mut self) -> Result<()> {
        let saved = std::mem::replace(&mut self.pending, Pending::None);
        let bits = self.leaving_if_asked(|thread| thread.safepoint_slow());
        let outcome = match (bits, self.threads().handler) {
            (0, _) | (_, None) => Ok(()),
            (bits, Some(handler)) => handler(self, bits),
        };
        if outcome.is_ok() {
            self.pending = saved;
        }
        outcome
    }

    /// Lets another thread run, and handles no interrupts.
    pub fn give_way(&mut self) {
        self.leaving_if_asked(|thread| thread.yield_now());
    }

    /// `Thread.pass`
    pub fn yield_lock(&mut self) -> Result<()> {
        self.leaving_if_asked(|thread| thread.yield_now());
        if self.threads().starting > 0 {
            // Somebody may wait for a thread that does not queue for the lock yet, and needs a processor to do so.
            std::thread::yield_now();
        }
        self.check_interrupts()
    }
}

impl OwnedCtx {
    /// Ends this thread's life in the VM: takes it off the list and gives the lock back.
    pub fn finish_thread(mut self) -> Stack {
        let thread = self.thread.clone();
        self.race_end(&thread);
        self.forget_thread(&thread);
        self.forget_root_fiber();
        thread.ctx.set(std::ptr::null_mut());
        thread.lock_thread.set_data(0);
        let stack = self.into_stack();
        thread.lock_thread.detach();
        stack
    }
}

impl Ctx {
    /// Starts a native thread that runs `main` with a context of its own, and ends with it. `value` is the Thread
    /// object. `None` when the system refuses: then nothing is left of it.
    pub fn spawn_thread(&mut self, name: &str, value: Value, main: fn(&mut Ctx)) -> Option<Arc<ThreadState>> {
        let state = self.new_thread_state(name, value);
        let vm = SendVm(self.vm);
        state.ractor.set(self.ractor_id());
        self.race_fork(&state);
        let theirs = state.clone();
        self.tell_event_of(&state.lock_thread, value, ThreadEvent::Born);
        state.lock_thread.announce();
        let stress = self.thread.lock_thread.interrupt.bits() & interrupt_bits::STRESS;
        state.lock_thread.interrupt.set(stress);
        let pool = self.threads().pool.clone();
        let spins = self.vm().lock.uses(Mechanism::SpinIdle);
        self.threads_mut().starting += 1;
        let wants = self.told_of_wants(value);
        if !pool.spawn(Start { vm, state: theirs, main, wants }, spins) {
            self.threads_mut().starting -= 1;
            self.race_end(&state);
            self.forget_thread(&state);
            state.lock_thread.detach();
            return None;
        }
        Some(state)
    }

    /// In the child of a fork: the other threads are gone. Returns their Thread objects; their stacks are left alone.
    // tidy: the Thread objects stay on the list of the living until the caller has them
    pub fn keep_only_this_thread(&mut self) -> Vec<Value> {
        let me = self.thread.clone();
        let vm = self.vm();
        vm.lock.reset_after_fork(&me.lock_thread);
        let threads = self.threads_mut();
        // tidy: pinned by the caller at once
        let gone: Vec<Value> = threads.living.values().filter(|t| t.id != me.id).map(|t| t.value.get()).collect();
        for state in threads.living.values().filter(|t| t.id != me.id) {
            state.ctx.set(std::ptr::null_mut());
        }
        let before = threads.living.len();
        threads.living.retain(|id, _| *id == me.id);
        let ended = before - threads.living.len();
        threads.fibers.keep_roots_of(me.id);
        threads.starting = 0;
        // The old pool's locks may be held by threads that are gone.
        std::mem::forget(std::mem::take(&mut threads.pool));
        threads.sleeping_forever.set(0);
        threads.main = Some(me);
        self.note_malloc(-((ended * STACK_BYTES) as isize));
        self.make_fiber_root();
        gone
    }

    fn forget_thread(&mut self, state: &ThreadState) {
        self.change_activity(state, Activity::Running);
        if self.threads_mut().living.remove(&state.id).is_some() {
            self.note_malloc(-(STACK_BYTES as isize));
        }
    }

    /// The call stack of another living thread.
    pub fn thread_positions(&self, state: &ThreadState) -> Positions {
        match state.ctx_ptr() {
            // SAFETY: the context lives while its pointer is set, and does not run: the lock is held here.
            Some(ctx) if !std::ptr::eq(ctx.as_ptr(), self) => unsafe { ctx.as_ref() }.positions(0, usize::MAX),
            Some(_) => self.positions(0, usize::MAX),
            None => Positions::new(),
        }
    }

    /// The running fiber of another living thread; nil: its root fiber.
    pub fn fiber_of_thread(&self, state: &ThreadState) -> Value {
        match state.ctx_ptr() {
            // SAFETY: as in `thread_positions`.
            Some(ctx) if !std::ptr::eq(ctx.as_ptr(), self) => unsafe { ctx.as_ref() }.fiber,
            Some(_) => self.fiber,
            None => Value::NIL,
        }
    }
}

/// The name of a thread of the lock that runs no Ruby code and looks at the VM.
pub const VISITOR: &str = "(visitor)";

impl ThreadState {
    /// Takes the lock as a thread that runs no Ruby code, and shows the VM at rest, as this living thread's context.
    /// For native threads that do not belong to the VM. `None`: the thread has ended.
    pub fn look_from_outside<R>(&self, look: impl FnOnce(&Ctx) -> R) -> Option<R> {
        let visitor = self.lock_thread.vm_lock().attach(VISITOR);
        visitor.acquire_as(Entry::Priority);
        // SAFETY: the lock is held here, so that the context does not run, and lives while its pointer is set; `&Ctx`
        // runs no Ruby.
        let seen = self.ctx_ptr().map(|ctx| look(unsafe { ctx.as_ref() }));
        visitor.release();
        visitor.detach();
        seen
    }
}

/// An allocation of so many bytes has failed. True: it may be tried again; the running thread looks after memory at its
/// next safepoint.
pub fn relieve(bytes: usize) -> bool {
    let relieved = rubellite_gc::reserve::spend(bytes);
    if relieved {
        rubellite_vmlock::interrupt_here(interrupt_bits::LIMIT);
    }
    relieved
}

struct SendVm(NonNull<Vm>);

// SAFETY: a VM is Sync and outlives its threads.
unsafe impl Send for SendVm {}

/// What a native thread needs to run a Ruby thread.
pub(crate) struct Start {
    vm: SendVm,
    state: Arc<ThreadState>,
    main: fn(&mut Ctx),
    wants: Option<(fn(ThreadId, u64), u64)>,
}

/// Runs a Ruby thread to its end, on `stack`, which comes back.
pub(crate) fn run_thread(start: Start, stack: Stack) -> Stack {
    let Start { vm, state, main, wants } = start;
    state.lock_thread.bind();
    if let Some((tell, thread)) = wants {
        tell(state.lock_thread.id(), thread);
    }
    state.lock_thread.acquire();
    let mut ctx = ctx_with_stack(vm.0, &state, stack);
    ctx.threads_mut().starting -= 1;
    ctx.tell_event(ThreadEvent::Begins);
    main(&mut ctx);
    ctx.tell_event(ThreadEvent::Ends);
    ctx.finish_thread()
}

fn register(vm: &Vm, lock_thread: Arc<LockThread>, value: Value) -> Arc<ThreadState> {
    // SAFETY: the caller holds the lock, or the VM is being made by this thread alone.
    let threads = unsafe { vm.threads.get_mut() };
    threads.next_id += 1;
    let state = Arc::new(ThreadState {
        lock_thread,
        ctx: Cell::new(std::ptr::null_mut()),
        value: Cell::new(value),
        id: threads.next_id,
        activity: Cell::new(Activity::Running),
        slept: Cell::new(Activity::Running),
        ractor: Cell::new(crate::ractor::MAIN),
        deferred: Cell::new(false),
        in_trap: Cell::new(false),
        race_slot: Cell::new(crate::races::NO_SLOT),
        traced_alias: Cell::new(None),
        expired: AtomicU8::new(0),
    });
    threads.living.insert(state.id, state.clone());
    // SAFETY: as above; the borrow ends with the statement.
    unsafe { vm.heap.get_mut() }.note_malloc(STACK_BYTES);
    state
}

impl VmHandle {
    /// Makes the calling native thread, which the VM did not start, a thread of it. It then holds the lock. It must end
    /// its part with `Ctx::finish_thread` before it ends, and must not be attached to this VM already.
    ///
    /// # Errors
    /// `None` when memory for the stacks cannot be reserved.
    pub fn attach(&self, name: &str) -> Option<OwnedCtx> {
        // SAFETY: the handle owns the VM.
        let vm = unsafe { self.vm().as_ref() };
        let stack = Stack::new(crate::native::VALUES, crate::native::FRAMES)?;
        let lock_thread = vm.lock.attach(name);
        lock_thread.acquire();
        let state = register(vm, lock_thread, Value::NIL);
        Some(ctx_with_stack(self.vm(), &state, stack))
    }
}

impl Ctx {
    /// Leaves the lock until `come_back`: the embedder's code runs on this native thread, which must not use the
    /// context meanwhile.
    pub fn leave(&mut self) {
        self.set_activity(Activity::Blocked);
        self.tell_event(ThreadEvent::Leaves);
        self.leaving_untold(LockThread::release);
        ceiling::replace(self.outer_ceiling);
    }

    /// Takes the lock again after `leave`.
    pub fn come_back(&mut self) {
        self.outer_ceiling = ceiling::replace(self.vm().allocation_ceiling());
        self.thread.lock_thread.acquire_as(Entry::Priority);
        self.set_activity(Activity::Running);
        self.tell_event(ThreadEvent::Returns);
    }
}

/// Makes the main thread's context; the calling thread then holds the lock.
pub(crate) fn attach_main(vm: NonNull<Vm>) -> Option<OwnedCtx> {
    // SAFETY: the VM was just made.
    let vm_ref = unsafe { vm.as_ref() };
    let lock_thread = vm_ref.lock.attach("main");
    lock_thread.acquire();
    let state = register(vm_ref, lock_thread, Value::NIL);
    // SAFETY: this thread holds the lock.
    unsafe { vm_ref.threads.get_mut() }.main = Some(state.clone());
    let values = address_space::portion(MAIN_VALUES * size_of::<Value>(), 64) / size_of::<Value>();
    let frames = address_space::portion(MAIN_FRAMES * size_of::<Frame>(), 32) / size_of::<Frame>();
    Some(ctx_with_stack(vm, &state, Stack::new(values, frames)?))
}

fn ctx_with_stack(vm: NonNull<Vm>, state: &Arc<ThreadState>, stack: Stack) -> OwnedCtx {
    state.lock_thread.set_wake_mask(WAKE_MASK);
    let (low, high) = rubellite_gc::stack::bounds().map_or((0, usize::MAX), |(l, h)| (l as usize, h as usize));
    let ctx = Ctx {
        vm,
        interrupt: state.lock_thread.interrupt.as_ptr(),
        frame: stack.bounds.frames.wrapping_sub(1),
        sp: stack.bounds.values,
        values_limit: stack.bounds.values_limit,
        frames_limit: stack.bounds.frames_limit,
        pending: Pending::None,
        errinfo: Value::NIL,
        telling: false,
        // SAFETY: the VM lives as long as its contexts.
        outer_ceiling: ceiling::replace(unsafe { vm.as_ref() }.allocation_ceiling()),
        native_limit: low.saturating_add(NATIVE_RESERVE.min((high - low) / 4)),
        native_base: high,
        native_sp: high,
        kept: Default::default(),
        next_frame_id: state.id << 40,
        catch_tags: Vec::new(),
        stack: stack.bounds,
        root_stack: ManuallyDrop::new(stack),
        slot: std::ptr::null_mut(),
        root_slot: None,
        thread: state.clone(),
        recursion: Default::default(),
        fiber: Value::NIL,
        root_fiber: Value::NIL,
        forked_fiber: Value::NIL,
        switch: Default::default(),
        waiting: false,
        in_gc: false,
        sweeping: false,
        panic: None,
        missing: Default::default(),
        trace_event: None,
    };
    let ctx = OwnedCtx::new(ctx);
    state.ctx.set(ctx.as_ptr());
    state.lock_thread.set_data(ctx.as_ptr().expose_provenance() as u64);
    ctx
}

/// What ends a wait: not what is always set (stress) or can wait (finalizers).
const WAKE_MASK: u32 = interrupt_bits::ASYNC | interrupt_bits::SIGNAL | interrupt_bits::NUDGE | interrupt_bits::LIMIT;

/// Machine stack kept for native code below the point where recursion is refused.
const NATIVE_RESERVE: usize = 256 * 1024;
