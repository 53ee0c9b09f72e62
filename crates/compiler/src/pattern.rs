//! Pattern matching. A pattern falls through when it matches and jumps to a label when not. Where only
//! one pattern is tried and nothing else follows, each failure leaves behind why it failed, for the
//! message of NoMatchingPatternError.

use crate::asm::{Label, Reg};
use crate::compiler::Compiler;
use crate::scope::Key;
use rubellite_bytecode::{Const, Encoding, Insn, Intrinsic, Op, Text};
use ruby_prism::*;

/// Where a failing pattern goes.
#[derive(Copy, Clone)]
struct Fail {
    label: Label,
    /// The first of the registers that explain a failure: format, then up to three operands. The format
    /// is false when a key is missing (operands: hash, key).
    why: Option<Reg>,
    /// The deconstructed Array of the whole value, nil until it has been made: several patterns for the
    /// same value deconstruct it once.
    cache: Option<Reg>,
}

const WHY_REGISTERS: usize = 4;

impl<'pr> Compiler<'pr> {
    // -- the constructs

    pub fn case_match(&mut self, node: &CaseMatchNode<'pr>, dst: Option<Reg>) {
        let value = match node.predicate() {
            Some(predicate) => self.temp(&predicate),
            None => self.nil_temp(),
        };
        let counted = self.branch_case_match(node);
        let single = node.conditions().len() == 1 && node.else_clause().is_none();
        let why = single.then(|| self.why_registers());
        let cache = (!single).then(|| self.nil_temp());
        let done = self.asm.label();
        for (number, clause) in node.conditions().iter().filter_map(|n| n.as_in_node()).enumerate() {
            let next = self.asm.label();
            self.set_line_at(&clause.location());
            self.pattern(&clause.pattern(), value, Fail { label: next, why, cache });
            self.count_arm(counted, number);
            self.statements(clause.statements(), dst);
            self.asm.goto(done);
            self.asm.bind(next);
        }
        self.count_arm(counted, node.conditions().len());
        match node.else_clause() {
            Some(clause) => self.statements(clause.statements(), dst),
            None => {
                self.set_line_at(&node.location());
                self.no_match(value, why);
            }
        }
        self.asm.bind(done);
    }

    pub fn match_required(&mut self, node: &MatchRequiredNode<'pr>, dst: Option<Reg>) {
        let value = self.temp(&node.value());
        let why = Some(self.why_registers());
        let (fail, done) = (self.asm.label(), self.asm.label());
        self.pattern(&node.pattern(), value, Fail { label: fail, why, cache: None });
        self.nil(dst);
        self.asm.goto(done);
        self.asm.bind(fail);
        self.set_line_at(&node.location());
        self.no_match(value, why);
        self.asm.bind(done);
    }

    pub fn match_predicate(&mut self, node: &MatchPredicateNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let value = self.temp(&node.value());
        let (fail, done) = (self.asm.label(), self.asm.label());
        self.pattern(&node.pattern(), value, Fail { label: fail, why: None, cache: None });
        self.asm.emit(Op::LoadTrue, reg, 0, 0);
        self.asm.goto(done);
        self.asm.bind(fail);
        self.asm.emit(Op::LoadFalse, reg, 0, 0);
        self.asm.bind(done);
    }

    /// `/(?<name>...)/ =~ string` assigns local variables.
    pub fn match_write(&mut self, node: &MatchWriteNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        self.call(&node.call(), Some(reg));
        let data = self.asm.temp();
        self.asm.emit_x(Op::Intrinsic, Intrinsic::LastMatch as u8, data, 0, 0);
        for target in node.targets().iter().filter_map(|n| n.as_local_variable_target_node()) {
            let mark = self.asm.mark();
            let name = target.name().as_slice();
            let first = self.asm.temp();
            self.asm.move_to(first, data);
            let symbol = self.asm.temp();
            let text = self.src.text(name);
            self.load_symbol(text, symbol);
            self.asm.emit_x(Op::Intrinsic, Intrinsic::NamedCapture as u8, first, first, 2);
            self.store(Key::Name(name), first);
            self.asm.release(mark);
        }
    }

    // -- failures

    fn why_registers(&mut self) -> Reg {
        let first = self.nil_temp();
        for _ in 1..WHY_REGISTERS {
            self.nil_temp();
        }
        first
    }

