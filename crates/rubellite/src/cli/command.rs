//! What the subcommands have in common: their table, the text of `--help`, and what a wrong word is answered with: the reason and the
//! usage on standard error, status 2.

use super::{attach, ccbench, explore, races, record};
use lexopt::Parser;
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

pub static COMMANDS: &[&Command] = &[&explore::COMMAND, &races::COMMAND, &ccbench::COMMAND, &attach::DUMP, &attach::TOP, &record::COMMAND];

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
                eprint!("rubellite {}: {reason}\n\n{}", self.name, self.usage());
                2
            }
            Err(Wrong::Failed(reason)) => {
                eprintln!("rubellite {}: {reason}", self.name);
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

/// The value of a switch, as a number that is at least `min`.
pub fn number<T>(parser: &mut Parser, switch: &str, min: T) -> Result<T, Wrong>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let text = parser.value()?;
    let found = text.to_str().and_then(|text| text.parse::<T>().ok()).filter(|number| *number >= min);
    found.ok_or_else(|| Wrong::Words(format!("--{switch} needs a number that is at least {min}, not {:?}", text.to_string_lossy())))
}

/// Whether `word` is the option `--NAME` or `--NAME=VALUE`.
pub fn is_switch(word: &OsStr, name: &str) -> bool {
    let word = word.to_string_lossy();
    word.strip_prefix("--").is_some_and(|word| word.split('=').next() == Some(name))
}
