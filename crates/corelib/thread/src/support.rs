//! Small helpers that the classes of this part share.

use rubellite_core_object::exception;
use rubellite_vm::object::exception::Positions;
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Array, Exception, Hash, Proc, Range, Str};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, FIXNUM_MAX, Result, Sym, Value};
use std::time::{Duration, Instant};

/// The exception that the arguments of `raise` name. Its cause is decided here, in the calling context: without
/// `cause:` it is the caller's `$!`.
pub fn exception_from(ctx: &mut Ctx, args: Args) -> Result {
    let (exception, cause) = if args.is_empty() {
        let class = ctx.error_class("RuntimeError");
        (ctx.new_error(class, ""), None)
    } else {
        exception::from_arguments(ctx, args)?
    };
    let Some(e) = Exception::try_of(exception) else { return Ok(exception) };
    match cause {
        Some(cause) if cause == exception => {}
        Some(cause) if e.is_in_causes(cause) => return Err(ctx.argument_error("circular causes")),
        Some(cause) => e.set_cause(ctx, cause),
        None if !e.cause().is_undef() => {}
        None => {
            let current = ctx.errinfo();
            let cause = if e.is_in_causes(current) { Value::NIL } else { current };
            e.set_cause(ctx, cause);
        }
    }
    Ok(exception)
}

/// The String that names a thread or a ractor. ArgumentError where its encoding does not have ASCII.
pub fn name_arg(ctx: &mut Ctx, value: Value) -> Result<Str> {
    let name = ctx.to_str(value)?;
    if name.encoding().is_ascii_compatible() {
        return Ok(name);
    }
    let encoding = name.encoding().name();
    Err(ctx.argument_error(&format!("ASCII incompatible encoding ({encoding})")))
}

/// File and line where the block of a Proc is written.
pub fn proc_place(_ctx: &Ctx, body: Value) -> Option<(String, i32)> {
    match Proc::try_of(body)?.body() {
        ProcBody::Code(code) => {
            let iseq = code.iseq();
            Some((iseq.script.path.clone(), iseq.line))
        }
        _ => None,
    }
}

/// The stack as Strings or Locations, cut by `(start, length)` or `(range)`; nil when `start` lies outside, unless the
/// length is 0.
pub fn backtrace_value(ctx: &mut Ctx, positions: Positions, method: &str, args: Args) -> Result {
    let list = if method == "backtrace" {
        exception::backtrace::strings(ctx, &positions)
    } else {
        exception::backtrace::locations(ctx, &positions)
    };
    let slice = ctx.intern("[]");
    if args.is_empty() {
        return Ok(list);
    }
    if is_range(args) {
        return ctx.call(list, slice, args.slice());
    }
    let start = ctx.to_int(args.at(0))?;
    if start < 0 {
        return Err(ctx.argument_error(&format!("negative level ({start})")));
    }
    let length = match args.non_nil(1) {
        Some(length) => ctx.to_int(length)?,
        None => i64::MAX >> 2,
    };
    if length < 0 {
        return Err(ctx.argument_error(&format!("negative size ({length})")));
    }
    if length == 0 {
        return Ok(Array::new(ctx).value());
    }
    // No stack is that deep.
    let clamped = |n: i64| Value::fixnum(n.min(FIXNUM_MAX));
    ctx.call(list, slice, &[clamped(start), clamped(length)])
}

/// Whether a part of the stack is asked for by a Range.
pub fn is_range(args: Args) -> bool {
    args.len() == 1 && Range::try_of(args.at(0)).is_some()
}

/// A name as the variables of threads and fibers take it.
pub fn symbol_key(ctx: &mut Ctx, key: Value) -> Result<Sym> {
    ctx.to_symbol(key)
}

/// A warning of the category "experimental".
pub fn warn_experimental(ctx: &mut Ctx, message: &str) -> Result<()> {
    ctx.warn_category(message, Category::Experimental)
}

/// The deadline of a timeout: nil is none. What is no time interval raises.
pub fn deadline_of(ctx: &mut Ctx, timeout: Value) -> Result<Option<Instant>> {
    if timeout.is_nil() {
        return Ok(None);
    }
    let seconds: Duration = crate::interval::duration_of(ctx, timeout)?;
    Ok(ctx.now().checked_add(seconds))
}

/// Seconds as a Float: of anything with `to_f` but text and singletons.
pub fn seconds_of(ctx: &mut Ctx, value: Value) -> Result<f64> {
    if let Some(n) = value.as_fixnum() {
        return Ok(n as f64);
    }
    if let Some(f) = ctx.float_value(value) {
        return Ok(f);
    }
    if matches!(value, Value::TRUE | Value::FALSE) || Str::try_of(value).is_some() {
        // The words of Ruby 4.1, which ruby/spec asks of every Ruby but older CRubies.
        let what = ctx.describe_for_conversion(value);
        return Err(ctx.type_error(&format!("no implicit conversion of {what} into Float")));
    }
    let class = ctx.describe_for_conversion(value);
    let name = ctx.names().to_f;
    let Some(result) = ctx.check_call(value, name, &[])? else {
        return Err(ctx.type_error(&format!("can't convert {class} into Float")));
    };
    match ctx.float_value(result) {
        Some(f) => Ok(f),
        None => {
            let got = ctx.real_class(result).inspect(ctx);
            Err(ctx.type_error(&format!("can't convert {class} to Float ({class}#to_f gives {got})")))
        }
    }
}

/// The moment at which a limit in seconds ends.
pub fn limit_of(ctx: &mut Ctx, limit: Value) -> Result<Instant> {
    let seconds = seconds_of(ctx, limit)?;
    let now = ctx.now();
    if seconds.is_nan() || seconds <= 0.0 {
        return Ok(now);
    }
    let far = now + Duration::from_secs(1 << 31);
    Ok(Duration::try_from_secs_f64(seconds).ok().and_then(|d| now.checked_add(d)).unwrap_or(far))
}

/// A String of text.
pub fn text(ctx: &mut Ctx, text: &str) -> Value {
    Str::utf8(ctx, text).value()
}

/// The keys of a Hash that may be missing (nil).
pub fn keys_of(ctx: &mut Ctx, hash: Value) -> Value {
    match Hash::try_of(hash) {
        Some(hash) => hash.keys(ctx).value(),
        None => Array::new(ctx).value(),
    }
}