    fn no_match(&mut self, value: Reg, why: Option<Reg>) {
        let mark = self.asm.mark();
        let first = self.asm.temp();
        self.asm.move_to(first, value);
        let Some(why) = why else {
            self.asm.emit_x(Op::Intrinsic, Intrinsic::NoMatchingPattern as u8, first, first, 1);
            return self.asm.release(mark);
        };
        for index in 0..WHY_REGISTERS as u16 {
            let reg = self.asm.temp();
            self.asm.move_to(reg, why + index);
        }
        let key = self.asm.label();
        self.asm.jump(Op::JumpUnless, why, key);
        let count = 1 + WHY_REGISTERS as u16;
        self.asm.emit_x(Op::Intrinsic, Intrinsic::NoMatchingPattern as u8, first, first, count);
        self.asm.bind(key);
        self.asm.emit(Op::Move, first + 1, why + 1, 0);
        self.asm.emit(Op::Move, first + 2, why + 2, 0);
        self.asm.emit_x(Op::Intrinsic, Intrinsic::NoMatchingPatternKey as u8, first, first, 3);
        self.asm.release(mark);
    }

    /// Fails, leaving the reason behind where it is wanted.
    fn fail_with(&mut self, fail: Fail, format: Option<&str>, operands: &[Reg]) {
        if let Some(why) = fail.why {
            match format {
                Some(format) => {
                    let text = Text::new(format.as_bytes(), Encoding::UTF_8);
                    self.literal(Const::Str(text), Some(why));
                }
                None => self.asm.emit(Op::LoadFalse, why, 0, 0),
            }
            for (index, operand) in operands.iter().enumerate() {
                self.asm.emit(Op::Move, why + 1 + index as u16, *operand, 0);
            }
        }
        self.asm.goto(fail.label);
    }

    /// Fails unless R[condition] is true.
    fn require(&mut self, condition: Reg, fail: Fail, format: &str, operands: &[Reg]) {
        if fail.why.is_none() {
            return self.asm.jump(Op::JumpUnless, condition, fail.label);
        }
        let matched = self.asm.label();
        self.asm.jump(Op::JumpIf, condition, matched);
        self.fail_with(fail, Some(format), operands);
        self.asm.bind(matched);
    }

    // -- patterns

    fn pattern(&mut self, node: &Node<'pr>, value: Reg, fail: Fail) {
        if !self.descend() {
            return self.ascend();
        }
        let mark = self.asm.mark();
        self.set_line_at(&node.location());
        match node {
            Node::ArrayPatternNode { .. } => {
                if let Some(n) = node.as_array_pattern_node() {
                    self.array_pattern(&n, value, fail);
                }
            }
            Node::FindPatternNode { .. } => {
                if let Some(n) = node.as_find_pattern_node() {
                    self.find_pattern(&n, value, fail);
                }
            }
            Node::HashPatternNode { .. } => {
                if let Some(n) = node.as_hash_pattern_node() {
                    self.hash_pattern(&n, value, fail);
                }
            }
            Node::AlternationPatternNode { .. } => {
                if let Some(n) = node.as_alternation_pattern_node() {
                    let (next, matched) = (self.asm.label(), self.asm.label());
                    self.pattern(&n.left(), value, Fail { label: next, ..fail });
                    self.asm.goto(matched);
                    self.asm.bind(next);
                    self.pattern(&n.right(), value, fail);
                    self.asm.bind(matched);
                }
            }
            Node::CapturePatternNode { .. } => {
                if let Some(n) = node.as_capture_pattern_node() {
                    self.pattern(&n.value(), value, fail);
                    self.store(Key::Name(n.target().name().as_slice()), value);
                }
            }
            Node::LocalVariableTargetNode { .. } => {
                if let Some(n) = node.as_local_variable_target_node() {
                    self.store(Key::Name(n.name().as_slice()), value);
                }
            }
            Node::ImplicitNode { .. } => {
                if let Some(n) = node.as_implicit_node() {
                    self.pattern(&n.value(), value, fail);
                }
            }
            Node::ParenthesesNode { .. } => {
                match node.as_parentheses_node().and_then(|n| crate::expr::single_statement(n.body()).or(n.body())) {
                    Some(inner) => self.pattern(&inner, value, fail),
                    None => self.value_pattern(node, value, fail),
                }
            }
            Node::IfNode { .. } | Node::UnlessNode { .. } => self.guarded_pattern(node, value, fail),
            Node::PinnedVariableNode { .. } => {
                if let Some(n) = node.as_pinned_variable_node() {
                    self.value_pattern(&n.variable(), value, fail);
                }
            }
            Node::PinnedExpressionNode { .. } => {
                if let Some(n) = node.as_pinned_expression_node() {
                    self.value_pattern(&n.expression(), value, fail);
                }
            }
            _ => self.value_pattern(node, value, fail),
        }
        self.asm.release(mark);
        self.ascend();
    }

