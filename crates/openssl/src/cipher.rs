//! OpenSSL::Cipher. Long inputs are worked on outside the lock, with the state taken out of its object meanwhile.

use crate::digest::{self, OUTSIDE_MIN};
use crate::ffi::evp::{self, EVP_CIPHER, EVP_CIPHER_CTX, EVP_MD};
use crate::ffi::{Owned, Text};
use crate::support::{
    self, Shared, bytes, c_string, check, clear_errors, empty, ensure, fail, get, is_kind, outside_with, put,
    want_empty,
};
use rubellite_core_io::io::read::buffer_arg;
use rubellite_vm::object::Str;
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub const ERROR: &str = "OpenSSL::Cipher::CipherError";
const TAG_ERROR: &str = "OpenSSL::Cipher::AuthTagError";

static SITE: RegionSite = RegionSite::new("OpenSSL::Cipher");

// What the object remembers beside the library's state: internal names, which programs cannot spell.
const KEY_SET: &str = "@__key_set";
const IV_LEN: &str = "@__iv_len";
const TAG_LEN: &str = "@__tag_len";

pub static CIPHER: ClassDef = ClassDef {
    name: "OpenSSL::Cipher",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("reset", Arity::NONE, reset),
        method("encrypt", Arity::NONE, encrypt),
        method("decrypt", Arity::NONE, decrypt),
        method("pkcs5_keyivgen", Arity::range(1, 4), pkcs5_keyivgen),
        method("update", Arity::range(1, 2), update),
        method("final", Arity::NONE, finish),
        method("name", Arity::NONE, name),
        method("key=", Arity::ONE, set_key),
        method("auth_data=", Arity::ONE, set_auth_data),
        method("auth_tag=", Arity::ONE, set_auth_tag),
        method("auth_tag", Arity::range(0, 1), auth_tag),
        method("auth_tag_len=", Arity::ONE, set_auth_tag_len),
        method("authenticated?", Arity::NONE, authenticated_p),
        method("key_len=", Arity::ONE, set_key_len),
        method("key_len", Arity::NONE, key_len),
        method("iv=", Arity::ONE, set_iv),
        method("iv_len=", Arity::ONE, set_iv_len),
        method("iv_len", Arity::NONE, iv_len),
        method("block_size", Arity::NONE, block_size),
        method("padding=", Arity::ONE, set_padding),
        method("ccm_data_len=", Arity::ONE, set_ccm_data_len),
    ],
    module_functions: &[method("ciphers", Arity::NONE, ciphers)],
    ..ClassDef::EMPTY
};

pub static CIPHER_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };
pub static AUTH_TAG_ERROR: ClassDef = ClassDef { name: TAG_ERROR, superclass: ERROR, ..ClassDef::EMPTY };

/// The cipher that an object of this class uses, or that has this name.
pub fn function(ctx: &mut Ctx, value: Value) -> Result<Owned<EVP_CIPHER>> {
    if is_kind(ctx, value, "OpenSSL::Cipher")? {
        let state = state(ctx, value)?;
        let shared = state.cipher().and_then(EVP_CIPHER::share);
        return check(ctx, shared, ERROR, "EVP_CIPHER_up_ref");
    }
    let text = c_string(ctx, value)?;
    let name = Text::from(&*text);
    let found = match evp::EVP_get_cipherbyname(name) {
        Some(cipher) => cipher.share(),
        None => {
            clear_errors(ctx);
            evp::fetch_cipher(name)
        }
    };
    match found {
        Some(cipher) => Ok(cipher),
        None => {
            let text = text.to_string_lossy().into_owned();
            Err(fail(ctx, ERROR, &format!("unsupported cipher algorithm: {text}")))
        }
    }
}

/// The same, `None` for nil.
pub fn optional(ctx: &mut Ctx, value: Value) -> Result<Option<Owned<EVP_CIPHER>>> {
    if value.is_nil() { Ok(None) } else { function(ctx, value).map(Some) }
}

fn state(ctx: &mut Ctx, recv: Value) -> Result<Shared<EVP_CIPHER_CTX>> {
    if rubellite_vm::object::Data::try_of(recv).is_some_and(|data| data.is_empty(ctx)) {
        return Err(ctx.runtime_error("Cipher not initialized!"));
    }
    get(ctx, recv)
}

fn authenticates(state: &EVP_CIPHER_CTX) -> bool {
    state.cipher().is_some_and(EVP_CIPHER::authenticates)
}

