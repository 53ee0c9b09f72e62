//! File::Stat: what stat(2) says of a file.

use super::path::{path_bytes, to_cstring};
use rubellite_core_object::errno;
use rubellite_core_time as time;
use rubellite_vm::object::{Data, NativeData, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub static STAT: ClassDef = ClassDef {
    name: "File::Stat",
    superclass: "Object",
    includes: &["Comparable"],
    alloc: Some(allocate),
    methods: &[
        method("initialize", Arity::exact(1), initialize),
        method("initialize_copy", Arity::exact(1), initialize_copy),
        method("<=>", Arity::exact(1), op_cmp),
        method("dev", Arity::NONE, dev),
        method("dev_major", Arity::NONE, dev_major),
        method("dev_minor", Arity::NONE, dev_minor),
        method("ino", Arity::NONE, ino),
        method("mode", Arity::NONE, mode),
        method("nlink", Arity::NONE, nlink),
        method("uid", Arity::NONE, uid),
        method("gid", Arity::NONE, gid),
        method("rdev", Arity::NONE, rdev),
        method("rdev_major", Arity::NONE, rdev_major),
        method("rdev_minor", Arity::NONE, rdev_minor),
        method("size", Arity::NONE, size),
        method("blksize", Arity::NONE, blksize),
        method("blocks", Arity::NONE, blocks),
        method("atime", Arity::NONE, atime),
        method("mtime", Arity::NONE, mtime),
        method("ctime", Arity::NONE, ctime),
        method("birthtime", Arity::NONE, birthtime),
        method("ftype", Arity::NONE, ftype),
        method("directory?", Arity::NONE, directory_p),
        method("file?", Arity::NONE, file_p),
        method("symlink?", Arity::NONE, symlink_p),
        method("pipe?", Arity::NONE, pipe_p),
        method("socket?", Arity::NONE, socket_p),
        method("blockdev?", Arity::NONE, blockdev_p),
        method("chardev?", Arity::NONE, chardev_p),
        method("readable?", Arity::NONE, readable_p),
        method("readable_real?", Arity::NONE, readable_real_p),
        method("writable?", Arity::NONE, writable_p),
        method("writable_real?", Arity::NONE, writable_real_p),
        method("executable?", Arity::NONE, executable_p),
        method("executable_real?", Arity::NONE, executable_real_p),
        method("world_readable?", Arity::NONE, world_readable_p),
        method("world_writable?", Arity::NONE, world_writable_p),
        method("owned?", Arity::NONE, owned_p),
        method("grpowned?", Arity::NONE, grpowned_p),
        method("zero?", Arity::NONE, zero_p),
        method("size?", Arity::NONE, size_p),
        method("setuid?", Arity::NONE, setuid_p),
        method("setgid?", Arity::NONE, setgid_p),
        method("sticky?", Arity::NONE, sticky_p),
        method("inspect", Arity::NONE, inspect),
    ],
    ..ClassDef::EMPTY
};

#[derive(Copy, Clone)]
pub struct StatData {
    pub st: libc::stat,
    birth: Option<(i64, i64)>,
}

impl NativeData for StatData {}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// stat(2) or lstat(2) of a path.
pub fn query(path: &std::ffi::CStr, follow: bool) -> std::result::Result<libc::stat, i32> {
    // SAFETY: the path is a C string and the buffer ours.
    unsafe {
        let mut st: libc::stat = std::mem::zeroed();
        let failed = if follow { libc::stat(path.as_ptr(), &mut st) } else { libc::lstat(path.as_ptr(), &mut st) };
        if failed != 0 { Err(errno::last()) } else { Ok(st) }
    }
}

/// fstat(2).
pub fn query_fd(fd: i32) -> std::result::Result<libc::stat, i32> {
    // SAFETY: the buffer is ours.
    unsafe {
        let mut st: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &mut st) != 0 { Err(errno::last()) } else { Ok(st) }
    }
}

