//! TracePoint: a block that hears of events. When events happen, and what they tell, is `vm::trace`'s matter.

use super::parameters;
use super::support::{string, wrong_type};
use super::trace_func::{path_of, thread_id};
use rubellite_bytecode::ISeq;
use rubellite_vm::class::{Arity, ClassDef, method, no_allocator};
use rubellite_vm::code::Code;
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Data, Hash, NativeData, Proc, Str};
use rubellite_vm::trace::{Hook, HookKind, TraceEvent, events, possible_events};
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Sym, Value};
use std::cell::Cell;
use std::sync::Arc;

pub static TRACE_POINT: ClassDef = ClassDef {
    name: "TracePoint",
    methods: &[
        method("enable", Arity::NONE.with_keywords(), enable),
        method("disable", Arity::NONE, disable),
        method("enabled?", Arity::NONE, enabled_p),
        method("inspect", Arity::NONE, inspect),
        method("event", Arity::NONE, event),
        method("lineno", Arity::NONE, lineno),
        method("path", Arity::NONE, path),
        method("method_id", Arity::NONE, method_id),
        method("callee_id", Arity::NONE, callee_id),
        method("defined_class", Arity::NONE, defined_class),
        method("binding", Arity::NONE, binding),
        method("self", Arity::NONE, self_value),
        method("parameters", Arity::NONE, event_parameters),
        method("return_value", Arity::NONE, return_value),
        method("raised_exception", Arity::NONE, raised_exception),
        method("eval_script", Arity::NONE, eval_script),
        method("instruction_sequence", Arity::NONE, instruction_sequence),
    ],
    singleton_methods: &[
        method("new", Arity::at_least(0), new),
        method("trace", Arity::at_least(0), trace),
        method("allow_reentry", Arity::NONE, allow_reentry),
        method("stat", Arity::NONE, stat),
    ],
    alloc: Some(no_allocator),
    ..ClassDef::EMPTY
};

/// Names of events; those of the last lines stand for several.
const EVENTS: &[(&str, u32)] = &[
    ("line", events::LINE),
    ("class", events::CLASS),
    ("end", events::END),
    ("call", events::CALL),
    ("return", events::RETURN),
    ("c_call", events::C_CALL),
    ("c_return", events::C_RETURN),
    ("raise", events::RAISE),
    ("b_call", events::B_CALL),
    ("b_return", events::B_RETURN),
    ("thread_begin", events::THREAD_BEGIN),
    ("thread_end", events::THREAD_END),
    ("fiber_switch", events::FIBER_SWITCH),
    ("script_compiled", events::SCRIPT_COMPILED),
    ("rescue", events::RESCUE),
    ("a_call", events::CALL | events::B_CALL | events::C_CALL),
    ("a_return", events::RETURN | events::B_RETURN | events::C_RETURN),
];

struct State {
    events: u32,
    proc: Value,
    enabled: Cell<bool>,
    /// Enabled with a target.
    targeted: Cell<bool>,
}

impl NativeData for State {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.proc);
    }
}

fn state(ctx: &mut Ctx, recv: Value) -> Result<&State> {
    if Data::state_of::<State>(ctx, recv).is_none() {
        return Err(ctx.type_error("uninitialized TracePoint"));
    }
    match Data::state_of::<State>(ctx, recv) {
        Some(state) => Ok(state),
        None => Err(rubellite_vm::Unwind),
    }
}

/// `TracePoint.new(*events) {|tp| ... } -> tracepoint`
fn new(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut wanted = 0;
    for i in 0..args.len() {
        wanted |= event_bits(ctx, args.at(i))?;
    }
    if args.is_empty() {
        wanted = EVENTS.iter().fold(0, |all, (_, bits)| all | bits);
    }
    if !args.has_block() {
        return Err(ctx.argument_error("must be called with a block"));
    }
    let proc = ctx.block_to_value(args.block);
    let state = State { events: wanted, proc, enabled: Cell::new(false), targeted: Cell::new(false) };
    let point = Data::new(ctx, recv, state).value();
    std::hint::black_box(proc);
    Ok(point)
}

