//! Words that do not belong in the repository: numbers of issues (a reader has no tracker at hand), names of this
//! machine (where this clone and the home directory lie, where its crates come from), and what a merge left behind.

use std::path::Path;
use std::sync::OnceLock;

use super::Problem;
use super::source::Source;
use crate::workspace;

const TEXT_EXTENSIONS: &[&str] = &["rs", "rb", "toml", "md", "txt", "yml", "yaml", "sh", "c", "h", "mspec"];

pub fn check(source: &Source) -> Vec<Problem> {
    let mut problems = conflicts(source);
    let text = source.path.extension().is_none_or(|extension| TEXT_EXTENSIONS.iter().any(|known| extension == *known));
    if !text {
        return problems;
    }
    for (index, line) in source.lines.iter().enumerate() {
        if issue_number(&line.comment) {
            problems.push(Problem::error(
                &source.path,
                index + 1,
                "a number of an issue: say what it is about instead",
            ));
        }
        for name in machine_names() {
            if line.text.contains(name.as_str()) {
                problems.push(Problem::error(&source.path, index + 1, format!("{name} names this machine")));
            }
        }
        for place in temporary_places(&line.text) {
            problems.push(Problem::error(&source.path, index + 1, format!("{place} lies on this machine")));
        }
    }
    problems
}

/// Lines that mark an unresolved merge, in a file of any kind.
fn conflicts(source: &Source) -> Vec<Problem> {
    let marks = |text: &str| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| text.starts_with(mark));
    let marked = source.lines.iter().enumerate().filter(|(_, line)| marks(&line.text));
    marked.map(|(index, _)| Problem::error(&source.path, index + 1, "an unresolved merge")).collect()
}

/// `#12` standing alone, or in brackets.
fn issue_number(comment: &str) -> bool {
    comment.match_indices('#').any(|(at, _)| {
        let before = comment[..at].chars().next_back();
        let digits = comment[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let after = comment[at + 1 + digits..].chars().next();
        let alone = before.is_some_and(|c| c == ' ' || c == '(');
        alone && digits > 0 && after.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '<')
    })
}

/// Paths and hosts of this machine that a careless copy would carry along.
fn machine_names() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names = Vec::new();
        let common = ["home", "root", "usr", "opt", "tmp", "var", "srv", "mnt", "src", "build", "Users"];
        let root = workspace::root();
        names.push(format!("{}/", root.display()));
        let top = root.components().nth(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
        if let Some(top) = top.filter(|top| !common.contains(&top.as_str())) {
            names.push(format!("/{top}/"));
        }
        let home = std::env::var("HOME").unwrap_or_default();
        if home.matches('/').count() > 1 {
            names.push(home.clone());
        }
        let config = std::fs::read_to_string(Path::new(&home).join(".cargo/config.toml")).unwrap_or_default();
        names.extend(config.split("//").skip(1).filter_map(|rest| {
            let host = rest.split(['/', '"', ':']).next()?;
            (host.contains('.') && !host.ends_with("crates.io")).then(|| host.to_string())
        }));
        names
    })
}

/// Directories below `/tmp` that exist here and that the line names.
fn temporary_places(text: &str) -> Vec<String> {
    let found = text.match_indices("/tmp/").filter_map(|(at, prefix)| {
        let name: String =
            text[at + prefix.len()..].chars().take_while(|c| c.is_alphanumeric() || "-_.".contains(*c)).collect();
        let place = format!("/tmp/{name}");
        (!name.is_empty() && Path::new(&place).is_dir()).then_some(place)
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_numbers_are_found() {
        assert!(issue_number("// see #12"));
        assert!(issue_number("// (#7)"));
        assert!(!issue_number("// #[inline] and #a and x#1 and '#1'"));
        assert!(!issue_number("// #<A> #1a"));
    }
}
