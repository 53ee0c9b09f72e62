//! `begin` with `rescue`, `else`, `ensure`, and the rescue modifier.
//!
//! The instructions of a body are covered by a catch entry (`Covered`), which leads to the clauses. Ensure bodies are
//! compiled once for unwinding (ending in `Rethrow`) and once for each normal way out; see [`Compiler::leave`].

use crate::asm::{Label, Reg};
use crate::compiler::{Compiler, Control, Covered};
use rubellite_bytecode::{CatchKind, Insn, Intrinsic, Op};
use ruby_prism::*;
use std::rc::Rc;

impl<'pr> Compiler<'pr> {
    pub fn begin(&mut self, node: &BeginNode<'pr>, dst: Option<Reg>) {
        match node.ensure_clause() {
            Some(ensure) => self.with_ensure(ensure, |compiler| compiler.begin_rescue(node, dst)),
            None => self.begin_rescue(node, dst),
        }
    }

    fn with_ensure(&mut self, ensure: EnsureNode<'pr>, body: impl FnOnce(&mut Self)) {
        let ensure = Rc::new(ensure);
        let statements = || ensure.statements().map(|n| n.as_node());
        self.fun.control.push(Control::Ensure(Covered::open(self.asm.pc()), ensure.clone()));
        body(self);
        let segments = self.close_covered();
        if let Some(statements) = statements() {
            self.asm.repeat_statements();
            self.effect(&statements);
        }
        let done = self.asm.label();
        self.asm.goto(done);
        let (exception, saved) = self.handler(&segments, CatchKind::Ensure);
        self.clause(saved, None, exception, |compiler| {
            if let Some(statements) = statements() {
                compiler.asm.repeat_statements();
                compiler.effect(&statements);
            }
        });
        self.asm.bind(done);
    }

    /// A rescue clause or the unwinding copy of an ensure clause, then the exception goes on. However the
    /// clause is left, `$!` becomes what it was before.
    fn clause(&mut self, saved: Reg, retry: Option<Label>, exception: Reg, body: impl FnOnce(&mut Self)) {
        self.fun.control.push(Control::Clause { covered: Covered::open(self.asm.pc()), saved, retry });
        body(self);
        let segments = self.close_covered();
        self.asm.emit(Op::SetErrInfo, saved, 0, 0);
        self.asm.emit(Op::Rethrow, exception, 0, 0);
        let (unwinding, _) = self.handler(&segments, CatchKind::Ensure);
        self.asm.emit(Op::SetErrInfo, saved, 0, 0);
        self.asm.emit(Op::Rethrow, unwinding, 0, 0);
    }

    /// `body` fills `reg` the first time that this place is reached; after that its value is there. However `body` is
    /// left, its claim is given back.
    pub fn once(&mut self, reg: Reg, body: impl FnOnce(&mut Self)) {
        let (cache, done) = (self.asm.cache(), self.asm.label());
        let claim = self.asm.temp();
        self.asm.emit_branch(Insn::abc(Op::Once, reg, cache, claim), 0, done);
        self.fun.control.push(Control::Once { covered: Covered::open(self.asm.pc()), cache, claim });
        body(self);
        let segments = self.close_covered();
        self.asm.emit(Op::OnceSet, reg, cache, claim);
        self.asm.goto(done);
        let (exception, saved) = self.handler(&segments, CatchKind::Ensure);
        self.disclaim(cache, claim);
        self.asm.emit(Op::SetErrInfo, saved, 0, 0);
        self.asm.emit(Op::Rethrow, exception, 0, 0);
        self.asm.bind(done);
    }

    /// Gives the claim of [`Compiler::once`] back.
    pub fn disclaim(&mut self, cache: u16, claim: Reg) {
        let mark = self.asm.mark();
        let nothing = self.asm.temp();
        self.asm.emit(Op::LoadUndef, nothing, 0, 0);
        self.asm.emit(Op::OnceSet, nothing, cache, claim);
        self.asm.release(mark);
    }

    /// Code for exits out of `segments` begins here: the registers of what is under way and of `$!` as it was.
    fn handler(&mut self, segments: &[(u32, u32)], kind: CatchKind) -> (Reg, Reg) {
        let handler = self.asm.here();
        let (exception, saved) = (self.asm.temp(), self.asm.temp());
        self.asm.catch(segments, handler, kind, exception);
        (exception, saved)
    }

    /// Ends the innermost covered construct; the instructions that it covers.
    fn close_covered(&mut self) -> Vec<(u32, u32)> {
        match self.fun.control.pop() {
            Some(
                Control::Rescue(mut covered)
                | Control::Ensure(mut covered, _)
                | Control::Clause { mut covered, .. }
                | Control::Once { mut covered, .. },
            ) => {
                covered.close(self.asm.pc());
                covered.segments
            }
            _ => Vec::new(),
        }
    }

