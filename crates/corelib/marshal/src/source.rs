//! Where `Marshal.load` reads from: a String, taken as a buffer that nobody changes, or an object with `getbyte` and
//! `read`.
//!
//! From an IO no byte may be read that does not belong to the data: what follows it is for others. Inside a container
//! the elements to come have at least one byte each, so that many may be read ahead (`readable`).

use rubellite_vm::object::{SharedBytes, Str};
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value};

/// How many bytes are read ahead at most.
const BUFFER: i64 = 8192;

/// Strings of this length and more share the memory of a source that is not much longer.
const SHARED_MIN: usize = 2048;

pub enum Source {
    /// `text` is a copy of the source that nobody else sees, `bytes` its content.
    Bytes {
        text: Str,
        bytes: SharedBytes,
        at: usize,
    },
    Io {
        port: Value,
        ahead: Vec<u8>,
        at: usize,
    },
}

/// The bytes of a dump, in order.
pub struct Reader {
    source: Source,
    /// Bytes that certainly follow the element under way.
    pub readable: i64,
}

#[cold]
pub fn too_short(ctx: &mut Ctx) -> Unwind {
    ctx.argument_error("marshal data too short")
}

impl Reader {
    /// A reader of a String or, by `getbyte` and `read`, of anything else.
    pub fn new(ctx: &mut Ctx, source: Value) -> Result<Reader> {
        if let Some(string) = ctx.check_str(source)? {
            let bytes = string.share(ctx);
            let class = ctx.classes().string.get();
            let text = Str::from_shared(ctx, class, &bytes, Encoding::BINARY);
            return Ok(Reader { source: Source::Bytes { text, bytes, at: 0 }, readable: 0 });
        }
        for name in ["getbyte", "read"] {
            let name = ctx.intern(name);
            if !ctx.respond_to(source, name, false)? {
                return Err(super::io_needed(ctx));
            }
        }
        let binmode = ctx.intern("binmode");
        ctx.check_call(source, binmode, &[])?;
        Ok(Reader { source: Source::Io { port: source, ahead: Vec::new(), at: 0 }, readable: 0 })
    }

    /// At most how many elements of `size` bytes can still follow; a guess for an IO.
    pub fn room_for(&self, count: usize, size: usize) -> usize {
        match &self.source {
            Source::Bytes { bytes, at, .. } => count.min((bytes.len() - at) / size),
            Source::Io { .. } => count.min(1024),
        }
    }

    #[inline]
    pub fn byte(&mut self, ctx: &mut Ctx) -> Result<u8> {
        if let Source::Bytes { bytes, at, .. } = &mut self.source {
            if let Some(byte) = bytes.get(*at) {
                *at += 1;
                return Ok(*byte);
            }
            return Err(too_short(ctx));
        }
        self.byte_of_io(ctx)
    }

    #[inline(never)]
    fn byte_of_io(&mut self, ctx: &mut Ctx) -> Result<u8> {
        let Source::Io { port, ahead, at } = &mut self.source else { return Err(too_short(ctx)) };
        if *at == ahead.len() {
            if self.readable <= 0 {
                let byte = ctx.call_name(*port, "getbyte", &[])?;
                if byte.is_nil() {
                    return Err(ctx.raise_error("EOFError", "end of file reached"));
                }
                return Ok(ctx.to_int(byte)? as u8);
            }
            let wanted = self.readable.min(BUFFER);
            let text = read(ctx, *port, wanted)?;
            if (text.len() as i64) < wanted {
                return Err(too_short(ctx));
            }
            ahead.clear();
            ahead.extend_from_slice(text.bytes(ctx));
            *at = 0;
        }
        *at += 1;
        Ok(ahead[*at - 1])
    }

