//! `cargo xtask diff`: runs programs on two Rubies and compares standard output and exit code. Both see the same copy
//! in the same place, so paths in the output are equal.

use std::path::{Path, PathBuf};

use crate::args::Args;
use crate::process::{Finished, Run};
use crate::workspace::{self, Staging};
use crate::{Outcome, pool};

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["oracle", "ruby", "timeout", "jobs"], &["verbose"])?;
    let oracle =
        workspace::ruby(Some(args.value("oracle").ok_or("--oracle RUBY must name the Ruby to compare with")?))?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    if args.names.is_empty() {
        return Err("name the programs, or directories of programs".to_string());
    }
    let staging = Staging::new("diff")?;
    let mut programs: Vec<PathBuf> = Vec::new();
    for (index, name) in args.names.iter().enumerate() {
        let from = Path::new(name);
        let place = PathBuf::from(index.to_string());
        if from.is_dir() {
            let copy = staging.copy_tree(from, &place)?;
            programs.extend(workspace::files_below(&copy, &|path| workspace::has_extension(path, "rb")));
        } else {
            let file = from.file_name().ok_or_else(|| format!("{name} is no file"))?;
            programs.push(staging.copy(from, &place.join(file))?);
        }
    }
    let limit = args.number("timeout", 60)? as f64;
    let results = pool::map(args.number("jobs", pool::JOBS_DEFAULT)?, &programs, |program| {
        let run =
            |ruby: &Path| Run::new(ruby).arg(program).dir(program.parent().unwrap_or(program)).limit(limit).finish();
        compare(&run(&ruby)?, &run(&oracle)?)
    });
    let mut failed = 0;
    for (program, result) in programs.iter().zip(&results) {
        if let Err(reason) = result {
            failed += 1;
            println!("{}: {reason}", program.strip_prefix(&staging.dir).unwrap_or(program).display());
        }
    }
    println!("{} passed, {failed} failed", results.len() - failed);
    Ok(failed == 0)
}

fn compare(ours: &Finished, theirs: &Finished) -> Result<(), String> {
    let (our_text, their_text) = (String::from_utf8_lossy(&ours.stdout), String::from_utf8_lossy(&theirs.stdout));
    if our_text != their_text {
        let mut pairs = our_text
            .lines()
            .map(Some)
            .chain(std::iter::repeat(None))
            .zip(their_text.lines().map(Some).chain(std::iter::repeat(None)));
        let differs = pairs.by_ref().enumerate().find(|(_, (a, b))| a != b || (a.is_none() && b.is_none()));
        let (index, (a, b)) = differs.unwrap_or((0, (None, None)));
        let stderr = String::from_utf8_lossy(&ours.stderr);
        let hint = stderr.lines().next().map(|line| format!("\n    stderr {line}")).unwrap_or_default();
        return Err(format!(
            "line {}\n    ours   {}\n    theirs {}{hint}",
            index + 1,
            a.unwrap_or("(the end)"),
            b.unwrap_or("(the end)")
        ));
    }
    if ours.end != theirs.end {
        let stderr = String::from_utf8_lossy(&ours.stderr);
        return Err(format!(
            "ours ended with {}, theirs with {}\n    stderr {}",
            ours.end,
            theirs.end,
            stderr.lines().next().unwrap_or("")
        ));
    }
    Ok(())
}
