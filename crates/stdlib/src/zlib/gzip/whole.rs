//! Zlib.gzip and Zlib.gunzip: whole strings.

use super::super::checksum;
use super::super::deflate::{DEFAULT_LEVEL, DEFAULT_MEMORY, MAX_WBITS};
use super::super::stream::{Stream, flush};
use super::super::whole::{Format, deflate_as, run, try_inflate};
use super::super::zstream::{checked, int_arg};
use super::{gzip_error, header, reader, writer};
use rubellite_vm::object::{SharedBytes, Str};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// `Zlib.gzip(string, level: nil, strategy: nil) -> string`
pub fn gzip(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let level = args.keyword(ctx, "level").unwrap_or(Value::NIL);
    let level = int_arg(ctx, level, DEFAULT_LEVEL)?;
    let strategy = args.keyword(ctx, "strategy").unwrap_or(Value::NIL);
    let strategy = int_arg(ctx, strategy, 0)?;
    let bytes = ctx.to_str(args.positional().at(0))?.share(ctx);
    let body = if strategy == 0 {
        deflate_as(ctx, &bytes, level, Format::Raw)?
    } else {
        let made = Stream::deflate(level, -MAX_WBITS, DEFAULT_MEMORY, strategy);
        let mut stream = checked(ctx, made)?;
        run(ctx, &mut stream, &bytes, flush::FINISH)?;
        stream.take_output()
    };
    let crc = checksum::of_bytes(ctx, &bytes, checksum::crc32, 0)?;
    let mut output = writer::header_bytes(0, writer::now(), level);
    output.reserve_exact(body.len() + header::FOOTER_SIZE);
    output.extend_from_slice(&body);
    output.extend_from_slice(&writer::footer_bytes(crc, bytes.len() as u64));
    Ok(Str::from_vec(ctx, output, Encoding::BINARY).value())
}

/// `Zlib.gunzip(string) -> string`
pub fn gunzip(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = ctx.to_str(args.at(0))?.share(ctx);
    let start = match header_len(&bytes) {
        Ok(start) => start,
        Err(message) => return Err(gzip_error(ctx, &message)),
    };
    let (contents, used) = match try_inflate(ctx, &bytes, start, Format::Raw)? {
        Some(done) => done,
        None => by_stream(ctx, &bytes[start..])?,
    };
    let end = start + used;
    if end == bytes.len() {
        return Err(ctx.raise_error("Zlib::GzipFile::NoFooter", "footer is not found"));
    }
    let Some(footer) = bytes.get(end..end + header::FOOTER_SIZE) else {
        return Err(gzip_error(ctx, "unexpected end of string"));
    };
    let contents = SharedBytes::from_vec(contents);
    let crc = checksum::of_bytes(ctx, &contents, checksum::crc32, 0)?;
    reader::compare_footer(ctx, footer, crc, contents.len() as u64)?;
    let string = ctx.classes().string.get();
    Ok(Str::from_shared(ctx, string, &contents, Encoding::BINARY).value())
}

/// The contents of long or damaged input, and how many bytes of it were used.
fn by_stream(ctx: &mut Ctx, bytes: &[u8]) -> Result<(Vec<u8>, usize)> {
    let made = Stream::inflate(-MAX_WBITS);
    let mut stream = checked(ctx, made)?;
    let left = if bytes.is_empty() { 0 } else { run(ctx, &mut stream, bytes, flush::SYNC)? };
    if !stream.finished {
        return Err(gzip_error(ctx, "unexpected end of file"));
    }
    let used = bytes.len() - left;
    Ok((stream.take_output(), used))
}

/// Where the contents begin.
fn header_len(bytes: &[u8]) -> std::result::Result<usize, String> {
    const SHORT: &str = "unexpected end of string";
    if bytes.len() < header::SIZE {
        return Err(SHORT.into());
    }
    if bytes[..2] != header::MAGIC {
        return Err("not in gzip format".into());
    }
    reader::check_header(bytes)?;
    let (flags, mut at) = (bytes[3], header::SIZE);
    if flags & header::EXTRA != 0 {
        let len = bytes.get(at..at + 2).ok_or(SHORT)?;
        at += 2 + u16::from_le_bytes([len[0], len[1]]) as usize;
    }
    for _ in 0..(flags & (header::NAME | header::COMMENT)).count_ones() {
        let text = bytes.get(at..).ok_or(SHORT)?;
        at += text.iter().position(|b| *b == 0).ok_or(SHORT)? + 1;
    }
    if at > bytes.len() { Err(SHORT.into()) } else { Ok(at) }
}
