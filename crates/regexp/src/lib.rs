//! Ruby regular expressions: Oniguruma behind a safe face.
//!
//! A [`Regex`] is compiled from the text of `Regexp#source` and may be matched by several
//! threads at once. `source.rs` reads that text as Ruby does (escapes, fixed encoding),
//! `rewrite.rs` translates it into Oniguruma's dialect, `engine.rs` holds the unsafe code, with `letters.rs` and
//! `wide_letters.rs` for its tables, and `regex.rs` decides how to search so that any match can be interrupted. Caches
//! of compiled patterns are the caller's. `simple.rs` matches the simplest patterns without the engine, `required.rs`
//! and `needs.rs` know texts that cannot match, `names.rs` writes names of groups for it, `ages.rs` the versions of
//! Unicode; `doubts.rs` knows what to warn of, `properties.rs` tells C code of
//! the tables.

mod ages;
mod comments;
mod doubts;
mod engine;
mod extent;
mod letters;
mod memory;
mod names;
mod needs;
mod points;
pub mod properties;
mod regex;
mod required;
mod rewrite;
mod simple;
mod source;
mod wide_letters;

pub use doubts::doubts;
pub use engine::Captures;
pub use regex::{Direction, MatchError, Poll, Regex, Subject};
pub use source::{Options, SyntaxError, describe_source, escape, escape_until};
