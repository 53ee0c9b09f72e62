//! Ending the process: `exit`, `abort`, `at_exit`, and what happens at the end of the main script.

use rubellite_core_io::io::{device, state, write};
use rubellite_core_object::raise_exit;
use rubellite_core_object::slot::Slot;
use rubellite_vm::object::{Array, Exception, Str};
use rubellite_vm::{Args, Arity, Ctx, Extension, MethodDef, Pending, Result, Value, method};

pub const FUNCTIONS: &[MethodDef] = &[
    method("exit", Arity::range(0, 1), exit),
    method("exit!", Arity::range(0, 1), exit_bang),
    method("abort", Arity::range(0, 1), abort),
    method("at_exit", Arity::NONE, at_exit),
];

/// Blocks of `at_exit`, oldest first.
#[derive(Default)]
pub struct AtExit {
    blocks: Slot,
}

impl Extension for AtExit {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.blocks.get());
    }
}

/// `true`, `false` or a number as an exit status.
fn status_of(ctx: &mut Ctx, value: Option<Value>) -> Result<i32> {
    match value {
        None | Some(Value::TRUE) => Ok(0),
        Some(Value::FALSE) => Ok(1),
        Some(v) => ctx.to_c_int(v),
    }
}

/// `exit(status = true)`
fn exit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let status = status_of(ctx, args.get(0))?;
    let message = Str::utf8(ctx, "exit").value();
    Err(raise_exit(ctx, status, message))
}

/// `exit!(status = false)`: at once, without handlers.
fn exit_bang(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // Without a status it is a failure, unlike `exit`.
    let status = match args.get(0) {
        Some(given) => status_of(ctx, Some(given))?,
        None => 1,
    };
    crate::attach::profile::finish(ctx);
    rubellite_core_lock::finish(ctx);
    // SAFETY: ends the process.
    unsafe { libc::_exit(status) }
}

/// `abort(message = $!'s)`
fn abort(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if let Some(message) = args.get(0) {
        let text = ctx.to_str(message)?;
        let err = stderr(ctx);
        write::io_puts_value(ctx, err, text.value())?;
        return Err(raise_exit(ctx, 1, text.value()));
    }
    let exception = ctx.errinfo();
    let mut message = Str::utf8(ctx, "exit").value();
    if !exception.is_nil() {
        let report = ctx.call_name(exception, "full_message", &[])?;
        let err = stderr(ctx);
        write::write_to(ctx, err, report)?;
        let name = ctx.names().message;
        message = ctx.call(exception, name, &[])?;
    }
    Err(raise_exit(ctx, 1, message))
}

/// The current `$stderr`.
pub fn stderr(ctx: &Ctx) -> Value {
    rubellite_core_io::globals::get_raw(ctx, "$stderr")
}

/// `at_exit { ... } -> proc`
fn at_exit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("called without a block"));
    }
    rubellite_core_ractor::check_main(ctx, "can not call at_exit from non-main Ractors")?;
    let block = ctx.block_to_value(args.block);
    add_handler(ctx, block);
    Ok(block)
}

fn add_handler(ctx: &mut Ctx, block: Value) {
    let list = match Array::try_of(ctx.extension::<AtExit>().blocks.get()) {
        Some(list) => list,
        None => {
            let list = Array::new(ctx);
            ctx.extension::<AtExit>().blocks.set(list.value());
            list
        }
    };
    list.push(ctx, block);
}

/// How the process ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    Status(i32),
    /// By this signal, with its default action.
    Signal(i32),
}

/// Runs the `at_exit` handlers, newest first, ends the other threads, flushes everything. `outcome` is what the main
/// script came to; `report` writes an uncaught exception to `$stderr`: a handler's at once, the script's at the end.
pub fn finish(ctx: &mut Ctx, outcome: Result<()>, report: fn(&mut Ctx, Value)) -> End {
    let last = outcome.err().and_then(|_| uncaught(ctx));
    if rubellite_core_thread::scheduler::finish(ctx).is_err()
        && let Some(exception) = uncaught(ctx).filter(|e| !is_exit(ctx, *e))
    {
        report(ctx, exception);
    }
    if let Some(exception) = last {
        ctx.set_errinfo(exception);
    }
    let (trapped, mut end) = run_handlers(ctx, last, report);
    rubellite_core_thread::terminate_others(ctx);
    rubellite_core_thread::terminate_others(ctx);
    // What the handler of `trap("EXIT")` came to decides, whatever came behind it.
    if trapped.is_some() {
        end = end_of(ctx, trapped);
    }
    for exception in [trapped, last].into_iter().flatten() {
        if !is_exit(ctx, exception) {
            report(ctx, exception);
        }
    }
    if ctx.looks_for_races() {
        ctx.race_observe_ended();
        ctx.race_acquire(rubellite_core_thread::races::FINALIZERS);
    }
    if rubellite_core_object::runtime::run_all_finalizers(ctx).is_err() {
        ctx.clear_pending();
    }
    flush_standard(ctx);
    device::flush_all(ctx);
    crate::attach::profile::finish(ctx);
    rubellite_core_lock::finish(ctx);
    end
}

