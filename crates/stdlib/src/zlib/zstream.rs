//! Zlib::ZStream: what deflate and inflate streams have in common, and the state of every object that owns a stream.
//! The stream itself is `stream.rs`.
//!
//! Protocol: a thread that works on a stream takes it out of its object, works outside the lock and puts it back; a
//! second one that comes meanwhile gets Zlib::InProgressError. `deflate`, `inflate` and all that reads or writes a gzip
//! file queue instead (`in_turn`). A thread that is killed while it works puts the stream back first: input that it had
//! not consumed still waits in it.

use super::stream::{Failure, Kind, Outcome, Stream, flush};
use rubellite_core_thread::mutex;
use rubellite_vm::object::{Data, Int, NativeData, SharedBytes, Str};
use rubellite_vm::vmlock::{Kind as RegionKind, RegionSite};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Ends, Leave, Result, Unwind, Value, method, no_allocator};
use std::cell::Cell;

pub static ZSTREAM: ClassDef = ClassDef {
    name: "Zlib::ZStream",
    alloc: Some(no_allocator),
    methods: &[
        method("avail_out", Arity::NONE, avail_out),
        method("avail_out=", Arity::ONE, set_avail_out),
        method("avail_in", Arity::NONE, avail_in),
        method("total_in", Arity::NONE, total_in),
        method("total_out", Arity::NONE, total_out),
        method("data_type", Arity::NONE, data_type),
        method("adler", Arity::NONE, adler),
        method("finished?", Arity::NONE, finished_p),
        method("stream_end?", Arity::NONE, finished_p),
        method("closed?", Arity::NONE, closed_p),
        method("ended?", Arity::NONE, closed_p),
        method("close", Arity::NONE, close),
        method("end", Arity::NONE, close),
        method("reset", Arity::NONE, reset),
        method("finish", Arity::NONE, finish),
        method("flush_next_in", Arity::NONE, flush_next_in),
        method("flush_next_out", Arity::NONE, flush_next_out),
    ],
    ..ClassDef::EMPTY
};

/// What a block gets at most.
pub const BLOCK_CHUNK: usize = 16 << 10;
/// How much output is made for a block before the first piece is yielded.
const BLOCK_OUTPUT: usize = 16 * BLOCK_CHUNK;
/// Inputs from here on are taken to be long work until the site learns otherwise.
const LONG_INPUT: usize = 16 << 10;

static SMALL_SITE: RegionSite = RegionSite::new("zlib, small input");
static LARGE_SITE: RegionSite = RegionSite::new("zlib, large input");

/// The region for work on so many bytes.
pub fn region_for(len: usize) -> RegionKind {
    RegionKind::Short(if len < LONG_INPUT { &SMALL_SITE } else { &LARGE_SITE })
}

/// How work on so many bytes leaves the lock.
pub fn offered(len: usize) -> Leave<'static> {
    Leave::new(region_for(len), Ends::Flag).offered()
}

/// A stream in an object.
pub struct ZState {
    kind: Kind,
    /// None: not made yet, closed, or taken out by the thread that works on it.
    stream: Cell<Option<Box<Stream>>>,
    ready: Cell<bool>,
    busy: Cell<bool>,
    /// Somebody is in `Owner::alone`.
    alone: Cell<bool>,
    /// A Mutex, or nil before the first `in_turn`.
    turn: Cell<Value>,
    /// Inflate: dictionaries by checksum, a Hash or nil.
    pub dictionaries: Cell<Value>,
    avail_out: Cell<usize>,
}

impl ZState {
    pub fn new(kind: Kind) -> ZState {
        ZState {
            kind,
            stream: Cell::new(None),
            ready: Cell::new(false),
            busy: Cell::new(false),
            alone: Cell::new(false),
            turn: Cell::new(Value::NIL),
            dictionaries: Cell::new(Value::NIL),
            avail_out: Cell::new(0),
        }
    }

    pub fn is_ready(&self) -> bool {
        self.ready.get()
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Gives the object its stream.
    pub fn open(&self, stream: Stream) {
        self.stream.set(Some(Box::new(stream)));
        self.ready.set(true);
    }

    /// Ends the stream.
    pub fn close(&self) {
        self.stream.set(None);
        self.ready.set(false);
    }

    /// A look at the stream; nothing while another thread works on it.
    pub fn look<R>(&self, f: impl FnOnce(&mut Stream) -> R) -> Option<R> {
        let mut stream = self.stream.take()?;
        let result = f(&mut stream);
        self.stream.set(Some(stream));
        Some(result)
    }

    pub fn trace_values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.dictionaries.get());
        visit(self.turn.get());
    }
}

