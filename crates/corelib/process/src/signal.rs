//! Signals: `trap`, `Signal.list`, `Process.kill`.
//!
//! The C handler only notes the signal and wakes a helper thread through a pipe; the helper interrupts the VM's main
//! thread, which runs the Ruby handlers at its next safepoint (`run_pending`). The table of pending signals is
//! process-wide, as signals are; one VM of the process, the first that asks, receives them.

use rubellite_core_object::SIGNALS;
use rubellite_core_object::errno;
use rubellite_vm::object::{Binding, Hash, Proc, Str};
use rubellite_vm::thread::{ThreadState, interrupt_bits};
use rubellite_vm::vmlock::{block_signals, spawn_native};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Extension, MethodDef, Result, Value, method};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};

pub const FUNCTIONS: &[MethodDef] = &[method("trap", Arity::range(1, 2), trap)];

pub static SIGNAL: ClassDef = ClassDef {
    name: "Signal",
    superclass: "",
    module_functions: &[
        method("trap", Arity::range(1, 2), trap),
        method("list", Arity::NONE, list),
        method("signame", Arity::exact(1), signame),
    ],
    ..ClassDef::EMPTY
};

/// Bits of signals that have arrived and not been handled.
static PENDING: AtomicU64 = AtomicU64::new(0);
/// Write end of the helper's pipe; -1: no helper.
static WAKE_FD: AtomicI32 = AtomicI32::new(-1);
/// Who is interrupted.
static TARGET: Mutex<Option<Arc<ThreadState>>> = Mutex::new(None);
static HELPER: AtomicBool = AtomicBool::new(false);
/// The signal by which somebody asks to look at the process; zero: none.
static ATTACH: AtomicI32 = AtomicI32::new(0);

/// What a signal does.
#[derive(Copy, Clone)]
enum Action {
    /// The system's own, or ours (Interrupt for SIGINT, SignalException for others).
    Default,
    SystemDefault,
    Ignore,
    /// Ignored by `trap(signal, nil)`, which is told as nil.
    Nothing,
    Exit,
    /// An object with `call`, or a String of Ruby code.
    Call(Value),
}

#[derive(Default)]
struct Traps(RefCell<HashMap<i32, Action>>);

impl Extension for Traps {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for action in self.0.borrow().values() {
            if let Action::Call(proc) = action {
                mark(*proc);
            }
        }
    }
}

/// Name without "SIG".
pub fn name_of(signal: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, n)| *n == signal).map(|(name, _)| *name)
}

fn number_of(name: &[u8]) -> Option<i32> {
    SIGNALS.iter().find(|(n, _)| n.as_bytes() == name).map(|(_, number)| *number)
}

/// The bit of PENDING for a signal, 1 to 64.
fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

extern "C" fn note(signal: libc::c_int) {
    PENDING.fetch_or(bit(signal), SeqCst);
    let fd = WAKE_FD.load(SeqCst);
    if fd >= 0 {
        let byte = [0u8];
        // SAFETY: write is async-signal-safe; errno is put back.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(fd, byte.as_ptr().cast(), 1);
            *libc::__errno_location() = errno;
        }
    }
}

extern "C" fn nothing(_signal: libc::c_int) {}

/// Starts the helper thread; again in the child of a fork.
fn start_helper() {
    if HELPER.swap(true, SeqCst) {
        return;
    }
    let mut fds = [0; 2];
    // SAFETY: the array takes two descriptors.
    if unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        HELPER.store(false, SeqCst);
        return;
    }
    // SAFETY: a plain call.
    unsafe { libc::fcntl(fds[1], libc::F_SETFL, libc::O_NONBLOCK) };
    let read_fd = fds[0];
    if spawn_native("signals", 64 << 10, move || help(read_fd)) {
        WAKE_FD.store(fds[1], SeqCst);
    }
}

