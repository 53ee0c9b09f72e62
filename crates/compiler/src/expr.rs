//! Expressions: the dispatch on node kinds, statements, and how a value finds its register.
//!
//! [`Compiler::expr`] evaluates a node into a register, or for its effect alone. An operand that already
//! lies in a register (a local variable, self) is used in place by [`Compiler::operand`].

use crate::asm::Reg;
use crate::compiler::Compiler;
use crate::scope::{Found, Key};
use rubellite_bytecode::{Const, Op, Text};
use ruby_prism::*;

/// How far [`may_write_local`] looks before it says yes.
const WRITE_SEARCH_DEPTH: u32 = 4;

macro_rules! dispatch {
    ($self:ident, $node:ident, $dst:ident; $($kind:ident $as:ident |$n:ident| $body:expr,)*; $($rest:tt)*) => {
        match $node {
            $(Node::$kind { .. } => if let Some($n) = $node.$as() { $body },)*
            $($rest)*
        }
    };
}

impl<'pr> Compiler<'pr> {
    /// Evaluates `node` into `reg`.
    pub fn into(&mut self, node: &Node<'pr>, reg: Reg) {
        self.expr(node, Some(reg));
    }

    /// Evaluates `node` and drops its value.
    pub fn effect(&mut self, node: &Node<'pr>) {
        self.expr(node, None);
    }

    /// The register to compute into: a scratch one when nobody wants the value.
    pub fn target(&mut self, dst: Option<Reg>) -> Reg {
        dst.unwrap_or_else(|| self.asm.temp())
    }

    /// A register for a value on the way to `dst`: `dst` itself when it is the topmost temporary, else a fresh one. A
    /// destination that lies fallow under the work for it would keep its old value reachable all that time.
    pub fn scratch(&mut self, dst: Option<Reg>) -> Reg {
        match dst {
            Some(reg) if reg >= self.fun.local_end && u32::from(reg) + 1 == self.asm.mark() => reg,
            _ => self.asm.temp(),
        }
    }

