//! Encodes the few instructions of x86-64 that `quick` emits.

use super::jumps::{self, Jump};
use super::place::Reg;

/// A place in memory: bytes behind an address in a register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Mem {
    pub base: Reg,
    pub at: i32,
}

/// What an instruction reads or writes besides its register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rm {
    Reg(Reg),
    Mem(Mem),
}

/// How many bits an instruction works on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Width {
    Byte,
    Half,
    Word,
}

/// Instructions of two operands, by their number in the encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Alu {
    Add = 0,
    Or = 1,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}

/// Shifts, by their number in the encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shift {
    RotateLeft = 0,
    RotateRight = 1,
    Left = 4,
    Right = 5,
    Arithmetic = 7,
}

/// What the flags say, by its number in the encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Flag(pub u8);

impl Flag {
    pub const OVERFLOW: Flag = Flag(0);
    pub const BELOW: Flag = Flag(2);
    pub const EQUAL: Flag = Flag(4);
    pub const NOT_EQUAL: Flag = Flag(5);
    pub const PARITY: Flag = Flag(10);

    pub fn not(self) -> Flag {
        Flag(self.0 ^ 1)
    }
}

/// A place in the code that is jumped to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Label(pub usize);

/// Bytes, and the jumps in them whose targets are still to be written.
#[derive(Default)]
pub struct Assembler {
    pub bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    jumps: Vec<Jump>,
}

impl Assembler {
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// The bytes, with the distances of all jumps. None: a label stands nowhere.
    pub fn finish(self) -> Option<Vec<u8>> {
        jumps::write(&self.bytes, &self.jumps, &self.labels)
    }

