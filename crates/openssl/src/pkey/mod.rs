//! OpenSSL::PKey: reading and making keys, and what all kinds of them have. Keys do not change once they are made, so
//! that threads use one together; making one, signing and agreeing on secrets happen outside the lock.

pub mod dh;
pub mod dsa;
pub mod ec;
mod operations;
mod password;
pub mod rsa;

use crate::bn;
use crate::ffi::pkey::{self, EVP_PKEY, EVP_PKEY_CTX, Form};
use crate::ffi::{Owned, Text, asn1, bio, conf};
use crate::support::{
    self, Shared, binary, bytes, c_string, check, clear_errors, empty, ensure, fail, get, put, want_empty, wrap_in,
};
use crate::{cipher, support::is_kind};
use password::with_password;
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Ends, Leave, Result, Value, method};

pub const ERROR: &str = "OpenSSL::PKey::PKeyError";
pub const PKEY: &str = "OpenSSL::PKey::PKey";

static GENERATE: RegionSite = RegionSite::new("OpenSSL::PKey.generate_key");

pub static MODULE: ClassDef = ClassDef {
    name: "OpenSSL::PKey",
    superclass: "",
    module_functions: &[
        method("read", Arity::range(1, 2), read),
        method("generate_parameters", Arity::range(1, 2), |ctx, _: Value, args| generate(ctx, args, true)),
        method("generate_key", Arity::range(1, 2), |ctx, _: Value, args| generate(ctx, args, false)),
        method("new_raw_private_key", Arity::exact(2), new_raw_private_key),
        method("new_raw_public_key", Arity::exact(2), new_raw_public_key),
    ],
    ..ClassDef::EMPTY
};

pub static PKEY_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static PKEY_CLASS: ClassDef = ClassDef {
    name: PKEY,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::NONE, initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("oid", Arity::NONE, oid),
        method("inspect", Arity::NONE, inspect),
        method("get_param", Arity::ONE, get_param),
        method("to_text", Arity::NONE, to_text),
        method("private_to_der", Arity::range(0, 2), |ctx, recv: Value, args| pkcs8(ctx, recv, args, Form::Pkcs8Der)),
        method("private_to_pem", Arity::range(0, 2), |ctx, recv: Value, args| pkcs8(ctx, recv, args, Form::Pkcs8Pem)),
        method("public_to_der", Arity::NONE, |ctx, recv: Value, _| export_public(ctx, recv, true)),
        method("public_to_pem", Arity::NONE, |ctx, recv: Value, _| export_public(ctx, recv, false)),
        method("raw_private_key", Arity::NONE, raw_private_key),
        method("raw_public_key", Arity::NONE, raw_public_key),
        method("compare?", Arity::ONE, compare_p),
        method("sign", Arity::range(2, 3), operations::sign),
        method("verify", Arity::range(3, 4), operations::verify),
        method("sign_raw", Arity::range(2, 3), operations::sign_raw),
        method("verify_raw", Arity::range(3, 4), operations::verify_raw),
        method("verify_recover", Arity::range(2, 3), operations::verify_recover),
        method("derive", Arity::ONE, operations::derive),
        method("encrypt", Arity::range(1, 2), operations::encrypt),
        method("decrypt", Arity::range(1, 2), operations::decrypt),
    ],
    ..ClassDef::EMPTY
};

/// The key of an object.
pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<EVP_PKEY>> {
    get(ctx, value)
}

/// The key of an object that has its private part: ArgumentError otherwise.
pub fn private(ctx: &mut Ctx, value: Value) -> Result<Shared<EVP_PKEY>> {
    let key = of(ctx, value)?;
    let question = ctx.intern("private?");
    if ctx.respond_to(value, question, false)? && !ctx.call(value, question, &[])?.truthy() {
        return Err(ctx.argument_error("private key is needed"));
    }
    Ok(key)
}

/// PKeyError when the key lacks parameters.
pub fn check_public(ctx: &mut Ctx, key: &EVP_PKEY) -> Result<()> {
    ensure(ctx, pkey::EVP_PKEY_missing_parameters(key) == 0, ERROR, "parameters missing")
}

/// A new object of the class for this kind of key.
pub fn wrap(ctx: &mut Ctx, key: Owned<EVP_PKEY>) -> Result {
    let class = match pkey::EVP_PKEY_get_base_id(&key) {
        pkey::RSA_TYPE => rsa::RSA,
        pkey::DSA_TYPE => dsa::DSA,
        pkey::DH_TYPE => dh::DH,
        pkey::EC_TYPE => ec::EC,
        _ => PKEY,
    };
    let class = ctx.named_class(class)?.value();
    Ok(wrap_in(ctx, class, key))
}

