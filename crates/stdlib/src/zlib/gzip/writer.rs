//! Zlib::GzipWriter: the header, compressing, the footer. With `threads:` the contents are compressed in batches on
//! several cores (`parallel.rs`).

use super::super::checksum;
use super::super::deflate::{DEFAULT_LEVEL, DEFAULT_MEMORY, MAX_WBITS};
use super::super::parallel::{self, BLOCK, Settings, WINDOW};
use super::super::stream::{Kind, Stream, flush};
use super::super::zstream::{checked, int_arg, no_bytes, offered, u64_value};
use super::{Gz, gzip_error, header};
use rubellite_core_io::io::{mode, write};
use rubellite_vm::object::{SharedBytes, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub static GZIP_WRITER: ClassDef = ClassDef {
    name: "Zlib::GzipWriter",
    superclass: "Zlib::GzipFile",
    alloc: Some(|ctx, class| super::allocate(ctx, class, Kind::Deflate)),
    methods: &[
        method("initialize", Arity::range(1, 3).with_keywords(), initialize),
        method("mtime=", Arity::ONE, set_mtime),
        method("orig_name=", Arity::ONE, set_orig_name),
        method("comment=", Arity::ONE, set_comment),
        method("pos", Arity::NONE, pos),
        method("tell", Arity::NONE, pos),
        method("flush", Arity::range(0, 1), flush_method),
        method("write", Arity::ANY, write_method),
        method("putc", Arity::ONE, putc),
        method("<<", Arity::ONE, op_shl),
        method("print", Arity::ANY, write::io_print),
        method("puts", Arity::ANY, write::io_puts),
    ],
    ..ClassDef::EMPTY
};

/// Blocks that wait until every core has some.
const BLOCKS_PER_THREAD: usize = 4;

/// Contents that wait to be compressed on several cores.
#[derive(Default)]
pub struct Batch {
    /// 0 or 1: none, the stream does it.
    threads: usize,
    strategy: i32,
    /// The window of the batch before, then what waits.
    bytes: Vec<u8>,
    /// Where the latter begins.
    from: usize,
    /// Contents of all batches so far, for `pos` and the footer.
    total: u64,
}

impl Batch {
    pub fn memory_size(&self) -> usize {
        self.bytes.capacity()
    }

    fn is_parallel(&self) -> bool {
        self.threads > 1
    }
}

/// `Zlib::GzipWriter.new(io, level = nil, strategy = nil, threads: 1, **encodings)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let threads = parallel::threads_arg(ctx, args)?;
    let positional = args.positional();
    let level = int_arg(ctx, positional.at(1), DEFAULT_LEVEL)?;
    let strategy = int_arg(ctx, positional.at(2), 0)?;
    let made = Stream::deflate(level, -MAX_WBITS, DEFAULT_MEMORY, strategy);
    let stream = checked(ctx, made)?;
    let gz = Gz(recv);
    gz.keep(ctx, |s| &s.io, positional.at(0));
    let state = gz.state(ctx);
    state.level.set(level);
    state.z.open(stream);
    *state.parallel.borrow_mut() = Batch { threads, strategy, ..Batch::default() };
    gz.set_encodings(ctx, args)?;
    gz.set_path(ctx)?;
    Ok(recv)
}

// -- header fields --------------------------------------------------------------------------

fn before_header(ctx: &mut Ctx, recv: Value) -> Result<Gz> {
    let gz = Gz::open(ctx, recv)?;
    if gz.state(ctx).header_done.get() {
        return Err(gzip_error(ctx, "header is already written"));
    }
    Ok(gz)
}

/// `mtime = time_or_seconds`
fn set_mtime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = before_header(ctx, recv)?;
    let seconds = ctx.call_name(recv, "Integer", &[args.at(0)])?;
    let seconds = ctx.to_int(seconds)?;
    let state = gz.state(ctx);
    state.mtime.set(seconds as u32);
    state.mtime_is_set.set(true);
    Ok(args.at(0))
}

/// A copy of the string up to a zero byte.
fn header_text(ctx: &mut Ctx, value: Value) -> Result {
    let string = ctx.to_str(value)?;
    let len = string.bytes(ctx).iter().position(|b| *b == 0).unwrap_or(string.len());
    let copy = string.bytes(ctx)[..len].to_vec();
    Ok(Str::from_vec(ctx, copy, string.encoding()).value())
}

