//! `pstore`: transactions on a file of marshalled objects. The class is `pstore.rb`; here is the file under it, as the
//! hidden class `PStore::Storage`. Commits and the lock are `file.rs`, what takes a broken commit back is `undo.rs`.
//!
//! A storage remembers the bytes that it saw last. A transaction that finds the file unchanged takes them from memory,
//! and loads them only when somebody looks; the objects are made anew each time, so that nothing that a program keeps
//! from one transaction changes what the next one sees.

mod file;
mod undo;

use file::{Kernel, Locked, Refused, Seen};
use rubellite_core_object::errno;
use rubellite_vm::object::{Data, NativeData, SharedBytes, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Ends, Leave, Result, Value, method};
use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

static PSTORE: ClassDef = ClassDef { name: "PStore", ..ClassDef::EMPTY };

static STORAGE: ClassDef = ClassDef {
    name: "PStore::Storage",
    alloc: Some(allocate),
    methods: &[
        method("open", Arity::exact(2), open),
        method("data", Arity::NONE, data),
        method("empty?", Arity::NONE, empty_p),
        method("good", Arity::NONE, good),
        method("save", Arity::exact(3), save),
        method("save_table", Arity::exact(2), save_table),
        method("close", Arity::NONE, close),
    ],
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register(ctx, "pstore", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&PSTORE)?;
    ctx.install(&STORAGE)?;
    ctx.run_internal(include_str!("pstore.rb"), "pstore")?;
    Ok(())
}

struct Storage {
    kernel: Kernel,
    path: RefCell<PathBuf>,
    locked: RefCell<Option<Locked>>,
    /// What the last transaction saw, and whether it could be loaded.
    seen: RefCell<Option<(Seen, bool)>>,
}

impl NativeData for Storage {
    fn memory_size(&self) -> usize {
        self.seen.borrow().as_ref().map_or(0, |(seen, _)| seen.data.len())
    }
}

static OPENING: RegionSite = RegionSite::new("pstore open");
static SAVING: RegionSite = RegionSite::new("pstore save");

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let storage = Storage {
        kernel: Kernel::running(),
        path: RefCell::default(),
        locked: RefCell::default(),
        seen: RefCell::default(),
    };
    Ok(Data::new(ctx, class, storage).value())
}

fn storage(ctx: &Ctx, recv: Value) -> Option<&Storage> {
    Data::state_of::<Storage>(ctx, recv)
}

#[cold]
fn not_open(ctx: &mut Ctx) -> rubellite_vm::Unwind {
    ctx.raise_error("PStore::Error", "not in transaction")
}

#[cold]
fn failed(ctx: &mut Ctx, recv: Value, error: &io::Error, function: &str) -> rubellite_vm::Unwind {
    let path = storage(ctx, recv).map(|s| s.path.borrow().clone().into_os_string().into_vec()).unwrap_or_default();
    errno::fail_at(ctx, error.raw_os_error().unwrap_or(libc::EIO), function, &path)
}

/// `open(path, read_only)`: takes the lock; nil when there is no file to read, else whether its bytes are the ones that
/// this object has loaded before.
fn open(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?;
    let path = PathBuf::from(OsString::from_vec(path.bytes(ctx).to_vec()));
    let read_only = args.at(1).truthy();
    let Some(state) = storage(ctx, recv) else { return Err(not_open(ctx)) };
    *state.path.borrow_mut() = path.clone();
    let seen = state.seen.borrow().as_ref().map(|(seen, _)| seen.clone());
    let kernel = state.kernel;
    let mut waited = None;
    loop {
        let (path, seen) = (&path, seen.as_ref());
        let opened = ctx.outside(
            Leave::new(Kind::Short(&OPENING), Ends::Never),
            once(move || file::open(path, read_only, kernel, seen, waited)),
        )?;
        match opened {
            Ok(locked) => {
                let known = locked.unchanged;
                let Some(state) = storage(ctx, recv) else { return Err(not_open(ctx)) };
                *state.locked.borrow_mut() = Some(locked);
                return Ok(Value::from_bool(known && state.seen.borrow().as_ref().is_some_and(|(_, good)| *good)));
            }
            Err(Refused::Missing) => return Ok(Value::NIL),
            Err(Refused::Failed(error)) => return Err(failed(ctx, recv, &error, "rb_sysopen")),
            Err(Refused::Busy(file)) => waited = Some(wait(ctx, recv, file, read_only)?),
        }
    }
}

