//! Events of the parser to HTML in Discount's layout.
//!
//! Blocks are separated by empty lines. A span that a flag forbids (`no_links`, `no_image`, `safelink`) comes out as it
//! was written. The writer keeps no recursion: what is open lies on `ends`.

use super::inline::{escape, escape_attribute, text};
use pulldown_cmark::{
    Alignment, BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The flags of RDiscount that change what is rendered. `fold_lines`, `latex`, `explicitlist` and `md1compat` do not.
#[derive(Copy, Clone, Default)]
pub struct Flags {
    pub smart: bool,
    pub filter_styles: bool,
    pub filter_html: bool,
    pub footnotes: bool,
    pub generate_toc: bool,
    pub no_image: bool,
    pub no_links: bool,
    pub no_tables: bool,
    pub strict: bool,
    pub autolink: bool,
    pub safelink: bool,
    pub no_pseudo_protocols: bool,
    pub no_superscript: bool,
    pub no_strikethrough: bool,
}

impl Flags {
    pub fn options(&self) -> Options {
        let mut options = Options::empty();
        options.set(Options::ENABLE_TABLES, !self.no_tables);
        options.set(Options::ENABLE_STRIKETHROUGH, !self.no_strikethrough);
        options.set(Options::ENABLE_FOOTNOTES, self.footnotes);
        options.set(Options::ENABLE_SMART_PUNCTUATION, self.smart);
        options
    }
}

/// Link definitions that lie in another piece of the document, by label.
#[derive(Default)]
pub struct Definitions(HashMap<String, (String, String)>);

impl Definitions {
    /// The first one of a label counts.
    pub fn add(&mut self, label: &str, target: &str, title: Option<&str>) {
        self.0.entry(folded(label)).or_insert_with(|| (target.to_string(), title.unwrap_or("").to_string()));
    }

    fn find(&self, label: &str) -> Option<(CowStr<'static>, CowStr<'static>)> {
        let (target, title) = self.0.get(&folded(label))?;
        Some((target.clone().into(), title.clone().into()))
    }
}

fn folded(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

pub struct Heading {
    level: usize,
    html: String,
    anchor: String,
}

pub struct Writer {
    flags: Flags,
    out: String,
    /// Nothing was written since a container was opened.
    fresh: bool,
    /// What closes the spans that are open.
    ends: Vec<&'static str>,
    /// Within links: plain addresses are left alone.
    links: usize,
    /// Spans under way that are written as they are in the source.
    skip: usize,
    /// Images under way: only their text counts.
    images: usize,
    heading_start: usize,
    headings: Vec<Heading>,
    tight: Vec<bool>,
    alignments: Vec<Alignment>,
    cell: usize,
    in_head: bool,
    drop_html: bool,
    /// Outputs put aside while footnotes are written.
    aside: Vec<(String, bool, String)>,
    footnotes: HashMap<String, String>,
    /// Labels in the order of their first reference.
    noted: Vec<String>,
}

impl Writer {
    pub fn new(flags: Flags) -> Writer {
        Writer {
            flags,
            out: String::new(),
            fresh: true,
            ends: Vec::new(),
            links: 0,
            skip: 0,
            images: 0,
            heading_start: 0,
            headings: Vec::new(),
            tight: Vec::new(),
            alignments: Vec::new(),
            cell: 0,
            in_head: false,
            drop_html: false,
            aside: Vec::new(),
            footnotes: HashMap::new(),
            noted: Vec::new(),
        }
    }

    /// Renders a piece behind those before it, unless `quit` is set meanwhile.
    pub fn render(&mut self, source: &str, definitions: &Definitions, quit: &AtomicBool) {
        self.out.reserve(source.len() + source.len() / 4);
        let find = |link: BrokenLink| definitions.find(&link.reference);
        let parser = Parser::new_with_broken_link_callback(source, self.flags.options(), Some(find));
        for (event, range) in parser.into_offset_iter() {
            if quit.load(Relaxed) {
                return;
            }
            self.event(event, source, range);
        }
    }

    /// The HTML without a newline at its end, and the headings.
    pub fn finish(mut self) -> (String, Vec<Heading>) {
        trim_newlines(&mut self.out);
        if !self.noted.is_empty() {
            self.write_footnotes();
        }
        (self.out, self.headings)
    }

    fn event(&mut self, event: Event, source: &str, range: Range<usize>) {
        if self.skip > 0 {
            match event {
                Event::Start(_) => self.skip += 1,
                Event::End(_) => self.skip -= 1,
                _ => {}
            }
            return;
        }
        if !matches!(event, Event::Start(_) | Event::End(_)) && !self.drop_html {
            self.fresh &= matches!(event, Event::Rule);
        }
        match event {
            Event::Start(tag) => self.start(tag, source, range),
            Event::End(tag) => self.end(tag),
            Event::Text(t) if self.images > 0 => escape_attribute(&mut self.out, &t),
            Event::Text(t) if self.ends.last() == Some(&CODE_END) => escape(&mut self.out, &t),
            Event::Text(t) => text(&mut self.out, &t, &self.flags, self.links > 0),
            Event::Code(code) if self.images > 0 => escape_attribute(&mut self.out, &code),
            Event::Code(code) => {
                self.out.push_str("<code>");
                escape(&mut self.out, &code);
                self.out.push_str("</code>");
            }
            Event::Html(html) | Event::InlineHtml(html) => self.raw_html(&html),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br/>\n"),
            Event::Rule => {
                self.block();
                self.out.push_str("<hr />");
            }
            Event::FootnoteReference(label) => self.reference(&label),
            Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    /// Begins a block: an empty line before it, unless it is the first of its container.
    fn block(&mut self) {
        if !std::mem::take(&mut self.fresh) {
            trim_newlines(&mut self.out);
            self.out.push_str("\n\n");
        }
    }

    fn container(&mut self, tag: &str) {
        self.block();
        self.out.push_str(tag);
        self.fresh = true;
    }

    fn open(&mut self, start: &str, end: &'static str) {
        if self.images == 0 {
            self.out.push_str(start);
        }
        self.ends.push(end);
    }

    fn close(&mut self) {
        let end = self.ends.pop().unwrap_or("");
        if self.images == 0 {
            self.out.push_str(end);
        }
    }

    fn start(&mut self, tag: Tag, source: &str, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.block();
                self.out.push_str("<p>");
            }
            Tag::Heading { level, .. } => {
                self.block();
                self.out.push_str(&format!("<h{}>", number(level)));
                self.heading_start = self.out.len();
            }
            Tag::BlockQuote(_) => self.container("<blockquote>"),
            Tag::CodeBlock(kind) => {
                self.block();
                self.out.push_str("<pre><code");
                if let CodeBlockKind::Fenced(language) = kind
                    && let Some(word) = language.split_whitespace().next()
                {
                    self.out.push_str(" class=\"");
                    escape_attribute(&mut self.out, word);
                    self.out.push('"');
                }
                self.open(">", CODE_END);
            }
            Tag::List(first) => {
                self.block();
                self.tight.push(true);
                match first {
                    None => self.out.push_str("<ul>\n"),
                    Some(1) => self.out.push_str("<ol>\n"),
                    Some(n) => self.out.push_str(&format!("<ol start=\"{n}\">\n")),
                }
            }
            Tag::Item => {
                self.out.push_str("<li>");
                self.fresh = true;
            }
            Tag::HtmlBlock => {
                let html = &source[range];
                self.drop_html = self.flags.filter_styles
                    && html.trim_start().get(..6).is_some_and(|t| t.eq_ignore_ascii_case("<style"));
                if !self.drop_html {
                    self.block();
                }
            }
            Tag::FootnoteDefinition(label) => {
                let out = std::mem::take(&mut self.out);
                self.aside.push((out, self.fresh, label.to_string()));
                self.fresh = true;
            }
            Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell => self.start_table(tag),
            Tag::Emphasis => self.open("<em>", "</em>"),
            Tag::Strong => self.open("<strong>", "</strong>"),
            Tag::Strikethrough => self.open("<del>", "</del>"),
            Tag::Link { link_type, dest_url, title, .. } => {
                self.start_link(link_type, &dest_url, &title, &source[range])
            }
            Tag::Image { dest_url, title, .. } => self.start_image(&dest_url, &title, &source[range]),
            _ => self.ends.push(""),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.out.push_str("</p>"),
            TagEnd::Heading(level) => self.end_heading(number(level)),
            TagEnd::BlockQuote(_) => {
                trim_newlines(&mut self.out);
                self.out.push_str("</blockquote>");
                self.fresh = false;
            }
            TagEnd::CodeBlock => {
                if !self.out.ends_with(['\n', '>']) {
                    self.out.push('\n');
                }
                self.close();
            }
            TagEnd::List(ordered) => {
                self.tight.pop();
                self.out.push_str(if ordered { "</ol>\n" } else { "</ul>\n" });
                self.fresh = false;
            }
            TagEnd::Item => {
                self.out.push_str("</li>\n");
                self.fresh = false;
            }
            TagEnd::HtmlBlock => self.drop_html = false,
            TagEnd::FootnoteDefinition => {
                if let Some((out, fresh, label)) = self.aside.pop() {
                    let note = std::mem::replace(&mut self.out, out);
                    self.fresh = fresh;
                    self.footnotes.insert(label, note);
                }
            }
            TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell => self.end_table(tag),
            TagEnd::Image => {
                self.images -= 1;
                self.close();
            }
            TagEnd::Link => {
                self.links -= 1;
                self.close();
            }
            _ => self.close(),
        }
    }

    fn raw_html(&mut self, html: &str) {
        if self.drop_html || self.images > 0 {
            return;
        }
        if self.flags.filter_html {
            self.out.push_str(&html.replace('<', "&lt;"));
        } else {
            self.out.push_str(html);
        }
    }

    // -- headings -------------------------------------------------------------------------

    fn end_heading(&mut self, level: usize) {
        let html = self.out[self.heading_start..].to_string();
        self.out.push_str(&format!("</h{level}>"));
        if !self.flags.generate_toc {
            return;
        }
        let anchor = anchor(&html);
        let tag = self.heading_start - "<h1>".len();
        self.out.insert_str(tag, &format!("<a name=\"{anchor}\"></a>\n"));
        self.headings.push(Heading { level, html, anchor });
    }

    // -- links ----------------------------------------------------------------------------

    fn as_written(&mut self, source: &str) {
        escape(&mut self.out, source);
        self.skip = 1;
    }

    fn start_link(&mut self, kind: LinkType, target: &str, title: &str, source: &str) {
        let automatic = matches!(kind, LinkType::Autolink | LinkType::Email);
        if self.flags.no_links && !automatic {
            return self.as_written(source);
        }
        let pseudo = ["class:", "id:", "abbr:", "lang:", "raw:"]
            .into_iter()
            .find(|p| target.starts_with(p))
            .filter(|_| !automatic);
        if let Some(protocol) = pseudo {
            if self.flags.no_pseudo_protocols || self.flags.safelink {
                return self.as_written(source);
            }
            return self.pseudo_link(protocol, &target[protocol.len()..]);
        }
        if self.flags.safelink && !automatic && !is_safe(target) {
            return self.as_written(source);
        }
        self.links += 1;
        if self.images > 0 {
            return self.ends.push("");
        }
        self.out.push_str("<a href=\"");
        if kind == LinkType::Email && !target.starts_with("mailto:") {
            self.out.push_str("mailto:");
        }
        escape_attribute(&mut self.out, target);
        self.title(title);
        self.open("\">", "</a>");
    }

    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            self.out.push_str("\" title=\"");
            escape_attribute(&mut self.out, title);
        }
    }

    /// `[text](class:name)` and its kin: not links, but ways to mark a text.
    fn pseudo_link(&mut self, protocol: &str, value: &str) {
        let mut quoted = String::new();
        escape_attribute(&mut quoted, value);
        self.links += 1;
        match protocol {
            "class:" => self.open(&format!("<span class=\"{quoted}\">"), "</span>"),
            "id:" => self.open(&format!("<span id=\"{quoted}\">"), "</span>"),
            "lang:" => self.open(&format!("<span lang=\"{quoted}\">"), "</span>"),
            "abbr:" => self.open(&format!("<abbr title=\"{quoted}\">"), "</abbr>"),
            _ => {
                // `raw:` puts out its value in place of the text.
                self.links -= 1;
                escape(&mut self.out, value);
                self.skip = 1;
            }
        }
    }

    fn start_image(&mut self, target: &str, title: &str, source: &str) {
        if self.flags.no_image {
            return self.as_written(source);
        }
        if self.images == 0 {
            self.out.push_str("<img src=\"");
            escape_attribute(&mut self.out, target);
            self.title(title);
            self.out.push_str("\" alt=\"");
        }
        self.ends.push("\" />");
        self.images += 1;
    }

    // -- tables ---------------------------------------------------------------------------

    fn start_table(&mut self, tag: Tag) {
        match tag {
            Tag::Table(alignments) => {
                self.block();
                self.alignments = alignments;
                self.out.push_str("<table>\n");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.cell = 0;
                self.out.push_str("<thead>\n<tr>\n");
            }
            Tag::TableRow => {
                self.cell = 0;
                self.out.push_str("<tr>\n");
            }
            _ => {
                let align = match self.alignments.get(self.cell) {
                    Some(Alignment::Left) => " style=\"text-align:left;\"",
                    Some(Alignment::Center) => " style=\"text-align:center;\"",
                    Some(Alignment::Right) => " style=\"text-align:right;\"",
                    _ => "",
                };
                self.cell += 1;
                self.out.push_str(if self.in_head { "<th" } else { "<td" });
                self.out.push_str(align);
                self.out.push('>');
            }
        }
    }

    fn end_table(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Table => self.out.push_str("</tbody>\n</table>\n"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.out.push_str("</tr>\n</thead>\n<tbody>\n");
            }
            TagEnd::TableRow => self.out.push_str("</tr>\n"),
            _ => self.out.push_str(if self.in_head { "</th>\n" } else { "</td>\n" }),
        }
    }

    // -- footnotes ------------------------------------------------------------------------

    fn reference(&mut self, label: &str) {
        let n = match self.noted.iter().position(|noted| noted == label) {
            Some(at) => at + 1,
            None => {
                self.noted.push(label.to_string());
                self.noted.len()
            }
        };
        self.out.push_str(&format!("<sup id=\"fnref:{n}\"><a href=\"#fn:{n}\" rel=\"footnote\">{n}</a></sup>"));
    }

    fn write_footnotes(&mut self) {
        self.out.push_str("\n<div class=\"footnotes\">\n<hr/>\n<ol>\n");
        for (i, label) in self.noted.iter().enumerate() {
            let n = i + 1;
            let mut note = self.footnotes.get(label).map_or("", String::as_str).trim_end().to_string();
            let back = format!("<a href=\"#fnref:{n}\" rev=\"footnote\">&#8617;</a>");
            match note.strip_suffix("</p>") {
                Some(inside) => note = format!("{inside}{back}</p>"),
                None => note.push_str(&back),
            }
            self.out.push_str(&format!("<li id=\"fn:{n}\">\n{note}</li>\n"));
        }
        self.out.push_str("</ol>\n</div>\n");
    }
}

