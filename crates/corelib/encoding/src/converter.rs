//! Encoding::Converter: incremental conversion. The chains are the encoding crate's `Transcoder`.

use super::{conversion_exception, converter_not_found, default_replacement_text, encoding_object, encoding_or_name};
use crate::options::conversion_options;
use rubellite_core_object::modify_string as modify;
use rubellite_encoding::Encoding;
use rubellite_encoding::transcode::{
    ConversionError, ConvertOptions, Decorator, EncodeOptions, ErrorKind, Outcome, PathElement, Transcoder,
    ascii_compatible_counterpart, encode,
};
use rubellite_vm::object::{Array, Data, Hash, NativeData, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, private_method};
use std::cell::RefCell;

pub static CONVERTER: ClassDef = ClassDef {
    name: "Encoding::Converter",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(1, 3).with_keywords(), initialize),
        method("convert", Arity::ONE, convert),
        method("finish", Arity::NONE, finish),
        method("primitive_convert", Arity::range(2, 5).with_keywords(), primitive_convert),
        method("primitive_errinfo", Arity::NONE, primitive_errinfo),
        method("last_error", Arity::NONE, last_error),
        method("putback", Arity::range(0, 1), putback),
        method("insert_output", Arity::ONE, insert_output),
        method("replacement", Arity::NONE, replacement),
        method("replacement=", Arity::ONE, set_replacement),
        method("convpath", Arity::NONE, convpath),
        method("source_encoding", Arity::NONE, source_encoding),
        method("destination_encoding", Arity::NONE, destination_encoding),
        method("inspect", Arity::NONE, inspect),
        method("==", Arity::ONE, op_eq),
    ],
    singleton_methods: &[
        method("asciicompat_encoding", Arity::ONE, asciicompat_encoding),
        method("search_convpath", Arity::range(2, 3).with_keywords(), search_convpath),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

const PARTIAL_INPUT: i64 = 0x20000;
const AFTER_OUTPUT: i64 = 0x40000;
const INVALID_REPLACE: i64 = 2;
const UNDEF_MASK: i64 = 0xf0;
const UNDEF_REPLACE: i64 = 0x20;
const UNDEF_HEX_CHARREF: i64 = 0x30;

/// The flags of decorators, in the order in which chains have them.
const DECORATOR_FLAGS: [(&str, i64, Decorator); 7] = [
    ("XML_TEXT_DECORATOR", 0x8000, Decorator::XmlText),
    ("XML_ATTR_CONTENT_DECORATOR", 0x10000, Decorator::XmlAttrContent),
    ("XML_ATTR_QUOTE_DECORATOR", 0x10_0000, Decorator::XmlAttrQuote),
    ("CRLF_NEWLINE_DECORATOR", 0x1000, Decorator::CrlfNewline),
    ("CR_NEWLINE_DECORATOR", 0x2000, Decorator::CrNewline),
    ("LF_NEWLINE_DECORATOR", 0x4000, Decorator::LfNewline),
    ("UNIVERSAL_NEWLINE_DECORATOR", 0x100, Decorator::UniversalNewline),
];

fn set_constants(ctx: &mut Ctx, class: Class) -> Result<()> {
    let flags = [
        ("INVALID_MASK", 0xf),
        ("INVALID_REPLACE", INVALID_REPLACE),
        ("UNDEF_MASK", UNDEF_MASK),
        ("UNDEF_REPLACE", UNDEF_REPLACE),
        ("UNDEF_HEX_CHARREF", UNDEF_HEX_CHARREF),
        ("PARTIAL_INPUT", PARTIAL_INPUT),
        ("AFTER_OUTPUT", AFTER_OUTPUT),
    ];
    let decorators = DECORATOR_FLAGS.map(|(name, bits, _)| (name, bits));
    for (name, bits) in flags.into_iter().chain(decorators) {
        class.set_const(ctx, name, Value::fixnum(bits));
    }
    Ok(())
}

/// A converter's state.
struct Converter {
    transcoder: Transcoder,
    options: EncodeOptions,
    source: Option<Encoding>,
    destination: Option<Encoding>,
    replacement: Option<(Vec<u8>, Encoding)>,
    /// How the last call ended.
    result: &'static str,
    error: Option<ConversionError>,
}

/// The state of an object, open for as long as no Ruby code runs.
struct State(RefCell<Converter>);

impl NativeData for State {}

fn allocate(ctx: &mut Ctx, klass: Value) -> Result {
    Ok(Data::new_empty(ctx, klass).value())
}

/// Runs `f` on the state of a converter.
fn with<R>(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Converter) -> R) -> Result<R> {
    match Data::state_of::<State>(ctx, recv) {
        Some(state) => Ok(f(&mut state.0.borrow_mut())),
        None => Err(ctx.type_error("uninitialized encoding converter")),
    }
}

