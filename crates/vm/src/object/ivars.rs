//! Instance variables of any object.
//!
//! Plain objects and classes hold their variables themselves; all other heap objects keep them in a
//! side table of the VM, keyed by address and freed with the object.

use super::object::Object;
use crate::class::Class;
use crate::ctx::Ctx;
use rubellite_value::{Sym, Tag, Value, flags};
use rustc_hash::FxHashMap;
use std::cell::Cell;

#[derive(Default)]
pub struct GenericIvars {
    table: FxHashMap<Value, Vec<Value>>, // tidy: traced with the owner
}

impl GenericIvars {
    pub(crate) fn slots(&self, object: Value) -> &[Value] {
        self.table.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Owners and their variables.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Value, &[Value])> {
        self.table.iter().map(|(owner, slots)| (*owner, slots.as_slice()))
    }

    /// Gives the variables of one object to another.
    pub(crate) fn hand_over(&mut self, from: Value, to: Value) {
        if let Some(slots) = self.table.remove(&from) {
            self.table.insert(to, slots);
        }
    }

    pub(crate) fn retain(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.table.retain(|owner, _| alive(*owner));
    }
}

impl Ctx {
    /// Value of the instance variable, or undef when it is not set.
    pub fn ivar_get(&self, object: Value, name: Sym) -> Value {
        let Some(header) = object.header() else { return Value::UNDEF };
        // SAFETY: the lock is held; the borrow ends with the statement.
        match unsafe { self.vm().shapes.get_mut() }.slot(header.shape(), name) {
            Some(slot) => self.ivar_slot(object, slot),
            None => Value::UNDEF,
        }
    }

    /// Content of `slot`, which belongs to the object's shape.
    #[inline]
    pub(crate) fn ivar_slot(&self, object: Value, slot: usize) -> Value {
        let Some(header) = object.header() else { return Value::UNDEF };
        match header.tag() {
            Tag::Object => Object::known(object).slot(slot),
            Tag::Class | Tag::Module => {
                Class::known(object).data(self).ivars.get(slot).copied().unwrap_or(Value::UNDEF)
            }
            // SAFETY: the lock is held; the borrow ends here.
            _ => unsafe { self.vm().generic_ivars.get() }.slots(object).get(slot).copied().unwrap_or(Value::UNDEF),
        }
    }

    /// Sets the instance variable. The caller has refused frozen objects and immediates.
    pub fn ivar_set(&self, object: Value, name: Sym, value: Value) {
        let Some(header) = object.header() else { return };
        // SAFETY: the lock is held; the borrow ends before anything else is called.
        let shapes = unsafe { self.vm().shapes.get_mut() };
        let slot = match shapes.slot(header.shape(), name) {
            Some(slot) => slot,
            None => {
                self.pin_symbol(name);
                let slot = shapes.len(header.shape());
                let next = shapes.with(header.shape(), name);
                // What the shape names has room.
                self.set_ivar_slot(object, slot, value);
                header.set_shape(next);
                return;
            }
        };
        self.set_ivar_slot(object, slot, value);
    }

    /// The first variables of a fresh plain object, all at once. `known` keeps their shape for the next such object of
    /// this VM; it is 0 in the beginning.
    pub fn ivar_init<const N: usize>(&self, object: Value, names: [Sym; N], values: [Value; N], known: &Cell<u32>) {
        let Some(header) = object.header() else { return };
        debug_assert!(header.tag() == Tag::Object && header.shape() == 0);
        if known.get() == 0 {
            // SAFETY: the lock is held; the borrow ends with the statement.
            let shapes = unsafe { self.vm().shapes.get_mut() };
            known.set(names.iter().fold(0, |shape, name| shapes.with(shape, *name)));
        }
        for (slot, value) in values.into_iter().enumerate() {
            Object::known(object).set_slot(self, slot, value);
        }
        header.set_shape(known.get());
        let class = Class::known(header.klass.get()).real(self);
        if (class.data(self).ivar_hint as usize) < N {
            class.data_mut(self).ivar_hint = N as u32;
        }
    }

