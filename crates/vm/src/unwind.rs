//! Non-local exits: exceptions, `throw`, `break`, `return` out of blocks, and kills. `Err(Unwind)` says that one is
//! under way; what it is lies in `Ctx::pending`. How frames are popped is `interp/unwinding.rs`.

use crate::ctx::{Ctx, Layout};
use crate::frame::Frame;
use rubellite_value::{Header, Tag, Value};

/// The mark of a non-local exit under way. It carries nothing: the pending exception, throw, break or
/// return lies in the `Ctx` until somebody catches it, so that a `Result` stays two registers wide.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unwind;

/// What everything that may run Ruby code returns.
pub type Result<T = Value> = std::result::Result<T, Unwind>;

/// The exit under way.
#[derive(Copy, Clone)]
pub enum Pending {
    None,
    Raise(Value),
    /// `throw tag, value`
    Throw {
        tag: Value,
        value: Value,
    },
    /// `break` out of a block: ends the call that `home` is making.
    Break {
        home: *mut Frame,
        value: Value,
    },
    /// `break` or `next` out of a class body in a `while` loop of `home`.
    Loop {
        home: *mut Frame,
        next: bool,
        value: Value,
    },
    /// `return` out of a block or lambda: `target` returns.
    Return {
        target: *mut Frame,
        value: Value,
    },
    /// The thread is being killed; nothing but ensure clauses catches it.
    Kill,
    /// No exit: the running loop is left for the other one, because tracing began or ended.
    Retrace,
}

impl Pending {
    pub(crate) fn trace(&self, mut mark: impl FnMut(Value)) {
        match *self {
            Pending::Raise(v)
            | Pending::Break { value: v, .. }
            | Pending::Loop { value: v, .. }
            | Pending::Return { value: v, .. } => mark(v),
            Pending::Throw { tag, value } => {
                mark(tag);
                mark(value);
            }
            Pending::None | Pending::Kill | Pending::Retrace => {}
        }
    }
}

/// A pending exit kept in a register while an ensure clause runs.
#[repr(C)]
pub struct RUnwind {
    header: Header,
    pending: Pending,
}

// SAFETY: repr(C), begins with a Header, at most 64 bytes.
unsafe impl Layout for RUnwind {
    const TAG: Tag = Tag::Unwind;
}

impl RUnwind {
    pub(crate) fn trace(value: Value, mark: impl FnMut(Value)) {
        // SAFETY: called for cells with the Unwind tag.
        unsafe { &*value.as_ptr::<RUnwind>() }.pending.trace(mark);
    }
}

impl Ctx {
    /// The pending exit as a value of a register, or of a local while other code runs: an exception is itself, anything
    /// else a token. A `Pending` in a local is not found by the collector: the compiler may keep it at any address,
    /// byte by byte.
    pub fn pending_to_value(&mut self) -> Value {
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::Raise(exception) => exception,
            pending => self.alloc(RUnwind { header: Header::new(Tag::Unwind, Value::FALSE), pending }),
        }
    }

    /// Makes such an exit pending again.
    pub fn rethrow(&mut self, value: Value) -> Unwind {
        self.pending = if value.has_tag(Tag::Unwind) {
            // SAFETY: the tag was checked.
            unsafe { &*value.as_ptr::<RUnwind>() }.pending
        } else {
            Pending::Raise(value)
        };
        Unwind
    }

    /// The pending exception, if the exit under way is one.
    pub fn pending_exception(&self) -> Option<Value> {
        if let Pending::Raise(v) = self.pending { Some(v) } else { None }
    }

    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Takes the pending exception, which ends the exit; `None` (and nothing changed) for other exits.
    pub fn take_exception(&mut self) -> Option<Value> {
        let exception = self.pending_exception()?;
        self.pending = Pending::None;
        Some(exception)
    }

    /// Takes the exit whatever it is, to look at it. Kept while other code runs it is a value: `pending_to_value`.
    pub fn take_pending(&mut self) -> Pending {
        std::mem::replace(&mut self.pending, Pending::None)
    }

    pub fn set_pending(&mut self, pending: Pending) -> Unwind {
        self.pending = pending;
        Unwind
    }

    pub fn clear_pending(&mut self) {
        self.pending = Pending::None;
    }

    /// Runs `body`, then `cleanup` whatever came of it (a native ensure). An exit out of the cleanup wins.
    pub fn ensure<T>(
        &mut self,
        body: impl FnOnce(&mut Ctx) -> Result<T>,
        cleanup: impl FnOnce(&mut Ctx) -> Result<()>,
    ) -> Result<T> {
        let outcome = body(self);
        match outcome {
            Ok(value) => {
                cleanup(self)?;
                Ok(value)
            }
            Err(_) => {
                let saved = self.pending_to_value();
                cleanup(self)?;
                Err(self.rethrow(saved))
            }
        }
    }

    /// Runs `body`; an exception that is a `class` is taken and given to `handler`.
    pub fn rescue<T>(
        &mut self,
        class: Value,
        body: impl FnOnce(&mut Ctx) -> Result<T>,
        handler: impl FnOnce(&mut Ctx, Value) -> Result<T>,
    ) -> Result<T> {
        let errinfo = self.errinfo;
        match body(self) {
            Err(_) if self.pending_exception().is_some_and(|e| self.is_a(e, class)) => {
                let exception = self.take_exception().unwrap_or(Value::NIL);
                self.errinfo = errinfo;
                handler(self, exception)
            }
            outcome => outcome,
        }
    }

    /// `$!`
    #[inline]
    pub fn errinfo(&self) -> Value {
        self.errinfo
    }

    #[inline]
    pub fn set_errinfo(&mut self, value: Value) {
        self.errinfo = value;
    }
}

impl Ctx {
    /// Registers the tag of a `catch` that begins.
    pub fn push_catch_tag(&mut self, tag: Value) {
        self.catch_tags.push(tag);
    }

    /// Ends the innermost `catch`.
    pub fn pop_catch_tag(&mut self) {
        self.catch_tags.pop();
    }

    /// Whether a `catch` of this fiber waits for `tag`.
    pub fn has_catch_tag(&self, tag: Value) -> bool {
        self.catch_tags.contains(&tag)
    }
}
