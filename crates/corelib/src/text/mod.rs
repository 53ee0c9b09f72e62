//! Core classes: text.

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[];

use rubellite_vm::{Ctx, Encoding, MatchPart, Result, Value};

/// Makes a Regexp from source and flags.
pub fn new_regexp(ctx: &mut Ctx, _source: &[u8], _encoding: Encoding, _flags: u8) -> Result {
    Err(ctx.not_implemented("Regexp"))
}

/// The Encoding object.
pub fn encoding_object(_ctx: &mut Ctx, _encoding: Encoding) -> Value {
    Value::NIL
}

/// A part of a MatchData.
pub fn match_part(_ctx: &mut Ctx, _matched: Value, _part: MatchPart) -> Value {
    Value::NIL
}