/// The time of birth by statx(2), where the file system knows it.
pub fn birth_of(fd: i32, path: &std::ffi::CStr, flags: i32) -> std::result::Result<(i64, i64), i32> {
    // SAFETY: the path is a C string and the buffer ours.
    unsafe {
        let mut st: libc::statx = std::mem::zeroed();
        if libc::statx(fd, path.as_ptr(), flags, libc::STATX_BTIME, &mut st) != 0 {
            return Err(errno::last());
        }
        // Some file systems claim to know it and say 1970.
        if st.stx_mask & libc::STATX_BTIME == 0 || st.stx_btime.tv_sec == 0 {
            return Err(libc::ENOSYS);
        }
        Ok((st.stx_btime.tv_sec, st.stx_btime.tv_nsec as i64))
    }
}

/// What statx(2) says of a file, in one call; two where there is no statx.
fn describe(fd: i32, path: &std::ffi::CStr, flags: i32) -> std::result::Result<StatData, i32> {
    // SAFETY: the path is a C string and the buffers are ours.
    unsafe {
        let mut found: libc::statx = std::mem::zeroed();
        if libc::statx(fd, path.as_ptr(), flags, libc::STATX_BASIC_STATS | libc::STATX_BTIME, &mut found) != 0 {
            let e = errno::last();
            if e != libc::ENOSYS && e != libc::EPERM {
                return Err(e);
            }
            let mut st: libc::stat = std::mem::zeroed();
            return if libc::fstatat(fd, path.as_ptr(), &mut st, flags) != 0 {
                Err(errno::last())
            } else {
                Ok(StatData { st, birth: None })
            };
        }
        let mut st: libc::stat = std::mem::zeroed();
        st.st_dev = libc::makedev(found.stx_dev_major, found.stx_dev_minor);
        st.st_ino = found.stx_ino;
        st.st_mode = libc::mode_t::from(found.stx_mode);
        st.st_nlink = found.stx_nlink as _;
        st.st_uid = found.stx_uid;
        st.st_gid = found.stx_gid;
        st.st_rdev = libc::makedev(found.stx_rdev_major, found.stx_rdev_minor);
        st.st_size = found.stx_size as libc::off_t;
        st.st_blksize = found.stx_blksize as _;
        st.st_blocks = found.stx_blocks as _;
        (st.st_atime, st.st_atime_nsec) = (found.stx_atime.tv_sec, found.stx_atime.tv_nsec as _);
        (st.st_mtime, st.st_mtime_nsec) = (found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec as _);
        (st.st_ctime, st.st_ctime_nsec) = (found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec as _);
        // Some file systems claim to know the birth and say 1970.
        let known = found.stx_mask & libc::STATX_BTIME != 0 && found.stx_btime.tv_sec != 0;
        Ok(StatData { st, birth: known.then_some((found.stx_btime.tv_sec, found.stx_btime.tv_nsec as i64)) })
    }
}

fn wrap(ctx: &mut Ctx, found: StatData) -> Value {
    let klass = ctx.error_class("File::Stat").value();
    Data::new(ctx, klass, found).value()
}

/// A File::Stat of what stat(2) has said.
pub fn of_system(ctx: &mut Ctx, st: libc::stat) -> Value {
    wrap(ctx, StatData { st, birth: None })
}

/// A File::Stat of a descriptor.
pub fn of_fd(ctx: &mut Ctx, fd: i32) -> Result {
    match describe(fd, c"", libc::AT_EMPTY_PATH) {
        Ok(found) => Ok(wrap(ctx, found)),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

/// A File::Stat of a path.
pub fn of_path(ctx: &mut Ctx, path: Value, follow: bool) -> Result {
    let bytes = path_bytes(ctx, path)?;
    let name = to_cstring(ctx, &bytes)?;
    match describe(libc::AT_FDCWD, &name, if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW }) {
        Ok(found) => Ok(wrap(ctx, found)),
        Err(e) => Err(errno::fail_at(ctx, e, if follow { "rb_file_s_stat" } else { "rb_file_s_lstat" }, &bytes)),
    }
}

fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    match describe(libc::AT_FDCWD, &name, 0) {
        Ok(found) => {
            data.install(ctx, found);
            Ok(data.value())
        }
        Err(e) => Err(errno::fail_at(ctx, e, "rb_stat_init", &bytes)),
    }
}

