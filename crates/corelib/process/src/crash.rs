//! What a process says when it dies of a fault (SIGSEGV, SIGBUS, SIGILL), sent or its own: where the program was, which
//! Ruby this is, the frames of the thread. As in CRuby `RUBY_CRASH_REPORT` names a file, or after `|` a command, that
//! gets it instead of standard error. Then the signal does what it does by default, so that there is a core.
//!
//! The report is made by the handler of the signal: nothing is allocated and no lock is taken here, for the fault may
//! have come in the middle of either. What extensions add to it may do both, and an alarm sees to the end. A fault
//! while the report is made ends the process at once. What comes first is an overflow of the machine stack in C code of
//! an extension, which becomes an error, and then Rust's own handler, which knows the others.

use rubellite_core_object::runtime::constants::description;
use rubellite_vm::profile::{self, profiled};
use rubellite_vm::{Ctx, Value, complain};
use std::ffi::{CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::SeqCst};

/// With what CRuby's report calls them.
const FAULTS: [(c_int, &str); 3] =
    [(libc::SIGSEGV, "Segmentation fault"), (libc::SIGBUS, "Bus Error"), (libc::SIGILL, "Illegal instruction")];
/// How many frames are reported.
const FRAMES: usize = 64;
/// How long the additions may take.
const SECONDS: u32 = 10;
const NAME_MAX: usize = 1024;

/// What the side of the extensions does for a report.
pub struct Extensions {
    /// The context of the calling native thread, as far as it is known there.
    pub find: fn() -> *const Ctx,
    /// Writes what extensions add to the descriptor.
    pub add: fn(c_int),
    /// Lets an extension whose frames have come to the end of the machine stack go on with an error: changes the
    /// registers of the signal's context, or gives false.
    pub recover: fn(usize, *mut c_void) -> bool,
}

/// What is known from the start.
struct Known {
    before: [libc::sigaction; FAULTS.len()],
    description: String,
    command: Vec<u8>,
    /// `RUBY_CRASH_REPORT`.
    place: Option<CString>,
}

static KNOWN: OnceLock<Known> = OnceLock::new();
static EXTENSIONS: OnceLock<Extensions> = OnceLock::new();
/// The context of the main thread.
static MAIN: AtomicPtr<Ctx> = AtomicPtr::new(null_mut());
static REPORTING: AtomicBool = AtomicBool::new(false);

impl Extensions {
    /// Sets them for this process, once.
    pub fn install(self) {
        EXTENSIONS.get_or_init(|| self);
    }
}

/// Takes the signals of faults on. For the command line, on the main thread.
pub fn install(ctx: &mut Ctx) {
    MAIN.store(std::ptr::from_mut(ctx), SeqCst);
    KNOWN.get_or_init(|| {
        let place = std::env::var_os("RUBY_CRASH_REPORT").filter(|text| !text.is_empty());
        Known {
            before: FAULTS.map(|(signal, _)| take(signal)),
            description: description(),
            command: std::env::current_exe().map(|path| path.as_os_str().as_bytes().to_vec()).unwrap_or_default(),
            place: place.and_then(|text| CString::new(text.as_bytes()).ok()),
        }
    });
}

fn take(signal: c_int) -> libc::sigaction {
    // SAFETY: both actions are ours; the handler does only what a handler may.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let mut old: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = fault as *const () as usize;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_SIGINFO;
        libc::sigaction(signal, &action, &mut old);
        old
    }
}

/// Reports what C code has found wrong, and returns: the caller ends the process.
pub fn report_bug(message: &[u8]) {
    if KNOWN.get().is_none() {
        return complain!("[BUG] {}", String::from_utf8_lossy(message));
    }
    if !REPORTING.swap(true, SeqCst) {
        let here = 0usize;
        report(&[message], std::ptr::from_ref(&here) as usize);
    }
}

extern "C" fn fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let at = FAULTS.iter().position(|(number, _)| *number == signal).unwrap_or(0);
    // SAFETY: the system passes both; the action before was the system's or Rust's, which takes the same arguments, and
    // does not return where it knows better.
    let (sent, address) = unsafe {
        let sent = (*info).si_code <= 0;
        let recover = EXTENSIONS.get().filter(|_| !sent && signal != libc::SIGILL).map(|extensions| extensions.recover);
        if recover.is_some_and(|recover| recover((*info).si_addr() as usize, context)) {
            return;
        }
        let before = KNOWN.get().map_or(libc::SIG_DFL, |known| known.before[at].sa_sigaction);
        if !sent && before != libc::SIG_DFL && before != libc::SIG_IGN {
            let before: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = std::mem::transmute(before);
            before(signal, info, context);
        }
        libc::signal(signal, libc::SIG_DFL);
        (sent, (*info).si_addr() as usize)
    };
    if !REPORTING.swap(true, SeqCst) {
        let mut digits = [0; 18];
        report(&[FAULTS[at].1.as_bytes(), b" at ", hexadecimal(address, &mut digits)], stack_of(context));
    }
    if sent {
        // SAFETY: a plain call. A fault of one's own comes again by itself.
        unsafe { libc::raise(signal) };
    }
}

