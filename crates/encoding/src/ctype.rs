//! Character classes: the POSIX brackets as predicates over code points. Case mapping is
//! `case.rs`.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::{Encoding, Family, tables::single_byte};

/// The POSIX bracket classes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CType {
    Alpha,
    Digit,
    Alnum,
    Upper,
    Lower,
    Space,
    Blank,
    Cntrl,
    Punct,
    Graph,
    Print,
    XDigit,
    Word,
    Ascii,
}

/// Whether the character of code point `code` is of the class, in its encoding.
pub fn is_ctype(enc: Encoding, code: u32, ctype: CType) -> bool {
    if code < 0x80 {
        return ascii(code as u8, ctype);
    }
    match enc.family() {
        Family::SingleByte => single_byte_ctype(enc, code, ctype),
        Family::UsAscii => false,
        _ if enc.is_unicode() => char::from_u32(code).is_some_and(|c| unicode(c, ctype)),
        _ => matches!(ctype, CType::Word | CType::Graph | CType::Print),
    }
}

/// Whether `String#inspect` shows the character as it is.
pub fn is_printable(code: u32, enc: Encoding) -> bool {
    is_ctype(enc, code, CType::Print)
}

fn ascii(b: u8, ctype: CType) -> bool {
    match ctype {
        CType::Alpha => b.is_ascii_alphabetic(),
        CType::Digit => b.is_ascii_digit(),
        CType::Alnum => b.is_ascii_alphanumeric(),
        CType::Upper => b.is_ascii_uppercase(),
        CType::Lower => b.is_ascii_lowercase(),
        CType::Space => matches!(b, b' ' | b'\t'..=b'\r'),
        CType::Blank => matches!(b, b' ' | b'\t'),
        CType::Cntrl => b.is_ascii_control(),
        CType::Punct => b.is_ascii_punctuation(),
        CType::Graph => b.is_ascii_graphic(),
        CType::Print => b.is_ascii_graphic() || b == b' ',
        CType::XDigit => b.is_ascii_hexdigit(),
        CType::Word => b.is_ascii_alphanumeric() || b == b'_',
        CType::Ascii => true,
    }
}

fn unicode(c: char, ctype: CType) -> bool {
    use GeneralCategory::*;
    let category = || c.general_category();
    match ctype {
        CType::Alpha => c.is_alphabetic(),
        CType::Digit => category() == DecimalNumber,
        CType::Alnum => c.is_alphabetic() || category() == DecimalNumber,
        CType::Upper => c.is_uppercase(),
        CType::Lower => c.is_lowercase(),
        CType::Space => c.is_whitespace(),
        CType::Blank => category() == SpaceSeparator,
        CType::Cntrl => category() == Control,
        CType::Punct => c.general_category_group() == GeneralCategoryGroup::Punctuation,
        CType::Graph => !c.is_whitespace() && !matches!(category(), Control | Unassigned | Surrogate),
        CType::Print => !matches!(category(), Control | Unassigned | Surrogate | LineSeparator | ParagraphSeparator),
        CType::XDigit | CType::Ascii => false,
        CType::Word => {
            c.is_alphabetic()
                || matches!(category(), DecimalNumber | ConnectorPunctuation)
                || c.general_category_group() == GeneralCategoryGroup::Mark
        }
    }
}

/// Encodings that know classes beyond ASCII: ISO 8859, KOI8, TIS-620 and the Windows pages
/// 1250 to 1257 with 874. The other single-byte ones treat high bytes as nothing.
pub(crate) fn classifies_high_bytes(enc: Encoding) -> bool {
    let name = enc.name();
    name.starts_with("ISO-8859")
        || name.starts_with("KOI8")
        || enc == Encoding::TIS_620
        || (name.starts_with("Windows") && enc != Encoding::WINDOWS_1258)
}

fn single_byte_ctype(enc: Encoding, code: u32, ctype: CType) -> bool {
    if code > 0xFF || !classifies_high_bytes(enc) {
        return false;
    }
    if ctype == CType::Print {
        return single_byte::printable(enc) >> (code - 0x80) & 1 == 1;
    }
    match single_byte::high_half(enc).map(|table| table[code as usize - 0x80]) {
        Some(unit) if unit != 0 => char::from_u32(unit as u32).is_some_and(|c| unicode(c, ctype)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let u = Encoding::UTF_8;
        assert!(is_ctype(u, 'é' as u32, CType::Alpha));
        assert!(is_ctype(u, '٣' as u32, CType::Digit));
        assert!(!is_ctype(Encoding::BINARY, 0xE9, CType::Alpha));
        assert!(is_ctype(Encoding::ISO_8859_1, 0xE9, CType::Lower));
        assert!(is_printable('漢' as u32, u));
        assert!(!is_printable(0x85, u));
        assert!(!is_printable(0xFF, Encoding::BINARY));
        assert!(is_printable(0xA4A2, Encoding::EUC_JP));
    }
}