impl NativeData for ZState {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.trace_values(visit);
    }

    fn memory_size(&self) -> usize {
        self.look(|stream| stream.memory_size()).unwrap_or(0)
    }
}

/// An object that owns a stream: finds the state in it again and again, since the state may not be held across anything
/// that takes `&mut Ctx`.
#[derive(Copy, Clone)]
pub struct Owner {
    pub object: Value,
    pub state: for<'a> fn(&'a Ctx, Value) -> Option<&'a ZState>,
}

impl Owner {
    pub fn z<'a>(&self, ctx: &'a Ctx) -> Option<&'a ZState> {
        (self.state)(ctx, self.object)
    }

    /// A look at the stream; Zlib::InProgressError while another thread works on it.
    pub fn look<R>(&self, ctx: &mut Ctx, f: impl FnOnce(&mut Stream) -> R) -> Result<R> {
        match self.z(ctx).and_then(|z| z.look(f)) {
            Some(result) => Ok(result),
            None => Err(in_progress(ctx)),
        }
    }

    /// Feeds the stream until the input is used up, outside the lock. `each` takes output as long as there is more than
    /// it wants to see at once.
    pub fn run(
        &self,
        ctx: &mut Ctx,
        source: &SharedBytes,
        flush: i32,
        limit: usize,
        each: &mut dyn FnMut(&mut Ctx) -> Result<()>,
    ) -> Result<()> {
        let mut rest: &[u8] = source;
        if self.z(ctx).is_none_or(|z| z.busy.get()) {
            return Err(in_progress(ctx));
        }
        if let Some(z) = self.z(ctx) {
            z.busy.set(true);
        }
        let outcome = self.run_busy(ctx, &mut rest, flush, limit, each);
        if let Some(z) = self.z(ctx) {
            z.look(|stream| stream.keep(source, rest.len()));
            z.busy.set(false);
        }
        outcome
    }

    fn run_busy(
        &self,
        ctx: &mut Ctx,
        rest: &mut &[u8],
        flush: i32,
        limit: usize,
        each: &mut dyn FnMut(&mut Ctx) -> Result<()>,
    ) -> Result<()> {
        loop {
            let Some(mut stream) = self.z(ctx).and_then(|z| z.stream.take()) else {
                return Err(in_progress(ctx));
            };
            let leave = offered(rest.len() + stream.waiting_input());
            let outcome = ctx.outside(leave, |stop| match stream.run(rest, flush, limit, stop.flag()) {
                Outcome::Stopped => None,
                outcome => Some(outcome),
            });
            let dictionary = stream.adler();
            if let Some(z) = self.z(ctx) {
                z.stream.set(Some(stream));
            }
            match outcome? {
                Outcome::Done | Outcome::Stopped => return Ok(()),
                Outcome::Full => each(ctx)?,
                Outcome::NoMemory => return Err(ctx.no_memory()),
                Outcome::Failed(failure) => {
                    if failure.code == libz_rs_sys::Z_NEED_DICT && self.give_dictionary(ctx, dictionary)? {
                        continue;
                    }
                    return Err(zlib_error(ctx, failure));
                }
            }
        }
    }

    /// Sets a dictionary that `add_dictionary` knows by its checksum.
    fn give_dictionary(&self, ctx: &mut Ctx, checksum: u32) -> Result<bool> {
        let known = self.z(ctx).map_or(Value::NIL, |z| z.dictionaries.get());
        if known.is_nil() {
            return Ok(false);
        }
        let found = ctx.call_name(known, "[]", &[Value::fixnum(checksum as i64)])?;
        let Some(dictionary) = Str::try_of(found) else { return Ok(false) };
        let bytes = dictionary.share(ctx);
        match self.look(ctx, |stream| stream.set_dictionary(&bytes))? {
            Ok(()) => Ok(true),
            Err(failure) => Err(zlib_error(ctx, failure)),
        }
    }

    /// `run` for a method that yields pieces of the output to its block, if it has one.
    pub fn run_for_block(&self, ctx: &mut Ctx, source: &SharedBytes, flush: i32, target: &Target) -> Result<()> {
        if !target.streams() {
            return self.run(ctx, source, flush, usize::MAX, &mut |_| Ok(()));
        }
        let owner = *self;
        self.run(ctx, source, flush, BLOCK_OUTPUT, &mut |ctx| owner.yield_full(ctx, target))
    }

    /// Yields whole pieces; what is left is less than one, or exactly one.
    fn yield_full(&self, ctx: &mut Ctx, target: &Target) -> Result<()> {
        while self.look(ctx, |stream| stream.filled())? > BLOCK_CHUNK {
            let piece = self.look(ctx, |stream| stream.take_front(BLOCK_CHUNK))?;
            target.give(ctx, piece)?;
        }
        Ok(())
    }

    /// The output: for a method with a block, yields it when the stream has ended and keeps it otherwise.
    pub fn detach(&self, ctx: &mut Ctx, target: &Target) -> Result {
        if !target.streams() {
            let bytes = self.look(ctx, Stream::take_output)?;
            return Ok(target.place(ctx, bytes));
        }
        self.yield_full(ctx, target)?;
        if self.look(ctx, |stream| stream.finished)? {
            let rest = self.look(ctx, Stream::take_output)?;
            target.give(ctx, rest)?;
        }
        Ok(Value::NIL)
    }

    /// Runs `body` when nobody else is in such a body of this stream; coming here from within one is an error.
    pub fn in_turn(&self, ctx: &mut Ctx, body: impl FnOnce(&mut Ctx) -> Result) -> Result {
        let turn = self.turn(ctx)?;
        mutex::synchronize(ctx, turn, body)
    }

    /// The same for bodies that may run each other.
    pub fn in_turn_again<T>(&self, ctx: &mut Ctx, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
        let turn = self.turn(ctx)?;
        mutex::synchronize_again(ctx, turn, body)
    }

    /// Runs `body`, which works on what belongs to the stream and may leave the lock. Whoever comes here meanwhile, the
    /// handler of a signal for one, gets Zlib::InProgressError.
    pub fn alone<T>(&self, ctx: &mut Ctx, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
        match self.z(ctx) {
            Some(z) if !z.alone.get() && !z.busy.get() => z.alone.set(true),
            _ => return Err(in_progress(ctx)),
        }
        let outcome = body(ctx);
        if let Some(z) = self.z(ctx) {
            z.alone.set(false);
        }
        outcome
    }

    fn turn(&self, ctx: &mut Ctx) -> Result {
        if let Some(turn) = self.z(ctx).map(|z| z.turn.get()).filter(|turn| !turn.is_nil()) {
            return Ok(turn);
        }
        let turn = mutex::make(ctx)?;
        if let Some(z) = self.z(ctx) {
            z.turn.set(turn);
            ctx.write_barrier(self.object, turn);
        }
        Ok(turn)
    }
}

