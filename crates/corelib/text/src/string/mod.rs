//! String: methods, by topic. Storage and code ranges are `vm::object::string`; what yields per element is `string.rb`.

mod bytes;
mod case;
mod chars;
mod compare;
mod concat;
mod crypt;
mod encode;
mod index;
pub mod inspect;
pub mod number;
mod split;
mod store;
mod subst;
mod succ;
mod tr;
mod trim;

pub use case::mapped as case_mapped;
pub use concat::{append_string, code_point_error};
pub use index::substring_value;
pub use inspect::{inspect_bytes, inspect_string};

// The parts of class String.
pub use bytes::STRING_BYTES;
pub use case::STRING_CASE;
pub use chars::STRING_CHARS;
pub use compare::STRING_COMPARE;
pub use concat::STRING;
pub use crypt::STRING_CRYPT;
pub use encode::STRING_ENCODE;
pub use index::STRING_INDEX;
pub use inspect::STRING_INSPECT;
pub use number::STRING_NUMBER;
pub use rubellite_core_encoding::options::character_options;
pub use split::STRING_SPLIT;
pub use store::STRING_STORE;
pub use subst::STRING_SUBST;
pub use succ::STRING_SUCC;
pub use tr::STRING_TR;
pub use trim::STRING_TRIM;
