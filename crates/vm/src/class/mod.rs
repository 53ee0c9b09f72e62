//! Classes and modules: layout, ancestry, method tables, constants.
//!
//! # Ancestry
//! A class or module owns a `chain`: the modules prepended to it, itself, the modules included in it, in
//! lookup order. Its `mro` (method resolution order) is the chain followed by the superclass's mro. The
//! mro is what lookup walks; including a module changes chains and recomputes the mro of every
//! descendant, and bumps the epochs of the method names that the module brings.
//!
//! # Method caches
//! Every method name has an epoch, bumped when a method of that name is defined, removed or brought in by
//! a module anywhere. A call site caches (class, epoch, method); each class caches lookups the same way.
//!
//! Behaviour (`Module#include` and friends) lives in the core library.

mod ancestry;
mod constants;
mod define;
mod lookup;
mod name;
mod recent;
mod stand_in;
mod variables;

pub use ancestry::IncludeError;
pub use constants::{ConstEntry, ConstFlags};
pub(crate) use define::not_offered;
pub use define::{
    Arity, ClassDef, Leaf, MethodDef, NativeFn, constant_method, method, no_allocator, private_method,
    protected_method, unimplemented,
};
pub use lookup::{Found, NOT_IN_MRO};
pub(crate) use recent::RecentlyFound;
pub(crate) use variables::CvarOwners;

use crate::cell::VmCell;
use crate::ctx::{Ctx, Layout};
use crate::growing::Roomy;
use crate::method::Method;
use crate::object::handle;
use indexmap::IndexMap;
use rubellite_value::{Header, Sym, Tag, Value, flags};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// How `allocate` makes an instance.
pub type AllocFn = fn(&mut Ctx, Value) -> crate::Result;

/// Tables of up to this many names keep their order when one is taken out; in larger ones closing the gap takes too
/// long, and the last name moves there.
const ORDERED_MAX: usize = 256;

/// A table by name of a class, in the order of insertion. Most classes have most of theirs empty: an empty one is a
/// word.
pub struct Table<V>(Option<Box<IndexMap<Sym, V, rustc_hash::FxBuildHasher>>>);

impl<V> Default for Table<V> {
    fn default() -> Table<V> {
        Table(None)
    }
}

impl<V> Table<V> {
    #[inline]
    pub fn get(&self, name: Sym) -> Option<&V> {
        self.0.as_ref()?.get(&name)
    }

