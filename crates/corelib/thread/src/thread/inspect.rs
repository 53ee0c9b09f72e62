//! Thread: status, texts, backtraces, the report of an exception and of a deadlock.

use super::interrupts::send;
use super::life::living;
use super::state::{Life, Settings, ThreadData, data, try_data};
use crate::support::{backtrace_value, text};
use rubellite_core_object::exception::backtrace as levels;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::thread::Activity;
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// The word of `inspect`.
fn word(ctx: &Ctx, data: &ThreadData) -> &'static str {
    let running = data.state.borrow().as_ref().is_some_and(|state| state.id == ctx.thread().id);
    match (data.life.get(), data.activity()) {
        (Life::Dead | Life::Unborn, _) => "dead",
        (_, Some(Activity::SleepingForever)) => "sleep_forever",
        (_, Some(Activity::Sleeping | Activity::Blocked)) if !running => "sleep",
        _ if data.aborting.get() => "aborting",
        _ => "run",
    }
}

/// `status`: "run", "sleep", "aborting"; false after a normal end, nil after an exception.
pub fn status(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = data(ctx, recv)?;
    Ok(match word(ctx, &data) {
        "dead" if data.error.get().is_nil() => Value::FALSE,
        "dead" => Value::NIL,
        "sleep_forever" => text(ctx, "sleep"),
        word => text(ctx, word),
    })
}

/// "#<Thread:0x...@name file:line status>"
pub fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let shown = describe(ctx, recv)?;
    let name = Str::try_of(data(ctx, recv)?.name.get()).filter(|name| !name.bytes(ctx).is_ascii());
    // As CRuby's, which starts from a text without an encoding.
    let encoding = match name {
        _ if shown.is_ascii() => Encoding::BINARY,
        Some(name) => name.encoding(),
        None => Encoding::UTF_8,
    };
    Ok(Str::from_vec(ctx, shown, encoding).value())
}

/// The bytes of `inspect`: a name is shown as it is.
fn describe(ctx: &mut Ctx, thread: Value) -> Result<Vec<u8>> {
    let data = data(ctx, thread)?;
    let mut shown = ctx.any_to_s(thread).trim_end_matches('>').to_string().into_bytes();
    if let Some(name) = Str::try_of(data.name.get()) {
        shown.push(b'@');
        shown.extend_from_slice(name.bytes(ctx));
    }
    if let Some(place) = data.place.borrow().as_ref() {
        shown.push(b' ');
        shown.extend_from_slice(place.as_bytes());
    }
    shown.extend_from_slice(format!(" {}>", word(ctx, &data)).as_bytes());
    Ok(shown)
}

pub fn backtrace(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    stack_of(ctx, recv, "backtrace", args)
}

pub fn backtrace_locations(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    stack_of(ctx, recv, "backtrace_locations", args)
}

fn stack_of(ctx: &mut Ctx, thread: Value, method: &str, args: Args) -> Result {
    let Some(state) = data(ctx, thread)?.living() else { return Ok(Value::NIL) };
    let positions = ctx.thread_positions(&state);
    backtrace_value(ctx, positions, method, args)
}

/// `Thread.each_caller_location(start = 1, length = nil) { |location| ... }`, `(range)`
pub fn each_caller_location(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &[])?;
    if !args.has_block() {
        return Err(ctx.raise_error("LocalJumpError", "no block given"));
    }
    let mut positions = ctx.positions(0, usize::MAX);
    // This method's own frame does not count; without arguments, its caller's neither.
    let skipped = if args.is_empty() { 2 } else { 1 };
    positions.drain(..skipped.min(positions.len()));
    let list = backtrace_value(ctx, positions, "each_caller_location", args)?;
    let Some(list) = Array::try_of(list) else { return Ok(Value::NIL) };
    for i in 0..list.len() {
        let location = list.get(i).unwrap_or(Value::NIL);
        ctx.yield_one(args.block, location)?;
    }
    Ok(Value::NIL)
}

