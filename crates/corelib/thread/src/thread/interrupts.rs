//! Thread: what other threads send (exceptions, kills), the masks of `handle_interrupt`, and the handler that a
//! safepoint calls.
//!
//! A sender puts the exception into the target's queue and sets ASYNC in its interrupt word, which ends a wait. The
//! target takes ASYNC at a safepoint and delivers the first item that no mask holds back; when others stay, it sets
//! ASYNC again, or `deferred` if all are held back. Then the queue is looked at again before each wait (`:on_blocking`)
//! and whenever a mask comes or goes.

use super::state::{ThreadData, current, data};
use crate::support::exception_from;
use rubellite_core_object::runtime::run_pending_finalizers;
use rubellite_vm::object::Hash;
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::{Args, Class, Ctx, Pending, Result, Unwind, Value};

/// How a mask treats an exception.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Timing {
    Immediate,
    OnBlocking,
    Never,
}

/// The handler of the VM: called at a safepoint with the bits that are set.
pub fn handle(ctx: &mut Ctx, bits: u32) -> Result<()> {
    let at_wait = ctx.take_at_wait();
    ctx.race_take_mail();
    if bits & interrupt_bits::STRESS != 0 {
        ctx.give_way();
    }
    if bits & interrupt_bits::NUDGE != 0 {
        take(ctx, interrupt_bits::NUDGE);
    }
    if bits & interrupt_bits::LOOK != 0 {
        take(ctx, interrupt_bits::LOOK);
        (ctx.vm().hooks().look)(ctx);
    }
    if bits & interrupt_bits::COMPILED != 0 {
        take(ctx, interrupt_bits::COMPILED);
        ctx.install_compiled();
    }
    if bits & interrupt_bits::LIMIT != 0 {
        take(ctx, interrupt_bits::LIMIT);
        check_limits(ctx)?;
    }
    if bits & interrupt_bits::SIGNAL != 0 {
        take(ctx, interrupt_bits::SIGNAL);
        if ctx.looks_for_races() {
            ctx.race_acquire(crate::races::SIGNALS);
        }
        (ctx.vm().hooks().run_signals)(ctx)?;
    }
    // A signal's exception may have joined the queue just now.
    if (bits | ctx.thread().lock_thread.interrupt.bits()) & interrupt_bits::ASYNC != 0 {
        take(ctx, interrupt_bits::ASYNC);
        deliver(ctx, at_wait)?;
    }
    if bits & interrupt_bits::JOB != 0 {
        take(ctx, interrupt_bits::JOB);
        if ctx.looks_for_races() {
            ctx.race_acquire(crate::races::FINALIZERS);
        }
        // What comes meanwhile is for the code that was interrupted, not for the finalizers.
        deaf(ctx, run_pending_finalizers)?;
        if let Some(run) = ctx.job_hook() {
            deaf(ctx, run)?;
        }
    }
    Ok(())
}

/// The embedder's limits: a thread whose time is over unwinds, an allocation too many raises NoMemoryError.
fn check_limits(ctx: &mut Ctx) -> Result<()> {
    if ctx.thread().is_expired() {
        return Err(ctx.set_pending(Pending::Kill));
    }
    if ctx.memory_exceeded() || !ctx.recover_memory() {
        return Err(ctx.no_memory());
    }
    Ok(())
}

fn take(ctx: &Ctx, bits: u32) {
    ctx.thread().lock_thread.interrupt.take(bits);
}

/// Puts an exception (nil: a kill; or `TERMINATE`) into a thread's queue.
pub fn send(ctx: &Ctx, thread: Value, exception: Value) {
    let Some(data) = super::state::try_data(ctx, thread) else { return };
    let Some(state) = data.living().or_else(|| main_state(ctx, thread)) else { return };
    data.pending.borrow_mut().push_back(exception);
    ctx.write_barrier(thread, exception);
    state.lock_thread.interrupt(interrupt_bits::ASYNC);
}

fn main_state(ctx: &Ctx, thread: Value) -> Option<std::sync::Arc<rubellite_vm::thread::ThreadState>> {
    ctx.threads().main.clone().filter(|main| main.value.get() == thread)
}

/// What the main thread sends to the others when it ends. Unlike a kill it reaches a thread that runs its ensure
/// clauses after an earlier kill, and ends those too.
pub const TERMINATE: Value = Value::TRUE;

/// A kill (nil) or the end of the main thread, in a queue.
pub fn is_kill(item: Value) -> bool {
    item.is_nil() || item == TERMINATE
}

/// Delivers the first item that may be delivered now.
fn deliver(ctx: &mut Ctx, at_wait: bool) -> Result<()> {
    let Ok(data) = current(ctx) else {
        ctx.clear_pending();
        return Ok(());
    };
    if data.deaf.get() > 0 {
        ctx.thread().deferred.set(true);
        return Ok(());
    }
    let count = data.pending.borrow().len();
    for i in 0..count {
        let Some(item) = data.pending.borrow().get(i).copied() else { break };
        match timing_of(ctx, &data, item) {
            Timing::Never => continue,
            Timing::OnBlocking if !at_wait => continue,
            _ => {}
        }
        data.pending.borrow_mut().remove(i);
        ctx.thread().deferred.set(false);
        if is_kill(item) {
            data.aborting.set(true);
            data.pending.borrow_mut().clear();
            return Err(ctx.set_pending(Pending::Kill));
        }
        if !data.pending.borrow().is_empty() {
            ctx.thread().lock_thread.interrupt.set(interrupt_bits::ASYNC);
        }
        return Err(raise_sent(ctx, item));
    }
    ctx.thread().deferred.set(count > 0);
    Ok(())
}

