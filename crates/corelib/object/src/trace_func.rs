//! `set_trace_func` of Kernel and Thread: a Proc that hears of events. When events happen is `vm::trace`'s matter.

use super::support::string;
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::code::Code;
use rubellite_vm::object::Proc;
use rubellite_vm::trace::{Hook, HookKind, TraceEvent, events};
use rubellite_vm::{Args, Ctx, Result, Value};

pub static KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: &[method("set_trace_func", Arity::ONE, set_trace_func)],
    ..ClassDef::EMPTY
};

pub static THREAD: ClassDef = ClassDef {
    name: "Thread",
    methods: &[
        method("set_trace_func", Arity::ONE, thread_set_trace_func),
        method("add_trace_func", Arity::ONE, thread_add_trace_func),
    ],
    ..ClassDef::EMPTY
};

/// The events that such a Proc hears of, with the names it knows them by.
const NAMES: &[(u32, &str)] = &[
    (events::LINE, "line"),
    (events::CLASS, "class"),
    (events::END, "end"),
    (events::CALL, "call"),
    (events::RETURN, "return"),
    (events::C_CALL, "c-call"),
    (events::C_RETURN, "c-return"),
    (events::RAISE, "raise"),
];

/// `set_trace_func(proc) -> proc`, `set_trace_func(nil) -> nil`
fn set_trace_func(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let proc = args.at(0);
    if !proc.is_nil() {
        check_proc(ctx, proc)?;
    }
    let ractor = ctx.ractor_id();
    ctx.remove_hooks(|hook| hook.kind == HookKind::Function && hook.thread.is_none() && hook.ractor == ractor);
    if proc.is_nil() {
        return Ok(proc);
    }
    let hook = function_hook(ctx, HookKind::Function, proc, None);
    ctx.add_hook(hook);
    ctx.trace_own_return(proc)?;
    ctx.begin_tracing(proc)
}

/// `thread.set_trace_func(proc) -> proc`: for that thread alone.
fn thread_set_trace_func(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let proc = args.at(0);
    if !proc.is_nil() {
        check_proc(ctx, proc)?;
    }
    let thread = thread_id(ctx, recv);
    ctx.remove_hooks(|hook| hook.kind != HookKind::TracePoint && hook.thread == Some(thread));
    if proc.is_nil() {
        return Ok(proc);
    }
    let hook = function_hook(ctx, HookKind::Function, proc, Some(thread));
    ctx.add_hook(hook);
    ctx.trace_own_return(proc)?;
    ctx.begin_tracing(proc)
}

/// `thread.add_trace_func(proc) -> proc`: one more for that thread.
fn thread_add_trace_func(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let proc = args.at(0);
    check_proc(ctx, proc)?;
    let thread = thread_id(ctx, recv);
    let hook = function_hook(ctx, HookKind::AddedFunction, proc, Some(thread));
    ctx.add_hook(hook);
    ctx.trace_own_return(proc)?;
    ctx.begin_tracing(proc)
}

fn check_proc(ctx: &mut Ctx, proc: Value) -> Result<()> {
    if Proc::try_of(proc).is_some() { Ok(()) } else { Err(ctx.type_error("trace_func needs to be Proc")) }
}

/// The id of a living thread; 0 is nobody's.
pub fn thread_id(ctx: &Ctx, thread: Value) -> u64 {
    ctx.threads().living().find(|state| state.value.get() == thread).map_or(0, |state| state.id)
}

fn function_hook(ctx: &Ctx, kind: HookKind, proc: Value, thread: Option<u64>) -> Hook {
    let events = NAMES.iter().fold(0, |all, (event, _)| all | event);
    Hook {
        kind,
        owner: proc,
        function: call_function,
        events,
        target: None,
        bmethod: None,
        line: None,
        thread,
        ractor: ctx.ractor_id(),
    }
}

/// Calls the Proc with the event's name, file, line, method, binding and class.
fn call_function(ctx: &mut Ctx, proc: Value) -> Result<()> {
    let Some(event) = ctx.trace_event().copied() else { return Ok(()) };
    let name = NAMES.iter().find(|(bit, _)| *bit == event.event).map_or("unknown", |(_, name)| name);
    let name = string(ctx, name);
    let path = path_of(ctx, &event);
    let method = event.method().map_or(Value::NIL, |m| Value::symbol(m.resolved().name()));
    // Of a singleton method: the object itself.
    let owner = event.method().map(|m| m.resolved().owner());
    let class =
        owner.map_or(Value::NIL, |owner| if owner.is_singleton() { owner.attached(ctx) } else { owner.value() });
    let binding = ctx.trace_binding().map_or(Value::NIL, |b| b.value());
    ctx.yield_values(proc, &[name, path, Value::fixnum(event.line as i64), method, binding, class])?;
    Ok(())
}

/// The file of an event, or nil.
pub fn path_of(ctx: &mut Ctx, event: &TraceEvent) -> Value {
    let Some(code) = Code::try_of(event.place) else { return Value::NIL };
    let path = code.iseq().script.path.clone();
    string(ctx, &path)
}
