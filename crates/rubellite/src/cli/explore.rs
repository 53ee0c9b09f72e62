//! `rubellite explore`: runs a program under many fixed schedules, and says how to replay the shortest one that fails.
//!
//! Each run is a process of its own. It reports how many switches were forced on it (`schedule::REPORT`); of the seeds that
//! fail, those with the fewest are tried again with fewer and fewer switches.

use rubellite_corelib::concurrency::lock::schedule::REPORT;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

const USAGE: &str = "\
Usage: rubellite explore [--seeds=N] [--first=SEED] [--jobs=N] [--timeout=SECONDS] [--output] [options] FILE [arguments]
  Runs FILE under N schedules (100), a few at a time, each of which fixes every thread switch. A run fails when its status is
  not 0, when it takes longer than the timeout (30), or, with --output, when it prints something else than without forced
  switches. Prints the shortest schedule that fails. The status is 1 when one did.
";

/// Of the seeds that fail, so many are shortened.
const SHORTENED: usize = 3;
/// Shortening tries at most so many lengths one after the other.
const LENGTHS_MAX: u64 = 48;
/// How much of what a failing run wrote to standard error is shown.
const SHOWN_LINES: usize = 12;

struct Plan {
    seeds: u64,
    first: u64,
    jobs: usize,
    timeout: Duration,
    compare: bool,
    program: Vec<OsString>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq)]
enum End {
    Status(i32),
    Signal(i32),
    TimedOut,
}

/// One run.
#[derive(Clone)]
struct Run {
    seed: u64,
    /// The limit on forced switches, if there was one.
    limit: Option<u64>,
    end: End,
    /// Forced switches; unknown when the process died.
    switches: Option<u64>,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Status(status) => write!(f, "status {status}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
            End::TimedOut => write!(f, "no end within the timeout"),
        }
    }
}

/// Runs the subcommand; `args` follow its name. Returns the exit status.
pub fn main(args: &[Vec<u8>]) -> i32 {
    let plan = match parse(args) {
        Ok(plan) => plan,
        Err(message) => {
            eprint!("{message}{USAGE}");
            return 2;
        }
    };
    match explore(&plan) {
        Ok(failed) => i32::from(failed),
        Err(error) => {
            eprintln!("rubellite explore: {error}");
            2
        }
    }
}

fn parse(args: &[Vec<u8>]) -> Result<Plan, String> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut plan = Plan { seeds: 100, first: 1, jobs, timeout: Duration::from_secs(30), compare: false, program: Vec::new() };
    let mut args = args.iter();
    for arg in args.by_ref() {
        let text = String::from_utf8_lossy(arg).into_owned();
        let (key, value) = text.split_once('=').unwrap_or((&text, ""));
        let number = || value.parse::<u64>().map_err(|_| format!("rubellite explore: {key} needs a number\n"));
        match key {
            "--seeds" => plan.seeds = number()?.max(1),
            "--first" => plan.first = number()?,
            "--jobs" => plan.jobs = number()?.clamp(1, 1024) as usize,
            "--timeout" => plan.timeout = Duration::from_secs(number()?.max(1)),
            "--output" => plan.compare = true,
            "-h" | "--help" => return Err(String::new()),
            _ => {
                plan.program.push(OsString::from_vec(arg.clone()));
                break;
            }
        }
    }
    plan.program.extend(args.map(|arg| OsString::from_vec(arg.clone())));
    if plan.program.is_empty() { Err("rubellite explore: no program\n".into()) } else { Ok(plan) }
}

