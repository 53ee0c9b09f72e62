//! Ractor: creation, what happens at the end of its block, its outcome, forks.

use super::port;
use super::state::{Handle, RactorData, Table, by_id, current, data, error, put, try_data};
use super::transfer;
use rubellite_core_thread::support::name_arg;
use rubellite_core_thread::thread;
use rubellite_vm::object::{Array, Data, Exception, Proc};
use rubellite_vm::ractor::MAIN;
use rubellite_vm::thread::Activity;
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Class, Ctx, Result, Unwind, Value};
use std::rc::Rc;

/// What each ractor has for itself: objects of its own for the same descriptors.
const STREAMS: [&str; 3] = ["$stdin", "$stdout", "$stderr"];

/// Makes the Ractor object of the main ractor.
pub fn make_main(ctx: &mut Ctx, class: Class) -> Result<()> {
    let ractor = make(ctx, class.value(), RactorData::new(MAIN, Value::NIL, None));
    ctx.extension::<Table>().last_id.set(MAIN);
    ctx.extension::<Table>().main.set(Some(ractor));
    let data = data(ctx, ractor)?;
    let lead = ctx.thread().value.get();
    put(ctx, ractor, &data.lead, lead);
    Ok(())
}

fn make(ctx: &mut Ctx, class: Value, data: RactorData) -> Value {
    let ractor = Data::new(ctx, class, Handle(Rc::new(data))).value();
    ctx.set_shareable(ractor);
    ractor
}

/// `Ractor.new(*args, name: nil) { |*args| } -> ractor`
///
/// # Errors
/// IsolationError when the block uses variables around it; ThreadError when no thread can be made; Ractor::Error for
/// arguments that cannot be copied.
pub fn new(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["name"])?;
    if !args.has_block() {
        return Err(ctx.argument_error("must be called with a block"));
    }
    let first = ctx.extension::<Table>().last_id.get() == MAIN;
    if first {
        ctx.warn_category(
            "Ractor API is experimental and may change in future versions of Ruby.",
            Category::Experimental,
        )?;
    }
    let name = match args.keyword(ctx, "name").filter(|name| !name.is_nil()) {
        Some(name) => own_name(ctx, name)?,
        None => Value::NIL,
    };
    let (file, line) = ctx.source_location();
    let place = format!("{}:{line}", file.as_deref().unwrap_or(""));
    let id = ctx.extension::<Table>().last_id.get() + 1;
    let ractor = make(ctx, recv, RactorData::new(id, name, Some(place.clone())));
    let data = data(ctx, ractor)?;
    let block = ctx.block_to_value(args.block);
    let Some(block) = Proc::try_of(block) else { return Err(ctx.argument_error("must be called with a block")) };
    let body = ctx.isolated_proc(block, ractor)?;
    let arguments = Array::new(ctx);
    for argument in args.positional().slice() {
        let own = transfer::message(ctx, *argument, false)?;
        arguments.push(ctx, own);
    }
    let default = port::new(ctx, ractor, &data)?;
    put(ctx, ractor, &data.default_port, default);
    for (name, stream) in STREAMS.into_iter().zip(rubellite_core_io::io::new_streams(ctx)) {
        let name = ctx.intern(name);
        ctx.put_ractor_global(id, name, stream);
    }
    if ctx.begin_ractors() {
        let class = ctx.named_class("Ractor")?.value();
        ctx.call_name(class, "_activated", &[])?;
    }
    ctx.extension::<Table>().last_id.set(id);
    ctx.extension::<Table>().living.borrow_mut().push(ractor);
    match thread::start_lead(ctx, id, body.value(), arguments, &place) {
        Ok(lead) => put(ctx, ractor, &data.lead, lead),
        Err(unwind) => {
            finish(ctx, ractor, &data);
            return Err(unwind);
        }
    }
    Ok(ractor)
}

fn own_name(ctx: &mut Ctx, name: Value) -> Result {
    let given = name_arg(ctx, name)?;
    let own = given.dup(ctx).value();
    ctx.freeze_shareable(own);
    Ok(own)
}

/// "running", "blocking" or "terminated".
pub fn status(ctx: &mut Ctx, data: &RactorData) -> &'static str {
    if data.ended.get() {
        return "terminated";
    }
    match thread::activity(ctx, data.lead.get()) {
        Some(Activity::Running) | None => "running",
        Some(_) => "blocking",
    }
}

/// The thread that runs the block of the running thread's ractor.
pub fn lead_of_current(ctx: &Ctx) -> Option<Value> {
    try_data(ctx, current(ctx)).map(|data| data.lead.get())
}

