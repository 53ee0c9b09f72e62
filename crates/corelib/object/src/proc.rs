//! Proc: blocks as objects.

use super::parameters;
use super::support::{combined_hash, location};
use rubellite_vm::class::{Arity, Class, ClassDef, method, no_allocator};
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Array, Proc, Str};
use rubellite_vm::{Args, Ctx, Encoding, Method, MethodBody, Result, Value, Visibility};

pub static PROC: ClassDef = ClassDef {
    name: "Proc",
    methods: &[
        method("to_proc", Arity::NONE, to_proc),
        method("lambda?", Arity::NONE, lambda_p).leaf(0),
        method("arity", Arity::NONE, arity),
        method("parameters", Arity::NONE.with_keywords(), parameters_method),
        method("binding", Arity::NONE, binding),
        method("source_location", Arity::NONE, source_location),
        method("curry", Arity::range(0, 1), curry),
        method(">>", Arity::ONE, op_then),
        method("<<", Arity::ONE, op_after),
        method("==", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, op_eq),
        method("hash", Arity::NONE, hash),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("dup", Arity::NONE, dup),
        method("clone", Arity::NONE, clone),
        method("ruby2_keywords", Arity::NONE, ruby2_keywords),
    ],
    singleton_methods: &[method("new", Arity::ANY, new)],
    alloc: Some(no_allocator),
    setup: Some(define_call),
    ..ClassDef::EMPTY
};

/// `Proc.new { } -> proc`
fn new(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("tried to create Proc object without a block"));
    }
    let mut proc = ctx.block_to_value(args.block);
    if recv != ctx.real_class(proc).value() {
        let original: Proc = ctx.expect(proc)?;
        proc = original.copy(ctx, recv, original.is_lambda()).value();
    }
    let name = ctx.names().initialize;
    ctx.call_full(proc, name, args.slice(), args.has_keywords(), Value::NIL, rubellite_vm::CallKind::Any)?;
    Ok(proc)
}

/// `call` and its other names are done by the interpreter.
fn define_call(ctx: &mut Ctx, class: Class) -> Result<()> {
    for name in ["call", "===", "[]", "yield"] {
        let name = ctx.intern(name);
        let entry = Method::new(ctx, name, class, Visibility::Public, MethodBody::ProcCall);
        class.set_method(ctx, name, entry);
    }
    Ok(())
}

