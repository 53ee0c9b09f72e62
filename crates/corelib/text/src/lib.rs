//! Core classes of text: String, Symbol, Regexp, MatchData, Encoding.

mod class_path;
pub mod common;
mod pack;
pub mod regexp;
pub mod shown;
pub mod string;
mod symbol;

pub use class_path::class_at;
pub use regexp::{
    from_string as regexp_from_string, joined_regexp, match_part, new_regexp, piece_encoding as regexp_piece_encoding,
    warnings_about,
};
pub use rubellite_core_encoding::{
    default_external, default_internal, encoding_object, encoding_or_name, to_encoding, try_encoding,
};
pub use rubellite_core_object::{encoding_label, incompatible, modify_string};
pub use string::{append_string, code_point_error};

use rubellite_vm::{ClassDef, Ctx, Encoding};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &string::STRING,
    &string::STRING_BYTES,
    &string::STRING_CASE,
    &string::STRING_CHARS,
    &string::STRING_COMPARE,
    &string::STRING_CRYPT,
    &string::STRING_ENCODE,
    &string::STRING_INDEX,
    &string::STRING_INSPECT,
    &string::STRING_NUMBER,
    &string::STRING_SPLIT,
    &string::STRING_STORE,
    &string::STRING_SUBST,
    &string::STRING_SUCC,
    &string::STRING_TR,
    &string::STRING_TRIM,
    &pack::STRING_UNPACK,
    &pack::ARRAY_PACK,
    &symbol::SYMBOL,
    &regexp::REGEXP,
    &regexp::REGEXP_CLASS,
    &regexp::TIMEOUT_ERROR,
    &regexp::MATCH_DATA,
];

/// The encoding that `inspect` writes in.
pub fn inspect_encoding(ctx: &Ctx) -> Encoding {
    let encoding = default_internal(ctx).unwrap_or_else(|| default_external(ctx));
    if encoding.is_ascii_compatible() { encoding } else { Encoding::US_ASCII }
}
