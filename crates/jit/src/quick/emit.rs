//! Emits the machine code of a whole function, block by block, once its values have their places.
//!
//! Invariant: bits of a place above the width of its value's type have no meaning.

use super::asm::{Alu, Assembler, Flag, Label, Mem, Rm, Width};
use super::moves::{Item, Operand, Step, ordered};
use super::order::{Constant, Fate, Order};
use super::place::{ARGUMENTS, LOST, Place, Places, R11, RAX, RSP, Reg};
use super::ranges::{NONE, Ranges};
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::entity::packed_option::PackedOption;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, Function, Inst, InstructionData, Opcode, Type, Value, types};

pub struct Emitter<'a> {
    pub function: &'a Function,
    pub order: &'a Order,
    ranges: &'a Ranges,
    places: &'a Places,
    pub asm: Assembler,
    labels: SecondaryMap<Block, Option<Label>>,
    /// Where blocks go on that do nothing else; they are not emitted.
    onward: SecondaryMap<Block, PackedOption<Block>>,
    layout: Layout,
    /// The number that the second free register holds.
    number: Option<i64>,
    /// A value that is in the flags.
    flag: Option<(Value, Flag)>,
    /// An intersection that is compared with zero, or a load of what is compared.
    operand: Option<Inst>,
}

/// The machine stack of a function: from the top down what callers want to have back, registers while calls of cold
/// blocks run, values, and the function's own slots.
struct Layout {
    slots: Vec<i32>,
    values: i32,
    saved: [Option<i32>; 16],
    size: i32,
}

impl Layout {
    fn of(function: &Function, ranges: &Ranges, places: &Places) -> Option<Layout> {
        let mut at = 0;
        let mut slots = Vec::new();
        for slot in function.sized_stack_slots.values() {
            if slot.align_shift > 3 {
                return None;
            }
            slots.push(at);
            at += i32::try_from(slot.size.checked_next_multiple_of(8)?).ok()?;
        }
        let values = at;
        at += 8 * i32::try_from(places.words).ok()?;
        let mut saved = [None; 16];
        for number in ranges.saved.values().flatten() {
            if let Place::Reg(reg) = places.places[*number as usize]
                && LOST.contains(&reg)
                && saved[reg.0 as usize].is_none()
            {
                saved[reg.0 as usize] = Some(at);
                at += 8;
            }
        }
        // The address that the function returns to lies above.
        let above = 8 + 8 * places.kept.len() as i32;
        let size = at + (at + above) % 16;
        Some(Layout { slots, values, saved, size })
    }
}

pub fn width(kind: Type) -> Option<Width> {
    match kind {
        types::I8 => Some(Width::Byte),
        types::I32 => Some(Width::Half),
        types::I64 => Some(Width::Word),
        _ => None,
    }
}

/// The flag that says how two compared integers are to each other.
pub fn flag(cond: IntCC) -> Flag {
    Flag(match cond {
        IntCC::Equal => 4,
        IntCC::NotEqual => 5,
        IntCC::SignedLessThan => 12,
        IntCC::SignedGreaterThanOrEqual => 13,
        IntCC::SignedLessThanOrEqual => 14,
        IntCC::SignedGreaterThan => 15,
        IntCC::UnsignedLessThan => 2,
        IntCC::UnsignedGreaterThanOrEqual => 3,
        IntCC::UnsignedLessThanOrEqual => 6,
        IntCC::UnsignedGreaterThan => 7,
    })
}

impl<'a> Emitter<'a> {
    /// Machine code of the function. None: it has something that is not known here.
    pub fn bytes(function: &'a Function, order: &'a Order, ranges: &'a Ranges, places: &'a Places) -> Option<Vec<u8>> {
        let layout = Layout::of(function, ranges, places)?;
        let mut emitter = Emitter {
            function,
            order,
            ranges,
            places,
            asm: Assembler::default(),
            labels: SecondaryMap::new(),
            onward: SecondaryMap::new(),
            layout,
            number: None,
            flag: None,
            operand: None,
        };
        let emission = emitter.pass_on()?;
        for block in &emission {
            emitter.labels[*block] = Some(emitter.asm.label());
        }
        emitter.prologue()?;
        for (i, block) in emission.iter().enumerate() {
            emitter.block(*block, emission.get(i + 1).copied())?;
        }
        emitter.asm.finish()
    }

