//! Method lookup: which method instances of a class have under a name, where among the ancestors it was found, and what
//! `super` finds behind it. Also adding methods to a class's own table.

use super::Class;
use crate::ctx::Ctx;
use crate::method::{Method, MethodBody};
use crate::object::growing::Roomy;
use rubellite_value::{Sym, Value};

/// A position that stands for "found outside the receiver's ancestry".
pub const NOT_IN_MRO: u32 = u32::MAX;

/// The outcome of a lookup: the method, or none (cached as well).
#[derive(Copy, Clone)]
pub struct Found {
    pub method: Option<Method>,
    /// Index of the method's owner in the receiver class's mro; where `super` goes on.
    pub pos: u32,
    pub epoch: u32,
}

impl Found {
    pub(crate) fn method_value(&self) -> Value {
        self.method.map_or(Value::NIL, Method::value)
    }
}

impl Class {
    /// Looks `name` up in this class's mro. An undefined (`undef`) method is found as none.
    #[inline]
    pub fn find_method(self, ctx: &Ctx, name: Sym) -> Found {
        let epoch = ctx.method_epoch(name);
        let recent = &ctx.vm().recently_found.methods;
        if let Some(found) = recent.get(self, name).filter(|found| found.epoch == epoch) {
            return found;
        }
        let found = self.find_method_in_table(ctx, name, epoch);
        recent.set(self, name, found);
        found
    }

    fn find_method_in_table(self, ctx: &Ctx, name: Sym, epoch: u32) -> Found {
        if let Some(found) = self.data(ctx).lookups.get(&name)
            && found.epoch == epoch
        {
            return *found;
        }
        ctx.pin_symbol(name);
        let found = self.find_method_from(ctx, name, 0);
        self.data_mut(ctx).lookups.room_for(1);
        self.data_mut(ctx).lookups.insert(name, found);
        found
    }

    /// Looks `name` up in the mro from position `start` on.
    pub fn find_method_from(self, ctx: &Ctx, name: Sym, start: usize) -> Found {
        let epoch = ctx.method_epoch(name);
        let mro = &self.data(ctx).mro;
        for (pos, module) in mro.iter().enumerate().skip(start) {
            if let Some(method) = module.own_method(ctx, name) {
                return match method.body() {
                    MethodBody::Undef => Found { method: None, pos: pos as u32, epoch },
                    // A change of visibility alone: the code is further up.
                    MethodBody::ZSuper => self.resolve_zsuper(ctx, method, name, pos, epoch),
                    _ if method.has_stand_ins() => self.stand_in(ctx, name, method, start, pos, epoch),
                    _ => Found { method: Some(method), pos: pos as u32, epoch },
                };
            }
        }
        Found { method: None, pos: NOT_IN_MRO, epoch }
    }

    fn resolve_zsuper(self, ctx: &Ctx, method: Method, name: Sym, pos: usize, epoch: u32) -> Found {
        // The entry itself carries the visibility; calls resolve the body through `find_method_from(pos + 1)`.
        let _ = (ctx, name);
        Found { method: Some(method), pos: pos as u32, epoch }
    }

    /// The method entry of this very class or module.
    pub fn own_method(self, ctx: &Ctx, name: Sym) -> Option<Method> {
        self.data(ctx).methods.get(name).copied()
    }

    /// Enters `method` under `name`.
    pub fn set_method(self, ctx: &Ctx, name: Sym, method: Method) {
        self.put_method(ctx, name, method);
        ctx.note_redefinition(self, name);
    }

    /// Enters a method that does what the one did that had the name: fast paths of built-in operations stay.
    pub(crate) fn put_method(self, ctx: &Ctx, name: Sym, method: Method) {
        ctx.pin_symbol(name);
        if !self.data(ctx).refined_class().is_nil() {
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { ctx.vm().refined_names.get_mut() }.insert(name);
        }
        if !method.is_core() {
            self.keep_original(ctx, name);
        }
        self.data_mut(ctx).methods.insert(name, method);
        ctx.write_barrier(self.value(), method.value());
        ctx.bump_method_epoch(name);
    }

    /// Removes the entry for `name`; false when there is none.
    pub fn remove_method(self, ctx: &Ctx, name: Sym) -> bool {
        self.keep_original(ctx, name);
        let removed = self.data_mut(ctx).methods.take_out(name).is_some();
        ctx.bump_method_epoch(name);
        ctx.note_redefinition(self, name);
        removed
    }

    /// Before the entry for `name` goes: remembers it if it is the runtime's own.
    fn keep_original(self, ctx: &Ctx, name: Sym) {
        let Some(method) = self.own_method(ctx, name).filter(|method| method.is_core() && ctx.booted()) else { return };
        self.data_mut(ctx).rare_mut().originals.insert(name, method);
        ctx.write_barrier(self.value(), method.value());
    }

    /// What the runtime itself has for `name`, whatever programs have defined, replaced, removed and brought in since,
    /// and its place in the mro.
    pub fn find_core_method(self, ctx: &Ctx, name: Sym) -> Option<(Method, u32)> {
        for (pos, module) in self.data(ctx).mro.iter().enumerate() {
            let replaced = module.data(ctx).rare.as_ref().and_then(|rare| rare.originals.get(name).copied());
            let Some(method) = replaced.or_else(|| module.own_method(ctx, name).filter(|method| method.is_core()))
            else {
                continue;
            };
            match method.body() {
                MethodBody::Undef => return None,
                MethodBody::ZSuper | MethodBody::Refined => {}
                _ => return Some((method, pos as u32)),
            }
        }
        None
    }

    pub fn own_method_names(self, ctx: &Ctx) -> Vec<Sym> {
        self.data(ctx).methods.keys().collect()
    }
}
