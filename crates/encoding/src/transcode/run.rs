//! Runs of units that convert without an error: the fast way through a chain. What stops a run is left to the general
//! way, which converts one unit at a time.
//!
//! A run takes a piece of the source. Pieces grow while nothing stops them and begin small again behind what did, so
//! that text full of errors does not look at the same bytes over and over.

use super::Transcoder;
use super::multibyte::Lookup;
use super::step::{Order, Step, StepResult, to_multi, to_single};
use crate::tables::single_byte::HighHalf;
use crate::{Encoding, ascii_prefix_len};

/// Bytes of a piece: what is read twice stays in the nearest cache.
const PIECE_MIN: usize = 256;
const PIECE_MAX: usize = 16 << 10;

/// What stands for a character that the destination does not have, once the caller of the chain has settled it.
#[derive(Clone, Default)]
pub(super) enum Substitute {
    /// The caller has to be asked.
    #[default]
    Ask,
    /// These bytes of the destination encoding.
    Text(Vec<u8>),
    /// A hexadecimal reference of XML.
    Reference,
}

impl Substitute {
    /// Writes what stands for the character; false where that is not known.
    fn put(&self, c: char, out: &mut Vec<u8>) -> bool {
        match self {
            Substitute::Ask => return false,
            Substitute::Text(text) => out.extend_from_slice(text),
            Substitute::Reference => put_reference(c as u32, out),
        }
        true
    }
}

/// `&#x3042;`
fn put_reference(code: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(b"&#x");
    let digits = (32 - code.leading_zeros()).div_ceil(4).max(1);
    out.extend((0..digits).rev().map(|place| b"0123456789ABCDEF"[(code >> (4 * place)) as usize & 15]));
    out.push(b';');
}

impl Transcoder {
    /// Converts from the front of `source` as far as nothing goes wrong and no step keeps anything between units, a
    /// piece at most.
    pub(super) fn convert_run(&mut self, source: &mut &[u8], destination: &mut Vec<u8>) {
        if self.links.iter().any(|link| !link.carry.is_empty()) {
            return;
        }
        let len = source.len().min(self.piece.clamp(PIECE_MIN, PIECE_MAX));
        let mut piece = &source[..len];
        self.run_piece(&mut piece, destination);
        *source = &source[len - piece.len()..];
        // The end of a piece may cut a unit in two.
        let whole = piece.len() < 8;
        self.piece = if whole { (2 * self.piece).clamp(PIECE_MIN, PIECE_MAX) } else { PIECE_MIN };
    }

    fn run_piece(&mut self, piece: &mut &[u8], destination: &mut Vec<u8>) {
        if !self.links.iter().all(|link| link.step.is_stateless()) {
            if self.links.iter().all(|link| link.step.passes_ascii()) {
                copy_ascii(piece, destination);
            }
            return;
        }
        match self.links.as_mut_slice() {
            [link] => bulk(&mut link.step, &self.substitute, piece, destination),
            [first, second] => {
                let mut rest = *piece;
                self.middle.clear();
                bulk(&mut first.step, &Substitute::Ask, &mut rest, &mut self.middle);
                let (start, mut middle) = (destination.len(), self.middle.as_slice());
                bulk(&mut second.step, &self.substitute, &mut middle, destination);
                if middle.is_empty() {
                    *piece = rest;
                } else {
                    // Which byte of the source is to blame shows unit by unit.
                    destination.truncate(start);
                    two_steps(&mut first.step, &mut second.step, piece, destination);
                }
            }
            links if links.iter().all(|link| link.step.passes_ascii()) => copy_ascii(piece, destination),
            _ => {}
        }
    }
}

/// Copies the ASCII in front, which no step would change.
fn copy_ascii(source: &mut &[u8], destination: &mut Vec<u8>) {
    let (run, rest) = source.split_at(ascii_prefix_len(source));
    destination.extend_from_slice(run);
    *source = rest;
}

