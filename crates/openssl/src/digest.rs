//! OpenSSL::Digest. What digests have in common is the digest library's; this gives it `update`, `finish` and `reset`.

use crate::ffi::asn1::{OBJ_nid2sn, OBJ_obj2nid, OBJ_txt2obj};
use crate::ffi::evp::{self, EVP_MD, EVP_MD_CTX};
use crate::ffi::{Owned, Text};
use crate::support::{self, c_string, check, clear_errors, empty, ensure, fail, get, is_kind, put};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, private_method};

pub const ERROR: &str = "OpenSSL::Digest::DigestError";

/// Inputs from here on are worked on outside the lock: some microseconds.
pub const OUTSIDE_MIN: usize = 4 << 10;

static SITE: RegionSite = RegionSite::new("OpenSSL::Digest");

pub static DIGEST: ClassDef = ClassDef {
    name: "OpenSSL::Digest",
    superclass: "Digest::Class",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 2), initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("reset", Arity::NONE, reset),
        method("update", Arity::ONE, update),
        method("<<", Arity::ONE, update),
        private_method("finish", Arity::NONE, finish),
        method("digest_length", Arity::NONE, digest_length),
        method("block_length", Arity::NONE, block_length),
        method("name", Arity::NONE, name),
    ],
    module_functions: &[method("digests", Arity::NONE, digests)],
    ..ClassDef::EMPTY
};

pub static DIGEST_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

/// No name of a digest has more bytes.
const NAME_MAX: usize = 1024;

/// The function that an object of this class uses, or that has this name or object identifier.
pub fn function(ctx: &mut Ctx, value: Value) -> Result<Owned<EVP_MD>> {
    if is_kind(ctx, value, "OpenSSL::Digest")? {
        let state = get::<EVP_MD_CTX>(ctx, value)?;
        let shared = state.md().and_then(EVP_MD::share);
        return check(ctx, shared, ERROR, "EVP_MD_up_ref");
    }
    let text = c_string(ctx, value)?;
    let found = by_name(Text::from(&*text)).and_then(EVP_MD::share);
    let found = match found {
        Some(md) => Some(md),
        // libcrypto takes long to find that it does not know a long name.
        None if text.to_bytes().len() > NAME_MAX => None,
        None => {
            clear_errors(ctx);
            evp::fetch_digest(Text::from(&*text))
        }
    };
    match found {
        Some(md) => Ok(md),
        None => {
            let text = text.to_string_lossy().into_owned();
            Err(fail(ctx, ERROR, &format!("unsupported digest algorithm: {text}")))
        }
    }
}

fn by_name(name: Text) -> Option<&'static EVP_MD> {
    evp::EVP_get_digestbyname(name).or_else(|| {
        let object = OBJ_txt2obj(name, 0)?;
        evp::EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(&object))?)
    })
}

/// The same, `None` for nil.
pub fn optional(ctx: &mut Ctx, value: Value) -> Result<Option<Owned<EVP_MD>>> {
    if value.is_nil() { Ok(None) } else { function(ctx, value).map(Some) }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let md = function(ctx, args.at(0))?;
    let data = args.non_nil(1);
    if let Some(data) = data {
        ctx.to_str(data)?;
    }
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "EVP_MD_CTX_new")?;
    ensure(ctx, state.begin(&md), ERROR, "Digest initialization failed")?;
    put(ctx, recv, state)?;
    match data {
        Some(data) => feed(ctx, recv, data),
        None => Ok(recv),
    }
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    if recv == args.at(0) {
        return Ok(recv);
    }
    let other = get::<EVP_MD_CTX>(ctx, args.at(0))?;
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "EVP_MD_CTX_new")?;
    ensure(ctx, evp::EVP_MD_CTX_copy_ex(&state, &other) == 1, ERROR, "")?;
    put(ctx, recv, state)?;
    Ok(recv)
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    let done = state.md().is_some_and(|md| state.begin(md));
    ensure(ctx, done, ERROR, "Digest initialization failed.")?;
    Ok(recv)
}

fn update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    feed(ctx, recv, args.at(0))
}

fn feed(ctx: &mut Ctx, recv: Value, data: Value) -> Result {
    let string = ctx.to_str(data)?;
    let done = if string.len() < OUTSIDE_MIN {
        let state = get::<EVP_MD_CTX>(ctx, recv)?;
        state.update(string.bytes(ctx))
    } else {
        let shared = string.share(ctx);
        support::outside_with::<EVP_MD_CTX, _>(ctx, recv, &SITE, |state| state.update(&shared))?
    };
    ensure(ctx, done, ERROR, "EVP_DigestUpdate")?;
    Ok(recv)
}

fn finish(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    let digest = check(ctx, state.finish(), ERROR, "EVP_DigestFinal_ex")?;
    Ok(support::string(ctx, digest))
}

fn digest_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    Ok(Value::fixnum(state.md().map_or(0, |md| evp::EVP_MD_get_size(md)).into()))
}

fn block_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    Ok(Value::fixnum(state.md().map_or(0, |md| evp::EVP_MD_get_block_size(md)).into()))
}

/// The function's short name, as it has been since before functions came from providers.
fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    let name = state.md().and_then(|md| evp::EVP_MD_get0_name(md));
    Ok(support::text(ctx, name))
}

fn digests(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(names(ctx, evp::digest_names()))
}

/// An Array of names.
pub fn names(ctx: &mut Ctx, names: Vec<Vec<u8>>) -> Value {
    let list = Array::with_capacity(ctx, names.len());
    for name in names {
        let name = Str::binary(ctx, &name).value();
        list.push(ctx, name);
    }
    list.value()
}
