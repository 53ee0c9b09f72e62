//! OpenSSL::SSL::SSLContext.
//!
//! Most settings are instance variables, which `setup` gives to the library when the first connection is made; the
//! context is frozen from then on.

use super::{CONTEXT, ERROR, callbacks, session};
use crate::ffi::asn1::OBJ_nid2sn;
use crate::ffi::pkey::{DH_TYPE, EVP_PKEY_eq, EVP_PKEY_get_base_id};
use crate::ffi::ssl::{self, Question, SSL_CIPHER, SSL_CTX};
use crate::ffi::stack::OwnedStack;
use crate::ffi::{Text, x509};
use crate::pkey;
use crate::support::{self, Shared, bytes, c_string, check, ensure, fail, get, ivar, wrap_in};
use crate::x509::{certificate, store};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, flags, method};

pub static CONTEXT_CLASS: ClassDef = ClassDef {
    name: CONTEXT,
    alloc: Some(allocate),
    methods: &[
        method("min_version=", Arity::ONE, set_min_version),
        method("max_version=", Arity::ONE, set_max_version),
        method("ciphers", Arity::NONE, ciphers),
        method("ciphers=", Arity::ONE, set_ciphers),
        method("ciphersuites=", Arity::ONE, set_ciphersuites),
        method("sigalgs=", Arity::ONE, set_sigalgs),
        method("client_sigalgs=", Arity::ONE, set_client_sigalgs),
        method("tmp_dh=", Arity::ONE, set_tmp_dh),
        method("groups=", Arity::ONE, set_groups),
        method("ecdh_curves=", Arity::ONE, set_groups),
        method("security_level", Arity::NONE, security_level),
        method("security_level=", Arity::ONE, set_security_level),
        method("enable_fallback_scsv", Arity::NONE, enable_fallback_scsv),
        method("add_certificate", Arity::range(2, 3), add_certificate),
        method("setup", Arity::NONE, |ctx, recv: Value, _| setup(ctx, recv)),
        method("freeze", Arity::NONE, |ctx, recv: Value, _| setup(ctx, recv)),
        method("session_add", Arity::ONE, session_add),
        method("session_remove", Arity::ONE, session_remove),
        method("session_cache_mode", Arity::NONE, session_cache_mode),
        method("session_cache_mode=", Arity::ONE, set_session_cache_mode),
        method("session_cache_size", Arity::NONE, session_cache_size),
        method("session_cache_size=", Arity::ONE, set_session_cache_size),
        method("session_cache_stats", Arity::NONE, session_cache_stats),
        method("flush_sessions", Arity::range(0, 1), flush_sessions),
        method("options", Arity::NONE, options),
        method("options=", Arity::ONE, set_options),
    ],
    setup: Some(|ctx, class| {
        let modes = [
            ("SESSION_CACHE_OFF", 0),
            ("SESSION_CACHE_CLIENT", 1),
            ("SESSION_CACHE_SERVER", 2),
            ("SESSION_CACHE_BOTH", 3),
            ("SESSION_CACHE_NO_AUTO_CLEAR", 0x80),
            ("SESSION_CACHE_NO_INTERNAL_LOOKUP", 0x100),
            ("SESSION_CACHE_NO_INTERNAL_STORE", 0x200),
            ("SESSION_CACHE_NO_INTERNAL", 0x300),
        ];
        support::constants(ctx, class, &modes);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

const OP_ALL: u64 = 0x8000_0850;

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<SSL_CTX>> {
    get(ctx, value)
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let made = check(ctx, SSL_CTX::create(), ERROR, "SSL_CTX_new")?;
    Ok(wrap_in(ctx, class, made))
}

/// The context, unless it is frozen.
fn changing(ctx: &mut Ctx, recv: Value) -> Result<Shared<SSL_CTX>> {
    ctx.check_frozen(recv)?;
    of(ctx, recv)
}

// -- set-up -------------------------------------------------------------------------------

/// Gives the library what the instance variables say, once. nil: it has been done before.
pub fn setup(ctx: &mut Ctx, recv: Value) -> Result {
    if recv.header().is_some_and(|header| header.has(flags::FROZEN)) {
        return Ok(Value::NIL);
    }
    let this = of(ctx, recv)?;
    if !ivar(ctx, recv, "@tmp_dh_callback").is_nil() {
        this.ask(Question::Parameters);
        this.set_automatic_parameters(false);
    }
    ssl::SSL_CTX_set_post_handshake_auth(&this, 1);
    set_certificates(ctx, recv, &this)?;
    set_authorities(ctx, recv, &this)?;
    set_verification(ctx, recv, &this)?;
    set_protocols(ctx, recv, &this)?;
    freeze(ctx, recv)?;
    set_sessions(ctx, recv, &this)?;
    if !ivar(ctx, recv, "@servername_cb").is_nil() {
        this.ask(Question::ServerName);
    }
    if ivar(ctx, recv, "@keylog_cb").truthy() {
        this.ask(Question::KeyLog);
    }
    Ok(Value::TRUE)
}

/// `Kernel#freeze`, which the class has given another meaning.
fn freeze(ctx: &mut Ctx, recv: Value) -> Result<()> {
    let owner = ctx.named_class(CONTEXT)?;
    let name = ctx.intern("freeze");
    ctx.call_super(recv, owner, name, Args::none()).map(drop)
}

fn set_certificates(ctx: &mut Ctx, recv: Value, this: &SSL_CTX) -> Result<()> {
    let value = ivar(ctx, recv, "@cert_store");
    if !value.is_nil() {
        let shared = store::of(ctx, value)?.share();
        let store = check(ctx, shared, ERROR, "")?;
        this.set_store(store);
    }
    let value = ivar(ctx, recv, "@extra_chain_cert");
    if !value.is_nil() {
        let list = support::enumerated(ctx, value)?;
        support::each(ctx, list, |ctx, item| {
            let shared = certificate::of(ctx, item)?.share();
            let cert = check(ctx, shared, ERROR, "")?;
            ensure(ctx, this.add_chain(cert), ERROR, "SSL_CTX_add_extra_chain_cert")
        })?;
    }
    let (cert, key) = (ivar(ctx, recv, "@cert"), ivar(ctx, recv, "@key"));
    let cert = if cert.is_nil() { None } else { Some(certificate::of(ctx, cert)?) };
    let key = if key.is_nil() { None } else { Some(pkey::private(ctx, key)?) };
    if let (Some(cert), Some(key)) = (cert, key) {
        ensure(ctx, ssl::SSL_CTX_use_certificate(this, &cert) == 1, ERROR, "SSL_CTX_use_certificate")?;
        ensure(ctx, ssl::SSL_CTX_use_PrivateKey(this, &key) == 1, ERROR, "SSL_CTX_use_PrivateKey")?;
        ensure(ctx, ssl::SSL_CTX_check_private_key(this) == 1, ERROR, "SSL_CTX_check_private_key")?;
    }
    Ok(())
}

fn set_authorities(ctx: &mut Ctx, recv: Value, this: &SSL_CTX) -> Result<()> {
    let value = ivar(ctx, recv, "@client_ca");
    let add = |ctx: &mut Ctx, item: Value| {
        let cert = certificate::of(ctx, item)?;
        ensure(ctx, ssl::SSL_CTX_add_client_CA(this, &cert) == 1, ERROR, "SSL_CTX_add_client_CA")
    };
    match Array::try_of(value) {
        Some(list) => support::each(ctx, list, add)?,
        None if value.is_nil() => {}
        None => add(ctx, value)?,
    }
    let (file, dir) = (ivar(ctx, recv, "@ca_file"), ivar(ctx, recv, "@ca_path"));
    let file = if file.is_nil() { None } else { Some(c_string(ctx, file)?) };
    let dir = if dir.is_nil() { None } else { Some(c_string(ctx, dir)?) };
    if let Some(file) = file {
        ensure(ctx, ssl::SSL_CTX_load_verify_file(this, Text::from(&*file)) == 1, ERROR, "SSL_CTX_load_verify_file")?;
    }
    if let Some(dir) = dir {
        ensure(ctx, ssl::SSL_CTX_load_verify_dir(this, Text::from(&*dir)) == 1, ERROR, "SSL_CTX_load_verify_dir")?;
    }
    Ok(())
}

fn set_verification(ctx: &mut Ctx, recv: Value, this: &SSL_CTX) -> Result<()> {
    let value = ivar(ctx, recv, "@verify_mode");
    let mode = if value.is_nil() { 0 } else { ctx.to_c_int(value)? };
    this.set_verify(mode);
    if ivar(ctx, recv, "@client_cert_cb").truthy() {
        this.ask(Question::ClientCertificate);
    }
    let value = ivar(ctx, recv, "@timeout");
    if !value.is_nil() {
        let seconds = ctx.to_int(value)?;
        ssl::SSL_CTX_set_timeout(this, seconds);
    }
    let value = ivar(ctx, recv, "@verify_depth");
    if !value.is_nil() {
        let depth = ctx.to_c_int(value)?;
        ssl::SSL_CTX_set_verify_depth(this, depth);
    }
    Ok(())
}

fn set_protocols(ctx: &mut Ctx, recv: Value, this: &SSL_CTX) -> Result<()> {
    let value = ivar(ctx, recv, "@npn_protocols");
    if !value.is_nil() {
        let list = encoded(ctx, value)?;
        this.set_older_protocols(list);
    }
    if ivar(ctx, recv, "@npn_select_cb").truthy() {
        this.ask(Question::OlderProtocol);
    }
    let value = ivar(ctx, recv, "@alpn_protocols");
    if !value.is_nil() {
        let list = encoded(ctx, value)?;
        ensure(ctx, this.set_protocols(&list), ERROR, "SSL_CTX_set_alpn_protos")?;
    }
    if ivar(ctx, recv, "@alpn_select_cb").truthy() {
        this.ask(Question::Protocol);
    }
    Ok(())
}

/// Names of protocols, each behind its length.
fn encoded(ctx: &mut Ctx, names: Value) -> Result<Vec<u8>> {
    let list = support::enumerated(ctx, names)?;
    let mut out = Vec::new();
    support::each(ctx, list, |ctx, name| {
        let name = bytes(ctx, name)?;
        match u8::try_from(name.len()) {
            Ok(len @ 1..) => {
                out.push(len);
                out.extend(name);
                Ok(())
            }
            _ => Err(fail(ctx, ERROR, "Advertised protocol must have length 1..255")),
        }
    })?;
    Ok(out)
}

fn set_sessions(ctx: &mut Ctx, recv: Value, this: &SSL_CTX) -> Result<()> {
    let value = ivar(ctx, recv, "@session_id_context");
    if !value.is_nil() {
        let id = bytes(ctx, value)?;
        ensure(ctx, this.set_session_context(&id), ERROR, "SSL_CTX_set_session_id_context")?;
    }
    let questions = [
        ("@session_get_cb", Question::FindSession),
        ("@session_new_cb", Question::NewSession),
        ("@session_remove_cb", Question::DropSession),
    ];
    for (name, question) in questions {
        if ivar(ctx, recv, name).truthy() {
            this.ask(question);
        }
    }
    Ok(())
}

// -- settings -----------------------------------------------------------------------------

/// The number of a protocol version of its name.
fn version(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_nil() {
        return Ok(0);
    }
    if support::integer(value).is_some() {
        return ctx.to_c_int(value);
    }
    let name = if value.is_symbol() { ctx.to_s(value)?.bytes(ctx).to_vec() } else { bytes(ctx, value)? };
    let known =
        [("SSL2", 2), ("SSL3", 0x300), ("TLS1", 0x301), ("TLS1_1", 0x302), ("TLS1_2", 0x303), ("TLS1_3", 0x304)];
    match known.iter().find(|(text, _)| text.as_bytes().starts_with(&name)) {
        Some((_, number)) => Ok(*number),
        None => {
            let shown = support::string(ctx, name);
            let shown = ctx.inspect(shown)?;
            Err(ctx.argument_error(&format!("unrecognized version {shown}")))
        }
    }
}

fn set_min_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let version = version(ctx, args.at(0))?;
    ensure(ctx, this.set_min_version(version), ERROR, "SSL_CTX_set_min_proto_version")?;
    Ok(args.at(0))
}

fn set_max_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let version = version(ctx, args.at(0))?;
    ensure(ctx, this.set_max_version(version), ERROR, "SSL_CTX_set_max_proto_version")?;
    Ok(args.at(0))
}

/// Name, protocol version, bits, bits of the algorithm.
pub fn cipher_parts(ctx: &mut Ctx, cipher: &SSL_CIPHER) -> Value {
    let name = support::text(ctx, ssl::SSL_CIPHER_get_name(cipher));
    let version = support::text(ctx, ssl::SSL_CIPHER_get_version(cipher));
    let (bits, algorithm) = ssl::bits(cipher);
    Array::from_slice(ctx, &[name, version, Value::fixnum(bits.into()), Value::fixnum(algorithm.into())]).value()
}

fn ciphers(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let list = Array::new(ctx);
    if let Some(found) = ssl::SSL_CTX_get_ciphers(&this) {
        for cipher in found.iter() {
            let parts = cipher_parts(ctx, cipher);
            list.push(ctx, parts);
        }
    }
    Ok(list.value())
}

/// A list of ciphers as the library takes it: a String, or an Array of names or of Arrays that begin with names.
fn cipher_list(ctx: &mut Ctx, value: Value) -> Result<std::ffi::CString> {
    let Some(list) = Array::try_of(value) else { return c_string(ctx, value) };
    let mut names: Vec<Vec<u8>> = Vec::new();
    support::each(ctx, list, |ctx, item| {
        let item = Array::try_of(item).map_or(item, |parts| parts.first().unwrap_or(Value::NIL));
        let kernel = ctx.named_class("Kernel")?.value();
        let name = ctx.call_name(kernel, "String", &[item])?;
        names.push(bytes(ctx, name)?);
        Ok(())
    })?;
    let joined = support::string(ctx, names.join(&b':'));
    c_string(ctx, joined)
}

fn set_ciphers(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    if !args.at(0).is_nil() {
        let list = cipher_list(ctx, args.at(0))?;
        ensure(ctx, ssl::SSL_CTX_set_cipher_list(&this, Text::from(&*list)) == 1, ERROR, "SSL_CTX_set_cipher_list")?;
    }
    Ok(args.at(0))
}

fn set_ciphersuites(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    if !args.at(0).is_nil() {
        let list = cipher_list(ctx, args.at(0))?;
        ensure(ctx, ssl::SSL_CTX_set_ciphersuites(&this, Text::from(&*list)) == 1, ERROR, "SSL_CTX_set_ciphersuites")?;
    }
    Ok(args.at(0))
}

fn set_sigalgs(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let list = c_string(ctx, args.at(0))?;
    ensure(ctx, this.set_signature_algorithms(Text::from(&*list)), ERROR, "SSL_CTX_set1_sigalgs_list")?;
    Ok(args.at(0))
}

fn set_client_sigalgs(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let list = c_string(ctx, args.at(0))?;
    ensure(ctx, this.set_client_signature_algorithms(Text::from(&*list)), ERROR, "SSL_CTX_set1_client_sigalgs_list")?;
    Ok(args.at(0))
}

fn set_tmp_dh(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let key = pkey::of(ctx, args.at(0))?;
    let kind = EVP_PKEY_get_base_id(&key);
    if kind != DH_TYPE {
        let name = OBJ_nid2sn(kind).map_or_else(String::new, Text::lossy);
        return Err(ctx.raise_error(ERROR, &format!("invalid pkey type {name} (expected DH)")));
    }
    let shared = check(ctx, key.share(), ERROR, "")?;
    ensure(ctx, this.set_parameters(shared), ERROR, "SSL_CTX_set0_tmp_dh_pkey")?;
    this.set_automatic_parameters(false);
    Ok(args.at(0))
}

fn set_groups(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let list = c_string(ctx, args.at(0))?;
    ensure(ctx, this.set_groups(Text::from(&*list)), ERROR, "SSL_CTX_set1_groups_list")?;
    Ok(args.at(0))
}

fn security_level(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(Value::fixnum(ssl::SSL_CTX_get_security_level(&this).into()))
}

fn set_security_level(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let level = ctx.to_c_int(args.at(0))?;
    ssl::SSL_CTX_set_security_level(&this, level);
    Ok(args.at(0))
}

fn enable_fallback_scsv(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    of(ctx, recv)?.set_fallback();
    Ok(Value::NIL)
}

/// `add_certificate(cert, key, chain = nil) -> self`
fn add_certificate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let (cert, key) = (certificate::of(ctx, args.at(0))?, pkey::private(ctx, args.at(1))?);
    let Some(public) = x509::X509_get_pubkey(&cert) else {
        return Err(ctx.argument_error("certificate does not contain public key"));
    };
    if EVP_PKEY_eq(&public, &key) != 1 {
        return Err(ctx.argument_error("public key mismatch"));
    }
    let chain: Option<OwnedStack<_>> = match args.get(2) {
        Some(chain) => Some(certificate::stack(ctx, chain)?),
        None => None,
    };
    ensure(ctx, ssl::SSL_CTX_use_certificate(&this, &cert) == 1, ERROR, "SSL_CTX_use_certificate")?;
    ensure(ctx, ssl::SSL_CTX_use_PrivateKey(&this, &key) == 1, ERROR, "SSL_CTX_use_PrivateKey")?;
    if let Some(chain) = chain {
        ensure(ctx, this.set_chain(chain), ERROR, "SSL_CTX_set0_chain")?;
    }
    Ok(recv)
}

