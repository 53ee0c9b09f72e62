//! One spec file: run it, read the formatter's events.

use std::collections::BTreeSet;

use super::Setup;
use crate::events;
use crate::process::{End, Run};

/// What names a failure outside every example.
const LOAD: &str = "(load)";
const CRASH: &str = "(crash)";
const TIMEOUT: &str = "(timeout)";

pub struct Failure {
    /// Description of the example, or one of the names above.
    pub check: String,
    pub reason: String,
}

#[derive(Default)]
pub struct SpecFile {
    pub name: String,
    pub examples: usize,
    /// Examples whose expectation was not met.
    pub failed: usize,
    /// Examples, or the file itself, that ended with another exception.
    pub errors: usize,
    pub crashed: bool,
    pub timed_out: bool,
    pub failures: Vec<Failure>,
    ran: BTreeSet<String>,
    finished: bool,
}

impl SpecFile {
    /// Whether a listed failure can be taken off the list: it ran and did not fail, or the file ended without it.
    pub fn passes(&self, check: &str) -> bool {
        let failed = self.failures.iter().any(|failure| failure.check == check);
        let over = self.finished || self.ran.contains(check);
        !failed && over
    }
}

pub fn run(setup: &Setup, name: &str) -> SpecFile {
    let mut file = SpecFile { name: name.to_string(), ..SpecFile::default() };
    let finished = Run::new(&setup.ruby)
        .arg(setup.mspec.join("bin/mspec-run"))
        .arg("-f")
        .arg(&setup.formatter)
        .arg(name)
        .env("RUBY_EXE", &setup.ruby)
        .env("RUBY_FLAGS", "")
        .env("MSPEC_RUNNER", "1")
        .dir(&setup.specs)
        .limit(setup.limit)
        .finish();
    let finished = match finished {
        Ok(finished) => finished,
        Err(reason) => {
            file.crashed = true;
            file.failures.push(Failure { check: CRASH.to_string(), reason });
            return file;
        }
    };
    let (_, events) = events::split(&finished.stdout);
    let current = file.read(&events);
    let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
    let context = || {
        let tail: Vec<&str> = stderr.lines().take(5).collect();
        format!("{} during: {}\n{}", finished.end, current.as_deref().unwrap_or("no example"), tail.join("\n"))
    };
    match finished.end {
        End::Timeout => {
            file.timed_out = true;
            file.failures.push(Failure { check: TIMEOUT.to_string(), reason: context() });
        }
        End::Signal(_) => file.crash(context()),
        End::Exit(_) if !file.finished => file.crash(context()),
        End::Exit(_) => {}
    }
    file
}

impl SpecFile {
    fn crash(&mut self, reason: String) {
        self.crashed = true;
        self.failures.push(Failure { check: CRASH.to_string(), reason });
    }

    /// Takes in the events; returns the example that was running when they ended.
    fn read(&mut self, events: &[String]) -> Option<String> {
        let mut current: Option<String> = None;
        let mut failing: BTreeSet<String> = BTreeSet::new();
        for event in events {
            let (kind, rest) = event.split_at_checked(1).unwrap_or(("", ""));
            match kind {
                "B" => {
                    self.examples += 1;
                    current = Some(one_line(rest));
                }
                "X" => {
                    let (outcome, rest) = rest.split_at_checked(1).unwrap_or(("E", rest));
                    let check = current.clone().unwrap_or_else(|| LOAD.to_string());
                    // An example counts once, however many exceptions it and its hooks raise.
                    if failing.insert(check.clone()) {
                        self.failed += usize::from(outcome == "F");
                        self.errors += usize::from(outcome != "F");
                        self.failures.push(Failure { check, reason: rest.to_string() });
                    }
                }
                "A" => self.ran.extend(current.take()),
                "Z" => self.finished = true,
                _ => {}
            }
        }
        current
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_figures() {
        let mut file = SpecFile::default();
        let events = ["BA#b works", "A", "BA#b fails", "XFExpected 1", "XEagain", "A", "XEload", "BA#c hangs"];
        let current = file.read(&events.map(str::to_string));
        assert_eq!((file.examples, file.failed, file.errors), (3, 1, 1));
        assert_eq!(current.as_deref(), Some("A#c hangs"));
        assert!(file.passes("A#b works") && !file.passes("A#b fails") && !file.passes("A#c hangs"));
    }
}
