//! Time.

use rubellite_vm::{Ctx, Result, Value};

/// A local Time of seconds and nanoseconds since 1970.
pub fn at(ctx: &mut Ctx, secs: i64, nanos: i64) -> Result {
    let class = ctx.classes().time.get();
    let nsec = Value::symbol(ctx.intern("nsec"));
    let (secs, nanos) = (ctx.int(secs), ctx.int(nanos));
    ctx.call_name(class, "at", &[secs, nanos, nsec])
}
