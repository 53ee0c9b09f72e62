//! Lists of expected failures: one per line, `#` begins a comment. A list is a debt that may only be paid: a failure
//! that is not listed and a listed one that does not fail are both errors.

use std::collections::BTreeSet;
use std::path::Path;

#[derive(Default)]
pub struct Expected {
    entries: BTreeSet<String>,
}

impl Expected {
    /// Reads a list; a missing file is an empty list.
    pub fn read(path: &Path) -> Expected {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Expected { entries: lines.map(str::to_string).collect() }
    }

    pub fn contains(&self, entry: &str) -> bool {
        self.entries.contains(entry)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(String::as_str)
    }

    /// Writes `entries` under the `#` lines that head the old file; an empty list without such lines is removed.
    pub fn write(path: &Path, entries: &BTreeSet<String>) -> Result<(), String> {
        let old = std::fs::read_to_string(path).unwrap_or_default();
        let mut text: String =
            old.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        if text.is_empty() && entries.is_empty() {
            let _ = std::fs::remove_file(path);
            return Ok(());
        }
        for entry in entries {
            text.push_str(entry);
            text.push('\n');
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}
