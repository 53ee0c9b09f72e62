//! Fibers: stacks of their own on the thread that resumes them.
//!
//! A fiber has a native stack (a coroutine) and a VM stack. What distinguishes the running fiber is a
//! set of registers in `Ctx`; a switch swaps them. The registers of a fiber that is not running lie in its slot
//! (`stacks`), where the collector finds them: those of a thread's root fiber always count,
//! those of another only while its Fiber object is reachable. States:
//!
//! created -> resumed (running, or waiting for a fiber that it resumed) <-> suspended -> terminated
//!
//! Every coroutine is entered from the root fiber's native stack: a switch between two other fibers first
//! suspends to the root, whose loop (`run_fibers`) enters the target. So resume, yield and transfer are the same
//! switch with different bookkeeping (`prev`, `resuming`, `yielding`), and native stacks do not nest.
//!
//! In the child of a fork the fiber that forked takes the place of the root: the process ends with it.
//!
//! A fiber that ends, or is collected while suspended (without running its ensure clauses, as in CRuby), gives its
//! stacks back to a pool. Behaviour (`Fiber#resume` and friends) lives in the core library.

mod stacks;

pub(crate) use stacks::{Fibers, Registers, Slot};

use crate::ctx::Ctx;
use crate::frame::Stack;
use crate::object::exception::Positions;
use crate::object::{Array, Data, NativeData};
use crate::unwind::Pending;
use crate::{Result, Unwind};
use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{Coroutine, Yielder};
use rubellite_value::Value;
use stacks::{Pool, STACKS_BYTES, Stacks};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

type Native = Coroutine<(), (), (), DefaultStack>;

/// What crosses a switch.
pub(crate) struct Switch {
    /// The Fiber object that goes on.
    target: Value,
    /// Its state, which it keeps alive.
    state: *const FiberState,
    /// What it receives: for a new fiber an Array of arguments.
    value: Value,
    /// An exception that it raises instead; undef: none.
    raised: Value,
    /// The arguments of a new fiber end in a Hash of keywords.
    keywords: bool,
    /// The exit pending in the context goes on in the target.
    failed: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Switch {
            target: Value::NIL,
            state: std::ptr::null(),
            value: Value::NIL,
            raised: Value::UNDEF,
            keywords: false,
            failed: false,
        }
    }
}

impl Switch {
    pub(crate) fn trace(&self, mut mark: impl FnMut(Value)) {
        mark(self.target);
        mark(self.value);
        mark(self.raised);
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FiberStatus {
    Created,
    Resumed,
    Suspended,
    Terminated,
}

/// Native data of a Fiber object.
pub struct FiberState {
    pub status: Cell<FiberStatus>,
    id: u64,
    thread: u64,
    root: bool,
    body: Cell<Value>,
    /// The fiber that resumed this one; nil: none.
    prev: Cell<Value>,
    /// The fiber that this one has resumed; nil: none.
    resuming: Cell<Value>,
    /// Left by `Fiber.yield`.
    yielding: Cell<bool>,
    /// Fiber storage: a Hash or nil.
    pub storage: Cell<Value>,
    /// Fiber-local variables of the thread API: a Hash or nil.
    pub locals: Cell<Value>,
    pub blocking: Cell<bool>,
    /// `Fiber#kill` was called: the kill ends here.
    killed: Cell<bool>,
    life: RefCell<Option<Life>>,
    /// From `Box::into_raw`; null while there are no stacks. Root fibers have theirs in the context.
    slot: Cell<*mut Slot>,
    yielder: Cell<*const Yielder<(), ()>>,
}

impl NativeData for FiberState {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for v in [&self.body, &self.prev, &self.resuming, &self.storage, &self.locals] {
            mark(v.get());
        }
    }

    fn memory_size(&self) -> usize {
        if self.slot.get().is_null() { 0 } else { STACKS_BYTES }
    }
}

impl Drop for FiberState {
    fn drop(&mut self) {
        if let (Some(mut life), Some(slot)) = (self.life.take(), self.take_slot()) {
            if life.native.started() && !life.native.done() {
                // SAFETY: the stack is given up without unwinding: its frames hold words of a VM whose objects are
                // being swept, and reference counts that are merely never lowered.
                unsafe { life.native.force_reset() };
            }
            drop(slot);
            life.give_back();
        }
    }
}

/// What a fiber has from its first switch to its end.
struct Life {
    native: Native,
    vm: Stack,
    pool: Rc<Pool>,
}

impl Life {
    /// The coroutine has ended, was reset or has not begun.
    fn give_back(mut self) {
        if !self.native.done() {
            // SAFETY: it has not begun: nothing lies on its stack.
            unsafe { self.native.force_reset() };
        }
        self.pool.put(Stacks { vm: self.vm, native: self.native.into_stack() });
    }
}

impl FiberState {
    /// The Proc that the fiber runs; nil in a root fiber.
    pub fn body(&self) -> Value {
        self.body.get()
    }

