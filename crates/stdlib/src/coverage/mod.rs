//! `coverage`: written in Ruby, on trace points; branches are counted by the code itself, which is compiled so while
//! they are wanted.

use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, primitive};

static COVERAGE: ClassDef = ClassDef {
    name: "Coverage",
    superclass: "",
    primitives: &[
        primitive("coverage_counts_branches", Arity::ONE, counts_branches),
        primitive("coverage_runs", Arity::ONE, runs),
    ],
    ..ClassDef::EMPTY
};

/// `coverage_counts_branches(coverage, bool)`: whether sources of programs that are compiled from now on count their
/// branches.
fn counts_branches(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.vm().counts_branches.set(args.at(0).truthy());
    Ok(Value::NIL)
}

/// `coverage_runs(coverage, bool)`: whether they do it now.
fn runs(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.vm().coverage_runs.set(args.at(0).truthy());
    Ok(Value::NIL)
}

fn load_coverage(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&COVERAGE)?;
    ctx.run_internal(include_str!("coverage.rb"), "coverage").map(drop)
}

pub fn register(ctx: &mut Ctx) {
    use rubellite_core_load::register_extension;
    register_extension(ctx, "coverage", load_coverage);
}
