//! Autoload: constants whose file is still to be loaded, or is just being loaded by some thread.
//!
//! The table of the module holds the path until the constant is assigned. Three views differ from what the table says:
//! - a thread that is loading the file (by this autoload or by a plain `require`) does not see the constant before it
//!   is assigned; where fibers wait with a scheduler's help, this goes for the loading fiber alone;
//! - to the other threads, and those fibers, it stays an autoload until the file has been loaded, or they would find a
//!   half defined module;
//! - an autoload whose file was loaded without defining the constant is not there for anybody.
//!
//! One thread at a time requires the file of a constant, whatever the program's own `require` makes of the path; the
//! others wait until it is done (`Hooks::autoload_wait`) and look again.

use crate::Result;
use crate::class::{Class, ConstEntry, ConstFlags};
use crate::ctx::Ctx;
use crate::object::Str;
use crate::vm::Extension;
use rubellite_value::{Sym, Value};
use std::cell::RefCell;
use std::sync::Arc;

/// Autoloads under way: who loads which constant from where.
#[derive(Default)]
pub(super) struct Autoloads {
    list: RefCell<Vec<Autoload>>,
}

struct Autoload {
    thread: u64,
    /// The fiber that loads; nil: the root fiber.
    fiber: Value,
    /// The module; the loading thread's stack keeps it alive.
    owner: u64,
    name: Sym,
    entry: ConstEntry,
}

impl Extension for Autoloads {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for autoload in self.list.borrow().iter() {
            mark(autoload.entry.value);
            mark(autoload.fiber);
        }
    }
}

/// How the current thread sees an entry of a module's table.
pub(super) enum Seen {
    /// As it is.
    Value,
    /// The file is to be loaded; the entry as `autoload` made it.
    Pending(ConstEntry),
    Absent,
}

/// What a lookup found, once the file of an autoload has been loaded.
pub(super) enum Settled {
    Value,
    /// A file was loaded: look again.
    Loaded,
    /// Look further, not in this module.
    Absent,
}

impl Ctx {
    /// Whether some thread is in the middle of an autoload.
    pub(super) fn autoloading(&self) -> bool {
        !self.extension::<Autoloads>().list.borrow().is_empty()
    }

    /// Whether the current code is part of a loading that this thread and fiber began: another fiber of the thread is
    /// not if it can wait for the one that loads.
    pub fn is_loader(&self, thread: u64, fiber: Value) -> bool {
        thread == self.thread().id && (fiber == self.current_fiber() || !(self.vm().hooks().fiber_waits)(self))
    }

    /// How the current thread sees this entry of `owner`. Errors: those of looking for the file.
    pub(super) fn const_seen(&mut self, owner: Class, name: Sym, entry: &ConstEntry) -> Result<Seen> {
        let settled = if entry.flags.autoload { Seen::Absent } else { Seen::Value };
        let mut pending = entry.flags.autoload.then(|| entry.clone());
        {
            let list = self.extension::<Autoloads>().list.borrow();
            for autoload in list.iter().filter(|a| a.owner == owner.value().bits() && a.name == name) {
                if self.is_loader(autoload.thread, autoload.fiber) {
                    return Ok(settled);
                }
                pending = Some(autoload.entry.clone());
            }
        }
        let Some(pending) = pending else { return Ok(settled) };
        let Some(path) = Str::try_of(pending.value) else { return Ok(settled) };
        let path = path.to_lossy(self).into_owned();
        Ok(if (self.vm().hooks().autoload_pending)(self, &path)? { Seen::Pending(pending) } else { settled })
    }

    /// The constant of `class` (with `inherit`: of its ancestors; `Some(true)`: of Object too when it is a module) as
    /// the current thread sees it: what is still to be loaded has the flag `autoload`.
    pub fn visible_const(
        &mut self,
        class: Class,
        name: Sym,
        inherit: Option<bool>,
    ) -> Result<Option<(Class, ConstEntry)>> {
        let mut skip = Vec::new(); // tidy: ancestors of the class
        loop {
            let found = match inherit {
                Some(object) => class.find_const_except(self, name, object, &skip).map(|(o, e)| (o, e.clone())),
                None if skip.is_empty() => class.own_const(self, name).map(|e| (class, e.clone())),
                None => None,
            };
            let Some((owner, entry)) = found else { return Ok(None) };
            match self.const_seen(owner, name, &entry)? {
                Seen::Value => return Ok(Some((owner, entry))),
                Seen::Pending(pending) => return Ok(Some((owner, pending))),
                Seen::Absent => skip.push(owner),
            }
        }
    }

