//! Gzip files: Zlib::GzipFile, the state that readers and writers share, and the header's layout (RFC 1952).
//! Reading is `reader.rs` and `lines.rs`, writing `writer.rs`, whole strings `whole.rs`; what needs no speed is
//! `gzip.rb`.

mod lines;
mod reader;
pub mod whole;
mod writer;

use super::stream::Kind;
use super::zstream::{Owner, ZState};
use rubellite_core_io::io::mode;
use rubellite_vm::object::{Data, NativeData, Str};
use rubellite_vm::{
    Args, Arity, Class, ClassDef, Ctx, Encoding, MethodDef, Result, Unwind, Value, method, no_allocator,
};
use std::cell::{Cell, RefCell};

static GZIP_FILE: ClassDef = ClassDef {
    name: "Zlib::GzipFile",
    alloc: Some(no_allocator),
    methods: &[
        method("to_io", Arity::NONE, to_io),
        method("crc", Arity::NONE, crc),
        method("mtime", Arity::NONE, mtime),
        method("level", Arity::NONE, level),
        method("os_code", Arity::NONE, os_code),
        method("orig_name", Arity::NONE, orig_name),
        method("comment", Arity::NONE, comment),
        method("close", Arity::NONE, close),
        method("finish", Arity::NONE, finish),
        method("closed?", Arity::NONE, closed_p),
        method("sync", Arity::NONE, sync),
        method("sync=", Arity::ONE, set_sync),
    ],
    ..ClassDef::EMPTY
};

const ERRORS: &[(&str, &str)] = &[
    ("Zlib::GzipFile::Error", "Zlib::Error"),
    ("Zlib::GzipFile::NoFooter", "Zlib::GzipFile::Error"),
    ("Zlib::GzipFile::CRCError", "Zlib::GzipFile::Error"),
    ("Zlib::GzipFile::LengthError", "Zlib::GzipFile::Error"),
];

/// Numbers of the header.
mod header {
    pub const MAGIC: [u8; 2] = [0x1f, 0x8b];
    pub const DEFLATE: u8 = 8;
    /// Length of the fixed part.
    pub const SIZE: usize = 10;
    pub const FOOTER_SIZE: usize = 8;
    /// Bits of the flag byte.
    pub const MULTI_PART: u8 = 0x02;
    pub const EXTRA: u8 = 0x04;
    pub const NAME: u8 = 0x08;
    pub const COMMENT: u8 = 0x10;
    pub const ENCRYPTED: u8 = 0x20;
    pub const UNKNOWN: u8 = 0xc0;
    /// Values of the extra-flags byte.
    pub const SLOWEST: u8 = 2;
    pub const FASTEST: u8 = 4;
    pub const OS_UNIX: u8 = 3;
}

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&GZIP_FILE)?;
    for &(name, superclass) in ERRORS {
        ctx.install(&ClassDef { name, superclass, ..ClassDef::EMPTY })?;
    }
    ctx.install(&writer::GZIP_WRITER)?;
    ctx.install(&reader::GZIP_READER)?;
    ctx.run_internal(include_str!("gzip.rb"), "zlib")?;
    Ok(())
}

/// The state of a reader or writer.
struct GzState {
    z: ZState,
    /// nil when closed.
    io: Cell<Value>,
    level: Cell<i32>,
    os_code: Cell<u8>,
    mtime: Cell<u32>,
    mtime_is_set: Cell<bool>,
    orig_name: Cell<Value>,
    comment: Cell<Value>,
    crc: Cell<u32>,
    lineno: Cell<i64>,
    /// Bytes at the front of the output that were put back and are already in `crc`.
    put_back: Cell<usize>,
    /// Compressed bytes that did not go through the stream: the footer.
    extra_in: Cell<u64>,
    sync: Cell<bool>,
    header_done: Cell<bool>,
    footer_done: Cell<bool>,
    closing: Cell<bool>,
    encoding: Cell<Encoding>,
    /// What the contents are in, when they are to be converted to `encoding`.
    source_encoding: Cell<Option<Encoding>>,
    /// Options of the conversion, a Hash or nil.
    convert_options: Cell<Value>,
    path: Cell<Value>,
    /// Writer: cores to use, and input that waits for a batch, with the window of the batch before in front.
    parallel: RefCell<writer::Batch>,
}

