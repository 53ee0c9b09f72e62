//! Looking at a running process: `rubellite dump PID`, `top PID`, `record PID`. Nothing is paid for before somebody
//! does.
//!
//! One signal is kept for it: the seventh real-time signal, or the one whose number RUBELLITE_ATTACH_SIGNAL has (0:
//! none). When it comes, the helper of the signals starts a native thread that listens on a socket,
//! `/tmp/rubellite-UID/PID.sock` in a directory that nobody else may enter, answers questions of the same user, a line
//! each, and ends when nobody has asked for a while. To look at the VM it takes the lock as a thread that runs no Ruby
//! code (`ThreadState::look_from_outside`): no Ruby thread notices but by waiting for that.
//!
//! Questions: `dump text`, `dump json` (and `dump text locals`), `top text SECONDS`, `top json SECONDS`, `look`, `stack
//! THREAD`, `record text SECONDS`, `record page SECONDS`, `profile SECONDS LOOKS` (so many looks a second; ends when
//! the other end is closed). Each is answered by a native thread of its own: a long one keeps nobody waiting.

pub mod profile;
mod shown;
mod snapshot;

use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::spawn_native;
use std::fs::DirBuilder;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// The signal's distance from the first real-time signal.
const OFFSET: i32 = 7;
/// The variable that names another one.
pub const VARIABLE: &str = "RUBELLITE_ATTACH_SIGNAL";
/// How long the socket stays when nobody asks.
const IDLE_MS: i32 = 10_000;
/// A question has at most so many bytes, and must come soon.
const QUESTION_MAX: u64 = 100;
const QUESTION_TIME: Duration = Duration::from_secs(2);
/// The longest time that somebody may ask to be measured.
const SECONDS_MAX: f64 = 3600.0;
/// The most looks a second of a profile.
pub const RATE_MAX: f64 = 1000.0;
const STACK_BYTES: usize = 512 << 10;

/// Somebody listens already. Signals are the process's, and so is this.
static LISTENING: AtomicBool = AtomicBool::new(false);

/// Signals that cannot be caught, those of faults, which come at once or never, and those that this runtime needs
/// itself.
const TAKEN: [i32; 10] = [
    libc::SIGKILL,
    libc::SIGSTOP,
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGCHLD,
    libc::SIGPIPE,
];

/// The number that `text`, the value of the variable, stands for: without one, or of an empty one, the usual signal,
/// and of 0 none.
///
/// # Errors
/// It stands for no signal, or for one that cannot be kept.
pub fn signal_from(text: Option<&str>) -> Result<Option<i32>, String> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(Some(libc::SIGRTMIN() + OFFSET));
    };
    match text.parse() {
        Ok(0) => Ok(None),
        Ok(number) if (1..=libc::SIGRTMAX()).contains(&number) && !TAKEN.contains(&number) => Ok(Some(number)),
        Ok(number) if TAKEN.contains(&number) => {
            Err(format!("signal {number} cannot be kept for looking at the process"))
        }
        _ => Err(format!("no signal: {text} (a number up to {}, or 0 for none)", libc::SIGRTMAX())),
    }
}

/// The signal of this process. A variable that names none is told of in a line on standard error: the program is not
/// disturbed.
pub fn signal() -> Option<i32> {
    let set = std::env::var_os(VARIABLE).map(|text| text.to_string_lossy().into_owned());
    signal_from(set.as_deref()).unwrap_or_else(|reason| {
        warn(&reason);
        None
    })
}

/// The signal cannot be caught.
pub fn warn(reason: &str) {
    // Whoever has closed standard error does not want to know.
    let _ = writeln!(std::io::stderr(), "rubellite: warning: {VARIABLE}: {reason}");
}

/// The effective user of this process.
pub fn own_user() -> u32 {
    // SAFETY: a plain call.
    unsafe { libc::geteuid() }
}

/// The directory of the sockets of a user.
pub fn directory(user: u32) -> PathBuf {
    PathBuf::from(format!("/tmp/rubellite-{user}"))
}

pub fn socket_of(user: u32, pid: u32) -> PathBuf {
    directory(user).join(format!("{pid}.sock"))
}

/// Whether that is a directory of this user's that nobody else may enter.
pub fn is_private(directory: &Path, user: u32) -> bool {
    std::fs::symlink_metadata(directory)
        .is_ok_and(|found| found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0)
}

