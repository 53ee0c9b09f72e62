//! RubyVM: compiled code as objects (`RubyVM::InstructionSequence`).

use super::super::exception::backtrace::Level;
use super::super::support::string;
use rubellite_bytecode::{ISeq, ISeqKind, Op};
use rubellite_vm::class::{Arity, ClassDef, method, no_allocator};
use rubellite_vm::object::{Array, Data, Hash, NativeData, Proc, Str};
use rubellite_vm::{Args, CompileRequest, Ctx, Extension, Result, Value, primitive};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub static RUBY_VM: ClassDef = ClassDef {
    name: "RubyVM",
    no_new: true,
    singleton_methods: &[
        method("keep_script_lines", Arity::NONE, keep_script_lines),
        method("keep_script_lines=", Arity::ONE, set_keep_script_lines),
    ],
    ..ClassDef::EMPTY
};

/// Whether the lines of a source are given out with its code. They are kept in any case.
#[derive(Default)]
struct KeepLines(Cell<bool>);

impl Extension for KeepLines {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Whether the program has said that sources are kept.
pub fn keeps_lines(ctx: &mut Ctx) -> bool {
    ctx.extension::<KeepLines>().0.get()
}

fn keep_script_lines(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<KeepLines>().0.get()))
}

fn set_keep_script_lines(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<KeepLines>().0.set(args.at(0).truthy());
    Ok(args.at(0))
}

pub static INSTRUCTION_SEQUENCE: ClassDef = ClassDef {
    name: "RubyVM::InstructionSequence",
    methods: &[
        method("eval", Arity::NONE, eval),
        method("disasm", Arity::NONE, disasm),
        method("disassemble", Arity::NONE, disasm),
        method("path", Arity::NONE, path),
        method("absolute_path", Arity::NONE, absolute_path),
        method("label", Arity::NONE, label),
        method("base_label", Arity::NONE, label),
        method("first_lineno", Arity::NONE, first_lineno),
        method("inspect", Arity::NONE, inspect),
        method("trace_points", Arity::NONE, trace_points),
        method("to_a", Arity::NONE, to_a),
        method("each_child", Arity::NONE, each_child),
        method("script_lines", Arity::NONE, script_lines),
    ],
    singleton_methods: &[
        method("compile", Arity::range(1, 5).with_keywords(), compile),
        method("new", Arity::range(1, 5).with_keywords(), compile),
        method("compile_file", Arity::ONE.with_keywords(), compile_file),
        method("of", Arity::ONE, of),
        method("disasm", Arity::ONE, disasm_of),
        method("disassemble", Arity::ONE, disasm_of),
        method("compile_option", Arity::NONE, compile_option),
        method("compile_option=", Arity::ONE, set_compile_option),
    ],
    primitives: &[
        primitive("iseq_lines", Arity::NONE, lines),
        primitive("iseq_branches", Arity::NONE, branches),
        primitive("iseq_clear_branches", Arity::NONE, clear_branches),
    ],
    alloc: Some(no_allocator),
    ..ClassDef::EMPTY
};

/// Trees are only to be had of code that another parser has compiled; nodes are those of the `prism` library.
pub static ABSTRACT_SYNTAX_TREE: ClassDef = ClassDef {
    name: "RubyVM::AbstractSyntaxTree",
    superclass: "",
    singleton_methods: &[method("of", Arity::ONE.with_keywords(), tree_of)],
    primitives: &[primitive("location_piece", Arity::NONE, location_piece)],
    ruby: include_str!("syntax_tree.rb"),
    ..ClassDef::EMPTY
};

/// `location_piece(location) -> [source, first, end] or nil`: the source that a level of a backtrace runs, and the
/// offsets of what its instruction was made of. Errors: TypeError when it is no location.
fn location_piece(ctx: &mut Ctx, location: Value, _args: Args) -> Result {
    let Some(level) = Data::state_of::<Level>(ctx, location) else {
        return Err(ctx.type_error("Thread::Backtrace::Location object expected"));
    };
    let Some((source, range)) = level.piece().map(|(source, range)| (source.to_vec(), range)) else {
        return Ok(Value::NIL);
    };
    let source = Str::from_vec(ctx, source, rubellite_vm::Encoding::UTF_8).value();
    Ok(Array::from_slice(ctx, &[source, Value::fixnum(range.start as i64), Value::fixnum(range.end as i64)]).value())
}

