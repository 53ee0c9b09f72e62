//! Decorators: newline conversion and XML escaping. They work on ASCII-compatible text.

use super::step::StepResult;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decorator {
    /// CRLF and CR become LF.
    UniversalNewline,
    /// LF becomes CRLF.
    CrlfNewline,
    /// LF becomes CR.
    CrNewline,
    /// CRLF becomes LF on the way out.
    LfNewline,
    /// `&` becomes a reference.
    Ampersand,
    /// `&`, `<` and `>` become references.
    XmlText,
    /// The same and both quotes.
    XmlAttrContent,
    /// Double quotes around the whole.
    XmlAttrQuote,
}

impl Decorator {
    /// The name that `convpath` shows.
    pub fn name(self) -> &'static str {
        match self {
            Decorator::UniversalNewline => "universal_newline",
            Decorator::CrlfNewline => "crlf_newline",
            Decorator::CrNewline => "cr_newline",
            Decorator::LfNewline => "lf_newline",
            Decorator::Ampersand => "amp_escape",
            Decorator::XmlText => "xml_text_escape",
            Decorator::XmlAttrContent => "xml_attr_content_escape",
            Decorator::XmlAttrQuote => "xml_attr_quote",
        }
    }

    pub fn find(name: &str) -> Option<Decorator> {
        use Decorator::*;
        [UniversalNewline, CrlfNewline, CrNewline, LfNewline, Ampersand, XmlText, XmlAttrContent, XmlAttrQuote]
            .into_iter()
            .find(|d| d.name() == name)
    }
}

/// A decorator at work.
pub(super) struct Decorate {
    pub kind: Decorator,
    /// The opening quote has been written.
    quoted: bool,
}

impl Decorate {
    pub(super) fn new(kind: Decorator) -> Decorate {
        Decorate { kind, quoted: false }
    }

    pub(super) fn convert(&mut self, input: &[u8], out: &mut Vec<u8>) -> StepResult {
        if self.kind == Decorator::XmlAttrQuote {
            self.open_quote(out);
        }
        let plain = input.iter().position(|&b| self.is_special(b)).unwrap_or(input.len());
        if plain > 0 {
            out.extend_from_slice(&input[..plain]);
            return StepResult::Consumed(plain);
        }
        if input[0] == b'\r' {
            return match input.get(1) {
                None => StepResult::NeedMore,
                Some(b'\n') => {
                    out.push(b'\n');
                    StepResult::Consumed(2)
                }
                Some(_) => {
                    out.push(self.lone_return());
                    StepResult::Consumed(1)
                }
            };
        }
        out.extend_from_slice(match input[0] {
            b'\n' if self.kind == Decorator::CrlfNewline => b"\r\n",
            b'\n' => b"\r",
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            _ => b"&apos;",
        });
        StepResult::Consumed(1)
    }

    /// Ends the text: a carriage return that waited for its line feed, and the closing quote.
    pub(super) fn finish(&mut self, rest: &[u8], out: &mut Vec<u8>) {
        if rest == b"\r" {
            out.push(self.lone_return());
        }
        if self.kind == Decorator::XmlAttrQuote {
            self.open_quote(out);
            out.push(b'"');
        }
    }

    fn lone_return(&self) -> u8 {
        if self.kind == Decorator::UniversalNewline { b'\n' } else { b'\r' }
    }

    fn open_quote(&mut self, out: &mut Vec<u8>) {
        if !self.quoted {
            self.quoted = true;
            out.push(b'"');
        }
    }

    fn is_special(&self, b: u8) -> bool {
        match self.kind {
            Decorator::UniversalNewline | Decorator::LfNewline => b == b'\r',
            Decorator::CrlfNewline | Decorator::CrNewline => b == b'\n',
            Decorator::Ampersand => b == b'&',
            Decorator::XmlText => matches!(b, b'&' | b'<' | b'>'),
            Decorator::XmlAttrContent => matches!(b, b'&' | b'<' | b'>' | b'"' | b'\''),
            Decorator::XmlAttrQuote => false,
        }
    }
}
