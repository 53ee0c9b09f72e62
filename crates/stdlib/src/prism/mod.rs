//! `prism/prism`: the native half of the `prism` gem. The parser and its format are the crate `rubellite-prism`, the
//! gem's own Ruby code makes objects of the bytes. Long sources are parsed outside the lock.

use rubellite_core_thread::apart;
use rubellite_prism::{Options, Query, Scope, VERSION, Version, Wanted, query, serialize, valid};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, PrimitiveDef, Result, Value, primitive};

/// The parser does not stop by itself: long sources have a thread of their own, with so many bytes of stack.
const STACK: usize = 8 << 20;

const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("prism_serialize", Arity::exact(2), prism_serialize),
    primitive("prism_valid", Arity::exact(1), prism_valid),
    primitive("prism_query", Arity::exact(1), prism_query),
    primitive("prism_version", Arity::NONE, prism_version),
];

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register_extension(ctx, "prism/prism", |ctx| {
        ctx.define_primitives(PRIMITIVES);
        ctx.run_internal(include_str!("prism.rb"), "prism").map(drop)
    });
}

/// `prism_serialize(source, wanted, options) -> String`: the tree, the tokens, both, or what else is known of the
/// source, by number.
fn prism_serialize(ctx: &mut Ctx, source: Str, args: Args) -> Result {
    let wanted = match args.at(0).as_fixnum() {
        Some(0) => Wanted::Tree,
        Some(1) => Wanted::Tokens,
        Some(2) => Wanted::TreeAndTokens,
        _ => Wanted::Facts,
    };
    let options = options(ctx, args.at(1))?;
    match apart::on_bytes(ctx, source, "prism", STACK, move |source| serialize(source, &options, wanted))? {
        Some(bytes) => Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value()),
        None => Err(ctx.no_memory()),
    }
}

/// `prism_valid(source, options) -> true or false`
fn prism_valid(ctx: &mut Ctx, source: Str, args: Args) -> Result {
    let options = options(ctx, args.at(0))?;
    match apart::on_bytes(ctx, source, "prism", STACK, move |source| valid(source, &options))? {
        Some(valid) => Ok(Value::from_bool(valid)),
        None => Err(ctx.no_memory()),
    }
}

/// `prism_query(name, kind) -> true, false or nil`: whether the name is a local variable's, a constant's or a method's.
fn prism_query(ctx: &mut Ctx, name: Str, args: Args) -> Result {
    let kind = match args.at(0).as_fixnum() {
        Some(0) => Query::Local,
        Some(1) => Query::Constant,
        _ => Query::MethodName,
    };
    Ok(query(kind, name.bytes(ctx), name.encoding().name()).map_or(Value::NIL, Value::from_bool))
}

fn prism_version(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::ascii(ctx, VERSION).value())
}

/// The options as `prism.rb` lists them.
fn options(ctx: &mut Ctx, list: Value) -> Result<Options> {
    let list: Array = ctx.expect(list)?;
    let at = |index| list.get(index).unwrap_or(Value::NIL);
    let scopes: Array = ctx.expect(at(9))?;
    Ok(Options {
        filepath: bytes(ctx, at(0)),
        line: at(1).as_fixnum().unwrap_or(1) as i32,
        encoding: bytes(ctx, at(2)),
        encoding_locked: at(3).truthy(),
        frozen_string_literal: (!at(4).is_nil()).then(|| at(4).truthy()),
        command_line: at(5).as_fixnum().unwrap_or(0) as u8,
        version: match at(6).as_fixnum() {
            Some(1) => Version::Ruby33,
            Some(2) => Version::Ruby34,
            _ => Version::Ruby40,
        },
        main_script: at(7).truthy(),
        partial_script: at(8).truthy(),
        scopes: scopes.slice(ctx).iter().map(|scope| self::scope(ctx, *scope)).collect(),
    })
}

/// A scope, as a number and the names of its locals.
fn scope(ctx: &Ctx, list: Value) -> Scope {
    let parts = Array::try_of(list).map_or(&[][..], |list| list.slice(ctx));
    let (Some(forwarding), locals) = (parts.first(), parts.get(1..).unwrap_or_default()) else {
        return Scope::default();
    };
    Scope {
        forwarding: forwarding.as_fixnum().unwrap_or(0) as u8,
        locals: locals.iter().map(|local| bytes(ctx, *local)).collect(),
    }
}

fn bytes(ctx: &Ctx, string: Value) -> Vec<u8> {
    Str::try_of(string).map_or_else(Vec::new, |string| string.bytes(ctx).to_vec())
}
