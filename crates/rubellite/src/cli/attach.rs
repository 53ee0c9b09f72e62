//! `rubellite dump` and `top`, and how all commands ask a running process of the same user. What they show the process
//! itself says, on a socket that it opens when it gets the signal that is kept for that
//! (`rubellite_core_process::attach`).

use super::command::{Command, Wrong, number, system_text};
use super::top;
use lexopt::Arg::{Long, Short, Value};
use lexopt::Parser;
use rubellite_core_process::attach::{VARIABLE, directory, is_private, own_user, signal_from, socket_of};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

pub static DUMP: Command = Command {
    name: "dump",
    summary: "Show the stacks of all threads of a running process, and who holds and waits for which mutex",
    arguments: "[options] PID",
    about: "Shows what every thread of a running Rubellite process does, with its stack and the mutexes that it holds and waits for.
The process must be of the same user. It notices nothing but a wait of some microseconds.
",
    switches: &[("--locals", "Show local variables, too"), ("--json", "Write JSON")],
    run: |words| run(words, "dump"),
};

pub static TOP: Command = Command {
    name: "top",
    summary: "Show which threads of a running process hold and wait for the lock",
    arguments: "[options] PID",
    about: "Shows again and again which part of the time the threads of a running Rubellite process held the lock and waited for it, behind
whom, and where they are. On a terminal it is a screen with keys (h shows them), else a table each time.
",
    switches: &[("--once", "Show it once"), ("--json", "Write JSON"), ("--delay=SECONDS", "How long is measured each time (1)")],
    run: |words| run(words, "top"),
};

/// How long a process may take to open its socket.
const PATIENCE: Duration = Duration::from_secs(10);
/// When the signal is sent once more: the process may just have closed the socket.
const AGAIN: Duration = Duration::from_millis(500);

struct Plan {
    pid: u32,
    json: bool,
    locals: bool,
    once: bool,
    seconds: f64,
}

fn parse(words: Vec<OsString>, task: &str) -> Result<Plan, Wrong> {
    let mut parser = Parser::from_args(words);
    let mut plan = Plan { pid: 0, json: false, locals: false, once: false, seconds: 1.0 };
    while let Some(arg) = parser.next()? {
        match arg {
            Long("json") => plan.json = true,
            Long("locals") if task == "dump" => plan.locals = true,
            Long("once") if task == "top" => plan.once = true,
            Long("delay") if task == "top" => plan.seconds = number(&mut parser, "delay", 0.01)?,
            Long("help") | Short('h') => return Err(Wrong::Help),
            Value(word) if plan.pid == 0 => {
                let number =
                    word.to_str().and_then(|word| word.parse().ok()).filter(|pid| *pid > 0 && *pid <= i32::MAX as u32);
                plan.pid =
                    number.ok_or_else(|| Wrong::Words(format!("no process number: {}", word.to_string_lossy())))?;
            }
            other => return Err(other.unexpected().into()),
        }
    }
    match plan.pid {
        0 => Err(Wrong::Words("the number of a process is missing".into())),
        _ => Ok(plan),
    }
}

fn run(words: Vec<OsString>, task: &str) -> Result<i32, Wrong> {
    let plan = parse(words, task)?;
    let form = if plan.json { "json" } else { "text" };
    match task {
        "dump" => show(&ask(plan.pid, &format!("dump {form}{}", if plan.locals { " locals" } else { "" }))?)?,
        _ if !plan.json && !plan.once && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => {
            return top::run(plan.pid, Duration::from_secs_f64(plan.seconds));
        }
        _ => loop {
            let text = ask(plan.pid, &format!("top {form} {}", plan.seconds))?;
            show(&text)?;
            if plan.once {
                break;
            }
        },
    }
    Ok(0)
}

fn show(text: &[u8]) -> Result<(), Wrong> {
    match std::io::stdout().write_all(text) {
        // Whoever reads it has had enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Wrong::Failed(format!("{} -- standard output", system_text(&error)))),
        Ok(()) => Ok(()),
    }
}

