//! Time intervals that programs give: of `sleep`, of timeouts, of Time arithmetic.

use rubellite_vm::object::{Float, integer};
use rubellite_vm::{Ctx, Result, Value};
use std::time::Duration;

/// A number of seconds as a duration. TypeError "can't convert X into time interval", ArgumentError
/// "time interval must not be negative".
pub fn duration_of(ctx: &mut Ctx, value: Value) -> Result<Duration> {
    let negative = |ctx: &mut Ctx| ctx.argument_error("time interval must not be negative");
    // Also -Infinity, which has no whole seconds.
    if Float::value_of(value).is_some_and(|f| f < 0.0) {
        return Err(negative(ctx));
    }
    let (secs, nanos) = seconds_of(ctx, value, "time interval")?;
    match u64::try_from(secs) {
        Ok(secs) => Ok(Duration::new(secs, nanos as u32)),
        Err(_) => Err(negative(ctx)),
    }
}

/// Whole seconds, rounded down, and nanoseconds of a number, or of what has `divmod`; `what` names them in the
/// TypeError for all else. RangeError when the seconds are no C long.
pub fn seconds_of(ctx: &mut Ctx, value: Value, what: &str) -> Result<(i64, i64)> {
    if integer::is_integer(value) {
        return Ok((ctx.to_int(value)?, 0));
    }
    if let Some(seconds) = Float::value_of(value) {
        return float_seconds(ctx, seconds);
    }
    let divmod = ctx.intern("divmod");
    if value.is_immediate() || !ctx.respond_to(value, divmod, true)? {
        let class = ctx.real_class(value).inspect(ctx);
        return Err(ctx.type_error(&format!("can't convert {class} into {what}")));
    }
    let parts = ctx.call(value, divmod, &[Value::fixnum(1)])?;
    let parts = ctx.to_ary(parts)?;
    let (whole, rest) = (parts.get(0).unwrap_or(Value::NIL), parts.get(1).unwrap_or(Value::NIL));
    let secs = ctx.to_int(whole)?;
    let times = ctx.intern("*");
    let nanos = ctx.call(rest, times, &[Value::fixnum(1_000_000_000)])?;
    Ok((secs, ctx.to_int(nanos)?.clamp(0, 999_999_999)))
}

fn float_seconds(ctx: &mut Ctx, seconds: f64) -> Result<(i64, i64)> {
    let whole = seconds.floor();
    let limit = -(i64::MIN as f64);
    if !(-limit..limit).contains(&whole) {
        let text = match seconds {
            f if f.is_nan() => "NaN".to_string(),
            f if f.is_infinite() => if f > 0.0 { "Inf" } else { "-Inf" }.to_string(),
            f => format!("{f:.6}"),
        };
        return Err(ctx.range_error(&format!("{text} out of Time range")));
    }
    match ((seconds - whole) * 1e9).round() as i64 {
        1_000_000_000 => Ok((whole as i64 + 1, 0)),
        nanos => Ok((whole as i64, nanos)),
    }
}
