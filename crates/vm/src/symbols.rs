//! The symbol table: bytes with an encoding to a number and back.
//!
//! A symbol is *static* or *dynamic*. Whoever asks for a number to keep (the parser, tables of methods, shapes,
//! constants, native code that names something, extensions in C) gets a static one, which lives as long as the VM.
//! Symbols that a program computes (`String#to_sym`, interpolation, JSON, Marshal) are dynamic: a full collection frees
//! those that it has not met as values, and their numbers are used again. A dynamic symbol becomes static, with the
//! same number, when somebody asks for its number to keep: [`Symbols::intern`], [`Symbols::pin`]. It never becomes
//! dynamic again.
//!
//! Invariant: a number that lies where the collector does not look (malloc memory, the fields of an object that hold a
//! `Sym`) is static. Values are marked wherever they are; numbers on machine stacks are found by the conservative scan.
//!
//! Names that the runtime's own Ruby code has for itself are internal symbols: the same bytes in a program are another
//! symbol, so that programs can neither call nor redefine what has such a name. Reflection does not show them.
//!
//! The symbol of an operator of one character has that character's code as its number, and 0 is no symbol: extensions
//! in C write both down as constants. The other numbers below [`RESERVED`] stay unused.

use crate::object::OutOfMemory;
use crate::object::growing::Roomy;
use crate::object::hashing::{hash_bytes, hash_combine};
use hashbrown::HashTable;
use rubellite_encoding::Encoding;
use rubellite_gc::SymbolMarks;
use rubellite_value::Sym;
use std::cell::Cell;

/// The first number of a symbol that is no operator of one character.
const RESERVED: u8 = 128;

/// Operators of one character.
const OPERATORS: &[u8] = b"+-*/%<>!~^&|`";

struct Entry {
    bytes: Box<[u8]>,
    encoding: Encoding,
    internal: bool,
    /// No symbol has the number now.
    free: bool,
}

impl Entry {
    fn free() -> Entry {
        Entry { bytes: Box::default(), encoding: Encoding::US_ASCII, internal: false, free: true }
    }
}

/// Dynamic symbols, of some 100 bytes each, that are never too many.
const FEW: usize = 10_000;

/// Interned symbols of one VM. ASCII-only names have the encoding US-ASCII.
pub struct Symbols {
    /// The key of the hash function.
    seed: u64,
    entries: Vec<Entry>,
    /// Numbers of freed symbols.
    free: Vec<Sym>,
    /// Which symbols are dynamic. The collector has it while it marks.
    pub(crate) marks: SymbolMarks,
    /// How many dynamic symbols were made since the last time that some were freed, and how many were left then.
    made: usize,
    left: usize,
    /// Hash values with their symbols.
    by_name: HashTable<(u64, Sym)>,
}

impl Symbols {
    /// An empty table. Names cannot be prepared to collide by who does not know the `seed`.
    pub fn new(seed: u64) -> Symbols {
        let mut symbols = Symbols {
            seed,
            entries: Vec::new(),
            free: Vec::new(),
            marks: SymbolMarks::default(),
            made: 0,
            left: 0,
            by_name: HashTable::new(),
        };
        for code in 0..RESERVED {
            if OPERATORS.contains(&code) {
                symbols.intern(&[code], Encoding::US_ASCII);
            } else {
                symbols.entries.push(Entry::free());
            }
        }
        symbols
    }

    /// The symbol for `bytes` in `encoding`, static from now on.
    pub fn intern(&mut self, bytes: &[u8], encoding: Encoding) -> Sym {
        let (sym, _) = self.intern_in(bytes, encoding, false);
        self.pin(sym);
        sym
    }

    /// The symbol for `bytes` in `encoding`, dynamic if it is new, and whether it is: for one that is used as a value
    /// only.
    pub fn intern_dynamic(&mut self, bytes: &[u8], encoding: Encoding) -> (Sym, bool) {
        let (sym, new) = self.intern_in(bytes, encoding, false);
        if new {
            self.marks.watch(sym);
            self.made += 1;
        }
        (sym, new)
    }

