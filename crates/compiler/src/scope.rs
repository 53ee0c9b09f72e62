//! Scopes and captured variables: a pass over the syntax tree before any code is made. It decides
//! which locals live in an environment (`Place::Env`) and which scopes have one. Registers are given
//! later, by `params`, when the scope is compiled.

use crate::EvalScope;
use ruby_prism::*;
use rustc_hash::FxHashMap;

pub type ScopeId = usize;

/// What names a local variable.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key<'pr> {
    Name(&'pr [u8]),
    /// The implicit block parameter `it`.
    It,
    /// State of the flip-flop at this source offset.
    FlipFlop(u32),
    /// The value of the parameter at this source offset that no name stands for, for `super`: a destructuring one, or
    /// one that repeats a name (`_`).
    Unnamed(u32),
}

/// Names of anonymous parameters: `*`, `**` and `&`.
pub const ANONYMOUS_REST: &[u8] = b"*";
pub const ANONYMOUS_KEYWORDS: &[u8] = b"**";
pub const ANONYMOUS_BLOCK: &[u8] = b"&";

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    Program,
    Eval,
    Method,
    Class,
    Block,
    Lambda,
    For,
}

impl ScopeKind {
    /// Code of this scope sees the variables of the scope around it.
    pub fn is_block(self) -> bool {
        matches!(self, ScopeKind::Block | ScopeKind::Lambda | ScopeKind::For)
    }
}

#[derive(Debug)]
pub struct Variable<'pr> {
    pub key: Key<'pr>,
    pub captured: bool,
    /// Its register, once the scope is being compiled and unless it is captured.
    pub reg: u16,
    /// Its slot when captured.
    pub slot: u16,
}

#[derive(Debug)]
pub struct Scope<'pr> {
    pub parent: Option<ScopeId>,
    pub kind: ScopeKind,
    pub variables: Vec<Variable<'pr>>,
    index: FxHashMap<Key<'pr>, usize>,
    capture_all: bool,
    pub env_size: u16,
    /// The name of the method's block parameter, until a use is found that needs a Proc.
    passed_block: Option<&'pr [u8]>,
    /// The method's block parameter, when a scope within the method passes it on: if it turns out to need a Proc, that
    /// scope reads it as a captured variable.
    passed_within: Option<&'pr [u8]>,
}

impl<'pr> Scope<'pr> {
    fn new(parent: Option<ScopeId>, kind: ScopeKind) -> Self {
        Scope {
            parent,
            kind,
            variables: Vec::new(),
            index: FxHashMap::default(),
            capture_all: false,
            env_size: 0,
            passed_block: None,
            passed_within: None,
        }
    }

    pub fn find(&self, key: Key<'pr>) -> Option<usize> {
        self.index.get(&key).copied()
    }

    /// The block parameter of a method that only passes it on: it has no register.
    pub fn passed_block(&self) -> Option<&'pr [u8]> {
        self.passed_block
    }

    fn declare(&mut self, key: Key<'pr>) {
        let next = self.variables.len();
        if let std::collections::hash_map::Entry::Vacant(entry) = self.index.entry(key) {
            entry.insert(next);
            self.variables.push(Variable { key, captured: false, reg: 0, slot: 0 });
        }
    }

    /// Gives every captured variable its slot.
    fn close(&mut self) {
        let mut slots = 0u16;
        if self.capture_all {
            self.passed_block = None;
        }
        if let Some(index) =
            self.passed_within.filter(|_| self.passed_block.is_none()).and_then(|name| self.find(Key::Name(name)))
        {
            self.variables[index].captured = true;
        }
        for variable in &mut self.variables {
            variable.captured |= self.capture_all;
            if variable.captured {
                variable.slot = slots;
                slots = slots.saturating_add(1);
            }
        }
        self.env_size = slots;
    }
}

/// Where a variable is found from some scope.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    Reg(u16),
    /// Environments outwards, slot.
    Env(u32, u16),
}

pub struct Scopes<'pr> {
    pub list: Vec<Scope<'pr>>,
    /// Scope of the node that starts at an offset.
    by_offset: FxHashMap<u32, ScopeId>,
    eval: Vec<FxHashMap<Vec<u8>, u16>>,
}

