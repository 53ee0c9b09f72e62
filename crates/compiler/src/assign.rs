//! Reading and writing variables and constants, and assignment targets.
//!
//! A target may have parts of its own (`a.b`, `a[i]`, `A::B`): they are evaluated by
//! [`Compiler::prepare`] before the right side, and used by [`Compiler::assign`] after it.

use crate::asm::Reg;
use crate::compiler::Compiler;
use crate::expr::writes_last;
use crate::scope::{Found, Key};
use rubellite_bytecode::{CallSite, Insn, Op};
use ruby_prism::*;

/// A target whose own parts have been evaluated.
pub enum Target<'pr> {
    Local(Key<'pr>),
    Ivar(u16),
    Global(u16),
    Cvar(u16),
    /// Constant of the module in a register; None: of the lexical scope.
    Constant(Option<Reg>, u16),
    /// `receiver.name = value`
    Attribute {
        receiver: Reg,
        name: u16,
        self_call: bool,
        safe: bool,
        line: i32,
    },
    /// `receiver[index] = value`
    Index {
        receiver: Reg,
        key: Reg,
        self_call: bool,
        line: i32,
    },
    /// `receiver[arguments] = value`; with `splat` the arguments are one Array.
    Indexes {
        receiver: Reg,
        first: Reg,
        count: u16,
        splat: bool,
        self_call: bool,
        line: i32,
    },
    Multi {
        before: Vec<Target<'pr>>,
        rest: Option<Option<Box<Target<'pr>>>>,
        after: Vec<Target<'pr>>,
    },
    Nothing,
}

impl<'pr> Compiler<'pr> {
    // -- reads

    pub fn read_ivar(&mut self, node: &InstanceVariableReadNode<'pr>, dst: Option<Reg>) {
        let Some(reg) = dst else { return };
        let name = self.name(node.name().as_slice());
        let cache = self.asm.cache();
        self.asm.emit(Op::GetIvar, reg, name, cache);
    }

    pub fn read_global(&mut self, name: &[u8], dst: Option<Reg>) {
        let reg = self.target(dst);
        let name = self.name(name);
        self.asm.emit(Op::GetGlobal, reg, name, 0);
    }

    pub fn read_cvar(&mut self, node: &ClassVariableReadNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let name = self.name(node.name().as_slice());
        self.asm.emit(Op::GetCvar, reg, name, 0);
    }

    pub fn read_constant(&mut self, name: &[u8], dst: Option<Reg>) {
        let reg = self.target(dst);
        let name = self.name(name);
        let cache = self.asm.cache();
        self.blame_constant();
        self.asm.emit(Op::GetConst, reg, name, cache);
    }

    pub fn read_constant_path(&mut self, node: &ConstantPathNode<'pr>, dst: Option<Reg>) {
        let name = node.name().map_or(&b""[..], |name| name.as_slice());
        let spot = self.path_spot(node);
        match node.parent() {
            Some(parent) => {
                let reg = self.scratch(dst);
                self.into(&parent, reg);
                let name = self.name(name);
                let cache = self.asm.cache();
                self.set_line_at(&node.name_loc());
                self.blame(|_| spot);
                self.asm.emit(Op::GetConstFrom, reg, name, cache);
                if let Some(dst) = dst {
                    self.asm.move_to(dst, reg);
                }
            }
            None => {
                let reg = self.target(dst);
                let name = self.name(name);
                let cache = self.asm.cache();
                self.blame(|_| spot);
                self.asm.emit(Op::GetConstTop, reg, name, cache);
            }
        }
    }

    pub fn numbered_reference(&mut self, number: u32, dst: Option<Reg>) {
        let Some(reg) = dst else { return };
        match u16::try_from(number) {
            Ok(number) if number > 0 => self.asm.emit(Op::GetMatch, reg, number, 0),
            // A number that is too big is always nil.
            _ => self.asm.emit(Op::LoadNil, reg, 0, 0),
        }
    }