fn tree_of(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if of(ctx, recv, args.positional())?.is_nil() {
        return Ok(Value::NIL);
    }
    Err(ctx.runtime_error("cannot get AST for ISEQ compiled by prism"))
}

/// Compiled code.
struct Compiled {
    iseq: Arc<ISeq>,
    /// Whether it gives out the lines of its source.
    lines: bool,
    /// It or what it lies in was given to `compile`: then no file is run.
    given: bool,
}

impl NativeData for Compiled {}

/// What an InstructionSequence holds; none for any other value.
pub fn compiled_code(ctx: &Ctx, value: Value) -> Option<Arc<ISeq>> {
    Data::state_of::<Compiled>(ctx, value).map(|compiled| compiled.iseq.clone())
}

/// What CRuby calls the kind of code.
pub fn kind_name(iseq: &ISeq) -> &'static str {
    match iseq.kind {
        ISeqKind::Main => "main",
        ISeqKind::Top => "top",
        ISeqKind::Eval => "eval",
        ISeqKind::Method => "method",
        ISeqKind::Block | ISeqKind::Lambda => "block",
        ISeqKind::Class => "class",
    }
}

fn iseq_of(ctx: &mut Ctx, recv: Value) -> Result<Arc<ISeq>> {
    match compiled_code(ctx, recv) {
        Some(iseq) => Ok(iseq),
        None => Err(ctx.type_error("uninitialized InstructionSequence")),
    }
}

/// An InstructionSequence of code that runs or is about to.
pub fn make(ctx: &mut Ctx, iseq: Arc<ISeq>) -> Value {
    wrap(ctx, iseq, false)
}

fn wrap(ctx: &mut Ctx, iseq: Arc<ISeq>, given: bool) -> Value {
    if given {
        ctx.note_block_users(&iseq);
    }
    let class = ctx.error_class("RubyVM::InstructionSequence").value();
    let lines = ctx.extension::<KeepLines>().0.get();
    Data::new(ctx, class, Compiled { iseq, lines, given }).value()
}

/// Whether the code was given to `compile`.
fn was_given(ctx: &Ctx, recv: Value) -> bool {
    Data::state_of::<Compiled>(ctx, recv).is_some_and(|compiled| compiled.given)
}

fn compile_text(ctx: &mut Ctx, source: &[u8], path: &str, line: i32, encoding: rubellite_vm::Encoding) -> Result {
    let request = CompileRequest { line, encoding, ..CompileRequest::program(source, path, ISeqKind::Top) };
    let iseq = (ctx.vm().hooks().compile)(ctx, request)?;
    Ok(wrap(ctx, iseq, true))
}

/// `compile(source, file = "<compiled>", path = nil, line = 1) -> iseq`
fn compile(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let positional = args.positional();
    let source = ctx.to_str(positional.at(0))?;
    let path = match positional.non_nil(1) {
        Some(path) => ctx.to_str(path)?.to_lossy(ctx).into_owned(),
        None => "<compiled>".to_string(),
    };
    let line = match positional.non_nil(3) {
        Some(line) => ctx.to_c_int(line)?,
        None => 1,
    };
    let (bytes, encoding) = (source.bytes(ctx).to_vec(), source.encoding());
    let before = (ctx.frozen_string_literal_default(), ctx.notes_literals());
    if let Some(options) = args.keywords() {
        let option = |ctx: &mut Ctx, name| options.get_sym(ctx, ctx.intern(name)).map(Value::truthy);
        let (frozen, noted) = (option(ctx, "frozen_string_literal"), option(ctx, "debug_frozen_string_literal"));
        ctx.set_frozen_string_literal_default(frozen.or(before.0));
        ctx.set_notes_literals(noted.unwrap_or(before.1));
    }
    let compiled = compile_text(ctx, &bytes, &path, line, encoding);
    ctx.set_frozen_string_literal_default(before.0);
    ctx.set_notes_literals(before.1);
    compiled
}

/// `compile_file(path) -> iseq`
fn compile_file(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?.to_lossy(ctx).into_owned();
    match std::fs::read(&path) {
        Ok(source) => compile_text(ctx, &source, &path, 1, rubellite_vm::Encoding::UTF_8),
        Err(error) => {
            Err(super::super::exception::system_call_error(ctx, error.raw_os_error().unwrap_or(libc::EIO), &path))
        }
    }
}

