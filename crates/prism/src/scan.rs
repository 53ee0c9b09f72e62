//! A source as tokens and facts, decoded: for Ripper.

use crate::translate::{Reader, translate};
use crate::{Options, Wanted, raw};

/// A token: the gem's number of its kind, where it lies in the source in bytes, and the state of the scanner behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: u32,
    pub start: usize,
    pub stop: usize,
    pub state: u32,
}

/// An error: the gem's number of its kind and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: u32,
    pub start: usize,
    pub stop: usize,
}

/// What is known of a source besides its tree.
#[derive(Debug)]
pub struct Scan {
    pub tokens: Vec<Token>,
    /// The name of the encoding.
    pub encoding: String,
    /// Where lines begin.
    pub lines: Vec<usize>,
    /// Whether `__END__` ends it.
    pub ended: bool,
    pub errors: Vec<Error>,
    /// Whether there are errors, warnings or magic comments.
    pub remarks: bool,
    /// All but the tokens, in the format of the gem: what follows the tokens when it is asked for these.
    pub facts: Vec<u8>,
}

/// Scans `source`. `None`: the system has no stack for the parser.
pub fn scan(source: &[u8], options: &Options) -> Option<Scan> {
    let bytes = translate(&raw::serialize(source, options, Wanted::Tokens)?, Wanted::Tokens);
    let mut from = Reader { bytes: &bytes, at: 0 };
    let mut tokens = Vec::with_capacity(bytes.len() / 5);
    loop {
        let kind = from.number();
        if kind == 0 {
            break;
        }
        let (start, len) = (from.number() as usize, from.number() as usize);
        tokens.push(Token { kind, start, stop: start + len, state: from.number() });
    }
    // The facts begin with the mark that ends the tokens: read alone they have none.
    let facts = bytes[from.at - 1..].to_vec();
    let encoding = String::from_utf8_lossy(from.string()).into_owned();
    from.number(); // the first line
    let lines = (0..from.number()).map(|_| from.number() as usize).collect();
    for _ in 0..from.number() {
        from.byte();
        from.numbers(2);
    }
    let magic = from.number();
    from.numbers(4 * magic as usize);
    let ended = from.byte() != 0;
    if ended {
        from.numbers(2);
    }
    let errors: Vec<Error> = (0..from.number()).map(|_| error(&mut from)).collect();
    let warnings = from.number();
    Some(Scan {
        tokens,
        encoding,
        lines,
        ended,
        remarks: magic > 0 || warnings > 0 || !errors.is_empty(),
        errors,
        facts,
    })
}

fn error(from: &mut Reader) -> Error {
    let kind = from.number();
    from.string();
    let (start, len) = (from.number() as usize, from.number() as usize);
    from.byte();
    Error { kind, start, stop: start + len }
}
