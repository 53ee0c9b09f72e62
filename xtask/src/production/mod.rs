//! `cargo xtask production`: the Rails application of `examples/shop` on Puma and Sidekiq, the same load on several
//! Rubies. `bin/shop figures` starts the servers and measures one of them; this file chooses what is measured in which
//! order, `figures` reads and sums up, `page` draws. Rubies take turns within each round, so that a machine that is
//! busy for a while is so for all of them.

mod figures;
mod page;

use std::path::PathBuf;

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, root};
use figures::{Measured, Samples};

const WEB_THREADS: [usize; 4] = [1, 4, 16, 32];
const JOB_THREADS: [usize; 3] = [5, 10, 25];
const PORT: &str = "3107";

/// A Ruby and the options that its servers are started with.
pub struct Ruby {
    pub name: String,
    program: PathBuf,
    options: String,
}

impl Ruby {
    /// The program and behind it the options.
    fn parse(command: &str) -> Result<Ruby, String> {
        let (program, options) = command.trim().split_once(' ').unwrap_or((command.trim(), ""));
        let program = workspace::ruby(Some(program))?;
        let file = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Ruby {
            name: format!("{file} {options}").trim_end().to_string(),
            program,
            options: options.trim().to_string(),
        })
    }
}

/// What is measured once: the web server or the jobs, with so many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Web(usize),
    Jobs(usize),
}

struct Plan {
    parts: Vec<Part>,
    rounds: usize,
    seconds: usize,
    sqlite: bool,
}

