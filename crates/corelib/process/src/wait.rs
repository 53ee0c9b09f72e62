//! Waiting for children, Process::Status and `$?`.

use rubellite_core_object::errno;
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Ends, Extension, Leave, MethodDef, Result, Value, method};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

pub const FUNCTIONS: &[MethodDef] = &[
    method("wait", Arity::range(0, 2), process_wait),
    method("waitpid", Arity::range(0, 2), process_wait),
    method("wait2", Arity::range(0, 2), wait2),
    method("waitpid2", Arity::range(0, 2), wait2),
    method("waitall", Arity::NONE, waitall),
    method("last_status", Arity::NONE, last_status_method),
];

pub static STATUS: ClassDef = ClassDef {
    name: "Process::Status",
    superclass: "Object",
    alloc: Some(allocate),
    no_new: true,
    methods: &[
        method("==", Arity::exact(1), status_eq),
        method("to_i", Arity::NONE, status_to_i),
        method("pid", Arity::NONE, status_pid),
        method("exited?", Arity::NONE, exited_p),
        method("exitstatus", Arity::NONE, exitstatus),
        method("success?", Arity::NONE, success_p),
        method("signaled?", Arity::NONE, signaled_p),
        method("termsig", Arity::NONE, termsig),
        method("stopped?", Arity::NONE, stopped_p),
        method("stopsig", Arity::NONE, stopsig),
        method("coredump?", Arity::NONE, coredump_p),
        method("to_s", Arity::NONE, status_to_s),
        method("inspect", Arity::NONE, status_inspect),
    ],
    singleton_methods: &[method("wait", Arity::range(0, 2), status_wait)],
    ..ClassDef::EMPTY
};

/// It lies as C code knows it from CRuby, which fills in what it has allocated (EventMachine does).
#[repr(C)]
struct Status {
    pid: Cell<i32>,
    status: Cell<i32>,
    error: Cell<i32>,
}

impl Status {
    fn new(pid: i32, status: i32) -> Status {
        Status { pid: Cell::new(pid), status: Cell::new(status), error: Cell::new(0) }
    }
}

impl NativeData for Status {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

/// The Status of nothing.
fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(new_status_in(ctx, class))
}

/// `$?` of each thread.
#[derive(Default)]
// tidy: traced by the extension below
struct LastStatus(RefCell<HashMap<u64, Value>>);

impl Extension for LastStatus {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.0.borrow().values().for_each(|v| mark(*v));
    }
}

/// `$?`
pub fn last_status(ctx: &Ctx) -> Value {
    ctx.extension::<LastStatus>().0.borrow().get(&ctx.thread().id).copied().unwrap_or(Value::NIL)
}

/// Makes a Process::Status and, when asked, `$?` of it.
pub fn set_last_status(ctx: &mut Ctx, pid: i32, status: i32) -> Value {
    let value = new_status(ctx, pid, status);
    let id = ctx.thread().id;
    ctx.extension::<LastStatus>().0.borrow_mut().insert(id, value);
    value
}

pub fn clear_last_status(ctx: &mut Ctx) {
    let id = ctx.thread().id;
    ctx.extension::<LastStatus>().0.borrow_mut().remove(&id);
}

fn new_status(ctx: &mut Ctx, pid: i32, status: i32) -> Value {
    failed_status(ctx, pid, status, 0)
}

/// A Process::Status of a wait that may have failed with an error number of the system.
pub fn failed_status(ctx: &mut Ctx, pid: i32, status: i32, error: i32) -> Value {
    let klass = ctx.error_class("Process::Status").value();
    let words = Status::new(pid, status);
    words.error.set(error);
    let data = Data::new(ctx, klass, words);
    if let Some(header) = data.value().header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    data.value()
}

/// Status word and process id of a Process::Status.
pub fn status_words(ctx: &Ctx, value: Value) -> Option<(i32, i32)> {
    Data::state_of::<Status>(ctx, value).map(|s| (s.status.get(), s.pid.get()))
}

