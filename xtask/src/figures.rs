//! Figures of conformance as the last whole runs gave them: `spec/FIGURES.md`, one table for each suite, one row for
//! each of its directories. A run with `--figures` replaces the rows of the directories that it ran whole; the rest
//! stays.

use crate::workspace;
use std::collections::BTreeMap;

const FILE: &str = "spec/FIGURES.md";
const HEAD: &str = "# Figures of conformance\n\nWritten by `cargo xtask spec --figures` and `cargo xtask cruby --figures`, not by hand.\n";

pub struct Table {
    /// The title of the section.
    pub title: &'static str,
    pub columns: &'static [&'static str],
}

pub const SPEC: Table = Table {
    title: "ruby/spec, by mspec",
    columns: &["directory", "files", "examples", "failures and errors", "crashes", "time limits", "passed %"],
};
pub const UNIT: Table = Table {
    title: "CRuby's unit tests",
    columns: &["directory", "files", "tests", "passed", "failed", "skipped by themselves"],
};

/// Puts rows (name and cells) into a table of the file.
pub fn record(table: &Table, rows: Vec<(String, Vec<String>)>) -> Result<(), String> {
    let path = workspace::root().join(FILE);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let mut text = HEAD.to_string();
    for known in [SPEC, UNIT] {
        let mut lines = rows_of(&old, known.title);
        if known.title == table.title {
            lines
                .extend(rows.iter().map(|(name, cells)| (name.clone(), format!("| {name} | {} |", cells.join(" | ")))));
        }
        text.push_str(&format!(
            "\n## {}\n\n| {} |\n|{}\n",
            known.title,
            known.columns.join(" | "),
            "---|".repeat(known.columns.len())
        ));
        lines.values().for_each(|line| text.push_str(&format!("{line}\n")));
    }
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The rows of a section, by their first cells.
fn rows_of(text: &str, title: &str) -> BTreeMap<String, String> {
    let section = text
        .lines()
        .skip_while(|line| *line != format!("## {title}"))
        .skip(1)
        .take_while(|line| !line.starts_with("## "));
    let rows = section.filter(|line| line.starts_with("| ")).skip(1);
    rows.filter_map(|line| Some((line.split('|').nth(1)?.trim().to_string(), line.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_are_found_by_section() {
        let text = "## A\n\n| directory | n |\n|---|---|\n| core | 1 |\n\n## B\n\n| directory | n |\n|---|---|\n| ruby | 2 |\n";
        assert_eq!(
            super::rows_of(text, "B").into_iter().collect::<Vec<_>>(),
            [("ruby".to_string(), "| ruby | 2 |".to_string())]
        );
    }
}
