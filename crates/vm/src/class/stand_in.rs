//! Stand-ins: faster forms of a module's methods for one class.
//!
//! `Array#each_slice` is Enumerable's, yet a loop over the elements is faster than going through `each`. A stand-in is
//! such a loop: it is found where lookup finds the method that it stands in for, as long as the receiver iterates with
//! the class's own `each`. It is in no method table, so overriding either method, reflection and `super` see the
//! module's method only.

use super::{Class, Found};
use crate::ctx::Ctx;
use crate::method::Method;
use rubellite_value::Sym;

/// A faster form of `original` for instances that iterate with `each`.
pub struct StandIn {
    pub(super) original: Method,
    pub(super) method: Method,
    pub(super) each: Method,
}

impl Class {
    /// The methods `names` of this class become stand-ins for those of `module`, which must have them. Names that
    /// either does not have are passed over.
    pub fn make_stand_ins(self, ctx: &mut Ctx, module: Class, names: &[&str]) {
        let each = ctx.names().each;
        let Some(each) = self.own_method(ctx, each) else { return };
        for name in names {
            let name = ctx.intern_str(name);
            let (Some(original), Some(own)) = (module.own_method(ctx, name), self.own_method(ctx, name)) else {
                continue;
            };
            let method = own.copy_for(ctx, module, own.visibility());
            self.remove_method(ctx, name);
            original.set_has_stand_ins();
            method.set_stands_in();
            self.data_mut(ctx).rare_mut().stand_ins.insert(name, StandIn { original, method, each });
            ctx.write_barrier(self.value(), method.value());
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { ctx.vm().stand_in_names.get_mut() }.insert(name);
        }
    }

    /// What lookup from `start` finds for `method`, which it met at `pos`: the method, or what stands in for it.
    /// Its `super` goes on to that method.
    pub(super) fn stand_in(self, ctx: &Ctx, name: Sym, method: Method, start: usize, pos: usize, epoch: u32) -> Found {
        let mro = &self.data(ctx).mro;
        let found = mro[start..pos].iter().find_map(|module| module.data(ctx).rare.as_ref()?.stand_ins.get(&name));
        match found {
            Some(stand_in) if stand_in.original == method && self.iterates_by(ctx, stand_in.each) => {
                Found { method: Some(stand_in.method), pos: pos as u32 - 1, epoch }
            }
            _ => Found { method: Some(method), pos: pos as u32, epoch },
        }
    }

    /// The `each` in whose place `method`, a stand-in, runs in instances of this class.
    pub(crate) fn each_of_stand_in(self, ctx: &Ctx, method: Method) -> Option<Method> {
        let mro = &self.data(ctx).mro;
        let mut stand_ins =
            mro.iter().filter_map(|module| module.data(ctx).rare.as_ref()).flat_map(|r| r.stand_ins.values());
        stand_ins.find(|stand_in| stand_in.method == method).map(|stand_in| stand_in.each)
    }

    fn iterates_by(self, ctx: &Ctx, each: Method) -> bool {
        let Found { method, .. } = self.find_method(ctx, ctx.names().each);
        method == Some(each)
    }
}
