//! What the interpreter and a compiler of hot code know of each other.
//!
//! Code objects have slots: one for each place where compiled code may be entered (the beginning, the beginnings for
//! given optional arguments, and the target of each `Loop`). A slot counts down until its place is hot, then asks the
//! compiler that `VmConfig` names, and holds the address of compiled code from then on. Compiled code works on the
//! frame that the interpreter has pushed and leaves in one of two ways: it returns the value of the frame, which it has
//! popped, or [`EXIT`], whereupon the interpreter goes on in the topmost frame, where all live registers and the place
//! have been written. The interpreter so stays the only definition of what an instruction does.

mod natives;
mod runtime;
mod send;
mod variables;

pub mod layout;
pub use layout::*;
pub use natives::*;
pub use runtime::*;
pub use send::{is_plain_send, step_send};
pub use variables::*;

use crate::code::CodeData;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
#[cfg(doc)]
use crate::thread::interrupt_bits;
use crate::unwind::Pending;
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Tag, Value};
use std::cell::{Cell, UnsafeCell};

/// What compiled code returns when the interpreter is to go on; no value has these bits.
pub const EXIT: u64 = 0x44;

/// Compiled code: gets the context, its frame and the frame's registers.
pub type Entry = unsafe extern "C" fn(*mut Ctx, *mut Frame, *mut Value) -> u64;

/// Asks the compiler for code that begins at a slot; the frame stands there. 0: there is none; other numbers smaller
/// than every address: it is to be asked again after so many entries.
pub type Compile = fn(&mut Ctx, &CodeData, usize, *mut Frame) -> usize;

/// The compiler of a VM and its settings.
#[derive(Copy, Clone)]
pub struct Compiler {
    pub compile: Compile,
    /// Puts what was compiled beside the lock where it can run.
    pub install: fn(&mut Ctx),
    /// Calls after which a method or block is compiled.
    pub calls: u32,
    /// Turns after which a loop is compiled.
    pub turns: u32,
    /// Machine code is generated on a native thread beside the lock, which sets [`interrupt_bits::COMPILED`] when some
    /// is ready.
    pub beside: bool,
    /// Bytes of code at most.
    pub memory: usize,
    /// One of so many guards fails without a reason, chosen by the seed; 0: none does.
    pub fail: u32,
    /// Races will be looked for: nothing is compiled before.
    pub races: bool,
    /// Statistics are written when the process ends.
    pub report: bool,
    /// The intermediate form and the machine code of what is compiled are written to standard error.
    pub asm: bool,
}

/// What compiled code came to.
pub(crate) enum Entered {
    /// The frame has returned to the one below.
    Returned,
    /// The interpreter goes on in the topmost frame.
    Left,
    /// The frame has returned to native code.
    Finished(Value),
    /// An exit is pending.
    Failed,
}

/// Flags of frames whose return is more than a result in a register.
const SPECIAL: u16 =
    frame_flags::FINISH | frame_flags::BRANCH | frame_flags::NEW | frame_flags::DISCARD | frame_flags::TO_STR;

/// Machine stack that the compiler needs.
const COMPILER_STACK: usize = if cfg!(debug_assertions) { 320 << 10 } else { 160 << 10 };

/// Entries until the compiler is asked again when there was no room for it.
const LATER: u32 = 50;

/// Counts are smaller than every address of code.
const COUNT_END: usize = 1 << 24;

/// A place where compiled code may be entered: 0 never, small numbers count down, others are addresses.
pub struct Slot(Cell<usize>);

impl Slot {
    /// Smaller words are no addresses.
    pub const FIRST_ADDRESS: usize = COUNT_END;

    /// Enters code from now on that the compiler has made for the place.
    ///
    /// # Safety
    /// The address is that of an [`Entry`] for the slot's place.
    pub unsafe fn enter(&self, address: usize) {
        self.0.set(address);
    }