impl NativeData for GzState {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.z.trace_values(visit);
        for value in [&self.io, &self.orig_name, &self.comment, &self.convert_options, &self.path] {
            visit(value.get());
        }
    }

    fn memory_size(&self) -> usize {
        self.z.memory_size() + self.parallel.borrow().memory_size()
    }
}

fn allocate(ctx: &mut Ctx, class: Value, kind: Kind) -> Result {
    let encoding = mode::default_external(ctx)?;
    let state = GzState {
        z: ZState::new(kind),
        io: Cell::new(Value::NIL),
        level: Cell::new(0),
        os_code: Cell::new(header::OS_UNIX),
        mtime: Cell::new(0),
        mtime_is_set: Cell::new(false),
        orig_name: Cell::new(Value::NIL),
        comment: Cell::new(Value::NIL),
        crc: Cell::new(0),
        lineno: Cell::new(0),
        put_back: Cell::new(0),
        extra_in: Cell::new(0),
        sync: Cell::new(false),
        header_done: Cell::new(false),
        footer_done: Cell::new(false),
        closing: Cell::new(false),
        encoding: Cell::new(encoding),
        source_encoding: Cell::new(None),
        convert_options: Cell::new(Value::NIL),
        path: Cell::new(Value::NIL),
        parallel: RefCell::default(),
    };
    Ok(Data::new(ctx, class, state).value())
}

/// A reader or writer; nothing of its state is borrowed.
#[derive(Copy, Clone)]
struct Gz(Value);

impl Gz {
    /// The object, which must be open.
    fn open(ctx: &mut Ctx, recv: Value) -> Result<Gz> {
        match Data::state_of::<GzState>(ctx, recv) {
            Some(state) if state.z.is_ready() => Ok(Gz(recv)),
            _ => Err(ctx.raise_error("Zlib::GzipFile::Error", "closed gzip stream")),
        }
    }

    /// Runs `body` on the open object while no other thread reads or writes it.
    fn in_turn<T>(ctx: &mut Ctx, recv: Value, body: impl FnOnce(&mut Ctx, Gz) -> Result<T>) -> Result<T> {
        let gz = Gz::open(ctx, recv)?;
        gz.stream().in_turn_again(ctx, |ctx| {
            // Whoever was here before may have closed it.
            let gz = Gz::open(ctx, recv)?;
            body(ctx, gz)
        })
    }

    /// The state: there is one, because `open` and the methods' receivers say so.
    fn state<'a>(&self, ctx: &'a Ctx) -> &'a GzState {
        Data::state_of::<GzState>(ctx, self.0)
            .unwrap_or_else(|| unreachable!("a Gz is made of an object with this state"))
    }

    fn stream(&self) -> Owner {
        Owner { object: self.0, state: |ctx, object| Data::state_of::<GzState>(ctx, object).map(|state| &state.z) }
    }

    fn io(&self, ctx: &Ctx) -> Value {
        self.state(ctx).io.get()
    }

    fn keep(&self, ctx: &Ctx, cell: impl FnOnce(&GzState) -> &Cell<Value>, value: Value) {
        cell(self.state(ctx)).set(value);
        ctx.write_barrier(self.0, value);
    }

    /// The stream ends; `close_io`: the file, too.
    fn close(&self, ctx: &mut Ctx, close_io: bool) -> Result<Value> {
        let io = self.io(ctx);
        // The handler of a signal may come in the midst of a write.
        self.stream().alone(ctx, |_| Ok(()))?;
        if !self.state(ctx).closing.replace(true) {
            let ended = match self.state(ctx).z.kind() {
                Kind::Deflate => writer::end(ctx, *self),
                Kind::Inflate => reader::end(ctx, *self),
            };
            self.state(ctx).z.close();
            ended?;
        }
        for cell in [&self.state(ctx).io, &self.state(ctx).orig_name, &self.state(ctx).comment] {
            cell.set(Value::NIL);
        }
        let close = ctx.intern("close");
        if close_io && ctx.respond_to(io, close, false)? {
            ctx.call(io, close, &[])?;
        }
        Ok(io)
    }

    /// Reads `external_encoding:` and its kin.
    fn set_encodings(&self, ctx: &mut Ctx, args: Args) -> Result<()> {
        let Some(keywords) = args.keywords() else { return Ok(()) };
        let mode = mode::encodings_of(ctx, keywords)?;
        let state = self.state(ctx);
        match (mode.external, mode.internal) {
            (Some(external), Some(internal)) => {
                state.encoding.set(internal);
                state.source_encoding.set(Some(external));
                self.keep(ctx, |s| &s.convert_options, mode.options);
            }
            (Some(external), None) => state.encoding.set(external),
            _ => {}
        }
        Ok(())
    }

    /// Remembers the file's path and defines `path`, when the file has one.
    fn set_path(&self, ctx: &mut Ctx) -> Result<()> {
        let (io, path) = (self.io(ctx), ctx.intern("path"));
        if !ctx.respond_to(io, path, false)? {
            return Ok(());
        }
        match ctx.call(io, path, &[]) {
            Ok(path) => {
                self.keep(ctx, |s| &s.path, path);
                if let Some(singleton) = Class::singleton_class(ctx, self.0) {
                    const PATH: MethodDef = method("path", Arity::NONE, gz_path);
                    ctx.define_native(singleton, &PATH);
                }
                Ok(())
            }
            Err(unwind) => swallow(ctx, unwind, "IOError"),
        }
    }
}

