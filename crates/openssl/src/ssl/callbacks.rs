//! Who the library asks during an operation: procs of the context, called with the lock.

use super::{CONTEXT, ERROR, context, session};
use crate::ffi::pkey::EVP_PKEY;
use crate::ffi::session::SSL_SESSION;
use crate::ffi::ssl::{self, Asked, SSL, SSL_CTX};
use crate::ffi::x509::{self, X509, X509_STORE_CTX};
use crate::ffi::{Owned, err};
use crate::support::{self, array, binary, bytes, check, fail, is_kind, ivar, set_ivar};
use crate::x509::{certificate, context as verification};
use crate::{pkey, ssl::session::SESSION};
use rubellite_vm::object::Array;
use rubellite_vm::outside::Region;
use rubellite_vm::{Ctx, Extension, Result, Value};
use std::cell::{Cell, RefCell};

const V_ERR_HOSTNAME_MISMATCH: i32 = 62;

/// The connections of operations that run now, for callbacks, which cannot carry values themselves.
#[derive(Default)]
struct Operations {
    running: RefCell<Vec<(u64, Value)>>, // tidy: traced below
    last: Cell<u64>,
}

impl Extension for Operations {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.running.borrow().iter().for_each(|(_, socket)| mark(*socket));
    }
}

/// Notes that an operation on the connection begins; its number.
pub fn begin(ctx: &Ctx, socket: Value) -> u64 {
    let operations = ctx.extension::<Operations>();
    let id = operations.last.get() + 1;
    operations.last.set(id);
    operations.running.borrow_mut().push((id, socket));
    id
}

pub fn end(ctx: &Ctx, id: u64) {
    ctx.extension::<Operations>().running.borrow_mut().retain(|(other, _)| *other != id);
}

fn socket_of(ctx: &Ctx, id: u64) -> Value {
    let operations = ctx.extension::<Operations>().running.borrow();
    operations.iter().find(|(other, _)| *other == id).map_or(Value::NIL, |(_, socket)| *socket)
}

/// The answers of one operation.
pub struct Asking<'a, 'r, 'g> {
    pub region: &'a mut Region<'r, 'g>,
    pub id: u64,
}

/// A structure that the library lends to a callback.
struct Lent<T>(*const T);

// SAFETY: it is used on the thread of the callback alone.
unsafe impl<T> Send for Lent<T> {}

impl<T> Lent<T> {
    fn new(lent: &T) -> Lent<T> {
        Lent(std::ptr::from_ref(lent))
    }

    fn get(&self) -> &T {
        // SAFETY: the callback, and with it the loan, lasts longer than the call that this is made for.
        unsafe { &*self.0 }
    }
}

impl Asking<'_, '_, '_> {
    /// Runs `f` with the lock and the connection's object. `None`: it raised, and the operation comes to its end.
    fn ask<R: Send>(&mut self, f: impl FnOnce(&mut Ctx, Value) -> Result<R> + Send) -> Option<R> {
        let id = self.id;
        self.region
            .with_lock(move |ctx| {
                let socket = socket_of(ctx, id);
                f(ctx, socket)
            })
            .ok()
    }
}

/// A callback of the connection's context.
fn callback(ctx: &Ctx, socket: Value, name: &'static str) -> Value {
    let context = ivar(ctx, socket, "@context");
    ivar(ctx, context, name)
}

