//! Definitions at run time: `def`, `class`, `module`, singleton classes, `alias` and `undef`, with their checks,
//! warnings and hooks.

use super::autoload::Settled;
use crate::class::{Class, ConstEntry, ConstFlags};
use crate::code::Code;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::method::{Method, MethodBody, Visibility};
use crate::object::proc::ProcBody;
use crate::object::{Cref, Str};
use crate::{Result, Unwind};
use rubellite_value::{Sym, Tag, Value};

impl Ctx {
    /// The class that `def` defines in.
    fn definee(&mut self, frame: *mut Frame) -> Result<(Class, Value)> {
        // SAFETY: the frame is the running one.
        let cref = unsafe { (*frame).cref };
        match Cref::try_of(cref) {
            Some(scope) => match Class::try_of(scope.module()) {
                Some(class) => match scope.receiver() {
                    None => Ok((class, cref)),
                    Some(_) => Ok((Class::known(self.const_target(cref)?), cref)),
                },
                // instance_eval: the singleton class is made now.
                None => {
                    // SAFETY: the frame is the running one.
                    let me = unsafe { (*frame).self_value() };
                    match Class::singleton_class(self, me) {
                        Some(singleton) => Ok((singleton, cref)),
                        None => Err(self.type_error("can't define singleton")),
                    }
                }
            },
            None => Ok((self.classes().object.class(), cref)),
        }
    }

    /// `def name`
    pub(crate) fn define_method(&mut self, frame: *mut Frame, name: Sym, code: Code) -> Result {
        let (class, cref) = self.definee(frame)?;
        // SAFETY: the frame is the running one.
        let scope = self.visibility_scope(unsafe { &*frame });
        let visibility = scope.map_or(Visibility::Public, Cref::visibility);
        let module_function = scope.is_some_and(Cref::module_function);
        self.add_method(class, name, visibility, MethodBody::Code { code, cref })?;
        if name == self.names().initialize {
            class.expect_variables(self, code);
        }
        if module_function && let Some(singleton) = Class::singleton_class(self, class.value()) {
            self.add_method(singleton, name, Visibility::Public, MethodBody::Code { code, cref })?;
        }
        Ok(Value::symbol(name))
    }

    /// `initialize` and its relatives are private however they are defined.
    fn fitting_visibility(&self, class: Class, name: Sym, visibility: Visibility) -> Visibility {
        let names = self.names();
        let always_private = [
            names.initialize,
            names.initialize_copy,
            names.initialize_clone,
            names.initialize_dup,
            names.respond_to_missing,
        ];
        if always_private.contains(&name) && !class.is_singleton() { Visibility::Private } else { visibility }
    }

    /// Adds a method and calls the hook (`method_added` or `singleton_method_added`).
    pub fn add_method(&mut self, class: Class, name: Sym, visibility: Visibility, body: MethodBody) -> Result<Method> {
        self.check_frozen_class(class)?;
        let visibility = self.fitting_visibility(class, name, visibility);
        self.warn_about_definition(class, name, &body)?;
        let method = Method::new(self, name, class, visibility, body);
        class.set_method(self, name, method);
        if matches!(body, MethodBody::AttrReader(_) | MethodBody::AttrWriter(_)) {
            self.note_attribute_place(class, name);
        }
        self.method_hook(class, name, self.names().method_added, self.names().singleton_method_added)?;
        Ok(method)
    }

    fn note_attribute_place(&mut self, class: Class, name: Sym) {
        let Some(frame) = self.ruby_frame() else { return };
        // SAFETY: a frame with code keeps it alive.
        let place = (unsafe { &*frame.code }.iseq.script.clone(), frame.line());
        class.data_mut(self).set_attribute_place(name, place);
    }

    /// With `-w` says that a method is lost by its redefinition; without it only what breaks objects.
    fn warn_about_definition(&mut self, class: Class, name: Sym, body: &MethodBody) -> Result<()> {
        if self.vm().verbose.get().is_nil() || !self.vm().booted.get() || self.frame < self.stack.frames {
            return Ok(());
        }
        // SAFETY: the current frame is live.
        if self.is_internal(unsafe { &*self.frame }) {
            return Ok(());
        }
        self.warn_of_lost_speed(class, name)?;
        let names = self.names();
        let asked_by_all = [names.initialize, names.respond_to_missing, names.method_missing, names.respond_to];
        if [names.object_id, names.id, names.underscore_send].contains(&name)
            && class.find_method(self, name).method.is_some()
        {
            let text = self.sym_str(name);
            self.warn(&format!("redefining '{text}' may cause serious problems"))?;
        }
        if class.value() == self.classes().object.get() && asked_by_all.contains(&name) {
            let text = self.sym_str(name);
            self.warn(&format!("redefining Object#{text} may cause infinite loop"))?;
        }
        if self.vm().verbose.get() == Value::TRUE { self.warn_redefined_method(class, name, body) } else { Ok(()) }
    }

