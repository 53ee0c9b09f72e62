//! Which letters begin the name of a constant.

use crate::transcode::{EncodeOptions, encode};
use crate::{Encoding, Family};

impl Encoding {
    /// Whether a name begins with a letter that makes it that of a constant: one of upper or title case.
    pub fn begins_with_capital(self, name: &[u8]) -> bool {
        match name.first() {
            None => false,
            Some(first) if first.is_ascii() => first.is_ascii_uppercase(),
            // The encodings beside Unicode's whose letters have case to the parser.
            _ if matches!(self.family(), Family::SingleByte | Family::ShiftJis | Family::EucJp) => {
                let first = &name[..self.step_len(name)];
                encode(first, self, Encoding::UTF_8, &EncodeOptions::default(), None)
                    .is_ok_and(|text| is_capital(&text))
            }
            _ => is_capital(name),
        }
    }
}

fn is_capital(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).ok();
    text.and_then(|text| text.chars().next()).is_some_and(|c| c.is_uppercase() || is_titlecase(c))
}

/// Letters like U+01C5 that are neither upper nor lower case.
fn is_titlecase(c: char) -> bool {
    let alone = matches!(c, '\u{1C5}' | '\u{1C8}' | '\u{1CB}' | '\u{1F2}' | '\u{1FBC}' | '\u{1FCC}' | '\u{1FFC}');
    alone || matches!(c, '\u{1F88}'..='\u{1F8F}' | '\u{1F98}'..='\u{1F9F}' | '\u{1FA8}'..='\u{1FAF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals() {
        assert!(Encoding::US_ASCII.begins_with_capital(b"A"));
        assert!(!Encoding::US_ASCII.begins_with_capital(b"_A"));
        assert!(Encoding::UTF_8.begins_with_capital("\u{de}x".as_bytes()));
        assert!(Encoding::UTF_8.begins_with_capital("\u{1f88}".as_bytes()));
        assert!(!Encoding::UTF_8.begins_with_capital("\u{df}".as_bytes()));
        assert!(Encoding::ISO_8859_1.begins_with_capital(b"\xdex"));
        assert!(!Encoding::ISO_8859_1.begins_with_capital(b"\xdfx"));
        assert!(!Encoding::BINARY.begins_with_capital(b"\xde"));
        assert!(Encoding::WINDOWS_31J.begins_with_capital(b"\x82\x60"));
        assert!(Encoding::EUC_JP.begins_with_capital(b"\xa3\xc1x"));
        assert!(!Encoding::EUC_JP.begins_with_capital(b"\xa3\xe1"));
    }
}
