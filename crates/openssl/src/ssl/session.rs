//! OpenSSL::SSL::Session.

use super::SOCKET;
use crate::ffi::session::SSL_SESSION;
use crate::ffi::ssl::{self, SSL};
use crate::ffi::x509::Pem;
use crate::ffi::{Der, Owned, bio};
use crate::support::{self, Shared, binary, check, clear_errors, empty, fail, get, put, source, want_empty, wrap};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const SESSION: &str = "OpenSSL::SSL::Session";
const ERROR: &str = "OpenSSL::SSL::Session::SessionError";

pub static SESSION_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static SESSION_CLASS: ClassDef = ClassDef {
    name: SESSION,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("==", Arity::ONE, op_equal),
        method("time", Arity::NONE, time),
        method("time=", Arity::ONE, set_time),
        method("timeout", Arity::NONE, timeout),
        method("timeout=", Arity::ONE, set_timeout),
        method("id", Arity::NONE, id),
        method("to_der", Arity::NONE, to_der),
        method("to_pem", Arity::NONE, to_pem),
        method("to_text", Arity::NONE, to_text),
    ],
    ..ClassDef::EMPTY
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<SSL_SESSION>> {
    get(ctx, value)
}

pub fn new(ctx: &mut Ctx, session: Owned<SSL_SESSION>) -> Result {
    wrap(ctx, SESSION, session)
}

/// `initialize(socket or text)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<SSL_SESSION>(ctx, recv)?;
    let socket = ctx.named_class(SOCKET)?;
    let found = if ctx.real_class(args.at(0)) == socket {
        let connection = get::<SSL>(ctx, args.at(0))?;
        check(ctx, ssl::SSL_get1_session(&connection), ERROR, "no session available")?
    } else {
        let text = source(ctx, args.at(0))?;
        let found = SSL_SESSION::read(&text);
        let Some(found) = found else { return Err(fail(ctx, "ArgumentError", "unknown type")) };
        clear_errors(ctx);
        found
    };
    put(ctx, recv, found)?;
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<SSL_SESSION>(ctx, recv)?;
    let other = of(ctx, args.at(0))?;
    let copy = other.encode().and_then(|der| SSL_SESSION::decode(&der));
    let copy = check(ctx, copy, ERROR, "ASN1_dup")?;
    put(ctx, recv, copy)?;
    Ok(recv)
}

fn op_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b) = (of(ctx, recv)?, of(ctx, args.at(0))?);
    let same = ssl::SSL_SESSION_get_protocol_version(&a) == ssl::SSL_SESSION_get_protocol_version(&b)
        && crate::ffi::same(a.id(), b.id());
    Ok(support::bool(same))
}

fn time(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    let seconds = ssl::SSL_SESSION_get_time(&session);
    if seconds == 0 {
        return Ok(Value::NIL);
    }
    let class = ctx.named_class("Time")?.value();
    let seconds = ctx.int(seconds);
    ctx.call_name(class, "at", &[seconds])
}

fn set_time(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let session = of(ctx, recv)?;
    let class = ctx.named_class("Time")?;
    let mut value = args.at(0);
    if ctx.real_class(value) == class {
        value = ctx.call_name(value, "to_i", &[])?;
    }
    let seconds = ctx.to_int(value)?;
    ssl::SSL_SESSION_set_time(&session, seconds);
    time(ctx, recv, args)
}

fn timeout(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    Ok(ctx.int(ssl::SSL_SESSION_get_timeout(&session)))
}

fn set_timeout(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let session = of(ctx, recv)?;
    let seconds = ctx.to_int(args.at(0))?;
    ssl::SSL_SESSION_set_timeout(&session, seconds);
    timeout(ctx, recv, args)
}

fn id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    Ok(binary(ctx, session.id()))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    let der = check(ctx, session.encode().filter(|der| !der.is_empty()), ERROR, "i2d_SSL_SESSION")?;
    Ok(support::string(ctx, der))
}

fn to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    let pem = check(ctx, session.pem(), ERROR, "SSL_SESSION_print()")?;
    Ok(support::string(ctx, pem))
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let session = of(ctx, recv)?;
    let text =
        check(ctx, bio::written(|out| ssl::SSL_SESSION_print(out, &session) != 0), ERROR, "SSL_SESSION_print()")?;
    Ok(support::string(ctx, text))
}
