//! `digest`: MD5, SHA1, the SHA2 family, RMD160. The functions are crates'; large inputs are digested outside the lock.
//!
//! Digest::Instance is what every digest object can do, in terms of `update`, `finish` and `reset`; Digest::Base has
//! these for the functions here (`base.rs`). A program's own class derives from Digest::Class and defines them itself.

mod algorithm;
mod base;
mod bubblebabble;
mod instance;

use rubellite_core_load as load;
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Value, method};

pub fn register(ctx: &mut Ctx) {
    load::register_extension(ctx, "digest", install);
    for name in ["digest/md5", "digest/sha1", "digest/rmd160", "digest/sha2"] {
        load::register_extension(ctx, name, load_again);
    }
    load::register_extension(ctx, "digest/bubblebabble", |ctx| {
        load_again(ctx)?;
        bubblebabble::load(ctx)
    });
    load::register_for_older(ctx, "digest", load);
    load::register_for_older(ctx, "digest/version", load_again);
    load::register_for_older(ctx, "digest/md5", load_again);
    load::register_for_older(ctx, "digest/sha1", load_again);
    load::register_for_older(ctx, "digest/rmd160", load_again);
    load::register_for_older(ctx, "digest/sha2", |ctx| {
        load_again(ctx)?;
        ruby(ctx, include_str!("sha2.rb"))
    });
    load::register_for_older(ctx, "digest/bubblebabble", |ctx| {
        load_again(ctx)?;
        bubblebabble::load(ctx)
    });
}

static DIGEST: ClassDef = ClassDef {
    name: "Digest",
    superclass: "",
    module_functions: &[method("hexencode", Arity::ONE, hexencode)],
    ..ClassDef::EMPTY
};

/// The native half: all algorithms at once.
fn install(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&DIGEST)?;
    instance::load(ctx)?;
    base::load(ctx)
}

/// The whole library but Digest::SHA2, which `digest/sha2` makes.
fn load(ctx: &mut Ctx) -> Result<()> {
    install(ctx)?;
    let version = Str::utf8(ctx, "3.2.1").value();
    ctx.named_class("Digest")?.set_const(ctx, "VERSION", version);
    ruby(ctx, include_str!("digest.rb"))
}

/// `require "digest"`
fn load_again(ctx: &mut Ctx) -> Result<()> {
    let main = ctx.named_class("Object")?.value();
    let name = Str::utf8(ctx, "digest").value();
    ctx.call_name(main, "require", &[name])?;
    Ok(())
}

fn ruby(ctx: &mut Ctx, source: &str) -> Result<()> {
    ctx.run_internal(source, "digest")?;
    Ok(())
}

/// `Digest.hexencode(string) -> string`
fn hexencode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let string = ctx.to_str(args.at(0))?;
    Ok(hex(ctx, string))
}

/// The bytes in hexadecimal.
fn hex(ctx: &mut Ctx, string: Str) -> Value {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let text: Vec<u8> =
        string.bytes(ctx).iter().flat_map(|b| [DIGITS[(b >> 4) as usize], DIGITS[(b & 15) as usize]]).collect();
    Str::from_vec(ctx, text, Encoding::US_ASCII).value()
}

/// The name of an object's class.
fn class_name(ctx: &Ctx, object: Value) -> String {
    let class: Class = ctx.real_class(object);
    class.inspect(ctx)
}
