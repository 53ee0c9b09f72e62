//! String: `succ`.

use crate::common::{common_encoding, modify};
use rubellite_core_thread::outside::{self, Stop};
use rubellite_encoding::{CType, Encoding, is_ctype};
use rubellite_vm::object::{Str, room};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};

pub static STRING_SUCC: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("succ", Arity::NONE, succ),
        method("next", Arity::NONE, succ),
        method("succ!", Arity::NONE, succ_bang),
        method("next!", Arity::NONE, succ_bang),
    ],
    primitives: &[
        primitive("string_digits_p", Arity::NONE, digits_p),
        primitive("string_upto_last", Arity::ONE, upto_last),
    ],
    ..ClassDef::EMPTY
};

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Digit,
    Alpha,
    Other,
}

fn kind(encoding: Encoding, c: &[u8]) -> Kind {
    match encoding.code_point(c) {
        Ok((code, _)) if is_ctype(encoding, code, CType::Digit) => Kind::Digit,
        Ok((code, _)) if is_ctype(encoding, code, CType::Alpha) => Kind::Alpha,
        _ => Kind::Other,
    }
}

/// What became of one character.
enum Step {
    Done(Vec<u8>),
    /// It went over its end: the first of its kind, and what to insert if nothing is left to carry to.
    Carry {
        first: Vec<u8>,
        insert: Vec<u8>,
    },
}

/// The next character in code point order that is valid; none at the end.
fn next_code(encoding: Encoding, code: u32) -> Option<Vec<u8>> {
    let limit = if encoding.is_unicode() {
        0x10FFFF
    } else if encoding.is_single_byte() {
        0xFF
    } else {
        u32::MAX
    };
    let mut next = code;
    for _ in 0..0x10000 {
        if next >= limit {
            return None;
        }
        next += 1;
        let mut out = Vec::new();
        if encoding.encode_code_point(next, &mut out).is_ok() {
            return Some(out);
        }
    }
    None
}

fn encoded(encoding: Encoding, code: u32) -> Vec<u8> {
    let mut out = Vec::new();
    if encoding.encode_code_point(code, &mut out).is_err() {
        out.push(code as u8);
    }
    out
}

/// The successor of a letter or digit within its kind.
fn step_alnum(encoding: Encoding, c: &[u8]) -> Step {
    let code = encoding.code_point(c).map_or(0, |c| c.0);
    let wide = |code: u8| encoded(encoding, code as u32);
    match code {
        0x39 => return Step::Carry { first: wide(b'0'), insert: wide(b'1') },
        0x5A => return Step::Carry { first: wide(b'A'), insert: wide(b'A') },
        0x7A => return Step::Carry { first: wide(b'a'), insert: wide(b'a') },
        0..0x80 => return Step::Done(encoded(encoding, code + 1)),
        _ => {}
    }
    let ctype = if is_ctype(encoding, code, CType::Digit) { CType::Digit } else { CType::Alpha };
    let holds = |code: u32| encoded_ok(encoding, code) && is_ctype(encoding, code, ctype);
    // One character of another kind may lie between two.
    let mut from = code;
    for _ in 0..=1 {
        let Some(next) = next_code(encoding, from).filter(|next| next.len() == c.len()) else { break };
        from = encoding.code_point(&next).map_or(from, |(code, _)| code);
        if holds(from) {
            return Step::Done(next);
        }
    }
    // Back to the first of the run of its kind.
    let mut first = code;
    for _ in 0..0x100 {
        match first.checked_sub(1) {
            Some(before) if holds(before) && encoded(encoding, before).len() == c.len() => first = before,
            _ => break,
        }
    }
    if first == code {
        // A run of one: count it as a character of no kind.
        return step_plain(encoding, c);
    }
    let insert = if ctype == CType::Digit { first + 1 } else { first };
    Step::Carry { first: encoded(encoding, first), insert: encoded(encoding, insert) }
}

fn encoded_ok(encoding: Encoding, code: u32) -> bool {
    encoding.encode_code_point(code, &mut Vec::new()).is_ok()
}

/// The successor of any character as a number.
fn step_plain(encoding: Encoding, c: &[u8]) -> Step {
    let width = c.len();
    if let Ok((code, _)) = encoding.code_point(c)
        && !encoding.is_single_byte()
    {
        if let Some(next) = next_code(encoding, code) {
            return Step::Done(next);
        }
        return Step::Carry { first: encoded(encoding, 0), insert: encoded(encoding, 1) };
    }
    // A byte of a single-byte encoding, or a broken one.
    let last = *c.last().unwrap_or(&0);
    let top = if encoding == Encoding::US_ASCII { 0x7F } else { 0xFF };
    if last < top {
        let mut next = c.to_vec();
        next[width - 1] = last + 1;
        return Step::Done(next);
    }
    Step::Carry { first: vec![0; width], insert: vec![1] }
}

