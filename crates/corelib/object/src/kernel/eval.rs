//! Kernel: `eval`, `binding`, `caller` and what else asks about the calling code.

use super::super::exception::backtrace::{self, Level};
use super::super::support::{string, symbol_list};
use super::super::{binding as binding_class, module};
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::object::{Binding, BindingParts, MatchData, Range};
use rubellite_vm::{Args, Ctx, Result, Sym, Value};

pub static FUNCTIONS: &[MethodDef] = &[
    method("eval", Arity::range(1, 4), eval),
    method("binding", Arity::NONE, binding),
    method("local_variables", Arity::NONE, local_variables),
    method("global_variables", Arity::NONE, global_variables),
    method("caller", Arity::range(0, 2), caller),
    method("caller_locations", Arity::range(0, 2), caller_locations),
    method("__method__", Arity::NONE, method_name),
    method("__callee__", Arity::NONE, callee_name),
    method("__dir__", Arity::NONE, dir),
    method("trace_var", Arity::range(1, 2), trace_var),
    method("untrace_var", Arity::range(1, 2), untrace_var),
    method("autoload", Arity::exact(2), autoload),
    method("autoload?", Arity::range(1, 2), autoload_p),
];

/// `eval(string, binding = nil, file, line) -> object`
fn eval(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let scope = match args.non_nil(1) {
        Some(given) => match Binding::try_of(given) {
            Some(binding) => binding,
            None => return Err(super::super::support::wrong_type(ctx, given, "binding")),
        },
        None => match ctx.caller_binding() {
            // `Kernel.eval` has a self of its own.
            Some(binding) if recv != binding.parts().self_value => {
                let class = ctx.classes().binding.get();
                Binding::new(ctx, class, BindingParts { self_value: recv, ..binding.parts() })
            }
            Some(binding) => binding,
            None => return Ok(Value::NIL),
        },
    };
    let keeps_using = args.non_nil(1).is_some();
    binding_class::eval_in(ctx, scope, args.at(0), args.get(2), args.get(3), keeps_using)
}

/// `binding -> binding`
fn binding(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    if ctx.ruby_frame().is_some() && ctx.called_by_native() {
        return Err(ctx.runtime_error("Cannot create Binding object for non-Ruby caller"));
    }
    match ctx.caller_binding() {
        Some(binding) => Ok(binding.value()),
        None => Err(ctx.runtime_error("Can't create Binding Object on top of Fiber.")),
    }
}

/// `local_variables -> array`
fn local_variables(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let Some(binding) = ctx.caller_binding() else { return Ok(symbol_list(ctx, &[])) };
    let names: Vec<Sym> = ctx.binding_locals(binding).into_iter().map(|(name, _)| name).collect();
    Ok(symbol_list(ctx, &names))
}

/// `global_variables -> array`
fn global_variables(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let mut names = ctx.global_names();
    // Of the numbered ones those that have a value.
    if let Some(found) = MatchData::try_of(ctx.last_match()) {
        for group in 1..found.spans(ctx).len() {
            if found.group(ctx, group).is_some() {
                names.push(ctx.intern_str(&format!("${group}")));
            }
        }
    }
    Ok(symbol_list(ctx, &names))
}

/// The levels that `caller(start = 1, length = nil)` or `caller(range)` asks for; none beyond the end of the stack.
fn selected(ctx: &mut Ctx, args: Args) -> Result<Option<Vec<Level>>> {
    // The first level is the native method itself.
    let all = ctx.positions(1, usize::MAX);
    let depth = all.len() as i64;
    if let (Some(range), true) = (args.get(0).and_then(Range::try_of), args.len() == 1) {
        let begin = if range.begin().is_nil() { 0 } else { ctx.to_int(range.begin())? };
        let end = if range.end().is_nil() { -1 } else { ctx.to_int(range.end())? };
        let begin = if begin < 0 { begin + depth } else { begin };
        let mut end = if end < 0 { end + depth } else { end };
        if range.exclude_end() && !range.end().is_nil() {
            end -= 1;
        }
        if begin < 0 || begin > depth {
            return Ok(None);
        }
        let count = (end - begin + 1).clamp(0, depth - begin) as usize;
        return Ok(Some(backtrace::levels_within(ctx, &all, begin as usize..begin as usize + count)));
    }
    let start = match args.get(0) {
        Some(level) => ctx.to_int(level)?,
        None => 1,
    };
    if start < 0 {
        return Err(ctx.argument_error(&format!("negative level ({start})")));
    }
    let length = match args.non_nil(1) {
        Some(length) => ctx.to_int(length)?,
        None => i64::MAX,
    };
    if length < 0 {
        return Err(ctx.argument_error(&format!("negative size ({length})")));
    }
    if length == 0 {
        return Ok(Some(Vec::new()));
    }
    if start > depth {
        return Ok(None);
    }
    let count = length.min(depth - start) as usize;
    Ok(Some(backtrace::levels_within(ctx, &all, start as usize..start as usize + count)))
}