    /// `pattern if condition`
    fn guarded_pattern(&mut self, node: &Node<'pr>, value: Reg, fail: Fail) {
        let (pattern, guard, when) = if let Some(n) = node.as_if_node() {
            (n.statements(), n.predicate(), true)
        } else if let Some(n) = node.as_unless_node() {
            (n.statements(), n.predicate(), false)
        } else {
            return;
        };
        if let Some(pattern) = crate::expr::single_statement(pattern.map(|n| n.as_node())) {
            self.pattern(&pattern, value, fail);
        }
        let matched = self.asm.label();
        self.branch(&guard, when, matched);
        self.fail_with(fail, Some("guard clause does not return true"), &[]);
        self.asm.bind(matched);
    }

    /// Anything that is compared by `===`.
    fn value_pattern(&mut self, node: &Node<'pr>, value: Reg, fail: Fail) {
        if fail.why.is_none() && self.branch_literal(node, value, false, 0, fail.label) {
            return;
        }
        let pattern = self.temp(node);
        self.case_equal_pattern(pattern, value, fail);
    }

    fn case_equal_pattern(&mut self, pattern: Reg, value: Reg, fail: Fail) {
        let result = self.asm.temp();
        self.asm.move_to(result, pattern);
        self.case_equal(result, value);
        self.require(result, fail, "%p === %p does not return true", &[pattern, value]);
    }

    /// `Constant(...)`
    fn constant_pattern(&mut self, constant: Option<Node<'pr>>, value: Reg, fail: Fail) {
        if let Some(constant) = constant {
            let mark = self.asm.mark();
            self.value_pattern(&constant, value, fail);
            self.asm.release(mark);
        }
    }

    /// R[result] = the deconstructed Array; fails when there is none.
    fn deconstruct(&mut self, value: Reg, fail: Fail) -> Reg {
        let array = fail.cache.unwrap_or_else(|| self.asm.temp());
        let made = self.asm.label();
        if fail.cache.is_some() {
            self.asm.jump(Op::JumpNotNil, array, made);
        }
        self.asm.emit_x(Op::Intrinsic, Intrinsic::Deconstruct as u8, array, value, 1);
        self.asm.bind(made);
        self.require(array, fail, "%p does not respond to #deconstruct", &[value]);
        array
    }

    fn array_length(&mut self, array: Reg) -> Reg {
        let length = self.asm.temp();
        self.asm.emit_x(Op::Intrinsic, Intrinsic::ArrayLength as u8, length, array, 1);
        length
    }

    /// Fails unless the length is `count` (or at least `count`).
    fn check_length(&mut self, array: Reg, length: Reg, count: usize, open: bool, fail: Fail) {
        let matched = self.asm.label();
        let expected = self.asm.temp();
        self.small_integer(count as i32, Some(expected));
        let (op, name) = if open { (Op::BrGe, &b">="[..]) } else { (Op::BrEq, &b"=="[..]) };
        let site = self.operator_site(name, 1, false);
        self.asm.emit_branch(Insn::xabc(op, 1, length, expected, 0), site, matched);
        let format = if open {
            "%p length mismatch (given %p, expected %p+)"
        } else {
            "%p length mismatch (given %p, expected %p)"
        };
        self.fail_with(fail, Some(format), &[array, length, expected]);
        self.asm.bind(matched);
    }

    fn element(&mut self, array: Reg, index: Reg) -> Reg {
        let element = self.asm.temp();
        let site = self.operator_site(b"[]", 1, false);
        self.asm.emit_with_site(Insn::abc(Op::ARef, element, array, index), site);
        element
    }

