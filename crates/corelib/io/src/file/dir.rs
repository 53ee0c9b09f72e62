//! Dir: directory streams and the methods of the class. Patterns are `glob`.

use super::glob;
use super::path::{PathBytes, current_dir, get_path, home_dir, path_bytes, path_string, to_cstring};
use super::stat::{is_kind, query};
use crate::descriptors::{Sys, with_room};
use crate::io::mode::encoding_of;
use rubellite_core_object::errno;
use rubellite_encoding::transcode::{EncodeOptions, encode};
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{
    Args, Arity, ClassDef, Ctx, Encoding, Ends, Extension, Leave, Result, Unwind, Value, method, primitive,
};
use std::cell::{Cell, RefCell};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

static GLOB_SITE: RegionSite = RegionSite::new("search of directories");

pub static DIR: ClassDef = ClassDef {
    name: "Dir",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    methods: &[
        method("initialize", Arity::exact(1).with_keywords(), initialize),
        method("read", Arity::NONE, read),
        method("close", Arity::NONE, close),
        method("path", Arity::NONE, path),
        method("to_path", Arity::NONE, path),
        method("pos", Arity::NONE, pos),
        method("tell", Arity::NONE, pos),
        method("pos=", Arity::exact(1), set_pos),
        method("seek", Arity::exact(1), seek),
        method("rewind", Arity::NONE, rewind),
        method("fileno", Arity::NONE, fileno),
        method("inspect", Arity::NONE, inspect),
    ],
    singleton_methods: &[
        method("pwd", Arity::NONE, pwd),
        method("getwd", Arity::NONE, pwd),
        method("for_fd", Arity::exact(1), for_fd),
        method("mkdir", Arity::range(1, 2), mkdir),
        method("rmdir", Arity::exact(1), rmdir),
        method("delete", Arity::exact(1), rmdir),
        method("unlink", Arity::exact(1), rmdir),
        method("exist?", Arity::exact(1), exist_p),
        method("empty?", Arity::exact(1), empty_p),
        method("entries", Arity::exact(1).with_keywords(), entries),
        method("children", Arity::exact(1).with_keywords(), children),
        method("home", Arity::range(0, 1), home),
        method("chroot", Arity::exact(1), chroot),
        method("glob", Arity::range(1, 2).with_keywords(), dir_glob),
        method("[]", Arity::ANY.with_keywords(), dir_aref),
    ],
    primitives: &[
        primitive("dir_chdir", Arity::range(1, 2), chdir),
        primitive("dir_fchdir", Arity::exact(1), fchdir),
        primitive("dir_chdir_depth", Arity::exact(1), chdir_depth),
    ],
    ruby: include_str!("dir.rb"),
    ..ClassDef::EMPTY
};

/// An open directory: its entries are read when it is opened or rewound.
struct DirState {
    path: Cell<Value>,
    fd: Cell<i32>,
    names: RefCell<Vec<Vec<u8>>>,
    at: Cell<usize>,
    encoding: Encoding,
}

impl NativeData for DirState {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.path.get());
    }

    fn memory_size(&self) -> usize {
        let names = self.names.borrow();
        names.capacity() * size_of::<Vec<u8>>() + names.iter().map(Vec::capacity).sum::<usize>()
    }
}

impl DirState {
    /// Exchanges the names; how many more bytes they take, of which the collector is to hear.
    #[must_use]
    fn replace_names(&self, names: Vec<Vec<u8>>) -> isize {
        let before = self.memory_size();
        self.names.replace(names);
        self.memory_size() as isize - before as isize
    }
}

impl Drop for DirState {
    fn drop(&mut self) {
        if self.fd.get() >= 0 {
            // SAFETY: the descriptor belongs to this object alone.
            unsafe { libc::close(self.fd.get()) };
        }
    }
}

/// How deep `chdir` blocks are nested, and in which thread.
#[derive(Default)]
struct ChdirBlocks {
    depth: Cell<i64>,
    thread: Cell<u64>,
}