    pub fn back_reference(&mut self, node: &BackReferenceReadNode<'pr>, dst: Option<Reg>) {
        let Some(reg) = dst else { return };
        self.asm.emit_x(Op::GetMatch, back_reference_kind(node.name().as_slice()), reg, 0, 0);
    }

    // -- writes

    /// Every kind of assignment; the last stop of the dispatch on node kinds.
    pub fn assignment(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        match node {
            Node::LocalVariableWriteNode { .. } => {
                let Some(n) = node.as_local_variable_write_node() else { return };
                self.write_local(Key::Name(n.name().as_slice()), &n.value(), dst);
            }
            Node::InstanceVariableWriteNode { .. } => {
                let Some(n) = node.as_instance_variable_write_node() else { return };
                let name = self.name(n.name().as_slice());
                self.write_simple(Target::Ivar(name), &n.value(), dst);
            }
            Node::GlobalVariableWriteNode { .. } => {
                let Some(n) = node.as_global_variable_write_node() else { return };
                let name = self.name(n.name().as_slice());
                self.write_simple(Target::Global(name), &n.value(), dst);
            }
            Node::ClassVariableWriteNode { .. } => {
                let Some(n) = node.as_class_variable_write_node() else { return };
                let name = self.name(n.name().as_slice());
                self.write_simple(Target::Cvar(name), &n.value(), dst);
            }
            Node::ConstantWriteNode { .. } => {
                let Some(n) = node.as_constant_write_node() else { return };
                let name = self.name(n.name().as_slice());
                self.write_simple(Target::Constant(None, name), &n.value(), dst);
            }
            Node::ConstantPathWriteNode { .. } => {
                let Some(n) = node.as_constant_path_write_node() else { return };
                let target = self.prepare_path(n.target().parent(), n.target().name());
                self.write_simple(target, &n.value(), dst);
            }
            Node::MultiWriteNode { .. } => {
                let Some(n) = node.as_multi_write_node() else { return };
                self.multi_write(&n, dst);
            }
            _ => self.operator_assignment(node, dst),
        }
    }

    pub fn write_local(&mut self, key: Key<'pr>, value: &Node<'pr>, dst: Option<Reg>) {
        match self.find(key) {
            Some(Found::Reg(reg)) => {
                if writes_last(value) {
                    self.into(value, reg);
                } else {
                    let result = self.operand(value);
                    self.asm.move_to(reg, result);
                }
                if let Some(dst) = dst {
                    self.asm.move_to(dst, reg);
                }
            }
            _ => {
                let result = match dst {
                    Some(dst) => {
                        self.into(value, dst);
                        dst
                    }
                    None => self.operand(value),
                };
                self.store(key, result);
            }
        }
    }

    /// Assignment to a target that is ready.
    fn write_simple(&mut self, target: Target<'pr>, value: &Node<'pr>, dst: Option<Reg>) {
        let line = self.asm.line();
        let result = match dst {
            Some(dst) => {
                self.into(value, dst);
                dst
            }
            None => self.operand(value),
        };
        self.asm.set_line(line);
        self.assign(&target, result);
    }

    // -- targets

