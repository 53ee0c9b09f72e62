//! `# shareable_constant_value`: values of constants that every ractor may see.

use crate::asm::Reg;
use crate::compiler::Compiler;
use rubellite_bytecode::{Const, Encoding, Intrinsic, Op, Text};
use ruby_prism::{ConstantPathNode, Node, ShareableConstantNode};

/// What the comment asks for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Mode {
    /// Literals become shareable; what is computed must be.
    Literal,
    Everything,
    Copy,
}

/// The value of a constant that is to be shareable.
pub struct Sharing {
    mode: Mode,
    /// The constant, for messages.
    path: String,
    /// Where the value lies in the source.
    value: (u32, u32),
    /// Within that value: in an Array or Hash that is a literal.
    inside: bool,
}

impl<'pr> Compiler<'pr> {
    pub fn shareable_constant(&mut self, node: &ShareableConstantNode<'pr>, dst: Option<Reg>) {
        let write = node.write();
        let mode = match () {
            _ if node.is_experimental_everything() => Mode::Everything,
            _ if node.is_experimental_copy() => Mode::Copy,
            _ => Mode::Literal,
        };
        let Some((path, value)) = target_and_value(&write) else { return self.expr(&write, dst) };
        self.sharing = Some(Sharing { mode, path, value: span(&value), inside: false });
        let reg = self.target(dst);
        self.expr(&write, Some(reg));
        self.sharing = None;
    }

    /// Compiles the value of such a constant, or an element of one; false: the node is neither.
    pub fn shared(&mut self, node: &Node<'pr>, dst: Option<Reg>) -> bool {
        let Some(sharing) = self.sharing.take_if(|sharing| sharing.inside || sharing.value == span(node)) else {
            return false;
        };
        let reg = self.target(dst);
        match sharing.mode {
            Mode::Everything => self.simple_then(node, reg, Intrinsic::MakeShareable),
            Mode::Copy => self.simple_then(node, reg, Intrinsic::MakeShareableCopy),
            Mode::Literal => self.shared_literal(node, reg, &sharing),
        }
        self.sharing = Some(sharing);
        true
    }

    fn simple_then(&mut self, node: &Node<'pr>, reg: Reg, what: Intrinsic) {
        self.simple(node, Some(reg));
        self.asm.emit_x(Op::Intrinsic, what as u8, reg, reg, 1);
    }

    fn shared_literal(&mut self, node: &Node<'pr>, reg: Reg, sharing: &Sharing) {
        match node {
            Node::ArrayNode { .. } | Node::HashNode { .. } => {
                self.sharing = Some(Sharing { path: sharing.path.clone(), inside: true, ..*sharing });
                self.simple(node, Some(reg));
                self.sharing = None;
                self.asm.emit_x(Op::Intrinsic, Intrinsic::MakeShareable as u8, reg, reg, 1);
            }
            Node::StringNode { .. } | Node::InterpolatedStringNode { .. } => {
                self.frozen_literals = true;
                self.simple(node, Some(reg));
                self.frozen_literals = false;
                self.asm.emit_x(Op::Intrinsic, Intrinsic::Freeze as u8, reg, reg, 1);
            }
            _ if is_shareable_literal(node) => self.simple(node, Some(reg)),
            _ => {
                let mark = self.asm.mark();
                let (value, path) = (self.asm.temp(), self.asm.temp());
                self.simple(node, Some(value));
                let text = Text::new(sharing.path.as_bytes(), Encoding::UTF_8);
                let index = self.asm.constant(Const::Str(text));
                self.asm.emit_literal(Op::LoadConst, 0, path, index);
                self.asm.emit_x(Op::Intrinsic, Intrinsic::EnsureShareable as u8, reg, value, 2);
                self.asm.release(mark);
            }
        }
    }
}

fn span(node: &Node) -> (u32, u32) {
    let location = node.location();
    (location.start(), location.end())
}

fn is_shareable_literal(node: &Node) -> bool {
    matches!(
        node,
        Node::SymbolNode { .. }
            | Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::RationalNode { .. }
            | Node::ImaginaryNode { .. }
            | Node::RegularExpressionNode { .. }
            | Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
    )
}

/// Name and value of an assignment of a constant.
fn target_and_value<'pr>(write: &Node<'pr>) -> Option<(String, Node<'pr>)> {
    macro_rules! plain {
        ($($as:ident)*) => {
            $(if let Some(n) = write.$as() {
                return Some((String::from_utf8_lossy(n.name().as_slice()).into_owned(), n.value()));
            })*
        };
    }
    macro_rules! paths {
        ($($as:ident)*) => {
            $(if let Some(n) = write.$as() {
                return Some((path_text(&n.target()), n.value()));
            })*
        };
    }
    plain!(as_constant_write_node as_constant_or_write_node as_constant_and_write_node as_constant_operator_write_node);
    paths!(
        as_constant_path_write_node
        as_constant_path_or_write_node
        as_constant_path_and_write_node
        as_constant_path_operator_write_node
    );
    None
}

/// `A::B` as messages give it; what is no constant is `...`.
fn path_text(path: &ConstantPathNode) -> String {
    let name = path.name().map_or(String::new(), |name| String::from_utf8_lossy(name.as_slice()).into_owned());
    let parent = match path.parent() {
        None => String::new(),
        Some(parent) => match (parent.as_constant_path_node(), parent.as_constant_read_node()) {
            (Some(parent), _) => path_text(&parent),
            (_, Some(parent)) => String::from_utf8_lossy(parent.name().as_slice()).into_owned(),
            _ => "...".to_string(),
        },
    };
    format!("{parent}::{name}")
}
