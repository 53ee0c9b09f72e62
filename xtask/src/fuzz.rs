//! `cargo xtask fuzz`: runs a target of `fuzz/` with the programs of the tests as seeds. A long run of one target needs
//! a nightly toolchain and cargo-fuzz, for the address sanitizer; `--smoke` builds all targets with the stable
//! toolchain and runs each for some seconds, guided by coverage and with every assertion on.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::args::Args;
use crate::{Outcome, workspace};

/// Targets whose seeds are Ruby programs; the others begin with nothing but what `--seeds` names.
const OF_PROGRAMS: &[&str] = &["compiler", "programs"];
const MINUTES: usize = 10;
/// One input may take this long before it counts as a hang; programs are stopped by themselves long before.
const INPUT_SECONDS: usize = 20;
const SMOKE_SECONDS: usize = 8;
/// Named, so that the flags of coverage do not reach build scripts.
const SMOKE_TARGET: &str = "x86_64-unknown-linux-gnu";
/// What cargo-fuzz gives the compiler, but for the sanitizer.
const SMOKE_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["minutes", "seeds", "seconds", "seed"], &["smoke"])?;
    if args.has("smoke") {
        return smoke(&args);
    }
    let [target] = args.names.as_slice() else {
        return Err("fuzz takes one target; `ls fuzz/fuzz_targets` lists them".to_string());
    };
    let minutes = args.number("minutes", MINUTES)?;
    let corpus = corpus(&workspace::root().join("fuzz/corpus"), target)?;
    if let Some(seeds) = args.value("seeds") {
        plant(Path::new(seeds), &corpus)?;
    }
    let status = Command::new("cargo")
        .args(["+nightly", "fuzz", "run", target, "--"])
        .arg(format!("-max_total_time={}", minutes * 60))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .args(["-rss_limit_mb=4096", "-max_len=8192", "-print_final_stats=1"])
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0:detect_odr_violation=0")
        .current_dir(workspace::root())
        .status()
        .map_err(|error| format!("cargo fuzz: {error} (install it with `cargo install cargo-fuzz`)"))?;
    Ok(status.success())
}

/// A folder of seeds for `target` below `parent`.
fn corpus(parent: &Path, target: &str) -> Result<PathBuf, String> {
    let corpus = parent.join(target);
    std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    if OF_PROGRAMS.contains(&target) {
        plant(&workspace::root().join("tests"), &corpus)?;
    }
    Ok(corpus)
}

/// Builds every target and runs each for `--seconds`. What fails leaves its input in the build directory.
fn smoke(args: &Args) -> Outcome {
    let (seconds, seed) = (args.number("seconds", SMOKE_SECONDS)?, args.number("seed", 1)?);
    let manifest = workspace::root().join("fuzz/Cargo.toml");
    let build = workspace::target_dir().join("fuzz");
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--bins", "--target", SMOKE_TARGET, "--manifest-path"])
        .arg(&manifest)
        .env("RUSTFLAGS", SMOKE_FLAGS)
        .env("CARGO_TARGET_DIR", &build)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the fuzz targets do not build (they need a C++ compiler)".to_string());
    }
    let (mut passed, mut failed) = (0, 0);
    for target in targets()? {
        let output = Command::new(build.join(SMOKE_TARGET).join("debug").join(&target))
            .arg(corpus(&build.join("corpus"), &target)?)
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-seed={seed}"))
            .arg(format!("-timeout={INPUT_SECONDS}"))
            .arg(format!("-artifact_prefix={}/{target}-", build.display()))
            .args(["-rss_limit_mb=4096", "-max_len=8192", "-print_final_stats=1"])
            .output()
            .map_err(|error| format!("{target}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stderr);
        let units = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        // A target that has run nothing has not been tried.
        if output.status.success() && units.is_some_and(|units| units.trim() != "0") {
            passed += 1;
            println!("fuzz {target}: {} inputs", units.unwrap_or_default().trim());
        } else {
            failed += 1;
            println!("fuzz {target}: {}\n{text}", output.status);
        }
    }
    println!("fuzz: {passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// The names of all targets.
fn targets() -> Result<Vec<String>, String> {
    let dir = workspace::root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    Ok(names)
}

/// Copies every file below `dir` that is small enough into the corpus.
fn plant(dir: &Path, corpus: &Path) -> Result<(), String> {
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.metadata().is_ok_and(|data| data.len() <= 8192) {
                let name: PathBuf = corpus.join(path.to_string_lossy().replace('/', "_"));
                let _ = std::fs::copy(&path, name);
            }
        }
    }
    Ok(())
}