/// Where C code finds process id, status word and error number of a Process::Status. The object keeps them.
pub fn status_address(ctx: &Ctx, value: Value) -> Option<*mut std::ffi::c_void> {
    Data::state_of::<Status>(ctx, value).map(|status| std::ptr::from_ref(status).cast_mut().cast())
}

/// A Process::Status that `set_status` completes.
pub fn new_status_in(ctx: &mut Ctx, klass: Value) -> Value {
    Data::new(ctx, klass, Status::new(0, 0)).value()
}

pub fn set_status(ctx: &mut Ctx, value: Value, pid: i32, status: i32) {
    if let Some(data) = Data::try_of(value) {
        data.install(ctx, Status::new(pid, status));
    }
}

/// waitpid(2) outside the lock; `(0, 0)` when nothing has ended and WNOHANG was given.
pub fn waitpid(ctx: &mut Ctx, pid: i32, flags: i32) -> Result<std::result::Result<(i32, i32), i32>> {
    if let Some(scheduler) = scheduler::current(ctx)
        && let Some(status) = scheduler::process_wait(ctx, scheduler, pid, flags)?
    {
        return match Data::state_of::<Status>(ctx, status).map(|s| (s.pid.get(), s.status.get())) {
            Some((pid, _)) if pid < 0 => Ok(Err(libc::ECHILD)),
            Some(ended) => Ok(Ok(ended)),
            None if status.is_nil() => Ok(Ok((0, 0))),
            None => {
                let class = ctx.describe_for_conversion(status);
                Err(ctx.type_error(&format!("wrong argument type {class} (expected Process::Status)")))
            }
        };
    }
    loop {
        let call = move |flags: i32| {
            let mut status = 0;
            // SAFETY: the status is ours.
            let got = unsafe { libc::waitpid(pid, &mut status, flags) };
            if got < 0 { Err(errno::last()) } else { Ok((got, status)) }
        };
        // A child that has ended already is found without leaving the lock.
        let mut outcome = Some(call(flags | libc::WNOHANG));
        if flags & libc::WNOHANG == 0 && outcome == Some(Ok((0, 0))) {
            outcome = Some(ctx.outside(Leave::new(Kind::Long, Ends::Signal), once(move || call(flags)))?);
        }
        match outcome {
            None | Some(Err(libc::EINTR)) => ctx.check_interrupts()?,
            Some(outcome) => return Ok(outcome),
        }
    }
}

/// Waits for a child and notes `$?`; a child that somebody else has waited for counts as done. `flags` as of
/// waitpid(2).
pub fn reap(ctx: &mut Ctx, pid: i32, flags: i32) -> Result<()> {
    match waitpid(ctx, pid, flags)? {
        Ok((got, status)) if got > 0 => {
            set_last_status(ctx, got, status);
        }
        _ => {}
    }
    Ok(())
}

fn wait_args(ctx: &mut Ctx, args: Args) -> Result<(i32, i32)> {
    let pid = match args.get(0) {
        Some(v) => ctx.to_c_int(v)?,
        None => -1,
    };
    let flags = match args.non_nil(1) {
        Some(v) => ctx.to_c_uint(v)? as i32,
        None => 0,
    };
    Ok((pid, flags))
}

/// `Process.wait(pid = -1, flags = 0) -> pid`
fn process_wait(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (pid, flags) = wait_args(ctx, args)?;
    match waitpid(ctx, pid, flags)? {
        Ok((0, _)) => {
            clear_last_status(ctx);
            Ok(Value::NIL)
        }
        Ok((got, status)) => {
            set_last_status(ctx, got, status);
            Ok(Value::fixnum(got as i64))
        }
        Err(e) => {
            clear_last_status(ctx);
            Err(errno::fail(ctx, e, ""))
        }
    }
}

fn wait2(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pid = process_wait(ctx, recv, args)?;
    if pid.is_nil() {
        return Ok(Value::NIL);
    }
    let status = last_status(ctx);
    Ok(Array::from_slice(ctx, &[pid, status]).value())
}

