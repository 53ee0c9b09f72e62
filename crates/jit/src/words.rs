//! Words of memory that compiled code shares with the compiler.

use std::cell::{Cell, RefCell};

/// Words that compiled code reads or counts, close together: what a large program uses of them lies in few lines of the
/// processor's caches.
#[derive(Default)]
pub struct Words {
    chunks: RefCell<Vec<Box<[Cell<u64>]>>>,
    used: Cell<usize>,
}

/// Words of one chunk.
const CHUNK: usize = 512;

impl Words {
    /// Another word, which stays where it is as long as the VM lives.
    pub fn word(&self, value: u64) -> &'static Cell<u64> {
        let mut chunks = self.chunks.borrow_mut();
        let (chunk, at) = (self.used.get() / CHUNK, self.used.get() % CHUNK);
        if at == 0 {
            chunks.push(vec![const { Cell::new(0) }; CHUNK].into());
        }
        self.used.set(self.used.get() + 1);
        let word: *const Cell<u64> = &raw const chunks[chunk][at];
        // SAFETY: chunks do not move; what is compiled runs only while the VM lives.
        let word = unsafe { &*word };
        word.set(value);
        word
    }
}
