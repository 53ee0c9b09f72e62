//! Transcoding between a file's encoding and that of the strings, incrementally when reading, string by
//! string when writing. The tables are the encoding crate's.

use super::state::{IoState, Newline};
use rubellite_core_encoding::conversion_exception;
use rubellite_core_text::string::character_options;
use rubellite_encoding::transcode::{
    ConversionError, ConvertOptions, Decorator, EncodeError, EncodeOptions, ErrorKind, Outcome, PathElement,
    Transcoder, ascii_compatible_counterpart, encode,
};
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::{Ctx, Encoding, Result, Unwind};
use std::borrow::Cow;

/// The chain that read bytes go through.
pub struct Decoder {
    chain: Transcoder,
    path: Vec<PathElement>,
    options: EncodeOptions,
    to: Encoding,
    /// What comes behind the text that was decoded last.
    failure: Option<ConversionError>,
    /// Bytes that showed it and are still to be read.
    again: Vec<u8>,
}

/// How much is decoded at a time.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Extent {
    /// All that is given.
    All,
    /// One character, so that the rest is still undecoded when the encoding changes.
    Character,
}

/// The chain that writes to an encoding with states (ISO-2022-JP), which go on from one string to the next.
pub struct Writer {
    chain: Transcoder,
    from: Encoding,
    to: Encoding,
}

impl Writer {
    /// The bytes that bring the text back to its first state.
    pub fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.chain.convert(&mut &b""[..], &mut out, ConvertOptions::default());
        out
    }
}

impl Decoder {
    /// The decoder that this IO needs; none when bytes are strings as they are.
    pub fn for_io(io: &IoState, external: Encoding, options: EncodeOptions) -> Option<Box<Decoder>> {
        let universal = io.newline.get() == Newline::Universal;
        let internal = io.internal.get().filter(|int| *int != external);
        if internal.is_none() && !universal {
            return None;
        }
        let decorators: &[Decorator] = if universal { &[Decorator::UniversalNewline] } else { &[] };
        let pair = internal.map(|to| (external, to));
        let chain = Transcoder::new(pair, decorators).ok()?;
        let path = chain.path().collect();
        Some(Box::new(Decoder {
            chain,
            path,
            options,
            to: internal.unwrap_or(external),
            failure: None,
            again: Vec::new(),
        }))
    }