/// `of(method or proc) -> iseq or nil`
fn of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let code = match Proc::try_of(args.at(0)) {
        Some(proc) => match proc.body() {
            rubellite_vm::object::proc::ProcBody::Code(code) => Some(*code),
            _ => None,
        },
        None => match super::super::method_object::entry_of(ctx, args.at(0)).map(|m| *m.resolved().body()) {
            Some(rubellite_vm::MethodBody::Code { code, .. }) => Some(code),
            Some(_) => None,
            None => {
                let class = ctx.describe_for_conversion(args.at(0));
                return Err(
                    ctx.type_error(&format!("wrong argument type {class} (expected Proc/Method/UnboundMethod)"))
                );
            }
        },
    };
    match code {
        Some(code) => {
            let iseq = code.iseq().clone();
            Ok(make(ctx, iseq))
        }
        None => Ok(Value::NIL),
    }
}

fn disasm_of(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let iseq = of(ctx, recv, args)?;
    if iseq.is_nil() { Ok(Value::NIL) } else { disasm(ctx, iseq, Args::none()) }
}

/// The options of CRuby's compiler that can be switched, as they are at first.
const OPTIONS: [(&str, bool); 10] = [
    ("inline_const_cache", true),
    ("peephole_optimization", true),
    ("tailcall_optimization", false),
    ("specialized_instruction", true),
    ("operands_unification", true),
    ("instructions_unification", false),
    ("frozen_string_literal", false),
    ("debug_frozen_string_literal", false),
    ("coverage_enabled", true),
    ("trace_instruction", true),
];

/// What programs have set for all code. Our compiler has none of these switches: they are kept and given back.
struct CompileOptions([Cell<bool>; OPTIONS.len()]);

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions(OPTIONS.map(|(_, on)| Cell::new(on)))
    }
}

impl Extension for CompileOptions {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// `compile_option -> hash`
fn compile_option(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let hash = Hash::new(ctx);
    for (i, (name, _)) in OPTIONS.iter().enumerate() {
        let on = ctx.extension::<CompileOptions>().0[i].get();
        let key = Value::symbol(ctx.intern(name));
        hash.insert(ctx, key, Value::from_bool(on))?;
    }
    Ok(hash.value())
}

/// `compile_option = hash, true, false or nil`: true stands for the options as they are at first, false for none.
fn set_compile_option(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let given = args.at(0);
    for (i, (name, at_first)) in OPTIONS.iter().enumerate() {
        let on = match Hash::try_of(given) {
            Some(hash) => hash.get_sym(ctx, ctx.intern(name)).map(Value::truthy),
            None if given.is_nil() || given == Value::TRUE => Some(*at_first),
            None if given == Value::FALSE => Some(false),
            None => return Err(ctx.type_error("Compile option must be Hash/true/false/nil")),
        };
        if let Some(on) = on {
            ctx.extension::<CompileOptions>().0[i].set(on);
        }
    }
    Ok(given)
}

/// `eval -> object`: runs the code at toplevel.
fn eval(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    ctx.run_toplevel(iseq, None)
}

/// `disasm -> string`
fn disasm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = rubellite_bytecode::disassemble(&*iseq_of(ctx, recv)?);
    Ok(string(ctx, &text))
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let path = iseq_of(ctx, recv)?.script.path.clone();
    Ok(string(ctx, &path))
}

fn absolute_path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match super::super::exception::backtrace::real_path_of(&iseq_of(ctx, recv)?.script) {
        Some(path) => Ok(string(ctx, &path)),
        None => Ok(Value::NIL),
    }
}

/// What the script's own code is called.
fn script_label(kind: ISeqKind, given: bool) -> &'static str {
    match kind {
        ISeqKind::Main if !given => "<main>",
        ISeqKind::Top if !given => "<top (required)>",
        _ => "<compiled>",
    }
}

fn label_of(iseq: &ISeq, given: bool) -> String {
    match (iseq.kind, iseq.name.bytes().is_empty()) {
        (ISeqKind::Main | ISeqKind::Top | ISeqKind::Eval, _) => script_label(iseq.kind, given).to_string(),
        (ISeqKind::Block | ISeqKind::Lambda, true) => format!("block in {}", script_label(iseq.home, given)),
        (ISeqKind::Block | ISeqKind::Lambda, false) => {
            format!("block in {}", String::from_utf8_lossy(iseq.name.bytes()))
        }
        _ => String::from_utf8_lossy(iseq.name.bytes()).into_owned(),
    }
}

fn label(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = label_of(&*iseq_of(ctx, recv)?, was_given(ctx, recv));
    Ok(string(ctx, &text))
}