fn event_bits(ctx: &mut Ctx, name: Value) -> Result<u32> {
    let sym = event_symbol(ctx, name)?;
    let text = ctx.sym_str(sym);
    match EVENTS.iter().find(|(name, _)| *name == text) {
        Some((_, bits)) => Ok(*bits),
        None => Err(ctx.argument_error(&format!("unknown event: {text}"))),
    }
}

/// A symbol by `to_sym`.
fn event_symbol(ctx: &mut Ctx, value: Value) -> Result<Sym> {
    if let Some(sym) = value.as_symbol() {
        return Ok(sym);
    }
    let to_sym = ctx.intern("to_sym");
    let Some(result) = ctx.check_call(value, to_sym, &[])? else { return Err(ctx.conversion_error(value, "Symbol")) };
    match result.as_symbol() {
        Some(sym) => Ok(sym),
        None => {
            let (class, got) = (ctx.describe_for_conversion(value), ctx.describe_for_conversion(result));
            Err(ctx.type_error(&format!("can't convert {class} to Symbol ({class}#to_sym gives {got})")))
        }
    }
}

/// `TracePoint.trace(*events) {|tp| ... } -> tracepoint`, enabled
fn trace(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let point = new(ctx, recv, args)?;
    start(ctx, point, None)?;
    ctx.begin_tracing(point)
}

/// `TracePoint.allow_reentry { ... } -> object`: reports events of the block although a hook runs.
fn allow_reentry(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if ctx.trace_event().is_none() {
        return Err(ctx.runtime_error("No need to allow reentrance."));
    }
    if !args.has_block() {
        return Err(ctx.argument_error("no block given"));
    }
    ctx.with_reentry(|ctx| ctx.yield_values(args.block, &[]))
}

/// `TracePoint.stat -> hash`: how many hooks each event has.
fn stat(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let hooks = ctx.hooks();
    let counts = Hash::new(ctx);
    for (name, bits) in EVENTS.iter().filter(|(_, bits)| bits.is_power_of_two()) {
        let count = hooks.iter().filter(|hook| hook.events & bits != 0).count();
        let name = Value::symbol(ctx.intern(name));
        counts.insert(ctx, name, Value::fixnum(count as i64))?;
    }
    Ok(counts.value())
}

// -- on and off ---------------------------------------------------------------------------

fn yield_point(ctx: &mut Ctx, point: Value) -> Result<()> {
    let proc = state(ctx, point)?.proc;
    ctx.yield_one(proc, point)?;
    Ok(())
}

/// Enables the trace point for everything, or for one thread.
fn start(ctx: &mut Ctx, point: Value, thread: Option<u64>) -> Result<()> {
    let state = state(ctx, point)?;
    let (wanted, enabled, targeted) = (state.events, &state.enabled, state.targeted.get());
    if targeted {
        return Err(ctx.argument_error("can't nest-enable a targeting TracePoint"));
    }
    if !enabled.replace(true) {
        let ractor = ctx.ractor_id();
        ctx.add_hook(Hook {
            kind: HookKind::TracePoint,
            owner: point,
            function: yield_point,
            events: wanted,
            target: None,
            bmethod: None,
            line: None,
            thread,
            ractor,
        });
    }
    Ok(())
}

/// Enables the trace point for the code of a method or block.
fn start_targeted(ctx: &mut Ctx, point: Value, target: Value, line: Option<Value>, thread: Option<u64>) -> Result<()> {
    let state = state(ctx, point)?;
    let (wanted, enabled) = (state.events, state.enabled.get());
    if enabled {
        return Err(ctx.argument_error("can't nest-enable a targeting TracePoint"));
    }
    let line = match line {
        Some(_) if wanted & events::LINE == 0 => {
            return Err(ctx.argument_error("target_line is specified, but line event is not specified"));
        }
        Some(line) => Some(ctx.to_int(line)?.clamp(i32::MIN as i64, i32::MAX as i64) as i32),
        None => None,
    };
    // The runtime's own methods in Ruby are native ones for programs, and so is their code.
    let Some((code, bmethod)) = target_code(ctx, target).filter(|(code, _)| !code.script.is_internal()) else {
        return Err(ctx.argument_error("specified target is not supported"));
    };
    let possible = possible_events(&code, line) | if bmethod.is_some() { events::CALL | events::RETURN } else { 0 };
    if possible & wanted == 0 {
        return Err(ctx.argument_error("can not enable any hooks"));
    }
    let point_state = self::state(ctx, point)?;
    point_state.enabled.set(true);
    point_state.targeted.set(true);
    let wanted = if line.is_some() { wanted & events::LINE } else { wanted };
    let ractor = ctx.ractor_id();
    ctx.add_hook(Hook {
        kind: HookKind::TracePoint,
        owner: point,
        function: yield_point,
        events: wanted,
        target: Some(code),
        bmethod,
        line,
        thread,
        ractor,
    });
    Ok(())
}

