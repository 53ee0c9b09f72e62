//! Conditions: branches without materialised booleans, `if`, `unless`, `and`, `or`, `case`, flip-flops.

use crate::asm::{Label, Reg};
use crate::calls::{is_single_value, small_literal};
use crate::compiler::Compiler;
use crate::expr::single_statement;
use crate::scope::Key;
use rubellite_bytecode::{CallSite, Const, Insn, Intrinsic, Op};
use ruby_prism::*;

/// From this number on, comparisons with literals that follow each other are a run, whose outcome is looked up.
const RUN_MIN: usize = 5;

/// The branching form of a comparison.
fn compare_op(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"<" => Op::BrLt,
        b"<=" => Op::BrLe,
        b">" => Op::BrGt,
        b">=" => Op::BrGe,
        b"==" => Op::BrEq,
        b"!=" => Op::BrNeq,
        _ => return None,
    })
}

impl<'pr> Compiler<'pr> {
    /// Jumps to `label` when the truth of `node` is `when`; else falls through.
    pub fn branch(&mut self, node: &Node<'pr>, when: bool, label: Label) {
        if !self.descend() {
            return self.ascend();
        }
        let mark = self.asm.mark();
        self.set_line_at(&node.location());
        self.branch_on(node, when, label);
        self.asm.release(mark);
        self.ascend();
    }

    fn branch_on(&mut self, node: &Node<'pr>, when: bool, label: Label) {
        match node {
            Node::TrueNode { .. } | Node::IntegerNode { .. } | Node::SymbolNode { .. } | Node::StringNode { .. } => {
                self.branch_always(true, when, label)
            }
            Node::FalseNode { .. } | Node::NilNode { .. } => self.branch_always(false, when, label),
            Node::AndNode { .. } => {
                let Some(n) = node.as_and_node() else { return };
                self.branch_both(&n.left(), &n.right(), false, when, label);
            }
            Node::OrNode { .. } => {
                let Some(n) = node.as_or_node() else { return };
                self.branch_both(&n.left(), &n.right(), true, when, label);
            }
            Node::ParenthesesNode { .. } => match node.as_parentheses_node().and_then(|n| single_statement(n.body())) {
                Some(inner) => self.branch(&inner, when, label),
                None => self.branch_value(node, when, label),
            },
            Node::CallNode { .. } => match node.as_call_node() {
                Some(call) if self.branch_compare(&call, when, label) => {}
                _ => self.branch_value(node, when, label),
            },
            _ => self.branch_value(node, when, label),
        }
    }

    fn branch_always(&mut self, truth: bool, when: bool, label: Label) {
        if truth == when {
            self.asm.goto(label);
        }
    }

    /// `and` (decided by a false left side) and `or` (decided by a true one).
    fn branch_both(&mut self, left: &Node<'pr>, right: &Node<'pr>, decided_by: bool, when: bool, label: Label) {
        if when == decided_by {
            self.branch(left, when, label);
            self.branch(right, when, label);
        } else {
            let skip = self.asm.label();
            self.branch(left, decided_by, skip);
            self.branch(right, when, label);
            self.asm.bind(skip);
        }
    }

    fn branch_value(&mut self, node: &Node<'pr>, when: bool, label: Label) {
        let reg = self.operand(node);
        self.asm.jump(if when { Op::JumpIf } else { Op::JumpUnless }, reg, label);
    }

    fn branch_compare(&mut self, call: &CallNode<'pr>, when: bool, label: Label) -> bool {
        let name = call.name().as_slice();
        let Some(op) = compare_op(name) else { return false };
        let Some(receiver) = call.receiver() else { return false };
        let arguments: Vec<Node> = call.arguments().iter().flat_map(|n| n.arguments().iter()).collect();
        let [argument] = arguments.as_slice() else { return false };
        if call.is_safe_navigation() || call.block().is_some() || !is_single_value(argument) {
            return false;
        }
        let left = self.operand_before(&receiver, std::slice::from_ref(argument));
        let site = self.operator_site(name, 1, call.is_ignore_visibility());
        let insn = match small_literal(argument) {
            Some(value) => Insn::xabc(op, when as u8 | 2, left, value as u16, 0),
            None => Insn::xabc(op, when as u8, left, self.operand(argument), 0),
        };
        self.call_line(call);
        self.asm.emit_branch(insn, site, label);
        true
    }

    // -- and, or, if, unless

    pub fn and(&mut self, node: &AndNode<'pr>, dst: Option<Reg>) {
        self.logical(&node.left(), &node.right(), false, dst);
    }

    pub fn or(&mut self, node: &OrNode<'pr>, dst: Option<Reg>) {
        self.logical(&node.left(), &node.right(), true, dst);
    }

