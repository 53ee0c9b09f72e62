//! Thread: the class. Each Thread is a native thread; creation, life and end are `life`, asynchronous exceptions and
//! their masks `interrupts`, variables `locals`, texts `inspect`, groups `group`.

mod group;
mod inspect;
mod interrupts;
mod life;
pub mod locals;
pub mod state;

pub use group::THREAD_GROUP;
pub use interrupts::{anything_waits, deaf, raise_asynchronously, send};
pub use life::{after_fork, start_lead, terminate_others, terminate_siblings};

use super::scheduler;
use super::support::{name_arg, text};
use rubellite_vm::object::Data;
use rubellite_vm::thread::{Activity, interrupt_bits};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, no_allocator, private_method};
use state::{Handle, Life, Settings, ThreadData, data, put};
use std::rc::Rc;

/// Was the running thread killed? It may run `ensure` blocks still.
pub fn is_killed(ctx: &mut Ctx) -> bool {
    state::current(ctx).is_ok_and(|data| data.aborting.get())
}

pub static THREAD: ClassDef = ClassDef {
    name: "Thread",
    superclass: "Object",
    alloc: Some(no_allocator),
    methods: &[
        private_method("initialize", Arity::ANY, life::initialize),
        method("join", Arity::range(0, 1), life::join),
        method("value", Arity::NONE, life::value),
        method("kill", Arity::NONE, life::kill),
        method("exit", Arity::NONE, life::kill),
        method("terminate", Arity::NONE, life::kill),
        method("wakeup", Arity::NONE, wakeup),
        method("run", Arity::NONE, run),
        method("raise", Arity::ANY, interrupts::raise),
        method("pending_interrupt?", Arity::range(0, 1), interrupts::pending_p),
        method("alive?", Arity::NONE, alive_p),
        method("stop?", Arity::NONE, stop_p),
        method("status", Arity::NONE, inspect::status),
        method("inspect", Arity::NONE, inspect::inspect),
        method("to_s", Arity::NONE, inspect::inspect),
        method("backtrace", Arity::range(0, 2), inspect::backtrace),
        method("backtrace_locations", Arity::range(0, 2), inspect::backtrace_locations),
        method("name", Arity::NONE, name),
        method("name=", Arity::ONE, set_name),
        method("native_thread_id", Arity::NONE, native_thread_id),
        method("priority", Arity::NONE, priority),
        method("priority=", Arity::ONE, set_priority),
        method("group", Arity::NONE, group::of_thread),
        method("abort_on_exception", Arity::NONE, abort),
        method("abort_on_exception=", Arity::ONE, set_abort),
        method("report_on_exception", Arity::NONE, report),
        method("report_on_exception=", Arity::ONE, set_report),
        method("[]", Arity::ONE, locals::get).tries(locals::try_get),
        method("[]=", Arity::exact(2), locals::set),
        method("key?", Arity::ONE, locals::key_p).tries(locals::try_key),
        method("keys", Arity::NONE, locals::keys),
        method("fetch", Arity::range(1, 2), locals::fetch),
        method("thread_variable_get", Arity::ONE, locals::variable_get),
        method("thread_variable_set", Arity::exact(2), locals::variable_set),
        method("thread_variable?", Arity::ONE, locals::variable_p),
        method("thread_variables", Arity::NONE, locals::variables),
    ],
    singleton_methods: &[
        method("new", Arity::ANY, life::new),
        method("start", Arity::ANY, life::start),
        method("fork", Arity::ANY, life::start),
        method("current", Arity::NONE, current_thread).leaf(0),
        method("main", Arity::NONE, main_thread),
        method("list", Arity::NONE, list),
        method("pass", Arity::NONE, pass),
        method("stop", Arity::NONE, stop),
        method("exit", Arity::NONE, exit),
        method("kill", Arity::ONE, kill),
        method("handle_interrupt", Arity::ONE, interrupts::handle_interrupt),
        method("pending_interrupt?", Arity::range(0, 1), current_pending_p),
        method("each_caller_location", Arity::range(0, 2).with_keywords(), inspect::each_caller_location),
        method("abort_on_exception", Arity::NONE, all_abort),
        method("abort_on_exception=", Arity::ONE, set_all_abort),
        method("report_on_exception", Arity::NONE, all_report),
        method("report_on_exception=", Arity::ONE, set_all_report),
        method("ignore_deadlock", Arity::NONE, ignore_deadlock),
        method("ignore_deadlock=", Arity::ONE, set_ignore_deadlock),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

pub static THREAD_ERROR: ClassDef = ClassDef { name: "ThreadError", superclass: "StandardError", ..ClassDef::EMPTY };

/// Makes the main thread's object.
fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    let data = ThreadData::default();
    data.life.set(Life::Alive);
    *data.state.borrow_mut() = Some(ctx.thread().clone());
    data.native_id.set(life::native_id());
    let thread = Data::new(ctx, class.value(), Handle(Rc::new(data))).value();
    ctx.thread().value.set(thread);
    make_fatal(ctx)?;
    ctx.set_interrupt_handler(interrupts::handle);
    ctx.set_deadlock_check(inspect::deadlock);
    Ok(())
}

/// Makes the object of a native thread that the VM did not start and that has just been attached.
pub fn adopt(ctx: &mut Ctx) {
    let data = ThreadData::default();
    data.life.set(Life::Alive);
    data.report.set(false);
    *data.state.borrow_mut() = Some(ctx.thread().clone());
    data.native_id.set(life::native_id());
    let class = ctx.classes().thread.get();
    let thread = Data::new(ctx, class, Handle(Rc::new(data))).value();
    ctx.thread().value.set(thread);
    if let (Ok(group), Ok(data)) = (group::default(ctx), state::current(ctx)) {
        put(ctx, thread, &data.group, group);
    }
}

/// An adopted thread is about to be detached: whoever waits for it goes on.
pub fn release(ctx: &mut Ctx) {
    if let Ok(data) = state::current(ctx) {
        let thread = ctx.thread().value.get();
        life::finish(ctx, thread, &data, Ok(Value::NIL));
    }
}

/// What a thread does, while it lives.
pub fn activity(ctx: &Ctx, thread: Value) -> Option<Activity> {
    state::try_data(ctx, thread)?.activity()
}

/// The class `fatal`, which has a name and no constant.
fn make_fatal(ctx: &mut Ctx) -> Result<()> {
    let exception = ctx.named_class("Exception")?;
    let class = Class::new_class(ctx, Some(exception));
    let object = ctx.classes().object.class();
    object.set_const(ctx, "fatal", class.value());
    let name = ctx.intern("fatal");
    object.remove_const(ctx, name);
    ctx.vm().fatal.set(class.value());
    Ok(())
}

fn current_thread(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.thread().value.get())
}