pub fn run(words: &[String]) -> Outcome {
    let (words, others) = others(words)?;
    let args = Args::parse(&words, &["ruby", "rounds", "seconds", "json", "html", "only"], &["quick", "sqlite"])?;
    let mut rubies = vec![match args.value("ruby") {
        Some(command) => Ruby::parse(command)?,
        None => Ruby::parse(&workspace::ruby(None)?.to_string_lossy())?,
    }];
    for other in &others {
        rubies.push(Ruby::parse(other)?);
    }
    let plan = plan(&args)?;
    let missing = missing(&rubies, plan.sqlite);
    if !missing.is_empty() {
        return Err(format!("production needs what is not here: {}", missing.join(", ")));
    }
    let samples = measure(&rubies, &plan)?;
    let names: Vec<String> = rubies.iter().map(|ruby| ruby.name.clone()).collect();
    let measured = Measured::new(names, samples, machine(&plan));
    print!("{}", measured.tables());
    if let Some(path) = args.value("json") {
        std::fs::write(path, measured.json()).map_err(|error| format!("{path}: {error}"))?;
    }
    if let Some(path) = args.value("html") {
        std::fs::write(path, page::html(&measured)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(measured.failed_requests() == 0)
}

/// The words behind `--with` up to the next option, each a Ruby, and all other words. `Args` knows options with one
/// value only.
fn others(words: &[String]) -> Result<(Vec<String>, Vec<String>), String> {
    let Some(at) = words.iter().position(|word| word == "--with") else {
        return Ok((words.to_vec(), Vec::new()));
    };
    let behind = &words[at + 1..];
    let count = behind.iter().take_while(|word| !word.starts_with("--")).count();
    if count == 0 {
        return Err("--with needs a Ruby, such as \"ruby --yjit\"".to_string());
    }
    Ok(([&words[..at], &behind[count..]].concat(), behind[..count].to_vec()))
}

fn plan(args: &Args) -> Result<Plan, String> {
    let quick = args.has("quick");
    let (web, jobs): (&[usize], &[usize]) = if quick { (&[16], &[25]) } else { (&WEB_THREADS, &JOB_THREADS) };
    let web = web.iter().map(|&threads| Part::Web(threads));
    let jobs = jobs.iter().map(|&threads| Part::Jobs(threads));
    let parts: Vec<Part> = match args.value("only") {
        None => web.chain(jobs).collect(),
        Some("web") => web.collect(),
        Some("jobs") => jobs.collect(),
        Some(other) => return Err(format!("--only takes web or jobs, not {other}")),
    };
    let (rounds, seconds) = if quick { (1, 3) } else { (3, 10) };
    Ok(Plan {
        parts,
        rounds: args.number("rounds", rounds)?.max(1),
        seconds: args.number("seconds", seconds)?.max(1),
        sqlite: args.has("sqlite"),
    })
}

/// The programs and gems that are not there, each with what would bring it.
fn missing(rubies: &[Ruby], sqlite: bool) -> Vec<String> {
    let mut missing = Vec::new();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |name: &str| std::env::split_paths(&path).any(|dir| dir.join(name).is_file());
    for (program, package) in [("wrk", "wrk"), ("redis-server", "redis-server")] {
        if !found(program) {
            missing.push(format!("{program} (package {package})"));
        }
    }
    let servers = std::fs::read_dir("/usr/lib/postgresql").is_ok_and(|mut entries| entries.next().is_some());
    if !sqlite && !servers {
        missing.push("PostgreSQL (package postgresql; --sqlite does without)".to_string());
    }
    for ruby in rubies {
        let check = Run::new(&ruby.program).args(["-S", "bundle", "check"]).dir(&shop()).env("RUBYOPT", "");
        let check = match std::env::var("BUNDLE_GEMFILE") {
            Ok(file) => check.env("BUNDLE_GEMFILE", file),
            Err(_) => check,
        };
        match check.limit(60.0).finish() {
            Err(error) => missing.push(error),
            Ok(finished) if finished.end != End::Exit(0) => {
                missing.push(format!("the gems of examples/shop for {} (bundle install)", ruby.name));
            }
            Ok(_) => {}
        }
    }
    missing
}

fn shop() -> PathBuf {
    root().join("examples/shop")
}

/// One list of samples for each part and Ruby.
fn measure(rubies: &[Ruby], plan: &Plan) -> Result<Samples, String> {
    let mut samples = Samples::default();
    for round in 0..plan.rounds {
        for &part in &plan.parts {
            // Each begins once.
            for turn in 0..rubies.len() {
                let i = (turn + round) % rubies.len();
                let figures = once(&rubies[i], part, plan)?;
                eprintln!("round {}, {part:?}, {}: {}", round + 1, rubies[i].name, figures::summary(&figures));
                samples.add(part, i, figures);
            }
        }
    }
    Ok(samples)
}

fn once(ruby: &Ruby, part: Part, plan: &Plan) -> Result<serde_json::Value, String> {
    let (word, variable, threads) = match part {
        Part::Web(threads) => ("web", "SHOP_THREADS", threads),
        Part::Jobs(threads) => ("jobs", "SHOP_JOBS", threads),
    };
    let run = Run::new(&ruby.program).args(["bin/shop", "figures", word]).dir(&shop());
    let run = if plan.sqlite { run.arg("--sqlite") } else { run };
    let port = std::env::var("SHOP_PORT").unwrap_or_else(|_| PORT.to_string());
    let run = run.env("SHOP_PORT", port).env("SHOP_RUBYOPT", &ruby.options).env("SECONDS", plan.seconds.to_string());
    let run = run.env(variable, threads.to_string()).limit(240.0 + 12.0 * plan.seconds as f64);
    let finished = run.finish()?;
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let parsed = text.lines().last().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let figures = parsed.and_then(|mut value| value.get_mut(word).map(serde_json::Value::take));
    match figures {
        Some(figures) if finished.end == End::Exit(0) => Ok(figures),
        _ => Err(format!(
            "{}, {part:?}: {}\n{text}{}",
            ruby.name,
            finished.end,
            String::from_utf8_lossy(&finished.stderr)
        )),
    }
}

/// What the figures were taken on and how.
fn machine(plan: &Plan) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, name)| name);
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').nth(2).unwrap_or("?");
    let database = if plan.sqlite { "SQLite" } else { "PostgreSQL" };
    format!(
        "{processors} processors ({model}), {database}, {} rounds of {} s a figure; load average {load} at the end",
        plan.rounds, plan.seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn rubies_follow_with_up_to_the_next_option() {
        let (rest, others) = others(&words(&["--quick", "--with", "ruby --yjit", "ruby", "--json", "a"])).unwrap();
        assert_eq!(rest, words(&["--quick", "--json", "a"]));
        assert_eq!(others, words(&["ruby --yjit", "ruby"]));
        assert!(super::others(&words(&["--with", "--quick"])).is_err());
    }

    #[test]
    fn a_ruby_has_options() {
        let ruby = Ruby::parse("ruby --yjit --yjit-exec-mem-size=64").unwrap();
        assert_eq!(ruby.name, "ruby --yjit --yjit-exec-mem-size=64");
        assert_eq!(ruby.options, "--yjit --yjit-exec-mem-size=64");
    }

    #[test]
    fn a_quick_plan_has_one_part_of_each() {
        let args = Args::parse(&words(&["--quick"]), &[], &["quick"]).unwrap();
        assert_eq!(plan(&args).unwrap().parts, [Part::Web(16), Part::Jobs(25)]);
        let args = Args::parse(&words(&["--only=games"]), &["only"], &[]).unwrap();
        assert!(plan(&args).is_err());
    }
}
