//! What a part of a pattern amounts to: whether it can match the empty string, and whether CRuby writes a counted
//! repeat out, which decides whether it matches one inside another in linear time. `rewrite.rs` adds up what it reads.

/// A repeat up to this size is written out, of characters alone twice that.
const WRITTEN_OUT_MAX: usize = 50;
/// An instruction that notes an alternative or jumps.
const JUMP: usize = 5;

#[derive(Copy, Clone)]
pub(crate) struct Extent {
    /// How long its code is in CRuby, roughly.
    size: usize,
    /// Nothing but characters that stand for themselves.
    literal: bool,
    /// Holds a counted repeat that is not written out.
    counts: bool,
    /// The last alternative can match the empty string.
    nullable: bool,
    /// An earlier alternative can.
    hollow: bool,
}

impl Extent {
    pub(crate) const EMPTY: Extent = Extent { size: 0, literal: true, counts: false, nullable: true, hollow: false };
    pub(crate) const ONE: Extent = Extent { size: 1, literal: false, nullable: false, ..Extent::EMPTY };
    pub(crate) const CLASS: Extent = Extent { size: 33, ..Extent::ONE };

    /// A character of so many bytes.
    pub(crate) fn literal(len: usize) -> Extent {
        Extent { size: 1 + len, literal: true, ..Extent::ONE }
    }

    pub(crate) fn is_nullable(&self) -> bool {
        self.nullable || self.hollow
    }

    pub(crate) fn append(&mut self, next: Extent) {
        let joined = self.literal && next.literal && self.size > 0 && next.size > 0;
        self.size = self.size.saturating_add(next.size - usize::from(joined));
        self.literal &= next.literal;
        self.counts |= next.counts;
        self.nullable &= next.is_nullable();
    }

    /// Another alternative begins.
    pub(crate) fn branch(&mut self) {
        *self = Extent {
            size: self.size.saturating_add(2 * JUMP),
            literal: false,
            counts: self.counts,
            nullable: true,
            hollow: self.is_nullable(),
        };
    }

    pub(crate) fn capturing(self) -> Extent {
        Extent { size: self.size.saturating_add(6), literal: false, ..self }
    }

    /// A group that looks around with this content.
    pub(crate) fn looking(self) -> Extent {
        Extent { literal: false, nullable: true, ..self }
    }

    /// Repeats it; tells whether a counted repeat is then inside another one.
    pub(crate) fn repeat(&mut self, (min, max): (usize, Option<usize>)) -> bool {
        let nested = self.counts && max.is_none_or(|max| max > 1);
        self.nullable |= min == 0;
        if self.literal
            && max == Some(min)
            && self.size > 0
            && (self.size - 1).saturating_mul(min) <= 2 * WRITTEN_OUT_MAX
        {
            self.size = 1 + (self.size - 1) * min;
            return nested;
        }
        let written = match max {
            None => self.size.saturating_mul(min),
            Some(max) => self.size.saturating_add(JUMP).saturating_mul(max),
        };
        self.literal = false;
        if written <= WRITTEN_OUT_MAX || matches!((min, max), (0 | 1, None) | (_, Some(1))) {
            self.size = written.saturating_add(if max.is_none() { self.size.saturating_add(2 * JUMP) } else { 0 });
        } else {
            self.size = self.size.saturating_add(2 * JUMP + 1);
            self.counts = true;
        }
        nested
    }
}

/// The numbers of a quantifier.
pub(crate) fn bounds(quantifier: &[u8]) -> (usize, Option<usize>) {
    match quantifier {
        [b'*'] => (0, None),
        [b'+'] => (1, None),
        [b'{', inner @ .., b'}'] => {
            let number = |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            let mut parts = inner.splitn(2, |&b| b == b',');
            let min = parts.next().and_then(number);
            let max = parts.next().map_or(min, number);
            (min.unwrap_or(0), max)
        }
        _ => (0, Some(1)),
    }
}

/// Length of the blanks and comments at the front of an extended pattern.
pub(crate) fn ignored_len(text: &[u8]) -> usize {
    let mut pos = 0;
    loop {
        pos += match &text[pos..] {
            [b'#', rest @ ..] => 1 + rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1),
            [b' ' | b'\t'..=b'\r', ..] => 1,
            _ => return pos,
        };
    }
}

/// Length of the quantifier at the front, without what makes it lazy or possessive, or 0.
pub(crate) fn quantifier_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'*' | b'+' | b'?') => 1,
        Some(b'{') => interval_len(text),
        _ => 0,
    }
}

/// Length of `{n}`, `{n,}`, `{,m}` or `{n,m}` at the front, or 0.
fn interval_len(text: &[u8]) -> usize {
    let Some(close) = text.iter().position(|&b| b == b'}') else {
        return 0;
    };
    let inner = &text[1..close];
    let commas = inner.iter().filter(|&&b| b == b',').count();
    let digits = inner.iter().filter(|b| b.is_ascii_digit()).count();
    if digits > 0 && commas <= 1 && digits + commas == inner.len() { close + 1 } else { 0 }
}

/// Whether the bounds `n,m` of an interval are the wrong way round.
pub(crate) fn is_reversed(bounds: &[u8]) -> bool {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    let mut parts = bounds.splitn(2, |&b| b == b',');
    match (parts.next().and_then(number), parts.next().and_then(number)) {
        (Some(lower), Some(upper)) => lower > upper,
        _ => false,
    }
}
