//! `cargo xtask layout`: which functions of the runtime programs need. valgrind notes the functions that a start and
//! a few programs enter, and `profile/VERSION-PROCESSOR.order` takes their names; the linker puts them beside each
//! other (crates/rubellite/build.rs, profile/README.md).

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, Staging};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Seconds that a program may take under valgrind.
const LIMIT_SECONDS: f64 = 3_600.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby"], &[])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let common = workspace::root().join("profile/layout.rb");
    let programs: Vec<PathBuf> = std::iter::once(common).chain(args.names.iter().map(PathBuf::from)).collect();
    let start = entered(&ruby, &["-e".into(), "0".into()])?;
    let mut later = BTreeSet::new();
    for program in &programs {
        println!("layout: {}", program.display());
        later.extend(entered(&ruby, &[program.into()])?);
    }
    let names: Vec<&str> = start.iter().chain(later.difference(&start)).map(String::as_str).collect();
    let order = workspace::root().join("profile").join(format!("{}.order", crate::profile::compiler()?));
    std::fs::write(&order, names.join("\n") + "\n").map_err(|error| format!("{}: {error}", order.display()))?;
    println!("layout: {}: {} functions, {} of them for the start", order.display(), names.len(), start.len());
    Ok(true)
}

/// The names of the runtime's own functions that a program enters, as the linker knows them.
fn entered(ruby: &Path, words: &[OsString]) -> Result<BTreeSet<String>, String> {
    let staging = Staging::new("layout")?;
    let run = Run::new("valgrind").args(["--tool=callgrind", "--demangle=no", "--quiet"]);
    let out = staging.dir.join("calls.%p");
    let run = run.arg(format!("--callgrind-out-file={}", out.display())).arg(ruby).args(words);
    let finished = run.limit(LIMIT_SECONDS).finish()?;
    if finished.end != End::Exit(0) {
        let text = String::from_utf8_lossy(&finished.stderr).into_owned();
        return Err(format!("{} {words:?} under valgrind: {}\n{text}", ruby.display(), finished.end));
    }
    let mut names = BTreeSet::new();
    let entries = std::fs::read_dir(&staging.dir).map_err(|error| format!("{}: {error}", staging.dir.display()))?;
    for entry in entries.flatten() {
        let calls = std::fs::read_to_string(entry.path()).map_err(|error| format!("what valgrind wrote: {error}"))?;
        names.extend(functions(&calls, &ruby.to_string_lossy()));
    }
    if names.is_empty() { Err(format!("valgrind saw no function of {}", ruby.display())) } else { Ok(names) }
}

/// The functions of one object file in what callgrind wrote. Its format names each file and function once, with a
/// number that stands for it from there on (valgrind's manual, "Callgrind Format Specification").
fn functions(calls: &str, object: &str) -> BTreeSet<String> {
    let mut objects = HashMap::new();
    let mut known = HashMap::new();
    let mut own = false;
    let mut found = BTreeSet::new();
    for line in calls.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        match key {
            "ob" | "cob" => {
                let named = full(value, &mut objects);
                own = if key == "ob" { named == Some(object) } else { own };
            }
            "fn" | "cfn" => {
                // A function that calls itself has the number of its round behind its name.
                let name = full(value, &mut known).and_then(|name| name.split('\'').next());
                let name = name.filter(|name| !name.starts_with("0x") && !name.starts_with('('));
                found.extend(name.filter(|_| own && key == "fn").map(str::to_string));
            }
            _ => {}
        }
    }
    found
}

/// "(7) name" the first time, "(7)" from then on.
fn full<'a>(value: &'a str, known: &mut HashMap<&'a str, &'a str>) -> Option<&'a str> {
    let (number, name) = value.split_once(')')?;
    let name = name.trim_start();
    if name.is_empty() { known.get(number).copied() } else { Some(*known.entry(number).insert_entry(name).get()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_object_are_found_by_name_and_by_number() {
        let calls = "ob=(1) /lib/ld.so\nfn=(1) start\n0 1\ncob=(2) /bin/ruby\ncfn=(2) main\ncalls=1 0\n0 5\n\n\
                     ob=(2)\nfn=(2)\n0 1\nfn=(3) fib'2\n0 1\nfn=(4) 0x0000\n0 1\nob=(1)\nfn=(5) exit\n0 1\n";
        let found = functions(calls, "/bin/ruby");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["fib", "main"]);
    }
}
