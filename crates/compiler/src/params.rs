//! Parameters: their registers, defaults, destructuring, and the copy of captured ones into the
//! environment. Also gives the other locals their registers.

use crate::asm::{Label, Reg};
use crate::compiler::Compiler;
use crate::scope::{ANONYMOUS_BLOCK, ANONYMOUS_KEYWORDS, ANONYMOUS_REST, Key, ScopeKind, parameter_key};
use rubellite_bytecode::{Keyword, KeywordRest, Op, Text};
use ruby_prism::*;

/// A parameter's register and the variable it belongs to, if it has a name.
struct Slot<'pr> {
    reg: Reg,
    key: Option<Key<'pr>>,
}

#[derive(Default)]
struct Layout<'pr> {
    /// Required, rest, post, required keywords, keyword rest and block: filled by every call.
    given: Vec<Slot<'pr>>,
    optionals: Vec<(Slot<'pr>, OptionalParameterNode<'pr>)>,
    keywords: Vec<(Slot<'pr>, OptionalKeywordParameterNode<'pr>)>,
    patterns: Vec<(Reg, MultiTargetNode<'pr>)>,
}

/// The name that makes a rest parameter of a prelude block a packed one.
const PACKED: &[u8] = b"__many";

impl<'pr> Compiler<'pr> {
    /// The start of a code object without parameters.
    pub fn no_parameters(&mut self) {
        self.open_frame();
        self.place_locals();
    }

    /// Takes the register of self. A scope within an ensure body is compiled more than once: its
    /// variables get their registers anew.
    fn open_frame(&mut self) {
        self.asm.temp();
        let scope = &mut self.scopes.list[self.fun.scope];
        if scope.kind != ScopeKind::For {
            scope.variables.iter_mut().for_each(|variable| variable.reg = 0);
        }
    }

    /// The start of a method.
    pub fn method_parameters(&mut self, parameters: Option<ParametersNode<'pr>>) {
        self.open_frame();
        let mut layout = Layout::default();
        if let Some(parameters) = &parameters {
            self.declare_parameters(parameters, &mut layout);
        }
        self.fun.parameters = parameters;
        self.place_locals();
        self.prologue(layout);
        self.fun.body = self.asm.pc();
    }

    /// The start of a block or lambda.
    pub fn block_parameters(&mut self, parameters: Option<Node<'pr>>) {
        self.open_frame();
        let mut layout = Layout::default();
        match &parameters {
            Some(node @ Node::BlockParametersNode { .. }) => {
                if let Some(parameters) = node.as_block_parameters_node().and_then(|n| n.parameters()) {
                    self.declare_parameters(&parameters, &mut layout);
                }
            }
            Some(node @ Node::NumberedParametersNode { .. }) => {
                let maximum = node.as_numbered_parameters_node().map_or(0, |n| n.maximum());
                self.numbered_parameters(maximum, &mut layout);
            }
            Some(Node::ItParametersNode { .. }) => {
                let reg = self.asm.temp();
                layout.given.push(Slot { reg, key: Some(Key::It) });
                self.set_place(Key::It, reg);
                self.fun.params.required = 1;
                self.fun.params.numbered = 1;
                self.fun.params.it = true;
                self.fun.params.described.push(("req", None));
            }
            _ => {}
        }
        self.place_locals();
        self.prologue(layout);
        self.fun.body = self.asm.pc();
    }

    fn numbered_parameters(&mut self, maximum: u8, layout: &mut Layout<'pr>) {
        const NAMES: [&[u8]; 9] = [b"_1", b"_2", b"_3", b"_4", b"_5", b"_6", b"_7", b"_8", b"_9"];
        for name in NAMES.iter().take(maximum as usize) {
            let reg = self.asm.temp();
            layout.given.push(Slot { reg, key: Some(Key::Name(name)) });
            self.set_place(Key::Name(name), reg);
            let text = self.src.text(name);
            self.fun.params.described.push(("req", Some(text)));
        }
        self.fun.params.required = maximum as u16;
        self.fun.params.numbered = maximum;
    }

    fn set_place(&mut self, key: Key<'pr>, reg: Reg) {
        let scope = &mut self.scopes.list[self.fun.scope];
        if let Some(index) = scope.find(key) {
            scope.variables[index].reg = reg;
        }
    }

