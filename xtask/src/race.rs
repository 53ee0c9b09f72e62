//! `cargo xtask race`: one thread runs an operation that may leave the lock while another changes its object.
//! `hostile/race.rb` has the operations, and knows which of them promise the result of one of the two orders. Children
//! run as they are, under stress and under a fixed schedule in turn.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::args::Args;
use crate::process::{End, Run};
use crate::{Outcome, workspace};

const PROGRAM: &str = "xtask/src/hostile/race.rb";
const SECONDS: usize = 60;
/// Operations of one child; under stress and schedules fewer.
const ROUNDS: usize = 150;
const SLOW_ROUNDS: usize = 40;
const CHILD_SECONDS: f64 = 180.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["seconds", "seed", "only", "ruby"], &[])?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis() as usize);
    let ruby = workspace::ruby(args.value("ruby"))?;
    let first = args.number("seed", clock)?;
    let only = args.value("only").unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(args.number("seconds", SECONDS)? as u64);
    let (mut children, mut failed) = (0, 0);
    while children == 0 || Instant::now() < deadline {
        let seed = first + children;
        let (mode, rounds) =
            [("", ROUNDS), ("RUBELLITE_STRESS=switch", SLOW_ROUNDS), ("--schedule", SLOW_ROUNDS)][children % 3];
        let staging = workspace::Staging::new("race")?;
        let mut child = Run::new(&ruby).dir(&staging.dir).limit(CHILD_SECONDS);
        match mode {
            "" => {}
            "--schedule" => child = child.arg(format!("--schedule={seed}")),
            _ => child = child.env("RUBELLITE_STRESS", "switch"),
        }
        let end = child
            .arg(workspace::root().join(PROGRAM))
            .arg(seed.to_string())
            .arg(rounds.to_string())
            .arg(only)
            .finish()?;
        let (stdout, stderr) = (String::from_utf8_lossy(&end.stdout), String::from_utf8_lossy(&end.stderr));
        let panicked = stderr.contains("panicked at") || stderr.contains("[BUG]");
        if end.end != End::Exit(0) || panicked || !stdout.contains("rounds") {
            failed += 1;
            let from = stderr.lines().count().saturating_sub(12);
            let last: Vec<&str> = stderr.lines().skip(from).collect();
            println!("race: seed {seed} {mode}: {}\n{stdout}{}", end.end, last.join("\n"));
        }
        children += 1;
    }
    println!("race: {} children passed, {failed} failed (seeds from {first})", children - failed);
    Ok(failed == 0)
}
