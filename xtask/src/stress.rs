//! `cargo xtask stress`, `asan` and `tsan`: part of the tests under conditions that bring hidden bugs out. The
//! binary reads `RUBELLITE_STRESS`: `gc` collects at every allocation, `steps` makes a step of a collection there,
//! `switch` switches threads at every safepoint. `names` gives programs methods under the names that the runtime has
//! for itself, which nothing may reach. `jit`, `jit-warm` and `jit-fail` run the whole suite with compiled code: made
//! at the first call, made beside the lock from the third on, when call sites know what they lead to, and with guards
//! that fail without a reason.

use std::path::Path;
use std::process::Command;

use crate::args::Args;
use crate::suite::{self, Settings};
use crate::{Outcome, pool, workspace};

const MODES: &[&str] = &["gc", "steps", "switch", NAMES, "jit", "jit-warm", "jit-fail"];

/// Programs that count every megabyte of address space, of which the area for machine code takes some.
const COUNT_ADDRESS_SPACE: &[&str] = &["cli/little_address_space.rb"];

/// What RUBELLITE_JIT is in a mode of compiled code.
fn jit_words(mode: &str) -> Option<&'static str> {
    match mode {
        "jit" => Some("threshold=1"),
        "jit-warm" => Some("threshold=3,beside"),
        "jit-fail" => Some("threshold=3,fail=7"),
        _ => None,
    }
}

/// The mode that is none of the binary's: programs run with methods under the names of the runtime's own helpers.
const NAMES: &str = "names";
const HELPER_NAMES: &str = "tests/regress/fixtures/helper_names.rb";
/// Programs that list methods, or call such names themselves.
const LOOK_AT_NAMES: &[&str] = &["lang/ruby40/stand_ins.rb", "regress/hidden_helpers.rb"];

/// Programs that make so many objects, or walk such deep ones, that a collection at each allocation takes minutes. They
/// run with the other modes, and with this one when `--only` names them.
const SLOW_WITH_GC: &[&str] = &[
    "cext/endless.rb",
    "core/string/each_streams.rb",
    "core/symbol/collected.rb",
    "lib/json/symbolized_names_collected.rb",
    "regress/helper_names.rb",
    "regress/memory_limit_strings.rb",
    "lang/files/require_relative.rb",
    "lang/misc/native_frames_in_hooks.rb",
    "regress/code_beyond_limits.rb",
    "regress/native_recursion_data.rb",
    "regress/native_recursion_source.rb",
    "threads/io/calls_while_reading.rb",
    "threads/turns_while_strings_are_made.rb",
];

/// The part of the suite that touches most of the VM in the least time.
const PART: &[&str] = &["lang/", "threads/", "regress/", "core/array/", "core/hash/", "core/string/"];

/// What else runs in a mode: mark functions of extensions are called in the middle of the steps of a collection. With
/// `gc` these files take minutes; `--only cext/` runs them.
const ALSO: &[(&str, &str)] = &[("steps", "cext/")];

