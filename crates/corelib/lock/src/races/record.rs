//! The accesses of a run, written down for `explore`: what each thread did to variables that others touch, in the order
//! in which it happened, and where a switch was forced.
//!
//! The file has a line for each access, its fields parted by tabs: `A`, the thread, the file, the line, what was done,
//! the variable, and `forced` where a forced switch led to it. Lines `R` name the races that were found: the variable,
//! then for both sides what was done, thread, file and line. Only variables that several threads touched are told of;
//! of a long run its end.

use rubellite_core_object::exception::backtrace::Level;
use rubellite_core_thread::schedule;
use rubellite_vm::races::{Kind, Part, Race};
use rubellite_vm::{Ctx, Extension, Value};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;

/// How many of the last accesses are kept.
const KEPT: usize = 200_000;
/// How many of those that count are written.
const WRITTEN: usize = 2_000;

struct Access {
    thread: u64,
    /// File and line by number.
    file: u32,
    line: i32,
    kind: Kind,
    variable: u32,
    /// How many switches had been forced.
    forced: u64,
}

#[derive(Default)]
struct Recording {
    path: PathBuf,
    accesses: VecDeque<Access>,
    files: Vec<String>,
    file_numbers: HashMap<String, u32>,
    variables: Vec<String>,
    variable_numbers: HashMap<(u64, Part), u32>,
    threads: HashMap<u64, String>,
    races: Vec<String>,
}

#[derive(Default)]
struct Record(RefCell<Option<Recording>>);

impl Extension for Record {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        if let Some(recording) = self.0.get_mut() {
            // SAFETY: words of objects that were alive when they were noted, and have not been swept since.
            recording
                .variable_numbers
                .retain(|(object, _), _| *object == 0 || alive(unsafe { Value::from_bits(*object) }));
        }
    }
}

pub fn start(ctx: &mut Ctx, path: PathBuf) {
    ctx.extension::<Record>().0.replace(Some(Recording { path, ..Recording::default() }));
    ctx.watch_accesses(watch);
}

fn watch(ctx: &mut Ctx, object: Value, part: Part, kind: Kind) {
    let Some((path, line)) = place(ctx) else { return };
    let forced = schedule::forced(ctx).unwrap_or(0);
    let key = (if object.is_heap() { object.bits() } else { 0 }, part);
    let known = ctx
        .extension::<Record>()
        .0
        .borrow()
        .as_ref()
        .and_then(|recording| recording.variable_numbers.get(&key).copied());
    let name = if known.is_none() { ctx.name_of_variable(object, part) } else { String::new() };
    let (thread, label) = (ctx.thread().id, ctx.thread().lock_thread.name());
    let mut record = ctx.extension::<Record>().0.borrow_mut();
    let Some(recording) = record.as_mut() else { return };
    let variable = known.unwrap_or_else(|| {
        let number = recording.variables.len() as u32;
        recording.variables.push(name);
        recording.variable_numbers.insert(key, number);
        number
    });
    let file = match recording.file_numbers.get(&path) {
        Some(number) => *number,
        None => {
            let number = recording.files.len() as u32;
            recording.files.push(path.clone());
            recording.file_numbers.insert(path, number);
            number
        }
    };
    recording.threads.insert(thread, label);
    if recording.accesses.len() == KEPT {
        recording.accesses.pop_front();
    }
    recording.accesses.push_back(Access { thread, file, line, kind, variable, forced });
}

/// The innermost line of the program.
fn place(ctx: &Ctx) -> Option<(String, i32)> {
    let positions = ctx.positions(0, 8);
    let position = positions.iter().find(|position| !position.code.is_nil())?;
    let code = rubellite_vm::code::Code::try_of(position.code)?;
    Some((code.iseq().script.path.clone(), position.line()))
}

/// A race was found.
pub fn note_race(ctx: &Ctx, race: &Race, stacks: &[Vec<Level>; 2]) {
    let mut record = ctx.extension::<Record>().0.borrow_mut();
    let Some(recording) = record.as_mut() else { return };
    let side = |side: &rubellite_vm::races::Side, stack: &[Level]| {
        let level = stack.iter().find(|level| !level.is_native()).or(stack.first());
        let (path, line) = level.map_or(("", 0), |level| (level.path.as_str(), level.line));
        format!("{}\t{}\t{}\t{line}", side.kind.verb(), field(&super::thread_name(&side.thread)), field(path))
    };
    let text =
        format!("R\t{}\t{}\t{}", field(&race.variable), side(&race.later, &stacks[0]), side(&race.earlier, &stacks[1]));
    recording.races.push(text);
}

fn field(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

/// Writes the file. What cannot be written is missing: `explore` says so.
pub fn finish(ctx: &mut Ctx) {
    let Some(recording) = ctx.extension::<Record>().0.take() else { return };
    let _ = std::fs::write(&recording.path, text_of(&recording));
}

fn text_of(recording: &Recording) -> String {
    // Who touches a variable, and whether somebody changes it.
    let mut seen: Vec<(Option<u64>, bool, bool)> = vec![(None, false, false); recording.variables.len()];
    for access in &recording.accesses {
        let (first, shared, written) = &mut seen[access.variable as usize];
        *shared |= first.is_some_and(|first| first != access.thread);
        first.get_or_insert(access.thread);
        *written |= !matches!(access.kind, Kind::Read | Kind::ElementRead | Kind::AllRead | Kind::SizeRead);
    }
    let counts = |access: &&Access| {
        let (_, shared, written) = seen[access.variable as usize];
        shared && written && !matches!(access.kind, Kind::ElementRead | Kind::ElementWrite)
    };
    let chosen: Vec<&Access> = recording.accesses.iter().filter(counts).collect();
    let mut text = String::new();
    let mut last: Option<&Access> = None;
    for access in &chosen[chosen.len().saturating_sub(WRITTEN)..] {
        let same = |last: &Access| {
            (last.thread, last.file, last.line, last.variable, last.kind)
                == (access.thread, access.file, access.line, access.variable, access.kind)
        };
        let forced = last.is_some_and(|last| last.thread != access.thread && last.forced != access.forced);
        if !last.is_some_and(same) {
            let thread = recording.threads.get(&access.thread).map_or(String::new(), |name| super::thread_name(name));
            let (file, variable) =
                (&recording.files[access.file as usize], &recording.variables[access.variable as usize]);
            let forced = if forced { "forced" } else { "" };
            text.push_str(&format!(
                "A\t{} {}\t{}\t{}\t{}\t{}\t{forced}\n",
                access.thread,
                field(&thread),
                field(file),
                access.line,
                access.kind.verb(),
                field(variable)
            ));
        }
        last = Some(access);
    }
    recording.races.iter().for_each(|race| text.push_str(&format!("{race}\n")));
    text
}
