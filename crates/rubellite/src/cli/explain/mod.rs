//! What happened in a run that `explore` found: the steps of the threads on variables that several of them touch, in
//! the order in which they came, with the lines of the source, and which switches were forced. A run is repeated under
//! the same schedule with the race detector on, which writes the accesses down (`corelib/lock/src/races/record.rs`);
//! switches come at the same places in its loop. This is text for a terminal; `page` is the same for a browser.

pub mod page;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Steps of the text; the last ones are shown.
const STEPS_SHOWN: usize = 40;
/// Steps around a forced switch that are shown in any case.
const AROUND: usize = 6;
/// Rows of a cell.
const ROWS_MAX: usize = 3;
/// Width of the text.
const WIDTH: usize = 118;

/// What one thread does in one line, without a switch in between.
pub struct Step {
    pub thread: usize,
    pub file: String,
    pub line: usize,
    /// The line's text.
    pub source: String,
    /// What is done to which variables, each once.
    pub accesses: Vec<(String, String)>,
    /// The switch to this thread was forced.
    pub forced: bool,
}

/// A race that was found in the run: the variable, and both sides as sentences.
pub struct Found {
    pub variable: String,
    pub sides: [String; 2],
}

pub struct Story {
    pub threads: Vec<String>,
    pub steps: Vec<Step>,
    pub races: Vec<Found>,
    /// A sentence that names the variable that matters, where one can be named.
    pub summary: String,
}

/// Repeats a run and reads what it writes down. None: it could not be repeated, or did nothing that threads share.
pub fn story(schedule: &str, program: &[OsString], record: &Path) -> Option<Story> {
    let ruby = std::env::current_exe().ok()?;
    Command::new(ruby)
        .args(["--races", &format!("--schedule={schedule}")])
        .args(program)
        .env(rubellite_core_lock::races::RECORD, record)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    let text = std::fs::read_to_string(record).ok()?;
    let _ = std::fs::remove_file(record);
    let story = read(&text, |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).ok());
    (!story.steps.is_empty()).then_some(story)
}

fn read(text: &str, source_of: impl Fn(&str) -> Option<String>) -> Story {
    let mut story = Story { threads: Vec::new(), steps: Vec::new(), races: Vec::new(), summary: String::new() };
    let mut threads: HashMap<String, usize> = HashMap::new();
    let mut sources: HashMap<String, Vec<String>> = HashMap::new();
    for row in text.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        match fields[..] {
            ["A", thread, file, line, done, variable, forced] => {
                let (_, name) = thread.split_once(' ').unwrap_or(("", thread));
                let number = *threads.entry(thread.to_string()).or_insert_with(|| {
                    story.threads.push(name.to_string());
                    story.threads.len() - 1
                });
                let line: usize = line.parse().unwrap_or(0);
                let access = (done.to_string(), variable.to_string());
                let same = story
                    .steps
                    .last_mut()
                    .filter(|last| last.thread == number && last.file == file && last.line == line);
                match same {
                    Some(last) if last.accesses.contains(&access) => {}
                    Some(last) => last.accesses.push(access),
                    None => {
                        let lines = sources.entry(file.to_string()).or_insert_with(|| {
                            source_of(file).unwrap_or_default().lines().map(str::to_string).collect()
                        });
                        let source =
                            lines.get(line.wrapping_sub(1)).map_or(String::new(), |text| text.trim().to_string());
                        let forced = forced == "forced";
                        story.steps.push(Step {
                            thread: number,
                            file: file.to_string(),
                            line,
                            source,
                            accesses: vec![access],
                            forced,
                        });
                    }
                }
            }
            ["R", variable, done, thread, file, line, other, other_thread, other_file, other_line] => {
                let side = |done: &str, thread: &str, file: &str, line: &str| {
                    format!("{done} by {thread} at {}:{line}", short(file))
                };
                let sides = [side(done, thread, file, line), side(other, other_thread, other_file, other_line)];
                story.races.push(Found { variable: variable.to_string(), sides });
            }
            _ => {}
        }
    }
    distinguish(&mut story.threads);
    story.summary = summary(&story);
    story
}

/// Threads of the same block get numbers.
fn distinguish(names: &mut [String]) {
    let given = names.to_vec();
    for (at, name) in names.iter_mut().enumerate() {
        let same = |other: &&String| **other == given[at];
        if given.iter().filter(same).count() > 1 {
            let number = given[..=at].iter().filter(same).count();
            *name = format!("{name} ({number})");
        }
    }
}

