//! Ractor: threads that see no unshareable object of others, and the messages between them.
//!
//! A ractor is a thread, with those that it makes, under the lock of the VM: its Ruby code takes turns with that of the
//! others, its native work runs beside them. What it may not see is checked in `vm/src/ractor`.
//!
//! `state` is the data of a Ractor, `life` its beginning and end, `port` the messages, `transfer` what goes with them.

mod life;
mod port;
mod state;
mod transfer;

pub use life::{after_fork, check_main, ended, lead_of_current};
pub use port::PORT;

use rubellite_vm::object::{Hash, Proc, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Sym, Value, method, no_allocator, primitive};
use state::{current, current_data, data, error};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[&RACTOR, &PORT];

pub static RACTOR: ClassDef = ClassDef {
    name: "Ractor",
    superclass: "Object",
    alloc: Some(no_allocator),
    methods: &[
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("name", Arity::NONE, name),
        method("default_port", Arity::NONE, default_port),
        method("monitor", Arity::ONE, life::monitor),
        method("unmonitor", Arity::ONE, life::unmonitor),
        method("[]", Arity::ONE, local_of),
        method("[]=", Arity::exact(2), set_local_of),
    ],
    singleton_methods: &[
        method("new", Arity::ANY.with_keywords(), life::new),
        method("current", Arity::NONE, current_ractor),
        method("main", Arity::NONE, main_ractor),
        method("main?", Arity::NONE, main_p),
        method("count", Arity::NONE, count),
        method("_require", Arity::ONE, require),
        method("shareable?", Arity::ONE, shareable_p),
        method("make_shareable", Arity::ONE.with_keywords(), make_shareable),
        method("shareable_proc", Arity::NONE.with_keywords(), shareable_proc),
        method("shareable_lambda", Arity::NONE.with_keywords(), shareable_lambda),
        method("[]", Arity::ONE, local),
        method("[]=", Arity::exact(2), set_local),
    ],
    primitives: &[
        primitive("ractor_outcome", Arity::NONE, life::outcome),
        primitive("ractor_select", Arity::ONE, port::select),
        primitive("ractor_locals_mutex", Arity::NONE, locals_mutex),
    ],
    ruby: include_str!("ractor.rb"),
    setup: Some(setup),
    ..ClassDef::EMPTY
};

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    life::make_main(ctx, class)
}

fn current_ractor(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(current(ctx))
}

fn main_ractor(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.extension::<state::Table>().main.get().unwrap_or(Value::NIL))
}

fn main_p(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.in_main_ractor()))
}

fn count(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let living = ctx.extension::<state::Table>().living.borrow().len();
    Ok(Value::fixnum(living as i64 + 1))
}

/// `Ractor._require(feature)`: `require` with the rights of the main ractor, for programs that define it anew.
fn require(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.as_main_ractor(|ctx| ctx.call_name(recv, "require", args.slice()))
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = data(ctx, recv)?;
    let mut text = format!("#<Ractor:#{}", data.id);
    if let Some(name) = Str::try_of(data.name.get()) {
        text.push(' ');
        text.push_str(&name.to_lossy(ctx));
    }
    if let Some(place) = &data.place {
        text.push(' ');
        text.push_str(place);
    }
    text.push_str(&format!(" {}>", life::status(ctx, &data)));
    Ok(Str::utf8(ctx, &text).value())
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(data(ctx, recv)?.name.get())
}

fn default_port(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(data(ctx, recv)?.default_port.get())
}

// -- shareable objects ----------------------------------------------------------------------

fn shareable_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(ctx.shareable(args.at(0))))
}

/// `Ractor.make_shareable(object, copy: false) -> object`
fn make_shareable(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["copy"])?;
    let copies = args.keyword(ctx, "copy").is_some_and(|given| given.truthy());
    let object = args.at(0);
    let object = if copies && !ctx.shareable(object) { transfer::copy_graph(ctx, object)? } else { object };
    transfer::make_shareable(ctx, object)
}

/// `Ractor.shareable_proc(self: nil) { } -> proc`
fn shareable_proc(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    shareable_block(ctx, args, false)
}

/// `Ractor.shareable_lambda(self: nil) { } -> lambda`
fn shareable_lambda(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    shareable_block(ctx, args, true)
}

fn shareable_block(ctx: &mut Ctx, args: Args, lambda: bool) -> Result {
    args.check_keywords(ctx, &["self"])?;
    if !args.has_block() {
        return Err(ctx.argument_error("must be called with a block"));
    }
    let own = args.keyword(ctx, "self").unwrap_or(Value::NIL);
    if !ctx.shareable(own) {
        let text = ctx.to_s(own)?.to_lossy(ctx).into_owned();
        return Err(error(ctx, "Ractor::IsolationError", &format!("self should be shareable: {text}")));
    }
    let block = ctx.block_to_value(args.block);
    let Some(proc) = Proc::try_of(block) else { return Err(ctx.argument_error("must be called with a block")) };
    let klass = ctx.classes().proc.get();
    let copy = proc.copy(ctx, klass, lambda || proc.is_lambda());
    ctx.make_proc_shareable(copy, Some(own))?;
    Ok(copy.value())
}

// -- ractor-local storage -------------------------------------------------------------------

fn own_only(ctx: &mut Ctx, recv: Value, what: &str) -> Result<()> {
    if recv == current(ctx) {
        return Ok(());
    }
    Err(ctx.runtime_error(&format!("Cannot {what} ractor local storage for non-current ractor")))
}

fn local_of(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    own_only(ctx, recv, "get")?;
    local(ctx, recv, args)
}

fn set_local_of(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    own_only(ctx, recv, "set")?;
    set_local(ctx, recv, args)
}

/// `Ractor[name] -> object or nil`
fn local(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let key = ctx.to_symbol(args.at(0))?;
    local_value(ctx, key)
}

/// What the running ractor keeps under a name, or nil.
pub fn local_value(ctx: &mut Ctx, key: Sym) -> Result {
    let locals = current_data(ctx)?.locals.get();
    Ok(Hash::try_of(locals).and_then(|hash| hash.get_sym(ctx, key)).unwrap_or(Value::NIL))
}

/// `Ractor[name] = object`
fn set_local(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let key = ctx.to_symbol(args.at(0))?;
    set_local_value(ctx, key, args.at(1))
}

pub fn set_local_value(ctx: &mut Ctx, key: Sym, value: Value) -> Result {
    let ractor = current(ctx);
    let data = data(ctx, ractor)?;
    let hash = match Hash::try_of(data.locals.get()) {
        Some(hash) => hash,
        None => {
            let hash = Hash::new(ctx);
            state::put(ctx, ractor, &data.locals, hash.value());
            hash
        }
    };
    hash.insert(ctx, Value::symbol(key), value)?;
    Ok(value)
}

/// The Mutex of `store_if_absent` of the running ractor.
fn locals_mutex(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let ractor = current(ctx);
    let data = data(ctx, ractor)?;
    if data.locals_mutex.get().is_nil() {
        let class = ctx.named_class("Thread::Mutex")?;
        let mutex = ctx.call_name(class.value(), "new", &[])?;
        state::put(ctx, ractor, &data.locals_mutex, mutex);
    }
    Ok(data.locals_mutex.get())
}
