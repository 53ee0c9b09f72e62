//! Branches for `Coverage`: where a program may go on in more than one way. Which constructs count, and what their
//! places are, is CRuby's: conditionals whose outcome is open, loops, `case`, and calls with `&.`.

use crate::arms::{Arms, Place, Point};
use crate::compiler::Compiler;
use rubellite_bytecode::{Intrinsic, Op};
use ruby_prism::{CallNode, CaseMatchNode, CaseNode, ElseNode, Location, Node, StatementsNode};

impl<'pr> Compiler<'pr> {
    fn place_between(&self, begin: u32, end: u32) -> Place {
        let ((line, column), (last, last_column)) = (self.src.position(begin), self.src.position(end));
        [line, column as i32, last, last_column as i32]
    }

    fn place(&self, location: &Location<'pr>) -> Place {
        self.place_between(location.start(), location.end())
    }

    fn declare(&mut self, kind: &'static str, place: Place, arms: Arms) -> Point {
        Some(self.branches.as_mut()?.declare(kind, place, arms))
    }

    /// Counts that an arm of the construct runs here.
    pub fn count_arm(&mut self, point: Point, number: usize) {
        let Some(counter) = point.and_then(|index| self.branches.as_ref()?.counter(index, number)) else { return };
        let mark = self.asm.mark();
        let register = self.asm.temp();
        self.small_integer(counter as i32, Some(register));
        self.asm.emit_x(Op::Intrinsic, Intrinsic::CountBranch as u8, register, register, 1);
        self.asm.release(mark);
    }

    /// `if` and `unless`: the first arm is that of a true condition.
    pub fn branch_conditional(
        &mut self,
        (kind, location): (&'static str, Location<'pr>),
        predicate: &Node<'pr>,
        body: &Option<StatementsNode<'pr>>,
        otherwise: &Option<Node<'pr>>,
    ) -> Point {
        if self.branches.is_none() || outcomes(predicate) != (true, true) {
            return None;
        }
        let whole = self.place(&location);
        let body = body.as_ref().map(|statements| self.place(&statements.as_node().location()));
        let otherwise = otherwise.as_ref().map(|node| match node.as_else_node() {
            Some(clause) => self.place(&clause_location(clause.statements(), node.location())),
            None => self.place(&node.location()),
        });
        let arms = if kind == "if" {
            let end = predicate.location().end();
            vec![("then", body.unwrap_or(self.place_between(end, end))), ("else", otherwise.unwrap_or(whole))]
        } else {
            // An `else` without statements lies where the whole does.
            vec![("else", otherwise.unwrap_or(whole)), ("then", body.unwrap_or(whole))]
        };
        self.declare(kind, whole, arms)
    }

    /// `while` and `until`, whose body is their only arm.
    pub fn branch_loop(
        &mut self,
        kind: &'static str,
        location: &Location<'pr>,
        body: &Option<StatementsNode<'pr>>,
    ) -> Point {
        self.branches.as_ref()?;
        let whole = self.place(location);
        let body = body.as_ref().map_or(whole, |statements| self.place(&statements.as_node().location()));
        self.declare(kind, whole, vec![("body", body)])
    }

    /// `case` with `when`: an arm for each clause, then that of `else`.
    pub fn branch_case(&mut self, node: &CaseNode<'pr>) -> Point {
        self.branches.as_ref()?;
        let clauses = node
            .conditions()
            .iter()
            .filter_map(|clause| Some(clause_location(clause.as_when_node()?.statements(), clause.location())));
        let arms: Vec<Location> = clauses.collect();
        self.branch_clauses("when", node.location(), arms, node.else_clause())
    }

    /// `case` with `in`.
    pub fn branch_case_match(&mut self, node: &CaseMatchNode<'pr>) -> Point {
        self.branches.as_ref()?;
        let clauses = node
            .conditions()
            .iter()
            .filter_map(|clause| Some(clause_location(clause.as_in_node()?.statements(), clause.location())));
        let arms: Vec<Location> = clauses.collect();
        self.branch_clauses("in", node.location(), arms, node.else_clause())
    }

    fn branch_clauses(
        &mut self,
        kind: &'static str,
        whole: Location<'pr>,
        clauses: Vec<Location<'pr>>,
        last: Option<ElseNode<'pr>>,
    ) -> Point {
        let place = self.place(&whole);
        let mut arms: Arms = clauses.iter().map(|location| (kind, self.place(location))).collect();
        let last = last.map_or(place, |clause| self.place(&clause_location(clause.statements(), clause.location())));
        arms.push(("else", last));
        self.declare("case", place, arms)
    }

    /// A call with `&.`, whose place ends with its arguments: a block is no part of it. The first arm is that of a
    /// receiver which is not nil.
    pub fn branch_call(&mut self, node: &CallNode<'pr>) -> Point {
        self.branches.as_ref()?;
        let ends = [node.closing_loc(), node.arguments().map(|list| list.as_node().location()), node.message_loc()];
        let location = node.location();
        let end = ends.into_iter().flatten().map(|location| location.end()).max().unwrap_or(location.end());
        let place = self.place_between(location.start(), end);
        self.declare("&.", place, vec![("then", place), ("else", place)])
    }
}

/// Where the statements of a clause lie, or the clause itself when it has none.
fn clause_location<'pr>(statements: Option<StatementsNode<'pr>>, clause: Location<'pr>) -> Location<'pr> {
    statements.map_or(clause, |statements| statements.as_node().location())
}

/// Whether a condition may turn out true, and whether false, as far as its parts say; those that are never reached
/// count, too.
fn outcomes(node: &Node) -> (bool, bool) {
    match node {
        Node::TrueNode { .. } | Node::IntegerNode { .. } | Node::SymbolNode { .. } | Node::StringNode { .. } => {
            (true, false)
        }
        Node::FalseNode { .. } | Node::NilNode { .. } => (false, true),
        Node::AndNode { .. } => node.as_and_node().map_or((true, true), |n| {
            let (left, right) = (outcomes(&n.left()), outcomes(&n.right()));
            (right.0, left.1 || right.1)
        }),
        Node::OrNode { .. } => node.as_or_node().map_or((true, true), |n| {
            let (left, right) = (outcomes(&n.left()), outcomes(&n.right()));
            (left.0 || right.0, right.1)
        }),
        _ => (true, true),
    }
}