/// The code of a Method, UnboundMethod, Proc or InstructionSequence, and the method if it is made of a block.
fn target_code(ctx: &mut Ctx, target: Value) -> Option<(Arc<ISeq>, Option<Method>)> {
    let of_proc = |proc: Proc| match proc.body() {
        ProcBody::Code(code) => Some(code.iseq().clone()),
        _ => None,
    };
    if let Some(iseq) = super::runtime::compiled_code(ctx, target) {
        return Some((iseq, None));
    }
    if let Some(proc) = Proc::try_of(target) {
        return of_proc(proc).map(|code| (code, None));
    }
    let entry: Method = super::method_object::entry_of(ctx, target)?;
    let entry = entry.resolved();
    match entry.body() {
        MethodBody::Code { code, .. } => Some((code.iseq().clone(), None)),
        MethodBody::Proc(proc) => of_proc(*proc).map(|code| (code, Some(entry))),
        _ => None,
    }
}

pub fn stop(ctx: &mut Ctx, point: Value) -> Result<()> {
    let state = state(ctx, point)?;
    state.enabled.set(false);
    state.targeted.set(false);
    ctx.remove_hooks(|hook| hook.kind == HookKind::TracePoint && hook.owner == point);
    Ok(())
}

/// `enable(target: nil, target_line: nil, target_thread: nil) -> true or false`, `enable(...) { ... } -> object`
fn enable(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let before = state(ctx, recv)?.enabled.get();
    let target = args.keyword(ctx, "target").filter(|v| !v.is_nil());
    let line = args.keyword(ctx, "target_line").filter(|v| !v.is_nil());
    let thread = match args.keyword(ctx, "target_thread") {
        // A block alone is meant for the thread that runs it.
        None if args.has_block() && target.is_none() && line.is_none() => Some(ctx.thread().id),
        Some(thread) if thread.truthy() => {
            let class = ctx.classes().thread.get();
            if !ctx.is_a(thread, class) {
                return Err(wrong_type(ctx, thread, "VM/thread"));
            }
            Some(thread_id(ctx, thread))
        }
        _ => None,
    };
    match target {
        None if line.is_some() => return Err(ctx.argument_error("only target_line is specified")),
        None => start(ctx, recv, thread)?,
        Some(target) => start_targeted(ctx, recv, target, line, thread)?,
    }
    if args.has_block() {
        return ctx
            .ensure(|ctx| ctx.yield_values(args.block, &[]), |ctx| if before { Ok(()) } else { stop(ctx, recv) });
    }
    if before { Ok(Value::TRUE) } else { ctx.begin_tracing(Value::FALSE) }
}

/// `disable -> true or false`, `disable { ... } -> object`
fn disable(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (before, targeted) = {
        let state = state(ctx, recv)?;
        (state.enabled.get(), state.targeted.get())
    };
    if !args.has_block() {
        stop(ctx, recv)?;
        return Ok(Value::from_bool(before));
    }
    if targeted {
        return Err(ctx.argument_error("can't disable a targeting TracePoint in a block"));
    }
    stop(ctx, recv)?;
    ctx.ensure(|ctx| ctx.yield_values(args.block, &[]), |ctx| if before { start(ctx, recv, None) } else { Ok(()) })
}

pub fn is_enabled(ctx: &mut Ctx, point: Value) -> Result<bool> {
    Ok(state(ctx, point)?.enabled.get())
}

fn enabled_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    is_enabled(ctx, recv).map(Value::from_bool)
}

// -- the event ----------------------------------------------------------------------------

fn current(ctx: &mut Ctx, point: Value) -> Result<TraceEvent> {
    state(ctx, point)?;
    match ctx.trace_event().copied() {
        Some(event) => Ok(event),
        None => Err(ctx.runtime_error("access from outside")),
    }
}

