//! `cargo xtask test`: runs the programs of `tests/` and compares what they say with the expectations written in
//! their comments. `program` reads and rewrites a test file, `verdict` judges one run, this file runs and reports.
//! How tests are written is told in `tests/README.md`.

mod fill;
mod program;
mod verdict;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::args::Args;
use crate::expected::Expected;
use crate::process::Run;
use crate::workspace::{self, Staging};
use crate::{Outcome, pool};
use program::Program;
use verdict::Report;

/// One file of the suite, ready to run.
struct Test {
    /// Path below `tests/`.
    name: String,
    program: Program,
}

pub struct Settings {
    pub ruby: PathBuf,
    pub filters: Vec<String>,
    pub env: Vec<(String, String)>,
    /// A file that is required in front of each program.
    pub preload: Option<PathBuf>,
    /// Files that do not run, whatever the filters say.
    pub without: &'static [&'static str],
    pub jobs: usize,
    /// Seconds; a file may ask for more.
    pub limit: f64,
    pub verbose: bool,
    /// Seconds after which no further file is begun; those left are counted and shown.
    pub budget: Option<f64>,
}

pub struct Totals {
    pub passed: usize,
    pub failed: usize,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby", "jobs", "timeout", "preload"], &["fill", "update", "verbose"])?;
    let settings = Settings {
        ruby: workspace::ruby(args.value("ruby"))?,
        filters: args.names.clone(),
        env: Vec::new(),
        preload: args
            .value("preload")
            .map(|file| std::path::absolute(file).map_err(|error| format!("{file}: {error}")))
            .transpose()?,
        without: &[],
        jobs: args.number("jobs", pool::JOBS_DEFAULT)?,
        limit: args.number("timeout", 10)? as f64,
        verbose: args.has("verbose"),
        budget: None,
    };
    let staging = stage()?;
    let (tests, reports) = run_files(&settings, &staging)?;
    if args.has("fill") {
        for (test, report) in tests.iter().zip(&reports) {
            fill::fill(&workspace::root().join("tests").join(&test.name), &test.program, report)?;
        }
        return Ok(true);
    }
    let list = workspace::root().join("tests/expected_failures.txt");
    let foreign = workspace::is_foreign(args.value("ruby"));
    let expected = if foreign { Expected::default() } else { Expected::read(&list) };
    if args.has("update") {
        return update(&list, &tests, &reports, &expected).map(|()| true);
    }
    let totals = print(&tests, &reports, &expected, settings.verbose);
    Ok(totals.failed == 0)
}

/// Runs what `settings` selects and prints the report; for the other commands that use the suite.
pub fn run_with(settings: &Settings) -> Result<Totals, String> {
    let staging = stage()?;
    let (tests, reports) = run_files(settings, &staging)?;
    let expected = Expected::read(&workspace::root().join("tests/expected_failures.txt"));
    Ok(print(&tests, &reports, &expected, settings.verbose))
}

fn stage() -> Result<Staging, String> {
    let staging = Staging::new("tests")?;
    let tests = workspace::root().join("tests");
    for file in workspace::files_below(&tests, &|_| true) {
        let name = file.strip_prefix(&tests).unwrap_or(&file);
        if is_test(name) {
            let source = read(&file)?;
            let program = Program::parse(&source).map_err(|reason| format!("{}:{reason}", file.display()))?;
            staging.write(name, program.rewritten.as_bytes())?;
        } else {
            staging.copy(&file, name)?;
        }
    }
    // The examples are shown to users with what commands say of them, and tests see to it that they do.
    let examples = workspace::root().join("examples");
    for file in workspace::files_below(&examples, &|path| {
        workspace::has_extension(path, "rb") && path.parent() == Some(&examples)
    }) {
        staging.copy(&file, &Path::new("fixtures/examples").join(file.file_name().unwrap_or_default()))?;
    }
    Ok(staging)
}