fn to_proc(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn lambda_p(_ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    Ok(Value::from_bool(proc.is_lambda()))
}

/// How many arguments a block takes, one made of a method included.
pub fn block_arity(ctx: &mut Ctx, block: Value) -> i32 {
    match Proc::try_of(block) {
        Some(proc) => arity_of(ctx, proc),
        None => ctx.block_arity(block),
    }
}

/// Arity of any proc, those made of methods included.
fn arity_of(ctx: &mut Ctx, proc: Proc) -> i32 {
    match super::method_object::entry_of_proc(ctx, proc) {
        Some(method) => parameters::arity_of_method(ctx, method),
        None => ctx.block_arity(proc.value()),
    }
}

fn arity(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    Ok(Value::fixnum(arity_of(ctx, proc) as i64))
}

/// `parameters(lambda: nil) -> array`
fn parameters_method(ctx: &mut Ctx, proc: Proc, args: Args) -> Result {
    let lambda = match args.keyword(ctx, "lambda") {
        None | Some(Value::NIL) => proc.is_lambda(),
        Some(given) => given.truthy(),
    };
    let list = parameters::of_proc(ctx, proc, lambda);
    Ok(parameters::to_array(ctx, &list))
}

/// `binding -> binding`
fn binding(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    if let ProcBody::Method(method) = proc.body()
        && let Some(receiver) = super::method_object::receiver_of(ctx, *method)
    {
        let code = super::method_object::entry_of_proc(ctx, proc).and_then(|method| match method.resolved().body() {
            MethodBody::Code { code, .. } => Some(*code),
            _ => None,
        });
        let code = code.map(|code| (code, code.iseq().line));
        return Ok(super::binding::of_object(ctx, receiver, code));
    }
    if proc.isolated() {
        return Err(ctx.argument_error("Can't create Binding from isolated Proc"));
    }
    match ctx.proc_binding(proc) {
        Some(binding) => Ok(binding.value()),
        None => Err(ctx.argument_error("Can't create Binding from C level Proc")),
    }
}

/// `source_location -> [file, line] or nil`
fn source_location(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    let place = match super::method_object::entry_of_proc(ctx, proc) {
        Some(method) => parameters::place_of_method(ctx, method),
        None => parameters::place_of_proc(ctx, proc),
    };
    Ok(match place {
        Some((file, line)) => location(ctx, &file, line),
        None => Value::NIL,
    })
}

/// `curry(arity = nil) -> proc`
pub fn curry(ctx: &mut Ctx, proc: Proc, args: Args) -> Result {
    let own = arity_of(ctx, proc) as i64;
    let required = if own < 0 { -own - 1 } else { own };
    let wanted = match args.get(0).filter(|given| !given.is_nil()) {
        None => required,
        Some(given) => {
            let given = ctx.to_c_int(given)? as i64;
            if proc.is_lambda() {
                check_curry_arity(ctx, proc, own, required, given)?;
            }
            given
        }
    };
    let passed = Array::new(ctx);
    Ok(waiting(ctx, proc, passed, wanted))
}

/// A lambda refuses to be curried with a number of arguments that it does not take.
fn check_curry_arity(ctx: &mut Ctx, proc: Proc, own: i64, required: i64, given: i64) -> Result<()> {
    let max = if own >= 0 { Some(required) } else { maximum(ctx, proc) };
    if given < required || max.is_some_and(|max| given > max) {
        let expected = match max {
            Some(max) if max == required => format!("{max}"),
            Some(max) => format!("{required}..{max}"),
            None => format!("{required}+"),
        };
        return Err(ctx.argument_error(&format!("wrong number of arguments (given {given}, expected {expected})")));
    }
    Ok(())
}

/// The most positional arguments that a lambda takes.
fn maximum(ctx: &Ctx, proc: Proc) -> Option<i64> {
    let list = parameters::of_proc(ctx, proc, true);
    if list.iter().any(|p| p.kind == "rest") {
        return None;
    }
    Some(list.iter().filter(|p| matches!(p.kind, "req" | "opt")).count() as i64)
}

/// Calls the proc when enough arguments have come, else makes a proc that waits for more.
fn curried(ctx: &mut Ctx, proc: Proc, passed: Array, wanted: i64, block: Value) -> Result {
    let count = passed.len() as i64;
    if count >= wanted {
        let list = passed.dup(ctx);
        let items: Vec<Value> = list.slice(ctx).to_vec(); // tidy: rooted by `passed`
        let result = ctx.call_block_full(proc.value(), &items, false, block);
        std::hint::black_box(list);
        return result;
    }
    if !block.is_nil() {
        ctx.warn("given block not used")?;
    }
    Ok(waiting(ctx, proc, passed, wanted))
}

/// A proc that collects arguments until there are `wanted` of them.
fn waiting(ctx: &mut Ctx, proc: Proc, passed: Array, wanted: i64) -> Value {
    let data = Array::from_slice(ctx, &[proc.value(), passed.value(), Value::fixnum(wanted)]).value();
    Proc::native(ctx, curry_step, data, -1, proc.is_lambda())
}

fn curry_step(ctx: &mut Ctx, data: Value, args: Args) -> Result {
    let data: Array = ctx.expect(data)?;
    let (proc, passed) = (data.get(0).unwrap_or(Value::NIL), data.get(1).unwrap_or(Value::NIL));
    let (proc, passed): (Proc, Array) = (ctx.expect(proc)?, ctx.expect(passed)?);
    let wanted = data.get(2).and_then(Value::as_fixnum).unwrap_or(0);
    let all = passed.dup(ctx);
    all.extend(ctx, args.slice());
    curried(ctx, proc, all, wanted, args.block)
}

/// `proc >> callable -> proc`
fn op_then(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    compose(ctx, recv, args.at(0), true)
}

/// `proc << callable -> proc`
fn op_after(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    compose(ctx, recv, args.at(0), false)
}

/// A proc that calls both: `own` first or last. It is a lambda when what it calls first is no mere proc.
pub fn compose(ctx: &mut Ctx, own: Value, other: Value, own_first: bool) -> Result {
    let name = ctx.names().call;
    if Proc::try_of(other).is_none() && !ctx.respond_to(other, name, true)? {
        return Err(ctx.type_error("callable object is expected"));
    }
    let pair = if own_first { [own, other] } else { [other, own] };
    let lambda = Proc::try_of(pair[0]).is_none_or(Proc::is_lambda);
    let data = Array::from_slice(ctx, &pair).value();
    Ok(Proc::native(ctx, compose_step, data, -1, lambda))
}

fn compose_step(ctx: &mut Ctx, data: Value, args: Args) -> Result {
    let pair: Array = ctx.expect(data)?;
    let (first, second) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
    let name = ctx.names().call;
    let middle = ctx.call_args(first, name, args)?;
    ctx.call(second, name, &[middle])
}

/// `proc == other -> true or false`: made of the same block in the same scope.
fn op_eq(ctx: &mut Ctx, proc: Proc, args: Args) -> Result {
    let (a, Some(b)) = (proc, Proc::try_of(args.at(0))) else { return Ok(Value::FALSE) };
    if proc.value() == args.at(0) {
        return Ok(Value::TRUE);
    }
    if a.is_lambda() != b.is_lambda() || ctx.real_class(proc.value()) != ctx.real_class(args.at(0)) {
        return Ok(Value::FALSE);
    }
    let (x, y) = (a.captured(), b.captured());
    let same_scope = x.self_value == y.self_value && x.env == y.env && x.home_id() == y.home_id();
    Ok(match (a.body(), b.body()) {
        (ProcBody::Code(m), ProcBody::Code(n)) => Value::from_bool(m.value() == n.value() && same_scope),
        (ProcBody::Symbol(m), ProcBody::Symbol(n)) => Value::from_bool(m == n),
        (ProcBody::Method(m), ProcBody::Method(n)) => Value::from_bool(ctx.equal(*m, *n)?),
        _ => Value::FALSE,
    })
}

fn hash(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    let word = match proc.body() {
        ProcBody::Code(code) => code.value().bits(),
        ProcBody::Symbol(name) => name.0 as u64,
        ProcBody::Method(method) => ctx.hash_of(*method)?,
        ProcBody::Native(function, data, _) => (*function as usize as u64).rotate_left(32) ^ data.bits(),
    };
    let at = proc.captured();
    // As `==` has it; of those that are no code only the word counts.
    let place = match proc.body() {
        ProcBody::Code(_) => [at.self_value.bits(), at.env.bits(), at.home_id()],
        _ => [0; 3],
    };
    Ok(combined_hash(ctx, &[word, place[0], place[1], place[2], proc.is_lambda() as u64]))
}

/// `inspect -> string`: "#<Proc:0x... file:1 (lambda)>"
fn inspect(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    let title = ctx.class_title(proc.value());
    let mut out = format!("#<{title}:0x{:016x}", proc.value().bits());
    match proc.body() {
        ProcBody::Code(code) => {
            let iseq = code.iseq();
            out += &format!(" {}:{}", iseq.script.path, iseq.line);
        }
        ProcBody::Symbol(name) => {
            let text = ctx.inspect(Value::symbol(*name))?;
            out += &format!("(&{text})");
        }
        ProcBody::Method(method) => {
            if let Some((file, line)) =
                super::method_object::entry_of(ctx, *method).and_then(|method| parameters::place_of_method(ctx, method))
            {
                out += &format!(" {file}:{line}");
            }
        }
        ProcBody::Native(..) => {}
    }
    if proc.is_lambda() {
        out += " (lambda)";
    }
    out.push('>');
    let encoding = if out.is_ascii() { Encoding::BINARY } else { Encoding::UTF_8 };
    Ok(Str::new(ctx, out.as_bytes(), encoding).value())
}

fn dup(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    let class = ctx.real_class(proc.value()).value();
    let copy = proc.copy(ctx, class, proc.is_lambda()).value();
    ctx.ivar_copy(proc.value(), copy);
    super::runtime::copy_finalizers(ctx, proc.value(), copy);
    let name = ctx.names().initialize_dup;
    ctx.call(copy, name, &[proc.value()])?;
    Ok(copy)
}

fn clone(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    let class = ctx.real_class(proc.value()).value();
    let copy = proc.copy(ctx, class, proc.is_lambda()).value();
    ctx.ivar_copy(proc.value(), copy);
    super::runtime::copy_finalizers(ctx, proc.value(), copy);
    super::kernel::copy_singleton(ctx, proc.value(), copy)?;
    let name = ctx.names().initialize_clone;
    ctx.call(copy, name, &[proc.value()])?;
    if proc.value().header().is_some_and(|h| h.frozen()) {
        super::exception::frozen(copy);
    }
    Ok(copy)
}

/// `ruby2_keywords -> proc`
fn ruby2_keywords(ctx: &mut Ctx, proc: Proc, _args: Args) -> Result {
    ctx.check_frozen(proc.value())?;
    let marked = match proc.body() {
        ProcBody::Code(code) => code.mark_ruby2_keywords(ctx),
        _ => false,
    };
    if marked {
        proc.set_ruby2_keywords();
    } else {
        let reason = match proc.body() {
            ProcBody::Code(_) => "proc accepts keywords or post arguments or proc does not accept argument splat",
            ProcBody::Method(_) => "proc created from method",
            _ => "proc not defined in Ruby",
        };
        ctx.warn(&format!("Skipping set of ruby2_keywords flag for proc ({reason})"))?;
    }
    Ok(proc.value())
}
