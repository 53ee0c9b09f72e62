//! `cargo xtask cruby`: CRuby's unit tests (its `test/` directory) under CRuby's own harness on our binary, one process
//! per file; `spec/unit_driver.rb` says there what happens. A test that ends or hangs the process has failed, and the
//! rest of its file runs in a new process. Failures are compared with `spec/cruby/**.txt`, where each has its reason. A
//! reason that speaks of CRuby is a claim: `--verify --oracle RUBY` runs the test there. Names that begin with `gems/`
//! are
//! tests of gems (`gems.rs`).

mod gems;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::args::Args;
use crate::figures;
use crate::process::{End, Finished, Run};
use crate::scope::Scope;
use crate::workspace::{self, Staging};
use crate::{Outcome, pool};
use gems::{Gems, is_gem};

/// Where the libraries lie that the tests are about; features of the runtime come before them.
const LIBRARIES: &[&str] =
    &["lib", "ext/coverage/lib", "ext/objspace/lib", "ext/psych/lib", "ext/openssl/lib", "ext/ripper/lib"];
/// A library of which a checkout has only the half that nothing generates.
const GENERATED_LIBRARY: &str = "lib/prism";
/// The extensions in C that tests load.
const EXTENSIONS: &str = "ext/-test-";
/// The whole file may take this many times what a single test may.
const FILE_FACTOR: f64 = 15.0;
/// What names a failure outside every test.
const LOAD: &str = "(load)";
const NO_REASON: &str = "?";
const NEEDS_EXTENSION: &str = "needs one of the extensions in C that CRuby builds for its tests";
const REASON_LINES: usize = 30;
/// What compiling the extensions may take.
const EXTENSIONS_SECONDS: f64 = 600.0;
/// How a reason begins that `--verify` can check.
const ORACLE_FAILS: &str = "CRuby 3.4 fails it, too";

struct Setup {
    ruby: PathBuf,
    /// What the Ruby itself starts as a child: `ruby` may be a wrapper that cannot be started from within.
    own_name: PathBuf,
    /// Where it finds its library: that of the checkout, and its own for what a build of CRuby generates.
    library: OsString,
    checkout: PathBuf,
    staging: Staging,
    driver: PathBuf,
    gems: Option<Gems>,
    only: String,
    test_seconds: f64,
}

#[derive(Default)]
struct TestFile {
    /// Path below `test/`, without `.rb`.
    name: String,
    ran: BTreeSet<String>,
    skipped: BTreeMap<String, String>,
    failures: BTreeMap<String, String>,
    current: Option<String>,
    finished: bool,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(
        words,
        &["path", "ruby", "jobs", "timeout", "only", "oracle", "gems"],
        &["update", "verbose", "verify", "figures", "scope"],
    )?;
    if args.has("verify") == args.value("oracle").is_none() {
        return Err("--verify and --oracle RUBY go together".to_string());
    }
    let checkout = args.value("path").ok_or("--path CRUBY must name a checkout of CRuby")?;
    let checkout = std::path::absolute(checkout).map_err(|error| format!("{checkout}: {error}"))?;
    let scope = Scope::read("test")?;
    if args.has("scope") {
        return scope.check(&checkout.join("test"), &[]);
    }
    let staging = Staging::new("cruby")?;
    let driver = staging.copy(&workspace::root().join("spec/unit_driver.rb"), Path::new("unit_driver.rb"))?;
    let only = args.value("only").unwrap_or_default().to_string();
    let test_seconds = args.number("timeout", 120)? as f64;
    // The tests write beside themselves, and a Ruby that lives in a container sees the copy.
    for tree in ["test", "tool", "libexec", "sample", "ext/ripper/tools", "missing", EXTENSIONS].iter().chain(LIBRARIES)
    {
        staging.copy_tree(&checkout.join(tree), &Path::new("checkout").join(tree))?;
    }
    let cruby = checkout;
    let checkout = staging.dir.join("checkout");
    let ruby = workspace::ruby(args.value("oracle").or(args.value("ruby")))?;
    let (own_name, own_library) = ask_ruby(&ruby)?;
    use_own_library(&checkout, &own_library)?;
    let gems = match args.value("gems") {
        Some(dir) => Some(Gems::new(&ruby, &staging, &cruby, Path::new(dir), &args.names)?),
        None => None,
    };
    let files = scope.select(select(&checkout.join("test"), &args.names)?);
    let without_extensions = args.has("verify") || files.iter().all(|name| is_gem(name));
    let extensions = if without_extensions { None } else { Some(build_extensions(&ruby, &staging, &checkout)?) };
    let trees = LIBRARIES.iter().map(|tree| checkout.join(tree)).chain([own_library]).chain(extensions);
    let library = std::env::join_paths(trees).map_err(|error| error.to_string())?;
    let setup = Setup { ruby, own_name, library, checkout, staging, driver, gems, only, test_seconds };
    let jobs = args.number("jobs", 1)?;
    if args.has("verify") {
        return verify(&setup, &files, jobs);
    }
    let results = pool::map(jobs, &files, |name| run_file(&setup, name));
    if args.has("figures") {
        record_figures(&args.names, &results)?;
    }
    judge(&args, &setup, results)
}