fn help(read_fd: i32) {
    // This one must not be the one that a wait hides in.
    block_signals();
    let mut buf = [0u8; 64];
    loop {
        // SAFETY: the buffer is ours.
        let n = unsafe { libc::read(read_fd, buf.as_mut_ptr().cast(), buf.len()) };
        if n == 0 || n < 0 && errno::last() != libc::EINTR {
            return;
        }
        if let Some(thread) = TARGET.lock().unwrap_or_else(|e| e.into_inner()).as_ref() {
            let attach = ATTACH.load(SeqCst);
            if attach != 0 && PENDING.fetch_and(!bit(attach), SeqCst) & bit(attach) != 0 {
                super::attach::listen(thread);
            }
            if PENDING.load(SeqCst) == 0 {
                continue;
            }
            thread.lock_thread.interrupt(interrupt_bits::SIGNAL);
        }
    }
}

/// While it lives, this thread gets no signals and the helper does not hold the lock of its target: the state in which
/// a fork copies them.
pub struct Held {
    mask: libc::sigset_t,
    target: Option<MutexGuard<'static, Option<Arc<ThreadState>>>>,
}

impl Default for Held {
    fn default() -> Self {
        Self::new()
    }
}

impl Held {
    pub fn new() -> Held {
        // SAFETY: the sets are ours, and all zeroes is valid.
        let mask = unsafe {
            let (mut all, mut old): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
            old
        };
        Held { mask, target: Some(TARGET.lock().unwrap_or_else(|e| e.into_inner())) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.target = None;
        // SAFETY: the set is the one that was there before.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.mask, std::ptr::null_mut()) };
    }
}

/// In the child of a fork: the helper is gone, its pipe is the parent's. What came to the child meanwhile comes now.
pub fn after_fork(ctx: &mut Ctx, mut held: Held) {
    let had = HELPER.swap(false, SeqCst);
    let old = WAKE_FD.swap(-1, SeqCst);
    PENDING.store(0, SeqCst);
    super::attach::after_fork();
    if old >= 0 {
        // SAFETY: the descriptor was the parent's helper's.
        unsafe { libc::close(old) };
    }
    if let Some(target) = held.target.as_mut() {
        **target = Some(ctx.thread().clone());
    }
    if had {
        start_helper();
    }
}

/// Sets the handler of a signal; returns the one that it had, or an errno.
fn install(signal: i32, handler: usize) -> std::result::Result<usize, i32> {
    // SAFETY: the structure is zeroed and filled; the handler is one of ours or a constant of the system.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        libc::sigemptyset(&mut action.sa_mask);
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, &action, &mut old) != 0 {
            return Err(errno::last());
        }
        Ok(old.sa_sigaction)
    }
}

fn note_handler() -> usize {
    note as extern "C" fn(libc::c_int) as usize
}

fn nothing_handler() -> usize {
    nothing as extern "C" fn(libc::c_int) as usize
}

/// Makes the standard signals exceptions of the main thread: SIGINT raises Interrupt, SIGTERM and the like
/// SignalException. For the command line.
pub fn install_defaults(ctx: &mut Ctx) {
    take_signals(ctx);
    for signal in
        [libc::SIGINT, libc::SIGHUP, libc::SIGTERM, libc::SIGQUIT, libc::SIGALRM, libc::SIGUSR1, libc::SIGUSR2]
    {
        // SAFETY: a plain query; what the parent has made us ignore stays ignored.
        let ignored = unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut old) == 0 && old.sa_sigaction == libc::SIG_IGN
        };
        if !ignored {
            let _ = install(signal, note_handler());
        }
    }
    if let Some(signal) = super::attach::signal() {
        match install(signal, note_handler()) {
            Ok(_) => ATTACH.store(signal, SeqCst),
            Err(number) => super::attach::warn(&format!("signal {signal}: {}", errno::text(number))),
        }
    }
    // SIGPIPE must not be ignored in children, and must not kill us.
    quiet_pipe();
}

fn take_signals(ctx: &mut Ctx) {
    // The part that knows threads has its own handler, which calls `run_pending`.
    if !ctx.threads().has_handler() {
        ctx.set_interrupt_handler(|ctx, bits| {
            ctx.thread().lock_thread.interrupt.take(bits);
            if bits & interrupt_bits::SIGNAL != 0 { run_pending(ctx) } else { Ok(()) }
        });
    }
    let main = ctx.threads().main.clone();
    let mut target = TARGET.lock().unwrap_or_else(|e| e.into_inner());
    if target.is_none() {
        *target = main;
    }
    drop(target);
    start_helper();
}

