//! Conversion of whole strings with replacement of what does not convert (`String#encode`,
//! `String#scrub`).

use super::{
    ConversionError, ConvertOptions, ConverterNotFound, Decorator, ErrorKind, Outcome, PathElement, Transcoder,
    error::broken_len,
};
use crate::{CharLen, Encoding};

/// The keyword arguments of `String#encode`.
#[derive(Clone, Default, Debug)]
pub struct EncodeOptions {
    /// `invalid: :replace`
    pub replace_invalid: bool,
    /// `undef: :replace`
    pub replace_undefined: bool,
    /// `xml:` writes undefined characters as hexadecimal references.
    pub undefined_as_reference: bool,
    /// `replace:`, with its encoding. The default is U+FFFD or `?`.
    pub replacement: Option<(Vec<u8>, Encoding)>,
    /// `newline:`, `crlf_newline:`, `xml:` and the like, in order.
    pub decorators: Vec<Decorator>,
}

/// Why a string did not convert.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodeError {
    NotFound,
    Conversion {
        error: ConversionError,
        message: String,
    },
    /// What should replace a character cannot itself be converted: ArgumentError
    /// "too big fallback string" or the like.
    Replacement,
}

/// Bytes that are converted between two questions whether to stop: some ten milliseconds of the slowest chain.
const PAUSE: usize = 1 << 17;

/// Finds a replacement for an undefined character: its bytes and their encoding are given,
/// bytes with an encoding come back.
pub type Fallback<'a> = &'a mut dyn FnMut(&[u8], Encoding) -> Option<(Vec<u8>, Encoding)>;

impl From<ConverterNotFound> for EncodeError {
    fn from(_: ConverterNotFound) -> Self {
        EncodeError::NotFound
    }
}

/// What replaces a broken or unknown character in text of this encoding, as text of UTF-8.
fn default_replacement(enc: Encoding) -> &'static [u8] {
    if enc.is_unicode() { "\u{FFFD}".as_bytes() } else { b"?" }
}

/// Converts a whole string. Where both encodings are the same it only decorates.
pub fn encode(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &EncodeOptions,
    fallback: Option<Fallback<'_>>,
) -> Result<Vec<u8>, EncodeError> {
    // It is not asked to stop.
    encode_until(bytes, from, to, options, fallback, &|| false).unwrap_or_else(|| Ok(Vec::new()))
}

/// `encode` that asks now and then whether it should stop: then nothing comes back.
pub fn encode_until(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &EncodeOptions,
    fallback: Option<Fallback<'_>>,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Vec<u8>, EncodeError>> {
    let known = || Transcoder::new(Some((from, Encoding::UTF_8)), &[]).is_ok();
    if from == to && !from.is_ascii_compatible() && !options.decorators.is_empty() && known() {
        // Decorators work on ASCII, whose bytes may mean something else here.
        return match encode_until(bytes, from, Encoding::UTF_8, options, fallback, stop)? {
            Ok(middle) => encode_until(&middle, Encoding::UTF_8, to, &EncodeOptions::default(), None, stop),
            failed => Some(failed),
        };
    }
    let path = (from != to).then_some((from, to));
    let mut transcoder = match Transcoder::new(path, &options.decorators) {
        Ok(transcoder) => transcoder,
        Err(error) => return Some(Err(error.into())),
    };
    let mut fallback = fallback;
    let pause = ConvertOptions { pause: Some(PAUSE), ..ConvertOptions::default() };
    let elements: Vec<PathElement> = transcoder.path().collect();
    let mut source = bytes;
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    let mut asked = source.len();
    loop {
        if asked - source.len() >= PAUSE {
            asked = source.len();
            if stop() {
                return None;
            }
        }
        match transcoder.convert(&mut source, &mut out, pause) {
            Outcome::Paused => {}
            Outcome::Error(error) => {
                let replacement = replacement_for(&error, to, options, &mut fallback);
                match replacement {
                    Some((text, enc)) if transcoder.insert_output(&text, enc) => {
                        if error.kind == ErrorKind::Undefined && fallback.is_none() {
                            let given = (!options.undefined_as_reference).then_some((text.as_slice(), enc));
                            transcoder.substitute(given);
                        }
                    }
                    Some(_) => return Some(Err(EncodeError::Replacement)),
                    None => {
                        let message = error.message(&elements);
                        return Some(Err(EncodeError::Conversion { error, message }));
                    }
                }
            }
            _ => return Some(Ok(out)),
        }
    }
}

fn replacement_for(
    error: &ConversionError,
    to: Encoding,
    options: &EncodeOptions,
    fallback: &mut Option<Fallback<'_>>,
) -> Option<(Vec<u8>, Encoding)> {
    let replacement = || match &options.replacement {
        Some(given) => given.clone(),
        None => (default_replacement(to).to_vec(), Encoding::UTF_8),
    };
    if error.kind != ErrorKind::Undefined {
        return options.replace_invalid.then(replacement);
    }
    let source = error.source.unwrap_or(Encoding::BINARY);
    if let Some(fallback) = fallback
        && let Some(text) = fallback(&error.error_bytes, source)
    {
        return Some(text);
    }
    if options.undefined_as_reference {
        let code = encode(&error.error_bytes, source, Encoding::UTF_32BE, &EncodeOptions::default(), None).ok()?;
        let (code, _) = Encoding::UTF_32BE.code_point(&code).ok()?;
        return Some((format!("&#x{code:X};").into_bytes(), Encoding::US_ASCII));
    }
    options.replace_undefined.then(replacement)
}

/// Replaces the broken parts of a string (`String#scrub`): `replacement` is given each part.
/// Nothing comes back where the string is valid.
pub fn scrub(enc: Encoding, bytes: &[u8], replacement: impl FnMut(&[u8], &mut Vec<u8>)) -> Option<Vec<u8>> {
    // It is not asked to stop.
    scrub_until(enc, bytes, replacement, &|| false).flatten()
}

/// `scrub` that asks now and then whether it should stop: then nothing comes back, not even nothing.
pub fn scrub_until(
    enc: Encoding,
    bytes: &[u8],
    mut replacement: impl FnMut(&[u8], &mut Vec<u8>),
    stop: &dyn Fn() -> bool,
) -> Option<Option<Vec<u8>>> {
    if enc.is_valid(bytes) {
        return Some(None);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let (mut pos, mut steps) = (0, 0);
    while pos < bytes.len() {
        steps += 1;
        if steps & 0xffff == 0 && stop() {
            return None;
        }
        match enc.char_len(&bytes[pos..]) {
            CharLen::Valid(len) => {
                out.extend_from_slice(&bytes[pos..pos + len]);
                pos += len;
            }
            CharLen::NeedMore => {
                replacement(&bytes[pos..], &mut out);
                break;
            }
            CharLen::Invalid(_) => {
                let len = broken_len(enc, &bytes[pos..]);
                replacement(&bytes[pos..pos + len], &mut out);
                pos += len;
            }
        }
    }
    Some(Some(out))
}
