//! What errors about misspelled names add to their messages. The library that knows what they may have meant,
//! DidYouMean, is loaded when a message is asked for.

use super::message::embolden;
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::{Args, Ctx, Extension, Result, Unwind, Value};
use std::cell::Cell;

static METHODS: &[MethodDef] = &[
    method("original_message", Arity::NONE, original_message),
    method("detailed_message", Arity::NONE.with_keywords(), detailed_message),
    method("corrections", Arity::NONE, corrections),
    method("spell_checker", Arity::NONE, spell_checker),
];

/// The module `DidYouMean::Correctable`, which is there before the library.
struct Module(Cell<Value>);

impl Default for Module {
    fn default() -> Self {
        Module(Cell::new(Value::NIL))
    }
}

impl Extension for Module {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.0.get());
    }
}

/// The module, made and prepended to the classes that are corrected when it is first asked for.
pub fn install(ctx: &mut Ctx) -> Result {
    let known = ctx.extension::<Module>().0.get();
    if !known.is_nil() {
        return Ok(known);
    }
    let class = ctx.classes().module.get();
    let module = Class::new_module(ctx, class);
    module.set_own_name(ctx, "DidYouMean::Correctable");
    ctx.extension::<Module>().0.set(module.value());
    for def in METHODS {
        ctx.define_native(module, def);
    }
    for name in ["NameError", "KeyError", "LoadError", "NoMatchingPatternKeyError"] {
        let class = ctx.named_class(name)?;
        class.prepend(ctx, module).map_err(|_| Unwind)?;
    }
    Ok(module.value())
}

fn original_message(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.names().to_s;
    ctx.call(recv, name, &[])
}

/// `detailed_message(highlight: true, did_you_mean: true, **) -> string`
fn detailed_message(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let options = match args.keywords() {
        Some(given) => given.dup(ctx),
        None => Hash::new(ctx),
    };
    for name in ["highlight", "did_you_mean"] {
        let key = ctx.intern(name);
        if options.get_sym(ctx, key).is_none() {
            options.insert(ctx, Value::symbol(key), Value::TRUE)?;
        }
    }
    let option = |ctx: &Ctx, name: &'static str| options.get_sym(ctx, ctx.intern(name)).is_some_and(Value::truthy);
    let (wanted, highlight) = (option(ctx, "did_you_mean"), option(ctx, "highlight"));
    let plain = plain_message(ctx, recv, options)?;
    if !wanted {
        return Ok(plain);
    }
    let standard_error = ctx.classes().standard_error.get();
    ctx.rescue(
        standard_error,
        |ctx| {
            let found = ctx.call_name(recv, "corrections", &[])?;
            let library = library(ctx)?;
            let formatter = ctx.call_name(library, "formatter", &[])?;
            let text = ctx.call_name(formatter, "message_for", &[found])?;
            let text = ctx.to_str(text)?;
            let out = ctx.to_str(plain)?.dup(ctx);
            let suggestion = if highlight { embolden(text.bytes(ctx)) } else { text.bytes(ctx).to_vec() };
            let suggestion = Str::new(ctx, &suggestion, text.encoding());
            ctx.call_name(out.value(), "<<", &[suggestion.value()])
        },
        |ctx, _| plain_message(ctx, recv, options),
    )
}

/// What the class itself answers.
fn plain_message(ctx: &mut Ctx, recv: Value, options: Hash) -> Result {
    let owner = install(ctx)?;
    let owner = ctx.expect(owner)?;
    let name = ctx.names().detailed_message;
    ctx.call_super_with_keywords(recv, owner, name, options)
}

fn corrections(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.intern("@corrections");
    if let Some(known) = ctx.ivar_get(recv, name).defined().filter(|known| known.truthy()) {
        return Ok(known);
    }
    let checker = ctx.call_name(recv, "spell_checker", &[])?;
    let found = ctx.call_name(checker, "corrections", &[])?;
    ctx.call_name(recv, "instance_variable_set", &[Value::symbol(name), found])
}

fn spell_checker(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let library = library(ctx)?;
    let checkers = ctx.call_name(library, "spell_checkers", &[])?;
    let class = ctx.real_class(recv).inspect(ctx);
    let class = crate::support::string(ctx, &class);
    let checker = ctx.call_name(checkers, "[]", &[class])?;
    ctx.call_name(checker, "new", &[recv])
}

/// The module DidYouMean.
fn library(ctx: &mut Ctx) -> Result {
    let object = ctx.classes().object.class();
    let name = ctx.intern("DidYouMean");
    ctx.as_main_ractor(|ctx| ctx.const_get(object, name, false))
}