/// Runs the handlers of the signals that have arrived. The main thread calls this at a safepoint.
pub fn run_pending(ctx: &mut Ctx) -> Result<()> {
    loop {
        let pending = PENDING.load(SeqCst);
        if pending == 0 {
            return Ok(());
        }
        let signal = pending.trailing_zeros() as i32 + 1;
        PENDING.fetch_and(!bit(signal), SeqCst);
        let outcome = run_handler(ctx, signal);
        if outcome.is_err() {
            if PENDING.load(SeqCst) != 0 {
                ctx.thread().lock_thread.interrupt(interrupt_bits::SIGNAL);
            }
            return outcome;
        }
    }
}

fn run_handler(ctx: &mut Ctx, signal: i32) -> Result<()> {
    let action = ctx.extension::<Traps>().0.borrow().get(&signal).copied().unwrap_or(Action::Default);
    match action {
        Action::Default => {
            let exception = default_action(ctx, signal)?;
            rubellite_core_thread::raise_asynchronously(ctx, exception)
        }
        Action::SystemDefault | Action::Ignore | Action::Nothing => Ok(()),
        Action::Exit => {
            let message = Str::utf8(ctx, "exit").value();
            Err(rubellite_core_object::raise_exit(ctx, 0, message))
        }
        // Not a command at all.
        Action::Call(command) if command.header().is_none() => Ok(()),
        Action::Call(command) => {
            let thread = ctx.thread().clone();
            let before = thread.in_trap.replace(true);
            let outcome = match Str::try_of(command) {
                Some(code) => evaluate(ctx, code),
                None => {
                    let call = ctx.intern("call");
                    ctx.call(command, call, &[Value::fixnum(signal as i64)])
                }
            };
            thread.in_trap.set(before);
            outcome.map(drop)
        }
    }
}

/// Runs the code of a handler that is a String: at toplevel, as if it stood at the place that the program has come to.
pub fn evaluate(ctx: &mut Ctx, code: Str) -> Result {
    let (path, line) = ctx.source_location();
    let path = path.map_or_else(|| crate::program::name(ctx), |path| path.to_string());
    let toplevel: Binding = ctx.expect(ctx.vm().toplevel_binding.get())?;
    let (bytes, encoding) = (code.bytes(ctx).to_vec(), code.encoding());
    ctx.eval_in_binding(toplevel, &bytes, &path, line, encoding)
}

/// The exception that a signal is in the main thread.
fn default_action(ctx: &mut Ctx, signal: i32) -> Result {
    let new = ctx.names().new;
    if signal == libc::SIGINT {
        let class = ctx.error_class("Interrupt").value();
        let text = Str::utf8(ctx, "").value();
        ctx.call(class, new, &[text])
    } else {
        let class = ctx.error_class("SignalException").value();
        let name = format!("SIG{}", name_of(signal).unwrap_or("UNKNOWN"));
        let text = Str::utf8(ctx, &name).value();
        ctx.call(class, new, &[text])
    }
}

/// Signals that are exceptions of the main thread unless the program says otherwise.
fn taken_by_default(signal: i32) -> bool {
    matches!(
        signal,
        libc::SIGINT | libc::SIGHUP | libc::SIGTERM | libc::SIGQUIT | libc::SIGALRM | libc::SIGUSR1 | libc::SIGUSR2
    )
}

/// Number of a signal argument: an Integer, or a name with or without "SIG".
fn signal_arg(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_fixnum() {
        let n = value.as_fixnum_unchecked();
        if !(0..=64).contains(&n) {
            return Err(ctx.argument_error(&format!("invalid signal number ({n})")));
        }
        return Ok(n as i32);
    }
    let name = match value.as_symbol() {
        Some(sym) => ctx.sym_bytes(sym).to_vec(),
        None => match ctx.check_str(value)? {
            Some(text) => text.bytes(ctx).to_vec(),
            None => {
                let class = ctx.real_class(value).inspect(ctx);
                return Err(ctx.argument_error(&format!("bad signal type {class}")));
            }
        },
    };
    if name.contains(&0) {
        return Err(ctx.argument_error("signal name with null byte"));
    }
    if name.first() == Some(&b'-') {
        let text = String::from_utf8_lossy(&name).into_owned();
        return Err(ctx.argument_error(&format!("negative signal name: {text}")));
    }
    let short = name.strip_prefix(b"SIG").unwrap_or(&name);
    match number_of(short) {
        Some(number) => Ok(number),
        None => {
            let full = if name.starts_with(b"SIG") { name } else { [b"SIG", &name[..]].concat() };
            let text = String::from_utf8_lossy(&full).into_owned();
            Err(ctx.argument_error(&format!("unsupported signal '{text}'")))
        }
    }
}

