//! Constants: lexical and scoped lookup, assignment, const_missing. How a thread sees a constant whose file is being
//! loaded is the business of `autoload`.

use super::autoload::Settled;
use crate::Result;
use crate::class::{Class, ConstEntry, ConstFlags};
use crate::code::Cache;
use crate::ctx::Ctx;
use crate::object::{Cref, Str};
use crate::warning::Category;
use rubellite_value::{Sym, Value};

/// How often a lookup begins again because a file was loaded or a module turned out not to have the constant.
const ROUNDS_MAX: usize = 64;

impl Ctx {
    /// The module in which `X = 1` defines: scopes of instance_eval are skipped.
    pub(crate) fn cref_module(&self, cref: Value) -> Value {
        let mut at = cref;
        while let Some(scope) = Cref::try_of(at) {
            if !scope.is_eval() && Class::is(scope.module()) {
                return scope.module();
            }
            at = scope.parent();
        }
        self.classes().object.get()
    }

    /// `cref_module` for a definition: the singleton class of the receiver in an instance_eval of a text. Numbers and
    /// symbols have none.
    pub(crate) fn const_target(&mut self, cref: Value) -> Result {
        self.warn_outside_refinement(cref)?;
        let module = self.cref_module(cref);
        let Some(scope) = Cref::try_of(cref).filter(|scope| scope.module() == module) else { return Ok(module) };
        let Some(receiver) = scope.receiver() else { return Ok(module) };
        match Class::singleton_class(self, receiver) {
            Some(singleton) => {
                scope.set_module(self, singleton.value());
                Ok(singleton.value())
            }
            None => Err(self.type_error("can't define singleton")),
        }
    }

    /// Says that what is defined in the block of `refine` belongs to the scope around it.
    pub(super) fn warn_outside_refinement(&mut self, cref: Value) -> Result<()> {
        let module = Cref::try_of(cref).filter(|scope| scope.is_eval()).and_then(|scope| Class::try_of(scope.module()));
        match module.filter(|module| !module.data(self).refined_class().is_nil()) {
            Some(_) => self.warn("not defined at the refinement, but at the outer class/module"),
            None => Ok(()),
        }
    }

    #[inline(never)]
    pub(crate) fn get_const_slow(&mut self, cref: Value, name: Sym, cache: &Cache) -> Result {
        let value = self.const_lexical(cref, name)?;
        // Looking up may have run code (autoload, const_missing): cache only what is really defined.
        let epoch = self.const_epoch(name);
        if let Some((_, entry)) = self.find_const_lexical(cref, name, &[])
            && !entry.flags.autoload
            && !entry.flags.deprecated
            && entry.value == value
            && !self.autoloading()
            && self.may_remember_const(value)
        {
            cache.key.set(cref);
            cache.value.set(value);
            self.cached_in_running_code(&[cref, value]);
            cache.epoch.set(epoch);
            cache.current.set(Some(self.const_epoch_ref(name)));
        }
        Ok(value)
    }

    /// The constant as seen from the scope: enclosing modules first, then the ancestry of the innermost. Not in the
    /// modules of `skip`.
    pub(crate) fn find_const_lexical(&self, cref: Value, name: Sym, skip: &[Class]) -> Option<(Class, ConstEntry)> {
        let mut at = cref;
        while let Some(scope) = Cref::try_of(at) {
            if scope.parent().is_nil() {
                break; // Object is searched through the ancestry.
            }
            if !scope.is_eval() {
                // The scope of an instance_eval of a number names no module.
                if let Some((module, entry)) = Class::try_of(scope.module())
                    .filter(|m| !skip.contains(m))
                    .and_then(|m| m.own_const(self, name).map(|e| (m, e)))
                {
                    return Some((module, entry.clone()));
                }
            }
            at = scope.parent();
        }
        let base = Class::known(self.cref_module(cref));
        base.find_const_except(self, name, true, skip).map(|(owner, entry)| (owner, entry.clone()))
    }

