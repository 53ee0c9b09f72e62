//! `cargo xtask fuzz`: runs a target of `fuzz/` with the programs of the tests as seeds. Needs a nightly toolchain and
//! cargo-fuzz.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::args::Args;
use crate::{Outcome, workspace};

/// Targets whose seeds are Ruby programs; the others begin with nothing but what `--seeds` names.
const OF_PROGRAMS: &[&str] = &["compiler", "programs"];
const MINUTES: usize = 10;
/// One input may take this long before it counts as a hang; programs are stopped by themselves long before.
const INPUT_SECONDS: usize = 20;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["minutes", "seeds"], &[])?;
    let [target] = args.names.as_slice() else { return Err("fuzz takes one target; `ls fuzz/fuzz_targets` lists them".to_string()) };
    let minutes = args.number("minutes", MINUTES)?;
    let corpus = workspace::root().join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    if OF_PROGRAMS.contains(&target.as_str()) {
        plant(&workspace::root().join("tests"), &corpus)?;
    }
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