    /// Like [`Compiler::operand_before`] for the first operand of an operation whose result goes to `dst`.
    pub fn operand_in(&mut self, node: &Node<'pr>, later: &[Node<'pr>], dst: Reg) -> Reg {
        let mark = self.asm.mark();
        if u32::from(dst) + 1 != mark || dst < self.fun.local_end {
            return self.operand_before(node, later);
        }
        self.asm.release(mark - 1);
        let reg = self.operand_before(node, later);
        if self.asm.mark() < mark {
            self.asm.temp();
        }
        reg
    }

    /// Evaluates `node` into a fresh register.
    pub fn temp(&mut self, node: &Node<'pr>) -> Reg {
        let reg = self.asm.temp();
        self.into(node, reg);
        reg
    }

    /// A register that holds the value of `node`: a local variable's own, or a fresh one.
    pub fn operand(&mut self, node: &Node<'pr>) -> Reg {
        match node {
            Node::SelfNode { .. } => return 0,
            Node::LocalVariableReadNode { .. } => {
                if let Some(Found::Reg(reg)) =
                    node.as_local_variable_read_node().and_then(|n| self.find(Key::Name(n.name().as_slice())))
                {
                    return reg;
                }
            }
            Node::ItLocalVariableReadNode { .. } => {
                if let Some(Found::Reg(reg)) = self.find(Key::It) {
                    return reg;
                }
            }
            Node::LocalVariableWriteNode { .. } => {
                if let Some(Found::Reg(reg)) =
                    node.as_local_variable_write_node().and_then(|n| self.find(Key::Name(n.name().as_slice())))
                {
                    self.effect(node);
                    return reg;
                }
            }
            Node::LocalVariableOperatorWriteNode { .. } => {
                if let Some(Found::Reg(reg)) =
                    node.as_local_variable_operator_write_node().and_then(|n| self.find(Key::Name(n.name().as_slice())))
                {
                    self.effect(node);
                    return reg;
                }
            }
            Node::ParenthesesNode { .. } => {
                if let Some(inner) = node.as_parentheses_node().and_then(|n| single_statement(n.body())) {
                    return self.operand(&inner);
                }
            }
            _ => {}
        }
        self.temp(node)
    }

    /// Like [`Compiler::operand`], and still right after `later` has been evaluated.
    pub fn operand_before(&mut self, node: &Node<'pr>, later: &[Node<'pr>]) -> Reg {
        if later.iter().any(|node| may_write_local(node, WRITE_SEARCH_DEPTH)) {
            self.temp(node)
        } else {
            self.operand(node)
        }
    }

    /// Evaluates a list of statements.
    pub fn statements(&mut self, statements: Option<StatementsNode<'pr>>, dst: Option<Reg>) {
        let count = statements.as_ref().map_or(0, |n| n.body().len());
        if count == 0 {
            self.nil(dst);
        }
        for (index, node) in statements.iter().flat_map(|n| n.body().iter()).enumerate() {
            self.begin_statement(&node);
            self.expr(&node, if index + 1 == count { dst } else { None });
        }
    }

    pub fn optional(&mut self, node: Option<Node<'pr>>, dst: Option<Reg>) {
        match node {
            Some(node) => self.expr(&node, dst),
            None => self.nil(dst),
        }
    }

    pub fn nil(&mut self, dst: Option<Reg>) {
        if let Some(reg) = dst {
            self.asm.emit(Op::LoadNil, reg, 0, 0);
        }
    }

    /// Evaluates `node` as the last thing of a code object and returns its value.
    pub fn tail(&mut self, node: &Node<'pr>) {
        let mark = self.asm.mark();
        match node {
            Node::StatementsNode { .. } => {
                let nodes: Vec<Node> = node.as_statements_node().map(|n| n.body().iter().collect()).unwrap_or_default();
                match nodes.split_last() {
                    Some((last, before)) => {
                        for node in before {
                            self.begin_statement(node);
                            self.effect(node);
                        }
                        self.begin_statement(last);
                        self.tail(last);
                    }
                    None => self.return_nil(),
                }
            }
            Node::IfNode { .. } if self.descend() => {
                self.tail_if(node);
                self.ascend();
            }
            _ => {
                let reg = self.operand(node);
                self.emit_end(reg);
            }
        }
        self.asm.release(mark);
    }

    pub fn tail_optional(&mut self, node: Option<Node<'pr>>) {
        match node {
            Some(node) => self.tail(&node),
            None => self.return_nil(),
        }
    }

    fn return_nil(&mut self) {
        let reg = self.asm.temp();
        self.asm.emit(Op::LoadNil, reg, 0, 0);
        self.emit_end(reg);
    }

    /// The implicit return at the end of the source of the code.
    fn emit_end(&mut self, reg: Reg) {
        self.asm.set_line(self.fun.end_line);
        self.asm.emit(Op::Return, reg, 0, 0);
    }

    fn tail_if(&mut self, node: &Node<'pr>) {
        let Some(node) = node.as_if_node() else { return };
        let otherwise = self.asm.label();
        self.branch(&node.predicate(), false, otherwise);
        let counted =
            self.branch_conditional(("if", node.location()), &node.predicate(), &node.statements(), &node.subsequent());
        self.count_arm(counted, 0);
        self.tail_optional(node.statements().map(|n| n.as_node()));
        self.asm.bind(otherwise);
        self.count_arm(counted, 1);
        match node.subsequent() {
            Some(next) => match next.as_else_node() {
                Some(last) => self.tail_optional(last.statements().map(|n| n.as_node())),
                None => {
                    self.begin_statement(&next); // An `elsif` has a line of its own.
                    self.tail(&next);
                }
            },
            None => self.return_nil(),
        }
    }

    /// Evaluates `node`; with a destination its value ends there.
    pub fn expr(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        if !self.descend() {
            self.ascend();
            return;
        }
        let mark = self.asm.mark();
        self.set_line_at(&node.location());
        if self.sharing.is_none() || !self.shared(node, dst) {
            self.simple(node, dst);
        }
        self.asm.release(mark);
        self.ascend();
    }

    /// Literals and variables; everything else goes on to [`Compiler::operation`].
    pub fn simple(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        dispatch! { self, node, dst;
            IntegerNode as_integer_node |n| self.integer(&n, dst),
            FloatNode as_float_node |n| self.literal(Const::Float(n.value()), dst),
            RationalNode as_rational_node |n| self.rational(&n, dst),
            ImaginaryNode as_imaginary_node |n| self.imaginary(&n, dst),
            StringNode as_string_node |n| self.string(&n, dst),
            InterpolatedStringNode as_interpolated_string_node |n| self.interpolated_string(&n, dst),
            XStringNode as_x_string_node |n| self.x_string(&n, dst),
            InterpolatedXStringNode as_interpolated_x_string_node |n| self.interpolated_x_string(&n, dst),
            SymbolNode as_symbol_node |n| self.symbol(&n, dst),
            InterpolatedSymbolNode as_interpolated_symbol_node |n| self.interpolated_symbol(&n, dst),
            RegularExpressionNode as_regular_expression_node |n| self.regexp(&n, dst),
            InterpolatedRegularExpressionNode as_interpolated_regular_expression_node
                |n| self.interpolated_regexp(&n, dst),
            MatchLastLineNode as_match_last_line_node |n| self.match_last_line(&n, dst),
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node
                |n| self.interpolated_match_last_line(&n, dst),
            ArrayNode as_array_node |n| self.array(&n, dst),
            HashNode as_hash_node |n| self.hash(&n.elements(), dst),
            KeywordHashNode as_keyword_hash_node |n| self.hash(&n.elements(), dst),
            RangeNode as_range_node |n| self.range(&n, dst),
            LocalVariableReadNode as_local_variable_read_node |n| self.read_local(Key::Name(n.name().as_slice()), dst),
            InstanceVariableReadNode as_instance_variable_read_node |n| self.read_ivar(&n, dst),
            GlobalVariableReadNode as_global_variable_read_node |n| self.read_global(n.name().as_slice(), dst),
            ClassVariableReadNode as_class_variable_read_node |n| self.read_cvar(&n, dst),
            ConstantReadNode as_constant_read_node |n| {
                self.note_constant(&n);
                self.read_constant(n.name().as_slice(), dst)
            },
            ConstantPathNode as_constant_path_node |n| self.read_constant_path(&n, dst),
            NumberedReferenceReadNode as_numbered_reference_read_node |n| self.numbered_reference(n.number(), dst),
            BackReferenceReadNode as_back_reference_read_node |n| self.back_reference(&n, dst),
            StatementsNode as_statements_node |n| self.statements(Some(n), dst),
            ParenthesesNode as_parentheses_node |n| self.optional(n.body(), dst),
            ImplicitNode as_implicit_node |n| self.expr(&n.value(), dst),
            EmbeddedStatementsNode as_embedded_statements_node |n| self.statements(n.statements(), dst),
            EmbeddedVariableNode as_embedded_variable_node |n| self.expr(&n.variable(), dst),
            ;
            Node::NilNode { .. } => self.nil(dst),
            Node::TrueNode { .. } => self.load_word(Op::LoadTrue, dst),
            Node::FalseNode { .. } => self.load_word(Op::LoadFalse, dst),
            Node::SelfNode { .. } => self.load_self(dst),
            Node::ItLocalVariableReadNode { .. } => self.read_local(Key::It, dst),
            Node::SourceFileNode { .. } => self.source_file(node, dst),
            Node::SourceLineNode { .. } => self.small_integer(self.asm.line(), dst),
            Node::SourceEncodingNode { .. } => self.literal(Const::Encoding(self.src.encoding), dst),
            _ => self.operation(node, dst),
        }
    }

    fn operation(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        dispatch! { self, node, dst;
            CallNode as_call_node |n| self.call(&n, dst),
            SuperNode as_super_node |n| self.super_call(&n, dst),
            ForwardingSuperNode as_forwarding_super_node |n| self.forwarding_super(&n, dst),
            YieldNode as_yield_node |n| self.yield_call(&n, dst),
            LambdaNode as_lambda_node |n| self.lambda(&n, dst),
            AndNode as_and_node |n| self.and(&n, dst),
            OrNode as_or_node |n| self.or(&n, dst),
            IfNode as_if_node |n| self.if_node(&n, dst),
            UnlessNode as_unless_node |n| self.unless_node(&n, dst),
            ElseNode as_else_node |n| self.statements(n.statements(), dst),
            CaseNode as_case_node |n| self.case(&n, dst),
            CaseMatchNode as_case_match_node |n| self.case_match(&n, dst),
            MatchPredicateNode as_match_predicate_node |n| self.match_predicate(&n, dst),
            MatchRequiredNode as_match_required_node |n| self.match_required(&n, dst),
            MatchWriteNode as_match_write_node |n| self.match_write(&n, dst),
            FlipFlopNode as_flip_flop_node |n| self.flip_flop(&n, dst),
            WhileNode as_while_node |n| self.while_loop(&n, dst),
            UntilNode as_until_node |n| self.until_loop(&n, dst),
            ForNode as_for_node |n| self.for_loop(&n, dst),
            BreakNode as_break_node |n| self.break_node(&n),
            NextNode as_next_node |n| self.next_node(&n),
            ReturnNode as_return_node |n| self.return_node(&n),
            BeginNode as_begin_node |n| self.begin(&n, dst),
            RescueModifierNode as_rescue_modifier_node |n| self.rescue_modifier(&n, dst),
            DefNode as_def_node |n| self.def(&n, dst),
            ClassNode as_class_node |n| self.class(&n, dst),
            ModuleNode as_module_node |n| self.module(&n, dst),
            SingletonClassNode as_singleton_class_node |n| self.singleton_class(&n, dst),
            AliasMethodNode as_alias_method_node |n| self.alias_method(&n, dst),
            AliasGlobalVariableNode as_alias_global_variable_node |n| self.alias_global(&n, dst),
            UndefNode as_undef_node |n| self.undef(&n, dst),
            DefinedNode as_defined_node |n| self.defined(&n.value(), dst),
            PostExecutionNode as_post_execution_node |n| self.post_execution(&n, dst),
            ShareableConstantNode as_shareable_constant_node |n| self.shareable_constant(&n, dst),
            SplatNode as_splat_node |n| self.lone_splat(&n, dst),
            ;
            Node::RedoNode { .. } => self.redo_node(),
            Node::RetryNode { .. } => self.retry_node(),
            // Its statements run before the program.
            Node::PreExecutionNode { .. } => self.nil(dst),
            _ => self.assignment(node, dst),
        }
    }

    fn load_word(&mut self, op: Op, dst: Option<Reg>) {
        if let Some(reg) = dst {
            self.asm.emit(op, reg, 0, 0);
        }
    }

    fn load_self(&mut self, dst: Option<Reg>) {
        if let Some(reg) = dst {
            self.asm.move_to(reg, 0);
        }
    }

    fn read_local(&mut self, key: Key<'pr>, dst: Option<Reg>) {
        if let Some(reg) = dst {
            self.load(key, reg);
        }
    }

    pub fn literal(&mut self, value: Const, dst: Option<Reg>) {
        if let Some(reg) = dst {
            let index = self.asm.constant(value);
            self.asm.emit_literal(Op::LoadConst, 0, reg, index);
        }
    }

    pub fn load_symbol(&mut self, text: Text, reg: Reg) {
        self.literal(Const::Symbol(text), Some(reg));
    }
}

