//! Process: the module. Ids are `ids`, clocks `clock`, children `wait` and `spawn` (what they run: `plan`), limits
//! `limit`, signals `signal`, looking at a running process `attach`, what forks wait for `delicate`, the end of the
//! process `exit`, by a fault `crash`.

pub mod attach;
pub mod clock;
pub mod crash;
pub mod delicate;
pub mod env;
pub mod exit;
pub mod ids;
pub mod limit;
pub mod plan;
pub mod privilege;
pub mod program;
pub mod signal;
pub mod spawn;
pub mod title;
pub mod wait;

use rubellite_core_thread::scheduler;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, GlobalHooks, MethodDef, Result, Unwind, Value, method};

pub static PROCESS: ClassDef = ClassDef {
    name: "Process",
    superclass: "",
    setup: Some(setup),
    ruby: include_str!("process.rb"),
    ..ClassDef::EMPTY
};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &PROCESS,
    &privilege::SYS,
    &wait::STATUS,
    &signal::SIGNAL,
    &KERNEL_EXIT,
    &KERNEL_SPAWN,
    &KERNEL_SLEEP,
    &KERNEL_TRAP,
    &spawn::IO_POPEN,
    &env::ENVIRONMENT,
];

const fn functions(module_functions: &'static [MethodDef]) -> ClassDef {
    ClassDef { name: "Kernel", superclass: "", module_functions, ..ClassDef::EMPTY }
}

static KERNEL_EXIT: ClassDef = functions(exit::FUNCTIONS);
static KERNEL_SPAWN: ClassDef = functions(spawn::FUNCTIONS);
static KERNEL_SLEEP: ClassDef = functions(&[method("sleep", Arity::range(0, 1), sleep)]);
static KERNEL_TRAP: ClassDef = functions(signal::FUNCTIONS);

const MODULE: &[MethodDef] = &[method("kill", Arity::at_least(2), signal::kill)];

const NUMBERS: &[(&str, i64)] = &[
    ("WNOHANG", libc::WNOHANG as i64),
    ("WUNTRACED", libc::WUNTRACED as i64),
    ("PRIO_PROCESS", libc::PRIO_PROCESS as i64),
    ("PRIO_PGRP", libc::PRIO_PGRP as i64),
    ("PRIO_USER", libc::PRIO_USER as i64),
];

fn setup(ctx: &mut Ctx, process: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, process.value()).ok_or(Unwind)?;
    let own = MODULE.iter().chain(ids::MODULE).chain(spawn::FUNCTIONS).chain(spawn::PROCESS_ONLY);
    for def in
        own.chain(clock::FUNCTIONS).chain(wait::FUNCTIONS).chain(exit::FUNCTIONS.iter().filter(|d| d.name != "at_exit"))
    {
        ctx.define_native(singleton, def);
        ctx.define_native(process, &MethodDef { visibility: rubellite_vm::Visibility::Private, ..*def });
    }
    title::setup(ctx);
    ctx.hook_global("$?", GlobalHooks { get: |ctx, _| Ok(wait::last_status(ctx)), set: None });
    ctx.define_primitives(ids::PRIMITIVES);
    ctx.define_primitives(spawn::PRIMITIVES);
    for (name, value) in NUMBERS {
        process.set_const(ctx, name, Value::fixnum(*value));
    }
    for (name, id) in limit::RESOURCES {
        process.set_const(ctx, &format!("RLIMIT_{}", name.to_uppercase()), Value::fixnum(*id as i64));
    }
    for name in ["RLIM_INFINITY", "RLIM_SAVED_MAX", "RLIM_SAVED_CUR"] {
        let infinity = ctx.uint(libc::RLIM_INFINITY);
        process.set_const(ctx, name, infinity);
    }
    for (name, id) in clock::CLOCKS {
        process.set_const(ctx, name, Value::fixnum(*id as i64));
    }
    Ok(())
}

/// `sleep(seconds = nil) -> whole seconds slept`
fn sleep(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let started = ctx.now();
    if let Some(scheduler) = scheduler::current(ctx) {
        scheduler::kernel_sleep(ctx, scheduler, args.slice())?;
        return Ok(Value::fixnum(ctx.now().saturating_duration_since(started).as_secs_f64().round() as i64));
    }
    let deadline = match args.get(0) {
        None | Some(Value::NIL) => None,
        Some(value) => {
            let duration = rubellite_core_thread::interval::duration_of(ctx, value)?;
            Some(started.checked_add(duration).unwrap_or_else(|| started + std::time::Duration::from_secs(1 << 32)))
        }
    };
    loop {
        let result = ctx.park(deadline)?;
        match result {
            rubellite_vm::vmlock::ParkResult::Unparked | rubellite_vm::vmlock::ParkResult::TimedOut => break,
            rubellite_vm::vmlock::ParkResult::Interrupted => {}
        }
        if deadline.is_some_and(|d| d <= ctx.now()) {
            break;
        }
    }
    Ok(Value::fixnum((ctx.now() - started).as_secs_f64().round() as i64))
}