/// The key in a text, whatever form it has; passwords come from the argument or the block of the call.
pub fn read_any(ctx: &mut Ctx, text: &[u8], pass: Value, args: Args) -> Result<Option<Owned<EVP_PKEY>>> {
    with_password(ctx, pass, args, |source| {
        for input in [c"DER", c"PEM"] {
            for selection in [pkey::KEYPAIR, pkey::PARAMETERS, pkey::PUBLIC] {
                let key = pkey::read(text, Text::from(input), selection, source);
                // What an attempt leaves is nobody's: the last one says no more than those before.
                crate::ffi::err::clear();
                if key.is_some() {
                    return key;
                }
            }
        }
        None
    })
}

fn read(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = support::source(ctx, args.at(0))?;
    let key = read_any(ctx, &text, args.at(1), args)?;
    let key = check(ctx, key, ERROR, "Could not parse PKey")?;
    wrap(ctx, key)
}

/// A key of the right kind for `RSA.new` and its like, of a text.
fn read_kind(ctx: &mut Ctx, text: &[u8], pass: Value, args: Args, kind: i32, message: &str) -> Result<Owned<EVP_PKEY>> {
    let key = read_any(ctx, text, pass, args)?;
    let key = check(ctx, key, ERROR, message)?;
    of_kind(ctx, key, kind)
}

fn of_kind(ctx: &mut Ctx, key: Owned<EVP_PKEY>, kind: i32) -> Result<Owned<EVP_PKEY>> {
    let found = pkey::EVP_PKEY_get_base_id(&key);
    if found != kind {
        let name = asn1::OBJ_nid2sn(found).map_or_else(String::new, Text::lossy);
        return Err(ctx.raise_error(ERROR, &format!("incorrect pkey type: {name}")));
    }
    clear_errors(ctx);
    Ok(key)
}

// -- making -------------------------------------------------------------------------------

/// Sets the options of an operation: a Hash of names and values.
pub fn apply_options(ctx: &mut Ctx, operation: &EVP_PKEY_CTX, options: Value) -> Result<()> {
    if options.is_nil() {
        return Ok(());
    }
    let Some(options) = Hash::try_of(options) else { return Err(ctx.wrong_argument_type(options, "Hash")) };
    let mut position = 0;
    while let Some(entry) = options.next_entry(ctx, position) {
        position = entry.position + 1;
        let mut key = entry.key;
        if key.is_symbol() {
            key = ctx.to_s(key)?.value();
        }
        let kernel = ctx.named_class("Kernel")?.value();
        let value = ctx.call_name(kernel, "String", &[entry.value])?;
        let (name, text) = (c_string(ctx, key)?, c_string(ctx, value)?);
        if pkey::EVP_PKEY_CTX_ctrl_str(operation, Text::from(&*name), Text::from(&*text)) <= 0 {
            let (key, value) = (ctx.inspect(key)?, ctx.inspect(value)?);
            return Err(fail(ctx, ERROR, &format!("EVP_PKEY_CTX_ctrl_str(ctx, {key}, {value})")));
        }
    }
    Ok(())
}

/// `generate_key(algorithm_or_parameters, options = nil) { |*progress| } -> pkey`
fn generate(ctx: &mut Ctx, args: Args, parameters: bool) -> Result {
    let operation = if is_kind(ctx, args.at(0), PKEY)? {
        let base = of(ctx, args.at(0))?;
        check(ctx, pkey::context(&base), ERROR, "EVP_PKEY_CTX_new")?
    } else {
        let name = c_string(ctx, args.at(0))?;
        check(ctx, pkey::context_named(Text::from(&*name)), ERROR, "EVP_PKEY_CTX_new_from_name")?
    };
    if parameters {
        ensure(ctx, pkey::EVP_PKEY_paramgen_init(&operation) > 0, ERROR, "EVP_PKEY_paramgen_init")?;
    } else {
        ensure(ctx, pkey::EVP_PKEY_keygen_init(&operation) > 0, ERROR, "EVP_PKEY_keygen_init")?;
    }
    apply_options(ctx, &operation, args.at(1))?;
    let key = if args.has_block() {
        generate_told(ctx, args, &operation, parameters)?
    } else {
        generate_outside(ctx, &operation, parameters)?
    };
    let key = check(ctx, key, ERROR, if parameters { "EVP_PKEY_paramgen" } else { "EVP_PKEY_keygen" })?;
    wrap(ctx, key)
}

