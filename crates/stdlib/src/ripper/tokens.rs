//! Ripper's tokens out of Prism's, in the order in which Ripper reports them: the text of a heredoc follows where it is
//! announced.
//!
//! Between Prism's tokens are blanks, which Ripper tells, too. Then what Prism divides is joined, what it joins is
//! divided, and each token gets the state that Ripper's scanner has behind it.

use rubellite_prism::{Error, Scan};

/// Ripper's scanner events, in the order of `Event`.
pub const NAMES: &[&str] = &[
    "CHAR",
    "__end__",
    "backref",
    "backtick",
    "comma",
    "comment",
    "const",
    "cvar",
    "embdoc",
    "embdoc_beg",
    "embdoc_end",
    "embexpr_beg",
    "embexpr_end",
    "embvar",
    "float",
    "gvar",
    "heredoc_beg",
    "heredoc_end",
    "ident",
    "ignored_nl",
    "imaginary",
    "int",
    "ivar",
    "kw",
    "label",
    "label_end",
    "lbrace",
    "lbracket",
    "lparen",
    "nl",
    "op",
    "period",
    "qsymbols_beg",
    "qwords_beg",
    "rational",
    "rbrace",
    "rbracket",
    "regexp_beg",
    "regexp_end",
    "rparen",
    "semicolon",
    "sp",
    "symbeg",
    "symbols_beg",
    "tlambda",
    "tlambeg",
    "tstring_beg",
    "tstring_content",
    "tstring_end",
    "words_beg",
    "words_sep",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Event {
    Char,
    End,
    Backref,
    Backtick,
    Comma,
    Comment,
    Const,
    Cvar,
    Embdoc,
    EmbdocBeg,
    EmbdocEnd,
    EmbexprBeg,
    EmbexprEnd,
    Embvar,
    Float,
    Gvar,
    HeredocBeg,
    HeredocEnd,
    Ident,
    IgnoredNl,
    Imaginary,
    Int,
    Ivar,
    Kw,
    Label,
    LabelEnd,
    Lbrace,
    Lbracket,
    Lparen,
    Nl,
    Op,
    Period,
    QsymbolsBeg,
    QwordsBeg,
    Rational,
    Rbrace,
    Rbracket,
    RegexpBeg,
    RegexpEnd,
    Rparen,
    Semicolon,
    Sp,
    Symbeg,
    SymbolsBeg,
    Tlambda,
    Tlambeg,
    TstringBeg,
    TstringContent,
    TstringEnd,
    WordsBeg,
    WordsSep,
}

impl Event {
    /// The event of a token by the gem's number of its kind.
    fn of(kind: u32) -> Event {
        use Event::*;
        match kind {
            2 => Rbrace,
            3 => Comma,
            4 => EmbexprEnd,
            5..=13 | 73..=110 => Kw,
            14 => Nl,
            15 => Rparen,
            17 => Semicolon,
            23 | 130 => Backtick,
            24 | 123 => Backref,
            28 => Lbrace,
            29 | 30 => Lbracket,
            33 => Rbracket,
            36 => Char,
            37 => Cvar,
            40 => Comment,
            41 => Const,
            42 => Period,
            45 => EmbdocBeg,
            46 => EmbdocEnd,
            47 => Embdoc,
            48 => EmbexprBeg,
            49 => Embvar,
            55 => Float,
            56 | 58 | 70 | 72 => Imaginary,
            57 | 71 => Rational,
            59 => Gvar,
            64 => HeredocEnd,
            65 => HeredocBeg,
            66 | 119 => Ident,
            67 => IgnoredNl,
            68 => Ivar,
            69 => Int,
            111 => Label,
            112 => LabelEnd,
            113 => Tlambeg,
            122 => Tlambda,
            124 | 125 => Lparen,
            128 => QsymbolsBeg,
            129 => QwordsBeg,
            131 => SymbolsBeg,
            132 => WordsBeg,
            139 => RegexpBeg,
            140 => RegexpEnd,
            147 => TstringBeg,
            148 => TstringContent,
            149 => TstringEnd,
            150 => Symbeg,
            161 => WordsSep,
            162 => End,
            _ => Op,
        }
    }
}

/// A token of Ripper's: bytes `start..end` of the source; `stop` is where Prism's token stops.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub event: Event,
    pub start: usize,
    pub end: usize,
    stop: usize,
    pub state: u32,
}

