//! File: methods that look at files or change them.

use super::path::{path_bytes, path_string, to_cstring};
use super::{stat, test};
use crate::io::{device, state, waiting};
use rubellite_core_object::errno;
use rubellite_core_time as time;
use rubellite_vm::object::Str;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Arity, Ctx, MethodDef, Result, Value, method};
use std::os::unix::ffi::OsStringExt;

pub const SINGLETON: &[MethodDef] = &[
    method("stat", Arity::exact(1), file_stat),
    method("lstat", Arity::exact(1), file_lstat),
    method("ftype", Arity::exact(1), ftype),
    method("atime", Arity::exact(1), atime),
    method("mtime", Arity::exact(1), mtime),
    method("ctime", Arity::exact(1), ctime),
    method("birthtime", Arity::exact(1), birthtime),
    method("delete", Arity::ANY, unlink),
    method("unlink", Arity::ANY, unlink),
    method("rename", Arity::exact(2), rename),
    method("symlink", Arity::exact(2), symlink),
    method("link", Arity::exact(2), link),
    method("readlink", Arity::exact(1), readlink),
    method("chmod", Arity::at_least(1), chmod),
    method("lchmod", Arity::at_least(1), lchmod),
    method("chown", Arity::at_least(2), chown),
    method("lchown", Arity::at_least(2), lchown),
    method("utime", Arity::at_least(2), utime),
    method("lutime", Arity::at_least(2), lutime),
    method("truncate", Arity::exact(2), truncate),
    method("mkfifo", Arity::range(1, 2), mkfifo),
    method("umask", Arity::range(0, 1), umask),
];

pub const METHODS: &[MethodDef] = &[
    method("lstat", Arity::NONE, instance_lstat),
    method("atime", Arity::NONE, instance_atime),
    method("mtime", Arity::NONE, instance_mtime),
    method("ctime", Arity::NONE, instance_ctime),
    method("birthtime", Arity::NONE, instance_birthtime),
    method("size", Arity::NONE, instance_size),
    method("chmod", Arity::exact(1), instance_chmod),
    method("chown", Arity::exact(2), instance_chown),
    method("truncate", Arity::exact(1), instance_truncate),
    method("flock", Arity::exact(1), flock),
];

/// Runs a call that returns -1 on failure.
fn check(result: i32) -> std::result::Result<(), i32> {
    if result < 0 { Err(errno::last()) } else { Ok(()) }
}

fn file_stat(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    stat::of_path(ctx, args.at(0), true)
}

fn file_lstat(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    stat::of_path(ctx, args.at(0), false)
}

fn instance_lstat(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    let path = io.path.get();
    if path.is_nil() { stat::of_fd(ctx, io.fd.get()) } else { stat::of_path(ctx, path, false) }
}

fn ftype(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    match stat::query(&name, false) {
        Ok(st) => Ok(Str::ascii(ctx, stat::type_name(&st)).value()),
        Err(e) => Err(errno::fail_at(ctx, e, "rb_file_s_ftype", &bytes)),
    }
}

/// One of a file's times.
#[derive(Copy, Clone)]
enum Which {
    Access,
    Modify,
    Change,
}

fn time_of(ctx: &mut Ctx, st: &libc::stat, which: Which) -> Result {
    match which {
        Which::Access => time::at(ctx, st.st_atime, st.st_atime_nsec),
        Which::Modify => time::at(ctx, st.st_mtime, st.st_mtime_nsec),
        Which::Change => time::at(ctx, st.st_ctime, st.st_ctime_nsec),
    }
}

fn file_time(ctx: &mut Ctx, value: Value, which: Which, function: &str) -> Result {
    match test::stat_of(ctx, value)? {
        Ok(st) => time_of(ctx, &st, which),
        Err(e) => {
            let path = test::name_for_message(ctx, value)?;
            Err(errno::fail_at(ctx, e, function, &path))
        }
    }
}

fn atime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    file_time(ctx, args.at(0), Which::Access, "rb_file_s_atime")
}

fn mtime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    file_time(ctx, args.at(0), Which::Modify, "rb_file_s_mtime")
}

fn ctime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    file_time(ctx, args.at(0), Which::Change, "rb_file_s_ctime")
}

fn birthtime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    match stat::birth_of(libc::AT_FDCWD, &name, 0) {
        Ok((secs, nanos)) => time::at(ctx, secs, nanos),
        Err(libc::ENOSYS) => Err(ctx.not_implemented("birthtime is unimplemented on this filesystem")),
        Err(e) => Err(errno::fail_at(ctx, e, "rb_file_s_birthtime", &bytes)),
    }
}

