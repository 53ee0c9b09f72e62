//! Libraries in Ruby whose installed files are for another version of Ruby, or rely on what only CRuby's virtual
//! machine or parser has.

use rubellite_core_load as load;
use rubellite_core_load::{register as add, register_for_older as add_for_older};
use rubellite_core_object::exception::{correctable, highlight, suggested};
use rubellite_vm::class::unimplemented;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, primitive};

/// The library's method takes this one's place, which stands in backtraces under CRuby's path: irb and debuggers pass
/// over its frame.
const BINDING_IRB: &str = "\
class Binding
  def irb(show_code: true)
    require 'irb'
    irb(show_code: show_code)
  end
end
";

pub fn register(ctx: &mut Ctx) {
    add_for_older(ctx, "delegate", |ctx| {
        ctx.define_primitives(&[primitive("delegator_define", Arity::ONE, define_delegator)]);
        ruby(ctx, "delegate", include_str!("delegate.rb"))
    });
    add(ctx, "continuation", continuation);
    add_for_older(ctx, "forwardable/impl", |ctx| ruby(ctx, "forwardable/impl", include_str!("forwardable.rb")));
    add(ctx, "did_you_mean", did_you_mean);
    add(ctx, "error_highlight", highlight::install);
    add_for_older(ctx, "random/formatter", |ctx| ruby(ctx, "random/formatter", include_str!("random_formatter.rb")));
    add_for_older(ctx, "pp", |ctx| ruby(ctx, "pp", include_str!("pp.rb")));
}

/// What is there without `require`, unless the command line disables it: DidYouMean and SyntaxSuggest are loaded when
/// an error is reported.
pub fn announce_error_helpers(ctx: &mut Ctx, highlight: bool, did_you_mean: bool, syntax_suggest: bool) -> Result<()> {
    ctx.run_source(BINDING_IRB.as_bytes(), "<internal:prelude>", false)?;
    if highlight {
        highlight::install(ctx)?;
    }
    if did_you_mean {
        correctable::install(ctx)?;
        load::announce(ctx, "DidYouMean", "did_you_mean")?;
    }
    if syntax_suggest {
        suggested::install(ctx)?;
        load::announce(ctx, "SyntaxSuggest", "syntax_suggest/core_ext")?;
    }
    Ok(())
}

/// `callcc` as on systems that do not offer it: stacks are not copied here.
fn continuation(ctx: &mut Ctx) -> Result<()> {
    static KERNEL: ClassDef = ClassDef {
        name: "Kernel",
        superclass: "",
        methods: &[unimplemented("callcc", Arity::NONE)],
        ..ClassDef::EMPTY
    };
    ctx.warn("callcc is obsolete; use Fiber instead")?;
    ctx.install(&KERNEL)?;
    Ok(())
}

fn did_you_mean(ctx: &mut Ctx) -> Result<()> {
    ruby(ctx, "did_you_mean", include_str!("did_you_mean.rb"))?;
    let module = correctable::install(ctx)?;
    ctx.named_class("DidYouMean")?.set_const(ctx, "Correctable", module);
    Ok(())
}

/// `(class, name)`: a method that calls the method of the same name of what `__getobj__` gives. The name can stand
/// behind `def`.
fn define_delegator(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (Some(class), Some(name)) = (Class::try_of(recv), args.at(0).as_symbol()) else { return Ok(Value::NIL) };
    let name = ctx.sym_str(name);
    ctx.run_internal_in(&format!("def {name}(...) = __getobj__.__send__(:{name}, ...)"), "delegate", class)
}

fn ruby(ctx: &mut Ctx, name: &str, source: &str) -> Result<()> {
    ctx.run_internal(source, name)?;
    Ok(())
}
