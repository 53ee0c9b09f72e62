//! Binding: local variables, self and evaluation of a place in the program.

use super::support::{is_local_name, location, symbol_list};
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::code::Code;
use rubellite_vm::object::binding::{env_names, scope_codes};
use rubellite_vm::object::{Binding, BindingParts, Cref, Env, Home};
use rubellite_vm::{Args, Ctx, Result, Sym, Tag, Value};

pub static BINDING: ClassDef = ClassDef {
    name: "Binding",
    methods: &[
        method("eval", Arity::range(1, 3), eval),
        method("local_variables", Arity::NONE, local_variables),
        method("local_variable_get", Arity::ONE, local_variable_get),
        method("local_variable_set", Arity::exact(2), local_variable_set),
        method("local_variable_defined?", Arity::ONE, local_variable_defined_p),
        method("implicit_parameters", Arity::NONE, implicit_parameters),
        method("implicit_parameter_get", Arity::ONE, implicit_parameter_get),
        method("implicit_parameter_defined?", Arity::ONE, implicit_parameter_defined_p),
        method("receiver", Arity::NONE, receiver),
        method("source_location", Arity::NONE, source_location),
        method("dup", Arity::NONE, dup),
        method("clone", Arity::NONE, dup),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};

/// A binding without local variables in which self is `object`. `code` and `line`: whose place it has, if any.
pub fn of_object(ctx: &mut Ctx, object: Value, code: Option<(Code, i32)>) -> Value {
    let module = ctx.classes().object.get();
    let cref = Cref::new(ctx, module, Value::NIL, false);
    let nothing = Value::NIL;
    let parts = BindingParts {
        self_value: object,
        env: nothing,
        scopes: nothing,
        cref,
        method: nothing,
        block: nothing,
        pos: 0,
        line: code.map_or(1, |(_, line)| line as _),
        code: code.map_or(nothing, |(code, _)| code.value()),
        home: Home::NONE,
    };
    let class = ctx.classes().binding.get();
    Binding::new(ctx, class, parts).value()
}

/// `eval(string, file, line) -> object`
fn eval(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    eval_in(ctx, binding, args.at(0), args.get(1), args.get(2), true)
}

/// Evaluates source in a binding. `keeps_using`: it is a program's own, and `using` holds for its later
/// evals.
pub fn eval_in(
    ctx: &mut Ctx,
    binding: Binding,
    source: Value,
    file: Option<Value>,
    line: Option<Value>,
    keeps_using: bool,
) -> Result {
    let source = ctx.to_str(source)?;
    super::module::evaluation::check_source(ctx, source)?;
    let (path, line) = super::module::evaluation::eval_place(ctx, file, line)?;
    let (bytes, encoding) = (source.bytes(ctx).to_vec(), source.encoding());
    ctx.eval_keeping_using(binding, &bytes, &path, line, encoding, keeps_using)
}

fn local_variables(ctx: &mut Ctx, binding: Binding, _args: Args) -> Result {
    let names: Vec<Sym> = ctx.binding_locals(binding).into_iter().map(|(name, _)| name).collect();
    Ok(symbol_list(ctx, &names))
}

/// Names and values of `_1`, `_2` ... or `it` of the block in which the binding was made.
// tidy: values of an environment that the binding keeps
fn implicit(ctx: &mut Ctx, binding: Binding) -> Vec<(Sym, Value)> {
    let parts = binding.parts();
    let own = scope_codes(ctx, parts.scopes)
        .first()
        .copied()
        .filter(|c| parts.code.has_tag(Tag::Code) && c.value() == parts.code);
    let (Some(code), Some(env)) = (own, Env::try_of(parts.env)) else { return Vec::new() };
    let mut found = Vec::new(); // tidy: values of an environment that the binding keeps
    for (slot, name) in env_names(code.iseq()).iter().enumerate() {
        let name: &[u8] = if *name.bytes() == *b"%it" { b"it" } else { name.bytes() };
        if name == b"it" && *env_names(code.iseq())[slot].bytes() == *b"%it" || is_numbered(name) {
            found.push((ctx.intern_bytes(name, rubellite_vm::Encoding::US_ASCII), env.get(slot)));
        }
    }
    found
}

/// `_1` to `_9`
fn is_numbered(name: &[u8]) -> bool {
    matches!(name, [b'_', b'1'..=b'9'])
}

/// A name that implicit parameters have: "'x' is not an implicit parameter" otherwise.
fn implicit_name(ctx: &mut Ctx, recv: Value, name: Value) -> Result<Sym> {
    let sym = ctx.to_symbol(name)?;
    let bytes = ctx.sym_bytes(sym);
    if bytes != b"it" && !is_numbered(bytes) {
        let text = ctx.sym_str(sym);
        return Err(ctx.name_error("NameError", &format!("'{text}' is not an implicit parameter"), recv, sym));
    }
    Ok(sym)
}

/// `implicit_parameters -> array`
fn implicit_parameters(ctx: &mut Ctx, binding: Binding, _args: Args) -> Result {
    let names: Vec<Sym> = implicit(ctx, binding).into_iter().map(|(name, _)| name).collect();
    Ok(symbol_list(ctx, &names))
}

/// `implicit_parameter_get(name) -> object`
fn implicit_parameter_get(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    let name = implicit_name(ctx, binding.value(), args.at(0))?;
    match implicit(ctx, binding).into_iter().find(|(n, _)| *n == name) {
        Some((_, value)) => Ok(value),
        None => {
            let (text, target) = (ctx.sym_str(name), ctx.inspect(binding.value())?);
            Err(ctx.name_error(
                "NameError",
                &format!("implicit parameter '{text}' is not defined for {target}"),
                binding.value(),
                name,
            ))
        }
    }
}

/// `implicit_parameter_defined?(name) -> true or false`
fn implicit_parameter_defined_p(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    let name = implicit_name(ctx, binding.value(), args.at(0))?;
    Ok(Value::from_bool(implicit(ctx, binding).iter().any(|(n, _)| *n == name)))
}

fn variable_name(ctx: &mut Ctx, recv: Value, name: Value) -> Result<Sym> {
    let sym = ctx.to_symbol(name)?;
    if is_numbered(ctx.sym_bytes(sym)) {
        let text = ctx.sym_str(sym);
        return Err(ctx.name_error(
            "NameError",
            &format!("numbered parameter '{text}' is not a local variable"),
            recv,
            sym,
        ));
    }
    if !is_local_name(ctx.sym_bytes(sym)) {
        let (text, target) = (ctx.sym_str(sym), ctx.inspect(recv)?);
        return Err(ctx.name_error(
            "NameError",
            &format!("wrong local variable name '{text}' for {target}"),
            recv,
            sym,
        ));
    }
    Ok(sym)
}

/// `local_variable_get(name) -> object`
fn local_variable_get(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    let name = variable_name(ctx, binding.value(), args.at(0))?;
    match ctx.binding_locals(binding).into_iter().find(|(n, _)| *n == name) {
        Some((_, value)) => Ok(value),
        None => {
            let (text, target) = (ctx.sym_str(name), ctx.inspect(binding.value())?);
            Err(ctx.name_error(
                "NameError",
                &format!("local variable '{text}' is not defined for {target}"),
                binding.value(),
                name,
            ))
        }
    }
}

/// `local_variable_set(name, object) -> object`: defines the variable in the binding when it is new.
fn local_variable_set(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    let name = variable_name(ctx, binding.value(), args.at(0))?;
    if !ctx.binding_local_set(binding, name, args.at(1)) {
        ctx.binding_local_define(binding, name, args.at(1))?;
    }
    Ok(args.at(1))
}

fn local_variable_defined_p(ctx: &mut Ctx, binding: Binding, args: Args) -> Result {
    let name = variable_name(ctx, binding.value(), args.at(0))?;
    Ok(Value::from_bool(ctx.binding_locals(binding).iter().any(|(n, _)| *n == name)))
}

fn receiver(_ctx: &mut Ctx, binding: Binding, _args: Args) -> Result {
    Ok(binding.parts().self_value)
}

/// `source_location -> [file, line]`
fn source_location(ctx: &mut Ctx, binding: Binding, _args: Args) -> Result {
    let parts = binding.parts();
    let path = Code::try_of(parts.code).map_or("(binding)".to_string(), |code| code.iseq().script.path.clone());
    Ok(location(ctx, &path, parts.line as i32))
}

/// A binding of the same variables; variables defined in the copy stay there.
fn dup(ctx: &mut Ctx, binding: Binding, _args: Args) -> Result {
    let class = ctx.real_class(binding.value()).value();
    let copy = Binding::new(ctx, class, binding.parts()).value();
    ctx.ivar_copy(binding.value(), copy);
    super::runtime::copy_finalizers(ctx, binding.value(), copy);
    if ctx.callee_name() == Some(ctx.names().clone) {
        super::kernel::copy_singleton(ctx, binding.value(), copy)?;
        if super::support::is_frozen(binding.value()) {
            super::exception::frozen(copy);
        }
    }
    Ok(copy)
}
