//! Rationals and Complexes from text: `String#to_r`, `String#to_c` (lenient: what follows the number is ignored) and
//! `Kernel#Rational`, `Kernel#Complex` (strict: the whole text is one number).

use super::{complex, integer, rational};
use rubellite_vm::object::{Int, Str, float};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub static STRING: ClassDef = ClassDef {
    name: "String",
    methods: &[method("to_r", Arity::NONE, string_to_r), method("to_c", Arity::NONE, string_to_c)],
    ..ClassDef::EMPTY
};

/// The text has a fraction with the denominator zero.
pub struct ZeroDenominator;

/// A fraction times a power of ten.
pub struct ParsedRational {
    num: Int,
    den: Int,
    /// The number is to be divided by ten to this.
    scale: Int,
}

/// Reads a text from left to right.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t'..=b'\r') {
            self.at += 1;
        }
    }

    fn sign(&mut self) -> Option<u8> {
        let sign = self.peek();
        if !matches!(sign, b'+' | b'-') {
            return None;
        }
        self.at += 1;
        Some(sign)
    }

    /// Digits with single underscores between them, without the underscores; none when there is no digit.
    fn digits(&mut self) -> Option<Vec<u8>> {
        let mut digits = Vec::new();
        let digit_at = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
        let mut at = self.at;
        while digit_at(at)
            || !digits.is_empty() && self.text.get(at) == Some(&b'_') && digit_at(at - 1) && digit_at(at + 1)
        {
            if self.text[at] != b'_' {
                digits.push(self.text[at]);
            }
            at += 1;
        }
        self.at = at;
        if digits.is_empty() { None } else { Some(digits) }
    }

    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }
}

fn number(digits: &[u8]) -> Int {
    Int::from_digits(digits, 10).unwrap_or(Int::ZERO)
}

/// `12.5e3`: the digits as an Integer, and the power of ten that it is to be divided by.
fn decimal(cursor: &mut Cursor) -> Option<(Int, Int)> {
    let mut digits = Vec::new();
    if cursor.peek() != b'.' {
        digits = cursor.digits()?;
    }
    let mut fraction = 0;
    if cursor.peek() == b'.' {
        cursor.at += 1;
        match cursor.digits() {
            Some(behind) => {
                fraction = behind.len();
                digits.extend(behind);
            }
            None => return if digits.is_empty() { None } else { Some((number(&digits), Int::ZERO)) },
        }
    }
    let mut scale = Int::from(fraction);
    if matches!(cursor.peek(), b'e' | b'E') {
        let mantissa_end = cursor.at;
        cursor.at += 1;
        let negative = cursor.sign() == Some(b'-');
        match cursor.digits() {
            Some(exponent) => {
                let exponent = number(&exponent);
                scale = if negative { scale.add(&exponent) } else { scale.sub(&exponent) };
            }
            None => cursor.at = mantissa_end,
        }
    }
    Some((number(&digits), scale))
}

/// The Rational at the begin of a text. In a strict reading nothing unless all of the text is one.
pub fn rational(text: &[u8], strict: bool) -> std::result::Result<Option<ParsedRational>, ZeroDenominator> {
    let mut cursor = Cursor { text, at: 0 };
    cursor.skip_space();
    let negative = cursor.sign() == Some(b'-');
    let Some((num, mut scale)) = decimal(&mut cursor) else {
        let zero = ParsedRational { num: Int::ZERO, den: Int::ONE, scale: Int::ZERO };
        return Ok(if strict { None } else { Some(zero) });
    };
    let mut den = Int::ONE;
    if cursor.peek() == b'/' {
        cursor.at += 1;
        match decimal(&mut cursor) {
            Some((n, _)) if n.is_zero() => return Err(ZeroDenominator),
            Some((n, s)) => {
                den = n;
                scale = scale.sub(&s);
            }
            None if strict => return Ok(None),
            None => {}
        }
    }
    cursor.skip_space();
    if strict && !cursor.at_end() {
        return Ok(None);
    }
    let num = if negative { num.neg() } else { num };
    Ok(Some(ParsedRational { num, den, scale }))
}

impl ParsedRational {
    /// The Rational; FloatDomainError or ArgumentError for absurd exponents.
    pub fn into_value(self, ctx: &mut Ctx) -> Result {
        if let Int::Big(_) = self.scale {
            if self.scale.is_negative() {
                return Err(ctx.raise_error("FloatDomainError", "Infinity"));
            }
            return rational::make(ctx, &Int::ZERO, &Int::ONE);
        }
        if self.num.is_zero() {
            return rational::make(ctx, &Int::ZERO, &Int::ONE);
        }
        let power = integer::power(ctx, &Int::from(10i64), &self.scale.abs())?;
        if self.scale.is_negative() {
            rational::make(ctx, &self.num.mul(&power), &self.den)
        } else {
            rational::make(ctx, &self.num, &self.den.mul(&power))
        }
    }
}

// -- Complex --------------------------------------------------------------------------

/// A Complex as text of its parts.
struct ParsedComplex {
    first: Vec<u8>,
    second: Vec<u8>,
    polar: bool,
    /// Whether the reading ended well.
    complete: bool,
}

