//! Making classes and modules, singleton classes, include and prepend.

use super::{Class, Value2};
use crate::code::Code;
use crate::ctx::Ctx;
use crate::object::INTERNED_STRING;
use rubellite_bytecode::Op;
use rubellite_value::{Flag, Sym, Tag, Value, flags};

/// Of a class: see [`Class::make_opaque`].
const OPAQUE: Flag = flags::TYPE_0;

/// Why a module cannot be included.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum IncludeError {
    Cyclic,
}

/// Room that instances of a class nobody has seen yet get: two variables fill the smallest cell.
const IVARS_AT_FIRST: usize = 2;

impl Class {
    /// How many variables the first instances of a subclass will have. What somebody stores in a plain Object (the main
    /// object, say) tells nothing about the subclasses of Object.
    fn heirs_ivar_hint(self, ctx: &Ctx) -> usize {
        let plain = self.value() == ctx.classes().object.get() || self.data(ctx).superclass.0.is_nil();
        if plain { IVARS_AT_FIRST } else { self.data(ctx).ivar_hint as usize }
    }

    /// Makes room in instances for the variables that `initialize` sets, beside those of the superclass: the first
    /// instance may be the only one.
    pub(crate) fn expect_variables(self, ctx: &Ctx, initialize: Code) {
        let Some(superclass) = self.superclass(ctx) else { return };
        let mut names: Vec<u16> =
            initialize.iseq().insns.iter().filter(|insn| insn.op == Op::SetIvar).map(|insn| insn.b).collect();
        names.sort_unstable();
        names.dedup();
        let inherited = match superclass.heirs_ivar_hint(ctx) {
            IVARS_AT_FIRST => 0,
            hint => hint,
        };
        let data = self.data_mut(ctx);
        data.ivar_hint = data.ivar_hint.max((inherited + names.len()) as u32);
    }

    /// A new anonymous class with its metaclass. `superclass` is none for BasicObject alone.
    pub fn new_class(ctx: &mut Ctx, superclass: Option<Class>) -> Class {
        let class = Class::new_cell(ctx, Tag::Class, Value::NIL);
        if let Some(superclass) = superclass {
            class.data_mut(ctx).superclass = Value2(superclass.value());
            class.data_mut(ctx).ivar_hint = superclass.heirs_ivar_hint(ctx) as u32;
            superclass.data_mut(ctx).dependents.push(class);
            class.be_as_opaque_as(superclass);
        } else {
            class.data_mut(ctx).ivar_hint = IVARS_AT_FIRST as u32;
        }
        class.data_mut(ctx).chain.push(class);
        class.recompute_mro(ctx);
        class.make_metaclass(ctx);
        class
    }

    /// A class that `set_superclass` completes (`Class.allocate`).
    pub fn new_uninitialized(ctx: &mut Ctx, klass: Value) -> Class {
        let class = Class::new_cell(ctx, Tag::Class, klass);
        class.data_mut(ctx).chain.push(class);
        class.recompute_mro(ctx);
        class
    }

    /// Gives a class made by `new_uninitialized` its superclass and metaclass.
    pub fn set_superclass(self, ctx: &mut Ctx, superclass: Class) {
        let hint = superclass.heirs_ivar_hint(ctx);
        let data = self.data_mut(ctx);
        data.superclass = Value2(superclass.value());
        data.ivar_hint = hint as u32;
        superclass.data_mut(ctx).dependents.push(self);
        self.be_as_opaque_as(superclass);
        ctx.write_barrier(self.value(), superclass.value());
        self.recompute_mro(ctx);
        self.make_metaclass(ctx);
    }

    /// What a copy of a class takes over beside its members: superclass and allocator.
    pub fn copy_class(self, ctx: &mut Ctx, from: Class) {
        if let (None, Some(superclass)) = (self.superclass(ctx), from.superclass(ctx)) {
            self.set_superclass(ctx, superclass);
        }
        let (alloc, extra) = (from.own_alloc(ctx), from.extra(ctx));
        self.set_alloc(ctx, alloc);
        self.set_extra(ctx, extra);
    }

    /// A refinement of `refined`, kept by the module `owner`.
    pub fn new_refinement(ctx: &mut Ctx, owner: Class, refined: Class) -> Class {
        let klass = ctx.classes().refinement.get();
        let refinement = Class::new_module(ctx, klass);
        let data = refinement.data_mut(ctx);
        data.rare_mut().refined_class = Value2(refined.value());
        data.lexical_parent = Value2(owner.value());
        owner.data_mut(ctx).rare_mut().refinements.push((refined.value(), refinement.value()));
        refined.data_mut(ctx).rare_mut().is_refined = true;
        for (parent, child) in [(refinement, refined), (refinement, owner), (owner, refinement), (owner, refined)] {
            ctx.write_barrier(parent.value(), child.value());
        }
        refinement
    }