impl Extension for ChdirBlocks {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// Opens a directory.
fn open(ctx: &mut Ctx, name: &std::ffi::CStr) -> Sys<OwnedFd> {
    with_room(ctx, || {
        // SAFETY: the path is a C string; the descriptor is new and ours.
        unsafe {
            match libc::open(name.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) {
                fd if fd >= 0 => Ok(OwnedFd::from_raw_fd(fd)),
                _ => Err(errno::last()),
            }
        }
    })
}

/// Names in an open directory from its beginning, with `.` and `..`, in the system's order.
fn list(fd: i32) -> Sys<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    let mut buffer = [0u8; 32 * 1024];
    // SAFETY: a plain call.
    if unsafe { libc::lseek(fd, 0, libc::SEEK_SET) } < 0 {
        return Err(errno::last());
    }
    loop {
        // SAFETY: the system writes no more than the buffer's length.
        let len = unsafe { libc::syscall(libc::SYS_getdents64, fd, buffer.as_mut_ptr(), buffer.len()) };
        if len < 0 {
            return Err(errno::last());
        }
        let mut records = &buffer[..len as usize];
        if records.is_empty() {
            return Ok(names);
        }
        // Of each record: inode and position (8 bytes each), its length (2), the type (1), the name up to a NUL.
        while let [_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, low, high, _, name @ ..] = records {
            let size = usize::from(u16::from_ne_bytes([*low, *high]));
            names.push(name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec());
            records = records.get(size.max(19)..).unwrap_or_default();
        }
    }
}

/// An opened directory and its names.
fn open_or_raise(ctx: &mut Ctx, path: &PathBytes) -> Result<(OwnedFd, Vec<Vec<u8>>)> {
    let name = to_cstring(ctx, path)?;
    let opened = open(ctx, &name).and_then(|fd| list(fd.as_raw_fd()).map(|names| (fd, names)));
    opened.map_err(|e| errno::fail_at(ctx, e, "dir_initialize", path))
}

fn encoding_keyword(ctx: &mut Ctx, args: Args) -> Result<Encoding> {
    args.check_keywords(ctx, &["encoding"])?;
    match args.keyword(ctx, "encoding").filter(|v| !v.is_nil()) {
        Some(encoding) => encoding_of(ctx, encoding),
        None => Ok(rubellite_core_encoding::default_external(ctx)),
    }
}

fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let encoding = encoding_keyword(ctx, args)?;
    let path = get_path(ctx, args.at(0))?;
    let bytes = PathBytes::of(ctx, path);
    let (fd, names) = open_or_raise(ctx, &bytes)?;
    let copy = path.dup(ctx).value();
    let state = DirState {
        path: Cell::new(copy),
        fd: Cell::new(fd.into_raw_fd()),
        names: RefCell::new(names),
        at: Cell::new(0),
        encoding,
    };
    data.install(ctx, state);
    Ok(data.value())
}

/// `Dir.for_fd(fd)`: the descriptor is the object's from now on.
fn for_fd(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let fd = ctx.to_c_int(args.at(0))?;
    let names = list(fd).map_err(|e| errno::fail(ctx, e, "fdopendir"))?;
    let dir = Data::new_empty(ctx, recv);
    let encoding = rubellite_core_encoding::default_external(ctx);
    let state = DirState {
        path: Cell::new(Value::NIL),
        fd: Cell::new(fd),
        names: RefCell::new(names),
        at: Cell::new(0),
        encoding,
    };
    dir.install(ctx, state);
    Ok(dir.value())
}

/// The open state: FrozenError, or IOError "closed directory", as which one that was never opened counts.
fn open_state(ctx: &mut Ctx, recv: Value) -> Result<&DirState> {
    ctx.check_frozen(recv)?;
    match Data::state_of::<DirState>(ctx, recv).map(|s| s.fd.get()) {
        None | Some(-1) => Err(ctx.raise_error("IOError", "closed directory")),
        Some(_) => match Data::state_of::<DirState>(ctx, recv) {
            Some(state) => Ok(state),
            None => Err(Unwind),
        },
    }
}

fn read(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = open_state(ctx, recv)?;
    let at = state.at.get();
    let name = state.names.borrow().get(at).cloned();
    let encoding = state.encoding;
    let Some(name) = name else { return Ok(Value::NIL) };
    state.at.set(at + 1);
    entry(ctx, name, encoding)
}

