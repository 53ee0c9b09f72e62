//! Which crate may know which. The table is the architecture; `Cargo.toml` files must stay inside it. A crate may
//! name whatever its own arrows reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Problem;

const ARROWS: &[(&str, &[&str])] = &[
    ("vmlock", &[]),
    ("value", &[]),
    ("encoding", &[]),
    ("regexp", &["encoding"]),
    ("bytecode", &["encoding"]),
    ("compiler", &["bytecode", "encoding"]),
    ("prism", &[]),
    ("gc", &["value"]),
    ("vm", &["value", "gc", "vmlock", "bytecode", "encoding"]),
    ("corelib", &["vm", "compiler", "regexp", "vmlock", "encoding"]),
    ("stdlib", &["vm", "corelib", "prism"]),
    ("cext", &["vm", "value", "corelib", "encoding"]),
    ("allocator", &[]),
    ("region", &["vm"]),
    ("rubellite", &["allocator", "vm", "corelib", "stdlib", "cext", "compiler"]),
];

/// Foreign crates that only one of ours may use.
const SOLE_USERS: &[(&str, &str)] = &[("ruby-prism", "compiler"), ("ruby-prism-sys", "prism"), ("onig", "regexp"), ("onig_sys", "regexp")];

pub fn check(root: &Path) -> Result<Vec<Problem>, String> {
    let mut problems = Vec::new();
    let entries = std::fs::read_dir(root.join("crates")).map_err(|error| format!("crates: {error}"))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let manifest = Path::new("crates").join(&name).join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(root.join(&manifest)) else {
            continue;
        };
        let Some(allowed) = reach(&name) else {
            problems.push(Problem::error(&manifest, 0, format!("crate {name} has no place in the table of arrows")));
            continue;
        };
        for dependency in dependencies(&text).map_err(|error| format!("{}: {error}", manifest.display()))? {
            if let Some(reason) = refuse(&name, &dependency, &allowed) {
                problems.push(Problem::error(&manifest, 0, reason));
            }
        }
    }
    Ok(problems)
}

fn refuse(name: &str, dependency: &str, allowed: &BTreeSet<&str>) -> Option<String> {
    if let Some((_, user)) = SOLE_USERS.iter().find(|(krate, _)| *krate == dependency) {
        return (*user != name).then(|| format!("only {user} may use {dependency}"));
    }
    let ours = dependency.strip_prefix("rubellite-").or((dependency == "rubellite").then_some("rubellite"))?;
    (!allowed.contains(ours)).then(|| format!("{name} may not know {ours}"))
}

/// Everything that the arrows of `name` lead to.
fn reach(name: &str) -> Option<BTreeSet<&'static str>> {
    let arrows: BTreeMap<&str, &[&'static str]> = ARROWS.iter().copied().collect();
    let mut reached = BTreeSet::new();
    let mut open: Vec<&'static str> = arrows.get(name)?.to_vec();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(arrows.get(next).copied().unwrap_or_default());
        }
    }
    Some(reached)
}

/// Names in the ordinary and build tables, also per target. Tests may look wherever they like.
fn dependencies(manifest: &str) -> Result<Vec<String>, toml::de::Error> {
    let manifest: toml::Table = manifest.parse()?;
    let mut names = Vec::new();
    collect(&manifest, &mut names);
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        targets.values().filter_map(toml::Value::as_table).for_each(|table| collect(table, &mut names));
    }
    Ok(names)
}

fn collect(table: &toml::Table, names: &mut Vec<String>) {
    for section in ["dependencies", "build-dependencies"] {
        let Some(section) = table.get(section).and_then(toml::Value::as_table) else {
            continue;
        };
        for (name, value) in section {
            let renamed = value.get("package").and_then(toml::Value::as_str);
            names.push(renamed.unwrap_or(name).to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vm_knows_neither_compiler_nor_libraries() {
        let reached = reach("vm").unwrap();
        assert!(!reached.contains("compiler") && !reached.contains("corelib") && !reached.contains("stdlib"));
        assert!(reach("corelib").unwrap().contains("value"));
    }

    #[test]
    fn renamed_and_target_dependencies_are_seen() {
        let found = dependencies("[dependencies]\na = { package = \"onig\", version = \"6\" }\n[target.'cfg(unix)'.dependencies]\nb = \"1\"").unwrap();
        assert_eq!(found, ["onig", "b"]);
    }
}
