//! `Rubellite::Lock.stats`: the counters that the lock keeps for each thread, as Hashes.

use super::living;
use rubellite_vm::object::Hash;
use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::{Reason, ThreadStats, Wait};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::sync::Arc;

/// The names under which programs know the reasons.
pub fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Release => "release",
        Reason::Region => "region",
        Reason::Park => "park",
        Reason::SliceEnd => "slice_end",
        Reason::Priority => "priority",
        Reason::Yield => "yield",
        Reason::Steal => "steal",
        Reason::Schedule => "schedule",
    }
}

/// `stats -> {slice:, threads: {thread => counters}, total: counters}`, `stats(thread) -> counters`. All times are
/// integer nanoseconds; the total includes threads that have ended.
pub fn stats(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if let Some(thread) = args.get(0) {
        let state = living(ctx, thread)?;
        return counters(ctx, &state.lock_thread.stats());
    }
    let mut states: Vec<Arc<ThreadState>> = ctx.threads().living().cloned().collect();
    states.sort_by_key(|state| state.id);
    let threads = Hash::new(ctx);
    threads.compare_by_identity(ctx)?;
    for state in states {
        let own = counters(ctx, &state.lock_thread.stats())?;
        threads.insert(ctx, state.value.get(), own)?;
    }
    let totals = ctx.vm().lock().totals();
    let total = counters(ctx, &totals)?;
    let slice = ctx.vm().lock().slice().as_secs_f64();
    let slice = ctx.float(slice);
    let all = Hash::new(ctx);
    put(ctx, all, "slice", slice)?;
    put(ctx, all, "threads", threads.value())?;
    put(ctx, all, "total", total)?;
    Ok(all.value())
}

fn put(ctx: &mut Ctx, hash: Hash, key: &'static str, value: Value) -> Result<()> {
    let key = Value::symbol(ctx.intern(key));
    hash.insert(ctx, key, value)
}

fn put_number(ctx: &mut Ctx, hash: Hash, key: &'static str, number: u64) -> Result<()> {
    let number = ctx.int(number.min(i64::MAX as u64) as i64);
    put(ctx, hash, key, number)
}

fn counters(ctx: &mut Ctx, stats: &ThreadStats) -> Result {
    let hash = Hash::new(ctx);
    let numbers = [
        ("runs", stats.runs),
        ("waits", stats.waits),
        ("held_ns", stats.held_ns),
        ("waited_ns", stats.waited_ns),
        ("outside_ns", stats.outside_ns),
    ];
    for (key, number) in numbers {
        put_number(ctx, hash, key, number)?;
    }
    for (key, numbers) in [("given", &stats.given), ("taken", &stats.taken), ("waited_ns_by", &stats.waited_ns_by)] {
        let by_reason = Hash::new(ctx);
        for (reason, number) in Reason::ALL.into_iter().zip(numbers) {
            put_number(ctx, by_reason, reason_name(reason), *number)?;
        }
        put(ctx, hash, key, by_reason.value())?;
    }
    for (key, found) in [("longest_wait", &stats.longest_wait), ("last_wait", &stats.last_wait)] {
        let value = match found {
            Some(found) => wait(ctx, found)?,
            None => Value::NIL,
        };
        put(ctx, hash, key, value)?;
    }
    Ok(hash.value())
}

/// `{ns:, behind: Thread or nil when it has ended, reason:}`
fn wait(ctx: &mut Ctx, wait: &Wait) -> Result {
    let hash = Hash::new(ctx);
    put_number(ctx, hash, "ns", wait.ns)?;
    let holder = ctx.vm().lock().thread_behind(wait);
    let behind = holder.and_then(|holder| {
        ctx.threads().living().find(|state| Arc::ptr_eq(&state.lock_thread, &holder)).map(|state| state.value.get())
    });
    put(ctx, hash, "behind", behind.unwrap_or(Value::NIL))?;
    let reason = Value::symbol(ctx.intern(reason_name(wait.reason)));
    put(ctx, hash, "reason", reason)?;
    Ok(hash.value())
}
