//! Where characters begin and end, and their code points, for every family of encodings.
//! Whole-string scans that need no character boundaries are `scan.rs`.

use crate::{CodeRange, Encoding, Family, scan::ascii_prefix_len};

/// The first character of some bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CharLen {
    /// A complete character of that many bytes.
    Valid(usize),
    /// No character begins here. The number is how many bytes count as one (broken) character.
    Invalid(usize),
    /// The bytes end inside a character that could still become valid.
    NeedMore,
}

/// Why a code point has no character, or bytes have no code point.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CodePointError {
    /// The number is beyond what the encoding can number at all.
    OutOfRange,
    /// The number lies in range but stands for no character (a surrogate, a hole).
    Invalid,
    /// The bytes are no complete character.
    InvalidBytes,
    /// There are no bytes.
    Empty,
}

impl CodePointError {
    /// The sentence an exception about it carries. `code` is what was asked for.
    pub fn message(self, code: u32, enc: Encoding) -> String {
        match self {
            CodePointError::OutOfRange => format!("{code} out of char range"),
            CodePointError::Invalid => format!("invalid codepoint 0x{code:X} in {}", enc.name()),
            CodePointError::InvalidBytes => format!("invalid byte sequence in {}", enc.name()),
            CodePointError::Empty => "empty string".to_string(),
        }
    }
}

use CharLen::{Invalid, NeedMore, Valid};

/// Two bytes, the second of which must satisfy `trail`.
fn double(bytes: &[u8], trail: impl Fn(u8) -> bool) -> CharLen {
    match bytes.get(1) {
        None => NeedMore,
        Some(&b) if trail(b) => Valid(2),
        Some(_) => Invalid(1),
    }
}

/// `len` bytes whose tail must satisfy `trail(index, byte)`.
fn multi(bytes: &[u8], len: usize, trail: impl Fn(usize, u8) -> bool) -> CharLen {
    for i in 1..len {
        match bytes.get(i) {
            None => return NeedMore,
            Some(&b) if trail(i, b) => {}
            Some(_) => return Invalid(1),
        }
    }
    Valid(len)
}

fn utf8_char_len(bytes: &[u8]) -> CharLen {
    let (len, low, high) = match bytes[0] {
        0x00..=0x7F => return Valid(1),
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xE1..=0xEF => (3, 0x80, 0xBF),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return Invalid(1),
    };
    multi(bytes, len, |i, b| if i == 1 { (low..=high).contains(&b) } else { b & 0xC0 == 0x80 })
}

/// CESU-8: UTF-8 up to three bytes, and each surrogate of a pair in three bytes.
fn cesu8_char_len(bytes: &[u8]) -> CharLen {
    match bytes[0] {
        0xF0.. => Invalid(1),
        0xED => match bytes.get(1) {
            Some(0xA0..=0xAF) => multi(bytes, 6, |i, b| match i {
                3 => b == 0xED,
                4 => (0xB0..=0xBF).contains(&b),
                _ => b & 0xC0 == 0x80,
            }),
            _ => utf8_char_len(bytes),
        },
        _ => utf8_char_len(bytes),
    }
}

fn utf16_char_len(bytes: &[u8], high_at: usize) -> CharLen {
    if bytes.len() < 2 {
        return NeedMore;
    }
    match bytes[high_at] {
        0xD8..=0xDB => match bytes.get(2 + high_at) {
            Some(0xDC..=0xDF) if bytes.len() >= 4 => Valid(4),
            Some(0xDC..=0xDF) | None => NeedMore,
            Some(_) => Invalid(2),
        },
        0xDC..=0xDF => Invalid(2),
        _ => Valid(2),
    }
}

