//! Literals: numbers, strings, symbols, regexps, arrays, hashes, ranges.

use crate::asm::Reg;
use crate::compiler::Compiler;
use rubellite_bytecode::{CallSite, Const, Encoding, Insn, Intrinsic, Op, Text, regexp_flags};
use ruby_prism::*;

/// Elements of an aggregate are collected in this many registers at a time.
const CHUNK: usize = 64;

/// The options of any of the nodes that make a Regexp.
macro_rules! regexp_look {
    ($node:ident) => {
        RegexpLook {
            ignore_case: $node.is_ignore_case(),
            extended: $node.is_extended(),
            multi_line: $node.is_multi_line(),
            none: $node.is_ascii_8bit(),
            euc_jp: $node.is_euc_jp(),
            windows_31j: $node.is_windows_31j(),
            utf8: $node.is_utf_8(),
            forced: if $node.is_forced_utf8_encoding() {
                Some(Encoding::UTF_8)
            } else if $node.is_forced_binary_encoding() {
                Some(Encoding::BINARY)
            } else if $node.is_forced_us_ascii_encoding() {
                Some(Encoding::US_ASCII)
            } else {
                None
            },
        }
    };
}

impl<'pr> Compiler<'pr> {
    // -- numbers

    pub fn small_integer(&mut self, value: i32, dst: Option<Reg>) {
        if let Some(reg) = dst {
            self.asm.push(Insn::wide(Op::LoadInt, 0, reg, value));
        }
    }

    pub fn integer(&mut self, node: &IntegerNode<'pr>, dst: Option<Reg>) {
        match integer_constant(&node.value()) {
            Const::Int(value) if i32::try_from(value).is_ok() => self.small_integer(value as i32, dst),
            value => self.literal(value, dst),
        }
    }

    pub fn rational(&mut self, node: &RationalNode<'pr>, dst: Option<Reg>) {
        self.literal(rational_constant(node), dst);
    }

    pub fn imaginary(&mut self, node: &ImaginaryNode<'pr>, dst: Option<Reg>) {
        if let Some(value) = number_constant(&node.numeric()) {
            self.literal(Const::Imaginary(Box::new(value)), dst);
        }
    }

    // -- strings

    fn forced(&self, bytes: &[u8], utf8: bool, binary: bool) -> Text {
        let encoding = if utf8 {
            Encoding::UTF_8
        } else if binary {
            Encoding::BINARY
        } else {
            self.src.encoding
        };
        Text::new(bytes, encoding)
    }

    pub fn string_text(&self, node: &StringNode<'pr>) -> Text {
        self.forced(node.unescaped(), node.is_forced_utf8_encoding(), node.is_forced_binary_encoding())
    }

    pub fn string(&mut self, node: &StringNode<'pr>, dst: Option<Reg>) {
        let text = self.string_text(node);
        self.string_literal(text, &node.as_node(), node.is_frozen(), node.is_mutable(), dst);
    }

    fn string_literal(&mut self, text: Text, node: &Node<'pr>, frozen: bool, mutable: bool, dst: Option<Reg>) {
        let Some(reg) = dst else { return };
        let literal = self.noted(text, node);
        let index = self.asm.constant(literal);
        if frozen || self.frozen_literals {
            self.asm.emit_literal(Op::LoadConst, 0, reg, index);
        } else {
            let how = !mutable as u8 | (self.note_literals as u8) << 1;
            self.asm.emit_literal(Op::NewString, how, reg, index);
        }
    }

    /// The literal of a string, which notes where it is made if that is wanted.
    fn noted(&self, text: Text, node: &Node<'pr>) -> Const {
        if !self.note_literals {
            return Const::Str(text);
        }
        let place = format!("{}:{}", self.src.script.path, self.src.line(node.location().start()));
        Const::Noted(text, Text::new(place.as_bytes(), Encoding::UTF_8))
    }