/// With the lock: the block is told of the progress.
fn generate_told(
    ctx: &mut Ctx,
    args: Args,
    operation: &EVP_PKEY_CTX,
    parameters: bool,
) -> Result<Option<Owned<EVP_PKEY>>> {
    let mut outcome = Ok(Value::NIL);
    let key = pkey::generate(operation, parameters, &mut |numbers| {
        let mut values = [Value::NIL; 8];
        let count = numbers.len().min(values.len());
        values.iter_mut().zip(numbers).for_each(|(value, number)| *value = Value::fixnum((*number).into()));
        outcome = ctx.yield_values(args.block, &values[..count]);
        outcome.is_ok()
    });
    if outcome.is_err() {
        crate::ffi::err::clear();
    }
    outcome.map(|_| key)
}

/// Without it; an interrupt that raises nothing begins it anew.
fn generate_outside(
    ctx: &mut Ctx,
    operation: &Owned<EVP_PKEY_CTX>,
    parameters: bool,
) -> Result<Option<Owned<EVP_PKEY>>> {
    ctx.outside(Leave::new(Kind::Short(&GENERATE), Ends::Flag), |stop| {
        let key = pkey::generate(operation, parameters, &mut |_| !stop.requested());
        if key.is_none() && stop.requested() {
            crate::ffi::err::clear();
            return None;
        }
        Some(key)
    })
}

fn new_raw_private_key(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (kind, key) = (c_string(ctx, args.at(0))?, bytes(ctx, args.at(1))?);
    let key = check(ctx, pkey::from_raw_private(Text::from(&*kind), &key), ERROR, "EVP_PKEY_new_raw_private_key_ex")?;
    wrap(ctx, key)
}

fn new_raw_public_key(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (kind, key) = (c_string(ctx, args.at(0))?, bytes(ctx, args.at(1))?);
    let key = check(ctx, pkey::from_raw_public(Text::from(&*kind), &key), ERROR, "EVP_PKEY_new_raw_public_key_ex")?;
    wrap(ctx, key)
}

fn initialize(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.named_class(PKEY)?;
    if ctx.real_class(recv) == class {
        return Err(ctx.type_error("OpenSSL::PKey::PKey can't be instantiated directly"));
    }
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EVP_PKEY>(ctx, recv)?;
    if support::holds::<EVP_PKEY>(ctx, args.at(0)) {
        let other = of(ctx, args.at(0))?;
        let copy = check(ctx, pkey::EVP_PKEY_dup(&other), ERROR, "EVP_PKEY_dup")?;
        put(ctx, recv, copy)?;
    }
    Ok(recv)
}

// -- looking ------------------------------------------------------------------------------

fn oid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let nid = pkey::EVP_PKEY_get_id(&key);
    ensure(ctx, nid != pkey::KEYMGMT_TYPE, ERROR, "EVP_PKEY_id")?;
    Ok(support::text(ctx, asn1::OBJ_nid2sn(nid)))
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let mut text = ctx.any_to_s(recv);
    text.pop();
    let nid = pkey::EVP_PKEY_get_id(&key);
    if nid != pkey::KEYMGMT_TYPE {
        text.push_str(&format!(" oid={}", asn1::OBJ_nid2sn(nid).map_or_else(String::new, Text::lossy)));
    }
    text.push_str(&format!(" type_name={}", pkey::EVP_PKEY_get0_type_name(&key).map_or_else(String::new, Text::lossy)));
    if let Some(name) = pkey::EVP_PKEY_get0_provider(&key).and_then(|provider| conf::OSSL_PROVIDER_get0_name(provider))
    {
        text.push_str(&format!(" provider={}", name.lossy()));
    }
    text.push('>');
    Ok(Str::new(ctx, text.as_bytes(), Encoding::UTF_8).value())
}

/// `get_param(name) -> bn or string`
fn get_param(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    let name = c_string(ctx, args.at(0))?;
    match pkey::param(&key, &name) {
        Ok(pkey::Param::Number(bytes)) => {
            let number = bn::fresh(ctx)?;
            ensure(ctx, number.set_little_endian(&bytes), support::ERROR, "OSSL_PARAM_get_BN")?;
            support::wrap(ctx, bn::BN, number)
        }
        Ok(pkey::Param::Text(text)) => Ok(Str::from_vec(ctx, text, Encoding::UTF_8).value()),
        Ok(pkey::Param::Octets(octets)) => Ok(support::string(ctx, octets)),
        Err(message) => Err(fail(ctx, ERROR, &message)),
    }
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let text = check(ctx, key.print(), ERROR, "EVP_PKEY_print_params")?;
    Ok(support::string(ctx, text))
}

