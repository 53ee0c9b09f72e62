//! `Array#pack`.

use super::template::{Count, Directive, IntegerFormat, Template, unknown_directive};
use super::text;
use rubellite_core_thread::outside::{self, POLL, Stop, poll};
use rubellite_encoding::Encoding;
use rubellite_vm::object::{Array, Grow, Int, Str, copied};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Tag, Value, method};

pub static ARRAY_PACK: ClassDef = ClassDef {
    name: "Array",
    superclass: "Object",
    methods: &[method("pack", Arity::ONE.with_keywords(), pack)],
    ..ClassDef::EMPTY
};

/// The longest run of fill bytes that a count may ask for.
const FILL_MAX: usize = isize::MAX as usize;

static SITE: RegionSite = RegionSite::new("pack");

/// A pack under way.
struct Packer {
    items: Array,
    next: usize,
    out: Vec<u8>,
    /// Strings that the result points to.
    pointed: Option<Array>,
}

/// The encoding of the result, as far as the directives so far decide.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ResultEncoding {
    Ascii,
    Utf8,
    Binary,
}

/// The elements as they are now, where only a safepoint of ours would let another thread change them: a long array of
/// objects whose conversion runs no Ruby code.
fn steady(ctx: &mut Ctx, ary: Array) -> Array {
    let plain = |item: &Value| {
        item.header().is_none_or(|header| matches!(header.tag(), Tag::Bignum | Tag::Float | Tag::String))
    };
    let len = ary.len();
    if len >= POLL && ary.slice(ctx).iter().all(plain) { ary.subseq(ctx, 0, len) } else { ary }
}

fn pack(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    args.check_keywords(ctx, &["buffer"])?;
    let template = super::template::text(ctx, args.at(0))?;
    let buffer = match args.keyword(ctx, "buffer") {
        Some(v) if !v.is_nil() => {
            let Some(buffer) = Str::try_of(v) else {
                let class = ctx.real_class(v).inspect(ctx);
                return Err(ctx.type_error(&format!("buffer must be String, not {class}")));
            };
            Some(crate::common::modify(ctx, buffer)?)
        }
        _ => None,
    };
    // Only these directives look at what the buffer has already.
    let before = buffer.filter(|_| template.bytes(ctx).iter().any(|letter| b"@X".contains(letter)));
    let out = before.map_or_else(Vec::new, |buffer| copied(buffer.bytes(ctx)));
    let mut packer = Packer { items: steady(ctx, ary), next: 0, out, pointed: None };
    let text = copied(template.bytes(ctx));
    let place = template.bytes(ctx).as_ptr();
    let mut directives = Template::new(&text);
    let mut encoding = ResultEncoding::Ascii;
    while let Some(directive) = directives.next(ctx)? {
        encoding = match directive.letter {
            b'U' if encoding == ResultEncoding::Ascii => ResultEncoding::Utf8,
            b'U' | b'm' | b'M' | b'u' => encoding,
            _ => ResultEncoding::Binary,
        };
        packer.directive(ctx, directive, template)?;
        // Conversions of what is packed may have changed it.
        let now = template.bytes(ctx);
        if now.len() != text.len() || now.as_ptr() != place {
            return Err(ctx.runtime_error("format string modified"));
        }
    }
    let result = match buffer {
        Some(buffer) => {
            // Others may have frozen it meanwhile.
            let buffer = crate::common::modify(ctx, buffer)?;
            match before {
                // Pointers to the buffer stay good as long as its memory is large enough.
                Some(_) => buffer.set_bytes(ctx, &packer.out),
                None => buffer.append(ctx, &packer.out),
            }
            buffer
        }
        None => {
            let encoding = match encoding {
                ResultEncoding::Ascii => Encoding::US_ASCII,
                ResultEncoding::Utf8 => Encoding::UTF_8,
                ResultEncoding::Binary => Encoding::BINARY,
            };
            Str::from_vec(ctx, packer.out, encoding)
        }
    };
    if let Some(pointed) = packer.pointed {
        let name = ctx.internal("__associated");
        ctx.ivar_set(result.value(), name, pointed.value());
    }
    Ok(result.value())
}

impl Packer {
    fn item(&mut self, ctx: &mut Ctx) -> Result {
        let item = self.items.get(self.next);
        self.next += 1;
        match item {
            Some(v) => Ok(v),
            None => Err(ctx.argument_error("too few arguments")),
        }
    }

    /// How often a directive with one item per turn applies.
    fn times(&self, count: Count) -> usize {
        match count {
            Count::Default => 1,
            Count::Times(n) => n,
            Count::Star => self.items.len().saturating_sub(self.next),
        }
    }