const CODE_END: &str = "</code></pre>";

fn trim_newlines(out: &mut String) {
    out.truncate(out.trim_end_matches('\n').len());
}

fn number(level: HeadingLevel) -> usize {
    level as usize
}

/// Relative addresses and the usual protocols.
fn is_safe(target: &str) -> bool {
    match target.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => {
            ["http", "https", "ftp", "mailto", "news"].contains(&scheme.to_ascii_lowercase().as_str())
        }
        _ => true,
    }
}

/// The name of a heading: its text, with what is no letter, digit or one of `_:.-` in hexadecimal.
fn anchor(html: &str) -> String {
    let mut name = String::new();
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if in_tag => {}
            ' ' | '\n' => name.push('-'),
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-') => name.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| name.push_str(&format!("-{b:02x}-"))),
        }
    }
    name
}

/// The table of contents: nested lists of links.
pub fn contents(headings: &[Heading]) -> String {
    let mut out = String::new();
    let mut levels: Vec<usize> = Vec::new();
    let indent = |depth: usize| " ".repeat(depth);
    for (i, heading) in headings.iter().enumerate() {
        while levels.len() > 1 && levels.last().is_some_and(|level| *level > heading.level) {
            levels.pop();
            let depth = levels.len();
            out.push_str(&format!("{0}</ul>\n{0}</li>\n", indent(depth)));
        }
        if levels.last().is_none_or(|level| *level < heading.level) {
            out.push_str(&format!("{}<ul>\n", indent(levels.len())));
            levels.push(heading.level);
        }
        let leaf = headings.get(i + 1).is_none_or(|next| next.level <= heading.level);
        out.push_str(&format!(
            "{}<li><a href=\"#{}\">{}</a>{}\n",
            indent(levels.len()),
            heading.anchor,
            heading.html,
            if leaf { "</li>" } else { "" }
        ));
    }
    while let Some(_level) = levels.pop() {
        let depth = levels.len();
        out.push_str(&format!("{}</ul>\n", indent(depth)));
        if depth > 0 {
            out.push_str(&format!("{}</li>\n", indent(depth)));
        }
    }
    out
}