fn new_state(ctx: &mut Ctx) -> Result<Owned<EVP_CIPHER_CTX>> {
    match evp::EVP_CIPHER_CTX_new() {
        Some(state) => Ok(state),
        None => Err(fail(ctx, "RuntimeError", "")),
    }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EVP_CIPHER_CTX>(ctx, recv)?;
    let cipher = function(ctx, args.at(0))?;
    let state = new_state(ctx)?;
    ensure(ctx, state.begin(Some(&cipher), None, None, -1), ERROR, "EVP_CipherInit_ex")?;
    put(ctx, recv, state)?;
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EVP_CIPHER_CTX>(ctx, recv)?;
    let other = state(ctx, args.at(0))?;
    let copy = new_state(ctx)?;
    ensure(ctx, evp::EVP_CIPHER_CTX_copy(&copy, &other) == 1, ERROR, "")?;
    put(ctx, recv, copy)?;
    for name in [KEY_SET, IV_LEN, TAG_LEN] {
        let value = internal(ctx, args.at(0), name);
        set_internal(ctx, recv, name, value);
    }
    Ok(recv)
}

fn internal(ctx: &Ctx, object: Value, name: &str) -> Value {
    let value = ctx.ivar_get(object, ctx.internal(name));
    if value.is_undef() { Value::NIL } else { value }
}

fn set_internal(ctx: &Ctx, object: Value, name: &str, value: Value) {
    ctx.ivar_set(object, ctx.internal(name), value);
}

fn ciphers(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(digest::names(ctx, evp::cipher_names()))
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    ensure(ctx, state.begin(None, None, None, -1), ERROR, "")?;
    Ok(recv)
}

fn begin(ctx: &mut Ctx, recv: Value, enc: i32) -> Result {
    let state = state(ctx, recv)?;
    ensure(ctx, state.begin(None, None, None, enc), ERROR, "EVP_CipherInit_ex")?;
    set_internal(ctx, recv, KEY_SET, Value::FALSE);
    Ok(recv)
}

fn encrypt(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    begin(ctx, recv, 1)
}

fn decrypt(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    begin(ctx, recv, 0)
}

/// `pkcs5_keyivgen(pass, salt = nil, iterations = 2048, digest = "MD5") -> nil`
fn pkcs5_keyivgen(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pass = bytes(ctx, args.at(0))?;
    let salt = match args.non_nil(1) {
        Some(salt) => Some(bytes(ctx, salt)?),
        None => None,
    };
    if salt.as_ref().is_some_and(|salt| salt.len() != 8) {
        return Err(fail(ctx, ERROR, "salt must be an 8-octet string"));
    }
    let rounds = match args.non_nil(2) {
        Some(rounds) => ctx.to_c_int(rounds)?,
        None => 2048,
    };
    if rounds <= 0 {
        return Err(ctx.argument_error("iterations must be a positive integer"));
    }
    let given = digest::optional(ctx, args.get(3).unwrap_or(Value::NIL))?;
    let md: &EVP_MD = given.as_deref().unwrap_or_else(|| evp::EVP_md5());
    let state = state(ctx, recv)?;
    let Some(cipher) = state.cipher() else { return Err(fail(ctx, ERROR, "")) };
    let (key, iv) = evp::bytes_to_key(cipher, md, salt.as_deref(), &pass, rounds);
    ensure(ctx, state.begin(None, Some(&key), Some(&iv), -1), ERROR, "")?;
    set_internal(ctx, recv, KEY_SET, Value::TRUE);
    Ok(Value::NIL)
}

/// `update(data, buffer = nil) -> string`
fn update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !internal(ctx, recv, KEY_SET).truthy() {
        return Err(fail(ctx, ERROR, "key not set"));
    }
    let data = ctx.to_str(args.at(0))?;
    let buffer = buffer_arg(ctx, args.get(1).unwrap_or(Value::NIL))?;
    let mut out = Vec::new();
    let done = if data.len() < OUTSIDE_MIN {
        let state = state(ctx, recv)?;
        state.update(data.bytes(ctx), &mut out)
    } else {
        let shared = data.share(ctx);
        let (done, result) = outside_with::<EVP_CIPHER_CTX, _>(ctx, recv, &SITE, |state| {
            let done = state.update(&shared, &mut out);
            (done, out)
        })?;
        out = result;
        done
    };
    ensure(ctx, done, ERROR, "EVP_CipherUpdate")?;
    match buffer {
        Some(buffer) => {
            ctx.check_frozen(buffer.value())?;
            buffer.set_vec(ctx, out);
            Ok(buffer.value())
        }
        None => Ok(Str::from_vec(ctx, out, Encoding::BINARY).value()),
    }
}

fn finish(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    match state.finish() {
        Some(out) => Ok(support::string(ctx, out)),
        None if authenticates(&state) => Err(fail(ctx, TAG_ERROR, "AEAD authentication tag verification failed")),
        None => Err(fail(ctx, ERROR, "cipher final failed")),
    }
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    let name = state.cipher().and_then(|cipher| evp::EVP_CIPHER_get0_name(cipher));
    Ok(support::text(ctx, name))
}

