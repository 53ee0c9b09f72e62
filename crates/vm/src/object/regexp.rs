//! Regexp: layout. The compiled program belongs to a crate that the VM does not know, so it is kept as a shared
//! value of any type, which may be used outside the VM lock while this object lives or not.

use super::cow_buf::SharedBytes;
use super::handle::{handle, layout};
use crate::Encoding;
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Sym, Tag, Value, flags};
use std::any::Any;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::time::Duration;

/// A compiled regular expression of the library that matches it.
pub type Compiled = Arc<dyn Any + Send + Sync>;

/// Everything that a regular expression is.
#[derive(Clone)]
pub struct RegexpState {
    /// What `Regexp#source` gives.
    pub source: SharedBytes,
    pub encoding: Encoding,
    /// The bits of `Regexp#options`.
    pub options: u32,
    /// The encoding of strings is prescribed (`Regexp#fixed_encoding?`).
    pub fixed_encoding: bool,
    /// The time limit of this regexp alone.
    pub timeout: Option<Duration>,
    /// Named groups in order, each with its group numbers.
    pub names: Arc<[(Sym, Vec<u32>)]>,
    /// The number of groups, without the whole match.
    pub groups: u32,
    pub compiled: Compiled,
}

/// Bytes of a compiled program, for each byte of its source, and for each property, whose letters it lists.
const PROGRAM: usize = 1 << 10;
const PROGRAM_PER_BYTE: usize = 6;
const PROPERTY: usize = 10 << 10;

/// The cell of a regular expression. 32 bytes.
#[repr(C)]
pub struct RRegexp {
    header: Header,
    state: UnsafeCell<Option<Box<RegexpState>>>,
}

layout!(RRegexp, Tag::Regexp);

handle! {
    /// A Regexp.
    Regexp "Regexp": RRegexp, Tag::Regexp
}

impl RRegexp {
    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.state.get() }.as_ref().map_or(0, |state| state.memory_size())
    }
}

impl RegexpState {
    /// Bytes, with those of the compiled program, which its engine does not tell: about as many as were measured for
    /// patterns of many kinds.
    fn memory_size(&self) -> usize {
        let properties = if self.source.contains(&b'\\') {
            self.source.windows(2).filter(|pair| matches!(**pair, [b'\\', b'p' | b'P'])).count()
        } else {
            0
        };
        size_of::<RegexpState>() + PROGRAM + PROGRAM_PER_BYTE * self.source.len() + PROPERTY * properties
    }
}

impl Regexp {
    /// A new Regexp.
    pub fn new(ctx: &mut Ctx, state: RegexpState) -> Regexp {
        let klass = ctx.classes().regexp.get();
        let regexp = Regexp::new_empty(ctx, klass);
        regexp.init(ctx, state);
        regexp
    }

    /// A regexp that is not initialised yet: what `Regexp.allocate` makes.
    pub fn new_empty(ctx: &mut Ctx, klass: Value) -> Regexp {
        Regexp(ctx.alloc(RRegexp { header: header(Tag::Regexp, klass), state: UnsafeCell::new(None) }))
    }

    /// Gives an allocated regexp its state.
    pub fn init(self, ctx: &mut Ctx, state: RegexpState) {
        let before = self.raw().memory_size();
        // SAFETY: `&mut Ctx` excludes every reference that `state` lent.
        unsafe { *self.raw().state.get() = Some(Box::new(state)) };
        ctx.note_malloc(self.raw().memory_size() as isize - before as isize);
    }

    /// The state; nothing for a regexp that is not initialised ("uninitialized Regexp").
    #[inline]
    pub fn state(self, _ctx: &Ctx) -> Option<&RegexpState> {
        // SAFETY: `init` takes `&mut Ctx`, which the borrow of `ctx` excludes.
        unsafe { &*self.raw().state.get() }.as_deref()
    }

    /// The compiled program, when it is of type `T`.
    #[inline]
    pub fn compiled<T: Any + Send + Sync>(self, ctx: &Ctx) -> Option<Arc<T>> {
        self.state(ctx)?.compiled.clone().downcast().ok()
    }

    /// The numbers of a named group; empty when there is none of this name.
    pub fn group_numbers(self, ctx: &Ctx, name: Sym) -> &[u32] {
        let names = self.state(ctx).map_or(&[][..], |state| &state.names);
        names.iter().find(|(known, _)| *known == name).map_or(&[], |(_, numbers)| numbers)
    }

    /// Freezes it, as what comes from a literal is.
    pub fn set_literal(self) {
        self.header().set(flags::FROZEN);
    }
}
