//! File::Constants.

use rubellite_vm::{Class, ClassDef, Ctx, Result, Value};

pub static CONSTANTS: ClassDef =
    ClassDef { name: "File::Constants", superclass: "", setup: Some(setup), ..ClassDef::EMPTY };

const NUMBERS: &[(&str, i32)] = &[
    ("RDONLY", libc::O_RDONLY),
    ("WRONLY", libc::O_WRONLY),
    ("RDWR", libc::O_RDWR),
    ("APPEND", libc::O_APPEND),
    ("CREAT", libc::O_CREAT),
    ("EXCL", libc::O_EXCL),
    ("NONBLOCK", libc::O_NONBLOCK),
    ("TRUNC", libc::O_TRUNC),
    ("NOCTTY", libc::O_NOCTTY),
    ("BINARY", 0),
    ("SHARE_DELETE", 0),
    ("SYNC", libc::O_SYNC),
    ("DSYNC", libc::O_DSYNC),
    ("RSYNC", libc::O_RSYNC),
    ("NOFOLLOW", libc::O_NOFOLLOW),
    ("DIRECTORY", libc::O_DIRECTORY),
    ("TMPFILE", libc::O_TMPFILE),
    ("NOATIME", libc::O_NOATIME),
    ("DIRECT", libc::O_DIRECT),
    ("LOCK_SH", libc::LOCK_SH),
    ("LOCK_EX", libc::LOCK_EX),
    ("LOCK_NB", libc::LOCK_NB),
    ("LOCK_UN", libc::LOCK_UN),
    ("FNM_NOESCAPE", 1),
    ("FNM_PATHNAME", 2),
    ("FNM_DOTMATCH", 4),
    ("FNM_CASEFOLD", 8),
    ("FNM_EXTGLOB", 16),
    ("FNM_SYSCASE", 0),
    ("FNM_SHORTNAME", 0),
];

fn setup(ctx: &mut Ctx, constants: Class) -> Result<()> {
    for (name, value) in NUMBERS {
        constants.set_const(ctx, name, Value::fixnum(*value as i64));
    }
    let null = rubellite_vm::object::Str::ascii(ctx, "/dev/null").value();
    if let Some(header) = null.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    constants.set_const(ctx, "NULL", null);
    let io = ctx.named_class("IO")?;
    io.include(ctx, constants).map_err(|_| rubellite_vm::Unwind)
}