/// The answer of a process to a question.
pub fn ask(pid: u32, question: &str) -> Result<Vec<u8>, Wrong> {
    let mut stream = open(pid)?;
    writeln!(stream, "{question}")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    match answer.strip_prefix(b"error: ") {
        Some(reason) => Err(Wrong::Failed(String::from_utf8_lossy(reason).trim().to_string())),
        None if answer.is_empty() => Err(Wrong::Failed(format!("process {pid} has ended"))),
        None => Ok(answer),
    }
}

/// A way to ask a process a question.
pub fn open(pid: u32) -> Result<UnixStream, Wrong> {
    let (user, signal) = target(pid)?;
    connect(pid, user, signal)
}

/// The user and the signal of a process that can be looked at.
fn target(pid: u32) -> Result<(u32, i32), Wrong> {
    let failed = |reason: &str| Wrong::Failed(format!("process {pid} {reason}"));
    let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}"));
    let status = String::from_utf8_lossy(&read("status").map_err(|_| failed("does not exist"))?).into_owned();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    // The owner of the directory in /proc is another one where a process has changed its user.
    let user = field("Uid")
        .and_then(|ids| ids.split_whitespace().nth(1)?.parse().ok())
        .ok_or_else(|| failed("does not exist"))?;
    if user != own_user() {
        return Err(failed("belongs to another user"));
    }
    let environment = read("environ").unwrap_or_default();
    let set =
        environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(format!("{VARIABLE}=").as_bytes()));
    let set = set.map(|value| String::from_utf8_lossy(value).into_owned());
    let signal = signal_from(set.as_deref())
        .ok()
        .flatten()
        .ok_or_else(|| failed("was started so that it cannot be looked at"))?;
    match field("State").and_then(|state| state.trim().chars().next()) {
        Some('Z' | 'X') => return Err(failed("has ended")),
        // It would answer when it goes on, whenever that is.
        Some('T' | 't') => return Err(failed("is stopped")),
        _ => {}
    }
    // A signal that is not caught would end the process.
    let caught = field("SigCgt").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Of a process that has changed its user only the name can be read.
    let name = std::fs::read_link(format!("/proc/{pid}/exe"))
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let name = name.or_else(|| field("Name").map(|name| name.trim().to_string()));
    // By whatever name this one was installed, others were, too.
    let is_same = || {
        std::fs::read_link(format!("/proc/{pid}/exe"))
            .is_ok_and(|path| std::env::current_exe().is_ok_and(|own| own == path))
    };
    let is_ours = name.is_some_and(|name| name.starts_with("rubellite")) || is_same();
    if !is_ours || caught.unwrap_or(0) >> (signal - 1) & 1 == 0 {
        return Err(failed("is no Rubellite that can be looked at"));
    }
    Ok((user, signal))
}

fn connect(pid: u32, user: u32, signal: i32) -> Result<UnixStream, Wrong> {
    let path = socket_of(user, pid);
    let began = Instant::now();
    let mut sent: Option<Instant> = None;
    // The process would make no socket there.
    let directory = directory(user);
    if std::fs::symlink_metadata(&directory).is_ok() && !is_private(&directory, user) {
        return Err(Wrong::Failed(format!(
            "{} belongs to another user, or others may enter it: process {pid} opens no socket there",
            directory.display()
        )));
    }
    loop {
        if is_private(&directory, user)
            && let Ok(stream) = UnixStream::connect(&path)
        {
            return Ok(stream);
        }
        if sent.is_none_or(|sent| sent.elapsed() >= AGAIN) {
            rubellite_core_process::attach::call(pid, signal)
                .map_err(|error| Wrong::Failed(format!("process {pid}: {error}")))?;
            sent = Some(Instant::now());
        }
        if began.elapsed() >= PATIENCE {
            return Err(Wrong::Failed(format!("process {pid} does not answer")));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