    /// Finds the blocks that do nothing but go on to another one, in which all values already lie where it reads them;
    /// gives the others.
    fn pass_on(&mut self) -> Option<Vec<Block>> {
        let (entry, others) = self.order.emission.split_first()?;
        let mut emission = vec![*entry];
        for block in others {
            match self.goes_on(*block)?.filter(|to| self.end_of(*to) != *block) {
                Some(to) => self.onward[*block] = Some(to).into(),
                None => emission.push(*block),
            }
        }
        Some(emission)
    }

    fn goes_on(&self, block: Block) -> Option<Option<Block>> {
        let mut acts = self.function.layout.block_insts(block).filter(|inst| self.order.fates[*inst] != Fate::Skipped);
        let data = acts.next().map(|inst| self.function.dfg.insts[inst]);
        let Some(InstructionData::Jump { destination, .. }) = data else { return Some(None) };
        let is_there = self.edge_items(destination)?.is_empty();
        Some(is_there.then(|| destination.block(&self.function.dfg.value_lists)))
    }

    /// The block at which a jump to a block ends.
    fn end_of(&self, block: Block) -> Block {
        let mut end = block;
        while let Some(next) = self.onward[end].expand() {
            end = next;
        }
        end
    }

    fn prologue(&mut self) -> Option<()> {
        for reg in &self.places.kept {
            self.asm.push(*reg);
        }
        if self.layout.size > 0 {
            self.asm.alu_number(Alu::Sub, Width::Word, Rm::Reg(RSP), self.layout.size);
        }
        let entry = *self.order.emission.first()?;
        let mut items = Vec::new();
        for (i, value) in self.function.dfg.block_params(entry).iter().enumerate() {
            if let Some(to) = self.home(*value) {
                items.push(Item { from: Operand::Reg(*ARGUMENTS.get(i)?), to });
            }
        }
        self.move_all(items);
        Some(())
    }

    fn epilogue(&mut self) {
        if self.layout.size > 0 {
            self.asm.alu_number(Alu::Add, Width::Word, Rm::Reg(RSP), self.layout.size);
        }
        for reg in self.places.kept.iter().rev() {
            self.asm.pop(*reg);
        }
        self.asm.ret();
    }

    fn block(&mut self, block: Block, next: Option<Block>) -> Option<()> {
        if let Some(label) = self.labels[block] {
            self.asm.bind(label);
        }
        (self.number, self.flag, self.operand) = (None, None, None);
        for inst in self.function.layout.block_insts(block) {
            match self.order.fates[inst] {
                Fate::Skipped => {}
                Fate::Mask | Fate::Memory => self.operand = Some(inst),
                _ => self.inst(inst, block, next)?,
            }
        }
        Some(())
    }

    fn inst(&mut self, inst: Inst, block: Block, next: Option<Block>) -> Option<()> {
        let data = self.function.dfg.insts[inst];
        match data {
            InstructionData::Jump { destination, .. } => {
                self.edge(destination)?;
                self.go(destination, next)
            }
            InstructionData::Brif { arg, blocks, .. } => self.branch(arg, blocks, next),
            InstructionData::CallIndirect { .. } => self.call(inst, self.order.is_cold(block)),
            InstructionData::MultiAry { opcode: Opcode::Return, .. } => {
                match *self.function.dfg.inst_args(inst) {
                    [] => {}
                    [word] => self.into(RAX, word),
                    _ => return None,
                }
                self.epilogue();
                Some(())
            }
            _ => self.compute(inst, data),
        }
    }