fn run_files(settings: &Settings, staging: &Staging) -> Result<(Vec<Test>, Vec<Report>), String> {
    let version = version(&settings.ruby)?;
    let tests = workspace::root().join("tests");
    let mut selected = Vec::new();
    for file in workspace::files_below(&tests, &is_test) {
        let name = file.strip_prefix(&tests).unwrap_or(&file).to_string_lossy().into_owned();
        let named = |filter: &String| name.contains(filter.strip_prefix("tests/").unwrap_or(filter));
        let wanted = settings.filters.is_empty() || settings.filters.iter().any(named);
        if wanted && !settings.without.contains(&name.as_str()) {
            let program = Program::parse(&read(&file)?).map_err(|reason| format!("{}:{reason}", file.display()))?;
            selected.push(Test { name, program });
        }
    }
    if selected.is_empty() {
        return Err(format!("no test below {} is selected by {:?}", tests.display(), settings.filters));
    }
    if settings.budget.is_some() {
        // What the time leaves out must not always be the same folder's end.
        selected.sort_by_key(|test| scatter(&test.name));
    }
    let started = Instant::now();
    let over = || settings.budget.is_some_and(|seconds| started.elapsed().as_secs_f64() > seconds);
    let reports = pool::map(settings.jobs, &selected, |test| match over() {
        true => Report::left_out(),
        false => run_one(settings, staging, test, version),
    });
    Ok((selected, reports))
}

