//! Frames for profilers: what a thread runs, without allocating, also from the handler of a signal that has interrupted
//! it anywhere.
//!
//! A frame is told of by the method entry of the `def` that it runs, be it in a block, or by its code if it is in none
//! (a file, a class body). Either stays the same for all activations, and whoever keeps one must mark it.
//!
//! A handler may come while a frame is being made or left. What lies further out has made a call and is whole; the
//! innermost two frames are looked at with care: the kernel reads what they point at, and only what proves to be a cell
//! of the expected layout is followed.

use crate::code::CodeData;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::glimpse::word;
use crate::method::{Method, MethodBody};
use crate::object::Proc;
use crate::object::env::Env;
use rubellite_bytecode::{ISeqKind, Place};
use rubellite_value::{Header, Tag, Value};
use std::mem::offset_of;

/// How many of the innermost frames may be half made.
const IN_DOUBT: usize = 2;

/// How far native code goes below the address where recursion is refused.
const BELOW_LIMIT: usize = 1 << 20;

/// One frame.
#[derive(Clone, Copy)]
enum Seen {
    /// A method without Ruby code that programs see.
    Native(Value),
    Ruby(Value, i32),
    /// A method of the runtime in Ruby, which looks like a native one. What it calls does not show.
    Internal(Value),
    /// Other code of the runtime.
    Hidden,
    /// It is being made or left.
    Torn,
}

/// Whether a cell with that tag lies at the address, which may be anything.
fn is_cell(value: Value, tag: Tag) -> bool {
    if !value.is_heap() || !(value.bits() as usize).is_multiple_of(align_of::<Header>()) {
        return false;
    }
    word(value.bits() as usize).is_some_and(|first| Header::is_of(first as u64, tag))
}

/// Whether linked code lies at the address, which may be anything: its cell and it name each other.
fn is_code(code: *const CodeData) -> bool {
    let Some(cell) = word(code as usize + offset_of!(CodeData, cell)) else { return false };
    // SAFETY: bits that are looked at before they are followed.
    let cell = unsafe { Value::from_bits(cell as u64) };
    is_cell(cell, Tag::Code) && word(crate::code::data_word(cell)) == Some(code as usize)
}

fn look(frame: &Frame, careful: bool) -> Seen {
    let method = if frame.method.is_nil() || careful && !is_cell(frame.method, Tag::MethodEntry) {
        None
    } else {
        Some(frame.method)
    };
    if frame.is_native() {
        return method.map_or(Seen::Torn, Seen::Native);
    }
    if frame.code.is_null() || careful && !is_code(frame.code) {
        return Seen::Torn;
    }
    // SAFETY: a frame's code lives as long as the frame.
    let code = unsafe { &*frame.code };
    if code.iseq.script.is_internal() {
        return method.filter(|_| frame.has(frame_flags::METHOD)).map_or(Seen::Hidden, Seen::Internal);
    }
    let at = (frame.pc as usize).wrapping_sub(code.insns.as_ptr() as usize) / size_of::<rubellite_bytecode::Insn>();
    // A block's method is the one around it, which is asked what it is: it was proved to be a method entry.
    let of_def = method.filter(|method| matches!(Method::known(*method).resolved().body(), MethodBody::Code { .. }));
    let line = if (1..=code.insns.len()).contains(&at) { code.iseq.line_at(at - 1) } else { code.iseq.line };
    Seen::Ruby(of_def.unwrap_or(code.cell.get()), line)
}

/// Whether a collection runs in that context, which may be gone. For handlers of signals too.
pub fn is_collecting(ctx: *const Ctx) -> bool {
    flag(ctx, offset_of!(Ctx, in_gc))
}

/// Whether that collection sweeps. For handlers of signals too.
pub fn is_sweeping(ctx: *const Ctx) -> bool {
    flag(ctx, offset_of!(Ctx, sweeping))
}

fn flag(ctx: *const Ctx, at: usize) -> bool {
    const WORD: usize = size_of::<usize>();
    !ctx.is_null() && word(ctx as usize + at / WORD * WORD).is_some_and(|word| word >> (at % WORD * 8) & 1 == 1)
}

