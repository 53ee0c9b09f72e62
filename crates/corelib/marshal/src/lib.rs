//! Marshal: objects to and from bytes, format 4.8.
//!
//! `dump.rs` writes, `load.rs` reads (its bytes come from `source.rs`), `number.rs` has the text of floats and the
//! words of integers. Classes whose state is not instance variables (Range, Exception, Set ...) travel as objects with
//! variables: `compat.rs` says which ones, both ways. Time writes itself: `corelib/time/src/marshal.rs`.
//!
//! Both directions recurse natively and ask for room on the machine stack at each level, so that deep or hostile data
//! ends in a SystemStackError. Lengths in the data are never trusted: room is reserved for what the source can still
//! hold.

mod compat;
mod dump;
mod load;
mod number;
mod source;

use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Tag, Unwind, Value, method};

pub use dump::dump_pieces;

const MAJOR: u8 = 4;
const MINOR: u8 = 8;

/// Every class of this part.
pub static DEFS: &[&ClassDef] = &[&MARSHAL];

pub static MARSHAL: ClassDef = ClassDef {
    name: "Marshal",
    superclass: "",
    module_functions: &[
        method("dump", Arity::range(1, 3), dump),
        method("load", Arity::range(1, 2).with_keywords(), load),
        method("restore", Arity::range(1, 2).with_keywords(), load),
    ],
    setup: Some(define_versions),
    ..ClassDef::EMPTY
};

fn define_versions(ctx: &mut Ctx, marshal: Class) -> Result<()> {
    marshal.set_const(ctx, "MAJOR_VERSION", Value::fixnum(MAJOR as i64));
    marshal.set_const(ctx, "MINOR_VERSION", Value::fixnum(MINOR as i64));
    Ok(())
}

#[cold]
fn io_needed(ctx: &mut Ctx) -> Unwind {
    ctx.type_error("instance of IO needed")
}

/// `dump(object, limit = -1) -> string`, `dump(object, io, limit = -1) -> io`
fn dump(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (second, third) = (args.get(1), args.get(2));
    let mut limit = -1;
    let mut port = Value::NIL;
    match (second, third) {
        (Some(io), Some(depth)) => {
            if !depth.is_nil() {
                limit = limit_of(ctx, depth)?;
            }
            if io.is_nil() {
                return Err(io_needed(ctx));
            }
            port = io;
        }
        (Some(depth), None) if depth.is_fixnum() => limit = limit_of(ctx, depth)?,
        (Some(Value::NIL), None) => return Err(io_needed(ctx)),
        (Some(io), None) => port = io,
        _ => {}
    }
    dump::dump(ctx, args.at(0), port, limit)
}

/// The depth limit: a 32-bit number.
fn limit_of(ctx: &mut Ctx, depth: Value) -> Result<i64> {
    let limit = ctx.to_int(depth)?;
    if i32::try_from(limit).is_err() {
        let size = if limit < 0 { "small" } else { "big" };
        return Err(ctx.range_error(&format!("integer {limit} too {size} to convert to 'int'")));
    }
    Ok(limit)
}

/// `load(source, proc = nil, freeze: false) -> object`
fn load(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["freeze"])?;
    let freeze = args.keyword(ctx, "freeze").is_some_and(Value::truthy);
    let args = args.positional();
    load::load(ctx, args.at(0), args.at(1), freeze)
}

/// Whether instances of this kind exist only inside the process.
fn no_dump_data(ctx: &mut Ctx, object: Value) -> Unwind {
    let class = ctx.real_class(object).inspect(ctx);
    let plain = matches!(object.header().map(|h| h.tag()), Some(Tag::MatchData));
    let io = ctx.classes().io.get();
    if plain || ctx.is_a(object, io) {
        return ctx.type_error(&format!("can't dump {class}"));
    }
    ctx.type_error(&format!("no _dump_data is defined for class {class}"))
}
