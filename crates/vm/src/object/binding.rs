//! Bindings: self, local variables and lexical scope of a place in the program, for eval.

use super::cref::Cref;
use super::handle::handle;
use crate::code::Code;
use crate::ctx::{Ctx, Layout};
use crate::frame::Frame;
use rubellite_bytecode::{ISeq, Place, Text};
use rubellite_value::{Header, Tag, Value};
use std::cell::Cell;

#[repr(C)]
pub struct RBinding {
    header: Header,
    self_value: Value,
    /// The innermost environment, or nil.
    env: Cell<Value>,
    /// Array of code values whose environments form the chain, innermost first.
    scopes: Cell<Value>,
    cref: Cell<Value>,
    method: Value,
    block: Value,
    pos: u32,
    line: i32,
    /// The code in which the binding was made.
    code: Value,
    home: Home,
}

// SAFETY: repr(C), begins with a Header, 96 bytes.
unsafe impl Layout for RBinding {
    const TAG: Tag = Tag::Binding;
}

handle! {
    /// Handle of a Binding.
    Binding "Binding": RBinding, Tag::Binding
}

/// What a binding is made of.
#[derive(Copy, Clone)]
pub struct BindingParts {
    pub self_value: Value,
    pub env: Value,
    pub scopes: Value,
    pub cref: Value,
    pub method: Value,
    pub block: Value,
    pub pos: u32,
    pub line: i32,
    pub code: Value,
    pub home: Home,
}

/// The frame whose code a binding is of: its special variables are the binding's, too, and `return` leaves it, while it
/// runs.
#[derive(Copy, Clone)]
pub struct Home {
    pub(crate) frame: *mut Frame,
    pub(crate) id: u64,
}

impl Home {
    /// Of code that does not run.
    pub const NONE: Home = Home { frame: std::ptr::null_mut(), id: 0 };
}

impl Binding {
    pub fn new(ctx: &mut Ctx, klass: Value, parts: BindingParts) -> Binding {
        Binding(ctx.alloc(RBinding {
            header: Header::new(Tag::Binding, klass),
            self_value: parts.self_value,
            env: Cell::new(parts.env),
            scopes: Cell::new(parts.scopes),
            cref: Cell::new(parts.cref),
            method: parts.method,
            block: parts.block,
            pos: parts.pos,
            line: parts.line,
            code: parts.code,
            home: parts.home,
        }))
    }

    pub fn parts(self) -> BindingParts {
        let raw = self.raw();
        BindingParts {
            self_value: raw.self_value,
            env: raw.env.get(),
            scopes: raw.scopes.get(),
            cref: raw.cref.get(),
            method: raw.method,
            block: raw.block,
            pos: raw.pos,
            line: raw.line,
            code: raw.code,
            home: raw.home,
        }
    }

    /// Adds the environment of an eval that defined new variables.
    pub fn extend(self, ctx: &Ctx, env: Value, scopes: Value) {
        self.raw().env.set(env);
        self.raw().scopes.set(scopes);
        ctx.write_barrier(self.0, env);
        ctx.write_barrier(self.0, scopes);
    }

    /// Later evals see these refinements, which `using` has activated in one.
    pub fn use_refinements(self, ctx: &mut Ctx, refinements: Value) {
        let Some(scope) = Cref::try_of(self.parts().cref) else { return };
        let scope = scope.copy(ctx);
        scope.set_refinements(ctx, refinements);
        self.raw().cref.set(scope.value());
        ctx.write_barrier(self.0, scope.value());
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        let p = self.parts();
        for v in [p.self_value, p.env, p.scopes, p.cref, p.method, p.block, p.code] {
            mark(v);
        }
    }
}

/// Names of the variables of a code's environment by slot.
pub fn env_names(iseq: &ISeq) -> Vec<Text> {
    let mut names = vec![Text::new(b"", crate::Encoding::US_ASCII); iseq.env_size as usize];
    for local in &iseq.locals {
        if let Place::Env(slot) = local.place {
            names[slot as usize] = local.name.clone();
        }
    }
    names
}

/// Codes of a binding's environments, innermost first.
pub fn scope_codes(ctx: &Ctx, scopes: Value) -> Vec<Code> {
    let _ = ctx;
    super::Array::try_of(scopes)
        .map(|a| (0..a.len()).filter_map(|i| a.get(i)).map(Code::known).collect())
        .unwrap_or_default()
}