impl<'pr> Scopes<'pr> {
    pub fn analyse(program: &ProgramNode<'pr>, kind: ScopeKind, eval_scopes: &[EvalScope]) -> Self {
        let eval = eval_scopes
            .iter()
            .map(|scope| {
                scope.locals.iter().enumerate().map(|(slot, name)| (name.bytes().to_vec(), slot as u16)).collect()
            })
            .collect();
        let mut scopes = Scopes { list: vec![Scope::new(None, kind)], by_offset: FxHashMap::default(), eval };
        scopes.list[0].capture_all = kind == ScopeKind::Eval;
        let mut walk = Walk { scopes: &mut scopes, current: 0 };
        walk.declare_all(&program.locals());
        walk.visit_statements_node(&program.statements());
        for scope in &mut scopes.list {
            scope.close();
        }
        scopes
    }

    /// The scope of the block, method, class ... that starts at `offset`.
    pub fn at(&self, offset: u32) -> ScopeId {
        self.by_offset.get(&offset).copied().unwrap_or(0)
    }

    /// Looks `key` up from scope `from` outwards.
    pub fn resolve(&self, from: ScopeId, key: Key<'pr>) -> Option<Found> {
        let mut depth = 0;
        let mut id = from;
        loop {
            let scope = &self.list[id];
            if let Some(index) = scope.find(key) {
                let variable = &scope.variables[index];
                return Some(if variable.captured {
                    Found::Env(depth, variable.slot)
                } else {
                    Found::Reg(variable.reg)
                });
            }
            depth += (scope.env_size > 0) as u32;
            match scope.parent {
                Some(parent) if scope.kind.is_block() => id = parent,
                _ if scope.kind == ScopeKind::Eval => break,
                _ => return None,
            }
        }
        let Key::Name(name) = key else { return None };
        self.eval
            .iter()
            .enumerate()
            .find_map(|(index, scope)| scope.get(name).map(|slot| Found::Env(depth + index as u32, *slot)))
    }

    /// The scope that declares `key`, as seen from `from`.
    pub fn declares(&self, from: ScopeId, key: Key<'pr>) -> Option<ScopeId> {
        let mut id = from;
        loop {
            let scope = &self.list[id];
            if scope.find(key).is_some() {
                return Some(id);
            }
            id = scope.parent.filter(|_| scope.kind.is_block())?;
        }
    }

    /// A variable of the environments around an eval, by a name that is not in the source.
    pub fn resolve_outer(&self, from: ScopeId, name: &[u8]) -> Option<Found> {
        let mut depth = 0;
        let mut id = from;
        loop {
            let scope = &self.list[id];
            depth += (scope.env_size > 0) as u32;
            match scope.parent {
                Some(parent) if scope.kind.is_block() => id = parent,
                _ => break,
            }
        }
        self.eval
            .iter()
            .enumerate()
            .find_map(|(index, scope)| scope.get(name).map(|slot| Found::Env(depth + index as u32, *slot)))
    }

    /// The scope of the method, class body or script that `from` belongs to.
    pub fn home(&self, from: ScopeId) -> ScopeId {
        let mut id = from;
        while let Some(parent) = self.list[id].parent.filter(|_| self.list[id].kind.is_block()) {
            id = parent;
        }
        id
    }
}

/// The walk itself.
struct Walk<'a, 'pr> {
    scopes: &'a mut Scopes<'pr>,
    current: ScopeId,
}

