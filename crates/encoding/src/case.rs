//! Case mapping: upcase, downcase, swapcase, capitalize and folding. Unicode encodings map by
//! the full Unicode rules (one character may become several), some single-byte ones through
//! their Unicode table, all others map ASCII only.

use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::{Encoding, Family, tables, tables::single_byte};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CaseOp {
    Upcase,
    Downcase,
    Swapcase,
    Capitalize,
}

/// The options of `String#upcase` and its like.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct CaseOptions {
    /// `:ascii`: only A to Z and a to z.
    pub ascii: bool,
    /// `:turkic`: dotted and dotless i are two letters.
    pub turkic: bool,
    /// `:lithuanian`: accepted, maps like the default.
    pub lithuanian: bool,
    /// `:fold`, with downcase only.
    pub fold: bool,
}

/// The string has broken characters: ArgumentError "input string invalid".
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CaseError;

impl CaseError {
    pub const MESSAGE: &'static str = "input string invalid";
}

/// Characters, or bytes of UTF-8, that are mapped between two looks at whether to stop.
const STEPS: usize = 1 << 14;

/// Maps a whole string.
pub fn map_case(enc: Encoding, bytes: &[u8], op: CaseOp, options: CaseOptions) -> Result<Vec<u8>, CaseError> {
    map_case_until(enc, bytes, op, options, &|| false).unwrap_or(Err(CaseError))
}

