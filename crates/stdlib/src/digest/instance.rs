//! Digest::Instance and Digest::Class: everything in terms of `update`, `finish` and `reset`, which an object of ours
//! spares.

use super::{base, class_name, hex};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Unwind, Value, method, private_method};

static INSTANCE: ClassDef = ClassDef {
    name: "Digest::Instance",
    superclass: "",
    methods: &[
        method("update", Arity::ONE, no_update),
        method("<<", Arity::ONE, no_update),
        private_method("finish", Arity::NONE, |ctx, recv: Value, _| Err(missing(ctx, recv, "finish"))),
        method("reset", Arity::NONE, |ctx, recv: Value, _| Err(missing(ctx, recv, "reset"))),
        method("block_length", Arity::NONE, |ctx, recv: Value, _| Err(missing(ctx, recv, "block_length"))),
        method("digest_length", Arity::NONE, digest_length),
        method("==", Arity::ONE, op_eq),
        method("inspect", Arity::NONE, inspect),
        method("new", Arity::NONE, new),
        method("digest", Arity::range(0, 1), digest),
        method("digest!", Arity::NONE, digest_bang),
        method("hexdigest", Arity::range(0, 1), hexdigest),
        method("hexdigest!", Arity::NONE, hexdigest_bang),
        method("to_s", Arity::NONE, to_s),
        method("length", Arity::NONE, length),
        method("size", Arity::NONE, length),
    ],
    ..ClassDef::EMPTY
};

static CLASS: ClassDef = ClassDef {
    name: "Digest::Class",
    includes: &["Digest::Instance"],
    methods: &[method("initialize", Arity::NONE, |_, recv: Value, _| Ok(recv))],
    singleton_methods: &[method("digest", Arity::ANY, class_digest), method("hexdigest", Arity::ANY, class_hexdigest)],
    ..ClassDef::EMPTY
};

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&INSTANCE)?;
    ctx.install(&CLASS)?;
    Ok(())
}

#[cold]
fn missing(ctx: &mut Ctx, recv: Value, method: &str) -> Unwind {
    let class = class_name(ctx, recv);
    ctx.runtime_error(&format!("{class} does not implement {method}()"))
}

fn no_update(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Err(missing(ctx, recv, "update"))
}

fn finish(ctx: &mut Ctx, object: Value) -> Result {
    ctx.call_name(object, "finish", &[])
}

fn reset(ctx: &mut Ctx, object: Value) -> Result<()> {
    ctx.call_name(object, "reset", &[])?;
    Ok(())
}

fn binary(ctx: &mut Ctx, bytes: Vec<u8>) -> Value {
    Str::from_vec(ctx, bytes, Encoding::BINARY).value()
}

/// The digest of a string, after which the object begins anew, or of what the object has taken in.
fn digest(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let plain = base::is_plain(ctx, recv);
    let Some(given) = args.get(0) else {
        if plain {
            let bytes = base::digest_so_far(ctx, recv)?;
            return Ok(binary(ctx, bytes));
        }
        let copy = ctx.call_name(recv, "clone", &[])?;
        return finish(ctx, copy);
    };
    if plain {
        let string = ctx.to_str(given)?;
        let bytes = base::digest_of(ctx, recv, string)?;
        reset(ctx, recv)?;
        return Ok(binary(ctx, bytes));
    }
    reset(ctx, recv)?;
    ctx.call_name(recv, "update", &[given])?;
    let value = finish(ctx, recv)?;
    reset(ctx, recv)?;
    Ok(value)
}

fn in_hex(ctx: &mut Ctx, digest: Value) -> Result {
    let digest = ctx.to_str(digest)?;
    Ok(hex(ctx, digest))
}

/// `hexdigest(string = nothing) -> string`
fn hexdigest(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digest = digest(ctx, recv, args)?;
    in_hex(ctx, digest)
}

/// `digest! -> string`: the digest; the object begins anew.
fn digest_bang(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let value = finish(ctx, recv)?;
    reset(ctx, recv)?;
    Ok(value)
}

fn hexdigest_bang(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digest = digest_bang(ctx, recv, args)?;
    in_hex(ctx, digest)
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.call_name(recv, "hexdigest", &[])
}

/// `#<Digest::MD5: d41d8cd98f00b204e9800998ecf8427e>`
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let digest = hexdigest(ctx, recv, Args::none())?;
    let text = format!("#<{}: {}>", class_name(ctx, recv), ctx.expect::<Str>(digest)?.to_lossy(ctx));
    Ok(Str::utf8(ctx, &text).value())
}

/// `digest == other`: a digest object with the same digest, or a String with its hexadecimal digits.
fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let instance = ctx.named_class("Digest::Instance")?.value();
    let (mine, theirs) = if ctx.is_a(other, instance) {
        (digest(ctx, recv, Args::none())?, digest(ctx, other, Args::none())?)
    } else {
        let mine = to_s(ctx, recv, Args::none())?;
        let Some(theirs) = ctx.check_str(other)? else { return Ok(Value::FALSE) };
        (mine, theirs.value())
    };
    let (mine, theirs) = (ctx.to_str(mine)?, ctx.to_str(theirs)?);
    Ok(Value::from_bool(mine.bytes(ctx) == theirs.bytes(ctx)))
}

/// `new -> digest`: one of the same kind that has taken nothing in.
fn new(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let copy = ctx.call_name(recv, "clone", &[])?;
    reset(ctx, copy)?;
    Ok(copy)
}

fn digest_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let digest = digest(ctx, recv, Args::none())?;
    Ok(Value::fixnum(ctx.to_str(digest)?.len() as i64))
}

fn length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.call_name(recv, "digest_length", &[])
}

/// `Digest::X.digest(string, *arguments of new) -> string`
fn class_digest(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if args.is_empty() {
        return Err(ctx.argument_error("no data given"));
    }
    let string = ctx.to_str(args.at(0))?;
    let object = ctx.allocate(class)?;
    let initialize = ctx.intern("initialize");
    ctx.call_args(object, initialize, args.from(1))?;
    let name = ctx.intern("digest");
    if base::is_plain(ctx, object) && ctx.is_builtin(object, name) {
        let bytes = base::digest_of(ctx, object, string)?;
        return Ok(binary(ctx, bytes));
    }
    ctx.call(object, name, &[string.value()])
}

/// `Digest::X.hexdigest(string, *arguments of new) -> string`
fn class_hexdigest(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.intern("digest");
    let digest = ctx.call_args(recv, name, args)?;
    in_hex(ctx, digest)
}
