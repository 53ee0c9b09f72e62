//! Kernel: identity, class and text of objects.

use super::super::support::{class_or_module, identity_hash, is_frozen, string};
use rubellite_vm::class::{Arity, MethodDef, method, private_method};
use rubellite_vm::object::{Array, Str, TempArray};
use rubellite_vm::{Args, Ctx, Encoding, Result, Tag, Value};

pub static METHODS: &[MethodDef] = &[
    method("class", Arity::NONE, class).leaf(0),
    method("singleton_class", Arity::NONE, singleton_class),
    method("frozen?", Arity::NONE, frozen_p).leaf(0),
    method("nil?", Arity::NONE, nil_p).leaf(0),
    method("===", Arity::ONE, op_case_eq),
    method("!~", Arity::ONE, op_not_match),
    method("eql?", Arity::ONE, eql_p).leaf(1),
    method("<=>", Arity::ONE, op_cmp),
    method("hash", Arity::NONE, hash),
    method("object_id", Arity::NONE, object_id),
    method("itself", Arity::NONE, itself).leaf(0),
    method("to_s", Arity::NONE, to_s),
    method("inspect", Arity::NONE, inspect),
    private_method("instance_variables_to_inspect", Arity::NONE, variables_to_inspect),
    method("is_a?", Arity::ONE, is_a_p),
    method("kind_of?", Arity::ONE, is_a_p),
    method("instance_of?", Arity::ONE, instance_of_p),
    method("extend", Arity::ANY, extend),
];

/// `class -> class`
fn class(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.real_class(recv).value())
}

/// `singleton_class -> class`
fn singleton_class(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.open_singleton(recv)?.value())
}

/// `frozen? -> true or false`
fn frozen_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(is_frozen(recv)))
}

/// `nil? -> false`
fn nil_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(recv.is_nil()))
}

/// `object === other -> true or false`: identity or `==`.
fn op_case_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if recv == other {
        return Ok(Value::TRUE);
    }
    let name = ctx.names().op_eq;
    Ok(Value::from_bool(ctx.call(recv, name, &[other])?.truthy()))
}

/// `object !~ other -> true or false`
fn op_not_match(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.names().op_match;
    Ok(Value::from_bool(!ctx.call(recv, name, &[args.at(0)])?.truthy()))
}

/// `eql?(other) -> true or false`
fn eql_p(_ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(recv == args.at(0)))
}

/// `object <=> other -> 0 or nil`
fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let equal = recv == other || ctx.equal(recv, other)?;
    Ok(if equal { Value::fixnum(0) } else { Value::NIL })
}

/// `hash -> integer`
fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(identity_hash(ctx, recv))
}

/// `object_id -> integer`
pub fn object_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let id = ctx.object_id(recv);
    Ok(ctx.int(id))
}

/// `itself -> self`
fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

/// `to_s -> string`
fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = ctx.any_to_s(recv);
    Ok(string(ctx, &text))
}

/// `inspect -> string`: class, address and instance variables.
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let head = ctx.any_to_s(recv);
    let pairs = inspected_pairs(ctx, recv)?;
    if pairs.is_empty() {
        return Ok(string(ctx, &head));
    }
    // Inspecting one variable may change another: the list is kept apart from the object.
    let kept = TempArray::new(ctx);
    for (_, value) in &pairs {
        kept.push(ctx, *value);
    }
    let operation = ctx.names().inspect;
    let short = head.clone();
    let result = ctx.guard_recursion(
        operation,
        recv,
        Value::NIL,
        |ctx| Ok(string(ctx, &format!("{} ...>", &short[..short.len() - 1]))),
        |ctx| inspect_pairs(ctx, &head, &pairs),
    );
    std::hint::black_box(kept);
    result
}

/// Names and values that `inspect` shows: those that `instance_variables_to_inspect` names, all by default.
// tidy: `inspect` roots them before it runs Ruby code on them
fn inspected_pairs(ctx: &mut Ctx, recv: Value) -> Result<Vec<(rubellite_vm::Sym, Value)>> {
    let all: Vec<_> = visible_pairs(ctx, recv);
    let chooser = ctx.intern("instance_variables_to_inspect");
    let chooses = ctx.dispatch_class(recv).find_method(ctx, chooser).method.is_some();
    if all.is_empty() || !chooses || ctx.is_builtin(recv, chooser) {
        return Ok(all);
    }
    let chosen = ctx.call(recv, chooser, &[])?;
    match chosen {
        Value::NIL => Ok(all),
        _ => match Array::try_of(chosen) {
            Some(list) => {
                Ok(all.into_iter().filter(|(name, _)| list.contains_identical(ctx, Value::symbol(*name))).collect())
            }
            None => {
                let class = ctx.describe_for_conversion(chosen);
                Err(ctx.type_error(&format!(
                    "Expected #instance_variables_to_inspect to return an Array or nil, but it returned {class}"
                )))
            }
        },
    }
}

/// Variables that programs can name; the runtime keeps others under internal symbols and names without "@".
// tidy: the object keeps its variables; callers root what outlives that
pub fn visible_pairs(ctx: &Ctx, recv: Value) -> Vec<(rubellite_vm::Sym, Value)> {
    ctx.ivar_pairs(recv)
        .into_iter()
        .filter(|(name, _)| ctx.sym_bytes(*name).starts_with(b"@") && !ctx.is_internal_symbol(*name))
        .collect()
}

fn inspect_pairs(ctx: &mut Ctx, head: &str, pairs: &[(rubellite_vm::Sym, Value)]) -> Result {
    let out = Str::new(ctx, &head.as_bytes()[..head.len() - 1], Encoding::UTF_8);
    for (i, (name, value)) in pairs.iter().enumerate() {
        let label = format!("{}{}=", if i == 0 { " " } else { ", " }, ctx.sym_str(*name));
        out.append(ctx, label.as_bytes());
        let text = ctx.inspect_str(*value)?;
        let bytes = text.bytes(ctx).to_vec();
        out.append(ctx, &bytes);
    }
    out.append(ctx, b">");
    Ok(out.value())
}

/// `instance_variables_to_inspect -> array or nil`: nil means all.
fn variables_to_inspect(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

/// `is_a?(module) -> true or false`
fn is_a_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let module = class_or_module(ctx, args.at(0))?;
    Ok(Value::from_bool(ctx.is_a(recv, module.value())))
}

/// `instance_of?(class) -> true or false`
fn instance_of_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = class_or_module(ctx, args.at(0))?;
    Ok(Value::from_bool(ctx.real_class(recv) == class))
}

/// `extend(module, ...) -> self`
fn extend(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.is_empty() {
        return Err(ctx.argument_error("wrong number of arguments (given 0, expected 1+)"));
    }
    for module in args.slice() {
        super::super::module::check_includable(ctx, *module, "extend")?;
    }
    let (extend_object, extended) = (ctx.names().extend_object, ctx.names().extended);
    for module in args.slice().iter().rev() {
        debug_assert!(module.has_tag(Tag::Module));
        ctx.call(*module, extend_object, &[recv])?;
        ctx.call(*module, extended, &[recv])?;
    }
    Ok(recv)
}
