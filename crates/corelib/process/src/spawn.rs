//! Starting processes: `fork`, `spawn`, `system`, `exec`, backquotes, `IO.popen`.

use super::exit::End;
use super::plan::{Place, Plan, parse_args};
use super::{delicate, signal, wait};
use rubellite_core_io::descriptors;
use rubellite_core_io::io::mode::{OpenMode, parse};
use rubellite_core_io::io::state::{self, IoState};
use rubellite_core_io::io::{device, open, write};
use rubellite_core_load as load;
use rubellite_core_object::errno;
use rubellite_core_object::exception::backtrace;
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{
    Args, Arity, ClassDef, Ctx, Ends, Leave, MethodDef, Pending, PrimitiveDef, Result, Value, method, primitive,
};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

pub const FUNCTIONS: &[MethodDef] = &[
    method("fork", Arity::NONE, fork),
    method("spawn", Arity::at_least(1), spawn),
    method("system", Arity::at_least(1), system),
    method("exec", Arity::at_least(1), exec),
];

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[primitive("process_backtick", Arity::exact(1), backtick)];

pub const PROCESS_ONLY: &[MethodDef] =
    &[method("daemon", Arity::range(0, 2), daemon), method("_fork", Arity::NONE, raw_fork)];

pub static IO_POPEN: ClassDef = ClassDef {
    name: "IO",
    superclass: "",
    singleton_methods: &[method("popen", Arity::at_least(0).with_keywords(), popen)],
    ..ClassDef::EMPTY
};

/// fork(2) with the lock at rest; the child has one thread and an intact VM. 0 in the child.
fn fork_process(ctx: &mut Ctx) -> Result<i32> {
    rubellite_core_ractor::check_main(ctx, "can not fork from non-main Ractors")?;
    flush_output(ctx)?;
    let mut works = delicate::at_rest();
    // A signal that comes to the child before it is in order waits until it is.
    let signals = signal::Held::new();
    // SAFETY: the child goes on with this thread alone, whose lock and VM are put in order right below.
    let pid = {
        let me = ctx.thread().clone();
        // SAFETY: the child keeps this thread alone and resets the lock before it runs Ruby code.
        ctx.vm().lock().around_fork(&me.lock_thread, || unsafe { libc::fork() })
    };
    if pid < 0 {
        return Err(errno::fail(ctx, errno::last(), "fork(2)"));
    }
    if pid == 0 {
        works.after_fork();
        rubellite_core_lock::trace::after_fork(ctx);
        rubellite_core_lock::report::after_fork(ctx);
        rubellite_core_thread::after_fork(ctx);
        rubellite_core_ractor::after_fork(ctx);
        rubellite_core_numeric::forget_default_random(ctx);
        signal::after_fork(ctx, signals);
        device::after_fork(ctx);
        load::after_fork(ctx);
    }
    Ok(pid)
}

fn raw_fork(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(fork_process(ctx)? as i64))
}

/// `fork -> pid or nil`, `fork { ... } -> pid`
fn fork(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let process = ctx.error_class("Process").value();
    let pid = ctx.call_name(process, "_fork", &[])?;
    if ctx.to_int(pid)? != 0 {
        return Ok(pid);
    }
    if !args.has_block() {
        return Ok(Value::NIL);
    }
    let outcome = ctx.yield_values(args.block, &[]).map(drop);
    // What the block would leave is the parent's.
    let left = match outcome.as_ref().map_err(|_| ctx.take_pending()) {
        Err(Pending::Break { .. }) => "break",
        Err(Pending::Return { .. }) => "return",
        Err(Pending::Throw { .. }) => "throw",
        Err(other) => {
            ctx.set_pending(other);
            end_child(ctx, outcome)
        }
        Ok(()) => end_child(ctx, outcome),
    };
    let positions = ctx.positions(1, 1);
    let place = backtrace::levels(ctx, &positions)
        .first()
        .map_or(String::new(), |level| format!("{}:{}:", level.path, level.line));
    let words = format!("{place}in 'fork': unexpected {left}\n");
    let end = super::exit::finish(ctx, Ok(()), crate::program::report);
    let text = Str::utf8(ctx, &words);
    let _ = write::complain(ctx, text);
    end_process(if end == End::Status(0) { End::Status(1) } else { end })
}

