//! RubyVM: compiled code as objects (`RubyVM::InstructionSequence`).

use super::super::exception::backtrace::Level;
use super::super::support::string;
use rubellite_bytecode::{ISeq, ISeqKind};
use rubellite_vm::class::{Arity, ClassDef, method, no_allocator};
use rubellite_vm::object::{Array, Data, Hash, NativeData, Proc, Str};
use rubellite_vm::{Args, CompileRequest, Ctx, Extension, Result, Value, primitive};
use std::cell::Cell;
use std::sync::Arc;

pub static RUBY_VM: ClassDef = ClassDef {
    name: "RubyVM",
    no_new: true,
    singleton_methods: &[method("keep_script_lines", Arity::NONE, keep_script_lines), method("keep_script_lines=", Arity::ONE, set_keep_script_lines)],
    ..ClassDef::EMPTY
};

/// Whether the lines of a source are given out with its code. They are kept in any case.
#[derive(Default)]
struct KeepLines(Cell<bool>);

impl Extension for KeepLines {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
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
        method("each_child", Arity::NONE, each_child),
        method("script_lines", Arity::NONE, script_lines),
        method("to_a", Arity::NONE, to_a),
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
    primitives: &[primitive("iseq_lines", Arity::NONE, lines)],
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

/// `location_piece(location) -> [source, first, end] or nil`: the source that a level of a backtrace runs, and the offsets of what its
/// instruction was made of. Errors: TypeError when it is no location.
fn location_piece(ctx: &mut Ctx, location: Value, _args: Args) -> Result {
    let Some(level) = Data::state_of::<Level>(ctx, location) else {
        return Err(ctx.type_error("Thread::Backtrace::Location object expected"));
    };
    let Some((source, range)) = level.piece().map(|(source, range)| (source.to_vec(), range)) else { return Ok(Value::NIL) };
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
}

impl NativeData for Compiled {}

fn iseq_of(ctx: &mut Ctx, recv: Value) -> Result<Arc<ISeq>> {
    match Data::state_of::<Compiled>(ctx, recv).map(|c| c.iseq.clone()) {
        Some(iseq) => Ok(iseq),
        None => Err(ctx.type_error("uninitialized InstructionSequence")),
    }
}

/// An InstructionSequence of compiled code.
pub fn make(ctx: &mut Ctx, iseq: Arc<ISeq>) -> Value {
    let class = ctx.error_class("RubyVM::InstructionSequence").value();
    let lines = ctx.extension::<KeepLines>().0.get();
    Data::new(ctx, class, Compiled { iseq, lines }).value()
}

fn compile_text(ctx: &mut Ctx, source: &[u8], path: &str, line: i32, encoding: rubellite_vm::Encoding) -> Result {
    let request = CompileRequest { line, encoding, ..CompileRequest::program(source, path, ISeqKind::Top) };
    let iseq = (ctx.vm().hooks().compile)(ctx, request)?;
    Ok(make(ctx, iseq))
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
    compile_text(ctx, &bytes, &path, line, encoding)
}

/// `compile_file(path) -> iseq`
fn compile_file(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?.to_lossy(ctx).into_owned();
    match std::fs::read(&path) {
        Ok(source) => compile_text(ctx, &source, &path, 1, rubellite_vm::Encoding::UTF_8),
        Err(error) => Err(super::super::exception::system_call_error(ctx, error.raw_os_error().unwrap_or(libc::EIO), &path)),
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
                return Err(ctx.type_error(&format!("wrong argument type {class} (expected Proc/Method/UnboundMethod)")));
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

/// What programs have set. Our compiler has none of these switches: they are kept and given back.
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

fn label_of(iseq: &ISeq) -> String {
    match (iseq.kind, iseq.name.bytes.is_empty()) {
        (ISeqKind::Main | ISeqKind::Top | ISeqKind::Eval, _) => "<compiled>".to_string(),
        (ISeqKind::Block | ISeqKind::Lambda, true) => "block in <compiled>".to_string(),
        (ISeqKind::Block | ISeqKind::Lambda, false) => format!("block in {}", String::from_utf8_lossy(&iseq.name.bytes)),
        _ => String::from_utf8_lossy(&iseq.name.bytes).into_owned(),
    }
}

fn label(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = label_of(&*iseq_of(ctx, recv)?);
    Ok(string(ctx, &text))
}

fn first_lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(iseq_of(ctx, recv)?.line as i64))
}

/// `trace_points -> [[line, event], ...]`: where statements begin.
fn trace_points(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let line_event = Value::symbol(ctx.intern("line"));
    let list = Array::new(ctx);
    for (_, line) in &iseq.statements {
        let pair = Array::from_slice(ctx, &[Value::fixnum(*line as i64), line_event]).value();
        list.push(ctx, pair);
    }
    Ok(list.value())
}

/// `each_child { |iseq| }`: the code of blocks, methods and class bodies in it.
fn each_child(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    for child in &iseq.children {
        let child = make(ctx, child.clone());
        ctx.yield_one(args.block, child)?;
    }
    Ok(Value::NIL)
}

/// `script_lines -> array or nil`: the lines of the source, if `RubyVM.keep_script_lines` was set.
fn script_lines(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if Data::state_of::<Compiled>(ctx, recv).is_some_and(|code| code.lines) { lines(ctx, recv, args) } else { Ok(Value::NIL) }
}

/// `iseq_lines(iseq) -> array`: the lines of the source.
fn lines(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    for line in iseq.script.source.split_inclusive(|b| *b == b'\n') {
        let line = Str::new(ctx, line, iseq.script.encoding).value();
        list.push(ctx, line);
    }
    Ok(list.value())
}

/// Line and column (in bytes) where the code begins, and where it ends.
fn code_location(iseq: &ISeq) -> [i64; 4] {
    let source = &iseq.script.source;
    let whole = match iseq.kind {
        ISeqKind::Main | ISeqKind::Top | ISeqKind::Eval => None,
        _ => rubellite_compiler::spot(iseq, 0, rubellite_compiler::Point::Whole),
    };
    let whole = whole.unwrap_or(0..source.trim_ascii_end().len());
    let place = |offset: usize| {
        let before = &source[..offset];
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() as i64;
        (iseq.script.first_line as i64 + before.iter().filter(|byte| **byte == b'\n').count() as i64, column)
    };
    let ((first, first_column), (last, last_column)) = (place(whole.start), place(whole.end));
    [first, first_column, last, last_column]
}

/// `to_a -> array`: the parts that CRuby lists, in its order. The instructions are this Ruby's, a name and operands each, with the
/// numbers of lines between them; tables of parameters and exceptions are empty.
fn to_a(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    let list = Array::new(ctx);
    let format = string(ctx, "YARVInstructionSequence/SimpleDataFormat");
    list.push(ctx, format);
    for number in [4, 0, 1] {
        list.push(ctx, Value::fixnum(number));
    }
    let facts = Hash::new(ctx);
    let prism = Value::symbol(ctx.intern("prism"));
    let counts = [("arg_size", iseq.params.register_count() as i64), ("local_size", iseq.locals.len() as i64), ("stack_max", iseq.register_count as i64)];
    for (name, value) in counts.map(|(name, count)| (name, Value::fixnum(count))).into_iter().chain([("parser", prism)]) {
        let key = Value::symbol(ctx.intern(name));
        facts.insert(ctx, key, value)?;
    }
    let key = Value::symbol(ctx.intern("code_location"));
    let place = code_location(&iseq).map(Value::fixnum);
    let place = Array::from_slice(ctx, &place).value();
    facts.insert(ctx, key, place)?;
    list.push(ctx, facts.value());
    let kind = match iseq.kind {
        ISeqKind::Main | ISeqKind::Top => "top",
        ISeqKind::Eval => "eval",
        ISeqKind::Block | ISeqKind::Lambda => "block",
        ISeqKind::Class => "class",
        _ => "method",
    };
    for part in [label, path, absolute_path, first_lineno] {
        let part = part(ctx, recv, Args::none())?;
        list.push(ctx, part);
    }
    let kind = Value::symbol(ctx.intern(kind));
    list.push(ctx, kind);
    let locals = Array::new(ctx);
    for local in &iseq.locals {
        let name = Value::symbol(ctx.intern_bytes(&local.name.bytes, local.name.encoding));
        locals.push(ctx, name);
    }
    list.push(ctx, locals.value());
    let (parameters, catches) = (Hash::new(ctx).value(), Array::new(ctx).value());
    list.push(ctx, parameters);
    list.push(ctx, catches);
    let body = Array::new(ctx);
    for (pc, insn) in iseq.insns.iter().enumerate() {
        if let Ok(at) = iseq.lines.binary_search_by_key(&(pc as u32), |(pc, _)| *pc) {
            body.push(ctx, Value::fixnum(iseq.lines[at].1 as i64));
        }
        let name = Value::symbol(ctx.intern(&format!("{:?}", insn.op)));
        let operands = [insn.a, insn.b, insn.c].map(|operand| Value::fixnum(operand as i64));
        let insn = Array::from_slice(ctx, &[name, operands[0], operands[1], operands[2]]).value();
        body.push(ctx, insn);
    }
    list.push(ctx, body.value());
    Ok(list.value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let iseq = iseq_of(ctx, recv)?;
    Ok(string(ctx, &format!("<RubyVM::InstructionSequence:{}@{}:{}>", label_of(&iseq), iseq.script.path, iseq.line)))
}
