//! The text formats of `pack`: uuencode, base64, quoted-printable, UTF-8 with up to six bytes, bits and nibbles.

use rubellite_core_thread::outside::Stop;
use rubellite_vm::object::{Grow, room};

const UU: &[u8; 64] = b"`!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes that are worked on between two looks at whether to stop.
const PIECE: usize = 1 << 16;

/// The pieces of a text whose every `unit` bytes are worked on together, until somebody asks to stop.
fn in_pieces(bytes: &[u8], unit: usize, stop: &Stop, mut work: impl FnMut(&[u8])) -> Option<()> {
    for piece in bytes.chunks(PIECE.next_multiple_of(unit)) {
        if stop.requested() {
            return None;
        }
        work(piece);
    }
    Some(())
}

/// Three bytes at a time as four characters.
fn encode_triples(bytes: &[u8], table: &[u8; 64], padding: u8, out: &mut Vec<u8>) {
    for chunk in bytes.chunks(3) {
        let at = |i: usize| chunk.get(i).copied().unwrap_or(0) as usize;
        let word = at(0) << 16 | at(1) << 8 | at(2);
        let mut four = [table[word >> 18 & 63], table[word >> 12 & 63], table[word >> 6 & 63], table[word & 63]];
        for slot in four.iter_mut().skip(chunk.len() + 1) {
            *slot = padding;
        }
        out.extend(four);
    }
}

/// This and the functions below give up when `stop` says so.
pub fn base64(bytes: &[u8], line_len: usize, stop: &Stop) -> Option<Vec<u8>> {
    let mut out = room(bytes.len() / 3 * 4 + 4 + bytes.len().checked_div(line_len).map_or(0, |lines| lines + 1));
    in_pieces(bytes, line_len.max(3), stop, |piece| {
        if line_len == 0 {
            return encode_triples(piece, BASE64, b'=', &mut out);
        }
        for line in piece.chunks(line_len) {
            encode_triples(line, BASE64, b'=', &mut out);
            out.push(b'\n');
        }
    })?;
    Some(out)
}

pub fn uuencode(bytes: &[u8], line_len: usize, stop: &Stop) -> Option<Vec<u8>> {
    let mut out = room(bytes.len() / 3 * 4 + 4 + (bytes.len() / line_len + 1) * 6);
    in_pieces(bytes, line_len, stop, |piece| {
        for line in piece.chunks(line_len) {
            out.push(line.len() as u8 + b' ');
            encode_triples(line, UU, b'`', &mut out);
            out.push(b'\n');
        }
    })?;
    Some(out)
}

pub fn quoted_printable(bytes: &[u8], line_len: usize, stop: &Stop) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut column = 0;
    let mut previous = 0u8;
    for (step, &b) in bytes.iter().enumerate() {
        if stop.requested_at(step) {
            return None;
        }
        // An escape and the end of a line.
        out.make_room(8);
        if b > 126 || b < 32 && b != b'\n' && b != b'\t' || b == b'=' {
            out.extend(format!("={b:02X}").bytes());
            column += 3;
            previous = 0;
        } else if b == b'\n' {
            if matches!(previous, b' ' | b'\t') {
                out.extend(b"=\n");
            }
            out.push(b);
            column = 0;
            previous = b;
        } else {
            out.push(b);
            column += 1;
            previous = b;
        }
        if column > line_len {
            out.extend(b"=\n");
            column = 0;
            previous = b'\n';
        }
    }
    if column > 0 {
        out.extend(b"=\n");
    }
    Some(out)
}

/// UTF-8 as far as 31 bits; false beyond.
pub fn push_utf8(code: u64, out: &mut Vec<u8>) -> bool {
    let tail = match code {
        0..0x80 => {
            out.push(code as u8);
            return true;
        }
        0x80..0x800 => 1,
        0x800..0x1_0000 => 2,
        0x1_0000..0x20_0000 => 3,
        0x20_0000..0x400_0000 => 4,
        0x400_0000..0x8000_0000 => 5,
        _ => return false,
    };
    let lead = 0xFFu8 << (7 - tail);
    out.push(lead | (code >> (6 * tail)) as u8);
    for i in (0..tail).rev() {
        out.push(0x80 | (code >> (6 * i)) as u8 & 0x3F);
    }
    true
}

