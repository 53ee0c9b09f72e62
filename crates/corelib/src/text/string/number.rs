//! String: numbers.

use rubellite_vm::object::{Int, Str, float};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub static STRING_NUMBER: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("to_i", Arity::range(0, 1), to_i),
        method("to_f", Arity::NONE, to_f),
        method("hex", Arity::NONE, hex),
        method("oct", Arity::NONE, oct),
        method("to_r", Arity::NONE, to_r),
        method("to_c", Arity::NONE, to_c),
    ],
    ..ClassDef::EMPTY
};

#[cold]
fn not_ascii_compatible(ctx: &mut Ctx, s: Str) -> rubellite_vm::Unwind {
    let message = format!("ASCII incompatible encoding: {}", s.encoding().name());
    ctx.raise_error("Encoding::CompatibilityError", &message)
}

fn integer(ctx: &mut Ctx, recv: Value, base: i32) -> Result {
    let s = Str::of(recv);
    if !s.encoding().is_ascii_compatible() {
        return Err(not_ascii_compatible(ctx, s));
    }
    let n = Int::parse(s.bytes(ctx), base, false).unwrap_or(Int::ZERO);
    Ok(n.into_value(ctx))
}

fn to_i(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let base = match args.get(0) {
        Some(v) => ctx.to_int(v)?,
        None => 10,
    };
    if base < 0 || base == 1 || base > 36 {
        return Err(ctx.argument_error(&format!("invalid radix {base}")));
    }
    integer(ctx, recv, base as i32)
}

fn hex(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    integer(ctx, recv, 16)
}

fn oct(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    integer(ctx, recv, -8)
}

fn to_f(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = Str::of(recv);
    if !s.encoding().is_ascii_compatible() {
        return Err(not_ascii_compatible(ctx, s));
    }
    let f = float::parse(s.bytes(ctx), false).unwrap_or(0.0);
    Ok(ctx.float(f))
}

// -- rationals ----------------------------------------------------------------------------

/// A number scanned from text: a sign, digits with a fraction, an exponent.
struct Scanner<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(|b| matches!(b, b' ' | b'\t'..=b'\r')) {
            self.pos += 1;
        }
    }

    fn sign(&mut self) -> bool {
        let negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'+' | b'-')) {
            self.pos += 1;
        }
        negative
    }

    /// Digits with single underscores between them.
    fn digits(&mut self, out: &mut Vec<u8>) -> bool {
        let start = self.pos;
        while let Some(b) = self.peek() {
            let next_is_digit = self.bytes.get(self.pos + 1).is_some_and(u8::is_ascii_digit);
            if b.is_ascii_digit() {
                out.push(b);
            } else if !(b == b'_' && self.pos > start && next_is_digit) {
                break;
            }
            self.pos += 1;
        }
        self.pos > start
    }

    /// A decimal number as numerator and denominator.
    fn decimal(&mut self) -> Option<(Int, Int)> {
        let mut digits = Vec::new();
        let mut scale = 0i64;
        if !self.digits(&mut digits) {
            return None;
        }
        if self.peek() == Some(b'.') && self.bytes.get(self.pos + 1).is_some_and(u8::is_ascii_digit) {
            self.pos += 1;
            let before = digits.len();
            self.digits(&mut digits);
            scale = (digits.len() - before) as i64;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let back = self.pos;
            self.pos += 1;
            let negative = self.sign();
            let mut exponent = Vec::new();
            if self.digits(&mut exponent) {
                let n: i64 = String::from_utf8_lossy(&exponent).parse().unwrap_or(i64::MAX / 2);
                scale += if negative { n } else { -n };
            } else {
                self.pos = back;
            }
        }
        let number = Int::from_digits(&digits, 10)?;
        if scale.unsigned_abs() > 10_000_000 {
            // Beyond what memory can hold: nothing, as CRuby gives up too.
            return Some((Int::ZERO, Int::from(1i64)));
        }
        let power = Int::power_of_ten(scale.unsigned_abs()).ok()?;
        Some(if scale > 0 { (number, power) } else { (number.mul(&power), Int::from(1i64)) })
    }

    /// `3/4`, `1.5/2`
    fn rational(&mut self) -> Option<(Int, Int)> {
        let (mut num, mut den) = self.decimal()?;
        if self.peek() == Some(b'/') {
            let back = self.pos;
            self.pos += 1;
            match self.decimal() {
                Some((n, d)) => {
                    num = num.mul(&d);
                    den = den.mul(&n);
                }
                None => self.pos = back,
            }
        }
        Some((num, den))
    }
}

