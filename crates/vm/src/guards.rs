//! The recursion guards of a fiber: which operations (`inspect`, `==`, `hash` ...) are under way on which objects,
//! innermost last. A few are found by looking at each; those of deep structures in a table, so that depth costs
//! nothing.

use rubellite_value::{Sym, Value};
use rustc_hash::FxHashSet;

/// An operation, its object and its partner.
pub(crate) type Guard = (Sym, Value, Value);

/// Up to this number they are looked at one by one.
const SHALLOW: usize = 16;

/// Invariant: `deep` holds what lies in `stack` from `SHALLOW` on, and no guard is there twice.
#[derive(Default)]
pub(crate) struct Guards {
    stack: Vec<Guard>,                   // tidy: traced as roots
    deep: Option<Box<FxHashSet<Guard>>>, // tidy: all of them are in `stack`
    /// `hash` of collections that is under way, one in another.
    pub hashes: usize,
}

impl Guards {
    #[inline]
    pub fn contains(&self, guard: &Guard) -> bool {
        let shallow = &self.stack[..self.stack.len().min(SHALLOW)];
        shallow.contains(guard) || self.deep.as_ref().is_some_and(|deep| deep.contains(guard))
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// Adds one that is not there; gives the depth before.
    #[inline]
    pub fn push(&mut self, guard: Guard) -> usize {
        let depth = self.stack.len();
        self.stack.push(guard);
        if depth >= SHALLOW {
            self.deep.get_or_insert_default().insert(guard);
        }
        depth
    }

    /// Takes those off that came after that depth.
    #[inline]
    pub fn truncate(&mut self, depth: usize) {
        for guard in self.stack.drain(depth.min(self.stack.len())..) {
            if let Some(deep) = &mut self.deep {
                deep.remove(&guard);
            }
        }
    }

    pub fn clear(&mut self) {
        *self = Guards::default();
    }

    pub fn trace(&self, mut mark: impl FnMut(Value)) {
        for (_, object, partner) in &self.stack {
            mark(*object);
            mark(*partner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_are_found_at_every_depth() {
        let guard = |n: usize| (Sym(1), Value::fixnum(n as i64), Value::NIL);
        let mut guards = Guards::default();
        for n in 0..100 {
            assert!(!guards.contains(&guard(n)));
            assert_eq!(guards.push(guard(n)), n);
            assert!((0..=n).all(|seen| guards.contains(&guard(seen))));
        }
        for n in (0..100).rev() {
            guards.truncate(n);
            assert!(!guards.contains(&guard(n)) && (0..n).all(|seen| guards.contains(&guard(seen))));
        }
        assert!(guards.deep.is_some_and(|deep| deep.is_empty()));
    }
}
