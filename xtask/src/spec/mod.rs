//! `cargo xtask spec`: runs ruby/spec under mspec on our binary, one process per file, and compares the failures with
//! `spec/tags/**`. `file` runs one file and reads what the formatter (`spec/formatter.rb`) says, `table` prints the
//! figures; this file selects, compares and updates.

mod file;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::args::Args;
use crate::expected::Expected;
use crate::figures;
use crate::scope::Scope;
use crate::workspace::{self, Staging};
use crate::{Outcome, pool};
use file::SpecFile;

const DIRS_DEFAULT: &[&str] = &["language", "core"];

pub struct Setup {
    pub ruby: PathBuf,
    pub mspec: PathBuf,
    pub specs: PathBuf,
    pub formatter: PathBuf,
    pub limit: f64,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(
        words,
        &["path", "mspec", "ruby", "json", "jobs", "timeout"],
        &["update", "verbose", "figures", "scope"],
    )?;
    let staging = Staging::new("spec")?;
    let formatter = staging.copy(&workspace::root().join("spec/formatter.rb"), Path::new("formatter.rb"))?;
    let specs = absolute(args.value("path").ok_or("--path DIR must name a checkout of ruby/spec")?)?;
    let mspec = match args.value("mspec").map(str::to_string).or_else(|| std::env::var("MSPEC_PATH").ok()) {
        Some(path) => absolute(&path)?,
        None => specs.parent().unwrap_or(&specs).join("mspec"),
    };
    let scope = Scope::read("spec")?;
    if args.has("scope") {
        return scope.check(&specs, &["core", "library"]);
    }
    if !mspec.join("bin/mspec-run").exists() {
        return Err(format!("{} is no mspec: name one with --mspec or MSPEC_PATH", mspec.display()));
    }
    let limit = args.number("timeout", 30)? as f64;
    let setup = Setup { ruby: workspace::ruby(args.value("ruby"))?, mspec, specs, formatter, limit };
    let files = scope.select(select(&setup.specs, &args.names)?);
    let results = pool::map(args.number("jobs", pool::JOBS_DEFAULT)?, &files, |file| file::run(&setup, file));
    let lists = Lists::read(&results, workspace::is_foreign(args.value("ruby")));
    table::print(&results);
    if args.has("figures") {
        figures::record(&figures::SPEC, table::figures(&args.names, &results))?;
    }
    if let Some(path) = args.value("json") {
        std::fs::write(path, table::json(&results)).map_err(|error| format!("{path}: {error}"))?;
    }
    if args.has("update") {
        lists.update(&results)?;
        return Ok(true);
    }
    Ok(lists.compare(&results, args.has("verbose")))
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{path}: {error}"))
}

/// Spec files below the named directories, as paths relative to the checkout.
fn select(specs: &Path, names: &[String]) -> Result<Vec<String>, String> {
    let defaults = || DIRS_DEFAULT.iter().map(|dir| dir.to_string()).collect();
    let names: Vec<String> = if names.is_empty() { defaults() } else { names.to_vec() };
    let mut files = Vec::new();
    for name in &names {
        let wanted = |path: &Path| path.to_string_lossy().ends_with("_spec.rb");
        let found = workspace::files_below(&specs.join(name), &wanted);
        if found.is_empty() {
            return Err(format!("no spec files at {}", specs.join(name).display()));
        }
        files.extend(
            found.iter().filter_map(|path| Some(path.strip_prefix(specs).ok()?.to_string_lossy().into_owned())),
        );
    }
    Ok(files)
}

/// The list that a spec file belongs to: `core/array/first_spec.rb` to `core/array`, `language/if_spec.rb` to
/// `language`.
pub fn group(file: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    parts.truncate(2);
    parts.join("/")
}

/// The lists of expected failures of the groups that ran.
struct Lists {
    lists: BTreeMap<String, Expected>,
    /// Another Ruby is under test: nothing is expected of it.
    foreign: bool,
}

impl Lists {
    fn read(results: &[SpecFile], foreign: bool) -> Lists {
        let groups: BTreeSet<String> = results.iter().map(|result| group(&result.name)).collect();
        let read = |name: String| {
            let list = if foreign { Expected::default() } else { Expected::read(&path_of(&name)) };
            (name, list)
        };
        Lists { lists: groups.into_iter().map(read).collect(), foreign }
    }

    fn compare(&self, results: &[SpecFile], verbose: bool) -> bool {
        let (mut unexpected, mut passes) = (0, 0);
        for result in results {
            let list = &self.lists[&group(&result.name)];
            for failure in &result.failures {
                let entry = format!("{}: {}", result.name, failure.check);
                if list.contains(&entry) {
                    continue;
                }
                unexpected += 1;
                if verbose || unexpected <= 200 {
                    println!("unexpected failure: {entry}\n    {}", failure.reason.replace('\n', "\n    "));
                }
            }
            for entry in list.iter() {
                let Some((file, check)) = entry.split_once(": ") else {
                    continue;
                };
                if file == result.name && result.passes(check) {
                    passes += 1;
                    println!("unexpected pass: {entry}");
                }
            }
        }
        println!("{unexpected} unexpected failures, {passes} unexpected passes");
        unexpected + passes == 0
    }

    fn update(&self, results: &[SpecFile]) -> Result<(), String> {
        if self.foreign {
            return Err("the lists are about our own binary: --update goes without --ruby".to_string());
        }
        let ran: BTreeSet<&str> = results.iter().map(|result| result.name.as_str()).collect();
        for (name, list) in &self.lists {
            let stays = |entry: &&str| entry.split_once(": ").is_some_and(|(file, _)| !ran.contains(file));
            let mut entries: BTreeSet<String> = list.iter().filter(stays).map(str::to_string).collect();
            for result in results.iter().filter(|result| group(&result.name) == *name) {
                entries.extend(result.failures.iter().map(|failure| format!("{}: {}", result.name, failure.check)));
            }
            Expected::write(&path_of(name), &entries)?;
        }
        Ok(())
    }
}

fn path_of(group: &str) -> PathBuf {
    workspace::root().join("spec/tags").join(format!("{group}.txt"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn groups_are_at_most_two_deep() {
        assert_eq!(super::group("core/array/pack/a_spec.rb"), "core/array");
        assert_eq!(super::group("language/if_spec.rb"), "language");
    }
}
