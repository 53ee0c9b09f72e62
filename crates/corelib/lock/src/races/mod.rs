//! `--races`: looks for data races while a program runs, and tells of each pair of places once, on standard error. How
//! they are found is `vm`'s `races`; which methods order threads `observers`. For `explore` the accesses of a run are
//! written down as well (`record`).

mod observers;
mod record;
mod suppress;

use rubellite_core_object::exception::backtrace::{Level, levels};
use rubellite_vm::races::{Race, Side};
use rubellite_vm::{Ctx, Extension, Value};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use suppress::Suppressions;

/// The environment variable that names the file in which the accesses of a run are written down.
pub const RECORD: &str = "RUBELLITE_RACES_RECORD";
/// Levels of a stack that are shown.
const LEVELS_SHOWN: usize = 12;

#[derive(Default)]
struct State {
    suppressions: Suppressions,
    found: usize,
    suppressed: usize,
    /// The number of the process that looks: children of a fork say nothing at their end.
    pid: u32,
}

#[derive(Default)]
struct Looking(RefCell<Option<State>>);

impl Extension for Looking {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Begins to look for races; to be called before the program runs. `suppress`: a file of patterns.
///
/// # Errors
/// The file cannot be read.
pub fn start(ctx: &mut Ctx, suppress: Option<&str>) -> Result<(), String> {
    let suppressions = match suppress {
        Some(path) => Suppressions::read(path)?,
        None => Suppressions::default(),
    };
    let state = State { suppressions, pid: std::process::id(), ..State::default() };
    ctx.extension::<Looking>().0.replace(Some(state));
    ctx.start_races(report);
    observers::install(ctx);
    if let Some(path) = std::env::var_os(RECORD) {
        record::start(ctx, PathBuf::from(path));
    }
    Ok(())
}

/// The name of a thread in reports: its own, or the place of its block.
fn thread_name(name: &str) -> String {
    match name {
        "" | "main" => "the main thread".into(),
        place
            if place
                .rsplit_once(':')
                .is_some_and(|(_, line)| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())) =>
        {
            format!("the thread of {}", crate::report::short_path(place))
        }
        name => format!("thread {name}"),
    }
}

fn shown(level: &Level) -> String {
    level.text()
}

/// Tells of a race.
fn report(ctx: &mut Ctx, race: &Race) {
    let stacks = [&race.later, &race.earlier].map(|side: &Side| levels(ctx, &side.stack));
    let is_suppressed = {
        let mut looking = ctx.extension::<Looking>().0.borrow_mut();
        let Some(state) = looking.as_mut() else { return };
        let suppressed = state.suppressions.cover(&race.variable, stacks.iter().flatten());
        *(if suppressed { &mut state.suppressed } else { &mut state.found }) += 1;
        suppressed
    };
    if is_suppressed {
        return;
    }
    record::note_race(ctx, race, &stacks);
    let mut text = format!("\n-- race on {} --\n", race.variable);
    let sides = [(&race.later, &stacks[0], ""), (&race.earlier, &stacks[1], ", earlier, and nothing orders the two")];
    for (side, stack, rest) in sides {
        let _ = writeln!(text, "{} by {}{rest}", side.kind.verb(), thread_name(&side.thread));
        stack.iter().take(LEVELS_SHOWN).for_each(|level| {
            let _ = writeln!(text, "    {}", shown(level));
        });
    }
    // Whoever has closed standard error does not want to know.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The process ends: says how many there were.
pub fn finish(ctx: &mut Ctx) {
    record::finish(ctx);
    let looking = ctx.extension::<Looking>().0.borrow();
    let Some(state) = looking.as_ref().filter(|state| state.pid == std::process::id()) else { return };
    let suppressed = match state.suppressed {
        0 => String::new(),
        count => format!(", {count} suppressed"),
    };
    let text = match state.found {
        0 => format!("\nno races found{suppressed}\n"),
        1 => format!("\n1 race{suppressed}\n"),
        count => format!("\n{count} races{suppressed}\n"),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether races were found in this process.
pub fn any_found(ctx: &Ctx) -> bool {
    ctx.extension::<Looking>().0.borrow().as_ref().is_some_and(|state| state.found > 0)
}
