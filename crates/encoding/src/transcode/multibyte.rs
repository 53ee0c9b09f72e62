//! Lookup tables of the East Asian multi-byte encodings, built at first use from `encoding_rs`
//! and the runs of `tables::cjk`.

use std::sync::OnceLock;

use crate::{
    CharLen, Encoding, Family,
    tables::{cjk, emoji},
};

/// Both directions of one encoding. Zero means that there is no counterpart.
pub(super) struct Lookup {
    /// Code points by byte sequences of one or two bytes.
    two: Vec<u32>,
    /// Code points of three-byte sequences by their last two bytes (the first is always the same).
    three: Vec<u32>,
    /// Byte sequences by code point, in pages of 256.
    pages: Vec<Option<Box<[u32; 256]>>>,
}

/// Code points that tables cover; the rest of Unicode has no counterpart in any of them.
const CODE_LIMIT: usize = 0x30000;

static LOOKUPS: [OnceLock<Option<Lookup>>; Encoding::COUNT] = [const { OnceLock::new() }; Encoding::COUNT];

/// The lookup table of an encoding, if it has one.
pub(super) fn lookup(enc: Encoding) -> Option<&'static Lookup> {
    LOOKUPS[enc.index()].get_or_init(|| Lookup::build(enc)).as_ref()
}

impl Lookup {
    fn build(enc: Encoding) -> Option<Lookup> {
        let data = cjk::multi_byte(enc).or_else(|| emoji::multi_byte(enc))?;
        let three = if matches!(enc.family(), Family::EucJp | Family::EmacsMule) { 0x10000 } else { 0 };
        let mut lookup = Lookup { two: vec![0; 0x10000], three: vec![0; three], pages: vec![None; CODE_LIMIT / 256] };
        for sequence in sequences(enc) {
            lookup.set_decode(sequence, data.base.map_or(0, |base| decode_base(base, sequence)));
        }
        for &(first, code, len) in data.decode {
            for i in 0..len as u32 {
                lookup.set_decode(first + i, if code == 0 { 0 } else { code + i });
            }
        }
        for sequence in sequences(enc) {
            let code = lookup.decode(sequence);
            if code != 0 && (data.last_wins || lookup.encode(code) == 0) {
                lookup.set_encode(code, sequence);
            }
        }
        for &(first, sequence, len) in data.encode {
            for i in 0..len as u32 {
                lookup.set_encode(first + i, if sequence == 0 { 0 } else { sequence + i });
            }
        }
        Some(lookup)
    }

    /// The code point of a byte sequence read as a big-endian number, or 0.
    pub(super) fn decode(&self, sequence: u32) -> u32 {
        let table = if sequence > 0xFFFF { &self.three } else { &self.two };
        table.get(sequence as usize & 0xFFFF).copied().unwrap_or(0)
    }

    /// The byte sequence of a code point, or 0.
    pub(super) fn encode(&self, code: u32) -> u32 {
        match self.pages.get(code as usize >> 8) {
            Some(Some(page)) => page[code as usize & 0xFF],
            _ => 0,
        }
    }

    fn set_decode(&mut self, sequence: u32, code: u32) {
        let table = if sequence > 0xFFFF { &mut self.three } else { &mut self.two };
        if let Some(slot) = table.get_mut(sequence as usize & 0xFFFF) {
            *slot = code;
        }
    }

    fn set_encode(&mut self, code: u32, sequence: u32) {
        if let Some(page) = self.pages.get_mut(code as usize >> 8) {
            page.get_or_insert_with(|| Box::new([0; 256]))[code as usize & 0xFF] = sequence;
        }
    }
}

fn decode_base(base: &'static encoding_rs::Encoding, sequence: u32) -> u32 {
    let bytes = sequence.to_be_bytes();
    let mut bytes = &bytes[(sequence.leading_zeros() as usize / 8).min(3)..];
    // A character set's number, behind which there are bytes as in EUC.
    if let [0x92, rest @ ..] = bytes
        && rest.len() == 2
    {
        bytes = rest;
    }
    let Some(text) = base.decode_without_bom_handling_and_without_replacement(bytes) else {
        return 0;
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => c as u32,
        _ => 0,
    }
}

/// The character that conversion finds at the front. Conversion tables of the Big5 family
/// reach below the lead bytes that the encoding itself knows; of the stateless form of
/// ISO-2022-JP only one character set has a table.
pub(super) fn sequence_len(enc: Encoding, bytes: &[u8]) -> CharLen {
    match (enc.family(), bytes) {
        (Family::Big5, [0x81..=0xA0, rest @ ..]) if enc != Encoding::BIG5 => match rest.first() {
            None => CharLen::NeedMore,
            Some(0x40..=0x7E | 0xA1..=0xFE) => CharLen::Valid(2),
            Some(_) => CharLen::Invalid(1),
        },
        (Family::EmacsMule, [0x80..=0x91 | 0x93.., ..]) => CharLen::Invalid(1),
        _ => enc.char_len(bytes),
    }
}

/// All byte sequences above ASCII of up to three bytes, ascending.
fn sequences(enc: Encoding) -> impl Iterator<Item = u32> {
    let whole = move |n: u32, len: usize| sequence_len(enc, &n.to_be_bytes()[4 - len..]) == CharLen::Valid(len);
    let one = (0x80..=0xFFu32).filter(move |&n| whole(n, 1));
    let two = (0x8000..=0xFFFFu32).filter(move |&n| whole(n, 2));
    let three = match enc.family() {
        Family::EucJp => 0x8F0000..0x8FFFFF,
        Family::EmacsMule => 0x920000..0x92FFFF,
        _ => 0..0,
    };
    let three = three.filter(move |&n| whole(n, 3));
    one.chain(two).chain(three)
}
