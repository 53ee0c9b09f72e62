//! Methods of the core that are other names of methods of the same class: `Method#original_name`, backtraces and traces
//! call them by the original's name.

use rubellite_vm::class::Class;
use rubellite_vm::{Ctx, Result, Unwind};

/// Other names and originals of a class's instance methods.
type Names = &'static [(&'static str, &'static str)];

const OF_INSTANCES: &[(&str, Names)] = &[
    ("Array", &[("append", "push"), ("prepend", "unshift"), ("to_s", "inspect")]),
    ("Data", &[("to_s", "inspect")]),
    ("FalseClass", &[("inspect", "to_s")]),
    ("Fiber", &[("inspect", "to_s")]),
    ("Float", &[("inspect", "to_s"), ("magnitude", "abs")]),
    ("Hash", &[("to_s", "inspect")]),
    ("IO", &[("to_i", "fileno")]),
    ("Integer", &[("inspect", "to_s"), ("magnitude", "abs")]),
    ("MatchData", &[("deconstruct", "captures")]),
    ("Module", &[("inspect", "to_s")]),
    ("Numeric", &[("conj", "conjugate"), ("imag", "imaginary")]),
    ("Proc", &[("inspect", "to_s")]),
    ("SignalException", &[("signm", "message")]),
    ("String", &[("dedup", "-@")]),
    ("Struct", &[("to_s", "inspect")]),
    ("Symbol", &[("id2name", "to_s"), ("intern", "to_sym")]),
    ("Thread", &[("inspect", "to_s")]),
    ("Thread::Queue", &[("size", "length")]),
    ("Thread::SizedQueue", &[("size", "length")]),
    ("Time", &[("iso8601", "xmlschema")]),
    ("TrueClass", &[("inspect", "to_s")]),
];

const OF_CLASSES: &[(&str, Names)] =
    &[("Marshal", &[("restore", "load")]), ("Time", &[("gm", "utc"), ("mktime", "local")])];

/// Makes them what they are called.
///
/// # Errors
/// A class is missing.
pub fn define(ctx: &mut Ctx) -> Result<()> {
    for (class, names) in OF_INSTANCES {
        let class = ctx.named_class(class)?;
        define_all(ctx, class, names);
    }
    for (class, names) in OF_CLASSES {
        let class = ctx.named_class(class)?;
        let singleton = Class::singleton_class(ctx, class.value()).ok_or(Unwind)?;
        define_all(ctx, singleton, names);
    }
    Ok(())
}

fn define_all(ctx: &mut Ctx, class: Class, names: Names) {
    for (new, old) in names {
        ctx.rename_core_method(class, new, old);
    }
}