fn instance_time(ctx: &mut Ctx, recv: Value, which: Which) -> Result {
    let io = state::open_state(ctx, recv)?;
    match stat::query_fd(io.fd.get()) {
        Ok(st) => time_of(ctx, &st, which),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

fn instance_atime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    instance_time(ctx, recv, Which::Access)
}

fn instance_mtime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    instance_time(ctx, recv, Which::Modify)
}

fn instance_ctime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    instance_time(ctx, recv, Which::Change)
}

fn instance_birthtime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    match stat::birth_of(io.fd.get(), c"", libc::AT_EMPTY_PATH) {
        Ok((secs, nanos)) => time::at(ctx, secs, nanos),
        Err(_) => Err(ctx.not_implemented("birthtime is unimplemented on this filesystem")),
    }
}

fn instance_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    if io.has(state::mode::WRITE) {
        crate::io::device::flush(ctx, &io)?;
    }
    match stat::query_fd(io.fd.get()) {
        Ok(st) => Ok(ctx.int(st.st_size)),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

/// Applies a call to each of the paths; the number of paths.
fn each_path(ctx: &mut Ctx, paths: Args, function: &str, call: impl Fn(&std::ffi::CStr) -> i32) -> Result {
    let mut names = Vec::new();
    for i in 0..paths.len() {
        let bytes = path_bytes(ctx, paths.at(i))?;
        names.push((to_cstring(ctx, &bytes)?, bytes));
    }
    for (name, bytes) in &names {
        if let Err(e) = check(call(name)) {
            return Err(errno::fail_at(ctx, e, function, bytes));
        }
    }
    Ok(Value::fixnum(names.len() as i64))
}

/// `File.delete(*paths) -> count`
fn unlink(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: the path is a C string.
    each_path(ctx, args, "apply2files", |name| unsafe { libc::unlink(name.as_ptr()) })
}

/// A call with two paths.
fn two_paths(
    ctx: &mut Ctx,
    args: Args,
    function: &str,
    call: impl Fn(&std::ffi::CStr, &std::ffi::CStr) -> i32,
) -> Result {
    let (a, b) = (path_bytes(ctx, args.at(0))?, path_bytes(ctx, args.at(1))?);
    let (from, to) = (to_cstring(ctx, &a)?, to_cstring(ctx, &b)?);
    match check(call(&from, &to)) {
        Ok(()) => Ok(Value::fixnum(0)),
        // Which of the two exists is plain.
        Err(libc::EEXIST) => Err(errno::fail_at(ctx, libc::EEXIST, "syserr_fail2_in", &b)),
        Err(e) => Err(errno::fail_pair(ctx, e, function, &a, &b)),
    }
}

fn rename(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: both paths are C strings.
    two_paths(ctx, args, "rb_file_s_rename", |a, b| unsafe { libc::rename(a.as_ptr(), b.as_ptr()) })
}

fn symlink(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: both paths are C strings.
    two_paths(ctx, args, "rb_file_s_symlink", |a, b| unsafe { libc::symlink(a.as_ptr(), b.as_ptr()) })
}

fn link(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: both paths are C strings.
    two_paths(ctx, args, "rb_file_s_link", |a, b| unsafe { libc::link(a.as_ptr(), b.as_ptr()) })
}

fn readlink(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    use std::os::unix::ffi::OsStrExt;
    let bytes = path_bytes(ctx, args.at(0))?;
    match std::fs::read_link(std::ffi::OsStr::from_bytes(&bytes)) {
        Ok(target) => {
            let target = target.into_os_string().into_vec();
            Ok(path_string(ctx, &target))
        }
        Err(e) => Err(errno::fail_at(ctx, e.raw_os_error().unwrap_or(0), "rb_readlink", &bytes)),
    }
}

fn chmod(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mode = ctx.to_c_uint(args.at(0))?;
    // SAFETY: the path is a C string.
    each_path(ctx, args.from(1), "apply2files", |name| unsafe { libc::chmod(name.as_ptr(), mode) })
}

fn lchmod(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mode = ctx.to_c_uint(args.at(0))?;
    // SAFETY: the path is a C string.
    each_path(ctx, args.from(1), "apply2files", |name| unsafe {
        libc::fchmodat(libc::AT_FDCWD, name.as_ptr(), mode, libc::AT_SYMLINK_NOFOLLOW)
    })
}

/// An owner or group: nil means "leave it".
fn owner(ctx: &mut Ctx, value: Value) -> Result<u32> {
    if value.is_nil() { Ok(u32::MAX) } else { ctx.to_c_uint(value) }
}

fn chown(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (user, group) = (owner(ctx, args.at(0))?, owner(ctx, args.at(1))?);
    // SAFETY: the path is a C string.
    each_path(ctx, args.from(2), "apply2files", |name| unsafe { libc::chown(name.as_ptr(), user, group) })
}

fn lchown(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (user, group) = (owner(ctx, args.at(0))?, owner(ctx, args.at(1))?);
    // SAFETY: the path is a C string.
    each_path(ctx, args.from(2), "apply2files", |name| unsafe { libc::lchown(name.as_ptr(), user, group) })
}

fn set_times(ctx: &mut Ctx, args: Args, flags: i32) -> Result {
    let mut times = [libc::timespec { tv_sec: 0, tv_nsec: libc::UTIME_NOW }; 2];
    // Nil for both is the time now.
    if !(args.at(0).is_nil() && args.at(1).is_nil()) {
        for (i, slot) in times.iter_mut().enumerate() {
            let (secs, nanos) = time::timespec_of(ctx, args.at(i))?;
            *slot = libc::timespec { tv_sec: secs, tv_nsec: nanos };
        }
    }
    // SAFETY: the path is a C string, the times an array of two.
    each_path(ctx, args.from(2), "apply2files", |name| unsafe {
        libc::utimensat(libc::AT_FDCWD, name.as_ptr(), times.as_ptr(), flags)
    })
}

fn utime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    set_times(ctx, args, 0)
}