    /// Makes every call of a name that this module defines look its method up anew.
    pub fn touch_methods(self, ctx: &Ctx) {
        for module in self.mro(ctx) {
            let names: Vec<Sym> = module.data(ctx).methods.keys().collect();
            names.into_iter().for_each(|name| ctx.bump_method_epoch(name));
        }
    }

    /// A new anonymous module.
    pub fn new_module(ctx: &mut Ctx, klass: Value) -> Class {
        let module = Class::new_cell(ctx, Tag::Module, klass);
        module.data_mut(ctx).chain.push(module);
        module.recompute_mro(ctx);
        module
    }

    /// Gives a class its metaclass, whose superclass is the superclass's metaclass (Class for a root).
    fn make_metaclass(self, ctx: &mut Ctx) {
        let Some(class) = Class::try_of(ctx.classes().class.get()) else {
            return; // Boot: Class does not exist yet; `complete_metaclass` follows.
        };
        let parent = match self.superclass(ctx) {
            Some(superclass) => superclass.singleton_of_class(ctx),
            None => class,
        };
        self.make_singleton(ctx, parent);
    }

    /// Completes the metaclasses of classes that were made before Class itself.
    pub(crate) fn complete_metaclass(self, ctx: &mut Ctx) {
        if Class::try_of(self.header().klass.get()).is_none_or(|k| !k.is_singleton()) {
            self.make_metaclass(ctx);
        }
    }

    fn singleton_of_class(self, ctx: &mut Ctx) -> Class {
        match Class::try_of(self.header().klass.get()) {
            Some(k) if k.is_singleton() && k.attached(ctx) == self.value() => k,
            _ => {
                self.make_metaclass(ctx);
                ctx.dispatch_class(self.value())
            }
        }
    }

    /// A singleton class for this class or module, below `parent`.
    fn make_singleton(self, ctx: &mut Ctx, parent: Class) -> Class {
        let singleton = Class::new_cell(ctx, Tag::Class, ctx.classes().class.get());
        singleton.attach(ctx, parent, self.value());
        self.header().klass.set(singleton.value());
        ctx.write_barrier(self.value(), singleton.value());
        singleton
    }

    fn attach(self, ctx: &mut Ctx, parent: Class, object: Value) {
        self.header().set(flags::SINGLETON);
        let data = self.data_mut(ctx);
        data.superclass = Value2(parent.value());
        data.attached = Value2(object);
        data.chain.push(self);
        let hint = parent.data(ctx).ivar_hint;
        self.data_mut(ctx).ivar_hint = hint;
        parent.data_mut(ctx).dependents.push(self);
        self.be_as_opaque_as(parent);
        self.recompute_mro(ctx);
    }

    /// From here on extensions in C see the instances of this class and of those below it as data: CRuby has them so,
    /// here they are plain objects.
    pub fn make_opaque(self, ctx: &Ctx) {
        let mut waiting = vec![self]; // tidy: living classes, and nothing is allocated meanwhile
        while let Some(class) = waiting.pop() {
            class.header().set(OPAQUE);
            let below = class.data(ctx).dependents.iter().filter(|below| below.superclass(ctx) == Some(class));
            waiting.extend(below.copied());
        }
    }

    fn be_as_opaque_as(self, superclass: Class) {
        if superclass.header().has(OPAQUE) {
            self.header().set(OPAQUE);
        }
    }

    /// The singleton class as a program gets hold of it: that of a class has its own singleton class already, so that
    /// subclasses inherit what is defined there; that of another object answers to the singleton methods of the
    /// object's class.
    pub fn exposed_singleton_class(ctx: &mut Ctx, object: Value) -> Option<Class> {
        let singleton = Class::singleton_class(ctx, object)?;
        if object.has_tag(Tag::Class) {
            Class::singleton_class(ctx, singleton.value());
        } else if singleton.header().klass.get() == ctx.classes().class.get() {
            let class = ctx.real_class(object);
            let metaclass = Class::singleton_class(ctx, class.value())?.value();
            singleton.header().klass.set(metaclass);
            ctx.write_barrier(singleton.value(), metaclass);
        }
        Some(singleton)
    }