/// Compares what has run with the lists, or writes those anew.
fn judge(args: &Args, setup: &Setup, results: Vec<Result<TestFile, String>>) -> Outcome {
    let mut fine = true;
    let (mut passed, mut unexpected, mut listed, mut skipped) = (0, 0, 0, 0);
    for result in results {
        let result = result?;
        let list = if workspace::is_foreign(args.value("ruby")) {
            List::default()
        } else {
            List::read(&path_of(&result.name))
        };
        if args.has("update") {
            if workspace::is_foreign(args.value("ruby")) {
                return Err("the lists are about our own binary: --update goes without --ruby".to_string());
            }
            list.update(&result, &setup.only)?;
            println!("{}: {} of {} fail", result.name, result.failures.len(), result.ran.len());
            continue;
        }
        let wrong = list.compare(&result, args.has("verbose"));
        let known = result.failures.keys().filter(|name| list.reasons.contains_key(*name)).count();
        let good = result.passed();
        println!(
            "{}: {good} passed, {} failed ({known} listed), {} skipped",
            result.name,
            result.failures.len(),
            result.skipped.len()
        );
        passed += good;
        listed += known;
        skipped += result.skipped.len();
        unexpected += wrong;
        fine &= wrong == 0;
    }
    if !args.has("update") {
        println!("{listed} expected failures, {skipped} skipped by the tests themselves");
        println!("{passed} passed, {unexpected} failed");
    }
    Ok(fine)
}

/// Compiles the extensions that tests load, and says which did not compile; where they are.
fn build_extensions(ruby: &Path, staging: &Staging, checkout: &Path) -> Result<PathBuf, String> {
    let script = staging.copy(&workspace::root().join("spec/test_extensions.rb"), Path::new("test_extensions.rb"))?;
    let target = staging.dir.join("extensions");
    let finished = Run::new(ruby)
        .args([&script, &checkout.join("ext"), &staging.dir.join("work"), &target])
        .limit(EXTENSIONS_SECONDS)
        .finish()?;
    print!("{}", String::from_utf8_lossy(&finished.stdout));
    Ok(target)
}

/// The library of the Ruby that runs comes before what a build of CRuby has generated.
fn use_own_library(checkout: &Path, own_library: &Path) -> Result<(), String> {
    let generated = checkout.join(GENERATED_LIBRARY);
    let _ = std::fs::remove_file(generated.with_extension("rb"));
    let _ = std::fs::remove_dir_all(generated);
    // RubyGems looks for the gems of the library beside it.
    let gems = own_library.with_file_name("gems");
    if gems.is_dir() {
        std::os::unix::fs::symlink(&gems, checkout.join("gems"))
            .map_err(|error| format!("{}: {error}", gems.display()))?;
    }
    Ok(())
}

/// Writes the rows of the directories that were named.
fn record_figures(names: &[String], results: &[Result<TestFile, String>]) -> Result<(), String> {
    let rows =
        names.iter().map(|name| name.trim_start_matches("test/").trim_end_matches('/').to_string()).map(|name| {
            let inside: Vec<&TestFile> =
                results.iter().flatten().filter(|file| file.name.starts_with(&format!("{name}/"))).collect();
            let count = |of: fn(&TestFile) -> usize| inside.iter().map(|file| of(file)).sum::<usize>();
            let cells = [
                inside.len(),
                count(|file| file.ran.len()),
                count(TestFile::passed),
                count(|file| file.failures.len()),
                count(|file| file.skipped.len()),
            ];
            (name, cells.map(|cell| cell.to_string()).to_vec())
        });
    figures::record(&figures::UNIT, rows.filter(|(_, cells)| cells[0] != "0").collect())
}