/// The event, when it is one of `wanted`.
fn current_of(ctx: &mut Ctx, point: Value, wanted: u32) -> Result<TraceEvent> {
    let event = current(ctx, point)?;
    if event.event & wanted == 0 { Err(ctx.runtime_error("not supported by this event")) } else { Ok(event) }
}

fn name_of(event: &TraceEvent) -> &'static str {
    EVENTS.iter().find(|(_, bits)| *bits == event.event).map_or("unknown", |(name, _)| name)
}

fn event(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let event = current(ctx, recv)?;
    Ok(Value::symbol(ctx.intern(name_of(&event))))
}

fn lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(current(ctx, recv)?.line as i64))
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let event = current(ctx, recv)?;
    Ok(path_of(ctx, &event))
}

fn method_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current(ctx, recv)?.method().map_or(Value::NIL, |m| Value::symbol(m.resolved().name())))
}

fn callee_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current(ctx, recv)?.callee.map_or(Value::NIL, Value::symbol))
}

fn defined_class(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current(ctx, recv)?.method().map_or(Value::NIL, |m| m.resolved().owner().value()))
}

/// `binding -> binding or nil`: nil in native methods.
fn binding(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    current(ctx, recv)?;
    Ok(ctx.trace_binding().map_or(Value::NIL, |b| b.value()))
}

fn self_value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current(ctx, recv)?.self_value)
}

/// `parameters -> array`: of the method or block that is called or returns.
fn event_parameters(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    const CALLS: u32 =
        events::CALL | events::RETURN | events::B_CALL | events::B_RETURN | events::C_CALL | events::C_RETURN;
    let event = current_of(ctx, recv, CALLS)?;
    let mut list = match event.method() {
        Some(method) if event.code.is_nil() => parameters::of_method(ctx, method),
        None if event.code.is_nil() => Vec::new(),
        _ => parameters::of_code(ctx.expect::<Code>(event.code)?),
    };
    if event.event & (events::B_CALL | events::B_RETURN) != 0 && !event.lambda {
        for parameter in list.iter_mut().filter(|p| p.kind == "req") {
            parameter.kind = "opt";
        }
    }
    Ok(parameters::to_array(ctx, &list))
}

fn return_value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current_of(ctx, recv, events::RETURN | events::C_RETURN | events::B_RETURN)?.value)
}

fn raised_exception(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current_of(ctx, recv, events::RAISE | events::RESCUE)?.value)
}

fn eval_script(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(current_of(ctx, recv, events::SCRIPT_COMPILED)?.value)
}

fn instruction_sequence(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let event = current_of(ctx, recv, events::SCRIPT_COMPILED)?;
    let iseq = ctx.expect::<Code>(event.code)?.iseq().clone();
    Ok(super::runtime::instruction_sequence(ctx, iseq))
}

/// "#<TracePoint:call 'foo' file:1>"; outside of a hook only whether it is enabled.
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let enabled = state(ctx, recv)?.enabled.get();
    let Some(event) = ctx.trace_event().copied() else {
        return Ok(string(ctx, if enabled { "#<TracePoint:enabled>" } else { "#<TracePoint:disabled>" }));
    };
    let name = name_of(&event);
    let method = event.method().map(|m| ctx.sym_str(m.resolved().name()));
    let path = path_of(ctx, &event);
    let path = Str::try_of(path).map_or(String::new(), |p| String::from_utf8_lossy(p.bytes(ctx)).into_owned());
    let line = event.line;
    const CALLS: u32 = events::CALL | events::C_CALL | events::RETURN | events::C_RETURN;
    let text = match (event.event, method) {
        (events::LINE, Some(method)) => format!("#<TracePoint:{name} {path}:{line} in '{method}'>"),
        (bit, method) if bit & CALLS != 0 => {
            format!("#<TracePoint:{name} '{}' {path}:{line}>", method.unwrap_or_default())
        }
        (events::THREAD_BEGIN | events::THREAD_END, _) => {
            format!("#<TracePoint:{name} {}>", ctx.inspect(event.self_value)?)
        }
        _ => format!("#<TracePoint:{name} {path}:{line}>"),
    };
    Ok(string(ctx, &text))
}