/// The stack pointer of the code that the signal has interrupted.
fn stack_of(context: *mut c_void) -> usize {
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: what the system passes to a handler.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        return (*context).uc_mcontext.gregs[libc::REG_RSP as usize] as usize;
        #[cfg(target_arch = "aarch64")]
        return (*context).uc_mcontext.sp as usize;
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return context as usize;
    }
}

fn report(message: &[&[u8]], stack: usize) {
    let Some(known) = KNOWN.get() else { return };
    let frames = Frames::of_this_thread(stack);
    let (descriptor, reader) = open(known, &frames);
    let mut out = Out { descriptor, text: [0; 256], len: 0 };
    if let Some((path, line)) = frames.position(0) {
        out.place(path, line);
        out.put(b" ");
    }
    out.put(b"[BUG] ");
    message.iter().for_each(|part| out.put(part));
    out.put(b"\n");
    out.put(known.description.as_bytes());
    out.put(b"\n\n-- Control frame information -----------------------------------------------\n");
    for at in 0..frames.count {
        out.put(b"c:");
        out.number((frames.count - at) as u64, 4);
        out.put(b" ");
        if let Some((path, line)) = frames.position(at) {
            out.place(path, line);
        }
        out.put(b"in '");
        frames.tell_name(at, |part| out.put(part));
        out.put(b"'\n");
    }
    out.put(b"\n");
    out.flush();
    if let Some(extensions) = EXTENSIONS.get() {
        // SAFETY: plain calls: whatever the additions wait for, the process ends.
        unsafe {
            libc::signal(libc::SIGALRM, libc::SIG_DFL);
            libc::alarm(SECONDS);
        }
        (extensions.add)(descriptor);
    }
    finish(descriptor, reader);
}

/// The frames of the calling thread, the innermost first.
struct Frames {
    ctx: *const Ctx,
    values: [Value; FRAMES],
    lines: [i32; FRAMES],
    count: usize,
}

impl Frames {
    fn of_this_thread(stack: usize) -> Frames {
        let mut frames = Frames { ctx: null(), values: [Value::NIL; FRAMES], lines: [0; FRAMES], count: 0 };
        let known = EXTENSIONS.get().map_or(null(), |extensions| (extensions.find)());
        for ctx in [known, MAIN.load(SeqCst).cast_const()] {
            if frames.count == 0 && !ctx.is_null() {
                frames.ctx = ctx;
                // SAFETY: the context that runs on this native thread, or that of the main thread, which lives as long
                // as the process and has no frames unless the stack is its own.
                frames.count =
                    unsafe { profile::frames_on(ctx, Some(stack), 0, &mut frames.values, &mut frames.lines) };
            }
        }
        frames
    }

    /// The path and the line at which a frame is; a native one is where it was called.
    fn position(&self, at: usize) -> Option<(&str, i32)> {
        (at..self.count).find_map(|at| {
            let path = profiled(self.values[at]).and_then(|frame| frame.path())?;
            Some((path, self.lines[at]))
        })
    }

    fn tell_name(&self, at: usize, mut tell: impl FnMut(&[u8])) {
        if let Some(frame) = profiled(self.values[at]) {
            // SAFETY: the context has frames, so it is there. Whoever holds the lock is stopped here, or cannot be
            // asked: the thread is about to end with the process.
            frame.tell_name(unsafe { &*self.ctx }, &mut tell);
        }
    }
}

/// Text on its way to a descriptor.
struct Out {
    descriptor: c_int,
    text: [u8; 256],
    len: usize,
}

impl Out {
    fn put(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.len == self.text.len() {
                self.flush();
            }
            self.text[self.len] = *byte;
            self.len += 1;
        }
    }

    fn number(&mut self, number: u64, width: usize) {
        let mut digits = [0; 20];
        self.put(decimal(number, width, &mut digits));
    }

    /// "path:line:"
    fn place(&mut self, path: &str, line: i32) {
        self.put(path.as_bytes());
        self.put(b":");
        self.number(u64::try_from(line).unwrap_or(0), 1);
        self.put(b":");
    }

    /// What cannot be written is lost.
    fn flush(&mut self) {
        let mut from = 0;
        while from < self.len {
            let rest = &self.text[from..self.len];
            // SAFETY: a slice of our own with its length.
            match unsafe { libc::write(self.descriptor, rest.as_ptr().cast(), rest.len()) } {
                n if n > 0 => from += n as usize,
                _ => break,
            }
        }
        self.len = 0;
    }
}

fn decimal(mut number: u64, width: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    while number > 0 || digits.len() - at < width {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    &digits[at..]
}

/// As `%p` of C with all digits.
fn hexadecimal(address: usize, digits: &mut [u8; 18]) -> &[u8] {
    digits[..2].copy_from_slice(b"0x");
    for (at, digit) in digits[2..].iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[address >> (60 - 4 * at) & 15];
    }
    digits
}

// -- where the report goes ------------------------------------------------------------

