//! Exceptions: message, cause and backtrace.
//!
//! A backtrace is recorded as positions and turned into text when it is asked for.

use super::handle::handle;
use crate::code::Code;
use crate::ctx::{Ctx, Layout};
use rubellite_value::{Header, Tag, Value};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};

/// One level of a recorded backtrace.
#[derive(Copy, Clone)]
pub struct Position {
    /// Code, or nil for a native method (its location is that of the next level with code).
    pub code: Value,
    pub method: Value,
    /// Behind the instruction that runs; 0: at the beginning of the code.
    pub pc: u32,
    /// Frame flags.
    pub kind: u16,
}

impl Position {
    /// The line that the code has come to.
    pub fn line(&self) -> i32 {
        let Some(code) = Code::try_of(self.code) else { return 0 };
        let iseq = code.iseq();
        if self.kind & crate::frame::frame_flags::AT_STATEMENT != 0
            && let Some(line) = iseq.statement_at(self.pc.saturating_sub(1))
        {
            return line;
        }
        match self.pc {
            0 => iseq.line,
            pc => iseq.line_at(pc as usize - 1),
        }
    }
}

/// A recorded backtrace. Short ones lie in the exception's cell: a thread that raises for the first time then needs no
/// memory of its own, and no page of it is touched for the first time.
pub type Positions = SmallVec<[Position; 5]>;

#[repr(C)]
pub struct RException {
    header: Header,
    /// What `message` starts from; undef: the class name.
    message: Cell<Value>,
    cause: Cell<Value>,
    /// An Array of Strings or of Locations set by Ruby code; nil: use `positions`.
    backtrace: Cell<Value>,
    locations: Cell<Value>,
    positions: RefCell<Option<Positions>>,
}

// SAFETY: repr(C), begins with a Header, at most 256 bytes.
unsafe impl Layout for RException {
    const TAG: Tag = Tag::Exception;
}

/// How many causes are looked through for a circle.
const LONGEST_CHAIN: usize = 10_000;

handle! {
    /// Handle of an exception.
    Exception "Exception": RException, Tag::Exception
}

impl Exception {
    pub fn new(ctx: &mut Ctx, klass: Value, message: Value) -> Exception {
        Exception(ctx.alloc(RException {
            header: Header::new(Tag::Exception, klass),
            message: Cell::new(message),
            cause: Cell::new(Value::UNDEF),
            backtrace: Cell::new(Value::NIL),
            locations: Cell::new(Value::NIL),
            positions: RefCell::new(None),
        }))
    }

    /// The message object, or undef when none was given.
    pub fn message(self) -> Value {
        self.raw().message.get()
    }

    pub fn set_message(self, ctx: &Ctx, message: Value) {
        self.raw().message.set(message);
        ctx.write_barrier(self.0, message);
    }

    pub fn is_frozen(self) -> bool {
        self.raw().header.frozen()
    }

    /// undef while there is none and the exception has not become a cause itself: raised again, it may still get one.
    pub fn cause(self) -> Value {
        self.raw().cause.get()
    }

    pub fn set_cause(self, ctx: &Ctx, cause: Value) {
        self.raw().cause.set(cause);
        ctx.write_barrier(self.0, cause);
    }

    /// Sets the cause and settles that of the cause: a later raise makes no circle of them.
    pub fn settle_cause(self, ctx: &Ctx, cause: Value) {
        self.set_cause(ctx, cause);
        if let Some(cause) = Exception::try_of(cause).filter(|cause| cause.cause().is_undef()) {
            cause.set_cause(ctx, Value::NIL);
        }
    }

    /// Whether this is `start` or among its causes.
    pub fn is_in_causes(self, start: Value) -> bool {
        let (mut at, mut steps) = (start, 0);
        while let Some(e) = Exception::try_of(at).filter(|_| steps < LONGEST_CHAIN) {
            if e.0 == self.0 {
                return true;
            }
            at = e.cause();
            steps += 1;
        }
        false
    }

    /// The backtrace that Ruby code has set or seen, or nil.
    pub fn backtrace_value(self) -> Value {
        self.raw().backtrace.get()
    }

    pub fn set_backtrace_value(self, ctx: &Ctx, backtrace: Value) {
        self.raw().backtrace.set(backtrace);
        ctx.write_barrier(self.0, backtrace);
    }

    pub fn locations_value(self) -> Value {
        self.raw().locations.get()
    }

    pub fn set_locations_value(self, ctx: &Ctx, locations: Value) {
        self.raw().locations.set(locations);
        ctx.write_barrier(self.0, locations);
    }

    /// Whether a backtrace has been recorded or set.
    pub fn has_backtrace(self) -> bool {
        !self.raw().backtrace.get().is_nil() || self.raw().positions.borrow().is_some()
    }

    pub fn set_positions(self, ctx: &Ctx, positions: Positions) {
        ctx.will_change(self.0);
        *self.raw().positions.borrow_mut() = Some(positions);
    }

    pub fn clear_positions(self) {
        *self.raw().positions.borrow_mut() = None;
    }

    pub fn positions(self) -> Option<Positions> {
        self.raw().positions.borrow().clone()
    }

    /// Copies message, cause and backtrace (`Exception#exception`, `dup`).
    pub fn copy_from(self, ctx: &Ctx, other: Exception) {
        self.set_message(ctx, other.message());
        self.set_cause(ctx, other.cause());
        self.set_backtrace_value(ctx, other.backtrace_value());
        self.set_locations_value(ctx, other.locations_value());
        ctx.will_change(self.0);
        *self.raw().positions.borrow_mut() = other.raw().positions.borrow().clone();
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        let raw = self.raw();
        for v in [raw.message.get(), raw.cause.get(), raw.backtrace.get(), raw.locations.get()] {
            mark(v);
        }
        if let Some(positions) = raw.positions.borrow().as_ref() {
            for p in positions {
                mark(p.code);
                mark(p.method);
            }
        }
    }

    /// Frees the recorded positions.
    pub(crate) fn release(self) {
        *self.raw().positions.borrow_mut() = None;
    }
}
