//! Circles of modules: within a crate, the modules at its root are to know each other in one direction. Those that
//! stand in circles are listed in `xtask/tidy/circles.txt`, crate by crate; the list may only shrink.
//!
//! A module knows another when its code has a path to it: `crate::name`, or `super::name` as far as the root. Unit
//! tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Problem;
use super::source::Source;

const LIST: &str = "xtask/tidy/circles.txt";

/// Who knows whom at the root of a crate.
type Known = BTreeMap<String, BTreeSet<String>>;

#[derive(Default)]
pub struct Crates(BTreeMap<PathBuf, Known>);

impl Crates {
    pub fn note(&mut self, source: &Source) {
        let Some((root, module)) = place(&source.path) else { return };
        let Some(top) = module.first().cloned() else { return };
        let known = self.0.entry(root).or_default().entry(top).or_default();
        let code: Vec<&str> =
            source.lines.iter().map(|line| &*line.code).take_while(|code| code.trim() != "mod tests {").collect();
        known.extend(paths_to_root(&code.join("\n"), module.len()));
    }

    pub fn check(&self, root: &Path) -> Vec<Problem> {
        let text = std::fs::read_to_string(root.join(LIST)).unwrap_or_default();
        let mut listed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, modules)) = line.split_once(':') {
                listed.insert(name, modules.split_whitespace().collect());
            }
        }
        let mut problems = Vec::new();
        for (path, known) in &self.0 {
            let name = path.to_string_lossy();
            let circle = in_circles(known);
            let allowed = listed.remove(&*name).unwrap_or_default();
            let (new, gone): (Vec<_>, Vec<_>) =
                circle.symmetric_difference(&allowed).copied().partition(|module| circle.contains(module));
            if !new.is_empty() {
                problems.push(Problem::error(
                    path,
                    0,
                    format!("modules know each other in a circle: {}", new.join(", ")),
                ));
            }
            if !gone.is_empty() {
                problems.push(Problem::error(
                    Path::new(LIST),
                    0,
                    format!("{name}: not in a circle any more: {}", gone.join(", ")),
                ));
            }
        }
        problems.extend(listed.keys().map(|name| Problem::error(Path::new(LIST), 0, format!("there is no {name}"))));
        problems
    }
}

/// The crate's directory, and the module that a file is, for files below the `src` of a crate.
fn place(path: &Path) -> Option<(PathBuf, Vec<String>)> {
    let text = path.to_str()?;
    let (root, file) = text.split_once("/src/").filter(|_| text.starts_with("crates/"))?;
    let mut module: Vec<String> = file.strip_suffix(".rs")?.split('/').map(String::from).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    Some((PathBuf::from(root), module))
}

/// The first segments behind `crate::`, and behind as many `super::` as lead from a module of this depth to the root.
fn paths_to_root(code: &str, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(|c: char| c == '_' || c == '$' || c.is_alphanumeric()) {
            heads(&code[at + "crate::".len()..], &mut found);
        }
    }
    let climb = "super::".repeat(depth);
    for (at, _) in code.match_indices(&climb) {
        let rest = &code[at + climb.len()..];
        if !code[..at].ends_with("super::") && !rest.starts_with("super::") {
            heads(rest, &mut found);
        }
    }
    found
}

/// The identifier that a path begins with, or those of a group in braces.
fn heads(path: &str, found: &mut BTreeSet<String>) {
    let identifier = |text: &str| text.chars().take_while(|c| *c == '_' || c.is_alphanumeric()).collect::<String>();
    let Some(group) = path.strip_prefix('{') else {
        found.insert(identifier(path));
        return;
    };
    let (mut depth, mut begins) = (0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            c if begins && depth == 0 && !c.is_whitespace() => {
                found.insert(identifier(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
}

/// The modules that reach themselves.
fn in_circles(known: &Known) -> BTreeSet<&str> {
    let reaches_itself = |module: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![module]);
        while let Some(next) = open.pop() {
            for other in known
                .get(next)
                .into_iter()
                .flatten()
                .map(String::as_str)
                .filter(|other| *other != next && known.contains_key(*other))
            {
                if other == module {
                    return true;
                }
                if seen.insert(other) {
                    open.push(other);
                }
            }
        }
        false
    };
    known.keys().map(String::as_str).filter(|module| reaches_itself(module)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_to_the_root() {
        let code = "use crate::{a::{x, y}, b};\nuse super::super::c::d;\nuse super::e;\nlet f = crate::g::h(); rubellite_crate::i";
        assert_eq!(paths_to_root(code, 2).into_iter().collect::<Vec<_>>(), ["a", "b", "c", "g"]);
    }

    #[test]
    fn circles_are_found_and_lines_are_not() {
        let known = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
        let known: Known =
            known.iter().map(|(from, to)| (from.to_string(), BTreeSet::from([to.to_string()]))).collect();
        assert_eq!(in_circles(&known).into_iter().collect::<Vec<_>>(), ["b", "c"]);
    }
}
