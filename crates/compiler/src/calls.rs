//! Calls: windows of arguments, blocks, operators with fast paths, `super`, `yield`.
//!
//! A window is a run of fresh registers: receiver, arguments, block argument. Everything in it is
//! above all live temporaries, so the callee may overwrite it.

use crate::arms::Point;
use crate::asm::{Label, Reg};
use crate::compiler::{Compiler, Function};
use crate::scope::{ANONYMOUS_BLOCK, ANONYMOUS_KEYWORDS, ANONYMOUS_REST, Key, parameter_key};
use crate::spot::range;
use rubellite_bytecode::{CallSite, Const, ISeqKind, Insn, Op, Text};
use ruby_prism::*;

/// How many arguments before a splat get words of their own.
const WORDS_BEFORE_SPLAT: usize = 16;

/// The constant whose methods, in the runtime's own code, are primitives.
const PRIMITIVE: &[u8] = b"Primitive";

/// The opcode of a binary operator.
pub fn binary_op(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"+" => Op::Add,
        b"-" => Op::Sub,
        b"*" => Op::Mul,
        b"/" => Op::Div,
        b"%" => Op::Mod,
        b"&" => Op::And,
        b"|" => Op::Or,
        b"^" => Op::Xor,
        b"<<" => Op::Shl,
        b">>" => Op::Shr,
        b"==" => Op::Eq,
        b"!=" => Op::Neq,
        b"<" => Op::Lt,
        b"<=" => Op::Le,
        b">" => Op::Gt,
        b">=" => Op::Ge,
        b"[]" => Op::ARef,
        _ => return None,
    })
}

impl<'pr> Compiler<'pr> {
    pub fn call(&mut self, node: &CallNode<'pr>, dst: Option<Reg>) {
        if self.is_primitive(node) {
            return self.primitive(node, dst);
        }
        if node.is_attribute_write() {
            return self.attribute_write(node, dst);
        }
        if node.is_safe_navigation() || node.block().is_some() {
            return self.plain_call(node, dst);
        }
        let Some(receiver) = node.receiver() else { return self.plain_call(node, dst) };
        let name = node.name().as_slice();
        let arguments: Vec<Node> = node.arguments().iter().flat_map(|n| n.arguments().iter()).collect();
        match arguments.as_slice() {
            [] => self.unary_call(node, &receiver, name, dst),
            [argument] if is_single_value(argument) => match binary_op(name) {
                Some(op) => {
                    let reg = self.target(dst);
                    self.binary(op, node, &receiver, argument, reg);
                }
                None => self.plain_call(node, dst),
            },
            _ => self.plain_call(node, dst),
        }
    }

    fn unary_call(&mut self, node: &CallNode<'pr>, receiver: &Node<'pr>, name: &[u8], dst: Option<Reg>) {
        match name {
            b"!" => {
                let reg = self.target(dst);
                let operand = self.operand(receiver);
                self.unary(Op::Not, name, node, operand, reg);
            }
            b"-@" | b"freeze" if receiver.as_string_node().is_some() => {
                if let Some(string) = receiver.as_string_node() {
                    self.frozen_string(node, &string, name, dst);
                }
            }
            b"-@" => {
                let reg = self.target(dst);
                let operand = self.operand(receiver);
                self.unary(Op::Neg, name, node, operand, reg);
            }
            _ => self.plain_call(node, dst),
        }
    }

    /// `"literal".freeze`: the frozen literal itself, unless the program has redefined the method.
    fn frozen_string(&mut self, node: &CallNode<'pr>, string: &StringNode<'pr>, name: &[u8], dst: Option<Reg>) {
        let text = Const::Str(self.string_text(string));
        if self.src.script.is_internal() {
            return self.literal(text, dst);
        }
        let reg = self.target(dst);
        let site = self.operator_site(name, 0, node.is_ignore_visibility());
        self.call_line(node);
        let index = self.asm.constant(text);
        self.asm.emit_with_site(Insn::wide(Op::FrozenString, 0, reg, index as i32), site);
    }

