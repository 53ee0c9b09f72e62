//! String: encodings. The conversions themselves are the encoding crate's; `Encoding::Converter` is
//! `encoding/converter.rs`.

use crate::common::{check_length, common_encoding, modify};
use crate::{default_internal, encoding_object, encoding_or_name, to_encoding};
use rubellite_core_encoding::options::{Conversion, conversion_options};
use rubellite_core_encoding::{conversion_exception, converter_not_found, option_set};
use rubellite_core_thread::outside;
use rubellite_encoding::transcode::{EncodeError, EncodeOptions, encode, encode_until, scrub, scrub_until};
use rubellite_encoding::{Encoding, NormalizationForm, is_normalized, normalize_until};
use rubellite_vm::object::Str;
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Tag, Value, method};

pub static STRING_ENCODE: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("encoding", Arity::NONE, encoding),
        method("force_encoding", Arity::ONE, force_encoding),
        method("encode", Arity::range(0, 2).with_keywords(), encode_),
        method("encode!", Arity::range(0, 2).with_keywords(), encode_bang),
        method("scrub", Arity::range(0, 1), scrub_),
        method("scrub!", Arity::range(0, 1), scrub_bang),
        method("unicode_normalize", Arity::range(0, 1), unicode_normalize),
        method("unicode_normalize!", Arity::range(0, 1), unicode_normalize_bang),
        method("unicode_normalized?", Arity::range(0, 1), unicode_normalized_p),
    ],
    ..ClassDef::EMPTY
};

static SITE: RegionSite = RegionSite::new("encode");

fn encoding(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(encoding_object(ctx, string.encoding()))
}

fn force_encoding(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let internal = Str::try_of(args.at(0)).is_some_and(|name| name.bytes(ctx).eq_ignore_ascii_case(b"internal"));
    let encoding =
        if internal { default_internal(ctx).unwrap_or(Encoding::BINARY) } else { to_encoding(ctx, args.at(0))? };
    if s.encoding() == encoding && !s.header().frozen() {
        return Ok(s.value());
    }
    let s = modify(ctx, s)?;
    s.set_encoding(encoding);
    Ok(s.value())
}

// -- encode -------------------------------------------------------------------------------

/// What `encode` makes: bytes (nothing: they stay as they are) and the encoding.
type Encoded = (Option<Vec<u8>>, Encoding);

fn encoded(ctx: &mut Ctx, s: Str, args: Args) -> Result<Encoded> {
    let keywords = args.keywords();
    let explicit_invalid = option_set(ctx, keywords, "invalid");
    let mut conversion = conversion_options(ctx, keywords)?;
    let args = args.positional();
    let (from, from_name) = match args.non_nil(1) {
        Some(v) => encoding_or_name(ctx, v)?,
        None => (Some(s.encoding()), s.encoding().name().to_string()),
    };
    let (to, to_name) = match args.get(0) {
        Some(v) => encoding_or_name(ctx, v)?,
        None => match default_internal(ctx) {
            // Nobody asked for this encoding: what it does not have is no error.
            Some(to) => {
                conversion.options.replace_invalid = true;
                conversion.options.replace_undefined = true;
                (Some(to), to.name().to_string())
            }
            None if conversion.options.decorators.is_empty() && !explicit_invalid => return Ok((None, s.encoding())),
            None => (from, from_name.clone()),
        },
    };
    let (Some(from), Some(to)) = (from, to) else {
        return Err(converter_not_found(ctx, &from_name, &to_name, &conversion.options.decorators));
    };
    if conversion.options.decorators.is_empty() {
        if from == to {
            let bytes = if explicit_invalid { scrubbed_with(s.bytes(ctx), from, &conversion.options) } else { None };
            return Ok((bytes, to));
        }
        if from.is_ascii_compatible() && to.is_ascii_compatible() && s.bytes(ctx).is_ascii() {
            return Ok((None, to));
        }
    }
    convert(ctx, s, from, to, &conversion).map(|bytes| (Some(bytes), to))
}

/// `encode` between equal encodings with `invalid: :replace`.
fn scrubbed_with(bytes: &[u8], encoding: Encoding, options: &EncodeOptions) -> Option<Vec<u8>> {
    let given = options.replacement.as_ref().map(|r| r.0.clone());
    let replacement = given.unwrap_or_else(|| default_replacement(encoding));
    scrub(encoding, bytes, |_, out| out.extend_from_slice(&replacement))
}

fn default_replacement(encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::new();
    if !encoding.is_unicode() || encoding.encode_code_point(0xFFFD, &mut out).is_err() {
        return b"?".to_vec();
    }
    out
}

