//! Libraries in Ruby whose installed files are for another version of Ruby, or rely on what only CRuby's virtual machine or
//! parser has.

use rubellite_corelib::object::exception::{correctable, highlight};
use rubellite_corelib::system::load::{self, register as add};
use rubellite_vm::{Ctx, Result};

pub fn register(ctx: &mut Ctx) {
    add(ctx, "delegate", |ctx| ruby(ctx, "delegate", include_str!("delegate.rb")));
    add(ctx, "irb", |ctx| ruby(ctx, "irb", include_str!("irb.rb")));
    add(ctx, "ripper", |ctx| ruby(ctx, "ripper", include_str!("ripper.rb")));
    add(ctx, "forwardable/impl", |ctx| ruby(ctx, "forwardable/impl", include_str!("forwardable.rb")));
    add(ctx, "did_you_mean", did_you_mean);
    add(ctx, "error_highlight", highlight::install);
    add(ctx, "random/formatter", |ctx| ruby(ctx, "random/formatter", include_str!("random_formatter.rb")));
    add(ctx, "pp", |ctx| ruby(ctx, "pp", include_str!("pp.rb")));
}

/// What is there without `require`, unless the command line disables it: DidYouMean is loaded when an error is reported.
pub fn announce_error_helpers(ctx: &mut Ctx, highlight: bool, did_you_mean: bool) -> Result<()> {
    if highlight {
        highlight::install(ctx)?;
    }
    if did_you_mean {
        correctable::install(ctx)?;
        load::announce(ctx, "DidYouMean", "did_you_mean")?;
    }
    Ok(())
}

fn did_you_mean(ctx: &mut Ctx) -> Result<()> {
    ruby(ctx, "did_you_mean", include_str!("did_you_mean.rb"))?;
    let module = correctable::install(ctx)?;
    ctx.named_class("DidYouMean")?.set_const(ctx, "Correctable", module);
    Ok(())
}

fn ruby(ctx: &mut Ctx, name: &str, source: &str) -> Result<()> {
    ctx.run_source(source.as_bytes(), &format!("<internal:{name}>"), false)?;
    Ok(())
}