/// The same, and asks now and then whether it should stop: then nothing comes back.
pub fn map_case_until(
    enc: Encoding,
    bytes: &[u8],
    op: CaseOp,
    options: CaseOptions,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Vec<u8>, CaseError>> {
    let plain = options.ascii || (bytes.is_ascii() && enc.is_ascii_compatible() && !options.turkic);
    if let (Encoding::UTF_8, false, Ok(text)) = (enc, plain, std::str::from_utf8(bytes)) {
        return map_utf8(text, op, options, stop).map(|mapped| Ok(mapped.into_bytes()));
    }
    if enc.is_unicode() && !enc.is_dummy() && !plain {
        return map_unicode(enc, bytes, op, options, stop).transpose();
    }
    let mapper = SingleByteMapper::of(enc).filter(|_| !plain);
    let mut out = crate::room(bytes.len());
    for (i, c) in enc.chars(bytes).enumerate() {
        if i % STEPS == STEPS - 1 && stop() {
            return None;
        }
        let op = at_position(op, i);
        match (c, &mapper) {
            ([b], _) if *b < 0x80 => out.push(map_ascii(*b, op)),
            ([b], Some(mapper)) => mapper.map(*b, op, options, &mut out),
            _ if enc.min_len() > 1 => map_wide_ascii(enc, c, op, &mut out),
            _ => out.extend_from_slice(c),
        }
    }
    Some(Ok(out))
}

/// What capitalize does to the character with this index.
fn at_position(op: CaseOp, index: usize) -> CaseOp {
    match op {
        CaseOp::Capitalize if index > 0 => CaseOp::Downcase,
        _ => op,
    }
}

fn map_ascii(b: u8, op: CaseOp) -> u8 {
    match op {
        CaseOp::Upcase | CaseOp::Capitalize => b.to_ascii_uppercase(),
        CaseOp::Downcase => b.to_ascii_lowercase(),
        CaseOp::Swapcase if b.is_ascii_alphabetic() => b ^ 0x20,
        CaseOp::Swapcase => b,
    }
}

/// The ASCII letters of UTF-16 and UTF-32.
fn map_wide_ascii(enc: Encoding, c: &[u8], op: CaseOp, out: &mut Vec<u8>) {
    match enc.code_point(c) {
        Ok((code @ 0..0x80, _)) if enc.encode_code_point(map_ascii(code as u8, op) as u32, out).is_ok() => {}
        _ => out.extend_from_slice(c),
    }
}

fn map_unicode(
    enc: Encoding,
    bytes: &[u8],
    op: CaseOp,
    options: CaseOptions,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<u8>>, CaseError> {
    let mut out = crate::room(bytes.len() + 8);
    let mut mapped = String::new();
    let mut pos = 0;
    let mut index = 0;
    while pos < bytes.len() {
        if index % STEPS == STEPS - 1 && stop() {
            return Ok(None);
        }
        let (code, len) = enc.code_point(&bytes[pos..]).map_err(|_| CaseError)?;
        let c = char::from_u32(code).ok_or(CaseError)?;
        mapped.clear();
        map_char(c, at_position(op, index), options, &mut mapped);
        for m in mapped.chars() {
            enc.encode_code_point(m as u32, &mut out).map_err(|_| CaseError)?;
        }
        pos += len;
        index += 1;
    }
    Ok(Some(out))
}

/// Characters below this have their own lines in [`Simple`].
const SIMPLE_END: u32 = 0x600;

/// The characters that become one character of two bytes at most, by their code; 0 where it is not so simple.
struct Simple {
    lower: Vec<u16>,
    upper: Vec<u16>,
    swapped: Vec<u16>,
    fold: Vec<u16>,
}

impl Simple {
    fn get() -> &'static Simple {
        static SIMPLE: OnceLock<Simple> = OnceLock::new();
        SIMPLE.get_or_init(|| {
            let column = |op: CaseOp, fold: bool| {
                let options = CaseOptions { fold, ..CaseOptions::default() };
                let simple = |code: u32| {
                    let mut mapped = String::new();
                    map_char(char::from_u32(code)?, op, options, &mut mapped);
                    let mut chars = mapped.chars();
                    let only = chars.next().filter(|_| chars.next().is_none())?;
                    u16::try_from(only as u32).ok().filter(|&code| code < 0x800)
                };
                (0..SIMPLE_END).map(|code| simple(code).unwrap_or(0)).collect()
            };
            Simple {
                lower: column(CaseOp::Downcase, false),
                upper: column(CaseOp::Upcase, false),
                swapped: column(CaseOp::Swapcase, false),
                fold: column(CaseOp::Downcase, true),
            }
        })
    }
}

/// Whether a character belongs to the scripts of East Asia, which have no case.
fn is_caseless(c: char) -> bool {
    matches!(c as u32, 0x2E80..0xA640 | 0xAC00..0xD7FC)
}

fn map_utf8(text: &str, op: CaseOp, options: CaseOptions, stop: &dyn Fn() -> bool) -> Option<String> {
    let mut out = String::from_utf8(crate::room(text.len() + 8)).unwrap_or_default();
    let mut from = 0;
    while from < text.len() {
        if from > 0 && stop() {
            return None;
        }
        let end = text.floor_char_boundary(from + STEPS);
        map_utf8_part(&text[from..end], from, op, options, &mut out);
        from = end;
    }
    Some(out)
}

/// Maps a part that has `before` bytes in front of it.
fn map_utf8_part(text: &str, before: usize, op: CaseOp, options: CaseOptions, out: &mut String) {
    let simple = Simple::get();
    for (index, c) in text.chars().enumerate() {
        let op = at_position(op, before + index);
        let column = match op {
            _ if options.turkic => None,
            CaseOp::Downcase if options.fold => Some(&simple.fold),
            CaseOp::Downcase => Some(&simple.lower),
            CaseOp::Upcase => Some(&simple.upper),
            CaseOp::Swapcase => Some(&simple.swapped),
            CaseOp::Capitalize => None,
        };
        let mapped = column.and_then(|column| column.get(c as usize)).copied().filter(|&code| code > 0);
        match mapped.and_then(|code| char::from_u32(u32::from(code))) {
            Some(mapped) => out.push(mapped),
            None if is_caseless(c) => out.push(c),
            None => map_char(c, op, options, out),
        }
    }
}

fn lookup(table: &[(char, &'static str)], c: char) -> Option<&'static str> {
    table.binary_search_by_key(&c, |entry| entry.0).ok().map(|i| table[i].1)
}

/// Maps one character by the full Unicode rules.
fn map_char(c: char, op: CaseOp, options: CaseOptions, out: &mut String) {
    if c.is_ascii() && !options.turkic {
        return out.push(map_ascii(c as u8, op) as char);
    }
    match op {
        CaseOp::Upcase => upcase(c, options, out),
        CaseOp::Downcase => downcase(c, options, out),
        CaseOp::Capitalize => match lookup(&tables::case::TITLECASE, c) {
            Some(title) => out.push_str(title),
            None => upcase(c, options, out),
        },
        CaseOp::Swapcase => {
            if let Some(swapped) = lookup(&tables::case::SWAPCASE, c) {
                return out.push_str(swapped);
            }
            let start = out.len();
            upcase(c, options, out);
            if out[start..].chars().eq([c]) {
                out.truncate(start);
                downcase(c, options, out);
            }
        }
    }
}

fn upcase(c: char, options: CaseOptions, out: &mut String) {
    match c {
        'i' if options.turkic => out.push('İ'),
        _ => out.extend(c.to_uppercase()),
    }
}

fn downcase(c: char, options: CaseOptions, out: &mut String) {
    match c {
        'I' if options.turkic => out.push('ı'),
        'İ' if options.turkic => out.push('i'),
        _ => match lookup(&tables::case::CASE_FOLD, c).filter(|_| options.fold) {
            Some(folded) => out.push_str(folded),
            None => out.extend(c.to_lowercase()),
        },
    }
}

/// Case mapping of a single-byte encoding through its Unicode table.
struct SingleByteMapper {
    table: &'static single_byte::HighHalf,
}

impl SingleByteMapper {
    /// The ISO 8859 and Windows encodings of scripts with case; the others map ASCII only.
    fn of(enc: Encoding) -> Option<SingleByteMapper> {
        let name = enc.name();
        let caseless = ["ISO-8859-6", "ISO-8859-8", "ISO-8859-11", "Windows-874"];
        let maps = (name.starts_with("ISO-8859") && !caseless.contains(&name))
            || matches!(name, "Windows-1250" | "Windows-1251" | "Windows-1252")
            || matches!(name, "Windows-1253" | "Windows-1254" | "Windows-1257");
        if enc.family() != Family::SingleByte || !maps {
            return None;
        }
        single_byte::high_half(enc).map(|table| SingleByteMapper { table })
    }

    /// Maps a byte above 0x7F. It stays as it is where its other case has no byte.
    fn map(&self, b: u8, op: CaseOp, options: CaseOptions, out: &mut Vec<u8>) {
        let start = out.len();
        let Some(c) = char::from_u32(self.table[b as usize - 0x80] as u32).filter(|&c| c != '\0') else {
            return out.push(b);
        };
        if c == 'ß' && op == CaseOp::Swapcase {
            return out.extend_from_slice(b"SS");
        }
        let mut mapped = String::new();
        map_char(c, op, options, &mut mapped);
        if c == 'İ' && mapped.starts_with('i') {
            // The combining dot that Unicode keeps has no byte.
            mapped = "i".to_string();
        }
        for m in mapped.chars() {
            match self.byte_of(m) {
                Some(m) => out.push(m),
                None => {
                    out.truncate(start);
                    return out.push(b);
                }
            }
        }
    }

    fn byte_of(&self, c: char) -> Option<u8> {
        if c.is_ascii() {
            return Some(c as u8);
        }
        let at = self.table.iter().position(|&unit| unit as u32 == c as u32)?;
        Some(0x80 + at as u8)
    }
}

/// `String#casecmp`: orders by bytes with ASCII letters taken as lower case.
pub fn casecmp_ascii(a: &[u8], b: &[u8]) -> Ordering {
    const BLOCK: usize = 32;
    let same =
        a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count() * BLOCK;
    let (a, b) = (&a[same..], &b[same..]);
    match a.iter().zip(b).find(|(x, y)| !x.eq_ignore_ascii_case(y)) {
        Some((x, y)) => x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase()),
        None => a.len().cmp(&b.len()),
    }
}

/// `String#casecmp?`: whether both fold to the same characters. It asks now and then whether it should stop: then
/// nothing comes back.
pub fn casecmp_fold_until(
    enc: Encoding,
    a: &[u8],
    b: &[u8],
    stop: &dyn Fn() -> bool,
) -> Option<Result<bool, CaseError>> {
    let options = CaseOptions { fold: true, ..CaseOptions::default() };
    let folded = |bytes: &[u8]| map_case_until(enc, bytes, CaseOp::Downcase, options, stop);
    match (folded(a)?, folded(b)?) {
        (Ok(a), Ok(b)) => Some(Ok(a == b)),
        _ => Some(Err(CaseError)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str, op: CaseOp, options: CaseOptions) -> String {
        String::from_utf8(map_case(Encoding::UTF_8, text.as_bytes(), op, options).unwrap()).unwrap()
    }

    #[test]
    fn short_cuts_change_nothing() {
        let every: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        let plain = CaseOptions::default();
        let all = [plain, CaseOptions { fold: true, ..plain }, CaseOptions { turkic: true, ..plain }];
        for op in [CaseOp::Upcase, CaseOp::Downcase, CaseOp::Swapcase, CaseOp::Capitalize] {
            for options in all.into_iter().filter(|options| op == CaseOp::Downcase || !options.fold) {
                let general = map_unicode(Encoding::UTF_8, every.as_bytes(), op, options, &|| false).unwrap();
                assert!(
                    map_utf8(&every, op, options, &|| false).map(String::into_bytes) == general,
                    "{op:?} {options:?}"
                );
            }
        }
    }

    #[test]
    fn mapping_stops_when_asked() {
        let text = "äb".repeat(STEPS);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let plain = CaseOptions::default();
        assert!(map_case_until(Encoding::UTF_8, text.as_bytes(), CaseOp::Upcase, plain, &|| true).is_none());
        assert!(map_case_until(Encoding::UTF_16LE, &wide, CaseOp::Upcase, plain, &|| true).is_none());
        assert!(map_case_until(Encoding::KOI8_R, text.as_bytes(), CaseOp::Upcase, plain, &|| true).is_none());
    }

    #[test]
    fn unicode() {
        let plain = CaseOptions::default();
        assert_eq!(map("ß ŉ ǆ ﬁ", CaseOp::Upcase, plain), "SS ʼN Ǆ FI");
        assert_eq!(map("ß ǆ ΑΣ", CaseOp::Capitalize, plain), "Ss ǆ ασ");
        assert_eq!(map("ǆ", CaseOp::Capitalize, plain), "ǅ");
        assert_eq!(map("ΑΣ İ", CaseOp::Downcase, plain), "ασ i̇");
        assert_eq!(map("aBß", CaseOp::Swapcase, plain), "AbSS");
        assert_eq!(map("ẞßﬁΣς", CaseOp::Downcase, CaseOptions { fold: true, ..plain }), "ssssfiσσ");
        assert_eq!(map("Iiİı", CaseOp::Downcase, CaseOptions { turkic: true, ..plain }), "ıiiı");
        assert_eq!(map("Iiİı", CaseOp::Upcase, CaseOptions { turkic: true, ..plain }), "IİİI");
        assert_eq!(map("éA", CaseOp::Downcase, CaseOptions { ascii: true, ..plain }), "éa");
        assert_eq!(map_case(Encoding::UTF_8, b"\xFF", CaseOp::Upcase, plain), Err(CaseError));
    }

    #[test]
    fn others() {
        let plain = CaseOptions::default();
        let up = |e, s: &[u8]| map_case(e, s, CaseOp::Upcase, plain).unwrap();
        assert_eq!(up(Encoding::ISO_8859_1, b"\xE9\xFF\xDF"), b"\xC9\xFFSS");
        assert_eq!(up(Encoding::KOI8_R, b"a\xC7"), b"A\xC7");
        assert_eq!(up(Encoding::EUC_JP, b"a\xA3\xE1"), b"A\xA3\xE1");
        assert_eq!(up(Encoding::UTF_16LE, b"\xE9\0"), b"\xC9\0");
        let (a, b) = ("STRASSE".as_bytes(), "straße".as_bytes());
        assert_eq!(casecmp_fold_until(Encoding::UTF_8, a, b, &|| false), Some(Ok(true)));
    }
}