// -- making -------------------------------------------------------------------------------

/// Options from an Integer of flags or from keywords.
fn options_of(ctx: &mut Ctx, flags: Option<Value>, keywords: Option<Hash>) -> Result<EncodeOptions> {
    let Some(flags) = flags.filter(|f| !f.is_nil()) else {
        return Ok(conversion_options(ctx, keywords)?.options);
    };
    if let Some(hash) = ctx.check_hash(flags)? {
        return Ok(conversion_options(ctx, Some(hash))?.options);
    }
    let flags = ctx.to_int(flags)?;
    let decorators = DECORATOR_FLAGS.iter().filter(|d| flags & d.1 != 0).map(|d| d.2).collect();
    Ok(EncodeOptions {
        replace_invalid: flags & 0xf == INVALID_REPLACE,
        replace_undefined: flags & UNDEF_MASK == UNDEF_REPLACE,
        undefined_as_reference: flags & UNDEF_MASK == UNDEF_HEX_CHARREF,
        replacement: None,
        decorators,
    })
}

/// An encoding argument; an empty name means none.
fn encoding_argument(ctx: &mut Ctx, v: Value) -> Result<(Option<Encoding>, String)> {
    encoding_or_name(ctx, v)
}

fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let keywords = args.keywords();
    let args = args.positional();
    if args.len() == 1 {
        let Some(path) = ctx.check_array(args.at(0))? else { return Err(ctx.arity_error(1, 2, Some(3))) };
        return from_path(ctx, data, path);
    }
    let options = options_of(ctx, args.get(2), keywords)?;
    let (from, from_name) = encoding_argument(ctx, args.at(0))?;
    let (to, to_name) = encoding_argument(ctx, args.at(1))?;
    let mut options = options;
    let newlines = [Decorator::UniversalNewline, Decorator::CrlfNewline, Decorator::CrNewline, Decorator::LfNewline];
    if options.decorators.iter().filter(|decorator| newlines.contains(decorator)).count() > 1 {
        return Err(converter_not_found(ctx, &from_name, &to_name, &options.decorators));
    }
    let path = match (from, to) {
        (Some(from), Some(to)) => Some((from, to)),
        (None, None) if from_name.is_empty() && Decorator::find(&to_name).is_some() => {
            options.decorators.extend(Decorator::find(&to_name));
            None
        }
        (None, None) if from_name.is_empty() && to_name.is_empty() => None,
        _ => return Err(converter_not_found(ctx, &from_name, &to_name, &options.decorators)),
    };
    let transcoder = match path {
        Some((from, to)) if from == to => None,
        _ => Transcoder::new(path, &options.decorators).ok(),
    };
    let Some(transcoder) = transcoder else {
        return Err(converter_not_found(ctx, &from_name, &to_name, &options.decorators));
    };
    let replacement = options.replacement.clone();
    install(
        ctx,
        data,
        Converter {
            transcoder,
            options,
            source: from,
            destination: to,
            replacement,
            result: "source_buffer_empty",
            error: None,
        },
    );
    Ok(data.value())
}

fn install(ctx: &mut Ctx, data: Data, converter: Converter) {
    data.install(ctx, State(RefCell::new(converter)));
}

/// `Encoding::Converter.new([["a", "b"], "crlf_newline"])`
fn from_path(ctx: &mut Ctx, data: Data, path: Array) -> Result {
    let mut elements = Vec::new();
    for i in 0..path.len() {
        let item = path.get(i).unwrap_or(Value::NIL);
        if let Some(pair) = ctx.check_array(item)? {
            if pair.len() != 2 {
                return Err(ctx.argument_error("not a 2-element array in convpath"));
            }
            let (from, from_name) = encoding_argument(ctx, pair.get(0).unwrap_or(Value::NIL))?;
            let (to, to_name) = encoding_argument(ctx, pair.get(1).unwrap_or(Value::NIL))?;
            let steps = from.zip(to).and_then(|(from, to)| rubellite_encoding::transcode::search_path(from, to));
            let Some(steps) = steps else {
                return Err(ctx.argument_error(&format!("adding conversion failed: {from_name} to {to_name}")));
            };
            elements.extend(steps.into_iter().map(|(a, b)| PathElement::Conversion(a, b)));
        } else {
            let name = ctx.to_str(item)?.to_lossy(ctx).into_owned();
            match Decorator::find(&name) {
                Some(decorator) => elements.push(PathElement::Decorator(decorator)),
                None => return Err(ctx.argument_error(&format!("decoration failed: {name}"))),
            }
        }
    }
    let Ok(transcoder) = Transcoder::from_path(&elements) else {
        return Err(ctx.argument_error("adding conversion failed"));
    };
    let (source, destination) = (transcoder.source_encoding(), transcoder.destination_encoding());
    let options = EncodeOptions::default();
    install(
        ctx,
        data,
        Converter {
            transcoder,
            options,
            source,
            destination,
            replacement: None,
            result: "source_buffer_empty",
            error: None,
        },
    );
    Ok(data.value())
}

