//! Kernel: `Array()`, `Hash()` and `String()`.

use rubellite_vm::class::{Arity, MethodDef, method};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Ctx, Result, Tag, Value};

pub static FUNCTIONS: &[MethodDef] =
    &[method("Array", Arity::ONE, array), method("Hash", Arity::ONE, hash), method("String", Arity::ONE, string)];

/// `Array(object) -> array`
fn array(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let object = args.at(0);
    if let Some(list) = ctx.check_array(object)? {
        return Ok(list.value());
    }
    if object.is_nil() {
        return Ok(Array::new(ctx).value());
    }
    let name = ctx.names().to_a;
    match ctx.check_call(object, name, &[])? {
        Some(list) if list.has_tag(Tag::Array) => Ok(list),
        None | Some(Value::NIL) => Ok(Array::from_slice(ctx, &[object]).value()),
        Some(other) => Err(ctx.bad_conversion(object, other, "Array", "to_a")),
    }
}

/// `Hash(object) -> hash`
fn hash(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let object = args.at(0);
    let empty = object.is_nil() || Array::try_of(object).is_some_and(Array::is_empty);
    if empty {
        return Ok(Hash::new(ctx).value());
    }
    match ctx.check_hash(object)? {
        Some(hash) => Ok(hash.value()),
        None => {
            let class = ctx.real_class(object).inspect(ctx);
            Err(ctx.type_error(&format!("can't convert {class} into Hash")))
        }
    }
}

/// `String(object) -> string`
fn string(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let object = args.at(0);
    if let Some(text) = ctx.check_str(object)? {
        return Ok(text.value());
    }
    let name = ctx.names().to_s;
    match ctx.check_call(object, name, &[])? {
        Some(text) if text.has_tag(Tag::String) => Ok(text),
        Some(other) => Err(ctx.bad_conversion(object, other, "String", "to_s")),
        None => {
            let class = ctx.describe_for_conversion(object);
            Err(ctx.type_error(&format!("can't convert {class} into String")))
        }
    }
}