    /// A register for a parameter.
    fn parameter(&mut self, kind: &'static str, key: Option<Key<'pr>>, described: Option<Text>) -> Slot<'pr> {
        let reg = self.asm.temp();
        if let Some(key) = key {
            self.set_place(key, reg);
        }
        self.fun.params.described.push((kind, described));
        Slot { reg, key }
    }

    /// A positional parameter: one that repeats a name is no variable, but `super` passes it on.
    fn positional(&mut self, kind: &'static str, name: ConstantId<'pr>, node: &Node<'pr>) -> Slot<'pr> {
        let text = self.src.text(name.as_slice());
        self.parameter(kind, parameter_key(node), Some(text))
    }

    fn named(&mut self, kind: &'static str, name: ConstantId<'pr>, repeated: bool) -> Slot<'pr> {
        let name = name.as_slice();
        let text = self.src.text(name);
        self.parameter(kind, (!repeated).then_some(Key::Name(name)), Some(text))
    }

    fn required(&mut self, node: &Node<'pr>, layout: &mut Layout<'pr>) {
        if let Some(required) = node.as_required_parameter_node() {
            let slot = self.positional("req", required.name(), node);
            layout.given.push(slot);
        } else if let Some(pattern) = node.as_multi_target_node() {
            let slot = self.parameter("req", parameter_key(node), None);
            layout.patterns.push((slot.reg, pattern));
            layout.given.push(slot);
        }
    }

    fn declare_parameters(&mut self, parameters: &ParametersNode<'pr>, layout: &mut Layout<'pr>) {
        for node in &parameters.requireds() {
            self.required(&node, layout);
            self.fun.params.required = self.fun.params.required.saturating_add(1);
        }
        for node in &parameters.optionals() {
            let Some(optional) = node.as_optional_parameter_node() else { continue };
            let slot = self.positional("opt", optional.name(), &node);
            layout.optionals.push((slot, optional));
            self.fun.params.optional = self.fun.params.optional.saturating_add(1);
        }
        let forwards_all = matches!(parameters.keyword_rest(), Some(Node::ForwardingParameterNode { .. }));
        self.rest_parameter(parameters, forwards_all, layout);
        if self.src.internal && self.packs(parameters) {
            self.packed_parameter(layout);
        } else {
            for node in &parameters.posts() {
                self.required(&node, layout);
                self.fun.params.post = self.fun.params.post.saturating_add(1);
            }
        }
        for node in &parameters.keywords() {
            self.keyword_parameter(&node, layout);
        }
        self.keyword_rest_parameter(parameters, layout);
        self.block_parameter(parameters, forwards_all, layout);
        // Ruby reports required keywords before optional ones.
        self.order_described();
    }

    /// `|*x, __many|`, see [`rubellite_bytecode::Params::packed`].
    fn packs(&self, parameters: &ParametersNode<'pr>) -> bool {
        let mut posts = parameters.posts().iter();
        self.fun.params.rest
            && posts.next().and_then(|n| n.as_required_parameter_node()).is_some_and(|n| n.name().as_slice() == PACKED)
    }

    fn packed_parameter(&mut self, layout: &mut Layout<'pr>) {
        let reg = self.asm.temp();
        self.set_place(Key::Name(PACKED), reg);
        layout.given.push(Slot { reg, key: Some(Key::Name(PACKED)) });
        self.fun.params.packed = true;
    }

    fn rest_parameter(&mut self, parameters: &ParametersNode<'pr>, forwards_all: bool, layout: &mut Layout<'pr>) {
        match parameters.rest() {
            Some(node @ Node::RestParameterNode { .. }) => {
                let Some(rest) = node.as_rest_parameter_node() else { return };
                let slot = match rest.name() {
                    Some(name) => self.positional("rest", name, &node),
                    None => self.anonymous("rest", ANONYMOUS_REST),
                };
                layout.given.push(slot);
                self.fun.params.rest = true;
                self.fun.params.anonymous_rest = rest.name().is_none();
            }
            Some(Node::ImplicitRestNode { .. }) => self.fun.params.excess_comma = true,
            _ if forwards_all => {
                let slot = self.anonymous("rest", ANONYMOUS_REST);
                layout.given.push(slot);
                self.fun.params.rest = true;
                self.fun.params.anonymous_rest = true;
                self.fun.params.forwards_all = true;
            }
            _ => {}
        }
    }

    /// An anonymous parameter. A method reports its sign as the name, a block likewise.
    fn anonymous(&mut self, kind: &'static str, sign: &'static [u8]) -> Slot<'pr> {
        let text = self.src.text(sign);
        self.parameter(kind, Some(Key::Name(sign)), Some(text))
    }

    fn keyword_parameter(&mut self, node: &Node<'pr>, layout: &mut Layout<'pr>) {
        if let Some(node) = node.as_required_keyword_parameter_node() {
            let slot = self.named("keyreq", node.name(), node.is_repeated_parameter());
            layout.given.push(slot);
            let name = self.name(node.name().as_slice());
            self.fun.params.keywords.push(Keyword { name, required: true });
        } else if let Some(node) = node.as_optional_keyword_parameter_node() {
            let slot = self.named("key", node.name(), node.is_repeated_parameter());
            let name = self.name(node.name().as_slice());
            self.fun.params.keywords.push(Keyword { name, required: false });
            layout.keywords.push((slot, node));
        }
    }

    fn keyword_rest_parameter(&mut self, parameters: &ParametersNode<'pr>, layout: &mut Layout<'pr>) {
        match parameters.keyword_rest() {
            Some(node @ Node::KeywordRestParameterNode { .. }) => {
                let Some(node) = node.as_keyword_rest_parameter_node() else { return };
                let slot = match node.name() {
                    Some(name) => self.named("keyrest", name, node.is_repeated_parameter()),
                    None => self.anonymous("keyrest", ANONYMOUS_KEYWORDS),
                };
                layout.given.push(slot);
                self.fun.params.keyword_rest = KeywordRest::Named;
                self.fun.params.anonymous_keyword_rest = node.name().is_none();
            }
            Some(Node::NoKeywordsParameterNode { .. }) => {
                self.fun.params.keyword_rest = KeywordRest::Refused;
                self.fun.params.described.push(("nokey", None));
            }
            Some(Node::ForwardingParameterNode { .. }) => {
                let slot = self.anonymous("keyrest", ANONYMOUS_KEYWORDS);
                layout.given.push(slot);
                self.fun.params.keyword_rest = KeywordRest::Named;
                self.fun.params.anonymous_keyword_rest = true;
            }
            _ => {}
        }
    }

    /// A block parameter that is only passed on has no register: see `GetBlock`.
    fn block_parameter(&mut self, parameters: &ParametersNode<'pr>, forwards_all: bool, layout: &mut Layout<'pr>) {
        let in_method = self.scopes.list[self.fun.scope].kind == ScopeKind::Method;
        match parameters.block() {
            Some(node @ Node::BlockParameterNode { .. }) => {
                let Some(node) = node.as_block_parameter_node() else { return };
                self.fun.uses_block |= in_method;
                let name = node.name().map(|name| name.as_slice());
                let passed = in_method && (name.is_none() || self.scopes.list[self.fun.scope].passed_block() == name);
                if passed {
                    let text = self.src.text(name.unwrap_or(ANONYMOUS_BLOCK));
                    self.fun.params.described.push(("block", Some(text)));
                    return;
                }
                let slot = match node.name() {
                    Some(name) => self.named("block", name, node.is_repeated_parameter()),
                    None => self.anonymous("block", ANONYMOUS_BLOCK),
                };
                layout.given.push(slot);
                self.fun.params.block = true;
            }
            Some(Node::NoBlockParameterNode { .. }) => {
                self.fun.params.no_block = true;
                self.fun.params.described.push(("noblock", None));
            }
            _ if forwards_all => {
                self.fun.uses_block = true;
                let text = self.src.text(ANONYMOUS_BLOCK);
                self.fun.params.described.push(("block", Some(text)));
            }
            _ => {}
        }
    }

    fn order_described(&mut self) {
        let described = &mut self.fun.params.described;
        let Some(first) = described.iter().position(|(kind, _)| kind.starts_with("key") && *kind != "keyrest") else {
            return;
        };
        let count = self.fun.params.keywords.len();
        described[first..first + count].sort_by_key(|(kind, _)| *kind == "key");
    }

    /// Registers for the locals that are neither parameters nor captured.
    fn place_locals(&mut self) {
        let scope = &mut self.scopes.list[self.fun.scope];
        let passed = scope.passed_block();
        if scope.kind != ScopeKind::For {
            for variable in scope.variables.iter_mut().filter(|variable| {
                !variable.captured && variable.reg == 0 && passed.map(Key::Name) != Some(variable.key)
            }) {
                variable.reg = self.asm.temp();
            }
        }
        self.fun.local_end = self.asm.mark().min(u16::MAX as u32) as u16;
    }

    /// Defaults, destructuring and the copies into the environment.
    fn prologue(&mut self, layout: Layout<'pr>) {
        let captured = self.captured_slots(&layout.given);
        let captured_optionals: Vec<Option<(Reg, u16)>> =
            layout.optionals.iter().map(|(slot, _)| self.captured_slot(slot)).collect();
        if layout.optionals.is_empty() {
            self.copy_captured(&captured);
        } else if captured.is_empty() && captured_optionals.iter().all(Option::is_none) {
            for (slot, node) in &layout.optionals {
                let pc = self.asm.pc();
                self.fun.params.opt_table.push(pc);
                self.into(&node.value(), slot.reg);
            }
            let pc = self.asm.pc();
            self.fun.params.opt_table.push(pc);
            self.asm.here();
        } else {
            self.captured_defaults(&layout, &captured, &captured_optionals);
        }
        // Literals first: expressions may read them whatever the order.
        for literal in [true, false] {
            for (slot, node) in &layout.keywords {
                if is_literal(&node.value()) == literal {
                    self.keyword_default(slot, &node.value(), literal);
                }
            }
        }
        for (reg, target) in &layout.patterns {
            self.destructure(target, *reg);
        }
    }

    fn keyword_default(&mut self, slot: &Slot<'pr>, value: &Node<'pr>, literal: bool) {
        let given = self.asm.label();
        self.asm.jump(Op::JumpGiven, slot.reg, given);
        if !literal {
            // The expression may read the parameter itself.
            self.asm.emit(Op::LoadNil, slot.reg, 0, 0);
        }
        self.into(value, slot.reg);
        self.asm.bind(given);
        if let Some((reg, env)) = self.captured_slot(slot) {
            self.asm.emit_x(Op::SetEnv, 0, reg, env, 0);
        }
    }

    /// One entry per number of given arguments: it copies what was given, then joins the defaults.
    fn captured_defaults(&mut self, layout: &Layout<'pr>, captured: &[(Reg, u16)], optionals: &[Option<(Reg, u16)>]) {
        let defaults: Vec<Label> = (0..=optionals.len()).map(|_| self.asm.label()).collect();
        for (given, label) in defaults.iter().enumerate() {
            self.asm.here();
            let pc = self.asm.pc();
            self.fun.params.opt_table.push(pc);
            self.copy_captured(captured);
            let copies: Vec<(Reg, u16)> = optionals[..given].iter().flatten().copied().collect();
            self.copy_captured(&copies);
            self.asm.goto(*label);
        }
        for (index, (slot, node)) in layout.optionals.iter().enumerate() {
            self.asm.bind(defaults[index]);
            self.into(&node.value(), slot.reg);
            if let Some((reg, env)) = optionals[index] {
                self.asm.emit_x(Op::SetEnv, 0, reg, env, 0);
            }
        }
        self.asm.bind(defaults[optionals.len()]);
    }

    fn captured_slots(&self, slots: &[Slot<'pr>]) -> Vec<(Reg, u16)> {
        slots.iter().filter_map(|slot| self.captured_slot(slot)).collect()
    }

    fn captured_slot(&self, slot: &Slot<'pr>) -> Option<(Reg, u16)> {
        let scope = &self.scopes.list[self.fun.scope];
        let variable = &scope.variables[scope.find(slot.key?)?];
        variable.captured.then_some((slot.reg, variable.slot))
    }

    fn copy_captured(&mut self, slots: &[(Reg, u16)]) {
        for (reg, slot) in slots {
            self.asm.emit_x(Op::SetEnv, 0, *reg, *slot, 0);
        }
    }
}

/// A default that nothing can be read in.
fn is_literal(node: &Node) -> bool {
    matches!(
        node,
        Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::RationalNode { .. }
            | Node::ImaginaryNode { .. }
            | Node::SymbolNode { .. }
            | Node::StringNode { .. }
    )
}
