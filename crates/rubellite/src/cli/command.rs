//! What the subcommands have in common: their table, the text of `--help`, and what a wrong word is answered with: the
//! reason and the usage on standard error, status 2.

use super::{attach, ccbench, explore, races, record};
use lexopt::Parser;
use rubellite_vm::complain;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// A subcommand. The manual page and the completions of the shells name the same switches.
pub struct Command {
    pub name: &'static str,
    /// One line for the help of the main command.
    pub summary: &'static str,
    /// What may follow the name.
    pub arguments: &'static str,
    pub about: &'static str,
    /// Switches as they are written, with what they do.
    pub switches: &'static [(&'static str, &'static str)],
    /// Takes what follows the name, and returns the exit status.
    pub run: fn(Vec<OsString>) -> Result<i32, Wrong>,
}

/// Why a subcommand was not run.
pub enum Wrong {
    /// Help was asked for.
    Help,
    /// What is wrong with its words.
    Words(String),
    /// It could not do its work.
    Failed(String),
}

pub static COMMANDS: &[&Command] =
    &[&explore::COMMAND, &races::COMMAND, &ccbench::COMMAND, &attach::DUMP, &attach::TOP, &record::COMMAND];

impl From<lexopt::Error> for Wrong {
    fn from(error: lexopt::Error) -> Wrong {
        Wrong::Words(error.to_string())
    }
}

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Wrong {
        Wrong::Failed(system_text(&error))
    }
}

/// The system's words for an error, without its number.
pub fn system_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => text.replace(&format!(" (os error {number})"), ""),
        None => text,
    }
}

impl Command {
    pub fn usage(&self) -> String {
        let mut text = format!("Usage: rubellite {} {}\n{}\n", self.name, self.arguments, self.about);
        let switches = self.switches.iter().chain(&[("-h, --help", "Print this text")]);
        let width = switches.clone().map(|(switch, _)| switch.len()).max().unwrap_or(0);
        switches.for_each(|(switch, meaning)| text.push_str(&format!("  {switch:width$}  {meaning}\n")));
        text
    }

    /// Runs it with the words that follow its name; the exit status.
    pub fn start(&self, words: &[Vec<u8>]) -> i32 {
        let words = words.iter().map(|word| OsString::from_vec(word.clone())).collect();
        match (self.run)(words) {
            Ok(status) => status,
            Err(Wrong::Help) => {
                super::print(&self.usage());
                0
            }
            Err(Wrong::Words(reason)) => {
                complain!("rubellite {}: {reason}\n\n{}", self.name, self.usage().trim_end());
                2
            }
            Err(Wrong::Failed(reason)) => {
                complain!("rubellite {}: {reason}", self.name);
                2
            }
        }
    }
}

/// A subcommand by its name, unless a program of that name lies here.
pub fn find(word: &[u8]) -> Option<&'static Command> {
    let found = COMMANDS.iter().find(|command| command.name.as_bytes() == word)?;
    if Path::new(found.name).exists() { None } else { Some(found) }
}

/// The subcommand that was meant by a word that is neither one nor a file: two letters are wrong at most, of short
/// names one.
pub fn meant(word: &str) -> Option<&'static str> {
    let close = |name: &str| distance(word.as_bytes(), name.as_bytes()) <= if name.len() > 5 { 2 } else { 1 };
    COMMANDS.iter().map(|command| command.name).find(|name| close(name))
}

/// How many letters are to be put in, taken out, replaced or changed about with the next one (optimal string
/// alignment).
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The value of a switch, as a number that is at least `min`.
pub fn number<T>(parser: &mut Parser, switch: &str, min: T) -> Result<T, Wrong>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let text = parser.value()?;
    let found = text.to_str().and_then(|text| text.parse::<T>().ok()).filter(|number| *number >= min);
    found.ok_or_else(|| {
        Wrong::Words(format!("--{switch} needs a number that is at least {min}, not {:?}", text.to_string_lossy()))
    })
}

/// Whether `word` is the option `--NAME` or `--NAME=VALUE`.
pub fn is_switch(word: &OsStr, name: &str) -> bool {
    let word = word.to_string_lossy();
    word.strip_prefix("--").is_some_and(|word| word.split('=').next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn words_that_are_nearly_a_subcommand() {
        for (word, command) in [
            ("expolre", Some("explore")),
            ("race", Some("races")),
            ("tpo", Some("top")),
            ("recrd", Some("record")),
            ("dumb", Some("dump")),
        ] {
            assert_eq!(meant(word), command, "{word}");
        }
        for word in ["", "main.rb", "rake", "tool", "x", "server", "./races.rb"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }
}
