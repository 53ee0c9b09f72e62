//! Sets and maps that grow by as much as a program holds. Where the system has no memory they unwind with
//! [`OutOfMemory`], which becomes a NoMemoryError; what the standard library does by itself ends the process.

use super::OutOfMemory;
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

/// Room for `more` more, or unwinds with [`OutOfMemory`].
pub trait Roomy {
    fn room_for(&mut self, more: usize);
}

impl<T: Eq + Hash, S: BuildHasher> Roomy for HashSet<T, S> {
    #[inline]
    fn room_for(&mut self, more: usize) {
        if self.try_reserve(more).is_err() {
            OutOfMemory.unwind()
        }
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Roomy for HashMap<K, V, S> {
    #[inline]
    fn room_for(&mut self, more: usize) {
        if self.try_reserve(more).is_err() {
            OutOfMemory.unwind()
        }
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Roomy for IndexMap<K, V, S> {
    #[inline]
    fn room_for(&mut self, more: usize) {
        if self.try_reserve(more).is_err() {
            OutOfMemory.unwind()
        }
    }
}

/// Vectors of what cannot be copied; of all others see `Grow`.
impl<T> Roomy for Vec<T> {
    #[inline]
    fn room_for(&mut self, more: usize) {
        if self.try_reserve(more).is_err() {
            OutOfMemory.unwind()
        }
    }
}
