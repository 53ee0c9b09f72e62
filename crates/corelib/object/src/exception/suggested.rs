//! What SyntaxSuggest says in messages of syntax errors. Until one is asked for its library is not loaded, but for a
//! module in front of SyntaxError that does so and hands on to the library's own.

use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::object::Hash;
use rubellite_vm::{Args, CallKind, Ctx, Extension, Result, Unwind, Value};
use std::cell::Cell;

static DETAILED_MESSAGE: MethodDef = method("detailed_message", Arity::NONE.with_keywords(), detailed_message);
const LIBRARY: &str = "syntax_suggest/core_ext";

/// The module that stands in front of SyntaxError, and whether its library has been asked for.
struct Module {
    value: Cell<Value>,
    loaded: Cell<bool>,
}

impl Default for Module {
    fn default() -> Self {
        Module { value: Cell::new(Value::NIL), loaded: Cell::new(false) }
    }
}

impl Extension for Module {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.value.get());
    }
}

/// Puts the module in front of SyntaxError.
pub fn install(ctx: &mut Ctx) -> Result<()> {
    let class = ctx.classes().module.get();
    let module = Class::new_module(ctx, class);
    ctx.extension::<Module>().value.set(module.value());
    ctx.define_native(module, &DETAILED_MESSAGE);
    ctx.named_class("SyntaxError")?.prepend(ctx, module).map_err(|_| Unwind)
}

/// `detailed_message(**) -> string`: that of the library, which asks for this one again.
fn detailed_message(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let options = match args.keywords() {
        Some(given) => given.dup(ctx),
        None => Hash::new(ctx),
    };
    let name = ctx.names().detailed_message;
    if !ctx.extension::<Module>().loaded.replace(true) && load(ctx)? {
        return ctx.call_full(recv, name, &[options.value()], true, Value::NIL, CallKind::Any);
    }
    let module = ctx.extension::<Module>().value.get();
    let module = ctx.expect(module)?;
    ctx.call_super_with_keywords(recv, module, name, options)
}

/// Loads the library; false: it was loaded before, or is not there.
fn load(ctx: &mut Ctx) -> Result<bool> {
    let error = ctx.error_class("LoadError").value();
    let main = ctx.vm().main_object.get();
    let name = super::string(ctx, LIBRARY);
    let loaded = ctx.rescue(error, |ctx| ctx.call_name(main, "require", &[name]), |_, _| Ok(Value::FALSE))?;
    Ok(loaded.truthy())
}
