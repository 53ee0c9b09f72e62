//! Time.

use rubellite_vm::{Ctx, Result, Value};

/// A local Time of seconds and nanoseconds since 1970.
pub fn at(ctx: &mut Ctx, secs: i64, nanos: i64) -> Result {
    let class = ctx.classes().time.get();
    let nsec = Value::symbol(ctx.intern("nsec"));
    let (secs, nanos) = (ctx.int(secs), ctx.int(nanos));
    ctx.call_name(class, "at", &[secs, nanos, nsec])
}

/// Seconds and nanoseconds of a Time or a number of seconds.
pub fn timespec_of(ctx: &mut Ctx, value: Value) -> Result<(i64, i64)> {
    let seconds = ctx.to_float(value)?;
    let whole = seconds.floor();
    Ok((whole as i64, ((seconds - whole) * 1e9) as i64))
}
