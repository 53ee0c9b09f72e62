//! `cargo xtask profile`: what the compiler is told of how often each part of the runtime runs. A build that counts
//! runs programs, and `profile/VERSION-PROCESSOR.profdata` takes what it counted (profile/README.md).

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, Staging};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds that a program may take on the build that counts.
const LIMIT_SECONDS: f64 = 600.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &[], &[])?;
    let given: Vec<PathBuf> = args.names.iter().map(PathBuf::from).collect();
    if let Some(missing) = given.iter().find(|program| !program.is_file()) {
        return Err(format!("{}: no such program", missing.display()));
    }
    let merge = merger()?;
    let staging = Staging::new("profile")?;
    let counts = staging.dir.join("counts");
    let ruby = build(&counts)?;
    for program in programs()?.into_iter().chain(given) {
        println!("profile: {}", program.display());
        // The build itself names a place of its own, which an earlier one has chosen.
        let run = Run::new(&ruby).arg(&program).env("LLVM_PROFILE_FILE", counts.join("%m.profraw"));
        let finished = run.limit(LIMIT_SECONDS).finish()?;
        if finished.end != End::Exit(0) {
            let text = String::from_utf8_lossy(&finished.stderr).into_owned();
            return Err(format!("{}: {}\n{text}", program.display(), finished.end));
        }
    }
    let profile = workspace::root().join("profile").join(format!("{}.profdata", compiler()?));
    let status = Command::new(&merge)
        .args(["merge", "--sparse", "-o"])
        .args([&profile, &counts])
        .status()
        .map_err(|error| format!("{}: {error}", merge.display()))?;
    if !status.success() {
        return Err(format!("{} could not merge what was counted", merge.display()));
    }
    println!(
        "profile: {} is written; cargo does not look at it: `cargo clean --release` and `rm -r target/fuzz` before the next build",
        profile.display()
    );
    Ok(true)
}

/// The release build that counts.
fn build(counts: &Path) -> Result<PathBuf, String> {
    let target = workspace::target_dir().join("profile");
    let status = Command::new("cargo")
        .args(["build", "--release", "--package", "rubellite"])
        .env("RUBELLITE_PROFILE", counts)
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(workspace::root())
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(target.join("release/rubellite")) } else { Err("the build that counts failed".into()) }
}

/// The benchmarks, and the single operations.
fn programs() -> Result<Vec<PathBuf>, String> {
    let mut programs = Vec::new();
    for place in ["bench", "bench/micro"] {
        let dir = workspace::root().join(place);
        let entries = std::fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        programs.extend(entries.flatten().map(|entry| entry.path()));
    }
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "rb"));
    programs.sort();
    Ok(programs)
}

/// What `rustc` says of itself behind this word of its long version.
fn of_compiler(word: &str) -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.lines().find_map(|line| line.strip_prefix(word)).map(|rest| rest.trim().to_string());
    found.ok_or_else(|| format!("rustc -vV does not say {word}"))
}

/// "1.95.0-x86_64", as `profile/rustc` makes it.
pub fn compiler() -> Result<String, String> {
    let host = of_compiler("host:")?;
    Ok(format!("{}-{}", of_compiler("release:")?, host.split('-').next().unwrap_or(&host)))
}

/// `llvm-profdata` of the compiler's own version: rustup's, or the system's.
fn merger() -> Result<PathBuf, String> {
    let version = of_compiler("LLVM version:")?;
    let major = version.split('.').next().unwrap_or(&version);
    let output =
        Command::new("rustc").args(["--print", "sysroot"]).output().map_err(|error| format!("rustc: {error}"))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let own = sysroot.join("lib/rustlib").join(of_compiler("host:")?).join("bin/llvm-profdata");
    let installed = PathBuf::from(format!("/usr/lib/llvm-{major}/bin/llvm-profdata"));
    [own, installed].into_iter().find(|path| path.exists()).ok_or_else(|| {
        format!("llvm-profdata {major} is missing: `rustup component add llvm-tools`, or the package llvm-{major}")
    })
}
