//! Class variables.

use super::Class;
use crate::ctx::Ctx;
use rubellite_value::{Sym, Value};
use std::cell::Cell;

/// Where a class variable was found.
#[derive(Copy, Clone)]
struct Recent {
    class: Value, // tidy: forgotten at each collection
    name: Sym,
    generation: u32,
    owner: Value, // tidy: an ancestor of the class
}

/// How many are kept.
const RECENT: usize = 256;

/// Which module holds a class variable that was used lately, seen from a class: to find it takes a look at each
/// ancestor. Nothing in it is traced; each collection, each new or removed class variable, and each change of some
/// class's ancestors begins another generation.
pub(crate) struct RecentOwners {
    places: Box<[Cell<Recent>]>,
    generation: Cell<u32>,
}

impl Default for RecentOwners {
    fn default() -> Self {
        let none = Recent { class: Value::UNDEF, name: Sym(0), generation: 0, owner: Value::UNDEF };
        RecentOwners { places: vec![Cell::new(none); RECENT].into(), generation: Cell::new(0) }
    }
}

impl RecentOwners {
    #[inline]
    fn at(&self, class: Class, name: Sym) -> &Cell<Recent> {
        let place = (class.value().bits() >> 6) as usize ^ (name.0 as usize).wrapping_mul(0x9e37);
        &self.places[place % RECENT]
    }

    #[inline]
    pub(crate) fn get(&self, class: Class, name: Sym) -> Option<Class> {
        let recent = self.at(class, name).get();
        let same = recent.class == class.value() && recent.name == name && recent.generation == self.generation.get();
        if same { Class::try_of(recent.owner) } else { None }
    }

    /// Notes an owner of which no other ancestor is in the way.
    pub(crate) fn set(&self, class: Class, name: Sym, owner: Class) {
        let recent = Recent { class: class.value(), name, generation: self.generation.get(), owner: owner.value() };
        self.at(class, name).set(recent);
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        let next = self.generation.get().wrapping_add(1);
        self.generation.set(next);
        if next == 0 {
            // The numbers begin anew.
            self.places.iter().for_each(|place| place.set(Recent { class: Value::UNDEF, ..place.get() }));
        }
    }
}

impl Class {
    /// The module in the ancestry that holds class variable `name`: the furthest one, which is the one all share.
    pub fn cvar_owner(self, ctx: &Ctx, name: Sym) -> Option<Class> {
        let start = if self.is_singleton() {
            match Class::try_of(self.attached(ctx)) {
                Some(attached) if self.own_cvar(ctx, name).is_none() => return attached.cvar_owner(ctx, name),
                _ => self,
            }
        } else {
            self
        };
        start.cvar_in_mro(ctx, name)
    }

    fn cvar_in_mro(self, ctx: &Ctx, name: Sym) -> Option<Class> {
        self.data(ctx).mro.iter().copied().filter(|m| m.own_cvar(ctx, name).is_some()).last()
    }

    pub fn own_cvar(self, ctx: &Ctx, name: Sym) -> Option<Value> {
        self.data(ctx).rare.as_ref()?.cvars.get(name).copied()
    }

    pub fn set_own_cvar(self, ctx: &Ctx, name: Sym, value: Value) {
        if self.own_cvar(ctx, name).is_none() {
            ctx.pin_symbol(name);
            ctx.vm().recent_owners.forget();
        }
        self.data_mut(ctx).rare_mut().cvars.insert(name, value);
        ctx.write_barrier(self.value(), value);
    }

    pub fn remove_cvar(self, ctx: &Ctx, name: Sym) -> Option<Value> {
        ctx.vm().recent_owners.forget();
        self.data_mut(ctx).rare.as_mut()?.cvars.take_out(name)
    }

    pub fn own_cvar_names(self, ctx: &Ctx) -> Vec<Sym> {
        self.data(ctx).rare.iter().flat_map(|rare| rare.cvars.keys()).collect()
    }
}