/// The line at which the code begins; 0 for a file, whose code begins before its first line.
fn first_line_of(iseq: &ISeq, given: bool) -> i32 {
    if !given && matches!(iseq.kind, ISeqKind::Main | ISeqKind::Top) { 0 } else { iseq.line }
}

fn first_lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let line = first_line_of(&*iseq_of(ctx, recv)?, was_given(ctx, recv));
    Ok(Value::fixnum(line.into()))
}

/// The events that the code itself can have, each with its pc and line, ascending.
fn events_of(iseq: &ISeq) -> Vec<(u32, i32, &'static str)> {
    let (entry, exit) = match iseq.kind {
        ISeqKind::Method => (Some("call"), Some("return")),
        ISeqKind::Block | ISeqKind::Lambda => (Some("b_call"), Some("b_return")),
        ISeqKind::Class => (Some("class"), Some("end")),
        ISeqKind::Main | ISeqKind::Top | ISeqKind::Eval => (None, None),
    };
    let mut found: Vec<(u32, i32, &str)> = entry.map(|event| (0, iseq.line, event)).into_iter().collect();
    found.extend(iseq.statements.iter().map(|(pc, line)| (pc, line, "line")));
    found.extend(iseq.rescues.iter().map(|(pc, line)| (pc, line, "rescue")));
    if let Some(exit) = exit {
        let ends = (0u32..).zip(&iseq.insns).filter(|(_, insn)| insn.op == Op::Return);
        found.extend(ends.map(|(pc, _)| (pc, iseq.line_at(pc as usize), exit)));
    }
    // Events of one instruction stay in the order in which they were listed.
    found.sort_by_key(|(pc, _, _)| *pc);
    found
}

/// `trace_points -> [[line, event], ...]`: where the events lie that the code itself can have.
fn trace_points(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    for (_, line, event) in events_of(&iseq) {
        let event = Value::symbol(ctx.intern(event));
        let pair = Array::from_slice(ctx, &[Value::fixnum(line as i64), event]).value();
        list.push(ctx, pair);
    }
    Ok(list.value())
}

/// `to_a -> array`: a head as CRuby has it, then the code: lines, the events that lie there, and instructions, which
/// are our own.
fn to_a(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    let format = string(ctx, "YARVInstructionSequence/SimpleDataFormat");
    [format, Value::fixnum(4), Value::fixnum(0), Value::fixnum(1)].into_iter().for_each(|value| list.push(ctx, value));
    let sizes = Hash::new(ctx);
    let place = code_location(&iseq).map(Value::fixnum);
    let place = Array::from_slice(ctx, &place).value();
    let parser = Value::symbol(ctx.intern("prism"));
    let numbers = [
        ("arg_size", iseq.params.register_count().into()),
        ("local_size", iseq.local_end.into()),
        ("stack_max", iseq.register_count.into()),
    ];
    for (name, number) in numbers {
        let name = Value::symbol(ctx.intern(name));
        sizes.insert(ctx, name, Value::fixnum(number))?;
    }
    for (name, value) in [("parser", parser), ("code_location", place)] {
        let name = Value::symbol(ctx.intern(name));
        sizes.insert(ctx, name, value)?;
    }
    list.push(ctx, sizes.value());
    for part in [label, path, absolute_path, first_lineno] {
        let value = part(ctx, recv, Args::none())?;
        list.push(ctx, value);
    }
    let kind = Value::symbol(ctx.intern(kind_name(&iseq)));
    list.push(ctx, kind);
    let locals = Array::new(ctx);
    for local in &iseq.locals {
        let name = Value::symbol(ctx.intern_bytes(local.name.bytes(), local.name.encoding()));
        locals.push(ctx, name);
    }
    list.push(ctx, locals.value());
    let params = Hash::new(ctx).value();
    list.push(ctx, params);
    let catches = Array::new(ctx).value();
    list.push(ctx, catches);
    let code = code_list(ctx, &iseq);
    list.push(ctx, code);
    Ok(list.value())
}

