//! File: the class. Path names are `path`, stat(2) `stat` and `test`.

pub mod path;
pub mod stat;
pub mod test;

use crate::system::io::open;
use rubellite_vm::{Arity, Class, ClassDef, Ctx, Result, Value, method};

pub static FILE: ClassDef = ClassDef {
    name: "File",
    superclass: "IO",
    methods: &[method("initialize", Arity::range(1, 3).with_keywords(), open::file_initialize)],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

fn setup(ctx: &mut Ctx, file: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, file.value()).ok_or(rubellite_vm::Unwind)?;
    for def in path::SINGLETON.iter().chain(test::QUESTIONS) {
        ctx.define_native(singleton, def);
    }
    let separator = rubellite_vm::object::Str::utf8(ctx, "/").value();
    if let Some(header) = separator.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    for name in ["SEPARATOR", "Separator"] {
        file.set_const(ctx, name, separator);
    }
    file.set_const(ctx, "ALT_SEPARATOR", Value::NIL);
    let colon = rubellite_vm::object::Str::utf8(ctx, ":").value();
    if let Some(header) = colon.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    file.set_const(ctx, "PATH_SEPARATOR", colon);
    Ok(())
}
