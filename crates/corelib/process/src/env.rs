//! ENV: the environment of the process as a Hash-like object. What can be said with `fetch`-like natives is in
//! `env.rb`. The environment belongs to the process: the C library's functions are the truth.

use rubellite_core_text::{default_internal, encoding_object};
use rubellite_vm::object::{Array, Object, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Unwind, Value, method, primitive};
use std::ffi::{CStr, CString};

pub static ENVIRONMENT: ClassDef = ClassDef {
    name: "ENVObject__",
    superclass: "Object",
    setup: Some(setup),
    primitives: &[
        primitive("env_delete", Arity::exact(1), delete),
        primitive("string_convert", Arity::NONE, |ctx, recv: Value, _| Ok(ctx.to_str(recv)?.value())),
        primitive("hash_convert", Arity::NONE, |ctx, recv: Value, _| Ok(ctx.to_hash(recv)?.value())),
    ],
    ruby: include_str!("env.rb"),
    ..ClassDef::EMPTY
};

unsafe extern "C" {
    static environ: *const *const libc::c_char;
    fn tzset();
}

fn setup(ctx: &mut Ctx, _class: Class) -> Result<()> {
    let object = ctx.named_class("Object")?;
    let klass = object.value();
    let env = Object::new(ctx, klass, 0);
    let singleton = Class::singleton_class(ctx, env).ok_or(Unwind)?;
    let enumerable = ctx.named_class("Enumerable")?;
    singleton.include(ctx, enumerable).map_err(|_| Unwind)?;
    for def in [
        method("[]", Arity::exact(1), get),
        method("[]=", Arity::exact(2), set),
        method("store", Arity::exact(2), set),
        method("keys", Arity::NONE, keys),
        method("values", Arity::NONE, values),
        method("to_a", Arity::NONE, pairs),
        method("to_s", Arity::NONE, to_s),
    ] {
        ctx.define_native(singleton, &def);
    }
    object.set_const(ctx, "ENV", env);
    ctx.set_shareable(env);
    let name = ctx.intern("ENVObject__");
    object.remove_const(ctx, name);
    Ok(())
}

/// A name or value: a String without NUL in an ASCII-compatible encoding.
fn text(ctx: &mut Ctx, value: Value, what: &str) -> Result<CString> {
    let string = ctx.to_str(value)?;
    if !string.encoding().is_ascii_compatible() {
        let name = string.encoding().name();
        return Err(
            ctx.argument_error(&format!("bad environment variable {what}: ASCII incompatible encoding: {name}"))
        );
    }
    match CString::new(string.bytes(ctx)) {
        Ok(text) => Ok(text),
        Err(_) => Err(ctx.argument_error(&format!("bad environment variable {what}: contains null byte"))),
    }
}

/// A frozen String of a name or value, in the default internal encoding if there is one that has all its characters.
fn entry(ctx: &mut Ctx, bytes: &[u8]) -> Value {
    let mut string = Str::new(ctx, bytes, Encoding::UTF_8).value();
    if let Some(internal) = default_internal(ctx).filter(|to| *to != Encoding::UTF_8) {
        let object = encoding_object(ctx, internal);
        match ctx.call_name(string, "encode", &[object]) {
            Ok(encoded) => string = encoded,
            Err(_) => ctx.clear_pending(),
        }
    }
    if let Some(header) = string.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    string
}

/// getenv(3), copied.
pub fn lookup(name: &CStr) -> Option<Vec<u8>> {
    // SAFETY: the name is a C string; the value is copied before the lock is left, and only holders of a VM lock change
    // the environment.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        if value.is_null() { None } else { Some(CStr::from_ptr(value).to_bytes().to_vec()) }
    }
}

fn get(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = text(ctx, args.at(0), "name")?;
    Ok(match lookup(&name) {
        Some(value) => entry(ctx, &value),
        None => Value::NIL,
    })
}

fn set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.at(1).is_nil() {
        delete(ctx, recv, args)?;
        return Ok(Value::NIL);
    }
    let name = text(ctx, args.at(0), "name")?;
    let value = text(ctx, args.at(1), "value")?;
    if name.as_bytes().is_empty() || name.as_bytes().contains(&b'=') {
        let detail = format!("setenv({})", name.to_string_lossy());
        return Err(rubellite_core_object::errno::fail(ctx, libc::EINVAL, &detail));
    }
    // SAFETY: both are C strings; the lock is held.
    unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) };
    changed(ctx, &name);
    Ok(args.at(1))
}

/// Removes a variable; its old value or nil.
fn delete(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = text(ctx, args.at(0), "name")?;
    let old = match lookup(&name) {
        Some(value) => entry(ctx, &value),
        None => Value::NIL,
    };
    // SAFETY: a C string; the lock is held.
    unsafe { libc::unsetenv(name.as_ptr()) };
    changed(ctx, &name);
    Ok(old)
}

/// The C library keeps the time zone.
fn changed(ctx: &Ctx, name: &CStr) {
    if name == c"TZ" {
        ctx.vm().counts_leap_seconds.set(None);
        // SAFETY: a plain call.
        unsafe { tzset() };
    }
}

/// All variables as pairs of bytes.
pub fn all() -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut list = Vec::new();
    // SAFETY: environ is a null-terminated list of C strings, which only holders of a VM lock change.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            let bytes = CStr::from_ptr(*at).to_bytes();
            if let Some(eq) = bytes.iter().position(|b| *b == b'=') {
                list.push((bytes[..eq].to_vec(), bytes[eq + 1..].to_vec()));
            }
            at = at.add(1);
        }
    }
    list
}

fn keys(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for (name, _) in all() {
        let name = entry(ctx, &name);
        list.push(ctx, name);
    }
    Ok(list.value())
}

fn values(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for (_, value) in all() {
        let value = entry(ctx, &value);
        list.push(ctx, value);
    }
    Ok(list.value())
}

fn pairs(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for (name, value) in all() {
        let name = entry(ctx, &name);
        let value = entry(ctx, &value);
        let pair = Array::from_slice(ctx, &[name, value]);
        list.push(ctx, pair.value());
    }
    Ok(list.value())
}

fn to_s(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::utf8(ctx, "ENV").value())
}
