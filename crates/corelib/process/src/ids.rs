//! Process: ids, groups, priorities, times.

use rubellite_core_object::errno;
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, Ctx, MethodDef, PrimitiveDef, Result, Value, method, primitive};

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("process_user_id", Arity::ONE, super::privilege::user_id_of),
    primitive("process_group_id", Arity::ONE, super::privilege::group_id_of),
    primitive("process_ids", Arity::NONE, super::privilege::ids),
    primitive("process_times", Arity::NONE, times),
    primitive("process_pid_arg", Arity::NONE, pid_arg),
];

pub const MODULE: &[MethodDef] = &[
    method("pid", Arity::NONE, pid),
    method("ppid", Arity::NONE, ppid),
    method("uid", Arity::NONE, uid),
    method("gid", Arity::NONE, gid),
    method("euid", Arity::NONE, euid),
    method("egid", Arity::NONE, egid),
    method("uid=", Arity::exact(1), set_uid),
    method("gid=", Arity::exact(1), set_gid),
    method("euid=", Arity::exact(1), set_euid),
    method("egid=", Arity::exact(1), set_egid),
    method("groups", Arity::NONE, groups),
    method("groups=", Arity::exact(1), set_groups),
    method("initgroups", Arity::exact(2), super::privilege::initgroups),
    method("getpgrp", Arity::NONE, getpgrp),
    method("setpgrp", Arity::NONE, setpgrp),
    method("getpgid", Arity::exact(1), getpgid),
    method("setpgid", Arity::exact(2), setpgid),
    method("getsid", Arity::range(0, 1), getsid),
    method("setsid", Arity::NONE, setsid),
    method("getpriority", Arity::exact(2), getpriority),
    method("setpriority", Arity::exact(3), setpriority),
    method("getrlimit", Arity::exact(1), super::limit::getrlimit),
    method("setrlimit", Arity::range(2, 3), super::limit::setrlimit),
    method("argv0", Arity::NONE, argv0),
    method("setproctitle", Arity::exact(1), setproctitle),
    method("warmup", Arity::NONE, warmup),
];

pub(super) fn check(ctx: &mut Ctx, result: i32) -> Result {
    if result < 0 { Err(errno::fail(ctx, errno::last(), "")) } else { Ok(Value::fixnum(result as i64)) }
}

/// A process id from an argument, for the part in Ruby.
fn pid_arg(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let pid = ctx.to_c_int(recv)?;
    Ok(Value::fixnum(i64::from(pid)))
}

macro_rules! queries {
    ($($name:ident: $call:ident;)*) => {
        $(fn $name(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
            // SAFETY: a plain query.
            Ok(Value::fixnum(unsafe { libc::$call() } as i64))
        })*
    };
}

queries! {
    pid: getpid;
    ppid: getppid;
    uid: getuid;
    gid: getgid;
    euid: geteuid;
    egid: getegid;
    getpgrp: getpgrp;
}

/// The id of a user from a number or a name.
pub(super) fn user_id(ctx: &mut Ctx, value: Value) -> Result<libc::uid_t> {
    let Some(name) = ctx.check_str(value)? else { return ctx.to_c_uint(value) };
    let name = rubellite_core_io::file::path::to_cstring(ctx, &name.bytes(ctx).to_vec())?;
    // SAFETY: a C string; the entry is read before any other call.
    let id = unsafe { libc::getpwnam(name.as_ptr()).as_ref().map(|entry| entry.pw_uid) };
    id.ok_or_else(|| ctx.argument_error(&format!("can't find user for {}", name.to_string_lossy())))
}

/// The id of a group from a number or a name.
pub(super) fn group_id(ctx: &mut Ctx, value: Value) -> Result<libc::gid_t> {
    let Some(name) = ctx.check_str(value)? else { return ctx.to_c_uint(value) };
    let name = rubellite_core_io::file::path::to_cstring(ctx, &name.bytes(ctx).to_vec())?;
    // SAFETY: as above.
    let id = unsafe { libc::getgrnam(name.as_ptr()).as_ref().map(|entry| entry.gr_gid) };
    id.ok_or_else(|| ctx.argument_error(&format!("can't find group for {}", name.to_string_lossy())))
}

/// An id that stays as it is.
const SAME: u32 = u32::MAX;