    /// The thread that it belongs to.
    pub fn thread_id(&self) -> u64 {
        self.thread
    }

    pub fn is_root(&self) -> bool {
        self.root
    }

    /// The slot, taken off for good; the caller has taken it off the table.
    fn take_slot(&self) -> Option<Box<Slot>> {
        let slot = self.slot.replace(std::ptr::null_mut());
        // SAFETY: a slot that is not null came from `Box::into_raw` in `make_stacks` and is taken once.
        (!slot.is_null()).then(|| unsafe { Box::from_raw(slot) })
    }
}

/// How a switch leaves the running fiber.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Leave {
    Resume,
    Transfer,
    Yield,
}

/// Machine stack kept for native code below the point where recursion is refused.
pub(crate) const FIBER_RESERVE: usize = 64 * 1024;

impl Ctx {
    fn fiber_data(&mut self, body: Value, storage: Value, root: bool) -> FiberState {
        self.next_frame_id += 1;
        FiberState {
            status: Cell::new(if root { FiberStatus::Resumed } else { FiberStatus::Created }),
            id: if root { self.thread.id } else { self.next_frame_id },
            thread: self.thread.id,
            root,
            body: Cell::new(body),
            prev: Cell::new(Value::NIL),
            resuming: Cell::new(Value::NIL),
            yielding: Cell::new(false),
            storage: Cell::new(storage),
            locals: Cell::new(Value::NIL),
            blocking: Cell::new(root),
            killed: Cell::new(false),
            life: RefCell::new(None),
            slot: Cell::new(std::ptr::null_mut()),
            yielder: Cell::new(std::ptr::null()),
        }
    }

    /// A new fiber that will run `body` (a Proc) on this thread.
    pub fn new_fiber(&mut self, klass: Value, body: Value, storage: Value) -> Data {
        let state = self.fiber_data(body, storage, false);
        Data::new(self, klass, state)
    }

    /// Gives an allocated Fiber object its state; RuntimeError when it has one, on which it may be running.
    pub fn init_fiber(&mut self, fiber: Data, body: Value, storage: Value, blocking: bool) -> Result<()> {
        if fiber.holds::<FiberState>(self) {
            return Err(self.raise_error("RuntimeError", "cannot initialize twice"));
        }
        let state = self.fiber_data(body, storage, false);
        state.blocking.set(blocking);
        fiber.install(self, state);
        Ok(())
    }

    /// The running fiber's object; nil in a thread's root fiber.
    pub fn current_fiber(&self) -> Value {
        self.fiber
    }

    /// The running fiber's object, made now for a root fiber that has none yet.
    #[inline]
    pub fn current_fiber_object(&mut self) -> Result {
        if self.fiber.is_nil() { self.root_fiber_object() } else { Ok(self.fiber) }
    }

    /// The running fiber's object, or nil for a root fiber that nobody has asked for.
    pub fn known_fiber(&self) -> Value {
        if self.fiber.is_nil() { self.root_fiber } else { self.fiber }
    }

