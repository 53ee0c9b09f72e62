//! The symbol table: bytes with an encoding to a number and back. Symbols live as long as the VM.

use rubellite_encoding::Encoding;
use rubellite_value::Sym;
use std::collections::HashMap;

struct Entry {
    bytes: Box<[u8]>,
    encoding: Encoding,
}

/// Interned symbols of one VM. ASCII-only names have the encoding US-ASCII.
#[derive(Default)]
pub struct Symbols {
    entries: Vec<Entry>,
    by_name: HashMap<(Encoding, Box<[u8]>), Sym>,
}

impl Symbols {
    /// The symbol for `bytes` in `encoding`.
    pub fn intern(&mut self, bytes: &[u8], encoding: Encoding) -> Sym {
        let encoding = if bytes.is_ascii() && encoding.is_ascii_compatible() { Encoding::US_ASCII } else { encoding };
        let key = (encoding, Box::from(bytes));
        if let Some(sym) = self.by_name.get(&key) {
            return *sym;
        }
        let sym = Sym(self.entries.len() as u32);
        self.entries.push(Entry { bytes: Box::from(bytes), encoding });
        self.by_name.insert(key, sym);
        sym
    }

    /// The symbol, when it already exists.
    pub fn find(&self, bytes: &[u8], encoding: Encoding) -> Option<Sym> {
        let encoding = if bytes.is_ascii() && encoding.is_ascii_compatible() { Encoding::US_ASCII } else { encoding };
        self.by_name.get(&(encoding, Box::from(bytes))).copied()
    }

    pub fn bytes(&self, sym: Sym) -> &[u8] {
        &self.entries[sym.0 as usize].bytes
    }

    pub fn encoding(&self, sym: Sym) -> Encoding {
        self.entries[sym.0 as usize].encoding
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }
}