/// The tokens in the order of reports, and what goes with them.
#[derive(Debug, Default)]
pub struct Tokens {
    pub pieces: Vec<Piece>,
    /// The index of the end of each heredoc whose indentation is taken away, and how many columns that are.
    pub dedents: Vec<(usize, usize)>,
    /// Where an error in an escape is told, by the place that the parser gives.
    pub moved: Vec<(usize, usize)>,
}

mod state {
    pub const BEG: u32 = 1 << 0;
    pub const END: u32 = 1 << 1;
    pub const ENDFN: u32 = 1 << 3;
    pub const FNAME: u32 = 1 << 7;
    pub const DOT: u32 = 1 << 8;
    pub const CLASS: u32 = 1 << 9;
    pub const FITEM: u32 = 1 << 12;
}

/// The gem's numbers of errors in escapes: from `escape_invalid_control` on, and `invalid_escape_character`.
const ESCAPES: std::ops::RangeInclusive<u32> = 75..=86;
const ESCAPE_HEXADECIMAL: u32 = 77;
const ESCAPE_UNICODE_FIRST: u32 = 80;
/// Several characters where one may be: each of them is one.
const ESCAPE_UNICODE_LITERAL: u32 = 83;
const ESCAPE_UNICODE_LAST: u32 = 86;
const INVALID_ESCAPE: u32 = 147;

const MARK: &[u8] = b"\xef\xbb\xbf";

pub fn tokens(source: &[u8], scan: &Scan) -> Tokens {
    let mut scanner = Tokenizer { source, lines: &scan.lines, result: Tokens::default() };
    let mut pieces: Vec<Piece> = scan.tokens.iter().map(|token| scanner.piece(token)).collect();
    let eof = pieces.pop();
    pieces.retain(|piece| piece.end > piece.start);
    scanner.mark_unmatched(&mut pieces);
    let escape = |error: &Error| {
        ESCAPES.contains(&error.kind) && error.kind != ESCAPE_UNICODE_LITERAL || error.kind == INVALID_ESCAPE
    };
    let mut errors: Vec<Error> = scan.errors.iter().copied().filter(escape).collect();
    if !errors.is_empty() {
        errors.sort_by_key(|error| (error.start, error.stop));
        errors.dedup();
        pieces = scanner.cut(pieces, &errors);
    }
    let (blanks, last) = scanner.blanks(&pieces, eof.map_or(0, |eof| eof.start));
    let pieces = scanner.joined(&pieces);
    scanner.order(&pieces, &blanks, &last);
    scanner.result
}

struct Tokenizer<'a> {
    source: &'a [u8],
    lines: &'a [usize],
    result: Tokens,
}

/// Blanks, by the start of the token behind them.
type Blanks = Vec<(usize, Vec<Piece>)>;