    /// Makes the symbol static: its number may be kept.
    #[inline]
    pub fn pin(&mut self, sym: Sym) {
        self.marks.unwatch(sym);
    }

    /// The internal symbol for `bytes`, which are ASCII.
    pub fn intern_internal(&mut self, bytes: &[u8]) -> Sym {
        self.intern_in(bytes, Encoding::US_ASCII, true).0
    }

    /// The symbol, and whether it is new.
    fn intern_in(&mut self, bytes: &[u8], encoding: Encoding, internal: bool) -> (Sym, bool) {
        let encoding = stored_encoding(bytes, encoding);
        let hash = self.hash(bytes, encoding);
        if let Some(sym) = self.known(hash, bytes, encoding, internal) {
            return (sym, false);
        }
        self.entries.room_for(1);
        if self.by_name.try_reserve(1, |(hash, _)| *hash).is_err() {
            OutOfMemory.unwind()
        }
        let entry = Entry { bytes: crate::object::copied(bytes).into_boxed_slice(), encoding, internal, free: false };
        let sym = match self.free.pop() {
            Some(sym) => {
                self.entries[sym.0 as usize] = entry;
                sym
            }
            None => {
                self.entries.push(entry);
                Sym(self.entries.len() as u32 - 1)
            }
        };
        self.by_name.insert_unique(hash, (hash, sym), |(hash, _)| *hash);
        (sym, true)
    }

    /// Whether it is time to free dynamic symbols: their number may have doubled.
    pub(crate) fn are_many(&self) -> bool {
        self.made > self.left.max(FEW)
    }

    /// After a full marking: frees the dynamic symbols that it has not met. Gives the bytes that they took, as
    /// [`Symbols::cost`] counts.
    pub(crate) fn sweep(&mut self) -> usize {
        let mut freed_bytes = 0;
        let dead = self.marks.take_unmarked();
        self.left = (self.left + self.made).saturating_sub(dead.len());
        self.made = 0;
        for sym in dead {
            let entry = std::mem::replace(&mut self.entries[sym.0 as usize], Entry::free());
            debug_assert!(!entry.free);
            let hash = self.hash(&entry.bytes, entry.encoding);
            if let Ok(found) = self.by_name.find_entry(hash, |(_, other)| *other == sym) {
                found.remove();
            }
            freed_bytes += Symbols::cost(entry.bytes.len());
            self.free.push(sym);
        }
        if self.by_name.len() < self.by_name.capacity() / 8 {
            self.by_name.shrink_to(self.by_name.len() * 2, |(hash, _)| *hash);
        }
        freed_bytes
    }

    /// About how many bytes a symbol with a name of that length takes.
    pub(crate) fn cost(len: usize) -> usize {
        size_of::<Entry>() + 2 * size_of::<(u64, Sym)>() + len.next_multiple_of(16)
    }

    /// The symbol, when it already exists.
    pub fn find(&self, bytes: &[u8], encoding: Encoding) -> Option<Sym> {
        let encoding = stored_encoding(bytes, encoding);
        self.known(self.hash(bytes, encoding), bytes, encoding, false)
    }

    fn hash(&self, bytes: &[u8], encoding: Encoding) -> u64 {
        hash_combine(self.seed, hash_bytes(self.seed, bytes), encoding.index() as u64)
    }

    fn known(&self, hash: u64, bytes: &[u8], encoding: Encoding, internal: bool) -> Option<Sym> {
        let same = |(other, sym): &(u64, Sym)| {
            let entry = &self.entries[sym.0 as usize];
            *other == hash && entry.internal == internal && entry.encoding == encoding && *entry.bytes == *bytes
        };
        self.by_name.find(hash, same).map(|(_, sym)| *sym)
    }

    pub fn bytes(&self, sym: Sym) -> &[u8] {
        &self.entries[sym.0 as usize].bytes
    }

    pub fn encoding(&self, sym: Sym) -> Encoding {
        self.entries[sym.0 as usize].encoding
    }

