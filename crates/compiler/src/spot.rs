//! What an instruction was made of: the piece of source that an error report points at.
//!
//! Code objects do not remember it. The source is compiled once more, with an eye on one instruction, when somebody
//! asks: the walk emits the same code again, so that serial number and index name the same instruction. What calls
//! `blame` right before it emits an instruction can be pointed at.

use crate::compiler::{self, Compiler};
use crate::source::{self, Source};
use crate::{Options, with_stack};
use rubellite_bytecode::{ISeq, ISeqKind, Op};
use ruby_prism::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub type Range = std::ops::Range<u32>;

/// What of a call is pointed at.
#[derive(Copy, Clone, Debug)]
pub enum Point<'a> {
    /// The method or the constant; several are told apart by the name that the error is about.
    Name(Option<&'a [u8]>),
    Arguments,
    /// The first of several names.
    First,
    /// All of a code object, of a lambda what is behind its arrow.
    Whole,
}

/// The pieces of source behind an instruction.
#[derive(Clone, Default, Debug)]
pub struct Spot {
    /// By the name that an error is about; `None` fits any.
    names: Vec<(Option<Vec<u8>>, Range)>,
    arguments: Option<Range>,
    /// Of a code object that begins here.
    whole: Option<Range>,
}

impl Spot {
    fn new(name: Range, arguments: Option<Range>) -> Spot {
        Spot { names: vec![(None, name)], arguments, whole: None }
    }

    fn range(&self, point: Point) -> Option<Range> {
        match point {
            Point::Arguments => self.arguments.clone(),
            Point::Whole => self.whole.clone(),
            Point::First => self.names.first().map(|(_, range)| range.clone()),
            Point::Name(wanted) => self
                .names
                .iter()
                .find(|(name, _)| name.is_none() || name.as_deref() == wanted)
                .map(|(_, range)| range.clone()),
        }
    }
}

/// The search for the wanted instruction; nothing is wanted when code is compiled to run.
#[derive(Default)]
pub struct Search {
    /// Serial number of the code object, index of the instruction.
    wanted: Option<(u32, u32)>,
    pub found: Option<Spot>,
    /// Of the constant path whose parts are being compiled.
    path: Option<Spot>,
    constant: Option<Spot>,
    /// Of `a.b += c` and the like, by the offset of the operator.
    updates: FxHashMap<u32, Spot>,
    /// The operator of the assignment whose target is read or written next.
    updated: Option<u32>,
}

impl Search {
    pub fn new(wanted: Option<(u32, u32)>) -> Search {
        Search { wanted, ..Search::default() }
    }
}

/// The source of the script, and as offsets the piece of it that `point` means of the instruction before `pc`; `pc` 0
/// is the head of the code object.
pub fn spot(iseq: &ISeq, pc: u32, point: Point) -> Option<(Arc<[u8]>, std::ops::Range<usize>)> {
    let mut at = pc.saturating_sub(1);
    while at > 0 && iseq.insns.get(at as usize)?.op == Op::Ext {
        at -= 1;
    }
    let script = &*iseq.script;
    let options = Options {
        path: &script.path,
        first_line: script.first_line,
        kind: script.reading.kind,
        frozen_string_literal: script.reading.frozen_string_literal,
        encoding: script.reading.encoding,
        command_line: script.reading.command_line,
        origin: script.reading.origin,
        branches: script.reading.branches,
        ..Options::default()
    };
    let wanted = Some((iseq.serial, if pc == 0 { HEAD } else { at }));
    let text = script.source()?;
    let found = with_stack(&text, 0, || {
        let parse_options = source::parse_options(&text, &options);
        let result = ruby_prism::parse_with_options(&text, &parse_options);
        let info = Source::new(&text, &result, &options);
        compiler::compile_program(&result, info, &options, wanted).ok()?.spot
    });
    let range = found??.range(point)?;
    Some((text, range.start as usize..range.end as usize))
}

/// Stands for the beginning of a code object, which no instruction has.
const HEAD: u32 = u32::MAX;

pub fn range(location: &Location) -> Range {
    location.start()..location.end()
}

impl<'pr> Compiler<'pr> {
    fn searching(&self) -> bool {
        self.search.wanted.is_some()
    }

