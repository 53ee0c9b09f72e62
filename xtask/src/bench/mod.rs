//! `cargo xtask bench`: the classic programs of `bench/`, start-up, peak memory, micro-benchmarks and optcarrot, alone
//! or beside another Ruby; or what each mechanism of the lock gains (`ablate`). Runs alternate (A B A B), so that a
//! machine that warms up or slows down does so for both. `sample` measures, `report` prints; this file chooses what to
//! run.

mod ablate;
mod report;
mod sample;
mod statistics;

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::args::Args;
use crate::workspace::{self, Staging};
use sample::{Program, Sample};

/// Programs whose peak memory is reported.
const MEMORY: &[&str] = &["binary_trees", "memory/million_objects"];
const START_ROUNDS: usize = 20;

/// A Ruby and the words that start it, so that `--vs "ruby --yjit"` works.
pub struct Ruby {
    pub name: String,
    pub program: PathBuf,
    pub flags: Vec<String>,
}

impl Ruby {
    fn parse(command: Option<&str>) -> Result<Ruby, String> {
        let mut words = command.unwrap_or_default().split_whitespace();
        let program = workspace::ruby(words.next())?;
        let flags: Vec<String> = words.map(str::to_string).collect();
        let file = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Ruby { name: format!("{file} {}", flags.join(" ")).trim_end().to_string(), program, flags })
    }
}

pub fn run(words: &[String]) -> Outcome {
    let valued = ["vs", "ruby", "rounds", "optcarrot", "json", "timeout", "figures", "pairs", "only", "ms"];
    let args = Args::parse(words, &valued, &["micro", "no-start", "no-memory", "ablate"])?;
    if args.has("ablate") {
        return ablation(&args);
    }
    let mut rubies = vec![Ruby::parse(args.value("ruby"))?];
    if let Some(other) = args.value("vs") {
        rubies.push(Ruby::parse(Some(other))?);
    }
    let staging = Staging::new("bench")?;
    let bench = staging.copy_tree(&workspace::root().join("bench"), Path::new("bench"))?;
    let rounds = args.number("rounds", 5)?;
    let limit = args.number("timeout", 120)? as f64;
    let mut good = true;
    if args.has("micro") {
        for program in programs(&bench, "micro", &args.names) {
            good &= report::micro(&rubies, &program, limit)?;
        }
        return Ok(good);
    }
    let mut results = Vec::new();
    for program in programs(&bench, "", &args.names) {
        let samples = sample::measure(&rubies, &program, rounds, limit);
        eprintln!("{}", report::progress(&program.name, &samples));
        results.push((program.name, samples));
    }
    good &= report::speed(&rubies, &results);
    let all = args.names.is_empty();
    if all && !args.has("no-start") {
        let start = Program::start();
        report::start(&rubies, &sample::measure(&rubies, &start, START_ROUNDS, limit));
    }
    if all && !args.has("no-memory") {
        report::memory(&rubies, &memory(&rubies, &bench, limit));
    }
    if let Some(path) = args.value("optcarrot") {
        let copy = staging.copy_tree(Path::new(path), Path::new("optcarrot"))?;
        good &= report::optcarrot(&rubies, &Program::optcarrot(&copy), rounds.min(3), limit);
    }
    if let Some(path) = args.value("json") {
        std::fs::write(path, report::json(&rubies, &results)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(good)
}

/// Figures with and without the mechanisms of the lock's policy; the names are theirs.
fn ablation(args: &Args) -> Outcome {
    let ruby = Ruby::parse(args.value("ruby"))?.program;
    let measured = ablate::Ablation {
        figures: ablate::figures_beside(&ruby, args.value("figures")),
        ruby,
        bench: workspace::root().join("bench"),
        pairs: args.number("pairs", 20)?.max(1),
        limit: args.number("timeout", 120)? as f64,
        run_ms: args.number("ms", 1500)?,
    };
    let mechanisms = if args.names.is_empty() { ablate::mechanisms()? } else { args.names.clone() };
    let only: Vec<String> =
        args.value("only").into_iter().flat_map(|names| names.split(',')).map(str::to_string).collect();
    let rows = measured.measure(&mechanisms, &only)?;
    print!("{}", ablate::markdown(&rows, measured.pairs));
    if let Some(path) = args.value("json") {
        std::fs::write(path, ablate::json(&rows, measured.pairs)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(true)
}

/// The programs directly in a folder of `bench/`, or those of them that are named.
fn programs(bench: &Path, folder: &str, names: &[String]) -> Vec<Program> {
    let dir = bench.join(folder);
    let wanted = |path: &Path| workspace::has_extension(path, "rb") && path.parent() == Some(dir.as_path());
    let files = workspace::files_below(&dir, &wanted);
    let programs = files.iter().map(|path| Program::file(path));
    programs.filter(|program| names.is_empty() || names.contains(&program.name)).collect()
}

fn memory(rubies: &[Ruby], bench: &Path, limit: f64) -> Vec<(String, Vec<Sample>)> {
    let measured = MEMORY.iter().map(|name| {
        let program = Program::file(&bench.join(format!("{name}.rb")));
        (program.name.clone(), sample::measure(rubies, &program, 1, limit))
    });
    let start = Program::start();
    let mut rows: Vec<_> = measured.collect();
    rows.insert(0, (start.name.clone(), sample::measure(rubies, &start, 1, limit)));
    rows
}