/// The last part of a path.
pub fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn writes(done: &str) -> bool {
    done == "write" || done.starts_with("change")
}

/// What was done to the variable that a forced switch came between: a thread touched it before and again later, another
/// one meanwhile, and one of them changed it.
fn between<'a>(story: &'a Story, at: usize) -> Option<(&'a str, [(usize, &'a str); 3])> {
    let left = story.steps[..at].last()?.thread;
    for before in story.steps[..at].iter().enumerate().rev().take_while(|(_, step)| step.thread == left) {
        for (done, variable) in before.1.accesses.iter().rev() {
            let touches = |step: &&Step| step.accesses.iter().any(|(_, other)| other == variable);
            let how = |step: &'a Step| {
                step.accesses
                    .iter()
                    .filter(|(_, other)| other == variable)
                    .map(|(done, _)| done.as_str())
                    .max_by_key(|done| writes(done))
            };
            let meanwhile = story.steps[at..]
                .iter()
                .enumerate()
                .find(|(_, step)| step.thread != left && touches(step) && (writes(done) || how_writes(step, variable)));
            let Some((offset, other)) = meanwhile else { continue };
            let again =
                story.steps[at + offset..].iter().enumerate().find(|(_, step)| step.thread == left && touches(step));
            let Some((further, last)) = again else { continue };
            return Some((
                variable,
                [(before.0, done), (at + offset, how(other)?), (at + offset + further, how(last)?)],
            ));
        }
    }
    None
}

fn how_writes(step: &Step, variable: &str) -> bool {
    step.accesses.iter().any(|(done, other)| other == variable && writes(done))
}

fn summary(story: &Story) -> String {
    let forced = story.steps.iter().enumerate().filter(|(_, step)| step.forced).map(|(at, _)| at);
    for at in forced {
        if let Some((variable, [first, second, third])) = between(story, at) {
            let place = |(at, done): (usize, &str)| {
                let step = &story.steps[at];
                (format!("{}:{}", short(&step.file), step.line), done.to_string(), story.threads[step.thread].clone())
            };
            let ((one, did, who), (two, meanwhile, other), (three, then, _)) =
                (place(first), place(second), place(third));
            return format!(
                "Between the {did} of {variable} by {who} at {one} and its {then} at {three} a switch was forced: {other} did a {meanwhile} of it at {two}."
            );
        }
    }
    match story.races.first() {
        Some(race) => {
            format!("Nothing orders two accesses to {}: {}, and {}.", race.variable, race.sides[1], race.sides[0])
        }
        None => String::new(),
    }
}

impl Story {
    /// Nothing is known.
    pub fn empty() -> Story {
        Story { threads: Vec::new(), steps: Vec::new(), races: Vec::new(), summary: String::new() }
    }

    /// The steps that are worth showing: the last ones, and those around forced switches.
    pub fn chosen(&self, most: usize) -> Vec<usize> {
        let count = self.steps.len();
        if count <= most {
            return (0..count).collect();
        }
        let mut chosen: Vec<usize> = (count - most / 2..count).collect();
        for at in self.steps.iter().enumerate().filter(|(_, step)| step.forced).map(|(at, _)| at) {
            chosen.extend(at.saturating_sub(AROUND)..(at + AROUND).min(count));
        }
        chosen.sort_unstable();
        chosen.dedup();
        let surplus = chosen.len().saturating_sub(most);
        chosen.split_off(surplus)
    }

