//! The state of the walk: the code object under construction, those around it, and what control flow
//! must leave on its way out. Lowering itself lives in the modules named after topics.

use crate::Options;
use crate::arms;
use crate::asm::{Asm, Label, Reg};
use crate::diagnostics::{ErrorLevel, SyntaxError, Warning};
use crate::scope::{Found, Key, ScopeId, ScopeKind, Scopes, is_identifier};
use crate::sharing::Sharing;
use crate::source::Source;
use crate::spot::{Search, Spot};
use rubellite_bytecode::{Encoding, ISeq, ISeqKind, Insn, Intrinsic, Local, Op, Params, Place, Text};
use ruby_prism::*;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::rc::Rc;

/// What a jump out of a construct has to leave, innermost last in [`Function::control`].
pub enum Control<'pr> {
    /// A `while` loop.
    While { end: Label, next: Label, redo: Label, dst: Option<Reg> },
    /// Code covered by rescue clauses.
    Rescue(Covered),
    /// Inside a rescue clause or the unwinding copy of an ensure clause: the previous `$!`, and where
    /// `retry` leads. Unwinding out of the clause restores `$!`.
    Clause { covered: Covered, saved: Reg, retry: Option<Label> },
    /// Code covered by an ensure clause, which runs on the way out.
    Ensure(Covered, Rc<EnsureNode<'pr>>),
    /// Code whose value is made once: the claim is given back on the way out.
    Once { covered: Covered, cache: u16, claim: Reg },
}

/// The instructions that a catch entry covers: inlined ensure bodies make holes.
#[derive(Default)]
pub struct Covered {
    pub start: Option<u32>,
    pub segments: Vec<(u32, u32)>,
}

impl Covered {
    pub fn open(pc: u32) -> Covered {
        Covered { start: Some(pc), segments: Vec::new() }
    }

    pub fn close(&mut self, pc: u32) {
        if let Some(start) = self.start.take() {
            self.segments.push((start, pc));
        }
    }
}

/// The code object under construction, besides its instructions.
pub struct Function<'pr> {
    pub scope: ScopeId,
    pub kind: ISeqKind,
    pub name: Text,
    pub line: i32,
    /// Where its source ends: the line of an implicit return.
    pub end_line: i32,
    pub params: Params,
    pub parameters: Option<ParametersNode<'pr>>,
    pub control: Vec<Control<'pr>>,
    /// Where `redo` leads in a block.
    pub redo: Option<Label>,
    pub local_end: u16,
    /// Where the body begins, behind the defaults of parameters.
    pub body: u32,
    pub uses_block: bool,
    /// Its number among the code objects of the script.
    pub serial: u32,
    /// What stands for the whole of it in error reports: the name of a method, the beginning of a block.
    pub head: Range<u32>,
    /// All of its source.
    pub whole: Range<u32>,
    /// In a class body: `break` or `next` leaves it.
    pub jumps_out: bool,
}

pub struct Compiler<'pr> {
    pub src: Source<'pr>,
    pub scopes: Scopes<'pr>,
    pub asm: Asm,
    pub fun: Function<'pr>,
    /// Code objects around this one, outermost first.
    pub outer: Vec<(Asm, Function<'pr>)>,
    /// Parameters of the method around an eval.
    pub method_params: Option<Params>,
    pub warnings: Vec<Warning>,
    /// String literals are frozen.
    pub frozen_literals: bool,
    /// String literals note where they were made.
    pub note_literals: bool,
    /// The value of a constant under `shareable_constant_value` is being compiled.
    pub sharing: Option<Sharing>,
    pub search: Search,
    /// The branches that the code counts.
    pub branches: Option<arms::Found>,
    /// Code objects begun.
    serials: u32,
    in_method: bool,
    /// What an eval has around it: blocks, and the kind of code around them.
    around: Option<(u16, ISeqKind)>,
    depth: u32,
    error: Option<SyntaxError>,
}

/// Deeper syntax trees are refused; [`crate::compile`] provides the stack for them.
const MAX_DEPTH: u32 = 12_000;

/// What comes of a walk.
pub struct Compiled {
    pub iseq: ISeq,
    pub warnings: Vec<Warning>,
    /// What the wanted instruction was made of.
    pub spot: Option<Spot>,
}

