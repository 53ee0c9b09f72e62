//! SignalException and Interrupt, with the names of signals.

use super::{hidden, initialize, set_hidden};
use rubellite_vm::class::{Arity, ClassDef, method, private_method};
use rubellite_vm::object::Exception;
use rubellite_vm::{Args, Ctx, Result, Value};

pub static SIGNAL_EXCEPTION: ClassDef = ClassDef {
    name: "SignalException",
    superclass: "Exception",
    methods: &[
        private_method("initialize", Arity::ANY, signal_initialize),
        method("signo", Arity::NONE, signo),
        method("signm", Arity::NONE, signm),
    ],
    ..ClassDef::EMPTY
};

pub static INTERRUPT: ClassDef = ClassDef {
    name: "Interrupt",
    superclass: "SignalException",
    methods: &[private_method("initialize", Arity::range(0, 1), interrupt_initialize)],
    ..ClassDef::EMPTY
};

/// Signals by name, without "SIG". The first name of a number is the one that messages use.
pub static SIGNALS: &[(&str, i32)] = &[
    ("EXIT", 0),
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("IOT", libc::SIGIOT),
    ("BUS", libc::SIGBUS),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("SEGV", libc::SIGSEGV),
    ("SYS", libc::SIGSYS),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("URG", libc::SIGURG),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("CONT", libc::SIGCONT),
    ("CHLD", libc::SIGCHLD),
    ("CLD", libc::SIGCHLD),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("IO", libc::SIGIO),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("PWR", libc::SIGPWR),
    ("POLL", libc::SIGPOLL),
];

/// Signal numbers end here.
const SIGNAL_MAX: i64 = 64;

/// `SignalException.new(name)`, `SignalException.new(number, message = nil)`
fn signal_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(first) = args.get(0) else { return Err(ctx.arity_error(0, 1, Some(1))) };
    let to_int = ctx.names().to_int;
    let by_number = first.is_fixnum()
        || (first.as_symbol().is_none() && ctx.check_str(first)?.is_none() && ctx.respond_to(first, to_int, true)?);
    if !by_number && first.as_symbol().is_none() && ctx.check_str(first)?.is_none() {
        let class = ctx.real_class(first).inspect(ctx);
        return Err(ctx.argument_error(&format!("bad signal type {class}")));
    }
    if by_number {
        if args.len() > 2 {
            return Err(ctx.arity_error(args.len(), 1, Some(2)));
        }
        return by_signal_number(ctx, recv, first, args);
    }
    if args.len() > 1 {
        return Err(ctx.arity_error(args.len(), 1, Some(1)));
    }
    let text = match first.as_symbol() {
        Some(sym) => ctx.sym_str(sym),
        None => ctx.to_str(first)?.to_lossy(ctx).into_owned(),
    };
    if text.starts_with('-') {
        return Err(ctx.argument_error(&format!("negative signal name: {text}")));
    }
    let short = text.strip_prefix("SIG").unwrap_or(&text);
    match SIGNALS.iter().find(|(name, _)| *name == short) {
        Some((name, number)) => {
            let message = super::string(ctx, &format!("SIG{name}"));
            finish(ctx, recv, message, *number as i64)
        }
        None => Err(ctx.argument_error(&format!("unsupported signal 'SIG{short}'"))),
    }
}

fn by_signal_number(ctx: &mut Ctx, recv: Value, first: Value, args: Args) -> Result {
    let number = ctx.to_int(first)?;
    if !(0..=SIGNAL_MAX).contains(&number) {
        return Err(ctx.argument_error(&format!("invalid signal number ({number})")));
    }
    let message = match args.get(1) {
        Some(text) => text,
        None => {
            let text = SIGNALS
                .iter()
                .find(|(_, n)| *n as i64 == number)
                .map_or_else(|| format!("SIG{number}"), |(name, _)| format!("SIG{name}"));
            super::string(ctx, &text)
        }
    };
    finish(ctx, recv, message, number)
}

fn finish(ctx: &mut Ctx, recv: Value, message: Value, number: i64) -> Result {
    if let Some(e) = Exception::try_of(recv) {
        e.set_message(ctx, message);
    }
    set_hidden(ctx, recv, "__signo", Value::fixnum(number));
    Ok(Value::NIL)
}

/// `Interrupt.new(message = "Interrupt")`
fn interrupt_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize(ctx, recv, args)?;
    if args.is_empty() {
        let text = super::string(ctx, "Interrupt");
        if let Some(e) = Exception::try_of(recv) {
            e.set_message(ctx, text);
        }
    }
    set_hidden(ctx, recv, "__signo", Value::fixnum(libc::SIGINT as i64));
    Ok(Value::NIL)
}

/// `signo -> integer`
fn signo(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(hidden(ctx, recv, "__signo").unwrap_or(Value::NIL))
}

/// `signm -> string`: the message.
fn signm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.names().message;
    ctx.call(recv, name, &[])
}
