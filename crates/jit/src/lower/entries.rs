//! Entries of Hashes by position: the primitives on which iteration in the library's Ruby code is built.
//!
//! What the code does not decide (no Hash, a deleted entry, an index that is none) the primitive does, which is a leaf.

use super::registers::Type;
use super::{Lower, plain};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_value::{Tag, Value};
use rubellite_vm::Ctx;
use rubellite_vm::code::Site;
use rubellite_vm::jit::{Native, object};
use rustc_hash::FxHashMap;

/// What is asked of an entry.
#[derive(Copy, Clone)]
enum Asked {
    /// Its position, if it is filled.
    Next,
    Key,
    Value,
}

/// The primitives that are done in place.
const TABLE: &[(&str, Asked)] = &[("hash_next", Asked::Next), ("hash_key", Asked::Key), ("hash_value", Asked::Value)];

/// The places of the table's primitives, by their functions.
pub(crate) fn find(ctx: &Ctx) -> FxHashMap<usize, usize> {
    let function = |name: &str| ctx.primitive_function(name).map(|function| function as usize);
    TABLE.iter().enumerate().filter_map(|(place, (name, _))| Some((function(name)?, place))).collect()
}

impl Lower<'_> {
    /// Does one of the primitives; whether it was one.
    pub(super) fn entry_primitive(&mut self, site: &Site, a: usize, b: usize) -> bool {
        let function = site.direct.get() as usize;
        let Some(asked) = self.jit.entries.borrow().get(&function).map(|place| TABLE[*place].1) else { return false };
        if self.state.types[b + 1] == Type::Float {
            return false;
        }
        let (slow, done) = self.ways();
        self.tag_or(b, Tag::Hash, slow);
        let index = self.get(b + 1);
        if self.state.types[b + 1] != Type::Integer {
            let bit = self.b.ins().band_imm_s(index, 1);
            self.continue_if(bit, slow);
        }
        let position = self.b.ins().sshr_imm_s(index, 1);
        let word = match asked {
            Asked::Next => {
                self.end_of_entries(b, position, slow, done);
                self.entry(b, position, object::ENTRY_KEY, slow);
                index
            }
            Asked::Key => self.entry(b, position, object::ENTRY_KEY, slow),
            Asked::Value => self.entry(b, position, object::ENTRY_VALUE, slow),
        };
        self.b.ins().jump(done, &[word.into()]);
        self.start_cold(slow);
        let state = self.state.clone();
        self.forget_exits();
        let word = self.native_result(Native::of(site), true, site, b);
        self.b.ins().jump(done, &[word.into()]);
        self.restore(state);
        self.start(done);
        let word = self.b.block_params(done)[0];
        self.define(a, word);
        true
    }

    /// The number of entries of the Hash in a register, with the deleted ones.
    fn entry_count(&mut self, register: usize) -> Word {
        let hash = self.get(register);
        let count = self.b.ins().load(types::I32, plain(), hash, object::HASH_COUNT);
        self.b.ins().uextend(types::I64, count)
    }

    /// Goes on with nil where the position is behind all entries.
    fn end_of_entries(&mut self, register: usize, position: Word, slow: Block, done: Block) {
        let count = self.entry_count(register);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, position, count);
        let (on, end) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(within, on, &[], end, &[]);
        self.start(end);
        let nil = self.value(Value::NIL);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, position, 0);
        self.b.ins().brif(negative, slow, &[], done, &[nil.into()]);
        self.start(on);
    }

    /// The word at an offset in the entry at a position, if there is a live one.
    fn entry(&mut self, register: usize, position: Word, offset: i32, slow: Block) -> Word {
        let count = self.entry_count(register);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, position, count);
        self.continue_if(within, slow);
        let hash = self.get(register);
        let first = self.b.ins().load(types::I64, plain(), hash, object::HASH_ENTRIES);
        let size = self.integer(object::ENTRY_SIZE);
        let distance = self.b.ins().imul(position, size);
        let entry = self.b.ins().iadd(first, distance);
        let key = self.b.ins().load(types::I64, plain(), entry, object::ENTRY_KEY);
        let live = self.b.ins().icmp_imm_s(IntCC::NotEqual, key, Value::UNDEF.bits() as i64);
        self.continue_if(live, slow);
        if offset == object::ENTRY_KEY { key } else { self.b.ins().load(types::I64, plain(), entry, offset) }
    }
}