macro_rules! setters {
    ($($name:ident: $id:ident, |$given:ident| $call:ident($real:expr, $effective:expr);)*) => {
        $(fn $name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
            let $given = $id(ctx, args.at(0))?;
            // SAFETY: a plain call.
            let result = unsafe { libc::$call($real, $effective, SAME) };
            check(ctx, result)?;
            Ok(args.at(0))
        })*
    };
}

setters! {
    set_uid: user_id, |id| setresuid(id, SAME);
    set_gid: group_id, |id| setresgid(id, SAME);
    set_euid: user_id, |id| setresuid(SAME, id);
    set_egid: group_id, |id| setresgid(SAME, id);
}

pub(super) fn groups(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let mut list = vec![0; 65536];
    // SAFETY: the list is as long as said.
    let count = unsafe { libc::getgroups(list.len() as i32, list.as_mut_ptr()) };
    check(ctx, count)?;
    let all = Array::new(ctx);
    for group in &list[..count.max(0) as usize] {
        all.push(ctx, Value::fixnum(*group as i64));
    }
    Ok(all.value())
}

/// More than this the kernel does not keep.
const GROUPS_MAX: usize = 65536;

/// `Process.groups = [id or name, ...]`
fn set_groups(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(list) = Array::try_of(args.at(0)) else {
        let class = ctx.describe_for_conversion(args.at(0));
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Array)")));
    };
    if list.len() > GROUPS_MAX {
        return Err(ctx.argument_error(&format!("too many groups, {GROUPS_MAX} max")));
    }
    let mut ids: Vec<libc::gid_t> = Vec::new();
    let mut i = 0;
    while let Some(item) = list.get(i) {
        let id = group_id(ctx, item)?;
        ids.push(id);
        i += 1;
    }
    // SAFETY: the list is as long as said.
    check(ctx, unsafe { libc::setgroups(ids.len(), ids.as_ptr()) })?;
    Ok(args.at(0))
}

fn setpgrp(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: a plain call.
    let result = unsafe { libc::setpgid(0, 0) };
    check(ctx, result)?;
    Ok(Value::fixnum(0))
}

fn getpgid(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let pid = ctx.to_c_int(args.at(0))?;
    // SAFETY: a plain query.
    let result = unsafe { libc::getpgid(pid) };
    check(ctx, result)
}

fn setpgid(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (pid, group) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?);
    // SAFETY: a plain call.
    let result = unsafe { libc::setpgid(pid, group) };
    check(ctx, result)?;
    Ok(Value::fixnum(0))
}

fn getsid(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let pid = match args.get(0) {
        Some(v) if !v.is_nil() => ctx.to_c_int(v)?,
        _ => 0,
    };
    // SAFETY: a plain query.
    let result = unsafe { libc::getsid(pid) };
    check(ctx, result)
}

fn setsid(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: a plain call.
    let result = unsafe { libc::setsid() };
    check(ctx, result)
}

fn getpriority(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (kind, id) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?);
    // SAFETY: plain calls; -1 is a valid answer, so errno tells.
    let (result, e) = unsafe {
        *libc::__errno_location() = 0;
        let result = libc::getpriority(kind as _, id as _);
        (result, *libc::__errno_location())
    };
    if e != 0 {
        return Err(errno::fail(ctx, e, ""));
    }
    Ok(Value::fixnum(result as i64))
}

fn setpriority(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (kind, id, value) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?, ctx.to_c_int(args.at(2))?);
    // SAFETY: a plain call.
    let result = unsafe { libc::setpriority(kind as _, id as _, value) };
    check(ctx, result)
}

/// User and system time of the process and of its children, in seconds.
fn times(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let all = Array::new(ctx);
    for who in [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN] {
        // SAFETY: the structure is ours.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        for time in [usage.ru_utime, usage.ru_stime] {
            let seconds = ctx.float(time.tv_sec as f64 + time.tv_usec as f64 / 1e6);
            all.push(ctx, seconds);
        }
    }
    Ok(all.value())
}

fn argv0(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.extension::<crate::title::Title>().argv0.get())
}

fn setproctitle(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let title = ctx.to_str(args.at(0))?;
    rubellite_core_io::file::path::to_cstring(ctx, &title.bytes(ctx).to_vec())?;
    crate::title::show(ctx, title);
    Ok(args.at(0))
}

fn warmup(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // What lives through both is old.
    ctx.collect_garbage();
    ctx.collect_young();
    Ok(Value::TRUE)
}