    #[inline(never)]
    fn root_fiber_object(&mut self) -> Result {
        if self.root_fiber.is_nil() {
            let klass = self.named_class("Fiber")?.value();
            let state = self.fiber_data(Value::NIL, Value::NIL, true);
            self.root_fiber = Data::new(self, klass, state).value();
        }
        Ok(self.root_fiber)
    }

    pub fn fiber_state(&self, fiber: Value) -> Option<&FiberState> {
        Data::state_of::<FiberState>(self, fiber)
    }

    /// The state of a fiber that the caller keeps alive.
    #[inline]
    fn fiber_state_ptr<'a>(&mut self, fiber: Value) -> Result<&'a FiberState> {
        match Data::state_of::<FiberState>(self, fiber) {
            // SAFETY: a Fiber's state is installed once and boxed; the object is kept alive by the callers in this
            // file: as an argument, as the running fiber, or through its `prev` and `resuming`.
            Some(state) => Ok(unsafe { &*std::ptr::from_ref(state) }),
            None => Err(self.raise_error("FiberError", "uninitialized fiber")),
        }
    }

    // -- resume, transfer, yield ----------------------------------------------------------

    /// Runs `fiber` until it yields or ends; `value` is asked for what its `Fiber.yield` receives, and for a fiber that
    /// has not begun, which it is told, for an Array of its block's arguments, the last of which is a Hash of
    /// `keywords`, if so.
    #[inline]
    pub fn resume_fiber(
        &mut self,
        fiber: Value,
        keywords: bool,
        value: impl FnOnce(&mut Ctx, bool) -> Value,
    ) -> Result {
        let state = self.fiber_state_ptr(fiber)?;
        let value = value(self, state.status.get() == FiberStatus::Created);
        self.resume_known_fiber((fiber, state), value, keywords, Value::UNDEF)
    }

    /// The same with what the fiber raises instead.
    fn resume_fiber_raising(&mut self, fiber: Value, raised: Value) -> Result {
        let state = self.fiber_state_ptr(fiber)?;
        self.resume_known_fiber((fiber, state), Value::NIL, false, raised)
    }

    #[inline(always)]
    fn resume_known_fiber(
        &mut self,
        (fiber, state): (Value, &FiberState),
        value: Value,
        keywords: bool,
        raised: Value,
    ) -> Result {
        let status = state.status.get();
        let refusal = match status {
            FiberStatus::Created if !raised.is_undef() => Some("cannot raise exception on unborn fiber"),
            FiberStatus::Terminated => Some("attempt to resume a terminated fiber"),
            _ if fiber == self.known_fiber() => Some("attempt to resume the current fiber"),
            _ if !state.prev.get().is_nil() => Some("attempt to resume a resumed fiber (double resume)"),
            _ if !state.resuming.get().is_nil() => Some("attempt to resume a resuming fiber"),
            FiberStatus::Created => None,
            _ if !state.yielding.get() => Some("attempt to resume a transferring fiber"),
            _ => None,
        };
        if let Some(message) = refusal {
            return Err(self.raise_error("FiberError", message));
        }
        let running = self.current_fiber_object()?;
        let from = self.fiber_state_ptr(running)?;
        self.switch_fiber((running, from), (fiber, state), value, keywords, raised, Leave::Resume)
    }

    /// `Fiber#transfer`
    pub fn transfer_fiber(&mut self, fiber: Value, value: Value, keywords: bool, raised: Value) -> Result {
        let state = self.fiber_state_ptr(fiber)?;
        if !state.resuming.get().is_nil() {
            return Err(self.raise_error("FiberError", "attempt to transfer to a resuming fiber"));
        }
        if state.yielding.get() {
            return Err(self.raise_error("FiberError", "attempt to transfer to a yielding fiber"));
        }
        if state.status.get() == FiberStatus::Terminated {
            return Err(self.raise_error("FiberError", "dead fiber called"));
        }
        if fiber == self.known_fiber() {
            return Ok(value);
        }
        let running = self.current_fiber_object()?;
        let from = self.fiber_state_ptr(running)?;
        self.switch_fiber((running, from), (fiber, state), value, keywords, raised, Leave::Transfer)
    }

