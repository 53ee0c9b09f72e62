//! From a slot to machine code.

use crate::lower::Lower;
use crate::state::Jit;
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rubellite_vm::Ctx;
use rubellite_vm::code::CodeData;
use rubellite_vm::frame::Frame;

/// Registers of code that is compiled at most.
const REGISTERS_MAX: u32 = 120;

/// The signature of compiled code: context, frame and registers to a word.
pub fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([AbiParam::new(types::I64); 3]);
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// Compiles what begins at a slot, where the running frame stands. 0: it stays interpreted; other small numbers: it is to be asked for
/// again after so many entries.
pub fn compile(ctx: &mut Ctx, code: &CodeData, slot: usize, frame: *mut Frame) -> usize {
    let jit = Jit::of(ctx);
    if jit.full.get() || code.register_count > REGISTERS_MAX {
        jit.refused.set(jit.refused.get() + 1);
        return 0;
    }
    let unit = jit.unit(code, slot);
    // `Unit::count` has asked for those that are compiled again.
    if unit.compiles.get() == 0 && !jit.may_compile(ctx) {
        return wait(ctx, code, slot);
    }
    let before = thread_time();
    unit.compiles.set(unit.compiles.get() + 1);
    unit.news.set(false);
    let made = make(ctx, jit, code, slot, frame);
    let spent = thread_time() - before;
    jit.nanoseconds.set(jit.nanoseconds.get() + spent);
    jit.budget.spend(spent);
    match made {
        Some((address, words, bytes)) => {
            jit.compiled.set(jit.compiled.get() + 1);
            jit.bytes.set(jit.bytes.get() + bytes);
            unit.words.set(words);
            unit.bytes.set(bytes);
            unit.nanoseconds.set(unit.nanoseconds.get() + spent);
            address
        }
        None => {
            jit.refused.set(jit.refused.get() + 1);
            0
        }
    }
}

/// How many entries later what had to wait asks again.
fn wait(ctx: &Ctx, code: &CodeData, slot: usize) -> usize {
    let Some(compiler) = ctx.vm().compiler() else { return 0 };
    let place = code.places[slot];
    let begins = place == 0 || code.iseq.params.opt_table.contains(&place);
    (if begins { compiler.calls } else { compiler.turns }) as usize
}

fn make(ctx: &mut Ctx, jit: &'static Jit, code: &CodeData, slot: usize, frame: *mut Frame) -> Option<(usize, usize, usize)> {
    let isa = jit.isa()?;
    let limit = ctx.vm().compiler()?.memory;
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature());
    let mut frontend = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut function, &mut frontend);
    let mut lower = Lower::new(builder, ctx, jit, code, slot, frame);
    lower.all();
    let (words, roots) = lower.finish(isa.frontend_config());
    let mut context = Context::for_function(function);
    let compiled = match context.compile(&*isa, &mut ControlPlane::default()) {
        Ok(compiled) => compiled,
        Err(error) => {
            debug_assert!(false, "{:?}", error.inner);
            return None;
        }
    };
    debug_assert!(compiled.buffer.relocs().is_empty());
    let bytes = compiled.code_buffer();
    let address = jit.put(bytes, limit)?;
    roots.into_iter().for_each(|root| code.kept.keep(ctx, code, root));
    Some((address, words, bytes.len()))
}

/// Processor time of the thread, in nanoseconds.
fn thread_time() -> u64 {
    time(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// What a clock of the system says, in nanoseconds.
pub fn time(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