    // -- values ---------------------------------------------------------------------------

    /// Where a value lies that has a place.
    pub fn home(&self, value: Value) -> Option<Rm> {
        let number = self.ranges.numbers[value];
        if number == NONE {
            return None;
        }
        Some(match self.places.places[number as usize] {
            Place::Reg(reg) => Rm::Reg(reg),
            Place::Word(word) => Rm::Mem(Mem { base: RSP, at: self.layout.values + 8 * word as i32 }),
        })
    }

    pub fn operand(&self, value: Value) -> Operand {
        match self.order.constants[value] {
            Some(Constant::Number(number)) => Operand::Number(number),
            Some(Constant::Slot(slot, at)) => {
                Operand::Address(Mem { base: RSP, at: self.layout.slots[slot.as_u32() as usize] + at })
            }
            None => match self.home(value) {
                Some(Rm::Reg(reg)) => Operand::Reg(reg),
                Some(Rm::Mem(mem)) => Operand::Mem(mem),
                // Only values that nobody reads have no place.
                None => Operand::Number(0),
            },
        }
    }

    pub fn kind(&self, value: Value) -> Type {
        self.function.dfg.value_type(value)
    }

    /// A register is about to get another content.
    pub fn lose(&mut self, reg: Reg) {
        if reg == R11 {
            self.number = None;
        }
    }

    pub fn load_operand(&mut self, to: Reg, operand: Operand) {
        self.lose(to);
        match operand {
            Operand::Reg(from) if from == to => {}
            Operand::Reg(from) => self.asm.load(Width::Word, to, Rm::Reg(from)),
            Operand::Mem(mem) => self.asm.load(Width::Word, to, Rm::Mem(mem)),
            Operand::Number(number) => self.asm.number(to, number),
            Operand::Address(mem) => self.asm.address(to, mem),
        }
    }

    /// Copies a value into a register; the flags stay.
    pub fn into(&mut self, to: Reg, value: Value) {
        let operand = self.operand(value);
        self.load_operand(to, operand);
    }

    /// A register that holds the value: its own, or the given one.
    pub fn reg(&mut self, value: Value, other: Reg) -> Reg {
        match self.operand(value) {
            Operand::Reg(reg) => reg,
            Operand::Number(number) if other == R11 => {
                self.number_in_r11(number);
                R11
            }
            operand => {
                self.load_operand(other, operand);
                other
            }
        }
    }

    /// Where the value can be read: in its place, or the given register.
    pub fn rm(&mut self, value: Value, other: Reg) -> Rm {
        match self.operand(value) {
            Operand::Mem(mem) => Rm::Mem(mem),
            _ => Rm::Reg(self.reg(value, other)),
        }
    }

    fn number_in_r11(&mut self, number: i64) {
        if self.number != Some(number) {
            self.asm.number(R11, number);
            self.number = Some(number);
        }
    }

    /// The number of a constant that fits into an instruction.
    pub fn small(&self, value: Value) -> Option<i32> {
        match self.operand(value) {
            Operand::Number(number) => i32::try_from(number).ok(),
            _ => None,
        }
    }

    /// The place in memory so many bytes behind an address.
    pub fn memory(&mut self, address: Value, offset: i32) -> Option<Mem> {
        match (self.operand(address), self.number) {
            (Operand::Address(mem), _) => return Some(Mem { at: mem.at.checked_add(offset)?, ..mem }),
            (Operand::Number(number), Some(near)) => {
                let distance = number.wrapping_sub(near).wrapping_add(offset.into());
                if let Ok(at) = i32::try_from(distance) {
                    return Some(Mem { base: R11, at });
                }
            }
            _ => {}
        }
        Some(Mem { base: self.reg(address, R11), at: offset })
    }

