//! Functions of the VM that compiled code calls for what it does not do itself.
//!
//! A panic of native code ends here, since compiled code has no tables for unwinding: it is kept in `Ctx::panic`, the
//! function returns EXIT, and the panic goes on where the interpreter takes over.

use super::{EXIT, Entry};
use crate::call::Invoked;
use crate::class::Class;
use crate::code::CodeData;
use crate::code::case::Case;
use crate::ctx::Ctx;
use crate::frame::{Frame, as_frame_block, frame_block, frame_flags};
use crate::method::{Method, MethodBody};
use crate::object::proc::{Captured, ProcBody};
use crate::object::{Array, Env, Hash, Proc};
use crate::{Result, Unwind};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Header, Tag, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The value's word, or EXIT with something pending.
#[inline(always)]
pub fn guarded(ctx: &mut Ctx, work: impl FnOnce(&mut Ctx) -> Result) -> u64 {
    match catch_unwind(AssertUnwindSafe(|| work(ctx))) {
        Ok(Ok(value)) => value.bits(),
        Ok(Err(Unwind)) => EXIT,
        Err(payload) => {
            ctx.panic = Some(payload);
            EXIT
        }
    }
}

/// Runs one instruction of `frame`, which is the topmost, and the frame that it pushes. EXIT: something is pending, or
/// the interpreter below is to go on.
///
/// # Safety
/// Operands and all that is live behind the instruction have been written to the frame, whose pc is behind the
/// instruction.
pub unsafe extern "C" fn step(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn) -> u64 {
    // SAFETY: by contract.
    let (ctx, insn) = unsafe { (&mut *ctx, &*insn) };
    ctx.frame = frame;
    let mut pushed = false;
    let word = guarded(ctx, |ctx| {
        Ok(match ctx.step(frame, insn)? {
            Invoked::Value(value) => value,
            Invoked::Frame => {
                pushed = true;
                Value::NIL
            }
        })
    });
    if !pushed {
        return word;
    }
    // SAFETY: what was pushed lies above the running frame.
    let callee = unsafe { frame.add(1) };
    ctx.run_compiled().or_else(|| ctx.run_above(callee)).map_or(EXIT, Value::bits)
}

/// `step` of a `yield` without splats, keywords and block argument.
///
/// # Safety
/// As for `step`.
pub unsafe extern "C" fn step_yield(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let outcome = {
            let ctx = &mut *ctx;
            ctx.frame = frame;
            let handler = (*frame).block;
            if let Some(home) = as_frame_block(handler) {
                let (code, captured) = ctx.captured_by_frame(home);
                enter_block(ctx, frame, &*insn, code, &captured, false)
            } else {
                enter_proc(ctx, frame, &*insn, handler)
            }
        };
        outcome.unwrap_or_else(|| step(ctx, frame, insn))
    }
}

/// `step` of `Proc#call` without splats, keywords and blocks.
///
/// # Safety
/// As for `step`; the receiver's class is Proc.
pub unsafe extern "C" fn step_proc_call(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn) -> u64 {
    // SAFETY: by contract; the window begins with the receiver.
    unsafe {
        let outcome = {
            (*ctx).frame = frame;
            let receiver = *(*frame).base.add((*insn).b as usize);
            enter_proc(&mut *ctx, frame, &*insn, receiver)
        };
        outcome.unwrap_or_else(|| step(ctx, frame, insn))
    }
}

/// Enters the compiled code of a Proc of Ruby code. None: nothing was done.
///
/// # Safety
/// As for `step`.
#[inline]
unsafe fn enter_proc(ctx: &mut Ctx, frame: *mut Frame, insn: &Insn, value: Value) -> Option<u64> {
    let proc = Proc::try_of(value)?;
    let ProcBody::Code(code) = proc.body() else { return None };
    // SAFETY: by contract.
    unsafe { enter_block(ctx, frame, insn, code.data_ptr(), &proc.captured(), proc.is_lambda()) }
}