fn set_orig_name(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = before_header(ctx, recv)?;
    let name = header_text(ctx, args.at(0))?;
    gz.keep(ctx, |s| &s.orig_name, name);
    Ok(args.at(0))
}

fn set_comment(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = before_header(ctx, recv)?;
    let comment = header_text(ctx, args.at(0))?;
    gz.keep(ctx, |s| &s.comment, comment);
    Ok(args.at(0))
}

/// The fixed part of a header.
pub(super) fn header_bytes(flags: u8, mtime: u32, level: i32) -> Vec<u8> {
    let extra = match level {
        1 => header::FASTEST,
        9 => header::SLOWEST,
        _ => 0,
    };
    let mut head = Vec::from(header::MAGIC);
    head.extend_from_slice(&[header::DEFLATE, flags]);
    head.extend_from_slice(&mtime.to_le_bytes());
    head.extend_from_slice(&[extra, header::OS_UNIX]);
    head
}

/// Seconds since 1970.
pub(super) fn now() -> u32 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() as u32)
}

fn make_header(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    let state = gz.state(ctx);
    if state.header_done.replace(true) {
        return Ok(());
    }
    if !state.mtime_is_set.get() {
        state.mtime.set(now());
    }
    let (name, comment) = (Str::try_of(state.orig_name.get()), Str::try_of(state.comment.get()));
    let flags = name.map_or(0, |_| header::NAME) | comment.map_or(0, |_| header::COMMENT);
    let mut head = header_bytes(flags, state.mtime.get(), state.level.get());
    for text in [name, comment].into_iter().flatten() {
        head.extend_from_slice(text.bytes(ctx));
        head.push(0);
    }
    gz.stream().look(ctx, |s| s.append_output(&head))
}

pub(super) fn footer_bytes(crc: u32, total: u64) -> [u8; header::FOOTER_SIZE] {
    (crc as u64 | total << 32).to_le_bytes()
}

// -- contents -------------------------------------------------------------------------------

/// Hands the output to the file.
fn write_raw(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    let bytes = gz.stream().look(ctx, Stream::take_output)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let piece = Str::from_vec(ctx, bytes, Encoding::BINARY).value();
    let io = gz.io(ctx);
    ctx.call_name(io, "write", &[piece])?;
    if gz.state(ctx).sync.get() {
        flush_file(ctx, gz)?;
    }
    Ok(())
}

fn flush_file(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    let (io, flush) = (gz.io(ctx), ctx.intern("flush"));
    if ctx.respond_to(io, flush, false)? {
        ctx.call(io, flush, &[])?;
    }
    Ok(())
}

fn compress(ctx: &mut Ctx, gz: Gz, bytes: &SharedBytes, flush: i32) -> Result<()> {
    let batch = &gz.state(ctx).parallel;
    if !batch.borrow().is_parallel() {
        return gz.stream().run(ctx, bytes, flush, usize::MAX, &mut |_| Ok(()));
    }
    let mut batch = batch.borrow_mut();
    batch.bytes.extend_from_slice(bytes);
    batch.total += bytes.len() as u64;
    let waiting = batch.bytes.len() - batch.from;
    let full = waiting >= batch.threads * BLOCKS_PER_THREAD * BLOCK;
    drop(batch);
    if full || flush != flush::NONE { compress_batch(ctx, gz, flush == flush::FINISH) } else { Ok(()) }
}

/// Compresses what waits; nobody adds to it meanwhile. When an interrupt ends it early it waits still.
fn compress_batch(ctx: &mut Ctx, gz: Gz, last: bool) -> Result<()> {
    let state = gz.state(ctx);
    let level = state.level.get();
    let (bytes, from, settings) = {
        let mut batch = state.parallel.borrow_mut();
        let settings = Settings { level, strategy: batch.strategy, threads: batch.threads };
        (std::mem::take(&mut batch.bytes), batch.from, settings)
    };
    let made = ctx.outside(offered(bytes.len() - from), |stop| {
        parallel::blocks(&bytes, from, settings, last, stop.flag()).transpose()
    });
    let compressed = match made {
        Ok(made) => checked(ctx, made),
        Err(unwind) => Err(unwind),
    };
    let mut batch = gz.state(ctx).parallel.borrow_mut();
    match compressed {
        Ok(output) => {
            let window = bytes.len().min(WINDOW);
            batch.bytes = bytes[bytes.len() - window..].to_vec();
            batch.from = window;
            drop(batch);
            gz.stream().look(ctx, |s| s.append_output(&output))
        }
        Err(unwind) => {
            batch.bytes = bytes;
            Err(unwind)
        }
    }
}

