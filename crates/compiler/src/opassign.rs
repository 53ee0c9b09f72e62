//! `a op= b`, `a ||= b`, `a &&= b` for every kind of target. Receivers and indexes are evaluated once.

use crate::asm::{Label, Reg};
use crate::assign::Target;
use crate::compiler::Compiler;
use crate::expr::{may_write_local, writes_last};
use crate::scope::{Found, Key};
use rubellite_bytecode::{CallSite, DefinedKind, Insn, Op};
use ruby_prism::*;

/// What stands before the `=`.
#[derive(Copy, Clone)]
enum Operator<'pr> {
    /// A binary operator and where it stands.
    Binary(&'pr [u8], u32),
    Or,
    And,
}

impl<'pr> Operator<'pr> {
    fn binary(name: &ConstantId<'pr>, location: &Location<'pr>) -> Self {
        Operator::Binary(name.as_slice(), location.start())
    }

    fn offset(self) -> Option<u32> {
        match self {
            Operator::Binary(_, offset) => Some(offset),
            Operator::Or | Operator::And => None,
        }
    }
}

/// A variable that is read and written without parts of its own.
enum Place<'pr> {
    Ivar(&'pr [u8]),
    Global(&'pr [u8]),
    Cvar(&'pr [u8]),
    Constant(&'pr [u8]),
    Path(Reg, &'pr [u8]),
}

macro_rules! forms {
    ($self:ident, $node:ident, $dst:ident; $(
        $or:ident $as_or:ident $and:ident $as_and:ident $op:ident $as_op:ident
            |$n:ident, $operator:ident| $body:expr,
    )*) => {
        match $node {
            $(
                Node::$or { .. } => if let Some($n) = $node.$as_or() { let $operator = Operator::Or; $body },
                Node::$and { .. } => if let Some($n) = $node.$as_and() { let $operator = Operator::And; $body },
                Node::$op { .. } => if let Some($n) = $node.$as_op() {
                    let $operator = Operator::binary(&$n.binary_operator(), &$n.binary_operator_loc());
                    $body
                },
            )*
            _ => $self.fail("unsupported syntax"),
        }
    };
}

impl<'pr> Compiler<'pr> {
    pub fn operator_assignment(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        self.note_update(node);
        forms! { self, node, dst;
            LocalVariableOrWriteNode as_local_variable_or_write_node
            LocalVariableAndWriteNode as_local_variable_and_write_node
            LocalVariableOperatorWriteNode as_local_variable_operator_write_node
                |n, operator| self.update_local(Key::Name(n.name().as_slice()), operator, &n.value(), dst),
            InstanceVariableOrWriteNode as_instance_variable_or_write_node
            InstanceVariableAndWriteNode as_instance_variable_and_write_node
            InstanceVariableOperatorWriteNode as_instance_variable_operator_write_node
                |n, operator| self.update_place(&Place::Ivar(n.name().as_slice()), operator, &n.value(), dst),
            GlobalVariableOrWriteNode as_global_variable_or_write_node
            GlobalVariableAndWriteNode as_global_variable_and_write_node
            GlobalVariableOperatorWriteNode as_global_variable_operator_write_node
                |n, operator| self.update_place(&Place::Global(n.name().as_slice()), operator, &n.value(), dst),
            ClassVariableOrWriteNode as_class_variable_or_write_node
            ClassVariableAndWriteNode as_class_variable_and_write_node
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node
                |n, operator| self.update_place(&Place::Cvar(n.name().as_slice()), operator, &n.value(), dst),
            ConstantOrWriteNode as_constant_or_write_node
            ConstantAndWriteNode as_constant_and_write_node
            ConstantOperatorWriteNode as_constant_operator_write_node
                |n, operator| self.update_place(&Place::Constant(n.name().as_slice()), operator, &n.value(), dst),
            ConstantPathOrWriteNode as_constant_path_or_write_node
            ConstantPathAndWriteNode as_constant_path_and_write_node
            ConstantPathOperatorWriteNode as_constant_path_operator_write_node
                |n, operator| self.update_path(&n.target(), operator, &n.value(), dst),
            CallOrWriteNode as_call_or_write_node
            CallAndWriteNode as_call_and_write_node
            CallOperatorWriteNode as_call_operator_write_node
                |n, operator| {
                    let names = (n.read_name().as_slice(), n.write_name().as_slice());
                    let line = n.message_loc().map_or(n.location().start(), |location| location.start());
                    let how = (n.is_safe_navigation(), n.is_ignore_visibility(), line);
                    self.update_attribute(n.receiver(), names, how, operator, &n.value(), dst)
                },
            IndexOrWriteNode as_index_or_write_node
            IndexAndWriteNode as_index_and_write_node
            IndexOperatorWriteNode as_index_operator_write_node
                |n, operator| {
                    let line = n.location().start();
                    let how = (n.is_safe_navigation(), n.is_ignore_visibility(), line);
                    self.update_index(n.receiver(), n.arguments(), how, operator, &n.value(), dst)
                },
        }
    }

    /// R[reg] = R[left] operator value.
    fn apply(&mut self, name: &[u8], at: u32, left: Reg, value: &Node<'pr>, reg: Reg) {
        let mark = self.asm.mark();
        let op = crate::calls::binary_op(name);
        let insn = match (op, crate::calls::small_literal(value)) {
            (Some(Op::Add), Some(number)) => Some(Insn::abc(Op::AddInt, reg, left, number as u16)),
            (Some(Op::Sub), Some(number)) => Some(Insn::abc(Op::SubInt, reg, left, number as u16)),
            (Some(op), _) => {
                let right = self.operand(value);
                Some(Insn::abc(op, reg, left, right))
            }
            (None, _) => None,
        };
        match insn {
            Some(insn) => {
                let site = self.operator_site(name, 1, false);
                self.line_of(at);
                self.blame_operator(at);
                self.asm.emit_with_site(insn, site);
            }
            None => {
                let base = self.window(left);
                self.temp(value);
                let site = self.operator_site(name, 1, false);
                self.line_of(at);
                self.blame_operator(at);
                self.asm.emit(Op::Call, reg, base, site);
            }
        }
        self.asm.release(mark);
    }

    fn line_of(&mut self, offset: u32) {
        let line = self.src.line(offset);
        self.asm.set_line(line);
    }

    fn update_local(&mut self, key: Key<'pr>, operator: Operator<'pr>, value: &Node<'pr>, dst: Option<Reg>) {
        let Some(Found::Reg(reg)) = self.find(key) else {
            let reg = self.target(dst);
            self.load(key, reg);
            let done = self.combine(operator, reg, value);
            self.store(key, reg);
            return self.bind_optional(done);
        };
        match operator {
            Operator::Binary(name, at) => {
                let left = if may_write_local(value, 4) {
                    let copy = self.asm.temp();
                    self.asm.move_to(copy, reg);
                    copy
                } else {
                    reg
                };
                self.apply(name, at, left, value, reg);
            }
            Operator::Or | Operator::And => {
                let done = self.short_circuit(operator, reg);
                if writes_last(value) {
                    self.into(value, reg);
                } else {
                    let result = self.operand(value);
                    self.asm.move_to(reg, result);
                }
                self.asm.bind(done);
            }
        }
        if let Some(dst) = dst {
            self.asm.move_to(dst, reg);
        }
    }

    fn short_circuit(&mut self, operator: Operator<'pr>, reg: Reg) -> Label {
        let done = self.asm.label();
        let op = if matches!(operator, Operator::And) { Op::JumpUnless } else { Op::JumpIf };
        self.asm.jump(op, reg, done);
        done
    }

    /// R[reg] = R[reg] operator value; jumps to the returned label when nothing is to be assigned.
    fn combine(&mut self, operator: Operator<'pr>, reg: Reg, value: &Node<'pr>) -> Option<Label> {
        match operator {
            Operator::Binary(name, at) => {
                self.apply(name, at, reg, value, reg);
                None
            }
            Operator::Or | Operator::And => {
                let done = self.short_circuit(operator, reg);
                self.into(value, reg);
                Some(done)
            }
        }
    }

    fn bind_optional(&mut self, label: Option<Label>) {
        if let Some(label) = label {
            self.asm.bind(label);
        }
    }

    fn update_place(&mut self, place: &Place<'pr>, operator: Operator<'pr>, value: &Node<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        // `||=` on something undefined assigns without complaint.
        let undefined = matches!(operator, Operator::Or).then(|| self.jump_if_undefined(place, reg)).flatten();
        self.read_place(place, reg);
        let done = match (operator, undefined) {
            (Operator::Or, Some(undefined)) => {
                let done = self.short_circuit(operator, reg);
                self.asm.bind(undefined);
                self.into(value, reg);
                Some(done)
            }
            _ => self.combine(operator, reg, value),
        };
        let target = match place {
            Place::Ivar(name) => Target::Ivar(self.name(name)),
            Place::Global(name) => Target::Global(self.name(name)),
            Place::Cvar(name) => Target::Cvar(self.name(name)),
            Place::Constant(name) => Target::Constant(None, self.name(name)),
            Place::Path(module, name) => Target::Constant(Some(*module), self.name(name)),
        };
        self.assign(&target, reg);
        self.bind_optional(done);
    }

    fn jump_if_undefined(&mut self, place: &Place<'pr>, reg: Reg) -> Option<Label> {
        let (kind, name, module) = match place {
            Place::Ivar(_) => return None,
            Place::Global(name) => (DefinedKind::Global, name, 0),
            Place::Cvar(name) => (DefinedKind::Cvar, name, 0),
            Place::Constant(name) => (DefinedKind::Const, name, 0),
            Place::Path(module, name) => (DefinedKind::ConstFrom, name, *module),
        };
        let undefined = self.asm.label();
        let name = self.name(name);
        self.asm.emit_x(Op::Defined, kind as u8, reg, name, module);
        self.asm.jump(Op::JumpUnless, reg, undefined);
        Some(undefined)
    }

    fn read_place(&mut self, place: &Place<'pr>, reg: Reg) {
        match place {
            Place::Ivar(name) => {
                let name = self.name(name);
                let cache = self.asm.cache();
                self.asm.emit(Op::GetIvar, reg, name, cache);
            }
            Place::Global(name) => self.read_global(name, Some(reg)),
            Place::Cvar(name) => {
                let name = self.name(name);
                self.asm.emit(Op::GetCvar, reg, name, 0);
            }
            Place::Constant(name) => self.read_constant(name, Some(reg)),
            Place::Path(module, name) => {
                let name = self.name(name);
                let cache = self.asm.cache();
                self.asm.move_to(reg, *module);
                self.blame_target();
                self.updating(None);
                self.asm.emit(Op::GetConstFrom, reg, name, cache);
            }
        }
    }

    fn update_path(
        &mut self,
        target: &ConstantPathNode<'pr>,
        operator: Operator<'pr>,
        value: &Node<'pr>,
        dst: Option<Reg>,
    ) {
        let module = match target.parent() {
            Some(parent) => self.temp(&parent),
            None => self.object(),
        };
        let name = target.name().map_or(&b""[..], |name| name.as_slice());
        self.updating(operator.offset());
        self.update_place(&Place::Path(module, name), operator, value, dst);
    }

    fn update_attribute(
        &mut self,
        receiver: Option<Node<'pr>>,
        (read, write): (&'pr [u8], &'pr [u8]),
        (safe, self_call, at): (bool, bool, u32),
        operator: Operator<'pr>,
        value: &Node<'pr>,
        dst: Option<Reg>,
    ) {
        let reg = self.target(dst);
        let object = self.asm.temp();
        self.receiver(receiver, object);
        let skip = safe.then(|| self.skip_nil(object));
        let name = self.name(read);
        let site = self.asm.site(CallSite { name, self_call, ..CallSite::default() });
        let mark = self.asm.mark();
        let base = self.window(object);
        self.line_of(at);
        self.updating(operator.offset());
        self.blame_target();
        self.asm.emit(Op::Call, reg, base, site);
        self.updating(None);
        self.asm.release(mark);
        let done = self.combine(operator, reg, value);
        let name = self.name(write);
        self.line_of(at);
        self.updating(operator.offset());
        self.assign(
            &Target::Attribute { receiver: object, name, self_call, safe: false, line: self.src.line(at) },
            reg,
        );
        self.updating(None);
        self.bind_optional(done);
        if let Some(skip) = skip {
            self.nil_when_skipped(skip, reg, None);
        }
    }

    fn update_index(
        &mut self,
        receiver: Option<Node<'pr>>,
        arguments: Option<ArgumentsNode<'pr>>,
        (safe, self_call, at): (bool, bool, u32),
        operator: Operator<'pr>,
        value: &Node<'pr>,
        dst: Option<Reg>,
    ) {
        let reg = self.target(dst);
        let Some(receiver) = receiver else { return self.fail("index without a receiver") };
        let skip = self.asm.label();
        let target = if safe {
            let object = self.temp(&receiver);
            self.asm.jump(Op::JumpNil, object, skip);
            self.prepare_index_of(object, arguments, self_call, self.src.line(at))
        } else {
            self.prepare_index(&receiver, arguments, self_call, self.src.line(at))
        };
        let mark = self.asm.mark();
        self.line_of(at);
        self.updating(operator.offset());
        self.read_index(&target, reg);
        self.updating(None);
        self.asm.release(mark);
        let done = self.combine(operator, reg, value);
        self.line_of(at);
        self.updating(operator.offset());
        self.assign(&target, reg);
        self.updating(None);
        self.bind_optional(done);
        if safe {
            self.nil_when_skipped(skip, reg, None);
        }
    }

    fn read_index(&mut self, target: &Target<'pr>, reg: Reg) {
        match target {
            Target::Index { receiver, key, self_call, .. } => {
                let site = self.operator_site(b"[]", 1, *self_call);
                self.blame_target();
                self.asm.emit_with_site(Insn::abc(Op::ARef, reg, *receiver, *key), site);
            }
            Target::Indexes { receiver, first, count, splat, self_call, .. } => {
                let base = self.window(*receiver);
                self.index_arguments(*first, *count);
                let name = self.name(b"[]");
                let site = self.asm.site(CallSite {
                    name,
                    argc: *count,
                    splat: *splat,
                    self_call: *self_call,
                    ..CallSite::default()
                });
                self.blame_target();
                self.asm.emit(Op::Call, reg, base, site);
            }
            _ => {}
        }
    }
}