/// Makes as many arguments in a window as a block requires of those that it is given; whether that was done.
///
/// # Safety
/// The window has room for the code's registers.
#[inline]
unsafe fn fit_arguments(ctx: &Ctx, window: *mut Value, code: &CodeData, argc: usize, lambda: bool) -> bool {
    let required = code.required as usize;
    if code.iseq.params.packed {
        if argc == 1 {
            // SAFETY: by contract.
            unsafe { *window.add(2) = Value::NIL };
        }
        return argc == 1;
    }
    if lambda {
        return argc == required;
    }
    // SAFETY: by contract.
    unsafe {
        if argc == 1 && (required > 1 || code.iseq.params.excess_comma) {
            let Some(list) = Array::try_of(*window.add(1)) else { return false };
            for i in 0..required {
                *window.add(1 + i) = list.slice(ctx).get(i).copied().unwrap_or(Value::NIL);
            }
            return true;
        }
        (argc..required).for_each(|i| *window.add(1 + i) = Value::NIL);
    }
    true
}

/// Enters the compiled code of a block with required parameters alone, or of one that takes what it is given packed.
/// None: nothing was done.
///
/// # Safety
/// As for `step`; the code is live.
#[inline]
unsafe fn enter_block(
    ctx: &mut Ctx,
    frame: *mut Frame,
    insn: &Insn,
    code: *const CodeData,
    captured: &Captured,
    lambda: bool,
) -> Option<u64> {
    // SAFETY: by contract; the instruction's site is one of its code, and its window lies within the frame's registers.
    let (code, argc, window) =
        unsafe { (&*code, (&(*(*frame).code).sites)[insn.c as usize].argc, (*frame).base.add(insn.b as usize)) };
    let takes = code.simple || code.iseq.params.packed;
    if !takes || !code.start.is_compiled() || ctx.vm().traced.get() != 0 || !ctx.has_room(window, code) {
        return None;
    }
    let entry = ctx.compiled_entry(code, 0, frame)?;
    // SAFETY: as above; there is room for the registers.
    if !unsafe { fit_arguments(ctx, window, code, argc as usize, lambda) } {
        return None;
    }
    // SAFETY: there is room for the frame and its registers. Compiled code sets locals to nil by itself.
    unsafe {
        *window = captured.self_value;
        let flags = frame_flags::BLOCK | if lambda { frame_flags::LAMBDA } else { 0 };
        let new = ctx.push_frame(
            window,
            code,
            0,
            captured.method,
            captured.pos,
            captured.cref,
            captured.block,
            insn.a,
            flags,
        );
        (*new).home = captured.home;
        (*new).home_id = captured.home_id;
        (*new).returns = captured.returns;
        (*new).returns_id = captured.returns_id;
        Some(run_entered(ctx, frame, new, code, entry, captured.env))
    }
}

/// Runs the compiled code of a frame that was just pushed above `frame`, and finishes it if it was left. The
/// environment of the code lies below `parent`.
///
/// # Safety
/// The entry is that of the frame's code; arguments and room for its registers are there.
#[inline]
pub(super) unsafe fn run_entered(
    ctx: &mut Ctx,
    frame: *mut Frame,
    new: *mut Frame,
    code: &CodeData,
    entry: Entry,
    parent: Value,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        (*new).env = parent;
        if code.env_size > 0 {
            let env = new_env(ctx, code, parent.bits());
            if env == EXIT {
                ctx.frame = frame;
                return EXIT;
            }
            (*new).env = Value::from_bits(env);
        }
        let word = entry(ctx, new, (*new).base);
        if word == EXIT { finish(ctx, new) } else { word }
    }
}

/// After EXIT of compiled code that was called: the interpreter finishes it. EXIT: it is to be left as well.
///
/// # Safety
/// `callee` is the frame that was entered; it and those above it stand.
pub unsafe extern "C" fn finish(ctx: *mut Ctx, callee: *mut Frame) -> u64 {
    // SAFETY: by contract.
    unsafe { (*ctx).run_above(callee).map_or(EXIT, Value::bits) }
}

/// The handler of a block argument that is neither nil nor a handler.
///
/// # Safety
/// As for `step`.
pub unsafe extern "C" fn block_argument(ctx: *mut Ctx, frame: *mut Frame, word: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let ctx = &mut *ctx;
        ctx.frame = frame;
        ctx.sp = (*frame).top();
        guarded(ctx, |ctx| ctx.block_argument(Value::from_bits(word)))
    }
}