fn write_bytes(ctx: &mut Ctx, gz: Gz, bytes: &SharedBytes) -> Result<()> {
    make_header(ctx, gz)?;
    let sync = gz.state(ctx).sync.get();
    if !bytes.is_empty() || sync {
        gz.stream().alone(ctx, |ctx| {
            let crc = gz.state(ctx).crc.get();
            let crc = checksum::of_bytes(ctx, bytes, checksum::crc32, crc)?;
            gz.state(ctx).crc.set(crc);
            compress(ctx, gz, bytes, if sync { flush::SYNC } else { flush::NONE })
        })?;
    }
    write_raw(ctx, gz)
}

fn write_in_turn(ctx: &mut Ctx, gz: Gz, bytes: &SharedBytes) -> Result<()> {
    Gz::in_turn(ctx, gz.0, |ctx, gz| write_bytes(ctx, gz, bytes))
}

/// Ends the stream and writes the footer.
pub(super) fn end(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    make_header(ctx, gz)?;
    gz.stream().alone(ctx, |ctx| compress(ctx, gz, &no_bytes(), flush::FINISH))?;
    let total = total(ctx, gz)?;
    let footer = footer_bytes(gz.state(ctx).crc.get(), total);
    gz.stream().look(ctx, |s| s.append_output(&footer))?;
    write_raw(ctx, gz)
}

/// Bytes of contents.
fn total(ctx: &mut Ctx, gz: Gz) -> Result<u64> {
    let batch = gz.state(ctx).parallel.borrow();
    let batched = batch.is_parallel().then_some(batch.total);
    drop(batch);
    match batched {
        Some(total) => Ok(total),
        None => gz.stream().look(ctx, |s| s.total_in()),
    }
}

/// `write(*objects) -> integer`: bytes of contents.
fn write_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = Gz::open(ctx, recv)?;
    // Strings that need no conversion are one piece whoever else writes.
    if gz.state(ctx).source_encoding.get().is_none() && (0..args.len()).all(|i| Str::try_of(args.at(i)).is_some()) {
        return Gz::in_turn(ctx, recv, |ctx, gz| write_all(ctx, gz, args));
    }
    write_all(ctx, gz, args)
}

fn write_all(ctx: &mut Ctx, gz: Gz, args: Args) -> Result {
    let mut total = 0;
    for i in 0..args.len() {
        let mut string = match Str::try_of(args.at(i)) {
            Some(string) => string,
            None => ctx.to_s(args.at(i))?,
        };
        if let Some(target) = gz.state(ctx).source_encoding.get().filter(|e| *e != Encoding::BINARY) {
            let target = mode::encoding_object(ctx, Some(target));
            let converted = ctx.call_name(string.value(), "encode", &[target])?;
            string = ctx.to_str(converted)?;
        }
        let bytes = string.share(ctx);
        write_in_turn(ctx, gz, &bytes)?;
        total += bytes.len();
    }
    Ok(Value::fixnum(total as i64))
}

/// `putc(char_or_byte) -> char_or_byte`
fn putc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = Gz::open(ctx, recv)?;
    let byte = match Str::try_of(args.at(0)).map(|s| s.byte(0)) {
        Some(Some(byte)) => byte,
        _ => ctx.to_int(args.at(0))? as u8,
    };
    write_in_turn(ctx, gz, &SharedBytes::copy_of(&[byte]))?;
    Ok(args.at(0))
}

/// `gz << object -> gz`
fn op_shl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let write = ctx.names().write;
    ctx.call(recv, write, &[args.at(0)])?;
    Ok(recv)
}

/// `flush(flush = Zlib::SYNC_FLUSH) -> gz`
fn flush_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Gz::open(ctx, recv)?;
    let flush = int_arg(ctx, args.at(0), flush::SYNC)?;
    Gz::in_turn(ctx, recv, |ctx, gz| {
        if flush != flush::NONE {
            gz.stream().alone(ctx, |ctx| compress(ctx, gz, &no_bytes(), flush))?;
        }
        write_raw(ctx, gz)?;
        flush_file(ctx, gz)?;
        Ok(recv)
    })
}

/// `pos -> integer`: bytes of contents written.
fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let gz = Gz::open(ctx, recv)?;
    let total = total(ctx, gz)?;
    Ok(u64_value(ctx, total))
}