/// A name as a String, in the default internal encoding when there is one and it can be converted.
fn entry(ctx: &mut Ctx, name: Vec<u8>, encoding: Encoding) -> Result {
    let (name, encoding) = match crate::io::mode::default_internal(ctx)?.filter(|to| *to != encoding) {
        Some(internal) if internal.is_ascii_compatible() && name.is_ascii() => (name, internal),
        Some(internal) => match encode(&name, encoding, internal, &EncodeOptions::default(), None) {
            Ok(converted) => (converted, internal),
            Err(_) => (name, encoding),
        },
        None => (name, encoding),
    };
    Ok(Str::from_vec(ctx, name, encoding).value())
}

fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.check_frozen(recv)?;
    let Some(state) = Data::state_of::<DirState>(ctx, recv) else { return Ok(Value::NIL) };
    let fd = state.fd.replace(-1);
    let more = state.replace_names(Vec::new());
    ctx.note_malloc(more);
    // SAFETY: the descriptor belongs to this object alone.
    if fd >= 0 && unsafe { libc::close(fd) } != 0 {
        return Err(errno::fail(ctx, errno::last(), "closedir"));
    }
    Ok(Value::NIL)
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let Some(state) = Data::state_of::<DirState>(ctx, recv) else { return Ok(Value::NIL) };
    match Str::try_of(state.path.get()) {
        Some(path) => Ok(path.dup(ctx).value()),
        None => Ok(Value::NIL),
    }
}

fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let at = open_state(ctx, recv)?.at.get();
    Ok(Value::fixnum(at as i64))
}

fn set_pos(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    seek(ctx, recv, args)?;
    Ok(args.at(0))
}

fn seek(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let at = ctx.to_int(args.at(0))?;
    open_state(ctx, recv)?.at.set(at.max(0) as usize);
    Ok(recv)
}

fn rewind(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let fd = open_state(ctx, recv)?.fd.get();
    let names = list(fd).map_err(|e| errno::fail(ctx, e, ""))?;
    let state = open_state(ctx, recv)?;
    state.at.set(0);
    let more = state.replace_names(names);
    ctx.note_malloc(more);
    Ok(recv)
}

fn fileno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let fd = open_state(ctx, recv)?.fd.get();
    Ok(Value::fixnum(fd as i64))
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let path = Data::state_of::<DirState>(ctx, recv).map_or(Value::NIL, |s| s.path.get());
    let mut text = format!("#<{class}:").into_bytes();
    let mut encoding = Encoding::BINARY;
    match Str::try_of(path) {
        Some(path) => {
            text.extend_from_slice(path.bytes(ctx));
            if !path.is_ascii_only(ctx) {
                encoding = path.encoding();
            }
        }
        None => return ctx.call_name(recv, "to_s", &[]),
    }
    text.push(b'>');
    Ok(Str::from_vec(ctx, text, encoding).value())
}

fn pwd(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let dir = current_dir(ctx)?;
    Ok(path_string(ctx, &dir))
}

/// `dir_chdir(path, block = false)`: a block changes the message of an error.
fn chdir(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    if unsafe { libc::chdir(name.as_ptr()) } != 0 {
        let function = if args.at(1).truthy() { "dir_chdir0" } else { "chdir_path" };
        return Err(errno::fail_at(ctx, errno::last(), function, &bytes));
    }
    Ok(Value::fixnum(0))
}

fn fchdir(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let fd = ctx.to_c_int(args.at(0))?;
    // SAFETY: a plain call.
    if unsafe { libc::fchdir(fd) } != 0 {
        return Err(errno::fail(ctx, errno::last(), "fchdir"));
    }
    Ok(Value::fixnum(0))
}

/// Enters (1) or leaves (-1) a block of `chdir`; 0 asks. True when a block is open in another thread, nil when one is
/// open in this one.
fn chdir_depth(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let change = ctx.to_int(args.at(0))?;
    let me = ctx.thread().id;
    let blocks = ctx.extension::<ChdirBlocks>();
    let open = blocks.depth.get() > 0;
    if change != 0 {
        blocks.depth.set((blocks.depth.get() + change).max(0));
        blocks.thread.set(me);
    }
    Ok(if !open {
        Value::FALSE
    } else if blocks.thread.get() == me {
        Value::NIL
    } else {
        Value::TRUE
    })
}

fn mkdir(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mode = match args.get(1) {
        Some(v) => ctx.to_c_uint(v)?,
        None => 0o777,
    };
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    if unsafe { libc::mkdir(name.as_ptr(), mode) } != 0 {
        return Err(errno::fail_at(ctx, errno::last(), "dir_s_mkdir", &bytes));
    }
    Ok(Value::fixnum(0))
}

