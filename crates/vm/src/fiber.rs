//! Fibers: stacks of their own on the thread that resumes them.
//!
//! A fiber has a native stack (a coroutine) and a VM stack. What distinguishes the running fiber is a
//! set of registers in `Ctx`; a switch swaps them. The registers of every fiber that is not running lie in the VM's
//! table, keyed by fiber, where the collector finds them: those of a thread's root fiber always count,
//! those of another only while its Fiber object is reachable. States:
//!
//! created -> resumed (running, or waiting for a fiber that it resumed) <-> suspended -> terminated
//!
//! A fiber that is collected while suspended gives its stacks back without running its ensure
//! clauses, as in CRuby. Behaviour (`Fiber#resume` and friends) lives in the core library.

use crate::ctx::Ctx;
use crate::frame::{Frame, Stack};
use crate::object::{Data, NativeData};
use crate::{Result, Unwind};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use rubellite_value::{Sym, Value};
use std::cell::{Cell, RefCell};

type Native = Coroutine<(), (), (), DefaultStack>;

/// What a switch swaps.
pub(crate) struct Registers {
    pub frame: *mut Frame,
    pub sp: *mut Value,
    pub stack: Stack,
    pub native_limit: usize,
    pub native_base: usize,
    pub native_sp: usize,
    pub errinfo: Value,
    pub catch_tags: Vec<Value>, // tidy: traced as roots
    pub recursion: Vec<(Sym, Value, Value)>, // tidy: traced as roots
    /// The Fiber object, or nil for a root fiber.
    pub fiber: Value,
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
    body: Cell<Value>,
    /// The fiber that resumed this one; nil for the root.
    prev: Cell<Value>,
    /// The value that crosses the next switch.
    passed: Cell<Value>,
    /// An exception to raise in the fiber when it goes on.
    raised: Cell<Value>,
    /// Fiber storage: a Hash or nil.
    pub storage: Cell<Value>,
    /// Fiber-local variables of the thread API: a Hash or nil.
    pub locals: Cell<Value>,
    pub blocking: Cell<bool>,
    native: RefCell<Option<Native>>,
    yielder: Cell<*const Yielder<(), ()>>,
    /// Whether the fiber was last left by `transfer`.
    pub transferred: Cell<bool>,
    failed: Cell<bool>,
}

impl NativeData for FiberState {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for v in [&self.body, &self.prev, &self.passed, &self.raised, &self.storage, &self.locals] {
            mark(v.get());
        }
    }
}

impl Drop for FiberState {
    fn drop(&mut self) {
        if let Some(mut native) = self.native.borrow_mut().take() {
            if native.started() && !native.done() {
                // SAFETY: the stack is given up without unwinding: its frames hold words of a VM whose objects are
                // being swept, and reference counts that are merely never lowered.
                unsafe { native.force_reset() };
            }
        }
    }
}

/// Words of VM stack and frames of a fiber; bytes of its machine stack.
const FIBER_VALUES: usize = 1 << 15;
const FIBER_FRAMES: usize = 6_000;
const FIBER_NATIVE: usize = 512 * 1024;

impl Ctx {
    /// A new fiber that will run `body` (a Proc) on this thread.
    pub fn new_fiber(&mut self, klass: Value, body: Value, storage: Value) -> Data {
        self.next_frame_id += 1;
        let state = FiberState {
            status: Cell::new(FiberStatus::Created),
            id: self.next_frame_id,
            thread: self.thread.id,
            body: Cell::new(body),
            prev: Cell::new(Value::NIL),
            passed: Cell::new(Value::NIL),
            raised: Cell::new(Value::UNDEF),
            storage: Cell::new(storage),
            locals: Cell::new(Value::NIL),
            blocking: Cell::new(false),
            native: RefCell::new(None),
            yielder: Cell::new(std::ptr::null()),
            transferred: Cell::new(false),
            failed: Cell::new(false),
        };
        Data::new(self, klass, state)
    }

    /// The running fiber's object; nil in a thread's root fiber.
    pub fn current_fiber(&self) -> Value {
        self.fiber
    }

    pub fn fiber_state(&self, fiber: Value) -> Option<&FiberState> {
        Data::state_of::<FiberState>(self, fiber)
    }