    fn prepare_path(&mut self, parent: Option<Node<'pr>>, name: Option<ConstantId<'pr>>) -> Target<'pr> {
        let name = name.map_or(&b""[..], |name| name.as_slice());
        let name = self.name(name);
        let module = match parent {
            Some(parent) => self.temp(&parent),
            None => self.object(),
        };
        Target::Constant(Some(module), name)
    }

    pub fn object(&mut self) -> Reg {
        let reg = self.asm.temp();
        self.asm.emit(Op::LoadObject, reg, 0, 0);
        reg
    }

    /// Evaluates the parts of a target. What it allocates stays allocated.
    pub fn prepare(&mut self, node: &Node<'pr>) -> Target<'pr> {
        let prepared = match node {
            Node::LocalVariableTargetNode { .. } => {
                node.as_local_variable_target_node().map(|n| Target::Local(Key::Name(n.name().as_slice())))
            }
            Node::RequiredParameterNode { .. } => {
                node.as_required_parameter_node().map(|n| Target::Local(Key::Name(n.name().as_slice())))
            }
            Node::InstanceVariableTargetNode { .. } => {
                node.as_instance_variable_target_node().map(|n| Target::Ivar(self.name(n.name().as_slice())))
            }
            Node::GlobalVariableTargetNode { .. } => {
                node.as_global_variable_target_node().map(|n| Target::Global(self.name(n.name().as_slice())))
            }
            Node::ClassVariableTargetNode { .. } => {
                node.as_class_variable_target_node().map(|n| Target::Cvar(self.name(n.name().as_slice())))
            }
            Node::ConstantTargetNode { .. } => {
                node.as_constant_target_node().map(|n| Target::Constant(None, self.name(n.name().as_slice())))
            }
            Node::ConstantPathTargetNode { .. } => {
                node.as_constant_path_target_node().map(|n| self.prepare_path(n.parent(), n.name()))
            }
            Node::CallTargetNode { .. } => node.as_call_target_node().map(|n| {
                let receiver = self.temp(&n.receiver());
                let name = self.name(n.name().as_slice());
                let line = self.src.line(n.message_loc().start());
                Target::Attribute {
                    receiver,
                    name,
                    self_call: n.is_ignore_visibility(),
                    safe: n.is_safe_navigation(),
                    line,
                }
            }),
            Node::IndexTargetNode { .. } => node.as_index_target_node().map(|n| {
                let line = self.src.line(n.location().start());
                self.prepare_index(&n.receiver(), n.arguments(), n.is_ignore_visibility(), line)
            }),
            Node::MultiTargetNode { .. } => {
                node.as_multi_target_node().map(|n| self.prepare_multi(n.lefts(), n.rest(), n.rights()))
            }
            Node::SplatNode { .. } => node.as_splat_node().and_then(|n| n.expression()).map(|n| self.prepare(&n)),
            _ => None,
        };
        prepared.unwrap_or(Target::Nothing)
    }

    pub fn prepare_index(
        &mut self,
        receiver: &Node<'pr>,
        arguments: Option<ArgumentsNode<'pr>>,
        self_call: bool,
        line: i32,
    ) -> Target<'pr> {
        let receiver = self.temp(receiver);
        self.prepare_index_of(receiver, arguments, self_call, line)
    }

    pub fn prepare_index_of(
        &mut self,
        receiver: Reg,
        arguments: Option<ArgumentsNode<'pr>>,
        self_call: bool,
        line: i32,
    ) -> Target<'pr> {
        let nodes: Vec<Node> = arguments.iter().flat_map(|n| n.arguments().iter()).collect();
        if nodes.iter().any(|n| matches!(n, Node::SplatNode { .. })) {
            let first = self.asm.temp();
            self.array_of(&nodes, first);
            return Target::Indexes { receiver, first, count: 1, splat: true, self_call, line };
        }
        let first = self.consecutive(&nodes);
        match nodes.len() {
            1 => Target::Index { receiver, key: first, self_call, line },
            count => Target::Indexes { receiver, first, count: count as u16, splat: false, self_call, line },
        }
    }

    pub fn prepare_multi(
        &mut self,
        lefts: NodeList<'pr>,
        rest: Option<Node<'pr>>,
        rights: NodeList<'pr>,
    ) -> Target<'pr> {
        let before = lefts.iter().map(|node| self.prepare(&node)).collect();
        let rest = match rest {
            Some(node @ Node::SplatNode { .. }) => Some(match self.prepare(&node) {
                Target::Nothing => None,
                target => Some(Box::new(target)),
            }),
            // `a, = value` and nothing between: no rest is needed.
            _ => None,
        };
        let after = rights.iter().map(|node| self.prepare(&node)).collect();
        Target::Multi { before, rest, after }
    }

    /// Assigns R[value] to a target.
    pub fn assign(&mut self, target: &Target<'pr>, value: Reg) {
        let mark = self.asm.mark();
        match target {
            Target::Local(key) => self.store(*key, value),
            Target::Ivar(name) => {
                let cache = self.asm.cache();
                self.asm.emit(Op::SetIvar, value, *name, cache);
            }
            Target::Global(name) => self.asm.emit(Op::SetGlobal, value, *name, 0),
            Target::Cvar(name) => self.asm.emit(Op::SetCvar, value, *name, 0),
            Target::Constant(module, name) => {
                let module = module.unwrap_or_else(|| {
                    let reg = self.asm.temp();
                    self.asm.emit(Op::LoadCref, reg, 0, 0);
                    reg
                });
                self.asm.emit(Op::SetConst, value, module, *name);
            }
            Target::Attribute { receiver, name, self_call, safe, line } => {
                self.asm.set_line(*line);
                let skip = safe.then(|| self.skip_nil(*receiver));
                let base = self.window(*receiver);
                let argument = self.asm.temp();
                self.asm.emit(Op::Move, argument, value, 0);
                let site = self.asm.site(CallSite {
                    name: *name,
                    argc: 1,
                    self_call: *self_call,
                    assignment: true,
                    ..CallSite::default()
                });
                self.blame_target();
                self.asm.emit(Op::Call, base, base, site);
                if let Some(skip) = skip {
                    self.asm.bind(skip);
                }
            }
            Target::Index { receiver, key, self_call, line } => {
                self.asm.set_line(*line);
                let name = self.name(b"[]=");
                let site = self.asm.site(CallSite {
                    name,
                    argc: 2,
                    self_call: *self_call,
                    assignment: true,
                    ..CallSite::default()
                });
                self.blame_target();
                self.asm.emit_with_site(Insn::abc(Op::ASet, *receiver, *key, value), site);
            }
            Target::Indexes { receiver, first, count, splat, self_call, line } => {
                self.asm.set_line(*line);
                self.assign_elements(*receiver, (*first, *count), *splat, *self_call, value);
            }
            Target::Multi { before, rest, after } => self.spread(before, rest, after, value),
            Target::Nothing => {}
        }
        self.asm.release(mark);
    }

    /// Assigns R[value] to what several arguments of `[]=` name, or a splat of them.
    fn assign_elements(&mut self, receiver: Reg, (first, count): (Reg, u16), splat: bool, self_call: bool, value: Reg) {
        let base = self.window(receiver);
        self.index_arguments(first, count);
        if splat {
            // The Array is the target's own, and nobody keeps it: a call that takes its elements copies them.
            self.asm.emit(Op::ArrayPush, base + 1, value, 1);
        } else {
            let argument = self.asm.temp();
            self.asm.emit(Op::Move, argument, value, 0);
        }
        let argc = if splat { 1 } else { count + 1 };
        let name = self.name(b"[]=");
        let site = self.asm.site(CallSite { name, argc, splat, self_call, assignment: true, ..CallSite::default() });
        self.blame_target();
        self.asm.emit(Op::Call, base, base, site);
    }

    /// A fresh window with R[receiver] as its receiver.
    pub fn window(&mut self, receiver: Reg) -> Reg {
        let base = self.asm.temp();
        self.asm.emit(Op::Move, base, receiver, 0);
        base
    }

    pub fn index_arguments(&mut self, first: Reg, count: u16) {
        for index in 0..count {
            let reg = self.asm.temp();
            self.asm.emit(Op::Move, reg, first + index, 0);
        }
    }

    /// Prepares and assigns at once, for targets that no right side follows.
    pub fn assign_node(&mut self, node: &Node<'pr>, value: Reg) {
        let mark = self.asm.mark();
        let target = self.prepare(node);
        self.assign(&target, value);
        self.asm.release(mark);
    }
}

/// The `x` operand of `GetMatch`.
pub fn back_reference_kind(name: &[u8]) -> u8 {
    match name {
        b"$&" => 1,
        b"$`" => 2,
        b"$'" => 3,
        b"$+" => 4,
        _ => 0,
    }
}