    /// `Fiber#raise`: the fiber goes on by raising `exception`.
    pub fn raise_in_fiber(&mut self, fiber: Value, exception: Value) -> Result {
        let state = self.fiber_state_ptr(fiber)?;
        if fiber == self.known_fiber() {
            // A kill meant for a fiber that waits for this one.
            let nothing = exception.is_nil();
            return Err(if nothing { self.type_error("exception object expected") } else { self.raise(exception) });
        }
        let resuming = state.resuming.get();
        if !resuming.is_nil() {
            return self.raise_in_fiber(resuming, exception);
        }
        if state.status.get() == FiberStatus::Suspended && !state.yielding.get() {
            return self.transfer_fiber(fiber, Value::NIL, false, exception);
        }
        self.resume_fiber_raising(fiber, exception)
    }

    /// `Fiber#kill`: runs the ensure clauses of a suspended fiber and ends it; false when it was killed before.
    pub fn kill_fiber(&mut self, fiber: Value) -> Result<bool> {
        let state = self.fiber_state_ptr(fiber)?;
        if state.root {
            return Err(self.raise_error("FiberError", "attempt to kill a different thread's fiber"));
        }
        if state.killed.replace(true) {
            return Ok(false);
        }
        match state.status.get() {
            FiberStatus::Created => state.status.set(FiberStatus::Terminated),
            FiberStatus::Terminated => {}
            _ if fiber == self.fiber => return Err(self.set_pending(Pending::Kill)),
            // Nil as an exception stands for the kill.
            _ => drop(self.raise_in_fiber(fiber, Value::NIL)?),
        }
        Ok(true)
    }

    /// `Fiber.yield value`: leaves the running fiber; returns what the next resume passes.
    #[inline]
    pub fn yield_fiber(&mut self, value: Value) -> Result {
        let running = self.current_fiber_object()?;
        let state = self.fiber_state_ptr(running)?;
        let prev = state.prev.replace(Value::NIL);
        if prev.is_nil() {
            return Err(self.raise_error("FiberError", "attempt to yield on a not resumed fiber"));
        }
        let to = self.fiber_state_ptr(prev)?;
        self.switch_fiber((running, state), (prev, to), value, false, Value::UNDEF, Leave::Yield)
    }

    // -- the switch -----------------------------------------------------------------------

    /// Part of its callers, and what it calls up to the switch part of it: see `spill_here`. The fibers are rooted
    /// apart from the stacks: the running one by the context, then by its slot, and the other one by the context.
    #[inline(always)]
    fn switch_fiber(
        &mut self,
        (running, from): (Value, &FiberState),
        (target, to): (Value, &FiberState),
        value: Value,
        keywords: bool,
        raised: Value,
        leave: Leave,
    ) -> Result {
        if to.thread != self.thread.id {
            return Err(self.raise_error("FiberError", "fiber called across threads"));
        }
        if to.status.get() == FiberStatus::Created {
            self.make_stacks(target, to)?;
        }
        match leave {
            Leave::Resume => {
                from.resuming.set(target);
                self.write_barrier(running, target);
                to.prev.set(running);
                self.write_barrier(target, running);
            }
            Leave::Transfer => from.status.set(FiberStatus::Suspended),
            Leave::Yield => {
                from.yielding.set(true);
                from.status.set(FiberStatus::Suspended);
            }
        }
        to.yielding.set(false);
        to.status.set(FiberStatus::Resumed);
        self.switch = Switch { target, state: to, value, raised, keywords, failed: false };
        if from.root {
            self.run_fibers();
        } else {
            // SAFETY: set by `fiber_main`, whose frame lives as long as the fiber runs.
            let yielder = unsafe { &*from.yielder.get() };
            let slot = from.slot.get();
            rubellite_gc::stack::spill_here(|sp| {
                self.native_sp = sp as usize;
                // SAFETY: the running fiber's own slot, which lives until the fiber ends.
                self.save_registers(unsafe { &mut *slot });
                yielder.suspend(());
            });
        }
        from.resuming.set(Value::NIL);
        from.status.set(FiberStatus::Resumed);
        std::hint::black_box(running);
        self.arrive(from)
    }