/// `wanted`: serial number of a code object and index of an instruction in it.
pub fn compile_program(
    result: &ParseResult,
    src: Source,
    options: &Options,
    wanted: Option<(u32, u32)>,
) -> Result<Compiled, SyntaxError> {
    let root = result.node();
    let Some(program) = root.as_program_node() else {
        return Err(SyntaxError::new("no program".into(), src.first_line, ErrorLevel::Syntax));
    };
    let kind = if options.kind == ISeqKind::Eval { ScopeKind::Eval } else { ScopeKind::Program };
    let scopes = Scopes::analyse(&program, kind, options.scopes);
    let name = options.around.map_or_else(|| Text::new(b"", Encoding::US_ASCII), |iseq| iseq.name.clone());
    let fun = Function::new(0, options.kind, name, options.first_line);
    let mut compiler = Compiler {
        src,
        scopes,
        asm: Asm::default(),
        fun,
        outer: Vec::new(),
        method_params: options.method_params.cloned(),
        warnings: Vec::new(),
        frozen_literals: false,
        note_literals: options.note_literals,
        sharing: None,
        search: Search::new(wanted),
        branches: options.branches.then(arms::Found::default),
        serials: 0,
        in_method: options.in_method,
        around: options.around.map(|iseq| (iseq.block_level, iseq.home)),
        depth: 0,
        error: None,
    };
    compiler.program(&program);
    let iseq = compiler.finish();
    if let Some(found) = compiler.branches.take() {
        let _ = iseq.script.branches.set(found.finish());
    }
    match compiler.error {
        Some(error) => Err(error),
        None => Ok(Compiled { iseq, warnings: compiler.warnings, spot: compiler.search.found }),
    }
}

/// Where the part of `node` begins that is evaluated first; none: it is the whole.
fn first_evaluated(node: &Node) -> Option<u32> {
    let mut current = inner(node)?;
    while let Some(next) = inner(&current) {
        current = next;
    }
    Some(current.location().start())
}

/// The part that comes before everything else of `node`.
fn inner<'pr>(node: &Node<'pr>) -> Option<Node<'pr>> {
    match node {
        Node::IfNode { .. } => node.as_if_node().map(|n| n.predicate()),
        Node::UnlessNode { .. } => node.as_unless_node().map(|n| n.predicate()),
        Node::LocalVariableWriteNode { .. } => node.as_local_variable_write_node().map(|n| n.value()),
        Node::InstanceVariableWriteNode { .. } => node.as_instance_variable_write_node().map(|n| n.value()),
        Node::ConstantWriteNode { .. } => node.as_constant_write_node().map(|n| n.value()),
        Node::CallNode { .. } => node.as_call_node().and_then(|n| n.receiver()),
        Node::AndNode { .. } => node.as_and_node().map(|n| n.left()),
        Node::OrNode { .. } => node.as_or_node().map(|n| n.left()),
        Node::CaseNode { .. } => {
            node.as_case_node().and_then(|n| n.predicate().or_else(|| n.conditions().iter().next()))
        }
        Node::WhenNode { .. } => node.as_when_node().and_then(|n| n.conditions().iter().next()),
        Node::RescueModifierNode { .. } => node.as_rescue_modifier_node().map(|n| n.expression()),
        // A literal without anything to evaluate is made in one piece.
        Node::ArrayNode { .. } | Node::HashNode { .. } if is_literal(node) => None,
        Node::ArrayNode { .. } => node.as_array_node().and_then(|n| n.elements().iter().next()),
        Node::HashNode { .. } => node.as_hash_node().and_then(|n| n.elements().iter().next()),
        Node::AssocNode { .. } => node.as_assoc_node().map(|n| n.key()),
        _ => None,
    }
}

/// Whether the value is known and never changes.
fn is_literal(node: &Node) -> bool {
    match node {
        Node::IntegerNode { .. }
        | Node::FloatNode { .. }
        | Node::RationalNode { .. }
        | Node::ImaginaryNode { .. }
        | Node::SymbolNode { .. } => true,
        Node::TrueNode { .. } | Node::FalseNode { .. } | Node::NilNode { .. } | Node::RegularExpressionNode { .. } => {
            true
        }
        Node::ArrayNode { .. } => {
            node.as_array_node().is_some_and(|n| n.elements().iter().all(|element| is_literal(&element)))
        }
        Node::HashNode { .. } => {
            node.as_hash_node().is_some_and(|n| n.elements().iter().all(|element| is_literal(&element)))
        }
        Node::AssocNode { .. } => node.as_assoc_node().is_some_and(|n| is_literal(&n.key()) && is_literal(&n.value())),
        _ => false,
    }
}

