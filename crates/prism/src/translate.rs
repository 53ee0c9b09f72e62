//! From the format that the parser writes to that of version 1.7.0.
//!
//! The parser writes the children of a node before the node, so that its readers need no recursion; version 1.7.0 has
//! each child where its field is. One pass over the records finds where each begins and which its children are, the
//! other one writes them, both without recursion. Between the two formats are also: the checksum, comments attached to
//! nodes and whether the source can be continued, which only the parser writes, how strings and constants lie, and that
//! a comment ends with its newline in version 1.7.0, where the parser makes it a token of its own.

use crate::Wanted;
use crate::codes;
use crate::nodes::{DEF, ERROR_RECOVERY, NODES};

/// Where a node with a part that may be skipped begins: lengths follow.
const LAZY: u8 = 255;
/// A constant whose text is in the result, not in the source.
const OWNED: u32 = 1 << 31;

pub fn translate(source: &[u8], wanted: Wanted) -> Vec<u8> {
    let mut from = Reader { bytes: source, at: 0 };
    let mut to = Vec::with_capacity(source.len());
    if wanted != Wanted::Tree {
        tokens(&mut from, &mut to, wanted != Wanted::Facts);
    }
    if matches!(wanted, Wanted::Tokens | Wanted::Facts) {
        facts(&mut from, &mut to);
        return to;
    }
    from.at += 9;
    to.extend(b"PRISM\x01\x07\x00\x00");
    facts(&mut from, &mut to);
    let pool = from.u32_at(from.at) as usize;
    from.at += 4;
    let pool_offset = to.len();
    to.extend([0; 4]);
    let constants = from.copy_number(&mut to) as usize;
    let tree = Tree::read(&mut from, pool);
    tree.write(source, &mut to);
    let start = to.len() as u32;
    to[pool_offset..pool_offset + 4].copy_from_slice(&start.to_ne_bytes());
    copy_constants(&from, pool, constants, &mut to);
    to.push(0);
    to
}

fn tokens(from: &mut Reader, to: &mut Vec<u8>, keep: bool) {
    let mut comment: Option<[u32; 4]> = None;
    loop {
        let number = from.number();
        let token = if number == 0 { [0; 4] } else { [number, from.number(), from.number(), from.number()] };
        if let Some([kind, start, len, state]) = comment.take() {
            if codes::is_newline(number) && token[1] == start + len {
                put_token(to, [kind, start, len + token[2], state]);
                continue;
            }
            put_token(to, [kind, start, len, state]);
        }
        match number {
            0 => return to.push(0),
            _ if !keep => {}
            _ if codes::is_comment(number) => comment = Some(token),
            _ => put_token(to, token),
        }
    }
}

/// Writes number, start, length and state of a token, if the gem has such tokens.
fn put_token(to: &mut Vec<u8>, [number, rest @ ..]: [u32; 4]) {
    if let Some(number) = codes::token(number) {
        put_number(to, number);
        rest.into_iter().for_each(|number| put_number(to, number));
    }
}

/// Encoding, lines, comments, errors and warnings.
fn facts(from: &mut Reader, to: &mut Vec<u8>) {
    from.copy_string(to);
    from.copy_number(to); // the first line
    from.at += 8; // the checksum
    from.copy_list(to, 1); // where lines begin
    let comments = from.copy_number(to);
    for _ in 0..comments {
        to.push(from.byte());
        from.copy_numbers(to, 2);
    }
    for _ in 0..from.number() {
        from.number();
        from.skip_list();
    }
    from.copy_list(to, 4); // magic comments
    from.copy_optional_location(to); // what follows __END__
    diagnostics(from, to);
    diagnostics(from, to);
    from.byte(); // whether it can be continued
}

fn diagnostics(from: &mut Reader, to: &mut Vec<u8>) {
    for _ in 0..from.copy_number(to) {
        put_number(to, codes::diagnostic(from.number()));
        from.copy_string(to);
        from.copy_numbers(to, 2);
        to.push(from.byte());
    }
}

