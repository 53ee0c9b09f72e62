//! A document: bytes in and out, pieces, interrupts.
//!
//! The parser takes a whole text at once and cannot be stopped. A long document is therefore cut where nothing reaches
//! across: at an empty line before a line that begins a paragraph or heading in the first column, outside fenced code
//! and HTML. Pieces are rendered on a thread of their own, which looks at the stop flag between them; a piece that
//! cannot be cut and takes too long is left behind: its thread ends by itself and its result is dropped.
//!
//! Bytes that are not UTF-8 travel as characters of a private plane and come out as they went in.

use super::html::{Definitions, Flags, Heading, Writer, contents};
use pulldown_cmark::Parser;
use rubellite_vm::object::SharedBytes;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Shorter documents are rendered in one go: 2 ms.
const WHOLE_MAX: usize = 64 << 10;
/// Pieces are at least so long.
const PIECE_MIN: usize = 32 << 10;
/// The parser's recursion is bounded; this is ample.
pub const STACK: usize = 16 << 20;

/// Where bytes that are no UTF-8 are put.
const FOREIGN: u32 = 0x10_fe00;

#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Part {
    Html,
    Contents,
}

pub struct Document {
    pub source: SharedBytes,
    pub flags: Flags,
    pub part: Part,
}

impl Document {
    /// Whether it is rendered in one go.
    pub fn is_short(&self) -> bool {
        self.source.len() <= WHOLE_MAX
    }

    /// The HTML and a newline, or a part of it when `quit` was set.
    pub fn render(&self, quit: &AtomicBool) -> Vec<u8> {
        render_bytes(&self.source, self.flags, self.part, quit)
    }
}

fn render_bytes(source: &[u8], flags: Flags, part: Part, quit: &AtomicBool) -> Vec<u8> {
    let text = decode(source);
    let mut writer = Writer::new(flags);
    // Footnotes are numbered through the document.
    let pieces = if flags.footnotes { vec![&text.text[..]] } else { pieces(&text.text) };
    let definitions = definitions(&pieces, flags, quit);
    for piece in &pieces {
        if quit.load(Relaxed) {
            return Vec::new();
        }
        writer.render(piece, &definitions, quit);
    }
    let (mut html, headings): (String, Vec<Heading>) = writer.finish();
    if part == Part::Contents {
        html = if flags.generate_toc { contents(&headings) } else { String::new() };
    }
    html.push('\n');
    text.encode(html)
}

/// The link definitions of all pieces, when there are several.
fn definitions(pieces: &[&str], flags: Flags, quit: &AtomicBool) -> Definitions {
    let mut all = Definitions::default();
    if pieces.len() < 2 {
        return all;
    }
    for piece in pieces {
        if quit.load(Relaxed) {
            break;
        }
        if piece.contains("]:") {
            let parser = Parser::new_ext(piece, flags.options());
            for (label, definition) in parser.reference_definitions().iter() {
                all.add(label, &definition.dest, definition.title.as_deref());
            }
        }
    }
    all
}

/// Cuts a text where nothing reaches across.
fn pieces(text: &str) -> Vec<&str> {
    let (mut list, mut start, mut at) = (Vec::new(), 0, 0);
    let (mut fence, mut in_html, mut after_blank) = (None, false, true);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let blank = bare.trim().is_empty();
        if after_blank && fence.is_none() && !in_html && at - start >= PIECE_MIN && begins_at_margin(bare) {
            list.push(&text[start..at]);
            start = at;
        }
        match fence {
            None => {
                fence = fence_of(bare);
                // An HTML block of the lasting kinds may hold empty lines.
                in_html |= bare.trim_start().starts_with('<') && !in_html && lasting_html(bare);
            }
            Some((mark, len)) => {
                let run = bare.trim_start();
                let count = run.bytes().take_while(|b| *b == mark).count();
                if count >= len && run[count..].trim().is_empty() {
                    fence = None;
                }
            }
        }
        if in_html
            && ["</script", "</pre", "</style", "</textarea", "-->", "?>", "]]>"].iter().any(|end| bare.contains(end))
        {
            in_html = false;
        }
        after_blank = blank;
        at += line.len();
    }
    list.push(&text[start..]);
    list
}

/// A line of a paragraph or a heading in the first column: it ends every list and quotation.
fn begins_at_margin(line: &str) -> bool {
    line.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'#' || b >= 0x80)
}

fn fence_of(line: &str) -> Option<(u8, usize)> {
    let bare = line.trim_start_matches([' ', '\t', '>', '*', '-', '+']);
    let mark = bare.bytes().next().filter(|b| matches!(b, b'`' | b'~'))?;
    let len = bare.bytes().take_while(|b| *b == mark).count();
    let info = &bare[len..];
    (len >= 3 && (mark == b'~' || !info.contains('`'))).then_some((mark, len))
}

fn lasting_html(line: &str) -> bool {
    let tag = line.trim_start().to_ascii_lowercase();
    ["<script", "<pre", "<style", "<textarea", "<!--", "<?", "<![cdata["].iter().any(|start| tag.starts_with(start))
}

/// A text and whether it holds foreign bytes.
struct Text<'a> {
    text: Cow<'a, str>,
    foreign: bool,
}

fn decode(bytes: &[u8]) -> Text<'_> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Text { text: Cow::Borrowed(text), foreign: false };
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|b| char::from_u32(FOREIGN + *b as u32)));
    }
    Text { text: Cow::Owned(text), foreign: true }
}

impl Text<'_> {
    fn encode(&self, html: String) -> Vec<u8> {
        if !self.foreign {
            return html.into_bytes();
        }
        let mut bytes = Vec::with_capacity(html.len());
        for c in html.chars() {
            match (c as u32).checked_sub(FOREIGN).and_then(|b| u8::try_from(b).ok()) {
                Some(byte) => bytes.push(byte),
                None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str) -> String {
        let html =
            Document { source: SharedBytes::copy_of(text.as_bytes()), flags: Flags::default(), part: Part::Html }
                .render(&AtomicBool::new(false));
        String::from_utf8(html).unwrap_or_default()
    }

    #[test]
    fn pieces_give_the_same_as_the_whole() {
        let part = "# Heading\n\ntext [with][ref] link\n\n* a\n\n* b\n\n      code\n\n```\nfence\n\nin it\n```\n\n> quotation\n\n";
        let long = part.repeat(3000) + "last\n\n[ref]: http://x \"T\"\n";
        let mut writer = Writer::new(Flags::default());
        writer.render(&long, &Definitions::default(), &AtomicBool::new(false));
        assert_eq!(render(&long), writer.finish().0 + "\n");
    }

    #[test]
    fn deep_nesting_is_harmless() {
        assert!(render(&">".repeat(100_000)).len() > 100_000);
        assert!(!render(&"[".repeat(100_000)).is_empty());
        assert!(!render(&"* ".repeat(50_000)).is_empty());
    }
}