    fn unary(&mut self, op: Op, name: &[u8], node: &CallNode<'pr>, operand: Reg, reg: Reg) {
        let site = self.operator_site(name, 0, node.is_ignore_visibility());
        self.call_line(node);
        self.asm.emit_with_site(Insn::abc(op, reg, operand, 0), site);
    }

    /// R[reg] = receiver op argument.
    fn binary(&mut self, op: Op, node: &CallNode<'pr>, receiver: &Node<'pr>, argument: &Node<'pr>, reg: Reg) {
        let name = node.name().as_slice();
        let left = self.operand_in(receiver, std::slice::from_ref(argument), reg);
        let site = self.operator_site(name, 1, node.is_ignore_visibility());
        let insn = match (op, small_literal(argument)) {
            (Op::Add, Some(value)) => Insn::abc(Op::AddInt, reg, left, value as u16),
            (Op::Sub, Some(value)) => Insn::abc(Op::SubInt, reg, left, value as u16),
            _ => {
                let (right, x) = match argument.as_string_node() {
                    Some(string) if op == Op::ARef => self.string_key(&string),
                    _ => (self.operand(argument), 0),
                };
                Insn::xabc(op, x, reg, left, right)
            }
        };
        self.call_line(node);
        self.asm.emit_with_site(insn, site);
    }

    pub fn operator_site(&mut self, name: &[u8], argc: u16, self_call: bool) -> u16 {
        let name = self.name(name);
        self.asm.site(CallSite { name, argc, self_call, ..CallSite::default() })
    }

    /// The line that Ruby reports for the call that the next instruction makes: that of the method name.
    pub fn call_line(&mut self, node: &CallNode<'pr>) {
        self.blame_call(node);
        match node.message_loc() {
            Some(location) => self.set_line_at(&location),
            None => self.set_line_at(&node.location()),
        }
    }

    /// Evaluates a receiver into the first register of a window; no receiver is self.
    pub fn receiver(&mut self, node: Option<Node<'pr>>, base: Reg) {
        match node {
            Some(node) => self.into(&node, base),
            None => self.asm.emit(Op::Move, base, 0, 0),
        }
    }

    /// Whether the receiver says that a primitive of the runtime is called.
    fn is_primitive(&self, node: &CallNode<'pr>) -> bool {
        self.src.internal
            && node.receiver().and_then(|n| n.as_constant_read_node()).is_some_and(|n| n.name().as_slice() == PRIMITIVE)
    }

    /// `Primitive.name(receiver, arguments ...)`: the operands are laid out like those of a call.
    fn primitive(&mut self, node: &CallNode<'pr>, dst: Option<Reg>) {
        let name = node.name().as_slice();
        let nodes: Vec<Node> = node.arguments().iter().flat_map(|n| n.arguments().iter()).collect();
        let Some((receiver, arguments)) = nodes.split_first() else {
            return self.fail("a primitive without a receiver");
        };
        if receiver.as_self_node().is_some() && node.block().is_none() {
            match (name, arguments) {
                (b"array_len", []) => {
                    let reg = self.target(dst);
                    return self.asm.emit(Op::SelfLen, reg, 0, 0);
                }
                (b"array_at", [index]) => {
                    let reg = self.target(dst);
                    let index = self.operand(index);
                    return self.asm.emit(Op::SelfAt, reg, index, 0);
                }
                _ => {}
            }
        }
        let base = self.scratch(dst);
        self.into(receiver, base);
        let mut site = self.argument_list(arguments, node.block());
        site.name = self.name(name);
        site.self_call = true;
        let site = self.asm.site(site);
        self.call_line(node);
        self.asm.emit(Op::Primitive, dst.unwrap_or(base), base, site);
    }

