//! Loops and jumps: `while`, `until`, `for`, `break`, `next`, `redo`, `return`.

use crate::arms::Point;
use crate::asm::{Label, Reg};
use crate::compiler::{Compiler, Control};
use crate::diagnostics::Warning;
use rubellite_bytecode::{CallSite, CatchKind, ISeqKind, Op};
use ruby_prism::*;

impl<'pr> Compiler<'pr> {
    pub fn while_loop(&mut self, node: &WhileNode<'pr>, dst: Option<Reg>) {
        let counted = self.branch_loop("while", &node.location(), &node.statements());
        self.conditional_loop(&node.predicate(), true, node.is_begin_modifier(), (node.statements(), counted), dst);
    }

    pub fn until_loop(&mut self, node: &UntilNode<'pr>, dst: Option<Reg>) {
        let counted = self.branch_loop("until", &node.location(), &node.statements());
        self.conditional_loop(&node.predicate(), false, node.is_begin_modifier(), (node.statements(), counted), dst);
    }

    /// The condition stands at the bottom; the jump back is the safepoint.
    fn conditional_loop(
        &mut self,
        predicate: &Node<'pr>,
        stays_when: bool,
        body_first: bool,
        body: (Option<StatementsNode<'pr>>, Point),
        dst: Option<Reg>,
    ) {
        let (next, exit, end) = (self.asm.label(), self.asm.label(), self.asm.label());
        if !body_first {
            self.asm.goto(next);
        }
        let redo = self.asm.here();
        self.fun.control.push(Control::While { end, next, redo, dst });
        let (body, counted) = body;
        self.count_arm(counted, 0);
        self.statements(body, None);
        self.asm.bind(next);
        self.branch(predicate, !stays_when, exit);
        self.asm.jump(Op::Loop, 0, redo);
        self.fun.control.pop();
        self.asm.bind(exit);
        self.nil(dst);
        self.asm.bind(end);
    }

    /// `for`: a call of `each` with a block that shares the variables around it.
    pub fn for_loop(&mut self, node: &ForNode<'pr>, dst: Option<Reg>) {
        let base = self.asm.temp();
        self.into(&node.collection(), base);
        let fun = self.function_at(ISeqKind::Block, self.fun.name.clone(), &node.location());
        let iseq = self.nested(fun, |compiler| compiler.for_body(node));
        self.fun.uses_block |= iseq.uses_block;
        let child = self.asm.child(iseq);
        let name = self.name(b"each");
        let site = self.asm.site(CallSite { name, block: child + 1, ..CallSite::default() });
        self.set_line_at(&node.location());
        self.asm.emit(Op::Call, dst.unwrap_or(base), base, site);
    }

    fn for_body(&mut self, node: &ForNode<'pr>) {
        self.asm.temp();
        self.for_parameters(node);
        let redo = self.asm.here();
        self.fun.redo = Some(redo);
        self.tail_optional(node.statements().map(|n| n.as_node()));
    }

    /// Hidden parameters, assigned to the loop's targets.
    fn for_parameters(&mut self, node: &ForNode<'pr>) {
        let index = node.index();
        let (targets, rest): (Vec<Node>, Option<Node>) = match index.as_multi_target_node() {
            Some(multi) => {
                let before = multi.lefts().iter();
                self.fun.params.required = multi.lefts().len() as u16;
                self.fun.params.post = multi.rights().len() as u16;
                self.fun.params.rest = matches!(multi.rest(), Some(Node::SplatNode { .. }));
                self.fun.params.excess_comma =
                    multi.lefts().len() == 1 && multi.rest().is_none_or(|n| matches!(n, Node::ImplicitRestNode { .. }));
                let rest = multi.rest().filter(|n| matches!(n, Node::SplatNode { .. }));
                (before.chain(rest).chain(multi.rights().iter()).collect(), None)
            }
            None if matches!(index, Node::SplatNode { .. }) => {
                self.fun.params.rest = true;
                (Vec::new(), Some(index))
            }
            None => {
                self.fun.params.required = 1;
                (vec![index], None)
            }
        };
        let targets: Vec<(Node, Reg)> =
            targets.into_iter().chain(rest).map(|target| (target, self.asm.temp())).collect();
        self.fun.local_end = self.asm.mark() as u16;
        for (target, reg) in &targets {
            self.assign_node(target, *reg);
        }
    }

    // -- jumps

    /// The value of `break`, `next` or `return`: nil, one value, or an Array of several.
    fn jump_value(&mut self, arguments: Option<ArgumentsNode<'pr>>, keep: bool) -> Reg {
        let nodes: Vec<Node> = arguments.iter().flat_map(|n| n.arguments().iter()).collect();
        match nodes.as_slice() {
            [] => self.nil_temp(),
            [single] if !matches!(single, Node::SplatNode { .. }) => {
                if keep {
                    self.temp(single)
                } else {
                    self.operand(single)
                }
            }
            _ => {
                let reg = self.asm.temp();
                self.array_of(&nodes, reg);
                reg
            }
        }
    }

    /// `break` or `next` out of a class body, which ends what is around the class.
    fn leave_class(&mut self, arguments: Option<ArgumentsNode<'pr>>, location: &Location<'pr>, next: bool) {
        let value = self.jump_value(arguments, true);
        self.set_line_at(location);
        self.fun.jumps_out = true;
        self.asm.emit_x(Op::Break, next as u8, value, 0, 0);
    }

    /// Behind a class body that `break` or `next` may leave: where they go on in the loop around.
    pub fn class_exits(&mut self, class: u32) {
        let Some((index, end, next, _, dst)) = self.innermost_while() else {
            self.fun.jumps_out = true;
            return;
        };
        let over = self.asm.label();
        self.asm.goto(over);
        let value = self.asm.temp();
        for (kind, target) in [(CatchKind::Break, end), (CatchKind::Next, next)] {
            let handler = self.asm.here();
            self.asm.catch(&[(class, class + 1)], handler, kind, value);
            if let Some(reg) = dst.filter(|_| kind == CatchKind::Break) {
                self.asm.move_to(reg, value);
            }
            let left = self.leave(index + 1);
            self.asm.goto(target);
            self.reenter(left);
        }
        self.asm.bind(over);
    }

    fn innermost_while(&self) -> Option<(usize, Label, Label, Label, Option<Reg>)> {
        self.fun.control.iter().enumerate().rev().find_map(|(index, control)| match control {
            Control::While { end, next, redo, dst } => Some((index, *end, *next, *redo, *dst)),
            _ => None,
        })
    }

    pub fn break_node(&mut self, node: &BreakNode<'pr>) {
        if let Some((index, end, _, _, dst)) = self.innermost_while() {
            match dst {
                Some(reg) => {
                    let value = self.jump_value(node.arguments(), false);
                    self.asm.move_to(reg, value);
                }
                None => {
                    if let Some(arguments) = node.arguments() {
                        self.jump_value(Some(arguments), false);
                    }
                }
            }
            let left = self.leave(index + 1);
            self.asm.goto(end);
            return self.reenter(left);
        }
        self.leave_class(node.arguments(), &node.location(), false);
    }

    pub fn next_node(&mut self, node: &NextNode<'pr>) {
        if let Some((index, _, next, _, _)) = self.innermost_while() {
            if let Some(arguments) = node.arguments() {
                self.jump_value(Some(arguments), false);
            }
            let left = self.leave(index + 1);
            self.asm.goto(next);
            return self.reenter(left);
        }
        match self.fun.kind {
            ISeqKind::Class => self.leave_class(node.arguments(), &node.location(), true),
            _ => self.return_here(node.arguments()),
        }
    }

    pub fn redo_node(&mut self) {
        let (index, label) = match self.innermost_while() {
            Some((index, _, _, redo, _)) => (index + 1, Some(redo)),
            None => (0, self.fun.redo),
        };
        let Some(label) = label else { return self.fail("Can't escape from eval with redo") };
        let left = self.leave(index);
        self.asm.jump(Op::Loop, 0, label);
        self.reenter(left);
    }

    pub fn return_node(&mut self, node: &ReturnNode<'pr>) {
        match self.fun.kind {
            // The parser lets `return` stand in `class << self` only.
            ISeqKind::Block | ISeqKind::Eval | ISeqKind::Class => {
                let value = self.jump_value(node.arguments(), true);
                self.set_line_at(&node.location());
                self.asm.emit(Op::ReturnFar, value, 0, 0);
            }
            _ => {
                if matches!(self.fun.kind, ISeqKind::Main | ISeqKind::Top) && node.arguments().is_some() {
                    let message = "argument of top-level return is ignored".to_string();
                    self.warnings.push(Warning { line: self.asm.line(), message, verbose_only: false });
                }
                self.return_here(node.arguments())
            }
        }
    }

    /// Returns from this frame, running the ensure bodies around.
    fn return_here(&mut self, arguments: Option<ArgumentsNode<'pr>>) {
        let keep = self.ensures_above(0);
        let value = self.jump_value(arguments, keep);
        let left = self.leave(0);
        self.asm.emit(Op::Return, value, 0, 0);
        self.reenter(left);
    }

    pub fn retry_node(&mut self) {
        let found = self.fun.control.iter().enumerate().rev().find_map(|(index, control)| match control {
            Control::Clause { retry: Some(retry), .. } => Some((index, *retry)),
            _ => None,
        });
        let Some((index, label)) = found else { return self.fail("Invalid retry") };
        let left = self.leave(index);
        self.asm.jump(Op::Loop, 0, label);
        self.reenter(left);
    }
}