fn initialize_copy(ctx: &mut Ctx, recv: Data, args: Args) -> Result {
    if recv.value() != args.at(0) {
        ctx.check_frozen(recv.value())?;
        let data = data(ctx, args.at(0))?;
        recv.install(ctx, data);
    }
    Ok(recv.value())
}

fn data(ctx: &mut Ctx, value: Value) -> Result<StatData> {
    match Data::state_of::<StatData>(ctx, value) {
        Some(data) => Ok(*data),
        None => Err(ctx.type_error("uninitialized File::Stat")),
    }
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(other) = Data::state_of::<StatData>(ctx, args.at(0)).copied() else { return Ok(Value::NIL) };
    let me = data(ctx, recv)?;
    let key = |d: &StatData| (d.st.st_mtime, d.st.st_mtime_nsec);
    Ok(Value::fixnum(key(&me).cmp(&key(&other)) as i64))
}

macro_rules! numbers {
    ($($name:ident: |$st:ident| $value:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
            let $st = data(ctx, recv)?.st;
            Ok(ctx.int($value as i64))
        })*
    };
}

numbers! {
    dev: |st| st.st_dev;
    dev_major: |st| libc::major(st.st_dev);
    dev_minor: |st| libc::minor(st.st_dev);
    ino: |st| st.st_ino;
    mode: |st| st.st_mode;
    nlink: |st| st.st_nlink;
    uid: |st| st.st_uid;
    gid: |st| st.st_gid;
    rdev: |st| st.st_rdev;
    rdev_major: |st| libc::major(st.st_rdev);
    rdev_minor: |st| libc::minor(st.st_rdev);
    size: |st| st.st_size;
    blksize: |st| st.st_blksize;
    blocks: |st| st.st_blocks;
}

macro_rules! questions {
    ($($name:ident: |$st:ident| $value:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
            let $st = data(ctx, recv)?.st;
            Ok(Value::from_bool($value))
        })*
    };
}

/// Whether the mode is of this kind (`S_IFDIR` ...).
pub fn is_kind(st: &libc::stat, kind: libc::mode_t) -> bool {
    st.st_mode & libc::S_IFMT == kind
}

questions! {
    directory_p: |st| is_kind(&st, libc::S_IFDIR);
    file_p: |st| is_kind(&st, libc::S_IFREG);
    symlink_p: |st| is_kind(&st, libc::S_IFLNK);
    pipe_p: |st| is_kind(&st, libc::S_IFIFO);
    socket_p: |st| is_kind(&st, libc::S_IFSOCK);
    blockdev_p: |st| is_kind(&st, libc::S_IFBLK);
    chardev_p: |st| is_kind(&st, libc::S_IFCHR);
    zero_p: |st| st.st_size == 0;
    setuid_p: |st| st.st_mode & libc::S_ISUID != 0;
    setgid_p: |st| st.st_mode & libc::S_ISGID != 0;
    sticky_p: |st| st.st_mode & libc::S_ISVTX != 0;
    readable_p: |st| permitted(&st, 4, true);
    readable_real_p: |st| permitted(&st, 4, false);
    writable_p: |st| permitted(&st, 2, true);
    writable_real_p: |st| permitted(&st, 2, false);
    executable_p: |st| permitted(&st, 1, true);
    executable_real_p: |st| permitted(&st, 1, false);
    owned_p: |st| st.st_uid == effective_ids().0;
    grpowned_p: |st| in_group(st.st_gid, true);
}

