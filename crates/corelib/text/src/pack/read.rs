//! `String#unpack`.

use super::template::{Count, Directive, IntegerFormat, Template, unknown_directive};
use super::text;
use crate::common::check_length;
use rubellite_core_thread::outside::{self, Stop, poll};
use rubellite_encoding::Encoding;
use rubellite_vm::object::{Array, Int, SharedBytes, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub static STRING_UNPACK: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("unpack", Arity::ONE.with_keywords(), unpack),
        method("unpack1", Arity::ONE.with_keywords(), unpack1),
    ],
    ..ClassDef::EMPTY
};

static SITE: RegionSite = RegionSite::new("unpack");

/// Where unpacked objects go.
enum Sink {
    List(Array),
    Block(Value),
    /// `unpack1`: the first one ends the reading.
    First(Option<Value>),
}

/// An unpack under way.
struct Unpacker {
    source: Str,
    bytes: SharedBytes,
    pos: usize,
    sink: Sink,
}

fn start(ctx: &mut Ctx, s: Str, args: Args, sink: Sink) -> Result<Unpacker> {
    let offset = match args.keyword(ctx, "offset") {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    if offset < 0 {
        return Err(ctx.argument_error("offset can't be negative"));
    }
    let Some(pos) = Some(offset as usize).filter(|p| *p <= s.len()) else {
        return Err(ctx.argument_error("offset outside of string"));
    };
    Ok(Unpacker { source: s, bytes: s.share(ctx), pos, sink })
}

fn run(ctx: &mut Ctx, string: Str, args: Args, sink: Sink) -> Result<Sink> {
    args.check_keywords(ctx, &["offset"])?;
    let template = super::template::text(ctx, args.at(0))?;
    let mut unpacker = start(ctx, string, args, sink)?;
    let template_bytes = template.share(ctx);
    let mut directives = Template::new(&template_bytes);
    while let Some(directive) = directives.next(ctx)? {
        unpacker.directive(ctx, directive, template)?;
        if let Sink::First(Some(_)) = unpacker.sink {
            break;
        }
    }
    Ok(unpacker.sink)
}

fn unpack(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let list = Array::new(ctx);
    let sink = if args.has_block() { Sink::Block(args.block) } else { Sink::List(list) };
    match run(ctx, string, args, sink)? {
        Sink::List(list) => Ok(list.value()),
        _ => Ok(Value::NIL),
    }
}

fn unpack1(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    match run(ctx, string, args, Sink::First(None))? {
        Sink::First(first) => Ok(first.unwrap_or(Value::NIL)),
        _ => Ok(Value::NIL),
    }
}

impl Unpacker {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.pos..]
    }

    /// Hands an object on; false when no more are wanted.
    fn push(&mut self, ctx: &mut Ctx, v: Value) -> Result<bool> {
        match &mut self.sink {
            Sink::List(list) => list.push(ctx, v),
            Sink::Block(block) => {
                let block = *block;
                ctx.yield_one(block, v)?;
                check_length(ctx, self.source, self.bytes.len())?;
            }
            Sink::First(first) => {
                first.get_or_insert(v);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Works on what is left, outside the lock when that is much.
    fn work<R: Send>(&self, ctx: &mut Ctx, work: impl Fn(&[u8], &Stop) -> Option<R> + Send + Sync) -> Result<R> {
        let rest = self.rest();
        outside::sized(ctx, rest.len(), &SITE, |stop| work(rest, stop))
    }

    /// Takes `len` bytes.
    fn take(&mut self, len: usize) -> Vec<u8> {
        let bytes = self.rest()[..len].to_vec();
        self.pos += len;
        bytes
    }

    /// The count, limited to what is there.
    fn len(&self, count: Count) -> usize {
        let rest = self.rest().len();
        match count {
            Count::Default => 1.min(rest),
            Count::Times(n) => n.min(rest),
            Count::Star => rest,
        }
    }

    fn directive(&mut self, ctx: &mut Ctx, d: Directive, template: Str) -> Result<()> {
        if let Some(format) = d.integer() {
            return self.fixed(ctx, d.count, format.size, |ctx, bytes| integer(ctx, bytes, format));
        }
        if let Some((size, big)) = d.float() {
            return self.fixed(ctx, d.count, size, |ctx, bytes| float(ctx, bytes, big));
        }
        match d.letter {
            b'a' | b'A' | b'Z' => self.string(ctx, d),
            b'b' | b'B' => self.digits(ctx, d, 8),
            b'h' | b'H' => self.digits(ctx, d, 2),
            b'u' => {
                let (out, used) = self.work(ctx, text::read_uuencode)?;
                self.pos += used;
                self.push_binary(ctx, out)
            }
            b'm' => self.base64(ctx, d),
            b'M' => {
                let (out, used) = self.work(ctx, text::read_quoted_printable)?;
                self.pos += used;
                self.push_binary(ctx, out)
            }
            b'U' => self.unicode(ctx, d),
            b'w' => self.groups(ctx, d, false),
            b'r' | b'R' => self.groups(ctx, d, true),
            b'p' | b'P' => self.pointer(ctx, d),
            b'^' => {
                let pos = Value::fixnum(self.pos as i64);
                self.push(ctx, pos).map(drop)
            }
            b'%' => Err(ctx.argument_error("% is not supported")),
            b'@' | b'x' | b'X' => self.seek(ctx, d),
            letter => Err(unknown_directive(ctx, "unpack", letter, template)),
        }
    }

    fn push_binary(&mut self, ctx: &mut Ctx, bytes: Vec<u8>) -> Result<()> {
        let s = Str::from_vec(ctx, bytes, Encoding::BINARY).value();
        self.push(ctx, s).map(drop)
    }

    /// Numbers of a fixed size; missing ones are nil when a count asked for them.
    fn fixed(
        &mut self,
        ctx: &mut Ctx,
        count: Count,
        size: usize,
        read: impl Fn(&mut Ctx, &[u8]) -> Value,
    ) -> Result<()> {
        let there = self.rest().len() / size;
        let (times, missing) = match count {
            Count::Star => (there, 0),
            Count::Default => (1.min(there), 1 - 1.min(there)),
            Count::Times(n) => (n.min(there), n - n.min(there)),
        };
        for step in 0..times {
            poll(ctx, step)?;
            let mut word = [0u8; 8];
            word[..size].copy_from_slice(&self.rest()[..size]);
            self.pos += size;
            let value = read(ctx, &word[..size]);
            if !self.push(ctx, value)? {
                return Ok(());
            }
        }
        if let Sink::List(list) = &self.sink {
            let list = *list;
            if missing > (1 << 40) {
                return Err(ctx.argument_error("argument too big"));
            }
            for step in 0..missing {
                poll(ctx, step)?;
                list.push(ctx, Value::NIL);
            }
        }
        Ok(())
    }

    fn string(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let len = self.len(d.count);
        let bytes = &self.rest()[..len];
        let (kept, used) = match d.letter {
            b'A' => (bytes.iter().rposition(|b| *b != b' ' && *b != 0).map_or(0, |at| at + 1), len),
            b'Z' => {
                let end = memchr::memchr(0, bytes).unwrap_or(len);
                (end, if d.count == Count::Star { (end + 1).min(len) } else { len })
            }
            _ => (len, len),
        };
        let out = bytes[..kept].to_vec();
        self.pos += used;
        self.push_binary(ctx, out)
    }

    /// Bits or nibbles as digits, `per_byte` of them in a byte.
    fn digits(&mut self, ctx: &mut Ctx, d: Directive, per_byte: usize) -> Result<()> {
        let most = self.rest().len() * per_byte;
        let len = match d.count {
            Count::Default => 1.min(most),
            Count::Times(n) => n.min(most),
            Count::Star => most,
        };
        let used = len.div_ceil(per_byte);
        let high_first = d.letter.is_ascii_uppercase();
        let out = self.work(ctx, |rest, stop| {
            let mut out = text::digits(&rest[..used], per_byte, high_first, stop)?;
            out.truncate(len);
            Some(out)
        })?;
        self.pos += used;
        let s = Str::from_vec(ctx, out, Encoding::US_ASCII).value();
        self.push(ctx, s).map(drop)
    }

    fn base64(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let (out, used) = if d.count == Count::Times(0) {
            match self.work(ctx, text::read_base64_strict)? {
                Some(found) => found,
                None => return Err(ctx.argument_error("invalid base64")),
            }
        } else {
            self.work(ctx, text::read_base64)?
        };
        self.pos += used;
        self.push_binary(ctx, out)
    }

    fn unicode(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let mut left = self.len(d.count);
        while left > 0 && !self.rest().is_empty() {
            poll(ctx, left)?;
            match text::read_utf8(self.rest()) {
                Ok((code, len)) => {
                    self.pos += len;
                    let code = Value::fixnum(code as i64);
                    if !self.push(ctx, code)? {
                        return Ok(());
                    }
                }
                Err(message) => return Err(ctx.argument_error(&message)),
            }
            left -= 1;
        }
        Ok(())
    }

    /// Numbers of seven bits a byte: BER (`w`) or LEB128 (`r`, `R`).
    fn groups(&mut self, ctx: &mut Ctx, d: Directive, little: bool) -> Result<()> {
        let wanted = match d.count {
            Count::Default => 1,
            Count::Times(n) => n,
            Count::Star => usize::MAX,
        };
        let mut done = 0;
        while done < wanted {
            let Some(last) = self.rest().iter().position(|b| b & 0x80 == 0) else { break };
            let groups = self.take(last + 1);
            let value = number_of_groups(ctx, groups, little, d.letter == b'r');
            done += 1;
            poll(ctx, done)?;
            if !self.push(ctx, value)? {
                return Ok(());
            }
        }
        if !self.rest().is_empty() && done < wanted {
            self.pos = self.bytes.len();
        }
        if little && d.count != Count::Star {
            for _ in done..wanted {
                if !self.push(ctx, Value::NIL)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn pointer(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let there = self.rest().len() / 8;
        let (times, len) = match (d.letter, d.count) {
            (b'P', Count::Times(n)) => (1.min(there), n),
            (b'P', Count::Default) => (1.min(there), 1),
            (b'P', Count::Star) => (1.min(there), usize::MAX),
            (_, Count::Times(n)) => (n.min(there), usize::MAX),
            (_, Count::Default) => (1.min(there), usize::MAX),
            (_, Count::Star) => (there, usize::MAX),
        };
        for _ in 0..times {
            let word = self.take(8);
            let address = word.iter().rev().fold(0usize, |n, b| n << 8 | *b as usize);
            let mut value = Value::NIL;
            if address != 0 {
                let s = self.pointed(ctx, address)?;
                value = if len < s.len() { s.substring(ctx, 0..len).value() } else { s.value() };
            }
            if !self.push(ctx, value)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The string that `pack` noted for an address.
    fn pointed(&mut self, ctx: &mut Ctx, address: usize) -> Result<Str> {
        let name = ctx.internal("__associated");
        let Some(list) = Array::try_of(ctx.ivar_get(self.source.value(), name)) else {
            return Err(ctx.argument_error("no associated pointer"));
        };
        for i in 0..list.len() {
            let s = list.get(i).and_then(Str::try_of);
            if let Some(s) = s.filter(|s| s.bytes(ctx).as_ptr() as usize == address) {
                return Ok(s);
            }
        }
        Err(ctx.argument_error("non associated pointer"))
    }

    fn seek(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let count = match d.count {
            Count::Default if d.letter == b'@' => 0,
            Count::Default => 1,
            Count::Times(n) => n,
            Count::Star => self.rest().len(),
        };
        let target = match d.letter {
            b'@' => Some(count),
            b'x' => self.pos.checked_add(count),
            _ => self.pos.checked_sub(count),
        };
        match target.filter(|t| *t <= self.bytes.len()) {
            Some(target) => {
                self.pos = target;
                Ok(())
            }
            None => Err(ctx.argument_error(&format!("{} outside of string", d.letter as char))),
        }
    }
}

fn integer(ctx: &mut Ctx, bytes: &[u8], format: IntegerFormat) -> Value {
    let fold = |n: u64, b: &u8| n << 8 | *b as u64;
    let n = if format.big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) };
    if !format.signed {
        return ctx.uint(n);
    }
    let shift = 64 - 8 * format.size as u32;
    ctx.int((n << shift) as i64 >> shift)
}

fn float(ctx: &mut Ctx, bytes: &[u8], big: bool) -> Value {
    let mut word = [0u8; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    if big {
        word[..bytes.len()].reverse();
    }
    let f = if bytes.len() == 4 {
        f32::from_le_bytes([word[0], word[1], word[2], word[3]]) as f64
    } else {
        f64::from_le_bytes(word)
    };
    ctx.float(f)
}

/// The number of groups of seven bits.
fn number_of_groups(ctx: &mut Ctx, mut groups: Vec<u8>, little: bool, signed: bool) -> Value {
    if !little {
        groups.reverse();
    }
    let negative = signed && groups.last().is_some_and(|g| g & 0x40 != 0);
    let mut words = vec![0u64; groups.len() * 7 / 64 + 1];
    for (i, group) in groups.iter().enumerate() {
        let bits = (group ^ if negative { 0x7F } else { 0 }) & 0x7F;
        let (word, shift) = (i * 7 / 64, i * 7 % 64);
        words[word] |= (bits as u64) << shift;
        if shift > 57 && word + 1 < words.len() {
            words[word + 1] |= bits as u64 >> (64 - shift);
        }
    }
    let n = Int::from_words(false, &words);
    let n = if negative { n.not() } else { n };
    n.into_value(ctx)
}
