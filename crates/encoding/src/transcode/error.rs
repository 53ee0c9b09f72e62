//! What went wrong in a conversion, and the sentence about it.

use std::fmt::Write;

use super::{PathElement, conversion_name};
use crate::{CharLen, Encoding};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// `Encoding::InvalidByteSequenceError`
    Invalid,
    /// The same class, at the end of the input.
    Incomplete,
    /// `Encoding::UndefinedConversionError`
    Undefined,
}

/// One error of one step of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversionError {
    pub kind: ErrorKind,
    /// The bytes that are invalid, or the character that has no counterpart.
    pub error_bytes: Vec<u8>,
    /// Bytes behind them that had to be read to see it. They will be converted next.
    pub readagain_bytes: Vec<u8>,
    /// The two encodings of the step, which need not be those of the chain. Both are nothing
    /// in a step that only decorates.
    pub source: Option<Encoding>,
    pub destination: Option<Encoding>,
}

impl ConversionError {
    pub(super) fn new(kind: ErrorKind, element: PathElement, error: &[u8], readagain: &[u8]) -> ConversionError {
        let (source, destination) = match element {
            PathElement::Conversion(from, to) => (Some(from), Some(to)),
            PathElement::Decorator(_) => (None, None),
        };
        ConversionError { kind, error_bytes: error.to_vec(), readagain_bytes: readagain.to_vec(), source, destination }
    }

    pub fn source_name(&self) -> String {
        self.source.map(conversion_name).unwrap_or_default()
    }

    pub fn destination_name(&self) -> String {
        self.destination.map(conversion_name).unwrap_or_default()
    }

    /// The message of the exception, for a chain of these conversions.
    pub fn message(&self, path: &[PathElement]) -> String {
        let source = self.source_name();
        match self.kind {
            ErrorKind::Incomplete => format!("incomplete {} on {source}", dump(&self.error_bytes)),
            ErrorKind::Invalid if self.readagain_bytes.is_empty() => {
                format!("{} on {source}", dump(&self.error_bytes))
            }
            ErrorKind::Invalid => {
                let (error, again) = (dump(&self.error_bytes), dump(&self.readagain_bytes));
                format!("{error} followed by {again} on {source}")
            }
            ErrorKind::Undefined => self.undefined_message(path),
        }
    }

    fn undefined_message(&self, path: &[PathElement]) -> String {
        let shown = match Encoding::UTF_8.code_point(&self.error_bytes) {
            Ok((code, _)) if self.source == Some(Encoding::UTF_8) => format!("U+{code:04X}"),
            _ => dump(&self.error_bytes),
        };
        let conversions: Vec<_> = path
            .iter()
            .filter_map(|element| match element {
                PathElement::Conversion(from, to) => Some((*from, *to)),
                PathElement::Decorator(_) => None,
            })
            .collect();
        let (Some(first), Some(last)) = (conversions.first(), conversions.last()) else {
            return shown;
        };
        let (source, destination) = (self.source_name(), self.destination_name());
        if self.source == Some(first.0) && self.destination == Some(last.1) {
            return format!("{shown} from {source} to {destination}");
        }
        let mut message = format!("{shown} to {destination} in conversion from {}", conversion_name(first.0));
        for (_, to) in conversions {
            message.push_str(" to ");
            message.push_str(&conversion_name(to));
        }
        message
    }
}

/// Bytes as `String#dump` shows binary ones.
fn dump(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b'"' | b'\\' => out.extend(['\\', b as char]),
            b'#' if matches!(bytes.get(i + 1), Some(b'{' | b'$' | b'@')) => out.push_str("\\#"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x0C => out.push_str("\\f"),
            0x0B => out.push_str("\\v"),
            0x08 => out.push_str("\\b"),
            0x07 => out.push_str("\\a"),
            0x1B => out.push_str("\\e"),
            b' '..=b'~' => out.push(b as char),
            // Writing to a String does not fail.
            _ => _ = write!(out, "\\x{b:02X}"),
        }
    }
    out.push('"');
    out
}

/// The length of the broken part at the front of `bytes`, which do not begin with a
/// character: as much as could have begun one, in whole units.
pub(super) fn broken_len(enc: Encoding, bytes: &[u8]) -> usize {
    let unit = enc.min_len();
    let longest = bytes.len().min(enc.max_len());
    let viable = (unit..=longest).step_by(unit).take_while(|&len| enc.char_len(&bytes[..len]) == CharLen::NeedMore);
    viable.last().unwrap_or(unit).min(bytes.len())
}