    /// The singleton class of `object`, made when there is none. `None` when the object cannot have one
    /// (numbers, symbols, interned strings).
    pub fn singleton_class(ctx: &mut Ctx, object: Value) -> Option<Class> {
        let Some(header) = object.header() else {
            return match object {
                Value::NIL | Value::TRUE | Value::FALSE => Some(ctx.dispatch_class(object)),
                _ => None,
            };
        };
        if matches!(header.tag(), Tag::Float | Tag::Bignum)
            || header.tag() == Tag::String && header.has(INTERNED_STRING)
        {
            return None;
        }
        let klass = ctx.dispatch_class(object);
        if klass.is_singleton() && klass.attached(ctx) == object {
            return Some(klass);
        }
        if header.tag() == Tag::Class {
            let class = Class::known(object);
            if class.is_singleton() {
                // The metaclass of a singleton class: its parent is the metaclass of its superclass.
                let parent = match class.superclass(ctx) {
                    Some(s) => Class::singleton_class(ctx, s.value())?,
                    None => klass,
                };
                return Some(class.make_singleton(ctx, parent));
            }
            class.make_metaclass(ctx);
            return Some(ctx.dispatch_class(object));
        }
        // What the class answers, the singleton class answers, too.
        let meta = klass.real(ctx).singleton_of_class(ctx).value();
        let singleton = Class::new_cell(ctx, Tag::Class, meta);
        singleton.attach(ctx, klass, object);
        header.klass.set(singleton.value());
        ctx.write_barrier(object, singleton.value());
        if header.frozen() {
            singleton.header().set(flags::FROZEN);
        }
        Some(singleton)
    }

    pub(crate) fn recompute_mro(self, ctx: &Ctx) {
        let (chain, superclass) = (&self.data(ctx).chain, self.superclass(ctx));
        let inherited = superclass.as_ref().map_or(&[][..], |superclass| superclass.mro(ctx));
        // A program decides how deep its classes are.
        let mut mro = crate::object::room(chain.len() + inherited.len()); // tidy: rooted by the class itself
        mro.extend_from_slice(chain);
        mro.extend_from_slice(inherited);
        let data = self.data_mut(ctx);
        data.mro = mro;
        data.lookups.clear();
        ctx.vm().recently_found.forget();
        let dependents = self.data(ctx).dependents.clone(); // tidy: weak references of living classes
        for dependent in dependents {
            if dependent.data(ctx).superclass.0 == self.value() {
                dependent.recompute_mro(ctx);
            }
        }
    }

    pub fn mro(self, ctx: &Ctx) -> &[Class] {
        &self.data(ctx).mro
    }

    /// The place of `module` among the ancestors: where it was found once, at `pos`, or further up, since a module that
    /// was included meanwhile moves what lies behind it without a word to callers whose methods stay the same. A
    /// module may be there twice.
    pub(crate) fn place_of(self, ctx: &Ctx, module: Class, pos: u32) -> Option<usize> {
        let mro = self.mro(ctx);
        let from = if pos == super::NOT_IN_MRO { 0 } else { (pos as usize).min(mro.len()) };
        let above = mro[from..].iter().position(|class| *class == module).map(|place| from + place);
        above.or_else(|| mro.iter().position(|class| *class == module))
    }

    /// Whether `module` is among the ancestors.
    #[inline]
    pub fn inherits(self, ctx: &Ctx, module: Value) -> bool {
        if self.value() == module {
            return true;
        }
        let mro = &self.data(ctx).mro;
        if !module.has_tag(Tag::Class) {
            return mro.iter().any(|class| class.value() == module);
        }
        // The order of a class ends with that of each of its superclasses, in which a class is the first but for what
        // is prepended to it.
        let end = &Class::known(module).data(ctx).mro;
        let Some(begins) = mro.len().checked_sub(end.len()) else { return false };
        let within = if end.first().is_some_and(|first| first.value() == module) {
            Some(0)
        } else {
            end.iter().position(|class| class.value() == module)
        };
        within.is_some_and(|within| mro[begins + within].value() == module)
    }

    /// Puts `module` (and what it includes) behind this class in the lookup order. Modules that are already
    /// there, or in the superclass, are not repeated.
    pub fn include(self, ctx: &mut Ctx, module: Class) -> Result<(), IncludeError> {
        if module == self || module.data(ctx).mro.contains(&self) {
            return Err(IncludeError::Cyclic);
        }
        let incoming = module.data(ctx).mro.clone(); // tidy: rooted by the module
        self.include_list(ctx, &incoming);
        Ok(())
    }

