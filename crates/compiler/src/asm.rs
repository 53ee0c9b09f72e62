//! The assembler of one code object: instructions, labels, tables and the stack of temporary
//! registers. It knows opcodes and nothing of syntax; a table that overflows is remembered and
//! reported once by [`Asm::overflow`], so that emitting never fails.

use rubellite_bytecode::{CallSite, CatchEntry, CatchKind, Const, ISeq, Insn, Op, Text};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub type Reg = u16;

/// No code object is longer: ensure bodies within ensure bodies double at each level.
const MAX_INSNS: usize = 4_000_000;

/// Tables and register files stay below this, so that 16-bit operands always suffice.
const LIMIT: usize = 65_000;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Label(u32);

const UNBOUND: u32 = u32::MAX;

#[derive(Default)]
pub struct Asm {
    pub insns: Vec<Insn>,
    pub lines: Vec<(u32, i32)>,
    pub statements: Vec<(u32, i32)>,
    pub rescues: Vec<(u32, i32)>,
    pending_statement: Option<i32>,
    last_statement: Option<i32>,
    pub consts: Vec<Const>,
    pub names: Vec<Text>,
    pub sites: Vec<CallSite>,
    pub children: Vec<Arc<ISeq>>,
    pub catches: Vec<CatchEntry>,
    line: i32,
    labels: Vec<u32>,
    /// Words that hold a jump offset, and where it leads.
    fixups: Vec<(u32, Label)>,
    const_index: FxHashMap<(u8, Text), u32>,
    name_index: FxHashMap<Text, u16>,
    caches: u32,
    cases: u16,
    top: u32,
    highest: u32,
    overflow: Option<&'static str>,
    /// The next instruction cannot be reached: nothing is emitted until a label is bound.
    dead: bool,
}

impl Asm {
    // -- registers

    pub fn temp(&mut self) -> Reg {
        let reg = self.top;
        self.top += 1;
        self.highest = self.highest.max(self.top);
        self.narrow(reg as usize, "too many registers")
    }

    /// The first free register; pass it to [`Asm::release`] to free everything allocated since.
    pub fn mark(&self) -> u32 {
        self.top
    }

    pub fn release(&mut self, mark: u32) {
        self.top = mark;
    }

    pub fn register_count(&self) -> u16 {
        self.highest.min(LIMIT as u32 + 1) as u16
    }