impl<'pr> Function<'pr> {
    pub fn new(scope: ScopeId, kind: ISeqKind, name: Text, line: i32) -> Self {
        Function {
            scope,
            kind,
            name,
            line,
            end_line: line,
            params: Params::default(),
            parameters: None,
            control: Vec::new(),
            redo: None,
            local_end: 1,
            body: 0,
            uses_block: false,
            serial: 0,
            head: 0..0,
            whole: 0..0,
            jumps_out: false,
        }
    }
}

impl<'pr> Compiler<'pr> {
    /// A function for the source at `location`.
    pub fn function_at(&self, kind: ISeqKind, name: Text, location: &Location<'pr>) -> Function<'pr> {
        let (scope, line) = (self.scopes.at(location.start()), self.src.line(location.start()));
        let end_line = self.src.line(location.end().saturating_sub(1));
        Function { end_line, whole: location.start()..location.end(), ..Function::new(scope, kind, name, line) }
    }

    /// `node` begins here as a statement: on the line of what is evaluated first. What only holds statements of its own
    /// does not count.
    pub fn begin_statement(&mut self, node: &Node<'pr>) {
        if matches!(node, Node::BeginNode { .. } | Node::ParenthesesNode { .. } | Node::StatementsNode { .. }) {
            return;
        }
        let line = self.src.line(first_evaluated(node).unwrap_or(node.location().start()));
        self.asm.statement(line);
    }

    fn program(&mut self, program: &ProgramNode<'pr>) {
        self.no_parameters();
        self.pre_executions(&program.statements());
        self.tail(&program.statements().as_node());
    }

    /// `BEGIN {}` blocks run before everything else; with `-n` and `-p` they stand in the loop that the parser has put
    /// around the program (nobody else can write them in a loop).
    fn pre_executions(&mut self, statements: &StatementsNode<'pr>) {
        for node in &statements.body() {
            if let Some(statements) = node.as_while_node().and_then(|n| n.statements()) {
                self.pre_executions(&statements);
            }
            if let Some(statements) = node.as_pre_execution_node().and_then(|n| n.statements()) {
                self.pre_executions(&statements);
                self.effect(&statements.as_node());
            }
        }
    }

    /// Compiles a nested code object: `body` emits everything, parameters included.
    pub fn nested(&mut self, fun: Function<'pr>, body: impl FnOnce(&mut Self)) -> ISeq {
        let line = self.asm.line();
        let asm = std::mem::take(&mut self.asm);
        self.serials += 1;
        let fun = std::mem::replace(&mut self.fun, Function { serial: self.serials, ..fun });
        self.outer.push((asm, fun));
        self.asm.set_line(self.fun.line);
        self.blame_head();
        body(self);
        let iseq = self.finish();
        if let Some((asm, fun)) = self.outer.pop() {
            self.asm = asm;
            self.fun = fun;
        }
        self.asm.set_line(line);
        iseq
    }

    fn finish(&mut self) -> ISeq {
        self.asm.link(&self.fun.params.opt_table);
        if let Some(what) = self.asm.overflow() {
            self.fail(what);
        }
        if self.scopes.list[self.fun.scope].env_size == u16::MAX {
            self.fail("too many local variables");
        }
        let asm = std::mem::take(&mut self.asm);
        let scope = &self.scopes.list[self.fun.scope];
        let own_env = self.fun.kind == ISeqKind::Eval || !matches!(scope.kind, ScopeKind::For);
        let variables = scope.variables.iter().filter(|_| own_env);
        let locals = variables.filter_map(|variable| {
            let name: &[u8] = match variable.key {
                Key::Name(name) => name,
                // For Binding#implicit_parameters; no identifier has this name.
                Key::It if variable.captured => b"%it",
                _ => return None,
            };
            if scope.passed_block() == Some(name) || !(is_identifier(name) || variable.captured) {
                return None;
            }
            let place = if variable.captured { Place::Env(variable.slot) } else { Place::Reg(variable.reg) };
            Some(Local { name: self.src.text(name), place })
        });
        let locals = in_order(locals.collect(), &self.fun.params);
        let (block_level, home) = self.block_level();
        self.fun.params.shrink();
        ISeq {
            block_level,
            home,
            kind: self.fun.kind,
            name: self.fun.name.clone(),
            script: self.src.script.clone(),
            serial: self.fun.serial,
            line: self.fun.line,
            params: std::mem::take(&mut self.fun.params),
            locals,
            register_count: asm.register_count().max(self.fun.local_end),
            local_end: self.fun.local_end,
            env_size: scope.env_size,
            cache_count: asm.cache_count(),
            case_count: asm.case_count(),
            insns: exact(asm.insns),
            body: self.fun.body,
            lines: asm.lines.as_slice().into(),
            statements: asm.statements.as_slice().into(),
            rescues: asm.rescues.as_slice().into(),
            consts: asm.consts.into(),
            names: exact(asm.names),
            sites: exact(asm.sites),
            children: asm.children.into(),
            catches: asm.catches.into(),
            uses_block: self.fun.uses_block,
        }
    }

    /// How many blocks deep the function lies, and the kind of what is around them.
    fn block_level(&self) -> (u16, ISeqKind) {
        let mut level = 0;
        let around = std::iter::once(&self.fun).chain(self.outer.iter().rev().map(|(_, fun)| fun));
        let mut home = self.fun.kind;
        for fun in around {
            home = fun.kind;
            if !matches!(fun.kind, ISeqKind::Block | ISeqKind::Lambda) {
                break;
            }
            level += 1;
        }
        match self.around.filter(|_| home == ISeqKind::Eval) {
            Some((outer, home)) => (level + outer, home),
            None => (level, home),
        }
    }

    /// Remembers the first error; the walk goes on.
    pub fn fail(&mut self, what: &str) {
        if self.error.is_none() {
            let line = self.asm.line();
            let message = format!("{}:{line}: {what}", self.src.script.path);
            self.error = Some(SyntaxError::new(message, line, ErrorLevel::Code));
        }
    }

    /// One level deeper in the syntax tree; false when it is too deep.
    pub fn descend(&mut self) -> bool {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.fail("source is nested too deeply");
        }
        self.error.is_none() && self.asm.overflow().is_none()
    }

