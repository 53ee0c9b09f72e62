//! Range: layout. A range is begin, end and whether the end is excluded; it changes only while it is initialised.

use super::handle::{handle, layout};
use crate::ctx::{Ctx, header};
use rubellite_value::{Flag, Header, Tag, Value, flags};
use std::cell::Cell;

/// The cell of a range. 32 bytes.
#[repr(C)]
pub struct RRange {
    header: Header,
    begin: Cell<Value>,
    end: Cell<Value>,
}

layout!(RRange, Tag::Range);

handle! {
    /// A Range.
    Range "Range": RRange, Tag::Range
}

const EXCLUDES_END: Flag = flags::TYPE_0;
const INITIALIZED: Flag = flags::TYPE_1;

impl RRange {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        visit(self.begin.get());
        visit(self.end.get());
    }
}

impl Range {
    /// A new frozen Range. Whether the ends can be compared is checked by the caller.
    pub fn new(ctx: &mut Ctx, begin: Value, end: Value, exclude_end: bool) -> Range {
        let klass = ctx.classes().range.get();
        let range = Range::new_in(ctx, klass, begin, end, exclude_end);
        range.header().set(flags::FROZEN);
        range
    }

    /// The same in class `klass`, and not frozen.
    pub fn new_in(ctx: &mut Ctx, klass: Value, begin: Value, end: Value, exclude_end: bool) -> Range {
        let header = header(Tag::Range, klass);
        header.set(INITIALIZED);
        header.put(EXCLUDES_END, exclude_end);
        Range(ctx.alloc(RRange { header, begin: Cell::new(begin), end: Cell::new(end) }))
    }

    /// A range that is not initialised yet: what `Range.allocate` makes.
    pub fn new_empty(ctx: &mut Ctx, klass: Value) -> Range {
        let range = Range::new_in(ctx, klass, Value::NIL, Value::NIL, false);
        range.header().clear(INITIALIZED);
        range
    }

    /// Gives an allocated range its ends.
    pub fn init(self, ctx: &mut Ctx, begin: Value, end: Value, exclude_end: bool) {
        self.raw().begin.set(begin);
        self.raw().end.set(end);
        ctx.write_barrier(self.0, begin);
        ctx.write_barrier(self.0, end);
        self.header().put(EXCLUDES_END, exclude_end);
        self.header().set(INITIALIZED);
    }

    pub fn is_initialized(self) -> bool {
        self.header().has(INITIALIZED)
    }

    #[inline(always)]
    pub fn begin(self) -> Value {
        self.raw().begin.get()
    }

    #[inline(always)]
    pub fn end(self) -> Value {
        self.raw().end.get()
    }

    #[inline(always)]
    pub fn exclude_end(self) -> bool {
        self.header().has(EXCLUDES_END)
    }
}