    pub fn is_internal(&self, sym: Sym) -> bool {
        self.entries[sym.0 as usize].internal
    }

    /// Whether the number is a symbol's.
    pub fn exists(&self, sym: Sym) -> bool {
        self.entries.get(sym.0 as usize).is_some_and(|entry| !entry.free)
    }

    /// One more than the largest number that a symbol has had.
    pub fn limit(&self) -> usize {
        self.entries.len()
    }
}

fn stored_encoding(bytes: &[u8], encoding: Encoding) -> Encoding {
    if bytes.is_ascii() && encoding.is_ascii_compatible() { Encoding::US_ASCII } else { encoding }
}

/// Symbols of texts that live as long as the process, by the address of the text: no hashing, no comparison.
pub(crate) struct Spelled(Box<[Cell<(usize, usize, Sym)>; SPELLED_MAX]>);

/// Texts that are remembered at once; others with the same place take it over.
const SPELLED_MAX: usize = 512;

impl Default for Spelled {
    fn default() -> Spelled {
        Spelled(Box::new([const { Cell::new((0, 0, Sym(0))) }; SPELLED_MAX]))
    }
}

impl Spelled {
    #[inline]
    fn place(&self, name: &'static str) -> &Cell<(usize, usize, Sym)> {
        let mixed = (name.as_ptr() as u64 ^ (name.len() as u64) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.0[(mixed >> (u64::BITS - SPELLED_MAX.ilog2())) as usize]
    }

    #[inline]
    pub fn find(&self, name: &'static str) -> Option<Sym> {
        let (address, length, sym) = self.place(name).get();
        (address == name.as_ptr() as usize && length == name.len()).then_some(sym)
    }

    /// Remembers a symbol, which must be one that is never freed.
    #[cold]
    pub fn keep(&self, name: &'static str, sym: Sym) -> Sym {
        self.place(name).set((name.as_ptr() as usize, name.len(), sym));
        sym
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dynamic(symbols: &mut Symbols, name: &str) -> Sym {
        symbols.intern_dynamic(name.as_bytes(), Encoding::UTF_8).0
    }

    /// A full collection that meets `live`.
    fn collect(symbols: &mut Symbols, live: &[Sym]) {
        live.iter().for_each(|sym| symbols.marks.mark(*sym));
        symbols.sweep();
    }

    #[test]
    fn unmet_dynamic_symbols_are_freed_and_their_numbers_used_again() {
        let mut symbols = Symbols::new(1);
        let limit = symbols.limit();
        let (kept, dead) = (dynamic(&mut symbols, "kept"), dynamic(&mut symbols, "dead"));
        assert_eq!(dynamic(&mut symbols, "kept"), kept);
        collect(&mut symbols, &[kept]);
        assert!(symbols.exists(kept) && !symbols.exists(dead));
        assert_eq!(symbols.find(b"dead", Encoding::UTF_8), None);
        assert_eq!(dynamic(&mut symbols, "other"), dead);
        assert_eq!((symbols.bytes(dead), symbols.bytes(kept)), (&b"other"[..], &b"kept"[..]));
        assert_eq!(symbols.limit(), limit + 2);
        collect(&mut symbols, &[]);
        assert!(!symbols.exists(kept) && !symbols.exists(dead));
    }

    #[test]
    fn static_symbols_stay() {
        let mut symbols = Symbols::new(1);
        let named = symbols.intern(b"named", Encoding::UTF_8);
        let pinned = dynamic(&mut symbols, "pinned");
        assert!(symbols.marks.is_watched(pinned));
        assert_eq!(symbols.intern(b"pinned", Encoding::UTF_8), pinned);
        assert_eq!(dynamic(&mut symbols, "named"), named);
        collect(&mut symbols, &[]);
        assert!(symbols.exists(named) && symbols.exists(pinned) && symbols.exists(Sym(b'+' as u32)));
        assert!(!symbols.exists(Sym(0)));
    }
}