    fn get_mut(&mut self, name: Sym) -> Option<&mut V> {
        self.0.as_mut()?.get_mut(&name)
    }

    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|table| table.is_empty())
    }

    fn insert(&mut self, name: Sym, value: V) {
        let table = self.0.get_or_insert_default();
        table.room_for(1);
        table.insert(name, value);
    }

    fn take_out(&mut self, name: Sym) -> Option<V> {
        let table = self.0.as_mut()?;
        if table.len() <= ORDERED_MAX { table.shift_remove(&name) } else { table.swap_remove(&name) }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Sym, &V)> {
        self.0.iter().flat_map(|table| table.iter()).map(|(name, value)| (*name, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = Sym> {
        self.iter().map(|(name, _)| name)
    }

    fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

#[derive(Default)]
pub struct ClassData {
    /// nil for BasicObject and for modules.
    pub superclass: Value2,
    pub chain: Vec<Class>, // tidy: traced by RClass
    pub mro: Vec<Class>,   // tidy: traced by RClass
    /// Direct subclasses and, for a module, the classes and modules whose chain holds it. Weak.
    pub dependents: Vec<Class>, // tidy: weak, pruned after marking
    pub methods: Table<Method>,
    pub lookups: FxHashMap<Sym, Found>,
    pub constants: Table<ConstEntry>, // tidy: traced by RClass
    pub ivars: Vec<Value>,            // tidy: traced by RClass
    /// The full name, once known.
    pub name: Option<Box<str>>,
    /// `name` as the String that `Module#name` gives, once made.
    pub name_string: Value2,
    /// Whether `name` is permanent (assigned to a constant reachable from Object).
    pub permanent_name: bool,
    /// The lexical parent, for names and `nesting`.
    pub lexical_parent: Value2,
    /// For a singleton class: the object it belongs to.
    pub attached: Value2,
    /// The allocator, as far as it is known here: its own, or that of an ancestor once it was found.
    alloc: Cell<Option<AllocFn>>,
    alloc_inherited: Cell<bool>,
    /// Most instance variables seen on an instance.
    pub ivar_hint: u32,
    rare: Option<Box<Rare>>,
}

/// What few classes have.
#[derive(Default)]
struct Rare {
    /// Where attribute methods were defined: the script and the line.
    attribute_places: FxHashMap<Sym, AttributePlace>,
    cvars: Table<Value>, // tidy: traced by RClass
    /// Module: the refined class; refinements are kept by the module that defines them.
    refined_class: Value2,
    /// There is a refinement of this class or module.
    is_refined: bool,
    /// Refinements made by `refine` in this module: refined class -> refinement module.
    refinements: Vec<(Value, Value)>, // tidy: traced by RClass
    /// The runtime's own methods that a program has replaced or removed.
    originals: Table<Method>,
    /// Faster forms of inherited methods.
    stand_ins: FxHashMap<Sym, stand_in::StandIn>,
    /// Struct members, Data members ... kept by the core library.
    extra: Value2,
}

pub type AttributePlace = (std::sync::Arc<rubellite_bytecode::Script>, i32);

/// A class beside its tables stays in this size of malloc memory: programs have tens of thousands of classes and
/// metaclasses.
const _: () = assert!(size_of::<ClassData>() <= 224);

impl ClassData {
    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// nil, but for a refinement.
    #[inline]
    pub fn refined_class(&self) -> Value {
        self.rare.as_ref().map_or(Value::NIL, |rare| rare.refined_class.0)
    }

    /// Whether there is a refinement of this class or module.
    pub(crate) fn is_refined(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.is_refined)
    }

    pub fn refinements(&self) -> &[(Value, Value)] {
        self.rare.as_ref().map_or(&[], |rare| &rare.refinements)
    }

    pub fn attribute_place(&self, name: Sym) -> Option<&AttributePlace> {
        self.rare.as_ref()?.attribute_places.get(&name)
    }

    pub(crate) fn set_attribute_place(&mut self, name: Sym, place: AttributePlace) {
        let places = &mut self.rare_mut().attribute_places;
        places.room_for(1);
        places.insert(name, place);
    }
}

/// A value that defaults to nil.
#[derive(Copy, Clone)]
pub struct Value2(pub Value);

impl Default for Value2 {
    fn default() -> Value2 {
        Value2(Value::NIL)
    }
}

/// Malloc memory of a class, its tables left out.
const OWNED_BYTES: usize = size_of::<VmCell<ClassData>>();

#[repr(C)]
pub struct RClass {
    header: Header,
    data: Box<VmCell<ClassData>>,
}

// SAFETY: repr(C), begins with a Header, 24 bytes.
unsafe impl Layout for RClass {
    /// Modules overwrite the tag after allocation; both have this layout.
    const TAG: Tag = Tag::Class;
}

handle! {
    /// Handle of a class or module.
    Class "Class": RClass, Tag::Class | Tag::Module
}

impl Class {
    /// The data, for reading.
    #[inline(always)]
    pub fn data(self, _ctx: &Ctx) -> &ClassData {
        // SAFETY: `_ctx` shows that the lock is held; the cell lives while the handle's class is reachable, and
        // `data_mut` borrows are never held across a call.
        unsafe { (*self.0.as_ptr::<RClass>()).data.get() }
    }

    /// The data, for a change that runs no Ruby code and allocates no object meanwhile.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub(crate) fn data_mut(self, _ctx: &Ctx) -> &mut ClassData {
        // SAFETY: a handle's class is a live heap cell.
        unsafe { rubellite_gc::will_change(self.0.as_ptr::<Header>()) };
        // SAFETY: as in `data`; the users in this module keep the borrow within one statement or one
        // function that calls nothing which reads the same class.
        unsafe { (*self.0.as_ptr::<RClass>()).data.get_mut() }
    }

    pub fn is_module(self) -> bool {
        self.raw().header.tag() == Tag::Module
    }

    pub fn is_singleton(self) -> bool {
        self.raw().header.has(flags::SINGLETON)
    }

    pub fn superclass(self, ctx: &Ctx) -> Option<Class> {
        Class::try_of(self.data(ctx).superclass.0)
    }

    /// Whether it is more than what `Class.allocate` gives.
    pub fn is_initialized(self, ctx: &Ctx) -> bool {
        self.superclass(ctx).is_some() || self.value() == ctx.classes().basic_object.get()
    }

    pub fn attached(self, ctx: &Ctx) -> Value {
        self.data(ctx).attached.0
    }

    pub(crate) fn set_attached(self, ctx: &Ctx, object: Value) {
        self.data_mut(ctx).attached.0 = object;
        ctx.write_barrier(self.value(), object);
    }

    pub fn set_alloc(self, ctx: &Ctx, alloc: Option<AllocFn>) {
        let data = self.data(ctx);
        data.alloc.set(alloc);
        data.alloc_inherited.set(false);
        self.forget_inherited_alloc(ctx);
    }

    /// What descendants found in a class that lies behind this one is found anew.
    fn forget_inherited_alloc(self, ctx: &Ctx) {
        let mut waiting: Vec<Class> = self.data(ctx).dependents.clone();
        while let Some(class) = waiting.pop() {
            let data = class.data(ctx);
            if data.alloc_inherited.replace(false) {
                data.alloc.set(None);
            }
            if data.alloc.get().is_none() {
                waiting.extend_from_slice(&data.dependents);
            }
        }
    }

    /// Its own allocator.
    pub fn own_alloc(self, ctx: &Ctx) -> Option<AllocFn> {
        let data = self.data(ctx);
        data.alloc.get().filter(|_| !data.alloc_inherited.get())
    }

    /// The allocator of this class or of the nearest ancestor that has one.
    #[inline]
    pub fn alloc_fn(self, ctx: &Ctx) -> Option<AllocFn> {
        self.data(ctx).alloc.get().or_else(|| self.inherit_alloc(ctx))
    }

    #[cold]
    fn inherit_alloc(self, ctx: &Ctx) -> Option<AllocFn> {
        let ancestors = std::iter::successors(self.superclass(ctx), |class| class.superclass(ctx));
        let found = ancestors.filter_map(|class| class.data(ctx).alloc.get()).next()?;
        let data = self.data(ctx);
        data.alloc.set(Some(found));
        data.alloc_inherited.set(true);
        Some(found)
    }

    /// Keeps the String of the class's name.
    pub fn set_name_string(self, ctx: &Ctx, value: Value) {
        self.data_mut(ctx).name_string = Value2(value);
        ctx.write_barrier(self.0, value);
    }

    pub fn extra(self, ctx: &Ctx) -> Value {
        self.data(ctx).rare.as_ref().map_or(Value::NIL, |rare| rare.extra.0)
    }

    pub fn set_extra(self, ctx: &Ctx, value: Value) {
        let data = self.data_mut(ctx);
        if data.rare.is_none() && value.is_nil() {
            return;
        }
        data.rare_mut().extra = Value2(value);
        ctx.write_barrier(self.0, value);
    }

    /// A bare class or module cell; ancestry is set by `ancestry.rs`.
    pub(crate) fn new_cell(ctx: &mut Ctx, tag: Tag, klass: Value) -> Class {
        let value =
            ctx.alloc(RClass { header: Header::new(tag, klass), data: Box::new(VmCell::new(ClassData::default())) });
        ctx.note_malloc(OWNED_BYTES as isize);
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { ctx.vm().modules.get_mut() }.push(Class(value));
        Class(value)
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        // SAFETY: the collector runs under the lock while nobody borrows the data.
        let data = unsafe { self.raw().data.get() };
        for v in [data.superclass.0, data.lexical_parent.0, data.attached.0, data.name_string.0] {
            mark(v);
        }
        data.chain.iter().chain(&data.mro).for_each(|class| mark(class.value()));
        data.methods.values().for_each(|method| mark(method.value()));
        data.ivars.iter().for_each(|v| mark(*v));
        data.constants.values().for_each(|c| mark(c.value));
        data.lookups.values().for_each(|f| mark(f.method_value()));
        if let Some(rare) = &data.rare {
            [rare.refined_class.0, rare.extra.0].into_iter().for_each(&mut mark);
            rare.cvars.values().for_each(|v| mark(*v));
            rare.originals.values().for_each(|method| mark(method.value()));
            rare.stand_ins.values().flat_map(|s| [s.original, s.method, s.each]).for_each(|m| mark(m.value()));
            rare.refinements.iter().flat_map(|(a, b)| [*a, *b]).for_each(mark);
        }
    }

    /// Drops dead dependents after marking.
    pub(crate) fn prune(self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: as in `trace`.
        unsafe { self.raw().data.get_mut() }.dependents.retain(|class| alive(class.value()));
    }

    /// Frees the boxed data; returns the malloc bytes given back.
    ///
    /// # Safety
    /// The cell is being swept.
    pub(crate) unsafe fn release(self) -> usize {
        // SAFETY: swept once, by contract.
        unsafe { std::ptr::drop_in_place(&raw mut (*self.0.as_ptr::<RClass>()).data) };
        OWNED_BYTES
    }
}
