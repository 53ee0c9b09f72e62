//! `rubellite races`: runs a program and tells of data races. It takes its own switches and becomes `rubellite --races
//! FILE`.

use super::command::{Command, Wrong, is_switch, system_text};
use super::explore::runnable;
use lexopt::Arg::{Long, Short};
use lexopt::Parser;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::process;

pub static COMMAND: Command = Command {
    name: "races",
    summary: "Run a program and tell where threads touch the same variable and nothing orders them",
    arguments: "[options] [options of Ruby] FILE [arguments]",
    about: "Runs FILE (or -e CODE) and reports data races on standard error: two accesses of different threads to a variable or to a part of
an Array or Hash, at least one of which changes it, that no lock, queue, join or other hand-over orders. Each pair of places is
reported once, with both stacks. The status is that of the program, or 1 when it would be 0 and a race was reported.
",
    switches: &[("--suppress=FILE", "Do not report races that a line of FILE fits: a variable, file, file:line or method; * is any text")],
    run: main,
};

fn main(words: Vec<OsString>) -> Result<i32, Wrong> {
    let mut races = OsString::from("--races");
    let mut parser = Parser::from_args(words);
    loop {
        let ours = |word: &OsStr| ["suppress", "help"].iter().any(|name| is_switch(word, name)) || word == "-h";
        if !parser.try_raw_args().is_some_and(|words| words.peek().is_some_and(ours)) {
            break;
        }
        match parser.next()? {
            Some(Long("suppress")) => {
                let file = parser.value()?;
                if let Err(error) = std::fs::File::open(&file) {
                    return Err(Wrong::Failed(format!("{}: {}", file.to_string_lossy(), system_text(&error))));
                }
                races = OsString::from("--races=");
                races.push(file);
            }
            Some(Long("help") | Short('h')) => return Err(Wrong::Help),
            Some(other) => return Err(other.unexpected().into()),
            None => break,
        }
    }
    let program: Vec<OsString> = parser.raw_args()?.collect();
    runnable(&program)?;
    Err(Wrong::Failed(process::Command::new(std::env::current_exe()?).arg(races).args(program).exec().to_string()))
}
