//! What a fiber runs on: its registers while it is away, its two stacks, the table of both for the collector, and the
//! pool of stacks that wait for the next fiber.
//!
//! A slot is on the table from the moment its fiber gets stacks until the fiber ends or its object is found dead; the
//! table is pruned between marking and sweeping, so that a slot leaves it before it is freed. Switching is in `mod.rs`.

use crate::ctx::Ctx;
use crate::frame::{Bounds, Frame, Stack, give_back};
use crate::guards::Guards;
use crate::roots::Kept;
use crate::trace::TraceEvent;
use corosensei::stack::{DefaultStack, Stack as _};
use rubellite_value::Value;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::rc::Rc;

/// Words of VM stack and frames of a fiber; bytes of its machine stack.
const FIBER_VALUES: usize = 1 << 15;
const FIBER_FRAMES: usize = 6_000;
const FIBER_NATIVE: usize = 512 * 1024;
/// How many pairs of stacks the pool keeps.
const POOL_MAX: usize = 640;
/// Bytes of a machine stack that a pooled one keeps.
const NATIVE_KEPT: usize = 16 * 1024;
/// What a fiber with stacks counts for in the collector's pacing: about twice the pages that every fiber touches, so
/// that a program which drops suspended fibers gets along with those in the pool.
pub(super) const STACKS_BYTES: usize = 56 * 1024;

/// What a switch swaps.
pub(crate) struct Registers {
    pub frame: *mut Frame,
    pub sp: *mut Value,
    pub stack: Bounds,
    pub native_limit: usize,
    pub native_base: usize,
    pub native_sp: usize,
    pub errinfo: Value,
    pub catch_tags: Vec<Value>, // tidy: traced as roots
    pub recursion: Guards,
    /// The Fiber object, or nil for a root fiber.
    pub fiber: Value,
    /// The event whose hook the fiber has been left in. Others report theirs meanwhile.
    pub hooked: Option<Box<TraceEvent>>,
}

/// Where a fiber's registers are while it does not run.
pub(crate) struct Slot {
    registers: Registers,
    /// The registers are here; false: the fiber runs, and what lies here is stale.
    away: bool,
    /// The thread whose root fiber this is; 0: no root fiber.
    root_of: u64,
    /// What a collection has found on its stacks since it was suspended.
    pub(crate) kept: Kept,
}

impl Slot {
    pub fn new(registers: Registers, away: bool, root_of: u64) -> Slot {
        Slot { registers, away, root_of, kept: Kept::default() }
    }

    /// The registers, if the fiber does not run.
    pub fn suspended(&self) -> Option<&Registers> {
        self.away.then_some(&self.registers)
    }
}

impl Ctx {
    /// Puts the running fiber's registers into its slot. The slot of a running fiber holds no tags, no guards and no
    /// event, and a fiber has seldom any when it is left.
    #[inline(always)]
    pub(super) fn save_registers(&mut self, slot: &mut Slot) {
        let registers = &mut slot.registers;
        registers.frame = self.frame;
        registers.sp = self.sp;
        registers.stack = self.stack;
        registers.native_limit = self.native_limit;
        registers.native_base = self.native_base;
        registers.native_sp = self.native_sp;
        registers.errinfo = self.errinfo;
        registers.fiber = self.fiber;
        if self.trace_event.is_some() || !self.catch_tags.is_empty() || !self.recursion.is_empty() {
            self.exchange_tables(registers);
        }
        slot.away = true;
    }

    /// Exchanges what is seldom there: tags of `catch`, guards of recursion, the event that a hook looks at.
    #[cold]
    #[inline(never)]
    fn exchange_tables(&mut self, registers: &mut Registers) {
        let event = self.trace_event.take().map(Box::new);
        self.trace_event = std::mem::replace(&mut registers.hooked, event).map(|event| *event);
        std::mem::swap(&mut registers.catch_tags, &mut self.catch_tags);
        std::mem::swap(&mut registers.recursion, &mut self.recursion);
    }

    /// Takes the registers of the fiber that goes on. What the context holds has been saved.
    #[inline(always)]
    pub(super) fn load_registers(&mut self, slot: &mut Slot) {
        let registers = &mut slot.registers;
        self.frame = registers.frame;
        self.sp = registers.sp;
        self.stack = registers.stack;
        self.values_limit = registers.stack.values_limit;
        self.frames_limit = registers.stack.frames_limit;
        self.native_limit = registers.native_limit;
        self.native_base = registers.native_base;
        self.native_sp = registers.native_sp;
        self.errinfo = registers.errinfo;
        self.fiber = registers.fiber;
        if registers.hooked.is_some() || !registers.catch_tags.is_empty() || !registers.recursion.is_empty() {
            self.exchange_tables(registers);
        }
        slot.away = false;
        slot.kept.forget();
        self.slot = slot;
    }

