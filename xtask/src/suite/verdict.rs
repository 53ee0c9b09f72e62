//! Judges one run of a test program: which of its checks held.

use std::collections::BTreeMap;

use super::program::{Check, Kind, Program};
use crate::events;
use crate::process::{End, Finished};

pub struct Failure {
    pub line: usize,
    /// The expression of the check, or `stdout`, `stderr`, `status`: what a list of expected failures names.
    pub check: String,
    pub reason: String,
}

#[derive(Default)]
pub struct Report {
    pub passed: usize,
    pub failures: Vec<Failure>,
    pub skipped: bool,
    /// Not run, because this gem is not installed.
    pub missing: Option<String>,
    /// Not run, because the time for the whole run was over.
    pub left_out: bool,
    /// First lines of standard error, to explain a failure.
    pub stderr: String,
    /// What each check line answered (the first time), and the ordinary output: for `--fill`.
    pub answers: BTreeMap<usize, String>,
    pub stdout: String,
}

impl Report {
    pub fn skipped() -> Report {
        Report { skipped: true, ..Report::default() }
    }

    pub fn without(gem: &str) -> Report {
        Report { missing: Some(gem.to_string()), ..Report::default() }
    }

    pub fn left_out() -> Report {
        Report { left_out: true, ..Report::default() }
    }

    /// The program could not be started.
    pub fn broken(reason: String) -> Report {
        let failure = Failure { line: 0, check: "status".to_string(), reason };
        Report { failures: vec![failure], ..Report::default() }
    }

    /// What a file expects without a word (no output, exit code 0) is no merit, but its failure is one.
    fn record_unsaid(&mut self, check: &str, said: bool, verdict: Result<(), String>) {
        if said || verdict.is_err() {
            self.record(0, check, verdict);
        }
    }

    fn record(&mut self, line: usize, check: &str, verdict: Result<(), String>) {
        match verdict {
            Ok(()) => self.passed += 1,
            Err(reason) => self.failures.push(Failure { line, check: check.to_string(), reason }),
        }
    }
}

/// What one check line said: every answer, in order.
type Answers = BTreeMap<usize, Vec<Answer>>;

enum Answer {
    Value(String),
    Raised(String),
    /// Ran through where an exception was expected.
    Nothing(String),
}

pub fn judge(program: &Program, finished: &Finished) -> Report {
    let (stdout, events) = events::split(&finished.stdout);
    let answers = read_answers(&events);
    let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
    let mut report =
        Report { stderr: stderr.lines().take(6).collect::<Vec<_>>().join("\n            "), ..Report::default() };
    for (line, said) in &answers {
        if let Some(Answer::Value(text) | Answer::Raised(text)) = said.first() {
            report.answers.insert(*line, text.clone());
        }
    }
    for check in &program.checks {
        let said = answers.get(&check.line).map(Vec::as_slice).unwrap_or_default();
        report.record(check.line, &check.source, judge_check(check, said));
    }
    if !program.stdout_open {
        report.record_unsaid("stdout", !program.stdout.is_empty(), judge_stdout(&program.stdout, &stdout));
    }
    if let Some(expected) = &program.stderr {
        let found = stderr.contains(expected);
        let verdict = if found { Ok(()) } else { Err(format!("nothing on stderr contains {expected}")) };
        report.record(0, "stderr", verdict);
    }
    let status = if finished.end == End::Exit(program.status) { Ok(()) } else { Err(finished.end.to_string()) };
    report.record_unsaid("status", program.status != 0, status);
    report.stdout = stdout;
    report
}

fn read_answers(events: &[String]) -> Answers {
    let mut answers = Answers::new();
    for event in events {
        let Some((head, text)) = event.split_once(' ') else {
            continue;
        };
        let Some((kind, Ok(line))) = head.split_at_checked(1).map(|(kind, line)| (kind, line.parse::<usize>())) else {
            continue;
        };
        let text = text.replace('\n', "\\n");
        let answer = match kind {
            "v" => Answer::Value(text),
            "r" => Answer::Raised(text),
            _ => Answer::Nothing(text),
        };
        answers.entry(line).or_default().push(answer);
    }
    answers
}

fn judge_check(check: &Check, said: &[Answer]) -> Result<(), String> {
    if said.is_empty() {
        return Err("not reached".to_string());
    }
    for answer in said {
        match (&check.kind, answer) {
            (Kind::Value(expected), Answer::Value(found)) if normal(found).trim_end() == *expected => {}
            (Kind::Value(expected), Answer::Value(found)) => {
                return Err(format!("expected {expected}\n         got {found}"));
            }
            (Kind::Raises(expected), Answer::Raised(found)) if raises(expected, found) => {}
            (Kind::Raises(expected), Answer::Raised(found)) => {
                return Err(format!("expected {expected}\n      raised {found}"));
            }
            (_, Answer::Nothing(found)) => return Err(format!("nothing raised, got {found}")),
            _ => return Err("an answer of the wrong kind".to_string()),
        }
    }
    Ok(())
}

/// `CLASS` alone leaves the message open.
fn raises(expected: &str, found: &str) -> bool {
    let class = found.split_once(": ").map_or(found, |(class, _)| class);
    normal(found).trim_end() == expected || class == expected
}

fn judge_stdout(expected: &[String], found: &str) -> Result<(), String> {
    let found: Vec<&str> = found.lines().map(str::trim_end).collect();
    let lines = expected.len().max(found.len());
    for index in 0..lines {
        let (expected, found) = (expected.get(index), found.get(index));
        if expected.map(String::as_str) != found.copied() {
            let show = |line: Option<&str>| line.map_or("the end".to_string(), |line| format!("{line:?}"));
            return Err(format!(
                "line {}: expected {}, got {}",
                index + 1,
                show(expected.map(String::as_str)),
                show(found.copied())
            ));
        }
    }
    Ok(())
}

/// The text as expectations are written: without what differs from run to run.
pub fn normal(text: &str) -> String {
    hide_addresses(&hide_staging(text))
}

/// Writes `TESTS` for the directory that the suite runs in.
fn hide_staging(text: &str) -> String {
    let prefix = format!("{}/rubellite-tests-", std::env::temp_dir().display());
    let mut pieces = text.split(prefix.as_str());
    let mut hidden = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        hidden.push_str("TESTS");
        hidden.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-'));
    }
    hidden
}

/// Writes `0xXX` for addresses of objects, which differ from run to run.
fn hide_addresses(text: &str) -> String {
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let (before, after) = rest.split_at(at + 2);
        hidden.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        hidden.push_str(if digits >= 12 { "XX" } else { &after[..digits] });
        rest = &after[digits..];
    }
    hidden.push_str(rest);
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_hidden_and_short_numbers_stay() {
        assert_eq!(hide_addresses("#<A:0x00007f12a4b1c2d8> 0x1f"), "#<A:0xXX> 0x1f");
    }

    #[test]
    fn a_class_alone_accepts_any_message() {
        assert!(raises("TypeError", "TypeError: no"));
        assert!(!raises("TypeError: yes", "TypeError: no"));
    }

    #[test]
    fn output_is_compared_line_by_line() {
        assert!(judge_stdout(&["a".into()], "a\n").is_ok());
        assert!(judge_stdout(&["a".into(), "b".into()], "a\n").is_err());
    }
}