/// Ends an exception of the class; every other exit goes on.
fn swallow(ctx: &mut Ctx, unwind: Unwind, class: &'static str) -> Result<()> {
    let class = ctx.error_class(class).value();
    match ctx.pending_exception() {
        Some(exception) if ctx.is_a(exception, class) => {
            ctx.take_exception();
            Ok(())
        }
        _ => Err(unwind),
    }
}

fn gzip_error(ctx: &mut Ctx, message: &str) -> Unwind {
    ctx.raise_error("Zlib::GzipFile::Error", message)
}

fn to_io(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Gz::open(ctx, recv)?.io(ctx))
}

fn crc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(Gz::open(ctx, recv)?.state(ctx).crc.get() as i64))
}

fn mtime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let seconds = Gz::open(ctx, recv)?.state(ctx).mtime.get();
    rubellite_core_time::at(ctx, seconds as i64, 0)
}

fn level(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(Gz::open(ctx, recv)?.state(ctx).level.get() as i64))
}

fn os_code(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(Gz::open(ctx, recv)?.state(ctx).os_code.get() as i64))
}

fn copy_of(ctx: &mut Ctx, value: Value) -> Value {
    match Str::try_of(value) {
        Some(string) => string.dup(ctx).value(),
        None => value,
    }
}

fn orig_name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = Gz::open(ctx, recv)?.state(ctx).orig_name.get();
    Ok(copy_of(ctx, name))
}

fn comment(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let comment = Gz::open(ctx, recv)?.state(ctx).comment.get();
    Ok(copy_of(ctx, comment))
}

/// `close -> io`, nil when it is closed already
fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if !Data::state_of::<GzState>(ctx, recv).is_some_and(|state| state.z.is_ready()) {
        return Ok(Value::NIL);
    }
    Gz(recv).stream().in_turn_again(ctx, |ctx| {
        match Data::state_of::<GzState>(ctx, recv).is_some_and(|state| state.z.is_ready()) {
            true => Gz(recv).close(ctx, true),
            false => Ok(Value::NIL),
        }
    })
}

/// `finish -> io`: ends the stream and leaves the file open.
fn finish(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Gz::in_turn(ctx, recv, |ctx, gz| gz.close(ctx, false))
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(Data::state_of::<GzState>(ctx, recv).is_none_or(|state| state.io.get().is_nil())))
}

fn sync(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(Gz::open(ctx, recv)?.state(ctx).sync.get()))
}

fn set_sync(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Gz::open(ctx, recv)?.state(ctx).sync.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn gz_path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Data::state_of::<GzState>(ctx, recv).map_or(Value::NIL, |state| state.path.get()))
}
