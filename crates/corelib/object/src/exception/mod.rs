//! Exceptions: the class Exception, what `raise` makes of its arguments, and the report of an uncaught one.
//! The classes below it are in `tree.rs` and `errno.rs`, texts in `message.rs`, call stacks in `backtrace.rs`.

pub mod backtrace;
pub mod correctable;
mod encodings;
mod errno;
pub mod highlight;
mod message;
mod signal;
pub mod suggested;
mod tree;

pub use encodings::{encoding_label, incompatible};
pub use errno::{ERRNO, SYSTEM_CALL_ERROR, errno_class, error_text, system_call_error};
pub use message::report;
pub use signal::{INTERRUPT, SIGNAL_EXCEPTION, SIGNALS};

use super::support::string;
use rubellite_vm::class::{Arity, Class, ClassDef, MethodDef, method};
use rubellite_vm::object::{Array, Exception, Hash, Str};
use rubellite_vm::{Args, CallKind, Ctx, Result, Tag, Unwind, Value, flags};

pub static EXCEPTION: ClassDef = ClassDef {
    name: "Exception",
    methods: METHODS,
    singleton_methods: &[method("exception", Arity::ANY, class_exception), method("to_tty?", Arity::NONE, to_tty_p)],
    alloc: Some(allocate),
    setup: Some(define_tree),
    ..ClassDef::EMPTY
};

static METHODS: &[MethodDef] = &[
    MethodDef { visibility: rubellite_vm::Visibility::Private, ..method("initialize", Arity::range(0, 1), initialize) },
    method("exception", Arity::range(0, 1), exception),
    method("to_s", Arity::NONE, to_s),
    method("message", Arity::NONE, message),
    method("detailed_message", Arity::NONE.with_keywords(), message::detailed_message),
    method("full_message", Arity::NONE.with_keywords(), message::full_message),
    method("inspect", Arity::NONE, inspect),
    method("backtrace", Arity::NONE, backtrace_method),
    method("backtrace_locations", Arity::NONE, backtrace_locations),
    method("set_backtrace", Arity::ONE, set_backtrace),
    method("cause", Arity::NONE, cause),
    method("==", Arity::ONE, op_eq),
];

/// Makes the classes below Exception.
fn define_tree(ctx: &mut Ctx, _exception: Class) -> Result<()> {
    for def in tree::TREE {
        ctx.install(def)?;
    }
    Ok(())
}

pub fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Exception::new(ctx, class, Value::UNDEF).value())
}

/// `initialize(message = nil)`
pub fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(e) = Exception::try_of(recv) {
        e.set_message(ctx, args.non_nil(0).unwrap_or(Value::UNDEF));
    }
    Ok(Value::NIL)
}

/// `Exception.exception(...) -> exception`: what `new` does, also where the class has a `new` of its own. Keywords
/// are a Hash.
fn class_exception(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let object = ctx.allocate(class)?;
    let name = ctx.names().initialize;
    ctx.call_full(object, name, args.slice(), false, args.block, CallKind::Any)?;
    Ok(object)
}

/// `Exception.to_tty? -> true or false`
fn to_tty_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(stderr_is_tty()))
}

pub fn stderr_is_tty() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stderr())
}

/// `exception -> self`, `exception(message) -> exception`: a copy with another message.
fn exception(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match args.get(0) {
        None => Ok(recv),
        Some(text) if text == recv => Ok(recv),
        Some(text) => {
            let name = ctx.names().clone;
            let copy = ctx.call(recv, name, &[])?;
            if let Some(e) = Exception::try_of(copy) {
                e.set_message(ctx, text);
            }
            Ok(copy)
        }
    }
}

/// `to_s -> string`: the message, or the name of the class.
fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stored = Exception::try_of(recv).map_or(Value::UNDEF, Exception::message);
    if stored.is_undef() || stored.is_nil() {
        let name = ctx.real_class(recv).inspect(ctx);
        return Ok(string(ctx, &name));
    }
    if stored.has_tag(Tag::String) {
        return Ok(stored);
    }
    Ok(ctx.to_s(stored)?.value())
}

/// `message -> string`
fn message(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.names().to_s;
    ctx.call(recv, name, &[])
}

/// `inspect -> string`
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let text = ctx.to_s(recv)?;
    if text.is_empty() {
        return Ok(string(ctx, &class));
    }
    let bytes = text.bytes(ctx);
    if bytes.contains(&b'\n') {
        let quoted = ctx.inspect(text.value())?;
        return Ok(string(ctx, &format!("#<{class}:{quoted}>")));
    }
    let out = Str::new(ctx, format!("#<{class}: ").as_bytes(), text.encoding());
    out.append_str(ctx, text);
    out.append(ctx, b">");
    Ok(out.value())
}

/// `backtrace -> array or nil`
fn backtrace_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(backtrace_of(ctx, recv))
}