/// Writes the frames of a context into `frames` and their lines (0: none) into `lines`, from the innermost on without
/// the first `skip`. Returns how many.
///
/// # Safety
/// The context is that of the calling native thread, or the lock is held. `interrupted`: this is a signal's handler.
/// `lines` has as many places as `frames`, or none.
pub unsafe fn frames(
    ctx: *const Ctx,
    interrupted: bool,
    skip: usize,
    frames: &mut [Value],
    lines: &mut [i32],
) -> usize {
    let here = 0usize;
    let stack = interrupted.then_some(std::ptr::from_ref(&here) as usize);
    // SAFETY: by contract.
    unsafe { frames_on(ctx, stack, skip, frames, lines) }
}

/// The same for a handler that may have a stack of its own: `interrupted` is an address on the stack of the code that
/// the signal has interrupted.
///
/// # Safety
/// As there.
pub unsafe fn frames_on(
    ctx: *const Ctx,
    interrupted: Option<usize>,
    skip: usize,
    frames: &mut [Value],
    lines: &mut [i32],
) -> usize {
    // SAFETY: by contract. The handler reads single words, which were written as a whole.
    let (top, bounds, base, limit) = unsafe { ((*ctx).frame, (*ctx).stack, (*ctx).native_base, (*ctx).native_limit) };
    let offset = (top as usize).wrapping_sub(bounds.frames as usize);
    let ours = top < bounds.frames_limit && offset.is_multiple_of(size_of::<Frame>());
    // In the middle of a switch to another fiber, or on the stack of another context's thread.
    let elsewhere = |here| !(limit.saturating_sub(BELOW_LIMIT)..=base).contains(&here);
    if top < bounds.frames || !ours || interrupted.is_some_and(elsewhere) {
        return 0;
    }
    let count = offset / size_of::<Frame>() + 1;
    let seen = |depth: usize| {
        // SAFETY: it lies between the first frame and the running one, in mapped memory.
        look(unsafe { &*top.sub(depth) }, interrupted.is_some() && depth < IN_DOUBT)
    };
    let (mut found, mut left_out) = (0, 0);
    let mut next = seen(0);
    for depth in 0..count {
        let this = next;
        next = if depth + 1 < count { seen(depth + 1) } else { Seen::Torn };
        let by_prelude = matches!(next, Seen::Internal(_) | Seen::Hidden);
        let (value, line) = match this {
            Seen::Native(method) | Seen::Internal(method) if !by_prelude => (method, 0),
            Seen::Ruby(value, line) => (value, line),
            _ => continue,
        };
        if left_out < skip {
            left_out += 1;
            continue;
        }
        if found == frames.len() {
            break;
        }
        frames[found] = value;
        if let Some(place) = lines.get_mut(found) {
            *place = line;
        }
        found += 1;
    }
    found
}

/// What a frame that [`frames`] has told of runs.
pub struct Profiled {
    /// The method, unless it is code alone.
    pub method: Option<Method>,
    /// The Ruby code; none of a native method.
    pub code: Option<crate::code::Code>,
}

impl Profiled {
    /// Shows the parts of what the frame is called; allocates nothing.
    pub fn tell_name(&self, ctx: &Ctx, tell: &mut dyn FnMut(&[u8])) {
        if let Some(method) = self.method {
            return tell(ctx.sym_bytes(method.resolved().name()));
        }
        let Some(code) = self.code else { return };
        let iseq = code.iseq();
        if iseq.block_level > 0 {
            tell(b"block in ");
        }
        match iseq.home {
            ISeqKind::Main => tell(b"<main>"),
            ISeqKind::Top => tell(b"<top (required)>"),
            _ => tell(iseq.name.bytes()),
        }
    }

    /// The path of its Ruby code, as backtraces have it.
    pub fn path<'a>(&self) -> Option<&'a str> {
        // SAFETY: the frame that this was read from keeps its code, and the code its script.
        self.code.map(|code| unsafe { &*std::ptr::from_ref(code.iseq().script.path.as_str()) })
    }
}

/// `None`: the value is no frame.
pub fn profiled(value: Value) -> Option<Profiled> {
    if let Some(code) = crate::code::Code::try_of(value) {
        return Some(Profiled { method: None, code: Some(code) });
    }
    let method = Method::try_of(value)?;
    let code = match method.resolved().body() {
        MethodBody::Code { code, .. } => Some(*code),
        MethodBody::Proc(proc) => proc_code(*proc),
        _ => None,
    };
    // Methods of the runtime in Ruby look like native ones.
    Some(Profiled { method: Some(method), code: code.filter(|code| !code.iseq().script.is_internal()) })
}

