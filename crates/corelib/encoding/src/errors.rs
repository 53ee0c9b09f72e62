//! Encoding's exceptions.

use super::object::encoding_object;
use rubellite_encoding::Encoding;
use rubellite_encoding::transcode::{ConversionError, Decorator, ErrorKind};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Unwind, Value, method};

pub static ENCODING_ERROR: ClassDef =
    ClassDef { name: "EncodingError", superclass: "StandardError", ..ClassDef::EMPTY };

pub static COMPATIBILITY_ERROR: ClassDef =
    ClassDef { name: "Encoding::CompatibilityError", superclass: "EncodingError", ..ClassDef::EMPTY };

pub static UNDEFINED_CONVERSION_ERROR: ClassDef = ClassDef {
    name: "Encoding::UndefinedConversionError",
    superclass: "EncodingError",
    methods: &[
        method("source_encoding_name", Arity::NONE, source_encoding_name),
        method("destination_encoding_name", Arity::NONE, destination_encoding_name),
        method("source_encoding", Arity::NONE, source_encoding),
        method("destination_encoding", Arity::NONE, destination_encoding),
        method("error_char", Arity::NONE, error_char),
    ],
    ..ClassDef::EMPTY
};

pub static INVALID_BYTE_SEQUENCE_ERROR: ClassDef = ClassDef {
    name: "Encoding::InvalidByteSequenceError",
    superclass: "EncodingError",
    methods: &[
        method("source_encoding_name", Arity::NONE, source_encoding_name),
        method("destination_encoding_name", Arity::NONE, destination_encoding_name),
        method("source_encoding", Arity::NONE, source_encoding),
        method("destination_encoding", Arity::NONE, destination_encoding),
        method("error_bytes", Arity::NONE, error_bytes),
        method("readagain_bytes", Arity::NONE, readagain_bytes),
        method("incomplete_input?", Arity::NONE, incomplete_input_p),
    ],
    ..ClassDef::EMPTY
};

pub static CONVERTER_NOT_FOUND_ERROR: ClassDef =
    ClassDef { name: "Encoding::ConverterNotFoundError", superclass: "EncodingError", ..ClassDef::EMPTY };

/// The exception for an error of a conversion, not raised yet.
pub fn conversion_exception(ctx: &mut Ctx, error: &ConversionError, message: &str) -> Value {
    let undefined = error.kind == ErrorKind::Undefined;
    let class = if undefined { "Encoding::UndefinedConversionError" } else { "Encoding::InvalidByteSequenceError" };
    let class = ctx.error_class(class);
    let exception = ctx.new_error(class, message);
    let source_name = Str::utf8(ctx, &error.source_name()).value();
    set(ctx, exception, "source_encoding_name", source_name);
    let destination_name = Str::utf8(ctx, &error.destination_name()).value();
    set(ctx, exception, "destination_encoding_name", destination_name);
    if let Some(source) = error.source {
        let object = encoding_object(ctx, source);
        set(ctx, exception, "source_encoding", object);
    }
    if let Some(destination) = error.destination {
        let object = encoding_object(ctx, destination);
        set(ctx, exception, "destination_encoding", object);
    }
    if undefined {
        let character = Str::new(ctx, &error.error_bytes, error.source.unwrap_or(Encoding::BINARY)).value();
        set(ctx, exception, "error_char", character);
    } else {
        let bytes = Str::binary(ctx, &error.error_bytes).value();
        set(ctx, exception, "error_bytes", bytes);
        let again = match error.kind {
            ErrorKind::Incomplete => Value::NIL,
            _ => Str::binary(ctx, &error.readagain_bytes).value(),
        };
        set(ctx, exception, "readagain_bytes", again);
        set(ctx, exception, "incomplete_input", Value::from_bool(error.kind == ErrorKind::Incomplete));
    }
    exception
}

/// "code converter not found (A to B)"
#[cold]
pub fn converter_not_found(ctx: &mut Ctx, from: &str, to: &str, decorators: &[Decorator]) -> Unwind {
    let mut message = String::from("code converter not found (");
    if !(from.is_empty() && to.is_empty() && !decorators.is_empty()) {
        message.push_str(from);
        message.push_str(if to.is_empty() {
            ""
        } else if from.is_empty() {
            "to "
        } else {
            " to "
        });
        message.push_str(to);
    }
    let names: Vec<&str> = decorators.iter().map(|d| d.name()).collect();
    if !names.is_empty() {
        message.push_str(if from.is_empty() { "" } else { " with " });
        message.push_str(&names.join(","));
    }
    message.push(')');
    ctx.raise_error("Encoding::ConverterNotFoundError", &message)
}

/// Hidden instance variables: no Ruby code can name them. An exception that a program has made has none.
fn set(ctx: &mut Ctx, exception: Value, name: &str, value: Value) {
    let sym = ctx.intern_str(&format!("__{name}"));
    ctx.ivar_set(exception, sym, value);
}

fn get(ctx: &mut Ctx, exception: Value, name: &str) -> Result {
    let sym = ctx.intern_str(&format!("__{name}"));
    Ok(ctx.ivar_get(exception, sym).defined().unwrap_or(Value::NIL))
}

fn source_encoding_name(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "source_encoding_name")
}

fn destination_encoding_name(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "destination_encoding_name")
}

fn source_encoding(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "source_encoding")
}

fn destination_encoding(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "destination_encoding")
}

fn error_char(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "error_char")
}

fn error_bytes(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "error_bytes")
}

fn readagain_bytes(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "readagain_bytes")
}

fn incomplete_input_p(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    get(ctx, recv, "incomplete_input")
}
