//! Members of Struct and Data classes: where a class keeps them, and the accessors of the first ones, which compiled
//! code knows.

use super::{Array, Struct};
use crate::Result;
use crate::call::Args;
use crate::class::{Class, NativeFn};
use crate::ctx::Ctx;
use rubellite_value::Value;

/// Members with functions of their own.
pub const NEAR: usize = 24;

macro_rules! accessors {
    ($function:ident: $($i:literal)*) => { [$($function::<$i>),*] };
}

pub static READERS: [NativeFn; NEAR] = accessors!(read: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
pub static WRITERS: [NativeFn; NEAR] = accessors!(write: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);

/// Members, an Array of symbols, and settings of the nearest record class.
pub fn record_info(ctx: &Ctx, class: Class) -> Option<Array> {
    let mut at = Some(class);
    while let Some(class) = at {
        if let Some(info) = Array::try_of(class.extra(ctx)) {
            return Some(info);
        }
        at = class.superclass(ctx);
    }
    None
}

fn read<const I: usize>(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Struct::try_of(recv).and_then(|s| s.get(I)).unwrap_or(Value::NIL))
}

fn write<const I: usize>(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    if let Some(record) = Struct::try_of(recv) {
        record.set(ctx, I, args.at(0));
    }
    Ok(args.at(0))
}

/// Which member the native function reads or writes, if it is one of these, and whether it writes.
pub fn accessed(function: NativeFn) -> Option<(usize, bool)> {
    let place = |list: &[NativeFn]| list.iter().position(|known| *known as usize == function as usize);
    place(&READERS).map(|at| (at, false)).or_else(|| place(&WRITERS).map(|at| (at, true)))
}