fn code_list(ctx: &mut Ctx, iseq: &ISeq) -> Value {
    let list = Array::new(ctx);
    let (events, mut at, mut last) = (events_of(iseq), 0, None);
    for (pc, insn) in (0u32..).zip(&iseq.insns) {
        // Before a statement stands its line, whatever the instruction has.
        let line = iseq.statement_at(pc).unwrap_or_else(|| iseq.line_at(pc as usize));
        if last.replace(line) != Some(line) {
            list.push(ctx, Value::fixnum(line.into()));
        }
        while let Some((_, line, event)) = events.get(at).filter(|(of, _, _)| *of == pc) {
            if *event != "call" && last.replace(*line) != Some(*line) {
                list.push(ctx, Value::fixnum((*line).into()));
            }
            let name = Value::symbol(ctx.intern_str(&format!("RUBY_EVENT_{}", event.to_uppercase())));
            list.push(ctx, name);
            at += 1;
        }
        let name = Value::symbol(ctx.intern_str(&format!("{:?}", insn.op)));
        let words = [name, Value::fixnum(insn.a.into()), Value::fixnum(insn.b.into()), Value::fixnum(insn.c.into())];
        let words = Array::from_slice(ctx, &words).value();
        list.push(ctx, words);
    }
    list.value()
}

/// `each_child { |iseq| }`: the code of blocks, methods and class bodies in it.
fn each_child(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (iseq, given) = (iseq_of(ctx, recv)?, was_given(ctx, recv));
    for child in &iseq.children {
        let child = wrap(ctx, child.clone(), given);
        ctx.yield_one(args.block, child)?;
    }
    Ok(Value::NIL)
}

/// `script_lines -> array or nil`: the lines of the source, if `RubyVM.keep_script_lines` was set.
fn script_lines(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if Data::state_of::<Compiled>(ctx, recv).is_some_and(|code| code.lines) {
        lines(ctx, recv, args)
    } else {
        Ok(Value::NIL)
    }
}

/// `iseq_lines(iseq) -> array`: the lines of the source.
fn lines(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    let source = iseq.script.source();
    for line in source.as_deref().unwrap_or_default().split_inclusive(|b| *b == b'\n') {
        let line = Str::new(ctx, line, iseq.script.encoding).value();
        list.push(ctx, line);
    }
    Ok(list.value())
}

/// `iseq_branches(iseq) -> array`: the branches that the code counts, each as an Array of its kind, its place (first
/// line and column, last line and column) and its arms: Arrays of kind, place and count.
fn branches(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    let Some(branches) = iseq.script.branches.get() else { return Ok(list.value()) };
    let described = |ctx: &mut Ctx, kind: &str, place: &[i32; 4]| {
        let kind = Value::symbol(ctx.intern_str(kind));
        let entry = Array::from_slice(ctx, &[kind]);
        place.iter().for_each(|number| entry.push(ctx, Value::fixnum(*number as i64)));
        entry
    };
    for branch in &branches.list {
        let entry = described(ctx, branch.kind, &branch.place);
        list.push(ctx, entry.value());
        let arms = Array::new(ctx);
        entry.push(ctx, arms.value());
        for arm in &branch.arms {
            let count = branches.counts.get(arm.counter as usize).map_or(0, |count| count.load(Ordering::Relaxed));
            let entry = described(ctx, arm.kind, &arm.place);
            arms.push(ctx, entry.value());
            let count = ctx.int(count as i64);
            entry.push(ctx, count);
        }
    }
    Ok(list.value())
}

/// `iseq_clear_branches(iseq)`: counts them from 0.
fn clear_branches(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let counts = iseq.script.branches.get().map_or(&[][..], |branches| &branches.counts);
    counts.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    Ok(Value::NIL)
}

/// Line and column (in bytes) where the code begins, and where it ends.
fn code_location(iseq: &ISeq) -> [i64; 4] {
    let whole = match iseq.kind {
        ISeqKind::Main | ISeqKind::Top | ISeqKind::Eval => None,
        _ => rubellite_compiler::spot(iseq, 0, rubellite_compiler::Point::Whole),
    };
    let (source, whole) = whole.unwrap_or_else(|| {
        let source = iseq.script.source().unwrap_or_default();
        let end = source.trim_ascii_end().len();
        (source, 0..end)
    });
    let place = |offset: usize| {
        let before = &source[..offset];
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() as i64;
        (iseq.script.first_line as i64 + before.iter().filter(|byte| **byte == b'\n').count() as i64, column)
    };
    let ((first, first_column), (last, last_column)) = (place(whole.start), place(whole.end));
    [first, first_column, last, last_column]
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (iseq, given) = (iseq_of(ctx, recv)?, was_given(ctx, recv));
    let (label, line) = (label_of(&iseq, given), first_line_of(&iseq, given));
    Ok(string(ctx, &format!("<RubyVM::InstructionSequence:{label}@{}:{line}>", iseq.script.path)))
}
