//! Etc: users, groups, the system.

use super::text_hash;
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, primitive};
use std::ffi::CStr;

static ETC: ClassDef = ClassDef {
    name: "Etc",
    superclass: "",
    module_functions: &[
        method("getlogin", Arity::NONE, getlogin),
        method("setpwent", Arity::NONE, |_, _: Value, _| rewind(libc::setpwent)),
        method("endpwent", Arity::NONE, |_, _: Value, _| rewind(libc::endpwent)),
        method("setgrent", Arity::NONE, |_, _: Value, _| rewind(libc::setgrent)),
        method("endgrent", Arity::NONE, |_, _: Value, _| rewind(libc::endgrent)),
        method("confstr", Arity::exact(1), confstr),
        method("nprocessors", Arity::NONE, nprocessors),
        method("uname", Arity::NONE, uname),
        method("sysconf", Arity::exact(1), sysconf),
        method("systmpdir", Arity::NONE, systmpdir),
        method("sysconfdir", Arity::NONE, sysconfdir),
    ],
    setup: Some(setup),
    primitives: &[
        primitive("etc_getpw", Arity::exact(1), getpw),
        primitive("etc_getgr", Arity::exact(1), getgr),
        primitive("etc_nextpw", Arity::NONE, nextpw),
        primitive("etc_nextgr", Arity::NONE, nextgr),
    ],
    ..ClassDef::EMPTY
};

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&ETC)?;
    super::ruby(ctx, "etc", include_str!("etc.rb"))
}

fn setup(ctx: &mut Ctx, etc: Class) -> Result<()> {
    for (name, value) in super::etc_constants::TABLE {
        etc.set_const(ctx, name, Value::fixnum(*value as i64));
    }
    let version = Str::utf8(ctx, "1.4.6").value();
    etc.set_const(ctx, "VERSION", version);
    let io = ctx.named_class("IO")?;
    ctx.define_native(io, &method("pathconf", Arity::exact(1), pathconf));
    Ok(())
}

/// A C string as a String, nil for none.
///
/// # Safety
/// The pointer is null or leads to a C string.
unsafe fn text(ctx: &mut Ctx, at: *const libc::c_char) -> Value {
    if at.is_null() {
        return Value::NIL;
    }
    // SAFETY: by contract; the text is copied.
    let bytes = unsafe { CStr::from_ptr(at) }.to_bytes().to_vec();
    Str::new(ctx, &bytes, rubellite_vm::Encoding::UTF_8).value()
}

fn getlogin(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: the name is copied at once; entries of the user table too.
    unsafe {
        let name = libc::getlogin();
        if !name.is_null() {
            return Ok(text(ctx, name));
        }
        let entry = libc::getpwuid(libc::getuid());
        Ok(if entry.is_null() { Value::NIL } else { text(ctx, (*entry).pw_name) })
    }
}

/// `[name, passwd, uid, gid, gecos, dir, shell]` of a user by number or name, or nil.
fn getpw(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: the entry is static data of the C library, copied before anything else may change it.
    unsafe {
        let entry = match ctx.check_str(args.at(0))? {
            Some(name) => {
                let bytes = name.bytes(ctx).to_vec();
                let name = rubellite_core_io::file::path::to_cstring(ctx, &bytes)?;
                libc::getpwnam(name.as_ptr())
            }
            None => libc::getpwuid(ctx.to_c_uint(args.at(0))?),
        };
        Ok(passwd(ctx, entry))
    }
}

/// The next user of the table, or nil.
fn nextpw(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: as in `getpw`; the VM lock keeps other threads of this VM from the table.
    unsafe {
        let entry = libc::getpwent();
        Ok(passwd(ctx, entry))
    }
}

/// # Safety
/// The pointer is null or leads to an entry of the user table.
unsafe fn passwd(ctx: &mut Ctx, entry: *const libc::passwd) -> Value {
    if entry.is_null() {
        return Value::NIL;
    }
    // SAFETY: by contract.
    unsafe {
        let e = *entry;
        let list = Array::new(ctx);
        for value in [
            text(ctx, e.pw_name),
            text(ctx, e.pw_passwd),
            Value::fixnum(e.pw_uid as i64),
            Value::fixnum(e.pw_gid as i64),
        ] {
            list.push(ctx, value);
        }
        for at in [e.pw_gecos, e.pw_dir, e.pw_shell] {
            let value = text(ctx, at);
            list.push(ctx, value);
        }
        list.value()
    }
}

