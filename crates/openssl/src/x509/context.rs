//! OpenSSL::X509::StoreContext: one verification. A callback gets one that lives as long as its call.

use super::store::{ERROR, add_flags, drop_flags};
use super::{certificate, crl, store};
use crate::ffi::x509::{self, Verification, X509_STORE, X509_STORE_CTX, X509_VERIFY_PARAM};
use crate::ffi::{err, verifier};
use crate::support::{self, check, clear_errors, fail, ivar, set_ivar};
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Unwind, Value, method};
use std::cell::RefCell;
use std::rc::Rc;

pub const CONTEXT: &str = "OpenSSL::X509::StoreContext";

const V_OK: i32 = 0;
const V_ERR_CERT_REJECTED: i32 = 28;

pub static CONTEXT_CLASS: ClassDef = ClassDef {
    name: CONTEXT,
    alloc: Some(|ctx, class| Ok(Data::new(ctx, class, Context(RefCell::new(State::Empty))).value())),
    methods: &[
        method("initialize", Arity::range(1, 3), initialize),
        method("verify", Arity::NONE, verify),
        method("chain", Arity::NONE, chain),
        method("error", Arity::NONE, error),
        method("error=", Arity::ONE, set_error),
        method("error_string", Arity::NONE, error_string),
        method("error_depth", Arity::NONE, error_depth),
        method("current_cert", Arity::NONE, current_cert),
        method("current_crl", Arity::NONE, current_crl),
        method("flags", Arity::NONE, flags),
        method("flags=", Arity::ONE, set_flags),
        method("clear_flags", Arity::range(0, 1), clear_flags),
        method("purpose=", Arity::ONE, set_purpose),
        method("trust=", Arity::ONE, set_trust),
        method("time=", Arity::ONE, set_time),
    ],
    ..ClassDef::EMPTY
};

struct Context(RefCell<State>);

impl NativeData for Context {}

#[derive(Clone)]
enum State {
    Empty,
    Own(Rc<Verification>),
    /// The library's, while a callback runs.
    Lent(*const X509_STORE_CTX),
    Over,
}

/// Runs `f` with the library's context.
fn with<R>(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &X509_STORE_CTX) -> Result<R>) -> Result<R> {
    let Some(state) = Data::state_of::<Context>(ctx, recv) else {
        return Err(ctx.wrong_argument_type(recv, "OpenSSL/X509/STORE_CTX"));
    };
    let state = state.0.borrow().clone();
    match state {
        State::Own(verification) => f(ctx, &verification.ctx),
        // SAFETY: `ask_proc` takes it away before the callback returns.
        State::Lent(raw) => f(ctx, unsafe { &*raw }),
        State::Empty | State::Over => Err(fail(ctx, "RuntimeError", "STORE_CTX is out of scope!")),
    }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let fresh = Data::state_of::<Context>(ctx, recv).is_some_and(|state| matches!(*state.0.borrow(), State::Empty));
    if !fresh {
        let class = ctx.real_class(recv).inspect(ctx);
        return Err(ctx.type_error(&format!("{class} already initialized")));
    }
    let shared = store::of(ctx, args.at(0))?.share();
    let store = check(ctx, shared, ERROR, "X509_STORE_CTX_init")?;
    let cert = match args.non_nil(1) {
        Some(cert) => certificate::of(ctx, cert)?.share(),
        None => None,
    };
    let chain = match args.non_nil(2) {
        Some(chain) => Some(certificate::stack(ctx, chain)?),
        None => None,
    };
    let verification = check(ctx, Verification::new(store, cert, chain), ERROR, "X509_STORE_CTX_init")?;
    if let Some(state) = Data::state_of::<Context>(ctx, recv) {
        *state.0.borrow_mut() = State::Own(Rc::new(verification));
    }
    let callback = ivar(ctx, args.at(0), "@verify_callback");
    set_ivar(ctx, recv, "@verify_callback", callback);
    set_ivar(ctx, recv, "@cert", args.at(1));
    Ok(recv)
}

fn verify(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let callback = ivar(ctx, recv, "@verify_callback");
    let verified = with(ctx, recv, |ctx, this| {
        let store = check(ctx, x509::X509_STORE_CTX_get0_store(this), ERROR, "X509_verify_cert")?;
        asking(ctx, callback, store, || x509::X509_verify_cert(this))
    })?;
    match verified {
        1 => Ok(Value::TRUE),
        0 => {
            clear_errors(ctx);
            Ok(Value::FALSE)
        }
        _ => Err(fail(ctx, ERROR, "X509_verify_cert")),
    }
}