    /// "method redefined; discarding old x", of methods that a program defined.
    fn warn_redefined_method(&mut self, class: Class, name: Sym, body: &MethodBody) -> Result<()> {
        let Some(old) = class.own_method(self, name).filter(|old| !old.aliased()) else { return Ok(()) };
        let code = match old.body() {
            MethodBody::Code { code, .. } => Some(*code),
            MethodBody::Proc(block) => match block.body() {
                ProcBody::Code(code) => Some(*code),
                _ => None,
            },
            MethodBody::AttrReader(_) | MethodBody::AttrWriter(_) => None,
            // Which classes have natives of their own is not the program's affair.
            _ => return Ok(()),
        };
        let same =
            matches!((body, code), (MethodBody::Code { code: new, .. }, Some(old)) if new.value() == old.value());
        if same || code.is_some_and(|code| code.iseq().script.is_internal()) {
            return Ok(());
        }
        let text = self.sym_str(name);
        let mut message = self.warning_text(&format!("method redefined; discarding old {text}"));
        if let Some(code) = code {
            let (path, line) = (&code.iseq().script.path, code.iseq().line);
            message.push_str(&format!("{path}:{line}: warning: previous definition of {text} was here\n"));
        }
        self.warn_raw(&message)
    }

    /// Raises FrozenError for a frozen class; a singleton class is as frozen as its object.
    pub fn check_frozen_class(&mut self, class: Class) -> Result<()> {
        if class.is_singleton() {
            let attached = class.attached(self);
            if attached.header().is_some_and(|h| h.frozen()) {
                return Err(self.frozen_error(attached));
            }
        }
        if class.header().frozen() {
            let named = if class.is_singleton() { class.attached(self) } else { class.value() };
            return Err(self.frozen_error(named));
        }
        Ok(())
    }

    /// Calls `hook` on the class, or `singleton_hook` on the object of a singleton class, unless it is the built-in
    /// one.
    pub fn method_hook(&mut self, class: Class, name: Sym, hook: Sym, singleton_hook: Sym) -> Result<()> {
        if !self.vm().booted.get() {
            return Ok(());
        }
        let (target, hook) =
            if class.is_singleton() { (class.attached(self), singleton_hook) } else { (class.value(), hook) };
        if self.hears_of(target, hook) {
            self.call(target, hook, &[Value::symbol(name)])?;
        }
        Ok(())
    }

    /// Whether anybody notices a call of the built-in hook: the program that overrides it, or a trace of calls.
    pub(crate) fn hears_of(&self, target: Value, hook: Sym) -> bool {
        self.overridden(target, hook) || self.vm().traced.get() & crate::trace::events::C_CALL != 0
    }

    /// `def object.name`
    pub(crate) fn define_singleton(&mut self, frame: *mut Frame, object: Value, name: Sym, code: Code) -> Result {
        // SAFETY: the frame is the running one.
        let cref = unsafe { (*frame).cref };
        let singleton = self.singleton_of(object)?;
        if object.header().is_some_and(|h| h.frozen()) {
            return Err(self.frozen_error(object));
        }
        // The singleton class may be frozen alone.
        self.check_frozen_class(singleton)?;
        self.add_method(singleton, name, Visibility::Public, MethodBody::Code { code, cref })?;
        Ok(Value::symbol(name))
    }

    /// `class Name < Super` / `module Name`: finds or makes it.
    pub(crate) fn open_class(
        &mut self,
        frame: *mut Frame,
        place: Value,
        superclass: Value,
        name: Sym,
        flags: u8,
    ) -> Result<Class> {
        // SAFETY: the frame is the running one.
        let cref = unsafe { (*frame).cref };
        let is_module = flags & 1 != 0;
        let lexical = place.is_undef();
        let owner = if lexical { self.const_target(cref)? } else { place };
        let Some(owner) = Class::try_of(owner) else {
            let text = self.inspect(owner)?;
            return Err(self.type_error(&format!("{text} is not a class/module")));
        };
        if !is_module && !superclass.is_undef() && !superclass.has_tag(Tag::Class) {
            return self.check_inheritable(superclass).and(Err(Unwind));
        }
        if let Some(existing) = self.existing_module(owner, name, lexical)? {
            return self.reopen(owner, existing, superclass, name, is_module);
        }
        self.check_frozen(owner.value())?;
        let class = if is_module {
            let klass = self.classes().module.get();
            Class::new_module(self, klass)
        } else {
            let parent = if superclass.is_undef() { self.classes().object.get() } else { superclass };
            self.check_inheritable(parent)?;
            Class::new_class(self, Some(Class::known(parent)))
        };
        let (file, line) = self.source_location();
        let flags = owner
            .own_const(self, name)
            .map_or(ConstFlags::default(), |old| ConstFlags { autoload: false, ..old.flags });
        owner.set_const_raw(self, name, ConstEntry { value: class.value(), flags, file, line });
        let hook = self.names().const_added;
        if self.hears_of(owner.value(), hook) {
            self.call(owner.value(), hook, &[Value::symbol(name)])?;
        }
        if !is_module {
            self.call_inherited(class)?;
        }
        Ok(class)
    }

