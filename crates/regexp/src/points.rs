//! What `rewrite.rs` tells about a pattern: its check points in the order of the text, counted repeats, and what
//! decides whether failures may be remembered.

/// What a check point is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Plain,
    /// The begin of a look-ahead or atomic group.
    Begin,
    /// The content of such a group has matched.
    End,
    /// The content of a look-ahead has failed.
    Final,
    /// The begin of a counted repeat: its counter is 0 from here on.
    Repeat,
    /// Behind an iteration of a counted repeat.
    Iteration,
}

/// A counted repeat that is counted at its points.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Counter {
    /// How many counts there are to tell from each other.
    pub counts: usize,
    /// The innermost counter around it.
    pub outer: Option<usize>,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Point {
    pub kind: Kind,
    /// The innermost look-ahead or atomic group around it; 0 is none.
    pub group: usize,
    /// Whether reaching it again at the same place, with the same counts, must end as before.
    pub repeatable: bool,
    /// The innermost counter that what follows depends on.
    pub counter: Option<usize>,
}

/// What the translation found out about a pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traits {
    pub backreference: bool,
    pub subexp_call: bool,
    /// A look-around holds a group that captures.
    pub captures_in_look_around: bool,
    /// There are look-ahead or atomic groups.
    pub isolating: bool,
    /// An atomic group holds another one or a look-around, or stands in one.
    pub nested_atomic: bool,
    pub absent: bool,
    pub conditional: bool,
    /// A counted repeat stands inside another one, and neither is written out.
    pub nested_counts: bool,
    /// `\G`
    pub search_start: bool,
    /// It begins with look-ahead, and repeats any character without end: Oniguruma then may try the begins of lines
    /// only, whatever the look-ahead asks for.
    pub leading_look: bool,
    pub repeats_any: bool,
    /// There is a repeat without end.
    pub loops: bool,
    /// Both, so that any character is written as a group.
    pub misled: bool,
    /// What is repeated can match the empty string.
    pub empty_loops: bool,
    /// The way back over check points is told, and isolating groups have points of their own.
    pub tracked: bool,
    pub points: Vec<Point>,
    /// There are counted repeats.
    pub counts: bool,
    pub counters: Vec<Counter>,
}

impl Traits {
    /// `Regexp.linear_time?`
    pub(crate) fn is_linear(&self) -> bool {
        self.remembers() && !self.nested_counts
    }

    /// Whether failures at check points may be remembered: what follows a point must depend on nothing but the place
    /// and counts.
    pub(crate) fn remembers(&self) -> bool {
        let asks_for_more = self.backreference || self.subexp_call || self.absent || self.conditional;
        !(asks_for_more || self.captures_in_look_around || self.nested_atomic)
    }
}