    /// The next instruction is made of what `make` tells.
    #[inline]
    pub fn blame(&mut self, make: impl FnOnce(&Self) -> Spot) {
        if self.search.wanted == Some((self.fun.serial, self.asm.pc())) && !self.asm.is_dead() {
            self.search.found = Some(make(self));
        }
    }

    /// The code object that begins here is made of its head.
    pub fn blame_head(&mut self) {
        if self.search.wanted == Some((self.fun.serial, HEAD)) {
            let spot =
                if self.fun.kind == ISeqKind::Class { Spot::default() } else { Spot::new(self.fun.head.clone(), None) };
            self.search.found = Some(Spot { whole: Some(self.fun.whole.clone()), ..spot });
        }
    }

    pub fn blame_call(&mut self, node: &CallNode<'pr>) {
        self.blame(|compiler| compiler.call_spot(node));
    }

    fn call_spot(&self, node: &CallNode<'pr>) -> Spot {
        let (name, message, operator) = (node.name().as_slice(), node.message_loc(), node.call_operator_loc());
        if name == b"call" && message.is_none() {
            return Spot::default();
        }
        let mut whole = match message.as_ref().or(operator.as_ref()) {
            Some(location) => range(location),
            None => range(&node.location()),
        };
        self.join_operator(&mut whole, operator.as_ref());
        if name.ends_with(b"=") && !message.is_some_and(|message| message.as_slice().ends_with(b"=")) {
            self.adjoin_equals(&mut whole);
        }
        let arguments = node.arguments().map(|arguments| {
            let location = arguments.location();
            let opening = node.opening_loc().filter(|opening| opening.as_slice() == b"[");
            match opening.filter(|_| name == b"[]=" && arguments.arguments().iter().count() == 1) {
                Some(opening) => opening.start() + 1..location.end(),
                None => range(&location),
            }
        });
        Spot::new(whole, arguments)
    }

    /// `.` or `&.` belongs to a name on the same line.
    fn join_operator(&self, name: &mut Range, operator: Option<&Location<'pr>>) {
        if let Some(operator) = operator.filter(|operator| self.src.line(operator.start()) == self.src.line(name.start))
        {
            name.start = operator.start();
        }
    }

    /// The name of an assignment reaches to its `=`.
    fn adjoin_equals(&self, name: &mut Range) {
        let behind = self.src.bytes.get(name.end as usize..).unwrap_or_default();
        if let Some(at) = behind.iter().position(|byte| *byte == b'=') {
            name.end += at as u32 + 1;
        }
    }

    // -- constants

    /// A constant that is read by its name alone.
    pub fn note_constant(&mut self, node: &ConstantReadNode<'pr>) {
        if self.searching() {
            let whole = range(&node.location());
            self.search.constant =
                Some(self.search.path.take().unwrap_or_else(|| Spot::new(whole.clone(), Some(whole))));
        }
    }

    pub fn blame_constant(&mut self) {
        let spot = self.search.constant.take();
        self.blame(|_| spot.unwrap_or_default());
    }

    /// `A::B::C` is one: which part an error is about tells the name, unless two parts have it.
    pub fn path_spot(&mut self, node: &ConstantPathNode<'pr>) -> Spot {
        if !self.searching() {
            return Spot::default();
        }
        let outer = self.search.path.take();
        let mut parts = Vec::new();
        let whole = match self.path_parts(node, &mut parts) {
            Some(whole) => outer.unwrap_or(whole),
            None => Spot { names: unambiguous(parts), ..Spot::default() },
        };
        let static_parent =
            matches!(node.parent(), Some(Node::ConstantPathNode { .. } | Node::ConstantReadNode { .. }));
        self.search.path = static_parent.then(|| whole.clone());
        whole
    }