impl<'pr> Walk<'_, 'pr> {
    fn declare_all(&mut self, names: &ConstantList<'pr>) {
        let scope = &mut self.scopes.list[self.current];
        for name in names {
            let name = name.as_slice();
            // Hidden names of the parser are not variables.
            if is_identifier(name) {
                scope.declare(Key::Name(name));
            }
        }
    }

    fn declare(&mut self, key: Key<'pr>) {
        self.scopes.list[self.current].declare(key);
    }

    fn inside(&mut self, offset: u32, kind: ScopeKind, body: impl FnOnce(&mut Self)) {
        let id = self.scopes.list.len();
        self.scopes.list.push(Scope::new(Some(self.current), kind));
        self.scopes.by_offset.insert(offset, id);
        let outer = std::mem::replace(&mut self.current, id);
        body(self);
        self.current = outer;
    }

    /// A use of `key`: captured when it belongs to a scope further out.
    fn touch(&mut self, key: Key<'pr>) {
        let mut id = self.current;
        loop {
            let scope = &mut self.scopes.list[id];
            if let Some(index) = scope.find(key) {
                scope.variables[index].captured |= id != self.current;
                if scope.passed_block.map(Key::Name) == Some(key) {
                    scope.passed_block = None;
                }
                return;
            }
            match scope.parent {
                Some(parent) if scope.kind.is_block() => id = parent,
                _ => return,
            }
        }
    }

    fn touch_name(&mut self, name: &ConstantId<'pr>) {
        self.touch(Key::Name(name.as_slice()));
    }

    /// A binding may see every variable from here outwards.
    fn capture_all(&mut self) {
        let mut id = self.current;
        loop {
            let scope = &mut self.scopes.list[id];
            scope.capture_all = true;
            match scope.parent {
                Some(parent) if scope.kind.is_block() => id = parent,
                _ => return,
            }
        }
    }

    fn anonymous_arguments(&mut self, nodes: NodeListIter<'pr>) {
        for node in nodes {
            match node {
                Node::SplatNode { .. } if node.as_splat_node().is_some_and(|n| n.expression().is_none()) => {
                    self.touch(Key::Name(ANONYMOUS_REST))
                }
                Node::AssocSplatNode { .. } if node.as_assoc_splat_node().is_some_and(|n| n.value().is_none()) => {
                    self.touch(Key::Name(ANONYMOUS_KEYWORDS))
                }
                Node::ForwardingArgumentsNode { .. } => {
                    self.touch(Key::Name(ANONYMOUS_REST));
                    self.touch(Key::Name(ANONYMOUS_KEYWORDS));
                    self.touch(Key::Name(ANONYMOUS_BLOCK));
                }
                _ => {}
            }
        }
    }

    fn visit_optional(&mut self, node: Option<Node<'pr>>) {
        if let Some(node) = node {
            self.visit(&node);
        }
    }

    /// Declares anonymous parameters, which the parser does not list as locals.
    fn declare_anonymous(&mut self, parameters: &ParametersNode<'pr>) {
        let positional =
            parameters.requireds().iter().chain(parameters.optionals().iter()).chain(parameters.posts().iter());
        for key in positional
            .chain(parameters.rest())
            .filter_map(|n| parameter_key(&n))
            .filter(|key| matches!(key, Key::Unnamed(_)))
        {
            self.declare(key);
        }
        if parameters.rest().and_then(|n| n.as_rest_parameter_node()).is_some_and(|n| n.name().is_none()) {
            self.declare(Key::Name(ANONYMOUS_REST));
        }
        match parameters.keyword_rest() {
            Some(node @ Node::KeywordRestParameterNode { .. })
                if node.as_keyword_rest_parameter_node().is_some_and(|n| n.name().is_none()) =>
            {
                self.declare(Key::Name(ANONYMOUS_KEYWORDS));
            }
            Some(Node::ForwardingParameterNode { .. }) => {
                self.declare(Key::Name(ANONYMOUS_REST));
                self.declare(Key::Name(ANONYMOUS_KEYWORDS));
            }
            _ => {}
        }
        // That of a method is passed on without a register.
        let in_method = self.scopes.list[self.current].kind == ScopeKind::Method;
        if !in_method
            && parameters.block().and_then(|n| n.as_block_parameter_node()).is_some_and(|n| n.name().is_none())
        {
            self.declare(Key::Name(ANONYMOUS_BLOCK));
        }
    }

    fn block_parameters(&mut self, parameters: Option<Node<'pr>>) {
        let Some(node) = parameters else { return };
        match &node {
            Node::BlockParametersNode { .. } => {
                if let Some(parameters) = node.as_block_parameters_node().and_then(|n| n.parameters()) {
                    self.declare_anonymous(&parameters);
                    self.visit_parameters_node(&parameters);
                }
            }
            Node::ItParametersNode { .. } => self.declare(Key::It),
            Node::NumberedParametersNode { .. } => {
                const NAMES: [&[u8]; 9] = [b"_1", b"_2", b"_3", b"_4", b"_5", b"_6", b"_7", b"_8", b"_9"];
                let maximum = node.as_numbered_parameters_node().map_or(0, |n| n.maximum());
                for name in NAMES.iter().take(maximum as usize) {
                    self.declare(Key::Name(name));
                }
            }
            _ => {}
        }
    }
}

/// A name that a program can write; the others are those of hidden variables.
pub fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_' || *first >= 0x80)
}

