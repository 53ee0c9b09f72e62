//! tmp
use rubellite_vm::object::Complex;
use rubellite_vm::{Args, Ctx, Result, Value};
macro_rules! stub { ($($n:ident)*) => { $(pub fn $n(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result { Err(ctx.not_implemented("Complex")) })* } }
stub!(numeric_to_c numeric_i numeric_abs2 numeric_arg numeric_rect numeric_polar float_arg kernel_complex);
pub fn real_plus(ctx: &mut Ctx, _r: Value, _c: Complex) -> Result { Err(ctx.not_implemented("Complex")) }
pub fn real_times(ctx: &mut Ctx, _r: Value, _c: Complex) -> Result { Err(ctx.not_implemented("Complex")) }
pub fn polar_pi(ctx: &mut Ctx, _a: f64, _b: f64) -> Result { Err(ctx.not_implemented("Complex")) }