    fn logical(&mut self, left: &Node<'pr>, right: &Node<'pr>, decided_by: bool, dst: Option<Reg>) {
        let done = self.asm.label();
        match dst {
            Some(reg) => {
                self.into(left, reg);
                self.asm.jump(if decided_by { Op::JumpIf } else { Op::JumpUnless }, reg, done);
                self.into(right, reg);
            }
            None => {
                self.branch(left, decided_by, done);
                self.effect(right);
            }
        }
        self.asm.bind(done);
    }

    pub fn if_node(&mut self, node: &IfNode<'pr>, dst: Option<Reg>) {
        self.conditional(&node.predicate(), false, node.statements(), node.subsequent(), dst, ("if", node.location()));
    }

    pub fn unless_node(&mut self, node: &UnlessNode<'pr>, dst: Option<Reg>) {
        self.conditional(
            &node.predicate(),
            true,
            node.statements(),
            node.else_clause().map(|n| n.as_node()),
            dst,
            ("unless", node.location()),
        );
    }

    /// `construct`: what `Coverage` calls it, and where it lies.
    fn conditional(
        &mut self,
        predicate: &Node<'pr>,
        skip_when: bool,
        body: Option<StatementsNode<'pr>>,
        otherwise: Option<Node<'pr>>,
        dst: Option<Reg>,
        construct: (&'static str, Location<'pr>),
    ) {
        let skip = self.asm.label();
        self.branch(predicate, skip_when, skip);
        let counted = self.branch_conditional(construct, predicate, &body, &otherwise);
        self.count_arm(counted, skip_when as usize);
        self.statements(body, dst);
        if otherwise.is_none() && dst.is_none() && counted.is_none() {
            return self.asm.bind(skip);
        }
        let done = self.asm.label();
        self.asm.goto(done);
        self.asm.bind(skip);
        self.count_arm(counted, !skip_when as usize);
        if let Some(next @ Node::IfNode { .. }) = &otherwise {
            self.begin_statement(next); // An `elsif` has a line of its own.
        }
        self.optional(otherwise, dst);
        self.asm.bind(done);
    }

    // -- case

    pub fn case(&mut self, node: &CaseNode<'pr>, dst: Option<Reg>) {
        let subject = node.predicate().map(|predicate| self.temp(&predicate));
        let counted = self.branch_case(node);
        let done = self.asm.label();
        let clauses = || node.conditions().iter().filter_map(|n| n.as_when_node());
        let literals: Vec<bool> = clauses()
            .flat_map(|when| when.conditions().iter())
            .map(|condition| self.is_case_literal(&condition))
            .collect();
        let mut at = 0;
        for (number, when) in clauses().enumerate() {
            let body = self.asm.label();
            let next = self.asm.label();
            let conditions: Vec<Node> = when.conditions().iter().collect();
            for (index, condition) in conditions.iter().enumerate() {
                let last = index + 1 == conditions.len();
                let begins = at == 0 || !literals[at - 1];
                let run = if begins && literals[at..].iter().take_while(|literal| **literal).count() >= RUN_MIN {
                    self.asm.case()
                } else {
                    0
                };
                self.when_condition(condition, subject, last, run, body, next);
                at += 1;
            }
            self.asm.bind(body);
            self.count_arm(counted, number);
            self.statements(when.statements(), dst);
            self.asm.goto(done);
            self.asm.bind(next);
        }
        self.count_arm(counted, node.conditions().len());
        match node.else_clause() {
            Some(clause) => self.statements(clause.statements(), dst),
            None => self.nil(dst),
        }
        self.asm.bind(done);
    }

    /// One condition: true leads to `body`; false to `next` when it is the last, else falls through.
    /// `run`: the number of the run of comparisons that it begins, or 0.
    fn when_condition(
        &mut self,
        condition: &Node<'pr>,
        subject: Option<Reg>,
        last: bool,
        run: u16,
        body: Label,
        next: Label,
    ) {
        let mark = self.asm.mark();
        self.set_line_at(&condition.location());
        if let Some(splat) = condition.as_splat_node() {
            self.when_splat(&splat, subject, body);
            if last {
                self.asm.goto(next);
            }
        } else if let Some(subject) = subject {
            if self.branch_literal(condition, subject, !last, run, if last { next } else { body }) {
                return self.asm.release(mark);
            }
            let base = self.temp(condition);
            let result = self.case_equal(base, subject);
            self.asm.jump(if last { Op::JumpUnless } else { Op::JumpIf }, result, if last { next } else { body });
        } else {
            self.branch(condition, !last, if last { next } else { body });
        }
        self.asm.release(mark);
    }

