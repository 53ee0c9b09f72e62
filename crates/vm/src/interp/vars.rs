//! Instance variables with their inline caches, class variables, global variables with their hooks and traces, and the
//! variables `$~` and `$_` of a frame. Constants are `constants.rs`.

use crate::Result;
use crate::class::Class;
use crate::code::Cache;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::object::{Array, Cref};
use rubellite_bytecode::Insn;
use rubellite_value::{Sym, Tag, Value};

/// Where a variable lies: the shapes of its object before and after it was set, and the slot.
pub(crate) struct IvarPlace {
    pub before: u32,
    pub after: u32,
    pub slot: u32,
}

impl Ctx {
    #[inline(never)]
    pub(crate) fn get_ivar_slow(&mut self, object: Value, name: Sym, cache: &Cache) -> Result {
        let Some(header) = object.header() else { return Ok(Value::NIL) };
        // What ractors share without being frozen, as ENV is, keeps its variables for the main one.
        let shared = header.has(crate::flags::SHAREABLE) && !header.frozen();
        if !self.in_main_ractor() && (shared || header.tag() != Tag::Object) {
            return Ok(self.ivar_read(object, name)?.defined().unwrap_or(Value::NIL));
        }
        // SAFETY: the lock is held; the borrow ends with the statement.
        Ok(match unsafe { self.vm().shapes.get_mut() }.slot(header.shape(), name) {
            Some(slot) => {
                if header.tag() == Tag::Object && !shared {
                    cache.shape.set(header.shape());
                    cache.next_shape.set(header.shape());
                    cache.slot.set(slot as u32);
                }
                self.ivar_slot(object, slot).defined().unwrap_or(Value::NIL)
            }
            None => Value::NIL,
        })
    }

    #[inline(never)]
    pub(crate) fn set_ivar_slow(&mut self, object: Value, name: Sym, value: Value, cache: &Cache) -> Result<()> {
        if let Some(place) = self.ivar_set_placed(object, name, value)? {
            cache.shape.set(place.before);
            cache.next_shape.set(place.after);
            cache.slot.set(place.slot);
        }
        Ok(())
    }

    /// Sets a variable; says where it lies in an object whose shape tells.
    ///
    /// # Errors
    /// FrozenError.
    pub(crate) fn ivar_set_placed(&mut self, object: Value, name: Sym, value: Value) -> Result<Option<IvarPlace>> {
        self.check_frozen(object)?;
        self.check_ivar_write(object)?;
        let Some(header) = object.header() else { return Ok(None) };
        let before = header.shape();
        self.ivar_set(object, name, value);
        if header.tag() != Tag::Object {
            return Ok(None);
        }
        let after = header.shape();
        // SAFETY: the lock is held; the borrow ends with the statement.
        let slot = unsafe { self.vm().shapes.get_mut() }.slot(after, name);
        Ok(slot.map(|slot| IvarPlace { before, after, slot: slot as u32 }))
    }

    // -- globals --------------------------------------------------------------------------

