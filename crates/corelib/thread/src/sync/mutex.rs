//! Thread::Mutex.

use super::lock::{Lock, Wait};
use super::short_name;
use crate::scheduler;
use crate::support::deadline_of;
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::vmlock::ParkResult;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, primitive, private_method};
use std::rc::Rc;

pub static MUTEX: ClassDef = ClassDef {
    name: "Thread::Mutex",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::NONE, initialize),
        method("lock", Arity::NONE, lock),
        method("try_lock", Arity::NONE, try_lock),
        method("unlock", Arity::NONE, unlock),
        method("locked?", Arity::NONE, locked_p),
        method("owned?", Arity::NONE, owned_p),
        method("sleep", Arity::range(0, 1), sleep),
        // For the Ruby part, which programs do not redefine.
    ],
    primitives: &[primitive("mutex_lock", Arity::NONE, lock), primitive("mutex_unlock", Arity::NONE, unlock)],
    ruby: include_str!("mutex.rb"),
    setup: Some(setup),
    ..ClassDef::EMPTY
};

struct Handle(Rc<Lock>);

impl NativeData for Handle {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.trace(visit);
    }
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    short_name(ctx, class, "Mutex")
}

pub fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Handle(Rc::default())).value())
}

/// A mutex for an object of a library.
pub fn make(ctx: &mut Ctx) -> Result {
    let class = ctx.named_class("Thread::Mutex")?.value();
    allocate(ctx, class)
}

/// Runs `body` while the running fiber holds the mutex. Waiting for it is an error where it would never end. Handlers
/// of signals may come here.
pub fn synchronize<T>(ctx: &mut Ctx, mutex: Value, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
    lock_anywhere(ctx, mutex, Args::none())?;
    let outcome = ctx.ensure(body, |ctx| unlock(ctx, mutex, Args::none()).map(drop));
    std::hint::black_box(mutex);
    outcome
}

/// `synchronize` for bodies that may call each other: whoever holds the mutex need not wait. The same goes for another
/// fiber of the thread which holds it, unless a scheduler can wait for that.
pub fn synchronize_again<T>(ctx: &mut Ctx, mutex: Value, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
    let lock = of(ctx, mutex)?;
    if lock.is_owned(ctx) || lock.is_owned_by_thread(ctx) && scheduler::current(ctx).is_none() {
        return body(ctx);
    }
    synchronize(ctx, mutex, body)
}

fn initialize(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

/// The lock of a Mutex object.
pub fn lock_of(ctx: &Ctx, mutex: Value) -> Option<Rc<Lock>> {
    Data::state_of::<Handle>(ctx, mutex).map(|h| h.0.clone())
}

fn of(ctx: &mut Ctx, mutex: Value) -> Result<Rc<Lock>> {
    match lock_of(ctx, mutex) {
        Some(lock) => Ok(lock),
        None => {
            let class = ctx.describe_for_conversion(mutex);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected mutex)")))
        }
    }
}

fn lock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if ctx.thread().in_trap.get() {
        return Err(ctx.raise_error("ThreadError", "can't be called from trap context"));
    }
    lock_anywhere(ctx, recv, args)
}

/// `lock` for monitors, which handlers of signals may enter.
pub fn lock_anywhere(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(handle) = Data::state_of::<Handle>(ctx, recv)
        && handle.0.try_acquire(ctx, recv)
    {
        return Ok(recv);
    }
    of(ctx, recv)?.acquire(ctx, recv, Wait::Interruptible)?;
    Ok(recv)
}

pub fn try_lock(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.try_acquire(ctx, recv)))
}

pub fn unlock(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if Data::state_of::<Handle>(ctx, recv).is_some_and(|handle| handle.0.try_unlock(ctx, recv)) {
        return Ok(recv);
    }
    of(ctx, recv)?.unlock(ctx, recv)?;
    Ok(recv)
}

fn locked_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.is_locked()))
}

fn owned_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.is_owned(ctx)))
}

/// `sleep(timeout = nil)`: gives the mutex back meanwhile; the seconds slept, or nil when the time ran out.
fn sleep(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let started = ctx.now();
    let deadline = deadline_of(ctx, args.at(0))?;
    let lock = of(ctx, recv)?;
    lock.unlock(ctx, recv)?;
    // An exception waits until the mutex is owned again: the caller's ensure clause gives it back.
    let outcome = ctx.ensure(
        |ctx| match scheduler::current(ctx) {
            Some(scheduler) => scheduler::kernel_sleep(ctx, scheduler, &[args.at(0)]).map(|_| ParkResult::Unparked),
            None => ctx.park_for_thread(deadline),
        },
        |ctx| lock.acquire(ctx, recv, Wait::Deaf),
    )?;
    ctx.check_interrupts()?;
    if outcome == ParkResult::TimedOut {
        return Ok(Value::NIL);
    }
    Ok(Value::fixnum((ctx.now() - started).as_secs_f64().round() as i64))
}
