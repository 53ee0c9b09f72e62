//! `ripper.so`: the native half of Ripper, written in Ruby on the parser that the `prism` gem shows. CRuby's own Ruby files of Ripper stand
//! on it.
//!
//! `ripper.rb` is the class, `tokens.rb` makes Ripper's tokens of Prism's, `events.rb` calls the handlers: the gem's translation walks the
//! tree and says which parser events there are, and the tokens before the end of a construct come before its event. CRuby calls
//! handlers while it parses, so that its token events may come one token earlier.

use rubellite_core_load::register_extension;
use rubellite_vm::{Args, Arity, Class, Ctx, Result, Value, primitive};

pub fn register(ctx: &mut Ctx) {
    register_extension(ctx, "ripper", |ctx| {
        ctx.define_primitives(&[primitive("ripper_define", Arity::ONE, define)]);
        for (source, name) in [(include_str!("ripper.rb"), "ripper"), (include_str!("tokens.rb"), "ripper/tokens")] {
            ctx.run_internal(source, name)?;
        }
        Ok(())
    });
    // The translation needs Ripper's tables: it is loaded when something is parsed first.
    register_extension(ctx, "ripper/events", |ctx| ctx.run_internal(include_str!("events.rb"), "ripper/events").map(drop));
}

/// `ripper_define(class, source)`: methods of the class, whose names may be the runtime's own.
fn define(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(class) = Class::try_of(recv) else { return Ok(Value::NIL) };
    let source = ctx.to_str(args.at(0))?.to_lossy(ctx).into_owned();
    ctx.run_internal_in(&source, "ripper", class)
}