/// One character of such UTF-8 and its length.
pub fn read_utf8(bytes: &[u8]) -> Result<(u64, usize), String> {
    const MALFORMED: &str = "malformed UTF-8 character";
    let lead = bytes[0];
    let len = match lead.leading_ones() {
        0 => return Ok((lead as u64, 1)),
        n @ 2..=6 => n as usize,
        _ => return Err(MALFORMED.into()),
    };
    if len > bytes.len() {
        return Err(format!("{MALFORMED} (expected {len} bytes, given {} bytes)", bytes.len()));
    }
    let mut code = (lead & (0x7F >> len)) as u64;
    for &b in &bytes[1..len] {
        if b & 0xC0 != 0x80 {
            return Err(MALFORMED.into());
        }
        code = code << 6 | (b & 0x3F) as u64;
    }
    let least = [0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][len - 1];
    if code < least { Err("redundant UTF-8 sequence".into()) } else { Ok((code, len)) }
}

fn base64_digit(b: u8) -> Option<u32> {
    Some(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    } as u32)
}

/// Base64 that skips what does not belong to it and ends at the padding; also says where it ended.
pub fn read_base64(bytes: &[u8], stop: &Stop) -> Option<(Vec<u8>, usize)> {
    let mut out = room(bytes.len() * 3 / 4 + 3);
    let (mut word, mut count) = (0u32, 0);
    let mut end = bytes.len();
    for (step, &b) in bytes.iter().enumerate() {
        if stop.requested_at(step) {
            return None;
        }
        match base64_digit(b) {
            Some(digit) => {
                word = word << 6 | digit;
                count += 1;
                if count == 4 {
                    out.extend(&word.to_be_bytes()[1..]);
                    (word, count) = (0, 0);
                }
            }
            None if b == b'=' && count >= 2 => {
                end = step;
                break;
            }
            None => {}
        }
    }
    match count {
        2 => out.push((word >> 4) as u8),
        3 => out.extend([(word >> 10) as u8, (word >> 2) as u8]),
        _ => {}
    }
    Some((out, end))
}

/// Base64 as RFC 4648 has it, and where its padding begins; nothing inside for anything else.
pub fn read_base64_strict(bytes: &[u8], stop: &Stop) -> Option<Option<(Vec<u8>, usize)>> {
    if !bytes.len().is_multiple_of(4) {
        return Some(None);
    }
    let padding = bytes.iter().rev().take(2).take_while(|b| **b == b'=').count();
    let digits = &bytes[..bytes.len() - padding];
    let mut out = room(bytes.len() / 4 * 3);
    for (step, chunk) in digits.chunks(4).enumerate() {
        if stop.requested_at(step) {
            return None;
        }
        let Some(word) = chunk.iter().try_fold(0, |word, b| Some(word << 6 | base64_digit(*b)?)) else {
            return Some(None);
        };
        match chunk.len() {
            4 => out.extend_from_slice(&word.to_be_bytes()[1..]),
            3 if word & 3 == 0 => out.extend([(word >> 10) as u8, (word >> 2) as u8]),
            2 if word & 15 == 0 => out.push((word >> 4) as u8),
            _ => return Some(None),
        }
    }
    Some(Some((out, digits.len())))
}

/// Uuencoded lines; also says how many bytes they took.
pub fn read_uuencode(bytes: &[u8], stop: &Stop) -> Option<(Vec<u8>, usize)> {
    let mut out = room(bytes.len() * 3 / 4);
    let limit = bytes.len() * 3 / 4;
    let mut pos = 0;
    let is_digit = |b: u8| (b' '..b'a').contains(&b);
    let mut lines = 0;
    while bytes.get(pos).is_some_and(|b| *b > b' ' && *b < b'a') {
        lines += 1;
        if lines % 1024 == 0 && stop.requested() {
            return None;
        }
        let len = ((bytes[pos] - b' ') & 63) as usize;
        pos += 1;
        let mut left = len.min(limit.saturating_sub(out.len()));
        while left > 0 {
            let mut word = 0u32;
            for _ in 0..4 {
                word <<= 6;
                if let Some(&b) = bytes.get(pos).filter(|b| is_digit(**b)) {
                    word |= ((b - b' ') & 63) as u32;
                    pos += 1;
                }
            }
            let take = left.min(3);
            out.extend(&word.to_be_bytes()[1..1 + take]);
            left -= take;
        }
        if bytes.get(pos).is_some_and(|b| *b != b'\r' && *b != b'\n') {
            // Perhaps a checksum.
            pos += 1;
        }
        for end in [b'\r', b'\n'] {
            if bytes.get(pos) == Some(&end) {
                pos += 1;
            }
        }
    }
    Some((out, pos))
}

