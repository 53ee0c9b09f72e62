//! Ractors as the VM knows them: which one a thread belongs to, and what the others may not touch.
//!
//! The ractors of a VM share its lock and its heap, so nothing here keeps memory safe. What is here keeps programs to
//! the rules that Ruby documents for ractors: an object that is not shareable is seen by one ractor. The core library
//! has the class (`corelib/ractor`). A program that makes no ractor pays nothing: constants are remembered in place
//! until the first one is made, all other checks are on slow paths or ask the thread.

mod isolate;
mod shareable;
mod transfer;

use crate::class::Class;
use crate::ctx::Ctx;
use crate::object::proc::ProcBody;
use crate::object::{Hash, Proc};
use crate::{Result, Unwind};
use rubellite_value::{Sym, Value, flags};

/// The number of the main ractor.
pub const MAIN: u32 = 1;

impl Ctx {
    /// The number of the ractor that the running thread belongs to.
    #[inline(always)]
    pub fn ractor_id(&self) -> u32 {
        self.thread.ractor.get()
    }

    #[inline(always)]
    pub fn in_main_ractor(&self) -> bool {
        self.ractor_id() == MAIN
    }

    /// Whether a method with the body `proc` may be called in this ractor.
    #[inline(always)]
    pub(crate) fn may_call_body(&self, proc: Proc) -> bool {
        proc.ractor() == self.ractor_id() || self.may_call_foreign(proc)
    }

    #[cold]
    fn may_call_foreign(&self, proc: Proc) -> bool {
        let own = match proc.body() {
            ProcBody::Code(code) => code.iseq().script.is_internal(),
            _ => false,
        };
        own || self.shareable(proc.value())
    }

    /// Runs `work` with the rights of the main ractor.
    pub fn as_main_ractor<R>(&mut self, work: impl FnOnce(&mut Ctx) -> R) -> R {
        let own = self.thread.ractor.replace(MAIN);
        let result = work(self);
        self.thread.ractor.set(own);
        result
    }

    /// A ractor is about to be made: what constants refer to is looked at from now on. Whether it is the first beside
    /// the main one.
    pub fn begin_ractors(&mut self) -> bool {
        let first = !self.vm().ractors.replace(true);
        if first {
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { self.vm().const_epochs.get_mut() }.bump_all();
            self.note_definition();
        }
        first
    }

    /// Whether call sites may remember the value of a constant: every ractor may then take it from there.
    pub(crate) fn may_remember_const(&self, value: Value) -> bool {
        !self.vm().ractors.get() || self.shareable(value)
    }

    fn ractor_class(&self) -> Option<Class> {
        let name = self.intern("Ractor");
        self.classes().object.class().own_const(self, name).and_then(|entry| Class::try_of(entry.value))
    }

    /// `Ractor.make_shareable(value, copy: copy)`, for constants under `shareable_constant_value`.
    pub(crate) fn make_shareable(&mut self, value: Value, copy: bool) -> Result {
        let Some(ractor) = self.ractor_class() else { return Ok(value) };
        let options = Hash::new(self);
        let key = Value::symbol(self.intern("copy"));
        options.insert(self, key, Value::from_bool(copy))?;
        let name = self.intern("make_shareable");
        self.call_full(ractor.value(), name, &[value, options.value()], true, Value::NIL, crate::call::CallKind::Any)
    }

    /// Ractor::IsolationError.
    #[cold]
    pub fn isolation_error(&mut self, message: &str) -> Unwind {
        let error = self.intern("IsolationError");
        let class = self.ractor_class().and_then(|ractor| ractor.own_const(self, error));
        match class.and_then(|entry| Class::try_of(entry.value)) {
            Some(class) => {
                let exception = self.new_error(class, message);
                self.raise(exception)
            }
            None => self.raise_error("RuntimeError", message),
        }
    }