    fn begin_rescue(&mut self, node: &BeginNode<'pr>, dst: Option<Reg>) {
        let Some(first) = node.rescue_clause() else {
            let body = if node.else_clause().is_some() { None } else { dst };
            self.statements(node.statements(), body);
            if let Some(clause) = node.else_clause() {
                self.statements(clause.statements(), dst);
            }
            return;
        };
        let otherwise = node.else_clause();
        let body_dst = if otherwise.is_some() { None } else { dst };
        self.rescuing(
            |compiler| compiler.statements(node.statements(), body_dst),
            |compiler| {
                if let Some(clause) = &otherwise {
                    compiler.statements(clause.statements(), dst);
                }
            },
            |compiler, exception, saved, done| compiler.rescue_clauses(first, exception, saved, done, dst),
        );
    }

    /// The frame of a rescue: body, code after it that is not covered, clauses.
    fn rescuing(
        &mut self,
        body: impl FnOnce(&mut Self),
        after: impl FnOnce(&mut Self),
        clauses: impl FnOnce(&mut Self, Reg, Reg, Label),
    ) {
        let retry = self.asm.here_in_statement();
        self.fun.control.push(Control::Rescue(Covered::open(self.asm.pc())));
        body(self);
        let segments = self.close_covered();
        after(self);
        let done = self.asm.label();
        self.asm.goto(done);
        let (exception, saved) = self.handler(&segments, CatchKind::Rescue);
        // A line counts again in a clause, which is code of its own in CRuby.
        self.asm.repeat_statements();
        self.clause(saved, Some(retry), exception, |compiler| clauses(compiler, exception, saved, done));
        self.asm.bind(done);
    }

    fn rescue_clauses(&mut self, first: RescueNode<'pr>, exception: Reg, saved: Reg, done: Label, dst: Option<Reg>) {
        let mut clause = Some(first);
        while let Some(node) = clause {
            let (body, next) = (self.asm.label(), self.asm.label());
            self.set_line_at(&node.location());
            self.rescue_conditions(&node.exceptions(), exception, body, next);
            self.asm.bind(body);
            // The event has the line of what runs first.
            let statements = node.statements().filter(|_| node.reference().is_none());
            if let Some(first) = statements.and_then(|statements| statements.body().first()) {
                self.set_line_at(&first.location());
            }
            self.asm.rescued();
            if let Some(reference) = node.reference() {
                self.assign_node(&reference, exception);
            }
            self.statements(node.statements(), dst);
            self.asm.emit(Op::SetErrInfo, saved, 0, 0);
            self.asm.goto(done);
            self.asm.bind(next);
            clause = node.subsequent();
        }
    }

    /// Goes to `body` when one of the classes matches, else to `next`.
    fn rescue_conditions(&mut self, list: &NodeList<'pr>, exception: Reg, body: Label, next: Label) {
        if list.is_empty() {
            self.match_standard_error(exception, next);
            return;
        }
        let count = list.len();
        for (index, node) in list.iter().enumerate() {
            let mark = self.asm.mark();
            let base = self.asm.temp();
            let intrinsic = match node.as_splat_node() {
                Some(splat) => {
                    self.splat_value(&splat, base);
                    self.asm.emit_x(Op::SplatArray, 0, base, base, 0);
                    Intrinsic::RescueMatchAny
                }
                None => {
                    self.into(&node, base);
                    Intrinsic::RescueMatch
                }
            };
            let argument = self.asm.temp();
            self.asm.emit(Op::Move, argument, exception, 0);
            self.asm.emit_x(Op::Intrinsic, intrinsic as u8, base, base, 2);
            if index + 1 == count {
                self.asm.jump(Op::JumpUnless, base, next);
            } else {
                self.asm.jump(Op::JumpIf, base, body);
            }
            self.asm.release(mark);
        }
    }

    fn match_standard_error(&mut self, exception: Reg, next: Label) {
        let mark = self.asm.mark();
        let base = self.asm.temp();
        let argument = self.asm.temp();
        let name = self.name(b"StandardError");
        let cache = self.asm.cache();
        self.asm.emit(Op::GetConstTop, base, name, cache);
        self.asm.emit(Op::Move, argument, exception, 0);
        self.asm.emit_x(Op::Intrinsic, Intrinsic::RescueMatch as u8, base, base, 2);
        self.asm.jump(Op::JumpUnless, base, next);
        self.asm.release(mark);
    }

    /// `a rescue b`
    pub fn rescue_modifier(&mut self, node: &RescueModifierNode<'pr>, dst: Option<Reg>) {
        self.rescuing(
            |compiler| compiler.expr(&node.expression(), dst),
            |_| {},
            |compiler, exception, saved, done| {
                let next = compiler.asm.label();
                compiler.match_standard_error(exception, next);
                compiler.asm.rescued();
                compiler.expr(&node.rescue_expression(), dst);
                compiler.asm.emit(Op::SetErrInfo, saved, 0, 0);
                compiler.asm.goto(done);
                compiler.asm.bind(next);
            },
        );
    }

    /// R[reg] = nil when evaluating `body` raises.
    pub fn nil_when_raising(&mut self, reg: Reg, body: impl FnOnce(&mut Self)) {
        self.rescuing(
            body,
            |_| {},
            |compiler, exception, saved, done| {
                let next = compiler.asm.label();
                compiler.match_standard_error(exception, next);
                compiler.asm.emit(Op::LoadNil, reg, 0, 0);
                compiler.asm.emit(Op::SetErrInfo, saved, 0, 0);
                compiler.asm.goto(done);
                compiler.asm.bind(next);
            },
        );
    }
}
