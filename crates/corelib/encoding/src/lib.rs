//! Encoding and its errors; `Encoding::Converter` is `converter.rs`.

mod converter;
mod errors;
pub mod object;
pub mod options;

pub use converter::CONVERTER;
pub use errors::{
    COMPATIBILITY_ERROR, CONVERTER_NOT_FOUND_ERROR, ENCODING_ERROR, INVALID_BYTE_SEQUENCE_ERROR,
    UNDEFINED_CONVERSION_ERROR,
};
pub use errors::{conversion_exception, converter_not_found};
pub use object::{
    ENCODING, default_external, default_internal, encoding_object, encoding_or_name, to_encoding, try_encoding,
};

use rubellite_vm::ClassDef;
use rubellite_vm::object::Hash;
use rubellite_vm::{Ctx, Encoding, Value};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &ENCODING,
    &ENCODING_ERROR,
    &COMPATIBILITY_ERROR,
    &UNDEFINED_CONVERSION_ERROR,
    &INVALID_BYTE_SEQUENCE_ERROR,
    &CONVERTER_NOT_FOUND_ERROR,
    &CONVERTER,
];

/// Whether a keyword was given and is not nil or false.
pub fn option_set(ctx: &mut Ctx, keywords: Option<Hash>, name: &'static str) -> bool {
    let sym = ctx.intern(name);
    keywords.and_then(|hash| hash.get_sym(ctx, sym)).is_some_and(Value::truthy)
}

/// What replaces characters that do not convert, unless the program says otherwise.
pub fn default_replacement_text(destination: Option<Encoding>) -> (Vec<u8>, Encoding) {
    match destination {
        Some(encoding) if encoding.is_unicode() => ("\u{FFFD}".as_bytes().to_vec(), Encoding::UTF_8),
        _ => (b"?".to_vec(), Encoding::US_ASCII),
    }
}