    fn global_name(&self, name: Sym) -> Sym {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().globals.get() }.aliases.get(&name).copied().unwrap_or(name)
    }

    /// The name under which a global variable is kept that no hook computes.
    pub(crate) fn plain_global(&self, name: Sym) -> Option<Sym> {
        let name = self.global_name(name);
        // SAFETY: the lock is held; the borrow ends with the statement.
        let computed = unsafe { self.vm().globals.get() }.hooks.contains_key(&name);
        (!computed).then_some(name)
    }

    pub fn get_global(&mut self, name: Sym) -> Result {
        let name = self.global_name(name);
        // SAFETY: the lock is held; copies end the borrow.
        let (hook, value) = unsafe {
            let globals = self.vm().globals.get();
            (globals.hooks.get(&name).copied(), globals.values.get(&name).copied())
        };
        match (hook, value) {
            (Some(hook), _) => (hook.get)(self, name),
            (None, Some(value)) => Ok(value),
            (None, None) => {
                let text = self.sym_str(name);
                self.warn_verbose(&format!("global variable '{text}' not initialized"))?;
                Ok(Value::NIL)
            }
        }
    }

    pub fn set_global(&mut self, name: Sym, value: Value) -> Result<()> {
        self.assign_global(name, value)?;
        // SAFETY: the lock is held; the copy ends the borrow.
        let traces = unsafe { self.vm().globals.get() }.traces.get(&self.global_name(name)).copied();
        let Some(commands) = traces.and_then(Array::try_of) else { return Ok(()) };
        let commands = commands.dup(self);
        // A command that assigns the variable itself is not run again.
        let operation = self.intern("trace_var");
        self.guard_recursion(
            operation,
            Value::symbol(name),
            Value::NIL,
            |_| Ok(()),
            |ctx| ctx.run_traces(commands, value),
        )
    }

    fn run_traces(&mut self, commands: Array, value: Value) -> Result<()> {
        for i in 0..commands.len() {
            let command = commands.get(i).unwrap_or(Value::NIL);
            if command.has_tag(Tag::String) {
                self.call_name(self.vm().main_object.get(), "eval", &[command])?;
            } else {
                let call = self.names().call;
                self.call(command, call, &[value])?;
            }
        }
        Ok(())
    }

    /// Runs `command` (a Proc or source text) at each assignment of the global.
    pub fn add_global_trace(&mut self, name: Sym, command: Value) {
        let name = self.global_name(name);
        // SAFETY: the lock is held; the copy ends the borrow.
        let known = unsafe { self.vm().globals.get() }.traces.get(&name).copied();
        match known.and_then(Array::try_of) {
            Some(list) => list.unshift(self, command),
            None => {
                let list = Array::from_slice(self, &[command]).value();
                // SAFETY: as above.
                unsafe { self.vm().globals.get_mut() }.traces.insert(name, list);
            }
        }
    }

    /// Takes one command or all off the global; returns an Array of those.
    pub fn remove_global_traces(&mut self, name: Sym, command: Option<Value>) -> Value {
        let name = self.global_name(name);
        // SAFETY: the lock is held; the copy ends the borrow.
        let known = unsafe { self.vm().globals.get() }.traces.get(&name).copied();
        let Some(list) = known.and_then(Array::try_of) else { return Array::new(self).value() };
        match command {
            Some(command) => {
                let at = (0..list.len()).find(|i| list.get(*i) == Some(command));
                match at.and_then(|at| list.delete_at(self, at)) {
                    Some(removed) => Array::from_slice(self, &[removed]).value(),
                    None => Value::NIL,
                }
            }
            None => {
                // SAFETY: as above.
                unsafe { self.vm().globals.get_mut() }.traces.remove(&name);
                list.value()
            }
        }
    }

    fn assign_global(&mut self, given: Sym, value: Value) -> Result<()> {
        let name = self.global_name(given);
        // SAFETY: as above.
        let hook = unsafe { self.vm().globals.get() }.hooks.get(&name).copied();
        match hook {
            Some(hook) => match hook.set {
                // Messages call it by the name that the program uses.
                Some(set) => set(self, given, value),
                None => {
                    let text = self.sym_str(given);
                    Err(self.name_error("NameError", &format!("{text} is a read-only variable"), Value::NIL, given))
                }
            },
            None => {
                self.put_global(name, value);
                Ok(())
            }
        }
    }

    /// Stores the raw value of a global, hooks aside.
    pub fn put_global(&self, name: Sym, value: Value) {
        let name = self.global_name(name);
        // SAFETY: as above.
        let globals = unsafe { self.vm().globals.get_mut() };
        if !self.in_main_ractor()
            && let Some(own) = globals.of_ractors.get_mut(&(self.ractor_id(), name))
        {
            *own = value;
            return;
        }
        if globals.values.insert(name, value).is_none() {
            self.pin_symbol(name);
            globals.order.insert(name);
        }
    }

    /// The raw value of a global, hooks aside.
    pub fn raw_global(&self, name: Sym) -> Option<Value> {
        // SAFETY: as above.
        let globals = unsafe { self.vm().globals.get() };
        let own = if self.in_main_ractor() { None } else { globals.of_ractors.get(&(self.ractor_id(), name)) };
        own.or_else(|| globals.values.get(&name)).copied()
    }

    /// Gives a ractor a global variable of its own.
    pub fn put_ractor_global(&self, ractor: u32, name: Sym, value: Value) {
        // SAFETY: as above.
        unsafe { self.vm().globals.get_mut() }.of_ractors.insert((ractor, self.global_name(name)), value);
    }

    /// Forgets the global variables that a ractor has for itself.
    pub fn drop_ractor_globals(&self, ractor: u32) {
        // SAFETY: as above.
        unsafe { self.vm().globals.get_mut() }.of_ractors.retain(|(owner, _), _| *owner != ractor);
    }

    /// Makes the global computed.
    pub fn hook_global(&self, name: &str, hooks: crate::vm::GlobalHooks) {
        let name = self.intern_str(name);
        // SAFETY: as above.
        let globals = unsafe { self.vm().globals.get_mut() };
        if globals.hooks.insert(name, hooks).is_none() {
            globals.order.insert(name);
        }
    }

    pub fn alias_global(&self, new: Sym, old: Sym) {
        let old = self.global_name(old);
        // SAFETY: as above.
        let globals = unsafe { self.vm().globals.get_mut() };
        if new != old {
            globals.aliases.insert(new, old);
            globals.order.insert(new);
        }
    }

    pub fn global_defined(&self, name: Sym) -> bool {
        let name = self.global_name(name);
        // SAFETY: as above.
        let globals = unsafe { self.vm().globals.get() };
        globals.hooks.contains_key(&name) || globals.values.contains_key(&name)
    }

    pub fn global_names(&self) -> Vec<Sym> {
        // SAFETY: as above.
        unsafe { self.vm().globals.get() }.order.iter().copied().collect()
    }

    // -- class variables ------------------------------------------------------------------

    /// The class or module whose class variables the scope sees.
    pub(crate) fn cvar_base(&mut self, cref: Value) -> Result<Class> {
        match self.cvar_class(cref) {
            Some(class) => Ok(class),
            None => Err(self.raise_error("RuntimeError", "class variable access from toplevel")),
        }
    }

    /// The same, or none at the top level: singleton and eval scopes are skipped.
    pub(crate) fn cvar_class(&self, cref: Value) -> Option<Class> {
        let mut at = cref;
        while let Some(scope) = Cref::try_of(at) {
            if let Some(class) = Class::try_of(scope.module())
                .filter(|c| !c.is_singleton() && !scope.is_eval() && scope.receiver().is_none())
            {
                return (!scope.parent().is_nil()).then_some(class);
            }
            at = scope.parent();
        }
        None
    }

    pub(crate) fn get_cvar(&mut self, cref: Value, name: Sym) -> Result {
        let class = self.cvar_base(cref)?;
        self.cvar_get(class, name)
    }

    /// Value of a class variable seen from `class`.
    pub fn cvar_get(&mut self, class: Class, name: Sym) -> Result {
        if let Some(owner) = self.shared_cvar_owner(class, name)? {
            let value = owner.own_cvar(self, name).unwrap_or(Value::NIL);
            self.check_cvar_read(owner, name, value)?;
            return Ok(value);
        }
        let (text, module) = (self.sym_str(name), class.inspect(self));
        Err(self.name_error(
            "NameError",
            &format!("uninitialized class variable {text} in {module}"),
            class.value(),
            name,
        ))
    }

    /// The module that holds a class variable, seen from `class`. A variable defined in a class and later in an
    /// ancestor, too, is an error.
    fn shared_cvar_owner(&mut self, class: Class, name: Sym) -> Result<Option<Class>> {
        match class.cvar_owners(self, name) {
            Some(owners) if owners.nearest != owners.shared => {
                let text = self.sym_str(name);
                let (below, above) = (owners.nearest.inspect(self), owners.shared.inspect(self));
                let message = format!("class variable {text} of {below} is overtaken by {above}");
                Err(self.raise_error("RuntimeError", &message))
            }
            owners => Ok(owners.map(|owners| owners.shared)),
        }
    }

    pub(crate) fn set_cvar(&mut self, cref: Value, name: Sym, value: Value) -> Result<()> {
        let class = self.cvar_base(cref)?;
        self.warn_outside_refinement(cref)?;
        self.cvar_set(class, name, value)
    }

    /// Sets a class variable as code in `class` would.
    pub fn cvar_set(&mut self, class: Class, name: Sym, value: Value) -> Result<()> {
        let owner = self.shared_cvar_owner(class, name)?.unwrap_or(class);
        self.check_frozen(owner.value())?;
        self.check_cvar_write(owner, name)?;
        owner.set_own_cvar(self, name, value);
        Ok(())
    }

    // -- $~ and $_ ------------------------------------------------------------------------

    /// The frame of the method that the code in `frame` belongs to, which holds its `$~` and `$_`: of a block that has
    /// outlived it, the outermost frame that is left.
    pub(crate) fn home_frame(&self, frame: *mut Frame) -> *mut Frame {
        let mut at = frame;
        loop {
            // SAFETY: `at` is live: the running frame or a home that was checked.
            let f = unsafe { &*at };
            if !f.has(frame_flags::BLOCK) || !self.frame_alive(f.home, f.home_id) {
                return at;
            }
            at = f.home;
        }
    }

    /// The frame that holds `$~` and `$_` of the code in `frame`: its home. Of an eval and of blocks written in one,
    /// also after it has ended, that of the code whose variables it sees.
    fn svar_frame(&self, frame: *mut Frame) -> *mut Frame {
        let mut at = self.home_frame(frame);
        loop {
            // SAFETY: `at` is live: a home, or below one on the same stack.
            let f = unsafe { &*at };
            let further = if f.has(frame_flags::EVAL) {
                self.frame_of_eval(at)
            } else if f.has(frame_flags::BLOCK) && self.frame_alive(f.returns, f.returns_id) {
                Some(f.returns)
            } else {
                None
            };
            match further {
                Some(next) => at = self.home_frame(next),
                None => return at,
            }
        }
    }

    /// `$~` of the calling Ruby code.
    pub fn last_match(&self) -> Value {
        match self.match_frame_ptr() {
            // SAFETY: the frame is live.
            Some(frame) => svar_match(unsafe { (*self.svar_frame(frame)).svar }),
            None => Value::NIL,
        }
    }

    /// Sets `$~` of the calling Ruby code.
    pub fn set_last_match(&mut self, value: Value) {
        if let Some(frame) = self.match_frame_ptr() {
            let home = self.svar_frame(frame);
            // SAFETY: the frame is live.
            let svar = unsafe { &mut (*home).svar };
            if svar.has_tag(Tag::Array) {
                Array::known(*svar).set(self, 0, value);
            } else {
                *svar = value;
            }
        }
    }

    /// `$_` of the calling Ruby code.
    pub fn last_line(&self) -> Value {
        match self.match_frame_ptr() {
            Some(frame) => {
                // SAFETY: the frame is live.
                let svar = unsafe { (*self.svar_frame(frame)).svar };
                if svar.has_tag(Tag::Array) { Array::known(svar).get(1).unwrap_or(Value::NIL) } else { Value::NIL }
            }
            None => Value::NIL,
        }
    }

    /// Sets `$_` of the calling Ruby code.
    pub fn set_last_line(&mut self, value: Value) {
        if let Some(frame) = self.match_frame_ptr() {
            let home = self.svar_frame(frame);
            // SAFETY: the frame is live.
            let old = unsafe { (*home).svar };
            if old.has_tag(Tag::Array) {
                Array::known(old).set(self, 1, value);
            } else {
                let pair = Array::from_slice(self, &[old, value]).value();
                // SAFETY: as above.
                unsafe { (*home).svar = pair };
            }
        }
    }

    pub(crate) fn get_match_part(&mut self, insn: Insn) -> Value {
        let matched = self.last_match();
        if matched.is_nil() {
            return Value::NIL;
        }
        if insn.b == 0 && insn.x == 0 {
            return matched;
        }
        (self.vm().hooks().match_part)(
            self,
            matched,
            if insn.b > 0 {
                crate::vm::MatchPart::Group(insn.b as usize)
            } else {
                crate::vm::MatchPart::Special(insn.x)
            },
        )
    }
}

/// `$~` of a frame's slot.
pub fn svar_match(svar: Value) -> Value {
    if svar.has_tag(Tag::Array) { Array::known(svar).get(0).unwrap_or(Value::NIL) } else { svar }
}
