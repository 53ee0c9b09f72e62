//! `cargo xtask scaling --vs RUBY`: nothing grows faster than it does there.
//!
//! Each operation of `scaling/operations.rb` runs at a size n and at 4n, each time in a child of its own, on both
//! Rubies in turn. Of the least processor time of the rounds the exponent of growth is taken (1: linear, 2: quadratic),
//! of the peak of resident memory what is above that of an empty program. An operation fails when its exponent, or what
//! its memory grows by from n to 4n, is above the other Ruby's by more than a margin: what a heap takes before its
//! first collection is no growth.

use std::path::Path;

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, Staging};

const OPERATIONS: &str = include_str!("scaling/operations.rb");

/// How much larger the exponent may be: times of some milliseconds are that uncertain.
const EXPONENT_MARGIN: f64 = 0.35;
/// Below this time at 4n, in seconds, or this factor of the other Ruby's, growth is not judged.
const SECONDS_MIN: f64 = 0.02;
const TIME_FACTOR: f64 = 1.0;
/// Memory may grow by this much of the other Ruby's, and so many KiB.
const MEMORY_FACTOR: f64 = 2.0;
const MEMORY_MARGIN_KIB: f64 = 4096.0;

/// Operations that may be above a margin, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

const LIMIT_SECONDS: f64 = 120.0;

struct Operation {
    name: String,
    size: usize,
}

/// Processor time in seconds and peak of resident memory in KiB.
#[derive(Clone, Copy)]
struct Used {
    seconds: f64,
    kib: f64,
}

/// An operation on one Ruby.
#[derive(Clone, Copy)]
struct Growth {
    exponent: f64,
    /// At 4n.
    used: Used,
    /// What the peak grows by from n to 4n.
    grown_kib: f64,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby", "vs", "rounds"], &[])?;
    let other = args.value("vs").ok_or("--vs needs a Ruby to compare with")?;
    let rubies = [workspace::ruby(args.value("ruby"))?, workspace::ruby(Some(other))?];
    let rounds = args.number("rounds", 2)?;
    let staging = Staging::new("scaling")?;
    let program = staging.write(Path::new("operations.rb"), OPERATIONS.as_bytes())?;
    let mut operations = listed(&rubies[0], &program)?;
    operations.retain(|operation| {
        args.names.is_empty() || args.names.iter().any(|part| operation.name.contains(part.as_str()))
    });
    let empty = Operation { name: "nothing".to_string(), size: 1 };
    let bases = [at(&rubies[0], &program, &empty, 1, 3)?, at(&rubies[1], &program, &empty, 1, 3)?];
    println!(
        "{:48} {:>9} {:>15} {:>17} {:>19}",
        "operation", "4n", "exponent, other", "ms at 4n, other", "MiB at 4n, other"
    );
    let mut failed = 0;
    for operation in &operations {
        let on = |i: usize| growth(&rubies[i], &program, operation, rounds, bases[i]);
        let verdict = match &on(0).and_then(|ours| Ok([ours, on(1)?])) {
            Ok([ours, theirs]) => {
                let cells = |value: fn(&Growth) -> f64| (value(ours), value(theirs));
                let (exponent, ms, mib) =
                    (cells(|g| g.exponent), cells(|g| g.used.seconds * 1e3), cells(|g| g.used.kib / 1024.0));
                print!("{:48} {:>9} ", operation.name, operation.size * 4);
                print!(
                    "{:>8.2} {:>6.2} {:>9.1} {:>7.1} {:>10.1} {:>8.1} ",
                    exponent.0, exponent.1, ms.0, ms.1, mib.0, mib.1
                );
                faults(*ours, *theirs)
            }
            Err(problem) => {
                print!("{:48} ", operation.name);
                vec![problem.clone()]
            }
        };
        let excuse = EXCEPTIONS.iter().find(|(name, _)| *name == operation.name).map(|(_, reason)| *reason);
        failed += usize::from(!verdict.is_empty() && excuse.is_none());
        println!("{}{}", verdict.join(", "), excuse.map_or(String::new(), |reason| format!(" (excused: {reason})")));
    }
    println!("scaling: {} operations, {failed} above the margins", operations.len());
    Ok(failed == 0)
}

/// What is wrong with an operation.
fn faults(ours: Growth, theirs: Growth) -> Vec<String> {
    let mut faults = Vec::new();
    let judged = ours.used.seconds >= SECONDS_MIN && ours.used.seconds > theirs.used.seconds * TIME_FACTOR;
    if judged && ours.exponent > theirs.exponent.max(1.0) + EXPONENT_MARGIN {
        faults.push("TIME".to_string());
    }
    if ours.grown_kib > theirs.grown_kib * MEMORY_FACTOR + MEMORY_MARGIN_KIB {
        faults.push("MEMORY".to_string());
    }
    faults
}

fn growth(ruby: &Path, program: &Path, operation: &Operation, rounds: usize, base: Used) -> Result<Growth, String> {
    let small = at(ruby, program, operation, operation.size, rounds)?;
    let large = at(ruby, program, operation, operation.size * 4, rounds)?;
    let exponent = (large.seconds / small.seconds.max(1e-6)).log(4.0);
    let grown_kib = (large.kib - small.kib).max(0.0);
    Ok(Growth { exponent, grown_kib, used: Used { seconds: large.seconds, kib: (large.kib - base.kib).max(0.0) } })
}

/// The least of some rounds.
fn at(ruby: &Path, program: &Path, operation: &Operation, size: usize, rounds: usize) -> Result<Used, String> {
    let mut least: Option<Used> = None;
    for _ in 0..rounds.max(1) {
        let used = once(ruby, program, operation, size)?;
        least = Some(
            least.map_or(used, |best| Used { seconds: best.seconds.min(used.seconds), kib: best.kib.min(used.kib) }),
        );
    }
    least.ok_or_else(|| "no round".to_string())
}

fn once(ruby: &Path, program: &Path, operation: &Operation, size: usize) -> Result<Used, String> {
    let finished =
        Run::new(ruby).arg(program).args([size.to_string(), operation.name.clone()]).limit(LIMIT_SECONDS).finish()?;
    let output = String::from_utf8_lossy(&finished.stdout);
    let mut numbers = output.split_whitespace().map(str::parse::<f64>);
    match (finished.end, numbers.next(), numbers.next()) {
        (End::Exit(0), Some(Ok(seconds)), Some(Ok(kib))) => Ok(Used { seconds, kib }),
        (end, ..) => {
            let text = String::from_utf8_lossy(&finished.stderr);
            Err(format!("{} at {size}: {end} {}", ruby.display(), text.lines().next().unwrap_or_default()))
        }
    }
}

/// The operations of the program.
fn listed(ruby: &Path, program: &Path) -> Result<Vec<Operation>, String> {
    let finished = Run::new(ruby).arg(program).finish()?;
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let parsed = text.lines().map(|line| {
        let (size, name) = line.split_once('\t')?;
        Some(Operation { name: name.to_string(), size: size.parse().ok()? })
    });
    parsed
        .collect::<Option<Vec<_>>>()
        .filter(|list| !list.is_empty())
        .ok_or_else(|| "the list of operations cannot be read".to_string())
}