    /// The literal key of `receiver["key"]`, and how `ARef` makes a String of it for a method.
    pub fn string_key(&mut self, node: &StringNode<'pr>) -> (Reg, u8) {
        let fresh = !(node.is_frozen() || self.frozen_literals);
        let key = self.asm.temp();
        let text = self.string_text(node);
        self.literal(Const::Str(text), Some(key));
        (key, if fresh { 1 | (!node.is_mutable() as u8) << 1 } else { 0 })
    }

    pub fn source_file(&mut self, node: &Node<'pr>, dst: Option<Reg>) {
        let Some(node) = node.as_source_file_node() else { return };
        let text = Text::new(self.src.script.path.as_bytes(), Encoding::UTF_8);
        self.string_literal(text, &node.as_node(), node.is_frozen(), node.is_mutable(), dst);
    }

    /// The parts of an interpolation that are all plain: one text. `embedded`: strings within `#{}` are plain, too.
    fn constant_parts(&self, parts: &NodeList<'pr>, embedded: bool) -> Option<Text> {
        let mut encoding = self.src.encoding;
        let mut bytes = Vec::new();
        for part in parts {
            let text = self.constant_part(&part, embedded)?;
            if !text.bytes().is_ascii() || bytes.is_empty() {
                // What does not go together is an error when it runs.
                if !bytes.is_ascii() && text.encoding() != encoding {
                    return None;
                }
                encoding = text.encoding();
            }
            bytes.extend_from_slice(text.bytes());
        }
        Some(Text::new(&bytes, encoding))
    }

    fn constant_part(&self, part: &Node<'pr>, embedded: bool) -> Option<Text> {
        match part {
            Node::StringNode { .. } => Some(self.string_text(&part.as_string_node()?)),
            Node::InterpolatedStringNode { .. } => {
                self.constant_parts(&part.as_interpolated_string_node()?.parts(), embedded)
            }
            Node::EmbeddedStatementsNode { .. } if embedded => {
                let body = part.as_embedded_statements_node()?.statements()?.body();
                let only = body.first().filter(|_| body.len() == 1)?;
                self.constant_part(&only, embedded)
            }
            _ => None,
        }
    }

    pub fn interpolated_string(&mut self, node: &InterpolatedStringNode<'pr>, dst: Option<Reg>) {
        if let Some(text) = self.constant_parts(&node.parts(), false) {
            return self.string_literal(text, &node.as_node(), node.is_frozen(), node.is_mutable(), dst);
        }
        let reg = self.target(dst);
        let (first, count) = self.pieces(&node.parts());
        self.asm.emit(Op::StrCat, reg, first, count);
    }

    /// Evaluates the parts of an interpolation to strings in consecutive registers.
    fn pieces(&mut self, parts: &NodeList<'pr>) -> (Reg, u16) {
        self.pieces_in(parts, None)
    }

    /// The same, with the program's own text in the encoding that the flag of a regexp names.
    fn pieces_in(&mut self, parts: &NodeList<'pr>, named: Option<Encoding>) -> (Reg, u16) {
        let first = self.asm.mark();
        let base = self.asm.temp();
        let mut count = 0;
        for part in parts {
            if count == CHUNK {
                self.asm.emit(Op::StrCat, base, base, count as u16);
                self.asm.release(first + 1);
                count = 1;
            }
            let reg = if count == 0 { base } else { self.asm.temp() };
            match part.as_string_node().zip(named) {
                Some((text, encoding)) => self.literal(Const::Str(Text::new(text.unescaped(), encoding)), Some(reg)),
                None => match self.constant_part(&part, true).filter(|text| ends_in_escape(text.bytes())) {
                    Some(text) => self.literal(Const::Str(text), Some(reg)),
                    None => self.piece(&part, reg),
                },
            }
            count += 1;
        }
        if count == 0 {
            let text = Text::new(b"", self.src.encoding);
            self.literal(Const::Str(text), Some(base));
            count = 1;
        }
        (base, count as u16)
    }