    /// The fiber goes on: what the switch brought.
    #[inline(always)]
    fn arrive(&mut self, state: &FiberState) -> Result {
        let switch = std::mem::take(&mut self.switch);
        if state.killed.get() {
            self.trace_fiber_switch()?;
            return Err(self.set_pending(Pending::Kill));
        }
        if switch.failed {
            if let Some(exception) = self.pending_exception().filter(|_| self.traces_fibers()) {
                self.trace_fiber_switch()?;
                self.trace_raise(exception);
            }
            return Err(Unwind);
        }
        if !switch.raised.is_undef() {
            self.trace_fiber_switch()?;
            return Err(self.raise(switch.raised));
        }
        self.check_interrupts()?;
        self.trace_fiber_switch()?;
        std::hint::black_box(switch.value);
        Ok(switch.value)
    }

    /// The root fiber's loop: enters one fiber after the other until a switch asks for the root.
    #[inline(always)]
    fn run_fibers(&mut self) {
        let root = match &mut self.root_slot {
            Some(slot) => &raw mut **slot,
            None => self.make_root_slot(),
        };
        rubellite_gc::stack::spill_here(|sp| {
            self.native_sp = sp as usize;
            // SAFETY: the root's slot lives as long as the thread, and only this thread's switches open it.
            self.save_registers(unsafe { &mut *root });
            while self.switch.target != self.root_fiber {
                self.enter_fiber();
                // SAFETY: as above. The frame goes on, and with it what a collection has found there.
                unsafe { (*root).kept.forget() };
            }
            // SAFETY: as above.
            self.load_registers(unsafe { &mut *root });
        });
    }

    /// Enters the fiber that the switch names, until it is left again; then its registers are saved.
    #[inline(always)]
    fn enter_fiber(&mut self) {
        let fiber = self.switch.target;
        // SAFETY: the state belongs to `fiber`, which the context's `fiber` keeps alive while it runs, and this frame.
        let state = unsafe { &*self.switch.state };
        let slot = state.slot.get();
        if let (Some(life), false) = (&mut *state.life.borrow_mut(), slot.is_null()) {
            // SAFETY: the slot belongs to the fiber, which has stacks and so has not ended.
            self.load_registers(unsafe { &mut *slot });
            life.native.resume(());
            if !life.native.done() {
                return;
            }
        } else {
            // Neither can be missing: a switch makes the stacks first, and enters no fiber twice.
            self.switch.failed = true;
            self.switch.target = self.root_fiber;
            let _ = self.raise_error("FiberError", "fiber has no stack");
            return;
        }
        self.free_stacks(state);
        std::hint::black_box(fiber);
    }

    /// The fiber has ended: its stacks go to the pool.
    #[inline(never)]
    fn free_stacks(&mut self, state: &FiberState) {
        self.threads_mut().fibers.remove(state.id);
        drop(state.take_slot());
        self.trace_event = None;
        self.catch_tags.clear();
        self.recursion.clear();
        if let Some(life) = state.life.take() {
            life.give_back();
            self.note_malloc(-(STACKS_BYTES as isize));
        }
    }