/// True: some run failed.
fn explore(plan: &Plan) -> std::io::Result<bool> {
    let dir = std::env::temp_dir().join(format!("rubellite-explore-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let outcome = Explorer { plan, dir: dir.clone(), baseline: None }.all();
    let _ = std::fs::remove_dir_all(&dir);
    outcome
}

struct Explorer<'a> {
    plan: &'a Plan,
    dir: PathBuf,
    /// What the program prints without forced switches.
    baseline: Option<Vec<u8>>,
}

impl Explorer<'_> {
    fn all(mut self) -> std::io::Result<bool> {
        if self.plan.compare {
            self.baseline = Some(self.run(self.plan.first, Some(0))?.output);
        }
        let mut failed = self.search()?;
        failed.sort_by_key(|run| (run.switches.unwrap_or(u64::MAX), run.seed));
        let mut ends: Vec<&End> = Vec::new();
        failed.iter().for_each(|run| {
            if !ends.contains(&&run.end) {
                ends.push(&run.end)
            }
        });
        println!("{} seeds, {} failed{}", self.plan.seeds, failed.len(), ends.iter().map(|end| format!(", {end}")).collect::<String>());
        let mut best: Option<Run> = None;
        for run in failed.iter().take(SHORTENED) {
            let short = self.shorten(run)?;
            let fewer = |best: &Run| short.switches.unwrap_or(u64::MAX) < best.switches.unwrap_or(u64::MAX);
            if best.as_ref().is_none_or(fewer) {
                best = Some(short);
            }
        }
        if let Some(best) = &best {
            self.show(best);
        }
        Ok(best.is_some())
    }

    /// Runs every seed; those that failed.
    fn search(&self) -> std::io::Result<Vec<Run>> {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let failed = Mutex::new(Vec::new());
        let broken = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.plan.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Relaxed);
                        if index >= self.plan.seeds || lock(&broken).is_some() {
                            return;
                        }
                        match self.run(self.plan.first.wrapping_add(index), None) {
                            Ok(run) if self.fails(&run) => lock(&failed).push(run),
                            Ok(_) => {}
                            Err(error) => *lock(&broken) = Some(error),
                        }
                        let done = done.fetch_add(1, Relaxed) + 1;
                        self.progress(done, lock(&failed).len());
                    }
                });
            }
        });
        match lock(&broken).take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut *lock(&failed))),
        }
    }

    fn progress(&self, done: u64, failed: usize) {
        let mut out = std::io::stderr();
        if out.is_terminal() {
            let end = if done == self.plan.seeds { "\r\x1b[K" } else { "" };
            let _ = write!(out, "\r{done} of {} seeds, {failed} failed{end}", self.plan.seeds);
        }
    }

    fn fails(&self, run: &Run) -> bool {
        run.end != End::Status(0) || self.baseline.as_ref().is_some_and(|baseline| *baseline != run.output)
    }

    /// The same seed with the fewest forced switches that still fails.
    fn shorten(&self, run: &Run) -> std::io::Result<Run> {
        let Some(switches) = run.switches else { return Ok(run.clone()) };
        for limit in 0..switches.min(LENGTHS_MAX) {
            let shorter = self.run(run.seed, Some(limit))?;
            if self.fails(&shorter) {
                return Ok(shorter);
            }
        }
        Ok(run.clone())
    }

    fn run(&self, seed: u64, limit: Option<u64>) -> std::io::Result<Run> {
        let report = self.dir.join(format!("{seed}-{}", limit.map_or(String::new(), |limit| limit.to_string())));
        let mut child = Command::new(std::env::current_exe()?)
            .arg(format!("--schedule={}", schedule(seed, limit)))
            .args(&self.plan.program)
            .env(REPORT, &report)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (out, errors) = (child.stdout.take(), child.stderr.take());
        let (output, errors, status) = std::thread::scope(|scope| {
            let output = scope.spawn(|| read_all(out));
            let errors = scope.spawn(|| read_all(errors));
            let status = self.wait(&mut child);
            (output.join().unwrap_or_default(), errors.join().unwrap_or_default(), status)
        });
        let end = match status? {
            None => End::TimedOut,
            Some(status) => match status.signal() {
                Some(signal) => End::Signal(signal),
                None => End::Status(status.code().unwrap_or(-1)),
            },
        };
        let switches = std::fs::read_to_string(&report).ok().and_then(|text| text.parse().ok());
        let _ = std::fs::remove_file(&report);
        Ok(Run { seed, limit, end, switches, output, errors })
    }

    /// `None`: it was killed after the timeout.
    fn wait(&self, child: &mut std::process::Child) -> std::io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + self.plan.timeout;
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    fn show(&self, run: &Run) {
        let program: Vec<String> = self.plan.program.iter().map(|word| quoted(word)).collect();
        let program = program.join(" ");
        let schedule = schedule(run.seed, run.limit);
        match run.switches {
            Some(1) => println!("shortest: seed {} with 1 forced switch: {}", run.seed, run.end),
            Some(switches) => println!("shortest: seed {} with {switches} forced switches: {}", run.seed, run.end),
            None => println!("seed {}: {}", run.seed, run.end),
        }
        let text = String::from_utf8_lossy(if run.errors.is_empty() { &run.output } else { &run.errors });
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].iter().for_each(|line| println!("  | {line}"));
        println!("replay:   rubellite --schedule={schedule} {program}");
        println!("see it:   rubellite --schedule={schedule} --trace-lock=trace.json {program}");
    }
}

fn schedule(seed: u64, limit: Option<u64>) -> String {
    limit.map_or_else(|| seed.to_string(), |limit| format!("{seed},{limit}"))
}

fn read_all(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    bytes
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A word for a shell.
fn quoted(word: &OsStr) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./=,:@+".contains(b);
    let text = word.to_string_lossy();
    if !word.is_empty() && word.as_bytes().iter().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
