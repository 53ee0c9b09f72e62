//! OpenSSL::SSL::SSLSocket: the native part; buffering is in Ruby.

use super::context::{self, cipher_parts};
use super::operation::{run, run_reading};
use super::{CONTEXT, ERROR, SOCKET, WAIT_READABLE, WAIT_WRITABLE, session};
use crate::ffi::ssl::{self, Outcome, SSL};
use crate::ffi::{Text, err, x509};
use crate::pkey;
use crate::support::{
    self, Shared, binary, bytes, c_string, check, clear_errors, empty, ensure, fail, get, ivar, put, set_ivar,
    want_empty,
};
use crate::x509::{certificate, name};
use rubellite_core_io::io::device::{Waited, io_deadline, wait};
use rubellite_core_io::io::{read, state};
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Unwind, Value, method, private_method};

static HANDSHAKE: RegionSite = RegionSite::new("TLS handshake");
static READ: RegionSite = RegionSite::new("TLS read");
static WRITE: RegionSite = RegionSite::new("TLS write");

/// The longest record, and so the most that one read gives.
const RECORD: usize = 16 << 10;

pub static SOCKET_CLASS: ClassDef = ClassDef {
    name: SOCKET,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 2).with_keywords(), initialize),
        method("connect", Arity::NONE, |ctx, recv: Value, _| start(ctx, recv, Handshake::Connect, Mode::Wait)),
        method("connect_nonblock", Arity::NONE.with_keywords(), |ctx, recv: Value, args| {
            let mode = Mode::of(ctx, args);
            start(ctx, recv, Handshake::Connect, mode)
        }),
        method("accept", Arity::NONE, |ctx, recv: Value, _| start(ctx, recv, Handshake::Accept, Mode::Wait)),
        method("accept_nonblock", Arity::NONE.with_keywords(), |ctx, recv: Value, args| {
            let mode = Mode::of(ctx, args);
            start(ctx, recv, Handshake::Accept, mode)
        }),
        method("sysread", Arity::range(1, 2), |ctx, recv: Value, args| sysread(ctx, recv, args, Mode::Wait)),
        private_method("sysread_nonblock", Arity::range(1, 2).with_keywords(), |ctx, recv: Value, args| {
            let mode = Mode::of(ctx, args);
            sysread(ctx, recv, args.positional(), mode)
        }),
        method("syswrite", Arity::ONE, |ctx, recv: Value, args| syswrite(ctx, recv, args, Mode::Wait)),
        private_method("syswrite_nonblock", Arity::exact(1).with_keywords(), |ctx, recv: Value, args| {
            let mode = Mode::of(ctx, args);
            syswrite(ctx, recv, args.positional(), mode)
        }),
        private_method("stop", Arity::NONE, stop),
        method("cert", Arity::NONE, cert),
        method("peer_cert", Arity::NONE, peer_cert),
        method("peer_cert_chain", Arity::NONE, peer_cert_chain),
        method("ssl_version", Arity::NONE, ssl_version),
        method("cipher", Arity::NONE, cipher),
        method("state", Arity::NONE, state_text),
        method("pending", Arity::NONE, pending),
        method("session_reused?", Arity::NONE, session_reused_p),
        method("session=", Arity::ONE, set_session),
        method("verify_result", Arity::NONE, verify_result),
        method("client_ca", Arity::NONE, client_ca),
        method("hostname=", Arity::ONE, set_hostname),
        method("finished_message", Arity::NONE, |ctx, recv: Value, _| message(ctx, recv, SSL::finished)),
        method("peer_finished_message", Arity::NONE, |ctx, recv: Value, _| message(ctx, recv, SSL::peer_finished)),
        method("tmp_key", Arity::NONE, tmp_key),
        method("alpn_protocol", Arity::NONE, |ctx, recv: Value, _| protocol(ctx, recv, SSL::protocol)),
        method("npn_protocol", Arity::NONE, |ctx, recv: Value, _| protocol(ctx, recv, SSL::older_protocol)),
        method("export_keying_material", Arity::range(2, 3), export_keying_material),
    ],
    ..ClassDef::EMPTY
};

fn of(ctx: &mut Ctx, recv: Value) -> Result<Shared<SSL>> {
    get(ctx, recv)
}

/// What is done when the peer has not come so far yet.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Mode {
    Wait,
    Raise,
    Symbol,
}

impl Mode {
    fn of(ctx: &mut Ctx, args: Args) -> Mode {
        if args.keyword(ctx, "exception") == Some(Value::FALSE) { Mode::Symbol } else { Mode::Raise }
    }
}

