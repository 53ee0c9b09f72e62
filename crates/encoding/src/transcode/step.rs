//! One conversion of a chain: bytes in, bytes out, one unit at a time. The chain itself is
//! `mod.rs`; the tables are `multibyte.rs` and `tables`.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{
    decorate::Decorate,
    japanese::{self, JisDecoder, JisEncoder},
    multibyte::{self, Lookup},
};
use crate::{
    CharLen, Encoding, Family,
    tables::{
        emoji,
        emoji_exchange::{self, Exchange},
        single_byte::{self, HighHalf, IBM037_TO_LATIN1},
    },
};

/// What became of the first unit of the input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum StepResult {
    /// That many bytes were used; what they convert to has been written.
    Consumed(usize),
    /// The input ends inside a unit.
    NeedMore,
    /// `error` bytes are no character; the `readagain` bytes behind them showed it.
    Invalid { error: usize, readagain: usize },
    /// A character of that many bytes that the destination does not have.
    Undefined(usize),
}

use StepResult::{Consumed, NeedMore, Undefined};

/// The result for bytes that `char_len` does not call valid.
pub(super) fn invalid(enc: Encoding, input: &[u8]) -> StepResult {
    invalid_by(enc, input, |bytes| enc.char_len(bytes))
}

fn invalid_by(enc: Encoding, input: &[u8], char_len: impl Fn(&[u8]) -> CharLen) -> StepResult {
    let unit = enc.min_len();
    // The shortest prefix that cannot become a character any more shows where it broke.
    let broken =
        (1..=input.len().min(enc.max_len())).find(|&len| matches!(char_len(&input[..len]), CharLen::Invalid(_)));
    match broken {
        None => NeedMore,
        Some(len) if len <= unit => StepResult::Invalid { error: len, readagain: 0 },
        Some(len) if unit > 1 => StepResult::Invalid { error: unit, readagain: len - unit },
        Some(len) => StepResult::Invalid { error: len - 1, readagain: 1 },
    }
}

/// Whether UTF-16 or UTF-32 with a byte order mark has been seen to be big-endian.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Order {
    Unknown,
    Big,
    Little,
}

