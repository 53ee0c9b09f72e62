//! Syntax errors and warnings of the parser, in the words and the layout in which Ruby prints them:
//! the offending lines, two lines of context, and a caret line per error.

use crate::source::Source;
use ruby_prism::ParseResult;

/// Which exception class an error is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ErrorLevel {
    /// SyntaxError
    Syntax,
    /// SyntaxError of a text that the parser has accepted: its backtrace names the text alone.
    Code,
    /// ArgumentError (an unknown source encoding)
    Argument,
    /// LoadError (`-x` without a Ruby script)
    Load,
    /// NoMemoryError (the system has no stack for the walk)
    Memory,
}

/// Why a source text cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The message of the exception.
    pub message: String,
    /// Line of the first error.
    pub line: i32,
    pub level: ErrorLevel,
    /// What the parser warns of all the same.
    pub warnings: Vec<Warning>,
}

impl SyntaxError {
    /// Without warnings.
    pub fn new(message: String, line: i32, level: ErrorLevel) -> SyntaxError {
        SyntaxError { message, line, level, warnings: Vec::new() }
    }
}

/// A warning; printed as `FILE:LINE: warning: MESSAGE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub line: i32,
    pub message: String,
    /// Shown with `-w` only.
    pub verbose_only: bool,
}

/// One error with its place.
struct Rich {
    message: String,
    line: i32,
    column_start: usize,
    column_end: usize,
    order: usize,
}

/// More source than this beside an error is cut off.
const TRUNCATE: usize = 30;

/// Errors behind so many bytes of text are left out: thousands of them in one long line make gigabytes of spaces.
const TEXT_MAX: usize = 4 << 20;

pub fn warnings(result: &ParseResult, source: &Source) -> Vec<Warning> {
    result
        .warnings()
        .map(|diagnostic| {
            let message = String::from_utf8_lossy(diagnostic.message()).into_owned();
            let verbose_only = is_verbose_only(&message);
            Warning { line: source.line(diagnostic.location().start()), message, verbose_only }
        })
        .collect()
}

/// The parser does not tell a warning's level: its words do.
fn is_verbose_only(message: &str) -> bool {
    let shown = message.starts_with("... at EOL")
        || message.starts_with("key ")
        || message.starts_with("found '= literal'")
        || message.starts_with("found `= literal'")
        || message.starts_with("END in method")
        || message.starts_with("integer literal in flip-flop")
        || message.starts_with("invalid character syntax")
        || message.ends_with("too big for a number variable, always nil")
        || message.starts_with("shebang line ending")
        || message.starts_with("encountered \\r in middle of line")
        // A string or regexp literal in a condition warns always, other literals with -w.
        || message.starts_with("string literal in ")
        || message.starts_with("regex literal in ");
    !shown
}

pub fn error(result: &ParseResult, source: &Source) -> Option<SyntaxError> {
    let mut errors: Vec<Rich> = Vec::new();
    let mut is_utf8 = true;
    let mut looked_at = (usize::MAX, usize::MAX, true);
    for (order, diagnostic) in result.errors().enumerate() {
        let location = diagnostic.location();
        let message = String::from_utf8_lossy(diagnostic.message()).into_owned();
        let rich = rich(source, message, location.start(), location.end(), order);
        if rich.message.starts_with("no Ruby script found in input") {
            return Some(SyntaxError::new(rich.message, rich.line, ErrorLevel::Load));
        }
        let readable = touches_utf8(source, location.start(), location.end(), &mut looked_at);
        if rich.message.starts_with("unknown or invalid encoding") {
            let mut text = format!("{}:{}: {}", source.script.path, rich.line, rich.message);
            let line = rich.line;
            if readable {
                text.push('\n');
                snippets(source, &[rich], false, &mut text);
            }
            return Some(SyntaxError::new(text, line, ErrorLevel::Argument));
        }
        is_utf8 &= readable;
        errors.push(rich);
    }
    let line = errors.first()?.line;
    let plural = if errors.len() > 1 { "s" } else { "" };
    let path = &source.script.path;
    let mut text = format!("{path}:{line}: syntax error{plural} found\n");
    if is_utf8 {
        errors.sort_by(|a, b| (a.line, a.column_start).cmp(&(b.line, b.column_start)).then(b.order.cmp(&a.order)));
        snippets(source, &errors, true, &mut text);
    } else {
        let lines: Vec<String> =
            errors.iter().map(|error| format!("{path}:{}: {}", error.line, error.message)).collect();
        text.push_str(&lines.join("\n"));
    }
    Some(SyntaxError::new(text, line, ErrorLevel::Syntax))
}

/// Where an error is. The lines that a program counts from may end a C int: they go round.
fn rich(source: &Source, message: String, start: u32, end: u32, order: usize) -> Rich {
    let (line, column_start) = source.position(start);
    let (end_line, end_column) = source.position(end);
    let index = line.wrapping_sub(source.first_line) as usize;
    let mut column_end = if line == end_line {
        end_column as usize
    } else {
        source.line_start(index + 1) - source.line_start(index) - 1
    };
    if column_end == column_start as usize {
        column_end += 1;
    }
    Rich { message, line, column_start: column_start as usize, column_end, order }
}