fn lutime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    set_times(ctx, args, libc::AT_SYMLINK_NOFOLLOW)
}

fn truncate(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let size = ctx.to_int(args.at(1))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    match check(unsafe { libc::truncate(name.as_ptr(), size) }) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail_at(ctx, e, "rb_file_s_truncate", &bytes)),
    }
}

fn mkfifo(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mode = match args.get(1) {
        Some(v) => ctx.to_c_uint(v)?,
        None => 0o666,
    };
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    match check(unsafe { libc::mkfifo(name.as_ptr(), mode) }) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail_at(ctx, e, "rb_file_s_mkfifo", &bytes)),
    }
}

fn umask(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let new = match args.get(0) {
        Some(v) => Some(ctx.to_c_uint(v)?),
        None => None,
    };
    // SAFETY: plain calls.
    let old = unsafe {
        let old = libc::umask(new.unwrap_or(0));
        if new.is_none() {
            libc::umask(old);
        }
        old
    };
    Ok(Value::fixnum(old as i64))
}

fn instance_chmod(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mode = ctx.to_c_uint(args.at(0))?;
    let io = state::open_state(ctx, recv)?;
    // SAFETY: a plain call.
    match check(unsafe { libc::fchmod(io.fd.get(), mode) }) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

fn instance_chown(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (user, group) = (owner(ctx, args.at(0))?, owner(ctx, args.at(1))?);
    let io = state::open_state(ctx, recv)?;
    // SAFETY: a plain call.
    match check(unsafe { libc::fchown(io.fd.get(), user, group) }) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

fn instance_truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let size = ctx.to_int(args.at(0))?;
    let io = state::writable(ctx, recv)?;
    crate::io::device::flush(ctx, &io)?;
    // SAFETY: a plain call.
    match check(unsafe { libc::ftruncate(io.fd.get(), size) }) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => {
            let path = crate::io::device::path_bytes(ctx, &io);
            Err(errno::fail_at(ctx, e, "rb_file_truncate", &path))
        }
    }
}

/// `flock(operation) -> 0 or false`
fn flock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let operation = ctx.to_c_int(args.at(0))?;
    let io = state::open_state(ctx, recv)?;
    if io.has(state::mode::WRITE) {
        device::flush(ctx, &io)?;
    }
    let fd = io.fd.get();
    // SAFETY: a plain call.
    let try_now = move |operation: i32| check(unsafe { libc::flock(fd, operation) });
    loop {
        if !io.owns(fd) {
            return Err(state::closed_elsewhere(ctx));
        }
        let mut outcome = Some(try_now(operation | libc::LOCK_NB));
        if outcome == Some(Err(libc::EWOULDBLOCK)) && operation & libc::LOCK_NB == 0 {
            outcome = waiting::on_list(ctx, &io, fd, Kind::Long, move || try_now(operation))?;
        }
        match outcome {
            Some(Ok(())) => return Ok(Value::fixnum(0)),
            Some(Err(libc::EWOULDBLOCK)) if operation & libc::LOCK_NB != 0 => return Ok(Value::FALSE),
            None | Some(Err(libc::EINTR | libc::EWOULDBLOCK)) => ctx.check_interrupts()?,
            Some(Err(e)) => return Err(device::fail(ctx, &io, e, "rb_file_flock")),
        }
    }
}