/// Raises what another thread sent, as `Kernel#raise` would: by way of its `exception`.
fn raise_sent(ctx: &mut Ctx, item: Value) -> Unwind {
    let name = ctx.intern("exception");
    match ctx.call(item, name, &[]) {
        Ok(exception) if rubellite_vm::object::Exception::try_of(exception).is_some() => ctx.raise(exception),
        Ok(_) => ctx.type_error("exception object expected"),
        Err(unwind) => unwind,
    }
}

/// Raises an exception in the running thread as if another thread had sent it: masks hold it back.
pub fn raise_asynchronously(ctx: &mut Ctx, exception: Value) -> Result<()> {
    let data = current(ctx)?;
    if data.deaf.get() == 0 && data.masks.borrow().is_empty() {
        return Err(ctx.raise(exception));
    }
    let thread = ctx.thread().value.get();
    data.pending.borrow_mut().push_back(exception);
    ctx.write_barrier(thread, exception);
    // The handler that calls this, or the next safepoint, delivers it.
    ctx.thread().lock_thread.interrupt.set(interrupt_bits::ASYNC);
    Ok(())
}

/// What the masks of a thread say about an exception; a kill counts as an Integer, as in CRuby.
fn timing_of(ctx: &mut Ctx, data: &ThreadData, item: Value) -> Timing {
    let masks = data.masks.borrow().clone();
    if masks.is_empty() {
        return Timing::Immediate;
    }
    let class = if is_kill(item) { ctx.classes().integer.class() } else { ctx.dispatch_class(item) };
    let ancestors = class.mro(ctx).to_vec();
    for mask in masks.iter().rev() {
        let Some(mask) = Hash::try_of(*mask) else { continue };
        for ancestor in &ancestors {
            let found = mask.get(ctx, ancestor.value()).ok().flatten();
            match found.and_then(Value::as_symbol).map(|sym| ctx.sym_str(sym)).as_deref() {
                Some("immediate") => return Timing::Immediate,
                Some("on_blocking") => return Timing::OnBlocking,
                Some("never") => return Timing::Never,
                _ => {}
            }
        }
    }
    Timing::Immediate
}

/// Runs `f` without asynchronous exceptions; they are delivered at its end.
pub fn deaf(ctx: &mut Ctx, f: impl FnOnce(&mut Ctx) -> Result<()>) -> Result<()> {
    let data = current(ctx)?;
    data.deaf.set(data.deaf.get() + 1);
    let outcome = f(ctx);
    data.deaf.set(data.deaf.get() - 1);
    outcome?;
    look_again(ctx)?;
    ctx.check_interrupts()
}

/// Looks at the queue after a mask came or went.
pub fn look_again(ctx: &mut Ctx) -> Result<()> {
    let waiting = !current(ctx)?.pending.borrow().is_empty();
    if waiting { deliver(ctx, false) } else { Ok(()) }
}

/// `Thread.handle_interrupt(class => timing, ...) { }`
pub fn handle_interrupt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("block is needed."));
    }
    let given = ctx.to_hash(args.at(0))?;
    let values = given.values(ctx);
    for i in 0..values.len() {
        let timing = values.get(i).and_then(Value::as_symbol).map(|sym| ctx.sym_str(sym));
        if !matches!(timing.as_deref(), Some("immediate" | "on_blocking" | "never")) {
            return Err(ctx.argument_error("unknown mask signature"));
        }
    }
    if given.is_empty() {
        return ctx.yield_values(args.block, &[]);
    }
    let mask = given.dup(ctx).value();
    let data = current(ctx)?;
    let thread = ctx.thread().value.get();
    data.masks.borrow_mut().push(mask);
    ctx.write_barrier(thread, mask);
    let block = args.block;
    ctx.ensure(
        |ctx| {
            look_again(ctx)?;
            ctx.yield_values(block, &[])
        },
        |ctx| {
            data.masks.borrow_mut().pop();
            look_again(ctx)
        },
    )
}

/// Whether something waits in the running thread's queue, held back by a mask or not.
pub fn anything_waits(ctx: &mut Ctx) -> Result<bool> {
    Ok(!current(ctx)?.pending.borrow().is_empty())
}

/// `pending_interrupt?(error = nil)`
pub fn pending_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = data(ctx, recv)?;
    let queue: Vec<Value> = data.pending.borrow().iter().copied().collect(); // tidy: the queue keeps them
    let class = match args.get(0) {
        Some(class) if !queue.is_empty() => class,
        _ => return Ok(Value::from_bool(!queue.is_empty())),
    };
    if !Class::is(class) {
        return Err(ctx.type_error("class or module required for rescue clause"));
    }
    Ok(Value::from_bool(queue.iter().any(|item| !is_kill(*item) && ctx.is_a(*item, class))))
}

/// `raise`, `raise(message)`, `raise(class, message = nil, backtrace = nil)`
pub fn raise(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = data(ctx, recv)?;
    if data.living().is_none() && main_state(ctx, recv).is_none() {
        return Ok(Value::NIL);
    }
    if ctx.thread().value.get() == recv && (args.is_empty() || !data.masks.borrow().is_empty()) {
        let exception = exception_from(ctx, args)?;
        raise_asynchronously(ctx, exception)?;
        ctx.check_interrupts()?;
        return Ok(Value::NIL);
    }
    if ctx.thread().value.get() == recv {
        let kernel = ctx.classes().kernel.get();
        let name = ctx.intern("raise");
        return ctx.call_full(kernel, name, args.slice(), args.has_keywords(), Value::NIL, rubellite_vm::CallKind::Any);
    }
    let exception = exception_from(ctx, args)?;
    send(ctx, recv, exception);
    Ok(Value::NIL)
}