/// Whether the lines from `start` to `end` are UTF-8. `looked_at`: the lines of the last answer, and it.
fn touches_utf8(source: &Source, start: u32, end: u32, looked_at: &mut (usize, usize, bool)) -> bool {
    let first = source.position(start).0.wrapping_sub(source.first_line) as usize;
    let last = source.position(end).0.wrapping_sub(source.first_line) as usize;
    if (first, last) != (looked_at.0, looked_at.1) {
        let bytes = &source.bytes[source.line_start(first)..source.line_start(last + 1)];
        *looked_at = (first, last, std::str::from_utf8(bytes).is_ok());
    }
    looked_at.2
}

fn digits(first: i32, last: i32) -> usize {
    let width = |line: i32| if line < 0 { line.unsigned_abs().saturating_mul(10) } else { line as u32 };
    width(first).max(width(last)).to_string().len().min(5)
}

/// Bytes of the character at the start of `bytes`.
fn char_width(bytes: &[u8]) -> usize {
    let width = match bytes.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => 1,
    };
    if bytes.len() >= width && std::str::from_utf8(&bytes[..width.min(bytes.len())]).is_ok() { width } else { 1 }
}

fn snippets(source: &Source, errors: &[Rich], messages: bool, out: &mut String) {
    let width = digits(errors[0].line, errors[errors.len() - 1].line);
    let mut last_line = source.first_line.wrapping_sub(1);
    let mut last_column_start = 0;
    for (index, error) in errors.iter().enumerate() {
        if out.len() > TEXT_MAX {
            break;
        }
        let gap = error.line.wrapping_sub(last_line);
        if gap > 2 {
            if index != 0 && gap > 3 {
                out.push_str("  ");
                out.push_str(&"~".repeat(4 + width.min(4)));
                out.push('\n');
            }
            context_line(source, out, width, error.line.wrapping_sub(2));
        }
        if gap > 1 {
            context_line(source, out, width, error.line.wrapping_sub(1));
        }
        if index == 0 || error.line != last_line {
            last_column_start = error.column_start;
            let same_line = errors[index..].iter().take_while(|other| other.line == error.line);
            let column_end = same_line.map(|other| other.column_end).max().unwrap_or(error.column_end);
            out.push_str("> ");
            source_line(source, out, width, error.line, error.column_start, column_end);
        }
        caret_line(source, error, width, last_column_start, messages, out);
        last_line = error.line;
        let next_line = match errors.get(index + 1) {
            Some(next) => next.line,
            None => {
                let ends_with_newline = source.line_start(source.line_count() - 1) == source.bytes.len();
                source.first_line.wrapping_add(source.line_count() as i32 - ends_with_newline as i32)
            }
        };
        for _ in 0..2 {
            if next_line.wrapping_sub(last_line) > 1 {
                last_line = last_line.wrapping_add(1);
                context_line(source, out, width, last_line);
            }
        }
    }
}

fn context_line(source: &Source, out: &mut String, width: usize, line: i32) {
    out.push_str("  ");
    source_line(source, out, width, line, 0, 0);
}

/// One numbered source line, cut to the surroundings of the columns.
fn source_line(source: &Source, out: &mut String, width: usize, line: i32, column_start: usize, column_end: usize) {
    let index = line.wrapping_sub(source.first_line) as usize;
    let mut start = source.line_start(index);
    let mut end = source.line_start(index + 1);
    out.push_str(&format!("{line:>width$} | "));
    let mut cut = false;
    if column_end != 0 && end as isize - start as isize - column_end as isize >= TRUNCATE as isize {
        let candidate = start + column_end + TRUNCATE;
        let mut cursor = start;
        while cursor < candidate {
            let next = cursor + char_width(&source.bytes[cursor..]);
            if next > candidate {
                break;
            }
            cursor = next;
        }
        end = cursor;
        cut = true;
    }
    if column_start >= TRUNCATE {
        out.push_str("... ");
        start = (start + column_start).min(end);
    }
    let bytes = &source.bytes[start..end];
    out.push_str(&String::from_utf8_lossy(bytes));
    if cut {
        out.push_str(" ...\n");
    } else if end == source.bytes.len() && end > 0 && source.bytes[end - 1] != b'\n' {
        out.push('\n');
    }
}

fn caret_line(source: &Source, error: &Rich, width: usize, last_column_start: usize, messages: bool, out: &mut String) {
    let start = source.line_start(error.line.wrapping_sub(source.first_line) as usize);
    if start == source.bytes.len() {
        out.push('\n');
    }
    let rest = |column: usize| source.bytes.get(start + column..).unwrap_or_default();
    out.push_str("  ");
    out.push_str(&" ".repeat(width));
    out.push_str(" | ");
    let mut column = 0;
    if last_column_start >= TRUNCATE {
        out.push_str("    ");
        column = last_column_start;
    }
    while column < error.column_start {
        out.push(' ');
        column += char_width(rest(column));
    }
    out.push('^');
    column += char_width(rest(column));
    while column < error.column_end {
        out.push('~');
        column += char_width(rest(column));
    }
    if messages {
        out.push(' ');
        out.push_str(&error.message);
    }
    out.push('\n');
}