/// As many units as one step converts.
fn bulk(step: &mut Step, substitute: &Substitute, source: &mut &[u8], out: &mut Vec<u8>) {
    match step {
        Step::ToUnicode(enc) if enc.min_len() > 1 => to_wide(*enc, source, out),
        Step::ToMarked { wide, .. } => {
            to_wide(if *wide { Encoding::UTF_32BE } else { Encoding::UTF_16BE }, source, out)
        }
        Step::FromUnicode(enc) if enc.min_len() > 1 => from_wide(*enc, source, out),
        Step::FromMarked { wide, order } => {
            let enc = match (wide, order) {
                (false, Order::Little) => Encoding::UTF_16LE,
                (false, _) => Encoding::UTF_16BE,
                (true, Order::Little) => Encoding::UTF_32LE,
                (true, _) => Encoding::UTF_32BE,
            };
            from_wide(enc, source, out);
        }
        Step::ToAscii => from_text(source, out, |c, out| substitute.put(c, out)),
        Step::ToSingle(enc, pairs) => {
            from_text(source, out, |c, out| to_single(*enc, pairs, c as u32, out) || substitute.put(c, out))
        }
        Step::ToMulti(enc, lookup) => from_text(source, out, |c, out| match lookup.encode(c as u32).to_be_bytes() {
            [0, 0, 0, 0] => to_multi(*enc, lookup, c as u32, out) || substitute.put(c, out),
            [0, 0, 0, a] => extended(out, [a]),
            [0, 0, a, b] => extended(out, [a, b]),
            [0, a, b, c] => extended(out, [a, b, c]),
            four => extended(out, four),
        }),
        Step::FromSingle(table) => from_single(table, source, out),
        Step::FromMulti(_, lookup) => {
            let lookup = *lookup;
            while !source.is_empty() {
                from_multi(lookup, source, out);
                if !one_unit(step, source, out) {
                    return;
                }
            }
        }
        _ => {
            let passes_ascii = step.passes_ascii();
            while !source.is_empty() {
                if passes_ascii && source[0].is_ascii() {
                    copy_ascii(source, out);
                } else if !one_unit(step, source, out) {
                    return;
                }
            }
        }
    }
}

fn extended<const N: usize>(out: &mut Vec<u8>, bytes: [u8; N]) -> bool {
    out.extend_from_slice(&bytes);
    true
}