    /// The register in which a result is made, while the given values are still to be read.
    pub fn target(&self, result: Value, then: &[Value]) -> Reg {
        match self.home(result) {
            Some(Rm::Reg(reg)) if then.iter().all(|value| self.operand(*value) != Operand::Reg(reg)) => reg,
            _ => RAX,
        }
    }

    /// Puts a result into its place; the flags stay.
    pub fn write(&mut self, result: Value, from: Reg) {
        match self.home(result) {
            Some(Rm::Reg(reg)) if reg != from => self.asm.load(Width::Word, reg, Rm::Reg(from)),
            Some(Rm::Mem(mem)) => self.asm.store(Width::Word, mem, from),
            _ => {}
        }
    }

    // -- conditions -----------------------------------------------------------------------

    /// The value is in the flags, where the next instruction reads it, or goes to its place.
    pub fn condition(&mut self, inst: Inst, result: Value, flag: Flag) {
        if self.order.fates[inst] == Fate::Flags {
            self.flag = Some((result, flag));
            return;
        }
        self.asm.set(flag, RAX);
        self.asm.load(Width::Byte, RAX, Rm::Reg(RAX));
        self.write(result, RAX);
    }

    /// The flag that says whether a value is not zero.
    pub fn truth(&mut self, value: Value) -> Option<Flag> {
        if let Some((_, flag)) = self.flag.take_if(|(known, _)| *known == value) {
            return Some(flag);
        }
        let width = width(self.kind(value))?;
        if let Some([x, y]) = self.take_mask() {
            self.test(width, x, y);
            return Some(Flag::NOT_EQUAL);
        }
        match self.rm(value, RAX) {
            Rm::Reg(reg) => self.asm.test(width, reg, Rm::Reg(reg)),
            mem => self.asm.alu_number(Alu::Cmp, width, mem, 0),
        }
        Some(Flag::NOT_EQUAL)
    }

    /// The intersection that is to be compared with zero in the next instruction.
    pub fn take_mask(&mut self) -> Option<[Value; 2]> {
        let inst = self.operand.take_if(|inst| self.order.fates[*inst] == Fate::Mask)?;
        let args = self.function.dfg.inst_args(inst);
        Some([args[0], args[1]])
    }

    /// The word in memory that is to be compared in the next instruction.
    pub fn take_memory(&mut self) -> Option<Mem> {
        let inst = self.operand.take_if(|inst| self.order.fates[*inst] == Fate::Memory)?;
        let InstructionData::Load { arg, offset, .. } = self.function.dfg.insts[inst] else { return None };
        self.memory(arg, offset.into())
    }

    // -- jumps ----------------------------------------------------------------------------

    /// Copies the arguments of a jump to where the target reads them.
    fn edge(&mut self, call: BlockCall) -> Option<()> {
        let items = self.edge_items(call)?;
        self.move_all(items);
        Some(())
    }

    fn edge_items(&self, call: BlockCall) -> Option<Vec<Item>> {
        let lists = &self.function.dfg.value_lists;
        let mut items = Vec::new();
        for (arg, param) in call.args(lists).zip(self.function.dfg.block_params(call.block(lists))) {
            if let Some(to) = self.home(*param) {
                items.push(Item { from: self.operand(arg.as_value()?), to });
            }
        }
        items.retain(|item| !item.is_done());
        Some(items)
    }

    fn go(&mut self, call: BlockCall, next: Option<Block>) -> Option<()> {
        let to = self.goal(call);
        if next != Some(to) {
            self.asm.jump(self.labels[to]?);
        }
        Some(())
    }

    fn goal(&self, call: BlockCall) -> Block {
        self.end_of(call.block(&self.function.dfg.value_lists))
    }