fn main_thread(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    if !ctx.in_main_ractor() {
        return Ok((ctx.vm().hooks().ractor_lead)(ctx).unwrap_or(Value::NIL));
    }
    Ok(ctx.threads().main.as_ref().map_or(Value::NIL, |main| main.value.get()))
}

/// The living threads, oldest first.
fn list(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(life::living(ctx).value())
}

fn pass(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    match scheduler::current(ctx) {
        Some(scheduler) => scheduler::pass(ctx, scheduler)?,
        None => ctx.yield_lock()?,
    }
    Ok(Value::NIL)
}

/// `Thread.stop`: sleeps until somebody calls `wakeup` or `run`.
fn stop(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    if ctx.threads().count() == 1 {
        return Err(ctx.raise_error("ThreadError", "stopping only thread\n\tnote: use sleep to stop forever"));
    }
    ctx.park_for_thread(None)?;
    Ok(Value::NIL)
}

fn exit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let thread = ctx.thread().value.get();
    life::kill(ctx, thread, args)
}

fn kill(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let thread = args.at(0);
    state::of_argument(ctx, thread)?;
    life::kill(ctx, thread, Args::none())
}

fn current_pending_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let thread = ctx.thread().value.get();
    interrupts::pending_p(ctx, thread, args)
}

/// `wakeup`: makes a sleeping thread ready. One that is outside the lock looks again at what it waits for: work that
/// runs once (`rb_thread_call_without_gvl`) is ended by its unblock function, everything else goes on waiting.
fn wakeup(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match data(ctx, recv)?.living() {
        Some(state) => {
            if state.activity() == Activity::Blocked {
                state.lock_thread.interrupt(interrupt_bits::NUDGE);
            }
            ctx.wake(&state);
            Ok(recv)
        }
        None => Err(ctx.raise_error("ThreadError", "killed thread")),
    }
}

fn run(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    wakeup(ctx, recv, args)?;
    ctx.yield_lock()?;
    Ok(recv)
}

fn alive_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(data(ctx, recv)?.life.get() == Life::Alive))
}

fn stop_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let activity = data(ctx, recv)?.activity();
    Ok(Value::from_bool(activity != Some(Activity::Running)))
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(data(ctx, recv)?.name.get())
}

fn set_name(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = data(ctx, recv)?;
    if args.at(0).is_nil() {
        data.name.set(Value::NIL);
        return Ok(Value::NIL);
    }
    let given = name_arg(ctx, args.at(0))?;
    if given.bytes(ctx).contains(&0) {
        return Err(ctx.null_byte_error());
    }
    let own = given.dup(ctx);
    own.header().set(rubellite_vm::flags::FROZEN);
    put(ctx, recv, &data.name, own.value());
    let name = own.to_lossy(ctx);
    if let Some(state) = data.living() {
        state.lock_thread.set_name(&name);
    }
    Ok(args.at(0))
}

fn native_thread_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = data(ctx, recv)?;
    let known = data.life.get() == Life::Alive && data.native_id.get() != 0;
    Ok(if known { Value::fixnum(data.native_id.get()) } else { Value::NIL })
}

fn priority(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(data(ctx, recv)?.priority.get() as i64))
}

fn set_priority(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let wanted = ctx.to_c_int(args.at(0))?.clamp(-3, 3);
    let data = data(ctx, recv)?;
    data.priority.set(wanted);
    if let Some(state) = data.living() {
        state.lock_thread.set_priority(wanted);
    }
    Ok(Value::fixnum(wanted as i64))
}

fn abort(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(data(ctx, recv)?.abort.get()))
}

fn set_abort(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    data(ctx, recv)?.abort.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn report(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(data(ctx, recv)?.report.get()))
}

fn set_report(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    data(ctx, recv)?.report.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn all_abort(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().abort.get()))
}

fn set_all_abort(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Settings>().abort.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn all_report(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().report.get()))
}

fn set_all_report(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Settings>().report.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn ignore_deadlock(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().ignore_deadlock.get()))
}

fn set_ignore_deadlock(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Settings>().ignore_deadlock.set(args.at(0).truthy());
    Ok(args.at(0))
}
