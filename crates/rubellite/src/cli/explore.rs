//! `rubellite explore`: runs a program under many fixed schedules, and says how to replay the shortest one that fails.
//!
//! Each run is a process of its own. It reports how many switches were forced on it (`schedule::REPORT`); of the seeds
//! that fail, those with the fewest are tried again with fewer and fewer switches.

use super::command::{Command, Wrong, is_switch, number, system_text};
use super::explain;
use super::options::Options;
use lexopt::Arg::{Long, Short};
use lexopt::Parser;
use rubellite_core_thread::schedule::REPORT;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{self, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub static COMMAND: Command = Command {
    name: "explore",
    summary: "Run a program under many fixed thread schedules and show the shortest that fails",
    arguments: "[options] [options of Ruby] FILE [arguments]",
    about: "Runs FILE (or -e CODE) under many schedules, each of which fixes every thread switch, and prints the shortest that fails: how to
replay it, and what the threads did in it, line by line, with the variable that several of them touched. A run fails when its status is not 0, when it does not end in time, or, with --output, when it prints something else than
without forced switches. The status is 1 when some run failed.
",
    switches: &[
        ("--seeds=N", "Try N schedules (100)"),
        ("--first=SEED", "Begin with this seed (1)"),
        ("--jobs=N", "Run N at a time (the number of processors)"),
        ("--timeout=SECONDS", "How long a run may take (30)"),
        ("--output", "Runs that print something else fail, too"),
        ("--races", "Runs in which a race is found fail, too (see rubellite races)"),
        ("--html=FILE", "Write a page that shows what the threads did in the shortest run that fails"),
    ],
    run: main,
};

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
    races: bool,
    page: Option<OsString>,
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

/// Runs the subcommand with the words that follow its name. Returns the exit status.
fn main(words: Vec<OsString>) -> Result<i32, Wrong> {
    Ok(i32::from(explore(&parse(words)?)?))
}

/// Our own switches, then the words for the runs, which begin with the first that is not ours.
fn parse(words: Vec<OsString>) -> Result<Plan, Wrong> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut plan = Plan {
        seeds: 100,
        first: 1,
        jobs,
        timeout: Duration::from_secs(30),
        compare: false,
        races: false,
        page: None,
        program: Vec::new(),
    };
    let mut parser = Parser::from_args(words);
    loop {
        let ours = |word: &OsStr| {
            ["seeds", "first", "jobs", "timeout", "output", "races", "html", "help"]
                .iter()
                .any(|name| is_switch(word, name))
                || word == "-h"
        };
        if !parser.try_raw_args().is_some_and(|words| words.peek().is_some_and(ours)) {
            break;
        }
        match parser.next()? {
            Some(Long("seeds")) => plan.seeds = number(&mut parser, "seeds", 1)?,
            Some(Long("first")) => plan.first = number(&mut parser, "first", 0)?,
            Some(Long("jobs")) => plan.jobs = number(&mut parser, "jobs", 1)?.min(1024),
            Some(Long("timeout")) => plan.timeout = Duration::from_secs(number(&mut parser, "timeout", 1)?),
            Some(Long("output")) => plan.compare = true,
            Some(Long("races")) => plan.races = true,
            Some(Long("html")) => plan.page = Some(parser.value()?),
            Some(Long("help") | Short('h')) => return Err(Wrong::Help),
            Some(other) => return Err(other.unexpected().into()),
            None => break,
        }
    }
    plan.program.extend(parser.raw_args()?);
    check_file(&runnable(&plan.program)?)?;
    Ok(plan)
}

/// Whether Ruby would accept these words, and they name a program: else every run would fail for the same reason.
pub fn runnable(words: &[OsString]) -> Result<Options, Wrong> {
    let words: Vec<Vec<u8>> =
        std::iter::once(OsString::new()).chain(words.iter().cloned()).map(OsString::into_vec).collect();
    let options = Options::parse(&words).map_err(Wrong::Words)?;
    if options.scripts.is_empty() && options.file.is_none() {
        return Err(Wrong::Words("no program".into()));
    }
    Ok(options)
}

/// Whether the program can be read, again and again.
fn check_file(options: &Options) -> Result<(), Wrong> {
    match &options.file {
        Some(path) if options.scripts.is_empty() && path == b"-" => {
            Err(Wrong::Words("a program that is read from standard input cannot be run again and again".into()))
        }
        // Elsewhere it is sought where the options say.
        Some(path) if options.scripts.is_empty() && options.directories.is_empty() && !options.search_path => {
            let path = PathBuf::from(OsString::from_vec(path.clone()));
            let readable = File::open(&path).and_then(|mut file| file.read(&mut [0]));
            readable.map(drop).map_err(|error| Wrong::Failed(format!("{} -- {}", system_text(&error), path.display())))
        }
        _ => Ok(()),
    }
}

