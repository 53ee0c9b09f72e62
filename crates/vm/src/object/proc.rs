//! Procs: blocks made into objects.

use super::handle::handle;
use crate::code::Code;
use crate::ctx::{Ctx, Layout};
use crate::frame::Frame;
use rubellite_value::{Flag, Header, Sym, Tag, Value, flags};
use std::cell::Cell;

/// A function that a native Proc runs: context, the Proc's data, arguments.
pub type NativeBlock = fn(&mut Ctx, Value, crate::call::Args) -> crate::Result;

#[derive(Copy, Clone)]
pub enum ProcBody {
    /// A block of Ruby code.
    Code(Code),
    /// `:name.to_proc`
    Symbol(Sym),
    /// `method(:x).to_proc`: the Method object.
    Method(Value),
    /// Rust code with one value of data. The number is the arity.
    Native(NativeBlock, Value, i32),
}

const LAMBDA: Flag = flags::TYPE_0;
const RUBY2_KEYWORDS: Flag = flags::TYPE_1;
/// Made by `define_method`'s own literal or `Method#to_proc`: keeps its lambda-ness.
const FROM_METHOD: Flag = flags::TYPE_2;
/// Cut off from the scope it was written in.
const ISOLATED: Flag = flags::TYPE_3;

#[repr(C)]
pub struct RProc {
    header: Header,
    body: ProcBody,
    self_value: Cell<Value>,
    env: Cell<Value>,
    cref: Value,
    /// The method in which the block was written.
    method: Value,
    /// Block of that method, for `yield` within the block.
    block: Cell<Value>,
    home: Cell<*mut Frame>,
    home_id: u64,
    returns: *mut Frame,
    returns_id: u64,
    pos: u32,
    /// The ractor that made it.
    ractor: u32,
}

// SAFETY: repr(C), begins with a Header, at most 128 bytes.
unsafe impl Layout for RProc {
    const TAG: Tag = Tag::Proc;
}

/// Where a block of code was written.
#[derive(Copy, Clone)]
pub struct Captured {
    pub self_value: Value,
    pub env: Value,
    pub cref: Value,
    pub method: Value,
    /// nil or a Proc: never a frame's handler.
    pub block: Value,
    pub(crate) home: *mut Frame,
    pub(crate) home_id: u64,
    /// The frame that `return` leaves.
    pub(crate) returns: *mut Frame,
    pub(crate) returns_id: u64,
    pub pos: u32,
}

handle! {
    /// Handle of a Proc.
    Proc "Proc": RProc, Tag::Proc
}

impl Proc {
    pub fn new(ctx: &mut Ctx, klass: Value, body: ProcBody, at: Captured, lambda: bool) -> Proc {
        let header = Header::new(Tag::Proc, klass);
        header.put(LAMBDA, lambda);
        let ractor = ctx.ractor_id();
        Proc(ctx.alloc(RProc {
            header,
            body,
            self_value: Cell::new(at.self_value),
            env: Cell::new(at.env),
            cref: at.cref,
            method: at.method,
            block: Cell::new(at.block),
            home: Cell::new(at.home),
            home_id: at.home_id,
            returns: at.returns,
            returns_id: at.returns_id,
            pos: at.pos,
            ractor,
        }))
    }

    /// A Proc that runs Rust code.
    pub fn native(ctx: &mut Ctx, function: NativeBlock, data: Value, arity: i32, lambda: bool) -> Value {
        let klass = ctx.classes().proc.get();
        Proc::new(ctx, klass, ProcBody::Native(function, data, arity), Captured::nowhere(), lambda).0
    }

    #[inline(always)]
    pub fn body(&self) -> &ProcBody {
        &self.raw().body
    }

    #[inline(always)]
    pub fn is_lambda(self) -> bool {
        self.raw().header.has(LAMBDA)
    }

    pub fn ruby2_keywords(self) -> bool {
        self.raw().header.has(RUBY2_KEYWORDS)
    }

    pub fn set_ruby2_keywords(self) {
        self.raw().header.set(RUBY2_KEYWORDS);
    }

    pub fn from_method(self) -> bool {
        self.raw().header.has(FROM_METHOD)
    }

    pub fn set_from_method(self) {
        self.raw().header.set(FROM_METHOD);
    }

    /// The ractor that made it.
    pub fn ractor(self) -> u32 {
        self.raw().ractor
    }

    pub fn isolated(self) -> bool {
        self.raw().header.has(ISOLATED)
    }

    /// Cuts it off: from now on `env` is what it sees of the scopes around it, and it has no block.
    pub(crate) fn isolate(self, ctx: &Ctx, env: Value) {
        let raw = self.raw();
        raw.header.set(ISOLATED);
        raw.env.set(env);
        raw.block.set(Value::NIL);
        ctx.write_barrier(self.0, env);
    }

    pub(crate) fn set_self(self, ctx: &Ctx, self_value: Value) {
        self.raw().self_value.set(self_value);
        ctx.write_barrier(self.0, self_value);
    }

    #[inline(always)]
    pub fn captured(self) -> Captured {
        let raw = self.raw();
        Captured {
            self_value: raw.self_value.get(),
            env: raw.env.get(),
            cref: raw.cref,
            method: raw.method,
            block: raw.block.get(),
            home: raw.home.get(),
            home_id: raw.home_id,
            returns: raw.returns,
            returns_id: raw.returns_id,
            pos: raw.pos,
        }
    }

    /// A copy with the same code and scope.
    pub fn copy(self, ctx: &mut Ctx, klass: Value, lambda: bool) -> Proc {
        let copy = Proc::new(ctx, klass, *self.body(), self.captured(), lambda);
        copy.raw().header.put(RUBY2_KEYWORDS, self.ruby2_keywords());
        copy.raw().header.put(FROM_METHOD, self.from_method());
        copy.raw().header.put(ISOLATED, self.isolated());
        copy
    }

    /// Arity as a lambda has it.
    pub fn lambda_arity(self) -> i32 {
        match self.body() {
            ProcBody::Code(code) => code.iseq().params.arity(),
            ProcBody::Symbol(_) => -2,
            ProcBody::Method(_) => -1,
            ProcBody::Native(_, _, arity) => *arity,
        }
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        let raw = self.raw();
        for v in [raw.self_value.get(), raw.env.get(), raw.cref, raw.method, raw.block.get()] {
            mark(v);
        }
        match raw.body {
            ProcBody::Code(code) => mark(code.value()),
            ProcBody::Method(v) | ProcBody::Native(_, v, _) => mark(v),
            ProcBody::Symbol(_) => {}
        }
    }
}

impl Captured {
    /// The id of the frame in which the block was written.
    pub fn home_id(&self) -> u64 {
        self.home_id
    }

    pub fn nowhere() -> Captured {
        Captured {
            self_value: Value::NIL,
            env: Value::NIL,
            cref: Value::NIL,
            method: Value::NIL,
            block: Value::NIL,
            home: std::ptr::null_mut(),
            home_id: 0,
            returns: std::ptr::null_mut(),
            returns_id: 0,
            pos: 0,
        }
    }
}