/// Tells `$stderr` that a thread ended by an exception.
pub fn report(ctx: &mut Ctx, thread: Value, exception: Value) {
    let Ok(mut bytes) = describe(ctx, thread) else { return };
    bytes.extend_from_slice(b" terminated with exception (report_on_exception is true):\n");
    let highlight = (ctx.vm().hooks().stderr_is_terminal)(ctx);
    let (report, encoding) = rubellite_core_object::report(ctx, exception, highlight);
    bytes.extend(report);
    let message = Str::from_vec(ctx, bytes, encoding);
    let _ = (ctx.vm().hooks().complain)(ctx, message);
}

/// Every thread sleeps until another acts: raises `fatal` in the main thread, unless something is on its way to one of
/// them.
pub fn deadlock(ctx: &mut Ctx) {
    if ctx.extension::<Settings>().ignore_deadlock.get() {
        return;
    }
    let threads = living(ctx);
    for i in 0..threads.len() {
        let Some(data) = try_data(ctx, threads.get(i).unwrap_or(Value::NIL)) else { return };
        let interrupted = data.state.borrow().as_ref().is_some_and(|state| state.lock_thread.pending_wake_bits() != 0);
        if interrupted {
            return;
        }
    }
    let Some(main) = ctx.threads().main.as_ref().map(|main| main.value.get()) else { return };
    let message = deadlock_text(ctx, threads, main);
    ctx.clear_pending();
    let Some(class) = rubellite_vm::Class::try_of(ctx.vm().fatal.get()) else { return };
    let error = ctx.new_error(class, &message);
    send(ctx, main, error);
}

/// The check of a thread that ends, and so no longer counts.
pub fn deadlock_without(ctx: &mut Ctx) {
    let me = ctx.thread().id;
    let others = ctx.threads().living().filter(|state| state.id != me);
    let all_asleep = { others }.all(|state| state.activity() == Activity::SleepingForever);
    if all_asleep && ctx.threads().count() > 1 {
        deadlock(ctx);
    }
}

fn deadlock_text(ctx: &mut Ctx, threads: rubellite_vm::object::Array, main: Value) -> String {
    let current = ctx.thread().value.get();
    let count = threads.len();
    let mut out = format!(
        "No live threads left. Deadlock?\n{count} threads, {count} sleeps current:{} main thread:{}\n",
        address(current),
        address(main)
    );
    for i in 0..count {
        let thread = threads.get(i).unwrap_or(Value::NIL);
        let (Ok(shown), Some(data)) = (describe(ctx, thread), try_data(ctx, thread)) else { continue };
        let shown = String::from_utf8_lossy(&shown);
        out.push_str(&format!(
            "* {shown}\n   rb_thread_t:{} native:0x{:016x} int:0",
            address(thread),
            data.native_id.get()
        ));
        let mutex = data.waits_for.get();
        // The thread that notices does not wait for its mutex yet.
        if crate::sync::is_mutex(ctx, mutex) && thread != current {
            out.push_str(&format!(" mutex:{} cond:{}", address(mutex), crate::sync::waiters_of(ctx, mutex)));
        }
        for waiter in data.joiners.snapshot() {
            out.push_str(&format!("\n    depended by: tb_thread_id:{}", address(waiter.thread.value.get())));
        }
        let frames = data.living().map(|state| ctx.thread_positions(&state)).unwrap_or_default();
        let lines = levels::strings(ctx, &frames);
        let lines: Vec<String> = Array::try_of(lines).map_or(Vec::new(), |lines| {
            lines.slice(ctx).iter().filter_map(|line| Some(Str::try_of(*line)?.to_lossy(ctx).into_owned())).collect()
        });
        out.push_str(&format!("\n   {}\n", lines.join("\n   ")));
    }
    out
}

fn address(value: Value) -> String {
    format!("0x{:016x}", value.bits())
}