    /// Makes the stacks of a new fiber.
    #[inline(never)]
    fn make_stacks(&mut self, fiber: Value, state: &FiberState) -> Result<()> {
        let pool = self.threads().fibers.pool();
        let Some(stacks) = pool.take() else {
            return Err(self.raise_error("FiberError", "can't alloc machine stack to fiber: Cannot allocate memory"));
        };
        let (base, limit) = (stacks.native.base().get(), stacks.native.limit().get());
        let ctx: *mut Ctx = self;
        let native = Coroutine::with_stack(stacks.native, move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: a fiber runs on the thread that made it, while that thread's context is borrowed by
            // `run_fibers`, which does not touch it until the fiber yields.
            unsafe { &mut *ctx }.fiber_main(fiber, yielder);
        });
        let bounds = stacks.vm.bounds;
        *state.life.borrow_mut() = Some(Life { native, vm: stacks.vm, pool });
        let registers = Registers {
            frame: bounds.frames.wrapping_sub(1),
            sp: bounds.values,
            stack: bounds,
            native_limit: limit + FIBER_RESERVE,
            native_base: base,
            native_sp: base,
            errinfo: Value::NIL,
            catch_tags: Vec::new(),
            recursion: Default::default(),
            fiber,
            // What a fiber does that is made in a hook is part of the hook.
            hooked: self.trace_event().cloned().map(Box::new),
        };
        let slot = Box::into_raw(Box::new(Slot::new(registers, true, 0)));
        state.slot.set(slot);
        self.threads_mut().fibers.add(state.id, slot);
        self.note_malloc(STACKS_BYTES as isize);
        Ok(())
    }

    /// The body of a fiber's coroutine.
    fn fiber_main(&mut self, fiber: Value, yielder: &Yielder<(), ()>) {
        let switch = std::mem::take(&mut self.switch);
        // SAFETY: the state belongs to `fiber`, which this frame keeps alive.
        let state = unsafe { &*switch.state };
        state.yielder.set(yielder);
        let args = Array::try_of(switch.value);
        // tidy: the values stay in `args`, which this frame keeps
        let list: smallvec::SmallVec<[Value; 8]> =
            args.map(|a| a.slice(self).iter().copied().collect()).unwrap_or_default();
        let result = match self.trace_fiber_switch() {
            Ok(()) => self.call_block_full(state.body.get(), &list, switch.keywords, Value::NIL),
            Err(unwind) => Err(unwind),
        };
        std::hint::black_box(args);
        if fiber == self.forked_fiber {
            state.status.set(FiberStatus::Terminated);
            (self.vm().hooks().end_child)(self, result.map(drop));
        }
        state.yielder.set(std::ptr::null());
        state.status.set(FiberStatus::Terminated);
        let next = self.fiber_after(state);
        let killed = result.is_err() && state.killed.get() && matches!(self.pending, Pending::Kill);
        if killed {
            self.pending = Pending::None;
        }
        let failed = result.is_err() && !killed;
        let next_state = self.fiber_state(next).map_or(std::ptr::null(), std::ptr::from_ref);
        std::hint::black_box(fiber);
        self.switch = Switch {
            target: next,
            state: next_state,
            value: result.unwrap_or(Value::NIL),
            failed,
            ..Switch::default()
        };
    }

    /// In the child of a fork: the running fiber has nobody to go back to, and the process ends with it.
    pub(crate) fn make_fiber_root(&mut self) {
        self.forked_fiber = self.fiber;
        if let Some(state) = self.fiber_state(self.fiber) {
            state.prev.set(Value::NIL);
        }
    }

    /// Who goes on when a fiber ends: who resumed it, or the innermost fiber that the root has resumed.
    fn fiber_after(&mut self, state: &FiberState) -> Value {
        let prev = state.prev.replace(Value::NIL);
        if !prev.is_nil() {
            return prev;
        }
        let mut at = if self.forked_fiber.is_nil() { self.root_fiber } else { self.forked_fiber };
        while let Some(resuming) = self.fiber_state(at).map(|s| s.resuming.get()).filter(|r| !r.is_nil()) {
            at = resuming;
        }
        at
    }

    /// The call stack of a fiber that is not running, or of the running one.
    pub fn fiber_positions(&self, fiber: Value) -> Positions {
        if fiber == self.known_fiber() {
            return self.positions(0, usize::MAX);
        }
        let Some(state) = self.fiber_state(fiber) else { return Positions::new() };
        let slot = if state.root {
            self.root_slot.as_ref().map_or(std::ptr::null(), |slot| &raw const **slot)
        } else {
            state.slot.get().cast_const()
        };
        // SAFETY: a slot lives as long as the fiber's object, which the caller holds, or as this thread.
        match unsafe { slot.as_ref() }.and_then(Slot::suspended) {
            Some(registers) => self.positions_from(registers.frame, registers.stack.frames),
            None => Positions::new(),
        }
    }
}