impl ParsedComplex {
    fn rect(first: &[u8], second: &[u8], complete: bool) -> ParsedComplex {
        ParsedComplex { first: first.to_vec(), second: second.to_vec(), polar: false, complete }
    }
}

/// The digits of `12_3.4e5/6` without underscores, appended to `out`; false when they end in the wrong place.
fn plain_number(cursor: &mut Cursor, out: &mut Vec<u8>) -> bool {
    if cursor.peek() != b'.' {
        match cursor.digits() {
            Some(digits) => out.extend(digits),
            None => return false,
        }
    }
    if cursor.peek() == b'.' {
        cursor.at += 1;
        match cursor.digits() {
            Some(digits) => {
                out.push(b'.');
                out.extend(digits);
            }
            None => return false,
        }
    }
    if matches!(cursor.peek(), b'e' | b'E') {
        cursor.at += 1;
        let sign = cursor.sign();
        match cursor.digits() {
            Some(digits) => {
                out.push(b'e');
                out.extend(sign);
                out.extend(digits);
            }
            None => return false,
        }
    }
    if cursor.peek() == b'/' {
        cursor.at += 1;
        match cursor.digits() {
            Some(digits) => {
                out.push(b'/');
                out.extend(digits);
            }
            None => return false,
        }
    }
    true
}

fn imaginary_unit(cursor: &mut Cursor) -> bool {
    let found = matches!(cursor.peek(), b'i' | b'I' | b'j' | b'J');
    cursor.at += found as usize;
    found
}

fn complex_parts(cursor: &mut Cursor) -> ParsedComplex {
    let mut first: Vec<u8> = cursor.sign().into_iter().collect();
    if imaginary_unit(cursor) {
        first.push(b'1');
        return ParsedComplex::rect(b"", &first, true);
    }
    if !plain_number(cursor, &mut first) {
        return ParsedComplex::rect(&first, b"", false);
    }
    if imaginary_unit(cursor) {
        return ParsedComplex::rect(b"", &first, true);
    }
    match cursor.peek() {
        b'@' => {
            cursor.at += 1;
            let mut second: Vec<u8> = cursor.sign().into_iter().collect();
            let complete = plain_number(cursor, &mut second);
            if !second.last().is_some_and(u8::is_ascii_digit) {
                return ParsedComplex::rect(&first, b"", false);
            }
            ParsedComplex { first, second, polar: true, complete }
        }
        b'+' | b'-' => {
            let mut second: Vec<u8> = cursor.sign().into_iter().collect();
            if imaginary_unit(cursor) {
                second.push(b'1');
                return ParsedComplex::rect(&first, &second, true);
            }
            let complete = plain_number(cursor, &mut second) && imaginary_unit(cursor);
            ParsedComplex::rect(&first, if complete { &second } else { b"" }, complete)
        }
        _ => ParsedComplex::rect(&first, b"", true),
    }
}

/// The Complex at the begin of a text. In a strict reading nothing unless all of the text is one.
pub fn complex(ctx: &mut Ctx, text: &[u8], strict: bool) -> Result<Option<Value>> {
    let mut cursor = Cursor { text, at: 0 };
    cursor.skip_space();
    let parts = complex_parts(&mut cursor);
    cursor.skip_space();
    if strict && (!parts.complete || !cursor.at_end()) {
        return Ok(None);
    }
    let first = part(ctx, &parts.first)?;
    let second = part(ctx, &parts.second)?;
    if parts.polar {
        return complex::polar(ctx, first, second).map(Some);
    }
    Ok(Some(complex::new(ctx, first, second)))
}

/// One part: a Rational, a Float or an Integer, by its look.
fn part(ctx: &mut Ctx, text: &[u8]) -> Result {
    if text.contains(&b'/') {
        return match rational(text, false) {
            Ok(Some(parsed)) => parsed.into_value(ctx),
            Ok(None) => Ok(Value::fixnum(0)),
            Err(ZeroDenominator) => Err(ctx.zero_division()),
        };
    }
    if text.iter().any(|b| matches!(b, b'.' | b'e')) {
        let number = Str::binary(ctx, text);
        super::kernel::warn_of_range(ctx, number, false)?;
        return Ok(ctx.float(float::parse(text, false).unwrap_or(0.0)));
    }
    Ok(super::kernel::integer_of_text(ctx, text.to_vec(), 10, false)?.unwrap_or(Int::ZERO).into_value(ctx))
}

// -- String ---------------------------------------------------------------------------

fn string_to_r(ctx: &mut Ctx, text: Str, _args: Args) -> Result {
    ctx.check_ascii_compatible(text)?;
    let bytes = text.bytes(ctx).to_vec();
    match rational(&bytes, false) {
        Ok(Some(parsed)) => parsed.into_value(ctx),
        Ok(None) => rational::make(ctx, &Int::ZERO, &Int::ONE),
        Err(ZeroDenominator) => Err(ctx.zero_division()),
    }
}

fn string_to_c(ctx: &mut Ctx, text: Str, _args: Args) -> Result {
    ctx.check_ascii_compatible(text)?;
    let bytes = text.bytes(ctx).to_vec();
    // A null byte ends the text.
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    Ok(complex(ctx, &bytes[..end], false)?.unwrap_or(Value::NIL))
}
