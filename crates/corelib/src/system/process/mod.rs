//! Process: the module, its ids and limits. Clocks are `clock`, children `wait` and `spawn`, signals `signal`, the end
//! of the process `exit`.

pub mod clock;
pub mod exit;
pub mod signal;
pub mod title;
pub mod wait;

use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, MethodDef, Result, Unwind, Value, method};
use std::time::Instant;

pub static PROCESS: ClassDef = ClassDef {
    name: "Process",
    superclass: "",
    setup: Some(setup),
    ..ClassDef::EMPTY
};

/// Functions of Kernel.
pub const FUNCTIONS: &[MethodDef] = &[method("sleep", Arity::range(0, 1), sleep)];

const MODULE: &[MethodDef] = &[
    method("pid", Arity::NONE, pid),
    method("ppid", Arity::NONE, ppid),
    method("kill", Arity::at_least(2), signal::kill),
];

fn setup(ctx: &mut Ctx, process: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, process.value()).ok_or(Unwind)?;
    for def in MODULE.iter().chain(clock::FUNCTIONS).chain(wait::FUNCTIONS).chain(exit::FUNCTIONS.iter().filter(|d| d.name != "at_exit")) {
        ctx.define_native(singleton, def);
        ctx.define_native(process, &MethodDef { visibility: rubellite_vm::Visibility::Private, ..*def });
    }
    for (name, id) in clock::CLOCKS {
        process.set_const(ctx, name, Value::fixnum(*id as i64));
    }
    Ok(())
}

fn pid(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(std::process::id() as i64))
}

fn ppid(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: a plain query.
    Ok(Value::fixnum(unsafe { libc::getppid() } as i64))
}

/// `sleep(seconds = nil) -> whole seconds slept`
fn sleep(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let started = Instant::now();
    let deadline = match args.get(0) {
        None | Some(Value::NIL) => None,
        Some(value) => {
            let duration = clock::duration_of(ctx, value)?;
            Some(started.checked_add(duration).unwrap_or_else(|| started + std::time::Duration::from_secs(1 << 32)))
        }
    };
    loop {
        let result = ctx.park(deadline)?;
        match result {
            rubellite_vm::vmlock::ParkResult::Unparked | rubellite_vm::vmlock::ParkResult::TimedOut => break,
            rubellite_vm::vmlock::ParkResult::Interrupted => {}
        }
        if deadline.is_some_and(|d| d <= Instant::now()) {
            break;
        }
    }
    Ok(Value::fixnum(started.elapsed().as_secs_f64().round() as i64))
}