/// The only statement of a body, when there is exactly one.
pub fn single_statement<'pr>(body: Option<Node<'pr>>) -> Option<Node<'pr>> {
    let statements = body?.as_statements_node()?;
    let mut nodes = statements.body().iter();
    let first = nodes.next()?;
    nodes.next().is_none().then_some(first)
}

/// Whether evaluating `node` may assign a local variable of this frame that lies in a register. Blocks
/// cannot: what they assign is captured. Errs on the side of yes.
pub fn may_write_local(node: &Node, depth: u32) -> bool {
    if depth == 0 {
        return true;
    }
    let all = |nodes: NodeListIter| nodes.into_iter().any(|node| may_write_local(&node, depth - 1));
    match node {
        Node::IntegerNode { .. }
        | Node::FloatNode { .. }
        | Node::StringNode { .. }
        | Node::SymbolNode { .. }
        | Node::NilNode { .. }
        | Node::TrueNode { .. }
        | Node::FalseNode { .. }
        | Node::SelfNode { .. }
        | Node::LocalVariableReadNode { .. }
        | Node::ItLocalVariableReadNode { .. }
        | Node::InstanceVariableReadNode { .. }
        | Node::GlobalVariableReadNode { .. }
        | Node::ClassVariableReadNode { .. }
        | Node::ConstantReadNode { .. }
        | Node::BlockNode { .. }
        | Node::LambdaNode { .. }
        | Node::RegularExpressionNode { .. } => false,
        Node::ConstantPathNode { .. } => {
            node.as_constant_path_node().and_then(|n| n.parent()).is_some_and(|n| may_write_local(&n, depth - 1))
        }
        Node::ParenthesesNode { .. } => match node.as_parentheses_node().and_then(|n| single_statement(n.body())) {
            Some(inner) => may_write_local(&inner, depth),
            None => true,
        },
        Node::ArrayNode { .. } => node.as_array_node().is_none_or(|n| all(n.elements().iter())),
        Node::CallNode { .. } => {
            let Some(call) = node.as_call_node() else { return true };
            call.receiver().is_some_and(|n| may_write_local(&n, depth - 1))
                || call.arguments().is_some_and(|n| all(n.arguments().iter()))
                || call.block().is_some_and(|n| !matches!(n, Node::BlockNode { .. }))
        }
        _ => true,
    }
}

/// Whether code for `node` writes its destination only with its last instruction, so that a local
/// variable's own register can be the destination.
pub fn writes_last(node: &Node) -> bool {
    match node {
        Node::IntegerNode { .. }
        | Node::FloatNode { .. }
        | Node::StringNode { .. }
        | Node::SymbolNode { .. }
        | Node::NilNode { .. }
        | Node::TrueNode { .. }
        | Node::FalseNode { .. }
        | Node::SelfNode { .. }
        | Node::LocalVariableReadNode { .. }
        | Node::ItLocalVariableReadNode { .. }
        | Node::InstanceVariableReadNode { .. }
        | Node::GlobalVariableReadNode { .. }
        | Node::ConstantReadNode { .. }
        | Node::LambdaNode { .. }
        | Node::RegularExpressionNode { .. }
        | Node::YieldNode { .. } => true,
        Node::ArrayNode { .. } => node.as_array_node().is_some_and(|n| n.elements().is_empty()),
        Node::HashNode { .. } => node.as_hash_node().is_some_and(|n| n.elements().is_empty()),
        Node::CallNode { .. } => {
            node.as_call_node().is_some_and(|n| !n.is_safe_navigation() && !n.is_attribute_write())
        }
        _ => false,
    }
}
