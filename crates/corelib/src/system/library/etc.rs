//! Etc: users, groups, the system.

use super::text_hash;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method};
use std::ffi::CStr;

static ETC: ClassDef = ClassDef {
    name: "Etc",
    superclass: "",
    module_functions: &[
        method("getlogin", Arity::NONE, getlogin),
        method("__getpw", Arity::exact(1), getpw),
        method("__getgr", Arity::exact(1), getgr),
        method("nprocessors", Arity::NONE, nprocessors),
        method("uname", Arity::NONE, uname),
        method("sysconf", Arity::exact(1), sysconf),
        method("systmpdir", Arity::NONE, systmpdir),
        method("sysconfdir", Arity::NONE, sysconfdir),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&ETC)?;
    super::ruby(ctx, "etc", include_str!("etc.rb"))
}

fn setup(ctx: &mut Ctx, etc: Class) -> Result<()> {
    let numbers = [
        ("SC_NPROCESSORS_ONLN", libc::_SC_NPROCESSORS_ONLN),
        ("SC_NPROCESSORS_CONF", libc::_SC_NPROCESSORS_CONF),
        ("SC_OPEN_MAX", libc::_SC_OPEN_MAX),
        ("SC_PAGESIZE", libc::_SC_PAGESIZE),
        ("SC_PHYS_PAGES", libc::_SC_PHYS_PAGES),
        ("SC_ARG_MAX", libc::_SC_ARG_MAX),
        ("SC_CLK_TCK", libc::_SC_CLK_TCK),
        ("SC_NGROUPS_MAX", libc::_SC_NGROUPS_MAX),
    ];
    for (name, value) in numbers {
        etc.set_const(ctx, name, Value::fixnum(value as i64));
    }
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
                let name = crate::system::file::path::to_cstring(ctx, &bytes)?;
                libc::getpwnam(name.as_ptr())
            }
            None => libc::getpwuid(ctx.to_int(args.at(0))? as libc::uid_t),
        };
        if entry.is_null() {
            return Ok(Value::NIL);
        }
        let e = *entry;
        let list = Array::new(ctx);
        for value in [text(ctx, e.pw_name), text(ctx, e.pw_passwd), Value::fixnum(e.pw_uid as i64), Value::fixnum(e.pw_gid as i64)] {
            list.push(ctx, value);
        }
        for at in [e.pw_gecos, e.pw_dir, e.pw_shell] {
            let value = text(ctx, at);
            list.push(ctx, value);
        }
        Ok(list.value())
    }
}

/// `[name, passwd, gid, members]` of a group by number or name, or nil.
fn getgr(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // SAFETY: as for users; the member list ends with a null.
    unsafe {
        let entry = match ctx.check_str(args.at(0))? {
            Some(name) => {
                let bytes = name.bytes(ctx).to_vec();
                let name = crate::system::file::path::to_cstring(ctx, &bytes)?;
                libc::getgrnam(name.as_ptr())
            }
            None => libc::getgrgid(ctx.to_int(args.at(0))? as libc::gid_t),
        };
        if entry.is_null() {
            return Ok(Value::NIL);
        }
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
        Ok(list.value())
    }
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
    let name = ctx.to_int(args.at(0))? as i32;
    // SAFETY: a plain query.
    let value = unsafe { libc::sysconf(name) };
    Ok(if value < 0 { Value::NIL } else { ctx.int(value) })
}

fn systmpdir(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::utf8(ctx, "/tmp").value())
}

fn sysconfdir(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::utf8(ctx, "/etc").value())
}