/// Quoted-printable; also says where it ended: a wrong escape and what follows it are copied, and the next directive
/// reads from the character that was wrong.
pub fn read_quoted_printable(bytes: &[u8], stop: &Stop) -> Option<(Vec<u8>, usize)> {
    let mut out = room(bytes.len());
    let hex = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    let mut pos = 0;
    let mut done = 0;
    let mut steps = 0;
    while pos < bytes.len() {
        steps += 1;
        if stop.requested_at(steps) {
            return None;
        }
        if bytes[pos] != b'=' {
            out.push(bytes[pos]);
            pos += 1;
        } else if bytes.get(pos + 1) == Some(&b'\n') {
            pos += 2;
        } else if bytes.get(pos + 1) == Some(&b'\r') && bytes.get(pos + 2) == Some(&b'\n') {
            pos += 3;
        } else if let (Some(high), Some(low)) = (hex(pos + 1), hex(pos + 2)) {
            out.push((high << 4 | low) as u8);
            pos += 3;
        } else {
            pos = (pos + 1 + hex(pos + 1).is_some() as usize).min(bytes.len());
            break;
        }
        done = pos;
    }
    out.extend_from_slice(&bytes[done..]);
    Some((out, pos))
}

/// Bits or nibbles as digits, `per_byte` of them in a byte.
pub fn digits(bytes: &[u8], per_byte: usize, high_first: bool, stop: &Stop) -> Option<Vec<u8>> {
    let mut out = room(bytes.len() * per_byte);
    in_pieces(bytes, 1, stop, |piece| {
        if per_byte == 2 {
            let digit = |nibble: u8| b"0123456789abcdef"[nibble as usize & 15];
            let pair =
                |byte: u8| if high_first { [digit(byte >> 4), digit(byte)] } else { [digit(byte), digit(byte >> 4)] };
            for byte in piece {
                out.extend_from_slice(&pair(*byte));
            }
        } else {
            let bits = |byte: u8| if high_first { byte } else { byte.reverse_bits() };
            out.extend(piece.iter().flat_map(|byte| (0..8).map(move |place| b'0' + (bits(*byte) >> (7 - place) & 1))));
        }
    })?;
    Some(out)
}

/// Characters `0` and `1` as bits; only the lowest bit of each character counts.
pub fn pack_bits(text: &[u8], len: usize, high_first: bool, stop: &Stop) -> Option<Vec<u8>> {
    let (text, missing) = clip(text, len);
    let mut out = Vec::new();
    in_pieces(text, 8, stop, |piece| {
        for chunk in piece.chunks(8) {
            let mut byte = 0u8;
            for (i, c) in chunk.iter().enumerate() {
                byte |= (c & 1) << if high_first { 7 - i } else { i };
            }
            out.push(byte);
        }
    })?;
    // Two missing characters make a byte, as CRuby has it.
    out.extend(std::iter::repeat_n(0, missing.saturating_add(1) / 2));
    Some(out)
}

/// Hexadecimal digits as nibbles; letters count by their low bits.
pub fn pack_nibbles(text: &[u8], len: usize, high_first: bool, stop: &Stop) -> Option<Vec<u8>> {
    let (text, missing) = clip(text, len);
    let mut out = Vec::new();
    let nibble = |c: u8| if c.is_ascii_alphabetic() { ((c & 15) + 9) & 15 } else { c & 15 };
    in_pieces(text, 2, stop, |piece| {
        for chunk in piece.chunks(2) {
            let (first, second) = (nibble(chunk[0]), chunk.get(1).map_or(0, |c| nibble(*c)));
            out.push(if high_first { first << 4 | second } else { second << 4 | first });
        }
    })?;
    if missing > 0 {
        out.extend(std::iter::repeat_n(0, len.div_ceil(2) - text.len().div_ceil(2)));
    }
    Some(out)
}

/// The text cut to `len`, and by how much it is too short.
fn clip(text: &[u8], len: usize) -> (&[u8], usize) {
    if len > text.len() { (text, len - text.len()) } else { (&text[..len], 0) }
}