    fn fill(&mut self, ctx: &mut Ctx, byte: u8, count: usize) -> Result<()> {
        if count > FILL_MAX || !self.out.try_make_room(count) {
            return Err(ctx.argument_error("argument too big"));
        }
        self.out.resize(self.out.len() + count, byte);
        Ok(())
    }

    fn directive(&mut self, ctx: &mut Ctx, d: Directive, template: Str) -> Result<()> {
        if let Some(format) = d.integer() {
            for step in 0..self.times(d.count) {
                let item = self.item(ctx)?;
                let n = ctx.to_integer(item)?;
                self.integer(n, format);
                poll(ctx, step)?;
            }
            return Ok(());
        }
        if let Some((size, big)) = d.float() {
            for step in 0..self.times(d.count) {
                let item = self.item(ctx)?;
                let f = ctx.to_float(item)?;
                self.float(f, size, big);
                poll(ctx, step)?;
            }
            return Ok(());
        }
        match d.letter {
            b'a' | b'A' | b'Z' | b'b' | b'B' | b'h' | b'H' => self.string(ctx, d),
            b'u' | b'm' => self.encoded(ctx, d),
            b'M' => {
                let item = self.item(ctx)?;
                let s = ctx.to_s(item)?;
                let len = match d.count {
                    Count::Times(n) if n > 1 => n,
                    _ => 72,
                };
                self.add(ctx, s, |bytes, stop| text::quoted_printable(bytes, len, stop))
            }
            b'U' => self.unicode(ctx, d),
            b'w' => self.compressed(ctx, d),
            b'r' | b'R' => self.leb128(ctx, d),
            b'p' | b'P' => self.pointer(ctx, d),
            b'x' => {
                let count = if let Count::Star = d.count { 0 } else { self.times(d.count) };
                self.fill(ctx, 0, count)
            }
            b'X' => {
                let count = if let Count::Star = d.count { 0 } else { self.times(d.count) };
                match self.out.len().checked_sub(count) {
                    Some(len) => self.out.truncate(len),
                    None => return Err(ctx.argument_error("X outside of string")),
                }
                Ok(())
            }
            b'@' => {
                let to = if let Count::Star = d.count { 0 } else { self.times(d.count) };
                let len = self.out.len();
                if to > len { self.fill(ctx, 0, to - len) } else { self.truncate(to) }
            }
            b'%' => Err(ctx.argument_error("% is not supported")),
            letter => Err(unknown_directive(ctx, "pack", letter, template)),
        }
    }

    fn truncate(&mut self, len: usize) -> Result<()> {
        self.out.truncate(len);
        Ok(())
    }

    fn integer(&mut self, n: Value, format: IntegerFormat) {
        let low = Int::try_of(n).map_or(0, |i| i.low_u64());
        if format.big {
            self.out.put(&low.to_be_bytes()[8 - format.size..]);
        } else {
            self.out.put(&low.to_le_bytes()[..format.size]);
        }
    }

    fn float(&mut self, f: f64, size: usize, big: bool) {
        let mut bytes = if size == 4 { (f as f32).to_le_bytes().to_vec() } else { f.to_le_bytes().to_vec() };
        if big {
            bytes.reverse();
        }
        self.out.extend(bytes);
    }

    fn string(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let item = self.item(ctx)?;
        let s = if item.is_nil() { Str::binary(ctx, b"") } else { ctx.to_str(item)? };
        let len = match d.count {
            Count::Default => 1,
            Count::Times(n) => n,
            Count::Star => s.len(),
        };
        if len > s.len() && (len > FILL_MAX || !self.out.try_make_room(len)) {
            return Err(ctx.argument_error("argument too big"));
        }
        match d.letter {
            b'b' | b'B' => self.add(ctx, s, |bytes, stop| text::pack_bits(bytes, len, d.letter == b'B', stop))?,
            b'h' | b'H' => self.add(ctx, s, |bytes, stop| text::pack_nibbles(bytes, len, d.letter == b'H', stop))?,
            _ => {
                let there = s.len();
                self.out.put(&s.bytes(ctx)[..len.min(there)]);
                let fill = if d.letter == b'A' { b' ' } else { 0 };
                self.fill(ctx, fill, len.saturating_sub(there))?;
                if d.letter == b'Z' && d.count == Count::Star {
                    self.out.push(0);
                }
            }
        }
        Ok(())
    }