fn effective_ids() -> (u32, u32) {
    // SAFETY: plain queries.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Whether the process is in the group.
pub fn in_group(gid: u32, effective: bool) -> bool {
    // SAFETY: plain queries; the list is as long as said.
    unsafe {
        if gid == if effective { libc::getegid() } else { libc::getgid() } {
            return true;
        }
        let count = libc::getgroups(0, std::ptr::null_mut());
        let mut groups = vec![0; count.max(0) as usize];
        let count = libc::getgroups(count, groups.as_mut_ptr());
        groups.truncate(count.max(0) as usize);
        groups.contains(&gid)
    }
}

/// Permission bits (4 read, 2 write, 1 execute) by owner, group and others.
fn permitted(st: &libc::stat, bit: u32, effective: bool) -> bool {
    // SAFETY: plain queries.
    let uid = unsafe { if effective { libc::geteuid() } else { libc::getuid() } };
    if uid == 0 {
        return bit != 1 || st.st_mode & 0o111 != 0;
    }
    let shift = if st.st_uid == uid {
        6
    } else if in_group(st.st_gid, effective) {
        3
    } else {
        0
    };
    st.st_mode >> shift & bit != 0
}

fn world_readable_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    Ok(world(&st, 0o004))
}

fn world_writable_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    Ok(world(&st, 0o002))
}

/// The permission bits when everybody has this one, or nil.
pub fn world(st: &libc::stat, bit: u32) -> Value {
    if st.st_mode & bit != 0 { Value::fixnum((st.st_mode & 0o777) as i64) } else { Value::NIL }
}

fn size_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    Ok(if st.st_size == 0 { Value::NIL } else { ctx.int(st.st_size) })
}

fn atime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    time::at(ctx, st.st_atime, st.st_atime_nsec)
}

fn mtime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    time::at(ctx, st.st_mtime, st.st_mtime_nsec)
}

fn ctime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    time::at(ctx, st.st_ctime, st.st_ctime_nsec)
}

fn birthtime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match data(ctx, recv)?.birth {
        Some((secs, nanos)) => time::at(ctx, secs, nanos),
        None => Err(ctx.not_implemented("birthtime is unimplemented on this filesystem")),
    }
}

/// "file", "directory" ...
pub fn type_name(st: &libc::stat) -> &'static str {
    match st.st_mode & libc::S_IFMT {
        libc::S_IFREG => "file",
        libc::S_IFDIR => "directory",
        libc::S_IFCHR => "characterSpecial",
        libc::S_IFBLK => "blockSpecial",
        libc::S_IFIFO => "fifo",
        libc::S_IFLNK => "link",
        libc::S_IFSOCK => "socket",
        _ => "unknown",
    }
}

fn ftype(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let st = data(ctx, recv)?.st;
    Ok(Str::ascii(ctx, type_name(&st)).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let Some(data) = Data::state_of::<StatData>(ctx, recv).copied() else {
        return Ok(Str::utf8(ctx, &format!("#<{class}: uninitialized>")).value());
    };
    let st = data.st;
    let mut text = format!(
        "#<{class} dev=0x{:x}, ino={}, mode=0{:o}, nlink={}, uid={}, gid={}, rdev=0x{:x}, size={}, blksize={}, blocks={}",
        st.st_dev,
        st.st_ino,
        st.st_mode,
        st.st_nlink,
        st.st_uid,
        st.st_gid,
        st.st_rdev,
        st.st_size,
        st.st_blksize,
        st.st_blocks
    );
    let times = [
        ("atime", st.st_atime, st.st_atime_nsec),
        ("mtime", st.st_mtime, st.st_mtime_nsec),
        ("ctime", st.st_ctime, st.st_ctime_nsec),
    ];
    for (name, secs, nanos) in times {
        let time = time::at(ctx, secs, nanos)?;
        text.push_str(&format!(", {name}={}", ctx.inspect(time)?));
    }
    text.push('>');
    Ok(Str::utf8(ctx, &text).value())
}
