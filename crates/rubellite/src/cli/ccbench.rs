//! `rubellite ccbench`: runs the benchmark of that name, a Ruby program that the command carries with it. It runs on other Rubies, too,
//! and so reads its options itself.

use super::command::{Command, Wrong};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process;

const PROGRAM: &str = include_str!("../../../../bench/ccbench/ccbench.rb");

pub static COMMAND: Command = Command {
    name: "ccbench",
    summary: "Measure how threads that wait fare beside threads that compute, on this Ruby and others",
    arguments: "[options] [KINDS]",
    about: "",
    switches: &[],
    run: main,
};

fn main(words: Vec<OsString>) -> Result<i32, Wrong> {
    let dir = std::env::temp_dir().join(format!("rubellite-ccbench-{}", process::id()));
    std::fs::create_dir_all(&dir)?;
    let path = dir.join("ccbench.rb");
    let status =
        std::fs::write(&path, PROGRAM).and_then(|()| std::env::current_exe()).and_then(|ruby| process::Command::new(ruby).arg(&path).args(words).status());
    let _ = std::fs::remove_dir_all(&dir);
    let status = status?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}
