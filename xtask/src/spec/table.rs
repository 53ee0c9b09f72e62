//! The figures of a spec run: one row per group of files.

use std::collections::BTreeMap;

use super::file::SpecFile;
use super::group;

#[derive(Default)]
struct Row {
    files: usize,
    examples: usize,
    failed: usize,
    errors: usize,
    crashes: usize,
    timeouts: usize,
}

impl Row {
    fn add(&mut self, file: &SpecFile) {
        self.files += 1;
        self.examples += file.examples;
        self.failed += file.failed;
        self.errors += file.errors;
        self.crashes += usize::from(file.crashed);
        self.timeouts += usize::from(file.timed_out);
    }

    /// Share of the examples that ran and passed, per cent. Examples behind a crash never ran and are not known.
    fn passed_percent(&self) -> f64 {
        let bad = (self.failed + self.errors + self.crashes + self.timeouts).min(self.examples);
        if self.examples == 0 { 0.0 } else { 100.0 * (self.examples - bad) as f64 / self.examples as f64 }
    }

    fn cells(&self) -> String {
        format!(
            "{:>6} {:>9} {:>9} {:>7} {:>8} {:>9} {:>7.2}",
            self.files,
            self.examples,
            self.failed,
            self.errors,
            self.crashes,
            self.timeouts,
            self.passed_percent()
        )
    }
}

fn rows(results: &[SpecFile]) -> (BTreeMap<String, Row>, Row) {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut total = Row::default();
    for result in results {
        rows.entry(group(&result.name)).or_default().add(result);
        total.add(result);
    }
    (rows, total)
}

pub fn print(results: &[SpecFile]) {
    let (rows, total) = rows(results);
    println!(
        "{:<28} {:>6} {:>9} {:>9} {:>7} {:>8} {:>9} {:>7}",
        "", "files", "examples", "failures", "errors", "crashes", "timeouts", "%"
    );
    for (name, row) in &rows {
        println!("{name:<28} {}", row.cells());
    }
    println!("{:<28} {}", "total", total.cells());
}

/// Rows of the directories that were named and have files: name and cells.
pub fn figures(names: &[String], results: &[SpecFile]) -> Vec<(String, Vec<String>)> {
    let rows = names.iter().map(|name| {
        let name = name.trim_end_matches('/').to_string();
        let mut row = Row::default();
        results.iter().filter(|result| result.name.starts_with(&format!("{name}/"))).for_each(|result| row.add(result));
        let counts = [row.files, row.examples, row.failed + row.errors, row.crashes, row.timeouts]
            .map(|count| count.to_string());
        (name, [counts.to_vec(), vec![format!("{:.2}", row.passed_percent())]].concat())
    });
    rows.filter(|(_, cells)| cells[0] != "0").collect()
}

pub fn json(results: &[SpecFile]) -> String {
    let (rows, total) = rows(results);
    let object = |row: &Row| {
        format!(
            "{{\"files\": {}, \"examples\": {}, \"failures\": {}, \"errors\": {}, \"crashes\": {}, \"timeouts\": {}, \"passed_percent\": {:.2}}}",
            row.files,
            row.examples,
            row.failed,
            row.errors,
            row.crashes,
            row.timeouts,
            row.passed_percent()
        )
    };
    let mut lines: Vec<String> = rows.iter().map(|(name, row)| format!("  \"{name}\": {}", object(row))).collect();
    lines.push(format!("  \"total\": {}", object(&total)));
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