fn waitall(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let all = Array::new(ctx);
    loop {
        match waitpid(ctx, -1, 0)? {
            Ok((pid, status)) => {
                let status = set_last_status(ctx, pid, status);
                let pair = Array::from_slice(ctx, &[Value::fixnum(pid as i64), status]);
                all.push(ctx, pair.value());
            }
            Err(libc::ECHILD) => return Ok(all.value()),
            Err(e) => return Err(errno::fail(ctx, e, "")),
        }
    }
}

fn last_status_method(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(last_status(ctx))
}

/// `Process::Status.wait(pid = -1, flags = 0) -> status or nil`
fn status_wait(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (pid, flags) = wait_args(ctx, args)?;
    match waitpid(ctx, pid, flags)? {
        Ok((0, _)) => Ok(Value::NIL),
        Ok((got, status)) => Ok(new_status(ctx, got, status)),
        Err(_) => Ok(new_status(ctx, -1, 0)),
    }
}

fn parts(ctx: &Ctx, recv: Value) -> (i32, i32) {
    Data::state_of::<Status>(ctx, recv).map_or((0, 0), |s| (s.pid.get(), s.status.get()))
}

fn status_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (_, status) = parts(ctx, recv);
    if Data::state_of::<Status>(ctx, args.at(0)).is_some() {
        return Ok(Value::from_bool(parts(ctx, args.at(0)).1 == status));
    }
    let equal = ctx.equal(Value::fixnum(status as i64), args.at(0))?;
    Ok(Value::from_bool(equal))
}

fn status_to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(parts(ctx, recv).1 as i64))
}

fn status_pid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(parts(ctx, recv).0 as i64))
}

fn exited_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(libc::WIFEXITED(parts(ctx, recv).1)))
}

fn number_if(condition: bool, number: i32) -> Result {
    Ok(if condition { Value::fixnum(number as i64) } else { Value::NIL })
}

fn exitstatus(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (_, status) = parts(ctx, recv);
    number_if(libc::WIFEXITED(status), libc::WEXITSTATUS(status))
}

fn success_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (_, status) = parts(ctx, recv);
    Ok(if libc::WIFEXITED(status) { Value::from_bool(libc::WEXITSTATUS(status) == 0) } else { Value::NIL })
}

fn signaled_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(libc::WIFSIGNALED(parts(ctx, recv).1)))
}

fn termsig(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (_, status) = parts(ctx, recv);
    number_if(libc::WIFSIGNALED(status), libc::WTERMSIG(status))
}

fn stopped_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(libc::WIFSTOPPED(parts(ctx, recv).1)))
}

fn stopsig(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (_, status) = parts(ctx, recv);
    number_if(libc::WIFSTOPPED(status), libc::WSTOPSIG(status))
}

fn coredump_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(libc::WCOREDUMP(parts(ctx, recv).1)))
}

fn describe(pid: i32, status: i32) -> String {
    let mut text = format!("pid {pid}");
    if libc::WIFSTOPPED(status) {
        let signal = libc::WSTOPSIG(status);
        text.push_str(&match super::signal::name_of(signal) {
            Some(name) => format!(" stopped SIG{name} (signal {signal})"),
            None => format!(" stopped signal {signal}"),
        });
    }
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        text.push_str(&match super::signal::name_of(signal) {
            Some(name) => format!(" SIG{name} (signal {signal})"),
            None => format!(" signal {signal}"),
        });
    }
    if libc::WIFEXITED(status) {
        text.push_str(&format!(" exit {}", libc::WEXITSTATUS(status)));
    }
    if libc::WCOREDUMP(status) {
        text.push_str(" (core dumped)");
    }
    text
}

fn status_to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (pid, status) = parts(ctx, recv);
    Ok(Str::utf8(ctx, &describe(pid, status)).value())
}

fn status_inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (pid, status) = parts(ctx, recv);
    let class = ctx.real_class(recv).inspect(ctx);
    if pid == 0 {
        return Ok(Str::utf8(ctx, &format!("#<{class}: uninitialized>")).value());
    }
    Ok(Str::utf8(ctx, &format!("#<{class}: {}>", describe(pid, status))).value())
}
