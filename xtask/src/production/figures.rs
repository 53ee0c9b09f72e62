//! The figures of `cargo xtask production`: the middle one of all rounds, with the least and the largest.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Part;

/// The figures of the web server: the path in what `bin/shop figures` prints, what it is, and whether more is better.
pub const WEB: [(&str, &str, bool); 8] = [
    ("requests_s", "requests/s, mixed load", true),
    ("cpu_ms", "processor time per request, ms", false),
    ("cold_requests_s", "requests/s from the first request on", true),
    ("start_s", "start-up until the first answer, s", false),
    ("memory_end_mb", "resident memory, MB", false),
    ("alone.p99_ms", "p99 of a short request alone, ms", false),
    ("beside.p99_ms", "p99 of a short request beside a report, ms", false),
    ("beside.requests_s", "short requests/s beside a report", true),
];

pub const JOBS: [(&str, &str, bool); 4] = [
    ("alone_s", "jobs/s", true),
    ("beside_s", "jobs/s beside 2 jobs that compute", true),
    ("cpu_ms", "processor time per job, ms", false),
    ("memory_mb", "resident memory, MB", false),
];

/// Of one page of the mixed load.
pub const PAGE: [&str; 4] = ["requests_s", "p50_ms", "p99_ms", "p999_ms"];

/// What was measured of each part and Ruby, one value a round.
#[derive(Default)]
pub struct Samples {
    rows: Vec<(Part, usize, Value)>,
}

impl Samples {
    pub fn add(&mut self, part: Part, ruby: usize, figures: Value) {
        self.rows.push((part, ruby, figures));
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

impl Figure {
    /// None of no values.
    fn of(mut values: Vec<f64>) -> Option<Figure> {
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let half = values.len() / 2;
        let median = if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 };
        Some(Figure { low, median, high })
    }

    pub fn json(&self) -> Value {
        json!({ "low": self.low, "median": self.median, "high": self.high })
    }
}

pub struct Measured {
    pub rubies: Vec<String>,
    pub machine: String,
    samples: Samples,
}

impl Measured {
    pub fn new(rubies: Vec<String>, samples: Samples, machine: String) -> Measured {
        Measured { rubies, machine, samples }
    }

    /// The numbers of threads of the web server or of the jobs, ascending.
    pub fn threads(&self, web: bool) -> Vec<usize> {
        let mut threads: Vec<usize> =
            self.samples.rows.iter().filter_map(|(part, ..)| threads_of(*part, web)).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// The names of the pages of the mixed load.
    pub fn pages(&self) -> Vec<String> {
        let pages = self.samples.rows.iter().find_map(|(_, _, value)| value.get("pages")?.as_object());
        pages.map(|pages| pages.keys().cloned().collect()).unwrap_or_default()
    }

    pub fn figure(&self, part: Part, ruby: usize, path: &[&str]) -> Option<Figure> {
        let rows = self.samples.rows.iter().filter(|(found, index, _)| *found == part && *index == ruby);
        Figure::of(rows.filter_map(|(_, _, value)| at(value, path)).collect())
    }

    pub fn failed_requests(&self) -> u64 {
        self.samples.rows.iter().map(|(_, _, value)| failed(value)).sum()
    }

    /// Tables in Markdown.
    pub fn tables(&self) -> String {
        let mut text = format!("\n{}\n", self.machine);
        for (web, figures, server) in [(true, WEB.as_slice(), "Puma"), (false, JOBS.as_slice(), "Sidekiq")] {
            for threads in self.threads(web) {
                let part = if web { Part::Web(threads) } else { Part::Jobs(threads) };
                let names: String = self.rubies.iter().map(|name| format!(" {name} |")).collect();
                text +=
                    &format!("\n| {server}, {threads} threads |{names}\n|---|{}\n", "---:|".repeat(self.rubies.len()));
                for (path, name, _) in figures {
                    text += &self.row(part, name, &path.split('.').collect::<Vec<_>>());
                }
                for page in if web { self.pages() } else { Vec::new() } {
                    text += &self.page_row(part, &page);
                }
            }
        }
        match self.failed_requests() {
            0 => text,
            failed => format!("{text}\n{failed} requests failed\n"),
        }
    }

    fn row(&self, part: Part, name: &str, path: &[&str]) -> String {
        let cell = |ruby| {
            self.figure(part, ruby, path).map_or("- |".to_string(), |found| format!("{} |", number(found.median)))
        };
        format!("| {name} | {}\n", (0..self.rubies.len()).map(cell).collect::<Vec<_>>().join(" "))
    }

    fn page_row(&self, part: Part, page: &str) -> String {
        let cell = |ruby| {
            let found = PAGE.map(|key| self.figure(part, ruby, &["pages", page, key]));
            found.map(|figure| figure.map_or("-".to_string(), |figure| number(figure.median))).join(" / ") + " |"
        };
        let cells: Vec<String> = (0..self.rubies.len()).map(cell).collect();
        format!("| {page}: requests/s, p50 / p99 / p99.9 ms | {}\n", cells.join(" "))
    }

    pub fn json(&self) -> String {
        let mut parts: BTreeMap<String, Value> = BTreeMap::new();
        for (part, ruby, value) in &self.samples.rows {
            let entry = parts.entry(part_name(*part)).or_insert_with(|| json!({}));
            match entry.get_mut(&self.rubies[*ruby]).and_then(Value::as_array_mut) {
                Some(rounds) => rounds.push(value.clone()),
                None => entry[&self.rubies[*ruby]] = json!([value]),
            }
        }
        let medians = self.medians();
        let all = json!({ "machine": self.machine, "rubies": self.rubies, "rounds": parts, "figures": medians });
        serde_json::to_string_pretty(&all).expect("numbers and strings can be written") + "\n"
    }

    fn medians(&self) -> BTreeMap<String, Value> {
        let mut medians = BTreeMap::new();
        for (web, figures) in [(true, WEB.as_slice()), (false, JOBS.as_slice())] {
            for threads in self.threads(web) {
                let part = if web { Part::Web(threads) } else { Part::Jobs(threads) };
                let mut rubies = serde_json::Map::new();
                for (i, name) in self.rubies.iter().enumerate() {
                    let found = figures.iter().filter_map(|(path, ..)| {
                        let figure = self.figure(part, i, &path.split('.').collect::<Vec<_>>())?;
                        Some(((*path).to_string(), figure.json()))
                    });
                    rubies.insert(name.clone(), Value::Object(found.collect()));
                }
                medians.insert(part_name(part), Value::Object(rubies));
            }
        }
        medians
    }
}

fn part_name(part: Part) -> String {
    match part {
        Part::Web(threads) => format!("Puma, {threads} threads"),
        Part::Jobs(threads) => format!("Sidekiq, {threads} threads"),
    }
}

fn threads_of(part: Part, web: bool) -> Option<usize> {
    match part {
        Part::Web(threads) => web.then_some(threads),
        Part::Jobs(threads) => (!web).then_some(threads),
    }
}

fn at(value: &Value, path: &[&str]) -> Option<f64> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_f64()
}

/// The requests that failed, of all that a round counted.
fn failed(value: &Value) -> u64 {
    match value {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| if key == "failed" { value.as_u64().unwrap_or(0) } else { failed(value) })
            .sum(),
        _ => 0,
    }
}

