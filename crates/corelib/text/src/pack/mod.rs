//! `Array#pack` and `String#unpack`: the template language is `template.rs`, writing is `write.rs`, reading `read.rs`.

mod read;
mod template;
mod text;
mod write;

pub use read::STRING_UNPACK;
pub use write::ARRAY_PACK;