/// Sends a process its signal.
///
/// # Errors
/// The system's.
pub fn call(pid: u32, signal: i32) -> std::io::Result<()> {
    // SAFETY: a plain call.
    match unsafe { libc::kill(pid as libc::pid_t, signal) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// The signal has come: listens, unless somebody does. Called by the helper of the signals.
pub fn listen(main: &Arc<ThreadState>) {
    if LISTENING.swap(true, SeqCst) {
        return;
    }
    let main = Arc::clone(main);
    if !spawn_native("attach", STACK_BYTES, move || serve(&main)) {
        LISTENING.store(false, SeqCst);
    }
}

/// In the child of a fork nobody listens.
pub fn after_fork() {
    LISTENING.store(false, SeqCst);
}

fn serve(main: &Arc<ThreadState>) {
    let user = own_user();
    let path = socket_of(user, std::process::id());
    let directory = directory(user);
    let _ = DirBuilder::new().mode(0o700).create(&directory);
    if is_private(&directory, user) {
        remove_stale(&directory);
        let _ = std::fs::remove_file(&path);
        if let Ok(listener) = UnixListener::bind(&path) {
            while let Some(stream) = next(&listener) {
                if peer(&stream) == Some(user) {
                    let main = Arc::clone(main);
                    // Whoever goes away in the midst of the answer is answered no more.
                    spawn_native("attach", STACK_BYTES, move || drop(answer(&main, &stream)));
                }
            }
            let _ = std::fs::remove_file(&path);
        }
    }
    LISTENING.store(false, SeqCst);
}

/// Removes sockets of processes that have ended meanwhile.
fn remove_stale(directory: &Path) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let pid = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The next one who asks; `None`: nobody has for a while.
fn next(listener: &UnixListener) -> Option<UnixStream> {
    let mut ready = libc::pollfd { fd: listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one structure of ours. Signals are blocked in this thread, as in the helper that started it.
    let count = unsafe { libc::poll(&mut ready, 1, IDLE_MS) };
    if count == 1 { listener.accept().ok().map(|(stream, _)| stream) } else { None }
}

/// The user of the process at the other end.
fn peer(stream: &UnixStream) -> Option<u32> {
    let mut found = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut bytes = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the structure takes what the option gives.
    let known = unsafe {
        libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut found).cast(), &mut bytes)
    };
    (known == 0).then_some(found.uid)
}

fn answer(main: &ThreadState, stream: &UnixStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(QUESTION_TIME))?;
    let mut line = String::new();
    BufReader::new(stream.take(QUESTION_MAX)).read_line(&mut line)?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let pause = |text: &str| {
        text.parse::<f64>().ok().filter(|seconds| (0.0..=SECONDS_MAX).contains(seconds)).map(Duration::from_secs_f64)
    };
    if let ["profile", seconds, rate] = words[..] {
        let (time, rate) = (pause(seconds), rate.parse::<f64>().ok().filter(|rate| (1.0..=RATE_MAX).contains(rate)));
        return time.zip(rate).map_or(Ok(()), |(time, rate)| profile::run(main, stream, Some(time), rate));
    }
    let answer = match words[..] {
        ["dump", form] => snapshot::dump(main, form == "json", false),
        ["dump", form, "locals"] => snapshot::dump(main, form == "json", true),
        ["top", form, seconds] => pause(seconds).and_then(|pause| snapshot::top(main, form == "json", pause)),
        ["look"] => snapshot::look(main),
        ["stack", thread] => thread.parse().ok().and_then(|thread| snapshot::stack(main, thread)),
        ["record", form, seconds] => pause(seconds).and_then(|pause| record(main, form == "page", pause)),
        _ => None,
    };
    let mut stream = stream;
    stream.write_all(answer.unwrap_or_default().as_bytes())
}

/// A text without what separates words and lines.
fn one_word(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// A lock report of the next seconds.
fn record(main: &ThreadState, page: bool, pause: Duration) -> Option<String> {
    match main.look_from_outside(rubellite_core_lock::report::record)? {
        Ok(()) => {
            std::thread::sleep(pause);
            let (table, html) = main.look_from_outside(rubellite_core_lock::report::recorded)??;
            Some(if page { html } else { table })
        }
        Err(reason) => Some(format!("error: {reason}\n")),
    }
}
