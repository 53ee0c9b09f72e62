//! The parser for the `prism` gem: syntax trees, tokens and comments as bytes that the gem's Ruby half reads.
//!
//! The Ruby half that comes with Ruby 4.0 reads the format of version 1.7.0; the parser here is newer and writes
//! another one. `raw` calls the parser, `translate` makes one format of the other, by the tables in `nodes` and
//! `codes`. What differs between the versions:
//!
//! - Ruby 4.1 is parsed as 4.0, as 1.7.0 does.
//! - a place where the parser met a node that may not be there holds this node; where it met nothing, a MissingNode.
//! - the few errors that 1.7.0 does not tell apart have the type of its nearest one; messages are the parser's.

mod codes;
mod nodes;
mod raw;
mod scan;
mod translate;

/// The version of the format, which the gem calls its version.
pub const VERSION: &str = "1.7.0";

pub use raw::{Query, query};
pub use scan::{Error, Scan, Token, scan};

/// What is asked of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The tree, for `Prism.load`.
    Tree,
    /// The tokens, and what else is known of the source.
    Tokens,
    /// Both.
    TreeAndTokens,
    /// As `Tokens`, without any token: comments, errors, lines.
    Facts,
}

/// How to parse: what the options of the gem's methods say.
#[derive(Clone, Debug)]
pub struct Options {
    pub filepath: Vec<u8>,
    pub line: i32,
    /// The name of an encoding; empty: UTF-8.
    pub encoding: Vec<u8>,
    /// Magic comments do not change the encoding.
    pub encoding_locked: bool,
    pub frozen_string_literal: Option<bool>,
    /// Bits for `-a -e -l -n -p -x`.
    pub command_line: u8,
    pub version: Version,
    pub main_script: bool,
    pub partial_script: bool,
    /// The scopes around the source, outermost first.
    pub scopes: Vec<Scope>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            filepath: Vec::new(),
            line: 1,
            encoding: Vec::new(),
            encoding_locked: false,
            frozen_string_literal: None,
            command_line: 0,
            version: Version::Ruby40,
            main_script: false,
            partial_script: false,
            scopes: Vec::new(),
        }
    }
}

/// Which syntax is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    Ruby33 = 1,
    Ruby34 = 2,
    Ruby40 = 3,
}

/// Local variables around the source, and what is passed on by `*`, `**`, `&` and `...` (bits 1, 2, 4, 8).
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub locals: Vec<Vec<u8>>,
    pub forwarding: u8,
}

/// Parses `source` and gives what is wanted in the format of version 1.7.0. `None`: the system has no stack for the
/// parser.
pub fn serialize(source: &[u8], options: &Options, wanted: Wanted) -> Option<Vec<u8>> {
    Some(translate::translate(&raw::serialize(source, options, wanted)?, wanted))
}

/// Whether `source` is without syntax errors. `None`: the system has no stack for the parser.
pub fn valid(source: &[u8], options: &Options) -> Option<bool> {
    raw::valid(source, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_begins_with_the_header_of_the_gems_version() {
        let bytes = serialize(b"1 + 2", &Options::default(), Wanted::Tree).expect("a stack");
        assert_eq!(&bytes[..9], b"PRISM\x01\x07\x00\x00");
        assert_eq!(bytes.last(), Some(&0));
    }

    #[test]
    fn deep_trees_need_no_deep_stack() {
        let source = [b"[".repeat(5000), b"]".repeat(5000)].concat();
        assert_eq!(valid(&source, &Options::default()), Some(true));
        assert!(serialize(&source, &Options::default(), Wanted::Tree).is_some_and(|tree| tree.len() > 5000 * 5));
    }

    #[test]
    fn every_record_is_read_to_its_end() {
        for source in [
            "def a(b, *c, d: 1, **e, &f) = b",
            "case [1, {a: 2}] in [Integer => x, {a:}] then x end",
            "alias $a b",
            "foo(",
            "def f(&nil) end",
        ] {
            let options = Options::default();
            assert!(serialize(source.as_bytes(), &options, Wanted::TreeAndTokens).is_some_and(|tree| !tree.is_empty()));
            assert!(serialize(source.as_bytes(), &options, Wanted::Facts).is_some_and(|facts| !facts.is_empty()));
        }
    }

    #[test]
    fn names_are_told_apart() {
        assert_eq!(query(Query::Local, b"foo", "UTF-8"), Some(true));
        assert_eq!(query(Query::Constant, b"foo", "UTF-8"), Some(false));
        assert_eq!(query(Query::MethodName, b"foo=", "UTF-8"), Some(true));
        assert_eq!(query(Query::Local, b"foo", "UTF-16LE"), None);
    }
}
