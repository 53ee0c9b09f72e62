//! Method and UnboundMethod: methods as objects.

use super::parameters;
use super::support::{combined_hash, location, string};
use rubellite_vm::class::{Arity, Class, ClassDef, MethodDef, NOT_IN_MRO, method};
use rubellite_vm::object::proc::{Captured, ProcBody};
use rubellite_vm::object::{Data, NativeData, Proc};
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Sym, Value, Visibility};

/// What a Method or UnboundMethod holds.
pub struct MethodObject {
    /// undef: unbound.
    pub receiver: Value,
    /// The entry that was found, with its aliases still in place.
    pub method: Method,
    /// The class that it was looked up in.
    pub klass: Value,
    /// The module that `owner` names: where the method was found, or the original of an alias was defined.
    pub owner: Value,
    /// Where the entry's owner stands in the ancestry of the receiver's class.
    pub pos: u32,
    /// The name that was asked for.
    pub name: Sym,
}

impl NativeData for MethodObject {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.receiver);
        visit(self.method.value());
        visit(self.klass);
        visit(self.owner);
    }
}

/// Whether the value is a Method or an UnboundMethod.
pub fn is_method_object(ctx: &Ctx, value: Value) -> bool {
    Data::state_of::<MethodObject>(ctx, value).is_some()
}

static SHARED: &[MethodDef] = &[
    method("==", Arity::ONE, op_eq),
    method("eql?", Arity::ONE, op_eq),
    method("hash", Arity::NONE, hash),
    method("arity", Arity::NONE, arity),
    method("name", Arity::NONE, name),
    method("original_name", Arity::NONE, original_name),
    method("owner", Arity::NONE, owner),
    method("parameters", Arity::NONE, parameters_method),
    method("source_location", Arity::NONE, source_location),
    method("super_method", Arity::NONE, super_method),
    method("inspect", Arity::NONE, inspect),
    method("to_s", Arity::NONE, inspect),
    method("clone", Arity::NONE, clone),
    method("dup", Arity::NONE, clone),
];