    /// Value of a constant by lexical lookup.
    pub fn const_lexical(&mut self, cref: Value, name: Sym) -> Result {
        let mut skip = Vec::new(); // tidy: modules of the scope and their ancestors
        for _ in 0..ROUNDS_MAX {
            let Some((owner, entry)) = self.find_const_lexical(cref, name, &skip) else { break };
            if let Some(value) = self.take_const(owner, name, &entry, &mut skip)? {
                return Ok(value);
            }
        }
        let module = self.cref_module(cref);
        self.const_missing(module, name)
    }

    fn const_missing(&mut self, module: Value, name: Sym) -> Result {
        let missing = self.names().const_missing;
        self.call(module, missing, &[Value::symbol(name)])
    }

    /// "uninitialized constant Foo::Bar"
    #[cold]
    pub fn uninitialized_constant(&mut self, module: Value, name: Sym) -> crate::Unwind {
        let text = self.sym_str(name);
        let message = if module == self.classes().object.get() {
            format!("uninitialized constant {text}")
        } else {
            let owner = match self.module_title(module) {
                Ok(owner) => owner,
                Err(unwind) => return unwind,
            };
            format!("uninitialized constant {owner}::{text}")
        };
        self.name_error("NameError", &message, module, name)
    }

    /// The module's name as messages give it: by its `name` or `inspect` when the program defines them.
    fn module_title(&mut self, module: Value) -> Result<String> {
        let (name, inspect) = (self.names().name, self.names().inspect);
        if self.overridden(module, name) {
            let name = self.call(module, name, &[])?;
            if let Some(text) = Str::try_of(name) {
                return Ok(text.to_lossy(self).into_owned());
            }
        }
        if self.overridden(module, inspect) { self.inspect(module) } else { Ok(Class::known(module).inspect(self)) }
    }

    /// `scope::Name`, remembered while nothing of that name changes.
    #[inline(never)]
    pub(crate) fn const_from_cached(&mut self, scope: Value, name: Sym, cache: &Cache) -> Result {
        let value = self.const_from(scope, name)?;
        let epoch = self.const_epoch(name);
        let plain = Class::try_of(scope)
            .and_then(|class| class.find_const(self, name, false))
            .is_some_and(|(_, entry)| entry.flags == ConstFlags::default() && entry.value == value);
        if plain && !self.autoloading() && self.may_remember_const(value) {
            cache.key.set(scope);
            cache.value.set(value);
            self.cached_in_running_code(&[scope, value]);
            cache.epoch.set(epoch);
            cache.current.set(Some(self.const_epoch_ref(name)));
        }
        Ok(value)
    }

    /// `scope::Name`
    pub fn const_from(&mut self, scope: Value, name: Sym) -> Result {
        let Some(class) = Class::try_of(scope) else {
            let text = self.inspect(scope)?;
            return Err(self.type_error(&format!("{text} is not a class/module")));
        };
        if let Some((_, entry)) = class.find_const(self, name, false)
            && entry.flags == ConstFlags::default()
            && !self.autoloading()
            && self.in_main_ractor()
        {
            return Ok(entry.value);
        }
        let mut skip = Vec::new(); // tidy: ancestors of the class
        for _ in 0..ROUNDS_MAX {
            let Some((owner, entry)) = class.find_const_except(self, name, false, &skip).map(|(o, e)| (o, e.clone()))
            else {
                break;
            };
            if entry.flags.private {
                if self.overridden(scope, self.names().const_missing) {
                    break;
                }
                let (text, module) = (self.sym_str(name), owner.inspect(self));
                return Err(self.name_error(
                    "NameError",
                    &format!("private constant {module}::{text} referenced"),
                    owner.value(),
                    name,
                ));
            }
            if let Some(value) = self.take_const(owner, name, &entry, &mut skip)? {
                return Ok(value);
            }
        }
        self.const_missing(scope, name)
    }