/// `send(:binding)`: the same by a method that takes the name.
fn sends_for_binding(node: &CallNode) -> bool {
    let sends = matches!(node.name().as_slice(), b"send" | b"__send__" | b"public_send");
    let first = node.arguments().filter(|_| sends).and_then(|arguments| arguments.arguments().iter().next());
    first.and_then(|first| first.as_symbol_node().map(|symbol| makes_binding(symbol.unescaped()))).unwrap_or(false)
}

/// Methods whose callers must be visible to a binding. `eval` and `binding` are often aliased to longer names.
fn makes_binding(name: &[u8]) -> bool {
    let ends = name.ends_with(b"eval") || name.ends_with(b"binding");
    ends || matches!(
        name,
        b"local_variables"
            | b"local_variable_get"
            | b"local_variable_set"
            | b"proc"
            | b"lambda"
            | b"define_method"
            | b"define_singleton_method"
            | b"instance_exec"
            | b"class_exec"
            | b"module_exec"
    )
}

impl<'pr> Visit<'pr> for Walk<'_, 'pr> {
    fn visit_def_node(&mut self, node: &DefNode<'pr>) {
        self.visit_optional(node.receiver());
        self.inside(node.location().start(), ScopeKind::Method, |walk| {
            walk.declare_all(&node.locals());
            if let Some(parameters) = node.parameters() {
                walk.declare_anonymous(&parameters);
                let block = parameters.block().and_then(|n| n.as_block_parameter_node());
                let name = block.filter(|n| !n.is_repeated_parameter()).and_then(|n| n.name());
                walk.scopes.list[walk.current].passed_block = name.map(|name| name.as_slice());
                walk.visit_parameters_node(&parameters);
            }
            walk.visit_optional(node.body());
        });
    }

    fn visit_class_node(&mut self, node: &ClassNode<'pr>) {
        self.visit(&node.constant_path());
        self.visit_optional(node.superclass());
        self.inside(node.location().start(), ScopeKind::Class, |walk| {
            walk.declare_all(&node.locals());
            walk.visit_optional(node.body());
        });
    }

    fn visit_module_node(&mut self, node: &ModuleNode<'pr>) {
        self.visit(&node.constant_path());
        self.inside(node.location().start(), ScopeKind::Class, |walk| {
            walk.declare_all(&node.locals());
            walk.visit_optional(node.body());
        });
    }

    fn visit_singleton_class_node(&mut self, node: &SingletonClassNode<'pr>) {
        self.visit(&node.expression());
        self.inside(node.location().start(), ScopeKind::Class, |walk| {
            walk.declare_all(&node.locals());
            walk.visit_optional(node.body());
        });
    }

    fn visit_block_node(&mut self, node: &BlockNode<'pr>) {
        self.inside(node.location().start(), ScopeKind::Block, |walk| {
            walk.declare_all(&node.locals());
            walk.block_parameters(node.parameters());
            walk.visit_optional(node.body());
        });
    }

    fn visit_lambda_node(&mut self, node: &LambdaNode<'pr>) {
        self.capture_all();
        self.inside(node.location().start(), ScopeKind::Lambda, |walk| {
            walk.declare_all(&node.locals());
            walk.block_parameters(node.parameters());
            walk.visit_optional(node.body());
        });
    }

    fn visit_for_node(&mut self, node: &ForNode<'pr>) {
        self.visit(&node.collection());
        self.inside(node.location().start(), ScopeKind::For, |walk| {
            walk.visit(&node.index());
            if let Some(statements) = node.statements() {
                walk.visit_statements_node(&statements);
            }
        });
    }

