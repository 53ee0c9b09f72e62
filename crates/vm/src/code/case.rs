//! `case` over literals: which of the clauses a value leads to, found at once and not by one comparison after the
//! other.

use crate::ctx::Ctx;
use crate::object::{CodeRange, Str};
use crate::vm::basic_op;
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A run of comparisons of one register with literals.
pub struct Case {
    /// Ways by small integers and symbols, nil and true: those among the code's literals.
    words: FxHashMap<Value, u32>, // tidy: kept by the code
    /// Ways by Strings in ASCII.
    texts: FxHashMap<Box<[u8]>, u32>,
    /// Where each way leads: places in the instructions. The last is the way of all other values.
    targets: Vec<u32>,
    /// How often each way was gone by the interpreter.
    taken: Box<[Cell<u32>]>,
    /// A value of another kind came.
    undecided: Cell<bool>,
}

impl Case {
    /// The run that begins with the comparison at `start` of the instructions, whose literals have numbers.
    pub(crate) fn read(ctx: &Ctx, insns: &[Insn], literal: impl Fn(usize) -> Value, start: usize) -> Case {
        let (mut words, mut texts, mut targets) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        let subject = insns[start].b;
        let mut pc = start;
        // What compares lies in the order in which it runs, so this ends.
        while let Some(insn) = insns.get(pc).filter(|insn| insn.op == Op::BrWhen && insn.b == subject) {
            let jump = (pc as i64 + 2 + insns[pc + 1].bc() as i64) as usize;
            let (equal, other) = if insn.x & 1 != 0 { (jump, pc + 2) } else { (pc + 2, jump) };
            let literal = literal(insn.a as usize);
            let way = targets.len() as u32;
            if literal.is_fixnum() || literal.is_unique() {
                words.entry(literal).or_insert(way);
            } else if let Some(text) = Str::try_of(literal).filter(|text| text.code_range(ctx) == CodeRange::SevenBit) {
                texts.entry(text.bytes(ctx).into()).or_insert(way);
            } else {
                break;
            }
            targets.push(equal as u32);
            if other <= pc {
                break;
            }
            pc = other;
        }
        targets.push(pc as u32);
        let taken = targets.iter().map(|_| Cell::new(0)).collect();
        Case { words, texts, targets, taken, undecided: Cell::new(false) }
    }

    /// The way of a value; None: the comparisons decide.
    pub fn way(&self, ctx: &Ctx, value: Value) -> Option<usize> {
        if ctx.vm().redefined.get() & (basic_op::INTEGER | basic_op::SYMBOL | basic_op::SPECIAL | basic_op::STRING) != 0
        {
            return None;
        }
        let way = if value.is_fixnum() || value.is_unique() {
            self.words.get(&value)
        } else {
            let plain = value.header().is_some_and(|header| header.klass.get() == ctx.classes().string.get());
            let text = Str::try_of(value).filter(|text| plain && text.encoding().is_ascii_compatible())?;
            self.texts.get(text.bytes(ctx))
        };
        Some(way.map_or(self.targets.len() - 1, |way| *way as usize))
    }

    /// The small integers and others that are not Strings, and their ways.
    pub fn words(&self) -> impl Iterator<Item = (Value, usize)> {
        self.words.iter().map(|(word, way)| (*word, *way as usize))
    }

    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Where each way leads; the last is the way of all other values.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Counts that the interpreter goes a way. Where it leads.
    pub(crate) fn take(&self, way: usize) -> usize {
        self.taken[way].set(self.taken[way].get().saturating_add(1));
        self.targets[way] as usize
    }

    /// Whether the interpreter has gone a way.
    pub fn was_taken(&self, way: usize) -> bool {
        self.taken[way].get() > 0
    }

    /// Notes that a value came whose way the comparisons decide.
    pub(crate) fn note_undecided(&self) {
        self.undecided.set(true);
    }

    /// Whether a value came whose way the comparisons decided.
    pub fn was_undecided(&self) -> bool {
        self.undecided.get()
    }
}
