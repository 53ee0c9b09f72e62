//! Process.clock_gettime and clock_getres, and durations as arguments.

use rubellite_core_object::errno;
use rubellite_core_thread::schedule;
use rubellite_vm::object::Int;
use rubellite_vm::{Args, Arity, Ctx, MethodDef, Result, Value, method};

pub const FUNCTIONS: &[MethodDef] = &[
    method("clock_gettime", Arity::range(1, 2), clock_gettime),
    method("clock_getres", Arity::range(1, 2), clock_getres),
];

/// Clocks as constants of Process.
pub const CLOCKS: &[(&str, i32)] = &[
    ("CLOCK_REALTIME", libc::CLOCK_REALTIME),
    ("CLOCK_MONOTONIC", libc::CLOCK_MONOTONIC),
    ("CLOCK_PROCESS_CPUTIME_ID", libc::CLOCK_PROCESS_CPUTIME_ID),
    ("CLOCK_THREAD_CPUTIME_ID", libc::CLOCK_THREAD_CPUTIME_ID),
    ("CLOCK_MONOTONIC_RAW", libc::CLOCK_MONOTONIC_RAW),
    ("CLOCK_REALTIME_COARSE", libc::CLOCK_REALTIME_COARSE),
    ("CLOCK_MONOTONIC_COARSE", libc::CLOCK_MONOTONIC_COARSE),
    ("CLOCK_BOOTTIME", libc::CLOCK_BOOTTIME),
    ("CLOCK_REALTIME_ALARM", libc::CLOCK_REALTIME_ALARM),
    ("CLOCK_BOOTTIME_ALARM", libc::CLOCK_BOOTTIME_ALARM),
    ("CLOCK_TAI", libc::CLOCK_TAI),
];

fn in_unit(ctx: &mut Ctx, time: libc::timespec, unit: Option<Value>) -> Result {
    let (secs, nanos) = (time.tv_sec, time.tv_nsec);
    let seconds = secs as f64 + nanos as f64 / 1e9;
    let name = match unit {
        None | Some(Value::NIL) => "float_second".to_string(),
        Some(v) => match v.as_symbol() {
            Some(sym) => ctx.sym_str(sym),
            None => {
                let text = ctx.inspect(v)?;
                return Err(ctx.argument_error(&format!("unexpected unit: {}", text.trim_matches('"'))));
            }
        },
    };
    let total = secs as i128 * 1_000_000_000 + nanos as i128;
    let float = |ctx: &mut Ctx, f: f64| Ok(ctx.float(f));
    match name.as_str() {
        "float_second" => float(ctx, seconds),
        "float_millisecond" => float(ctx, secs as f64 * 1e3 + nanos as f64 / 1e6),
        "float_microsecond" => float(ctx, secs as f64 * 1e6 + nanos as f64 / 1e3),
        "second" => Ok(ctx.int(secs)),
        "millisecond" => Ok(Int::from(total.div_euclid(1_000_000)).into_value(ctx)),
        "microsecond" => Ok(Int::from(total.div_euclid(1_000)).into_value(ctx)),
        "nanosecond" => Ok(Int::from(total).into_value(ctx)),
        _ => Err(ctx.argument_error(&format!("unexpected unit: {name}"))),
    }
}

/// The clock of an argument: a number, or a symbol of an emulation.
fn clock_id(ctx: &mut Ctx, value: Value) -> Result<Option<i32>> {
    let Some(sym) = value.as_symbol() else { return Ok(Some(ctx.to_c_int(value)?)) };
    Ok(match ctx.sym_bytes(sym) {
        b"CLOCK_THREAD_CPUTIME_ID" => Some(libc::CLOCK_THREAD_CPUTIME_ID),
        b"CLOCK_PROCESS_CPUTIME_ID" => Some(libc::CLOCK_PROCESS_CPUTIME_ID),
        b"CLOCK_MONOTONIC" => Some(libc::CLOCK_MONOTONIC),
        b"CLOCK_REALTIME" | b"GETTIMEOFDAY_BASED_CLOCK_REALTIME" | b"TIME_BASED_CLOCK_REALTIME" => {
            Some(libc::CLOCK_REALTIME)
        }
        b"TIMES_BASED_CLOCK_MONOTONIC" => Some(libc::CLOCK_MONOTONIC),
        b"GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | b"TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | b"CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => Some(libc::CLOCK_PROCESS_CPUTIME_ID),
        _ => None,
    })
}

fn unknown_clock(ctx: &mut Ctx, clock: Value, function: &str) -> rubellite_vm::Unwind {
    match ctx.inspect(clock) {
        Ok(text) => errno::fail(ctx, libc::EINVAL, &format!("{function}({text})")),
        Err(unwind) => unwind,
    }
}

/// `Process.clock_gettime(clock, unit = :float_second)`
fn clock_gettime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let Some(clock) = clock_id(ctx, args.at(0))? else {
        return Err(unknown_clock(ctx, args.at(0), "clock_gettime"));
    };
    // SAFETY: the timespec is ours.
    if unsafe { libc::clock_gettime(clock, &mut time) } != 0 {
        return Err(unknown_clock(ctx, args.at(0), "clock_gettime"));
    }
    if let Some(fixed) = schedule::clock(ctx, clock) {
        time = fixed;
    }
    if args.at(0).as_symbol().is_some_and(|s| ctx.sym_bytes(s).starts_with(b"TIME_BASED")) {
        time.tv_nsec = 0;
    }
    in_unit(ctx, time, args.get(1))
}

fn clock_getres(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let Some(clock) = clock_id(ctx, args.at(0))? else {
        return Err(unknown_clock(ctx, args.at(0), "clock_getres"));
    };
    let emulated = args
        .at(0)
        .as_symbol()
        .filter(|sym| !ctx.sym_bytes(*sym).starts_with(b"CLOCK_") || ctx.sym_bytes(*sym).starts_with(b"CLOCK_BASED"));
    if let Some(sym) = emulated {
        time.tv_nsec = match ctx.sym_bytes(sym) {
            b"TIME_BASED_CLOCK_REALTIME" => {
                time.tv_sec = 1;
                0
            }
            b"TIMES_BASED_CLOCK_MONOTONIC" | b"TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" => 10_000_000,
            _ => 1000,
        };
    } else {
        // SAFETY: the timespec is ours.
        if unsafe { libc::clock_getres(clock, &mut time) } != 0 {
            return Err(unknown_clock(ctx, args.at(0), "clock_getres"));
        }
    }
    if args.at(1).as_symbol().is_some_and(|s| ctx.sym_bytes(s) == b"hertz") {
        let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
        return Ok(ctx.float(1.0 / seconds));
    }
    in_unit(ctx, time, args.get(1))
}