/// `initialize(io, context = SSLContext.new, sync_close: nil)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let [sync_close] = support::keywords(ctx, args, ["sync_close"], 0)?;
    let given = args.positional();
    want_empty::<SSL>(ctx, recv)?;
    let context = match given.get(1) {
        Some(context) => context,
        None => {
            let class = ctx.named_class(CONTEXT)?.value();
            ctx.call_name(class, "new", &[])?
        }
    };
    if !sync_close.is_undef() {
        set_ivar(ctx, recv, "@sync_close", sync_close);
    }
    let this = context::of(ctx, context)?;
    set_ivar(ctx, recv, "@context", context);
    context::setup(ctx, context)?;
    let io = given.at(0);
    let nonblock = ctx.intern("nonblock=");
    if ctx.respond_to(io, nonblock, false)? {
        ctx.call(io, nonblock, &[Value::TRUE])?;
    }
    if state::try_state(ctx, io).is_none() {
        return Err(ctx.wrong_argument_type(io, "File"));
    }
    set_ivar(ctx, recv, "@io", io);
    let connection = check(ctx, SSL::create(&this), ERROR, "")?;
    put(ctx, recv, connection)?;
    let (owner, name) = (ctx.named_class(SOCKET)?, ctx.intern("initialize"));
    ctx.call_super(recv, owner, name, Args::none())?;
    Ok(recv)
}

// -- waiting ------------------------------------------------------------------------------

/// What comes of an operation that would have to wait: `None` when it is to be tried again.
fn would_block(ctx: &mut Ctx, recv: Value, error: i32, mode: Mode) -> Result<Option<Value>> {
    let reads = error == ssl::ERROR_WANT_READ;
    match mode {
        Mode::Symbol => {
            let name = ctx.intern(if reads { "wait_readable" } else { "wait_writable" });
            Ok(Some(Value::symbol(name)))
        }
        Mode::Raise if reads => Err(fail(ctx, WAIT_READABLE.name, "read would block")),
        Mode::Raise => Err(fail(ctx, WAIT_WRITABLE.name, "write would block")),
        Mode::Wait => {
            wait_for(ctx, recv, reads)?;
            Ok(None)
        }
    }
}

fn wait_for(ctx: &mut Ctx, recv: Value, reads: bool) -> Result<()> {
    let object = ivar(ctx, recv, "@io");
    let io = state::open_or_frozen(ctx, object)?;
    let deadline = io_deadline(ctx, &io)?;
    let events = if reads { libc::POLLIN } else { libc::POLLOUT };
    let fd = io.fd.get();
    match wait(ctx, &io, fd, events, deadline)? {
        Waited::Ready(_) => Ok(()),
        Waited::TimedOut => {
            let what = if reads { "readable" } else { "writable" };
            Err(ctx.raise_error("IO::TimeoutError", &format!("Timed out while waiting to become {what}!")))
        }
    }
}

// -- handshakes ---------------------------------------------------------------------------

#[derive(Copy, Clone)]
enum Handshake {
    Connect,
    Accept,
}

fn start(ctx: &mut Ctx, recv: Value, which: Handshake, mode: Mode) -> Result {
    let connection = of(ctx, recv)?;
    if !connection.started() {
        let object = ivar(ctx, recv, "@io");
        state::readable(ctx, object)?;
        state::writable(ctx, object)?;
    }
    let name = match which {
        Handshake::Connect => "SSL_connect",
        Handshake::Accept => "SSL_accept",
    };
    loop {
        let outcome = run(ctx, recv, &HANDSHAKE, move |ssl| match which {
            Handshake::Connect => ssl::SSL_connect(ssl),
            Handshake::Accept => ssl::SSL_accept(ssl),
        })?;
        if outcome.result > 0 {
            return Ok(recv);
        }
        match outcome.error {
            ssl::ERROR_WANT_READ | ssl::ERROR_WANT_WRITE => {
                if let Some(symbol) = would_block(ctx, recv, outcome.error, mode)? {
                    return Ok(symbol);
                }
            }
            ssl::ERROR_SYSCALL if outcome.errno != 0 => return Err(errno::fail(ctx, outcome.errno, name)),
            _ => return Err(handshake_error(ctx, recv, &outcome, name)),
        }
    }
}

fn handshake_error(ctx: &mut Ctx, recv: Value, outcome: &Outcome, name: &str) -> Unwind {
    let connection = match of(ctx, recv) {
        Ok(connection) => connection,
        Err(unwind) => return unwind,
    };
    let mut appended = String::new();
    if ssl::refused_certificate() {
        let reason = err::last_reason().unwrap_or_default();
        let reason = reason.split(" (").next().unwrap_or_default();
        let verified = ssl::SSL_get_verify_result(&connection);
        let why = x509::X509_verify_cert_error_string(verified).map_or("(null)".to_string(), Text::lossy);
        appended = format!(": {reason} ({why})");
        clear_errors(ctx);
    }
    let errors = err::last_reason();
    let peer = match peer_address(ctx, recv) {
        Ok(peer) => peer,
        Err(unwind) => return unwind,
    };
    debug_assert_eq!(errors, err::last_reason());
    let syscall = if outcome.error == ssl::ERROR_SYSCALL { " SYSCALL" } else { "" };
    let state = ssl::SSL_state_string_long(&connection).map_or_else(String::new, Text::lossy);
    let (error, errno) = (outcome.error, outcome.errno);
    let text = format!("{name}{syscall} returned={error} errno={errno} peeraddr={peer} state={state}{appended}");
    fail(ctx, ERROR, &text)
}