/// The successor of ASCII text with a letter or digit; none for other text.
fn successor_of_ascii(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut at = bytes.iter().rposition(u8::is_ascii_alphanumeric)?;
    if !bytes.is_ascii() {
        return None;
    }
    // A carry may add one.
    let mut next = room(bytes.len() + 1);
    next.extend_from_slice(bytes);
    loop {
        let (first, insert) = match next[at] {
            b'9' => (b'0', b'1'),
            b'Z' => (b'A', b'A'),
            b'z' => (b'a', b'a'),
            byte => {
                next[at] = byte + 1;
                return Some(next);
            }
        };
        next[at] = first;
        // A carry passes a gap only between digits or between letters.
        match next[..at].iter().rposition(u8::is_ascii_alphanumeric) {
            Some(left) if left + 1 == at || next[left].is_ascii_digit() == first.is_ascii_digit() => at = left,
            _ => {
                next.insert(at, insert);
                return Some(next);
            }
        }
    }
}

/// The successor of a whole string; nothing when it was stopped.
fn successor_until(encoding: Encoding, bytes: &[u8], stop: &Stop) -> Option<Vec<u8>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    if encoding.is_ascii_compatible()
        && let Some(next) = successor_of_ascii(bytes)
    {
        return Some(next);
    }
    let mut chars: Vec<Vec<u8>> = Vec::new();
    for (step, c) in encoding.chars(bytes).enumerate() {
        if stop.requested_at(step) {
            return None;
        }
        chars.push(c.to_vec());
    }
    successor_of_chars(encoding, chars, stop)
}

fn successor_of_chars(encoding: Encoding, mut chars: Vec<Vec<u8>>, stop: &Stop) -> Option<Vec<u8>> {
    let mut kinds = Vec::with_capacity(chars.len());
    for (step, c) in chars.iter().enumerate() {
        if stop.requested_at(step) {
            return None;
        }
        kinds.push(kind(encoding, c));
    }
    let alnums: Vec<usize> = (0..chars.len()).filter(|i| kinds[*i] != Kind::Other).collect();
    let Some(&rightmost) = alnums.last() else { return Some(succ_plain(encoding, chars)) };
    let mut at = rightmost;
    loop {
        match step_alnum(encoding, &chars[at]) {
            Step::Done(next) => {
                chars[at] = next;
                return Some(chars.concat());
            }
            Step::Carry { first, insert } => {
                chars[at] = first;
                match carry_target(&alnums, &kinds, &chars, at) {
                    Some(left) => at = left,
                    None => {
                        chars.insert(at, insert);
                        return Some(chars.concat());
                    }
                }
            }
        }
    }
}

/// The letter or digit to the left that a carry out of `at` goes to. Over a gap of other characters it does not pass
/// from a digit to a letter or back when that would join separate words.
fn carry_target(alnums: &[usize], kinds: &[Kind], chars: &[Vec<u8>], at: usize) -> Option<usize> {
    let left = alnums.iter().rev().find(|i| **i < at).copied()?;
    if left + 1 == at {
        return Some(left);
    }
    // Across a gap, ASCII letters and digits stay apart.
    let ascii = chars[left][0].is_ascii() && chars[at][0].is_ascii();
    if ascii && kinds[left] != kinds[at] {
        return None;
    }
    Some(left)
}

/// Broken characters are passed over where characters have several bytes.
fn succ_plain(encoding: Encoding, mut chars: Vec<Vec<u8>>) -> Vec<u8> {
    let mut added = (0, vec![1]);
    for at in (0..chars.len()).rev() {
        if !encoding.is_single_byte() && encoding.code_point(&chars[at]).is_err() {
            continue;
        }
        match step_plain(encoding, &chars[at]) {
            Step::Done(next) => {
                chars[at] = next;
                return chars.concat();
            }
            Step::Carry { first, insert } => {
                chars[at] = first;
                added = (at, insert);
            }
        }
    }
    chars.insert(added.0, added.1);
    chars.concat()
}

static SITE: RegionSite = RegionSite::new("String#succ");

fn succ(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let encoding = s.encoding();
    let bytes = outside::on_bytes(ctx, s, &SITE, |bytes, stop| successor_until(encoding, bytes, stop))?;
    Ok(Str::from_vec(ctx, bytes, encoding).value())
}

fn succ_bang(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    let s = modify(ctx, string)?;
    let encoding = s.encoding();
    let bytes = outside::on_bytes(ctx, s, &SITE, |bytes, stop| successor_until(encoding, bytes, stop))?;
    // Another thread may have frozen it meanwhile.
    let s = modify(ctx, string)?;
    s.set_vec(ctx, bytes);
    Ok(string.value())
}

/// Whether the string is nothing but ASCII digits; for `upto`.
fn digits_p(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let digits = s.encoding().is_ascii_compatible() && !s.is_empty() && s.bytes(ctx).iter().all(u8::is_ascii_digit);
    Ok(Value::from_bool(digits))
}

/// The last string of `upto`.
fn upto_last(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let last = ctx.to_str(args.at(0))?;
    common_encoding(ctx, string, last)?;
    Ok(last.value())
}
