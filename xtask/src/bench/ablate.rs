//! `cargo xtask bench --ablate [MECHANISM...]`: what each mechanism of the lock's policy gains. Every headline figure
//! is taken with and without the mechanism in turn, pair by pair, and the median of the pairs' differences is given
//! with its interval, so that a machine that is slower for a while is so for both.
//!
//! Both programs are built with the feature `ablate`, in which `RUBELLITE_LOCK_WITHOUT` switches mechanisms off:
//! see bench/README.md. `all` is a mechanism, too: everything against the plain policy.

use std::path::{Path, PathBuf};

use super::statistics::{Difference, differences};
use crate::process::{End, Run};
use crate::workspace;

/// Which way is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    Low,
    High,
}

/// What runs.
enum Program {
    /// The example `figures` of the lock.
    Figures(&'static [&'static str]),
    /// A Ruby program below `bench/`.
    Ruby(&'static str, &'static [&'static str]),
}

/// A headline figure: the first number behind `after` in the first line of the output that contains `line`.
struct Figure {
    name: &'static str,
    better: Better,
    program: Program,
    line: &'static str,
    after: &'static str,
}

const FIGURES: &[Figure] = &[
    Figure {
        name: "lock: regions of 1 us beside 1 that computes, per second",
        better: Better::High,
        program: Program::Figures(&["regions", "beside=1", "length=1000"]),
        line: "regions of 1000 ns beside 1",
        after: "beside 1:",
    },
    Figure {
        name: "lock: park and unpark in turn, us",
        better: Better::Low,
        program: Program::Figures(&["pingpong"]),
        line: "park and unpark in turn",
        after: "turn:",
    },
    Figure {
        name: "threads made and joined, per second",
        better: Better::High,
        program: Program::Ruby("threads/turns.rb", &["0.3"]),
        line: "made and joined",
        after: "joined:",
    },
    Figure {
        name: "turns through condition variables, per second",
        better: Better::High,
        program: Program::Ruby("threads/turns.rb", &["0.3"]),
        line: "turns through",
        after: "variables:",
    },
    Figure {
        name: "zlib: 2 that compress together, per second",
        better: Better::High,
        program: Program::Ruby(
            "ccbench/ccbench.rb",
            &["throughput", "--work", "deflate", "--threads", "2", "--from", "2", "--child"],
        ),
        line: "throughput\tdeflate\t2",
        after: "deflate\t2\t",
    },
    Figure {
        name: "UDP round trip beside 4 in Ruby, p99 us",
        better: Better::Low,
        program: Program::Ruby(
            "ccbench/ccbench.rb",
            &["roundtrip", "--work", "pi", "--threads", "4", "--from", "4", "--child"],
        ),
        line: "roundtrip p99\tpi\t4",
        after: "pi\t4\t",
    },
    Figure {
        name: "UDP round trip beside 4 that compress, p99 us",
        better: Better::Low,
        program: Program::Ruby(
            "ccbench/ccbench.rb",
            &["roundtrip", "--work", "deflate", "--threads", "4", "--from", "4", "--child"],
        ),
        line: "roundtrip p99\tdeflate\t4",
        after: "deflate\t4\t",
    },
    Figure {
        name: "echo server beside 2 that compute, requests per second",
        better: Better::High,
        program: Program::Ruby("threads/echo.rb", &["1", "2", "4"]),
        line: "requests per second",
        after: "",
    },
    Figure {
        name: "convoy: datagrams taken in beside 1 that computes, per second",
        better: Better::High,
        program: Program::Ruby(
            "ccbench/ccbench.rb",
            &["bandwidth", "--work", "pi", "--threads", "1", "--from", "1", "--child"],
        ),
        line: "bandwidth\tpi\t1",
        after: "pi\t1\t",
    },
    Figure {
        name: "throughput of 4 that compute, % of one",
        better: Better::High,
        program: Program::Ruby("threads/throughput.rb", &["3", "4"]),
        line: "4 threads",
        after: "threads:",
    },
    Figure {
        name: "fairness: 2 that compute beside 100 chatty ones, % of the lock's time",
        better: Better::High,
        program: Program::Ruby("threads/fairness.rb", &["1"]),
        line: "of the lock's time",
        after: "together",
    },
    Figure {
        name: "close beside 1000 blocked readers, us",
        better: Better::Low,
        program: Program::Ruby("threads/close.rb", &["1000", "5000"]),
        line: "readers:",
        after: "alone,",
    },
];

/// The programs of a measurement.
pub struct Ablation {
    pub ruby: PathBuf,
    pub figures: PathBuf,
    pub bench: PathBuf,
    pub pairs: usize,
    pub limit: f64,
    /// Milliseconds for each run of `figures`.
    pub run_ms: usize,
}

/// One figure with and without one mechanism.
pub struct Row {
    pub mechanism: String,
    pub figure: &'static str,
    better: Better,
    with: f64,
    difference: Difference,
}

impl Ablation {
    /// Takes the figures whose names contain one of `wanted`; all if there is none.
    pub fn measure(&self, mechanisms: &[String], wanted: &[String]) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        for mechanism in mechanisms {
            let wanted = |figure: &&Figure| wanted.is_empty() || wanted.iter().any(|part| figure.name.contains(part));
            for figure in FIGURES.iter().filter(wanted) {
                let row = self.row(mechanism, figure)?;
                eprintln!("{}", row.markdown());
                rows.push(row);
            }
        }
        Ok(rows)
    }

    fn row(&self, mechanism: &str, figure: &Figure) -> Result<Row, String> {
        let mut pairs = Vec::new();
        for pair in 0..self.pairs {
            // Who goes first changes from pair to pair.
            let (with, without) = if pair % 2 == 0 {
                let with = self.take(figure, "")?;
                (with, self.take(figure, mechanism)?)
            } else {
                let without = self.take(figure, mechanism)?;
                (self.take(figure, "")?, without)
            };
            pairs.push((with, without));
        }
        let mut with: Vec<f64> = pairs.iter().map(|(with, _)| *with).collect();
        with.sort_by(f64::total_cmp);
        Ok(Row {
            mechanism: mechanism.to_string(),
            figure: figure.name,
            better: figure.better,
            with: with[with.len() / 2],
            difference: differences(&pairs),
        })
    }

    /// One run.
    fn take(&self, figure: &Figure, without: &str) -> Result<f64, String> {
        let run = match figure.program {
            Program::Figures(words) => Run::new(&self.figures).args(words).arg(format!("ms={}", self.run_ms)),
            Program::Ruby(path, words) => Run::new(&self.ruby).arg(self.bench.join(path)).args(words),
        };
        let done = run.env("RUBELLITE_LOCK_WITHOUT", without).limit(self.limit).finish()?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let found = (done.end == End::Exit(0)).then(|| number(&text, figure.line, figure.after)).flatten();
        found.ok_or_else(|| {
            let errors = String::from_utf8_lossy(&done.stderr).into_owned();
            format!("{} without {without:?}: no figure ({})\n{text}{errors}", figure.name, done.end)
        })
    }
}

