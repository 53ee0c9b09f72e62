//! Method entries: what a name in a class's method table stands for.

use crate::class::{Arity, Class, Leaf, NativeFn, not_offered};
use crate::code::Code;
use crate::ctx::{Ctx, Layout};
use crate::object::{Proc, handle};
use rubellite_value::{Header, Sym, Tag, Value};
use std::cell::Cell;

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Visibility {
    #[default]
    Public,
    Private,
    Protected,
}

#[derive(Copy, Clone)]
pub enum MethodBody {
    /// `def`: linked code and the lexical scope of the definition.
    Code {
        code: Code,
        cref: Value,
    },
    Native {
        function: NativeFn,
        arity: Arity,
        leaf: Leaf,
    },
    /// A function of an extension in C. `enter` runs in its frame and calls it.
    C {
        function: CFunction,
        enter: NativeFn,
    },
    /// `attr_reader`: the instance variable.
    AttrReader(Sym),
    AttrWriter(Sym),
    /// `define_method` with a Proc.
    Proc(Proc),
    /// Another entry under a new name; `super` and `__method__` follow the original.
    Alias(Method),
    /// `undef`: lookup ends here.
    Undef,
    /// Visibility changed in a subclass; the code is the superclass's.
    ZSuper,
    /// `Class#new`, done by the interpreter without a native frame.
    New,
    /// `send`: calls the method that the first argument names, without a native frame.
    Send,
    /// `Proc#call`: runs the block without a native frame.
    ProcCall,
    /// A method that only has a refined form here; without an active refinement the search goes on.
    Refined,
    /// `method_missing` stands in (`respond_to_missing?` methods objects).
    Missing,
}

impl MethodBody {
    /// Whether it is the core's own: native, or Ruby code that programs take for that.
    pub fn is_of_core(&self) -> bool {
        match self {
            MethodBody::Native { .. } => true,
            MethodBody::Code { code, .. } => code.iseq().script.is_internal(),
            _ => false,
        }
    }
}

/// A function in C that is a method: where it is and how it takes its arguments.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct CFunction {
    pub address: *const (),
    /// Not negative: so many arguments after the receiver. -1: their number, their address, the receiver. -2: the
    /// receiver, an Array.
    pub argc: i8,
    /// Other ractors than the main one may call it.
    pub ractor_safe: bool,
}

impl CFunction {
    pub fn arity(self) -> Arity {
        if self.argc < 0 { Arity::ANY } else { Arity::exact(self.argc as u16) }
    }
}

#[repr(C)]
pub struct RMethodEntry {
    header: Header,
    name: Sym,
    visibility: Cell<Visibility>,
    /// Calls with an implicit `ruby2_keywords` flagging of the last hash.
    ruby2_keywords: Cell<bool>,
    /// An alias stands for it: redefining it loses nothing.
    aliased: Cell<bool>,
    /// Some class has a faster form of this method.
    has_stand_ins: Cell<bool>,
    /// It is such a faster form.
    stands_in: Cell<bool>,
    /// It was there when the core classes were complete.
    is_core: Cell<bool>,
    /// An unused block was reported: bit 0 a literal one, bit 1 one passed by `&`.
    block_reported: Cell<u8>,
    owner: Class,
    body: MethodBody,
}

// SAFETY: repr(C), begins with a Header, at most 96 bytes.
unsafe impl Layout for RMethodEntry {
    const TAG: Tag = Tag::MethodEntry;
}

handle! {
    /// Handle of a method entry.
    Method "Method": RMethodEntry, Tag::MethodEntry
}

impl Method {
    pub fn new(ctx: &mut Ctx, name: Sym, owner: Class, visibility: Visibility, body: MethodBody) -> Method {
        ctx.pin_symbol(name);
        let is_core = Cell::new(!ctx.booted());
        Method(ctx.alloc(RMethodEntry {
            header: Header::new(Tag::MethodEntry, Value::FALSE),
            name,
            visibility: Cell::new(visibility),
            ruby2_keywords: Cell::new(false),
            aliased: Cell::new(false),
            has_stand_ins: Cell::new(false),
            stands_in: Cell::new(false),
            is_core,
            block_reported: Cell::new(0),
            owner,
            body,
        }))
    }

