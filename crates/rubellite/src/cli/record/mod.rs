//! `rubellite record`: a sampling profile of a running process, or of a program from its beginning to its end.
//!
//! The process tells what it finds while it runs, on a socket; what was told until then is written however the process
//! ends.

mod formats;
mod page;
mod profile;

use super::attach::{ask, open};
use super::command::{Command, Wrong, number, system_text};
use super::explore::runnable;
use lexopt::Arg::{Long, Short, Value};
use lexopt::Parser;
use profile::{Clock, Profile};
use rubellite_core_process::attach::{RATE_MAX, call, directory, is_private, own_user};
use rubellite_vm::complain;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

pub static COMMAND: Command = Command {
    name: "record",
    summary: "Record a profile: what takes the time, the processor and the lock, and who waits behind which lines",
    arguments: "[options] PID | [options] -- [options of Ruby] FILE [arguments]",
    about: "Makes a sampling profile of a running Rubellite process for some time, or of a program from its beginning to its end: by wall clock,
by processor, by time for which the lock was held, and by the lines behind which others waited for it. The name of the file says the form:
.html a flame graph, .firefox.json for profiler.firefox.com, .json for Speedscope, .folded or .txt folded stacks; without a file a
summary is printed. The interrupt key ends it early.
",
    switches: &[
        ("-d, --duration=SECONDS", "How long is recorded (10; a program: to its end)"),
        ("-o, --output=FILE", "Write the profile there"),
        ("-f, --format=FORMAT", "html, speedscope, firefox, folded or text"),
        ("-r, --rate=N", "Look N times a second (100)"),
        ("--clock=CLOCK", "What folded stacks count: wall, processor, held or waited (wall)"),
        ("--lock-report", "Make a lock report instead: a table, or with -o a page with a time line"),
    ],
    run: main,
};

const SECONDS: f64 = 10.0;
const RATE: f64 = 100.0;
/// How often a wait for the process looks at what else has happened.
const READ_TIME: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Html,
    Speedscope,
    Firefox,
    Folded,
    Text,
}

/// What is recorded.
enum Subject {
    Process(u32),
    Program(Vec<OsString>),
}

struct Plan {
    subject: Subject,
    seconds: Option<f64>,
    output: Option<PathBuf>,
    format: Format,
    rate: f64,
    clock: Clock,
    lock_report: bool,
}

fn format_of(name: &str) -> Option<Format> {
    Some(match name {
        "html" => Format::Html,
        "speedscope" => Format::Speedscope,
        "firefox" => Format::Firefox,
        "folded" => Format::Folded,
        "text" => Format::Text,
        _ => return None,
    })
}

/// The form that the name of a file asks for.
fn form_of(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let ends = |end: &str| name.ends_with(end);
    Some(match () {
        () if ends(".html") || ends(".htm") => Format::Html,
        () if ends(".firefox.json") || ends(".gecko.json") => Format::Firefox,
        () if ends(".json") => Format::Speedscope,
        () if ends(".folded") || ends(".txt") => Format::Folded,
        () => return None,
    })
}

