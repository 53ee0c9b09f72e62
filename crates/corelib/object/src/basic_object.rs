//! BasicObject: what even a blank object can do.

use super::module::{eval_string, hook};
use rubellite_vm::class::{Arity, Class, ClassDef, method, private_method};
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Value, Visibility};

pub static BASIC_OBJECT: ClassDef = ClassDef {
    name: "BasicObject",
    superclass: "",
    methods: &[
        private_method("initialize", Arity::NONE, initialize),
        method("==", Arity::ONE, op_eq).leaf(1),
        method("equal?", Arity::ONE, op_eq).leaf(1),
        method("!", Arity::NONE, op_not).leaf(0),
        method("!=", Arity::ONE, op_neq),
        method("__id__", Arity::NONE, super::kernel::object_id),
        method("instance_eval", Arity::ANY, instance_eval),
        method("instance_exec", Arity::ANY, instance_exec),
        private_method("method_missing", Arity::ANY, method_missing),
        private_method("singleton_method_added", Arity::ONE, hook),
        private_method("singleton_method_removed", Arity::ONE, hook),
        private_method("singleton_method_undefined", Arity::ONE, hook),
    ],
    setup: Some(define_send),
    ..ClassDef::EMPTY
};

/// `__send__` is done by the interpreter, `!=` of objects without a `==` of their own, too.
fn define_send(ctx: &mut Ctx, class: Class) -> Result<()> {
    let name = ctx.names().underscore_send;
    let entry = Method::new(ctx, name, class, Visibility::Public, MethodBody::Send);
    class.set_method(ctx, name, entry);
    ctx.note_identity(class);
    class.set_const(ctx, "BasicObject", class.value());
    Ok(())
}

/// `initialize()`
fn initialize(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

/// `object == other -> true or false`: identity.
fn op_eq(_ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(recv == args.at(0)))
}

fn op_not(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(!recv.truthy()))
}

fn op_neq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(!ctx.equal(recv, args.at(0))?))
}

/// `instance_eval { |object| }`, `instance_eval(string, file, line)`
fn instance_eval(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.has_block() {
        if !args.is_empty() {
            return Err(ctx.arity_error(args.len(), 0, Some(0)));
        }
        return ctx.yield_in_scope(args.block, recv, Value::NIL, &[recv], false);
    }
    eval_string(ctx, recv, args, None)
}

/// `instance_exec(...) { |...| }`
fn instance_exec(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.raise_error("LocalJumpError", "no block given"));
    }
    ctx.yield_in_scope(args.block, recv, Value::NIL, args.slice(), args.has_keywords())
}

/// `method_missing(name, ...)`: raises NoMethodError.
fn method_missing(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let unwind = match args.get(0) {
        Some(name) => match name.as_symbol() {
            Some(name) => ctx.method_missing_error(recv, name, args.from(1).slice()),
            None => {
                let class = ctx.class_title(name);
                ctx.argument_error(&format!("method name must be a Symbol but {class} is given"))
            }
        },
        None => return Err(ctx.argument_error("no method name given")),
    };
    super::exception::hide_innermost(ctx);
    Err(unwind)
}
