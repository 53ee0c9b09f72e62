//! Which crate may know which. The table is the architecture: each crate names those that its `Cargo.toml` names, no
//! more and no fewer, and only crates that stand before it, so that no arrow runs back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Problem;

/// Crates of the core library are in `crates/corelib/NAME`.
const ARROWS: &[(&str, &[&str])] = &[
    ("vmlock", &[]),
    ("allocator", &["vmlock"]),
    ("value", &[]),
    ("encoding", &[]),
    ("prism", &[]),
    ("regexp", &["encoding"]),
    ("bytecode", &["encoding"]),
    ("compiler", &["bytecode", "encoding"]),
    ("gc", &["value"]),
    ("vm", &["bytecode", "encoding", "gc", "value", "vmlock"]),
    ("core-object", &["bytecode", "compiler", "vm"]),
    ("core-thread", &["core-object", "vm"]),
    ("core-encoding", &["core-object", "encoding", "vm"]),
    ("core-numeric", &["core-encoding", "core-object", "core-thread", "encoding", "vm"]),
    (
        "core-text",
        &["bytecode", "core-encoding", "core-numeric", "core-object", "core-thread", "encoding", "regexp", "vm"],
    ),
    (
        "core-collection",
        &["core-encoding", "core-numeric", "core-object", "core-text", "core-thread", "encoding", "vm"],
    ),
    ("core-time", &["core-object", "core-thread", "vm"]),
    ("core-io", &["core-encoding", "core-object", "core-text", "core-thread", "core-time", "encoding", "vm"]),
    ("core-load", &["bytecode", "core-io", "core-object", "core-thread", "vm"]),
    ("core-lock", &["core-io", "core-object", "core-thread", "vm"]),
    ("core-ractor", &["core-io", "core-object", "core-thread", "vm"]),
    (
        "core-process",
        &[
            "core-io",
            "core-load",
            "core-lock",
            "core-numeric",
            "core-object",
            "core-ractor",
            "core-text",
            "core-thread",
            "vm",
        ],
    ),
    ("core-marshal", &["core-collection", "core-object", "core-process", "core-text", "vm"]),
    ("corelib", CORELIB),
    ("stdlib", STDLIB),
    ("openssl", &["core-io", "core-load", "core-object", "core-thread", "vm"]),
    (
        "cext",
        &[
            "bytecode",
            "core-encoding",
            "core-io",
            "core-load",
            "core-object",
            "core-process",
            "core-text",
            "core-thread",
            "encoding",
            "vm",
        ],
    ),
    ("jit", &["bytecode", "value", "vm"]),
    ("rubellite", RUBELLITE),
    ("region", &["vm"]),
];

const CORELIB: &[&str] = &[
    "bytecode",
    "compiler",
    "core-collection",
    "core-encoding",
    "core-io",
    "core-load",
    "core-lock",
    "core-marshal",
    "core-numeric",
    "core-object",
    "core-process",
    "core-ractor",
    "core-text",
    "core-thread",
    "core-time",
    "vm",
];

const STDLIB: &[&str] = &[
    "core-io",
    "core-load",
    "core-numeric",
    "core-object",
    "core-process",
    "core-text",
    "core-thread",
    "core-time",
    "encoding",
    "prism",
    "regexp",
    "vm",
];

const RUBELLITE: &[&str] = &[
    "allocator",
    "bytecode",
    "cext",
    "compiler",
    "core-io",
    "core-load",
    "core-lock",
    "core-object",
    "core-process",
    "core-thread",
    "corelib",
    "jit",
    "openssl",
    "stdlib",
    "vm",
];

/// Foreign crates that only one of ours may use.
const SOLE_USERS: &[(&str, &str)] = &[
    ("ruby-prism", "compiler"),
    ("ruby-prism-sys", "prism"),
    ("onig", "regexp"),
    ("onig_sys", "regexp"),
    ("openssl-sys", "openssl"),
];

pub fn check(root: &Path) -> Result<Vec<Problem>, String> {
    let mut problems = Vec::new();
    for (name, manifest) in manifests(root)? {
        let text = std::fs::read_to_string(root.join(&manifest))
            .map_err(|error| format!("{}: {error}", manifest.display()))?;
        let Some((place, (_, allowed))) = ARROWS.iter().enumerate().find(|(_, (krate, _))| *krate == name) else {
            problems.push(Problem::error(&manifest, 0, format!("crate {name} has no place in the table of arrows")));
            continue;
        };
        let before = |krate: &str| ARROWS[..place].iter().any(|(earlier, _)| *earlier == krate);
        problems.extend(
            allowed
                .iter()
                .filter(|krate| !before(krate))
                .map(|krate| Problem::error(&manifest, 0, format!("{krate} does not stand before {name}"))),
        );
        let found = dependencies(&text).map_err(|error| format!("{}: {error}", manifest.display()))?;
        problems.extend(
            found
                .iter()
                .filter_map(|dependency| sole_user(&name, dependency))
                .map(|reason| Problem::error(&manifest, 0, reason)),
        );
        let found: BTreeSet<&str> =
            found.iter().filter_map(|dependency| dependency.strip_prefix("rubellite-")).collect();
        for wrong in found.symmetric_difference(&allowed.iter().copied().collect()) {
            let reason = if found.contains(wrong) {
                format!("{name} may not know {wrong}")
            } else {
                format!("{name} does not know {wrong} any more")
            };
            problems.push(Problem::error(&manifest, 0, reason));
        }
    }
    Ok(problems)
}

/// Names of our crates, as the table has them, with their manifests.
fn manifests(root: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    for (folder, prefix) in [("crates", ""), ("crates/corelib", "core-")] {
        let entries = std::fs::read_dir(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let manifest = Path::new(folder).join(&name).join("Cargo.toml");
            if root.join(&manifest).exists() {
                found.push((format!("{prefix}{name}"), manifest));
            }
        }
    }
    Ok(found)
}

fn sole_user(name: &str, dependency: &str) -> Option<String> {
    let (_, user) = SOLE_USERS.iter().find(|(krate, _)| *krate == dependency)?;
    (*user != name).then(|| format!("only {user} may use {dependency}"))
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
    fn arrows_run_forwards() {
        for (place, (name, known)) in ARROWS.iter().enumerate() {
            for krate in *known {
                assert!(ARROWS[..place].iter().any(|(earlier, _)| earlier == krate), "{name} -> {krate}");
            }
        }
    }

    #[test]
    fn renamed_and_target_dependencies_are_seen() {
        let found = dependencies(
            "[dependencies]\na = { package = \"onig\", version = \"6\" }\n[target.'cfg(unix)'.dependencies]\nb = \"1\"",
        )
        .unwrap();
        assert_eq!(found, ["onig", "b"]);
    }
}