fn options(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(ctx.uint(ssl::SSL_CTX_get_options(&this)))
}

fn set_options(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = changing(ctx, recv)?;
    let options = if args.at(0).is_nil() { OP_ALL } else { ctx.to_int(args.at(0))? as u64 };
    ssl::SSL_CTX_clear_options(&this, ssl::SSL_CTX_get_options(&this));
    ssl::SSL_CTX_set_options(&this, options);
    Ok(recv)
}

// -- sessions -----------------------------------------------------------------------------

fn session_add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, session) = (of(ctx, recv)?, session::of(ctx, args.at(0))?);
    let done = ssl::SSL_CTX_add_session(&this, &session) == 1;
    callbacks::tell_dropped(ctx, recv, &this)?;
    Ok(support::bool(done))
}

fn session_remove(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, session) = (of(ctx, recv)?, session::of(ctx, args.at(0))?);
    let done = ssl::SSL_CTX_remove_session(&this, &session) == 1;
    callbacks::tell_dropped(ctx, recv, &this)?;
    Ok(support::bool(done))
}

fn session_cache_mode(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mode = of(ctx, recv)?.cache_mode();
    Ok(ctx.int(mode))
}

fn set_session_cache_mode(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let mode = ctx.to_int(args.at(0))?;
    this.set_cache_mode(mode);
    Ok(args.at(0))
}

