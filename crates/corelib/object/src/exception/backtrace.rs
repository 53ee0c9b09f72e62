//! Call stacks as text and as Thread::Backtrace::Location objects.

use super::super::support::string;
use rubellite_bytecode::{ISeq, ISeqKind, Script};
use rubellite_compiler as compiler;
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::code::Code;
use rubellite_vm::object::exception::Position;
use rubellite_vm::object::{Array, Data, NativeData};
use rubellite_vm::{Args, Ctx, Extension, Method, Result, Tag, Value};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

pub static THREAD: ClassDef = ClassDef { name: "Thread", ..ClassDef::EMPTY };
pub static BACKTRACE: ClassDef = ClassDef {
    name: "Thread::Backtrace",
    singleton_methods: &[method("limit", Arity::NONE, limit)],
    no_new: true,
    ..ClassDef::EMPTY
};
pub static LOCATION: ClassDef = ClassDef {
    name: "Thread::Backtrace::Location",
    methods: &[
        method("lineno", Arity::NONE, lineno),
        method("label", Arity::NONE, label),
        method("base_label", Arity::NONE, base_label),
        method("path", Arity::NONE, path),
        method("absolute_path", Arity::NONE, absolute_path),
        method("to_s", Arity::NONE, to_s),
        method("inspect", Arity::NONE, inspect),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};

/// One level of a call stack.
pub struct Level {
    pub path: String,
    pub line: i32,
    /// The code, and the place in it behind the instruction that runs.
    place: Option<(Arc<ISeq>, u32)>,
    /// A method without Ruby code; the place is its caller's.
    native: bool,
    /// "block in Foo#bar"
    pub label: String,
    /// "bar"
    pub base_label: String,
}

/// Methods that are Ruby code in CRuby, to whose arguments it cannot point.
const OPAQUE: &[&str] = &[
    "Array#fetch_values",
    "Array#first",
    "Array#last",
    "Array#pack",
    "Array#sample",
    "Array#shuffle",
    "Array#shuffle!",
    "Dir#initialize",
    "Dir.[]",
    "Dir.glob",
    "Dir.open",
    "Integer#ceildiv",
    "Kernel#Float",
    "Kernel#Integer",
    "Kernel#clone",
    "Kernel#warn",
    "Marshal.load",
    "String#unpack",
    "String#unpack1",
    "Time#initialize",
    "Time.at",
    "Time.now",
];

impl NativeData for Level {
    fn tells_stores() -> bool {
        true
    }

    fn memory_size(&self) -> usize {
        self.path.len() + self.label.len() + self.base_label.len()
    }
}

impl Level {
    /// The file's full path; none for code that is in no file.
    pub fn absolute_path(&self) -> Option<String> {
        match &self.place {
            Some((iseq, _)) if iseq.script.reading.kind == ISeqKind::Eval => None,
            Some((iseq, _)) => real_path_of(&iseq.script),
            None => None,
        }
    }

    /// The source of its file, and the part of it that `point` means.
    pub fn spot(&self, point: compiler::Point) -> Option<(Arc<[u8]>, Range<usize>)> {
        let (iseq, pc) = self.place.as_ref()?;
        if self.native && matches!(point, compiler::Point::Arguments) && OPAQUE.contains(&&*self.label) {
            return None;
        }
        self.absolute_path()?;
        compiler::spot(iseq, *pc, point)
    }

    /// The source of its text, and what of it the running instruction was made of; in evaluated texts, too.
    pub fn piece(&self) -> Option<(Arc<[u8]>, Range<usize>)> {
        let (iseq, pc) = self.place.as_ref()?;
        compiler::spot(iseq, *pc, compiler::Point::First)
    }

    /// It is a native method, and has the place of its caller.
    pub fn is_native(&self) -> bool {
        self.native
    }

    pub fn text(&self) -> String {
        if self.path.is_empty() {
            return format!("in '{}'", self.label);
        }
        if self.place.is_none() {
            return format!("{}:in '{}'", self.path, self.label);
        }
        format!("{}:{}:in '{}'", self.path, self.line, self.label)
    }
}

/// Positions as levels: native methods take the place of the code that called them.
pub fn levels(ctx: &Ctx, positions: &[Position]) -> Vec<Level> {
    levels_within(ctx, positions, 0..positions.len())
}

/// Some levels of a stack; native methods at the end of the range have their callers behind it.
pub fn levels_within(ctx: &Ctx, positions: &[Position], range: std::ops::Range<usize>) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::with_capacity(range.len());
    let caller = positions[range.end..].iter().find_map(|p| Some((Code::try_of(p.code)?, p)));
    let mut place = caller.map(|(code, p)| (code.iseq().clone(), p.pc));
    let mut line = caller.map_or(0, |(_, p)| p.line());
    for position in positions[range].iter().rev() {
        if let Some(code) = Code::try_of(position.code) {
            place = Some((code.iseq().clone(), position.pc));
            line = position.line();
        }
        let (label, base_label) = labels(ctx, position);
        let path = match &place {
            Some((iseq, _)) => iseq.script.path.clone(),
            // A native method that no Ruby code has called stands in the program, and in no line.
            None => crate::program_name::text(ctx).unwrap_or_default(),
        };
        levels.push(Level {
            path,
            line,
            place: place.clone(),
            native: !position.code.has_tag(Tag::Code),
            label,
            base_label,
        });
    }
    levels.reverse();
    levels
}

