//! `rubellite ccbench`: runs the benchmark of that name, a Ruby program that the command carries with it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

const PROGRAM: &str = include_str!("../../../../bench/ccbench/ccbench.rb");

/// Runs the subcommand; `args` follow its name. Returns the exit status.
pub fn main(args: &[Vec<u8>]) -> i32 {
    match run(args) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("rubellite ccbench: {error}");
            2
        }
    }
}

fn run(args: &[Vec<u8>]) -> std::io::Result<i32> {
    let dir = std::env::temp_dir().join(format!("rubellite-ccbench-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let path = dir.join("ccbench.rb");
    std::fs::write(&path, PROGRAM)?;
    let words = args.iter().map(|arg| OsString::from_vec(arg.clone()));
    let status = std::env::current_exe().and_then(|ruby| Command::new(ruby).arg(&path).args(words).status());
    let _ = std::fs::remove_dir_all(&dir);
    status.map(|status| status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}