    fn piece(&mut self, part: &Node<'pr>, reg: Reg) {
        if let Some(part) = part.as_string_node() {
            let text = self.string_text(&part);
            return self.literal(Const::Str(text), Some(reg));
        }
        let mark = self.asm.mark();
        if let Some(part) = part.as_interpolated_string_node() {
            self.interpolated_string(&part, Some(reg));
            return self.asm.release(mark);
        }
        let value = match part {
            Node::EmbeddedVariableNode { .. } => part.as_embedded_variable_node().map(|n| self.operand(&n.variable())),
            Node::EmbeddedStatementsNode { .. } => {
                let body = part.as_embedded_statements_node().and_then(|n| n.statements()).map(|n| n.as_node());
                crate::expr::single_statement(body).map(|single| self.operand(&single))
            }
            _ => None,
        };
        let value = value.unwrap_or_else(|| {
            self.into(part, reg);
            reg
        });
        self.asm.release(mark);
        self.set_line_at(&part.location());
        let name = self.name(b"to_s");
        let site = self.asm.site(CallSite { name, self_call: true, ..CallSite::default() });
        self.asm.emit_with_site(Insn::abc(Op::ToStr, reg, value, 0), site);
    }

    pub fn x_string(&mut self, node: &XStringNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let text = self.forced(node.unescaped(), node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        let piece = self.asm.temp();
        self.literal(Const::Str(text), Some(piece));
        self.asm.emit_x(Op::Intrinsic, Intrinsic::XString as u8, reg, piece, 1);
    }

    pub fn interpolated_x_string(&mut self, node: &InterpolatedXStringNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let (first, count) = self.pieces(&node.parts());
        self.asm.emit(Op::StrCat, first, first, count);
        self.asm.emit_x(Op::Intrinsic, Intrinsic::XString as u8, reg, first, 1);
    }

    // -- symbols

    pub fn symbol_text(&self, node: &SymbolNode<'pr>) -> Text {
        let bytes = node.unescaped();
        if node.is_forced_us_ascii_encoding() || (bytes.is_ascii() && !node.is_forced_utf8_encoding()) {
            return Text::new(bytes, Encoding::US_ASCII);
        }
        self.forced(bytes, node.is_forced_utf8_encoding(), node.is_forced_binary_encoding())
    }

    pub fn symbol(&mut self, node: &SymbolNode<'pr>, dst: Option<Reg>) {
        let text = self.symbol_text(node);
        self.literal(Const::Symbol(text), dst);
    }

    pub fn interpolated_symbol(&mut self, node: &InterpolatedSymbolNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        if let Some(text) = self.constant_parts(&node.parts(), false) {
            let encoding = if text.bytes().is_ascii() { Encoding::US_ASCII } else { text.encoding() };
            return self.literal(Const::Symbol(Text::new(text.bytes(), encoding)), Some(reg));
        }
        let (first, count) = self.pieces(&node.parts());
        self.asm.emit(Op::StrCat, first, first, count);
        self.asm.emit(Op::Intern, reg, first, 0);
    }

    // -- regexps

    pub fn regexp(&mut self, node: &RegularExpressionNode<'pr>, dst: Option<Reg>) {
        let flags = regexp_look!(node);
        let value = self.regexp_constant(node.unescaped(), &flags);
        self.literal(value, dst);
    }

    fn regexp_constant(&self, source: &[u8], look: &RegexpLook) -> Const {
        Const::Regexp(Text::new(source, look.encoding(source, self.src.encoding)), look.bits())
    }

    pub fn interpolated_regexp(&mut self, node: &InterpolatedRegularExpressionNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let look = regexp_look!(node);
        self.dynamic_regexp(&node.parts(), &look, node.is_once(), reg);
    }

    fn dynamic_regexp(&mut self, parts: &NodeList<'pr>, look: &RegexpLook, once: bool, reg: Reg) {
        // A part that ends within an escape is to be refused by itself.
        let cut =
            parts.iter().filter_map(|part| self.constant_part(&part, true)).any(|text| ends_in_escape(text.bytes()));
        if let Some(text) = self.constant_parts(parts, true).filter(|_| !cut) {
            let encoding = look.encoding(text.bytes(), text.encoding());
            let value = Const::Regexp(Text::new(text.bytes(), encoding), look.bits());
            return self.literal(value, Some(reg));
        }
        let make = |compiler: &mut Self| {
            let (first, mut count) = compiler.pieces_in(parts, look.explicit());
            // Parts that are all known and do not go together fail as a string would.
            if !cut && parts.iter().all(|part| compiler.constant_part(&part, true).is_some()) {
                compiler.asm.emit(Op::StrCat, first, first, count);
                count = 1;
            }
            compiler.asm.emit_x(Op::NewRegexp, look.bits(), reg, first, count);
        };
        if once { self.once(reg, make) } else { make(self) }
    }

    pub fn match_last_line(&mut self, node: &MatchLastLineNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let look = regexp_look!(node);
        let value = self.regexp_constant(node.unescaped(), &look);
        let regexp = self.asm.temp();
        self.literal(value, Some(regexp));
        self.asm.emit_x(Op::Intrinsic, Intrinsic::MatchLastLine as u8, reg, regexp, 1);
    }

    pub fn interpolated_match_last_line(&mut self, node: &InterpolatedMatchLastLineNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let look = regexp_look!(node);
        let regexp = self.asm.temp();
        self.dynamic_regexp(&node.parts(), &look, node.is_once(), regexp);
        self.asm.emit_x(Op::Intrinsic, Intrinsic::MatchLastLine as u8, reg, regexp, 1);
    }

    // -- arrays and hashes

    pub fn array(&mut self, node: &ArrayNode<'pr>, dst: Option<Reg>) {
        let nodes: Vec<Node> = node.elements().iter().collect();
        if dst.is_none() && !nodes.iter().any(|n| matches!(n, Node::SplatNode { .. })) {
            return nodes.iter().for_each(|node| self.effect(node));
        }
        let reg = self.target(dst);
        self.array_of(&nodes, reg);
    }

    /// R[reg] = a fresh Array of `nodes`, splats spread.
    pub fn array_of(&mut self, nodes: &[Node<'pr>], reg: Reg) {
        if let Some((last, before)) = nodes.split_last().filter(|(last, _)| has_keyword_splat(last)) {
            return self.array_with_keywords(before, last, reg);
        }
        if let Some(items) = self.constants(nodes) {
            let index = self.asm.constant(Const::Array(items));
            return self.asm.emit_literal(Op::DupLiteral, 0, reg, index);
        }
        let has_splat = nodes.iter().any(|n| matches!(n, Node::SplatNode { .. }));
        if !has_splat && nodes.len() <= CHUNK {
            let mark = self.asm.mark();
            let first = self.consecutive(nodes);
            self.asm.emit(Op::NewArray, reg, first, nodes.len() as u16);
            self.asm.release(mark);
            return;
        }
        // Built in a register of its own: the elements may read what `reg` held before.
        let mark = self.asm.mark();
        let array = self.asm.temp();
        let mut started = false;
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            if let Some(splat) = first.as_splat_node() {
                self.array_splat(&splat, array, started);
                rest = &rest[1..];
            } else {
                let count = rest.iter().take(CHUNK).take_while(|n| !matches!(n, Node::SplatNode { .. })).count();
                let mark = self.asm.mark();
                let base = self.consecutive(&rest[..count]);
                if started {
                    self.asm.emit(Op::ArrayPush, array, base, count as u16);
                } else {
                    self.asm.emit(Op::NewArray, array, base, count as u16);
                }
                self.asm.release(mark);
                rest = &rest[count..];
            }
            started = true;
        }
        self.asm.move_to(reg, array);
        self.asm.release(mark);
    }

    /// The elements of an Array literal when they are all constants and there are some.
    fn constants(&self, nodes: &[Node<'pr>]) -> Option<Vec<Const>> {
        if nodes.is_empty() { None } else { nodes.iter().map(|node| self.constant(node)).collect() }
    }

    /// The same of keys and values of a Hash literal.
    pub fn constant_pairs(&self, nodes: &[Node<'pr>]) -> Option<Vec<Const>> {
        let mut items = Vec::with_capacity(nodes.len() * 2);
        for node in nodes {
            let pair = node.as_assoc_node()?;
            let key = match pair.key().as_string_node() {
                Some(string) => Const::Str(self.string_text(&string)),
                None => self.constant(&pair.key())?,
            };
            items.push(key);
            items.push(self.constant(&pair.value())?);
        }
        (!items.is_empty()).then_some(items)
    }

    /// The immutable object that a literal always gives.
    pub fn constant(&self, node: &Node<'pr>) -> Option<Const> {
        match node {
            Node::NilNode { .. } => Some(Const::Nil),
            Node::TrueNode { .. } => Some(Const::True),
            Node::FalseNode { .. } => Some(Const::False),
            Node::SymbolNode { .. } => node.as_symbol_node().map(|symbol| Const::Symbol(self.symbol_text(&symbol))),
            _ => number_constant(node),
        }
    }

    /// `[a, **b]`: the Hash is an element only when it is not empty.
    fn array_with_keywords(&mut self, before: &[Node<'pr>], keywords: &Node<'pr>, reg: Reg) {
        let mark = self.asm.mark();
        let array = self.asm.temp();
        self.array_of(before, array);
        let hash = self.temp(keywords);
        let empty = self.asm.temp();
        let done = self.asm.label();
        self.asm.emit_x(Op::Intrinsic, Intrinsic::HashEmpty as u8, empty, hash, 1);
        self.asm.jump(Op::JumpIf, empty, done);
        self.asm.emit(Op::ArrayPush, array, hash, 1);
        self.asm.bind(done);
        self.asm.move_to(reg, array);
        self.asm.release(mark);
    }

    fn array_splat(&mut self, splat: &SplatNode<'pr>, array: Reg, started: bool) {
        let mark = self.asm.mark();
        let value = self.asm.temp();
        self.splat_value(splat, value);
        self.set_line_at(&splat.location());
        if started {
            self.asm.emit(Op::ArrayConcat, array, value, 0);
        } else {
            self.asm.emit_x(Op::SplatArray, 1, array, value, 0);
        }
        self.asm.release(mark);
    }

    /// What follows the `*`: an expression, or the anonymous rest parameter.
    pub fn splat_value(&mut self, splat: &SplatNode<'pr>, reg: Reg) {
        match splat.expression() {
            Some(expression) => self.into(&expression, reg),
            None => self.load(crate::scope::Key::Name(crate::scope::ANONYMOUS_REST), reg),
        }
    }

    /// A splat where a single value is wanted (`when *a`, `x = *a`).
    pub fn lone_splat(&mut self, node: &SplatNode<'pr>, dst: Option<Reg>) {
        let reg = self.target(dst);
        let value = self.asm.temp();
        self.splat_value(node, value);
        self.asm.emit_x(Op::SplatArray, 1, reg, value, 0);
    }

    /// Evaluates `nodes` into consecutive fresh registers.
    pub fn consecutive(&mut self, nodes: &[Node<'pr>]) -> Reg {
        let first = self.asm.mark();
        for node in nodes {
            self.temp(node);
        }
        first.min(u16::MAX as u32) as u16
    }

    pub fn hash(&mut self, elements: &NodeList<'pr>, dst: Option<Reg>) {
        let nodes: Vec<Node> = elements.iter().collect();
        let reg = self.target(dst);
        self.hash_of(&nodes, reg);
    }

    /// R[reg] = a fresh Hash of pairs and `**` elements.
    pub fn hash_of(&mut self, nodes: &[Node<'pr>], reg: Reg) {
        if let Some(items) = self.constant_pairs(nodes) {
            let index = self.asm.constant(Const::Hash(items));
            return self.asm.emit_literal(Op::DupLiteral, 0, reg, index);
        }
        let mark = self.asm.mark();
        let plain = nodes.len() * 2 <= CHUNK && nodes.iter().all(|n| matches!(n, Node::AssocNode { .. }));
        let hash = if plain { reg } else { self.asm.temp() };
        let mut started = false;
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            let inner = self.asm.mark();
            if let Some(splat) = first.as_assoc_splat_node() {
                if !started {
                    self.asm.emit(Op::NewHash, hash, 0, 0);
                }
                let value = self.asm.temp();
                self.assoc_splat_value(&splat, value);
                self.asm.emit(Op::HashMerge, hash, value, 0);
                rest = &rest[1..];
            } else {
                let count =
                    rest.iter().take(CHUNK / 2).take_while(|n| matches!(n, Node::AssocNode { .. })).count().max(1);
                let base = self.pairs(&rest[..count]);
                let op = if started { Op::HashStore } else { Op::NewHash };
                self.asm.emit(op, hash, base, count as u16 * 2);
                rest = &rest[count..];
            }
            self.asm.release(inner);
            started = true;
        }
        if !started {
            self.asm.emit(Op::NewHash, hash, 0, 0);
        }
        self.asm.move_to(reg, hash);
        self.asm.release(mark);
    }

    fn pairs(&mut self, nodes: &[Node<'pr>]) -> Reg {
        let first = self.asm.mark();
        for node in nodes.iter().filter_map(|node| node.as_assoc_node()) {
            let key = self.asm.temp();
            match node.key().as_string_node() {
                // A string key is frozen: the literal itself will do.
                Some(string) => {
                    let text = self.string_text(&string);
                    self.literal(Const::Str(text), Some(key));
                }
                None => self.into(&node.key(), key),
            }
            self.temp(&node.value());
        }
        first.min(u16::MAX as u32) as u16
    }

    /// What follows the `**`: an expression, or the anonymous keyword parameter.
    pub fn assoc_splat_value(&mut self, splat: &AssocSplatNode<'pr>, reg: Reg) {
        match splat.value() {
            Some(value) => self.into(&value, reg),
            None => self.load(crate::scope::Key::Name(crate::scope::ANONYMOUS_KEYWORDS), reg),
        }
    }

    // -- ranges

    pub fn range(&mut self, node: &RangeNode<'pr>, dst: Option<Reg>) {
        if let (Some(left), Some(right)) = (range_bound(node.left()), range_bound(node.right())) {
            return self.literal(Const::Range(Box::new(left), Box::new(right), node.is_exclude_end()), dst);
        }
        let reg = self.target(dst);
        let left = match node.left() {
            Some(left) => self.operand_before(&left, node.right().as_slice()),
            None => self.nil_temp(),
        };
        let right = match node.right() {
            Some(right) => self.operand(&right),
            None => self.nil_temp(),
        };
        self.set_line_at(&node.operator_loc());
        self.asm.emit_x(Op::NewRange, node.is_exclude_end() as u8, reg, left, right);
    }

    pub fn nil_temp(&mut self) -> Reg {
        let reg = self.asm.temp();
        self.asm.emit(Op::LoadNil, reg, 0, 0);
        reg
    }
}

/// Keywords with a `**` among them.
fn has_keyword_splat(node: &Node) -> bool {
    node.as_keyword_hash_node().is_some_and(|n| n.elements().iter().any(|n| matches!(n, Node::AssocSplatNode { .. })))
}

/// Options of a regexp literal.
struct RegexpLook {
    ignore_case: bool,
    extended: bool,
    multi_line: bool,
    none: bool,
    euc_jp: bool,
    windows_31j: bool,
    utf8: bool,
    /// What the parser found the source to need.
    forced: Option<Encoding>,
}

impl RegexpLook {
    fn bits(&self) -> u8 {
        let mut bits = 0;
        let mut set = |on: bool, bit: u8| bits |= if on { bit } else { 0 };
        set(self.ignore_case, regexp_flags::IGNORECASE);
        set(self.extended, regexp_flags::EXTENDED);
        set(self.multi_line, regexp_flags::MULTILINE);
        set(self.euc_jp || self.windows_31j || self.utf8, regexp_flags::FIXED_ENCODING);
        set(self.none, regexp_flags::NO_ENCODING);
        set(self.euc_jp, regexp_flags::EUC_JP);
        set(self.windows_31j, regexp_flags::WINDOWS_31J);
        bits
    }

    /// The encoding to read a pattern in that stands in a program of this encoding. The parser finds UTF-8 where there
    /// is a property, or characters of the program's beside escapes of Unicode, and ASCII where there are octal
    /// escapes.
    fn encoding(&self, pattern: &[u8], program: Encoding) -> Encoding {
        let unicode = pattern.is_ascii() && pattern.windows(2).any(|two| two == b"\\u");
        let forced = self.forced.filter(|forced| match *forced {
            Encoding::UTF_8 => unicode,
            Encoding::US_ASCII => false,
            _ => true,
        });
        if self.none { forced.unwrap_or(program) } else { self.explicit().or(forced).unwrap_or(program) }
    }

    /// The encoding that a flag names.
    fn explicit(&self) -> Option<Encoding> {
        regexp_flags::encoding(self.bits())
    }
}

/// Whether a text ends with a backslash that escapes nothing.
fn ends_in_escape(text: &[u8]) -> bool {
    text.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

fn range_bound(node: Option<Node>) -> Option<Const> {
    match node {
        None | Some(Node::NilNode { .. }) => Some(Const::Nil),
        Some(node) => match node.as_integer_node().map(|n| integer_constant(&n.value()))? {
            value @ Const::Int(_) => Some(value),
            _ => None,
        },
    }
}

fn number_constant(node: &Node) -> Option<Const> {
    match node {
        Node::IntegerNode { .. } => node.as_integer_node().map(|n| integer_constant(&n.value())),
        Node::FloatNode { .. } => node.as_float_node().map(|n| Const::Float(n.value())),
        Node::RationalNode { .. } => node.as_rational_node().map(|n| rational_constant(&n)),
        _ => None,
    }
}

fn rational_constant(node: &RationalNode) -> Const {
    Const::Rational(Box::new(integer_constant(&node.numerator())), Box::new(integer_constant(&node.denominator())))
}

pub fn integer_constant(value: &Integer) -> Const {
    let (negative, digits) = value.to_u32_digits();
    let mut small: i128 = 0;
    if digits.len() <= 2 {
        for digit in digits.iter().rev() {
            small = small << 32 | *digit as i128;
        }
        let small = if negative { -small } else { small };
        if let Ok(small) = i64::try_from(small) {
            return Const::Int(small);
        }
    }
    Const::BigInt(decimal(negative, digits))
}

/// Decimal digits of a number given in base 2^32, least significant digit first.
fn decimal(negative: bool, digits: &[u32]) -> String {
    const BASE: u64 = 1_000_000_000;
    let mut groups: Vec<u32> = Vec::new();
    for digit in digits.iter().rev() {
        let mut carry = *digit as u64;
        for group in &mut groups {
            carry += (*group as u64) << 32;
            *group = (carry % BASE) as u32;
            carry /= BASE;
        }
        while carry > 0 {
            groups.push((carry % BASE) as u32);
            carry /= BASE;
        }
    }
    let mut out = String::from(if negative { "-" } else { "" });
    match groups.split_last() {
        Some((last, rest)) => {
            out.push_str(&last.to_string());
            rest.iter().rev().for_each(|group| out.push_str(&format!("{group:09}")));
        }
        None => out.push('0'),
    }
    out
}
