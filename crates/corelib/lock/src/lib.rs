//! `Rubellite::Lock`: the VM lock as a program sees it. Counters are `stats`, those of a piece of work `measure`, the
//! trace file `trace` (its text `events`), fixed schedules `schedule`, reports `lock.rb` and, with the lines that held
//! the lock, `report`. Races between threads: `races`. The lock itself is the crate `vmlock`.

mod events;
mod measure;
pub mod races;
pub mod report;
mod stats;
pub mod trace;

pub use events::quoted;

use rubellite_core_thread::interval::duration_of;
use rubellite_core_thread::schedule;
use rubellite_core_thread::thread::state::{self, Life};
use rubellite_vm::thread::ThreadState;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};
use std::sync::Arc;
use std::time::Duration;

/// The namespace of what only this Ruby has.
/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[&RUBELLITE, &LOCK];

pub static RUBELLITE: ClassDef = ClassDef {
    name: "Rubellite",
    superclass: "",
    setup: Some(rubellite_core_object::runtime::constants::define_version),
    ..ClassDef::EMPTY
};

pub static LOCK: ClassDef = ClassDef {
    name: "Rubellite::Lock",
    superclass: "",
    singleton_methods: &[
        method("stats", Arity::range(0, 1), stats::stats),
        method("slice", Arity::range(0, 1), slice),
        method("slice=", Arity::ONE, set_slice),
        method("set_thread_slice", Arity::exact(2), set_thread_slice),
        method("start_trace", Arity::ONE, trace::start_trace),
        method("schedule", Arity::NONE, schedule::schedule),
        method("stop_trace", Arity::NONE, trace::stop_trace),
    ],
    primitives: &[
        primitive("lock_start_measure", Arity::NONE, measure::start_measure),
        primitive("lock_read_measure", Arity::range(1, 2), measure::read_measure),
    ],
    ruby: include_str!("lock.rb"),
    ..ClassDef::EMPTY
};

/// The state of a living thread. ThreadError for one that is dead, TypeError for what is no Thread.
fn living(ctx: &mut Ctx, thread: Value) -> Result<Arc<ThreadState>> {
    let Some(data) = state::try_data(ctx, thread) else {
        let class = ctx.describe_for_conversion(thread);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected VM/thread)")));
    };
    let found = if data.life.get() == Life::Alive { data.living() } else { None };
    match found {
        Some(state) => Ok(state),
        None => Err(ctx.raise_error("ThreadError", "killed thread")),
    }
}

/// A slice in seconds, which must be positive.
fn slice_of(ctx: &mut Ctx, value: Value) -> Result<Duration> {
    let slice = duration_of(ctx, value)?;
    if slice.is_zero() {
        return Err(ctx.argument_error("slice must be positive"));
    }
    Ok(slice)
}

/// `slice -> seconds`: how long a thread runs while others wait. `slice(thread)`: of that thread, its own setting and
/// its priority counted in.
fn slice(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let slice = match args.get(0) {
        Some(thread) => living(ctx, thread)?.lock_thread.slice(),
        None => ctx.vm().lock().slice(),
    };
    Ok(ctx.float(slice.as_secs_f64()))
}

/// `slice = seconds`, for all threads without a slice of their own, from their next turn on.
fn set_slice(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let slice = slice_of(ctx, args.at(0))?;
    ctx.vm().lock().set_slice(slice);
    Ok(args.at(0))
}

/// `set_thread_slice(thread, seconds) -> thread`; nil: the VM's slice again.
fn set_thread_slice(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let state = living(ctx, args.at(0))?;
    let own = match args.non_nil(1) {
        Some(seconds) => Some(slice_of(ctx, seconds)?),
        None => None,
    };
    state.lock_thread.set_slice(own);
    Ok(args.at(0))
}

/// At a safepoint of a thread that was asked: tells the report where it is, and looks for a measurement where the last
/// holder is.
#[cold]
pub fn look(ctx: &mut Ctx) {
    report::look(ctx);
    measure::look(ctx);
}

/// The process ends: the trace's file is completed, the report is made, and the schedule tells how many switches it
/// made.
pub fn finish(ctx: &mut Ctx) {
    trace::finish(ctx);
    report::finish(ctx);
    races::finish(ctx);
    schedule::report(ctx);
}
