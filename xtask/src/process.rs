//! Child processes: run one to its end or to a time limit, collect what it wrote and what it used. A child gets a
//! process group of its own, which is killed as a whole once the child has ended, so that nothing outlives its test.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Children begin with what the system does at SIGINT and SIGQUIT by itself. A shell that starts a job in the
/// background has both ignored, which every child would inherit, and programs that interrupt themselves would wait for
/// ever.
pub fn default_signals() {
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: no handler of ours is replaced, and there is no other thread yet.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    Timeout,
}

impl std::fmt::Display for End {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exit(code) => write!(out, "exit code {code}"),
            End::Signal(number) => write!(out, "killed by signal {number}"),
            End::Timeout => write!(out, "time limit exceeded"),
        }
    }
}

pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// User and system time of the child and of the children that it waited for.
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_kib: u64,
}

pub struct Run<'a> {
    command: Command,
    stdin: &'a [u8],
    limit: Duration,
    stall: Option<Stall>,
}

/// A file that the child appends to, and how long it may do without.
struct Stall {
    file: PathBuf,
    limit: Duration,
}

impl<'a> Run<'a> {
    pub fn new(program: impl AsRef<OsStr>) -> Run<'a> {
        Run { command: Command::new(program), stdin: b"", limit: Duration::from_secs(60), stall: None }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub fn args<T: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = T>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    pub fn stdin(mut self, input: &'a [u8]) -> Self {
        self.stdin = input;
        self
    }

    pub fn limit(mut self, seconds: f64) -> Self {
        self.limit = Duration::from_secs_f64(seconds);
        self
    }

    /// The address space that the child may use.
    pub fn memory(mut self, bytes: u64) -> Self {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        let set = move || {
            // SAFETY: setrlimit reads one structure and is safe to call between fork and exec.
            match unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) } {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        };
        // SAFETY: the closure makes one system call and allocates nothing.
        unsafe { self.command.pre_exec(set) };
        self
    }

    /// The child is also killed when `file` has not grown for `seconds`.
    pub fn stall(mut self, file: &Path, seconds: f64) -> Self {
        self.stall = Some(Stall { file: file.to_path_buf(), limit: Duration::from_secs_f64(seconds) });
        self
    }

    /// Starts the child and waits for its end.
    pub fn finish(mut self) -> Result<Finished, String> {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let started = Instant::now();
        let program = self.command.get_program().to_string_lossy().into_owned();
        let mut child = self.command.spawn().map_err(|error| format!("{program}: {error}"))?;
        let pid = child.id() as libc::pid_t;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let input = self.stdin;
        std::thread::scope(|scope| {
            let stdout = scope.spawn(move || read_all(stdout));
            let stderr = scope.spawn(move || read_all(stderr));
            scope.spawn(move || {
                if let Some(mut stdin) = stdin {
                    // A child that does not read its input is no fault of ours.
                    let _ = stdin.write_all(input);
                }
            });
            let watch = Watch::start(pid, self.limit, self.stall.take());
            await_end(pid);
            let wall_seconds = started.elapsed().as_secs_f64();
            let timed_out = watch.stop();
            kill_group(pid);
            let (status, usage) = reap(pid);
            let end = match () {
                () if timed_out => End::Timeout,
                () if libc::WIFSIGNALED(status) => End::Signal(libc::WTERMSIG(status)),
                () => End::Exit(libc::WEXITSTATUS(status)),
            };
            Ok(Finished {
                end,
                stdout: stdout.join().unwrap_or_default(),
                stderr: stderr.join().unwrap_or_default(),
                cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
                wall_seconds,
                peak_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0),
            })
        })
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut content = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut content);
    }
    content
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// Kills the group when the limit is reached before `stop`.
struct Watch {
    state: Arc<(Mutex<WatchState>, std::sync::Condvar)>,
}

#[derive(Default)]
struct WatchState {
    stopped: bool,
    fired: bool,
}

impl Watch {
    fn start(pid: libc::pid_t, limit: Duration, stall: Option<Stall>) -> Watch {
        let state = Arc::new((Mutex::new(WatchState::default()), std::sync::Condvar::new()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            let (lock, wake) = &*shared;
            let (mut size, mut grown) = (0, Instant::now());
            let end = grown + limit;
            let mut guard = lock.lock().expect("the waiting side does not panic");
            while !guard.stopped {
                let mut left = end.saturating_duration_since(Instant::now());
                if let Some(stall) = &stall {
                    let now = std::fs::metadata(&stall.file).map_or(0, |metadata| metadata.len());
                    if now != size {
                        (size, grown) = (now, Instant::now());
                    }
                    left = left.min((grown + stall.limit).saturating_duration_since(Instant::now()));
                }
                if left.is_zero() {
                    guard.fired = true;
                    kill_group(pid);
                    return;
                }
                let pause = if stall.is_some() { left.min(Duration::from_secs(1)) } else { left };
                guard = wake.wait_timeout(guard, pause).expect("the waiting side does not panic").0;
            }
        });
        Watch { state }
    }

    /// No kill happens after this returns; says whether one happened before.
    fn stop(&self) -> bool {
        let (lock, wake) = &*self.state;
        let mut guard = lock.lock().expect("the watch does not panic");
        guard.stopped = true;
        wake.notify_all();
        guard.fired
    }
}

/// Waits until the child has ended and leaves it a zombie, so that its id cannot be reused before `reap`.
fn await_end(pid: libc::pid_t) {
    loop {
        // SAFETY: siginfo_t is plain data for which all zeroes is valid, and waitid writes only into it.
        let result = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        if result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return;
        }
    }
}

fn kill_group(pid: libc::pid_t) {
    // SAFETY: kill takes plain numbers; the group belongs to a child that has not been reaped yet.
    unsafe { libc::kill(-pid, libc::SIGKILL) };
}

fn reap(pid: libc::pid_t) -> (i32, libc::rusage) {
    let mut status = 0;
    // SAFETY: rusage is plain data for which all zeroes is valid; wait4 writes only into the two places given.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(pid, &mut status, 0, &mut usage);
        usage
    };
    (status, usage)
}