/// `caller(start = 1, length = nil) -> array or nil`
fn caller(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(match selected(ctx, args)? {
        Some(levels) => backtrace::level_strings(ctx, levels),
        None => Value::NIL,
    })
}

/// `caller_locations(start = 1, length = nil) -> array or nil`
fn caller_locations(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(match selected(ctx, args)? {
        Some(levels) => backtrace::level_locations(ctx, levels),
        None => Value::NIL,
    })
}

/// `__method__ -> symbol or nil`: the name that the method was defined with.
fn method_name(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.caller_method().map_or(Value::NIL, |m| Value::symbol(m.resolved().name())))
}

/// `__callee__ -> symbol or nil`: the name that the method was called by.
fn callee_name(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.called_name().map_or(Value::NIL, Value::symbol))
}

/// `__dir__ -> string or nil`
fn dir(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let Some(script) = ctx.source_script() else { return Ok(Value::NIL) };
    let file = &script.path;
    if file.starts_with("(eval at ") || file == "-e" {
        return Ok(Value::NIL);
    }
    let path = match backtrace::real_path_of(&script) {
        Some(path) => path,
        None if file.contains('/') => file.to_string(),
        None => return Ok(string(ctx, ".")),
    };
    let parent = match path.rfind('/') {
        Some(0) | None => "/".to_string(),
        Some(end) => path[..end].to_string(),
    };
    Ok(string(ctx, &parent))
}

/// The module that `autoload` of the calling code belongs to.
fn autoload_scope(ctx: &Ctx) -> Class {
    let object = ctx.classes().object.class();
    ctx.caller_cref().and_then(|scope| Class::try_of(scope.module())).unwrap_or(object)
}

/// `autoload(name, path) -> nil`
fn autoload(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = autoload_scope(ctx);
    module::autoload(ctx, class, args)
}

/// `autoload?(name, inherit = true) -> string or nil`
fn autoload_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = autoload_scope(ctx);
    module::autoload_p(ctx, class, args)
}

/// The name of a global variable.
fn global_name(ctx: &mut Ctx, value: Value) -> Result<Sym> {
    let name = ctx.to_symbol(value)?;
    if ctx.sym_bytes(name).first() != Some(&b'$') {
        let text = ctx.sym_str(name);
        return Err(ctx.name_error(
            "NameError",
            &format!("'{text}' is not allowed as a global variable name"),
            Value::NIL,
            name,
        ));
    }
    Ok(name)
}

/// `trace_var(name, command)`, `trace_var(name) { |value| }`: runs at each assignment.
fn trace_var(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = global_name(ctx, args.at(0))?;
    let command = match args.get(1) {
        Some(Value::NIL) => return untrace_var(ctx, recv, args),
        Some(command) => command,
        None if args.has_block() => ctx.block_to_value(args.block),
        None => return Err(ctx.argument_error("tried to create Proc object without a block")),
    };
    ctx.add_global_trace(name, command);
    Ok(Value::NIL)
}

/// `untrace_var(name, command = nil) -> array`
fn untrace_var(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = global_name(ctx, args.at(0))?;
    if !ctx.global_defined(name) {
        let text = ctx.sym_str(name);
        return Err(ctx.name_error("NameError", &format!("undefined global variable {text}"), Value::NIL, name));
    }
    Ok(ctx.remove_global_traces(name, args.non_nil(1)))
}