    fn array_pattern(&mut self, node: &ArrayPatternNode<'pr>, value: Reg, fail: Fail) {
        self.constant_pattern(node.constant(), value, fail);
        let before: Vec<Node> = node.requireds().iter().collect();
        let after: Vec<Node> = node.posts().iter().collect();
        let array = self.deconstruct(value, fail);
        let length = self.array_length(array);
        self.check_length(array, length, before.len() + after.len(), node.rest().is_some(), fail);
        for (index, pattern) in before.iter().enumerate() {
            let mark = self.asm.mark();
            let position = self.asm.temp();
            self.small_integer(index as i32, Some(position));
            let element = self.element(array, position);
            self.pattern(pattern, element, Fail { cache: None, ..fail });
            self.asm.release(mark);
        }
        if let Some(target) = node.rest().and_then(|n| n.as_splat_node()).and_then(|n| n.expression()) {
            let mark = self.asm.mark();
            let first = self.asm.temp();
            self.asm.move_to(first, array);
            let from = self.asm.temp();
            self.small_integer(before.len() as i32, Some(from));
            let count = self.asm.temp();
            self.subtract(count, length, before.len() + after.len());
            self.asm.emit_x(Op::Intrinsic, Intrinsic::SubArray as u8, first, first, 3);
            self.pattern(&target, first, Fail { cache: None, ..fail });
            self.asm.release(mark);
        }
        for (index, pattern) in after.iter().enumerate() {
            let mark = self.asm.mark();
            let position = self.asm.temp();
            self.subtract(position, length, after.len() - index);
            let element = self.element(array, position);
            self.pattern(pattern, element, Fail { cache: None, ..fail });
            self.asm.release(mark);
        }
    }

    /// R[dst] = R[src] - count
    fn subtract(&mut self, dst: Reg, src: Reg, count: usize) {
        let site = self.operator_site(b"-", 1, false);
        match i16::try_from(count) {
            Ok(count) => self.asm.emit_with_site(Insn::abc(Op::SubInt, dst, src, count as u16), site),
            Err(_) => {
                let mark = self.asm.mark();
                let number = self.asm.temp();
                self.small_integer(count as i32, Some(number));
                self.asm.emit_with_site(Insn::abc(Op::Sub, dst, src, number), site);
                self.asm.release(mark);
            }
        }
    }

    /// `[*, a, b, *]`: tries every position.
    fn find_pattern(&mut self, node: &FindPatternNode<'pr>, value: Reg, fail: Fail) {
        self.constant_pattern(node.constant(), value, fail);
        let patterns: Vec<Node> = node.requireds().iter().collect();
        let array = self.deconstruct(value, fail);
        let length = self.array_length(array);
        self.check_length(array, length, patterns.len(), true, fail);
        let limit = self.asm.temp();
        self.subtract(limit, length, patterns.len());
        let start = self.asm.temp();
        self.small_integer(0, Some(start));
        let (next, exhausted, matched) = (self.asm.label(), self.asm.label(), self.asm.label());
        let top = self.asm.here();
        let site = self.operator_site(b">", 1, false);
        self.asm.emit_branch(Insn::xabc(Op::BrGt, 1, start, limit, 0), site, exhausted);
        for (index, pattern) in patterns.iter().enumerate() {
            let mark = self.asm.mark();
            let position = self.asm.temp();
            let site = self.operator_site(b"+", 1, false);
            self.asm.emit_with_site(Insn::abc(Op::AddInt, position, start, index as u16), site);
            let element = self.element(array, position);
            self.pattern(pattern, element, Fail { label: next, why: None, cache: None });
            self.asm.release(mark);
        }
        self.find_rest(&node.left().expression(), array, None, start);
        self.find_rest(&node.right().expression(), array, Some((length, patterns.len())), start);
        self.asm.goto(matched);
        self.asm.bind(next);
        let site = self.operator_site(b"+", 1, false);
        self.asm.emit_with_site(Insn::abc(Op::AddInt, start, start, 1), site);
        self.asm.jump(Op::Loop, 0, top);
        self.asm.bind(exhausted);
        self.fail_with(fail, Some("%p does not match to find pattern"), &[array]);
        self.asm.bind(matched);
    }

