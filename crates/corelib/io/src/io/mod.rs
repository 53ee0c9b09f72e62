//! IO: the class. Methods lie in `methods` (closing, positions, flags), `read`, `lines`, `write`, `open`, `select`,
//! `copy`; descriptors meet the lock in `device`, `writing` and `waiting`; per-element iteration is `io.rb`.

pub mod buffer;
pub mod class_methods;
mod copy;
pub mod decode;
pub mod device;
pub mod lines;
pub mod methods;
pub mod mode;
pub mod open;
pub mod read;
mod reopen;
mod scheduled;
pub mod select;
pub mod state;
pub mod waiting;
pub mod write;
mod writing;

use rubellite_vm::object::Str;
use rubellite_vm::{Arity, Class, ClassDef, Ctx, MethodDef, Result, Value, method};
use state::{IoState, mode as bits};

pub static IO: ClassDef = ClassDef {
    name: "IO",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(open::allocate),
    singleton_methods: &[
        method("open", Arity::ANY.with_keywords(), open::open_class),
        method("for_fd", Arity::ANY.with_keywords(), open::for_fd),
        method("sysopen", Arity::range(1, 3), open::sysopen),
        method("select", Arity::range(1, 4), select::select),
    ],
    setup: Some(setup),
    ruby: include_str!("io.rb"),
    ..ClassDef::EMPTY
};

const ALL: &[&[MethodDef]] = &[methods::METHODS, read::METHODS, lines::METHODS, write::METHODS];

fn setup(ctx: &mut Ctx, io: Class) -> Result<()> {
    ctx.define_primitives(lines::PRIMITIVES);
    for def in ALL.iter().flat_map(|list| list.iter()) {
        ctx.define_native(io, def);
    }
    let singleton = Class::singleton_class(ctx, io.value()).ok_or(rubellite_vm::Unwind)?;
    for def in class_methods::SINGLETON {
        ctx.define_native(singleton, def);
    }
    for (name, value) in [
        ("SEEK_SET", libc::SEEK_SET),
        ("SEEK_CUR", libc::SEEK_CUR),
        ("SEEK_END", libc::SEEK_END),
        ("SEEK_DATA", libc::SEEK_DATA),
        ("SEEK_HOLE", libc::SEEK_HOLE),
        ("READABLE", 1),
        ("PRIORITY", 2),
        ("WRITABLE", 4),
    ] {
        io.set_const(ctx, name, Value::fixnum(value as i64));
    }
    crate::globals::setup(ctx)?;
    standard_streams(ctx)
}

/// STDIN, STDOUT and STDERR.
fn standard_streams(ctx: &mut Ctx) -> Result<()> {
    let streams = new_streams(ctx);
    let object = ctx.named_class("Object")?;
    for (name, stream) in ["STDIN", "STDOUT", "STDERR"].into_iter().zip(streams) {
        object.set_const(ctx, name, stream);
    }
    crate::globals::set_streams(ctx, streams[0], streams[1], streams[2]);
    Ok(())
}

/// New objects for the standard streams.
pub fn new_streams(ctx: &mut Ctx) -> [Value; 3] {
    let klass = ctx.classes().io.get();
    let mut streams = [Value::NIL; 3];
    for (fd, name, access) in
        [(0, "<STDIN>", bits::READ), (1, "<STDOUT>", bits::WRITE), (2, "<STDERR>", bits::WRITE | bits::SYNC)]
    {
        let state = IoState::new(fd, access | bits::STANDARD);
        let path = Str::utf8(ctx, name);
        state.path.set(path.value());
        let io = state::wrap(ctx, klass, state);
        streams[fd as usize] = io;
    }
    streams
}