/// A fixed order that mixes the folders (FNV-1a).
fn scatter(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Files in a `fixtures` directory and the harness itself are support, not tests.
fn is_test(path: &Path) -> bool {
    let fixture = path.components().any(|part| part.as_os_str() == "fixtures");
    workspace::has_extension(path, "rb") && !fixture && path.file_name().is_none_or(|name| name != "harness.rb")
}

/// Whether some version of a gem lies where packages and `gem install` put them.
fn is_installed(gem: &str) -> bool {
    let own = ["GEM_HOME", "GEM_PATH"]
        .iter()
        .filter_map(std::env::var_os)
        .flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
    let below = ["/usr/share/rubygems-integration", "/var/lib/gems", "/usr/lib/ruby/gems", "/usr/local/lib/ruby/gems"];
    let library = workspace::target_dir().join("lib/rubellite/gems");
    let below = below.iter().map(PathBuf::from).chain(std::iter::once(library));
    let below = below.filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten().map(|entry| entry.path());
    let dirs = own.chain(below).flat_map(|root| ["specifications", "specifications/default"].map(|dir| root.join(dir)));
    let mut specifications = dirs.filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten();
    specifications.any(|entry| {
        let name = entry.file_name();
        let version = name.to_str().and_then(|name| name.strip_prefix(gem)?.strip_prefix('-'));
        version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    })
}

fn run_one(settings: &Settings, staging: &Staging, test: &Test, version: (u32, u32)) -> Report {
    if test.program.needs.is_some_and(|needed| needed > version) {
        return Report::skipped();
    }
    if let Some(gem) = test.program.gems.iter().find(|gem| !is_installed(gem)) {
        return Report::without(gem);
    }
    let path = staging.dir.join(&test.name);
    let mut run = Run::new(&settings.ruby)
        .args(&test.program.flags)
        .arg("-r")
        .arg(staging.dir.join("harness.rb"))
        .args(settings.preload.iter().flat_map(|file| [std::ffi::OsStr::new("-r"), file.as_os_str()]))
        .arg(&path)
        .args(&test.program.argv)
        .stdin(test.program.stdin.as_bytes())
        .dir(path.parent().unwrap_or(&staging.dir))
        .limit(settings.limit.max(test.program.limit));
    for (name, value) in &settings.env {
        run = run.env(name, value);
    }
    match run.finish() {
        Ok(finished) => verdict::judge(&test.program, &finished),
        Err(reason) => Report::broken(reason),
    }
}

/// The version that a Ruby which cannot say its own is held to.
const VERSION_ASSUMED: (u32, u32) = (4, 0);

/// Major and minor number of `RUBY_VERSION`.
fn version(ruby: &Path) -> Result<(u32, u32), String> {
    let finished = Run::new(ruby).args(["-e", "puts RUBY_VERSION"]).limit(20.0).finish()?;
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let mut numbers = text.trim().split('.').map(|part| part.parse().ok());
    if let (Some(Some(major)), Some(Some(minor))) = (numbers.next(), numbers.next()) {
        return Ok((major, minor));
    }
    let (major, minor) = VERSION_ASSUMED;
    println!("{} does not tell RUBY_VERSION ({}): taken for {major}.{minor}", ruby.display(), finished.end);
    Ok(VERSION_ASSUMED)
}

/// An entry of the list names a file, or one check in it.
fn listed(expected: &Expected, name: &str, check: &str) -> bool {
    expected.contains(name) || expected.contains(&format!("{name}: {check}"))
}

fn print(tests: &[Test], reports: &[Report], expected: &Expected, verbose: bool) -> Totals {
    let mut totals = Totals { passed: 0, failed: 0 };
    let (mut known, mut skipped, mut left_out) = (0, 0, 0);
    let (mut without_gem, mut missing) = (0, BTreeSet::new());
    let mut failing_entries = BTreeSet::new();
    let mut ran = BTreeSet::new();
    for (test, report) in tests.iter().zip(reports) {
        if let Some(gem) = &report.missing {
            missing.insert(gem.clone());
            without_gem += 1;
            continue;
        }
        if report.skipped || report.left_out {
            skipped += usize::from(report.skipped);
            left_out += usize::from(report.left_out);
            continue;
        }
        ran.insert(test.name.clone());
        totals.passed += report.passed;
        let mut shown = 0;
        for failure in &report.failures {
            failing_entries.insert(test.name.clone());
            failing_entries.insert(format!("{}: {}", test.name, failure.check));
            if listed(expected, &test.name, &failure.check) {
                known += 1;
                continue;
            }
            totals.failed += 1;
            shown += 1;
            if shown <= 5 || verbose {
                println!("{}:{}: {}\n    {}", test.name, failure.line, failure.check, failure.reason);
            }
        }
        if shown > 0 && !report.stderr.is_empty() {
            println!("    stderr: {}", report.stderr);
        }
    }
    for entry in expected.iter() {
        let file = entry.split_once(": ").map_or(entry, |(file, _)| file);
        if ran.contains(file) && !failing_entries.contains(entry) {
            println!("unexpected pass: {entry}\n    take it off tests/expected_failures.txt");
            totals.failed += 1;
        }
    }
    if skipped > 0 {
        println!("{skipped} files need a newer Ruby than this one");
    }
    if without_gem > 0 {
        println!(
            "{without_gem} files need gems that are not installed: {}",
            missing.into_iter().collect::<Vec<_>>().join(" ")
        );
    }
    if left_out > 0 {
        println!("{left_out} files were not reached within the time given");
    }
    if known > 0 {
        println!("{known} expected failures");
    }
    println!("{} passed, {} failed", totals.passed, totals.failed);
    totals
}

/// Lists what fails now; entries of files that did not run stay.
fn update(list: &Path, tests: &[Test], reports: &[Report], expected: &Expected) -> Result<(), String> {
    let ran = |entry: &str| {
        let file = entry.split_once(": ").map_or(entry, |(file, _)| file);
        tests.iter().any(|test| test.name == file)
    };
    let mut entries: BTreeSet<String> = expected.iter().filter(|entry| !ran(entry)).map(str::to_string).collect();
    for (test, report) in tests.iter().zip(reports) {
        let whole = report.passed == 0 && !report.failures.is_empty();
        if whole {
            entries.insert(test.name.clone());
        } else {
            entries.extend(report.failures.iter().map(|failure| format!("{}: {}", test.name, failure.check)));
        }
    }
    println!("{} entries", entries.len());
    Expected::write(list, &entries)
}