pub static METHOD: ClassDef = ClassDef {
    name: "Method",
    methods: &[
        method("call", Arity::ANY, call),
        method("===", Arity::ANY, call),
        method("[]", Arity::ANY, call),
        method("receiver", Arity::NONE, receiver),
        method("unbind", Arity::NONE, unbind),
        method("to_proc", Arity::NONE, to_proc),
        method("curry", Arity::range(0, 1), curry),
        method(">>", Arity::ONE, op_then),
        method("<<", Arity::ONE, op_after),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};
pub static METHOD_SHARED: ClassDef = ClassDef { name: "Method", methods: SHARED, ..ClassDef::EMPTY };
pub static UNBOUND_METHOD: ClassDef = ClassDef {
    name: "UnboundMethod",
    methods: &[method("bind", Arity::ONE, bind), method("bind_call", Arity::at_least(1), bind_call)],
    no_new: true,
    ..ClassDef::EMPTY
};
pub static UNBOUND_SHARED: ClassDef = ClassDef { name: "UnboundMethod", methods: SHARED, ..ClassDef::EMPTY };

fn make(ctx: &mut Ctx, state: MethodObject) -> Value {
    let class = if state.receiver.is_undef() { ctx.classes().unbound_method.get() } else { ctx.classes().method.get() };
    Data::new(ctx, class, state).value()
}

/// The state of a method object, copied out.
fn state(ctx: &Ctx, value: Value) -> Option<MethodObject> {
    let s = Data::state_of::<MethodObject>(ctx, value)?;
    Some(MethodObject {
        receiver: s.receiver,
        method: s.method,
        klass: s.klass,
        owner: s.owner,
        pos: s.pos,
        name: s.name,
    })
}

fn state_or_error(ctx: &mut Ctx, value: Value) -> Result<MethodObject> {
    match state(ctx, value) {
        Some(state) => Ok(state),
        None => Err(super::support::wrong_type(ctx, value, "Method")),
    }
}

/// The entry of a Method or UnboundMethod.
pub fn entry_of(ctx: &Ctx, value: Value) -> Option<Method> {
    Data::state_of::<MethodObject>(ctx, value).map(|s| s.method)
}

/// The receiver of a Method.
pub fn receiver_of(ctx: &Ctx, value: Value) -> Option<Value> {
    Data::state_of::<MethodObject>(ctx, value).and_then(|s| s.receiver.defined())
}

/// A Method of `method`, which stands at `pos` of the receiver's ancestry.
pub fn bound(ctx: &mut Ctx, receiver: Value, method: Method, pos: u32) -> Value {
    let klass = ctx.class_of(receiver);
    let (name, owner) = (method.name(), reported_owner(method));
    make(ctx, MethodObject { receiver, method, klass, owner, pos, name })
}

/// The owner that a found entry shows: where the alias, the visibility or the method itself was set.
fn reported_owner(method: Method) -> Value {
    method.owner().value()
}

/// Follows entries that only change visibility to the method with the code.
fn with_code(ctx: &Ctx, class: Class, method: Method, pos: u32) -> (Method, u32) {
    let (mut method, mut pos) = (method, pos);
    while matches!(method.body(), MethodBody::ZSuper | MethodBody::Refined) {
        let mut found = class.find_method_from(ctx, method.name(), pos as usize + 1);
        if found.method.is_none() && class.is_module() {
            found = ctx.classes().object.class().find_method(ctx, method.name());
        }
        match found.method {
            Some(next) => (method, pos) = (next, found.pos),
            None => break,
        }
    }
    (method, pos)
}

/// `object.method(name)`
pub fn of_receiver(ctx: &mut Ctx, receiver: Value, name: Value, public: bool) -> Result {
    let sym = ctx.to_symbol(name)?;
    let class = ctx.dispatch_class(receiver);
    let found = ctx.find_refined_by_caller(class, sym).unwrap_or_else(|| class.find_method(ctx, sym));
    let visible = found.method.filter(|m| !public || m.visibility() == Visibility::Public);
    if let Some(method) = visible {
        let owner = reported_owner(method);
        let (method, pos) = with_code(ctx, class, method, found.pos);
        return Ok(make(ctx, MethodObject { receiver, method, klass: class.value(), owner, pos, name: sym }));
    }
    if let Some(hidden) = found.method {
        return Err(not_public(ctx, class.real(ctx), sym, hidden.visibility()));
    }
    let missing = ctx.names().respond_to_missing;
    if !ctx.is_builtin(receiver, missing)
        && ctx.call(receiver, missing, &[Value::symbol(sym), Value::from_bool(!public)])?.truthy()
    {
        let real = class.real(ctx);
        let method = Method::new(ctx, sym, real, Visibility::Public, MethodBody::Missing);
        return Ok(make(
            ctx,
            MethodObject { receiver, method, klass: class.value(), owner: real.value(), pos: 0, name: sym },
        ));
    }
    Err(ctx.undefined_in_class(class, sym))
}

fn not_public(ctx: &mut Ctx, class: Class, name: Sym, visibility: Visibility) -> rubellite_vm::Unwind {
    let kind = if class.is_module() { "module" } else { "class" };
    let how = if visibility == Visibility::Private { "private" } else { "protected" };
    let (text, module) = (ctx.sym_str(name), class.inspect(ctx));
    ctx.name_error("NameError", &format!("method '{text}' for {kind} '{module}' is {how}"), class.value(), name)
}

/// `class.instance_method(name)`
pub fn of_class(ctx: &mut Ctx, class: Class, name: Value, public: bool) -> Result {
    let sym = ctx.to_symbol(name)?;
    let found = ctx.find_refined_by_caller(class, sym).unwrap_or_else(|| class.find_method(ctx, sym));
    match found.method {
        Some(method) if !public || method.visibility() == Visibility::Public => {
            let owner = reported_owner(method);
            let (method, pos) = with_code(ctx, class, method, found.pos);
            Ok(make(ctx, MethodObject { receiver: Value::UNDEF, method, klass: class.value(), owner, pos, name: sym }))
        }
        Some(hidden) => Err(not_public(ctx, class, sym, hidden.visibility())),
        None => Err(ctx.undefined_in_class(class, sym)),
    }
}

/// `call(...) -> object`
fn call(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    invoke(ctx, &s, s.receiver, args)
}

fn invoke(ctx: &mut Ctx, s: &MethodObject, receiver: Value, args: Args) -> Result {
    let class = ctx.dispatch_class(receiver);
    let owner = s.method.owner();
    let pos = match class.mro(ctx).get(s.pos as usize) {
        Some(module) if *module == owner => s.pos,
        _ => class.mro(ctx).iter().position(|m| *m == owner).map_or(NOT_IN_MRO, |p| p as u32),
    };
    ctx.call_method(s.method, pos, receiver, args)
}

/// `bind(object) -> method`
fn bind(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let receiver = args.at(0);
    check_bindable(ctx, &s, receiver)?;
    let klass = ctx.class_of(receiver);
    Ok(make(ctx, MethodObject { receiver, klass, ..s }))
}

/// `bind_call(object, ...) -> object`
fn bind_call(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let receiver = args.at(0);
    check_bindable(ctx, &s, receiver)?;
    invoke(ctx, &s, receiver, args.from(1))
}

/// Methods of modules go with every object, those of classes with their instances.
fn check_bindable(ctx: &mut Ctx, s: &MethodObject, receiver: Value) -> Result<()> {
    let owner = s.method.owner();
    // Methods of a refinement go with what it refines.
    let owner = Class::try_of(owner.data(ctx).refined_class()).unwrap_or(owner);
    if owner.is_module() || ctx.is_a(receiver, owner.value()) {
        return Ok(());
    }
    if owner.is_singleton() {
        return Err(ctx.type_error("singleton method called for a different object"));
    }
    let text = owner.inspect(ctx);
    Err(ctx.type_error(&format!("bind argument must be an instance of {text}")))
}

fn unbind(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    Ok(make(ctx, MethodObject { receiver: Value::UNDEF, ..s }))
}

fn receiver(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(state_or_error(ctx, recv)?.receiver)
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::symbol(state_or_error(ctx, recv)?.name))
}