fn rmdir(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    if unsafe { libc::rmdir(name.as_ptr()) } != 0 {
        return Err(errno::fail_at(ctx, errno::last(), "dir_s_rmdir", &bytes));
    }
    Ok(Value::fixnum(0))
}

fn exist_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let found = super::test::stat_of(ctx, args.at(0))?;
    Ok(Value::from_bool(found.is_ok_and(|st| is_kind(&st, libc::S_IFDIR))))
}

fn empty_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    match query(&name, true) {
        Ok(st) if is_kind(&st, libc::S_IFDIR) => {}
        Ok(_) => return Ok(Value::FALSE),
        Err(e) => return Err(errno::fail_at(ctx, e, "rb_dir_s_empty_p", &bytes)),
    }
    let names = open(ctx, &name).and_then(|fd| list(fd.as_raw_fd()));
    match names {
        Ok(names) => Ok(Value::from_bool(names.len() <= 2)),
        Err(e) => Err(errno::fail_at(ctx, e, "rb_dir_s_empty_p", &bytes)),
    }
}

fn name_list(ctx: &mut Ctx, args: Args, dots: bool) -> Result {
    let encoding = encoding_keyword(ctx, args)?;
    let bytes = path_bytes(ctx, args.at(0))?;
    let (_, names) = open_or_raise(ctx, &bytes)?;
    let list = Array::new(ctx);
    for name in names {
        if dots || !(name == b"." || name == b"..") {
            let name = entry(ctx, name, encoding)?;
            list.push(ctx, name);
        }
    }
    Ok(list.value())
}

fn entries(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    name_list(ctx, args, true)
}

fn children(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    name_list(ctx, args, false)
}

fn home(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let user = match args.non_nil(0) {
        Some(user) => ctx.to_str(user)?.bytes(ctx).to_vec(),
        None => Vec::new(),
    };
    let dir = home_dir(ctx, &user)?;
    if dir.first() != Some(&b'/') {
        return Err(ctx.argument_error("non-absolute home"));
    }
    Ok(path_string(ctx, &dir))
}

fn chroot(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = path_bytes(ctx, args.at(0))?;
    let name = to_cstring(ctx, &bytes)?;
    // SAFETY: the path is a C string.
    if unsafe { libc::chroot(name.as_ptr()) } != 0 {
        return Err(errno::fail_at(ctx, errno::last(), "dir_s_chroot", &bytes));
    }
    Ok(Value::fixnum(0))
}

// -- glob -----------------------------------------------------------------------------------------

/// The paths that match each of `patterns`, an Array of its own. `listed`: they were given as a list.
fn search(ctx: &mut Ctx, patterns: Array, listed: bool, args: Args, flags: i64) -> Result {
    let (base, named) = match args.keyword(ctx, "base").filter(|v| !v.is_nil()) {
        Some(base) => {
            let fileno = ctx.intern("fileno");
            if base.has_tag(rubellite_vm::Tag::Data) && ctx.respond_to(base, fileno, false)? {
                let fd = ctx.call(base, fileno, &[])?;
                let fd = ctx.to_c_int(fd)?;
                let path = ctx.call_name(base, "path", &[])?;
                let path = if path.is_nil() {
                    format!("/proc/self/fd/{fd}").into_bytes()
                } else {
                    path_bytes(ctx, path)?.bytes
                };
                (path, false)
            } else {
                let path = path_bytes(ctx, base)?.bytes;
                let named = !path.is_empty();
                (path, named)
            }
        }
        None => (Vec::new(), false),
    };
    let sort = match args.keyword(ctx, "sort") {
        None | Some(Value::TRUE) => true,
        Some(Value::FALSE) => false,
        Some(other) => {
            let text = ctx.inspect(other)?;
            return Err(ctx.argument_error(&format!("expected true or false as sort: {text}")));
        }
    };
    let list = Array::new(ctx);
    let mut i = 0;
    while let Some(pattern) = patterns.get(i) {
        let text = get_glob(ctx, pattern, listed)?;
        let encoding = if text.encoding() == Encoding::US_ASCII { Encoding::UTF_8 } else { text.encoding() };
        let bytes = text.bytes(ctx).to_vec();
        for path in search_outside(ctx, &bytes, &base, named, flags, sort)? {
            let path = entry(ctx, path, encoding)?;
            list.push(ctx, path);
        }
        i += 1;
    }
    Ok(list.value())
}

