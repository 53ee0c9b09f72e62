//! Names of classes and modules.

use super::{Class, Value2};
use crate::ctx::Ctx;
use rubellite_value::{Sym, Value};

impl Class {
    /// The name given by the first constant that the class was assigned to; `None` while anonymous.
    pub fn name(self, ctx: &Ctx) -> Option<&str> {
        self.data(ctx).name.as_deref()
    }

    pub fn lexical_parent(self, ctx: &Ctx) -> Value {
        self.data(ctx).lexical_parent.0
    }

    /// Gives a name that no constant can give, and that lasts.
    pub fn set_own_name(self, ctx: &Ctx, name: &str) {
        let data = self.data_mut(ctx);
        data.name = Some(name.into());
        data.permanent_name = true;
    }

    /// Sets a temporary name (`Module#set_temporary_name`) or clears it.
    pub fn set_temporary_name(self, ctx: &Ctx, name: Option<&str>) {
        let data = self.data_mut(ctx);
        data.name = name.map(Box::from);
        data.permanent_name = false;
        self.rename_temporary_members(ctx);
    }

    /// Members that are named after a module without a lasting name follow its temporary one.
    fn rename_temporary_members(self, ctx: &Ctx) {
        // tidy: constants of the class, which keeps them
        let members: Vec<(Sym, Value)> =
            self.data(ctx).constants.iter().filter(|(_, e)| !e.flags.autoload).map(|(n, e)| (n, e.value)).collect();
        for (name, value) in members {
            let Some(member) = Class::try_of(value) else { continue };
            if member.data(ctx).permanent_name || member.lexical_parent(ctx) != self.value() {
                continue;
            }
            let own = ctx.sym_str(name);
            let full = self.name(ctx).map(|prefix| format!("{prefix}::{own}").into_boxed_str());
            member.data_mut(ctx).name = full;
            member.rename_temporary_members(ctx);
        }
    }

    pub fn has_permanent_name(self, ctx: &Ctx) -> bool {
        self.data(ctx).permanent_name
    }

    /// How messages name this class's method `name`: "Foo#bar", "Foo.bar", or "bar" when the class has no lasting name.
    pub fn qualify(self, ctx: &Ctx, name: &str) -> String {
        if self.is_singleton() {
            if let Some(class) = Class::try_of(self.attached(ctx))
                && let Some(text) = class.name(ctx).filter(|_| class.has_permanent_name(ctx))
            {
                return format!("{text}.{name}");
            }
            return name.to_string();
        }
        match self.name(ctx).filter(|_| self.has_permanent_name(ctx)) {
            Some(text) => format!("{text}#{name}"),
            None => name.to_string(),
        }
    }

    pub(crate) fn name_by_constant(self, ctx: &Ctx, owner: Class, name: Sym) {
        let object = ctx.classes().object.get();
        if self.data(ctx).permanent_name || (owner.value() != object && self.encloses(ctx, owner)) {
            return;
        }
        let own = ctx.sym_str(name);
        let (full, permanent) = if owner.value() == object {
            (own, true)
        } else {
            match owner.name(ctx) {
                Some(prefix) => (format!("{prefix}::{own}"), owner.data(ctx).permanent_name),
                // The owner is anonymous: the name is temporary and shows the owner's address.
                None => (format!("{}::{own}", owner.anonymous_inspect(ctx)), false),
            }
        };
        let data = self.data_mut(ctx);
        if data.name.is_some() && !permanent {
            return;
        }
        data.name = Some(full.into());
        data.permanent_name = permanent;
        data.lexical_parent = Value2(owner.value());
        if permanent {
            self.rename_members(ctx);
        }
    }

    /// Whether `inner` is this module or got its name in it: a module is not named after itself.
    fn encloses(self, ctx: &Ctx, inner: Class) -> bool {
        let mut at = inner.value();
        while let Some(module) = Class::try_of(at) {
            if module == self {
                return true;
            }
            // What has its lasting name is in nothing that has none.
            let parent = module.lexical_parent(ctx);
            if module.data(ctx).permanent_name || parent == at {
                break;
            }
            at = parent;
        }
        false
    }

    /// Classes below a module that has just got its permanent name get theirs.
    fn rename_members(self, ctx: &Ctx) {
        // tidy: constants of the class, which keeps them
        let members: Vec<(Sym, Value)> =
            self.data(ctx).constants.iter().filter(|(_, e)| !e.flags.autoload).map(|(n, e)| (n, e.value)).collect();
        for (name, value) in members {
            if let Some(class) = Class::try_of(value) {
                class.name_by_constant(ctx, self, name);
            }
        }
    }

    fn anonymous_inspect(self, ctx: &Ctx) -> String {
        let kind = if self.is_module() { ctx.real_class(self.value()).inspect(ctx) } else { "Class".to_string() };
        format!("#<{kind}:0x{:016x}>", self.value().bits())
    }

    /// What `Module#inspect` gives, singleton classes included. Runs no Ruby code.
    pub fn inspect(self, ctx: &Ctx) -> String {
        if self.is_singleton() {
            let attached = self.attached(ctx);
            return match Class::try_of(attached) {
                Some(class) => format!("#<Class:{}>", class.inspect(ctx)),
                None => format!("#<Class:{}>", ctx.any_to_s(attached)),
            };
        }
        if let (Some(refined), Some(owner)) =
            (Class::try_of(self.data(ctx).refined_class()), Class::try_of(self.data(ctx).lexical_parent.0))
        {
            return format!("#<refinement:{}@{}>", refined.inspect(ctx), owner.inspect(ctx));
        }
        match self.name(ctx) {
            Some(name) => name.to_string(),
            None => self.anonymous_inspect(ctx),
        }
    }
}