    /// Whether the constant is defined as seen from a scope; loads nothing.
    pub(super) fn const_defined_lexically(&mut self, cref: Value, name: Sym) -> Result<bool> {
        let mut skip = Vec::new(); // tidy: modules of the scope and their ancestors
        while let Some((owner, entry)) = self.find_const_lexical(cref, name, &skip) {
            match self.const_seen(owner, name, &entry)? {
                Seen::Absent => skip.push(owner),
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Loads the file when the entry that was found is an autoload.
    pub(super) fn settle_const(&mut self, owner: Class, name: Sym, entry: &ConstEntry) -> Result<Settled> {
        if !entry.flags.autoload && !self.autoloading() {
            return Ok(Settled::Value);
        }
        Ok(match self.const_seen(owner, name, entry)? {
            Seen::Value => Settled::Value,
            Seen::Absent => Settled::Absent,
            Seen::Pending(pending) => {
                self.load_autoload(owner, name, &pending)?;
                Settled::Loaded
            }
        })
    }

    /// Requires the file of an autoload, or waits for the thread that is loading it. False: the constant is still not
    /// defined in `owner`, and no longer registered.
    pub fn load_autoload(&mut self, owner: Class, name: Sym, entry: &ConstEntry) -> Result<bool> {
        let Some(path) = Str::try_of(entry.value) else { return Ok(false) };
        let path = path.to_lossy(self).into_owned();
        let (thread, fiber, owner_id) = (self.thread().id, self.current_fiber(), owner.value().bits());
        let same = |a: &Autoload| a.owner == owner_id && a.name == name;
        loop {
            let loader =
                self.extension::<Autoloads>().list.borrow().iter().find(|a| same(a)).map(|a| (a.thread, a.fiber));
            let Some((thread, fiber)) = loader else { break };
            if self.is_loader(thread, fiber) {
                return Ok(false);
            }
            (self.vm().hooks().autoload_wait)(self, owner_id, name)?;
            match owner.own_const(self, name).map(|e| e.flags.autoload) {
                Some(false) => return Ok(true),
                None => return Ok(false),
                // The loading was cut short: the next one tries.
                Some(true) => {}
            }
        }
        self.extension::<Autoloads>().list.borrow_mut().push(Autoload {
            thread,
            fiber,
            owner: owner_id,
            name,
            entry: entry.clone(),
        });
        let outcome = (self.vm().hooks().autoload)(self, &path);
        self.extension::<Autoloads>().list.borrow_mut().retain(|a| !same(a));
        self.ensure(|_| outcome.map(drop), |ctx| (ctx.vm().hooks().autoload_done)(ctx, owner_id, name))?;
        match owner.own_const(self, name).map(|e| e.flags.autoload) {
            Some(false) => Ok(true),
            None => Ok(false),
            Some(true) => {
                owner.remove_const(self, name);
                if self.vm().verbose.get() == Value::TRUE {
                    let text = self.sym_str(name);
                    let full = if owner.value() == self.classes().object.get() {
                        text
                    } else {
                        format!("{}::{text}", owner.inspect(self))
                    };
                    self.warn(&format!("Expected {path} to define {full} but it didn't"))?;
                }
                Ok(false)
            }
        }
    }

    /// In the child of a fork: what other threads were loading nobody loads any more.
    pub fn forget_autoloads_of_others(&mut self) {
        let me = self.thread().id;
        self.extension::<Autoloads>().list.borrow_mut().retain(|autoload| autoload.thread == me);
    }

    /// The entry of an autoload that the current code registers.
    pub fn autoload_entry(&mut self, path: Value) -> ConstEntry {
        let (file, line): (Option<Arc<str>>, i32) = self.source_location();
        ConstEntry { value: path, flags: ConstFlags { autoload: true, ..ConstFlags::default() }, file, line }
    }
}
