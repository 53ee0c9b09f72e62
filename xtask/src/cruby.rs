//! CRuby's own first suites, run on our binary: `bootstraptest` (assertion by assertion, each in a process of its own;
//! `spec/bootstraptest_list.rb` lists them) and `basictest` (one program that counts for itself).

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::args::Args;
use crate::expected::Expected;
use crate::process::{End, Finished, Run};
use crate::workspace::{self, Staging};
use crate::{Outcome, events, pool};

const LIST: &str = "spec/tags/bootstraptest.txt";
const LIMIT_SECONDS: f64 = 20.0;

struct Assertion {
    /// `test_block.rb 12`: the file and the place in it, counted from one.
    name: String,
    kind: String,
    source: String,
    expected: String,
    flags: Vec<String>,
    limit: f64,
    frozen: String,
}

pub fn bootstraptest(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["path", "ruby", "jobs"], &["update", "verbose"])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let checkout = Path::new(args.value("path").ok_or("--path CRUBY must name a checkout of CRuby")?);
    let (suite, library) = (checkout.join("bootstraptest"), checkout.join("lib"));
    let staging = Staging::new("bootstraptest")?;
    let lister = staging.copy(&workspace::root().join("spec/bootstraptest_list.rb"), Path::new("list.rb"))?;
    let copies = staging.copy_tree(&suite, Path::new("suite"))?;
    let files: Vec<PathBuf> = workspace::files_below(&copies, &|path| selected(path, &args.names));
    if files.is_empty() {
        return Err(format!("no test files in {}", suite.display()));
    }
    let mut assertions = Vec::new();
    let mut failures: Vec<(String, String)> = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match list(&ruby, &lister, file, &name) {
            Ok(found) => assertions.extend(found),
            Err(reason) => failures.push((format!("{name} (load)"), reason)),
        }
    }
    let jobs = args.number("jobs", pool::JOBS_DEFAULT)?;
    let verdicts = pool::map(jobs, &assertions, |assertion| run_one(&ruby, &staging, &library, assertion));
    for (assertion, verdict) in assertions.iter().zip(verdicts) {
        if let Err(reason) = verdict {
            failures.push((assertion.name.clone(), format!("{reason}\n{}", excerpt(&assertion.source))));
        }
    }
    let total = assertions.len() + failures.iter().filter(|(name, _)| name.ends_with("(load)")).count();
    if args.has("update") {
        let entries: BTreeSet<String> = failures.iter().map(|(name, _)| name.clone()).collect();
        println!("{} of {total} fail", entries.len());
        return Expected::write(&workspace::root().join(LIST), &entries).map(|()| true);
    }
    let list = if workspace::is_foreign(args.value("ruby")) {
        Expected::default()
    } else {
        Expected::read(&workspace::root().join(LIST))
    };
    Ok(report(&assertions, &failures, &list, total))
}

fn selected(path: &Path, filters: &[String]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let test = name.starts_with("test_") && name.ends_with(".rb");
    test && (filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())))
}

fn list(ruby: &Path, lister: &Path, file: &Path, name: &str) -> Result<Vec<Assertion>, String> {
    let finished = Run::new(ruby).arg("-W0").arg(lister).arg(file).limit(LIMIT_SECONDS).finish()?;
    if finished.end != End::Exit(0) {
        return Err(format!("{}\n{}", finished.end, String::from_utf8_lossy(&finished.stderr).trim()));
    }
    let (_, events) = events::split(&finished.stdout);
    let assertions = events.iter().enumerate().filter_map(|(index, event)| {
        let mut fields = event.split('\x03').map(str::to_string);
        let mut next = || fields.next();
        let (kind, source, expected) = (next()?, next()?, next()?);
        let flags = next()?.split_whitespace().map(str::to_string).collect();
        let limit = next()?.parse().unwrap_or(LIMIT_SECONDS).min(60.0);
        let name = format!("{name} {}", index + 1);
        Some(Assertion { name, kind, source, expected, flags, limit, frozen: next()? })
    });
    Ok(assertions.collect())
}

fn run_one(ruby: &Path, staging: &Staging, library: &Path, assertion: &Assertion) -> Result<(), String> {
    let dir = assertion.name.replace(' ', "_");
    let magic = if assertion.frozen.is_empty() {
        String::new()
    } else {
        format!("# frozen_string_literal: {}\n", assertion.frozen)
    };
    let skip = "class BT_Skip < Exception; end; def skip(message) = raise(BT_Skip, message.to_s)";
    let program = format!("{magic}\n{skip}\nprint(begin; {}; rescue BT_Skip; $!.message; end)\n", assertion.source);
    let path = staging.write(&Path::new(&dir).join("test.rb"), program.as_bytes())?;
    let syntax_only: &[&str] = if assertion.kind == "valid_syntax" { &["-c"] } else { &[] };
    let finished = Run::new(ruby)
        .arg("-W0")
        .args(&assertion.flags)
        .args(syntax_only)
        .arg(&path)
        .env("RUBELLITE_STDLIB", library)
        .dir(path.parent().unwrap_or(&staging.dir))
        .limit(assertion.limit)
        .finish()?;
    let verdict = judge(ruby, assertion, &finished);
    let _ = std::fs::remove_dir_all(staging.dir.join(&dir));
    verdict
}