fn copy_constants(from: &Reader, pool: usize, constants: usize, to: &mut Vec<u8>) {
    let table = to.len();
    to.resize(table + constants * 8, 0);
    for index in 0..constants {
        let (start, len) = (from.u32_at(pool + index * 8) as usize, from.u32_at(pool + index * 8 + 4));
        let entry = table + index * 8;
        let here = to.len() as u32 | OWNED;
        to[entry..entry + 4].copy_from_slice(&here.to_ne_bytes());
        to[entry + 4..entry + 8].copy_from_slice(&len.to_ne_bytes());
        to.extend(&from.bytes[start..start + len as usize]);
    }
}

/// The records of the nodes.
struct Tree {
    records: Vec<Record>,
    /// The children of all nodes, those of one in a row.
    children: Vec<Option<u32>>,
    root: Option<u32>,
}

struct Record {
    /// Where it begins, at the number of its kind.
    start: usize,
    children: u32,
}

/// A node that is being written.
struct Frame {
    fields: &'static [u8],
    /// The field that comes next.
    field: usize,
    /// How many nodes of the list at that field are still to come.
    list: Option<u32>,
    child: u32,
    at: usize,
    /// Where the length of the node belongs.
    length: Option<usize>,
}

impl Tree {
    /// Reads records up to `end`.
    fn read(from: &mut Reader, end: usize) -> Tree {
        let mut tree = Tree { records: Vec::new(), children: Vec::new(), root: None };
        let mut open: Vec<Option<u32>> = Vec::new();
        while from.at < end {
            match from.bytes[from.at] {
                0 => {
                    from.at += 1;
                    open.push(None);
                }
                LAZY => from.at += 9,
                _ => {
                    let start = from.at;
                    let count = from.skip_record();
                    let record = Record { start, children: tree.children.len() as u32 };
                    let first = open.len() - count;
                    tree.children.extend(open.drain(first..));
                    open.push(Some(tree.records.len() as u32));
                    tree.records.push(record);
                }
            }
        }
        tree.root = open.pop().flatten();
        tree
    }

    fn write(&self, source: &[u8], to: &mut Vec<u8>) {
        let mut from = Reader { bytes: source, at: 0 };
        let mut frames = Vec::new();
        frames.extend(self.root.map(|root| self.begin(root, &mut from, to)));
        while let Some(frame) = frames.last_mut() {
            from.at = frame.at;
            let child = self.write_fields(frame, &mut from, to);
            frame.at = from.at;
            match child {
                Some(child) => frames.push(self.begin(child, &mut from, to)),
                None => {
                    if let Some(at) = frame.length {
                        let length = (to.len() - at) as u32;
                        to[at..at + 4].copy_from_slice(&length.to_ne_bytes());
                    }
                    frames.pop();
                }
            }
        }
    }

    /// Writes what precedes the fields of a node.
    fn begin(&self, node: u32, from: &mut Reader, to: &mut Vec<u8>) -> Frame {
        let mut record = &self.records[node as usize];
        // What the parser found where it may not be stands for itself.
        while from.bytes[record.start] == ERROR_RECOVERY {
            let Some(found) = self.children[record.children as usize] else { break };
            record = &self.records[found as usize];
        }
        from.at = record.start;
        let kind = from.byte();
        let (number, fields) = NODES[kind as usize - 1];
        to.push(number);
        from.copy_numbers(to, 3); // id and location
        let length = (kind == DEF).then(|| {
            to.extend([0; 4]);
            to.len() - 4
        });
        from.copy_number(to); // flags
        Frame { fields, field: 0, list: None, child: record.children, at: from.at, length }
    }

    /// Writes fields up to the next child, which it returns.
    fn write_fields(&self, frame: &mut Frame, from: &mut Reader, to: &mut Vec<u8>) -> Option<u32> {
        while let Some(kind) = frame.fields.get(frame.field) {
            match *kind {
                b'n' | b'o' => {
                    frame.field += 1;
                    match self.next_child(frame) {
                        None => to.push(0),
                        child => return child,
                    }
                    continue;
                }
                b'l' => {
                    let left = frame.list.unwrap_or_else(|| from.copy_number(to));
                    if left > 0 {
                        frame.list = Some(left - 1);
                        return self.next_child(frame);
                    }
                    frame.list = None;
                }
                b'e' => frame.child += 1,
                _ => copy_field(*kind, from, to),
            }
            frame.field += 1;
        }
        None
    }