fn labels(ctx: &Ctx, position: &Position) -> (String, String) {
    let method = Method::try_of(position.method);
    let Some(code) = Code::try_of(position.code) else {
        let name = method.map_or(String::new(), |m| ctx.sym_str(m.resolved().name()));
        let full = method.map_or(name.clone(), |m| m.owner().qualify(ctx, &name));
        return (full, name);
    };
    let iseq = code.iseq();
    let written = String::from_utf8_lossy(iseq.name.bytes()).into_owned();
    let (home, base) = match iseq.home {
        ISeqKind::Main => ("<main>".to_string(), "<main>".to_string()),
        ISeqKind::Top => ("<top (required)>".to_string(), "<top (required)>".to_string()),
        ISeqKind::Class => (written.clone(), written),
        ISeqKind::Method => (method.map_or(written.clone(), |m| m.owner().qualify(ctx, &written)), written),
        _ => match method {
            Some(m) => {
                let name = ctx.sym_str(m.resolved().name());
                (m.owner().qualify(ctx, &name), name)
            }
            None => ("<main>".to_string(), "<main>".to_string()),
        },
    };
    let label = match iseq.block_level {
        0 => home,
        1 => format!("block in {home}"),
        n => format!("block ({n} levels) in {home}"),
    };
    (label, base)
}

/// The stack as an Array of Strings.
pub fn strings(ctx: &mut Ctx, positions: &[Position]) -> Value {
    let levels = levels(ctx, positions);
    level_strings(ctx, levels)
}

/// Levels as an Array of Strings.
pub fn level_strings(ctx: &mut Ctx, levels: Vec<Level>) -> Value {
    let list = Array::new(ctx);
    for level in levels {
        let text = string(ctx, &level.text());
        list.push(ctx, text);
    }
    list.value()
}

/// The stack as an Array of Locations.
pub fn locations(ctx: &mut Ctx, positions: &[Position]) -> Value {
    let levels = levels(ctx, positions);
    level_locations(ctx, levels)
}

/// Levels as an Array of Locations.
pub fn level_locations(ctx: &mut Ctx, levels: Vec<Level>) -> Value {
    let list = Array::new(ctx);
    let class = location_class(ctx);
    for level in levels {
        let location = Data::new(ctx, class, level).value();
        list.push(ctx, location);
    }
    list.value()
}

fn location_class(ctx: &Ctx) -> Value {
    ctx.error_class("Thread::Backtrace::Location").value()
}

/// Whether the value is a Location.
pub fn is_location(ctx: &Ctx, value: Value) -> bool {
    Data::state_of::<Level>(ctx, value).is_some()
}

/// The texts of a list of Locations.
pub fn location_texts(ctx: &mut Ctx, list: Array) -> Value {
    let texts = Array::new(ctx);
    for i in 0..list.len() {
        let text = list.get(i).and_then(|v| Data::state_of::<Level>(ctx, v)).map_or(String::new(), Level::text);
        let text = string(ctx, &text);
        texts.push(ctx, text);
    }
    texts.value()
}

/// A part of the receiver's level as a String.
fn part(ctx: &mut Ctx, recv: Value, of: impl FnOnce(&Level) -> String) -> Result {
    let text = Data::state_of::<Level>(ctx, recv).map(of);
    match text {
        Some(text) => Ok(string(ctx, &text)),
        None => Ok(Value::NIL),
    }
}

/// `Thread::Backtrace.limit -> integer`
fn limit(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let levels = shown_levels(ctx).map_or(-1, |levels| levels as i64);
    Ok(ctx.int(levels))
}

/// How many levels of a backtrace are shown, if that is limited.
#[derive(Default)]
struct Shown(Cell<Option<usize>>);

impl Extension for Shown {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// How many levels behind the first a message shows; `None`: all.
pub fn shown_levels(ctx: &Ctx) -> Option<usize> {
    ctx.extension::<Shown>().0.get()
}

/// `--backtrace-limit`; a negative one is none.
pub fn limit_levels(ctx: &mut Ctx, levels: i64) {
    ctx.extension::<Shown>().0.set(usize::try_from(levels).ok());
}

fn lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(Data::state_of::<Level>(ctx, recv).map_or(0, |l| l.line as i64)))
}

fn label(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    part(ctx, recv, |l| l.label.clone())
}

fn base_label(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    part(ctx, recv, |l| l.base_label.clone())
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match Data::state_of::<Level>(ctx, recv).filter(|l| l.place.is_some()) {
        Some(_) => part(ctx, recv, |l| l.path.clone()),
        None => Ok(Value::NIL),
    }
}

/// The file's full path; nil for code that is in no file.
pub fn real_path(path: &str) -> Option<String> {
    if path.starts_with("(eval") || path.starts_with("<internal:") || path == "-e" || path == "-" {
        return None;
    }
    std::fs::canonicalize(path).ok().map(|p| p.to_string_lossy().into_owned())
}

/// The full path of a source text's file, as it was when the file was read.
pub fn real_path_of(script: &Script) -> Option<String> {
    script.real_path.get().map(|path| path.to_string()).or_else(|| real_path(&script.path))
}

/// Notes the full path of a file that is being loaded: later the current directory or a link may be another one.
pub fn note_real_path(script: &Script) {
    if let Some(path) = real_path(&script.path) {
        script.real_path.get_or_init(|| path.into());
    }
}

fn absolute_path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let path = Data::state_of::<Level>(ctx, recv).and_then(Level::absolute_path);
    match path {
        Some(path) => Ok(string(ctx, &path)),
        None => Ok(Value::NIL),
    }
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    part(ctx, recv, Level::text)
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = to_s(ctx, recv, Args::none())?;
    let text = ctx.inspect(text)?;
    Ok(string(ctx, &text))
}