/// What a Ruby starts as a child, and where its library lies.
fn ask_ruby(ruby: &Path) -> Result<(PathBuf, PathBuf), String> {
    let question = "print RbConfig.ruby, \"\\n\", RbConfig::CONFIG[\"rubylibdir\"]";
    let finished = Run::new(ruby).args(["--disable=gems", "-rrbconfig", "-e", question]).limit(60.0).finish()?;
    let answer = String::from_utf8_lossy(&finished.stdout).into_owned();
    let known = answer.split_once('\n').filter(|(name, _)| finished.end == End::Exit(0) && !name.is_empty());
    let (name, library) = known.ok_or_else(|| format!("{}: {}", ruby.display(), finished.end))?;
    Ok((name.into(), library.into()))
}

/// Runs the files of which the lists say that CRuby fails a test on the oracle.
fn verify(setup: &Setup, files: &[String], jobs: usize) -> Outcome {
    let claims: Vec<(&String, List)> = files
        .iter()
        .map(|name| (name, List::read(&path_of(name))))
        .filter(|(_, list)| list.reasons.values().any(|reason| reason.starts_with(ORACLE_FAILS)))
        .collect();
    let results = pool::map(jobs, &claims, |(name, _)| run_file(setup, name));
    let (mut verified, mut false_claims) = (0, 0);
    for ((name, list), result) in claims.iter().zip(results) {
        let wrong = list.false_claims(&result?);
        let count = list.reasons.values().filter(|reason| reason.starts_with(ORACLE_FAILS)).count();
        verified += count - wrong.len();
        false_claims += wrong.len();
        wrong.iter().for_each(|(test, how)| println!("{name} {test}: the oracle does not fail it: {how}"));
    }
    println!("{verified} passed, {false_claims} failed");
    Ok(false_claims == 0)
}

/// Names of test files below `tests`, without `.rb`; a word may be a file or a directory, with or without `test/`.
fn select(tests: &Path, words: &[String]) -> Result<Vec<String>, String> {
    if words.is_empty() {
        return Err("name test files or directories below CRuby's test/, as ruby/test_io.rb".to_string());
    }
    let mut names = Vec::new();
    for word in words {
        let word = word.strip_prefix("test/").unwrap_or(word);
        let place = tests.join(word);
        let place = if place.exists() { place } else { tests.join(format!("{word}.rb")) };
        let ends = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("_test.rb"));
        let begins = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_"));
        // Where a gem's tests have names that end so, other files are there for them.
        let by_end = is_gem(word) && !workspace::files_below(&place, &ends).is_empty();
        let wanted = |path: &Path| {
            workspace::has_extension(path, "rb") && (ends(path) || !by_end && begins(path) || path == place)
        };
        let found = workspace::files_below(&place, &wanted);
        if found.is_empty() {
            return Err(format!("no test files at {}", place.display()));
        }
        names.extend(
            found.iter().filter_map(|path| {
                Some(path.strip_prefix(tests).ok()?.with_extension("").to_string_lossy().into_owned())
            }),
        );
    }
    Ok(names)
}

fn path_of(name: &str) -> PathBuf {
    workspace::root().join("spec/cruby").join(format!("{name}.txt"))
}