/// Searches outside the lock, with one collection when descriptors run out.
fn search_outside(
    ctx: &mut Ctx,
    pattern: &[u8],
    base: &[u8],
    named: bool,
    flags: i64,
    sort: bool,
) -> Result<Vec<Vec<u8>>> {
    let mut collected = false;
    loop {
        let outcome =
            ctx.outside(Leave::new(Kind::Short(&GLOB_SITE), Ends::Flag).offered(), |stop| {
                match glob::glob(pattern, base, named, flags, sort, stop.flag()) {
                    Ok(found) => Some(Ok(found)),
                    Err(glob::Stop::Interrupted) => None,
                    Err(glob::Stop::Failed(e, dir)) => Some(Err((e, dir))),
                }
            })?;
        match outcome {
            Ok(found) => return Ok(found),
            Err((e, dir)) if collected => return Err(errno::fail_named(ctx, e, &dir)),
            Err(_) => {
                collected = true;
                ctx.collect_and_sweep();
            }
        }
    }
}

/// `listed`: it is one of a list, in which NUL has never separated patterns.
fn get_glob(ctx: &mut Ctx, pattern: Value, listed: bool) -> Result<Str> {
    let to_path = ctx.intern("to_path");
    let pattern = match pattern.is_immediate() || pattern.has_tag(rubellite_vm::Tag::String) {
        true => pattern,
        false => ctx.check_call(pattern, to_path, &[])?.unwrap_or(pattern),
    };
    let text = ctx.to_str(pattern)?;
    if !text.encoding().is_ascii_compatible() {
        let (a, b) = (text.encoding().name(), "US-ASCII");
        return Err(
            ctx.raise_error("Encoding::CompatibilityError", &format!("incompatible character encodings: {a} and {b}"))
        );
    }
    if memchr::memchr(0, text.bytes(ctx)).is_some() {
        return Err(ctx.argument_error(if listed {
            "path name contains null byte"
        } else {
            "nul-separated glob pattern is deprecated"
        }));
    }
    Ok(text)
}

/// `Dir.glob(pattern, flags = 0, base: nil, sort: true)`
fn dir_glob(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["flags", "base", "sort"])?;
    let positional = args.positional();
    let flags = match args.keyword(ctx, "flags").or(positional.get(1)) {
        Some(v) => i64::from(ctx.to_c_int(v)?),
        None => 0,
    };
    // A copy: what the patterns are converted with may change the list.
    let (patterns, listed) = match Array::try_of(positional.at(0)) {
        Some(list) => (list.dup(ctx), true),
        None => (Array::from_slice(ctx, &[positional.at(0)]), false),
    };
    let found = search(ctx, patterns, listed, args, flags)?;
    if !args.has_block() {
        return Ok(found);
    }
    let list: Array = ctx.expect(found)?;
    let mut i = 0;
    while let Some(path) = list.get(i) {
        ctx.yield_one(args.block, path)?;
        i += 1;
    }
    Ok(Value::NIL)
}

/// `Dir[*patterns, base: nil, sort: true]`
fn dir_aref(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["base", "sort"])?;
    let positional = args.positional();
    let patterns = Array::from_slice(ctx, positional.slice());
    search(ctx, patterns, positional.len() != 1, args, 0)
}

/// `File.fnmatch(pattern, path, flags = 0)`
pub fn fnmatch(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let flags = match args.get(2) {
        Some(v) => i64::from(ctx.to_c_int(v)?),
        None => 0,
    };
    let pattern = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    let path = get_path(ctx, args.at(1))?.bytes(ctx).to_vec();
    if pattern.contains(&0) || path.contains(&0) {
        return Err(ctx.null_byte_error());
    }
    if flags & glob::flags::EXT_GLOB == 0 {
        return Ok(Value::from_bool(glob::matches(&pattern, &path, flags)));
    }
    let mut patterns = glob::Braces::new(&pattern, flags);
    while let Some(pattern) = patterns.next(|| ctx.check_interrupts())? {
        if glob::matches(&pattern, &path, flags) {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}
