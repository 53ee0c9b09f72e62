//! Marks of dynamic symbols, which are numbers and have no cell: a bit for each number says that a symbol with it may
//! be freed, another that the marking has met it.
//!
//! The VM's symbol table owns the set and lends it to the marker, see
//! [`Marker::lend_symbols`](crate::Marker::lend_symbols).

use rubellite_value::{Sym, Value};

const BITS: usize = u64::BITS as usize;

/// The dynamic symbols of a VM, and which of them were met.
#[derive(Default)]
pub struct SymbolMarks {
    /// Symbols that a collection may free.
    watched: Vec<u64>,
    /// As long as `watched`.
    marked: Vec<u64>,
}

fn place(sym: Sym) -> (usize, u64) {
    (sym.0 as usize / BITS, 1 << (sym.0 as usize % BITS))
}

impl SymbolMarks {
    /// From now on a collection may free the symbol.
    pub fn watch(&mut self, sym: Sym) {
        let (at, bit) = place(sym);
        if self.watched.len() <= at {
            self.watched.resize(at + 1, 0);
            self.marked.resize(at + 1, 0);
        }
        self.watched[at] |= bit;
    }

    /// From now on no collection frees the symbol.
    #[inline]
    pub fn unwatch(&mut self, sym: Sym) {
        let (at, bit) = place(sym);
        if let Some(word) = self.watched.get_mut(at) {
            *word &= !bit;
        }
    }

    /// Whether a collection may free the symbol.
    #[inline]
    pub fn is_watched(&self, sym: Sym) -> bool {
        let (at, bit) = place(sym);
        self.watched.get(at).is_some_and(|word| word & bit != 0)
    }

    /// Keeps the symbol for this collection.
    #[inline]
    pub fn mark(&mut self, sym: Sym) {
        let (at, bit) = place(sym);
        if let Some(word) = self.marked.get_mut(at) {
            *word |= bit;
        }
    }

    /// Whether the symbol outlives a full collection that has marked everything.
    pub fn survives(&self, sym: Sym) -> bool {
        let (at, bit) = place(sym);
        !self.is_watched(sym) || self.marked[at] & bit != 0
    }

    /// The dynamic symbols that a word of a machine stack may mean: as a value, or as one or two numbers.
    #[inline]
    pub(crate) fn in_word(&self, word: usize) -> impl Iterator<Item = Sym> {
        let value = Value::immediate(word as u64).and_then(Value::as_symbol);
        let numbers = [Some(Sym(word as u32)), Some(Sym((word as u64 >> 32) as u32)), value];
        numbers.into_iter().flatten().filter(|sym| self.is_watched(*sym))
    }

    #[inline]
    pub(crate) fn mark_word(&mut self, word: usize) {
        if !self.watched.is_empty() {
            let [a, b, c] = {
                let mut found = self.in_word(word);
                [found.next(), found.next(), found.next()]
            };
            [a, b, c].into_iter().flatten().for_each(|sym| self.mark(sym));
        }
    }

    pub(crate) fn forget_marks(&mut self) {
        self.marked.fill(0);
    }

    /// The dynamic symbols that were not met; they are no longer watched.
    pub fn take_unmarked(&mut self) -> Vec<Sym> {
        let mut dead = Vec::new();
        for (at, (watched, marked)) in self.watched.iter_mut().zip(&self.marked).enumerate() {
            let mut rest = *watched & !marked;
            *watched &= marked;
            while rest != 0 {
                dead.push(Sym((at * BITS) as u32 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
        self.forget_marks();
        dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_a_value_and_two_numbers() {
        let mut marks = SymbolMarks::default();
        (0..1000).map(Sym).for_each(|sym| marks.watch(sym));
        marks.unwatch(Sym(0));
        marks.mark_word(Value::symbol(Sym(900)).bits() as usize);
        marks.mark_word(7 | 300 << 32);
        marks.mark_word(usize::MAX);
        let survivors: Vec<u32> = (0..1000).filter(|n| marks.survives(Sym(*n))).collect();
        assert_eq!(survivors, [0, 7, 300, 900]);
        assert_eq!(marks.take_unmarked().len(), 996);
        assert!(marks.is_watched(Sym(7)) && !marks.is_watched(Sym(8)) && !marks.survives(Sym(7)));
    }
}
