//! Fixed schedules: `--schedule=SEED`. With one, every thread switch follows from the seed, and time is the schedule's
//! own (`vmlock`): it goes on by a microsecond at each safepoint and leaps when everybody sleeps. So do Time.now and
//! the monotonic clock, and seeds of Random come from the schedule's seed.
//!
//! Left as they are: what comes from outside the process (descriptors, signals, child processes), CPU clocks, addresses
//! (object ids are counted, so only `inspect` and `hash` of plain objects show them), SecureRandom.

use rubellite_vm::vmlock::SeededSchedule;
use rubellite_vm::{Args, Ctx, Extension, Result, Value};
use std::cell::RefCell;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

/// `SEED`, or `SEED,SWITCHES`: after so many forced switches no more are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub seed: u64,
    pub switches_max: Option<u64>,
}

impl FromStr for Plan {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Plan, String> {
        let (seed, limit) = match text.split_once(',') {
            Some((seed, limit)) => (seed, Some(limit)),
            None => (text, None),
        };
        let number = |text: &str| {
            text.parse::<u64>().map_err(|_| format!("invalid schedule: {text} (a seed, or seed,switches)"))
        };
        Ok(Plan { seed: number(seed)?, switches_max: limit.map(number).transpose()? })
    }
}

impl Plan {
    /// The key for hash values.
    pub fn hash_seed(self) -> u64 {
        mix(self.seed)
    }

    /// How rarely a safepoint switches: seeds differ in it, because some races need many switches and some a single one
    /// at the right place.
    fn one_in(self) -> u32 {
        2 << (mix(self.seed ^ 0x5eed) % 12)
    }
}

/// Steele, Lea and Flood's SplitMix64 finisher.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The schedule of a VM.
#[derive(Default)]
struct Fixed(RefCell<Option<State>>);

struct State {
    plan: Plan,
    schedule: Arc<SeededSchedule>,
    /// Seeds given to Random so far.
    seeds: u64,
    began: Instant,
}

impl Extension for Fixed {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Fixes every switch from now on. To be called while there is one thread.
pub fn start(ctx: &mut Ctx, plan: Plan) {
    let schedule = SeededSchedule::new(plan.seed, plan.one_in()).with_at_most(plan.switches_max.unwrap_or(u64::MAX));
    let schedule = Arc::new(schedule);
    ctx.vm().lock().set_schedule(Some(schedule.clone()));
    let began = ctx.now();
    *ctx.extension::<Fixed>().0.borrow_mut() = Some(State { plan, schedule, seeds: 0, began });
}

/// A clock under a schedule; `None`: without one, and for clocks of used processor time. Wall clocks begin at the start
/// of the year 2000, the others at one second.
pub fn clock(ctx: &Ctx, clock: i32) -> Option<libc::timespec> {
    if !ctx.vm().lock().is_controlled() {
        return None;
    }
    let base_s = match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => 946_684_800,
        libc::CLOCK_MONOTONIC | libc::CLOCK_MONOTONIC_RAW | libc::CLOCK_MONOTONIC_COARSE | libc::CLOCK_BOOTTIME => 1,
        _ => return None,
    };
    let began = ctx.extension::<Fixed>().0.borrow().as_ref()?.began;
    let past = ctx.now().saturating_duration_since(began);
    Some(libc::timespec { tv_sec: base_s + past.as_secs() as i64, tv_nsec: i64::from(past.subsec_nanos()) })
}

/// A seed for Random; `None` without a schedule.
pub fn next_seed(ctx: &Ctx) -> Option<u64> {
    let mut fixed = ctx.extension::<Fixed>().0.borrow_mut();
    let state = fixed.as_mut()?;
    state.seeds += 1;
    Some(mix(state.plan.seed.wrapping_add(state.seeds.wrapping_mul(0x0123_4567_89ab_cdef))))
}

/// How many switches were forced so far; `None` without a schedule.
pub fn forced(ctx: &Ctx) -> Option<u64> {
    ctx.extension::<Fixed>().0.borrow().as_ref().map(|state| state.schedule.forced())
}

/// `schedule -> {seed:, switches:}` or nil: the seed that fixes the switches, and how many were forced so far.
pub fn schedule(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let Some((seed, switches)) =
        ctx.extension::<Fixed>().0.borrow().as_ref().map(|s| (s.plan.seed, s.schedule.forced()))
    else {
        return Ok(Value::NIL);
    };
    let hash = rubellite_vm::object::Hash::new(ctx);
    for (key, number) in [("seed", seed), ("switches", switches)] {
        let number = ctx.uint(number);
        let key = Value::symbol(ctx.intern(key));
        hash.insert(ctx, key, number)?;
    }
    Ok(hash.value())
}

/// The environment variable that names a file for `report`.
pub const REPORT: &str = "RUBELLITE_SCHEDULE_REPORT";

/// Writes the number of forced switches where `rubellite explore` looks for it.
pub fn report(ctx: &mut Ctx) {
    let switches = ctx.extension::<Fixed>().0.borrow().as_ref().map(|state| state.schedule.forced());
    if let (Some(switches), Some(path)) = (switches, std::env::var_os(REPORT)) {
        let _ = std::fs::write(path, switches.to_string());
    }
}