// -- converting ---------------------------------------------------------------------------

impl Converter {
    /// One call of the chain, with replacement where the options ask for it.
    fn step(&mut self, source: &mut &[u8], out: &mut Vec<u8>, options: ConvertOptions) -> &'static str {
        loop {
            let outcome = self.transcoder.convert(source, out, options);
            let (result, error) = match outcome {
                Outcome::Finished => ("finished", None),
                Outcome::SourceBufferEmpty | Outcome::Paused => ("source_buffer_empty", None),
                Outcome::DestinationBufferFull => ("destination_buffer_full", None),
                Outcome::AfterOutput => ("after_output", None),
                Outcome::Error(error) => {
                    if self.replace(&error) {
                        continue;
                    }
                    let name = match error.kind {
                        ErrorKind::Invalid => "invalid_byte_sequence",
                        ErrorKind::Incomplete => "incomplete_input",
                        ErrorKind::Undefined => "undefined_conversion",
                    };
                    (name, Some(error))
                }
            };
            self.result = result;
            self.error = error;
            return result;
        }
    }

    /// Writes the replacement of what did not convert; false when the options do not ask for one.
    fn replace(&mut self, error: &ConversionError) -> bool {
        let undefined = error.kind == ErrorKind::Undefined;
        if undefined && self.options.undefined_as_reference {
            let source = error.source.unwrap_or(Encoding::BINARY);
            let Ok(code) = encode(&error.error_bytes, source, Encoding::UTF_32BE, &EncodeOptions::default(), None)
            else {
                return false;
            };
            let Ok((code, _)) = Encoding::UTF_32BE.code_point(&code) else { return false };
            return self.transcoder.insert_output(format!("&#x{code:X};").as_bytes(), Encoding::US_ASCII);
        }
        let wanted = if undefined { self.options.replace_undefined } else { self.options.replace_invalid };
        if !wanted {
            return false;
        }
        let (text, encoding) = self.replacement_text();
        self.transcoder.insert_output(&text, encoding)
    }

    fn replacement_text(&self) -> (Vec<u8>, Encoding) {
        match &self.replacement {
            Some(given) => given.clone(),
            None => default_replacement_text(self.destination),
        }
    }

    fn elements(&self) -> Vec<PathElement> {
        self.transcoder.path().collect()
    }

    /// The exception for the last error.
    fn exception_parts(&self) -> Option<(ConversionError, String)> {
        let error = self.error.clone()?;
        let message = error.message(&self.elements());
        Some((error, message))
    }
}

fn result_encoding(converter: &Converter) -> Encoding {
    converter.destination.unwrap_or(Encoding::BINARY)
}

fn convert(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let source = ctx.to_str(args.at(0))?;
    let bytes = source.bytes(ctx).to_vec();
    let own = source.encoding();
    let mut out = Vec::with_capacity(bytes.len());
    let options = ConvertOptions { partial_input: true, ..ConvertOptions::default() };
    let (result, parts, encoding) = with(ctx, recv, |c| {
        if c.result == "finished" {
            return ("finished", None, own);
        }
        let result = c.step(&mut bytes.as_slice(), &mut out, options);
        (result, c.exception_parts(), c.destination.unwrap_or(own))
    })?;
    if let Some((error, message)) = parts {
        let exception = conversion_exception(ctx, &error, &message);
        with(ctx, recv, |c| _ = c.transcoder.put_back(None))?;
        return Err(ctx.raise(exception));
    }
    if result == "finished" {
        return Err(ctx.argument_error("converter already finished"));
    }
    Ok(Str::from_vec(ctx, out, encoding).value())
}

fn finish(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let mut out = Vec::new();
    let (parts, encoding) = with(ctx, recv, |c| {
        c.step(&mut &b""[..], &mut out, ConvertOptions::default());
        (c.exception_parts(), result_encoding(c))
    })?;
    if let Some((error, message)) = parts {
        let exception = conversion_exception(ctx, &error, &message);
        with(ctx, recv, |c| _ = c.transcoder.put_back(None))?;
        return Err(ctx.raise(exception));
    }
    Ok(Str::from_vec(ctx, out, encoding).value())
}