    pub fn overflow(&self) -> Option<&'static str> {
        self.overflow
    }

    fn narrow(&mut self, index: usize, what: &'static str) -> u16 {
        if index >= LIMIT {
            self.overflow.get_or_insert(what);
            return 0;
        }
        index as u16
    }

    // -- instructions

    pub fn set_line(&mut self, line: i32) {
        self.line = line;
    }

    pub fn line(&self) -> i32 {
        self.line
    }

    /// A statement begins with the next instruction; only the first of a line counts.
    pub fn statement(&mut self, line: i32) {
        self.pending_statement = (self.last_statement != Some(line)).then_some(line);
    }

    /// The lines that follow count again, although a copy of their code came before.
    pub fn repeat_statements(&mut self) {
        self.last_statement = None;
    }

    /// A rescue clause has matched.
    pub fn rescued(&mut self) {
        if !self.dead {
            self.rescues.push((self.pc(), self.line));
        }
    }

    /// Whether nothing is emitted until a label is bound.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    pub fn pc(&self) -> u32 {
        self.insns.len() as u32
    }

    pub fn push(&mut self, insn: Insn) {
        if self.dead {
            return;
        }
        if self.lines.last().is_none_or(|(_, line)| *line != self.line) {
            self.lines.push((self.pc(), self.line));
        }
        if let Some(line) = self.pending_statement.take() {
            self.statements.push((self.pc(), line));
            self.last_statement = Some(line);
        }
        if self.insns.len() >= MAX_INSNS {
            self.overflow.get_or_insert("code is too long");
            return;
        }
        self.insns.push(insn);
        self.dead = matches!(insn.op, Op::Jump | Op::Loop | Op::Return | Op::ReturnFar | Op::Break | Op::Rethrow);
    }

    pub fn emit(&mut self, op: Op, a: u16, b: u16, c: u16) {
        self.push(Insn::abc(op, a, b, c));
    }

    pub fn emit_x(&mut self, op: Op, x: u8, a: u16, b: u16, c: u16) {
        self.push(Insn::xabc(op, x, a, b, c));
    }

    /// An instruction on a literal.
    pub fn emit_literal(&mut self, op: Op, x: u8, reg: u16, literal: u32) {
        self.push(Insn::wide(op, x, reg, literal as i32));
    }

    /// A two-word instruction whose second word names `site`.
    pub fn emit_with_site(&mut self, insn: Insn, site: u16) {
        self.push(insn);
        self.push(Insn::wide(Op::Ext, 0, site, 0));
    }

    /// A two-word instruction that jumps: the second word holds site and offset.
    pub fn emit_branch(&mut self, insn: Insn, site: u16, target: Label) {
        self.push(insn);
        if !self.dead {
            self.fixups.push((self.pc(), target));
        }
        self.push(Insn::wide(Op::Ext, 0, site, 0));
    }

    pub fn jump(&mut self, op: Op, reg: Reg, target: Label) {
        if !self.dead {
            self.fixups.push((self.pc(), target));
        }
        self.push(Insn::wide(op, 0, reg, 0));
    }

    /// Goes to `target` wherever it is: a jump back is a safepoint.
    pub fn goto(&mut self, target: Label) {
        let op = if self.pc_of(target) == UNBOUND { Op::Jump } else { Op::Loop };
        self.jump(op, 0, target);
    }

    pub fn move_to(&mut self, dst: Reg, src: Reg) {
        if dst != src {
            self.emit(Op::Move, dst, src, 0);
        }
    }

    // -- labels

    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.pc();
        self.dead = false;
        self.pending_statement = None;
    }

    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// As `here`, inside a statement that has just begun: it still does.
    pub fn here_in_statement(&mut self) -> Label {
        let begun = self.pending_statement;
        let label = self.here();
        self.pending_statement = begun;
        label
    }

    /// Where a bound label is.
    pub fn pc_of(&self, label: Label) -> u32 {
        self.labels[label.0 as usize]
    }

    /// Fills in every jump offset and numbers the loops. Every label that is jumped to must be bound. Code that
    /// overflowed is not whole and never used.
    pub fn link(&mut self, opt_table: &[u32]) {
        if self.overflow.is_some() {
            return;
        }
        for (word, label) in std::mem::take(&mut self.fixups) {
            let target = self.labels[label.0 as usize];
            debug_assert_ne!(target, UNBOUND);
            let offset = target.wrapping_sub(word + 1) as i32;
            let old = self.insns[word as usize];
            self.insns[word as usize] = Insn::wide(old.op, old.x, old.a, offset);
        }
        self.number_loops(opt_table);
    }

    /// The numbers of the places where compiled code may be entered, for the instructions that go there: 0 is the
    /// beginning, then come the beginnings for given optional arguments, then the targets of loops.
    fn number_loops(&mut self, opt_table: &[u32]) {
        let mut next = 1 + opt_table.iter().filter(|at| **at != 0).count();
        let mut targets: FxHashMap<i64, u16> = FxHashMap::default();
        for (pc, insn) in self.insns.iter_mut().enumerate().filter(|(_, insn)| insn.op == Op::Loop) {
            let target = pc as i64 + 1 + insn.bc() as i64;
            // Code with more loops than numbers leaves the last ones to the slot of no loop.
            insn.a = *targets.entry(target).or_insert_with(|| {
                let number = u16::try_from(next).unwrap_or(0);
                next += 1;
                number
            });
        }
    }

    // -- tables

    /// The number of a literal, for `emit_literal`.
    pub fn constant(&mut self, value: Const) -> u32 {
        let key = match &value {
            Const::Str(text) => Some((0, text.clone())),
            Const::Symbol(text) => Some((1, text.clone())),
            _ => None,
        };
        if let Some(&index) = key.as_ref().and_then(|key| self.const_index.get(key)) {
            return index;
        }
        // Each instruction adds one at most, and there are fewer of those.
        let index = self.consts.len() as u32;
        self.consts.push(value);
        if let Some(key) = key {
            self.const_index.insert(key, index);
        }
        index
    }

    pub fn name(&mut self, text: Text) -> u16 {
        if let Some(&index) = self.name_index.get(&text) {
            return index;
        }
        self.names.push(text.clone());
        let index = self.narrow(self.names.len() - 1, "too many names");
        self.name_index.insert(text, index);
        index
    }

    pub fn site(&mut self, site: CallSite) -> u16 {
        self.sites.push(site);
        self.narrow(self.sites.len() - 1, "too many call sites")
    }

    pub fn child(&mut self, child: ISeq) -> u16 {
        self.children.push(Arc::new(child));
        self.narrow(self.children.len() - 1, "too many blocks and definitions")
    }

    pub fn cache(&mut self) -> u16 {
        self.caches += 1;
        self.narrow(self.caches as usize - 1, "too many inline caches")
    }

    /// The number of a new run of comparisons with literals, from 1; 0: there are too many.
    pub fn case(&mut self) -> u16 {
        self.cases = self.cases.saturating_add(1);
        if self.cases == u16::MAX { 0 } else { self.cases }
    }

    pub fn case_count(&self) -> u16 {
        self.cases
    }

    pub fn cache_count(&self) -> u16 {
        self.caches.min(LIMIT as u32) as u16
    }

    pub fn catch(&mut self, segments: &[(u32, u32)], handler: Label, kind: CatchKind, reg: Reg) {
        let handler = self.pc_of(handler);
        for &(start, end) in segments.iter().filter(|(start, end)| start < end) {
            self.catches.push(CatchEntry { start, end, handler, kind, reg });
        }
    }
}