    pub(crate) fn set_ivar_slot(&self, object: Value, slot: usize, value: Value) {
        let Some(header) = object.header() else { return };
        match header.tag() {
            Tag::Object => {
                Object::known(object).set_slot(self, slot, value);
                let class = Class::known(header.klass.get()).real(self);
                if class.data(self).ivar_hint as usize <= slot {
                    class.data_mut(self).ivar_hint = slot as u32 + 1;
                }
            }
            Tag::Class | Tag::Module => put(&mut Class::known(object).data_mut(self).ivars, slot, value),
            _ => {
                header.set(flags::GENERIC_IVARS);
                // SAFETY: the lock is held; the borrow ends here.
                let generic = unsafe { self.vm().generic_ivars.get_mut() };
                if generic.table.try_reserve(1).is_err() {
                    super::OutOfMemory.unwind()
                }
                put(generic.table.entry(object).or_default(), slot, value);
            }
        }
        self.write_barrier(object, value);
    }

    /// Removes the variable and returns its value. The remaining ones keep their order.
    pub fn ivar_remove(&self, object: Value, name: Sym) -> Option<Value> {
        let header = object.header()?;
        let removed = self.ivar_get(object, name).defined()?;
        // tidy: values stay in the object until they are put back
        let rest: Vec<(Sym, Value)> = self.ivar_pairs(object).into_iter().filter(|(n, _)| *n != name).collect();
        header.set_shape(0);
        for (slot, (name, value)) in rest.iter().enumerate() {
            self.set_ivar_slot(object, slot, *value);
            // SAFETY: the lock is held; the borrow ends here.
            header.set_shape(unsafe { self.vm().shapes.get_mut() }.with(header.shape(), *name));
        }
        self.set_ivar_slot(object, rest.len(), Value::UNDEF);
        Some(removed)
    }

    /// Names and values in the order in which they were first set.
    // tidy: values stay in the object
    pub fn ivar_pairs(&self, object: Value) -> Vec<(Sym, Value)> {
        let Some(header) = object.header() else { return Vec::new() };
        // SAFETY: the lock is held; the borrow ends here.
        let names = unsafe { self.vm().shapes.get() }.names(header.shape());
        let pairs = names.into_iter().enumerate().map(|(slot, name)| (name, self.ivar_slot(object, slot)));
        pairs.filter(|(_, v)| !v.is_undef()).collect()
    }

    /// Copies all variables to a fresh object (`dup`).
    pub fn ivar_copy(&self, from: Value, to: Value) {
        if let (Some(from), Some(to)) = (Object::try_of(from), Object::try_of(to))
            && self.copy_slots(from, to)
        {
            return;
        }
        for (name, value) in self.ivar_pairs(from) {
            self.ivar_set(to, name, value);
        }
    }
    /// The same among plain objects: false if the copy has variables of its own.
    fn copy_slots(&self, from: Object, to: Object) -> bool {
        let (source, copy) = (from.value(), to.value());
        let (Some(source), Some(header)) = (source.header(), copy.header()) else { return false };
        if header.shape() != 0 {
            return false;
        }
        // SAFETY: the lock is held; the borrow ends with the statement.
        let len = unsafe { self.vm().shapes.get() }.len(source.shape());
        for slot in 0..len {
            to.set_slot(self, slot, from.slot(slot));
        }
        header.set_shape(source.shape());
        let class = Class::known(header.klass.get()).real(self);
        if (class.data(self).ivar_hint as usize) < len {
            class.data_mut(self).ivar_hint = len as u32;
        }
        true
    }
}

// tidy: storage of a traced table
fn put(slots: &mut Vec<Value>, slot: usize, value: Value) {
    if slots.len() <= slot {
        slots.resize(slot + 1, Value::UNDEF);
    }
    slots[slot] = value;
}

impl Class {
    /// The class behind singleton classes.
    #[inline]
    pub fn real(self, ctx: &Ctx) -> Class {
        let mut class = self;
        while class.is_singleton() {
            match class.superclass(ctx) {
                Some(superclass) => class = superclass,
                None => break,
            }
        }
        class
    }
}
