//! Which parts of other people's suites are run: `spec/scope.txt` has a line for every directory of CRuby's `test/`
//! (`test/NAME`) and of ruby/spec (`spec/NAME`, for `core` and `library` one level deeper), `run` or the reason why
//! not. Single files that are not run have lines of their own. A directory without a line, and a line without a
//! directory or file, are errors of a `--scope` run.

use crate::Outcome;
use crate::workspace;
use std::collections::BTreeMap;
use std::path::Path;

const LIST: &str = "spec/scope.txt";
const RUN: &str = "run";
const REFUSAL: &str = "not supported, because ";

/// The lines of one suite, without its name in front.
pub struct Scope(BTreeMap<String, String>);

impl Scope {
    /// `suite`: "test" or "spec".
    pub fn read(suite: &str) -> Result<Scope, String> {
        let path = workspace::root().join(LIST);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Scope::parse(&text, suite)
    }

    fn parse(text: &str, suite: &str) -> Result<Scope, String> {
        let mut lines = BTreeMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (path, told) = line.split_once(": ").ok_or_else(|| format!("{LIST}: no reason in: {line}"))?;
            if told != RUN && !told.starts_with(REFUSAL) {
                return Err(format!("{LIST}: neither \"{RUN}\" nor \"{REFUSAL}...\": {line}"));
            }
            if let Some(path) = path.strip_prefix(suite).and_then(|path| path.strip_prefix('/')) {
                lines.insert(path.to_string(), told.to_string());
            }
        }
        Ok(Scope(lines))
    }

    /// Why a file is not run, if so: what its own line says, or that of its directory.
    pub fn refusal(&self, file: &str) -> Option<&str> {
        let own = self.0.get(file).or_else(|| self.0.get(&format!("{file}.rb")));
        let told = own.or_else(|| file.match_indices('/').rev().find_map(|(end, _)| self.0.get(&file[..end])))?;
        Some(told.as_str()).filter(|told| *told != RUN)
    }

    /// Leaves out what is not run, and says so.
    pub fn select(&self, files: Vec<String>) -> Vec<String> {
        let (run, left_out): (Vec<String>, Vec<String>) =
            files.into_iter().partition(|file| self.refusal(file).is_none());
        for file in &left_out {
            println!("{file}: {}", self.refusal(file).unwrap_or_default());
        }
        run
    }

    /// Compares the lines with the directories that are there. `deeper`: directories of which each subdirectory has a
    /// line.
    pub fn check(&self, suite: &Path, deeper: &[&str]) -> Outcome {
        let mut there = Vec::new();
        for name in directories(suite)? {
            match deeper.contains(&name.as_str()) {
                true => {
                    there.extend(directories(&suite.join(&name))?.into_iter().map(|inner| format!("{name}/{inner}")))
                }
                false => there.push(name),
            }
        }
        let missing: Vec<&String> = there.iter().filter(|name| !self.0.contains_key(*name)).collect();
        missing.iter().for_each(|name| println!("{LIST} has no line for {name}"));
        let checked = self.0.keys().filter(|name| !name.starts_with("gems/"));
        let stale: Vec<&String> = checked.filter(|name| !suite.join(name).exists()).collect();
        stale.iter().for_each(|name| println!("{LIST}: {name} is not there"));
        println!("{} passed, {} failed", self.0.len() - stale.len(), missing.len() + stale.len());
        Ok(missing.is_empty() && stale.is_empty())
    }
}

/// Names of subdirectories that hold tests.
fn directories(dir: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let is_test = |file: &Path| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".rb") && name.starts_with("test_") || name.ends_with("_test.rb") || name.ends_with("_spec.rb")
    };
    let names = entries
        .flatten()
        .filter(|entry| entry.path().is_dir() && !workspace::files_below(&entry.path(), &is_test).is_empty());
    let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::Scope;

    #[test]
    fn the_nearest_line_counts() {
        let scope = Scope::parse(
            "test/ruby: run\ntest/ruby/test_ast.rb: not supported, because x\ntest/dtrace: not supported, because y\n",
            "test",
        );
        let scope = scope.unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!(scope.refusal("ruby/test_io"), None);
        assert_eq!(scope.refusal("ruby/test_ast"), Some("not supported, because x"));
        assert_eq!(scope.refusal("dtrace/test_require"), Some("not supported, because y"));
        assert!(Scope::parse("test/ruby: perhaps\n", "test").is_err());
    }
}
