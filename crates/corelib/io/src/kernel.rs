//! Kernel: input and output functions.

use crate::file::path::get_path;
use crate::io::{device, open, state, write};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, MethodDef, Result, Value, method};

pub static KERNEL_IO: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: FUNCTIONS,
    ruby: include_str!("kernel.rb"),
    ..ClassDef::EMPTY
};

const FUNCTIONS: &[MethodDef] = &[
    method("puts", Arity::ANY, puts),
    method("print", Arity::ANY, print),
    method("p", Arity::ANY, p),
    method("putc", Arity::exact(1), putc),
    method("printf", Arity::ANY, printf),
    method("open", Arity::ANY.with_keywords(), kernel_open),
    method("select", Arity::range(1, 4), crate::io::select::select),
    method("syscall", Arity::at_least(1), syscall),
    method("test", Arity::range(2, 3), crate::file::test::kernel_test),
];

/// `puts` on `$stdout`.
fn puts(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let out = write::stdout(ctx);
    if recv == out {
        return write::io_puts(ctx, recv, args);
    }
    let name = ctx.intern("puts");
    ctx.call_args(out, name, args)
}

fn print(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let out = write::stdout(ctx);
    write::io_print(ctx, out, args)
}

/// `p(*objects)`: what `inspect` says, a line each.
fn p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    for i in 0..args.len() {
        let text = ctx.inspect_str(args.at(i))?;
        let line = text.dup(ctx);
        line.push_byte(ctx, b'\n');
        let out = write::stdout(ctx);
        write::write_to(ctx, out, line.value())?;
    }
    let out = write::stdout(ctx);
    if let Some(io) = state::try_state(ctx, out).filter(|io| !io.wbuf.borrow().is_empty()) {
        // No place for what `handle_interrupt` puts off until a wait.
        let thread = ctx.thread().clone();
        let deferred = thread.deferred.replace(false);
        let flushed = device::flush(ctx, &io);
        thread.deferred.set(deferred || thread.deferred.get());
        flushed?;
    }
    match args.len() {
        0 => Ok(Value::NIL),
        1 => Ok(args.at(0)),
        _ => Ok(Array::from_slice(ctx, args.slice()).value()),
    }
}

fn putc(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let out = write::stdout(ctx);
    ctx.call_name(out, "putc", args.slice())
}

/// `printf(format, *objects)`, `printf(io, format, *objects)`
fn printf(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if args.is_empty() {
        return Ok(Value::NIL);
    }
    if args.at(0).has_tag(rubellite_vm::Tag::String) {
        let out = write::stdout(ctx);
        return write::io_printf(ctx, out, args);
    }
    write::io_printf(ctx, args.at(0), args.from(1))
}

/// `open(path, mode, perm, **options)`; "|command" no longer starts a process; `to_open` first.
fn kernel_open(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if args.positional().is_empty() {
        return Err(ctx.arity_error(0, 1, Some(3)));
    }
    let first = args.at(0);
    let to_open = ctx.intern("to_open");
    if !first.has_tag(rubellite_vm::Tag::String) && ctx.respond_to(first, to_open, true)? {
        let io = ctx.call_args(first, to_open, args.from(1).with_block(Value::NIL))?;
        return if args.has_block() { ctx.yield_one(args.block, io) } else { Ok(io) };
    }
    let file = ctx.classes().file.get();
    if first.has_tag(rubellite_vm::Tag::String) {
        return open::open_class(ctx, file, args);
    }
    // Always a path, never a descriptor's number.
    let path = get_path(ctx, first)?.value();
    let mut given = args.slice().to_vec(); // tidy: the caller's window holds them, this stack the path
    given[0] = path;
    let new = ctx.names().new;
    let io = ctx.call_full(file, new, &given, args.has_keywords(), Value::NIL, rubellite_vm::CallKind::Any)?;
    open::with_block(ctx, io, args.block)
}

/// `syscall(number, *arguments)`
fn syscall(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mut numbers = [0 as libc::c_long; 7];
    if args.len() > numbers.len() {
        return Err(ctx.argument_error("too many arguments for syscall"));
    }
    for i in 0..args.len() {
        numbers[i] = match ctx.check_str(args.at(i))? {
            Some(text) => text.bytes(ctx).as_ptr() as libc::c_long,
            None => ctx.to_int(args.at(i))? as libc::c_long,
        };
    }
    let n = numbers;
    // SAFETY: the program asks for a raw system call; pointers lead to Strings that the arguments keep alive.
    let result = unsafe { libc::syscall(n[0], n[1], n[2], n[3], n[4], n[5], n[6]) };
    if result == -1 {
        return Err(rubellite_core_object::errno::fail(ctx, rubellite_core_object::errno::last(), ""));
    }
    Ok(ctx.int(result))
}