/// Runs verifications against a store during which a callback is asked.
pub fn asking<R>(ctx: &mut Ctx, callback: Value, store: &X509_STORE, f: impl FnOnce() -> R) -> Result<R> {
    let mut left = false;
    let mut ask = |accepted: bool, now: &X509_STORE_CTX| {
        if left {
            return false;
        }
        ask_proc(ctx, callback, accepted, now).unwrap_or_else(|_| {
            left = true;
            false
        })
    };
    let result = verifier::with_verifier(store, &mut ask, f);
    if left {
        err::clear();
        return Err(Unwind);
    }
    Ok(result)
}

/// Asks a callback whether a certificate is accepted. An exception in it counts as no, and is told in a warning.
pub fn ask_proc(ctx: &mut Ctx, callback: Value, accepted: bool, this: &X509_STORE_CTX) -> Result<bool> {
    if callback.is_nil() {
        return Ok(accepted);
    }
    let class = ctx.named_class(CONTEXT)?.value();
    let object = Data::new(ctx, class, Context(RefCell::new(State::Lent(std::ptr::from_ref(this))))).value();
    let answer = ctx.call_name(callback, "call", &[support::bool(accepted), object]);
    if let Some(state) = Data::state_of::<Context>(ctx, object) {
        *state.0.borrow_mut() = State::Over;
    }
    let answer = match answer {
        Ok(answer) => answer == Value::TRUE,
        Err(unwind) => {
            if ctx.take_exception().is_none() {
                return Err(unwind);
            }
            err::clear();
            ctx.warn("exception in verify_callback is ignored")?;
            false
        }
    };
    if answer {
        x509::X509_STORE_CTX_set_error(this, V_OK);
    } else if x509::X509_STORE_CTX_get_error(this) == V_OK {
        x509::X509_STORE_CTX_set_error(this, V_ERR_CERT_REJECTED);
    }
    Ok(answer)
}

fn chain(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |ctx, this| match x509::X509_STORE_CTX_get0_chain(this) {
        Some(chain) => certificate::list(ctx, chain.iter()),
        None => Ok(Value::NIL),
    })
}

fn error(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |_, this| Ok(Value::fixnum(x509::X509_STORE_CTX_get_error(this).into())))
}

fn set_error(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let error = ctx.to_c_int(args.at(0))?;
    with(ctx, recv, |_, this| {
        x509::X509_STORE_CTX_set_error(this, error);
        Ok(args.at(0))
    })
}

fn error_string(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |ctx, this| {
        let error = x509::X509_STORE_CTX_get_error(this);
        Ok(support::text(ctx, x509::X509_verify_cert_error_string(error.into())))
    })
}

fn error_depth(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |_, this| Ok(Value::fixnum(x509::X509_STORE_CTX_get_error_depth(this).into())))
}

fn current_cert(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |ctx, this| match x509::X509_STORE_CTX_get_current_cert(this) {
        Some(cert) => certificate::new(ctx, cert),
        None => Ok(Value::NIL),
    })
}

fn current_crl(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with(ctx, recv, |ctx, this| match x509::X509_STORE_CTX_get0_current_crl(this) {
        Some(list) => crl::new(ctx, list),
        None => Ok(Value::NIL),
    })
}

fn parameters<R>(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &X509_VERIFY_PARAM) -> Result<R>) -> Result<R> {
    with(ctx, recv, |ctx, this| {
        let found = check(ctx, x509::X509_STORE_CTX_get0_param(this), ERROR, "")?;
        f(ctx, found)
    })
}

fn flags(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| Ok(ctx.uint(x509::X509_VERIFY_PARAM_get_flags(found))))
}

fn set_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| add_flags(ctx, found, args.at(0)))?;
    Ok(args.at(0))
}

fn clear_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| drop_flags(ctx, found, args.non_nil(0)))?;
    Ok(Value::NIL)
}

fn set_purpose(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let purpose = ctx.to_c_int(args.at(0))?;
    with(ctx, recv, |_, this| {
        x509::X509_STORE_CTX_set_purpose(this, purpose);
        Ok(args.at(0))
    })
}

fn set_trust(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let trust = ctx.to_c_int(args.at(0))?;
    with(ctx, recv, |_, this| {
        x509::X509_STORE_CTX_set_trust(this, trust);
        Ok(args.at(0))
    })
}

fn set_time(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let seconds = support::seconds(ctx, args.at(0))?;
    with(ctx, recv, |_, this| {
        x509::X509_STORE_CTX_set_time(this, 0, seconds);
        Ok(args.at(0))
    })
}