fn utf32_char_len(bytes: &[u8], big: bool) -> CharLen {
    let Some(word) = bytes.first_chunk::<4>() else {
        return NeedMore;
    };
    let code = if big { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
    if char::from_u32(code).is_some() { Valid(4) } else { Invalid(4) }
}

fn gb18030_char_len(bytes: &[u8]) -> CharLen {
    match bytes[0] {
        0x00..=0x7F => Valid(1),
        0x81..=0xFE => match bytes.get(1) {
            Some(0x30..=0x39) => multi(bytes, 4, |i, b| match i {
                2 => (0x81..=0xFE).contains(&b),
                _ => b.is_ascii_digit(),
            }),
            _ => double(bytes, |b| matches!(b, 0x40..=0x7E | 0x80..=0xFE)),
        },
        _ => Invalid(1),
    }
}

fn emacs_mule_char_len(bytes: &[u8]) -> CharLen {
    match bytes[0] {
        0x00..=0x7F => Valid(1),
        0x81..=0x8F => multi(bytes, 2, |_, b| b >= 0xA0),
        0x90..=0x99 => multi(bytes, 3, |_, b| b >= 0xA0),
        0x9A | 0x9B => multi(bytes, 3, |i, b| if i == 1 { matches!(b, 0xE0..=0xEF) } else { b >= 0xA0 }),
        0x9C => multi(bytes, 4, |i, b| if i == 1 { matches!(b, 0xF0..=0xF4) } else { b >= 0xA0 }),
        0x9D => multi(bytes, 4, |i, b| if i == 1 { matches!(b, 0xF5..=0xFE) } else { b >= 0xA0 }),
        _ => Invalid(1),
    }
}

fn high(b: u8) -> bool {
    matches!(b, 0xA1..=0xFE)
}

/// The single bytes and two-byte characters of the East Asian families.
fn east_asian_char_len(family: Family, bytes: &[u8]) -> CharLen {
    match (family, bytes[0]) {
        (_, 0x00..=0x7F) => Valid(1),
        (Family::EucJp, 0x8E) => double(bytes, high),
        (Family::EucJp, 0x8F) => multi(bytes, 3, |_, b| high(b)),
        (Family::EucTw, 0x8E) => multi(bytes, 4, |i, b| if i == 1 { matches!(b, 0xA1..=0xB0) } else { high(b) }),
        (Family::EucJp | Family::EucKr | Family::EucTw, 0xA1..=0xFE) => double(bytes, high),
        (Family::ShiftJis, 0xA1..=0xDF) => Valid(1),
        (Family::ShiftJis, 0x81..=0x9F | 0xE0..=0xFC) => double(bytes, |b| matches!(b, 0x40..=0x7E | 0x80..=0xFC)),
        (Family::Big5, 0xA1..=0xFE) => double(bytes, |b| matches!(b, 0x40..=0x7E) || high(b)),
        (Family::Cp949 | Family::Gbk, 0x80) => Valid(1),
        (Family::Cp949, 0x81..=0xFE) => double(bytes, |b| matches!(b, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE)),
        (Family::Gbk, 0x81..=0xFE) => double(bytes, |b| matches!(b, 0x40..=0x7E | 0x80..=0xFE)),
        _ => Invalid(1),
    }
}

impl Encoding {
    /// The character that `bytes` begin with. Empty bytes need more.
    pub fn char_len(self, bytes: &[u8]) -> CharLen {
        let Some(&first) = bytes.first() else {
            return NeedMore;
        };
        match self.family() {
            Family::SingleByte => Valid(1),
            Family::UsAscii => {
                if first < 0x80 {
                    Valid(1)
                } else {
                    Invalid(1)
                }
            }
            Family::Utf8 => utf8_char_len(bytes),
            Family::Cesu8 => cesu8_char_len(bytes),
            Family::Utf16Be => utf16_char_len(bytes, 0),
            Family::Utf16Le => utf16_char_len(bytes, 1),
            Family::Utf32Be => utf32_char_len(bytes, true),
            Family::Utf32Le => utf32_char_len(bytes, false),
            Family::Gb18030 => gb18030_char_len(bytes),
            Family::EmacsMule => emacs_mule_char_len(bytes),
            family => east_asian_char_len(family, bytes),
        }
    }

    /// Bytes to advance over the first character, broken or not. Zero only for empty bytes.
    pub fn step_len(self, bytes: &[u8]) -> usize {
        match self.char_len(bytes) {
            Valid(n) => n,
            _ => self.min_len().min(bytes.len()),
        }
    }

    /// Start of the character that covers the byte at `pos`. Boundaries are those that a walk
    /// from the front of `bytes` finds, as far as the encoding allows to tell without one.
    pub fn left_adjust(self, bytes: &[u8], pos: usize) -> usize {
        let pos = pos.min(bytes.len());
        if pos == bytes.len() || pos == 0 {
            return pos;
        }
        match self.family() {
            Family::SingleByte | Family::UsAscii => pos,
            Family::Utf8 | Family::Cesu8 => {
                let mut start = pos;
                while start > 0 && bytes[start] & 0xC0 == 0x80 {
                    start -= 1;
                }
                // A pair of surrogates is one character.
                if start >= 3 && self.char_len(&bytes[start - 3..]) == Valid(6) {
                    start -= 3;
                }
                self.covering(bytes, start, pos)
            }
            Family::Utf16Be | Family::Utf16Le => {
                let even = pos & !1;
                if even >= 2 && self.char_len(&bytes[even - 2..]) == Valid(4) { even - 2 } else { even }
            }
            Family::Utf32Be | Family::Utf32Le => pos & !3,
            _ => {
                // No trailing byte of these families lies below 0x30.
                let mut start = pos;
                while start > 0 && bytes[start] >= 0x30 {
                    start -= 1;
                }
                self.covering(bytes, start, pos)
            }
        }
    }

    /// Walks from a boundary to the character that covers `pos`.
    fn covering(self, bytes: &[u8], mut start: usize, pos: usize) -> usize {
        loop {
            let next = start + self.step_len(&bytes[start..]);
            // The beginning of four bytes goes to the end of the text.
            let cut = self.family() == Family::Gb18030 && self.char_len(&bytes[start..]) == CharLen::NeedMore;
            if next > pos || cut {
                return start;
            }
            start = next;
        }
    }

    /// Start of the last character before `pos`, or none at the front.
    pub fn prev_char(self, bytes: &[u8], pos: usize) -> Option<usize> {
        let pos = pos.min(bytes.len());
        (pos > 0).then(|| self.left_adjust(&bytes[..pos], pos - 1))
    }

    /// Whether a character begins at `pos` (the end counts).
    pub fn is_char_boundary(self, bytes: &[u8], pos: usize) -> bool {
        pos <= bytes.len() && self.left_adjust(bytes, pos) == pos
    }

    /// Code point and length of the first character.
    pub fn code_point(self, bytes: &[u8]) -> Result<(u32, usize), CodePointError> {
        if bytes.is_empty() {
            return Err(CodePointError::Empty);
        }
        let Valid(len) = self.char_len(bytes) else {
            return Err(CodePointError::InvalidBytes);
        };
        Ok((self.decode_valid(&bytes[..len]), len))
    }

    /// The code point of one valid character.
    fn decode_valid(self, c: &[u8]) -> u32 {
        let utf8 = |c: &[u8]| {
            let lead = match c.len() {
                1 => return c[0] as u32,
                2 => c[0] & 0x1F,
                3 => c[0] & 0x0F,
                _ => c[0] & 0x07,
            };
            c[1..].iter().fold(lead as u32, |code, &b| code << 6 | (b & 0x3F) as u32)
        };
        let pair = |hi: u32, lo: u32| 0x10000 + ((hi - 0xD800) << 10) + (lo - 0xDC00);
        let utf16 = |unit: fn([u8; 2]) -> u16| {
            let at = |i: usize| unit([c[i], c[i + 1]]) as u32;
            if c.len() == 4 { pair(at(0), at(2)) } else { at(0) }
        };
        match self.family() {
            Family::Cesu8 if c.len() == 6 => pair(utf8(&c[..3]), utf8(&c[3..])),
            Family::Utf8 | Family::Cesu8 => utf8(c),
            Family::Utf16Be => utf16(u16::from_be_bytes),
            Family::Utf16Le => utf16(u16::from_le_bytes),
            Family::Utf32Le => c.iter().rev().fold(0, |code, &b| code << 8 | b as u32),
            _ => c.iter().fold(0, |code, &b| code << 8 | b as u32),
        }
    }

    /// Appends the character of a code point; gives its length in bytes.
    pub fn encode_code_point(self, code: u32, out: &mut Vec<u8>) -> Result<usize, CodePointError> {
        let before = out.len();
        match self.family() {
            Family::SingleByte if code <= 0xFF => out.push(code as u8),
            Family::UsAscii if code < 0x80 => out.push(code as u8),
            Family::UsAscii if code <= 0xFF => return Err(CodePointError::Invalid),
            Family::SingleByte | Family::UsAscii => return Err(CodePointError::OutOfRange),
            _ if self.is_unicode() => self.encode_unicode(code, out)?,
            _ => {
                let bytes = code.to_be_bytes();
                let skip = (code.leading_zeros() as usize / 8).min(3);
                if self.char_len(&bytes[skip..]) != Valid(4 - skip) {
                    return Err(CodePointError::Invalid);
                }
                out.extend_from_slice(&bytes[skip..]);
            }
        }
        Ok(out.len() - before)
    }

    fn encode_unicode(self, code: u32, out: &mut Vec<u8>) -> Result<(), CodePointError> {
        if code >= 0xFFFF_FFFE && self.family() == Family::Utf8 {
            return Err(CodePointError::Invalid);
        }
        if code > 0x10FFFF {
            return Err(CodePointError::OutOfRange);
        }
        let c = char::from_u32(code).ok_or(CodePointError::Invalid)?;
        let mut units = [0; 2];
        match self.family() {
            Family::Utf16Be => c.encode_utf16(&mut units).iter().for_each(|u| out.extend(u.to_be_bytes())),
            Family::Utf16Le => c.encode_utf16(&mut units).iter().for_each(|u| out.extend(u.to_le_bytes())),
            Family::Utf32Be => out.extend(code.to_be_bytes()),
            Family::Utf32Le => out.extend(code.to_le_bytes()),
            Family::Cesu8 if code > 0xFFFF => {
                for &unit in c.encode_utf16(&mut units).iter() {
                    out.extend([0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]);
                }
            }
            _ => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        Ok(())
    }

    /// Characters of a string, broken ones included. A known `range` saves the scan.
    pub fn char_count(self, bytes: &[u8], range: Option<CodeRange>) -> usize {
        if self.is_single_byte() || range == Some(CodeRange::SevenBit) {
            return bytes.len();
        }
        match self.family() {
            Family::Utf32Be | Family::Utf32Le => return bytes.len().div_ceil(4),
            Family::Utf8 if range == Some(CodeRange::Valid) => return utf8_leads(bytes),
            _ => {}
        }
        let mut pos = 0;
        let mut count = 0;
        while pos < bytes.len() {
            if self.is_ascii_compatible() {
                let ascii = ascii_prefix_len(&bytes[pos..]);
                pos += ascii;
                count += ascii;
                if pos == bytes.len() {
                    break;
                }
            }
            pos += self.step_len(&bytes[pos..]);
            count += 1;
        }
        count
    }

    /// Byte offset of the character with index `nth`; the index behind the last character
    /// gives the length, a larger one nothing.
    pub fn byte_offset(self, bytes: &[u8], range: Option<CodeRange>, nth: usize) -> Option<usize> {
        if self.is_single_byte() || range == Some(CodeRange::SevenBit) {
            return (nth <= bytes.len()).then_some(nth);
        }
        match self.family() {
            Family::Utf32Be | Family::Utf32Le => {
                return (nth <= bytes.len().div_ceil(4)).then(|| (nth * 4).min(bytes.len()));
            }
            Family::Utf8 if range == Some(CodeRange::Valid) => return utf8_offset(bytes, nth),
            _ => {}
        }
        let mut pos = 0;
        for _ in 0..nth {
            if pos == bytes.len() {
                return None;
            }
            pos += self.step_len(&bytes[pos..]);
        }
        Some(pos)
    }

    /// Index of the character that begins at byte `pos`.
    pub fn char_index(self, bytes: &[u8], range: Option<CodeRange>, pos: usize) -> usize {
        self.char_count(&bytes[..pos.min(bytes.len())], range)
    }

    /// The characters as slices, broken ones included.
    pub fn chars(self, bytes: &[u8]) -> Chars<'_> {
        Chars { enc: self, rest: bytes }
    }
}

/// Bytes of valid UTF-8 that begin a character.
fn utf8_leads(bytes: &[u8]) -> usize {
    // The inner count stays within a byte, so that the loop becomes vector instructions.
    bytes.chunks(255).map(|chunk| chunk.iter().map(|&b| (b as i8 >= -0x40) as u8).sum::<u8>() as usize).sum()
}

fn utf8_offset(bytes: &[u8], nth: usize) -> Option<usize> {
    let mut left = nth;
    let mut pos = 0;
    // Whole chunks are skipped while they hold fewer characters than are left to pass.
    while let Some(chunk) = bytes.get(pos..pos + 64) {
        let leads = utf8_leads(chunk);
        if leads > left {
            break;
        }
        left -= leads;
        pos += 64;
    }
    for (i, &b) in bytes[pos..].iter().enumerate() {
        if b as i8 >= -0x40 {
            if left == 0 {
                return Some(pos + i);
            }
            left -= 1;
        }
    }
    (left == 0).then_some(bytes.len())
}

/// Iterator over the characters of a string.
#[derive(Clone)]
pub struct Chars<'a> {
    enc: Encoding,
    rest: &'a [u8],
}

