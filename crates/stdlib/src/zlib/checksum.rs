//! Checksums: Zlib.crc32, Zlib.adler32, their combinations and the table.

use super::zstream::region_for;
use rubellite_vm::object::{Array, SharedBytes, Str};
use rubellite_vm::{Args, Ctx, Ends, Leave, Result, Value};

/// Above this size the sum is computed outside the lock: some 2 us.
const OUTSIDE_MIN: usize = 64 << 10;
/// The stop flag is looked at after so many bytes.
const STEP: usize = 4 << 20;
/// What an IO is read by.
const READ_SIZE: i64 = 8192;

/// Adler-32 of `bytes` behind something whose sum is `sum` (1 for nothing).
pub fn adler32(sum: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the bytes are live for their length.
    unsafe { libdeflate_sys::libdeflate_adler32(sum, bytes.as_ptr().cast(), bytes.len()) }
}

/// CRC-32 of `bytes` behind something whose sum is `sum` (0 for nothing).
pub fn crc32(sum: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the bytes are live for their length.
    unsafe { libdeflate_sys::libdeflate_crc32(sum, bytes.as_ptr().cast(), bytes.len()) }
}

type Sum = fn(u32, &[u8]) -> u32;

/// `Zlib.adler32(string_or_io = nil, sum = 1) -> integer`
pub fn adler32_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    checksum(ctx, args, adler32, 1)
}

/// `Zlib.crc32(string_or_io = nil, sum = 0) -> integer`
pub fn crc32_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    checksum(ctx, args, crc32, 0)
}

fn checksum(ctx: &mut Ctx, args: Args, function: Sum, of_nothing: u32) -> Result {
    let source = args.at(0);
    let given = if args.at(1).is_nil() { None } else { Some(ctx.to_int(args.at(1))? as u32) };
    if source.is_nil() {
        return Ok(Value::fixnum(of_nothing as i64));
    }
    let mut sum = given.unwrap_or(of_nothing);
    let io = ctx.classes().io.get();
    if ctx.is_a(source, io) {
        loop {
            let piece = ctx.call_name(source, "read", &[Value::fixnum(READ_SIZE)])?;
            if piece.is_nil() {
                break;
            }
            let piece = ctx.to_str(piece)?;
            sum = function(sum, piece.bytes(ctx));
        }
    } else {
        let string = ctx.to_str(source)?;
        sum = of_string(ctx, string, function, sum)?;
    }
    Ok(Value::fixnum(sum as i64))
}

fn of_string(ctx: &mut Ctx, string: Str, function: Sum, sum: u32) -> Result<u32> {
    if string.len() < OUTSIDE_MIN {
        return Ok(function(sum, string.bytes(ctx)));
    }
    let bytes = string.share(ctx);
    of_bytes(ctx, &bytes, function, sum)
}

/// The sum of many bytes, outside the lock.
pub fn of_bytes(ctx: &mut Ctx, bytes: &SharedBytes, function: Sum, sum: u32) -> Result<u32> {
    let (mut at, mut sum) = (0, sum);
    ctx.outside(Leave::new(region_for(bytes.len()), Ends::Flag), |stop| {
        while at < bytes.len() {
            if stop.requested() {
                return None;
            }
            let end = (at + STEP).min(bytes.len());
            sum = function(sum, &bytes[at..end]);
            at = end;
        }
        Some(sum)
    })
}

/// `Zlib.adler32_combine(sum1, sum2, length2) -> integer`
pub fn adler32_combine(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let [a, b, len] = three(ctx, args)?;
    Ok(Value::fixnum(libz_rs_sys::adler32_combine(a as u64, b as u64, len) as i64))
}

/// `Zlib.crc32_combine(sum1, sum2, length2) -> integer`
pub fn crc32_combine(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let [a, b, len] = three(ctx, args)?;
    Ok(Value::fixnum(libz_rs_sys::crc32_combine(a as u64, b as u64, len) as i64))
}

fn three(ctx: &mut Ctx, args: Args) -> Result<[i64; 3]> {
    Ok([ctx.to_int(args.at(0))?, ctx.to_int(args.at(1))?, ctx.to_int(args.at(2))?])
}

/// `Zlib.crc_table -> array`
pub fn crc_table(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let table = Array::with_capacity(ctx, 256);
    // SAFETY: the table is static data.
    for sum in unsafe { *libz_rs_sys::get_crc_table() } {
        table.push(ctx, Value::fixnum(sum as i64));
    }
    Ok(table.value())
}
