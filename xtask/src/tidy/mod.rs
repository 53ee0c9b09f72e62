//! `cargo xtask tidy`: the rules that hold across the code and that a program can check. `source` splits files into
//! code and comments; each rule is one file; this file collects and prints.

mod arrows;
mod binary;
mod circles;
mod columns;
mod helpers;
mod lengths;
mod rust;
mod source;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, workspace};
use source::Source;

/// A rule that is broken, and where.
pub struct Problem {
    pub path: PathBuf,
    /// 0: the file as a whole.
    pub line: usize,
    pub text: String,
}

impl Problem {
    pub fn error(path: &Path, line: usize, text: impl Into<String>) -> Problem {
        Problem { path: path.to_path_buf(), line, text: text.into() }
    }
}

pub fn run(_words: &[String]) -> Outcome {
    let root = workspace::root();
    let files = tracked_files(&root)?;
    let mut problems = arrows::check(&root)?;
    let mut primitives = helpers::Primitives::default();
    let mut crates = circles::Crates::default();
    for file in &files {
        let Ok(contents) = std::fs::read(root.join(file)) else {
            continue;
        };
        problems.extend(binary::check(file, &contents));
        let Ok(text) = String::from_utf8(contents) else {
            continue;
        };
        let source = Source::new(file, &text);
        problems.extend(words::check(&source));
        problems.extend(primitives.check(&source));
        problems.extend(columns::check(&source));
        if workspace::has_extension(file, "rs") {
            problems.extend(rust::check(&root, &source));
            problems.extend(lengths::functions(&root, &source));
            crates.note(&source);
        }
    }
    problems.extend(primitives.unmatched());
    problems.extend(crates.check(&root));
    problems.extend(lengths::check(&root, &files));
    problems.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    for problem in &problems {
        println!("{}:{}: error: {}", problem.path.display(), problem.line, problem.text);
    }
    println!("tidy: {} files, {} errors", files.len(), problems.len());
    Ok(problems.is_empty())
}

/// Files that git tracks or would track, relative to the root.
fn tracked_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let files: Vec<PathBuf> = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    if !output.status.success() || files.is_empty() {
        // A source archive without git: take what lies here, less what builds leave behind.
        let built = root.join("target");
        let below = workspace::files_below(root, &|path| !path.starts_with(&built));
        return Ok(below.iter().filter_map(|path| path.strip_prefix(root).ok().map(Path::to_path_buf)).collect());
    }
    Ok(files)
}
