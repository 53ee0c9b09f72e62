//! `cargo xtask hostile` looks for crashes: it calls methods of all classes, found by reflection, with receivers,
//! arguments and blocks that misbehave. `hostile/hostile.rb` makes the cases from a seed and an index and runs them in
//! a child process; this module starts the children, judges how they ended and shrinks what failed. Exceptions are
//! in order, and so is an end of the process that a program may ask for; signals, panics, threads that cannot be killed
//! and values of the VM's own that come out are not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::args::Args;
use crate::process::{End, Finished, Run};
use crate::{Outcome, workspace};

const PROGRAM: &str = "xtask/src/hostile/hostile.rb";
const SECONDS: usize = 60;
/// Cases of one child. They share its state, so a failure may need those before it.
const BATCH: usize = 400;
const BATCH_SECONDS: f64 = 240.0;
const GRACE_SECONDS: f64 = 60.0;
const CASE_SECONDS: f64 = 60.0;
/// What a child may map.
const MEMORY_BYTES: u64 = 4 << 30;
/// What a panic, an assertion of C or a failed allocation leaves on standard error.
const MARKS: &[&str] =
    &["panicked at", "[BUG]", "Assertion", "unsafe precondition", "stack overflow", "memory allocation of"];

struct Setup {
    ruby: PathBuf,
    seed: usize,
    only: String,
    stress: String,
    deadline: Instant,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["seconds", "seed", "case", "only", "ruby", "stress"], &[])?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis() as usize);
    let setup = Setup {
        ruby: workspace::ruby(args.value("ruby"))?,
        seed: args.number("seed", clock)?,
        only: args.value("only").unwrap_or_default().to_string(),
        stress: args.value("stress").unwrap_or_default().to_string(),
        deadline: Instant::now() + Duration::from_secs(args.number("seconds", SECONDS)? as u64),
    };
    println!("hostile: seed {}", setup.seed);
    if args.has("case") {
        let index = args.number("case", 0)?;
        let fault = setup.fault(index, 1, &BTreeSet::new(), CASE_SECONDS)?.1;
        setup.report(index, 1, fault.as_deref())?;
        return Ok(fault.is_none());
    }
    let (mut index, mut failed) = (0, 0);
    while Instant::now() < setup.deadline {
        let (reached, fault) = setup.fault(index, BATCH, &BTreeSet::new(), BATCH_SECONDS)?;
        if let Some(fault) = fault {
            failed += 1;
            setup.report(reached, reached - index + 1, Some(&fault))?;
        }
        index = reached + 1;
    }
    println!("hostile: {index} cases, {failed} failed (seed {})", setup.seed);
    Ok(failed == 0)
}

impl Setup {
    fn child(&self, dir: &Path, words: &[&str], seconds: f64) -> Result<Finished, String> {
        let (seed, program) = (self.seed.to_string(), workspace::root().join(PROGRAM));
        let mut run = Run::new(&self.ruby)
            .arg(program)
            .arg(words[0])
            .arg(seed)
            .args(&words[1..])
            .dir(dir)
            .limit(seconds)
            .memory(MEMORY_BYTES);
        if words[0] == "run" {
            let others: Vec<&str> = self.stress.split(',').filter(|mode| *mode != "gc").collect();
            run = run.env("HOSTILE_STRESS", &self.stress).env("RUBELLITE_STRESS", others.join(","));
        }
        run.finish()
    }

    /// Runs cases from `from` on; answers the last one that began and what was wrong with it.
    fn fault(
        &self,
        from: usize,
        count: usize,
        without: &BTreeSet<usize>,
        seconds: f64,
    ) -> Result<(usize, Option<String>), String> {
        let staging = workspace::Staging::new("hostile")?;
        let scratch = staging.dir.join("scratch");
        std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let progress = staging.dir.join("progress");
        let (first, count, pieces) = (from.to_string(), count.to_string(), list(without));
        // A child outlives the time by what a thread may take to die, and its start.
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        let limit = seconds.min(left + GRACE_SECONDS);
        let end =
            self.child(&scratch, &["run", &first, &self.only, &count, &progress.to_string_lossy(), &pieces], limit)?;
        let reached = std::fs::read_to_string(&progress).ok().and_then(|text| text.parse().ok());
        let verdict = std::fs::read_to_string(progress.with_extension("verdict")).unwrap_or_default();
        let log = std::fs::read(progress.with_extension("log")).unwrap_or_default();
        let stderr = String::from_utf8_lossy(&end.stderr) + String::from_utf8_lossy(&log);
        let Some(reached) = reached else {
            return Err(format!("{PROGRAM} did not begin ({}):\n{stderr}", end.end));
        };
        let panic = stderr.lines().find(|line| MARKS.iter().any(|mark| line.contains(mark)));
        let at =
            stderr.lines().skip_while(|line| !MARKS.iter().any(|mark| line.contains(mark))).nth(1).unwrap_or_default();
        Ok((
            reached,
            match (end.end, panic) {
                (_, Some(line)) => Some(format!("{} {}", without_thread(line), at.trim())),
                (End::Signal(number), None) => Some(format!("killed by signal {number}")),
                (End::Exit(96..=98), None) => Some(verdict),
                // The time is up, or the machine is slow: a case that hangs ends the child by itself.
                (End::Timeout, None) => None,
                (End::Exit(_), None) => None,
            },
        ))
    }

    /// Leaves out pieces of the case as long as it fails, and prints what is left as a program.
    fn report(&self, index: usize, before: usize, fault: Option<&str>) -> Result<(), String> {
        let mut without = BTreeSet::new();
        let Some(fault) = fault else {
            println!("case {index} is in order:\n{}", self.shown(index, &without)?.2);
            return Ok(());
        };
        let (label, pieces, _) = self.shown(index, &without)?;
        println!("case {index} ({label}): {fault}");
        if self.fault(index, 1, &without, CASE_SECONDS)?.1.is_none() {
            println!(
                "  alone it is in order; it failed behind the {} cases before it\n{}",
                before - 1,
                self.shown(index, &without)?.2
            );
            return Ok(());
        }
        for piece in (1..=pieces).rev() {
            without.insert(piece);
            if self.fault(index, 1, &without, CASE_SECONDS)?.1.is_none() {
                without.remove(&piece);
            }
        }
        println!("  --seed {} --case {index}, shrunk:\n{}", self.seed, self.shown(index, &without)?.2);
        Ok(())
    }

    /// What a case calls, of how many pieces it is, and its text.
    fn shown(&self, index: usize, without: &BTreeSet<usize>) -> Result<(String, usize, String), String> {
        let staging = workspace::Staging::new("hostile")?;
        let end = self.child(&staging.dir, &["show", &index.to_string(), &self.only, &list(without)], CASE_SECONDS)?;
        let text = String::from_utf8_lossy(&end.stdout).into_owned();
        let mut parts = text.splitn(3, '\n');
        let (label, pieces, source) = (parts.next(), parts.next(), parts.next());
        let pieces = pieces
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| String::from_utf8_lossy(&end.stderr).into_owned())?;
        Ok((label.unwrap_or_default().to_string(), pieces, source.unwrap_or_default().to_string()))
    }
}

fn list(pieces: &BTreeSet<usize>) -> String {
    pieces.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// A line of a panic without the number of the thread.
fn without_thread(line: &str) -> &str {
    line.find("panicked at").map_or(line, |at| &line[at..])
}