fn session_cache_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let size = of(ctx, recv)?.cache_size();
    Ok(ctx.int(size))
}

fn set_session_cache_size(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let size = ctx.to_int(args.at(0))?;
    this.set_cache_size(size);
    Ok(args.at(0))
}

/// The counts in the order of the Hash, each with its place in the library's.
const COUNTS: [(&str, i32); 12] = [
    ("cache_num", 0),
    ("connect", 1),
    ("connect_good", 2),
    ("connect_renegotiate", 3),
    ("accept", 4),
    ("accept_good", 5),
    ("accept_renegotiate", 6),
    ("cache_hits", 7),
    ("cb_hits", 8),
    ("cache_misses", 9),
    ("cache_full", 11),
    ("timeouts", 10),
];

fn session_cache_stats(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let hash = Hash::new(ctx);
    for (name, at) in COUNTS {
        let (name, count) = (Value::symbol(ctx.intern(name)), ctx.int(this.count(at)));
        hash.insert(ctx, name, count)?;
    }
    Ok(hash.value())
}

/// `flush_sessions(time = Time.now) -> self`
fn flush_sessions(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let class = ctx.named_class("Time")?;
    let seconds = match args.non_nil(0) {
        None => {
            let now = ctx.call_name(class.value(), "now", &[])?;
            ctx.call_name(now, "to_i", &[])?
        }
        Some(time) if ctx.real_class(time) == class => ctx.call_name(time, "to_i", &[])?,
        Some(_) => return Err(fail(ctx, "ArgumentError", "arg must be Time or nil")),
    };
    let seconds = ctx.to_int(seconds)?;
    ssl::SSL_CTX_flush_sessions(&this, seconds);
    callbacks::tell_dropped(ctx, recv, &this)?;
    Ok(recv)
}