    pub fn ascend(&mut self) {
        self.depth -= 1;
    }

    // -- names and places

    pub fn name(&mut self, bytes: &[u8]) -> u16 {
        let text = self.src.text(bytes);
        self.asm.name(text)
    }

    pub fn set_line_at(&mut self, location: &Location<'pr>) {
        let line = self.src.line(location.start());
        self.asm.set_line(line);
    }

    pub fn find(&self, key: Key<'pr>) -> Option<Found> {
        self.scopes.resolve(self.fun.scope, key)
    }

    /// R[dst] = the variable.
    pub fn load(&mut self, key: Key<'pr>, dst: Reg) {
        let found = self.find(key);
        self.load_found(found, dst);
    }

    /// R[dst] = the variable, nil where there is none.
    pub fn load_found(&mut self, found: Option<Found>, dst: Reg) {
        match found {
            Some(Found::Reg(reg)) => self.asm.move_to(dst, reg),
            Some(Found::Env(depth, slot)) => match u8::try_from(depth) {
                Ok(depth) => self.asm.emit_x(Op::GetEnv, depth, dst, slot, 0),
                Err(_) => self.far_variable(Intrinsic::GetFar, depth, slot, dst, None),
            },
            None => self.asm.emit(Op::LoadNil, dst, 0, 0),
        }
    }

    /// The variable = R[src].
    pub fn store(&mut self, key: Key<'pr>, src: Reg) {
        match self.find(key) {
            Some(Found::Reg(reg)) => self.asm.move_to(reg, src),
            Some(Found::Env(depth, slot)) => match u8::try_from(depth) {
                Ok(depth) => self.asm.emit_x(Op::SetEnv, depth, src, slot, 0),
                Err(_) => self.far_variable(Intrinsic::SetFar, depth, slot, src, Some(src)),
            },
            None => {}
        }
    }

