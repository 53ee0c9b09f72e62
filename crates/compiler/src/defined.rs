//! `defined?`: a description of an expression, or nil. What must be evaluated on the way (receivers,
//! modules) is, and an exception there means nil.

use crate::asm::{Label, Reg};
use crate::assign::back_reference_kind;
use crate::compiler::Compiler;
use rubellite_bytecode::{Const, DefinedKind, Encoding, Op, Text};
use ruby_prism::*;

impl<'pr> Compiler<'pr> {
    pub fn defined(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        // Nothing is evaluated when nobody wants to know.
        let Some(reg) = dst else { return };
        let undefined = self.asm.label();
        let done = self.asm.label();
        if may_raise(node) {
            self.nil_when_raising(reg, |compiler| {
                compiler.description(node, reg, undefined);
                compiler.asm.goto(done);
                compiler.asm.bind(undefined);
                compiler.asm.emit(Op::LoadNil, reg, 0, 0);
                compiler.asm.bind(done);
            });
            return;
        }
        self.description(node, reg, undefined);
        self.asm.goto(done);
        self.asm.bind(undefined);
        self.asm.emit(Op::LoadNil, reg, 0, 0);
        self.asm.bind(done);
    }

    fn describe(&mut self, text: &'static str, reg: Reg) {
        let text = Text::new(text.as_bytes(), Encoding::US_ASCII);
        self.literal(Const::Str(text), Some(reg));
    }

    fn ask(&mut self, kind: DefinedKind, operand: u16, module: Reg, reg: Reg) {
        self.asm.emit_x(Op::Defined, kind as u8, reg, operand, module);
    }

    /// R[reg] = the description or nil; goes to `undefined` when a part is not defined.
    fn description(&mut self, node: &Node<'pr>, reg: Reg, undefined: Label) {
        if !self.descend() {
            return self.ascend();
        }
        match node {
            Node::NilNode { .. } => self.describe("nil", reg),
            Node::SelfNode { .. } => self.describe("self", reg),
            Node::TrueNode { .. } => self.describe("true", reg),
            Node::FalseNode { .. } => self.describe("false", reg),
            Node::LocalVariableReadNode { .. } | Node::ItLocalVariableReadNode { .. } => {
                self.describe("local-variable", reg)
            }
            Node::ParenthesesNode { .. } => {
                self.describe_body(node.as_parentheses_node().and_then(|n| n.body()), reg, undefined)
            }
            Node::BeginNode { .. } => self.describe_begin(node, reg, undefined),
            Node::StatementsNode { .. } => {
                self.describe_body(node.as_statements_node().map(|n| n.as_node()), reg, undefined)
            }
            Node::ArrayNode { .. } => {
                let elements = node.as_array_node().map(|n| n.elements());
                self.describe_all(&mut elements.iter().flat_map(|n| n.iter()), reg, undefined);
            }
            Node::HashNode { .. } => {
                let elements = node.as_hash_node().map(|n| n.elements());
                self.describe_all(&mut elements.iter().flat_map(|n| n.iter()), reg, undefined);
            }
            Node::RangeNode { .. } => {
                let bounds = node.as_range_node().map(|n| [n.left(), n.right()]);
                self.describe_all(&mut bounds.into_iter().flatten().flatten(), reg, undefined);
            }
            Node::CallNode { .. }
                if node.as_call_node().is_some_and(|n| !matches!(n.block(), Some(Node::BlockNode { .. }))) =>
            {
                if let Some(call) = node.as_call_node() {
                    self.describe_call(&call, reg, undefined);
                }
            }
            _ if is_assignment(node) => self.describe("assignment", reg),
            _ => self.describe_lookup(node, reg, undefined),
        }
        self.ascend();
    }