    /// Runs `fiber` until it yields or ends; `value` is what its `Fiber.yield` (or its block) receives.
    /// The arguments of the first resume are the elements of the Array `value`.
    pub fn resume_fiber(&mut self, fiber: Value, value: Value) -> Result {
        let Some(state) = Data::state_of::<FiberState>(self, fiber) else {
            return Err(self.raise_error("FiberError", "uninitialized fiber"));
        };
        let refusal = match state.status.get() {
            _ if state.thread != self.thread.id => Some("fiber called across threads"),
            FiberStatus::Terminated => Some("attempt to resume a terminated fiber"),
            FiberStatus::Resumed if self.fiber == fiber => Some("attempt to resume the current fiber"),
            FiberStatus::Resumed => Some("attempt to resume a resumed fiber (double resume)"),
            _ => None,
        };
        if let Some(message) = refusal {
            // SAFETY note: `state` is not used past this point.
            return Err(self.raise_error("FiberError", message));
        }
        self.enter_fiber(fiber, value)
    }

    /// Like `resume_fiber`, but the fiber goes on by raising `exception`.
    pub fn raise_in_fiber(&mut self, fiber: Value, exception: Value) -> Result {
        if let Some(state) = Data::state_of::<FiberState>(self, fiber) {
            match state.status.get() {
                FiberStatus::Created => return Err(self.raise_error("FiberError", "cannot raise exception on unborn fiber")),
                FiberStatus::Terminated => return Err(self.raise_error("FiberError", "dead fiber called")),
                _ => state.raised.set(exception),
            }
        }
        self.resume_fiber(fiber, Value::NIL)
    }

    fn enter_fiber(&mut self, fiber: Value, value: Value) -> Result {
        let Some(target) = self.registers_of(fiber)? else {
            return Err(self.raise_error("FiberError", "fiber has no stack"));
        };
        // SAFETY: the Fiber object is kept alive by this frame and, while it runs, by `ctx.fiber`; its state is boxed.
        let state: &FiberState = match Data::state_of::<FiberState>(self, fiber) {
            Some(state) => unsafe { &*std::ptr::from_ref(state) },
            None => return Err(Unwind),
        };
        let own = self.current_fiber_key();
        state.prev.set(self.fiber);
        state.passed.set(value);
        state.status.set(FiberStatus::Resumed);
        let Some(mut native) = state.native.borrow_mut().take() else {
            return Err(self.raise_error("FiberError", "attempt to resume a resuming fiber"));
        };
        let outcome = rubellite_gc::stack::spill_and_sp(|sp| {
            self.native_sp = sp as usize;
            let mine = self.swap_registers(target);
            self.threads().suspended.insert(own, mine);
            let outcome = native.resume(());
            // Back: the fiber's registers go to the table, ours come from it.
            if let Some(mine) = self.threads().suspended.remove(&own) {
                let theirs = self.swap_registers(mine);
                if !native.done() {
                    self.threads().suspended.insert(state.id, theirs);
                }
            }
            outcome
        });
        match outcome {
            CoroutineResult::Yield(()) => {
                *state.native.borrow_mut() = Some(native);
                state.status.set(FiberStatus::Suspended);
            }
            CoroutineResult::Return(()) => state.status.set(FiberStatus::Terminated),
        }
        self.check_interrupts_after_switch()?;
        if state.failed.replace(false) {
            return Err(Unwind);
        }
        Ok(state.passed.replace(Value::NIL))
    }

    fn check_interrupts_after_switch(&mut self) -> Result<()> {
        Ok(())
    }

    /// The key of the running fiber in the table: root fibers use their thread's.
    fn current_fiber_key(&self) -> u64 {
        match Data::state_of::<FiberState>(self, self.fiber) {
            Some(state) if !self.fiber.is_nil() => state.id,
            _ => self.thread.id,
        }
    }