/// Waits for the lock of a file; interrupts end the wait.
fn wait(ctx: &mut Ctx, recv: Value, file: std::fs::File, read_only: bool) -> Result<std::fs::File> {
    let waited = ctx.outside(Leave::new(Kind::Long, Ends::Signal), |_| match file::wait(&file, read_only) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
        waited => Some(waited),
    })?;
    match waited {
        Ok(()) => Ok(file),
        Err(error) => Err(failed(ctx, recv, &error, "flock")),
    }
}

/// The bytes of the file.
fn data(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = storage(ctx, recv).and_then(|s| s.locked.borrow().as_ref().map(|l| l.data.clone()));
    let Some(data) = data else { return Err(not_open(ctx)) };
    let class = ctx.classes().string.get();
    Ok(Str::from_shared(ctx, class, &data, Encoding::BINARY).value())
}

fn empty_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let empty = storage(ctx, recv).is_none_or(|s| s.locked.borrow().as_ref().is_none_or(|l| l.data.is_empty()));
    Ok(Value::from_bool(empty))
}

/// Notes that the bytes could be loaded.
fn good(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(state) = storage(ctx, recv) {
        let seen = state.locked.borrow().as_ref().map(|l| (l.seen(), true));
        *state.seen.borrow_mut() = seen;
    }
    Ok(Value::NIL)
}

/// `save(string, in_place, durable)`: replaces the bytes of the file, if these are others.
fn save(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let new = ctx.to_str(args.at(0))?.share(ctx);
    write(ctx, recv, vec![new], args.at(1).truthy(), args.at(2).truthy())
}

/// `save_table(table, durable)`: the same for the marshalled table. Long strings of it are compared where they lie.
fn save_table(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pieces = (ctx.vm().hooks().dump_pieces)(ctx, args.at(0))?;
    let durable = args.at(1).truthy();
    write(ctx, recv, pieces, !durable, durable)
}

fn write(ctx: &mut Ctx, recv: Value, pieces: Vec<SharedBytes>, in_place: bool, durable: bool) -> Result {
    let Some(state) = storage(ctx, recv) else { return Err(not_open(ctx)) };
    let Some(mut locked) = state.locked.borrow_mut().take() else { return Err(not_open(ctx)) };
    let path = state.path.borrow().clone();
    // If an interrupt ends this call, nothing is known of the file any more, and it is closed.
    let known = state.seen.borrow_mut().take();
    let work = move || {
        if same(&locked.data, &pieces) {
            return (locked, Ok(None));
        }
        let new = match &pieces[..] {
            [one] => one.clone(),
            _ => SharedBytes::from_vec(pieces.iter().map(|piece| &piece[..]).collect::<Vec<_>>().concat()),
        };
        let saved = if in_place { locked.commit(&new) } else { locked.replace(&path, &new, &unique_suffix(), durable) };
        (locked, saved.map(Some))
    };
    let (locked, saved) = ctx.outside(Leave::new(Kind::Short(&SAVING), Ends::Never), once(work))?;
    let Some(state) = storage(ctx, recv) else { return Err(not_open(ctx)) };
    *state.locked.borrow_mut() = Some(locked);
    match saved {
        Ok(None) => {
            *state.seen.borrow_mut() = known;
            Ok(Value::FALSE)
        }
        Ok(Some(seen)) => {
            *state.seen.borrow_mut() = Some((seen, true));
            Ok(Value::TRUE)
        }
        Err(error) => Err(failed(ctx, recv, &error, "io_write")),
    }
}

/// Whether the pieces make up these bytes. A piece that is a part of them is known without looking.
fn same(data: &[u8], pieces: &[SharedBytes]) -> bool {
    if data.len() != pieces.iter().map(|piece| piece.len()).sum::<usize>() {
        return false;
    }
    let mut rest = data;
    pieces.iter().all(|piece| {
        let (head, tail) = rest.split_at(piece.len());
        rest = tail;
        std::ptr::eq(head.as_ptr(), piece.as_ptr()) || head == &piece[..]
    })
}

/// A name for a temporary file beside the real one.
fn unique_suffix() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
    format!(".tmp.{}.{now}", std::process::id())
}

/// Gives the lock back.
fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let locked = storage(ctx, recv).and_then(|s| s.locked.borrow_mut().take());
    drop(locked);
    Ok(Value::NIL)
}

const _: fn() = || {
    // What crosses to the region outside the lock.
    fn sendable<T: Send>() {}
    sendable::<(Locked, Seen, SharedBytes)>();
};