/// `trap(signal, command)`, `trap(signal) { |number| ... }`: returns the old handler.
fn trap(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let signal = signal_arg(ctx, args.at(0))?;
    let reserved = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGVTALRM];
    if reserved.contains(&signal) {
        let name = name_of(signal).unwrap_or("");
        return Err(ctx.argument_error(&format!("can't trap reserved signal: SIG{name}")));
    }
    let command = match (args.get(1), args.has_block()) {
        (Some(command), _) => command,
        (None, true) => ctx.block_to_value(args.block),
        (None, false) => return Err(ctx.argument_error("tried to create Proc object without a block")),
    };
    let command = match Proc::try_of(command) {
        Some(proc) if !ctx.in_main_ractor() && !ctx.shareable(command) => ctx.isolated_proc(proc, Value::NIL)?.value(),
        _ => command,
    };
    let action = parse_action(ctx, command)?;
    // EXIT has none.
    let mut before = None;
    let old = ctx.extension::<Traps>().0.borrow_mut().insert(signal, action);
    if signal != 0 {
        take_signals(ctx);
        let handler = match action {
            Action::Ignore | Action::Nothing => libc::SIG_IGN,
            Action::SystemDefault => libc::SIG_DFL,
            Action::Default if signal == libc::SIGPIPE => nothing_handler(),
            Action::Default if taken_by_default(signal) => note_handler(),
            Action::Default => libc::SIG_DFL,
            Action::Exit | Action::Call(_) => note_handler(),
        };
        match install(signal, handler) {
            Ok(handler) => before = Some(handler),
            Err(e) => {
                let name = name_of(signal).unwrap_or("");
                return Err(errno::fail(ctx, e, &format!("SIG{name}")));
            }
        }
    }
    Ok(match old {
        Some(Action::Nothing) => Value::NIL,
        Some(Action::Exit) => Str::utf8(ctx, "EXIT").value(),
        Some(Action::Call(command)) if command != Value::TRUE => command,
        _ => match old_name(signal, before) {
            Some(name) => Str::utf8(ctx, name).value(),
            None => Value::NIL,
        },
    })
}

/// The command that stands for a handler of the system or of ours.
fn old_name(signal: i32, handler: Option<usize>) -> Option<&'static str> {
    match handler? {
        libc::SIG_IGN => Some("IGNORE"),
        // CRuby has a handler for it.
        libc::SIG_DFL if signal == libc::SIGCHLD => Some("DEFAULT"),
        libc::SIG_DFL => Some("SYSTEM_DEFAULT"),
        handler if handler == note_handler() => Some("DEFAULT"),
        _ => None,
    }
}

fn parse_action(ctx: &mut Ctx, command: Value) -> Result<Action> {
    let name = match command {
        Value::NIL => return Ok(Action::Nothing),
        Value::FALSE => return Ok(Action::Default),
        _ => match command.as_symbol() {
            Some(sym) => ctx.sym_bytes(sym).to_vec(),
            None => match ctx.check_str(command)? {
                Some(text) => text.bytes(ctx).to_vec(),
                None => {
                    return Ok(Action::Call(command));
                }
            },
        },
    };
    match &name[..] {
        b"" | b"SIG_IGN" | b"IGNORE" => Ok(Action::Ignore),
        b"SIG_DFL" | b"DEFAULT" => Ok(Action::Default),
        b"SYSTEM_DEFAULT" => Ok(Action::SystemDefault),
        b"EXIT" => Ok(Action::Exit),
        _ => match ctx.check_str(command)? {
            Some(code) => Ok(Action::Call(code.value())),
            None => Ok(Action::Call(Str::new(ctx, &name, Encoding::UTF_8).value())),
        },
    }
}

