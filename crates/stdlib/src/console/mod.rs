//! `io/console`, `io/nonblock`, `pty` and `expect`: terminals. Settings of a terminal are `Mode`, a copy of its
//! termios; what is made of them (raw blocks, getch, escape sequences) is `console.rb`, pseudo-terminals are `pty.rs`
//! and `pty.rb`.

mod pty;

use rubellite_core_io::io::device;
use rubellite_core_io::io::state;
use rubellite_core_io::io::state::IoState;
use rubellite_core_load as load;
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::{
    Args, Arity, ClassDef, Ctx, MethodDef, PrimitiveDef, Result, Unwind, Value, method, primitive, private_method,
};

pub fn register(ctx: &mut Ctx) {
    load::register(ctx, "io/console", load_console);
    load::register(ctx, "io/console/size", |ctx| {
        ctx.run_internal("require 'io/console'", "io/console")?;
        ctx.run_internal(include_str!("size.rb"), "io/console").map(drop)
    });
    load::register(ctx, "io/nonblock", |ctx| ctx.run_internal(include_str!("nonblock.rb"), "io/nonblock").map(drop));
    load::register(ctx, "pty", pty::load);
    load::register(ctx, "expect", |ctx| ctx.run_internal(include_str!("expect.rb"), "expect").map(drop));
}

/// The settings of a terminal (`IO::ConsoleMode`).
#[derive(Clone)]
struct Mode(libc::termios);

impl NativeData for Mode {}

static CONSOLE_MODE: ClassDef = ClassDef {
    name: "IO::ConsoleMode",
    alloc: Some(allocate_mode),
    methods: &[
        method("echo=", Arity::exact(1), mode_set_echo),
        private_method("initialize_copy", Arity::exact(1), mode_copy),
    ],
    primitives: &[
        primitive("console_raw_bang", Arity::exact(3), mode_raw),
        primitive("console_cooked_bang", Arity::NONE, mode_cooked),
        primitive("console_echo_p", Arity::NONE, mode_echo_p),
    ],
    ..ClassDef::EMPTY
};

/// What the Ruby parts are built on.
const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("console_set_winsize", Arity::exact(4), set_winsize),
    primitive("console_prompt", Arity::exact(2), prompt),
    primitive("console_mode_to_change", Arity::NONE, mode_to_change),
    primitive("integer_to_c_int", Arity::NONE, |ctx, recv: Value, _| Ok(Value::fixnum(ctx.to_c_int(recv)? as i64))),
    primitive("integer_to_place", Arity::NONE, |ctx, recv: Value, _| {
        Ok(Value::fixnum((ctx.to_c_uint(recv)? as i32).wrapping_add(1) as i64))
    }),
];

const IO_METHODS: &[MethodDef] = &[
    method("console_mode", Arity::NONE, console_mode),
    method("console_mode=", Arity::exact(1), set_console_mode),
    method("winsize", Arity::NONE, winsize),
    method("iflush", Arity::NONE, |ctx, recv: Value, _| flush(ctx, recv, libc::TCIFLUSH)),
    method("oflush", Arity::NONE, |ctx, recv: Value, _| flush(ctx, recv, libc::TCOFLUSH)),
    method("ioflush", Arity::NONE, |ctx, recv: Value, _| flush(ctx, recv, libc::TCIOFLUSH)),
    method("ttyname", Arity::NONE, ttyname),
    method("beep", Arity::NONE, beep),
];

/// What io/console adds to a StringIO.
static GENERIC_READABLE: ClassDef = ClassDef {
    name: "IO::generic_readable",
    superclass: "",
    methods: &[
        method("getch", Arity::ANY, |ctx, recv: Value, args| ctx.call_name(recv, "getc", args.slice())),
        method("getpass", Arity::range(0, 1), getpass),
    ],
    ..ClassDef::EMPTY
};

fn load_console(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&CONSOLE_MODE)?.undefine(ctx, "initialize");
    ctx.install(&GENERIC_READABLE)?;
    ctx.define_primitives(PRIMITIVES);
    let io = ctx.named_class("IO")?;
    for def in IO_METHODS {
        ctx.define_native(io, def);
    }
    ctx.run_internal(include_str!("console.rb"), "io/console")?;
    Ok(())
}

// -- settings -----------------------------------------------------------------------------------

