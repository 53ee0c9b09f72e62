//! Questions about files by name: the methods that FileTest and File share, and Kernel#test.

use super::path::{PathBytes, path_bytes, to_cstring};
use super::stat::{in_group, is_kind, query, query_fd, world};
use crate::io::{open, state};
use rubellite_core_object::errno;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, MethodDef, Result, Value, method};

pub static FILE_TEST: ClassDef =
    ClassDef { name: "FileTest", superclass: "", module_functions: QUESTIONS, ..ClassDef::EMPTY };

pub const QUESTIONS: &[MethodDef] = &[
    method("exist?", Arity::exact(1), exist_p),
    method("file?", Arity::exact(1), file_p),
    method("directory?", Arity::exact(1), directory_p),
    method("symlink?", Arity::exact(1), symlink_p),
    method("pipe?", Arity::exact(1), pipe_p),
    method("socket?", Arity::exact(1), socket_p),
    method("blockdev?", Arity::exact(1), blockdev_p),
    method("chardev?", Arity::exact(1), chardev_p),
    method("readable?", Arity::exact(1), readable_p),
    method("readable_real?", Arity::exact(1), readable_real_p),
    method("writable?", Arity::exact(1), writable_p),
    method("writable_real?", Arity::exact(1), writable_real_p),
    method("executable?", Arity::exact(1), executable_p),
    method("executable_real?", Arity::exact(1), executable_real_p),
    method("world_readable?", Arity::exact(1), world_readable_p),
    method("world_writable?", Arity::exact(1), world_writable_p),
    method("owned?", Arity::exact(1), owned_p),
    method("grpowned?", Arity::exact(1), grpowned_p),
    method("size", Arity::exact(1), size),
    method("size?", Arity::exact(1), size_p),
    method("zero?", Arity::exact(1), zero_p),
    method("empty?", Arity::exact(1), zero_p),
    method("setuid?", Arity::exact(1), setuid_p),
    method("setgid?", Arity::exact(1), setgid_p),
    method("sticky?", Arity::exact(1), sticky_p),
    method("identical?", Arity::exact(2), identical_p),
];

/// stat(2) of an argument that is an IO or a path.
pub fn stat_of(ctx: &mut Ctx, value: Value) -> Result<std::result::Result<libc::stat, i32>> {
    if !value.has_tag(rubellite_vm::Tag::String)
        && let Some(io) = open::check_io(ctx, value)?
    {
        let io = state::open_state(ctx, io)?;
        return Ok(query_fd(io.fd.get()));
    }
    let bytes = path_bytes(ctx, value)?;
    let name = to_cstring(ctx, &bytes)?;
    Ok(query(&name, true))
}

macro_rules! by_stat {
    ($($name:ident: |$st:ident| $value:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
            Ok(match stat_of(ctx, args.at(0))? {
                Ok($st) => Value::from_bool($value),
                Err(_) => Value::FALSE,
            })
        })*
    };
}

by_stat! {
    exist_p: |_st| true;
    file_p: |st| is_kind(&st, libc::S_IFREG);
    directory_p: |st| is_kind(&st, libc::S_IFDIR);
    pipe_p: |st| is_kind(&st, libc::S_IFIFO);
    socket_p: |st| is_kind(&st, libc::S_IFSOCK);
    blockdev_p: |st| is_kind(&st, libc::S_IFBLK);
    chardev_p: |st| is_kind(&st, libc::S_IFCHR);
    zero_p: |st| st.st_size == 0;
    setuid_p: |st| st.st_mode & libc::S_ISUID != 0;
    setgid_p: |st| st.st_mode & libc::S_ISGID != 0;
    sticky_p: |st| st.st_mode & libc::S_ISVTX != 0;
    owned_p: |st| st.st_uid == effective_uid();
    grpowned_p: |st| in_group(st.st_gid, true);
}

fn effective_uid() -> u32 {
    // SAFETY: a plain query.
    unsafe { libc::geteuid() }
}

fn symlink_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    Ok(Value::from_bool(query(&name, false).is_ok_and(|st| is_kind(&st, libc::S_IFLNK))))
}

/// access(2) with the effective or the real ids.
fn access(ctx: &mut Ctx, value: Value, bits: i32, effective: bool) -> Result {
    let bytes = path_bytes(ctx, value)?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    let ok = unsafe {
        if effective {
            libc::faccessat(libc::AT_FDCWD, name.as_ptr(), bits, libc::AT_EACCESS)
        } else {
            libc::access(name.as_ptr(), bits)
        }
    };
    Ok(Value::from_bool(ok == 0))
}