fn number(text: &str, line: &str, after: &str) -> Option<f64> {
    let line = text.lines().find(|candidate| candidate.contains(line))?;
    let rest = &line[line.find(after)? + after.len()..];
    let start = rest.find(|c: char| c.is_ascii_digit())?;
    let digits = rest[start..].split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
    digits.trim_end_matches('.').parse().ok()
}

impl Row {
    /// By how many percent the figure is worse without the mechanism: the median, and its interval.
    fn loss(&self) -> Difference {
        match self.better {
            Better::Low => self.difference,
            Better::High => self.difference.negated(),
        }
    }

    /// Does it carry its weight: is the figure worse by more than 5 % without it, as far as the interval goes?
    pub fn stays(&self) -> bool {
        self.loss().low > 5.0
    }

    fn markdown(&self) -> String {
        let Difference { low, median, high } = self.loss();
        let stays = if self.stays() { "yes" } else { "" };
        format!(
            "| {} | {} | {:.2} | {median:+.1} % | {low:+.1} to {high:+.1} % | {stays} |",
            self.mechanism, self.figure, self.with
        )
    }
}

/// The table.
pub fn markdown(rows: &[Row], pairs: usize) -> String {
    let mut text = format!(
        "| without | figure | with it (median) | worse without it by | 95 % interval, {pairs} pairs | excludes 5 % |\n\
         |---|---|---:|---:|---:|---|\n"
    );
    rows.iter().for_each(|row| text += &(row.markdown() + "\n"));
    text
}

/// The same as JSON.
pub fn json(rows: &[Row], pairs: usize) -> String {
    let cells = rows.iter().map(|row| {
        let Difference { low, median, high } = row.loss();
        format!(
            "  {{\"without\": {:?}, \"figure\": {:?}, \"with\": {:.4}, \"worse_percent\": {median:.3}, \
             \"low\": {low:.3}, \"high\": {high:.3}, \"stays\": {}}}",
            row.mechanism,
            row.figure,
            row.with,
            row.stays()
        )
    });
    format!("{{\"pairs\": {pairs}, \"rows\": [\n{}\n]}}\n", cells.collect::<Vec<_>>().join(",\n"))
}

/// The names of all mechanisms, from the sources of the lock.
pub fn mechanisms() -> Result<Vec<String>, String> {
    let path = workspace::root().join("crates/vmlock/src/policy/mechanism.rs");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let table = text.split_once("\nmechanisms! {").and_then(|(_, rest)| rest.split_once("\n}")).map(|(table, _)| table);
    let names = table.unwrap_or_default().lines().filter_map(|line| line.split('"').nth(1));
    let names: Vec<String> = names.map(str::to_string).collect();
    if names.is_empty() { Err(format!("{}: no table of mechanisms", path.display())) } else { Ok(names) }
}

/// The example beside the program `ruby`, unless another one is named.
pub fn figures_beside(ruby: &Path, named: Option<&str>) -> PathBuf {
    let beside = || ruby.parent().unwrap_or(Path::new(".")).join("examples/figures");
    named.map_or_else(beside, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_first_number_behind_its_words() {
        let text =
            "alone: acquire+release 16.2 ns, short region 11 ns\nrequest beside 2: p50 1.70 us  p99   28.70 us\n";
        assert_eq!(number(text, "alone:", "acquire+release"), Some(16.2));
        assert_eq!(number(text, "request beside 2", "p99"), Some(28.7));
        assert_eq!(number(text, "request beside 4", "p99"), None);
    }

    #[test]
    fn every_mechanism_of_the_lock_is_found() {
        let names = mechanisms().unwrap();
        assert!(names.len() > 10 && names.contains(&"light_lane".to_string()));
    }

    #[test]
    fn what_is_worse_depends_on_which_way_is_better() {
        let row = |better| {
            let difference = Difference { low: 6.0, median: 10.0, high: 12.0 };
            Row { mechanism: "m".to_string(), figure: "f", better, with: 1.0, difference }
        };
        assert!(row(Better::Low).stays());
        assert!(!row(Better::High).stays() && row(Better::High).loss().high == -6.0);
    }
}