/// A Float object for a number that is no immediate.
///
/// # Safety
/// The context is the running thread's.
pub unsafe extern "C" fn box_float(ctx: *mut Ctx, number: f64) -> u64 {
    // SAFETY: by contract.
    let ctx = unsafe { &mut *ctx };
    match guarded(ctx, |ctx| Ok(ctx.float(number))) {
        // Memory was exhausted, which is raised at the next exit; the heap's reserve has room for this object.
        EXIT => {
            ctx.thread.lock_thread.interrupt.set(crate::thread::interrupt_bits::LIMIT);
            guarded(ctx, |ctx| Ok(ctx.float(number)))
        }
        word => word,
    }
}

/// Where an exit leaves to.
#[derive(Copy, Clone)]
pub struct Left {
    /// Registers of the unit's frame in which machine numbers lie.
    pub floats: &'static [u16],
    /// Frames that the code did without.
    pub missing: &'static [Missing],
    /// The instruction with which the interpreter goes on, in the last of the frames.
    pub pc: *const Insn,
}

/// Makes the unit's frame, and those above it that the code did without, as the interpreter would have them.
/// `standing`, `envs`: as for `push_missing`.
///
/// # Safety
/// As for `push_missing`; all live registers have been written, Floats as machine numbers.
pub unsafe fn leave_to(ctx: *mut Ctx, frame: *mut Frame, to: &Left, standing: usize, envs: *const Value) {
    // SAFETY: by contract.
    unsafe {
        for register in to.floats {
            let at = (*frame).base.add(*register as usize);
            let word = box_float(ctx, *at.cast::<f64>());
            *at = Value::from_bits(word);
        }
        if !to.missing.is_empty() {
            push_missing(ctx, frame, to.missing, standing, envs);
        }
        let top = frame.add(to.missing.len());
        (*top).pc = to.pc;
        (*ctx).frame = top;
    }
}

/// The receiver in the window of a call of `frame`.
///
/// # Safety
/// The instruction is a call of the frame's code, the window of which has been written.
pub unsafe fn receiver(frame: *mut Frame, insn: *const Insn) -> Value {
    // SAFETY: by contract.
    unsafe { *(*frame).base.add((*insn).b as usize) }
}

/// The element of a plain Array or Hash, or EXIT: the method decides.
///
/// # Safety
/// The context is the running thread's; the words are values.
pub unsafe extern "C" fn aref(ctx: *mut Ctx, recv: u64, index: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let ctx = &mut *ctx;
        let mut found = None;
        let outcome = guarded(ctx, |ctx| {
            found = ctx.fast_aref(Value::from_bits(recv), Value::from_bits(index));
            Ok(Value::NIL)
        });
        if outcome == EXIT { EXIT } else { found.map_or(EXIT, Value::bits) }
    }
}

/// The same for the key of a String literal, or EXIT: the method decides.
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn aref_literal(ctx: *mut Ctx, recv: u64, index: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        if Hash::try_of(Value::from_bits(recv)).is_some_and(Hash::is_identity) { EXIT } else { aref(ctx, recv, index) }
    }
}

/// Runs what makes an object. EXIT: it failed, and will fail again when the interpreter does it; nothing is pending.
pub(super) fn making(ctx: &mut Ctx, work: impl FnOnce(&mut Ctx) -> Result) -> u64 {
    let word = guarded(ctx, work);
    if word == EXIT {
        ctx.panic = None;
        ctx.clear_pending();
    }
    word
}

/// A new Array of `count` values.
///
/// # Safety
/// The context is the running thread's; the values lie where the collector looks.
pub unsafe extern "C" fn new_array(ctx: *mut Ctx, first: *const Value, count: usize) -> u64 {
    // SAFETY: by contract.
    unsafe { making(&mut *ctx, |ctx| Ok(ctx.array_from(first, count))) }
}

/// A copy of the Array or Hash of a literal.
///
/// # Safety
/// The context is the running thread's; the literal is alive.
pub unsafe extern "C" fn copy_literal(ctx: *mut Ctx, literal: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { making(&mut *ctx, |ctx| Ok(ctx.copy_literal(Value::from_bits(literal)))) }
}

/// Lays out the elements of the Array at `place` there, if it has `count`. 0: nothing was done, the general way
/// decides.
///
/// # Safety
/// `place` is a register of the running frame, behind which there is room for so many.
pub unsafe extern "C" fn spread(ctx: *mut Ctx, place: *mut Value, count: usize) -> u64 {
    // SAFETY: by contract.
    let (ctx, value) = unsafe { (&*ctx, *place) };
    let Some(list) = Array::try_of(value).filter(|list| list.len() == count) else { return 0 };
    let items = list.slice(ctx);
    if items.last().and_then(|last| Hash::try_of(*last)).is_some_and(Hash::is_ruby2_keywords) {
        return 0;
    }
    // SAFETY: by contract; elements of an Array do not lie among registers.
    unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), place, count) };
    1
}

