//! tmp
use rubellite_vm::object::{Int, Rational};
use rubellite_vm::{Args, Ctx, Result, Value};
pub fn make(ctx: &mut Ctx, n: &Int, d: &Int) -> Result {
    match Rational::reduce(ctx, n, d) {
        Some(r) => Ok(r.value()),
        None => Err(ctx.zero_division()),
    }
}
pub fn rationalize_within(ctx: &mut Ctx, _v: Value, _eps: Value) -> Result {
    Err(ctx.not_implemented("rationalize"))
}
pub fn kernel_rational(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Err(ctx.not_implemented("Rational"))
}
