//! Whole strings, compressed or decompressed in one call.
//!
//! Strings of ordinary size take libdeflate, which is two to three times as fast as any stream and cannot be
//! interrupted: the sizes below keep one call under some 20 ms. Longer ones, and those whose contents are wrong in some
//! way, take a stream, which says what is wrong. Very short ones take a stream that was used before: their output is
//! then the same bytes as zlib's.

use super::stream::{Failure, Outcome, Stream, flush};
use super::zstream::{checked, offered, zlib_error};
use libdeflate_sys as ld;
use rubellite_vm::object::{SharedBytes, Str, fits};
use rubellite_vm::outside::once;
use rubellite_vm::{Ctx, Extension, Result, Value};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;

/// Longest input and output of a call that cannot be interrupted.
const INFLATE_INPUT_MAX: usize = 4 << 20;
const INFLATE_OUTPUT_MAX: usize = 8 << 20;
const DEFLATE_INPUT_MAX: usize = 1 << 20;
/// The same for the levels that search longest.
const DEFLATE_SLOW_INPUT_MAX: usize = 128 << 10;
/// Shorter strings are compressed by a stream.
const DEFLATE_INPUT_MIN: usize = 256;
/// Inflating at most so much keeps the lock: some 2 us. Four threads that inflate 1 KB of random bytes each time (0.8
/// us) are then together as fast as one (1.06 to 1.13 times; 0.93 to 1.02 when each string lent the lock), with 1 KB of
/// text (3 us), which lends it, 1.1 to 1.4 times as fast (0.98 to 1.09 when it kept the lock).
const INFLATE_LOCKED_OUTPUT_MAX: usize = 512;
/// The same for blocks that are stored as they are.
const INFLATE_LOCKED_STORED_MAX: usize = 8 << 10;
/// Room for output for a byte of input, in sixteenths: of the first string, and at least.
const RATIO_FIRST: usize = 32;
const RATIO_MIN: usize = 18;
/// How many idle compressors of a kind are kept.
const IDLE_MAX: usize = 4;

/// The two framings a string may have.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Format {
    Raw,
    Zlib,
}

impl Format {
    fn window_bits(self) -> i32 {
        if self == Format::Raw { -super::deflate::MAX_WBITS } else { super::deflate::MAX_WBITS }
    }
}

// -- compressors and decompressors ----------------------------------------------------------

struct Decompressor(NonNull<ld::libdeflate_decompressor>);

// SAFETY: plain memory that only this value points to.
unsafe impl Send for Decompressor {}

