//! Resource limits: `Process.getrlimit`, `setrlimit` and the `rlimit_*` options of `spawn`.

use crate::system::errno;
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
            None => return Ok(ctx.to_int(value)? as u32),
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
        None => match ctx.check_str(value)? {
            Some(text) => Some(text.to_lossy(ctx).into_owned()),
            None => None,
        },
    };
    match name.as_deref() {
        Some("INFINITY" | "SAVED_MAX" | "SAVED_CUR") => Ok(libc::RLIM_INFINITY),
        Some(name) => Err(ctx.argument_error(&format!("invalid resource value: {name}"))),
        None => {
            let number = ctx.to_integer(value)?;
            Ok(Int::of(number).map_or(0, |n| n.low_u64()))
        }
    }
}

/// One limit for both, or `[soft, hard]`.
pub fn pair_of(ctx: &mut Ctx, value: Value) -> Result<libc::rlimit> {
    match Array::try_of(value) {
        Some(list) if list.len() == 2 => {
            let (soft, hard) = (list.get(0).unwrap_or(Value::NIL), list.get(1).unwrap_or(Value::NIL));
            Ok(libc::rlimit { rlim_cur: limit_value(ctx, soft)?, rlim_max: limit_value(ctx, hard)? })
        }
        Some(list) if list.len() == 1 => {
            let both = limit_value(ctx, list.get(0).unwrap_or(Value::NIL))?;
            Ok(libc::rlimit { rlim_cur: both, rlim_max: both })
        }
        Some(_) => Err(ctx.argument_error("wrong exec rlimit value")),
        None => {
            let both = limit_value(ctx, value)?;
            Ok(libc::rlimit { rlim_cur: both, rlim_max: both })
        }
    }
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
    Ok(Value::NIL)
}