impl<'a> Iterator for Chars<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (c, rest) = self.rest.split_at(self.enc.step_len(self.rest));
        self.rest = rest;
        Some(c)
    }
}

impl<'a> Chars<'a> {
    /// What has not been visited yet.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_lengths() {
        let e = Encoding::UTF_8;
        assert_eq!(e.char_len("é".as_bytes()), Valid(2));
        assert_eq!(e.char_len(b"\xE3\x81"), NeedMore);
        assert_eq!(e.char_len(b"\xE3a"), Invalid(1));
        assert_eq!(e.char_len(b"\xED\xA0\x80"), Invalid(1));
        assert_eq!(e.char_count(b"\xE3\x81\xE3\x81", None), 4);
    }

    #[test]
    fn offsets() {
        let s = "aé漢😀".repeat(40);
        let e = Encoding::UTF_8;
        for (i, (at, _)) in s.char_indices().enumerate() {
            assert_eq!(e.byte_offset(s.as_bytes(), Some(CodeRange::Valid), i), Some(at));
            assert_eq!(e.byte_offset(s.as_bytes(), None, i), Some(at));
            assert_eq!(e.char_index(s.as_bytes(), Some(CodeRange::Valid), at), i);
        }
        assert_eq!(e.byte_offset(s.as_bytes(), Some(CodeRange::Valid), 160), Some(s.len()));
        assert_eq!(e.byte_offset(s.as_bytes(), Some(CodeRange::Valid), 161), None);
    }

    #[test]
    fn code_points_round_trip() {
        for e in Encoding::all().filter(|e| e.is_unicode() && !e.is_dummy()) {
            for code in [0x41, 0xE9, 0x6F22, 0x1F600] {
                let mut out = Vec::new();
                e.encode_code_point(code, &mut out).unwrap();
                assert_eq!(e.code_point(&out), Ok((code, out.len())), "{e:?}");
            }
            assert_eq!(e.encode_code_point(0xD800, &mut Vec::new()), Err(CodePointError::Invalid));
        }
        assert_eq!(Encoding::EUC_JP.code_point(b"\x8F\xA1\xA2"), Ok((0x8FA1A2, 3)));
    }

    #[test]
    fn walks_back() {
        let s = b"\x81\x5C\x81\x40a\x81\x81";
        let e = Encoding::SHIFT_JIS;
        assert_eq!(e.left_adjust(s, 1), 0);
        assert_eq!(e.left_adjust(s, 3), 2);
        assert_eq!(e.prev_char(s, 7), Some(5));
        assert_eq!(Encoding::UTF_8.prev_char("é".as_bytes(), 2), Some(0));
        assert_eq!(Encoding::UTF_16LE.prev_char(b"\x3D\xD8\x00\xDE", 4), Some(0));
    }
}