fn make_rational(ctx: &mut Ctx, num: Int, den: Int) -> Result {
    let (num, den) = (num.into_value(ctx), den.into_value(ctx));
    let kernel = ctx.classes().kernel.get();
    ctx.call_name(kernel, "Rational", &[num, den])
}

fn to_r(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = Str::of(recv);
    if !s.encoding().is_ascii_compatible() {
        return Err(not_ascii_compatible(ctx, s));
    }
    let bytes = s.bytes(ctx).to_vec();
    let mut scanner = Scanner { bytes: &bytes, pos: 0 };
    scanner.spaces();
    let negative = scanner.sign();
    let (num, den) = scanner.rational().unwrap_or((Int::ZERO, Int::from(1i64)));
    if den.to_i64() == Some(0) {
        return Err(ctx.zero_division());
    }
    let num = if negative { num.neg() } else { num };
    make_rational(ctx, num, den)
}

// -- complex numbers ----------------------------------------------------------------------

/// One part of a complex number as an Integer, a Float or a Rational, as its text is written.
fn part(ctx: &mut Ctx, text: &[u8], negative: bool) -> Result {
    let mut signed = Vec::with_capacity(text.len() + 1);
    if negative {
        signed.push(b'-');
    }
    signed.extend_from_slice(text);
    if text.contains(&b'/') {
        let s = Str::new(ctx, &signed, rubellite_encoding::Encoding::US_ASCII);
        return to_r(ctx, s.value(), Args::none());
    }
    if text.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        let f = float::parse(&signed, false).unwrap_or(0.0);
        return Ok(ctx.float(f));
    }
    Ok(Int::parse(&signed, 10, false).unwrap_or(Int::ZERO).into_value(ctx))
}

/// The text of a number without sign at the scanner's place.
fn number_text<'a>(scanner: &mut Scanner<'a>) -> Option<&'a [u8]> {
    let start = scanner.pos;
    scanner.rational()?;
    Some(&scanner.bytes[start..scanner.pos])
}

fn is_unit(b: Option<u8>) -> bool {
    matches!(b, Some(b'i' | b'I' | b'j' | b'J'))
}

fn to_c(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = Str::of(recv);
    if !s.encoding().is_ascii_compatible() {
        return Err(not_ascii_compatible(ctx, s));
    }
    let bytes = s.bytes(ctx).to_vec();
    let mut scanner = Scanner { bytes: &bytes, pos: 0 };
    scanner.spaces();
    let kernel = ctx.classes().kernel.get();
    let zero = Value::fixnum(0);
    let signed = matches!(scanner.peek(), Some(b'+' | b'-'));
    let negative = scanner.sign();
    if signed && is_unit(scanner.peek()) {
        return ctx.call_name(kernel, "Complex", &[zero, Value::fixnum(if negative { -1 } else { 1 })]);
    }
    let Some(first) = number_text(&mut scanner) else { return ctx.call_name(kernel, "Complex", &[zero, zero]) };
    let first = part(ctx, first, negative)?;
    if is_unit(scanner.peek()) {
        return ctx.call_name(kernel, "Complex", &[zero, first]);
    }
    if scanner.peek() == Some(b'@') {
        scanner.pos += 1;
        let negative = scanner.sign();
        if let Some(angle) = number_text(&mut scanner) {
            let angle = part(ctx, angle, negative)?;
            let class = ctx.classes().complex.get();
            return ctx.call_name(class, "polar", &[first, angle]);
        }
        return ctx.call_name(kernel, "Complex", &[first, zero]);
    }
    if !matches!(scanner.peek(), Some(b'+' | b'-')) {
        return ctx.call_name(kernel, "Complex", &[first, zero]);
    }
    let negative = scanner.sign();
    let second = match number_text(&mut scanner) {
        Some(text) => part(ctx, text, negative)?,
        None => Value::fixnum(if negative { -1 } else { 1 }),
    };
    let second = if is_unit(scanner.peek()) { second } else { zero };
    ctx.call_name(kernel, "Complex", &[first, second])
}
