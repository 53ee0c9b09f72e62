//! What the runtime's own Ruby code is built on stays out of programs' reach: no method table has a row whose name
//! begins with two underscores, unless it is one of Ruby's, and Rust code names helpers in Ruby by `Ctx::internal`.
//! Every primitive that Ruby code calls is in a table, and every one in a table is called.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Problem;
use super::source::Source;
use crate::workspace;

/// Primitives by name, and where each was first met.
#[derive(Default)]
pub struct Primitives {
    defined: BTreeMap<String, (PathBuf, usize)>,
    called: BTreeMap<String, (PathBuf, usize)>,
}

/// Functions that make a row of a method table.
const ROWS: &[&str] = &["method(\"", "unimplemented(\""];

/// Functions that take a name as programs spell it.
const NAMES: &[&str] = &["intern(\"", "call_name("];

impl Primitives {
    /// Notes what a file defines and calls; returns the rules that it breaks.
    pub fn check(&mut self, source: &Source) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !source.path.starts_with("crates") {
            return problems;
        }
        let (rust, ruby) = (workspace::has_extension(&source.path, "rs"), workspace::has_extension(&source.path, "rb"));
        for (index, line) in source.lines.iter().enumerate() {
            let place = || (source.path.clone(), index + 1);
            if rust {
                // Strings are emptied in the code: the text is looked at where the code has the call.
                if line.code.contains("method(") && ROWS.iter().any(|row| names_behind(&line.text, row).any(is_hidden))
                {
                    problems.push(Problem::error(
                        &source.path,
                        index + 1,
                        "a helper is no method: make it a primitive",
                    ));
                }
                if NAMES.iter().any(|call| {
                    line.code.contains(call.trim_end_matches('"')) && names_behind(&line.text, call).any(is_hidden)
                }) {
                    problems.push(Problem::error(&source.path, index + 1, "an internal name: Ctx::internal"));
                }
                for name in names_behind(&line.text, "primitive(\"").filter(|_| line.code.contains("primitive(")) {
                    self.defined.entry(name.to_string()).or_insert_with(place);
                }
            }
            if ruby {
                for name in names_behind(&line.code, "Primitive.") {
                    self.called.entry(name.to_string()).or_insert_with(place);
                }
            }
        }
        problems
    }

    /// What only shows when all files are read.
    pub fn unmatched(self) -> Vec<Problem> {
        let missing = self.called.iter().filter(|(name, _)| !self.defined.contains_key(*name));
        let missing = missing
            .map(|(name, (path, line))| Problem::error(path, *line, format!("no table has the primitive {name}")));
        let unused = self.defined.iter().filter(|(name, _)| !self.called.contains_key(*name));
        let unused = unused
            .map(|(name, (path, line))| Problem::error(path, *line, format!("nothing calls the primitive {name}")));
        missing.chain(unused).collect()
    }
}

/// The names that stand behind each `mark` in a line; the last argument that is a string literal where the mark ends in
/// a parenthesis.
fn names_behind<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(mark).filter_map(move |(at, _)| {
        let rest = &text[at + mark.len()..];
        let rest = if mark.ends_with('(') { &rest[rest.find('"')? + 1..] } else { rest };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_?!=@".contains(c)).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}

/// As `rubellite_bytecode::is_internal_name`.
fn is_hidden(name: &str) -> bool {
    let name = name.strip_prefix('@').unwrap_or(name);
    name.strip_prefix("__").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        && !name.ends_with("__")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let mut primitives = Primitives::default();
        let mut found: Vec<Problem> =
            files.iter().flat_map(|(path, text)| primitives.check(&Source::new(Path::new(path), text))).collect();
        found.extend(primitives.unmatched());
        found
            .into_iter()
            .map(|problem| format!("{}:{} {}", problem.path.display(), problem.line, problem.text))
            .collect()
    }

    #[test]
    fn helpers_are_no_methods() {
        let text = "method(\"__send__\", ONE, send),\nprivate_method(\"__len\", NONE, len),\nctx.call_name(x, \"__at\", &[]);\nctx.intern(\"@__x\");\n";
        let found = problems(&[("crates/corelib/src/a.rs", text)]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(problems(&[("xtask/src/a.rs", text)]).is_empty());
    }

    #[test]
    fn primitives_are_there_and_called() {
        let table =
            ("crates/corelib/src/a.rs", "primitive(\"array_len\", NONE, len),\nprimitive(\"array_at\", ONE, at),\n");
        let code =
            ("crates/corelib/src/a.rb", "Primitive.array_len(self)\nPrimitive.hash_len(self) # Primitive.gone\n");
        let found = problems(&[table, code]);
        assert_eq!(
            found,
            [
                "crates/corelib/src/a.rb:2 no table has the primitive hash_len",
                "crates/corelib/src/a.rs:2 nothing calls the primitive array_at"
            ]
        );
    }
}