    /// Sets the number of entries until it is compiled.
    pub fn count_down(&self, from: u32) {
        self.0.set((from as usize).min(COUNT_END - 1));
    }

    pub fn is_compiled(&self) -> bool {
        self.0.get() >= COUNT_END
    }
}

/// What a compiler keeps with a code object.
#[derive(Default)]
pub struct Kept {
    /// Objects that compiled code refers to.
    roots: UnsafeCell<Vec<Value>>, // tidy: traced by RCode
    /// The compiler's number for this code; 0: none yet.
    pub number: Cell<u64>,
}

impl Kept {
    /// Keeps `value` as long as the code lives.
    pub fn keep(&self, ctx: &Ctx, code: &CodeData, value: Value) {
        ctx.pinned(value);
        if value.is_heap() {
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { &mut *self.roots.get() }.push(value);
            ctx.write_barrier(code.cell.get(), value);
        }
    }

    pub(crate) fn trace(&self, mark: impl FnMut(Value)) {
        // SAFETY: the collector runs while nobody changes the list.
        unsafe { &*self.roots.get() }.iter().copied().for_each(mark);
    }
}

/// The slots of code that is being linked: the places, and their counters. `Loop` instructions have the numbers of
/// theirs.
pub(crate) fn slots(ctx: &Ctx, insns: &[Insn], opt_table: &[u32]) -> (Box<[u32]>, Slot, Box<[Slot]>) {
    // Where nothing is ever compiled no place is ever hot.
    let (calls, turns) = ctx.vm().compiler.map_or((0, 0), |compiler| (compiler.calls, compiler.turns));
    let mut places = vec![0u32];
    let mut counts = vec![];
    for at in opt_table.iter().filter(|at| **at != 0) {
        places.push(*at);
        counts.push(calls);
    }
    for (pc, insn) in insns.iter().enumerate().filter(|(_, insn)| insn.op == Op::Loop) {
        if insn.a as usize == places.len() {
            places.push((pc as i64 + 1 + insn.bc() as i64) as u32);
            counts.push(turns);
        }
    }
    let slot = |count: u32| Slot(Cell::new((count as usize).min(COUNT_END - 1)));
    (places.into(), slot(calls), counts.into_iter().map(slot).collect())
}

impl Ctx {
    /// The compiled code of a slot, once there is some; the running frame stands there.
    #[inline(always)]
    pub(crate) fn compiled_entry(&mut self, code: *const CodeData, slot: usize, frame: *mut Frame) -> Option<Entry> {
        // SAFETY: the running frame's code is live, and the number is one of its slots.
        let word = unsafe { &*code }.slot(slot).0.get();
        if word == 0 {
            return None;
        }
        self.compiled_entry_counted(code, slot, frame, word)
    }

    #[inline]
    fn compiled_entry_counted(
        &mut self,
        code: *const CodeData,
        slot: usize,
        frame: *mut Frame,
        word: usize,
    ) -> Option<Entry> {
        let mut word = word;
        if word < COUNT_END {
            // SAFETY: as in `compiled_entry`.
            unsafe { &*code }.slot(slot).0.set(word - 1);
            if word > 1 {
                return None;
            }
            word = self.compile_slot(code, slot, frame);
            if word == 0 {
                return None;
            }
        }
        if self.native_stack_low() || self.vm().redefined.get() & ASSUMED != 0 {
            return None;
        }
        // SAFETY: the compiler has put the address of an `Entry` there.
        Some(unsafe { std::mem::transmute::<usize, Entry>(word) })
    }

