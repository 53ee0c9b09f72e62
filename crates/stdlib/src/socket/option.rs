//! Small helpers of `Socket::Option` and `Socket::AncillaryData`, whose methods are in `option.rb`: names and numbers.

use super::{address, constants, message};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, Ctx, PrimitiveDef, Result, Value, primitive};

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("socket_option_family", Arity::exact(1), |c, _: Value, a| {
        number(c, a, |c, a| constants::family(c, a.at(0)))
    }),
    primitive("socket_option_level", Arity::exact(2), |c, _: Value, a| {
        number(c, a, |c, a| family(c, a).and_then(|f| constants::level(c, f, a.at(1))))
    }),
    primitive("socket_option_option", Arity::exact(3), |c, _: Value, a| {
        number(c, a, |c, a| named(c, a, constants::option_name))
    }),
    primitive("socket_option_message", Arity::exact(3), |c, _: Value, a| {
        number(c, a, |c, a| named(c, a, constants::message_type))
    }),
    primitive("socket_option_family_name", Arity::exact(1), family_name),
    primitive("socket_option_level_name", Arity::exact(2), level_name),
    primitive("socket_option_option_name", Arity::exact(3), option_name),
    primitive("socket_option_message_name", Arity::exact(3), message_name),
    primitive("socket_option_socktype_name", Arity::exact(1), socktype_name),
    primitive("socket_option_error_text", Arity::exact(1), error_text),
    primitive("socket_option_interface", Arity::exact(1), interface),
    primitive("socket_option_descriptor", Arity::exact(1), descriptor),
];

/// The option with these bytes: its family, level and name are known numbers.
pub fn make(ctx: &mut Ctx, numbers: [i32; 3], data: Value) -> Result {
    let class = ctx.named_class("Socket::Option")?;
    let option = ctx.allocate(class)?;
    for (name, number) in ["@family", "@level", "@optname"].into_iter().zip(numbers) {
        let name = ctx.intern(name);
        ctx.ivar_set(option, name, Value::fixnum(number as i64));
    }
    let name = ctx.intern("@data");
    ctx.ivar_set(option, name, data);
    Ok(option)
}

fn number(ctx: &mut Ctx, args: Args, find: fn(&mut Ctx, Args) -> Result<i32>) -> Result {
    Ok(Value::fixnum(find(ctx, args)? as i64))
}

fn family(ctx: &mut Ctx, args: Args) -> Result<i32> {
    ctx.to_c_int(args.at(0))
}

fn named(ctx: &mut Ctx, args: Args, find: fn(&mut Ctx, i32, i32, Value) -> Result<i32>) -> Result<i32> {
    let (family, level) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?);
    find(ctx, family, level, args.at(2))
}

fn text(ctx: &mut Ctx, name: Option<&str>) -> Value {
    name.map_or(Value::NIL, |name| Str::ascii(ctx, name).value())
}

fn family_name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let family = ctx.to_int(args.at(0))?;
    Ok(text(ctx, constants::short_name("AF_", family)))
}

/// The name of a level of IP sockets.
fn level_name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (family, level) = (ctx.to_c_int(args.at(0))?, ctx.to_int(args.at(1))?);
    if level == libc::SOL_SOCKET as i64 {
        return Ok(text(ctx, Some("SOCKET")));
    }
    let name = if constants::is_ip(family) { constants::short_name("IPPROTO_", level) } else { None };
    let name = if level == 0 && name.is_some() { Some("IP") } else { name };
    Ok(text(ctx, name))
}

fn option_name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (family, level) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?);
    let option = ctx.to_int(args.at(2))?;
    let prefix = constants::option_prefix(family, level);
    Ok(text(ctx, prefix.and_then(|(prefix, _)| constants::short_name(prefix, option))))
}

fn message_name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (family, level) = (ctx.to_c_int(args.at(0))?, ctx.to_c_int(args.at(1))?);
    let kind = ctx.to_int(args.at(2))?;
    let prefix = constants::message_prefix(family, level);
    Ok(text(ctx, prefix.and_then(|(prefix, _)| constants::short_name(prefix, kind))))
}

fn socktype_name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let kind = ctx.to_int(args.at(0))?;
    Ok(text(ctx, constants::full_name("SOCK_", kind)))
}

fn error_text(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let number = ctx.to_c_int(args.at(0))?;
    let text = rubellite_core_object::errno::text(number);
    Ok(Str::utf8(ctx, &text).value())
}

/// The name of an interface by its index, nil when there is none.
fn interface(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let index = ctx.to_int(args.at(0))?;
    let name = address::interface_name(index as u32);
    Ok(if name.starts_with("ifindex") { Value::NIL } else { Str::utf8(ctx, &name).value() })
}

fn descriptor(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(message::descriptor_of(ctx, args.at(0))? as i64))
}