    /// Calls `superclass.inherited(class)`.
    pub fn call_inherited(&mut self, class: Class) -> Result<()> {
        let Some(parent) = class.superclass(self) else { return Ok(()) };
        let hook = self.names().inherited;
        if self.hears_of(parent.value(), hook) {
            self.call(parent.value(), hook, &[class.value()])?;
        }
        Ok(())
    }

    /// Raises unless classes can inherit from `parent`.
    pub fn check_inheritable(&mut self, parent: Value) -> Result<()> {
        if !parent.has_tag(Tag::Class) {
            let text = self.real_class(parent).inspect(self);
            return Err(
                self.type_error(&format!("superclass must be an instance of Class (given an instance of {text})"))
            );
        }
        if Class::known(parent).is_singleton() {
            return Err(self.type_error("can't make subclass of singleton class"));
        }
        if parent == self.classes().class.get() {
            return Err(self.type_error("can't make subclass of Class"));
        }
        if !Class::known(parent).is_initialized(self) {
            return Err(self.type_error("can't inherit uninitialized class"));
        }
        Ok(())
    }

    /// The constant when it is defined in `owner` itself. A private one is out of reach of `class Scope::Name`.
    fn existing_module(&mut self, owner: Class, name: Sym, lexical: bool) -> Result<Option<Value>> {
        for _ in 0..2 {
            let Some(entry) = owner.own_const(self, name).cloned() else { return Ok(None) };
            if entry.flags.private && !lexical {
                let (text, module) = (self.sym_str(name), owner.inspect(self));
                return Err(self.name_error(
                    "NameError",
                    &format!("private constant {module}::{text} referenced"),
                    owner.value(),
                    name,
                ));
            }
            match self.settle_const(owner, name, &entry)? {
                Settled::Value => return Ok(Some(entry.value)),
                Settled::Absent => return Ok(None),
                Settled::Loaded => {}
            }
        }
        Ok(None)
    }

    fn reopen(
        &mut self,
        owner: Class,
        existing: Value,
        superclass: Value,
        name: Sym,
        is_module: bool,
    ) -> Result<Class> {
        let text = self.sym_str(name);
        let expected = if is_module { Tag::Module } else { Tag::Class };
        if !existing.has_tag(expected) {
            let kind = if is_module { "module" } else { "class" };
            let mut message = format!("{text} is not a {kind}");
            if let Some(entry) = owner.find_const(self, name, true).map(|(_, e)| e)
                && let Some(file) = &entry.file
            {
                message.push_str(&format!("\n{file}:{}: previous definition of {text} was here", entry.line));
            }
            return Err(self.type_error(&message));
        }
        let class = Class::known(existing);
        if !is_module && !superclass.is_undef() {
            let parent = class.superclass(self).map(|c| c.value());
            if parent != Some(superclass) {
                return Err(self.type_error(&format!("superclass mismatch for class {text}")));
            }
        }
        Ok(class)
    }

    /// `class << object`
    pub fn open_singleton(&mut self, object: Value) -> Result<Class> {
        self.singleton_of(object)?;
        Class::exposed_singleton_class(self, object).ok_or(()).map_err(|()| self.type_error("can't define singleton"))
    }

    /// The singleton class that a program asks for: TypeError "can't define singleton" when the object cannot have one,
    /// a warning when it is a chilled string.
    pub fn singleton_of(&mut self, object: Value) -> Result<Class> {
        if Str::try_of(object).is_some_and(|string| string.chilled().is_some()) {
            self.check_frozen(object)?;
        }
        Class::singleton_class(self, object).ok_or(()).map_err(|()| self.type_error("can't define singleton"))
    }

    /// Pushes the frame of a class body.
    pub(crate) fn push_class_body(&mut self, frame: *mut Frame, class: Class, code: Code, dst: u16) -> Result<()> {
        // SAFETY: the frame is the running one; its top is above every live register.
        let (parent, base) = unsafe { ((*frame).cref, (*frame).top()) };
        let cref = Cref::new(self, class.value(), parent, false);
        let data = code.data();
        self.check_room(base, data)?;
        // SAFETY: the room was checked.
        unsafe { *base = class.value() };
        let new = self.push_frame(base, data, 0, Value::NIL, 0, cref, Value::NIL, dst, frame_flags::CLASS);
        self.enter_scope(new, data, Value::NIL);
        Ok(())
    }