fn parse(mut words: Vec<OsString>) -> Result<Plan, Wrong> {
    let program = words.iter().position(|word| word == "--").map(|at| words.split_off(at).split_off(1));
    let mut parser = Parser::from_args(words);
    let (mut pid, mut seconds, mut output, mut format, mut rate, mut clock, mut lock_report) =
        (None, None, None, None, RATE, None, false);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("duration") | Short('d') => seconds = Some(number(&mut parser, "duration", 0.01)?),
            Long("output") | Short('o') => output = Some(PathBuf::from(parser.value()?)),
            Long("rate") | Short('r') => rate = number(&mut parser, "rate", 1.0)?,
            Long("format") | Short('f') => {
                let word = parser.value()?;
                let found = word.to_str().and_then(format_of);
                format = Some(found.ok_or_else(|| Wrong::Words(format!("no format: {}", word.to_string_lossy())))?);
            }
            Long("clock") => {
                let word = parser.value()?;
                let found = Clock::ALL.into_iter().find(|clock| word == clock.name());
                clock = Some(found.ok_or_else(|| Wrong::Words(format!("no clock: {}", word.to_string_lossy())))?);
            }
            Long("lock-report") => lock_report = true,
            Long("help") | Short('h') => return Err(Wrong::Help),
            Value(word) if pid.is_none() && program.is_none() => {
                let number =
                    word.to_str().and_then(|word| word.parse().ok()).filter(|pid| *pid > 0 && *pid <= i32::MAX as u32);
                pid =
                    Some(number.ok_or_else(|| Wrong::Words(format!("no process number: {}", word.to_string_lossy())))?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let subject = match (pid, program) {
        (Some(pid), None) => Subject::Process(pid),
        (None, Some(program)) => {
            runnable(&program)?;
            Subject::Program(program)
        }
        _ => return Err(Wrong::Words("the number of a process is missing, or -- and a program".into())),
    };
    if lock_report && matches!(subject, Subject::Program(_)) {
        return Err(Wrong::Words("--lock-report needs a process; for a program: rubellite --lock-report FILE".into()));
    }
    if rate > RATE_MAX {
        return Err(Wrong::Words(format!("--rate is at most {RATE_MAX}")));
    }
    let by_name = output.as_deref().map(form_of);
    let format = match (format, by_name) {
        (Some(format), _) => format,
        (None, None) => Format::Text,
        (None, Some(Some(format))) => format,
        (None, Some(None)) if lock_report => Format::Html,
        (None, Some(None)) => return Err(Wrong::Words("the name of the file says no form: --format does".into())),
    };
    if clock.is_some() && format != Format::Folded {
        return Err(Wrong::Words("--clock is for folded stacks; the other forms have all clocks".into()));
    }
    Ok(Plan { subject, seconds, output, format, rate, clock: clock.unwrap_or(Clock::Wall), lock_report })
}

fn main(words: Vec<OsString>) -> Result<i32, Wrong> {
    let plan = parse(words)?;
    // A file that cannot be made is better known before.
    let failed = |error: std::io::Error| {
        Wrong::Failed(format!(
            "{} -- {}",
            system_text(&error),
            plan.output.as_deref().unwrap_or(Path::new("standard output")).display()
        ))
    };
    let file = match &plan.output {
        Some(path) => Some(File::create(path).map_err(failed)?),
        None => None,
    };
    let (text, status) = match &plan.subject {
        Subject::Process(pid) if plan.lock_report => {
            let form = if plan.output.is_some() { "page" } else { "text" };
            (ask(*pid, &format!("record {form} {}", plan.seconds.unwrap_or(SECONDS)))?, 0)
        }
        subject => {
            let began_ms =
                SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_millis() as f64);
            let (told, status) = match subject {
                Subject::Process(pid) => (record(*pid, plan.seconds.unwrap_or(SECONDS), plan.rate)?, 0),
                Subject::Program(program) => run(program, plan.seconds, plan.rate)?,
            };
            let mut profile = Profile::read(&String::from_utf8_lossy(&told));
            if profile.stretches.is_empty() {
                complain!("rubellite record: nothing was recorded: the process ended too soon");
                return Ok(if status == 0 { 1 } else { status });
            }
            if !profile.complete {
                complain!(
                    "rubellite record: the process ended before the profile did; this is what was recorded until then"
                );
            }
            let text = match plan.format {
                Format::Html => page::page(&mut profile),
                Format::Speedscope => formats::speedscope(&mut profile),
                Format::Firefox => formats::firefox(&mut profile, began_ms),
                Format::Folded => formats::folded(&mut profile, plan.clock),
                Format::Text => formats::summary(&mut profile),
            };
            (text.into_bytes(), status)
        }
    };
    let written = match file {
        // What cannot be written as a whole is not left in part.
        Some(mut file) => file.write_all(&text).inspect_err(|_| drop(file.set_len(0))),
        None => std::io::stdout()
            .write_all(&text)
            .or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }),
    };
    match written.map_err(failed) {
        // The status of a program that failed by itself says more.
        Err(Wrong::Failed(reason)) if status != 0 => {
            complain!("rubellite record: {reason}");
            Ok(status)
        }
        written => written.map(|()| status),
    }
}

