//! Regexp and MatchData. The engine is the regexp crate; how strings are searched is `search.rs`.

mod class_methods;
mod matchdata;
mod object;
pub mod search;

pub use class_methods::{REGEXP_CLASS, TIMEOUT_ERROR};
pub use matchdata::{MATCH_DATA, capture_argument, group_number, group_string, match_part};
pub use object::{
    REGEXP, compile, from_string, joined_regexp, matches_from, new_regexp, piece_encoding, warnings_about,
};
pub use rubellite_regexp::properties;