    /// The parts of a path, the last first; the spot of all of them when the first one is a constant, too.
    fn path_parts(&self, node: &ConstantPathNode<'pr>, parts: &mut Vec<(Option<Vec<u8>>, Range)>) -> Option<Spot> {
        let name = node.name().map_or(&b""[..], |name| name.as_slice());
        let mut place = range(&node.name_loc());
        self.join_operator(&mut place, Some(&node.delimiter_loc()));
        parts.push((Some(name.to_vec()), place));
        match node.parent() {
            None => {}
            Some(parent) => match (parent.as_constant_path_node(), parent.as_constant_read_node()) {
                (Some(path), _) => return self.path_parts(&path, parts),
                (_, Some(first)) => parts.push((Some(first.name().as_slice().to_vec()), range(&first.location()))),
                _ => return None,
            },
        }
        Some(Spot { names: unambiguous(std::mem::take(parts)), ..Spot::default() })
    }

    // -- assignments with an operator

    pub fn note_update(&mut self, node: &Node<'pr>) {
        if !self.searching() {
            return;
        }
        let noted = if let Some(node) = node.as_local_variable_operator_write_node() {
            let operator = node.binary_operator_loc();
            (operator.start(), Spot::new(range(&operator.chop()), Some(range(&node.value().location()))))
        } else if let Some(node) = node.as_call_operator_write_node() {
            (node.binary_operator_loc().start(), self.attribute_spot(&node))
        } else if let Some(node) = node.as_index_operator_write_node() {
            (node.binary_operator_loc().start(), self.index_spot(&node))
        } else if let Some(node) = node.as_constant_path_operator_write_node() {
            let (operator, target) = (node.binary_operator_loc(), node.target());
            let name = target.name().map(|name| name.as_slice().to_vec());
            let place = target.delimiter_loc().start()..target.name_loc().end();
            let places = Spot {
                names: vec![(name, place), (None, range(&operator.chop()))],
                arguments: Some(range(&operator.chop())),
                whole: None,
            };
            (operator.start(), places)
        } else {
            return;
        };
        self.search.updates.insert(noted.0, noted.1);
    }

    fn attribute_spot(&self, node: &CallOperatorWriteNode<'pr>) -> Spot {
        let operator = node.binary_operator_loc();
        let mut names = vec![(Some(node.binary_operator().as_slice().to_vec()), range(&operator.chop()))];
        if let Some(message) = node.message_loc() {
            let mut read = range(&message);
            self.join_operator(&mut read, node.call_operator_loc().as_ref());
            let mut written = read.clone();
            self.adjoin_equals(&mut written);
            names.push((Some(node.read_name().as_slice().to_vec()), read));
            names.push((Some(node.write_name().as_slice().to_vec()), written));
        }
        Spot { names, arguments: Some(range(&node.value().location())), whole: None }
    }

    fn index_spot(&self, node: &IndexOperatorWriteNode<'pr>) -> Spot {
        let (operator, opening, closing) = (node.binary_operator_loc(), node.opening_loc(), node.closing_loc());
        let read = opening.start()..closing.end();
        let mut written = read.clone();
        self.adjoin_equals(&mut written);
        let mut names = vec![(Some(b"[]".to_vec()), read), (Some(b"[]=".to_vec()), written)];
        if self.src.line(operator.start()) == self.src.line(opening.start()) {
            names.push((Some(node.binary_operator().as_slice().to_vec()), range(&operator.chop())));
        }
        let first = node.arguments().map_or(opening.start() + 1, |arguments| arguments.location().start());
        Spot { names, arguments: Some(first..node.value().location().end()), whole: None }
    }

    /// The next instruction applies the operator at `offset`.
    pub fn blame_operator(&mut self, offset: u32) {
        self.blame(|compiler| compiler.search.updates.get(&offset).cloned().unwrap_or_default());
    }

    /// What is read or written until the next call of this belongs to the operator at `offset`.
    pub fn updating(&mut self, offset: Option<u32>) {
        self.search.updated = offset;
    }

    /// The next instruction reads or writes an attribute or an element.
    pub fn blame_target(&mut self) {
        if let Some(offset) = self.search.updated {
            self.blame_operator(offset);
        }
    }
}

/// Without the names that occur twice.
fn unambiguous(parts: Vec<(Option<Vec<u8>>, Range)>) -> Vec<(Option<Vec<u8>>, Range)> {
    let count = |name: &Option<Vec<u8>>| parts.iter().filter(|(other, _)| other == name).count();
    parts.iter().filter(|(name, _)| count(name) == 1).cloned().collect()
}