    /// `const_get` with inheritance: like `const_from`, private constants allowed.
    pub fn const_get(&mut self, class: Class, name: Sym, inherit: bool) -> Result {
        let mut skip = Vec::new(); // tidy: ancestors of the class
        for _ in 0..ROUNDS_MAX {
            let found = match inherit {
                true => class.find_const_except(self, name, true, &skip).map(|(o, e)| (o, e.clone())),
                false if skip.is_empty() => class.own_const(self, name).map(|e| (class, e.clone())),
                false => None,
            };
            let Some((owner, entry)) = found else { break };
            if let Some(value) = self.take_const(owner, name, &entry, &mut skip)? {
                return Ok(value);
            }
        }
        self.const_missing(class.value(), name)
    }

    /// The value of what a lookup has found. `None`: look again, without the modules of `skip`, which may have grown by
    /// `owner`.
    fn take_const(
        &mut self,
        owner: Class,
        name: Sym,
        entry: &ConstEntry,
        skip: &mut Vec<Class>,
    ) -> Result<Option<Value>> {
        match self.settle_const(owner, name, entry)? {
            Settled::Value => {
                if entry.flags.deprecated {
                    self.warn_deprecated_const(owner, name)?;
                }
                self.check_const_read(owner, name, entry.value)?;
                return Ok(Some(entry.value));
            }
            Settled::Absent => skip.push(owner),
            Settled::Loaded => {}
        }
        Ok(None)
    }

    fn warn_deprecated_const(&mut self, owner: Class, name: Sym) -> Result<()> {
        let text = self.sym_str(name);
        let full = if owner.value() == self.classes().object.get() {
            format!("::{text}")
        } else {
            format!("{}::{text}", owner.inspect(self))
        };
        self.warn_category(&format!("constant {full} is deprecated"), Category::Deprecated)
    }

    /// `Scope::NAME = value`, with the warning for a constant that exists and the hook `const_added`.
    pub fn set_const_checked(&mut self, scope: Value, name: Sym, value: Value) -> Result<()> {
        let Some(class) = Class::try_of(scope) else {
            let text = self.inspect(scope)?;
            return Err(self.type_error(&format!("{text} is not a class/module")));
        };
        self.check_frozen(scope)?;
        self.check_const_write(value)?;
        let (file, line) = self.source_location();
        let mut flags = ConstFlags::default();
        if let Some(old) = class.own_const(self, name).cloned() {
            if !old.flags.autoload {
                self.warn_redefined_const(class, name, &old)?;
            }
            flags = ConstFlags { autoload: false, ..old.flags };
        }
        class.set_const_raw(self, name, ConstEntry { value, flags, file, line });
        let hook = self.names().const_added;
        if self.hears_of(scope, hook) {
            self.call(scope, hook, &[Value::symbol(name)])?;
        }
        Ok(())
    }

    fn warn_redefined_const(&mut self, class: Class, name: Sym, old: &ConstEntry) -> Result<()> {
        if self.vm().verbose.get().is_nil() {
            return Ok(());
        }
        let text = self.sym_str(name);
        let full = if class.value() == self.classes().object.get() {
            text.clone()
        } else {
            format!("{}::{text}", class.inspect(self))
        };
        self.warn(&format!("already initialized constant {full}"))?;
        if let Some(file) = &old.file {
            let note = format!("{file}:{}: warning: previous definition of {text} was here\n", old.line);
            self.warn_raw(&note)?;
        }
        Ok(())
    }

    /// File and line of the running Ruby code.
    pub fn source_location(&self) -> (Option<std::sync::Arc<str>>, i32) {
        match self.ruby_frame() {
            Some(frame) => {
                // SAFETY: a frame with code keeps it alive.
                let code = unsafe { &*frame.code };
                (Some(std::sync::Arc::from(code.iseq.script.path.as_str())), frame.line())
            }
            None => (None, 0),
        }
    }

    /// The source text of the running Ruby code.
    pub fn source_script(&self) -> Option<std::sync::Arc<rubellite_bytecode::Script>> {
        // SAFETY: a frame with code keeps it alive.
        self.ruby_frame().map(|frame| unsafe { &*frame.code }.iseq.script.clone())
    }
}