pub(super) enum Step {
    /// Characters of a plain encoding to UTF-8.
    FromUnicode(Encoding),
    FromMarked {
        wide: bool,
        order: Order,
    },
    FromAscii {
        invalid_high: bool,
    },
    FromSingle(&'static HighHalf),
    FromMulti(Encoding, &'static Lookup),
    FromUtf8Mac,
    /// UTF-8 to characters of another encoding.
    ToUnicode(Encoding),
    ToMarked {
        wide: bool,
        marked: bool,
    },
    ToAscii,
    ToSingle(Encoding, Vec<(u16, u8)>),
    ToMulti(Encoding, &'static Lookup),
    ToUtf8Mac,
    /// Between encodings in the form of UTF-8.
    Exchange(&'static Exchange),
    /// Between pairs that pass no code points.
    FromEbcdic,
    ToEbcdic(Box<[u8; 256]>),
    EucToSjis,
    SjisToEuc,
    EucToStateless,
    StatelessToEuc,
    FromJis(JisDecoder),
    ToJis(JisEncoder),
    Decorate(Decorate),
}

impl Step {
    /// The step that converts `from` to `to`, for pairs of `path::is_direct`.
    pub(super) fn new(from: Encoding, to: Encoding) -> Option<Step> {
        if let Some(exchange) = emoji_exchange::exchange(from, to) {
            return Some(Step::Exchange(exchange));
        }
        match (from, to) {
            (from, to) if emoji::utf8_form(from) == Some(to) => Some(Step::FromMulti(from, multibyte::lookup(from)?)),
            (from, to) if emoji::utf8_form(to) == Some(from) => Some(Step::ToMulti(to, multibyte::lookup(to)?)),
            (from, Encoding::UTF_8) => Step::decoder(from),
            (Encoding::UTF_8, to) => Step::encoder(to),
            (Encoding::IBM037, _) => Some(Step::FromEbcdic),
            (_, Encoding::IBM037) => {
                let mut reverse = Box::new([0; 256]);
                for (ebcdic, &latin) in IBM037_TO_LATIN1.iter().enumerate() {
                    reverse[latin as usize] = ebcdic as u8;
                }
                Some(Step::ToEbcdic(reverse))
            }
            (Encoding::EUC_JP, Encoding::SHIFT_JIS) => Some(Step::EucToSjis),
            (Encoding::SHIFT_JIS, Encoding::EUC_JP) => Some(Step::SjisToEuc),
            (Encoding::EUC_JP, Encoding::STATELESS_ISO_2022_JP) => Some(Step::EucToStateless),
            (Encoding::STATELESS_ISO_2022_JP, Encoding::EUC_JP) => Some(Step::StatelessToEuc),
            (Encoding::ISO_2022_JP | Encoding::ISO_2022_JP_KDDI, _) => Some(Step::FromJis(JisDecoder::new(false))),
            (_, Encoding::ISO_2022_JP | Encoding::ISO_2022_JP_KDDI) => Some(Step::ToJis(JisEncoder::new(false, false))),
            (Encoding::CP50220 | Encoding::CP50221, _) => Some(Step::FromJis(JisDecoder::new(true))),
            (_, Encoding::CP50220) => Some(Step::ToJis(JisEncoder::new(true, true))),
            (_, Encoding::CP50221) => Some(Step::ToJis(JisEncoder::new(true, false))),
            _ => None,
        }
    }

    fn decoder(from: Encoding) -> Option<Step> {
        Some(match from {
            Encoding::US_ASCII => Step::FromAscii { invalid_high: true },
            Encoding::BINARY => Step::FromAscii { invalid_high: false },
            Encoding::UTF_16 => Step::FromMarked { wide: false, order: Order::Unknown },
            Encoding::UTF_32 => Step::FromMarked { wide: true, order: Order::Unknown },
            Encoding::UTF8_MAC => Step::FromUtf8Mac,
            _ if from.is_unicode() => Step::FromUnicode(from),
            _ => match single_byte::high_half(from) {
                Some(table) => Step::FromSingle(table),
                None => Step::FromMulti(from, multibyte::lookup(from)?),
            },
        })
    }

    fn encoder(to: Encoding) -> Option<Step> {
        Some(match to {
            Encoding::US_ASCII | Encoding::BINARY => Step::ToAscii,
            Encoding::UTF_16 => Step::ToMarked { wide: false, marked: false },
            Encoding::UTF_32 => Step::ToMarked { wide: true, marked: false },
            Encoding::UTF8_MAC => Step::ToUtf8Mac,
            _ if to.is_unicode() => Step::ToUnicode(to),
            _ => match single_byte::high_half(to) {
                Some(table) => {
                    let numbered = table.iter().zip(0x80..=0xFFu8).filter(|&(&unit, _)| unit != 0);
                    let mut pairs: Vec<(u16, u8)> = numbered.map(|(&unit, b)| (unit, b)).collect();
                    pairs.sort_unstable();
                    Step::ToSingle(to, pairs)
                }
                None => Step::ToMulti(to, multibyte::lookup(to)?),
            },
        })
    }

    /// Whether ASCII passes unchanged wherever it stands, so that runs of it can be copied.
    pub(super) fn passes_ascii(&self) -> bool {
        match self {
            Step::FromUnicode(enc) | Step::ToUnicode(enc) => enc.min_len() == 1,
            Step::FromAscii { .. } | Step::FromSingle(_) | Step::FromMulti(..) => true,
            Step::ToAscii | Step::ToSingle(..) | Step::ToMulti(..) | Step::Exchange(_) => true,
            Step::EucToSjis | Step::SjisToEuc | Step::EucToStateless | Step::StatelessToEuc => true,
            _ => false,
        }
    }

    /// Whether each unit converts by itself, and one that does not convert leaves no trace.
    pub(super) fn is_stateless(&self) -> bool {
        match self {
            Step::FromUnicode(_) | Step::FromAscii { .. } | Step::FromSingle(_) | Step::FromMulti(..) => true,
            Step::ToUnicode(_) | Step::ToAscii | Step::ToSingle(..) | Step::ToMulti(..) | Step::Exchange(_) => true,
            Step::EucToSjis | Step::SjisToEuc | Step::EucToStateless | Step::StatelessToEuc => true,
            Step::FromMarked { order, .. } => *order != Order::Unknown,
            Step::ToMarked { marked, .. } => *marked,
            _ => false,
        }
    }

    /// Converts the first unit of `input`, which is not empty.
    pub(super) fn convert(&mut self, input: &[u8], out: &mut Vec<u8>) -> StepResult {
        match self {
            Step::FromUnicode(enc) => from_unicode(*enc, input, out),
            Step::FromMarked { wide, order } => from_marked(*wide, order, input, out),
            Step::FromAscii { invalid_high } => match input[0] {
                b @ 0..0x80 => {
                    out.push(b);
                    Consumed(1)
                }
                _ if *invalid_high => StepResult::Invalid { error: 1, readagain: 0 },
                _ => Undefined(1),
            },
            Step::FromSingle(table) => match input[0] {
                b @ 0..0x80 => {
                    out.push(b);
                    Consumed(1)
                }
                b => write_utf8(table[b as usize - 0x80] as u32, 1, out),
            },
            Step::FromMulti(enc, lookup) => from_multi(*enc, lookup, input, out),
            Step::FromUtf8Mac => from_utf8_mac(input, out),
            Step::FromEbcdic => {
                out.push(IBM037_TO_LATIN1[input[0] as usize]);
                Consumed(1)
            }
            Step::ToEbcdic(table) => {
                out.push(table[input[0] as usize]);
                Consumed(1)
            }
            Step::EucToSjis => japanese::euc_to_sjis(input, out),
            Step::SjisToEuc => japanese::sjis_to_euc(input, out),
            Step::EucToStateless => japanese::euc_to_stateless(input, out),
            Step::StatelessToEuc => japanese::stateless_to_euc(input, out),
            Step::FromJis(decoder) => decoder.convert(input, out),
            Step::ToJis(encoder) => encoder.convert(input, out),
            Step::Decorate(decorator) => decorator.convert(input, out),
            encoder => {
                let CharLen::Valid(len) = Encoding::UTF_8.char_len(input) else {
                    return invalid(Encoding::UTF_8, input);
                };
                match Encoding::UTF_8.code_point(&input[..len]) {
                    Ok((code, _)) => encoder.encode(code, len, out),
                    Err(_) => invalid(Encoding::UTF_8, input),
                }
            }
        }
    }

    /// Encodes one code point that took `len` bytes of UTF-8.
    fn encode(&mut self, code: u32, len: usize, out: &mut Vec<u8>) -> StepResult {
        let done = match self {
            Step::ToUnicode(enc) => enc.encode_code_point(code, out).is_ok(),
            Step::ToMarked { wide, marked } => {
                let enc = if *wide { Encoding::UTF_32BE } else { Encoding::UTF_16BE };
                let mark = !std::mem::replace(marked, true);
                (!mark || enc.encode_code_point(0xFEFF, out).is_ok()) && enc.encode_code_point(code, out).is_ok()
            }
            Step::ToUtf8Mac => {
                let text = char::from_u32(code).into_iter();
                let decomposed: String = if composes_on_mac(code) { text.nfd().collect() } else { text.collect() };
                out.extend_from_slice(decomposed.as_bytes());
                true
            }
            _ if code < 0x80 => {
                out.push(code as u8);
                true
            }
            Step::ToSingle(enc, pairs) => to_single(*enc, pairs, code, out),
            Step::ToMulti(enc, lookup) => to_multi(*enc, lookup, code, out),
            Step::Exchange(exchange) => exchange.write(code, out),
            _ => false,
        };
        if done { Consumed(len) } else { Undefined(len) }
    }

    /// Whether the text may end with `rest` unread: lookahead that did not come.
    pub(super) fn may_end_with(&self, rest: &[u8]) -> bool {
        match self {
            Step::Decorate(_) => true,
            Step::ToJis(_) => matches!(rest, [0x8E, _]),
            Step::FromUtf8Mac => std::str::from_utf8(rest).is_ok(),
            _ => false,
        }
    }

    /// Ends the text: writes what `rest` stands for and returns to the initial state.
    pub(super) fn finish(&mut self, rest: &[u8], out: &mut Vec<u8>) {
        match self {
            Step::Decorate(decorator) => decorator.finish(rest, out),
            Step::ToJis(encoder) => encoder.finish(rest, out),
            Step::FromUtf8Mac => compose(rest, out),
            _ => {}
        }
    }
}

/// Writes a code point (0 for none) that took `len` bytes.
fn write_utf8(code: u32, len: usize, out: &mut Vec<u8>) -> StepResult {
    match char::from_u32(code).filter(|&c| c != '\0') {
        Some(c) => {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            Consumed(len)
        }
        None => Undefined(len),
    }
}

fn from_unicode(enc: Encoding, input: &[u8], out: &mut Vec<u8>) -> StepResult {
    match enc.code_point(input) {
        Ok((code, len)) => match char::from_u32(code) {
            Some(c) => {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                Consumed(len)
            }
            None => StepResult::Invalid { error: len, readagain: 0 },
        },
        Err(_) => invalid(enc, input),
    }
}

fn from_marked(wide: bool, order: &mut Order, input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let enc = match (&order, wide) {
        (Order::Big, false) => Encoding::UTF_16BE,
        (Order::Little, false) => Encoding::UTF_16LE,
        (Order::Big, true) => Encoding::UTF_32BE,
        (Order::Little, true) => Encoding::UTF_32LE,
        (Order::Unknown, _) => {
            let (big, little): (&[u8], &[u8]) =
                if wide { (b"\0\0\xFE\xFF", b"\xFF\xFE\0\0") } else { (b"\xFE\xFF", b"\xFF\xFE") };
            if input.len() < big.len() {
                return NeedMore;
            }
            *order = match &input[..big.len()] {
                mark if mark == big => Order::Big,
                mark if mark == little => Order::Little,
                _ => {
                    return StepResult::Invalid { error: big.len(), readagain: 0 };
                }
            };
            return Consumed(big.len());
        }
    };
    from_unicode(enc, input, out)
}

fn from_multi(enc: Encoding, lookup: &Lookup, input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let CharLen::Valid(len) = multibyte::sequence_len(enc, input) else {
        return invalid_by(enc, input, |bytes| multibyte::sequence_len(enc, bytes));
    };
    let sequence = &input[..len];
    match sequence {
        [b @ 0..0x80] => {
            out.push(*b);
            Consumed(1)
        }
        [_, _, _, _] => {
            let number = sequence.iter().fold(0, |n, &b| n << 8 | b as u32);
            if let Some(&(code, _)) = GB18030_2000.iter().find(|entry| entry.1 == number) {
                return write_utf8(code, 4, out);
            }
            let gb18030 = encoding_rs::GB18030;
            match gb18030.decode_without_bom_handling_and_without_replacement(sequence) {
                Some(text) => {
                    out.extend_from_slice(text.as_bytes());
                    Consumed(4)
                }
                None => Undefined(4),
            }
        }
        _ => {
            let number = sequence.iter().fold(0, |n, &b| n << 8 | b as u32);
            write_utf8(lookup.decode(number), len, out)
        }
    }
}

/// Four-byte characters as the edition of 2000 has them; `encoding_rs` follows a later one.
#[rustfmt::skip]
static GB18030_2000: [(u32, u32); 19] = [
    (0x1E3F, 0x8135F437), (0x9FB4, 0x82359037), (0x9FB5, 0x82359038), (0x9FB6, 0x82359039), (0x9FB7, 0x82359130),
    (0x9FB8, 0x82359131), (0x9FB9, 0x82359132), (0x9FBA, 0x82359133), (0x9FBB, 0x82359134), (0xFE10, 0x84318236),
    (0xFE11, 0x84318237), (0xFE12, 0x84318238), (0xFE13, 0x84318239), (0xFE14, 0x84318330), (0xFE15, 0x84318331),
    (0xFE16, 0x84318332), (0xFE17, 0x84318333), (0xFE18, 0x84318334), (0xFE19, 0x84318335),
];

pub(super) fn to_multi(enc: Encoding, lookup: &Lookup, code: u32, out: &mut Vec<u8>) -> bool {
    let sequence = lookup.encode(code);
    if sequence != 0 {
        let skip = (sequence.leading_zeros() / 8) as usize;
        out.extend_from_slice(&sequence.to_be_bytes()[skip..]);
        return true;
    }
    if enc.family() != Family::Gb18030 {
        return false;
    }
    let Some(c) = char::from_u32(code) else {
        return false;
    };
    if let Some(&(_, sequence)) = GB18030_2000.iter().find(|entry| entry.0 == code) {
        out.extend_from_slice(&u32::to_be_bytes(sequence));
        return true;
    }
    let mut buffer = [0; 4];
    let (bytes, _, unmappable) = encoding_rs::GB18030.encode(c.encode_utf8(&mut buffer));
    let found = !unmappable && bytes.len() == 4;
    if found {
        out.extend_from_slice(&bytes);
    }
    found
}

pub(super) fn to_single(enc: Encoding, pairs: &[(u16, u8)], code: u32, out: &mut Vec<u8>) -> bool {
    // Latin-1 and its like have most characters at their places in Unicode.
    let guess = (code as usize).wrapping_sub(0x80);
    let guessed = pairs.get(guess).filter(|pair| pair.0 as u32 == code).map(|_| guess);
    let found =
        guessed.or_else(|| u16::try_from(code).ok().and_then(|unit| pairs.binary_search_by_key(&unit, |p| p.0).ok()));
    if let Some(at) = found {
        out.push(pairs[at].1);
        return true;
    }
    // Windows-1255 writes the presentation forms of Hebrew letters as letter and points.
    let Some(c) =
        char::from_u32(code).filter(|c| enc == Encoding::WINDOWS_1255 && ('\u{FB1D}'..='\u{FB4E}').contains(c))
    else {
        return false;
    };
    let start = out.len();
    let parts: Vec<char> = std::iter::once(c).nfd().collect();
    let whole = parts.len() > 1 && parts.iter().all(|&part| to_single(enc, pairs, part as u32, out));
    if !whole {
        out.truncate(start);
    }
    whole
}

/// The ranges that HFS+ leaves composed are outside this.
fn composes_on_mac(code: u32) -> bool {
    !matches!(code, 0x2000..=0x2FFF | 0xF900..=0xFAFF | 0x2F800..=0x2FAFF)
}

/// UTF8-MAC: a base character waits for the marks that follow it, then all are composed.
fn from_utf8_mac(input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let mut end = 0;
    while end < input.len() {
        match Encoding::UTF_8.code_point(&input[end..]) {
            Ok((code, len)) => {
                let mark = char::from_u32(code).is_some_and(is_combining_mark);
                if end > 0 && !mark {
                    compose(&input[..end], out);
                    return Consumed(end);
                }
                end += len;
            }
            Err(_) if end == 0 => return invalid(Encoding::UTF_8, input),
            Err(_) if invalid(Encoding::UTF_8, &input[end..]) == NeedMore => return NeedMore,
            Err(_) => {
                compose(&input[..end], out);
                return Consumed(end);
            }
        }
    }
    NeedMore
}

fn compose(bytes: &[u8], out: &mut Vec<u8>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        out.extend(text.nfc().collect::<String>().as_bytes());
    }
}