    fn visit_post_execution_node(&mut self, node: &PostExecutionNode<'pr>) {
        self.inside(node.location().start(), ScopeKind::For, |walk| {
            if let Some(statements) = node.statements() {
                walk.visit_statements_node(&statements);
            }
        });
    }

    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let name = node.name().as_slice();
        let proc_new = name == b"new"
            && node.receiver().and_then(|n| n.as_constant_read_node()).is_some_and(|n| n.name().as_slice() == b"Proc");
        if makes_binding(name) || proc_new || sends_for_binding(node) {
            self.capture_all();
        }
        visit_call_node(self, node);
    }

    fn visit_constant_read_node(&mut self, node: &ConstantReadNode<'pr>) {
        if node.name().as_slice() == b"TOPLEVEL_BINDING" {
            self.capture_all();
        }
    }

    fn visit_forwarding_super_node(&mut self, node: &ForwardingSuperNode<'pr>) {
        let home = self.scopes.home(self.current);
        if home != self.current {
            // Every parameter is passed on: the parameters are the first locals of the method.
            for variable in &mut self.scopes.list[home].variables {
                variable.captured = true;
            }
        }
        visit_forwarding_super_node(self, node);
    }

    fn visit_flip_flop_node(&mut self, node: &FlipFlopNode<'pr>) {
        let home = self.scopes.home(self.current);
        let key = Key::FlipFlop(node.location().start());
        self.scopes.list[home].declare(key);
        self.touch(key);
        visit_flip_flop_node(self, node);
    }

    fn visit_arguments_node(&mut self, node: &ArgumentsNode<'pr>) {
        self.anonymous_arguments(node.arguments().iter());
        visit_arguments_node(self, node);
    }

    fn visit_array_node(&mut self, node: &ArrayNode<'pr>) {
        self.anonymous_arguments(node.elements().iter());
        visit_array_node(self, node);
    }

    fn visit_hash_node(&mut self, node: &HashNode<'pr>) {
        self.anonymous_arguments(node.elements().iter());
        visit_hash_node(self, node);
    }

    fn visit_keyword_hash_node(&mut self, node: &KeywordHashNode<'pr>) {
        self.anonymous_arguments(node.elements().iter());
        visit_keyword_hash_node(self, node);
    }

    fn visit_block_argument_node(&mut self, node: &BlockArgumentNode<'pr>) {
        match node.expression() {
            None => self.touch(Key::Name(ANONYMOUS_BLOCK)),
            Some(expression) => {
                let name = expression.as_local_variable_read_node().map(|n| n.name().as_slice());
                let home = self.scopes.home(self.current);
                let passed = name.is_some() && self.scopes.list[home].passed_block == name;
                // Passing the method's block on needs no Proc.
                if !(passed && name.and_then(|name| self.scopes.declares(self.current, Key::Name(name))) == Some(home))
                {
                    self.visit(&expression);
                } else if self.current != home {
                    self.scopes.list[home].passed_within = name;
                }
            }
        }
    }

    fn visit_local_variable_read_node(&mut self, node: &LocalVariableReadNode<'pr>) {
        self.touch_name(&node.name());
    }

    fn visit_it_local_variable_read_node(&mut self, _: &ItLocalVariableReadNode<'pr>) {
        self.touch(Key::It);
    }

    fn visit_local_variable_write_node(&mut self, node: &LocalVariableWriteNode<'pr>) {
        self.touch_name(&node.name());
        self.visit(&node.value());
    }

    fn visit_local_variable_target_node(&mut self, node: &LocalVariableTargetNode<'pr>) {
        self.touch_name(&node.name());
    }

    fn visit_local_variable_and_write_node(&mut self, node: &LocalVariableAndWriteNode<'pr>) {
        self.touch_name(&node.name());
        self.visit(&node.value());
    }

    fn visit_local_variable_or_write_node(&mut self, node: &LocalVariableOrWriteNode<'pr>) {
        self.touch_name(&node.name());
        self.visit(&node.value());
    }

    fn visit_local_variable_operator_write_node(&mut self, node: &LocalVariableOperatorWriteNode<'pr>) {
        self.touch_name(&node.name());
        self.visit(&node.value());
    }
}

/// What names the value of a parameter that is not anonymous.
pub fn parameter_key<'pr>(node: &Node<'pr>) -> Option<Key<'pr>> {
    let unnamed = Key::Unnamed(node.location().start());
    let (name, repeated) = match node {
        Node::RequiredParameterNode { .. } => {
            node.as_required_parameter_node().map(|n| (n.name(), n.is_repeated_parameter()))?
        }
        Node::OptionalParameterNode { .. } => {
            node.as_optional_parameter_node().map(|n| (n.name(), n.is_repeated_parameter()))?
        }
        Node::RequiredKeywordParameterNode { .. } => (node.as_required_keyword_parameter_node()?.name(), false),
        Node::OptionalKeywordParameterNode { .. } => (node.as_optional_keyword_parameter_node()?.name(), false),
        Node::RestParameterNode { .. } => {
            node.as_rest_parameter_node().and_then(|n| Some((n.name()?, n.is_repeated_parameter())))?
        }
        Node::MultiTargetNode { .. } => return Some(unnamed),
        _ => return None,
    };
    Some(if repeated { unnamed } else { Key::Name(name.as_slice()) })
}