/// The options of `primitive_convert`: flags or keywords.
fn primitive_options(ctx: &mut Ctx, flags: Option<Value>, keywords: Option<Hash>) -> Result<ConvertOptions> {
    let mut options = ConvertOptions::default();
    let mut hash = keywords;
    if let Some(v) = flags.filter(|v| !v.is_nil()) {
        match v.as_fixnum() {
            Some(bits) => {
                options.partial_input = bits & PARTIAL_INPUT != 0;
                options.after_output = bits & AFTER_OUTPUT != 0;
            }
            None => hash = Some(ctx.to_hash(v)?),
        }
    }
    options.partial_input |= super::option_set(ctx, hash, "partial_input");
    options.after_output |= super::option_set(ctx, hash, "after_output");
    Ok(options)
}

fn primitive_convert(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let keywords = args.keywords();
    let args = args.positional();
    let offset = match args.non_nil(2) {
        Some(v) => Some(ctx.to_int(v)?),
        None => None,
    };
    let size = match args.non_nil(3) {
        Some(v) => Some(ctx.to_int(v)?),
        None => None,
    };
    let options = primitive_options(ctx, args.get(4), keywords)?;
    let source = match args.non_nil(0) {
        Some(v) => Some(ctx.to_str(v)?),
        None => None,
    };
    let target = ctx.to_str(args.at(1))?;
    modify(ctx, target)?;
    let problem = match (offset, size) {
        (Some(..0), _) => Some("negative output_byteoffset"),
        (Some(n), _) if n as usize > target.len() => Some("output_byteoffset too big"),
        (_, Some(..0)) => Some("negative output_bytesize"),
        _ => None,
    };
    if let Some(problem) = problem {
        return Err(ctx.argument_error(problem));
    }
    let offset = offset.map_or(target.len(), |n| n as usize);
    let mut out = target.bytes(ctx)[..offset].to_vec();
    let options = ConvertOptions { limit: size.map(|n| offset.saturating_add(n as usize)), ..options };
    let bytes = source.map_or_else(Vec::new, |s| s.bytes(ctx).to_vec());
    let mut rest = bytes.as_slice();
    let (result, encoding) = with(ctx, recv, |c| (c.step(&mut rest, &mut out, options), c.destination))?;
    let used = bytes.len() - rest.len();
    target.set_vec(ctx, out);
    if let Some(encoding) = encoding {
        target.set_encoding(encoding);
    }
    if let Some(source) = source.filter(|_| used > 0) {
        let source = modify(ctx, source)?;
        source.splice(ctx, 0..used.min(source.len()), b"");
    }
    Ok(Value::symbol(ctx.intern(result)))
}

fn primitive_errinfo(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let (result, error) = with(ctx, recv, |c| (c.result, c.error.clone()))?;
    let list = Array::new(ctx);
    let symbol = Value::symbol(ctx.intern(result));
    list.push(ctx, symbol);
    match error {
        Some(error) => {
            for name in [error.source_name(), error.destination_name()] {
                let name = Str::utf8(ctx, &name).value();
                list.push(ctx, name);
            }
            for bytes in [&error.error_bytes, &error.readagain_bytes] {
                let bytes = Str::binary(ctx, bytes).value();
                list.push(ctx, bytes);
            }
        }
        None => list.extend(ctx, &[Value::NIL; 4]),
    }
    Ok(list.value())
}

fn last_error(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(match with(ctx, recv, |c| c.exception_parts())? {
        Some((error, message)) => conversion_exception(ctx, &error, &message),
        None => Value::NIL,
    })
}

fn putback(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = match args.non_nil(0) {
        Some(v) => Some(ctx.to_int(v)?.max(0) as usize),
        None => None,
    };
    let (bytes, encoding) = with(ctx, recv, |c| (c.transcoder.put_back(max), c.source))?;
    Ok(Str::from_vec(ctx, bytes, encoding.unwrap_or(Encoding::BINARY)).value())
}

fn insert_output(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let (bytes, encoding) = (text.bytes(ctx).to_vec(), text.encoding());
    let destination = with(ctx, recv, |c| c.destination)?;
    if let Some(destination) = destination.filter(|d| *d != encoding)
        && let Err(rubellite_encoding::transcode::EncodeError::Conversion { error, message }) =
            encode(&bytes, encoding, destination, &EncodeOptions::default(), None)
    {
        let exception = conversion_exception(ctx, &error, &message);
        return Err(ctx.raise(exception));
    }
    if !with(ctx, recv, |c| c.transcoder.insert_output(&bytes, encoding))? {
        return Err(ctx.argument_error("too big string"));
    }
    Ok(Value::NIL)
}