fn set_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = bytes(ctx, args.at(0))?;
    let state = state(ctx, recv)?;
    let len = evp::EVP_CIPHER_CTX_get_key_length(&state);
    if key.len() as i64 != i64::from(len) {
        return Err(ctx.argument_error(&format!("key must be {len} bytes")));
    }
    ensure(ctx, state.begin(None, Some(&key), None, -1), ERROR, "")?;
    set_internal(ctx, recv, KEY_SET, Value::TRUE);
    Ok(args.at(0))
}

/// The length that was set, for ciphers that authenticate, else the cipher's.
fn length_of_iv(ctx: &Ctx, recv: Value, state: &EVP_CIPHER_CTX) -> i64 {
    let set = internal(ctx, recv, IV_LEN).as_fixnum().filter(|len| authenticates(state) && *len != 0);
    set.unwrap_or_else(|| evp::EVP_CIPHER_CTX_get_iv_length(state).into())
}

fn set_iv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let iv = bytes(ctx, args.at(0))?;
    let state = state(ctx, recv)?;
    let len = length_of_iv(ctx, recv, &state);
    if iv.len() as i64 != len {
        return Err(ctx.argument_error(&format!("iv must be {len} bytes")));
    }
    ensure(ctx, state.begin(None, None, Some(&iv), -1), ERROR, "")?;
    Ok(args.at(0))
}

fn authenticated_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(support::bool(authenticates(&state)))
}

/// The state of a cipher that authenticates.
fn authenticating(ctx: &mut Ctx, recv: Value, message: &str) -> Result<Shared<EVP_CIPHER_CTX>> {
    let state = state(ctx, recv)?;
    if authenticates(&state) { Ok(state) } else { Err(fail(ctx, ERROR, message)) }
}

fn set_auth_data(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let data = bytes(ctx, args.at(0))?;
    let state = authenticating(ctx, recv, "AEAD not supported by this cipher")?;
    ensure(ctx, state.authenticate(&data), ERROR, "couldn't set additional authenticated data")?;
    Ok(args.at(0))
}

fn auth_tag(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = args.non_nil(0).unwrap_or_else(|| internal(ctx, recv, TAG_LEN));
    let len = if len.is_nil() { 16 } else { ctx.to_c_int(len)? };
    let state = authenticating(ctx, recv, "authentication tag not supported by this cipher")?;
    let Ok(len) = usize::try_from(len) else {
        return Err(ctx.string_size_error());
    };
    let tag = check(ctx, state.tag(len), ERROR, "retrieving the authentication tag failed")?;
    Ok(support::string(ctx, tag))
}

fn set_auth_tag(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let tag = bytes(ctx, args.at(0))?;
    let state = authenticating(ctx, recv, "authentication tag not supported by this cipher")?;
    ensure(ctx, state.set_tag(&tag), ERROR, "unable to set AEAD tag")?;
    Ok(args.at(0))
}

fn set_auth_tag_len(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = ctx.to_c_int(args.at(0))?;
    let state = authenticating(ctx, recv, "AEAD not supported by this cipher")?;
    ensure(ctx, state.set_number(evp::CTRL_AEAD_SET_TAG, len), ERROR, "unable to set authentication tag length")?;
    set_internal(ctx, recv, TAG_LEN, Value::fixnum(len.into()));
    Ok(args.at(0))
}

fn set_iv_len(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = ctx.to_c_int(args.at(0))?;
    let state = authenticating(ctx, recv, "cipher does not support AEAD")?;
    ensure(ctx, state.set_number(evp::CTRL_AEAD_SET_IVLEN, len), ERROR, "unable to set IV length")?;
    set_internal(ctx, recv, IV_LEN, Value::fixnum(len.into()));
    Ok(args.at(0))
}

fn set_key_len(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = ctx.to_c_int(args.at(0))?;
    let state = state(ctx, recv)?;
    ensure(ctx, evp::EVP_CIPHER_CTX_set_key_length(&state, len) == 1, ERROR, "")?;
    Ok(args.at(0))
}

fn set_padding(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let padding = ctx.to_c_int(args.at(0))?;
    let state = state(ctx, recv)?;
    ensure(ctx, evp::EVP_CIPHER_CTX_set_padding(&state, padding) == 1, ERROR, "")?;
    Ok(args.at(0))
}

fn key_len(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(Value::fixnum(evp::EVP_CIPHER_CTX_get_key_length(&state).into()))
}

fn iv_len(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(Value::fixnum(length_of_iv(ctx, recv, &state)))
}

fn block_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(Value::fixnum(evp::EVP_CIPHER_CTX_get_block_size(&state).into()))
}

fn set_ccm_data_len(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = ctx.to_c_int(args.at(0))?;
    let state = state(ctx, recv)?;
    ensure(ctx, state.announce(len), ERROR, "")?;
    Ok(args.at(0))
}