fn convert(ctx: &mut Ctx, s: Str, from: Encoding, to: Encoding, conversion: &Conversion) -> Result<Vec<u8>> {
    let options = &conversion.options;
    let result = if !conversion.fallback.is_nil() {
        let shared = s.share(ctx);
        let fallback = conversion.fallback;
        let mut failed = false;
        let mut ask = |bytes: &[u8], encoding: Encoding| {
            if failed {
                return None;
            }
            match call_fallback(ctx, fallback, bytes, encoding) {
                Ok(text) => text,
                Err(_) => {
                    failed = true;
                    None
                }
            }
        };
        let result = encode(&shared, from, to, options, Some(&mut ask));
        if failed {
            return Err(rubellite_vm::Unwind);
        }
        result
    } else {
        outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
            encode_until(bytes, from, to, options, None, &|| stop.requested())
        })?
    };
    match result {
        Ok(bytes) => Ok(bytes),
        Err(EncodeError::NotFound) => Err(converter_not_found(ctx, from.name(), to.name(), &options.decorators)),
        Err(EncodeError::Replacement) => Err(ctx.argument_error("too big fallback string")),
        Err(EncodeError::Conversion { error, message }) => {
            let exception = conversion_exception(ctx, &error, &message);
            Err(ctx.raise(exception))
        }
    }
}

/// Asks a Hash, Proc, Method or anything with `[]` for the text of an undefined character.
fn call_fallback(
    ctx: &mut Ctx,
    fallback: Value,
    bytes: &[u8],
    encoding: Encoding,
) -> Result<Option<(Vec<u8>, Encoding)>> {
    ctx.check_interrupts()?;
    let character = Str::new(ctx, bytes, encoding).value();
    let callable = fallback.has_tag(Tag::Proc) || {
        let method = ctx.classes().method.get();
        ctx.is_a(fallback, method)
    };
    let name = if callable { ctx.names().call } else { ctx.names().op_aref };
    let text = ctx.call(fallback, name, &[character])?;
    if text.is_nil() {
        return Ok(None);
    }
    let text = ctx.to_str(text)?;
    Ok(Some((text.bytes(ctx).to_vec(), text.encoding())))
}

/// `encode(...) -> string`, of the receiver's class.
fn encode_(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let (bytes, encoding) = encoded(ctx, s, args)?;
    let class = ctx.real_class(s.value()).value();
    let copy = match bytes {
        Some(bytes) => {
            let copy = Str::new_in(ctx, class, b"", encoding);
            copy.set_vec(ctx, bytes);
            copy
        }
        None => s.dup_in(ctx, class),
    };
    copy.set_encoding(encoding);
    Ok(copy.value())
}

fn encode_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let (bytes, encoding) = encoded(ctx, s, args)?;
    // Others may have frozen it meanwhile.
    let s = modify(ctx, s)?;
    if let Some(bytes) = bytes {
        s.set_vec(ctx, bytes);
    }
    s.set_encoding(encoding);
    Ok(string.value())
}

// -- scrub --------------------------------------------------------------------------------

fn scrubbed(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<Vec<u8>>> {
    if args.has_block() && args.non_nil(0).is_some() {
        return Err(ctx.argument_error("both of block and replacement given"));
    }
    if s.is_valid(ctx) {
        return Ok(None);
    }
    let encoding = s.encoding();
    if let Some(v) = args.non_nil(0) {
        let text = ctx.to_str(v)?;
        let replacement = checked_replacement(ctx, s, text)?;
        return scrubbed_by(ctx, s, &replacement);
    }
    if !args.has_block() {
        return scrubbed_by(ctx, s, &default_replacement(encoding));
    }
    let bytes = s.share(ctx);
    let mut failed = false;
    let result = scrub(encoding, &bytes, |part, out| {
        if failed {
            return;
        }
        match scrub_block(ctx, s, part, args.block) {
            Ok(text) => out.extend_from_slice(&text),
            Err(_) => failed = true,
        }
    });
    if failed { Err(rubellite_vm::Unwind) } else { Ok(result) }
}

fn scrubbed_by(ctx: &mut Ctx, s: Str, replacement: &[u8]) -> Result<Option<Vec<u8>>> {
    let encoding = s.encoding();
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        scrub_until(encoding, bytes, |_, out| out.extend_from_slice(replacement), &|| stop.requested())
    })
}

fn checked_replacement(ctx: &mut Ctx, s: Str, text: Str) -> Result<Vec<u8>> {
    if !text.is_valid(ctx) {
        let shown = ctx.inspect(text.value())?;
        return Err(ctx.argument_error(&format!("replacement must be valid byte sequence '{shown}'")));
    }
    if text.encoding() != s.encoding() && !text.is_ascii_only(ctx) {
        common_encoding(ctx, s, text)?;
    }
    Ok(text.bytes(ctx).to_vec())
}