/// The end of a child's block: as the end of a program.
pub fn end_child(ctx: &mut Ctx, outcome: Result<()>) -> ! {
    end_process(super::exit::finish(ctx, outcome, crate::program::report))
}

fn end_process(end: End) -> ! {
    match end {
        End::Status(status) => std::process::exit(status & 0xff),
        End::Signal(number) => {
            signal::die(number);
            std::process::exit(128 + number)
        }
    }
}

fn start_error(ctx: &mut Ctx, plan: &Plan, e: i32) -> rubellite_vm::Unwind {
    let (e, place) = Place::split(e);
    errno::fail_named(ctx, e, &plan.subject(place))
}

/// Starts the planned process. An error of the child's exec comes back through a pipe; like those on the way to it, it
/// is for `start_error`.
fn start(ctx: &mut Ctx, plan: &Plan) -> Result<std::result::Result<i32, i32>> {
    let (read_end, mut write_end) = match descriptors::pipe(ctx, 0) {
        Ok(ends) => ends,
        Err(e) => return Ok(Err(e)),
    };
    if plan.covers(write_end.as_raw_fd()) {
        // The child's redirections must not cover the end on which it reports.
        write_end = match plan.aside(write_end.as_raw_fd()) {
            // SAFETY: the copy is new and ours.
            Ok(moved) => unsafe { OwnedFd::from_raw_fd(moved) },
            Err(e) => return Ok(Err(e)),
        };
    }
    let write_fd = write_end.as_raw_fd();
    let mut ready = plan.ready();
    let me = ctx.thread().clone();
    let signals = signal::Held::new();
    // SAFETY: the child makes only async-signal-safe calls (`exec`, `write`, `_exit`).
    let pid = ctx.vm().lock().around_fork(&me.lock_thread, || unsafe {
        let pid = libc::fork();
        if pid == 0 {
            reset_signals();
            let error = Place::join(ready.exec(), ready.failed_in);
            libc::write(write_fd, (&raw const error).cast(), size_of::<i32>());
            libc::_exit(127);
        }
        pid
    });
    let forked = errno::last();
    drop(signals);
    drop(write_end);
    if pid < 0 {
        return Ok(Err(forked));
    }
    let told = child_error(ctx, read_end.as_raw_fd());
    drop(read_end);
    let mut status = 0;
    let error = match told {
        Ok(error) => error,
        Err(unwind) => {
            // The child has not become the program yet, and nobody will know of it.
            // SAFETY: the child has not been waited for; the status is ours.
            unsafe {
                libc::kill(pid, libc::SIGKILL);
                libc::waitpid(pid, &mut status, 0);
            }
            return Err(unwind);
        }
    };
    if let Some(error) = error {
        // SAFETY: the status is ours; the child has ended or is about to.
        unsafe { libc::waitpid(pid, &mut status, 0) };
        wait::set_last_status(ctx, pid, 127 << 8);
        return Ok(Err(error));
    }
    Ok(Ok(pid))
}

/// What the child says when it cannot become the program; `None` when it could. It may take long: a redirection can
/// wait for the other end of a FIFO. Meanwhile the thread counts as running: one that looks asleep has the command's
/// process ID.
fn child_error(ctx: &mut Ctx, read_fd: i32) -> Result<Option<i32>> {
    ctx.before_wait()?;
    loop {
        let read = once(move || {
            let mut error = 0i32;
            // SAFETY: the integer is ours. The child closes its end by exec or exit.
            let got = unsafe { libc::read(read_fd, (&raw mut error).cast(), size_of::<i32>()) };
            (got, error)
        });
        match ctx.outside(Leave::new(Kind::Long, Ends::Signal).running().quiet(), read)? {
            Some((got, error)) if got >= 0 => return Ok((got == size_of::<i32>() as isize).then_some(error)),
            _ => ctx.after_wait()?,
        }
    }
}

