//! MatchData: layout. A match keeps its regexp, a frozen copy of the string and the byte positions of the groups.

use super::Str;
use super::handle::{handle, layout};
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Tag, Value};
use std::cell::{Cell, UnsafeCell};
use std::ops::Range;

/// The bytes of one group: `start..end`, or nothing when the group took no part in the match.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub const NONE: Span = Span { start: usize::MAX, end: usize::MAX };

    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    #[inline]
    pub fn range(self) -> Option<Range<usize>> {
        if self.start == usize::MAX { None } else { Some(self.start..self.end) }
    }
}

impl From<Option<Range<usize>>> for Span {
    fn from(range: Option<Range<usize>>) -> Span {
        range.map_or(Span::NONE, |range| Span::new(range.start, range.end))
    }
}

/// The cell of a match. 48 bytes.
#[repr(C)]
pub struct RMatch {
    header: Header,
    regexp: Cell<Value>,
    string: Cell<Str>,
    spans: UnsafeCell<Box<[Span]>>,
}

layout!(RMatch, Tag::MatchData);

handle! {
    /// A MatchData.
    MatchData "MatchData": RMatch, Tag::MatchData
}

impl RMatch {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        visit(self.regexp.get());
        visit(self.string.get().value());
    }

    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        size_of_val(&**unsafe { &*self.spans.get() })
    }
}

impl MatchData {
    /// A new MatchData. `regexp` is a Regexp, `string` a frozen String that nobody else changes; `spans[0]` is the
    /// whole match.
    pub fn new(ctx: &mut Ctx, regexp: Value, string: Str, spans: &[Span]) -> MatchData {
        let cell = RMatch {
            header: header(Tag::MatchData, ctx.classes().match_data.get()),
            regexp: Cell::new(regexp),
            string: Cell::new(string),
            spans: UnsafeCell::new(spans.into()),
        };
        MatchData(ctx.alloc(cell))
    }

    /// Takes over everything from another match (`MatchData#initialize_copy`).
    pub fn replace(self, ctx: &mut Ctx, other: MatchData) {
        let spans: Box<[Span]> = other.spans(ctx).into();
        self.raw().regexp.set(other.regexp());
        self.raw().string.set(other.string());
        ctx.write_barrier(self.0, other.regexp());
        ctx.write_barrier(self.0, other.string().value());
        // SAFETY: `&mut Ctx` excludes every slice that was lent.
        unsafe { *self.raw().spans.get() = spans };
    }

    /// The Regexp.
    #[inline]
    pub fn regexp(self) -> Value {
        self.raw().regexp.get()
    }

    /// The frozen String that was searched.
    #[inline]
    pub fn string(self) -> Str {
        self.raw().string.get()
    }

    /// The byte positions of all groups, the whole match first.
    #[inline]
    pub fn spans(self, _ctx: &Ctx) -> &[Span] {
        // SAFETY: `replace` takes `&mut Ctx`, which the borrow of `ctx` excludes.
        unsafe { &*self.raw().spans.get() }
    }

    /// The bytes of group `n`, when it exists and took part.
    #[inline]
    pub fn group(self, ctx: &Ctx, n: usize) -> Option<Range<usize>> {
        self.spans(ctx).get(n)?.range()
    }
}