    /// The saved registers of a fiber; for a new one its stacks are made.
    fn registers_of(&mut self, fiber: Value) -> Result<Option<Registers>> {
        // SAFETY: as in `enter_fiber`.
        let Some(state) = Data::state_of::<FiberState>(self, fiber).map(|s| unsafe { &*std::ptr::from_ref(s) }) else { return Ok(None) };
        let id = state.id;
        if state.status.get() == FiberStatus::Suspended {
            return Ok(self.threads().suspended.remove(&id));
        }
        let (Some(stack), Ok(native_stack)) = (Stack::new(FIBER_VALUES, FIBER_FRAMES), DefaultStack::new(FIBER_NATIVE)) else {
            return Err(self.raise_error("FiberError", "can't alloc machine stack to fiber: Cannot allocate memory"));
        };
        use corosensei::stack::Stack as _;
        let (base, limit) = (native_stack.base().get(), native_stack.limit().get());
        let ctx: *mut Ctx = self;
        let native = Coroutine::with_stack(native_stack, move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: a fiber runs on the thread that made it, while that thread's context is borrowed by
            // `enter_fiber`, which does not touch it until the fiber yields.
            unsafe { &mut *ctx }.fiber_main(fiber, yielder);
        });
        *state.native.borrow_mut() = Some(native);
        Ok(Some(Registers {
            frame: stack.frames.wrapping_sub(1),
            sp: stack.values,
            stack,
            native_limit: limit + 64 * 1024,
            native_base: base,
            native_sp: base,
            errinfo: Value::NIL,
            catch_tags: Vec::new(),
            recursion: Vec::new(),
            fiber,
        }))
    }

    /// The body of a fiber's coroutine.
    fn fiber_main(&mut self, fiber: Value, yielder: &Yielder<(), ()>) {
        // SAFETY: as in `enter_fiber`.
        let Some(state) = Data::state_of::<FiberState>(self, fiber).map(|s| unsafe { &*std::ptr::from_ref(s) }) else { return };
        state.yielder.set(yielder);
        let args = crate::object::Array::of(state.passed.get());
        let list = crate::object::TempArray::from_slice(self, &[]);
        list.array().concat(self, args);
        let result = self.call_block_list(state.body.get(), list, false, Value::NIL);
        match result {
            Ok(value) => state.passed.set(value),
            Err(Unwind) => state.failed.set(true),
        }
        state.yielder.set(std::ptr::null());
    }

    /// `Fiber.yield value`: leaves the running fiber; returns what the next resume passes.
    pub fn yield_fiber(&mut self, value: Value) -> Result {
        let fiber = self.fiber;
        // SAFETY: the running fiber's object is a root while it runs.
        let state = match Data::state_of::<FiberState>(self, fiber) {
            Some(state) if !fiber.is_nil() => unsafe { &*std::ptr::from_ref(state) },
            _ => return Err(self.raise_error("FiberError", "can't yield from root fiber")),
        };
        state.passed.set(value);
        // SAFETY: set by `fiber_main`, whose frame lives as long as the fiber runs.
        let yielder = unsafe { &*state.yielder.get() };
        rubellite_gc::stack::spill_and_sp(|sp| {
            self.native_sp = sp as usize;
            yielder.suspend(());
        });
        let raised = state.raised.replace(Value::UNDEF);
        if !raised.is_undef() {
            return Err(self.raise(raised));
        }
        let passed = state.passed.replace(Value::NIL);
        // Resume passes its arguments as an Array.
        let list = crate::object::Array::try_of(passed);
        Ok(match list {
            Some(list) if list.len() == 1 => list.get(0).unwrap_or(Value::NIL),
            Some(list) if list.is_empty() => Value::NIL,
            _ => passed,
        })
    }

    /// Puts `new` in place of the running fiber's registers and returns those.
    fn swap_registers(&mut self, new: Registers) -> Registers {
        let old = Registers {
            frame: std::mem::replace(&mut self.frame, new.frame),
            sp: std::mem::replace(&mut self.sp, new.sp),
            stack: std::mem::replace(&mut self.stack, new.stack),
            native_limit: std::mem::replace(&mut self.native_limit, new.native_limit),
            native_base: std::mem::replace(&mut self.native_base, new.native_base),
            native_sp: std::mem::replace(&mut self.native_sp, new.native_sp),
            errinfo: std::mem::replace(&mut self.errinfo, new.errinfo),
            catch_tags: std::mem::replace(&mut self.catch_tags, new.catch_tags),
            recursion: std::mem::replace(&mut self.recursion, new.recursion),
            fiber: std::mem::replace(&mut self.fiber, new.fiber),
        };
        self.values_limit = self.stack.values_limit;
        self.frames_limit = self.stack.frames_limit;
        old
    }
}
