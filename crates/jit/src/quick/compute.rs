//! Emits instructions that compute, load or store; control flow and calls are `emit`.

use super::asm::{Alu, Flag, Mem, Rm, Shift, Width};
use super::emit::{Emitter, flag, width};
use super::moves::Operand;
use super::place::{R11, RAX, RCX, RDX, RSP};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{Inst, InstructionData, Opcode, Value, types};

/// The two registers for floating-point numbers that are used.
const FIRST: u8 = 0;
const SECOND: u8 = 1;

impl Emitter<'_> {
    /// An instruction that neither jumps nor calls.
    pub fn compute(&mut self, inst: Inst, data: InstructionData) -> Option<()> {
        let results = self.function.dfg.inst_results(inst);
        match data {
            InstructionData::Load { opcode, arg, offset, .. } => self.load(opcode, results[0], arg, offset.into()),
            InstructionData::Store { opcode: Opcode::Store, args, offset, .. } => self.store(args, offset.into()),
            InstructionData::IntCompare { args, cond, .. } => {
                let flag = self.compare(args, cond)?;
                self.condition(inst, results[0], flag);
                Some(())
            }
            InstructionData::FloatCompare { args, cond, .. } => self.compare_floats(results[0], args, cond),
            InstructionData::Binary { opcode, args } => self.binary(inst, opcode, args),
            InstructionData::Unary { opcode, arg } => self.unary(opcode, results[0], arg),
            InstructionData::Ternary { opcode: Opcode::Select, args: [condition, yes, no] } => {
                let flag = self.truth(condition)?;
                self.into(RAX, no);
                let yes = self.rm(yes, R11);
                self.asm.move_if(flag, RAX, yes);
                self.write(results[0], RAX);
                Some(())
            }
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => {
                self.into(RAX, arg);
                self.write(results[0], RAX);
                Some(())
            }
            InstructionData::NullAry { opcode: Opcode::GetStackPointer } => {
                self.write(results[0], RSP);
                Some(())
            }
            _ => None,
        }
    }

    // -- memory ---------------------------------------------------------------------------

    fn load(&mut self, opcode: Opcode, result: Value, address: Value, offset: i32) -> Option<()> {
        let from = self.memory(address, offset)?;
        let to = self.target(result, &[]);
        match opcode {
            Opcode::Load if self.kind(result) == types::F64 => self.asm.load(Width::Word, to, Rm::Mem(from)),
            Opcode::Load => self.asm.load(width(self.kind(result))?, to, Rm::Mem(from)),
            Opcode::Uload8 => self.asm.load(Width::Byte, to, Rm::Mem(from)),
            Opcode::Uload16 => self.asm.load_short(to, from),
            Opcode::Uload32 => self.asm.load(Width::Half, to, Rm::Mem(from)),
            _ => return None,
        }
        self.write(result, to);
        Some(())
    }

    fn store(&mut self, [value, address]: [Value; 2], offset: i32) -> Option<()> {
        let width = match self.kind(value) {
            types::F64 => Width::Word,
            kind => width(kind)?,
        };
        let to = self.memory(address, offset)?;
        match self.small(value) {
            Some(number) => self.asm.store_number(width, to, number),
            None => {
                let from = self.reg(value, RAX);
                self.asm.store(width, to, from);
            }
        }
        Some(())
    }

    // -- integers -------------------------------------------------------------------------

    fn compare(&mut self, [mut x, mut y]: [Value; 2], mut cond: IntCC) -> Option<Flag> {
        let width = width(self.kind(x))?;
        if let Some([x, y]) = self.take_mask() {
            self.test(width, x, y);
            return Some(flag(cond));
        }
        if let Some(mem) = self.take_memory() {
            match self.small(y) {
                Some(number) => self.asm.alu_number(Alu::Cmp, width, Rm::Mem(mem), number),
                None => {
                    let y = self.reg(y, RAX);
                    self.asm.compare(mem, y);
                }
            }
            return Some(flag(cond));
        }
        if matches!(self.operand(x), Operand::Number(_)) {
            ([x, y], cond) = ([y, x], cond.swap_args());
        }
        match (self.small(y), self.operand(x)) {
            (Some(0), Operand::Reg(reg)) => self.asm.test(width, reg, Rm::Reg(reg)),
            (Some(number), Operand::Mem(mem)) => self.asm.alu_number(Alu::Cmp, width, Rm::Mem(mem), number),
            (Some(number), _) => {
                let x = self.reg(x, RAX);
                self.asm.alu_number(Alu::Cmp, width, Rm::Reg(x), number);
            }
            (None, _) => {
                let x = self.reg(x, RAX);
                let y = self.rm(y, R11);
                self.asm.alu(Alu::Cmp, width, x, y);
            }
        }
        Some(flag(cond))
    }

    /// Sets the flags as of an intersection.
    pub fn test(&mut self, width: Width, mut x: Value, mut y: Value) {
        if matches!(self.operand(x), Operand::Number(_)) {
            (x, y) = (y, x);
        }
        match self.small(y) {
            Some(number) => {
                let x = self.rm(x, RAX);
                // Bits of the lowest byte, without its sign, need no more than that.
                let width = if (0..0x80).contains(&number) { Width::Byte } else { width };
                self.asm.test_number(width, x, number);
            }
            None => {
                let x = self.reg(x, RAX);
                let y = self.rm(y, R11);
                self.asm.test(width, x, y);
            }
        }
    }

    fn binary(&mut self, inst: Inst, opcode: Opcode, args: [Value; 2]) -> Option<()> {
        let results = self.function.dfg.inst_results(inst);
        let result = results[0];
        match opcode {
            Opcode::Iadd => self.alu(Alu::Add, result, args),
            Opcode::Isub => self.alu(Alu::Sub, result, args),
            Opcode::Band => self.alu(Alu::And, result, args),
            Opcode::Bor => self.alu(Alu::Or, result, args),
            Opcode::Bxor => self.alu(Alu::Xor, result, args),
            Opcode::SaddOverflow | Opcode::SsubOverflow if self.kind(result) == types::I64 => {
                self.in_place(
                    if opcode == Opcode::SaddOverflow { Alu::Add } else { Alu::Sub },
                    Width::Word,
                    result,
                    args,
                );
                self.condition(inst, results[1], Flag::OVERFLOW);
                Some(())
            }
            Opcode::Imul | Opcode::SmulOverflow if self.kind(result) == types::I64 => {
                self.into(RAX, args[0]);
                let by = self.rm(args[1], R11);
                self.asm.multiply(RAX, by);
                self.write(result, RAX);
                if opcode == Opcode::SmulOverflow {
                    self.condition(inst, results[1], Flag::OVERFLOW);
                }
                Some(())
            }
            Opcode::Sdiv | Opcode::Srem if self.kind(result) == types::I64 => self.divide(opcode, result, args),
            Opcode::Ishl => self.shift(Shift::Left, result, args),
            Opcode::Ushr => self.shift(Shift::Right, result, args),
            Opcode::Sshr => self.shift(Shift::Arithmetic, result, args),
            Opcode::Rotl => self.shift(Shift::RotateLeft, result, args),
            Opcode::Rotr => self.shift(Shift::RotateRight, result, args),
            Opcode::Umin if self.kind(result) == types::I64 => {
                self.into(RAX, args[0]);
                let other = self.rm(args[1], R11);
                self.asm.alu(Alu::Cmp, Width::Word, RAX, other);
                self.asm.move_if(Flag::BELOW.not(), RAX, other);
                self.write(result, RAX);
                Some(())
            }
            Opcode::Fadd => self.float_binary(0x58, result, args),
            Opcode::Fmul => self.float_binary(0x59, result, args),
            Opcode::Fsub => self.float_binary(0x5c, result, args),
            Opcode::Fdiv => self.float_binary(0x5e, result, args),
            _ => None,
        }
    }

    fn alu(&mut self, op: Alu, result: Value, [mut x, mut y]: [Value; 2]) -> Option<()> {
        let mut width = width(self.kind(result))?;
        if width == Width::Byte {
            // The other bits mean nothing.
            width = Width::Half;
        }
        if op != Alu::Sub && matches!(self.operand(x), Operand::Number(_)) {
            (x, y) = (y, x);
        }
        let distance = match op {
            Alu::Add => self.small(y),
            Alu::Sub => self.small(y).and_then(i32::checked_neg),
            _ => None,
        };
        if let (Some(distance), Operand::Reg(from)) = (distance, self.operand(x)) {
            let to = self.target(result, &[]);
            if to != from {
                self.asm.address(to, Mem { base: from, at: distance });
                self.write(result, to);
                return Some(());
            }
        }
        self.in_place(op, width, result, [x, y]);
        Some(())
    }

    /// Copies the first operand to where the result is made, and changes it there.
    fn in_place(&mut self, op: Alu, width: Width, result: Value, [x, y]: [Value; 2]) {
        let to = self.target(result, &[y]);
        self.into(to, x);
        match self.small(y) {
            Some(number) => self.asm.alu_number(op, width, Rm::Reg(to), number),
            None => {
                let y = self.rm(y, R11);
                self.asm.alu(op, width, to, y);
            }
        }
        self.write(result, to);
    }

    fn shift(&mut self, op: Shift, result: Value, [x, by]: [Value; 2]) -> Option<()> {
        if self.kind(result) != types::I64 {
            return None;
        }
        if let Operand::Number(number) = self.operand(by) {
            let to = self.target(result, &[]);
            self.into(to, x);
            self.asm.shift(op, to, number as u8 & 63);
            self.write(result, to);
            return Some(());
        }
        // The number of bits has to be in one register, whose content goes aside.
        self.into(RAX, x);
        self.into(R11, by);
        self.asm.exchange(R11, RCX);
        self.asm.shift_by_count(op, RAX);
        self.asm.exchange(R11, RCX);
        self.write(result, RAX);
        Some(())
    }

    fn divide(&mut self, opcode: Opcode, result: Value, [x, by]: [Value; 2]) -> Option<()> {
        // What lies in the third register goes to the machine stack; words there are not reached meanwhile.
        self.into(RAX, x);
        self.into(R11, by);
        self.asm.push(RDX);
        self.asm.divide(R11);
        if opcode == Opcode::Srem {
            self.asm.load(Width::Word, RAX, Rm::Reg(RDX));
        }
        self.asm.pop(RDX);
        self.write(result, RAX);
        Some(())
    }

    fn unary(&mut self, opcode: Opcode, result: Value, arg: Value) -> Option<()> {
        let kind = self.kind(result);
        match opcode {
            Opcode::Uextend => {
                let from = width(self.kind(arg))?;
                if matches!(self.operand(arg), Operand::Number(_)) || from == Width::Word {
                    return None;
                }
                let to = self.target(result, &[]);
                let arg = self.rm(arg, RAX);
                self.asm.load(from, to, arg);
                self.write(result, to);
            }
            Opcode::Ireduce => {
                let to = self.target(result, &[]);
                self.into(to, arg);
                self.write(result, to);
            }
            Opcode::Ineg | Opcode::Bnot if kind == types::I64 => {
                let to = self.target(result, &[]);
                self.into(to, arg);
                if opcode == Opcode::Ineg {
                    self.asm.negate(to)
                } else {
                    self.asm.invert(to)
                }
                self.write(result, to);
            }
            Opcode::Fneg | Opcode::Fabs if kind == types::F64 => {
                self.into(RAX, arg);
                self.asm.change_bit(RAX, 63, opcode == Opcode::Fabs);
                self.write(result, RAX);
            }
            Opcode::FcvtFromSint if kind == types::F64 && self.kind(arg) == types::I64 => {
                let from = self.rm(arg, R11);
                self.asm.float_of_integer(from);
                self.write_float(result);
            }
            _ => return None,
        }
        Some(())
    }

    // -- floating-point numbers -----------------------------------------------------------

    /// Copies a number into one of the registers for such.
    pub fn float(&mut self, to: u8, value: Value) {
        let from = self.rm(value, RAX);
        self.asm.float_load(to, from);
    }

    fn write_float(&mut self, result: Value) {
        match self.home(result) {
            Some(Rm::Mem(mem)) => self.asm.float_store(mem, FIRST),
            // Those that somebody reads lie in memory.
            Some(Rm::Reg(_)) | None => {}
        }
    }

    fn float_binary(&mut self, opcode: u8, result: Value, [x, y]: [Value; 2]) -> Option<()> {
        if self.kind(result) != types::F64 {
            return None;
        }
        self.float(FIRST, x);
        self.float(SECOND, y);
        self.asm.float_op(opcode);
        self.write_float(result);
        Some(())
    }

    fn compare_floats(&mut self, result: Value, [x, y]: [Value; 2], cond: FloatCC) -> Option<()> {
        if self.kind(x) != types::F64 {
            return None;
        }
        // What cannot be compared counts as less, so that greater is what is asked for.
        let (x, y, flag) = match cond {
            FloatCC::LessThan => (y, x, Flag(7)),
            FloatCC::LessThanOrEqual => (y, x, Flag(3)),
            FloatCC::GreaterThan => (x, y, Flag(7)),
            FloatCC::GreaterThanOrEqual => (x, y, Flag(3)),
            FloatCC::Equal => (x, y, Flag::EQUAL),
            FloatCC::NotEqual => (x, y, Flag::NOT_EQUAL),
            _ => return None,
        };
        self.float(FIRST, x);
        self.float(SECOND, y);
        self.asm.float_compare();
        self.asm.set(flag, RAX);
        if matches!(cond, FloatCC::Equal | FloatCC::NotEqual) {
            // Equal, and comparable; not equal, or not comparable.
            self.into_flag(cond == FloatCC::Equal);
        }
        self.asm.load(Width::Byte, RAX, Rm::Reg(RAX));
        self.write(result, RAX);
        Some(())
    }

    fn into_flag(&mut self, equal: bool) {
        let parity = if equal { Flag::PARITY.not() } else { Flag::PARITY };
        self.lose(R11);
        self.asm.set(parity, R11);
        self.asm.alu(if equal { Alu::And } else { Alu::Or }, Width::Half, RAX, Rm::Reg(R11));
    }
}