fn original_name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::symbol(state_or_error(ctx, recv)?.method.resolved().name()))
}

fn owner(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(state_or_error(ctx, recv)?.owner)
}

fn arity(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    Ok(Value::fixnum(parameters::arity_of_method(ctx, s.method) as i64))
}

fn parameters_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let list = parameters::of_method(ctx, s.method);
    Ok(parameters::to_array(ctx, &list))
}

/// `source_location -> [file, line, ...] or nil`
fn source_location(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    Ok(match parameters::place_of_method(ctx, s.method) {
        Some((file, line)) => location(ctx, &file, line),
        None => Value::NIL,
    })
}

/// `super_method -> method or nil`
fn super_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let class = if s.receiver.is_undef() { ctx.expect::<Class>(s.klass)? } else { ctx.dispatch_class(s.receiver) };
    let original = s.method.resolved();
    let owner = original.owner();
    let Some(at) = class.mro(ctx).iter().position(|m| *m == owner) else { return Ok(Value::NIL) };
    let found = class.find_method_from(ctx, original.name(), at + 1);
    match found.method {
        Some(method) => {
            let owner = reported_owner(method);
            let (method, pos) = with_code(ctx, class, method, found.pos);
            Ok(make(ctx, MethodObject { method, owner, pos, name: original.name(), ..s }))
        }
        None => Ok(Value::NIL),
    }
}

fn same_code(a: Method, b: Method) -> bool {
    let (a, b) = (a.resolved(), b.resolved());
    if a == b {
        return true;
    }
    match (a.body(), b.body()) {
        (MethodBody::Code { code: x, .. }, MethodBody::Code { code: y, .. }) => x.value() == y.value(),
        (MethodBody::Native { function: x, .. }, MethodBody::Native { function: y, .. }) => {
            std::ptr::fn_addr_eq(*x, *y)
        }
        (MethodBody::C { function: x, .. }, MethodBody::C { function: y, .. }) => x == y,
        (MethodBody::AttrReader(x), MethodBody::AttrReader(y))
        | (MethodBody::AttrWriter(x), MethodBody::AttrWriter(y)) => x == y,
        (MethodBody::Proc(x), MethodBody::Proc(y)) => x == y,
        (MethodBody::Missing, MethodBody::Missing) => a.name() == b.name(),
        (MethodBody::ProcCall, MethodBody::ProcCall)
        | (MethodBody::Send, MethodBody::Send)
        | (MethodBody::New, MethodBody::New) => true,
        _ => false,
    }
}

