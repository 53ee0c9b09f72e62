//! Rules for Rust files: the `//!` header, `// SAFETY:` before unsafe blocks and impls, no unsafe at all where it is
//! forbidden, and no `Value` held in memory that the collector does not see.

use std::path::Path;

use super::Problem;
use super::source::{Line, Source};

/// Crate roots that must forbid unsafe code.
const SAFE_ROOTS: &[&str] =
    &["crates/compiler/src/lib.rs", "crates/encoding/src/lib.rs", "crates/rubellite/src/main.rs"];

/// Crates in which a `Value` in malloc memory is a bug unless its layout is traced.
const TRACED_CRATES: &[&str] = &["crates/vm/", "crates/corelib/", "crates/stdlib/"];

/// Files whose layouts the collector traces, each with its reason.
const TRACED_FILES: &str = "xtask/tidy/traced.txt";

/// Where a `Value` may hide from a conservative scan.
const CONTAINERS: &[&str] = &[
    "Vec<",
    "VecDeque<",
    "Box<",
    "Rc<",
    "Arc<",
    "HashMap<",
    "HashSet<",
    "FxHashMap<",
    "FxHashSet<",
    "BTreeMap<",
    "BTreeSet<",
    "IndexMap<",
    "IndexSet<",
    "SmallVec<",
    "Vec::<",
    "vec![",
];

pub fn check(root: &Path, source: &Source) -> Vec<Problem> {
    let mut problems = Vec::new();
    header(source, &mut problems);
    safety(source, &mut problems);
    let path = source.path.to_string_lossy().into_owned();
    if SAFE_ROOTS.contains(&path.as_str())
        && !source.lines.iter().any(|line| line.code.contains("#![forbid(unsafe_code)]"))
    {
        problems.push(Problem::error(&source.path, 1, "this crate forbids unsafe: #![forbid(unsafe_code)] is missing"));
    }
    if TRACED_CRATES.iter().any(|krate| path.starts_with(krate)) && !traced_file(root, &path) {
        values_in_malloc_memory(source, &mut problems);
    }
    problems
}

fn header(source: &Source, problems: &mut Vec<Problem>) {
    if source.lines.first().is_none_or(|line| !line.text.starts_with("//!")) {
        problems.push(Problem::error(&source.path, 1, "the file must begin with //! saying what it is"));
    }
}

fn safety(source: &Source, problems: &mut Vec<Problem>) {
    for (index, line) in source.lines.iter().enumerate() {
        if needs_reason(&line.code) && !has_reason(&source.lines[..=index]) {
            problems.push(Problem::error(&source.path, index + 1, "unsafe without a // SAFETY: comment above it"));
        }
    }
}

/// An unsafe block or impl begins on this line.
fn needs_reason(code: &str) -> bool {
    code.match_indices("unsafe").any(|(at, word)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].trim_start();
        let whole = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        whole && (after.starts_with('{') || after.starts_with("impl") || (after.is_empty() && code.ends_with("unsafe")))
    })
}

/// Looks on the last line, then upwards over comments, attributes, neighbouring unsafe lines and the few lines that
/// lead to it without ending a statement.
fn has_reason(lines: &[Line]) -> bool {
    let Some((last, above)) = lines.split_last() else {
        return false;
    };
    if last.comment.contains("SAFETY") {
        return true;
    }
    let mut code_lines = 0;
    for line in above.iter().rev() {
        if line.comment.contains("SAFETY") {
            return true;
        }
        let code = line.code.trim();
        let comment_only = code.is_empty() && !line.comment.is_empty();
        let attribute = code.starts_with("#[");
        let covered_too = needs_reason(code);
        let leads_here = !code.is_empty() && !code.ends_with([';', '}', ',']);
        if !(comment_only || attribute || covered_too || leads_here) {
            return false;
        }
        code_lines += usize::from(leads_here);
        if code_lines > 3 {
            return false;
        }
    }
    false
}

fn traced_file(root: &Path, path: &str) -> bool {
    let list = std::fs::read_to_string(root.join(TRACED_FILES)).unwrap_or_default();
    list.lines().filter(|line| !line.starts_with('#')).any(|line| line.split_whitespace().next() == Some(path))
}

fn values_in_malloc_memory(source: &Source, problems: &mut Vec<Problem>) {
    let mut in_tests = false;
    for (index, line) in source.lines.iter().enumerate() {
        in_tests |= line.code.contains("#[cfg(test)]");
        let Some(container) = hidden_value(&line.code) else {
            continue;
        };
        let escaped = |line: &Line| {
            line.comment
                .split_once("tidy: ")
                .is_some_and(|(_, reason)| reason.trim_matches([' ', ':', ',', '-']).len() >= 8)
        };
        let excused = escaped(line) || (index > 0 && escaped(&source.lines[index - 1]));
        if !excused && !in_tests {
            let text = format!(
                "{container}..Value: the collector does not see malloc memory; use a TempArray, or say `// tidy: REASON`"
            );
            problems.push(Problem::error(&source.path, index + 1, text));
        }
    }
}

/// The container that holds the word `Value` directly on this line. A closure that only passes values (`Box<dyn Fn`)
/// holds none.
fn hidden_value(code: &str) -> Option<&'static str> {
    CONTAINERS.iter().copied().find(|container| {
        code.match_indices(container).any(|(at, _)| {
            let word_before = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let inside = bracketed(&code[at + container.len()..]);
            !word_before && !inside.starts_with("dyn Fn") && !inside.starts_with("dyn for") && has_word(inside, "Value")
        })
    })
}

/// The text up to the bracket that closes the one just opened.
fn bracketed(text: &str) -> &str {
    let mut depth = 1;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' if previous == '-' => {}
            '>' | ']' | ')' => depth -= 1,
            _ => {}
        }
        previous = c;
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(Path::new(path), text);
        check(Path::new("."), &source)
            .into_iter()
            .map(|problem| format!("{}: {}", problem.line, problem.text))
            .collect()
    }

    #[test]
    fn unsafe_needs_a_reason() {
        assert_eq!(problems("a.rs", "//! A.\nfn f() {\n    unsafe { g() }\n}").len(), 1);
        assert!(problems("a.rs", "//! A.\n// SAFETY: g has no conditions.\nunsafe { g() }").is_empty());
        assert!(problems("a.rs", "//! A.\n// SAFETY: g.\nlet x =\n    unsafe { g() };").is_empty());
        assert!(
            problems("a.rs", "//! A.\n// SAFETY: one word.\nunsafe impl Send for A {}\nunsafe impl Sync for A {}")
                .is_empty()
        );
        assert!(problems("a.rs", "//! A.\nunsafe fn f() {}").is_empty());
    }

    #[test]
    fn values_in_vectors_are_found() {
        let found = problems(
            "crates/vm/src/a.rs",
            "//! A.\nlet a: Vec<(u8, Value)> = b;\nfn c(d: &[Value]) -> Vec<ValueKind> {}",
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("2:"));
        let excused =
            "//! A.\nlet a: Vec<Value> = b; // tidy: traced by Thread::mark\nlet f: Box<dyn Fn(Value) -> Value>;";
        assert!(problems("crates/vm/src/a.rs", excused).is_empty());
        assert!(problems("crates/gc/src/a.rs", "//! A.\nlet a: Vec<Value> = b;").is_empty());
    }

    #[test]
    fn a_header_is_needed() {
        assert_eq!(problems("a.rs", "fn f() {}").len(), 1);
    }
}
