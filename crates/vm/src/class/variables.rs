//! Class variables.

use super::Class;
use crate::ctx::Ctx;
use rubellite_value::{Sym, Value};

/// The modules in the ancestry of a class that hold one class variable.
#[derive(Copy, Clone)]
pub(crate) struct CvarOwners {
    /// The first in the order of lookup.
    pub nearest: Class,
    /// The last, which is the one that all share. Another one nearer is an error for whoever reads or writes.
    pub shared: Class,
}

impl Class {
    /// The module in the ancestry that holds class variable `name`: the furthest one, which is the one all share.
    pub fn cvar_owner(self, ctx: &Ctx, name: Sym) -> Option<Class> {
        self.cvar_owners(ctx, name).map(|owners| owners.shared)
    }

    /// The nearest and the furthest module that hold class variable `name`, seen from this class. To find them takes a
    /// look at each ancestor, so what was found lately is kept.
    pub(crate) fn cvar_owners(self, ctx: &Ctx, name: Sym) -> Option<CvarOwners> {
        let recent = &ctx.vm().recently_found.variables;
        if let Some(owners) = recent.get(self, name) {
            return Some(owners);
        }
        let owners = self.find_cvar_owners(ctx, name)?;
        recent.set(self, name, owners);
        Some(owners)
    }

    fn find_cvar_owners(self, ctx: &Ctx, name: Sym) -> Option<CvarOwners> {
        let holds = |module: &Class| module.own_cvar(ctx, name).is_some();
        // From a singleton class of a class or module the search goes on there.
        let attached = if self.is_singleton() { Class::try_of(self.attached(ctx)) } else { None };
        let classes = std::iter::successors(Some(attached.unwrap_or(self)), |class| class.superclass(ctx));
        // Each class comes before the modules that are prepended to it, other than for methods.
        let ancestors = classes.flat_map(|class| {
            let modules = class.data(ctx).chain.iter().copied().filter(move |module| *module != class);
            std::iter::once(class).chain(modules)
        });
        let mut holders = std::iter::once(self).chain(ancestors).filter(holds);
        let nearest = holders.next()?;
        Some(CvarOwners { nearest, shared: holders.last().unwrap_or(nearest) })
    }

    pub fn own_cvar(self, ctx: &Ctx, name: Sym) -> Option<Value> {
        self.data(ctx).rare.as_ref()?.cvars.get(name).copied()
    }

    pub fn set_own_cvar(self, ctx: &Ctx, name: Sym, value: Value) {
        if self.own_cvar(ctx, name).is_none() {
            ctx.pin_symbol(name);
            ctx.vm().recently_found.variables.forget();
        }
        self.data_mut(ctx).rare_mut().cvars.insert(name, value);
        ctx.write_barrier(self.value(), value);
    }

    pub fn remove_cvar(self, ctx: &Ctx, name: Sym) -> Option<Value> {
        ctx.vm().recently_found.variables.forget();
        self.data_mut(ctx).rare.as_mut()?.cvars.take_out(name)
    }

    pub fn own_cvar_names(self, ctx: &Ctx) -> Vec<Sym> {
        self.data(ctx).rare.iter().flat_map(|rare| rare.cvars.keys()).collect()
    }
}