    /// # Errors
    /// IsolationError in a ractor that may not see what the constant refers to.
    #[inline]
    pub(crate) fn check_const_read(&mut self, owner: Class, name: Sym, value: Value) -> Result<()> {
        if self.in_main_ractor() || self.shareable(value) || self.in_own_code() {
            return Ok(());
        }
        let (text, module) = (self.sym_str(name), owner.inspect(self));
        Err(self.isolation_error(&format!(
            "can not access non-shareable objects in constant {module}::{text} by non-main Ractor."
        )))
    }

    pub(crate) fn check_const_write(&mut self, value: Value) -> Result<()> {
        if self.in_main_ractor() || self.shareable(value) || self.in_own_code() {
            return Ok(());
        }
        Err(self.isolation_error("can not set constants with non-shareable objects by non-main Ractors"))
    }

    /// Refuses global variables that every ractor would share.
    #[inline(always)]
    pub(crate) fn check_global(&mut self, name: Sym) -> Result<()> {
        if self.in_main_ractor() { Ok(()) } else { self.check_own_global(name) }
    }

    #[cold]
    fn check_own_global(&mut self, name: Sym) -> Result<()> {
        let text = self.sym_str(name);
        if OWN_GLOBALS.contains(&&*text) {
            return Ok(());
        }
        Err(self.isolation_error(&format!("can not access global variable {text} from non-main Ractor")))
    }

    /// Instance variable of an object as Ruby code reads it, or undef.
    ///
    /// # Errors
    /// IsolationError in a ractor that may not see it.
    pub fn ivar_read(&mut self, object: Value, name: Sym) -> Result {
        let value = self.ivar_get(object, name);
        if self.in_main_ractor() || value.is_undef() {
            return Ok(value);
        }
        if Class::is(object) {
            if self.shareable(value) || self.in_own_code() {
                return Ok(value);
            }
            let (text, module) = (self.sym_str(name), Class::known(object).inspect(self));
            let message = format!(
                "can not get unshareable values from instance variables of classes/modules from non-main Ractors ({text} from {module})"
            );
            return Err(self.isolation_error(&message));
        }
        self.check_shared_ivars(object)?;
        Ok(value)
    }

    /// # Errors
    /// IsolationError when this ractor may not set instance variables of the object.
    pub fn check_ivar_write(&mut self, object: Value) -> Result<()> {
        if self.in_main_ractor() {
            return Ok(());
        }
        if Class::is(object) && !self.in_own_code() {
            return Err(self.isolation_error("can not set instance variables of classes/modules by non-main Ractors"));
        }
        self.check_shared_ivars(object)
    }

    /// Objects that are shared and not frozen, ractors themselves, keep their variables for the main ractor.
    fn check_shared_ivars(&mut self, object: Value) -> Result<()> {
        let open = object.header().is_some_and(|h| h.has(flags::SHAREABLE) && !h.frozen());
        if open {
            Err(self.isolation_error("can not access instance variables of shareable objects from non-main Ractors"))
        } else {
            Ok(())
        }
    }

    pub(crate) fn check_cvar_read(&mut self, owner: Class, name: Sym, value: Value) -> Result<()> {
        if self.in_main_ractor() || self.shareable(value) || self.in_own_code() {
            return Ok(());
        }
        let (text, module) = (self.sym_str(name), owner.inspect(self));
        Err(self.isolation_error(&format!(
            "can not read non-shareable class variable {text} from non-main Ractors ({module})"
        )))
    }

    pub(crate) fn check_cvar_write(&mut self, owner: Class, name: Sym) -> Result<()> {
        if self.in_main_ractor() || self.in_own_code() {
            return Ok(());
        }
        let (text, module) = (self.sym_str(name), owner.inspect(self));
        Err(self.isolation_error(&format!("can not set class variables from non-main Ractors ({text} from {module})")))
    }
}

/// Globals that each ractor, thread or method has for itself, or that cannot change.
const OWN_GLOBALS: &[&str] = &[
    "$~", "$&", "$`", "$'", "$+", "$_", "$!", "$@", "$?", "$$", "$/", "$-0", "$stdin", "$stdout", "$>", "$stderr",
    "$VERBOSE", "$-v", "$-w", "$-W", "$DEBUG", "$-d", "$-p", "$-l", "$-a", "$-i",
];