    fn plain_call(&mut self, node: &CallNode<'pr>, dst: Option<Reg>) {
        let base = self.scratch(dst);
        self.receiver(node.receiver(), base);
        let counted = node.is_safe_navigation().then(|| self.branch_call(node)).flatten();
        let skip = node.is_safe_navigation().then(|| self.skip_nil(base));
        self.count_arm(counted, 0);
        let mut site = self.arguments(node.arguments(), node.block());
        site.name = self.name(node.name().as_slice());
        site.self_call = node.is_ignore_visibility();
        site.vcall = node.is_variable_call();
        let site = self.asm.site(site);
        self.call_line(node);
        let reg = dst.unwrap_or(base);
        self.asm.emit(Op::Call, reg, base, site);
        if let Some(skip) = skip {
            self.nil_when_skipped(skip, reg, counted);
        }
    }

    /// `&.`: jumps to the label when R[base] is nil.
    pub fn skip_nil(&mut self, base: Reg) -> Label {
        let skip = self.asm.label();
        self.asm.jump(Op::JumpNil, base, skip);
        skip
    }

    /// The other end of `&.`: the value is nil when the call was skipped.
    pub fn nil_when_skipped(&mut self, skip: Label, reg: Reg, counted: Point) {
        let done = self.asm.label();
        self.asm.goto(done);
        self.asm.bind(skip);
        self.count_arm(counted, 1);
        self.asm.emit(Op::LoadNil, reg, 0, 0);
        self.asm.bind(done);
    }

    /// `a.b = value`, `a[i] = value`: the value of the expression is the value assigned.
    fn attribute_write(&mut self, node: &CallNode<'pr>, dst: Option<Reg>) {
        let name = node.name().as_slice();
        let arguments: Vec<Node> = node.arguments().iter().flat_map(|n| n.arguments().iter()).collect();
        let plain = arguments.iter().all(is_single_value) && node.block().is_none();
        if let ([index, value], b"[]=", true, false, Some(receiver)) =
            (arguments.as_slice(), name, plain, node.is_safe_navigation(), node.receiver())
        {
            return self.index_write(node, &receiver, index, value, dst);
        }
        // The value outlives the window, which the callee may overwrite.
        let saved = dst.map(|_| self.asm.temp());
        let base = self.asm.temp();
        self.receiver(node.receiver(), base);
        let counted = node.is_safe_navigation().then(|| self.branch_call(node)).flatten();
        let skip = node.is_safe_navigation().then(|| self.skip_nil(base));
        self.count_arm(counted, 0);
        let mut site = self.write_arguments(&arguments, saved);
        site.name = self.name(name);
        site.self_call = node.is_ignore_visibility();
        site.assignment = true;
        let site = self.asm.site(site);
        self.call_line(node);
        self.asm.emit(Op::Call, base, base, site);
        if let (Some(dst), Some(saved)) = (dst, saved) {
            self.asm.move_to(dst, saved);
        }
        if let Some(skip) = skip {
            match dst.or(counted.map(|_| base)) {
                Some(reg) => self.nil_when_skipped(skip, reg, counted),
                None => self.asm.bind(skip),
            }
        }
    }