    /// The registers with which this thread runs, as a slot of its root fiber.
    pub(super) fn make_root_slot(&mut self) -> *mut Slot {
        let registers = Registers {
            frame: self.frame,
            sp: self.sp,
            stack: self.stack,
            native_limit: self.native_limit,
            native_base: self.native_base,
            native_sp: self.native_sp,
            errinfo: self.errinfo,
            catch_tags: Vec::new(),
            recursion: Guards::default(),
            fiber: Value::NIL,
            hooked: None,
        };
        let mut slot = Box::new(Slot::new(registers, false, self.thread.id));
        let address: *mut Slot = &raw mut *slot;
        let thread = self.thread.id;
        self.threads_mut().fibers.add(thread, address);
        self.root_slot = Some(slot);
        address
    }

    /// At the end of a thread: its root fiber is gone.
    pub(crate) fn forget_root_fiber(&mut self) {
        if let Some(root) = self.fiber_state(self.root_fiber) {
            root.status.set(super::FiberStatus::Terminated);
        }
        if self.root_slot.take().is_some() {
            let thread = self.thread.id;
            self.threads_mut().fibers.remove(thread);
        }
    }
}

/// The fibers of a VM that have stacks.
#[derive(Default)]
pub struct Fibers {
    table: FxHashMap<u64, NonNull<Slot>>,
    pool: Rc<Pool>,
}

impl Fibers {
    pub(super) fn add(&mut self, id: u64, slot: *mut Slot) {
        if let Some(slot) = NonNull::new(slot) {
            self.table.insert(id, slot);
        }
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.table.remove(&id);
    }

    pub(super) fn pool(&self) -> Rc<Pool> {
        self.pool.clone()
    }

    /// Every slot; none is freed while it is here.
    pub(crate) fn slots(&self) -> impl Iterator<Item = NonNull<Slot>> {
        self.table.values().copied()
    }

    /// Takes those off whose Fiber objects are about to be swept.
    pub(crate) fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: a slot on the table has not been freed (the file's invariant).
        self.table
            .retain(|_, slot| unsafe { slot.as_ref() }.suspended().is_none_or(|registers| alive(registers.fiber)));
    }

    /// In the child of a fork: root fibers of other threads are gone with their threads.
    pub(crate) fn keep_roots_of(&mut self, thread: u64) {
        self.table.retain(|_, slot| {
            // SAFETY: as in `prune`.
            let root_of = unsafe { slot.as_ref() }.root_of;
            root_of == 0 || root_of == thread
        });
    }
}

/// The stacks of one fiber.
pub(super) struct Stacks {
    pub vm: Stack,
    pub native: DefaultStack,
}

impl Stacks {
    fn new() -> Option<Stacks> {
        Some(Stacks { vm: Stack::new(FIBER_VALUES, FIBER_FRAMES)?, native: DefaultStack::new(FIBER_NATIVE).ok()? })
    }

    /// Gives back the memory that only a deep recursion touches, if one did.
    fn shrink(&mut self) {
        self.vm.shrink();
        let (base, limit) = (self.native.base().get(), self.native.limit().get());
        let from = limit.next_multiple_of(4096);
        let to = base.saturating_sub(NATIVE_KEPT) & !4095;
        if from < to {
            // SAFETY: the range is page aligned and lies within the stack, above its guard page; nothing runs on it.
            unsafe { give_back((to - 4096) as *mut u8, from as *mut u8, to - from) };
        }
    }
}

/// Stacks that fibers have left. Shared by the table and every fiber: a fiber that is swept gives its stacks back
/// here. Opened only by the holder of the VM lock.
#[derive(Default)]
pub(super) struct Pool(RefCell<Vec<Stacks>>);

impl Pool {
    /// Stacks for a new fiber; `None` when the system refuses.
    pub fn take(&self) -> Option<Stacks> {
        let pooled = self.0.borrow_mut().pop();
        pooled.or_else(Stacks::new)
    }

    pub fn put(&self, mut stacks: Stacks) {
        let mut pool = self.0.borrow_mut();
        if pool.len() >= POOL_MAX {
            return;
        }
        stacks.shrink();
        pool.push(stacks);
    }
}
