//! Constants: tables and lookup. What autoload makes of them is in `interp::autoload`.

use super::Class;
use crate::ctx::Ctx;
use rubellite_value::{Sym, Value};

#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct ConstFlags {
    pub private: bool,
    pub deprecated: bool,
    /// `value` is the path of a file that defines the constant.
    pub autoload: bool,
}

#[derive(Clone)]
pub struct ConstEntry {
    pub value: Value,
    pub flags: ConstFlags,
    /// Where it was assigned.
    pub file: Option<std::sync::Arc<str>>,
    pub line: i32,
}

impl Class {
    pub fn own_const(self, ctx: &Ctx, name: Sym) -> Option<&ConstEntry> {
        self.data(ctx).constants.get(name)
    }

    /// The constant in the ancestry, with the module that owns it. `Object` counts for modules only when
    /// `include_object`.
    pub fn find_const(self, ctx: &Ctx, name: Sym, include_object: bool) -> Option<(Class, &ConstEntry)> {
        self.find_const_except(ctx, name, include_object, &[])
    }

    /// `find_const` that passes over the modules of `skip`.
    pub fn find_const_except<'a>(
        self,
        ctx: &'a Ctx,
        name: Sym,
        include_object: bool,
        skip: &[Class],
    ) -> Option<(Class, &'a ConstEntry)> {
        let object = ctx.classes().object.class();
        let skipped = |module: Class| skip.contains(&module);
        // Its own come before those of modules prepended to it.
        if let Some(entry) = self.own_const(ctx, name).filter(|_| !skipped(self)) {
            return Some((self, entry));
        }
        for &module in &self.data(ctx).mro {
            if skipped(module) {
                continue;
            }
            if let Some(entry) = module.own_const(ctx, name) {
                // What Object itself defines is not seen through `Foo::Name`.
                if !include_object && module == object && self != object {
                    return None;
                }
                return Some((module, entry));
            }
        }
        if include_object && self.is_module() {
            for &module in &object.data(ctx).mro {
                if skipped(module) {
                    continue;
                }
                if let Some(entry) = module.own_const(ctx, name) {
                    return Some((module, entry));
                }
            }
        }
        None
    }

    /// Sets the constant without any check or warning; names an anonymous class or module.
    pub fn set_const_raw(self, ctx: &Ctx, name: Sym, entry: ConstEntry) {
        let value = entry.value;
        let autoload = entry.flags.autoload;
        ctx.pin_symbol(name);
        self.data_mut(ctx).constants.insert(name, entry);
        ctx.write_barrier(self.value(), value);
        ctx.bump_const_epoch(name);
        if let Some(class) = Class::try_of(value)
            && !autoload
        {
            class.name_by_constant(ctx, self, name);
        }
    }

    /// Sets a constant of the VM's own making.
    pub fn set_const(self, ctx: &Ctx, name: &str, value: Value) {
        let sym = ctx.intern_str(name);
        self.set_const_raw(ctx, sym, ConstEntry { value, flags: ConstFlags::default(), file: None, line: 0 });
    }

    pub fn const_entry_mut(self, ctx: &Ctx, name: Sym) -> Option<&mut ConstEntry> {
        ctx.bump_const_epoch(name);
        self.data_mut(ctx).constants.get_mut(name)
    }

    pub fn remove_const(self, ctx: &Ctx, name: Sym) -> Option<ConstEntry> {
        ctx.bump_const_epoch(name);
        self.data_mut(ctx).constants.take_out(name)
    }

    pub fn own_const_names(self, ctx: &Ctx) -> Vec<Sym> {
        self.data(ctx).constants.keys().collect()
    }
}