    fn branch(&mut self, condition: Value, [yes, no]: [BlockCall; 2], next: Option<Block>) -> Option<()> {
        let mut flag = self.truth(condition)?;
        let (mut first, mut second) = (yes, no);
        // The way that goes on, or has something to copy, comes second.
        if !self.edge_items(first)?.is_empty() || next == Some(self.goal(first)) {
            (first, second, flag) = (no, yes, flag.not());
        }
        let known = self.number;
        if self.edge_items(first)?.is_empty() {
            self.asm.jump_if(flag, self.labels[self.goal(first)]?);
            self.edge(second)?;
            return self.go(second, next);
        }
        let other = self.asm.label();
        self.asm.jump_if(flag, other);
        self.edge(second)?;
        self.go(second, None)?;
        self.asm.bind(other);
        self.number = known;
        self.edge(first)?;
        self.go(first, next)
    }

    /// Copies all at once: nothing is overwritten that is still to be copied.
    pub fn move_all(&mut self, items: Vec<Item>) {
        for step in ordered(items) {
            self.lose(R11);
            self.step(step);
        }
    }

    /// A copy from memory to memory goes through the second free register.
    fn step(&mut self, step: Step) {
        match step {
            Step::Exchange(one, other) => self.asm.exchange(one, other),
            Step::Copy(Item { from, to: Rm::Reg(reg) }) => self.load_operand(reg, from),
            Step::Copy(Item { from: Operand::Reg(from), to: Rm::Mem(mem) }) => self.asm.store(Width::Word, mem, from),
            Step::Copy(Item { from: Operand::Number(number), to: Rm::Mem(mem) }) if i32::try_from(number).is_ok() => {
                self.asm.store_number(Width::Word, mem, number as i32);
            }
            Step::Copy(Item { from, to: Rm::Mem(mem) }) => {
                self.load_operand(R11, from);
                self.asm.store(Width::Word, mem, R11);
            }
        }
    }

    // -- calls ----------------------------------------------------------------------------

    fn call(&mut self, inst: Inst, cold: bool) -> Option<()> {
        let saved = if cold { self.saved(inst) } else { Vec::new() };
        for (reg, at) in &saved {
            self.asm.store(Width::Word, *at, *reg);
        }
        let (callee, args) = self.function.dfg.inst_args(inst).split_first()?;
        let mut words = Vec::new();
        for value in args {
            if self.kind(*value) == types::F64 {
                // The only one; its register holds nothing else.
                self.float(0, *value);
                continue;
            }
            words.push(Item { from: self.operand(*value), to: Rm::Reg(*ARGUMENTS.get(words.len())?) });
        }
        let floats = args.iter().filter(|value| self.kind(**value) == types::F64).count();
        if floats > 1 {
            return None;
        }
        let at = match self.operand(*callee) {
            Operand::Number(_) => None,
            Operand::Mem(mem) => Some(Rm::Mem(mem)),
            _ => {
                // Arguments are copied from registers, and need this one for nothing.
                self.into(R11, *callee);
                Some(Rm::Reg(R11))
            }
        };
        words.retain(|item| !item.is_done());
        for step in ordered(words) {
            self.step(step);
        }
        let at = match at {
            Some(at) => at,
            None => {
                self.into(RAX, *callee);
                Rm::Reg(RAX)
            }
        };
        self.asm.call(at);
        self.number = None;
        for (reg, at) in saved {
            self.asm.load(Width::Word, reg, Rm::Mem(at));
        }
        match *self.function.dfg.inst_results(inst) {
            [] => {}
            [word] if self.kind(word) == types::I64 => self.write(word, RAX),
            _ => return None,
        }
        Some(())
    }

    /// Registers that a call leaves with other contents and that are read afterwards, and where they are meanwhile.
    fn saved(&self, inst: Inst) -> Vec<(Reg, Mem)> {
        let numbers = self.ranges.saved.get(&inst).map_or(&[][..], Vec::as_slice);
        let places = numbers.iter().filter_map(|number| match self.places.places[*number as usize] {
            Place::Reg(reg) => Some((reg, Mem { base: RSP, at: self.layout.saved[reg.0 as usize]? })),
            Place::Word(_) => None,
        });
        places.collect()
    }
}