/// The block of a ractor is over: ends its other threads, keeps the outcome, tells whoever waits.
pub fn ended(ctx: &mut Ctx, outcome: Result) -> Result {
    let ractor = current(ctx);
    let outcome = ctx.ensure(|_| outcome, thread::terminate_siblings);
    let outcome = ctx.ensure(|_| outcome, flush);
    let Some(data) = try_data(ctx, ractor) else { return outcome };
    match outcome {
        Ok(value) => put(ctx, ractor, &data.outcome, value),
        Err(Unwind) => {
            if let Some(exception) = ctx.pending_exception() {
                put(ctx, ractor, &data.outcome, exception);
                data.failed.set(true);
            }
        }
    }
    ctx.ensure(
        |_| outcome,
        |ctx| {
            finish(ctx, ractor, &data);
            Ok(())
        },
    )
}

fn flush(ctx: &mut Ctx) -> Result<()> {
    let name = ctx.intern("$stdout");
    let stream = ctx.raw_global(name).unwrap_or(Value::NIL);
    match rubellite_core_io::io::state::try_state(ctx, stream).filter(|io| !io.closed()) {
        Some(io) => rubellite_core_io::io::device::flush(ctx, &io).map(drop),
        None => Ok(()),
    }
}

/// Marks the ractor as ended and tells its monitors.
fn finish(ctx: &mut Ctx, ractor: Value, data: &RactorData) {
    data.ended.set(true);
    ctx.drop_ractor_globals(data.id);
    ctx.remove_hooks(|hook| hook.ractor == data.id);
    ctx.extension::<Table>().living.borrow_mut().retain(|living| *living != ractor);
    for port in data.monitors.take() {
        if tell(ctx, port, data).is_err() {
            ctx.clear_pending();
        }
    }
}

fn tell(ctx: &mut Ctx, port: Value, data: &RactorData) -> Result<()> {
    let word = ctx.intern(if data.failed.get() { "aborted" } else { "exited" });
    port::deliver(ctx, port, Value::symbol(word)).map(drop)
}

/// `monitor(port) -> true or false`: the port gets `:exited` or `:aborted` when the ractor ends. False: it has ended.
pub fn monitor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = data(ctx, recv)?;
    port::of(ctx, args.at(0))?;
    if data.ended.get() {
        tell(ctx, args.at(0), &data)?;
        return Ok(Value::FALSE);
    }
    data.monitors.borrow_mut().push(args.at(0));
    ctx.write_barrier(recv, args.at(0));
    Ok(Value::TRUE)
}

/// `unmonitor(port) -> self`
pub fn unmonitor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = data(ctx, recv)?;
    port::of(ctx, args.at(0))?;
    data.monitors.borrow_mut().retain(|port| *port != args.at(0));
    Ok(recv)
}

/// What the block of an ended ractor came to, for the first ractor that asks.
///
/// # Errors
/// Ractor::RemoteError, caused by what ended the block; Ractor::Error in any other ractor.
pub fn outcome(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = data(ctx, recv)?;
    let me = ctx.ractor_id();
    if data.successor.get() == 0 {
        data.successor.set(me);
    }
    if data.successor.get() != me {
        return Err(error(ctx, "Ractor::Error", "Only the successor ractor can take a value"));
    }
    if !data.failed.get() {
        return Ok(data.outcome.get());
    }
    let class = ctx.named_class("Ractor::RemoteError")?;
    let exception = ctx.new_error(class, "thrown by remote Ractor.");
    let name = ctx.intern("@ractor");
    ctx.ivar_set(exception, name, recv);
    if let Some(e) = Exception::try_of(exception) {
        e.set_cause(ctx, data.outcome.get());
    }
    Err(ctx.raise(exception))
}

/// # Errors
/// IsolationError outside the main ractor.
pub fn check_main(ctx: &mut Ctx, message: &str) -> Result<()> {
    if ctx.in_main_ractor() { Ok(()) } else { Err(error(ctx, "Ractor::IsolationError", message)) }
}

/// In the child of a fork, which the main ractor has made: the others have ended.
pub fn after_fork(ctx: &mut Ctx) {
    let gone = ctx.extension::<Table>().living.take();
    for ractor in gone {
        if let Some(data) = try_data(ctx, ractor) {
            data.ended.set(true);
            data.monitors.take();
        }
    }
    let lead = ctx.thread().value.get();
    if let Some(main) = by_id(ctx, MAIN)
        && let Some(data) = try_data(ctx, main)
    {
        put(ctx, main, &data.lead, lead);
    }
}
