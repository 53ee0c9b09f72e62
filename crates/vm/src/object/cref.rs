//! Lexical class nesting: where constants are looked up, `def` defines and class variables live.

use super::binding::Binding;
use super::handle::handle;
use crate::ctx::{Ctx, Layout};
use crate::method::Visibility;
use rubellite_value::{Header, Tag, Value};
use std::cell::Cell;

#[repr(C)]
pub struct RCref {
    header: Header,
    module: Cell<Value>,
    /// The next scope outwards, or nil.
    parent: Value,
    /// Array of [refined class, refinement, ...] activated by `using`, or nil. Shared by inner scopes.
    refinements: Cell<Value>,
    /// Which list of refinements that is, for call sites: no two scopes that differ in them have the same; 0: none.
    refined: Cell<u32>,
    /// Default visibility of methods defined next.
    visibility: Cell<Visibility>,
    module_function: Cell<bool>,
    /// Pushed by instance_eval and the like: skipped by constant lookup.
    pub_eval: bool,
    /// The receiver of an instance_eval of a text, else undef. Constants are seen from its class; its singleton class,
    /// where definitions go, is made by the first of them and is the module from then on.
    receiver: Value,
    /// In the scope of an eval: the Binding whose later evals see what `using` activates here, else nil.
    binding: Cell<Value>,
}

// SAFETY: repr(C), begins with a Header, 64 bytes.
unsafe impl Layout for RCref {
    const TAG: Tag = Tag::Cref;
}

handle! {
    /// Handle of a lexical scope.
    Cref "Cref": RCref, Tag::Cref
}

impl Cref {
    /// `parent` is a cref or nil. `eval`: the scope of an instance_eval or class_eval with a block.
    pub fn new(ctx: &mut Ctx, module: Value, parent: Value, eval: bool) -> Value {
        Cref::make(ctx, module, parent, eval, Value::UNDEF)
    }

    /// The scope of an instance_eval of a text.
    pub fn new_for_receiver(ctx: &mut Ctx, receiver: Value, parent: Value) -> Value {
        let class = ctx.dispatch_class(receiver).value();
        Cref::make(ctx, class, parent, false, receiver)
    }

    fn make(ctx: &mut Ctx, module: Value, parent: Value, eval: bool, receiver: Value) -> Value {
        let (refinements, refined) = match parent.is_nil() {
            true => (Value::NIL, 0),
            false => (Cref::known(parent).refinements(), Cref::known(parent).refined()),
        };
        ctx.alloc(RCref {
            header: Header::new(Tag::Cref, Value::FALSE),
            module: Cell::new(module),
            parent,
            refinements: Cell::new(refinements),
            refined: Cell::new(refined),
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            pub_eval: eval,
            receiver,
            binding: Cell::new(Value::NIL),
        })
    }

    /// A scope like this one that changes on its own. The receiver may have got its singleton class from another copy.
    pub fn copy(self, ctx: &mut Ctx) -> Cref {
        let module = self.receiver().map_or(self.module(), |receiver| ctx.dispatch_class(receiver).value());
        let scope = Cref(Cref::make(ctx, module, self.parent(), self.is_eval(), self.raw().receiver));
        scope.set_refinements(ctx, self.refinements());
        scope.raw().visibility.set(self.visibility());
        scope.raw().module_function.set(self.module_function());
        scope.set_binding(ctx, self.raw().binding.get());
        scope
    }

    /// The Binding that an eval in this scope is of, if that keeps what `using` activates.
    pub fn binding(self) -> Option<Binding> {
        Binding::try_of(self.raw().binding.get())
    }

    pub(crate) fn set_binding(self, ctx: &Ctx, binding: Value) {
        self.raw().binding.set(binding);
        ctx.write_barrier(self.0, binding);
    }

    #[inline(always)]
    pub fn module(self) -> Value {
        self.raw().module.get()
    }

    pub fn parent(self) -> Value {
        self.raw().parent
    }

    pub fn is_eval(self) -> bool {
        self.raw().pub_eval
    }

    /// The receiver, in the scope of an instance_eval of a text.
    pub fn receiver(self) -> Option<Value> {
        Some(self.raw().receiver).filter(|receiver| !receiver.is_undef())
    }

    pub fn set_module(self, ctx: &Ctx, module: Value) {
        self.raw().module.set(module);
        ctx.write_barrier(self.0, module);
    }

    pub fn visibility(self) -> Visibility {
        self.raw().visibility.get()
    }

    pub fn set_visibility(self, visibility: Visibility) {
        self.raw().visibility.set(visibility);
        self.raw().module_function.set(false);
    }

    pub fn module_function(self) -> bool {
        self.raw().module_function.get()
    }

    pub fn set_module_function(self) {
        self.raw().visibility.set(Visibility::Private);
        self.raw().module_function.set(true);
    }

    pub fn refinements(self) -> Value {
        self.raw().refinements.get()
    }

    /// See `RCref::refined`.
    pub(crate) fn refined(self) -> u32 {
        self.raw().refined.get()
    }

    pub fn set_refinements(self, ctx: &Ctx, array: Value) {
        self.raw().refinements.set(array);
        self.raw().refined.set(if array.is_nil() { 0 } else { ctx.next_refinements() });
        ctx.write_barrier(self.0, array);
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        let raw = self.raw();
        for v in [raw.module.get(), raw.parent, raw.refinements.get(), raw.receiver, raw.binding.get()] {
            mark(v);
        }
    }
}