    /// The name it was defined with.
    #[inline(always)]
    pub fn name(self) -> Sym {
        self.raw().name
    }

    #[inline(always)]
    pub fn owner(self) -> Class {
        self.raw().owner
    }

    #[inline(always)]
    pub fn body(&self) -> &MethodBody {
        &self.raw().body
    }

    #[inline(always)]
    pub fn visibility(self) -> Visibility {
        self.raw().visibility.get()
    }

    pub fn set_visibility(self, visibility: Visibility) {
        self.raw().visibility.set(visibility);
    }

    pub fn ruby2_keywords(self) -> bool {
        self.raw().ruby2_keywords.get()
    }

    pub fn set_ruby2_keywords(self) {
        self.raw().ruby2_keywords.set(true);
    }

    pub fn aliased(self) -> bool {
        self.raw().aliased.get()
    }

    pub fn set_aliased(self) {
        self.raw().aliased.set(true);
    }

    pub(crate) fn has_stand_ins(self) -> bool {
        self.raw().has_stand_ins.get()
    }

    pub(crate) fn set_has_stand_ins(self) {
        self.raw().has_stand_ins.set(true);
    }

    /// Whether it is found in the place of the same method of its owner, to which its `super` goes on.
    pub(crate) fn stands_in(self) -> bool {
        self.raw().stands_in.get()
    }

    pub(crate) fn set_stands_in(self) {
        self.raw().stands_in.set(true);
    }

    /// Whether it is the runtime's own, and not a program's.
    pub fn is_core(self) -> bool {
        self.raw().is_core.get()
    }

    /// It does what the runtime's own method does.
    pub(crate) fn set_core_like(self, other: Method) {
        self.raw().is_core.set(other.is_core());
    }

    /// Whether it was reported that this method does not use its block; see `interp::unused_block`.
    pub(crate) fn block_reported(self, as_argument: bool) -> bool {
        self.raw().block_reported.get() & (1 << as_argument as u8) != 0
    }

    pub(crate) fn set_block_reported(self, as_argument: bool) {
        self.raw().block_reported.update(|bits| bits | 1 << as_argument as u8);
    }

    /// Whether calls raise NotImplementedError because the system lacks what it does: nobody responds to it then.
    pub fn is_unimplemented(self) -> bool {
        let is_not_offered = |function: NativeFn| std::ptr::fn_addr_eq(function, not_offered as NativeFn);
        matches!(self.resolved().body(), MethodBody::Native { function, .. } if is_not_offered(*function))
    }

    /// The entry that holds the code: follows aliases.
    pub fn resolved(self) -> Method {
        let mut at = self;
        while let MethodBody::Alias(original) = at.body() {
            at = *original;
        }
        at
    }

    /// The same method with another visibility, for a table of `owner`.
    pub fn copy_for(self, ctx: &mut Ctx, owner: Class, visibility: Visibility) -> Method {
        let copy = Method::new(ctx, self.name(), owner, visibility, *self.body());
        copy.set_core_like(self);
        if self.ruby2_keywords() {
            copy.set_ruby2_keywords();
        }
        copy
    }

    /// `Method#arity`.
    pub fn arity(self) -> i32 {
        match self.resolved().body() {
            MethodBody::Code { code, .. } => code.iseq().params.arity(),
            MethodBody::Native { arity, .. } => arity.number(),
            MethodBody::C { function, .. } => function.arity().number(),
            MethodBody::AttrReader(_) => 0,
            MethodBody::AttrWriter(_) => 1,
            MethodBody::Proc(proc) => proc.lambda_arity(),
            MethodBody::Alias(_) | MethodBody::Undef | MethodBody::ZSuper | MethodBody::Refined => 0,
            MethodBody::New | MethodBody::Send | MethodBody::ProcCall | MethodBody::Missing => -1,
        }
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        mark(self.raw().owner.value());
        match self.body() {
            MethodBody::Code { code, cref } => {
                mark(code.value());
                mark(*cref);
            }
            MethodBody::Proc(proc) => mark(proc.value()),
            MethodBody::Alias(original) => mark(original.value()),
            _ => {}
        }
    }
}