    fn include_list(self, ctx: &mut Ctx, incoming: &[Class]) {
        let own_at = |chain: &[Class], v: Class| chain.iter().position(|m| *m == v);
        let superclass_mro = self.superclass(ctx).map(|s| s.data(ctx).mro.clone()).unwrap_or_default(); // tidy: rooted
        let mut at = own_at(&self.data(ctx).chain, self).unwrap_or(0) + 1;
        let mut added = Vec::new(); // tidy: modules that are in the chain
        for module in incoming {
            if let Some(there) = own_at(&self.data(ctx).chain, *module) {
                if there >= at {
                    at = there + 1;
                }
                continue;
            }
            if !self.is_module() && superclass_mro.contains(module) {
                continue;
            }
            self.data_mut(ctx).chain.insert(at, *module);
            at += 1;
            added.push(*module);
        }
        self.chain_changed(ctx, &added);
        self.pass_on_growth(ctx);
    }

    /// Where a module's own chain grew, whoever includes it gets the additions too.
    fn pass_on_growth(self, ctx: &mut Ctx) {
        if !self.is_module() {
            return;
        }
        let dependents = self.data(ctx).dependents.clone(); // tidy: weak references of living classes
        let list = self.data(ctx).mro.clone(); // tidy: rooted
        for dependent in dependents {
            if dependent.data(ctx).chain.contains(&self) && dependent != self {
                dependent.merge_grown(ctx, self, &list);
            }
        }
    }

    /// Adds to this class's chain those of `list` (the mro of `module`, which the chain holds) that are missing.
    fn merge_grown(self, ctx: &mut Ctx, module: Class, list: &[Class]) {
        let mut added = Vec::new(); // tidy: modules that are in the chain
        let home = list.iter().position(|m| *m == module).unwrap_or(0);
        let superclass_mro = self.superclass(ctx).map(|s| s.data(ctx).mro.clone()).unwrap_or_default(); // tidy: rooted
        let place_of = |class: Class, ctx: &Ctx, m: Class| class.data(ctx).chain.iter().position(|c| *c == m);
        // What was prepended to the module goes before it, each before what it precedes there.
        let mut before = place_of(self, ctx, module).unwrap_or(0);
        for m in list[..home].iter().rev() {
            match place_of(self, ctx, *m) {
                Some(there) => before = before.min(there),
                None if superclass_mro.contains(m) && !self.is_module() => {}
                None => {
                    self.data_mut(ctx).chain.insert(before, *m);
                    added.push(*m);
                }
            }
        }
        // The rest goes behind.
        let mut at = place_of(self, ctx, module).unwrap_or(0);
        for m in &list[home..] {
            if let Some(there) = place_of(self, ctx, *m) {
                at = at.max(there + 1);
            } else if self.is_module() || !superclass_mro.contains(m) {
                self.data_mut(ctx).chain.insert(at, *m);
                at += 1;
                added.push(*m);
            }
        }
        self.chain_changed(ctx, &added);
        self.pass_on_growth(ctx);
    }

    /// Puts `module` before this class in the lookup order.
    pub fn prepend(self, ctx: &mut Ctx, module: Class) -> Result<(), IncludeError> {
        if module == self || module.data(ctx).mro.contains(&self) {
            return Err(IncludeError::Cyclic);
        }
        let incoming = module.data(ctx).mro.clone(); // tidy: rooted by the module
        let mut at = 0;
        let mut added = Vec::new(); // tidy: modules that are in the chain
        for m in &incoming {
            let own = self.data(ctx).chain.iter().position(|c| *c == self).unwrap_or(0);
            if let Some(there) = self.data(ctx).chain[..own].iter().position(|c| c == m) {
                at = at.max(there + 1);
                continue;
            }
            self.data_mut(ctx).chain.insert(at, *m);
            at += 1;
            added.push(*m);
        }
        self.chain_changed(ctx, &added);
        // The own methods moved behind: their names are looked up anew.
        let own: Vec<Sym> = self.data(ctx).methods.keys().collect();
        own.into_iter().for_each(|name| ctx.bump_method_epoch(name));
        for m in added {
            let names: Vec<Sym> = m.data(ctx).methods.keys().collect();
            names.into_iter().for_each(|name| ctx.note_redefinition(self, name));
        }
        self.pass_on_growth(ctx);
        Ok(())
    }

    fn chain_changed(self, ctx: &mut Ctx, added: &[Class]) {
        for &module in added {
            ctx.write_barrier(self.value(), module.value());
            let dependents = &mut module.data_mut(ctx).dependents;
            if !dependents.contains(&self) {
                dependents.push(self);
            }
            let methods: Vec<Sym> = module.data(ctx).methods.keys().collect();
            methods.into_iter().for_each(|name| ctx.bump_method_epoch(name));
            if module.data(ctx).is_refined() {
                ctx.touch_refined_names();
            }
            let constants: Vec<Sym> = module.data(ctx).constants.keys().collect();
            constants.into_iter().for_each(|name| ctx.bump_const_epoch(name));
        }
        self.recompute_mro(ctx);
    }
}