/// The peer's address and port as text.
fn peer_address(ctx: &mut Ctx, recv: Value) -> Result<String> {
    let object = ivar(ctx, recv, "@io");
    let failure = ctx.named_class("SystemCallError")?.value();
    let found = ctx.rescue(
        failure,
        |ctx| {
            let address = ctx.call_name(object, "remote_address", &[])?;
            ctx.call_name(address, "inspect_sockaddr", &[])
        },
        |_, _| Ok(Value::NIL),
    )?;
    if found.is_nil() { Ok("(null)".to_string()) } else { Ok(ctx.to_s(found)?.to_lossy(ctx).into_owned()) }
}

// -- reading and writing ------------------------------------------------------------------

fn started(ctx: &mut Ctx, recv: Value) -> Result<()> {
    if of(ctx, recv)?.started() { Ok(()) } else { Err(ctx.raise_error(ERROR, "SSL session is not started yet")) }
}

/// `sysread(length, buffer = nil) -> string`
fn sysread(ctx: &mut Ctx, recv: Value, args: Args, mode: Mode) -> Result {
    started(ctx, recv)?;
    let len = ctx.to_c_int(args.at(0))?;
    let buffer = read::buffer_arg(ctx, args.get(1).unwrap_or(Value::NIL))?;
    let Ok(len) = usize::try_from(len) else {
        return Err(ctx.string_size_error());
    };
    if len == 0 {
        return give(ctx, buffer, Vec::new());
    }
    loop {
        let mut out = Vec::new();
        let place = &mut out;
        let outcome = run_reading(ctx, recv, &READ, move |ssl| ssl.read(place, len.min(RECORD)))?;
        match outcome.error {
            0 => return give(ctx, buffer, out),
            ssl::ERROR_WANT_READ | ssl::ERROR_WANT_WRITE => {
                if let Some(symbol) = would_block(ctx, recv, outcome.error, mode)? {
                    return Ok(symbol);
                }
            }
            ssl::ERROR_ZERO_RETURN => return at_end(ctx, mode),
            ssl::ERROR_SYSCALL if err::first() == 0 => {
                return if outcome.errno == 0 {
                    at_end(ctx, mode)
                } else {
                    Err(errno::fail(ctx, outcome.errno, "SSL_read"))
                };
            }
            _ => return Err(fail(ctx, ERROR, "SSL_read")),
        }
    }
}

fn at_end(ctx: &mut Ctx, mode: Mode) -> Result {
    if mode == Mode::Symbol { Ok(Value::NIL) } else { Err(read::eof_error(ctx)) }
}

fn give(ctx: &mut Ctx, buffer: Option<Str>, bytes: Vec<u8>) -> Result {
    match buffer {
        Some(buffer) => {
            ctx.check_frozen(buffer.value())?;
            buffer.set_vec(ctx, bytes);
            Ok(buffer.value())
        }
        None => Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value()),
    }
}

/// `syswrite(string) -> integer`
fn syswrite(ctx: &mut Ctx, recv: Value, args: Args, mode: Mode) -> Result {
    let string = ctx.to_str(args.at(0))?;
    started(ctx, recv)?;
    let object = ivar(ctx, recv, "@io");
    state::open_or_frozen(ctx, object)?;
    if string.is_empty() {
        return Ok(Value::fixnum(0));
    }
    let shared = string.share(ctx);
    let mut at = 0;
    loop {
        let (rest, written) = (&shared[at..], &mut at);
        // Who waits gets all of it written, record after record.
        let all = mode == Mode::Wait;
        let outcome = run(ctx, recv, &WRITE, move |ssl| write_some(ssl, rest, written, all))?;
        match outcome.error {
            0 => return Ok(Value::fixnum(at as i64)),
            ssl::ERROR_WANT_READ | ssl::ERROR_WANT_WRITE => {
                if let Some(symbol) = would_block(ctx, recv, outcome.error, mode)? {
                    return Ok(symbol);
                }
            }
            ssl::ERROR_SYSCALL if outcome.errno != 0 => return Err(errno::fail(ctx, outcome.errno, "SSL_write")),
            _ => return Err(fail(ctx, ERROR, "SSL_write")),
        }
    }
}

