//! The symbol table: bytes with an encoding to a number and back. Symbols live as long as the VM.
//!
//! Names that the runtime's own Ruby code has for itself are internal symbols: the same bytes in a program are another symbol, so
//! that programs can neither call nor redefine what has such a name. Reflection does not show them.
//!
//! The symbol of an operator of one character has that character's code as its number, and 0 is no symbol: extensions in C write both
//! down as constants. The other numbers below [`RESERVED`] stay unused.

use crate::object::hashing::{hash_bytes, hash_combine};
use hashbrown::HashTable;
use rubellite_encoding::Encoding;
use rubellite_value::Sym;

/// The first number of a symbol that is no operator of one character.
const RESERVED: u8 = 128;

/// Operators of one character.
const OPERATORS: &[u8] = b"+-*/%<>!~^&|`";

struct Entry {
    bytes: Box<[u8]>,
    encoding: Encoding,
    internal: bool,
}

/// Interned symbols of one VM. ASCII-only names have the encoding US-ASCII.
pub struct Symbols {
    /// The key of the hash function.
    seed: u64,
    entries: Vec<Entry>,
    /// Hash values with their symbols.
    by_name: HashTable<(u64, Sym)>,
}

impl Symbols {
    /// An empty table. Names cannot be prepared to collide by who does not know the `seed`.
    pub fn new(seed: u64) -> Symbols {
        let mut symbols = Symbols { seed, entries: Vec::new(), by_name: HashTable::new() };
        for code in 0..RESERVED {
            if OPERATORS.contains(&code) {
                symbols.intern(&[code], Encoding::US_ASCII);
            } else {
                symbols.entries.push(Entry { bytes: Box::default(), encoding: Encoding::US_ASCII, internal: false });
            }
        }
        symbols
    }

    /// The symbol for `bytes` in `encoding`.
    pub fn intern(&mut self, bytes: &[u8], encoding: Encoding) -> Sym {
        self.intern_in(bytes, encoding, false)
    }

    /// The internal symbol for `bytes`, which are ASCII.
    pub fn intern_internal(&mut self, bytes: &[u8]) -> Sym {
        self.intern_in(bytes, Encoding::US_ASCII, true)
    }

    fn intern_in(&mut self, bytes: &[u8], encoding: Encoding, internal: bool) -> Sym {
        let encoding = stored_encoding(bytes, encoding);
        let hash = self.hash(bytes, encoding);
        if let Some(sym) = self.known(hash, bytes, encoding, internal) {
            return sym;
        }
        let sym = Sym(self.entries.len() as u32);
        self.entries.push(Entry { bytes: crate::object::copied(bytes).into_boxed_slice(), encoding, internal });
        self.by_name.insert_unique(hash, (hash, sym), |(hash, _)| *hash);
        sym
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
        (sym.0 as usize) < self.entries.len() && (sym.0 >= RESERVED as u32 || OPERATORS.contains(&(sym.0 as u8)))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

fn stored_encoding(bytes: &[u8], encoding: Encoding) -> Encoding {
    if bytes.is_ascii() && encoding.is_ascii_compatible() { Encoding::US_ASCII } else { encoding }
}
