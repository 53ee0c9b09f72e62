//! tmp
use rubellite_vm::{Args, Ctx, Result, Value};
macro_rules! stub { ($($n:ident)*) => { $(pub fn $n(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result { Err(ctx.not_implemented("Random")) })* } }
stub!(kernel_rand srand);
