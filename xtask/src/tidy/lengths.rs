//! Long files. Above the first length a warning says where to look for a seam; above the second only files that
//! `xtask/tidy/long_files.txt` names may go, none longer than it says, and what it says may only shrink.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Problem;
use crate::workspace;

const LINES_WARN: usize = 800;
const LINES_MAX: usize = 1200;
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
    for file in files
        .iter()
        .filter(|file| workspace::has_extension(file, "rs"))
    {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue;
        };
        let allowance = allowed.remove(file.to_string_lossy().as_ref());
        problems.extend(judge(file, text.lines().count(), allowance));
    }
    for path in allowed.keys() {
        problems.push(Problem::error(
            Path::new(LIST),
            0,
            format!("{path} is gone: take it off the list"),
        ));
    }
    problems
}

fn judge(file: &Path, lines: usize, allowance: Option<usize>) -> Option<Problem> {
    match allowance {
        Some(allowed) if lines > allowed => Some(Problem::error(
            file,
            0,
            format!("{lines} lines; {LIST} allows {allowed}"),
        )),
        Some(allowed) if lines < allowed => Some(Problem::error(
            Path::new(LIST),
            0,
            format!(
                "{} has {lines} lines now, not {allowed}: shrink its entry",
                file.display()
            ),
        )),
        Some(_) => None,
        None if lines > LINES_MAX => Some(Problem::error(
            file,
            0,
            format!("{lines} lines, more than {LINES_MAX}: find a seam"),
        )),
        None if lines > LINES_WARN => Some(Problem::warning(
            file,
            0,
            format!("{lines} lines, more than {LINES_WARN}"),
        )),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
