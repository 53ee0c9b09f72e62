//! Resource limits: `Process.getrlimit`, `setrlimit` and the `rlimit_*` options of `spawn`.

use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Int};
use rubellite_vm::{Args, Ctx, Result, Value};

pub const RESOURCES: &[(&str, u32)] = &[
    ("as", libc::RLIMIT_AS as u32),
    ("core", libc::RLIMIT_CORE as u32),
    ("cpu", libc::RLIMIT_CPU as u32),
    ("data", libc::RLIMIT_DATA as u32),
    ("fsize", libc::RLIMIT_FSIZE as u32),
    ("memlock", libc::RLIMIT_MEMLOCK as u32),
    ("msgqueue", libc::RLIMIT_MSGQUEUE as u32),
    ("nice", libc::RLIMIT_NICE as u32),
    ("nofile", libc::RLIMIT_NOFILE as u32),
    ("nproc", libc::RLIMIT_NPROC as u32),
    ("rss", libc::RLIMIT_RSS as u32),
    ("rtprio", libc::RLIMIT_RTPRIO as u32),
    ("rttime", libc::RLIMIT_RTTIME as u32),
    ("sigpending", libc::RLIMIT_SIGPENDING as u32),
    ("stack", libc::RLIMIT_STACK as u32),
];

/// The resource of a name in lower case.
pub fn resource(name: &str) -> Option<u32> {
    RESOURCES.iter().find(|(n, _)| *n == name).map(|(_, id)| *id)
}

fn resource_arg(ctx: &mut Ctx, value: Value) -> Result<u32> {
    let name = match value.as_symbol() {
        Some(sym) => ctx.sym_str(sym),
        None => match ctx.check_str(value)? {
            Some(text) => text.to_lossy(ctx).into_owned(),
            None => return Ok(ctx.to_c_int(value)? as u32),
        },
    };
    match resource(&name.to_ascii_lowercase()).filter(|_| name == name.to_ascii_uppercase()) {
        Some(id) => Ok(id),
        None => Err(ctx.argument_error(&format!("invalid resource name: {name}"))),
    }
}

fn limit_value(ctx: &mut Ctx, value: Value) -> Result<libc::rlim_t> {
    let name = match value.as_symbol() {
        Some(sym) => Some(ctx.sym_str(sym)),
        None => ctx.check_str(value)?.map(|text| text.to_lossy(ctx).into_owned()),
    };
    match name.as_deref() {
        Some("INFINITY" | "SAVED_MAX" | "SAVED_CUR") => Ok(libc::RLIM_INFINITY),
        Some(name) => Err(ctx.argument_error(&format!("invalid resource value: {name}"))),
        None => {
            let limit = ctx.to_integer(value)?;
            number(ctx, limit)
        }
    }
}

/// One limit for both, or `[soft, hard]`; names of limits stand for nothing here.
pub fn pair_of(ctx: &mut Ctx, value: Value) -> Result<libc::rlimit> {
    let (soft, hard) = match ctx.check_array(value)? {
        Some(list) if matches!(list.len(), 1 | 2) => {
            let soft = list.get(0).unwrap_or(Value::NIL);
            (soft, list.get(1).unwrap_or(soft))
        }
        Some(_) => return Err(ctx.argument_error("wrong exec rlimit option")),
        None => (value, value),
    };
    let (soft, hard) = (ctx.to_integer(soft)?, ctx.to_integer(hard)?);
    Ok(libc::rlimit { rlim_cur: number(ctx, soft)?, rlim_max: number(ctx, hard)? })
}

/// An Integer as a limit: that of 64 bits, where -1 is no limit.
fn number(ctx: &mut Ctx, value: Value) -> Result<libc::rlim_t> {
    let limit = Int::try_of(value).and_then(|n| n.to_u64().or_else(|| n.to_i64().map(|n| n as u64)));
    limit.ok_or_else(|| ctx.range_error("bignum too big to convert into 'unsigned long'"))
}

pub fn getrlimit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let id = resource_arg(ctx, args.at(0))?;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    if unsafe { libc::getrlimit(id as _, &mut limit) } != 0 {
        return Err(errno::fail(ctx, errno::last(), "getrlimit"));
    }
    let (soft, hard) = (ctx.uint(limit.rlim_cur), ctx.uint(limit.rlim_max));
    Ok(Array::from_slice(ctx, &[soft, hard]).value())
}

pub fn setrlimit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let id = resource_arg(ctx, args.at(0))?;
    let soft = limit_value(ctx, args.at(1))?;
    let hard = match args.get(2) {
        Some(v) => limit_value(ctx, v)?,
        None => soft,
    };
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: the structure is ours.
    if unsafe { libc::setrlimit(id as _, &limit) } != 0 {
        return Err(errno::fail(ctx, errno::last(), "setrlimit"));
    }
    rubellite_vm::address_space::limited_anew();
    Ok(Value::NIL)
}
