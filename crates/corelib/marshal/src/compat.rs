//! Objects whose state is not instance variables and that nevertheless travel as plain objects with variables: Range,
//! exceptions, Set, Process::Status. Which kinds cannot travel at all.
//!
//! The library keeps attributes of its own classes (an exception's `key`, `status` ...) in variables with the prefix
//! `__`; in the bytes they have the names that CRuby gives them.

use super::dump::Dumper;
use rubellite_core_collection::{fill_set, set_table};
use rubellite_core_object::exception::{backtrace_of, hidden, set_hidden};
use rubellite_core_process::wait::{set_status, status_words};
use rubellite_vm::object::{Array, Complex, Exception, Hash, Range, Rational};
use rubellite_vm::{Ctx, Result, Sym, Tag, Value, flags};

/// Attributes of exceptions: name in the bytes, name of the variable.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("name", "__name"),
    ("args", "__args"),
    ("private_call?", "__private_call"),
    ("matchee", "__matchee"),
    ("key", "__key"),
    ("receiver", "__receiver"),
    ("result", "__result"),
    ("status", "__status"),
    ("signo", "__signo"),
    ("errno", "__errno"),
    ("@exit_value", "__exit_value"),
    ("@reason", "__reason"),
    ("tag", "__tag"),
    ("value", "__value"),
    ("@path", "__path"),
];

/// An exception that was loaded has no locations, and says so in its next dump.
const LOCATIONS: &str = "__bt_locations";

/// Classes written in Ruby here whose instances exist only inside the process.
const NATIVE: &[&str] = &[
    "ARGF.class",
    "Enumerator",
    "Enumerator::Yielder",
    "Enumerator::Generator",
    "Enumerator::Chain",
    "Enumerator::Product",
];

/// Whether a plain object belongs to a class that is native elsewhere and cannot be dumped.
pub fn is_native(ctx: &Ctx, object: Value) -> bool {
    let env = object == ctx.vm().main_object.get();
    let mut class = Some(ctx.real_class(object));
    while let Some(at) = class.filter(|_| !env) {
        if at.value() == ctx.classes().object.get() {
            return false;
        }
        if at.name(ctx).is_some_and(|name| NATIVE.contains(&name)) {
            return true;
        }
        class = at.superclass(ctx);
    }
    false
}

/// Names of the variables of an object that are written. Those that the format uses itself are left out with a warning.
pub fn variable_names(ctx: &mut Ctx, object: Value) -> Result<Vec<Sym>> {
    let mut names = Vec::new();
    for (name, _) in ctx.ivar_pairs(object) {
        let bytes = ctx.sym_bytes(name);
        match bytes {
            b"E" | b"K" | b"encoding" => {
                let (name, class) = (ctx.sym_str(name), ctx.dispatch_class(object).inspect(ctx));
                ctx.warn(&format!("instance variable '{name}' on class {class} is not dumped"))?;
            }
            _ if ctx.is_internal_symbol(name) => {}
            _ => names.push(name),
        }
    }
    Ok(names)
}

/// Writes an object of one of the kinds above; TypeError for all others.
pub fn dump(dumper: &mut Dumper, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
    if let Some(range) = Range::try_of(object) {
        dumper.object_head(ctx, object, 3)?;
        let excl = if range.is_initialized() { Value::from_bool(range.exclude_end()) } else { Value::NIL };
        dumper.variable(ctx, "excl", excl, limit)?;
        dumper.variable(ctx, "begin", range.begin(), limit)?;
        return dumper.variable(ctx, "end", range.end(), limit);
    }
    if let Some(exception) = Exception::try_of(object) {
        return dump_exception(dumper, ctx, exception, limit);
    }
    if let Some(table) = set_table(ctx, object) {
        dumper.object_head(ctx, object, 1)?;
        let name = ctx.intern("@hash");
        dumper.symbol(ctx, name)?;
        dumper.skip_number();
        return dumper.hash_body(ctx, table, Value::FALSE, Some(Value::TRUE), limit);
    }
    if let Some((status, pid)) = status_words(ctx, object) {
        dumper.object_head(ctx, object, 2)?;
        dumper.variable(ctx, "status", Value::fixnum(status as i64), limit)?;
        return dumper.variable(ctx, "pid", Value::fixnum(pid as i64), limit);
    }
    if object.has_tag(Tag::Data) || object.has_tag(Tag::CData) {
        let name = ctx.intern("_dump_data");
        if ctx.respond_to(object, name, true)? {
            let content = dumper.call(ctx, object, name, &[])?;
            dumper.class(ctx, b'd', object, true)?;
            return dumper.object(ctx, content, limit);
        }
    }
    Err(super::no_dump_data(ctx, object))
}