fn readable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::R_OK, true)
}

fn readable_real_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::R_OK, false)
}

fn writable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::W_OK, true)
}

fn writable_real_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::W_OK, false)
}

fn executable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::X_OK, true)
}

fn executable_real_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    access(ctx, args.at(0), libc::X_OK, false)
}

fn world_readable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(stat_of(ctx, args.at(0))?.map_or(Value::NIL, |st| world(&st, 0o004)))
}

fn world_writable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(stat_of(ctx, args.at(0))?.map_or(Value::NIL, |st| world(&st, 0o002)))
}

/// Bytes of a path argument for messages.
pub fn name_for_message(ctx: &mut Ctx, value: Value) -> Result<PathBytes> {
    match open::check_io(ctx, value)? {
        Some(io) if !value.has_tag(rubellite_vm::Tag::String) => {
            let io = state::state(ctx, io)?;
            Ok(PathBytes::of_system(crate::io::device::path_bytes(ctx, &io)))
        }
        _ => path_bytes(ctx, value),
    }
}

fn size(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match stat_of(ctx, args.at(0))? {
        Ok(st) => Ok(ctx.int(st.st_size)),
        Err(e) => {
            let path = name_for_message(ctx, args.at(0))?;
            Err(errno::fail_at(ctx, e, "rb_file_s_size", &path))
        }
    }
}

fn size_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(match stat_of(ctx, args.at(0))? {
        Ok(st) if st.st_size > 0 => ctx.int(st.st_size),
        _ => Value::NIL,
    })
}

fn identical_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (a, b) = (stat_of(ctx, args.at(0))?, stat_of(ctx, args.at(1))?);
    Ok(Value::from_bool(match (a, b) {
        (Ok(a), Ok(b)) => a.st_dev == b.st_dev && a.st_ino == b.st_ino,
        _ => false,
    }))
}

/// `test(command, file1, file2 = nil)`
pub fn kernel_test(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let command = match ctx.check_str(args.at(0))? {
        Some(text) if !text.is_empty() => text.byte(0).unwrap_or(0),
        _ => ctx.to_int(args.at(0))? as u8,
    };
    let two = matches!(command, b'=' | b'<' | b'>' | b'-');
    if two != (args.len() == 3) {
        return Err(ctx.arity_error(args.len(), 2 + two as usize, Some(2 + two as usize)));
    }
    let rest = args.from(1);
    let question: fn(&mut Ctx, Value, Args) -> Result = match command {
        b'b' => blockdev_p,
        b'c' => chardev_p,
        b'd' => directory_p,
        b'e' => exist_p,
        b'f' => file_p,
        b'g' => setgid_p,
        b'G' => grpowned_p,
        b'k' => sticky_p,
        b'l' => symlink_p,
        b'o' | b'O' => owned_p,
        b'p' => pipe_p,
        b'r' => readable_p,
        b'R' => readable_real_p,
        b's' => size_p,
        b'S' => socket_p,
        b'u' => setuid_p,
        b'w' => writable_p,
        b'W' => writable_real_p,
        b'x' => executable_p,
        b'X' => executable_real_p,
        b'z' => zero_p,
        b'-' => identical_p,
        b'A' | b'C' | b'M' => {
            let file = ctx.classes().file.get();
            let name = match command {
                b'A' => "atime",
                b'C' => "ctime",
                _ => "mtime",
            };
            return ctx.call_name(file, name, &[args.at(1)]);
        }
        b'=' | b'<' | b'>' => return compare_times(ctx, command, args),
        _ => {
            let text = if command.is_ascii_graphic() {
                format!("'{}{}'", if matches!(command, b'\'' | b'\\') { "\\" } else { "" }, command as char)
            } else {
                format!("\"\\x{command:02X}\"")
            };
            return Err(ctx.argument_error(&format!("unknown command {text}")));
        }
    };
    question(ctx, recv, rest)
}

fn compare_times(ctx: &mut Ctx, command: u8, args: Args) -> Result {
    let mut keys = [(0, 0); 2];
    for (i, key) in keys.iter_mut().enumerate() {
        match stat_of(ctx, args.at(i + 1))? {
            Ok(st) => *key = (st.st_mtime, st.st_mtime_nsec),
            Err(e) => {
                let path = name_for_message(ctx, args.at(i + 1))?;
                return Err(errno::fail(ctx, e, &String::from_utf8_lossy(&path)));
            }
        }
    }
    Ok(Value::from_bool(match command {
        b'=' => keys[0] == keys[1],
        b'<' => keys[0] < keys[1],
        _ => keys[0] > keys[1],
    }))
}
