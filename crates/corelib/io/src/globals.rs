//! Special global variables that belong to input and output, matches and exceptions. `$~` and its parts are served from
//! the caller's frame; those of loading and of the process are with these.

use crate::io::state::IoTable;
use rubellite_core_object::slot::Slot;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::warning::Category;
use rubellite_vm::{Ctx, Extension, GlobalHooks, MatchPart, Result, Sym, Value};
use std::cell::Cell;

/// Values of globals that have no other home.
#[derive(Default)]
pub struct SystemGlobals {
    pub last_lineno: Cell<i64>,
    pub default_separator: Slot,
    pub arguments: Slot,
}

impl Extension for SystemGlobals {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.default_separator.get());
        mark(self.arguments.get());
    }
}

/// What `-p`, `-l`, `-a` and others leave for the program to see.
pub const SWITCHES: [&str; 3] = ["$-p", "$-l", "$-a"];

pub fn setup(ctx: &mut Ctx) -> Result<()> {
    let read_only: [(&str, fn(&mut Ctx, Sym) -> Result); 8] = [
        ("$$", pid),
        ("$*", arguments),
        ("$&", match_part::<1>),
        ("$`", match_part::<2>),
        ("$'", match_part::<3>),
        ("$+", match_part::<4>),
        ("$FILENAME", filename),
        ("$!", errinfo),
    ];
    for (name, get) in read_only {
        ctx.hook_global(name, GlobalHooks { get, set: None });
    }
    let computed: [(&str, fn(&mut Ctx, Sym) -> Result, fn(&mut Ctx, Sym, Value) -> Result<()>); 14] = [
        ("$~", last_match, set_last_match),
        ("$_", last_line, set_last_line),
        ("$@", backtrace, set_backtrace),
        ("$.", lineno, set_lineno),
        ("$stdout", raw, set_output),
        ("$stderr", raw, set_output),
        ("$stdin", raw, set_raw),
        ("$/", raw, set_separator),
        ("$,", raw, set_field_separator),
        ("$\\", raw, set_text),
        ("$;", raw, set_split_separator),
        ("$VERBOSE", verbose, set_verbose),
        ("$DEBUG", debug, set_debug),
        ("$=", no_effect, set_without_effect),
    ];
    for (name, get, set) in computed {
        ctx.hook_global(name, GlobalHooks { get, set: Some(set) });
    }
    ctx.hook_global("$-W", GlobalHooks { get: warn_level, set: None });
    for name in SWITCHES {
        ctx.hook_global(name, GlobalHooks { get: raw_false, set: None });
    }
    let aliases =
        [("$>", "$stdout"), ("$-0", "$/"), ("$-F", "$;"), ("$-v", "$VERBOSE"), ("$-w", "$VERBOSE"), ("$-d", "$DEBUG")];
    for (new, old) in aliases {
        let (new, old) = (ctx.intern(new), ctx.intern(old));
        ctx.alias_global(new, old);
    }
    let newline = Str::ascii(ctx, "\n").value();
    freeze(newline);
    let state = ctx.extension::<SystemGlobals>();
    state.default_separator.set(newline);
    put(ctx, "$/", newline);
    let argv = Array::new(ctx).value();
    ctx.extension::<SystemGlobals>().arguments.set(argv);
    let object = ctx.named_class("Object")?;
    object.set_const(ctx, "ARGV", argv);
    Ok(())
}

fn freeze(value: Value) {
    if let Some(header) = value.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
}

fn put(ctx: &mut Ctx, name: &'static str, value: Value) {
    let name = ctx.intern(name);
    ctx.put_global(name, value);
}

pub fn get_raw(ctx: &Ctx, name: &'static str) -> Value {
    let name = ctx.intern(name);
    ctx.raw_global(name).unwrap_or(Value::NIL)
}

/// `$/`
pub fn input_separator(ctx: &Ctx) -> Value {
    get_raw(ctx, "$/")
}

/// `$,`
pub fn output_field_separator(ctx: &Ctx) -> Value {
    get_raw(ctx, "$,")
}

/// `$\`
pub fn output_record_separator(ctx: &Ctx) -> Value {
    get_raw(ctx, "$\\")
}

/// Sets `$.`.
pub fn set_last_lineno(ctx: &Ctx, lineno: i64) {
    ctx.extension::<SystemGlobals>().last_lineno.set(lineno);
}

fn raw(ctx: &mut Ctx, name: Sym) -> Result {
    Ok(ctx.raw_global(name).unwrap_or(Value::NIL))
}

fn raw_false(ctx: &mut Ctx, name: Sym) -> Result {
    Ok(ctx.raw_global(name).unwrap_or(Value::FALSE))
}

fn set_raw(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    ctx.put_global(name, value);
    Ok(())
}

fn pid(_ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(Value::fixnum(std::process::id() as i64))
}

fn arguments(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.extension::<SystemGlobals>().arguments.get())
}

fn errinfo(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.errinfo())
}

fn filename(ctx: &mut Ctx, _name: Sym) -> Result {
    let object = ctx.named_class("Object")?;
    let argf = ctx.intern("ARGF");
    let argf = ctx.const_get(object, argf, false)?;
    ctx.call_name(argf, "filename", &[])
}