    fn encoded(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let item = self.item(ctx)?;
        let s = ctx.to_str(item)?;
        let len = match d.count {
            Count::Times(0) if d.letter == b'm' => 0,
            Count::Times(n) if n > 63 && d.letter == b'u' => 63,
            Count::Times(n) if n > 2 => n / 3 * 3,
            _ => 45,
        };
        match d.letter {
            b'm' => self.add(ctx, s, |bytes, stop| text::base64(bytes, len, stop)),
            _ => self.add(ctx, s, |bytes, stop| text::uuencode(bytes, len, stop)),
        }
    }

    /// Appends what is made of the string's bytes.
    fn add(
        &mut self,
        ctx: &mut Ctx,
        s: Str,
        work: impl Fn(&[u8], &Stop) -> Option<Vec<u8>> + Send + Sync,
    ) -> Result<()> {
        let made = outside::on_bytes(ctx, s, &SITE, work)?;
        if self.out.is_empty() {
            self.out = made;
        } else {
            self.out.put(&made);
        }
        Ok(())
    }

    fn unicode(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        for step in 0..self.times(d.count) {
            poll(ctx, step)?;
            let item = self.item(ctx)?;
            let item = ctx.to_integer(item)?;
            let n = ctx.to_int(item)?;
            if n < 0 || !text::push_utf8(n as u64, &mut self.out) {
                return Err(ctx.range_error("pack(U): value out of range"));
            }
        }
        Ok(())
    }

    /// Seven bits a byte, the high ones first.
    fn compressed(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        for step in 0..self.times(d.count) {
            poll(ctx, step)?;
            let item = self.item(ctx)?;
            let n = ctx.to_integer(item)?;
            let Some(n) = Int::try_of(n) else { continue };
            if n < Int::ZERO {
                return Err(ctx.argument_error("can't compress negative numbers"));
            }
            let mut groups = seven_bit_groups(&n);
            groups.reverse();
            let last = groups.len() - 1;
            self.out.extend(groups.iter().enumerate().map(|(i, g)| if i < last { g | 0x80 } else { *g }));
        }
        Ok(())
    }

    /// Seven bits a byte, the low ones first.
    fn leb128(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        for step in 0..self.times(d.count) {
            poll(ctx, step)?;
            let item = self.item(ctx)?;
            let n = ctx.to_integer(item)?;
            let Some(n) = Int::try_of(n) else { continue };
            let negative = n < Int::ZERO;
            if d.letter == b'R' && negative {
                return Err(ctx.argument_error("can't encode negative numbers in ULEB128"));
            }
            // A negative number is the complement of one less than its magnitude.
            let magnitude = if negative { n.not() } else { n };
            let mut groups = seven_bit_groups(&magnitude);
            if d.letter == b'r' && groups.last().is_some_and(|g| g & 0x40 != 0) {
                groups.push(0);
            }
            let last = groups.len() - 1;
            let flip = if negative { 0x7F } else { 0 };
            self.out.extend(groups.iter().enumerate().map(|(i, g)| (g ^ flip) | if i < last { 0x80 } else { 0 }));
        }
        Ok(())
    }

    /// The addresses of strings, which the result keeps alive.
    fn pointer(&mut self, ctx: &mut Ctx, d: Directive) -> Result<()> {
        let times = if d.letter == b'P' { 1 } else { self.times(d.count) };
        for _ in 0..times {
            let item = self.item(ctx)?;
            let mut address = 0u64;
            if !item.is_nil() {
                let s = ctx.to_str(item)?;
                let wanted = match d.count {
                    Count::Times(n) => n,
                    _ => 1,
                };
                if d.letter == b'P' && s.len() < wanted {
                    return Err(ctx.argument_error(&format!("too short buffer for P({} for {wanted})", s.len())));
                }
                let list = match self.pointed {
                    Some(list) => list,
                    None => Array::new(ctx),
                };
                list.push(ctx, s.value());
                self.pointed = Some(list);
                address = s.bytes(ctx).as_ptr() as u64;
            }
            self.out.put(&address.to_le_bytes());
        }
        Ok(())
    }
}

/// A number of no sign in groups of seven bits, the low ones first; at least one.
fn seven_bit_groups(n: &Int) -> Vec<u8> {
    let words = n.magnitude_words();
    let bits = n.bit_length().max(1);
    let mut groups = Vec::with_capacity(bits as usize / 7 + 1);
    let mut at = 0;
    while at < bits {
        let (word, shift) = ((at / 64) as usize, at % 64);
        let low = words.get(word).copied().unwrap_or(0) >> shift;
        let high = if shift > 57 { words.get(word + 1).copied().unwrap_or(0) << (64 - shift) } else { 0 };
        groups.push(((low | high) & 0x7F) as u8);
        at += 7;
    }
    groups
}