    /// Variables, constants, `yield`, `super`: a question to the VM. Everything else is an expression.
    fn describe_lookup(&mut self, node: &Node<'pr>, reg: Reg, undefined: Label) {
        match node {
            Node::InstanceVariableReadNode { .. } => {
                let name = node.as_instance_variable_read_node().map(|n| self.name(n.name().as_slice()));
                self.ask(DefinedKind::Ivar, name.unwrap_or(0), 0, reg);
            }
            Node::GlobalVariableReadNode { .. } => {
                let name = node.as_global_variable_read_node().map(|n| self.name(n.name().as_slice()));
                self.ask(DefinedKind::Global, name.unwrap_or(0), 0, reg);
            }
            Node::ClassVariableReadNode { .. } => {
                let name = node.as_class_variable_read_node().map(|n| self.name(n.name().as_slice()));
                self.ask(DefinedKind::Cvar, name.unwrap_or(0), 0, reg);
            }
            Node::ConstantReadNode { .. } => {
                let name = node.as_constant_read_node().map(|n| self.name(n.name().as_slice()));
                self.ask(DefinedKind::Const, name.unwrap_or(0), 0, reg);
            }
            Node::ConstantPathNode { .. } => self.describe_path(node, reg, undefined),
            Node::NumberedReferenceReadNode { .. } => {
                let number = node.as_numbered_reference_read_node().map_or(0, |n| n.number());
                match u16::try_from(number) {
                    Ok(number) if number > 0 => self.ask(DefinedKind::NthRef, number, 0, reg),
                    _ => self.asm.emit(Op::LoadNil, reg, 0, 0),
                }
            }
            Node::BackReferenceReadNode { .. } => {
                let kind = node.as_back_reference_read_node().map_or(0, |n| back_reference_kind(n.name().as_slice()));
                self.ask(DefinedKind::BackRef, kind as u16, 0, reg);
            }
            Node::YieldNode { .. } => {
                self.fun.uses_block = true;
                self.ask(DefinedKind::Yield, 0, 0, reg);
            }
            Node::SuperNode { .. } => {
                let arguments = node.as_super_node().and_then(|n| n.arguments());
                self.require_defined(&mut arguments.iter().flat_map(|n| n.arguments().iter()), reg, undefined);
                self.ask(DefinedKind::Super, 0, 0, reg);
            }
            Node::ForwardingSuperNode { .. } => self.ask(DefinedKind::Super, 0, 0, reg),
            _ => self.describe("expression", reg),
        }
    }

    fn describe_path(&mut self, node: &Node<'pr>, reg: Reg, undefined: Label) {
        let Some(path) = node.as_constant_path_node() else { return };
        let name = path.name().map_or(&b""[..], |name| name.as_slice());
        let name = self.name(name);
        match path.parent() {
            Some(parent) => {
                let mark = self.asm.mark();
                let module = self.defined_value(&parent, reg, undefined);
                self.ask(DefinedKind::ConstFrom, name, module, reg);
                self.asm.release(mark);
            }
            None => self.ask(DefinedKind::ConstTop, name, 0, reg),
        }
    }

    /// A register with the value of `node`, which is evaluated once; goes to `undefined` when it is not defined.
    fn defined_value(&mut self, node: &Node<'pr>, reg: Reg, undefined: Label) -> Reg {
        let value = self.asm.temp();
        let mark = self.asm.mark();
        let simple_call =
            node.as_call_node().filter(|n| n.receiver().is_some() && n.block().is_none() && !n.is_safe_navigation());
        match simple_call {
            Some(call) => {
                if let Some(receiver) = self.describe_call(&call, reg, undefined) {
                    self.asm.jump(Op::JumpUnless, reg, undefined);
                    let base = self.window(receiver);
                    let mut site = self.arguments(call.arguments(), None);
                    site.name = self.name(call.name().as_slice());
                    site.self_call = call.is_ignore_visibility();
                    let site = self.asm.site(site);
                    self.asm.emit(Op::Call, value, base, site);
                }
            }
            None => {
                self.description(node, reg, undefined);
                self.asm.jump(Op::JumpUnless, reg, undefined);
                self.into(node, value);
            }
        }
        self.asm.release(mark);
        value
    }

    /// Goes to `undefined` unless every node is defined.
    fn require_defined(&mut self, nodes: &mut dyn Iterator<Item = Node<'pr>>, reg: Reg, undefined: Label) {
        for node in nodes {
            self.description(&node, reg, undefined);
            self.asm.jump(Op::JumpUnless, reg, undefined);
        }
    }

    fn describe_all(&mut self, nodes: &mut dyn Iterator<Item = Node<'pr>>, reg: Reg, undefined: Label) {
        for node in nodes {
            match node {
                Node::AssocNode { .. } => {
                    let pair = node.as_assoc_node().map(|n| [n.key(), n.value()]);
                    self.require_defined(&mut pair.into_iter().flatten(), reg, undefined);
                }
                Node::AssocSplatNode { .. } => {
                    let value = node.as_assoc_splat_node().and_then(|n| n.value());
                    self.require_defined(&mut value.into_iter(), reg, undefined);
                }
                Node::SplatNode { .. } => {
                    let value = node.as_splat_node().and_then(|n| n.expression());
                    self.require_defined(&mut value.into_iter(), reg, undefined);
                }
                Node::KeywordHashNode { .. } => {
                    let elements = node.as_keyword_hash_node().map(|n| n.elements());
                    self.describe_all(&mut elements.iter().flat_map(|n| n.iter()), reg, undefined);
                }
                node => self.require_defined(&mut std::iter::once(node), reg, undefined),
            }
        }
        self.describe("expression", reg);
    }

