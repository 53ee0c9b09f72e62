//! The keyword arguments of conversions: of `String#encode`, `Encoding::Converter.new`, `IO` modes.

use rubellite_encoding::transcode::{Decorator, EncodeOptions};
use rubellite_vm::object::Hash;
use rubellite_vm::{Ctx, Result, Value};

/// The keyword arguments of a conversion.
pub struct Conversion {
    pub options: EncodeOptions,
    pub fallback: Value,
}

fn option(ctx: &mut Ctx, options: Hash, name: &'static str) -> Value {
    let sym = ctx.intern(name);
    options.get_sym(ctx, sym).unwrap_or(Value::NIL)
}

/// Reads the keyword arguments that `encode` and `Encoding::Converter.new` share.
pub fn conversion_options(ctx: &mut Ctx, keywords: Option<Hash>) -> Result<Conversion> {
    let mut options = character_options(ctx, keywords)?;
    let Some(hash) = keywords else { return Ok(Conversion { options, fallback: Value::NIL }) };
    let get = |ctx: &mut Ctx, name: &'static str| option(ctx, hash, name);
    newline_options(ctx, &get, &mut options)?;
    let mut fallback = get(ctx, "fallback");
    let op_aref = ctx.names().op_aref;
    if options.replace_undefined || !fallback.is_nil() && !ctx.respond_to(fallback, op_aref, false)? {
        fallback = Value::NIL;
    }
    Ok(Conversion { options, fallback })
}

/// Those of them that are about characters: `invalid:`, `undef:`, `replace:`, `xml:`.
pub fn character_options(ctx: &mut Ctx, keywords: Option<Hash>) -> Result<EncodeOptions> {
    let mut options = EncodeOptions::default();
    let Some(hash) = keywords else { return Ok(options) };
    let get = |ctx: &mut Ctx, name: &'static str| option(ctx, hash, name);
    let v = get(ctx, "invalid");
    options.replace_invalid = replace_option(ctx, v, "invalid character")?;
    let v = get(ctx, "undef");
    options.replace_undefined = replace_option(ctx, v, "undefined character")?;
    let v = get(ctx, "replace");
    if !v.is_nil() {
        let text = ctx.to_str(v)?;
        if !text.is_valid(ctx) {
            let shown = ctx.inspect(text.value())?;
            return Err(
                ctx.argument_error(&format!("replacement string is broken: {shown} as {}", text.encoding().name()))
            );
        }
        options.replacement = Some((text.bytes(ctx).to_vec(), text.encoding()));
        // A replacement alone replaces nothing; it is used where one of the options asks for it.
    }
    let v = get(ctx, "xml");
    if !v.is_nil() {
        match v.as_symbol().map(|s| ctx.sym_str(s)).as_deref() {
            Some("text") => options.decorators.push(Decorator::XmlText),
            Some("attr") => options.decorators.extend([Decorator::XmlAttrContent, Decorator::XmlAttrQuote]),
            Some(other) => {
                let message = format!("unexpected value for xml option: {other}");
                return Err(ctx.argument_error(&message));
            }
            None => return Err(ctx.argument_error("unexpected value for xml option")),
        }
        options.undefined_as_reference = true;
    }
    Ok(options)
}

fn replace_option(ctx: &mut Ctx, v: Value, what: &str) -> Result<bool> {
    if v.is_nil() {
        return Ok(false);
    }
    if v.as_symbol().is_some_and(|s| ctx.sym_bytes(s) == b"replace") {
        return Ok(true);
    }
    Err(ctx.argument_error(&format!("unknown value for {what} option")))
}

fn newline_options(
    ctx: &mut Ctx,
    get: &dyn Fn(&mut Ctx, &'static str) -> Value,
    options: &mut EncodeOptions,
) -> Result<()> {
    let v = get(ctx, "newline");
    if !v.is_nil() {
        let decorator = match v.as_symbol().map(|s| ctx.sym_str(s)).as_deref() {
            Some("universal") => Decorator::UniversalNewline,
            Some("crlf") => Decorator::CrlfNewline,
            Some("cr") => Decorator::CrNewline,
            Some("lf") => Decorator::LfNewline,
            Some(other) => {
                let message = format!("unexpected value for newline option: {other}");
                return Err(ctx.argument_error(&message));
            }
            None => return Err(ctx.argument_error("unexpected value for newline option")),
        };
        options.decorators.push(decorator);
        if ["universal_newline", "crlf_newline", "cr_newline", "lf_newline"].iter().any(|name| get(ctx, name).truthy())
        {
            ctx.warn(":newline option precedes other newline options")?;
        }
        return Ok(());
    }
    let flags = [
        ("universal_newline", Decorator::UniversalNewline),
        ("crlf_newline", Decorator::CrlfNewline),
        ("cr_newline", Decorator::CrNewline),
        ("lf_newline", Decorator::LfNewline),
    ];
    for (name, decorator) in flags {
        if get(ctx, name).truthy() {
            options.decorators.push(decorator);
        }
    }
    Ok(())
}