impl Tokenizer<'_> {
    fn piece(&self, token: &rubellite_prism::Token) -> Piece {
        let event = Event::of(token.kind);
        let text = &self.source[token.start..token.stop];
        let end = match event {
            Event::End => memchr::memchr(b'\n', text).map_or(token.stop, |at| token.start + at + 1),
            _ => token.stop,
        };
        Piece { event, start: token.start, end, stop: token.stop, state: token.state }
    }

    fn text(&self, piece: &Piece) -> &[u8] {
        &self.source[piece.start..piece.end]
    }

    /// The column of a place in bytes.
    fn column(&self, at: usize) -> usize {
        position(self.source, self.lines, at).1
    }

    /// A brace that closes nothing is told as the end of an embedded expression, and leaves the state as it is.
    fn mark_unmatched(&self, pieces: &mut [Piece]) {
        let mut depth = 0;
        let mut outer = Vec::new();
        let mut before = state::BEG;
        for piece in pieces {
            match piece.event {
                Event::Lbrace | Event::Tlambeg => depth += 1,
                Event::EmbexprBeg => outer.push(std::mem::take(&mut depth)),
                Event::EmbexprEnd => depth = outer.pop().unwrap_or(0),
                Event::Rbrace if depth == 0 => {
                    piece.event = Event::EmbexprEnd;
                    piece.state = before;
                }
                Event::Rbrace => depth -= 1,
                _ => {}
            }
            before = piece.state;
        }
    }

    /// An escape that is none is a token of its own, and no character.
    fn cut(&mut self, pieces: Vec<Piece>, errors: &[Error]) -> Vec<Piece> {
        let mut cut = Vec::with_capacity(pieces.len() + 2 * errors.len());
        let mut skipped = 0;
        for mut piece in pieces {
            // What a character has swallowed is no token any more.
            if piece.stop <= skipped {
                continue;
            }
            if !matches!(piece.event, Event::TstringContent | Event::Char) {
                cut.push(piece);
                continue;
            }
            let first = errors.partition_point(|error| error.start < piece.start);
            for error in &errors[first..] {
                if error.start >= piece.end || error.start < piece.start {
                    break;
                }
                if piece.event == Event::Char {
                    piece.event = Event::TstringContent;
                    if error.stop > piece.end {
                        (piece.end, piece.stop, skipped) = (error.stop, error.stop, error.stop);
                    }
                }
                if piece.start > error.start {
                    continue;
                }
                let (from, to) = self.escape(piece.start, piece.end, error);
                self.result.moved.push((error.start, from));
                if from > piece.start {
                    cut.push(Piece { end: from, stop: from, ..piece });
                }
                if to < piece.end {
                    if to > from {
                        cut.push(Piece { start: from, end: to, stop: to, ..piece });
                    }
                    piece.start = to;
                } else {
                    piece.start = from;
                }
            }
            cut.push(piece);
        }
        cut
    }

    /// Where the escape that an error is about begins and stops.
    fn escape(&self, start: usize, end: usize, error: &Error) -> (usize, usize) {
        if error.kind == INVALID_ESCAPE || self.source[start] == b'?' && error.kind != ESCAPE_HEXADECIMAL {
            return (start, end);
        }
        let mut stop = error.stop.min(end);
        let mut at = error.start;
        let mut last = None;
        while at < stop {
            if self.source[at] == b'\\' {
                last = Some(at);
                at = self.behind_escape(at);
            } else {
                at += 1;
            }
        }
        let at = last.unwrap_or(stop.saturating_sub(1)).max(start);
        match error.kind {
            // Between braces the scanner stops where it finds the error, and what precedes is text.
            ESCAPE_UNICODE_FIRST..=ESCAPE_UNICODE_LAST if self.in_braces(start, stop) => (stop, stop),
            // Only the escape itself, without what it is to be changed by.
            ESCAPE_HEXADECIMAL => {
                let from =
                    self.source[at..stop].windows(2).rposition(|two| two == b"\\x").map_or(at, |offset| at + offset);
                stop = stop.min(from + 2).max(from + 1);
                (from, stop)
            }
            _ => (at, stop),
        }
    }

    /// Behind the escape at a place: `\c`, `\C-` and `\M-` may be followed by others.
    fn behind_escape(&self, mut at: usize) -> usize {
        loop {
            let prefix = match self.source.get(at + 1) {
                Some(b'c') => 2,
                Some(b'C' | b'M') if self.source.get(at + 2) == Some(&b'-') => 3,
                Some(b'u') if self.source.get(at + 2) == Some(&b'{') => {
                    let rest = &self.source[at..];
                    return at + memchr::memchr(b'}', rest).map_or(rest.len(), |offset| offset + 1);
                }
                Some(b'u') => return at + 2 + self.digits(at + 2, 4),
                Some(b'x') => return at + 2 + self.digits(at + 2, 2),
                _ => return at + 2,
            };
            at += prefix;
            if self.source.get(at) != Some(&b'\\') {
                return at + 1;
            }
        }
    }

    /// Whether `stop` lies between the braces of an escape that begins behind `start`.
    fn in_braces(&self, start: usize, stop: usize) -> bool {
        let text = &self.source[start..stop];
        text.windows(3).rposition(|three| three == b"\\u{").is_some_and(|open| !text[open..].contains(&b'}'))
    }

    /// How many of at most `max` bytes from a place on are hexadecimal digits.
    fn digits(&self, at: usize, max: usize) -> usize {
        self.source[at.min(self.source.len())..].iter().take(max).take_while(|byte| byte.is_ascii_hexdigit()).count()
    }

    /// What lies between tokens, and behind the last one.
    fn blanks(&self, pieces: &[Piece], eof: usize) -> (Blanks, Vec<Piece>) {
        let mut at = if self.source.starts_with(MARK) { MARK.len() } else { 0 };
        let mut order: Vec<&Piece> = pieces.iter().collect();
        order.sort_by_key(|piece| piece.start);
        let mut blanks = Vec::new();
        for piece in &order {
            if piece.start > at {
                blanks.push((piece.start, self.gap(at, piece.start)));
            }
            at = at.max(piece.stop);
        }
        let ended = order.last().is_some_and(|piece| piece.event == Event::End);
        let last = if ended { at } else { self.source.len() };
        let tail = if last > at && !(eof < at && ended) { self.gap(at, last) } else { Vec::new() };
        (blanks, tail)
    }

    /// Characters that begin nothing are no tokens.
    fn gap(&self, from: usize, to: usize) -> Vec<Piece> {
        let text = &self.source[from..to];
        let text = &text[..text.iter().position(|byte| matches!(byte, 0 | 4 | 0x1a)).unwrap_or(text.len())];
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let (event, len) = blank(&text[at..]);
            if let Some(event) = event {
                let (start, end) = (from + at, from + at + len);
                pieces.push(Piece { event, start, end, stop: end, state: 0 });
            }
            at += len;
        }
        pieces
    }

    /// Pieces of text that Prism divides by lines are one token, except in heredocs while their indentation is taken
    /// away.
    fn joined(&mut self, pieces: &[Piece]) -> Vec<Piece> {
        let mut heredocs: Vec<Heredoc> = Vec::new();
        let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece.event {
                Event::HeredocBeg => heredocs.push(Heredoc {
                    indentation: if self.text(piece).starts_with(b"<<~") { usize::MAX } else { 0 },
                    depth: 0,
                }),
                Event::HeredocEnd => {
                    if let Some(width) = heredocs
                        .pop()
                        .map(|heredoc| heredoc.indentation)
                        .filter(|width| *width > 0 && *width < usize::MAX)
                    {
                        self.result.dedents.push((piece.start, width));
                    }
                }
                Event::EmbexprBeg | Event::Embvar => {
                    let column = self.column(piece.start);
                    if let Some(heredoc) = heredocs.last_mut() {
                        if heredoc.depth == 0 && column == 0 {
                            heredoc.indentation = 0;
                        }
                        heredoc.depth += (piece.event == Event::EmbexprBeg) as usize;
                    }
                }
                Event::EmbexprEnd => {
                    if let Some(heredoc) = heredocs.last_mut() {
                        heredoc.depth = heredoc.depth.saturating_sub(1);
                    }
                }
                Event::TstringContent => {
                    let divided = match heredocs.last_mut() {
                        Some(heredoc) if heredoc.depth == 0 => {
                            let before = heredoc.indentation;
                            let width = widths(
                                &self.source[piece.start..piece.end],
                                position(self.source, self.lines, piece.start).1,
                            );
                            heredoc.indentation = before.min(width);
                            before > 0
                        }
                        _ => false,
                    };
                    if let Some(last) = joined.last_mut()
                        && last.event == Event::TstringContent
                        && last.stop == piece.start
                        && !divided
                        && !self.result.moved.iter().any(|(_, at)| *at == last.start || *at == piece.start)
                    {
                        (last.end, last.stop) = (piece.end, piece.stop);
                        continue;
                    }
                }
                _ => {}
            }
            joined.push(*piece);
        }
        joined
    }

    /// Blanks have the state of what precedes them. Ripper looks for a leading dot behind each line: comments there,
    /// and the blanks before them, have the state that the line ended with.
    fn order(&mut self, pieces: &[Piece], blanks: &Blanks, last: &[Piece]) {
        let mut names = Names::default();
        let mut opened = Vec::new();
        let mut now = state::BEG;
        let mut ended = None;
        let mut dedents = std::mem::take(&mut self.result.dedents);
        dedents.sort_unstable();
        for piece in pieces {
            let mut piece = *piece;
            let comment = piece.event == Event::Comment;
            if let Some(state) = ended
                && !comment
            {
                now = after_line(state);
            }
            let before = if comment { ended.unwrap_or(now) } else { now };
            if let Ok(at) = blanks.binary_search_by_key(&piece.start, |(start, _)| *start) {
                self.result.pieces.extend(blanks[at].1.iter().map(|blank| Piece { state: before, ..*blank }));
            }
            let mut after = piece.state;
            if !comment {
                ended = None;
            }
            match piece.event {
                Event::Comment => {
                    (piece.state, after) = (before, before);
                    ended = Some(before);
                }
                Event::Nl => ended = Some(now),
                Event::RegexpBeg | Event::HeredocBeg => opened.push(after),
                Event::RegexpEnd | Event::HeredocEnd => piece.state = opened.pop().unwrap_or(after),
                _ => {}
            }
            if piece.event == Event::WordsSep {
                self.split(piece);
            } else {
                if piece.event == Event::HeredocEnd
                    && let Ok(at) = dedents.binary_search_by_key(&piece.start, |(start, _)| *start)
                {
                    self.result.dedents.push((self.result.pieces.len(), dedents[at].1));
                }
                self.result.pieces.push(piece);
            }
            now = names.state_after(self.source, &piece).unwrap_or(after);
        }
        let state = ended.unwrap_or(now);
        self.result.pieces.extend(last.iter().map(|blank| Piece { state, ..*blank }));
        self.hold_line_ends();
    }

    /// Behind the end of a line Ripper looks for a leading dot: it tells the comments that it meets there first.
    fn hold_line_ends(&mut self) {
        let pieces = &mut self.result.pieces;
        let mut at = 0;
        while at < pieces.len() {
            let mut end = at + 1;
            let mut next = end;
            while next < pieces.len() && matches!(pieces[next].event, Event::Sp | Event::Comment) {
                next += 1;
                if pieces[next - 1].event == Event::Comment {
                    end = next;
                }
            }
            let dot = pieces.get(next).is_some_and(|piece| {
                self.source[piece.start..piece.end].starts_with(b".") || self.source[piece.start..piece.end] == *b"&."
            });
            if end > at + 1 && (pieces[at].event == Event::Nl || pieces[at].event == Event::IgnoredNl && dot) {
                pieces[at..end].rotate_left(1);
            }
            at = end;
        }
    }

    /// Separators of words are one token a line.
    fn split(&mut self, piece: Piece) {
        let mut start = piece.start;
        for line in self.source[piece.start..piece.end].split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            self.result.pieces.push(Piece { start, end, stop: end, ..piece });
            start = end;
        }
    }
}