    fn describe_body(&mut self, body: Option<Node<'pr>>, reg: Reg, undefined: Label) {
        let Some(body) = body else { return self.describe("nil", reg) };
        match crate::expr::single_statement(Some(body)) {
            Some(single) => self.description(&single, reg, undefined),
            None => self.describe("expression", reg),
        }
    }

    fn describe_begin(&mut self, node: &Node<'pr>, reg: Reg, undefined: Label) {
        let Some(begin) = node.as_begin_node() else { return };
        if begin.rescue_clause().is_none() && begin.ensure_clause().is_none() && begin.else_clause().is_none() {
            self.describe_body(begin.statements().map(|n| n.as_node()), reg, undefined);
        } else {
            self.describe("expression", reg);
        }
    }

    /// R[reg] = the description of a call; returns the register of its receiver, which stays allocated.
    fn describe_call(&mut self, call: &CallNode<'pr>, reg: Reg, undefined: Label) -> Option<Reg> {
        let nodes: Vec<Node> = call.arguments().iter().flat_map(|n| n.arguments().iter()).collect();
        if !nodes.is_empty() {
            self.describe_all(&mut nodes.into_iter(), reg, undefined);
        }
        let name = self.name(call.name().as_slice());
        match call.receiver() {
            None => {
                self.ask(DefinedKind::SelfCall, name, 0, reg);
                None
            }
            // An explicit self does not reach private methods here.
            Some(Node::SelfNode { .. }) => {
                self.ask(DefinedKind::Method, name, 0, reg);
                Some(0)
            }
            Some(receiver) => {
                let object = self.defined_value(&receiver, reg, undefined);
                self.ask(DefinedKind::Method, name, object, reg);
                Some(object)
            }
        }
    }
}

fn may_raise(node: &Node) -> bool {
    matches!(
        node,
        Node::CallNode { .. }
            | Node::ConstantPathNode { .. }
            | Node::ArrayNode { .. }
            | Node::HashNode { .. }
            | Node::RangeNode { .. }
            | Node::ParenthesesNode { .. }
            | Node::BeginNode { .. }
            | Node::StatementsNode { .. }
            | Node::SuperNode { .. }
    )
}

fn is_assignment(node: &Node) -> bool {
    matches!(
        node,
        Node::LocalVariableWriteNode { .. }
            | Node::LocalVariableOperatorWriteNode { .. }
            | Node::LocalVariableAndWriteNode { .. }
            | Node::LocalVariableOrWriteNode { .. }
            | Node::InstanceVariableWriteNode { .. }
            | Node::InstanceVariableOperatorWriteNode { .. }
            | Node::InstanceVariableAndWriteNode { .. }
            | Node::InstanceVariableOrWriteNode { .. }
            | Node::GlobalVariableWriteNode { .. }
            | Node::GlobalVariableOperatorWriteNode { .. }
            | Node::GlobalVariableAndWriteNode { .. }
            | Node::GlobalVariableOrWriteNode { .. }
            | Node::ClassVariableWriteNode { .. }
            | Node::ClassVariableOperatorWriteNode { .. }
            | Node::ClassVariableAndWriteNode { .. }
            | Node::ClassVariableOrWriteNode { .. }
            | Node::ConstantWriteNode { .. }
            | Node::ConstantOperatorWriteNode { .. }
            | Node::ConstantAndWriteNode { .. }
            | Node::ConstantOrWriteNode { .. }
            | Node::ConstantPathWriteNode { .. }
            | Node::ConstantPathOperatorWriteNode { .. }
            | Node::ConstantPathAndWriteNode { .. }
            | Node::ConstantPathOrWriteNode { .. }
            | Node::CallOperatorWriteNode { .. }
            | Node::CallAndWriteNode { .. }
            | Node::CallOrWriteNode { .. }
            | Node::IndexOperatorWriteNode { .. }
            | Node::IndexAndWriteNode { .. }
            | Node::IndexOrWriteNode { .. }
            | Node::MultiWriteNode { .. }
    )
}
