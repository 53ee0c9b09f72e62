//! Long files. Above the first length a warning says where to look for a seam; above the second only files that
//! `xtask/tidy/long_files.txt` names may go, none longer than it says, and what it says may only shrink. Long functions
//! are counted, file by file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Problem;
use super::source::Source;
use crate::workspace;

const LINES_WARN: usize = 800;
const LINES_MAX: usize = 1200;
const FUNCTION_LINES_WARN: usize = 70;
const LIST: &str = "xtask/tidy/long_files.txt";

pub fn check(root: &Path, files: &[PathBuf]) -> Vec<Problem> {
    let list = std::fs::read_to_string(root.join(LIST)).unwrap_or_default();
    let mut allowed: BTreeMap<&str, usize> = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        if let Some((path, lines)) = line.split_once(' ') {
            allowed.insert(path, lines.trim().parse().unwrap_or(0));
        }
    }
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| workspace::has_extension(file, "rs")) {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue;
        };
        let allowance = allowed.remove(file.to_string_lossy().as_ref());
        problems.extend(judge(file, text.lines().count(), allowance));
    }
    for path in allowed.keys() {
        problems.push(Problem::error(Path::new(LIST), 0, format!("{path} is gone: take it off the list")));
    }
    problems
}

/// A warning for the functions of a file that are too long to be read at once; tables of tests are left alone.
pub fn functions(source: &Source) -> Option<Problem> {
    let mut long: Vec<(String, usize)> = Vec::new();
    let mut open: Option<(String, usize, usize)> = None;
    for (index, line) in source.lines.iter().enumerate() {
        let indent = line.text.len() - line.text.trim_start().len();
        let code = line.code.trim();
        match &open {
            Some((name, start, depth)) if code == "}" && indent == *depth => {
                let length = index + 1 - start;
                if length > FUNCTION_LINES_WARN {
                    long.push((name.clone(), length));
                }
                open = None;
            }
            Some(_) => {}
            None => open = function_name(code).map(|name| (name, index, indent)),
        }
    }
    let first = long.iter().max_by_key(|(_, length)| *length)?;
    let text = format!("{} functions longer than {FUNCTION_LINES_WARN} lines, first {} with {}", long.len(), first.0, first.1);
    Some(Problem::warning(&source.path, 0, text))
}

/// The name of the function whose body begins on this line or below it.
fn function_name(code: &str) -> Option<String> {
    let at = if code.starts_with("fn ") { 0 } else { code.find(" fn ")? + 1 };
    let modifiers = code[..at].split_whitespace();
    let known = ["const", "unsafe", "async", "extern", "\"\"", "pub"];
    let plain = modifiers.into_iter().all(|word| known.contains(&word) || word.starts_with("pub("));
    let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (plain && !name.is_empty() && !code.ends_with([';', '}'])).then_some(name)
}

fn judge(file: &Path, lines: usize, allowance: Option<usize>) -> Option<Problem> {
    match allowance {
        Some(allowed) if lines > allowed => Some(Problem::error(file, 0, format!("{lines} lines; {LIST} allows {allowed}"))),
        Some(allowed) if lines < allowed => {
            Some(Problem::error(Path::new(LIST), 0, format!("{} has {lines} lines now, not {allowed}: shrink its entry", file.display())))
        }
        Some(_) => None,
        None if lines > LINES_MAX => Some(Problem::error(file, 0, format!("{lines} lines, more than {LINES_MAX}: find a seam"))),
        None if lines > LINES_WARN => Some(Problem::warning(file, 0, format!("{lines} lines, more than {LINES_WARN}"))),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_are_named() {
        let body = "    x;\n".repeat(80);
        let text = format!("//! A.\npub(crate) fn long(a: u8) {{\n{body}}}\nfn short() {{\n}}\n");
        let problem = functions(&Source::new(Path::new("a.rs"), &text)).unwrap();
        assert!(problem.text.contains("long with 82"));
        assert!(functions(&Source::new(Path::new("a.rs"), "fn a() {}\n")).is_none());
    }

    #[test]
    fn an_allowance_may_only_shrink() {
        let file = Path::new("a.rs");
        assert!(judge(file, 1300, Some(1300)).is_none());
        assert!(judge(file, 1301, Some(1300)).is_some());
        assert!(judge(file, 1299, Some(1300)).is_some());
        assert!(judge(file, 1300, None).is_some_and(|problem| !problem.warning));
        assert!(judge(file, 900, None).is_some_and(|problem| problem.warning));
    }
}