/// Message and backtrace come first, what raising added last.
fn dump_exception(dumper: &mut Dumper, ctx: &mut Ctx, exception: Exception, limit: i64) -> Result<()> {
    let object = exception.value();
    let names = variable_names(ctx, object)?;
    // The receiver of a NameError or FrozenError is no part of what is dumped.
    let keeps_receiver = hidden(ctx, object, "__key").is_some();
    let backtrace = backtrace_of(ctx, object);
    let attribute = |ctx: &Ctx, variable: &str| {
        hidden(ctx, object, variable).filter(|_| keeps_receiver || variable != "__receiver")
    };
    let attributes = ATTRIBUTES.iter().filter(|(_, variable)| attribute(ctx, variable).is_some()).count();
    let cause = exception.cause().defined().filter(|cause| !cause.is_nil());
    let locations = exception.positions().is_some().then_some(backtrace);
    let locations = locations.or_else(|| hidden(ctx, object, LOCATIONS));
    dumper.object_head(
        ctx,
        object,
        2 + attributes + names.len() + cause.is_some() as usize + locations.is_some() as usize,
    )?;
    let message = exception.message().defined().unwrap_or(Value::NIL);
    dumper.variable(ctx, "mesg", message, limit)?;
    dumper.variable(ctx, "bt", backtrace, limit)?;
    for (name, variable) in ATTRIBUTES {
        if let Some(value) = attribute(ctx, variable) {
            dumper.variable(ctx, name, value, limit)?;
        }
    }
    dumper.named_variables(ctx, object, &names, limit)?;
    if let Some(cause) = cause {
        dumper.variable(ctx, "cause", cause, limit)?;
    }
    if let Some(locations) = locations {
        dumper.variable(ctx, "bt_locations", locations, limit)?;
    }
    Ok(())
}

/// An object of one of these kinds while its variables are read. The values lie on the machine stack.
pub enum Builder {
    Plain,
    Exception(Exception),
    Range {
        range: Range,
        begin: Value,
        end: Value,
        exclude_end: Value,
    },
    Set {
        set: Value,
        table: Value,
    },
    Status {
        object: Value,
        status: Value,
        pid: Value,
    },
    /// A Rational or Complex as Ruby 1.8 wrote it.
    Number {
        class: Value,
        first: Value,
        second: Value,
    },
}

impl Builder {
    /// The builder for a fresh object; nothing for an object that does not travel as a plain one.
    pub fn of(ctx: &Ctx, object: Value) -> Option<Builder> {
        match object.header()?.tag() {
            Tag::Object => Some(Builder::Plain),
            Tag::Exception => Exception::try_of(object).map(Builder::Exception),
            Tag::Range => Some(Builder::Range {
                range: Range::try_of(object)?,
                begin: Value::NIL,
                end: Value::NIL,
                exclude_end: Value::NIL,
            }),
            _ => set_table(ctx, object).map(|_| Builder::Set { set: object, table: Value::NIL }),
        }
    }

    /// The builder for a number of this class, whose object is made of its parts when they are known.
    pub fn of_number(ctx: &Ctx, class: Value) -> Option<Builder> {
        let is_number = class == ctx.classes().rational.get() || class == ctx.classes().complex.get();
        is_number.then_some(Builder::Number { class, first: Value::NIL, second: Value::NIL })
    }

    /// Takes one variable; says whether it was one of the kind's own.
    pub fn take(&mut self, ctx: &mut Ctx, name: Sym, value: Value) -> bool {
        let bytes = &*ctx.sym_bytes(name).to_vec();
        match self {
            Builder::Plain => return false,
            Builder::Exception(exception) => return take_for_exception(ctx, *exception, bytes, value),
            Builder::Range { begin, end, exclude_end, .. } => match bytes {
                b"begin" => *begin = value,
                b"end" => *end = value,
                b"excl" => *exclude_end = value,
                _ => return true,
            },
            Builder::Set { table, .. } => match bytes {
                b"@hash" => *table = value,
                _ => return true,
            },
            Builder::Status { status, pid, .. } => match bytes {
                b"status" => *status = value,
                b"pid" => *pid = value,
                _ => return true,
            },
            Builder::Number { first, second, .. } => match bytes {
                b"@numerator" | b"@real" => *first = value,
                b"@denominator" | b"@image" => *second = value,
                _ => return true,
            },
        }
        true
    }

