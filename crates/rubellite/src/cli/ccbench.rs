//! `rubellite ccbench`: runs the benchmark of that name, a Ruby program that the command carries with it. It runs on
//! other Rubies, too, and so reads its options itself.

use super::command::{Command, Wrong};
use std::ffi::OsString;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

/// Its files; the first is the program.
const FILES: [(&str, &str); 3] = [
    ("ccbench.rb", include_str!("../../../../bench/ccbench/ccbench.rb")),
    ("figures.rb", include_str!("../../../../bench/ccbench/figures.rb")),
    ("page.rb", include_str!("../../../../bench/ccbench/page.rb")),
];

pub static COMMAND: Command = Command {
    name: "ccbench",
    summary: "Measure how threads that wait fare beside threads that compute, on this Ruby and others",
    arguments: "[options] [KINDS]",
    about: "",
    switches: &[],
    run: main,
};

fn main(words: Vec<OsString>) -> Result<i32, Wrong> {
    // A directory that nobody else has made or may write to: what lies in it is run.
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    let dir = std::env::temp_dir().join(format!("rubellite-ccbench-{}-{nanos}", process::id()));
    std::fs::DirBuilder::new().mode(0o700).create(&dir)?;
    let status = start(&dir, words);
    let _ = std::fs::remove_dir_all(&dir);
    let status = status?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Writes the files into `dir`, runs the program there and gives its status.
fn start(dir: &Path, words: Vec<OsString>) -> std::io::Result<process::ExitStatus> {
    for (name, text) in FILES {
        std::fs::write(dir.join(name), text)?;
    }
    process::Command::new(std::env::current_exe()?).arg(dir.join(FILES[0].0)).args(words).status()
}
