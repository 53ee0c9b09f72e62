//! `cargo xtask stalls`: no native method keeps the other threads from running for long.
//!
//! `stalls/stalls.rb` calls every public method, found by reflection, that can be given something large, and measures
//! how long each call keeps a second thread waiting, and how long its end by Thread#kill takes. It runs in a child,
//! which is begun again behind the case at which it ended. What is above the limit fails, unless it is in the list of
//! exceptions. Pauses of the collector are shown beside, and not judged here.

use std::collections::BTreeMap;
use std::path::Path;

use crate::args::Args;
use crate::process::{End, Run};
use crate::{Outcome, workspace};

const PROGRAM: &str = "xtask/src/stalls/stalls.rb";
/// How long another thread may be kept waiting.
const LIMIT_MS: usize = 10;
/// How long a call may go on after it was killed: some of the work outside the lock looks at its flag every 20 ms.
const END_LIMIT_MS: f64 = 40.0;
const CHILD_SECONDS: f64 = 7200.0;
/// What a child may map.
const MEMORY_BYTES: u64 = 6 << 30;

/// Methods that may be above a limit, as `Class#method` or `Class.method`, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// What was measured of a method: of the worst of its cases.
#[derive(Default)]
struct Worst {
    stall: (f64, String),
    end: (f64, String),
    collector_ms: f64,
    faults: Vec<String>,
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby", "filter", "limit", "cases"], &[])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let limit = args.number("limit", LIMIT_MS)?;
    let filter = args.value("filter").unwrap_or_default();
    let of_each = args.number("cases", 0)?;
    let mut methods: BTreeMap<String, Worst> = BTreeMap::new();
    let (mut from, mut cases) = (0, 0);
    loop {
        let (text, end) = child(&ruby, filter, from, [limit, of_each])?;
        let mut last = None;
        for line in text.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let [index, total, name, rest @ ..] = &cells[..] else { continue };
            let index: usize = index.parse().map_err(|_| format!("not a line of {PROGRAM}: {line}"))?;
            if from == 0 && cases == 0 {
                println!("stalls: {total} cases");
            }
            cases += 1;
            last = Some(index);
            let worst = methods.entry(method_of(name).to_string()).or_default();
            match numbers(rest) {
                Some([stall, collector, _, end]) => {
                    worst.take(stall, end, name);
                    worst.collector_ms = worst.collector_ms.max(collector);
                }
                None => worst.faults.push(format!(
                    "{name}: {}",
                    rest.first().filter(|word| !word.is_empty()).map_or(end.to_string(), |word| (*word).to_string())
                )),
            }
        }
        if text.ends_with("done\n") {
            break;
        }
        from = last.ok_or_else(|| format!("{PROGRAM} did not begin: {end}"))? + 1;
    }
    Ok(report(&methods, cases, limit as f64))
}

/// Runs cases from `from` on, `of_each` method at most (0: all), and answers what was noted and how the child ended.
fn child(ruby: &Path, filter: &str, from: usize, [limit, of_each]: [usize; 2]) -> Result<(String, End), String> {
    let staging = workspace::Staging::new("stalls")?;
    let progress = staging.dir.join("progress");
    let run = Run::new(ruby)
        .arg(workspace::root().join(PROGRAM))
        .args([filter, &from.to_string()])
        .arg(&progress)
        .args([limit.to_string(), of_each.to_string()]);
    let finished = run.dir(&staging.dir).limit(CHILD_SECONDS).memory(MEMORY_BYTES).finish()?;
    let text =
        std::fs::read_to_string(&progress).map_err(|_| String::from_utf8_lossy(&finished.stderr).into_owned())?;
    Ok((text, finished.end))
}

impl Worst {
    fn take(&mut self, stall: f64, end: f64, name: &str) {
        if stall > self.stall.0 {
            self.stall = (stall, name.to_string());
        }
        if end > self.end.0 {
            self.end = (end, name.to_string());
        }
    }
}

/// `String#tr` of `String#tr ascii("a-c", "x-z")`.
fn method_of(case: &str) -> &str {
    let head = case.split(' ').next().unwrap_or(case);
    head.find('(').filter(|at| *at > 0 && !case.contains('#')).map_or(head, |at| &head[..at])
}

fn numbers(cells: &[&str]) -> Option<[f64; 4]> {
    let parsed: Vec<f64> = cells.iter().take(4).map_while(|cell| cell.parse().ok()).collect();
    parsed.try_into().ok()
}

fn report(methods: &BTreeMap<String, Worst>, cases: usize, limit: f64) -> bool {
    let mut rows: Vec<_> = methods.iter().collect();
    rows.sort_by(|a, b| b.1.stall.0.total_cmp(&a.1.stall.0));
    println!("{:>9} {:>9} {:>13}  worst case", "stall, ms", "end, ms", "collector, ms");
    let (mut failed, mut crashed) = (0, 0);
    for (method, worst) in rows {
        let above = worst.stall.0 > limit || worst.end.0 > END_LIMIT_MS;
        let excuse = EXCEPTIONS.iter().find(|(name, _)| name == method).map(|(_, reason)| *reason);
        if above {
            failed += usize::from(excuse.is_none());
            let name = if worst.stall.0 > limit || worst.end.1.is_empty() { &worst.stall.1 } else { &worst.end.1 };
            let excuse = excuse.map_or(String::new(), |reason| format!(" (excused: {reason})"));
            println!("{:>9.1} {:>9.1} {:>13.1}  {name}{excuse}", worst.stall.0, worst.end.0, worst.collector_ms);
        }
        for fault in &worst.faults {
            crashed += 1;
            println!("{fault}");
        }
    }
    println!(
        "stalls: {} methods in {cases} cases, {failed} above {limit} ms, {crashed} calls ended the process",
        methods.len()
    );
    failed == 0 && crashed == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_of_a_case() {
        assert_eq!(method_of("String#tr ascii(\"a-c\", \"x-z\")"), "String#tr");
        assert_eq!(method_of("Array#[] integers(3) {}"), "Array#[]");
        assert_eq!(method_of("Zlib.crc32(ascii, 3)"), "Zlib.crc32");
        assert_eq!(method_of("Hash.[](table)"), "Hash.[]");
    }

    #[test]
    fn a_line_without_numbers_is_a_fault() {
        assert_eq!(numbers(&["1.0", "2.0", "3.0", "4.0", "TypeError"]), Some([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(numbers(&["hang"]), None);
        assert_eq!(numbers(&[""]), None);
    }
}