fn write_some(ssl: &SSL, bytes: &[u8], written: &mut usize, all: bool) -> i32 {
    let mut done = 0;
    loop {
        let result = ssl.write(&bytes[done..]);
        if result <= 0 {
            return result;
        }
        done += result as usize;
        *written += result as usize;
        if !all || done == bytes.len() {
            return result;
        }
    }
}

/// Tells the peer that nothing more comes. Errors are nobody's.
fn stop(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    let object = ivar(ctx, recv, "@io");
    let open = state::try_state(ctx, object).is_some_and(|io| !io.closed());
    if connection.started() && open {
        run(ctx, recv, &WRITE, |ssl| ssl::SSL_shutdown(ssl))?;
        err::clear();
    }
    Ok(Value::NIL)
}

// -- looking ------------------------------------------------------------------------------

fn cert(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    match ssl::SSL_get_certificate(&connection) {
        Some(cert) => certificate::new(ctx, cert),
        None => Ok(Value::NIL),
    }
}

fn peer_cert(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    match ssl::SSL_get1_peer_certificate(&connection) {
        Some(cert) => certificate::new(ctx, &cert),
        None => Ok(Value::NIL),
    }
}

fn peer_cert_chain(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    match ssl::SSL_get_peer_cert_chain(&connection) {
        Some(chain) => certificate::list(ctx, chain.iter()),
        None => Ok(Value::NIL),
    }
}

fn ssl_version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    Ok(support::text(ctx, ssl::SSL_get_version(&connection)))
}

fn cipher(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    Ok(ssl::SSL_get_current_cipher(&connection).map_or(Value::NIL, |cipher| cipher_parts(ctx, cipher)))
}

fn state_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    let mut text = ssl::SSL_state_string(&connection).map_or(Vec::new(), |text| text.bytes().to_vec());
    if ctx.vm().verbose.get() == Value::TRUE {
        text.extend_from_slice(b": ");
        text.extend_from_slice(ssl::SSL_state_string_long(&connection).map_or(&[][..], Text::bytes));
    }
    Ok(support::string(ctx, text))
}

fn pending(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    Ok(Value::fixnum(ssl::SSL_pending(&connection).into()))
}

fn session_reused_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    Ok(support::bool(ssl::SSL_session_reused(&connection) == 1))
}

fn set_session(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (connection, session) = (of(ctx, recv)?, session::of(ctx, args.at(0))?);
    ensure(ctx, ssl::SSL_set_session(&connection, &session) == 1, ERROR, "SSL_set_session")?;
    Ok(args.at(0))
}

fn set_hostname(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let connection = of(ctx, recv)?;
    let name = if args.at(0).is_nil() { None } else { Some(c_string(ctx, args.at(0))?) };
    ensure(ctx, connection.set_host(name.as_deref().map(Text::from)), ERROR, "")?;
    set_ivar(ctx, recv, "@hostname", args.at(0));
    Ok(args.at(0))
}

fn verify_result(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    Ok(ctx.int(ssl::SSL_get_verify_result(&connection)))
}

fn client_ca(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    let Some(names) = ssl::SSL_get_client_CA_list(&connection) else { return Ok(Value::NIL) };
    let list = Array::new(ctx);
    for found in names.iter() {
        let object = name::new(ctx, found)?;
        list.push(ctx, object);
    }
    Ok(list.value())
}

fn message(ctx: &mut Ctx, recv: Value, get: fn(&SSL) -> Option<Vec<u8>>) -> Result {
    let connection = of(ctx, recv)?;
    Ok(get(&connection).map_or(Value::NIL, |message| support::string(ctx, message)))
}

fn protocol(ctx: &mut Ctx, recv: Value, get: fn(&SSL) -> Option<&[u8]>) -> Result {
    let connection = of(ctx, recv)?;
    Ok(get(&connection).map_or(Value::NIL, |name| binary(ctx, name)))
}

fn tmp_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let connection = of(ctx, recv)?;
    match connection.peer_key() {
        Some(key) => pkey::wrap(ctx, key),
        None => Ok(Value::NIL),
    }
}

/// `export_keying_material(label, length, context = nil) -> string`
fn export_keying_material(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let label = bytes(ctx, args.at(0))?;
    let connection = of(ctx, recv)?;
    let len = ctx.to_int(args.at(1))?;
    let Ok(len @ 0..=0x7fff_ffff) = usize::try_from(len) else {
        return Err(ctx.string_size_error());
    };
    let context = match args.non_nil(2) {
        Some(context) => Some(bytes(ctx, context)?),
        None => None,
    };
    let key = check(ctx, connection.export(&label, context.as_deref(), len), ERROR, "SSL_export_keying_material")?;
    Ok(support::string(ctx, key))
}