/// A name in the making, which ends with a NUL. What does not fit is left out.
struct Name {
    bytes: [u8; NAME_MAX],
    len: usize,
}

impl Name {
    fn put(&mut self, byte: u8) {
        if self.len + 1 < NAME_MAX {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    /// A path as part of a name: its last part, or all of it with `!` for slashes.
    fn put_path(&mut self, path: &[u8], whole: bool) {
        let last = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        for byte in if whole { path } else { last } {
            self.put(if *byte == b'/' { b'!' } else { *byte });
        }
    }

    /// Fills the template in: `%e` and `%E` are the command, `%f` and `%F` the program, `%p` is the process, `%t` the
    /// time, `%%` a percent sign.
    fn fill(&mut self, known: &Known, template: &[u8], program: &[u8]) {
        let mut digits = [0; 20];
        let mut rest = template.iter();
        while let Some(byte) = rest.next() {
            if *byte != b'%' {
                self.put(*byte);
                continue;
            }
            // SAFETY: plain calls.
            let (process, time) = unsafe { (libc::getpid() as u64, libc::time(null_mut()) as u64) };
            match rest.next() {
                Some(b'e') => self.put_path(&known.command, false),
                Some(b'E') => self.put_path(&known.command, true),
                Some(b'f') => self.put_path(program, false),
                Some(b'F') => self.put_path(program, true),
                Some(b'p') => decimal(process, 1, &mut digits).iter().for_each(|digit| self.put(*digit)),
                Some(b't') => decimal(time, 1, &mut digits).iter().for_each(|digit| self.put(*digit)),
                Some(other) => self.put(*other),
                None => {}
            }
        }
    }
}

/// A descriptor for the report, and the process that reads it, or 0.
fn open(known: &Known, frames: &Frames) -> (c_int, libc::pid_t) {
    let Some(place) = &known.place else { return (libc::STDERR_FILENO, 0) };
    let program = frames.count.checked_sub(1).and_then(|last| frames.position(last)).map_or("", |(path, _)| path);
    let mut name = Name { bytes: [0; NAME_MAX], len: 0 };
    let opened = match place.as_bytes() {
        [b'|', command @ ..] => {
            name.fill(known, command, program.as_bytes());
            start_reader(&name)
        }
        path => {
            name.fill(known, path, program.as_bytes());
            let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
            // SAFETY: the name ends with a NUL.
            let descriptor = unsafe { libc::open(name.bytes.as_ptr().cast(), flags, 0o600) };
            (descriptor >= 0).then_some((descriptor, 0))
        }
    };
    opened.unwrap_or((libc::STDERR_FILENO, 0))
}

/// Starts the command. It gets our own standard input, which nobody reads any more.
fn start_reader(command: &Name) -> Option<(c_int, libc::pid_t)> {
    unsafe extern "C" {
        static environ: *const *mut c_char;
    }
    let mut ends = [0; 2];
    // SAFETY: numbers and C strings of our own; neither function allocates, unlike `fork`, which takes locks.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 || libc::dup2(ends[0], libc::STDIN_FILENO) < 0 {
            return None;
        }
        libc::close(ends[0]);
        let words = [c"sh".as_ptr(), c"-c".as_ptr(), command.bytes.as_ptr().cast(), null()];
        let mut process = 0;
        let shell = c"/bin/sh".as_ptr();
        let status =
            libc::posix_spawn(&mut process, shell, null(), null(), words.as_ptr().cast::<*mut c_char>(), environ);
        (status == 0).then_some((ends[1], process))
    }
}

/// The report is complete.
fn finish(descriptor: c_int, reader: libc::pid_t) {
    // SAFETY: plain calls on a descriptor and a child of our own.
    unsafe {
        if descriptor != libc::STDERR_FILENO {
            libc::close(descriptor);
        }
        if reader != 0 {
            libc::waitpid(reader, null_mut(), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_digits() {
        assert_eq!(decimal(0, 1, &mut [0; 20]), b"0");
        assert_eq!(decimal(27, 4, &mut [0; 20]), b"0027");
        assert_eq!(decimal(u64::MAX, 1, &mut [0; 20]), b"18446744073709551615");
        assert_eq!(hexadecimal(0x35f7, &mut [0; 18]), b"0x00000000000035f7");
    }

    #[test]
    fn names_are_filled_in_and_cut() {
        // SAFETY: all zeros is the default action.
        let before = unsafe { std::mem::zeroed() };
        let known = Known { before, description: String::new(), command: b"/usr/bin/ruby".to_vec(), place: None };
        let mut name = Name { bytes: [0; NAME_MAX], len: 0 };
        name.fill(&known, b"%e.%E.%f.%F.%%.%", b"test/bug.rb");
        assert_eq!(&name.bytes[..name.len], b"ruby.!usr!bin!ruby.bug.rb.test!bug.rb.%.");
        name.fill(&known, &[b'x'; 2 * NAME_MAX], b"");
        assert_eq!((name.len, name.bytes[NAME_MAX - 1]), (NAME_MAX - 1, 0));
    }
}