    pub(crate) fn symbol_operand(&mut self, value: Value) -> Result<Sym> {
        self.to_symbol(value)
    }

    pub(crate) fn alias_in_scope(&mut self, frame: *mut Frame, new: Value, old: Value) -> Result<()> {
        let (class, _) = self.definee(frame)?;
        let (new, old) = (self.symbol_operand(new)?, self.symbol_operand(old)?);
        self.alias_method(class, new, old)
    }

    /// `alias_method`
    pub fn alias_method(&mut self, class: Class, new: Sym, old: Sym) -> Result<()> {
        self.check_frozen_class(class)?;
        let (mut place, mut found) = (class, class.find_method(self, old));
        if found.method.is_none() && class.is_module() {
            place = self.fallback_class(class);
            found = place.find_method(self, old);
        }
        let Some(mut original) = found.method else { return Err(self.undefined_in_class(class, old)) };
        let visibility = self.fitting_visibility(class, new, original.visibility());
        // An entry that only changes the visibility of a method above stands for that method.
        while matches!(original.body(), MethodBody::ZSuper) {
            found = place.find_method_from(self, old, found.pos as usize + 1);
            let Some(next) = found.method else { return Err(self.undefined_in_class(class, old)) };
            original = next;
        }
        let original = original.resolved();
        // Also the entry it came from must not be reported as lost.
        if let Some(own) = class.own_method(self, old) {
            own.set_aliased();
        }
        if new != old {
            self.warn_about_definition(class, new, &MethodBody::Undef)?;
        }
        original.set_aliased();
        let alias = Method::new(self, new, class, visibility, MethodBody::Alias(original));
        class.set_method(self, new, alias);
        self.method_hook(class, new, self.names().method_added, self.names().singleton_method_added)
    }

    /// Makes `new` another name of the class's own method `old`, without hooks, as part of a set-up: the same entry, so
    /// that fast paths of both take it for the core's own.
    pub fn rename_core_method(&mut self, class: Class, new: &str, old: &str) {
        let (new, old) = (self.intern_str(new), self.intern_str(old));
        let Some(original) = class.own_method(self, old) else { return };
        class.put_method(self, new, original);
    }

    /// Where the methods of a module are looked up that it does not have itself: Object, or the refined class.
    pub fn fallback_class(&self, module: Class) -> Class {
        Class::try_of(module.data(self).refined_class()).unwrap_or_else(|| self.classes().object.class())
    }

    /// "undefined method 'x' for class 'Foo'"
    #[cold]
    pub fn undefined_in_class(&mut self, class: Class, name: Sym) -> Unwind {
        let kind = if class.is_module() { "module" } else { "class" };
        let (text, module) = (self.sym_str(name), class.inspect(self));
        self.name_error("NameError", &format!("undefined method '{text}' for {kind} '{module}'"), class.value(), name)
    }

    pub(crate) fn undef_in_scope(&mut self, frame: *mut Frame, name: Value) -> Result<()> {
        let (class, _) = self.definee(frame)?;
        let name = self.symbol_operand(name)?;
        self.undef_method(class, name)
    }

    /// `undef_method`
    pub fn undef_method(&mut self, class: Class, name: Sym) -> Result<()> {
        self.check_frozen_class(class)?;
        self.warn_unwise(name, "undefining")?;
        let mut found = class.find_method(self, name).method;
        if found.is_none() && class.is_module() {
            found = self.fallback_class(class).find_method(self, name).method;
        }
        if found.is_none() {
            // The message names the class or module of a metaclass.
            let named = Class::try_of(class.attached(self)).filter(|_| class.is_singleton()).unwrap_or(class);
            let kind = if class.is_module() { "module" } else { "class" };
            let (text, module) = (self.sym_str(name), named.inspect(self));
            return Err(self.name_error(
                "NameError",
                &format!("undefined method '{text}' for {kind} '{module}'"),
                named.value(),
                name,
            ));
        }
        self.warn_of_lost_speed(class, name)?;
        let method = Method::new(self, name, class, Visibility::Public, MethodBody::Undef);
        class.set_method(self, name, method);
        if name != self.names().initialize {
            self.warn_unwise(name, "redefining")?;
        }
        self.method_hook(class, name, self.names().method_undefined, self.names().singleton_method_undefined)
    }

    /// Objects misbehave without these methods, or with others in their place.
    pub fn warn_unwise(&mut self, name: Sym, doing: &str) -> Result<()> {
        let names = self.names();
        if [names.object_id, names.id, names.underscore_send, names.initialize].contains(&name) {
            let text = self.sym_str(name);
            self.warn(&format!("{doing} '{text}' may cause serious problems"))?;
        }
        Ok(())
    }
}