/// The backtrace as an Array of Strings, made at the first call; nil when there is none.
pub fn backtrace_of(ctx: &mut Ctx, exception: Value) -> Value {
    let Some(e) = Exception::try_of(exception) else { return Value::NIL };
    let set = e.backtrace_value();
    if !set.is_nil() {
        return set;
    }
    let Some(positions) = e.positions().filter(|positions| !positions.is_empty()) else { return Value::NIL };
    let list = backtrace::strings(ctx, &positions);
    e.set_backtrace_value(ctx, list);
    list
}

/// The backtrace that an exception shows, which a `backtrace` of the program may make; nil when there is none.
pub fn shown_backtrace(ctx: &mut Ctx, exception: Value) -> Result {
    let name = ctx.names().backtrace;
    if ctx.is_builtin(exception, name) {
        return Ok(backtrace_of(ctx, exception));
    }
    match ctx.check_call(exception, name, &[])? {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(shown) => check_backtrace(ctx, shown),
    }
}

/// Asks an exception that is raised for the first time what it shows: where a `backtrace` of the program knows
/// something, none is recorded. What goes wrong meanwhile nobody sees.
pub fn ask_backtrace(ctx: &mut Ctx, e: Exception) -> Result<()> {
    let name = ctx.names().backtrace;
    if e.has_backtrace() || e.is_frozen() || ctx.is_builtin(e.value(), name) {
        return Ok(());
    }
    let standard_error = ctx.classes().standard_error.get();
    let shown = ctx.rescue(standard_error, |ctx| shown_backtrace(ctx, e.value()), |_, _| Ok(Value::NIL))?;
    if !shown.is_nil() {
        e.set_positions(ctx, Vec::new().into());
    }
    Ok(())
}

/// Calls a `set_backtrace` of the program with the backtrace that was just recorded.
pub fn tell_backtrace(ctx: &mut Ctx, e: Exception) -> Result<()> {
    let Some(positions) = e.positions() else { return Ok(()) };
    let list = backtrace::strings(ctx, &positions);
    let name = ctx.names().set_backtrace;
    ctx.call(e.value(), name, &[list]).map(drop)
}

/// `backtrace_locations -> array or nil`
fn backtrace_locations(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let Some(e) = Exception::try_of(recv) else { return Ok(Value::NIL) };
    let known = e.locations_value();
    if !known.is_nil() {
        return Ok(if known == Value::FALSE { Value::NIL } else { known });
    }
    let Some(positions) = e.positions().filter(|positions| !positions.is_empty()) else { return Ok(Value::NIL) };
    let list = backtrace::locations(ctx, &positions);
    e.set_locations_value(ctx, list);
    Ok(list)
}

/// `set_backtrace(backtrace) -> array`
fn set_backtrace(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let given = args.at(0);
    let Some(e) = Exception::try_of(recv) else { return Ok(Value::NIL) };
    if given.is_nil() {
        e.set_backtrace_value(ctx, Value::NIL);
        e.set_locations_value(ctx, Value::FALSE);
        e.clear_positions();
        return Ok(Value::NIL);
    }
    if let Some(list) = Array::try_of(given)
        && !list.is_empty()
        && (0..list.len()).all(|i| backtrace::is_location(ctx, list.get(i).unwrap_or(Value::NIL)))
    {
        let texts = backtrace::location_texts(ctx, list);
        e.set_backtrace_value(ctx, texts);
        e.set_locations_value(ctx, given);
        return Ok(texts);
    }
    let checked = check_backtrace(ctx, given)?;
    e.set_backtrace_value(ctx, checked);
    // What was recorded when it was raised stays to be seen as locations.
    if e.positions().is_none() {
        e.set_locations_value(ctx, Value::FALSE);
    }
    Ok(checked)
}

/// A backtrace that a program gives: a String or an Array of Strings.
fn check_backtrace(ctx: &mut Ctx, given: Value) -> Result {
    if given.has_tag(Tag::String) {
        return Ok(Array::from_slice(ctx, &[given]).value());
    }
    if let Some(list) = Array::try_of(given)
        && (0..list.len()).all(|i| list.get(i).is_some_and(|v| v.has_tag(Tag::String)))
    {
        return Ok(given);
    }
    Err(ctx.type_error("backtrace must be an Array of String or an Array of Thread::Backtrace::Location"))
}

/// `cause -> exception or nil`
fn cause(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cause = Exception::try_of(recv).map_or(Value::NIL, Exception::cause);
    Ok(cause.defined().unwrap_or(Value::NIL))
}

/// `exception == other -> true or false`: same class, message and backtrace.
fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut other = args.at(0);
    if recv == other {
        return Ok(Value::TRUE);
    }
    if ctx.real_class(recv) != ctx.real_class(other) {
        other = match stands_for(ctx, other)? {
            Some(exception) if ctx.real_class(recv) == ctx.real_class(exception) => exception,
            _ => return Ok(Value::FALSE),
        };
    }
    for name in [ctx.names().message, ctx.names().backtrace] {
        let (mine, theirs) = (ctx.call(recv, name, &[])?, ctx.call(other, name, &[])?);
        if !ctx.equal(mine, theirs)? {
            return Ok(Value::FALSE);
        }
    }
    Ok(Value::TRUE)
}