/// The valid text in front.
fn valid_text(source: &[u8]) -> &str {
    match std::str::from_utf8(source) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&source[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// UTF-8 to an encoding with ASCII in it, as long as `put` knows the other characters.
fn from_text(source: &mut &[u8], out: &mut Vec<u8>, put: impl Fn(char, &mut Vec<u8>) -> bool) {
    let whole = *source;
    let text = valid_text(whole);
    out.reserve(text.len());
    let mut chars = text.chars();
    loop {
        let rest = chars.as_str();
        match chars.next() {
            None => {
                *source = &whole[text.len()..];
                return;
            }
            Some(c) if c.is_ascii() => out.push(c as u8),
            Some(c) => {
                if !put(c, out) {
                    *source = &whole[text.len() - rest.len()..];
                    return;
                }
            }
        }
    }
}

/// UTF-8 to UTF-16 or UTF-32.
fn to_wide(enc: Encoding, source: &mut &[u8], destination: &mut Vec<u8>) {
    let whole = *source;
    let text = valid_text(whole);
    destination.reserve(text.len() * 2);
    match enc {
        Encoding::UTF_16LE => text.encode_utf16().for_each(|unit| destination.extend_from_slice(&unit.to_le_bytes())),
        Encoding::UTF_16BE => text.encode_utf16().for_each(|unit| destination.extend_from_slice(&unit.to_be_bytes())),
        Encoding::UTF_32LE => text.chars().for_each(|c| destination.extend_from_slice(&(c as u32).to_le_bytes())),
        Encoding::UTF_32BE => text.chars().for_each(|c| destination.extend_from_slice(&(c as u32).to_be_bytes())),
        _ => return,
    }
    *source = &whole[text.len()..];
}

/// UTF-16 or UTF-32 to UTF-8.
fn from_wide(enc: Encoding, source: &mut &[u8], out: &mut Vec<u8>) {
    out.reserve(source.len());
    match enc {
        Encoding::UTF_16LE => from_utf16(source, out, u16::from_le_bytes),
        Encoding::UTF_16BE => from_utf16(source, out, u16::from_be_bytes),
        Encoding::UTF_32LE => from_utf32(source, out, u32::from_le_bytes),
        Encoding::UTF_32BE => from_utf32(source, out, u32::from_be_bytes),
        _ => {}
    }
}

#[inline(always)]
fn from_utf16(source: &mut &[u8], out: &mut Vec<u8>, unit: impl Fn([u8; 2]) -> u16) {
    while let [a, b, rest @ ..] = *source {
        let first = unit([*a, *b]) as u32;
        if first & 0xF800 != 0xD800 {
            put_utf8(first, out);
            *source = rest;
            continue;
        }
        let [c, d, rest @ ..] = rest else { return };
        let second = unit([*c, *d]) as u32;
        if first & 0xFC00 != 0xD800 || second & 0xFC00 != 0xDC00 {
            return;
        }
        put_utf8(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF), out);
        *source = rest;
    }
}

#[inline(always)]
fn from_utf32(source: &mut &[u8], out: &mut Vec<u8>, unit: impl Fn([u8; 4]) -> u32) {
    while let [a, b, c, d, rest @ ..] = *source {
        let Some(c) = char::from_u32(unit([*a, *b, *c, *d])) else { return };
        put_utf8(c as u32, out);
        *source = rest;
    }
}

/// Writes a code point that is no surrogate.
#[inline(always)]
fn put_utf8(code: u32, out: &mut Vec<u8>) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend_from_slice(&[0xC0 | (code >> 6) as u8, tail(0)]),
        0x800..0x10000 => out.extend_from_slice(&[0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => out.extend_from_slice(&[0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// Characters of one byte that have a code point.
fn from_single(table: &HighHalf, source: &mut &[u8], out: &mut Vec<u8>) {
    out.reserve(source.len() * 3 / 2);
    loop {
        copy_ascii(source, out);
        let [a, rest @ ..] = *source else { return };
        match table[*a as usize & 0x7F] {
            0 => return,
            code => put_utf8(code as u32, out),
        }
        *source = rest;
    }
}

/// Characters of one and two bytes that have a code point: tables have them for whole characters only.
fn from_multi(lookup: &Lookup, source: &mut &[u8], out: &mut Vec<u8>) {
    out.reserve(source.len() * 3 / 2);
    while let [a, rest @ ..] = *source {
        let first = *a as u32;
        if a.is_ascii() {
            out.push(*a);
            *source = rest;
            continue;
        }
        let code = lookup.decode(first);
        if code != 0 {
            put_utf8(code, out);
            *source = rest;
            continue;
        }
        let [b, rest @ ..] = rest else { return };
        let code = lookup.decode(first << 8 | *b as u32);
        if code == 0 {
            return;
        }
        put_utf8(code, out);
        *source = rest;
    }
}

/// One unit; false when it does not convert.
fn one_unit(step: &mut Step, source: &mut &[u8], out: &mut Vec<u8>) -> bool {
    if source.is_empty() {
        return false;
    }
    let start = out.len();
    let StepResult::Consumed(used) = step.convert(source, out) else {
        out.truncate(start);
        return false;
    };
    *source = &source[used..];
    true
}

fn two_steps(first: &mut Step, second: &mut Step, source: &mut &[u8], destination: &mut Vec<u8>) {
    let mut unit = Vec::new();
    while !source.is_empty() {
        unit.clear();
        let mut rest = *source;
        if !one_unit(first, &mut rest, &mut unit) {
            return;
        }
        let start = destination.len();
        let mut middle = unit.as_slice();
        bulk(second, &Substitute::Ask, &mut middle, destination);
        if !middle.is_empty() {
            return destination.truncate(start);
        }
        *source = rest;
    }
}