const ECHOES: libc::tcflag_t = libc::ECHO | libc::ECHOE | libc::ECHOK | libc::ECHONL;

/// The settings of an object that `new` has not made are all zero.
fn allocate_mode(ctx: &mut Ctx, class: Value) -> Result {
    // SAFETY: the structure is made of integers.
    Ok(Data::new(ctx, class, Mode(unsafe { std::mem::zeroed() })).value())
}

/// The descriptor of the IO that is a terminal: EAGAIN and others as the system says.
fn terminal(io: &IoState) -> i32 {
    if io.fd.get() >= 0 { io.fd.get() } else { io.write_fd.get() }
}

fn mode_of(ctx: &mut Ctx, value: Value) -> Result<Mode> {
    match Data::state_of::<Mode>(ctx, value) {
        Some(mode) => Ok(mode.clone()),
        None => {
            let class = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected console-mode)")))
        }
    }
}

/// An error of the system's that names the terminal, if that has a name.
#[cold]
fn failed(ctx: &mut Ctx, io: &IoState, e: i32) -> Unwind {
    let path = device::path_bytes(ctx, io);
    errno::fail(ctx, e, &String::from_utf8_lossy(&path))
}

/// `IO#console_mode`: a copy of the terminal's settings.
fn console_mode(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    match settings(&io) {
        Ok(mode) => new_mode(ctx, mode),
        Err(e) => Err(failed(ctx, &io, e)),
    }
}

/// The settings that a block is about to change. An error does not name the terminal.
fn mode_to_change(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    match settings(&io) {
        Ok(mode) => new_mode(ctx, mode),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

fn settings(io: &IoState) -> std::result::Result<Mode, i32> {
    // SAFETY: the structure is ours and is filled by the call.
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        match libc::tcgetattr(terminal(io), &mut settings) {
            0 => Ok(Mode(settings)),
            _ => Err(errno::last()),
        }
    }
}

fn new_mode(ctx: &mut Ctx, mode: Mode) -> Result {
    let class = ctx.named_class("IO::ConsoleMode")?.value();
    Ok(Data::new(ctx, class, mode).value())
}

/// `IO#console_mode = mode`: takes effect after what has been written.
fn set_console_mode(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mode = mode_of(ctx, args.at(0))?;
    let io = state::open_or_frozen(ctx, recv)?;
    loop {
        // SAFETY: the structure is valid.
        if unsafe { libc::tcsetattr(terminal(&io), libc::TCSADRAIN, &mode.0) } == 0 {
            return Ok(args.at(0));
        }
        match errno::last() {
            libc::EINTR => ctx.check_interrupts()?,
            e => return Err(failed(ctx, &io, e)),
        }
    }
}

fn change(ctx: &mut Ctx, data: Data, edit: impl FnOnce(&mut libc::termios)) -> Result {
    let mut mode = mode_of(ctx, data.value())?;
    ctx.check_frozen(data.value())?;
    edit(&mut mode.0);
    data.install(ctx, mode);
    Ok(data.value())
}

fn mode_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let mode = mode_of(ctx, args.at(0))?;
    data.install(ctx, mode);
    Ok(data.value())
}

fn mode_set_echo(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let on = args.at(0).truthy();
    change(ctx, data, |t| if on { t.c_lflag |= ECHOES } else { t.c_lflag &= !ECHOES })?;
    Ok(args.at(0))
}

fn mode_echo_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mode = mode_of(ctx, recv)?;
    Ok(Value::from_bool(mode.0.c_lflag & (libc::ECHO | libc::ECHONL) != 0))
}

/// Raw input; `min` and `time` (tenths of a second) are nil or the values of VMIN and VTIME, `intr` leaves signals on.
fn mode_raw(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let small = |ctx: &mut Ctx, i: usize| match args.non_nil(i) {
        // A negative number stands for the default, of others the last byte counts.
        Some(value) => ctx.to_c_int(value).map(|n| (n >= 0).then_some(n as u8)),
        None => Ok(None),
    };
    let (min, time, intr) = (small(ctx, 0)?, small(ctx, 1)?, args.at(2).truthy());
    change(ctx, data, |t| {
        // SAFETY: the structure is valid and ours.
        unsafe { libc::cfmakeraw(t) };
        t.c_lflag &= !(libc::ECHOE | libc::ECHOK);
        if let Some(min) = min {
            t.c_cc[libc::VMIN] = min;
        }
        if let Some(time) = time {
            t.c_cc[libc::VTIME] = time;
        }
        if intr {
            t.c_iflag |= libc::BRKINT;
            t.c_lflag |= libc::ISIG;
            t.c_oflag |= libc::OPOST;
        }
    })
}

