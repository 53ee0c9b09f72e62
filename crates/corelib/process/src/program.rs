//! What an embedder sets for a program: `$0`, ARGV, DATA, load path, encodings, warning level; how uncaught
//! exceptions are shown.

use crate::title::Title;
use rubellite_core_io::globals::{self, SystemGlobals};
use rubellite_core_io::io::{open, state, write};
use rubellite_core_load as load;
use rubellite_core_object::program_name;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Ctx, Encoding, Result, Value};

/// Fills ARGV.
pub fn set_arguments(ctx: &mut Ctx, arguments: &[Vec<u8>]) {
    let Some(list) = Array::try_of(ctx.extension::<SystemGlobals>().arguments.get()) else { return };
    for argument in arguments {
        let text = Str::new(ctx, argument, Encoding::UTF_8).value();
        list.push(ctx, text);
    }
}

/// Sets `$0`.
pub fn set_name(ctx: &mut Ctx, name: &[u8]) {
    let text = Str::new(ctx, name, Encoding::UTF_8).value();
    if let Some(header) = text.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    if let Some(text) = Str::try_of(text) {
        program_name::set(ctx, text);
    }
    let title = ctx.extension::<Title>();
    title.argv0.set(text);
    title.owns_process.set(true);
}

/// Fills `$LOAD_PATH`: the given directories, RUBYLIB, the standard library.
pub fn set_load_path(ctx: &mut Ctx, first: &[Vec<u8>]) -> Result<()> {
    let mut dirs = Vec::new();
    for dir in first {
        dirs.push(rubellite_core_io::file::path::expand(ctx, dir, None, true)?);
    }
    load::paths::setup(ctx, &dirs);
    Ok(())
}

/// The directory of the programs that belong to Ruby's library.
pub fn library_programs() -> Option<std::path::PathBuf> {
    load::paths::own_library().map(|library| library.join("bin"))
}

/// Makes RubyGems load when it is first used; needs `set_load_path` before. `helpers`: the features that CRuby requires
/// then.
pub fn announce_gems(ctx: &mut Ctx, helpers: &[&str]) -> Result<()> {
    load::gems::announce(ctx, helpers)
}

/// Sets a global without its checks (`$-p`, `$-l`, `$;` of the command line ...).
pub fn set_global(ctx: &mut Ctx, name: &str, value: Value) {
    let name = ctx.intern_str(name);
    ctx.put_global(name, value);
}

/// A frozen String for a global.
pub fn text(ctx: &mut Ctx, bytes: &[u8]) -> Value {
    let value = Str::new(ctx, bytes, Encoding::UTF_8).value();
    if let Some(header) = value.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    value
}

/// `Encoding.default_external=` and the like; false when the name is unknown.
pub fn set_default_encoding(ctx: &mut Ctx, which: &str, name: &str) -> bool {
    let Some(encoding) = Encoding::find(name.as_bytes()) else { return false };
    let object = rubellite_core_io::io::mode::encoding_object(ctx, Some(encoding));
    let class = ctx.classes().encoding.get();
    let verbose = ctx.vm().verbose.replace(Value::NIL);
    let setter = ctx.intern_str(&format!("{which}="));
    let done = ctx.call(class, setter, &[object]).is_ok();
    ctx.clear_pending();
    ctx.vm().verbose.set(verbose);
    done
}

/// `--backtrace-limit=levels`
pub fn limit_backtraces(ctx: &mut Ctx, levels: i64) {
    rubellite_core_object::exception::backtrace::limit_levels(ctx, levels);
}

/// DATA: the script's file behind `__END__`, under the name that the script has. `rest` instead of a file for a program
/// from standard input.
pub fn define_data(ctx: &mut Ctx, path: &[u8], name: &[u8], offset: usize, rest: Option<&[u8]>) -> Result<()> {
    let io = match rest {
        Some(rest) => {
            let stdin = globals::get_raw(ctx, "$stdin");
            let io = state::readable(ctx, stdin)?;
            io.rbuf.borrow_mut().unread(rest);
            stdin
        }
        None => {
            let file = ctx.classes().file.get();
            let path = Str::new(ctx, path, Encoding::UTF_8);
            let io = open::open_file(ctx, file, path, &Default::default())?;
            let name = Str::new(ctx, name, Encoding::UTF_8).value();
            state::state(ctx, io)?.path.set(name);
            ctx.write_barrier(io, name);
            ctx.call_name(io, "seek", &[Value::fixnum(offset as i64)])?;
            io
        }
    };
    ctx.named_class("Object")?.set_const(ctx, "DATA", io);
    Ok(())
}

/// With a default internal encoding the standard streams convert, too.
pub fn convert_standard_streams(ctx: &mut Ctx) {
    for name in ["$stdin", "$stdout", "$stderr"] {
        let stream = rubellite_core_io::globals::get_raw(ctx, name);
        if ctx.call_name(stream, "set_encoding", &[Value::NIL]).is_err() {
            ctx.clear_pending();
        }
    }
}

/// Whether `$stderr` is a terminal, where reports are highlighted.
pub fn on_terminal(ctx: &mut Ctx) -> bool {
    let err = crate::exit::stderr(ctx);
    state::try_state(ctx, err).is_some_and(|io| io.has(state::mode::TTY))
}

/// Writes an uncaught exception to `$stderr`, highlighted on a terminal.
pub fn report(ctx: &mut Ctx, exception: Value) {
    let highlight = on_terminal(ctx);
    let (bytes, encoding) = rubellite_core_object::report(ctx, exception, highlight);
    let text = Str::from_vec(ctx, bytes, encoding);
    if write::complain(ctx, text).is_err() {
        ctx.clear_pending();
    }
}

/// The value of a String constant of Object, for `--version` and `--copyright`.
pub fn constant_text(ctx: &mut Ctx, name: &'static str) -> String {
    let Ok(object) = ctx.named_class("Object") else { return String::new() };
    let name = ctx.intern(name);
    match ctx.const_get(object, name, false).ok().and_then(Str::try_of) {
        Some(text) => text.to_lossy(ctx).into_owned(),
        None => {
            ctx.clear_pending();
            String::new()
        }
    }
}

/// `-s`: switches behind the script's name become globals.
pub fn take_switches(ctx: &mut Ctx, arguments: &mut Vec<Vec<u8>>) -> std::result::Result<(), String> {
    while let Some(first) = arguments.first().filter(|a| a.first() == Some(&b'-')).cloned() {
        arguments.remove(0);
        if first == b"--" {
            break;
        }
        let (word, value) = match first.iter().position(|b| *b == b'=') {
            Some(eq) => (&first[..eq], Some(&first[eq + 1..])),
            None => (&first[..], None),
        };
        let name = String::from_utf8_lossy(&word[1..]).replace('-', "_");
        if !name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric() || !b.is_ascii()) {
            return Err(format!("invalid name for global variable - {}", String::from_utf8_lossy(word)));
        }
        // A lone dash names nothing.
        if name.is_empty() {
            continue;
        }
        let value = match value {
            Some(value) => text(ctx, value),
            None => Value::TRUE,
        };
        // What the variable is to refuse or to convert it does.
        let name = ctx.intern_str(&format!("${name}"));
        if ctx.set_global(name, value).is_err() {
            ctx.clear_pending();
        }
    }
    Ok(())
}

/// `$0` as text.
pub fn name(ctx: &Ctx) -> String {
    program_name::text(ctx).unwrap_or_default()
}