    fn long(&mut self, number: i32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// An instruction with a register, or a number in its place, and another operand.
    fn encode(&mut self, prefix: Option<u8>, width: Width, opcode: &[u8], reg: u8, rm: Rm) {
        self.bytes.extend(prefix);
        let base = match rm {
            Rm::Reg(reg) => reg.0,
            Rm::Mem(mem) => mem.base.0,
        };
        let rex = ((width == Width::Word) as u8) << 3 | (reg >> 3) << 2 | base >> 3;
        // Without the prefix some numbers stand for other halves of the first registers.
        if rex != 0 || width == Width::Byte {
            self.bytes.push(0x40 | rex);
        }
        self.bytes.extend_from_slice(opcode);
        let (reg, low) = ((reg & 7) << 3, base & 7);
        match rm {
            Rm::Reg(_) => self.bytes.push(0xc0 | reg | low),
            Rm::Mem(Mem { at, .. }) => {
                let short = i8::try_from(at).ok();
                let mode = match short {
                    Some(0) if low != 5 => 0,
                    Some(_) => 0x40,
                    None => 0x80,
                };
                self.bytes.push(mode | reg | low);
                if low == 4 {
                    self.bytes.push(0x24);
                }
                match short {
                    Some(_) if mode == 0 => {}
                    Some(short) => self.bytes.push(short as u8),
                    None => self.long(at),
                }
            }
        }
    }

    // -- moving ---------------------------------------------------------------------------

    pub fn load(&mut self, width: Width, to: Reg, from: Rm) {
        match width {
            Width::Byte => self.encode(None, Width::Byte, &[0x0f, 0xb6], to.0, from),
            _ => self.encode(None, width, &[0x8b], to.0, from),
        }
    }

    pub fn load_short(&mut self, to: Reg, from: Mem) {
        self.encode(None, Width::Half, &[0x0f, 0xb7], to.0, Rm::Mem(from));
    }

    pub fn store(&mut self, width: Width, to: Mem, from: Reg) {
        let opcode = if width == Width::Byte { 0x88 } else { 0x89 };
        self.encode(None, width, &[opcode], from.0, Rm::Mem(to));
    }

    pub fn store_number(&mut self, width: Width, to: Mem, number: i32) {
        let opcode = if width == Width::Byte { 0xc6 } else { 0xc7 };
        self.encode(None, width, &[opcode], 0, Rm::Mem(to));
        match width {
            Width::Byte => self.bytes.push(number as u8),
            _ => self.long(number),
        }
    }

    /// A number into a register; the flags stay.
    pub fn number(&mut self, to: Reg, number: i64) {
        if let Ok(number) = u32::try_from(number) {
            if to.0 >= 8 {
                self.bytes.push(0x41);
            }
            self.bytes.push(0xb8 | to.0 & 7);
            self.long(number as i32);
        } else if let Ok(number) = i32::try_from(number) {
            self.encode(None, Width::Word, &[0xc7], 0, Rm::Reg(to));
            self.long(number);
        } else {
            self.bytes.extend_from_slice(&[0x48 | to.0 >> 3, 0xb8 | to.0 & 7]);
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    pub fn address(&mut self, to: Reg, of: Mem) {
        self.encode(None, Width::Word, &[0x8d], to.0, Rm::Mem(of));
    }

    pub fn exchange(&mut self, one: Reg, other: Reg) {
        self.encode(None, Width::Word, &[0x87], one.0, Rm::Reg(other));
    }

    pub fn push(&mut self, reg: Reg) {
        if reg.0 >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.push(0x50 | reg.0 & 7);
    }

    pub fn pop(&mut self, reg: Reg) {
        if reg.0 >= 8 {
            self.bytes.push(0x41);
        }
        self.bytes.push(0x58 | reg.0 & 7);
    }

    // -- computing ------------------------------------------------------------------------

    pub fn alu(&mut self, op: Alu, width: Width, to: Reg, from: Rm) {
        let opcode = (op as u8) << 3 | if width == Width::Byte { 2 } else { 3 };
        self.encode(None, width, &[opcode], to.0, from);
    }

    pub fn alu_number(&mut self, op: Alu, width: Width, to: Rm, number: i32) {
        match i8::try_from(number) {
            _ if width == Width::Byte => {
                self.encode(None, width, &[0x80], op as u8, to);
                self.bytes.push(number as u8);
            }
            Ok(short) => {
                self.encode(None, width, &[0x83], op as u8, to);
                self.bytes.push(short as u8);
            }
            Err(_) => {
                self.encode(None, width, &[0x81], op as u8, to);
                self.long(number);
            }
        }
    }

    /// A word in memory with a register.
    pub fn compare(&mut self, one: Mem, other: Reg) {
        self.encode(None, Width::Word, &[0x39], other.0, Rm::Mem(one));
    }

    pub fn test(&mut self, width: Width, one: Reg, other: Rm) {
        let opcode = if width == Width::Byte { 0x84 } else { 0x85 };
        self.encode(None, width, &[opcode], one.0, other);
    }

    pub fn test_number(&mut self, width: Width, one: Rm, number: i32) {
        let opcode = if width == Width::Byte { 0xf6 } else { 0xf7 };
        self.encode(None, width, &[opcode], 0, one);
        match width {
            Width::Byte => self.bytes.push(number as u8),
            _ => self.long(number),
        }
    }

    pub fn shift(&mut self, op: Shift, reg: Reg, by: u8) {
        self.encode(None, Width::Word, &[0xc1], op as u8, Rm::Reg(reg));
        self.bytes.push(by);
    }

    /// A shift by as many bits as the register of counts says.
    pub fn shift_by_count(&mut self, op: Shift, reg: Reg) {
        self.encode(None, Width::Word, &[0xd3], op as u8, Rm::Reg(reg));
    }

    pub fn negate(&mut self, reg: Reg) {
        self.encode(None, Width::Word, &[0xf7], 3, Rm::Reg(reg));
    }

    pub fn invert(&mut self, reg: Reg) {
        self.encode(None, Width::Word, &[0xf7], 2, Rm::Reg(reg));
    }

    pub fn multiply(&mut self, to: Reg, by: Rm) {
        self.encode(None, Width::Word, &[0x0f, 0xaf], to.0, by);
    }

    /// The word in the first register, with its sign in the third, by another: quotient and remainder are there
    /// afterwards.
    pub fn divide(&mut self, by: Reg) {
        self.bytes.extend_from_slice(&[0x48, 0x99]);
        self.encode(None, Width::Word, &[0xf7], 7, Rm::Reg(by));
    }

    /// Turns a bit over, or clears it.
    pub fn change_bit(&mut self, reg: Reg, bit: u8, clear: bool) {
        self.encode(None, Width::Word, &[0x0f, 0xba], if clear { 6 } else { 7 }, Rm::Reg(reg));
        self.bytes.push(bit);
    }

    // -- flags ----------------------------------------------------------------------------

    /// 1 or 0 into the low byte of a register.
    pub fn set(&mut self, flag: Flag, to: Reg) {
        self.encode(None, Width::Byte, &[0x0f, 0x90 | flag.0], 0, Rm::Reg(to));
    }

    pub fn move_if(&mut self, flag: Flag, to: Reg, from: Rm) {
        self.encode(None, Width::Word, &[0x0f, 0x40 | flag.0], to.0, from);
    }

    pub fn jump(&mut self, to: Label) {
        self.bytes.push(0xe9);
        self.distance(to, false);
    }

    pub fn jump_if(&mut self, flag: Flag, to: Label) {
        self.bytes.extend_from_slice(&[0x0f, 0x80 | flag.0]);
        self.distance(to, true);
    }

    fn distance(&mut self, label: Label, is_conditional: bool) {
        self.jumps.push(Jump { at: self.bytes.len(), label, is_conditional });
        self.long(0);
    }

    pub fn call(&mut self, at: Rm) {
        self.encode(None, Width::Half, &[0xff], 2, at);
    }

    pub fn ret(&mut self) {
        self.bytes.push(0xc3);
    }

    // -- floating-point numbers, of which two registers are used ---------------------------

    pub fn float_load(&mut self, to: u8, from: Rm) {
        match from {
            Rm::Mem(_) => self.encode(Some(0xf2), Width::Half, &[0x0f, 0x10], to, from),
            // From a register of words.
            Rm::Reg(_) => self.encode(Some(0x66), Width::Word, &[0x0f, 0x6e], to, from),
        }
    }

    pub fn float_store(&mut self, to: Mem, from: u8) {
        self.encode(Some(0xf2), Width::Half, &[0x0f, 0x11], from, Rm::Mem(to));
    }

    /// Addition 0x58, multiplication 0x59, subtraction 0x5c, division 0x5e; between the two registers.
    pub fn float_op(&mut self, opcode: u8) {
        self.encode(Some(0xf2), Width::Half, &[0x0f, opcode], 0, Rm::Reg(Reg(1)));
    }

    pub fn float_compare(&mut self) {
        self.encode(Some(0x66), Width::Half, &[0x0f, 0x2e], 0, Rm::Reg(Reg(1)));
    }

    pub fn float_of_integer(&mut self, from: Rm) {
        // The register's former content would have to be waited for.
        self.encode(None, Width::Half, &[0x0f, 0x57], 0, Rm::Reg(Reg(0)));
        self.encode(Some(0xf2), Width::Word, &[0x0f, 0x2a], 0, from);
    }
}