fn last_match(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.last_match())
}

fn set_last_match(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    if !value.is_nil() && !value.has_tag(rubellite_vm::Tag::MatchData) {
        let class = ctx.real_class(value).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected MatchData)")));
    }
    ctx.set_last_match(value);
    Ok(())
}

fn match_part<const PART: u8>(ctx: &mut Ctx, _name: Sym) -> Result {
    let matched = ctx.last_match();
    if matched.is_nil() {
        return Ok(Value::NIL);
    }
    Ok((ctx.vm().hooks().match_part)(ctx, matched, MatchPart::Special(PART)))
}

fn last_line(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.last_line())
}

fn set_last_line(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    ctx.set_last_line(value);
    Ok(())
}

fn backtrace(ctx: &mut Ctx, _name: Sym) -> Result {
    let exception = ctx.errinfo();
    if exception.is_nil() {
        return Ok(Value::NIL);
    }
    rubellite_core_object::exception::shown_backtrace(ctx, exception)
}

fn set_backtrace(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    let exception = ctx.errinfo();
    if exception.is_nil() {
        return Err(ctx.argument_error("$! not set"));
    }
    let name = ctx.names().set_backtrace;
    ctx.call(exception, name, &[value])?;
    Ok(())
}

fn lineno(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(Value::fixnum(ctx.extension::<SystemGlobals>().last_lineno.get()))
}

fn set_lineno(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    let n = i64::from(ctx.to_c_int(value)?);
    set_last_lineno(ctx, n);
    crate::argf::note_lineno(ctx, Value::fixnum(n))?;
    Ok(())
}

/// `$stdout = object`: anything that has `write`.
fn set_output(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    let write = ctx.names().write;
    if !ctx.respond_to(value, write, false)? {
        let (name, class) = (ctx.sym_str(name), ctx.real_class(value).inspect(ctx));
        return Err(ctx.type_error(&format!("{name} must have write method, {class} given")));
    }
    ctx.put_global(name, value);
    Ok(())
}

fn check_text(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    if !value.is_nil() && !value.has_tag(rubellite_vm::Tag::String) {
        let name = ctx.sym_str(name);
        return Err(ctx.type_error(&format!("value of {name} must be String")));
    }
    Ok(())
}

fn warn_deprecated(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    if !value.is_nil() {
        let name = ctx.sym_str(name);
        ctx.warn_category(&format!("'{name}' is deprecated"), Category::Deprecated)?;
    }
    Ok(())
}

fn set_text(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    check_text(ctx, name, value)?;
    warn_deprecated(ctx, name, value)?;
    ctx.put_global(name, value);
    Ok(())
}

/// `$=`, which once made matches ignore case.
fn no_effect(ctx: &mut Ctx, _name: Sym) -> Result {
    ctx.warn_category("variable $= is no longer effective", Category::Deprecated)?;
    Ok(Value::FALSE)
}

fn set_without_effect(ctx: &mut Ctx, _name: Sym, _value: Value) -> Result<()> {
    ctx.warn_category("variable $= is no longer effective; ignored", Category::Deprecated)
}

fn set_field_separator(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    set_text(ctx, name, value)
}

fn set_separator(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    check_text(ctx, name, value)?;
    if value != ctx.extension::<SystemGlobals>().default_separator.get() {
        warn_deprecated(ctx, name, value)?;
    }
    let value = Str::try_of(value).map_or(value, |text| ctx.frozen_key(text).value());
    ctx.put_global(name, value);
    Ok(())
}

/// `$;`: a String or Regexp.
fn set_split_separator(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    if !value.is_nil() && !value.has_tag(rubellite_vm::Tag::String) && !value.has_tag(rubellite_vm::Tag::Regexp) {
        let name = ctx.sym_str(name);
        return Err(ctx.type_error(&format!("value of {name} must be String or Regexp")));
    }
    warn_deprecated(ctx, name, value)?;
    ctx.put_global(name, value);
    Ok(())
}

fn verbose(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.vm().verbose.get())
}

fn set_verbose(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    let value = if value.is_nil() { value } else { Value::from_bool(value.truthy()) };
    ctx.vm().verbose.set(value);
    Ok(())
}

fn debug(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(ctx.vm().debug.get())
}

fn set_debug(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    ctx.vm().debug.set(value);
    Ok(())
}

fn warn_level(ctx: &mut Ctx, _name: Sym) -> Result {
    Ok(Value::fixnum(match ctx.vm().verbose.get() {
        Value::NIL => 0,
        Value::FALSE => 1,
        _ => 2,
    }))
}

/// The standard stream objects, once they exist.
pub fn set_streams(ctx: &mut Ctx, stdin: Value, stdout: Value, stderr: Value) {
    let table = ctx.extension::<IoTable>();
    table.stdin.set(Some(stdin));
    table.stdout.set(Some(stdout));
    table.stderr.set(Some(stderr));
    put(ctx, "$stdin", stdin);
    put(ctx, "$stdout", stdout);
    put(ctx, "$stderr", stderr);
}