    /// A variable that lies further out than an instruction says: evals that define variables put an environment around
    /// those that come after them, each time.
    fn far_variable(&mut self, what: Intrinsic, depth: u32, slot: u16, dst: Reg, value: Option<Reg>) {
        let mark = self.asm.mark();
        let first = self.asm.temp();
        let second = self.asm.temp();
        // Whoever reads the code finds the depth right before the intrinsic.
        if let Some(value) = value {
            let third = self.asm.temp();
            self.asm.move_to(third, value);
        }
        self.asm.push(Insn::wide(Op::LoadInt, 0, second, i32::from(slot)));
        self.asm.push(Insn::wide(Op::LoadInt, 0, first, depth as i32));
        self.asm.emit_x(Op::Intrinsic, what as u8, dst, first, 2 + u16::from(value.is_some()));
        self.asm.release(mark);
    }

    /// The function whose parameters `super` passes on, when the code is inside a method.
    pub fn method(&self) -> Option<&Function<'pr>> {
        let mut functions = std::iter::once(&self.fun).chain(self.outer.iter().rev().map(|(_, fun)| fun));
        functions
            .find(|fun| !matches!(fun.kind, ISeqKind::Block | ISeqKind::Lambda))
            .filter(|fun| fun.kind == ISeqKind::Method)
    }

    /// The code belongs to a method, so that a block may have been given.
    pub fn may_yield(&self) -> bool {
        let functions = std::iter::once(&self.fun).chain(self.outer.iter().rev().map(|(_, fun)| fun));
        match functions.map(|fun| fun.kind).find(|kind| !matches!(kind, ISeqKind::Block | ISeqKind::Lambda)) {
            Some(ISeqKind::Eval) => self.in_method,
            kind => kind == Some(ISeqKind::Method),
        }
    }

    // -- leaving constructs

    /// Leaves every construct above `depth`: ends what their catch entries cover, runs ensure bodies, restores `$!`.
    /// After the jump, [`Compiler::reenter`] puts them back for the code that follows.
    pub fn leave(&mut self, depth: usize) -> Vec<Control<'pr>> {
        let mut left = Vec::new();
        while self.fun.control.len() > depth {
            let Some(mut control) = self.fun.control.pop() else { break };
            let pc = self.asm.pc();
            match &mut control {
                Control::Rescue(covered) => covered.close(pc),
                Control::Clause { covered, saved, .. } => {
                    covered.close(pc);
                    self.asm.emit(Op::SetErrInfo, *saved, 0, 0);
                }
                Control::Ensure(covered, body) => {
                    covered.close(pc);
                    if let Some(statements) = body.statements() {
                        self.asm.repeat_statements();
                        self.effect(&statements.as_node());
                    }
                }
                Control::Once { covered, cache, claim } => {
                    covered.close(pc);
                    self.disclaim(*cache, *claim);
                }
                Control::While { .. } => {}
            }
            left.push(control);
        }
        left
    }

    pub fn reenter(&mut self, left: Vec<Control<'pr>>) {
        let pc = self.asm.pc();
        for mut control in left.into_iter().rev() {
            if let Control::Rescue(covered)
            | Control::Ensure(covered, _)
            | Control::Clause { covered, .. }
            | Control::Once { covered, .. } = &mut control
            {
                covered.start = Some(pc);
            }
            self.fun.control.push(control);
        }
    }

    /// An ensure body runs when everything above `depth` is left.
    pub fn ensures_above(&self, depth: usize) -> bool {
        self.fun.control[depth.min(self.fun.control.len())..]
            .iter()
            .any(|control| matches!(control, Control::Ensure(..)))
    }
}

/// The same elements in a block of their size. Code is kept for as long as the program runs, and lists that grew have
/// room for up to twice their length; to shrink in its place the allocator does not where less than half is left over.
fn exact<T>(mut grown: Vec<T>) -> Box<[T]> {
    let mut list = Vec::with_capacity(grown.len());
    list.append(&mut grown);
    list.into()
}

/// Locals in the order in which Ruby lists them: what destructured parameters name comes behind all parameters.
fn in_order(locals: Vec<Local>, params: &Params) -> Box<[Local]> {
    let names: FxHashSet<&[u8]> =
        params.described.iter().filter_map(|(_, name)| Some(name.as_ref()?.bytes())).collect();
    let is_parameter = |local: &Local| names.contains(local.name.bytes());
    let count = locals.iter().rposition(&is_parameter).map_or(0, |last| last + 1);
    let mut rest = locals;
    let others = rest.split_off(count);
    let (mut list, parts): (Vec<Local>, Vec<Local>) = rest.into_iter().partition(is_parameter);
    list.extend(parts);
    list.extend(others);
    list.into()
}
