//! The verifier: what the interpreter takes for granted about a code object. Registers, tables and jump
//! targets in bounds, second words present, catch ranges sound, and no way to run off the end.

use crate::{CatchKind, DefinedKind, ISeq, Insn, Intrinsic, Op};

/// Everything that is wrong with `iseq` and the code objects within it; empty when it is sound.
pub fn verify(iseq: &ISeq) -> Vec<String> {
    let mut faults = Vec::new();
    let mut left = vec![iseq];
    while let Some(iseq) = left.pop() {
        Verifier { iseq, faults: &mut faults }.all();
        left.extend(iseq.children.iter().rev().map(|child| &**child));
    }
    faults
}

/// How an operand is read.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Operand {
    Unused,
    Reg,
    Const,
    /// A literal whose number takes this operand and the next.
    WideConst,
    Name,
    Site,
    Cache,
    Child,
    /// A number whose range the verifier does not know.
    Number,
}

use Operand::{Cache, Child, Const, Name, Number, Reg, Site, Unused, WideConst};

/// Whether the next word belongs to the instruction.
pub fn has_ext(op: Op) -> bool {
    matches!(
        op,
        Op::ToStr
            | Op::FrozenString
            | Op::Once
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Shl
            | Op::Shr
            | Op::AddInt
            | Op::SubInt
            | Op::Eq
            | Op::Neq
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::Not
            | Op::Neg
            | Op::ARef
            | Op::ASet
    ) || is_compare_branch(op)
}

pub fn is_compare_branch(op: Op) -> bool {
    matches!(op, Op::BrLt | Op::BrLe | Op::BrGt | Op::BrGe | Op::BrEq | Op::BrNeq | Op::BrWhen)
}

/// One-word jumps with their offset in `bc`.
pub fn is_jump(op: Op) -> bool {
    matches!(op, Op::Jump | Op::JumpIf | Op::JumpUnless | Op::JumpNil | Op::JumpNotNil | Op::JumpGiven | Op::Loop)
}

/// Control never goes on to the next instruction.
pub fn is_end(op: Op) -> bool {
    matches!(op, Op::Jump | Op::Loop | Op::Return | Op::ReturnFar | Op::Break | Op::Rethrow)
}

/// Kinds of the operands a, b, c.
fn operands(insn: Insn) -> [Operand; 3] {
    match insn.op {
        Op::Nop | Op::Ext => [Unused; 3],
        Op::Move
        | Op::SelfAt
        | Op::SplatArray
        | Op::ArrayConcat
        | Op::HashMerge
        | Op::Intern
        | Op::Not
        | Op::Neg
        | Op::ToStr
        | Op::Alias => [Reg, Reg, Unused],
        Op::LoadNil
        | Op::LoadTrue
        | Op::LoadFalse
        | Op::LoadUndef
        | Op::LoadInt
        | Op::LoadCref
        | Op::LoadObject
        | Op::SetErrInfo
        | Op::GetBlock
        | Op::SelfLen
        | Op::Undef => [Reg, Unused, Unused],
        Op::Return | Op::ReturnFar | Op::Break | Op::Rethrow => [Reg, Unused, Unused],
        Op::LoadConst | Op::NewString | Op::FrozenString | Op::DupLiteral => [Reg, WideConst, Unused],
        Op::GetEnv | Op::SetEnv | Op::GetMatch => [Reg, Number, Unused],
        Op::GetIvar | Op::SetIvar | Op::GetConst | Op::GetConstFrom | Op::GetConstTop => [Reg, Name, Cache],
        Op::GetGlobal | Op::SetGlobal | Op::GetCvar | Op::SetCvar => [Reg, Name, Unused],
        Op::SetConst => [Reg, Reg, Name],
        // Ranges of registers are checked apart.
        Op::NewArray
        | Op::NewHash
        | Op::StrCat
        | Op::NewRegexp
        | Op::ArrayPush
        | Op::HashStore
        | Op::Intrinsic
        | Op::ExpandArray => [Reg, Number, Number],
        Op::NewRange => [Reg, Reg, Reg],
        Op::Once | Op::OnceSet => [Reg, Cache, Reg],
        Op::Jump | Op::Loop => [Unused; 3],
        Op::JumpIf | Op::JumpUnless | Op::JumpNil | Op::JumpNotNil | Op::JumpGiven => [Reg, Unused, Unused],
        Op::Call | Op::Primitive | Op::Super | Op::Yield => [Reg, Reg, Site],
        Op::Lambda | Op::SClass => [Reg, Child, Unused],
        Op::AddInt | Op::SubInt => [Reg, Reg, Number],
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Shr => {
            [Reg, Reg, Reg]
        }
        Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::ARef | Op::ASet => [Reg, Reg, Reg],
        Op::BrLt | Op::BrLe | Op::BrGt | Op::BrGe | Op::BrEq | Op::BrNeq => {
            [Reg, if insn.x & 2 == 0 { Reg } else { Number }, Unused]
        }
        Op::BrWhen => [Const, Reg, Number],
        Op::DefMethod | Op::DefSingleton | Op::DefClass => [Reg, Name, Child],
        Op::AliasGlobal => [Name, Name, Unused],
        Op::Defined => [Reg, Number, Reg],
    }
}

