//! One deflate stream compressed on several cores.
//!
//! The input is cut into blocks. Each is compressed on its own, with the 32 KiB before it as dictionary, and ends on a
//! byte boundary; only the last one ends the stream. The pieces joined are one ordinary stream, some per mille longer.

use super::checksum;
use super::stream::{Failure, Stream, flush};
use super::whole;
use super::zstream::{checked, offered};
use rubellite_vm::object::Str;
use rubellite_vm::vmlock::with_helpers;
use rubellite_vm::{Args, Ctx, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Bytes of a block: below it a second core does not pay.
pub const BLOCK: usize = 256 << 10;
/// How far back a stream refers.
pub const WINDOW: usize = 32 << 10;
const THREADS_MAX: usize = 256;
/// Bytes of stack of a thread that helps.
const HELPER_BYTES: usize = 512 << 10;

/// The `threads:` keyword; 1 when it is absent or nil.
pub fn threads_arg(ctx: &mut Ctx, args: Args) -> Result<usize> {
    let Some(value) = args.keyword(ctx, "threads").filter(|v| !v.is_nil()) else { return Ok(1) };
    let n = ctx.to_int(value)?;
    if n < 1 {
        return Err(ctx.argument_error("number of threads must be positive"));
    }
    Ok((n as usize).min(THREADS_MAX))
}

/// A zlib stream with the string's bytes.
pub fn zlib(ctx: &mut Ctx, source: Str, level: i32, threads: usize) -> Result<Vec<u8>> {
    let bytes = source.share(ctx);
    let made = ctx.outside(offered(bytes.len()), |stop| {
        blocks(&bytes, 0, Settings { level, strategy: 0, threads }, true, stop.flag()).transpose()
    })?;
    let body = checked(ctx, made)?;
    let hint = match level {
        0 | 1 => 0x01,
        2..=5 => 0x5e,
        -1 | 6 => 0x9c,
        _ => 0xda,
    };
    let mut output = Vec::with_capacity(body.len() + 6);
    output.extend_from_slice(&[0x78, hint]);
    output.extend_from_slice(&body);
    output.extend_from_slice(&checksum::adler32(1, &bytes).to_be_bytes());
    Ok(output)
}

#[derive(Copy, Clone)]
pub struct Settings {
    pub level: i32,
    pub strategy: i32,
    pub threads: usize,
}

/// Compresses `bytes[from..]` as raw blocks; what lies before `from` serves as dictionary. `last` ends the stream.
/// `None`: `stop` was set.
pub fn blocks(
    bytes: &[u8],
    from: usize,
    settings: Settings,
    last: bool,
    stop: &AtomicBool,
) -> std::result::Result<Option<Vec<u8>>, Failure> {
    let count = (bytes.len() - from).div_ceil(BLOCK).max(1);
    let done: Vec<Mutex<Option<Vec<u8>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let work = || {
        let outcome = (|| -> std::result::Result<(), Failure> {
            let mut stream = Stream::deflate(
                settings.level,
                -super::deflate::MAX_WBITS,
                super::deflate::DEFAULT_MEMORY,
                settings.strategy,
            )?;
            loop {
                let i = next.fetch_add(1, Relaxed);
                if i >= count || stop.load(Relaxed) {
                    return Ok(());
                }
                let start = from + i * BLOCK;
                let end = (start + BLOCK).min(bytes.len());
                stream.reset()?;
                if start > 0 {
                    stream.set_dictionary(&bytes[start.saturating_sub(WINDOW)..start])?;
                }
                let flush = if last && i + 1 == count { flush::FINISH } else { flush::SYNC };
                if whole::run_bare(&mut stream, &bytes[start..end], flush, stop)? {
                    *lock(&done[i]) = Some(stream.take_output());
                }
            }
        })();
        if let Err(failure) = outcome {
            *lock(&failed) = Some(failure);
            stop.store(true, Relaxed);
        }
    };
    // A system that gives no more threads leaves the work to those that are there.
    with_helpers("zlib", HELPER_BYTES, settings.threads.min(count).saturating_sub(1), &work);
    if let Some(failure) = lock(&failed).take() {
        return Err(failure);
    }
    let pieces: Option<Vec<Vec<u8>>> = done.iter().map(|piece| lock(piece).take()).collect();
    Ok(pieces.map(|pieces| pieces.concat()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