/// True: some run failed.
fn explore(plan: &Plan) -> std::io::Result<bool> {
    // A page that cannot be written is to be known before the runs.
    let page = plan.page.as_ref().map(|path| File::create(path).map_err(|error| named(error, path))).transpose()?;
    let dir = std::env::temp_dir().join(format!("rubellite-explore-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let outcome = Explorer { plan, dir: dir.clone(), baseline: None, page }.all();
    let _ = std::fs::remove_dir_all(&dir);
    // Where no run failed there is nothing to show.
    if let (Ok(false), Some(path)) = (&outcome, &plan.page)
        && std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
    {
        let _ = std::fs::remove_file(path);
    }
    outcome
}

struct Explorer<'a> {
    plan: &'a Plan,
    dir: PathBuf,
    /// What the program prints without forced switches.
    baseline: Option<Vec<u8>>,
    page: Option<File>,
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
        let ends: String = ends.iter().map(|end| format!(", {end}")).collect();
        put(&format!("{} seeds, {} failed{ends}\n", self.plan.seeds, failed.len()))?;
        let mut best: Option<Run> = None;
        for run in failed.iter().take(SHORTENED) {
            let short = self.shorten(run)?;
            let fewer = |best: &Run| short.switches.unwrap_or(u64::MAX) < best.switches.unwrap_or(u64::MAX);
            if best.as_ref().is_none_or(fewer) {
                best = Some(short);
            }
        }
        if let Some(best) = &best {
            self.show(best)?;
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
        let mut child = process::Command::new(std::env::current_exe()?)
            .arg(format!("--schedule={}", schedule(seed, limit)))
            .args(self.plan.races.then_some("--races"))
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

    fn show(&self, run: &Run) -> std::io::Result<()> {
        let program: Vec<String> = self.plan.program.iter().map(|word| quoted(word)).collect();
        let program = program.join(" ");
        let schedule = schedule(run.seed, run.limit);
        match run.switches {
            Some(1) => put(&format!("shortest: seed {} with 1 forced switch: {}\n", run.seed, run.end))?,
            Some(switches) => {
                put(&format!("shortest: seed {} with {switches} forced switches: {}\n", run.seed, run.end))?
            }
            None => put(&format!("seed {}: {}\n", run.seed, run.end))?,
        }
        let text = String::from_utf8_lossy(if run.errors.is_empty() { &run.output } else { &run.errors });
        let lines: Vec<&str> = text.lines().collect();
        put(&lines[lines.len().saturating_sub(SHOWN_LINES)..]
            .iter()
            .map(|line| format!("  | {line}\n"))
            .collect::<String>())?;
        // A run that did not end does not tell either.
        let story = if run.end == End::TimedOut {
            None
        } else {
            explain::story(&schedule, &self.plan.program, &self.dir.join("record"))
        };
        if let Some(story) = &story {
            put(&story.text())?;
        }
        let races = if self.plan.races { "--races " } else { "" };
        let replay = format!("rubellite --schedule={schedule} {races}{program}");
        put(&format!(
            "replay:   {replay}\nsee it:   rubellite --schedule={schedule} --trace-lock=trace.json {program}\n"
        ))?;
        if let (Some(mut file), Some(path)) = (self.page.as_ref(), self.plan.page.as_ref()) {
            let story = story.unwrap_or_else(explain::Story::empty);
            let page = explain::page::page(&story, &program, &run.end.to_string(), &replay);
            file.write_all(page.as_bytes())
                .inspect_err(|_| drop(file.set_len(0)))
                .map_err(|error| named(error, path))?;
            put(&format!("page:     {}\n", path.to_string_lossy()))?;
        }
        Ok(())
    }
}

/// Writes to standard output. Whoever reads it may have had enough.
fn put(text: &str) -> std::io::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(std::io::Error::new(error.kind(), format!("{} -- standard output", system_text(&error))))
        }
        _ => Ok(()),
    }
}

/// The error with the name of the file.
fn named(error: std::io::Error, path: &OsStr) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("{}: {}", path.to_string_lossy(), system_text(&error)))
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
    if !word.is_empty() && word.as_bytes().iter().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