/// The range of registers that an instruction uses besides its operands: first and count.
fn register_range(insn: Insn) -> Option<(u16, u32)> {
    match insn.op {
        Op::NewArray | Op::NewHash | Op::StrCat | Op::NewRegexp | Op::ArrayPush | Op::HashStore | Op::Intrinsic => {
            Some((insn.b, insn.c as u32))
        }
        Op::ExpandArray => Some((insn.b, insn.c as u32 + (insn.x & 0x7f) as u32 + (insn.x >> 7) as u32)),
        Op::DefClass => Some((insn.a, 2)),
        _ => None,
    }
}

struct Verifier<'a> {
    iseq: &'a ISeq,
    faults: &'a mut Vec<String>,
}

impl Verifier<'_> {
    fn all(&mut self) {
        if self.iseq.insns.is_empty() {
            return self.fault(0, "no instructions");
        }
        let starts = self.starts();
        for (pc, insn) in self.iseq.insns.iter().enumerate().filter(|(pc, _)| starts[*pc]) {
            self.operands(pc, *insn);
            self.flow(pc, *insn, &starts);
        }
        self.tables(&starts);
        self.frame();
    }

    fn fault(&mut self, pc: usize, what: impl std::fmt::Display) {
        let iseq = self.iseq;
        let name = String::from_utf8_lossy(iseq.name.bytes());
        self.faults.push(format!("{}:{}: {:?} {name}: pc {pc}: {what}", iseq.script.path, iseq.line_at(pc), iseq.kind));
    }

    /// Which words begin an instruction.
    fn starts(&mut self) -> Vec<bool> {
        let insns = &self.iseq.insns;
        let mut starts = vec![false; insns.len()];
        let mut pc = 0;
        while pc < insns.len() {
            starts[pc] = true;
            if insns[pc].op == Op::Ext {
                self.fault(pc, "second word without a first");
            }
            if has_ext(insns[pc].op) {
                if insns.get(pc + 1).map(|insn| insn.op) != Some(Op::Ext) {
                    self.fault(pc, "second word is missing");
                }
                pc += 1;
            }
            pc += 1;
        }
        starts
    }

    fn operands(&mut self, pc: usize, insn: Insn) {
        let kinds = operands(insn);
        for (kind, value) in kinds.into_iter().zip([insn.a, insn.b, insn.c]) {
            let (bound, what) = match kind {
                Unused | Number => continue,
                WideConst if insn.literal() < self.iseq.consts.len() => continue,
                WideConst => (0, "literal"),
                Reg => (self.iseq.register_count as usize, "register"),
                Const => (self.iseq.consts.len(), "literal"),
                Name => (self.iseq.names.len(), "name"),
                Site => (self.iseq.sites.len(), "site"),
                Cache => (self.iseq.cache_count as usize, "cache"),
                Child => (self.iseq.children.len(), "child"),
            };
            if value as usize >= bound {
                self.fault(pc, format_args!("{:?}: {what} {value} of {bound}", insn.op));
            }
        }
        if let Some((first, count)) = register_range(insn)
            && first as u32 + count > self.iseq.register_count as u32
        {
            self.fault(pc, format_args!("{:?}: registers {first}+{count} of {}", insn.op, self.iseq.register_count));
        }
        let kinds_known = match insn.op {
            Op::Intrinsic => (insn.x as usize) < Intrinsic::ALL.len(),
            Op::Defined => insn.x <= DefinedKind::BackRef as u8,
            _ => true,
        };
        if !kinds_known {
            self.fault(pc, format_args!("{:?}: no such kind: {}", insn.op, insn.x));
        }
        if matches!(insn.op, Op::Call | Op::Primitive | Op::Super | Op::Yield) {
            self.window(pc, insn);
        }
        if has_ext(insn.op) && insn.op != Op::Once {
            let site = self.iseq.insns.get(pc + 1).map_or(0, |ext| ext.a);
            if site as usize >= self.iseq.sites.len() {
                self.fault(pc, format_args!("{:?}: site {site} of {}", insn.op, self.iseq.sites.len()));
            }
        }
    }

    fn window(&mut self, pc: usize, insn: Insn) {
        let Some(site) = self.iseq.sites.get(insn.c as usize) else { return };
        let end = insn.b as u32 + 1 + site.argc as u32 + site.block_arg as u32;
        if end > self.iseq.register_count as u32 {
            self.fault(pc, format_args!("window {}..{end} of {} registers", insn.b, self.iseq.register_count));
        }
        let least = site.splat as usize + site.keyword_splat as usize + site.keywords.len();
        if (site.argc as usize) < least {
            self.fault(pc, format_args!("site with {} arguments, {least} of them special", site.argc));
        }
        if site.block as usize > self.iseq.children.len() || (site.block != 0 && site.block_arg) {
            self.fault(pc, "block of a site");
        }
        if site.name as usize >= self.iseq.names.len().max(1)
            || site.keywords.iter().any(|name| *name as usize >= self.iseq.names.len())
        {
            self.fault(pc, "name of a site");
        }
    }

    fn flow(&mut self, pc: usize, insn: Insn, starts: &[bool]) {
        let target = if is_jump(insn.op) {
            Some(pc as i64 + 1 + insn.bc() as i64)
        } else if is_compare_branch(insn.op) || insn.op == Op::Once {
            self.iseq.insns.get(pc + 1).map(|ext| pc as i64 + 2 + ext.bc() as i64)
        } else {
            None
        };
        if let Some(target) = target {
            if !usize::try_from(target).is_ok_and(|target| starts.get(target) == Some(&true)) {
                self.fault(pc, format_args!("{:?}: jumps to {target}", insn.op));
            }
            if (target <= pc as i64) != (insn.op == Op::Loop) {
                self.fault(pc, format_args!("{:?}: wrong direction: {target}", insn.op));
            }
        }
        let next = pc + 1 + has_ext(insn.op) as usize;
        if next >= starts.len() && !is_end(insn.op) {
            self.fault(pc, format_args!("{:?}: runs off the end", insn.op));
        }
    }

    fn tables(&mut self, starts: &[bool]) {
        for index in 0..self.iseq.catches.len() {
            let entry = self.iseq.catches[index];
            let range_ok =
                entry.start < entry.end && entry.end as usize <= starts.len() && starts[entry.start as usize];
            let registers = 1 + matches!(entry.kind, CatchKind::Rescue | CatchKind::Ensure) as u32;
            let fits = entry.reg as u32 + registers <= self.iseq.register_count as u32;
            if !range_ok || starts.get(entry.handler as usize) != Some(&true) || !fits {
                self.fault(entry.start as usize, format_args!("catch entry {entry:?}"));
            }
        }
        let params = &self.iseq.params;
        if !params.opt_table.is_empty() && params.opt_table.len() != params.optional as usize + 1
            || params.optional > 0 && params.opt_table.is_empty()
        {
            self.fault(0, "size of the table of optional arguments");
        }
        if params.opt_table.iter().any(|pc| starts.get(*pc as usize) != Some(&true)) {
            self.fault(0, "entry point of optional arguments");
        }
        if !self.iseq.lines.iter().is_sorted_by(|a, b| a.0 < b.0) {
            self.fault(0, "line table is not ascending");
        }
    }

    fn frame(&mut self) {
        let params = 1 + self.iseq.params.register_count();
        if self.iseq.local_end < params || self.iseq.register_count < self.iseq.local_end {
            self.fault(
                0,
                format_args!(
                    "frame: parameters end at {params}, locals at {}, registers at {}",
                    self.iseq.local_end, self.iseq.register_count
                ),
            );
        }
    }
}