/// `method == other -> true or false`
fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (Some(a), Some(b)) = (state(ctx, recv), state(ctx, args.at(0))) else { return Ok(Value::FALSE) };
    let equal = a.receiver == b.receiver
        && a.method.resolved().owner() == b.method.resolved().owner()
        && same_code(a.method, b.method)
        && ctx.real_class(recv) == ctx.real_class(args.at(0));
    Ok(Value::from_bool(equal))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let code = match s.method.resolved().body() {
        MethodBody::Code { code, .. } => code.value().bits(),
        MethodBody::Native { function, .. } => *function as usize as u64,
        MethodBody::C { function, .. } => function.address as u64,
        MethodBody::Proc(proc) => proc.value().bits(),
        MethodBody::AttrReader(name) | MethodBody::AttrWriter(name) => name.0 as u64,
        _ => s.method.value().bits(),
    };
    Ok(combined_hash(ctx, &[s.receiver.bits(), s.method.resolved().owner().value().bits(), code]))
}

fn clone(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let copy = make(ctx, s);
    ctx.ivar_copy(recv, copy);
    super::runtime::copy_finalizers(ctx, recv, copy);
    if ctx.callee_name() == Some(ctx.names().clone) {
        super::kernel::copy_singleton(ctx, recv, copy)?;
        if super::support::is_frozen(recv) {
            super::exception::frozen(copy);
        }
    }
    Ok(copy)
}

/// `to_proc -> lambda`
fn to_proc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(proc_of(ctx, recv)?.value())
}

fn proc_of(ctx: &mut Ctx, recv: Value) -> Result<Proc> {
    state_or_error(ctx, recv)?;
    let class = ctx.classes().proc.get();
    Ok(Proc::new(ctx, class, ProcBody::Method(recv), Captured::nowhere(), true))
}

fn curry(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let proc = proc_of(ctx, recv)?;
    super::proc::curry(ctx, proc, args)
}

fn op_then(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    super::proc::compose(ctx, recv, args.at(0), true)
}

fn op_after(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    super::proc::compose(ctx, recv, args.at(0), false)
}

/// The Method that a Proc was made of, for its arity and parameters.
pub fn entry_of_proc(ctx: &Ctx, proc: Proc) -> Option<Method> {
    match proc.body() {
        ProcBody::Method(object) => entry_of(ctx, *object),
        _ => None,
    }
}

/// `inspect -> string`: "#<Method: Foo#bar(a, b=...) file:1>"
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let s = state_or_error(ctx, recv)?;
    let mut out = format!("#<{}: ", ctx.real_class(recv).inspect(ctx));
    let owner = s.method.resolved().owner();
    if owner.is_singleton() {
        let attached = owner.attached(ctx);
        if s.receiver.is_undef() {
            out += &ctx.inspect(owner.value())?;
            out.push('#');
        } else if s.receiver == attached {
            out += &ctx.inspect(attached)?;
            out.push('.');
        } else {
            out += &format!("{}({}).", ctx.inspect(s.receiver)?, ctx.inspect(attached)?);
        }
    } else {
        let class: Class = ctx.expect(s.klass)?;
        let of_module = class.is_singleton() && Class::is(class.attached(ctx));
        let class = if s.receiver.is_undef() {
            owner
        } else if of_module {
            class
        } else {
            class.real(ctx)
        };
        out += &ctx.inspect(class.value())?;
        if class != owner {
            out += &format!("({})", ctx.inspect(owner.value())?);
        }
        out.push('#');
    }
    out += &ctx.sym_str(s.name);
    let original = s.method.resolved().name();
    if original != s.name {
        out += &format!("({})", ctx.sym_str(original));
    }
    let list = parameters::of_method(ctx, s.method);
    out += &parameters::signature(&list);
    if s.method.is_unimplemented() {
        out += " (not-implemented)";
    }
    if let Some((file, line)) = parameters::place_of_method(ctx, s.method) {
        out += &format!(" {file}:{line}");
    }
    out.push('>');
    Ok(string(ctx, &out))
}
