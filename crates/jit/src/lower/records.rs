//! Members of instances of Struct and Data classes: slots at known places. The class is known; the header is looked at
//! as well, for frozen ones and for what says how many slots there are. What is otherwise goes to the native method.

use super::builtins::Call;
use super::registers::Type;
use super::{Lower, plain};
use cranelift_codegen::ir::{InstBuilder, types};
use rubellite_value::{Value, flags};
use rubellite_vm::jit;
use rubellite_vm::object::members;

impl Lower<'_> {
    /// Does the accessor of a member; whether the method is one.
    pub(super) fn accessor(&mut self, call: Call) -> bool {
        let Some((member, writes)) = call.function().and_then(members::accessed) else { return false };
        if writes { self.write_member(call, member, call.b + 1) } else { self.read_member(call, member) }
    }

    fn read_member(&mut self, call: Call, member: usize) -> bool {
        let Some((_, header)) = jit::record(self.vm, call.class).filter(|(members, _)| member < members.len()) else {
            return false;
        };
        let (slow, done) = self.ways();
        let object = self.get(call.b);
        let found = self.b.ins().load(types::I64, plain(), object, 0);
        let mask = self.immediate(jit::RECORD_MASK as i64);
        let found = self.b.ins().band(found, mask);
        let fits = self.is_word(found, header);
        self.continue_if(fits, slow);
        let slots = self.slots(call.b, header);
        let word = self.b.ins().load(types::I64, plain(), slots, 8 * member as i32);
        self.b.ins().jump(done, &[word.into()]);
        self.aside(call, slow, done)
    }

    /// Where the slots of the instance in a register begin.
    fn slots(&mut self, register: usize, header: u64) -> cranelift_codegen::ir::Value {
        let object = self.get(register);
        match jit::is_boxed(header) {
            true => self.b.ins().load(types::I64, plain(), object, jit::object::STRUCT_SLOTS),
            false => self.b.ins().iadd_imm_s(object, jit::object::STRUCT_SLOTS as i64),
        }
    }

    fn write_member(&mut self, call: Call, member: usize, from: usize) -> bool {
        let Some((_, header)) = jit::record(self.vm, call.class).filter(|(members, _)| member < members.len()) else {
            return false;
        };
        let (slow, done) = self.ways();
        let (object, word) = (self.get(call.b), self.get(from));
        let found = self.b.ins().load(types::I64, plain(), object, 0);
        let mask = self.immediate((jit::RECORD_MASK | flags::FROZEN.bit()) as i64);
        let found = self.b.ins().band(found, mask);
        let fits = self.is_word(found, header);
        self.continue_if(fits, slow);
        let slots = self.slots(call.b, header);
        self.b.ins().store(plain(), word, slots, 8 * member as i32);
        self.barrier(object, word, from, !jit::is_boxed(header));
        self.b.ins().jump(done, &[word.into()]);
        self.aside(call, slow, done)
    }
}

/// The member that a literal symbol or index in a register means.
fn literal_member(lower: &Lower, call: Call) -> Option<usize> {
    let (members, _) = jit::record(lower.vm, call.class)?;
    let key = call.b + 1;
    if let Some(name) = lower.state.symbols[key] {
        return members.slice(lower.vm).iter().position(|member| *member == Value::symbol(name));
    }
    let index = lower.state.constants[key].filter(|_| lower.state.types[key] == Type::Integer)?;
    usize::try_from(index).ok().filter(|index| *index < members.len())
}

pub(super) fn struct_aref(lower: &mut Lower, call: Call) -> bool {
    literal_member(lower, call).is_some_and(|member| lower.read_member(call, member))
}

pub(super) fn struct_aset(lower: &mut Lower, call: Call) -> bool {
    literal_member(lower, call).is_some_and(|member| lower.write_member(call, member, call.b + 2))
}