/// Runs the handler of `trap("EXIT")`, then those of `at_exit`: what the first came to, if it failed, and how the
/// process ends by the others.
fn run_handlers(ctx: &mut Ctx, last: Option<Value>, report: fn(&mut Ctx, Value)) -> (Option<Value>, End) {
    let mut end = end_of(ctx, last);
    let mut trapped = None;
    if let Some(handler) = super::signal::exit_trap(ctx)
        && run_handler(ctx, handler).is_err()
    {
        trapped = uncaught(ctx);
        ctx.set_errinfo(Value::NIL);
    }
    while let Some(block) = Array::try_of(ctx.extension::<AtExit>().blocks.get()).and_then(|list| list.pop(ctx)) {
        if ctx.thread().is_expired() {
            break;
        }
        let known = ctx.errinfo();
        if run_handler(ctx, block).is_err()
            && let Some(exception) = uncaught(ctx)
        {
            if returns_from_script(ctx, exception) {
                tell_stray_return(ctx);
            } else if !is_exit(ctx, exception) {
                report_up_to(ctx, exception, known, report);
            }
            end = end_of(ctx, Some(exception));
            ctx.set_errinfo(exception);
        }
    }
    (trapped, end)
}

fn run_handler(ctx: &mut Ctx, handler: Value) -> Result {
    match Str::try_of(handler) {
        Some(code) => super::signal::evaluate(ctx, code),
        None => {
            let call = ctx.intern("call");
            // The handler of `trap("EXIT")` is given the signal number 0.
            let given = takes_one(ctx, handler) as usize;
            ctx.call(handler, call, &[Value::fixnum(0)][..given])
        }
    }
}

/// Whether a block of the script wanted to return from it, which has ended.
fn returns_from_script(ctx: &Ctx, exception: Value) -> bool {
    ctx.ivar_get(exception, ctx.internal("__ends_script")) == Value::TRUE
}

fn tell_stray_return(ctx: &mut Ctx) {
    let text = format!("{}: unexpected return", crate::program::name(ctx));
    let (text, err) = (Str::utf8(ctx, &text).value(), stderr(ctx));
    if write::io_puts_value(ctx, err, text).is_err() {
        ctx.clear_pending();
    }
}

/// Reports an exception and its causes as far as `known`, which the script or an earlier handler came to: that is told
/// of for itself.
fn report_up_to(ctx: &mut Ctx, exception: Value, known: Value, report: fn(&mut Ctx, Value)) {
    let mut last = exception;
    while let Some(cause) = Exception::try_of(last)
        .map(Exception::cause)
        .filter(|cause| !cause.is_nil() && !cause.is_undef() && *cause != known)
    {
        last = cause;
    }
    match Exception::try_of(last).filter(|last| !known.is_nil() && last.cause() == known) {
        Some(last) => {
            last.set_cause(ctx, Value::NIL);
            report(ctx, exception);
            last.set_cause(ctx, known);
        }
        None => report(ctx, exception),
    }
}

fn takes_one(ctx: &mut Ctx, handler: Value) -> bool {
    handler.has_tag(rubellite_vm::Tag::Proc) && ctx.block_arity(handler) == 1
}

/// The exception of a failed outcome; other exits (a stray break, a kill of the main thread) end the script quietly.
fn uncaught(ctx: &mut Ctx) -> Option<Value> {
    match ctx.take_pending() {
        Pending::Raise(exception) => Some(exception),
        Pending::Throw { tag, .. } => {
            let text = ctx.inspect(tag).unwrap_or_default();
            let _ = ctx.raise_error("UncaughtThrowError", &format!("uncaught throw {text}"));
            ctx.take_exception()
        }
        _ => None,
    }
}

/// SystemExit, signals other than Interrupt, and EPIPE of standard output are not reported.
fn is_exit(ctx: &Ctx, exception: Value) -> bool {
    if ctx.ivar_get(exception, ctx.intern("signo")).is_fixnum()
        && !ctx.is_a(exception, ctx.error_class("Interrupt").value())
    {
        return true;
    }
    let (exit, signal) = (ctx.error_class("SystemExit"), ctx.error_class("SignalException"));
    let (standard, interrupt) = (ctx.classes().standard_error.get(), ctx.error_class("Interrupt"));
    let quiet_signal =
        signal.value() != standard && ctx.is_a(exception, signal.value()) && !ctx.is_a(exception, interrupt.value());
    exit.value() != standard && ctx.is_a(exception, exit.value()) || quiet_signal
}

fn end_of(ctx: &mut Ctx, exception: Option<Value>) -> End {
    let Some(exception) = exception else { return End::Status(0) };
    let standard = ctx.classes().standard_error.get();
    let (exit, signal) = (ctx.error_class("SystemExit").value(), ctx.error_class("SignalException").value());
    if exit != standard && ctx.is_a(exception, exit) {
        let status = ctx.call_name(exception, "status", &[]).ok().and_then(Value::as_fixnum);
        ctx.clear_pending();
        return End::Status(status.unwrap_or(1) as i32);
    }
    if signal != standard && ctx.is_a(exception, signal) {
        let number = ctx.call_name(exception, "signo", &[]).ok().and_then(Value::as_fixnum);
        ctx.clear_pending();
        return End::Signal(number.unwrap_or(libc::SIGTERM as i64) as i32);
    }
    // EPIPE of standard output.
    let signo = ctx.intern("signo");
    match ctx.ivar_get(exception, signo).as_fixnum() {
        Some(number) => {
            ctx.clear_pending();
            End::Signal(number as i32)
        }
        None => End::Status(1),
    }
}

fn flush_standard(ctx: &mut Ctx) {
    for name in ["$stdout", "$stderr"] {
        let stream = rubellite_core_io::globals::get_raw(ctx, name);
        if let Some(io) = state::try_state(ctx, stream) {
            let _ = device::flush(ctx, &io);
            ctx.clear_pending();
        }
    }
}
