//! Functions that compiled code calls when it meets what it was not made for. They leave to the interpreter, or do the
//! instruction and let the code go on; they count how often that happens, and note what was seen for the next
//! compilation.

use crate::assume::Assumptions;
use crate::unit::{Exit, Reason};
use rubellite_bytecode::Insn;
use rubellite_value::{Sym, Tag, Value};
use rubellite_vm::Ctx;
use rubellite_vm::frame::Frame;
use rubellite_vm::jit::{self, EXIT, guarded};
use rubellite_vm::object::Object;

/// Leaves compiled code: the frames are made as the interpreter has them, and what the exit teaches is noted.
/// `standing`, `envs`: of frames that the code did without, how many stand and what environments they have. EXIT.
///
/// # Safety
/// The context is the running thread's, the exit one of code that runs on the frame; all live registers have been
/// written, Floats as machine numbers.
pub unsafe extern "C" fn leave(
    ctx: *mut Ctx,
    frame: *mut Frame,
    exit: *const Exit,
    standing: usize,
    envs: *const Value,
) -> u64 {
    // SAFETY: by contract; units live as long as the VM.
    unsafe {
        let exit = &*exit;
        jit::leave_to(ctx, frame, &exit.left(), standing, envs);
        note_exit(ctx, exit, frame);
    }
    EXIT
}

/// Counts an exit and learns from it. `frame` is the unit's.
///
/// # Safety
/// As for `leave`.
pub unsafe extern "C" fn note_exit(ctx: *mut Ctx, exit: *const Exit, frame: *mut Frame) {
    // SAFETY: by contract.
    let (ctx, exit, unit) = unsafe { (&mut *ctx, &*exit, &*(*exit).unit) };
    if matches!(exit.reason, Reason::Poll | Reason::Begin) {
        unit.look_at_ticks(ctx, exit.assumptions);
    }
    match exit.reason {
        Reason::Poll | Reason::Memory => return,
        // Interrupts, and stacks that are full, teach nothing.
        Reason::Begin if exit.assumptions.are_fresh() || exit.assumptions.hold(ctx) => return,
        // It was to be left.
        Reason::Begin | Reason::Changed if exit.assumptions.are_doubted() => return,
        _ => {}
    }
    exit.count.set(exit.count.get() + 1);
    if let Some(register) = exit.register {
        unit.note_varied(register as usize);
    }
    // SAFETY: the frame is live and runs code.
    unit.learn(ctx, exit, unsafe { jit::registers(frame) }.as_ptr());
    unit.count(ctx, exit.assumptions);
}

/// Something was defined since the code has begun: whether what it stands on holds still.
///
/// # Safety
/// As for `leave`.
pub unsafe extern "C" fn still_holds(ctx: *mut Ctx, assumptions: *const Assumptions) -> u64 {
    // SAFETY: by contract.
    unsafe { (*assumptions).hold(&mut *ctx) as u64 }
}

/// `jit::step` in code that goes on standing on its assumptions. If they hold no more EXIT, with the result in its
/// place: the interpreter goes on behind the instruction. `result` is null if the instruction has none.
///
/// # Safety
/// As for `jit::step`.
pub unsafe extern "C" fn step_aside(
    ctx: *mut Ctx,
    frame: *mut Frame,
    insn: *const Insn,
    assumptions: *const Assumptions,
    result: *mut Value,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let word = jit::step(ctx, frame, insn);
        let (ctx, assumptions) = (&mut *ctx, &*assumptions);
        if word == EXIT || assumptions.are_fresh() || assumptions.hold(ctx) {
            return word;
        }
        if !result.is_null() {
            *result = Value::from_bits(word);
        }
        EXIT
    }
}

/// `jit::step` of a call whose receiver is of none of the classes that it was compiled for.
///
/// # Safety
/// As for `jit::step`; the exit is one of code that runs.
pub unsafe extern "C" fn step_new_class(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn, exit: *const Exit) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let exit = &*exit;
        exit.count.set(exit.count.get() + 1);
        let receiver = jit::receiver(frame, insn);
        (*exit.unit).note_class(&*ctx, exit, receiver);
        (*exit.unit).count_news(&*ctx, exit.assumptions);
        jit::step(ctx, frame, insn)
    }
}

/// `jit::step` of a `super` in a method of an object for whose class it was not compiled.
///
/// # Safety
/// As for `step_new_class`.
pub unsafe extern "C" fn step_new_super(
    ctx: *mut Ctx,
    frame: *mut Frame,
    insn: *const Insn,
    exit: *const Exit,
    object: u64,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let exit = &*exit;
        exit.count.set(exit.count.get() + 1);
        (*exit.unit).note_class(&*ctx, exit, Value::from_bits(object));
        (*exit.unit).count_news(&*ctx, exit.assumptions);
        jit::step(ctx, frame, insn)
    }
}

/// Sets the variable in a slot of a plain object outside its cell; the object has another shape then.
///
/// # Safety
/// The word is that of a plain object; the context is the running thread's.
pub unsafe extern "C" fn write_slot(ctx: *mut Ctx, object: u64, slot: usize, value: u64, shape: u32) {
    // SAFETY: by contract.
    let (ctx, object, value) = unsafe { (&*ctx, Value::from_bits(object), Value::from_bits(value)) };
    if let Some(object) = Object::try_of(object) {
        object.set_slot(ctx, slot, value);
        object.header().set_shape(shape);
    }
}

/// An instance variable that the code has no place for: an object of another shape or kind, or one that has it
/// elsewhere. EXIT: the interpreter decides.
///
/// # Safety
/// As for `leave`.
pub unsafe extern "C" fn read_variable(ctx: *mut Ctx, exit: *const Exit, object: u64, name: u32) -> u64 {
    // SAFETY: by contract.
    let (ctx, exit, object) = unsafe { (&mut *ctx, &*exit, Value::from_bits(object)) };
    note_shape(ctx, exit, object, false);
    let word = guarded(ctx, |ctx| ctx.ivar_read(object, Sym(name)));
    if word == EXIT {
        ctx.clear_pending();
    }
    if word == Value::UNDEF.bits() { Value::NIL.bits() } else { word }
}

/// Sets an instance variable that the code has no place for. EXIT: as for `read_variable`.
///
/// # Safety
/// As for `leave`.
pub unsafe extern "C" fn write_variable(ctx: *mut Ctx, exit: *const Exit, object: u64, name: u32, value: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, exit, object, value) = unsafe { (&mut *ctx, &*exit, Value::from_bits(object), Value::from_bits(value)) };
    // Strings may have to say something first.
    let may = object.header().is_some_and(|header| header.tag() != Tag::String && !header.frozen());
    if !may {
        return EXIT;
    }
    note_shape(ctx, exit, object, true);
    let word = guarded(ctx, |ctx| {
        ctx.check_ivar_write(object)?;
        ctx.ivar_set(object, Sym(name), value);
        Ok(value)
    });
    if word == EXIT {
        ctx.clear_pending();
    }
    word
}

/// Notes the shape of an object that the code was not made for.
fn note_shape(ctx: &Ctx, exit: &Exit, object: Value, write: bool) {
    // SAFETY: units live as long as the VM.
    let unit = unsafe { &*exit.unit };
    if let Some(header) = object.header().filter(|header| header.tag() == Tag::Object && !(write && header.frozen())) {
        exit.count.set(exit.count.get() + 1);
        unit.note_shape(exit, (header.shape(), header.aux()));
        unit.count_news(ctx, exit.assumptions);
    }
}