/// Strings and small Integers joined as code in a file does it. EXIT: the interpreter is to do it.
///
/// # Safety
/// As for `new_array`; the code is live.
pub unsafe extern "C" fn interpolate(ctx: *mut Ctx, first: *const Value, count: usize, code: *const CodeData) -> u64 {
    // SAFETY: by contract.
    unsafe { making(&mut *ctx, |ctx| ctx.interpolated(first, count, (&*code).iseq.script.encoding)) }
}

/// The String that a literal of the code gives.
///
/// # Safety
/// The context is the running thread's, the instruction one of the code.
pub unsafe extern "C" fn new_string(ctx: *mut Ctx, code: *const CodeData, insn: *const Insn) -> u64 {
    // SAFETY: by contract.
    unsafe { making(&mut *ctx, |ctx| Ok(ctx.new_string_literal(&*code, *insn))) }
}

/// The result of an operator of numbers, which are no small Integers both, or EXIT: the method decides. `op` is an
/// [`rubellite_bytecode::Op`].
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn arithmetic(ctx: *mut Ctx, op: u64, a: u64, b: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, a, b) = unsafe { (&mut *ctx, Value::from_bits(a), Value::from_bits(b)) };
    let Some((x, y)) = ctx.plain_float(a).zip(ctx.plain_float(b)) else { return EXIT };
    if a.is_fixnum() && b.is_fixnum() {
        return EXIT;
    }
    let number = match op {
        _ if op == Op::Add as u64 || op == Op::AddInt as u64 => x + y,
        _ if op == Op::Sub as u64 || op == Op::SubInt as u64 => x - y,
        _ if op == Op::Mul as u64 => x * y,
        _ if op == Op::Div as u64 => x / y,
        _ => return EXIT,
    };
    guarded(ctx, |ctx| Ok(ctx.float(number)))
}

/// Whether two objects are equal, if that needs no call: true, false, or EXIT.
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn equal(ctx: *const Ctx, a: u64, b: u64) -> u64 {
    // SAFETY: by contract.
    let equal = unsafe { (*ctx).fast_equal(Value::from_bits(a), Value::from_bits(b)) };
    equal.map_or(EXIT, |equal| Value::from_bool(equal).bits())
}

/// Whether a value is an instance of the class, or of one that inherits from it: true or false.
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn is_instance(ctx: *const Ctx, value: u64, class: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { Value::from_bool((*ctx).is_a(Value::from_bits(value), Value::from_bits(class))).bits() }
}

/// The number of the way that a value goes in a run of comparisons; -1: the comparisons decide.
///
/// # Safety
/// The run is alive; the context is the running thread's.
pub unsafe extern "C" fn case_way(ctx: *const Ctx, case: *const Case, value: u64) -> i64 {
    // SAFETY: by contract.
    let way = unsafe { (*case).way(&*ctx, Value::from_bits(value)) };
    way.map_or(-1, |way| way as i64)
}

/// The write barrier for a reference that is stored into an object.
///
/// # Safety
/// The words are those of an object and of what is stored, and the lock is held.
pub unsafe extern "C" fn stored(object: u64, child: u64) {
    // SAFETY: by contract.
    unsafe { rubellite_gc::write_barrier(Value::from_bits(object).as_ptr::<Header>(), Value::from_bits(child)) };
}

/// The same for one of which it is not known what is stored.
///
/// # Safety
/// The word is that of an object, and the lock is held.
pub unsafe extern "C" fn remember(object: u64) {
    // SAFETY: by contract.
    unsafe { rubellite_gc::will_change(Value::from_bits(object).as_ptr::<Header>()) };
}

