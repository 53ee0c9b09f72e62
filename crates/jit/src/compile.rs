//! Compiling one unit from end to end: whether it is the moment, lowering the bytecode, having the machine code
//! generated here or by the native thread, and putting it where it runs. `compile` is what the VM calls when a slot is
//! hot.

use crate::beside::{Job, Made, Outcome, generate};
use crate::budget::thread_time;
use crate::lower::Lower;
use crate::state::Jit;
use crate::unit::Unit;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rubellite_vm::Ctx;
use rubellite_vm::code::CodeData;
use rubellite_vm::complain;
use rubellite_vm::frame::Frame;
use rubellite_vm::jit::Slot;

/// Registers of code that is compiled at most.
const REGISTERS_MAX: u32 = 120;

/// The signature of compiled code: context, frame and registers to a word.
pub fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([AbiParam::new(types::I64); 3]);
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// Compiles what begins at a slot, where the running frame stands. 0: it stays interpreted; other small numbers: it is
/// to be asked for again after so many entries.
pub fn compile(ctx: &mut Ctx, code: &CodeData, slot: usize, frame: *mut Frame) -> usize {
    install(ctx);
    let word = compile_slot(ctx, code, slot, frame);
    Jit::of(ctx).unit(code, slot).publish(if word < Slot::FIRST_ADDRESS { 0 } else { word });
    word
}

fn compile_slot(ctx: &mut Ctx, code: &CodeData, slot: usize, frame: *mut Frame) -> usize {
    let jit = Jit::of(ctx);
    if jit.full.get() || code.register_count > REGISTERS_MAX {
        jit.refused.set(jit.refused.get() + 1);
        return 0;
    }
    let unit = jit.unit(code, slot);
    if unit.queued.get() {
        return meanwhile(ctx, unit);
    }
    if unit.address.get() != 0 && !unit.again.get() {
        // It became ready just now.
        return unit.address.get();
    }
    let (threshold, some) = (ctx.vm().compiler().map_or(1, |compiler| compiler.calls), wait(ctx, code, slot) / 4);
    if let Some(some) = unit.heat.ask(threshold, some as u32) {
        return some as usize;
    }
    // `Unit::count` has asked for those that are compiled again.
    if !unit.again.get() && !jit.may_compile(ctx, unit) {
        return (wait(ctx, code, slot) / SOON).max(1);
    }
    let Some(isa) = jit.isa() else { return 0 };
    let before = thread_time();
    unit.begin();
    let mut job = lower(ctx, jit, &isa, code, slot, frame);
    if let Some(made) = make_soon(unit, &mut job, &isa) {
        finish(ctx, jit, &Made { nanoseconds: thread_time() - before, ..made });
        return unit.address.get();
    }
    jit.spend(unit, thread_time() - before);
    if ctx.vm().compiler().is_some_and(|compiler| compiler.beside) {
        match jit.beside.order(&isa, unit, code.cell.get(), job, ctx.thread().lock_thread.clone()) {
            Ok(()) => {
                unit.queued.set(true);
                return meanwhile(ctx, unit);
            }
            Err(back) => job = back,
        }
    }
    let before = thread_time();
    let words = job.words;
    let outcome = generate(&isa, job);
    finish(ctx, jit, &Made { unit, words, outcome, nanoseconds: thread_time() - before });
    unit.address.get()
}

/// The machine code of plain units, which takes so little time that it is made at once.
fn make_soon(unit: &'static Unit, job: &mut Job, isa: &OwnedTargetIsa) -> Option<Made<&'static Unit>> {
    if !unit.heat.is_plain() {
        return None;
    }
    debug_assert!(cranelift_codegen::verify_function(&job.function, isa.flags()).is_ok());
    let bytes = crate::quick::generate(&mut job.function)?;
    if let Some(name) = &job.asm {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        complain!("; {name}, quickly\n{}\n{hex}", job.function.display());
    }
    Some(Made { unit, words: job.words, outcome: Outcome::Bytes(bytes), nanoseconds: 0 })
}

/// What runs until a unit's code is ready: its former code, or the interpreter for some thousand entries, so that it is
/// asked for again even if the native thread is lost in a fork.
fn meanwhile(ctx: &Ctx, unit: &Unit) -> usize {
    match unit.address.get() {
        0 => ctx.vm().compiler().map_or(0, |compiler| compiler.calls.max(ASK_AGAIN) as usize),
        former => former,
    }
}

/// Entries after which what is being compiled is asked for again.
const ASK_AGAIN: u32 = 5_000;

/// What had to wait asks again after one of so many parts of the entries that made it hot. Where a server runs hundreds
/// of methods once in each request, all of them become hot in the same one.
const SOON: usize = 16;

/// Entries after which a slot's place is hot.
fn wait(ctx: &Ctx, code: &CodeData, slot: usize) -> usize {
    let Some(compiler) = ctx.vm().compiler() else { return 0 };
    let place = code.places[slot];
    let begins = place == 0 || code.iseq.params.opt_table.contains(&place);
    (if begins { compiler.calls } else { compiler.turns }) as usize
}

/// Bytecode to Cranelift's intermediate form. The code keeps from now on what it refers to.
fn lower(
    ctx: &mut Ctx,
    jit: &'static Jit,
    isa: &OwnedTargetIsa,
    code: &CodeData,
    slot: usize,
    frame: *mut Frame,
) -> Job {
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature());
    let mut frontend = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut function, &mut frontend);
    let mut lower = Lower::new(builder, ctx, jit, code, slot, frame);
    lower.all();
    let (words, roots) = lower.finish(isa.frontend_config());
    roots.into_iter().for_each(|root| code.kept.keep(ctx, code, root));
    let asm = ctx.vm().compiler().filter(|compiler| compiler.asm).map(|_| jit.unit(code, slot).name.clone());
    Job { function: Box::new(function), words, asm }
}

/// Puts what was compiled beside the lock where it can run.
pub fn install(ctx: &mut Ctx) {
    let jit = Jit::of(ctx);
    for made in jit.beside.take() {
        made.unit.queued.set(false);
        if matches!(made.outcome, Outcome::Lost) {
            // It is asked for again.
            continue;
        }
        finish(ctx, jit, &made);
        // SAFETY: code is kept while it is pending, and the lock was held from there on.
        let slot = unsafe { &*made.unit.code }.slot(made.unit.slot);
        match made.unit.address.get() {
            0 => slot.count_down(0),
            _ if made.unit.retired.get() => continue,
            address => {
                // SAFETY: the bytes are code for this slot.
                unsafe { slot.enter(address) };
                made.unit.succeed();
            }
        }
        made.unit.publish(made.unit.address.get());
    }
}

/// Puts bytes where they run, and counts what they took.
fn finish(ctx: &Ctx, jit: &Jit, made: &Made<&'static Unit>) {
    let unit = made.unit;
    jit.spend(unit, made.nanoseconds);
    let limit = ctx.vm().compiler().map_or(0, |compiler| compiler.memory);
    let put = match &made.outcome {
        Outcome::Bytes(bytes) => jit.put(bytes, limit).map(|address| (bytes.len(), address)),
        Outcome::Refused | Outcome::Lost => None,
    };
    let Some((length, address)) = put else {
        jit.refused.set(jit.refused.get() + 1);
        unit.address.set(0);
        return;
    };
    jit.compiled.set(jit.compiled.get() + 1);
    jit.bytes.set(jit.bytes.get() + length);
    unit.words.set(made.words);
    unit.bytes.set(length);
    unit.address.set(address);
}