fn mode_cooked(ctx: &mut Ctx, data: Data, _args: Args) -> Result {
    change(ctx, data, |t| {
        t.c_iflag |= libc::BRKINT | libc::ISTRIP | libc::ICRNL | libc::IXON;
        t.c_oflag |= libc::OPOST;
        t.c_lflag |= ECHOES | libc::ICANON | libc::ISIG | libc::IEXTEN;
    })
}

// -- window and queues ----------------------------------------------------------------------------

/// `IO#winsize -> [rows, columns]`
fn winsize(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    // SAFETY: the structure is ours and is filled by the call.
    let (answer, size) = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(io.out_fd(), libc::TIOCGWINSZ, &mut size), size)
    };
    if answer < 0 {
        return Err(failed(ctx, &io, errno::last()));
    }
    let pair = [Value::fixnum(size.ws_row as i64), Value::fixnum(size.ws_col as i64)];
    Ok(Array::from_slice(ctx, &pair).value())
}

/// The part of `winsize=`: rows, columns, width and height in pixels.
fn set_winsize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut word = |i: usize| match args.non_nil(i) {
        Some(value) => ctx.to_c_uint(value).map(|n| n as u16),
        None => Ok(0),
    };
    let size = libc::winsize { ws_row: word(0)?, ws_col: word(1)?, ws_xpixel: word(2)?, ws_ypixel: word(3)? };
    let io = state::open_or_frozen(ctx, recv)?;
    // SAFETY: the structure is valid.
    if unsafe { libc::ioctl(io.out_fd(), libc::TIOCSWINSZ, &size) } < 0 {
        return Err(failed(ctx, &io, errno::last()));
    }
    Ok(recv)
}

/// Throws away what the terminal has received, has still to send, or both.
fn flush(ctx: &mut Ctx, recv: Value, queue: i32) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    // SAFETY: a plain call.
    if unsafe { libc::tcflush(terminal(&io), queue) } < 0 {
        return Err(failed(ctx, &io, errno::last()));
    }
    Ok(recv)
}

/// `IO#beep`: past the write buffer.
fn beep(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    device::write_fd(io.out_fd(), b"\x07").map_err(|e| failed(ctx, &io, e))?;
    Ok(recv)
}

/// Shows what `getpass` asks for.
fn prompt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(1))?;
    if text.bytes(ctx).contains(&0) {
        return Err(ctx.null_byte_error());
    }
    ctx.call_name(args.at(0), "write", &[text.value()])
}

/// `getpass(prompt = nil)` of what is no terminal: a line.
fn getpass(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(given) = args.non_nil(0) {
        let text = ctx.to_str(given)?;
        ctx.call_name(recv, "write", &[text.value()])?;
    }
    ctx.call_name(recv, "flush", &[])?;
    let line = ctx.ensure(|ctx| ctx.call_name(recv, "gets", &[]), |ctx| ctx.call_name(recv, "puts", &[]).map(drop))?;
    if !line.is_nil() {
        let end = Str::utf8(ctx, "\n").value();
        ctx.call_name(line, "chomp!", &[end])?;
    }
    Ok(line)
}

/// `IO#ttyname`: the path of the terminal, nil when it is none.
fn ttyname(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    let fd = terminal(&io);
    let mut name = [0 as libc::c_char; 256];
    // SAFETY: the buffer is as long as said; on success it holds a C string.
    let text = unsafe {
        if libc::isatty(fd) != 1 {
            return Ok(Value::NIL);
        }
        match libc::ttyname_r(fd, name.as_mut_ptr(), name.len()) {
            0 => std::ffi::CStr::from_ptr(name.as_ptr()).to_bytes().to_vec(),
            e => return Err(failed(ctx, &io, e)),
        }
    };
    Ok(Str::new(ctx, &text, rubellite_vm::Encoding::UTF_8).value())
}
