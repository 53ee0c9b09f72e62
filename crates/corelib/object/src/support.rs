//! Small helpers that several classes of this part share: results as strings and symbol lists, checks of arguments.

use rubellite_vm::class::Class;
use rubellite_vm::object::{Array, Str, hashing};
use rubellite_vm::{Ctx, Encoding, Result, Sym, Value};

/// A new UTF-8 String.
pub fn string(ctx: &mut Ctx, text: &str) -> Value {
    Str::utf8(ctx, text).value()
}

/// The Array of a file and a line. The name of a file is one String, however often it is asked for.
pub fn location(ctx: &mut Ctx, file: &str, line: i32) -> Value {
    let file = ctx.interned_bytes(file.as_bytes(), Encoding::UTF_8).value();
    Array::from_slice(ctx, &[file, Value::fixnum(line as i64)]).value()
}

/// An Array of symbols.
pub fn symbol_list(ctx: &mut Ctx, names: &[Sym]) -> Value {
    let list = Array::with_capacity(ctx, names.len());
    for name in names {
        list.push(ctx, Value::symbol(*name));
    }
    list.value()
}

/// An Array of values that something else keeps alive.
pub fn value_list(ctx: &mut Ctx, values: &[Value]) -> Value {
    Array::from_slice(ctx, values).value()
}

/// An Array of classes and modules that something else keeps alive.
pub fn class_list(ctx: &mut Ctx, classes: &[Class]) -> Value {
    let list = Array::with_capacity(ctx, classes.len());
    for class in classes {
        list.push(ctx, class.value());
    }
    list.value()
}

/// The identity hash of an object, as `Kernel#hash` gives it.
pub fn identity_hash(ctx: &Ctx, value: Value) -> Value {
    let hash = hashing::hash_word(ctx.hash_seed(), value.bits());
    if value.is_immediate() { ctx.hash_number(hash) } else { Value::fixnum((hash as i64) >> 2) }
}

/// A hash value made of words.
pub fn combined_hash(ctx: &Ctx, words: &[u64]) -> Value {
    let seed = ctx.hash_seed();
    let hash = words.iter().fold(words.len() as u64, |hash, word| hashing::hash_combine(seed, hash, *word));
    Value::fixnum((hash as i64) >> 2)
}

/// The class or module, or TypeError "class or module required".
pub fn class_or_module(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value) {
        Some(class) => Ok(class),
        None => Err(ctx.type_error("class or module required")),
    }
}

/// Whether the object's frozen bit is set; immediates always are.
pub fn is_frozen(value: Value) -> bool {
    value.header().is_none_or(|h| h.frozen())
}

/// "wrong argument type X (expected Y)"
pub fn wrong_type(ctx: &mut Ctx, value: Value, expected: &str) -> rubellite_vm::Unwind {
    let class = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("wrong argument type {class} (expected {expected})"))
}

/// Whether `name` is an instance variable's name.
pub fn is_ivar_name(name: &[u8]) -> bool {
    name.strip_prefix(b"@").is_some_and(is_identifier)
}

/// Whether `name` is a class variable's name.
pub fn is_cvar_name(name: &[u8]) -> bool {
    name.strip_prefix(b"@@").is_some_and(is_identifier)
}

/// Whether `name` is a local variable's name.
pub fn is_local_name(name: &[u8]) -> bool {
    is_identifier(name) && !Encoding::UTF_8.begins_with_capital(name)
}

/// Whether `name` is a constant's name.
pub fn is_const_name(name: &[u8], encoding: Encoding) -> bool {
    // In some encodings an ASCII byte ends other characters.
    let plain = encoding.is_utf8_family() || encoding.is_single_byte();
    let identifier = match plain {
        true => is_identifier(name),
        false => encoding.chars(name).all(|c| c.len() > 1 || is_word(c[0])),
    };
    identifier && encoding.is_ascii_compatible() && encoding.begins_with_capital(name)
}

/// Whether a Symbol is a constant's name.
pub fn is_const_symbol(ctx: &Ctx, name: Sym) -> bool {
    is_const_name(ctx.sym_bytes(name), ctx.sym_encoding(name))
}

fn is_identifier(name: &[u8]) -> bool {
    !name.is_empty() && !name[0].is_ascii_digit() && name.iter().copied().all(is_word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// A NameError about a name as the program gave it, Symbol or String.
#[cold]
pub fn name_error_for(ctx: &mut Ctx, message: &str, receiver: Value, name: Value) -> rubellite_vm::Unwind {
    let class = ctx.error_class("NameError");
    let exception = ctx.new_error(class, message);
    for (key, value) in [("__receiver", receiver), ("__name", name)] {
        let key = ctx.internal(key);
        ctx.ivar_set(exception, key, value);
    }
    ctx.raise(exception)
}

/// The string of a receiver, ready to be changed: frozen ones raise, chilled ones warn and thaw.
#[inline]
pub fn modify_string(ctx: &mut Ctx, s: Str) -> Result<Str> {
    if s.guarded() {
        ctx.check_frozen(s.value())?;
    }
    Ok(s)
}