/// What a process tells in so many seconds.
fn record(pid: u32, seconds: f64, rate: f64) -> Result<Vec<u8>, Wrong> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let mut stream = open(pid)?;
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    writeln!(stream, "profile {seconds} {rate}")?;
    let mut stopped = false;
    read(&mut stream, |stream| {
        if interrupted.load(Relaxed) && !stopped {
            stopped = true;
            // It ends the profile and tells the rest.
            let _ = stream.shutdown(Shutdown::Write);
        }
        Path::new(&format!("/proc/{pid}")).exists()
    })
    .map_err(Wrong::from)
}

/// Reads to the end of the profile. `goes_on` is asked now and then; false: nothing will come any more.
fn read(stream: &mut UnixStream, mut goes_on: impl FnMut(&UnixStream) -> bool) -> std::io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(READ_TIME))?;
    let (mut told, mut part) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => return Ok(told),
            Ok(count) => told.extend_from_slice(&part[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if !goes_on(stream) {
                    return Ok(told);
                }
            }
            // What came until then counts.
            Err(_) => return Ok(told),
        }
        if last_line(&told).starts_with(b"E\t") {
            return Ok(told);
        }
        // A process that tells much leaves no pause in which to ask.
        let _ = goes_on(stream);
    }
}

/// The last whole line.
fn last_line(text: &[u8]) -> &[u8] {
    let Some(text) = text.strip_suffix(b"\n") else { return b"" };
    &text[text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)..]
}

/// A socket that is gone with this.
struct Socket(PathBuf);

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Runs a program and returns what it tells, and its status.
fn run(program: &[OsString], seconds: Option<f64>, rate: f64) -> Result<(Vec<u8>, i32), Wrong> {
    let user = own_user();
    let directory = directory(user);
    let _ = DirBuilder::new().mode(0o700).create(&directory);
    if !is_private(&directory, user) {
        return Err(Wrong::Failed(format!("{} is open to others", directory.display())));
    }
    let socket = Socket(directory.join(format!("record-{}.sock", std::process::id())));
    let _ = std::fs::remove_file(&socket.0);
    let listener = UnixListener::bind(&socket.0)?;
    listener.set_nonblocking(true)?;
    // The interrupt key is for the program, which has it from the terminal; the end that is asked of this process is
    // passed on.
    let (interrupted, terminated) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    signal_hook::flag::register(SIGINT, Arc::clone(&interrupted))?;
    signal_hook::flag::register(SIGTERM, Arc::clone(&terminated))?;
    let mut child = std::process::Command::new(std::env::current_exe()?)
        .arg(format!("--profile-to={rate}:{}", socket.0.display()))
        .args(program)
        .spawn()?;
    let mut ended = false;
    let mut pass_on = |child: &mut Child| {
        if terminated.swap(false, Relaxed) {
            let _ = call(child.id(), SIGTERM);
        }
        ended = ended || !matches!(child.try_wait(), Ok(None));
        !ended
    };
    let mut told = Vec::new();
    loop {
        let runs = pass_on(&mut child);
        match listener.accept() {
            Ok((mut stream, _)) => {
                stream.set_nonblocking(false)?;
                let until = seconds.map(|seconds| std::time::Instant::now() + Duration::from_secs_f64(seconds));
                told = read(&mut stream, |stream| {
                    if until.is_some_and(|until| std::time::Instant::now() >= until) {
                        let _ = stream.shutdown(Shutdown::Write);
                    }
                    pass_on(&mut child)
                })?;
                break;
            }
            Err(_) if runs => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    while pass_on(&mut child) {
        std::thread::sleep(READ_TIME);
    }
    let status = child.wait()?;
    Ok((told, status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))))
}