/// Where the output of a method goes: to its block, into the string given as `buffer:`, or into a new string.
pub struct Target {
    pub block: Value,
    pub buffer: Option<Str>,
}

impl Target {
    pub fn of(args: Args) -> Target {
        Target { block: args.block, buffer: None }
    }

    fn streams(&self) -> bool {
        !self.block.is_nil()
    }

    fn place(&self, ctx: &mut Ctx, bytes: Vec<u8>) -> Value {
        match self.buffer {
            Some(buffer) => {
                buffer.set_vec(ctx, bytes);
                buffer.value()
            }
            None => Str::from_vec(ctx, bytes, Encoding::BINARY).value(),
        }
    }

    fn give(&self, ctx: &mut Ctx, bytes: Vec<u8>) -> Result<()> {
        let piece = self.place(ctx, bytes);
        ctx.yield_one(self.block, piece)?;
        Ok(())
    }
}

// -- errors ---------------------------------------------------------------------------------

/// The exception for a failure of the compressor.
pub fn zlib_error(ctx: &mut Ctx, failure: Failure) -> Unwind {
    let (class, words) = match failure.code {
        libz_rs_sys::Z_STREAM_END => ("Zlib::StreamEnd", "stream end"),
        libz_rs_sys::Z_NEED_DICT => ("Zlib::NeedDict", "need dictionary"),
        libz_rs_sys::Z_STREAM_ERROR => ("Zlib::StreamError", "stream error"),
        libz_rs_sys::Z_DATA_ERROR => ("Zlib::DataError", "data error"),
        libz_rs_sys::Z_BUF_ERROR => ("Zlib::BufError", "buffer error"),
        libz_rs_sys::Z_MEM_ERROR => ("Zlib::MemError", "insufficient memory"),
        libz_rs_sys::Z_VERSION_ERROR => ("Zlib::VersionError", "incompatible version"),
        _ => ("Zlib::Error", "unknown zlib error"),
    };
    ctx.raise_error(class, failure.message.unwrap_or(words))
}