/// Stores in a plain Array, at its end at most, or in a plain Hash. 0: the method decides.
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn store(ctx: *mut Ctx, recv: u64, index: u64, value: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let (ctx, recv, index, value) =
            (&mut *ctx, Value::from_bits(recv), Value::from_bits(index), Value::from_bits(value));
        let Some(header) = recv.header() else { return 0 };
        if !header.frozen() && header.tag() == Tag::Hash && header.klass.get() == ctx.classes().hash.get() {
            let hash = Hash::known(recv);
            if hash.is_iterating() || !(index.is_fixnum() || index.is_symbol()) {
                return 0;
            }
            return (making(ctx, |ctx| hash.insert(ctx, index, value).map(|_| Value::NIL)) != EXIT) as u64;
        }
        if header.frozen() || header.tag() != Tag::Array || header.klass.get() != ctx.classes().array.get() {
            return 0;
        }
        let list = Array::known(recv);
        match index.as_fixnum() {
            Some(at) if at >= 0 && at as usize <= list.len() => {
                let outcome = guarded(ctx, |ctx| {
                    list.set(ctx, at as usize, value);
                    Ok(Value::NIL)
                });
                (outcome != EXIT) as u64
            }
            _ => 0,
        }
    }
}

/// `<<` of a plain Array or String. 0: the method decides.
///
/// # Safety
/// As for `aref`.
pub unsafe extern "C" fn append(ctx: *mut Ctx, recv: u64, item: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let mut done = false;
        let outcome = guarded(&mut *ctx, |ctx| {
            done = ctx.fast_append(Value::from_bits(recv), Value::from_bits(item));
            Ok(Value::NIL)
        });
        (done && outcome != EXIT) as u64
    }
}

/// Pushes the frame of a method made of a Proc of Ruby code, above `frame`, which is the topmost. `method`: the method.
/// EXIT: something is pending.
///
/// # Safety
/// The window holds receiver and as many arguments as the code requires; there is room for the frame and its registers.
pub unsafe extern "C" fn push_body(
    ctx: *mut Ctx,
    frame: *mut Frame,
    window: *mut Value,
    method: u64,
    pos: u32,
    dst: u32,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let ctx = &mut *ctx;
        ctx.frame = frame;
        let method = Value::from_bits(method);
        let Some((proc, code)) = Method::try_of(method).and_then(|method| body_of(&method)) else { return EXIT };
        let new = push_body_frame(ctx, window, code, proc, method, pos, dst as u16);
        if code.env_size > 0 {
            let env = new_env(ctx, code, (*new).env.bits());
            if env == EXIT {
                ctx.frame = frame;
                return EXIT;
            }
            (*new).env = Value::from_bits(env);
        }
        new as u64
    }
}

/// The Proc, and its code, of which a method was made.
pub fn body_of<'a>(method: &Method) -> Option<(Proc, &'a CodeData)> {
    let MethodBody::Proc(proc) = method.body() else { return None };
    let ProcBody::Code(code) = proc.body() else { return None };
    // SAFETY: the method keeps the Proc, and that its code.
    Some((*proc, unsafe { &*code.data_ptr() }))
}

/// # Safety
/// As for `push_body`.
unsafe fn push_body_frame(
    ctx: &mut Ctx,
    window: *mut Value,
    code: &CodeData,
    proc: Proc,
    method: Value,
    pos: u32,
    dst: u16,
) -> *mut Frame {
    let captured = proc.captured();
    let flags = frame_flags::BLOCK | frame_flags::LAMBDA | frame_flags::BMETHOD;
    let new = ctx.push_frame(window, code, 0, method, pos, captured.cref, captured.block, dst, flags);
    // SAFETY: just pushed.
    unsafe {
        (*new).home = captured.home;
        (*new).home_id = captured.home_id;
        (*new).returns = captured.returns;
        (*new).returns_id = captured.returns_id;
        (*new).env = captured.env;
    }
    new
}

/// Gives a frame its id.
///
/// # Safety
/// The frame is live.
pub unsafe extern "C" fn give_id(ctx: *mut Ctx, frame: *mut Frame) {
    // SAFETY: by contract.
    unsafe { (*ctx).frame_id(frame) };
}

/// A new instance of a class; EXIT: something is pending. `frame` is the topmost.
///
/// # Safety
/// As for `step`; the word is that of a class.
pub unsafe extern "C" fn allocate(ctx: *mut Ctx, frame: *mut Frame, class: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        (*ctx).frame = frame;
        guarded(&mut *ctx, |ctx| ctx.allocate(Class::known(Value::from_bits(class))))
    }
}