/// In the child: handlers and blocked signals of ours are nobody else's business. One that came since the fork takes
/// its effect here.
fn reset_signals() {
    // SAFETY: plain system calls on structures of our own.
    unsafe {
        for signal in 1..32 {
            let mut action: libc::sigaction = std::mem::zeroed();
            let known = libc::sigaction(signal, std::ptr::null(), &mut action) == 0;
            if known && action.sa_sigaction != libc::SIG_IGN && action.sa_sigaction != libc::SIG_DFL {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
    }
}

/// `spawn([env,] command..., options) -> pid`
fn spawn(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let plan = parse_args(ctx, args)?;
    plan.refuse_exception(ctx)?;
    flush_output(ctx)?;
    match start(ctx, &plan)? {
        Ok(pid) => Ok(Value::fixnum(pid as i64)),
        Err(e) => Err(start_error(ctx, &plan, e)),
    }
}

fn flush_output(ctx: &mut Ctx) -> Result<()> {
    for name in ["$stdout", "$stderr"] {
        let stream = rubellite_core_io::globals::get_raw(ctx, name);
        if let Some(io) = state::try_state(ctx, stream).filter(|io| !io.closed()) {
            device::flush(ctx, &io)?;
        }
    }
    Ok(())
}

/// `system(...) -> true, false or nil`
fn system(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let plan = parse_args(ctx, args)?;
    flush_output(ctx)?;
    let pid = match start(ctx, &plan)? {
        Ok(pid) => pid,
        Err(e) if matches!(Place::split(e).1, Some(Place::Redirect(_))) => return Err(start_error(ctx, &plan, e)),
        // The command is named, whatever failed.
        Err(e) if plan.exception == Some(true) => return Err(errno::fail_named(ctx, Place::split(e).0, &plan.shown)),
        Err(_) => return Ok(Value::NIL),
    };
    wait::reap(ctx, pid, 0)?;
    let status = wait::last_status(ctx);
    let success = ctx.call_name(status, "success?", &[])?;
    if plan.exception == Some(true) && !success.truthy() {
        let text = ctx.inspect(status)?;
        // "#<Process::Status: pid 1 exit 4>" without its frame and pid.
        let reason = text
            .split_once("pid ")
            .and_then(|(_, rest)| rest.split_once(' '))
            .map_or("", |(_, reason)| reason.trim_end_matches('>'));
        return Err(ctx.runtime_error(&format!("Command failed with {reason}: {}", plan.shown)));
    }
    Ok(Value::from_bool(success.truthy()))
}

/// `exec(...)`: this process becomes another.
fn exec(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let plan = parse_args(ctx, args)?;
    plan.refuse_exception(ctx)?;
    // What cannot be written is lost with this program.
    let refused = ctx.error_class("SystemCallError").value();
    ctx.rescue(refused, flush_output, |_, _| Ok(()))?;
    // So is what reports and traces have found out.
    crate::attach::profile::finish(ctx);
    rubellite_core_lock::finish(ctx);
    // SAFETY: a plain call; put back when exec fails.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut ready = plan.ready();
    let error = ready.exec();
    let subject = plan.subject(ready.failed_in);
    signal::quiet_pipe();
    Err(errno::fail_named(ctx, error, &subject))
}

/// "`command`": the output of a command.
fn backtick(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let command = ctx.to_str(args.at(0))?.value();
    let mut plan = Plan::parse(ctx, &[command])?;
    flush_output(ctx)?;
    let (ours, childs) = match descriptors::pipe(ctx, libc::O_NONBLOCK) {
        Ok(ends) => ends,
        Err(e) => return Err(start_error(ctx, &plan, e)),
    };
    plan.connect(1, childs.as_raw_fd());
    let started = start(ctx, &plan);
    drop(childs);
    let pid = match started? {
        Ok(pid) => pid,
        Err(e) => return Err(start_error(ctx, &plan, e)),
    };
    // An IO that the scheduler of a fiber can be given.
    let class = ctx.named_class("IO")?;
    let object =
        state::wrap(ctx, class.value(), IoState::new(ours.into_raw_fd(), state::mode::READ | state::mode::NONBLOCK));
    let io = state::state(ctx, object)?;
    let bytes = match device::read_all(ctx, &io) {
        Ok(bytes) => bytes,
        Err(unwind) => {
            // SAFETY: the descriptor is this object's alone, which has none from here on.
            drop(unsafe { OwnedFd::from_raw_fd(io.fd.replace(-1)) });
            return Err(unwind);
        }
    };
    device::close(ctx, &io)?;
    wait::reap(ctx, pid, 0)?;
    let encoding = rubellite_core_io::io::mode::default_external(ctx)?;
    Ok(Str::from_vec(ctx, bytes, encoding).value())
}

// -- popen ------------------------------------------------------------------------------------

/// `IO.popen([env,] command, mode = "r", options)`
fn popen(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (mut list, mut options, mut env) = (args.slice(), None, None);
    if let [rest @ .., last] = list {
        // Options may also be an ordinary Hash.
        options = if rest.is_empty() { None } else { ctx.check_hash(*last)? };
        list = if options.is_some() { rest } else { list };
    }
    if let [first, rest @ ..] = list {
        env = if rest.is_empty() { None } else { ctx.check_hash(*first)? };
        list = if env.is_some() { rest } else { list };
    }
    if !matches!(list.len(), 1 | 2) {
        let more = usize::from(options.is_some());
        return Err(ctx.arity_error(list.len() + more, 1 + more, Some(2 + more)));
    }
    let plan = popen_command(ctx, list[0], options, env)?;
    let mode = parse(ctx, list.get(1).copied().unwrap_or(Value::NIL), Value::NIL, options)?;
    let io = match plan {
        None => popen_fork(ctx, recv, &mode)?,
        Some(plan) => popen_plan(ctx, recv, plan, &mode)?,
    };
    if io.is_nil() {
        return popen_child(ctx, args);
    }
    open::with_block(ctx, io, args.block)
}

/// What `popen` runs; none: "-" forks.
fn popen_command(ctx: &mut Ctx, command: Value, options: Option<Hash>, env: Option<Hash>) -> Result<Option<Plan>> {
    let plan = match ctx.check_array(command)? {
        Some(words) => {
            let all = words.slice(ctx).to_vec(); // tidy: `words` keeps them alive
            let plan = Plan::parse_with(ctx, &all, false, options, env)?;
            let _kept = words;
            // The option beside the command means nothing.
            plan.refuse_exception(ctx)?;
            plan
        }
        None => {
            let line = ctx.to_str(command)?;
            if line.bytes(ctx) == b"-" {
                return Ok(None);
            }
            Plan::parse_with(ctx, &[line.value()], true, options, env)?
        }
    };
    Ok(Some(plan))
}

/// In the child of `popen("-")`: the block runs with nil, and the child ends.
fn popen_child(ctx: &mut Ctx, args: Args) -> Result {
    if !args.has_block() {
        return Ok(Value::NIL);
    }
    // The child ends here without a word, whatever the block came to, and at_exit is the parent's.
    if ctx.yield_one(args.block, Value::NIL).is_err() {
        ctx.take_pending();
    }
    device::flush_all(ctx);
    // SAFETY: the process ends.
    unsafe { libc::_exit(0) }
}

/// Pipes between us and a child: two ends of each, as far as they are wanted.
#[derive(Default)]
struct Pipes {
    our_read: Option<OwnedFd>,
    our_write: Option<OwnedFd>,
    /// What the child writes to and reads from.
    child: [Option<OwnedFd>; 2],
}

/// The numbers in the child for `Pipes::child`.
const CHILD_ENDS: [i32; 2] = [1, 0];

fn pipes(ctx: &mut Ctx, mode: &OpenMode) -> descriptors::Sys<Pipes> {
    let mut pipes = Pipes::default();
    if mode.readable() {
        let (ours, childs) = descriptors::pipe(ctx, libc::O_NONBLOCK)?;
        (pipes.our_read, pipes.child[0]) = (Some(ours), Some(childs));
    }
    if mode.writable() {
        let (childs, ours) = descriptors::pipe(ctx, libc::O_NONBLOCK)?;
        (pipes.our_write, pipes.child[1]) = (Some(ours), Some(childs));
    }
    Ok(pipes)
}

fn popen_plan(ctx: &mut Ctx, klass: Value, mut plan: Plan, mode: &OpenMode) -> Result {
    let mut connected = Vec::new();
    connected.extend(mode.readable().then_some(1));
    connected.extend(mode.writable().then_some(0));
    plan.check_redirects(ctx, &connected)?;
    flush_output(ctx)?;
    let pipes = match pipes(ctx, mode) {
        Ok(pipes) => pipes,
        Err(e) => return Err(start_error(ctx, &plan, e)),
    };
    for (end, target) in pipes.child.iter().zip(CHILD_ENDS) {
        if let Some(end) = end {
            plan.connect(target, end.as_raw_fd());
        }
    }
    match start(ctx, &plan)? {
        Ok(pid) => pipe_io(ctx, klass, pipes, pid, mode),
        // Here the step is named, not the directory.
        Err(e) if Place::split(e).1 == Some(Place::Chdir) => Err(errno::fail(ctx, Place::split(e).0, "chdir")),
        Err(e) => Err(start_error(ctx, &plan, e)),
    }
}

/// The IO of a pipe to or from a child. The child's ends are closed here.
fn pipe_io(ctx: &mut Ctx, klass: Value, pipes: Pipes, pid: i32, mode: &OpenMode) -> Result {
    let Pipes { our_read, our_write, child } = pipes;
    drop(child);
    let (one, other) = if our_read.is_some() { (our_read, our_write) } else { (our_write, None) };
    let number = |fd: Option<OwnedFd>| fd.map_or(-1, OwnedFd::into_raw_fd);
    let state = IoState::new(number(one), mode.state_bits() | state::mode::SYNC);
    state.write_fd.set(number(other));
    state.pid.set(pid);
    let io = open::allocate(ctx, klass)?;
    open::install(ctx, io, state, mode)?;
    Ok(io)
}

/// `popen("-")`: nil in the child, whose standard streams are the pipes.
fn popen_fork(ctx: &mut Ctx, klass: Value, mode: &OpenMode) -> Result {
    let pipes = pipes(ctx, mode).map_err(|e| errno::fail(ctx, e, ""))?;
    let process = ctx.error_class("Process").value();
    let pid = ctx.call_name(process, "_fork", &[])?;
    let pid = ctx.to_c_int(pid)?;
    if pid != 0 {
        return pipe_io(ctx, klass, pipes, pid, mode);
    }
    for (end, target) in pipes.child.iter().zip(CHILD_ENDS) {
        let Some(end) = end else { continue };
        // SAFETY: plain calls on a descriptor of this function.
        unsafe {
            let flags = libc::fcntl(end.as_raw_fd(), libc::F_GETFL);
            libc::fcntl(end.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK);
        }
        descriptors::replace(end, target, true).map_err(|e| errno::fail(ctx, e, ""))?;
    }
    for name in ["$stdout", "$stderr"] {
        let stream = rubellite_core_io::globals::get_raw(ctx, name);
        if let Some(io) = state::try_state(ctx, stream) {
            io.set(state::mode::SYNC, true);
            io.examine();
        }
    }
    Ok(Value::NIL)
}

/// `Process.daemon(nochdir = nil, noclose = nil)`
fn daemon(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let keep = super::plan::boolean(ctx, args.at(1), "noclose")?;
    let stay = super::plan::boolean(ctx, args.at(0), "nochdir")?;
    if fork_process(ctx)? > 0 {
        // SAFETY: the parent ends at once.
        unsafe { libc::_exit(0) };
    }
    // SAFETY: plain calls; the paths are C strings.
    unsafe {
        libc::setsid();
        if !stay {
            libc::chdir(c"/".as_ptr());
        }
        if !keep {
            let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
            for fd in 0..3 {
                libc::dup2(null, fd);
            }
            libc::close(null);
        }
    }
    Ok(Value::fixnum(0))
}