/// One line while it runs.
pub fn summary(value: &Value) -> String {
    let keys = ["requests_s", "cpu_ms", "memory_end_mb", "alone_s", "beside_s"];
    let found = keys.iter().filter_map(|key| Some(format!("{key} {}", number(at(value, &[key])?))));
    found.collect::<Vec<_>>().join(", ")
}

/// Three digits that count.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        let mut samples = Samples::default();
        for (requests, p99, failed) in [(100.0, 5.0, 0), (300.0, 4.0, 1), (110.0, 9.0, 0)] {
            let page =
                json!({ "requests_s": requests, "p50_ms": 1.0, "p99_ms": p99, "p999_ms": 20.0, "failed": failed });
            let figures =
                json!({ "requests_s": requests, "pages": { "/a": page }, "alone": { "p99_ms": p99, "failed": 0 } });
            samples.add(Part::Web(16), 0, figures);
        }
        samples.add(Part::Jobs(5), 1, json!({ "alone_s": 12.0, "beside_s": 0.0 }));
        Measured::new(vec!["a".to_string(), "b --jit".to_string()], samples, "a machine".to_string())
    }

    #[test]
    fn figures_are_the_middle_ones() {
        let figure = measured().figure(Part::Web(16), 0, &["requests_s"]).unwrap();
        assert_eq!(figure, Figure { low: 100.0, median: 110.0, high: 300.0 });
        assert_eq!(Figure::of(vec![1.0, 4.0]).unwrap().median, 2.5);
        assert!(Figure::of(Vec::new()).is_none());
        assert!(measured().figure(Part::Web(16), 1, &["requests_s"]).is_none());
    }

    #[test]
    fn failed_requests_are_counted_wherever_they_are() {
        assert_eq!(measured().failed_requests(), 1);
    }

    #[test]
    fn tables_have_a_column_for_each_ruby() {
        let text = measured().tables();
        assert!(text.contains("| Puma, 16 threads | a | b --jit |"), "{text}");
        assert!(text.contains("| requests/s, mixed load | 110 | - |"), "{text}");
        assert!(text.contains("| /a: requests/s, p50 / p99 / p99.9 ms | 110 / 1.00 / 5.00 / 20.0 |"), "{text}");
        assert!(text.contains("| jobs/s beside 2 jobs that compute | - | 0.00 |"), "{text}");
        assert!(text.contains("1 requests failed"), "{text}");
    }

    #[test]
    fn json_keeps_the_rounds() {
        let json: Value = serde_json::from_str(&measured().json()).unwrap();
        assert_eq!(json["rounds"]["Puma, 16 threads"]["a"][1]["requests_s"], 300.0);
        assert_eq!(json["figures"]["Puma, 16 threads"]["a"]["alone.p99_ms"]["median"], 5.0);
        assert_eq!(json["figures"]["Sidekiq, 5 threads"]["b --jit"]["alone_s"]["high"], 12.0);
    }
}