    /// Converts from the front of `input`, which shrinks by what was used, to the end of `out`, until something does
    /// not convert: that waits in `take_failure`. `last`: nothing follows.
    pub fn feed(&mut self, input: &mut &[u8], out: &mut Vec<u8>, last: bool, extent: Extent) {
        loop {
            let options = ConvertOptions {
                partial_input: !last,
                after_output: extent == Extent::Character,
                ..ConvertOptions::default()
            };
            match self.chain.convert(input, out, options) {
                Outcome::Error(error) => {
                    let replace = if error.kind == ErrorKind::Undefined {
                        self.options.replace_undefined
                    } else {
                        self.options.replace_invalid
                    };
                    let text = match &self.options.replacement {
                        Some((text, enc)) => (text.clone(), *enc),
                        None if self.to.is_unicode() => ("\u{FFFD}".as_bytes().to_vec(), Encoding::UTF_8),
                        None => (b"?".to_vec(), Encoding::UTF_8),
                    };
                    if !(replace && self.chain.insert_output(&text.0, text.1)) {
                        self.failure = Some(error);
                        self.again = self.chain.put_back(None);
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Whether something did not convert: the bytes that are to be read again.
    pub fn failed(&mut self) -> Option<Vec<u8>> {
        self.failure.is_some().then(|| std::mem::take(&mut self.again))
    }

    /// What did not convert, and the words for it.
    pub fn take_failure(&mut self) -> Option<(ConversionError, String)> {
        let error = self.failure.take()?;
        let message = error.message(&self.path);
        Some((error, message))
    }
}

pub fn raise(ctx: &mut Ctx, (error, message): &(ConversionError, String)) -> Unwind {
    let exception = conversion_exception(ctx, error, message);
    ctx.raise(exception)
}

/// The bytes to write for a string: converted when the IO has an encoding of its own or changes line ends.
pub fn encode_for<'a>(ctx: &'a mut Ctx, io: &IoState, string: Str) -> Result<Cow<'a, [u8]>> {
    let newline = match io.newline.get() {
        Newline::Crlf => Some(Decorator::CrlfNewline),
        Newline::Cr => Some(Decorator::CrNewline),
        Newline::Lf => Some(Decorator::LfNewline),
        Newline::None | Newline::Universal => None,
    };
    let from = string.encoding();
    let target = io.external.get().filter(|to| {
        let plain = to.is_ascii_compatible() && string.is_ascii_only(ctx);
        *to != from && *to != Encoding::BINARY && !plain
    });
    let mut options = character_options(ctx, Hash::try_of(io.convert_options.get()))?;
    if target.is_none() && newline.is_none() && options.decorators.is_empty() {
        return Ok(Cow::Borrowed(string.bytes(ctx)));
    }
    // The quotes of an attribute stand around all that is written, not around each string.
    let attribute = options.decorators.pop_if(|last| *last == Decorator::XmlAttrQuote).is_some();
    options.decorators.extend(newline);
    let to = target.unwrap_or(from);
    let mut quoted = Ok(Vec::new());
    if attribute && !string.is_empty() && !io.quoted.replace(true) {
        quoted = through(io, b"\"", Encoding::US_ASCII, quote_encoding(io), &EncodeOptions::default());
    }
    let result = quoted.and_then(|mut bytes| {
        let text = through(io, string.bytes(ctx), from, to, &options)?;
        bytes.extend_from_slice(&text);
        Ok(bytes)
    });
    match result {
        Ok(bytes) => Ok(Cow::Owned(bytes)),
        Err(EncodeError::NotFound) => {
            let message = format!("code converter not found ({} to {})", from.name(), target.unwrap_or(from).name());
            Err(ctx.raise_error("Encoding::ConverterNotFoundError", &message))
        }
        Err(EncodeError::Conversion { error, message }) => Err(raise(ctx, &(error, message))),
        Err(EncodeError::Replacement) => Err(ctx.argument_error("too big fallback string")),
    }
}

/// The encoding that an attribute's quotes are written in.
fn quote_encoding(io: &IoState) -> Encoding {
    io.external.get().filter(|to| *to != Encoding::BINARY).unwrap_or(Encoding::US_ASCII)
}

/// Converts a string that is written, or a part of it.
fn through(
    io: &IoState,
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &EncodeOptions,
) -> std::result::Result<Vec<u8>, EncodeError> {
    // What has states or a mark at its beginning goes on from one string to the next.
    let middle =
        ascii_compatible_counterpart(to).filter(|middle| (*middle != Encoding::UTF_8 || to.is_dummy()) && to != from);
    match middle {
        Some(middle) if middle == from && options.decorators.is_empty() => write_on(io, middle, to, bytes),
        Some(middle) => write_on(io, middle, to, &encode(bytes, from, middle, options, None)?),
        // What is no text at all fails on its way to UTF-8.
        None => encode(bytes, from, to, options, None).map_err(|error| match ascii_compatible_counterpart(to) {
            Some(middle) if middle != from => encode(bytes, from, middle, options, None).err().unwrap_or(error),
            _ => error,
        }),
    }
}

/// What stands behind all that was written: the closing quote of `xml: :attr`, the way back to the first state.
pub fn end_of_text(io: &IoState) -> Vec<u8> {
    let mut end = Vec::new();
    if io.quoted.replace(false) {
        // A quote converts to whatever the first one has been converted to.
        end = through(io, b"\"", Encoding::US_ASCII, quote_encoding(io), &EncodeOptions::default()).unwrap_or_default();
    }
    if let Some(writer) = io.writer.take() {
        end.extend_from_slice(&writer.finish());
    }
    end
}

/// Converts on from where the last string ended.
fn write_on(io: &IoState, from: Encoding, to: Encoding, mut bytes: &[u8]) -> std::result::Result<Vec<u8>, EncodeError> {
    let mut writer = io.writer.borrow_mut();
    if writer.as_ref().is_none_or(|writer| (writer.from, writer.to) != (from, to)) {
        *writer = Some(Box::new(Writer { chain: Transcoder::new(Some((from, to)), &[])?, from, to }));
    }
    let mut out = Vec::new();
    let Some(writer) = writer.as_mut() else { return Ok(out) };
    let options = ConvertOptions { partial_input: true, ..ConvertOptions::default() };
    match writer.chain.convert(&mut bytes, &mut out, options) {
        Outcome::Error(error) => {
            let path: Vec<PathElement> = writer.chain.path().collect();
            let message = error.message(&path);
            Err(EncodeError::Conversion { error, message })
        }
        _ => Ok(out),
    }
}