fn scrub_block(ctx: &mut Ctx, s: Str, part: &[u8], block: Value) -> Result<Vec<u8>> {
    let part = Str::new(ctx, part, s.encoding()).value();
    let len = s.len();
    let text = ctx.yield_one(block, part)?;
    check_length(ctx, s, len)?;
    let text = ctx.to_str(text)?;
    checked_replacement(ctx, s, text)
}

fn scrub_(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    match scrubbed(ctx, s, args)? {
        Some(bytes) => Ok(Str::from_vec(ctx, bytes, s.encoding()).value()),
        None => Ok(s.dup(ctx).value()),
    }
}

fn scrub_bang(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    if let Some(bytes) = scrubbed(ctx, s, args)? {
        let s = modify(ctx, s)?;
        s.set_vec(ctx, bytes);
    }
    Ok(s.value())
}

// -- normalization ------------------------------------------------------------------------

fn form(ctx: &mut Ctx, args: Args) -> Result<NormalizationForm> {
    let Some(v) = args.get(0) else { return Ok(NormalizationForm::Nfc) };
    match v.as_symbol().map(|s| ctx.sym_str(s)).as_deref() {
        Some("nfc") => Ok(NormalizationForm::Nfc),
        Some("nfd") => Ok(NormalizationForm::Nfd),
        Some("nfkc") => Ok(NormalizationForm::Nfkc),
        Some("nfkd") => Ok(NormalizationForm::Nfkd),
        _ => {
            let shown = ctx.to_s(v)?.to_lossy(ctx).into_owned();
            Err(ctx.argument_error(&format!("Invalid normalization form {shown}.")))
        }
    }
}

/// The text as UTF-8; nothing for ASCII, which is normal in every form.
fn unicode_text(ctx: &mut Ctx, s: Str) -> Result<Option<String>> {
    let encoding = s.encoding();
    if encoding == Encoding::US_ASCII || encoding == Encoding::UTF_8 && s.is_ascii_only(ctx) {
        return Ok(None);
    }
    let unicode = matches!(
        encoding,
        Encoding::UTF_8
            | Encoding::UTF_16BE
            | Encoding::UTF_16LE
            | Encoding::UTF_32BE
            | Encoding::UTF_32LE
            | Encoding::GB18030
    );
    if !unicode {
        let message = format!("Unicode Normalization not appropriate for {}", encoding.name());
        return Err(ctx.raise_error("Encoding::CompatibilityError", &message));
    }
    if !s.is_valid(ctx) {
        return Err(ctx.argument_error(&format!("invalid byte sequence in {}", encoding.name())));
    }
    let bytes = if encoding == Encoding::UTF_8 {
        s.bytes(ctx).to_vec()
    } else {
        let conversion = Conversion { options: EncodeOptions::default(), fallback: Value::NIL };
        convert(ctx, s, encoding, Encoding::UTF_8, &conversion)?
    };
    Ok(String::from_utf8(bytes).ok())
}

fn normalized(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<Vec<u8>>> {
    let text = unicode_text(ctx, s)?;
    if s.encoding() == Encoding::US_ASCII {
        return Ok(None);
    }
    let form = form(ctx, args)?;
    let Some(text) = text else { return Ok(None) };
    let bytes =
        outside::sized(ctx, text.len(), &SITE, |stop| normalize_until(&text, form, &|| stop.requested()))?.into_bytes();
    if s.encoding() == Encoding::UTF_8 {
        return Ok(Some(bytes));
    }
    let utf8 = Str::from_vec(ctx, bytes, Encoding::UTF_8);
    let conversion = Conversion { options: EncodeOptions::default(), fallback: Value::NIL };
    convert(ctx, utf8, Encoding::UTF_8, s.encoding(), &conversion).map(Some)
}

fn unicode_normalize(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    match normalized(ctx, s, args)? {
        Some(bytes) => Ok(Str::from_vec(ctx, bytes, s.encoding()).value()),
        None => Ok(s.dup(ctx).value()),
    }
}

fn unicode_normalize_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    if let Some(bytes) = normalized(ctx, s, args)? {
        let s = modify(ctx, string)?;
        s.set_vec(ctx, bytes);
    }
    Ok(string.value())
}

fn unicode_normalized_p(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let text = unicode_text(ctx, string)?;
    let form = form(ctx, args)?;
    let normal = match text {
        Some(text) => outside::sized(ctx, text.len(), &SITE, |_| Some(is_normalized(&text, form)))?,
        None => true,
    };
    Ok(Value::from_bool(normal))
}