    /// Indexes and value of an assignment; the value, the last argument, is also kept in R[saved].
    fn write_arguments(&mut self, nodes: &[Node<'pr>], saved: Option<Reg>) -> CallSite {
        let Some((value, indexes)) = nodes.split_last() else { return CallSite::default() };
        let splat = indexes.iter().any(|n| matches!(n, Node::SplatNode { .. }));
        let array = if splat {
            let array = self.asm.temp();
            self.array_of(indexes, array);
            Some(array)
        } else {
            self.consecutive(indexes);
            None
        };
        let value = self.temp(value);
        if let Some(saved) = saved {
            self.asm.emit(Op::Move, saved, value, 0);
        }
        match array {
            Some(array) => {
                self.asm.emit(Op::ArrayPush, array, value, 1);
                CallSite { argc: 1, splat: true, splat_fresh: true, ..CallSite::default() }
            }
            None => CallSite { argc: nodes.len() as u16, ..CallSite::default() },
        }
    }

    fn index_write(
        &mut self,
        node: &CallNode<'pr>,
        receiver: &Node<'pr>,
        index: &Node<'pr>,
        value: &Node<'pr>,
        dst: Option<Reg>,
    ) {
        let base = if crate::expr::may_write_local(index, 4) || crate::expr::may_write_local(value, 4) {
            self.temp(receiver)
        } else {
            self.operand(receiver)
        };
        let key = self.operand_before(index, std::slice::from_ref(value));
        let value = self.operand(value);
        let name = self.name(b"[]=");
        let self_call = node.is_ignore_visibility();
        let site = self.asm.site(CallSite { name, argc: 2, self_call, assignment: true, ..CallSite::default() });
        self.call_line(node);
        self.asm.emit_with_site(Insn::abc(Op::ASet, base, key, value), site);
        if let Some(reg) = dst {
            self.asm.move_to(reg, value);
        }
    }

    // -- arguments

    /// Evaluates arguments and block argument into the window above the receiver.
    pub fn arguments(&mut self, arguments: Option<ArgumentsNode<'pr>>, block: Option<Node<'pr>>) -> CallSite {
        let nodes: Vec<Node> = arguments.iter().flat_map(|n| n.arguments().iter()).collect();
        self.argument_list(&nodes, block)
    }

    fn argument_list(&mut self, nodes: &[Node<'pr>], block: Option<Node<'pr>>) -> CallSite {
        let mut site = CallSite::default();
        let forwarding = matches!(nodes.last(), Some(Node::ForwardingArgumentsNode { .. }));
        let keywords = nodes.last().and_then(|n| n.as_keyword_hash_node());
        let positional = &nodes[..nodes.len() - (forwarding || keywords.is_some()) as usize];
        let has_splat = forwarding || positional.iter().any(|n| matches!(n, Node::SplatNode { .. }));
        if has_splat {
            let keywords = keywords.as_ref().is_some_and(|n| !n.elements().iter().all(|n| runs_nothing(&n)));
            let block = block.as_ref().and_then(|n| n.as_block_argument_node()).and_then(|n| n.expression());
            self.splat_arguments(
                positional,
                forwarding,
                keywords || block.is_some_and(|n| !runs_nothing(&n)),
                &mut site,
            );
        } else {
            self.consecutive(positional);
            site.argc = positional.len().min(u16::MAX as usize) as u16;
        }
        if let Some(keywords) = keywords {
            let block = block.as_ref().and_then(|n| n.as_block_argument_node()).and_then(|n| n.expression());
            self.keyword_arguments(&keywords, block.is_some_and(|n| !runs_nothing(&n)), &mut site);
        }
        if forwarding {
            let hash = self.asm.temp();
            self.load(Key::Name(ANONYMOUS_KEYWORDS), hash);
            site.keyword_splat = true;
            site.argc = site.argc.saturating_add(1);
            self.anonymous_block_argument(&mut site);
        }
        match block {
            Some(node @ Node::BlockNode { .. }) => {
                if let Some(node) = node.as_block_node() {
                    site.block = self.block(&node) + 1;
                }
            }
            Some(node @ Node::BlockArgumentNode { .. }) => {
                match node.as_block_argument_node().and_then(|n| n.expression()) {
                    Some(expression) => {
                        self.block_argument(&expression);
                        site.block_arg = true;
                    }
                    None => self.anonymous_block_argument(&mut site),
                }
            }
            _ => {}
        }
        site
    }

    fn block_argument(&mut self, expression: &Node<'pr>) {
        let reg = self.asm.temp();
        let name = expression.as_local_variable_read_node().map(|n| n.name().as_slice());
        if name.is_some_and(|name| self.is_unmade_block(name)) {
            return self.asm.emit_x(Op::GetBlock, 1, reg, 0, 0);
        }
        self.into(expression, reg);
    }

    /// `name` is the block parameter of the method, which is only ever passed on.
    fn is_unmade_block(&self, name: &'pr [u8]) -> bool {
        let home = self.scopes.home(self.fun.scope);
        self.scopes.list[home].passed_block() == Some(name)
            && self.scopes.declares(self.fun.scope, Key::Name(name)) == Some(home)
    }

    fn anonymous_block_argument(&mut self, site: &mut CallSite) {
        let reg = self.asm.temp();
        match self.find(Key::Name(ANONYMOUS_BLOCK)) {
            Some(_) => self.load(Key::Name(ANONYMOUS_BLOCK), reg),
            // That of a method has no register.
            None => self.asm.emit_x(Op::GetBlock, 1, reg, 0, 0),
        }
        site.block_arg = true;
    }

    /// Positional arguments with splats among them: those before a splat that is the last and the only one, then one
    /// Array of the others. `more`: arguments that are evaluated later could change the Array that is spread.
    fn splat_arguments(&mut self, nodes: &[Node<'pr>], forwarding: bool, more: bool, site: &mut CallSite) {
        site.splat = true;
        site.splat_fresh = more && !forwarding;
        site.argc = 1;
        let (last, before) = match nodes.split_last() {
            Some((last, before)) if !forwarding => (Some(last), before),
            _ => (None, nodes),
        };
        if before.len() > WORDS_BEFORE_SPLAT || !before.iter().all(is_single_value) {
            let array = self.asm.temp();
            self.array_of(nodes, array);
            if forwarding {
                let rest = self.asm.temp();
                self.load(Key::Name(ANONYMOUS_REST), rest);
                self.asm.emit(Op::ArrayConcat, array, rest, 0);
                self.asm.release(array as u32 + 1);
            }
            site.splat_fresh = true;
            return;
        }
        self.consecutive(before);
        let array = self.asm.temp();
        match last.and_then(|last| last.as_splat_node()) {
            Some(splat) => {
                self.splat_value(&splat, array);
                self.asm.emit_x(Op::SplatArray, more as u8, array, array, 0);
            }
            None => self.load(Key::Name(ANONYMOUS_REST), array),
        }
        site.argc += before.len() as u16;
    }

    /// `more`: a block argument that is evaluated later could change the Hash that is spread.
    fn keyword_arguments(&mut self, node: &KeywordHashNode<'pr>, more: bool, site: &mut CallSite) {
        let elements: Vec<Node> = node.elements().iter().collect();
        if let [only] = elements.as_slice()
            && !more
            && let Some(splat) = only.as_assoc_splat_node()
        {
            let hash = self.asm.temp();
            self.assoc_splat_value(&splat, hash);
            site.keyword_splat = true;
            site.argc = site.argc.saturating_add(1);
            return;
        }
        if let Some(names) = self.literal_keywords(&elements) {
            if site.splat
                && let Some(pairs) = self.constant_pairs(&elements)
            {
                let hash = self.asm.temp();
                let index = self.asm.constant(Const::Hash(pairs));
                self.asm.emit_literal(Op::LoadConst, 0, hash, index);
                site.keyword_splat = true;
                site.argc = site.argc.saturating_add(1);
                return;
            }
            for element in elements.iter().filter_map(|n| n.as_assoc_node()) {
                self.temp(&element.value());
            }
            site.argc = site.argc.saturating_add(names.len() as u16);
            site.keywords = names.into();
            return;
        }
        let hash = self.asm.temp();
        self.hash_of(&elements, hash);
        site.keyword_splat = true;
        site.keyword_splat_fresh = true;
        site.argc = site.argc.saturating_add(1);
    }

    /// The names of keywords that are all plain symbols, each once.
    fn literal_keywords(&mut self, elements: &[Node<'pr>]) -> Option<Vec<u16>> {
        const LIMIT: usize = 128;
        if elements.len() > LIMIT {
            return None;
        }
        let mut names = Vec::with_capacity(elements.len());
        for element in elements {
            let symbol = element.as_assoc_node()?.key().as_symbol_node()?;
            let text = self.symbol_text(&symbol);
            let name = self.asm.name(text);
            if names.contains(&name) {
                return None;
            }
            names.push(name);
        }
        Some(names)
    }

    // -- super and yield

    pub fn super_call(&mut self, node: &SuperNode<'pr>, dst: Option<Reg>) {
        self.fun.uses_block |= node.block().is_none();
        let base = self.scratch(dst);
        self.asm.emit(Op::Move, base, 0, 0);
        let mut site = self.arguments(node.arguments(), node.block());
        site.self_call = true;
        let site = self.asm.site(site);
        self.set_line_at(&node.location());
        self.asm.emit(Op::Super, dst.unwrap_or(base), base, site);
    }

    /// `super` without an argument list passes on the method's parameters, as they are now.
    pub fn forwarding_super(&mut self, node: &ForwardingSuperNode<'pr>, dst: Option<Reg>) {
        self.fun.uses_block |= node.block().is_none();
        let base = self.scratch(dst);
        self.asm.emit(Op::Move, base, 0, 0);
        let mut site = CallSite::default();
        let parameters =
            self.method().and_then(|fun| fun.parameters.as_ref()).and_then(|n| n.as_node().as_parameters_node());
        if let Some(parameters) = parameters {
            self.forward_parameters(&parameters, &mut site);
        } else if self.method().is_none() {
            self.forward_eval_parameters(&mut site);
        }
        if let Some(block) = node.block() {
            site.block = self.block(&block) + 1;
        }
        site.self_call = true;
        site.zsuper = true;
        let site = self.asm.site(site);
        self.set_line_at(&node.location());
        self.asm.emit(Op::Super, dst.unwrap_or(base), base, site);
    }

    fn forward_parameters(&mut self, parameters: &ParametersNode<'pr>, site: &mut CallSite) {
        let forwards_all = matches!(parameters.keyword_rest(), Some(Node::ForwardingParameterNode { .. }));
        let rest = match parameters.rest() {
            Some(node @ Node::RestParameterNode { .. }) => {
                Some(parameter_key(&node).unwrap_or(Key::Name(ANONYMOUS_REST)))
            }
            _ => forwards_all.then_some(Key::Name(ANONYMOUS_REST)),
        };
        let before = parameters
            .requireds()
            .iter()
            .chain(parameters.optionals().iter())
            .filter_map(|n| parameter_key(&n))
            .collect();
        let after = parameters.posts().iter().filter_map(|n| parameter_key(&n)).collect();
        let keywords = parameters.keywords().iter().filter_map(|n| parameter_key(&n));
        let keywords = keywords.filter_map(|key| match key {
            Key::Name(name) => Some((self.src.text(name), key)),
            _ => None,
        });
        let keywords = keywords.collect();
        let keyword_rest = match parameters.keyword_rest() {
            Some(node @ Node::KeywordRestParameterNode { .. }) => node
                .as_keyword_rest_parameter_node()
                .map(|n| n.name().map_or(ANONYMOUS_KEYWORDS, |name| name.as_slice())),
            Some(Node::ForwardingParameterNode { .. }) => Some(ANONYMOUS_KEYWORDS),
            _ => None,
        };
        let forward = Forward { before, rest, after, keywords, keyword_rest: keyword_rest.map(Key::Name) };
        self.forward_variables(forward, site, &mut |compiler, key, reg| compiler.load(key, reg));
    }

    /// In an eval the parameters are variables of the environments around it.
    fn forward_eval_parameters(&mut self, site: &mut CallSite) {
        let Some(params) = &self.method_params else { return };
        let mut forward =
            Forward { before: Vec::new(), rest: None, after: Vec::new(), keywords: Vec::new(), keyword_rest: None };
        for (kind, name) in &params.described {
            let name = name.clone().unwrap_or_else(|| self.src.text(b""));
            match *kind {
                "req"
                    if forward.rest.is_some()
                        || forward.before.len() >= (params.required + params.optional) as usize =>
                {
                    forward.after.push(name)
                }
                "req" | "opt" => forward.before.push(name),
                "rest" => forward.rest = Some(name),
                "keyreq" | "key" => forward.keywords.push((name.clone(), name)),
                "keyrest" => forward.keyword_rest = Some(name),
                _ => {}
            }
        }
        self.forward_variables(forward, site, &mut |compiler, name: Text, reg| {
            let found = compiler.scopes.resolve_outer(compiler.fun.scope, name.bytes());
            compiler.load_found(found, reg);
        });
    }

    fn forward_variables<K>(
        &mut self,
        forward: Forward<K>,
        site: &mut CallSite,
        load: &mut dyn FnMut(&mut Self, K, Reg),
    ) {
        let before = forward.before.len() as u16;
        for key in forward.before {
            let reg = self.asm.temp();
            load(self, key, reg);
        }
        match forward.rest {
            Some(rest) => {
                let list = self.asm.temp();
                load(self, rest, list);
                // The variable may hold anything by now.
                let fresh = !forward.after.is_empty();
                self.asm.emit_x(Op::SplatArray, fresh as u8, list, list, 0);
                for key in forward.after {
                    let reg = self.asm.temp();
                    load(self, key, reg);
                    self.asm.emit(Op::ArrayPush, list, reg, 1);
                    self.asm.release(list as u32 + 1);
                }
                site.splat = true;
                site.splat_fresh = fresh;
                site.argc = before + 1;
            }
            None => {
                site.argc = before + forward.after.len() as u16;
                for key in forward.after {
                    let reg = self.asm.temp();
                    load(self, key, reg);
                }
            }
        }
        self.forward_keywords(forward.keywords, forward.keyword_rest, site, load);
    }

    fn forward_keywords<K>(
        &mut self,
        keywords: Vec<(Text, K)>,
        rest: Option<K>,
        site: &mut CallSite,
        load: &mut dyn FnMut(&mut Self, K, Reg),
    ) {
        let Some(rest) = rest else {
            for (name, key) in keywords {
                let name = self.asm.name(name);
                let reg = self.asm.temp();
                load(self, key, reg);
                site.keywords.push(name);
                site.argc = site.argc.saturating_add(1);
            }
            return;
        };
        let hash = self.asm.temp();
        site.keyword_splat = true;
        site.argc = site.argc.saturating_add(1);
        if keywords.is_empty() {
            return load(self, rest, hash);
        }
        site.keyword_splat_fresh = true;
        let mark = self.asm.mark();
        self.asm.emit(Op::NewHash, hash, 0, 0);
        let reg = self.asm.temp();
        load(self, rest, reg);
        // The variable may hold anything by now: only a Hash is taken.
        self.asm.emit_x(Op::HashMerge, 1, hash, reg, 0);
        for (name, key) in keywords {
            self.asm.release(mark);
            let symbol = self.asm.temp();
            self.load_symbol(name, symbol);
            let value = self.asm.temp();
            load(self, key, value);
            self.asm.emit(Op::HashStore, hash, symbol, 2);
        }
        self.asm.release(mark);
    }

    pub fn yield_call(&mut self, node: &YieldNode<'pr>, dst: Option<Reg>) {
        self.fun.uses_block = true;
        if !self.may_yield() {
            self.set_line_at(&node.location());
            self.fail("Invalid yield");
        }
        let base = self.asm.temp();
        let site = self.arguments(node.arguments(), None);
        let site = self.asm.site(site);
        self.set_line_at(&node.location());
        self.asm.emit(Op::Yield, dst.unwrap_or(base), base, site);
    }

    // -- blocks

    /// Compiles a literal block; returns the child's index.
    pub fn block(&mut self, node: &BlockNode<'pr>) -> u16 {
        let fun = self.function_at(ISeqKind::Block, self.fun.name.clone(), &node.location());
        let fun = Function { head: range(&node.opening_loc()), ..fun };
        let iseq = self.nested(fun, |compiler| compiler.block_body(node.parameters(), node.body()));
        self.fun.uses_block |= iseq.uses_block;
        self.asm.child(iseq)
    }

    fn block_body(&mut self, parameters: Option<Node<'pr>>, body: Option<Node<'pr>>) {
        self.block_parameters(parameters);
        let redo = self.asm.here();
        self.fun.redo = Some(redo);
        self.tail_optional(body);
    }

    pub fn lambda(&mut self, node: &LambdaNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let fun = self.function_at(ISeqKind::Lambda, self.fun.name.clone(), &node.location());
        let operator = range(&node.operator_loc());
        // It begins behind its parameters.
        let line = self.src.line(node.opening_loc().start());
        let fun = Function { whole: operator.end..fun.whole.end, head: operator, line, ..fun };
        let iseq = self.nested(fun, |compiler| compiler.block_body(node.parameters(), node.body()));
        self.fun.uses_block |= iseq.uses_block;
        let child = self.asm.child(iseq);
        self.asm.emit(Op::Lambda, reg, child, 0);
    }
}

/// What `super` without arguments passes on.
struct Forward<K> {
    before: Vec<K>,
    rest: Option<K>,
    after: Vec<K>,
    keywords: Vec<(Text, K)>,
    keyword_rest: Option<K>,
}

/// An argument that is one positional value.
pub fn is_single_value(node: &Node) -> bool {
    !matches!(
        node,
        Node::SplatNode { .. }
            | Node::KeywordHashNode { .. }
            | Node::ForwardingArgumentsNode { .. }
            | Node::BlockArgumentNode { .. }
    )
}

/// Whether evaluating `node` leaves an Array alone that was read before it. What a missing constant or a conversion of
/// the value in the call may run is left out of account: the callee then gets what the Array holds by that time.
fn runs_nothing(node: &Node) -> bool {
    runs_nothing_within(node, 8)
}

fn runs_nothing_within(node: &Node, depth: u8) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let runs_nothing = |node: &Node| runs_nothing_within(node, depth);
    match node {
        Node::NilNode { .. }
        | Node::TrueNode { .. }
        | Node::FalseNode { .. }
        | Node::SelfNode { .. }
        | Node::SymbolNode { .. } => true,
        Node::IntegerNode { .. } | Node::FloatNode { .. } | Node::RationalNode { .. } | Node::ImaginaryNode { .. } => {
            true
        }
        Node::StringNode { .. } | Node::RegularExpressionNode { .. } | Node::LambdaNode { .. } => true,
        Node::LocalVariableReadNode { .. }
        | Node::ItLocalVariableReadNode { .. }
        | Node::InstanceVariableReadNode { .. } => true,
        Node::GlobalVariableReadNode { .. } | Node::ClassVariableReadNode { .. } | Node::ConstantReadNode { .. } => {
            true
        }
        Node::NumberedReferenceReadNode { .. } | Node::BackReferenceReadNode { .. } => true,
        Node::ConstantPathNode { .. } => {
            node.as_constant_path_node().is_some_and(|n| n.parent().is_none_or(|n| runs_nothing(&n)))
        }
        Node::ArrayNode { .. } => node.as_array_node().is_some_and(|n| n.elements().iter().all(|n| runs_nothing(&n))),
        Node::AssocNode { .. } => {
            node.as_assoc_node().is_some_and(|n| runs_nothing(&n.key()) && runs_nothing(&n.value()))
        }
        Node::AssocSplatNode { .. } => {
            node.as_assoc_splat_node().is_some_and(|n| n.value().is_none_or(|n| runs_nothing(&n)))
        }
        Node::ImplicitNode { .. } => node.as_implicit_node().is_some_and(|n| runs_nothing(&n.value())),
        _ => false,
    }
}

/// The value of a small integer literal.
pub fn small_literal(node: &Node) -> Option<i16> {
    let value: i32 = node.as_integer_node()?.value().try_into().ok()?;
    i16::try_from(value).ok()
}
