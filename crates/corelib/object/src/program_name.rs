//! `$0`, which messages begin with when no Ruby code runs.

use crate::slot::Slot;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Extension, Value};

/// The value of `$0`.
#[derive(Default)]
struct ProgramName(Slot);

impl Extension for ProgramName {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.0.get());
    }
}

/// The String object, or nil before there is one.
pub fn get(ctx: &Ctx) -> Value {
    ctx.extension::<ProgramName>().0.get()
}

pub fn set(ctx: &Ctx, name: Str) {
    ctx.extension::<ProgramName>().0.set(name.value());
}

/// The text of `$0`, when a script runs.
pub fn text(ctx: &Ctx) -> Option<String> {
    Str::try_of(get(ctx)).map(|name| name.to_lossy(ctx).into_owned())
}