    /// The part of the array before what was found, or (with its length) after it.
    fn find_rest(&mut self, target: &Option<Node<'pr>>, array: Reg, after: Option<(Reg, usize)>, start: Reg) {
        let Some(target) = target.as_ref().and_then(|n| n.as_local_variable_target_node()) else { return };
        let mark = self.asm.mark();
        let first = self.asm.temp();
        self.asm.move_to(first, array);
        let from = self.asm.temp();
        let count = self.asm.temp();
        match after {
            None => {
                self.small_integer(0, Some(from));
                self.asm.move_to(count, start);
            }
            Some((length, found)) => {
                let site = self.operator_site(b"+", 1, false);
                self.asm.emit_with_site(Insn::abc(Op::AddInt, from, start, found as u16), site);
                let site = self.operator_site(b"-", 1, false);
                self.asm.emit_with_site(Insn::abc(Op::Sub, count, length, from), site);
            }
        }
        self.asm.emit_x(Op::Intrinsic, Intrinsic::SubArray as u8, first, first, 3);
        self.store(Key::Name(target.name().as_slice()), first);
        self.asm.release(mark);
    }

    fn hash_pattern(&mut self, node: &HashPatternNode<'pr>, value: Reg, fail: Fail) {
        self.constant_pattern(node.constant(), value, fail);
        let elements: Vec<AssocNode> = node.elements().iter().filter_map(|n| n.as_assoc_node()).collect();
        let keys: Vec<Text> = elements.iter().map(|element| self.pattern_key(&element.key())).collect();
        let rest = node.rest();
        // An object is told which keys are wanted, unless a rest needs them all.
        let all_wanted = match &rest {
            Some(rest) => rest.as_assoc_splat_node().is_none_or(|n| n.value().is_some()),
            None => keys.is_empty(),
        };
        let hash = self.asm.temp();
        self.asm.move_to(hash, value);
        let wanted = self.asm.temp();
        if all_wanted {
            self.asm.emit(Op::LoadNil, wanted, 0, 0);
        } else {
            self.literal(Const::SymbolArray(keys.clone()), Some(wanted));
        }
        self.asm.emit_x(Op::Intrinsic, Intrinsic::DeconstructKeys as u8, hash, hash, 2);
        self.require(hash, fail, "%p does not respond to #deconstruct_keys", &[value]);
        for (element, key) in elements.iter().zip(&keys) {
            let mark = self.asm.mark();
            let first = self.asm.temp();
            self.asm.move_to(first, hash);
            let symbol = self.asm.temp();
            self.load_symbol(key.clone(), symbol);
            self.asm.emit_x(Op::Intrinsic, Intrinsic::HashFetch as u8, first, first, 2);
            let found = self.asm.label();
            self.asm.jump(Op::JumpGiven, first, found);
            self.fail_with(fail, None, &[hash, symbol]);
            self.asm.bind(found);
            self.pattern(&element.value(), first, Fail { cache: None, ..fail });
            self.asm.release(mark);
        }
        if elements.is_empty() && rest.is_none() {
            let empty = self.asm.temp();
            self.asm.emit_x(Op::Intrinsic, Intrinsic::HashEmpty as u8, empty, hash, 1);
            return self.require(empty, fail, "%p is not empty", &[hash]);
        }
        self.hash_pattern_rest(rest, keys, hash, fail);
    }

    fn hash_pattern_rest(&mut self, rest: Option<Node<'pr>>, keys: Vec<Text>, hash: Reg, fail: Fail) {
        let Some(rest) = rest else { return };
        let target = rest.as_assoc_splat_node().map(|n| n.value());
        if let Some(None) = target {
            return; // `**` alone takes anything.
        }
        let first = self.asm.temp();
        self.asm.move_to(first, hash);
        let without = self.asm.temp();
        self.literal(Const::SymbolArray(keys), Some(without));
        self.asm.emit_x(Op::Intrinsic, Intrinsic::HashExcept as u8, first, first, 2);
        match target.flatten() {
            Some(target) => self.pattern(&target, first, Fail { cache: None, ..fail }),
            None => {
                let empty = self.asm.temp();
                self.asm.emit_x(Op::Intrinsic, Intrinsic::HashEmpty as u8, empty, first, 1);
                self.require(empty, fail, "rest of %p is not empty", &[first]);
            }
        }
    }

    fn pattern_key(&mut self, node: &Node<'pr>) -> Text {
        match node {
            Node::SymbolNode { .. } => {
                node.as_symbol_node().map(|n| self.symbol_text(&n)).unwrap_or_else(|| self.src.text(b""))
            }
            _ => {
                self.fail("symbol literal with interpolation is not allowed");
                self.src.text(b"")
            }
        }
    }
}