impl Asked for Asking<'_, '_, '_> {
    fn verify(&mut self, accepted: bool, this: &X509_STORE_CTX, hostname: bool) -> bool {
        let lent = Lent::new(this);
        self.ask(move |ctx, socket| {
            let this = lent.get();
            let mut accepted = accepted;
            if hostname && callback(ctx, socket, "@verify_hostname").truthy() && !fits(ctx, socket, this)? {
                accepted = false;
                x509::X509_STORE_CTX_set_error(this, V_ERR_HOSTNAME_MISMATCH);
            }
            let proc = callback(ctx, socket, "@verify_callback");
            verification::ask_proc(ctx, proc, accepted, this)
        })
        .unwrap_or(false)
    }

    fn server_name(&mut self, connection: &SSL, name: &[u8]) -> bool {
        let (lent, name) = (Lent::new(connection), name.to_vec());
        self.ask(move |ctx, socket| switch_context(ctx, socket, lent.get(), &name)).is_some()
    }

    fn select(&mut self, offered: &[u8], newer: bool) -> Option<Vec<u8>> {
        let offered = offered.to_vec();
        self.ask(move |ctx, socket| {
            let proc = callback(ctx, socket, if newer { "@alpn_select_cb" } else { "@npn_select_cb" });
            let names = Array::new(ctx);
            let mut rest = &offered[..];
            while let Some((len, behind)) = rest.split_first() {
                let (name, behind) = behind.split_at(usize::from(*len).min(behind.len()));
                let name = binary(ctx, name);
                names.push(ctx, name);
                rest = behind;
            }
            let selected = ctx.call_name(proc, "call", &[names.value()])?;
            let selected = bytes(ctx, selected)?;
            if selected.is_empty() || selected.len() > 255 {
                return Err(fail(ctx, ERROR, "Selected protocol name must have length 1..255"));
            }
            Ok(selected)
        })
    }

    fn client_certificate(&mut self) -> Option<(Owned<X509>, Owned<EVP_PKEY>)> {
        self.ask(|ctx, socket| {
            // An exception counts as no certificate.
            match choose_certificate(ctx, socket) {
                Err(unwind) if ctx.take_exception().is_none() => Err(unwind),
                Err(_) => Ok(None),
                found => found,
            }
        })
        .flatten()
    }

    fn parameters(&mut self, export: i32, bits: i32) -> Option<Owned<EVP_PKEY>> {
        self.ask(move |ctx, socket| {
            let proc = callback(ctx, socket, "@tmp_dh_callback");
            if proc.is_nil() {
                return Ok(None);
            }
            let found =
                ctx.call_name(proc, "call", &[socket, Value::fixnum(export.into()), Value::fixnum(bits.into())])?;
            Ok(pkey::of(ctx, found)?.share())
        })
        .flatten()
    }

    fn find_session(&mut self, id: &[u8]) -> Option<Owned<SSL_SESSION>> {
        let id = id.to_vec();
        self.ask(move |ctx, socket| {
            let proc = ctx.call_name(socket, "session_get_cb", &[])?;
            if proc.is_nil() {
                return Ok(None);
            }
            let id = binary(ctx, &id);
            let pair = Array::from_slice(ctx, &[socket, id]).value();
            let found = ctx.call_name(proc, "call", &[pair])?;
            let class = ctx.named_class(SESSION)?;
            if ctx.real_class(found) == class { Ok(session::of(ctx, found)?.share()) } else { Ok(None) }
        })
        .flatten()
    }

    fn new_session(&mut self, made: Owned<SSL_SESSION>) {
        self.ask(move |ctx, socket| {
            let proc = ctx.call_name(socket, "session_new_cb", &[])?;
            if proc.is_nil() {
                return Ok(());
            }
            let made = session::new(ctx, made)?;
            let pair = Array::from_slice(ctx, &[socket, made]).value();
            ctx.call_name(proc, "call", &[pair]).map(drop)
        });
    }

    fn log_key(&mut self, line: &[u8]) {
        let line = line.to_vec();
        self.ask(move |ctx, socket| {
            let proc = callback(ctx, socket, "@keylog_cb");
            if proc.is_nil() {
                return Ok(());
            }
            let line = binary(ctx, &line);
            ctx.call_name(proc, "call", &[socket, line]).map(drop)
        });
    }

    fn renegotiates(&mut self) {
        self.ask(|ctx, socket| {
            let proc = callback(ctx, socket, "@renegotiation_cb");
            if proc.is_nil() {
                return Ok(());
            }
            ctx.call_name(proc, "call", &[socket]).map(drop)
        });
    }
}

/// Whether the server's certificate has the name that the connection was told.
fn fits(ctx: &mut Ctx, socket: Value, this: &X509_STORE_CTX) -> Result<bool> {
    let host = ivar(ctx, socket, "@hostname");
    if !host.truthy() {
        ctx.warn_verbose("verify_hostname requires hostname to be set")?;
        return Ok(true);
    }
    let cert = check(ctx, x509::X509_STORE_CTX_get_current_cert(this), ERROR, "")?;
    let cert = certificate::new(ctx, cert)?;
    let module = ctx.named_class("OpenSSL::SSL")?.value();
    Ok(ctx.call_name(module, "verify_certificate_identity", &[cert, host])? == Value::TRUE)
}

/// The context that the callback for server names gives takes the place of the connection's.
fn switch_context(ctx: &mut Ctx, socket: Value, connection: &SSL, name: &[u8]) -> Result<()> {
    let proc = callback(ctx, socket, "@servername_cb");
    let name = binary(ctx, name);
    let pair = Array::from_slice(ctx, &[socket, name]).value();
    let given = ctx.call_name(proc, "call", &[pair])?;
    if is_kind(ctx, given, CONTEXT)? {
        context::setup(ctx, given)?;
        let this = context::of(ctx, given)?;
        support::ensure(ctx, ssl::SSL_set_SSL_CTX(connection, &this).is_some(), ERROR, "SSL_set_SSL_CTX")?;
        set_ivar(ctx, socket, "@context", given);
    } else if !given.is_nil() {
        return Err(fail(ctx, "ArgumentError", "servername_cb must return an OpenSSL::SSL::SSLContext object or nil"));
    }
    Ok(())
}

fn choose_certificate(ctx: &mut Ctx, socket: Value) -> Result<Option<(Owned<X509>, Owned<EVP_PKEY>)>> {
    let proc = callback(ctx, socket, "@client_cert_cb");
    if proc.is_nil() {
        return Ok(None);
    }
    let pair = ctx.call_name(proc, "call", &[socket])?;
    let pair = array(ctx, pair)?;
    let part = |at: usize| pair.get(at).unwrap_or(Value::NIL);
    let (cert, key) = (certificate::of(ctx, part(0))?, pkey::private(ctx, part(1))?);
    Ok(cert.share().zip(key.share()))
}

/// Tells the context's callback of the sessions that it has dropped. Exceptions of the callback are nobody's.
pub fn tell_dropped(ctx: &mut Ctx, object: Value, this: &SSL_CTX) -> Result<()> {
    for dropped in this.dropped() {
        let proc = ivar(ctx, object, "@session_remove_cb");
        if proc.is_nil() {
            continue;
        }
        let dropped = session::new(ctx, dropped)?;
        let pair = Array::from_slice(ctx, &[object, dropped]).value();
        if let Err(unwind) = ctx.call_name(proc, "call", &[pair]) {
            if ctx.take_exception().is_none() {
                return Err(unwind);
            }
            err::clear();
        }
    }
    Ok(())
}
