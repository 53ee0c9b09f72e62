//! Files: the class File. Path names are `path`, questions `stat` and `test`, changes `ops`, patterns `glob`,
//! directories `dir`.

pub mod constants;
pub mod dir;
pub mod glob;
pub mod ops;
pub mod path;
pub mod stat;
pub mod test;

use crate::io::open;
use rubellite_vm::{Arity, Class, ClassDef, Ctx, Result, Value, method};

pub static FILE: ClassDef = ClassDef {
    name: "File",
    superclass: "IO",
    methods: &[method("initialize", Arity::ANY.with_keywords(), open::file_initialize)],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

const FNMATCH: &[rubellite_vm::MethodDef] =
    &[method("fnmatch", Arity::range(2, 3), dir::fnmatch), method("fnmatch?", Arity::range(2, 3), dir::fnmatch)];

fn setup(ctx: &mut Ctx, file: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, file.value()).ok_or(rubellite_vm::Unwind)?;
    for def in path::SINGLETON.iter().chain(test::QUESTIONS).chain(ops::SINGLETON).chain(FNMATCH) {
        ctx.define_native(singleton, def);
    }
    for def in ops::METHODS {
        ctx.define_native(file, def);
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