    /// For a terminal: a column per thread.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if !self.summary.is_empty() {
            out.push_str(&format!("what happened: {}\n", self.summary));
        }
        let chosen = self.chosen(STEPS_SHOWN);
        let mut columns: Vec<usize> = Vec::new();
        for at in &chosen {
            if !columns.contains(&self.steps[*at].thread) {
                columns.push(self.steps[*at].thread);
            }
        }
        let place_width = chosen
            .iter()
            .map(|at| format!("{}:{}", short(&self.steps[*at].file), self.steps[*at].line).len())
            .max()
            .unwrap_or(0)
            .min(30);
        let width = ((WIDTH - place_width - 4) / columns.len().max(1)).saturating_sub(3).max(18);
        // A cell of each column, over as many rows as the longest needs; `begin` stands in front of the first.
        let rows = |out: &mut String, begin: &str, cells: &[String]| {
            let parts: Vec<Vec<String>> = cells.iter().map(|cell| wrapped(cell, width)).collect();
            for row in 0..parts.iter().map(Vec::len).max().unwrap_or(0) {
                let line: String =
                    parts.iter().map(|part| format!(" | {:width$}", part.get(row).map_or("", |text| text))).collect();
                let begin = if row == 0 { begin.to_string() } else { " ".repeat(begin.chars().count()) };
                let _ = writeln!(out, "{}", format!("{begin}{line}").trim_end());
            }
        };
        let blank = " ".repeat(place_width + 4);
        let heads: Vec<String> = columns.iter().map(|thread| head(&self.threads[*thread])).collect();
        rows(&mut out, &blank, &heads);
        let mut last: Option<usize> = None;
        for at in chosen {
            let step = &self.steps[at];
            if last.map_or(at, |last| at - last - 1) > 0 {
                let _ = writeln!(out, "{blank} ...");
            }
            last = Some(at);
            let place = fitted(&format!("{}:{}", short(&step.file), step.line), place_width);
            let mark = if step.forced { ">>" } else { "  " };
            let mine = columns.iter().position(|thread| *thread == step.thread).unwrap_or(0);
            let row = |text: &str| -> Vec<String> {
                (0..columns.len()).map(|column| if column == mine { text.to_string() } else { String::new() }).collect()
            };
            rows(&mut out, &format!(" {mark} {place}"), &row(&step.source));
            for (done, variable) in &step.accesses {
                let named = variable.split_once(" of ").map_or(&variable[..], |(name, _)| name);
                rows(&mut out, &blank, &row(&format!("  {done} {named}")));
            }
        }
        if self.steps.iter().any(|step| step.forced) {
            out.push_str(" >> behind a forced switch\n");
        }
        out
    }
}

/// The name of a thread over its column.
fn head(name: &str) -> String {
    match name.strip_prefix("the thread of ") {
        Some(place) => short(place).to_string(),
        None if name.starts_with("the main thread") => name.replacen("the main thread", "main", 1),
        None => name.strip_prefix("thread ").unwrap_or(name).to_string(),
    }
}

/// A text in pieces of at most that width, parted between words where that goes; what is longer than some rows is cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut rest: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    while rest.len() > width && pieces.len() + 1 < ROWS_MAX {
        let at = rest[..=width]
            .iter()
            .rposition(|character| *character == ' ')
            .filter(|at| *at > width / 2)
            .unwrap_or(width);
        let piece: String = rest.drain(..at).collect();
        pieces.push(piece);
        if rest.first() == Some(&' ') {
            rest.remove(0);
        }
    }
    let last: String = rest.into_iter().collect();
    pieces.push(fitted(&last, width).trim_end().to_string());
    pieces
}

/// A text of exactly that width.
fn fitted(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return format!("{text:width$}");
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "A\t1 the main thread\t/t/a.rb\t2\tread\t@n of A\t\nA\t2 the thread of t/a.rb:5\t/t/a.rb\t3\twrite\t@n of A\tforced\nA\t1 the main thread\t/t/a.rb\t2\twrite\t@n of A\t\n";

    #[test]
    fn the_variable_between_is_named() {
        let story = read(RUN, |_| Some("class A\n  @n += 1\n  @n = 0\nend".into()));
        assert_eq!(story.steps.len(), 3);
        assert_eq!(
            story.summary,
            "Between the read of @n of A by the main thread at a.rb:2 and its write at a.rb:2 a switch was forced: the thread of t/a.rb:5 did a write of it at a.rb:3."
        );
        let text = story.text();
        assert!(text.contains(" >> a.rb:3 |"), "{text}");
        assert!(text.contains("@n += 1"), "{text}");
    }

    #[test]
    fn long_runs_are_cut_around_forced_switches() {
        let mut text = String::new();
        for i in 0..500 {
            text.push_str(&format!(
                "A\t{} t\t/a.rb\t{}\twrite\t$x\t{}\n",
                i % 2,
                i + 1,
                if i == 40 { "forced" } else { "" }
            ));
        }
        let story = read(&text, |_| None);
        let chosen = story.chosen(40);
        assert!(chosen.len() <= 40 && chosen.contains(&40) && chosen.contains(&499));
    }
}