// -- description --------------------------------------------------------------------------

fn replacement(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let (text, encoding) = with(ctx, recv, |c| c.replacement_text())?;
    Ok(Str::from_vec(ctx, text, encoding).value())
}

fn set_replacement(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let (mut bytes, mut encoding) = (text.bytes(ctx).to_vec(), text.encoding());
    let destination = with(ctx, recv, |c| c.destination)?;
    if let Some(destination) = destination.filter(|d| *d != encoding) {
        match encode(&bytes, encoding, destination, &EncodeOptions::default(), None) {
            Ok(converted) => (bytes, encoding) = (converted, destination),
            Err(_) => {
                return Err(ctx.raise_error("Encoding::UndefinedConversionError", "replacement character setup failed"));
            }
        }
    }
    with(ctx, recv, |c| c.replacement = Some((bytes, encoding)))?;
    Ok(args.at(0))
}

/// A chain as an Array of pairs and names.
fn path_value(ctx: &mut Ctx, elements: &[PathElement]) -> Value {
    let list = Array::new(ctx);
    for element in elements {
        let item = match element {
            PathElement::Conversion(from, to) => {
                let pair = [encoding_object(ctx, *from), encoding_object(ctx, *to)];
                Array::from_slice(ctx, &pair).value()
            }
            PathElement::Decorator(decorator) => Str::ascii(ctx, decorator.name()).value(),
        };
        list.push(ctx, item);
    }
    list.value()
}

fn convpath(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let elements = with(ctx, recv, |c| c.elements())?;
    Ok(path_value(ctx, &elements))
}

fn optional_encoding(ctx: &mut Ctx, encoding: Option<Encoding>) -> Value {
    encoding.map_or(Value::NIL, |e| encoding_object(ctx, e))
}

fn source_encoding(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let encoding = with(ctx, recv, |c| c.source)?;
    Ok(optional_encoding(ctx, encoding))
}

fn destination_encoding(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let encoding = with(ctx, recv, |c| c.destination)?;
    Ok(optional_encoding(ctx, encoding))
}

fn inspect(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let (source, destination, elements) = with(ctx, recv, |c| (c.source, c.destination, c.elements()))?;
    let mut text = format!("#<{class}: ");
    if let (Some(source), Some(destination)) = (source, destination) {
        text.push_str(&format!("{} to {}", source.name(), destination.name()));
    }
    let names: Vec<&str> = elements
        .iter()
        .filter_map(|e| match e {
            PathElement::Decorator(d) => Some(d.name()),
            PathElement::Conversion(..) => None,
        })
        .collect();
    if !names.is_empty() {
        text.push_str(if source.is_some() { " with " } else { "" });
        text.push_str(&names.join(","));
    }
    text.push('>');
    Ok(Str::utf8(ctx, &text).value())
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if Data::state_of::<State>(ctx, args.at(0)).is_none() {
        return Ok(Value::FALSE);
    }
    let describe = |c: &mut Converter| (c.source, c.destination, c.elements(), c.replacement_text());
    let (a, b) = (with(ctx, recv, describe)?, with(ctx, args.at(0), describe)?);
    Ok(Value::from_bool(a == b))
}

// -- class methods ------------------------------------------------------------------------

fn asciicompat_encoding(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let found = match super::try_encoding(ctx, args.at(0)) {
        Some(encoding) => Some(encoding),
        None => {
            let name = ctx.to_str(args.at(0))?;
            Encoding::find(name.bytes(ctx))
        }
    };
    let counterpart = found.and_then(ascii_compatible_counterpart);
    Ok(optional_encoding(ctx, counterpart))
}

fn search_convpath(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let keywords = args.keywords();
    let args = args.positional();
    let options = options_of(ctx, args.get(2), keywords)?;
    let (from, from_name) = encoding_argument(ctx, args.at(0))?;
    let (to, to_name) = encoding_argument(ctx, args.at(1))?;
    let transcoder =
        from.zip(to).filter(|(a, b)| a != b).and_then(|path| Transcoder::new(Some(path), &options.decorators).ok());
    match transcoder {
        Some(transcoder) => {
            let elements: Vec<PathElement> = transcoder.path().collect();
            Ok(path_value(ctx, &elements))
        }
        None => Err(converter_not_found(ctx, &from_name, &to_name, &options.decorators)),
    }
}