fn compare_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b) = (of(ctx, recv)?, of(ctx, args.at(0))?);
    if pkey::EVP_PKEY_get_id(&a) != pkey::EVP_PKEY_get_id(&b) {
        return Err(fail(ctx, "TypeError", "cannot match different PKey types"));
    }
    match pkey::EVP_PKEY_eq(&a, &b) {
        0 => Ok(Value::FALSE),
        1 => Ok(Value::TRUE),
        _ => Err(fail(ctx, ERROR, "EVP_PKEY_eq")),
    }
}

// -- writing ------------------------------------------------------------------------------

fn pkcs8(ctx: &mut Ctx, recv: Value, args: Args, form: Form) -> Result {
    let key = of(ctx, recv)?;
    let message =
        if matches!(form, Form::Pkcs8Der) { "i2d_PKCS8PrivateKey_bio" } else { "PEM_write_bio_PKCS8PrivateKey" };
    let (cipher, pass) =
        if args.is_empty() { (None, Value::NIL) } else { (Some(cipher::function(ctx, args.at(0))?), args.at(1)) };
    write(ctx, &key, form, cipher.as_deref(), pass, args, message)
}

fn write(
    ctx: &mut Ctx,
    key: &EVP_PKEY,
    form: Form,
    cipher: Option<&crate::ffi::evp::EVP_CIPHER>,
    pass: Value,
    args: Args,
    message: &str,
) -> Result {
    let text =
        with_password(ctx, pass, args, |source| bio::written(|out| pkey::write(out, key, form, cipher, source)))?;
    let text = check(ctx, text, ERROR, message)?;
    Ok(support::string(ctx, text))
}

/// A private key in the older form of its kind; PEM may be encrypted: `export(cipher = nil, password = nil)`.
fn export_traditional(ctx: &mut Ctx, recv: Value, args: Args, der: bool) -> Result {
    let key = of(ctx, recv)?;
    if der {
        let out = bio::written(|out| pkey::i2d_PrivateKey_bio(out, &key) == 1);
        let out = check(ctx, out, ERROR, "i2d_PrivateKey_bio")?;
        return Ok(support::string(ctx, out));
    }
    let cipher = cipher::optional(ctx, args.at(0))?;
    let pass = if cipher.is_some() { args.at(1) } else { Value::NIL };
    write(ctx, &key, Form::Traditional, cipher.as_deref(), pass, args, "PEM_write_bio_PrivateKey_traditional")
}

fn export_public(ctx: &mut Ctx, recv: Value, der: bool) -> Result {
    let key = of(ctx, recv)?;
    check_public(ctx, &key)?;
    let write = |out: &bio::BIO| {
        if der { pkey::i2d_PUBKEY_bio(out, &key) == 1 } else { pkey::PEM_write_bio_PUBKEY(out, &key) == 1 }
    };
    let out = check(ctx, bio::written(write), ERROR, if der { "i2d_PUBKEY_bio" } else { "PEM_write_bio_PUBKEY" })?;
    Ok(support::string(ctx, out))
}

fn raw_private_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let raw = check(ctx, key.raw_private(), ERROR, "EVP_PKEY_get_raw_private_key")?;
    Ok(binary(ctx, &raw))
}

fn raw_public_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let raw = check(ctx, key.raw_public(), ERROR, "EVP_PKEY_get_raw_public_key")?;
    Ok(binary(ctx, &raw))
}

// -- for the kinds ------------------------------------------------------------------------

/// A number of the key, nil when it has none.
fn number(ctx: &mut Ctx, recv: Value, name: &str) -> Result {
    let key = of(ctx, recv)?;
    match pkey::number(&key, name) {
        Some(number) => bn::new(ctx, number),
        None => Ok(Value::NIL),
    }
}

fn has(ctx: &mut Ctx, recv: Value, names: &[&str]) -> Result<bool> {
    let key = of(ctx, recv)?;
    Ok(names.iter().all(|name| pkey::number(&key, name).is_some()))
}

/// Setters of a key's parts: keys do not change.
fn immutable(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Err(fail(ctx, ERROR, "pkeys are immutable on OpenSSL 3.0"))
}

fn no_arguments(ctx: &mut Ctx, class: &str) -> rubellite_vm::Unwind {
    ctx.argument_error(&format!("{class}.new cannot be called without arguments; pkeys are immutable with OpenSSL 3.0"))
}

/// The class handle of a value, for singleton methods.
fn class_of(value: Value) -> Option<Class> {
    Class::try_of(value)
}