/// A heredoc whose text is read: the columns that all its lines so far begin with, and how deep in embedded expressions
/// it is.
struct Heredoc {
    indentation: usize,
    depth: usize,
}

/// The columns that all lines of a text begin with, of those that are not blank.
fn widths(text: &[u8], column: usize) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n').skip((column != 0) as usize);
    let lines = lines.filter(|line| line.last() != Some(&b'\n') || !line.iter().all(u8::is_ascii_whitespace));
    lines.map(width).min().unwrap_or(usize::MAX)
}

/// How many columns of blanks a line begins with.
fn width(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r'));
    blanks.fold(0, |width, byte| if *byte == b'\t' { (width / 8 + 1) * 8 } else { width + 1 })
}

/// The event of what a text of blanks begins with, and its length in bytes.
fn blank(text: &[u8]) -> (Option<Event>, usize) {
    let line_end = |text: &[u8]| match text {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    match text {
        [b'\\', b' ', ..] => (Some(Event::Sp), 2),
        [b'\\', rest @ ..] if line_end(rest) > 0 => (Some(Event::Sp), 1 + line_end(rest)),
        // A backslash that nothing belongs to.
        [b'\\', b'\t' | 0x0b | 0x0c | b'\r', ..] => (Some(Event::Char), 2),
        [b'\\', ..] => (Some(Event::Char), 1),
        _ if line_end(text) > 0 => (Some(Event::Nl), line_end(text)),
        _ => {
            let mut len = 0;
            while matches!(text[len..], [b' ' | b'\t' | 0x0b | 0x0c | b'\r', ..]) && line_end(&text[len..]) == 0 {
                len += 1;
            }
            if len > 0 { (Some(Event::Sp), len) } else { (None, 1) }
        }
    }
}

fn after_line(state: u32) -> u32 {
    if state & (state::BEG | state::CLASS | state::FNAME | state::DOT) == 0 { state::BEG } else { state }
}

/// The index of a place's line and its column in bytes. The mark of UTF-8 at the beginning counts for nothing.
pub fn position(source: &[u8], lines: &[usize], at: usize) -> (usize, usize) {
    let line = lines.partition_point(|start| *start <= at).saturating_sub(1);
    let start = lines.get(line).copied().unwrap_or(0);
    let mark = if line == 0 && source.starts_with(MARK) { MARK.len() } else { 0 };
    (line, (at - start).saturating_sub(mark))
}

/// The index of the line and the column of each token. Most follow one another.
pub fn places(source: &[u8], lines: &[usize], pieces: &[Piece]) -> Vec<(usize, usize)> {
    let mut line = 0;
    let of = |piece: &Piece| {
        let follows = lines.get(line).is_some_and(|start| *start <= piece.start);
        let here = follows && lines.get(line + 1).is_none_or(|next| piece.start < *next);
        if !here || line == 0 {
            let place = position(source, lines, piece.start);
            line = place.0;
            return place;
        }
        (line, piece.start - lines[line])
    };
    pieces.iter().map(of).collect()
}

/// Where Ripper sets a state once it has seen a whole symbol, the parameters of a definition, or the first name of two.
#[derive(Default)]
struct Names {
    previous: Option<Piece>,
    /// The last keyword of the line.
    word: Option<Piece>,
    depth: i64,
    /// The depth of the parentheses around the parameters of a definition.
    definition: Option<i64>,
}

impl Names {
    fn state_after(&mut self, source: &[u8], piece: &Piece) -> Option<u32> {
        let state = self.previous.and_then(|previous| self.special(source, &previous, piece));
        match piece.event {
            Event::Kw => self.word = Some(*piece),
            Event::Nl => self.word = None,
            _ => {}
        }
        self.previous = Some(*piece);
        state
    }

    fn special(&mut self, source: &[u8], previous: &Piece, piece: &Piece) -> Option<u32> {
        let text = |piece: &Piece| &source[piece.start..piece.end];
        if previous.event == Event::Symbeg && text(previous) == b":" && piece.event != Event::TstringContent {
            return Some(state::END);
        }
        let word = self.word.map_or(&b""[..], |word| text(&word));
        match piece.event {
            Event::Lparen => {
                if word == b"def" && previous.state & state::ENDFN != 0 {
                    self.definition = Some(self.depth);
                }
                self.depth += 1;
            }
            Event::Rparen => {
                self.depth -= 1;
                if self.definition == Some(self.depth) {
                    self.definition = None;
                    return Some(state::BEG);
                }
            }
            _ => {}
        }
        let two = (word == b"alias" || word == b"undef") && previous.event == Event::Kw && text(previous) == word;
        (two && piece.state & state::ENDFN != 0).then_some(state::FNAME | state::FITEM)
    }
}