impl Decompressor {
    fn new() -> Option<Decompressor> {
        // SAFETY: no preconditions.
        NonNull::new(unsafe { ld::libdeflate_alloc_decompressor() }).map(Decompressor)
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: made by the matching function and freed once.
        unsafe { ld::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}

struct Compressor(NonNull<ld::libdeflate_compressor>);

// SAFETY: plain memory that only this value points to.
unsafe impl Send for Compressor {}

impl Compressor {
    fn new(level: i32) -> Option<Compressor> {
        // SAFETY: no preconditions; a level that does not exist gives null.
        NonNull::new(unsafe { ld::libdeflate_alloc_compressor(level) }).map(Compressor)
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: made by the matching function and freed once.
        unsafe { ld::libdeflate_free_compressor(self.0.as_ptr()) }
    }
}

/// What the threads of a VM reuse: making a compressor costs more than compressing a short string.
#[derive(Default)]
struct Idle {
    decompressors: RefCell<Vec<Decompressor>>,
    compressors: RefCell<Vec<(i32, Compressor)>>,
    streams: RefCell<Vec<(i32, Format, Stream)>>,
    /// Output for a byte of input, in sixteenths, as it was of late, and a quarter more.
    ratio: Cell<usize>,
}

impl Extension for Idle {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

fn give<T>(idle: &RefCell<Vec<T>>, item: T) {
    let mut idle = idle.borrow_mut();
    if idle.len() < IDLE_MAX {
        idle.push(item);
    }
}

// -- inflate --------------------------------------------------------------------------------

/// A zlib stream's contents.
pub fn inflate(ctx: &mut Ctx, source: Str) -> Result<Vec<u8>> {
    let bytes = source.share(ctx);
    if let Some((output, _)) = try_inflate(ctx, &bytes, 0, Format::Zlib)? {
        return Ok(output);
    }
    let stream = Stream::inflate(super::deflate::MAX_WBITS);
    let mut stream = checked(ctx, stream)?;
    run(ctx, &mut stream, &bytes, flush::SYNC)?;
    if !stream.finished {
        // For the error.
        run(ctx, &mut stream, &[], flush::FINISH)?;
    }
    Ok(stream.take_output())
}

/// Runs a stream that belongs to no object to the end of the input.
/// Says how many bytes it left.
pub fn run(ctx: &mut Ctx, stream: &mut Stream, mut rest: &[u8], flush: i32) -> Result<usize> {
    let leave = offered(rest.len());
    let outcome = ctx.outside(leave, |stop| match stream.run(&mut rest, flush, usize::MAX, stop.flag()) {
        Outcome::Stopped => None,
        outcome => Some(outcome),
    })?;
    match outcome {
        Outcome::Failed(failure) => Err(zlib_error(ctx, failure)),
        Outcome::NoMemory => Err(ctx.no_memory()),
        Outcome::Done | Outcome::Full | Outcome::Stopped => Ok(rest.len()),
    }
}

/// How much output keeps the lock: the first block tells what kind of work it is.
fn locked_max(bytes: &[u8], format: Format) -> usize {
    let header_bytes = if format == Format::Raw { 0 } else { 2 };
    // RFC 1951, 3.2.3: two bits behind the one for the last block; 00 is stored.
    let stored = bytes.get(header_bytes).is_some_and(|first| first >> 1 & 3 == 0);
    if stored { INFLATE_LOCKED_STORED_MAX } else { INFLATE_LOCKED_OUTPUT_MAX }
}

/// The contents of the stream that begins at `from`, and how many bytes it has; none when only a stream can tell.
pub fn try_inflate(
    ctx: &mut Ctx,
    bytes: &SharedBytes,
    from: usize,
    format: Format,
) -> Result<Option<(Vec<u8>, usize)>> {
    let len = bytes.len() - from;
    let idle = ctx.extension::<Idle>();
    let decompressor = idle.decompressors.borrow_mut().pop().or_else(Decompressor::new);
    let Some(mut decompressor) = decompressor.filter(|_| len <= INFLATE_INPUT_MAX) else { return Ok(None) };
    // What hardly shrank when it was deflated needs little more than itself.
    let ratio = match idle.ratio.get() {
        0 => RATIO_FIRST,
        known => known.max(RATIO_MIN),
    };
    let mut room = (len.saturating_mul(ratio) / 16 + 64).min(INFLATE_OUTPUT_MAX);
    loop {
        let mut attempt = || inflate_into(&mut decompressor, &bytes[from..], room, format);
        let (tried, used) = if room <= locked_max(&bytes[from..], format) {
            attempt()
        } else {
            ctx.outside(offered(len), once(&mut attempt))?
        };
        match tried {
            Tried::Done(output) => {
                let idle = ctx.extension::<Idle>();
                idle.ratio.set((ratio * 3 + output.len() * 20 / len.max(1)) / 4);
                give(&idle.decompressors, decompressor);
                return Ok(Some((output, used)));
            }
            Tried::Short if room < INFLATE_OUTPUT_MAX => room = (room * 4).min(INFLATE_OUTPUT_MAX),
            Tried::Short | Tried::Bad => break,
        }
    }
    give(&ctx.extension::<Idle>().decompressors, decompressor);
    Ok(None)
}

enum Tried {
    Done(Vec<u8>),
    Short,
    Bad,
}

fn inflate_into(decompressor: &mut Decompressor, bytes: &[u8], room: usize, format: Format) -> (Tried, usize) {
    let mut output: Vec<u8> = Vec::new();
    if !fits(room) || output.try_reserve_exact(room).is_err() {
        return (Tried::Bad, 0);
    }
    let decompress = match format {
        Format::Raw => ld::libdeflate_deflate_decompress_ex,
        Format::Zlib => ld::libdeflate_zlib_decompress_ex,
    };
    let (mut used, mut made) = (0, 0);
    // SAFETY: the decompressor belongs to this thread alone; input and output are live for the lengths given.
    let code = unsafe {
        decompress(
            decompressor.0.as_ptr(),
            bytes.as_ptr().cast(),
            bytes.len(),
            output.as_mut_ptr().cast(),
            room,
            &mut used,
            &mut made,
        )
    };
    if code == ld::libdeflate_result_LIBDEFLATE_SUCCESS {
        // SAFETY: so many bytes were written.
        unsafe { output.set_len(made) };
        if made < room / 2 {
            // Here, where the copy does not hold up others.
            output.shrink_to_fit();
        }
        return (Tried::Done(output), used);
    }
    let short = code == ld::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE;
    (if short { Tried::Short } else { Tried::Bad }, 0)
}

// -- deflate --------------------------------------------------------------------------------

/// A zlib stream with the string's bytes.
pub fn deflate(ctx: &mut Ctx, source: Str, level: i32) -> Result<Vec<u8>> {
    let bytes = source.share(ctx);
    deflate_as(ctx, &bytes, level, Format::Zlib)
}

pub fn deflate_as(ctx: &mut Ctx, bytes: &SharedBytes, level: i32, format: Format) -> Result<Vec<u8>> {
    let max = if level > 7 { DEFLATE_SLOW_INPUT_MAX } else { DEFLATE_INPUT_MAX };
    if (-1..=9).contains(&level)
        && (DEFLATE_INPUT_MIN..=max).contains(&bytes.len())
        && let Some(output) = deflate_at_once(ctx, bytes, level, format)?
    {
        return Ok(output);
    }
    let idle = ctx.extension::<Idle>();
    let known = {
        let mut streams = idle.streams.borrow_mut();
        let at = streams.iter().position(|(l, f, _)| (*l, *f) == (level, format));
        at.map(|at| streams.swap_remove(at).2)
    };
    let mut stream = match known {
        Some(stream) => stream,
        None => {
            let made = Stream::deflate(level, format.window_bits(), super::deflate::DEFAULT_MEMORY, 0);
            checked(ctx, made)?
        }
    };
    run(ctx, &mut stream, bytes, flush::FINISH)?;
    let output = stream.take_output();
    if stream.reset().is_ok() {
        give(&ctx.extension::<Idle>().streams, (level, format, stream));
    }
    Ok(output)
}

fn deflate_at_once(ctx: &mut Ctx, bytes: &SharedBytes, level: i32, format: Format) -> Result<Option<Vec<u8>>> {
    let level = if level < 0 { 6 } else { level };
    let idle = ctx.extension::<Idle>();
    let known = {
        let mut compressors = idle.compressors.borrow_mut();
        let at = compressors.iter().position(|(l, _)| *l == level);
        at.map(|at| compressors.swap_remove(at).1)
    };
    let Some(mut compressor) = known.or_else(|| Compressor::new(level)) else { return Ok(None) };
    let output = ctx.outside(offered(bytes.len()), once(|| deflate_into(&mut compressor, bytes, format)))?;
    give(&ctx.extension::<Idle>().compressors, (level, compressor));
    Ok(output)
}

fn deflate_into(compressor: &mut Compressor, bytes: &[u8], format: Format) -> Option<Vec<u8>> {
    let (bound, compress) = match format {
        Format::Raw => (
            ld::libdeflate_deflate_compress_bound as unsafe extern "C" fn(_, _) -> _,
            ld::libdeflate_deflate_compress as unsafe extern "C" fn(_, _, _, _, _) -> _,
        ),
        Format::Zlib => (ld::libdeflate_zlib_compress_bound as _, ld::libdeflate_zlib_compress as _),
    };
    let mut output: Vec<u8> = Vec::new();
    // SAFETY: the compressor is live.
    let room = unsafe { bound(compressor.0.as_ptr(), bytes.len()) };
    if !fits(room) {
        return None;
    }
    output.try_reserve_exact(room).ok()?;
    // SAFETY: the compressor belongs to this thread alone; input and output are live for the lengths given.
    let made = unsafe {
        compress(compressor.0.as_ptr(), bytes.as_ptr().cast(), bytes.len(), output.as_mut_ptr().cast(), room)
    };
    if made == 0 {
        return None;
    }
    // SAFETY: so many bytes were written.
    unsafe { output.set_len(made) };
    output.shrink_to_fit();
    Some(output)
}

/// Runs a stream in a thread that has no VM, until `stop` is set.
pub fn run_bare(
    stream: &mut Stream,
    bytes: &[u8],
    flush: i32,
    stop: &AtomicBool,
) -> std::result::Result<bool, Failure> {
    let mut rest = bytes;
    match stream.run(&mut rest, flush, usize::MAX, stop) {
        Outcome::Done | Outcome::Full => Ok(true),
        Outcome::Stopped => Ok(false),
        Outcome::Failed(failure) => Err(failure),
        Outcome::NoMemory => Err(Failure { code: libz_rs_sys::Z_MEM_ERROR, message: None }),
    }
}
