//! OpenSSL::X509.

pub mod attribute;
pub mod certificate;
pub mod context;
pub mod crl;
pub mod extension;
pub mod name;
pub mod request;
pub mod revoked;
pub mod store;

use crate::ffi::asn1::ASN1_TIME;
use crate::ffi::pkey::EVP_PKEY;
use crate::ffi::x509::{self, X509_EXTENSION};
use crate::ffi::{Foreign, Owned, Text};
use crate::support::{self, array, binary, check, check_kind, clear_errors, ensure, fail, get};
use crate::{asn1, digest, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, ClassDef, Ctx, Result, Value};

pub static X509: ClassDef = ClassDef {
    name: "OpenSSL::X509",
    superclass: "",
    setup: Some(|ctx, module| {
        support::constants(ctx, module, crate::constants::X509);
        let places: [(&str, Text); 6] = [
            ("DEFAULT_CERT_AREA", x509::X509_get_default_cert_area()),
            ("DEFAULT_CERT_DIR", x509::X509_get_default_cert_dir()),
            ("DEFAULT_CERT_FILE", x509::X509_get_default_cert_file()),
            ("DEFAULT_CERT_DIR_ENV", x509::X509_get_default_cert_dir_env()),
            ("DEFAULT_CERT_FILE_ENV", x509::X509_get_default_cert_file_env()),
            ("DEFAULT_PRIVATE_DIR", x509::X509_get_default_private_dir()),
        ];
        for (name, text) in places {
            let text = binary(ctx, text.bytes());
            ctx.call_name(text, "freeze", &[])?;
            module.set_const(ctx, name, text);
        }
        Ok(())
    }),
    ..ClassDef::EMPTY
};

/// A Time, or nil without one.
fn time(ctx: &mut Ctx, time: Option<&ASN1_TIME>) -> Result {
    match time {
        Some(time) => asn1::to_time(ctx, time),
        None => Ok(Value::NIL),
    }
}

/// True, false, or the error of the library.
fn verified(ctx: &mut Ctx, answer: i32, error: &'static str) -> Result {
    match answer {
        1 => Ok(Value::TRUE),
        0 => {
            clear_errors(ctx);
            Ok(Value::FALSE)
        }
        _ => Err(fail(ctx, error, "")),
    }
}

/// Has `verify` try the key of an object.
fn verify_with<T>(
    ctx: &mut Ctx,
    this: &T,
    key: Value,
    verify: extern "C" fn(&T, &EVP_PKEY) -> i32,
    error: &'static str,
) -> Result {
    let key = pkey::of(ctx, key)?;
    pkey::check_public(ctx, &key)?;
    verified(ctx, verify(this, &key), error)
}

type Sign<T> = extern "C" fn(&T, &EVP_PKEY, Option<&crate::ffi::evp::EVP_MD>) -> i32;

/// Has `sign` use the private key and the digest of the arguments.
fn sign_with<T>(ctx: &mut Ctx, this: &T, args: Args, sign: Sign<T>, error: &'static str, message: &str) -> Result<()> {
    let key = pkey::private(ctx, args.at(0))?;
    let md = digest::optional(ctx, args.at(1))?;
    ensure(ctx, sign(this, &key, md.as_deref()) != 0, error, message)
}

/// The functions for a structure's extensions.
struct Extensions<T> {
    count: extern "C" fn(&T) -> i32,
    get: for<'a> extern "C" fn(&'a T, i32) -> Option<&'a X509_EXTENSION>,
    delete: extern "C" fn(&T, i32) -> Option<Owned<X509_EXTENSION>>,
    add: extern "C" fn(&T, &X509_EXTENSION, i32) -> i32,
    error: &'static str,
    message: &'static str,
}

impl<T> Extensions<T> {
    fn list(&self, ctx: &mut Ctx, this: &T) -> Result {
        let list = Array::new(ctx);
        for at in 0..(self.count)(this) {
            if let Some(found) = (self.get)(this, at) {
                let object = extension::new(ctx, found)?;
                list.push(ctx, object);
            }
        }
        Ok(list.value())
    }

    fn replace(&self, ctx: &mut Ctx, this: &T, values: Value) -> Result {
        let list = array(ctx, values)?;
        support::each(ctx, list, |ctx, item| check_kind(ctx, item, extension::EXTENSION))?;
        while (self.count)(this) > 0 && (self.delete)(this, 0).is_some() {}
        support::each(ctx, list, |ctx, item| {
            let item = get::<X509_EXTENSION>(ctx, item)?;
            ensure(ctx, (self.add)(this, &item, -1) != 0, self.error, self.message)
        })?;
        Ok(values)
    }

    fn append(&self, ctx: &mut Ctx, this: &T, value: Value) -> Result {
        let item = get::<X509_EXTENSION>(ctx, value)?;
        ensure(ctx, (self.add)(this, &item, -1) != 0, self.error, "")?;
        Ok(value)
    }
}

/// `initialize` of what can be read: without an argument an empty one, else from DER or PEM.
fn read_into<T: x509::Pem>(
    ctx: &mut Ctx,
    recv: Value,
    args: Args,
    new: extern "C" fn() -> Option<Owned<T>>,
    error: &'static str,
    messages: [&str; 2],
) -> Result {
    support::want_empty::<T>(ctx, recv)?;
    let found = if args.is_empty() {
        check(ctx, new(), error, messages[0])?
    } else {
        let text = pkey::rsa::key_text(ctx, args.at(0))?;
        let found = T::read(&text);
        let found = check(ctx, found, error, messages[1])?;
        clear_errors(ctx);
        found
    };
    support::put(ctx, recv, found)?;
    Ok(recv)
}

/// `initialize_copy` with the library's function for that.
fn copy_into<T: Foreign + 'static>(
    ctx: &mut Ctx,
    recv: Value,
    other: Value,
    dup: extern "C" fn(&T) -> Option<Owned<T>>,
    error: &'static str,
    message: &str,
) -> Result {
    support::want_empty::<T>(ctx, recv)?;
    let other = get::<T>(ctx, other)?;
    let copy = check(ctx, dup(&other), error, message)?;
    support::put(ctx, recv, copy)?;
    Ok(recv)
}

/// A version as an Integer that is not negative.
fn version(ctx: &mut Ctx, value: Value, error: &'static str) -> Result<i64> {
    let version = ctx.to_int(value)?;
    if version < 0 {
        return Err(fail(ctx, error, "version must be >= 0!"));
    }
    Ok(version)
}