/// An environment for code that is entered; EXIT: something is pending.
///
/// # Safety
/// The code is live; the parent is an environment or nil.
pub unsafe extern "C" fn new_env(ctx: *mut Ctx, code: *const CodeData, parent: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let code = &*code;
        guarded(&mut *ctx, |ctx| {
            let env = Env::new(ctx, code.env_size as usize, Value::from_bits(parent));
            Env::known(env).set_owner(ctx, code.cell.get());
            Ok(env)
        })
    }
}

/// A frame that compiled code does without until somebody needs it.
#[derive(Clone, Copy)]
pub struct Missing {
    pub code: *const CodeData,
    /// Where its registers begin, in registers of the frame below all missing ones.
    pub base: usize,
    /// Where the caller stands meanwhile.
    pub caller_pc: *const Insn,
    pub dst: u16,
    pub kind: MissingKind,
}

/// What a missing frame runs.
#[derive(Clone, Copy)]
pub enum MissingKind {
    /// A method, given a literal block unless that is null. `flags`: METHOD, and how it returns.
    Method { method: Value, pos: u32, cref: Value, block: *const CodeData, flags: u16 }, /* tidy: kept by the code
                                                                                          * that was compiled */
    /// A method, given the block of the frame below.
    Passed { method: Value, pos: u32, cref: Value }, // tidy: as above
    /// A method made of a Proc of Ruby code.
    Body { method: Value, pos: u32 }, // tidy: as above
    /// The literal block that the frame below was given.
    Block,
}

/// Pushes frames above `frame`, of which the first ones `standing` stand already; the environment of each lies in
/// `envs`. The last one's pc is set by the caller.
///
/// # Safety
/// There is room for the frames; `list` has `count` of them.
unsafe fn push_missing(ctx: *mut Ctx, frame: *mut Frame, list: &[Missing], standing: usize, envs: *const Value) {
    // SAFETY: by contract.
    unsafe {
        let root = (*frame).base;
        let mut at = frame;
        for (i, missing) in list.iter().enumerate() {
            let env = *envs.add(i);
            if i >= standing {
                push_inlined(ctx, at, root, missing, env);
            }
            (*at).pc = missing.caller_pc;
            at = at.add(1);
            (*at).env = env;
        }
        (*ctx).frame = at;
    }
}

/// Pushes the frame of inlined code above that of its caller; `root`: the registers of the frame below all missing
/// ones. Its pc is set by the caller.
///
/// # Safety
/// There is room for the frame, and `at` is live.
pub unsafe extern "C" fn push_inlined(
    ctx: *mut Ctx,
    at: *mut Frame,
    root: *mut Value,
    missing: *const Missing,
    env: Value,
) {
    // SAFETY: by contract.
    unsafe {
        let (ctx, missing) = (&mut *ctx, &*missing);
        (*at).pc = missing.caller_pc;
        let base = root.add(missing.base);
        ctx.frame = at;
        let code = &*missing.code;
        let new = match &missing.kind {
            MissingKind::Method { method, pos, cref, block, flags } => {
                let handler = if block.is_null() {
                    Value::NIL
                } else {
                    ctx.frame_id(at);
                    (*at).block_code = *block;
                    frame_block(at)
                };
                ctx.push_frame(base, code, 0, *method, *pos, *cref, handler, missing.dst, *flags)
            }
            MissingKind::Passed { method, pos, cref } => {
                ctx.push_frame(base, code, 0, *method, *pos, *cref, (*at).block, missing.dst, frame_flags::METHOD)
            }
            MissingKind::Body { method, pos } => match Method::try_of(*method).and_then(|method| body_of(&method)) {
                Some((proc, _)) => push_body_frame(ctx, base, code, proc, *method, *pos, missing.dst),
                // Methods do not change what they run.
                None => return,
            },
            MissingKind::Block => {
                // The block may have been made an object meanwhile.
                let captured = match as_frame_block((*at).block) {
                    Some(home) => ctx.captured_by_frame(home).1,
                    None => Proc::known((*at).block).captured(),
                };
                let new = ctx.push_frame(
                    base,
                    code,
                    0,
                    captured.method,
                    captured.pos,
                    captured.cref,
                    captured.block,
                    missing.dst,
                    frame_flags::BLOCK,
                );
                (*new).home = captured.home;
                (*new).home_id = captured.home_id;
                (*new).returns = captured.returns;
                (*new).returns_id = captured.returns_id;
                new
            }
        };
        (*new).env = env;
    }
}