    /// Whether a run of comparisons may have it: an Integer, a symbol, nil, true or a String.
    fn is_case_literal(&self, node: &Node<'pr>) -> bool {
        let constant =
            || matches!(self.constant(node), Some(Const::Int(_) | Const::Symbol(_) | Const::Nil | Const::True));
        node.as_string_node().is_some() || constant()
    }

    /// `===` of a literal that compares by value: the fused comparison has a fast path for it, and calls
    /// `===` otherwise. Jumps when the truth is `when`. False when `node` is no such literal.
    pub fn branch_literal(&mut self, node: &Node<'pr>, subject: Reg, when: bool, run: u16, label: Label) -> bool {
        let literal = match node.as_string_node() {
            Some(string) => Const::Str(self.string_text(&string)),
            None => match self.constant(node) {
                Some(constant) => constant,
                None => return false,
            },
        };
        let Ok(literal) = u16::try_from(self.asm.constant(literal)) else { return false };
        let site = self.operator_site(b"===", 1, true);
        self.asm.emit_branch(Insn::xabc(Op::BrWhen, when as u8, literal, subject, run), site, label);
        true
    }

    /// R[base] === R[subject], into R[base]; `base` is the newest register.
    pub fn case_equal(&mut self, base: Reg, subject: Reg) -> Reg {
        let mark = self.asm.mark();
        let argument = self.asm.temp();
        self.asm.emit(Op::Move, argument, subject, 0);
        let name = self.name(b"===");
        // Private definitions count, as in Ruby.
        let site = self.asm.site(CallSite { name, argc: 1, self_call: true, ..CallSite::default() });
        self.asm.emit(Op::Call, base, base, site);
        self.asm.release(mark);
        base
    }

    /// `when *array`: tries every element.
    fn when_splat(&mut self, splat: &SplatNode<'pr>, subject: Option<Reg>, body: Label) {
        let value = self.asm.temp();
        self.splat_value(splat, value);
        let array = self.asm.temp();
        self.asm.emit_x(Op::SplatArray, 1, array, value, 0);
        let index = self.asm.temp();
        self.small_integer(0, Some(index));
        let length = self.asm.temp();
        self.asm.emit_x(Op::Intrinsic, Intrinsic::ArrayLength as u8, length, array, 1);
        let end = self.asm.label();
        let top = self.asm.here();
        let site = self.operator_site(b"<", 1, false);
        self.asm.emit_branch(Insn::xabc(Op::BrLt, 0, index, length, 0), site, end);
        let element = self.asm.temp();
        let site = self.operator_site(b"[]", 1, false);
        self.asm.emit_with_site(Insn::abc(Op::ARef, element, array, index), site);
        if let Some(subject) = subject {
            self.case_equal(element, subject);
        }
        self.asm.jump(Op::JumpIf, element, body);
        let site = self.operator_site(b"+", 1, false);
        self.asm.emit_with_site(Insn::abc(Op::AddInt, index, index, 1), site);
        self.asm.jump(Op::Loop, 0, top);
        self.asm.bind(end);
    }

    // -- flip-flops

    /// A range as a condition: its state is a hidden variable of the method.
    pub fn flip_flop(&mut self, node: &FlipFlopNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let key = Key::FlipFlop(node.location().start());
        let (on, yes, no, done) = (self.asm.label(), self.asm.label(), self.asm.label(), self.asm.label());
        self.load(key, reg);
        self.asm.jump(Op::JumpIf, reg, on);
        self.branch_bound(node.left(), false, no);
        self.asm.emit(Op::LoadTrue, reg, 0, 0);
        self.store(key, reg);
        if node.is_exclude_end() {
            self.asm.goto(yes);
        }
        self.asm.bind(on);
        self.branch_bound(node.right(), false, yes);
        self.asm.emit(Op::LoadFalse, reg, 0, 0);
        self.store(key, reg);
        self.asm.bind(yes);
        self.asm.emit(Op::LoadTrue, reg, 0, 0);
        self.asm.goto(done);
        self.asm.bind(no);
        self.asm.emit(Op::LoadFalse, reg, 0, 0);
        self.asm.bind(done);
    }

    /// A bound of a flip-flop; an integer literal is compared with the line number `$.`.
    fn branch_bound(&mut self, node: Option<Node<'pr>>, when: bool, label: Label) {
        let Some(node) = node else {
            return self.branch_always(false, when, label);
        };
        if !matches!(node, Node::IntegerNode { .. }) {
            return self.branch(&node, when, label);
        }
        let mark = self.asm.mark();
        let number = self.temp(&node);
        let line = self.asm.temp();
        self.read_global(b"$.", Some(line));
        let site = self.operator_site(b"==", 1, false);
        self.asm.emit_branch(Insn::xabc(Op::BrEq, when as u8, number, line, 0), site, label);
        self.asm.release(mark);
    }
}