const LIMIT_SECONDS: f64 = 60.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby", "jobs", "timeout", "only", "budget"], &["verbose"])?;
    let modes: Vec<&str> =
        if args.names.is_empty() { MODES.to_vec() } else { args.names.iter().map(String::as_str).collect() };
    let mut settings = Settings {
        ruby: workspace::ruby(args.value("ruby"))?,
        filters: Vec::new(),
        env: Vec::new(),
        preload: None,
        without: &[],
        jobs: args.number("jobs", pool::JOBS_DEFAULT)?,
        limit: args.number("timeout", LIMIT_SECONDS as usize)? as f64,
        verbose: args.has("verbose"),
        budget: args.value("budget").map(|text| text.parse().map_err(|_| "--budget needs seconds")).transpose()?,
    };
    let (mut passed, mut failed) = (0, 0);
    for mode in modes {
        settings.filters = match args.value("only") {
            Some(only) => vec![only.to_string()],
            None if jit_words(mode).is_some() => Vec::new(),
            None => part(mode),
        };
        if let Some(words) = jit_words(mode) {
            println!("RUBELLITE_JIT={words}");
            settings.env = vec![("RUBELLITE_JIT".to_string(), words.to_string())];
            settings.preload = None;
            settings.without = COUNT_ADDRESS_SPACE;
        } else if mode == NAMES {
            println!("with {HELPER_NAMES}");
            settings.env.clear();
            settings.preload = Some(workspace::root().join(HELPER_NAMES));
            settings.without = LOOK_AT_NAMES;
        } else {
            println!("RUBELLITE_STRESS={mode}");
            settings.env = vec![("RUBELLITE_STRESS".to_string(), mode.to_string())];
            settings.preload = None;
            settings.without = if mode == "gc" && args.value("only").is_none() { SLOW_WITH_GC } else { &[] };
        }
        let totals = suite::run_with(&settings)?;
        passed += totals.passed;
        failed += totals.failed;
    }
    println!("stress: {passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// What runs in a mode that takes too long for the whole suite.
fn part(mode: &str) -> Vec<String> {
    let also = ALSO.iter().filter(|(other, _)| *other == mode).map(|(_, name)| name);
    PART.iter().chain(also).map(|name| name.to_string()).collect()
}

pub fn asan(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["jobs", "timeout", "target"], &["verbose"])?;
    let target = args.value("target").unwrap_or("x86_64-unknown-linux-gnu");
    let target_dir = workspace::target_dir().join("asan");
    let status = Command::new("cargo")
        .args(["+nightly", "build", "--release", "--package", "rubellite", "--target", target])
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("CARGO_TARGET_DIR", &target_dir)
        .current_dir(workspace::root())
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the sanitizer build failed (it needs a nightly toolchain)".to_string());
    }
    let settings = Settings {
        ruby: target_dir.join(Path::new(target)).join("release/rubellite"),
        filters: if args.names.is_empty() { part("asan") } else { args.names.clone() },
        // The VM keeps its heap until the process ends, and scans stacks that the sanitizer would move.
        env: vec![(
            "ASAN_OPTIONS".to_string(),
            "detect_leaks=0:detect_stack_use_after_return=0:detect_odr_violation=0".to_string(),
        )],
        preload: None,
        without: &[],
        jobs: args.number("jobs", pool::JOBS_DEFAULT)?,
        limit: args.number("timeout", LIMIT_SECONDS as usize)? as f64,
        verbose: args.has("verbose"),
        budget: None,
    };
    Ok(suite::run_with(&settings)?.failed == 0)
}

/// What of the lock's crate runs on real threads; its models run under schedules of their own.
const LOCK_TESTS: &[&str] = &["--lib", "--test", "behaviour", "--test", "seeded", "--test", "stress"];

/// The lock's tests under ThreadSanitizer. The standard library is built along, for its mutexes are part of what is
/// checked; the interpreter is not: its machine stacks are scanned while their threads are outside the lock.
pub fn tsan(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["target", "rounds"], &[])?;
    let target = args.value("target").unwrap_or("x86_64-unknown-linux-gnu");
    for round in 1..=args.number("rounds", 1)? {
        let status = Command::new("cargo")
            .args(["+nightly", "test", "--release", "-Zbuild-std", "--target", target, "--package", "rubellite-vmlock"])
            .args(LOCK_TESTS)
            .arg("--")
            .args(&args.names)
            .env("RUSTFLAGS", "-Zsanitizer=thread")
            .env("TSAN_OPTIONS", "halt_on_error=0:second_deadlock_stack=1")
            .env("CARGO_TARGET_DIR", workspace::target_dir().join("tsan"))
            .current_dir(workspace::root())
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            println!("tsan: round {round} failed (it needs `rustup toolchain install nightly --component rust-src`)");
            return Ok(false);
        }
    }
    Ok(true)
}