    fn next_child(&self, frame: &mut Frame) -> Option<u32> {
        frame.child += 1;
        self.children[frame.child as usize - 1]
    }
}

/// Copies a field that is no node.
fn copy_field(kind: u8, from: &mut Reader, to: &mut Vec<u8>) {
    match kind {
        b's' => {
            to.push(2);
            from.copy_string(to);
        }
        b'c' | b'u' => drop(from.copy_number(to)),
        b'k' => from.copy_list(to, 1),
        b'p' => from.copy_numbers(to, 2),
        b'q' => from.copy_optional_location(to),
        b'P' => {
            to.push(1);
            from.copy_numbers(to, 2);
        }
        b'x' => drop((from.number(), from.number())),
        b'i' => {
            to.push(from.byte());
            from.copy_list(to, 1);
        }
        b'd' => from.copy_bytes(to, 8),
        b'b' => to.push(from.byte()),
        b'N' | b'U' => to.push(0),
        other => unreachable!("no field is called {}", char::from(other)),
    }
}

pub struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Reader<'_> {
    pub fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn u32_at(&self, at: usize) -> u32 {
        self.bytes[at..at + 4].iter().rev().fold(0, |number, byte| number << 8 | *byte as u32)
    }

    /// A number of seven bits a byte, the lowest first.
    pub fn number(&mut self) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= ((byte & 0x7f) as u32) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    /// Goes over so many numbers.
    pub fn numbers(&mut self, count: usize) {
        for _ in 0..count {
            self.number();
        }
    }

    /// A length and so many bytes.
    pub fn string(&mut self) -> &[u8] {
        let len = self.number() as usize;
        self.at += len;
        &self.bytes[self.at - len..self.at]
    }

    fn copy_number(&mut self, to: &mut Vec<u8>) -> u32 {
        let start = self.at;
        let number = self.number();
        to.extend(&self.bytes[start..self.at]);
        number
    }

    fn copy_numbers(&mut self, to: &mut Vec<u8>, count: usize) {
        for _ in 0..count {
            self.copy_number(to);
        }
    }

    /// A count, and so many times `each` numbers.
    fn copy_list(&mut self, to: &mut Vec<u8>, each: usize) {
        let count = self.copy_number(to) as usize;
        self.copy_numbers(to, count * each);
    }

    fn skip_list(&mut self) {
        for _ in 0..self.number() {
            self.number();
        }
    }

    fn copy_bytes(&mut self, to: &mut Vec<u8>, count: usize) {
        to.extend(&self.bytes[self.at..self.at + count]);
        self.at += count;
    }

    fn copy_string(&mut self, to: &mut Vec<u8>) {
        let len = self.copy_number(to) as usize;
        self.copy_bytes(to, len);
    }

    fn copy_optional_location(&mut self, to: &mut Vec<u8>) {
        let present = self.byte();
        to.push(present);
        if present != 0 {
            self.copy_numbers(to, 2);
        }
    }

    /// Goes over a record; how many children it has.
    fn skip_record(&mut self) -> usize {
        let (_, fields) = NODES[self.byte() as usize - 1];
        for _ in 0..4 {
            self.number();
        }
        let mut children = 0;
        for kind in fields {
            match kind {
                b'n' | b'o' | b'e' => children += 1,
                b'l' => children += self.number() as usize,
                b's' => {
                    let len = self.number() as usize;
                    self.at += len;
                }
                b'c' | b'u' => drop(self.number()),
                b'k' => self.skip_list(),
                b'p' | b'P' | b'x' => drop((self.number(), self.number())),
                b'q' if self.byte() != 0 => {
                    self.number();
                    self.number();
                }
                b'i' => {
                    self.at += 1;
                    self.skip_list();
                }
                b'd' => self.at += 8,
                b'b' => self.at += 1,
                _ => {}
            }
        }
        children
    }
}

fn put_number(to: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}
