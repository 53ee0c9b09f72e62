//! Facts about single instructions of the bytecode: how long one is, which registers it reads and writes, and where it
//! may jump to.

use rubellite_bytecode::{Insn, Op};
use rubellite_vm::code::{CodeData, Site, site_flags};

/// Registers that a unit of compilation has at most.
pub const REGISTERS: usize = 256;

/// A set of registers.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Registers([u64; REGISTERS / 64]);

impl Registers {
    pub fn add(&mut self, register: usize) {
        self.0[register / 64] |= 1 << (register % 64);
    }

    pub fn remove(&mut self, register: usize) {
        self.0[register / 64] &= !(1 << (register % 64));
    }

    pub fn contains(&self, register: usize) -> bool {
        self.0[register / 64] >> (register % 64) & 1 != 0
    }

    pub fn join(&mut self, other: &Registers) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// Words of an instruction.
pub fn length(op: Op) -> usize {
    1 + rubellite_bytecode::has_ext(op) as usize
}

/// Where an instruction may jump to.
pub fn target(insns: &[Insn], pc: usize) -> Option<usize> {
    let insn = insns[pc];
    if rubellite_bytecode::is_jump(insn.op) {
        return Some((pc as i64 + 1 + insn.bc() as i64) as usize);
    }
    if rubellite_bytecode::is_compare_branch(insn.op) || insn.op == Op::Once {
        return Some((pc as i64 + 2 + insns[pc + 1].bc() as i64) as usize);
    }
    None
}

/// Registers that an instruction reads and writes.
#[derive(Default)]
pub struct Effects {
    pub reads: Registers,
    /// The register of the result.
    pub result: Option<usize>,
    /// Other registers that it writes.
    pub writes: Registers,
    /// It may read any.
    pub reads_all: bool,
}

impl Effects {
    fn read(mut self, register: u16) -> Effects {
        self.reads.add(register as usize);
        self
    }

    fn read_range(mut self, first: usize, count: usize) -> Effects {
        (first..first + count).for_each(|register| self.reads.add(register));
        self
    }

    fn write(mut self, register: u16) -> Effects {
        self.result = Some(register as usize);
        self
    }
}

/// What the instruction reads and writes; self counts as read by all.
pub fn effects(code: &CodeData, insn: Insn) -> Effects {
    use Op::*;
    let (a, b, c) = (insn.a, insn.b, insn.c);
    let all = Effects::default().read(0);
    match insn.op {
        Nop | Ext | Jump | Loop | AliasGlobal => all,
        Move | SplatArray | Intern | ToStr | Not | Neg | AddInt | SubInt | SelfAt => all.read(b).write(a),
        LoadNil | LoadTrue | LoadFalse | LoadUndef | LoadInt | LoadConst | NewString | FrozenString | DupLiteral
        | GetEnv | GetIvar | GetGlobal | GetCvar | GetConst | GetConstTop | LoadCref | LoadObject | GetMatch
        | GetBlock | Lambda | DefMethod | SelfLen => all.write(a),
        SetEnv | SetIvar | SetGlobal | SetCvar | SetErrInfo | Undef => all.read(a),
        GetConstFrom | DefSingleton | SClass => all.read(a).write(a),
        SetConst | ArrayConcat | HashMerge | Alias => all.read(a).read(b),
        NewArray | NewHash | StrCat | NewRegexp | Intrinsic => all.read_range(b as usize, c as usize).write(a),
        ArrayPush | HashStore => all.read(a).read_range(b as usize, c as usize),
        ExpandArray => {
            let mut effects = all.read(a);
            let count = c as usize + (insn.x & 0x7f) as usize + (insn.x >> 7) as usize;
            (b as usize..b as usize + count).for_each(|register| effects.writes.add(register));
            effects
        }
        NewRange | Add | Sub | Mul | Div | Mod | And | Or | Xor | Shl | Shr | Eq | Neq | Lt | Le | Gt | Ge | ARef => {
            all.read(b).read(c).write(a)
        }
        JumpIf | JumpUnless | JumpNil | JumpNotNil | JumpGiven | Return | ReturnFar | Break | Rethrow => all.read(a),
        Call | Primitive | Super | Yield => {
            let site = &code.sites[c as usize];
            let count = 1 + site.argc as usize + (site.flags & site_flags::BLOCK_ARG != 0) as usize;
            let scratch = matches!(insn.op, Super | Yield) as usize;
            all.read_range(b as usize + scratch, count - scratch).write(a)
        }
        ASet => all.read(a).read(b).read(c),
        BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq if insn.x & 2 != 0 => all.read(a),
        BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq => all.read(a).read(b),
        BrWhen => all.read(b),
        Defined => all.read(c).write(a),
        DefClass => all.read_range(a as usize, 2).write(a),
        OnceSet => all.read(a).read(c),
        Once => Effects { reads_all: true, ..all },
    }
}

/// The site of a call that names a method.
pub fn site(code: &CodeData, insn: Insn) -> Option<&Site> {
    matches!(insn.op, Op::Call).then(|| &code.sites[insn.c as usize])
}
