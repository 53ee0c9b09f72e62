//! The checked mode, `RUBELLITE_CEXT=check`: every value that C code hands to a function of the interface must be an
//! immediate or an object that lives. An object that only malloc memory holds, or that a mark function forgot, is found
//! when it is used the next time and has been freed, and not when something else lies there; with `RUBELLITE_STRESS=gc`
//! that is at once. That the lock is held is looked at always.
//!
//! Words that the interface passes on to C functions without looking at them may be any; the parameters that take them
//! are called `data` or `argument` in this crate.

use rubellite_vm::{Ctx, Value, complain};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static ON: AtomicBool = AtomicBool::new(false);

/// Looks at the environment; called before the first extension is loaded.
pub fn begin() {
    ON.store(std::env::var_os("RUBELLITE_CEXT").is_some_and(|modes| modes == "check"), Relaxed);
}

/// C code runs that may use objects that are dead: free functions, and what is told of the heap.
static AMID_DEAD: AtomicBool = AtomicBool::new(false);

/// Runs such code.
pub fn amid_dead<R>(code: impl FnOnce() -> R) -> R {
    let outer = AMID_DEAD.swap(true, Relaxed);
    let result = code();
    AMID_DEAD.store(outer, Relaxed);
    result
}

#[inline(always)]
pub fn is_on() -> bool {
    ON.load(Relaxed)
}

/// An argument of any type, for `MayBeValue` and `NoValue`.
pub struct Argument<T>(pub T);

/// The value that an argument is. By the rules of method resolution it is asked before `NoValue`.
pub trait MayBeValue {
    fn value(&self) -> Option<Value>;
}

impl MayBeValue for Argument<Value> {
    fn value(&self) -> Option<Value> {
        Some(self.0)
    }
}

/// All other types.
pub trait NoValue {
    fn value(&self) -> Option<Value>;
}

impl<T> NoValue for &Argument<T> {
    fn value(&self) -> Option<Value> {
        None
    }
}

/// Ends the process, and says why, if an argument of this function is no object.
#[cold]
pub fn arguments(ctx: &Ctx, function: &str, arguments: &[(&str, Option<Value>)]) {
    for (name, value) in arguments {
        if let Some(value) = value.filter(|_| !matches!(*name, "data" | "argument")) {
            one(ctx, function, name, value);
        }
    }
}

/// The same for a list of arguments of a method.
#[cold]
pub fn list(ctx: &Ctx, values: &[Value]) {
    for (at, value) in values.iter().enumerate() {
        one(ctx, "a call of a method", &format!("argument {at}"), *value);
    }
}

fn one(ctx: &Ctx, function: &str, name: &str, value: Value) {
    if ctx.is_value(value) || AMID_DEAD.load(Relaxed) {
        return;
    }
    let function = function.replacen("rbl_", "rb_", 1);
    let place = match ctx.source_location() {
        (Some(file), line) => format!("{file}:{line}"),
        (None, _) => "C code".to_string(),
    };
    complain!(
        "[FATAL] {place}: {function} was given {:#x} ({name}), where no object lives: it was freed, since nothing that \
         the collector looks at referred to it, or there never was one",
        value.bits()
    );
    std::process::abort();
}
