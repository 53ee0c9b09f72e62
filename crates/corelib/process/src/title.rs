//! `$0` and the title of the process (`$0=`, `Process.setproctitle`), as `ps` shows it.

use rubellite_core_object::program_name;
use rubellite_core_object::slot::Slot;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Extension, GlobalHooks, Result, Sym, Value, flags};
use std::cell::Cell;

/// What belongs to the title.
#[derive(Default)]
pub struct Title {
    /// `$0` as it was at first.
    pub argv0: Slot,
    /// The process is this VM's: it may change its title.
    pub owns_process: Cell<bool>,
}

impl Extension for Title {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.argv0.get());
    }
}

/// Makes `$0` and its other name.
pub fn setup(ctx: &mut Ctx) {
    ctx.hook_global("$0", GlobalHooks { get: |ctx, _| Ok(program_name::get(ctx)), set: Some(set_program_name) });
    let (new, old) = (ctx.intern("$PROGRAM_NAME"), ctx.intern("$0"));
    ctx.alias_global(new, old);
    let name = Str::utf8(ctx, "rubellite");
    program_name::set(ctx, name);
}

fn set_program_name(ctx: &mut Ctx, _name: Sym, value: Value) -> Result<()> {
    let text = ctx.to_str(value)?.dup(ctx);
    text.header().set(flags::FROZEN);
    program_name::set(ctx, text);
    show(ctx, text);
    Ok(())
}

/// Shows the title where `ps` finds it, if the process runs this VM's program.
pub fn show(ctx: &Ctx, title: Str) {
    if ctx.extension::<Title>().owns_process.get() {
        set(title.bytes(ctx));
    }
}

/// Shows `title` as the name of the main thread and as the command line, as far as the memory of the original command
/// line reaches (proc(5): /proc/PID/cmdline and fields 48 and 49 of /proc/PID/stat).
fn set(title: &[u8]) {
    let text: Vec<u8> = title.iter().copied().filter(|byte| *byte != 0).collect();
    let mut name = text.clone();
    name.truncate(15);
    name.push(0);
    // SAFETY: the name is a C string.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr(), 0, 0, 0) };
    let Some((start, end)) = command_line() else { return };
    let room = end - start;
    // SAFETY: the kernel put the words of the command line there, writable and for the life of the process. The
    // standard library reads them in `std::env::args` only, which the command does before any program runs.
    unsafe {
        let area = start as *mut u8;
        area.write_bytes(0, room);
        area.copy_from_nonoverlapping(text.as_ptr(), text.len().min(room - 1));
    }
}

/// Where the words of the command line lie.
fn command_line() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 2..)?.split_ascii_whitespace();
    let start: usize = fields.nth(48 - 3)?.parse().ok()?;
    let end: usize = fields.next()?.parse().ok()?;
    (start != 0 && end > start).then_some((start, end))
}