/// What an object's `exception` answers; none when that raises.
fn stands_for(ctx: &mut Ctx, object: Value) -> Result<Option<Value>> {
    let name = ctx.intern("exception");
    let standard_error = ctx.classes().standard_error.get();
    ctx.rescue(standard_error, |ctx| ctx.check_call(object, name, &[]), |_, _| Ok(None))
}

/// The exception that the arguments of `raise` stand for, and the cause when one is given.
pub fn from_arguments(ctx: &mut Ctx, args: Args) -> Result<(Value, Option<Value>)> {
    let (cause, options) = cause_argument(ctx, args)?;
    let positional = args.positional();
    let count = positional.len() + options.is_some() as usize;
    if positional.is_empty() {
        if cause.is_some() {
            return Err(ctx.argument_error("only cause is given with no arguments"));
        }
        if options.is_none() {
            let current = ctx.errinfo();
            if !current.is_nil() {
                return Ok((current, None));
            }
            let class = ctx.error_class("RuntimeError");
            return Ok((ctx.new_error(class, ""), None));
        }
    }
    if count > 3 {
        return Err(ctx.arity_error(count, 0, Some(3)));
    }
    // Keywords other than `cause:` are one Hash more.
    let mut given = [Value::NIL; 3];
    for (place, value) in given.iter_mut().zip(positional.slice().iter().copied().chain(options)) {
        *place = value;
    }
    let exception = make(ctx, &given[..count])?;
    if !given[2].is_nil() {
        let name = ctx.names().set_backtrace;
        ctx.call(exception, name, &[given[2]])?;
    }
    Ok((exception, cause))
}

/// Makes an exception of a message, or of a class or an object and its arguments.
fn make(ctx: &mut Ctx, given: &[Value]) -> Result {
    let first = given[0];
    if given.len() == 1 && first.has_tag(Tag::String) {
        let class = ctx.error_class("RuntimeError");
        let exception = Exception::new(ctx, class.value(), first).value();
        let initialize = ctx.names().initialize;
        if ctx.is_traced() || ctx.is_replaced(exception, initialize) {
            ctx.call(exception, initialize, &[first])?;
        }
        return Ok(exception);
    }
    let name = ctx.names().exception;
    let responds =
        ctx.dispatch_class(first).find_method(ctx, name).method.is_some() || ctx.respond_to(first, name, true)?;
    if !responds {
        return Err(ctx.type_error("exception class/object expected"));
    }
    let exception = ctx.call_full(first, name, &given[1..given.len().min(2)], false, Value::NIL, CallKind::Any)?;
    if !exception.has_tag(Tag::Exception) {
        return Err(ctx.type_error("exception object expected"));
    }
    Ok(exception)
}

/// Takes `cause:` out of the keywords: it and the others.
fn cause_argument(ctx: &mut Ctx, args: Args) -> Result<(Option<Value>, Option<Value>)> {
    let Some(keywords) = args.keywords() else { return Ok((None, None)) };
    let key = Value::symbol(ctx.names().cause);
    let Some(cause) = keywords.get(ctx, key)? else { return Ok((None, Some(keywords.value()))) };
    if args.positional().is_empty() && keywords.len() == 1 {
        return Err(ctx.argument_error("only cause is given with no arguments"));
    }
    if !cause.is_nil() && !cause.has_tag(Tag::Exception) {
        return Err(ctx.type_error("exception object expected"));
    }
    let rest = Hash::dup(keywords, ctx);
    rest.delete(ctx, key)?;
    let rest = if rest.is_empty() { None } else { Some(rest.value()) };
    Ok((Some(cause), rest))
}

/// Takes the native method that raises off the backtrace of the pending exception.
pub fn hide_innermost(ctx: &mut Ctx) {
    let Some(e) = ctx.pending_exception().and_then(Exception::try_of) else { return };
    if let Some(positions) = e.positions().filter(|p| p.first().is_some_and(|p| p.code.is_nil())) {
        e.set_positions(ctx, positions[1..].into());
    }
}

/// A hidden attribute of an exception, kept under a name that no instance variable has.
pub fn hidden(ctx: &Ctx, recv: Value, name: &str) -> Option<Value> {
    let name = ctx.internal(name);
    ctx.ivar_get(recv, name).defined()
}

pub fn set_hidden(ctx: &Ctx, recv: Value, name: &str, value: Value) {
    let name = ctx.internal(name);
    ctx.ivar_set(recv, name, value);
}

/// Freezes a string result.
pub fn frozen(value: Value) -> Value {
    if let Some(header) = value.header() {
        header.set(flags::FROZEN);
    }
    value
}

/// Raises SystemExit.
pub fn raise_exit(ctx: &mut Ctx, status: i32, message: Value) -> Unwind {
    let class = ctx.error_class("SystemExit").value();
    let new = ctx.names().new;
    match ctx.call(class, new, &[Value::fixnum(status as i64), message]) {
        Ok(exception) => ctx.raise(exception),
        Err(unwind) => unwind,
    }
}