fn run_file(setup: &Setup, name: &str) -> Result<TestFile, String> {
    let mut file = TestFile { name: name.to_string(), ..TestFile::default() };
    let place = PathBuf::from(name.replace('/', "."));
    let dir = setup.staging.dir.join(&place).join("cwd");
    for inside in ["tmp", "home"] {
        std::fs::create_dir_all(dir.join(inside)).map_err(|error| format!("{}: {error}", dir.display()))?;
    }
    // Each process runs at least one test more, or is the last.
    loop {
        let before = file.ran.len();
        let events = setup.staging.write(&place.join("events"), b"")?;
        let names: Vec<String> = file.ran.iter().map(|name| format!("{name}\n")).collect();
        let leave_out = setup.staging.write(&place.join("leave_out"), names.concat().as_bytes())?;
        let finished = start(setup, name, &dir)
            .args([&setup.checkout.join("test").join(format!("{name}.rb")), &events, &leave_out])
            .arg(&setup.only)
            .env("RUBY", &setup.own_name)
            .env("LANG", "C.UTF-8")
            .env("TMPDIR", dir.join("tmp"))
            .env("RUBY_TEST_TIMEOUT_SCALE", "3")
            .dir(&dir)
            .limit(setup.test_seconds * FILE_FACTOR)
            .stall(&events, setup.test_seconds)
            .finish()?;
        file.read(&std::fs::read(&events).unwrap_or_default());
        if file.finished {
            break;
        }
        let interrupted = file.current.take();
        let reason = format!("the process ended here: {}\n{}", finished.end, last_lines(&finished));
        let known = interrupted.is_some();
        file.failures.insert(interrupted.unwrap_or_else(|| LOAD.to_string()), reason);
        if !known || file.ran.len() == before {
            break;
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    Ok(file)
}

/// A Ruby with the driver, which is told the checkout.
fn start<'a>(setup: &Setup, name: &str, dir: &Path) -> Run<'a> {
    if let Some(gems) = setup.gems.as_ref().filter(|_| is_gem(name)) {
        return gems.start(&setup.ruby, &setup.checkout.join("test"), name).env("HOME", dir.join("home"));
    }
    Run::new(&setup.ruby)
        .arg("-W1")
        .arg("--disable=gems")
        .arg(&setup.driver)
        .arg(&setup.checkout)
        .env("RUBELLITE_STDLIB", &setup.library)
}

fn last_lines(finished: &Finished) -> String {
    if finished.end == End::Timeout {
        return String::new();
    }
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(6)..].join("\n")
}

impl TestFile {
    fn passed(&self) -> usize {
        self.ran.iter().filter(|name| !self.failures.contains_key(*name) && !self.skipped.contains_key(*name)).count()
    }

    fn read(&mut self, events: &[u8]) {
        let parts: Vec<&[u8]> = events.split(|byte| *byte == 2).collect();
        // What follows the last end mark was cut.
        for event in &parts[..parts.len() - 1] {
            let text = String::from_utf8_lossy(event).into_owned();
            let (kind, rest) = text.split_at_checked(1).unwrap_or(("", ""));
            match kind {
                "B" => {
                    self.ran.insert(rest.to_string());
                    self.current = Some(rest.to_string());
                }
                "F" => self.fail(rest),
                "S" => {
                    if let Some(name) = self.current.clone() {
                        self.skipped.insert(name, rest.to_string());
                    }
                }
                "A" => self.current = None,
                "L" => {
                    self.failures.insert(LOAD.to_string(), rest.to_string());
                }
                "Z" => self.finished = true,
                _ => {}
            }
        }
    }

    /// A test fails once, however many exceptions it and its teardown raise.
    fn fail(&mut self, reason: &str) {
        let name = self.current.clone().unwrap_or_else(|| LOAD.to_string());
        self.skipped.remove(&name);
        self.failures.entry(name).or_insert_with(|| reason.to_string());
    }
}

fn needs_extension(reason: &str) -> bool {
    let first = reason.lines().next().unwrap_or_default();
    first.contains("cannot load such file -- -test-/")
        || (first.starts_with("NameError: uninitialized constant") && first.ends_with("Bug"))
}

/// Expected failures of one file: lines `CLASS#METHOD: reason`; `#` begins a comment.
#[derive(Default)]
struct List {
    head: String,
    reasons: BTreeMap<String, String>,
}

impl List {
    fn read(path: &Path) -> List {
        List::parse(&std::fs::read_to_string(path).unwrap_or_default())
    }

    fn parse(text: &str) -> List {
        let head = text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let entries = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let reasons = entries.map(|line| {
            let (name, reason) = line.split_once(": ").unwrap_or((line, NO_REASON));
            (name.to_string(), reason.trim().to_string())
        });
        List { head, reasons: reasons.collect() }
    }

    /// Prints what differs from the list and returns how much that is.
    fn compare(&self, result: &TestFile, verbose: bool) -> usize {
        let mut unexpected = 0;
        for (name, reason) in &result.failures {
            let listed = self.reasons.contains_key(name);
            unexpected += usize::from(!listed);
            if !listed || verbose {
                let lines: Vec<&str> = reason.lines().take(REASON_LINES).collect();
                println!("{}{} {name}: {}", if listed { "listed: " } else { "" }, result.name, lines.join("\n    "));
            }
        }
        if result.ran.is_empty() && result.failures.is_empty() {
            unexpected += 1;
            println!("no test ran: {}", result.name);
        }
        for name in self.reasons.keys() {
            let passes = result.ran.contains(name) || (name == LOAD && result.finished);
            if passes && !result.failures.contains_key(name) {
                unexpected += 1;
                let how = if result.skipped.contains_key(name) { "skip" } else { "pass" };
                println!("unexpected {how}: {} {name}", result.name);
            }
        }
        unexpected
    }

    /// The tests of which the list says that CRuby fails them and which do not fail in this run of CRuby, and what they
    /// do.
    fn false_claims(&self, result: &TestFile) -> Vec<(&str, &'static str)> {
        let claims =
            self.reasons.iter().filter(|(_, reason)| reason.starts_with(ORACLE_FAILS)).map(|(name, _)| name.as_str());
        let told = |name: &str| match name {
            _ if result.failures.contains_key(name) => None,
            _ if result.skipped.contains_key(name) => Some("skipped"),
            _ if result.ran.contains(name) => Some("passed"),
            _ => Some("did not run"),
        };
        claims.filter_map(|name| Some((name, told(name)?))).collect()
    }

    /// Writes the list anew for what ran; known reasons stay, new entries have to be given theirs by hand.
    fn update(mut self, result: &TestFile, only: &str) -> Result<(), String> {
        self.reasons
            .retain(|name, _| result.failures.contains_key(name) || (!only.is_empty() && !result.ran.contains(name)));
        for (name, told) in &result.failures {
            let reason = if needs_extension(told) { NEEDS_EXTENSION } else { NO_REASON };
            self.reasons.entry(name.clone()).or_insert_with(|| reason.to_string());
        }
        let path = path_of(&result.name);
        if self.reasons.is_empty() && self.head.is_empty() {
            let _ = std::fs::remove_file(path);
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        let lines: Vec<String> = self.reasons.iter().map(|(name, reason)| format!("{name}: {reason}\n")).collect();
        std::fs::write(&path, self.head + &lines.concat()).map_err(|error| format!("{}: {error}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(events: &str) -> TestFile {
        let mut file = TestFile { name: "ruby/test_io".to_string(), ..TestFile::default() };
        file.read(events.as_bytes());
        file
    }

    #[test]
    fn events_become_results() {
        let file = ran("BA#good\x02A\x02BA#bad\x02FFirst\x02FSecond\x02A\x02BA#not\x02Shere\x02A\x02BA#hangs\x02cut");
        assert_eq!((file.ran.len(), file.failures.len(), file.skipped.len()), (4, 1, 1));
        assert_eq!(file.failures["A#bad"], "First");
        assert_eq!(file.current.as_deref(), Some("A#hangs"));
        assert!(!file.finished);
    }

    #[test]
    fn claims_about_the_oracle_are_checked() {
        let list = List::parse(
            "A#bad: CRuby 3.4 fails it, too\nA#good: CRuby 3.4 fails it, too\nA#not: CRuby 3.4 fails it, too\nA#other: slow\n",
        );
        let file = ran("BA#bad\x02FFirst\x02A\x02BA#good\x02A\x02BA#not\x02Shere\x02A\x02BA#other\x02A\x02Z\x02");
        assert_eq!(list.false_claims(&file), [("A#good", "passed"), ("A#not", "skipped")]);
    }

    #[test]
    fn a_file_without_tests_is_not_fine() {
        assert_eq!(List::default().compare(&ran("Z\x02"), false), 1);
        assert_eq!(List::parse("(load): a reason\n").compare(&ran("Lx\x02Z\x02"), false), 0);
    }

    #[test]
    fn what_differs_from_the_list_counts() {
        let list = List::parse("# head\nA#bad: a reason: with a colon\nA#good: no longer\nA#absent: not run\n");
        assert_eq!(list.reasons["A#bad"], "a reason: with a colon");
        let file = ran("BA#good\x02A\x02BA#bad\x02Fx\x02A\x02BA#new\x02Fx\x02A\x02Z\x02");
        assert_eq!(list.compare(&file, false), 2);
    }
}