/// The handler of `trap("EXIT")`, run at the end of the process before the `at_exit` blocks.
pub fn exit_trap(ctx: &mut Ctx) -> Option<Value> {
    match ctx.extension::<Traps>().0.borrow_mut().remove(&0) {
        Some(Action::Call(proc)) => Some(proc),
        _ => None,
    }
}

fn list(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let hash = Hash::new(ctx);
    for (name, number) in SIGNALS {
        let name = Str::ascii(ctx, name);
        let name = ctx.frozen_key(name);
        hash.insert(ctx, name.value(), Value::fixnum(*number as i64))?;
    }
    Ok(hash.value())
}

fn signame(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let number = ctx.to_c_int(args.at(0))?;
    match name_of(number) {
        Some(name) => Ok(Str::ascii(ctx, name).value()),
        None => Ok(Value::NIL),
    }
}

/// `Process.kill(signal, *pids) -> count`
pub fn kill(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let given = args.at(0);
    let (signal, group) = match kill_name(ctx, given)? {
        Some((name, group)) => match number_of(&name) {
            Some(number @ 1..) => (number, group),
            _ => {
                let text = String::from_utf8_lossy(&name).into_owned();
                return Err(ctx.argument_error(&format!("unsupported signal 'SIG{text}'")));
            }
        },
        None => {
            let n = ctx.to_c_int(given)?;
            (n.saturating_abs(), n < 0)
        }
    };
    let own = std::process::id() as i32;
    for i in 1..args.len() {
        let pid = ctx.to_c_int(args.at(i))?;
        // SAFETY: plain calls.
        let failed = unsafe {
            match (group, pid == own) {
                (true, _) => libc::killpg(pid, signal),
                // Sent to this thread, it arrives before the call returns.
                (false, true) if signal != 0 => libc::raise(signal),
                _ => libc::kill(pid, signal),
            }
        } != 0;
        if failed {
            return Err(errno::fail(ctx, errno::last(), ""));
        }
        if pid == own && signal != 0 {
            settle(ctx, signal)?;
        }
    }
    Ok(Value::fixnum(args.len() as i64 - 1))
}

/// A signal to ourselves is handled before `kill` returns on the main thread; from another one, the main thread knows
/// of it when `kill` returns, without waiting for the helper. For masks `kill` is a wait, as in CRuby.
fn settle(ctx: &mut Ctx, signal: i32) -> Result<()> {
    let main = ctx.threads().main.clone();
    if let Some(main) = main.filter(|_| PENDING.load(SeqCst) & bit(signal) != 0) {
        if main.id == ctx.thread().id {
            run_pending(ctx)?;
        } else {
            main.lock_thread.interrupt(interrupt_bits::SIGNAL);
        }
    }
    ctx.before_wait()?;
    ctx.after_wait()
}

/// The name without "SIG" and whether "-" asks for the group; none for numbers.
fn kill_name(ctx: &mut Ctx, value: Value) -> Result<Option<(Vec<u8>, bool)>> {
    let text = match value.as_symbol() {
        Some(sym) => ctx.sym_bytes(sym).to_vec(),
        None if value.is_fixnum() => return Ok(None),
        None => match ctx.check_str(value)? {
            Some(text) => text.bytes(ctx).to_vec(),
            None => {
                let class = ctx.real_class(value).inspect(ctx);
                return Err(ctx.argument_error(&format!("bad signal type {class}")));
            }
        },
    };
    let (text, group) = match text.strip_prefix(b"-") {
        Some(rest) => (rest.to_vec(), true),
        None => (text, false),
    };
    let short = text.strip_prefix(b"SIG").unwrap_or(&text).to_vec();
    Ok(Some((short, group)))
}

/// Ends the process by a signal's default action.
pub fn die(signal: i32) {
    let _ = install(signal, libc::SIG_DFL);
    // SAFETY: plain calls on sets and numbers of our own.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
        libc::kill(libc::getpid(), signal);
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
}

/// A write to a closed pipe is an error of the call, not a signal.
pub fn quiet_pipe() {
    let _ = install(libc::SIGPIPE, nothing_handler());
}