/// `[name, passwd, gid, members]` of a group by number or name, or nil.
fn getgr(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: as for users.
    unsafe {
        let entry = match ctx.check_str(args.at(0))? {
            Some(name) => {
                let bytes = name.bytes(ctx).to_vec();
                let name = rubellite_core_io::file::path::to_cstring(ctx, &bytes)?;
                libc::getgrnam(name.as_ptr())
            }
            None => libc::getgrgid(ctx.to_c_uint(args.at(0))?),
        };
        Ok(group(ctx, entry))
    }
}

/// The next group of the table, or nil.
fn nextgr(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: as in `nextpw`.
    unsafe {
        let entry = libc::getgrent();
        Ok(group(ctx, entry))
    }
}

/// # Safety
/// The pointer is null or leads to an entry of the group table.
unsafe fn group(ctx: &mut Ctx, entry: *const libc::group) -> Value {
    if entry.is_null() {
        return Value::NIL;
    }
    // SAFETY: by contract; the member list ends with a null.
    unsafe {
        let e = *entry;
        let members = Array::new(ctx);
        let mut at = e.gr_mem;
        while !at.is_null() && !(*at).is_null() {
            let member = text(ctx, *at);
            members.push(ctx, member);
            at = at.add(1);
        }
        let list = Array::new(ctx);
        for value in [text(ctx, e.gr_name), text(ctx, e.gr_passwd), Value::fixnum(e.gr_gid as i64), members.value()] {
            list.push(ctx, value);
        }
        list.value()
    }
}

/// Puts the user or group table back to its beginning.
fn rewind(call: unsafe extern "C" fn()) -> Result {
    // SAFETY: the call takes nothing; the VM lock keeps other threads of this VM from the table.
    unsafe { call() };
    Ok(Value::NIL)
}

/// `Etc.confstr(name)`: text of the system, nil when it has none.
fn confstr(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = ctx.to_c_int(args.at(0))?;
    let mut buf = vec![0u8; 4096];
    // SAFETY: errno is this thread's; the buffer is as long as said.
    let n = unsafe {
        *libc::__errno_location() = 0;
        libc::confstr(name, buf.as_mut_ptr().cast(), buf.len())
    };
    if n == 0 {
        return match errno::last() {
            0 => Ok(Value::NIL),
            e => Err(errno::fail(ctx, e, "confstr")),
        };
    }
    buf.truncate(n.min(buf.len()).saturating_sub(1));
    Ok(Str::new(ctx, &buf, rubellite_vm::Encoding::UTF_8).value())
}

/// `IO#pathconf(name)`: a limit of the file, nil when there is none.
fn pathconf(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_c_int(args.at(0))?;
    let io = rubellite_core_io::io::state::open_state(ctx, recv)?;
    // SAFETY: plain calls; errno is this thread's.
    let value = unsafe {
        *libc::__errno_location() = 0;
        libc::fpathconf(io.fd.get(), name)
    };
    limit(ctx, value, "fpathconf")
}

/// A limit: -1 without an error means none.
fn limit(ctx: &mut Ctx, value: libc::c_long, call: &str) -> Result {
    if value == -1 {
        return match errno::last() {
            0 => Ok(Value::NIL),
            e => Err(errno::fail(ctx, e, call)),
        };
    }
    Ok(ctx.int(value))
}

fn nprocessors(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let count = std::thread::available_parallelism().map_or(1, |n| n.get());
    Ok(Value::fixnum(count as i64))
}

fn uname(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    // SAFETY: the structure is ours; its fields are C strings.
    let fields = unsafe {
        let mut info: libc::utsname = std::mem::zeroed();
        libc::uname(&mut info);
        let field = |at: &[libc::c_char]| CStr::from_ptr(at.as_ptr()).to_string_lossy().into_owned();
        [
            ("sysname", field(&info.sysname)),
            ("nodename", field(&info.nodename)),
            ("release", field(&info.release)),
            ("version", field(&info.version)),
            ("machine", field(&info.machine)),
        ]
    };
    Ok(text_hash(ctx, &fields)?.value())
}

fn sysconf(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = ctx.to_c_int(args.at(0))?;
    // SAFETY: plain calls; errno is this thread's.
    let value = unsafe {
        *libc::__errno_location() = 0;
        libc::sysconf(name)
    };
    limit(ctx, value, "sysconf")
}

fn systmpdir(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::utf8(ctx, "/tmp").value())
}

fn sysconfdir(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::utf8(ctx, "/etc").value())
}