    #[cold]
    #[inline(never)]
    fn compile_slot(&mut self, code: *const CodeData, slot: usize, frame: *mut Frame) -> usize {
        let Some(compiler) = self.vm().compiler else { return 0 };
        if self.vm().redefined.get() & ASSUMED != 0 || self.vm().traced.get() != 0 {
            return 0;
        }
        // SAFETY: the running frame keeps its code alive.
        let code = unsafe { &*code };
        let here = 0u8;
        if (&raw const here as usize).saturating_sub(self.native_limit) < COMPILER_STACK {
            // In a deep recursion: later.
            code.slot(slot).count_down(LATER);
            return 0;
        }
        if compiler.races && !self.looks_for_races() {
            code.slot(slot).count_down(1);
            return 0;
        }
        let address = (compiler.compile)(self, code, slot, frame);
        code.slot(slot).0.set(address);
        if address < COUNT_END { 0 } else { address }
    }

    /// The compiled code for the place where the topmost frame stands, which has just been pushed.
    #[inline]
    pub(crate) fn compiled_start(&mut self, frame: *mut Frame) -> Option<Entry> {
        // SAFETY: the topmost frame is live and runs code, in which its pc lies.
        let (code, slot) = unsafe {
            let code = (*frame).code;
            let data = &*code;
            let at = (*frame).pc.offset_from(data.insns.as_ptr()) as u32;
            (code, if at == 0 { 0 } else { data.places.iter().position(|place| *place == at)? })
        };
        self.compiled_entry(code, slot, frame)
    }

    /// Runs compiled code on the topmost frame.
    #[inline]
    pub(crate) fn enter_compiled(&mut self, entry: Entry, frame: *mut Frame) -> Entered {
        // SAFETY: the code was made for the place where the frame stands.
        let word = unsafe { entry(self, frame, (*frame).base) };
        if word == EXIT {
            self.resume_panic();
            return if matches!(self.pending, Pending::None) { Entered::Left } else { Entered::Failed };
        }
        // SAFETY: the word of a value. The frame was popped, and nothing was pushed since.
        let (value, flags) = unsafe { (Value::from_bits(word), (*frame).flags) };
        if flags & SPECIAL == 0 {
            // SAFETY: as above; the caller's frame runs code and lies below.
            unsafe { *(*frame.sub(1)).base.add((*frame).dst as usize) = value };
            return Entered::Returned;
        }
        self.frame = frame;
        match self.return_special(value) {
            Some(value) => Entered::Finished(value),
            None => Entered::Returned,
        }
    }

    /// Runs the frame that was just pushed if there is compiled code for the place where it stands. None: the
    /// interpreter is to go on in the topmost frame.
    pub(crate) fn run_compiled(&mut self) -> Option<Value> {
        let frame = self.frame;
        if self.vm().traced.get() != 0 {
            return None;
        }
        // SAFETY: the topmost frame is live and runs code, whose places its pc is one of or not.
        unsafe {
            let entry = self.compiled_start(frame)?;
            let value = entry(self, frame, (*frame).base);
            if value == EXIT {
                return None;
            }
            Some(self.returned(frame, Value::from_bits(value)))
        }
    }

    /// What the caller gets of a frame that compiled code has popped.
    #[inline]
    pub(crate) fn returned(&mut self, frame: *mut Frame, value: Value) -> Value {
        // SAFETY: nothing was pushed since the frame was popped.
        let flags = unsafe { (*frame).flags };
        if flags & (frame_flags::NEW | frame_flags::TO_STR) == 0 {
            return value;
        }
        // SAFETY: as above: its registers are as they were.
        let receiver = unsafe { *(*frame).base };
        if flags & frame_flags::NEW != 0 {
            receiver
        } else if value.has_tag(Tag::String) {
            value
        } else {
            self.default_string(receiver)
        }
    }

    /// Puts what was compiled beside the lock where it can run.
    #[cold]
    pub fn install_compiled(&mut self) {
        if let Some(compiler) = self.vm().compiler {
            (compiler.install)(self);
        }
    }

    /// After an EXIT: what unwound out of native code goes on.
    #[inline]
    pub(crate) fn resume_panic(&mut self) {
        if let Some(payload) = self.panic.take() {
            std::panic::resume_unwind(payload);
        }
    }
}
