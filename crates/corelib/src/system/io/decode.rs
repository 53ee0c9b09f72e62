//! Transcoding between a file's encoding and that of the strings, incrementally when reading, string by
//! string when writing. The tables are the encoding crate's.

use super::state::{IoState, Newline};
use rubellite_encoding::transcode::{ConvertOptions, Decorator, EncodeError, EncodeOptions, ErrorKind, Outcome, PathElement, Transcoder, encode};
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value};
use std::borrow::Cow;

/// The chain that read bytes go through.
pub struct Decoder {
    chain: Transcoder,
    path: Vec<PathElement>,
    options: EncodeOptions,
    to: Encoding,
}

/// Why bytes do not convert.
pub struct Failure {
    pub class: &'static str,
    pub message: String,
}

impl Decoder {
    /// The decoder that this IO needs; none when bytes are strings as they are.
    pub fn for_io(io: &IoState, external: Encoding, options: EncodeOptions) -> Option<Decoder> {
        let universal = io.newline.get() == Newline::Universal;
        let internal = io.internal.get().filter(|int| *int != external);
        if internal.is_none() && !universal {
            return None;
        }
        let decorators: &[Decorator] = if universal { &[Decorator::UniversalNewline] } else { &[] };
        let pair = internal.map(|to| (external, to));
        let chain = Transcoder::new(pair, decorators).ok()?;
        let path = chain.path().collect();
        Some(Decoder { chain, path, options, to: internal.unwrap_or(external) })
    }

    /// Converts `input` to the end of `out`. `last`: nothing follows.
    pub fn feed(&mut self, mut input: &[u8], out: &mut Vec<u8>, last: bool) -> std::result::Result<(), Failure> {
        loop {
            let options = ConvertOptions { partial_input: !last, ..ConvertOptions::default() };
            match self.chain.convert(&mut input, out, options) {
                Outcome::Error(error) => {
                    let replace = if error.kind == ErrorKind::Undefined { self.options.replace_undefined } else { self.options.replace_invalid };
                    let text = match &self.options.replacement {
                        Some((text, enc)) => (text.clone(), *enc),
                        None if self.to.is_unicode() => ("\u{FFFD}".as_bytes().to_vec(), Encoding::UTF_8),
                        None => (b"?".to_vec(), Encoding::UTF_8),
                    };
                    if !(replace && self.chain.insert_output(&text.0, text.1)) {
                        return Err(Failure { class: class_of(error.kind), message: error.message(&self.path) });
                    }
                }
                _ => return Ok(()),
            }
        }
    }
}

fn class_of(kind: ErrorKind) -> &'static str {
    if kind == ErrorKind::Undefined { "Encoding::UndefinedConversionError" } else { "Encoding::InvalidByteSequenceError" }
}

pub fn raise(ctx: &mut Ctx, failure: &Failure) -> Unwind {
    ctx.raise_error(failure.class, &failure.message)
}

/// Reads `invalid:`, `undef:`, `replace:`, `xml:` and newline options.
pub fn encode_options(ctx: &mut Ctx, hash: Value) -> Result<EncodeOptions> {
    let mut options = EncodeOptions::default();
    let Some(hash) = Hash::try_of(hash) else { return Ok(options) };
    let replace = Value::symbol(ctx.intern("replace"));
    let get = |ctx: &mut Ctx, name: &str| {
        let sym = ctx.intern(name);
        hash.get_sym(ctx, sym).filter(|v| !v.is_nil())
    };
    for (name, slot) in [("invalid", 0), ("undef", 1)] {
        if let Some(value) = get(ctx, name) {
            if value != replace {
                return Err(ctx.argument_error(&format!("unknown value for {name} character option", name = if slot == 0 { "invalid" } else { "undefined" })));
            }
            if slot == 0 { options.replace_invalid = true } else { options.replace_undefined = true }
        }
    }
    if let Some(text) = get(ctx, "replace") {
        let text = ctx.to_str(text)?;
        options.replacement = Some((text.bytes(ctx).to_vec(), text.encoding()));
    }
    Ok(options)
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
    if target.is_none() && newline.is_none() {
        return Ok(Cow::Borrowed(string.bytes(ctx)));
    }
    let mut options = encode_options(ctx, io.convert_options.get())?;
    options.decorators.extend(newline);
    let result = encode(string.bytes(ctx), from, target.unwrap_or(from), &options, None);
    match result {
        Ok(bytes) => Ok(Cow::Owned(bytes)),
        Err(EncodeError::NotFound) => {
            let message = format!("code converter not found ({} to {})", from.name(), target.unwrap_or(from).name());
            Err(ctx.raise_error("Encoding::ConverterNotFoundError", &message))
        }
        Err(EncodeError::Conversion { error, message }) => Err(ctx.raise_error(class_of(error.kind), &message)),
        Err(EncodeError::Replacement) => Err(ctx.argument_error("too big fallback string")),
    }
}