fn judge(ruby: &Path, assertion: &Assertion, finished: &Finished) -> Result<(), String> {
    let stdout = String::from_utf8_lossy(&finished.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
    let told = || format!("{}: {stdout:?}\n{}", finished.end, excerpt(&stderr));
    if finished.end == End::Timeout {
        return Err(told());
    }
    let good = match assertion.kind.as_str() {
        "equal" => stdout == assertion.expected,
        "match" => matches(ruby, assertion, &stdout)?,
        "not_match" => !matches(ruby, assertion, &stdout)?,
        "valid_syntax" => stdout.contains("Syntax OK"),
        "normal_exit" => match finished.end {
            End::Signal(number) => {
                signal_name(number).is_some_and(|name| assertion.expected.split(',').any(|ignored| ignored == name))
            }
            _ => true,
        },
        _ => true,
    };
    if good { Ok(()) } else { Err(format!("expected {} {:?}, {}", assertion.kind, assertion.expected, told())) }
}

/// Only a Ruby can tell what its regular expression matches.
fn matches(ruby: &Path, assertion: &Assertion, output: &str) -> Result<bool, String> {
    let program = format!("print(({} =~ STDIN.read) ? 1 : 0)", assertion.expected);
    let finished = Run::new(ruby).args(["-e", &program]).stdin(output.as_bytes()).limit(LIMIT_SECONDS).finish()?;
    Ok(finished.stdout == b"1")
}

fn signal_name(number: i32) -> Option<&'static str> {
    match number {
        libc::SIGKILL => Some("KILL"),
        libc::SIGTERM => Some("TERM"),
        libc::SIGINT => Some("INT"),
        libc::SIGABRT => Some("ABRT"),
        libc::SIGSEGV => Some("SEGV"),
        libc::SIGPIPE => Some("PIPE"),
        _ => None,
    }
}

fn report(assertions: &[Assertion], failures: &[(String, String)], list: &Expected, total: usize) -> bool {
    let mut unexpected = 0;
    for (name, reason) in failures.iter().filter(|(name, _)| !list.contains(name)) {
        unexpected += 1;
        println!("{name}: {}", reason.replace('\n', "\n    "));
    }
    let failed: BTreeSet<&str> = failures.iter().map(|(name, _)| name.as_str()).collect();
    for assertion in assertions
        .iter()
        .filter(|assertion| list.contains(&assertion.name) && !failed.contains(assertion.name.as_str()))
    {
        unexpected += 1;
        println!("unexpected pass: {}", assertion.name);
    }
    println!("{} expected failures", failures.iter().filter(|(name, _)| list.contains(name)).count());
    println!("{} passed, {unexpected} failed", total - failures.len());
    unexpected == 0
}

fn excerpt(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(8).collect();
    lines.join("\n")
}

pub fn basictest(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["path", "ruby", "timeout"], &[])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let suite = Path::new(args.value("path").ok_or("--path CRUBY must name a checkout of CRuby")?).join("basictest");
    let staging = Staging::new("basictest")?;
    let program = staging.copy(&suite.join("test.rb"), Path::new("basictest/test.rb"))?;
    let limit = args.number("timeout", 120)? as f64;
    // The suite starts its children by this name.
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", ruby.display());
    let child = staging.write(Path::new("miniruby"), script.as_bytes())?;
    std::fs::set_permissions(&child, std::fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    let finished =
        Run::new(&ruby).arg("-W1").arg(&program).env("RUBY", &child).dir(&staging.dir).limit(limit).finish()?;
    let mut output = String::from_utf8_lossy(&finished.stdout).into_owned();
    output.push_str(&String::from_utf8_lossy(&finished.stderr));
    for line in output.lines().filter(|line| line.contains("not ok")) {
        println!("{line}");
    }
    let last = output.lines().find(|line| line.contains("end of test(test:") || line.contains("not ok/test:"));
    let Some(line) = last else {
        let lines: Vec<&str> = output.lines().collect();
        println!("{}\n{}", finished.end, lines[lines.len().saturating_sub(8)..].join("\n"));
        let passed: usize =
            output.lines().filter_map(|line| line.rsplit_once("OK ")?.1.trim().parse::<usize>().ok()).sum();
        println!("{passed} passed, 1 failed");
        return Ok(false);
    };
    let found: Vec<usize> =
        line.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    let (ran, failed) = (found.first().copied().unwrap_or(0), found.get(1).copied().unwrap_or(0));
    println!("{} passed, {failed} failed", ran.saturating_sub(failed));
    Ok(failed == 0)
}
