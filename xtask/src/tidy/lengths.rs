//! Long files: only those that `xtask/tidy/long_files.txt` names, none longer than it says, and what it says may only
//! shrink. Long functions are errors, too, but for those that `xtask/tidy/long_functions.txt` names; declarations
//! without a body are none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Problem;
use super::source::Source;
use crate::workspace;

const LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;
const LIST: &str = "xtask/tidy/long_files.txt";
/// Lines `PATH NAME LINES`: functions that may be so long, and no longer.
const LONG_FUNCTIONS: &str = "xtask/tidy/long_functions.txt";

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

/// The functions that are too long to be read at once, unless the list allows them.
pub fn functions(root: &Path, source: &Source) -> Vec<Problem> {
    let list = std::fs::read_to_string(root.join(LONG_FUNCTIONS)).unwrap_or_default();
    let allowed = |name: &str, lines: usize| {
        let entry = format!("{} {name} ", source.path.display());
        list.lines()
            .filter_map(|line| line.strip_prefix(&entry))
            .any(|most| most.trim().parse().is_ok_and(|most: usize| lines <= most))
    };
    let long = long_functions(source).into_iter().filter(|(name, lines)| !allowed(name, *lines));
    long.map(|(name, lines)| {
        Problem::error(
            &source.path,
            0,
            format!("{name} has {lines} lines, more than {FUNCTION_LINES_MAX}: find a seam"),
        )
    })
    .collect()
}

fn long_functions(source: &Source) -> Vec<(String, usize)> {
    let mut long: Vec<(String, usize)> = Vec::new();
    let mut open: Option<(String, usize, usize)> = None;
    for (index, line) in source.lines.iter().enumerate() {
        let indent = line.text.len() - line.text.trim_start().len();
        let code = line.code.trim();
        match &open {
            Some((name, start, depth)) if code == "}" && indent == *depth => {
                let length = index + 1 - start;
                if length > FUNCTION_LINES_MAX {
                    long.push((name.clone(), length));
                }
                open = None;
            }
            // A declaration over several lines has no body.
            Some((_, _, depth)) if code.starts_with(')') && code.ends_with(';') && indent == *depth => open = None,
            Some(_) => {}
            None => open = function_name(code).map(|name| (name, index, indent)),
        }
    }
    long
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
        Some(allowed) if lines > allowed => {
            Some(Problem::error(file, 0, format!("{lines} lines; {LIST} allows {allowed}")))
        }
        Some(allowed) if lines < allowed => Some(Problem::error(
            Path::new(LIST),
            0,
            format!("{} has {lines} lines now, not {allowed}: shrink its entry", file.display()),
        )),
        Some(_) => None,
        None => (lines > LINES_MAX)
            .then(|| Problem::error(file, 0, format!("{lines} lines, more than {LINES_MAX}: find a seam"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_are_named() {
        let body = "    x;\n".repeat(80);
        let text = format!("//! A.\npub(crate) fn long(a: u8) {{\n{body}}}\nfn short() {{\n}}\n");
        let found = |text: &str| long_functions(&Source::new(Path::new("a.rs"), text));
        assert_eq!(found(&text), [("long".to_string(), 82)]);
        assert!(found("fn a() {}\n").is_empty());
        let declared = "    fn declared(\n        a: u8,\n    ) -> u8;\n".repeat(30);
        assert!(found(&format!("unsafe extern \"C\" {{\n{declared}}}\n")).is_empty());
    }

    #[test]
    fn an_allowance_may_only_shrink() {
        let file = Path::new("a.rs");
        assert!(judge(file, 1300, Some(1300)).is_none());
        assert!(judge(file, 1301, Some(1300)).is_some());
        assert!(judge(file, 1299, Some(1300)).is_some());
        assert!(judge(file, 1300, None).is_some());
        assert!(judge(file, 800, None).is_none());
    }
}