    /// A length or a small integer.
    pub fn long(&mut self, ctx: &mut Ctx) -> Result<i64> {
        let first = self.byte(ctx)? as i8;
        match first {
            0 => Ok(0),
            5.. => Ok(first as i64 - 5),
            ..=-5 => Ok(first as i64 + 5),
            _ => {
                let mut n: i64 = if first < 0 { -1 } else { 0 };
                for i in 0..first.unsigned_abs() as usize {
                    n &= !(0xff << (8 * i));
                    n |= (self.byte(ctx)? as i64) << (8 * i);
                }
                Ok(n)
            }
        }
    }

    /// A count of elements of at least `size` bytes each.
    pub fn count(&mut self, ctx: &mut Ctx, size: i64) -> Result<usize> {
        let n = self.long(ctx)?;
        if n < 0 {
            return Err(ctx.argument_error("negative length"));
        }
        if self.readable >= i64::MAX - n * size {
            return Err(ctx.argument_error("marshaled data too big"));
        }
        Ok(n as usize)
    }

    /// The next bytes, whose length is written before them, given to `f`.
    pub fn bytes<R>(&mut self, ctx: &mut Ctx, f: impl FnOnce(&mut Ctx, &[u8]) -> R) -> Result<R> {
        let len = self.long(ctx)?;
        self.exactly(ctx, len, f)
    }

    /// A String of the next bytes, whose length is written before them. A large part of a String is not copied.
    pub fn string(&mut self, ctx: &mut Ctx) -> Result<Str> {
        let len = self.long(ctx)?;
        if let Source::Bytes { text, bytes, at } = &mut self.source {
            let whole = bytes.len();
            if let Some(end) = usize::try_from(len)
                .ok()
                .filter(|n| *n >= SHARED_MIN && *n >= whole / 8 && *n <= whole - *at)
                .map(|n| *at + n)
            {
                let part = text.substring(ctx, *at..end);
                *at = end;
                return Ok(part);
            }
        }
        self.exactly(ctx, len, Str::binary)
    }

    /// The next `len` bytes given to `f`.
    pub fn exactly<R>(&mut self, ctx: &mut Ctx, len: i64, f: impl FnOnce(&mut Ctx, &[u8]) -> R) -> Result<R> {
        if len == 0 {
            return Ok(f(ctx, &[]));
        }
        let Ok(len) = usize::try_from(len) else { return Err(too_short(ctx)) };
        match &mut self.source {
            Source::Bytes { bytes, at, .. } => {
                let Some(slice) = bytes.get(*at..*at + len) else { return Err(too_short(ctx)) };
                *at += len;
                Ok(f(ctx, slice))
            }
            Source::Io { .. } => {
                let bytes = self.exactly_of_io(ctx, len)?;
                Ok(f(ctx, &bytes))
            }
        }
    }

    fn exactly_of_io(&mut self, ctx: &mut Ctx, len: usize) -> Result<Vec<u8>> {
        let Source::Io { port, ahead, at } = &mut self.source else { return Err(too_short(ctx)) };
        let mut bytes = ahead[*at..(*at + len).min(ahead.len())].to_vec();
        *at += bytes.len();
        let missing = len - bytes.len();
        if missing == 0 {
            return Ok(bytes);
        }
        // What certainly follows may come along.
        let extra = if self.readable > 0 { (self.readable + 1).min(BUFFER) } else { 0 };
        let text = read(ctx, *port, extra.max(missing as i64))?;
        let got = text.bytes(ctx);
        if got.len() < missing {
            return Err(too_short(ctx));
        }
        bytes.extend_from_slice(&got[..missing]);
        ahead.clear();
        ahead.extend_from_slice(&got[missing..]);
        *at = 0;
        Ok(bytes)
    }
}

/// `port.read(count)`, which must give a String.
fn read(ctx: &mut Ctx, port: Value, count: i64) -> Result<Str> {
    let text = ctx.call_name(port, "read", &[Value::fixnum(count)])?;
    if text.is_nil() {
        return Err(too_short(ctx));
    }
    ctx.to_str(text)
}