    /// The number of the parts that were read.
    pub fn number(self, ctx: &mut Ctx) -> Result {
        match self {
            Builder::Number { class, first, second } => {
                let parts = Array::from_slice(ctx, &[first, second]).value();
                number_of_parts(ctx, class, parts)
            }
            _ => Ok(Value::NIL),
        }
    }

    /// Completes the object after its last variable.
    pub fn finish(self, ctx: &mut Ctx) -> Result<()> {
        match self {
            Builder::Plain | Builder::Number { .. } => {}
            Builder::Exception(exception) => {
                set_hidden(ctx, exception.value(), LOCATIONS, Value::NIL);
                check_causes(ctx, exception)?;
            }
            // One that was dumped before its `initialize`.
            Builder::Range { begin: Value::NIL, end: Value::NIL, exclude_end: Value::NIL, .. } => {}
            Builder::Range { range, begin, end, exclude_end } => {
                ctx.check_range_ends(begin, end)?;
                range.init(ctx, begin, end, exclude_end.truthy());
                if range.header().klass.get() == ctx.classes().range.get() {
                    range.header().set(flags::FROZEN);
                }
            }
            Builder::Set { set, table } => {
                let Some(table) = Hash::try_of(table) else {
                    return Err(rubellite_core_object::wrong_type(ctx, table, "Hash"));
                };
                fill_set(ctx, set, table)?;
            }
            Builder::Status { object, status, pid } => {
                let mut word = |v: Value| if v.is_nil() { Ok(0) } else { ctx.to_int(v) };
                let (status, pid) = (word(status)? as i32, word(pid)? as i32);
                set_status(ctx, object, pid, status);
            }
        }
        Ok(())
    }
}

fn take_for_exception(ctx: &mut Ctx, exception: Exception, name: &[u8], value: Value) -> bool {
    match name {
        b"mesg" => exception.set_message(ctx, value),
        b"bt" => exception.set_backtrace_value(ctx, value),
        b"cause" => exception.set_cause(ctx, value),
        b"bt_locations" => {}
        _ => {
            let Some((_, variable)) = ATTRIBUTES.iter().find(|(known, _)| known.as_bytes() == name) else {
                return false;
            };
            // An instance variable of that name of another class is the program's.
            if name.starts_with(b"@") && !has_variable(ctx, exception.value(), name) {
                return false;
            }
            set_hidden(ctx, exception.value(), variable, value);
        }
    }
    true
}

/// Whether an exception is of the class whose attribute of this name is an instance variable in CRuby.
fn has_variable(ctx: &Ctx, exception: Value, name: &[u8]) -> bool {
    let class = ctx.error_class(if name == b"@path" { "LoadError" } else { "LocalJumpError" });
    ctx.is_a(exception, class.value())
}

fn check_causes(ctx: &mut Ctx, exception: Exception) -> Result<()> {
    let (mut at, mut steps) = (exception.cause(), 0);
    while let Some(cause) = Exception::try_of(at) {
        // A loop that does not hold this exception was there before: it was refused when it was closed.
        steps += 1;
        if cause == exception || steps > 1_000_000 {
            return Err(ctx.argument_error("circular causes"));
        }
        at = cause.cause();
    }
    Ok(())
}

/// The number that `marshal_dump` of a Rational or Complex gave as two parts.
pub fn number_of_parts(ctx: &mut Ctx, class: Value, parts: Value) -> Result {
    use rubellite_vm::object::{Int, integer::is_integer};
    let rational = class == ctx.classes().rational.get();
    let Some(list) = Array::try_of(parts) else {
        return Err(rubellite_core_object::wrong_type(ctx, parts, "Array"));
    };
    let (Some(first), Some(second), 2) = (list.get(0), list.get(1), list.len()) else {
        let (kind, len) = (if rational { "rational" } else { "complex" }, list.len());
        return Err(ctx.argument_error(&format!("marshaled {kind} must have an array whose length is 2 but {len}")));
    };
    if rational {
        if !is_integer(first) || !is_integer(second) {
            return Err(ctx.type_error("not an integer"));
        }
        let part = |v| Int::try_of(v).unwrap_or(Int::ZERO);
        return match Rational::reduce(ctx, &part(first), &part(second)) {
            Some(number) => Ok(number.value()),
            None => Err(ctx.zero_division()),
        };
    }
    let real = |ctx: &Ctx, v: Value| is_integer(v) || ctx.float_value(v).is_some() || v.has_tag(Tag::Rational);
    if !real(ctx, first) || !real(ctx, second) {
        return Err(ctx.type_error("not a real"));
    }
    Ok(Complex::new(ctx, first, second).value())
}
