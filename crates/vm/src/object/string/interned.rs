//! Frozen Strings of which there is one per content and encoding: what `-string` gives and what Hash keys are.
//!
//! The table holds its strings weakly: a collection drops those that nothing else refers to.

use super::{INTERNED, Str};
use crate::ctx::Ctx;
use crate::vm::Extension;
use hashbrown::HashTable;
use rubellite_encoding::Encoding;
use rubellite_value::{Value, flags};
use std::cell::RefCell;

#[derive(Default)]
struct Interned {
    /// Strings with their hash values.
    table: RefCell<HashTable<(u64, Value)>>, // tidy: weak, pruned after marking
}

impl Extension for Interned {
    fn trace(&self, _: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.table.get_mut().retain(|(_, string)| alive(*string));
    }
}

impl Str {
    /// Whether this is the string of its content in the table of interned ones.
    pub fn is_interned(self) -> bool {
        self.header().has(INTERNED)
    }
}

impl Ctx {
    /// The frozen String of this content that all share: `string` itself when it is the first and frozen, else perhaps
    /// a copy. It must be a plain String: of class String and without instance variables.
    pub fn interned(&mut self, string: Str) -> Str {
        let hash = string.hash(self);
        let table = &self.extension::<Interned>().table;
        let same = |other: &Str| {
            *other == string || other.encoding() == string.encoding() && other.bytes(self) == string.bytes(self)
        };
        if let Some((_, known)) = table.borrow().find(hash, |(h, v)| *h == hash && same(&Str::known(*v))) {
            return Str::known(*known);
        }
        let own = if string.header().frozen() { string } else { string.dup(self) };
        own.header().set(flags::FROZEN);
        own.header().set(INTERNED);
        self.extension::<Interned>().table.borrow_mut().insert_unique(hash, (hash, own.value()), |(h, _)| *h);
        own
    }

    /// The same for bytes that are no String yet: none is made when it is there.
    pub fn interned_bytes(&mut self, bytes: &[u8], encoding: Encoding) -> Str {
        let hash = Str::hash_of_bytes(self, bytes, encoding);
        let table = &self.extension::<Interned>().table;
        let same = |other: Str| other.encoding() == encoding && other.bytes(self) == bytes;
        if let Some((_, known)) = table.borrow().find(hash, |(h, v)| *h == hash && same(Str::known(*v))) {
            return Str::known(*known);
        }
        let own = Str::new(self, bytes, encoding);
        own.header().set(flags::FROZEN);
        own.header().set(INTERNED);
        self.extension::<Interned>().table.borrow_mut().insert_unique(hash, (hash, own.value()), |(h, _)| *h);
        own
    }

    /// What a Hash stores for a String key that is not frozen.
    pub fn frozen_key(&mut self, key: Str) -> Str {
        let header = key.header();
        if header.klass.get() == self.classes().string.get() && header.shape() == 0 {
            return self.interned(key);
        }
        let klass = self.classes().string.get();
        let copy = key.dup_in(self, klass);
        copy.set_chilled(None);
        copy.header().set(flags::FROZEN);
        copy
    }
}
