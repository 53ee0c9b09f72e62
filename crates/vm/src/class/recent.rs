//! A cache of recent outcomes of lookups, of all classes of a VM together.

use super::Class;
use rubellite_value::{Sym, Value};
use std::cell::Cell;

/// An outcome and what it is of.
#[derive(Copy, Clone)]
struct Entry<T> {
    class: Value, // tidy: forgotten at each collection
    name: Sym,
    generation: u32,
    outcome: Option<T>,
}

/// The recent outcomes of one question about classes and names, in `PLACES` places that class and name choose: near
/// together, where the tables of the classes are far apart. Nothing in it is traced: whoever changes what an outcome
/// stands on, and each collection, makes it [forget](Recent::forget).
pub(crate) struct Recent<T, const PLACES: usize> {
    places: Box<[Cell<Entry<T>>]>,
    generation: Cell<u32>,
}

impl<T: Copy, const PLACES: usize> Default for Recent<T, PLACES> {
    fn default() -> Self {
        let none = Entry { class: Value::UNDEF, name: Sym(0), generation: 0, outcome: None };
        Recent { places: vec![Cell::new(none); PLACES].into(), generation: Cell::new(0) }
    }
}

impl<T: Copy, const PLACES: usize> Recent<T, PLACES> {
    #[inline]
    fn at(&self, class: Class, name: Sym) -> &Cell<Entry<T>> {
        let place =
            (class.value().bits() >> 6) as usize ^ (name.0 as usize).wrapping_mul(0x9e37) ^ name.0 as usize >> 4;
        &self.places[place % PLACES]
    }

    #[inline]
    pub(super) fn get(&self, class: Class, name: Sym) -> Option<T> {
        let entry = self.at(class, name).get();
        let same = entry.class == class.value() && entry.name == name && entry.generation == self.generation.get();
        if same { entry.outcome } else { None }
    }

    pub(super) fn set(&self, class: Class, name: Sym, outcome: T) {
        let entry = Entry { class: class.value(), name, generation: self.generation.get(), outcome: Some(outcome) };
        self.at(class, name).set(entry);
    }

    pub(super) fn forget(&self) {
        let next = self.generation.get().wrapping_add(1);
        self.generation.set(next);
        if next == 0 {
            // The numbers begin anew.
            self.places.iter().for_each(|place| place.set(Entry { outcome: None, ..place.get() }));
        }
    }
}

/// What a VM has looked up lately.
#[derive(Default)]
pub(crate) struct RecentlyFound {
    /// Methods, each good while its name's epoch is the same.
    pub(super) methods: Recent<super::Found, 512>,
    /// Owners of class variables, until one is added or removed.
    pub(super) variables: Recent<super::CvarOwners, 256>,
}

impl RecentlyFound {
    /// Forgets everything: references have gone stale in a collection, or some class has other ancestors.
    pub(crate) fn forget(&self) {
        self.methods.forget();
        self.variables.forget();
    }
}