fn proc_code(proc: Proc) -> Option<crate::code::Code> {
    match proc.body() {
        crate::object::proc::ProcBody::Code(code) => Some(*code),
        _ => None,
    }
}

/// A level of the call stack, for debuggers.
pub struct Inspected {
    pub self_value: Value,
    /// The owner of the method that runs, or nil.
    pub class: Value,
    /// How many frames there are up to it.
    pub depth: usize,
}

impl Ctx {
    /// The levels of the call stack, with their positions.
    pub fn inspected(&self) -> (crate::object::exception::Positions, Vec<Inspected>) {
        let (positions, frames) = self.positions_with_frames();
        let inspect = |frame: *mut Frame| {
            // SAFETY: one of the living frames.
            let f = unsafe { &*frame };
            let class = f.method().map_or(Value::NIL, |method| method.owner().value());
            let depth = (frame as usize - self.stack.frames as usize) / size_of::<Frame>() + 1;
            Inspected { self_value: f.self_value(), class, depth }
        };
        let levels = frames.into_iter().map(inspect).collect();
        (positions, levels)
    }

    /// The local variables of all levels of a living thread's stack (`thread_positions`), which rests while the lock is
    /// held here: the number of the level, the name, the value. `None`: it lies in a register of the processor, as
    /// compiled code has it.
    pub fn each_thread_variable(
        &self,
        thread: &crate::thread::ThreadState,
        mut tell: impl FnMut(usize, &[u8], Option<Value>),
    ) {
        let Some(ctx) = thread.ctx_ptr() else { return };
        // SAFETY: as in `frames_of_thread`.
        let (_, frames) = unsafe { ctx.as_ref() }.positions_with_frames();
        for (level, frame) in frames.into_iter().enumerate() {
            // SAFETY: one of the living frames of that thread.
            let frame = unsafe { &*frame };
            let Some(code) = frame.code().filter(|_| !frame.is_native() && !self.is_internal(frame)) else { continue };
            // An environment is there once the prologue has made it.
            let env = Env::try_of(frame.env).filter(|env| env.owner() == code.value());
            for local in &code.iseq().locals {
                let value = match local.place {
                    Place::Reg(_) if code.data().is_compiled() => None,
                    // SAFETY: registers of a living frame lie in its window, and hold values.
                    Place::Reg(register) => Some(unsafe { *frame.base.add(register as usize) }),
                    Place::Env(slot) => Some(env.map_or(Value::NIL, |env| env.get(slot as usize))),
                };
                if value != Some(Value::UNDEF) {
                    tell(level, local.name.bytes(), value);
                }
            }
        }
    }

    /// How many frames there are.
    pub fn frame_depth(&self) -> usize {
        (self.frame as usize + size_of::<Frame>()).saturating_sub(self.stack.frames as usize) / size_of::<Frame>()
    }

    /// A Binding of the level with so many frames; nil for native methods. What no block captures is a copy.
    pub fn binding_at_depth(&mut self, depth: usize) -> Value {
        if depth == 0 || depth > self.frame_depth() {
            return Value::NIL;
        }
        let frame = self.stack.frames.wrapping_add(depth - 1);
        // SAFETY: one of the living frames.
        let f = unsafe { &*frame };
        if f.is_native() || f.code.is_null() || self.is_internal(f) {
            return Value::NIL;
        }
        let binding = self.binding_of_frame(frame);
        self.add_register_locals(binding, frame);
        binding.value()
    }

    /// The code of the level with so many frames; none for native methods.
    pub fn code_at_depth(&self, depth: usize) -> Option<crate::code::Code> {
        if depth == 0 || depth > self.frame_depth() {
            return None;
        }
        // SAFETY: one of the living frames.
        let frame = unsafe { &*self.stack.frames.wrapping_add(depth - 1) };
        if frame.is_native() || self.is_internal(frame) { None } else { frame.code() }
    }

    /// [`frames`] of a living thread while the lock is held here.
    pub fn frames_of_thread(
        &self,
        thread: &crate::thread::ThreadState,
        skip: usize,
        list: &mut [Value],
        lines: &mut [i32],
    ) -> usize {
        // SAFETY: the lock is held, so that the other thread's context lives and rests while its pointer is set.
        thread.ctx_ptr().map_or(0, |ctx| unsafe { frames(ctx.as_ptr(), false, skip, list, lines) })
    }
}
