//! `Rubellite::JIT`: what a program sees of the compiler.

use crate::state::Jit;
use rubellite_vm::object::Hash;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static JIT: ClassDef = ClassDef {
    name: "Rubellite::JIT",
    superclass: "",
    singleton_methods: &[method("enabled?", Arity::NONE, is_enabled), method("stats", Arity::NONE, stats)],
    ..ClassDef::EMPTY
};

/// Defines the module, and finds what code does without a call while core classes are as they were made.
///
/// # Errors
/// What defining a module raises.
pub fn define(ctx: &mut Ctx) -> Result<()> {
    if ctx.vm().compiler().is_some() {
        *Jit::of(ctx).builtins.borrow_mut() = crate::lower::builtins::find(ctx);
        *Jit::of(ctx).entries.borrow_mut() = crate::lower::entries::find(ctx);
    }
    ctx.install(&JIT).map(|_| ())
}

/// `enabled?`: whether hot code is compiled.
fn is_enabled(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.vm().compiler().is_some()))
}

/// `stats`: a Hash of counts.
fn stats(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let jit = Jit::of(ctx);
    let mut exits = 0;
    jit.each_exit(|exit| exits += exit.count.get());
    let units = jit.units.borrow().len() as u64;
    let numbers = [
        ("units", units),
        ("compilations", jit.compiled.get()),
        ("refused", jit.refused.get()),
        ("postponed", jit.budget.postponed.get()),
        ("retired", jit.retired.get()),
        ("code_bytes", jit.bytes.get() as u64),
        ("compile_nanoseconds", jit.nanoseconds.get()),
        ("exits", exits),
    ];
    let hash = Hash::with_capacity(ctx, numbers.len());
    for (name, number) in numbers {
        let (key, value) = (Value::symbol(ctx.intern(name)), ctx.int(number as i64));
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}