pub fn checked<T>(ctx: &mut Ctx, result: std::result::Result<T, Failure>) -> Result<T> {
    result.map_err(|failure| zlib_error(ctx, failure))
}

#[cold]
fn in_progress(ctx: &mut Ctx) -> Unwind {
    ctx.raise_error("Zlib::InProgressError", "zlib stream is in progress")
}

// -- arguments ------------------------------------------------------------------------------

/// A number that must fit a C int; `default` for nil.
pub fn int_arg(ctx: &mut Ctx, value: Value, default: i32) -> Result<i32> {
    if value.is_nil() {
        return Ok(default);
    }
    ctx.to_c_int(value)
}

pub fn no_bytes() -> SharedBytes {
    SharedBytes::from_vec(Vec::new())
}

pub fn u64_value(ctx: &mut Ctx, n: u64) -> Value {
    Int::from(n).into_value(ctx)
}

// -- methods --------------------------------------------------------------------------------

pub fn plain_state(ctx: &Ctx, object: Value) -> Option<&ZState> {
    Data::state_of::<ZState>(ctx, object)
}

/// The stream of a Deflate or Inflate; Zlib::Error when it is closed.
pub fn owner(ctx: &mut Ctx, recv: Value) -> Result<Owner> {
    match plain_state(ctx, recv) {
        Some(z) if z.is_ready() => Ok(Owner { object: recv, state: plain_state }),
        _ => Err(ctx.raise_error("Zlib::Error", "stream is not ready")),
    }
}

fn avail_out(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(plain_state(ctx, recv).map_or(0, |z| z.avail_out.get()) as i64))
}

/// `stream.avail_out = size`: makes room for so many bytes.
fn set_avail_out(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let size = int_arg(ctx, args.at(0), 0)?.max(0) as usize;
    if !owner.look(ctx, |stream| stream.reserve_output(size))? {
        return Err(ctx.no_memory());
    }
    if let Some(z) = owner.z(ctx) {
        z.avail_out.set(size);
    }
    Ok(args.at(0))
}

fn avail_in(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(plain_state(ctx, recv).and_then(|z| z.look(|s| s.waiting_input())).unwrap_or(0) as i64))
}

fn total_in(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let total = owner(ctx, recv)?.look(ctx, |s| s.total_in())?;
    Ok(u64_value(ctx, total))
}

fn total_out(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let total = owner(ctx, recv)?.look(ctx, |s| s.total_out())?;
    Ok(u64_value(ctx, total))
}

fn data_type(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(owner(ctx, recv)?.look(ctx, |s| s.data_type())? as i64))
}

fn adler(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(owner(ctx, recv)?.look(ctx, |s| s.adler())? as i64))
}

fn finished_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(owner(ctx, recv)?.look(ctx, |s| s.finished)?))
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(!plain_state(ctx, recv).is_some_and(ZState::is_ready)))
}

fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    if owner.look(ctx, |s| s.in_stream)? {
        ctx.warn_verbose("attempt to close unfinished zstream; reset forced.")?;
    }
    if let Some(z) = owner.z(ctx) {
        z.close();
    }
    Ok(Value::NIL)
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let outcome = owner(ctx, recv)?.look(ctx, Stream::reset)?;
    checked(ctx, outcome)?;
    Ok(Value::NIL)
}

/// `finish -> string`, `finish { |piece| } -> nil`
fn finish(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let target = Target::of(args);
    owner.run_for_block(ctx, &no_bytes(), flush::FINISH, &target)?;
    owner.detach(ctx, &target)
}

/// Input that waits, taken.
fn flush_next_in(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let waiting = plain_state(ctx, recv).and_then(|z| z.look(Stream::take_input)).unwrap_or_default();
    Ok(Str::from_vec(ctx, waiting, Encoding::BINARY).value())
}

/// Output that waits, taken.
fn flush_next_out(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match plain_state(ctx, recv).is_some_and(ZState::is_ready) {
        true => Owner { object: recv, state: plain_state }.detach(ctx, &Target::of(args)),
        false => Ok(Str::binary(ctx, b"").value()),
    }
}
